"""Scores: a side's hand is its lines, and each line tells what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from scorepad.rules.cards import RED_THREE
from scorepad.rules.checks.going_out import has_out_canastas
from scorepad.rules.checks.opening import points_laid
from scorepad.rules.settings import Condition, Counting, Otherwise
from scorepad.rules.table import Lay, Party, Table, held

ITEMS = (
    "natural-canasta", "mixed-canasta", "wild-canasta", "twos-canasta", "four-jokers-canasta", "six-jokers-canasta",
    "sevens-canasta", "natural-aces-canasta", "mixed-aces-canasta", "samba", "dirty-samba", "bolivia",
    "concealed-canasta", "cards", "red-threes", "black-threes", "black-threes-aside", "out", "cards-left",
    "red-threes-held", "sevens-incomplete", "aces-incomplete", "wilds-incomplete", "sevens-held", "aces-held",
    "special", "sum", "penalty", "adjustment",
)  # fmt: skip
"""Every item that a line may stand for, in the order in which lines are told."""

_ORDER = {item: place for place, item in enumerate(ITEMS)}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score: what it is for, how many (None where only points were given), points, and its sources.

    `code` is a penalty's; `reason` is what the table said, for an adjustment.
    """

    item: str
    count: int | None
    points: int
    sources: tuple[str, ...]
    code: str | None = None
    reason: str | None = None


class Tally(NamedTuple):
    """What a maker counts for a line: as the line, with `sources` None where they are those of its rule."""

    item: str
    number: int | None
    points: int
    sources: tuple[str, ...] | None = None
    code: str | None = None
    reason: str | None = None


LineMaker = Callable[[Table, Party, Lay], Iterator[Tally]]
"""Counts for a side (`Lay`) that belongs to a party: what the party shares, or what is the side's own."""

LINES: dict[str, LineMaker] = {}


def line(rule: str) -> Callable[[LineMaker], LineMaker]:
    """Register a function as the maker of a line rule of the data."""

    def register(function: LineMaker) -> LineMaker:
        assert rule not in LINES, rule
        LINES[rule] = function
        return function

    return register


def score_lines(table: Table, party: Party, lay: Lay) -> tuple[Line, ...]:
    """The lines of one side in the order of `ITEMS`."""
    lines: list[Line] = []
    for rule in table.rules.lines:
        for item, count, points, sources, code, reason in LINES[rule.id](table, party, lay):
            if count != 0:
                lines.append(Line(item, count, points, rule.sources if sources is None else sources, code, reason))
    lines.sort(key=lambda made: _ORDER[made.item])
    return tuple(lines)


@line("canastas")
def canastas(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """The bonus of each kind of canasta."""
    worth = {kind.item: kind.points for kind in table.settings.canastas}
    for item, points in worth.items():
        count = party.canastas[item]
        yield Tally(item, count, count * points)


@line("concealed-canasta")
def concealed_canasta(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """More for canastas laid down whole, where the table counts them."""
    bonus = table.settings.concealed_canasta
    if bonus:
        count = party.canastas["concealed-canasta"]
        yield Tally("concealed-canasta", count, count * bonus)


@line("cards")
def cards(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """The points of all cards laid."""
    points = points_laid(party)
    counted = any(part.entry.totals for part in party.lays)
    yield Tally("cards", None if counted else sum(laid.meld.size for laid in party.melds), points)


@line("red-threes")
def red_threes(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Red threes exposed: each side its own, and those that another side must hand over."""
    own = lay.entry.red_threes
    count, points = own, 0
    if own:
        points = _worth(table, own) * _sign(table, party)
    for other in table.parties:
        if table.settings.red_threes_otherwise is Otherwise.TO_OPPONENTS and other is not party:
            handed = 0 if party.is_summed else _handed_over(table, other)
            count, points = count + handed, points + _worth(table, handed)
    yield Tally("red-threes", count, points)


def _worth(table: Table, count: int) -> int:
    return (0, *table.settings.red_three_values)[count]


def _sign(table: Table, party: Party) -> int:
    """1 where the party's red threes count for it, otherwise what the table plays."""
    if _meets_condition(table, party):
        return 1
    return -1 if table.settings.red_threes_otherwise is Otherwise.NEGATIVE else 0


def _meets_condition(table: Table, party: Party) -> bool:
    if table.settings.red_threes_condition is Condition.OPENED:
        return bool(party.opened)
    return has_out_canastas(table, party)


def _handed_over(table: Table, party: Party) -> int:
    """How many red threes of a party go to the others."""
    return 0 if _meets_condition(table, party) else sum(lay.entry.red_threes for lay in party.lays)


@line("out")
def out(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Going out."""
    if not party.is_out or party.is_summed or table.hand.out is None:
        return
    settings = table.settings
    yield Tally("out", 1, settings.concealed_out_bonus if table.hand.out.concealed else settings.out_bonus)


@line("cards-left")
def cards_left(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Cards in hand at the end, red threes apart."""
    in_points = [part.entry.left for part in party.lays if isinstance(part.entry.left, int)]
    hands = [reading.cards for part in party.lays for reading in held(part.entry)]
    points = sum(in_points) + sum(cards.points(table.settings.card_points) for cards in hands)
    count = None if in_points else sum(cards.size - cards.counts[RED_THREE] for cards in hands)
    yield Tally("cards-left", count, -points)


@line("red-threes-held")
def red_threes_held(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Red threes in hand at the end, not exposed."""
    count = lay.entry.red_threes_held + sum(hand.cards.counts[RED_THREE] for hand in held(lay.entry))
    times = count if table.settings.held_red_three_counts is Counting.EACH else min(count, 1)
    yield Tally("red-threes-held", count, -times * table.settings.held_red_three)


@line("sum")
def agreed_sum(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """The hand as one figure that the table agreed."""
    sums = [part.entry.sum for part in party.lays if part.entry.sum is not None]
    if sums:
        yield Tally("sum", None, sum(sums))


@line("penalty")
def penalty(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Penalties, one line for each code."""
    given = [entry for part in party.lays for entry in part.entry.penalties]
    for code in dict.fromkeys(entry.code for entry in given):
        known = table.rules.penalties[code]
        each = [entry.points if known.points is None else known.points for entry in given if entry.code == code]
        places = tuple(str(place) for place in known.cited.citations)
        yield Tally("penalty", len(each), -sum(points or 0 for points in each), places, code)


@line("adjustment")
def adjustment(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Points that the table agreed, one line each."""
    for part in party.lays:
        for entry in part.entry.adjustments:
            yield Tally("adjustment", None, entry.points, (), None, entry.reason)
