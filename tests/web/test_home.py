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
from tests.web.playing import (
    HAND_430_TO_60,
    HAND_2900_TO_MINUS_250,
    play,
    start,
)
from tests.web.scorer import let_in, shown_values

PRACTISE = "Comincia una partita di prova"
ANEW = "Ricomincia da capo"
RESUME = "Riprendi la partita di prova"


def test_a_new_device_sees_no_match_and_one_way_to_start(client: Client) -> None:
    page = client.get("/")
    assert page.links() == {
        "Vai al contenuto": "#content",
        "Nuova partita": "/partite/nuova",
        "Le regole": "/regole",
        "Arbitro": "/arbitro",
        "Le nostre regole": "/nostre-regole/",
        "Salva o carica partite": "/file",
    }
    assert "Per cominciare bastano due tocchi" in page.text


def test_a_match_in_progress_stands_first_with_names_and_score_one_tap_away(
    leading: Player, guest: Client
) -> None:
    page = leading.client.get("/")

    match = page.one("a", class_="match")
    assert match["href"] == leading.match
    assert match.text.startswith("Noi 430 Loro 60 Canasta classica · 1 smazzata · ")
    assert page.texts("h2") == ["Partite in corso", "Partita di prova"]
    assert not page.all("input", name="cerca")
    for path in ("/", "/in-corso"):
        assert not guest.get(path).all("a", class_="match"), "it is of another device"


def test_a_finished_match_stands_below_the_way_to_a_new_one_and_says_who_won(
    client: Client, begin: Begin
) -> None:
    over = begin()
    other = begin()
    over.play(HAND_2900_TO_MINUS_250, HAND_2900_TO_MINUS_250)

    page = client.get("/")

    links = page.hrefs("a")
    assert links.index(other.match) < links.index("/partite/nuova") < links.index(over.match)
    assert "Noi vittoria 5.800 Loro −500" in page.text
    sheet = page.one("a", class_="match-sheet")
    assert sheet.text.startswith("Foglio (PDF) : Noi contro Loro")
    assert sheet["href"] == f"{over.match}/foglio.pdf"


def test_finished_matches_are_searched_from_the_page(client: Client, begin: Begin) -> None:
    """What a search finds is in tests/matches/test_records.py."""
    begin(name_0="Volpi", player_0_0="Nicolò").play(HAND_2900_TO_MINUS_250, HAND_2900_TO_MINUS_250)
    begin().play(HAND_2900_TO_MINUS_250, HAND_2900_TO_MINUS_250)

    page = client.submit("/", "Cerca", cerca="nicolo")

    assert "1 partita trovata" in page.text
    assert page.value_of("cerca") == "nicolo"
    assert "Volpi Nicolò vittoria 5.800" in page.one("a", class_="match").text
    assert "0 partite trovate" in client.submit(page, "Cerca", cerca="Zoe <b>").text


@pytest.mark.parametrize(
    ("how", "description", "winners"),
    [
        ("broken-off", "interrotta, nessun vincitore", 0),
        ("time", "tempo scaduto", 1),
        ("given-up:0", "finita con una resa", 1),
    ],
)
def test_a_match_that_ended_otherwise_says_how(
    leading: Player, how: str, description: str, winners: int
) -> None:
    leading.end(how)
    page = leading.client.get("/")
    assert f"Canasta classica · {description} · 1 smazzata · " in page.text
    assert len(page.all(class_="won")) == winners


def test_a_match_that_ended_as_agreed_or_equal_says_so(leading: Player, begin: Begin) -> None:
    leading.end("last-hand")
    leading.play(HAND_430_TO_60)
    begin().end("time")

    page = leading.client.get("/")

    assert "Canasta classica · finita d'accordo · 2 smazzate · " in page.text
    assert "Canasta classica · tempo scaduto, pari · " in page.text


def test_a_practice_match_shows_two_hands_and_is_in_no_list(client: Client, pad: Pad) -> None:
    """500 + 300 + 235 + 100 + 100 - 30 and 300 + 180 + 200 - 45; 95 - 60 and 500 + 205 + 100 + 100
    - 20 - 100.
    """
    page = client.submit("/", PRACTISE)
    assert page.texts("p", class_="total") == ["1.240", "1.420"]
    assert "Nonna Pina, Gino" in page.text
    assert "Partita di prova: non conta" in page.text

    player = Player(client, pad, page.url)
    assert player.points == [[1205, 635], [35, 785]]
    for counted in player.hands:
        assert not counted.warnings
        assert not counted.doubts
    player.undo("Annulla la smazzata 2")
    assert shown_values(player.open())["a.cards"] == "95", "as it was typed"

    home = client.get("/")
    assert home.all("a", class_="match") == []
    assert home.links()[RESUME] == page.url


