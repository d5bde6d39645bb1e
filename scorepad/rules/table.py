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
from scorepad.rules.hand import EXTRAS, Hand, Out, SideEntry, Totals
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
    """Describe cards as a meld, whether or not they are a legal one."""
    black_threes = cards.counts[BLACK_THREE]
    red_threes = cards.counts[RED_THREE]
    return Meld(
        cards=cards,
        size=cards.size,
        wilds=cards.wilds,
        naturals=cards.size - cards.wilds - red_threes,
        ranks=(*cards.ranks, BLACK_THREE) if black_threes else cards.ranks,
        black_threes=black_threes,
        red_threes=red_threes,
        concealed=concealed,
    )


def shape_of(meld: Meld, settings: Settings) -> Shape:
    """How the meld is judged: as a group or, if the variant has such melds, as a sequence or as
    wild cards alone.
    """
    if len(meld.ranks) > 1 and settings.sequences != "none":
        return "sequence"
    if meld.wilds and not meld.naturals and settings.wild_melds == "allowed":
        return "wilds"
    return "group"


def is_unbroken_sequence(meld: Meld, settings: Settings) -> bool:
    """Whether its natural cards are of one known suit, without duplicates, and consecutive from the
    ace down.

    Wild cards may replace cards between them or at the ends, if sequences allow wild cards.
    """
    if meld.black_threes or (meld.wilds and settings.sequences != "dirty"):
        return False
    naturals = [entry for entry in meld.cards.suited if entry[0] in NATURAL_INDICES]
    suits = {suit for _, suit, _ in naturals}
    ranks = [index for index, _, count in naturals if count == 1]
    if len(suits) != 1 or len(ranks) != meld.naturals:
        return False
    return ranks[-1] - ranks[0] + 1 <= meld.naturals + meld.wilds


def canasta_of(meld: Meld, settings: Settings) -> CanastaKind | None:
    """The canasta that the meld makes, or None.

    An excess card or a red three is a separate fault and does not invalidate the canasta; cards
    that do not go together, or too many wild ones, make none.
    """
    if meld.size - meld.red_threes < settings.canasta_length:
        return None
    if meld.black_threes and settings.black_threes_longest is not None:
        return None
    shape = shape_of(meld, settings)
    if not _hangs_together(meld, shape, settings):
        return None
    jokers = meld.cards.counts[JOKER]
    for kind in settings.canastas:
        if kind.fits(shape, meld.wilds, jokers, meld.ranks):
            return kind
    return None


def is_incomplete_wild_meld(meld: Meld, settings: Settings) -> bool:
    """Whether it is a meld of wild cards alone that is not a canasta."""
    return shape_of(meld, settings) == "wilds" and canasta_of(meld, settings) is None


def incomplete_of(meld: Meld, settings: Settings) -> IncompleteKind | None:
    """The kind of the meld if, not being a canasta, it costs points or prevents going out;
    otherwise None.
    """
    if not settings.incomplete or meld.size - meld.red_threes >= settings.canasta_length:
        return None
    shape = shape_of(meld, settings)
    for kind in settings.incomplete:
        fits = kind.shape == shape and kind.wilds[0] <= meld.wilds <= kind.wilds[1]
        if fits and (kind.rank is None or meld.ranks == (INDEX[kind.rank],)):
            return kind
    return None


def _hangs_together(meld: Meld, shape: Shape, settings: Settings) -> bool:
    if shape == "wilds":
        return True
    if shape == "sequence":
        return meld.wilds <= settings.wild_limit and is_unbroken_sequence(meld, settings)
    return len(meld.ranks) == 1 and meld.wilds <= settings.most_wilds(meld.naturals, meld.ranks[0])


# ---------------------------------------------------------------- the table


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """A meld, where it stands in the hand, how it is judged, and the points of its cards.

    `whole` is false if a token could not be read as a card.
    """

    where: Pointer
    meld: Meld
    shape: Shape
    points: int = 0
    whole: bool = True


@dataclass(frozen=True, slots=True)
class LaidSide:
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


