"""Names and notes that nobody should do harm with: shown as text everywhere, or refused with the
typing kept.

A quick sample in the usual run, each kind once; all five hundred, the sheet of each as well, under
`soak`.
"""

from __future__ import annotations

import csv
import io
import re
import time
import unicodedata
from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import quote_from_bytes
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from PIL import Image
from pypdf import PdfReader
from werkzeug.test import TestResponse

from scorepad.matches.events import Labels
from scorepad.matches.names import (
    make_comparable,
    tidy,
    tidy_and_check_labels,
    tidy_text,
)
from scorepad.rules.variants import settle
from tests.web.client import Client, Page, check
from tests.web.hostile import LONGEST_NOTE, Hostile, texts
from tests.web.playing import match_of

HOSTILE_TEXTS = texts()
MATCH_PAGES = ("", "/registro", "/tabellone")
"""Match, log and score board: the pages of a match that are looked at in the usual run."""
OTHER_MATCH_PAGES = (
    "/andamento", "/condividi", "/nomi", "/telefoni", "/fine", "/giocatore", "/cancella", "/annulla", "/smazzata",
    "/smazzate/1/correggi", "/smazzate/1/annotazione", "/arbitro", "/file",
)  # fmt: skip
LIST_PAGES = ("/", "/in-corso", "/giocatori")
ALLOWED_TAGS = set(re.findall(r"[a-z0-9]+", """
    a article b bdi body br button caption circle datalist dd defs desc details div dl dt em fieldset figcaption
    figure footer form g h1 h2 h3 h4 head header html img input label legend li line link main meta nav noscript ol
    optgroup option output p path pattern polyline progress rect script section select small span strong style
    summary svg table tbody td text textarea tfoot th thead time title tr tspan ul use
"""))  # fmt: skip
# A hand without canastas, with a penalty of the house for Loro and points agreed for Noi.
HAND_FIELDS = {
    "a.cards": "150", "a.left": "0", "b.cards": "100", "b.left": "40", "out": "nobody", "do": "save",
    "b.house.0.points": "25", "a.adjustments.0.points": "20",
}  # fmt: skip
FORMULA_STARTS = tuple("=+-@\t\r＝＋－＠﹢﹣﹦﹫")
"""What makes a spreadsheet take a cell for a formula, with wide and small forms of the signs."""


def one_of_each_kind() -> list[Hostile]:
    """Return the first text of each kind, such as "markup", without those of two kinds."""
    first: dict[str, Hostile] = {}
    for hostile in HOSTILE_TEXTS:
        is_mixed = " and " in hostile.kind
        if not is_mixed:
            first.setdefault(hostile.kind, hostile)
    return list(first.values())


@pytest.mark.quick(5)
@pytest.mark.parametrize("hostile", one_of_each_kind(), ids=lambda hostile: hostile.kind)
def test_hostile_text_is_shown_as_text_or_refused(app: Flask, hostile: Hostile) -> None:
    play_and_check_pages(app, hostile)


def test_each_text_is_accepted_or_refused_as_name() -> None:
    # Each text comes with whether it may be a name, which was worked out by hand.
    for hostile in HOSTILE_TEXTS:
        is_refused = bool(problems_of_names(hostile.text, "Loro"))
        assert is_refused != hostile.is_name, described(hostile)


@pytest.mark.parametrize(
    "name",
    [
        # With a character that is not seen: a variation selector, a grapheme joiner, a filler and a
        # soft hyphen.
        "Noi\ufe0f",
        "N\u034foi",
        "\u3164Noi",
        "N\u00adoi",
        # With wide letters, and with capitals.
        "ｎｏｉ",
        "NOI",
    ],
    ids=ascii,
)
def test_name_that_looks_like_another_is_refused(name: str) -> None:
    # The other side is called Noi.
    assert problems_of_names("Noi", name) == ["name-repeated"]


