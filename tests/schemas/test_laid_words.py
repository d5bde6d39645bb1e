"""What people read of laid cards: which of several things is wrong, in words that hold at their
table.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from scorepad.i18n import words
from scorepad.i18n.findings import describe_finding
from scorepad.rules.judging import Finding, judge
from scorepad.schemas import read_hand_request


def found(variant: str, melds: list[str], code: str) -> Finding:
    """What the pad finds in a hand of a side that went out with these melds."""
    sides = {"noi": {"melds": melds}, "loro": {}}
    hand = {
        "variant": variant,
        "before": {"noi": 0, "loro": 0},
        "sides": sides,
        "out": {"side": "noi"},
    }
    read = read_hand_request(json.dumps(hand))
    return next(each for each in judge(read.rules, read.hand).findings if each.code == code)


PROBLEMS = tomllib.loads(Path(__file__).with_name("laid-words.toml").read_text("utf-8"))["problems"]


@pytest.mark.parametrize(("variant", "melds", "code", "italian", "english"), PROBLEMS)
def test_the_pad_says_the_rule_in_force_and_no_other_game(
    variant: str, melds: list[str], code: str, italian: str, english: str
) -> None:
    finding = found(variant, melds, code)
    assert italian in describe_finding(finding, ("noi", "loro"), words("it"))
    assert english in describe_finding(finding, ("noi", "loro"), words("en"))


def test_of_a_short_meld_of_wild_cards_the_mini_names_its_own_source_first() -> None:
    assert found("mini", ["3x2"], "meld-too-short").sources[0] == "W:Variante mini"
