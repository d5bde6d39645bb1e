"""The best legal way to lay the cards that a player holds, found exactly by a solver.

A task lists all legal melds that could be laid, new or on a meld of the table, and what the play
must add up to, such as two canastas. The solver finds how often to lay each meld for the highest
value. The result is converted back into cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from scorepad.errors import TooManyWays
from scorepad.referee.in_force import is_dead
from scorepad.referee.ruling import LaidCards, Play
from scorepad.referee.situation import ASKER, build_table_of_asker
from scorepad.rules.cards import (
    JOKER,
    KINDS,
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
from scorepad.rules.hand import Out, SideEntry
from scorepad.rules.possible_melds import RANKS, PossibleMeld, find_possible_melds
from scorepad.rules.settings import Settings
from scorepad.rules.solver import (
    Between,
    ChoiceOfParts,
    Part,
    Total,
    count_cards_by_total,
    solve,
)
from scorepad.rules.table import (
    Meld,
    find_kind_of_canasta,
    find_kind_of_incomplete_meld,
    is_incomplete_wild_meld,
    read_meld,
)
from scorepad.rules.turn_checks import OpeningRefusal, count_opening

# ------------------------------------------------------------------------------------- totals

OPENING_POINTS = Total("points for the opening")
"""The points that count for an opening."""
MELDS_THAT_MAY_OPEN = Total("melds that may open")
"""Melds that may open except for missing points; an opening needs at least one."""
MELDS_FOR_TOP_CARD = Total("melds for the top card")
"""Melds that may hold the top card of the pile."""
MELDS = Total("melds")
CANASTAS = Total("canastas")
"""All canastas; those of a family have `canastas_of_family` too."""
NEW_CANASTAS = Total("new canastas")
"""Canastas that are new melds."""
MELDS_PREVENTING_OUT = Total("melds preventing going out")
"""Incomplete melds that prevent going out."""
_INCOMPLETE_WILD_MELDS = Total("incomplete wild melds")
"""Incomplete melds of wild cards alone, if such a meld restricts the side."""
_CARDS_NOT_LAID = Total("cards not laid")
"""Cards that are discarded or kept."""


def laid_on_meld(index: int) -> Total:
    """Return the key under which the times are counted that a play adds to one meld on the table."""
    return Total("laid on a meld", index)


def canastas_of_family(family: str) -> Total:
    """Return the key under which a play's canastas of one family are counted, such as natural ones.

    A canasta is a meld of seven cards or more.
    """
    return Total("canastas of a family", family)


def _incomplete_melds_of(rank: int) -> Total:
    """Return the key under which a play's incomplete melds of one rank are counted.

    They have fewer than seven cards.
    """
    return Total("incomplete melds of a rank", rank)


def _incomplete_meld_or_canastas_of(rank: int) -> Total:
    """Return the key of a sum by which an incomplete meld of a rank excludes canastas of that rank.

    The sum may not exceed ten: an incomplete meld adds ten to it, and a canasta adds one.
    """
    return Total("incomplete meld or canastas of a rank", rank)


_MOST_CANASTAS_OF_A_RANK = 10
"""Nobody lays more canastas of one rank in a turn."""


def _places_for_wilds(*, counts_for_opening: bool) -> Total:
    """Return the key under which the places for a joker or a two in the melds of a play are counted.

    Melds that count for the opening have another key than the others.
    """
    return Total("places for wild cards", counts_for_opening)


def _wilds_laid(*, counts_for_opening: bool) -> Total:
    """Return the key under which the jokers and twos are counted that a play lays in such places.

    Those in melds that count for the opening have another key than the others.
    """
    return Total("wild cards laid", counts_for_opening)


_PLACES_ARE_FILLED = (
    (_places_for_wilds(counts_for_opening=True), _wilds_laid(counts_for_opening=True)),
    (_places_for_wilds(counts_for_opening=False), _wilds_laid(counts_for_opening=False)),
)
"""Each place for a wild card is filled by one joker or two: these totals are equal."""

Limits = dict[Total, Between]
"""What totals of a play must come to. A total without limits may be anything."""
_ONE_INCOMPLETE_OF_EACH: Limits = {
    **{_incomplete_melds_of(rank): Between(0, 1) for rank in RANKS},
    _INCOMPLETE_WILD_MELDS: Between(0, 1),
}
"""A side has at most one incomplete meld of a rank, and of wild cards."""
_INCOMPLETE_OR_CANASTAS: Limits = {
    _incomplete_meld_or_canastas_of(rank): Between(0, _MOST_CANASTAS_OF_A_RANK) for rank in RANKS
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
"""The value of a point where plays are compared."""
_COST_OF_A_MELD = 1
"""What a meld takes off the value of a play: of two plays with equal points, the one with fewer
melds is chosen. It is so little that it never outweighs a point.
"""
_MORE_THAN_ALL_POINTS = 10000
"""More than the total points of any decks: a point with this weight takes precedence over all
points with weight 1.
"""


class LayableMeld(NamedTuple):
    """A meld that could be laid, new or on a meld of the table."""

    fixed_cards: Cards
    """The cards that it takes from the hand in any case."""
    places_for_wilds: int
    """How many more cards it takes from the hand, each of them either a joker or a two."""
    result: Meld
    """The resulting meld, with a two in each of these places."""
    index_on_table: int | None
    """The index of the table's meld that the cards are laid on; None for a new meld."""
    adds: dict[Total, int]
    """What it adds to the totals of a play, such as one to the number of canastas."""
    worth: int = 0
    """The value of its fixed cards for the task."""
    counts_for_opening: bool = True
    """Whether the meld, with its wild cards, counts for the opening."""

    @property
    def cards_from_hand(self) -> int:
        """The number of cards that the meld takes from the hand, wild cards included."""
        return self.fixed_cards.size + self.places_for_wilds

    @property
    def wilds_from_hand(self) -> int:
        """The number of wild cards (jokers and twos) that the meld takes from the hand."""
        return self.fixed_cards.wilds + self.places_for_wilds

    def also_adding_one_to(self, total: Total) -> LayableMeld:
        """Return a copy of this meld that adds one to another total of a play as well.

        With `MELDS_FOR_TOP_CARD`, it is counted among the melds that may hold the top card of the
        discard pile.
        """
        return self._replace(adds=self.adds | {total: 1})


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


