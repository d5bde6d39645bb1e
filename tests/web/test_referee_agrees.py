"""The same question gets the same answer on the pad's page as in the contract."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from scorepad.referee.answering import give_ruling
from scorepad.rules.variants import settle
from scorepad.schemas.ruling_json import read_question_of_match
from scorepad.web.referee.cases import Case
from scorepad.web.referee.decision import decide
from tests.examples import in_full
from tests.web.referee_answers import CASES
from tests.web.referee_asked import facts_as_typed, page_of


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
    if raw["kind"] == "out" and raw.get("concealed"):
        # The pages ask for the score where a concealed going out opens; a question may leave it out.
        return "score" in raw or "deal" in raw
    return True


def verdict_step_by_step(raw: Mapping[str, Any]) -> str | None:
    """The verdict for a player who answers what the pages ask, one fact at a time; None where they
    refuse an answer.
    """
    rules = settle(raw["variant"], raw["preset"], raw["options"])
    typed = facts_as_typed(raw)
    chosen_before = {name: typed[name] for name in ("way", "uses_top") if name in typed}
    case = Case(rules).with_question(page_of(raw), chosen_before)
    next_fact = decide(case).fact
    while next_fact is not None:
        answers = {name: typed.get(name, "") for name in case.parameters_of(next_fact)}
        is_unanswered = not any(answers.values())
        if is_unanswered and next_fact.values:
            answers = {next_fact.name: next_fact.values[0]}
        case = case.with_answers(answers)
        if case.errors_of(next_fact):
            return None
        next_fact = decide(case).fact
    question = read_question_of_match(case.as_json(), rules).question
    return give_ruling(rules, question).verdict.value


@pytest.mark.parametrize(
    "first",
    [
        0,
        *(pytest.param(first, marks=pytest.mark.long) for first in (1, 2)),
        *in_full(*range(3, 10)),
    ],
)
def test_answering_step_by_step_gives_the_worked_verdict(first: int) -> None:
    """Every tenth worked ruling from this one on. What the pages do not ask for, because the verdict
    is decided, would not have changed it.
    """
    compared = 0
    every_tenth = worked_rulings()[first::10]
    for raw, expected_verdict in every_tenth:
        verdict = verdict_step_by_step(raw)
        if verdict is not None:
            assert verdict == expected_verdict, raw
            compared += 1
    assert compared >= 40
