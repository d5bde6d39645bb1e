"""The registry of checks, and the checks of what was written down, of the decks and of single melds.

A check yields where a rule is broken and the figures; `judge` adds the rule id, the severity and the citations. Of a
meld with a token that is no card a check reports only what is wrong whatever that token was meant to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from scorepad.rules.cards import BLACK_THREE, KINDS, NATURAL_INDICES, RED_THREE, Kind, Reading, in_decks
from scorepad.rules.entries import NOT_EXPOSED, Hand, Place, SideEntry
from scorepad.rules.melds import Meld, is_unbroken_sequence, shape_of
from scorepad.rules.settings import BlackThrees, Sequences, Settings, Shape
from scorepad.rules.table import Laid, Table, held


@dataclass(frozen=True, slots=True)
class Excess:
    """More of a card than there is: `count` where the decks hold `limit`; `suit` where the suit was given."""

    kind: Kind
    suit: str
    count: int
    limit: int


@dataclass(frozen=True, slots=True)
class SideName:
    """A side by its position, to be told by its name."""

    position: int


@dataclass(frozen=True, slots=True)
class Needed:
    """Canastas of a family that going out needs, and how many the side has."""

    family: str
    count: int
    has: int


def all_sides(hand: Hand) -> tuple[SideName, ...]:
    """The sides of the match."""
    return tuple(SideName(position) for position in hand.of_match)


Many = tuple[str, ...] | tuple[Kind, ...] | tuple[Excess, ...] | tuple[SideName, ...] | tuple[Needed, ...]
Figure = int | str | Kind | SideName | Many


@dataclass(frozen=True, slots=True)
class Trouble:
    """Where a rule is broken, and the figures that its message names.

    `grounds` are the settings, steps or penalties that decided it (`Ruleset.cited_at`); None for all those that the
    data names for the rule.
    """

    where: Place
    figures: Mapping[str, Figure] = field(default_factory=dict)
    grounds: tuple[str, ...] | None = None


Check = Callable[[Table], Iterable[Trouble]]


@dataclass(frozen=True, slots=True)
class Nature:
    """What is to be known of a rule beside where it is broken.

    What is not `agreeable` is no matter of rules: figures that cannot be, cards that the decks do not hold, names that
    mean nothing. No table can agree to it, and scoring may count on it.
    `by_itself`: what is wrong is wrong in one meld, one card or one figure, whoever lays together with whom.
    `of_opening`: it is the opening that is wrong, and a minimum is among the figures.
    """

    agreeable: bool = True
    by_itself: bool = False
    of_opening: bool = False


CHECKS: dict[str, Check] = {}
_NATURES: dict[str, Nature] = {}


def check(
    rule: str, *, agreeable: bool = True, by_itself: bool = False, of_opening: bool = False
) -> Callable[[Check], Check]:
    """Register a function as the check of a rule id, of this nature."""

    def register(function: Check) -> Check:
        assert rule not in CHECKS, rule
        CHECKS[rule], _NATURES[rule] = function, Nature(agreeable, by_itself, of_opening)
        return function

    return register


Wrong = tuple[Mapping[str, Figure], tuple[str, ...] | None]
"""What is wrong with a meld: the figures and the grounds (`Trouble`)."""
MeldCheck = Callable[[Laid, Settings], Wrong | None]


MELD_CHECKS: list[MeldCheck] = []


def meld_check(rule: str) -> Callable[[MeldCheck], MeldCheck]:
    """Register a function as the check of a rule id that goes by the single meld."""

    def register(function: MeldCheck) -> MeldCheck:
        MELD_CHECKS.append(function)

        @check(rule, by_itself=True)
        def every_meld(table: Table) -> Iterator[Trouble]:
            for laid in table.judged:
                found = function(laid, table.settings)
                if found is not None:
                    yield Trouble(laid.where, *found)

        return function

    return register


def is_meld(meld: Meld, settings: Settings) -> bool:
    """Whether cards are a meld, whoever lays them and when."""
    laid = Laid((), meld, 0)
    return all(function(laid, settings) is None for function in MELD_CHECKS)


def nature_of(code: str) -> Nature:
    """What is to be known of a rule."""
    return _NATURES[code]


SMALLEST_POINTS = 5
"""Every card is worth a multiple of five points."""


@check("card-unknown", agreeable=False, by_itself=True)
def card_unknown(table: Table) -> Iterator[Trouble]:
    """Tokens that are no card."""
    readings = [read for side, entry in enumerate(table.hand.sides) for read in _readings_of(entry, ("sides", side))]
    if table.hand.out:
        readings.append((("out", "discard"), table.hand.out.discard))
    for place, reading in readings:
        if reading.unknown:
            yield Trouble(place, {"tokens": reading.unknown}, ())


def _readings_of(entry: SideEntry, place: Place) -> Iterator[tuple[Place, Reading]]:
    for number, meld in enumerate(entry.melds):
        yield (*place, "melds", number), meld.reading
    for number, reading in enumerate(entry.opening or ()):
        yield (*place, "opening", "melds", number), reading
    if not isinstance(entry.left, int):
        for number, reading in enumerate(entry.left):
            yield (*place, "left", number) if entry.left_apart else (*place, "left"), reading


@check("side-unknown", agreeable=False)
def side_unknown(table: Table) -> Iterator[Trouble]:
    """A side that the match does not have."""
    for place, name in table.hand.strangers:
        yield Trouble(place, {"name": name, "sides": all_sides(table.hand)}, ())


@check("penalty-unknown", agreeable=False)
def penalty_unknown(table: Table) -> Iterator[Trouble]:
    """A penalty that the variant does not know."""
    known = table.rules.penalties
    for position, entry in enumerate(table.hand.sides):
        for number, penalty in enumerate(entry.penalties):
            if penalty.code not in known:
                figures: dict[str, Figure] = {"name": penalty.code, "known": tuple(known)}
                # A name that means nothing needs no source; that a game has no penalties does.
                figures |= {} if known else {"why": "none"}
                grounds = () if known else ("penalties-known",)
                yield Trouble(("sides", position, "penalties", number), figures, grounds)


@check("red-three-twice")
def red_three_twice(table: Table) -> Iterator[Trouble]:
    """A red three counted as held, and as a penalty too, for the same side: it is the same offence."""
    for position, entry in enumerate(table.hand.sides):
        threes = entry.red_threes_held + sum(hand.cards.counts[RED_THREE] for hand in held(entry))
        given = [number for number, penalty in enumerate(entry.penalties) if penalty.code == NOT_EXPOSED]
        if threes and given:
            figures: dict[str, Figure] = {"side": SideName(position), "threes": threes, "penalties": len(given)}
            yield Trouble(("sides", position, "penalties", given[0]), figures, ("penalties-known/same-offence",))


@check("points-not-multiple", agreeable=False, by_itself=True)
def points_not_multiple(table: Table) -> Iterator[Trouble]:
    """Points that no cards can be, or that the pad does not count in."""
    for position, entry in enumerate(table.hand.sides):
        place: Place = ("sides", position)
        if isinstance(entry.left, int) and _is_odd(entry.left):
            yield Trouble((*place, "left"), {"points": entry.left})
        for number, penalty in enumerate(entry.penalties):
            if penalty.points is not None and _is_odd(penalty.points):
                yield Trouble((*place, "penalties", number), {"points": penalty.points, "why": "agreed"}, ())
        for number, adjustment in enumerate(entry.adjustments):
            if adjustment.points % SMALLEST_POINTS:
                yield Trouble((*place, "adjustments", number), {"points": adjustment.points, "why": "agreed"}, ())


def _is_odd(points: int) -> bool:
    return points < 0 or points % SMALLEST_POINTS != 0


@check("target-reached")
def target_reached(table: Table) -> Iterator[Trouble]:
    """A side was at the target before the hand."""
    target = table.settings.target
    for position, score in enumerate(table.hand.before):
        if target is not None and score >= target:
            figures: dict[str, Figure] = {"side": SideName(position), "score": score, "target": target}
            yield Trouble(("before", position), figures)


@check("not-checked")
def not_checked(table: Table) -> Iterator[Trouble]:
    """A hand given as the sum that the table agreed."""
    for position, entry in enumerate(table.hand.sides):
        if entry.sum is not None:
            yield Trouble(("sides", position, "sum"), {"side": SideName(position)}, ())


@check("hands-not-apart")
def hands_not_apart(table: Table) -> Iterator[Trouble]:
    """Several hands given as one, where a rule goes by the single hand."""
    for lay in table.lays:
        if lay.position not in table.hand.of_match or not table.settings.held_together:
            continue
        hands = table.settings.hands_of(lay.position) - lay.is_out
        entry = lay.entry
        if hands > 1 and not entry.left_apart and not isinstance(entry.left, int) and entry.left:
            yield Trouble((*lay.place, "left"), {"side": SideName(lay.position), "hands": hands})


@check("left-in-points")
def left_in_points(table: Table) -> Iterator[Trouble]:
    """Cards in hand given in points, where a card in hand costs something else than its points."""
    settings = table.settings
    if settings.left_black_three == settings.card_points[BLACK_THREE]:
        return
    for lay in table.lays:
        if isinstance(lay.entry.left, int):
            figures: dict[str, Figure] = {"side": SideName(lay.position), "points": settings.left_black_three}
            yield Trouble((*lay.place, "left"), figures)


@check("deck-exceeded", agreeable=False)
def deck_exceeded(table: Table) -> Iterator[Trouble]:
    """More of a card, over everybody's melds and hands and the last discard, than the decks hold."""
    decks = table.settings.decks
    counts = zip(KINDS, table.named.counts, in_decks(decks), strict=True)
    excess = tuple(
        Excess(kind, suit, count, limit)
        for kind, suit, count, limit in (
            *((kind, "", count, limit) for kind, count, limit in counts),
            *((KINDS[index], suit, count, decks) for index, suit, count in table.named.suited),
        )
        if count > limit and kind is not Kind.RED_THREE
    )
    if excess:
        yield Trouble(("sides",), {"sides": all_sides(table.hand), "excess": excess})


