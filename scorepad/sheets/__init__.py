"""What is printed: page values → HTML → PDF. Only here is WeasyPrint imported, and only when a PDF is asked for."""

from scorepad.sheets.html import match_sheet_html
from scorepad.sheets.pdf import Lacking, NoPdf, SheetError, match_sheet_pdf
from scorepad.sheets.text import is_spelt, isolated, told_apart
from scorepad.sheets.values import (
    Agreement,
    Broken,
    Carried,
    Cell,
    Change,
    Correction,
    Doubt,
    Goal,
    Hand,
    HouseOption,
    Note,
    PenaltyGiven,
    Result,
    Row,
    SheetPage,
    Side,
)

__all__ = [
    "Agreement",
    "Broken",
    "Carried",
    "Cell",
    "Change",
    "Correction",
    "Doubt",
    "Goal",
    "Hand",
    "HouseOption",
    "Lacking",
    "NoPdf",
    "Note",
    "PenaltyGiven",
    "Result",
    "Row",
    "SheetError",
    "SheetPage",
    "Side",
    "is_spelt",
    "isolated",
    "match_sheet_html",
    "match_sheet_pdf",
    "told_apart",
]
