"""The dearest and the cheapest way to lay the ranks that no sequence takes, with exactly the
canastas named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from .cards import BLACK, NATURALS, POINTS
from .game import Game
from .groups import Kind, Way, cheapest, ways, ways_with_sequences
from .melds import group_items
from .stock import Counts, Stock
from .wilds import WILD_ITEMS, Pair, WildMelds, cheapest_wilds, dearest_wilds, wild_layouts

SEQUENCES = ("samba", "dirty-samba")
Item = tuple[tuple[str, int], ...]
Frontier = dict[tuple[int, ...], set[tuple[int, int, int]]]
"""By canastas made so far: (points lost, least wilds, most wilds), none better than another in
every respect.
"""


@dataclass(frozen=True)
class Problem:
    """What may be laid: the kinds of melds of each rank, the canastas named, the wilds at hand."""

    kinds: tuple[Kind, ...]
    black: Kind | None
    blacks: int
    items: tuple[str, ...]
    needed: tuple[int, ...]
    wild_melds: WildMelds
    wild_needed: tuple[int, ...]
    wilds: Pair

    def piles(self, ranks: Counts) -> list[tuple[Kind, int, int]]:
        """Kind, cards and points of a card for each rank that is to be laid in groups."""
        found = [
            (kind, n, POINTS[rank])
            for kind, n, rank in zip(self.kinds, ranks, NATURALS, strict=True)
        ]
        return [*found, (self.black, self.blacks, POINTS[BLACK])] if self.black else found


def make_problem(game: Game, stock: Stock, named: Counter[str], *, went_out: bool) -> Problem:
    """The problem of a side's totals."""
    kinds = tuple(rank_kind(game, rank) for rank in NATURALS)
    items = tuple(item for item in named if named[item] and item not in (*SEQUENCES, *WILD_ITEMS))
    return Problem(
        kinds,
        black_kind(game) if went_out and game.black_melds else None,
        stock.blacks,
        items,
        tuple(named[item] for item in items),
        WildMelds.of(game),
        tuple(named[item] for item in WILD_ITEMS),
        (stock.jokers, stock.twos),
    )


def ratio_of(game: Game) -> str:
    """The ratio of wilds to naturals in force, by name."""
    if game.option("books") == "with-wild-books":
        return "half"
    if game.variant == "canastone":
        return "not-more"
    names = {"not-more-than-naturals": "not-more", "fewer-than-naturals": "fewer"}
    return names.get(str(game.option("wild-limit")), "free")


def rank_kind(game: Game, rank: str) -> Kind:
    natural, mixed = group_items(game, rank)
    no_wilds = game.variant == "moderna" and rank == "7"
    most_wilds = 0 if no_wilds else game.max_wilds
    ratio = ratio_of(game)
    return Kind(natural, mixed, most_wilds, ratio, game.longest, long=game.house.long)


def black_kind(game: Game) -> Kind:
    pure = game.option("black-threes-out") == "pure"
    mixed = "mixed-canasta" if game.option("black-three-canasta") else None
    return Kind(
        None, mixed, 0 if pure else game.max_wilds, ratio_of(game), game.longest, game.fewest_blacks
    )


def _add(
    items: tuple[str, ...], so_far: tuple[int, ...], made: Item, needed: tuple[int, ...]
) -> tuple[int, ...] | None:
    """The canastas made with these added; None where some are not asked for, or too many."""
    counts: Mapping[str, int] = dict(made)
    if any(item not in items for item in counts):
        return None
    total = tuple(n + counts.get(item, 0) for item, n in zip(items, so_far, strict=True))
    return total if all(n <= m for n, m in zip(total, needed, strict=True)) else None


def dearest_groups(
    problem: Problem,
    ranks: Counts,
    extra: int = 0,
    *,
    shared: frozenset[int] = frozenset(),
    loose: bool = False,
) -> int | None:
    """The most points that groups and wilds can bring; `extra` wilds go elsewhere and count; None
    if impossible.

    For a bound: sequences may take what they like of the `shared` ranks, and, where `loose`, any
    wilds.
    """
    frontier: Frontier = {(0,) * len(problem.items): {(0, 0, 0)}}
    piles = problem.piles(ranks)
    cap = sum(problem.wilds)
    for place, (kind, cards, points) in enumerate(piles):
        found_ways = ways_with_sequences(kind, cards) if place in shared else ways(kind, cards)
        frontier = _next(problem, frontier, found_ways, points)
    laid = sum(cards * points for _, cards, points in piles)
    layouts = wild_layouts(
        problem.wild_melds, problem.wild_needed, problem.wilds, canastas_only=False
    )
    found = []
    for lost, least, most in frontier.get(problem.needed, ()):
        wilds = dearest_wilds(problem.wilds, layouts, least + extra, cap if loose else most + extra)
        if wilds is not None:
            found.append(laid - lost + wilds)
    return max(found, default=None)


def _next(
    problem: Problem, frontier: Frontier, rank_ways: tuple[Way, ...], points: int
) -> Frontier:
    new: Frontier = {}
    cap = sum(problem.wilds)
    for way in rank_ways:
        for so_far, costs in frontier.items():
            total = _add(problem.items, so_far, way.made, problem.needed)
            if total is None:
                continue
            for lost, least, most in costs:
                if least + way.least <= cap:
                    end = (lost + way.lost * points, least + way.least, min(cap, most + way.most))
                    _keep(new.setdefault(total, set()), end)
    return new


def _keep(costs: set[tuple[int, int, int]], new: tuple[int, int, int]) -> None:
    if any(_at_least(old, new) for old in costs):
        return
    costs.difference_update([old for old in costs if _at_least(new, old)])
    costs.add(new)


def _at_least(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    return one[0] <= other[0] and one[1] <= other[1] and one[2] >= other[2]


def cheapest_groups(problem: Problem, ranks: Counts, extra: int = 0) -> int | None:
    """The fewest points of cards that make exactly the canastas named; `extra` wilds go elsewhere
    and count.
    """
    costs: dict[tuple[tuple[int, ...], int], int] = {((0,) * len(problem.items), 0): 0}
    for kind, cards, points in problem.piles(ranks):
        new: dict[tuple[tuple[int, ...], int], int] = {}
        for made, wilds, naturals in cheapest(kind, cards):
            for (so_far, used), cost in costs.items():
                total = _add(problem.items, so_far, made, problem.needed)
                if total is not None and used + wilds <= sum(problem.wilds):
                    key = (total, used + wilds)
                    new[key] = min(cost + naturals * points, new.get(key, 10**9))
        costs = new
    layouts = wild_layouts(
        problem.wild_melds, problem.wild_needed, problem.wilds, canastas_only=True
    )
    found = []
    for (made_all, used), cost in costs.items():
        wilds_cost = cheapest_wilds(problem.wilds, layouts, used + extra)
        if made_all == problem.needed and wilds_cost is not None:
            found.append(cost + wilds_cost)
    return min(found, default=None)
