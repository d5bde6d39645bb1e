"""How the totals went, the result as a picture and as text: to the letter, and only for whom the
match is.
"""

from __future__ import annotations

import gzip
import secrets
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from typing import Any
from urllib.parse import unquote

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from PIL import Image
from playwright.sync_api import Page
from werkzeug.http import parse_options_header
from werkzeug.wrappers import Response

from scorepad.app import STORAGE
from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.access import Access, MatchId, RequestId
from scorepad.matches.events import Labels
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.projection import MatchState, NewMatch
from scorepad.matches.transaction import Saved
from scorepad.sheets.outcome import text_of
from scorepad.sheets.picture import picture_of
from scorepad.storage.rows import known_as
from scorepad.web.file_responses import name_file
from scorepad.web.phones.views import file_name
from scorepad.web.presenters import chart_of
from tests.sheets.worked import FIRST, SECOND, THREE, match_of
from tests.web.client import Client
from tests.web.playing import ALL_GOOD, DEVICE, device, hand, hand_typed, side, start
from tests.web.playing import match_of as named

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
PAGES = ("andamento", "condividi")
WON = hand({"sum": 5100}, {"sum": 60})


def played(hands: int = 2, **more: Any) -> MatchState:
    """Totals 1.575 and 1.455 after two hands: −280 and 850, then 1.855 and 605."""
    return match_of(
        [(each,) for each in ((FIRST,), (FIRST, SECOND))[hands - 1]], started=NOON, **more
    )


def begin(pad: Pad, client: Client, *hands: Mapping[str, Any]) -> str:
    """A match of this device with these hands; its address."""
    client.get("/regole")
    new = NewMatch("classica", None, {}, Labels(("Noi", "Loro"), ()))
    told = pad.actions.start(RequestId(secrets.token_hex(16)), device(client), new)
    assert isinstance(told, Saved)
    go_on(pad, client, told.match, *hands)
    return f"/partite/{told.match}"


def go_on(pad: Pad, client: Client, match: MatchId, *hands: Mapping[str, Any]) -> None:
    for each in hands:
        coming = pad.open(match, device(client))
        request = RequestId(secrets.token_hex(16))
        told = pad.count(
            request,
            match,
            device(client),
            ShownDraft(coming.id, coming.version),
            SentHand(hand=hand_typed(each)),
        )
        assert isinstance(told, Saved), told


def text(state: MatchState, language: str) -> str:
    speech = words(language)
    return text_of(state, speech)


# ---------------------------------------------------------------- the text


def test_the_text_of_a_match_going_on_to_the_letter() -> None:
    assert text(played(), "it") == (
        "Canasta classica, 21 novembre 2026, Bar Sport\n"
        "Anna–Bruno: 1.575\n"
        "Carla–Dario: 1.455\n"
        "Partita in corso: 2 smazzate giocate. Anna–Bruno in testa."
    )
    assert text(played(1, place=""), "en") == (
        "Classic canasta, 21 November 2026\nAnna–Bruno: \N{MINUS SIGN}280\n"
        "Carla–Dario: 850\n"
        "Match in progress: 1 hand played. In the lead: Carla–Dario."
    )


def test_the_text_of_a_match_won_to_the_letter() -> None:
    state = played()
    won = replace(state, status=state.status._replace(target=1500, finished=True, winner=0))
    assert text(won, "it") == (
        "Canasta classica, 21 novembre 2026, Bar Sport\n"
        "Anna–Bruno: 1.575\n"
        "Carla–Dario: 1.455\n"
        "Vince la coppia Anna–Bruno. Traguardo 1.500 raggiunto in 2 smazzate."
    )
    assert text(won, "en").endswith("Anna–Bruno win. Target 1,500 reached in 2 hands.")


def test_the_text_of_three_alone_names_them_once() -> None:
    three = match_of(
        [(THREE,)],
        variant="tre",
        names=("Ada", "Bea", "Cleo"),
        players=(("Ada",), ("Bea",), ("Cleo",)),
        started=NOON,
    )
    assert text(three, "it").split("\n")[1:4] == [
        "Ada: \N{MINUS SIGN}280",
        "Bea: 850",
        "Cleo: 1.855",
    ]


def test_of_a_pair_only_who_has_a_name_is_named() -> None:
    lines = text(played(players=(("Anna", ""), ("", ""))), "it").split("\n")
    assert lines[1:3] == ["Noi (Anna): 1.575", "Loro: 1.455"]


