"""The best legal way to lay the cards that a player holds, found exactly by integer programming.

The candidates are all legal melds that could be laid, new or on a meld of the table. How many of
each are laid is a variable of the program. It is limited by the cards held and by tallies: totals
over all the melds laid, such as their canastas or points, whose limits depend on the question. The
solution is converted back into cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
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
from scorepad.rules.table import (
    Meld,
    Table,
    canasta_of,
    incomplete_of,
    is_incomplete_wild_meld,
    read_meld,
)
from scorepad.rules.turn_checks import OpeningRefusal, count_opening

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

_ALL_ROOM_OF_A_RANK = 10
"""The room for melds of one rank in a turn: more canastas of a rank than ten are never laid."""
NOTHING_BARS_GOING_OUT: Limits = {BARS_GOING_OUT: exactly(0)}
"""A player who goes out leaves no incomplete meld that prevents it."""


def _incomplete_melds_of(rank: int) -> Resource:
    """The tally of incomplete melds of a rank (index): those that are no canastas."""
    return ("incomplete", rank)


def _room_of_rank(rank: int) -> Resource:
    """The tally of the room that the melds of a rank (index) take up.

    It is used in games in which one turn lays either an incomplete meld of a rank or canastas of it.
    A canasta takes one of ten places, and an incomplete meld takes all ten.
    """
    return ("room", rank)


ONE_INCOMPLETE_OF_EACH: Limits = {
    **{_incomplete_melds_of(rank): up_to(1) for rank in RANKS},
    _INCOMPLETE_WILD_MELDS: up_to(1),
}
"""A side has at most one incomplete meld of a rank, and of wild cards."""
_INCOMPLETE_OR_CANASTAS: Limits = {
    _room_of_rank(rank): up_to(_ALL_ROOM_OF_A_RANK) for rank in RANKS
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

    `uses_all_cards`: no card stays in the hand. `discards` is the last discard of a player who goes
    out. `top` is the top card of the pile, included in `held`: it is laid in a meld of the tally
    `MAY_HOLD_TOP_CARD`.
    """

    held: Cards
    candidates: tuple[Candidate, ...]
    limits: Limits
    wilds: WildPoints = WildPoints()
    weights: Weights = Weights()
    uses_all_cards: bool = False
    discards: Discards = Discards()
    top: Reading | None = None

    @property
    def in_hand(self) -> Cards:
        """The cards held without the top card of the pile."""
        return subtract_cards(self.held, self.top.cards) if self.top else self.held

    @property
    def all_melds_count(self) -> bool:
        """Whether the points of all melds that could be laid count for an opening."""
        return all(candidate.counts for candidate in self.candidates)

    def within(self, limits: Limits) -> LayingTask:
        """The task with these limits besides its own."""
        return self._replace(limits=self.limits | limits)

    def using_all_cards(self, discards: Discards) -> LayingTask:
        """The task of laying all cards held, except those discarded: some of these discards."""
        return self._replace(uses_all_cards=True, discards=discards)


# ----------------------------------------------------------------------------------- the candidates


@lru_cache(maxsize=64)
def new_melds(settings: Settings, held: Cards, *, going_out: bool) -> tuple[Candidate, ...]:
    """The legal new melds that these cards can make. Raises TooManyWays if there are too many.

    `going_out`: the player goes out, who may lay melds of black threes too. Cached, because a case is
    judged under many rules.
    """
    possible = find_possible_melds(settings, held)
    legal = _legal_melds(settings, possible, on=None, going_out=going_out)
    candidates = tuple(islice(legal, MOST_WAYS + 1))  # one more shows that there are too many
    if len(candidates) > MOST_WAYS:
        raise TooManyWays
    return candidates


def lay_offs(
    settings: Settings, held: Cards, table_meld: Reading, *, on: int
) -> Iterator[Candidate]:
    """What a player who goes out could lay on a meld of the table, including nothing.

    `on` is the index of that meld. With a king in the hand and `K K K` on the table, that is nothing
    or the king.
    """
    nothing = PossibleMeld(added=NO_CARDS, wilds=0, meld=read_meld(table_meld.cards))
    possible = find_possible_melds(settings, held, table_meld.cards)
    yield from _legal_melds(settings, [nothing, *possible], on=on, going_out=True)


