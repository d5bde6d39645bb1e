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
    """No PDF can be made on this machine: WeasyPrint is missing, or libraries that it needs.

    Attributes: `detail`, the message of the system; `package`, the Python package that is missing,
    empty if it is a library of the system.
    """

    def __init__(self, detail: str, package: str = "") -> None:
        """Build the message from that of the system."""
        super().__init__(f"no PDF: {detail}")
        self.detail = detail
        self.package = package


class SheetError(ScorepadError):
    """WeasyPrint warned about a sheet: an error in our templates or styles.

    Attributes: `warnings`.
    """

    def __init__(self, warnings: tuple[str, ...]) -> None:
        """Build the message from all warnings."""
        super().__init__("; ".join(warnings))
        self.warnings = warnings


def render(template: str, words: Words, **values: object) -> str:
    """Render the template of a sheet with these values.

    The template also has the messages, as `words` and `t`, and `footer`: the texts around the page
    numbers. Characters that cannot be printed are replaced.
    """
    sheet = templates().get_template(f"sheets/{template}")
    footer = _split_footer_at_page_numbers(words)
    text = sheet.render(words=words, t=words.t, footer=footer, **values)
    return replace_unprintable(text)


def _split_footer_at_page_numbers(words: Words) -> list[str]:
    """Split the text "page 1 of 3" at its numbers: `["page ", " of ", ""]`.

    Nobody knows the numbers before the pages are laid out: the style sheet inserts them.
    """
    placeholder = "\0"  # a character that is in no message
    message = words.t("sheets.page-of", page=placeholder, pages=placeholder)
    return message.split(placeholder)


