"""The texts of the page that shows two versions of a hand beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flask import url_for

from scorepad.i18n import Words
from scorepad.web.draft_comparison import FieldDifference
from scorepad.web.hand_entry.conflict_causes import ConflictCause
from scorepad.web.hand_entry.hand_page import HandPage

_HAND_IS_GONE = (ConflictCause.OVER, ConflictCause.UNDONE, ConflictCause.BACK)
_HAND_IS_COUNTED = (ConflictCause.COUNTED, ConflictCause.CORRECTED)


class DifferingText(NamedTuple):
    """A field whose two texts differ, in words."""

    field: str
    stored: str
    mine: str


class ConflictTexts:
    """What the page says of the hand as it is stored, and of the texts of this phone."""

    def __init__(
        self,
        cause: ConflictCause,
        differences: Sequence[FieldDifference],
        page: HandPage,
        words: Words,
        holder: str,
    ) -> None:
        """Take the differences between the two versions.

        `page` is the page of the stored hand, and `holder` who has the phone that stored it, empty
        if that is not known.
        """
        self._cause = cause
        self._page = page
        self._words = words
        self._holder = holder
        self._differences = differences
        self.differences = [self._show_difference(difference) for difference in differences]
        self.is_counted = cause in _HAND_IS_COUNTED
        self.is_gone = cause in _HAND_IS_GONE

    @property
    def explanation(self) -> str:
        """What happened to the hand meanwhile."""
        return self._words.t(f"hand.stale.{self._cause}.text")

    @property
    def heading_of_stored(self) -> str:
        """The heading above the stored texts: whose they are, if that is known."""
        if self._holder:
            return self._words.t("hand.stale.there.by", name=self._holder)
        return self._words.t(
            "hand.stale.there.saved" if self.is_counted else "hand.stale.there.kept"
        )

    @property
    def heading_of_mine(self) -> str:
        return self._words.t("hand.stale.mine")

    @property
    def url_of_match(self) -> str:
        return url_for("matches.page", match=self._page.hand.state.id)

    @property
    def url_of_stored(self) -> str:
        """Where the link leads that leaves the stored hand as it is."""
        if self.is_counted or self.is_gone:
            return self.url_of_match
        return self._page.hand.url

    @property
    def can_send_again(self) -> bool:
        """Whether the page has a button that sends the texts of this phone."""
        return bool(self._differences) or self._cause is not ConflictCause.BACK

    # ---------------------------------------------------------------- what a button keeps

    @property
    def button_of_stored(self) -> str:
        """The text of the link that leaves the stored hand as it is: "Keep 300 (Anna)"."""
        if self.is_gone:
            return self._words.t("live.look")
        number = self._find_single_number(0)
        if number is None:
            return self._words.t("hand.stale.take-there")
        if self._holder:
            return self._words.t("hand.stale.take-figure.by", figure=number, name=self._holder)
        return self._words.t("hand.stale.take-figure", figure=number)

    @property
    def button_of_mine(self) -> str:
        """The text of the button that sends the texts of this phone: "Keep mine: 300"."""
        if self.is_counted:
            return self._words.t("hand.stale.take-mine.correct")
        number = self._find_single_number(1)
        if self.is_gone or number is None:
            return self._words.t("hand.stale.take-mine")
        return self._words.t("hand.stale.take-figure.mine", figure=number)

    def _find_single_number(self, version: int) -> int | None:
        """Return the number in the only field that differs; None if there are others, or no number.

        `version` is 0 for the stored text, 1 for mine.
        """
        if len(self._differences) != 1:
            return None
        text = self._differences[0].texts[version]
        if not text.isdecimal():
            return None
        return int(text)

    # ---------------------------------------------------------------- the table

    def _show_difference(self, difference: FieldDifference) -> DifferingText:
        """Put the name of a field and its two texts into words."""
        stored, mine = difference.texts
        return DifferingText(
            field=self._name_field(difference),
            stored=self._describe_text(difference, stored),
            mine=self._describe_text(difference, mine),
        )

    def _name_field(self, difference: FieldDifference) -> str:
        """Name a field, with its side if it has one; say if one version does not count its text."""
        if difference.field is None:
            key = difference.key.replace("_", ".")
            name = self._words.t(f"hand.{key}")
        else:
            name = self._page.label_with_side(difference.field)
        if not difference.is_ignored:
            return name
        return f"{name} {self._words.t('hand.stale.idle')}"

    def _describe_text(self, difference: FieldDifference, text: str) -> str:
        """Describe what was typed in a field, or chosen: the name of a side for "who went out"."""
        key = difference.key
        if not text:
            return self._words.t("hand.stale.nothing")
        if difference.field is not None and difference.field.kind == "choice":
            return self._words.t(f"value.special.{text}")
        if text == "nobody":
            return self._words.t(f"hand.{key}.nobody")
        if key in ("out", "single"):
            return self._page.find_name_of_answer(text)
        if key in ("concealed", "discard_none"):
            return self._words.t("value.yes")
        if text.isdecimal():
            return self._words.figure(int(text))
        return text
