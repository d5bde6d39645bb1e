"""Red and black threes that are not melded: exposed, laid aside."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.checks.going_out import has_out_canastas
from scorepad.rules.lines.laid import by_canastas
from scorepad.rules.lines.registry import Tally, line
from scorepad.rules.table import Lay, Party, Table
from scorepad.rules.terms import Condition, FamilyShare, Otherwise

WHOLE = 2
"""Halves in the whole worth."""


@line("red-threes")
def red_threes(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Red threes exposed: each side its own, and what another side must hand over."""
    own = lay.entry.red_threes
    count, points = own, 0
    if own:
        points = _worth(table, own) * _shares(table, party)[0] // WHOLE
    for other in table.parties:
        if other is party:
            continue
        share = _shares(table, other)[1]
        handed = sum(each.entry.red_threes for each in other.lays) if share else 0
        count, points = count + handed, points + _worth(table, handed) * share // WHOLE
    yield Tally("red-threes", count, points)


def _worth(table: Table, count: int) -> int:
    return (0, *table.settings.red_three_values)[count]


def _shares(table: Table, party: Party) -> tuple[int, int]:
    """What a party's red threes bring to itself and to its opponents, in halves of their worth."""
    settings = table.settings
    if settings.red_threes_condition is Condition.CANASTAS:
        return by_canastas(settings.red_threes_by_canastas, party) * WHOLE, 0
    if settings.red_threes_condition is Condition.FAMILIES:
        return _by_families(settings.red_threes_by_families, party)
    opened = settings.red_threes_condition is Condition.OPENED
    if party.opened if opened else has_out_canastas(table, party):
        return WHOLE, 0
    return {Otherwise.NEGATIVE: (-WHOLE, 0), Otherwise.TO_OPPONENTS: (0, WHOLE), Otherwise.ZERO: (0, 0)}[
        settings.red_threes_otherwise
    ]


def _by_families(shares: tuple[FamilyShare, ...], party: Party) -> tuple[int, int]:
    natural, mixed = party.families["natural"], party.families["mixed"]
    having = ("both" if mixed else "natural") if natural else ("mixed" if mixed else "none")
    return next((share.own, share.opponents) for share in shares if share.having == having)


@line("black-threes-aside")
def black_threes_aside(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Black threes found in a taken pile and laid aside."""
    count = sum(part.entry.extras.get("black_threes_aside", 0) for part in party.lays)
    yield Tally("black-threes-aside", count, (0, *table.settings.black_threes_aside)[count])


@line("black-threes")
def black_threes(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Black threes exposed like red ones."""
    count = sum(part.entry.extras.get("black_threes", 0) for part in party.lays)
    sign = by_canastas(table.settings.red_threes_by_canastas, party)
    yield Tally("black-threes", count, (0, *table.settings.black_threes_exposed)[count] * sign)
