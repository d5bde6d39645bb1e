"""Counting by the value of the cards, by the sum that the table agreed, and points agreed beside
any way.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorepad.matches import Pad
from scorepad.rules.hand import encode_hand
from scorepad.rules.variants import settle
from scorepad.schemas.hand_requests import SIDE_KEYS
from tests.web.client import Client
from tests.web.counting import beside, columns_with_laid_cards
from tests.web.playing import start
from tests.web.scorer import Scorer, error_links, shown_values

NOBODY_OUT = {"a.left": "0", "b.cards": "0", "b.left": "0", "out": "nobody"}
BY_VALUES = {**NOBODY_OUT, "a.cards": "3x50 + 7x20 + 2x10 + 1x5"}
"""3 jokers, 7 aces or twos, 2 from king to eight, a seven or less: 150 + 140 + 20 + 5 = 315."""
AGREED = {"a.sum": "1.250", "b.sum": "-35"}
ADJUSTED = {
    "a.adjustments.0.points": "50", "a.adjustments.0.reason": "regalo",
    "a.adjustments.1.points": "-15", "a.adjustments.1.reason": "ritardo",
}  # fmt: skip


@pytest.fixture
def scorer(client: Client, pad: Pad) -> Scorer:
    return Scorer(client, pad, start(client))


def side_sent(scorer: Scorer, side: str) -> object:
    """What the counted hand says of a side."""
    return encode_hand(scorer.hands[0].counted.hand, SIDE_KEYS)["sides"][side]


# ---------------------------------------------------------------- by value, as a sum in the cell


def test_cards_are_counted_by_value_in_the_cell(scorer: Scorer) -> None:
    assert scorer.while_typing(BY_VALUES).one(id="a-cards-echo").text == "= 315"
    scorer.save(BY_VALUES)
    assert side_sent(scorer, "a") == {"totals": {"cards": 315}}


def test_a_sum_of_values_comes_back_for_a_correction_as_long_as_it_comes_to_the_points(
    scorer: Scorer,
) -> None:
    scorer.save(BY_VALUES)
    page = scorer.correct()
    assert shown_values(page)["a.cards"] == BY_VALUES["a.cards"]
    scorer.save({"a.cards": "315+10"}, page)
    assert shown_values(scorer.correct())["a.cards"] == "315+10"
    assert scorer.points == [[325, 0]]


def test_what_is_no_sum_is_told_beside_the_cell_and_stays(scorer: Scorer) -> None:
    page = scorer.save({**BY_VALUES, "a.cards": "3x50+tre"})
    assert "Qui serve un numero intero" in beside(page, "a.cards")[0]
    assert shown_values(page)["a.cards"] == "3x50+tre"


# ---------------------------------------------------------------- the sum


def test_a_hand_of_two_sums_needs_nothing_else_and_is_marked_as_not_checked(
    scorer: Scorer,
) -> None:
    page = scorer.check(AGREED)
    (warning,) = beside(page, "b.sum")
    assert warning.startswith("Attenzione: Il punteggio di Loro è la somma concordata al tavolo")
    scorer.save({}, page)
    assert scorer.points == [[1250, -35]]
    assert side_sent(scorer, "a") == {"sum": 1250}
    page = scorer.correct()
    shown = shown_values(page)
    assert AGREED.items() <= shown.items(), "as it was typed"
    assert "out" not in shown
    scorer.save({"b.sum": "-30"}, page)
    assert scorer.points == [[1250, -30]]


def test_beside_a_sum_only_agreed_adjustments_count_and_the_rest_stays_typed(
    scorer: Scorer,
) -> None:
    typed = {
        "a.sum": "1.250", "b.cards": "60", "b.left": "0", "a.red_threes": "2", "a.left": "90",
        "a.adjustments.0.points": "20", "a.adjustments.0.reason": "caffè",
    }  # fmt: skip
    page = scorer.save(typed)
    assert error_links(page) == ["#out"], "Loro are counted by their cards"
    page = scorer.save({"out": "b"}, page)
    assert len(page.errors) == 1, "that Loro went out without a canasta is all there is to say"
    assert shown_values(page)["a.red_threes"] == "2"
    scorer.save({"out": "nobody"}, page)
    assert scorer.points == [[1270, 60]]


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"a.penalties.draw-out-of-turn": "1"}, "a.penalties.draw-out-of-turn"),
        ({"a.house.0.points": "50", "a.house.0.reason": ""}, "a.house.0.points"),
    ],
)
def test_a_penalty_noted_beside_a_sum_is_not_lost_without_a_word(
    scorer: Scorer, typed: dict[str, str], field: str
) -> None:
    page = scorer.save({**AGREED, **typed})
    (told,) = page.errors
    assert told.startswith("Noi: La somma è già tutto compreso: togli la penalità")
    assert beside(page, field) == [f"Errore: {told}"]
    assert shown_values(page)[field] == typed[field]
    assert scorer.hands == []
    scorer.save({field: "0" if "draw" in field else ""}, page)
    assert scorer.points == [[1250, -35]]


@pytest.mark.parametrize("variant", ["mini", "moderna", "tre", "hand-and-foot", "bolivia"])
def test_in_every_variant_the_table_may_agree_a_sum(client: Client, pad: Pad, variant: str) -> None:
    scorer = Scorer(client, pad, start(client, variant))
    sides = len(scorer.state.sides)
    scorer.save({f"{key}.sum": "17" for key in SIDE_KEYS[:sides]})
    assert scorer.points == [[17] * sides]


def test_each_of_a_temporary_pair_has_a_sum_of_its_own(client: Client, pad: Pad) -> None:
    scorer = Scorer(client, pad, start(client, "tagliagola"))
    page = scorer.check({"single": "c"})
    assert columns_with_laid_cards(page) == "ac"
    page = scorer.check({"a.sum": "200"}, page)
    assert columns_with_laid_cards(page) == "abc"
    scorer.save({"b.sum": "300", "c.cards": "60", "c.left": "0", "out": "nobody"}, page)
    scorer.save({"a.sum": "50", "b.sum": "50", "c.sum": "50"})
    assert scorer.points == [[200, 300, 60], [50, 50, 50]]


# ---------------------------------------------------------------- points agreed


def test_points_of_either_sign_are_agreed_with_a_reason(scorer: Scorer) -> None:
    scorer.save({**NOBODY_OUT, "a.cards": "60", **ADJUSTED})
    assert scorer.points == [[95, 0]]
    given, taken = scorer.hands[0].sides[0].lines[-2:]
    assert (given.points, given.reason, taken.points, taken.reason) == (
        50, "regalo", -15, "ritardo",
    )  # fmt: skip
    assert ADJUSTED.items() <= shown_values(scorer.correct()).items()


def test_points_are_agreed_beside_a_sum_and_a_special_hand_too(client: Client, pad: Pad) -> None:
    scorer = Scorer(client, pad, start(client, "moderna"))
    scorer.save({**AGREED, **ADJUSTED})
    scorer.save({"a.special": "pairs", "b.cards": "0", "b.left": "0", **ADJUSTED})
    special_hand = dict(settle("moderna").settings.special_hands)["pairs"]
    assert scorer.points == [[1250 + 35, -35], [special_hand + 35, 0]]


def test_a_further_row_stands_behind_those_that_are_filled(scorer: Scorer) -> None:
    page = scorer.open()
    assert not page.all("input", id="a-adjustments-1-points")
    page = scorer.check({"a.adjustments.0.points": "50"}, page)
    assert page.one("input", id="a-adjustments-1-points")
    page = scorer.check({"a.adjustments.1.reason": "ritardo"}, page)
    assert page.one("input", id="a-adjustments-2-reason")


@pytest.mark.parametrize(
    ("typed", "field", "told"),
    [
        ({"a.adjustments.0.reason": ""}, "a.adjustments.0.reason", "Qual è il motivo di questa"),
        ({"a.adjustments.1.points": ""}, "a.adjustments.1.points", "Di quanti punti è questa"),
        ({"a.adjustments.1.points": "7"}, "a.adjustments.1.points", "multipli di 5"),
        ({"b.house.0.points": "25"}, "b.house.0.reason", "Qual è il motivo"),
        ({"b.house.1.reason": "vino"}, "b.house.1.points", "Quanti punti"),
    ],
)
def test_points_agreed_and_penalties_of_the_table_need_points_and_a_reason(
    scorer: Scorer, typed: dict[str, str], field: str, told: str
) -> None:
    page = scorer.save({**NOBODY_OUT, "a.cards": "60", **ADJUSTED, **typed})
    assert error_links(page) == [f"#{field.replace('.', '-')}"]
    assert told in beside(page, field)[0]


def test_the_page_says_all_of_it_in_english_too(visit: Callable[..., Client], pad: Pad) -> None:
    english = visit("en")
    words = Scorer(english, pad, start(english)).open().form("Save the hand").text
    for said in ("By the cards", "More:", "Agreed adjustment 1: points", "With a minus in front"):
        assert said in words
