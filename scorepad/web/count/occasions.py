"""Which hand is being counted: the open one, or a past one again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.projection import HandState, MatchState, OpenHand
from scorepad.rules.variants import Ruleset
from scorepad.web.count import names
from scorepad.web.count.prefill import draft_from


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who plays the hand: the index of the hand of cards in its side, and the name (empty if none)."""

    hand: int
    name: str


@dataclass(frozen=True, slots=True)
class Side:
    """A side before the hand, by its position."""

    position: int
    name: str
    before: int
    minimum: int | None
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Occasion:
    """A hand to be counted in a match. `past` is the hand that is corrected, None for the open one.

    `contests`: it is not corrected but counted by the other side, beside the first count.
    """

    state: MatchState
    number: int
    sides: tuple[Side, ...]
    open_hand: OpenHand | None = None
    past: HandState | None = None
    contests: bool = False

    @property
    def told_number(self) -> int:
        """The number of the hand as it is told: those played on paper before come first."""
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
        """The entry of the version that is corrected; 0 for the open hand."""
        return self.past.versions[-1].entry if self.past else 0

    @property
    def draft(self) -> Mapping[str, str]:
        """The fields as they were left; those of the version that counts for a past hand."""
        if self.past:
            return draft_of_hand(self.past, self.rules)
        assert self.open_hand is not None
        return self.open_hand.draft or as_last_time(self.state)

    @property
    def start(self) -> Mapping[str, str]:
        """The fields with which the page begins: who contests a hand counts for themselves, from nothing."""
        return {} if self.contests else self.draft


def open_occasion(state: MatchState, open_hand: OpenHand) -> Occasion:
    """The hand being counted."""
    resting = state.next_turn.resting
    sides = tuple(
        Side(position, side.name, side.total, side.minimum, _players(position, side.players, resting))
        for position, side in enumerate(state.sides)
    )
    return Occasion(state, open_hand.number, sides, open_hand=open_hand)


def past_occasion(state: MatchState, hand: HandState, *, contests: bool = False) -> Occasion:
    """A hand to be counted again, or by the other side too."""
    resting = hand.turn.resting
    sides = tuple(
        Side(position, side.name, then.before, then.minimum, _players(position, side.players, resting))
        for position, (side, then) in enumerate(zip(state.sides, hand.sides, strict=True))
    )
    return Occasion(state, hand.number, sides, past=hand, contests=contests)


def draft_of_hand(hand: HandState, rules: Ruleset) -> dict[str, str]:
    """The fields that say a counted hand as it stands, with what was said beside its figures."""
    last = hand.versions[-1]
    said = {names.REMARK: hand.remark, names.AGREED: last.agreed}
    return draft_from(last.hand, rules, last.draft) | {field: text for field, text in said.items() if text}


def _players(position: int, players: tuple[str, ...], resting: tuple[tuple[int, int], ...]) -> tuple[Player, ...]:
    playing = [name for index, name in enumerate(players) if (position, index) not in resting]
    return tuple(Player(hand, name) for hand, name in enumerate(playing))


def as_last_time(state: MatchState) -> dict[str, str]:
    """Each side counted the way it was in the hand before; nothing else."""
    if not state.hands:
        return {}
    last = draft_of_hand(state.hands[-1], state.rules)
    ways = (names.way(key) for key in SIDE_KEYS[: len(state.sides)])
    return {way: last[way] for way in ways if last.get(way) in (names.BY_CARDS, names.BY_VALUES)}
