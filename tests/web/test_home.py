"""The first page: what this device plays, and the way to a new match."""

from __future__ import annotations

import struct
from datetime import timedelta

import pytest

from scorepad.matches import Pad
from scorepad.web.home import views
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

# A practice match, for trying everything, begins with two hands.
START_PRACTICE = "Comincia una partita di prova"  # "Start a practice match"
RESTART_PRACTICE = "Ricomincia da capo"  # "Start again from the beginning"
RESUME_PRACTICE = "Riprendi la partita di prova"  # "Resume the practice match"


def test_home_page_of_new_device_has_no_matches(client: Client) -> None:
    page = client.get("/")
    assert page.links() == {
        "Vai al contenuto": "#content",  # skip to the content
        "Nuova partita": "/partite/nuova",  # a new match
        "Le regole": "/regole",  # the rules
        "Arbitro": "/arbitro",  # the referee
        "Le nostre regole": "/nostre-regole/",  # house rules
        "Salva o carica partite": "/file",  # save or load matches
    }
    # "To begin, two taps are enough"
    assert "Per cominciare bastano due tocchi" in page.text


def test_match_in_progress_is_listed_with_names_and_score(leading: Player, guest: Client) -> None:
    page = leading.client.get("/")

    match = page.one("a", class_="match")
    assert match["href"] == leading.match
    assert match.text.startswith("Noi 430 Loro 60 Canasta classica · 1 smazzata · ")
    # There are "Matches in progress" and a "Practice match", and nothing to search.
    assert page.texts("h2") == ["Partite in corso", "Partita di prova"]
    assert not page.all("input", name="cerca")

    # Other devices do not see the match, neither here nor among all the matches in progress.
    for path in ("/", "/in-corso"):
        assert not guest.get(path).all("a", class_="match")


def test_finished_match_is_listed_last_with_winner_and_sheet(client: Client, begin: Begin) -> None:
    # Two hands of 2,900 points reach the target of 5,000.
    finished = begin()
    in_progress = begin()
    finished.play(HAND_2900_TO_MINUS_250, HAND_2900_TO_MINUS_250)

    page = client.get("/")

    # The match in progress comes first, then the link to a new match, then the finished match.
    links = page.hrefs("a")
    new_match = links.index("/partite/nuova")
    assert links.index(in_progress.match) < new_match
    assert new_match < links.index(finished.match)

    # "vittoria" marks the winner, and a link leads to the score sheet ("Foglio") of the match.
    assert "Noi vittoria 5.800 Loro −500" in page.text
    sheet = page.one("a", class_="match-sheet")
    assert sheet.text.startswith("Foglio (PDF) : Noi contro Loro")
    assert sheet["href"] == f"{finished.match}/foglio.pdf"


def test_finished_matches_can_be_searched(client: Client, begin: Begin) -> None:
    # Both matches are finished after two hands: 2,900 twice is more than the target of 5,000. One
    # has names, of a side and of a player.
    for player in (begin(name_0="Volpi", player_0_0="Nicolò"), begin()):
        player.play(HAND_2900_TO_MINUS_250, HAND_2900_TO_MINUS_250)

    # Accents and capitals do not matter: "1 match found". What else is found by which text is
    # tested in tests/matches/test_records.py.
    page = client.submit("/", "Cerca", cerca="nicolo")
    assert "1 partita trovata" in page.text
    assert page.value_of("cerca") == "nicolo"
    assert "Volpi Nicolò vittoria 5.800" in page.one("a", class_="match").text

    # The text that was searched for is no markup.
    page = client.submit(page, "Cerca", cerca="Zoe <b>")
    assert "0 partite trovate" in page.text


@pytest.mark.parametrize(
    ("how", "description", "winners"),
    [
        ("broken-off", "interrotta, nessun vincitore", 0),  # "broken off, no winner"
        ("time", "tempo scaduto", 1),  # "time is up"
        ("given-up:0", "finita con una resa", 1),  # "ended by giving up", here of the first side
    ],
)
def test_finished_match_says_how_it_ended(
    leading: Player, how: str, description: str, winners: int
) -> None:
    leading.end(how)

    page = leading.client.get("/")

    assert f"Canasta classica · {description} · 1 smazzata · " in page.text
    assert len(page.all(class_="won")) == winners


