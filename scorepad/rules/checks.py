"""The registry of checks, and the checks of the entry itself, of the decks and of single melds.

A check yields where a rule is broken and the arguments of its message; `judge` adds the rule id,
the severity and the citations. For a meld with an unreadable token, a check reports only what is
wrong for every meaning of that token.
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
    count_cards_in_decks,
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
    find_fault_of_sequence,
    find_shape,
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
    """Turn an argument of a message into JSON that keeps its type.

    Messages are stored so that they can be shown in another language later.

    - a card: `Kind.QUEEN` → `{"card": "Q"}`
    - a side (team), by its position: `SideName(0)` → `{"side": 0}`
    - needed are 2 natural canastas, and there is 1: `Needed("natural", 2, 1)` →
      `{"needed": ["natural", 2, 1]}`
    - several of these in a tuple → a list
    - a number or a text → itself
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
    """Restore the argument of a stored message from its JSON: `{"card": "Q"}` → `Kind.QUEEN`.

    This is the reverse of `argument_to_json`. Raises ValueError for an object that it never writes.
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
    """The settings, steps or penalties that decided it (`Ruleset.find_citations`): their sources
    are cited. None: all those that the data names for the rule.
    """
    arguments: Mapping[str, MessageArgument]
    """The values of its message, by name."""


NO_SOURCE: tuple[str, ...] = ()
"""The settings cited for a fault that needs no source, such as a card that does not exist."""


def violation(
    where: Pointer, *, cited_settings: tuple[str, ...] | None = None, **arguments: MessageArgument
) -> Violation:
    """Make the report that a rule is broken at a place of a hand (a round of the game).

    `where` is the place, such as `("sides", 0, "melds", 1)`, and the `arguments` are the values in
    the message. The page shows which rule books say so, found by the settings that led to it:
    `cited_settings=("meld-longest",)`. None stands for all settings that the data names for the
    rule.
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
    """Register the decorated function as the check of a rule that looks at a whole hand (a round).

    `@hand_check("card-unknown", agreeable=False)`: `rule` is the id of the rule in the data, and
    the keywords are its properties, which `Nature` explains.
    """
    return partial(_store_hand_check, rule, Nature(**nature))


def _store_hand_check(rule: str, nature: Nature, check_hand: Check) -> Check:
    """Store the check of a rule, with the properties of the rule, and return the check."""
    assert rule not in NATURES, f"two checks of the rule {rule}"
    CHECKS[rule] = check_hand
    NATURES[rule] = nature
    return check_hand


MeldCheck = Callable[[LaidMeld, Settings], Violation | None]
MELD_CHECKS: dict[str, MeldCheck] = {}


def meld_check(rule: str) -> Callable[[MeldCheck], MeldCheck]:
    """Register the decorated function as the check of a rule that looks at one meld.

    A meld is a group of cards on the table. `@meld_check("meld-too-short")`: `rule` is the id of
    the rule in the data. The function is called for every meld of a hand (a round).
    """
    return partial(_store_meld_check, rule)


def _store_meld_check(rule: str, check_meld: MeldCheck) -> MeldCheck:
    """Store the check of a rule that looks at one meld (a group of cards), and return the check.

    It is stored twice: for the melds of a hand, and for cards that are no part of any hand.
    """
    MELD_CHECKS[rule] = check_meld
    nature = Nature(by_itself=True)  # the rest of the hand does not matter
    _store_hand_check(rule, nature, partial(_check_every_meld, check_meld))
    return check_meld


def _check_every_meld(check_meld: MeldCheck, table: Table) -> Iterator[Violation]:
    """Run the check of a single meld on every meld (group of cards) that was entered."""
    settings = table.settings
    settings_of_last_turn = settings.when_going_out()
    for side in table.sides:
        settings_of_melds = settings_of_last_turn if side.is_out else settings
        settings_of_opening = settings_of_last_turn if side.is_concealed else settings
        yield from _check_melds(check_meld, side.melds, settings_of_melds)
        yield from _check_melds(check_meld, side.opening, settings_of_opening)


