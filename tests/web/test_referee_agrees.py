"""The same question gets the same answer on the pad's page as in the contract."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.i18n.verdicts import describe_verdict
from scorepad.matches.rulings import answer_word
from scorepad.referee.answering import give_ruling
from scorepad.rules.variants import settle
from scorepad.schemas.ruling_json import list_keys_of_kind, read_question_of_match
from scorepad.web.referee.cases import Case
from scorepad.web.referee.decision import decide
from scorepad.web.referee.question_pages import QUESTIONS
from tests.examples import in_full
from tests.rules.test_worked_rulings import answered
from tests.web.client import Page
from tests.web.referee_asked import HEAD, said

CASES = Path(__file__).parents[1] / "rulings" / "cases"


def understood(raw: Mapping[str, Any]) -> dict[str, Any] | None:
    """The question as the pages understand its address; None where they would ask for something
    again.
    """
    rules = settle(raw["variant"], raw["preset"], raw["options"])
    question = next(each for each in QUESTIONS if each.kind == raw["kind"])
    args = {
        name: text
        for key, value in raw.items()
        if key not in HEAD
        for name, text in said(key, value, raw)
    }
    if "hand" in raw and "hand" not in list_keys_of_kind(question.kind):
        return None
    if question.kind == "penalty":
        return {"kind": "penalty", "code": raw["code"]} if raw["code"] in rules.penalties else None
    asking = Case(rules).with_question(question, args)
    return None if any(map(asking.errors_of, asking.facts)) else asking.as_json()


def shown(page: Page, raw: Mapping[str, Any]) -> None:
    """The page tells the answer that the contract gives."""
    asked = understood(raw)
    assert asked is not None
    told, speech = answered({key: raw[key] for key in HEAD} | asked), words("it")
    assert page.one(class_="verdict")["data-verdict"] == told["verdict"], raw
    codes = [reason["code"] for reason in told["reasons"]]
    # What hangs on a fact that the contract has no key for is no plain yes on the page.
    word = answer_word(raw["kind"], told["verdict"], told["details"], codes, speech)
    assert page.one(class_="verdict").text == word
    for reason in told["reasons"]:
        assert " ".join(reason["message"].split()) in page.text, (raw, reason)
    others = []
    for box in page.all(class_="others"):
        others += [item.one("strong").text for item in box.all("li")]
    assert others == [
        describe_verdict(raw["kind"], each["verdict"], each["details"], speech)
        for each in told["elsewhere"]
    ]


WORKED = [
    {"preset": None, "options": {}, **case["ask"]} | {"expect": case["expect"]["verdict"]}
    for file in sorted(CASES.glob("*.json"))
    for case in json.loads(file.read_text("utf-8"))
    if case["ask"]["kind"] != "penalty"
]


def one_at_a_time(raw: Mapping[str, Any]) -> str | None:
    """The verdict that a player gets who answers what the pages ask, one fact at a time; None for
    what they refuse.
    """
    rules = settle(raw["variant"], raw["preset"], raw["options"])
    question = next(each for each in QUESTIONS if each.kind == raw["kind"])
    known = {
        name: text
        for key, value in raw.items()
        if key not in HEAD
        for name, text in said(key, value, raw)
    }
    if raw["kind"] == "opening" and not {"melds", "hand"} & raw.keys():
        known["way"] = "minimum"
    aside = {name: known[name] for name in ("way", "uses_top") if name in known}
    case = Case(rules).with_question(question, aside)
    while (fact := decide(case).fact) is not None:
        answers = {name: known.get(name, "") for name in case.parameters_of(fact)}
        if not any(answers.values()):
            answers = {fact.name: fact.values[0]} if fact.values else {next(iter(answers)): ""}
        case = case.with_answers(answers)
        if case.errors_of(fact):
            return None
    return give_ruling(rules, read_question_of_match(case.as_json(), rules).question).verdict.value


def says_the_score(raw: Mapping[str, Any]) -> bool:
    """The pages ask for the score where a concealed going out opens; a question may leave it out."""
    return not (
        raw["kind"] == "out" and raw.get("concealed") and not {"score", "deal"} & raw.keys()
    )


def walked(cases: list[dict[str, Any]]) -> int:
    told = 0
    for case in cases:
        raw = {key: value for key, value in case.items() if key != "expect"}
        if "target" not in raw["options"] and says_the_score(raw):
            verdict = one_at_a_time(raw)
            assert verdict in (None, case["expect"]), raw
            told += verdict is not None
    return told


@pytest.mark.parametrize(
    "start",
    [
        0,
        *(pytest.param(start, marks=pytest.mark.long) for start in (1, 2)),
        *in_full(*range(3, 10)),
    ],
)
def test_one_fact_at_a_time_comes_to_the_verdict_of_the_whole_question(start: int) -> None:
    """Whatever is not asked for would not have changed it: of every tenth worked ruling."""
    assert walked(WORKED[start::10]) >= 40
