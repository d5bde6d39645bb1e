"""What are red threes worth to a side?"""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.referee.answers import Reason, Ruling, Verdict
from scorepad.referee.case import ASKER, asker, broken, counter_readings, faults, lay_case, reason, scored
from scorepad.referee.questions import RedThreesQuestion
from scorepad.rules.checks import SMALLEST_POINTS, Figure
from scorepad.rules.entries import Out, SideEntry, Totals
from scorepad.rules.score import red_three_grounds
from scorepad.rules.settings import Condition, Settings
from scorepad.rules.table import Table
from scorepad.rules.variants import Ruleset

_THREES_LINE = "red-threes"
IN_HAND = "in-hand"
"""The step of what another text may be read to say of red threes not counted, though it speaks of those in hand."""


def rule_red_threes(rules: Ruleset, question: RedThreesQuestion) -> Ruling:
    """Their points for the side itself, and what they bring the others; more than the decks hold there cannot be."""
    # What the side laid matters only as far as it laid anything.
    laid = SMALLEST_POINTS if question.opened else 0
    entry = SideEntry(totals=Totals(question.canastas, laid), red_threes=question.count)
    table = lay_case(rules, entry, out=Out(ASKER))
    beyond = broken(table, {"red-threes-exceeded"})
    if beyond:
        return Ruling(Verdict.FORBIDDEN, beyond)
    if not rules.settings.red_three_values:
        return Ruling(Verdict.VALUE, (reason("red-threes-no-bonus", "red-three-values"),), {"points": 0})
    points = scored(table, *asker(table), _THREES_LINE)
    others = [(party, lay) for party in table.parties for lay in party.lays if lay.position != ASKER]
    opponents = max(scored(table, party, lay, _THREES_LINE) for party, lay in others)
    reasons = (*_why(table, question.count, points, opponents), *_notes(table, question))
    return Ruling(
        Verdict.VALUE, reasons, {"points": points, "opponents": opponents} if opponents else {"points": points}
    )


def _notes(table: Table, question: RedThreesQuestion) -> Iterator[Reason]:
    """What does not go together, and what the sources of the answer got wrong, or leave to be read."""
    rules = table.rules
    unopened = rules.settings.red_threes_condition is Condition.OPENED and not question.opened
    if unopened and any(question.canastas.values()):
        yield reason("red-threes-canasta-unopened", "red-threes-condition")
    if question.count:
        yield from counter_readings(rules, asker(table)[0])
    if unopened and question.count and IN_HAND in rules.cited["red-threes-otherwise"].steps:
        yield reason("red-threes-read-so", f"red-threes-otherwise/{IN_HAND}")
    yield from faults(rules, "fault-threes-swapped")


def _why(table: Table, count: int, points: int, opponents: int) -> Iterator[Reason]:
    by = table.settings.red_threes_condition
    values = table.settings.red_three_values
    worth = (0, *values)[count]
    step = f"red-three-values/{count}" if count else "red-three-values"
    yield reason("red-threes-worth", step, **_together(values, count, worth))
    if not count:
        return
    if by is Condition.OUT_NEEDS:
        yield from broken(table, {"out-canastas-missing"})
    effect = _effect(table.settings, worth, points, opponents)
    figures = {"why": by.value, "count": count, "points": points, "opponents": opponents}
    grounds = red_three_grounds(table, asker(table)[0], count, points)
    yield reason(effect, *(ground for ground in grounds if ground != step), **figures)


def _together(values: tuple[int, ...], count: int, worth: int) -> dict[str, Figure]:
    """How several of them come to what they are worth: each by itself, because it is all there are, or so many."""
    if not count:
        return {"why": "none"}
    if count == 1:
        return {"why": "one", "worth": worth}
    plain = count * values[0]
    if worth == plain:
        return {"count": count, "worth": worth}
    if count == len(values) and values[count - 2] == (count - 1) * values[0]:
        why = "all"
    else:
        why = "doubled" if worth == 2 * plain else "together"
    return {"why": why, "count": count, "worth": worth, "plain": plain}


def _effect(settings: Settings, worth: int, points: int, opponents: int) -> str:
    """What the side's canastas, or its opening, make of their worth."""
    if settings.red_threes_condition is Condition.CANASTAS and set(settings.red_threes_by_canastas) == {1}:
        return "red-threes-always"
    if opponents:
        return "red-threes-shared" if points else "red-threes-to-opponents"
    effects = {worth: "red-threes-for", 0: "red-threes-nothing", -worth: "red-threes-against"}
    return effects.get(points, "red-threes-twice-against")
