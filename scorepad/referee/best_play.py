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
from scorepad.referee.situation import ASKER, build_table_with_melds
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
    """Require that a total is this number or more."""
    return UseLimits(least=number, most=None)


def up_to(number: int) -> UseLimits:
    """Require that a total is this number or less."""
    return UseLimits(least=0, most=number)


def exactly(number: int) -> UseLimits:
    """Require that a total is exactly this number."""
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
    """Name the total that counts how often a play lays cards on one meld of the table.

    A meld is a group of cards laid on the table; `index` is its position there: 2 → `("on", 2)`.
    """
    return ("on", index)


def canastas_of_family(family: str) -> Quantity:
    """Name the total of the canastas (melds of seven cards or more) of one family.

    For natural canastas, which have no jokers or twos: `"natural"` → `("family", "natural")`.
    """
    return ("family", family)


def _number_used_of_kind(kind: int) -> Quantity:
    """Name the total of the cards of one kind that a play lays or discards.

    `kind` is an index of `cards.KINDS`: 3 → `("card", 3)`. The function `list_uses_of_cards` names
    this total in the same way.
    """
    return ("card", kind)


def _number_used_of_suit(card: SuitedKind) -> Quantity:
    """Name the total of the cards of one kind and suit that a play lays in sequences.

    For kings of hearts it is `("suited", 3, "h")`. The function `list_uses_of_cards` names it in
    the same way. A sequence is a run of one suit, such as 9 8 7 of hearts; in other melds suits do
    not matter.
    """
    return ("suited", card.kind, card.suit)


def _unfilled_places(*, counts_for_opening: bool) -> Quantity:
    """Name the total of places for wild cards (jokers and twos) that are not filled yet.

    There are two totals: one for melds whose points count for the opening, which is what a side
    lays first in a round, and one for the other melds.
    """
    if counts_for_opening:
        return _UNFILLED_PLACES
    return _UNFILLED_PLACES_NOT_COUNTING


def _incomplete_melds_of(rank: int) -> Quantity:
    """Name the total of incomplete melds of a rank: those of fewer than seven cards.

    `rank` is an index of `cards.KINDS`: 3 → `("incomplete", 3)`.
    """
    return ("incomplete", rank)


# In some games a turn lays either one incomplete meld of a rank or canastas of it, not both. So the
# melds of a rank share a room: one incomplete meld fills it, and canastas alone find place in it.
_ROOM_FOR_A_RANK = 10
"""Nobody lays more canastas of one rank in a turn than ten."""
_ROOM_OF_A_CANASTA = 1
_ROOM_OF_AN_INCOMPLETE_MELD = _ROOM_FOR_A_RANK


