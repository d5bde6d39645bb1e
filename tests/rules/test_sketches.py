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
    """Read a game that exists only in these tests.

    It has two kinds of canasta (a meld of seven cards): natural cards, and sevens, which may have
    wild cards among them. Whoever goes out has to discard a last card.
    """
    folder = Path(__file__).with_name("sketches")
    return settle_variant(build_variant("settebello", folder, sources()), None, {})


def test_canasta_of_sevens_has_its_own_points(settebello: Ruleset) -> None:
    # Five sevens and two twos.
    judgement = judge_hand(hand(side("5x7 2x2"), side()), settebello)

    # 2,000 for the canasta + 5 × 5 + 2 × 20
    assert judgement.sides[0].hand == 2065


def test_seven_cards_that_make_no_canasta_count_only_as_cards(settebello: Ruleset) -> None:
    # Six kings and a two. In this game a canasta of kings takes no wild cards.
    judgement = judge_hand(hand(side("6xK 2"), side()), settebello)

    # 6 × 10 + 20
    assert judgement.sides[0].hand == 80


@pytest.mark.parametrize(
    ("card_points", "canastas", "problems"),
    [
        (50, 1, set()),
        # The cheapest canasta is seven sevens, 35 points. And opening the game takes 50.
        (30, 1, {"totals-impossible", "opening-impossible"}),
        # The eight sevens of the decks, with wild cards, make two canastas, never three.
        (500, 3, {"totals-impossible"}),
    ],
)
def test_totals_with_canastas_of_sevens_have_bounds(
    settebello: Ruleset, card_points: int, canastas: int, problems: set[str]
) -> None:
    # A side entered only its canastas of sevens, and what all its cards are worth.
    counted = side_with_totals(cards=card_points, sevens_canasta=canastas)
    judgement = judge_hand(hand(counted, side()), settebello)
    assert problem_codes(judgement) == problems


def test_wild_cards_are_laid_in_small_melds_where_seven_make_no_canasta() -> None:
    # Wild cards alone may be melded here, but seven of them are no canasta.
    settings = replace(settle("classica").settings, wild_melds="allowed")

    # All cards lie elsewhere but seven of the eight twos. A side without canastas can lay them all,
    # as a meld of three and one of four.
    all_other_cards = parse_cards("8xA 8xK 8xQ 8xJ 8x10 8x9 8x8 8x7 8x6 8x5 8x4 2 4xJK 4x3b")
    bounds = find_bounds(settings, canastas={}, taken=all_other_cards, points=1000)

    # 7 × 20
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
    # A side went out with seven kings. That no card was discarded (NOTHING) is a problem; that
    # nobody entered which one (None) is not.
    played = hand(side("7xK"), side(), out=went_out(0, discard=discard))
    assert problem_codes(judge_hand(played, settebello)) == problems
