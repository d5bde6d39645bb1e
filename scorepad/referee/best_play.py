"""The best legal way to lay the cards that a player holds, found exactly by integer programming.

The candidates are all legal melds that could be laid, new or on a meld of the table. How many of
each are laid is a variable of the program. It is limited by the cards held and by tallies: totals
over all the melds laid, such as their canastas or points, whose limits depend on the question. The
solution is converted back into cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from scorepad.errors import TooManyWays
from scorepad.referee.ruling import LaidCards, Play
from scorepad.referee.situation import ASKER, table_with
from scorepad.rules.bounds import Piece, Resource, UseLimits, solve, uses_of_cards
from scorepad.rules.cards import (
    JOKER,
    NO_CARDS,
    TWO,
    Cards,
    Reading,
    SuitedKind,
    build_cards,
    count_by_suit,
    gather,
    subtract_cards,
)
from scorepad.rules.checks import is_meld
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out
from scorepad.rules.possible_melds import RANKS, PossibleMeld, find_possible_melds
from scorepad.rules.settings import Settings
from scorepad.rules.table import Meld, canasta_of, incomplete_of, is_incomplete_wild_meld, read_meld
from scorepad.rules.turn_checks import OpeningCount, count_opening

Limits = dict[Resource, UseLimits]
"""The least and the most of each tally, or of the cards of a kind that are used."""


def at_least(number: int) -> UseLimits:
    """The limits of a tally that must reach this number."""
    return UseLimits(least=number, most=None)


def up_to(number: int) -> UseLimits:
    """The limits of a tally that must not exceed this number."""
    return UseLimits(least=0, most=number)


def exactly(number: int) -> UseLimits:
    """The limits of a tally that must be this number."""
    return UseLimits(least=number, most=number)


# --------------------------------------------------------------------------------------- tallies

OPENING_POINTS: Resource = ("opening-points",)
"""The points that count for an opening."""
MAY_OPEN: Resource = ("may-open",)
"""Melds that may open except for missing points; an opening needs at least one."""
MAY_HOLD_TOP_CARD: Resource = ("may-hold-top-card",)
"""Melds that may hold the top card of the pile."""
MELDS: Resource = ("melds",)
CANASTAS: Resource = ("canastas",)
"""All canastas; those of a family have `canastas_of_family` too."""
NEW_CANASTAS: Resource = ("new-canastas",)
"""Canastas that are new melds."""
BARS_GOING_OUT: Resource = ("bars-going-out",)
"""Incomplete melds that prevent going out."""
_INCOMPLETE_WILD_MELDS: Resource = ("incomplete-wild-melds",)
"""Incomplete melds of wild cards alone, if such a meld restricts the side."""
_PLACES_FOR_WILDS: Resource = ("places-for-wilds",)
"""Places for wild cards beside natural ones, in melds that count for an opening.

A meld adds its places, and a wild card takes one away, so that it comes to zero when all are
filled.
"""
_PLACES_NOT_COUNTING: Resource = ("places-not-counting",)
"""Places for wild cards beside natural ones, in melds that do not count for an opening."""
_DISCARDED: Resource = ("discarded",)

_MOST_CANASTAS_OF_A_RANK = 10
"""The maximum number of canastas of one rank laid in one turn."""
NOTHING_BARS_GOING_OUT: Limits = {BARS_GOING_OUT: exactly(0)}
"""A player who goes out leaves no incomplete meld that prevents it."""


def _incomplete_melds_of(rank: int) -> Resource:
    """The tally of incomplete melds of a rank (index): those that are no canastas."""
    return ("incomplete", rank)


def _incomplete_or_canastas_of(rank: int) -> Resource:
    """The tally by which an incomplete meld of a rank (index) excludes canastas of that rank."""
    return ("incomplete-or-canastas", rank)


ONE_INCOMPLETE_OF_EACH: Limits = {
    **{_incomplete_melds_of(rank): up_to(1) for rank in RANKS},
    _INCOMPLETE_WILD_MELDS: up_to(1),
}
"""A side has at most one incomplete meld of a rank, and of wild cards."""
_INCOMPLETE_OR_CANASTAS: Limits = {
    _incomplete_or_canastas_of(rank): up_to(_MOST_CANASTAS_OF_A_RANK) for rank in RANKS
}
"""One turn lays either an incomplete meld of a rank or canastas of that rank."""

# ------------------------------------------------------------------------------------- the task

LARGEST_TIDIED_HAND = 40
"""A number of cards: in larger hands minimizing the number of melds takes too long and is omitted.
"""
MOST_WAYS = 250
"""Melds that are examined. Only large hands with sequences in which wild cards replace any card
allow more.

