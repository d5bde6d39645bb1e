"""The best of all legal ways to lay cards that a player holds, found exactly.

Candidates are all melds that could be laid, new or on a meld of the side; the checks that judge any meld keep the legal
ones. How many of each are laid is an integer variable; the cards held bound them, and what else a question asks is
counted in tallies with limits of their own. The solution is dealt back into cards, and the ruling on such melds judges
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product

from scorepad.referee.answers import LaidCards, Play, Reason
from scorepad.referee.case import ASKER, asker, laid_down, lay_case, meld_checks, together
from scorepad.rules.bounds import Piece, Resource, Solution, solve
from scorepad.rules.cards import (
    BLACK_THREE,
    END_NATURAL,
    FIRST_NATURAL,
    JOKER,
    NATURAL_INDICES,
    NO_CARDS,
    NOTHING,
    TWO,
    Cards,
    Reading,
    Suit,
    _cards,
    _piles,
    cards_of,
    gather,
    without,
)
from scorepad.rules.checks import CHECKS
from scorepad.rules.entries import Out, SideEntry
from scorepad.rules.melds import Meld, canasta_of, read_meld, shape_of
from scorepad.rules.settings import Sequences, Settings, Shape
from scorepad.rules.turn_checks import weigh
from scorepad.rules.variants import Ruleset

RANKS = (*NATURAL_INDICES, BLACK_THREE)
"""The kinds of card that melds of one rank are made of, as indices of `cards.KINDS`."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A meld put forward.

    `added` are the cards of the hand in it, but for `wilds`: so many wild cards beside natural ones, whichever they
    are. `on` is the place of the meld of the table that they are laid on, None for a new one. `lies` is the meld as it
    would lie, those wild cards as twos.
    """

    added: Cards
    wilds: int
    lies: Meld
    on: int | None = None


@dataclass(frozen=True, slots=True)
class _Bounds:
    """What bounds the melds put forward: all that settings have to say of it."""

    wilds: int
    wilds_alone: int | None
    shortest: int
    sequences: Sequences


def _bounds(settings: Settings) -> _Bounds:
    alone = settings.wild_melds_shortest if settings.wild_melds == "allowed" else None
    return _Bounds(settings.wild_limit, alone, settings.meld_shortest, settings.sequences)


def new_candidates(settings: Settings, held: Cards) -> tuple[Candidate, ...]:
    """The new melds that these cards could make."""
    return _new_candidates(_bounds(settings), held)


@lru_cache(maxsize=32)
def _new_candidates(bounds: _Bounds, held: Cards) -> tuple[Candidate, ...]:
    """Remembered: few options change what could be put forward, and all of them are asked."""
    return tuple(_new(bounds, held))


def _new(bounds: _Bounds, held: Cards) -> Iterator[Candidate]:
    for rank in RANKS:
        for naturals in range(1, held.counts[rank] + 1):
            for wilds in range(min(held.wilds, bounds.wilds) + 1):
                yield _candidate({rank: naturals}, wilds)
    for jokers, twos in product(range(held.counts[JOKER] + 1), range(held.counts[TWO] + 1)):
        if bounds.wilds_alone is not None and jokers + twos >= bounds.wilds_alone:
            yield _candidate({JOKER: jokers, TWO: twos}, 0)
    if bounds.sequences is not Sequences.NONE:
        for suit in Suit:
            yield from _sequences(bounds, held, suit.value, NO_CARDS, None)


def candidates_on(settings: Settings, held: Cards, table: Iterable[Cards]) -> tuple[Candidate, ...]:
    """What could be laid off on each meld of the table; that nothing is laid on it is one way."""
    return _candidates_on(_bounds(settings), held, tuple(table))


@lru_cache(maxsize=32)
def _candidates_on(bounds: _Bounds, held: Cards, table: tuple[Cards, ...]) -> tuple[Candidate, ...]:
    return tuple(candidate for number, lying in enumerate(table) for candidate in _laid_on(bounds, held, lying, number))


def _laid_on(bounds: _Bounds, held: Cards, lying: Cards, number: int) -> Iterator[Candidate]:
    yield Candidate(NO_CARDS, 0, read_meld(lying), number)
    if len(lying.ranks) > 1:
        yield from _sequences(bounds, held, _suit_of(lying), lying, number)
        return
    # On wild cards alone a rank of any kind may be begun.
    ranks = read_meld(lying).ranks
    for rank in ranks or RANKS:
        for naturals in range(0 if ranks else 1, held.counts[rank] + 1):
            for wilds in range(min(held.wilds, bounds.wilds) + 1):
                if naturals + wilds:
                    yield _candidate({rank: naturals}, wilds, lying, number)
    for jokers, twos in product(range(held.counts[JOKER] + 1), range(held.counts[TWO] + 1)):
        if not ranks and jokers + twos:
            yield _candidate({JOKER: jokers, TWO: twos}, 0, lying, number)


def _sequences(bounds: _Bounds, held: Cards, suit: str, lying: Cards, number: int | None) -> Iterator[Candidate]:
    """Runs of a suit with what lies in them, wild cards in place of those that are not there or stay in the hand."""
    base, before = set(lying.ranks), lying.wilds
    most = min(bounds.wilds, before + held.wilds) if bounds.sequences is Sequences.DIRTY else 0
    mine = {index for index, of_suit, _ in held.suited if of_suit == suit and index in NATURAL_INDICES} - base
    seen = set()
    for first, end in combinations(range(FIRST_NATURAL, END_NATURAL + 1), 2):
        run = range(first, end)
        there = [rank for rank in run if rank in mine]
        short = len(run) - len(there) - sum(rank in base for rank in run)
        if len(run) < bounds.shortest or not base <= set(run) or short > most:
            continue
        for wilds in range(max(short, before), most + 1):
            for kept in combinations(there, wilds - short):
                added = tuple(rank for rank in there if rank not in kept)
                if (added, wilds) not in seen and len(added) + wilds > before:
                    seen.add((added, wilds))
                    yield _candidate(dict.fromkeys(added, 1), wilds - before, lying, number, suit)


def _suit_of(lying: Cards) -> str:
    """The suit of a sequence."""
    return next(suit for index, suit, _ in lying.suited if index in NATURAL_INDICES)


def _candidate(
    added: dict[int, int], wilds: int, lying: Cards = NO_CARDS, number: int | None = None, suit: str = ""
) -> Candidate:
    suited = tuple((index, suit, count) for index, count in sorted(added.items())) if suit else ()
    cards = cards_of(added, suited)
    whole = cards_of({**added, TWO: added.get(TWO, 0) + wilds}, suited)
    return Candidate(cards, wilds, read_meld(gather((lying, whole)) if lying.size else whole), number)


def legal(rules: Ruleset, candidates: Iterable[Candidate], *, going_out: bool) -> tuple[Candidate, ...]:
    """Those that are melds: all of them are laid down at once, and the checks of melds say which are none."""
    put = tuple(candidates)
    entry = SideEntry(melds=laid_down(*(Reading(candidate.lies.cards) for candidate in put)))
    table = lay_case(rules, entry, out=Out(ASKER) if going_out else None)
    # More cards than there are lie there, and many melds of a rank: they are tried, and not laid together.
    question = meld_checks(rules) - {"deck-exceeded", "meld-rank-repeated"}
    checks = [CHECKS[rule.id] for rule in rules.checks if rule.id in question]
    wrong = {trouble.where[-1] for check in checks for trouble in check(table)}
    return tuple(candidate for number, candidate in enumerate(put) if number not in wrong)


COUNTED: Resource = ("counted",)
"""The tally of the points that count for an opening."""
TOP: Resource = ("top",)
"""The tally of the melds that may hold the top card of the pile."""
SCALE = 100
"""Points weigh so much more than the number of melds: of two ways that come to the same, that with fewer is shown."""
TIDY_HAND = 40
"""Cards: in a larger hand any way that comes to most is shown, since the fewest melds take too long to find."""


@dataclass(frozen=True, slots=True)
class MeldChoice:
    """A meld that may be laid: its worth in the question's own terms, and what it counts as in its tallies.

    `counts` says whether wild cards beside its natural ones are worth what those of `Task.wilds` are, or nothing.
    """

    candidate: Candidate
    worth: int
    tallies: tuple[tuple[Resource, int], ...] = ()
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """What to lay: from these cards, some of these melds, within limits of the tallies.

    `whole`: no card stays in the hand. `discards` are the kinds of card (indices) of which one may be discarded, at
    least and at most so many as `discarded` says; None where nobody goes out. `wilds` are the worth and the points
    counted of a joker and of a two beside natural cards; `aside` the same in melds that do not count.
    """

    held: Cards
    choices: tuple[MeldChoice, ...]
    limits: tuple[tuple[Resource, tuple[int, int | None]], ...] = ()
    wilds: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    aside: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    whole: bool = False
    discards: tuple[int, ...] | None = None
    discarded: tuple[int, int] = (0, 0)
    top: Reading | None = None
    """The top card of the pile, which is among those held: it goes to a meld of the tally `TOP`."""


def new_melds(way: Play) -> tuple[Reading, ...]:
    """The new melds of a way."""
    return tuple(Reading(laid.cards) for laid in way.laid if laid.on is None)


def lies_at_the_end(way: Play, table: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The melds of the side when it is done, those of the table first, at their places."""
    added = {laid.on: Reading(laid.cards) for laid in way.laid if laid.on is not None}
    return (*(together(lying, added.get(n, NOTHING)) for n, lying in enumerate(table)), *new_melds(way))


