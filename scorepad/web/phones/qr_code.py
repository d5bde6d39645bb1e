"""QR codes on the pages."""

from __future__ import annotations

from typing import Any

import segno
from markupsafe import Markup

DataOverflow = segno.DataOverflowError
"""Raised for a text that no QR code can hold."""


def draw_qr_code(*parts: str) -> Markup:
    """Draw the QR code of an address as SVG. Raises DataOverflow if it is too long.

    A part of capital letters and digits alone takes less of the code than one with other letters. The
    code is black on white in both themes, and as large as its container.
    """
    content: Any = list(parts)  # segno's types know of a single text only
    code = segno.make(content, error="l", micro=False)
    # The white border of 4 modules lets cameras find the code.
    picture = code.svg_inline(border=4, omitsize=True, svgclass=None, lineclass=None, light="#fff")
    return Markup(picture)  # noqa: S704 - none of our text in it
