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
    most_wilds = min(held.wilds, settings.wild_limit)
    ranks_on_table = read_meld(table_meld).ranks
    if ranks_on_table:
        ranks = ranks_on_table  # a group has only one rank
        fewest_naturals = 0  # wild cards alone can be added to it
    else:
        ranks = RANKS  # at least one card of the hand gives the rank
        fewest_naturals = 1
    for rank in ranks:
        for naturals in range(fewest_naturals, held.counts[rank] + 1):
            for wilds in range(most_wilds + 1):
                if naturals + wilds > 0:
                    yield _combine_into_meld({rank: naturals}, wilds, table_meld)


def _find_possible_melds_of_wilds(held: Cards, table_meld: Cards) -> Iterator[PossibleMeld]:
    """Find the melds of wild cards (jokers and twos) alone that a player can make.

    The cards of the hand (`held`) are a new meld, or are added to the one on the table. Two jokers
    in the hand, and nothing on the table → `JK` and `JK JK`.
    """
    for jokers in range(held.counts[JOKER] + 1):
        for twos in range(held.counts[TWO] + 1):
            if jokers + twos > 0:
                counts = {JOKER: jokers, TWO: twos}
                yield _combine_into_meld(counts, wilds=0, table_meld=table_meld)


class _SequenceCards(NamedTuple):
    """The cards of a sequence that are not on the table as natural cards."""

    added: tuple[int, ...]
    """The ranks of which a card is added from the hand."""
    wilds: int
    """How many wild cards it has in all, those on the table included."""


def _find_possible_sequences(
    settings: Settings, held: Cards, suit: str, table_meld: Cards
) -> Iterator[PossibleMeld]:
    """Find the sequences of a suit that a player can make with cards of the hand (`held`).

    A sequence is a run of consecutive cards, such as 9 8 7 of hearts. It is a new one (then
    `table_meld` is empty), or cards are added to the sequence on the table. A wild card (joker or
    two) may stand for any card. With `6h` in the hand and `9h 8h 7h` on the table there is one
    sequence: 9 8 7 6.
    """
    # A sequence has each rank once, so that a rank on the table cannot be added again.
    ranks_to_add = _find_ranks_of_suit(held, suit) - set(table_meld.ranks)
    most_wilds = _most_wilds_in_sequence(settings, held, table_meld)
    for choice in _choose_cards_for_sequences(ranks_to_add, table_meld, most_wilds=most_wilds):
        wilds_from_hand = choice.wilds - table_meld.wilds
        adds_nothing = not choice.added and wilds_from_hand == 0
        if adds_nothing:
            continue  # this is the sequence as it lies on the table already
        one_of_each_rank = dict.fromkeys(choice.added, 1)
        yield _combine_into_meld(one_of_each_rank, wilds_from_hand, table_meld, suit=suit)


def _most_wilds_in_sequence(settings: Settings, held: Cards, table_meld: Cards) -> int:
    """Return how many wild cards a sequence can have at most, those on the table included.

    It is 0 in games in which sequences may not hold wild cards (jokers and twos).
    """
    if settings.sequences != "dirty":
        return 0
    return min(settings.wild_limit, table_meld.wilds + held.wilds)


def _choose_cards_for_sequences(
    ranks_to_add: set[int], table_meld: Cards, *, most_wilds: int
) -> Iterator[_SequenceCards]:
    """Find the choices of cards that make a sequence with the one on the table, each choice once.

    A sequence is a run of consecutive cards. Different ones can be made of the same cards: 9, 8 and
    a wild card (joker or two) are 10 9 8, or 9 8 7. `ranks_to_add` are the ranks of the suit that
    the hand has and the table has not.
    """
    known_choices: set[_SequenceCards] = set()
    for run in _list_runs_with(table_meld.ranks):
        for cards in _choose_cards_for_run(run, ranks_to_add, table_meld, most_wilds=most_wilds):
            if cards not in known_choices:
                known_choices.add(cards)
                yield cards


def _choose_cards_for_run(
    run: range, ranks_to_add: set[int], table_meld: Cards, *, most_wilds: int
) -> Iterator[_SequenceCards]:
    """Find the choices of cards that make exactly this run of ranks with the cards on the table.

    Each card of the run is on the table, comes from the hand (`ranks_to_add` are the ranks there),
    or is replaced by a wild card. The run 9 8, with nothing on the table, can be made of a hand of
    9, 8 and one wild card in three ways:

    - 9 and 8
    - 9 and the wild card
    - 8 and the wild card
    """
    not_on_table = [rank for rank in run if rank not in table_meld.ranks]
    in_hand = [rank for rank in not_on_table if rank in ranks_to_add]
    wilds_needed = len(not_on_table) - len(in_hand)
    # The wild cards on the table stay there, even if fewer are needed.
    fewest_wilds = max(wilds_needed, table_meld.wilds)
    for wilds in range(fewest_wilds, most_wilds + 1):
        # Each wild card beyond those needed replaces a card, which then stays in the hand.
        number_replaced = wilds - wilds_needed
        for replaced in combinations(in_hand, number_replaced):
            added = tuple(rank for rank in in_hand if rank not in replaced)
            yield _SequenceCards(added, wilds)


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


def _combine_into_meld(
    counts: dict[int, int], wilds: int, table_meld: Cards, *, suit: str = ""
) -> PossibleMeld:
    """Put cards of the hand together with a meld on the table, if there is one, into one meld.

    A meld is a group of cards on the table. `counts` is the number of cards of each kind from the
    hand: `{3: 2}` for two kings, which have the index 3 in `cards.KINDS`. With a `suit`, all of
    them are of it. `wilds` is the number of further cards, jokers and twos.
    """
    added = build_cards(counts, _with_suit(counts, suit))
    # Whether a meld is legal depends on how many wild cards it has, not on which. So the jokers
    # among them are counted as twos here.
    wilds_as_twos = build_cards({TWO: wilds})
    whole_meld = gather((table_meld, added, wilds_as_twos))
    return PossibleMeld(added=added, wilds=wilds, meld=read_meld(whole_meld))


def _with_suit(counts: dict[int, int], suit: str) -> tuple[SuitedCards, ...]:
    """Return these cards with their suit: `{3: 2}` and `h` → two kings of hearts.

    `counts` is the number of cards of each kind. Without a suit (`""`), nothing is known of suits.
    """
    if not suit:
        return ()
    return tuple(SuitedCards(kind, suit, count) for kind, count in sorted(counts.items()))
