"""The table of a hand: its melds as they are judged, and which sides lay melds together.

Three concepts are distinguished. A side scores in the match; a party is the sides that lay melds
together; a party's points go to each of its sides. In most variants every side is a party; if the
first to take the pile plays alone for the hand, the others are one party of two sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from scorepad.rules.cards import (
    BLACK_THREE,
    INDEX,
    JOKER,
    NATURAL_INDICES,
    RED_THREE,
    Cards,
    Reading,
    build_cards,
    gather,
)
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand, Out, SideEntry, Totals
from scorepad.rules.settings import (
    CanastaKind,
    IncompleteKind,
    Partnership,
    Settings,
    Shape,
)

Pointer = tuple[str | int, ...]
"""Where something stands in the hand, as the parts of a JSON Pointer: `("sides", 0, "melds", 1)`,
the side by its position.
"""


@dataclass(frozen=True, slots=True)
class SideName:
    """A side by its position, to be shown by its name."""

    position: int


# ---------------------------------------------------------------- melds


@dataclass(frozen=True, slots=True)
class Meld:
    """Cards laid as one meld. `naturals` includes black threes, which are the natural cards of
    their meld.
    """

    cards: Cards
    size: int
    wilds: int
    naturals: int
    ranks: tuple[int, ...]
    """Natural ranks in it, including black threes, as indices of `cards.KINDS`."""
    black_threes: int
    red_threes: int
    concealed: bool

    @property
    def is_of_black_threes(self) -> bool:
        """Whether it is a meld of black threes, with or without wilds."""
        return self.ranks == (BLACK_THREE,)

    @property
    def rank(self) -> int | None:
        """Its only rank, or None if it has none or several."""
        return self.ranks[0] if len(self.ranks) == 1 else None


@lru_cache(maxsize=4096)
def read_meld(cards: Cards, concealed: bool = False) -> Meld:
    """Describe cards as a meld (cards laid on the table together), whether or not it is legal."""
    black_threes = cards.counts[BLACK_THREE]
    red_threes = cards.counts[RED_THREE]
    ranks = cards.ranks
    if black_threes:
        ranks = (*ranks, BLACK_THREE)
    return Meld(
        cards=cards,
        size=cards.size,
        wilds=cards.wilds,
        naturals=cards.size - cards.wilds - red_threes,
        ranks=ranks,
        black_threes=black_threes,
        red_threes=red_threes,
        concealed=concealed,
    )


def shape_of(meld: Meld, settings: Settings) -> Shape:
    """As what the meld is judged: a group of one rank or, if the variant has such melds, a sequence
    of one suit or wild cards alone.
    """
    if len(meld.ranks) > 1 and settings.sequences != "none":
        return "sequence"
    if meld.wilds and not meld.naturals and settings.wild_melds == "allowed":
        return "wilds"
    return "group"


def is_unbroken_sequence(meld: Meld, settings: Settings) -> bool:
    """Whether the cards are consecutive, of one known suit, and each there once: `7h 8h 9h`.

    Wild cards may replace cards between them or at the ends, if sequences allow wild cards. Ranks
    are indices of `cards.KINDS`, from the ace down.
    """
    if meld.black_threes:
        return False
    if meld.wilds and settings.sequences != "dirty":
        return False
    naturals = [cards for cards in meld.cards.suited if cards.kind in NATURAL_INDICES]
    suits = {cards.suit for cards in naturals}
    if len(suits) != 1:
        return False
    ranks_there_once = [cards.kind for cards in naturals if cards.number == 1]
    # A card that is there twice, or without its suit, is missing among these.
    if len(ranks_there_once) != meld.naturals:
        return False
    length_with_gaps = max(ranks_there_once) - min(ranks_there_once) + 1
    return length_with_gaps <= meld.naturals + meld.wilds


def canasta_of(meld: Meld, settings: Settings) -> CanastaKind | None:
    """The kind of canasta (a meld of seven cards or more) that the meld is; None if it is none.

    Cards that do not go together, or too many wild ones, are no canasta. But a meld that is only too
    long, or that holds a red three by mistake, is one all the same: other checks report that.
    """
    if meld.size - meld.red_threes < settings.canasta_length:
        return None
    are_black_threes_limited = settings.black_threes_longest is not None
    if meld.black_threes and are_black_threes_limited:
        return None  # melds of them are never long enough
    shape = shape_of(meld, settings)
    if not _may_be_canasta(meld, shape, settings):
        return None
    jokers = meld.cards.counts[JOKER]
    # Several kinds may fit: the rules list them in order of precedence.
    for kind in settings.canastas:
        if kind.fits(shape, meld.wilds, jokers, meld.ranks):
            return kind
    return None


def is_incomplete_wild_meld(meld: Meld, settings: Settings) -> bool:
    """Whether it is a meld of wild cards alone that is not yet a canasta."""
    return shape_of(meld, settings) == "wilds" and canasta_of(meld, settings) is None


def incomplete_of(meld: Meld, settings: Settings) -> IncompleteKind | None:
    """The kind of a meld that costs points, or prevents going out, because it is no canasta.

    None for a meld that is long enough for a canasta, or of no such kind.
    """
    if not settings.incomplete or meld.size - meld.red_threes >= settings.canasta_length:
        return None
    shape = shape_of(meld, settings)
    for kind in settings.incomplete:
        fewest_wilds, most_wilds = kind.wilds
        if shape != kind.shape or not fewest_wilds <= meld.wilds <= most_wilds:
            continue
        if kind.rank is None or meld.ranks == (INDEX[kind.rank],):
            return kind
    return None


def _may_be_canasta(meld: Meld, shape: Shape, settings: Settings) -> bool:
    """Whether the cards go together in a meld of this shape, with no more wild ones than allowed."""
    if shape == "wilds":
        return True
    if shape == "sequence":
        return meld.wilds <= settings.wild_limit and is_unbroken_sequence(meld, settings)
    if len(meld.ranks) != 1:
        return False
    return meld.wilds <= settings.most_wilds(meld.naturals, meld.ranks[0])


# ---------------------------------------------------------------- the table


class LaidMeld(NamedTuple):
    """A meld, where it stands in the hand, how it is judged, and the points of its cards.

    `whole` is false if a token could not be read as a card.
    """

    where: Pointer
    meld: Meld
    shape: Shape
    points: int = 0
    whole: bool = True


class LaidSide(NamedTuple):
    """One side's part of the table, and where it stands in the hand.

    `players`: how many of its players hold cards in this hand; 0 if that is not known.
    `unreadable`: its cards are not completely known, because of an unreadable token or an unknown
    name. `is_concealed`: it opened and went out in one turn.
    """

    position: int
    where: Pointer
    entry: SideEntry
    players: int
    melds: tuple[LaidMeld, ...]
    opening: tuple[LaidMeld, ...]
    unreadable: bool
    is_out: bool
    is_concealed: bool
    minimum: int | None
    """The opening minimum of the side for this hand, in points; None also if its score is not known."""

    @property
    def name(self) -> SideName:
        return SideName(self.position)


class Party(NamedTuple):
    """The sides that lay melds together in this hand, one or more."""

    sides: tuple[LaidSide, ...]
    entries: tuple[SideEntry, ...]
    melds: tuple[LaidMeld, ...]
    """All its melds."""
    held: tuple[Cards, ...]
    """The cards that each player still holds, if they were given in cards."""
    points: int
    """Points of all cards laid, from melds and totals."""
    canastas: Counter[str]
    """Canastas by item, from melds and totals."""
    families: Counter[str]
    """Canastas by family, for the requirements of going out."""
    incomplete: Counter[str]
    """Melds that cost points or prevent going out because they are not canastas, by name."""
    opened: bool | None
    """None if only the sum of the hand is known."""
    is_out: bool
    unreadable: bool
    """Whether some of it could not be read, so that only what holds in any case can be reported."""
    is_summed: bool
    """Whether part of it is known only as a sum agreed at the table."""

    def sum_extra(self, key: str) -> int:
        """Add up the number that its sides give under a key that only some variants have, such as
        `black_threes` for the black threes on the table.
        """
        total = 0
        for entry in self.entries:
            total += getattr(entry, key)
        return total


class Table(NamedTuple):
    """A hand ready to be judged under a ruleset."""

    rules: Ruleset
    hand: Hand
    before: tuple[int, ...]
    """The match score of each side before the hand."""
    sides: tuple[LaidSide, ...]
    """Every side's part, by its position."""
    parties: tuple[Party, ...]
    settings: Settings
    named: Cards
    """Every card that the hand names: laid, held, or discarded last."""
    judged: tuple[LaidMeld, ...]
    """Every meld entered: those at the end of the hand, and those recorded as openings."""

    @property
    def side_names(self) -> tuple[SideName, ...]:
        return tuple(map(SideName, range(len(self.hand.sides))))

    def needs_no_minimum(self, side: LaidSide) -> bool:
        """Whether the first melds of a side may be worth less than the opening minimum.

        Some rules allow that to a side that lays all its cards in one turn, and so goes out.
        """
        return side.is_concealed and self.settings.concealed_out == "own-melds-only"