@check("red-threes-exceeded", agreeable=False)
def red_threes_exceeded(table: Table) -> Iterator[Trouble]:
    """More red threes, exposed and held, over all sides, than the decks hold."""
    count = sum(
        entry.red_threes + entry.red_threes_held + sum(hand.cards.counts[RED_THREE] for hand in held(entry))
        for entry in table.hand.sides
    )
    limit = in_decks(table.settings.decks)[RED_THREE]
    if count > limit:
        yield Trouble(("sides",), {"sides": all_sides(table.hand), "threes": count, "limit": limit})


@meld_check("meld-too-short")
def too_short(laid: Laid, settings: Settings) -> Wrong | None:
    """Fewer cards than a meld needs; wild cards alone may need more than others."""
    alone = shape_of(laid.meld, settings) is Shape.WILDS
    needed = settings.wild_melds_shortest if alone else settings.meld_shortest
    if not laid.whole or laid.meld.size >= needed:
        return None
    why, ground = ("wilds", "wild-melds-shortest") if needed > settings.meld_shortest else ("any", "meld-shortest")
    return {"cards": laid.meld.size, "needed": needed, "why": why}, (ground,)


@meld_check("meld-too-long")
def too_long(laid: Laid, settings: Settings) -> Wrong | None:
    """More cards than a meld may have."""
    longest = {
        Shape.GROUP: (settings.meld_longest, "meld-longest"),
        Shape.WILDS: (settings.wild_melds_longest, "wild-melds-longest"),
        Shape.SEQUENCE: (len(NATURAL_INDICES), "sequences"),
    }
    shape = shape_of(laid.meld, settings)
    # A token that is no card may have been a natural one.
    allowed = longest[Shape.GROUP if shape is Shape.WILDS and not laid.whole else shape][0]
    if allowed is None or laid.meld.size <= allowed:
        return None
    return {"cards": laid.meld.size, "allowed": allowed, "why": shape.value}, (longest[shape][1],)


