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
    """The cards available to a side, by kind and by suit, and whether it may lay black threes."""

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
    canastas: tuple[tuple[str, int], ...],
    supply: Supply,
    end: Literal["least", "most"],
) -> int | None:
    """The least or the most points of cards that make exactly these canastas (item and number);
    None if no cards do.

    Cached, because a hand at the limit is judged repeatedly until it is saved.
    """
    pieces = tuple(_pieces_of_melds(settings, supply))
    counts = solve(pieces, _limits(settings, dict(canastas), supply), end)
    if counts is None:
        return None
    return sum(count * piece.points for count, piece in zip(counts, pieces, strict=True))


# ---------------------------------------------------------------------------------------- the melds


def _pieces_of_melds(settings: Settings, supply: Supply) -> Iterator[Piece]:
    """The legal melds of the available cards, each with the canasta that it makes."""
    points = settings.card_points
    available = _available_cards(supply)
    for possible in find_possible_melds(settings.wild_limit, settings.sequences, available):
        meld = possible.meld
        canasta = canasta_of(meld, settings)
        if canasta is None and meld.size >= settings.canasta_length:
            continue  # it matches no kind of canasta, and cannot be laid
        if not is_meld(meld, settings):
            continue
        uses = [*uses_of_cards(possible.added), (WILD, possible.wilds)]
        if canasta:
            uses.append((("item", canasta.item), 1))
        yield Piece(possible.added.points(points), tuple(uses))
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
    for index, count in enumerate(cards.counts):
        if count:
            yield ("card", index), count
    for index, suit, count in cards.suited:
        yield ("suited", index, suit), count


