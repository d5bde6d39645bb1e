"""How wild cards can be laid by themselves, and what the rest of them is worth in other melds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .game import Game
from .melds import wild_item

WILD_ITEMS = (
    "wild-canasta",
    "twos-canasta",
    "four-jokers-canasta",
    "six-jokers-canasta",
    "bolivia",
)
Pair = tuple[int, int]
"""Jokers and twos."""


@dataclass(frozen=True, slots=True)
class WildMelds:
    """Wild-only melds of a game: which canasta seven of them make, by the number of jokers (none:
    not allowed).

    `longer` are those of more than seven cards that go too: (item, jokers, twos).
    """

    items: tuple[str, ...]
    longer: tuple[tuple[str, int, int], ...] = ()

    @classmethod
    def of(cls, game: Game) -> WildMelds:
        if not game.wild_melds:
            return cls(())
        items = tuple(wild_item(game, jokers, 7) for jokers in range(8))
        if game.longest_wild_meld is not None:
            return cls(items)
        most_jokers, most_twos = 2 * game.decks, 4 * game.decks
        sizes = range(8, most_jokers + most_twos + 1)
        pairs = ((jokers, size - jokers) for size in sizes for jokers in range(most_jokers + 1))
        return cls(
            items, tuple((wild_item(game, j, j + t), j, t) for j, t in pairs if 0 <= t <= most_twos)
        )


@cache
def wild_layouts(
    melds: WildMelds, needed: tuple[int, ...], wilds: Pair, *, canastas_only: bool
) -> frozenset[Pair]:
    """The (jokers, twos) that wild-only melds can take with exactly the canastas needed, in the
    order of WILD_ITEMS.
    """
    shapes = list(_shapes(melds, canastas_only=canastas_only))
    none = (0,) * len(WILD_ITEMS)
    found, fresh = {(none, 0, 0)}, [(none, 0, 0)]
    while fresh:
        made, jokers, twos = fresh.pop()
        for item, j, t in shapes:
            more = tuple(n + (i == item) for i, n in enumerate(made))
            new = (more, jokers + j, twos + t)
            fits = (
                new[1] <= wilds[0]
                and new[2] <= wilds[1]
                and all(n <= m for n, m in zip(more, needed, strict=True))
            )
            if fits and new not in found:
                found.add(new)
                fresh.append(new)
    return frozenset((jokers, twos) for made, jokers, twos in found if made == needed)


def _shapes(melds: WildMelds, *, canastas_only: bool) -> Iterator[tuple[int, int, int]]:
    for jokers, item in enumerate(melds.items):
        yield WILD_ITEMS.index(item), jokers, 7 - jokers
    for item, jokers, twos in melds.longer:
        yield WILD_ITEMS.index(item), jokers, twos
    if melds.items and not canastas_only:
        for size in range(3, 7):
            for jokers in range(size + 1):
                yield -1, jokers, size - jokers


def worth(jokers: int, twos: int) -> int:
    return 50 * jokers + 20 * twos


def dearest_wilds(wilds: Pair, layouts: frozenset[Pair], least: int, most: int) -> int | None:
    """The most points of wilds where other melds must take from `least` to `most` of them; None if
    they cannot.
    """
    best = None
    for j, t in layouts:
        jokers, twos = wilds[0] - j, wilds[1] - t
        used = min(most, jokers + twos)
        if used >= least:
            points = worth(j, t) + worth(min(used, jokers), max(0, used - jokers))
            best = points if best is None else max(best, points)
    return best


def cheapest_wilds(wilds: Pair, layouts: frozenset[Pair], used: int) -> int | None:
    """The fewest points of wilds where other melds take exactly `used` of them; None if they
    cannot.
    """
    costs = []
    for j, t in layouts:
        jokers, twos = wilds[0] - j, wilds[1] - t
        if used <= jokers + twos:
            costs.append(worth(j, t) + worth(max(0, used - twos), min(used, twos)))
    return min(costs, default=None)