@meld_check("meld-too-few-naturals")
def too_few_naturals(laid: Laid, settings: Settings) -> Wrong | None:
    """Fewer natural cards than a meld needs."""
    naturals, needed = laid.meld.naturals, settings.meld_naturals
    if not laid.whole or naturals >= needed or shape_of(laid.meld, settings) is Shape.WILDS:
        return None
    return {"naturals": naturals, "needed": needed}, ("meld-naturals",)


@meld_check("meld-too-many-wilds")
def too_many_wilds(laid: Laid, settings: Settings) -> Wrong | None:
    """More wild cards than the limit in force, the ratio to the natural cards included."""
    meld, allowed = laid.meld, _most_wilds(laid, settings)
    if allowed is None or meld.wilds <= allowed:
        return None
    why = "sequence" if shape_of(meld, settings) is Shape.SEQUENCE else "some" if allowed else "none"
    figures: dict[str, Figure] = {"wilds": meld.wilds, "allowed": allowed, "naturals": meld.naturals, "why": why}
    return figures, _limits_exceeded(meld, settings, allowed)


def _limits_exceeded(meld: Meld, settings: Settings, allowed: int) -> tuple[str, ...]:
    """Of the limits of wild cards, those that a meld exceeds."""
    if shape_of(meld, settings) is Shape.SEQUENCE:
        return ("sequences",)
    ratio = settings.wild_ratio.allows(meld.naturals)
    limits = {"wild-limit": settings.wild_limit} | ({} if ratio is None else {"wild-ratio": ratio})
    if allowed < min(limits.values()):
        return ("natural-only",)
    return tuple(name for name, limit in limits.items() if meld.wilds > limit)