def _legal_melds(
    settings: Settings, possible: Iterable[PossibleMeld], *, on: int | None, going_out: bool
) -> Iterator[Candidate]:
    """The melds that these rules allow, among all that some cards could make.

    `on` is the index of the table's meld that the cards are laid on, None for new melds.
    """
    for each in possible:
        if each.meld.black_threes and not going_out:  # they are melded only by who goes out
            continue
        if not is_meld(each.meld, settings):
            continue
        yield Candidate(
            added=each.added,
            wilds=each.wilds,
            meld=each.meld,
            on=on,
            tallies=tallies_of(settings, each.meld, on=on),
        )


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
    """One for an incomplete meld of wild cards alone, as `JK 2 2`; empty for other melds.

    It is also empty in games in which such a meld does not restrict what its side may do.
    """
    restricts_its_side = settings.wilds_blocked != "nothing"
    if restricts_its_side and is_incomplete_wild_meld(meld, settings):
        return {_INCOMPLETE_WILD_MELDS: 1}
    return {}


def _tallies_of_meld_barring_out(settings: Settings, meld: Meld) -> dict[Resource, int]:
    """One for an incomplete meld that prevents going out, which is playing one's last card; empty
    for other melds.

    In some games a meld of aces that is no canasta, as `A A A`, prevents it.
    """
    incomplete = incomplete_of(meld, settings)
    if incomplete is not None and incomplete.bars_out:
        return {BARS_GOING_OUT: 1}
    return {}


def laid_on_meld(index: int) -> Resource:
    """The tally of what is laid on the table's meld with this index."""
    return ("on", index)


def canastas_of_family(family: str) -> Resource:
    """The tally of the canastas of a family, such as natural ones; all have `CANASTAS` too."""
    return ("family", family)


def _tallies_of_rank(settings: Settings, meld: Meld) -> dict[Resource, int]:
    """What a meld adds to the tallies of its rank.

    They are needed in games in which one turn lays either one incomplete meld of a rank or canastas
    of it (melds of seven cards or more), but not both. There is room for ten: `7xK` takes one of ten
    places for kings, and `K K K` takes all ten, so that no other meld of kings fits beside it.
    """
    rank = meld.rank
    if settings.repeated_rank != "not-incomplete" or rank is None:
        return {}
    is_canasta = meld.size >= settings.canasta_length
    if is_canasta:
        return {_room_of_rank(rank): 1}
    return {_incomplete_melds_of(rank): 1, _room_of_rank(rank): _ALL_ROOM_OF_A_RANK}


def canastas_needed(settings: Settings) -> Limits:
    """The canastas (melds of seven cards or more) that going out requires, as limits.

    In a game that requires two canastas, one of them natural, these are at least 2 of any family and
    at least 1 of the natural family.
    """
    needed: Limits = {CANASTAS: at_least(settings.canastas_needed)}
    for family, number in settings.canasta_families_needed:
        needed[canastas_of_family(family)] = at_least(number)
    return needed


# ----------------------------------------------------------------------------------------- openings

_POINTS_ARE_MISSING = (OpeningRefusal.POINTS, OpeningRefusal.NATURALS)
"""Why a meld does not open alone, if it would with more points beside it."""
_ANOTHER_MELD_IS_MISSING = (OpeningRefusal.NATURAL_GROUP, OpeningRefusal.WILDS_ALONE)
"""Why a meld does not open alone, if an opening may hold it beside a meld of another form."""


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
    """The melds of an opening that needs no points; it may hold any of them.

    Then the opening that lays most cards is the best. So each card is worth one point here: three
    kings add 3.
    """
    for candidate in candidates:
        number_of_cards = candidate.added.size
        yield with_opening_points(candidate, points=number_of_cards)


def _candidates_for_minimum(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int, *, concealed: bool
) -> Iterator[Candidate]:
    """The melds that an opening with this minimum of points may hold, with their points.

    Melds that no opening may hold are left out. `concealed`: the player opens and goes out at once.
    """
    for judged in _judge_each_alone(rules, candidates, minimum, concealed=concealed):
        if not judged.may_be_in_opening:
            continue
        points = judged.candidate.added.points(rules.settings.card_points)
        yield with_opening_points(
            judged.candidate,
            points,
            counts=judged.counts,
            may_open=judged.opens_alone,
        )


