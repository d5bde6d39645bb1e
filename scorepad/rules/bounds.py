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
from math import ceil, inf
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
    SuitedCards,
    SuitedKind,
    build_cards,
    in_decks,
)
from scorepad.rules.checks import is_meld
from scorepad.rules.possible_melds import find_possible_melds
from scorepad.rules.settings import CanastaKind, Settings
from scorepad.rules.table import Meld, canasta_of

Resource = tuple[str | int, ...]
"""What pieces consume or count toward: `("card", 3)` are kings, `("suited", 3, "h")` kings of
hearts, `("item", "samba")` canastas with that item.
"""
WILD: Resource = ("wild", "any")
"""Wild cards in melds with natural cards."""
Limits = Mapping[Resource, tuple[int, int | None]]
"""The minimum and maximum use of each resource; a maximum of None is unbounded."""
End = Literal["least", "most"]
"""Which end of the points is looked for."""


class Piece(NamedTuple):
    """A variable of the integer program, such as a meld: its points, and how much of each resource
    one of it uses.
    """

    points: int
    uses: tuple[tuple[Resource, int], ...]


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


def solve(pieces: Sequence[Piece], limits: Limits, end: End) -> tuple[int, ...] | None:
    """How many of each piece to use for the least or the most points within the limits.

    None if nothing is within the limits. A resource without limits may be used without end.
    """
    uses = _uses_by_resource(pieces)
    for resource, (least, _) in limits.items():
        if least > 0 and resource not in uses:
            return None

    program = _empty_program(end)
    _add_pieces(program, pieces)
    _add_limits(program, limits, uses)
    program.run()
    status = program.modelStatusToString(program.getModelStatus())
    if status != _SOLVED:
        return None
    return tuple(round(value) for value in program.getSolution().col_value)


def _empty_program(end: End) -> Any:
    """A program of HiGHS without variables that looks for the least or the most points."""
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


def _add_pieces(program: Any, pieces: Sequence[Piece]) -> None:
    """Add an integer variable for each piece: how many of it are used, and the points of one."""
    number = len(pieces)
    columns = list(range(number))
    lowest = [0.0] * number
    highest = [float(MOST_OF_A_PIECE)] * number
    points = [float(piece.points) for piece in pieces]
    program.addVars(number, lowest, highest)
    program.changeColsIntegrality(number, columns, [_WHOLE] * number)
    program.changeColsCost(number, columns, points)


def _add_limits(program: Any, limits: Limits, uses: Mapping[Resource, dict[int, int]]) -> None:
    """Add a row for each limited resource that the pieces use: the sum of its uses is within its
    limits.
    """
    for resource, (least, most) in limits.items():
        if resource not in uses:
            continue
        highest = inf if most is None else float(most)
        columns = list(uses[resource])
        amounts = list(uses[resource].values())
        program.addRow(float(least), highest, len(columns), columns, amounts)


def _uses_by_resource(pieces: Sequence[Piece]) -> dict[Resource, dict[int, int]]:
    """How much of each resource the pieces use, by the index of the piece."""
    uses: dict[Resource, dict[int, int]] = {}
    for index, piece in enumerate(pieces):
        for resource, amount in piece.uses:
            if amount == 0:
                continue
            if resource not in uses:
                uses[resource] = {}
            uses[resource][index] = amount
    return uses


# ------------------------------------------------------------------------------------- the cards


class Supply(NamedTuple):
    """The cards that a side can have laid: those of the decks that the hand does not name elsewhere."""

    counts: tuple[int, ...]
    """How many there are of each kind, in the order of `cards.KINDS`."""
    suited_gone: tuple[SuitedCards, ...]
    """The cards of a known suit that are named elsewhere."""
    decks: int
    black_threes: bool
    """Whether the side may lay black threes."""

    def count_gone(self) -> Counter[SuitedKind]:
        """How many of each card of a known suit are named elsewhere."""
        return Counter({SuitedKind(gone.kind, gone.suit): gone.number for gone in self.suited_gone})

    def suited_left(self) -> list[SuitedCards]:
        """How many there are of each natural kind and suit."""
        gone = self.count_gone()
        left: list[SuitedCards] = []
        for kind in NATURAL_INDICES:
            for suit in sorted(Suit):
                number = self.decks - gone[SuitedKind(kind, suit.value)]
                left.append(SuitedCards(kind, suit.value, max(0, number)))
        return left