With 250 of them the solver takes half a second, with 400 up to five. Thirty-six cards of
Bolivia make about 200.
"""
_VALUE_OF_A_POINT = 100
"""The value of a point in the program, where each meld costs one: of two plays with equal points,
the one with fewer melds is chosen.
"""
_MORE_THAN_ALL_POINTS = 10000
"""More than the total points of any decks: a point with this weight takes precedence over all
points with weight 1.
"""


class Candidate(NamedTuple):
    """A meld that could be laid, new or on a meld of the table."""

    added: Cards
    """Its cards from the hand, except wild cards beside natural ones."""
    wilds: int
    """The number of wild cards from the hand beside natural ones; each may be a joker or a two."""
    meld: Meld
    """The resulting meld, with twos as those wild cards."""
    on: int | None
    """The index of the table's meld that the cards are laid on; None for a new meld."""
    tallies: dict[Resource, int]
    """What it adds to the tallies."""
    worth: int = 0
    """The value of `added` for the task."""
    counts: bool = True
    """Whether the meld, with its wild cards, counts for the opening."""

    @property
    def cards_from_hand(self) -> int:
        """The number of cards that it takes from the hand."""
        return self.added.size + self.wilds

    @property
    def wilds_from_hand(self) -> int:
        """The number of wild cards that it takes from the hand, beside natural ones or alone."""
        return self.added.wilds + self.wilds


class WildPoints(NamedTuple):
    """The points of each wild card beside natural ones."""

    joker: int = 0
    two: int = 0


class Weights(NamedTuple):
    """How much a point weighs where plays are compared: in melds that count for an opening, and in
    the others.
    """

    counting: int = 1
    others: int = 1


LAID_POINTS_FIRST = Weights(counting=_MORE_THAN_ALL_POINTS + 1, others=_MORE_THAN_ALL_POINTS)
"""The most points laid decide and, among equals, the most that count: a point weighs 10001 if it
counts, 10000 if it does not.
"""
COUNTING_POINTS_FIRST = Weights(counting=_MORE_THAN_ALL_POINTS + 1, others=1)
"""The most points that count decide and, among equals, the most laid."""
ALL_PLAYS_EQUAL = Weights(counting=0, others=0)
"""No points decide: any play will do."""


class Discards(NamedTuple):
    """The last discard: between `fewest` and `most` cards of these kinds (indices).

    `aside` are cards of the hand that are discarded in any case.
    """

    kinds: tuple[int, ...] = ()
    fewest: int = 0
    most: int = 0
    aside: Cards = NO_CARDS


class LayingTask(NamedTuple):
    """What to lay: some of these melds, from the cards held, within the limits of the tallies.

    `whole`: no card stays in the hand. `discards` is the last discard of a player who goes out.
    `top` is the top card of the pile, included in `held`: it is laid in a meld of the tally
    `MAY_HOLD_TOP_CARD`.
    """

    held: Cards
    candidates: tuple[Candidate, ...]
    limits: Limits
    wilds: WildPoints = WildPoints()
    weights: Weights = Weights()
    whole: bool = False
    discards: Discards = Discards()
    top: Reading | None = None

    @property
    def in_hand(self) -> Cards:
        """The cards held without the top card of the pile."""
        return subtract_cards(self.held, self.top.cards) if self.top else self.held

    @property
    def all_melds_count(self) -> bool:
        return all(candidate.counts for candidate in self.candidates)

    def within(self, limits: Limits) -> LayingTask:
        """The task with these limits besides its own."""
        return self._replace(limits=self.limits | limits)


# ----------------------------------------------------------------------------------- the candidates


@lru_cache(maxsize=64)
def new_melds(settings: Settings, held: Cards, *, going_out: bool) -> tuple[Candidate, ...]:
    """The legal new melds of these cards; cached, since a case is evaluated under many rules.
    Raises TooManyWays.
    """
    possible = find_possible_melds(settings, held)
    legal = _legal_melds(settings, possible, on=None, going_out=going_out)
    candidates = tuple(islice(legal, MOST_WAYS + 1))
    if len(candidates) > MOST_WAYS:
        raise TooManyWays
    return candidates