def build_table(rules: Ruleset, hand: Hand, before: tuple[int, ...]) -> Table:
    """Lay a hand on the table, to be judged by these rules.

    `before` are the match scores of the sides before the hand.
    """
    settings = rules.settings
    sides = []
    for position, score in enumerate(before):
        sides.append(_side_of_hand(settings, hand, position, score))
    groups = find_parties(settings.partnership, hand)
    return table_of_sides(rules, hand, before=before, sides=sides, groups=groups)


def table_of_sides(
    rules: Ruleset,
    hand: Hand,
    *,
    before: tuple[int, ...],
    sides: Sequence[LaidSide],
    groups: Iterable[tuple[int, ...]],
) -> Table:
    """The table of a hand, from the parts of its sides.

    `groups` are the positions of the sides that lay melds together: `[(0,), (1, 2)]`.
    """
    parties = []
    for group in groups:
        sides_of_group = [sides[position] for position in group]
        parties.append(party_of(rules.settings, sides_of_group))
    judged: list[LaidMeld] = []
    for side in sides:
        judged += side.melds
        judged += side.opening
    return Table(
        rules=rules,
        hand=hand,
        before=before,
        sides=tuple(sides),
        parties=tuple(parties),
        settings=rules.settings,
        named=_named_cards(hand.out, sides),
        judged=tuple(judged),
    )


