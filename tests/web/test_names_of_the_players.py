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
    # Marta and Gino are Noi ("We"), Pina and Ugo are Loro ("They"). On a phone that counts for side
    # 1, that of Pina and Ugo, these words would be wrong, and the players' names stand instead.
    url = start(client, **typed)
    pad.devices.set_side_and_holder(match_of(url), device(client), side)

    match_page = client.get(url)
    form_of_hand = client.get(counting(url))

    # The own side's name is first on the page of the match, and in the columns of the form.
    heads = match_page.all("section", class_="head")
    assert [head["aria-label"] for head in heads] == names
    first_column, second_column = column_heads(form_of_hand)
    assert names[0] in first_column
    assert names[1] in second_column


def test_form_of_names_shows_the_names_as_given(client: Client, pad: Pad) -> None:
    # The phone counts for the second side. On its other pages stand the players' names instead.
    url = start(client, **PLAYERS)
    pad.devices.set_side_and_holder(match_of(url), device(client), 1)

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
