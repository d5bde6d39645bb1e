"""What lies on the table: canastas, cards, and melds that should have become canastas."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.checks.going_out import has_out_canastas
from scorepad.rules.lines.registry import Tally, line
from scorepad.rules.melds import canasta_of
from scorepad.rules.settings import Settings
from scorepad.rules.table import Lay, Party, Table


def by_canastas(signs: tuple[int, ...], party: Party) -> int:
    """The sign for the canastas that a party has: with none, one, two …; the last for more."""
    return signs[_reached(signs, party)]


def ground_of(setting: str, signs: tuple[int, ...], party: Party) -> str:
    """The step of a setting by canastas that says so."""
    return f"{setting}/{_reached(signs, party)}"


def _reached(signs: tuple[int, ...], party: Party) -> int:
    return min(party.families.total(), len(signs) - 1)


@line("canastas")
def canastas(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """The bonus of each kind of canasta."""
    if not party.canastas:
        return
    counts = table.settings.canastas_count == "always" or has_out_canastas(table, party)
    worth = {kind.item: kind.points if counts else 0 for kind in table.settings.canastas}
    for item, count in party.canastas.items():
        if item in worth:
            yield Tally(item, count, count * worth[item], (f"canastas/{item}",) if counts else ("canastas-count",))


@line("concealed-canasta")
def concealed_canasta(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """More for canastas laid down whole, where the table counts them."""
    bonus = table.settings.concealed_canasta
    if bonus:
        count = party.canastas["concealed-canasta"]
        # Of totals nobody knows which of the canastas were the concealed ones.
        kinds = concealed_kinds(table.settings, party)
        yield Tally("concealed-canasta", count, count * bonus, tuple(f"concealed-canasta/{item}" for item in kinds))


def concealed_kinds(settings: Settings, party: Party) -> tuple[str, ...]:
    """The items of the canastas that were laid down whole, or may have been."""
    shown = [canasta_of(laid.meld, settings) for laid in party.melds if laid.meld.concealed]
    items = [kind.item for kind in shown if kind]
    if len(items) < party.canastas["concealed-canasta"]:
        items += [kind.item for kind in settings.canastas if party.canastas[kind.item]]
    return tuple(dict.fromkeys(items))


@line("cards")
def cards(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """The points of all cards laid."""
    signs = table.settings.cards_by_canastas
    counted = any(part.entry.totals for part in party.lays)
    # The one text that gives a black three another worth says nothing of cards with one of them.
    worth = "card-points/3b" if any(laid.meld.black_threes for laid in party.melds) else "card-points"
    grounds = (worth, ground_of("cards-by-canastas", signs, party)) if len(signs) > 1 else (worth,)
    count = None if counted else sum(laid.meld.size for laid in party.melds)
    yield Tally("cards", count, party.points * by_canastas(signs, party), grounds)


@line("incomplete")
def incomplete(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Melds that cost something as long as they are no canasta."""
    if not party.incomplete:
        return
    costly = [(kind, kind.item) for kind in table.settings.incomplete if kind.item is not None]
    for kind, item in costly:
        count = party.incomplete[kind.name]
        yield Tally(item, count, -count * kind.points, (f"incomplete/{kind.name}",))