def _find_supply(settings: Settings, taken: Cards, *, went_out: bool) -> Supply:
    """The cards of the decks without those that are taken."""
    counts: list[int] = []
    for in_all_decks, already_taken in zip(in_decks(settings.decks), taken.counts, strict=True):
        counts.append(max(0, in_all_decks - already_taken))
    return Supply(
        counts=tuple(counts),
        suited_gone=taken.suited,
        decks=settings.decks,
        black_threes=went_out and settings.black_threes != "never",
    )


def _points_of_supply(settings: Settings, supply: Supply) -> int:
    """The points of all cards that a side could lay, if all of them fit into melds."""
    kinds = [JOKER, TWO, *NATURAL_INDICES]
    if supply.black_threes:
        kinds.append(BLACK_THREE)
    return sum(supply.counts[kind] * settings.card_points[kind] for kind in kinds)


# ---------------------------------------------------------------------------------- exact bounds


@lru_cache(maxsize=256)
def extreme_points(
    settings: Settings, canastas: tuple[tuple[str, int], ...], supply: Supply, end: End
) -> int | None:
    """The least or the most points of cards that make exactly these canastas.

    `canastas` are pairs of an item and a number, such as `(("samba", 1),)`. None if no cards make
    them. Cached, because a hand at the limit is judged repeatedly until it is saved.
    """
    pieces = tuple(_pieces_of_melds(settings, supply))
    counts = solve(pieces, _limits_of_hand(settings, dict(canastas), supply), end)
    if counts is None:
        return None
    return sum(count * piece.points for count, piece in zip(counts, pieces, strict=True))


def _pieces_of_melds(settings: Settings, supply: Supply) -> Iterator[Piece]:
    """A piece for each legal meld of the cards, and one for each kind of wild card.

    A meld uses its natural cards, and counts its wild cards without saying of which kind they are;
    the pieces of jokers and twos supply them.
    """
    points = settings.card_points
    for possible in find_possible_melds(settings, _cards_for_melds(supply)):
        if not _may_be_laid(possible.meld, settings):
            continue
        uses = [*uses_of_cards(possible.added), (WILD, possible.wilds)]
        canasta = canasta_of(possible.meld, settings)
        if canasta:
            uses.append((("item", canasta.item), 1))
        yield Piece(possible.added.points(points), tuple(uses))
    for kind in (JOKER, TWO):
        yield Piece(points[kind], ((("card", kind), 1), (WILD, -1)))


def _may_be_laid(meld: Meld, settings: Settings) -> bool:
    """Whether it is a legal meld, and of some kind of canasta if it is as long as one."""
    is_long = meld.size >= settings.canasta_length
    if is_long and canasta_of(meld, settings) is None:
        return False
    return is_meld(meld, settings)


def _cards_for_melds(supply: Supply) -> Cards:
    """The cards of which melds can be made: no red threes, and black ones only if they are allowed."""
    counts = dict(enumerate(supply.counts))
    counts[RED_THREE] = 0
    if not supply.black_threes:
        counts[BLACK_THREE] = 0
    suited = [cards for cards in supply.suited_left() if counts[cards.kind] and cards.number]
    return build_cards(counts, tuple(suited))


def uses_of_cards(cards: Cards) -> Iterator[tuple[Resource, int]]:
    """The cards of each kind, and of each suit that is known, as resources: two kings of hearts use
    two of `("card", 3)` and two of `("suited", 3, "h")`.
    """
    for kind, count in enumerate(cards.counts):
        if count:
            yield ("card", kind), count
    for kind, suit, number in cards.suited:
        yield ("suited", kind, suit), number


def _limits_of_hand(settings: Settings, canastas: Mapping[str, int], supply: Supply) -> Limits:
    """The cards that may be used, and the canastas (by item) that have to be made, exactly."""
    # Each wild card of a meld is supplied by a joker or a two, and no others are.
    limits: dict[Resource, tuple[int, int | None]] = {WILD: (0, 0)}
    for kind in (JOKER, TWO, *NATURAL_INDICES, BLACK_THREE):
        limits["card", kind] = (0, supply.counts[kind])
    for cards in supply.suited_left():
        limits["suited", cards.kind, cards.suit] = (0, cards.number)
    for canasta_kind in settings.canastas:
        number = canastas.get(canasta_kind.item, 0)
        limits["item", canasta_kind.item] = (number, number)
    return limits


