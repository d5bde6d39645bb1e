"""The best legal way to lay the cards that a player holds, found exactly by integer programming.

The candidates are all legal melds that could be laid, new or on a meld of the table. How many of
each are laid is a variable of the program. It is limited by the cards held and by tallies: totals
over all the melds laid, such as their canastas or points, whose limits depend on the question. The
solution is converted back into cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from scorepad.errors import TooManyWays
from scorepad.referee.ruling import LaidCards, Play
from scorepad.referee.situation import ASKER, table_with
from scorepad.rules.bounds import Piece, Resource, solve, uses_of_cards
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

Limits = dict[Resource, tuple[int, int | None]]
"""The minimum and maximum of each tally, or of the cards of a kind that are used; a maximum of None
is unbounded.
"""

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
ONE_INCOMPLETE_OF_EACH: Limits = {
    **{("incomplete", rank): (0, 1) for rank in RANKS},
    _INCOMPLETE_WILD_MELDS: (0, 1),
}
"""A side has at most one incomplete meld of a rank, and of wild cards."""
_INCOMPLETE_OR_CANASTAS: Limits = {
    ("incomplete-or-canastas", rank): (0, _MOST_CANASTAS_OF_A_RANK) for rank in RANKS
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
    """What a meld adds to the tallies that all questions use: a new canasta (a meld of seven cards
    or more) adds `{MELDS: 1, CANASTAS: 1, NEW_CANASTAS: 1, …}`.

    `on` is the index of the table's meld that its cards are laid on; None for a new meld.
    """
    tallies: dict[Resource, int] = {MELDS: 1}
    if on is not None:
        tallies[laid_on_meld(on)] = 1
    canasta = canasta_of(meld, settings)
    if canasta is not None:
        tallies[CANASTAS] = 1
        tallies[canastas_of_family(canasta.family)] = 1
        if on is None:
            tallies[NEW_CANASTAS] = 1
    return tallies | _tallies_of_restrictions(settings, meld)


def _tallies_of_restrictions(settings: Settings, meld: Meld) -> dict[Resource, int]:
    """What a meld adds to the tallies by which some games restrict what a side may have on the
    table: incomplete melds (those that are no canastas) of wild cards, of the same rank, or of a
    kind that prevents going out.
    """
    tallies: dict[Resource, int] = {}
    if settings.wilds_blocked != "nothing" and is_incomplete_wild_meld(meld, settings):
        tallies[_INCOMPLETE_WILD_MELDS] = 1
    if settings.repeated_rank == "not-incomplete" and meld.rank is not None:
        is_complete = meld.size >= settings.canasta_length
        tallies |= _tallies_of_rank(meld.rank, is_complete=is_complete)
    incomplete = incomplete_of(meld, settings)
    if incomplete is not None and incomplete.bars_out:
        tallies[BARS_GOING_OUT] = 1
    return tallies


def laid_on_meld(index: int) -> Resource:
    """The tally of what is laid on the table's meld with this index."""
    return ("on", index)


def canastas_of_family(family: str) -> Resource:
    """The tally of the canastas of a family, such as natural ones; all have `CANASTAS` too."""
    return ("family", family)


def _tallies_of_rank(rank: int, *, is_complete: bool) -> dict[Resource, int]:
    """What a meld adds to the tallies of its rank (index), where a rank has one incomplete meld or
    several complete ones (canastas), but not both.
    """
    if is_complete:
        return {("incomplete-or-canastas", rank): 1}
    return {
        ("incomplete", rank): 1,
        # It uses up the whole limit, so that no canasta of the rank fits beside it.
        ("incomplete-or-canastas", rank): _MOST_CANASTAS_OF_A_RANK,
    }


