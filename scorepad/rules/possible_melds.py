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

    added: Cards
    """Its cards from the hand, except `wilds`."""
    wilds: int
    """How many jokers and twos from the hand, of either kind, stand beside its natural cards."""
    meld: Meld
    """The resulting meld, with a two for each of `wilds`."""


RANKS = (*NATURAL_INDICES, BLACK_THREE)
"""The kinds of card of which melds of one rank are made, as indices of `cards.KINDS`."""


def find_possible_melds(
    settings: Settings, held: Cards, table_meld: Cards = NO_CARDS
) -> Iterator[PossibleMeld]:
    """The melds that cards could make under the limit of wild cards, legal or not.

    `held` are the cards of a player's hand, `table_meld` those of a meld on the table to which they
    are added; without it the melds are new.
    """
    is_sequence = len(table_meld.ranks) > 1
    if is_sequence:
        suits = [cards.suit for cards in table_meld.suited if cards.kind in NATURAL_INDICES]
        yield from _possible_sequences(settings, held, suits[0], table_meld)
        return

    ranks = read_meld(table_meld).ranks
    yield from _possible_groups(settings, held, table_meld)
    if not ranks:
        yield from _possible_melds_of_wilds(held, table_meld)
    is_new = not table_meld.size
    if is_new and settings.sequences != "none":
        for suit in Suit:
            yield from _possible_sequences(settings, held, suit.value, table_meld)


def _possible_groups(settings: Settings, held: Cards, table_meld: Cards) -> Iterator[PossibleMeld]:
    """Cards of one rank with wild cards, new or added to a meld of that rank: of two kings and a two
    there are K, K K, K 2 and K K 2.
    """
    ranks = read_meld(table_meld).ranks
    most_wilds = min(held.wilds, settings.wild_limit)
    fewest_naturals = 0
    if not ranks:  # the rank is that of the cards added
        ranks = RANKS
        fewest_naturals = 1
    for rank in ranks:
        for naturals in range(fewest_naturals, held.counts[rank] + 1):
            for wilds in range(most_wilds + 1):
                if naturals + wilds > 0:
                    yield _possible_meld({rank: naturals}, wilds, table_meld)


def _possible_melds_of_wilds(held: Cards, table_meld: Cards) -> Iterator[PossibleMeld]:
    """Jokers and twos alone, new or added to a meld of wild cards alone."""
    for jokers in range(held.counts[JOKER] + 1):
        for twos in range(held.counts[TWO] + 1):
            if jokers + twos > 0:
                yield _possible_meld({JOKER: jokers, TWO: twos}, 0, table_meld)


class _SequenceCards(NamedTuple):
    """The cards of a sequence: the ranks added from the hand, one card each, and the number of its
    wild cards, those on the table included.
    """

    added: tuple[int, ...]
    wilds: int

    def wilds_added(self, table_meld: Cards) -> int:
        """How many of its wild cards come from the hand, and not from the meld on the table."""
        return self.wilds - table_meld.wilds


def _possible_sequences(
    settings: Settings, held: Cards, suit: str, table_meld: Cards
) -> Iterator[PossibleMeld]:
    """The sequences (consecutive cards of a suit, as 9 8 7) that cards of the hand make, alone or
    with a meld on the table.

    Wild cards may stand in the place of cards that the hand lacks, or of cards that stay in it.
    """
    ranks_held = _ranks_of_suit(held, suit) - set(table_meld.ranks)
    most_wilds = 0
    if settings.sequences == "dirty":  # sequences may hold wild cards
        most_wilds = min(settings.wild_limit, table_meld.wilds + held.wilds)
    for cards in _cards_making_sequences(ranks_held, table_meld, most_wilds=most_wilds):
        wilds_added = cards.wilds_added(table_meld)
        if cards.added or wilds_added > 0:
            one_of_each = dict.fromkeys(cards.added, 1)
            yield _possible_meld(one_of_each, wilds_added, table_meld, suit=suit)


def _cards_making_sequences(
    ranks_held: set[int], table_meld: Cards, *, most_wilds: int
) -> Iterator[_SequenceCards]:
    """The choices of cards that make some sequence with the meld on the table, each choice once.

    Different sequences may be made with the same cards: 9, 8 and a wild card are 10 9 8 or 9 8 7.
    `ranks_held` are the ranks of the suit that the player holds.
    """
    known: set[_SequenceCards] = set()
    for run in _runs_with(table_meld.ranks):
        for cards in _cards_making_run(run, ranks_held, table_meld, most_wilds=most_wilds):
            if cards not in known:
                known.add(cards)
                yield cards


def _cards_making_run(
    run: range, ranks_held: set[int], table_meld: Cards, *, most_wilds: int
) -> Iterator[_SequenceCards]:
    """The choices of cards that make a run of these ranks with the meld on the table.

    `ranks_held` are the ranks of the suit that the player holds. With 9, 8 and 7 in the hand and at
    most one wild card, the run 9 to 7 is 9 8 7, or two of these with the wild card; with only 9 and
    8 in the hand, it is these with the wild card.
    """
    could_add = [rank for rank in run if rank in ranks_held]
    missing = len(run) - len(could_add) - len(table_meld.ranks)
    # There is a wild card for each missing card, and those on the table stay there.
    fewest_wilds = max(missing, table_meld.wilds)
    for wilds in range(fewest_wilds, most_wilds + 1):
        replaced_by_wilds = wilds - missing
        for stay_in_hand in combinations(could_add, replaced_by_wilds):
            added = tuple(rank for rank in could_add if rank not in stay_in_hand)
            yield _SequenceCards(added, wilds)


def _runs_with(ranks: tuple[int, ...]) -> Iterator[range]:
    """The runs of consecutive ranks that include these, as ranges of indices of `cards.KINDS`."""
    for first, end in combinations(range(FIRST_NATURAL, END_NATURAL + 1), 2):
        run = range(first, end)
        if all(rank in run for rank in ranks):
            yield run


def _ranks_of_suit(held: Cards, suit: str) -> set[int]:
    """The natural ranks of which a card of this suit is held."""
    ranks: set[int] = set()
    for cards in held.suited:
        if cards.suit == suit and cards.kind in NATURAL_INDICES:
            ranks.add(cards.kind)
    return ranks


def _possible_meld(
    counts: dict[int, int], wilds: int, table_meld: Cards, *, suit: str = ""
) -> PossibleMeld:
    """The meld that cards of the hand make with the meld on the table, if there is one.

    `counts` is the number of cards of each kind (as indices of `cards.KINDS`); with a `suit` they
    are all of that suit. `wilds` is the number of wild cards beside them, jokers or twos.
    """
    added = build_cards(counts, _all_of_suit(counts, suit))
    # Whether a meld is legal depends on the number of its wild cards: twos can stand for all.
    wilds_as_twos = build_cards({TWO: wilds})
    all_cards = gather((table_meld, added, wilds_as_twos))
    return PossibleMeld(added, wilds, read_meld(all_cards))


def _all_of_suit(counts: dict[int, int], suit: str) -> tuple[SuitedCards, ...]:
    """These numbers of cards of each kind, all of one suit; nothing if the suit is empty, for cards
    without a known suit.
    """
    if not suit:
        return ()
    return tuple(SuitedCards(kind, suit, count) for kind, count in sorted(counts.items()))
