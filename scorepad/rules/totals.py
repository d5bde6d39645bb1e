"""What the cards of a side can be worth, once it is told only which canastas it made.

Points counted at the table are possible when they lie between the cheapest and the dearest legal cards that make
exactly the canastas named, beside any number of melds that are no canasta, out of what the decks hold less every card
that the hand names elsewhere. Both ends are exact: a search over the ranks, one after the other, in which the melds of
one rank share its natural cards and all melds share the wild ones. Most hands are settled before that by a quick
layout that is surely legal: what lies between its ends needs no search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from scorepad.rules.cards import BLACK_THREE, JOKER, KINDS, NATURAL_INDICES, TWO, Cards
from scorepad.rules.decks import in_decks
from scorepad.rules.settings import BlackThrees, CanastaKind, Settings, Shape

Made = tuple[int, ...]
"""How many canastas of each item demanded."""


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


@dataclass(frozen=True, slots=True)
class Supply:
    """The cards left for a side: natural cards by rank as (index of the kind, cards), twos and jokers."""

    ranks: tuple[tuple[int, int], ...]
    twos: int
    jokers: int

    @property
    def wilds(self) -> int:
        """Twos and jokers together."""
        return self.twos + self.jokers

    def cheapest_wilds(self, count: int, values: tuple[int, ...]) -> int:
        """The points of so many wild cards, twos first."""
        twos = min(count, self.twos)
        return twos * values[TWO] + (count - twos) * values[JOKER]

    def dearest_wilds(self, count: int, values: tuple[int, ...]) -> int:
        """The points of so many wild cards, jokers first."""
        jokers = min(count, self.jokers)
        return jokers * values[JOKER] + (count - jokers) * values[TWO]


def interval(settings: Settings, demand: Demand, taken: Cards, asked: int) -> Bounds | None:
    """The bounds of a side's card points; None where no cards make the canastas demanded.

    Exact, unless `asked` already lies inside bounds that are quick to find: then those are returned.
    """
    canastas = dict(demand.canastas)
    concealed = canastas.pop("concealed-canasta", 0)
    if concealed > sum(canastas.values()):
        return None
    supply = _supply(settings, taken, demand.went_out)
    wanted = tuple(sorted((item, count) for item, count in canastas.items() if count))
    quick = _quick_bounds(settings, wanted, supply)
    if quick and quick.holds(asked):
        return quick
    return _exact_bounds(_Melding.of(settings), wanted, supply)


def _supply(settings: Settings, taken: Cards, went_out: bool) -> Supply:
    left = [max(0, limit - gone) for limit, gone in zip(in_decks(settings.decks), taken.counts, strict=True)]
    ranks = [(index, left[index]) for index in NATURAL_INDICES]
    if went_out and settings.black_threes is not BlackThrees.NEVER:
        ranks.append((BLACK_THREE, left[BLACK_THREE]))
    return Supply(tuple(ranks), left[TWO], left[JOKER])


@dataclass(frozen=True, slots=True)
class _Melding:
    """What the search needs of the settings, hashable so that its work can be remembered."""

    values: tuple[int, ...]
    kinds: tuple[CanastaKind, ...]
    shortest: int
    longest: int | None
    fewest_naturals: int
    length: int
    most_wilds: tuple[int, ...]
    black_fewest: int
    black_longest: int
    black_wilds: bool

    @classmethod
    def of(cls, settings: Settings) -> _Melding:
        most = tuple(settings.most_wilds(naturals) for naturals in range(4 * settings.decks + 1))
        return cls(
            settings.card_points, settings.canastas, settings.meld_shortest, settings.meld_longest,
            settings.meld_naturals, settings.canasta_length, most, settings.black_threes_fewest,
            settings.black_threes_longest, settings.black_threes_wilds == "with-wilds",
        )  # fmt: skip

    def item(self, rank: int, wilds: int) -> str | None:
        """The item of a canasta of this rank with so many wilds."""
        fitting = (kind.item for kind in self.kinds if kind.fits(Shape.GROUP, wilds, (rank,)))
        return next(fitting, None)


# ---------------------------------------------------------------- exactly


@dataclass(frozen=True, slots=True)
class _Piece:
    """One meld of a rank: natural and wild cards in it, and the canasta it is."""

    naturals: int
    wilds: int
    item: str | None


def _exact_bounds(melding: _Melding, wanted: tuple[tuple[str, int], ...], supply: Supply) -> Bounds | None:
    goal: Made = tuple(count for _, count in wanted)
    items = tuple(item for item, _ in wanted)
    if sum(goal) * melding.length > sum(count for _, count in supply.ranks) + supply.wilds:
        return None
    least = _search(melding, items, goal, supply, cheapest=True)
    most = _search(melding, items, goal, supply, cheapest=False)
    return None if least is None or most is None else Bounds(least, most)


def _search(melding: _Melding, items: tuple[str, ...], goal: Made, supply: Supply, *, cheapest: bool) -> int | None:
    """The least or the most points that reach the goal, rank by rank."""
    sign = -1 if cheapest else 1
    reached: dict[tuple[Made, int], int] = {((0,) * len(goal), 0): 0}
    for rank, count in supply.ranks:
        points = sign * melding.values[rank]
        layouts = _layouts(melding, items, goal, rank, count, cheapest)
        after: dict[tuple[Made, int], int] = {}
        for (made, wilds), worth in reached.items():
            for (more, used), naturals in layouts:
                if wilds + used > supply.wilds:
                    continue
                sums = tuple(map(int.__add__, made, more))
                if any(map(int.__gt__, sums, goal)):
                    continue
                key, value = (sums, wilds + used), worth + points * naturals
                if value > after.get(key, value - 1):
                    after[key] = value
        reached = after
    price = supply.cheapest_wilds if cheapest else supply.dearest_wilds
    ends = [value + sign * price(w, melding.values) for (made, w), value in reached.items() if made == goal]
    return sign * max(ends) if ends else None


@lru_cache(maxsize=1024)
def _layouts(
    melding: _Melding, items: tuple[str, ...], goal: Made, rank: int, count: int, cheapest: bool
) -> tuple[tuple[tuple[Made, int], int], ...]:
    """Ways to lay melds of one rank: (canastas made, wilds used) with the best number of natural cards for each.

    The cheapest side lays nothing but the canastas demanded, so no meld that is none.
    """
    pieces = [piece for piece in _pieces(melding, rank, count) if piece.item in items or not (cheapest or piece.item)]
    best: dict[tuple[Made, int], set[int]] = {((0,) * len(goal), 0): {0}}
    frontier = [((0,) * len(goal), 0, 0)]
    while frontier:
        made, wilds, naturals = frontier.pop()
        for piece in pieces:
            total = naturals + piece.naturals
            sums = tuple(n + (piece.item == item) for n, item in zip(made, items, strict=True))
            if total > count or any(map(int.__gt__, sums, goal)):
                continue
            known = best.setdefault((sums, wilds + piece.wilds), set())
            if total not in known:
                known.add(total)
                frontier.append((sums, wilds + piece.wilds, total))
    choose = min if cheapest else max
    return tuple((key, choose(naturals)) for key, naturals in best.items())


def _pieces(melding: _Melding, rank: int, count: int) -> Iterator[_Piece]:
    """Every legal meld out of so many natural cards of a rank."""
    black = rank == BLACK_THREE
    fewest = melding.black_fewest if black else melding.fewest_naturals
    longest = melding.black_longest if black else melding.longest or 2 * count + len(KINDS)
    for naturals in range(fewest, count + 1):
        most = 0 if black and not melding.black_wilds else melding.most_wilds[naturals]
        for wilds in range(most + 1):
            size = naturals + wilds
            if not melding.shortest <= size <= longest:
                continue
            is_canasta = size >= melding.length and not black
            item = melding.item(rank, wilds) if is_canasta else None
            if item or not is_canasta:
                yield _Piece(naturals, wilds, item)


# ---------------------------------------------------------------- quickly


def _quick_bounds(settings: Settings, wanted: tuple[tuple[str, int], ...], supply: Supply) -> Bounds | None:
    """Bounds that some plain layout reaches, so that everything between them is possible; None where none was found."""
    pure, mixed = 0, 0
    kinds = {kind.item: kind for kind in settings.canastas}
    for item, count in wanted:
        kind = kinds[item]
        if kind.rank is not None or kind.shape is not Shape.GROUP:
            return None
        pure, mixed = (pure, mixed + count) if kind.wilds[0] else (pure + count, mixed)
    if any(kind.rank for kind in settings.canastas) or mixed > supply.twos:
        return None
    least = _quick_least(settings, pure, mixed, supply)
    most = _quick_most(settings, pure, mixed, supply)
    return None if least is None or most is None else Bounds(least, most)


def _quick_least(settings: Settings, pure: int, mixed: int, supply: Supply) -> int | None:
    """One canasta of seven to a rank, the cheapest ranks first, mixed ones with a single two."""
    values, length, points = settings.card_points, settings.canasta_length, 0
    for rank, count in reversed(supply.ranks):
        if rank == BLACK_THREE:
            continue
        if pure and count >= length:
            pure, points = pure - 1, points + length * values[rank]
        elif mixed and count >= length - 1:
            mixed, points = mixed - 1, points + (length - 1) * values[rank] + values[TWO]
    return None if pure or mixed else points


def _quick_most(settings: Settings, pure: int, mixed: int, supply: Supply) -> int | None:
    """Every card of a rank in one canasta, or in small melds; wilds, jokers first, where there is room for them."""
    values, length, points, room = settings.card_points, settings.canasta_length, 0, 0
    for rank, count in supply.ranks:
        if rank == BLACK_THREE:
            continue
        if pure and count >= length:
            pure, used = pure - 1, min(count, settings.meld_longest or count)
        elif mixed and count >= length - 1:
            mixed, used, room = mixed - 1, length - 1, room + 1
        else:
            used, room = _in_small_melds(settings, count, room)
        points += used * values[rank]
    if pure or mixed:
        return None
    return points + supply.dearest_wilds(min(room, supply.wilds), values)


def _in_small_melds(settings: Settings, count: int, room: int) -> tuple[int, int]:
    """Melds of three, the last ones of four: natural cards laid in them, and the room for wilds with theirs added."""
    shortest = settings.meld_shortest
    melds = count // shortest
    if not melds:
        return 0, room
    largest = -(-count // melds)
    each = min(settings.most_wilds(count // melds), settings.canasta_length - 1 - largest)
    return count, room + melds * each
