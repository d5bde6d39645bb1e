"""The result of a match as a picture to send: the card with its columns, who won and how, and a small chart.

The same values give the same bytes. Nothing stands in the file but what is to be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw

from scorepad.sheets.chart_plan import ROW
from scorepad.sheets.chart_values import Chart, Frame
from scorepad.sheets.picture_chart import INK, LINE, SOFT, ChartDrawing
from scorepad.sheets.picture_text import Colour, Letters, fitted, lacking

__all__ = ["SIZE", "Picture", "PictureSide", "lacking", "picture_png"]

SIZE = 1080
"""Pixels that the picture is wide and high."""
SCALE = 3
"""Lines are drawn so many times as large and made smaller, which takes the steps out of them."""
PAPER, CARD, ACT, ON_ACT = "#f6f1e4", "#fffdf7", "#17553a", "#ffffff"
EDGE, INSIDE = 40, 80
"""Where the card begins, and what stands on it."""
HEAD, NAMES, TOTALS, CHART, FOOT = 160, 342, 546, 682, 1016
"""Where the head of the card, the names, the totals and what is said of the end have their lower edges; the foot."""
CAPITAL = 0.714
"""Height of the font's capital letters, in sizes of its letters."""
PILL, TAG = 58, 30
"""The box in which it says who won: its height, and the size of its letters."""
BIG = {1: 150, 2: 150, 3: 112}
"""The largest totals, by the number of columns."""
Room = tuple[float, float, float, float]
"""A place in the picture: its left, upper, right and lower edges."""


@dataclass(frozen=True, slots=True)
class PictureSide:
    """A side: its name, its players if they are named, its total as people write it, and whether it won."""

    name: str
    players: str
    total: str
    won: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """What stands in the picture. `note` explains the characters that cannot be drawn; empty where there are none."""

    game: str
    when: str
    sides: tuple[PictureSide, ...]
    sentence: str
    how: str
    won: str
    """What stands under the total of who won."""
    chart: Chart | None
    note: str = ""


def picture_png(picture: Picture) -> bytes:
    """The picture as a PNG file."""
    lines = Image.new("RGB", (SIZE * SCALE, SIZE * SCALE), PAPER)
    chart = None if picture.chart is None else ChartDrawing(picture.chart, _frame(picture), (INSIDE, CHART), SCALE)
    _draw_card(_Pencil(ImageDraw.Draw(lines)), picture)
    if chart is not None:
        chart.draw_lines(ImageDraw.Draw(lines))
    image = lines.reduce(SCALE)
    _write(ImageDraw.Draw(image), picture)
    if chart is not None:
        chart.draw_texts(ImageDraw.Draw(image))
    made = BytesIO()
    image.save(made, "PNG", optimize=True)
    return made.getvalue()


def _frame(picture: Picture) -> Frame:
    return Frame(SIZE - 2 * INSIDE, FOOT - CHART - (16 if picture.note else 0), 24)


@dataclass(frozen=True, slots=True)
class _Pencil:
    """Draws on the large drawing in the measures of the small one."""

    on: ImageDraw.ImageDraw

    def box(self, edges: Sequence[float], radius: float, fill: Colour, outline: Colour | None = None) -> None:
        """A box with round corners."""
        large = [edge * SCALE for edge in edges]
        self.on.rounded_rectangle(large, radius * SCALE, fill=fill, outline=outline, width=2 * SCALE)

    def line(self, ends: Iterable[float], colour: Colour, width: float) -> None:
        """A straight line."""
        self.on.line([end * SCALE for end in ends], fill=colour, width=round(width * SCALE))


def _draw_card(pencil: _Pencil, picture: Picture) -> None:
    """The card, its head, and the cross that parts its columns."""
    pencil.box((EDGE, EDGE, SIZE - EDGE, SIZE - EDGE), 36, CARD, LINE)
    pencil.box((EDGE, EDGE, SIZE - EDGE, HEAD), 36, ACT)
    pencil.box((EDGE, HEAD - 36, SIZE - EDGE, HEAD), 0, ACT)
    pencil.line((INSIDE, NAMES, SIZE - INSIDE, NAMES), INK, 3)
    for left, _ in _columns(picture)[1:]:
        pencil.line((left, HEAD + 24, left, TOTALS), INK, 3)
    half = Letters(TAG, is_bold=True).width(picture.won) / 2 + PILL / 2
    for side, (left, right) in zip(picture.sides, _columns(picture), strict=True):
        if side.won:
            middle = (left + right) / 2
            pencil.box((middle - half, TOTALS - PILL, middle + half, TOTALS), PILL / 2, ACT)


