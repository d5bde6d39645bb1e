"""A whole match as a family could have played it.

`*-whole-match.json` holds the hands, worked by hand with their arithmetic; `*.txt` tells the same
match as a player reads it, so that a change of the rules shows as a difference that a player can
read. Run as a module, this file writes the `*.txt` anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.rules.variants import variant_ids
from scorepad.schemas import build_score_answer, read_hand_request

GOLDEN = Path(__file__).parents[1] / "golden"
MATCHES = sorted(GOLDEN.glob("*-whole-match.json"))


def played(match: dict[str, Any]) -> list[dict[str, Any]]:
    """Every hand of the match answered, each from the totals of the one before."""
    before = dict.fromkeys(match["names"], 0)
    answers = []
    for hand in match["hands"]:
        rules = {"variant": match["variant"], "options": match["options"], "before": before}
        asked = read_hand_request(json.dumps(rules | hand))
        told = build_score_answer(asked.judge(), asked.names, words("en"))
        assert told["valid"], told["problems"]
        before = {name: side["total"] for name, side in told["sides"].items()}
        answers.append(told)
    return answers


def end_of(hand: dict[str, Any]) -> str:
    if not hand.get("out"):
        return "the stock ran out"
    concealed = ", concealed" if hand["out"].get("concealed") else ""
    return f"{hand['out']['side']} went out{concealed}"


def melds_of(hand: dict[str, Any], name: str) -> str:
    """What a side laid: `3xK 2 | 7xQ concealed`."""
    laid = []
    for meld in hand["sides"].get(name, {}).get("melds", []):
        laid.append(meld if isinstance(meld, str) else f"{meld['cards']} concealed")
    return f": {' | '.join(laid)}" if laid else ""


def transcript(match: dict[str, Any]) -> str:
    """The match as text."""
    page = [f"A whole match of {match['variant']}"]
    for number, (hand, told) in enumerate(zip(match["hands"], played(match), strict=True), start=1):
        page += ["", f"Hand {number}: {end_of(hand)}"]
        for name, side in told["sides"].items():
            minimum = side["opening_minimum"]
            opening = "" if minimum is None else f", opening at {minimum}"
            page.append(f"  {name}{opening}{melds_of(hand, name)}")
            for line in side["lines"]:
                count = "" if line["count"] is None else line["count"]
                label = line["item"] + (f" {line['code']}" if "code" in line else "")
                page.append(f"    {label:<28}{count:>4}{line['points']:>7}")
            page.append(f"    {'hand':<28}{'':>4}{side['hand']:>7}")
            page.append(f"    {'total':<28}{'':>4}{side['total']:>7}")
        if told["match"]["finished"]:
            page += ["", f"{told['match']['winner']} wins"]
    return "\n".join(page) + "\n"


@pytest.mark.parametrize("file", MATCHES, ids=lambda file: file.stem)
def test_a_whole_match_follows_its_totals_to_the_winner(file: Path) -> None:
    match: dict[str, Any] = json.loads(file.read_text("utf-8"))
    answers = played(match)
    for answer, expected in zip(answers, match["expected"], strict=True):
        for name, side in answer["sides"].items():
            assert side["hand"] == expected["hand"][name]
            assert side["total"] == expected["total"][name]
            assert side["next_opening_minimum"] == expected["minimum"][name]
    *before, last = [answer["match"] for answer in answers]
    assert not any(status["finished"] for status in before)
    assert last["finished"]
    assert last["winner"] == match["winner"]


def test_every_variant_has_a_whole_match() -> None:
    told = {json.loads(file.read_text("utf-8"))["variant"] for file in MATCHES}
    assert set(variant_ids()) - told <= {"due", "tre", "sei", "cinque"}


@pytest.mark.parametrize("file", MATCHES, ids=lambda file: file.stem)
def test_a_player_reads_the_same_match(file: Path) -> None:
    match: dict[str, Any] = json.loads(file.read_text("utf-8"))
    assert transcript(match) == transcript_of(file).read_text("utf-8")


def transcript_of(file: Path) -> Path:
    """The file that tells the match of this file."""
    return file.with_name(file.name.replace("-whole-match.json", ".txt"))


if __name__ == "__main__":
    for each in MATCHES:
        transcript_of(each).write_text(transcript(json.loads(each.read_text("utf-8"))), "utf-8")
