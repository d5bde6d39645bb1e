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
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from scorepad.rules.possible_melds import PossibleMeld, find_possible_melds
from scorepad.rules.settings import CanastaKind, Settings
from scorepad.rules.table import Meld, canasta_of

Quantity = tuple[str | int, ...]
"""Something that is added up over all the cards and melds laid, by its name: `("card", 3)` are the
kings used, `("suited", 3, "h")` the kings of hearts, `("item", "samba")` the canastas with that item.
"""
WILDS_TO_FILL: Quantity = ("wild", "any")
"""Places for wild cards that are still to be filled: a meld adds those that it has, and each joker or
two takes one away.
"""
Limits = Mapping[Quantity, tuple[int, int | None]]
"""The minimum and maximum use of each quantity; a maximum of None is unbounded."""
End = Literal["least", "most"]
"""Which end of the points is looked for."""


class UseLimits(NamedTuple):
    """How much of a quantity must and may be used in all; `most` is None if there is no maximum."""

    least: int
    most: int | None


class Piece(NamedTuple):
    """A variable of the integer program, such as a meld: its points, and how much of each quantity
    one of it uses.
    """

    points: int
    uses: tuple[tuple[Quantity, int], ...]


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
    """How many of each piece to use for the least or the most points (`end`) within the limits.

    None if nothing is within the limits. A quantity without limits may be used without end. If a
    piece of 10 points and one of 25 use a card each, and there are two cards, the most is `(0, 2)`.
    """
    uses = _uses_by_quantity(pieces)
    if _needs_unused_quantity(limits, uses):
        return None
    program = _empty_program(end)
    _add_pieces(program, pieces)
    _add_limits(program, limits, uses)
    return _solution_of(program)


def _needs_unused_quantity(limits: Limits, uses: Mapping[Quantity, dict[int, int]]) -> bool:
    """Whether some quantity has to be used, and no piece uses it."""
    for quantity, (least, _most) in limits.items():
        if least > 0 and quantity not in uses:
            return True
    return False


def _solution_of(program: Any) -> tuple[int, ...] | None:
    """Run a program of HiGHS, and return the values of its variables, which are whole numbers.

    None if no values are within all limits.
    """
    program.run()
    status = program.modelStatusToString(program.getModelStatus())
    if status != _SOLVED:
        return None
    # HiGHS computes with floats: a 2 may come as 1.9999999.
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
    """Add an integer variable (a column) for each piece to a program of HiGHS that has none yet.

    Its value will be how many of the piece are used. What the program makes least or most is the sum
    of these numbers, each times the points of the piece.
    """
    number = len(pieces)
    columns = list(range(number))
    lowest = [0.0] * number
    highest = [float(MOST_OF_A_PIECE)] * number
    points = [float(piece.points) for piece in pieces]
    program.addVars(number, lowest, highest)
    program.changeColsIntegrality(number, columns, [_WHOLE] * number)
    program.changeColsCost(number, columns, points)


def _add_limits(program: Any, limits: Limits, uses: Mapping[Quantity, dict[int, int]]) -> None:
    """Add a row for each limited quantity that the pieces use: the sum of its uses is within its
    limits.

    `uses` has how much of a quantity one of each piece uses, by the index of the piece, which is
    also that of its column.
    """
    for quantity, (least, most) in limits.items():
        if quantity not in uses:
            continue
        highest = inf if most is None else float(most)
        columns = list(uses[quantity].keys())
        amounts = list(uses[quantity].values())
        program.addRow(float(least), highest, len(columns), columns, amounts)


def _uses_by_quantity(pieces: Sequence[Piece]) -> dict[Quantity, dict[int, int]]:
    """How much of each quantity the pieces use, by the index of the piece."""
    uses: dict[Quantity, dict[int, int]] = {}
    for index, piece in enumerate(pieces):
        for quantity, amount in piece.uses:
            if amount == 0:
                continue
            if quantity not in uses:
                uses[quantity] = {}
            uses[quantity][index] = amount
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
    """The least or the most points (`end`) that a side's cards can be worth, if they make exactly
    these canastas; None if no cards make them.

    `canastas` are pairs of an item and a number, such as `(("samba", 1),)`, and `supply` the cards
    that the side can have. All arguments can be hashed, because results are cached: a hand at the
    limit is judged repeatedly until it is saved.
    """
    pieces = tuple(_pieces_of_melds(settings, supply))
    limits = _limits_of_hand(settings, dict(canastas), supply)
    number_of_each = solve(pieces, limits, end)
    if number_of_each is None:
        return None
    points = 0
    for piece, number in zip(pieces, number_of_each, strict=True):
        points += number * piece.points
    return points