def _columns(picture: Picture) -> list[tuple[float, float]]:
    """The left and the right edge of each side's column."""
    width = (SIZE - 2 * INSIDE) / len(picture.sides)
    return [(INSIDE + number * width, INSIDE + (number + 1) * width) for number in range(len(picture.sides))]


def _write(on: ImageDraw.ImageDraw, picture: Picture) -> None:
    left, right = INSIDE, SIZE - INSIDE
    _rows(on, picture.game, (left, EDGE + 4, right, EDGE + 68), (46, 38, 32), ON_ACT, is_bold=True)
    _rows(on, picture.when, (left, EDGE + 64, right, HEAD - 8), (30, 26, 22), ON_ACT)
    largest, foot = _total_size(picture), TOTALS - (PILL if any(side.won for side in picture.sides) else 0)
    for side, (start, end) in zip(picture.sides, _columns(picture), strict=True):
        _write_side(on, side, (start + 14, HEAD + 14, end - 14, foot), largest)
        if side.won:
            _rows(on, picture.won, (start, TOTALS - PILL, end, TOTALS), (TAG,), ON_ACT, is_bold=True)
    _write_end(on, picture)
    _rows(on, picture.note, (left, FOOT - 16, right, FOOT + 14), (20, 18), SOFT)


def _write_end(on: ImageDraw.ImageDraw, picture: Picture) -> None:
    """How it ended, and why so: over the chart, or in its place."""
    left, right = INSIDE, SIZE - INSIDE
    bottom = FOOT - 100 if picture.chart is None else CHART - 2
    parted = bottom - (64 if picture.how else 0)
    _rows(on, picture.sentence, (left, TOTALS + 12, right, parted), (40, 34, 30, 26, 24), INK, is_bold=True)
    _rows(on, picture.how, (left, parted, right, bottom), (30, 26, 22, 18), SOFT)


def _total_size(picture: Picture) -> int:
    """The size in which every total has room in its column: one for all."""
    largest = BIG[len(picture.sides)]
    left, right = _columns(picture)[0]
    widest = max(Letters(largest, is_bold=True).width(side.total) for side in picture.sides)
    return min(largest, int(largest * (right - left - 40) / widest))


def _write_side(on: ImageDraw.ImageDraw, side: PictureSide, room: Room, largest: int) -> None:
    """The name, the players and the total of a side, in its column."""
    left, top, right, bottom = room
    sizes = [round(largest * share / 150) for share in (72, 60, 50, 42, 36, 30, 26, 22)]
    parted = NAMES - (72 if side.players else 10)
    _rows(on, side.name, (left, top, right, parted), sizes, INK, is_bold=True)
    _rows(on, side.players, (left, parted, right, NAMES - 6), (30, 27, 22, 18), SOFT)
    _rows(on, side.total, (left, NAMES, right, bottom), (largest,), ACT if side.won else INK, is_bold=True)


def _rows(
    on: ImageDraw.ImageDraw, text: str, room: Room, sizes: Sequence[int], colour: Colour, *, is_bold: bool = False
) -> None:
    """A text in the middle of a place."""
    left, top, right, bottom = room
    block = fitted(text, (right - left, bottom - top), sizes, is_bold=is_bold)
    size, step = block.letters.size, block.letters.size * ROW
    # The middle of capital letters and figures is the middle of the row.
    foot = (top + bottom - step * (len(block.rows) - 1)) / 2 + size * CAPITAL / 2
    for number, row in enumerate(block.rows):
        x = (left + right - block.letters.width(row)) / 2
        block.letters.draw(on, (round(x), round(foot + number * step)), row, colour)
