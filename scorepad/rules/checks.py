"""The registry of checks, and the checks of the entry itself, of the decks and of single melds.

A check yields where a rule is broken and the arguments of its message; `judge` adds the rule id,
the severity and the citations. For a meld with an unreadable token, a check reports only what is wrong
for every meaning of that token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
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
    Party,
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
    """An argument of a message as JSON; numbers and text stay as they are.

    `Kind.QUEEN` → `{"card": "Q"}`, `SideName(0)` → `{"side": 0}`, `Needed("natural", 2, 1)` →
    `{"needed": ["natural", 2, 1]}`, a tuple → a list.
    """
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
    """The argument of a message from the JSON that `argument_to_json` made of it: `{"card": "Q"}` →
    `Kind.QUEEN`. Raises ValueError if it is invalid.
    """
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
    """A rule that is broken somewhere in a hand."""

    where: Pointer
    """The place in the hand."""
    cited_settings: tuple[str, ...] | None
    """The settings, steps or penalties that decided it (`Ruleset.cited_at`): their sources are cited.
    None: all those that the data names for the rule.
    """
    arguments: Mapping[str, MessageArgument]
    """The values of its message, by name."""


NO_SOURCE: tuple[str, ...] = ()
"""The settings cited for a fault that needs no source, such as a card that does not exist."""


def violation(
    where: Pointer, *, cited_settings: tuple[str, ...] | None = None, **arguments: MessageArgument
) -> Violation:
    """A rule broken at this place of the hand; its message has these arguments.

    `cited_settings` are the names of the settings that decided it; without them, all those that the data
    names for the rule.
    """
    return Violation(where, cited_settings, arguments)


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
    """Register a function as the check of a rule, which looks at a whole hand.

    `rule` is the rule's id in the data, `nature` are its properties (`Nature`).
    """
    return partial(_register_hand_check, rule, Nature(**nature))


def _register_hand_check(rule: str, nature: Nature, check_hand: Check) -> Check:
    """Store a function as the check of a rule that looks at whole hands.

    Returns the function unchanged, as a decorator has to.
    """
    assert rule not in NATURES, f"two checks of the rule {rule}"
    CHECKS[rule] = check_hand
    NATURES[rule] = nature
    return check_hand


MeldCheck = Callable[[LaidMeld, Settings], Violation | None]
MELD_CHECKS: dict[str, MeldCheck] = {}


def meld_check(rule: str) -> Callable[[MeldCheck], MeldCheck]:
    """Register a function as the check of a rule, which looks at a single meld.

    `rule` is the rule's id in the data. The check of a hand calls the function for every meld.
    """
    return partial(_register_meld_check, rule)


def _register_meld_check(rule: str, check_meld: MeldCheck) -> MeldCheck:
    """Store a function as the check of a rule that looks at single melds.

    The rule also needs a check of whole hands: that calls the function for every meld. Returns the
    function unchanged, as a decorator has to.
    """
    MELD_CHECKS[rule] = check_meld
    check_hand = partial(_check_every_meld, check_meld)
    _register_hand_check(rule, Nature(by_itself=True), check_hand)
    return check_meld


def _check_every_meld(check_meld: MeldCheck, table: Table) -> Iterator[Violation]:
    """What a check of single melds finds in the melds of a hand."""
    for laid in table.judged:
        broken_rule = check_meld(laid, table.settings)
        if broken_rule:
            yield broken_rule


def is_meld(meld: Meld, settings: Settings) -> bool:
    """Whether cards are a legal meld, regardless of player and time."""
    laid = LaidMeld((), meld, shape_of(meld, settings))
    return all(function(laid, settings) is None for function in MELD_CHECKS.values())


SMALLEST_POINTS = 5
"""Every card is worth a multiple of five points."""


# ---------------------------------------------------------------- the entry itself


@hand_check("card-unknown", agreeable=False, by_itself=True)
def card_unknown(table: Table) -> Iterator[Violation]:
    """Tokens that are not cards, anywhere in the hand."""
    for side in table.sides:
        for placed in _unreadable_cards(side):
            yield violation(placed.where, cited_settings=NO_SOURCE, tokens=placed.reading.unknown)
    out = table.hand.out
    if out and out.discard and out.discard.unknown:
        where = ("out", "discard")
        yield violation(where, cited_settings=NO_SOURCE, tokens=out.discard.unknown)


class _PlacedReading(NamedTuple):
    """Cards of the entry of a side, and where they stand in the hand."""

    where: Pointer
    reading: Reading


def _unreadable_cards(side: LaidSide) -> Iterator[_PlacedReading]:
    """The melds, the melds of the opening and the cards still in hand of a side's entry in which
    there are tokens that are not cards.
    """
    entry = side.entry
    for index, meld in enumerate(entry.melds):
        if meld.reading.unknown:
            yield _PlacedReading((*side.where, "melds", index), meld.reading)
    for index, reading in enumerate(entry.opening or ()):
        if reading.unknown:
            yield _PlacedReading((*side.where, "opening", "melds", index), reading)
    for player, reading in enumerate(entry.held):
        if not reading.unknown:
            continue
        where: Pointer = (*side.where, "left")
        if entry.left.is_by_player:
            where = (*side.where, "left", player)
        yield _PlacedReading(where, reading)


# A hand has the sides of its match only: other names are reported where it is read (`schemas`).
NATURES["side-unknown"] = Nature(agreeable=False)


@hand_check("penalty-unknown", agreeable=False)
def penalty_unknown(table: Table) -> Iterator[Violation]:
    """A penalty that the variant does not have."""
    known = tuple(table.rules.penalties)
    for side in table.sides:
        for index, penalty in enumerate(side.entry.penalties):
            if penalty.code not in known:
                where = (*side.where, "penalties", index)
                yield _unknown_penalty(where, penalty.code, known)


def _unknown_penalty(where: Pointer, code: str, known: tuple[str, ...]) -> Violation:
    """The violation of a penalty with this code, which is none of those known in the variant."""
    if known:
        return violation(where, cited_settings=NO_SOURCE, name=code, known=known)
    # That a variant has no penalties at all is a rule, which has its source.
    return violation(where, cited_settings=("penalties-known",), name=code, known=known, why="none")


@hand_check("red-three-twice")
def red_three_twice(table: Table) -> Iterator[Violation]:
    """A red three counted both as held and as a penalty for the same side: it is the same offence."""
    for side in table.sides:
        penalties = _penalties_not_exposed(side)
        if not penalties:
            continue
        threes_held = side.entry.red_threes_in_hand
        if threes_held == 0:
            continue
        yield violation(
            (*side.where, "penalties", penalties[0]),
            cited_settings=("penalties-known/same-offence",),
            side=side.name,
            threes=threes_held,
            penalties=len(penalties),
        )


def _penalties_not_exposed(side: LaidSide) -> list[int]:
    """Which penalties of a side, by their indices, are for a red three that was not exposed."""
    indices: list[int] = []
    for index, penalty in enumerate(side.entry.penalties):
        if penalty.code == NOT_EXPOSED:
            indices.append(index)
    return indices


@hand_check("points-not-multiple", agreeable=False, by_itself=True)
def points_not_multiple(table: Table) -> Iterator[Violation]:
    """Points in the entry of a side that are no multiple of five, as all points of cards are, or
    that are negative where they cannot be.
    """
    for side in table.sides:
        points_left = side.entry.left.points  # 0 if the cards in hand are given, not their points
        if points_left < 0 or not _is_multiple(points_left):
            yield violation((*side.where, "left"), points=points_left)
        yield from _wrong_points_of_penalties(side)
        yield from _wrong_points_of_adjustments(side)


def _wrong_points_of_penalties(side: LaidSide) -> Iterator[Violation]:
    """Points that the table gave a penalty of a side, if they are negative or no multiple of five."""
    for index, penalty in enumerate(side.entry.penalties):
        points = penalty.points or 0  # none are given if the rules say what it costs
        if points < 0 or not _is_multiple(points):
            where = (*side.where, "penalties", index)
            yield violation(where, cited_settings=NO_SOURCE, points=points, why="agreed")


def _wrong_points_of_adjustments(side: LaidSide) -> Iterator[Violation]:
    """Points that the players agreed to add or subtract, if they are no multiple of five."""
    for index, adjustment in enumerate(side.entry.adjustments):
        if not _is_multiple(adjustment.points):
            where = (*side.where, "adjustments", index)
            yield violation(where, cited_settings=NO_SOURCE, points=adjustment.points, why="agreed")


def _is_multiple(points: int) -> bool:
    """Whether points are a multiple of five, as those of every card are."""
    return points % SMALLEST_POINTS == 0


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
            yield violation((*side.where, "sum"), cited_settings=NO_SOURCE, side=side.name)


@hand_check("hands-not-apart")
def hands_not_apart(table: Table) -> Iterator[Violation]:
    """The cards left of several players entered together, although a rule applies to each player."""
    has_rule_for_each_player = bool(table.settings.held_together)
    if not has_rule_for_each_player:
        return
    for side in table.sides:
        players_holding_cards = side.players
        if side.is_out:
            players_holding_cards -= 1
        are_together = bool(side.entry.held) and not side.entry.left.is_by_player
        if are_together and players_holding_cards > 1:
            where = (*side.where, "left")
            yield violation(where, side=side.name, hands=players_holding_cards)


@hand_check("left-in-points")
def left_in_points(table: Table) -> Iterator[Violation]:
    """A side gives only the points of the cards still in hand, where these do not show their cost.

    In some variants a black three is worth 5 points, but one left in hand costs nothing. If a side
    gives its cards as 25 points, it may have counted black threes among them.
    """
    cost_of_black_three = table.settings.left_black_three
    worth_of_black_three = table.settings.card_points[BLACK_THREE]
    if cost_of_black_three == worth_of_black_three:
        return
    for side in table.sides:
        if side.entry.left.is_in_points:
            yield violation((*side.where, "left"), side=side.name, points=cost_of_black_three)


# ---------------------------------------------------------------- the decks


@hand_check("deck-exceeded", agreeable=False)
def deck_exceeded(table: Table) -> Iterator[Violation]:
    """More of a card, in all melds, all hands and the last discard, than the decks hold.

    Red threes have a check of their own.
    """
    decks = table.settings.decks
    excess: list[Excess] = []
    for kind, count, limit in zip(KINDS, table.named.counts, in_decks(decks), strict=True):
        if count > limit and kind is not Kind.RED_THREE:
            excess.append(Excess(kind, "", count, limit))
    for cards in table.named.suited:
        # Of each suited card there is one in every deck.
        if cards.number > decks and cards.kind != RED_THREE:
            excess.append(Excess(KINDS[cards.kind], cards.suit, cards.number, decks))
    if excess:
        yield violation(("sides",), sides=table.side_names, excess=tuple(excess))


@hand_check("red-threes-exceeded", agreeable=False)
def red_threes_exceeded(table: Table) -> Iterator[Violation]:
    """More red threes, exposed and held, over all sides, than the decks hold."""
    count = 0
    for side in table.sides:
        count += side.entry.red_threes + side.entry.red_threes_in_hand
    limit = in_decks(table.settings.decks)[RED_THREE]
    if count > limit:
        yield violation(("sides",), sides=table.side_names, threes=count, limit=limit)


# ---------------------------------------------------------------- single melds


@meld_check("meld-too-short")
def meld_too_short(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Fewer cards than a meld needs; melds of wild cards alone may need more than others."""
    needed = settings.meld_shortest
    if laid.shape == "wilds":
        needed = settings.wild_melds_shortest
    size = laid.meld.size
    if not laid.whole or size >= needed:
        return None
    if needed > settings.meld_shortest:
        cited_settings = ("wild-melds-shortest",)
        return violation(
            laid.where, cited_settings=cited_settings, cards=size, needed=needed, why="wilds"
        )
    cited_settings = ("meld-shortest",)
    return violation(
        laid.where, cited_settings=cited_settings, cards=size, needed=needed, why="any"
    )


