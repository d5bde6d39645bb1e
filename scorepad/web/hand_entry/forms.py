"""The form of a hand: its fields as sent, which hand it is, and what the page had shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from flask import abort, request
from wtforms import HiddenField, StringField

from scorepad.matches.access import MatchId
from scorepad.matches.hands import Draft, find_open_hand
from scorepad.rules.definitions import Ruleset
from scorepad.web.base import language, load_match, t
from scorepad.web.field_texts import meld_lines, without_concealed_mark
from scorepad.web.forms import LONGEST_REMARK, PadForm, add_error
from scorepad.web.hand_entry.hand_page import MatchHand, describe_open_hand, describe_past_hand
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
    They are filled by `fill_hidden_fields`. A field that was not sent is an empty text.
    """

    hand = HiddenField(default=str)
    """The id of the hand being played; empty for a past hand."""
    version = HiddenField(default=str)
    """The version of the stored texts of the hand being played."""
    noted = HiddenField(default=str)
    """The log entries of the penalties that the page shows beside the form: `17 21`."""
    number = HiddenField(default=str)
    """The number of the hand in the match: 1 for the first one."""
    seen = HiddenField(default=str)
    """The log entry with the count of a past hand; 0 for the hand being played."""
    contest = HiddenField(default=str)
    """`YES` if the other side enters a past hand again, to check the first side's count."""
    refused = HiddenField(default=str)
    """`YES` if the hand could not be saved, so that the page shows what prevents that."""
    reason = StringField(default=str)

    def __init__(self, match: str) -> None:
        super().__init__()
        self.match = MatchId(match)
        self.draft = _read_typed_texts(request.form, self.opening_button)
        """The submitted texts, by key of the field."""

    def fill_hidden_fields(self, hand: MatchHand) -> None:
        """Write into the hidden fields which hand (round) the page shows, and in which state.

        When the form is sent, they tell whether another phone changed the hand meanwhile.
        """
        # which hand it is
        self.number.data = hand.number
        self.hand.data = hand.stored_id
        self.contest.data = YES if hand.contests else ""
        # what another phone can change: the typed texts, the recorded penalties, the count
        self.version.data = hand.stored_version
        self.noted.data = hand.noted_entries
        self.seen.data = hand.count_entry

    def mark_refused(self) -> None:
        """Note in a hidden field that the hand (round) could not be saved.

        While the players correct the hand, the script of the page then goes on to show all that
        prevents saving it.
        """
        self.refused.data = YES

    @property
    def contests(self) -> bool:
        """Tell whether this form counts a past hand (round) a second time, for the other side.

        The two counts are then compared, and the players choose one.
        """
        return bool(self.contest.data)

    @property
    def hand_number(self) -> int:
        """Return the number of the hand that the page showed: 1 for the first hand of the match."""
        return self._read_hidden_number("number")

    @property
    def shown_version(self) -> int:
        """Return the version of the stored texts that the page showed."""
        return self._read_hidden_number("version")

    @property
    def shown_count(self) -> int:
        """Return which count of the hand the page showed, as the number of its entry in the log.

        It is 0 for the hand (round) being played, which is not counted yet.
        """
        return self._read_hidden_number("seen")

    def _read_hidden_number(self, hidden_field: str) -> int:
        """Read the number in the hidden field with this name: the text `17` → 17.

        A text that is no number gives -1, which no hand, version or log entry has.
        """
        text = self[hidden_field].data
        is_number = re.fullmatch(r"[0-9]{1,9}", text) is not None
        if not is_number:
            return -1
        return int(text)

    @property
    def pressed_button(self) -> str:
        """Return the value of the button that sent the form, such as `save`; empty without one."""
        return request.form.get("do", "")

    @property
    def is_to_be_saved(self) -> bool:
        """Tell whether the button that saves the hand (round) was pressed."""
        return self.pressed_button == SAVE

    @property
    def opening_button(self) -> OpeningButton | None:
        """Return the pressed button if it changes the opening of a side; None for any other button.

        The opening is the melds (groups of cards on the table) that a side laid first in the hand
        (round). The button `opening.a.2` adds the third meld of side `a` to it, or removes that
        meld.
        """
        parts = _OPENING_BUTTON.fullmatch(self.pressed_button)
        if parts is None:
            return None
        return OpeningButton(side=parts["side"], meld_index=int(parts["meld_index"]))

    @property
    def penalty_to_take_back(self) -> int | None:
        """Return the penalty that the pressed button takes back, as the number of its log entry.

        - the button `noted.17` → 17
        - any other button → None
        """
        parts = _TAKE_BACK_BUTTON.fullmatch(self.pressed_button)
        if parts is None:
            return None
        return int(parts["entry"])

    @property
    def shown_penalties(self) -> list[int]:
        """List the penalties that the page showed, by the numbers of their log entries.

        They are in the hidden field `noted`: the text `17 21` → `[17, 21]`.
        """
        text_of_field = self.noted.data
        return [int(number) for number in _ENTRIES.findall(text_of_field)]

    def load_open_hand(self) -> MatchHand:
        """Load the hand (round) that is being played now, with the texts stored so far.

        Raises MatchOver if the match is finished, so that no hand is being played.
        """
        state = load_match(self.match)
        stored_hand = find_open_hand(state)
        return describe_open_hand(state, stored_hand)

    def load_past_hand(self, number: int, *, contests: bool = False) -> MatchHand:
        """Load a hand that was counted before, by its number: 1 for the first hand of the match.

        Aborts with 404 if the match has no hand of this number. `contests` is True if the hand
        (round) is to be counted a second time, by the other side: then the first count is kept
        beside it.
        """
        state = load_match(self.match)
        number_of_hands = len(state.hands)
        if not 1 <= number <= number_of_hands:
            abort(404)
        past_hand = state.hands[number - 1]
        return describe_past_hand(state, past_hand, contests=contests)

    @property
    def shows_past_hand(self) -> bool:
        """Tell whether the page showed a hand (round) that had been counted before."""
        return self.shown_count > 0

    def load_past_hand_unless_undone(
        self, number: int, *, contests: bool = False
    ) -> MatchHand | None:
        """Load the past hand that the page showed; None if it was undone after the page was loaded.

        Then the match has fewer hands (rounds) than its number. The rest is as in `load_past_hand`.
        """
        number_of_hands = len(load_match(self.match).hands)
        if self.shows_past_hand and number > number_of_hands:
            return None
        return self.load_past_hand(number, contests=contests)

    def read_to_save(self, rules: Ruleset) -> TypedHand | None:
        """Read the typed hand (round) in order to save it; None if it has errors.

        They are not kept, as the page finds them again when it shows the hand. Only the reason for a
        correction is no part of the hand: if it is too long, its field gets the error here.
        """
        if len(self.reason.data) > LONGEST_REMARK:
            # It says: "This text is too long: {limit} characters at most. Shorten it."
            add_error(self.reason, t("hand.error.long", limit=LONGEST_REMARK))
            return None
        typed = read_draft(self.draft, rules, language())
        return None if typed.problems else typed