class CardsNotLaid(NamedTuple):
    """Which cards are left when all others are laid: between `fewest` and `most` of some kinds."""

    kinds: tuple[int, ...] = ()
    """The kinds (indices) of which the cards may be."""
    fewest: int = 0
    most: int = 0
    set_aside: Cards = NO_CARDS
    """Cards of the hand that are not laid in any case, beside the others."""


class LayingTask(NamedTuple):
    """What to lay: some of these melds, with the cards available, so that the totals of the play
    are as required. The play of the highest value is the best.
    """

    available: Cards
    """The cards that may be laid: those of the hand, and the top card of the pile if it is taken."""
    melds: tuple[LayableMeld, ...]
    """The melds that may be laid, each any number of times."""
    required: Limits
    """What totals of the play must come to."""
    wilds: WildPoints = WildPoints()
    weights: Weights = Weights()
    lays_all_others: bool = False
    """Whether all cards must be laid except those that may be left (`not_laid`)."""
    not_laid: CardsNotLaid = CardsNotLaid()
    """The cards that may be left: the last discard of a player who goes out, or cards to keep."""
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
        """Whether the points of every meld count for the opening.

        The opening is what a side lays first in a round, and it must reach a minimum of points. In
        some games melds with jokers or twos do not count toward it.
        """
        return all(meld.counts_for_opening for meld in self.melds)

    def requiring(self, total: Total, *, least: int = 0, most: int | None = None) -> LayingTask:
        """Return a copy of this task in which a total of the play must come to so much.

        `task.requiring(CANASTAS, least=2)` asks for two canastas or more. It replaces what the task
        required of this total before.
        """
        return self._replace(required=self.required | {total: Between(least, most)})

    def requiring_canastas_to_go_out(self, settings: Settings) -> LayingTask:
        """Return a copy of this task that lays the canastas that a player needs to end the round.

        A canasta is a meld of seven cards or more. In some games two are needed, and one of them
        must be natural (without jokers and twos).
        """
        task = self.requiring(CANASTAS, least=settings.canastas_needed)
        for family, number in settings.canasta_families_needed:
            task = task.requiring(canastas_of_family(family), least=number)
        return task

    def with_one_incomplete_meld_of_each_rank(self) -> LayingTask:
        """Return a copy of this task in which a side has at most one incomplete meld of a rank.

        Such a meld has fewer than seven cards. In some games that holds for wild cards too.
        """
        return self._replace(required=self.required | _ONE_INCOMPLETE_OF_EACH)

    def laying_all_but(self, not_laid: CardsNotLaid) -> LayingTask:
        """Return a copy of this task in which every card must be laid, except these."""
        return self._replace(lays_all_others=True, not_laid=not_laid)

    def keeping_cards(self, fewest: int) -> LayingTask:
        """Return a copy of this task in which at least so many cards are not laid, of any kind.

        With 2, the hand `4xK 9 8` lays the four kings and keeps `9 8`.
        """
        kinds_in_hand = [kind for kind, count in enumerate(self.available.counts) if count > 0]
        any_number = self.available.size + fewest  # more cards than there are
        return self.laying_all_but(CardsNotLaid(tuple(kinds_in_hand), fewest, most=any_number))

    def preferring_most_cards(self) -> LayingTask:
        """Return a copy of this task in which the play that lays most cards is the best.

        The points of the cards do not matter, and any cards may stay in the hand.
        """
        melds = tuple(meld._replace(worth=meld.cards_from_hand) for meld in self.melds)
        return self._replace(
            melds=melds,
            wilds=WildPoints(joker=0, two=0),  # they are counted in the worth of their meld
            weights=Weights(),
            lays_all_others=False,
        )

    def preferring_points_that_count(self) -> LayingTask:
        """Return a copy of this task in which points that count for the opening are worth most.

        The opening, which is what a side lays first in a round, must reach a minimum of points. In
        some games melds with jokers or twos do not count toward it: their points then only decide
        between plays with equally many points that count.
        """
        if self.has_only_counting_melds:
            return self  # there are no other points
        return self._replace(weights=COUNTING_POINTS_FIRST)


