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
    """Score a hand of classica that the table agreed to count; return a side's points by item.

    The side is named by its position, counted from 0.
    """
    sides = judge(CLASSICA, played, by_agreement=True).sides
    return {line.item: line.points for line in sides[position].lines}


@pytest.fixture
def out_without_canasta() -> Hand:
    """Build a hand in which the first side went out without a canasta.

    It laid three aces ("3xA") and four kings; a canasta is a meld of seven cards. The other side
    laid three queens, and is left with a four.
    """
    return hand(side("3xA", "4xK"), side("3xQ", left="4"), out=went_out(0))


def test_going_out_without_canasta_is_not_scored(out_without_canasta: Hand) -> None:
    judgement = judge(CLASSICA, out_without_canasta)

    # Going out needs a canasta. The first melds of a side have to be worth 50 points: the three
    # queens of the other side are worth 3 × 10.
    assert problem_codes(judgement) == {"out-canastas-missing", "opening-impossible"}
    assert not judgement.is_valid
    assert judgement.sides is None


def test_going_out_without_canasta_is_scored_by_agreement(out_without_canasta: Hand) -> None:
    # The players noticed too late, and agree to count the hand. It still has both problems.
    judgement = judge(CLASSICA, out_without_canasta, by_agreement=True)
    assert judgement.is_valid
    assert problem_codes(judgement) == {"out-canastas-missing", "opening-impossible"}

    # The first side has 3 aces of 20 points and 4 kings of 10; and 100 for going out.
    assert points_by_item(out_without_canasta, 0) == {"cards": 100, "out": 100}
    # The other has 3 queens of 10 points; and is left with a four, which counts against it.
    assert points_by_item(out_without_canasta, 1) == {"cards": 30, "cards-left": -5}


def test_illegal_meld_counts_its_cards_by_agreement() -> None:
    # Twos are wild cards: three kings may not carry four of them. The five aces are a legal meld.
    played = hand(side("3xK 4x2", "5xA"), side())

    # 3 kings of 10 points, 4 twos of 20, and 5 aces of 20.
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
    # A table may agree on anything but cards and points that nobody can have.
    judgement = judge(CLASSICA, impossible, by_agreement=True)

    assert problem_codes(judgement) & NEVER_AGREED
    assert judgement.sides is None
    assert judgement.status is None


def test_agreement_does_not_cover_broken_rule_beside_impossible_points() -> None:
    # A side laid two kings, 20 points. It entered that its cards left in hand are worth 12 points.
    played = hand(side("2xK", left=12), side())

    # A table may agree to count the hand though it breaks these two rules: a meld has three cards,
    # and the first melds of a side have to be worth 50 points.
    may_be_agreed_to = {"meld-too-short", "opening-impossible"}
    # But no cards are worth 12 points: each is worth a multiple of 5.
    cannot_be = {"points-not-multiple"}

    judgement = judge(CLASSICA, played, by_agreement=True)

    assert problem_codes(judgement) == may_be_agreed_to | cannot_be
    assert not judgement.is_valid


def test_checks_declare_which_problems_cannot_be_agreed_to() -> None:
    # The nature of each problem says whether a table may agree to count the hand all the same.
    not_agreeable = {code for code, nature in NATURES.items() if not nature.agreeable}
    assert not_agreeable == NEVER_AGREED


@given(hands())
@settings(max_examples=examples(600))
def test_random_hand_is_scored_by_agreement_unless_impossible(hand_json: dict[str, Any]) -> None:
    request = read_hand_request(json.dumps(hand_json))

    usual = request.judge()
    agreed = request.judge(by_agreement=True)

    # Agreement hides no problem. It makes every hand valid in which nothing is impossible.
    assert agreed.findings == usual.findings
    is_impossible = bool(problem_codes(usual) & NEVER_AGREED)
    assert agreed.is_valid == (not is_impossible)

    # It changes nothing in a hand that is valid without it.
    if usual.is_valid:
        assert agreed == usual

    # The lines of each side add up, unless there is no score.
    if is_impossible:
        return
    for side_score, total_before in zip(agreed.sides, request.before, strict=True):
        assert side_score.hand == sum(line.points for line in side_score.lines)
        assert side_score.total == total_before + side_score.hand
