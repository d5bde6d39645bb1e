"""`score --jsonl` against decoding the hand and encoding its own answer; every variant against
classica.
"""

import io
import json
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from scorepad.cli import rule_commands
from scorepad.i18n import words
from scorepad.rules.judging import judge
from scorepad.rules.variants import settle, variant_ids
from scorepad.schemas import read_hand_request
from scorepad.schemas.hand_requests import HandRequest
from tests.bench.conftest import Bench
from tests.data import read_data

CASES = Path(__file__).parents[1] / "cases"
TIMES = 200
"""Hands in a turn."""


def lines() -> list[bytes]:
    """Every hand of the worked cases that is valid: real hands, as tables play them."""
    found = []
    for file in sorted(CASES.glob("*/*.json")):
        for case in read_data(file):
            if case["expect"].get("valid"):
                found.append(json.dumps(case["hand"], ensure_ascii=False).encode())
    return found


def scored(hands: list[bytes], monkeypatch: pytest.MonkeyPatch) -> bytes:
    """What `score --jsonl` answers to these hands, a line each."""
    heard = io.BytesIO()
    output = io.TextIOWrapper(heard)
    monkeypatch.setattr(sys, "stdout", output)
    given = io.BytesIO(b"\n".join(hands))
    with click.Context(rule_commands.score_command, obj=words("it")):
        status = rule_commands.answer_lines(given, rule_commands.answer_hand)
    monkeypatch.undo()
    output.detach()
    assert status == 0
    return heard.getvalue()


@pytest.mark.bench
def test_scoring_lines(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = lines()
    answers = [json.loads(line) for line in scored(hands, monkeypatch).splitlines()]
    assert len(answers) == len(hands)

    def floor() -> None:
        out = io.BytesIO()
        for hand, answer in zip(hands, answers, strict=True):
            json.loads(hand)
            out.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")

    bench.compare(
        "score --jsonl, a hand", lambda: scored(hands, monkeypatch), floor, "12", each=len(hands)
    )


# ------------------------------------------------------------------------------- variant by variant

GROUPS = (["7xQ", "5xK 2x2", "4x8", "3xJ"], ["7x10", "5x6 2", "3x9"])
FIVES = (["5xQ", "3xK 2x2", "4x8", "3xJ"], ["5x10", "4x6 2", "3x9"])
RUNS = (
    ["Qh Jh 10h 9h 8h 7h 6h", "5xK 2x2", "As Ks Qs Js", "3xJ"],
    ["8c 7c 6c 5c 4c", "7x10", "3x9"],
)
SAME_RANKS = (
    ["Qh Qs Qd Qc Qh Qs Qd", "5xK 2x2", "8h 8s 8d 8c", "3xJ"],
    ["6h 6s 6d 6c 6h", "7x10", "3x9"],
)
"""As many melds, cards and suits as `RUNS`, in ranks."""
COUNTED = {"totals": {"canastas": {"natural-canasta": 1, "mixed-canasta": 1}, "cards": 300}}


def hand(variant: str, laid: tuple[list[str], list[str]] | None) -> bytes:
    """A hand of these melds, or with its sides counted at the table."""
    names = ["noi", "loro", "altri"][: len(settle(variant).settings.sides)]
    sides: dict[str, Any] = {name: {"left": "4 9", "red_threes": 1} for name in names}
    for name, melds in zip(names, laid or (None, None), strict=False):
        sides[name] |= COUNTED if melds is None else {"melds": melds}
    if variant == "mini":
        sides = {name: {**side, "left": ["4", "9"]} for name, side in sides.items()}
    told = {"variant": variant, "before": dict.fromkeys(names, 0), "sides": sides, "out": None}
    return json.dumps(told | ({"single": None} if variant == "tagliagola" else {})).encode()


OTHERS = [name for name in variant_ids() if name not in ("classica", "mini")]
KINDS = [pytest.param("mini", FIVES, FIVES, id="mini")]
for _name in OTHERS:
    KINDS.append(pytest.param(_name, GROUPS, GROUPS, id=_name))
    KINDS.append(pytest.param(_name, None, None, id=f"{_name}, counted"))
for _name in ("samba", "bolivia"):
    KINDS.append(pytest.param(_name, RUNS, SAME_RANKS, id=f"{_name}, sequences"))


@pytest.mark.bench
@pytest.mark.parametrize(("variant", "laid", "as_classica"), KINDS)
def test_a_hand_of_every_variant(
    bench: Bench,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    variant: str,
    laid: tuple[list[str], list[str]] | None,
    as_classica: tuple[list[str], list[str]] | None,
) -> None:
    name = request.node.callspec.id
    source = hand(variant, laid)
    asked = read_hand_request(source)
    source_of_classica = hand("classica", as_classica)
    asked_of_classica = read_hand_request(source_of_classica)
    assert asked.judge().is_valid
    assert asked_of_classica.judge().is_valid

    def judge_often(asked: HandRequest) -> None:
        for _ in range(TIMES):
            judge(asked.rules, asked.hand)

    bench.compare(
        f"judge, {name}",
        lambda: judge_often(asked),
        lambda: judge_often(asked_of_classica),
        "1.5, to classica",
        each=TIMES,
    )
    bench.compare(
        f"score --jsonl, {name}",
        lambda: scored([source] * TIMES, monkeypatch),
        lambda: scored([source_of_classica] * TIMES, monkeypatch),
        "1.5, to classica",
        each=TIMES,
    )
