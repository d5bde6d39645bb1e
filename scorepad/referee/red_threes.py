"""Rulings on the value of red threes."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scorepad.referee.questions import RedThreesQuestion
from scorepad.referee.reasons import faults, inference_about_wild_canastas, reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, forbidden, value
from scorepad.referee.situation import ASKER, table_with, violations
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out, Totals
from scorepad.rules.score import count_line, red_three_cited_settings
from scorepad.rules.settings import Settings
from scorepad.rules.table import Table

_IN_HAND = "in-hand"
"""The entry of the setting `red-threes-otherwise` for a source that mentions only red threes left
in a player's hand. That others do not count either is inferred.
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


class _HigherValue(StrEnum):
    """How a message says that several red threes are worth more than each by itself."""

    ALL = "all"
    """They are all that there are, and only all together are worth more."""
    DOUBLED = "doubled"
    TOGETHER = "together"


def rule_red_threes(rules: Ruleset, question: RedThreesQuestion) -> Ruling:
    """The points that red threes give to a side and to its opponents, as details of the ruling:
    `{"points": 200}`, or `{"points": 0, "opponents": 200}`.

    Forbidden if there are more red threes than the decks hold.
    """
    table = _table_with_red_threes(rules, question)
    too_many = violations(table, {"red-threes-exceeded"})
    if too_many:
        return forbidden(too_many)
    if not rules.settings.red_three_values:
        no_bonus = reason("red-threes-no-bonus", cited_settings="red-three-values")
        return value((no_bonus,), {"points": 0})

    points = _count_points(table)
    details: Details = {"points": points.own}
    if points.opponents != 0:
        details["opponents"] = points.opponents
    reasons = (
        *_why_worth(table, question.count, points),
        *_comments_on_red_threes(table, question),
    )
    return value(reasons, details)


def _table_with_red_threes(rules: Ruleset, question: RedThreesQuestion) -> Table:
    """The table of a hand in which the side has these red threes and canastas, and went out."""
    # It only matters whether the side has laid cards, not which: any number of points will do.
    points_laid = SMALLEST_POINTS if question.opened else 0
    totals = Totals(cards=points_laid, canastas=question.canastas)
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
    """The reasons for the points of this many red threes: what they are worth, and for whom they
    count.
    """
    if count == 0:
        yield reason("red-threes-worth", cited_settings="red-three-values", wording="none")
        return
    yield _reason_for_value(table.settings, count)
    if table.settings.red_threes_condition == "out-needs":
        yield from _missing_canastas(table)
    yield _reason_for_effect(table, count, points)


def _missing_canastas(table: Table) -> tuple[Reason, ...]:
    """Which canastas the side lacks of those that going out requires; empty if it lacks none.

    A canasta is a meld of seven cards or more, and going out ends the hand.
    """
    return violations(table, {"out-canastas-missing"})


def _reason_for_value(settings: Settings, count: int) -> Reason:
    """The reason that names the value of so many red threes.

    Together, red threes may be worth more than one by one. Then the reason names both values: four
    are worth 800 (`worth`) and not 400 (`plain`).
    """
    code = "red-threes-worth"
    setting = f"red-three-values/{count}"
    worth = _worth_of(settings.red_three_values, count)
    worth_one_by_one = _worth_one_by_one(settings.red_three_values, count)
    if count == 1:
        return reason(code, cited_settings=setting, wording="one", worth=worth)
    if worth == worth_one_by_one:
        return reason(code, cited_settings=setting, count=count, worth=worth)
    return reason(
        code,
        cited_settings=setting,
        wording=_wording_of_higher_value(settings.red_three_values, count).value,
        count=count,
        worth=worth,
        plain=worth_one_by_one,
    )


def _wording_of_higher_value(values: tuple[int, ...], count: int) -> _HigherValue:
    """How it is said that so many red threes are worth more together than one by one.

    `values` are those of one, two, three … red threes. With 100, 200, 300, 800 four are worth more
    because they are `ALL`. With 100, 300, 600, 1000 three are `DOUBLED`, and two worth more
    `TOGETHER`.
    """
    if _only_all_are_worth_more(values, count):
        return _HigherValue.ALL
    if _worth_of(values, count) == 2 * _worth_one_by_one(values, count):
        return _HigherValue.DOUBLED
    return _HigherValue.TOGETHER


