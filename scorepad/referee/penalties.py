"""Irregularities: mistakes at the table, the points that they cost, and what else follows.

The variant defines the penalties; a variant may have none. Irregularities without points are the
same in all variants.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scorepad.errors import ChoiceError, VariantError
from scorepad.referee.in_force import has_partner
from scorepad.referee.questions import PenaltyQuestion
from scorepad.referee.reasons import faults_of, reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, silent, value
from scorepad.rules.checks import MessageArgument
from scorepad.rules.definitions import (
    Cited,
    FreeIrregularity,
    PenaltyKind,
    Ruleset,
    citation_texts,
)
from scorepad.rules.hand import NOT_EXPOSED
from scorepad.rules.loader import load_irregularities
from scorepad.rules.settings import Settings
from scorepad.rules.variants import get_variant, package_variant


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


PENALTIES_WITH_PARTNER = ("meld-out-of-turn-partner", "permission-then-no-out")
"""Penalties for mistakes that require a partner."""


def irregularities(rules: Ruleset) -> tuple[Irregularity, ...]:
    """All irregularities under these rules: first those that cost points, then those that cost
    none, then those that the table decides.

    Empty if the sources of a variant have no penalties: then they do not mention the others either.
    """
    if not rules.penalties:
        return ()
    priced: list[Irregularity] = []
    agreed: list[Irregularity] = []
    for penalty in rules.penalties.values():
        irregularity = _from_penalty(rules, penalty)
        if irregularity.costs is Costs.AGREED:
            agreed.append(irregularity)
        else:
            priced.append(irregularity)

    free: list[Irregularity] = []
    for condition, listed in load_irregularities().items():
        if _can_happen(rules.settings, condition):
            free += [_from_free(rules, each) for each in listed.values()]
    return (*priced, *free, *agreed)


def irregularity(rules: Ruleset, code: str) -> Irregularity | None:
    """The irregularity of this code; None if the sources mention none that can happen under these
    rules.
    """
    for each in irregularities(rules):
        if each.code == code:
            return each
    return None


def _from_penalty(rules: Ruleset, penalty: PenaltyKind) -> Irregularity:
    if penalty.code == NOT_EXPOSED and rules.settings.red_threes_kept != "exposed":
        # Red threes may be kept in hand here: only the count deducts points for them.
        deduction = rules.settings.held_red_three
        cited = rules.cited["held-red-three"]
        return Irregularity(penalty.code, Costs.HELD, deduction, penalty.remedy, cited)
    if penalty.points is None:
        return Irregularity(penalty.code, Costs.AGREED, 0, penalty.remedy, penalty.cited)
    return Irregularity(penalty.code, Costs.POINTS, penalty.points, penalty.remedy, penalty.cited)


# --------------------------------------------------------------------- irregularities without points


def _can_happen(settings: Settings, condition: str) -> bool:
    """Whether the irregularities listed in the data under this condition can happen."""
    if condition == "with-partner":
        return has_partner(settings)
    if condition == "with-minimum":
        return settings.opening_by != "nothing"
    return True


def _from_free(rules: Ruleset, free: FreeIrregularity) -> Irregularity:
    if free.code == "out-after-no":
        # The setting decides what a partner's "no" means, so its citations take precedence.
        cited = rules.cited["permission"]
    else:
        cited = _citation_in_this_game(rules, free)
    return Irregularity(free.code, Costs.NOTHING, 0, free.remedy, cited)


def _citation_in_this_game(rules: Ruleset, free: FreeIrregularity) -> Cited:
    """The citation of an irregularity: an inference if its source is about another game."""
    inference = f"told-of-{free.game}"  # the name of the argument: what is told of that game
    try:
        variant = package_variant(get_variant(rules.variant))
    except (ChoiceError, VariantError):
        # A match keeps its rules when the file of the user's own variant is gone.
        return free.cited.inherited(inference)
    if variant.id == free.game:
        return free.cited

    # What a source says of a game that inherits from another is about that game only.
    source_is_about_classic_game = get_variant(free.game).inherits is None
    if not source_is_about_classic_game:
        return free.cited.inherited(inference)
    # A variant that inherits without an argument is the classic game itself, at another table.
    if variant.inherits is None:
        return free.cited
    return free.cited.inherited(variant.inherits, variant.stated_by)


# ------------------------------------------------------------------------------------------- rulings


def rule_penalty(rules: Ruleset, question: PenaltyQuestion) -> Ruling:
    """Its points and remedy; silent if the sources do not mention it, or leave it to the table.

    The detail `points` is the penalty, None if the sources give none; `held` is the count's
    deduction for a red three in hand, if that is a different number of points.
    """
    offence = irregularity(rules, question.code)
    if offence is None:
        code = "penalty-not-listed" if rules.penalties else "penalties-none"
        return silent((reason(code, "penalties-known", penalty=question.code),))
    if offence.costs is Costs.AGREED:
        return silent((_reason_from_its_sources(offence, "penalty-agreed", penalty=offence.code),))

    reasons = [*_reasons_of_cost(rules, offence)]
    if offence.code in PENALTIES_WITH_PARTNER and not has_partner(rules.settings):
        reasons.append(reason("penalty-without-partner", "sides"))
    if offence.remedy:
        reasons.append(_reason_from_its_sources(offence, "penalty-remedy", remedy=offence.remedy))
    if offence.costs is Costs.POINTS and _is_deduction_of_count(rules, offence):
        reasons += faults_of(rules, f"penalties/{offence.code}")
    return value(tuple(reasons), _details(rules, offence))


def _details(rules: Ruleset, offence: Irregularity) -> Details:
    points = offence.points if offence.costs is Costs.POINTS else None
    details: Details = {"points": points}
    deducted_by_count = rules.settings.held_red_three
    if offence.code == NOT_EXPOSED and points != deducted_by_count:
        details["held"] = deducted_by_count
    if offence.remedy:
        details["remedy"] = offence.remedy
    return details


def _reasons_of_cost(rules: Ruleset, offence: Irregularity) -> Reasons:
    """What the offence costs, and for a red three not exposed what the count deducts for it."""
    code = offence.code
    points = offence.points
    if offence.costs is Costs.HELD:
        yield reason("penalty-of", "red-threes-kept", "held-red-three", points=points, why="kept")
    elif offence.costs is Costs.NOTHING:
        yield _reason_from_its_sources(offence, "penalty-without-points", penalty=code)
    elif code == NOT_EXPOSED:
        yield from _reasons_of_three_not_exposed(rules, offence)
    else:
        yield _reason_from_its_sources(offence, "penalty-of", penalty=code, points=points)


def _reasons_of_three_not_exposed(rules: Ruleset, offence: Irregularity) -> Reasons:
    """The penalty for a red three that was not exposed. The count deducts points for it too, and
    only one of the two is to be entered.
    """
    points = offence.points
    enter_once = _reason_to_enter_it_once(rules.settings, points)
    if _is_deduction_of_count(rules, offence):
        # The sources mean the deduction of the count, which is worded by the number of threes.
        counts = rules.settings.held_red_three_counts
        grounds = ("held-red-three", "held-red-three-counts")
        yield reason("penalty-of", *grounds, penalty=offence.code, points=points, why=counts)
        yield enter_once
    else:
        # The penalty is from the sources of another game, so this game's deduction comes first.
        yield enter_once
        yield _reason_from_its_sources(
            offence, "penalty-of", penalty=offence.code, points=points, why="each"
        )


def _is_deduction_of_count(rules: Ruleset, offence: Irregularity) -> bool:
    """Whether the same sources state this penalty and the cost of a red three left in hand."""
    if offence.code != NOT_EXPOSED:
        return False
    return not set(offence.sources).isdisjoint(rules.sources_of("held-red-three"))


def _reason_to_enter_it_once(settings: Settings, penalty_points: int) -> Reason:
    """The count also deducts points for a red three left in hand; one of the two is to be entered.

    Its words (`why`) depend on whether the count deducts as many points as the penalty.
    """
    deducted_by_count = settings.held_red_three
    why: str = settings.held_red_three_counts
    if deducted_by_count != penalty_points:
        why = "own"
    return reason("penalty-counted-once", "held-red-three", points=deducted_by_count, why=why)


def _reason_from_its_sources(
    offence: Irregularity, code: str, **arguments: MessageArgument
) -> Reason:
    """A reason with the sources of the irregularity itself; it follows from no setting."""
    return Reason(
        code, arguments=arguments, sources=offence.sources, standing=offence.cited.standing
    )
