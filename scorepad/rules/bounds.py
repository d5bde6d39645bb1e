"""The least and the most points that a side's cards can be worth, given only the canastas that it
made.

Points counted at the table are possible if they lie between the cheapest and the dearest legal
cards that make exactly these canastas, beside any number of melds that are not canastas, from the
cards that the hand does not name elsewhere. A plain layout that is always legal settles most hands.
For the others a solver chooses melds that are worth least or most. Without a solver they get plain
bounds, outside which no points are possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from scorepad.rules.cards import (
    BLACK_THREE,
    INDEX,
    JOKER,
    NATURAL_INDICES,
    RED_THREE,
    TWO,
    Cards,
    Suit,
    SuitedCards,
    SuitedKind,
    build_cards,
    count_cards_in_decks,
)
from scorepad.rules.checks import is_meld
from scorepad.rules.possible_melds import PossibleMeld, find_possible_melds
from scorepad.rules.settings import CanastaKind, Settings
from scorepad.rules.solver import (
    Between,
    ChoiceOfParts,
    End,
    Part,
    Total,
    count_cards_by_total,
    has_solver,
    solve,
)
from scorepad.rules.table import Meld, find_kind_of_canasta

# ------------------------------------------------------------------------------------- the cards


class Supply(NamedTuple):
    """The cards that a side can have laid: those of the decks that are not named elsewhere."""

    counts: tuple[int, ...]
    """How many there are of each kind, in the order of `cards.KINDS`."""
    suited_gone: tuple[SuitedCards, ...]
    """The cards of a known suit that are named elsewhere."""
    decks: int
    black_threes: bool
    """Whether the side may lay black threes."""

    def count_gone(self) -> Counter[SuitedKind]:
        """Count the cards of each rank and suit that the side cannot have: they are elsewhere.

        Two queens of hearts → `Counter({SuitedKind(4, "h"): 2})`, as 4 is the index of queens in
        `cards.KINDS`.
        """
        return Counter({SuitedKind(gone.kind, gone.suit): gone.number for gone in self.suited_gone})

    def list_suited_cards_left(self) -> list[SuitedCards]:
        """List how many cards of each rank and suit the side can have laid.

        Two decks have two queens of hearts. If one of them is known to be elsewhere, one is left.
        """
        gone = self.count_gone()
        cards_left: list[SuitedCards] = []
        for rank in NATURAL_INDICES:
            for suit in sorted(Suit):
                # Each deck has one card of a rank and suit.
                number_left = self.decks - gone[SuitedKind(rank, suit.value)]
                cards_left.append(SuitedCards(rank, suit.value, max(0, number_left)))
        return cards_left


def _find_cards_that_side_can_have(settings: Settings, taken: Cards, *, went_out: bool) -> Supply:
    """Return the cards that a side can have laid: all of the decks but those that are `taken`.

    A side that went out (played its last card, which ends the round) may have laid black threes
    too, if the game has that rule.
    """
    cards_of_decks = count_cards_in_decks(settings.decks)  # how many there are of each kind
    counts: list[int] = []
    for in_all_decks, already_taken in zip(cards_of_decks, taken.counts, strict=True):
        counts.append(max(0, in_all_decks - already_taken))
    may_have_black_threes = went_out and settings.black_threes != "never"
    return Supply(
        counts=tuple(counts),
        suited_gone=taken.suited,
        decks=settings.decks,
        black_threes=may_have_black_threes,
    )


def _add_up_all_points(settings: Settings, supply: Supply) -> int:
    """Add up the points of all cards that a side could lay, if all of them fitted into melds.

    A meld is a group of cards on the table. No side can have more points than that.
    """
    kinds = [JOKER, TWO, *NATURAL_INDICES]
    if supply.black_threes:
        kinds.append(BLACK_THREE)
    return sum(supply.counts[kind] * settings.card_points[kind] for kind in kinds)


# ---------------------------------------------------------------------------------- exact bounds


@lru_cache(maxsize=256)
def compute_extreme_points(
    settings: Settings, canastas: tuple[tuple[str, int], ...], supply: Supply, end: End
) -> int | None:
    """Compute the least or the most points (`end`) that the cards of a side can be worth.

    The cards (`supply`) must make exactly these canastas (groups of seven cards or more), given by
    kind and number: `(("samba", 1),)`. None if they cannot.

    Results are cached, because a hand whose points are in doubt is judged again with each change
    until it is saved. That is why all arguments are immutable.
    """
    melds_to_choose = _describe_what_side_can_have(settings, dict(canastas), supply)
    times_chosen = solve(melds_to_choose, end)
    if times_chosen is None:
        return None
    points = 0
    for part, times in zip(melds_to_choose.parts, times_chosen, strict=True):
        points += times * part.value
    return points


_PLACES_FOR_WILDS = Total("places for wild cards")
"""The places in all melds for a joker or a two."""
_WILDS_LAID = Total("wild cards laid")
"""The jokers and twos in all melds."""


def _describe_what_side_can_have(
    settings: Settings, canastas: Mapping[str, int], supply: Supply
) -> ChoiceOfParts:
    """Describe from which melds (groups of cards) a side's cards on the table may be put together.

    A meld has places for jokers and twos, the wild cards, but does not say which of them. So a
    joker and a two may be chosen as well, just as many as the melds have places.
    """
    limits = _limit_cards_to_supply(supply) | _require_canastas(settings, canastas)
    return ChoiceOfParts(
        parts=tuple(_list_parts_to_choose(settings, supply)),
        equal_totals=((_PLACES_FOR_WILDS, _WILDS_LAID),),
        limits=tuple(limits.items()),
    )


def _list_parts_to_choose(settings: Settings, supply: Supply) -> Iterator[Part]:
    """List what a side can have on the table: each meld (group of cards), a joker and a two."""
    for possible in find_possible_melds(settings, _leave_out_threes(supply)):
        if _may_be_laid(possible.meld, settings):
            yield _make_part_of_meld(settings, possible)
    for wild_card in (JOKER, TWO):
        yield Part(
            value=settings.card_points[wild_card],
            adds=((Total.of_cards(wild_card), 1), (_WILDS_LAID, 1)),
        )


def _make_part_of_meld(settings: Settings, possible: PossibleMeld) -> Part:
    """Say of a meld (a group of cards) what it is worth and what it adds to a side's totals.

    Four kings and one wild card (a joker or a two) are worth 40 points, without that card. They add
    4 to the kings used, and 1 to the places for wild cards.
    """
    adds = count_cards_by_total(possible.fixed_cards)
    adds[_PLACES_FOR_WILDS] = possible.places_for_wilds
    canasta = find_kind_of_canasta(possible.meld, settings)
    if canasta is not None:
        adds[_canastas_counted_as(canasta.item)] = 1
    points_without_wilds = possible.fixed_cards.points(settings.card_points)
    return Part(points_without_wilds, tuple(adds.items()))


def _may_be_laid(meld: Meld, settings: Settings) -> bool:
    """Tell whether the rules allow a meld (a group of cards laid on the table).

    A meld of seven cards or more is a canasta, and has to be of a kind that the game has.
    """
    is_long = meld.size >= settings.canasta_length
    if is_long and find_kind_of_canasta(meld, settings) is None:
        return False
    return is_meld(meld, settings)


def _leave_out_threes(supply: Supply) -> Cards:
    """Return the cards that a side can lay in melds (groups of cards), from all that it can have.

    Red threes are bonus cards and never part of a meld. Black threes are left out too unless the
    side may lay them.
    """
    counts = dict(enumerate(supply.counts))  # how many of each kind: {0: 4} for four jokers
    counts[RED_THREE] = 0
    if not supply.black_threes:
        counts[BLACK_THREE] = 0

    suited = []
    for cards in supply.list_suited_cards_left():
        are_any_left = counts[cards.kind] > 0 and cards.number > 0
        if are_any_left:
            suited.append(cards)
    return build_cards(counts, tuple(suited))


def _canastas_counted_as(item: str) -> Total:
    """Return the key under which canastas with one name are added up, such as `samba`."""
    return Total("canastas", item)


def _limit_cards_to_supply(supply: Supply) -> dict[Total, Between]:
    """Limit the cards used to those that a side can have, by kind and by suit."""
    limits: dict[Total, Between] = {}
    for kind in (JOKER, TWO, *NATURAL_INDICES, BLACK_THREE):
        limits[Total.of_cards(kind)] = Between(0, supply.counts[kind])
    for cards in supply.list_suited_cards_left():
        limits[Total.of_suited_cards(cards.kind, cards.suit)] = Between(0, cards.number)
    return limits


def _require_canastas(settings: Settings, canastas: Mapping[str, int]) -> dict[Total, Between]:
    """Require exactly these canastas (groups of seven cards or more), and none of other kinds.

    `{"samba": 1}` → one samba, and no canastas with another name.
    """
    limits: dict[Total, Between] = {}
    for kind in settings.canastas:
        number = canastas.get(kind.item, 0)
        limits[_canastas_counted_as(kind.item)] = Between(number, number)
    return limits


class Bounds(NamedTuple):
    """The least and the most points that the cards can be worth, both reachable if `is_exact`."""

    least: int
    most: int
    is_exact: bool = True
    """Not exact are bounds of a machine without the solver: not all points within are possible."""

    def holds(self, points: int) -> bool:
        """Tell whether a side's cards can be worth so many points.

        The points have to lie within the bounds. A side that laid nothing has none. Otherwise it
        has at least 15, the points of the cheapest meld (group of cards): three cards of five.
        """
        if not self.least <= points <= self.most:
            return False
        return points == 0 or points >= CHEAPEST_MELD


CHEAPEST_MELD = 15
"""Three cards of five points."""


_CONCEALED = "concealed-canasta"
"""The item by which canastas laid down complete are counted, beside the item of their kind."""


def find_bounds(
    settings: Settings,
    canastas: Mapping[str, int],
    taken: Cards,
    points: int,
    *,
    went_out: bool = False,
) -> Bounds | None:
    """Find the least and the most points that the cards of a side can be worth.

    Players entered only the `points` of their cards, such as 250, and their canastas (groups of
    seven cards or more), such as `{"samba": 1}`. The cards can be all of the decks but those that
    are `taken` elsewhere, and black threes only if the side `went_out` (played the last card). None
    if no cards make the canastas.

    If the points are between exact bounds, the true bounds may be even wider.
    """
    if not _are_there_enough_canastas_for_concealed(canastas):
        return None
    if went_out:
        settings = settings.when_going_out()
    to_make = _list_canastas_to_make(canastas)
    supply = _find_cards_that_side_can_have(settings, taken, went_out=went_out)
    if not _has_enough_cards(settings, to_make, supply):
        return None

    # Exact bounds take long to compute. So quick ones, which may be too narrow, are tried first.
    pairs_to_make = tuple(to_make.items())  # immutable, for the cache of exact bounds
    quick = _find_quick_bounds(settings, to_make, supply, points)
    if not has_solver() and not _are_quick_bounds_enough(quick, settings, supply, points):
        return _find_plain_bounds(settings, to_make, supply)
    if quick is None:
        return _compute_exact_bounds(settings, pairs_to_make, supply)
    if points < quick.least:
        return quick._replace(least=_compute_exact_bound(settings, pairs_to_make, supply, "least"))
    if points > quick.most and quick.most < _add_up_all_points(settings, supply):
        return quick._replace(most=_compute_exact_bound(settings, pairs_to_make, supply, "most"))
    return quick


def _are_quick_bounds_enough(
    quick: Bounds | None, settings: Settings, supply: Supply, points: int
) -> bool:
    """Tell whether quick bounds, which may be too narrow, decide if so many points are possible."""
    if quick is None or points < quick.least:
        return False
    if points <= quick.most:
        return True
    return quick.most == _add_up_all_points(settings, supply)  # there are no more points


def _find_plain_bounds(settings: Settings, canastas: Mapping[str, int], supply: Supply) -> Bounds:
    """Find bounds outside which no points are possible, on a machine without the solver.

    The least is the canastas (groups of seven cards or more) of the cheapest cards, as if there
    were enough of these; the most are all cards that the side can have.
    """
    laid_kinds = (JOKER, TWO, *NATURAL_INDICES)
    cheapest_card = min(settings.card_points[kind] for kind in laid_kinds)
    cards_of_canastas = sum(canastas.values()) * settings.canasta_length
    return Bounds(
        least=cards_of_canastas * cheapest_card,
        most=_add_up_all_points(settings, supply),
        is_exact=False,
    )


def _list_canastas_to_make(canastas: Mapping[str, int]) -> dict[str, int]:
    """List the canastas (groups of seven cards or more) that the cards of a side have to make.

    `{"samba": 1, "natural-canasta": 0, "concealed-canasta": 1}` → `{"samba": 1}`. A concealed
    canasta is one laid complete in one go: it is counted as a canasta of its kind already.
    """
    in_order = sorted(canastas.items())  # one order, for the cache of exact bounds
    return {item: number for item, number in in_order if number != 0 and item != _CONCEALED}


def _are_there_enough_canastas_for_concealed(canastas: Mapping[str, int]) -> bool:
    """Tell whether a side has as many canastas as it says were concealed, or more.

    A canasta is a group of seven cards or more. A concealed one was laid complete in one go: it is
    counted by its kind, and once more as concealed. One samba and two concealed → False.
    """
    number_of_canastas = sum(_list_canastas_to_make(canastas).values())
    return canastas.get(_CONCEALED, 0) <= number_of_canastas


def _has_enough_cards(settings: Settings, canastas: Mapping[str, int], supply: Supply) -> bool:
    """Tell whether there are enough cards for so many canastas, whichever cards they are.

    A canasta is a group of seven cards or more: twenty of them need 140 cards. This check is quick,
    while the solver would take very long to find that a large number is impossible.
    """
    cards_needed = sum(canastas.values()) * settings.canasta_length
    return cards_needed <= sum(supply.counts)


def _compute_exact_bounds(
    settings: Settings, canastas: tuple[tuple[str, int], ...], supply: Supply
) -> Bounds | None:
    """Compute the least and the most points of a side's cards exactly, which takes long.

    The cards (`supply`) must make exactly these canastas (groups of seven cards or more), given by
    kind and number: `(("samba", 1),)`. The result is None if they cannot.
    """
    can_make_canastas = compute_extreme_points(settings, canastas, supply, "least") is not None
    if not can_make_canastas:
        return None
    return Bounds(
        least=_compute_exact_bound(settings, canastas, supply, "least"),
        most=_compute_exact_bound(settings, canastas, supply, "most"),
    )


def _compute_exact_bound(
    settings: Settings, canastas: tuple[tuple[str, int], ...], supply: Supply, end: End
) -> int:
    """Compute the least or the most points (`end`) of cards that are known to make these canastas.

    Canastas are groups of seven cards or more, given by kind and number: `(("samba", 1),)`. Call it
    only if the cards (`supply`) can make them: with impossible canastas it fails.
    """
    points = compute_extreme_points(settings, canastas, supply, end)
    assert points is not None, "some cards make these canastas"
    return points


# ---------------------------------------------------------------------------------- quick bounds


class _CanastaCards(NamedTuple):
    """The cards of a canasta, by the indices of their kinds, and the suit of its natural cards;
    empty if any suits will do.
    """

    kinds: list[int]
    suit: str = ""

    def list_cards_that_need_suit(self) -> list[SuitedKind]:
        """List the natural cards of a sequence, with its suit; none for other canastas."""
        may_be_of_any_suits = self.suit == ""
        if may_be_of_any_suits:
            return []
        return [SuitedKind(kind, self.suit) for kind in self.kinds if kind in NATURAL_INDICES]


@dataclass(slots=True)
class _Layout:
    """Canastas laid in the simplest way, each of the cheapest or the dearest cards left."""

    settings: Settings
    supply: Supply
    dearest_first: bool
    """Whether each canasta is laid of the cards worth most, instead of those worth least."""
    left: list[int]
    """The cards left, by kind."""
    suited_gone: Counter[SuitedKind]
    """The cards of a known suit that are not left: named elsewhere, or laid."""
    points: int = 0
    """The points of the cards laid."""
    ranks_that_can_grow: set[int] = field(default_factory=set)
    """The ranks of canastas laid to which more cards can be added."""

    def lay_canasta(self, kind: CanastaKind) -> bool:
        """Lay the simplest canasta (group of seven cards) of this kind from the cards left.

        Returns whether the cards left make one. If not, nothing is laid.
        """
        canasta = self._find_way_to_lay(kind)
        if canasta is None:
            return False
        self._take_cards(canasta)
        is_of_one_rank = kind.shape == "group"
        may_grow = self.settings.meld_longest is None
        if is_of_one_rank and may_grow:
            rank = canasta.kinds[0]  # its natural cards come first
            self.ranks_that_can_grow.add(rank)
        return True

    def _find_way_to_lay(self, kind: CanastaKind) -> _CanastaCards | None:
        """Find the cards of the simplest canasta (group of seven cards) of this kind that are left.

        None if the cards left do not make one.
        """
        for canasta in self._list_ways_to_lay(kind):
            if self._has_cards_left_for(canasta):
                return canasta
        return None

    def _list_ways_to_lay(self, kind: CanastaKind) -> Iterator[_CanastaCards]:
        """List the ways to lay a canasta of this kind, the simplest first.

        A way may need cards that are not left any more: the caller has to check that.
        """
        if kind.shape == "wilds":
            return self._list_canastas_of_wilds(kind)
        if kind.shape == "sequence":
            return self._list_sequences(kind)
        return self._list_groups(kind)

    def _has_cards_left_for(self, canasta: _CanastaCards) -> bool:
        """Tell whether the cards of a canasta (a group of seven cards) are still left to lay."""
        for kind, count in Counter(canasta.kinds).items():
            if self.left[kind] < count:
                return False
        for card in canasta.list_cards_that_need_suit():
            # Each deck has a card of a suit once: two decks have two queens of hearts.
            number_in_decks = self.supply.decks
            if self.suited_gone[card] >= number_in_decks:
                return False
        return True

    def _take_cards(self, canasta: _CanastaCards) -> None:
        """Take the cards of a canasta (a group of seven) from those left.

        Their points are added to `self.points`.
        """
        for card in canasta.list_cards_that_need_suit():
            self.suited_gone[card] += 1
        for kind in canasta.kinds:
            self.left[kind] -= 1
            self.points += self.settings.card_points[kind]

    def _list_sequences(self, kind: CanastaKind) -> Iterator[_CanastaCards]:
        """List the sequences of seven cards of this kind, such as A K Q J 10 9 8 of hearts.

        There is one for each suit and each first card. If the kind needs wild cards (jokers and
        twos), each sequence has as few of them as the kind allows.
        """
        fewest_wilds, _most_wilds = kind.wilds
        wild_cards = self._choose_wild_cards(fewest_wilds)
        number_of_naturals = self.settings.canasta_length - fewest_wilds
        for ranks in self._list_runs_of_ranks(number_of_naturals):
            for suit in Suit:
                yield _CanastaCards([*ranks, *wild_cards], suit.value)

    def _list_runs_of_ranks(self, length: int) -> list[range]:
        """List all runs of so many consecutive ranks: A K Q J 10 9 8, K Q J 10 9 8 7 and so on.

        Ranks are indices of `cards.KINDS`. The run to lay first comes first: the cheapest or the
        dearest.
        """
        runs: list[range] = []
        last_start = len(NATURAL_INDICES) - length
        for start in range(last_start + 1):
            runs.append(NATURAL_INDICES[start : start + length])
        # The ranks start with the ace, which is the dearest.
        if not self.dearest_first:
            runs.reverse()
        return runs

    def _list_groups(self, kind: CanastaKind) -> Iterator[_CanastaCards]:
        """List the groups of seven cards of one rank of this kind, such as `7xK` or `6xK JK`.

        Those with the fewest wild cards (jokers and twos) come first. No group has more of them
        than the rules allow.
        """
        fewest_wilds, most_wilds_of_kind = kind.wilds
        wilds_left = self.left[TWO] + self.left[JOKER]
        most_wilds = min(most_wilds_of_kind, wilds_left)
        for wilds in range(fewest_wilds, most_wilds + 1):
            naturals = self.settings.canasta_length - wilds
            wild_cards = self._choose_wild_cards(wilds)
            for rank in self._list_ranks_of_groups(kind):
                if wilds <= self.settings.most_wilds(naturals, rank):
                    yield _CanastaCards([rank] * naturals + wild_cards)

    def _list_ranks_of_groups(self, kind: CanastaKind) -> list[int]:
        """List the ranks that a canasta (group of seven cards) of this kind can have.

        A kind for one rank, such as "canasta of aces", has only that rank. Any other kind has all
        ranks without a kind of their own. The rank to lay first comes first: the cheapest or the
        dearest.
        """
        if kind.rank:
            return [INDEX[kind.rank]]
        ranks_with_own_kind = {INDEX[other.rank] for other in self.settings.canastas if other.rank}
        ranks = [rank for rank in NATURAL_INDICES if rank not in ranks_with_own_kind]
        if not self.dearest_first:
            ranks.reverse()  # the cheapest ranks are the last
        return ranks

    def _list_canastas_of_wilds(self, kind: CanastaKind) -> Iterator[_CanastaCards]:
        """List the canastas of this kind that are made of wild cards alone, such as `4x2 3xJK`.

        Jokers are worth more than twos: the cheapest canasta, with the fewest jokers, comes first.
        If the dearest cards are to be laid, the order is the other way round.
        """
        length = self.settings.canasta_length
        numbers_of_jokers = list(range(length + 1))
        if self.dearest_first:
            numbers_of_jokers.reverse()
        for jokers in numbers_of_jokers:
            if self._find_kind_of_wild_canasta(jokers) is kind:
                twos = length - jokers
                yield _CanastaCards([JOKER] * jokers + [TWO] * twos)

    def _find_kind_of_wild_canasta(self, jokers: int) -> CanastaKind | None:
        """Find the kind of a canasta (seven cards) of so many jokers and otherwise twos.

        Some games give seven twos another bonus than four jokers and three twos. Where several
        kinds fit, the first in the order of the rules counts. None if no kind fits.
        """
        length = self.settings.canasta_length
        fitting_kinds = [
            kind
            for kind in self.settings.canastas
            if kind.fits("wilds", wilds=length, jokers=jokers, ranks=(), size=length)
        ]
        return fitting_kinds[0] if fitting_kinds else None

    def _choose_wild_cards(self, count: int) -> list[int]:
        """Choose so many wild cards: the twos that are left, and jokers for the rest.

        Three, with two twos left → `[TWO, TWO, JOKER]`. There may be fewer jokers left than chosen:
        the caller checks that.
        """
        twos = min(count, self.left[TWO])
        jokers = count - twos
        return [TWO] * twos + [JOKER] * jokers

    def count_points_with_all_others_laid(self) -> int:
        """Count the points of the canastas laid, and of all cards left that can be laid beside them.

        Those are laid in groups of fewer than seven cards. Wild cards (jokers and twos) go where
        these groups have room for them.
        """
        points = self.points + self._count_points_of_black_threes()
        wilds_left = self.left[JOKER] + self.left[TWO]
        places_for_wilds = 0
        for rank in NATURAL_INDICES:
            points += self._count_points_of_rank(rank)
            if places_for_wilds < wilds_left:  # more places than wild cards change nothing
                places_for_wilds += self._count_places_for_wilds(rank)
        return points + self._count_points_of_wilds(places_for_wilds)

    def _count_melds_of_rank(self, rank: int) -> int:
        """Return in how many groups the cards left of a rank can be laid.

        Seven kings, where a group needs three cards → 2.
        """
        return self.left[rank] // self.settings.meld_shortest

    def _count_points_of_rank(self, rank: int) -> int:
        """Return the points of the cards left of a rank if they can be laid, otherwise 0.

        One or two kings are no group, but they can be added to a canasta (a group of seven cards)
        of kings on the table, if the rules let it grow.
        """
        count = self.left[rank]
        can_be_laid = count >= self.settings.meld_shortest or rank in self.ranks_that_can_grow
        if not can_be_laid:
            return 0
        return self._points_of_cards(rank, count)

    def _points_of_cards(self, kind: int, count: int) -> int:
        return count * self.settings.card_points[kind]

    def _count_points_of_wilds(self, places: int) -> int:
        """Return the points of the wild cards that fill so many places in groups of cards.

        Jokers come first, as they are worth more than twos.
        """
        jokers = min(places, self.left[JOKER])
        twos = min(places - jokers, self.left[TWO])
        return self._points_of_cards(JOKER, jokers) + self._points_of_cards(TWO, twos)

    def _count_points_of_black_threes(self) -> int:
        """Return the points of the black threes left if they can be laid as a group, otherwise 0.

        The group may not become a canasta, that is, reach seven cards.
        """
        if not self.supply.black_threes:
            return 0
        count = self.left[BLACK_THREE]
        is_meld_size = self.settings.meld_shortest <= count < self.settings.canasta_length
        if not is_meld_size:
            return 0
        return self._points_of_cards(BLACK_THREE, count)

    def _count_places_for_wilds(self, rank: int) -> int:
        """Count how many wild cards (jokers and twos) fit beside the cards left of a rank.

        The cards are laid in groups of about equal size, shorter than a canasta (usually seven
        cards). Eight kings make two groups of four: each has room for two more cards, or for fewer
        if the rules allow fewer wild cards.
        """
        number_of_groups = self._count_melds_of_rank(rank)
        if number_of_groups == 0:
            return 0
        smallest_group = self.left[rank] // number_of_groups
        largest_group = ceil(self.left[rank] / number_of_groups)
        # Each group gets as many wild cards as fit into any of them.
        allowed = self.settings.most_wilds(smallest_group, rank)
        room = self.settings.canasta_length - 1 - largest_group
        wilds_in_each = max(0, min(allowed, room))
        return number_of_groups * wilds_in_each


def _find_quick_bounds(
    settings: Settings, canastas: Mapping[str, int], supply: Supply, points: int
) -> Bounds | None:
    """Find roughly how few and how many points a side with these canastas can have.

    Canastas are groups of seven cards or more, given by kind: `{"samba": 1}`. The results can be
    reached, but even fewer or more points may be possible. None: no cards were found for the
    canastas, although some may exist.
    """
    if any(kind.length > 0 for kind in settings.canastas):
        return None  # a canasta that grows may become one of another kind
    kinds = _list_kinds_to_lay(settings, canastas)
    laid_of_cheap_cards = _lay_canastas(settings, supply, kinds, dearest_first=False)
    if laid_of_cheap_cards is None:
        return None
    bounds = Bounds(
        least=laid_of_cheap_cards.points,
        most=laid_of_cheap_cards.count_points_with_all_others_laid(),
    )
    if points <= bounds.most:
        return bounds
    # Canastas of dear cards may be worth more than the cards that they take from other groups.
    laid_of_dear_cards = _lay_canastas(settings, supply, kinds, dearest_first=True)
    if laid_of_dear_cards is None:
        return None
    most_with_dear_cards = laid_of_dear_cards.count_points_with_all_others_laid()
    return bounds._replace(most=max(bounds.most, most_with_dear_cards))


def _lay_canastas(
    settings: Settings, supply: Supply, kinds: Iterable[CanastaKind], *, dearest_first: bool
) -> _Layout | None:
    """Lay a canasta (group of seven cards) of each of these kinds, from the cards in `supply`.

    They are laid of the dearest cards, or else of the cheapest. The result is None if the cards
    left do not suffice for one of them.
    """
    layout = _Layout(
        settings,
        supply,
        dearest_first,
        left=list(supply.counts),
        suited_gone=supply.count_gone(),
    )
    for kind in kinds:
        is_laid = layout.lay_canasta(kind)
        if not is_laid:
            return None
    return layout


def _list_kinds_to_lay(settings: Settings, canastas: Mapping[str, int]) -> list[CanastaKind]:
    """List the kind of each canasta (group of seven cards) to lay: `{"samba": 2}` → samba, samba.

    Kinds with little choice of cards come first, while the cards that they need are still there.
    Several kinds may be counted under one name (`item`): any of them will do, and the first is
    taken.
    """
    first_kind_of_item: dict[str, CanastaKind] = {}
    for kind in settings.canastas:
        first_kind_of_item.setdefault(kind.item, kind)
    kinds: list[CanastaKind] = []
    for item, number in canastas.items():
        kinds += [first_kind_of_item[item]] * number
    return sorted(kinds, key=_measure_choice_of_cards)


def _measure_choice_of_cards(kind: CanastaKind) -> int:
    """Return how much choice of cards there is for a kind of canasta (group of seven cards).

    It is a number to sort by: 0 for the least choice, 2 for the most.
    """
    if kind.rank is not None:
        return 0  # cards of one rank
    if kind.shape != "group":
        return 1  # a sequence, or wild cards (jokers and twos) alone
    return 2  # cards of any rank