def _check_melds(
    check_meld: MeldCheck, melds: Iterable[LaidMeld], settings: Settings
) -> Iterator[Violation]:
    """Run the check of a single meld on each of these melds (groups of cards)."""
    for laid in melds:
        broken_rule = check_meld(laid, settings)
        if broken_rule:
            yield broken_rule


def is_meld(meld: Meld, settings: Settings) -> bool:
    """Tell whether cards may be laid as a meld, a group of cards on the table, by themselves.

    Who lays them or when does not matter: `K K K` → True, `K K` → False in most games.
    """
    nowhere: Pointer = ()  # these cards are not part of a hand
    laid = LaidMeld(nowhere, meld, find_shape(meld, settings))
    return all(check(laid, settings) is None for check in MELD_CHECKS.values())


SMALLEST_POINTS = 5
"""Every card is worth a multiple of five points."""


# ---------------------------------------------------------------- the entry itself


@hand_check("card-unknown", agreeable=False, by_itself=True)
def find_unreadable_cards(table: Table) -> Iterator[Violation]:
    """Report every field of a hand (a round) in which something was entered that is not a card.

    For `foo` among the cards of a side: "Unknown cards: foo. Write the rank (A K Q J …)"
    """
    for side in table.sides:
        for entered in _find_fields_with_unreadable_cards(side):
            unreadable_words = entered.reading.unknown
            yield violation(entered.where, cited_settings=NO_SOURCE, tokens=unreadable_words)
    out = table.hand.out
    if out and out.discard and out.discard.unknown:
        where = ("out", "discard")  # the last card that was discarded
        yield violation(where, cited_settings=NO_SOURCE, tokens=out.discard.unknown)


class _EnteredCards(NamedTuple):
    """A field in which cards were entered for a side, and what was read from it."""

    where: Pointer
    reading: Reading


def _find_fields_with_unreadable_cards(side: LaidSide) -> Iterator[_EnteredCards]:
    """Find the fields of a side in which something was entered that is not a card.

    Each has its path in the hand, such as `("sides", 0, "melds", 1)`, by which a page marks it.
    """
    entry = side.entry
    for index, meld in enumerate(entry.melds):
        if meld.reading.unknown:
            yield _EnteredCards((*side.where, "melds", index), meld.reading)

    # The cards that the side laid first in the hand.
    for index, reading in enumerate(entry.opening or ()):
        if reading.unknown:
            yield _EnteredCards((*side.where, "opening", "melds", index), reading)

    # The cards that its players still had when the hand ended.
    for player, reading in enumerate(entry.held):
        if not reading.unknown:
            continue
        where: Pointer = (*side.where, "left")  # one field for all players of the side
        if entry.left.is_by_player:
            where = (*side.where, "left", player)
        yield _EnteredCards(where, reading)


# A hand has the sides of its match only: other names are reported where it is read (`schemas`).
NATURES["side-unknown"] = Nature(agreeable=False)


@hand_check("penalty-unknown", agreeable=False)
def find_unknown_penalties(table: Table) -> Iterator[Violation]:
    """Report each penalty that was entered for a side (team), but that the game does not have.

    Penalties have codes, such as `draw-out-of-turn`.
    """
    known = tuple(table.rules.penalties)
    for side in table.sides:
        for index, penalty in enumerate(side.entry.penalties):
            if penalty.code not in known:
                where = (*side.where, "penalties", index)
                yield _report_unknown_penalty(where, penalty.code, known)


def _report_unknown_penalty(where: Pointer, code: str, known: tuple[str, ...]) -> Violation:
    """Make the report that the game has no penalty with this code.

    `where` is its place in the hand, and `known` are the codes of the penalties that the game has.
    """
    if not known:
        # "There is no penalty “late” here: this game has no penalties." That is a rule of the
        # game, so that the rule book for it is cited.
        no_penalties = ("penalties-known",)
        return violation(where, cited_settings=no_penalties, name=code, known=known, why="none")
    # Shown as: "There is no penalty “late” here." The message lists those that there are.
    return violation(where, cited_settings=NO_SOURCE, name=code, known=known)


