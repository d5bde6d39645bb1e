"""The best legal way to lay the cards that a player holds, found exactly by integer programming.

Candidates are all melds that could be laid, new or on a meld of the table; the usual checks of
melds keep only the legal ones. How many of each are laid is a variable, limited by the cards held
and by tallies: totals over the melds laid, with limits set by the question. The solution is
converted back into cards.
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
    build_cards,
    by_suit,
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
"""The minimum and maximum of each tally; a maximum of None is unbounded."""

COUNTED: Resource = ("counted",)
"""The tally of the points that count for an opening."""
FITS: Resource = ("fits",)
"""The tally of melds that may open except for missing points; an opening needs at least one."""
TOP: Resource = ("top",)
"""The tally of the melds that may hold the top card of the pile."""
MELDS: Resource = ("melds",)
CANASTAS: Resource = ("canastas",)
"""The tally of canastas; those of a family use `("family", …)`."""
OWN_CANASTAS: Resource = ("own-canastas",)
"""The tally of canastas that are new melds."""
BARRED: Resource = ("barred",)
"""The tally of incomplete melds that prevent going out."""
_BINDS: Resource = ("binds",)
"""The tally of incomplete melds of wild cards, if such a meld restricts the side."""
_WILD: Resource = ("wild",)
"""The tally of wild cards beside natural ones, in melds that count."""
_WILD_ASIDE: Resource = ("wild-aside",)
"""The tally of wild cards beside natural ones, in melds that do not count."""
_DISCARDED: Resource = ("discarded",)

_MOST_IN_A_TURN = 10
"""The maximum number of canastas of one rank laid in one turn."""
_ONE_BEGUN_OF_A_RANK: Limits = {("begun", rank): (0, 1) for rank in RANKS}
ONE_OF_EACH: Limits = {**_ONE_BEGUN_OF_A_RANK, _BINDS: (0, 1)}
"""The limits for melds of which a side may have only one."""
_IN_ONE_TURN: Limits = {("turn", rank): (0, _MOST_IN_A_TURN) for rank in RANKS}
_SCALE = 100
"""The weight of a point relative to a meld: of two plays with equal points, the one with fewer
melds is chosen.
"""
LARGEST_TIDIED_HAND = 40
"""A number of cards: in larger hands minimizing the number of melds takes too long and is omitted.
"""
MOST_WAYS = 250
"""Melds that are examined. Only large hands with sequences in which wild cards replace any card
allow more.

