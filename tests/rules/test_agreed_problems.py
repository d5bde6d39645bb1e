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
"""Problems of a hand that cannot have been played: no agreement counts it."""


def points_by_item(played: Hand, position: int) -> dict[str, int]:
    """The points of each line of a side's score, where the table agreed to count the hand."""
    sides = judge(CLASSICA, played, by_agreement=True).sides
    return {line.item: line.points for line in sides[position].lines}


@pytest.fixture
def out_without_canasta() -> Hand:
    """A hand in which the first side went out with three aces and four kings: no canasta."""
    return hand(side("3xA", "4xK"), side("3xQ", left="4"), out=went_out(0))


def test_going_out_without_canasta_is_not_scored(out_without_canasta: Hand) -> None:
    """Going out needs a canasta; the other side's three queens, 30 points, are too few to open."""
    judgement = judge(CLASSICA, out_without_canasta)

    assert problem_codes(judgement) == {"out-canastas-missing", "opening-impossible"}
    assert not judgement.is_valid
    assert judgement.sides is None


def test_going_out_without_canasta_is_scored_by_agreement(out_without_canasta: Hand) -> None:
    """Both problems stay: no canasta, and the 30 points of the other side are too few to open."""
    judgement = judge(CLASSICA, out_without_canasta, by_agreement=True)

    assert judgement.is_valid
    assert problem_codes(judgement) == {"out-canastas-missing", "opening-impossible"}
    # 3 aces of 20 and 4 kings of 10 points; 100 for going out.
    assert points_by_item(out_without_canasta, 0) == {"cards": 100, "out": 100}
    # 3 queens of 10 points, and a four left.
    assert points_by_item(out_without_canasta, 1) == {"cards": 30, "cards-left": -5}


def test_illegal_meld_counts_its_cards_by_agreement() -> None:
    # Three kings may not carry four twos; the five aces are a legal meld.
    played = hand(side("3xK 4x2", "5xA"), side())

    # Of a hand that the table agreed to count: 3 kings 30, 4 twos 80, 5 aces 100.
    assert points_by_item(played, 0) == {"cards": 210}


@pytest.mark.parametrize(
    "impossible",
    [
        pytest.param(hand(side("2xK ?"), side()), id="a card that does not exist"),
        pytest.param(hand(side("9xK"), side()), id="nine kings of eight"),
        pytest.param(hand(side("7xK", red_threes=5), side()), id="five red threes of four"),
        pytest.param(hand(side_with_totals(cards=37), side()), id="points not a multiple of 5"),
        pytest.param(hand(side("7xK", left=12), side()), id="points left not a multiple of 5"),
        pytest.param(
            hand(side("7xK", penalties=(PenaltyEntry("burping"),)), side()), id="unknown penalty"
        ),
    ],
)
def test_impossible_hand_is_not_scored_even_by_agreement(impossible: Hand) -> None:
    """A table may agree on anything but cards and points that nobody can have."""
    judgement = judge(CLASSICA, impossible, by_agreement=True)

    assert problem_codes(judgement) & NEVER_AGREED
    assert judgement.sides is None
    assert judgement.status is None


def test_agreement_does_not_cover_broken_rule_beside_impossible_points() -> None:
    """A hand is counted by agreement only if nothing in it is impossible."""
    # Two kings are too short a meld, and with 20 points too few to open: a table may agree to both.
    # No cards are worth 12 points.
    played = hand(side("2xK", left=12), side())

    judgement = judge(CLASSICA, played, by_agreement=True)

    assert problem_codes(judgement) == {
        "meld-too-short",
        "opening-impossible",
        "points-not-multiple",
    }
    assert not judgement.is_valid


def test_checks_declare_which_problems_cannot_be_agreed_to() -> None:
    not_agreeable = {code for code, nature in NATURES.items() if not nature.agreeable}
    assert not_agreeable == NEVER_AGREED


@given(hands())
@settings(max_examples=examples(600))
def test_random_hand_is_scored_by_agreement_unless_impossible(hand_json: dict[str, Any]) -> None:
    request = read_hand_request(json.dumps(hand_json))

    usual = request.judge()
    agreed = request.judge(by_agreement=True)

    assert agreed.findings == usual.findings
    is_impossible = bool(problem_codes(usual) & NEVER_AGREED)
    assert agreed.is_valid == (not is_impossible)
    if usual.is_valid:
        assert agreed == usual
    if is_impossible:
        return  # there is no score
    for side_score, total_before in zip(agreed.sides, request.before, strict=True):
        assert side_score.hand == sum(line.points for line in side_score.lines)
        assert side_score.total == total_before + side_score.hand
