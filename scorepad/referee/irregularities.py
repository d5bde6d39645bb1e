"""Irregularities: the cost and other consequences of a mistake at the table.

Penalties are defined by the variant, which may have none. Irregularities without points are common to all variants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from scorepad.referee.case import answers, faults_of, has_partner, reason
from scorepad.referee.questions import Details, PenaltyQuestion, Reason, Reasons, Ruling, silent, value
from scorepad.rules.checks import Figure
from scorepad.rules.definitions import Cited, Penalty, places
from scorepad.rules.loader import load_irregularities
from scorepad.rules.settings import Settings
from scorepad.rules.table import NOT_EXPOSED
from scorepad.rules.variants import Ruleset


class Costs(StrEnum):
    """The kinds of cost of an irregularity."""

    POINTS = "points"
    NOTHING = "nothing"
    """The sources that mention it name no points."""
    HELD = "held"
    """The cost of a red three left in hand in this game, which the count already deducts."""
    AGREED = "agreed"
    """The table decides."""


class Irregularity(NamedTuple):
    """A mistake at the table, by its code, with words under `penalty.…`.

    `points` are deducted from the side that did it: 0 if there are none or the table decides, and the deduction of the
    count if it costs the same as a red three in hand; `remedy` is the other consequence (words under `remedy.…`), or
    None.
    """

    code: str
    costs: Costs
    points: int
    remedy: str | None
    cited: Cited

    @property
    def places(self) -> tuple[str, ...]:
        """The places in the sources."""
        return places([self.cited])


_HAPPENS: Mapping[str, Callable[[Settings], bool]] = {
    "always": lambda _: True,
    "with-partner": has_partner,
    "with-minimum": lambda settings: settings.opening_by != "nothing",
}
"""The conditions for irregularities without points, by the name of their table in the data."""

_DECIDED_BY = {"out-after-no": "permission"}
"""The setting that decides an irregularity; its citations in this game precede those of the irregularity."""


def irregularities(rules: Ruleset) -> tuple[Irregularity, ...]:
    """All irregularities under these rules: those that cost points, those that cost none, and the table's own.

    Empty if the sources of a variant have no penalties: then they do not mention the others either.
    """
    settings, known = rules.settings, rules.penalties.values()
    tables = load_irregularities().items() if known else ()
    costs = [(each, Costs.POINTS) for each in known if each.points is not None]
    costs += [
        (each, Costs.NOTHING) for where, listed in tables if _HAPPENS[where](settings) for each in listed.values()
    ]
    costs += [(each, Costs.AGREED) for each in known if each.points is None]

    def irregular(data: Penalty, cost: Costs) -> Irregularity:
        if data.code == NOT_EXPOSED and settings.red_threes_kept != "exposed":
            # If red threes need not be exposed, only the count has a price for them.
            held = rules.cited["held-red-three"]
            return Irregularity(data.code, Costs.HELD, settings.held_red_three, data.remedy, held)
        cited = rules.cited.get(_DECIDED_BY.get(data.code, ""), data.cited)
        return Irregularity(data.code, cost, data.points or 0, data.remedy, cited)

    return tuple(irregular(*each) for each in costs)


def irregularity(rules: Ruleset, code: str) -> Irregularity | None:
    """The irregularity of this code; None if the sources mention none that can happen under these rules."""
    return next((each for each in irregularities(rules) if each.code == code), None)


OF_PARTNERS = ("meld-out-of-turn-partner", "permission-then-no-out")
"""Penalties for mistakes that require a partner."""


@answers(PenaltyQuestion)
def rule_penalty(rules: Ruleset, question: PenaltyQuestion) -> Ruling:
    """Its points and remedy; silent if the sources do not mention it, or leave it to the table.

    The detail `points` is the penalty, None if the sources give none; `held` is the count's deduction
    for a red three in hand, if that is a different figure.
    """
    found = irregularity(rules, question.code)
    if found is None:
        code = "penalty-not-listed" if rules.penalties else "penalties-none"
        return silent((reason(code, "penalties-known", penalty=question.code),))
    if found.costs is Costs.AGREED:
        return silent((_of(found, "penalty-agreed", penalty=found.code),))
    held, points = rules.settings.held_red_three, found.points if found.costs is Costs.POINTS else None
    details: Details = {"points": points}
    if found.code == NOT_EXPOSED and points != held:
        details["held"] = held
    if found.remedy:
        details["remedy"] = found.remedy
    return value(tuple(_reasons(rules, found)), details)


def _reasons(rules: Ruleset, found: Irregularity) -> Reasons:
    """Its cost; for a red three not exposed also that the deduction of the count is for the same offence."""
    price, counts = rules.settings.held_red_three, rules.settings.held_red_three_counts
    # Whether the sources of the penalty also state the cost of a red three in hand.
    same_sources = found.code == NOT_EXPOSED and set(found.places) & set(rules.places("held-red-three"))
    figures: dict[str, Figure] = {"penalty": found.code, "points": found.points}
    once = reason(
        "penalty-counted-once", "held-red-three", points=price, why=counts if price == found.points else "own"
    )
    if found.costs is Costs.HELD:
        yield reason("penalty-of", "red-threes-kept", "held-red-three", points=price, why="kept")
    elif found.costs is Costs.NOTHING:
        yield _of(found, "penalty-without-points", penalty=found.code)
    elif same_sources:
        yield reason("penalty-of", "held-red-three", "held-red-three-counts", **figures, why=counts)
        yield once
    elif found.code == NOT_EXPOSED:
        # The variant's own price takes precedence: the penalty is another game's.
        yield once
        yield _of(found, "penalty-of", **figures, why="each")
    else:
        yield _of(found, "penalty-of", **figures)
    if found.code in OF_PARTNERS and not has_partner(rules.settings):
        yield reason("penalty-without-partner", "sides")
    if found.remedy:
        yield _of(found, "penalty-remedy", remedy=found.remedy)
    if same_sources and found.costs is Costs.POINTS:
        yield from faults_of(rules, f"penalties/{found.code}")


def _of(found: Irregularity, code: str, **figures: Figure) -> Reason:
    """A reason based on the data of the irregularity itself."""
    return Reason(code, figures, found.places, (), found.cited.standing)
