"""The form of a hand: its fields as sent, which hand it is, and what the page had shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
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
    They are filled by `remember_shown_hand`.
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

    def remember_shown_hand(self, hand: MatchHand) -> None:
        """Write into the hidden fields which hand the page shows, and in which state.

        A hand is a round of the game. When the form is sent, the fields tell whether the hand was
        changed on another phone meanwhile.
        """
        self.number.data = hand.number
        self.contest.data = YES if hand.contests else ""
        self.hand.data = hand.stored_id
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
    def seen_version(self) -> int:
        """Return the version of the stored texts that the page showed."""
        return self._read_hidden_number("version")

    @property
    def seen_entry(self) -> int:
        """Return the log entry, by its number, with the count of the hand that the page showed.

        It is 0 for the hand (round) being played, which has no count yet.
        """
        return self._read_hidden_number("seen")

    def _read_hidden_number(self, hidden_field: str) -> int:
        """Read the number in the hidden field with this name: the text `17` → 17.

        A text that is no number gives -1, which no hand, version or log entry has.
        """
        text = self[hidden_field].data or ""
        is_number = re.fullmatch(r"[0-9]{1,9}", text) is not None
        if not is_number:
            return -1
        return int(text)

    @cached_property
    def draft(self) -> Draft:
        """Return the texts typed into the form, by key of the field: `{"a.melds": "4xQ"}`.

        Blank fields are left out. One kind of button changes a field when it is pressed (see
        `opening_button`): then the text is the changed one.
        """
        draft = draft_from_form(request.form)
        button = self.opening_button
        if button is None:
            return draft
        changed_draft = _toggle_opening_meld(draft, button)
        return draft_from_form(changed_draft)  # leaves the opening out if it is blank now

    @property
    def pressed_button(self) -> str:
        """Return the value of the button that sent the form, such as `save`; empty without one."""
        return self.do.data or ""

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
        text_of_field = self.noted.data or ""
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
        return self.seen_entry > 0

    def is_past_hand_undone(self, number: int) -> bool:
        """Tell whether the hand (round) of this form was undone after the page was loaded.

        It had been counted before, so the match now has no hand of its number any more.
        """
        if not self.shows_past_hand:
            return False
        hands_of_match = load_match(self.match).hands
        return number > len(hands_of_match)

    def read_to_save(self, rules: Ruleset) -> TypedHand | None:
        """Read the typed hand (round) in order to save it.

        None if something is unreadable or missing. An error is added only to the field for the
        reason of a correction, if the text there is too long. The errors of all other fields are
        found again when the page is shown.
        """
        reason = self.reason.data or ""
        if len(reason) > LONGEST_REMARK:
            # It says: "This text is too long: {limit} characters at most. Shorten it."
            add_error(self.reason, t("hand.error.long", limit=LONGEST_REMARK))
            return None
        typed = read_draft(self.draft, rules, language())
        if typed.problems:
            return None
        return typed


def _toggle_opening_meld(draft: Draft, button: OpeningButton) -> Draft:
    """Add a meld to the opening of its side, or remove it if it stands there already.

    A meld is a group of cards laid on the table, and the opening is what a side laid first. Returns
    a changed copy of the typed texts, in which each line of a field is a meld. With the opening
    `4xQ`, the button of the meld `3xK` gives the opening `4xQ` and `3xK`; pressed again, it gives
    `4xQ`.
    """
    melds = meld_lines(draft.get(field_key(button.side, "melds"), ""))
    if button.meld_index >= len(melds):  # our pages have no such button
        return draft
    pressed_meld = without_concealed_mark(melds[button.meld_index])

    opening_key = field_key(button.side, "opening")
    opening = _toggle_line(meld_lines(draft.get(opening_key, "")), pressed_meld)
    return {**draft, opening_key: "\n".join(opening)}


def _toggle_line(lines: Sequence[str], line: str) -> list[str]:
    """Remove a line from these lines if it is there, or else add it at the end.

    - `["4xQ"]` and `3xK` → `["4xQ", "3xK"]`
    - `["4xQ", "3xK"]` and `3xK` → `["4xQ"]`
    """
    if line in lines:
        return [other for other in lines if other != line]
    return [*lines, line]
