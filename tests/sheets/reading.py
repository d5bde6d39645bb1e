"""What a reader finds in a PDF: its text page by page, its tags, its fonts."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject

from scorepad.i18n import words
from scorepad.matches.projection import MatchState
from scorepad.sheets.match_sheet import match_sheet


def printed(state: MatchState, language: str = "it", *, details: bool = True, large: bool = False) -> PdfReader:
    """The sheet of a match, read back."""
    return PdfReader(BytesIO(match_sheet(state, words(language), details=details, large=large)))


def pages_of(sheet: PdfReader) -> list[list[str]]:
    """The lines of text of each page."""
    return [page.extract_text().splitlines() for page in sheet.pages]


def text_of(sheet: PdfReader) -> str:
    """All the text, its spaces and line ends as single spaces."""
    return " ".join(" ".join(line for page in pages_of(sheet) for line in page).split())


def tags_of(sheet: PdfReader) -> list[DictionaryObject]:
    """The elements of the structure tree, in reading order."""
    return list(_elements(sheet.trailer["/Root"]["/StructTreeRoot"]))


def _elements(node: Any) -> Iterator[DictionaryObject]:
    node = node.get_object()
    if isinstance(node, ArrayObject):
        for child in node:
            yield from _elements(child)
    elif isinstance(node, DictionaryObject):
        if node.get("/Type") == "/StructElem":
            yield node
        if "/K" in node:
            yield from _elements(node["/K"])


def fonts_of(sheet: PdfReader) -> dict[str, bool]:
    """The fonts of the pages by name, and whether each is embedded."""
    found = {}
    for page in sheet.pages:
        for font in page["/Resources"]["/Font"].values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            found[inner["/BaseFont"]] = bool({"/FontFile2", "/FontFile3"} & set(inner["/FontDescriptor"]))
    return found


def smallest(sheet: PdfReader) -> float:
    """The smallest letters of a sheet, in points."""
    sizes: set[float] = set()
    for page in sheet.pages:
        page.extract_text(visitor_text=lambda text, cm, matrix, _font, size: sizes.add(
            round(size * abs(matrix[3] * cm[3]), 1) if text.strip() else 99
        ))  # fmt: skip
    return min(sizes)
