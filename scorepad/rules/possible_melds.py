"""The melds that cards could make, legal or not: what the best play of a hand, and the points that
a count may have, are searched among.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
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
    SuitedCards,
    build_cards,
    gather,
)
from scorepad.rules.settings import Settings
from scorepad.rules.table import Meld, read_meld


class PossibleMeld(NamedTuple):
    """A meld that cards could make, alone or with those of a meld on the table."""

    fixed_cards: Cards
    """The cards that it takes from the hand in any case."""
    places_for_wilds: int
    """How many more cards it takes from the hand, each of them either a joker or a two."""
    meld: Meld
    """The resulting meld, with a two in each of these places."""


RANKS = (*NATURAL_INDICES, BLACK_THREE)
"""The kinds of card of which melds of one rank are made, as indices of `cards.KINDS`."""


def find_possible_melds(
    settings: Settings, held: Cards, table_meld: Cards = NO_CARDS
) -> Iterator[PossibleMeld]:
    """Find the melds that a player can lay with cards of the hand (`held`).

    A meld is a group of cards laid on the table: cards of one rank (`K K 2`), a sequence of one
    suit (`9h 8h 7h`), or wild cards alone. The player lays a new meld, or adds cards to the one on
    the table (`table_meld`). The melds found keep the limit of wild cards, but may be illegal for
    other reasons, such as having too few cards: the caller checks that.
    """
    is_sequence_on_table = len(table_meld.ranks) > 1  # cards of different ranks, such as 9 8 7
    if is_sequence_on_table:
        suit = _read_suit_of_sequence(table_meld)
        yield from _find_possible_sequences(settings, held, suit, table_meld)
        return

    # Nothing is on the table, or a group of one rank, or wild cards (jokers and twos) alone.
    yield from _find_possible_groups(settings, held, table_meld)
    has_natural_cards = len(read_meld(table_meld).ranks) > 0
    if not has_natural_cards:
        yield from _find_possible_melds_of_wilds(held, table_meld)
    is_new = table_meld.size == 0
    if is_new and settings.sequences != "none":
        for each_suit in Suit:
            yield from _find_possible_sequences(settings, held, each_suit.value, table_meld)


def _read_suit_of_sequence(sequence: Cards) -> str:
    """Return the suit of a sequence: `9h 8h JK` → `h`. Its wild cards may be of any suit."""
    suits = [cards.suit for cards in sequence.suited if cards.kind in NATURAL_INDICES]
    return suits[0]


def _find_possible_groups(
    settings: Settings, held: Cards, table_meld: Cards
) -> Iterator[PossibleMeld]:
    """Find the groups of one rank that a player can make with cards of the hand (`held`).

    Wild cards (jokers and twos) may be among them. The cards are a new group, or are added to the
    one on the table (`table_meld`). With two kings and a two in the hand, the new groups are `K`,
    `K 2`, `K K` and `K K 2`.
    """
    ranks_on_table = read_meld(table_meld).ranks
    if ranks_on_table:
        rank = ranks_on_table[0]  # a group has only one rank
        yield from _find_groups_of_rank(settings, held, rank, table_meld, fewest_naturals=0)
        return
    for rank in RANKS:
        yield from _find_groups_of_rank(settings, held, rank, table_meld, fewest_naturals=1)


def _find_groups_of_rank(
    settings: Settings, held: Cards, rank: int, table_meld: Cards, *, fewest_naturals: int
) -> Iterator[PossibleMeld]:
    """Find the groups of this rank that a player can make with cards of the hand (`held`).

    They take at least `fewest_naturals` cards of the rank from the hand, and any number of the wild
    cards there (jokers and twos), as far as the game has no limit.
    """
    most_wilds = min(held.wilds, settings.wild_limit)
    for naturals in range(fewest_naturals, held.counts[rank] + 1):
        for wilds in range(most_wilds + 1):
            if naturals + wilds > 0:
                cards = build_cards({rank: naturals})
                yield _add_to_table(table_meld, cards, places_for_wilds=wilds)


def _find_possible_melds_of_wilds(held: Cards, table_meld: Cards) -> Iterator[PossibleMeld]:
    """Find the melds of wild cards (jokers and twos) alone that a player can make.

    The cards of the hand (`held`) are a new meld, or are added to the one on the table. Two jokers
    in the hand, and nothing on the table → `JK` and `JK JK`.
    """
    for jokers in range(held.counts[JOKER] + 1):
        for twos in range(held.counts[TWO] + 1):
            if jokers + twos > 0:
                cards = build_cards({JOKER: jokers, TWO: twos})
                yield _add_to_table(table_meld, cards, places_for_wilds=0)


def _find_possible_sequences(
    settings: Settings, held: Cards, suit: str, table_meld: Cards
) -> Iterator[PossibleMeld]:
    """Find the sequences of a suit that a player can make with cards of the hand (`held`).

    A sequence is a run of consecutive cards, such as 9 8 7 of hearts. It is a new one (then
    `table_meld` is empty), or cards are added to the sequence on the table. A wild card (joker or
    two) may stand for any card. With `6h` in the hand and `9h 8h 7h` on the table there is one
    sequence: 9 8 7 6.
    """
    ranks_in_hand = _find_ranks_of_suit(held, suit)
    most_wilds = _most_wilds_to_add_to_sequence(settings, held, table_meld)
    # The same cards may make several runs: 9, 8 and a joker make 10 9 8 and 9 8 7.
    already_found: set[_CardsOfSequence] = set()
    for run in _list_runs_with(table_meld.ranks):
        for way in _find_ways_to_make_run(run, ranks_in_hand, table_meld, most_wilds=most_wilds):
            if way in already_found:
                continue
            already_found.add(way)
            cards = _build_cards_of_suit(way.ranks, suit)
            yield _add_to_table(table_meld, cards, places_for_wilds=way.wilds)


def _most_wilds_to_add_to_sequence(settings: Settings, held: Cards, table_meld: Cards) -> int:
    """Return how many wild cards (jokers and twos) of the hand a sequence can take at most.

    In some games sequences may not hold wild cards.
    """
    most_in_sequence = settings.wild_limit if settings.sequences == "dirty" else 0
    return min(held.wilds, most_in_sequence - table_meld.wilds)


class _CardsOfSequence(NamedTuple):
    """Cards of the hand that make a sequence, alone or with those on the table."""

    ranks: tuple[int, ...]
    """The ranks of the natural cards."""
    wilds: int
    """The number of jokers and twos."""


def _find_ways_to_make_run(
    run: range, ranks_in_hand: set[int], table_meld: Cards, *, most_wilds: int
) -> Iterator[_CardsOfSequence]:
    """Find the cards of the hand that make exactly this run of ranks with the cards on the table.

    A wild card may stand for any card. Of 9, 8 and a joker, with nothing on the table, the run 9 8
    can be made in three ways: 9 and 8, 9 and the joker, 8 and the joker.
    """
    missing_ranks = [rank for rank in run if rank not in table_meld.ranks]
    # The wild cards on the table stand for some of the missing ranks.
    cards_to_add = len(missing_ranks) - table_meld.wilds
    if cards_to_add <= 0:
        return  # the sequence on the table is as long as this run, or longer

    ranks_to_choose = [rank for rank in missing_ranks if rank in ranks_in_hand]
    for wilds in range(min(most_wilds, cards_to_add) + 1):
        naturals = cards_to_add - wilds
        choices = list(combinations(ranks_to_choose, naturals))
        for ranks in reversed(choices):
            yield _CardsOfSequence(ranks, wilds)


def _list_runs_with(ranks: tuple[int, ...]) -> Iterator[range]:
    """List the runs of consecutive ranks, from ace to four, that include all these ranks.

    A run is a range of indices of `cards.KINDS`. For 9 and 7 they are 9 8 7, 10 9 8 7, 9 8 7 6 …
    """
    for first in range(FIRST_NATURAL, END_NATURAL):
        for end in range(first + 1, END_NATURAL + 1):  # the index after the last rank of the run
            run = range(first, end)
            if all(rank in run for rank in ranks):
                yield run


def _find_ranks_of_suit(held: Cards, suit: str) -> set[int]:
    """Return the ranks, from ace to four, of which the hand (`held`) has a card of this suit."""
    ranks: set[int] = set()
    for cards in held.suited:
        if cards.suit == suit and cards.kind in NATURAL_INDICES:
            ranks.add(cards.kind)
    return ranks


def _add_to_table(table_meld: Cards, cards: Cards, *, places_for_wilds: int) -> PossibleMeld:
    """Add cards of the hand to a meld (group of cards) on the table, or make a new meld of them.

    `places_for_wilds` is the number of further cards, jokers or twos. Without a meld on the table,
    `table_meld` has no cards.
    """
    # Whether a meld is legal depends on how many wild cards it has, not on which. So twos will do.
    wilds = build_cards({TWO: places_for_wilds})
    whole_meld = gather((table_meld, cards, wilds))
    return PossibleMeld(cards, places_for_wilds, meld=read_meld(whole_meld))


def _build_cards_of_suit(ranks: tuple[int, ...], suit: str) -> Cards:
    """Build cards from one of each of these ranks, all of one suit: king and queen of hearts.

    `ranks` are ascending indices of `cards.KINDS`, and hearts are `h`.
    """
    suited = tuple(SuitedCards(rank, suit, 1) for rank in ranks)
    return build_cards(dict.fromkeys(ranks, 1), suited)