@cache
def templates() -> Environment:
    """Set up Jinja for the templates of the sheets and of the command line, without Flask.

    Values are escaped, and a value that a template lacks is an error.
    """
    return Environment(
        loader=FileSystemLoader(templates_dir()),
        autoescape=select_autoescape(("html", "svg")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def make_pdf_with_stand_ins(render_sheet: Callable[[Lacking], str]) -> bytes:
    """Make a PDF in which characters that no font of this machine has are printed as asterisks.

    `render_sheet` renders the HTML of the sheet, given these characters, because it adds something
    to names that could not be told apart. Raises NoPdf and SheetError.
    """
    # Only printing tells which characters are lacking. Mostly none is, and the sheet is ready.
    none_lacking: Lacking = frozenset()
    first_try = _print_sheet(render_sheet(none_lacking), fonts={})
    lacking = first_try.lacking
    if not lacking:
        return first_try.pdf

    html = mark_stand_ins(render_sheet(lacking), lacking)
    font_of_asterisks = make_stand_in_font(lacking)
    second_try = _print_sheet(html, fonts={FONT: font_of_asterisks})
    return second_try.pdf


def make_pdf(html: str) -> bytes:
    """Make the PDF of a sheet. Raises NoPdf, and SheetError for any warning of WeasyPrint."""
    return _print_sheet(html, fonts={}).pdf


def make_pdf_that_fits(pages: Iterable[str]) -> bytes:
    """Make a PDF of one page from the first of these HTML documents that fits on one.

    They are the same sheet in smaller and smaller text. If none fits, the last one is printed, on
    several pages. Raises NoPdf and SheetError.
    """
    smallest_text = ""
    for html in pages:
        with _lay_out_sheet(html, pdf_variant=VARIANT) as document:
            if len(document.pages) == 1:
                return bytes(document.write_pdf(pdf_variant=VARIANT))
        smallest_text = html
    return make_pdf(smallest_text)


def find_y_coordinate(html: str, anchor: str) -> float:
    """Lay out a sheet, and find how far from the top of its page an element is, in CSS pixels.

    `anchor` is the id of the element. Raises LookupError if there is none, NoPdf and SheetError.
    """
    with _lay_out_sheet(html) as document:
        for page in document.pages:
            if anchor in page.anchors:
                position = page.anchors[anchor]
                return float(position[1])  # the first number is the x coordinate
    raise LookupError(anchor)


class _PrintedSheet(NamedTuple):
    """A sheet as PDF, and the characters in it that have no glyph on this machine."""

    pdf: bytes
    lacking: Lacking


def _print_sheet(html: str, fonts: Mapping[str, bytes]) -> _PrintedSheet:
    """Make the PDF of a sheet, and find the characters that no font has.

    `fonts` are fonts that were made for this sheet, by their path. Raises NoPdf and SheetError.
    """
    with _collect_warnings() as warnings, _open_sheet(html, fonts) as sheet:
        pdf = sheet.html.write_pdf(font_config=sheet.font_config, pdf_variant=VARIANT)
    return _PrintedSheet(pdf, frozenset(warnings.lacking))


@contextmanager
def _lay_out_sheet(html: str, **options: Any) -> Iterator[Any]:
    """Lay out a sheet with WeasyPrint, and yield its document, with the list `pages`.

    Use it only for sheets without names and other texts that people typed: it does not report
    characters that no font has. Raises NoPdf and SheetError.
    """
    with _collect_warnings(), _open_sheet(html, {}) as sheet:
        yield sheet.html.render(sheet.font_config, **options)


class _OpenedSheet(NamedTuple):
    """WeasyPrint's objects for a sheet: its HTML, and the configuration of the fonts."""

    html: Any
    font_config: Any


@contextmanager
def _open_sheet(html: str, fonts: Mapping[str, bytes]) -> Iterator[_OpenedSheet]:
    """Give the HTML of a sheet to WeasyPrint, and free its fonts at the end of the `with` block.

    WeasyPrint can read only our own style sheets and fonts, and these `fonts`, which were made for
    the sheet. Raises NoPdf.
    """
    weasyprint = _import_weasyprint()
    font_config = weasyprint.text.fonts.FontConfiguration()
    try:
        sheet_html = weasyprint.HTML(string=html, url_fetcher=make_url_fetcher(fonts))
        yield _OpenedSheet(sheet_html, font_config)
    finally:
        _free_fonts(font_config)


def _import_weasyprint() -> Any:
    """Import WeasyPrint and return it. Raises NoPdf if libraries that it needs are missing.

    Then WeasyPrint prints advice to standard output. A command may be writing a PDF there, so that
    the advice is dropped.
    """
    try:
        with redirect_stdout(StringIO()):
            import weasyprint.text.ffi
            import weasyprint.text.fonts
    except ImportError as error:
        raise NoPdf(_write_in_one_line(error), error.name or "weasyprint") from error
    except OSError as error:
        raise NoPdf(_write_in_one_line(error)) from error
    return weasyprint


def _write_in_one_line(error: Exception) -> str:
    """Write the message of an error without line breaks."""
    return " ".join(str(error).split())


@cache
def can_make_pdf() -> bool:
    """Tell whether this machine can make PDFs. The answer stays until the program ends."""
    try:
        _import_weasyprint()
    except NoPdf:
        return False
    return True


def _free_fonts(configuration: Any) -> None:
    """Free the memory that Pango, a library of WeasyPrint, uses for the fonts of one sheet.

    Pango 1.50 has a leak: it keeps the settings of its table of fonts, 0.2 MB for each sheet. It
    frees them if they are taken from the table first. That is possible only through its C
    interface.
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
    """Make an object by which WeasyPrint opens URLs, but only those of our own files.

    These are the style sheets and fonts of the sheets, and `fonts` made for one sheet, by path. So
    no text on a sheet can make it fetch anything from the network or the disk.
    """
    from weasyprint.urls import URLFetcher

    fetcher = URLFetcher(timeout=1, allowed_protocols=(SCHEME,), allow_redirects=False)
    fetcher.add_handler(OwnFiles(fonts or {}))
    return fetcher


class OwnFiles(BaseHandler):
    """Opens the style sheets and fonts of the sheets; `made` are fonts generated for a sheet, by
    path.
    """

    def __init__(self, made: Mapping[str, bytes]) -> None:
        """Store the fonts that were made for one sheet, by their path: `font/stand-in.ttf`.

        They can be opened too, although they are no files on the disk.
        """
        self._made = made

    def scorepad_open(self, request: Request) -> addinfourl:
        """Open the file with a URL such as `scorepad:style/match.css`.

        Raises ValueError for any other URL. urllib finds the method by its name: the scheme of the
        URL, followed by `_open`.
        """
        path = request.full_url.removeprefix(f"{SCHEME}:")
        content = self._read_file(path)
        if content is None:
            raise ValueError(f"not one of the sheets' own files: {request.full_url[:200]}")
        headers = Message()
        headers["Content-Type"] = "text/css" if path.startswith("style/") else "font/ttf"
        return addinfourl(BytesIO(content), headers, request.full_url)

    def _read_file(self, path: str) -> bytes | None:
        """Return the content of a file by its path, `style/NAME` or `font/NAME`.

        None if there is no such file.
        """
        if path in self._made:
            return self._made[path]
        folder, _, name = path.partition("/")
        if folder == "style":
            return _read_style_sheet(name)
        if folder == "font":
            return _read_font(name)
        return None


@lru_cache(maxsize=32)
def _read_style_sheet(name: str) -> bytes | None:
    """Read a style sheet by its name, such as `match.css`; None if there is none."""
    file = _find_file(name, static_dir() / "sheets")
    return file.read_bytes() if file else None


@lru_cache(maxsize=32)
def _read_font(name: str) -> bytes | None:
    """Read a font by its name, such as `open-sans-latin-400.woff2`; None if there is none.

    It is returned decompressed, as TrueType: otherwise WeasyPrint would decompress it for every
    sheet.
    """
    from fontTools.ttLib import woff2  # type: ignore[import-untyped] # ships no types

    file = _find_file(name, fonts_dir())
    if file is None:
        return None
    font = BytesIO()
    woff2.decompress(file, font)
    return font.getvalue()


def _find_file(name: str, folder: Path) -> Path | None:
    """Find the file with a name in a folder; None if there is none.

    The name comes from a URL and may be `../secret`. So it is not appended to the path of the
    folder, but compared with the names of the files in there.
    """
    for file in folder.iterdir():
        if file.is_file() and file.name == name:
            return file
    return None


@contextmanager
def _collect_warnings() -> Iterator[_CollectedWarnings]:
    """Collect what WeasyPrint warns about inside the `with` block, in this thread.

    A warning means that our templates or styles are wrong: raises SheetError at the end of the
    block. Only characters that no font has are no error. They are in `lacking` of the object that
    is yielded.
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
        """Collect the warnings of the current thread, since other threads may make other sheets."""
        super().__init__(logging.WARNING)
        self.warnings: list[str] = []
        self.lacking: set[str] = set()
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        """Store the message of a warning, or the character that no font has, if it is about one.

        `logging` calls this for every warning of WeasyPrint, in any thread.
        """
        if record.thread != self._thread:
            return
        message = record.getMessage()  # ".notdef glyph rendered for …" if no font has it
        is_about_glyph = message.startswith(_NO_GLYPH)
        if is_about_glyph and isinstance(record.args, tuple):
            character = record.args[0]  # the first value that WeasyPrint puts into this message
            self.lacking.add(str(character))
        else:
            self.warnings.append(message)
