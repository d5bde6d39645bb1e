"""The PDF itself: tagged, its fonts inside, the same bytes, nothing from outside, and nothing left
behind in memory.
"""

import ctypes
import gc
import logging
import subprocess
import sys
from collections import Counter
from threading import Thread

import pytest
import weasyprint
from fontTools.ttLib import TTFont
from weasyprint.urls import URLFetchingError, fetch

from scorepad.assets import fonts_dir, static_dir
from scorepad.i18n import words
from scorepad.sheets.match_sheet import make_match_sheet, render_match_sheet
from scorepad.sheets.pdf import NoPdf, SheetError, make_pdf, make_url_fetcher
from tests.sheets.reading import elements_in, embedded_by_font, list_tags, print_sheet
from tests.sheets.worked import FIRST_HAND, MISCOUNTED_HAND, RECOUNTED_HAND, SECOND_HAND, match_of

PAGE = (
    '<!DOCTYPE html><html lang="it"><head><title>t</title>{head}</head><body>{body}</body></html>'
)


@pytest.mark.parametrize(
    ("language", "title"), [("it", "foglio della partita"), ("en", "match sheet")]
)
def test_title_and_language_are_set(language: str, title: str) -> None:
    sheet = print_sheet(match_of([FIRST_HAND]), language)
    root = sheet.trailer["/Root"]
    assert root["/Lang"] == language
    assert str(sheet.metadata.title).startswith("Anna–Bruno – Carla–Dario, ")
    assert str(sheet.metadata.title).endswith(title)
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]


def test_the_pdf_is_a4() -> None:
    for page in print_sheet(match_of([FIRST_HAND])).pages:
        assert [round(float(side)) for side in page.mediabox] == [0, 0, 595, 842]


def test_the_pdf_is_tagged_for_screen_readers() -> None:
    sheet = print_sheet(match_of([FIRST_HAND, (MISCOUNTED_HAND, RECOUNTED_HAND)]))

    assert sheet.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert 'pdfuaid:part="1"' in sheet.xmp_metadata.rdf_root.toxml()
    tags = Counter(tag["/S"] for tag in list_tags(sheet))
    assert tags["/H1"] == 1
    assert tags["/H2"] == 4
    assert tags["/Table"] == 4
    # The details of two hands, and one body in each of the other three tables.
    assert tags["/TBody"] == 5
    assert tags["/Figure"] == 1


def test_every_figure_in_the_table_names_its_side_and_its_line() -> None:
    tables = [
        tag for tag in list_tags(print_sheet(match_of([FIRST_HAND]))) if tag["/S"] == "/Table"
    ]
    details = tables[2]
    (body,) = [tag for tag in elements_in(details) if tag["/S"] == "/TBody"]

    headers_of_cells = []
    for cell in elements_in(body["/K"]):
        if cell["/S"] == "/TD":
            headers_of_cells.append(cell["/A"]["/Headers"])

    # For each side the opening, five lines, and two totals.
    assert len(headers_of_cells) == 2 * (1 + 5 + 2)
    for headers in headers_of_cells:
        assert len(set(headers)) == 3
    assert headers_of_cells[0] != headers_of_cells[1], "of the two sides"


def test_every_font_is_embedded_and_ours_is_the_one() -> None:
    embedded = embedded_by_font(print_sheet(match_of([FIRST_HAND, SECOND_HAND])))
    assert all(embedded.values())
    names = [name.split("+")[1] for name in embedded]  # "ABCDEF+Open-Sans"
    assert sorted(names) == ["Open-Sans", "Open-Sans-Bold"]


@pytest.mark.parametrize("weight", [400, 700])
def test_figures_of_the_font_are_of_one_width(weight: int) -> None:
    font = TTFont(fonts_dir() / f"open-sans-latin-{weight}.woff2")
    glyphs = font.getBestCmap()
    widths = {font["hmtx"][glyphs[ord(figure)]][0] for figure in "0123456789"}
    assert len(widths) == 1


def test_no_style_sheet_asks_for_figures_of_one_width() -> None:
    for style_sheet in (static_dir() / "sheets").glob("*.css"):
        assert "font-variant-numeric:" not in style_sheet.read_text("utf-8")


