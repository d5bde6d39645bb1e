"""Rulings on the value of red threes."""

from __future__ import annotations

from scorepad.referee.questions import RedThreesQuestion
from scorepad.referee.reasons import faults, reason, wild_family_reasons
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, forbidden, value
from scorepad.referee.situation import ASKER, table_with, violations
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out, Totals
from scorepad.rules.score import count_line, red_three_grounds
from scorepad.rules.settings import Settings
from scorepad.rules.table import Table

_IN_HAND = "in-hand"
"""The step for a source that can be read as covering red threes not counted, though it mentions
those in hand.
"""


def rule_red_threes(rules: Ruleset, question: RedThreesQuestion) -> Ruling:
    """Their points for the side and for its opponents; more red threes than the decks hold are
    refused.
    """
    # Only whether the side laid anything matters, not what.
    totals = Totals(SMALLEST_POINTS if question.opened else 0, question.canastas)
    table = table_with(rules, totals=totals, red_threes=question.count, out=Out(ASKER))
    too_many = violations(table, {"red-threes-exceeded"})
    if too_many:
        return forbidden(too_many)
    if not rules.settings.red_three_values:
        return value((reason("red-threes-no-bonus", "red-three-values"),), {"points": 0})

    points, *others = _points_by_side(table)
    details: Details = {"points": points}
    opponents = max(others)
    if opponents:
        details["opponents"] = opponents
    reasons = (
        *_why_worth(table, question.count, points, opponents),
        *_contradictions_and_faults(table, question),
    )
    return value(reasons, details)


def _points_by_side(table: Table) -> list[int]:
    points_by_side: list[int] = []
    for party in table.parties:
        for side in party.sides:
            points, _ = count_line(table, party, side, "red-threes")
            points_by_side.append(points)
    return points_by_side


def _why_worth(table: Table, count: int, points: int, opponents: int) -> Reasons:
    """The value of this many red threes, and how the side's canastas or its opening change it."""
    settings = table.settings
    if not count:
        yield reason("red-threes-worth", "red-three-values", why="none")
        return
    yield _value_of(settings, count)
    if settings.red_threes_condition == "out-needs":
        yield from violations(table, {"out-canastas-missing"})
    yield _why_counted_so(table, count, points, opponents)


def _value_of(settings: Settings, count: int) -> Reason:
    """What so many red threes are worth: together, they may be more than each by itself."""
    values = settings.red_three_values
    worth = values[count - 1]
    setting = f"red-three-values/{count}"
    if count == 1:
        return reason("red-threes-worth", setting, why="one", worth=worth)
    each_by_itself = count * values[0]
    if worth == each_by_itself:
        return reason("red-threes-worth", setting, count=count, worth=worth)

    fewer_are_plain = values[count - 2] == (count - 1) * values[0]
    why = "together"
    if count == len(values) and fewer_are_plain:
        why = "all"
    elif worth == 2 * each_by_itself:
        why = "doubled"
    return reason(
        "red-threes-worth", setting, why=why, count=count, worth=worth, plain=each_by_itself
    )


def _why_counted_so(table: Table, count: int, points: int, opponents: int) -> Reason:
    """Whether their value counts for the side, against it, or for the opponents."""
    grounds = red_three_grounds(table, table.parties[ASKER], count, points)
    besides_worth = [setting for setting in grounds if setting != f"red-three-values/{count}"]
    effect = _effect(table.settings, count, points, opponents)
    return reason(
        f"red-threes-{effect}",
        *besides_worth,
        why=table.settings.red_threes_condition,
        count=count,
        points=points,
        opponents=opponents,
    )


def _effect(settings: Settings, count: int, points: int, opponents: int) -> str:
    """How red threes count that give the side and its opponents these points."""
    depends_on_canastas = settings.red_threes_condition == "canastas"
    if depends_on_canastas and set(settings.red_threes_by_canastas) == {1}:
        return "always"
    if opponents:
        return "shared" if points else "to-opponents"
    worth = settings.red_three_values[count - 1]
    effects = {worth: "for", 0: "nothing", -worth: "against"}
    return effects.get(points, "twice-against")


def _contradictions_and_faults(table: Table, question: RedThreesQuestion) -> Reasons:
    """Contradictions in the question, and faults or inferences in the sources of the answer."""
    rules = table.rules
    opening_lacks = rules.settings.red_threes_condition == "opened" and not question.opened
    if opening_lacks and any(question.canastas.values()):
        yield reason("red-threes-canasta-unopened", "red-threes-condition")
    if question.count:
        yield from wild_family_reasons(rules, table.parties[ASKER])
    if opening_lacks and question.count and _IN_HAND in rules.cited["red-threes-otherwise"].steps:
        yield reason("red-threes-read-so", f"red-threes-otherwise/{_IN_HAND}")
    yield from faults(rules, "fault-threes-swapped")
