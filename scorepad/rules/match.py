"""The match: where it stands after a hand and who has won; who deals, who begins, who sits a hand out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from scorepad.rules.settings import Settings


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands: its target in points, whether it is over, and the side that won (its position).

    `target` is None where a number of hands ends the match; then the highest may be equal and nobody wins.
    """

    target: int | None
    finished: bool
    winner: int | None


def standing(totals: tuple[int, ...], settings: Settings, hands: int, *, time_is_up: bool = False) -> Standing:
    """Where a match stands after so many hands.

    It is over once a side reaches the target, unless the highest are equal, or after its last hand: the one in which
    its time was up, or the last of its number of hands.
    """
    highest = max(totals)
    winners = [position for position, total in enumerate(totals) if total == highest]
    winner = winners[0] if len(winners) == 1 else None
    if time_is_up or (settings.match_deals is not None and hands >= settings.match_deals):
        return Standing(settings.target, finished=True, winner=winner)
    if settings.target is None or highest < settings.target or winner is None:
        return Standing(settings.target, finished=False, winner=None)
    return Standing(settings.target, finished=True, winner=winner)


Seat = tuple[int, int]
"""A player: position of the side, index in the side."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The table in one hand: who deals, who cuts (on the dealer's right), who plays first (on the dealer's left)."""

    dealer: Seat
    cuts: Seat
    first: Seat
    resting: tuple[Seat, ...]


def seating(settings: Settings, resting: tuple[Seat, ...] = ()) -> tuple[Seat, ...]:
    """The players clockwise, the sides alternating; whoever rests leaves the chair to the next of the side."""
    sides = [
        [(side, player) for player in range(players) if (side, player) not in resting]
        for side, players in enumerate(settings.sides)
    ]
    return tuple(seat for round_ in zip_longest(*sides) for seat in round_ if seat is not None)


def turn_of(settings: Settings, first_dealer: Seat, number: int) -> Turn:
    """One hand of a match, by its number from 0: the deal passes clockwise from chair to chair.

    Raises ValueError if nobody sits in the first dealer's seat.
    """
    chair = seating(settings, _resting(settings, 0, first_dealer)).index(first_dealer) + number
    resting = _resting(settings, number, first_dealer)
    playing = seating(settings, resting)
    left, right = playing[(chair + 1) % len(playing)], playing[(chair - 1) % len(playing)]
    return Turn(playing[chair % len(playing)], right, left, resting)


def _resting(settings: Settings, number: int, first_dealer: Seat) -> tuple[Seat, ...]:
    """Who sits out: in turn through the side, from its last player on, so that the first dealer plays."""
    out = []
    for side, (players, rest) in enumerate(zip(settings.sides, settings.resting, strict=True)):
        start = first_dealer[1] - 1 if first_dealer[0] == side else players - 1
        out += [(side, (start - number - turn) % players) for turn in range(rest)]
    return tuple(out)