def test_before_the_first_hand_and_level_nobody_is_ahead() -> None:
    begun = match_of([], started=NOON)
    assert text(begun, "it").endswith("Carla–Dario: 0\nPartita appena cominciata.")


def test_hands_on_paper_count_and_a_practice_match_says_so() -> None:
    match = played()
    state = replace(match, begins=replace(match.begins, played=4, practice=True))
    assert text(state, "it").startswith("Canasta classica, partita di prova, 21 novembre 2026")
    assert "Partita in corso: 6 smazzate giocate." in text(state, "it")


def test_no_address_and_no_name_of_the_match_or_a_device_is_in_the_text(
    client: Client, pad: Pad
) -> None:
    url = begin(pad, client, ALL_GOOD)
    shown = client.get(f"{url}/condividi").one("textarea").text
    for hidden in (named(url), device(client), "http", "/partite", "localhost"):
        assert hidden not in shown


# ---------------------------------------------------------------- the page to share from


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_page_shows_the_picture_and_the_text_and_leads_to_the_sheet(
    visit: Callable[..., Client], pad: Pad, language: str
) -> None:
    guest, speech = visit(language), words(language)
    url = begin(pad, guest, ALL_GOOD)
    page, state = guest.get(f"{url}/condividi"), pad.state(named(url), device(guest))
    picture = page.one("img")
    assert picture["src"] == f"{url}/risultato.png?v={state.sequence}"
    assert "5.120" not in picture["alt"]
    assert f"Noi {speech.figure(430)}" in picture["alt"]
    assert page.links()[speech.t("share.picture.download")] == picture["src"]
    area = "".join(
        part for part in page.one("textarea").children if isinstance(part, str)
    ).removeprefix("\n")
    assert area == text_of(state, speech)
    assert f"{url}/foglio.pdf" in page.links().values()
    assert f"{url}/andamento" in page.links().values()
    assert all(button.has("hidden") for button in page.one("div", id="share").all("button")), (
        "only with a script"
    )


def test_the_title_says_whether_it_is_a_result(client: Client, pad: Pad) -> None:
    url = begin(pad, client)
    assert client.get(f"{url}/condividi").one("h1").text == "Condividi il punteggio"
    go_on(pad, client, named(url), WON)
    assert client.get(f"{url}/condividi").one("h1").text == "Condividi il risultato"


# ---------------------------------------------------------------- the picture


def test_the_picture_is_a_png_of_a_match_with_a_name_that_people_read(
    client: Client, pad: Pad
) -> None:
    url = begin(pad, client, ALL_GOOD)
    answer = client.raw.get(f"{url}/risultato.png")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["Cache-Control"] == "private, no-cache"
    day = words("it").day(datetime.now(UTC).astimezone())
    name = f"Canasta, Noi contro Loro, {day}.png"
    assert answer.headers["Content-Disposition"] == f'inline; filename="{name}"'
    assert Image.open(BytesIO(answer.data)).size == (1080, 1080)
    for hidden in (named(url), device(client), "tEXt", "pHYs"):
        assert hidden.encode() not in answer.data