def find_parties(partnership: Partnership, hand: Hand) -> list[tuple[int, ...]]:
    """The positions of the sides that lay melds together in a hand: `[(0,), (1, 2)]`.

    In most variants every side is by itself. Where pairs change from hand to hand, one side plays
    alone against the other two; if the hand does not name it, it is the side that went out.
    """
    positions = range(len(hand.sides))
    single = hand.single
    if single is None and hand.out is not None:
        single = hand.out.side
    if partnership == "fixed" or single is None:
        return [(position,) for position in positions]
    others = tuple(position for position in positions if position != single)
    return [(single,), others]


def _side_of_hand(settings: Settings, hand: Hand, position: int, score: int) -> LaidSide:
    """The part of a side of the match with this score before the hand."""
    has_gone_out = hand.out is not None and hand.out.side == position
    return build_side(
        settings,
        hand.sides[position],
        position,
        players=settings.players_of(position),
        minimum=settings.opening_minimum(score, hand.deal),
        out=hand.out if has_gone_out else None,
    )


def build_side(
    settings: Settings,
    entry: SideEntry,
    position: int,
    *,
    players: int,
    minimum: int | None,
    out: Out | None,
) -> LaidSide:
    """A side's part of the table, from what a hand gives for it.

    `out` is how the side went out (played its last card, which ends the hand), None if it did not.
    The other arguments are described at the attributes of `LaidSide`.
    """
    where: Pointer = ("sides", position)
    melds = []
    for index, meld in enumerate(entry.melds):
        pointer = (*where, "melds", index)
        melds.append(_laid_meld(settings, meld.reading, pointer, concealed=meld.concealed))
    opening = []
    for index, reading in enumerate(entry.opening or ()):
        opening.append(_laid_meld(settings, reading, (*where, "opening", "melds", index)))
    return LaidSide(
        position=position,
        where=where,
        entry=entry,
        players=players,
        melds=tuple(melds),
        opening=tuple(opening),
        unreadable=not all(meld.whole for meld in melds),
        is_out=out is not None,
        is_concealed=out is not None and out.concealed,
        minimum=minimum,
    )