@hand_check("red-three-twice")
def find_red_threes_counted_twice(table: Table) -> Iterator[Violation]:
    """Report sides that pay twice for a red three which a player did not lay on the table.

    Red threes are bonus cards. One that is still in hand at the end costs points, and so does the
    penalty for not laying it: if both are entered, they may be about the same card.
    """
    for side in table.sides:
        penalty_indices = _find_penalties_for_red_threes(side)
        threes_held = side.entry.red_threes_in_hand
        if not penalty_indices or threes_held == 0:
            continue
        yield violation(
            (*side.where, "penalties", penalty_indices[0]),
            cited_settings=("penalties-known/same-offence",),
            side=side.name,
            threes=threes_held,
            penalties=len(penalty_indices),
        )


def _find_penalties_for_red_threes(side: LaidSide) -> list[int]:
    """Find the penalties of a side for a red three that a player did not lay on the table.

    Red threes are bonus cards, to be laid at once. The result has the indices of these penalties in
    the list of all that were entered for the side: `[0, 2]`.
    """
    indices: list[int] = []
    for index, penalty in enumerate(side.entry.penalties):
        if penalty.code == NOT_EXPOSED:
            indices.append(index)
    return indices


@hand_check("points-not-multiple", agreeable=False, by_itself=True)
def find_impossible_points(table: Table) -> Iterator[Violation]:
    """Report points of a side (team) that cannot be right.

    Every card is worth a multiple of five points, so that 12 cannot be. Cards left in hand and
    penalties cannot have points below zero either.
    """
    for side in table.sides:
        points_left = side.entry.left.points  # 0 if the cards in hand are given, not their points
        if points_left < 0 or not _is_multiple_of_five(points_left):
            yield violation((*side.where, "left"), points=points_left)
        yield from _find_impossible_points_of_penalties(side)
        yield from _find_impossible_points_of_adjustments(side)


def _find_impossible_points_of_penalties(side: LaidSide) -> Iterator[Violation]:
    """Report penalties for which the players entered points below zero, or no multiple of five."""
    for index, penalty in enumerate(side.entry.penalties):
        points = penalty.points or 0  # none are given if the rules say what it costs
        if points < 0 or not _is_multiple_of_five(points):
            where = (*side.where, "penalties", index)
            yield violation(where, cited_settings=NO_SOURCE, points=points, why="agreed")


def _find_impossible_points_of_adjustments(side: LaidSide) -> Iterator[Violation]:
    """Report points that the players agreed to add or subtract, if they are no multiple of five."""
    for index, adjustment in enumerate(side.entry.adjustments):
        if not _is_multiple_of_five(adjustment.points):
            where = (*side.where, "adjustments", index)
            yield violation(where, cited_settings=NO_SOURCE, points=adjustment.points, why="agreed")


def _is_multiple_of_five(points: int) -> bool:
    """Tell whether points are a multiple of five, as those of every card are."""
    return points % SMALLEST_POINTS == 0


@hand_check("target-reached")
def find_sides_already_at_target(table: Table) -> Iterator[Violation]:
    """Report sides (teams) that had enough points to win the match before this round began."""
    target = table.settings.target
    if target is None:
        return
    for position, score in enumerate(table.before):
        if score >= target:
            where = ("before", position)
            yield violation(where, side=SideName(position), score=score, target=target)


@hand_check("not-checked")
def find_sides_without_cards(table: Table) -> Iterator[Violation]:
    """Report sides (teams) for which only the sum of their points in the round was entered.

    Without their cards, nothing can be checked: "The score of Noi is the sum agreed at the table:
    it was not checked."
    """
    for side in table.sides:
        if side.entry.sum is not None:
            yield violation((*side.where, "sum"), cited_settings=NO_SOURCE, side=side.name)


@hand_check("hands-not-apart")
def find_hands_not_told_apart(table: Table) -> Iterator[Violation]:
    """Report sides whose players' cards were entered together although they matter one by one.

    In some games a player who still holds three sevens at the end pays for them. Of `7 7 7 K`, held
    by two players, nobody knows whether one of them has all three.
    """
    has_rule_for_each_player = len(table.settings.held_together) > 0
    if not has_rule_for_each_player:
        return
    for side in table.sides:
        left = side.entry.left  # the cards left in hand
        if left.is_by_player or not left.readings:
            continue  # each player's cards are known, or no cards were entered
        players_holding_cards = side.players
        if side.is_out:  # one of its players has played the last card
            players_holding_cards -= 1
        if players_holding_cards > 1:
            yield violation((*side.where, "left"), side=side.name, hands=players_holding_cards)


