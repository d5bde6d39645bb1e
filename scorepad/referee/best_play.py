"""The best of all legal ways to lay the cards that a player holds, found exactly by integer programming.

Candidates are all melds that could be laid, new or on a meld of the table; the checks that judge any meld keep those
that are legal. How many of each are laid is a variable; the cards held limit them, and so do tallies: what the melds
come to together, within limits that the question sets. The solution is dealt back into cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

from scorepad.referee.case import ASKER, lay_case
from scorepad.referee.questions import LaidCards, Play
from scorepad.rules.bounds import Piece, Resource, Solution, solve
from scorepad.rules.cards import JOKER, NO_CARDS, TWO, Cards, Reading, cards_of, gather, less, piles
from scorepad.rules.checks import is_meld
from scorepad.rules.settings import Settings, Shape
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
from scorepad.rules.turn_checks import weigh
from scorepad.rules.variants import Ruleset

Limits = dict[Resource, tuple[int, int | None]]
"""The least and the most of each tally; None without a bound."""

COUNTED: Resource = ("counted",)
"""The tally of the points that count for an opening."""
FITS: Resource = ("fits",)
"""The tally of melds that lack nothing but points to open; an opening needs one."""
TOP: Resource = ("top",)
"""The tally of the melds that may hold the top card of the pile."""
MELDS: Resource = ("melds",)
CANASTAS: Resource = ("canastas",)
"""The tally of canastas; those of a family stand in `("family", …)`."""
OWN_CANASTAS: Resource = ("own-canastas",)
"""The tally of canastas that are new melds."""
BARRED: Resource = ("barred",)
"""The tally of incomplete melds with which nobody goes out."""
_BINDS: Resource = ("binds",)
"""The tally of incomplete melds of wild cards, where such a meld binds the side."""
_WILD, _ASIDE, _DISCARDED = ("wild",), ("wild-aside",), ("discarded",)
"""The tallies of wild cards beside natural ones, in melds that count and in others, and of cards discarded."""

_MOST_IN_A_TURN = 10
"""Of canastas of a rank no more than that are laid in one turn."""
ONE_OF_EACH: Limits = {**{("begun", rank): (0, 1) for rank in RANKS}, _BINDS: (0, 1)}
"""The limits of melds of which a side may have only one."""
_IN_ONE_TURN: Limits = {("turn", rank): (0, _MOST_IN_A_TURN) for rank in RANKS}
_SCALE = 100
"""Points weigh so much more than the number of melds: of two ways that come to the same, that with fewer is shown."""
TIDY_HAND = 40
"""Cards: in a larger hand any way that comes to most is shown, since the fewest melds take too long to find."""
_FIRST = 10001
"""One more than the points of the cards of any decks: what weighs so much decides before what weighs one."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A meld that could be laid.

    `added` are the cards of the hand in it except `wilds`: so many wild cards beside natural ones, whichever they are.
    `lies` is the meld as it would lie, those wild cards as twos. `on` is the index of the meld of the table that they
    are laid on, None for a new one. `worth` is what `added` is worth in the question's own terms. Wild cards of a meld
    that does not count (`counts`) for the opening do not either.
    """

    added: Cards
    wilds: int
    lies: Meld
    on: int | None = None
    tallies: tuple[tuple[Resource, int], ...] = ()
    worth: int = 0
    counts: bool = True


# ------------------------------------------------------------------------------------------------ the candidates


@lru_cache(maxsize=64)
def new_melds(settings: Settings, held: Cards, *, going_out: bool) -> tuple[Candidate, ...]:
    """The legal new melds that these cards could make; remembered, since a case is tried with many answers."""
    possible = possible_melds(settings.wild_limit, settings.sequences, held)
    return legal(settings, (Candidate(*each) for each in possible), going_out=going_out)


def laid_off(settings: Settings, held: Cards, table: Iterable[Reading]) -> Iterator[Candidate]:
    """What could be laid off on each meld of the table, legal or not; that nothing is laid on it is one way."""
    for on, lying in enumerate(table):
        nothing = Possible(NO_CARDS, 0, read_meld(lying.cards))
        possible = possible_melds(settings.wild_limit, settings.sequences, held, lying.cards)
        yield from (Candidate(*each, on) for each in chain((nothing,), possible))


def legal(
    settings: Settings, candidates: Iterable[Candidate], *more: tuple[Resource, int], going_out: bool
) -> tuple[Candidate, ...]:
    """Those that are legal melds, with these tallies and their own; black threes only for who goes out."""
    melds = (each for each in candidates if going_out or not each.lies.black_threes)
    return tuple(tallied(settings, each, *more) for each in melds if is_meld(each.lies, settings))


def tallied(settings: Settings, candidate: Candidate, *more: tuple[Resource, int]) -> Candidate:
    """The candidate with what it adds to the tallies of all questions."""
    meld, on = candidate.lies, candidate.on
    canasta, unfinished = canasta_of(meld, settings), incomplete_of(meld, settings)
    tallies: list[tuple[Resource, int]] = [(MELDS, 1), *more]
    if canasta:
        tallies += [(CANASTAS, 1), (("family", canasta.family), 1), (OWN_CANASTAS, int(on is None))]
    elif settings.wilds_blocked != "nothing" and shape_of(meld, settings) is Shape.WILDS:
        tallies.append((_BINDS, 1))
    if settings.repeated_rank == "not-incomplete" and meld.rank is not None:
        # One begun leaves no room for a canasta of its rank in the same turn.
        begun = meld.size < settings.canasta_length
        tallies += [(("begun", meld.rank), int(begun)), (("turn", meld.rank), _MOST_IN_A_TURN if begun else 1)]
    if unfinished and unfinished.bars_out:
        tallies.append((BARRED, 1))
    if on is not None:
        tallies.append((("on", on), 1))
    return replace(candidate, tallies=tuple(tallies))


def canastas_needed(settings: Settings) -> Limits:
    """The canastas that going out needs."""
    families: Limits = {("family", family): (count, None) for family, count in settings.canasta_families_needed}
    return {CANASTAS: (settings.canastas_needed, None), **families}


# ------------------------------------------------------------------------------------------------ openings

_MAY_OPEN = (None, "points", "naturals")
"""Nothing but points keeps a meld from being an opening."""
_BESIDE_OTHERS = ("natural-group", "wilds-alone")
"""Why a meld is no opening by itself, that another meld beside it makes good."""


def openers(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int | None, *, concealed: bool = False
) -> Iterator[Candidate]:
    """The melds that an opening may hold, with what they add toward a minimum in points; without one, all of them."""
    every = tuple(candidates)
    if minimum is None:
        yield from (opener(each, each.added.size) for each in every)
        return
    out = Out(ASKER, concealed=True) if concealed else None
    table = lay_case(rules, out=out, opening=tuple(Reading(each.lies.cards) for each in every))
    lay = table.parties[ASKER].lays[0]
    for candidate, laid in zip(every, lay.opening, strict=True):
        weighed = weigh(table, replace(lay, opening=(laid,)), minimum)
        if weighed.why in _MAY_OPEN or weighed.why in _BESIDE_OTHERS:
            points = candidate.added.points(rules.settings.card_points)
            yield opener(candidate, points, counts=not weighed.aside, fits=weighed.why in _MAY_OPEN)


def opener(candidate: Candidate, points: int, *, counts: bool = True, fits: bool = True) -> Candidate:
    """The candidate with what it adds to an opening: so many points, wild cards beside natural ones apart."""
    tallies = (*candidate.tallies, (COUNTED, points * counts), (FITS, int(fits)))
    return replace(candidate, tallies=tallies, worth=points, counts=counts)


def opening_task(
    settings: Settings, held: Cards, candidates: Iterable[Candidate], minimum: int | None, top: Reading | None
) -> Task:
    """The task of the opening out of these melds that lays most points, and of those that lay the same counts most."""
    every = tuple(candidates)
    weights = (1, 1) if all(each.counts for each in every) else (_FIRST, _FIRST - 1)
    # Without a minimum every card counts one.
    wilds = (1, 1) if minimum is None else wild_points(settings)
    return Task(held, every, {**ONE_OF_EACH, **_IN_ONE_TURN}, wilds, weights, top=top)


def wild_points(settings: Settings) -> tuple[int, int]:
    """The points of a joker and of a two."""
    return settings.card_points[JOKER], settings.card_points[TWO]


# ------------------------------------------------------------------------------------------------ the program


@dataclass(frozen=True, slots=True)
class Discards:
    """The last discard: at least and at most so many (`number`) of these kinds (indices), one of each.

    `aside` is what of the hand is discarded in any case.
    """

    kinds: tuple[int, ...] = ()
    number: tuple[int, int] = (0, 0)
    aside: Cards = NO_CARDS


@dataclass(frozen=True, slots=True)
class Task:
    """What to lay: from these cards, some of these melds, within limits of the tallies.

    `wilds` are the points of a joker and of a two beside natural cards, `weights` what a point is worth in melds that
    count and in others. `whole`: no card stays in the hand. `discards` is what a player who goes out discards last.
    `top` is the top card of the pile, which is among those held: it goes to a meld of the tally `TOP`.
    """

    held: Cards
    candidates: tuple[Candidate, ...]
    limits: Limits = field(default_factory=dict)
    wilds: tuple[int, int] = (0, 0)
    weights: tuple[int, int] = (1, 1)
    whole: bool = False
    discards: Discards = Discards()
    top: Reading | None = None


def best_play(task: Task) -> Play | None:
    """The way of the most worth; None where there is none."""
    # The top card lies in a meld of its kind, so that no sequence has it.
    in_hand = less(task.held, task.top.cards) if task.top else task.held
    free = piles(in_hand)
    limits: Limits = {_WILD: (0, 0), _ASIDE: (0, 0), _DISCARDED: task.discards.number}
    limits |= {("card", index): (count if task.whole else 0, count) for index, count in enumerate(task.held.counts)}
    limits |= {("suited", index, suit): (0, free.get((index, suit), 0)) for index, suit, _ in task.held.suited}
    found = _solved(tuple(_pieces(task)), tuple((limits | task.limits).items()))
    return None if found is None else _dealt(task, in_hand, found.counts)


@lru_cache(maxsize=256)
def _solved(pieces: tuple[Piece, ...], limits: tuple[tuple[Resource, tuple[int, int | None]], ...]) -> Solution | None:
    """Remembered: most options of a variant leave a question as it is, and all of them are asked."""
    return solve(pieces, dict(limits), "most")


def _pieces(task: Task) -> Iterator[Piece]:
    """First the melds, then the jokers and twos beside natural cards, then the discards."""
    inside, outside = task.weights
    for candidate in task.candidates:
        added, wilds = candidate.added, candidate.wilds
        cards = [(("card", index), count) for index, count in enumerate(added.counts) if count]
        suited = [(("suited", index, suit), count) for index, suit, count in added.suited]
        beside, weight = (_WILD, inside) if candidate.counts else (_ASIDE, outside)
        one = int(task.held.size <= TIDY_HAND and wilds + added.size > 0)
        points = candidate.worth * weight * _SCALE - one
        yield Piece(points, (*cards, *suited, (beside, wilds), *candidate.tallies))
    for name, weight in ((_WILD, inside), (_ASIDE, outside)):
        for index, points in zip((JOKER, TWO), task.wilds, strict=True):
            counted = points * (name == _WILD)
            yield Piece(points * weight * _SCALE, ((("card", index), 1), (name, -1), (COUNTED, counted)))
    yield from (Piece(0, ((("card", kind), 1), (_DISCARDED, 1))) for kind in task.discards.kinds)


def _dealt(task: Task, pool: Cards, counts: tuple[int, ...]) -> Play:
    """Who has which card: suits where a sequence needs them, the jokers first where any wild card will do."""
    number = len(task.candidates)
    chosen = [each for each, count in zip(task.candidates, counts, strict=False) for _ in range(count)]
    jokers = {True: counts[number], False: counts[number + 2]}
    top = task.top.cards if task.top else NO_CARDS
    laid: list[tuple[bool, LaidCards]] = []
    # A sequence takes its own cards before others take any.
    for each in sorted(chosen, key=lambda one: not one.added.suited):
        of_these = min(jokers[each.counts], each.wilds)
        jokers[each.counts] -= of_these
        mine, top = (top, NO_CARDS) if (TOP, 1) in each.tallies else (NO_CARDS, top)
        wanted = gather((each.added, cards_of({JOKER: of_these, TWO: each.wilds - of_these})))
        left = less(pool, less(wanted, mine))
        cards, pool = gather((less(pool, left), mine)), left
        if cards.size:
            laid.append((not mine.size, LaidCards(cards, each.on)))
    laid.sort(key=lambda one: (one[0], one[1].on is None, one[1].on or 0))
    kinds = [kind for kind, count in zip(task.discards.kinds, counts[number + 4 :], strict=True) if count]
    discard = less(pool, less(pool, cards_of(dict.fromkeys(kinds, 1))))
    return Play(tuple(each for _, each in laid), gather((discard, task.discards.aside)))