class Bounds(NamedTuple):
    """The least and the most points that the cards can be worth, both reachable."""

    least: int
    most: int

    def holds(self, points: int) -> bool:
        """Whether the points lie within the bounds and are 0 or at least those of the cheapest
        meld.
        """
        is_within = self.least <= points <= self.most
        return is_within and (points == 0 or points >= CHEAPEST_MELD)


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
    supply = _find_supply(settings, taken, went_out=went_out)
    if number_of_canastas * settings.canasta_length > sum(supply.counts):
        return None

    quick = _quick_bounds(settings, number_of, supply)
    items = tuple(number_of.items())
    if quick is None:
        return _exact_bounds(settings, items, supply)
    if points < quick.least:
        least = extreme_points(settings, items, supply, "least")
        assert least is not None, "a layout makes these canastas"
        return Bounds(least, quick.most)
    if points > quick.most and quick.most < _points_of_supply(settings, supply):
        most = extreme_points(settings, items, supply, "most")
        assert most is not None, "a layout makes these canastas"
        return Bounds(quick.least, most)
    return quick


def _exact_bounds(
    settings: Settings, canastas: tuple[tuple[str, int], ...], supply: Supply
) -> Bounds | None:
    """The exact bounds of cards that make these canastas (item and number); None if no cards do."""
    least = extreme_points(settings, canastas, supply, "least")
    if least is None:
        return None
    most = extreme_points(settings, canastas, supply, "most")
    assert most is not None, "what has a cheapest layout has a dearest one"
    return Bounds(least, most)


# ---------------------------------------------------------------------------------- quick bounds


class _CanastaCards(NamedTuple):
    """The cards of a canasta, by the indices of their kinds, and the suit of its natural cards;
    empty if any suits will do.
    """

    kinds: list[int]
    suit: str = ""

    @property
    def suited(self) -> list[SuitedKind]:
        """Its natural cards of which the suit matters."""
        if not self.suit:
            return []
        return [SuitedKind(kind, self.suit) for kind in self.kinds if kind in NATURAL_INDICES]


