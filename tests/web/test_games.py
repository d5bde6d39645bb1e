"""The games: the list, and each with what sets it apart, its options and every figure with its source."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorepad.contract.applying import is_told
from scorepad.i18n import words
from scorepad.pad import Pad
from scorepad.rules.variants import get_variant, variant_ids
from tests.web.client import Client
from tests.web.playing import device, match_of


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_list_tells_every_game_in_a_line(visit: Callable[..., Client], language: str) -> None:
    page, speech = visit(language).get("/giochi"), words(language)
    games = page.all("a", class_="game")
    assert [game["href"] for game in games] == [f"/giochi/{name}" for name in variant_ids()]
    for name, game in zip(variant_ids(), games, strict=True):
        assert game.text.startswith(speech.text(f"variant.{name}.name"))
        assert game.text.endswith(speech.text(f"variant.{name}.special"))


def test_the_list_tells_how_many_play_and_how_far(client: Client) -> None:
    told = {game["href"]: game.text for game in client.get("/giochi").all("a", class_="game")}
    assert "2, 3 o 4 giocatori, si arriva a 30" in told["/giochi/mini"]
    assert "3 giocatori, si arriva a 7.500" in told["/giochi/tagliagola"]
    assert "4 giocatori, 4 smazzate, vince il totale più alto" in told["/giochi/hand-and-foot"]


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", variant_ids())
def test_a_game_shows_every_option_and_every_figure_with_its_source(
    visit: Callable[..., Client], name: str, language: str
) -> None:
    page, variant, speech = visit(language).get(f"/giochi/{name}"), get_variant(name), words(language)
    assert page.one("h1").text == speech.text(f"variant.{name}.name")
    assert speech.text(f"variant.{name}.special") in page.text
    headings = [heading.text for heading in page.all("h3")]
    assert headings == [speech.text(f"option.{option}") for option in variant.options]
    values = page.all("ul", class_="values")
    for option, shown in zip(variant.options.values(), values, strict=True):
        assert len(shown.all("li")) == (2 if option.step else len(shown.all("li")))
        assert len(shown.all("strong")) == 1, "one of them is the usual one"
        assert all(source.text for source in shown.all(class_="source"))
    rows = page.all("dl", class_="sources")[-1].all("div")
    assert [row.one("dt").text for row in rows] == [
        speech.text(f"setting.{key}") for key in variant.settings if is_told(key, variant)
    ]
    assert all(row.all("dd")[1].text for row in rows)


def compared(client: Client, game: str) -> dict[str, list[str]]:
    rows = client.get(f"/giochi/{game}").one(class_="differences").all("div")
    return {row.one("dt").text: [part.text for part in row.all("dd")] for row in rows}


def test_a_game_is_compared_with_the_classic_one(client: Client) -> None:
    rows = compared(client, "samba")
    assert rows["Mazzi"] == ["3", "nella classica: 2"]
    assert rows["Traguardo"] == ["10.000", "nella classica: 5.000"]
    assert "Premio di chiusura in mano" not in rows, "200 in both"
    assert "Fonte, dove non ne è detta un'altra: Wikipedia: «Samba»." in client.get("/giochi/samba").text
    assert "È la canasta classica" in client.get("/giochi/classica").text


def test_what_rests_on_another_source_or_was_read_says_so(client: Client) -> None:
    rows = compared(client, "mini")
    assert rows["Mazzi"] == ["3", "nella classica: 2", "dedotto"]
    assert rows["Carte distribuite"] == ["9", "nella classica: 11"]
    assert rows["Matta rimasta in mano"] == ["−3"], "the classic game has nothing of the kind"
    assert "Enciclopedia" in compared(client, "canastone")["Carte distribuite"][-1]


def test_a_game_leads_to_a_match_of_it(client: Client, pad: Pad) -> None:
    page = client.get("/giochi/bolivia")
    form = client.get(page.links()["Gioca"])
    state = pad.state(match_of(client.submit(form, "Comincia: ").url), device(client))
    assert state.rules.variant == "bolivia"
    ways = client.get("/giochi/mini").links()
    form = client.get(ways["Gioca: 3 giocatori"].split("?")[0], query_string=ways["Gioca: 3 giocatori"].split("?")[1])
    assert "Comincia: Giocatore 1, Giocatore 2 e Giocatore 3" in form.text


@pytest.mark.parametrize("name", ["bridge", "sources", "..%2Fclassica", "Samba"])
def test_a_game_that_is_not_there_is_not_found(client: Client, name: str) -> None:
    client.get(f"/giochi/{name}", 404)
