"""Rules that the engine supports, though no variant of the package has them."""

from dataclasses import replace
from pathlib import Path

import pytest

from scorepad.rules.bounds import find_bounds
from scorepad.rules.cards import NOTHING, Reading, parse_cards, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.variants import build_variant, settle, settle_variant, sources
from tests.rules.hands import hand, judge_hand, problem_codes, side, side_with_totals, went_out


@pytest.fixture
def settebello() -> Ruleset:
    """A game whose only canastas are seven natural cards, and seven sevens and wild cards.

    Its last discard is obligatory.
    """
    folder = Path(__file__).with_name("sketches")
    return settle_variant(build_variant("settebello", folder, sources()), None, {})


def test_canasta_of_sevens_has_its_own_points(settebello: Ruleset) -> None:
    judgement = judge_hand(hand(side("5x7 2x2"), side()), settebello)
    # The canasta 2000, 5 sevens 25, 2 twos 40.
    assert judgement.sides[0].hand == 2065


def test_seven_cards_that_make_no_canasta_count_only_as_cards(settebello: Ruleset) -> None:
    judgement = judge_hand(hand(side("6xK 2"), side()), settebello)
    # 6 kings 60, a two 20: a canasta of kings takes no wild cards in this game.
    assert judgement.sides[0].hand == 80


@pytest.mark.parametrize(
    ("card_points", "canastas", "problems"),
    [
        (50, 1, set()),
        # The cheapest canasta of sevens is seven sevens: 35. And 30 are too few to open.
        (30, 1, {"totals-impossible", "opening-impossible"}),
        # Eight sevens and six wild cards make two of them, never three.
        (500, 3, {"totals-impossible"}),
    ],
)
def test_totals_with_canastas_of_sevens_have_bounds(
    settebello: Ruleset, card_points: int, canastas: int, problems: set[str]
) -> None:
    """Where a side counted its cards and canastas itself, its points must be possible."""
    counted = side_with_totals(cards=card_points, sevens_canasta=canastas)
    judgement = judge_hand(hand(counted, side()), settebello)
    assert problem_codes(judgement) == problems


def test_wild_cards_are_laid_in_small_melds_where_seven_make_no_canasta() -> None:
    """Wild cards alone may be melded here, but seven are no canasta. Seven twos are all the cards
    that are left: as melds of three and of four they are worth 7 x 20 = 140 points.
    """
    settings = replace(settle("classica").settings, wild_melds="allowed")
    all_other_cards = parse_cards("8xA 8xK 8xQ 8xJ 8x10 8x9 8x8 8x7 8x6 8x5 8x4 2 4xJK 4x3b")

    bounds = find_bounds(settings, canastas={}, taken=all_other_cards, points=1000)

    assert bounds.most == 140


@pytest.mark.parametrize(
    ("discard", "problems"),
    [
        pytest.param(NOTHING, {"out-discard-missing"}, id="no discard"),
        pytest.param(read_cards("9"), set(), id="a nine"),
        pytest.param(None, set(), id="not recorded"),
    ],
)
def test_going_out_needs_discard_where_it_is_obligatory(
    settebello: Ruleset, discard: Reading | None, problems: set[str]
) -> None:
    """That no card was discarded (NOTHING) is a problem, that nobody entered one (None) is not."""
    played = hand(side("7xK"), side(), out=went_out(0, discard=discard))
    assert problem_codes(judge_hand(played, settebello)) == problems