class _JudgedAlone(NamedTuple):
    """A meld, judged as if it were the whole opening."""

    candidate: Candidate
    refusal: OpeningRefusal | None
    """Why it could not open alone; None if it could."""
    counts: bool
    """Whether its points count toward the minimum; in some games wild cards prevent that."""

    @property
    def opens_alone(self) -> bool:
        """Whether it needs no other meld beside it, unless for more points."""
        return self.refusal is None or self.refusal in _POINTS_ARE_MISSING

    @property
    def may_be_in_opening(self) -> bool:
        """Whether an opening may hold it, alone or beside other melds."""
        return self.opens_alone or self.refusal in _ANOTHER_MELD_IS_MISSING


def _judge_each_alone(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int, *, concealed: bool
) -> Iterator[_JudgedAlone]:
    """Each meld, judged as if it were the whole opening, against this minimum of points.

    `concealed`: the player opens and goes out at once.
    """
    melds = tuple(candidates)
    # One table with all the melds is faster to build than one for each of them.
    table = _table_opened_with(rules, melds, concealed=concealed)
    side = table.sides[ASKER]
    for candidate, laid_meld in zip(melds, side.opening, strict=True):
        side_with_only_this = side._replace(opening=(laid_meld,))
        opening = count_opening(table, side_with_only_this, minimum)
        melds_not_counting = opening.aside
        yield _JudgedAlone(candidate, opening.why, counts=melds_not_counting == 0)


def _table_opened_with(
    rules: Ruleset, candidates: Iterable[Candidate], *, concealed: bool
) -> Table:
    """A table on which the player's side has these melds as its opening, in this order.

    `concealed`: the player opened and went out at once.
    """
    out = Out(ASKER, concealed=True) if concealed else None
    melds = tuple(Reading(candidate.meld.cards) for candidate in candidates)
    return table_with(rules, out=out, opening=melds)


def with_opening_points(
    candidate: Candidate, points: int, *, counts: bool = True, may_open: bool = True
) -> Candidate:
    """The candidate as a meld of an opening, in which its cards have these points.

    `counts`: the points count toward the minimum; if not, they still make the meld worth laying.
    `may_open`: it could be the whole opening, if it had the points. The points of wild cards beside
    natural ones are not included: of `K K 2` only `K K` has points here.
    """
    tallies = dict(candidate.tallies)
    tallies[OPENING_POINTS] = points if counts else 0
    tallies[MAY_OPEN] = 1 if may_open else 0
    return candidate._replace(tallies=tallies, worth=points, counts=counts)


def opening_task(
    held: Cards, melds: Iterable[Candidate], *, wilds: WildPoints, top: Reading | None
) -> LayingTask:
    """The task of finding the opening that lays the most points with these cards.

    Of two openings with equal points, the one of which more points count toward the minimum is
    better. `melds` are those that an opening may hold, and `top` is the pile's top card if the player
    opens with it.
    """
    task = LayingTask(
        held=held,
        candidates=tuple(melds),
        limits=ONE_INCOMPLETE_OF_EACH | _INCOMPLETE_OR_CANASTAS,
        wilds=wilds,
        top=top,
    )
    if task.all_melds_count:  # all points laid count: there is nothing else to compare
        return task
    return task._replace(weights=LAID_POINTS_FIRST)


def wild_points_in_opening(settings: Settings, minimum: int | None) -> WildPoints:
    """The points of a joker and of a two in an opening with this minimum.

    Without a minimum (None) the opening that lays most cards is the best, so each is worth 1.
    """
    if minimum is None:
        return WildPoints(joker=1, two=1)
    return wild_points(settings)


def wild_points(settings: Settings) -> WildPoints:
    """The points of wild cards in this game."""
    return WildPoints(joker=settings.card_points[JOKER], two=settings.card_points[TWO])


# -------------------------------------------------------------------------------------- the program


def find_best_play(task: LayingTask) -> Play | None:
    """The best way to lay the cards of a task; None if there is none. Raises TooManyWays.

    An integer program finds how often each meld is laid, how many jokers and twos are beside natural
    cards, and what is discarded. The play is made from these numbers.
    """
    if len(task.candidates) > MOST_WAYS:
        raise TooManyWays
    pieces = _pieces_of_task(task)
    limits = _limits_of_program(task)
    numbers = _numbers_of_most_value(tuple(pieces.values()), tuple(limits.items()))
    if numbers is None:
        return None
    number_of_each = dict(zip(pieces, numbers, strict=True))
    return _play_of_solution(task, _read_solution(task, number_of_each))


