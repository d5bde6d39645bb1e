"""Counting by the value of the cards, by the sum that the table agreed, and points agreed beside
any way.
"""

from __future__ import annotations

import pytest

from tests.web.counting import notes_beside, sides_asked_for_cards
from tests.web.player import Begin, Player
from tests.web.scorer import error_links, shown_values

# In these forms "a" is the first side, Noi ("we"), and "b" the second one, Loro ("they"); "cards"
# are the points of the cards that a side laid, "left" the points of those left in its hands, and
# "out" is the side that went out.
SUMS_1250_AND_MINUS_35 = {"a.sum": "1.250", "b.sum": "-35"}
"""A hand of which the table gives only what each side gets."""
GIFT_50_AND_DELAY_MINUS_15 = {
    "a.adjustments.0.points": "50",
    "a.adjustments.0.reason": "regalo",
    "a.adjustments.1.points": "-15",
    "a.adjustments.1.reason": "ritardo",
}
"""Points agreed for Noi beside the count: 50 as a gift, −15 for a delay."""


# ------------------------------------------------------ cards by value, as a sum in their field


def test_sum_of_card_values_is_shown_again_for_correction(player: Player) -> None:
    # Cards may be entered by their value: 3 jokers of 50, 7 aces or twos of 20, 2 cards from king
    # to eight of 10, and one lower card of 5 are 150 + 140 + 20 + 5 = 315. While somebody types,
    # the page shows that sum.
    by_value = "3x50 + 7x20 + 2x10 + 1x5"
    whole_hand = {
        "a.cards": by_value,
        "a.left": "0",
        "b.cards": "0",
        "b.left": "0",
        "out": "nobody",
    }
    page = player.while_typing(whole_hand)
    assert page.one(id="a-cards-echo").text == "= 315"

    # The hand is saved. Noi get the sum, and Loro, who laid nothing, 0.
    player.save(whole_hand)
    assert player.points == [[315, 0]]

    # The form of a correction has what was typed, and not only the sum.
    form_of_correction = player.correct()
    assert shown_values(form_of_correction)["a.cards"] == by_value

    # In the correction another sum is typed. The form of a second correction has that one.
    player.save({"a.cards": "315+10"}, form_of_correction)
    assert player.points == [[325, 0]]
    form_of_second_correction = player.correct()
    assert shown_values(form_of_second_correction)["a.cards"] == "315+10"


# ------------------------------------------------------ an agreed sum in place of the count


def test_hand_of_agreed_sums_is_saved_with_warning(player: Player) -> None:
    # The players agree that Noi get 1,250 and Loro −35, and type only these sums. Beside the field of
    # Loro the form shows "Warning: the score of Loro is the sum agreed at the table".
    page = player.check({"a.sum": "1.250", "b.sum": "-35"})
    warning = notes_beside(page, "b.sum")[0]
    assert warning.startswith("Attenzione: Il punteggio di Loro è la somma concordata al tavolo")

    # The form can be saved as it is.
    player.save({}, page)
    assert player.points == [[1250, -35]]

    # The form of a correction has the sums as they were typed. It does not ask who went out,
    # because a sum includes the points for that.
    form_of_correction = player.correct()
    values = shown_values(form_of_correction)
    assert values["a.sum"] == "1.250"
    assert values["b.sum"] == "-35"
    assert "out" not in values

    # The sum of Loro is corrected.
    player.save({"b.sum": "-30"}, form_of_correction)
    assert player.points == [[1250, -30]]


