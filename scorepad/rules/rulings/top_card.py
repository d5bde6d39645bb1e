"""How the top card of the pile can be used with the melds of a question.

One of the melds laid holds the top card. Where the table has a meld of the card's rank that takes more, cards of that
rank are the hand's only and join it. With none of them the top card alone is laid off on a meld of the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorepad.rules.cards import Reading
from scorepad.rules.entries import SideEntry
from scorepad.rules.rulings.asked import PileAsked
from scorepad.rules.rulings.casing import MELD_CHECKS, broken, laid_down, lay_case, together
from scorepad.rules.rulings.reading import kind_of
from scorepad.rules.variants import Ruleset


@dataclass(frozen=True, slots=True)
class Use:
    """A way to use the top card.

    `meld` is the meld as it then lies, `onto` what of it lay on the table before, `others` the other melds of the
    table, `number` the place of the meld among those laid (None: the top card alone is laid off). `naturals` and `size`
    are the cards of the hand in it, those of the top card's rank and all.
    """

    meld: Reading
    onto: Reading | None
    others: tuple[Reading, ...]
    number: int | None
    naturals: int = 0
    size: int = 0


def uses_of(rules: Ruleset, asked: PileAsked) -> tuple[Use, ...]:
    """Every way to use a natural top card with the melds laid; none where nothing can hold it."""
    return tuple(_with_hand(rules, asked)) or tuple(_laid_off(rules, asked))


def _with_hand(rules: Ruleset, asked: PileAsked) -> Iterator[Use]:
    top, rank = asked.top, kind_of(asked.top)
    of_rank = [number for number, meld in enumerate(asked.table) if _is_of_rank(meld, asked)]
    open_ones = [number for number in of_rank if rules.settings.may_grow(asked.table[number].cards.size)]
    for number, meld in enumerate(asked.laid):
        naturals, size = meld.cards.of(rank), meld.cards.size
        if not naturals:
            continue
        if of_rank and not _is_of_rank(meld, asked):
            # A sequence with a card of the rank: the top card goes to the rank's own meld.
            continue
        for place in open_ones:
            onto, others = asked.table[place], (*asked.table[:place], *asked.table[place + 1 :])
            yield Use(together(onto, top, meld), onto, others, number, naturals, size)
        if of_rank and not open_ones:
            yield Use(together(top, meld), None, asked.table, number, naturals, size)
        if not of_rank:
            yield Use(meld, None, asked.table, number, naturals - 1, size - 1)


def _is_of_rank(meld: Reading, asked: PileAsked) -> bool:
    """Whether a meld is of the top card's rank and no other."""
    return meld.cards.ranks == asked.top.cards.ranks


def _laid_off(rules: Ruleset, asked: PileAsked) -> Iterator[Use]:
    """The top card alone on each meld of the table that it fits."""
    for place, onto in enumerate(asked.table):
        meld = together(onto, asked.top)
        if is_legal(rules, meld):
            yield Use(meld, onto, (*asked.table[:place], *asked.table[place + 1 :]), None)


def is_legal(rules: Ruleset, meld: Reading) -> bool:
    """Whether cards are a meld."""
    return not broken(lay_case(rules, SideEntry(melds=laid_down(meld))), MELD_CHECKS)
