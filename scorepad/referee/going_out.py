"""Rulings on going out: whether the player may, with the melds shown, and the bonus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorepad.referee.field_types import Permission
from scorepad.referee.in_force import has_partner, settings_of_canastas_needed
from scorepad.referee.questions import OutQuestion
from scorepad.referee.reasons import (
    minimum_reason,
    reason,
    ruling_from_reasons,
    wild_family_reasons,
)
from scorepad.referee.ruling import Reason, Reasons, Ruling, Verdict
from scorepad.referee.situation import (
    ASKER,
    IMPOSSIBLE_CARDS,
    MELD_CHECKS,
    table_meld_checks,
    table_with,
    violations,
)
from scorepad.rules.checks import SMALLEST_POINTS, Needed
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out
from scorepad.rules.score import count_line
from scorepad.rules.settings import Settings
from scorepad.rules.table import Table
from scorepad.rules.turn_checks import MINIMUM_HOLDS, wild_family_grounds

_OUT_CHECKS = MELD_CHECKS | {
    "red-threes-exceeded",
    "out-canastas-missing",
    "out-red-threes-missing",
    "out-wild-meld-incomplete",
    "out-meld-incomplete",
    "out-discard-special",
    "out-discard-missing",
}
"""The checks of going out that can be made with the melds on the table."""
_ASKED_IN_VAIN = "permission-then-no-out"
"""The penalty for asking the partner and then not going out."""


def rule_going_out(rules: Ruleset, question: OutQuestion) -> Ruling:
    """Whether the player may go out; if concealed, also whether the cards laid reach the opening
    minimum.
    """
    if question.concealed and _opens_when_concealed(rules.settings):
        ruling = _rule_concealed(rules, question)
    else:
        ruling = rule_out(rules, question)
    return with_permission_penalty(rules, question, ruling)


def with_permission_penalty(rules: Ruleset, question: OutQuestion, ruling: Ruling) -> Ruling:
    """The ruling, with the cost of a permission that was asked for and given to a player who cannot
    go out.
    """
    was_granted = question.permission is Permission.GRANTED and has_partner(rules.settings)
    if ruling.verdict is not Verdict.FORBIDDEN or not was_granted:
        return ruling
    if any(each.code in IMPOSSIBLE_CARDS for each in ruling.reasons):
        return ruling
    penalty = rules.penalties.get(_ASKED_IN_VAIN)
    if penalty is None or penalty.points is None:
        return ruling
    code = penalty.code
    cost = reason(code, f"penalties/{code}", penalty=code, points=penalty.points)
    return replace(ruling, reasons=(*ruling.reasons, cost))


# ------------------------------------------------------------------------- concealed, with a minimum


def _opens_when_concealed(settings: Settings) -> bool:
    """Whether a concealed going out opens in the same turn, with a minimum."""
    return settings.concealed_out == "opening-turn" and settings.opening_by != "nothing"


def _rule_concealed(rules: Ruleset, question: OutQuestion) -> Ruling:
    """A going out that must reach the opening minimum in the same turn."""
    by_deal = rules.settings.opening_by == "deal"
    known = question.deal if by_deal else question.score
    if known is None:
        return _rule_at_any_minimum(rules, question)

    table = _out_table(rules, question)
    minimum = table.sides[ASKER].minimum or 0
    too_few_points = violations(table, {"opening-impossible"})
    if too_few_points:
        ruling = rule_out(rules, question, against_opening=too_few_points)
        return replace(ruling, details={"minimum": minimum})
    reached = minimum_reason(table, "out-concealed-reached", minimum, MINIMUM_HOLDS)
    return rule_out(rules, question, for_opening=(reached,))


def _rule_at_any_minimum(rules: Ruleset, question: OutQuestion) -> Ruling:
    """Without a given score, check every minimum and name those that can be reached."""
    settings = rules.settings
    by_deal = settings.opening_by == "deal"
    minimums = _minimums(settings)
    too_few_points: dict[int, tuple[Reason, ...]] = {}
    for start in minimums:
        asked = replace(question, deal=start) if by_deal else replace(question, score=start)
        too_few_points[start] = violations(_out_table(rules, asked), {"opening-impossible"})

    setting = "opening-deals" if by_deal else "opening-steps"
    if all(too_few_points.values()):
        never = reason("out-concealed-never-opens", setting, MINIMUM_HOLDS, why=settings.opening_by)
        for_lowest = too_few_points[1 if by_deal else 0]
        return rule_out(rules, question, against_opening=(*for_lowest, never))
    if not any(too_few_points.values()):
        return rule_out(rules, question)

    reached: list[str] = []
    for start, minimum in minimums.items():
        if not too_few_points[start]:
            reached.append(f"{start}:{minimum}")
    minimums_reached = {"deals" if by_deal else "steps": " ".join(reached)}
    if_reached = reason(
        "out-concealed-if-reached",
        setting,
        MINIMUM_HOLDS,
        **minimums_reached,
        why=settings.opening_by,
    )
    return rule_out(rules, question, for_opening=(if_reached,))


def _minimums(settings: Settings) -> Mapping[int, int]:
    """Every opening minimum, by the hand of the match or by the lowest score that it holds for."""
    if settings.opening_by == "deal":
        return dict(enumerate(settings.opening_deals, 1))
    return {-SMALLEST_POINTS: settings.opening_below_zero, **dict(settings.opening_steps)}


# ------------------------------------------------------------------------------- the melds on the table


def rule_out(
    rules: Ruleset,
    question: OutQuestion,
    *,
    against_opening: tuple[Reason, ...] = (),
    for_opening: tuple[Reason, ...] = (),
) -> Ruling:
    """Whether the melds, the discard and the partner allow going out; and the bonus.

    `against_opening` and `for_opening` are the reasons about an opening in the same turn.
    """
    table = _out_table(rules, question)
    party = table.parties[ASKER]
    comments: list[Reason] = []
    if question.permission is not Permission.NOT_ASKED and not has_partner(rules.settings):
        comments.append(reason("permission-of-nobody", "sides"))
    comments += wild_family_reasons(rules, party)

    against = (*against_going_out(rules, question), *against_opening)
    if against:
        return ruling_from_reasons((*against, *comments))
    bonus, grounds = count_line(table, party, party.sides[0], "out")
    if bonus:
        worth = reason("out-worth", *grounds, bonus=bonus)
    else:
        worth = reason("out-worth-nothing", "out-bonus")
    return ruling_from_reasons(
        (), (*_in_favour_of_out(table), worth, *for_opening, *comments), bonus=bonus
    )


def against_going_out(rules: Ruleset, question: OutQuestion) -> tuple[Reason, ...]:
    """Reasons against it on the table, or from the partner's answer or its absence; a lone player
    asks nobody.
    """
    table = _out_table(rules, question)
    against = violations(table, _OUT_CHECKS | table_meld_checks(rules))
    if not has_partner(rules.settings):
        return against
    if question.permission is Permission.REFUSED:
        return (*against, reason("permission-refused", "permission"))
    must_ask = rules.settings.permission == "must-ask"
    if question.permission is Permission.NOT_ASKED and must_ask:
        return (*against, reason("permission-not-asked", "permission"))
    return against


def _out_table(rules: Ruleset, question: OutQuestion) -> Table:
    out = Out(ASKER, question.concealed, question.discard)
    return table_with(
        rules,
        *question.table,
        red_threes=question.red_threes,
        out=out,
        score=question.score or 0,
        deal=question.deal or 1,
    )


def _in_favour_of_out(table: Table) -> Reasons:
    """The reasons in favour: the required canastas, and comments on a concealed going out and a
    missing discard.
    """
    settings = table.settings
    out = table.hand.out
    yield _enough_canastas(table)
    if out and out.concealed:
        yield from _about_concealed(settings)
    if settings.hands_each > 1:
        yield reason("out-partner-foot", "hands-each")
    if out and out.discard is None and settings.last_discard == "obligatory":
        yield reason("out-discard-to-come", "last-discard", "last-discard-special")


def _enough_canastas(table: Table) -> Reason:
    """The canastas of the side, and those that going out requires."""
    settings = table.settings
    party = table.parties[ASKER]
    grounds = settings_of_canastas_needed(settings)
    has = party.families.total()
    needed = settings.canastas_needed
    if not settings.canasta_families_needed:
        why = "number" if needed else "none"
        return reason("out-canastas-enough", *grounds, has=has, needed=needed, why=why)

    families: list[Needed] = []
    for family, count in settings.canasta_families_needed:
        families.append(Needed(family, count, party.families[family]))
    return reason(
        "out-canastas-enough",
        *grounds,
        *wild_family_grounds(table.rules, party),
        has=has,
        needed=needed,
        why="families",
        families=tuple(families),
    )


def _about_concealed(settings: Settings) -> Reasons:
    """What a concealed going out requires, or that it makes no difference."""
    if settings.concealed_out_bonus == settings.out_bonus:
        if settings.out_bonus:
            yield reason("out-concealed-no-more", "concealed-out-bonus")
    elif settings.concealed_out == "own-melds-only":
        yield reason("out-concealed-own-melds", "concealed-out")
    else:
        yield reason("out-concealed-opens", "concealed-out", MINIMUM_HOLDS)