@hand_check("left-in-points")
def find_points_that_may_include_black_threes(table: Table) -> Iterator[Violation]:
    """Report sides that entered only the points of cards left in hand, where black threes confuse.

    In some games a black three is worth 5 points on the table, but costs nothing in hand. A side
    that enters 25 points may have counted its black threes at 5. The message says what they cost.
    """
    cost_in_hand = table.settings.left_black_three
    worth_on_table = table.settings.card_points[BLACK_THREE]
    if cost_in_hand == worth_on_table:
        return
    for side in table.sides:
        if side.entry.left.is_in_points:
            yield violation((*side.where, "left"), side=side.name, points=cost_in_hand)


# ---------------------------------------------------------------- the decks


@hand_check("deck-exceeded", agreeable=False)
def find_more_cards_than_in_decks(table: Table) -> Iterator[Violation]:
    """Report cards of which more were entered for a hand (a round) than there are in the decks.

    Two decks have eight kings, and two kings of hearts. Red threes have a check of their own.
    """
    cards = table.named  # on the table, still in hand, and the last one discarded
    decks = table.settings.decks
    excess: list[Excess] = []
    for kind, count, limit in zip(KINDS, cards.counts, count_cards_in_decks(decks), strict=True):
        if count > limit and kind is not Kind.RED_THREE:
            excess.append(Excess(kind, suit="", count=count, limit=limit))
    for equal_cards in cards.suited:
        kind = KINDS[equal_cards.kind]
        number = equal_cards.number
        # A deck has each card of a suit once.
        if number > decks and kind is not Kind.RED_THREE:
            excess.append(Excess(kind, equal_cards.suit, count=number, limit=decks))
    if excess:
        yield violation(("sides",), sides=table.side_names, excess=tuple(excess))


@hand_check("red-threes-exceeded", agreeable=False)
def find_more_red_threes_than_in_decks(table: Table) -> Iterator[Violation]:
    """Report if all sides together have more red threes than there are in the decks.

    Red threes are bonus cards: counted are those on the table and those still in hand.
    """
    count = 0
    for side in table.sides:
        count += side.entry.red_threes + side.entry.red_threes_in_hand
    limit = count_cards_in_decks(table.settings.decks)[RED_THREE]
    if count > limit:
        yield violation(("sides",), sides=table.side_names, threes=count, limit=limit)


# ---------------------------------------------------------------- single melds


