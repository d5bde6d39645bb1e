"""What people read of laid cards: which of several things is wrong, in words that hold at their
table.
"""

from __future__ import annotations

import json

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


PROBLEMS = [
    ("moderna", ["4x7 2"], "meld-too-many-wilds", "non ci stanno matte", "holds no wild cards"),
    (
        "hand-and-foot",
        ["3xK 2x2"],
        "meld-too-many-wilds",
        "al massimo 1 matta",
        "at most 1 wild card (",
    ),
    ("classica", ["4xK 4x2"], "meld-too-many-wilds", "al massimo 3 (", "at most 3 wild cards"),
    (
        "moderna",
        ["3x3b"],
        "meld-kind-not-allowed",
        "In questo gioco i 3 neri non si calano mai",
        "never melded",
    ),
    (
        "samba",
        ["2x3b 2"],
        "meld-kind-not-allowed",
        "almeno 3, e in questa sono 2",
        "at least 3 of them",
    ),
    (
        "classica",
        ["4x3b 3x2"],
        "meld-kind-not-allowed",
        "al massimo 6 carte, e questa ne ha 7",
        "at most 6 cards",
    ),
    (
        "mini",
        ["3xK", "3xK"],
        "meld-rank-repeated",
        "solo quando la prima è una canasta",
        "only when the first",
    ),
    (
        "classica",
        ["3xK", "3xK"],
        "meld-rank-repeated",
        "se al tavolo va bene così",
        "if the table plays it so",
    ),
]


@pytest.mark.parametrize(("variant", "melds", "code", "italian", "english"), PROBLEMS)
def test_the_pad_says_the_rule_in_force_and_no_other_game(
    variant: str, melds: list[str], code: str, italian: str, english: str
) -> None:
    finding = found(variant, melds, code)
    assert italian in describe_finding(finding, ("noi", "loro"), words("it"))
    assert english in describe_finding(finding, ("noi", "loro"), words("en"))


def test_of_a_short_meld_of_wild_cards_the_mini_names_its_own_source_first() -> None:
    assert found("mini", ["3x2"], "meld-too-short").sources[0] == "W:Variante mini"
