"""Counting by the value of the cards, by the sum that the table agreed, and points agreed beside
any way.
"""

from __future__ import annotations

import pytest

from scorepad.rules.variants import settle
from scorepad.schemas.hand_requests import SIDE_KEYS
from tests.web.counting import beside, columns_with_laid_cards
from tests.web.player import Begin, Player
from tests.web.scorer import error_links, shown_values
from tests.web.tables import read_tables

NOBODY_OUT = {"a.left": "0", "b.cards": "0", "b.left": "0", "out": "nobody"}
BY_VALUES = {**NOBODY_OUT, "a.cards": "3x50 + 7x20 + 2x10 + 1x5"}
"""3 jokers, 7 aces or twos, 2 from king to eight, a seven or less: 150 + 140 + 20 + 5 = 315."""
AGREED = {"a.sum": "1.250", "b.sum": "-35"}
ADJUSTED = {
    "a.adjustments.0.points": "50", "a.adjustments.0.reason": "regalo",
    "a.adjustments.1.points": "-15", "a.adjustments.1.reason": "ritardo",
}  # fmt: skip


# ---------------------------------------------------------------- by value, as a sum in the cell


def test_cards_are_counted_by_value_in_the_cell(player: Player) -> None:
    assert player.while_typing(BY_VALUES).one(id="a-cards-echo").text == "= 315"
    player.save(BY_VALUES)
    assert player.hands[0].counted.hand.sides[0].totals.cards == 315


def test_a_sum_of_values_comes_back_for_a_correction_as_long_as_it_comes_to_the_points(
    player: Player,
) -> None:
    player.save(BY_VALUES)
    page = player.correct()
    assert shown_values(page)["a.cards"] == BY_VALUES["a.cards"]
    player.save({"a.cards": "315+10"}, page)
    assert shown_values(player.correct())["a.cards"] == "315+10"
    assert player.points == [[325, 0]]


# ---------------------------------------------------------------- the sum


def test_a_hand_of_two_sums_needs_nothing_else_and_is_marked_as_not_checked(
    player: Player,
) -> None:
    page = player.check(AGREED)
    (warning,) = beside(page, "b.sum")
    assert warning.startswith("Attenzione: Il punteggio di Loro è la somma concordata al tavolo")
    player.save({}, page)
    assert player.points == [[1250, -35]]
    assert player.hands[0].counted.hand.sides[0].sum == 1250
    page = player.correct()
    shown = shown_values(page)
    assert AGREED.items() <= shown.items(), "as it was typed"
    assert "out" not in shown
    player.save({"b.sum": "-30"}, page)
    assert player.points == [[1250, -30]]


def test_beside_a_sum_only_agreed_adjustments_count_and_the_rest_stays_typed(
    player: Player,
) -> None:
    typed = {
        "a.sum": "1.250", "b.cards": "60", "b.left": "0", "a.red_threes": "2", "a.left": "90",
        "a.adjustments.0.points": "20", "a.adjustments.0.reason": "caffè",
    }  # fmt: skip
    page = player.save(typed)
    assert error_links(page) == ["#out"], "Loro are counted by their cards"
    page = player.save({"out": "b"}, page)
    assert len(page.errors) == 1, "that Loro went out without a canasta is all there is to say"
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
    page = player.save({**AGREED, **typed})
    (told,) = page.errors
    assert told.startswith("Noi: La somma è già tutto compreso: togli la penalità")
    assert beside(page, field) == [f"Errore: {told}"]
    assert typed.items() <= shown_values(page).items()
    player.save({field: "0" if "draw" in field else ""}, page)
    assert player.points == [[1250, -35]]


@pytest.mark.parametrize("variant", ["mini", "moderna", "tre", "hand-and-foot", "bolivia"])
def test_in_every_variant_the_table_may_agree_a_sum(begin: Begin, variant: str) -> None:
    player = begin(variant)
    sides = len(player.state.sides)
    player.save({f"{key}.sum": "17" for key in SIDE_KEYS[:sides]})
    assert player.points == [[17] * sides]


def test_each_of_a_temporary_pair_has_a_sum_of_its_own(begin: Begin) -> None:
    player = begin("tagliagola")
    page = player.check({"single": "c"})
    assert columns_with_laid_cards(page) == "ac"
    page = player.check({"a.sum": "200"}, page)
    assert columns_with_laid_cards(page) == "abc"
    player.save({"b.sum": "300", "c.cards": "60", "c.left": "0", "out": "nobody"}, page)
    player.save({"a.sum": "50", "b.sum": "50", "c.sum": "50"})
    assert player.points == [[200, 300, 60], [50, 50, 50]]


# ---------------------------------------------------------------- points agreed


def test_points_of_either_sign_are_agreed_with_a_reason(player: Player) -> None:
    player.save({**NOBODY_OUT, "a.cards": "60", **ADJUSTED})
    assert player.points == [[95, 0]]
    lines = player.hands[0].sides[0].lines[-2:]
    assert [(line.points, line.reason) for line in lines] == [(50, "regalo"), (-15, "ritardo")]
    assert ADJUSTED.items() <= shown_values(player.correct()).items()


def test_points_are_agreed_beside_a_sum_and_a_special_hand_too(begin: Begin) -> None:
    player = begin("moderna")
    player.save({**AGREED, **ADJUSTED})
    player.save({"a.special": "pairs", "b.cards": "0", "b.left": "0", **ADJUSTED})
    special_hand = dict(settle("moderna").settings.special_hands)["pairs"]
    assert player.points == [[1250 + 35, -35], [special_hand + 35, 0]]


def test_a_further_row_stands_behind_those_that_are_filled(player: Player) -> None:
    typed = {"a.adjustments.0.points": "50", "a.adjustments.1.reason": "ritardo"}
    for number, (field, text) in enumerate(typed.items()):
        assert not player.open().all("input", id=f"a-adjustments-{number + 1}-points")
        player.check({field: text})
    assert player.open().one("input", id="a-adjustments-2-reason")


@pytest.mark.parametrize(("typed", "field", "told"), read_tables("hand_page")["reasons"])
def test_points_agreed_and_penalties_of_the_table_need_points_and_a_reason(
    player: Player, typed: dict[str, str], field: str, told: str
) -> None:
    page = player.save({**NOBODY_OUT, "a.cards": "60", **ADJUSTED, **typed})
    assert error_links(page) == [f"#{field.replace('.', '-')}"]
    assert told in beside(page, field)[0]
