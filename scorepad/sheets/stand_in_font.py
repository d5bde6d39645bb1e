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


def mark_stand_ins(html: str, lacking: Iterable[str]) -> str:
    """A sheet's HTML in which the characters `lacking` in other fonts are set in the generated one.

    Without a glyph for `李`: `<li>Li 李</li>` → `<li>Li <span class="stand-in">李</span></li>`.

    Such characters are only in the names and other texts that people typed. In our sheets these
    stand between the tags of the body, never inside a tag, where a `span` would be wrong.
    """
    escaped = [re.escape(character) for character in sorted(lacking)]
    some_in_a_row = re.compile(f"[{''.join(escaped)}]+")
    head, body_tag, body = html.partition("<body>")
    head = head.replace("</head>", f"{_STYLE}</head>")
    body = some_in_a_row.sub(r'<span class="stand-in">\g<0></span>', body)
    return head + body_tag + body


def make_stand_in_font(lacking: Iterable[str]) -> bytes:
    """A TrueType font with these characters, each of which looks like an asterisk.

    The same characters give the same bytes, so the font has no date.
    """
    # fontTools is a dependency of WeasyPrint, and needed only with it.
    from fontTools.fontBuilder import FontBuilder  # type: ignore[import-untyped] # ships no types

    asterisk = _asterisk()
    glyph_names = {ord(character): f"u{ord(character):X}" for character in sorted(lacking)}
    all_glyphs = [".notdef", *glyph_names.values()]  # a font must have the first
    builder = FontBuilder(asterisk.units_per_em, isTTF=True)
    builder.setupGlyphOrder(all_glyphs)
    builder.setupCharacterMap(glyph_names)
    builder.setupGlyf(dict.fromkeys(all_glyphs, asterisk.outline))
    builder.setupHorizontalMetrics(dict.fromkeys(all_glyphs, asterisk.advance))
    builder.setupHorizontalHeader(ascent=asterisk.ascent, descent=asterisk.descent)

    # The other tables that a font must have
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
