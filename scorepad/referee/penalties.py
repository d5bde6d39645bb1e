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
    Variant,
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
_OUT_AGAINST_REFUSAL = "out-after-no"
"""The irregularity of a player who goes out though the partner, when asked, refused it."""

# How the reasons of a red three that was not exposed are worded: their argument `why`.
_MAY_BE_KEPT = "kept"
"""Red threes may be kept in hand here, and only the count of the hand deducts points for them."""
_POINTS_FOR_EACH = "each"
"""The penalty is so many points for each red three."""
_COUNT_DEDUCTS_OTHER_POINTS = "own"
"""The count of the hand deducts another number of points than the penalty."""


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
        offence = _irregularity_with_penalty(rules, penalty)
        if offence.costs is Costs.AGREED:
            agreed.append(offence)
        else:
            priced.append(offence)

    free: list[Irregularity] = []
    for condition, listed in load_irregularities().items():
        if _can_happen(rules.settings, condition):
            free += [_irregularity_without_points(rules, each) for each in listed.values()]
    return (*priced, *free, *agreed)


def irregularity(rules: Ruleset, code: str) -> Irregularity | None:
    """The irregularity of this code; None if the sources mention none that can happen under these
    rules.
    """
    for each in irregularities(rules):
        if each.code == code:
            return each
    return None


def _irregularity_with_penalty(rules: Ruleset, penalty: PenaltyKind) -> Irregularity:
    """A penalty that the rules list, with what it costs in this game.

    Where red threes may be kept in hand, a red three that was not exposed costs no penalty: only
    the count of the hand deducts points for it, as for any red three left in hand.
    """
    may_keep_red_threes = rules.settings.red_threes_kept != "exposed"
    if penalty.code == NOT_EXPOSED and may_keep_red_threes:
        return Irregularity(
            code=penalty.code,
            costs=Costs.HELD,
            points=rules.settings.held_red_three,
            remedy=penalty.remedy,
            cited=rules.cited["held-red-three"],
        )
    if penalty.points is None:
        return Irregularity(
            code=penalty.code,
            costs=Costs.AGREED,
            points=0,
            remedy=penalty.remedy,
            cited=penalty.cited,
        )
    return Irregularity(
        code=penalty.code,
        costs=Costs.POINTS,
        points=penalty.points,
        remedy=penalty.remedy,
        cited=penalty.cited,
    )


# --------------------------------------------------------------------- irregularities without points


def _can_happen(settings: Settings, condition: str) -> bool:
    """Whether the irregularities listed in the data under this condition can happen."""
    if condition == "with-partner":
        return has_partner(settings)
    if condition == "with-minimum":
        return settings.opening_by != "nothing"
    return True


def _irregularity_without_points(rules: Ruleset, listed: FreeIrregularity) -> Irregularity:
    """A mistake for which no points are deducted, with the sources that mention it."""
    if listed.code == _OUT_AGAINST_REFUSAL:
        # The setting decides what a partner's "no" means, so its citations take precedence.
        cited = rules.cited["permission"]
    else:
        cited = _citation_in_this_game(rules, listed)
    return Irregularity(
        code=listed.code, costs=Costs.NOTHING, points=0, remedy=listed.remedy, cited=cited
    )


def _citation_in_this_game(rules: Ruleset, listed: FreeIrregularity) -> Cited:
    """What supports an irregularity in the variant of these rules.

    Its source is about one game, such as Samba. For that game it states the irregularity; for
    another one, such as Bolivia, the source supports it only by inference.
    """
    variant = _shipped_variant(rules)
    if variant is None:
        return _inferred_from_its_game(listed)
    if variant.id == listed.game:
        return listed.cited
    if _is_classic_game(get_variant(listed.game)):
        return _inherited_from_classic_game(listed.cited, variant)
    # What a source says of a game that inherits from the classic one is about that game only.
    return _inferred_from_its_game(listed)


def _shipped_variant(rules: Ruleset) -> Variant | None:
    """The variant of these rules or, for a variant that users wrote themselves, the one of the
    package that it is derived from. None if the file of the user's variant is gone.
    """
    try:
        return package_variant(get_variant(rules.variant))
    except (ChoiceError, VariantError):
        return None  # a match keeps its rules when the file is gone


def _is_classic_game(variant: Variant) -> bool:
    """Whether a variant is the classic game, at this or another table, and not derived from it."""
    return variant.inherits is None


def _inherited_from_classic_game(cited: Cited, variant: Variant) -> Cited:
    """What supports in this variant something that a source states of the classic game."""
    if variant.inherits is None:  # this is the classic game itself
        return cited
    return cited.inherited(variant.inherits, variant.stated_by)


def _inferred_from_its_game(listed: FreeIrregularity) -> Cited:
    """The source of an irregularity, cited by inference in a game that it is not about.

    `told-of-GAME` is the name of the argument of that inference: what is told of that game.
    """
    return listed.cited.inherited(f"told-of-{listed.game}")


# ------------------------------------------------------------------------------------------- rulings


