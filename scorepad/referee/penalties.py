"""Irregularities: the cost and other consequences of a mistake at the table.

Penalties are defined by the variant, which may have none. Irregularities without points are common
to all variants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from scorepad.errors import ChoiceError, VariantError
from scorepad.referee.in_force import has_partner
from scorepad.referee.questions import PenaltyQuestion
from scorepad.referee.reasons import faults_of, reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, silent, value
from scorepad.rules.checks import MessageArgument
from scorepad.rules.definitions import Cited, FreeIrregularity, PenaltyKind, Ruleset, citation_texts
from scorepad.rules.hand import NOT_EXPOSED
from scorepad.rules.loader import load_irregularities
from scorepad.rules.settings import Settings
from scorepad.rules.variants import get_variant


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

    `points` are deducted from the side that did it: 0 if there are none or the table decides, and
    the deduction of the count if it costs the same as a red three in hand; `remedy` is the other
    consequence (words under `remedy.…`), or None.
    """

    code: str
    costs: Costs
    points: int
    remedy: str | None
    cited: Cited

    @property
    def sources(self) -> tuple[str, ...]:
        return citation_texts([self.cited])


_HAPPENS: Mapping[str, Callable[[Settings], bool]] = {
    "always": lambda _: True,
    "with-partner": has_partner,
    "with-minimum": lambda settings: settings.opening_by != "nothing",
}
"""The conditions for irregularities without points, by the name of their table in the data."""

_DECIDED_BY = {"out-after-no": "permission"}
"""The setting that decides an irregularity; its citations in this game precede those of the
irregularity.
"""


def irregularities(rules: Ruleset) -> tuple[Irregularity, ...]:
    """All irregularities under these rules: those that cost points, those that cost none, and the
    table's own.

    Empty if the sources of a variant have no penalties: then they do not mention the others either.
    """
    if not rules.penalties:
        return ()
    penalties = [_of_penalty(rules, each) for each in rules.penalties.values()]
    priced = [each for each in penalties if each.costs is not Costs.AGREED]
    agreed = [each for each in penalties if each.costs is Costs.AGREED]
    free = []
    for condition, listed in load_irregularities().items():
        if _HAPPENS[condition](rules.settings):
            free += [_of_free(rules, each) for each in listed.values()]
    return (*priced, *free, *agreed)


def _of_penalty(rules: Ruleset, penalty: PenaltyKind) -> Irregularity:
    costs = Costs.POINTS
    points = penalty.points or 0
    cited = penalty.cited
    if penalty.code == NOT_EXPOSED and rules.settings.red_threes_kept != "exposed":
        # If red threes need not be exposed, only the count has a price for them.
        costs = Costs.HELD
        points = rules.settings.held_red_three
        cited = rules.cited["held-red-three"]
    elif penalty.points is None:
        costs = Costs.AGREED
    return Irregularity(penalty.code, costs, points, penalty.remedy, cited)


def _of_free(rules: Ruleset, free: FreeIrregularity) -> Irregularity:
    decided_by = _DECIDED_BY.get(free.code)
    cited = rules.cited[decided_by] if decided_by else _cited_here(rules, free)
    return Irregularity(free.code, Costs.NOTHING, 0, free.remedy, cited)


def _cited_here(rules: Ruleset, free: FreeIrregularity) -> Cited:
    """The citation of an irregularity in the game at hand: an inference where its source is about
    another game.
    """
    argument = f"told-of-{free.game}"
    try:
        variant = get_variant(rules.variant)
    except (ChoiceError, VariantError):
        # A match keeps its rules when the file of the user's own variant is gone.
        return free.cited.inherited(argument)
    while variant.is_own and variant.parent is not None:
        variant = get_variant(variant.parent)
    # Variants that need no argument to inherit are the game that all others come from, at other
    # tables.
    is_first_game = get_variant(free.game).inherits is None
    if variant.id == free.game or (is_first_game and variant.inherits is None):
        return free.cited
    if is_first_game:
        return free.cited.inherited(variant.inherits or argument, variant.stated_by)
    return free.cited.inherited(argument)