def _limits_of_program(task: LayingTask) -> Limits:
    """All limits of a play: of the places for wild cards in its melds, of the number of cards
    discarded last, of the cards held, and those that the task itself sets.
    """
    limits: Limits = {}
    limits |= _limits_of_places()
    limits |= _limits_of_discard(task)
    limits |= _limits_of_kinds(task)
    limits |= _limits_of_suits(task)
    limits |= task.limits
    return limits


def _limits_of_places() -> Limits:
    """The limits by which every place for a wild card is filled, and none is filled twice.

    A meld adds its places to their tally, and each wild card laid takes one away: `K K` with two
    places adds 2, and a joker and a two bring it back to 0. At zero, places and wild cards are equal
    in number. Melds that do not count for an opening have a tally of their own.
    """
    all_filled = exactly(0)
    return {_PLACES_FOR_WILDS: all_filled, _PLACES_NOT_COUNTING: all_filled}


def _limits_of_discard(task: LayingTask) -> Limits:
    """The limits of the number of cards in the last discard."""
    discards = task.discards
    return {_DISCARDED: UseLimits(least=discards.fewest, most=discards.most)}


def _limits_of_kinds(task: LayingTask) -> Limits:
    """The limits of the cards of each kind: of two kings held, up to two are used. If the whole
    hand is laid, both are.
    """
    limits: Limits = {}
    for kind, number in enumerate(task.held.counts):
        if task.uses_all_cards:
            limits[_use_of_kind(kind)] = exactly(number)
        else:
            limits[_use_of_kind(kind)] = up_to(number)
    return limits


def _limits_of_suits(task: LayingTask) -> Limits:
    """The limits of the cards whose suit is known: of two kings, of which one is of hearts, one is
    used as a king of hearts.

    Only sequences use cards by their suits. The pile's top card is laid in a meld of its rank, so
    none of a sequence: if it is the only king of hearts, the limit of these is zero.
    """
    number_in_hand = count_by_suit(task.in_hand)
    limits: Limits = {}
    for cards in task.held.suited:
        card = SuitedKind(cards.kind, cards.suit)
        limits[_use_of_suit(card)] = up_to(number_in_hand.get(card, 0))
    return limits


def _use_of_kind(kind: int) -> Resource:
    """The cards of a kind (its index) that are used, as `uses_of_cards` names them."""
    return ("card", kind)


def _use_of_suit(card: SuitedKind) -> Resource:
    """The cards of a kind and suit that are used, as `uses_of_cards` names them."""
    return ("suited", card.kind, card.suit)


@lru_cache(maxsize=256)
def _numbers_of_most_value(
    pieces: tuple[Piece, ...], limits: tuple[tuple[Resource, UseLimits], ...]
) -> tuple[int, ...] | None:
    """How many of each piece (such as a meld) to use for the highest total value; None if nothing is
    within the limits.

    `limits` are the items of a `Limits`: a dict cannot be an argument of a cached function. Caching
    helps because a question is answered under every option, and most options do not change it.
    """
    return solve(pieces, dict(limits), "most")


@dataclass(frozen=True, slots=True)
class _LayMeld:
    """The choice to lay a meld, by its index among the candidates of a task."""

    index: int


@dataclass(frozen=True, slots=True)
class _LayWild:
    """The choice to lay a joker or a two (index) beside natural cards.

    `counts`: in a meld that counts for an opening.
    """

    kind: int
    counts: bool


@dataclass(frozen=True, slots=True)
class _DiscardCard:
    """The choice to discard a card of a kind (index) last."""

    kind: int


_Choice = _LayMeld | _LayWild | _DiscardCard
"""A variable of the integer program: something that a play may do, any number of times."""


