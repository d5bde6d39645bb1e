"""The first page: what this device plays, and the way to a new match."""

from __future__ import annotations

import struct
from datetime import timedelta

import pytest

from scorepad.matches import Pad
from scorepad.web.home import views as home
from tests.cookies import admin_cookie
from tests.web.client import Client, Visit
from tests.web.player import Begin, Player
from tests.web.playing import ALL_GOOD, device, hand, play, side, start
from tests.web.scorer import let_in, shown_values

WON = hand(side(400, 0, natural=2, mixed=2, red_threes=4), side(0, 250), out="a")
"""1000 + 600 + 400 + 800 + 100 = 2900, and −250."""
PRACTISE, ANEW = "Comincia una partita di prova", "Ricomincia da capo"
RESUME = "Riprendi la partita di prova"


def test_a_new_device_sees_no_match_and_one_way_to_start(client: Client) -> None:
    page = client.get("/")
    assert page.links() == {
        "Vai al contenuto": "#content", "Nuova partita": "/partite/nuova", "Le regole": "/regole",
        "Arbitro": "/arbitro", "Le nostre regole": "/nostre-regole/", "Salva o carica partite": "/file",
    }  # fmt: skip
    assert "Per cominciare bastano due tocchi" in page.text


def test_a_match_in_progress_stands_first_with_names_and_score_one_tap_away(
    leading: Player, visit: Visit
) -> None:
    page = leading.client.get("/")
    first = page.all("a", class_="match")[0]
    assert first["href"] == leading.match
    assert first.text.startswith("Noi 430 Loro 60 Canasta classica · 1 smazzata · ")
    assert [heading.text for heading in page.all("h2")] == ["Partite in corso", "Partita di prova"]
    assert not page.all("input", name="cerca")
    for path in ("/", "/in-corso"):
        assert not visit().get(path).all("a", class_="match"), "of another device"


def test_a_finished_match_stands_below_the_way_to_a_new_one_and_says_who_won(
    client: Client, begin: Begin
) -> None:
    over, other = begin(), begin()
    over.play(WON, WON)
    page = client.get("/")
    links = [link["href"] for link in page.all("a")]
    assert links.index(other.match) < links.index("/partite/nuova") < links.index(over.match)
    assert "Noi vittoria 5.800 Loro −500" in page.text
    sheet = page.one("a", class_="match-sheet")
    assert sheet.text.startswith("Foglio (PDF) : Noi contro Loro")
    assert sheet["href"] == f"{over.match}/foglio.pdf"


def test_finished_matches_are_searched_from_the_page(client: Client, begin: Begin) -> None:
    """What a search finds is in tests/matches/test_records.py."""
    begin(name_0="Volpi", player_0_0="Nicolò").play(WON, WON)
    begin().play(WON, WON)
    page = client.submit(client.get("/"), "Cerca", cerca="nicolo")
    assert "1 partita trovata" in page.text
    assert page.one("input", name="cerca")["value"] == "nicolo"
    assert "Volpi Nicolò vittoria 5.800" in page.one("a", class_="match").text
    assert "0 partite trovate" in client.submit(page, "Cerca", cerca="Zoe <b>").text


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("broken-off", "interrotta, nessun vincitore"),
        ("time", "tempo scaduto"),
        ("given-up:0", "finita con una resa"),
        ("last-hand", "finita d'accordo"),
    ],
)
def test_a_match_that_ended_otherwise_says_how(leading: Player, how: str, told: str) -> None:
    leading.end(how)
    hands = "1 smazzata"
    if how == "last-hand":
        leading.play(ALL_GOOD)
        hands = "2 smazzate"
    page = leading.client.get("/")
    assert f"Canasta classica · {told} · {hands} · " in page.text
    assert len(page.all(class_="won")) == (how != "broken-off")


def test_equal_when_the_time_was_up_is_told_as_such(player: Player) -> None:
    player.end("time")
    assert "Canasta classica · tempo scaduto, pari · " in player.client.get("/").text


