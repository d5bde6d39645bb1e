"""What the engine takes, though no variant that is shipped shows it: seven cards of a rank that are
no canasta.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from scorepad.rules.bounds import find_bounds
from scorepad.rules.cards import NOTHING, Reading, parse_cards, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.variants import build_variant, settle, settle_variant, sources
from tests.rules.hands import hand, judge_hand, problem_codes, side, side_with_totals, went_out

SKETCHES = Path(__file__).with_name("sketches")


@pytest.fixture
def settebello() -> Ruleset:
    return settle_variant(build_variant("settebello", SKETCHES, sources()), None, {})


def test_cards_that_make_no_canasta_that_there_is_are_none(settebello: Ruleset) -> None:
    # 5 sevens and 2 twos: 2000, cards 25 + 40 = 65. 6 kings and a two make no canasta here: cards
    # 60 + 20 = 80.
    judgement = judge_hand(hand(side("5x7 2x2"), side("6xK 2")), settebello)
    assert [side.hand for side in judgement.sides] == [2065, 80]


def test_totals_of_such_a_canasta_have_their_own_bounds(settebello: Ruleset) -> None:
    # The cheapest canasta of sevens is seven sevens: 35. Eight sevens and six wilds make two of
    # them, never three.
    def problems(cards: int, canastas: int) -> set[str]:
        told = hand(side_with_totals(cards, sevens_canasta=canastas), side())
        return problem_codes(judge_hand(told, settebello))

    assert problems(50, canastas=1) == set()
    assert problems(30, canastas=1) == {"totals-impossible", "opening-impossible"}
    assert problems(500, canastas=3) == {"totals-impossible"}


def test_wild_cards_that_make_no_canasta_that_there_is_lie_in_smaller_melds() -> None:
    # Wild cards alone may be laid, but nothing is said of seven: seven twos lie as three and four,
    # 140 points.
    classica = replace(settle("classica").settings, wild_melds="allowed")
    others = parse_cards("8xA 8xK 8xQ 8xJ 8x10 8x9 8x8 8x7 8x6 8x5 8x4 2 4xJK 4x3b")
    bounds = find_bounds(classica, {}, others, 1000)
    assert bounds.most == 140


def test_a_last_discard_can_be_obligatory(settebello: Ruleset) -> None:
    def problems(**discard: Reading) -> set[str]:
        out = went_out(0, **discard)
        return problem_codes(judge_hand(hand(side("7xK"), side(), out=out), settebello))

    assert problems(discard=NOTHING) == {"out-discard-missing"}
    assert problems(discard=read_cards("9")) == set()
    assert problems() == set(), "not recorded"
