"""The first page: what this device plays, and the way to a new match."""

from __future__ import annotations

import struct
from collections.abc import Callable
from datetime import timedelta

import pytest

from scorepad.matches import Pad
from scorepad.matches.events import EndHow
from scorepad.web.home import views as home
from tests.cookies import admin_cookie
from tests.web.client import Client, Page
from tests.web.playing import ALL_GOOD, device, end, hand, match_of, play, side, start
from tests.web.scorer import let_in

WON = hand(side(400, 0, natural=2, mixed=2, red_threes=4), side(0, 250), out="a")
"""1000 + 600 + 400 + 800 + 100 = 2900, and −250."""


def test_a_new_device_sees_no_match_and_one_way_to_start(client: Client) -> None:
    page = client.get("/")
    assert page.links() == {
        "Vai al contenuto": "#content", "Nuova partita": "/partite/nuova", "Le regole": "/regole",
        "Arbitro": "/arbitro", "Le nostre regole": "/nostre-regole/", "Salva o carica partite": "/file",
    }  # fmt: skip
    assert "Per cominciare bastano due tocchi" in page.text


def test_a_match_in_progress_stands_first_with_names_and_score_one_tap_away(
    client: Client, visit: Callable[..., Client], pad: Pad
) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    page = client.get("/")
    first = page.all("a", class_="match")[0]
    assert first["href"] == url
    assert first.text.startswith("Noi 430 Loro 60 Canasta classica · 1 smazzata · ")
    assert [heading.text for heading in page.all("h2")] == ["Partite in corso", "Partita di prova"]
    assert not page.all("input", name="cerca")
    for path in ("/", "/in-corso"):
        assert not visit().get(path).all("a", class_="match"), "of another device"


def test_a_finished_match_stands_below_the_way_to_a_new_one_and_says_who_won(
    client: Client, pad: Pad
) -> None:
    url, other = start(client), start(client)
    play(pad, client, url, WON, WON)
    page = client.get("/")
    links = [link["href"] for link in page.all("a")]
    assert links.index(other) < links.index("/partite/nuova") < links.index(url)
    assert "Noi vittoria 5.800 Loro −500" in page.text
    sheet = page.one("a", class_="match-sheet")
    assert sheet.text.startswith("Foglio (PDF) : Noi contro Loro")
    assert client.raw.get(sheet["href"]).mimetype == "application/pdf"


def test_finished_matches_are_searched_from_the_page(client: Client, pad: Pad) -> None:
    """What a search finds is in tests/matches/test_records.py."""
    url = start(client, name_0="Volpi", player_0_0="Nicolò")
    play(pad, client, url, WON, WON)
    play(pad, client, start(client), WON, WON)
    page = client.submit(client.get("/"), "Cerca", cerca="nicolo")
    assert [match["href"] for match in page.all("a", class_="match")] == [url]
    assert "1 partita trovata" in page.text
    assert page.one("input", name="cerca")["value"] == "nicolo"
    assert "Volpi Nicolò vittoria 5.800" in page.text, "who played is why it was found"
    none = client.submit(page, "Cerca", cerca="Zoe <b>")
    assert "0 partite trovate" in none.text
    assert not none.all("a", class_="match")


@pytest.mark.parametrize(
    ("how", "side", "told"),
    [
        (EndHow.BROKEN_OFF, None, "interrotta, nessun vincitore"),
        (EndHow.TIME, None, "tempo scaduto"),
        (EndHow.GIVEN_UP, 0, "finita con una resa"),
        (EndHow.LAST_HAND, None, "finita d'accordo"),
        (EndHow.HANDS, None, "finita d'accordo"),
    ],
)
def test_a_match_that_ended_otherwise_says_how(
    client: Client, pad: Pad, how: EndHow, side: int | None, told: str
) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    end(pad, client, url, how, side=side)
    page = client.get("/")
    assert f"Canasta classica · {told} · 1 smazzata · " in page.text
    assert len(page.all(class_="won")) == (how is not EndHow.BROKEN_OFF)


