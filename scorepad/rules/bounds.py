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
    build_cards,
    in_decks,
)
from scorepad.rules.checks import is_meld
from scorepad.rules.possible_melds import find_possible_melds
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
    program = _empty_program(end)
    columns = list(range(len(pieces)))
    program.addVars(len(pieces), [0.0] * len(pieces), [float(MOST_OF_A_PIECE)] * len(pieces))
    program.changeColsIntegrality(len(pieces), columns, [_WHOLE] * len(pieces))
    program.changeColsCost(len(pieces), columns, [float(piece.points) for piece in pieces])

    uses_by_resource = _uses_by_resource(pieces)
    for resource, (low, high) in limits.items():
        uses = uses_by_resource.get(resource, {})
        if uses:
            most = inf if high is None else float(high)
            program.addRow(float(low), most, len(uses), list(uses), list(uses.values()))
        elif low > 0:
            return None
    program.run()
    if program.modelStatusToString(program.getModelStatus()) != _SOLVED:
        return None
    return tuple(round(value) for value in program.getSolution().col_value)


def _empty_program(end: Literal["least", "most"]) -> Any:
    # Imported lazily: most hands do not need the solver.
    import highspy

    program: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    program.silent()
    for name, value in _OPTIONS.items():
        program.setOptionValue(name, value)
    if end == "least":
        # A few cheap pieces are found faster than presolve runs.
        program.setOptionValue("presolve", "off")
        program.changeObjectiveSense(highspy.ObjSense.kMinimize)
    else:
        program.changeObjectiveSense(highspy.ObjSense.kMaximize)
    return program


def _uses_by_resource(pieces: Sequence[Piece]) -> dict[Resource, dict[int, int]]:
    """How much of each resource the pieces use, by the index of the piece."""
    uses: dict[Resource, dict[int, int]] = {}
    for column, piece in enumerate(pieces):
        for resource, count in piece.uses:
            if count:
                uses.setdefault(resource, {})[column] = count
    return uses


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
def extreme_points(
    settings: Settings,
    wanted: tuple[tuple[str, int], ...],
    supply: Supply,
    end: Literal["least", "most"],
) -> int | None:
    """The least or the most points of cards that make exactly the canastas wanted; None if no cards
    do.

    Cached, because a hand at the limit is judged repeatedly until it is saved.
    """
    pieces = tuple(_pieces_of_melds(settings, supply))
    counts = solve(pieces, _limits(settings, dict(wanted), supply), end)
    if counts is None:
        return None
    return sum(count * piece.points for count, piece in zip(counts, pieces, strict=True))


# ---------------------------------------------------------------------------------------- the melds


def _pieces_of_melds(settings: Settings, supply: Supply) -> Iterator[Piece]:
    """The legal melds of the available cards, each with the canasta that it makes."""
    points = settings.card_points
    available = _available_cards(supply)
    for added, wilds, meld in find_possible_melds(
        settings.wild_limit, settings.sequences, available
    ):
        canasta = canasta_of(meld, settings)
        if canasta is None and meld.size >= settings.canasta_length:
            continue  # it matches no kind of canasta, and cannot be laid
        if not is_meld(meld, settings):
            continue
        uses = [*uses_of_cards(added), (WILD, wilds)]
        if canasta:
            uses.append((("item", canasta.item), 1))
        yield Piece(added.points(points), tuple(uses))
    # A wild card beside natural cards is either a joker or a two.
    for index in (JOKER, TWO):
        yield Piece(points[index], ((("card", index), 1), (WILD, -1)))


def _available_cards(supply: Supply) -> Cards:
    """The cards of which melds can be made: no red threes, and black ones only if they are allowed."""
    counts = dict(enumerate(supply.counts))
    del counts[RED_THREE]
    if not supply.black_threes:
        del counts[BLACK_THREE]
    named_elsewhere = dict(supply.suited)
    suited = []
    for index, suit in product(NATURAL_INDICES, Suit):
        left = named_elsewhere.get((index, suit.value), supply.decks)
        if counts[index] and left:
            suited.append((index, suit.value, left))
    return build_cards(counts, tuple(sorted(suited)))


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


