"""What a bundle of cards is when it is laid as a meld, and which canasta it makes."""

from __future__ import annotations

from dataclasses import dataclass

from scorepad.rules.cards import BLACK_THREE, RED_THREE, Cards
from scorepad.rules.settings import CanastaKind, Sequences, Settings, Shape


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
    """Whether the meld is to be judged as a group or, where there are sequences, as one of those."""
    if settings.sequences is not Sequences.NONE and len(meld.ranks) > 1:
        return Shape.SEQUENCE
    return Shape.GROUP


def is_unbroken_sequence(meld: Meld) -> bool:
    """Whether all its cards are of one suit, given, consecutive from the ace down, and none twice."""
    suits = {suit for _, suit, _ in meld.cards.suited}
    ranks = [index for index, _, count in meld.cards.suited if count == 1]
    if len(suits) != 1 or len(ranks) != meld.size or meld.black_threes:
        return False
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def canasta_of(meld: Meld, settings: Settings) -> CanastaKind | None:
    """The canasta that the meld makes, or None.

    A card too many, or a red three among them, is a mistake of its own and takes the canasta from nobody; cards that
    do not go together, or too many wild ones, make none.
    """
    if meld.size - meld.red_threes < settings.canasta_length or meld.black_threes:
        return None
    shape = shape_of(meld, settings)
    if not _hangs_together(meld, shape, settings):
        return None
    return next((kind for kind in settings.canastas if kind.fits(shape, meld.wilds, meld.ranks)), None)


def _hangs_together(meld: Meld, shape: Shape, settings: Settings) -> bool:
    if shape is Shape.SEQUENCE:
        return is_unbroken_sequence(meld)
    return len(meld.ranks) == 1 and meld.wilds <= settings.most_wilds(meld.naturals)
