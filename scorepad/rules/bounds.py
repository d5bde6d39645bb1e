"""The least and the most points that a side's cards can be worth, given only the canastas that it made.

Points counted at the table are possible between the cheapest and the dearest legal cards that make exactly these
canastas, beside any number of melds that are no canasta, out of the cards of the decks that the hand names nowhere
else. A plain layout that is surely legal settles most hands. The others are two integer programs, in which the number
of melds of each make-up is a variable; HiGHS solves them exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import inf
from typing import Any, Literal

from scorepad.rules.cards import (
    BLACK_THREE,
    BY_TOKEN,
    JOKER,
    NATURAL_INDICES,
    RED_THREE,
    TWO,
    Cards,
    Suit,
    cards_of,
    in_decks,
)
from scorepad.rules.checks import is_meld
from scorepad.rules.settings import BlackThrees, CanastaKind, Settings, Shape
from scorepad.rules.table import canasta_of, possible_melds

Resource = tuple[str | int, ...]
"""What pieces use up, or count toward: its name and what of it, like a card of a rank."""
Uses = tuple[tuple[Resource, int], ...]
Limits = Mapping[Resource, tuple[int, int | None]]
"""The least and the most that may be used of each resource; None without a bound."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something of which there may be any number: its points, and how much it uses of what."""

    points: int
    uses: Uses


@dataclass(frozen=True, slots=True)
class Solution:
    """The points in all, and how many there are of each piece."""

    points: int
    counts: tuple[int, ...]


MOST_OF_A_PIECE = 99
"""More than the decks hold of any card, or melds of any make-up."""
_WHOLE = 1
"""HiGHS's word for a variable in whole numbers."""
_SOLVED = "Optimal"
"""HiGHS's word for a program whose best end was found."""
_IDLE = ("mip_heuristic_run_feasibility_jump", "mip_detect_symmetry")
"""What HiGHS tries besides its exact search, and what takes longer than it saves on a hand of cards."""
_NEARER_THAN_ONE = 0.5
"""Points are whole numbers: of two values nearer than that, neither is better."""


def solve(pieces: Sequence[Piece], limits: Limits, end: Literal["least", "most"]) -> Solution | None:
    """The pieces within the limits that come to the least or the most points; None where there are none.

    A resource that has no limits is only counted.
    """
    program = _program(end)
    number = len(pieces)
    every = list(range(number))
    program.addVars(number, [0.0] * number, [float(MOST_OF_A_PIECE)] * number)
    program.changeColsIntegrality(number, every, [_WHOLE] * number)
    program.changeColsCost(number, every, [float(piece.points) for piece in pieces])
    columns = _columns(pieces)
    for resource, (low, high) in limits.items():
        used = columns.get(resource, {})
        if low > 0 and not used:
            return None
        if used:
            most = inf if high is None else float(high)
            program.addRow(float(low), most, len(used), list(used), list(used.values()))
    program.run()
    if program.modelStatusToString(program.getModelStatus()) != _SOLVED:
        return None
    counts = tuple(round(value) for value in program.getSolution().col_value)
    return Solution(sum(count * piece.points for count, piece in zip(counts, pieces, strict=True)), counts)


def _program(end: Literal["least", "most"]) -> Any:
    """A program to be filled, that looks for this end."""
    # Only hard questions come here: the solver is read when the first of them does.
    import highspy

    program = highspy.Highs()  # type: ignore[no-untyped-call]
    program.silent()
    program.setOptionValue("threads", 1)
    program.setOptionValue("mip_rel_gap", 0.0)
    program.setOptionValue("mip_abs_gap", _NEARER_THAN_ONE)
    for search in _IDLE:
        program.setOptionValue(search, False)
    if end == "least":
        # A few cheap pieces are found sooner than the program is made smaller.
        program.setOptionValue("presolve", "off")
    wanted = highspy.ObjSense.kMinimize if end == "least" else highspy.ObjSense.kMaximize
    program.changeObjectiveSense(wanted)
    return program


def _columns(pieces: Sequence[Piece]) -> dict[Resource, dict[int, int]]:
    """What each resource is used up by: how much of it by each piece, by its number."""
    columns: dict[Resource, dict[int, int]] = {}
    for number, piece in enumerate(pieces):
        for resource, count in piece.uses:
            if count:
                columns.setdefault(resource, {})[number] = count
    return columns


WILD: Resource = ("wild", "any")
"""Wild cards in melds with natural ones. Other resources: cards of a rank, a suited card, jokers, twos, an item."""


@dataclass(frozen=True, slots=True)
class Supply:
    """The cards left for a side, by kind, and how many of each suited card the decks can still hold."""

    counts: tuple[int, ...]
    suited: tuple[tuple[tuple[int, str], int], ...]
    """Those of which some are named elsewhere; of all others there may be as many as there are decks."""
    decks: int
    black_threes: bool


@lru_cache(maxsize=256)
def extreme(
    settings: Settings, wanted: tuple[tuple[str, int], ...], supply: Supply, end: Literal["least", "most"]
) -> int | None:
    """The least or the most points of cards that make exactly the canastas wanted; None where none do.

    Remembered, because a hand at the brink is judged again and again until it is saved.
    """
    found = solve(tuple(_pieces(settings, supply)), _limits(settings, dict(wanted), supply), end)
    return None if found is None else found.points


# ------------------------------------------------------------------------------------------------ the melds


def _pieces(settings: Settings, supply: Supply) -> Iterator[Piece]:
    """The legal melds of the cards left, each with the canasta that it is."""
    suited, points = dict(supply.suited), settings.card_points
    counts = {index: count for index, count in enumerate(supply.counts) if index not in (BLACK_THREE, RED_THREE)}
    cards = [(index, suit.value) for index in NATURAL_INDICES if counts[index] for suit in Suit]
    there = [(*card, suited.get(card, supply.decks)) for card in cards if suited.get(card, supply.decks)]
    black = {BLACK_THREE: supply.counts[BLACK_THREE]} if supply.black_threes else {}
    held = cards_of({**counts, **black}, tuple(sorted(there)))
    for added, wilds, meld in possible_melds(settings.wild_limit, settings.sequences, held):
        canasta = canasta_of(meld, settings)
        # What is as long as a canasta and is none of those that there are is not laid.
        if (canasta or meld.size < settings.canasta_length) and is_meld(meld, settings):
            uses: list[tuple[Resource, int]] = [(("card", index), n) for index, n in enumerate(added.counts) if n]
            uses += [(("suited", index, suit), count) for index, suit, count in added.suited]
            uses += [(("item", canasta.item), 1)] if canasta else []
            yield Piece(added.points(points), (*uses, (WILD, wilds)))
    # A wild card beside natural ones is a joker or a two, whichever the side likes.
    for index in (JOKER, TWO):
        yield Piece(points[index], ((("card", index), 1), (WILD, -1)))


def _limits(settings: Settings, wanted: Mapping[str, int], supply: Supply) -> Limits:
    """How much of everything may be used: least and most."""
    limits: dict[Resource, tuple[int, int | None]] = {WILD: (0, 0)}
    for index in (JOKER, TWO, *NATURAL_INDICES, BLACK_THREE):
        limits["card", index] = (0, supply.counts[index])
    suited = dict(supply.suited)
    for index, suit in product(NATURAL_INDICES, Suit):
        limits["suited", index, suit.value] = (0, suited.get((index, suit.value), supply.decks))
    for item in {kind.item for kind in settings.canastas}:
        limits["item", item] = (wanted.get(item, 0), wanted.get(item, 0))
    return limits


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