def test_a_practice_match_shows_two_hands_and_is_in_no_list(client: Client, pad: Pad) -> None:
    """500 + 300 + 235 + 100 + 100 - 30 and 300 + 180 + 200 - 45; 95 - 60 and 500 + 205 + 100 + 100
    - 20 - 100.
    """
    match = client.submit(client.get("/"), PRACTISE)
    assert [total.text for total in match.all("p", class_="total")] == ["1.240", "1.420"]
    assert "Nonna Pina, Gino" in match.text
    assert "Partita di prova: non conta" in match.text
    player = Player(client, pad, match.url)
    assert player.points == [[1205, 635], [35, 785]]
    assert not [finding for each in player.hands for finding in (*each.warnings, *each.doubts)]
    player.undo("Annulla la smazzata 2")
    assert shown_values(player.open())["a.cards"] == "95", "as it was typed"
    home = client.get("/")
    assert not home.all("a", class_="match")
    assert home.links()[RESUME] == match.url
    assert pad.records.list_named_players(device(client)) == ()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for another practice match does so a while after the one before."""
    monkeypatch.setattr(home, "AT_ONCE", timedelta(0))


@pytest.mark.usefixtures("later")
def test_a_device_has_one_practice_match_at_a_time(client: Client) -> None:
    first = client.submit(client.get("/"), PRACTISE)
    second = client.submit(client.get("/"), ANEW)
    client.get(first.url, 404)
    assert client.get("/").links()[RESUME] == second.url


def test_a_practice_match_that_has_just_begun_is_not_begun_anew(client: Client, pad: Pad) -> None:
    page = client.get("/")
    first, again = (client.submit(page, PRACTISE) for _ in range(2))
    assert client.submit(client.get("/"), ANEW).url == first.url == again.url
    play(pad, client, first.url, WON)
    anew = client.submit(client.get("/"), ANEW)
    assert anew.url != first.url, "there was something to leave behind"


def test_a_practice_match_of_another_is_not_deleted(client: Client, visit: Visit) -> None:
    first = client.submit(client.get("/"), PRACTISE)
    guest = let_in(client, first.url, visit())
    assert guest.get("/").links()[RESUME] == first.url
    guest.submit(guest.get("/"), ANEW)
    assert client.get(first.url).one("h1").text == "Noi contro Loro"


@pytest.mark.usefixtures("later")
def test_with_the_home_privilege_all_matches_are_listed_but_no_practice_of_others(
    client: Client, visit: Visit
) -> None:
    machine = visit()
    machine.raw.set_cookie("scorepad_admin", admin_cookie())
    start(client)
    practice = client.submit(client.get("/"), PRACTISE)
    home = machine.get("/")
    assert len(home.all("a", class_="match")) == 1
    assert RESUME not in home.links()
    own = machine.submit(home, PRACTISE)
    machine.submit(machine.get("/"), ANEW)
    machine.get(own.url, 404)
    assert client.get(practice.url).status == 200, "that of another stays"


@pytest.mark.parametrize(
    ("asked", "language"),
    [(None, "it"), ("en", "en"), ("en-GB,en;q=0.9", "en"), ("it-CH", "it"), ("fr", "it"), ("de,en;q=0.5", "en"),
     ("en;q=0.4,it;q=0.9", "it"), ("*", "it"), ("", "it"), (";;q=x", "it")],
)  # fmt: skip
def test_the_language_is_that_of_the_browser(
    visit: Visit, asked: str | None, language: str
) -> None:
    headers = {} if asked is None else {"Accept-Language": asked}
    assert f'<html lang="{language}">' in visit().raw.get("/", headers=headers).text


def test_a_language_chosen_at_the_head_of_the_first_page_stays_chosen(
    visit: Visit,
) -> None:
    english = visit("en")
    page = english.get("/")
    assert page.one("header").one("form").one("button").text == "Italiano"
    english.language = "it"
    chosen = english.post("/lingua", page.values(page.form("Italiano")) | {"language": "it"})
    assert chosen.one("h1").text == "Segnapunti della canasta"
    assert '<html lang="it">' in english.raw.get("/", headers={"Accept-Language": "en"}).text


def test_a_change_of_language_comes_back_to_the_page_it_was_chosen_on(client: Client) -> None:
    url = start(client)
    page = client.get(url)
    assert client.get("/?cerca=ada").one("input", name="back")["value"] == "/?cerca=ada"
    client.language = "en"
    english = client.post("/lingua", page.values(page.form("English")) | {"language": "en"})
    assert english.url == url


# --------------------------------------------------------------------------------- many in progress


def test_matches_in_progress_are_found_by_name_and_only_those(client: Client, begin: Begin) -> None:
    for name in ("Volpi rosse", "Tigri", "Volpi nere"):
        start(client, name_0=name)
    begin(name_0="Volpi grigie").play(WON, WON)
    found = client.get("/in-corso?cerca=volpi")
    names = [
        match.all("span", class_="match-name")[0].text for match in found.all("a", class_="match")
    ]
    assert names == ["Volpi nere", "Volpi rosse"]
    assert found.one("input", id="cerca")["value"] == "volpi"
    assert "2 partite" in found.one(role="search").text
    assert "Tutte le partite" not in client.get("/").text, "they all stand there"


@pytest.mark.parametrize(
    ("language", "name"), [("it", "Segnapunti della canasta"), ("en", "Canasta score pad")]
)
def test_it_can_be_put_on_the_home_screen_in_either_language(
    visit: Visit, language: str, name: str
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