@dataclass(slots=True)
class _Layout:
    """Canastas laid in the simplest way, each of the cheapest or (`dear`) the dearest cards left."""

    settings: Settings
    supply: Supply
    dear: bool
    left: list[int]
    """The cards left, by kind."""
    suited_gone: Counter[SuitedKind]
    """The cards of a known suit that are not left: named elsewhere, or laid."""
    points: int = 0
    """The points of the cards laid."""
    open_ranks: set[int] = field(default_factory=set)
    """The ranks whose canastas may take more cards."""

    def add_canasta(self, kind: CanastaKind) -> bool:
        """Lay the simplest canasta of this kind; False if there is none."""
        for canasta in self._canastas_of_kind(kind):
            if not self._are_left(canasta):
                continue
            self._take_cards(canasta)
            if kind.shape == "group" and self.settings.meld_longest is None:
                self.open_ranks.add(canasta.kinds[0])
            return True
        return False

    def _canastas_of_kind(self, kind: CanastaKind) -> Iterator[_CanastaCards]:
        """The canastas of a kind, the simplest first; their cards may be gone."""
        if kind.shape == "wilds":
            return self._canastas_of_wilds(kind)
        if kind.shape == "sequence":
            return self._sequences_of_kind(kind)
        return self._groups_of_kind(kind)

    def _are_left(self, canasta: _CanastaCards) -> bool:
        """Whether the cards of a canasta are left."""
        for kind, count in Counter(canasta.kinds).items():
            if self.left[kind] < count:
                return False
        return all(self.suited_gone[card] < self.supply.decks for card in canasta.suited)

    def _take_cards(self, canasta: _CanastaCards) -> None:
        """Take the cards of a canasta from those left, and add their points."""
        for card in canasta.suited:
            self.suited_gone[card] += 1
        for kind in canasta.kinds:
            self.left[kind] -= 1
            self.points += self.settings.card_points[kind]

    def _sequences_of_kind(self, kind: CanastaKind) -> Iterator[_CanastaCards]:
        """Sequences in every suit, with the fewest wild cards of the kind."""
        fewest_wilds = kind.wilds[0]
        wilds = self._wild_cards_left(fewest_wilds)
        length = self.settings.canasta_length - fewest_wilds
        starts = range(len(NATURAL_INDICES) - length + 1)
        runs = [NATURAL_INDICES[start : start + length] for start in starts]
        if not self.dear:
            runs.reverse()  # the cheapest ranks are the last
        for run in runs:
            for suit in Suit:
                yield _CanastaCards([*run, *wilds], suit.value)

    def _groups_of_kind(self, kind: CanastaKind) -> Iterator[_CanastaCards]:
        """Groups of one rank, starting with the fewest wild cards of the kind."""
        fewest_wilds, most_wilds = kind.wilds
        most_wilds = min(most_wilds, self.left[TWO] + self.left[JOKER])
        for wilds in range(fewest_wilds, most_wilds + 1):
            naturals = self.settings.canasta_length - wilds
            for rank in self._ranks_of_groups(kind):
                if wilds <= self.settings.most_wilds(naturals, rank):
                    yield _CanastaCards([rank] * naturals + self._wild_cards_left(wilds))

    def _ranks_of_groups(self, kind: CanastaKind) -> list[int]:
        """The rank of a kind, or all without a kind of their own; the one to lay first is first."""
        if kind.rank:
            return [INDEX[kind.rank]]
        with_own_kind = {INDEX[other.rank] for other in self.settings.canastas if other.rank}
        ranks = [rank for rank in NATURAL_INDICES if rank not in with_own_kind]
        if not self.dear:
            ranks.reverse()  # the cheapest ranks are the last
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
            is_of_kind = kind is fitting[0]  # the first kind that fits takes precedence
            if is_of_kind:
                yield _CanastaCards([JOKER] * jokers + [TWO] * (length - jokers))

    def _wild_cards_left(self, count: int) -> list[int]:
        """So many wild cards, as indices of their kinds: the twos that are left, then jokers."""
        twos = min(count, self.left[TWO])
        return [TWO] * twos + [JOKER] * (count - twos)

    def points_with_other_melds(self) -> int:
        """The points if the cards left are laid in melds that are not canastas, with wild cards
        where they fit, jokers first.

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

    def _points_of(self, kind: int, count: int) -> int:
        return count * self.settings.card_points[kind]

    def _points_of_black_threes(self) -> int:
        """The points of the black threes left, if they can be laid as a meld that is no canasta."""
        count = self.left[BLACK_THREE]
        is_meld_size = self.settings.meld_shortest <= count < self.settings.canasta_length
        if not self.supply.black_threes or not is_meld_size:
            return 0
        return self._points_of(BLACK_THREE, count)

    def _room_for_wilds(self, rank: int, melds: int) -> int:
        """The wild cards that fit into so many melds of a rank, of about the same size, without one
        becoming a canasta.
        """
        smallest = self.left[rank] // melds
        largest = ceil(self.left[rank] / melds)
        allowed = self.settings.most_wilds(smallest, rank)
        up_to_a_canasta = self.settings.canasta_length - 1 - largest
        return melds * max(0, min(allowed, up_to_a_canasta))


def _quick_bounds(settings: Settings, canastas: Mapping[str, int], supply: Supply) -> Bounds | None:
    """Bounds that a plain layout reaches, so that all points between them are possible; None if
    none was found.
    """
    cheap = _empty_layout(settings, supply, dear=False)
    dear = _empty_layout(settings, supply, dear=True)
    for kind in _kinds_to_lay(settings, canastas):
        if not cheap.add_canasta(kind) or not dear.add_canasta(kind):
            return None
    # Cheap canastas may leave more cards to lay beside them than dear ones.
    most = max(cheap.points_with_other_melds(), dear.points_with_other_melds())
    return Bounds(cheap.points, most)


def _kinds_to_lay(settings: Settings, canastas: Mapping[str, int]) -> list[CanastaKind]:
    """The kind of each canasta (given by item and number), those with the least choice first."""
    kinds: list[CanastaKind] = []
    for item, number in canastas.items():
        kinds_of_item = [kind for kind in settings.canastas if kind.item == item]
        kinds += [kinds_of_item[0]] * number
    return sorted(kinds, key=_order_of_laying)


def _order_of_laying(kind: CanastaKind) -> int:
    """Sort key: canastas of a fixed rank, then sequences and wild cards, then groups of any rank."""
    if kind.rank is not None:
        return 0
    if kind.shape != "group":
        return 1
    return 2


def _empty_layout(settings: Settings, supply: Supply, *, dear: bool) -> _Layout:
    """A layout without canastas, in which all cards are left."""
    return _Layout(
        settings, supply, dear, left=list(supply.counts), suited_gone=supply.count_gone()
    )
