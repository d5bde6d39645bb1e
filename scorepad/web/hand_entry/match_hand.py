"""The hand of a match that is entered: the open one, or a past one corrected or contested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.projection import HandState, MatchState
from scorepad.rules.variants import Ruleset
from scorepad.storage.rows import OpenHand
from scorepad.web.cards import Choice
from scorepad.web.hand_entry.prefill import draft_from
from scorepad.web.hand_entry.problems import Note
from scorepad.web.hand_fields import AGREED, REMARK


@dataclass(frozen=True, slots=True)
class Side:
    """A side before the hand, by its position; `players` are (index of the hand of cards, name) of who plays it."""

    position: int
    name: str
    before: int
    minimum: int | None
    players: tuple[tuple[int, str], ...]

    @property
    def key(self) -> str:
        """Its key in drafts and in the hand."""
        return SIDE_KEYS[self.position]


@dataclass(frozen=True, slots=True)
class MatchHand:
    """A hand of a match that is entered: the open one, or a `past` one corrected.

    `contests`: the past one is not corrected but counted by the other side, beside the first count.
    """

    state: MatchState
    number: int
    sides: tuple[Side, ...]
    open_hand: OpenHand | None = None
    past: HandState | None = None
    contests: bool = False

    @property
    def shown_number(self) -> int:
        """The number of the hand for people: those played on paper before are counted too."""
        return self.state.played + self.number

    @property
    def rules(self) -> Ruleset:
        """The rules of the match."""
        return self.state.rules

    @property
    def names(self) -> tuple[str, ...]:
        """The sides' names, by position."""
        return tuple(side.name for side in self.sides)

    @property
    def seen_entry(self) -> int:
        """The log entry of the version that is corrected; 0 for the open hand."""
        return self.past.versions[-1].sequence if self.past else 0

    @property
    def draft(self) -> Mapping[str, str]:
        """The fields as they were left; of a past hand those of the version that counts."""
        if self.past:
            return past_draft(self.past, self.rules)
        return self.open_hand.draft if self.open_hand else {}

    @property
    def start(self) -> Mapping[str, str]:
        """The fields that the page begins with: who contests a hand counts for themselves, from nothing."""
        return {} if self.contests else self.draft


def open_match_hand(state: MatchState, open_hand: OpenHand) -> MatchHand:
    """The hand being played."""
    resting = state.next_turn.resting
    sides = tuple(
        Side(position, side.name, side.total, side.minimum, _playing(position, side.players, resting))
        for position, side in enumerate(state.sides)
    )
    return MatchHand(state, len(state.hands) + 1, sides, open_hand=open_hand)


def past_match_hand(state: MatchState, hand: HandState, *, contests: bool = False) -> MatchHand:
    """A past hand to be corrected, or contested."""
    resting = hand.turn.resting
    sides = tuple(
        Side(
            position, side.name, then.total - then.hand, then.opening_minimum, _playing(position, side.players, resting)
        )
        for position, (side, then) in enumerate(zip(state.sides, hand.sides, strict=True))
    )
    return MatchHand(state, hand.number, sides, past=hand, contests=contests)


def past_draft(hand: HandState, rules: Ruleset) -> dict[str, str]:
    """The fields that say a past hand as it stands, with its note and agreement."""
    last = hand.counted
    notes = {REMARK: hand.remark, AGREED: last.agreed}
    return draft_from(last.hand, rules, last.draft) | {name: text for name, text in notes.items() if text}


def _playing(
    position: int, players: tuple[str, ...], resting: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, str], ...]:
    return tuple(enumerate(name for index, name in enumerate(players) if (position, index) not in resting))


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the whole hand with its answers, by column; those of no column stand under `others`."""

    columns: tuple[tuple[Choice, ...], ...]
    others: tuple[Choice, ...]
    notes: tuple[Note, ...]
