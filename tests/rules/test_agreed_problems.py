"""Hands that break a rule and count all the same, because the table agreed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from scorepad.rules.checks import NATURES
from scorepad.rules.hand import Hand, PenaltyEntry
from scorepad.rules.judging import judge
from scorepad.rules.variants import settle
from scorepad.schemas import read_hand_request
from tests.examples import examples
from tests.rules.hands import codes, counted, hand, side, went_out
from tests.rules.hands_drawn import hands

CLASSICA = settle("classica")
NEVER_AGREED = {
    "card-unknown", "deck-exceeded", "red-threes-exceeded", "totals-impossible", "points-not-multiple",
    "penalty-unknown", "side-unknown",
}  # fmt: skip


def lines(of: Hand, position: int = 0) -> dict[str, int]:
    """The lines of a side of a hand to which the table agreed."""
    sides = judge(CLASSICA, of, by_agreement=True).sides
    assert sides is not None
    return {line.item: line.points for line in sides[position].lines}


def test_going_out_without_a_canasta_counts_where_the_table_agrees() -> None:
    played = hand(side("3xA", "4xK"), side("3xQ", left="4"), out=went_out(0))
    refused = judge(CLASSICA, played)
    assert codes(refused) == {"out-canastas-missing", "opening-impossible"}
    assert not refused.is_valid
    assert refused.sides is None
    agreed = judge(CLASSICA, played, by_agreement=True)
    assert agreed.findings == refused.findings
    assert agreed.is_valid
    # 3 aces of 20 and 4 kings of 10 points; 100 for going out.
    assert lines(played) == {"cards": 100, "out": 100}
    # 3 queens of 10 points, and a four left.
    assert lines(played, 1) == {"cards": 30, "cards-left": -5}


def test_a_meld_against_the_rules_counts_its_cards() -> None:
    assert lines(hand(side("3xK 4x2", "5xA"), side())) == {"cards": 30 + 80 + 100}


@pytest.mark.parametrize(
    "played",
    [
        hand(side("2xK ?"), side()),
        hand(side("9xK"), side()),
        hand(side("7xK", red_threes=5), side()),
        hand(counted(37), side()),
        hand(side("7xK", left=12), side()),
        hand(side("7xK", penalties=(PenaltyEntry("burping"),)), side()),
    ],
)
def test_no_table_agrees_to_what_is_no_matter_of_rules(played: Hand) -> None:
    judged = judge(CLASSICA, played, by_agreement=True)
    assert codes(judged) & NEVER_AGREED
    assert (judged.sides, judged.status) == (None, None)


def test_a_rule_and_a_figure_broken_together_are_not_agreed_to() -> None:
    judged = judge(CLASSICA, hand(side("2xK", left=12), side()), by_agreement=True)
    assert codes(judged) == {"meld-too-short", "opening-impossible", "points-not-multiple"}
    assert not judged.is_valid


def test_the_checks_say_themselves_what_no_table_agrees_to() -> None:
    assert {code for code, nature in NATURES.items() if not nature.agreeable} == NEVER_AGREED


@given(hands())
@settings(max_examples=examples(600))
def test_by_agreement_every_hand_is_scored_whole_or_has_what_nobody_agrees_to(
    drawn: dict[str, Any],
) -> None:
    asked = read_hand_request(json.dumps(drawn))
    plain, agreed = asked.judge(), asked.judge(by_agreement=True)
    assert agreed.findings == plain.findings
    assert agreed.is_valid is codes(plain).isdisjoint(NEVER_AGREED)
    if plain.is_valid:
        assert agreed == plain
    for side_score, before in zip(agreed.sides or (), asked.before, strict=False):
        assert side_score.hand == sum(line.points for line in side_score.lines)
        assert side_score.total == before + side_score.hand
