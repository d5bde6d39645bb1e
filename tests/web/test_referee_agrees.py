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
from tests.examples import in_full
from tests.rules.worked_rulings import answer_question
from tests.web.client import Page
from tests.web.referee_asked import HEAD, facts_as_typed, page_of

CASES = Path(__file__).parents[1] / "rulings" / "cases"


def understood(raw: Mapping[str, Any]) -> dict[str, Any] | None:
    """The question as the pages understand its address; None where they would ask for something
    again.
    """
    rules = settle(raw["variant"], raw["preset"], raw["options"])
    question = page_of(raw)
    if "hand" in raw and "hand" not in list_keys_of_kind(question.kind):
        return None
    if question.kind == "penalty":
        return {"kind": "penalty", "code": raw["code"]} if raw["code"] in rules.penalties else None
    case = Case(rules).with_question(question, facts_as_typed(raw))
    if any(case.errors_of(fact) for fact in case.facts):
        return None
    return case.as_json()


def shown(page: Page, raw: Mapping[str, Any]) -> None:
    """The page tells the answer that the contract gives."""
    kind = raw["kind"]
    speech = words("it")
    told = answer_question({key: raw[key] for key in HEAD} | understood(raw))
    verdict = page.one(class_="verdict")
    assert verdict["data-verdict"] == told["verdict"], raw
    codes = [reason["code"] for reason in told["reasons"]]
    # What hangs on a fact that the contract has no key for is no plain yes on the page.
    assert verdict.text == answer_word(kind, told["verdict"], told["details"], codes, speech)
    for reason in told["reasons"]:
        assert " ".join(reason["message"].split()) in page.text, (raw, reason)
    expected = []
    for other in told["elsewhere"]:
        expected.append(describe_verdict(kind, other["verdict"], other["details"], speech))
    others = []
    for box in page.all(class_="others"):
        others += [item.one("strong").text for item in box.all("li")]
    assert others == expected


def worked_rulings() -> list[tuple[dict[str, Any], str]]:
    """The questions of the worked rulings, each with its verdict."""
    found = []
    for file in sorted(CASES.glob("*.json")):
        for case in json.loads(file.read_text("utf-8")):
            raw = {"preset": None, "options": {}, **case["ask"]}
            if can_be_asked_step_by_step(raw):
                found.append((raw, case["expect"]["verdict"]))
    return found


def can_be_asked_step_by_step(raw: Mapping[str, Any]) -> bool:
    if raw["kind"] == "penalty" or "target" in raw["options"]:
        return False
    # The pages ask for the score where a concealed going out opens; a question may leave it out.
    return raw["kind"] != "out" or not raw.get("concealed") or bool({"score", "deal"} & raw.keys())


def one_at_a_time(raw: Mapping[str, Any]) -> str | None:
    """The verdict that a player gets who answers what the pages ask, one fact at a time; None for
    what they refuse.
    """
    rules = settle(raw["variant"], raw["preset"], raw["options"])
    typed = facts_as_typed(raw)
    aside = {name: typed[name] for name in ("way", "uses_top") if name in typed}
    case = Case(rules).with_question(page_of(raw), aside)
    while (fact := decide(case).fact) is not None:
        answers = {name: typed.get(name, "") for name in case.parameters_of(fact)}
        if not any(answers.values()) and fact.values:
            answers = {fact.name: fact.values[0]}
        case = case.with_answers(answers)
        if case.errors_of(fact):
            return None
    question = read_question_of_match(case.as_json(), rules).question
    return give_ruling(rules, question).verdict.value


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
    answered = 0
    for raw, expected in worked_rulings()[start::10]:
        verdict = one_at_a_time(raw)
        if verdict is not None:
            assert verdict == expected, raw
            answered += 1
    assert answered >= 40
