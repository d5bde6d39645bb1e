"""What the table agreed, and penalties."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.lines.registry import Tally, line
from scorepad.rules.table import Lay, Party, Table


@line("sum")
def agreed_sum(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """The hand as one figure that the table agreed."""
    if lay.entry.sum is not None:
        yield Tally("sum", None, lay.entry.sum, ("table-agreement",))


@line("penalty")
def penalty(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Penalties, one line for each code."""
    given = [entry for part in party.lays for entry in part.entry.penalties]
    for code in dict.fromkeys(entry.code for entry in given):
        known = table.rules.penalties[code]
        each = [known.costs(entry.points) for entry in given if entry.code == code]
        yield Tally("penalty", len(each), -sum(points or 0 for points in each), (f"penalties/{code}",), code)


@line("adjustment")
def adjustment(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Points that the table agreed, one line each; they are the side's own."""
    for entry in lay.entry.adjustments:
        yield Tally("adjustment", None, entry.points, ("table-agreement",), None, entry.reason)
