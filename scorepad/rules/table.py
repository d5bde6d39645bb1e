"""A hand as counted at the table, its melds, and who lays together.

The entries are stored as given, before any rule is applied. Sides are identified by position, in
the order in which the match names them; names are only labels.

Three concepts are distinguished. A side scores in the match; a party is the sides that lay melds
together; a party's points go to each of its sides. In most variants every side is a party; if the
first to take the pile plays alone for the hand, the others are one party of two sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from scorepad.rules.cards import (
    BLACK_THREE,
    INDEX,
    JOKER,
    NATURAL_INDICES,
    NOTHING,
    RED_THREE,
    Cards,
    Reading,
    cards_of,
    gather,
)
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import (
    CanastaKind,
    IncompleteKind,
    Partnership,
    Settings,
    Shape,
)

Pointer = tuple[str | int, ...]
"""A place in the hand: `("sides", 0, "melds", 1)`, the side by its position."""


@dataclass(frozen=True, slots=True)
class SideName:
    """A side by its position, to be shown by its name."""

    position: int


@dataclass(frozen=True, slots=True)
class MeldEntry:
    """A meld at the end of the hand. `concealed`: laid down complete."""

    reading: Reading
    concealed: bool = False


@dataclass(frozen=True, slots=True)
class Totals:
    """A side counted at the table: canastas by item, the points of all its cards, incomplete melds
    that cost points.
    """

    canastas: Mapping[str, int]
    cards: int
    incomplete: Mapping[str, int] = field(default_factory=dict)


NOT_EXPOSED = "red-three-not-exposed"
"""The code of the penalty that equals red threes in hand in the count."""
HOUSE = "house"
"""The code of a penalty defined by the table, with its own points and reason."""


@dataclass(frozen=True, slots=True)
class PenaltyEntry:
    """A penalty by its code; `points` and `reason` are only given for a penalty defined by the
    table (`HOUSE`).
    """

    code: str
    points: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points, positive or negative, agreed at the table, with the reason."""

    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class SideEntry:
    """What one side laid, still holds, and is charged or awarded.

    Counted in one of three ways: `melds` card by card, `totals`, or `sum` (the hand in points,
    unchecked). `left` is the cards of each hand still held, or points; `left_apart` is true if each
    hand was given separately.
    """

    melds: tuple[MeldEntry, ...] = ()
    totals: Totals | None = None
    sum: int | None = None
    adjustments: tuple[Adjustment, ...] = ()
    left: tuple[Reading, ...] | int = ()
    left_apart: bool = False
    red_threes: int = 0
    red_threes_held: int = 0
    penalties: tuple[PenaltyEntry, ...] = ()
    bonuses: tuple[str, ...] = ()
    """Codes of the variant's bonuses, repeated for each time awarded."""
    opening: tuple[Reading, ...] | None = None
    extras: Mapping[str, int] = field(default_factory=dict)
    """Figures that only some variants count (`black_threes_aside`, `sevens_held` …)."""
    special: str | None = None
    """The name of a hand that is shown instead of melded."""

    @property
    def held(self) -> tuple[Reading, ...]:
        """The hands still held, if they were given in cards."""
        return () if isinstance(self.left, int) else self.left

    @property
    def red_threes_in_hand(self) -> int:
        """Red threes held, given separately or among the cards."""
        return self.red_threes_held + sum(hand.cards.counts[RED_THREE] for hand in self.held)


