"""Hands for tests, written short."""

from typing import Any

from scorepad.rules.cards import read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand, HeldInPoints, HeldTogether, MeldEntry, Out, SideEntry, Totals
from scorepad.rules.judging import Judgement, judge
from scorepad.rules.variants import settle


def side(*melds: str, **more: Any) -> SideEntry:
    """What a side laid, one text a meld, and what else is entered for it.

    `side("3xK 2", left="4 9")` laid three kings with a two and was left with a four and a nine;
    `left=30` says that what it was left with is worth 30 points.
    """
    left = more.get("left")
    if isinstance(left, str):
        more["left"] = HeldTogether(read_cards(left))
    if isinstance(left, int):
        more["left"] = HeldInPoints(left)
    return SideEntry(melds=tuple(MeldEntry(read_cards(meld)) for meld in melds), **more)


def side_with_totals(cards: int, **canastas: int) -> SideEntry:
    """A side that counted the points of its cards and its canastas at the table.

    `side_with_totals(cards=120, mixed_canasta=1)` has 120 points of cards and one mixed canasta.
    """
    totals = {name.replace("_", "-"): count for name, count in canastas.items()}
    return SideEntry(totals=Totals(cards, totals))


def hand(*sides: SideEntry, **more: Any) -> Hand:
    """A hand of these sides."""
    return Hand(sides, **more)


def judge_hand(
    played: Hand, rules: Ruleset | None = None, before: tuple[int, ...] | None = None
) -> Judgement:
    """What the rules say of a hand; those of classica, from 0 points, unless said otherwise."""
    return judge(rules or settle("classica"), played, before)


def problem_codes(judgement: Judgement) -> set[str]:
    """The codes of the problems that were found."""
    return {finding.code for finding in judgement.findings}


def went_out(position: int, **more: Any) -> Out:
    """The side at this position went out."""
    return Out(position, **more)
