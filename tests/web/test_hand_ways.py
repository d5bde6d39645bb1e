"""Counting by the value of the cards, by the sum that the table agreed, and points agreed beside
any way.
"""

from __future__ import annotations

import pytest

from tests.web.counting import notes_beside, sides_asked_for_cards
from tests.web.player import Begin, Player
from tests.web.scorer import error_links, shown_values

FORM_WITHOUT_CARDS_OF_NOI = {"a.left": "0", "b.cards": "0", "b.left": "0", "out": "nobody"}
"""The fields of a hand but for the cards that the first side laid."""
CARDS_BY_VALUE = "3x50 + 7x20 + 2x10 + 1x5"
"""150 + 140 + 20 + 5 = 315: jokers are 50 each, aces and twos 20, kings to eights 10, others 5."""
SUMS_1250_TO_MINUS_35 = {"a.sum": "1.250", "b.sum": "-35"}
ADJUSTED_BY_35 = {
    "a.adjustments.0.points": "50",
    "a.adjustments.0.reason": "regalo",
    "a.adjustments.1.points": "-15",
    "a.adjustments.1.reason": "ritardo",
}


# ------------------------------------------------------ cards by value, as a sum in their field


def test_sum_of_card_values_is_shown_again_for_correction(player: Player) -> None:
    form = {**FORM_WITHOUT_CARDS_OF_NOI, "a.cards": CARDS_BY_VALUE}
    page = player.while_typing(form)
    assert page.one(id="a-cards-echo").text == "= 315"

    player.save(form)
    assert player.points == [[315, 0]]
    correction = player.correct()
    assert shown_values(correction)["a.cards"] == CARDS_BY_VALUE

    player.save({"a.cards": "315+10"}, correction)
    assert player.points == [[325, 0]]
    assert shown_values(player.correct())["a.cards"] == "315+10"


# ------------------------------------------------------ an agreed sum in place of the count


def test_hand_of_agreed_sums_is_saved_with_warning(player: Player) -> None:
    """The warning: the score is the sum agreed at the table, which is not checked."""
    page = player.check(SUMS_1250_TO_MINUS_35)
    warning = notes_beside(page, "b.sum")[0]
    assert warning.startswith("Attenzione: Il punteggio di Loro è la somma concordata al tavolo")

    player.save({}, page)
    assert player.points == [[1250, -35]]

    correction = player.correct()
    values = shown_values(correction)
    assert SUMS_1250_TO_MINUS_35.items() <= values.items(), "as it was typed"
    assert "out" not in values
    player.save({"b.sum": "-30"}, correction)
    assert player.points == [[1250, -30]]


def test_only_adjustments_count_beside_agreed_sum(player: Player) -> None:
    noi = {
        "a.sum": "1.250",
        "a.adjustments.0.points": "20",
        "a.adjustments.0.reason": "caffè",
        # These do not count:
        "a.red_threes": "2",
        "a.left": "90",
    }
    loro = {"b.cards": "60", "b.left": "0"}

    refused = player.save({**noi, **loro})
    # Loro have no sum: for the count of their cards it matters who went out.
    assert error_links(refused) == ["#out"]

    player.save({"out": "nobody"}, refused)
    assert player.points == [[1270, 60]]


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"a.penalties.draw-out-of-turn": "1"}, "a.penalties.draw-out-of-turn"),
        ({"a.house.0.points": "50", "a.house.0.reason": ""}, "a.house.0.points"),
    ],
)
def test_penalty_beside_agreed_sum_is_refused(
    player: Player, typed: dict[str, str], field: str
) -> None:
    page = player.save({**SUMS_1250_TO_MINUS_35, **typed})

    assert len(page.errors) == 1
    error = page.errors[0]
    # The sum includes everything: the penalty is to be removed.
    assert error.startswith("Noi: La somma è già tutto compreso: togli la penalità")
    assert notes_beside(page, field) == [f"Errore: {error}"]
    assert typed.items() <= shown_values(page).items()


def test_each_player_of_pair_may_have_own_sum(begin: Begin) -> None:
    """In tagliagola one of three plays alone (`single`), and the other two lay cards together."""
    player = begin("tagliagola")
    page = player.check({"single": "c"})
    assert sides_asked_for_cards(page) == "ac"  # a and b share a column

    page = player.check({"a.sum": "200"}, page)
    assert sides_asked_for_cards(page) == "abc"

    player.save({"b.sum": "300", "c.cards": "60", "c.left": "0", "out": "nobody"}, page)
    assert player.points == [[200, 300, 60]]


# ------------------------------------------------------ adjustments


def test_adjustments_may_add_or_take_away_points(player: Player) -> None:
    player.save({**FORM_WITHOUT_CARDS_OF_NOI, "a.cards": "60", **ADJUSTED_BY_35})

    assert player.points == [[95, 0]]  # 60 + 50 − 15
    gift, delay = player.hands[0].sides[0].lines[-2:]
    assert gift.points == 50
    assert gift.reason == "regalo"
    assert delay.points == -15
    assert delay.reason == "ritardo"
    assert ADJUSTED_BY_35.items() <= shown_values(player.correct()).items()


def test_adjustments_count_beside_sum_and_special_hand(begin: Begin) -> None:
    player = begin("moderna")

    player.save({**SUMS_1250_TO_MINUS_35, **ADJUSTED_BY_35})
    player.save({"a.special": "pairs", "b.cards": "0", "b.left": "0", **ADJUSTED_BY_35})

    # 1,250 + 50 − 15; a hand of pairs is worth 2,500
    assert player.points == [[1285, -35], [2535, 0]]


def test_empty_row_follows_filled_adjustments(player: Player) -> None:
    assert not player.open().all("input", id="a-adjustments-1-points")

    player.check({"a.adjustments.0.points": "50"})
    assert player.open().one("input", id="a-adjustments-1-points")
    assert not player.open().all("input", id="a-adjustments-2-points")

    player.check({"a.adjustments.1.reason": "ritardo"})
    assert player.open().one("input", id="a-adjustments-2-points")