def test_a_picture_that_is_known_already_is_not_sent_again(client: Client, pad: Pad) -> None:
    url = begin(pad, client, ALL_GOOD)
    first = client.raw.get(f"{url}/risultato.png")
    again = client.raw.get(f"{url}/risultato.png", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    go_on(pad, client, named(url), ALL_GOOD)
    assert (
        client.raw.get(
            f"{url}/risultato.png", headers={"If-None-Match": first.headers["ETag"]}
        ).status_code
        == 200
    )


def test_a_side_that_cannot_be_drawn_is_called_by_its_number_too() -> None:
    picture = picture_of(played(names=("Анна", "👵🏽")), words("it"), frozenset("Анна👵🏽"))
    assert [side.name for side in picture.sides] == ["Анна (coppia 1)", "👵🏽 (coppia 2)"]
    assert picture.sentence == "Partita in corso: 2 smazzate giocate"
    assert picture.how == "Анна (coppia 1) in testa."
    assert picture.lacking
    assert not picture_of(played(), words("it")).lacking


def test_a_file_is_called_by_nothing_that_a_disk_refuses() -> None:
    answer = Response()
    name_file(answer, file_name(played(names=('A/B:"C"', "..")), words("it")), "png", inline=True)
    named = 'inline; filename="Canasta, ABC contro .., 21 novembre 2026.png"'
    assert answer.headers["Content-Disposition"] == named
    name_file(answer, "€" * 500, "png")
    shown, names = parse_options_header(answer.headers["Content-Disposition"])
    assert shown == "attachment"
    assert names["filename"] == "€" * 53 + ".png", "160 octets at most"


# ---------------------------------------------------------------- the chart


def test_the_table_has_a_row_for_each_hand_with_what_was_made_and_the_total(
    client: Client, pad: Pad
) -> None:
    url = begin(pad, client, ALL_GOOD, hand(side(0, 100), side(250, 10, natural=1)), ALL_GOOD)
    page = client.get(f"{url}/andamento")
    rows = [[cell.text for cell in row.all("th", "td")] for row in page.one("tbody").all("tr")]
    assert rows == [
        ["1", "+430 , in tutto 430", "+60 , in tutto 60"],
        ["2", "−100 , in tutto 330", "+740 , in tutto 800"],
        ["3", "+430 , in tutto 760", "+60 , in tutto 860"],
    ]
    assert [head.text for head in page.one("thead").all("th")] == ["Smazzata", "Noi", "Loro"]
    desc = page.one("svg", role="img").one("desc").text
    assert desc == "In 3 smazzate: Noi da 0 a 760; Loro da 0 a 860. Il traguardo è 5.000."


def test_without_a_hand_there_is_a_sentence_in_place_of_the_chart(client: Client, pad: Pad) -> None:
    page = client.get(f"{begin(pad, client)}/andamento")
    assert not page.all("svg")
    assert not page.all("table")
    assert "comincia con la prima" in page.text


def test_a_correction_and_another_language_have_a_chart_of_their_own(
    client: Client, pad: Pad, app: Flask
) -> None:
    url = begin(pad, client, ALL_GOOD)
    assert "Noi da 0 a 430" in client.get(f"{url}/andamento").text
    seen = pad.state(named(url), device(client)).hands[0].versions[-1].sequence
    better = hand(side(200, 20, mixed=1), side(100, 40))
    assert isinstance(
        pad.correct(
            RequestId("r" * 20),
            named(url),
            device(client),
            1,
            seen,
            SentHand(hand=hand_typed(better)),
        ),
        Saved,
    )
    assert "Noi da 0 a 480" in client.get(f"{url}/andamento").text
    state = pad.state(named(url), device(client))
    with app.test_request_context():
        assert "hands</text>" in chart_of(state, words("en"))
        assert "smazzate</text>" in chart_of(state, words("it"))


def test_the_chart_of_a_page_of_twelve_hands_weighs_less_than_two_kilobytes(app: Flask) -> None:
    state = match_of([(FIRST,), (SECOND,)] * 6, started=NOON)
    with app.test_request_context():
        assert len(gzip.compress(chart_of(state, words("it")).encode(), 6)) < 2048


# ---------------------------------------------------------------- who may see it


@pytest.mark.parametrize("path", ["andamento", "condividi", "risultato.png"])
def test_who_may_look_sees_it_and_a_stranger_does_not_know_that_it_is_there(
    app: Flask, client: Client, visit: Callable[..., Client], pad: Pad, path: str
) -> None:
    url = begin(pad, client, ALL_GOOD)
    stranger = visit()
    assert (
        stranger.get(f"{url}/{path}", 404).text
        == stranger.get(f"/partite/zzzzzzzzzz/{path}", 404).text
    )
    with app.extensions[STORAGE].writing() as rows:
        rows.grant(named(url), known_as(device(stranger)), Access.VIEW, datetime.now(UTC))
    assert stranger.raw.get(f"{url}/{path}").status_code == 200
    assert stranger.raw.post(f"{url}/{path}").status_code in (403, 405)


# ---------------------------------------------------------------- in a browser


@pytest.fixture
def match(pad: Pad, new_match: Callable[..., MatchId]) -> MatchId:
    """A match of this browser with three hands."""
    found = new_match()
    for number in range(3):
        coming = pad.open(found, DEVICE)
        told = pad.count(
            RequestId(f"count-{number}"),
            found,
            DEVICE,
            ShownDraft(coming.id, coming.version),
            SentHand(hand=hand_typed(ALL_GOOD)),
        )
        assert isinstance(told, Saved)
    return found


COPIED = "Testo copiato: ora puoi incollarlo in un messaggio."


def test_the_text_is_copied_with_one_tap_also_where_there_is_no_https(
    match: MatchId, open_page: Callable[..., Page]
) -> None:
    page = open_page("/regole")
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.goto(page.url.replace("/regole", f"/partite/{match}/condividi"))
    page.evaluate(
        "document.addEventListener('copy', () => { window.taken = String(getSelection()) || text.value; })"
    )
    page.get_by_role("button", name="Copia il testo").click()
    page.get_by_text(COPIED).wait_for()
    assert page.evaluate("window.taken").startswith("Canasta classica, ")
    assert page.evaluate("document.activeElement.id") == "copy"


def test_where_nothing_can_be_copied_the_text_is_selected_and_it_says_what_to_do(
    match: MatchId, open_page: Callable[..., Page]
) -> None:
    page = open_page("/regole")
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.execCommand = () => false;"
    )
    page.goto(page.url.replace("/regole", f"/partite/{match}/condividi"))
    page.get_by_role("button", name="Copia il testo").click()
    page.get_by_text("Il testo non è stato copiato.").wait_for()
    assert page.evaluate("text.selectionEnd - text.selectionStart === text.value.length")


