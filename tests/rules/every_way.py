"""Every way of laying cards, one by one: what totals are proved against.

Nothing of the engine is used here. Legal melds are listed from the rules as a player would say
them, for supplies so small that all layouts can be tried.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

POINTS = {
    "JK": 50, "2": 20, "A": 20, "K": 10, "Q": 10, "J": 10, "10": 10, "9": 10, "8": 10, "7": 5, "6": 5, "5": 5, "4": 5,
    "3b": 5,
}  # fmt: skip
ORDER = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4")
"""Ranks as sequences go."""

CardCounts = dict[str, int]
"""How many cards of each name there are: `{"K": 4, "10h": 1}`; suited ones as `10h`."""
Canastas = tuple[str, ...]
"""The canastas made together, by item, sorted."""


@dataclass(frozen=True, slots=True)
class OneMeld:
    """A legal meld: its cards, and the canasta that it makes, if any."""

    cards: tuple[tuple[str, int], ...]
    item: str | None = None

    @property
    def points(self) -> int:
        return sum(POINTS[name.rstrip("hdsc")] * count for name, count in self.cards)


def groups(
    available: CardCounts,
    rank: str,
    most_wilds: Callable[[int], int],
    items: tuple[str, str],
    *,
    longest: int = 99,
    fewest: int = 2,
) -> Iterator[OneMeld]:
    """Melds of one rank, of suited cards in every choice of suits: `most_wilds` beside so many
    naturals; the items of a canasta without wild cards, and with some.
    """
    natural, mixed = items
    names = [name for name in available if name == rank or name[:-1] == rank]
    for counts in product(*(_up_to(available, name) for name in names)):
        naturals = sum(counts)
        for twos, jokers in product(_up_to(available, "2"), _up_to(available, "JK")):
            wilds = twos + jokers
            size = naturals + wilds
            if naturals >= fewest and 3 <= size <= longest and wilds <= most_wilds(naturals):
                cards = (*zip(names, counts, strict=True), ("2", twos), ("JK", jokers))
                item = mixed if wilds else natural
                yield OneMeld(cards, item if size >= 7 else None)


def wilds_alone(available: CardCounts, item: Callable[[int], str]) -> Iterator[OneMeld]:
    """Melds of three to seven wild cards: `item` of seven with so many jokers."""
    for twos, jokers in product(_up_to(available, "2"), _up_to(available, "JK")):
        size = twos + jokers
        if 3 <= size <= 7:
            cards = (("2", twos), ("JK", jokers))
            yield OneMeld(cards, item(jokers) if size == 7 else None)


def sequences(available: CardCounts, most_wilds: int, items: tuple[str, str]) -> Iterator[OneMeld]:
    """Sequences of three cards or more in one suit; a wild card stands for a card of it. The items
    of a canasta without wild cards, and with some.
    """
    clean, dirty = items
    found = set()
    for suit, size in product("hdsc", range(3, len(ORDER) + 1)):
        there = [f"{rank}{suit}" for rank in ORDER]
        for first in range(len(ORDER) - size + 1):
            run = there[first : first + size]
            for wilds in range(min(most_wilds, size - 2) + 1):
                for naturals in combinations(run, size - wilds):
                    if all(available.get(name, 0) for name in naturals):
                        found.add((naturals, wilds))
    for naturals, wilds in sorted(found):
        for jokers in range(wilds + 1):
            cards = [(name, 1) for name in naturals]
            cards += [("2", wilds - jokers), ("JK", jokers)]
            item = dirty if wilds else clean
            yield OneMeld(tuple(cards), item if len(naturals) + wilds >= 7 else None)


def _up_to(available: CardCounts, name: str) -> range:
    return range(available.get(name, 0) + 1)


def bounds_by_canastas(
    melds: Iterable[OneMeld], available: CardCounts
) -> dict[Canastas, tuple[int, int]]:
    """The fewest and the most points of everything laid, for each choice of canastas that can be
    made together of the cards available.
    """
    names = tuple(available)
    start: tuple[tuple[int, ...], Canastas] = (tuple(available.values()), ())
    reached = {start: (0, 0)}
    for meld in melds:
        uses = dict(meld.cards)
        takes = tuple(uses.get(name, 0) for name in names)
        if any(count > available.get(name, 0) for name, count in meld.cards):
            continue
        fresh = dict(reached)
        while fresh:
            fresh = _once_more(fresh, takes, meld)
            for state, (least, most) in fresh.items():
                low, high = reached.get(state, (least, most))
                reached[state] = (min(low, least), max(high, most))
    found: dict[Canastas, tuple[int, int]] = {}
    for (_, made), (least, most) in reached.items():
        low, high = found.get(made, (least, most))
        found[made] = (min(low, least), max(high, most))
    return found


def _once_more(
    states: dict[tuple[tuple[int, ...], Canastas], tuple[int, int]],
    takes: tuple[int, ...],
    meld: OneMeld,
) -> dict[tuple[tuple[int, ...], Canastas], tuple[int, int]]:
    """The same meld laid once more, wherever the cards are there for it."""
    further = {}
    for (left, made), (least, most) in states.items():
        rest = tuple(have - take for have, take in zip(left, takes, strict=True))
        if min(rest) >= 0:
            both = tuple(sorted((*made, meld.item))) if meld.item else made
            further[rest, both] = (least + meld.points, most + meld.points)
    return further
