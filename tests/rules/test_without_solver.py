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
    """Let the import of highspy fail while a test runs."""
    # `import highspy` raises ImportError where sys.modules has None for it.
    monkeypatch.setitem(sys.modules, "highspy", None)
    has_solver.cache_clear()
    yield

    # The package comes back before the answer cached during the test is forgotten.
    monkeypatch.undo()
    has_solver.cache_clear()


def list_problems_of_totals(canastas: dict[str, int], card_points: int) -> set[str]:
    """Judge a hand of which a side entered only totals, and return the problems about them.

    The totals are the numbers of its canastas, by kind, and the points of all the cards it laid.
    Can any cards come to them? "totals-impossible" means no, "bounds-not-checked" that it is not
    known.
    """
    other_side = side()
    played = hand(side_with_totals(cards=card_points, **canastas), other_side)
    judgement = judge_hand(played)
    return problem_codes(judgement) & {"totals-impossible", "bounds-not-checked"}


@pytest.mark.parametrize(
    ("canastas", "card_points"),
    [
        # A side that laid no cards.
        ({}, 0),
        # One canasta of seven cards without wild cards. Seven kings are worth 7 x 10 = 70 points,
        # and other cards can be worth the other 80.
        ({"natural-canasta": 1}, 150),
        # One canasta with wild cards. Six fours and a two are worth 6 x 5 + 20.
        ({"mixed-canasta": 1}, 50),
        # Eleven canastas, one of each rank that is laid: 8 aces of 20, 48 cards (king to eight) of
        # 10, 32 cards (seven to four) of 5 points. 160 + 480 + 160.
        ({"natural-canasta": 11}, 800),
    ],
)
def test_totals_that_a_plain_layout_makes_are_possible(
    canastas: dict[str, int], card_points: int
) -> None:
    # A side entered only how many canastas it has and the points of its cards. Without the solver,
    # the app lays one canasta after the other, to find cards that come to these totals.
    assert list_problems_of_totals(canastas, card_points) == set()


@pytest.mark.parametrize(
    ("canastas", "card_points"),
    [
        # All cards that can be laid are worth 1160 points together: 800 for aces down to fours,
        # 4 jokers of 50 and 8 twos of 20.
        ({}, 1165),
        ({"natural-canasta": 11}, 1165),
        # The seven cards of a canasta are worth at least 7 x 5 = 35.
        ({"mixed-canasta": 1}, 30),
        # Sixteen canastas of seven cards are 112 cards, and the game has 108.
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
        # The cheapest mixed canasta, six fours and a two, makes 50.
        ({"mixed-canasta": 1}, 40),
        # There are eleven ranks of eight cards: no cards make twelve natural canastas of seven.
        ({"natural-canasta": 12}, 1000),
        # Eleven natural canastas make 800 at most.
        ({"natural-canasta": 11}, 1000),
    ],
)
def test_impossible_totals_within_plain_bounds_are_not_checked(
    canastas: dict[str, int], card_points: int
) -> None:
    # No cards come to these totals, but only the solver could prove it.
    assert list_problems_of_totals(canastas, card_points) == {"bounds-not-checked"}


@pytest.mark.parametrize("language", ["it", "en"])
def test_how_best_to_open_with_a_hand_is_unknown(language: str) -> None:
    # A player asks how to open, that is to lay the first melds of a side, with four kings, three
    # eights, a two and a joker. Finding the best melds takes the solver.
    question = read_question(
        b'{"kind": "opening", "variant": "classica", "score": 0, "hand": "4xK 3x8 2 JK"}'
    )

    answer = build_ruling_answer(question, answer_request(question), words(language))

    # There is no verdict, and the reason names the package that is missing.
    assert answer["verdict"] == "silent"
    (reason,) = answer["reasons"]
    assert reason["code"] == "best-play-unknown"
    assert "highspy" in reason["message"]
    # Nor is it said under which other rules the answer would differ.
    assert answer["elsewhere"] == []


def test_shown_melds_are_judged_without_solver() -> None:
    # The solver would find the best melds of a hand, but its package cannot be imported here.
    assert not has_solver()

    # It is not needed for this question: may these melds be laid, three kings and three eights?
    question = read_question(
        b'{"kind": "opening", "variant": "classica", "score": 0, "melds": ["3xK", "3x8"]}'
    )
    ruling = answer_request(question).ruling

    # A side with a score of 0 needs 50 points for its first melds. These have 3 x 10 + 3 x 10.
    assert ruling.verdict.value == "allowed"