# ----------------------------------------------------------------------------- the melds to choose from


@lru_cache(maxsize=64)
def find_new_melds(settings: Settings, held: Cards, *, going_out: bool) -> tuple[LayableMeld, ...]:
    """Find all new melds (groups of cards laid on the table) that the rules let these cards make.

    `K K K 9` → one meld, of three kings. `going_out`: the player lays the last cards and ends the
    round; only then may black threes be laid. Raises TooManyWays if there are more than 250 melds.

    The result is cached, because the referee answers each question under many rules.
    """
    possible = find_possible_melds(settings, held)
    legal = _select_legal_melds(settings, possible, index_on_table=None, going_out=going_out)
    melds = tuple(islice(legal, MOST_WAYS + 1))  # one more shows that there are too many
    if len(melds) > MOST_WAYS:
        raise TooManyWays
    return melds


def leave_barred_ranks_out(
    settings: Settings,
    melds: Iterable[LayableMeld],
    own_melds: Sequence[Reading],
    opponents: Sequence[Reading] | None,
) -> list[LayableMeld]:
    """Leave out the new melds (groups of cards) of ranks of which the side may begin none.

    In some games those are the dead ranks, of which a side has a canasta, and those of which the
    side has a meld. `opponents` are the melds of the other side; None if not known.
    """
    ranks_there: set[int | None] = set()
    if settings.repeated_rank == "never":
        ranks_there = {read_meld(own.cards).rank for own in own_melds}

    allowed_melds: list[LayableMeld] = []
    for meld in melds:
        rank = meld.result.rank
        if rank is None:
            allowed_melds.append(meld)
            continue
        dead = is_dead(settings, KINDS[rank], own_melds=own_melds, opponents=opponents)
        if not dead and rank not in ranks_there:
            allowed_melds.append(meld)
    return allowed_melds


def find_lay_offs(
    settings: Settings, held: Cards, table_meld: Reading, *, index_on_table: int
) -> Iterator[LayableMeld]:
    """Find what a player who ends the round could add to a meld (group of cards) on the table.

    `held` are the cards of the player. With a king in the hand and `K K K` on the table there are
    two results: to add nothing, and to add the king.
    """
    # One result is chosen for each meld of the table, so adding nothing must be among them.
    adding_nothing = PossibleMeld(NO_CARDS, places_for_wilds=0, meld=read_meld(table_meld.cards))
    possible = find_possible_melds(settings, held, table_meld.cards)
    yield from _select_legal_melds(
        settings, [adding_nothing, *possible], index_on_table=index_on_table, going_out=True
    )


