"""Rulings on the value of red threes."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scorepad.referee.questions import RedThreesQuestion
from scorepad.referee.reasons import faults, inference_about_wild_canastas, reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, forbidden, value
from scorepad.referee.situation import ASKER, table_with, violations
from scorepad.rules.checks import SMALLEST_POINTS, MessageArgument
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


class _Effect(StrEnum):
    """How the red threes of a side count: the end of the code of the reason that says it."""

    ALWAYS = "always"
    """They count for the side, whatever canastas it has."""
    FOR_SIDE = "for"
    AGAINST_SIDE = "against"
    TWICE_AGAINST_SIDE = "twice-against"
    TO_OPPONENTS = "to-opponents"
    SHARED = "shared"
    """They count for the side and for its opponents."""
    NOTHING = "nothing"


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
    reasons = (*_why_worth(table, question.count, points), *_comments(table, question))
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
    yield _reason_for_value(table.settings, count)
    if table.settings.red_threes_condition == "out-needs":
        # They count for a side that has the canastas for going out: the reason says if it lacks
        # some.
        yield from violations(table, {"out-canastas-missing"})
    yield _reason_for_effect(table, count, points)


def _reason_for_value(settings: Settings, count: int) -> Reason:
    """The reason that names the value of so many red threes, regardless of whom it counts for.

    Together, red threes may be worth more than each by itself. The reason then names both values:
    four are worth 800 (`worth`) instead of 400 (`plain`).
    """
    values = settings.red_three_values
    setting = f"red-three-values/{count}"
    worth = _worth_of(values, count)
    if count == 1:
        return reason("red-threes-worth", setting, why="one", worth=worth)

    arguments: dict[str, MessageArgument] = {"count": count, "worth": worth}
    each_by_itself = count * _worth_of(values, 1)
    if worth != each_by_itself:
        wording = _wording_of_value(values, count)
        arguments = {"why": wording, **arguments, "plain": each_by_itself}
    return reason("red-threes-worth", setting, **arguments)


def _worth_of(values: tuple[int, ...], count: int) -> int:
    """What so many red threes are worth together. `values` has the value of one, of two, and so on."""
    return values[count - 1]


def _wording_of_value(values: tuple[int, ...], count: int) -> str:
    """How it is said that so many red threes are worth more than each by itself.

    `values` is the value of one, two, three … together: with 100, 200, 300 and 800 only `all` four
    are worth more. With 100, 300, 600 and 1000 three are `doubled`, and two worth more `together`.
    """
    worth_of_one = _worth_of(values, 1)
    one_fewer = count - 1
    one_fewer_are_worth_more = _worth_of(values, one_fewer) != one_fewer * worth_of_one
    are_all = count == len(values)
    if are_all and not one_fewer_are_worth_more:
        return "all"
    are_doubled = _worth_of(values, count) == 2 * count * worth_of_one
    if are_doubled:
        return "doubled"
    return "together"


def _reason_for_effect(table: Table, count: int, points: _RedThreePoints) -> Reason:
    """The reason that says whom so many red threes count for, or against.

    Another reason names their value, so the setting of the value is left out of its grounds.
    """
    setting_of_value = f"red-three-values/{count}"
    grounds: list[str] = []
    for setting in red_three_grounds(table, table.parties[ASKER], count, points.own):
        if setting != setting_of_value:
            grounds.append(setting)
    effect = _effect_of_red_threes(table.settings, count, points)
    return reason(
        f"red-threes-{effect}",
        *grounds,
        why=table.settings.red_threes_condition,
        count=count,
        points=points.own,
        opponents=points.opponents,
    )


def _effect_of_red_threes(settings: Settings, count: int, points: _RedThreePoints) -> _Effect:
    """How so many red threes, which give these points, count for a side and its opponents."""
    if _count_in_any_case(settings):
        return _Effect.ALWAYS
    if points.opponents and points.own:
        return _Effect.SHARED
    if points.opponents:
        return _Effect.TO_OPPONENTS

    worth = _worth_of(settings.red_three_values, count)
    if points.own == -worth:
        return _Effect.AGAINST_SIDE
    if points.own == 0:
        return _Effect.NOTHING
    if points.own == worth:
        return _Effect.FOR_SIDE
    return _Effect.TWICE_AGAINST_SIDE  # no rules count anything else


def _count_in_any_case(settings: Settings) -> bool:
    """Whether red threes count for a side with any number of canastas.

    `red_threes_by_canastas` is the sign of their value with none, one, two …
    """
    if settings.red_threes_condition != "canastas":
        return False
    return all(sign == 1 for sign in settings.red_threes_by_canastas)


def _comments(table: Table, question: RedThreesQuestion) -> Reasons:
    """Comments on a contradiction in the question, on inferences that the answer depends on, and on
    faults of the sources.
    """
    rules = table.rules
    if _is_unopened(rules.settings, question) and _has_canastas(question):
        yield reason("red-threes-canasta-unopened", "red-threes-condition")
    if question.count > 0:
        yield from inference_about_wild_canastas(rules, table.parties[ASKER])
        if _is_unopened(rules.settings, question) and _source_mentions_only_held_ones(rules):
            yield reason("red-threes-read-so", f"red-threes-otherwise/{_IN_HAND}")
    yield from faults(rules, "fault-threes-swapped")


def _is_unopened(settings: Settings, question: RedThreesQuestion) -> bool:
    """Whether the side has not opened, where red threes count for a side that has."""
    return settings.red_threes_condition == "opened" and not question.opened


def _has_canastas(question: RedThreesQuestion) -> bool:
    """Whether the side has any canastas (melds of seven cards or more), so that it has opened."""
    return any(number > 0 for number in question.canastas.values())


def _source_mentions_only_held_ones(rules: Ruleset) -> bool:
    """Whether a source on red threes that do not count mentions only those left in a hand."""
    return _IN_HAND in rules.cited["red-threes-otherwise"].steps
