"""On a machine without highspy: plain bounds, and no answer about the best play."""

import sys
from collections.abc import Iterator

import pytest

from scorepad.i18n import words
from scorepad.rules.solver import has_solver
from scorepad.schemas.ruling_json import answer_request, build_ruling_answer, read_question
from tests.rules.hands import hand, judge_hand, problem_codes, side, side_with_totals

NATURAL, MIXED = "natural-canasta", "mixed-canasta"
NO_WARNING: set[str] = set()
ONLY_PLAIN = {"bounds-not-checked"}
IMPOSSIBLE = {"totals-impossible"}


@pytest.fixture(autouse=True)
def _without_solver(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "highspy", None)
    has_solver.cache_clear()
    yield
    monkeypatch.undo()
    has_solver.cache_clear()


@pytest.mark.parametrize(
    ("canastas", "points", "expected"),
    [
        # What a plain layout shows to be possible needs no solver.
        ({}, 0, NO_WARNING),
        ({NATURAL: 1}, 150, NO_WARNING),
        # All cards of the decks are worth 1,160 points, and a plain layout lays them all.
        ({}, 1165, IMPOSSIBLE),
        # Seven cards are worth 35 at least. That the cheapest mixed canasta makes 50, six fours and
        # a two, only a solver proves.
        ({MIXED: 1}, 30, IMPOSSIBLE),
        ({MIXED: 1}, 40, ONLY_PLAIN),
        ({MIXED: 1}, 50, NO_WARNING),
        # There are eleven ranks: no cards make twelve natural canastas.
        ({NATURAL: 12}, 1000, ONLY_PLAIN),
        # Beside eleven of them no wild card finds a place: they make 800.
        ({NATURAL: 11}, 800, NO_WARNING),
        ({NATURAL: 11}, 1000, ONLY_PLAIN),
        ({NATURAL: 11}, 1165, IMPOSSIBLE),
        # A hundred and eight cards make fifteen canastas at most.
        ({NATURAL: 16}, 1000, IMPOSSIBLE),
    ],
)
def test_totals_are_judged_by_plain_bounds(
    canastas: dict[str, int], points: int, expected: set[str]
) -> None:
    judgement = judge_hand(hand(side_with_totals(points, **canastas), side()))
    codes_about_totals = problem_codes(judgement) & (ONLY_PLAIN | IMPOSSIBLE)
    assert codes_about_totals == expected


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_best_play_is_unknown(language: str) -> None:
    question = read_question(
        b'{"kind": "opening", "variant": "classica", "score": 0, "hand": "4xK 3x8 2 JK"}'
    )
    answer = build_ruling_answer(question, answer_request(question), words(language))
    assert answer["verdict"] == "silent"
    (reason,) = answer["reasons"]
    assert reason["code"] == "best-play-unknown"
    assert "highspy" in reason["message"]
    assert answer["elsewhere"] == []


def test_melds_that_are_shown_are_judged_as_ever() -> None:
    question = read_question(
        b'{"kind": "opening", "variant": "classica", "score": 0, "melds": ["3xK", "3x8"]}'
    )
    assert answer_request(question).ruling.verdict.value == "allowed"