def _select_legal_melds(
    settings: Settings,
    possible_melds: Iterable[PossibleMeld],
    *,
    index_on_table: int | None,
    going_out: bool,
) -> Iterator[LayableMeld]:
    """Select the melds (groups of cards) that the rules allow a player to lay.

    `index_on_table`: of the meld on the table that the cards are added to, None for new melds.
    `going_out`: the player lays the last cards and ends the round.
    """
    settings_of_turn = settings.when_going_out() if going_out else settings
    for possible in possible_melds:
        meld = possible.meld
        if meld.black_threes and not going_out:
            continue  # black threes may be laid only at the end of the round
        if not is_meld(meld, settings_of_turn):
            continue  # such as `K K`, which has too few cards
        yield make_layable(settings, possible, index_on_table=index_on_table)


def make_layable(
    settings: Settings, possible: PossibleMeld, *, index_on_table: int | None
) -> LayableMeld:
    """Make a meld (group of cards) one that a play may lay, with what it adds to the play's totals.

    `index_on_table`: of the meld on the table that the cards are added to, None for a new meld.
    """
    meld = possible.meld
    adds: dict[Total, int] = {MELDS: 1}
    if index_on_table is not None:
        adds[laid_on_meld(index_on_table)] = 1
    canasta = find_kind_of_canasta(meld, settings)
    if canasta is not None:
        adds[CANASTAS] = 1
        adds[canastas_of_family(canasta.family)] = 1
        if index_on_table is None:
            adds[NEW_CANASTAS] = 1

    # These are limited in some games only.
    if index_on_table is None or settings.repeated_rank in ("not-incomplete", "after-canasta"):
        adds |= _count_group_of_rank(settings, meld)
    if _is_incomplete_wild_meld_that_restricts(settings, meld):
        adds[_INCOMPLETE_WILD_MELDS] = 1
    if _keeps_from_going_out(settings, meld):
        adds[MELDS_PREVENTING_OUT] = 1
    return LayableMeld(
        fixed_cards=possible.fixed_cards,
        places_for_wilds=possible.places_for_wilds,
        result=meld,
        index_on_table=index_on_table,
        adds=adds,
    )


def _is_incomplete_wild_meld_that_restricts(settings: Settings, meld: Meld) -> bool:
    """Tell whether a meld has only jokers and twos, and restricts its side until it is complete.

    In some games a side with such a meld of fewer than seven cards may not do certain things, such
    as lay jokers and twos elsewhere.
    """
    restricts_its_side = settings.wilds_blocked != "nothing"
    return restricts_its_side and is_incomplete_wild_meld(meld, settings)


def _keeps_from_going_out(settings: Settings, meld: Meld) -> bool:
    """Tell whether a side may not end the round as long as a meld has so few cards.

    In some games a group of aces must grow to seven cards first: there `A A A` → True.
    """
    incomplete = find_kind_of_incomplete_meld(meld, settings)
    return incomplete is not None and incomplete.bars_out


def _count_group_of_rank(settings: Settings, meld: Meld) -> dict[Total, int]:
    """Compute what a group of equal cards adds to the totals that are limited for each rank.

    In some games one turn lays either one incomplete group of kings, of fewer than seven cards, or
    complete ones, but not both. In some it lays one new group of kings. In other games the result
    is empty.
    """
    rank = meld.rank
    if rank is None:  # a sequence, or a meld of wild cards alone
        return {}
    if settings.repeated_rank == "never":
        return {_incomplete_melds_of(rank): 1}  # whether it is complete or not
    is_complete = meld.size >= settings.canasta_length
    if settings.repeated_rank == "after-canasta":
        return {} if is_complete else {_incomplete_melds_of(rank): 1}
    if settings.repeated_rank != "not-incomplete":  # any groups of a rank may be laid together
        return {}

    either_total = _incomplete_meld_or_canastas_of(rank)
    if is_complete:
        return {either_total: 1}
    # It uses up all that this total may come to, so that no canasta can be laid beside it.
    return {_incomplete_melds_of(rank): 1, either_total: _MOST_CANASTAS_OF_A_RANK}


# ----------------------------------------------------------------------------------------- openings


class _RoleInOpening(Enum):
    """Whether a meld may be among those that a side lays first in a round."""

    OPENS = auto()
    """It may, even without other melds."""
    ONLY_BESIDE_ANOTHER = auto()
    """It may if another meld opens."""
    NONE = auto()
    """It may not."""


