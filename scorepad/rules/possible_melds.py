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
    is_sequence_on_table = len(table_meld.ranks) > 1  # such as 9 8 7 of one suit
    if is_sequence_on_table:
        suit = _suit_of_sequence(table_meld)
        yield from _possible_sequences(settings, held, suit, table_meld)
        return

    yield from _possible_groups(settings, held, table_meld)
    has_rank = len(read_meld(table_meld).ranks) > 0
    if not has_rank:
        yield from _possible_melds_of_wilds(held, table_meld)
    is_new = table_meld.size == 0
    if is_new and settings.sequences != "none":
        for each_suit in Suit:
            yield from _possible_sequences(settings, held, each_suit.value, table_meld)


def _suit_of_sequence(sequence: Cards) -> str:
    """The suit of a sequence, which all its natural cards share: `9h 8h JK` → `h`."""
    suits = [cards.suit for cards in sequence.suited if cards.kind in NATURAL_INDICES]
    return suits[0]


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

    Wild cards may stand in the place of cards that the hand lacks, or of cards that stay in it. Of
    `6h` in the hand and `9h 8h 7h` on the table there is one sequence: 9 8 7 6.
    """
    # A sequence has one card of each rank, so that ranks already on the table are of no use.
    ranks_to_add = _ranks_of_suit(held, suit) - set(table_meld.ranks)
    most_wilds = 0
    if settings.sequences == "dirty":  # sequences may hold wild cards
        most_wilds = min(settings.wild_limit, table_meld.wilds + held.wilds)
    for cards in _cards_making_sequences(ranks_to_add, table_meld, most_wilds=most_wilds):
        wilds_added = cards.wilds_added(table_meld)
        if cards.added or wilds_added > 0:
            one_of_each_rank = dict.fromkeys(cards.added, 1)
            yield _possible_meld(one_of_each_rank, wilds_added, table_meld, suit=suit)


def _cards_making_sequences(
    ranks_to_add: set[int], table_meld: Cards, *, most_wilds: int
) -> Iterator[_SequenceCards]:
    """The choices of cards that make some sequence with the meld on the table, each choice once.

    Different sequences may be made with the same cards: 9, 8 and a wild card are 10 9 8 or 9 8 7.
    `ranks_to_add` are those of the player's cards of the suit that are not on the table.
    """
    known_choices: set[_SequenceCards] = set()
    for run in _runs_with(table_meld.ranks):
        for cards in _cards_making_run(run, ranks_to_add, table_meld, most_wilds=most_wilds):
            if cards not in known_choices:
                known_choices.add(cards)
                yield cards


def _cards_making_run(
    run: range, ranks_to_add: set[int], table_meld: Cards, *, most_wilds: int
) -> Iterator[_SequenceCards]:
    """The choices of cards that make a run of these ranks with the meld on the table.

    A card of each rank is on the table, comes from the hand, or is replaced by a wild card. With
    nothing on the table, 9 and 8 in the hand and one wild card, the run 9 8 can be made as `9 8`,
    `9` with the wild card, or `8` with it. `ranks_to_add` are the ranks that the hand has.
    """
    not_on_table = [rank for rank in run if rank not in table_meld.ranks]
    in_hand = [rank for rank in not_on_table if rank in ranks_to_add]
    wilds_needed = len(not_on_table) - len(in_hand)
    # The wild cards on the table stay there, also if fewer are needed.
    fewest_wilds = max(wilds_needed, table_meld.wilds)
    for wilds in range(fewest_wilds, most_wilds + 1):
        # Each wild card beyond those needed stands for a card that stays in the hand.
        number_staying = wilds - wilds_needed
        for staying in combinations(in_hand, number_staying):
            added = tuple(rank for rank in in_hand if rank not in staying)
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
    """The meld that these cards of the hand make, together with a meld on the table if there is one.

    `counts` is the number of cards of each kind, `{3: 2}` for two kings (the keys are indices of
    `cards.KINDS`); with a `suit` they are all of that suit. `wilds` is the number of jokers and twos
    beside them.
    """
    added = build_cards(counts, _all_of_suit(counts, suit))
    # Whether a meld is legal depends on how many wild cards it has, not on which. All are twos here.
    wilds_as_twos = build_cards({TWO: wilds})
    whole_meld = gather((table_meld, added, wilds_as_twos))
    return PossibleMeld(added=added, wilds=wilds, meld=read_meld(whole_meld))


def _all_of_suit(counts: dict[int, int], suit: str) -> tuple[SuitedCards, ...]:
    """These numbers of cards of each kind, all of one suit; nothing if the suit is empty, for cards
    without a known suit.
    """
    if not suit:
        return ()
    return tuple(SuitedCards(kind, suit, count) for kind, count in sorted(counts.items()))
