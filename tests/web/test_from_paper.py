"""A match taken over from a sheet of paper: its totals, below zero too, and the hands that were
played there.
"""

from __future__ import annotations

import pytest

from scorepad.matches import Pad
from tests.web.client import Client, Page
from tests.web.player import Begin
from tests.web.playing import HAND_430_TO_60, device, hand, play
from tests.web.tables import read_tables

CASES = read_tables("from_paper")


def start_from_paper(
    client: Client, variant: str = "classica", status: int = 200, **typed: str
) -> Page:
    """Start a match that goes on from totals on paper, by the form of a new match. Returns the page
    that follows.
    """
    page = client.get(f"/partite/nuova?variante={variant}")
    return client.submit(page, "Comincia: ", status, **typed)


def totals(page: Page) -> list[str]:
    """Read the totals of both sides from the page of a match."""
    return page.texts(class_="total")


def test_opening_minimums_follow_totals_from_paper(client: Client, pad: Pad) -> None:
    # The fields for totals from paper are folded away, because few matches need them.
    assert not client.get("/partite/nuova").is_unfolded("paper")

    # Loro were below zero on paper, for which the form has a box to tick.
    below_zero = {"carried_1": "65", "carried_1_below": "on"}
    page = start_from_paper(client, carried_0=" 1.480", **below_zero)
    assert totals(page) == ["1.480", "−65"]

    # The points that the first melds of a side must have: 15 below zero, 50 from 0, 90 from 1,500.
    assert page.texts(class_="minimum") == ["50", "15"]

    page = play(pad, client, page.url, HAND_430_TO_60)
    assert totals(page) == ["1.910", "−5"]  # 1,480 + 430 and −65 + 60


def test_chosen_dealer_deals_next_hand(begin: Begin) -> None:
    player = begin(carried_0="500", carried_1="0", player_1_0="Ugo", dealer="1-0")
    assert "Dà le carte Ugo (Loro)" in player.page().text  # "Ugo deals"


@pytest.mark.parametrize(("variant", "typed", "field", "error"), CASES["wrong"])
def test_impossible_total_from_paper_is_refused_beside_its_field(
    client: Client, pad: Pad, variant: str, typed: dict[str, str], field: str, error: str
) -> None:
    # An example from `from_paper.toml`: {"carried_0": "tanti"} ("many"), whose error in the field
    # "carried-0" is that a total is written in digits.
    page = start_from_paper(client, variant, status=422, **typed)

    # The error stands in the summary, with a link to the field, and beside the field.
    assert page.errors == [error]
    assert page.one("p", id=f"{field}-error").text == error
    assert page.one(class_="errors").one("a")["href"] == f"#{field}"

    # The fields are unfolded, and show what was typed.
    assert page.is_unfolded("paper")
    for name, text in typed.items():
        field_name = name.replace("_", "-")
        assert page.value_of(field_name) == text
    assert pad.summaries(device(client)).in_progress == ()  # no match was started


def test_match_with_equal_totals_beyond_target_is_not_finished(begin: Begin) -> None:
    # Both sides are beyond the target of 5,000, but neither leads. They play one more hand.
    player = begin(carried_0="5.200", carried_1="5.200")
    assert not player.state.status.finished


def test_totals_of_mini_need_not_be_multiples_of_five(begin: Begin) -> None:
    # In this variant points are counted in units: a match ends at 30.
    player = begin("mini", carried_0="17", carried_1="3")
    assert player.state.carried == (17, 3)


# ---------------------------------------------------------------- a number of hands


@pytest.mark.parametrize(
    ("played", "minimum", "heading"),
    [("", 50, "Smazzata 1 di 4"), ("3", 150, "Smazzata 4 di 4")],
    ids=["first hand of four", "last hand of four"],
)
def test_opening_minimum_depends_on_hands_played_on_paper(
    begin: Begin, played: str, minimum: int, heading: str
) -> None:
    # In hand and foot the first melds of a side must have 50, 90, 120 and 150 points, one hand
    # after the other, whatever the totals are.
    player = begin("hand-and-foot", carried_0="1.000", carried_1="250", played=played)
    assert [side.minimum for side in player.state.sides] == [minimum, minimum]
    assert player.page().one(id="coming").text == heading


def test_hands_played_on_paper_count_towards_end_of_match(begin: Begin) -> None:
    # A match of hand and foot has four hands. Three of them were played on paper.
    player = begin("hand-and-foot", carried_0="1.000", carried_1="0", played="3")

    # In the fourth nobody lays anything, and each side has a four left in hand.
    nothing_laid = {"melds": [], "left": "4"}
    player.play(hand(a=nothing_laid, b=nothing_laid))

    # The match is over, and the first side wins by the 1,000 points from paper.
    assert player.state.status.winner == 0


def test_hands_played_on_paper_require_totals(client: Client) -> None:
    # Somebody says that two hands were played on paper, but not with how many points.
    page = start_from_paper(client, "hand-and-foot", status=422, played="2")

    error_of_noi, error_of_loro = page.errors
    assert error_of_noi.startswith("Noi: Manca il totale.")  # "The total is missing."
    assert error_of_loro.startswith("Loro: Manca il totale.")