With 250 of them the solver takes half a second, with 400 up to five. Thirty-six cards of
Bolivia make about 200.
"""
_TAKES_PRECEDENCE = 10001
"""More than the total points of any decks: a criterion with this weight takes precedence over one
with weight 1.
"""


class Candidate(NamedTuple):
    """A meld that could be laid.

    `added` are its cards from the hand except `wilds`, the number of wild cards, of either kind,
    beside natural ones. `meld` is the resulting meld, with twos as those wild cards. `on` is the
    index of the table's meld that they are laid on, None for a new one. `tallies` is what it adds
    to the tallies, `worth` is the value of `added` for the task. If a meld does not count
    (`counts`) for the opening, neither do its wild cards.
    """

    added: Cards
    wilds: int
    meld: Meld
    on: int | None
    tallies: dict[Resource, int]
    worth: int = 0
    counts: bool = True


# ----------------------------------------------------------------------------------- the candidates


@lru_cache(maxsize=64)
def new_melds(settings: Settings, held: Cards, *, going_out: bool) -> tuple[Candidate, ...]:
    """The legal new melds of these cards; cached, since a case is evaluated under many rules.
    Raises TooManyWays.
    """
    possible = find_possible_melds(settings.wild_limit, settings.sequences, held)
    legal = _legal_melds(settings, possible, None, going_out=going_out)
    found = tuple(islice(legal, MOST_WAYS + 1))
    if len(found) > MOST_WAYS:
        raise TooManyWays
    return found


def laid_off(settings: Settings, held: Cards, table: Iterable[Reading]) -> Iterator[Candidate]:
    """What a player who goes out could lay off on each meld of the table, including nothing."""
    for index, meld in enumerate(table):
        nothing = PossibleMeld(NO_CARDS, 0, read_meld(meld.cards))
        possible = find_possible_melds(settings.wild_limit, settings.sequences, held, meld.cards)
        yield from _legal_melds(settings, (nothing, *possible), index, going_out=True)


def _legal_melds(
    settings: Settings, possible: Iterable[PossibleMeld], on: int | None, *, going_out: bool
) -> Iterator[Candidate]:
    """The legal melds among them; black threes only when going out."""
    for each in possible:
        if each.meld.black_threes and not going_out:
            continue
        if is_meld(each.meld, settings):
            found = tallies(settings, each.meld, on)
            yield Candidate(each.added, each.wilds, each.meld, on, found)


def tallies(settings: Settings, meld: Meld, on: int | None) -> dict[Resource, int]:
    """What a meld, new or on a meld of the table, adds to the tallies that all questions use."""
    found: dict[Resource, int] = {MELDS: 1}
    canasta = canasta_of(meld, settings)
    if canasta:
        found |= {CANASTAS: 1, ("family", canasta.family): 1, OWN_CANASTAS: int(on is None)}
    elif settings.wilds_blocked != "nothing" and shape_of(meld, settings) == "wilds":
        found[_BINDS] = 1
    if settings.repeated_rank == "not-incomplete" and meld.rank is not None:
        # A rank may not have both an incomplete meld and a new canasta in the same turn.
        is_begun = meld.size < settings.canasta_length
        found["begun", meld.rank] = int(is_begun)
        found["turn", meld.rank] = _MOST_IN_A_TURN if is_begun else 1
    incomplete = incomplete_of(meld, settings)
    if incomplete and incomplete.bars_out:
        found[BARRED] = 1
    if on is not None:
        found["on", on] = 1
    return found


def canastas_needed(settings: Settings) -> Limits:
    """The canastas that going out requires, as limits."""
    needed: Limits = {CANASTAS: (settings.canastas_needed, None)}
    for family, count in settings.canasta_families_needed:
        needed["family", family] = (count, None)
    return needed


# ----------------------------------------------------------------------------------------- openings

_MAY_OPEN = (None, "points", "naturals")
"""Results for a meld that may open, or lacks only points."""
_BESIDE_OTHERS = ("natural-group", "wilds-alone")
"""Reasons against a meld as an opening alone that another meld can remove."""


def opening_candidates(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int | None, *, concealed: bool
) -> Iterator[Candidate]:
    """The melds that an opening may hold, with the points they add toward a minimum; all of them if
    there is none.
    """
    melds = tuple(candidates)
    if minimum is None:
        for candidate in melds:
            yield opening_candidate(candidate, candidate.added.size)
        return

    out = Out(ASKER, concealed=True) if concealed else None
    shown = tuple(Reading(candidate.meld.cards) for candidate in melds)
    table = table_with(rules, out=out, opening=shown)
    side = table.parties[ASKER].sides[0]
    for candidate, laid in zip(melds, side.opening, strict=True):
        alone = count_opening(table, replace(side, opening=(laid,)), minimum)
        may_open = alone.why in _MAY_OPEN
        if may_open or alone.why in _BESIDE_OTHERS:
            points = candidate.added.points(rules.settings.card_points)
            yield opening_candidate(candidate, points, counts=not alone.aside, fits=may_open)


def opening_candidate(
    candidate: Candidate, points: int, *, counts: bool = True, fits: bool = True
) -> Candidate:
    """The candidate with what it adds to an opening: its points, without those of wild cards beside
    natural ones.
    """
    opening: dict[Resource, int] = {COUNTED: points if counts else 0, FITS: int(fits)}
    return candidate._replace(tallies=candidate.tallies | opening, worth=points, counts=counts)


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
    points that count.
    """
    melds = tuple(opening_candidates(rules, candidates, minimum, concealed=concealed))
    weights = (1, 1)
    if not all(candidate.counts for candidate in melds):
        weights = (_TAKES_PRECEDENCE, _TAKES_PRECEDENCE - 1)
    # Without a minimum every card counts as one.
    wilds = (1, 1) if minimum is None else wild_points(rules.settings)
    return LayingTask(held, melds, ONE_OF_EACH | _IN_ONE_TURN, wilds, weights, top=top)


def wild_points(settings: Settings) -> tuple[int, int]:
    """The points of a joker and of a two."""
    return settings.card_points[JOKER], settings.card_points[TWO]


# -------------------------------------------------------------------------------------- the program


class Discards(NamedTuple):
    """The last discard: the minimum and maximum (`number`) of cards of these kinds (indices), at
    most one of each.

    `aside` are cards of the hand that are discarded in any case.
    """

    kinds: tuple[int, ...] = ()
    number: tuple[int, int] = (0, 0)
    aside: Cards = NO_CARDS


class LayingTask(NamedTuple):
    """What to lay: from these cards, some of these melds, within limits of the tallies.

    `wilds` are the points of a joker and of a two beside natural cards, `weights` the weight of a
    point in melds that count and in others. `whole`: no card stays in the hand. `discards` is the
    last discard of a player who goes out. `top` is the top card of the pile, included in `held`: it
    is assigned to a meld of the tally `TOP`.
    """

    held: Cards
    candidates: tuple[Candidate, ...]
    limits: Limits
    wilds: tuple[int, int] = (0, 0)
    weights: tuple[int, int] = (1, 1)
    whole: bool = False
    discards: Discards = Discards()
    top: Reading | None = None


def find_best_play(task: LayingTask) -> Play | None:
    """The play with the highest value; None if there is none. Raises TooManyWays."""
    if len(task.candidates) > MOST_WAYS:
        raise TooManyWays
    # The top card is laid in a meld of its kind, so sequences cannot use it.
    in_hand = subtract_cards(task.held, task.top.cards) if task.top else task.held
    limits = _limits_of_cards(task, in_hand) | task.limits
    numbers = _solved(tuple(_pieces_of_task(task)), tuple(limits.items()))
    return None if numbers is None else _play_of(task, in_hand, numbers)