def _pieces_of_melds(settings: Settings, supply: Supply) -> Iterator[Piece]:
    """Everything that a side can put on the table: each legal meld of its cards, a joker and a two.

    A meld does not say which wild cards it holds, only how many. Jokers and twos are therefore
    pieces of their own, each of which fills one of these places.
    """
    for possible in find_possible_melds(settings, _cards_for_melds(supply)):
        if _may_be_laid(possible.meld, settings):
            yield _piece_of_meld(settings, possible)
    yield _piece_of_wild_card(settings, JOKER)
    yield _piece_of_wild_card(settings, TWO)


def _piece_of_meld(settings: Settings, possible: PossibleMeld) -> Piece:
    """A meld (a set of cards laid on the table) as a piece from which a side's cards are put together.

    `4xK` and a wild card use four kings and one wild card, whichever it is: its points are added by
    a piece of its own. A meld of seven cards or more also uses up one of the canastas to be made.
    """
    uses = list(uses_of_cards(possible.added))
    uses.append((WILDS_TO_FILL, possible.wilds))
    canasta = canasta_of(possible.meld, settings)
    if canasta is not None:
        uses.append((_canastas_of_item(canasta.item), 1))
    points_without_wilds = possible.added.points(settings.card_points)
    return Piece(points_without_wilds, tuple(uses))


def _piece_of_wild_card(settings: Settings, kind: int) -> Piece:
    """A joker or a two as a piece: it fills one of the places that melds have for wild cards.

    A meld with two wild cards adds 2 to `WILDS_TO_FILL`, and each of these pieces takes 1 from it.
    It has to be 0 in the end: exactly two of them are laid with such a meld.
    """
    card_itself = (_cards_of_kind(kind), 1)
    place_filled = (WILDS_TO_FILL, -1)
    return Piece(settings.card_points[kind], uses=(card_itself, place_filled))


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


def uses_of_cards(cards: Cards) -> Iterator[tuple[Quantity, int]]:
    """The cards of each kind, and of each suit that is known, as quantities: two kings of hearts use
    two of `("card", 3)` and two of `("suited", 3, "h")`.
    """
    for kind, count in enumerate(cards.counts):
        if count:
            yield _cards_of_kind(kind), count
    for kind, suit, number in cards.suited:
        yield _cards_of_suit(kind, suit), number


def _cards_of_kind(kind: int) -> Quantity:
    return ("card", kind)


def _cards_of_suit(kind: int, suit: str) -> Quantity:
    return ("suited", kind, suit)


def _canastas_of_item(item: str) -> Quantity:
    return ("item", item)


def _limits_of_hand(settings: Settings, canastas: Mapping[str, int], supply: Supply) -> Limits:
    """How much of each quantity the melds of a side may use in all.

    There are only so many cards of each kind and suit, and each number of canastas (by item) has to
    be made exactly.
    """
    limits: dict[Quantity, UseLimits] = {}
    # Melds add to this the number of their wild cards, and each joker or two laid takes one away: at
    # the end none is missing, and none is left over.
    limits[WILDS_TO_FILL] = UseLimits(least=0, most=0)
    for kind in (JOKER, TWO, *NATURAL_INDICES, BLACK_THREE):
        limits[_cards_of_kind(kind)] = UseLimits(least=0, most=supply.counts[kind])
    for cards in supply.suited_left():
        limits[_cards_of_suit(cards.kind, cards.suit)] = UseLimits(least=0, most=cards.number)
    for canasta_kind in settings.canastas:
        number = canastas.get(canasta_kind.item, 0)
        limits[_canastas_of_item(canasta_kind.item)] = UseLimits(least=number, most=number)
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


_CONCEALED = "concealed-canasta"
"""The item by which canastas laid down complete are counted, beside the item of their kind."""