def test_only_adjustments_count_beside_agreed_sum(player: Player) -> None:
    # Beside a sum, points agreed with a reason count. Red threes and cards left in hand do not: the
    # sum includes them.
    noi = {
        "a.sum": "1.250",
        "a.adjustments.0.points": "20",
        "a.adjustments.0.reason": "caffè",
        "a.red_threes": "2",
        "a.left": "90",
    }
    loro = {"b.cards": "60", "b.left": "0"}

    # Loro are counted by their cards, for which it matters who went out.
    refused = player.save({**noi, **loro})
    assert error_links(refused) == ["#out"]

    player.save({"out": "nobody"}, refused)
    assert player.points == [[1270, 60]]  # 1250 + 20


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        # A penalty of the rules: drawing a card while it is another player's turn.
        ({"a.penalties.draw-out-of-turn": "1"}, "a.penalties.draw-out-of-turn"),
        # A penalty that the table itself decided.
        ({"a.house.0.points": "50", "a.house.0.reason": ""}, "a.house.0.points"),
    ],
)
def test_penalty_beside_agreed_sum_is_refused(
    player: Player, typed: dict[str, str], field: str
) -> None:
    page = player.save({**SUMS_1250_AND_MINUS_35, **typed})

    # The message says that the sum includes everything already, and that the penalty has to go.
    assert len(page.errors) == 1
    error = page.errors[0]
    assert error.startswith("Noi: La somma è già tutto compreso: togli la penalità")

    # The error ("Errore") stands beside the field too, which keeps what was typed.
    assert notes_beside(page, field) == [f"Errore: {error}"]
    assert typed.items() <= shown_values(page).items()


def test_each_player_of_pair_may_have_own_sum(begin: Begin) -> None:
    # In tagliagola three play, each for their own score. In each hand one of them plays alone
    # (`single`) against the other two, who lay their cards together: a and b share one column.
    player = begin("tagliagola")
    page = player.check({"single": "c"})
    assert sides_asked_for_cards(page) == "ac"

    # As soon as a has an agreed sum, b is counted by itself.
    page = player.check({"a.sum": "200"}, page)
    assert sides_asked_for_cards(page) == "abc"

    player.save({"b.sum": "300", "c.cards": "60", "c.left": "0", "out": "nobody"}, page)
    assert player.points == [[200, 300, 60]]


# ------------------------------------------------------ adjustments


def test_adjustments_may_add_or_take_away_points(player: Player) -> None:
    # Noi have laid cards worth 60. The players agree that they get 50 more as a gift, and 15 less
    # for a delay.
    cards = {"a.cards": "60", "a.left": "0", "b.cards": "0", "b.left": "0", "out": "nobody"}
    gift_and_delay = {
        "a.adjustments.0.points": "50",
        "a.adjustments.0.reason": "regalo",
        "a.adjustments.1.points": "-15",
        "a.adjustments.1.reason": "ritardo",
    }
    player.save({**cards, **gift_and_delay})
    assert player.points == [[95, 0]]  # 60 + 50 − 15

    # They are the last two lines in the score of Noi.
    score_of_noi = player.hands[0].sides[0]
    gift, delay = score_of_noi.lines[-2:]
    assert gift.points == 50
    assert gift.reason == "regalo"
    assert delay.points == -15
    assert delay.reason == "ritardo"

    # The form of a correction has them as they were typed.
    values = shown_values(player.correct())
    assert values.items() >= gift_and_delay.items()


def test_adjustments_count_beside_sum_and_special_hand(begin: Begin) -> None:
    player = begin("moderna")

    # In moderna a hand of seven pairs may be shown. It is then the whole score of its side: 2,500.
    pairs = {"a.special": "pairs", "b.cards": "0", "b.left": "0"}
    player.save({**SUMS_1250_AND_MINUS_35, **GIFT_50_AND_DELAY_MINUS_15})
    player.save({**pairs, **GIFT_50_AND_DELAY_MINUS_15})

    # 1,250 + 50 − 15, and 2,500 + 50 − 15
    assert player.points == [[1285, -35], [2535, 0]]


def test_empty_row_follows_filled_adjustments(player: Player) -> None:
    # At first there is one row for an adjustment, of which the number is 0.
    assert not player.open().all("input", id="a-adjustments-1-points")

    # Once it holds something, one more row is shown, but not two.
    player.check({"a.adjustments.0.points": "50"})
    assert player.open().one("input", id="a-adjustments-1-points")
    assert not player.open().all("input", id="a-adjustments-2-points")

    # A reason ("delay") without points fills the second row too.
    player.check({"a.adjustments.1.reason": "ritardo"})
    assert player.open().one("input", id="a-adjustments-2-points")
