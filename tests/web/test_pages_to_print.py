"""Sheets, pads and rules cards where no PDF can be made: pages that the browser prints.

A sheet holds the hands of a match, a pad is an empty form to write scores on, and a rules card
holds the rules of a variant.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from io import BytesIO
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page
from pypdf import PdfReader

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.rules.variants import variant_ids
from scorepad.sheets.blank_pad import FEWEST_PAD_ROWS
from scorepad.sheets.match_sheet import make_match_sheet
from scorepad.sheets.pdf import can_make_pdf
from tests.web.client import Client
from tests.web.client import Page as SheetPage
from tests.web.counting import NewMatch, OpenPage, count_on_pad
from tests.web.player import Player
from tests.web.playing import DEVICE, hand, side

A4 = (595, 842)
"""Width and height of a page in points, of which 72 are an inch."""
PAGE_SIZES_OF_PADS = {"": [(842, 595)], "?per-foglio=4": [A4], "?grande": [A4, A4]}
"""The sizes of the pages of each form of a pad. The usual one is in landscape format. In portrait
format are four pads on a sheet, and a large pad, which has two pages.
"""
COUNT_VISIBLE_ROWS = """() => [...document.querySelectorAll('.rows')].map((rows) =>
  [...rows.querySelectorAll('.row')].filter((row) =>
    row.getBoundingClientRect().right <= rows.getBoundingClientRect().right + 1).length)"""
"""A script that counts the rows of each pad that are on the page. Rows that do not fit are moved to
the right of the pad, where they are not printed.
"""


def get_sheet(client: Client, url: str) -> SheetPage:
    """Fetch a page to print. It is not checked like other pages, as it has no header or footer."""
    answer = client.raw.get(url)
    assert answer.status_code == 200
    assert answer.mimetype == "text/html"
    return SheetPage(answer, url)


@pytest.fixture
def without_pdf(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide WeasyPrint, which makes the PDFs, as in an installation without the extra `pdf`."""
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    can_make_pdf.cache_clear()  # whether PDFs can be made is asked once
    yield
    monkeypatch.undo()
    can_make_pdf.cache_clear()


@pytest.mark.usefixtures("without_pdf")
@pytest.mark.parametrize("sheet", ["foglio.pdf", "foglio.pdf?dettaglio=1", "foglio.pdf?grande=1"])
def test_sheet_is_a_page_with_a_print_button(client: Client, leading: Player, sheet: str) -> None:
    # The sheet of a match is there in short, with every line of the score, and in large letters.
    page = get_sheet(client, f"{leading.match}/{sheet}")

    assert page.one("button", id="print").text == "Stampa"  # "Print"
    assert "Noi" in page.text
    # With this scheme WeasyPrint finds styles and fonts. A browser would not.
    assert "scorepad:" not in page.answer.text


@pytest.mark.usefixtures("without_pdf")
def test_styles_and_fonts_of_a_page_to_print_are_served(client: Client, leading: Player) -> None:
    page = get_sheet(client, f"{leading.match}/foglio.pdf")
    assert "font-src 'self'" in page.answer.headers["Content-Security-Policy"]

    # The styles of all sheets, of the sheets of a match, and of pages that are printed.
    sheet_style, match_style, print_style = page.hrefs("link", rel="stylesheet")
    assert sheet_style.endswith("/sheet.css")
    assert match_style.endswith("/match.css")
    assert print_style.endswith("/print.css")

    # The fonts have addresses relative to the style.
    style = client.raw.get(sheet_style)
    assert style.mimetype == "text/css"
    fonts = re.findall(r'url\("([^"]+)"\)', style.text)
    assert len(fonts) == 4
    for font in fonts:
        with client.raw.get(urljoin(sheet_style, font)) as answer:
            assert answer.status_code == 200
            assert answer.mimetype == "font/woff2"


@pytest.mark.parametrize("file", ["sheets/no.css", "sheets/../../pyproject.toml", "fonts/no.woff2"])
def test_unknown_style_or_font_is_not_found(client: Client, file: str) -> None:
    assert client.raw.get(f"/static/{file}").status_code == 404


