"""The least and the most points that a side's cards can be worth, given only the canastas that it
made.

Points counted at the table are possible if they lie between the cheapest and the dearest legal
cards that make exactly these canastas, beside any number of melds that are not canastas, from the
cards that the hand does not name elsewhere. A plain layout that is always legal settles most hands.
The others are two integer programs, in which the number of melds of each composition is a variable;
HiGHS solves them exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from math import inf
from typing import Any, Literal, NamedTuple

from scorepad.rules.cards import (
    BLACK_THREE,
    INDEX,
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
from scorepad.rules.possible_melds import possible_melds
from scorepad.rules.settings import CanastaKind, Settings
from scorepad.rules.table import canasta_of

Resource = tuple[str | int, ...]
"""What pieces consume or count toward: its name and a qualifier, such as the rank of a card."""
Uses = tuple[tuple[Resource, int], ...]
Limits = Mapping[Resource, tuple[int, int | None]]
"""The minimum and maximum use of each resource; a maximum of None is unbounded."""


class Piece(NamedTuple):
    """A variable of the integer program: its points, and how much of each resource one of it uses."""

    points: int
    uses: Uses


MOST_OF_A_PIECE = 99
"""More than the number of any card, or of melds of any composition."""
_WHOLE = 1
"""HiGHS's constant for an integer variable."""
_SOLVED = "Optimal"
"""HiGHS's status for a program solved to optimality."""
_OPTIONS: dict[str, Any] = {
    "threads": 1,
    "mip_rel_gap": 0.0,
    # Points are integers: a smaller gap makes no difference.
    "mip_abs_gap": 0.5,
    # HiGHS's other techniques take longer than they save on a hand of cards.
    "mip_heuristic_run_feasibility_jump": False,
    "mip_detect_symmetry": False,
}


def solve(
    pieces: Sequence[Piece], limits: Limits, end: Literal["least", "most"]
) -> tuple[int, ...] | None:
    """How many of each piece give the least or the most points within the limits; None if no
    combination is within.

    A resource without limits is only counted.
    """
    # Imported lazily: most hands do not need the solver.
    import highspy

    program: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    program.silent()
    # A few cheap pieces are found faster than presolve runs.
    presolve = {"presolve": "off"} if end == "least" else dict[str, Any]()
    for name, value in (_OPTIONS | presolve).items():
        program.setOptionValue(name, value)
    program.changeObjectiveSense(
        highspy.ObjSense.kMinimize if end == "least" else highspy.ObjSense.kMaximize
    )
    number = len(pieces)
    every = list(range(number))
    program.addVars(number, [0.0] * number, [float(MOST_OF_A_PIECE)] * number)
    program.changeColsIntegrality(number, every, [_WHOLE] * number)
    program.changeColsCost(number, every, [float(piece.points) for piece in pieces])
    users: dict[Resource, dict[int, int]] = {}
    for column, piece in enumerate(pieces):
        for resource, count in piece.uses:
            if count:
                users.setdefault(resource, {})[column] = count
    for resource, (low, high) in limits.items():
        used = users.get(resource, {})
        if low > 0 and not used:
            return None
        if used:
            most = inf if high is None else float(high)
            program.addRow(float(low), most, len(used), list(used), list(used.values()))
    program.run()
    if program.modelStatusToString(program.getModelStatus()) != _SOLVED:
        return None
    return tuple(round(value) for value in program.getSolution().col_value)


WILD: Resource = ("wild", "any")
"""Wild cards in melds with natural cards. Other resources: cards of a rank, a suited card, jokers,
twos, an item.
"""


class Supply(NamedTuple):
    """The cards available to a side, by kind, and how many of each suited card are left in the
    decks.
    """

    counts: tuple[int, ...]
    suited: tuple[tuple[tuple[int, str], int], ...]
    """Suited cards of which some are named elsewhere; of every other there are as many as there are
    decks.
    """
    decks: int
    black_threes: bool


@lru_cache(maxsize=256)
def extreme(
    settings: Settings,
    wanted: tuple[tuple[str, int], ...],
    supply: Supply,
    end: Literal["least", "most"],
) -> int | None:
    """The least or the most points of cards that make exactly the canastas wanted; None if no cards
    do.

    Cached, because a hand at the limit is judged repeatedly until it is saved.
    """
    pieces = tuple(_pieces(settings, supply))
    counts = solve(pieces, _limits(settings, dict(wanted), supply), end)
    return (
        None
        if counts is None
        else sum(count * piece.points for count, piece in zip(counts, pieces, strict=True))
    )


# ---------------------------------------------------------------------------------------- the melds


