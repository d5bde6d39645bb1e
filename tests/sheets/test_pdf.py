"""The PDF itself: its tags, its fonts, the same bytes each time, nothing from outside, and no memory
lost.
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

PAGE_HTML = (
    '<!DOCTYPE html><html lang="it"><head><title>t</title>{head}</head><body>{body}</body></html>'
)


@pytest.mark.parametrize(
    ("language", "title"), [("it", "foglio della partita"), ("en", "match sheet")]
)
def test_pdf_has_title_and_language(language: str, title: str) -> None:
    sheet = print_sheet(match_of([FIRST_HAND]), language)

    # "Anna–Bruno – Carla–Dario, 21 novembre 2026: foglio della partita". A viewer shows this title
    # in its window instead of the name of the file.
    root = sheet.trailer["/Root"]
    assert root["/Lang"] == language
    assert str(sheet.metadata.title).startswith("Anna–Bruno – Carla–Dario, ")
    assert str(sheet.metadata.title).endswith(title)
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]


def test_pdf_is_a4() -> None:
    a4_in_points = [0, 0, 595, 842]
    for page in print_sheet(match_of([FIRST_HAND])).pages:
        assert [round(float(side)) for side in page.mediabox] == a4_in_points


def test_pdf_is_tagged_for_screen_readers() -> None:
    # A match of two hands, the second of which was counted twice.
    sheet = print_sheet(match_of([FIRST_HAND, (MISCOUNTED_HAND, RECOUNTED_HAND)]))

    # The PDF says of itself that it is tagged, by the standard PDF/UA-1.
    assert sheet.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert 'pdfuaid:part="1"' in sheet.xmp_metadata.rdf_root.toxml()

    tags = Counter(tag["/S"] for tag in list_tags(sheet))
    assert tags["/H1"] == 1
    assert tags["/H2"] == 4
    # The tables: facts of the match, its hands, the details of each hand, and the correction.
    assert tags["/Table"] == 4
    # That of the details has a body for each of the two hands, the other three have one body each.
    assert tags["/TBody"] == 5
    assert tags["/Figure"] == 1  # the chart


def test_every_table_cell_has_its_headers() -> None:
    # A tagged PDF is a tree of elements, as HTML is: each has its name under "/S". The third table
    # has the details of the hands, here of one.
    elements = list_tags(print_sheet(match_of([FIRST_HAND])))
    tables = [element for element in elements if element["/S"] == "/Table"]
    table_of_details = tables[2]
    (body,) = [element for element in elements_in(table_of_details) if element["/S"] == "/TBody"]
    cells = [element for element in elements_in(body) if element["/S"] == "/TD"]

    # For each of two sides: the minimum for opening, five lines of points, and two totals.
    assert len(cells) == 2 * (1 + 5 + 2)

    # A screen reader reads the headers of a cell aloud with the figure.
    headers_of_cells = [cell["/A"]["/Headers"] for cell in cells]
    for headers in headers_of_cells:
        assert len(set(headers)) == 3, "the side, its column and the line"

    # The first two cells are in the same line, for the one side and the other.
    assert headers_of_cells[0] != headers_of_cells[1]


def test_own_font_is_the_only_one_and_embedded() -> None:
    embedded = embedded_by_font(print_sheet(match_of([FIRST_HAND, SECOND_HAND])))

    assert all(embedded.values())
    names = [name.partition("+")[2] for name in embedded]  # "ABCDEF+Open-Sans"
    assert sorted(names) == ["Open-Sans", "Open-Sans-Bold"]


@pytest.mark.parametrize("weight", [400, 700])
def test_digits_of_the_font_have_one_width(weight: int) -> None:
    font = TTFont(fonts_dir() / f"open-sans-latin-{weight}.woff2")
    glyphs = font.getBestCmap()

    # So figures below each other stand in columns without any setting in the style sheet.
    widths = set()
    for digit in "0123456789":
        glyph = glyphs[ord(digit)]
        width, _left_side_bearing = font["hmtx"][glyph]
        widths.add(width)
    assert len(widths) == 1


def test_style_sheets_set_no_numeric_variant() -> None:
    # The digits of our font have one width anyway, and WeasyPrint never frees the memory that it
    # takes for this property.
    for style_sheet in (static_dir() / "sheets").glob("*.css"):
        assert "font-variant-numeric:" not in style_sheet.read_text("utf-8")


def test_same_match_gives_the_same_bytes_in_another_process() -> None:
    # Print a match here.
    state = match_of([FIRST_HAND, SECOND_HAND])
    printed_here = make_match_sheet(state, words("it"))

    # This script does the same, and writes the PDF to its standard output.
    script = """
import sys
from scorepad.i18n import words
from scorepad.sheets.match_sheet import make_match_sheet
from tests.sheets.worked import FIRST_HAND, SECOND_HAND, match_of

