"""The best legal way to lay the cards that a player holds, found exactly by integer programming.

The candidates are all legal melds that could be laid, new or on a meld of the table. How many of
each are laid is a variable of the program. Each adds to totals over the whole play, such as the
kings used, the canastas or the points, and limits say how much a total may come to. Some limits are
the cards available, others depend on the question. The solution is converted back into cards.
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
from scorepad.rules.bounds import Piece, Quantity, UseLimits, list_uses_of_cards, solve
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
    find_kind_of_canasta,
    find_kind_of_incomplete_meld,
    is_incomplete_wild_meld,
    read_meld,
)
from scorepad.rules.turn_checks import OpeningRefusal, count_opening

# ------------------------------------------------------------------------------------- quantities

# What a play lays and discards adds to quantities, such as its kings, its canastas or its points,
# and limits say how much the total of each may come to. A quantity is named by a tuple, such as
# `("canastas",)`.
Limits = dict[Quantity, UseLimits]
"""How much the total of each quantity must and may be. One without limits may be anything."""


def at_least(number: int) -> UseLimits:
    """The limits of a total that must reach this number."""
    return UseLimits(least=number, most=None)


def up_to(number: int) -> UseLimits:
    """The limits of a total that must not exceed this number."""
    return UseLimits(least=0, most=number)


def exactly(number: int) -> UseLimits:
    """The limits of a total that must be this number."""
    return UseLimits(least=number, most=number)


OPENING_POINTS: Quantity = ("opening-points",)
"""The points that count for an opening."""
MELDS_THAT_MAY_OPEN: Quantity = ("may-open",)
"""Melds that may open except for missing points; an opening needs at least one."""
MELDS_FOR_TOP_CARD: Quantity = ("may-hold-top-card",)
"""Melds that may hold the top card of the pile."""
MELDS: Quantity = ("melds",)
CANASTAS: Quantity = ("canastas",)
"""All canastas; those of a family have `canastas_of_family` too."""
NEW_CANASTAS: Quantity = ("new-canastas",)
"""Canastas that are new melds."""
MELDS_PREVENTING_OUT: Quantity = ("bars-going-out",)
"""Incomplete melds that prevent going out."""
_INCOMPLETE_WILD_MELDS: Quantity = ("incomplete-wild-melds",)
"""Incomplete melds of wild cards alone, if such a meld restricts the side."""
_UNFILLED_PLACES: Quantity = ("places-for-wilds",)
"""Places for wild cards that are not filled, in melds that count for an opening.

A meld of natural and wild cards adds its places for wild cards, and each wild card laid in one
takes one away, so that it comes to zero when all are filled.
"""
_UNFILLED_PLACES_NOT_COUNTING: Quantity = ("places-not-counting",)
"""Places for wild cards that are not filled, in melds that do not count for an opening."""
_DISCARDED: Quantity = ("discarded",)
"""Cards discarded last."""
NO_MELD_PREVENTS_OUT: Limits = {MELDS_PREVENTING_OUT: exactly(0)}
"""A player who goes out leaves no incomplete meld that prevents it."""


def laid_on_meld(index: int) -> Quantity:
    """The total of what is laid on the table's meld with this index."""
    return ("on", index)


def canastas_of_family(family: str) -> Quantity:
    """The total of the canastas of a family, such as natural ones; all have `CANASTAS` too."""
    return ("family", family)


def _number_used_of_kind(kind: int) -> Quantity:
    """The total of the cards of a kind (its index) that are laid or discarded, named as in
    `list_uses_of_cards`.
    """
    return ("card", kind)


def _number_used_of_suit(card: SuitedKind) -> Quantity:
    """The total of the cards of a kind and suit that are laid in sequences, named as in
    `list_uses_of_cards`.
    """
    return ("suited", card.kind, card.suit)


def _unfilled_places(*, counts_for_opening: bool) -> Quantity:
    """The total of places for wild cards that are not filled, in melds that count for an opening or
    in the others.
    """
    return _UNFILLED_PLACES if counts_for_opening else _UNFILLED_PLACES_NOT_COUNTING


def _incomplete_melds_of(rank: int) -> Quantity:
    """The total of incomplete melds of a rank (index): those that are no canastas."""
    return ("incomplete", rank)


