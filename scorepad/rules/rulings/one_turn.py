"""What may not be begun in one turn: a meld of a rank whose canasta is closed in that turn (W Variante mini)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorepad.rules.cards import KINDS, Kind, Reading
from scorepad.rules.melds import read_meld
from scorepad.rules.rulings.answers import Reason
from scorepad.rules.rulings.casing import reason
from scorepad.rules.variants import Ruleset

REASONS = ("meld-begun-beside-canasta",)
"""The codes of its own reasons."""


def begun_in_one_turn(rules: Ruleset, laid: Iterable[Reading]) -> Iterator[Reason]:
    """That of these melds, as a turn leaves them, one is incomplete and another closed the canasta of its rank."""
    if rules.settings.repeated_rank != "not-incomplete":
        return
    begun, closed = set[int](), set[int]()
    for each in laid:
        meld = read_meld(each.cards)
        if meld.rank is not None and not each.unknown:
            (closed if meld.size >= rules.settings.canasta_length else begun).add(meld.rank)
    for rank in sorted(begun & closed):
        yield reason(rules, "meld-begun-beside-canasta", "repeated-rank", rank=Kind(KINDS[rank]))
