"""May the player go out, and what is it worth?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorepad.referee.answers import Reason, Ruling, answered
from scorepad.referee.case import (
    ASKER,
    MELD_CHECKS,
    asker,
    broken,
    counter_readings,
    has_partner,
    laid_down,
    lay_case,
    line_grounds,
    lying_checks,
    minimum_reason,
    reason,
    scored,
    to_go_out,
)
from scorepad.referee.questions import OutQuestion, Permission
from scorepad.rules.checks import SMALLEST_POINTS, Needed
from scorepad.rules.entries import Out, SideEntry
from scorepad.rules.settings import ConcealedOut, LastDiscard, OpeningBy
from scorepad.rules.table import Table
from scorepad.rules.turn_checks import MINIMUM_HOLDS, by_reading
from scorepad.rules.variants import Ruleset

OUT_CHECKS = MELD_CHECKS | {
    "red-threes-exceeded", "out-canastas-missing", "out-red-threes-missing", "out-wild-meld-incomplete",
    "out-meld-incomplete", "out-discard-special", "out-discard-missing",
}  # fmt: skip
"""What keeps a player from going out, of what can be seen on the table."""

_OUT_LINE = "out"


def rule_out_as_asked(rules: Ruleset, question: OutQuestion) -> Ruling:
    """May the player go out; of a concealed going out also whether what is laid reaches the opening minimum."""
    by = rules.settings.opening_by
    opens = rules.settings.concealed_out is ConcealedOut.OPENING_TURN and by is not OpeningBy.NOTHING
    if not question.concealed or not opens:
        return rule_out(rules, question)
    if (question.deal if by is OpeningBy.DEAL else question.score) is None:
        return _at_any_score(rules, question)
    table = _lay(rules, question)
    minimum = table.minimums[ASKER] or 0
    enough = minimum_reason(table, "out-concealed-reached", minimum, MINIMUM_HOLDS)
    short = broken(table, {"opening-impossible"})
    answer = rule_out(rules, question, short, (enough,))
    return replace(answer, details={"minimum": minimum}) if short else answer


def _at_any_score(rules: Ruleset, question: OutQuestion) -> Ruling:
    """The same where nobody said the score: it holds as far as what is laid reaches the opening at some of them."""
    by_deal = rules.settings.opening_by is OpeningBy.DEAL
    tried = list(_openings_tried(rules, question))
    short = {start: broken(_lay(rules, each), {"opening-impossible"}) for start, _, each in tried}
    about, figure = ("opening-deals", "deals") if by_deal else ("opening-steps", "steps")
    if all(short.values()):
        never = reason("out-concealed-never-opens", about, MINIMUM_HOLDS, why=rules.settings.opening_by.value)
        return rule_out(rules, question, (*short[1 if by_deal else 0], never))
    if not any(short.values()):
        return rule_out(rules, question)
    reached = " ".join(f"{start}:{minimum}" for start, minimum, _ in tried if not short[start])
    figures = {figure: reached, "why": rules.settings.opening_by.value}
    return rule_out(rules, question, (), (reason("out-concealed-if-reached", about, MINIMUM_HOLDS, **figures),))


def _openings_tried(rules: Ruleset, question: OutQuestion) -> Iterator[tuple[int, int, OutQuestion]]:
    """Each step of the opening table: where it begins, its minimum, and the question asked there."""
    settings = rules.settings
    if settings.opening_by is OpeningBy.DEAL:
        for deal, minimum in enumerate(settings.opening_deals, 1):
            yield deal, minimum, replace(question, deal=deal)
        return
    below = -SMALLEST_POINTS
    for start, minimum in ((below, settings.opening_below_zero), *settings.opening_steps):
        yield start, minimum, replace(question, score=start)


def rule_out(
    rules: Ruleset, question: OutQuestion, short: tuple[Reason, ...] = (), opened: tuple[Reason, ...] = ()
) -> Ruling:
    """Whether the melds, the discard and the partner allow it; and the bonus.

    `short` is what forbids it of an opening in the same turn, `opened` what speaks for it.
    """
    table = _lay(rules, question)
    notes = list(counter_readings(rules, asker(table)[0]))
    if question.permission is not Permission.NOT_ASKED and not has_partner(rules.settings):
        notes.insert(0, reason("permission-of-nobody", "sides"))
    against = (*against_going_out(rules, question), *short)
    if against:
        return answered((*against, *notes), forbids=True)
    bonus = scored(table, *asker(table), _OUT_LINE)
    return answered((*_in_favour(table, bonus), *opened, *notes), forbids=False, bonus=bonus)


def against_going_out(rules: Ruleset, question: OutQuestion) -> tuple[Reason, ...]:
    """What forbids it on the table, and what the partner said, or was not asked; who plays alone asks nobody."""
    found = broken(_lay(rules, question), OUT_CHECKS | lying_checks(rules))
    if not has_partner(rules.settings):
        return found
    if question.permission is Permission.REFUSED:
        return (*found, reason("permission-refused", "permission"))
    if question.permission is Permission.NOT_ASKED and rules.settings.permission == "must-ask":
        return (*found, reason("permission-not-asked", "permission"))
    return found


def _lay(rules: Ruleset, question: OutQuestion) -> Table:
    out = Out(ASKER, question.concealed, question.discard, question.discard_noted)
    side = SideEntry(melds=laid_down(*question.table), red_threes=question.red_threes)
    return lay_case(rules, side, out=out, score=question.score or 0, deal=question.deal or 1)


def _in_favour(table: Table, bonus: int) -> Iterator[Reason]:
    """That the canastas needed are there, what else is asked, and what going out is worth."""
    rules, settings, out = table.rules, table.settings, table.hand.out
    party = asker(table)[0]
    kinds = tuple(Needed(family, n, party.families[family]) for family, n in settings.canasta_families_needed)
    figures = {"has": party.families.total(), "needed": settings.canastas_needed}
    if kinds:
        grounds = (*to_go_out(settings), *by_reading(rules, party))
        yield reason("out-canastas-enough", *grounds, **figures, why="families", families=kinds)
    else:
        yield reason("out-canastas-enough", *to_go_out(settings), **figures, why="number")
    if out and out.concealed:
        yield from _concealed(rules)
    if out and not out.discard_noted and settings.last_discard is LastDiscard.OBLIGATORY:
        yield reason("out-discard-to-come", "last-discard", "last-discard-special")
    if bonus:
        yield reason("out-worth", *line_grounds(table, *asker(table), _OUT_LINE), bonus=bonus)
    else:
        yield reason("out-worth-nothing", "out-bonus")


def _concealed(rules: Ruleset) -> Iterator[Reason]:
    """What a concealed going out asks that the table at the end does not show."""
    settings = rules.settings
    if settings.concealed_out_bonus == settings.out_bonus:
        # It is a going out like any other: what makes it a concealed one is of no account.
        if settings.out_bonus:
            yield reason("out-concealed-no-more", "concealed-out-bonus")
    elif settings.concealed_out is ConcealedOut.OWN_MELDS_ONLY:
        yield reason("out-concealed-own-melds", "concealed-out")
    else:
        yield reason("out-concealed-opens", "concealed-out", MINIMUM_HOLDS)