def test_a_practice_match_that_has_just_begun_is_not_begun_anew(client: Client, pad: Pad) -> None:
    page = client.get("/")
    first = client.submit(page, PRACTISE)
    assert client.submit(page, PRACTISE).url == first.url
    assert client.submit("/", ANEW).url == first.url

    play(pad, client, first.url, HAND_2900_TO_MINUS_250)
    second = client.submit("/", ANEW)
    assert client.get("/").links()[RESUME] == second.url
    client.get(first.url, status=404)


def test_a_practice_match_is_begun_anew_after_a_while(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.submit("/", PRACTISE)
    monkeypatch.setattr(home, "AT_ONCE", timedelta(0))
    second = client.submit("/", ANEW)
    assert second.url != first.url
    client.get(first.url, status=404)


def test_a_practice_match_of_another_is_not_deleted(
    client: Client, guest: Client, pad: Pad
) -> None:
    first = client.submit("/", PRACTISE)
    play(pad, client, first.url, HAND_2900_TO_MINUS_250)
    let_in(client, first.url, guest)
    assert guest.get("/").links()[RESUME] == first.url

    guest.submit("/", ANEW)

    assert client.get(first.url).heading == "Noi contro Loro"


def test_with_the_home_privilege_all_matches_are_listed_but_no_practice_of_others(
    client: Client, visit: Visit, pad: Pad
) -> None:
    home = visit()
    home.raw.set_cookie("scorepad_admin", admin_cookie())
    start(client)
    practice_of_another = client.submit("/", PRACTISE)

    page = home.get("/")
    assert len(page.all("a", class_="match")) == 1
    assert RESUME not in page.links()

    own_practice = home.submit(page, PRACTISE)
    play(pad, home, own_practice.url, HAND_2900_TO_MINUS_250)
    home.submit("/", ANEW)
    home.get(own_practice.url, status=404)
    client.get(practice_of_another.url, status=200)


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("en-GB,en;q=0.9", "en"),
        ("it-CH", "it"),
        ("fr", "it"),
        ("de,en;q=0.5", "en"),
        ("en;q=0.4,it;q=0.9", "it"),
        ("*", "it"),
        ("", "it"),
        (";;q=x", "it"),
    ],
)
def test_the_language_is_that_of_the_browser(client: Client, asked: str, language: str) -> None:
    page = client.raw.get("/", headers={"Accept-Language": asked})
    assert f'<html lang="{language}">' in page.text


def test_a_language_stays_chosen_and_leads_back_to_the_page_it_was_chosen_on(
    player: Player,
) -> None:
    client = player.client
    page = player.page()

    client.language = "en"
    page_after = client.post("/lingua", page.form_values("English") | {"language": "en"})

    assert page_after.url == player.match
    assert client.get("/").heading == "Canasta score pad"
    assert client.get("/?cerca=ada").value_of("back") == "/?cerca=ada"


# --------------------------------------------------------------------------------- many in progress


def test_matches_in_progress_are_found_by_name_and_only_those(client: Client, begin: Begin) -> None:
    start(client, name_0="Volpi rosse")
    start(client, name_0="Tigri")
    start(client, name_0="Volpi nere")
    begin(name_0="Volpi grigie").play(HAND_2900_TO_MINUS_250, HAND_2900_TO_MINUS_250)

    page = client.get("/in-corso?cerca=volpi")

    black, red = page.all("a", class_="match")
    assert black.text.startswith("Volpi nere ")
    assert red.text.startswith("Volpi rosse ")
    assert page.value_of("cerca") == "volpi"
    assert "2 partite" in page.one(role="search").text
    assert "Tutte le partite" not in client.get("/").text, "they all stand there"


@pytest.mark.parametrize(
    ("language", "name"), [("it", "Segnapunti della canasta"), ("en", "Canasta score pad")]
)
def test_it_can_be_put_on_the_home_screen_in_either_language(
    visit: Visit, language: str, name: str
) -> None:
    client = visit(language)
    link = client.get("/").one("link", rel="manifest")["href"]

    answer = client.raw.get(link)

    assert answer.mimetype == "application/manifest+json"
    manifest = answer.get_json(force=True)
    assert manifest["name"] == name
    assert manifest["lang"] == language
    assert manifest["display"] == "standalone"
    assert client.raw.get(manifest["start_url"]).status_code == 200
    for icon in manifest["icons"]:
        image = client.raw.get(icon["src"])
        assert image.mimetype == icon["type"]
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", image.data[16:24])  # in the header of the file
            assert icon["sizes"] == f"{width}x{height}"


def test_there_is_no_manifest_in_another_language(client: Client) -> None:
    assert client.raw.get("/app-fr.webmanifest").status_code == 404
