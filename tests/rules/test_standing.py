"""How firmly the sources say what was applied: a line, a problem and a reason stand as the branch
that was taken.
"""

import json
from typing import Any

import pytest

from tests.data import read_data
from tests.hands_read import score_hand
from tests.rules.worked_rulings import answer_question


def list_rows(of: str) -> list[Any]:
    """The rows of `standing.json` about "lines" or "problems": a hand, the line or problem of it that
    is looked at, and its standing and sources.
    """
    groups = read_data("rules/standing.json")[of]
    found = []
    for group in groups:
        found += [pytest.param(row, id=json.dumps(row["hand"])[:80]) for row in group["hands"]]
    return found


def find_line(answer: dict[str, Any], side: str, item: str) -> dict[str, Any]:
    """The one line of a side's score for this item."""
    (line,) = [each for each in answer["sides"][side]["lines"] if each["item"] == item]
    return line


@pytest.mark.parametrize("row", list_rows("lines"))
def test_a_line_stands_as_what_was_applied(row: dict[str, Any]) -> None:
    line = find_line(score_hand(row["hand"], by_agreement=True), "noi", row["item"])
    assert line["standing"] == row["standing"]
    assert line["sources"] == row["sources"]


@pytest.mark.parametrize("row", list_rows("problems"))
def test_a_problem_stands_as_what_was_applied(row: dict[str, Any]) -> None:
    problems = score_hand(row["hand"], by_agreement=True)["problems"]
    (problem,) = [each for each in problems if each["code"] == row["code"]]
    assert problem["standing"] == row["standing"]
    assert problem["sources"] == row["sources"]


@pytest.mark.parametrize(("side", "points"), [("noi", 200), ("loro", 0)])
def test_red_threes_handed_to_the_opponents_cite_who_says_so(side: str, points: int) -> None:
    # "loro" hold two red threes of 100 points, but have laid no meld.
    hand = {
        "variant": "classica",
        "options": {"red-threes-unopened": "to-opponents"},
        "sides": {"noi": {"melds": ["7xK"]}, "loro": {"red_threes": 2}},
        "out": {"side": "noi"},
    }

    line = find_line(score_hand(hand, by_agreement=True), side, "red-threes")

    assert line["points"] == points
    assert line["sources"] == ["W:Chiusura, punteggi e vittoria"]
    assert line["standing"] == "stated"


def test_a_broken_sequence_has_no_other_problem() -> None:
    answer = score_hand({"variant": "samba", "sides": {"noi": {"melds": ["6s 5s 4s 3s"]}}})
    codes = [
        problem["code"]
        for problem in answer["problems"]
        if problem["where"] == "/sides/noi/melds/0"
    ]
    assert codes == ["meld-sequence-broken"]


def test_an_option_that_a_preset_does_not_choose_is_not_told_as_its_own() -> None:
    answer = answer_question(
        {
            "kind": "red-threes",
            "variant": "classica",
            "preset": "enciclopedia",
            "count": 2,
            "opened": False,
        }
    )

    (to_opponents,) = [
        other for other in answer["elsewhere"] if "to-opponents" in other["options"].values()
    ]
    assert to_opponents["preset"] is None
    assert to_opponents["options"] == {
        "opening-steps": "no-fifteen",
        "red-threes-unopened": "to-opponents",
        "upcard": "enciclopedia",
        "pile": "enciclopedia",
    }
