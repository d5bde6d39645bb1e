"""Sequences in samba and bolivia: which ranks they take from which suits, beside the groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from .cards import NATURALS, POINTS
from .stock import Counts, Stock

PLACES = range(len(NATURALS))


@dataclass(frozen=True, slots=True)
class Run:
    """The naturals of one sequence, as places in the order of ranks, and its wilds."""

    places: tuple[int, ...]
    wilds: int

    @property
    def points(self) -> int:
        return sum(POINTS[NATURALS[place]] for place in self.places)


@cache
def runs(most_wilds: int, shortest: int, longest: int) -> tuple[Run, ...]:
    """All sequences of these lengths with up to so many wilds, the shortest and then the cheapest
    first.
    """
    found: set[Run] = set()
    for wilds in range(most_wilds + 1):
        for size in range(max(2, shortest - wilds), longest - wilds + 1):
            for start in PLACES:
                found.update(Run(places, wilds) for places in _spread(start, size, wilds))
    return tuple(
        sorted(
            found, key=lambda run: (len(run.places) + run.wilds, run.wilds, run.points, run.places)
        )
    )


def _spread(start: int, size: int, wilds: int) -> Iterator[tuple[int, ...]]:
    """So many places from `start` on with at most `wilds` gaps between them."""
    within = range(start + 1, min(start + size + wilds, len(NATURALS)))
    for rest in combinations(within, size - 1):
        yield (start, *rest)


def take(counts: Counts, places: tuple[int, ...]) -> Counts:
    """The counts with one card less at each of these places."""
    return tuple(n - (place in places) for place, n in enumerate(counts))


def place_in_suits(
    suited: tuple[Counts, ...], chosen: tuple[Run, ...]
) -> Iterator[tuple[Counts, ...]]:
    """What the suits still hold once the chosen sequences are laid, for every way to give each a
    suit.
    """
    if not chosen:
        yield suited
        return
    run, seen = chosen[0], set()
    for suit, counts in enumerate(suited):
        if counts in seen or any(counts[place] < 1 for place in run.places):
            continue
        seen.add(counts)
        yield from place_in_suits(
            (*suited[:suit], take(counts, run.places), *suited[suit + 1 :]), chosen[1:]
        )


def choices(
    stock: Stock, clean: int, dirty: int, *, longest: int
) -> Iterator[tuple[tuple[Run, ...], Counts]]:
    """Every choice of so many sambas, clean and dirty, that the ranks allow, with the ranks left."""
    soiled = tuple(run for run in runs(2, 7, longest) if run.wilds) if dirty else ()
    for first, ranks in _pick(runs(0, 7, longest), stock.ranks, clean):
        for second, rest in _pick(soiled, ranks, dirty):
            yield (*first, *second), rest


def _pick(
    among: tuple[Run, ...], ranks: Counts, number: int
) -> Iterator[tuple[tuple[Run, ...], Counts]]:
    """So many of these, repetitions allowed, as far as the ranks hold out."""
    if number == 0:
        yield (), ranks
        return
    for i, run in enumerate(among):
        rest = take(ranks, run.places)
        if min(rest) >= 0:
            for more, left in _pick(among[i:], rest, number - 1):
                yield (run, *more), left
