"""The same question gets the same answer on the referee's pages as in the JSON contract.

The worked rulings are questions of the contract, each with the verdict that it must get.
"""

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
    """Return the questions of the worked rulings that the pages ask, each with its verdict."""
    found = []
    for file in sorted(CASES.glob("*.json")):
        for case in json.loads(file.read_text("utf-8")):
            raw = {"preset": None, "options": {}, **case["ask"]}
            if can_be_asked_step_by_step(raw):
                found.append((raw, case["expect"]["verdict"]))
    return found


def can_be_asked_step_by_step(raw: Mapping[str, Any]) -> bool:
    """Tell whether the pages ask for all that this question of the contract says."""
    # A penalty is chosen from a list, and no page asks for the target of a match.
    if raw["kind"] == "penalty" or "target" in raw["options"]:
        return False

    # Somebody goes out and has laid nothing before. These cards must be enough to open, and how
    # many points that takes depends on the score. The pages ask for it; a question may leave it
    # out.
    if raw["kind"] == "out" and raw.get("concealed"):
        return "score" in raw or "deal" in raw
    return True


def verdict_step_by_step(raw: Mapping[str, Any]) -> str | None:
    """Answer what the pages ask, one fact at a time, and return the verdict.

    Return None where the pages refuse an answer.
    """
    rules = settle(raw["variant"], raw["preset"], raw["options"])
    typed = facts_as_typed(raw)

    # Before the first fact it is chosen what the question is about: melds, a whole hand or only the
    # minimum of an opening, and an opening with the top card of the pile or without it.
    chosen_before = {name: typed[name] for name in ("way", "uses_top") if name in typed}
    case = Case(rules).with_question(page_of(raw), chosen_before)

    next_fact = decide(case).fact
    while next_fact is not None:
        answers = {name: typed.get(name, "") for name in case.parameters_of(next_fact)}
        is_unanswered = not any(answers.values())
        if is_unanswered and next_fact.values:
            # The question does not tell this fact. The first choice of the page is taken.
            answers = {next_fact.name: next_fact.values[0]}

        case = case.with_answers(answers)
        if case.errors_of(next_fact):
            return None
        next_fact = decide(case).fact

    # No further fact would change the verdict.
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
    # The worked rulings are divided into ten parts, of which most runs try the first one only.
    compared = 0
    every_tenth = worked_rulings()[first::10]

    # The pages stop asking once the verdict is decided. The contract is told all facts at once.
    for raw, expected_verdict in every_tenth:
        verdict = verdict_step_by_step(raw)
        if verdict is not None:
            assert verdict == expected_verdict, raw
            compared += 1

    assert compared >= 40, "the pages refuse only few of them"
