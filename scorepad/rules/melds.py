"""What a bundle of cards is when it is laid as a meld, which canasta it makes, and what melds cards could make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from scorepad.rules.cards import (
    BLACK_THREE,
    BY_TOKEN,
    END_NATURAL,
    FIRST_NATURAL,
    JOKER,
    NATURAL_INDICES,
    NO_CARDS,
    RED_THREE,
    TWO,
    Cards,
    Suit,
    cards_of,
    gather,
)
from scorepad.rules.settings import CanastaKind, IncompleteKind, Sequences, Settings, Shape


@dataclass(frozen=True, slots=True)
class Meld:
    """Cards laid as one meld. `naturals` counts black threes as naturals: in a meld of them that is what they are."""

    cards: Cards
    size: int
    wilds: int
    naturals: int
    ranks: tuple[int, ...]
    """Natural ranks in it, black threes as one of them, as indices of `cards.KINDS`."""
    black_threes: int
    red_threes: int
    concealed: bool

    @property
    def is_of_black_threes(self) -> bool:
        """Whether it is a meld of black threes, with or without wilds."""
        return self.ranks == (BLACK_THREE,)

    @property
    def rank(self) -> int | None:
        """Its one rank, or None where it has none or several."""
        return self.ranks[0] if len(self.ranks) == 1 else None


@lru_cache(maxsize=4096)
def read_meld(cards: Cards, concealed: bool = False) -> Meld:
    """Look at cards as a meld. It says nothing yet about whether they may be one."""
    counts = cards.counts
    black = counts[BLACK_THREE]
    ranks = (*cards.ranks, BLACK_THREE) if black else cards.ranks
    wilds = cards.wilds
    red = counts[RED_THREE]
    size = cards.size
    return Meld(cards, size, wilds, size - wilds - red, ranks, black, red, concealed)


def shape_of(meld: Meld, settings: Settings) -> Shape:
    """How the meld is to be judged: as a group or, where there are such melds, as a sequence or as wild cards alone."""
    if len(meld.ranks) > 1 and settings.sequences is not Sequences.NONE:
        return Shape.SEQUENCE
    if meld.wilds and not meld.naturals and settings.wild_melds == "allowed":
        return Shape.WILDS
    return Shape.GROUP


def is_unbroken_sequence(meld: Meld, settings: Settings) -> bool:
    """Whether its natural cards are of one suit, given, none twice, and consecutive from the ace down.

    Wild cards may stand in for cards between them or at the ends, where sequences take any.
    """
    if meld.black_threes or (meld.wilds and settings.sequences is not Sequences.DIRTY):
        return False
    naturals = [entry for entry in meld.cards.suited if entry[0] in NATURAL_INDICES]
    suits = {suit for _, suit, _ in naturals}
    ranks = [index for index, _, count in naturals if count == 1]
    if len(suits) != 1 or len(ranks) != meld.naturals:
        return False
    return ranks[-1] - ranks[0] + 1 <= meld.naturals + meld.wilds


def canasta_of(meld: Meld, settings: Settings) -> CanastaKind | None:
    """The canasta that the meld makes, or None.

    A card too many, or a red three among them, is a mistake of its own and takes the canasta from nobody; cards that
    do not go together, or too many wild ones, make none.
    """
    if meld.size - meld.red_threes < settings.canasta_length:
        return None
    if meld.black_threes and settings.black_threes_longest is not None:
        return None
    shape = shape_of(meld, settings)
    if not _hangs_together(meld, shape, settings):
        return None
    jokers = meld.cards.counts[JOKER]
    return next((kind for kind in settings.canastas if kind.fits(shape, meld.wilds, jokers, meld.ranks)), None)


def is_incomplete_wild_meld(meld: Meld, settings: Settings) -> bool:
    """Whether it is a meld of wild cards alone that is no canasta."""
    return shape_of(meld, settings) is Shape.WILDS and canasta_of(meld, settings) is None


def incomplete_of(meld: Meld, settings: Settings) -> IncompleteKind | None:
    """What the meld is where one like it costs something, or bars the way out, as long as it is no canasta."""
    if not settings.incomplete or meld.size - meld.red_threes >= settings.canasta_length:
        return None
    shape = shape_of(meld, settings)
    for kind in settings.incomplete:
        fits = kind.shape is shape and kind.wilds[0] <= meld.wilds <= kind.wilds[1]
        if fits and (kind.rank is None or meld.ranks == (BY_TOKEN[kind.rank],)):
            return kind
    return None


def _hangs_together(meld: Meld, shape: Shape, settings: Settings) -> bool:
    if shape is Shape.WILDS:
        return True
    if shape is Shape.SEQUENCE:
        return meld.wilds <= settings.wild_limit and is_unbroken_sequence(meld, settings)
    return len(meld.ranks) == 1 and meld.wilds <= settings.most_wilds(meld.naturals, meld.ranks[0])


class Possible(NamedTuple):
    """A meld that cards could make, by themselves or with those of a meld that lies on the table.

    `added` are the cards in it except `wilds`: so many wild cards beside natural ones, whichever they are. `meld` is
    the meld as it would lie, those wild cards as twos.
    """

    added: Cards
    wilds: int
    meld: Meld


RANKS = (*NATURAL_INDICES, BLACK_THREE)
"""The kinds of card that melds of one rank are made of, as indices of `cards.KINDS`."""


def possible_melds(limit: int, sequences: Sequences, held: Cards, lying: Cards = NO_CARDS) -> Iterator[Possible]:
    """The melds that cards could make under this limit of wild cards, legal or not.

    `lying`: with the cards that lie in a meld of the table.
    """
    if len(lying.ranks) > 1:
        suit = next(suit for index, suit, _ in lying.suited if index in NATURAL_INDICES)
        yield from _sequences(limit, sequences, held, suit, lying)
        return
    # On wild cards alone a rank of any kind may be begun.
    ranks = read_meld(lying).ranks
    for rank in ranks or RANKS:
        for naturals in range(0 if ranks else 1, held.counts[rank] + 1):
            for wilds in range(min(held.wilds, limit) + 1):
                if naturals + wilds:
                    yield _possible({rank: naturals}, wilds, lying)
    for jokers, twos in product(range(held.counts[JOKER] + 1), range(held.counts[TWO] + 1)):
        if not ranks and jokers + twos:
            yield _possible({JOKER: jokers, TWO: twos}, 0, lying)
    if not lying.size and sequences is not Sequences.NONE:
        for each in Suit:
            yield from _sequences(limit, sequences, held, each.value, lying)


def _sequences(limit: int, sequences: Sequences, held: Cards, suit: str, lying: Cards) -> Iterator[Possible]:
    """Runs of a suit with what lies in them, wild cards in place of those that are not there or stay in the hand."""
    base, before = set(lying.ranks), lying.wilds
    most = min(limit, before + held.wilds) if sequences is Sequences.DIRTY else 0
    mine = {index for index, of_suit, _ in held.suited if of_suit == suit and index in NATURAL_INDICES} - base
    seen = set()
    for first, end in combinations(range(FIRST_NATURAL, END_NATURAL + 1), 2):
        run = range(first, end)
        there = [rank for rank in run if rank in mine]
        short = len(run) - len(there) - sum(rank in base for rank in run)
        if short > most or not base <= set(run):
            continue
        for wilds in range(max(short, before), most + 1):
            for kept in combinations(there, wilds - short):
                added = tuple(rank for rank in there if rank not in kept)
                if (added, wilds) not in seen and len(added) + wilds > before:
                    seen.add((added, wilds))
                    yield _possible(dict.fromkeys(added, 1), wilds - before, lying, suit)


def _possible(added: dict[int, int], wilds: int, lying: Cards, suit: str = "") -> Possible:
    suited = tuple((index, suit, count) for index, count in sorted(added.items())) if suit else ()
    whole = cards_of({**added, TWO: added.get(TWO, 0) + wilds}, suited)
    return Possible(cards_of(added, suited), wilds, read_meld(gather((lying, whole)) if lying.size else whole))
