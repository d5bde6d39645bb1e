"""Renders templates to PDF: tagged, with embedded fonts, the same bytes for the same input.

All values are escaped, and undefined values are errors. Only style sheets and fonts can be read, by
URLs with our own scheme. WeasyPrint is imported only when a PDF is made.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from email.message import Message
from functools import cache, lru_cache
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import BaseHandler, Request
from urllib.response import addinfourl

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from scorepad.assets import fonts_dir, static_dir, templates_dir
from scorepad.errors import ScorepadError
from scorepad.i18n import Words
from scorepad.sheets.printed_names import Lacking, replace_unprintable
from scorepad.sheets.stand_in_font import FONT, make_stand_in_font, mark_stand_ins

VARIANT = "pdf/ua-1"
"""The accessibility standard that the sheets declare."""
_NO_GLYPH = ".notdef glyph rendered"
"""The only warning that is not an error: a name in a script without a font on this machine."""


class NoPdf(ScorepadError):
    """No PDF can be made on this machine: the libraries that WeasyPrint needs are missing.

    Attributes: `detail`, the message of the system.
    """

    def __init__(self, detail: str) -> None:
        super().__init__(f"no PDF: {detail}")
        self.detail = detail


class SheetError(ScorepadError):
    """WeasyPrint warned about a sheet: an error in our templates or styles.

    Attributes: `warnings`.
    """

    def __init__(self, warnings: tuple[str, ...]) -> None:
        super().__init__("; ".join(warnings))
        self.warnings = warnings


def render(template: str, words: Words, **values: object) -> str:
    """Render a sheet's template with these values.

    In the template, `words` and `t` are the messages, and `footer` is the text around the numbers
    of the page.
    """
    sheet = templates().get_template(f"sheets/{template}")
    footer = _text_around_page_numbers(words)
    return replace_unprintable(sheet.render(words=words, t=words.t, footer=footer, **values))


def _text_around_page_numbers(words: Words) -> list[str]:
    """The text before, between and after the numbers of `Page 1 of 3`: `Page `, ` of ` and nothing.

    The numbers are not known before the layout: the style sheet inserts them.
    """
    placeholder = "\0"  # a character that is in no message
    message = words.t("sheets.page-of", page=placeholder, pages=placeholder)
    return message.split(placeholder)


@cache
def templates() -> Environment:
    """The templates of the sheets and of the command line, which need no Flask."""
    return Environment(
        loader=FileSystemLoader(templates_dir()),
        autoescape=select_autoescape(("html", "svg")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def make_pdf_with_stand_ins(html_of: Callable[[Lacking], str]) -> bytes:
    """A sheet as PDF on A4, in which characters without a glyph are printed in a generated font.

    `html_of` renders the sheet, given the characters that have no glyph on this machine. Raises
    NoPdf, SheetError.
    """
    # Which characters have none is known only when the sheet was printed once.
    first_try = _print_sheet(html_of(frozenset()), {})
    if not first_try.lacking:
        return first_try.pdf
    lacking = first_try.lacking
    html = mark_stand_ins(html_of(lacking), lacking)
    return _print_sheet(html, {FONT: make_stand_in_font(lacking)}).pdf


def make_pdf(html: str) -> bytes:
    """A sheet's HTML as PDF. Raises NoPdf, and SheetError for any warning."""
    return _print_sheet(html, {}).pdf


def make_pdf_that_fits(pages: Iterable[str]) -> bytes:
    """The PDF of the first of these HTML documents that fits on one page, else the last. Raises
    NoPdf, SheetError.
    """
    html = ""
    for html in pages:
        with _laid_out(html, pdf_variant=VARIANT) as document:
            if len(document.pages) == 1:
                return bytes(document.write_pdf(pdf_variant=VARIANT))
    return make_pdf(html)


def find_y_coordinate(html: str, anchor: str) -> float:
    """The y coordinate on its page of the element with this id, in CSS pixels. Raises NoPdf and
    SheetError.
    """
    with _laid_out(html) as document:
        for page in document.pages:
            if anchor in page.anchors:
                return float(page.anchors[anchor][1])
    raise LookupError(anchor)


class _PrintedSheet(NamedTuple):
    """A sheet as PDF, and the characters in it that have no glyph on this machine."""

    pdf: bytes
    lacking: Lacking


def _print_sheet(html: str, fonts: Mapping[str, bytes]) -> _PrintedSheet:
    """Make the PDF of a sheet; `fonts` were made for it, by path. Raises NoPdf and SheetError."""
    with _collected_warnings() as warnings, _opened_sheet(html, fonts) as sheet:
        pdf = sheet.html.write_pdf(font_config=sheet.font_config, pdf_variant=VARIANT)
    return _PrintedSheet(pdf, frozenset(warnings.lacking))


@contextmanager
def _laid_out(html: str, **options: Any) -> Iterator[Any]:
    """WeasyPrint's document of a sheet, with its pages. Raises NoPdf and SheetError.

    It is for sheets without texts that people typed: characters without a glyph go unnoticed.
    """
    with _collected_warnings(), _opened_sheet(html, {}) as sheet:
        yield sheet.html.render(sheet.font_config, **options)


class _OpenedSheet(NamedTuple):
    """WeasyPrint's objects for a sheet: its HTML, and the configuration of the fonts."""

    html: Any
    font_config: Any