def give_a_point_for_each_card(melds: Iterable[LayableMeld]) -> Iterator[LayableMeld]:
    """Give each meld one point for each of its cards: three kings have 3 points.

    This is for games in which the first melds of a side need no minimum of points. The best play
    is then the one that lays most cards. Cards in places for a joker or a two are not counted here.
    """
    for meld in melds:
        yield give_opening_points(meld, points=meld.fixed_cards.size)


def find_melds_for_opening(
    rules: Ruleset, melds: Iterable[LayableMeld], minimum: int, *, concealed: bool
) -> Iterator[LayableMeld]:
    """Find the melds that a side may lay first in a round (its opening), with their points.

    The opening must reach this minimum of points. `concealed`: the player also ends the round in
    the same turn.
    """
    all_melds = tuple(melds)
    out = Out(ASKER, concealed=True) if concealed else None
    readings = tuple(Reading(meld.result.cards) for meld in all_melds)
    # One table with all melds is faster to build than one for each of them.
    table = build_table_of_asker(rules, SideEntry(opening=readings), out=out)
    side_of_player = table.sides[ASKER]
    for meld, laid_meld in zip(all_melds, side_of_player.opening, strict=True):
        # The meld is judged as if it were all that the side laid.
        opening = count_opening(table, side_of_player._replace(opening=(laid_meld,)), minimum)
        role = _find_role_in_opening(opening.refusal)
        if role is not _RoleInOpening.NONE:
            yield give_opening_points(
                meld,
                points=meld.fixed_cards.points(rules.settings.card_points),
                counts_for_opening=opening.melds_not_counting == 0,
                may_open=role is _RoleInOpening.OPENS,
            )


def find_melds_with_spare_top(
    rules: Ruleset, melds: Iterable[LayableMeld], top: Reading, minimum: int
) -> Iterator[LayableMeld]:
    """Find the melds with the pile's top card that a side may lay first if that card does not count.

    In some games a side opens from the hand alone: of `4xK` with the top card, `3xK` counts. Of
    `3xK` nothing does, since two kings are no meld, but it may be laid beside others.
    """
    for meld in melds:
        from_hand = _leave_top_card_out(meld, top)
        if not is_meld(from_hand.result, rules.settings):
            yield give_opening_points(meld, points=0, may_open=False)
            continue
        for counted in find_melds_for_opening(rules, [from_hand], minimum, concealed=False):
            yield counted._replace(fixed_cards=meld.fixed_cards, result=meld.result)


def _leave_top_card_out(meld: LayableMeld, top: Reading) -> LayableMeld:
    """Return a copy of a meld without the pile's top card, which is one of its fixed cards."""
    fixed_cards = subtract_cards(meld.fixed_cards, top.cards)
    wilds = build_cards({TWO: meld.places_for_wilds})  # as twos; jokers are as good
    return meld._replace(fixed_cards=fixed_cards, result=read_meld(gather((fixed_cards, wilds))))


def _find_role_in_opening(refusal: OpeningRefusal | None) -> _RoleInOpening:
    """Decide whether a meld may be laid first in a round, from why the rules refuse it alone.

    None: they do not refuse it.
    """
    if refusal in (None, OpeningRefusal.POINTS, OpeningRefusal.NATURALS):
        return _RoleInOpening.OPENS  # what is missing may come from other melds
    if refusal in (OpeningRefusal.NATURAL_GROUP, OpeningRefusal.WILDS_ALONE):
        return _RoleInOpening.ONLY_BESIDE_ANOTHER
    return _RoleInOpening.NONE


def give_opening_points(
    meld: LayableMeld, points: int, *, counts_for_opening: bool = True, may_open: bool = True
) -> LayableMeld:
    """Return a copy of a meld that is worth these points among the first melds of a side.

    - `counts_for_opening`: the points count toward the minimum that first melds must reach
    - `may_open`: the meld may be laid first without another one beside it
    """
    adds_to_opening = {
        OPENING_POINTS: points if counts_for_opening else 0,
        MELDS_THAT_MAY_OPEN: 1 if may_open else 0,
    }
    return meld._replace(
        adds=meld.adds | adds_to_opening,
        worth=points,
        counts_for_opening=counts_for_opening,
    )


