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

    The command runs in this process: if it had one of its own, the start would be measured too.
    """
    # The command reads from a file in memory, and prints into another.
    lines = io.BytesIO(b"\n".join(hands))
    answers = io.BytesIO()
    standard_output = io.TextIOWrapper(answers)
    monkeypatch.setattr(sys, "stdout", standard_output)

    # It takes the language of its answers from the context of Click, here Italian.
    with click.Context(rule_commands.score_command, obj=words("it")):
        status = rule_commands.answer_lines(lines, rule_commands.answer_hand)
    monkeypatch.undo()
    assert status == 0

    # Without its wrapper, the file of the answers is not closed with it.
    standard_output.detach()
    return answers.getvalue()


@pytest.mark.bench
def test_scoring_hands_line_by_line(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = list_valid_hands()
    answers = [json.loads(line) for line in score_lines(hands, monkeypatch).splitlines()]
    assert len(answers) == len(hands)

    def decode_and_encode() -> None:
        """Decode the same hands and encode the answers above, without scoring, to compare with.

        This takes the time that is lost to JSON. The lines are written into memory and forgotten.
        """
        output = io.BytesIO()
        for hand, answer in zip(hands, answers, strict=True):
            json.loads(hand)
            output.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")

    # Reported is how many times longer scoring takes, beside what is wanted: 12 times.
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

    Without melds, both sides only give what they counted at the table.
    """
    # Every side, two or three of them, has a red three, and a four and a nine left in hand.
    names = ["noi", "loro", "altri"][: len(settle(variant).settings.sides)]
    sides: dict[str, dict[str, Any]] = {}
    for name in names:
        sides[name] = {"left": "4 9", "red_threes": 1}
        # In mini each player of a side has cards left: here one the four, the other the nine.
        if variant == "mini":
            sides[name]["left"] = ["4", "9"]

    # The first two sides have laid cards on the table, or say what those were worth.
    if laid is None:
        sides["noi"] |= COUNTED_SIDE
        sides["loro"] |= COUNTED_SIDE
    else:
        sides["noi"]["melds"], sides["loro"]["melds"] = laid

    # Nobody had any points before, and nobody went out.
    hand: dict[str, Any] = {"variant": variant, "before": dict.fromkeys(names, 0)}
    hand |= {"sides": sides, "out": None}
    # In tagliagola, a game of three, whoever takes the pile first plays alone: here nobody.
    if variant == "tagliagola":
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
@pytest.mark.parametrize(("variant", "melds", "melds_of_classica"), VARIANTS_AND_MELDS)
def test_hand_of_every_variant_beside_classica(
    bench: Bench,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    variant: str,
    melds: tuple[list[str], list[str]] | None,
    melds_of_classica: tuple[list[str], list[str]] | None,
) -> None:
    name = request.node.callspec.id

    # A hand of the variant, in which two sides have laid melds such as "7xQ", seven queens, or have
    # none and only say what they counted. It is written as JSON, and valid.
    json_hand = make_hand(variant, melds)
    hand = read_hand_request(json_hand)
    assert hand.judge().is_valid

    # Such a hand of the classic game, with as many cards.
    json_hand_of_classica = make_hand("classica", melds_of_classica)
    hand_of_classica = read_hand_request(json_hand_of_classica)
    assert hand_of_classica.judge().is_valid

    # First the engine alone judges each of the hands, 200 times in turn, and the ratio of the times
    # is reported. Wanted is that a variant takes 1.5 times as long as the classic game at most.
    def judge_often(hand: HandRequest) -> None:
        for _ in range(200):
            judge(hand.rules, hand.hand)

    bench.compare(
        f"judge, {name}",
        lambda: judge_often(hand),
        lambda: judge_often(hand_of_classica),
        "1.5, to classica",
        each=200,
    )

    # Then the command reads each hand from 200 lines, judges it and writes its answers.
    bench.compare(
        f"score --jsonl, {name}",
        lambda: score_lines([json_hand] * 200, monkeypatch),
        lambda: score_lines([json_hand_of_classica] * 200, monkeypatch),
        "1.5, to classica",
        each=200,
    )
