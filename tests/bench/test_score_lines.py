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
HANDS_IN_A_TURN = 200
"""How often the same hand is scored before the time is taken."""


def list_valid_hands() -> list[bytes]:
    """List the valid hands of the worked cases, as JSON: real hands, as people play them."""
    hands = []
    for file in sorted(CASES.glob("*/*.json")):
        for case in read_data(file):
            if case["expect"].get("valid"):
                hands.append(json.dumps(case["hand"], ensure_ascii=False).encode())
    return hands


def score_lines(hands: list[bytes], monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Return what `score --jsonl` answers to these hands, a line for each.

    The command runs in this process, with files in memory as its input and output.
    """
    answers = io.BytesIO()
    standard_output = io.TextIOWrapper(answers)
    monkeypatch.setattr(sys, "stdout", standard_output)
    lines = io.BytesIO(b"\n".join(hands))
    with click.Context(rule_commands.score_command, obj=words("it")):
        status = rule_commands.answer_lines(lines, rule_commands.answer_hand)
    monkeypatch.undo()
    standard_output.detach()
    assert status == 0
    return answers.getvalue()


@pytest.mark.bench
def test_scoring_hands_line_by_line(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = list_valid_hands()
    answers = [json.loads(line) for line in score_lines(hands, monkeypatch).splitlines()]
    assert len(answers) == len(hands)

    # Scoring is compared with decoding the same hands and encoding their answers, known before.
    def decode_and_encode() -> None:
        output = io.BytesIO()
        for hand, answer in zip(hands, answers, strict=True):
            json.loads(hand)
            output.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")

    bench.compare(
        "score --jsonl, a hand",
        lambda: score_lines(hands, monkeypatch),
        decode_and_encode,
        "12",
        each=len(hands),
    )


# ------------------------------------------------------------------------------- variant by variant

# The cards that both sides laid on the table, a text for each meld. "7xQ" are seven queens,
# "5xK 2x2" five kings and two twos, which are wild cards; "Qh" is the queen of hearts.
MELDS_OF_GROUPS = (["7xQ", "5xK 2x2", "4x8", "3xJ"], ["7x10", "5x6 2", "3x9"])
MELDS_OF_FIVE_CARDS = (["5xQ", "3xK 2x2", "4x8", "3xJ"], ["5x10", "4x6 2", "3x9"])
MELDS_WITH_SEQUENCES = (
    ["Qh Jh 10h 9h 8h 7h 6h", "5xK 2x2", "As Ks Qs Js", "3xJ"],
    ["8c 7c 6c 5c 4c", "7x10", "3x9"],
)
MELDS_OF_SAME_RANKS = (
    ["Qh Qs Qd Qc Qh Qs Qd", "5xK 2x2", "8h 8s 8d 8c", "3xJ"],
    ["6h 6s 6d 6c 6h", "7x10", "3x9"],
)
"""As many melds, cards and suits as in `MELDS_WITH_SEQUENCES`, but in melds of one rank."""
COUNTED_SIDE = {"totals": {"canastas": {"natural-canasta": 1, "mixed-canasta": 1}, "cards": 300}}


def make_hand(variant: str, laid: tuple[list[str], list[str]] | None) -> bytes:
    """Make a hand, as JSON, in which two sides laid these melds.

    Without melds, both sides only give what they counted at the table: `COUNTED_SIDE`. In games of
    three sides, the third has only cards left in hand.
    """
    names = ["noi", "loro", "altri"][: len(settle(variant).settings.sides)]
    sides: dict[str, dict[str, Any]] = {}
    for name in names:
        sides[name] = {"left": "4 9", "red_threes": 1}
        if variant == "mini":
            sides[name]["left"] = ["4", "9"]
    if laid is None:
        sides["noi"] |= COUNTED_SIDE
        sides["loro"] |= COUNTED_SIDE
    else:
        sides["noi"]["melds"], sides["loro"]["melds"] = laid

    hand: dict[str, Any] = {"variant": variant, "before": dict.fromkeys(names, 0)}
    hand |= {"sides": sides, "out": None}
    if variant == "tagliagola":  # a game of three, in which one may play alone
        hand["single"] = None
    return json.dumps(hand).encode()


VARIANTS_WITH_MELDS = [name for name in variant_ids() if name not in ("classica", "mini")]
# A variant, the melds of its hand, and those of the hand of classica beside it. They are the same,
# but for sequences, which classica lacks. In mini a canasta has five cards.
VARIANTS_AND_MELDS = [pytest.param("mini", MELDS_OF_FIVE_CARDS, MELDS_OF_FIVE_CARDS, id="mini")]
for _name in VARIANTS_WITH_MELDS:
    VARIANTS_AND_MELDS.append(pytest.param(_name, MELDS_OF_GROUPS, MELDS_OF_GROUPS, id=_name))
    VARIANTS_AND_MELDS.append(pytest.param(_name, None, None, id=f"{_name}, counted"))
for _name in ("samba", "bolivia"):
    VARIANTS_AND_MELDS.append(
        pytest.param(_name, MELDS_WITH_SEQUENCES, MELDS_OF_SAME_RANKS, id=f"{_name}, sequences")
    )


@pytest.mark.bench
@pytest.mark.parametrize(("variant", "laid", "as_classica"), VARIANTS_AND_MELDS)
def test_hand_of_every_variant_beside_classica(
    bench: Bench,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    variant: str,
    laid: tuple[list[str], list[str]] | None,
    as_classica: tuple[list[str], list[str]] | None,
) -> None:
    # A valid hand of the variant, and one of the classic game with as many cards.
    name = request.node.callspec.id
    source = make_hand(variant, laid)
    asked = read_hand_request(source)
    source_of_classica = make_hand("classica", as_classica)
    asked_of_classica = read_hand_request(source_of_classica)
    assert asked.judge().is_valid
    assert asked_of_classica.judge().is_valid

    def judge_often(asked: HandRequest) -> None:
        for _ in range(HANDS_IN_A_TURN):
            judge(asked.rules, asked.hand)

    # The engine alone: it judges a hand that has been read.
    bench.compare(
        f"judge, {name}",
        lambda: judge_often(asked),
        lambda: judge_often(asked_of_classica),
        "1.5, to classica",
        each=HANDS_IN_A_TURN,
    )
    # The command: it reads each hand from a line, judges it and writes its answer.
    bench.compare(
        f"score --jsonl, {name}",
        lambda: score_lines([source] * HANDS_IN_A_TURN, monkeypatch),
        lambda: score_lines([source_of_classica] * HANDS_IN_A_TURN, monkeypatch),
        "1.5, to classica",
        each=HANDS_IN_A_TURN,
    )