def test_match_ended_by_agreement_or_in_draw_says_so(leading: Player, begin: Begin) -> None:
    # The table agrees that the second hand is the last one.
    leading.end("last-hand")
    leading.play(HAND_430_TO_60)

    # Another match ends at 0 to 0, because its time is up.
    begin().end("time")

    # "ended by agreement" and "time is up, a draw"
    page = leading.client.get("/")
    assert "Canasta classica · finita d'accordo · 2 smazzate · " in page.text
    assert "Canasta classica · tempo scaduto, pari · " in page.text


def test_practice_match_has_two_hands_and_is_not_listed(client: Client, pad: Pad) -> None:
    # The totals are those of two hands. "Practice match: it does not count"
    page = client.submit("/", START_PRACTICE)
    assert page.texts("p", class_="total") == ["1.240", "1.420"]
    assert "Nonna Pina, Gino" in page.text
    assert "Partita di prova: non conta" in page.text

    player = Player(client, pad, page.url)
    assert player.points == [
        # A natural canasta 500, a mixed one 300, cards laid 235, a red three 100, going out 100,
        # cards left in hand −30. The others: a mixed canasta 300, cards 180, two red threes 200,
        # left −45.
        [1205, 635],
        # Cards laid 95, left −60. The others: a natural canasta 500, cards 205, a red three 100,
        # going out 100, left −20, a penalty of 100.
        [35, 785],
    ]
    # Nothing in these hands is unusual or unlikely.
    for saved_hand in player.hands:
        assert not saved_hand.warnings
        assert not saved_hand.doubts

    # When the second hand is undone, its form shows again what was typed.
    player.undo("Annulla la smazzata 2")
    assert shown_values(player.open())["a.cards"] == "95"

    # The home page does not list the match, but offers to resume it.
    home = client.get("/")
    assert home.all("a", class_="match") == []
    assert home.links()[RESUME_PRACTICE] == page.url


def test_practice_match_restarts_only_after_it_was_played(client: Client, pad: Pad) -> None:
    # The button "Start a practice match" of the home page is pressed twice. Both times it leads to
    # the same match.
    home = client.get("/")
    practice_url = client.submit(home, START_PRACTICE).url
    page_after_second_press = client.submit(home, START_PRACTICE)
    assert page_after_second_press.url == practice_url

    # The home page now has the button "Start again from the beginning". Nothing has been played in
    # the match, so that it stays.
    page_after_restart = client.submit("/", RESTART_PRACTICE)
    assert page_after_restart.url == practice_url

    # A hand is played, and then the same button makes a new match.
    play(pad, client, practice_url, HAND_2900_TO_MINUS_250)
    new_url = client.submit("/", RESTART_PRACTICE).url
    assert new_url != practice_url

    # "Resume the practice match" leads to the new one. The old one is gone.
    assert client.get("/").links()[RESUME_PRACTICE] == new_url
    client.get(practice_url, status=404)


def test_practice_match_restarts_after_a_while(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # For some seconds after its start a practice match is not replaced, because a page may still be
    # loading it. Here that time is over at once.
    first = client.submit("/", START_PRACTICE)
    monkeypatch.setattr(views, "AT_ONCE", timedelta(0))

    second = client.submit("/", RESTART_PRACTICE)

    assert second.url != first.url
    client.get(first.url, status=404)


def test_restart_keeps_practice_match_of_another_phone(
    client: Client, guest: Client, pad: Pad
) -> None:
    # A guest joins the practice match of another phone, after a hand was played in it.
    practice = client.submit("/", START_PRACTICE)
    play(pad, client, practice.url, HAND_2900_TO_MINUS_250)
    let_in(client, practice.url, guest)
    assert guest.get("/").links()[RESUME_PRACTICE] == practice.url

    # The guest gets a new one, and the other phone keeps its own.
    guest.submit("/", RESTART_PRACTICE)

    assert client.get(practice.url).heading == "Noi contro Loro"


def test_admin_sees_all_matches_but_no_practice_matches_of_others(
    client: Client, visit: Visit, pad: Pad
) -> None:
    admin = visit()
    admin.raw.set_cookie("scorepad_admin", admin_cookie())
    start(client)
    practice_of_client = client.submit("/", START_PRACTICE)

    # The admin sees the match of the other device, and is not asked to resume its practice match.
    page = admin.get("/")
    assert len(page.all("a", class_="match")) == 1
    assert RESUME_PRACTICE not in page.links()

    # A restart replaces the practice match of the admin, not that of the other device.
    practice_of_admin = admin.submit(page, START_PRACTICE)
    play(pad, admin, practice_of_admin.url, HAND_2900_TO_MINUS_250)
    admin.submit("/", RESTART_PRACTICE)
    admin.get(practice_of_admin.url, status=404)
    client.get(practice_of_client.url)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("en-GB,en;q=0.9", "en"),
        ("it-CH", "it"),
        # There are only English and Italian pages. Italian is the default.
        ("fr", "it"),
        ("de,en;q=0.5", "en"),
        # The one with the higher value of `q` is preferred.
        ("en;q=0.4,it;q=0.9", "it"),
        ("*", "it"),
        ("", "it"),
        # This header is malformed.
        (";;q=x", "it"),
    ],
)
def test_language_is_chosen_by_accept_language_header(
    client: Client, header: str, language: str
) -> None:
    page = client.raw.get("/", headers={"Accept-Language": header})
    assert f'<html lang="{language}">' in page.text