def test_the_phone_s_own_way_gets_text_and_picture_where_there_is_one(
    match: MatchId, open_page: Callable[..., Page]
) -> None:
    page = open_page("/regole")
    page.add_init_script(
        "navigator.canShare = () => true;"
        "navigator.share = async (sent) => { window.sent = [sent.text, sent.files && sent.files[0].size]; };"
    )
    page.goto(page.url.replace("/regole", f"/partite/{match}/condividi"), wait_until="networkidle")
    page.get_by_role("button", name="Condividi", exact=True).click()
    shared, size = page.evaluate("window.sent")
    assert shared == page.locator("textarea").input_value()
    assert size > 10_000


def test_without_the_phone_s_own_way_there_is_no_button_for_it(
    match: MatchId, open_page: Callable[..., Page]
) -> None:  # fmt: skip
    page = open_page("/regole")
    page.add_init_script(
        "Object.defineProperty(Navigator.prototype, 'share', { value: undefined })"
    )
    page.goto(page.url.replace("/regole", f"/partite/{match}/condividi"))
    assert page.get_by_role("button", name="Copia il testo").is_visible()
    assert not page.locator("#send").is_visible()


def test_without_a_script_there_are_picture_text_and_links_and_no_button_that_does_nothing(
    match: MatchId, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"/partite/{match}/condividi", java_script_enabled=False)
    assert page.locator("#share button:visible").count() == 0
    assert page.locator("img").is_visible()
    assert page.locator("textarea").is_visible()


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(
    ("locale", "theme", "width"),
    [
        ("it-IT", "light", 320),
        ("it-IT", "dark", 1280),
        ("en-GB", "dark", 390),
        ("en-GB", "light", 1280),
    ],
)
def test_axe_finds_nothing_and_nothing_is_too_wide(
    match: MatchId, open_page: Callable[..., Page], path: str, locale: str, theme: str, width: int
) -> None:
    page = open_page(f"/partite/{match}/{path}", width, 844, locale=locale, color_scheme=theme)
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in found] == []
    assert page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_what_is_written_in_the_chart_is_twelve_pixels_high_and_more_and_stays_inside(
    match: MatchId, open_page: Callable[..., Page], width: int
) -> None:
    page = open_page(f"/partite/{match}/andamento", width)
    sizes = page.evaluate(
        """() => { const chart = document.querySelector('.running'), room = chart.getBoundingClientRect();
          return [...chart.querySelectorAll('text')].map((each) => { const at = each.getBoundingClientRect();
            const size = parseFloat(getComputedStyle(each).fontSize) * room.width / chart.viewBox.baseVal.width;
            const inside = at.left >= room.left - 1 && at.right <= room.right + 1 && at.bottom <= room.bottom + 1;
            return [size, inside, each.textContent]; }); }"""
    )
    assert len(sizes) > 8
    assert [told for size, inside, told in sizes if size < 11.99 or not inside] == []


@pytest.mark.parametrize("name", ["Dall’Olio", "Łukasz", "Noi – A", "🃏", "שלום", "Niccolo\u0300"])
def test_the_picture_goes_out_whatever_the_names_as_headers_are_ascii(
    client: Client, name: str
) -> None:
    url = start(client, name_0=name)
    answer = client.raw.get(f"{url}/risultato.png")
    assert answer.status_code == 200
    told = answer.headers["Content-Disposition"]
    assert told.isascii()
    assert told.count('"') == 2
    assert unicodedata.normalize("NFC", name) in unquote(told.partition("UTF-8''")[2])
