"""The form of a hand: its fields as sent, which hand it is, and what the page had shown."""

from __future__ import annotations

import re
from functools import cached_property

from flask import abort, request
from wtforms import HiddenField, StringField

from scorepad.matches.access import MatchId
from scorepad.matches.hands import Draft, open_hand
from scorepad.rules.definitions import Ruleset
from scorepad.web.base import language, load_match, t
from scorepad.web.field_texts import HIDDEN, meld_lines
from scorepad.web.forms import LONGEST_REMARK, PadForm, add_error
from scorepad.web.hand_entry.hand_page import MatchHand, match_hand
from scorepad.web.hand_fields import draft_of, key
from scorepad.web.hand_reading import TypedHand, read_draft

SAVE = "save"
_OPENING = re.compile(r"opening\.([abc])\.([0-9]{1,2})")
"""The button that adds a meld, by its index, to the opening, or removes it."""
_TAKE_BACK = re.compile(r"noted\.([0-9]{1,9})")
"""The button that takes a noted penalty back, by its entry of the log."""
_ENTRIES = re.compile(r"[0-9]{1,9}")


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
        """The fields as sent, with the changes of the pressed button."""
        draft = draft_of(request.form)
        pressed = _OPENING.fullmatch(self.do.data or "")
        if pressed is None:
            return draft
        side, meld_index = pressed.groups()
        return draft_of(_with_opening_toggled(draft, side, int(meld_index)))

    @property
    def is_to_be_saved(self) -> bool:
        """Whether the button that saves the hand was pressed."""
        return bool(self.do.data == SAVE)

    @property
    def opening_side(self) -> str | None:
        """The key of the side whose opening was changed by a button; None for another button."""
        pressed = _OPENING.fullmatch(self.do.data or "")
        return pressed[1] if pressed else None

    @property
    def entry_taken_back(self) -> int | None:
        """The entry of the noted penalty that was taken back by a button; None for another button."""
        pressed = _TAKE_BACK.fullmatch(self.do.data or "")
        return int(pressed[1]) if pressed else None

    @property
    def shown_penalties(self) -> list[int]:
        """The entries of the noted penalties that the page showed."""
        return [int(text) for text in _ENTRIES.findall(self.noted.data or "")]

    def number_of(self, name: str) -> int:
        """A number sent by the page; -1, which matches nothing, if invalid."""
        text = self[name].data or ""
        return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else -1

    def open_hand(self) -> MatchHand:
        """The open hand. Raises MatchOver."""
        state = load_match(self.match)
        return match_hand(state, open_hand(state))

    def past_hand(self, number: int, *, contests: bool = False) -> MatchHand:
        """A past hand; 404 if there is none."""
        state = load_match(self.match)
        if not 1 <= number <= len(state.hands):
            abort(404)
        return match_hand(state, past=state.hands[number - 1], contests=contests)

    def is_undone(self, number: int) -> bool:
        """Whether the past hand shown on the page no longer exists."""
        return number > len(load_match(self.match).hands) and self.number_of("seen") > 0

    def read_to_save(self, rules: Ruleset) -> TypedHand | None:
        """The hand to be saved; None if something of it is unreadable or missing."""
        if len(self.reason.data or "") > LONGEST_REMARK:
            add_error(self.reason, t("hand.error.long", limit=LONGEST_REMARK))
            return None
        typed = read_draft(self.draft, rules, language())
        return None if typed.problems else typed


def _with_opening_toggled(draft: Draft, side: str, meld_index: int) -> Draft:
    """The draft with a meld of the side added to its opening, or removed from it."""
    melds = meld_lines(draft.get(key(side, "melds"), ""))
    if meld_index >= len(melds):
        return draft
    cards = melds[meld_index].rstrip(HIDDEN).strip()
    opening = list(meld_lines(draft.get(key(side, "opening"), "")))
    if cards in opening:
        opening = [line for line in opening if line != cards]
    else:
        opening.append(cards)
    return {**draft, key(side, "opening"): "\n".join(opening)}
