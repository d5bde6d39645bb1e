"""`scorepad rule`, from outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.cli.test_score import ALLOWED, FORBIDDEN

PENALTY = {"kind": "penalty", "variant": "classica", "code": "draw-out-of-turn"}


@pytest.mark.parametrize(
    ("question", "verdict", "status"),
    [
        (ALLOWED, "allowed", 0),
        (PENALTY, "value", 0),
        (PENALTY | {"code": "misdeal"}, "silent", 0),
        (FORBIDDEN, "forbidden", 1),
    ],
)
def test_a_question_is_answered_on_standard_output(
    question: object, verdict: str, status: int
) -> None:
    done = run("rule", given=question)
    assert (done.returncode, done.stderr) == (status, b"")
    assert json.loads(done.stdout)["verdict"] == verdict


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("it", "Per aprire servono 90 punti, ne hai calati 85: ne mancano 5."),
        ("en", "It takes 90 points to open, and you laid 85: 5 short."),
    ],
)
def test_the_reason_names_the_figures_of_the_case_in_the_language_asked_for(
    tmp_path: Path, language: str, says: str
) -> None:
    file = tmp_path / "question.json"
    file.write_text(FORBIDDEN)
    # 3 x 20 + 5 x 5 = 85
    done = run("rule", str(file), "--lang", language)
    assert json.loads(done.stdout)["reasons"][0]["message"] == says


def test_a_source_stands_beside_every_reason_and_the_others_below() -> None:
    question = {"kind": "meld", "variant": "classica", "cards": "2", "on": "7xQ"}
    told = json.loads(run("rule", given=question).stdout)
    assert all(reason["sources"] for reason in told["reasons"])
    assert told["elsewhere"][0]["options"] == {"canasta-size": "exactly-seven"}
