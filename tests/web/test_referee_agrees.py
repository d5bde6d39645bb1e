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
from scorepad.web.referee.facts import Fact
from tests.examples import in_full
from tests.web.referee_answers import CASES
from tests.web.referee_asked import facts_as_typed, page_of


def worked_rulings() -> list[tuple[dict[str, Any], str]]:
    """Return the questions of the worked rulings that the pages ask, each with its verdict."""
    rulings = []
    for file in sorted(CASES.glob("*.json")):
        for ruling in json.loads(file.read_text("utf-8")):
            # A question that names no preset and no options is about the usual rules.
            question = {"preset": None, "options": {}, **ruling["ask"]}
            if can_be_asked_step_by_step(question):
                rulings.append((question, ruling["expect"]["verdict"]))
    return rulings


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
    """Answer a question of the contract on the referee's pages, and return the verdict.

    The pages ask for one fact after another, until the verdict is decided. Return None where they
    refuse an answer.
    """
    rules = settle(raw["variant"], raw["preset"], raw["options"])
    typed = facts_as_typed(raw)  # what is typed into the fields of the pages, by their names

    # Two facts are chosen before the pages ask. `way` is what the question is about: melds, a whole
    # hand or the minimum of an opening. `uses_top` is whether one opens with the top of the pile.
    chosen_before = {name: typed[name] for name in ("way", "uses_top") if name in typed}
    case = Case(rules).with_question(page_of(raw), chosen_before)

    fact = decide(case).fact
    while fact is not None:
        case = case.with_answers(answers_about(fact, case, typed))
        if case.errors_of(fact):
            return None
        fact = decide(case).fact

    # No further fact would change the verdict.
    question = read_question_of_match(case.as_json(), rules).question
    return give_ruling(rules, question).verdict.value


def answers_about(fact: Fact, case: Case, typed: Mapping[str, str]) -> dict[str, str]:
    """Return what is typed into the fields of a fact.

    If nothing is, and the page offers a choice, return its first value.
    """
    answers = {name: typed.get(name, "") for name in case.parameters_of(fact)}
    if fact.values and not any(answers.values()):
        return {fact.name: fact.values[0]}
    return answers


@pytest.mark.parametrize(
    "part",
    [
        # Every run tries part 0, long runs two more, and full runs all.
        0,
        *(pytest.param(part, marks=pytest.mark.long) for part in (1, 2)),
        *in_full(*range(3, 10)),
    ],
)
def test_answering_step_by_step_gives_the_worked_verdict(part: int) -> None:
    # A worked ruling is a question with its verdict. They are divided into ten parts. Part 0 has
    # rulings 0, 10, 20 and so on.
    rulings = worked_rulings()[part::10]

    # The verdicts are those of somebody who tells all facts at once. The pages ask for one after
    # another, and stop as soon as the verdict is decided. It has to be the same.
    number_compared = 0
    for question, expected_verdict in rulings:
        verdict = verdict_step_by_step(question)
        pages_refuse_a_fact = verdict is None
        if not pages_refuse_a_fact:
            assert verdict == expected_verdict, question
            number_compared += 1

    # They refuse only few.
    assert number_compared >= 40
