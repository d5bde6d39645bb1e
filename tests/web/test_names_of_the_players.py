"""The players' names in place of "Noi" and "Loro" for those for whom these are the wrong words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.sheets.picture import make_picture
from scorepad.sheets.printed_names import PrintedNames
from tests.sheets.worked import FIRST, match_of
from tests.web.client import Client
from tests.web.counting import columns, counting
from tests.web.playing import device, start
from tests.web.playing import match_of as match_id

PLAYERS = {"player_0_0": "Marta", "player_0_1": "Gino", "player_1_0": "Pina", "player_1_1": "Ugo"}


def heads(client: Client, url: str) -> list[str]:
    """The names of the sides on the match page."""
    return [section["aria-label"] for section in client.get(url).all("section", class_="head")]


@pytest.mark.parametrize(
    ("side", "names"),
    [(None, ["Noi", "Loro"]), (0, ["Noi", "Loro"]), (1, ["Pina–Ugo", "Marta–Gino"])],
)
def test_a_phone_of_the_other_side_names_the_players(
    client: Client, pad: Pad, side: int | None, names: list[str]
) -> None:
    url = start(client, **PLAYERS)
    pad.devices.set_side_and_holder(match_id(url), device(client), side)
    assert heads(client, url) == names
    assert all(
        name in head for name, head in zip(names, columns(client.get(counting(url))), strict=True)
    )


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (
            {"player_0_0": "Marta", "player_0_1": "Gino", "player_1_0": "Pina"},
            ["Loro", "Marta–Gino"],
        ),
        ({**PLAYERS, "name_1": "Volpi"}, ["Volpi", "Marta–Gino"]),
        ({}, ["Loro", "Noi"]),
    ],
)
def test_sides_with_names_of_their_own_and_players_without_names_stay(
    client: Client, pad: Pad, typed: dict[str, str], names: list[str]
) -> None:
    url = start(client, **typed)
    pad.devices.set_side_and_holder(match_id(url), device(client), 1)
    assert heads(client, url) == names


def test_the_names_of_the_sides_are_changed_as_they_were_given(client: Client, pad: Pad) -> None:
    url = start(client, **PLAYERS)
    pad.devices.set_side_and_holder(match_id(url), device(client), 1)
    page = client.get(f"{url}/nomi")
    assert [page.one("input", name=f"name-{side}")["value"] for side in range(2)] == ["Noi", "Loro"]


def test_sheet_and_picture_name_the_players() -> None:
    state = match_of([(FIRST,)])
    names = PrintedNames(state, words("it"), frozenset())
    assert names.sides == ("Anna–Bruno", "Carla–Dario")
    assert names.list_players_below(0) == (), "they are named once"
    picture = make_picture(state, words("it"))
    assert [(side.name, side.players) for side in picture.sides] == [
        ("Anna–Bruno", ""),
        ("Carla–Dario", ""),
    ]


def test_the_board_names_the_players_for_both_sides(client: Client) -> None:
    url = start(client, **PLAYERS)
    page = client.get(f"{url}/tabellone")
    assert [name.text for name in page.all("h2", class_="board-name")] == ["Marta–Gino", "Pina–Ugo"]


# ---------------------------------------------------------------- a new match


@pytest.mark.quick
def test_the_button_of_a_new_match_follows_the_names(open_page: Callable[..., Page]) -> None:
    page = open_page("/partite/nuova")
    expect(page.locator("#start")).to_have_text("Comincia: Noi contro Loro")
    page.locator("#names > summary").tap()
    page.locator("[name=name-0]").fill("Volpi")
    expect(page.locator("#start")).to_have_text("Comincia: Volpi contro Loro")
    page.locator("[name=name-0]").fill("")
    expect(page.locator("#start")).to_have_text("Comincia: Noi contro Loro")