def _room_taken_by(rank: int) -> Quantity:
    """Name the total of the room that all melds of a rank take up together.

    It may be `_ROOM_FOR_A_RANK` at most. `rank` is an index of `cards.KINDS`: 3 → `("room", 3)`.
    """
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
        """The number of cards that the meld takes from the hand, wild cards included."""
        return self.added.size + self.wilds

    @property
    def wilds_from_hand(self) -> int:
        """The number of wild cards (jokers and twos) that the meld takes from the hand.

        `wilds` are those beside natural cards. A meld of wild cards alone has them in `added`.
        """
        return self.added.wilds + self.wilds

    def also_adding_one_to(self, total: Quantity) -> Candidate:
        """Return a copy of this meld that adds one to another total of a play as well.

        With `MELDS_FOR_TOP_CARD`, the solver counts the meld among those that may hold the top card
        of the discard pile.
        """
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
        """The cards that the player holds: all that are available, except the pile's top card."""
        if self.top is None:
            return self.available
        return subtract_cards(self.available, self.top.cards)

    @property
    def has_only_counting_melds(self) -> bool:
        """Whether the points of every candidate count for the opening.

        The opening is what a side lays first in a round, and it must reach a minimum of points. In
        some games melds with jokers or twos do not count toward it.
        """
        return all(candidate.counts_for_opening for candidate in self.candidates)

    def with_limits(self, limits: Limits) -> LayingTask:
        """Return a copy of this task with more limits, such as `{CANASTAS: at_least(2)}`.

        If the task limits one of these totals already, the new limit replaces the old one.
        """
        return self._replace(limits=self.limits | limits)

    def using_all_cards(self, discards: Discards) -> LayingTask:
        """Return a copy of this task in which no card may stay in the hand.

        Every card is laid on the table or discarded, as a player does who ends the round.
        `discards` says which cards may be discarded, and how many.
        """
        return self._replace(uses_all_cards=True, discards=discards)

    def preferring_points_that_count(self) -> LayingTask:
        """Return a copy of this task in which points that count for the opening are worth most.

        The opening, which is what a side lays first in a round, must reach a minimum of points. In
        some games melds with jokers or twos do not count toward it: their points then only decide
        between plays with equally many points that count.
        """
        if self.has_only_counting_melds:
            return self  # there are no other points
        return self._replace(weights=COUNTING_POINTS_FIRST)

    def keeping_cards(self, fewest: int) -> LayingTask:
        """Return a copy of this task in which the player keeps some cards, of any kind.

        `fewest` is the least number to keep. With 2, the hand `4xK 9 8` lays the four kings and
        keeps `9 8`.
        """
        # The solver has no notion of kept cards. So the task is to lay or "discard" all cards, and
        # those discarded are the ones that are kept: at least `fewest`, of any kind in the hand.
        kinds_in_hand = [kind for kind, count in enumerate(self.available.counts) if count > 0]
        no_upper_limit = self.available.size + fewest  # more cards than there are
        kept = Discards(kinds=tuple(kinds_in_hand), fewest=fewest, most=no_upper_limit)
        return self.using_all_cards(kept)


# ----------------------------------------------------------------------------------- the candidates


@lru_cache(maxsize=64)
def find_new_melds(settings: Settings, held: Cards, *, going_out: bool) -> tuple[Candidate, ...]:
    """Find all new melds (groups of cards laid on the table) that the rules let these cards make.

    `K K K 9` → one meld, of three kings. `going_out`: the player lays the last cards and ends the
    round; only then may black threes be laid. Raises TooManyWays if there are more than 250 melds.

    The result is cached, because the referee answers each question under many rules.
    """
    possible = find_possible_melds(settings, held)
    legal = _select_legal_melds(settings, possible, on=None, going_out=going_out)
    candidates = tuple(islice(legal, MOST_WAYS + 1))  # one more shows that there are too many
    if len(candidates) > MOST_WAYS:
        raise TooManyWays
    return candidates


def find_lay_offs(
    settings: Settings, held: Cards, table_meld: Reading, *, on: int
) -> Iterator[Candidate]:
    """Find what a player who ends the round could add to a meld (group of cards) on the table.

    `held` are the cards of the player, and `on` is the index of the meld on the table. With a king
    in the hand and `K K K` on the table there are two results: to add nothing, and to add the king.
    """
    adding_nothing = PossibleMeld(added=NO_CARDS, wilds=0, meld=read_meld(table_meld.cards))
    possible = find_possible_melds(settings, held, table_meld.cards)
    yield from _select_legal_melds(settings, [adding_nothing, *possible], on=on, going_out=True)


def _select_legal_melds(
    settings: Settings, possible: Iterable[PossibleMeld], *, on: int | None, going_out: bool
) -> Iterator[Candidate]:
    """Select the melds (groups of cards) that the rules allow, as candidates for the solver.

    `on` is the index of the meld on the table that the cards are added to, None for new melds.
    `going_out`: the player lays the last cards and ends the round.
    """
    for option in possible:
        meld = option.meld
        if meld.black_threes and not going_out:
            continue  # black threes may be laid only at the end of the round
        if not is_meld(meld, settings):
            continue  # such as `K K`, which has too few cards
        yield Candidate(
            added=option.added,
            wilds=option.wilds,
            meld=meld,
            on=on,
            additions=compute_additions_of_meld(settings, meld, on=on),
        )


