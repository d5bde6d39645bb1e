"""The registry of checks, and the checks of the entry itself, of the decks and of single melds.

A check yields where a rule is broken and the arguments of its message; `judge` adds the rule id,
the severity and the citations. For a meld with an unreadable token, a check reports only what is wrong
for every meaning of that token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from pydantic import JsonValue, PlainSerializer, PlainValidator

from scorepad.rules.cards import (
    BLACK_THREE,
    KINDS,
    NATURAL_INDICES,
    RED_THREE,
    Kind,
    Reading,
    in_decks,
)
from scorepad.rules.settings import Settings
from scorepad.rules.table import (
    NOT_EXPOSED,
    LaidMeld,
    LaidSide,
    Meld,
    Pointer,
    SideName,
    Table,
    is_unbroken_sequence,
    shape_of,
)


@dataclass(frozen=True, slots=True)
class Excess:
    """More of a card than exists: `count`, but the decks hold `limit`; `suit` is set if the suit
    was given.
    """

    kind: Kind
    suit: str
    count: int
    limit: int


@dataclass(frozen=True, slots=True)
class Needed:
    """Canastas of a family that going out needs, and how many the side has."""

    family: str
    count: int
    has: int


Many = (
    tuple[str, ...]
    | tuple[Kind, ...]
    | tuple[Excess, ...]
    | tuple[SideName, ...]
    | tuple[Needed, ...]
)
Figure = int | str | Kind | SideName | Many


def figure_json(figure: Any) -> Any:
    """Numbers and text unchanged; other types with their name: `{"side": 0}`, `{"card": "Q"}`."""
    match figure:
        case SideName():
            return {"side": figure.position}
        case Kind():
            return {"card": figure.value}
        case Excess():
            return {"excess": [figure.kind.value, figure.suit, figure.count, figure.limit]}
        case Needed():
            return {"needed": [figure.family, figure.count, figure.has]}
        case tuple():
            return [figure_json(part) for part in figure]
        case _:
            return figure


def figure_from(stored: Any) -> Any:
    """The figure from this JSON. Raises ValueError if it is invalid."""
    match stored:
        case {"side": position}:
            return SideName(position)
        case {"card": token}:
            return Kind(token)
        case {"excess": [token, suit, count, limit]}:
            return Excess(Kind(token), suit, count, limit)
        case {"needed": [family, count, has]}:
            return Needed(family, count, has)
        case list():
            return tuple(figure_from(part) for part in stored)
        case Mapping():
            raise ValueError("figure")
        case _:
            return stored


StoredFigure = Annotated[
    Figure,
    PlainValidator(figure_from, json_schema_input_type=JsonValue),
    PlainSerializer(figure_json, return_type=JsonValue),
]
"""A figure that keeps its type in JSON, so that the text can be generated later."""


class Violation(NamedTuple):
    """Where a rule is broken, and the arguments of its message.

    `grounds` are the settings, steps or penalties that decided it (`Ruleset.cited_at`); None means
    all those that the data names for the rule.
    """

    where: Pointer
    grounds: tuple[str, ...] | None
    arguments: Mapping[str, Figure]


def violation(
    where: Pointer, grounds: tuple[str, ...] | None = None, /, **arguments: Figure
) -> Violation:
    """A rule broken here; its message has these arguments."""
    return Violation(where, grounds, arguments)


Check = Callable[[Table], Iterable[Violation]]


class Nature(NamedTuple):
    """Properties of a rule that do not depend on the hand.

    `agreeable` is false if it is no rule of the game: impossible figures, cards that the decks do
    not hold, unknown names. A table cannot agree to break it, and scoring relies on it.
    `by_itself`: the fault is in one meld, card or figure, regardless of which sides lay together.
    `of_opening`: the fault is in the opening, and a minimum is among the figures.
    """

    agreeable: bool = True
    by_itself: bool = False
    of_opening: bool = False


CHECKS: dict[str, Check] = {}
NATURES: dict[str, Nature] = {}
"""Those of all rules: `CHECKS` has none for what only the reader of a hand can find."""


def check(rule: str, **nature: bool) -> Callable[[Check], Check]:
    """Register a function as the check of a rule id, with these properties (`Nature`)."""

    def register(function: Check) -> Check:
        assert rule not in NATURES, rule
        CHECKS[rule], NATURES[rule] = function, Nature(**nature)
        return function

    return register


MeldCheck = Callable[[LaidMeld, Settings], Violation | None]
MELD_CHECKS: dict[str, MeldCheck] = {}


def meld_check(rule: str) -> Callable[[MeldCheck], MeldCheck]:
    """Register a function as the check of a rule id that applies to each single meld."""

    def register(function: MeldCheck) -> MeldCheck:
        MELD_CHECKS[rule] = function

        @check(rule, by_itself=True)
        def every_meld(table: Table) -> Iterable[Violation]:
            return filter(None, (function(laid, table.settings) for laid in table.judged))

        return function

    return register


def is_meld(meld: Meld, settings: Settings) -> bool:
    """Whether cards are a legal meld, regardless of player and time."""
    laid = LaidMeld((), meld, shape_of(meld, settings))
    return all(function(laid, settings) is None for function in MELD_CHECKS.values())


SMALLEST_POINTS = 5
"""Every card is worth a multiple of five points."""


# ---------------------------------------------------------------- the entry itself


@check("card-unknown", agreeable=False, by_itself=True)
def card_unknown(table: Table) -> Iterator[Violation]:
    """Tokens that are not cards."""
    readings = [each for lay in table.lays for each in _readings_of(lay)]
    if table.hand.out:
        readings.append((("out", "discard"), table.hand.out.discard))
    for place, reading in readings:
        if reading.unknown:
            yield violation(place, (), tokens=reading.unknown)


def _readings_of(lay: LaidSide) -> Iterator[tuple[Pointer, Reading]]:
    entry, place = lay.entry, lay.place
    for number, meld in enumerate(entry.melds):
        yield (*place, "melds", number), meld.reading
    for number, reading in enumerate(entry.opening or ()):
        yield (*place, "opening", "melds", number), reading
    for number, reading in enumerate(entry.held):
        yield (*place, "left", number) if entry.left_apart else (*place, "left"), reading


# A hand has the sides of its match only: other names are reported where it is read (`schemas`).
NATURES["side-unknown"] = Nature(agreeable=False)


@check("penalty-unknown", agreeable=False)
def penalty_unknown(table: Table) -> Iterator[Violation]:
    """A penalty that the variant does not have."""
    known = tuple(table.rules.penalties)
    for lay in table.lays:
        for number, penalty in enumerate(lay.entry.penalties):
            place: Pointer = (*lay.place, "penalties", number)
            # An unknown name needs no source; that a variant has no penalties does.
            if not known:
                yield violation(
                    place, ("penalties-known",), name=penalty.code, known=known, why="none"
                )
            elif penalty.code not in known:
                yield violation(place, (), name=penalty.code, known=known)


@check("red-three-twice")
def red_three_twice(table: Table) -> Iterator[Violation]:
    """A red three counted both as held and as a penalty for the same side: it is the same offence."""
    for lay in table.lays:
        threes, penalties = lay.entry.red_threes_in_hand, lay.entry.penalties
        given = [number for number, penalty in enumerate(penalties) if penalty.code == NOT_EXPOSED]
        if threes and given:
            place, grounds = (*lay.place, "penalties", given[0]), ("penalties-known/same-offence",)
            yield violation(place, grounds, side=lay.side, threes=threes, penalties=len(given))


@check("points-not-multiple", agreeable=False, by_itself=True)
def points_not_multiple(table: Table) -> Iterator[Violation]:
    """Points that no cards can have, or not a multiple of the unit of counting."""
    for lay in table.lays:
        entry, place = lay.entry, lay.place
        if isinstance(entry.left, int) and (entry.left < 0 or entry.left % SMALLEST_POINTS):
            yield violation((*place, "left"), points=entry.left)
        for number, penalty in enumerate(entry.penalties):
            points = penalty.points or 0
            if points < 0 or points % SMALLEST_POINTS:
                yield violation((*place, "penalties", number), (), points=points, why="agreed")
        for number, adjustment in enumerate(entry.adjustments):
            if adjustment.points % SMALLEST_POINTS:
                yield violation(
                    (*place, "adjustments", number), (), points=adjustment.points, why="agreed"
                )


@check("target-reached")
def target_reached(table: Table) -> Iterator[Violation]:
    """A side was at the target before the hand."""
    target = table.settings.target
    for position, score in enumerate(table.hand.before):
        if target is not None and score >= target:
            yield violation(
                ("before", position), side=SideName(position), score=score, target=target
            )


@check("not-checked")
def not_checked(table: Table) -> Iterator[Violation]:
    """A hand entered as a sum agreed at the table."""
    for lay in table.lays:
        if lay.entry.sum is not None:
            yield violation((*lay.place, "sum"), (), side=lay.side)


@check("hands-not-apart")
def hands_not_apart(table: Table) -> Iterator[Violation]:
    """Several hands entered as one, although a rule applies to each single hand."""
    for lay in table.lays:
        hands = lay.hands - lay.is_out
        is_one = bool(lay.entry.held) and not lay.entry.left_apart
        if table.settings.held_together and is_one and hands > 1:
            yield violation((*lay.place, "left"), side=lay.side, hands=hands)


@check("left-in-points")
def left_in_points(table: Table) -> Iterator[Violation]:
    """Cards in hand given in points, although a card in hand costs something other than its points."""
    worth = table.settings.left_black_three
    for lay in table.lays if worth != table.settings.card_points[BLACK_THREE] else ():
        if isinstance(lay.entry.left, int):
            yield violation((*lay.place, "left"), side=lay.side, points=worth)


# ---------------------------------------------------------------- the decks


@check("deck-exceeded", agreeable=False)
def deck_exceeded(table: Table) -> Iterator[Violation]:
    """More of a card, in all melds, all hands and the last discard, than the decks hold."""
    decks = table.settings.decks
    counts = zip(KINDS, table.named.counts, in_decks(decks), strict=True)
    named = [(kind, "", count, limit) for kind, count, limit in counts]
    named += [(KINDS[index], suit, count, decks) for index, suit, count in table.named.suited]
    excess = tuple(
        Excess(*card) for card in named if card[2] > card[3] and card[0] is not Kind.RED_THREE
    )
    if excess:
        yield violation(("sides",), sides=table.hand.side_names, excess=excess)


@check("red-threes-exceeded", agreeable=False)
def red_threes_exceeded(table: Table) -> Iterator[Violation]:
    """More red threes, exposed and held, over all sides, than the decks hold."""
    entries = [lay.entry for lay in table.lays]
    count = sum(entry.red_threes + entry.red_threes_in_hand for entry in entries)
    limit = in_decks(table.settings.decks)[RED_THREE]
    if count > limit:
        yield violation(("sides",), sides=table.hand.side_names, threes=count, limit=limit)


# ---------------------------------------------------------------- single melds


@meld_check("meld-too-short")
def too_short(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Fewer cards than a meld needs; melds of wild cards alone may need more than others."""
    needed = settings.wild_melds_shortest if laid.shape == "wilds" else settings.meld_shortest
    if not laid.whole or laid.meld.size >= needed:
        return None
    why, ground = (
        ("wilds", "wild-melds-shortest")
        if needed > settings.meld_shortest
        else ("any", "meld-shortest")
    )
    return violation(laid.where, (ground,), cards=laid.meld.size, needed=needed, why=why)


