"""The makers of score lines by line rule. A maker counts and says what the line rests on; the engine cites it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from scorepad.rules.table import Lay, Party, Table


class Tally(NamedTuple):
    """What a maker counts for a line, and its grounds (`scorepad.rules.grounds`): what was applied, no more."""

    item: str
    number: int | None
    points: int
    grounds: tuple[str, ...]
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
