"""Characters that no font of this machine has: each is printed as an asterisk, and a note says so.

The sheet keeps the characters themselves, in a font made for them in which they all look alike: so they can still be
copied and read aloud, and nothing in the PDF is without a glyph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from typing import Any

from scorepad.assets import fonts_dir

FONT = "font/stand-in.ttf"
"""Where the sheets' fetcher finds the font."""
_MARK = "asterisk"
_STYLE = '<link rel="stylesheet" href="scorepad:style/stand-in.css">\n'


def with_stand_ins(html: str, lacking: Iterable[str]) -> str:
    """A sheet's HTML with these characters, where they are printed, set in the font made for them."""
    head, body, printed = html.partition("<body>")
    runs = re.compile(f"[{''.join(map(re.escape, sorted(lacking)))}]+")
    head = head.replace("</head>", f"{_STYLE}</head>")
    return head + body + runs.sub(lambda run: f'<span class="stand-in">{run[0]}</span>', printed)


def stand_in_font(lacking: Iterable[str]) -> bytes:
    """A font that has these characters and nothing else. The same characters give the same bytes."""
    # It comes with WeasyPrint, and is needed only beside it.
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
    """The asterisk of the sheets' own font: its outline, its advance, units to the em, height of the line."""
    from fontTools.pens.ttGlyphPen import TTGlyphPen  # type: ignore[import-untyped]
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    font = TTFont(fonts_dir() / "open-sans-latin-700.woff2")
    pen = TTGlyphPen(None)
    font.getGlyphSet()[_MARK].draw(pen)
    line = font["hhea"]
    return pen.glyph(), font["hmtx"][_MARK], font["head"].unitsPerEm, {"ascent": line.ascent, "descent": line.descent}
