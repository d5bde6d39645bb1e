"""The players' names in place of "Noi" ("We") and "Loro" ("They") where these words would be wrong.

Sides without names are called Noi and Loro, as seen by the first side. On a phone of the second
side, and on a picture for everybody, the players' names stand instead.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.sheets.picture import make_picture
from tests.web.client import Client
from tests.web.counting import OpenPage, column_heads, counting
from tests.web.player import Begin
from tests.web.playing import device, match_of, start

PLAYERS = {"player_0_0": "Marta", "player_0_1": "Gino", "player_1_0": "Pina", "player_1_1": "Ugo"}
"""Marta and Gino play against Pina and Ugo."""


@pytest.mark.parametrize(
    ("side", "typed", "names"),
    [
        # PLAYERS are Marta and Gino of side 0, Noi ("We"), and Pina and Ugo of side 1, Loro ("They").
        (None, PLAYERS, ["Noi", "Loro"]),
        (0, PLAYERS, ["Noi", "Loro"]),
        (1, PLAYERS, ["Pina–Ugo", "Marta–Gino"]),
        (1, {**PLAYERS, "player_1_1": ""}, ["Loro", "Marta–Gino"]),
        (1, {**PLAYERS, "name_1": "Volpi"}, ["Volpi", "Marta–Gino"]),
        (1, {}, ["Loro", "Noi"]),
    ],
    ids=["no side", "first side", "other side", "a player unnamed", "a named side", "no players"],
)
def test_phone_of_other_side_shows_player_names_for_us_and_them(
    client: Client, pad: Pad, side: int | None, typed: dict[str, str], names: list[str]
) -> None:
    # A phone counts for one of the sides. For that of side 1 it would be wrong to call the others
    # "We". It shows the names of the players instead, where all of a side are known.
    url = start(client, **typed)
    pad.devices.set_side_and_holder(match_of(url), device(client), side)

    # The page of the match has the name of the phone's own side first.
    heads = client.get(url).all("section", class_="head")
    assert [head["aria-label"] for head in heads] == names

    # So has the form in which a hand is counted, with a column for each side.
    form_of_hand = client.get(counting(url))
    first_column, second_column = column_heads(form_of_hand)
    assert names[0] in first_column
    assert names[1] in second_column


def test_form_of_names_shows_the_names_as_given(client: Client, pad: Pad) -> None:
    # Marta and Gino are side 0, Noi ("We"), Pina and Ugo are side 1, Loro ("They"). A phone counts
    # for side 1, and on its other pages the players' names stand in place of these words.
    url = start(client, **PLAYERS)
    pad.devices.set_side_and_holder(match_of(url), device(client), 1)

    # The form in which the names are changed has the words all the same.
    page = client.get(f"{url}/nomi")
    assert page.value_of("name-0") == "Noi"
    assert page.value_of("name-1") == "Loro"


def test_board_and_picture_show_player_names(begin: Begin) -> None:
    # Marta and Gino play against Pina and Ugo.
    player = begin(**PLAYERS)

    # Both sides look at the board of the match and at the picture of its score.
    board = player.page("tabellone")
    picture = make_picture(player.state, words("it"))

    assert board.texts("h2", class_="board-name") == ["Marta–Gino", "Pina–Ugo"]
    assert [side.name for side in picture.sides] == ["Marta–Gino", "Pina–Ugo"]
    assert [side.players for side in picture.sides] == ["", ""], "they are named once"


# ---------------------------------------------------------------- a new match


@pytest.mark.quick
def test_start_button_follows_the_typed_names(open_page: OpenPage) -> None:
    page = open_page("/partite/nuova")
    start_button = page.locator("#start")
    expect(start_button).to_have_text("Comincia: Noi contro Loro")  # "Begin: We against They"

    # The part of the page with the names is unfolded, and the first side gets a name: "Foxes".
    page.locator("#names > summary").tap()
    page.locator("[name=name-0]").fill("Volpi")
    expect(start_button).to_have_text("Comincia: Volpi contro Loro")

    # The name is deleted again.
    page.locator("[name=name-0]").fill("")
    expect(start_button).to_have_text("Comincia: Noi contro Loro")


@pytest.mark.quick
def test_start_button_names_unnamed_sides_as_pronouns_in_english(open_page: OpenPage) -> None:
    # Unnamed sides are called "We" and "They" in English, but on this button "Us" and "Them".
    page = open_page("/partite/nuova", locale="en-GB")
    start_button = page.locator("#start")
    expect(start_button).to_have_text("Start: Us vs. Them")

    # Once one of them has a name, the other one is called as everywhere else.
    page.locator("#names > summary").tap()
    page.locator("[name=name-0]").fill("Foxes")
    expect(start_button).to_have_text("Start: Foxes vs. They")