def _read_typed_texts(submitted: Draft, button: OpeningButton | None) -> Draft:
    """Read the texts typed into a form, by key of the field: `{"a.melds": "4xQ"}`.

    Blank fields are left out. If the form was sent by a button that changes a text (`button`), the
    text is the changed one.
    """
    draft = draft_from_form(submitted)
    if button is None:
        return draft
    changed_draft = _press_opening_button(draft, button)
    return draft_from_form(changed_draft)  # the field of the opening may be blank now


def _press_opening_button(draft: Draft, button: OpeningButton) -> Draft:
    """Copy the typed texts as the button of a meld changes them.

    It adds the meld (a group of cards on the table) to the opening, that is, to what its side laid
    first. Pressed again, it removes the meld from there. Both fields have a meld on each line.
    """
    typed_melds = meld_lines(draft.get(field_key(button.side, "melds"), ""))
    if button.meld_index >= len(typed_melds):  # our pages have no such button
        return draft
    meld = without_concealed_mark(typed_melds[button.meld_index])

    opening_key = field_key(button.side, "opening")
    opening = _toggle_line(meld_lines(draft.get(opening_key, "")), meld)
    return {**draft, opening_key: "\n".join(opening)}


def _toggle_line(lines: Sequence[str], line: str) -> list[str]:
    """Remove a line from these lines if it is there, or else add it at the end.

    - `["4xQ"]` and `3xK` → `["4xQ", "3xK"]`
    - `["4xQ", "3xK"]` and `3xK` → `["4xQ"]`
    """
    if line in lines:
        return [other for other in lines if other != line]
    return [*lines, line]
