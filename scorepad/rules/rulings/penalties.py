"""What does an irregularity cost, and what else follows?"""

from __future__ import annotations

from scorepad.rules.rulings.answers import Detail, Reason, Ruling, Verdict
from scorepad.rules.rulings.asked import PenaltyAsked
from scorepad.rules.rulings.casing import reason
from scorepad.rules.rulings.faults import OF_PENALTIES
from scorepad.rules.rulings.registry import ruling
from scorepad.rules.variants import Ruleset

REASONS = ("penalties-none", "penalty-not-listed", "penalty-agreed", "penalty-of", "penalty-remedy")
"""The reasons of its own that this ruling gives."""


@ruling(PenaltyAsked)
def rule_penalty(rules: Ruleset, asked: PenaltyAsked) -> Ruling:
    """Its points and remedy; silent where the sources know no such penalty, or leave it to the table."""
    penalty = rules.penalties.get(asked.code)
    if penalty is None:
        code = "penalty-not-listed" if rules.penalties else "penalties-none"
        return Ruling(Verdict.SILENT, (reason(rules, code, "penalties-known", penalty=asked.code),))
    places = tuple(str(place) for place in penalty.cited.citations)
    if penalty.points is None:
        return Ruling(Verdict.SILENT, (Reason("penalty-agreed", {"penalty": penalty.code}, places),))
    reasons = [Reason("penalty-of", {"penalty": penalty.code, "points": penalty.points}, places)]
    details: dict[str, Detail] = {"points": penalty.points}
    if penalty.remedy:
        reasons.append(Reason("penalty-remedy", {"remedy": penalty.remedy}, places))
        details["remedy"] = penalty.remedy
    if penalty.code in OF_PENALTIES:
        reasons.append(Reason(OF_PENALTIES[penalty.code], {}, places))
    return Ruling(Verdict.VALUE, tuple(reasons), details)
