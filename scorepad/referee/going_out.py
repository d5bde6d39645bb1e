"""Rulings on going out: whether the player may, with the melds shown, and the bonus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from scorepad.referee.field_types import Permission
from scorepad.referee.in_force import has_partner, settings_of_canastas_needed
from scorepad.referee.questions import OutQuestion
from scorepad.referee.reasons import (
    inference_about_wild_canastas,
    minimum_reason,
    reason,
)
from scorepad.referee.ruling import Reason, Reasons, Ruling, Verdict, allowed, forbidden
from scorepad.referee.situation import (
    ASKER,
    IMPOSSIBLE_CARDS,
    MELD_CHECKS,
    table_meld_checks,
    table_with,
    violations,
)
from scorepad.rules.checks import SMALLEST_POINTS, MessageArgument, Needed
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out
from scorepad.rules.score import count_line
from scorepad.rules.settings import Settings
from scorepad.rules.table import Party, Table
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


class _TriedMinimum(NamedTuple):
    """An opening minimum, and the reason if the cards laid do not reach it.

    `start` is the lowest match score from which it holds, or the number of the hand of the match.
    """

    start: int
    minimum: int
    too_few_points: tuple[Reason, ...]


def _rule_at_any_minimum(rules: Ruleset, question: OutQuestion) -> Ruling:
    """The ruling on a question without the score (or the number of the hand) that decides the
    opening minimum: every minimum is tried, and those that the cards reach are named.
    """
    opening_by = rules.settings.opening_by
    setting = "opening-deals" if opening_by == "deal" else "opening-steps"
    tried = _try_every_minimum(rules, question)
    reached = [each for each in tried if not each.too_few_points]
    if not reached:
        never = reason("out-concealed-never-opens", setting, MINIMUM_HOLDS, why=opening_by)
        at_start = _tried_at_start_of_match(rules.settings, tried)
        return rule_out(rules, question, against_opening=(*at_start.too_few_points, never))
    if len(reached) == len(tried):
        return rule_out(rules, question)

    # The message lists what is reached as `0:50 1500:90`: from score 0 the minimum 50, …
    list_reached = " ".join(f"{each.start}:{each.minimum}" for each in reached)
    argument = "deals" if opening_by == "deal" else "steps"
    if_reached = reason(
        "out-concealed-if-reached",
        setting,
        MINIMUM_HOLDS,
        **{argument: list_reached},
        why=opening_by,
    )
    return rule_out(rules, question, for_opening=(if_reached,))


def _try_every_minimum(rules: Ruleset, question: OutQuestion) -> list[_TriedMinimum]:
    """Every opening minimum of the game, tried with the cards of the question."""
    by_deal = rules.settings.opening_by == "deal"
    tried: list[_TriedMinimum] = []
    for start, minimum in _minimums_by_start(rules.settings).items():
        if by_deal:
            asked = replace(question, deal=start)
        else:
            asked = replace(question, score=start)
        too_few_points = violations(_out_table(rules, asked), {"opening-impossible"})
        tried.append(_TriedMinimum(start, minimum, too_few_points))
    return tried


def _tried_at_start_of_match(settings: Settings, tried: list[_TriedMinimum]) -> _TriedMinimum:
    """The minimum for the first hand of a match, or for a score of zero."""
    first = 1 if settings.opening_by == "deal" else 0
    return next(each for each in tried if each.start == first)


def _minimums_by_start(settings: Settings) -> Mapping[int, int]:
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
    comments = tuple(_comments_on_out(table, question))
    against = (*against_going_out(rules, question), *against_opening)
    if against:
        return forbidden((*against, *comments))

    party = table.parties[ASKER]
    bonus, grounds = count_line(table, party, party.sides[0], "out")
    if bonus:
        worth = reason("out-worth", *grounds, bonus=bonus)
    else:
        worth = reason("out-worth-nothing", "out-bonus")
    in_favour = (*_in_favour_of_out(table), worth, *for_opening)
    return allowed((*in_favour, *comments), {"bonus": bonus})


def _comments_on_out(table: Table, question: OutQuestion) -> Reasons:
    """What is said in any case: that there is no partner to ask, and an inference about canastas of
    wild cards.
    """
    says_partner_was_asked = question.permission is not Permission.NOT_ASKED
    if says_partner_was_asked and not has_partner(table.settings):
        yield reason("permission-of-nobody", "sides")
    yield from inference_about_wild_canastas(table.rules, table.parties[ASKER])


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
    """The canastas of the side that the question concerns, and those that going out requires: so
    many in all, and in some games so many of a family, such as natural ones.
    """
    settings = table.settings
    party = table.parties[ASKER]
    grounds = [*settings_of_canastas_needed(settings)]
    if settings.canasta_families_needed:
        wording = "families"
        grounds += wild_family_grounds(table.rules, party)
    elif settings.canastas_needed > 0:
        wording = "number"
    else:
        wording = "none"

    arguments: dict[str, MessageArgument] = {
        "has": party.families.total(),
        "needed": settings.canastas_needed,
        "why": wording,
    }
    if settings.canasta_families_needed:
        arguments["families"] = _canastas_by_family(settings, party)
    return reason("out-canastas-enough", *grounds, **arguments)


def _canastas_by_family(settings: Settings, party: Party) -> tuple[Needed, ...]:
    """The canastas of each family that going out requires, with the number that the party has."""
    families: list[Needed] = []
    for family, count in settings.canasta_families_needed:
        families.append(Needed(family, count, party.families[family]))
    return tuple(families)


def _about_concealed(settings: Settings) -> Reasons:
    """What a concealed going out requires, or that it makes no difference."""
    if settings.concealed_out_bonus == settings.out_bonus:
        if settings.out_bonus:
            yield reason("out-concealed-no-more", "concealed-out-bonus")
    elif settings.concealed_out == "own-melds-only":
        yield reason("out-concealed-own-melds", "concealed-out")
    else:
        yield reason("out-concealed-opens", "concealed-out", MINIMUM_HOLDS)
