"""Rulings on the value of red threes."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scorepad.referee.questions import RedThreesQuestion
from scorepad.referee.reasons import (
    explain_inference_about_wild_canastas,
    find_known_mistakes,
    reason,
)
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, forbidden, value
from scorepad.referee.situation import ASKER, build_table_of_asker, run_checks
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out, SideEntry, Totals
from scorepad.rules.score import cite_points_of_red_threes, count_points_of_red_threes
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
    """Say how many points the red threes (bonus cards) of a side give, to it and to its opponents.

    The details are `{"points": 200}`, or `{"points": 0, "opponents": 200}` in a game in which the
    points may go to the opponents. Forbidden if there are more red threes than the decks hold.
    """
    table = _build_table_with_red_threes(rules, question)
    too_many = run_checks(table, {"red-threes-exceeded"})
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
        *_explain_points(table, question.count, points),
        *_comment_on_red_threes(table, question),
    )
    return value(reasons, details)


def _build_table_with_red_threes(rules: Ruleset, question: RedThreesQuestion) -> Table:
    """Build the table at the end of a round, with the red threes and canastas of the question.

    What the red threes are worth is read off the score of this table.
    """
    # In some games they count only for a side that has laid other cards. Which ones does not
    # matter, so that any number of points will do.
    points_of_cards = SMALLEST_POINTS if question.opened else 0
    what_was_laid = Totals(cards=points_of_cards, canastas=question.canastas)
    entry = SideEntry(totals=what_was_laid, red_threes=question.count)
    return build_table_of_asker(rules, entry, out=Out(ASKER))


def _count_points(table: Table) -> _RedThreePoints:
    """Count the points that the red threes give to the asking side, and to each of its opponents.

    They are those of the line "red threes" in the score of a round.
    """
    points_of_sides: dict[int, int] = {}  # by the position of the side
    for party in table.parties:  # a party is the sides that lay cards together
        for side in party.sides:
            points_of_sides[side.position] = count_points_of_red_threes(table, party, side)

    own = points_of_sides.pop(ASKER)
    # The opponents all get the same. A side that plays together with the asking one gets nothing.
    return _RedThreePoints(own, opponents=max(points_of_sides.values()))


def _explain_points(table: Table, count: int, points: _RedThreePoints) -> Reasons:
    """Explain what this many red threes (bonus cards) are worth, and who gets the points.

    In some games they count only for a side with certain canastas, groups of seven cards or more:
    then also the missing ones are named.
    """
    if count == 0:
        # On the page: "No red three is exposed: there is nothing to count."
        yield reason("red-threes-worth", cited_settings="red-three-values", wording="none")
        return

    yield _explain_value(table.settings, count)
    if table.settings.red_threes_condition == "out-needs":
        yield from _list_missing_canastas(table)
    yield _explain_who_scores(table, count, points)


def _list_missing_canastas(table: Table) -> tuple[Reason, ...]:
    """Say which canastas (groups of seven cards or more) the side lacks to end the round.

    The result is empty if it has all that are needed.
    """
    return run_checks(table, {"out-canastas-missing"})


def _explain_value(settings: Settings, count: int) -> Reason:
    """Explain what this many red threes (bonus cards) are worth.

    - one → "One red three exposed is worth 100 points."
    - two, worth twice as much as one → "Together they are worth 200 points."
    - all four, worth more together → "Together they are worth 800 points instead of 400."
    """
    code = "red-threes-worth"
    setting = f"red-three-values/{count}"
    values = settings.red_three_values
    worth = _worth_together(values, count)
    if count == 1:
        return reason(code, cited_settings=setting, wording="one", worth=worth)

    worth_one_by_one = _worth_one_by_one(values, count)
    if worth == worth_one_by_one:
        return reason(code, cited_settings=setting, count=count, worth=worth)
    return reason(
        code,
        cited_settings=setting,
        wording=_choose_wording_of_extra_value(values, count).value,
        count=count,
        worth=worth,
        plain=worth_one_by_one,
    )


def _choose_wording_of_extra_value(values: tuple[int, ...], count: int) -> _HigherValue:
    """Choose how to say that several red threes are worth more together than one by one.

    `values` are what one, two, three and more of them are worth together.

    - four, where the values are 100, 200, 300, 800 → `ALL`: only all four are worth more
    - three, where they are 100, 300, 600, 1000 → `DOUBLED`: 600 is twice 3 times 100
    - two, where they are 100, 300, 600, 1000 → `TOGETHER`: more than 2 times 100, but not double
    """
    if _is_only_full_set_worth_more(values, count):
        return _HigherValue.ALL
    if _worth_together(values, count) == 2 * _worth_one_by_one(values, count):
        return _HigherValue.DOUBLED
    return _HigherValue.TOGETHER


def _is_only_full_set_worth_more(values: tuple[int, ...], count: int) -> bool:
    """Tell whether these are all the red threes, and fewer would not be worth more together.

    `values` are what one, two, three and more of them are worth together. Four, where the values
    are 100, 200, 300, 800 → True: three are worth just 3 times 100.
    """
    if count < len(values):
        return False
    one_fewer = count - 1
    return _worth_together(values, one_fewer) == _worth_one_by_one(values, one_fewer)


def _worth_one_by_one(values: tuple[int, ...], count: int) -> int:
    """Return what this many red threes would be worth if each counted like a single one."""
    worth_of_one = values[0]
    return count * worth_of_one


def _worth_together(values: tuple[int, ...], count: int) -> int:
    """Look up what this many red threes are worth together: `values` begins with one of them."""
    return values[count - 1]


def _explain_who_scores(table: Table, count: int, points: _RedThreePoints) -> Reason:
    """Explain whether red threes count for their side, against it, or for its opponents."""
    effect = _find_effect(table.settings, count, points)
    settings = cite_points_of_red_threes(table, table.parties[ASKER], count, points.own)
    # How much they are worth is said in another sentence, which cites its own setting.
    setting_of_value = f"red-three-values/{count}"
    # On the page: "The side opened: they count in favour, 200 points."
    return reason(
        f"red-threes-{effect}",
        cited_settings=[setting for setting in settings if setting != setting_of_value],
        wording=table.settings.red_threes_condition,  # `opened`, for example
        count=count,
        points=points.own,
        opponents=points.opponents,
    )


def _find_effect(settings: Settings, count: int, points: _RedThreePoints) -> _Effect:
    """Find out how red threes count, by comparing the points given with what they are worth.

    Two red threes are worth 200 points. If the side gets

    - 200 → `FOR_SIDE`
    - -200 → `AGAINST_SIDE`; -400 → `TWICE_AGAINST_SIDE`
    - 0 → `NOTHING`, or `TO_OPPONENTS` if these get the points
    - 100, and its opponents too → `SHARED`
    """
    if _red_threes_always_count(settings):
        return _Effect.ALWAYS
    if points.opponents != 0:
        return _Effect.TO_OPPONENTS if points.own == 0 else _Effect.SHARED

    worth = _worth_together(settings.red_three_values, count)
    if points.own == -worth:
        return _Effect.AGAINST_SIDE
    if points.own == 0:
        return _Effect.NOTHING
    if points.own == worth:
        return _Effect.FOR_SIDE
    return _Effect.TWICE_AGAINST_SIDE  # the rules have no other effect


def _comment_on_red_threes(table: Table, question: RedThreesQuestion) -> Reasons:
    """Yield comments on an answer about red threes (bonus cards).

    They say that the question contradicts itself, that a part of the answer is a guess, or that a
    rule book is known to be mistaken.
    """
    rules = table.rules
    lacks_opening = _lacks_required_opening(rules.settings, question)
    if lacks_opening and _has_canastas(question):
        # On the page: "But there are canastas laid, and a side that did not open can have none."
        yield reason("red-threes-canasta-unopened", cited_settings="red-threes-condition")
    if question.count > 0:
        yield from explain_inference_about_wild_canastas(rules, table.parties[ASKER])
    if question.count > 0 and lacks_opening and _does_a_book_say_only_in_hand(rules):
        # Its sentence is taken to mean red threes on the table too.
        # On the page: "Giochi di carte can be read the same way, but says “in hand”."
        yield reason("red-threes-read-so", cited_settings=f"red-threes-otherwise/{_IN_HAND}")

    # On the page: "Note: a table of the Rules translated from English swaps the colours of the
    # threes."
    yield from find_known_mistakes(rules, "fault-threes-swapped")


def _does_a_book_say_only_in_hand(rules: Ruleset) -> bool:
    """Tell whether a rule book says only of red threes left in a player's hand that they count less.

    Such a book says nothing of those on the table. It is cited for a part of the setting.
    """
    parts_of_setting = rules.cited["red-threes-otherwise"].steps
    return _IN_HAND in parts_of_setting


def _red_threes_always_count(settings: Settings) -> bool:
    """Tell whether red threes (bonus cards) earn points for their side in any case.

    In some games that depends on how many canastas (groups of seven or more cards) the side has.
    The setting `red_threes_by_canastas` has a sign for none, one and so on:

    - `(-1, 1)` → False: they count against a side with none, and for a side with one or more
    - `(1,)` → True: they count for every side
    """
    if settings.red_threes_condition != "canastas":
        return False  # they depend on another condition, which a side may fail to meet
    return all(sign == 1 for sign in settings.red_threes_by_canastas)


def _lacks_required_opening(settings: Settings, question: RedThreesQuestion) -> bool:
    """Tell whether the red threes do not count because their side has laid no other cards yet.

    False in a game without that rule, and for a side that has laid other cards.
    """
    needs_opening = settings.red_threes_condition == "opened"
    return needs_opening and not question.opened


def _has_canastas(question: RedThreesQuestion) -> bool:
    """Tell whether the side has any canastas (groups of seven cards or more)."""
    return any(number > 0 for number in question.canastas.values())
