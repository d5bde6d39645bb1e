"""What the cards of a side can be worth, once it is told only which canastas it made.

Points counted at the table are possible when they lie between the cheapest and the dearest legal cards that make
exactly the canastas named, beside any number of melds that are no canasta, out of what the decks hold less every card
that the hand names elsewhere. Most hands are settled by a plain layout that is surely legal: what lies between its
ends is possible. The others are weighed exactly (`layouts`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scorepad.rules.cards import BLACK_THREE, BY_TOKEN, JOKER, NATURAL_INDICES, TWO, Cards, Suit
from scorepad.rules.decks import in_decks
from scorepad.rules.layouts import Supply, extreme
from scorepad.rules.settings import Settings
from scorepad.rules.terms import BlackThrees, CanastaKind, Shape


@dataclass(frozen=True, slots=True)
class Demand:
    """The canastas that a side says it made, by item; `went_out` allows melds of black threes."""

    canastas: tuple[tuple[str, int], ...]
    went_out: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the most points that the cards can be worth, both reachable."""

    least: int
    most: int

    def holds(self, points: int) -> bool:
        """Whether so many points lie between the bounds; some, but fewer than the cheapest meld, never do."""
        return self.least <= points <= self.most and (points == 0 or points >= CHEAPEST_MELD)


CHEAPEST_MELD = 15
"""Three cards of five points."""


def interval(settings: Settings, demand: Demand, taken: Cards, asked: int) -> Bounds | None:
    """The bounds of a side's card points; None where no cards make the canastas demanded.

    The end that `asked` lies beyond is exact; the other, or both, may be those of a plain layout, quick to find.
    """
    canastas = dict(demand.canastas)
    concealed = canastas.pop("concealed-canasta", 0)
    if concealed > sum(canastas.values()):
        return None
    supply = _supply(settings, taken, demand.went_out)
    wanted = {item: count for item, count in canastas.items() if count}
    if sum(wanted.values()) * settings.canasta_length > sum(supply.counts):
        return None
    quick = _quick_bounds(settings, wanted, supply)
    if quick and quick.least <= asked <= quick.most:
        return quick
    named = tuple(wanted.items())
    least = quick.least if quick and asked > quick.most else extreme(settings, named, supply, "least")
    if least is None:
        return None
    reached = quick is not None and (asked < quick.least or quick.most == _everything(settings, supply))
    most = quick.most if quick and reached else extreme(settings, named, supply, "most")
    assert most is not None, "what has a cheapest layout has a dearest one"
    return Bounds(least, most)


def _supply(settings: Settings, taken: Cards, went_out: bool) -> Supply:
    left = tuple(max(0, limit - gone) for limit, gone in zip(in_decks(settings.decks), taken.counts, strict=True))
    suited = {(index, suit): max(0, settings.decks - count) for index, suit, count in taken.suited}
    threes = went_out and settings.black_threes is not BlackThrees.NEVER
    return Supply(left, tuple(suited.items()), settings.decks, black_threes=threes)


def _everything(settings: Settings, supply: Supply) -> int:
    """The points of all the cards that a side could lay, if every one of them found its place."""
    kinds = (JOKER, TWO, *NATURAL_INDICES, *((BLACK_THREE,) if supply.black_threes else ()))
    return sum(supply.counts[index] * settings.card_points[index] for index in kinds)


# ------------------------------------------------------------------------------------------------ quickly


@dataclass(frozen=True, slots=True)
class _Layout:
    """Canastas laid plainly: their points, the cards left beside them, and the ranks to whose canastas more may go."""

    points: int
    left: list[int]
    open_ranks: frozenset[int]


def _quick_bounds(settings: Settings, wanted: dict[str, int], supply: Supply) -> Bounds | None:
    """Bounds that some plain layout reaches, so that everything between them is possible; None where none was found."""
    cheapest = _laid_plainly(settings, wanted, supply, dear=False)
    dearest = _laid_plainly(settings, wanted, supply, dear=True)
    if cheapest is None or dearest is None:
        return None
    # Cheap canastas may leave more to be laid beside them than dear ones.
    return Bounds(cheapest.points, max(_with_the_rest(settings, layout, supply) for layout in (cheapest, dearest)))


def _laid_plainly(settings: Settings, wanted: dict[str, int], supply: Supply, *, dear: bool) -> _Layout | None:
    """The canastas wanted, each of the plainest make-up that is there, of the cheapest or dearest ranks."""
    left, suits, points = list(supply.counts), _Suits(dict(supply.suited), supply.decks), 0
    kinds = [_plainest(settings, item) for item, count in wanted.items() for _ in range(count)]
    # What only one rank will do for comes first, and sequences before what can be made of any rank.
    kinds.sort(key=lambda kind: (kind.rank is None, kind.shape is Shape.GROUP))
    grouped = []
    for kind in kinds:
        cards = _run(settings, kind, left, suits, dear=dear) or _group(settings, kind, left, dear=dear)
        if not cards:
            return None
        if kind.shape is Shape.GROUP and settings.meld_longest is None:
            grouped.append(cards[0])
        for index in cards:
            left[index] -= 1
            points += settings.card_points[index]
    return _Layout(points, left, frozenset(grouped))


