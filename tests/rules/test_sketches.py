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
        # Too few points: seven sevens, the cheapest canasta, are worth 7 × 5 = 35. And the first
        # melds of a side have to be worth 50.
        (30, 1, {"totals-impossible", "opening-impossible"}),
        # Too many canastas: each has at least four sevens, and the decks have only eight.
        (500, 3, {"totals-impossible"}),
    ],
)
def test_totals_with_canastas_of_sevens_have_bounds(
    settebello: Ruleset, card_points: int, canastas: int, problems: set[str]
) -> None:
    # A canasta of sevens has seven cards: sevens of 5 points, and at most three wild cards of 20 or
    # more. A side entered how many such canastas it has, and the points of all its cards.
    counted = side_with_totals(cards=card_points, sevens_canasta=canastas)

    judgement = judge_hand(hand(counted, side()), settebello)

    assert problem_codes(judgement) == problems


def test_wild_cards_are_laid_in_small_melds_where_seven_make_no_canasta() -> None:
    # At this table a meld may be of wild cards alone (twos and jokers). Seven of them make no
    # canasta, unlike seven kings.
    settings = replace(settle("classica").settings, wild_melds="allowed")

    # Of the cards of two decks that can be melded, a side can have only seven of the eight twos. All
    # others lie elsewhere.
    natural_cards = "8xA 8xK 8xQ 8xJ 8x10 8x9 8x8 8x7 8x6 8x5 8x4"
    black_threes_jokers_and_a_two = "4x3b 4xJK 2"
    cards_elsewhere = parse_cards(f"{natural_cards} {black_threes_jokers_and_a_two}")

    # The side counted 1,000 points without a canasta. How many can its cards be worth at most?
    bounds = find_bounds(settings, canastas={}, taken=cards_elsewhere, points=1000)

    # It can lay all seven twos, three and four in a meld. A two is worth 20 points.
    assert bounds.most == 7 * 20


@pytest.mark.parametrize(
    ("discard", "problems"),
    [
        pytest.param(NOTHING, {"out-discard-missing"}, id="no discard"),
        pytest.param(read_cards("9"), set(), id="a nine"),
        pytest.param(None, set(), id="nobody entered which card"),
    ],
)
def test_going_out_needs_discard_where_it_is_obligatory(
    settebello: Ruleset, discard: Reading | None, problems: set[str]
) -> None:
    # In this game, whoever goes out has to discard a last card. A side went out with seven kings.
    played = hand(side("7xK"), side(), out=went_out(0, discard=discard))
    assert problem_codes(judge_hand(played, settebello)) == problems
