"""The lines of several sides, or of several countings, matched: what stands in one row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from scorepad.rules.score import Line


@dataclass(frozen=True, slots=True)
class LineKey:
    """What a line is for. `place` tells several of the same kind apart."""

    item: str
    code: str | None
    reason: str | None
    place: int


def keyed(lines: Iterable[Line], *, by_reason: bool = False) -> dict[LineKey, Line]:
    """The lines of a side by what they are for; `by_reason`: each reason has a row of its own."""
    seen: Counter[tuple[str, str | None, str | None]] = Counter()
    found = {}
    for line in lines:
        kind = (line.item, line.code, line.reason if by_reason else None)
        found[LineKey(*kind, seen[kind])] = line
        seen[kind] += 1
    return found
