"""What a reader finds in a PDF: its text page by page, its tags, its fonts."""

import re
import subprocess
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from typing import Any

from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject

from scorepad.i18n import words
from scorepad.matches.events import Labels
from scorepad.matches.projection import MatchState, NewMatch
from scorepad.rules.hand import Hand
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.sheets.match_sheet import MatchSheet, make_match_sheet, render_match_sheet
from tests.hands_read import hand_of
from tests.matches.conftest import side_counted

THREE_SINGLE_PLAYERS = NewMatch(
    variant="tre",
    preset=None,
    options={},
    labels=Labels(names=("Ada", "Bea", "Cleo"), players=((), (), ())),
)


def hand_of_three(a: int, b: int, c: int) -> Hand:
    """A hand of three, each with a mixed canasta of 300 and so many points of cards."""
    sides = {
        key: side_counted(cards=cards, mixed_canasta=1)
        for key, cards in zip("abc", (a, b, c), strict=True)
    }
    return hand_of({"sides": sides, "out": None}, SIDE_KEYS)


def sheet_data(state: MatchState) -> MatchSheet:
    """What the Italian sheet of a match is made from."""
    return MatchSheet(state, words("it"))


def print_sheet(
    state: MatchState, language: str = "it", *, details: bool = True, large: bool = False
) -> PdfReader:
    """The sheet of a match, read back."""
    made = make_match_sheet(state, words(language), details=details, large=large)
    return PdfReader(BytesIO(made))


class SheetHtml:
    """What the sheet of a match says in its HTML, details included."""

    def __init__(self, state: MatchState, language: str = "it") -> None:
        self._html = render_match_sheet(state, words(language), details=True)
        (self.result,) = self._texts(r'<p class="sentence">(.*?)</p>')
        self.goal = self._texts(r"<th.*?>(.*?)</th>")[0], self._texts(r"<td>(.*?)</td>")[0]
        self.wide_rows = self._texts(r'<td colspan="3">(.*?)</td>')
        """The house rules on one line, then who was replaced."""
        ends = self._texts(r'class="number">\d+</th>\s*<td class="about">(.*?)</td>')
        self.ends_of_hands = [text.split(" · ") for text in ends]
        """How each hand ended."""
        self.dealers_of_hands = self._texts(
            r'<span class="detail">((?:mazziere|dealer): [^·]*?)(?: · .*?)?</span>'
        )
        """Who dealt each hand."""
        self.chart_names = self._texts(r'<p class="chart-names">(.*?)</p>')

    def _texts(self, pattern: str) -> list[str]:
        found = re.findall(pattern, self._html, re.DOTALL)
        return [unescape(re.sub(r"<.*?>", "", text)) for text in found]


def lines_by_page(sheet: PdfReader) -> list[list[str]]:
    """The lines of text of each page."""
    return [page.extract_text().splitlines() for page in sheet.pages]


def text_by_page(made: bytes) -> list[str]:
    """The text of each page of a PDF, its spaces and line ends as single spaces."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(made)).pages]


def read_text(sheet: PdfReader) -> str:
    """All the text, its spaces and line ends as single spaces."""
    return " ".join(" ".join(page.extract_text() for page in sheet.pages).split())


def sheet_text(state: MatchState, language: str = "it", **how: bool) -> str:
    """All the text of the sheet of a match."""
    return read_text(print_sheet(state, language, **how))


def sheet_lines(state: MatchState) -> list[str]:
    """The lines of text of the sheet of a match."""
    return [line for page in lines_by_page(print_sheet(state)) for line in page]


def list_tags(sheet: PdfReader) -> list[DictionaryObject]:
    """The elements of the structure tree, in reading order."""
    return list(elements_in(sheet.trailer["/Root"]["/StructTreeRoot"]))


def elements_in(node: Any) -> Iterator[DictionaryObject]:
    """The elements of a part of the structure tree, in reading order."""
    node = node.get_object()
    if isinstance(node, ArrayObject):
        for child in node:
            yield from elements_in(child)
    elif isinstance(node, DictionaryObject):
        if node.get("/Type") == "/StructElem":
            yield node
        if "/K" in node:
            yield from elements_in(node["/K"])


def embedded_by_font(sheet: PdfReader) -> dict[str, bool]:
    """The fonts of the pages by name, and whether each is embedded."""
    found = {}
    for page in sheet.pages:
        for font in page["/Resources"]["/Font"].values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            found[inner["/BaseFont"]] = bool(
                {"/FontFile2", "/FontFile3"} & set(inner["/FontDescriptor"])
            )
    return found


def font_sizes(made: bytes, word: str = ".*") -> list[float]:
    """The sizes in which words of a sheet are printed, in points, all or those like this one: a
    line of Open Sans is 1.362 of its size high.
    """
    run = subprocess.run(
        ["pdftotext", "-bbox", "-", "-"], input=made, capture_output=True, check=True
    )
    found = re.findall(rf'yMin="([\d.]+)" .* yMax="([\d.]+)">{word}<', run.stdout.decode())
    return [round((float(bottom) - float(top)) / 1.362, 1) for top, bottom in found]
