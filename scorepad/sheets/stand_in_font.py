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
    """Mark the `lacking` characters in a sheet's HTML, so that they are set in the generated font.

    If no font of this machine has `李`: `<li>Li 李</li>` → `<li>Li <span
    class="stand-in">李</span></li>`. The style sheet for this class is added to the head.
    """
    escaped = [re.escape(character) for character in sorted(lacking)]
    some_in_a_row = re.compile(f"[{''.join(escaped)}]+")

    # Only names and other texts that people typed have such characters. Our sheets show these
    # between tags of the body, never inside a tag, where a `span` would be wrong.
    head, body_tag, body = html.partition("<body>")
    head = head.replace("</head>", f"{_STYLE}</head>")
    body = some_in_a_row.sub(r'<span class="stand-in">\g<0></span>', body)  # \g<0>: the characters
    return head + body_tag + body


def make_stand_in_font(lacking: Iterable[str]) -> bytes:
    """Make a TrueType font for some characters, all of which look like an asterisk.

    A name in a script that no font of this machine has is printed with it. The font has no date, so
    that a sheet that is made twice has the same bytes.
    """
    # fontTools is a dependency of WeasyPrint, and needed only with it.
    from fontTools.fontBuilder import FontBuilder  # type: ignore[import-untyped] # ships no types

    asterisk = _read_asterisk()
    glyph_names = {ord(character): f"u{ord(character):X}" for character in sorted(lacking)}
    all_glyphs = [".notdef", *glyph_names.values()]  # every font must have this first glyph
    outlines = dict.fromkeys(all_glyphs, asterisk.outline)  # each glyph looks like an asterisk
    widths = dict.fromkeys(all_glyphs, asterisk.advance)

    builder = FontBuilder(asterisk.units_per_em, isTTF=True)
    builder.setupGlyphOrder(all_glyphs)
    builder.setupCharacterMap(glyph_names)
    builder.setupGlyf(outlines)
    builder.setupHorizontalMetrics(widths)
    builder.setupHorizontalHeader(ascent=asterisk.ascent, descent=asterisk.descent)

    # The other tables that a font must have
    builder.setupNameTable({"familyName": "Scorepad Stand-In", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()

    # No date: neither when it was made nor when it was saved
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
def _read_asterisk() -> _Glyph:
    """Read the asterisk of the bold font of the sheets: its outline, and the measures of that font.

    All characters of the generated font get this outline.
    """
    from fontTools.pens.ttGlyphPen import TTGlyphPen  # type: ignore[import-untyped]
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    font = TTFont(fonts_dir() / "open-sans-latin-700.woff2")
    pen = TTGlyphPen(None)  # records what is drawn with it as an outline
    font.getGlyphSet()["asterisk"].draw(pen)
    return _Glyph(
        outline=pen.glyph(),
        advance=font["hmtx"]["asterisk"],  # the table of widths
        units_per_em=font["head"].unitsPerEm,
        ascent=font["hhea"].ascent,
        descent=font["hhea"].descent,
    )
