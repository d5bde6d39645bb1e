"""Going out, and hands that are shown instead of melded."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.checks.going_out import by_reading
from scorepad.rules.lines.registry import Tally, line
from scorepad.rules.table import Lay, Party, Table


@line("out")
def out(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Going out: the bonus for the way of it, and that for the canastas with which it was done."""
    if not party.is_out or table.hand.out is None:
        return
    settings = table.settings
    concealed = table.hand.out.concealed
    plain = settings.concealed_out_bonus if concealed else settings.out_bonus
    reached = [
        (bonus.points, bonus.canastas)
        for bonus in settings.out_bonus_canastas
        if party.families.total() >= bonus.canastas
        and party.families["natural"] >= bonus.natural
        and party.families["mixed"] >= bonus.mixed
    ]
    ground = "concealed-out-bonus" if concealed else "out-bonus"
    more, canastas = max(reached, default=(0, 0))
    if not more:
        yield Tally("out", 1, plain, (ground,))
        return
    with_canastas = (f"out-bonus-canastas/{canastas}", "out-bonus-adds", *by_reading(table.rules, party))
    if settings.out_bonus_adds == "sum":
        yield Tally("out", 1, plain + more, (ground, *with_canastas))
    else:
        yield Tally("out", 1, max(plain, more), with_canastas)


@line("special")
def special(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """A hand shown instead of melded: its points take the place of all others."""
    if lay.entry.special is not None:
        name = lay.entry.special
        yield Tally("special", 1, dict(table.settings.special_hands)[name], (f"special-hands/{name}",))
