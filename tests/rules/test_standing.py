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

W_OUT = "W:Chiusura, punteggi e vittoria"


def rows(what: str) -> list[Any]:
    """The rows of `standing.json` for lines or for problems: a hand, what is looked at in it, and how
    that stands.
    """
    groups = json.loads(Path(__file__).with_name("standing.json").read_text("utf-8"))[what]
    return [
        pytest.param(row, id=json.dumps(row["hand"])[:80])
        for group in groups
        for row in group["hands"]
    ]


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
    threes = [
        next(line for line in given["sides"][name]["lines"] if line["item"] == "red-threes")
        for name in ("noi", "loro")
    ]
    assert [(line["points"], line["sources"], line["standing"]) for line in threes] == [
        (200, [W_OUT], "stated"), (0, [W_OUT], "stated"),
    ]  # fmt: skip


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
    others = {json.dumps(each["options"]): each["preset"] for each in answered(ask)["elsewhere"]}
    to_opponents = next(options for options in others if "to-opponents" in options)
    assert others[to_opponents] is None
    assert json.loads(to_opponents) == {
        "opening-steps": "no-fifteen", "red-threes-unopened": "to-opponents", "upcard": "enciclopedia",
        "pile": "enciclopedia",
    }  # fmt: skip
