"""Choices of parts in whole numbers, small enough to be solved by hand."""

from __future__ import annotations

from scorepad.rules.solver import Between, ChoiceOfParts, End, Part, Total, solve

KINGS, QUEENS, JACKS = Total("kings"), Total("queens"), Total("jacks")
THREES = Part(30, ((KINGS, 3),))
FOURS = Part(45, ((KINGS, 4),))


def solved(end: End, *parts: Part, limits: dict[Total, Between]) -> tuple[int, ...] | None:
    return solve(ChoiceOfParts(parts, equal_totals=(), limits=tuple(limits.items())), end)


def test_of_seven_cards_a_three_and_a_four_are_most_and_none_are_least() -> None:
    limits = {KINGS: Between(0, 7)}
    assert solved("most", THREES, FOURS, limits=limits) == (1, 1)
    assert solved("least", THREES, FOURS, limits=limits) == (0, 0)
    assert solved("least", THREES, FOURS, limits={KINGS: Between(6, None)}) == (2, 0)


def test_what_no_parts_make_has_no_solution() -> None:
    assert solved("most", THREES, FOURS, limits={KINGS: Between(5, 5)}) is None
    assert solved("most", THREES, limits={QUEENS: Between(1, 4)}) is None
    limits = {QUEENS: Between(0, 4), KINGS: Between(0, 3)}
    assert solved("most", THREES, limits=limits) == (1,)


def test_totals_that_must_be_equal_come_to_the_same_number() -> None:
    queens = Part(10, ((QUEENS, 2),))
    limits = {KINGS: Between(0, 8)}
    choice = ChoiceOfParts((FOURS, queens), ((KINGS, QUEENS),), tuple(limits.items()))
    assert solve(choice, "most") == (2, 4)
    with_no_jacks = ChoiceOfParts((FOURS, queens), ((KINGS, JACKS),), ((QUEENS, Between(0, 2)),))
    assert solve(with_no_jacks, "most") == (0, 1)