def _limits_of_cards(task: LayingTask, in_hand: Cards) -> Limits:
    """No card is used more often than it is held; if the whole hand is laid, each is used."""
    limits: Limits = {_WILD: (0, 0), _WILD_ASIDE: (0, 0), _DISCARDED: task.discards.number}
    for index, count in enumerate(task.held.counts):
        limits["card", index] = (count if task.whole else 0, count)
    free = by_suit(in_hand)
    for index, suit, _ in task.held.suited:
        limits["suited", index, suit] = (0, free.get((index, suit), 0))
    return limits


@lru_cache(maxsize=256)
def _solved(
    pieces: tuple[Piece, ...], limits: tuple[tuple[Resource, tuple[int, int | None]], ...]
) -> tuple[int, ...] | None:
    """Cached: a question is answered under every option, and most options do not change it."""
    return solve(pieces, dict(limits), "most")


def _pieces_of_task(task: LayingTask) -> Iterator[Piece]:
    """The melds, then the jokers and twos beside natural cards, then the discards.

    Jokers and twos stand apart from the melds, so that either may be any wild card of a meld.
    """
    weight_counting, weight_aside = task.weights
    for candidate in task.candidates:
        yield _meld_piece(task, candidate)
    for index, points in zip((JOKER, TWO), task.wilds, strict=True):
        uses = ((("card", index), 1), (_WILD, -1), (COUNTED, points))
        yield Piece(points * weight_counting * _SCALE, uses)
    for index, points in zip((JOKER, TWO), task.wilds, strict=True):
        uses = ((("card", index), 1), (_WILD_ASIDE, -1), (COUNTED, 0))
        yield Piece(points * weight_aside * _SCALE, uses)
    for kind in task.discards.kinds:
        yield Piece(0, ((("card", kind), 1), (_DISCARDED, 1)))


def _meld_piece(task: LayingTask, candidate: Candidate) -> Piece:
    weight_counting, weight_aside = task.weights
    weight = weight_counting if candidate.counts else weight_aside
    points = candidate.worth * weight * _SCALE
    lays_cards = candidate.wilds + candidate.added.size > 0
    if lays_cards and task.held.size <= LARGEST_TIDIED_HAND:
        points -= 1  # of two plays with equal points, fewer melds are better
    wilds = (_WILD if candidate.counts else _WILD_ASIDE, candidate.wilds)
    uses = (*uses_of_cards(candidate.added), wilds, *candidate.tallies.items())
    return Piece(points, uses)


# ------------------------------------------------------------------------------ back into cards


def _play_of(task: LayingTask, in_hand: Cards, numbers: tuple[int, ...]) -> Play:
    """The cards of a solution, which says how many of each piece are laid.

    Suited cards go to sequences first, jokers to the first melds with wild cards, the top card of
    the pile to the first meld that may hold it; that meld comes first.
    """
    melds = len(task.candidates)
    jokers_counting, _, jokers_aside, _ = numbers[melds : melds + 4]
    jokers = {True: jokers_counting, False: jokers_aside}
    left = in_hand
    top = task.top.cards if task.top else NO_CARDS
    with_top: list[LaidCards] = []
    others: list[LaidCards] = []
    for candidate in _chosen_melds(task, numbers):
        own_jokers = min(jokers[candidate.counts], candidate.wilds)
        jokers[candidate.counts] -= own_jokers
        wilds = build_cards({JOKER: own_jokers, TWO: candidate.wilds - own_jokers})
        cards = gather((candidate.added, wilds))
        if TOP in candidate.tallies and top.size:
            laid, left = _take(left, subtract_cards(cards, top))
            with_top.append(LaidCards(gather((laid, top)), candidate.on))
            top = NO_CARDS
            continue
        laid, left = _take(left, cards)
        if laid.size:
            others.append(LaidCards(laid, candidate.on))

    others.sort(key=_order_in_play)
    discard, _ = _take(left, _discarded(task, numbers[melds + 4 :]))
    return Play((*with_top, *others), gather((discard, task.discards.aside)))


def _chosen_melds(task: LayingTask, numbers: tuple[int, ...]) -> list[Candidate]:
    """The melds laid, one entry for each, sequences first: they take their suited cards first."""
    chosen: list[Candidate] = []
    for candidate, number in zip(task.candidates, numbers, strict=False):
        chosen += [candidate] * number
    return sorted(chosen, key=lambda candidate: not candidate.added.suited)


def _take(pool: Cards, wanted: Cards) -> tuple[Cards, Cards]:
    """Cards taken from a pool, with the suits that they have there, and those that are left."""
    left = subtract_cards(pool, wanted)
    return subtract_cards(pool, left), left


def _order_in_play(laid: LaidCards) -> tuple[bool, int]:
    """Sort key: first the cards laid on the table's melds in their order, then new melds."""
    return laid.on is None, laid.on or 0


def _discarded(task: LayingTask, numbers: tuple[int, ...]) -> Cards:
    kinds: dict[int, int] = {}
    for kind, number in zip(task.discards.kinds, numbers, strict=True):
        if number:
            kinds[kind] = 1
    return build_cards(kinds)
