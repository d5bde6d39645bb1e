"""The cards that one side can have laid: the decks, less every card named elsewhere in the hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from .cards import BLACK, JOKER, NATURALS, SUITS, TWO, Card, in_decks

Counts = tuple[int, ...]
"""One number for each natural rank, ace first."""


@dataclass(frozen=True, slots=True)
class Stock:
    """Cards at hand: naturals by rank, the most of each suited card (suit by suit), wilds, black
    threes.
    """

    ranks: Counts
    suited: tuple[Counts, ...]
    jokers: int
    twos: int
    blacks: int


def remaining(decks: int, named: Iterable[Card]) -> Stock:
    """What the decks still hold once these cards are out; a card named without its suit may be of
    any.
    """
    named = list(named)
    gone, suited_gone = (
        Counter(card.rank for card in named),
        Counter(card for card in named if card.suit),
    )
    ranks = tuple(max(0, in_decks(rank, decks) - gone[rank]) for rank in NATURALS)
    suited = tuple(
        tuple(
            max(0, min(decks - suited_gone[Card(rank, suit)], ranks[i]))
            for i, rank in enumerate(NATURALS)
        )
        for suit in SUITS
    )
    special = (max(0, in_decks(rank, decks) - gone[rank]) for rank in (JOKER, TWO, BLACK))
    return Stock(ranks, suited, *special)
