"""Matches, sides and seats as people name them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from scorepad.i18n import Words
from scorepad.matches.projection import MatchState, SideState
from scorepad.rules.match import Seat


def versus(names: Sequence[str], words: Words) -> str:
    """Who plays: `Noi contro Loro`; `Anna, Bea e Carlo`."""
    if len(names) == 2:  # noqa: PLR2004 - two sides
        return words.text("web.versus", one=names[0], other=names[1])
    return words.listing(names)


def player(seat: Seat, sides: Sequence[SideState], words: Words) -> str:
    """A player at the table: by name and side where there is a name, else by the place in the side."""
    return _seated(seat, sides, sides[seat[0]].players[seat[1]], words)


def player_then(seat: Seat, number: int, state: MatchState, words: Words) -> str:
    """The player who sat there in a hand of the pad, told likewise."""
    return _seated(seat, state.sides, state.sat(seat, number), words)


def _seated(seat: Seat, sides: Sequence[SideState], name: str, words: Words) -> str:
    side, index = sides[seat[0]], seat[1]
    if len(side.players) == 1:
        return side.name
    if name:
        return words.text("web.seat.named", player=name, side=side.name)
    return words.text("web.seat.unnamed", side=side.name, place=index + 1)


def moment(when: datetime, words: Words) -> str:
    """A day and time where the server stands."""
    local = when.astimezone()
    return words.text("web.moment", day=words.day(local), clock=words.clock(local))
