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
from scorepad.referee.case import ASKER, lay_case
from scorepad.referee.questions import LaidCards, Play
from scorepad.rules.bounds import Piece, Resource, solve, uses_of_cards
from scorepad.rules.cards import (
    JOKER,
    NO_CARDS,
    TWO,
    Cards,
    Reading,
    by_suit,
    cards_of,
    gather,
    less,
)
from scorepad.rules.checks import is_meld
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings
from scorepad.rules.table import (
    RANKS,
    Meld,
    Out,
    Possible,
    canasta_of,
    incomplete_of,
    possible_melds,
    read_meld,
    shape_of,
)
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
_WILD, _ASIDE, _DISCARDED = ("wild",), ("wild-aside",), ("discarded",)
"""The tallies of wild cards beside natural ones, in melds that count and in others, and of
discarded cards.
"""

_MOST_IN_A_TURN = 10
"""The maximum number of canastas of one rank laid in one turn."""
ONE_OF_EACH: Limits = {**{("begun", rank): (0, 1) for rank in RANKS}, _BINDS: (0, 1)}
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
_FIRST = 10001
"""More than the total points of any decks: a criterion with this weight takes precedence over one
with weight 1.
"""


class Candidate(NamedTuple):
    """A meld that could be laid.

    `added` are its cards from the hand except `wilds`, the number of wild cards, of either kind,
    beside natural ones. `lies` is the resulting meld, with twos as those wild cards. `on` is the
    index of the table's meld that they are laid on, None for a new one. `tallies` is what it adds
    to the tallies, `worth` is the value of `added` for the task. If a meld does not count
    (`counts`) for the opening, neither do its wild cards.
    """

    added: Cards
    wilds: int
    lies: Meld
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
    possible = possible_melds(settings.wild_limit, settings.sequences, held)
    found = tuple(islice(_legal(settings, possible, None, going_out=going_out), MOST_WAYS + 1))
    if len(found) > MOST_WAYS:
        raise TooManyWays
    return found


def laid_off(settings: Settings, held: Cards, table: Iterable[Reading]) -> Iterator[Candidate]:
    """What a player who goes out could lay off on each meld of the table, including nothing."""
    for on, lying in enumerate(table):
        nothing = Possible(NO_CARDS, 0, read_meld(lying.cards))
        possible = possible_melds(settings.wild_limit, settings.sequences, held, lying.cards)
        yield from _legal(settings, (nothing, *possible), on, going_out=True)


def _legal(
    settings: Settings, possible: Iterable[Possible], on: int | None, *, going_out: bool
) -> Iterator[Candidate]:
    """The legal melds among them; black threes only when going out."""
    for each in possible:
        if (going_out or not each.meld.black_threes) and is_meld(each.meld, settings):
            yield Candidate(*each, on, tallies(settings, each.meld, on))


def tallies(settings: Settings, meld: Meld, on: int | None) -> dict[Resource, int]:
    """What a meld, new or on a meld of the table, adds to the tallies that all questions use."""
    canasta, unfinished = canasta_of(meld, settings), incomplete_of(meld, settings)
    found: dict[Resource, int] = {MELDS: 1}
    if canasta:
        found |= {CANASTAS: 1, ("family", canasta.family): 1, OWN_CANASTAS: int(on is None)}
    elif settings.wilds_blocked != "nothing" and shape_of(meld, settings) == "wilds":
        found[_BINDS] = 1
    if settings.repeated_rank == "not-incomplete" and meld.rank is not None:
        # A rank may not have both an incomplete meld and a new canasta in the same turn.
        begun = meld.size < settings.canasta_length
        found |= {
            ("begun", meld.rank): int(begun),
            ("turn", meld.rank): _MOST_IN_A_TURN if begun else 1,
        }
    if unfinished and unfinished.bars_out:
        found[BARRED] = 1
    return found if on is None else found | {("on", on): 1}


def canastas_needed(settings: Settings) -> Limits:
    """The canastas that going out requires, as limits."""
    families: Limits = {
        ("family", family): (count, None) for family, count in settings.canasta_families_needed
    }
    return {CANASTAS: (settings.canastas_needed, None), **families}


# ----------------------------------------------------------------------------------------- openings

_MAY_OPEN = (None, "points", "naturals")
"""Results for a meld that may open, or lacks only points."""
_BESIDE_OTHERS = ("natural-group", "wilds-alone")
"""Reasons against a meld as an opening alone that another meld can remove."""


def openers(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int | None, *, concealed: bool
) -> Iterator[Candidate]:
    """The melds that an opening may hold, with the points they add toward a minimum; all of them if
    there is none.
    """
    every = tuple(candidates)
    if minimum is None:
        yield from (opener(each, each.added.size) for each in every)
        return
    out = Out(ASKER, concealed=True) if concealed else None
    table = lay_case(rules, out=out, opening=tuple(Reading(each.lies.cards) for each in every))
    lay = table.parties[ASKER].lays[0]
    for candidate, laid in zip(every, lay.opening, strict=True):
        weighed = count_opening(table, replace(lay, opening=(laid,)), minimum)
        if weighed.why in _MAY_OPEN or weighed.why in _BESIDE_OTHERS:
            points = candidate.added.points(rules.settings.card_points)
            yield opener(candidate, points, counts=not weighed.aside, fits=weighed.why in _MAY_OPEN)


