"""Hands worked by hand from the sources, card by card: see `tests/cases`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorepad.contract import Unusable, answer, read_asked
from scorepad.i18n import words
from scorepad.rules.judge import judge

CASES = Path(__file__).parents[1] / "cases"


def _cases() -> list[Any]:
    return [
        pytest.param(case, id=f"{file.parent.name}/{file.stem}: {case['case']}")
        for file in sorted(CASES.glob("*/*.json"))
        for case in json.loads(file.read_text("utf-8"))
    ]


def test_there_are_enough_worked_hands() -> None:
    folders = {file.parent.name: 0 for file in CASES.glob("*/*.json")}
    for file in CASES.glob("*/*.json"):
        folders[file.parent.name] += len(json.loads(file.read_text("utf-8")))
    assert folders["classica"] >= 60
    assert {"due", "tre", "sei", "cinque"} <= set(folders)


@pytest.mark.parametrize("case", _cases())
def test_a_worked_hand_comes_out_as_worked(case: dict[str, Any]) -> None:
    expected = case["expect"]
    source = json.dumps(case["hand"])
    if "unusable" in expected:
        with pytest.raises(Unusable) as trouble:
            read_asked(source)
        assert expected["unusable"] in trouble.value.told(words("it"))
        return
    asked = read_asked(source)
    told = answer(judge(asked.rules, asked.hand), asked.hand, words("it"))
    problems = [[problem["severity"], problem["code"], problem["where"]] for problem in told["problems"]]
    assert sorted(problems) == sorted(expected["problems"])
    assert told["valid"] is expected["valid"]
    if not expected["valid"]:
        assert told["sides"] is None
        assert told["match"] is None
        return
    assert told["match"] == expected["match"]
    for name, side in expected["sides"].items():
        given = told["sides"][name]
        assert [_short(line) for line in given["lines"]] == [list(line) for line in side["lines"]]
        assert {key: given[key] for key in side if key != "lines"} == {k: v for k, v in side.items() if k != "lines"}


def _short(line: dict[str, Any]) -> list[Any]:
    name = f"penalty:{line['code']}" if "code" in line else line["item"]
    return [name, line["count"], line["points"]]