@contextmanager
def _opened_sheet(html: str, fonts: Mapping[str, bytes]) -> Iterator[_OpenedSheet]:
    """A sheet for WeasyPrint, which can read our style sheets and fonts, and these made for it.

    What WeasyPrint stores about its fonts is freed at the end. Raises NoPdf.
    """
    weasyprint = _import_weasyprint()
    font_config = weasyprint.text.fonts.FontConfiguration()
    try:
        sheet_html = weasyprint.HTML(string=html, url_fetcher=make_url_fetcher(fonts))
        yield _OpenedSheet(sheet_html, font_config)
    finally:
        _free_fonts(font_config)


def _import_weasyprint() -> Any:
    """The package WeasyPrint. Raises NoPdf if libraries that it needs are missing.

    It prints advice about them to standard output, which may be receiving a PDF: the advice is
    dropped.
    """
    try:
        with redirect_stdout(StringIO()):
            import weasyprint.text.ffi
            import weasyprint.text.fonts
    except (ImportError, OSError) as error:
        message_in_one_line = " ".join(str(error).split())
        raise NoPdf(message_in_one_line) from error
    return weasyprint


def _free_fonts(configuration: Any) -> None:
    """Free what Pango, the library that lays out text, stored about the fonts of one sheet.

    Pango 1.50 leaks the settings of its table of fonts, 0.2 MB for each sheet, unless they are taken
    from the table before it is freed itself.
    """
    from weasyprint.text.ffi import ffi, pangoft2

    table_of_fonts = ffi.cast("PangoFcFontMap *", configuration.font_map)
    no_settings = ffi.NULL
    pangoft2.pango_fc_font_map_set_config(table_of_fonts, no_settings)


SCHEME = "scorepad"
"""The scheme of our own URLs, `scorepad:style/match.css` and `scorepad:font/….woff2`, which reveal
no paths.
"""


def make_url_fetcher(fonts: Mapping[str, bytes] | None = None) -> Any:
    """A WeasyPrint URL fetcher for our style sheets and fonts and those made for one sheet only."""
    from weasyprint.urls import URLFetcher

    fetcher = URLFetcher(timeout=1, allowed_protocols=(SCHEME,), allow_redirects=False)
    fetcher.add_handler(OwnFiles(fonts or {}))
    return fetcher


class OwnFiles(BaseHandler):
    """Opens the style sheets and fonts of the sheets; `made` are fonts generated for a sheet, by
    path.
    """

    def __init__(self, made: Mapping[str, bytes]) -> None:
        self._made = made

    def scorepad_open(self, request: Request) -> addinfourl:
        """The file with a URL such as `scorepad:style/match.css`. Raises ValueError for any other.

        urllib calls the method by its name: that of the scheme, and `_open`.
        """
        path = request.full_url.removeprefix(f"{SCHEME}:")
        content = self._content_of(path)
        if content is None:
            raise ValueError(f"not one of the sheets' own files: {request.full_url[:200]}")
        headers = Message()
        headers["Content-Type"] = "text/css" if path.startswith("style/") else "font/ttf"
        return addinfourl(BytesIO(content), headers, request.full_url)

    def _content_of(self, path: str) -> bytes | None:
        """The content of `style/NAME` or `font/NAME`; None if there is no such file."""
        if path in self._made:
            return self._made[path]
        folder, _, name = path.partition("/")
        if folder == "style":
            return _style_sheet(name)
        if folder == "font":
            return _font(name)
        return None


@lru_cache(maxsize=32)
def _style_sheet(name: str) -> bytes | None:
    """A style sheet of the sheets; None if there is none of this name."""
    file = _file_named(name, static_dir() / "sheets")
    return file.read_bytes() if file else None


@lru_cache(maxsize=32)
def _font(name: str) -> bytes | None:
    """A WOFF2 font as TrueType, which WeasyPrint need not decompress again; None if there is none
    of this name.
    """
    from fontTools.ttLib import woff2  # type: ignore[import-untyped] # ships no types

    file = _file_named(name, fonts_dir())
    if file is None:
        return None
    font = BytesIO()
    woff2.decompress(file, font)
    return font.getvalue()


def _file_named(name: str, folder: Path) -> Path | None:
    """The file of this name directly in a folder; None if there is none.

    The names in the folder are compared, so that `../NAME` leads to no file outside of it.
    """
    for file in folder.iterdir():
        if file.is_file() and file.name == name:
            return file
    return None


@contextmanager
def _collected_warnings() -> Iterator[_CollectedWarnings]:
    """Collect the warnings of WeasyPrint in this thread while a sheet is made.

    They are errors in our templates: raises SheetError for any of them when the sheet is done.
    Characters without a glyph are no errors; the caller finds them in `lacking`.
    """
    logger = logging.getLogger("weasyprint")
    collected = _CollectedWarnings()
    logger.addHandler(collected)
    try:
        yield collected
    finally:
        logger.removeHandler(collected)
    if collected.warnings:
        raise SheetError(tuple(collected.warnings))


class _CollectedWarnings(logging.Handler):
    """A logging handler that collects what WeasyPrint warns about while one sheet is made.

    Attributes: `warnings`, the messages; `lacking`, the characters that have no glyph on this
    machine, which WeasyPrint reports as warnings too.
    """

    def __init__(self) -> None:
        """Collect the warnings of the current thread: others may make other sheets meanwhile."""
        super().__init__(logging.WARNING)
        self.warnings: list[str] = []
        self.lacking: set[str] = set()
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        """Store the message of a warning, or the character that a warning is about."""
        if record.thread != self._thread:
            return
        message = record.getMessage()
        is_about_glyph = message.startswith(_NO_GLYPH)
        if is_about_glyph and isinstance(record.args, tuple):
            character = record.args[0]  # the first of the values that WeasyPrint puts in the text
            self.lacking.add(str(character))
        else:
            self.warnings.append(message)