def _pieces(settings: Settings, supply: Supply) -> Iterator[Piece]:
    """The legal melds of the available cards, each with the canasta that it makes."""
    suited, points = dict(supply.suited), settings.card_points
    counts = {
        index: count
        for index, count in enumerate(supply.counts)
        if index not in (BLACK_THREE, RED_THREE)
    }
    cards = [(index, suit.value) for index in NATURAL_INDICES if counts[index] for suit in Suit]
    there = [
        (*card, suited.get(card, supply.decks)) for card in cards if suited.get(card, supply.decks)
    ]
    black = {BLACK_THREE: supply.counts[BLACK_THREE]} if supply.black_threes else {}
    held = cards_of({**counts, **black}, tuple(sorted(there)))
    for added, wilds, meld in possible_melds(settings.wild_limit, settings.sequences, held):
        canasta = canasta_of(meld, settings)
        # A meld as long as a canasta that matches no kind of canasta cannot be laid.
        if (canasta or meld.size < settings.canasta_length) and is_meld(meld, settings):
            item: Uses = ((("item", canasta.item), 1),) if canasta else ()
            yield Piece(added.points(points), (*uses_of_cards(added), *item, (WILD, wilds)))
    # A wild card beside natural cards is either a joker or a two.
    for index in (JOKER, TWO):
        yield Piece(points[index], ((("card", index), 1), (WILD, -1)))


def uses_of_cards(cards: Cards) -> Iterator[tuple[Resource, int]]:
    """The cards of each kind, and of each suit that is known, as resources."""
    yield from ((("card", index), count) for index, count in enumerate(cards.counts) if count)
    yield from ((("suited", index, suit), count) for index, suit, count in cards.suited)


def _limits(settings: Settings, wanted: Mapping[str, int], supply: Supply) -> Limits:
    """The minimum and maximum use of every resource."""
    limits: dict[Resource, tuple[int, int | None]] = {WILD: (0, 0)}
    for index in (JOKER, TWO, *NATURAL_INDICES, BLACK_THREE):
        limits["card", index] = (0, supply.counts[index])
    suited = dict(supply.suited)
    for index, suit in product(NATURAL_INDICES, Suit):
        limits["suited", index, suit.value] = (0, suited.get((index, suit.value), supply.decks))
    for item in {kind.item for kind in settings.canastas}:
        limits["item", item] = (wanted.get(item, 0), wanted.get(item, 0))
    return limits


class Bounds(NamedTuple):
    """The least and the most points that the cards can be worth, both reachable."""

    least: int
    most: int

    def holds(self, points: int) -> bool:
        """Whether the points lie within the bounds and are 0 or at least those of the cheapest
        meld.
        """
        return self.least <= points <= self.most and (points == 0 or points >= CHEAPEST_MELD)


CHEAPEST_MELD = 15
"""Three cards of five points."""


def interval(
    settings: Settings,
    canastas: Mapping[str, int],
    taken: Cards,
    asked: int,
    *,
    went_out: bool = False,
) -> Bounds | None:
    """The bounds of the points of a side's cards; None if no cards make these canastas (by item).

    `went_out` allows melds of black threes; `taken` are not available. A bound that excludes
    `asked` is exact; the others may come from a plain layout, which is quick to compute.
    """
    wanted = {item: count for item, count in sorted(canastas.items()) if count}
    if wanted.pop("concealed-canasta", 0) > sum(wanted.values()):
        return None
    supply = _supply(settings, taken, went_out)
    if sum(wanted.values()) * settings.canasta_length > sum(supply.counts):
        return None
    quick = _quick_bounds(settings, wanted, supply)
    if quick and quick.least <= asked <= quick.most:
        return quick
    named = tuple(wanted.items())
    least = (
        quick.least if quick and asked > quick.most else extreme(settings, named, supply, "least")
    )
    if least is None:
        return None
    reached = quick is not None and (
        asked < quick.least or quick.most == _everything(settings, supply)
    )
    most = quick.most if quick and reached else extreme(settings, named, supply, "most")
    assert most is not None, "what has a cheapest layout has a dearest one"
    return Bounds(least, most)


def _supply(settings: Settings, taken: Cards, went_out: bool) -> Supply:
    left = tuple(
        max(0, limit - gone)
        for limit, gone in zip(in_decks(settings.decks), taken.counts, strict=True)
    )
    suited = {(index, suit): max(0, settings.decks - count) for index, suit, count in taken.suited}
    threes = went_out and settings.black_threes != "never"
    return Supply(left, tuple(suited.items()), settings.decks, black_threes=threes)


def _everything(settings: Settings, supply: Supply) -> int:
    """The points of all cards that a side could lay, if all of them fit into melds."""
    kinds = (JOKER, TWO, *NATURAL_INDICES, *((BLACK_THREE,) if supply.black_threes else ()))
    return sum(supply.counts[index] * settings.card_points[index] for index in kinds)


# ------------------------------------------------------------------------------------- quick bounds


