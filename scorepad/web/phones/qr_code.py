"""QR codes on the pages."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from scorepad.errors import ScorepadError


class DataOverflow(ScorepadError):
    """A text is too long for a QR code."""


def draw_qr_code(*parts: str) -> Markup:
    """Draw the QR code of an address as SVG. Raises DataOverflow if it is too long.

    A part of capital letters and digits alone takes less of the code than one with other letters. The
    code is black on white in both themes, and as large as its container.
    """
    import segno  # few pages have a code

    content: Any = list(parts)  # segno's types know of a single text only
    try:
        code = segno.make(content, error="l", micro=False)
    except segno.DataOverflowError as error:
        raise DataOverflow from error
    # The white border of 4 modules lets cameras find the code.
    picture = code.svg_inline(border=4, omitsize=True, svgclass=None, lineclass=None, light="#fff")
    return Markup(picture)  # noqa: S704 - none of our text in it
