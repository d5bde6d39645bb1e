"""The form of a hand: its fields as sent, which hand it is, and what the page had shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
YES = "1"
"""The value of a hidden field or a header that says yes; an empty one says no."""
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
    """A request about the hand of a match: its fields, which hand it is, and the version seen.

    The hidden fields say what the page showed, so that a change of the hand meanwhile is noticed.
    They are filled by `show_hand`.
    """

    hand = HiddenField()
    """The id of the hand being played; empty for a past hand."""
    version = HiddenField()
    """The version of the stored texts of the hand being played."""
    noted = HiddenField()
    """The log entries of the penalties that the page shows beside the form: `17 21`."""
    number = HiddenField()
    """The number of the hand in the match: 1 for the first one."""
    seen = HiddenField()
    """The log entry with the count of a past hand; 0 for the hand being played."""
    contest = HiddenField()
    """`YES` if the other side enters a past hand again, to check the first side's count."""
    refused = HiddenField()
    """`YES` if the hand could not be saved, so that the page shows what prevents that."""
    reason = StringField()
    do = StringField()

    def __init__(self, match: str) -> None:
        super().__init__()
        self.match = MatchId(match)

    def show_hand(self, hand: MatchHand) -> None:
        """Write into the hidden fields which hand the page of this form shows, and in which state."""
        self.number.data = hand.number
        self.contest.data = YES if hand.contests else ""
        self.hand.data = hand.stored_id
        self.version.data = hand.stored_version
        self.noted.data = hand.noted_entries
        self.seen.data = hand.count_entry

    def mark_refused(self) -> None:
        """Note in a hidden field that the hand could not be saved: the script of the page goes on to
        show what prevents that, while the players correct it.
        """
        self.refused.data = YES

    @property
    def contests(self) -> bool:
        """Whether with this form the other side enters a past hand again, to check the first count."""
        return bool(self.contest.data)

    @property
    def hand_number(self) -> int:
        """The number of the hand that the page showed: 1 for the first one of the match."""
        return self._number_in("number")

    @property
    def seen_version(self) -> int:
        """The version of the stored texts that the page showed."""
        return self._number_in("version")

    @property
    def seen_entry(self) -> int:
        """The log entry with the count of the past hand that the page showed; 0 for the open hand."""
        return self._number_in("seen")

    def _number_in(self, hidden_field: str) -> int:
        """The number in the hidden field with this name: `17` → 17.

        If the text of the field is not a number, it is -1, which no hand, version or entry has.
        """
        text = self[hidden_field].data or ""
        is_number = re.fullmatch(r"[0-9]{1,9}", text) is not None
        if not is_number:
            return -1
        return int(text)

    @cached_property
    def draft(self) -> Draft:
        """The texts that were typed into the fields of the form, by key: `{"a.melds": "4xQ"}`.

        Blank fields are left out. If the form was sent by a button that changes a field (that of
        the opening: what a side laid first), the text is the changed one.
        """
        draft = draft_from_form(request.form)
        button = self.opening_button
        if button is None:
            return draft
        changed_draft = _toggle_opening_meld(draft, button)
        return draft_from_form(changed_draft)  # leaves the opening out if it is blank now

    @property
    def pressed_button(self) -> str:
        """The value of the button with which the form was sent, such as `save`; empty without one."""
        return self.do.data or ""

    @property
    def is_to_be_saved(self) -> bool:
        """Whether the button that saves the hand was pressed."""
        return self.pressed_button == SAVE

    @property
    def opening_button(self) -> OpeningButton | None:
        """The pressed button, if it is one that adds a meld (a set of cards laid on the table) to the
        opening, the melds that a side laid first, or removes it from there.

        The button `opening.a.2` is for the third meld of side `a`. None for any other button.
        """
        parts = _OPENING_BUTTON.fullmatch(self.pressed_button)
        if parts is None:
            return None
        return OpeningButton(side=parts["side"], meld_index=int(parts["meld_index"]))

    @property
    def penalty_to_take_back(self) -> int | None:
        """Which penalty the pressed button takes back, by the number of its entry in the log: 17 for
        the button `noted.17`. None for any other button.
        """
        parts = _TAKE_BACK_BUTTON.fullmatch(self.pressed_button)
        if parts is None:
            return None
        return int(parts["entry"])

    @property
    def shown_penalties(self) -> list[int]:
        """The penalties that the page showed, by the numbers of their entries in the log: the hidden
        field `noted` with the text `17 21` → [17, 21].
        """
        text_of_field = self.noted.data or ""
        return [int(number) for number in _ENTRIES.findall(text_of_field)]

    def load_open_hand(self) -> MatchHand:
        """Load the hand that is being played now, with its fields as stored.

        Raises MatchOver if the match is finished, so that no hand is being played.
        """
        state = load_match(self.match)
        stored_hand = open_hand(state)
        return match_open_hand(state, stored_hand)

    def load_past_hand(self, number: int, *, contests: bool = False) -> MatchHand:
        """Load a hand that was scored before, by its number: 1 for the first hand of the match.

        Aborts with 404 if there is none. `contests`: it is to be scored a second time by the other
        side, and the first score is kept beside it.
        """
        state = load_match(self.match)
        number_of_hands = len(state.hands)
        if not 1 <= number <= number_of_hands:
            abort(404)
        past_hand = state.hands[number - 1]
        return match_past_hand(state, past_hand, contests=contests)

    @property
    def shows_past_hand(self) -> bool:
        """Whether the page of the form showed a hand that had been counted before."""
        return self.seen_entry > 0

    def is_past_hand_undone(self, number: int) -> bool:
        """Whether the page of this form showed a hand that was scored, but was undone since then, so
        that the match has no hand of this number any more.
        """
        if not self.shows_past_hand:
            return False
        hands_of_match = load_match(self.match).hands
        return number > len(hands_of_match)

    def read_to_save(self, rules: Ruleset) -> TypedHand | None:
        """Read the typed hand that is to be saved; None if anything is unreadable or missing.

        If the reason for a correction is too long, an error is added to its field. Errors of other
        fields are not added: the page finds them itself.
        """
        reason = self.reason.data or ""
        if len(reason) > LONGEST_REMARK:
            add_error(self.reason, t("hand.error.long", limit=LONGEST_REMARK))
            return None
        typed = read_draft(self.draft, rules, language())
        if typed.problems:
            return None
        return typed


def _toggle_opening_meld(draft: Draft, button: OpeningButton) -> Draft:
    """A copy of the typed texts in which the meld (set of cards) of a pressed button is added to the
    field of the opening, what its side laid first; or is removed if it stands there already.

    Each line of a field is a meld: the button of `3xK` adds this line to an opening with `4xQ`.
    """
    melds = meld_lines(draft.get(field_key(button.side, "melds"), ""))
    if button.meld_index >= len(melds):  # our pages have no such button
        return draft
    pressed_meld = without_concealed_mark(melds[button.meld_index])

    opening_key = field_key(button.side, "opening")
    opening = _toggle_line(meld_lines(draft.get(opening_key, "")), pressed_meld)
    return {**draft, opening_key: "\n".join(opening)}


def _toggle_line(lines: Sequence[str], line: str) -> list[str]:
    """These lines without the given one if it is among them, however often; else with it at the end:
    `["4xQ"]` and `3xK` → `["4xQ", "3xK"]`.
    """
    if line in lines:
        return [other for other in lines if other != line]
    return [*lines, line]
