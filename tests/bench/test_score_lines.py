"""`score --jsonl` against decoding the hand and encoding its own answer with the standard json module."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from scorepad.cli import score
from scorepad.i18n import words
from tests.bench.conftest import Bench

CASES = Path(__file__).parents[1] / "cases"


def lines() -> list[bytes]:
    """Every hand of the worked cases that is valid: real hands, as tables play them."""
    return [
        json.dumps(case["hand"], ensure_ascii=False).encode()
        for file in sorted(CASES.glob("*/*.json"))
        for case in json.loads(file.read_text("utf-8"))
        if case["expect"].get("valid")
    ]


@pytest.mark.bench
def test_scoring_lines(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = lines() * 4
    speech = words("it")
    heard = io.BytesIO()

    def ours() -> None:
        heard.seek(0)
        heard.truncate()
        monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=heard))
        status = score._score_lines(io.BytesIO(b"\n".join(hands)), speech)
        monkeypatch.undo()
        assert status == 0

    ours()
    answers = [json.loads(line) for line in heard.getvalue().splitlines()]
    assert len(answers) == len(hands)

    def floor() -> None:
        out = io.BytesIO()
        for hand, answer in zip(hands, answers, strict=True):
            json.loads(hand)
            out.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")

    bench.compare("score --jsonl, a hand", ours, floor, "reach: 10")