def rule_penalty(rules: Ruleset, question: PenaltyQuestion) -> Ruling:
    """Its points and remedy; silent if the sources do not mention it, or leave it to the table.

    The detail `points` is the penalty, None if the sources give none; `held` is the count's
    deduction for a red three in hand, if that is a different number of points.
    """
    offence = irregularity(rules, question.code)
    if offence is None:
        return _rule_unknown_penalty(rules, question.code)
    if offence.costs is Costs.AGREED:
        return silent((_reason_from_its_sources(offence, "penalty-agreed", penalty=offence.code),))

    reasons = [*_reasons_of_cost(rules, offence)]
    if offence.code in PENALTIES_WITH_PARTNER and not has_partner(rules.settings):
        reasons.append(reason("penalty-without-partner", follows_from="sides"))
    if offence.remedy:
        reasons.append(_reason_from_its_sources(offence, "penalty-remedy", remedy=offence.remedy))
    reasons += _faults_about_penalty(rules, offence)
    return value(tuple(reasons), _details_of_penalty(rules, offence))


def _rule_unknown_penalty(rules: Ruleset, code: str) -> Ruling:
    """The ruling that the sources do not mention this penalty, or no penalties at all."""
    if rules.penalties:
        return silent((reason("penalty-not-listed", follows_from="penalties-known", penalty=code),))
    return silent((reason("penalties-none", follows_from="penalties-known", penalty=code),))


def _faults_about_penalty(rules: Ruleset, offence: Irregularity) -> Reasons:
    """The known faults of the sources about the penalty for a red three that was not exposed."""
    is_stated_here = offence.costs is Costs.POINTS and offence.code == NOT_EXPOSED
    if is_stated_here and _shares_sources_with_count(rules, offence):
        yield from faults_of(rules, f"penalties/{offence.code}")


def _details_of_penalty(rules: Ruleset, offence: Irregularity) -> Details:
    """The details of the ruling on a penalty: `{"points": 100, "remedy": "pile-put-back"}`.

    `points` is None if no penalty is deducted. For a red three that was not exposed, `held` is what
    the count of the hand deducts for it, if that is another number of points.
    """
    points = offence.points if offence.costs is Costs.POINTS else None
    details: Details = {"points": points}
    if offence.code == NOT_EXPOSED:
        deducted_by_count = rules.settings.held_red_three
        if points != deducted_by_count:
            details["held"] = deducted_by_count
    if offence.remedy:
        details["remedy"] = offence.remedy
    return details


def _reasons_of_cost(rules: Ruleset, offence: Irregularity) -> Reasons:
    """What the offence costs, and for a red three not exposed what the count deducts for it."""
    code = offence.code
    points = offence.points
    if offence.costs is Costs.HELD:
        grounds = ("red-threes-kept", "held-red-three")
        yield reason("penalty-of", follows_from=grounds, wording=_MAY_BE_KEPT, points=points)
    elif offence.costs is Costs.NOTHING:
        yield _reason_from_its_sources(offence, "penalty-without-points", penalty=code)
    elif code == NOT_EXPOSED:
        yield from _reasons_of_three_not_exposed(rules, offence)
    else:
        yield _reason_from_its_sources(offence, "penalty-of", penalty=code, points=points)


def _reasons_of_three_not_exposed(rules: Ruleset, offence: Irregularity) -> tuple[Reason, Reason]:
    """The penalty for a red three that was not exposed, and what the count of the hand deducts for
    it: only one of the two is to be entered.
    """
    enter_only_one = _reason_to_enter_only_one(rules.settings, offence.points)
    if _shares_sources_with_count(rules, offence):
        return (_penalty_as_in_count(rules.settings, offence), enter_only_one)
    # The penalty is from the sources of another game, so this game's deduction comes first.
    penalty_for_each = _reason_from_its_sources(
        offence, "penalty-of", penalty=offence.code, points=offence.points, why=_POINTS_FOR_EACH
    )
    return (enter_only_one, penalty_for_each)


def _penalty_as_in_count(settings: Settings, offence: Irregularity) -> Reason:
    """The penalty for a red three that was not exposed, as what the count of the hand deducts.

    Its wording says how the deduction grows with the number of red threes.
    """
    return reason(
        "penalty-of",
        follows_from=("held-red-three", "held-red-three-counts"),
        wording=settings.held_red_three_counts,
        penalty=offence.code,
        points=offence.points,
    )


def _shares_sources_with_count(rules: Ruleset, offence: Irregularity) -> bool:
    """Whether a source states both this penalty and what the count of the hand deducts for a red
    three left in hand.

    Such a source means one deduction, which is not made twice.
    """
    sources_of_count = rules.sources_of("held-red-three")
    return any(source in sources_of_count for source in offence.sources)


def _reason_to_enter_only_one(settings: Settings, penalty_points: int) -> Reason:
    """The reason that the count also deducts points for a red three left in hand, so that either
    these points or those of the penalty are to be entered.

    Its wording depends on whether the count deducts as many points as the penalty.
    """
    deducted_by_count = settings.held_red_three
    wording: str = settings.held_red_three_counts
    if deducted_by_count != penalty_points:
        wording = _COUNT_DEDUCTS_OTHER_POINTS
    return reason(
        "penalty-counted-once",
        follows_from="held-red-three",
        wording=wording,
        points=deducted_by_count,
    )


def _reason_from_its_sources(
    offence: Irregularity, code: str, **arguments: MessageArgument
) -> Reason:
    """A reason with the sources of the irregularity itself; it follows from no setting."""
    return Reason(
        code, arguments=arguments, sources=offence.sources, standing=offence.cited.standing
    )
