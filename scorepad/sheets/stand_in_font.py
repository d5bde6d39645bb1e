"""The font in which characters without a glyph on this machine are printed: each as an asterisk.

The PDF contains the characters themselves, so that they can be copied and read aloud, and every
character in the PDF has a glyph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from typing import Any, NamedTuple

from scorepad.assets import fonts_dir

FONT = "font/stand-in.ttf"
"""The path of the generated font in the sheets' URL fetcher."""
_STYLE = '<link rel="stylesheet" href="scorepad:style/stand-in.css">\n'


def with_stand_ins(html: str, lacking: Iterable[str]) -> str:
    """A sheet's HTML with these characters in its visible text set in the generated font.

    Names and other texts of people, the only places of such characters, stand between the tags of
    the body, never inside a tag.
    """
    head, body_tag, body = html.partition("<body>")
    head = head.replace("</head>", f"{_STYLE}</head>")
    runs = re.compile(f"[{''.join(map(re.escape, sorted(lacking)))}]+")  # some in a row
    body = runs.sub(r'<span class="stand-in">\g<0></span>', body)
    return head + body_tag + body


def make_stand_in_font(lacking: Iterable[str]) -> bytes:
    """A font with only these characters. The same characters give the same bytes."""
    # fontTools is a dependency of WeasyPrint, and needed only with it.
    from fontTools.fontBuilder import FontBuilder  # type: ignore[import-untyped] # ships no types

    asterisk = _asterisk()
    names = {ord(character): f"u{ord(character):X}" for character in sorted(lacking)}
    glyphs = [".notdef", *names.values()]
    builder = FontBuilder(asterisk.units_per_em, isTTF=True)
    builder.setupGlyphOrder(glyphs)
    builder.setupCharacterMap(names)
    builder.setupGlyf(dict.fromkeys(glyphs, asterisk.outline))
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, asterisk.advance))
    builder.setupHorizontalHeader(ascent=asterisk.ascent, descent=asterisk.descent)
    builder.setupNameTable({"familyName": "Scorepad Stand-In", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.updateHead(created=0, modified=0)
    builder.font.recalcTimestamp = False
    file = BytesIO()
    builder.save(file)
    return file.getvalue()


class _Glyph(NamedTuple):
    """A glyph and the measures of its font."""

    outline: Any
    advance: tuple[int, int]
    units_per_em: int
    ascent: int
    descent: int


@cache
def _asterisk() -> _Glyph:
    """The asterisk of the sheets' font."""
    from fontTools.pens.ttGlyphPen import TTGlyphPen  # type: ignore[import-untyped]
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    font = TTFont(fonts_dir() / "open-sans-latin-700.woff2")
    pen = TTGlyphPen(None)
    font.getGlyphSet()["asterisk"].draw(pen)
    return _Glyph(
        outline=pen.glyph(),
        advance=font["hmtx"]["asterisk"],
        units_per_em=font["head"].unitsPerEm,
        ascent=font["hhea"].ascent,
        descent=font["hhea"].descent,
    )
