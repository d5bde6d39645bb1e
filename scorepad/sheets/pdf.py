"""Renders templates to PDF: tagged, with embedded fonts, the same bytes for the same input.

All values are escaped, and undefined values are errors. Only style sheets and fonts can be read, by
URLs with our own scheme. WeasyPrint is imported only when a PDF is made.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from email.message import Message
from functools import cache, lru_cache
from io import BytesIO, StringIO
from typing import Any
from urllib.request import BaseHandler, Request
from urllib.response import addinfourl

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from scorepad.assets import fonts_dir, static_dir, templates_dir
from scorepad.errors import ScorepadError
from scorepad.i18n import Words
from scorepad.sheets.printed_names import Lacking, printable

FONT = "font/stand-in.ttf"
"""The path of the generated font in the sheets' URL fetcher."""
_MARK = "asterisk"
_STYLE = '<link rel="stylesheet" href="scorepad:style/stand-in.css">\n'
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
    """Render a sheet's template; `say` in it are the words."""
    gap = "\0"
    footer = words.text("sheets.page-of", page=gap, pages=gap).split(gap)
    return printable(
        templates().get_template(f"sheets/{template}").render(say=words, footer=footer, **values)
    )


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


def pdf_for_lacking(html_of: Callable[[Lacking], str]) -> bytes:
    """A sheet as PDF on A4; `html_of` renders it, given the characters without a glyph. Raises
    NoPdf, SheetError.

    Characters without a glyph are printed in a generated font.
    """
    made, lacking = _printed(html_of(frozenset()), {})
    if lacking:
        made, _ = _printed(
            with_stand_ins(html_of(lacking), lacking), {FONT: stand_in_font(lacking)}
        )
    return made


def pdf_of(html: str) -> bytes:
    """A sheet's HTML as PDF. Raises NoPdf, and SheetError for any warning."""
    return _printed(html, {})[0]


def pdf_that_fits(pages: Iterable[str]) -> bytes:
    """The PDF of the first of these HTML documents that fits on one page, else the last. Raises
    NoPdf, SheetError.
    """
    html = ""
    for html in pages:
        with _laid_out(html, pdf_variant=VARIANT) as document:
            if len(document.pages) == 1:
                return bytes(document.write_pdf(pdf_variant=VARIANT))
    return pdf_of(html)


def height_of(html: str, anchor: str) -> float:
    """The y coordinate on its page of the element with this id, in CSS pixels. Raises NoPdf and
    SheetError.
    """
    with _laid_out(html) as document:
        return next(
            float(page.anchors[anchor][1]) for page in document.pages if anchor in page.anchors
        )


def _printed(html: str, fonts: Mapping[str, bytes]) -> tuple[bytes, Lacking]:
    """The PDF, and the characters without a glyph on this machine. Raises NoPdf and SheetError."""
    with _no_warnings() as warnings, _sheet(html, fonts) as (sheet, configuration):
        made: bytes = sheet.write_pdf(font_config=configuration, pdf_variant=VARIANT)
    return made, frozenset(warnings.lacking)


@contextmanager
def _laid_out(html: str, **options: Any) -> Iterator[Any]:
    """WeasyPrint's document of a sheet without user-entered text. Raises NoPdf and SheetError."""
    with _no_warnings(), _sheet(html) as (sheet, configuration):
        yield sheet.render(configuration, **options)


@contextmanager
def _sheet(html: str, fonts: Mapping[str, bytes] | None = None) -> Iterator[tuple[Any, Any]]:
    """WeasyPrint's HTML object of a sheet and the font configuration of one layout, freed after it.
    Raises NoPdf.

    Pango 1.50 leaks the fontconfig of a font map, 0.2 MB each, unless it is taken from the map
    first.
    """
    try:
        # WeasyPrint prints its advice about missing libraries to standard output, which may be
        # receiving a PDF.
        with redirect_stdout(StringIO()):
            from weasyprint import HTML
            from weasyprint.text.ffi import ffi, pangoft2
            from weasyprint.text.fonts import FontConfiguration
    except (ImportError, OSError) as trouble:
        raise NoPdf(" ".join(str(trouble).split())) from trouble
    configuration = FontConfiguration()
    try:
        yield HTML(string=html, url_fetcher=own_files(fonts)), configuration
    finally:
        pangoft2.pango_fc_font_map_set_config(
            ffi.cast("PangoFcFontMap *", configuration.font_map), ffi.NULL
        )


SCHEME = "scorepad"
"""The scheme of our own URLs, `scorepad:style/match.css` and `scorepad:font/….woff2`, which reveal
no paths.
"""