def test_the_same_match_gives_the_same_bytes_in_another_process_on_another_day() -> None:
    state = match_of([FIRST_HAND, SECOND_HAND])
    script = (
        "import sys; from scorepad.i18n import words; from scorepad.sheets.match_sheet import make_match_sheet;"
        "from tests.sheets.worked import FIRST_HAND, SECOND_HAND, match_of;"
        "sys.stdout.buffer.write(make_match_sheet(match_of([FIRST_HAND, SECOND_HAND]), words('it')))"
    )
    environment = {"PYTHONHASHSEED": "7", "TZ": "CET-1", "PYTHONPATH": "."}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, check=True
    )
    assert done.stdout == make_match_sheet(state, words("it"))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9/x.css", "https://example.org/x.png", "file:///etc/passwd", "data:text/css,p{}", "ftp://h/f",
        "scorepad:style/../../pyproject.toml", "scorepad:style/nothing.css", "scorepad:secret/x", "scorepad:font/",
        "scorepad:style/sheet.css?x", "SCOREPAD:style/sheet.css",
    ],
)  # fmt: skip
def test_the_fetcher_refuses_every_address_but_our_files(url: str) -> None:
    with pytest.raises(URLFetchingError, match=r"own|disallowed"), fetch(make_url_fetcher(), url):
        pass


def test_the_fetcher_serves_our_style_sheets_and_fonts() -> None:
    with fetch(make_url_fetcher(), "scorepad:style/match.css") as style:
        assert style.content_type == "text/css"
        assert b".lines" in style.read()
    with fetch(make_url_fetcher(), "scorepad:font/open-sans-latin-400.woff2") as font:
        assert font.read(4) == b"\0\1\0\0", "TrueType: decompressed once and not for every sheet"


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("", '<img src="file:///etc/passwd" alt="x">'),
        ("<style>p { no-such-property: 1 }</style>", "<p>x</p>"),
    ],
)
def test_what_weasyprint_warns_of_is_an_error(head: str, body: str) -> None:
    with pytest.raises(SheetError) as error:
        make_pdf(PAGE.format(head=head, body=body))
    assert error.value.warnings


def test_the_warnings_of_another_thread_are_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def write_while_another_warns(_self: object, **_options: object) -> bytes:
        other = Thread(target=logging.getLogger("weasyprint").warning, args=("elsewhere",))
        other.start()
        other.join()
        return b"made"

    monkeypatch.setattr(weasyprint.HTML, "write_pdf", write_while_another_warns)
    assert make_pdf(PAGE.format(head="", body="")) == b"made"


def test_where_the_libraries_are_missing_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    state = match_of([FIRST_HAND])
    with pytest.raises(NoPdf) as missing:
        make_match_sheet(state, words("it"))
    assert "weasyprint" in missing.value.detail
    assert capsys.readouterr().out == ""
    assert "chiude: Carla–Dario" in render_match_sheet(state, words("it"))


def test_the_licence_of_the_font_stands_beside_it() -> None:
    assert "SIL OPEN FONT LICENSE" in (fonts_dir() / "OFL.txt").read_text(encoding="utf-8")


MOST_LEFT = 20 * 1024
"""Octets that a sheet may leave: if its fonts are not let go it leaves ten times as many."""


class _Told(ctypes.Structure):
    _fields_ = [(f"_{place}", ctypes.c_size_t) for place in range(10)]


def taken() -> int:
    """Octets that are taken of the memory of libraries in C and not given back."""
    try:
        tell = ctypes.CDLL("libc.so.6").mallinfo2
    except (OSError, AttributeError):
        pytest.skip("only the GNU library tells what is taken")
    tell.restype = _Told
    gc.collect()
    done = tell()
    return int(done._7 + done._4)


@pytest.mark.long
def test_a_sheet_leaves_nothing_behind() -> None:
    style = '<link rel="stylesheet" href="scorepad:style/sheet.css">'
    page = PAGE.format(head=style, body="<h1>t</h1>" + "<p>Noi 1.500, Loro −20</p>" * 30)
    for _ in range(2):  # what is kept once for all of them
        make_pdf(page)
    before = taken()
    for _ in range(5):
        make_pdf(page)
    assert taken() - before < 5 * MOST_LEFT