def _only_all_are_worth_more(values: tuple[int, ...], count: int) -> bool:
    """Whether all red threes are worth more together than one by one, but one fewer are not. `count`
    must be the number of all.

    `values` are those of one, two, three … red threes. With 100, 200, 300, 800 four are all, and
    three are worth no more than 3 times 100: it holds for four.
    """
    one_fewer = count - 1
    one_fewer_are_worth_more = _worth_of(values, one_fewer) != _worth_one_by_one(values, one_fewer)
    are_all = count == len(values)
    return are_all and not one_fewer_are_worth_more


def _worth_one_by_one(values: tuple[int, ...], count: int) -> int:
    """What so many red threes would be worth if each had the value of a single one."""
    return count * _worth_of(values, 1)


def _worth_of(values: tuple[int, ...], count: int) -> int:
    """What so many red threes are worth together. `values` has the value of one, of two, and so on."""
    return values[count - 1]


def _reason_for_effect(table: Table, count: int, points: _RedThreePoints) -> Reason:
    """The reason that says for whom so many red threes count, or against whom."""
    effect = _effect_of_red_threes(table.settings, count, points)
    return reason(
        f"red-threes-{effect}",
        cited_settings=_settings_of_effect(table, count, points),
        wording=table.settings.red_threes_condition,
        count=count,
        points=points.own,
        opponents=points.opponents,
    )


def _settings_of_effect(table: Table, count: int, points: _RedThreePoints) -> list[str]:
    """The settings that decide for whom so many red threes count.

    The setting of their value, such as `red-three-values/4`, is not among them: another reason
    names the value.
    """
    side_of_question = table.parties[ASKER]
    settings_of_points = red_three_cited_settings(table, side_of_question, count, points.own)
    setting_of_value = f"red-three-values/{count}"
    return [setting for setting in settings_of_points if setting != setting_of_value]


def _effect_of_red_threes(settings: Settings, count: int, points: _RedThreePoints) -> _Effect:
    """For whom so many red threes count, told from the points that they give.

    Of red threes worth 200, 200 points for the side are `FOR_SIDE`, -200 are `AGAINST_SIDE`.
    """
    if _red_threes_always_count(settings):
        return _Effect.ALWAYS
    if points.opponents != 0:
        return _Effect.TO_OPPONENTS if points.own == 0 else _Effect.SHARED

    worth = _worth_of(settings.red_three_values, count)
    if points.own == -worth:
        return _Effect.AGAINST_SIDE
    if points.own == 0:
        return _Effect.NOTHING
    if points.own == worth:
        return _Effect.FOR_SIDE
    return _Effect.TWICE_AGAINST_SIDE  # the rules have no other effect


def _comments_on_red_threes(table: Table, question: RedThreesQuestion) -> Reasons:
    """What else is said of red threes: that the question contradicts itself, that the answer depends
    on an inference, and a known mistake of a source.
    """
    rules = table.rules
    needs_to_open = _is_unopened(rules.settings, question)
    if needs_to_open and _has_canastas(question):  # who has canastas has opened
        yield reason("red-threes-canasta-unopened", cited_settings="red-threes-condition")
    if question.count > 0:
        yield from inference_about_wild_canastas(rules, table.parties[ASKER])
        if needs_to_open:
            yield from _inference_from_threes_in_hand(rules)
    yield from faults(rules, "fault-threes-swapped")


def _inference_from_threes_in_hand(rules: Ruleset) -> Reasons:
    """The reason that an inference decides whether red threes on the table count.

    It is for rules with a source that says only of red threes left in a player's hand that they do
    not count.
    """
    has_such_source = _IN_HAND in rules.cited["red-threes-otherwise"].steps
    if has_such_source:
        yield reason("red-threes-read-so", cited_settings=f"red-threes-otherwise/{_IN_HAND}")


def _red_threes_always_count(settings: Settings) -> bool:
    """Whether red threes count for a side with any number of canastas.

    `red_threes_by_canastas` is the sign of their value with none, one, two …
    """
    if settings.red_threes_condition != "canastas":
        return False
    return all(sign == 1 for sign in settings.red_threes_by_canastas)


def _is_unopened(settings: Settings, question: RedThreesQuestion) -> bool:
    """Whether the side has not opened, where red threes count for a side that has."""
    return settings.red_threes_condition == "opened" and not question.opened


def _has_canastas(question: RedThreesQuestion) -> bool:
    """Whether the side has any canastas (melds of seven cards or more), so that it has opened."""
    return any(number > 0 for number in question.canastas.values())
