"""Programs in whole numbers, small enough to be solved by hand."""

from __future__ import annotations

from scorepad.rules.bounds import Piece, solve

THREES = Piece(30, ((("card", "K"), 3),))
FOURS = Piece(45, ((("card", "K"), 4),))


def test_of_seven_cards_a_three_and_a_four_are_most_and_none_are_least() -> None:
    limits = {("card", "K"): (0, 7)}
    assert solve([THREES, FOURS], limits, "most") == (1, 1)
    assert solve([THREES, FOURS], limits, "least") == (0, 0)
    assert solve([THREES, FOURS], {("card", "K"): (6, None)}, "least") == (2, 0)


def test_what_no_pieces_make_has_no_solution() -> None:
    assert solve([THREES, FOURS], {("card", "K"): (5, 5)}, "most") is None
    assert solve([THREES], {("card", "Q"): (1, 4)}, "most") is None
    assert solve([THREES], {("card", "Q"): (0, 4), ("card", "K"): (0, 3)}, "most") == (1,)