def compute_additions_of_meld(
    settings: Settings, meld: Meld, *, on: int | None
) -> dict[Quantity, int]:
    """Compute what laying a meld (a group of cards) adds to the totals that the solver counts.

    `on` is the index of the meld on the table that its cards are added to; None for a new meld.

    - new `K K K` → `{MELDS: 1}`
    - new `7xK`, which is a canasta (seven cards or more) without jokers and twos →
      `{MELDS: 1, CANASTAS: 1, canastas_of_family("natural"): 1, NEW_CANASTAS: 1}`
    """
    additions: dict[Quantity, int] = {MELDS: 1}
    if on is not None:
        additions[laid_on_meld(on)] = 1

    canasta = find_kind_of_canasta(meld, settings)
    if canasta is not None:
        additions[CANASTAS] = 1
        additions[canastas_of_family(canasta.family)] = 1
        if on is None:
            additions[NEW_CANASTAS] = 1
    return additions | _count_for_limits_of_game(settings, meld)


def _count_for_limits_of_game(settings: Settings, meld: Meld) -> dict[Quantity, int]:
    """Compute what a meld (a group of cards) adds to the totals that only some games limit.

    For example, a side may have only one incomplete meld of kings: one of fewer than seven cards.
    In a game without such limits the result is empty.
    """
    return {
        **_count_incomplete_wild_meld(settings, meld),
        **_count_room_for_rank(settings, meld),
        **_count_meld_preventing_out(settings, meld),
    }


def _count_incomplete_wild_meld(settings: Settings, meld: Meld) -> dict[Quantity, int]:
    """Count a meld if it is an incomplete one of wild cards (jokers and twos) alone.

    In some games a side may have only one such meld, such as `JK 2 2`, which adds 1 to their total.
    The result is empty for other melds, and in other games.
    """
    restricts_its_side = settings.wilds_blocked != "nothing"
    if restricts_its_side and is_incomplete_wild_meld(meld, settings):
        return {_INCOMPLETE_WILD_MELDS: 1}
    return {}


def _count_meld_preventing_out(settings: Settings, meld: Meld) -> dict[Quantity, int]:
    """Count a meld if its side may not end the round while it is incomplete.

    In some games a group of aces must grow to seven cards first: there `A A A` adds 1 to the total
    of such melds. The result is empty for other melds.
    """
    incomplete = find_kind_of_incomplete_meld(meld, settings)
    if incomplete is not None and incomplete.bars_out:
        return {MELDS_PREVENTING_OUT: 1}
    return {}


def _count_room_for_rank(settings: Settings, meld: Meld) -> dict[Quantity, int]:
    """Compute how much of the room for its rank a meld (a group of equal cards) takes up.

    In some games one turn lays either one incomplete group of kings or complete ones, of seven
    cards or more, but not both. The solver gets that as a room of 10 for the kings: `K K K` takes
    up 10 and leaves no room, `7xK` takes up 1. In other games the result is empty.
    """
    if settings.repeated_rank != "not-incomplete":  # any groups of a rank may be laid together
        return {}
    rank = meld.rank
    if rank is None:  # a sequence, or a meld of wild cards alone
        return {}

    is_complete = meld.size >= settings.canasta_length
    if is_complete:
        return {_room_taken_by(rank): _ROOM_OF_A_CANASTA}
    return {_incomplete_melds_of(rank): 1, _room_taken_by(rank): _ROOM_OF_AN_INCOMPLETE_MELD}