def find_bounds(
    settings: Settings,
    canastas: Mapping[str, int],
    taken: Cards,
    points: int,
    *,
    went_out: bool = False,
) -> Bounds | None:
    """The least and the most points between which the `points` of a side's cards have to lie.

    The cards make these canastas, given by item: `{"samba": 1}`. They are none of `taken`, and may
    be black threes if the side `went_out`. The answer is None if no cards make the canastas.

    What is possible for any `points` takes long to compute. Bounds that are computed quickly, and
    may be too narrow, are enough if `points` lie between them; otherwise the one beyond which they
    lie is computed exactly.
    """
    if not _may_be_concealed(canastas):
        return None
    to_make = _canastas_to_make(canastas)
    supply = _find_supply(settings, taken, went_out=went_out)
    if not _has_enough_cards(settings, to_make, supply):
        return None

    quick_bounds = _quick_bounds(settings, to_make, supply)
    canastas_to_make = tuple(to_make.items())  # can be hashed, for the cache of exact bounds
    if quick_bounds is None:
        return _exact_bounds(settings, canastas_to_make, supply)
    return _widen_for_points(
        quick_bounds, points, settings=settings, canastas=canastas_to_make, supply=supply
    )


def _canastas_to_make(canastas: Mapping[str, int]) -> dict[str, int]:
    """How many canastas of each kind the cards have to make, by item and in the order of the items.

    Those that were laid down concealed are left out: they are counted with their kind already.
    """
    in_order = sorted(canastas.items())
    return {item: number for item, number in in_order if number and item != _CONCEALED}


def _may_be_concealed(canastas: Mapping[str, int]) -> bool:
    """Whether no more canastas were laid down concealed than there are canastas."""
    number_of_canastas = sum(_canastas_to_make(canastas).values())
    return canastas.get(_CONCEALED, 0) <= number_of_canastas


def _has_enough_cards(settings: Settings, canastas: Mapping[str, int], supply: Supply) -> bool:
    """Whether there are enough cards for so many canastas (given by item), whatever cards they are.

    To find that out by the search would take long for very large numbers.
    """
    cards_needed = sum(canastas.values()) * settings.canasta_length
    return cards_needed <= sum(supply.counts)


def _widen_for_points(
    quick: Bounds,
    points: int,
    *,
    settings: Settings,
    canastas: tuple[tuple[str, int], ...],
    supply: Supply,
) -> Bounds:
    """These bounds of a side's points, which were computed quickly, with the one that `points` are
    beyond replaced by the exact one.

    `points` between the quick bounds are possible in any case, and need no exact ones, which take
    long to find. The cards make these `canastas` (pairs of an item and a number).
    """
    if points < quick.least:
        exact_least = _exact_bound(settings, canastas, supply, "least")
        return Bounds(exact_least, quick.most)
    points_of_all_cards = _points_of_supply(settings, supply)
    is_most_exact = quick.most >= points_of_all_cards  # nothing is worth more
    if points > quick.most and not is_most_exact:
        exact_most = _exact_bound(settings, canastas, supply, "most")
        return Bounds(quick.least, exact_most)
    return quick


def _exact_bounds(
    settings: Settings, canastas: tuple[tuple[str, int], ...], supply: Supply
) -> Bounds | None:
    """The least and the most points of cards that make these canastas; None if no cards make them.

    `canastas` are pairs of an item and a number, such as `(("samba", 1),)`.
    """
    least = extreme_points(settings, canastas, supply, "least")
    if least is None:
        return None
    # Some cards make these canastas, so that there is a most too.
    most = _exact_bound(settings, canastas, supply, "most")
    return Bounds(least, most)


