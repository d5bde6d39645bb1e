"""Text in a picture: the sheets' own fonts, what they cannot draw, and lines that fit into a width.

A character without a glyph stands as an asterisk, as on the sheet; what nobody sees anyway is left out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from io import BytesIO
from itertools import groupby
from pathlib import Path

from PIL import ImageDraw, ImageFont

from scorepad.assets import fonts_dir
from scorepad.sheets.chart_plan import ROW
from scorepad.sheets.chart_text import CUT

MARK = "*"
"""What stands for a character that no font has."""
_FILES = ("open-sans-latin-{weight}.woff2", "open-sans-latin-ext-{weight}.woff2")
_UNSEEN = ("Cf", "Cc")
_VARIANTS = range(0xFE00, 0xFE10)
"""Characters that only say how the one before them is to look."""
Colour = str


def lacking(texts: Iterable[str]) -> frozenset[str]:
    """The characters of these texts that the fonts cannot draw."""
    return frozenset(each for text in texts for each in _seen(text) if _font_of(each) is None)


@dataclass(frozen=True, slots=True)
class Letters:
    """Letters of one size, regular or bold."""

    size: int
    is_bold: bool = False

    def width(self, text: str) -> float:
        """How wide a text is in them, in pixels."""
        return sum(font.getlength(part) for font, part in self.runs(text))

    def draw(self, on: ImageDraw.ImageDraw, at: tuple[float, float], text: str, colour: Colour) -> None:
        """Write a text from here on; `at` is the left end of its foot."""
        x, y = at
        for font, part in self.runs(text):
            on.text((x, y), part, fill=colour, font=font, anchor="ls")
            x += font.getlength(part)

    def runs(self, text: str) -> Iterator[tuple[ImageFont.FreeTypeFont, str]]:
        """A text in pieces, each with the font that has it."""
        drawn = ((_font_of(each), each) for each in _seen(text))
        known = ((0, MARK) if number is None else (number, each) for number, each in drawn)
        for number, part in groupby(known, key=lambda each: each[0]):
            yield _font(number, self.size, is_bold=self.is_bold), "".join(each for _, each in part)


@dataclass(frozen=True, slots=True)
class Block:
    """A text in rows."""

    letters: Letters
    rows: tuple[str, ...]


def fitted(text: str, room: tuple[float, float], sizes: Sequence[int], *, is_bold: bool = False) -> Block:
    """A text in the largest of these sizes in which it has room (width and height); cut off if it has in none."""
    for size in sizes:
        letters = Letters(size, is_bold)
        rows = tuple(_wrapped(text, partial(_fits, letters, room[0])))
        if len(rows) <= _most(room[1], letters):
            return Block(letters, rows)
    return _cut(text, room, Letters(sizes[-1], is_bold))


def _cut(text: str, room: tuple[float, float], letters: Letters) -> Block:
    """As much of a text as has room."""
    rows = tuple(_wrapped(text, partial(_fits, letters, room[0])))[: _most(room[1], letters)]
    last = f"{rows[-1]}{CUT}"
    while not _fits(letters, room[0], last):
        last = f"{last[:-2].rstrip()}{CUT}"
    return Block(letters, (*rows[:-1], last))


def _most(height: float, letters: Letters) -> int:
    return max(1, int(height / (letters.size * ROW)))


def _fits(letters: Letters, width: float, text: str) -> bool:
    return letters.width(text) <= width


def _wrapped(text: str, fits: Callable[[str], bool]) -> Iterator[str]:
    """A text in rows; a word that is too long for one goes on in the next."""
    row = ""
    for word in text.split():
        longer = f"{row} {word}".lstrip()
        if fits(longer):
            row = longer
            continue
        if row:
            yield row
        row = word
        while not fits(row) and len(row) > 1:
            kept = next(length for length in range(len(row) - 1, 0, -1) if length == 1 or fits(row[:length]))
            yield row[:kept]
            row = row[kept:]
    if row:
        yield row


def _seen(text: str) -> str:
    """What is to be seen of a text, its spaces plain."""
    kept = (each for each in text if unicodedata.category(each) not in _UNSEEN and ord(each) not in _VARIANTS)
    return "".join(" " if each.isspace() else each for each in kept)


def _font_of(character: str) -> int | None:
    """Which of the fonts has a character, by its number."""
    return next((number for number, known in enumerate(_characters()) if ord(character) in known), None)


@cache
def _characters() -> tuple[frozenset[int], ...]:
    """The characters that each font has."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped] # ships no types

    files = (fonts_dir() / name.format(weight=400) for name in _FILES)
    return tuple(frozenset(TTFont(file).getBestCmap()) for file in files)


@cache
def _font(number: int, size: int, *, is_bold: bool) -> ImageFont.FreeTypeFont:
    path = fonts_dir() / _FILES[number].format(weight=700 if is_bold else 400)
    try:
        return ImageFont.truetype(str(path), size)
    except OSError:
        return ImageFont.truetype(BytesIO(_unpacked(path)), size)


@cache
def _unpacked(path: Path) -> bytes:
    """A font as every FreeType reads it: not every one unpacks what is packed for the web."""
    from fontTools.ttLib import TTFont

    font, made = TTFont(path, recalcTimestamp=False), BytesIO()
    font.flavor = None
    font.save(made)
    return made.getvalue()
