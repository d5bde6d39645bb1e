"""Rulings worked by hand from the sources: see `tests/rulings/cases`.

A case is a question as JSON (`ask`), why it is answered so (`why`) and what must come of it
(`expect`): the verdict, the details where the sources give them all, codes that must be among the
reasons, places that must be among their sources, the standing of reasons by code, answers that must
stand under `elsewhere`, and whether nothing else may stand there.

`tests/rulings/edges` has questions at the edge of a rule, in groups with what they are `about`. What
must come of one stands beside it: the verdict, all the details or those that it `shows`, codes that
are among the reasons or `untold`, all `codes` in their order, and by the code of a reason all its
sources, its standing, and parts of its sentence in Italian and in English; words that `never` stand
in a sentence; and all that stands under `elsewhere`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.referee.answering import answer_to
from scorepad.referee.questions import QUESTIONS
from scorepad.rules.variants import variant_ids
from scorepad.schemas.ruling_json import build_ruling_answer, read_question

RULINGS = Path(__file__).parents[1] / "rulings"
CASES, EDGES = RULINGS / "cases", RULINGS / "edges"
FEWEST = 30
PARTS = {"verdict", "details", "reasons", "sources", "standing", "elsewhere", "nowhere_else"}
PARTS_OF_EDGES = {
    "ask", "verdict", "details", "shows", "codes", "reasons", "untold", "sources", "standing", "it",
    "en", "never", "elsewhere",
}  # fmt: skip
WITHOUT_SOURCE = {
    "best-play-unknown", "card-unknown", "naturals-on-wilds-unspoken", "penalty-agreed", "upcard-not-told",
}  # fmt: skip
"""Reasons that rest on nobody's word."""


def cases() -> list[tuple[str, dict[str, Any]]]:
    """The worked rulings, each with the kind of its question."""
    found = []
    for file in sorted(CASES.glob("*.json")):
        found += [(file.stem, case) for case in json.loads(file.read_text("utf-8"))]
    return found


def edges() -> list[Any]:
    found = []
    for file in sorted(EDGES.glob("*.json")):
        for group in json.loads(file.read_text("utf-8")):
            for edge in group["rulings"]:
                found.append(pytest.param(edge, id=f"{file.stem}: {json.dumps(edge['ask'])[:80]}"))
    return found


def answered(ask: dict[str, Any], language: str = "it") -> dict[str, Any]:
    question = read_question(json.dumps(ask))
    return build_ruling_answer(
        question, answer_to(question.rules, question.question), words(language)
    )


@pytest.mark.parametrize("kind", QUESTIONS)
def test_every_kind_has_worked_rulings_over_all_variants(kind: str) -> None:
    of_kind = [case for name, case in cases() if name == kind]
    assert len(of_kind) >= FEWEST
    assert all(case["ask"]["kind"] == kind for case in of_kind)
    assert len({case["case"] for case in of_kind}) == len(of_kind)
    assert all(case["why"] and set(case["expect"]) <= PARTS for case in of_kind)
    assert {case["ask"]["variant"] for case in of_kind} == set(variant_ids())


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{kind}: {case['case']}") for kind, case in cases()]
)
def test_a_worked_ruling_comes_out_as_worked(case: dict[str, Any]) -> None:
    expected = case["expect"]
    told = answered(case["ask"])
    assert told["verdict"] == expected["verdict"], told
    assert told["details"] == expected.get("details", told["details"])
    standing, places = {}, set()
    for reason in told["reasons"]:
        standing[reason["code"]] = reason["standing"]
        places |= set(reason["sources"])
        is_of_the_table = reason["standing"] == "house"
        needs_source = reason["code"] not in WITHOUT_SOURCE and not is_of_the_table
        assert bool(reason["sources"]) is needs_source
    assert standing.keys() >= set(expected.get("reasons", ()))
    assert standing.items() >= expected.get("standing", {}).items()
    assert places >= set(expected.get("sources", ()))
    found = [stands_there(other, told["elsewhere"]) for other in expected.get("elsewhere", ())]
    assert all(other["sources"] for other in found)
    if expected.get("nowhere_else"):
        assert len(found) == len(told["elsewhere"]), told["elsewhere"]


@pytest.mark.parametrize("edge", edges())
def test_at_the_edge_of_a_rule_the_answer_is_as_worked(edge: dict[str, Any]) -> None:
    told = answered(edge["ask"])
    codes = [reason["code"] for reason in told["reasons"]]
    assert set(edge) <= PARTS_OF_EDGES
    assert told["verdict"] == edge.get("verdict", told["verdict"])
    assert told["details"] == edge.get("details", told["details"])
    assert told["details"].items() >= edge.get("shows", {}).items()
    assert codes == edge.get("codes", codes)
    assert set(codes) >= set(edge.get("reasons", ()))
    assert not set(codes) & set(edge.get("untold", ()))
    for code, places in edge.get("sources", {}).items():
        assert sorted(reason_of(told, code)["sources"]) == sorted(places)
    for code, standing in edge.get("standing", {}).items():
        assert reason_of(told, code)["standing"] == standing
    if "elsewhere" in edge:
        found = [stands_there(other, told["elsewhere"]) for other in edge["elsewhere"]]
        assert len(found) == len(told["elsewhere"]), told["elsewhere"]
    for language in ("it", "en"):
        for code, parts in edge.get(language, {}).items():
            message = reason_of(answered(edge["ask"], language), code)["message"]
            assert all(part in message for part in parts), message
        for word in edge.get("never", ()):
            for reason in answered(edge["ask"], language)["reasons"]:
                assert word not in reason["message"].lower()


def reason_of(told: dict[str, Any], code: str) -> dict[str, Any]:
    """The one reason with this code."""
    (found,) = [reason for reason in told["reasons"] if reason["code"] == code]
    return found


def stands_there(other: dict[str, Any], told: list[dict[str, Any]]) -> dict[str, Any]:
    """The one answer among those told elsewhere that is this one."""
    (found,) = [each for each in told if {**each, **other} == each]
    return found