def test_chosen_language_is_kept_and_returns_to_page(player: Player) -> None:
    client = player.client
    form = player.page().form_values("English") | {"language": "en"}

    # Somebody presses "English" on the page of a match. The test client checks that from here on
    # every page is in English.
    client.language = "en"
    match_page = client.post("/lingua", form)

    assert match_page.url == player.match
    assert client.get("/").heading == "Canasta score pad"
    # The address to return to includes what was searched for.
    assert client.get("/?cerca=ada").value_of("back") == "/?cerca=ada"


# --------------------------------------------------------------------------------- many in progress


def test_search_finds_matches_in_progress_by_name(client: Client, begin: Begin) -> None:
    # Three matches are in progress, of red foxes, tigers and black foxes. That of the gray foxes is
    # finished after two hands.
    start(client, name_0="Volpi rosse")
    start(client, name_0="Tigri")
    start(client, name_0="Volpi nere")
    begin(name_0="Volpi grigie").play(HAND_2900_TO_MINUS_250, HAND_2900_TO_MINUS_250)

    page = client.get("/in-corso?cerca=volpi")

    # Two matches in progress are found, the later one first.
    later, earlier = page.all("a", class_="match")
    assert later.text.startswith("Volpi nere ")
    assert earlier.text.startswith("Volpi rosse ")
    assert page.value_of("cerca") == "volpi"
    assert "2 partite" in page.one(role="search").text
    # Three are so few that the home page shows them all, without a link to "All matches".
    assert "Tutte le partite" not in client.get("/").text


@pytest.mark.parametrize(
    ("language", "name"), [("it", "Segnapunti della canasta"), ("en", "Canasta score pad")]
)
def test_web_manifest_exists_in_both_languages(visit: Visit, language: str, name: str) -> None:
    client = visit(language)
    link = client.get("/").one("link", rel="manifest")["href"]

    answer = client.raw.get(link)

    assert answer.mimetype == "application/manifest+json"
    manifest = answer.get_json(force=True)
    assert manifest["name"] == name
    assert manifest["lang"] == language
    assert manifest["display"] == "standalone"
    assert client.raw.get(manifest["start_url"]).status_code == 200


@pytest.mark.parametrize("language", ["it", "en"])
def test_icons_of_web_manifest_have_their_type_and_size(visit: Visit, language: str) -> None:
    client = visit(language)
    link = client.get("/").one("link", rel="manifest")["href"]
    manifest = client.raw.get(link).get_json(force=True)

    for icon in manifest["icons"]:
        image = client.raw.get(icon["src"])
        assert image.mimetype == icon["type"]
        if icon["type"] == "image/png":
            assert icon["sizes"] == size_of_png(image.data)


def size_of_png(content: bytes) -> str:
    """Return width and height such as `192x192`, from the header of the file."""
    width, height = struct.unpack(">II", content[16:24])
    return f"{width}x{height}"


def test_web_manifest_in_unknown_language_is_not_found(client: Client) -> None:
    answer = client.raw.get("/app-fr.webmanifest")
    assert answer.status_code == 404