def require_canastas_to_go_out(settings: Settings) -> Limits:
    """Return the limits by which a play lays the canastas that a player needs to end the round.

    A canasta is a meld of seven cards or more. Where two are needed, one of them natural (without
    jokers and twos): `{CANASTAS: at_least(2), canastas_of_family("natural"): at_least(1)}`.
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


def find_melds_for_opening(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int | None, *, concealed: bool
) -> Iterator[Candidate]:
    """Find the melds (groups of cards) that a side may lay first in a round, which is its opening.

    Each result has the points that it adds to the opening. `minimum` are the points that the
    opening must reach; None if it needs none. `concealed`: the player also ends the round in the
    same turn.
    """
    if minimum is None:
        return _give_a_point_for_each_card(candidates)
    return _find_melds_for_minimum(rules, candidates, minimum, concealed=concealed)


def _give_a_point_for_each_card(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Give each meld one point for each of its cards: three kings have 3 points.

    This is for games in which the first melds of a side need no minimum of points. The best play
    is then the one that lays most cards.
    """
    for candidate in candidates:
        # Jokers and twos beside other cards are not among these: they have a point each as well
        # (`get_wild_points_in_opening`).
        number_of_cards = candidate.added.size
        yield give_opening_points(candidate, points=number_of_cards)


