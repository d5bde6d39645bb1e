"""Going out, and hands that are shown instead of melded."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.lines.registry import Tally, line
from scorepad.rules.table import Lay, Party, Table


@line("out")
def out(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """Going out: the bonus for the way of it, and that for the canastas with which it was done."""
    if not party.is_out or table.hand.out is None:
        return
    settings = table.settings
    plain = settings.concealed_out_bonus if table.hand.out.concealed else settings.out_bonus
    reached = [
        bonus.points
        for bonus in settings.out_bonus_canastas
        if party.families.total() >= bonus.canastas
        and party.families["natural"] >= bonus.natural
        and party.families["mixed"] >= bonus.mixed
    ]
    more = max(reached, default=0)
    yield Tally("out", 1, plain + more if settings.out_bonus_adds == "sum" else max(plain, more))


@line("special")
def special(table: Table, party: Party, lay: Lay) -> Iterator[Tally]:
    """A hand shown instead of melded: its points take the place of all others."""
    if lay.entry.special is not None:
        yield Tally("special", 1, dict(table.settings.special_hands)[lay.entry.special])