@meld_check("meld-too-short")
def check_meld_is_long_enough(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report a meld (a group of cards on the table) with fewer cards than it needs.

    Most melds need three cards. Melds of wild cards (jokers and twos) alone may need more.
    """
    needed = settings.meld_shortest
    if laid.judged_as == "wilds":
        needed = settings.wild_melds_shortest
    size = laid.meld.size
    if size >= needed or laid.has_unreadable_cards:
        return None  # cards that could not be read count too

    cited_settings = ("meld-shortest",)
    why = "any"  # "This meld has 2 cards, and needs at least 3."
    if needed > settings.meld_shortest:
        cited_settings = ("wild-melds-shortest",)
        why = "wilds"  # "Here a meld of only wild cards is laid 7 at once, no more and no fewer."
    return violation(laid.where, cited_settings=cited_settings, cards=size, needed=needed, why=why)


@meld_check("meld-too-long")
def check_meld_is_not_too_long(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report a meld (a group of cards on the table) with more cards than the game allows.

    `8xK` in a game in which a meld has at most 7 cards is one.
    """
    longest = _find_longest_allowed(laid, settings)
    size = laid.meld.size
    if longest.cards is None or size <= longest.cards:
        return None
    cited_settings = (longest.setting,)
    return violation(
        laid.where,
        cited_settings=cited_settings,
        cards=size,
        allowed=longest.cards,
        why=laid.judged_as,
    )


_LONGEST_SEQUENCE = len(NATURAL_INDICES)
"""Cards of a sequence that has each rank from ace to four, none of which it may have twice."""


class _LongestMeld(NamedTuple):
    """How many cards a meld may have, without a limit if None, and the setting that says so."""

    cards: int | None
    setting: str


def _find_longest_allowed(laid: LaidMeld, settings: Settings) -> _LongestMeld:
    """Find how many cards a meld may have at most, and the setting to cite for it.

    A meld is a group of cards on the table:

    - cards of one rank → `_LongestMeld(7, "meld-longest")`, where the game limits them to 7
    - a sequence, such as 9 8 7 → `_LongestMeld(11, "sequences")`
    - wild cards (jokers and twos) alone → `_LongestMeld(None, "wild-melds-longest")`, where the
      game does not limit them
    """
    if laid.judged_as == "sequence":
        return _LongestMeld(_LONGEST_SEQUENCE, "sequences")
    if laid.judged_as == "group":
        return _LongestMeld(settings.meld_longest, "meld-longest")
    if laid.has_unreadable_cards:  # `2 2 foo` may be a group of kings, if `foo` is one
        return _LongestMeld(settings.meld_longest, "wild-melds-longest")
    return _LongestMeld(settings.wild_melds_longest, "wild-melds-longest")


@meld_check("meld-too-few-naturals")
def check_meld_has_enough_naturals(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report a meld (a group of cards on the table) with fewer natural cards than it needs.

    Natural cards are all but jokers and twos, which are wild. Melds of wild cards alone need none.
    Where two are needed, `K 2 2` is reported.
    """
    if laid.judged_as == "wilds" or laid.has_unreadable_cards:
        return None  # cards that could not be read may be natural
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
def check_meld_has_not_too_many_wilds(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report a meld (a group of cards on the table) with more wild cards than it may hold.

    Wild cards are jokers and twos. Where the limit is three, `K K K K 2 2 2 2` is reported.
    """
    if laid.judged_as == "wilds":
        return None  # melds of wild cards alone have rules of their own
    if laid.judged_as == "sequence":
        return _check_wilds_in_sequence(laid, settings)
    return _check_wilds_in_group(laid, settings)


def _check_wilds_in_sequence(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report a sequence (9 8 7 of one suit) with more wild cards, jokers and twos, than allowed."""
    if settings.sequences == "pure":
        return None  # it may hold none at all, which the check of sequences reports
    allowed = settings.wild_limit
    if laid.meld.wilds <= allowed:
        return None
    return _report_too_many_wilds(
        laid, allowed, why=_WhyTooManyWilds.SEQUENCE, cited_settings=("sequences",)
    )


def _check_wilds_in_group(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report a group of cards of one rank with more wild cards (jokers and twos) than allowed."""
    meld = laid.meld
    may_be_sequence = laid.has_unreadable_cards and len(meld.ranks) > 0  # such as `9h foo JK`
    if may_be_sequence and settings.sequences == "pure":
        return None  # a sequence may hold none at all: that is for the check of sequences
    allowed = _count_wilds_allowed_in_group(laid, settings)
    if meld.wilds <= allowed:
        return None
    # "This meld may hold at most 3 wild cards, and it holds 4." Or: "A meld like this holds no wild
    # cards, and this one holds 2."
    why = _WhyTooManyWilds.NONE if allowed == 0 else _WhyTooManyWilds.SOME
    cited_settings = _cite_limit_of_wilds(meld, settings, allowed)
    return _report_too_many_wilds(laid, allowed, why=why, cited_settings=cited_settings)


def _count_wilds_allowed_in_group(laid: LaidMeld, settings: Settings) -> int:
    """Count how many wild cards (jokers and twos) a group of cards may hold at most.

    It may depend on how many other cards there are, and on their rank: in some games sevens are
    laid without wild cards.
    """
    if laid.has_unreadable_cards:
        return settings.wild_limit  # no meld may have more, whatever those cards are
    possible_ranks = laid.meld.ranks or NATURAL_INDICES  # of wild cards alone: any rank
    return max(settings.most_wilds(laid.meld.naturals, rank) for rank in possible_ranks)


def _report_too_many_wilds(
    laid: LaidMeld, allowed: int, *, why: _WhyTooManyWilds, cited_settings: tuple[str, ...]
) -> Violation:
    """Make the report that a meld (a group of cards) has more wild cards than are allowed.

    `why` chooses the message.
    """
    return violation(
        laid.where,
        cited_settings=cited_settings,
        wilds=laid.meld.wilds,
        allowed=allowed,
        naturals=laid.meld.naturals,
        why=why.value,
    )


def _cite_limit_of_wilds(meld: Meld, settings: Settings, allowed: int) -> tuple[str, ...]:
    """Name the settings that limit the wild cards (jokers and twos) of a group of cards.

    `allowed` is how many it may hold, and it has more.

    - a fixed number for any group → `("wild-limit",)`
    - no more wild cards than natural ones → `("wild-ratio",)`
    - a rank that is laid without wild cards, such as sevens → `("natural-only",)`
    """
    allowed_in_any_rank = settings.wild_limit
    limit_by_naturals = settings.ratio_limit(meld.naturals)
    if limit_by_naturals is not None:
        allowed_in_any_rank = min(allowed_in_any_rank, limit_by_naturals)
    if allowed < allowed_in_any_rank:
        return ("natural-only",)

    cited_settings: list[str] = []
    if meld.wilds > settings.wild_limit:
        cited_settings.append("wild-limit")
    if limit_by_naturals is not None and meld.wilds > limit_by_naturals:
        cited_settings.append("wild-ratio")
    return tuple(cited_settings)


@meld_check("meld-mixed-ranks")
def check_meld_is_of_one_rank(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report a meld (a group of cards) with natural cards of different ranks, such as `K K Q`.

    In games with sequences (9 8 7) another check looks at such melds.
    """
    if settings.sequences != "none" or len(laid.meld.ranks) <= 1:
        return None
    return violation(laid.where, ranks=_list_kinds(laid.meld))


def _list_kinds(meld: Meld) -> tuple[Kind, ...]:
    """List the ranks in a meld (a group of cards): `K K Q` → `(Kind.KING, Kind.QUEEN)`."""
    return tuple(KINDS[rank] for rank in meld.ranks)


@meld_check("meld-sequence-broken")
def check_sequence_is_unbroken(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report cards of different ranks on the table that are not a sequence (9 8 7 of one suit).

    `9h 8h 5h` is reported, in a game that has sequences. The message names the first fault found.
    """
    if laid.judged_as != "sequence" or laid.has_unreadable_cards:
        return None
    fault = find_fault_of_sequence(laid.meld, settings)
    if fault is None:
        return None
    return violation(laid.where, ranks=_list_kinds(laid.meld), why=fault.value)


@meld_check("meld-red-three")
def check_meld_has_no_red_three(laid: LaidMeld, _: Settings) -> Violation | None:
    """Report a meld (a group of cards) with a red three: it is a bonus card, laid by itself."""
    if not laid.meld.red_threes:
        return None
    return violation(laid.where, threes=laid.meld.red_threes)


@meld_check("meld-kind-not-allowed")
def check_black_threes_in_meld(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report a meld (a group of cards on the table) with black threes that the game forbids.

    - a game that never allows black threes in a meld → `K K 3b` and `3b 3b 3b` are reported
    - any other game has rules for melds of black threes, such as how many they may be
    """
    if settings.black_threes == "never":
        return _check_meld_has_no_black_threes(laid)
    if laid.has_unreadable_cards or not laid.meld.is_of_black_threes:
        return None  # with the cards that could not be read, it may be a meld of another rank
    return _check_meld_of_black_threes(laid, settings)


def _check_meld_has_no_black_threes(laid: LaidMeld) -> Violation | None:
    """Report a meld (a group of cards) with black threes, in a game that never allows them."""
    if laid.meld.black_threes == 0:
        return None
    # "In this game black threes are never melded, not even when going out."
    return _report_black_threes(laid, why="never", setting="black-threes")


def _check_meld_of_black_threes(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report what is wrong with a meld of black threes, in a game that allows such melds.

    It may have too many cards, wild cards (jokers and twos), or too few black threes. Only the
    first of these faults is reported.
    """
    meld = laid.meld
    longest = settings.black_threes_longest
    if longest is not None and meld.size > longest:
        # Shown as: "A meld of black threes has at most 6 cards here, and this one has 7."
        return _report_black_threes(
            laid, why="longest", setting="black-threes-longest", allowed=longest
        )
    if meld.wilds and settings.black_threes_wilds == "pure":
        # "Black threes are melded without wild cards here, and this meld holds 1."
        return _report_black_threes(laid, why="pure", setting="black-threes-wilds")
    needed = settings.black_threes_fewest
    # If black threes need no more natural cards than any meld, the check of natural cards
    # (`meld-too-few-naturals`) reports the fault already.
    needs_more_than_others = needed > settings.meld_naturals
    if needs_more_than_others and meld.black_threes < needed:
        # "A meld of black threes holds at least 3 of them here, and this one holds 2."
        return _report_black_threes(
            laid, why="fewest", setting="black-threes-fewest", needed=needed
        )
    return None


def _report_black_threes(
    laid: LaidMeld, *, why: str, setting: str, **limit: MessageArgument
) -> Violation:
    """Make the report that a meld (a group of cards) with black threes breaks a rule.

    `why` chooses the message, in which the numbers of its cards and the `limit` are filled in:
    `allowed=6`. `setting` has the rule, and is cited.
    """
    meld = laid.meld
    return violation(
        laid.where,
        cited_settings=(setting,),
        threes=meld.black_threes,
        wilds=meld.wilds,
        cards=meld.size,
        why=why,
        **limit,
    )


@hand_check("black-threes-not-out")
def find_black_threes_laid_too_early(table: Table) -> Iterator[Violation]:
    """Report black threes on the table of a side none of whose players ended the round.

    Where black threes may be laid at all, it has to be in the turn in which a player of the side
    plays the last card.
    """
    are_never_allowed = table.settings.black_threes == "never"
    # "In this game black threes are never melded." Or: "Black threes are melded only when going
    # out …"
    why = "never" if are_never_allowed else "going-out"
    for side in table.sides:
        if side.is_out:
            continue
        for laid in (*side.melds, *side.opening):
            is_allowed_later = laid.meld.is_of_black_threes  # unlike `K K 3b`, which never is
            threes = laid.meld.black_threes
            if threes > 0 and (are_never_allowed or is_allowed_later):
                yield violation(laid.where, threes=threes, why=why)


@hand_check("meld-rank-repeated")
def find_repeated_ranks(table: Table) -> Iterator[Violation]:
    """Report a second meld (group of cards) of the same rank, in games that want only one of each.

    A party, the sides (teams) that lay their cards together, has two groups of kings: "Two melds of
    one rank (K): the sources that speak of it want one at a time."
    """
    if table.settings.repeated_rank == "usual":
        return  # any number of melds of a rank is fine
    why = "incomplete" if table.settings.repeated_rank == "not-incomplete" else "any"
    for party in table.parties:
        ranks_before: set[int] = set()
        for meld_of_rank in _list_melds_needing_different_ranks(party, table.settings):
            rank = meld_of_rank.rank
            if rank in ranks_before:
                yield violation(meld_of_rank.laid.where, rank=KINDS[rank], why=why)
            ranks_before.add(rank)


class _MeldOfRank(NamedTuple):
    """A meld of cards of one rank, and that rank, as an index of `cards.KINDS`."""

    rank: int
    laid: LaidMeld


def _list_melds_needing_different_ranks(party: Party, settings: Settings) -> Iterator[_MeldOfRank]:
    """List the melds (groups of cards) of a party that have to be of different ranks.

    A party is the sides (teams) that lay their cards together. Its melds are listed that are of one
    rank, with all cards known. In some games a second meld of kings is allowed once the first is a
    canasta, that is, has seven cards: there canastas are left out.
    """
    are_canastas_left_out = settings.repeated_rank == "not-incomplete"
    for laid in party.melds:
        rank = laid.meld.rank
        if rank is None or laid.has_unreadable_cards:
            continue
        is_canasta = laid.meld.size >= settings.canasta_length
        if is_canasta and are_canastas_left_out:
            continue
        yield _MeldOfRank(rank, laid)
