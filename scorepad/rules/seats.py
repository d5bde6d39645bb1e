"""Who sits where, who deals, who begins, who sits a hand out."""

from __future__ import annotations

from dataclasses import dataclass

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


def seating(settings: Settings) -> tuple[Seat, ...]:
    """The seats clockwise, the sides alternating as long as they have players."""
    rounds = range(max(settings.sides))
    return tuple((side, player) for player in rounds for side, players in enumerate(settings.sides) if player < players)


def turns(settings: Settings, first_dealer: Seat, hands: int) -> tuple[Turn, ...]:
    """The first `hands` hands of a match: the deal passes clockwise, over whoever sits the hand out.

    Raises ValueError if nobody sits in the first dealer's seat.
    """
    seats = seating(settings)
    dealing = seats.index(first_dealer)
    found = []
    for number in range(hands):
        resting = _resting(settings, number, first_dealer)
        playing = [seat for seat in seats if seat not in resting]
        while seats[dealing] in resting:
            dealing = (dealing + 1) % len(seats)
        place = playing.index(seats[dealing])
        found.append(Turn(playing[place], playing[place - 1], playing[(place + 1) % len(playing)], resting))
        dealing = (dealing + 1) % len(seats)
    return tuple(found)


def _resting(settings: Settings, number: int, first_dealer: Seat) -> tuple[Seat, ...]:
    """Who sits out: in turn through the side, from its last player on, so that the first dealer plays."""
    out = []
    for side, (players, rest) in enumerate(zip(settings.sides, settings.resting, strict=True)):
        start = first_dealer[1] - 1 if first_dealer[0] == side else players - 1
        out += [(side, (start - number - turn) % players) for turn in range(rest)]
    return tuple(out)