def _exact_bound(
    settings: Settings, canastas: tuple[tuple[str, int], ...], supply: Supply, end: End
) -> int:
    """The least or the most points (`end`) that cards can be worth which make these canastas.

    `canastas` are pairs of an item and a number. The caller knows that some cards make them.
    """
    points = extreme_points(settings, canastas, supply, end)
    assert points is not None, "some cards make these canastas"
    return points


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
    """Canastas laid in the simplest way, each of the cheapest or the dearest cards left."""

    settings: Settings
    supply: Supply
    dearest_first: bool
    """Whether each canasta is laid of the cards worth most, instead of those worth least."""
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
        """Whether the cards of a canasta can still be taken from the decks."""
        for kind, count in Counter(canasta.kinds).items():
            if self.left[kind] < count:
                return False
        for card in canasta.suited:
            # Each deck has a card of a suit once: two decks have two queens of hearts.
            number_in_decks = self.supply.decks
            if self.suited_gone[card] >= number_in_decks:
                return False
        return True

    def _take_cards(self, canasta: _CanastaCards) -> None:
        """Take the cards of a canasta from those left, and add their points."""
        for card in canasta.suited:
            self.suited_gone[card] += 1
        for kind in canasta.kinds:
            self.left[kind] -= 1
            self.points += self.settings.card_points[kind]

    def _sequences_of_kind(self, kind: CanastaKind) -> Iterator[_CanastaCards]:
        """Canastas of consecutive cards of a suit, such as ace to eight of hearts, in every suit and
        from every rank, with no more wild cards than the kind needs.
        """
        fewest_wilds, _ = kind.wilds
        wild_cards = self._wild_cards_left(fewest_wilds)
        number_of_naturals = self.settings.canasta_length - fewest_wilds
        for ranks in self._runs_of_ranks(number_of_naturals):
            for suit in Suit:
                yield _CanastaCards([*ranks, *wild_cards], suit.value)

    def _runs_of_ranks(self, length: int) -> list[range]:
        """All runs of so many consecutive ranks (indices of `cards.KINDS`), the one to lay first is
        first.
        """
        runs: list[range] = []
        last_start = len(NATURAL_INDICES) - length
        for start in range(last_start + 1):
            runs.append(NATURAL_INDICES[start : start + length])
        # The ranks start with the ace, which is the dearest.
        if not self.dearest_first:
            runs.reverse()
        return runs

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
        """The ranks of which a canasta of this kind may be, the one to lay first is first.

        A kind for one rank, such as that of aces, is of that rank only. All other ranks are those of
        the kinds without a rank.
        """
        if kind.rank:
            return [INDEX[kind.rank]]
        with_own_kind = {INDEX[other.rank] for other in self.settings.canastas if other.rank}
        ranks = [rank for rank in NATURAL_INDICES if rank not in with_own_kind]
        if not self.dearest_first:
            ranks.reverse()  # the cheapest ranks are the last
        return ranks

    def _canastas_of_wilds(self, kind: CanastaKind) -> Iterator[_CanastaCards]:
        """Canastas of this kind that are made of jokers and twos alone.

        Jokers are worth more than twos, so that the cheapest canasta has the fewest of them.
        """
        length = self.settings.canasta_length
        numbers_of_jokers = list(range(length + 1))
        if self.dearest_first:
            numbers_of_jokers.reverse()
        for jokers in numbers_of_jokers:
            if self._kind_of_wild_canasta(jokers) is kind:
                twos = length - jokers
                yield _CanastaCards([JOKER] * jokers + [TWO] * twos)

    def _kind_of_wild_canasta(self, jokers: int) -> CanastaKind | None:
        """The kind of a canasta of so many jokers and otherwise twos: the first that fits, in the
        order of the rules.
        """
        length = self.settings.canasta_length
        fitting = [
            kind
            for kind in self.settings.canastas
            if kind.fits("wilds", wilds=length, jokers=jokers, ranks=())
        ]
        return fitting[0] if fitting else None

    def _wild_cards_left(self, count: int) -> list[int]:
        """So many wild cards, as indices of their kinds: the twos that are left, then jokers."""
        twos = min(count, self.left[TWO])
        return [TWO] * twos + [JOKER] * (count - twos)

    def points_with_other_melds(self) -> int:
        """The points of the canastas and of the cards left, as far as these can be laid in melds that
        are not canastas.

        Wild cards are put into the places that the melds have for them.
        """
        points = self.points + self._points_of_black_threes()
        places_for_wilds = 0
        for rank in NATURAL_INDICES:
            points += self._points_of_rank(rank)
            places_for_wilds += self._places_for_wilds(rank)
        return points + self._points_of_wilds(places_for_wilds)

    def _melds_of_rank(self, rank: int) -> int:
        """In how many melds the cards left of a rank are laid: as many as they make. Of seven kings
        that is two where a meld needs three cards.
        """
        return self.left[rank] // self.settings.meld_shortest

    def _points_of_rank(self, rank: int) -> int:
        """The points of the cards left of a rank, if they can be laid.

        One or two cards, which make no meld, can be added to a canasta of their rank if it may take
        more cards.
        """
        can_be_laid = self._melds_of_rank(rank) > 0 or rank in self.open_ranks
        if not can_be_laid:
            return 0
        return self._points_of(rank, self.left[rank])

    def _points_of(self, kind: int, count: int) -> int:
        return count * self.settings.card_points[kind]

    def _points_of_wilds(self, places: int) -> int:
        """The points of the wild cards left that so many places can take, the dear jokers first."""
        jokers = min(places, self.left[JOKER])
        twos = min(places - jokers, self.left[TWO])
        return self._points_of(JOKER, jokers) + self._points_of(TWO, twos)

    def _points_of_black_threes(self) -> int:
        """The points of the black threes left, if they can be laid as a meld that is no canasta."""
        count = self.left[BLACK_THREE]
        is_meld_size = self.settings.meld_shortest <= count < self.settings.canasta_length
        if not self.supply.black_threes or not is_meld_size:
            return 0
        return self._points_of(BLACK_THREE, count)

    def _places_for_wilds(self, rank: int) -> int:
        """How many wild cards can be laid with the cards left of a rank, parted evenly into melds.

        Each meld holds no more wild cards than the rules allow beside its natural cards, and stays
        shorter than a canasta. Eight kings in two melds are four and four: where a canasta has seven
        cards, there are two places in each, or four in all.
        """
        number_of_melds = self._melds_of_rank(rank)
        if number_of_melds == 0:
            return 0
        count = self.left[rank]
        smallest_meld = count // number_of_melds
        largest_meld = ceil(count / number_of_melds)
        # The fewer natural cards, the fewer wild ones are allowed; the more, the less room there is.
        allowed_in_smallest = self.settings.most_wilds(smallest_meld, rank)
        longest_length = self.settings.canasta_length - 1
        room_in_largest = longest_length - largest_meld
        places_in_each = max(0, min(allowed_in_smallest, room_in_largest))
        return number_of_melds * places_in_each


