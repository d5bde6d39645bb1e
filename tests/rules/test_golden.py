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
    """Score every hand of a match, each from the totals of the one before; return the answers."""
    totals = dict.fromkeys(match["names"], 0)  # a match begins at 0
    answers = []
    for hand in match["hands"]:
        answer = score_hand(
            {"variant": match["variant"], "options": match["options"], "before": totals, **hand}
        )
        assert answer["valid"], answer["problems"]
        totals = {name: side["total"] for name, side in answer["sides"].items()}
        answers.append(answer)
    return answers


def read_match(file: Path) -> dict[str, Any]:
    """Read a whole match: its rules, names and hands, and the totals that a person worked out."""
    match: dict[str, Any] = read_data(file)
    return match


def describe_end(hand: dict[str, Any]) -> str:
    """Say how a hand ended, such as "Noi went out, concealed"."""
    if not hand.get("out"):
        return "the stock ran out"
    if hand["out"].get("concealed"):
        return f"{hand['out']['side']} went out, concealed"
    return f"{hand['out']['side']} went out"


def describe_melds(hand: dict[str, Any], side: str) -> str:
    """Write what a side laid: `: 3xK 2 | 7xQ concealed`; nothing if it laid nothing.

    That is three kings with a two, and seven queens.
    """
    melds = hand["sides"].get(side, {}).get("melds", [])
    if not melds:
        return ""
    described = []
    for meld in melds:
        if isinstance(meld, str):
            described.append(meld)
        else:
            described.append(f"{meld['cards']} concealed")
    return ": " + " | ".join(described)


def write_side(name: str, side: dict[str, Any], melds: str) -> list[str]:
    """Write the lines of the transcript about a side in a hand: what it laid, and its score.

    `side` is the answer about this side: the points of the `hand`, the `total` after it, and the
    score `lines`. `melds` is written as in the transcript: ": 3xK 2 | 7xQ", or "" for none.
    """
    # "  Noi, opening at 50: 3xK 2 | 7xQ". Where the game has such a minimum, the first melds of a
    # side need 50 points.
    minimum = side["opening_minimum"]
    opening = "" if minimum is None else f", opening at {minimum}"
    rows = [f"  {name}{opening}{melds}"]

    # A row for each score line: what it is for, such as "mixed-canasta" or "penalty draw-out-of-turn",
    # how many there are, and the points.
    for line in side["lines"]:
        label = line["item"]
        if "code" in line:
            label += f" {line['code']}"
        rows.append(write_row(label, line["count"], line["points"]))

    rows.append(write_row("hand", None, side["hand"]))
    rows.append(write_row("total", None, side["total"]))
    return rows


def write_row(label: str, count: int | None, points: int) -> str:
    """Write a row of the table of points, in three columns; some rows have no count.

    For example `    mixed-canasta                  1    300`.
    """
    count_column = "" if count is None else count
    return f"    {label:<28}{count_column:>4}{points:>7}"


def write_transcript(match: dict[str, Any]) -> str:
    """Write a match as a player reads it: each hand with what the sides laid, and their points."""
    page = [f"A whole match of {match['variant']}"]
    hands = zip(match["hands"], score_hands(match), strict=True)
    for number, (hand, answer) in enumerate(hands, start=1):
        page += ["", f"Hand {number}: {describe_end(hand)}"]
        for name, side in answer["sides"].items():
            page += write_side(name, side, describe_melds(hand, name))
        if answer["match"]["finished"]:
            page += ["", f"{answer['match']['winner']} wins"]
    return "\n".join(page) + "\n"


def transcript_file(match_file: Path) -> Path:
    """Return the path of the transcript of a match: `samba.txt` for `samba-whole-match.json`."""
    return match_file.with_name(match_file.name.replace("-whole-match.json", ".txt"))


@pytest.mark.parametrize("file", MATCHES, ids=lambda file: file.stem)
def test_whole_match_has_the_totals_and_winner_worked_by_hand(file: Path) -> None:
    match = read_match(file)

    answers = score_hands(match)

    # The points of each hand, the total after it, and the points that the first melds of the side
    # will need in the next hand.
    for answer, expected in zip(answers, match["expected"], strict=True):
        for name, side in answer["sides"].items():
            assert side["hand"] == expected["hand"][name]
            assert side["total"] == expected["total"][name]
            assert side["next_opening_minimum"] == expected["minimum"][name]

    # The match is won with its last hand, and not before.
    *earlier_answers, last_answer = answers
    for answer in earlier_answers:
        assert not answer["match"]["finished"]
    assert last_answer["match"]["finished"]
    assert last_answer["match"]["winner"] == match["winner"]


def test_every_variant_has_a_whole_match() -> None:
    variants_played = {read_match(file)["variant"] for file in MATCHES}

    # These are scored as classica is, which has a whole match.
    classica_for_other_numbers_of_players = {"due", "tre", "sei", "cinque"}
    assert variants_played | classica_for_other_numbers_of_players == set(variant_ids())


@pytest.mark.parametrize("file", MATCHES, ids=lambda file: file.stem)
def test_transcript_of_whole_match_is_unchanged(file: Path) -> None:
    # If a rule was changed on purpose, run this file as a module: it writes the transcripts anew.
    transcript = write_transcript(read_match(file))
    assert transcript == transcript_file(file).read_text("utf-8")


if __name__ == "__main__":
    for each in MATCHES:
        transcript_file(each).write_text(write_transcript(read_match(each)), "utf-8")