def irregularity(rules: Ruleset, code: str) -> Irregularity | None:
    """The irregularity of this code; None if the sources mention none that can happen under these
    rules.
    """
    for each in irregularities(rules):
        if each.code == code:
            return each
    return None


PENALTIES_WITH_PARTNER = ("meld-out-of-turn-partner", "permission-then-no-out")
"""Penalties for mistakes that require a partner."""


def rule_penalty(rules: Ruleset, question: PenaltyQuestion) -> Ruling:
    """Its points and remedy; silent if the sources do not mention it, or leave it to the table.

    The detail `points` is the penalty, None if the sources give none; `held` is the count's
    deduction for a red three in hand, if that is a different number of points.
    """
    found = irregularity(rules, question.code)
    if found is None:
        code = "penalty-not-listed" if rules.penalties else "penalties-none"
        return silent((reason(code, "penalties-known", penalty=question.code),))
    if found.costs is Costs.AGREED:
        return silent((_by_its_own_sources(found, "penalty-agreed", penalty=found.code),))

    reasons = [*_why_it_costs(rules, found)]
    if found.code in PENALTIES_WITH_PARTNER and not has_partner(rules.settings):
        reasons.append(reason("penalty-without-partner", "sides"))
    if found.remedy:
        reasons.append(_by_its_own_sources(found, "penalty-remedy", remedy=found.remedy))
    if found.costs is Costs.POINTS and _is_count_of_held_threes(rules, found):
        reasons += faults_of(rules, f"penalties/{found.code}")
    return value(tuple(reasons), _penalty_details(rules, found))


def _penalty_details(rules: Ruleset, found: Irregularity) -> Details:
    points = found.points if found.costs is Costs.POINTS else None
    details: Details = {"points": points}
    deducted_by_count = rules.settings.held_red_three
    if found.code == NOT_EXPOSED and points != deducted_by_count:
        details["held"] = deducted_by_count
    if found.remedy:
        details["remedy"] = found.remedy
    return details


def _is_count_of_held_threes(rules: Ruleset, found: Irregularity) -> bool:
    """Whether the sources of the penalty also state the cost of a red three in hand."""
    if found.code != NOT_EXPOSED:
        return False
    return not set(found.sources).isdisjoint(rules.sources_of("held-red-three"))


def _why_it_costs(rules: Ruleset, found: Irregularity) -> Reasons:
    """Its cost; for a red three not exposed also that the deduction of the count is for the same
    offence.
    """
    counts = rules.settings.held_red_three_counts
    arguments: dict[str, MessageArgument] = {"penalty": found.code, "points": found.points}
    if found.costs is Costs.HELD:
        yield reason(
            "penalty-of", "red-threes-kept", "held-red-three", points=found.points, why="kept"
        )
    elif found.costs is Costs.NOTHING:
        yield _by_its_own_sources(found, "penalty-without-points", penalty=found.code)
    elif _is_count_of_held_threes(rules, found):
        yield reason(
            "penalty-of", "held-red-three", "held-red-three-counts", **arguments, why=counts
        )
        yield _counted_once(rules, found)
    elif found.code == NOT_EXPOSED:
        # The variant's own price takes precedence: the penalty is another game's.
        yield _counted_once(rules, found)
        yield _by_its_own_sources(found, "penalty-of", **arguments, why="each")
    else:
        yield _by_its_own_sources(found, "penalty-of", **arguments)


def _counted_once(rules: Ruleset, found: Irregularity) -> Reason:
    """The deduction of the count for a red three in hand, which is for the same offence."""
    price = rules.settings.held_red_three
    why = rules.settings.held_red_three_counts if price == found.points else "own"
    return reason("penalty-counted-once", "held-red-three", points=price, why=why)


def _by_its_own_sources(found: Irregularity, code: str, **arguments: MessageArgument) -> Reason:
    """A reason based on the data of the irregularity itself."""
    return Reason(code, arguments, found.sources, (), found.cited.standing)
