"""Everything that goes wrong at a table, as far as the sources speak of it: what it costs, and what else follows.

Penalties stand with the variant, which may know none. What costs no points is the same wherever it can happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from scorepad.rules.citations import Cited
from scorepad.rules.entries import NOT_EXPOSED
from scorepad.rules.loader import Penalty, load_irregularities
from scorepad.rules.rulings.casing import has_partner
from scorepad.rules.settings import Settings
from scorepad.rules.terms import OpeningBy
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


def catalogue(rules: Ruleset) -> tuple[Irregularity, ...]:
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
    return next((each for each in catalogue(rules) if each.code == code), None)


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