state = match_of([FIRST_HAND, SECOND_HAND])
sys.stdout.buffer.write(make_match_sheet(state, words("it")))
"""
    environment = {
        "PYTHONHASHSEED": "7",  # with a seed of its own, sets are in another order than here
        "TZ": "CET-1",  # the time of Italy, as in these tests
        "PYTHONPATH": ".",  # to find the modules
    }
    other_process = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, check=True
    )

    assert other_process.stdout == printed_here


@pytest.mark.parametrize(
    "url",
    [
        # Addresses of the network, of this machine, and one that is its own content.
        "http://127.0.0.1:9/x.css", "https://example.org/x.png", "file:///etc/passwd", "data:text/css,p{}", "ftp://h/f",
        # Those of our own files begin with "scorepad:", but there is no such style sheet or font.
        "scorepad:style/../../pyproject.toml", "scorepad:style/nothing.css", "scorepad:secret/x", "scorepad:font/",
        "scorepad:style/sheet.css?x", "SCOREPAD:style/sheet.css",
    ],
)  # fmt: skip
def test_fetcher_refuses_addresses_outside_own_files(url: str) -> None:
    with pytest.raises(URLFetchingError, match=r"own|disallowed"), fetch(make_url_fetcher(), url):
        pass


def test_fetcher_serves_own_style_sheets_and_fonts() -> None:
    with fetch(make_url_fetcher(), "scorepad:style/match.css") as style:
        assert style.content_type == "text/css"
        assert b".lines" in style.read()

    # The compressed font is handed out decompressed, so that this is done once for all sheets.
    with fetch(make_url_fetcher(), "scorepad:font/open-sans-latin-400.woff2") as font:
        true_type = b"\0\1\0\0"
        assert font.read(4) == true_type


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("", '<img src="file:///etc/passwd" alt="x">'),
        ("<style>p { no-such-property: 1 }</style>", "<p>x</p>"),
    ],
)
def test_warning_of_weasyprint_is_an_error(head: str, body: str) -> None:
    # WeasyPrint only logs a warning of a file or property that it does not take.
    with pytest.raises(SheetError) as error:
        make_pdf(PAGE_HTML.format(head=head, body=body))
    assert error.value.warnings


def test_warning_in_another_thread_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    # All threads log to the logger of WeasyPrint. While a sheet is printed, another thread, which
    # prints another sheet, logs a warning there.
    def write_while_another_thread_warns(_self: object, **_options: object) -> bytes:
        """Stand for `HTML.write_pdf` of WeasyPrint: log in another thread, and return a PDF."""
        logger = logging.getLogger("weasyprint")
        other = Thread(target=logger.warning, args=("elsewhere",))
        other.start()
        other.join()
        return b"made"

    monkeypatch.setattr(weasyprint.HTML, "write_pdf", write_while_another_thread_warns)

    # A warning of its own would make this sheet fail.
    assert make_pdf(PAGE_HTML.format(head="", body="")) == b"made"


def test_missing_weasyprint_raises_no_pdf(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # With None in its place, Python raises ImportError where the module is imported.
    monkeypatch.setitem(sys.modules, "weasyprint", None)

    with pytest.raises(NoPdf) as missing:
        make_match_sheet(match_of([FIRST_HAND]), words("it"))

    assert "weasyprint" in missing.value.detail
    assert capsys.readouterr().out == ""


def test_sheet_is_rendered_as_html_without_weasyprint(monkeypatch: pytest.MonkeyPatch) -> None:
    # With None in its place, Python raises ImportError where the module is imported.
    monkeypatch.setitem(sys.modules, "weasyprint", None)

    html = render_match_sheet(match_of([FIRST_HAND]), words("it"))

    assert "chiude: Carla–Dario" in html  # "goes out: Carla–Dario"


def test_licence_of_the_font_is_beside_it() -> None:
    assert "SIL OPEN FONT LICENSE" in (fonts_dir() / "OFL.txt").read_text(encoding="utf-8")


class MemoryInfo(ctypes.Structure):
    """The figures that `mallinfo2` of the GNU C library returns."""

    _names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(name, ctypes.c_size_t) for name in _names.split()]


def count_taken_memory() -> int:
    """Return how many bytes the libraries in C have taken and not given back."""
    try:
        mallinfo2 = ctypes.CDLL("libc.so.6").mallinfo2
    except (OSError, AttributeError):
        pytest.skip("only the GNU library tells how much memory is taken")
    mallinfo2.restype = MemoryInfo
    gc.collect()
    info = mallinfo2()
    return int(info.uordblks + info.hblkhd)  # the small pieces and the large ones


@pytest.mark.long
def test_making_sheets_does_not_leak_memory() -> None:
    style = '<link rel="stylesheet" href="scorepad:style/sheet.css">'
    page = PAGE_HTML.format(head=style, body="<h1>t</h1>" + "<p>Noi 1.500, Loro −20</p>" * 30)

    # The first sheets leave in memory what is kept for all sheets.
    for _ in range(2):
        make_pdf(page)

    taken_before = count_taken_memory()
    for _ in range(5):
        make_pdf(page)
    taken_after = count_taken_memory()

    # A sheet whose fonts are not freed leaves ten times as much as these 20 kB.
    assert taken_after - taken_before < 5 * 20 * 1024