def _laid_meld(
    settings: Settings, reading: Reading, where: Pointer, *, concealed: bool = False
) -> LaidMeld:
    """The cards of a meld as they are judged; `where` is their place in the hand."""
    meld = read_meld(reading.cards, concealed)
    return LaidMeld(
        where=where,
        meld=meld,
        shape=shape_of(meld, settings),
        points=reading.cards.points(settings.card_points),
        whole=not reading.unknown,
    )


def party_of(settings: Settings, sides: Sequence[LaidSide]) -> Party:
    """What sides that lay melds together have on the table and in hand, added up."""
    entries: list[SideEntry] = []
    melds: list[LaidMeld] = []
    held: list[Cards] = []
    totals: list[Totals] = []
    is_out = False
    is_unreadable = False
    for side in sides:
        entries.append(side.entry)
        melds += side.melds
        held += [reading.cards for reading in side.entry.held]
        if side.entry.totals is not None:
            totals.append(side.entry.totals)
        is_out = is_out or side.is_out
        is_unreadable = is_unreadable or side.unreadable

    points = 0
    for laid in melds:
        points += laid.points
    for counted in totals:
        points += counted.cards
    counts = _count_melds(settings, melds, totals)
    return Party(
        sides=tuple(sides),
        entries=tuple(entries),
        melds=tuple(melds),
        held=tuple(held),
        points=points,
        canastas=counts.canastas,
        families=counts.families,
        incomplete=counts.incomplete,
        opened=_has_opened(entries),
        is_out=is_out,
        unreadable=is_unreadable,
        is_summed=_is_summed(entries),
    )


class _MeldCounts(NamedTuple):
    """Canastas by item and by family, and melds that are no canastas by name."""

    canastas: Counter[str]
    families: Counter[str]
    incomplete: Counter[str]


def _count_melds(
    settings: Settings, melds: Iterable[LaidMeld], totals: Iterable[Totals]
) -> _MeldCounts:
    """Count the melds that are given by their cards, and those in totals counted at the table."""
    canastas: Counter[str] = Counter()
    families: Counter[str] = Counter()
    incomplete: Counter[str] = Counter()
    for laid in melds:
        canasta = canasta_of(laid.meld, settings)
        if canasta is None:
            unfinished = incomplete_of(laid.meld, settings)
            if unfinished is not None:
                incomplete[unfinished.name] += 1
            continue
        canastas[canasta.item] += 1
        families[canasta.family] += 1
        if laid.meld.concealed:
            canastas["concealed-canasta"] += 1

    for counted in totals:
        canastas.update(counted.canastas)
        incomplete.update(counted.incomplete)
        for item, count in counted.canastas.items():
            for family in _families_of_item(item, settings):
                families[family] += count
    return _MeldCounts(canastas, families, incomplete)


def _families_of_item(item: str, settings: Settings) -> set[str]:
    """The families of the kinds of canasta with this item; none for concealed canastas, which are
    counted among their kinds too.
    """
    return {kind.family for kind in settings.canastas if kind.item == item}


def _is_summed(entries: Iterable[SideEntry]) -> bool:
    """Whether a side gives only the sum of its hand."""
    return any(entry.sum is not None for entry in entries)


def _has_opened(entries: Sequence[SideEntry]) -> bool | None:
    """Whether the sides laid anything; None if that is unknown, because a side gives only a sum."""
    for entry in entries:
        has_laid_totals = entry.totals is not None and entry.totals.cards > 0
        if entry.melds or has_laid_totals:
            return True
    if _is_summed(entries):
        return None
    return False


def _named_cards(out: Out | None, sides: Sequence[LaidSide]) -> Cards:
    """All cards that a hand names, which have to be in the decks: laid, held, exposed, discarded."""
    bundles: list[Cards] = []
    if out and out.discard:
        bundles.append(out.discard.cards)
    for side in sides:
        bundles += [meld.reading.cards for meld in side.entry.melds]
        bundles += [reading.cards for reading in side.entry.held]
    black_threes = _black_threes_beside_melds(sides)
    if black_threes:
        bundles.append(build_cards({BLACK_THREE: black_threes}))
    return gather(bundles)


def _black_threes_beside_melds(sides: Sequence[LaidSide]) -> int:
    """The black threes that sides put on the table beside their melds, as some variants allow.

    The form of a hand has two numbers of them, for different variants.
    """
    number = 0
    for side in sides:
        number += side.entry.black_threes_aside + side.entry.black_threes
    return number
