"""House rules on the pages whose figures hang together: what moves is told, what has to be decided
is asked for.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorepad.rules.variants import get_variant, use_own
from tests.web.client import Client, Page
from tests.web.test_house_rules import make, rows, save

NAME = "canasta-di-casa"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of the house rules of guests, which the first of them makes."""
    use_own(tmp_path / "house")
    yield tmp_path / "house" / "guests"
    use_own(None)


def settings_in(folder: Path) -> dict[str, object]:
    """The values of the settings that the file of the house rules gives."""
    written = tomllib.loads((folder / f"{NAME}.toml").read_text("utf-8"))
    return {key: entry["value"] for key, entry in written.get("settings", {}).items()}


def value(key: str) -> object:
    return get_variant(NAME).settings[key].value


def change(client: Client, status: int = 200, **typed: str) -> Page:
    return save(client, client.get(f"/nostre-regole/{NAME}/cambia"), status, **typed)


def most_wilds() -> object:
    return get_variant(NAME).settings["canastas"].value[1]["wilds"]


def test_the_mixed_canasta_follows_the_limit_of_wild_cards_and_the_page_says_so(
    client: Client, folder: Path
) -> None:
    page = make(client, wild_limit="4")
    assert settings_in(folder) == {"wild-limit": 4}
    assert most_wilds() == [1, 4]
    told = rows(page)
    assert told["Premi delle canaste di casa"] == (
        "canaste miste con 4 matte al massimo | Di solito: canaste miste con 3 matte al massimo | "
        "segue: Matte, al massimo"
    )
    # Back again, and further, also with other points: the page cannot type the wild cards of a
    # canasta.
    change(client, wild_limit="3")
    assert settings_in(folder) == {}
    change(client, wild_limit="2", canastas__mixed_canasta="350")
    assert (settings_in(folder)["wild-limit"], most_wilds()) == (2, [1, 2])
    change(client, wild_limit="5")
    assert most_wilds() == [1, 5]


def test_without_wild_cards_there_is_no_mixed_canasta_until_the_limit_comes_back(
    client: Client, folder: Path
) -> None:
    make(client, wild_limit="0")
    assert [kind["item"] for kind in get_variant(NAME).settings["canastas"].value] == [
        "natural-canasta"
    ]
    change(client, wild_limit="3")
    assert settings_in(folder) == {}


def test_a_concealed_going_out_worth_less_is_asked_for_and_kept_if_that_is_meant(
    client: Client, folder: Path
) -> None:
    page = client.get("/nostre-regole/nuove")
    told = save(client, page, 422, name="Canasta di casa", out_bonus="300", dealt="13")
    assert told.errors == [
        "Hai cambiato: Premio di chiusura. Così la chiusura in mano varrebbe meno di quella normale. Scrivi "
        "anche: Premio di chiusura in mano."
    ]
    values = told.values(told.form("Salva le regole"))
    assert (values["out-bonus"], values["dealt"], values["concealed-out-bonus"]) == (
        "300",
        "13",
        "",
    )
    save(client, told, concealed_out_bonus="200")
    assert settings_in(folder) == {"dealt": 13, "out-bonus": 300, "concealed-out-bonus": 200}
    change(client, concealed_out_bonus="500")
    assert value("concealed-out-bonus") == 500


def test_the_penalty_and_the_red_three_held_move_each_other_until_each_is_given(
    client: Client, folder: Path
) -> None:
    make(client, held_red_three="300")
    assert settings_in(folder) == {"held-red-three": 300}
    assert get_variant(NAME).penalties["red-three-not-exposed"].points == 300
    change(client, held_red_three="400")
    assert get_variant(NAME).penalties["red-three-not-exposed"].points == 400
    change(client, penalties__red_three_not_exposed="500")
    assert (
        value("held-red-three"),
        get_variant(NAME).penalties["red-three-not-exposed"].points,
    ) == (400, 500)
    change(client, held_red_three="500")
    assert settings_in(folder) == {}


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        (
            {"opening_steps__0": "100"},
            "Così il minimo d'apertura scenderebbe mentre i punti salgono",
        ),
        ({"opening_steps__0": "10"}, "Così sotto zero servirebbe più che da 0 punti"),
        ({"opening_below_zero": "60"}, "Così sotto zero servirebbe più che da 0 punti"),
        ({"decks": "1", "dealt": "14"}, "Così le carte non bastano"),
    ],
)
def test_figures_that_do_not_fit_are_refused(
    client: Client, folder: Path, typed: dict[str, str], error: str
) -> None:
    page = client.get("/nostre-regole/nuove")
    told = save(client, page, 422, name="Canasta di casa", **typed)
    assert any(error.removeprefix("Così ") in each for each in told.errors), told.errors
    assert not folder.exists()