def build_opening_task(
    available: Cards, melds: Iterable[LayableMeld], *, wilds: WildPoints, top: Reading | None
) -> LayingTask:
    """Build the task of finding the opening (what a side lays first in a round) with most points.

    - `available`: the cards that may be laid
    - `melds`: the groups that they can make
    - `wilds`: the points of a joker and of a two
    - `top`: the top card of the discard pile if the player takes the pile, otherwise None
    """
    task = LayingTask(
        available=available,
        melds=tuple(melds),
        required=_ONE_INCOMPLETE_OF_EACH | _INCOMPLETE_OR_CANASTAS,
        wilds=wilds,
        top=top,
    )
    if task.has_only_counting_melds:
        return task
    # Not all points count toward the minimum that an opening must reach. Of two openings with
    # equally many points, the one of which more points count is better.
    return task._replace(weights=LAID_POINTS_FIRST)


def get_wild_points(settings: Settings) -> WildPoints:
    """Return the points of a joker and of a two in this game: in most games 50 and 20."""
    return WildPoints(joker=settings.card_points[JOKER], two=settings.card_points[TWO])


# -------------------------------------------------------------------------------------- the program


def find_best_play(task: LayingTask) -> Play | None:
    """Find the best way to lay the cards of a task on the table; None if there is no way.

    The task has the cards, the melds (groups of cards) that they can make, and what is required,
    such as two canastas at least. The cards are laid that are worth most points.

    Raises TooManyWays if the task has more than 250 melds.
    """
    if len(task.melds) > MOST_WAYS:
        raise TooManyWays  # the solver would take too long
    times_made = _find_best_choices(task)
    if times_made is None:
        return None
    return _build_play(task, _read_solution(task, times_made))


def _collect_limits(task: LayingTask) -> Limits:
    """Collect all that a play must keep to: the cards that there are, and what the task requires."""
    limits: Limits = {_CARDS_NOT_LAID: Between(task.not_laid.fewest, task.not_laid.most)}
    limits |= _limit_cards_of_kinds(task)
    limits |= _limit_cards_in_sequences(task)
    limits |= task.required
    return limits


def _limit_cards_of_kinds(task: LayingTask) -> Limits:
    """Limit the cards of each kind that are used: of two kings in the hand two at most.

    Cards are used if they are laid, discarded or kept. In some tasks all must be used: then exactly
    two.
    """
    limits: Limits = {}
    for kind, number in enumerate(task.available.counts):
        fewest = number if task.lays_all_others else 0
        limits[Total.of_cards(kind)] = Between(fewest, number)
    return limits


def _limit_cards_in_sequences(task: LayingTask) -> Limits:
    """Limit the cards of each rank and suit that are laid in sequences to those in the hand.

    A sequence is a run of one suit, such as 9 8 7 of hearts. The top card of the pile may not be in
    one: if it is the only king of hearts, the limit for these is 0.
    """
    number_in_hand = count_by_suit(task.in_hand)
    limits: Limits = {}
    for cards in task.available.suited:
        number = number_in_hand.get(SuitedKind(cards.kind, cards.suit), 0)
        limits[Total.of_suited_cards(cards.kind, cards.suit)] = Between(0, number)
    return limits


@dataclass(frozen=True, slots=True)
class _LayMeld:
    """The choice to lay a meld, by its index among the melds of a task."""

    index: int


@dataclass(frozen=True, slots=True)
class _LayWild:
    """The choice to lay a joker or a two in a place for a wild card of some meld."""

    kind: int
    """`JOKER` or `TWO`."""
    counts_for_opening: bool
    """Whether it is laid in a meld that counts for an opening."""


@dataclass(frozen=True, slots=True)
class _LeaveCard:
    """The choice not to lay a card of a kind (index), which is discarded or kept."""

    kind: int


_Choice = _LayMeld | _LayWild | _LeaveCard
"""Something that a play may do, any number of times."""


def _find_best_choices(task: LayingTask) -> dict[_Choice, int] | None:
    """Find how often to make each choice for the most valuable play; None if there is no play.

    A choice is, for example, to lay a certain meld (group of cards). To lay the first meld twice
    and the second never → `{_LayMeld(0): 2, _LayMeld(1): 0}`.
    """
    parts_by_choice = _list_choices(task)
    times_chosen = _solve_for_highest_value(
        ChoiceOfParts(
            parts=tuple(parts_by_choice.values()),
            equal_totals=_PLACES_ARE_FILLED,
            limits=tuple(_collect_limits(task).items()),
        )
    )
    if times_chosen is None:
        return None
    return dict(zip(parts_by_choice, times_chosen, strict=True))  # both are in the same order