@dataclass(slots=True)
class _Layout:
    """Canastas laid in the simplest way: their points, the cards left, and the ranks whose canastas
    may take more.
    """

    settings: Settings
    supply: Supply
    dear: bool
    left: list[int]
    suited: dict[tuple[int, str], int]
    points: int = 0
    open_ranks: set[int] = field(default_factory=set)

    def lay(self, kind: CanastaKind) -> bool:
        """Lay the simplest canasta of this kind, of the cheapest or dearest rank; False if there is
        none.
        """
        makeups = {"wilds": self._of_wilds, "sequence": self._runs, "group": self._groups}[
            kind.shape
        ]
        for cards, suit in makeups(kind):
            taken = Counter(cards)
            suits = [(index, suit) for index in taken if suit and index in NATURAL_INDICES]
            if any(self.left[index] < count for index, count in taken.items()):
                continue
            if any(not self.suited.get(card, self.supply.decks) for card in suits):
                continue
            for card in suits:
                self.suited[card] = self.suited.get(card, self.supply.decks) - 1
            for index, count in taken.items():
                self.left[index] -= count
                self.points += count * self.settings.card_points[index]
            if kind.shape == "group" and self.settings.meld_longest is None:
                self.open_ranks.add(cards[0])
            return True
        return False

    def _runs(self, kind: CanastaKind) -> Iterator[tuple[list[int], str]]:
        """Sequences in every suit, with the fewest wild cards."""
        length = self.settings.canasta_length - kind.wilds[0]
        runs = [
            NATURAL_INDICES[first : first + length]
            for first in range(len(NATURAL_INDICES) - length + 1)
        ]
        for run, suit in product(runs if self.dear else reversed(runs), Suit):
            yield [*run, *self._wilds(kind.wilds[0])], suit.value

    def _groups(self, kind: CanastaKind) -> Iterator[tuple[list[int], str]]:
        """Groups, starting with the fewest wild cards allowed."""
        settings = self.settings
        bound = {INDEX[other.rank] for other in settings.canastas if other.rank}
        ranks = (
            [INDEX[kind.rank]]
            if kind.rank
            else [index for index in NATURAL_INDICES if index not in bound]
        )
        for wilds in range(
            kind.wilds[0], min(kind.wilds[1], self.left[TWO] + self.left[JOKER]) + 1
        ):
            naturals = settings.canasta_length - wilds
            for rank in ranks if self.dear else reversed(ranks):
                if wilds <= settings.most_wilds(naturals, rank):
                    yield [rank] * naturals + self._wilds(wilds), ""

    def _of_wilds(self, kind: CanastaKind) -> Iterator[tuple[list[int], str]]:
        """Canastas of wild cards only, with the fewest or the most jokers first."""
        length = self.settings.canasta_length
        for jokers in range(length, -1, -1) if self.dear else range(length + 1):
            if kind is next(
                other for other in self.settings.canastas if other.fits("wilds", length, jokers, ())
            ):
                yield [JOKER] * jokers + [TWO] * (length - jokers), ""

    def _wilds(self, count: int) -> list[int]:
        """The given number of wild cards, twos first."""
        twos = min(count, self.left[TWO])
        return [TWO] * twos + [JOKER] * (count - twos)

    def with_the_rest(self) -> int:
        """The points if the cards left are laid in melds that are not canastas; wild cards, jokers
        first, if they fit.

        One or two cards of a rank are added to its canasta, if that may take more cards.
        """
        settings, counts, points, room = self.settings, self.left, self.points, 0
        if (
            self.supply.black_threes
            and settings.meld_shortest <= counts[BLACK_THREE] < settings.canasta_length
        ):
            points += counts[BLACK_THREE] * settings.card_points[BLACK_THREE]
        for rank in NATURAL_INDICES:
            melds = counts[rank] // settings.meld_shortest
            if melds:
                largest = -(-counts[rank] // melds)
                most = settings.most_wilds(counts[rank] // melds, rank)
                room += melds * max(0, min(most, settings.canasta_length - 1 - largest))
            if melds or rank in self.open_ranks:
                points += counts[rank] * settings.card_points[rank]
        jokers = min(room, counts[JOKER])
        twos = min(room - jokers, counts[TWO])
        return points + jokers * settings.card_points[JOKER] + twos * settings.card_points[TWO]


def _quick_bounds(settings: Settings, wanted: Mapping[str, int], supply: Supply) -> Bounds | None:
    """Bounds that a plain layout reaches, so that all points between them are possible; None if
    none was found.
    """
    plainest = {kind.item: kind for kind in reversed(settings.canastas)}
    kinds = [plainest[item] for item, count in wanted.items() for _ in range(count)]
    # Canastas of a fixed rank come first, and sequences before groups of any rank.
    kinds.sort(key=lambda kind: (kind.rank is None, kind.shape == "group"))
    layouts = [
        _Layout(settings, supply, dear, list(supply.counts), dict(supply.suited))
        for dear in (False, True)
    ]
    if not all(layout.lay(kind) for layout in layouts for kind in kinds):
        return None
    # Cheap canastas may leave more cards to lay beside them than dear ones.
    return Bounds(layouts[0].points, max(layout.with_the_rest() for layout in layouts))
