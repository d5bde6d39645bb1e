"""What lies on the table: canastas, cards, and melds that should have become canastas."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.checks.going_out import has_out_canastas
from scorepad.rules.lines.registry import Tally, line
from scorepad.rules.table import Lay, Party, Table


def by_canastas(signs: tuple[int, ...], party: Party) -> int:
    """The sign for the canastas that a party has: with none, one, two …; the last for more."""
    return signs[min(party.families.total(), len(signs) - 1)]


@line("canastas")
def canastas(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """The bonus of each kind of canasta."""
    if not party.canastas:
        return
    counts = table.settings.canastas_count == "always" or has_out_canastas(table, party)
    worth = {kind.item: kind.points if counts else 0 for kind in table.settings.canastas}
    for item, count in party.canastas.items():
        if item in worth:
            yield Tally(item, count, count * worth[item])


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
    points = party.points * by_canastas(table.settings.cards_by_canastas, party)
    counted = any(part.entry.totals for part in party.lays)
    yield Tally("cards", None if counted else sum(laid.meld.size for laid in party.melds), points)


@line("incomplete")
def incomplete(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Melds that cost something as long as they are no canasta."""
    if not party.incomplete:
        return
    costly = [(kind, kind.item) for kind in table.settings.incomplete if kind.item is not None]
    for kind, item in costly:
        count = party.incomplete[kind.name]
        yield Tally(item, count, -count * kind.points)
