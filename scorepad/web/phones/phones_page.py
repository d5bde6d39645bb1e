"""What the page of phones shows: the codes by which phones enter a match, and the phones that did."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.matches.access import Access
from scorepad.matches.events import AccessAction
from scorepad.matches.projection import MatchState
from scorepad.storage.rows import DeviceRecord, is_program
from scorepad.web.presenters import moment


class ActionButton(NamedTuple):
    """A button with what it does: the value that is sent, its label, and a sentence above it.

    The sentence is empty if the label says enough.
    """

    value: str
    label: str
    explanation: str = ""


class CodeToEnter(NamedTuple):
    """The ways for another phone to enter the match: an address, as QR code too, or a short code."""

    address: str
    qr_code: Markup
    short_code: str
    """`acd efh`, to be typed."""


class ShownAccess(NamedTuple):
    """The part of the page about one kind of access, to write in the match or to view it."""

    access: Access
    title: str
    text: str
    picture_label: str
    """What the picture of the QR code is, for those who do not see it."""
    is_folded: bool
    code: CodeToEnter | None
    """None if there is no code, or if no other phone can reach the pad."""
    reason_for_no_code: str
    """Why there is no code: empty if there is one, or if no phone can reach the pad."""
    exists: bool
    """Whether somebody can enter by a code, even if this phone does not know it."""
    buttons: list[ActionButton]
    """The buttons that change the code."""


class ShownPhone(NamedTuple):
    """A phone in the list of those that entered the match."""

    device: str
    number: int
    heading: str
    """Who holds it, and its number: "Ada, phone 2"."""
    is_own: bool
    facts: list[str]
    """What it may do, since when, and for which side it counts."""
    can_be_changed: bool
    can_own_match: bool
    """Whether the match can be handed over to it: not to a program."""


class PhonesPage:
    """The texts of the page of phones."""

    def __init__(self, match: MatchState, words: Words) -> None:
        self._match = match
        self._words = words
        self.is_owner = match.access is Access.OWN

    # ------------------------------------------------------------------ codes

    def show_access(
        self,
        access: Access,
        code: CodeToEnter | None,
        *,
        knows_key: bool,
        existing: Collection[Access],
        is_folded: bool,
        most_viewers: int,
    ) -> ShownAccess:
        """Show a kind of access: `code` lets phones enter, None if it cannot be shown.

        `knows_key` is whether this phone knows the key behind it, and `existing` are the kinds of
        access for which there is a key at all.
        """
        exists = access in existing
        reason_for_no_code = ""
        if not knows_key:
            reason_for_no_code = self._explain_missing_key(exists=exists)
        return ShownAccess(
            access=access,
            title=self._words.t(f"phones.{access}"),
            text=self._words.t(f"phones.{access}.text", most=most_viewers),
            picture_label=self._words.t(f"phones.{access}.code"),
            is_folded=is_folded,
            code=code,
            reason_for_no_code=reason_for_no_code,
            exists=exists,
            buttons=self._list_buttons_of_code(access, existing),
        )

    def _explain_missing_key(self, *, exists: bool) -> str:
        """Say why this phone has no code to show: there is none, or another phone made it."""
        what = "unknown" if exists else "none"
        whose = "own" if self.is_owner else "others"
        return self._words.t(f"phones.{what}.{whose}")

    def _list_buttons_of_code(
        self, access: Access, existing: Collection[Access]
    ) -> list[ActionButton]:
        """List the buttons that change a code.

        A new code to write brings a new code to view, if there is one.
        """
        changes_both = access is Access.WRITE and Access.VIEW in existing
        if access not in existing:
            explanation = self._words.t("phones.make.both") if changes_both else ""
            return [ActionButton(AccessAction.RENEW, self._words.t("phones.make"), explanation)]

        explanation_key = "phones.renew.both" if changes_both else f"phones.renew.{access}"
        return [
            ActionButton(
                AccessAction.RENEW,
                self._words.t("phones.renew"),
                self._words.t(explanation_key),
            ),
            ActionButton(
                AccessAction.WITHDRAW,
                self._words.t("phones.withdraw"),
                self._words.t(f"phones.withdraw.{access}"),
            ),
        ]

    # ------------------------------------------------------------------ phones

    def show_phone(self, phone: DeviceRecord, own_phone: DeviceRecord | None) -> ShownPhone:
        """Show a phone of the match; `own_phone` is the one that asked for the page."""
        return ShownPhone(
            device=phone.device,
            number=phone.number,
            heading=self._write_heading(phone),
            is_own=phone == own_phone,
            facts=self._list_facts(phone),
            can_be_changed=self.is_owner and phone.access != Access.OWN,
            can_own_match=not is_program(phone.device),
        )

    def _write_heading(self, phone: DeviceRecord) -> str:
        heading = self._words.t("phones.phone", number=phone.number)
        if not phone.name:
            return heading
        return self._words.t("phones.held-by", name=phone.name, phone=heading.lower())

    def _list_facts(self, phone: DeviceRecord) -> list[str]:
        """List what a phone may do, since when, and for which side it counts, if for one."""
        facts = [
            self._words.t(f"phones.may.{phone.access}"),
            self._words.t("phones.since", when=moment(phone.granted, self._words)),
        ]
        if phone.side is not None and phone.side < len(self._match.sides):
            side = self._match.sides[phone.side].name
            facts.append(self._words.t("phones.counts-for", side=side))
        return facts
