"""The melds that cards could make, legal or not: what the best play of a hand, and the points that
a count may have, are searched among.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

from scorepad.rules.cards import (
    BLACK_THREE,
    END_NATURAL,
    FIRST_NATURAL,
    JOKER,
    NATURAL_INDICES,
    NO_CARDS,
    TWO,
    Cards,
    Suit,
    build_cards,
    gather,
)
from scorepad.rules.settings import Sequences
from scorepad.rules.table import Meld, read_meld


class PossibleMeld(NamedTuple):
    """A meld that cards could make, alone or with those of a meld on the table.

    `added` are its cards except `wilds`, the number of wild cards, of either kind, beside natural
    ones. `meld` is the resulting meld, with twos as those wild cards.
    """

    added: Cards
    wilds: int
    meld: Meld


RANKS = (*NATURAL_INDICES, BLACK_THREE)
"""The kinds of card of which melds of one rank are made, as indices of `cards.KINDS`."""


def find_possible_melds(
    wild_limit: int, sequences: Sequences, held: Cards, table_meld: Cards = NO_CARDS
) -> Iterator[PossibleMeld]:
    """The melds that cards could make under this limit of wild cards, legal or not.

    `table_meld`: the cards of the meld on the table to which they are added.
    """
    if len(table_meld.ranks) > 1:
        suits = [suit for index, suit, _ in table_meld.suited if index in NATURAL_INDICES]
        yield from _sequences(wild_limit, sequences, held, suits[0], table_meld)
        return
    # Cards of any rank may be added to a meld of wild cards alone.
    ranks = read_meld(table_meld).ranks
    yield from _of_one_rank(wild_limit, held, table_meld, ranks)
    if not ranks:
        yield from _of_wild_cards(held, table_meld)
    if not table_meld.size and sequences != "none":
        for suit in Suit:
            yield from _sequences(wild_limit, sequences, held, suit.value, table_meld)


def _of_one_rank(
    wild_limit: int, held: Cards, table_meld: Cards, ranks: tuple[int, ...]
) -> Iterator[PossibleMeld]:
    """Cards of a rank with wild cards; `ranks` are those of the meld on the table."""
    fewest_naturals = 0 if ranks else 1
    for rank in ranks or RANKS:
        for naturals in range(fewest_naturals, held.counts[rank] + 1):
            for wilds in range(min(held.wilds, wild_limit) + 1):
                if naturals + wilds:
                    yield _possible({rank: naturals}, wilds, table_meld)


def _of_wild_cards(held: Cards, table_meld: Cards) -> Iterator[PossibleMeld]:
    for jokers, twos in product(range(held.counts[JOKER] + 1), range(held.counts[TWO] + 1)):
        if jokers + twos:
            yield _possible({JOKER: jokers, TWO: twos}, 0, table_meld)


def _sequences(
    wild_limit: int, sequences: Sequences, held: Cards, suit: str, table_meld: Cards
) -> Iterator[PossibleMeld]:
    """Runs of a suit including the meld's cards; wild cards replace cards that are missing or stay
    in the hand.
    """
    ranks_on_table = set(table_meld.ranks)
    wilds_on_table = table_meld.wilds
    most_wilds = 0
    if sequences == "dirty":
        most_wilds = min(wild_limit, wilds_on_table + held.wilds)
    ranks_in_hand = _ranks_of_suit(held, suit) - ranks_on_table
    known: set[tuple[tuple[int, ...], int]] = set()
    for run in _runs_with(ranks_on_table):
        could_add = [rank for rank in run if rank in ranks_in_hand]
        missing = len(run) - len(could_add) - len(ranks_on_table)
        for wilds in range(max(missing, wilds_on_table), most_wilds + 1):
            # Wild cards beyond those missing replace cards that stay in the hand.
            for kept in combinations(could_add, wilds - missing):
                added = tuple(rank for rank in could_add if rank not in kept)
                adds_cards = len(added) + wilds > wilds_on_table
                if (added, wilds) not in known and adds_cards:
                    known.add((added, wilds))
                    naturals = dict.fromkeys(added, 1)
                    yield _possible(naturals, wilds - wilds_on_table, table_meld, suit)


def _runs_with(ranks: set[int]) -> Iterator[range]:
    """The runs of consecutive ranks that include these."""
    for first, end in combinations(range(FIRST_NATURAL, END_NATURAL + 1), 2):
        run = range(first, end)
        if ranks.issubset(run):
            yield run


def _ranks_of_suit(held: Cards, suit: str) -> set[int]:
    ranks: set[int] = set()
    for index, of_suit, _ in held.suited:
        if of_suit == suit and index in NATURAL_INDICES:
            ranks.add(index)
    return ranks


def _possible(
    counts: dict[int, int], wilds: int, table_meld: Cards, suit: str = ""
) -> PossibleMeld:
    """The meld of these cards (by kind) with other wild cards and the meld on the table."""
    suited: tuple[tuple[int, str, int], ...] = ()
    if suit:
        suited = tuple((index, suit, count) for index, count in sorted(counts.items()))
    added = build_cards(counts, suited)
    whole = build_cards({**counts, TWO: counts.get(TWO, 0) + wilds}, suited)
    if table_meld.size:
        whole = gather((table_meld, whole))
    return PossibleMeld(added, wilds, read_meld(whole))
