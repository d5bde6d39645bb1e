"""The players' names in place of "Noi" and "Loro" for those for whom these are the wrong words."""

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
)
def test_a_phone_of_the_other_side_names_the_players_in_place_of_us_and_them(
    client: Client, pad: Pad, side: int | None, typed: dict[str, str], names: list[str]
) -> None:
    url = start(client, **typed)
    pad.devices.set_side_and_holder(match_of(url), device(client), side)
    heads = client.get(url).all("section", class_="head")
    assert [head["aria-label"] for head in heads] == names
    for name, column in zip(names, column_heads(client.get(counting(url))), strict=True):
        assert name in column


def test_the_names_of_the_sides_are_changed_as_they_were_given(client: Client, pad: Pad) -> None:
    url = start(client, **PLAYERS)
    pad.devices.set_side_and_holder(match_of(url), device(client), 1)
    page = client.get(f"{url}/nomi")
    assert page.value_of("name-0") == "Noi"
    assert page.value_of("name-1") == "Loro"


def test_the_board_and_the_picture_name_the_players_for_both_sides(begin: Begin) -> None:
    player = begin(**PLAYERS)
    board = player.page("tabellone")
    picture = make_picture(player.state, words("it"))

    assert board.texts("h2", class_="board-name") == ["Marta–Gino", "Pina–Ugo"]
    assert [side.name for side in picture.sides] == ["Marta–Gino", "Pina–Ugo"]
    assert [side.players for side in picture.sides] == ["", ""], "they are named once"


# ---------------------------------------------------------------- a new match


@pytest.mark.quick
def test_the_button_of_a_new_match_follows_the_names(open_page: OpenPage) -> None:
    page = open_page("/partite/nuova")
    expect(page.locator("#start")).to_have_text("Comincia: Noi contro Loro")
    page.locator("#names > summary").tap()
    page.locator("[name=name-0]").fill("Volpi")
    expect(page.locator("#start")).to_have_text("Comincia: Volpi contro Loro")
    page.locator("[name=name-0]").fill("")
    expect(page.locator("#start")).to_have_text("Comincia: Noi contro Loro")
