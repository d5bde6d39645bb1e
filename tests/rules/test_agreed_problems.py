"""Hands that break a rule and count all the same, because the table agreed."""

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
from tests.rules.hands import hand, problem_codes, side, side_with_totals, went_out
from tests.rules.hands_drawn import hands

CLASSICA = settle("classica")
NEVER_AGREED = {
    "card-unknown", "deck-exceeded", "red-threes-exceeded", "totals-impossible", "points-not-multiple",
    "penalty-unknown", "side-unknown",
}  # fmt: skip


def points_by_item(played: Hand, position: int = 0) -> dict[str, int]:
    """The points of each line of a side's score, where the table agreed to count the hand."""
    sides = judge(CLASSICA, played, by_agreement=True).sides
    return {line.item: line.points for line in sides[position].lines}


def test_a_hand_gone_out_without_a_canasta_has_no_score() -> None:
    played = hand(side("3xA", "4xK"), side("3xQ", left="4"), out=went_out(0))
    refused = judge(CLASSICA, played)
    assert problem_codes(refused) == {"out-canastas-missing", "opening-impossible"}
    assert not refused.is_valid
    assert refused.sides is None


def test_a_hand_gone_out_without_a_canasta_counts_where_the_table_agrees() -> None:
    played = hand(side("3xA", "4xK"), side("3xQ", left="4"), out=went_out(0))

    agreed = judge(CLASSICA, played, by_agreement=True)

    assert agreed.is_valid
    assert problem_codes(agreed) == {"out-canastas-missing", "opening-impossible"}
    # 3 aces of 20 and 4 kings of 10 points; 100 for going out.
    assert points_by_item(played, 0) == {"cards": 100, "out": 100}
    # 3 queens of 10 points, and a four left.
    assert points_by_item(played, 1) == {"cards": 30, "cards-left": -5}


def test_a_meld_against_the_rules_counts_its_cards() -> None:
    # Three kings may not carry four twos; the five aces are a plain meld.
    played = hand(side("3xK 4x2", "5xA"), side())
    assert points_by_item(played) == {"cards": 30 + 80 + 100}


@pytest.mark.parametrize(
    "played",
    [
        pytest.param(hand(side("2xK ?"), side()), id="a card that is none"),
        pytest.param(hand(side("9xK"), side()), id="nine kings of eight"),
        pytest.param(hand(side("7xK", red_threes=5), side()), id="five red threes of four"),
        pytest.param(hand(side_with_totals(37), side()), id="points of cards that are no fives"),
        pytest.param(hand(side("7xK", left=12), side()), id="points left that are no fives"),
        pytest.param(
            hand(side("7xK", penalties=(PenaltyEntry("burping"),)), side()), id="unknown penalty"
        ),
    ],
)
def test_no_table_agrees_to_what_cannot_be(played: Hand) -> None:
    judgement = judge(CLASSICA, played, by_agreement=True)
    assert problem_codes(judgement) & NEVER_AGREED
    assert judgement.sides is None
    assert judgement.status is None


def test_a_broken_rule_is_not_agreed_to_beside_points_that_cannot_be() -> None:
    played = hand(side("2xK", left=12), side())

    judgement = judge(CLASSICA, played, by_agreement=True)

    assert problem_codes(judgement) == {
        "meld-too-short",
        "opening-impossible",
        "points-not-multiple",
    }
    assert not judgement.is_valid


def test_the_checks_say_themselves_what_no_table_agrees_to() -> None:
    not_agreeable = {code for code, nature in NATURES.items() if not nature.agreeable}
    assert not_agreeable == NEVER_AGREED


@given(hands())
@settings(max_examples=examples(600))
def test_by_agreement_every_hand_is_scored_unless_something_cannot_be(
    drawn: dict[str, Any],
) -> None:
    request = read_hand_request(json.dumps(drawn))

    usual = request.judge()
    agreed = request.judge(by_agreement=True)

    assert agreed.findings == usual.findings
    assert agreed.is_valid == problem_codes(usual).isdisjoint(NEVER_AGREED)
    if usual.is_valid:
        assert agreed == usual
    for side_score, before in zip(agreed.sides or (), request.before, strict=False):
        assert side_score.hand == sum(line.points for line in side_score.lines)
        assert side_score.total == before + side_score.hand