def lay_offs(
    settings: Settings, held: Cards, table_meld: Reading, *, on: int
) -> Iterator[Candidate]:
    """What a player who goes out could lay off on a meld of the table, including nothing.

    `on` is the index of that meld.
    """
    nothing = PossibleMeld(NO_CARDS, 0, read_meld(table_meld.cards))
    possible = find_possible_melds(settings, held, table_meld.cards)
    yield from _legal_melds(settings, (nothing, *possible), on=on, going_out=True)


def _legal_melds(
    settings: Settings, possible: Iterable[PossibleMeld], *, on: int | None, going_out: bool
) -> Iterator[Candidate]:
    """The melds that these rules allow, among all that some cards could make.

    `on` is the index of the table's meld that the cards are laid on, None for new melds.
    """
    for each in possible:
        if each.meld.black_threes and not going_out:  # they are melded only by who goes out
            continue
        if is_meld(each.meld, settings):
            tallies = tallies_of(settings, each.meld, on=on)
            yield Candidate(each.added, each.wilds, each.meld, on, tallies)


def tallies_of(settings: Settings, meld: Meld, *, on: int | None) -> dict[Resource, int]:
    """What a meld adds to the tallies, which are totals over all melds laid.

    A new canasta (a meld of seven cards or more) adds `{MELDS: 1, CANASTAS: 1, NEW_CANASTAS: 1, …}`.
    `on` is the index of the table's meld that its cards are laid on; None for a new meld.
    """
    tallies: dict[Resource, int] = {MELDS: 1}
    if on is not None:
        tallies[laid_on_meld(on)] = 1
    canasta = canasta_of(meld, settings)
    if canasta is not None:
        tallies[CANASTAS] = 1
        tallies[canastas_of_family(canasta.family)] = 1
    if canasta is not None and on is None:
        tallies[NEW_CANASTAS] = 1
    return tallies | _tallies_of_restrictions(settings, meld)


def _tallies_of_restrictions(settings: Settings, meld: Meld) -> dict[Resource, int]:
    """What a meld adds to the totals by which some games restrict the melds of a side: incomplete
    melds of wild cards, melds of the same rank, and incomplete melds that prevent going out.

    A meld is incomplete as long as it is no canasta.
    """
    return {
        **_tallies_of_wild_meld(settings, meld),
        **_tallies_of_rank(settings, meld),
        **_tallies_of_meld_barring_out(settings, meld),
    }


def _tallies_of_wild_meld(settings: Settings, meld: Meld) -> dict[Resource, int]:
    """One for an incomplete meld of wild cards alone, in games in which it restricts its side;
    empty for other melds.
    """
    if settings.wilds_blocked == "nothing" or not is_incomplete_wild_meld(meld, settings):
        return {}
    return {_INCOMPLETE_WILD_MELDS: 1}


def _tallies_of_meld_barring_out(settings: Settings, meld: Meld) -> dict[Resource, int]:
    """One for an incomplete meld that prevents going out; empty for other melds."""
    incomplete = incomplete_of(meld, settings)
    if incomplete is None or not incomplete.bars_out:
        return {}
    return {BARS_GOING_OUT: 1}


def laid_on_meld(index: int) -> Resource:
    """The tally of what is laid on the table's meld with this index."""
    return ("on", index)


def canastas_of_family(family: str) -> Resource:
    """The tally of the canastas of a family, such as natural ones; all have `CANASTAS` too."""
    return ("family", family)


def _tallies_of_rank(settings: Settings, meld: Meld) -> dict[Resource, int]:
    """What a meld adds to the tallies of its rank, in games in which a side has either one
    incomplete meld of a rank or canastas of it, but not both.

    An incomplete meld of kings counts as much as all the canastas of kings that may be laid, so
    that none fits beside it.
    """
    if settings.repeated_rank != "not-incomplete" or meld.rank is None:
        return {}
    is_complete = meld.size >= settings.canasta_length
    if is_complete:
        return {_incomplete_or_canastas_of(meld.rank): 1}
    return {
        _incomplete_melds_of(meld.rank): 1,
        _incomplete_or_canastas_of(meld.rank): _MOST_CANASTAS_OF_A_RANK,
    }