# In some games a turn lays either one incomplete meld of a rank or canastas of it, not both. So the
# melds of a rank share a room: one incomplete meld fills it, and canastas alone find place in it.
_ROOM_FOR_A_RANK = 10
"""Nobody lays more canastas of one rank in a turn than ten."""
_ROOM_OF_A_CANASTA = 1
_ROOM_OF_AN_INCOMPLETE_MELD = _ROOM_FOR_A_RANK


def _room_taken_by(rank: int) -> Quantity:
    """The total of the room that the melds of a rank (index) take up, at most `_ROOM_FOR_A_RANK`."""
    return ("room", rank)


ONE_INCOMPLETE_OF_EACH: Limits = {
    **{_incomplete_melds_of(rank): up_to(1) for rank in RANKS},
    _INCOMPLETE_WILD_MELDS: up_to(1),
}
"""A side has at most one incomplete meld of a rank, and of wild cards."""
_INCOMPLETE_OR_CANASTAS: Limits = {_room_taken_by(rank): up_to(_ROOM_FOR_A_RANK) for rank in RANKS}
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
"""The value of a point where plays are compared."""
_COST_OF_A_MELD = 1
"""What a meld takes off the value of a play: of two plays with equal points, the one with fewer
melds is chosen. It is so little that it never outweighs a point.
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
    additions: dict[Quantity, int]
    """What it adds to the totals of a play, such as one to the number of canastas."""
    worth: int = 0
    """The value of `added` for the task."""
    counts_for_opening: bool = True
    """Whether the meld, with its wild cards, counts for the opening."""

    @property
    def cards_from_hand(self) -> int:
        """The number of cards that it takes from the hand."""
        return self.added.size + self.wilds

    @property
    def wilds_from_hand(self) -> int:
        """The number of wild cards that it takes from the hand, beside natural ones or alone."""
        return self.added.wilds + self.wilds

    def also_adding_one_to(self, total: Quantity) -> Candidate:
        """The same meld, which also adds one to this total."""
        return self._replace(additions=self.additions | {total: 1})


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
    """What may be discarded last: between `fewest` and `most` cards of some kinds."""

    kinds: tuple[int, ...] = ()
    """The kinds (indices) of which the cards may be."""
    fewest: int = 0
    most: int = 0
    set_aside: Cards = NO_CARDS
    """Cards of the hand that are discarded in any case, beside the others."""


class LayingTask(NamedTuple):
    """What to lay: some of these melds, with the cards available, so that the totals of the play
    stay within their limits. The play of the highest value is the best.
    """

    available: Cards
    """The cards that may be laid: those of the hand, and the top card of the pile if it is taken."""
    candidates: tuple[Candidate, ...]
    """The melds that may be laid."""
    limits: Limits
    wilds: WildPoints = WildPoints()
    weights: Weights = Weights()
    uses_all_cards: bool = False
    """Whether all cards available must be laid or discarded."""
    discards: Discards = Discards()
    """The last discard of a player who goes out."""
    top: Reading | None = None
    """The top card of the pile, if it is taken: it goes into one of the `MELDS_FOR_TOP_CARD`."""

    @property
    def in_hand(self) -> Cards:
        """The cards available without the top card of the pile."""
        return subtract_cards(self.available, self.top.cards) if self.top else self.available

    @property
    def all_melds_count(self) -> bool:
        """Whether the points of all melds that could be laid count for an opening."""
        return all(candidate.counts_for_opening for candidate in self.candidates)

    def with_limits(self, limits: Limits) -> LayingTask:
        """The task with these limits too; they replace its own limits of the same totals."""
        return self._replace(limits=self.limits | limits)

    def using_all_cards(self, discards: Discards) -> LayingTask:
        """The task of laying all cards available, except those discarded: some of these discards."""
        return self._replace(uses_all_cards=True, discards=discards)

    def preferring_points_that_count(self) -> LayingTask:
        """The task, but the points that count for an opening decide first, and others only between
        plays that are equal in these.
        """
        if self.all_melds_count:  # no other points are laid
            return self
        return self._replace(weights=COUNTING_POINTS_FIRST)

    def keeping_cards(self, fewest: int) -> LayingTask:
        """The task of laying all cards available, except some that the player keeps: this number or
        more, of any kind. If two are kept, `4xK 9 8` lays the four kings.
        """
        # A task knows no kept cards, but for the search they are the same as cards discarded.
        kinds = [kind for kind, count in enumerate(self.available.counts) if count]
        no_upper_limit = self.available.size + fewest  # more cards than there are
        return self.using_all_cards(Discards(tuple(kinds), fewest, most=no_upper_limit))


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
            additions=additions_of_meld(settings, each.meld, on=on),
        )


def additions_of_meld(settings: Settings, meld: Meld, *, on: int | None) -> dict[Quantity, int]:
    """What laying a meld adds to the totals of a play.

    A new canasta (a meld of seven cards or more) adds `{MELDS: 1, CANASTAS: 1, NEW_CANASTAS: 1, …}`.
    `on` is the index of the table's meld that its cards are laid on; None for a new meld.
    """
    additions: dict[Quantity, int] = {MELDS: 1}
    is_new = on is None
    if on is not None:
        additions[laid_on_meld(on)] = 1
    canasta = find_kind_of_canasta(meld, settings)
    if canasta is not None:
        additions[CANASTAS] = 1
        additions[canastas_of_family(canasta.family)] = 1
        if is_new:
            additions[NEW_CANASTAS] = 1
    return additions | _additions_to_restricted_totals(settings, meld)


def _additions_to_restricted_totals(settings: Settings, meld: Meld) -> dict[Quantity, int]:
    """What a meld adds to the totals by which some games restrict the melds of a side: incomplete
    melds of wild cards, melds of the same rank, and incomplete melds that prevent going out.

    A meld is incomplete as long as it is no canasta.
    """
    return {
        **_additions_of_wild_meld(settings, meld),
        **_additions_to_rank(settings, meld),
        **_additions_of_meld_preventing_out(settings, meld),
    }


def _additions_of_wild_meld(settings: Settings, meld: Meld) -> dict[Quantity, int]:
    """One for an incomplete meld of wild cards alone, as `JK 2 2`; empty for other melds.

    It is also empty in games in which such a meld does not restrict what its side may do.
    """
    restricts_its_side = settings.wilds_blocked != "nothing"
    if restricts_its_side and is_incomplete_wild_meld(meld, settings):
        return {_INCOMPLETE_WILD_MELDS: 1}
    return {}


def _additions_of_meld_preventing_out(settings: Settings, meld: Meld) -> dict[Quantity, int]:
    """One for an incomplete meld that prevents going out, which is playing one's last card; empty
    for other melds.

    In some games a meld of aces that is no canasta, as `A A A`, prevents it.
    """
    incomplete = find_kind_of_incomplete_meld(meld, settings)
    if incomplete is not None and incomplete.bars_out:
        return {MELDS_PREVENTING_OUT: 1}
    return {}


def _additions_to_rank(settings: Settings, meld: Meld) -> dict[Quantity, int]:
    """What a meld adds to the totals of its rank.

    They are needed in games in which one turn lays either one incomplete meld of a rank or canastas
    of it (melds of seven cards or more), but not both. An incomplete meld takes all the room that
    there is for a rank: if `K K K` is laid, no other meld of kings finds place beside it.
    """
    rank = meld.rank
    if settings.repeated_rank != "not-incomplete" or rank is None:
        return {}
    is_canasta = meld.size >= settings.canasta_length
    if is_canasta:
        return {_room_taken_by(rank): _ROOM_OF_A_CANASTA}
    return {_incomplete_melds_of(rank): 1, _room_taken_by(rank): _ROOM_OF_AN_INCOMPLETE_MELD}


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
            counts_for_opening=judged.counts_for_opening,
            may_open=judged.opens_alone,
        )


class _JudgedAlone(NamedTuple):
    """A meld, judged as if it were the whole opening."""

    candidate: Candidate
    refusal: OpeningRefusal | None
    """Why it could not open alone; None if it could."""
    counts_for_opening: bool
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
    side_with_all = table.sides[ASKER]
    for candidate, laid_meld in zip(melds, side_with_all.opening, strict=True):
        side_with_only_this = side_with_all._replace(opening=(laid_meld,))
        opening = count_opening(table, side_with_only_this, minimum)
        number_of_melds_not_counting = opening.aside
        yield _JudgedAlone(
            candidate=candidate,
            refusal=opening.why,
            counts_for_opening=number_of_melds_not_counting == 0,
        )


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
    candidate: Candidate, points: int, *, counts_for_opening: bool = True, may_open: bool = True
) -> Candidate:
    """The candidate as a meld of an opening, in which its cards have these points. Those of wild cards
    beside natural ones are not included: of `K K 2` only `K K` has points here.

    `counts_for_opening`: the points count toward the minimum. If not, they still make the meld worth
    laying. `may_open`: it could be the whole opening, if it had the points.
    """
    opening_points = points if counts_for_opening else 0
    melds_that_may_open = 1 if may_open else 0
    additions = {OPENING_POINTS: opening_points, MELDS_THAT_MAY_OPEN: melds_that_may_open}
    return candidate._replace(
        additions=candidate.additions | additions,
        worth=points,
        counts_for_opening=counts_for_opening,
    )


def opening_task(
    available: Cards, melds: Iterable[Candidate], *, wilds: WildPoints, top: Reading | None
) -> LayingTask:
    """The task of finding the opening that lays the most points with the cards available.

    `melds` are those that an opening may hold, `wilds` are the points of wild cards, and `top` is the
    pile's top card if the player opens with it.
    """
    task = LayingTask(
        available=available,
        candidates=tuple(melds),
        limits=ONE_INCOMPLETE_OF_EACH | _INCOMPLETE_OR_CANASTAS,
        wilds=wilds,
        top=top,
    )
    if task.all_melds_count:
        return task
    # Of two openings with equal points, the one of which more points count for the opening is better.
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
    times_made = _find_best_choices(_choices_of_task(task), _limits_of_program(task))
    if times_made is None:
        return None
    return _play_of_solution(task, _read_solution(task, times_made))


def _limits_of_program(task: LayingTask) -> Limits:
    """All limits of a play: of the places for wild cards in its melds, of the number of cards
    discarded last, of the cards available, and those that the task itself sets.
    """
    limits: Limits = {}
    limits |= _limits_of_unfilled_places()
    limits |= _limits_of_discard(task)
    limits |= _limits_of_kinds(task)
    limits |= _limits_of_suits(task)
    limits |= task.limits
    return limits


def _limits_of_unfilled_places() -> Limits:
    """The limits by which no place for a wild card stays unfilled, and none is filled twice.

    A meld adds its places to the number of unfilled ones, and each wild card takes one away: `K K`
    with two places adds 2, and a joker and a two bring it back to 0.
    """
    none_unfilled = exactly(0)
    limits: Limits = {}
    for counts_for_opening in (True, False):
        limits[_unfilled_places(counts_for_opening=counts_for_opening)] = none_unfilled
    return limits


def _limits_of_discard(task: LayingTask) -> Limits:
    """The limits of the number of cards in the last discard."""
    discards = task.discards
    return {_DISCARDED: UseLimits(least=discards.fewest, most=discards.most)}


def _limits_of_kinds(task: LayingTask) -> Limits:
    """The limits of the cards of each kind: of two kings available, up to two are used. If all cards
    must be used, both are.
    """
    limits: Limits = {}
    for kind, number in enumerate(task.available.counts):
        if task.uses_all_cards:
            limits[_number_used_of_kind(kind)] = exactly(number)
        else:
            limits[_number_used_of_kind(kind)] = up_to(number)
    return limits


def _limits_of_suits(task: LayingTask) -> Limits:
    """The limits of the cards that sequences use by suit: a hand with one king of hearts lays at most
    one `Kh` in sequences.

    The top card of the pile may not be laid in a sequence. So only cards of the hand are counted,
    and if the top card is the only king of hearts, the limit is zero.
    """
    number_in_hand = count_by_suit(task.in_hand)
    limits: Limits = {}
    for cards in task.available.suited:
        card = SuitedKind(cards.kind, cards.suit)
        limits[_number_used_of_suit(card)] = up_to(number_in_hand.get(card, 0))
    return limits


@dataclass(frozen=True, slots=True)
class _LayMeld:
    """The choice to lay a meld, by its index among the candidates of a task."""

    index: int


@dataclass(frozen=True, slots=True)
class _LayWild:
    """The choice to lay a joker or a two in a place for a wild card of some meld."""

    kind: int
    """`JOKER` or `TWO`."""
    counts_for_opening: bool
    """Whether it is laid in a meld that counts for an opening."""


@dataclass(frozen=True, slots=True)
class _DiscardCard:
    """The choice to discard a card of a kind (index) last."""

    kind: int


_Choice = _LayMeld | _LayWild | _DiscardCard
"""Something that a play may do, any number of times: a variable of the integer program."""


def _find_best_choices(
    choices: Mapping[_Choice, Piece], limits: Limits
) -> dict[_Choice, int] | None:
    """How often the play of the highest value makes each choice; None if no play is within the
    limits.

    Each choice is given with its value and with what making it once adds to the totals.
    """
    pieces = tuple(choices.values())
    numbers = _numbers_of_most_value(pieces, tuple(limits.items()))
    if numbers is None:
        return None
    return dict(zip(choices, numbers, strict=True))


@lru_cache(maxsize=256)
def _numbers_of_most_value(
    pieces: tuple[Piece, ...], limits: tuple[tuple[Quantity, UseLimits], ...]
) -> tuple[int, ...] | None:
    """How many of each piece (such as a meld) to use for the highest total value; None if nothing is
    within the limits.

    `limits` are the items of a `Limits`: a dict cannot be an argument of a cached function. Caching
    helps because a question is answered under every option, and most options do not change it.
    """
    return solve(pieces, dict(limits), "most")


def _choices_of_task(task: LayingTask) -> dict[_Choice, Piece]:
    """What a play may do, each with its value and with what doing it once adds to the totals.

    Melds have places for wild cards, and which wild cards fill them are choices of their own: `K K`
    with one place may be laid with a joker or with a two.
    """
    choices: dict[_Choice, Piece] = {}
    for index, candidate in enumerate(task.candidates):
        choices[_LayMeld(index)] = _meld_piece(task, candidate)
    for counts_for_opening in (True, False):
        for kind in (JOKER, TWO):
            lay_wild = _LayWild(kind, counts_for_opening)
            choices[lay_wild] = _wild_piece(task, lay_wild)
    for kind in task.discards.kinds:
        choices[_DiscardCard(kind)] = _discard_piece(kind)
    return choices


def _piece_of_choice(*, value: int, additions: Mapping[Quantity, int]) -> Piece:
    """A choice as the solver takes it: its value, and what making it once adds to the totals."""
    return Piece(points=value, uses=tuple(additions.items()))


def _meld_piece(task: LayingTask, candidate: Candidate) -> Piece:
    """The value of laying a meld once, and what that adds to the totals.

    `K K` with one wild card adds two kings to the cards used, one place for a wild card that is not
    yet filled, and whatever else the meld adds, such as one to the number of melds.
    """
    additions: dict[Quantity, int] = dict(list_uses_of_cards(candidate.added))
    unfilled = _unfilled_places(counts_for_opening=candidate.counts_for_opening)
    additions[unfilled] = candidate.wilds
    additions |= candidate.additions
    return _piece_of_choice(value=_value_of_meld(task, candidate), additions=additions)


def _value_of_meld(task: LayingTask, candidate: Candidate) -> int:
    """The value of laying a meld, by which plays are compared: that of its points, less a small cost
    of the meld itself.

    So of two plays with equal points, the one with fewer melds is better. In a large hand a meld
    costs nothing: finding the play with the fewest melds would take too long.
    """
    value = _value_of_points(task, candidate.worth, counts_for_opening=candidate.counts_for_opening)
    is_large_hand = task.available.size > LARGEST_TIDIED_HAND
    lays_nothing = candidate.cards_from_hand == 0  # a meld of the table may get no cards
    if is_large_hand or lays_nothing:
        return value
    return value - _COST_OF_A_MELD


def _value_of_points(task: LayingTask, points: int, *, counts_for_opening: bool) -> int:
    """The value of points by which plays are compared: 100 for each point, times its weight.

    A point weighs more or less according to whether its meld counts for an opening.
    """
    weight = task.weights.counting if counts_for_opening else task.weights.others
    return points * weight * _VALUE_OF_A_POINT


def _wild_piece(task: LayingTask, lay_wild: _LayWild) -> Piece:
    """The value of laying a joker or a two beside natural cards, and what that adds to the totals.

    One more card of its kind is used, and one place fewer is unfilled. In a meld that counts for an
    opening, so do the points of the card.
    """
    counts_for_opening = lay_wild.counts_for_opening
    points = task.wilds.joker if lay_wild.kind == JOKER else task.wilds.two
    additions: dict[Quantity, int] = {
        _number_used_of_kind(lay_wild.kind): 1,
        _unfilled_places(counts_for_opening=counts_for_opening): -1,
        OPENING_POINTS: points if counts_for_opening else 0,
    }
    value = _value_of_points(task, points, counts_for_opening=counts_for_opening)
    return _piece_of_choice(value=value, additions=additions)


def _discard_piece(kind: int) -> Piece:
    """What discarding a card of a kind (index) adds to the totals: one card used, and one discarded.
    It is worth nothing.
    """
    return _piece_of_choice(value=0, additions={_number_used_of_kind(kind): 1, _DISCARDED: 1})


# ------------------------------------------------------------------------------ back into cards


class _ChosenMeld(NamedTuple):
    """A meld to be laid, with jokers and twos as its wild cards."""

    candidate: Candidate
    from_hand: Cards
    """Its cards, without the top card of the pile."""
    top_card: Cards = NO_CARDS
    """The top card of the pile, if it is in this meld."""

    @property
    def may_hold_top_card(self) -> bool:
        """Whether the top card of the pile may be in this meld."""
        return MELDS_FOR_TOP_CARD in self.candidate.additions

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


def _read_solution(task: LayingTask, times_made: Mapping[_Choice, int]) -> _Solution:
    """What to lay and discard, from how often the integer program makes each choice.

    If it makes `_LayMeld(3)` twice, the candidate with index 3 is laid twice.
    """
    melds: list[Candidate] = []
    for index, candidate in enumerate(task.candidates):
        times_laid = times_made[_LayMeld(index)]
        melds += [candidate] * times_laid
    discards = {kind: times_made[_DiscardCard(kind)] for kind in task.discards.kinds}
    return _Solution(
        melds=tuple(melds),
        jokers=times_made[_LayWild(JOKER, counts_for_opening=True)],
        jokers_not_counting=times_made[_LayWild(JOKER, counts_for_opening=False)],
        discards=build_cards(discards),
    )


def _play_of_solution(task: LayingTask, solution: _Solution) -> Play:
    """The play that lays and discards what the integer program found to be best."""
    melds = _give_top_card(task.top, _chosen_melds(solution))
    suited = _take_from_hand(task.in_hand, melds)
    last_discard = _with_suits_of_hand(suited.hand_left, solution.discards)

    in_order = sorted(suited.melds, key=_order_in_play)
    # A meld of the table may get no cards.
    laid = tuple(meld.as_laid for meld in in_order if meld.cards.size)
    return Play(laid, discard=gather((last_discard, task.discards.set_aside)))


class _TakenFromHand(NamedTuple):
    """Melds with the suits of their cards, and the cards that they leave in the hand."""

    melds: list[_ChosenMeld]
    hand_left: Cards


def _take_from_hand(hand: Cards, melds: Iterable[_ChosenMeld]) -> _TakenFromHand:
    """The melds with the suits that their cards have in the hand: `3xK` takes `Kh Kd Ks`.

    The integer program does not tell the suits, so each meld in turn takes its cards out of the hand.
    """
    hand_left = hand
    suited_melds: list[_ChosenMeld] = []
    for meld in melds:
        from_hand = _with_suits_of_hand(hand_left, meld.from_hand)
        hand_left = subtract_cards(hand_left, from_hand)
        suited_melds.append(meld._replace(from_hand=from_hand))
    return _TakenFromHand(suited_melds, hand_left)


def _with_suits_of_hand(hand: Cards, wanted: Cards) -> Cards:
    """These cards of a hand, with the suits that they have in it: `K` of the hand `Kh 9` is `Kh`."""
    hand_without_them = subtract_cards(hand, wanted)  # `9`
    return subtract_cards(hand, hand_without_them)  # what is left is `Kh`


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
        if meld.may_hold_top_card and not is_given:
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
    jokers_left_counting = solution.jokers
    jokers_left_not_counting = solution.jokers_not_counting
    chosen: list[_ChosenMeld] = []
    for candidate in _sequences_first(solution.melds):
        if candidate.counts_for_opening:
            jokers = min(jokers_left_counting, candidate.wilds)
            jokers_left_counting -= jokers
        else:
            jokers = min(jokers_left_not_counting, candidate.wilds)
            jokers_left_not_counting -= jokers
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