@meld_check("meld-too-long")
def too_long(laid: LaidMeld, settings: Settings) -> Violation | None:
    """More cards than a meld may have."""
    longest = {
        "group": (settings.meld_longest, "meld-longest"),
        "wilds": (settings.wild_melds_longest, "wild-melds-longest"),
        "sequence": (len(NATURAL_INDICES), "sequences"),
    }
    # An unreadable token may have been a natural card.
    allowed = longest["group" if laid.shape == "wilds" and not laid.whole else laid.shape][0]
    if allowed is None or laid.meld.size <= allowed:
        return None
    return violation(
        laid.where, (longest[laid.shape][1],), cards=laid.meld.size, allowed=allowed, why=laid.shape
    )


@meld_check("meld-too-few-naturals")
def too_few_naturals(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Fewer natural cards than a meld needs."""
    naturals, needed = laid.meld.naturals, settings.meld_naturals
    if not laid.whole or naturals >= needed or laid.shape == "wilds":
        return None
    return violation(laid.where, ("meld-naturals",), naturals=naturals, needed=needed)


@meld_check("meld-too-many-wilds")
def too_many_wilds(laid: LaidMeld, settings: Settings) -> Violation | None:
    """More wild cards than the limit in force, including the ratio to the natural cards."""
    meld, allowed = laid.meld, settings.wild_limit
    is_sequence, limits = laid.shape == "sequence", {"wild-limit": allowed}
    # With an unreadable token it may have been meant as a sequence; a pure one holds no wild card
    # at all.
    is_pure = settings.sequences == "pure" and (
        is_sequence or (not laid.whole and bool(meld.ranks))
    )
    if laid.shape == "wilds" or is_pure:
        return None
    if laid.whole and not is_sequence:
        # With several ranks in one meld, the widest limit gives what is wrong in any case.
        allowed = max(
            settings.most_wilds(meld.naturals, rank) for rank in meld.ranks or NATURAL_INDICES
        )
    if meld.wilds <= allowed:
        return None
    ratio = settings.ratio_limit(meld.naturals)
    limits |= {} if ratio is None else {"wild-ratio": ratio}
    exceeded = tuple(name for name, limit in limits.items() if meld.wilds > limit)
    grounds = (
        ("sequences",)
        if is_sequence
        else ("natural-only",)
        if allowed < min(limits.values())
        else exceeded
    )
    why = "sequence" if is_sequence else "some" if allowed else "none"
    return violation(
        laid.where, grounds, wilds=meld.wilds, allowed=allowed, naturals=meld.naturals, why=why
    )


@meld_check("meld-mixed-ranks")
def mixed_ranks(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Natural cards of different ranks, if all melds are of one rank."""
    ranks = tuple(KINDS[index] for index in laid.meld.ranks)
    return (
        violation(laid.where, ranks=ranks)
        if len(ranks) > 1 and settings.sequences == "none"
        else None
    )


@meld_check("meld-sequence-broken")
def sequence_broken(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Natural cards of different ranks that are not a sequence of one suit, and the first fault
    found.
    """
    meld = laid.meld
    if not laid.whole or laid.shape != "sequence" or is_unbroken_sequence(meld, settings):
        return None
    naturals = [entry for entry in meld.cards.suited if entry[0] in NATURAL_INDICES]
    reasons = {
        "black-three": meld.black_threes > 0,
        "suit-missing": sum(count for _, _, count in naturals) < meld.naturals,
        "suits": len({suit for _, suit, _ in naturals}) > 1,
        "twice": any(count > 1 for _, _, count in naturals),
        "wild": meld.wilds > 0 and settings.sequences != "dirty",
        "gap": True,
    }
    why = next(name for name, holds in reasons.items() if holds)
    return violation(laid.where, ranks=tuple(KINDS[index] for index in meld.ranks), why=why)


@meld_check("meld-red-three")
def red_three(laid: LaidMeld, _: Settings) -> Violation | None:
    """A red three in a meld."""
    return violation(laid.where, threes=laid.meld.red_threes) if laid.meld.red_threes else None


@meld_check("meld-kind-not-allowed")
def kind_not_allowed(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Black threes that may not be melded like this, and the first reason why."""
    meld, longest, fewest = laid.meld, settings.black_threes_longest, settings.black_threes_fewest
    is_read, more = laid.whole and meld.is_of_black_threes, dict[str, int]()
    if meld.black_threes and settings.black_threes == "never":
        why, ground = "never", "black-threes"
    elif is_read and longest is not None and meld.size > longest:
        why, ground, more = "longest", "black-threes-longest", {"allowed": longest}
    elif is_read and settings.black_threes_wilds == "pure" and meld.wilds:
        why, ground = "pure", "black-threes-wilds"
    # If two are enough, a single one is a meld with too few naturals and has no other fault.
    elif is_read and meld.black_threes < fewest and fewest > settings.meld_naturals:
        why, ground, more = "fewest", "black-threes-fewest", {"needed": fewest}
    else:
        return None
    return violation(
        laid.where,
        (ground,),
        threes=meld.black_threes,
        wilds=meld.wilds,
        cards=meld.size,
        why=why,
        **more,
    )


@check("black-threes-not-out")
def black_threes_not_out(table: Table) -> Iterator[Violation]:
    """Black threes melded by a side that did not go out.

    Beside cards of other ranks they are no meld even when going out, so that is only told where
    they are never melded.
    """
    never = table.settings.black_threes == "never"
    why = "never" if never else "going-out"
    for lay in table.lays:
        if lay.is_out:
            continue
        for laid in (*lay.melds, *lay.opening):
            has_threes = laid.meld.black_threes > 0 if never else laid.meld.is_of_black_threes
            if has_threes:
                yield violation(laid.where, threes=laid.meld.black_threes, why=why)


@check("meld-rank-repeated")
def rank_repeated(table: Table) -> Iterator[Violation]:
    """A second meld of the same rank in a party, if the sources that mention it want only one."""
    wanted = table.settings.repeated_rank
    incomplete_only = wanted == "not-incomplete"
    for party in table.parties:
        seen: set[int] = set()
        for laid in party.melds if wanted != "usual" else ():
            rank = laid.meld.rank
            if rank is None or not laid.whole:
                continue
            if incomplete_only and laid.meld.size >= table.settings.canasta_length:
                continue
            if rank in seen:
                yield violation(
                    laid.where,
                    rank=Kind(KINDS[rank]),
                    why="incomplete" if incomplete_only else "any",
                )
            seen.add(rank)
