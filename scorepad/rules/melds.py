"""What a bundle of cards is when it is laid as a meld, and which canasta it makes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from scorepad.rules.cards import BLACK_THREE, BY_TOKEN, JOKER, NATURAL_INDICES, RED_THREE, Cards
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
