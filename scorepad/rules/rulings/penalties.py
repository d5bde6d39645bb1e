"""What does an irregularity cost, and what else follows?"""

from __future__ import annotations

from scorepad.rules.rulings.answers import Detail, Reason, Ruling, Verdict
from scorepad.rules.rulings.asked import PenaltyAsked
from scorepad.rules.rulings.casing import reason
from scorepad.rules.rulings.catalogue import Costs, Irregularity, irregularity
from scorepad.rules.rulings.faults import OF_PENALTIES
from scorepad.rules.rulings.registry import ruling
from scorepad.rules.variants import Ruleset

REASONS = (
    "penalties-none", "penalty-not-listed", "penalty-agreed", "penalty-of", "penalty-without-points", "penalty-remedy",
    "penalty-counted-once",
)  # fmt: skip
"""The reasons of its own that this ruling gives."""

_HELD = "red-three-not-exposed"
"""The penalty for what the count of a hand knows as red threes in hand."""


@ruling(PenaltyAsked)
def rule_penalty(rules: Ruleset, asked: PenaltyAsked) -> Ruling:
    """Its points and remedy; silent where the sources know no such thing, or leave it to the table."""
    found = irregularity(rules, asked.code)
    if found is None:
        code = "penalty-not-listed" if rules.penalties else "penalties-none"
        return Ruling(Verdict.SILENT, (reason(rules, code, "penalties-known", penalty=asked.code),))
    if found.costs is Costs.AGREED:
        return Ruling(Verdict.SILENT, (Reason("penalty-agreed", {"penalty": found.code}, found.places),))
    details: dict[str, Detail] = {"points": found.points} if found.costs is Costs.POINTS else {}
    if found.remedy:
        details["remedy"] = found.remedy
    return Ruling(Verdict.VALUE, _why(rules, found), details)


def _why(rules: Ruleset, found: Irregularity) -> tuple[Reason, ...]:
    reasons = [_cost(found)]
    if found.remedy:
        reasons.append(Reason("penalty-remedy", {"remedy": found.remedy}, found.places))
    if found.code == _HELD:
        held = rules.settings.held_red_three
        reasons.append(reason(rules, "penalty-counted-once", "held-red-three", points=held))
    if found.code in OF_PENALTIES:
        reasons.append(Reason(OF_PENALTIES[found.code], {}, found.places))
    return tuple(reasons)


def _cost(found: Irregularity) -> Reason:
    if found.costs is Costs.NOTHING:
        return Reason("penalty-without-points", {"penalty": found.code}, found.places)
    return Reason("penalty-of", {"penalty": found.code, "points": found.points}, found.places)
