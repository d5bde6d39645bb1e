"""Checks of what the decks hold, over all sides together."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.cards import KINDS, RED_THREE, Cards
from scorepad.rules.checks.registry import Excess, Trouble, all_sides, check
from scorepad.rules.decks import in_decks
from scorepad.rules.table import Table, held


@check("deck-exceeded", agreeable=False)
def deck_exceeded(table: Table) -> Iterator[Trouble]:
    """More of a card, over everybody's melds and hands and the last discard, than the decks hold."""
    decks = table.settings.decks
    excess = tuple(_excess(table.named, decks))
    if excess:
        yield Trouble(("sides",), {"sides": all_sides(table.hand), "excess": excess})


def _excess(cards: Cards, decks: int) -> Iterator[Excess]:
    for index, (count, limit) in enumerate(zip(cards.counts, in_decks(decks), strict=True)):
        if count > limit and index != RED_THREE:
            yield Excess(KINDS[index], "", count, limit)
    for index, suit, count in cards.suited:
        if count > decks and index != RED_THREE:
            yield Excess(KINDS[index], suit, count, decks)


@check("red-threes-exceeded", agreeable=False)
def red_threes_exceeded(table: Table) -> Iterator[Trouble]:
    """More red threes, exposed and held, over all sides, than the decks hold."""
    count = sum(
        entry.red_threes + entry.red_threes_held + sum(hand.cards.counts[RED_THREE] for hand in held(entry))
        for entry in table.hand.sides
    )
    limit = in_decks(table.settings.decks)[RED_THREE]
    if count > limit:
        yield Trouble(("sides",), {"sides": all_sides(table.hand), "threes": count, "limit": limit})