def _quick_bounds(settings: Settings, canastas: Mapping[str, int], supply: Supply) -> Bounds | None:
    """The points of a cheap and of a dear way to lay these canastas (given by item).

    Cheaper or dearer ways may exist, but all points between these two are possible. None if the
    canastas could not be laid in this simple way, which does not prove that they are impossible.
    """
    kinds = _kinds_to_lay(settings, canastas)
    of_cheap_cards = _lay_canastas(settings, supply, kinds, dearest_first=False)
    of_dear_cards = _lay_canastas(settings, supply, kinds, dearest_first=True)
    if of_cheap_cards is None or of_dear_cards is None:
        return None
    # The cheapest is to lay nothing but canastas of cheap cards.
    least = of_cheap_cards.points
    # The dearest is to lay all other cards too. Which canastas leave the most points over for that
    # is not known beforehand.
    most = max(of_cheap_cards.points_with_other_melds(), of_dear_cards.points_with_other_melds())
    return Bounds(least, most)


def _lay_canastas(
    settings: Settings, supply: Supply, kinds: Iterable[CanastaKind], *, dearest_first: bool
) -> _Layout | None:
    """Lay a canasta of each of these kinds, of the cheapest or the dearest cards; None if the cards
    left do not make one of them.
    """
    layout = _Layout(
        settings,
        supply,
        dearest_first,
        left=list(supply.counts),
        suited_gone=supply.count_gone(),
    )
    for kind in kinds:
        is_laid = layout.add_canasta(kind)
        if not is_laid:
            return None
    return layout


def _kinds_to_lay(settings: Settings, canastas: Mapping[str, int]) -> list[CanastaKind]:
    """The kind of each canasta (given by item and number), those with the least choice first.

    `{"natural-canasta": 2}` is that kind twice. Where several kinds have the same item, any of them
    would do, and the first is taken.
    """
    first_kind_of_item: dict[str, CanastaKind] = {}
    for kind in settings.canastas:
        first_kind_of_item.setdefault(kind.item, kind)
    kinds: list[CanastaKind] = []
    for item, number in canastas.items():
        kinds += [first_kind_of_item[item]] * number
    return sorted(kinds, key=_order_of_laying)


def _order_of_laying(kind: CanastaKind) -> int:
    """Sort key: canastas of a fixed rank, then sequences and wild cards, then groups of any rank."""
    if kind.rank is not None:
        return 0
    if kind.shape != "group":
        return 1
    return 2
