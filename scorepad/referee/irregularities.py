"""Irregularities: what a mistake at the table costs, and what else follows.

Penalties stand with the variant, which may know none. What costs no points is the same wherever it can happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from scorepad.referee.case import answers, faults_of, has_partner, reason
from scorepad.referee.questions import Detail, PenaltyQuestion, Reason, Ruling, Verdict
from scorepad.rules.checks import Figure
from scorepad.rules.definitions import Cited, Penalty
from scorepad.rules.loader import load_irregularities
from scorepad.rules.settings import OpeningBy, Settings
from scorepad.rules.table import NOT_EXPOSED
from scorepad.rules.variants import Ruleset, sources


class Costs(StrEnum):
    """What an irregularity costs."""

    POINTS = "points"
    NOTHING = "nothing"
    """The sources that speak of it name no points."""
    HELD = "held"
    """What a red three left in hand costs in this game, which the count takes for itself."""
    AGREED = "agreed"
    """What the table decides."""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something that goes wrong, by its code, with words under `penalty.…`.

    `points` are taken from the side that did it, 0 where none are or the table decides them, and what the count takes
    where it costs what a red three in hand does; `remedy` is what else follows (words under `remedy.…`), None where
    nothing does.
    """

    code: str
    costs: Costs
    points: int
    remedy: str | None
    cited: Cited

    @property
    def places(self) -> tuple[str, ...]:
        """Where the sources say so."""
        return tuple(str(place) for place in self.cited.citations)


_HAPPENS: Mapping[str, Callable[[Settings], bool]] = {
    "always": lambda _: True,
    "with-partner": has_partner,
    "with-minimum": lambda settings: settings.opening_by is not OpeningBy.NOTHING,
}
"""Where an irregularity without points can happen, by the table of the data that it stands in."""

_DECIDED_BY = {"out-after-no": "permission"}
"""The setting that decides what goes wrong, whose citations in this game stand before those of the listed one."""


def irregularities(rules: Ruleset) -> tuple[Irregularity, ...]:
    """All that can go wrong under these rules: first what costs points, then what costs none, last the table's own.

    Empty where the sources of a variant know no penalties: then they know none of the rest either.
    """
    known = tuple(rules.penalties.values())
    tables = _without_points().items() if known else ()
    free = [each for where, listed in tables if _HAPPENS[where](rules.settings) for each in listed.values()]
    return (
        *(_irregularity(rules, each, Costs.POINTS) for each in known if each.points is not None),
        *(_irregularity(rules, each, Costs.NOTHING) for each in free),
        *(_irregularity(rules, each, Costs.AGREED) for each in known if each.points is None),
    )


def irregularity(rules: Ruleset, code: str) -> Irregularity | None:
    """The irregularity of this code; None where the sources know none that can happen here."""
    return next((each for each in irregularities(rules) if each.code == code), None)


def _irregularity(rules: Ruleset, data: Penalty, costs: Costs) -> Irregularity:
    if data.code == NOT_EXPOSED and rules.settings.red_threes_kept != "exposed":
        # Where nobody need expose a red three, only the count has a price for it.
        held = rules.cited["held-red-three"]
        return Irregularity(data.code, Costs.HELD, rules.settings.held_red_three, data.remedy, held)
    cited = rules.cited.get(_DECIDED_BY.get(data.code, ""), data.cited)
    return Irregularity(data.code, costs, data.points or 0, data.remedy, cited)


@cache
def _without_points() -> Mapping[str, Mapping[str, Penalty]]:
    return load_irregularities(sources())


OF_PARTNERS = ("meld-out-of-turn-partner", "permission-then-no-out")
"""Penalties for what only happens where somebody has a partner."""


@answers(PenaltyQuestion)
def rule_penalty(rules: Ruleset, question: PenaltyQuestion) -> Ruling:
    """Its points and remedy; silent where the sources know no such thing, or leave it to the table.

    The detail `points` is what is taken as a penalty, None where the sources give none; `held` what the count takes
    for a red three in hand, where that is another figure.
    """
    found = irregularity(rules, question.code)
    if found is None:
        code = "penalty-not-listed" if rules.penalties else "penalties-none"
        return Ruling(Verdict.SILENT, (reason(code, "penalties-known", penalty=question.code),))
    if found.costs is Costs.AGREED:
        return Ruling(Verdict.SILENT, (_of(found, "penalty-agreed", penalty=found.code),))
    points = found.points if found.costs is Costs.POINTS else None
    details: dict[str, Detail] = {"points": points}
    if found.code == NOT_EXPOSED and points != rules.settings.held_red_three:
        details["held"] = rules.settings.held_red_three
    if found.remedy:
        details["remedy"] = found.remedy
    return Ruling(Verdict.VALUE, tuple(_reasons(rules, found)), details)


def _reasons(rules: Ruleset, found: Irregularity) -> Iterator[Reason]:
    if found.code == NOT_EXPOSED:
        yield from _not_exposed(rules, found)
    elif found.costs is Costs.NOTHING:
        yield _of(found, "penalty-without-points", penalty=found.code)
    else:
        yield _of(found, "penalty-of", penalty=found.code, points=found.points)
    if found.code in OF_PARTNERS and not has_partner(rules.settings):
        yield reason("penalty-without-partner", "sides")
    if found.remedy:
        yield _of(found, "penalty-remedy", remedy=found.remedy)
    if found.code == NOT_EXPOSED and found.costs is Costs.POINTS and _has_the_price_of_the_count(rules, found):
        yield from faults_of(rules, f"penalties/{found.code}")


def _not_exposed(rules: Ruleset, found: Irregularity) -> Iterator[Reason]:
    """What a red three not exposed costs: the count takes a price for it too, which is the same thing."""
    price, counts = rules.settings.held_red_three, rules.settings.held_red_three_counts.value
    if found.costs is Costs.HELD:
        yield reason("penalty-of", "red-threes-kept", "held-red-three", points=price, why="kept")
        return
    why = counts if price == found.points else "own"
    once = reason("penalty-counted-once", "held-red-three", points=price, why=why)
    figures: dict[str, Figure] = {"penalty": found.code, "points": found.points}
    if _has_the_price_of_the_count(rules, found):
        yield reason("penalty-of", "held-red-three", "held-red-three-counts", **figures, why=counts)
        yield once
    else:
        # A game with a price of its own is led by that: the penalty is another game's.
        yield once
        yield _of(found, "penalty-of", **figures, why="each")


def _of(found: Irregularity, code: str, **figures: Figure) -> Reason:
    """A reason that rests on what the data says of the irregularity itself."""
    return Reason(code, figures, found.places, (), found.cited.standing)


def _has_the_price_of_the_count(rules: Ruleset, found: Irregularity) -> bool:
    """Whether the sources of the penalty also state what a red three in hand costs here."""
    return bool(set(found.places).intersection(rules.places("held-red-three")))
