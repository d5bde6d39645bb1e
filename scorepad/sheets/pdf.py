"""From HTML to PDF: tagged, with its fonts, the same bytes for the same input."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from types import ModuleType

from scorepad.errors import ScorepadError
from scorepad.sheets.html import match_sheet_html
from scorepad.sheets.standing_in import FONT, stand_in_font, with_stand_ins
from scorepad.sheets.values import SheetPage

VARIANT = "pdf/ua-1"
"""The standard of accessible PDF that the sheets declare."""

Lacking = frozenset[str]
"""Characters that no font of this machine has."""
_NO_GLYPH = ".notdef glyph rendered"
"""The one warning that is nobody's mistake: a name in a script that this machine has no font for."""


class NoPdf(ScorepadError):
    """No PDF can be made on this machine: the libraries that WeasyPrint needs are missing.

    Attributes: `detail`, what the machine said, in its own words.
    """

    def __init__(self, detail: str) -> None:
        super().__init__(f"no PDF: {detail}")
        self.detail = detail


class SheetError(ScorepadError):
    """A sheet that WeasyPrint had something to say about: a mistake in our templates or styles.

    Attributes: `warnings`, what it said.
    """

    def __init__(self, warnings: tuple[str, ...]) -> None:
        super().__init__("; ".join(warnings))
        self.warnings = warnings


def match_sheet_pdf(page_of: Callable[[Lacking], SheetPage]) -> bytes:
    """The match sheet as PDF on A4; `page_of` makes it for a machine that lacks these characters. Raises NoPdf."""
    made, lacking = _printed(match_sheet_html(page_of(frozenset())), {})
    if lacking:
        html = match_sheet_html(page_of(lacking), is_lacking=True)
        made, _ = _printed(with_stand_ins(html, lacking), {FONT: stand_in_font(lacking)})
    return made


def pdf_of(html: str) -> bytes:
    """A sheet's HTML as PDF. Raises NoPdf, and SheetError where anything was wrong with it."""
    return _printed(html, {})[0]


def pages_of(html: str) -> int:
    """How many pages a sheet's HTML fills. Raises NoPdf and SheetError."""
    printer = _printer()
    with _no_warnings(), printer.fonts() as fonts:
        return len(printer.HTML(string=html, url_fetcher=printer.OwnFiles()).render(fonts).pages)


def _printed(html: str, fonts: Mapping[str, bytes]) -> tuple[bytes, Lacking]:
    """The PDF, and the characters that no font of this machine has. Raises NoPdf and SheetError."""
    printer = _printer()
    with _no_warnings() as heard, printer.fonts() as known:
        sheet = printer.HTML(string=html, url_fetcher=printer.OwnFiles(fonts))
        made: bytes = sheet.write_pdf(font_config=known, pdf_variant=VARIANT)
    return made, frozenset(heard.lacking)


def _printer() -> ModuleType:
    """The module that knows WeasyPrint. Raises NoPdf."""
    try:
        # WeasyPrint prints its advice about missing libraries on standard output, where a PDF may be going.
        with redirect_stdout(StringIO()):
            from scorepad.sheets import printer
    except (ImportError, OSError) as trouble:
        raise NoPdf(" ".join(str(trouble).split())) from trouble
    return printer


@contextmanager
def _no_warnings() -> Iterator[_Heard]:
    """Whatever WeasyPrint warns of in this thread is an error, but for a missing glyph. Raises SheetError."""
    logger, heard = logging.getLogger("weasyprint"), _Heard()
    logger.addHandler(heard)
    try:
        yield heard
    finally:
        logger.removeHandler(heard)
    if heard.warnings:
        raise SheetError(tuple(heard.warnings))


class _Heard(logging.Handler):
    """Keeps the warnings of the thread that it was made in; other threads print sheets of their own."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.warnings: list[str] = []
        self.lacking: set[str] = set()
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a warning, or the character that has no glyph."""
        if record.thread != self._thread:
            return
        if record.getMessage().startswith(_NO_GLYPH) and isinstance(record.args, tuple):
            self.lacking.add(str(record.args[0]))
        else:
            self.warnings.append(record.getMessage())