def _pieces_of_task(task: LayingTask) -> dict[_Choice, Piece]:
    """What a play may lay or discard, each with its value and what doing it once uses.

    Jokers and twos beside natural cards are choices apart from the melds, so that either may be any
    wild card of a meld.
    """
    pieces: dict[_Choice, Piece] = {}
    for index, candidate in enumerate(task.candidates):
        pieces[_LayMeld(index)] = _meld_piece(task, candidate)
    for counts in (True, False):  # in melds that count for an opening, and in the others
        for kind in (JOKER, TWO):
            pieces[_LayWild(kind, counts)] = _wild_piece(task, kind, counts=counts)
    for kind in task.discards.kinds:
        pieces[_DiscardCard(kind)] = _discard_piece(kind)
    return pieces


def _meld_piece(task: LayingTask, candidate: Candidate) -> Piece:
    """The value of laying a meld once, and what that uses.

    `K K` with one wild card uses two kings of the hand, adds one place for a wild card, and one to
    each tally of its own, such as the number of melds.
    """
    uses = list(uses_of_cards(candidate.added))
    uses.append((_places_for_wilds(counts=candidate.counts), candidate.wilds))
    uses.extend(candidate.tallies.items())
    return Piece(points=_value_of_meld(task, candidate), uses=tuple(uses))


def _value_of_meld(task: LayingTask, candidate: Candidate) -> int:
    """The value of laying a meld, by which plays are compared: that of its points, less one for the
    meld itself.

    So of two plays with equal points, the one with fewer melds is better. In a large hand nothing is
    taken off: finding the play with the fewest melds would take too long.
    """
    value = _value_of_points(task, candidate.worth, counts=candidate.counts)
    lays_cards = candidate.cards_from_hand > 0
    is_small_hand = task.held.size <= LARGEST_TIDIED_HAND
    if lays_cards and is_small_hand:
        return value - 1
    return value


def _value_of_points(task: LayingTask, points: int, *, counts: bool) -> int:
    """The value of points by which plays are compared: 100 for each point, times its weight.

    `counts`: they are in a meld that counts for an opening, where a point may weigh more.
    """
    weight = task.weights.counting if counts else task.weights.others
    return points * weight * _VALUE_OF_A_POINT


def _wild_piece(task: LayingTask, kind: int, *, counts: bool) -> Piece:
    """The value of laying a joker or a two (index) beside natural cards, and what that uses.

    It uses a card of the hand, and takes away one of the places that melds have for wild cards.
    `counts`: the meld counts for an opening, and so do the points of the card.
    """
    points = task.wilds.joker if kind == JOKER else task.wilds.two
    uses: dict[Resource, int] = {
        _use_of_kind(kind): 1,
        _places_for_wilds(counts=counts): -1,
        OPENING_POINTS: points if counts else 0,
    }
    return Piece(_value_of_points(task, points, counts=counts), tuple(uses.items()))


def _discard_piece(kind: int) -> Piece:
    """What discarding a card of this kind (index) uses: the card, and one of the cards that may be
    discarded. It is worth nothing.
    """
    uses: dict[Resource, int] = {_use_of_kind(kind): 1, _DISCARDED: 1}
    return Piece(points=0, uses=tuple(uses.items()))


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

    @property
    def cards(self) -> Cards:
        """All its cards."""
        return gather((self.from_hand, self.top_card))

    @property
    def as_laid(self) -> LaidCards:
        """Its cards, and the meld of the table that they are laid on, if any."""
        return LaidCards(self.cards, on=self.candidate.on)

    def with_top_card(self, top_card: Cards) -> _ChosenMeld:
        """The meld with the top card in place of one of its cards from the hand."""
        from_hand = subtract_cards(self.from_hand, top_card)
        return self._replace(from_hand=from_hand, top_card=top_card)


def _suited_as_in_hand(hand: Cards, wanted: Cards) -> Cards:
    """These cards of a hand, with the suits that they have in it: of the hand `Kh 9`, `K` → `Kh`."""
    others = subtract_cards(hand, wanted)
    return subtract_cards(hand, others)


class _Solution(NamedTuple):
    """What the integer program found to be best.

    `jokers` and `jokers_not_counting` are the numbers of jokers beside natural cards, in melds that
    count for an opening and in the others; all other wild cards there are twos.
    """

    melds: tuple[Candidate, ...]
    """The melds to lay; one that is laid twice is there twice."""
    jokers: int
    jokers_not_counting: int
    discards: Cards
    """The last discard, without cards that are discarded in any case."""


