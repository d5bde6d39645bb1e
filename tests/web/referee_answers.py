"""The answer of the referee on its page, compared with that of the JSON contract."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scorepad.i18n import words
from scorepad.i18n.verdicts import describe_verdict
from scorepad.matches.rulings import answer_word
from scorepad.rules.variants import settle
from scorepad.schemas.ruling_json import list_keys_of_kind
from scorepad.web.referee.cases import Case
from tests.rules.worked_rulings import answer_question
from tests.web.client import Page
from tests.web.referee_asked import HEAD, facts_as_typed, page_of

CASES = Path(__file__).parents[1] / "rulings" / "cases"
"""The worked rulings: questions of the JSON contract, each with its answer."""


def question_as_understood(raw: Mapping[str, Any]) -> dict[str, Any] | None:
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


def check_answer_on_page(page: Page, raw: Mapping[str, Any]) -> None:
    """The page tells the answer that the contract gives."""
    kind = raw["kind"]
    speech = words("it")
    expected = answer_question({key: raw[key] for key in HEAD} | question_as_understood(raw))
    verdict = page.one(class_="verdict")
    assert verdict["data-verdict"] == expected["verdict"], raw
    codes = [reason["code"] for reason in expected["reasons"]]
    # What hangs on a fact that the contract has no key for is no plain yes on the page.
    expected_word = answer_word(kind, expected["verdict"], expected["details"], codes, speech)
    assert verdict.text == expected_word
    for reason in expected["reasons"]:
        assert " ".join(reason["message"].split()) in page.text, (raw, reason)

    expected_elsewhere = []
    for other in expected["elsewhere"]:
        described = describe_verdict(kind, other["verdict"], other["details"], speech)
        expected_elsewhere.append(described)
    shown_elsewhere = []
    for box in page.all(class_="others"):
        shown_elsewhere += [item.one("strong").text for item in box.all("li")]
    assert shown_elsewhere == expected_elsewhere
