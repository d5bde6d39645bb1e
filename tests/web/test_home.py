"""The first page: what this device plays, and the way to a new match."""

from __future__ import annotations

from collections.abc import Callable

from scorepad.pad import Pad
from tests.web.client import Client
from tests.web.playing import ALL_GOOD, hand, play, side, start

WON = hand(side(400, 0, natural=2, mixed=2, red_threes=4), side(0, 250), out="a")
"""1000 + 600 + 400 + 800 + 100 = 2900, and −250."""


def test_a_new_device_sees_no_match_and_one_way_to_start(client: Client) -> None:
    page = client.get("/")
    assert page.links() == {
        "Vai al contenuto": "#content", "Nuova partita": "/partite/nuova", "I giochi": "/giochi",
    }  # fmt: skip
    assert "Per cominciare bastano due tocchi" in page.text


def test_a_match_in_progress_stands_first_with_names_and_score_one_tap_away(client: Client, pad: Pad) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    page = client.get("/")
    first = page.all("a", class_="match")[0]
    assert first["href"] == url
    assert first.text.startswith("Noi 430 Loro 60 Canasta classica · 1 smazzata · ")
    assert [heading.text for heading in page.all("h2")] == ["Partite in corso"]


def test_a_finished_match_stands_below_the_way_to_a_new_one_and_says_who_won(client: Client, pad: Pad) -> None:
    url, other = start(client), start(client)
    play(pad, client, url, WON, WON)
    page = client.get("/")
    assert [heading.text for heading in page.all("h2")] == ["Partite in corso", "Partite finite"]
    links = [link["href"] for link in page.all("a")]
    assert links.index(other) < links.index("/partite/nuova") < links.index(url)
    assert "Noi ha vinto 5.800 Loro −500" in page.text


def test_finished_matches_are_found_by_name(client: Client, pad: Pad) -> None:
    for name in ("Ada", "Bea", "Cleo", "Dora", "Elsa", "Fosca"):
        play(pad, client, start(client, name_0=name), WON, WON)
    page = client.submit(client.get("/"), "Cerca", cerca="dor")
    assert [match.text.split()[0] for match in page.all("a", class_="match")] == ["Dora"]
    assert "1 partita trovata" in page.text
    assert page.one("input", name="cerca")["value"] == "dor"
    none = client.submit(page, "Cerca", cerca="Zoe <b>")
    assert "0 partite trovate" in none.text
    assert not none.all("a", class_="match")


def test_few_finished_matches_need_no_search(client: Client, pad: Pad) -> None:
    play(pad, client, start(client), WON, WON)
    assert not client.get("/").all("input", name="cerca")


def test_another_device_does_not_see_the_match(client: Client, visit: Callable[..., Client]) -> None:
    start(client)
    assert not visit().get("/").all("a", class_="match")


def test_the_language_follows_the_browser_until_one_is_chosen_and_stays_chosen(
    visit: Callable[..., Client],
) -> None:
    assert visit("fr").raw.get("/", headers={"Accept-Language": "fr"}).text.count('lang="it"') == 1
    english = visit("en")
    page = english.get("/")
    assert page.one("h1").text == "Canasta score pad"
    english.language = "it"
    form = page.form("Italiano")
    chosen = english.post("/lingua", page.values(form) | {"language": "it"})
    assert chosen.one("h1").text == "Segnapunti della canasta"
    assert english.raw.get("/", headers={"Accept-Language": "en"}).text.count('lang="it"') == 1


def test_a_change_of_language_comes_back_to_the_page_it_was_chosen_on(client: Client) -> None:
    url = start(client)
    page = client.get(url)
    assert client.get("/?cerca=ada").one("input", name="back")["value"] == "/?cerca=ada"
    client.language = "en"
    english = client.post("/lingua", page.values(page.form("English")) | {"language": "en"})
    assert english.url == url
    assert english.one("h1").text == "Noi vs. Loro"
