"""Rules cards: one page each, in letters as large as it has room for."""

from __future__ import annotations

from bisect import bisect_left

from scorepad.sheets.card_values import RulesCard
from scorepad.sheets.html import render
from scorepad.sheets.pdf import pages_of, pdf_of

SIZES = (9.5, 9, 8.5, 8, 7.5, 7)
"""Sizes of the letters in points, as the style sheet has them; the last is the smallest that eyes of seventy read."""


def rules_card_pdf(page: RulesCard) -> bytes:
    """The rules card as PDF on A4, on one page. Raises NoPdf."""
    place = bisect_left(range(len(SIZES) - 1), True, key=lambda size: pages_of(_html(page, size)) == 1)
    return pdf_of(_html(page, place))


def _html(page: RulesCard, size: int) -> str:
    return render("card.html", page.language, page=page, size=size)
