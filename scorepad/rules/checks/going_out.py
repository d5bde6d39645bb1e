"""Checks of going out."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.cards import NOTHING, RED_THREE, Reading
from scorepad.rules.checks.registry import SideName, Trouble, check
from scorepad.rules.entries import Place
from scorepad.rules.settings import LastDiscard
from scorepad.rules.table import Lay, Party, Table


def has_out_canastas(table: Table, party: Party) -> bool:
    """Whether a party has the canastas that going out needs."""
    settings = table.settings
    if party.families.total() < settings.canastas_needed:
        return False
    return all(party.families[family] >= count for family, count in settings.canasta_families_needed)


@check("out-canastas-missing")
def canastas_missing(table: Table) -> Iterator[Trouble]:
    """The side that went out lacks canastas that going out needs."""
    for party in table.parties:
        if not party.is_out or party.unreadable or party.is_summed or has_out_canastas(table, party):
            continue
        position = next(lay.position for lay in party.lays if lay.is_out)
        needed = table.settings.canastas_needed
        yield Trouble(("out",), {"side": SideName(position), "has": party.families.total(), "needed": needed})


@check("out-cards-left")
def cards_left(table: Table) -> Iterator[Trouble]:
    """The player who went out still holds cards."""
    for lay in table.lays:
        if lay.is_out:
            yield from (Trouble(place, {"side": SideName(lay.position)}) for place in _still_held(table, lay))


def _still_held(table: Table, lay: Lay) -> Iterator[Place]:
    """Where cards stand that the player who went out cannot hold."""
    if lay.position not in table.hand.of_match:
        return
    out, entry = table.hand.out, lay.entry
    hands = table.settings.sides[lay.position] - table.settings.resting[lay.position]
    left: Place = (*lay.place, "left")
    if hands == 1:
        if isinstance(entry.left, int):
            yield from [left] if entry.left > 0 else []
        else:
            apart = entry.left_apart
            yield from ((*left, n) if apart else left for n, hand in enumerate(entry.left) if not _is_empty(hand))
        if entry.red_threes_held:
            yield (*lay.place, "red_threes_held")
    elif entry.left_apart and not isinstance(entry.left, int) and out is not None:
        if out.player is not None and not _is_empty(entry.left[out.player]):
            yield (*left, out.player)
        elif out.player is None and not any(_is_empty(hand) for hand in entry.left):
            yield left


def _is_empty(hand: Reading) -> bool:
    return not hand.cards.size and not hand.unknown


@check("out-discard-special")
def discard_special(table: Table) -> Iterator[Trouble]:
    """The last card discarded is a three or a wild card."""
    out = table.hand.out
    if out is None:
        return
    cards = out.discard.cards
    if cards.size and not cards.naturals:
        kind = "wild" if cards.wilds else "red-three" if cards.counts[RED_THREE] else "black-three"
        yield Trouble(("out", "discard"), {"card": kind})


@check("out-discard-missing")
def discard_missing(table: Table) -> Iterator[Trouble]:
    """No last card was discarded where one is obligatory."""
    out = table.hand.out
    if out is None or table.settings.last_discard is not LastDiscard.OBLIGATORY:
        return
    if out.discard_noted and out.discard == NOTHING:
        yield Trouble(("out", "discard"))