def test_equal_when_the_time_was_up_is_told_as_such(client: Client, pad: Pad) -> None:
    url = start(client)
    end(pad, client, url, EndHow.TIME)
    assert "Canasta classica · tempo scaduto, pari · " in client.get("/").text


def test_a_practice_match_shows_two_hands_and_is_in_no_list(client: Client, pad: Pad) -> None:
    """500 + 300 + 235 + 100 + 100 - 30 and 300 + 180 + 200 - 45; 95 - 60 and 500 + 205 + 100 + 100
    - 20 - 100.
    """
    match = client.submit(client.get("/"), "Comincia una partita di prova")
    assert [total.text for total in match.all("p", class_="total")] == ["1.240", "1.420"]
    assert "Nonna Pina, Gino" in match.text
    assert "Partita di prova: non conta" in match.text
    hands = pad.state(match_of(match.url), device(client)).hands
    assert [[side.hand for side in each.sides] for each in hands] == [[1205, 635], [35, 785]]
    assert not [finding for each in hands for finding in (*each.warnings, *each.doubts)]
    undone = client.submit(match, "Annulla la smazzata 2")
    typed = client.get(f"{undone.url}/smazzata").one("input", name="a.cards")
    assert typed["value"] == "95", "as it was typed"
    home = client.get("/")
    assert not home.all("a", class_="match")
    assert home.links()["Riprendi la partita di prova"] == match.url
    assert pad.records.list_named_players(device(client)) == ()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for another practice match does so a while after the one before."""
    monkeypatch.setattr(home, "AT_ONCE", timedelta(0))


@pytest.mark.usefixtures("later")
def test_a_device_has_one_practice_match_at_a_time(client: Client) -> None:
    first = client.submit(client.get("/"), "Comincia una partita di prova")
    second = client.submit(client.get("/"), "Ricomincia da capo")
    assert second.url != first.url
    client.get(first.url, 404)
    assert client.get("/").links()["Riprendi la partita di prova"] == second.url


def test_a_practice_match_that_has_just_begun_is_not_begun_anew(client: Client, pad: Pad) -> None:
    page = client.get("/")
    sent = page.values(page.form("Comincia una partita di prova"))
    first, again = client.post("/prova", sent), client.post("/prova", sent)
    assert client.submit(client.get("/"), "Ricomincia da capo").url == first.url == again.url
    assert len(pad.state(match_of(first.url), device(client)).hands) == 2
    play(pad, client, first.url, WON)
    anew = client.submit(client.get("/"), "Ricomincia da capo")
    assert anew.url != first.url, "there was something to leave behind"


def test_a_practice_match_of_another_is_not_deleted(
    client: Client, visit: Callable[..., Client]
) -> None:
    first = client.submit(client.get("/"), "Comincia una partita di prova")
    guest = let_in(client, first.url, visit())
    assert guest.get("/").links()["Riprendi la partita di prova"] == first.url
    guest.submit(guest.get("/"), "Ricomincia da capo")
    assert client.get(first.url).one("h1").text == "Noi contro Loro"


@pytest.mark.usefixtures("later")
def test_with_the_home_privilege_all_matches_are_listed_but_no_practice_of_others(
    client: Client, visit: Callable[..., Client], pad: Pad
) -> None:
    machine = visit()
    machine.raw.set_cookie("scorepad_admin", admin_cookie())
    start(client, player_0_0="Ada")
    practice = client.submit(client.get("/"), "Comincia una partita di prova")
    home = machine.get("/")
    assert len(home.all("a", class_="match")) == 1
    assert "Riprendi la partita di prova" not in home.links()
    assert machine.get("/giocatori/ada").one("h1").text == "Ada"
    own = machine.submit(home, "Comincia una partita di prova")
    machine.submit(machine.get("/"), "Ricomincia da capo")
    machine.get(own.url, 404)
    assert client.get(practice.url).status == 200, "that of another stays"


@pytest.mark.parametrize(
    ("asked", "language"),
    [(None, "it"), ("en", "en"), ("en-GB,en;q=0.9", "en"), ("it-CH", "it"), ("fr", "it"), ("de,en;q=0.5", "en"),
     ("en;q=0.4,it;q=0.9", "it"), ("*", "it"), ("", "it"), (";;q=x", "it")],
)  # fmt: skip
def test_the_language_is_that_of_the_browser(
    visit: Callable[..., Client], asked: str | None, language: str
) -> None:
    headers = {} if asked is None else {"Accept-Language": asked}
    assert f'<html lang="{language}">' in visit().raw.get("/", headers=headers).text


def test_a_language_chosen_at_the_head_of_the_first_page_stays_chosen(
    visit: Callable[..., Client],
) -> None:
    english = visit("en")
    page = english.get("/")
    assert page.one("h1").text == "Canasta score pad"
    assert page.one("header").one("form").one("button").text == "Italiano"
    english.language = "it"
    chosen = english.post("/lingua", page.values(page.form("Italiano")) | {"language": "it"})
    assert chosen.one("h1").text == "Segnapunti della canasta"
    assert (
        english.raw.get("/", headers={"Accept-Language": "en"}).text.count('<html lang="it">') == 1
    )


def test_a_change_of_language_comes_back_to_the_page_it_was_chosen_on(client: Client) -> None:
    url = start(client)
    page = client.get(url)
    assert client.get("/?cerca=ada").one("input", name="back")["value"] == "/?cerca=ada"
    client.language = "en"
    english = client.post("/lingua", page.values(page.form("English")) | {"language": "en"})
    assert english.url == url
    assert english.one("h1").text == "Noi vs. Loro"


# --------------------------------------------------------------------------------- many in progress


def listed(page: Page) -> list[str]:
    """The first side of each match in a list."""
    return [
        match.all("span", class_="match-name")[0].text for match in page.all("a", class_="match")
    ]


def test_matches_in_progress_are_found_by_name_and_only_those(client: Client, pad: Pad) -> None:
    for name in ("Volpi rosse", "Tigri", "Volpi nere"):
        start(client, name_0=name)
    play(pad, client, start(client, name_0="Volpi grigie"), WON, WON)
    found = client.get("/in-corso?cerca=volpi")
    assert listed(found) == ["Volpi nere", "Volpi rosse"]
    assert found.one("input", id="cerca")["value"] == "volpi"
    assert "2 partite" in found.one(role="search").text
    assert listed(client.get("/in-corso?cerca=nessuna")) == []
    assert "Tutte le partite" not in client.get("/").text, "they all stand there"


@pytest.mark.parametrize(
    ("language", "name"), [("it", "Segnapunti della canasta"), ("en", "Canasta score pad")]
)
def test_it_can_be_put_on_the_home_screen_in_either_language(
    visit: Callable[..., Client], language: str, name: str
) -> None:
    client = visit(language)
    (link,) = [each["href"] for each in client.get("/").all("link") if each["rel"] == "manifest"]
    answer = client.raw.get(link)
    assert answer.mimetype == "application/manifest+json"
    manifest = answer.get_json(force=True)
    assert (manifest["name"], manifest["lang"]) == (name, language)
    assert manifest["display"] == "standalone"
    assert client.raw.get(manifest["start_url"]).status_code == 200
    for icon in manifest["icons"]:
        image = client.raw.get(icon["src"])
        assert image.mimetype == icon["type"]
        if icon["type"] == "image/png":  # width and height in the header of the file
            assert "{}x{}".format(*struct.unpack(">II", image.data[16:24])) == icon["sizes"]
    assert client.raw.get("/app-fr.webmanifest").status_code == 404