def find_bounds(
    settings: Settings,
    canastas: Mapping[str, int],
    taken: Cards,
    points: int,
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
    if quick and quick.least <= points <= quick.most:
        return quick
    named = tuple(wanted.items())
    if quick is None or points < quick.least:
        least = extreme_points(settings, named, supply, "least")
    else:
        least = quick.least
    if least is None:
        return None
    if quick and (points < quick.least or quick.most == _everything(settings, supply)):
        return Bounds(least, quick.most)
    most = extreme_points(settings, named, supply, "most")
    assert most is not None, "what has a cheapest layout has a dearest one"
    return Bounds(least, most)


def _supply(settings: Settings, taken: Cards, went_out: bool) -> Supply:
    limits = in_decks(settings.decks)
    counts = [max(0, limit - gone) for limit, gone in zip(limits, taken.counts, strict=True)]
    suited = {(index, suit): max(0, settings.decks - count) for index, suit, count in taken.suited}
    return Supply(
        counts=tuple(counts),
        suited=tuple(suited.items()),
        decks=settings.decks,
        black_threes=went_out and settings.black_threes != "never",
    )


def _everything(settings: Settings, supply: Supply) -> int:
    """The points of all cards that a side could lay, if all of them fit into melds."""
    kinds = [JOKER, TWO, *NATURAL_INDICES]
    if supply.black_threes:
        kinds.append(BLACK_THREE)
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

    def add_canasta(self, kind: CanastaKind) -> bool:
        """Lay the simplest canasta of this kind, of the cheapest or dearest rank; False if there is
        none.
        """
        makeups = {"wilds": self._of_wilds, "sequence": self._runs, "group": self._groups}
        for cards, suit in makeups[kind.shape](kind):
            if not self._has(cards, suit):
                continue
            self._take(cards, suit)
            if kind.shape == "group" and self.settings.meld_longest is None:
                self.open_ranks.add(cards[0])
            return True
        return False

    def _has(self, cards: list[int], suit: str) -> bool:
        """Whether these cards are left; `suit` is that of the naturals, empty if any will do."""
        has_cards = all(self.left[index] >= count for index, count in Counter(cards).items())
        has_suited = all(self._suited_left(index, suit) for index in _naturals(cards, suit))
        return has_cards and has_suited

    def _take(self, cards: list[int], suit: str) -> None:
        for index in _naturals(cards, suit):
            self.suited[index, suit] = self._suited_left(index, suit) - 1
        for index in cards:
            self.left[index] -= 1
            self.points += self.settings.card_points[index]

    def _suited_left(self, index: int, suit: str) -> int:
        return self.suited.get((index, suit), self.supply.decks)

    def _runs(self, kind: CanastaKind) -> Iterator[tuple[list[int], str]]:
        """Sequences in every suit, with the fewest wild cards."""
        length = self.settings.canasta_length - kind.wilds[0]
        starts = range(len(NATURAL_INDICES) - length + 1)
        runs = [NATURAL_INDICES[start : start + length] for start in starts]
        if not self.dear:
            runs.reverse()
        for run, suit in product(runs, Suit):
            yield [*run, *self._wilds(kind.wilds[0])], suit.value

    def _groups(self, kind: CanastaKind) -> Iterator[tuple[list[int], str]]:
        """Groups, starting with the fewest wild cards allowed."""
        settings = self.settings
        ranks = self._ranks_of_groups(kind)
        fewest, most = kind.wilds
        most = min(most, self.left[TWO] + self.left[JOKER])
        for wilds in range(fewest, most + 1):
            naturals = settings.canasta_length - wilds
            for rank in ranks:
                if wilds <= settings.most_wilds(naturals, rank):
                    yield [rank] * naturals + self._wilds(wilds), ""

    def _ranks_of_groups(self, kind: CanastaKind) -> list[int]:
        """The rank of a kind, or all without a kind of their own; the one to lay first is first."""
        if kind.rank:
            return [INDEX[kind.rank]]
        with_own_kind = {INDEX[other.rank] for other in self.settings.canastas if other.rank}
        ranks = [index for index in NATURAL_INDICES if index not in with_own_kind]
        if not self.dear:
            ranks.reverse()
        return ranks

    def _of_wilds(self, kind: CanastaKind) -> Iterator[tuple[list[int], str]]:
        """Canastas of wild cards only, with the fewest or the most jokers first."""
        length = self.settings.canasta_length
        numbers_of_jokers = list(range(length + 1))
        if self.dear:
            numbers_of_jokers.reverse()
        for jokers in numbers_of_jokers:
            kinds = self.settings.canastas
            fitting = [other for other in kinds if other.fits("wilds", length, jokers, ())]
            if kind is fitting[0]:
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
        points = self.points + self._points_of_black_threes()
        room_for_wilds = 0
        for rank in NATURAL_INDICES:
            melds = self.left[rank] // self.settings.meld_shortest
            if melds:
                room_for_wilds += self._room_for_wilds(rank, melds)
            if melds or rank in self.open_ranks:
                points += self._points_of(rank, self.left[rank])
        jokers = min(room_for_wilds, self.left[JOKER])
        twos = min(room_for_wilds - jokers, self.left[TWO])
        return points + self._points_of(JOKER, jokers) + self._points_of(TWO, twos)

    def _points_of(self, index: int, count: int) -> int:
        return count * self.settings.card_points[index]

    def _points_of_black_threes(self) -> int:
        """Their points if they can be laid as a meld that is no canasta."""
        count = self.left[BLACK_THREE]
        fits = self.settings.meld_shortest <= count < self.settings.canasta_length
        return self._points_of(BLACK_THREE, count) if self.supply.black_threes and fits else 0

    def _room_for_wilds(self, rank: int, melds: int) -> int:
        """The wild cards that fit into so many melds of a rank, of about the same size, without one
        becoming a canasta.
        """
        smallest = self.left[rank] // melds
        largest = -(-self.left[rank] // melds)  # rounded up
        allowed = self.settings.most_wilds(smallest, rank)
        up_to_a_canasta = self.settings.canasta_length - 1 - largest
        return melds * max(0, min(allowed, up_to_a_canasta))


def _naturals(cards: list[int], suit: str) -> set[int]:
    """The natural cards of these that need a suit."""
    return {index for index in cards if suit and index in NATURAL_INDICES}


def _layout(settings: Settings, supply: Supply, *, dear: bool) -> _Layout:
    return _Layout(settings, supply, dear, left=list(supply.counts), suited=dict(supply.suited))


def _quick_bounds(settings: Settings, wanted: Mapping[str, int], supply: Supply) -> Bounds | None:
    """Bounds that a plain layout reaches, so that all points between them are possible; None if
    none was found.
    """
    plainest = {kind.item: kind for kind in reversed(settings.canastas)}
    kinds: list[CanastaKind] = []
    for item, count in wanted.items():
        kinds += [plainest[item]] * count
    # Canastas of a fixed rank come first, and sequences before groups of any rank.
    kinds.sort(key=lambda kind: (kind.rank is None, kind.shape == "group"))
    cheap = _layout(settings, supply, dear=False)
    dear = _layout(settings, supply, dear=True)
    for kind in kinds:
        if not (cheap.add_canasta(kind) and dear.add_canasta(kind)):
            return None
    # Cheap canastas may leave more cards to lay beside them than dear ones.
    return Bounds(cheap.points, max(cheap.with_the_rest(), dear.with_the_rest()))
