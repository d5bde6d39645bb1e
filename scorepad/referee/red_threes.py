"""Rulings on the value of red threes."""

from __future__ import annotations

from typing import NamedTuple

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


class _RedThreePoints(NamedTuple):
    """The points that the red threes of a side give to it, and to each of its opponents."""

    own: int
    opponents: int


def rule_red_threes(rules: Ruleset, question: RedThreesQuestion) -> Ruling:
    """Their points for the side and for its opponents; more red threes than the decks hold are
    refused.
    """
    table = _table_with_red_threes(rules, question)
    too_many = violations(table, {"red-threes-exceeded"})
    if too_many:
        return forbidden(too_many)
    if not rules.settings.red_three_values:
        return value((reason("red-threes-no-bonus", "red-three-values"),), {"points": 0})

    points = _count_points(table)
    details: Details = {"points": points.own}
    if points.opponents:
        details["opponents"] = points.opponents
    reasons = (
        *_why_worth(table, question.count, points),
        *_contradictions_and_faults(table, question),
    )
    return value(reasons, details)


def _table_with_red_threes(rules: Ruleset, question: RedThreesQuestion) -> Table:
    """The table of a hand in which the side has these red threes and canastas, and went out.

    For red threes only matters whether the side laid any cards, not which: the smallest number of
    points stands for them.
    """
    points_laid = SMALLEST_POINTS if question.opened else 0
    totals = Totals(points_laid, question.canastas)
    return table_with(rules, totals=totals, red_threes=question.count, out=Out(ASKER))


def _count_points(table: Table) -> _RedThreePoints:
    """The points that the red threes of the question give, as the score of a hand counts them."""
    own = 0
    points_of_opponents: list[int] = []
    for party in table.parties:
        for side in party.sides:
            points, _ = count_line(table, party, side, "red-threes")
            if side.position == ASKER:
                own = points
            else:
                points_of_opponents.append(points)
    return _RedThreePoints(own, max(points_of_opponents))


def _why_worth(table: Table, count: int, points: _RedThreePoints) -> Reasons:
    """The value of this many red threes, and how the side's canastas or its opening change it."""
    if count == 0:
        # `none`: the wording that there is nothing to count.
        yield reason("red-threes-worth", "red-three-values", why="none")
        return
    yield _value_of(table.settings, count)
    if table.settings.red_threes_condition == "out-needs":
        # They count for a side that has the canastas for going out: the reason says if it lacks
        # some.
        yield from violations(table, {"out-canastas-missing"})
    yield _why_counted_so(table, count, points)


def _value_of(settings: Settings, count: int) -> Reason:
    """What so many red threes are worth: together, they may be more than each by itself."""
    worth_of_one = settings.red_three_values[0]
    worth = settings.red_three_values[count - 1]
    setting = f"red-three-values/{count}"
    if count == 1:
        return reason("red-threes-worth", setting, why="one", worth=worth)
    each_by_itself = count * worth_of_one
    if worth == each_by_itself:
        return reason("red-threes-worth", setting, count=count, worth=worth)
    wording = _wording_of_value(settings.red_three_values, count)
    return reason(
        "red-threes-worth", setting, why=wording, count=count, worth=worth, plain=each_by_itself
    )


def _wording_of_value(values: tuple[int, ...], count: int) -> str:
    """How it is said that so many red threes are worth more than each by itself.

    `values` is the value of one, two, three … together: with 100, 200, 300 and 800 only `all` four
    are worth more. With 100, 300, 600 and 1000 three are `doubled`, and two worth more `together`.
    """
    worth_of_one = values[0]
    fewer = count - 1
    fewer_are_worth_no_more = values[fewer - 1] == fewer * worth_of_one
    if count == len(values) and fewer_are_worth_no_more:
        return "all"
    if values[count - 1] == 2 * count * worth_of_one:
        return "doubled"
    return "together"


def _why_counted_so(table: Table, count: int, points: _RedThreePoints) -> Reason:
    """Whether their value counts for the side, against it, or for the opponents."""
    grounds = red_three_grounds(table, table.parties[ASKER], count, points.own)
    besides_worth = [setting for setting in grounds if setting != f"red-three-values/{count}"]
    effect = _effect(table.settings, count, points)
    return reason(
        f"red-threes-{effect}",
        *besides_worth,
        why=table.settings.red_threes_condition,
        count=count,
        points=points.own,
        opponents=points.opponents,
    )


def _effect(settings: Settings, count: int, points: _RedThreePoints) -> str:
    """How red threes count that give these points, as the end of a reason's code: `for` the side,
    `against` it, to both (`shared`), and so on.
    """
    if _count_in_any_case(settings):
        return "always"
    if points.opponents:
        return "shared" if points.own else "to-opponents"
    worth = settings.red_three_values[count - 1]
    if points.own == -worth:
        return "against"
    if points.own == 0:
        return "nothing"
    if points.own == worth:
        return "for"
    return "twice-against"


def _count_in_any_case(settings: Settings) -> bool:
    """Whether red threes count for a side with any number of canastas.

    `red_threes_by_canastas` is the sign of their value with none, one, two …
    """
    if settings.red_threes_condition != "canastas":
        return False
    return all(sign == 1 for sign in settings.red_threes_by_canastas)


def _contradictions_and_faults(table: Table, question: RedThreesQuestion) -> Reasons:
    """A contradiction in the question, and faults or inferences in the sources of the answer."""
    rules = table.rules
    requires_opening = rules.settings.red_threes_condition == "opened"
    is_unopened = requires_opening and not question.opened
    if is_unopened and any(question.canastas.values()):  # a side with canastas has opened
        yield reason("red-threes-canasta-unopened", "red-threes-condition")
    if question.count:
        yield from wild_family_reasons(rules, table.parties[ASKER])
    if is_unopened and question.count and _mentions_those_in_hand(rules):
        yield reason("red-threes-read-so", f"red-threes-otherwise/{_IN_HAND}")
    yield from faults(rules, "fault-threes-swapped")


def _mentions_those_in_hand(rules: Ruleset) -> bool:
    """Whether a source about red threes that are not counted mentions only those in hand."""
    return _IN_HAND in rules.cited["red-threes-otherwise"].steps
