"""Scores: a side's hand is its lines, and each line tells what it rests on. What makes them stands in `lines/`."""

from __future__ import annotations

from dataclasses import dataclass

from scorepad.rules.citations import Standing
from scorepad.rules.grounds import arguments, basis
from scorepad.rules.lines import LINES
from scorepad.rules.table import Lay, Party, Table

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

    `standing` says how firmly the sources say what was applied; None where nothing needs a source. `code` is a
    penalty's; `reason` is what the table said, for an adjustment. `read` names the arguments of a
    reading (`read.…` in the catalogue).
    """

    item: str
    count: int | None
    points: int
    sources: tuple[str, ...]
    code: str | None = None
    reason: str | None = None
    standing: Standing | None = None
    read: tuple[str, ...] = ()


BESIDE_SPECIAL = ("special", "penalty", "adjustment")
"""The line rules of a side that showed a special hand: it takes the place of everything else."""
BESIDE_SUM = ("sum", "adjustment")
"""The line rules of a side of which only the sum of the hand is known."""


def score_lines(table: Table, party: Party, lay: Lay) -> tuple[Line, ...]:
    """The lines of one side in the order of `ITEMS`."""
    lines: list[Line] = []
    only = _only(lay)
    for rule in table.rules.lines:
        if only is not None and rule.id not in only:
            continue
        for item, count, points, grounds, code, reason in LINES[rule.id](table, party, lay):
            if count != 0:
                sources, standing = basis(table.rules, grounds)
                read = arguments(table.rules, grounds) if standing is Standing.READ else ()
                lines.append(Line(item, count, points, sources, code, reason, standing, read))
    lines.sort(key=lambda made: _ORDER[made.item])
    return tuple(lines)


def _only(lay: Lay) -> tuple[str, ...] | None:
    """The only line rules that hold for a side; None for all of them."""
    if lay.entry.special is not None:
        return BESIDE_SPECIAL
    return None if lay.entry.sum is None else BESIDE_SUM