def canastas_needed(settings: Settings) -> Limits:
    """The canastas that going out requires, as limits: at least so many, of a family or of any."""
    needed: Limits = {CANASTAS: at_least(settings.canastas_needed)}
    for family, count in settings.canasta_families_needed:
        needed[canastas_of_family(family)] = at_least(count)
    return needed


# ----------------------------------------------------------------------------------------- openings

_OPENS_WITH_ENOUGH_POINTS = (None, "points", "naturals")
"""Results of `count_opening` for a meld that may open, or would with more points beside it."""
_OPENS_BESIDE_OTHERS = ("natural-group", "wilds-alone")
"""Reasons against a meld as an opening alone that another meld can remove."""


def opening_candidates(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int | None, *, concealed: bool
) -> Iterator[Candidate]:
    """The melds that an opening (what a side lays first in a hand) may hold, with the points that
    they add toward its minimum.

    `minimum` is None where an opening needs no points. `concealed`: the player opens and goes out at
    once.
    """
    if minimum is None:
        return _candidates_without_minimum(candidates)
    return _candidates_for_minimum(rules, candidates, minimum, concealed=concealed)


def _candidates_without_minimum(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """The melds of an opening that needs no points: it may hold any, and the number of their cards
    stands for their points.
    """
    for candidate in candidates:
        yield opening_candidate(candidate, points=candidate.added.size)


def _candidates_for_minimum(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int, *, concealed: bool
) -> Iterator[Candidate]:
    """The melds that an opening with this minimum of points may hold.

    Some may open by themselves if they have the points, others only beside another meld. The rest,
    which no opening may hold, are left out. `concealed`: the player opens and goes out at once.
    """
    counted_melds = _count_each_alone(rules, candidates, minimum, concealed=concealed)
    for counted in counted_melds:
        if counted.opens_alone or counted.opens_beside_others:
            points = counted.candidate.added.points(rules.settings.card_points)
            yield opening_candidate(
                counted.candidate,
                points,
                counts=counted.points_count,
                may_open=counted.opens_alone,
            )


class _CountedAlone(NamedTuple):
    """A meld, and what it would be worth as the only meld of an opening."""

    candidate: Candidate
    as_only_meld: OpeningCount

    @property
    def opens_alone(self) -> bool:
        """Whether the meld may open without others, if it has the points."""
        return self.as_only_meld.why in _OPENS_WITH_ENOUGH_POINTS

    @property
    def opens_beside_others(self) -> bool:
        """Whether an opening may hold the meld if it holds another one that it requires."""
        return self.as_only_meld.why in _OPENS_BESIDE_OTHERS

    @property
    def points_count(self) -> bool:
        """Whether its points count toward the minimum."""
        melds_not_counting = self.as_only_meld.aside
        return melds_not_counting == 0


def _count_each_alone(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int, *, concealed: bool
) -> Iterator[_CountedAlone]:
    """Each meld as if it were the whole opening, counted against this minimum of points.

    `concealed`: the player opens and goes out at once.
    """
    melds = tuple(candidates)
    out = Out(ASKER, concealed=True) if concealed else None
    # One table with all the melds, in this order, is faster to build than one for each of them.
    all_melds = tuple(Reading(candidate.meld.cards) for candidate in melds)
    table = table_with(rules, out=out, opening=all_melds)
    side = table.sides[ASKER]
    for candidate, laid_meld in zip(melds, side.opening, strict=True):
        side_with_only_meld = replace(side, opening=(laid_meld,))
        yield _CountedAlone(candidate, count_opening(table, side_with_only_meld, minimum))


def opening_candidate(
    candidate: Candidate, points: int, *, counts: bool = True, may_open: bool = True
) -> Candidate:
    """The candidate as a meld of an opening, in which its cards have these points.

    The points of wild cards beside natural ones are added later, when it is known which they are.
    `counts`: its points count toward the minimum; if not, they still make it worth laying.
    `may_open`: it could be the whole opening, if it had the points.
    """
    tallies = dict(candidate.tallies)
    tallies[OPENING_POINTS] = points if counts else 0
    tallies[MAY_OPEN] = 1 if may_open else 0
    return candidate._replace(tallies=tallies, worth=points, counts=counts)


def opening_task(
    rules: Ruleset,
    held: Cards,
    candidates: Iterable[Candidate],
    *,
    minimum: int | None,
    top: Reading | None,
    concealed: bool = False,
) -> LayingTask:
    """The task of finding the opening with the most points laid and, among equals, with the most
    points that count toward the minimum.

    `minimum` is None where an opening needs no points. `top` is the pile's top card, if the player
    opens with it; `concealed`: the player opens and goes out at once.
    """
    melds = tuple(opening_candidates(rules, candidates, minimum, concealed=concealed))
    task = LayingTask(
        held=held,
        candidates=melds,
        limits=ONE_INCOMPLETE_OF_EACH | _INCOMPLETE_OR_CANASTAS,
        wilds=_wild_points_in_opening(rules.settings, minimum),
        top=top,
    )
    if task.all_melds_count:  # the points laid are also those that count
        return task
    return task._replace(weights=LAID_POINTS_FIRST)


def _wild_points_in_opening(settings: Settings, minimum: int | None) -> WildPoints:
    """The points of wild cards in an opening. Without a minimum, the number of cards stands for
    points.
    """
    if minimum is None:
        return WildPoints(joker=1, two=1)
    return wild_points(settings)


def wild_points(settings: Settings) -> WildPoints:
    """The points of wild cards in this game."""
    return WildPoints(joker=settings.card_points[JOKER], two=settings.card_points[TWO])


# -------------------------------------------------------------------------------------- the program


def find_best_play(task: LayingTask) -> Play | None:
    """The play with the highest value; None if there is none. Raises TooManyWays.

    An integer program says how often each meld is laid; the play is made from these numbers.
    """
    if len(task.candidates) > MOST_WAYS:
        raise TooManyWays
    pieces = tuple(_pieces_of_task(task))
    limits = _limits_of_places(task) | _limits_of_cards(task) | task.limits
    numbers = _numbers_of_most_value(pieces, tuple(limits.items()))
    if numbers is None:
        return None
    return _play_of_solution(task, _read_solution(task, numbers))


def _limits_of_places(task: LayingTask) -> Limits:
    """The limits by which wild cards fill the places that the melds have for them, and by which the
    last discard has as many cards as it may.

    A meld with two such places adds two to their tally, and each wild card takes one away. So it
    ends at zero if every place is filled, and no wild card is laid without a place.
    """
    return {
        _PLACES_FOR_WILDS: exactly(0),
        _PLACES_NOT_COUNTING: exactly(0),
        _DISCARDED: UseLimits(least=task.discards.fewest, most=task.discards.most),
    }


def _limits_of_cards(task: LayingTask) -> Limits:
    """The limits by which no card is used more often than it is held."""
    return _limits_of_kinds(task) | _limits_of_suits(task)


def _limits_of_kinds(task: LayingTask) -> Limits:
    """The limits of the cards of each kind: of two kings held, up to two are used. If the whole
    hand is laid, both are.
    """
    limits: Limits = {}
    for kind, number in enumerate(task.held.counts):
        limits[_use_of_kind(kind)] = exactly(number) if task.whole else up_to(number)
    return limits


def _limits_of_suits(task: LayingTask) -> Limits:
    """The limits of the cards whose suit is known: of two kings, of which one is of hearts, one is
    used as a king of hearts.

    Only sequences use cards by their suits. The top card of the pile is laid in a meld of its rank,
    so sequences have the cards of the hand only.
    """
    number_in_hand = count_by_suit(task.in_hand)
    limits: Limits = {}
    for kind, suit, _ in task.held.suited:
        number = number_in_hand.get(SuitedKind(kind, suit), 0)
        limits[_use_of_suit(kind, suit)] = up_to(number)
    return limits


def _use_of_kind(kind: int) -> Resource:
    """The cards of a kind (its index) that are used, as `uses_of_cards` names them."""
    return ("card", kind)


def _use_of_suit(kind: int, suit: str) -> Resource:
    """The cards of a kind (its index) and suit that are used, as `uses_of_cards` names them."""
    return ("suited", kind, suit)


@lru_cache(maxsize=256)
def _numbers_of_most_value(
    pieces: tuple[Piece, ...], limits: tuple[tuple[Resource, UseLimits], ...]
) -> tuple[int, ...] | None:
    """How many of each piece to use for the highest value within the limits; None if nothing fits.

    Cached: a question is answered under every option, and most options do not change it. Therefore
    the limits are the items of a `Limits`, which can be hashed.
    """
    return solve(pieces, dict(limits), "most")


def _pieces_of_task(task: LayingTask) -> Iterator[Piece]:
    """The variables of the integer program: what a play may lay or discard, any number of times.

    First the melds; then jokers and twos beside natural cards, apart from the melds, so that either
    may be any wild card of a meld; then the cards discarded. `_read_solution` relies on this order.
    """
    for candidate in task.candidates:
        yield _meld_piece(task, candidate)
    for counts in (True, False):
        yield _wild_piece(task, JOKER, counts=counts)
        yield _wild_piece(task, TWO, counts=counts)
    for kind in task.discards.kinds:
        yield _discard_piece(kind)


def _meld_piece(task: LayingTask, candidate: Candidate) -> Piece:
    """A meld as a variable of the integer program, with what laying it once uses: natural cards of
    the hand, places for wild cards, and what it adds to the tallies (totals over all melds).
    """
    places_for_wilds = (_places_for_wilds(counts=candidate.counts), candidate.wilds)
    uses = (*uses_of_cards(candidate.added), places_for_wilds, *candidate.tallies.items())
    return Piece(points=_value_of_meld(task, candidate), uses=uses)


def _value_of_meld(task: LayingTask, candidate: Candidate) -> int:
    """The value of a meld where plays are compared: its points, multiplied so that they outweigh any
    number of melds, less one for the meld itself.

    Of two plays with equal points, the one with fewer melds has the higher value.
    """
    weight = _weight_of_points(task, counts=candidate.counts)
    value = candidate.worth * weight * _VALUE_OF_A_POINT
    lays_cards = candidate.cards_from_hand > 0
    is_small_hand = task.held.size <= LARGEST_TIDIED_HAND
    if lays_cards and is_small_hand:
        value -= 1
    return value


def _wild_piece(task: LayingTask, kind: int, *, counts: bool) -> Piece:
    """A joker or a two (index) beside natural cards, as a variable of the integer program.

    It uses a card of the hand, and fills one of the places that the melds have for wild cards: the
    tally of places gets one less. `counts`: its meld counts for an opening, and so do its points.
    """
    points = task.wilds.joker if kind == JOKER else task.wilds.two
    weight = _weight_of_points(task, counts=counts)
    opening_points = points if counts else 0
    uses = (
        (_use_of_kind(kind), 1),
        (_places_for_wilds(counts=counts), -1),
        (OPENING_POINTS, opening_points),
    )
    return Piece(points=points * weight * _VALUE_OF_A_POINT, uses=uses)


def _discard_piece(kind: int) -> Piece:
    """A card of this kind (index) in the last discard, as a variable of the integer program: it uses
    a card of the hand and adds one to the cards discarded. It has no value.
    """
    uses = ((_use_of_kind(kind), 1), (_DISCARDED, 1))
    return Piece(points=0, uses=uses)


def _weight_of_points(task: LayingTask, *, counts: bool) -> int:
    """The weight of a point in melds that count for an opening, or in the others."""
    return task.weights.counting if counts else task.weights.others


def _places_for_wilds(*, counts: bool) -> Resource:
    """The tally of places for wild cards in melds that count for an opening, or in the others."""
    return _PLACES_FOR_WILDS if counts else _PLACES_NOT_COUNTING


# ------------------------------------------------------------------------------ back into cards


class _ChosenMeld(NamedTuple):
    """A meld to be laid, with jokers and twos as its wild cards."""

    candidate: Candidate
    from_hand: Cards
    """Its cards, without the top card of the pile."""
    top_card: Cards = NO_CARDS
    """The top card of the pile, if it is in this meld."""

    def with_top_card(self, top_card: Cards) -> _ChosenMeld:
        """The meld with the top card in place of one of its cards from the hand."""
        return self._replace(from_hand=subtract_cards(self.from_hand, top_card), top_card=top_card)


@dataclass(slots=True)
class _HandLeft:
    """The cards of the hand that are left while a play is put together."""

    cards: Cards

    def take(self, wanted: Cards) -> Cards:
        """Take these cards out of the hand, and return them with the suits that they have in it.

        Taking `K` from `Kh 9` returns `Kh`, and `9` is left.
        """
        others = subtract_cards(self.cards, wanted)
        taken = subtract_cards(self.cards, others)
        self.cards = subtract_cards(self.cards, taken)
        return taken


class _Solution(NamedTuple):
    """How many of each piece of a task are used.

    `melds` has the number of each candidate, `discards` that of each kind that may be discarded.
    `jokers` and `jokers_not_counting` are the jokers beside natural cards, in melds that count for
    an opening and in the others; their other wild cards are twos.
    """

    melds: tuple[int, ...]
    jokers: int
    jokers_not_counting: int
    discards: tuple[int, ...]


def _read_solution(task: LayingTask, numbers: tuple[int, ...]) -> _Solution:
    """The numbers of the pieces of a task, which are in the order of `_pieces_of_task`."""
    end_of_melds = len(task.candidates)
    start_of_discards = len(numbers) - len(task.discards.kinds)
    jokers, _twos, jokers_not_counting, _twos_not_counting = numbers[end_of_melds:start_of_discards]
    return _Solution(
        melds=numbers[:end_of_melds],
        jokers=jokers,
        jokers_not_counting=jokers_not_counting,
        discards=numbers[start_of_discards:],
    )


def _play_of_solution(task: LayingTask, solution: _Solution) -> Play:
    """The play that lays and discards the cards of a solution.

    The meld with the top card of the pile comes first, then what is laid on the table's melds in
    their order, then the new melds.
    """
    hand = _HandLeft(task.in_hand)
    with_top_card: list[LaidCards] = []
    others: list[LaidCards] = []
    for meld in _give_top_card(task, _chosen_melds(task, solution)):
        cards = gather((hand.take(meld.from_hand), meld.top_card))
        laid = LaidCards(cards, on=meld.candidate.on)
        if meld.top_card.size:
            with_top_card.append(laid)
        elif laid.cards.size:  # a meld of the table may get no cards
            others.append(laid)

    others.sort(key=_order_in_play)
    last_discard = gather((hand.take(_discarded(task, solution)), task.discards.aside))
    return Play((*with_top_card, *others), last_discard)


def _give_top_card(task: LayingTask, melds: list[_ChosenMeld]) -> list[_ChosenMeld]:
    """The melds, after the first that may hold the top card of the pile got it. Without a top card
    they stay as they are.
    """
    if task.top is None:
        return melds
    for index, meld in enumerate(melds):
        if MAY_HOLD_TOP_CARD in meld.candidate.tallies:
            holder = meld.with_top_card(task.top.cards)
            return [*melds[:index], holder, *melds[index + 1 :]]
    return melds


def _chosen_melds(task: LayingTask, solution: _Solution) -> list[_ChosenMeld]:
    """The melds of a solution, one entry for each that is laid.

    The first melds with places for wild cards get the jokers of the solution, the others get twos.
    """
    # By whether a meld counts for an opening.
    jokers_left = {True: solution.jokers, False: solution.jokers_not_counting}
    chosen: list[_ChosenMeld] = []
    for candidate in _candidates_laid(task, solution):
        jokers = min(jokers_left[candidate.counts], candidate.wilds)
        jokers_left[candidate.counts] -= jokers
        twos = candidate.wilds - jokers
        wilds = build_cards({JOKER: jokers, TWO: twos})
        chosen.append(_ChosenMeld(candidate, gather((candidate.added, wilds))))
    return chosen


def _candidates_laid(task: LayingTask, solution: _Solution) -> list[Candidate]:
    """Each candidate as often as a solution lays it; first sequences, which take the cards of their
    suits before other melds do.
    """
    sequences: list[Candidate] = []
    others: list[Candidate] = []
    for candidate, number in zip(task.candidates, solution.melds, strict=True):
        times_laid = [candidate] * number
        if candidate.added.suited:
            sequences.extend(times_laid)
        else:
            others.extend(times_laid)
    return sequences + others


def _order_in_play(laid: LaidCards) -> tuple[int, int]:
    """Sort key: first the cards laid on the table's melds in their order, then new melds."""
    if laid.on is None:
        return (1, 0)
    return (0, laid.on)


def _discarded(task: LayingTask, solution: _Solution) -> Cards:
    """The cards of the last discard, without those that are discarded in any case."""
    number_by_kind = dict(zip(task.discards.kinds, solution.discards, strict=True))
    return build_cards(number_by_kind)