def _plainest(settings: Settings, item: str) -> CanastaKind:
    return next(kind for kind in settings.canastas if kind.item == item)


@dataclass(frozen=True, slots=True)
class _Suits:
    """How many of each suited card are left; of one that nobody named, as many as there are decks."""

    left: dict[tuple[int, str], int]
    decks: int

    def take(self, run: Iterable[int], suit: str) -> bool:
        """Take these ranks in a suit, if they are all there."""
        cards = [(index, suit) for index in run]
        if not all(self.left.get(card, self.decks) for card in cards):
            return False
        for card in cards:
            self.left[card] = self.left.get(card, self.decks) - 1
        return True


def _run(settings: Settings, kind: CanastaKind, left: list[int], suits: _Suits, *, dear: bool) -> list[int]:
    """Cards of a sequence of the kind that is there in some suit, taken out of the suits; none where there is none."""
    if kind.shape is not Shape.SEQUENCE or kind.wilds[0] > left[TWO] + left[JOKER]:
        return []
    length = settings.canasta_length - kind.wilds[0]
    runs = [NATURAL_INDICES[first : first + length] for first in range(len(NATURAL_INDICES) - length + 1)]
    for run in runs if dear else reversed(runs):
        if all(left[index] for index in run) and any(suits.take(run, suit.value) for suit in Suit):
            return [*run, *_wilds(left, kind.wilds[0])]
    return []


def _group(settings: Settings, kind: CanastaKind, left: list[int], *, dear: bool) -> list[int]:
    """Cards of a group of the kind, or of wild cards alone, with as few wild cards as there must be; none without."""
    if kind.shape is Shape.WILDS:
        return _of_wilds(settings, kind, left, dear=dear)
    if kind.shape is Shape.SEQUENCE:
        return []
    bound = {BY_TOKEN[other.rank] for other in settings.canastas if other.rank}
    ranks = [BY_TOKEN[kind.rank]] if kind.rank else [index for index in NATURAL_INDICES if index not in bound]
    for wilds in range(kind.wilds[0], min(kind.wilds[1], left[TWO] + left[JOKER]) + 1):
        naturals = settings.canasta_length - wilds
        for rank in ranks if dear else reversed(ranks):
            if left[rank] >= naturals and wilds <= settings.most_wilds(naturals, rank):
                return [rank] * naturals + _wilds(left, wilds)
    return []


def _wilds(left: list[int], count: int) -> list[int]:
    """So many wild cards, twos as long as there are any."""
    twos = min(count, left[TWO])
    return [TWO] * twos + [JOKER] * (count - twos)


def _of_wilds(settings: Settings, kind: CanastaKind, left: list[int], *, dear: bool) -> list[int]:
    length = settings.canasta_length
    fitting = [
        jokers
        for jokers in range(max(0, length - left[TWO]), min(length, left[JOKER]) + 1)
        if kind is next(other for other in settings.canastas if other.fits(Shape.WILDS, length, jokers, ()))
    ]
    jokers = (max if dear else min)(fitting, default=-1)
    return [JOKER] * jokers + [TWO] * (length - jokers) if fitting else []


def _with_the_rest(settings: Settings, layout: _Layout, supply: Supply) -> int:
    """The points of a layout with what is left laid in melds that are no canasta; wilds, jokers first, as far as fits.

    One or two cards of a rank go to the canasta of it, where there is one that takes more.
    """
    counts, points, room = layout.left, layout.points, 0
    if supply.black_threes and settings.meld_shortest <= counts[BLACK_THREE] < settings.canasta_length:
        points += counts[BLACK_THREE] * settings.card_points[BLACK_THREE]
    for rank in NATURAL_INDICES:
        melds = counts[rank] // settings.meld_shortest
        if melds:
            largest = -(-counts[rank] // melds)
            most = settings.most_wilds(counts[rank] // melds, rank)
            points += counts[rank] * settings.card_points[rank]
            room += melds * max(0, min(most, settings.canasta_length - 1 - largest))
        elif rank in layout.open_ranks:
            points += counts[rank] * settings.card_points[rank]
    jokers = min(room, counts[JOKER])
    twos = min(room - jokers, counts[TWO])
    return points + jokers * settings.card_points[JOKER] + twos * settings.card_points[TWO]