@dataclass(frozen=True, slots=True)
class Out:
    """Who went out. `side` is None if that is not known; `player` is the index of the hand.

    `discard` is the last card discarded, `NOTHING` for none; `discard_noted` is false if it was not
    recorded.
    """

    side: int | None
    concealed: bool = False
    discard: Reading = NOTHING
    discard_noted: bool = False
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand to be checked and scored, for a match with the totals `before`, in points.

    `single` is the side that took the pile first, if temporary pairs are played.
    """

    names: tuple[str, ...]
    before: tuple[int, ...]
    sides: tuple[SideEntry, ...]
    out: Out | None = None
    single: int | None = None
    deal: int = 1
    """The number of the hand in the match, if it matters."""

    @property
    def side_names(self) -> tuple[SideName, ...]:
        """The sides, to be shown by their names."""
        return tuple(map(SideName, range(len(self.sides))))


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
    black, red, wilds, size = (
        cards.counts[BLACK_THREE],
        cards.counts[RED_THREE],
        cards.wilds,
        cards.size,
    )
    ranks = (*cards.ranks, BLACK_THREE) if black else cards.ranks
    return Meld(cards, size, wilds, size - wilds - red, ranks, black, red, concealed)


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
    return next(
        (kind for kind in settings.canastas if kind.fits(shape, meld.wilds, jokers, meld.ranks)),
        None,
    )


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
    """A meld, its place in the hand, how it is judged, and the points of its cards.

    `whole` is false if a token could not be read as a card.
    """

    where: Pointer
    meld: Meld
    shape: Shape
    points: int = 0
    whole: bool = True


@dataclass(frozen=True, slots=True)
class LaidSide:
    """One side's part of the table, and its place in the hand.

    `hands`: how many of its players have a hand of cards; 0 if that is not known. `unreadable`: its
    cards are not completely known, because of an unreadable token or an unknown name.
    `is_concealed`: it opened and went out in one turn.
    """

    position: int
    place: Pointer
    entry: SideEntry
    hands: int
    melds: tuple[LaidMeld, ...]
    opening: tuple[LaidMeld, ...]
    unreadable: bool
    is_out: bool
    is_concealed: bool
    minimum: int | None
    """The opening minimum of the side for this hand, in points; None also if its score is not known."""

    @property
    def side(self) -> SideName:
        """The side."""
        return SideName(self.position)


@dataclass(frozen=True, slots=True)
class Party:
    """The sides that lay together in this hand, one or more."""

    lays: tuple[LaidSide, ...]
    entries: tuple[SideEntry, ...]
    melds: tuple[LaidMeld, ...]
    """All its melds."""
    hands: tuple[Cards, ...]
    """The hands still held, if they were given in cards."""
    points: int
    """Points of all cards laid, from melds and totals."""
    canastas: Counter[str]
    """Canastas by item, from melds and totals."""
    families: Counter[str]
    """Canastas by family, for the requirements of going out."""
    incomplete: Counter[str]
    """Melds that cost points or prevent going out because they are not canastas, by name."""
    extras: Counter[str]
    """Figures that only some variants count."""
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
    lays: tuple[LaidSide, ...]
    """Every side's part, by its position."""
    parties: tuple[Party, ...]
    settings: Settings
    named: Cards
    """Every card that the hand names: laid, held, or discarded last."""
    judged: tuple[LaidMeld, ...]
    """Every meld entered: those at the end of the hand, and those recorded as openings."""

    def needs_no_minimum(self, lay: LaidSide) -> bool:
        """Whether the side opened and went out in one turn under a codification that requires no
        minimum for that.
        """
        return lay.is_concealed and self.settings.concealed_out == "own-melds-only"


def build_table(rules: Ruleset, hand: Hand) -> Table:
    """Build the table of a hand under the rules in force."""
    settings = rules.settings
    lays = [_lay(settings, hand, position) for position in range(len(hand.sides))]
    return table_with(rules, hand, lays, find_parties(settings.partnership, hand))


