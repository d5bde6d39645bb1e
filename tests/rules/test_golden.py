"""A whole match as a family could have played it.

`*-whole-match.json` holds the hands, worked by hand with their arithmetic; `*.txt` tells the same
match as a player reads it, so that a change of the rules shows as a difference that a player can
read. Run as a module, this file writes the `*.txt` anew.
"""

from pathlib import Path
from typing import Any

import pytest

from scorepad.rules.variants import variant_ids
from tests.data import read_data
from tests.hands_read import score_hand

GOLDEN = Path(__file__).parents[1] / "golden"
MATCHES = sorted(GOLDEN.glob("*-whole-match.json"))


def score_hands(match: dict[str, Any]) -> list[dict[str, Any]]:
    """The answer to every hand of a match, each scored from the totals of the one before."""
    totals = dict.fromkeys(match["names"], 0)
    answers = []
    for hand in match["hands"]:
        rules = {"variant": match["variant"], "options": match["options"], "before": totals}
        answer = score_hand(rules | hand)
        assert answer["valid"], answer["problems"]
        totals = {name: side["total"] for name, side in answer["sides"].items()}
        answers.append(answer)
    return answers


def read_match(file: Path) -> dict[str, Any]:
    match: dict[str, Any] = read_data(file)
    return match


def describe_end(hand: dict[str, Any]) -> str:
    if not hand.get("out"):
        return "the stock ran out"
    concealed = ", concealed" if hand["out"].get("concealed") else ""
    return f"{hand['out']['side']} went out{concealed}"


def describe_melds(hand: dict[str, Any], side: str) -> str:
    """What a side laid: `: 3xK 2 | 7xQ concealed`."""
    melds = []
    for meld in hand["sides"].get(side, {}).get("melds", []):
        melds.append(meld if isinstance(meld, str) else f"{meld['cards']} concealed")
    return f": {' | '.join(melds)}" if melds else ""


def write_transcript(match: dict[str, Any]) -> str:
    """The match as a player reads it."""
    page = [f"A whole match of {match['variant']}"]
    hands = zip(match["hands"], score_hands(match), strict=True)
    for number, (hand, answer) in enumerate(hands, start=1):
        page += ["", f"Hand {number}: {describe_end(hand)}"]
        for name, side in answer["sides"].items():
            minimum = side["opening_minimum"]
            opening = "" if minimum is None else f", opening at {minimum}"
            page.append(f"  {name}{opening}{describe_melds(hand, name)}")
            for line in side["lines"]:
                count = "" if line["count"] is None else line["count"]
                label = line["item"] + (f" {line['code']}" if "code" in line else "")
                page.append(f"    {label:<28}{count:>4}{line['points']:>7}")
            page.append(f"    {'hand':<28}{'':>4}{side['hand']:>7}")
            page.append(f"    {'total':<28}{'':>4}{side['total']:>7}")
        if answer["match"]["finished"]:
            page += ["", f"{answer['match']['winner']} wins"]
    return "\n".join(page) + "\n"


def transcript_file(match_file: Path) -> Path:
    """The file with the transcript of this match."""
    return match_file.with_name(match_file.name.replace("-whole-match.json", ".txt"))


@pytest.mark.parametrize("file", MATCHES, ids=lambda file: file.stem)
def test_a_whole_match_has_the_totals_and_the_winner_worked_by_hand(file: Path) -> None:
    match = read_match(file)

    answers = score_hands(match)

    for answer, expected in zip(answers, match["expected"], strict=True):
        for name, side in answer["sides"].items():
            assert side["hand"] == expected["hand"][name]
            assert side["total"] == expected["total"][name]
            assert side["next_opening_minimum"] == expected["minimum"][name]
    for answer in answers[:-1]:
        assert not answer["match"]["finished"]
    assert answers[-1]["match"]["finished"]
    assert answers[-1]["match"]["winner"] == match["winner"]


def test_every_variant_has_a_whole_match() -> None:
    variants_played = {read_match(file)["variant"] for file in MATCHES}
    # These change classica only by the number of players.
    table_sizes = {"due", "tre", "sei", "cinque"}
    assert variants_played | table_sizes == set(variant_ids())


@pytest.mark.parametrize("file", MATCHES, ids=lambda file: file.stem)
def test_a_player_reads_the_same_match(file: Path) -> None:
    transcript = write_transcript(read_match(file))
    assert transcript == transcript_file(file).read_text("utf-8")


if __name__ == "__main__":
    for each in MATCHES:
        transcript_file(each).write_text(write_transcript(read_match(each)), "utf-8")