@meld_check("meld-too-long")
def meld_too_long(laid: LaidMeld, settings: Settings) -> Violation | None:
    """More cards than a meld may have."""
    longest = _longest_allowed(laid, settings)
    size = laid.meld.size
    if longest.cards is None or size <= longest.cards:
        return None
    cited_settings = (longest.setting,)
    return violation(
        laid.where, cited_settings=cited_settings, cards=size, allowed=longest.cards, why=laid.shape
    )


class _LongestMeld(NamedTuple):
    """How many cards a meld may have, without a limit if None, and the setting that says so."""

    cards: int | None
    setting: str


def _longest_allowed(laid: LaidMeld, settings: Settings) -> _LongestMeld:
    """The longest meld of the shape of this one."""
    if laid.shape == "sequence":
        return _LongestMeld(len(NATURAL_INDICES), "sequences")
    if laid.shape == "group":
        return _LongestMeld(settings.meld_longest, "meld-longest")
    if laid.whole:
        return _LongestMeld(settings.wild_melds_longest, "wild-melds-longest")
    # An unreadable token may have been a natural card: then it is a group.
    return _LongestMeld(settings.meld_longest, "wild-melds-longest")


@meld_check("meld-too-few-naturals")
def meld_too_few_naturals(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Fewer natural cards than a meld needs; one of wild cards alone needs none."""
    if not laid.whole or laid.shape == "wilds":
        return None
    naturals = laid.meld.naturals
    needed = settings.meld_naturals
    if naturals >= needed:
        return None
    return violation(
        laid.where, cited_settings=("meld-naturals",), naturals=naturals, needed=needed
    )


class _WhyTooManyWilds(StrEnum):
    """What the message says about a meld with more wild cards than it may have."""

    SOME = "some"
    """It may have some, but fewer."""
    NONE = "none"
    """It may have none."""
    SEQUENCE = "sequence"
    """It is a sequence, which may have only so many."""


@meld_check("meld-too-many-wilds")
def meld_too_many_wilds(laid: LaidMeld, settings: Settings) -> Violation | None:
    """More wild cards than the limit in force, including the ratio to the natural cards."""
    if laid.shape == "wilds" or _may_be_pure_sequence(laid, settings):
        return None
    wilds = laid.meld.wilds
    allowed = _wilds_allowed(laid, settings)
    if wilds <= allowed:
        return None
    return violation(
        laid.where,
        cited_settings=_settings_limiting_wilds(laid, settings, allowed),
        wilds=wilds,
        allowed=allowed,
        naturals=laid.meld.naturals,
        why=_why_too_many_wilds(laid, allowed).value,
    )


def _why_too_many_wilds(laid: LaidMeld, allowed: int) -> _WhyTooManyWilds:
    """What to say about a meld that may have only so many wild cards, and has more."""
    if laid.shape == "sequence":
        return _WhyTooManyWilds.SEQUENCE
    if allowed == 0:
        return _WhyTooManyWilds.NONE
    return _WhyTooManyWilds.SOME


def _may_be_pure_sequence(laid: LaidMeld, settings: Settings) -> bool:
    """Whether a meld is, or may have been meant as, a sequence in a game where sequences hold no
    wild cards at all.

    The limit of wild cards says nothing about such a meld: its wild cards are reported by the check
    of sequences.
    """
    has_pure_sequences = settings.sequences == "pure"
    if not has_pure_sequences:
        return False
    if laid.shape == "sequence":
        return True
    # The token that could not be read may be the card that makes it a sequence.
    has_unreadable_token = not laid.whole
    has_natural_cards = bool(laid.meld.ranks)
    return has_unreadable_token and has_natural_cards


def _wilds_allowed(laid: LaidMeld, settings: Settings) -> int:
    """How many wild cards a meld may hold.

    The answer is the highest number that is possible: where it is not known which rank or how many
    natural cards the meld has, only more wild cards than that are wrong in any case.
    """
    has_unreadable_token = not laid.whole  # it may be a natural card, which allows more wild ones
    if has_unreadable_token or laid.shape == "sequence":
        return settings.wild_limit
    possible_ranks = laid.meld.ranks or NATURAL_INDICES
    return max(settings.most_wilds(laid.meld.naturals, rank) for rank in possible_ranks)


def _settings_limiting_wilds(laid: LaidMeld, settings: Settings, allowed: int) -> tuple[str, ...]:
    """The settings that let a meld hold no more than the allowed number of wild cards."""
    if laid.shape == "sequence":
        return ("sequences",)
    if _is_rank_limited(laid, settings, allowed):
        return ("natural-only",)
    wilds = laid.meld.wilds
    cited_settings: list[str] = []
    if wilds > settings.wild_limit:
        cited_settings.append("wild-limit")
    ratio = settings.ratio_limit(laid.meld.naturals)
    if ratio is not None and wilds > ratio:
        cited_settings.append("wild-ratio")
    return tuple(cited_settings)


def _is_rank_limited(laid: LaidMeld, settings: Settings, allowed: int) -> bool:
    """Whether it is due to its rank that a meld may hold only so many (`allowed`) wild cards.

    Some variants allow none in a meld of sevens: `7 7 7` may hold 0, but `8 8 8` may hold more.
    """
    allowed_in_any_rank = settings.wild_limit
    most_for_number_of_naturals = settings.ratio_limit(laid.meld.naturals)
    if most_for_number_of_naturals is not None:
        allowed_in_any_rank = min(allowed_in_any_rank, most_for_number_of_naturals)
    return allowed < allowed_in_any_rank


@meld_check("meld-mixed-ranks")
def meld_mixed_ranks(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Natural cards of different ranks, if all melds are of one rank."""
    if settings.sequences != "none" or len(laid.meld.ranks) <= 1:
        return None
    return violation(laid.where, ranks=_kinds_of_ranks(laid.meld))


def _kinds_of_ranks(meld: Meld) -> tuple[Kind, ...]:
    return tuple(KINDS[rank] for rank in meld.ranks)


@meld_check("meld-sequence-broken")
def meld_sequence_broken(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Natural cards of different ranks that are not a sequence of one suit, and the first fault
    found.
    """
    meld = laid.meld
    if not laid.whole or laid.shape != "sequence" or is_unbroken_sequence(meld, settings):
        return None
    why = _why_sequence_is_broken(meld, settings)
    return violation(laid.where, ranks=_kinds_of_ranks(meld), why=why.value)


class _SequenceFault(StrEnum):
    """Why natural cards of different ranks are no sequence (consecutive cards of one suit)."""

    BLACK_THREE = "black-three"
    SUIT_MISSING = "suit-missing"
    """The suit of a card is not given."""
    SUITS = "suits"
    """The cards are of several suits."""
    TWICE = "twice"
    """A card is there twice."""
    WILD = "wild"
    """A wild card is among them, which the variant does not allow."""
    GAP = "gap"
    """Cards are missing between them."""


def _why_sequence_is_broken(meld: Meld, settings: Settings) -> _SequenceFault:
    """The first fault of natural cards of different ranks that are no sequence.

    What is wrong with single cards comes before what is wrong with them together: only cards of one
    known suit can be seen to have a gap.
    """
    if meld.black_threes:
        return _SequenceFault.BLACK_THREE
    with_suit = [cards for cards in meld.cards.suited if cards.kind in NATURAL_INDICES]
    number_with_suit = sum(cards.number for cards in with_suit)
    if number_with_suit < meld.naturals:
        return _SequenceFault.SUIT_MISSING
    suits = {cards.suit for cards in with_suit}
    if len(suits) > 1:
        return _SequenceFault.SUITS
    if any(cards.number > 1 for cards in with_suit):
        return _SequenceFault.TWICE
    if meld.wilds and settings.sequences != "dirty":
        return _SequenceFault.WILD
    return _SequenceFault.GAP


@meld_check("meld-red-three")
def meld_red_three(laid: LaidMeld, _: Settings) -> Violation | None:
    """A red three in a meld."""
    if not laid.meld.red_threes:
        return None
    return violation(laid.where, threes=laid.meld.red_threes)


@meld_check("meld-kind-not-allowed")
def meld_kind_not_allowed(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Black threes in a meld that the rules forbid: altogether, or in a meld of this kind."""
    if settings.black_threes == "never":
        return _black_threes_at_all(laid)
    # With the card that an unreadable token stands for it may be another kind of meld.
    has_unreadable_token = not laid.whole
    if has_unreadable_token or not laid.meld.is_of_black_threes:
        return None
    return _forbidden_meld_of_black_threes(laid, settings)


def _black_threes_at_all(laid: LaidMeld) -> Violation | None:
    """The violation of a meld with black threes in a game in which they are never laid."""
    if laid.meld.black_threes == 0:
        return None
    return _black_threes_violation(laid, "black-threes", why="never")


def _forbidden_meld_of_black_threes(laid: LaidMeld, settings: Settings) -> Violation | None:
    """What is wrong with a meld of black threes in a game in which they may be laid.

    It may have too many cards, hold wild cards, or have too few black threes; of several faults
    only the first is reported.
    """
    meld = laid.meld
    longest = settings.black_threes_longest
    if longest is not None and meld.size > longest:
        return _black_threes_violation(laid, "black-threes-longest", why="longest", allowed=longest)
    if meld.wilds and settings.black_threes_wilds == "pure":
        return _black_threes_violation(laid, "black-threes-wilds", why="pure")
    needed = settings.black_threes_fewest
    # If they need no more than any meld needs natural cards, that is reported by the check
    # `meld-too-few-naturals`, and the meld has no other fault.
    needs_more_than_others = needed > settings.meld_naturals
    if needs_more_than_others and meld.black_threes < needed:
        return _black_threes_violation(laid, "black-threes-fewest", why="fewest", needed=needed)
    return None


def _black_threes_violation(
    laid: LaidMeld, setting: str, **arguments: MessageArgument
) -> Violation:
    """The violation of a meld with black threes, which this setting forbids."""
    meld = laid.meld
    return violation(
        laid.where,
        cited_settings=(setting,),
        threes=meld.black_threes,
        wilds=meld.wilds,
        cards=meld.size,
        **arguments,
    )


@hand_check("black-threes-not-out")
def black_threes_not_out(table: Table) -> Iterator[Violation]:
    """Black threes melded by a side that did not go out, that is, play its last card."""
    for side in table.sides:
        if side.is_out:
            continue
        for laid in (*side.melds, *side.opening):
            if table.settings.black_threes == "never":
                threes = laid.meld.black_threes
                why = "never"
            else:
                threes = _threes_laid_when_going_out(laid.meld)
                why = "going-out"
            if threes:
                yield violation(laid.where, threes=threes, why=why)


def _threes_laid_when_going_out(meld: Meld) -> int:
    """The black threes of a meld that a side may lay only when it goes out: those of a meld of them.

    Black threes beside cards of other ranks are never allowed, which the checks of melds report.
    """
    return meld.black_threes if meld.is_of_black_threes else 0


@hand_check("meld-rank-repeated")
def meld_rank_repeated(table: Table) -> Iterator[Violation]:
    """A second meld of the same rank in a party, if the sources that mention it want only one."""
    if table.settings.repeated_rank == "usual":
        return
    why = "incomplete" if table.settings.repeated_rank == "not-incomplete" else "any"
    for party in table.parties:
        ranks_before: set[int] = set()
        for meld_of_rank in _melds_that_may_repeat(party, table.settings):
            rank = meld_of_rank.rank
            if rank in ranks_before:
                yield violation(meld_of_rank.laid.where, rank=KINDS[rank], why=why)
            ranks_before.add(rank)


class _MeldOfRank(NamedTuple):
    """A meld of cards of one rank, and that rank, as an index of `cards.KINDS`."""

    rank: int
    laid: LaidMeld


def _melds_that_may_repeat(party: Party, settings: Settings) -> Iterator[_MeldOfRank]:
    """The melds of a party of which each has to be of another rank: those of a single rank.

    Some variants want that only of melds that are shorter than a canasta. Melds of which some card
    could not be read are left out.
    """
    leaves_out_canastas = settings.repeated_rank == "not-incomplete"
    for laid in party.melds:
        rank = laid.meld.rank
        if rank is None or not laid.whole:
            continue
        is_long_enough = laid.meld.size >= settings.canasta_length
        if is_long_enough and leaves_out_canastas:
            continue
        yield _MeldOfRank(rank, laid)
