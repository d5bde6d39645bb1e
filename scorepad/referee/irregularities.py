"""Everything that goes wrong at a table, as far as the sources speak of it: what it costs, and what else follows.

Penalties stand with the variant, which may know none. What costs no points is the same wherever it can happen.


What does an irregularity cost, and what else follows?
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from scorepad.referee.answers import Detail, Reason, Ruling, Verdict, ruling
from scorepad.referee.case import OF_PENALTIES, has_partner, reason
from scorepad.referee.questions import PenaltyQuestion
from scorepad.rules.checks import Figure
from scorepad.rules.citations import Cited, Standing
from scorepad.rules.entries import NOT_EXPOSED
from scorepad.rules.loader import Penalty, load_irregularities
from scorepad.rules.settings import OpeningBy, Settings
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
    return (
        *(_held(rules, each) or _told(rules, each, Costs.POINTS) for each in known if each.points is not None),
        *(_told(rules, each, Costs.NOTHING) for each in _without_points(rules.settings) if known),
        *(_told(rules, each, Costs.AGREED) for each in known if each.points is None),
    )


def irregularity(rules: Ruleset, code: str) -> Irregularity | None:
    """The irregularity of this code; None where the sources know none that can happen here."""
    return next((each for each in irregularities(rules) if each.code == code), None)


def _told(rules: Ruleset, data: Penalty, costs: Costs) -> Irregularity:
    cited = rules.cited.get(_DECIDED_BY.get(data.code, ""), data.cited)
    return Irregularity(data.code, costs, data.points or 0, data.remedy, cited)


def _held(rules: Ruleset, data: Penalty) -> Irregularity | None:
    """The red three not exposed where nobody need expose one, and only the count has a price for it; else None."""
    if data.code != NOT_EXPOSED or rules.settings.red_threes_kept == "exposed":
        return None
    return Irregularity(
        data.code, Costs.HELD, rules.settings.held_red_three, data.remedy, rules.cited["held-red-three"]
    )


def _without_points(settings: Settings) -> Iterator[Penalty]:
    for where, listed in _listed().items():
        if _HAPPENS[where](settings):
            yield from listed.values()


@cache
def _listed() -> Mapping[str, Mapping[str, Penalty]]:
    return load_irregularities(sources())


OF_PARTNERS = ("meld-out-of-turn-partner", "permission-then-no-out")
"""Penalties for what only happens where somebody has a partner."""


@ruling(PenaltyQuestion)
def rule_penalty(rules: Ruleset, asked: PenaltyQuestion) -> Ruling:
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
    held = tuple(_held_reason(rules, found))
    own_first = bool(held) and not _is_the_classic_price(rules, found)
    # A game with a price of its own is led by that: the penalty is another game's.
    yield from (*held, _cost(rules, found)) if own_first else (_cost(rules, found), *held)
    if found.code in OF_PARTNERS and not has_partner(rules.settings):
        yield reason(rules, "penalty-without-partner", "sides")
    if found.remedy:
        yield _of(found, "penalty-remedy", remedy=found.remedy)
    if held and not own_first:
        yield Reason(OF_PENALTIES[found.code], {}, found.places, (), Standing.READ)


def _held_reason(rules: Ruleset, found: Irregularity) -> Iterator[Reason]:
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
    return bool(set(found.places).intersection(rules.places("held-red-three")))


def _counts(rules: Ruleset) -> str:
    """Whether it is taken for each of them, or once."""
    return rules.settings.held_red_three_counts.value
