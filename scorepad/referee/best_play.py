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
from scorepad.rules.table import Meld, canasta_of, incomplete_of, read_meld, shape_of
from scorepad.rules.turn_checks import count_opening

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
"""All canastas; those of a family have the tally `("family", …)`."""
NEW_CANASTAS: Resource = ("new-canastas",)
"""Canastas that are new melds."""
BARS_GOING_OUT: Resource = ("bars-going-out",)
"""Incomplete melds that prevent going out."""
_INCOMPLETE_WILD_MELDS: Resource = ("incomplete-wild-melds",)
"""Incomplete melds of wild cards alone, if such a meld restricts the side."""
_WILDS: Resource = ("wilds",)
"""Wild cards beside natural ones, in melds that count for an opening."""
_WILDS_NOT_COUNTING: Resource = ("wilds-not-counting",)
"""Wild cards beside natural ones, in melds that do not count for an opening."""
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
_WEIGHT_OF_A_POINT = 100
"""Relative to a meld: of two plays with equal points, the one with fewer melds is chosen."""
_TAKES_PRECEDENCE = 10001
"""More than the total points of any decks: a criterion with this weight takes precedence over one
with weight 1.
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


class WildPoints(NamedTuple):
    """The points of each wild card beside natural ones."""

    joker: int = 0
    two: int = 0


class Weights(NamedTuple):
    """The weight of a point in melds that count for an opening, and in the others."""

    counting: int = 1
    others: int = 1


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


# ----------------------------------------------------------------------------------- the candidates


@lru_cache(maxsize=64)
def new_melds(settings: Settings, held: Cards, *, going_out: bool) -> tuple[Candidate, ...]:
    """The legal new melds of these cards; cached, since a case is evaluated under many rules.
    Raises TooManyWays.
    """
    possible = find_possible_melds(settings, held)
    legal = _legal_melds(settings, possible, None, going_out=going_out)
    candidates = tuple(islice(legal, MOST_WAYS + 1))
    if len(candidates) > MOST_WAYS:
        raise TooManyWays
    return candidates


def lay_offs(settings: Settings, held: Cards, table: Iterable[Reading]) -> Iterator[Candidate]:
    """What a player who goes out could lay off on each meld of the table, including nothing."""
    for index, meld in enumerate(table):
        nothing = PossibleMeld(NO_CARDS, 0, read_meld(meld.cards))
        possible = find_possible_melds(settings, held, meld.cards)
        yield from _legal_melds(settings, (nothing, *possible), index, going_out=True)


def _legal_melds(
    settings: Settings, possible: Iterable[PossibleMeld], on: int | None, *, going_out: bool
) -> Iterator[Candidate]:
    """The melds that these rules allow, among all that some cards could make.

    `on` is the index of the table's meld that the cards are laid on, None for new melds.
    """
    for each in possible:
        if each.meld.black_threes and not going_out:  # they are melded only by who goes out
            continue
        if is_meld(each.meld, settings):
            tallies = tallies_of(settings, each.meld, on)
            yield Candidate(each.added, each.wilds, each.meld, on, tallies)


def tallies_of(settings: Settings, meld: Meld, on: int | None) -> dict[Resource, int]:
    """What a meld adds to the tallies that all questions use: a canasta adds `{CANASTAS: 1, …}`.

    `on` is the index of the table's meld that its cards are laid on; None for a new meld.
    """
    tallies: dict[Resource, int] = {MELDS: 1}
    canasta = canasta_of(meld, settings)
    if canasta is not None:
        tallies[CANASTAS] = 1
        tallies["family", canasta.family] = 1
        if on is None:
            tallies[NEW_CANASTAS] = 1
    elif settings.wilds_blocked != "nothing" and shape_of(meld, settings) == "wilds":
        tallies[_INCOMPLETE_WILD_MELDS] = 1

    if settings.repeated_rank == "not-incomplete" and meld.rank is not None:
        tallies |= _tallies_of_rank(meld.rank, is_canasta=meld.size >= settings.canasta_length)
    incomplete = incomplete_of(meld, settings)
    if incomplete is not None and incomplete.bars_out:
        tallies[BARS_GOING_OUT] = 1
    if on is not None:
        tallies["on", on] = 1
    return tallies


def _tallies_of_rank(rank: int, *, is_canasta: bool) -> dict[Resource, int]:
    """What a meld adds to the tallies of its rank (index), where a rank has one incomplete meld or
    several canastas, but not both.
    """
    if is_canasta:
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
        needed["family", family] = (count, None)
    return needed


# ----------------------------------------------------------------------------------------- openings

_LACKS_AT_MOST_POINTS = (None, "points", "naturals")
"""Results of `count_opening` for a meld that may open, or would with more points beside it."""
_OPENS_BESIDE_OTHERS = ("natural-group", "wilds-alone")
"""Reasons against a meld as an opening alone that another meld can remove."""


def opening_candidates(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int | None, *, concealed: bool
) -> Iterator[Candidate]:
    """The melds that an opening (what a side lays first in a hand) may hold, with the points that
    they add toward its minimum.

    `minimum` is None where an opening needs no points: it may hold any meld, and cards count in place
    of points. `concealed`: the player opens and goes out at once.
    """
    melds = tuple(candidates)
    if minimum is None:
        for candidate in melds:
            yield opening_candidate(candidate, candidate.added.size)
        return

    # Each meld is counted as if it were the whole opening.
    out = Out(ASKER, concealed=True) if concealed else None
    all_melds = tuple(Reading(candidate.meld.cards) for candidate in melds)
    table = table_with(rules, out=out, opening=all_melds)
    side = table.parties[ASKER].sides[0]
    for candidate, laid in zip(melds, side.opening, strict=True):
        as_only_meld = count_opening(table, replace(side, opening=(laid,)), minimum)
        may_open = as_only_meld.why in _LACKS_AT_MOST_POINTS
        may_open_beside_others = as_only_meld.why in _OPENS_BESIDE_OTHERS
        if may_open or may_open_beside_others:
            points = candidate.added.points(rules.settings.card_points)
            counts = not as_only_meld.aside
            yield opening_candidate(candidate, points, counts=counts, may_open=may_open)


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
    minimum: int | None,
    top: Reading | None,
    *,
    concealed: bool = False,
) -> LayingTask:
    """The task of finding the opening with the most points laid and, among equals, with the most
    points that count toward the minimum.

    `minimum` is None where an opening needs no points. `top` is the pile's top card, if the player
    opens with it; `concealed`: the player opens and goes out at once.
    """
    melds = tuple(opening_candidates(rules, candidates, minimum, concealed=concealed))
    weights = Weights()
    if not all(candidate.counts for candidate in melds):
        weights = Weights(counting=_TAKES_PRECEDENCE, others=_TAKES_PRECEDENCE - 1)
    wilds = wild_points(rules.settings)
    if minimum is None:  # every card counts as one
        wilds = WildPoints(joker=1, two=1)
    limits = ONE_INCOMPLETE_OF_EACH | _INCOMPLETE_OR_CANASTAS
    return LayingTask(held, melds, limits, wilds, weights, top=top)


def wild_points(settings: Settings) -> WildPoints:
    """The points of wild cards in this game."""
    return WildPoints(joker=settings.card_points[JOKER], two=settings.card_points[TWO])


# -------------------------------------------------------------------------------------- the program


def find_best_play(task: LayingTask) -> Play | None:
    """The play with the highest value; None if there is none. Raises TooManyWays."""
    if len(task.candidates) > MOST_WAYS:
        raise TooManyWays
    # The top card is laid in a meld of its kind, so sequences cannot use it.
    in_hand = subtract_cards(task.held, task.top.cards) if task.top else task.held
    limits = _limits_of_cards(task, in_hand) | task.limits
    numbers = _solve(tuple(_pieces_of_task(task)), tuple(limits.items()))
    if numbers is None:
        return None
    return _play_of_solution(task, in_hand, _read_solution(task, numbers))


def _limits_of_cards(task: LayingTask, in_hand: Cards) -> Limits:
    """The limits by which no card is used more often than it is held and, if the whole hand is laid,
    each is used.

    A meld takes from a tally of wild cards what the jokers and twos add: each tally comes to zero.
    """
    limits: Limits = {
        _WILDS: (0, 0),
        _WILDS_NOT_COUNTING: (0, 0),
        _DISCARDED: (task.discards.fewest, task.discards.most),
    }
    for kind, count in enumerate(task.held.counts):
        limits["card", kind] = (count if task.whole else 0, count)
    number_by_suit = count_by_suit(in_hand)
    for kind, suit, _ in task.held.suited:
        limits["suited", kind, suit] = (0, number_by_suit.get(SuitedKind(kind, suit), 0))
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
    """What may be used in a solution of a task, in the order in which `_Solution` has the numbers.

    First the melds; then jokers and twos beside natural cards, apart from the melds, so that either
    may be any wild card of a meld; then the cards discarded.
    """
    for candidate in task.candidates:
        yield _meld_piece(task, candidate)
    yield _wild_piece(task, JOKER, task.wilds.joker, counts=True)
    yield _wild_piece(task, TWO, task.wilds.two, counts=True)
    yield _wild_piece(task, JOKER, task.wilds.joker, counts=False)
    yield _wild_piece(task, TWO, task.wilds.two, counts=False)
    for kind in task.discards.kinds:
        yield Piece(0, ((("card", kind), 1), (_DISCARDED, 1)))


def _wild_piece(task: LayingTask, kind: int, points: int, *, counts: bool) -> Piece:
    """A joker or a two (index) beside natural cards, in a meld that counts for an opening or not.

    It uses a card of the hand, and fills one of the places that the melds have for wild cards.
    """
    if counts:
        weight = task.weights.counting
        uses = ((("card", kind), 1), (_WILDS, -1), (OPENING_POINTS, points))
    else:
        weight = task.weights.others
        uses = ((("card", kind), 1), (_WILDS_NOT_COUNTING, -1), (OPENING_POINTS, 0))
    return Piece(points * weight * _WEIGHT_OF_A_POINT, uses)


def _meld_piece(task: LayingTask, candidate: Candidate) -> Piece:
    """A meld, with the natural cards that it uses, its places for wild cards, and its tallies."""
    if candidate.counts:
        weight = task.weights.counting
        wilds = (_WILDS, candidate.wilds)
    else:
        weight = task.weights.others
        wilds = (_WILDS_NOT_COUNTING, candidate.wilds)
    points = candidate.worth * weight * _WEIGHT_OF_A_POINT
    lays_cards = candidate.wilds + candidate.added.size > 0
    if lays_cards and task.held.size <= LARGEST_TIDIED_HAND:
        points -= 1  # of two plays with equal points, fewer melds are better
    return Piece(points, (*uses_of_cards(candidate.added), wilds, *candidate.tallies.items()))


# ------------------------------------------------------------------------------ back into cards


class _ChosenMeld(NamedTuple):
    """A meld to be laid, with jokers and twos as its wild cards."""

    candidate: Candidate
    cards: Cards


class _Solution(NamedTuple):
    """How many of each piece of a task are used.

    `melds` has the number of each candidate, `discards` that of each kind that may be discarded.
    `jokers` and `jokers_not_counting` are the jokers beside natural cards, in melds that count for an
    opening and in the others; their other wild cards are twos.
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