def problems_of_names(*names: str) -> list[str]:
    """Return the codes of what is wrong with the names of the sides, such as "name-repeated"."""
    _labels, problems = tidy_and_check_labels(Labels(names), settle("classica").settings)
    return [problem.code for problem in problems]


def described(hostile: Hostile) -> str:
    """Return the message of an assertion that fails for this text."""
    return f"{hostile.kind} {hostile.text[:40]!a}"


@pytest.mark.soak
def test_all_hostile_texts_with_sheets(app: Flask) -> None:
    # One device may not send so much so quickly, unless the limits are off.
    app.config["SCOREPAD_LIMITED"] = False
    names = 0
    notes = 0
    for hostile in HOSTILE_TEXTS:
        accepted = play_and_check_pages(app, hostile, on_paper=True)
        names += accepted.as_name
        notes += accepted.as_note
    print(
        f"{len(HOSTILE_TEXTS)} hostile texts: {names} shown as names and {notes} as notes,"
        " the others refused; no markup, no formula, no error"
    )


class Accepted(NamedTuple):
    """Whether a text was accepted as a name, and as a note."""

    as_name: bool
    as_note: bool


def play_and_check_pages(app: Flask, hostile: Hostile, *, on_paper: bool = False) -> Accepted:
    """Play a match with a hostile text as names and as notes, and check what its pages and files
    show.

    With `on_paper` the score sheet and the rarer pages are checked too. Returns whether the text was
    accepted as a name, and as a note.
    """
    # A match is begun with the text as the name of a side. If it is refused, the match is begun with
    # a harmless name.
    client = Client(app)
    harmless = Hostile("harmless", "Pina", is_name=True)
    name = hostile
    url = begin_match_with_name(client, hostile)
    is_accepted_as_name = url is not None
    assert is_accepted_as_name == hostile.is_name, described(hostile)
    if url is None:
        name = harmless
        url = begin_match_with_name(client, harmless)
        assert url is not None

    # A hand is saved with a harmless note, which is then replaced by the text.
    count_hand(client, url, harmless)
    is_accepted_as_note = write_note(client, url, hostile)

    # If that is accepted, a second hand has the text as its note and as the reasons of points.
    if is_accepted_as_note:
        count_hand(client, url, hostile)

    # The pages and the files show it as a text, and nothing more.
    check_pages(client, url, name.text)
    check_rows(client, url)
    check_export_and_pictures(client, url)
    if on_paper:
        check_other_pages(client, url)
        check_sheet(client, url)
    return Accepted(is_accepted_as_name, is_accepted_as_note)


def begin_match_with_name(client: Client, hostile: Hostile) -> str | None:
    """Begin a match with a side, a player and a place of this name, and return its address.

    If the name is refused, check that the form keeps what was typed, and return None.
    """
    # The text is sent in three fields of the form for a new match. The others are left as they are.
    form = client.get("/partite/nuova").form_values("Comincia: ")
    side, player, place = "name-0", "player-1-0", "place"
    answer = post_text(client, "/partite/nuova", form, hostile, [side, player, place])
    if answer.status_code == 303:
        return str(answer.location)

    # The form is shown again, with the text in its fields.
    refused = checked_refusal(client, answer)
    for field in (side, player, place):
        kept_text = refused.one("input", id=field).get("value")
        assert comparable(kept_text) == comparable(hostile.text)
    return None


def post_text(
    client: Client, url: str, form: dict[str, str], hostile: Hostile, fields: Iterable[str]
) -> TestResponse:
    """Send a form with this text in these fields.

    The body is put together byte by byte, because some of the texts are no valid UTF-8.
    """
    octets = {name: value.encode() for name, value in form.items()}
    for field in fields:
        octets[field] = hostile.sent
    body = "&".join(f"{name}={quote_from_bytes(value)}" for name, value in octets.items())
    return client.raw.post(url, data=body, content_type="application/x-www-form-urlencoded")


