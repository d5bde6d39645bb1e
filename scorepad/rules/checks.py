"""The registry of checks, and the checks of the entry itself, of the decks and of single melds.

A check yields where a rule is broken and the arguments of its message; `judge` adds the rule id,
the severity and the citations. For a meld with an unreadable token, a check reports only what is
wrong for every meaning of that token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
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
    find_shape,
    is_unbroken_sequence,
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

    def register(check_hand: Check) -> Check:
        _add_hand_check(rule, Nature(**nature), check_hand)
        return check_hand

    return register


def _add_hand_check(rule: str, nature: Nature, check_hand: Check) -> None:
    """Store the check of a rule that looks at a whole hand, with the properties of the rule."""
    assert rule not in NATURES, f"two checks of the rule {rule}"
    CHECKS[rule] = check_hand
    NATURES[rule] = nature


MeldCheck = Callable[[LaidMeld, Settings], Violation | None]
MELD_CHECKS: dict[str, MeldCheck] = {}


def meld_check(rule: str) -> Callable[[MeldCheck], MeldCheck]:
    """Register the decorated function as the check of a rule that looks at one meld.

    A meld is a group of cards on the table. `@meld_check("meld-too-short")`: `rule` is the id of
    the rule in the data. The function is called for every meld of a hand (a round).
    """

    def register(check_meld: MeldCheck) -> MeldCheck:
        # By itself it serves to ask whether single cards are a legal meld.
        MELD_CHECKS[rule] = check_meld
        # What is wrong with one meld does not depend on the rest of the hand (`by_itself`).
        _add_hand_check(rule, Nature(by_itself=True), _make_check_of_every_meld(check_meld))
        return check_meld

    return register


def _make_check_of_every_meld(check_meld: MeldCheck) -> Check:
    """Make a check of a whole hand from one of a single meld (a group of cards on the table)."""

    def check_every_meld(table: Table) -> Iterator[Violation]:
        for laid in table.judged:
            broken_rule = check_meld(laid, table.settings)
            if broken_rule:
                yield broken_rule

    return check_every_meld


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
        players_holding_cards = side.players
        if side.is_out:  # one of its players has played the last card
            players_holding_cards -= 1
        were_entered_together = bool(side.entry.held) and not side.entry.left.is_by_player
        if were_entered_together and players_holding_cards > 1:
            where = (*side.where, "left")
            yield violation(where, side=side.name, hands=players_holding_cards)


@hand_check("left-in-points")
def find_unclear_points_in_hand(table: Table) -> Iterator[Violation]:
    """Report sides that entered only the points of cards left in hand, if these may be wrong.

    In some games a black three is worth 5 points on the table, but costs nothing in hand. A side
    that enters 25 points may have counted black threes among them by mistake.
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
def find_more_cards_than_in_decks(table: Table) -> Iterator[Violation]:
    """Report cards of which more were entered for a hand (a round) than there are in the decks.

    Counted are the cards on the table, those still in hand and the last one discarded. Two decks
    have eight kings, and two kings of hearts. Red threes have a check of their own.
    """
    decks = table.settings.decks
    excess: list[Excess] = []
    for kind, count, limit in zip(KINDS, table.named.counts, in_decks(decks), strict=True):
        if count > limit and kind is not Kind.RED_THREE:
            excess.append(Excess(kind, "", count, limit))
    for cards in table.named.suited:
        limit = decks  # of each card with its suit there is one in every deck
        if cards.number > limit and cards.kind != RED_THREE:
            excess.append(Excess(KINDS[cards.kind], cards.suit, cards.number, limit))
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
    limit = in_decks(table.settings.decks)[RED_THREE]
    if count > limit:
        yield violation(("sides",), sides=table.side_names, threes=count, limit=limit)


# ---------------------------------------------------------------- single melds


