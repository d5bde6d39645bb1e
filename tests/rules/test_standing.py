"""How firmly the sources say what was applied: a line, a problem and a reason stand as the branch
that was taken.
"""

import json
from typing import Any

import pytest

from tests.data import read_data
from tests.hands_read import score_hand
from tests.rules.worked_rulings import answer_question


def list_rows(about: str) -> list[Any]:
    """Read the rows of `standing.json` about "lines" or about "problems".

    Each has a hand, names one line or problem of it, and says which standing and sources that has.
    """
    rows = []
    for group in read_data("rules/standing.json")[about]:
        for row in group["hands"]:
            rows.append(pytest.param(row, id=json.dumps(row["hand"])[:80]))
    return rows


def find_line(answer: dict[str, Any], side: str, item: str) -> dict[str, Any]:
    """Find the one line of a side's score for this item."""
    (line,) = [each for each in answer["sides"][side]["lines"] if each["item"] == item]
    return line


@pytest.mark.parametrize("row", list_rows("lines"))
def test_score_line_has_standing_and_sources_of_the_rule_applied(row: dict[str, Any]) -> None:
    # For example two red threes of a side that laid nothing: only Wikipedia (W) says in words that
    # they count against it, so that the line is "stated" and cites no other source.
    answer = score_hand(row["hand"], by_agreement=True)
    line = find_line(answer, "noi", row["item"])
    assert line["standing"] == row["standing"]
    assert line["sources"] == row["sources"]


@pytest.mark.parametrize("row", list_rows("problems"))
def test_problem_has_standing_and_sources_of_the_rule_applied(row: dict[str, Any]) -> None:
    # For example three kings, too few points to open with: below 1,500 points three sources name
    # the minimum of 50, above that two name that of 90.
    problems = score_hand(row["hand"], by_agreement=True)["problems"]
    (problem,) = [each for each in problems if each["code"] == row["code"]]
    assert problem["standing"] == row["standing"]
    assert problem["sources"] == row["sources"]


@pytest.mark.parametrize(("side", "points"), [("noi", 200), ("loro", 0)])
def test_red_threes_that_count_for_opponents_cite_the_source(side: str, points: int) -> None:
    # "loro" have two red threes of 100 points, but laid no meld. The table chose that they count
    # for the opponents then, "noi".
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


def test_sequence_with_a_three_has_no_other_problem() -> None:
    # Six, five, four and three of spades: a three may not be in a sequence. Nothing else is said
    # of it, such as that black threes may be melded only when going out.
    answer = score_hand({"variant": "samba", "sides": {"noi": {"melds": ["6s 5s 4s 3s"]}}})
    problems_of_meld = [each for each in answer["problems"] if each["where"].endswith("melds/0")]
    assert [problem["code"] for problem in problems_of_meld] == ["meld-sequence-broken"]


def test_other_answer_by_option_that_no_preset_chooses_names_no_preset() -> None:
    # What are two red threes of a side worth that laid nothing? By the rules of the encyclopedia.
    question = {
        "kind": "red-threes",
        "variant": "classica",
        "preset": "enciclopedia",
        "count": 2,
        "opened": False,
    }

    others = answer_question(question)["elsewhere"]

    # A table may choose that they count for the opponents. No preset (the rules as one source has
    # them) does.
    (to_opponents,) = [each for each in others if "to-opponents" in each["options"].values()]
    assert to_opponents["preset"] is None

    # The other options are those of the preset asked for.
    assert to_opponents["options"] == {
        "opening-steps": "no-fifteen",
        "red-threes-unopened": "to-opponents",
        "upcard": "enciclopedia",
        "pile": "enciclopedia",
    }