def _play_of_solution(task: LayingTask, in_hand: Cards, solution: _Solution) -> Play:
    """The play that lays and discards the cards of a solution.

    The top card of the pile goes to the first meld that may hold it; that meld comes first.
    """
    left_in_hand = in_hand
    top_card = task.top.cards if task.top else NO_CARDS
    with_top_card: list[LaidCards] = []
    others: list[LaidCards] = []
    for candidate, cards in _chosen_melds(task, solution):
        takes_top_card = top_card.size > 0 and MAY_HOLD_TOP_CARD in candidate.tallies
        from_hand = subtract_cards(cards, top_card) if takes_top_card else cards
        laid = _cards_as_held(left_in_hand, from_hand)
        left_in_hand = subtract_cards(left_in_hand, laid)
        if takes_top_card:
            with_top_card.append(LaidCards(gather((laid, top_card)), candidate.on))
            top_card = NO_CARDS
        elif laid.size:
            others.append(LaidCards(laid, candidate.on))

    others.sort(key=_order_in_play)
    discard = _cards_as_held(left_in_hand, _discarded(task, solution))
    return Play((*with_top_card, *others), gather((discard, task.discards.aside)))


def _chosen_melds(task: LayingTask, solution: _Solution) -> list[_ChosenMeld]:
    """The melds of a solution, one entry for each that is laid.

    Sequences come first, to take the cards of their suits before other melds do. Jokers go to the
    first melds with wild cards.
    """
    sequences: list[Candidate] = []
    other_melds: list[Candidate] = []
    for candidate, number in zip(task.candidates, solution.melds, strict=True):
        melds = sequences if candidate.added.suited else other_melds
        melds += [candidate] * number

    jokers_left = {True: solution.jokers, False: solution.jokers_not_counting}
    chosen: list[_ChosenMeld] = []
    for candidate in sequences + other_melds:
        jokers = min(jokers_left[candidate.counts], candidate.wilds)
        jokers_left[candidate.counts] -= jokers
        wilds = build_cards({JOKER: jokers, TWO: candidate.wilds - jokers})
        chosen.append(_ChosenMeld(candidate, gather((candidate.added, wilds))))
    return chosen


def _cards_as_held(held: Cards, wanted: Cards) -> Cards:
    """The wanted cards with the suits that they have among those held: `K` from `Kh 9` is `Kh`."""
    left = subtract_cards(held, wanted)
    return subtract_cards(held, left)


def _order_in_play(laid: LaidCards) -> tuple[bool, int]:
    """Sort key: first the cards laid on the table's melds in their order, then new melds."""
    return laid.on is None, laid.on or 0


def _discarded(task: LayingTask, solution: _Solution) -> Cards:
    """The cards of a solution that are discarded."""
    number_by_kind = dict(zip(task.discards.kinds, solution.discards, strict=True))
    return build_cards(number_by_kind)
