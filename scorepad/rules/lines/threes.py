"""Red and black threes that are not melded: exposed, laid aside."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.checks.going_out import by_reading, has_out_canastas
from scorepad.rules.lines.laid import by_canastas, ground_of
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
    grounds: tuple[str, ...] = ()
    if own:
        points = _worth(table, own) * _shares(table, party)[0] // WHOLE
        grounds = red_three_grounds(table, party, own, points)
    for other in table.parties:
        if other is party:
            continue
        share = _shares(table, other)[1]
        handed = sum(each.entry.red_threes for each in other.lays) if share else 0
        count, points = count + handed, points + _worth(table, handed) * share // WHOLE
        if handed:
            grounds = (*grounds, *red_three_grounds(table, other, handed, -points))
    yield Tally("red-threes", count, points, tuple(dict.fromkeys(grounds)))


def red_three_grounds(table: Table, party: Party, count: int, points: int) -> tuple[str, ...]:
    """What the worth of so many red threes of a party rests on, which they bring it in this hand.

    Where they are not counted, or against the side, only what says so: what they would have been worth does not count,
    or is told there too.
    """
    settings = table.settings
    worth = f"red-three-values/{count}"
    match settings.red_threes_condition:
        case Condition.CANASTAS:
            sign = ground_of("red-threes-by-canastas", settings.red_threes_by_canastas, party)
            return (worth, sign) if points else (sign,)
        case Condition.FAMILIES:
            share = f"red-threes-by-families/{_having(party)}"
            read = by_reading(table.rules, party)
            return (worth, share, *read) if points else (share, *read)
        case Condition.OUT_NEEDS:
            families = ("canasta-families-needed",) if settings.canasta_families_needed else ()
            return (worth, "red-threes-condition", *families) if points > 0 else ("red-threes-otherwise", *families)
        case _:
            return (worth, "red-threes-condition") if points > 0 else ("red-threes-otherwise",)


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
    return next((share.own, share.opponents) for share in shares if share.having == _having(party))


def _having(party: Party) -> str:
    natural, mixed = party.families["natural"], party.families["mixed"]
    return ("both" if mixed else "natural") if natural else ("mixed" if mixed else "none")


@line("black-threes-aside")
def black_threes_aside(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Black threes found in a taken pile and laid aside."""
    count = sum(part.entry.extras.get("black_threes_aside", 0) for part in party.lays)
    worth = (0, *table.settings.black_threes_aside)[count]
    yield Tally("black-threes-aside", count, worth, (f"black-threes-aside/{count}",))


@line("black-threes")
def black_threes(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Black threes exposed like red ones."""
    count = sum(part.entry.extras.get("black_threes", 0) for part in party.lays)
    signs = table.settings.red_threes_by_canastas
    sign, by = by_canastas(signs, party), ground_of("red-threes-by-canastas", signs, party)
    worth = (0, *table.settings.black_threes_exposed)[count]
    yield Tally("black-threes", count, worth * sign, (f"black-threes-exposed/{count}", by) if sign else (by,))