def _most_wilds(laid: Laid, settings: Settings) -> int | None:
    """The most wild cards that the meld may hold; None where something else decides whether it may hold any."""
    meld, shape = laid.meld, shape_of(laid.meld, settings)
    if shape is Shape.SEQUENCE:
        return settings.wild_limit if settings.sequences is Sequences.DIRTY else None
    # With a token that is no card it may have been meant as a sequence, which holds no wild card at all.
    if shape is Shape.WILDS or (not laid.whole and meld.ranks and settings.sequences is Sequences.PURE):
        return None
    if not laid.whole:
        return settings.wild_limit
    # Of several ranks in one meld none is the meld's own: the widest limit tells what is wrong in any case.
    return max(settings.most_wilds(meld.naturals, rank) for rank in meld.ranks or NATURAL_INDICES)


@meld_check("meld-mixed-ranks")
def mixed_ranks(laid: Laid, settings: Settings) -> Wrong | None:
    """Natural cards of different ranks, where all melds are of one rank."""
    ranks = tuple(KINDS[index] for index in laid.meld.ranks)
    return ({"ranks": ranks}, None) if len(ranks) > 1 and settings.sequences is Sequences.NONE else None


@meld_check("meld-sequence-broken")
def sequence_broken(laid: Laid, settings: Settings) -> Wrong | None:
    """Natural cards of different ranks that are no sequence of one suit."""
    meld = laid.meld
    if not laid.whole or shape_of(meld, settings) is not Shape.SEQUENCE or is_unbroken_sequence(meld, settings):
        return None
    return {"ranks": tuple(KINDS[index] for index in meld.ranks), "why": _why_broken(meld, settings)}, None


def _why_broken(meld: Meld, settings: Settings) -> str:
    """The first thing that keeps natural cards of different ranks from being a sequence."""
    naturals = [entry for entry in meld.cards.suited if entry[0] in NATURAL_INDICES]
    if meld.black_threes:
        return "black-three"
    if sum(count for _, _, count in naturals) < meld.naturals:
        return "suit-missing"
    if len({suit for _, suit, _ in naturals}) > 1:
        return "suits"
    if any(count > 1 for _, _, count in naturals):
        return "twice"
    return "wild" if meld.wilds and settings.sequences is not Sequences.DIRTY else "gap"


@meld_check("meld-red-three")
def red_three(laid: Laid, _: Settings) -> Wrong | None:
    """A red three in a meld."""
    return ({"threes": laid.meld.red_threes}, None) if laid.meld.red_threes else None


@meld_check("meld-kind-not-allowed")
def kind_not_allowed(laid: Laid, settings: Settings) -> Wrong | None:
    """Black threes that may not be melded like this: the first thing that keeps them from being a meld."""
    meld = laid.meld
    longest, fewest = settings.black_threes_longest, settings.black_threes_fewest
    figures: dict[str, Figure] = {"threes": meld.black_threes, "wilds": meld.wilds, "cards": meld.size}
    if meld.black_threes and settings.black_threes is BlackThrees.NEVER:
        return {**figures, "why": "never"}, ("black-threes",)
    if not laid.whole or not meld.is_of_black_threes:
        return None
    if longest is not None and meld.size > longest:
        return {**figures, "why": "longest", "allowed": longest}, ("black-threes-longest",)
    if settings.black_threes_wilds == "pure" and meld.wilds:
        return {**figures, "why": "pure"}, ("black-threes-wilds",)
    # Where two will do, a single one is a meld with too few naturals and no other mistake.
    if meld.black_threes < fewest and fewest > settings.meld_naturals:
        return {**figures, "why": "fewest", "needed": fewest}, ("black-threes-fewest",)
    return None


@check("black-threes-not-out")
def black_threes_not_out(table: Table) -> Iterator[Trouble]:
    """Black threes melded by a side that did not go out."""
    why = "never" if table.settings.black_threes is BlackThrees.NEVER else "going-out"
    for lay in table.lays:
        if lay.is_out:
            continue
        for laid in (*lay.melds, *lay.opening):
            if laid.meld.black_threes:
                yield Trouble(laid.where, {"threes": laid.meld.black_threes, "why": why})


@check("meld-rank-repeated")
def rank_repeated(table: Table) -> Iterator[Trouble]:
    """A second meld of a rank by those who lay together, where the sources that speak of it want one."""
    for party in table.parties:
        seen: set[int] = set()
        for laid in party.melds:
            rank = laid.meld.rank if laid.whole and _is_one_of_its_rank(laid.meld, table.settings) else None
            if rank in seen:
                why = "incomplete" if table.settings.repeated_rank == "not-incomplete" else "any"
                yield Trouble(laid.where, {"rank": Kind(KINDS[rank]), "why": why})
            if rank is not None:
                seen.add(rank)


def _is_one_of_its_rank(meld: Meld, settings: Settings) -> bool:
    """Whether no second meld like this one is wanted beside it."""
    incomplete = meld.size < settings.canasta_length
    return settings.repeated_rank == "discouraged" or (settings.repeated_rank == "not-incomplete" and incomplete)
