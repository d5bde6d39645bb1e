"""Checks of the opening: the one that was noted, and whether one was possible at all."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.checks.registry import SideName, Trouble, check
from scorepad.rules.table import Laid, Lay, Party, Table


@check("opening-below-minimum")
def below_minimum(table: Table) -> Iterator[Trouble]:
    """The opening noted does not reach the minimum of the side that opened."""
    for lay in table.lays:
        minimum = table.opening_minimum(lay.position)
        readable = lay.entry.opening is not None and all(laid.whole for laid in lay.opening)
        if not readable or minimum is None or table.needs_no_minimum(lay):
            continue
        last = [laid for laid in lay.opening if _belongs_to_the_end(table, laid, lay.is_out)]
        points = sum(laid.points for laid in lay.opening if laid not in last)
        if last or points < minimum:
            why = "black-threes" if last else "points"
            yield Trouble((*lay.place, "opening"), {"why": why, **_shortfall(table, lay, points, minimum)})


@check("opening-impossible")
def impossible(table: Table) -> Iterator[Trouble]:
    """All that was laid in the hand, taken together, does not reach the minimum, so that no opening can have."""
    for party in table.parties:
        if not party.opened or party.unreadable or party.is_summed:
            continue
        lays = [(table.opening_minimum(lay.position), lay) for lay in party.lays]
        reachable = [(minimum, lay) for minimum, lay in lays if minimum is not None]
        if not reachable or any(table.needs_no_minimum(lay) for lay in party.lays):
            continue
        minimum, _ = min(reachable, key=lambda pair: pair[0])
        points = points_laid(party)
        if points < minimum and not _is_below_zero(party):
            first = next(lay for lay in party.lays if lay.melds or lay.entry.totals)
            yield Trouble(first.place, _shortfall(table, first, points, minimum))


def points_laid(party: Party) -> int:
    """The points of all cards that a party laid."""
    counted = sum(lay.entry.totals.cards for lay in party.lays if lay.entry.totals)
    return counted + sum(laid.points for laid in party.melds)


def _is_below_zero(party: Party) -> bool:
    """Totals that no cards give at all are told as that, and say nothing of the opening."""
    return any(lay.entry.totals is not None and lay.entry.totals.cards < 0 for lay in party.lays)


def _belongs_to_the_end(table: Table, laid: Laid, went_out: bool) -> bool:
    """Whether a meld is of black threes, laid when going out, by a side that had opened in an earlier turn."""
    out = table.hand.out
    concealed = went_out and out is not None and out.concealed
    return laid.meld.is_of_black_threes and not concealed


def _shortfall(table: Table, lay: Lay, points: int, minimum: int) -> dict[str, int | SideName]:
    score = table.hand.before[lay.position]
    return {"side": SideName(lay.position), "points": points, "minimum": minimum,
            "missing": minimum - points, "score": score}  # fmt: skip
