"""The cheapest and the dearest cards that can lie on the table: every legal meld, weighed by a solver.

What lies at the end of a hand is so many melds of each possible make-up. How many is a whole number each, the cards of
the decks bound them, and the canastas named are exactly so many: the least and the most points are two programs in
whole numbers, which HiGHS solves exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Literal

from scorepad.rules.cards import BLACK_THREE, END_NATURAL, FIRST_NATURAL, JOKER, NATURAL_INDICES, TWO, Suit
from scorepad.rules.programs import Limits, Piece, Resource, solve
from scorepad.rules.settings import Settings
from scorepad.rules.terms import Sequences, Shape

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
    for rank in NATURAL_INDICES:
        yield from _groups(settings, rank, supply.counts[rank])
    if supply.black_threes:
        yield from _groups(settings, BLACK_THREE, supply.counts[BLACK_THREE])
    if settings.sequences is not Sequences.NONE:
        yield from _sequences(settings, supply)
    if settings.wild_melds == "allowed":
        yield from _wild_melds(settings, supply)
    # A wild card beside natural ones is a joker or a two, whichever the side likes.
    yield _piece(settings.card_points[JOKER], {("card", JOKER): 1, WILD: -1})
    yield _piece(settings.card_points[TWO], {("card", TWO): 1, WILD: -1})


def _piece(points: int, uses: Mapping[Resource, int]) -> Piece:
    return Piece(points, tuple(uses.items()))


def _groups(settings: Settings, rank: int, count: int) -> Iterator[Piece]:
    black = rank == BLACK_THREE
    fewest = max(settings.meld_naturals, settings.black_threes_fewest if black else 1)
    longest = settings.black_threes_longest if black else settings.meld_longest
    for naturals in range(fewest, count + 1):
        most = settings.most_wilds(naturals, rank)
        if black and settings.black_threes_wilds == "pure":
            most = 0
        for wilds in range(most + 1):
            size = naturals + wilds
            if size < settings.meld_shortest or (longest is not None and size > longest):
                continue
            made = _made(settings, size, (Shape.GROUP, wilds, 0, (rank,)))
            if made is not None:
                yield _piece(naturals * settings.card_points[rank], {("card", rank): naturals, WILD: wilds, **made})


def _made(settings: Settings, size: int, made: tuple[Shape, int, int, tuple[int, ...]]) -> dict[Resource, int] | None:
    """The canasta that cards of this shape, wilds, jokers and ranks make, if any; None where they are no meld."""
    if size < settings.canasta_length:
        return {}
    item = next((kind.item for kind in settings.canastas if kind.fits(*made)), None)
    return None if item is None else {("item", item): 1}


def _sequences(settings: Settings, supply: Supply) -> Iterator[Piece]:
    most = settings.wild_limit if settings.sequences is Sequences.DIRTY else 0
    gone = {card for card, count in supply.suited if not count}
    seen: set[tuple[tuple[int, ...], int]] = set()
    for first, end in combinations(range(FIRST_NATURAL, END_NATURAL + 1), 2):
        size = end - first
        for wilds in range(min(most, size - settings.meld_naturals) + 1):
            for missing in combinations(range(first, end), wilds):
                ranks = tuple(rank for rank in range(first, end) if rank not in missing)
                there = all(supply.counts[rank] for rank in ranks)
                if there and size >= settings.meld_shortest and (ranks, wilds) not in seen:
                    seen.add((ranks, wilds))
                    yield from _suited(settings, ranks, wilds, gone)


def _suited(settings: Settings, ranks: tuple[int, ...], wilds: int, gone: Set[tuple[int, str]]) -> Iterator[Piece]:
    made = _made(settings, len(ranks) + wilds, (Shape.SEQUENCE, wilds, 0, ranks))
    if made is None:
        return
    points = sum(settings.card_points[rank] for rank in ranks)
    cards: dict[Resource, int] = {("card", rank): 1 for rank in ranks}
    for suit in Suit:
        if any((rank, suit.value) in gone for rank in ranks):
            continue
        of_suit: dict[Resource, int] = {("suited", rank, suit.value): 1 for rank in ranks}
        yield _piece(points, {WILD: wilds, **made, **cards, **of_suit})


def _wild_melds(settings: Settings, supply: Supply) -> Iterator[Piece]:
    longest = settings.wild_melds_longest
    for jokers, twos in product(range(supply.counts[JOKER] + 1), range(supply.counts[TWO] + 1)):
        size = jokers + twos
        if size < settings.wild_melds_shortest or (longest is not None and size > longest):
            continue
        made = _made(settings, size, (Shape.WILDS, size, jokers, ()))
        if made is not None:
            points = jokers * settings.card_points[JOKER] + twos * settings.card_points[TWO]
            yield _piece(points, {("card", JOKER): jokers, ("card", TWO): twos, **made})


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
