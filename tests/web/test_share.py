"""How the totals went, the result as a picture and as text: to the letter, and only for whom the
match is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from typing import Any
from urllib.parse import unquote

import pytest
from PIL import Image
from playwright.sync_api import Page
from werkzeug.http import parse_options_header
from werkzeug.wrappers import Response

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.projection import MatchState
from scorepad.sheets.outcome import write_text_to_share
from scorepad.sheets.picture import make_picture
from scorepad.web.file_responses import name_file
from scorepad.web.phones.views import write_picture_file_name
from tests.sheets.worked import FIRST_HAND as FIRST
from tests.sheets.worked import HAND_OF_THREE as THREE
from tests.sheets.worked import SECOND_HAND as SECOND
from tests.sheets.worked import match_of
from tests.web.client import Client
from tests.web.counting import NewMatch, OpenPage, count_on_pad
from tests.web.player import Player
from tests.web.playing import HAND_430_TO_60, hand, side, start
from tests.web.tables import read_tables

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def played_one_hand(**more: Any) -> MatchState:
    """A match at −280 to 850."""
    return match_of([(FIRST,)], started=NOON, **more)


def played_two_hands(**more: Any) -> MatchState:
    """A match at −280 + 1,855 = 1,575 to 850 + 605 = 1,455."""
    return match_of([(FIRST,), (SECOND,)], started=NOON, **more)


def won_by_noi() -> MatchState:
    state = played_two_hands()
    return replace(state, status=state.status._replace(target=1500, finished=True, winner=0))


def practice_after_paper() -> MatchState:
    """A practice match that goes on from four hands on paper."""
    state = played_two_hands(players=(("Anna", ""), ("", "")))
    return replace(state, begins=replace(state.begins, played=4, practice=True))


def three_alone() -> MatchState:
    """A match of three, whose players are named as their sides."""
    names = {"names": ("Ada", "Bea", "Cleo"), "players": (("Ada",), ("Bea",), ("Cleo",))}
    return match_of([(THREE,)], variant="tre", started=NOON, **names)


# ---------------------------------------------------------------- the text


STATES = {
    "going on": (played_two_hands(), "it"),
    "going on in English": (played_one_hand(place=""), "en"),
    "won": (won_by_noi(), "it"),
    "a practice match after paper": (practice_after_paper(), "it"),
    "just begun": (match_of([], started=NOON), "it"),
    "three alone, named once": (three_alone(), "it"),
}


@pytest.mark.parametrize(("name", "state", "language"), [(n, *case) for n, case in STATES.items()])
def test_the_text_of_a_match_to_the_letter(name: str, state: MatchState, language: str) -> None:
    """The expected lines are in `share.toml`, by name."""
    lines = write_text_to_share(state, words(language)).split("\n")
    assert lines == read_tables("share")["text"][name]


# ---------------------------------------------------------------- the page to share from


def test_the_page_shows_the_picture_and_the_text_and_leads_to_the_sheet(leading: Player) -> None:
    page = leading.page("condividi")
    assert page.heading == "Condividi il punteggio"
    picture = page.one("img")
    assert picture["src"] == f"{leading.match}/risultato.png?v={leading.state.sequence}"
    assert "Noi 430" in picture["alt"]
    links = page.links()
    assert links[words("it").t("share.picture.download")] == picture["src"]
    assert f"{leading.match}/foglio.pdf" in links.values()
    assert f"{leading.match}/andamento" in links.values()

    text = page.one("textarea").text
    assert text.split() == write_text_to_share(leading.state, words("it")).split()
    for secret in (leading.match_id, leading.device, "http", "/partite", "localhost"):
        assert secret not in text
    for button in page.one("div", id="share").all("button"):
        assert button.has("hidden"), "only with a script"


def test_the_page_of_a_match_that_is_over_shares_its_result(player: Player) -> None:
    player.play(hand({"sum": 5100}, {"sum": 60}))
    assert player.page("condividi").heading == "Condividi il risultato"


# ---------------------------------------------------------------- the picture


def test_the_picture_is_a_png_of_a_match_with_a_name_that_people_read(leading: Player) -> None:
    answer = leading.answer("risultato.png")

    day = words("it").day(datetime.now(UTC).astimezone())
    name = f"Canasta, Noi contro Loro, {day}.png"
    assert answer.headers["Content-Disposition"] == f'inline; filename="{name}"'
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert Image.open(BytesIO(answer.data)).size == (1080, 1080)
    for secret in (leading.match_id, leading.device, "tEXt", "pHYs"):
        assert secret.encode() not in answer.data


def test_a_picture_that_is_known_already_is_not_sent_again(leading: Player) -> None:
    path = f"{leading.match}/risultato.png"
    known = {"If-None-Match": leading.client.raw.get(path).headers["ETag"]}

    unchanged = leading.client.raw.get(path, headers=known)
    leading.play(HAND_430_TO_60)
    changed = leading.client.raw.get(path, headers=known)

    assert unchanged.status_code == 304
    assert unchanged.data == b""
    assert changed.status_code == 200


def test_a_side_that_cannot_be_drawn_is_called_by_its_number_too() -> None:
    letters_without_font = frozenset("Анна👵🏽")  # as on a machine that lacks fonts
    state = played_two_hands(names=("Анна", "👵🏽"))

    picture = make_picture(state, words("it"), letters_without_font)

    assert [side.name for side in picture.sides] == ["Анна (coppia 1)", "👵🏽 (coppia 2)"]
    assert picture.how == "Анна (coppia 1) in testa."
    assert picture.lacking
    assert not make_picture(played_two_hands(), words("it")).lacking


def test_a_file_is_called_by_nothing_that_a_disk_refuses() -> None:
    answer = Response()
    state = played_two_hands(names=('A/B:"C"', ".."))
    name_file(answer, write_picture_file_name(state, words("it")), "png", inline=True)
    expected = 'inline; filename="Canasta, ABC contro .., 21 novembre 2026.png"'
    assert answer.headers["Content-Disposition"] == expected


def test_a_file_is_called_by_160_octets_at_most() -> None:
    answer = Response()
    name_file(answer, "€" * 500, "png")
    kind, options = parse_options_header(answer.headers["Content-Disposition"])
    assert kind == "attachment"
    assert options["filename"] == "€" * 53 + ".png"


# ---------------------------------------------------------------- the chart


def test_before_the_first_hand_there_is_no_chart(player: Player) -> None:
    page = player.page("andamento")
    assert page.all("svg", "table") == []
    assert "comincia con la prima" in page.text


def test_the_table_has_a_row_for_each_hand_with_what_was_made_and_the_total(
    leading: Player,
) -> None:
    leading.play(hand(side(0, 100), side(250, 10, natural=1)))  # −100, and 500 + 250 − 10
    page = leading.page("andamento")
    rows = [row.texts("th", "td") for row in page.one("table").all("tr")]
    assert rows == [
        ["Smazzata", "Noi", "Loro"],
        ["1", "+430 , in tutto 430", "+60 , in tutto 60"],
        ["2", "−100 , in tutto 330", "+740 , in tutto 800"],
    ]
    drawing = page.one("svg", role="img").one("desc").text
    assert drawing == "In 2 smazzate: Noi da 0 a 330; Loro da 0 a 800. Il traguardo è 5.000."


def test_a_correction_and_another_language_have_a_chart_of_their_own(leading: Player) -> None:
    assert "Noi da 0 a 430" in leading.page("andamento").text

    leading.correct_to(1, hand(side(200, 20, mixed=1), side(100, 40)))
    assert "Noi da 0 a 480" in leading.page("andamento").text

    leading.client.raw.set_cookie("scorepad_language", "en")
    assert "hands" in leading.answer("andamento").text


# ---------------------------------------------------------------- in a browser


@pytest.fixture
def share_page(pad: Pad, new_match: NewMatch, open_page: OpenPage) -> Callable[[str], Page]:
    """The page to share a match of this browser, on which a script ran first."""

    def show_after(script: str) -> Page:
        match = new_match()
        count_on_pad(pad, match, HAND_430_TO_60)
        page = open_page("/regole")
        page.add_init_script(script)
        address = page.url.replace("/regole", f"/partite/{match}/condividi")
        page.goto(address, wait_until="networkidle")
        return page

    return show_after


WITHOUT_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
WITHOUT_SHARING = "Object.defineProperty(Navigator.prototype, 'share', { value: undefined });"
COPYING_FAILS = "document.execCommand = () => false;"
KEEP_WHAT_IS_COPIED = """document.addEventListener('copy', () => {
  window.copied = String(getSelection()) || text.value;
})"""
KEEP_WHAT_IS_SHARED = """navigator.canShare = () => true;
navigator.share = async (sent) => { window.shared = [sent.text, sent.files && sent.files[0].size]; };
"""


def test_the_text_is_copied_with_one_tap_also_where_there_is_no_https(
    share_page: Callable[[str], Page],
) -> None:
    page = share_page(WITHOUT_CLIPBOARD)
    page.evaluate(KEEP_WHAT_IS_COPIED)
    page.get_by_role("button", name="Copia il testo").click()
    page.get_by_text("Testo copiato: ora puoi incollarlo in un messaggio.").wait_for()
    assert page.evaluate("window.copied").startswith("Canasta classica, ")
    assert page.evaluate("document.activeElement.id") == "copy"


def test_where_nothing_can_be_copied_the_text_is_selected_and_it_says_what_to_do(
    share_page: Callable[[str], Page],
) -> None:
    page = share_page(WITHOUT_CLIPBOARD + COPYING_FAILS + WITHOUT_SHARING)
    assert not page.locator("#send").is_visible(), "there is no way of the phone's own"
    page.get_by_role("button", name="Copia il testo").click()
    page.get_by_text("Il testo non è stato copiato.").wait_for()
    assert page.evaluate("text.selectionEnd - text.selectionStart === text.value.length")


def test_the_phone_s_own_way_gets_text_and_picture_where_there_is_one(
    share_page: Callable[[str], Page],
) -> None:
    page = share_page(KEEP_WHAT_IS_SHARED)
    page.get_by_role("button", name="Condividi", exact=True).click()
    text, size_of_picture = page.evaluate("window.shared")
    assert text == page.locator("textarea").input_value()
    assert size_of_picture > 10_000


@pytest.mark.parametrize("name", ["Dall’Olio", "Łukasz", "Noi – A", "🃏", "שלום", "Niccolo\u0300"])
def test_the_picture_goes_out_whatever_the_names_as_headers_are_ascii(
    client: Client, name: str
) -> None:
    url = start(client, name_0=name)
    answer = client.raw.get(f"{url}/risultato.png")
    assert answer.status_code == 200
    header = answer.headers["Content-Disposition"]
    assert header.isascii()
    assert header.count('"') == 2
    _, _, encoded_name = header.partition("UTF-8''")
    assert unicodedata.normalize("NFC", name) in unquote(encoded_name)
