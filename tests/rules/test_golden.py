"""A whole match as a family could have played it: totals, opening minimums and winner after every hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorepad.contract import answer, read_asked
from scorepad.i18n import words
from scorepad.rules.judge import judge

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*-whole-match.json")), ids=lambda file: file.stem)
def test_a_whole_match_follows_its_totals_to_the_winner(file: Path) -> None:
    match: dict[str, Any] = json.loads(file.read_text("utf-8"))
    before = dict(zip(match.get("names", ["noi", "loro"]), [0, 0, 0], strict=False))
    winner = None
    assert len(match["hands"]) >= 8
    for number, hand in enumerate(match["hands"]):
        asked = read_asked(json.dumps({"variant": match["variant"], "before": before, **hand}))
        told = answer(judge(asked.rules, asked.hand), asked.hand, asked.rules, words("it"))
        assert told["valid"], told["problems"]
        assert [side["opening_minimum"] for side in told["sides"].values()] == match["minimums"][number]
        before = {name: side["total"] for name, side in told["sides"].items()}
        assert list(before.values()) == match["totals"][number]
        assert told["match"]["finished"] is (number == len(match["hands"]) - 1)
        winner = told["match"]["winner"]
    assert winner == match["winner"]
