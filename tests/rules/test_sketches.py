"""The engine takes variants unlike classica: sequences in three decks, and pairs that last one hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorepad.rules.cards import read_cards
from scorepad.rules.variants import Ruleset, build_variant, settle_variant, sources
from tests.rules.hands import codes, counted, hand, judged, side, went_out

SKETCHES = Path(__file__).with_name("sketches")


@pytest.fixture
def samba() -> Ruleset:
    return settle_variant(build_variant("samba", SKETCHES, sources()), None, {})


@pytest.fixture
def settebello() -> Ruleset:
    return settle_variant(build_variant("settebello", SKETCHES, sources()), None, {})


@pytest.fixture
def tagliagola() -> Ruleset:
    return settle_variant(build_variant("tagliagola", SKETCHES, sources()), None, {})


def test_a_sequence_of_seven_in_one_suit_is_a_samba(samba: Ruleset) -> None:
    # 10 to 4 of hearts: 10+10+10+5+5+5+5 = 50 in cards and 1500; two sambas let the side go out for 200.
    # 50 + 50 + 1500 + 1500 + 200 = 3300, and one red three counts for a side with what going out needs.
    noi = side("10h 9h 8h 7h 6h 5h 4h", "10s 9s 8s 7s 6s 5s 4s", red_threes=1)
    judgement = judged(hand(noi, side(red_threes=2), out=went_out(0)), samba)
    assert judgement.sides is not None
    assert [(line.item, line.count, line.points) for line in judgement.sides[0].lines] == [
        ("samba", 2, 3000),
        ("cards", 14, 100),
        ("red-threes", 1, 100),
        ("out", 1, 200),
    ]
    # Loro has not the two canastas that make red threes good: minus 200.
    assert [(line.item, line.points) for line in judgement.sides[1].lines] == [("red-threes", -200)]


@pytest.mark.parametrize(
    "broken",
    [
        "10h 9h 7h 6h",  # a gap
        "10h 9h 9h 8h",  # twice the same
        "10h 9s 8h",  # a second suit
        "10h 9h 8",  # a suit missing
        "10h 9h 2h",  # a wild card
    ],
)
def test_a_broken_sequence_is_refused(samba: Ruleset, broken: str) -> None:
    judgement = judged(hand(side("10s 9s 8s 7s 6s", broken), side()), samba)
    assert "meld-sequence-broken" in codes(judgement)


def test_two_wilds_are_the_limit_in_samba_and_three_decks_hold_twelve_of_a_rank(samba: Ruleset) -> None:
    assert "meld-too-many-wilds" in codes(judged(hand(side("4xK 3x2"), side("3xA")), samba))
    assert not codes(judged(hand(side("6xK", "6xQ"), side("6xK")), samba))
    assert "deck-exceeded" in codes(judged(hand(side("7xK"), side("6xK")), samba))


def test_two_black_threes_and_a_wild_are_no_meld_in_samba(samba: Ruleset) -> None:
    assert "meld-kind-not-allowed" in codes(judged(hand(side("7xK", "7xQ", "2x3b JK"), side(), out=went_out(0)), samba))


def test_the_single_player_scores_alone_and_each_of_the_pair_scores_the_whole_of_the_pair(
    tagliagola: Ruleset,
) -> None:
    # noi took the pile: 7 queens, 500 + 70, holds a king: 560, and one red three of its own: 660.
    # loro and altri are a pair: 7 eights 500 + 70 under loro, 3 aces 60 under altri; altri went out: 100;
    # loro holds 4 9 = 15: 500 + 130 + 100 - 15 = 715 for both; loro's two red threes are loro's alone: 915.
    noi = side("7xQ", left="K", red_threes=1)
    loro = side("7x8", left="4 9", red_threes=2)
    altri = side("3xA")
    judgement = judged(hand(noi, loro, altri, single=0, out=went_out(2)), tagliagola)
    assert judgement.sides is not None
    assert [side.hand for side in judgement.sides] == [660, 915, 715]


def test_where_nobody_took_the_pile_whoever_went_out_is_the_single_player(tagliagola: Ruleset) -> None:
    # noi went out with 7 queens: 500 + 70 + 100 = 670. The pair laid 3 aces (60) and holds 9 and K: 60 - 20 = 40.
    noi, loro, altri = side("7xQ"), side("3xA", left="9"), side(left="K")
    judgement = judged(hand(noi, loro, altri, out=went_out(0)), tagliagola)
    assert judgement.sides is not None
    assert [side.hand for side in judgement.sides] == [670, 40, 40]


def test_where_nobody_took_the_pile_and_nobody_went_out_each_scores_alone(tagliagola: Ruleset) -> None:
    judgement = judged(hand(side("3xA"), side("3xK 2", left="9"), side(left="K")), tagliagola)
    assert judgement.sides is not None
    assert [side.hand for side in judgement.sides] == [60, 40, -10]


def test_a_pair_opens_with_the_lower_of_its_two_minimums(tagliagola: Ruleset) -> None:
    # The pair stands at 3000 (120) and 0 (50): 60 points can have opened, 45 cannot.
    scores = (0, 3000, 0)
    possible = hand(side("3xA"), side("3xA"), side(), before=scores, single=0)
    assert not codes(judged(possible, tagliagola))
    too_low = hand(side("3xA"), side("3x4", "3xK"), side(), before=scores, single=0)
    assert codes(judged(too_low, tagliagola)) == {"opening-impossible"}


def test_a_canasta_can_be_worth_more_by_its_rank(settebello: Ruleset) -> None:
    # 5 sevens and 2 twos: 2000, cards 25 + 40 = 65. 6 kings and a two make no canasta here: cards 60 + 20 = 80.
    judgement = judged(
        hand(
            side("5x7 2x2"),
            side("6xK 2"),
        ),
        settebello,
    )
    assert judgement.sides is not None
    assert [side.hand for side in judgement.sides] == [2065, 80]


def test_totals_of_such_a_canasta_have_their_own_bounds(settebello: Ruleset) -> None:
    # The cheapest canasta of sevens is seven sevens: 35. Eight sevens and six wilds make two of them, never three.
    assert not codes(judged(hand(counted(50, sevens_canasta=1), side()), settebello))
    assert codes(judged(hand(counted(30, sevens_canasta=1), side()), settebello)) == {
        "totals-impossible", "opening-impossible",
    }  # fmt: skip
    assert codes(judged(hand(counted(500, sevens_canasta=3), side()), settebello)) == {"totals-impossible"}


def test_a_last_discard_can_be_obligatory(settebello: Ruleset) -> None:
    table = (side("7xK"), side())
    none = hand(*table, out=went_out(0, discard_noted=True))
    assert codes(judged(none, settebello)) == {"out-discard-missing"}
    assert not codes(judged(hand(*table, out=went_out(0)), settebello))
    one = went_out(0, discard_noted=True, discard=read_cards("9"))
    assert not codes(judged(hand(*table, out=one), settebello))