def _find_melds_for_minimum(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int, *, concealed: bool
) -> Iterator[Candidate]:
    """Find the melds that an opening may hold, each with the points of its cards.

    The opening is what a side lays first in a round, and it must reach this minimum of points.
    Melds that the rules keep out of every opening are left out: in some games a canasta (seven
    cards) with a joker. `concealed`: the player also ends the round in the same turn.
    """
    card_points = rules.settings.card_points
    for judged in _judge_each_alone(rules, candidates, minimum, concealed=concealed):
        if not judged.may_be_in_opening:
            continue
        points = judged.candidate.added.points(card_points)
        yield give_opening_points(
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
        """Whether the meld may be all that a side lays first in a round, if its points are enough.

        `refusal` says why it may not; missing points are no obstacle here.
        """
        return self.refusal is None or self.refusal in _POINTS_ARE_MISSING

    @property
    def may_be_in_opening(self) -> bool:
        """Whether the meld may be among the first of a side in a round, alone or beside others.

        Some melds may come first only beside another one, such as wild cards alone in some games.
        """
        return self.opens_alone or self.refusal in _ANOTHER_MELD_IS_MISSING


def _judge_each_alone(
    rules: Ruleset, candidates: Iterable[Candidate], minimum: int, *, concealed: bool
) -> Iterator[_JudgedAlone]:
    """Judge each meld (group of cards) as if it were all that a side lays first in a round.

    The results say of each meld why it could not stand alone, and whether its points count toward
    the minimum of points. `concealed`: the player also ends the round in the same turn.
    """
    melds = tuple(candidates)
    # One table with all the melds is faster to build than one for each of them. The side that laid
    # them is then copied for each meld, as if that meld were all that it laid.
    table = _build_table_with_opening(rules, melds, concealed=concealed)
    side_with_all_melds = table.sides[ASKER]
    laid_melds = side_with_all_melds.opening  # in the order of `melds`
    for candidate, laid_meld in zip(melds, laid_melds, strict=True):
        side_with_one_meld = side_with_all_melds._replace(opening=(laid_meld,))
        opening = count_opening(table, side_with_one_meld, minimum)
        yield _JudgedAlone(
            candidate=candidate,
            refusal=opening.refusal,
            counts_for_opening=opening.melds_not_counting == 0,
        )


def _build_table_with_opening(
    rules: Ruleset, candidates: Iterable[Candidate], *, concealed: bool
) -> Table:
    """Build a table on which the player's side has laid these melds first, in this order.

    `concealed`: the player also ended the round (went out) in the same turn.
    """
    out = Out(ASKER, concealed=True) if concealed else None
    melds = tuple(Reading(candidate.meld.cards) for candidate in candidates)
    return build_table_with_melds(rules, out=out, opening=melds)


def give_opening_points(
    candidate: Candidate, points: int, *, counts_for_opening: bool = True, may_open: bool = True
) -> Candidate:
    """Return a copy of a meld that adds these points to the opening, the first melds of a side.

    - `points`: those of the meld without its wild cards (jokers and twos): of `K K 2`, of `K K`
    - `counts_for_opening`: whether they count toward the minimum of points for an opening. If not,
      they only make it better to lay the meld.
    - `may_open`: whether the meld may be laid first without another meld beside it
    """
    additions = {
        OPENING_POINTS: points if counts_for_opening else 0,
        MELDS_THAT_MAY_OPEN: 1 if may_open else 0,
    }
    return candidate._replace(
        additions=candidate.additions | additions,
        worth=points,
        counts_for_opening=counts_for_opening,
    )


def build_opening_task(
    available: Cards, melds: Iterable[Candidate], *, wilds: WildPoints, top: Reading | None
) -> LayingTask:
    """Build the task of finding the opening (what a side lays first in a round) with most points.

    - `available`: the cards that may be laid
    - `melds`: the groups that they can make
    - `wilds`: the points of a joker and of a two
    - `top`: the top card of the discard pile if the player takes the pile, otherwise None
    """
    task = LayingTask(
        available=available,
        candidates=tuple(melds),
        limits=ONE_INCOMPLETE_OF_EACH | _INCOMPLETE_OR_CANASTAS,
        wilds=wilds,
        top=top,
    )
    if task.has_only_counting_melds:
        return task
    # Not all points count toward the minimum that an opening must reach. Of two openings with
    # equally many points, the one of which more points count is better.
    return task._replace(weights=LAID_POINTS_FIRST)


def get_wild_points_in_opening(settings: Settings, minimum: int | None) -> WildPoints:
    """Return the points of a joker and of a two in an opening, which is what a side lays first.

    `minimum` are the points that the opening must reach. If it needs none (None), the opening that
    lays most cards is the best: then each card is worth 1, wild cards too.
    """
    if minimum is None:
        return WildPoints(joker=1, two=1)
    return get_wild_points(settings)


def get_wild_points(settings: Settings) -> WildPoints:
    """Return the points of a joker and of a two in this game: in most games 50 and 20."""
    return WildPoints(joker=settings.card_points[JOKER], two=settings.card_points[TWO])


# -------------------------------------------------------------------------------------- the program


def find_best_play(task: LayingTask) -> Play | None:
    """Find the best way to lay the cards of a task on the table; None if there is no way.

    The task has the cards, the melds (groups of cards) that they can make, and limits such as
    "two canastas at least". The cards are laid that are worth most points within the limits.

    Raises TooManyWays if the task has more than 250 melds.
    """
    if len(task.candidates) > MOST_WAYS:
        raise TooManyWays  # the solver would take too long

    # The solver sees only numbers: how often each meld is laid, how many jokers and twos stand
    # beside natural cards, and which cards are discarded.
    choices = _list_choices(task)
    limits = _collect_limits(task)
    times_made = _find_best_choices(choices, limits)
    if times_made is None:
        return None
    return _build_play(task, _read_solution(task, times_made))


def _collect_limits(task: LayingTask) -> Limits:
    """Collect all limits that a play must keep to, for the solver.

    Some hold for any play: it cannot use more cards than there are. Others are set by the task
    itself, such as at least two canastas (melds of seven cards or more).
    """
    limits: Limits = {}
    limits |= _require_filled_places()
    limits |= _limit_discards(task)
    limits |= _limit_cards_of_kinds(task)
    limits |= _limit_cards_in_sequences(task)
    limits |= task.limits
    return limits


def _require_filled_places() -> Limits:
    """Require that each place for a wild card (a joker or a two) is filled, and only once.

    A meld of two kings and two wild cards adds 2 to the number of places that are not filled. A
    joker and a two take 1 away each, so that the number is 0 again.
    """
    limits: Limits = {}
    for counts_for_opening in (True, False):
        unfilled = _unfilled_places(counts_for_opening=counts_for_opening)
        limits[unfilled] = exactly(0)
    return limits


def _limit_discards(task: LayingTask) -> Limits:
    """Limit how many cards the solver may discard last, as the task says.

    A player who must discard a card at the end → exactly one; who need not → none or one.
    """
    discards = task.discards
    return {_DISCARDED: UseLimits(least=discards.fewest, most=discards.most)}


def _limit_cards_of_kinds(task: LayingTask) -> Limits:
    """Limit how many cards of each kind the solver may use.

    Of two kings in the hand it may use two at most. If the task uses all cards, it must use both.
    """
    limits: Limits = {}
    for kind, number_available in enumerate(task.available.counts):
        total = _number_used_of_kind(kind)
        if task.uses_all_cards:
            limits[total] = exactly(number_available)
        else:
            limits[total] = up_to(number_available)
    return limits


def _limit_cards_in_sequences(task: LayingTask) -> Limits:
    """Limit how many cards of each rank and suit the solver may use in sequences.

    A sequence is a run of one suit, such as 9 8 7 of hearts. Of one king of hearts in the hand it
    may use one at most, even if there are more kings.
    """
    number_in_hand = count_by_suit(task.in_hand)
    limits: Limits = {}
    for cards in task.available.suited:
        card = SuitedKind(cards.kind, cards.suit)
        # The top card of the pile is available too, but not for sequences: only cards of the hand
        # count. If the top card is the only king of hearts, the limit is zero.
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
    """Find how often to make each choice for the highest value; None if the limits allow no play.

    A choice is, for example, to lay a certain meld (group of cards). Its `Piece` is what the solver
    sees of it: its value, and what it adds to the totals that are limited. To lay the first meld
    twice and the second never → `{_LayMeld(0): 2, _LayMeld(1): 0}`.
    """
    pieces = tuple(choices.values())
    times_of_pieces = _solve_for_highest_value(pieces, tuple(limits.items()))
    if times_of_pieces is None:
        return None
    return dict(zip(choices, times_of_pieces, strict=True))  # both are in the same order


@lru_cache(maxsize=256)
def _solve_for_highest_value(
    pieces: tuple[Piece, ...], limits: tuple[tuple[Quantity, UseLimits], ...]
) -> tuple[int, ...] | None:
    """Compute how often to use each piece for the highest total value, by integer programming.

    A piece is something that a play may do, such as laying a certain meld. Two pieces → `(2, 0)`,
    to use the first twice and the second never; None if nothing is within the limits.

    The result is cached, because a question is answered under every option of the rules, and most
    of them change nothing. A cached function cannot take a dict, so `limits` are its items.
    """
    return solve(pieces, dict(limits), "most")


def _list_choices(task: LayingTask) -> dict[_Choice, Piece]:
    """List what a play may do, each choice with what the solver sees of it.

    The choices are to lay a meld, to put a joker or a two in a meld's place for a wild card, and to
    discard a card. So `K K JK` takes two choices: a meld of two kings with a place for a wild card,
    and a joker for that place.
    """
    choices: dict[_Choice, Piece] = {}
    for index, candidate in enumerate(task.candidates):
        choices[_LayMeld(index)] = _describe_meld_to_solver(task, candidate)

    # In some games melds with wild cards do not count for the opening, so their wild cards are
    # choices of their own.
    for counts_for_opening in (True, False):
        for kind in (JOKER, TWO):
            lay_wild = _LayWild(kind, counts_for_opening)
            choices[lay_wild] = _describe_wild_to_solver(task, lay_wild)

    for kind in task.discards.kinds:
        choices[_DiscardCard(kind)] = _describe_discard_to_solver(kind)
    return choices


def _make_piece(*, value: int, additions: Mapping[Quantity, int]) -> Piece:
    """Make what the solver sees of a choice: its value, and what it adds to each total."""
    return Piece(points=value, uses=tuple(additions.items()))


def _describe_meld_to_solver(task: LayingTask, candidate: Candidate) -> Piece:
    """Tell the solver what laying a meld once is worth, and what it adds to the totals.

    Two kings with one wild card (a joker or a two) use two kings, and open one place for a wild
    card. To fill the place with a certain card is a choice of its own.
    """
    additions: dict[Quantity, int] = {}
    additions |= list_uses_of_cards(candidate.added)  # such as two kings
    unfilled = _unfilled_places(counts_for_opening=candidate.counts_for_opening)
    additions[unfilled] = candidate.wilds
    additions |= candidate.additions  # such as one to the number of melds
    return _make_piece(value=_rate_meld(task, candidate), additions=additions)


def _rate_meld(task: LayingTask, candidate: Candidate) -> int:
    """Compute what laying a meld (a group of cards) is worth when plays are compared.

    It is the value of its points, less a cost of 1. So of two plays with equal points the one with
    fewer melds is better.
    """
    value = _rate_points(task, candidate.worth, counts_for_opening=candidate.counts_for_opening)
    is_large_hand = task.available.size > LARGEST_TIDIED_HAND
    if is_large_hand:  # finding the play with the fewest melds would take too long
        return value
    if candidate.cards_from_hand == 0:  # a meld on the table to which nothing is added
        return value
    return value - _COST_OF_A_MELD


def _rate_points(task: LayingTask, points: int, *, counts_for_opening: bool) -> int:
    """Compute what points are worth when plays are compared: 100 for each, times its weight.

    `counts_for_opening`: the points count toward the minimum that the first melds of a side must
    reach. Some tasks give such points another weight than the others.
    """
    weight = task.weights.counting if counts_for_opening else task.weights.others
    return points * weight * _VALUE_OF_A_POINT


def _describe_wild_to_solver(task: LayingTask, lay_wild: _LayWild) -> Piece:
    """Tell the solver what a joker or a two beside natural cards is worth, and what it adds.

    It uses one more card of its kind, and fills one place for a wild card of some meld. If that
    meld counts for the opening (the first melds of a side), the points of the card count too.
    """
    counts_for_opening = lay_wild.counts_for_opening
    points = task.wilds.joker if lay_wild.kind == JOKER else task.wilds.two
    additions: dict[Quantity, int] = {
        _number_used_of_kind(lay_wild.kind): 1,
        _unfilled_places(counts_for_opening=counts_for_opening): -1,
        OPENING_POINTS: points if counts_for_opening else 0,
    }
    value = _rate_points(task, points, counts_for_opening=counts_for_opening)
    return _make_piece(value=value, additions=additions)


def _describe_discard_to_solver(kind: int) -> Piece:
    """Tell the solver what discarding a card of a kind (index of `cards.KINDS`) does.

    It uses one card of that kind, adds one to the number of cards discarded, and is worth nothing.
    """
    return _make_piece(value=0, additions={_number_used_of_kind(kind): 1, _DISCARDED: 1})


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
        """Return a copy of the meld with the pile's top card in place of an equal one of the hand."""
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
    """Read from the solver's numbers what to lay and what to discard.

    The numbers say how often each choice is made: with `{_LayMeld(3): 2}` the candidate at index 3
    is laid twice.
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


def _build_play(task: LayingTask, solution: _Solution) -> Play:
    """Convert what the solver found into a play: the cards to lay and the last discard.

    The solver tells only the kinds of the cards. Their suits are those that they have in the hand.
    """
    melds = _fill_places_for_wilds(solution)
    melds = _put_top_card_in_meld(task.top, melds)
    suited = _assign_suits_of_hand(task.in_hand, melds)
    laid: list[LaidCards] = []
    for meld in sorted(suited.melds, key=_sort_key_in_play):
        if meld.cards.size > 0:  # to add no cards to a meld on the table may be chosen too
            laid.append(meld.as_laid)

    chosen_discard = _pick_from_hand(suited.hand_left, solution.discards)
    last_discard = gather((chosen_discard, task.discards.set_aside))
    return Play(tuple(laid), discard=last_discard)


class _TakenFromHand(NamedTuple):
    """Melds with the suits of their cards, and the cards that they leave in the hand."""

    melds: list[_ChosenMeld]
    hand_left: Cards


def _assign_suits_of_hand(hand: Cards, melds: Iterable[_ChosenMeld]) -> _TakenFromHand:
    """Take the cards of each meld out of the hand, so that they get the suits they have there.

    The solver says only `3xK`. With `Kh Kd Ks 9` in the hand, that meld becomes `Kh Kd Ks`, and `9`
    is left in the hand.
    """
    hand_left = hand
    suited_melds: list[_ChosenMeld] = []
    for meld in melds:
        from_hand = _pick_from_hand(hand_left, meld.from_hand)
        hand_left = subtract_cards(hand_left, from_hand)
        suited_melds.append(meld._replace(from_hand=from_hand))
    return _TakenFromHand(suited_melds, hand_left)


def _pick_from_hand(hand: Cards, wanted: Cards) -> Cards:
    """Pick cards of these kinds from a hand, with the suits that they have there.

    `K` wanted from the hand `Kh 9` → `Kh`.
    """
    left_in_hand = subtract_cards(hand, wanted)  # `9`
    return subtract_cards(hand, left_in_hand)  # `Kh`


def _put_top_card_in_meld(top: Reading | None, melds: list[_ChosenMeld]) -> list[_ChosenMeld]:
    """Put the top card of the discard pile into the first meld that may hold it.

    It takes the place of an equal card from the hand. If the player does not take the pile, `top`
    is None and the melds stay as they are.
    """
    if top is None:
        return melds
    for index, meld in enumerate(melds):
        if meld.may_hold_top_card:
            return [*melds[:index], meld.with_top_card(top.cards), *melds[index + 1 :]]
    return melds


def _fill_places_for_wilds(solution: _Solution) -> list[_ChosenMeld]:
    """Fill the places for wild cards in the melds that the solver chose, with jokers and twos.

    The solver says only how many jokers are laid in all. They go into the first melds with such
    places, and the other places get twos. One joker, for `K K` with one place and `8 8` with two →
    `K K JK` and `8 8 2 2`.
    """
    # The solver counts the jokers in melds that count for the opening (the first melds of a side)
    # apart from those in other melds, because only there do they add points to it.
    jokers_for_counting_melds = solution.jokers
    jokers_for_other_melds = solution.jokers_not_counting
    chosen: list[_ChosenMeld] = []
    for candidate in _put_sequences_first(solution.melds):
        places = candidate.wilds
        if candidate.counts_for_opening:
            jokers = min(jokers_for_counting_melds, places)
            jokers_for_counting_melds -= jokers
        else:
            jokers = min(jokers_for_other_melds, places)
            jokers_for_other_melds -= jokers
        chosen.append(_make_meld_with_jokers(candidate, jokers))
    return chosen


def _make_meld_with_jokers(candidate: Candidate, jokers: int) -> _ChosenMeld:
    """Make a chosen meld with this number of jokers as its wild cards, and twos as the others.

    Two kings with places for two wild cards and one joker → `K K JK 2`.
    """
    twos = candidate.wilds - jokers
    wilds = build_cards({JOKER: jokers, TWO: twos})
    return _ChosenMeld(candidate, from_hand=gather((candidate.added, wilds)))


def _put_sequences_first(melds: Iterable[Candidate]) -> list[Candidate]:
    """Sort melds so that sequences (runs of one suit, such as 9 8 7 of hearts) come first.

    The melds take their cards from the hand in this order. Only a sequence needs cards of a certain
    suit, and other melds could take these from it.
    """
    sequences: list[Candidate] = []
    others: list[Candidate] = []
    for meld in melds:
        is_sequence = len(meld.added.suited) > 0  # in other melds the suits are left open
        if is_sequence:
            sequences.append(meld)
        else:
            others.append(meld)
    return sequences + others


def _sort_key_in_play(meld: _ChosenMeld) -> tuple[int, int]:
    """Return the key by which the melds (groups of cards) of a play are sorted.

    - the meld with the top card of the discard pile → `(0, 0)`, so it comes first
    - cards added to the meld at index 3 on the table → `(1, 3)`
    - a new meld → `(2, 0)`, so it comes last
    """
    holds_top_card = meld.top_card.size > 0
    if holds_top_card:
        return (0, 0)
    index_on_table = meld.candidate.on
    if index_on_table is not None:
        return (1, index_on_table)
    return (2, 0)