def opener(
    candidate: Candidate, points: int, *, counts: bool = True, fits: bool = True
) -> Candidate:
    """The candidate with what it adds to an opening: its points, without those of wild cards beside
    natural ones.
    """
    opening: dict[Resource, int] = {COUNTED: points * counts, FITS: int(fits)}
    return candidate._replace(tallies=candidate.tallies | opening, worth=points, counts=counts)


def opening_task(
    rules: Ruleset,
    held: Cards,
    candidates: Iterable[Candidate],
    minimum: int | None,
    top: Reading | None,
    *,
    concealed: bool = False,
) -> Task:
    """The task of finding the opening with the most points laid and, among equals, with the most
    points that count.
    """
    every = tuple(openers(rules, candidates, minimum, concealed=concealed))
    weights = (1, 1) if all(each.counts for each in every) else (_FIRST, _FIRST - 1)
    # Without a minimum every card counts as one.
    wilds = (1, 1) if minimum is None else wild_points(rules.settings)
    return Task(held, every, ONE_OF_EACH | _IN_ONE_TURN, wilds, weights, top=top)


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


class Task(NamedTuple):
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


def best_play(task: Task) -> Play | None:
    """The play with the highest value; None if there is none. Raises TooManyWays."""
    if len(task.candidates) > MOST_WAYS:
        raise TooManyWays
    # The top card is laid in a meld of its kind, so sequences cannot use it.
    in_hand = less(task.held, task.top.cards) if task.top else task.held
    free = by_suit(in_hand)
    limits: Limits = {_WILD: (0, 0), _ASIDE: (0, 0), _DISCARDED: task.discards.number}
    limits |= {
        ("card", index): (count if task.whole else 0, count)
        for index, count in enumerate(task.held.counts)
    }
    limits |= {
        ("suited", index, suit): (0, free.get((index, suit), 0))
        for index, suit, _ in task.held.suited
    }
    found = _solved(tuple(_pieces(task)), tuple((limits | task.limits).items()))
    return None if found is None else _as_play(task, in_hand, found)


@lru_cache(maxsize=256)
def _solved(
    pieces: tuple[Piece, ...], limits: tuple[tuple[Resource, tuple[int, int | None]], ...]
) -> tuple[int, ...] | None:
    """Cached: a question is answered under every option, and most options do not change it."""
    return solve(pieces, dict(limits), "most")


def _pieces(task: Task) -> Iterator[Piece]:
    """The melds, then the jokers and twos beside natural cards, then the discards."""
    inside, outside = task.weights
    for candidate in task.candidates:
        added, wilds = candidate.added, candidate.wilds
        beside, weight = (_WILD, inside) if candidate.counts else (_ASIDE, outside)
        one = int(task.held.size <= LARGEST_TIDIED_HAND and wilds + added.size > 0)
        points = candidate.worth * weight * _SCALE - one
        yield Piece(points, (*uses_of_cards(added), (beside, wilds), *candidate.tallies.items()))
    for name, weight in ((_WILD, inside), (_ASIDE, outside)):
        for index, points in zip((JOKER, TWO), task.wilds, strict=True):
            counted = points * (name == _WILD)
            yield Piece(
                points * weight * _SCALE, ((("card", index), 1), (name, -1), (COUNTED, counted))
            )
    yield from (Piece(0, ((("card", kind), 1), (_DISCARDED, 1))) for kind in task.discards.kinds)


def _as_play(task: Task, pool: Cards, counts: tuple[int, ...]) -> Play:
    """Convert a solution into cards: suited cards go to sequences first, jokers to the first melds
    with wild cards.
    """
    number = len(task.candidates)
    chosen = [
        each for each, count in zip(task.candidates, counts, strict=False) for _ in range(count)
    ]
    jokers = {True: counts[number], False: counts[number + 2]}
    top = task.top.cards if task.top else NO_CARDS
    laid: list[tuple[bool, LaidCards]] = []
    # Sequences take their suited cards first.
    for each in sorted(chosen, key=lambda one: not one.added.suited):
        of_these = min(jokers[each.counts], each.wilds)
        jokers[each.counts] -= of_these
        mine, top = (top, NO_CARDS) if TOP in each.tallies else (NO_CARDS, top)
        wanted = gather((each.added, cards_of({JOKER: of_these, TWO: each.wilds - of_these})))
        left = less(pool, less(wanted, mine))
        cards, pool = gather((less(pool, left), mine)), left
        if cards.size:
            laid.append((not mine.size, LaidCards(cards, each.on)))
    laid.sort(key=lambda one: (one[0], one[1].on is None, one[1].on or 0))
    kinds = [
        kind for kind, count in zip(task.discards.kinds, counts[number + 4 :], strict=True) if count
    ]
    discard = less(pool, less(pool, cards_of(dict.fromkeys(kinds, 1))))
    return Play(tuple(each for _, each in laid), gather((discard, task.discards.aside)))