@lru_cache(maxsize=256)
def _solve_for_highest_value(choice: ChoiceOfParts) -> tuple[int, ...] | None:
    """Compute how often to choose each part for the highest total value; None if it cannot be done.

    The result is cached, because a question is answered under every option of the rules, and most
    of them change nothing.
    """
    return solve(choice, "most")


def _list_choices(task: LayingTask) -> dict[_Choice, Part]:
    """List what a play may do, with the worth of each choice and what it adds to the totals.

    The choices are to lay a meld, to put a joker or a two in a meld's place for one, and to leave a
    card. So `K K JK` takes two choices: a meld of two kings with one place, and a joker for it.
    """
    choices: dict[_Choice, Part] = {}
    for index, meld in enumerate(task.melds):
        choices[_LayMeld(index)] = _make_part_of_meld(task, meld)

    # Jokers and twos in melds that count for the opening are chosen apart from the others, because
    # only these add points to it.
    for counts_for_opening in (True, False):
        for kind in (JOKER, TWO):
            choices[_LayWild(kind, counts_for_opening)] = _describe_wild_card(
                task, kind, counts_for_opening=counts_for_opening
            )

    for kind in task.not_laid.kinds:
        adds_of_card = ((Total.of_cards(kind), 1), (_CARDS_NOT_LAID, 1))
        choices[_LeaveCard(kind)] = Part(value=0, adds=adds_of_card)
    return choices


def _make_part_of_meld(task: LayingTask, meld: LayableMeld) -> Part:
    """Say what it is worth to lay a meld once, and what that adds to the totals of a play.

    Two kings with one place for a joker or a two add 2 to the kings used, and 1 to such places.
    """
    adds = count_cards_by_total(meld.fixed_cards)
    places = _places_for_wilds(counts_for_opening=meld.counts_for_opening)
    adds[places] = meld.places_for_wilds
    adds |= meld.adds  # such as one to the number of melds
    return Part(value=_rate_meld(task, meld), adds=tuple(adds.items()))


def _describe_wild_card(task: LayingTask, kind: int, *, counts_for_opening: bool) -> Part:
    """Say what a joker or a two in a meld's place for one is worth, and what it adds to the totals.

    `counts_for_opening`: the meld counts for the opening (the first melds of a side), so that the
    points of the card count too.
    """
    points = task.wilds.joker if kind == JOKER else task.wilds.two
    adds = {
        Total.of_cards(kind): 1,
        _wilds_laid(counts_for_opening=counts_for_opening): 1,
        OPENING_POINTS: points if counts_for_opening else 0,
    }
    value = _rate_points(task, points, counts_for_opening=counts_for_opening)
    return Part(value, adds=tuple(adds.items()))


def _rate_meld(task: LayingTask, meld: LayableMeld) -> int:
    """Compute what laying a meld (a group of cards) adds to the value of a play.

    It is the value of the meld's points, less a little. So of two plays with equal points the one
    with fewer melds is better.
    """
    value = _rate_points(task, meld.worth, counts_for_opening=meld.counts_for_opening)
    lays_no_cards = meld.cards_from_hand == 0  # nothing is added to a meld on the table
    # In a large hand, finding the play with the fewest melds would take too long.
    is_large_hand = task.available.size > LARGEST_TIDIED_HAND
    if lays_no_cards or is_large_hand:
        return value
    return value - _COST_OF_A_MELD


def _rate_points(task: LayingTask, points: int, *, counts_for_opening: bool) -> int:
    """Compute what points are worth when plays are compared: 100 for each, times its weight.

    `counts_for_opening`: the points count toward the minimum that the first melds of a side must
    reach. Some tasks give such points another weight than the others.
    """
    weight = task.weights.counting if counts_for_opening else task.weights.others
    return points * weight * _VALUE_OF_A_POINT


# ------------------------------------------------------------------------------ back into cards


class _ChosenMeld(NamedTuple):
    """A meld to be laid, with jokers and twos as its wild cards."""

    meld: LayableMeld
    from_hand: Cards
    """Its cards, without the top card of the pile."""
    top_card: Cards = NO_CARDS
    """The top card of the pile, if it is in this meld."""

    @property
    def may_hold_top_card(self) -> bool:
        """Whether the top card of the pile may be in this meld."""
        return MELDS_FOR_TOP_CARD in self.meld.adds

    @property
    def cards(self) -> Cards:
        """All its cards."""
        return gather((self.from_hand, self.top_card))

    @property
    def as_laid(self) -> LaidCards:
        """Its cards, and the meld of the table that they are laid on, if any."""
        return LaidCards(self.cards, on=self.meld.index_on_table)

    def with_top_card(self, top_card: Cards) -> _ChosenMeld:
        """Return a copy of the meld with the pile's top card in place of an equal one of the hand."""
        from_hand = subtract_cards(self.from_hand, top_card)
        return self._replace(from_hand=from_hand, top_card=top_card)


