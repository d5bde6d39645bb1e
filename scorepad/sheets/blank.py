"""Blank pads: as many cards to a sheet as asked, each with as many lines to write on as it has room for."""

from __future__ import annotations

from bisect import bisect_left

from scorepad.sheets.blank_values import BlankPad
from scorepad.sheets.html import render
from scorepad.sheets.pdf import pages_of, pdf_of

FEWEST, MOST = 4, 20
"""Hands that a card has lines for."""


def blank_pad_pdf(page: BlankPad) -> bytes:
    """The blank pads on a sheet of A4, as PDF. Raises NoPdf."""
    return pdf_of(_html(page, page.hands or _rows(page), page.copies))


def _rows(page: BlankPad) -> int:
    """The lines that fit: one less than the first that makes a single card run over."""
    over = bisect_left(range(FEWEST + 1, MOST + 1), True, key=lambda rows: pages_of(_html(page, rows, 1)) > 1)
    return FEWEST + over


def _html(page: BlankPad, rows: int, cards: int) -> str:
    return render("blank.html", page.language, page=page, rows=rows, cards=cards)
