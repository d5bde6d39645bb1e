"""On a machine without highspy: plain bounds, and no answer about the best play.

highspy is the library that solves how cards can be laid best. Without it, totals are checked only
as far as simple arithmetic goes.
"""

import sys
from collections.abc import Iterator

import pytest

from scorepad.i18n import words
from scorepad.rules.solver import has_solver
from scorepad.schemas.ruling_json import answer_request, build_ruling_answer, read_question
from tests.rules.hands import hand, judge_hand, problem_codes, side, side_with_totals


@pytest.fixture(autouse=True)
def _without_solver(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package highspy cannot be imported while a test runs."""
    monkeypatch.setitem(sys.modules, "highspy", None)
    has_solver.cache_clear()
    yield
    monkeypatch.undo()  # first, so that nobody finds the solver missing after the cache is empty
    has_solver.cache_clear()


def list_problems_of_totals(canastas: dict[str, int], card_points: int) -> set[str]:
    """What is found wrong with the totals of a side: canastas by kind, and points of its cards."""
    played = hand(side_with_totals(cards=card_points, **canastas), side())
    return problem_codes(judge_hand(played)) & {"totals-impossible", "bounds-not-checked"}


@pytest.mark.parametrize(
    ("canastas", "card_points"),
    [
        ({}, 0),
        ({"natural-canasta": 1}, 150),
        # The cheapest mixed canasta: six fours and a two, 50.
        ({"mixed-canasta": 1}, 50),
        # All natural cards are laid as eleven canastas, one of each rank, which take no wild card:
        # 8 aces 160, 48 cards of ten 480, 32 of five 160.
        ({"natural-canasta": 11}, 800),
    ],
)
def test_totals_that_a_plain_layout_makes_are_possible(
    canastas: dict[str, int], card_points: int
) -> None:
    """A plain layout is one that is found without the solver, canasta after canasta."""
    assert list_problems_of_totals(canastas, card_points) == set()


@pytest.mark.parametrize(
    ("canastas", "card_points"),
    [
        # All cards that can be laid are worth 1160 points together.
        ({}, 1165),
        ({"natural-canasta": 11}, 1165),
        # Seven cards are worth at least 7 x 5 = 35.
        ({"mixed-canasta": 1}, 30),
        # Sixteen canastas are 112 cards, and there are 108.
        ({"natural-canasta": 16}, 1000),
    ],
)
def test_totals_outside_plain_bounds_are_impossible(
    canastas: dict[str, int], card_points: int
) -> None:
    assert list_problems_of_totals(canastas, card_points) == {"totals-impossible"}


@pytest.mark.parametrize(
    ("canastas", "card_points"),
    [
        # The cheapest mixed canasta makes 50, but only a solver proves it.
        ({"mixed-canasta": 1}, 40),
        # There are eleven ranks: no cards make twelve natural canastas.
        ({"natural-canasta": 12}, 1000),
        # Eleven of them make 800 at most.
        ({"natural-canasta": 11}, 1000),
    ],
)
def test_impossible_totals_within_plain_bounds_are_not_checked(
    canastas: dict[str, int], card_points: int
) -> None:
    assert list_problems_of_totals(canastas, card_points) == {"bounds-not-checked"}


@pytest.mark.parametrize("language", ["it", "en"])
def test_how_best_to_open_with_a_hand_is_unknown(language: str) -> None:
    question = read_question(
        b'{"kind": "opening", "variant": "classica", "score": 0, "hand": "4xK 3x8 2 JK"}'
    )

    answer = build_ruling_answer(question, answer_request(question), words(language))

    assert answer["verdict"] == "silent"
    (reason,) = answer["reasons"]
    assert reason["code"] == "best-play-unknown"
    assert "highspy" in reason["message"]
    assert answer["elsewhere"] == []


def test_shown_melds_are_judged_without_solver() -> None:
    """Which melds are best need not be found where they are shown: 30 and 30 points open at 50."""
    question = read_question(
        b'{"kind": "opening", "variant": "classica", "score": 0, "melds": ["3xK", "3x8"]}'
    )
    assert answer_request(question).ruling.verdict.value == "allowed"
