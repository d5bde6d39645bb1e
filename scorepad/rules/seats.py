"""Who sits where, who deals, who begins, who sits a hand out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from scorepad.rules.settings import Settings

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


def turns(settings: Settings, first_dealer: Seat, hands: int) -> tuple[Turn, ...]:
    """The first `hands` hands of a match: the deal passes clockwise from chair to chair.

    Raises ValueError if nobody sits in the first dealer's seat.
    """
    chair = seating(settings, _resting(settings, 0, first_dealer)).index(first_dealer)
    return tuple(_turn(settings, first_dealer, chair + number, number) for number in range(hands))


def _turn(settings: Settings, first_dealer: Seat, chair: int, number: int) -> Turn:
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


def turn_of(settings: Settings, first_dealer: Seat, number: int) -> Turn:
    """One hand of a match, by its number from 0. Raises ValueError as `turns`."""
    chair = seating(settings, _resting(settings, 0, first_dealer)).index(first_dealer)
    return _turn(settings, first_dealer, chair + number, number)
