"""Hands for tests, written short."""

from __future__ import annotations

from typing import Any

from scorepad.rules.cards import read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand, HeldInPoints, HeldTogether, MeldEntry, Out, SideEntry, Totals
from scorepad.rules.judging import Judgement, judge
from scorepad.rules.variants import settle


def side(*melds: str, **more: Any) -> SideEntry:
    """A side with these melds."""
    left = more.get("left")
    if isinstance(left, str):
        more["left"] = HeldTogether(read_cards(left))
    if isinstance(left, int):
        more["left"] = HeldInPoints(left)
    return SideEntry(melds=tuple(MeldEntry(read_cards(meld)) for meld in melds), **more)


def counted(cards: int, /, **canastas: int) -> SideEntry:
    """A side counted at the table."""
    return SideEntry(
        totals=Totals(cards, {name.replace("_", "-"): count for name, count in canastas.items()})
    )


def hand(*sides: SideEntry, **more: Any) -> Hand:
    """A hand of these sides."""
    return Hand(sides, **more)


def judged(
    of: Hand, rules: Ruleset | None = None, before: tuple[int, ...] | None = None
) -> Judgement:
    """What the rules say of it; classica, from 0 points, unless said otherwise."""
    return judge(rules or settle("classica"), of, before)


def codes(judgement: Judgement) -> set[str]:
    """The rules that it breaks."""
    return {finding.code for finding in judgement.findings}


def went_out(position: int, **more: Any) -> Out:
    """Somebody going out."""
    return Out(position, **more)
