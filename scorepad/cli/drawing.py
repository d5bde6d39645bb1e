"""A QR code in the terminal."""

from __future__ import annotations

import io
import sys

_BLOCKS = "\N{UPPER HALF BLOCK}\N{LOWER HALF BLOCK}\N{FULL BLOCK}"
_COLOURS, _PLAIN = "\033[97;40m", "\033[0m"


def drawn(address: str) -> str:
    """The code of an address in half blocks, under 60 columns; empty where the output has no such letters.

    Black on white in a terminal of any colours. In a file there are no colours, only the blocks.
    """
    try:
        _BLOCKS.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return ""
    import segno

    picture = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(picture, compact=True)
    before, after = (_COLOURS, _PLAIN) if sys.stdout.isatty() else ("", "")
    return "\n".join(f"{before}{line}{after}" for line in picture.getvalue().splitlines())
