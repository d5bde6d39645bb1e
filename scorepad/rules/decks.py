"""How many of each card the decks hold."""

from __future__ import annotations

from functools import cache

from scorepad.rules.cards import KINDS, Kind

_IN_A_DECK = {Kind.JOKER: 2, Kind.BLACK_THREE: 2, Kind.RED_THREE: 2}
_OF_A_RANK = 4


@cache
def in_decks(decks: int) -> tuple[int, ...]:
    """How many of each kind of card so many decks hold, in the order of `KINDS`."""
    return tuple(decks * _IN_A_DECK.get(kind, _OF_A_RANK) for kind in KINDS)
