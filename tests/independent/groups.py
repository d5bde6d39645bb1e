"""How the cards of one rank can be laid: in melds of that rank with wild cards, every division
tried.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

MOST_WILDS = 30
"""Wild cards in five decks: more never lie on the table."""

Shape = tuple[int, int, int, int, int]
"""One meld, or several together: natural canastas, mixed and long ones, naturals, wilds."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What holds for melds of one rank: the items of its canastas (None: cannot be made) and the
    limits.
    """

    natural: str | None
    mixed: str | None
    max_wilds: int
    ratio: str = "free"
    longest: int | None = None
    fewest: int = 2
    incomplete: bool = True
    long: int | None = None

    def allows(self, naturals: int, wilds: int) -> bool:
        """Whether one meld may hold so many naturals and wilds."""
        if naturals < self.fewest or wilds > self.max_wilds:
            return False
        kept = {
            "not-more": wilds <= naturals,
            "fewer": wilds < naturals or not wilds,
            "half": 2 * wilds <= naturals,
        }
        return kept.get(self.ratio, True)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to lay a rank: the canastas made, naturals left over, and the wilds it takes, any
    number from to.
    """

    made: tuple[tuple[str, int], ...]
    lost: int
    least: int
    most: int


def _shapes(kind: Kind, cards: int) -> Iterable[Shape]:
    for naturals in range(kind.fewest, cards + 1):
        for wilds in range(kind.max_wilds + 1):
            size = naturals + wilds
            if size < 3 or not kind.allows(naturals, wilds) or size > (kind.longest or size):
                continue
            if size < 7:
                if kind.incomplete:
                    yield 0, 0, 0, naturals, wilds
            elif wilds and kind.mixed:
                yield 0, 1, 0, naturals, wilds
            elif not wilds and kind.long and naturals >= kind.long:
                yield 0, 0, 1, naturals, wilds
            elif not wilds and kind.natural:
                yield 1, 0, 0, naturals, wilds


def _sums(shapes: list[Shape], cards: int) -> set[Shape]:
    """Every sum of melds that so many naturals allow."""
    found: set[Shape] = {(0, 0, 0, 0, 0)}
    fresh = list(found)
    while fresh:
        x, y, z, naturals, wilds = fresh.pop()
        for more in shapes:
            new = (x + more[0], y + more[1], z + more[2], naturals + more[3], wilds + more[4])
            if new[3] <= cards and new[4] <= MOST_WILDS and new not in found:
                found.add(new)
                fresh.append(new)
    return found


def _made(kind: Kind, x: int, y: int, z: int) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for item, n in ((kind.natural, x), (kind.mixed, y), ("long-canasta", z)):
        if item and n:
            counts[item] = counts.get(item, 0) + n
    return tuple(sorted(counts.items()))


@cache
def ways(kind: Kind, cards: int) -> tuple[Way, ...]:
    """All ways to lay up to so many naturals of a rank, those left out that another beats in every
    respect.
    """
    wilds_of: dict[tuple[tuple[tuple[str, int], ...], int], set[int]] = {}
    for x, y, z, naturals, wilds in _sums(list(_shapes(kind, cards)), cards):
        wilds_of.setdefault((_made(kind, x, y, z), cards - naturals), set()).add(wilds)
    found = [
        Way(made, lost, *run) for (made, lost), wilds in wilds_of.items() for run in _runs(wilds)
    ]
    return tuple(way for way in found if not any(_beats(other, way) for other in found))


@cache
def ways_with_sequences(kind: Kind, cards: int) -> tuple[Way, ...]:
    """As `ways`, where sequences may take any number of the naturals: better than can be, a bound
    only.
    """
    found = {way for number in range(cards + 1) for way in ways(kind, number)}
    return tuple(way for way in found if not any(_beats(other, way) for other in found))


def _runs(numbers: set[int]) -> list[tuple[int, int]]:
    """The numbers as runs without a gap."""
    runs: list[tuple[int, int]] = []
    for n in sorted(numbers):
        if runs and runs[-1][1] == n - 1:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return runs


def _beats(one: Way, other: Way) -> bool:
    better = one.lost <= other.lost and one.least <= other.least and one.most >= other.most
    return one.made == other.made and better and one != other


@cache
def cheapest(kind: Kind, cards: int) -> tuple[tuple[tuple[tuple[str, int], ...], int, int], ...]:
    """The shortest canastas and nothing else: what is made, wilds, the fewest naturals for it."""
    seven = [
        shape
        for shape in _shapes(kind, cards)
        if (shape[0] + shape[1] and shape[3] + shape[4] == 7)
        or (shape[2] and shape[3] == kind.long)
    ]
    fewest: dict[tuple[tuple[tuple[str, int], ...], int], int] = {}
    for x, y, z, naturals, wilds in _sums(seven, cards):
        key = (_made(kind, x, y, z), wilds)
        fewest[key] = min(naturals, fewest.get(key, naturals))
    return tuple((made, wilds, naturals) for (made, wilds), naturals in fewest.items())
