"""How firmly the sources say what was applied: a line, a problem and a reason stand as the branch
that was taken.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.schemas import build_score_answer, read_hand_request
from tests.rules.test_worked_rulings import answered


def rows(what: str) -> list[Any]:
    """The rows of `standing.json` for lines or for problems: a hand, what is looked at in it, and how
    that stands.
    """
    groups = json.loads(Path(__file__).with_name("standing.json").read_text("utf-8"))[what]
    found = []
    for group in groups:
        found += [pytest.param(row, id=json.dumps(row["hand"])[:80]) for row in group["hands"]]
    return found


def told(hand: dict[str, Any]) -> dict[str, Any]:
    asked = read_hand_request(json.dumps(hand))
    return build_score_answer(asked.judge(by_agreement=True), asked.names, words("en"))


@pytest.mark.parametrize("row", rows("lines"))
def test_a_line_stands_as_what_was_applied(row: dict[str, Any]) -> None:
    lines = told(row["hand"])["sides"]["noi"]["lines"]
    (line,) = [line for line in lines if line["item"] == row["item"]]
    assert (line["standing"], line["sources"]) == (row["standing"], row["sources"])


@pytest.mark.parametrize("row", rows("problems"))
def test_a_problem_stands_as_what_was_applied(row: dict[str, Any]) -> None:
    problems = told(row["hand"])["problems"]
    (problem,) = [each for each in problems if each["code"] == row["code"]]
    assert (problem["standing"], problem["sources"]) == (row["standing"], row["sources"])


def test_points_that_a_table_hands_over_name_who_says_so() -> None:
    options = {"red-threes-unopened": "to-opponents"}
    sides = {"noi": {"melds": ["7xK"]}, "loro": {"red_threes": 2}}
    given = told(
        {"variant": "classica", "options": options, "sides": sides, "out": {"side": "noi"}}
    )
    for name, points in (("noi", 200), ("loro", 0)):
        lines = given["sides"][name]["lines"]
        (threes,) = [line for line in lines if line["item"] == "red-threes"]
        assert threes["points"] == points
        assert threes["sources"] == ["W:Chiusura, punteggi e vittoria"]
        assert threes["standing"] == "stated"


def test_a_broken_sequence_is_told_before_what_it_is_not() -> None:
    given = told({"variant": "samba", "sides": {"noi": {"melds": ["6s 5s 4s 3s"]}}})
    of_meld = [each["code"] for each in given["problems"] if each["where"] == "/sides/noi/melds/0"]
    assert of_meld == ["meld-sequence-broken"]


def test_another_option_of_a_codification_is_not_told_as_its_own() -> None:
    ask = {
        "kind": "red-threes",
        "variant": "classica",
        "preset": "enciclopedia",
        "count": 2,
        "opened": False,
    }
    elsewhere = answered(ask)["elsewhere"]
    (to_opponents,) = [each for each in elsewhere if "to-opponents" in each["options"].values()]
    assert to_opponents["preset"] is None
    assert to_opponents["options"] == {
        "opening-steps": "no-fifteen", "red-threes-unopened": "to-opponents", "upcard": "enciclopedia",
        "pile": "enciclopedia",
    }  # fmt: skip