def checked_refusal(client: Client, answer: TestResponse) -> Page:
    """Check that a form was refused, and the page that says so, and return that page."""
    assert answer.status_code == 422
    page = Page(answer, answer.request.path)
    check(page, client.language)
    check_elements(page)
    assert page.errors
    return page


def check_elements(page: Page) -> None:
    """Check that a page has only elements of our templates, and no event handlers."""
    for element in page.all():
        assert element.tag in ALLOWED_TAGS, element.tag
        for name in element.attributes:
            assert not name.startswith("on"), element.attributes
        if element.tag in ("use", "image"):
            assert element.get("href").startswith("#")
        if element.tag == "meta":
            assert not element.has("http-equiv")


def comparable(text: str) -> str:
    """Return a text without the two things that a page may change in it.

    These are spaces, as a field of one line cannot hold line ends, and NUL: HTML cannot hold it, and
    browsers show U+FFFD in its place.
    """
    without_nul = text.replace("\0", "\ufffd")
    return "".join(without_nul.split())


def write_note(client: Client, url: str, hostile: Hostile) -> bool:
    """Write a note on the first hand, and return whether it was accepted.

    If it was refused, check that the form keeps what was typed, and that it was too long.
    """
    # The text is sent in the field "text" of the form for the note ("annotazione") of hand 1.
    page = client.get(f"{url}/smazzate/1/annotazione")
    form = page.form_values("Salva l'annotazione")
    answer = post_text(client, page.url, form, hostile, ["text"])
    if answer.status_code == 303:
        return True

    # The form is shown again, with the text in its field: an input or a textarea.
    field = checked_refusal(client, answer).one(id="text")
    kept_text = field.get("value") or field.text
    assert comparable(kept_text) == comparable(hostile.text)

    # A note may be any text of at most 300 characters. Spaces in a row count as one.
    with_single_spaces = " ".join(hostile.text.split())
    assert len(with_single_spaces) > LONGEST_NOTE, described(hostile)
    return False


def count_hand(client: Client, url: str, hostile: Hostile) -> None:
    """Send a hand with this text as its note and as the reason of a penalty and an adjustment.

    Check that it is either saved or refused with errors.
    """
    # In `HAND_FIELDS` are the points of a whole hand, with a penalty and points agreed by the
    # players. Both need a reason.
    page = client.get(f"{url}/smazzata")
    form = {**page.form_values("Salva la smazzata"), **HAND_FIELDS}
    fields_with_text = ["b.house.0.reason", "a.adjustments.0.reason", "remark"]
    answer = post_text(client, page.url, form, hostile, fields_with_text)
    assert answer.status_code == 303

    # A saved hand leads to the page of the match, a refused one back to its form.
    next_page = client.get(answer.location)
    check_elements(next_page)
    is_saved = next_page.url == url
    is_refused = bool(next_page.errors)
    assert is_saved or is_refused, described(hostile)


def check_pages(client: Client, url: str, name: str) -> None:
    """Check the pages that show the name of a side, which is stored in NFC."""
    composed = unicodedata.normalize("NFC", name).strip()
    for path in MATCH_PAGES:
        page = client.get(f"{url}{path}")
        check_elements(page)
        assert comparable(composed) in comparable(page.text), path


def check_other_pages(client: Client, url: str) -> None:
    """Check the elements of the other pages that show the names and notes of a match, in both
    languages.
    """
    # The forms and the lesser pages of the match, and the lists of matches and players.
    addresses = [f"{url}{path}" for path in OTHER_MATCH_PAGES]
    addresses += LIST_PAGES

    # The pages of the first three players, to which the list of players ("giocatori") links.
    links = client.get("/giocatori").links().values()
    links_to_players = [link for link in links if "/giocatori/" in link]
    addresses += links_to_players[:3]

    # The same device reads them in Italian, and in English with a copy of its cookie.
    english_client = Client(client.app, "en")
    english_client.raw.set_cookie("scorepad_device", client.cookie("scorepad_device"))
    for address in addresses:
        check_elements(client.get(address))
        check_elements(english_client.get(address))