def own_files(fonts: Mapping[str, bytes] | None = None) -> Any:
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
        """The file with this URL. Raises ValueError for any other URL."""
        address = request.full_url.removeprefix(f"{SCHEME}:")
        folder, _, name = address.partition("/")
        found = self._made.get(address) or (
            _content(folder, name) if folder in ("style", "font") else None
        )
        if found is None:
            raise ValueError(f"not one of the sheets' own files: {request.full_url[:200]}")
        headers = Message()
        headers["Content-Type"] = "text/css" if folder == "style" else "font/ttf"
        return addinfourl(BytesIO(found), headers, request.full_url)


@lru_cache(maxsize=32)
def _content(folder: str, name: str) -> bytes | None:
    """A style sheet, or a WOFF2 font as TrueType, which WeasyPrint need not decompress again. None
    if unknown.
    """
    from fontTools.ttLib import woff2  # type: ignore[import-untyped] # ships no types

    directory = fonts_dir() if folder == "font" else static_dir() / "sheets"
    file = next(
        (each for each in directory.iterdir() if each.is_file() and each.name == name), None
    )
    if file is None or folder == "style":
        return file.read_bytes() if file else None
    made = BytesIO()
    woff2.decompress(file, made)
    return made.getvalue()


@contextmanager
def _no_warnings() -> Iterator[_Warnings]:
    """Make every WeasyPrint warning in this thread an error, except a missing glyph. Raises
    SheetError.
    """
    logger, handler = logging.getLogger("weasyprint"), _Warnings()
    logger.addHandler(handler)
    try:
        yield handler
    finally:
        logger.removeHandler(handler)
    if handler.warnings:
        raise SheetError(tuple(handler.warnings))


class _Warnings(logging.Handler):
    """Collects the warnings of the thread that created it; other threads may render other sheets."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.warnings: list[str] = []
        self.lacking: set[str] = set()
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        """Store a warning, or the character without a glyph."""
        if record.thread != self._thread:
            return
        if record.getMessage().startswith(_NO_GLYPH) and isinstance(record.args, tuple):
            self.lacking.add(str(record.args[0]))
        else:
            self.warnings.append(record.getMessage())


# Characters without a glyph on this machine are printed as asterisks, with a note. The PDF contains
# the characters themselves, in a generated font that draws each as an asterisk: so they can be
# copied and read aloud, and every character in the PDF has a glyph.


def with_stand_ins(html: str, lacking: Iterable[str]) -> str:
    """A sheet's HTML with these characters in its visible text set in the generated font."""
    head, body, printed = html.partition("<body>")
    runs = re.compile(f"[{''.join(map(re.escape, sorted(lacking)))}]+")
    head = head.replace("</head>", f"{_STYLE}</head>")
    return head + body + runs.sub(lambda run: f'<span class="stand-in">{run[0]}</span>', printed)


def stand_in_font(lacking: Iterable[str]) -> bytes:
    """A font with only these characters. The same characters give the same bytes."""
    # fontTools is a dependency of WeasyPrint, and needed only with it.
    from fontTools.fontBuilder import FontBuilder  # type: ignore[import-untyped] # ships no types

    outline, advance, units, metrics = _mark()
    names = {ord(character): f"u{ord(character):X}" for character in sorted(lacking)}
    glyphs = [".notdef", *names.values()]
    builder = FontBuilder(units, isTTF=True)
    builder.setupGlyphOrder(glyphs)
    builder.setupCharacterMap(names)
    builder.setupGlyf(dict.fromkeys(glyphs, outline))
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, advance))
    builder.setupHorizontalHeader(**metrics)
    builder.setupNameTable({"familyName": "Scorepad Stand-In", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.updateHead(created=0, modified=0)
    builder.font.recalcTimestamp = False
    made = BytesIO()
    builder.save(made)
    return made.getvalue()


@cache
def _mark() -> tuple[Any, tuple[int, int], int, dict[str, int]]:
    """The asterisk of the sheets' font: its outline, its advance, units per em, line height."""
    from fontTools.pens.ttGlyphPen import TTGlyphPen  # type: ignore[import-untyped]
    from fontTools.ttLib import TTFont

    font = TTFont(fonts_dir() / "open-sans-latin-700.woff2")
    pen = TTGlyphPen(None)
    font.getGlyphSet()[_MARK].draw(pen)
    line = font["hhea"]
    return (
        pen.glyph(),
        font["hmtx"][_MARK],
        font["head"].unitsPerEm,
        {"ascent": line.ascent, "descent": line.descent},
    )
