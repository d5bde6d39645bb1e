"""Counting by the value of the cards, by the sum that the table agreed, and points agreed beside
any way.
"""

from __future__ import annotations

import pytest

from scorepad.rules.variants import settle
from tests.web.counting import notes_beside, sides_asked_for_cards
from tests.web.player import Begin, Player
from tests.web.scorer import error_links, shown_values

NOTHING_ELSE = {"a.left": "0", "b.cards": "0", "b.left": "0", "out": "nobody"}
"""The fields of a hand but for the cards that the first side laid."""
BY_VALUES = "3x50 + 7x20 + 2x10 + 1x5"
"""3 jokers, 7 aces or twos, 2 from king to eight, a seven or less: 150 + 140 + 20 + 5 = 315."""
SUMS_1250_TO_MINUS_35 = {"a.sum": "1.250", "b.sum": "-35"}
ADJUSTED_BY_35 = {
    "a.adjustments.0.points": "50",
    "a.adjustments.0.reason": "regalo",
    "a.adjustments.1.points": "-15",
    "a.adjustments.1.reason": "ritardo",
}


# ---------------------------------------------------------------- by value, as a sum in the cell


def test_a_sum_of_values_comes_back_for_a_correction_as_long_as_it_comes_to_the_points(
    player: Player,
) -> None:
    form = {**NOTHING_ELSE, "a.cards": BY_VALUES}
    assert player.while_typing(form).one(id="a-cards-echo").text == "= 315"

    player.save(form)
    assert player.points == [[315, 0]]
    page = player.correct()
    assert shown_values(page)["a.cards"] == BY_VALUES

    player.save({"a.cards": "315+10"}, page)
    assert player.points == [[325, 0]]
    assert shown_values(player.correct())["a.cards"] == "315+10"


# ---------------------------------------------------------------- the sum


def test_a_hand_of_two_sums_needs_nothing_else_and_is_marked_as_not_checked(
    player: Player,
) -> None:
    page = player.check(SUMS_1250_TO_MINUS_35)
    (warning,) = notes_beside(page, "b.sum")
    assert warning.startswith("Attenzione: Il punteggio di Loro è la somma concordata al tavolo")

    player.save({}, page)
    assert player.points == [[1250, -35]]

    page = player.correct()
    values = shown_values(page)
    assert SUMS_1250_TO_MINUS_35.items() <= values.items(), "as it was typed"
    assert "out" not in values
    player.save({"b.sum": "-30"}, page)
    assert player.points == [[1250, -30]]


def test_beside_a_sum_only_agreed_adjustments_count_and_the_rest_stays_typed(
    player: Player,
) -> None:
    typed = {
        "a.sum": "1.250",
        "a.red_threes": "2",
        "a.left": "90",
        "a.adjustments.0.points": "20",
        "a.adjustments.0.reason": "caffè",
        "b.cards": "60",
        "b.left": "0",
    }
    page = player.save(typed)
    assert error_links(page) == ["#out"], "Loro are counted by their cards"

    player.save({"out": "nobody"}, page)
    assert player.points == [[1270, 60]]


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"a.penalties.draw-out-of-turn": "1"}, "a.penalties.draw-out-of-turn"),
        ({"a.house.0.points": "50", "a.house.0.reason": ""}, "a.house.0.points"),
    ],
)
def test_a_penalty_noted_beside_a_sum_is_not_lost_without_a_word(
    player: Player, typed: dict[str, str], field: str
) -> None:
    page = player.save({**SUMS_1250_TO_MINUS_35, **typed})

    (error,) = page.errors
    assert error.startswith("Noi: La somma è già tutto compreso: togli la penalità")
    assert notes_beside(page, field) == [f"Errore: {error}"]
    assert typed.items() <= shown_values(page).items()


def test_each_of_a_temporary_pair_has_a_sum_of_its_own(begin: Begin) -> None:
    """Of three, who takes the pile first plays alone; the other two lay their cards together."""
    player = begin("tagliagola")
    page = player.check({"single": "c"})
    assert sides_asked_for_cards(page) == "ac"

    page = player.check({"a.sum": "200"}, page)
    assert sides_asked_for_cards(page) == "abc"

    player.save({"b.sum": "300", "c.cards": "60", "c.left": "0", "out": "nobody"}, page)
    assert player.points == [[200, 300, 60]]


# ---------------------------------------------------------------- points agreed


def test_points_of_either_sign_are_agreed_with_a_reason(player: Player) -> None:
    player.save({**NOTHING_ELSE, "a.cards": "60", **ADJUSTED_BY_35})

    assert player.points == [[60 + 50 - 15, 0]]
    gift, delay = player.hands[0].sides[0].lines[-2:]
    assert gift.points == 50
    assert gift.reason == "regalo"
    assert delay.points == -15
    assert delay.reason == "ritardo"
    assert ADJUSTED_BY_35.items() <= shown_values(player.correct()).items()


def test_points_are_agreed_beside_a_sum_and_a_special_hand_too(begin: Begin) -> None:
    player = begin("moderna")

    player.save({**SUMS_1250_TO_MINUS_35, **ADJUSTED_BY_35})
    player.save({"a.special": "pairs", "b.cards": "0", "b.left": "0", **ADJUSTED_BY_35})

    points_of_pairs = dict(settle("moderna").settings.special_hands)["pairs"]
    assert player.points == [[1250 + 35, -35], [points_of_pairs + 35, 0]]


def test_a_further_row_stands_behind_those_that_are_filled(player: Player) -> None:
    assert not player.open().all("input", id="a-adjustments-1-points")

    player.check({"a.adjustments.0.points": "50"})
    assert player.open().one("input", id="a-adjustments-1-points")
    assert not player.open().all("input", id="a-adjustments-2-points")

    player.check({"a.adjustments.1.reason": "ritardo"})
    assert player.open().one("input", id="a-adjustments-2-points")
