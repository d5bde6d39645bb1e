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
from scorepad.web.hand_entry.hand_page import MatchHand, match_open_hand, match_past_hand
from scorepad.web.hand_fields import draft_from_form, field_key
from scorepad.web.typed_hand import TypedHand, read_draft

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
        """The texts of the hand's fields as sent, by key; if the button pressed is one that changes
        an opening, with this change.
        """
        draft = draft_from_form(request.form)
        pressed = _OPENING.fullmatch(self.do.data or "")
        if pressed is None:
            return draft
        changed = _toggle_opening_meld(draft, side=pressed[1], meld_index=int(pressed[2]))
        return draft_from_form(changed)

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

    def is_undone(self, number: int) -> bool:
        """Whether the past hand that the page shows no longer exists, because it was undone."""
        shows_past_hand = self.number_of("seen") > 0
        return shows_past_hand and number > len(load_match(self.match).hands)

    def read_to_save(self, rules: Ruleset) -> TypedHand | None:
        """Read the hand to be saved; None if something of it is unreadable or missing.

        A reason that is too long gets an error here; the other problems are shown by the page.
        """
        if len(self.reason.data or "") > LONGEST_REMARK:
            add_error(self.reason, t("hand.error.long", limit=LONGEST_REMARK))
            return None
        typed = read_draft(self.draft, rules, language())
        return None if typed.problems else typed


def _toggle_opening_meld(draft: Draft, *, side: str, meld_index: int) -> Draft:
    """A copy of the draft in which one of the side's melds, by its index, is added to the melds of
    its opening, or removed from them if it is already there.

    The opening is what a side laid first in the hand.
    """
    melds = meld_lines(draft.get(field_key(side, "melds"), ""))
    if meld_index >= len(melds):
        return draft
    meld = melds[meld_index].rstrip(HIDDEN).strip()
    opening_key = field_key(side, "opening")
    opening = list(meld_lines(draft.get(opening_key, "")))
    if meld in opening:
        opening = [line for line in opening if line != meld]
    else:
        opening.append(meld)
    return {**draft, opening_key: "\n".join(opening)}