class _Solution(NamedTuple):
    """What the solver found to be best."""

    melds: tuple[LayableMeld, ...]
    """The melds to lay; one that is laid twice is there twice."""
    jokers_in_counting_melds: int
    """The jokers to put in places for wild cards, in melds that count for an opening."""
    jokers_in_other_melds: int
    cards_left: Cards
    """The cards to discard or to keep, without those that are set aside in any case."""


def _read_solution(task: LayingTask, times_made: Mapping[_Choice, int]) -> _Solution:
    """Read what to lay and what to leave from how often each choice is made.

    With `{_LayMeld(3): 2}` the meld at index 3 of the task is laid twice.
    """
    melds: list[LayableMeld] = []
    for index, meld in enumerate(task.melds):
        times_laid = times_made[_LayMeld(index)]
        melds += [meld] * times_laid

    left_by_kind = {kind: times_made[_LeaveCard(kind)] for kind in task.not_laid.kinds}
    return _Solution(
        melds=tuple(melds),
        # The twos need not be read: they fill all places that the jokers leave.
        jokers_in_counting_melds=times_made[_LayWild(JOKER, counts_for_opening=True)],
        jokers_in_other_melds=times_made[_LayWild(JOKER, counts_for_opening=False)],
        cards_left=build_cards(left_by_kind),
    )


def _build_play(task: LayingTask, solution: _Solution) -> Play:
    """Convert what the solver found into a play: the cards to lay and the last discard.

    The solver tells only the kinds of the cards. Their suits are those that they have in the hand.
    """
    melds = _fill_places_for_wilds(solution)
    melds = _put_top_card_in_meld(task.top, melds)
    taken = _assign_suits_of_hand(task.in_hand, melds)
    in_order = sorted(taken.melds, key=_sort_key_in_play)
    # A meld on the table to which nothing is added is among them, with no cards.
    laid = tuple(chosen.as_laid for chosen in in_order if chosen.cards.size > 0)

    last_discard = _pick_from_hand(taken.hand_left, solution.cards_left)
    return Play(laid, discard=gather((last_discard, task.not_laid.set_aside)))


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
    # Whether a meld counts for the opening → the jokers still to lay in such melds.
    jokers_left = {True: solution.jokers_in_counting_melds, False: solution.jokers_in_other_melds}
    chosen: list[_ChosenMeld] = []
    for meld in _put_sequences_first(solution.melds):
        jokers = min(jokers_left[meld.counts_for_opening], meld.places_for_wilds)
        jokers_left[meld.counts_for_opening] -= jokers
        twos = meld.places_for_wilds - jokers
        wilds = build_cards({JOKER: jokers, TWO: twos})
        chosen.append(_ChosenMeld(meld, from_hand=gather((meld.fixed_cards, wilds))))
    return chosen


def _put_sequences_first(melds: Iterable[LayableMeld]) -> list[LayableMeld]:
    """Sort melds so that sequences (runs of one suit, such as 9 8 7 of hearts) come first.

    The melds take their cards from the hand in this order. Only a sequence needs cards of a certain
    suit, and other melds could take these from it.
    """
    sequences: list[LayableMeld] = []
    others: list[LayableMeld] = []
    for meld in melds:
        needs_certain_suit = len(meld.fixed_cards.suited) > 0
        if needs_certain_suit:
            sequences.append(meld)
        else:
            others.append(meld)
    return sequences + others


def _sort_key_in_play(chosen: _ChosenMeld) -> tuple[int, int]:
    """Return the key by which the melds (groups of cards) of a play are sorted.

    - the meld with the top card of the discard pile → `(0, 0)`, so it comes first
    - cards added to the meld at index 3 on the table → `(1, 3)`
    - a new meld → `(2, 0)`, so it comes last
    """
    holds_top_card = chosen.top_card.size > 0
    if holds_top_card:
        return (0, 0)
    index_on_table = chosen.meld.index_on_table
    if index_on_table is not None:
        return (1, index_on_table)
    return (2, 0)
