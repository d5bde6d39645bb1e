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
    """All irregularities (mistakes at the table) under these rules: first those that cost points,
    then those that cost none, then those that the table decides.

    Empty if the rules list no penalties. Then their sources do not mention the others either.
    """
    if not rules.penalties:
        return ()
    with_points: list[Irregularity] = []
    decided_by_table: list[Irregularity] = []
    for penalty in rules.penalties.values():
        offence = _irregularity_with_penalty(rules, penalty)
        if offence.costs is Costs.AGREED:
            decided_by_table.append(offence)
        else:
            with_points.append(offence)
    return (*with_points, *_irregularities_without_points(rules), *decided_by_table)


def _irregularities_without_points(rules: Ruleset) -> list[Irregularity]:
    """The irregularities that cost no points and can happen under these rules.

    The data lists them by the condition under which they can happen, such as `with-partner`.
    """
    without_points: list[Irregularity] = []
    for condition, listed in load_irregularities().items():
        if not _can_happen(rules.settings, condition):
            continue
        for free in listed.values():
            without_points.append(_irregularity_without_points(rules, free))
    return without_points


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
    """What supports an irregularity in the game (variant) of these rules.

    Its source describes one game, `listed.game`, such as Samba. For Samba the source states the
    irregularity; for another game, such as Bolivia, it is an inference. The exception is a source on
    the classic game, since all others inherit from that.
    """
    variant = _variant_in_package(rules)
    if variant is None:
        return _inferred_from_other_game(listed)
    is_about_this_game = variant.id == listed.game
    if is_about_this_game:
        return listed.cited
    is_about_classic_game = _is_classic_game(get_variant(listed.game))
    if is_about_classic_game:
        return _inherited_from_classic_game(listed.cited, variant)
    return _inferred_from_other_game(listed)


def _variant_in_package(rules: Ruleset) -> Variant | None:
    """The variant (game) of these rules, as it comes with the package.

    If a user wrote a file of a variant that is derived from one of the package, that one is meant.
    None if the user's file has been removed since: a match keeps the rules that it began with.
    """
    try:
        variant = get_variant(rules.variant)
        return package_variant(variant)
    except (ChoiceError, VariantError):
        return None


def _is_classic_game(variant: Variant) -> bool:
    """Whether a variant is the classic game, at this or another table, and not derived from it."""
    return variant.inherits is None


def _inherited_from_classic_game(cited: Cited, variant: Variant) -> Cited:
    """What supports, in this variant, something that a source states of the classic game.

    A source that describes the variant as the classic game with some changes states it of the
    variant too. Without such a source it is an inference.
    """
    if variant.inherits is None:  # this is the classic game itself, at another table
        return cited
    return cited.inherited(variant.inherits, stated_by=variant.stated_by)


def _inferred_from_other_game(listed: FreeIrregularity) -> Cited:
    """The citation of an irregularity whose source describes another game than this one.

    That it is the same in this game is an inference, whose argument has a name such as
    `told-of-samba`: the source tells it of Samba.
    """
    name_of_argument = f"told-of-{listed.game}"
    return listed.cited.inherited(name_of_argument)


# ------------------------------------------------------------------------------------------- rulings


def rule_penalty(rules: Ruleset, question: PenaltyQuestion) -> Ruling:
    """What an irregularity (a mistake at the table) costs: its points, and what else follows.

    The details are as in `{"points": 100, "remedy": "pile-put-back"}`. There is no answer (the
    ruling is silent) if no source mentions the irregularity, or if the table decides.
    """
    offence = irregularity(rules, question.code)
    if offence is None:
        return _rule_unknown_penalty(rules, question.code)
    if offence.costs is Costs.AGREED:
        agreed = _reason_from_its_sources(offence, "penalty-agreed", penalty=offence.code)
        return silent((agreed,))
    return value(tuple(_reasons_of_penalty(rules, offence)), _details_of_penalty(rules, offence))


def _reasons_of_penalty(rules: Ruleset, offence: Irregularity) -> Reasons:
    """What an irregularity costs, what else follows from it, and what else is said of it."""
    yield from _reasons_of_cost(rules, offence)
    is_without_partner = not has_partner(rules.settings)
    if is_without_partner and offence.code in PENALTIES_WITH_PARTNER:
        yield reason("penalty-without-partner", cited_settings="sides")
    if offence.remedy:
        yield _reason_from_its_sources(offence, "penalty-remedy", remedy=offence.remedy)
    yield from _faults_about_penalty(rules, offence)


def _rule_unknown_penalty(rules: Ruleset, code: str) -> Ruling:
    """The ruling that the sources do not mention this penalty, or no penalties at all."""
    if rules.penalties:
        return silent(
            (reason("penalty-not-listed", cited_settings="penalties-known", penalty=code),)
        )
    return silent((reason("penalties-none", cited_settings="penalties-known", penalty=code),))


