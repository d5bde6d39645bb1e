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
    """Start a match of this variant with what was typed from paper; the page that follows."""
    page = client.get(f"/partite/nuova?variante={variant}")
    return client.submit(page, "Comincia: ", status, **typed)


def totals(page: Page) -> list[str]:
    return page.texts(class_="total")


def test_opening_minimums_follow_totals_from_paper(client: Client, pad: Pad) -> None:
    """A side opens with 15 if its total is below zero, with 50 from 0 on, with 90 from 1,500 on."""
    assert not client.get("/partite/nuova").is_unfolded("paper")

    below_zero = {"carried_1": "65", "carried_1_below": "on"}
    page = start_from_paper(client, carried_0=" 1.480", **below_zero)
    assert totals(page) == ["1.480", "−65"]
    assert page.texts(class_="minimum") == ["50", "15"]

    page = play(pad, client, page.url, HAND_430_TO_60)
    assert totals(page) == ["1.910", "−5"]


def test_chosen_dealer_deals_next_hand(begin: Begin) -> None:
    player = begin(carried_0="500", carried_1="0", player_1_0="Ugo", dealer="1-0")
    assert "Dà le carte Ugo (Loro)" in player.page().text


@pytest.mark.parametrize(("variant", "typed", "field", "error"), CASES["wrong"])
def test_impossible_total_from_paper_is_refused_beside_its_field(
    client: Client, pad: Pad, variant: str, typed: dict[str, str], field: str, error: str
) -> None:
    """For example a total in words: see `wrong` in `from_paper.toml`."""
    page = start_from_paper(client, variant, status=422, **typed)

    assert page.errors == [error]
    assert page.one("p", id=f"{field}-error").text == error
    assert page.one(class_="errors").one("a")["href"] == f"#{field}"
    assert page.is_unfolded("paper")
    for name, text in typed.items():
        field_name = name.replace("_", "-")
        assert page.value_of(field_name) == text
    assert pad.summaries(device(client)).in_progress == ()  # no match was started


def test_match_with_equal_totals_beyond_target_is_not_finished(begin: Begin) -> None:
    player = begin(carried_0="5.200", carried_1="5.200")  # the target is 5,000
    assert not player.state.status.finished


def test_totals_of_mini_need_not_be_multiples_of_five(begin: Begin) -> None:
    assert begin("mini", carried_0="17", carried_1="3").state.carried == (17, 3)


# ---------------------------------------------------------------- a number of hands


@pytest.mark.parametrize(
    ("played", "minimum", "heading"), [("", 50, "Smazzata 1 di 4"), ("3", 150, "Smazzata 4 di 4")]
)
def test_opening_minimum_depends_on_hands_played_on_paper(
    begin: Begin, played: str, minimum: int, heading: str
) -> None:
    """50, 90, 120 and 150, one hand after the other, whatever the totals are."""
    player = begin("hand-and-foot", carried_0="1.000", carried_1="250", played=played)
    assert [side.minimum for side in player.state.sides] == [minimum, minimum]
    assert player.page().one(id="coming").text == heading


def test_hands_played_on_paper_count_towards_end_of_match(begin: Begin) -> None:
    """A match of hand and foot has four hands: three on paper, and one here."""
    player = begin("hand-and-foot", carried_0="1.000", carried_1="0", played="3")
    nothing_laid = {"melds": [], "left": "4"}  # a four left in hand
    player.play(hand(a=nothing_laid, b=nothing_laid))
    assert player.state.status.winner == 0


def test_hands_played_on_paper_require_totals(client: Client) -> None:
    page = start_from_paper(client, "hand-and-foot", status=422, played="2")
    error_of_noi, error_of_loro = page.errors
    assert error_of_noi.startswith("Noi: Manca il totale.")
    assert error_of_loro.startswith("Loro: Manca il totale.")