def as_of_a_hand(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Reasons for the best of a hand: what was laid is then what can be laid at most."""
    return tuple(
        replace(why, figures={**why.figures, "why": "hand"})
        if why.code in _OF_A_HAND or (why.code, why.figures.get("why")) == ("opening-below-minimum", "points")
        else why
        for why in reasons
    )


_OF_A_HAND = frozenset({"opening-reached", "top-card-unused"})
"""Reasons with words of their own for the best of a hand, beside the points that are missing."""


def best_play(task: Task) -> Play | None:
    """The way of the most worth; None where there is none."""
    found = _solved(_pieces(task), _limits(task))
    return None if found is None else _dealt(task, found)


@lru_cache(maxsize=256)
def _solved(pieces: tuple[Piece, ...], limits: tuple[tuple[Resource, tuple[int, int | None]], ...]) -> Solution | None:
    """Remembered: most options of a variant leave a question as it is, and all of them are asked."""
    return solve(pieces, dict(limits), "most")


# ------------------------------------------------------------------------------------------------ the program

WILD, ASIDE = "wild", "wild-aside"
_DISCARDED: Resource = ("discarded",)


def _pieces(task: Task) -> tuple[Piece, ...]:
    """First the melds, then the jokers and twos beside natural cards, then the discards."""
    counting = task.held.size <= TIDY_HAND
    melds = [_piece(choice, counting=counting) for choice in task.choices]
    discards = [Piece(0, ((("card", kind), 1), (_DISCARDED, 1))) for kind in task.discards or ()]
    return (*melds, *_wild_pieces(task), *discards)


def _piece(choice: MeldChoice, *, counting: bool) -> Piece:
    candidate = choice.candidate
    uses: list[tuple[Resource, int]] = [(("card", index), n) for index, n in enumerate(candidate.added.counts) if n]
    uses += [(("suited", index, suit), count) for index, suit, count in candidate.added.suited]
    if candidate.wilds:
        uses.append(((WILD if choice.counts else ASIDE,), candidate.wilds))
    one = int(counting and candidate.wilds + candidate.added.size > 0)
    return Piece(choice.worth * SCALE - one, (*uses, *choice.tallies))


def _wild_pieces(task: Task) -> Iterator[Piece]:
    for name, worths in ((WILD, task.wilds), (ASIDE, task.aside)):
        for index, (worth, counted) in zip((JOKER, TWO), worths, strict=True):
            yield Piece(worth * SCALE, ((("card", index), 1), ((name,), -1), (COUNTED, counted)))


def _limits(task: Task) -> tuple[tuple[Resource, tuple[int, int | None]], ...]:
    held, top = task.held, NO_CARDS if task.top is None else task.top.cards
    limits: dict[Resource, tuple[int, int | None]] = {(WILD,): (0, 0), (ASIDE,): (0, 0), _DISCARDED: task.discarded}
    for index, count in enumerate(held.counts):
        limits["card", index] = (count if task.whole else 0, count)
    # The top card lies in a meld of its kind, so that no sequence has it.
    free = without(held, top) if top.size else held
    limits.update({("suited", index, suit): (0, count) for index, suit, count in free.suited})
    return tuple({**limits, **dict(task.limits)}.items())


# ------------------------------------------------------------------------------------------------ back into cards


def _dealt(task: Task, found: Solution) -> Play:
    """Who has which card: suits where a sequence needs them, the jokers first where any wild card will do."""
    number = len(task.choices)
    chosen = [choice for choice, count in zip(task.choices, found.counts, strict=False) for _ in range(count)]
    jokers = {True: found.counts[number], False: found.counts[number + 2]}
    top = NO_CARDS if task.top is None else task.top.cards
    pool = _Pool(_piles(without(task.held, top) if top.size else task.held))
    laid: list[tuple[bool, LaidCards]] = []
    holder = next((place for place, choice in enumerate(chosen) if (TOP, 1) in choice.tallies), None)
    # A sequence takes its own cards before others take any.
    for place, choice in sorted(enumerate(chosen), key=lambda one: not one[1].candidate.added.suited):
        of_these = min(jokers[choice.counts], choice.candidate.wilds)
        jokers[choice.counts] -= of_these
        mine = top if place == holder else NO_CARDS
        cards = pool.take(choice.candidate.added, (of_these, choice.candidate.wilds - of_these), mine)
        if cards.size:
            laid.append((place != holder, LaidCards(cards, choice.candidate.on)))
    laid.sort(key=lambda one: (one[0], one[1].on is None, one[1].on or 0))
    melds = tuple(each for _, each in laid)
    if task.discards is None:
        return Play(melds)
    discards = [kind for kind, count in zip(task.discards, found.counts[number + 4 :], strict=True) if count]
    return Play(melds, gather(pool.take(cards_of({kind: 1}), (0, 0), NO_CARDS) for kind in discards))


@dataclass(frozen=True, slots=True)
class _Pool:
    """Cards that nobody has taken yet, by kind and suit."""

    left: dict[tuple[int, str], int]

    def take(self, wanted: Cards, wilds: tuple[int, int], top: Cards) -> Cards:
        """Take cards, of the suits that are wanted or of any, and so many jokers and twos beside them.

        The top card is one of them and in nobody's hand.
        """
        taken = {(index, suit): count for index, suit, count in wanted.suited}
        for index, count in enumerate(wanted.counts):
            more = count - top.counts[index] - sum(n for of_kind, _, n in wanted.suited if of_kind == index)
            more += wilds[index] if index in (JOKER, TWO) else 0
            for card in [card for card in self.left if card[0] == index]:
                some = min(more, self.left[card] - taken.get(card, 0))
                more -= some
                taken[card] = taken.get(card, 0) + some
        for card, count in taken.items():
            self.left[card] -= count
        return gather((_cards(taken), top))


_LACKING = frozenset({"natural-group", "wilds-alone"})
"""Why a meld is no opening by itself, that another meld beside it makes good."""
_SHORT = frozenset({None, "points", "naturals"})
"""Nothing but points keeps it from being one."""

FITS: Resource = ("fits",)
"""The tally of melds one of which an opening needs."""
BINDS: Resource = ("binds",)
"""The tally of incomplete melds of wild cards, where such a meld binds the side."""

CANASTAS: Resource = ("canastas",)
"""The tally of canastas; those of a family stand in `("family", …)`."""

Tallies = tuple[tuple[Resource, int], ...]
Limit = tuple[Resource, tuple[int, int | None]]
Limits = tuple[Limit, ...]


@dataclass(frozen=True, slots=True)
class Opener:
    """A meld of an opening: the points of its cards but for wild ones beside natural ones, and whether they count.

    `fits`: an opening with it lacks nothing but points.
    """

    candidate: Candidate
    points: int
    counts: bool = True
    fits: bool = True

    @property
    def tallies(self) -> Tallies:
        """What it adds to an opening."""
        return ((COUNTED, self.points if self.counts else 0), (FITS, int(self.fits)))


def openers(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int | None, *, concealed: bool
) -> Iterator[Opener]:
    """The melds that an opening may hold, toward a minimum in points; without one, a card is worth a point."""
    put = tuple(candidates)
    if minimum is None:
        yield from (Opener(candidate, candidate.lies.size - candidate.wilds) for candidate in put)
        return
    entry = SideEntry(opening=tuple(Reading(candidate.lies.cards) for candidate in put))
    table = lay_case(rules, entry, out=Out(ASKER, concealed=True) if concealed else None)
    lay = asker(table)[1]
    for candidate, laid in zip(put, lay.opening, strict=True):
        weighed = weigh(table, replace(lay, opening=(laid,)), minimum)
        if weighed.why in _LACKING or weighed.why in _SHORT:
            points = laid.points - candidate.wilds * rules.settings.card_points[TWO]
            yield Opener(candidate, points, not weighed.aside, weighed.why in _SHORT)


def choices(
    settings: Settings, found: Iterable[Opener], minimum: int | None, *, counted_first: bool = False
) -> tuple[tuple[MeldChoice, ...], Pair, Pair]:
    """Melds to choose from for the best opening, and what wild cards beside natural ones are worth.

    The best lays most points, and of those that lay the same counts most; `counted_first`: the other way round.
    """
    all_of_them = tuple(found)
    inside, outside = (1, 1)
    if not all(opener.counts for opener in all_of_them):
        inside, outside = MOST_POINTS + 1, 1 if counted_first else MOST_POINTS
    made = tuple(
        MeldChoice(
            opener.candidate,
            opener.points * (inside if opener.counts else outside),
            (*opener.tallies, *_of_its_turn(settings, opener.candidate.lies)),
            opener.counts,
        )
        for opener in all_of_them
    )
    return made, wild_worths(settings, minimum, inside), wild_worths(settings, minimum, outside, counted=False)


Pair = tuple[tuple[int, int], tuple[int, int]]
"""For a joker and for a two: its worth, and the points that it counts."""
MOST_POINTS = 10000
"""More points than the cards of any decks come to."""


def wild_worths(settings: Settings, minimum: int | None, worth: int, *, counted: bool = True) -> Pair:
    """What a joker and a two beside natural cards are worth; without a minimum, one like any card."""
    joker, two = (1 if minimum is None else settings.card_points[index] for index in (JOKER, TWO))
    return (joker * worth, joker * counted), (two * worth, two * counted)


def standing(settings: Settings, meld: Meld) -> Tallies:
    """What a meld is of which a side may have only one."""
    complete = canasta_of(meld, settings) is not None
    tallies: Tallies = ()
    if settings.wilds_blocked != "nothing" and shape_of(meld, settings) is Shape.WILDS and not complete:
        tallies = ((BINDS, 1),)
    if settings.repeated_rank == "not-incomplete" and meld.size < settings.canasta_length and meld.rank is not None:
        tallies = (*tallies, (("begun", meld.rank), 1))
    return tallies


def _of_its_turn(settings: Settings, meld: Meld) -> Tallies:
    """What a meld counts as among all that is laid in one turn."""
    told = (*standing(settings, meld), *canastas(settings, meld))
    if settings.repeated_rank != "not-incomplete" or meld.rank is None:
        return told
    # One begun leaves no room for a canasta of its rank.
    return (*told, (("turn", meld.rank), 1 if meld.size >= settings.canasta_length else _A_TURN))


_A_TURN = 10
"""Of canastas of a rank no more than that are laid in one turn."""


def canastas(settings: Settings, meld: Meld) -> Tallies:
    """The canasta that a meld is."""
    canasta = canasta_of(meld, settings)
    return () if canasta is None else ((CANASTAS, 1), (("family", canasta.family), 1))


def canastas_needed(settings: Settings) -> Limits:
    """The canastas that going out needs."""
    families = tuple((("family", family), (count, None)) for family, count in settings.canasta_families_needed)
    return ((CANASTAS, (settings.canastas_needed, None)), *families)


def one_of_each(made: Iterable[MeldChoice]) -> Limits:
    """The limits of those tallies."""
    names = {name for choice in made for name, _ in choice.tallies if name == BINDS or name[0] in ("begun", "turn")}
    return tuple((name, (0, _A_TURN if name[0] == "turn" else 1)) for name in sorted(names))