def check_rows(client: Client, url: str) -> None:
    """Check that the file of a match for spreadsheets holds no formula."""
    rows_file = client.raw.get(f"{url}/file/righe.csv")
    assert "\n" not in rows_file.headers["Content-Disposition"]
    text = io.StringIO(rows_file.data.decode("utf-8-sig"), newline="")
    heads, *rows = csv.reader(text, delimiter=";", strict=True)
    for row in rows:
        assert len(row) == len(heads)
        for cell in row:
            check_cell(cell)


def check_export_and_pictures(client: Client, url: str) -> None:
    """Check that the file of a match is JSON, and that its pictures have no foreign markup."""
    # The file holds this match.
    export = client.raw.get(f"{url}/file/partita.json")
    (match,) = export.json["matches"]
    assert match["id"] == match_of(url)

    # The result ("risultato") is a valid PNG.
    png = client.raw.get(f"{url}/risultato.png")
    assert png.headers["Content-Type"] == "image/png"
    with Image.open(io.BytesIO(png.data)) as image:
        image.verify()

    # It is also drawn as SVG, where a name that is markup would be an element of its own. The parser
    # writes a tag as "{http://www.w3.org/2000/svg}text".
    svg = client.raw.get(f"{url}/risultato.svg")
    drawing = ET.fromstring(svg.data)  # noqa: S314 - our own
    tags = {element.tag.rpartition("}")[2] for element in drawing.iter()}
    assert tags <= {"svg", "g", "rect", "path", "text", "tspan", "title"}


def check_cell(cell: str) -> None:
    """Check that a spreadsheet takes a cell for a figure or a text, and never for a formula."""
    assert cell.isprintable()
    digits = cell.removeprefix("-")
    is_figure = digits.isascii() and digits.isdecimal()
    # Spaces and quotation marks before a sign do not make it harmless.
    first_characters = unicodedata.normalize("NFKC", cell).lstrip(' "')
    assert is_figure or not first_characters.startswith(FORMULA_STARTS), cell


def check_sheet(client: Client, url: str) -> None:
    """Check that the sheet of a match has no scripts, links, attachments or annotations."""
    data = client.raw.get(f"{url}/foglio.pdf").data
    for word in ("JavaScript", "JS ", "Launch", "URI", "EmbeddedFile", "SubmitForm", "GoToR"):
        assert f"/{word}".encode() not in data
    sheet = PdfReader(io.BytesIO(data))
    assert not sheet.attachments
    assert not any("/Annots" in page for page in sheet.pages)


def test_sheet_shows_markup_as_text(app: Flask) -> None:
    # The first of the hostile texts is HTML.
    markup = one_of_each_kind()[0]
    assert markup.kind == "markup"
    play_and_check_pages(app, markup, on_paper=True)


@pytest.mark.parametrize("read", [tidy, make_comparable, tidy_text])
def test_many_combining_marks_are_normalized_quickly(read: Callable[[str], str]) -> None:
    # A letter with many accents above and marks below. Unicode orders such marks by comparing each
    # one with those before it: as a whole this text takes half a minute, piece by piece less than a
    # second.
    letter_with_marks = "a" + "\u0301\u0316" * 128_000

    begun = time.process_time()
    tidied = read(letter_with_marks)
    seconds = time.process_time() - begun

    assert len(tidied) > 128_000
    assert seconds < 5


@pytest.mark.parametrize(
    "name",
    [
        "Zoe\u0308",  # e with two dots, of two characters
        "a\u0316\u0301",  # a mark below and an accent above
        "\ufb01",  # the ligature fi, which stays as it is
        "e\u0301" * 60,
        "\u1100\u1161\u11a8",  # a Korean syllable of three letters
    ],
)
def test_name_is_normalized_to_nfc(name: str) -> None:
    # In NFC a letter with its marks is one character, where Unicode has such a character.
    assert tidy(name) == unicodedata.normalize("NFC", name)
