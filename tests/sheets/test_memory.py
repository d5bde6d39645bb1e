"""What is printed leaves nothing behind in memory, however many sheets are printed."""

from __future__ import annotations

import ctypes
import gc

import pytest
from fontTools.ttLib import TTFont

from scorepad.assets import fonts_dir, static_dir
from scorepad.sheets.pdf import make_pdf

SHEETS, MOST = 5, 20 * 1024
"""How many are printed, and the octets that each may leave: if its fonts are not let go it leaves
ten times as many.
"""
PAGE = (
    '<!DOCTYPE html><html lang="it"><head><title>t</title>'
    '<link rel="stylesheet" href="scorepad:style/sheet.css"></head>'
    "<body><h1>t</h1>{lines}</body></html>"
)


class _Told(ctypes.Structure):
    _fields_ = [(f"_{place}", ctypes.c_size_t) for place in range(10)]


def taken() -> int:
    """Octets that are taken of the memory of libraries in C and not given back."""
    try:
        tell = ctypes.CDLL("libc.so.6").mallinfo2
    except (OSError, AttributeError):
        pytest.skip("only the GNU library tells what is taken")
    tell.restype = _Told
    gc.collect()
    told = tell()
    return int(told._7 + told._4)


@pytest.mark.long
def test_a_sheet_leaves_nothing_behind() -> None:
    page = PAGE.format(lines="<p>Noi 1.500, Loro −20</p>" * 30)
    for _ in range(2):  # what is kept once for all of them
        make_pdf(page)
    before = taken()
    for _ in range(SHEETS):
        make_pdf(page)
    assert taken() - before < SHEETS * MOST


@pytest.mark.parametrize("weight", [400, 700])
def test_figures_stand_below_one_another_without_being_told_to(weight: int) -> None:
    """Nothing in the style sheets asks for figures of one width."""
    font = TTFont(fonts_dir() / f"open-sans-latin-{weight}.woff2")
    widths = {font["hmtx"][font.getBestCmap()[ord(figure)]][0] for figure in "0123456789"}
    assert len(widths) == 1
    assert not any(
        "font-variant-numeric:" in each.read_text("utf-8")
        for each in (static_dir() / "sheets").glob("*.css")
    )
