"""The form of a hand: its fields as sent, which hand it is, and what the page had shown."""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from flask import abort, request
from wtforms import HiddenField, StringField

from scorepad.matches.access import MatchId
from scorepad.matches.hands import Draft, open_hand
from scorepad.rules.definitions import Ruleset
from scorepad.web.base import language, load_match, t
from scorepad.web.field_texts import meld_lines, without_concealed_mark
from scorepad.web.forms import LONGEST_REMARK, PadForm, add_error
from scorepad.web.hand_entry.hand_page import MatchHand, match_open_hand, match_past_hand
from scorepad.web.hand_fields import draft_from_form, field_key
from scorepad.web.typed_hand import TypedHand, read_draft

SAVE = "save"
_OPENING_BUTTON = re.compile(r"opening\.(?P<side>[abc])\.(?P<meld_index>[0-9]{1,2})")
_TAKE_BACK_BUTTON = re.compile(r"noted\.(?P<entry>[0-9]{1,9})")
_ENTRIES = re.compile(r"[0-9]{1,9}")


class OpeningButton(NamedTuple):
    """The button of a meld that adds it to the opening of its side, or removes it from there.

    The opening is what a side laid first in the hand. `meld_index` is that of the meld among those
    typed for the side.
    """

    side: str
    meld_index: int


class HandForm(PadForm):
    """A request about the hand of a match: its fields, which hand it is, and the version seen."""

    hand = HiddenField()
    version = HiddenField()
    noted = HiddenField()
    number = HiddenField()
    seen = HiddenField()
    contest = HiddenField()
    refused = HiddenField()
    reason = StringField()
    do = StringField()

    def __init__(self, match: str) -> None:
        super().__init__()
        self.match = MatchId(match)

    @cached_property
    def draft(self) -> Draft:
        """The texts of the hand's fields as sent, by key, without blank ones.

        If the form was sent by the button of a meld that changes the opening, the field of the
        opening is changed already.
        """
        draft = draft_from_form(request.form)
        button = self.opening_button
        if button is None:
            return draft
        changed_draft = _toggle_opening_meld(draft, button)
        return draft_from_form(changed_draft)  # without the opening, if no meld is left in it

    @property
    def pressed_button(self) -> str:
        """The value of the button that sent the form; empty if none did."""
        return self.do.data or ""

    @property
    def is_to_be_saved(self) -> bool:
        """Whether the button that saves the hand was pressed."""
        return self.pressed_button == SAVE

    @property
    def opening_button(self) -> OpeningButton | None:
        """The pressed button, if it is one that changes the opening of a side: `opening.a.2` is that
        of the third meld of side `a`. None for another button.
        """
        button = _OPENING_BUTTON.fullmatch(self.pressed_button)
        if button is None:
            return None
        return OpeningButton(side=button["side"], meld_index=int(button["meld_index"]))

    @property
    def penalty_to_take_back(self) -> int | None:
        """The number of the log entry with the penalty to be taken back: 17 if the button `noted.17`
        was pressed. None for another button.
        """
        button = _TAKE_BACK_BUTTON.fullmatch(self.pressed_button)
        if button is None:
            return None
        return int(button["entry"])

    @property
    def shown_penalties(self) -> list[int]:
        """The entries of the log with the noted penalties that the page showed."""
        return [int(text) for text in _ENTRIES.findall(self.noted.data or "")]

    def number_of(self, name: str) -> int:
        """The number in a hidden field; -1, which matches nothing, if it is not valid."""
        text = self[name].data or ""
        return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else -1

    def load_open_hand(self) -> MatchHand:
        """The hand that is being played. Raises MatchOver."""
        state = load_match(self.match)
        return match_open_hand(state, open_hand(state))

    def load_past_hand(self, number: int, *, contests: bool = False) -> MatchHand:
        """A hand that was counted, by its number; answers 404 if there is none.

        `contests`: the other side is to count it separately.
        """
        state = load_match(self.match)
        if not 1 <= number <= len(state.hands):
            abort(404)
        return match_past_hand(state, state.hands[number - 1], contests=contests)

    @property
    def shows_past_hand(self) -> bool:
        """Whether the page of the form showed a hand that had been counted before.

        The field `seen` has the number of the log entry with this count, and 0 for the hand that is
        being played.
        """
        return self.number_of("seen") > 0

    def is_past_hand_undone(self, number: int) -> bool:
        """Whether the page showed a past hand, by its number, that was undone meanwhile."""
        if not self.shows_past_hand:
            return False
        hands_of_match = load_match(self.match).hands
        return number > len(hands_of_match)

    def read_to_save(self, rules: Ruleset) -> TypedHand | None:
        """Read the hand to be saved; None if something of it is unreadable or missing.

        A reason that is too long gets an error here; the other problems are shown by the page.
        """
        if len(self.reason.data or "") > LONGEST_REMARK:
            add_error(self.reason, t("hand.error.long", limit=LONGEST_REMARK))
            return None
        typed = read_draft(self.draft, rules, language())
        return None if typed.problems else typed


def _toggle_opening_meld(draft: Draft, button: OpeningButton) -> Draft:
    """A copy of the draft in which the meld of a pressed button is added to the melds of the opening,
    or removed from them if it is already there.
    """
    melds = meld_lines(draft.get(field_key(button.side, "melds"), ""))
    if button.meld_index >= len(melds):
        return draft
    meld = without_concealed_mark(melds[button.meld_index])

    opening_key = field_key(button.side, "opening")
    opening = list(meld_lines(draft.get(opening_key, "")))
    if meld in opening:
        opening = [line for line in opening if line != meld]
    else:
        opening.append(meld)
    return {**draft, opening_key: "\n".join(opening)}