@pytest.mark.usefixtures("without_pdf")
def test_picture_of_result_is_svg_without_weasyprint(client: Client, leading: Player) -> None:
    # The page that shares a result shows a picture of it. The first side leads by
    # 430 to 60.
    page = client.get(f"{leading.match}/condividi")
    url = page.one("img", id="picture")["src"]
    assert page.one("a", id="save-picture")["href"] == url
    assert url.startswith(f"{leading.match}/risultato.svg")

    drawing = client.raw.get(url)
    assert drawing.status_code == 200
    assert drawing.mimetype == "image/svg+xml"
    for text in (">Noi<", ">430<", ">Loro<", ">60<"):
        assert text in drawing.text

    # A browser that has the picture already is not sent it again.
    known = {"If-None-Match": drawing.headers["ETag"]}
    assert client.raw.get(url, headers=known).status_code == 304


@pytest.mark.usefixtures("without_pdf")
def test_png_of_result_is_refused_without_weasyprint(client: Client, leading: Player) -> None:
    refused = client.get(f"{leading.match}/risultato.png", status=503)
    # "The text of the result can be sent all the same."
    assert "Il testo del risultato si può mandare lo stesso" in refused.text


# ------------------------------------------------------------------------------------ in a browser


def print_page(page: Page) -> PdfReader:
    """Print an open page in the browser, and return the PDF that it makes."""
    page.get_by_role("button", name="Stampa").wait_for()  # "Print"
    page.evaluate("document.fonts.ready")
    return PdfReader(BytesIO(page.pdf(prefer_css_page_size=True)))


def sizes_of(document: PdfReader) -> list[tuple[int, int]]:
    """Return width and height of each page in points, rounded."""
    return [(round(page.mediabox.width), round(page.mediabox.height)) for page in document.pages]


@pytest.mark.quick(1)
@pytest.mark.usefixtures("without_pdf")
@pytest.mark.parametrize("name", variant_ids())
def test_printed_rules_card_has_one_page(open_page: OpenPage, name: str) -> None:
    printed = print_page(open_page(f"/regole/{name}/scheda.pdf"))

    assert sizes_of(printed) == [A4]
    # The part "What people ask", which is towards the end of the card, is on this page too.
    text = " ".join(printed.pages[0].extract_text().split())
    assert words("it").t("paper.card.questions") in text


@pytest.mark.quick(1)
@pytest.mark.usefixtures("without_pdf")
@pytest.mark.parametrize("name", variant_ids())
@pytest.mark.parametrize("query", PAGE_SIZES_OF_PADS)
def test_printed_blank_pad_has_the_pages_of_its_pdf(
    open_page: OpenPage, name: str, query: str
) -> None:
    # A blank pad is a form to write scores on. The query asks for four on a sheet ("per-foglio"), or
    # for a large one ("grande"). Here no PDF can be made, and so its address has a page to print.
    page = open_page(f"/regole/{name}/segnapunti.pdf{query}")

    # The browser prints as many pages as the PDF would have, of the same sizes.
    printed = print_page(page)
    assert sizes_of(printed) == PAGE_SIZES_OF_PADS[query]

    # Each pad has enough rows to write on.
    rows_of_pads = page.evaluate(COUNT_VISIBLE_ROWS)
    assert rows_of_pads
    assert min(rows_of_pads) >= FEWEST_PAD_ROWS


@pytest.mark.parametrize("hands", [1, 10, 20])
@pytest.mark.parametrize("form", ["", "dettaglio", "grande"])
def test_printed_sheet_has_the_pages_and_footers_of_its_pdf(
    pad: Pad,
    new_match: NewMatch,
    open_page: OpenPage,
    monkeypatch: pytest.MonkeyPatch,
    hands: int,
    form: str,
) -> None:
    # Each hand brings 130 points: even twenty of them do not reach the target of 5,000.
    match = new_match()
    for _ in range(hands):
        count_on_pad(pad, match, hand(side(cards=150, left=20), side(cards=100, left=40)))

    # WeasyPrint makes the PDF of the sheet.
    state = pad.state(match, DEVICE)
    options = {"details": form == "dettaglio", "large": form == "grande"}
    pdf = PdfReader(BytesIO(make_match_sheet(state, words("it"), **options)))

    # The browser prints the page that stands for it where there is no WeasyPrint.
    monkeypatch.setattr("scorepad.sheets.pdf.can_make_pdf", lambda: False)
    printed = print_page(open_page(f"/partite/{match}/foglio.pdf?{form}"))

    assert sizes_of(printed) == sizes_of(pdf)
    for number, page in enumerate(printed.pages, start=1):
        text = " ".join(page.extract_text().split())
        assert f"pagina {number} di {len(pdf.pages)}" in text  # "page 1 of 2"
        assert "Noi – Loro" in text