def canastas_needed(settings: Settings) -> Limits:
    """The canastas that going out requires, as limits: at least so many, of a family or of any."""
    needed: Limits = {CANASTAS: (settings.canastas_needed, None)}
    for family, count in settings.canasta_families_needed:
        needed[canastas_of_family(family)] = (count, None)
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

    `minimum` is None where an opening needs no points: it may hold any meld, and cards count in
    place of points. `concealed`: the player opens and goes out at once.
    """
    if minimum is None:
        for candidate in candidates:
            yield opening_candidate(candidate, candidate.added.size)
        return

    counted = _count_each_alone(rules, candidates, minimum, concealed=concealed)
    for candidate, as_only_meld in counted:
        if as_only_meld.why in _OPENS_WITH_ENOUGH_POINTS:
            may_open = True
        elif as_only_meld.why in _OPENS_BESIDE_OTHERS:
            may_open = False
        else:  # no opening may hold it, whatever is laid beside it
            continue
        points = candidate.added.points(rules.settings.card_points)
        its_points_count = as_only_meld.aside == 0
        yield opening_candidate(candidate, points, counts=its_points_count, may_open=may_open)


def _count_each_alone(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int, *, concealed: bool
) -> Iterator[tuple[Candidate, OpeningCount]]:
    """Each meld with its value as if it were the whole opening.

    `concealed`: the player opens and goes out at once.
    """
    melds = tuple(candidates)
    out = Out(ASKER, concealed=True) if concealed else None
    # One table with all the melds is faster to build than one for each of them.
    all_melds = tuple(Reading(candidate.meld.cards) for candidate in melds)
    table = table_with(rules, out=out, opening=all_melds)
    side = table.parties[ASKER].sides[0]
    for candidate, laid_meld in zip(melds, side.opening, strict=True):
        side_with_only_meld = replace(side, opening=(laid_meld,))
        yield candidate, count_opening(table, side_with_only_meld, minimum)


def opening_candidate(
    candidate: Candidate, points: int, *, counts: bool = True, may_open: bool = True
) -> Candidate:
    """The candidate with what it adds to an opening: its points, without those of wild cards beside
    natural ones.

    `counts`: its points count toward the minimum. `may_open`: it could be the whole opening, if it
    had the points.
    """
    tallies = dict(candidate.tallies)
    tallies[OPENING_POINTS] = points if counts else 0
    tallies[MAY_OPEN] = int(may_open)
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
    wilds = wild_points(rules.settings)
    if minimum is None:  # cards count in place of points
        wilds = WildPoints(joker=1, two=1)
    limits = ONE_INCOMPLETE_OF_EACH | _INCOMPLETE_OR_CANASTAS
    task = LayingTask(held=held, candidates=melds, limits=limits, wilds=wilds, top=top)
    if task.all_melds_count:  # the points laid are also those that count
        return task
    return task._replace(weights=LAID_POINTS_FIRST)


def wild_points(settings: Settings) -> WildPoints:
    """The points of wild cards in this game."""
    return WildPoints(joker=settings.card_points[JOKER], two=settings.card_points[TWO])


# -------------------------------------------------------------------------------------- the program


def find_best_play(task: LayingTask) -> Play | None:
    """The play with the highest value; None if there is none. Raises TooManyWays."""
    if len(task.candidates) > MOST_WAYS:
        raise TooManyWays
    pieces = tuple(_pieces_of_task(task))
    limits = _limits_of_places(task) | _limits_of_cards(task) | task.limits
    numbers = _solve(pieces, tuple(limits.items()))
    if numbers is None:
        return None
    return _play_of_solution(task, _read_solution(task, numbers))


def _limits_of_places(task: LayingTask) -> Limits:
    """The limits by which every place that the melds have for wild cards is filled (none is left
    over, and none too few), and by which the last discard has as many cards as it may.
    """
    return {
        _PLACES_FOR_WILDS: (0, 0),
        _PLACES_NOT_COUNTING: (0, 0),
        _DISCARDED: (task.discards.fewest, task.discards.most),
    }


def _limits_of_cards(task: LayingTask) -> Limits:
    """The limits by which no card is used more often than it is held and, if the whole hand is
    laid, each is used.

    Of two kings, one of them of hearts, `("card", 3)` has the limits 0 and 2, and `("suited", 3,
    "h")` 0 and 1.
    """
    limits: Limits = {}
    for kind, count in enumerate(task.held.counts):
        fewest = count if task.whole else 0
        limits["card", kind] = (fewest, count)

    # Only sequences use cards by their suits. The top card of the pile is laid in a meld of its
    # rank, so sequences have the cards of the hand only.
    number_in_hand = count_by_suit(task.in_hand)
    for kind, suit, _ in task.held.suited:
        limits["suited", kind, suit] = (0, number_in_hand.get(SuitedKind(kind, suit), 0))
    return limits


@lru_cache(maxsize=256)
def _solve(
    pieces: tuple[Piece, ...], limits: tuple[tuple[Resource, tuple[int, int | None]], ...]
) -> tuple[int, ...] | None:
    """How many of each piece to use for the highest value within the limits; None if nothing fits.

    Cached: a question is answered under every option, and most options do not change it.
    """
    return solve(pieces, dict(limits), "most")


def _pieces_of_task(task: LayingTask) -> Iterator[Piece]:
    """What may be used in a solution of a task, in the order in which `_read_solution` reads the
    numbers.

    First the melds; then jokers and twos beside natural cards, apart from the melds, so that either
    may be any wild card of a meld; then the cards discarded.
    """
    for candidate in task.candidates:
        yield _meld_piece(task, candidate)
    for counts in (True, False):
        yield _wild_piece(task, JOKER, counts=counts)
        yield _wild_piece(task, TWO, counts=counts)
    for kind in task.discards.kinds:
        yield _discard_piece(kind)


def _meld_piece(task: LayingTask, candidate: Candidate) -> Piece:
    """A meld: it uses its natural cards, and adds to the tallies, among them the places that it has
    for wild cards.
    """
    weight = _weight_of_points(task, counts=candidate.counts)
    value = candidate.worth * weight * _VALUE_OF_A_POINT
    if candidate.cards_from_hand > 0 and task.held.size <= LARGEST_TIDIED_HAND:
        value -= 1  # of two plays with equal points, fewer melds are better

    places_for_wilds = (_places_for_wilds(counts=candidate.counts), candidate.wilds)
    uses = (*uses_of_cards(candidate.added), places_for_wilds, *candidate.tallies.items())
    return Piece(points=value, uses=uses)


def _wild_piece(task: LayingTask, kind: int, *, counts: bool) -> Piece:
    """A joker or a two (index) beside natural cards: it uses a card of the hand, and fills one of
    the places that the melds have for wild cards, which is then one less.

    `counts`: its meld counts for an opening, and so do its points.
    """
    points = task.wilds.joker if kind == JOKER else task.wilds.two
    weight = _weight_of_points(task, counts=counts)
    uses: dict[Resource, int] = {
        ("card", kind): 1,
        _places_for_wilds(counts=counts): -1,
        OPENING_POINTS: points if counts else 0,
    }
    return Piece(points=points * weight * _VALUE_OF_A_POINT, uses=tuple(uses.items()))


def _discard_piece(kind: int) -> Piece:
    """A card of this kind (index) in the last discard; it has no value."""
    uses: dict[Resource, int] = {("card", kind): 1, _DISCARDED: 1}
    return Piece(points=0, uses=tuple(uses.items()))


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
    with_top_card: list[LaidCards] = []
    others: list[LaidCards] = []
    left_in_hand = task.in_hand
    for meld in _with_top_card(task, _chosen_melds(task, solution)):
        from_hand = _cards_as_held(left_in_hand, meld.from_hand)
        left_in_hand = subtract_cards(left_in_hand, from_hand)
        laid = LaidCards(gather((from_hand, meld.top_card)), meld.candidate.on)
        if meld.top_card.size:
            with_top_card.append(laid)
        elif laid.cards.size:  # a meld of the table may get no cards
            others.append(laid)

    others.sort(key=_order_in_play)
    discarded = _cards_as_held(left_in_hand, _discarded(task, solution))
    return Play((*with_top_card, *others), gather((discarded, task.discards.aside)))


def _with_top_card(task: LayingTask, chosen: list[_ChosenMeld]) -> list[_ChosenMeld]:
    """The melds, of which the first that may hold the pile's top card does, if there is one."""
    if task.top is None:
        return chosen
    for index, meld in enumerate(chosen):
        if MAY_HOLD_TOP_CARD in meld.candidate.tallies:
            from_hand = subtract_cards(meld.from_hand, task.top.cards)
            holder = _ChosenMeld(meld.candidate, from_hand, task.top.cards)
            return [*chosen[:index], holder, *chosen[index + 1 :]]
    return chosen