def _read_solution(task: LayingTask, number_of_each: Mapping[_Choice, int]) -> _Solution:
    """What to lay and discard, from how often the integer program takes each choice.

    If it takes `_LayMeld(3)` twice, the candidate with index 3 is laid twice.
    """
    melds: list[Candidate] = []
    for index, candidate in enumerate(task.candidates):
        times_laid = number_of_each[_LayMeld(index)]
        melds += [candidate] * times_laid
    discards = {kind: number_of_each[_DiscardCard(kind)] for kind in task.discards.kinds}
    return _Solution(
        melds=tuple(melds),
        jokers=number_of_each[_LayWild(JOKER, counts=True)],
        jokers_not_counting=number_of_each[_LayWild(JOKER, counts=False)],
        discards=build_cards(discards),
    )


def _play_of_solution(task: LayingTask, solution: _Solution) -> Play:
    """The play that lays and discards what the integer program found to be best.

    The program does not tell the suits of the cards, so each meld in turn takes its cards out of the
    hand, with their suits: `3xK` takes `Kh Kd Ks`.
    """
    hand_left = task.in_hand
    melds: list[_ChosenMeld] = []
    for meld in _give_top_card(task.top, _chosen_melds(solution)):
        from_hand = _suited_as_in_hand(hand_left, meld.from_hand)
        hand_left = subtract_cards(hand_left, from_hand)
        melds.append(meld._replace(from_hand=from_hand))
    discards = _suited_as_in_hand(hand_left, solution.discards)

    melds.sort(key=_order_in_play)
    # A meld of the table may get no cards.
    laid = tuple(meld.as_laid for meld in melds if meld.cards.size)
    return Play(laid, discard=gather((discards, task.discards.aside)))


def _give_top_card(top: Reading | None, melds: list[_ChosenMeld]) -> list[_ChosenMeld]:
    """The melds, of which the first that may hold the top card of the pile has it, in place of an
    equal card from the hand.

    Without a top card they stay as they are.
    """
    if top is None:
        return melds
    melds_given: list[_ChosenMeld] = []
    is_given = False
    for meld in melds:
        if not is_given and MAY_HOLD_TOP_CARD in meld.candidate.tallies:
            melds_given.append(meld.with_top_card(top.cards))
            is_given = True
        else:
            melds_given.append(meld)
    return melds_given


def _chosen_melds(solution: _Solution) -> list[_ChosenMeld]:
    """The melds of a solution with jokers and twos as their wild cards.

    The first melds with places for wild cards get the jokers of the solution, the others get twos.
    Melds that count for an opening and melds that do not have jokers of their own.
    """
    jokers_left = solution.jokers
    jokers_not_counting_left = solution.jokers_not_counting
    chosen: list[_ChosenMeld] = []
    for candidate in _sequences_first(solution.melds):
        if candidate.counts:
            jokers = min(jokers_left, candidate.wilds)
            jokers_left -= jokers
        else:
            jokers = min(jokers_not_counting_left, candidate.wilds)
            jokers_not_counting_left -= jokers
        chosen.append(_meld_with_jokers(candidate, jokers))
    return chosen


def _meld_with_jokers(candidate: Candidate, jokers: int) -> _ChosenMeld:
    """A meld with so many jokers among its wild cards; the others are twos."""
    twos = candidate.wilds - jokers
    wilds = build_cards({JOKER: jokers, TWO: twos})
    return _ChosenMeld(candidate, from_hand=gather((candidate.added, wilds)))


def _sequences_first(melds: Iterable[Candidate]) -> list[Candidate]:
    """These melds, sequences before the others: a sequence needs cards of its suit, which the other
    melds would take from it.
    """
    sequences: list[Candidate] = []
    others: list[Candidate] = []
    for meld in melds:
        if meld.added.suited:  # only sequences say of which suit their cards are
            sequences.append(meld)
        else:
            others.append(meld)
    return sequences + others


def _order_in_play(meld: _ChosenMeld) -> tuple[int, int]:
    """Sort key: first the meld with the pile's top card, then the cards laid on the table's melds in
    their order, then new melds.
    """
    if meld.top_card.size:
        return (0, 0)
    if meld.candidate.on is not None:
        return (1, meld.candidate.on)
    return (2, 0)