def _limits(settings: Settings, canastas: Mapping[str, int], supply: Supply) -> Limits:
    """The minimum and maximum use of every resource."""
    limits: dict[Resource, tuple[int, int | None]] = {WILD: (0, 0)}
    for index in (JOKER, TWO, *NATURAL_INDICES, BLACK_THREE):
        limits["card", index] = (0, supply.counts[index])
    suited = dict(supply.suited)
    for index, suit in product(NATURAL_INDICES, Suit):
        limits["suited", index, suit.value] = (0, suited.get((index, suit.value), supply.decks))
    for kind in settings.canastas:
        number = canastas.get(kind.item, 0)
        limits["item", kind.item] = (number, number)
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

    `taken` are cards that the side cannot have; `went_out` allows melds of black threes. If
    `points` are beyond a bound, that bound is exact; the other may come from a plain layout, which
    is quick to compute.
    """
    number_of = {item: count for item, count in sorted(canastas.items()) if count}
    concealed = number_of.pop("concealed-canasta", 0)
    number_of_canastas = sum(number_of.values())
    if concealed > number_of_canastas:
        return None
    supply = _supply(settings, taken, went_out)
    if number_of_canastas * settings.canasta_length > sum(supply.counts):
        return None

    items = tuple(number_of.items())
    quick = _quick_bounds(settings, number_of, supply)
    if quick is None or points < quick.least:
        least = extreme_points(settings, items, supply, "least")
    elif points <= quick.most:
        return quick
    else:
        least = quick.least
    if least is None:
        return None
    if quick and (points < quick.least or quick.most == _everything(settings, supply)):
        return Bounds(least, quick.most)
    most = extreme_points(settings, items, supply, "most")
    assert most is not None, "what has a cheapest layout has a dearest one"
    return Bounds(least, most)


def _supply(settings: Settings, taken: Cards, went_out: bool) -> Supply:
    counts: list[int] = []
    for in_all_decks, already_taken in zip(in_decks(settings.decks), taken.counts, strict=True):
        counts.append(max(0, in_all_decks - already_taken))
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


class _CanastaCards(NamedTuple):
    """The cards of a canasta (indices of their kinds), and the suit of its natural cards; empty if
    any suits will do.
    """

    kinds: list[int]
    suit: str = ""

    @property
    def suited(self) -> list[tuple[int, str]]:
        """Its natural cards of which the suit matters."""
        if not self.suit:
            return []
        return [(index, self.suit) for index in self.kinds if index in NATURAL_INDICES]


@dataclass(slots=True)
class _Layout:
    """Canastas laid in the simplest way, each of the cheapest or (`dear`) the dearest cards left."""

    settings: Settings
    supply: Supply
    dear: bool
    left: list[int]
    """The cards left, by kind."""
    suited: dict[tuple[int, str], int]
    """The suited cards left, of those that some are taken of."""
    points: int = 0
    open_ranks: set[int] = field(default_factory=set)
    """The ranks whose canastas may take more cards."""

    def add_canasta(self, kind: CanastaKind) -> bool:
        """Lay the simplest canasta of this kind; False if there is none."""
        for canasta in self._candidates(kind):
            if not self._has(canasta):
                continue
            self._take(canasta)
            if kind.shape == "group" and self.settings.meld_longest is None:
                self.open_ranks.add(canasta.kinds[0])
            return True
        return False

    def _candidates(self, kind: CanastaKind) -> Iterator[_CanastaCards]:
        """The canastas of a kind, the simplest first."""
        if kind.shape == "wilds":
            return self._canastas_of_wilds(kind)
        if kind.shape == "sequence":
            return self._sequences(kind)
        return self._groups(kind)

    def _has(self, canasta: _CanastaCards) -> bool:
        """Whether the cards of a canasta are left."""
        for index, count in Counter(canasta.kinds).items():
            if self.left[index] < count:
                return False
        return all(self._suited_left(card) for card in canasta.suited)

    def _take(self, canasta: _CanastaCards) -> None:
        for card in canasta.suited:
            self.suited[card] = self._suited_left(card) - 1
        for index in canasta.kinds:
            self.left[index] -= 1
            self.points += self.settings.card_points[index]

    def _suited_left(self, card: tuple[int, str]) -> int:
        return self.suited.get(card, self.supply.decks)

    def _sequences(self, kind: CanastaKind) -> Iterator[_CanastaCards]:
        """Sequences in every suit, with the fewest wild cards."""
        fewest_wilds = kind.wilds[0]
        length = self.settings.canasta_length - fewest_wilds
        starts = range(len(NATURAL_INDICES) - length + 1)
        runs = [NATURAL_INDICES[start : start + length] for start in starts]
        if not self.dear:
            runs.reverse()
        for run, suit in product(runs, Suit):
            yield _CanastaCards([*run, *self._wilds(fewest_wilds)], suit.value)

    def _groups(self, kind: CanastaKind) -> Iterator[_CanastaCards]:
        """Groups, starting with the fewest wild cards allowed."""
        settings = self.settings
        ranks = self._ranks_of_groups(kind)
        fewest, most = kind.wilds
        most = min(most, self.left[TWO] + self.left[JOKER])
        for wilds in range(fewest, most + 1):
            naturals = settings.canasta_length - wilds
            for rank in ranks:
                if wilds <= settings.most_wilds(naturals, rank):
                    yield _CanastaCards([rank] * naturals + self._wilds(wilds))

    def _ranks_of_groups(self, kind: CanastaKind) -> list[int]:
        """The rank of a kind, or all without a kind of their own; the one to lay first is first."""
        if kind.rank:
            return [INDEX[kind.rank]]
        with_own_kind = {INDEX[other.rank] for other in self.settings.canastas if other.rank}
        ranks = [index for index in NATURAL_INDICES if index not in with_own_kind]
        if not self.dear:
            ranks.reverse()
        return ranks

    def _canastas_of_wilds(self, kind: CanastaKind) -> Iterator[_CanastaCards]:
        """Canastas of wild cards only, with the fewest or the most jokers first."""
        length = self.settings.canasta_length
        numbers_of_jokers = list(range(length + 1))
        if self.dear:
            numbers_of_jokers.reverse()
        for jokers in numbers_of_jokers:
            kinds = self.settings.canastas
            fitting = [other for other in kinds if other.fits("wilds", length, jokers, ())]
            if kind is fitting[0]:
                yield _CanastaCards([JOKER] * jokers + [TWO] * (length - jokers))

    def _wilds(self, count: int) -> list[int]:
        """The given number of wild cards that are left, twos first."""
        twos = min(count, self.left[TWO])
        return [TWO] * twos + [JOKER] * (count - twos)

    def points_with_other_melds(self) -> int:
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
        is_meld = self.settings.meld_shortest <= count < self.settings.canasta_length
        if not is_meld or not self.supply.black_threes:
            return 0
        return self._points_of(BLACK_THREE, count)

    def _room_for_wilds(self, rank: int, melds: int) -> int:
        """The wild cards that fit into so many melds of a rank, of about the same size, without one
        becoming a canasta.
        """
        smallest = self.left[rank] // melds
        largest = -(-self.left[rank] // melds)  # rounded up
        allowed = self.settings.most_wilds(smallest, rank)
        up_to_a_canasta = self.settings.canasta_length - 1 - largest
        return melds * max(0, min(allowed, up_to_a_canasta))


def _quick_bounds(settings: Settings, canastas: Mapping[str, int], supply: Supply) -> Bounds | None:
    """Bounds that a plain layout reaches, so that all points between them are possible; None if
    none was found.
    """
    first_kind_of_item = {kind.item: kind for kind in reversed(settings.canastas)}
    kinds: list[CanastaKind] = []
    for item, count in canastas.items():
        kinds += [first_kind_of_item[item]] * count
    # Canastas of a fixed rank come first, and sequences before groups of any rank.
    kinds.sort(key=lambda kind: (kind.rank is None, kind.shape == "group"))
    cheap = _empty_layout(settings, supply, dear=False)
    dear = _empty_layout(settings, supply, dear=True)
    for kind in kinds:
        if not (cheap.add_canasta(kind) and dear.add_canasta(kind)):
            return None
    # Cheap canastas may leave more cards to lay beside them than dear ones.
    most = max(cheap.points_with_other_melds(), dear.points_with_other_melds())
    return Bounds(cheap.points, most)


def _empty_layout(settings: Settings, supply: Supply, *, dear: bool) -> _Layout:
    return _Layout(settings, supply, dear, left=list(supply.counts), suited=dict(supply.suited))