def _chosen_melds(task: LayingTask, solution: _Solution) -> list[_ChosenMeld]:
    """The melds of a solution, one entry for each that is laid.

    The first melds with places for wild cards get the jokers of the solution, the others get twos.
    """
    jokers_left = solution.jokers
    jokers_left_not_counting = solution.jokers_not_counting
    chosen: list[_ChosenMeld] = []
    for candidate in _candidates_laid(task, solution):
        if candidate.counts:
            jokers = min(jokers_left, candidate.wilds)
            jokers_left -= jokers
        else:
            jokers = min(jokers_left_not_counting, candidate.wilds)
            jokers_left_not_counting -= jokers
        wilds = build_cards({JOKER: jokers, TWO: candidate.wilds - jokers})
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


def _cards_as_held(held: Cards, wanted: Cards) -> Cards:
    """The wanted cards with the suits that they have among those held: `K` from `Kh 9` is `Kh`."""
    left = subtract_cards(held, wanted)
    return subtract_cards(held, left)


def _order_in_play(laid: LaidCards) -> tuple[bool, int]:
    """Sort key: first the cards laid on the table's melds in their order, then new melds."""
    return laid.on is None, laid.on or 0


def _discarded(task: LayingTask, solution: _Solution) -> Cards:
    number_by_kind = dict(zip(task.discards.kinds, solution.discards, strict=True))
    return build_cards(number_by_kind)
