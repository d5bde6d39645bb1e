"""What does an irregularity cost, and what else follows?"""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.checks import Figure
from scorepad.rules.citations import Standing
from scorepad.rules.entries import NOT_EXPOSED
from scorepad.rules.grounds import places
from scorepad.rules.rulings.answers import Detail, Reason, Ruling, Verdict
from scorepad.rules.rulings.asked import PenaltyAsked
from scorepad.rules.rulings.casing import has_partner, reason
from scorepad.rules.rulings.catalogue import Costs, Irregularity, irregularity
from scorepad.rules.rulings.faults import OF_PENALTIES
from scorepad.rules.rulings.registry import ruling
from scorepad.rules.variants import Ruleset

REASONS = (
    "penalties-none", "penalty-not-listed", "penalty-agreed", "penalty-of", "penalty-without-points", "penalty-remedy",
    "penalty-counted-once", "penalty-without-partner",
)  # fmt: skip
"""The reasons of its own that this ruling gives."""

OF_PARTNERS = ("meld-out-of-turn-partner", "permission-then-no-out")
"""Penalties for what only happens where somebody has a partner."""


@ruling(PenaltyAsked)
def rule_penalty(rules: Ruleset, asked: PenaltyAsked) -> Ruling:
    """Its points and remedy; silent where the sources know no such thing, or leave it to the table."""
    found = irregularity(rules, asked.code)
    if found is None:
        code = "penalty-not-listed" if rules.penalties else "penalties-none"
        return Ruling(Verdict.SILENT, (reason(rules, code, "penalties-known", penalty=asked.code),))
    if found.costs is Costs.AGREED:
        return Ruling(Verdict.SILENT, (_of(found, "penalty-agreed", penalty=found.code),))
    return Ruling(Verdict.VALUE, tuple(_why(rules, found)), _details(rules, found))


def _details(rules: Ruleset, found: Irregularity) -> dict[str, Detail]:
    """`points` are taken as a penalty, None where the sources give none.

    `held` are those of the count for a red three in hand, where they are others.
    """
    details: dict[str, Detail] = {"points": found.points if found.costs is Costs.POINTS else None}
    held = rules.settings.held_red_three
    if found.code == NOT_EXPOSED and details.get("points") != held:
        details["held"] = held
    if found.remedy:
        details["remedy"] = found.remedy
    return details


def _why(rules: Ruleset, found: Irregularity) -> Iterator[Reason]:
    held = tuple(_held(rules, found))
    own_first = bool(held) and not _is_the_classic_price(rules, found)
    # A game with a price of its own is led by that: the penalty is another game's.
    yield from (*held, _cost(rules, found)) if own_first else (_cost(rules, found), *held)
    if found.code in OF_PARTNERS and not has_partner(rules.settings):
        yield reason(rules, "penalty-without-partner", "sides")
    if found.remedy:
        yield _of(found, "penalty-remedy", remedy=found.remedy)
    if held and not own_first:
        yield Reason(OF_PENALTIES[found.code], {}, found.places, (), Standing.READ)


def _held(rules: Ruleset, found: Irregularity) -> Iterator[Reason]:
    """What the count takes for a red three in hand, which is the same thing as the penalty for it."""
    if found.code == NOT_EXPOSED and found.costs is Costs.POINTS:
        price = rules.settings.held_red_three
        why = _counts(rules) if price == found.points else "own"
        yield reason(rules, "penalty-counted-once", "held-red-three", points=price, why=why)


def _cost(rules: Ruleset, found: Irregularity) -> Reason:
    if found.costs is Costs.NOTHING:
        return _of(found, "penalty-without-points", penalty=found.code)
    figures: dict[str, Figure] = {"penalty": found.code, "points": found.points}
    if found.code != NOT_EXPOSED:
        return _of(found, "penalty-of", **figures)
    if found.costs is Costs.HELD:
        return reason(rules, "penalty-of", "red-threes-kept", "held-red-three", points=found.points, why="kept")
    if _is_the_classic_price(rules, found):
        return reason(rules, "penalty-of", "held-red-three", "held-red-three-counts", **figures, why=_counts(rules))
    return _of(found, "penalty-of", **figures, why="each")


def _of(found: Irregularity, code: str, **figures: Figure) -> Reason:
    """A reason that rests on what the data says of the irregularity itself."""
    return Reason(code, figures, found.places, (), found.cited.standing)


def _is_the_classic_price(rules: Ruleset, found: Irregularity) -> bool:
    """Whether what a red three in hand costs here is told by the sources of the penalty themselves."""
    return bool(set(found.places).intersection(places(rules, "held-red-three")))


def _counts(rules: Ruleset) -> str:
    """Whether it is taken for each of them, or once."""
    return rules.settings.held_red_three_counts.value