def _faults_about_penalty(rules: Ruleset, offence: Irregularity) -> Reasons:
    """The known faults of the sources about the penalty for a red three that was not exposed.

    They concern a source that states both the penalty and the deduction for a red three left in
    hand.
    """
    is_penalty_for_three = offence.code == NOT_EXPOSED and offence.costs is Costs.POINTS
    if is_penalty_for_three and _shares_sources_with_count(rules, offence):
        yield from faults_of(rules, f"penalties/{offence.code}")


def _details_of_penalty(rules: Ruleset, offence: Irregularity) -> Details:
    """The details of the ruling on a penalty: `{"points": 100, "remedy": "pile-put-back"}`.

    `points` is None if no penalty is deducted.
    """
    points = offence.points if offence.costs is Costs.POINTS else None
    details: Details = {"points": points}
    if offence.code == NOT_EXPOSED:
        details |= _other_deduction_of_count(rules.settings, points)
    if offence.remedy:
        details["remedy"] = offence.remedy
    return details


def _other_deduction_of_count(settings: Settings, penalty_points: int | None) -> Details:
    """What the count of the hand deducts for a red three that was not exposed, as a detail of the
    ruling: `{"held": 500}`. No detail if it is as many points as the penalty.
    """
    deducted_by_count = settings.held_red_three
    if deducted_by_count == penalty_points:
        return {}
    return {"held": deducted_by_count}


def _reasons_of_cost(rules: Ruleset, offence: Irregularity) -> Reasons:
    """The reasons that say what an irregularity costs: one, or two for a red three that was not
    exposed.
    """
    if offence.costs is Costs.HELD:
        yield _cost_of_kept_red_three(offence)
    elif offence.costs is Costs.NOTHING:
        yield _reason_from_its_sources(offence, "penalty-without-points", penalty=offence.code)
    elif offence.code == NOT_EXPOSED:
        yield from _reasons_of_three_not_exposed(rules, offence)
    else:
        yield _penalty_from_its_sources(offence)


def _cost_of_kept_red_three(offence: Irregularity) -> Reason:
    """The reason that a red three may be kept in hand in this game, and costs only the points that
    the count of the hand deducts for it.
    """
    return reason(
        "penalty-of",
        cited_settings=("red-threes-kept", "held-red-three"),
        wording=_MAY_BE_KEPT,
        points=offence.points,
    )


def _penalty_from_its_sources(offence: Irregularity) -> Reason:
    """The reason that names the points of a penalty, with the sources of the penalty."""
    return _reason_from_its_sources(
        offence, "penalty-of", penalty=offence.code, points=offence.points
    )


def _reasons_of_three_not_exposed(rules: Ruleset, offence: Irregularity) -> tuple[Reason, Reason]:
    """The two reasons about a red three that was not exposed: its penalty, and that the count of the
    hand deducts points for it too, so that only one of the two is to be entered.

    What this game's own sources say comes first.
    """
    enter_only_one = _reason_to_enter_only_one(rules.settings, offence.points)
    is_penalty_of_this_game = _shares_sources_with_count(rules, offence)
    if is_penalty_of_this_game:
        return (_penalty_as_in_count(rules.settings, offence), enter_only_one)
    return (enter_only_one, _penalty_for_each_red_three(offence))


def _penalty_for_each_red_three(offence: Irregularity) -> Reason:
    """The reason that the penalty is so many points for each red three that was not exposed."""
    return _reason_from_its_sources(
        offence, "penalty-of", penalty=offence.code, points=offence.points, why=_POINTS_FOR_EACH
    )


def _penalty_as_in_count(settings: Settings, offence: Irregularity) -> Reason:
    """The reason that the penalty for a red three that was not exposed is what the count of the hand
    deducts for it.

    Its wording says whether the count deducts the points for `each` red three, or only `once`.
    """
    each_or_once = settings.held_red_three_counts
    return reason(
        "penalty-of",
        cited_settings=("held-red-three", "held-red-three-counts"),
        wording=each_or_once,
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
    """The reason that only one of two is to be entered for a red three that was not exposed: the
    penalty, or that it was left in hand. The count of the hand deducts points for the second.
    """
    deducted_by_count = settings.held_red_three
    return reason(
        "penalty-counted-once",
        cited_settings="held-red-three",
        wording=_wording_of_deduction(settings, penalty_points),
        points=deducted_by_count,
    )


def _wording_of_deduction(settings: Settings, penalty_points: int) -> str:
    """How it is said what the count of the hand deducts for red threes left in hand.

    It is `own` for another number of points than the penalty. Otherwise it is `each` if the count
    deducts them for each red three, and `once` if it deducts them once for all.
    """
    if settings.held_red_three != penalty_points:
        return _COUNT_DEDUCTS_OTHER_POINTS
    return settings.held_red_three_counts


def _reason_from_its_sources(
    offence: Irregularity, code: str, **arguments: MessageArgument
) -> Reason:
    """A reason with the sources of the irregularity itself; it follows from no setting."""
    return Reason(
        code, arguments=arguments, sources=offence.sources, standing=offence.cited.standing
    )