def table_with(
    rules: Ruleset, hand: Hand, lays: Sequence[LaidSide], groups: Iterable[tuple[int, ...]]
) -> Table:
    """The table of these parts; `groups` are the positions of those that lay together."""
    parties = [party_of(rules.settings, [lays[position] for position in group]) for group in groups]
    judged = [laid for lay in lays for laid in (*lay.melds, *lay.opening)]
    return Table(
        rules=rules,
        hand=hand,
        lays=tuple(lays),
        parties=tuple(parties),
        settings=rules.settings,
        named=_named_cards(hand.out, lays),
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


def _lay(settings: Settings, hand: Hand, position: int) -> LaidSide:
    is_out = hand.out is not None and hand.out.side == position
    return lay_of(
        settings,
        hand.sides[position],
        position,
        hands=settings.hands_of(position),
        minimum=settings.opening_minimum(hand.before[position], hand.deal),
        is_out=is_out,
        is_concealed=is_out and hand.out is not None and hand.out.concealed,
    )


def lay_of(  # noqa: PLR0913 - a side has as many properties
    settings: Settings,
    entry: SideEntry,
    position: int,
    *,
    hands: int,
    minimum: int | None,
    is_out: bool,
    is_concealed: bool,
) -> LaidSide:
    """The part of the table that this entry is."""
    place = ("sides", position)

    def laid(reading: Reading, *where: str | int, concealed: bool = False) -> LaidMeld:
        meld, points = (
            read_meld(reading.cards, concealed),
            reading.cards.points(settings.card_points),
        )
        return LaidMeld(
            (*place, *where), meld, shape_of(meld, settings), points, not reading.unknown
        )

    melds = tuple(
        laid(each.reading, "melds", n, concealed=each.concealed)
        for n, each in enumerate(entry.melds)
    )
    return LaidSide(
        position=position,
        place=place,
        entry=entry,
        hands=hands,
        melds=melds,
        opening=tuple(
            laid(reading, "opening", "melds", n) for n, reading in enumerate(entry.opening or ())
        ),
        unreadable=not all(each.whole for each in melds),
        is_out=is_out,
        is_concealed=is_concealed,
        minimum=minimum,
    )


def party_of(settings: Settings, lays: Sequence[LaidSide]) -> Party:
    """What the sides of a party have together."""
    canastas, families, incomplete, extras = (Counter[str]() for _ in range(4))
    entries, melds = (
        tuple(lay.entry for lay in lays),
        tuple(laid for lay in lays for laid in lay.melds),
    )
    for laid in melds:
        canasta, unfinished = canasta_of(laid.meld, settings), incomplete_of(laid.meld, settings)
        if canasta:
            canastas[canasta.item] += 1
            families[canasta.family] += 1
            canastas["concealed-canasta"] += laid.meld.concealed
        elif unfinished:
            incomplete[unfinished.name] += 1
    counted = [entry.totals for entry in entries if entry.totals]
    for totals in counted:
        canastas.update(totals.canastas)
        incomplete.update(totals.incomplete)
        for item, count in totals.canastas.items():
            for family in {kind.family for kind in settings.canastas if kind.item == item}:
                families[family] += count
    for entry in entries:
        extras.update(entry.extras)
    is_summed = any(entry.sum is not None for entry in entries)
    return Party(
        lays=tuple(lays),
        entries=entries,
        melds=melds,
        hands=tuple(reading.cards for entry in entries for reading in entry.held),
        points=sum(each.points for each in melds) + sum(each.cards for each in counted),
        canastas=canastas,
        families=families,
        incomplete=incomplete,
        extras=extras,
        opened=bool(melds)
        or any(each.cards > 0 for each in counted)
        or (None if is_summed else False),
        is_out=any(lay.is_out for lay in lays),
        unreadable=any(lay.unreadable for lay in lays),
        is_summed=is_summed,
    )


def _named_cards(out: Out | None, lays: Iterable[LaidSide]) -> Cards:
    bundles = [out.discard.cards] if out else []
    shown = 0
    for lay in lays:
        bundles += [meld.reading.cards for meld in lay.entry.melds]
        bundles += [reading.cards for reading in lay.entry.held]
        shown += sum(lay.entry.extras.get(key, 0) for key in BLACK_THREES_SHOWN)
    return gather([*bundles, cards_of({BLACK_THREE: shown})])


BLACK_THREES_SHOWN = ("black_threes_aside", "black_threes")
"""The fields that count black threes that are neither in a meld nor in a hand."""