@meld_check("meld-too-short")
def check_meld_is_long_enough(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report a meld (a group of cards on the table) with fewer cards than it needs.

    Most melds need three cards. Melds of wild cards (jokers and twos) alone may need more.
    """
    needed = settings.meld_shortest
    if laid.shape == "wilds":
        needed = settings.wild_melds_shortest
    size = laid.meld.size
    has_unreadable_cards = not laid.whole  # which would count too
    if has_unreadable_cards or size >= needed:
        return None

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
        laid.where, cited_settings=cited_settings, cards=size, allowed=longest.cards, why=laid.shape
    )


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
    if laid.shape == "sequence":
        # It has each rank from ace to four once. This follows from what a sequence is.
        return _LongestMeld(len(NATURAL_INDICES), "sequences")
    if laid.shape == "group":
        return _LongestMeld(settings.meld_longest, "meld-longest")
    if laid.whole:
        return _LongestMeld(settings.wild_melds_longest, "wild-melds-longest")
    # Among the wild cards is one that could not be read. It may be a natural card: then the meld
    # is a group, and only more cards than a group may have are wrong in any case.
    return _LongestMeld(settings.meld_longest, "wild-melds-longest")


@meld_check("meld-too-few-naturals")
def check_meld_has_enough_naturals(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report a meld (a group of cards on the table) with fewer natural cards than it needs.

    Natural cards are all but jokers and twos, which are wild. Melds of wild cards alone need none.
    Where two are needed, `K 2 2` is reported.
    """
    has_unreadable_cards = not laid.whole  # which may be natural
    if has_unreadable_cards or laid.shape == "wilds":
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
def check_meld_has_not_too_many_wilds(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report a meld (a group of cards on the table) with more wild cards than it may hold.

    Wild cards are jokers and twos. The limit may depend on how many natural cards the meld has.
    Where the limit is three, `K K K K 2 2 2 2` is reported.
    """
    if laid.shape == "wilds":
        return None
    if _is_reported_as_sequence_with_wilds(laid, settings):
        return None
    wilds = laid.meld.wilds
    allowed = _count_wilds_allowed(laid, settings)
    if wilds <= allowed:
        return None
    return violation(
        laid.where,
        cited_settings=_cite_limit_of_wilds(laid, settings, allowed),
        wilds=wilds,
        allowed=allowed,
        naturals=laid.meld.naturals,
        why=_choose_message_on_wilds(laid, allowed).value,
    )


def _choose_message_on_wilds(laid: LaidMeld, allowed: int) -> _WhyTooManyWilds:
    """Choose the message about a meld (a group of cards) with too many wild cards.

    Wild cards are jokers and twos; `allowed` is how many of them the meld may hold.
    """
    if laid.shape == "sequence":
        return _WhyTooManyWilds.SEQUENCE
    if allowed == 0:
        # "A meld like this holds no wild cards, and this one holds 2."
        return _WhyTooManyWilds.NONE
    # "This meld may hold at most 3 wild cards, and it holds 4."
    return _WhyTooManyWilds.SOME


def _is_reported_as_sequence_with_wilds(laid: LaidMeld, settings: Settings) -> bool:
    """Tell whether another check reports the wild cards of a meld, so that this one must not.

    In some games a sequence (9 8 7 of one suit) may hold no wild cards, which are jokers and twos.
    The check of sequences reports a sequence that has any.

    - `9h 8h JK` → True, it is a sequence
    - `9h foo JK` → True, it may be one: the word that could not be read may mean `8h`
    - `9h 9d JK` → False, it is a group of nines
    """
    are_wilds_forbidden_in_sequences = settings.sequences == "pure"
    if not are_wilds_forbidden_in_sequences:
        return False
    if laid.shape == "sequence":
        return True
    has_unreadable_cards = not laid.whole
    has_natural_cards = bool(laid.meld.ranks)
    return has_unreadable_cards and has_natural_cards


def _count_wilds_allowed(laid: LaidMeld, settings: Settings) -> int:
    """Count how many wild cards (jokers and twos) a meld (a group of cards) may hold.

    If some of its cards could not be read, it is the highest number that is possible: more wild
    cards than that are wrong whatever those cards are.
    """
    has_unreadable_cards = not laid.whole  # they may be natural cards, which allow more wild ones
    if has_unreadable_cards or laid.shape == "sequence":
        return settings.wild_limit
    # The rank matters too: in some games sevens are laid without wild cards.
    possible_ranks = laid.meld.ranks or NATURAL_INDICES
    return max(settings.most_wilds(laid.meld.naturals, rank) for rank in possible_ranks)


def _cite_limit_of_wilds(laid: LaidMeld, settings: Settings, allowed: int) -> tuple[str, ...]:
    """Name the settings which say that a meld (a group of cards) holds too many wild cards.

    Wild cards are jokers and twos; `allowed` is how many of them the meld may hold. The page shows
    which rule books say so, looked up by these names.
    """
    if laid.shape == "sequence":
        return ("sequences",)
    if _is_rank_limited(laid, settings, allowed):
        return ("natural-only",)  # the ranks that are laid without wild cards, such as sevens

    wilds = laid.meld.wilds
    cited_settings: list[str] = []
    if wilds > settings.wild_limit:
        cited_settings.append("wild-limit")  # a fixed number for any meld
    limit_by_naturals = settings.ratio_limit(laid.meld.naturals)
    if limit_by_naturals is not None and wilds > limit_by_naturals:
        cited_settings.append("wild-ratio")  # such as: no more wild cards than natural ones
    return tuple(cited_settings)


def _is_rank_limited(laid: LaidMeld, settings: Settings, allowed: int) -> bool:
    """Tell whether a meld may hold fewer wild cards than other melds because of its rank.

    Wild cards are jokers and twos; `allowed` is how many of them the meld (a group of cards) may
    hold. In a game in which sevens are laid without wild cards:

    - `7 7 7 JK`, which may hold none → True
    - `8 8 8 JK` → False
    """
    allowed_in_any_rank = settings.wild_limit
    limit_by_naturals = settings.ratio_limit(laid.meld.naturals)
    if limit_by_naturals is not None:
        allowed_in_any_rank = min(allowed_in_any_rank, limit_by_naturals)
    return allowed < allowed_in_any_rank


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
    meld = laid.meld
    if not laid.whole or laid.shape != "sequence":
        return None
    if is_unbroken_sequence(meld, settings):
        return None
    why = _find_fault_of_sequence(meld, settings)
    return violation(laid.where, ranks=_list_kinds(meld), why=why.value)


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


def _find_fault_of_sequence(meld: Meld, settings: Settings) -> _SequenceFault:
    """Find out why cards of different ranks are not a sequence, such as 9 8 7 of one suit.

    Call it only if they are none. If several things are wrong, the first counts: a gap can only be
    seen among cards that are known to be of one suit.

    - `9h 8h 3b` → `BLACK_THREE`
    - `9h 8 7h` → `SUIT_MISSING`
    - `9h 8d 7h` → `SUITS`
    - `9h 9h 8h` → `TWICE`
    - `9h 8h JK` → `WILD`, in a game without wild cards (jokers and twos) in sequences
    - `9h 8h 5h` → `GAP`
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
    return _SequenceFault.GAP  # nothing else is left that can be wrong


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
    has_unreadable_cards = not laid.whole
    if has_unreadable_cards or not laid.meld.is_of_black_threes:
        return None  # with the cards that could not be read, it may be a meld of another rank
    return _check_meld_of_black_threes(laid, settings)


def _check_meld_has_no_black_threes(laid: LaidMeld) -> Violation | None:
    """Report a meld (a group of cards) with black threes, in a game that never allows them."""
    if laid.meld.black_threes == 0:
        return None
    # "In this game black threes are never melded, not even when going out."
    return _report_black_threes(laid, "black-threes", why="never")


def _check_meld_of_black_threes(laid: LaidMeld, settings: Settings) -> Violation | None:
    """Report what is wrong with a meld of black threes, in a game that allows such melds.

    It may have too many cards, wild cards (jokers and twos), or too few black threes. Only the
    first of these faults is reported.
    """
    meld = laid.meld
    longest = settings.black_threes_longest
    if longest is not None and meld.size > longest:
        # Shown as: "A meld of black threes has at most 6 cards here, and this one has 7."
        return _report_black_threes(laid, "black-threes-longest", why="longest", allowed=longest)
    if meld.wilds and settings.black_threes_wilds == "pure":
        # "Black threes are melded without wild cards here, and this meld holds 1."
        return _report_black_threes(laid, "black-threes-wilds", why="pure")
    needed = settings.black_threes_fewest
    # If black threes need no more natural cards than any meld, the check of natural cards
    # (`meld-too-few-naturals`) reports the fault already.
    needs_more_than_others = needed > settings.meld_naturals
    if needs_more_than_others and meld.black_threes < needed:
        # "A meld of black threes holds at least 3 of them here, and this one holds 2."
        return _report_black_threes(laid, "black-threes-fewest", why="fewest", needed=needed)
    return None


def _report_black_threes(laid: LaidMeld, setting: str, **arguments: MessageArgument) -> Violation:
    """Make the report that a meld (a group of cards) with black threes breaks a rule.

    `setting` is the name of the setting with the rule, to be cited. `why` in the arguments chooses
    the message; the others are values in it.
    """
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
def find_black_threes_laid_too_early(table: Table) -> Iterator[Violation]:
    """Report black threes on the table of a side none of whose players ended the round.

    Where black threes may be laid at all, it has to be in the turn in which a player of the side
    plays the last card.
    """
    for side in table.sides:
        if side.is_out:
            continue
        for laid in (*side.melds, *side.opening):
            if table.settings.black_threes == "never":
                threes = laid.meld.black_threes
                why = "never"  # "In this game black threes are never melded."
            else:
                threes = _count_threes_for_going_out(laid.meld)
                why = "going-out"  # "Black threes are melded only when going out …"
            if threes > 0:
                yield violation(laid.where, threes=threes, why=why)


def _count_threes_for_going_out(meld: Meld) -> int:
    """Count the black threes of a meld that may be laid only together with a player's last card.

    A meld is a group of cards on the table.

    - `3b 3b 3b` → 3, a meld of black threes
    - `K K 3b` → 0, it is never allowed, and other checks report that
    """
    if not meld.is_of_black_threes:
        return 0
    return meld.black_threes


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
        if rank is None or not laid.whole:
            continue
        is_canasta = laid.meld.size >= settings.canasta_length
        if is_canasta and are_canastas_left_out:
            continue
        yield _MeldOfRank(rank, laid)
