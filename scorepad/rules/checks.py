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
from scorepad.rules.hand import NOT_EXPOSED
from scorepad.rules.settings import Settings
from scorepad.rules.table import (
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
MessageArgument = int | str | Kind | SideName | Many
"""An argument of a message: a number, a word, a card, a side, or several of a kind."""


def argument_to_json(argument: Any) -> Any:
    """Numbers and text unchanged; other types with their name: `{"side": 0}`, `{"card": "Q"}`."""
    match argument:
        case SideName():
            return {"side": argument.position}
        case Kind():
            return {"card": argument.value}
        case Excess():
            return {"excess": [argument.kind.value, argument.suit, argument.count, argument.limit]}
        case Needed():
            return {"needed": [argument.family, argument.count, argument.has]}
        case tuple():
            return [argument_to_json(part) for part in argument]
        case _:
            return argument


def argument_from_json(stored: Any) -> Any:
    """The argument from this JSON. Raises ValueError if it is invalid."""
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
            return tuple(argument_from_json(part) for part in stored)
        case Mapping():
            raise ValueError("argument")
        case _:
            return stored


StoredArgument = Annotated[
    MessageArgument,
    PlainValidator(argument_from_json, json_schema_input_type=JsonValue),
    PlainSerializer(argument_to_json, return_type=JsonValue),
]
"""An argument of a message that keeps its type in JSON, so that the text can be generated later."""


class Violation(NamedTuple):
    """Where a rule is broken, and the arguments of its message.

    `grounds` are the settings, steps or penalties that decided it (`Ruleset.cited_at`); None means
    all those that the data names for the rule.
    """

    where: Pointer
    grounds: tuple[str, ...] | None
    arguments: Mapping[str, MessageArgument]


def violation(
    where: Pointer, grounds: tuple[str, ...] | None = None, /, **arguments: MessageArgument
) -> Violation:
    """A rule broken here; its message has these arguments."""
    return Violation(where, grounds, arguments)


Check = Callable[[Table], Iterable[Violation]]


class Nature(NamedTuple):
    """Properties of a rule that do not depend on the hand.

    `agreeable` is false if it is no rule of the game: impossible points, cards that the decks do
    not hold, unknown names. A table cannot agree to break it, and scoring relies on it.
    `by_itself`: the fault is in one meld, card or number, regardless of which sides lay melds
    together. `of_opening`: the fault is in the opening, and a minimum is among the arguments.
    """

    agreeable: bool = True
    by_itself: bool = False
    of_opening: bool = False


CHECKS: dict[str, Check] = {}
NATURES: dict[str, Nature] = {}
"""The natures of all rules, also of those without a function in `CHECKS`: what only the reader of
a hand can find.
"""


def hand_check(rule: str, **nature: bool) -> Callable[[Check], Check]:
    """Register a function as the check of a rule id, with these properties (`Nature`)."""

    def register(function: Check) -> Check:
        assert rule not in NATURES, rule
        CHECKS[rule] = function
        NATURES[rule] = Nature(**nature)
        return function

    return register


MeldCheck = Callable[[LaidMeld, Settings], Violation | None]
MELD_CHECKS: dict[str, MeldCheck] = {}


def meld_check(rule: str) -> Callable[[MeldCheck], MeldCheck]:
    """Register a function as the check of a rule id that applies to each single meld."""

    def register(function: MeldCheck) -> MeldCheck:
        MELD_CHECKS[rule] = function

        @hand_check(rule, by_itself=True)
        def every_meld(table: Table) -> Iterator[Violation]:
            for laid in table.judged:
                broken_rule = function(laid, table.settings)
                if broken_rule:
                    yield broken_rule

        return function

    return register


def is_meld(meld: Meld, settings: Settings) -> bool:
    """Whether cards are a legal meld, regardless of player and time."""
    laid = LaidMeld((), meld, shape_of(meld, settings))
    return all(function(laid, settings) is None for function in MELD_CHECKS.values())


SMALLEST_POINTS = 5
"""Every card is worth a multiple of five points."""


# ---------------------------------------------------------------- the entry itself


@hand_check("card-unknown", agreeable=False, by_itself=True)
def card_unknown(table: Table) -> Iterator[Violation]:
    """Tokens that are not cards."""
    for side in table.sides:
        for where, reading in _readings_of(side):
            if reading.unknown:
                yield violation(where, (), tokens=reading.unknown)
    out = table.hand.out
    if out and out.discard and out.discard.unknown:
        yield violation(("out", "discard"), (), tokens=out.discard.unknown)


def _readings_of(side: LaidSide) -> Iterator[tuple[Pointer, Reading]]:
    """All cards of a side's entry, and where they stand."""
    entry = side.entry
    for index, meld in enumerate(entry.melds):
        yield (*side.where, "melds", index), meld.reading
    for index, reading in enumerate(entry.opening or ()):
        yield (*side.where, "opening", "melds", index), reading
    for player, reading in enumerate(entry.held):
        if entry.is_left_apart:
            yield (*side.where, "left", player), reading
        else:
            yield (*side.where, "left"), reading


# A hand has the sides of its match only: other names are reported where it is read (`schemas`).
NATURES["side-unknown"] = Nature(agreeable=False)


@hand_check("penalty-unknown", agreeable=False)
def penalty_unknown(table: Table) -> Iterator[Violation]:
    """A penalty that the variant does not have."""
    known = tuple(table.rules.penalties)
    for side in table.sides:
        for index, penalty in enumerate(side.entry.penalties):
            where: Pointer = (*side.where, "penalties", index)
            # An unknown name needs no source; that a variant has no penalties does.
            if not known:
                grounds = ("penalties-known",)
                yield violation(where, grounds, name=penalty.code, known=known, why="none")
            elif penalty.code not in known:
                yield violation(where, (), name=penalty.code, known=known)


@hand_check("red-three-twice")
def red_three_twice(table: Table) -> Iterator[Violation]:
    """A red three counted both as held and as a penalty for the same side: it is the same offence."""
    for side in table.sides:
        threes = side.entry.red_threes_in_hand
        penalties = side.entry.penalties
        not_exposed = [index for index, each in enumerate(penalties) if each.code == NOT_EXPOSED]
        if threes and not_exposed:
            yield violation(
                (*side.where, "penalties", not_exposed[0]),
                ("penalties-known/same-offence",),
                side=side.name,
                threes=threes,
                penalties=len(not_exposed),
            )


@hand_check("points-not-multiple", agreeable=False, by_itself=True)
def points_not_multiple(table: Table) -> Iterator[Violation]:
    """Points that no cards can have, or not a multiple of the unit of counting."""
    for side in table.sides:
        entry = side.entry
        if isinstance(entry.left, int) and _cannot_be_points(entry.left):
            yield violation((*side.where, "left"), points=entry.left)
        for index, penalty in enumerate(entry.penalties):
            points = penalty.points or 0
            if _cannot_be_points(points):
                where = (*side.where, "penalties", index)
                yield violation(where, (), points=points, why="agreed")
        for index, adjustment in enumerate(entry.adjustments):
            if adjustment.points % SMALLEST_POINTS:
                where = (*side.where, "adjustments", index)
                yield violation(where, (), points=adjustment.points, why="agreed")


def _cannot_be_points(points: int) -> bool:
    return points < 0 or points % SMALLEST_POINTS != 0


@hand_check("target-reached")
def target_reached(table: Table) -> Iterator[Violation]:
    """A side was at the target before the hand."""
    target = table.settings.target
    if target is None:
        return
    for position, score in enumerate(table.before):
        if score >= target:
            where = ("before", position)
            yield violation(where, side=SideName(position), score=score, target=target)


@hand_check("not-checked")
def not_checked(table: Table) -> Iterator[Violation]:
    """A hand entered as a sum agreed at the table."""
    for side in table.sides:
        if side.entry.sum is not None:
            yield violation((*side.where, "sum"), (), side=side.name)


@hand_check("hands-not-apart")
def hands_not_apart(table: Table) -> Iterator[Violation]:
    """The cards left of several players entered together, although a rule applies to each player."""
    if not table.settings.held_together:
        return
    for side in table.sides:
        players_left = side.players - side.is_out
        is_one = bool(side.entry.held) and not side.entry.is_left_apart
        if is_one and players_left > 1:
            yield violation((*side.where, "left"), side=side.name, hands=players_left)


@hand_check("left-in-points")
def left_in_points(table: Table) -> Iterator[Violation]:
    """Cards in hand given in points, although a card in hand costs something other than its points."""
    cost_in_hand = table.settings.left_black_three
    if cost_in_hand == table.settings.card_points[BLACK_THREE]:
        return
    for side in table.sides:
        if isinstance(side.entry.left, int):
            yield violation((*side.where, "left"), side=side.name, points=cost_in_hand)


# ---------------------------------------------------------------- the decks


@hand_check("deck-exceeded", agreeable=False)
def deck_exceeded(table: Table) -> Iterator[Violation]:
    """More of a card, in all melds, all hands and the last discard, than the decks hold."""
    decks = table.settings.decks
    excess: list[Excess] = []
    for kind, count, limit in zip(KINDS, table.named.counts, in_decks(decks), strict=True):
        if count > limit and kind is not Kind.RED_THREE:
            excess.append(Excess(kind, "", count, limit))
    for index, suit, count in table.named.suited:
        if count > decks and index != RED_THREE:
            excess.append(Excess(KINDS[index], suit, count, decks))
    if excess:
        yield violation(("sides",), sides=table.side_names, excess=tuple(excess))


@hand_check("red-threes-exceeded", agreeable=False)
def red_threes_exceeded(table: Table) -> Iterator[Violation]:
    """More red threes, exposed and held, over all sides, than the decks hold."""
    entries = [side.entry for side in table.sides]
    count = sum(entry.red_threes + entry.red_threes_in_hand for entry in entries)
    limit = in_decks(table.settings.decks)[RED_THREE]
    if count > limit:
        yield violation(("sides",), sides=table.side_names, threes=count, limit=limit)


# ---------------------------------------------------------------- single melds


@meld_check("meld-too-short")
def meld_too_short(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Fewer cards than a meld needs; melds of wild cards alone may need more than others."""
    needed = settings.wild_melds_shortest if laid.shape == "wilds" else settings.meld_shortest
    if not laid.whole or laid.meld.size >= needed:
        return None
    why = "any"
    setting = "meld-shortest"
    if needed > settings.meld_shortest:
        why = "wilds"
        setting = "wild-melds-shortest"
    return violation(laid.where, (setting,), cards=laid.meld.size, needed=needed, why=why)


@meld_check("meld-too-long")
def meld_too_long(laid: LaidMeld, settings: Settings) -> Violation | None:
    """More cards than a meld may have."""
    setting = "meld-longest"
    allowed = settings.meld_longest
    if laid.shape == "sequence":
        setting = "sequences"
        allowed = len(NATURAL_INDICES)
    elif laid.shape == "wilds":
        setting = "wild-melds-longest"
        # An unreadable token may have been a natural card: then it is a group.
        allowed = settings.wild_melds_longest if laid.whole else settings.meld_longest
    size = laid.meld.size
    if allowed is None or size <= allowed:
        return None
    return violation(laid.where, (setting,), cards=size, allowed=allowed, why=laid.shape)


@meld_check("meld-too-few-naturals")
def meld_too_few_naturals(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Fewer natural cards than a meld needs."""
    naturals = laid.meld.naturals
    needed = settings.meld_naturals
    if not laid.whole or naturals >= needed or laid.shape == "wilds":
        return None
    return violation(laid.where, ("meld-naturals",), naturals=naturals, needed=needed)


@meld_check("meld-too-many-wilds")
def meld_too_many_wilds(laid: LaidMeld, settings: Settings) -> Violation | None:
    """More wild cards than the limit in force, including the ratio to the natural cards."""
    if laid.shape == "wilds" or _may_be_pure_sequence(laid, settings):
        return None
    meld = laid.meld
    allowed = _wilds_allowed(laid, settings)
    if meld.wilds <= allowed:
        return None
    why = "some" if allowed else "none"
    if laid.shape == "sequence":
        why = "sequence"
    return violation(
        laid.where,
        _grounds_of_wilds(laid, settings, allowed),
        wilds=meld.wilds,
        allowed=allowed,
        naturals=meld.naturals,
        why=why,
    )


def _may_be_pure_sequence(laid: LaidMeld, settings: Settings) -> bool:
    """Whether it is a sequence that may hold no wild card at all, or was meant as one if a token is
    unreadable.
    """
    if settings.sequences != "pure":
        return False
    return laid.shape == "sequence" or (not laid.whole and bool(laid.meld.ranks))


def _wilds_allowed(laid: LaidMeld, settings: Settings) -> int:
    if not laid.whole or laid.shape == "sequence":
        return settings.wild_limit
    # With several ranks in one meld, the widest limit gives what is wrong in any case.
    ranks = laid.meld.ranks or NATURAL_INDICES
    return max(settings.most_wilds(laid.meld.naturals, rank) for rank in ranks)


def _grounds_of_wilds(laid: LaidMeld, settings: Settings, allowed: int) -> tuple[str, ...]:
    """The settings that allow a meld no more wild cards."""
    if laid.shape == "sequence":
        return ("sequences",)
    limits = {"wild-limit": settings.wild_limit}
    ratio = settings.ratio_limit(laid.meld.naturals)
    if ratio is not None:
        limits["wild-ratio"] = ratio
    if allowed < min(limits.values()):
        return ("natural-only",)
    return tuple(name for name, limit in limits.items() if laid.meld.wilds > limit)


@meld_check("meld-mixed-ranks")
def meld_mixed_ranks(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Natural cards of different ranks, if all melds are of one rank."""
    if len(laid.meld.ranks) <= 1 or settings.sequences != "none":
        return None
    return violation(laid.where, ranks=_kinds_of(laid.meld))


def _kinds_of(meld: Meld) -> tuple[Kind, ...]:
    return tuple(KINDS[index] for index in meld.ranks)


@meld_check("meld-sequence-broken")
def meld_sequence_broken(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Natural cards of different ranks that are not a sequence of one suit, and the first fault
    found.
    """
    meld = laid.meld
    if not laid.whole or laid.shape != "sequence" or is_unbroken_sequence(meld, settings):
        return None
    return violation(laid.where, ranks=_kinds_of(meld), why=_why_broken(meld, settings))


def _why_broken(meld: Meld, settings: Settings) -> str:
    naturals = [entry for entry in meld.cards.suited if entry[0] in NATURAL_INDICES]
    counts = [count for _, _, count in naturals]
    if meld.black_threes:
        return "black-three"
    if sum(counts) < meld.naturals:
        return "suit-missing"
    if len({suit for _, suit, _ in naturals}) > 1:
        return "suits"
    if any(count > 1 for count in counts):
        return "twice"
    if meld.wilds and settings.sequences != "dirty":
        return "wild"
    return "gap"


@meld_check("meld-red-three")
def meld_red_three(laid: LaidMeld, _: Settings) -> Violation | None:
    """A red three in a meld."""
    if not laid.meld.red_threes:
        return None
    return violation(laid.where, threes=laid.meld.red_threes)


@meld_check("meld-kind-not-allowed")
def meld_kind_not_allowed(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Black threes that may not be melded like this, and the first reason why."""
    meld = laid.meld
    longest = settings.black_threes_longest
    fewest = settings.black_threes_fewest
    if meld.black_threes and settings.black_threes == "never":
        return _black_threes_violation(laid, "black-threes", why="never")
    if not laid.whole or not meld.is_of_black_threes:
        return None
    if longest is not None and meld.size > longest:
        return _black_threes_violation(laid, "black-threes-longest", why="longest", allowed=longest)
    if settings.black_threes_wilds == "pure" and meld.wilds:
        return _black_threes_violation(laid, "black-threes-wilds", why="pure")
    # If two are enough, a single one is a meld with too few naturals and has no other fault.
    if meld.black_threes < fewest and fewest > settings.meld_naturals:
        return _black_threes_violation(laid, "black-threes-fewest", why="fewest", needed=fewest)
    return None


def _black_threes_violation(
    laid: LaidMeld, setting: str, **arguments: MessageArgument
) -> Violation:
    meld = laid.meld
    return violation(
        laid.where,
        (setting,),
        threes=meld.black_threes,
        wilds=meld.wilds,
        cards=meld.size,
        **arguments,
    )


@hand_check("black-threes-not-out")
def black_threes_not_out(table: Table) -> Iterator[Violation]:
    """Black threes melded by a side that did not go out.

    Beside cards of other ranks they are no meld even when going out, so that is only reported where
    they are never melded.
    """
    are_never_melded = table.settings.black_threes == "never"
    for side in table.sides:
        if side.is_out:
            continue
        for laid in (*side.melds, *side.opening):
            black_threes = laid.meld.black_threes
            if are_never_melded and black_threes:
                yield violation(laid.where, threes=black_threes, why="never")
            elif not are_never_melded and laid.meld.is_of_black_threes:
                yield violation(laid.where, threes=black_threes, why="going-out")


@hand_check("meld-rank-repeated")
def meld_rank_repeated(table: Table) -> Iterator[Violation]:
    """A second meld of the same rank in a party, if the sources that mention it want only one."""
    if table.settings.repeated_rank == "usual":
        return
    incomplete_only = table.settings.repeated_rank == "not-incomplete"
    why = "incomplete" if incomplete_only else "any"
    for party in table.parties:
        ranks: set[int] = set()
        for laid in party.melds:
            rank = laid.meld.rank
            if rank is None or not laid.whole:
                continue
            if incomplete_only and laid.meld.size >= table.settings.canasta_length:
                continue
            if rank in ranks:
                yield violation(laid.where, rank=KINDS[rank], why=why)
            ranks.add(rank)