@dataclass(frozen=True, slots=True)
class Party:
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
    extras: Counter[str]
    """Numbers of cards that only some variants count, by key."""
    opened: bool | None
    """None if only the sum of the hand is known."""
    is_out: bool
    unreadable: bool
    """Whether some of it could not be read, so that only what holds in any case can be reported."""
    is_summed: bool
    """Whether part of it is known only as a sum agreed at the table."""


@dataclass(frozen=True, slots=True)
class Table:
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
        """Whether the side opened and went out in one turn under a preset that requires no minimum
        for that.
        """
        return side.is_concealed and self.settings.concealed_out == "own-melds-only"


def build_table(rules: Ruleset, hand: Hand, before: tuple[int, ...]) -> Table:
    """The table of a hand under the rules in force, in a match with these scores."""
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
    """The table of these sides; `groups` are the positions of those that lay melds together."""
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
    """The parties of the hand: the positions of each party's sides."""
    positions = range(len(hand.sides))
    single = hand.single
    if single is None and hand.out is not None:
        single = hand.out.side
    if partnership == "fixed" or single is None:
        return [(position,) for position in positions]
    return [(single,), tuple(position for position in positions if position != single)]


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
    meld = read_meld(reading.cards, concealed)
    return LaidMeld(
        where=where,
        meld=meld,
        shape=shape_of(meld, settings),
        points=reading.cards.points(settings.card_points),
        whole=not reading.unknown,
    )


def party_of(settings: Settings, sides: Sequence[LaidSide]) -> Party:
    """What these sides have together."""
    entries = tuple(side.entry for side in sides)
    melds: list[LaidMeld] = []
    held: list[Cards] = []
    extras = Counter[str]()
    for side in sides:
        melds += side.melds
        held += [reading.cards for reading in side.entry.held]
        for name in EXTRAS:
            count = getattr(side.entry, name)
            if count:
                extras[name] += count
    totals = [entry.totals for entry in entries if entry.totals]
    made = _count_melds(settings, melds, totals)
    points_of_melds = sum(laid.points for laid in melds)
    return Party(
        sides=tuple(sides),
        entries=entries,
        melds=tuple(melds),
        held=tuple(held),
        points=points_of_melds + sum(each.cards for each in totals),
        canastas=made.canastas,
        families=made.families,
        incomplete=made.incomplete,
        extras=extras,
        opened=_has_opened(entries),
        is_out=any(side.is_out for side in sides),
        unreadable=any(side.unreadable for side in sides),
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
    """Count melds laid card by card and those that were counted at the table."""
    made = _MeldCounts(Counter(), Counter(), Counter())
    for laid in melds:
        canasta = canasta_of(laid.meld, settings)
        unfinished = incomplete_of(laid.meld, settings)
        if canasta:
            made.canastas[canasta.item] += 1
            made.families[canasta.family] += 1
            made.canastas["concealed-canasta"] += laid.meld.concealed
        elif unfinished:
            made.incomplete[unfinished.name] += 1
    for counted in totals:
        made.canastas.update(counted.canastas)
        made.incomplete.update(counted.incomplete)
        for item, count in counted.canastas.items():
            for family in {kind.family for kind in settings.canastas if kind.item == item}:
                made.families[family] += count
    return made


def _is_summed(entries: Iterable[SideEntry]) -> bool:
    return any(entry.sum is not None for entry in entries)


def _has_opened(entries: Sequence[SideEntry]) -> bool | None:
    """Whether the sides laid anything; None if only the sum of the hand is known."""
    for entry in entries:
        if entry.melds or (entry.totals and entry.totals.cards > 0):
            return True
    return None if _is_summed(entries) else False


def _named_cards(out: Out | None, sides: Iterable[LaidSide]) -> Cards:
    bundles = [out.discard.cards] if out and out.discard else []
    shown = 0
    for side in sides:
        entry = side.entry
        bundles += [meld.reading.cards for meld in entry.melds]
        bundles += [reading.cards for reading in entry.held]
        shown += entry.black_threes_aside + entry.black_threes
    return gather([*bundles, build_cards({BLACK_THREE: shown})])
