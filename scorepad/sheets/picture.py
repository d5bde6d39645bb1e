"""The result of a match as a picture to send: the card with its columns, who won and how, and a small chart.

The same values give the same bytes. Nothing stands in the file but what is to be seen. The chart has the layout of
`scorepad.sheets.chart`. Text is set in the sheets' own fonts; a character without a glyph stands as an asterisk, as on
the sheet; what nobody sees anyway is left out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from io import BytesIO
from itertools import groupby, pairwise
from math import hypot
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from scorepad.assets import fonts_dir
from scorepad.i18n import Words, words
from scorepad.matches.projection import MatchState
from scorepad.sheets.chart import BASE, CUT, LOOKS, ROW, Chart, Frame, Look, Point, Rule, Track, plan_of, running_chart
from scorepad.sheets.names import Names
from scorepad.sheets.result import game_of, players_of, standing_of

INK, SOFT, LINE = "#1d1b16", "#57503f", "#d5cab0"
SIDES: tuple[str, ...] = ("#17553a", "#a23b08", "#3d3a9c")
"""The colours of the sides, as on a page by day."""
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


def picture_of(state: MatchState, say: Words) -> Picture:
    """The result as it is drawn. Who is called by nothing that can be drawn is called by the seat too, as on paper."""
    missing = lacking(_written(state))
    names = Names(state, say, missing)
    drawn = replace(
        state,
        sides=tuple(
            replace(side, name=name, players=players)
            for side, name, players in zip(state.sides, names.sides, names.players, strict=True)
        ),
    )
    told, winner = standing_of(drawn, say), state.standing.winner
    chart = running_chart(drawn, say.language) if state.hands else None
    return Picture(
        game=game_of(state, say),
        when=" · ".join(filter(None, (say.day(state.started.astimezone()), state.place))),
        sides=tuple(
            PictureSide(side.name, players_of(drawn, position, say), say.figure(side.total), won=position == winner)
            for position, side in enumerate(drawn.sides)
        ),
        sentence=told.sentence,
        how=told.how,
        won=say.text("web.won"),
        chart=None if chart is None else replace(chart, openings=()),
        note=say.text("share.picture.stand-in") if missing else "",
    )


def _written(state: MatchState) -> Iterable[str]:
    """What people wrote of what stands in the picture."""
    yield state.place
    for side in state.sides:
        yield side.name
        yield from side.players


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

    def box(self, edges: Sequence[float], radius: float, fill: str, outline: str | None = None) -> None:
        """A box with round corners."""
        large = [edge * SCALE for edge in edges]
        self.on.rounded_rectangle(large, radius * SCALE, fill=fill, outline=outline, width=2 * SCALE)

    def line(self, ends: Iterable[float], colour: str, width: float) -> None:
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
    on: ImageDraw.ImageDraw, text: str, room: Room, sizes: Sequence[int], colour: str, *, is_bold: bool = False
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


# --------------------------------------------------------------------------------------------------- the chart


_WIDE = 0.18
"""Letters that a side's line is wide."""


class ChartDrawing:
    """A chart laid out in a picture with its upper left corner here. Pixels; lines are drawn `scale` times as large."""

    def __init__(self, chart: Chart, frame: Frame, corner: Point, scale: int) -> None:
        self._plan = plan_of(chart, frame, lambda text, size: Letters(round(size)).width(text))
        self._corner, self._scale = corner, scale
        self._hands = words(chart.language).text("share.chart.hands")

    def draw_lines(self, on: ImageDraw.ImageDraw) -> None:
        """Everything that is no text."""
        plan = self._plan
        for mark in plan.scores:
            self._across(on, mark.at, LINE, 0.06)
        self._across(on, plan.zero, SOFT, 0.08)
        for rule in plan.openings:
            for part in dashed([(plan.left, rule.at), (plan.right, rule.at)], (2.0, 6.0)):
                self._line(on, part, SOFT, 0.08)
        if plan.target is not None:
            self._across(on, plan.target.at, INK, 0.12)
        for track, look, colour in zip(plan.tracks, LOOKS, SIDES, strict=False):
            self._draw_track(on, track, look, colour)

    def _draw_track(self, on: ImageDraw.ImageDraw, track: Track, look: Look, colour: str) -> None:
        text = self._plan.frame.text
        strokes = [stroke * text / 14 for stroke in look.dashes]
        for part in dashed(track.points, strokes) if strokes else [track.points]:
            self._line(on, part, colour, _WIDE)
        for point in track.marked:
            self._marker(on, look.name, point, colour)
        if track.label.is_off:
            self._line(on, (track.points[-1], (track.label.x - text / 8, track.label.y)), colour, 0.08)

    def draw_texts(self, on: ImageDraw.ImageDraw) -> None:
        """Everything that is written."""
        plan, size = self._plan, self._plan.frame.text
        plain, bold = Letters(round(size)), Letters(round(size), is_bold=True)
        for mark in plan.scores:
            self._write(on, plain, (plan.left - size / 2, mark.at + size * BASE), mark.text, SOFT, share=1)
        for mark in plan.hands:
            self._write(on, plain, (mark.at, plan.bottom + size * ROW), mark.text, SOFT, share=0.5)
        middle = ((plan.left + plan.right) / 2, plan.bottom + 2 * size * ROW)
        self._write(on, plain, middle, self._hands, SOFT, share=0.5)
        for rule in plan.openings:
            self._write_on(on, plain, rule, SOFT)
        if plan.target is not None:
            self._write_on(on, plain, plan.target, INK)
        for track, colour in zip(plan.tracks, SIDES, strict=False):
            label = track.label
            self._write(on, plain, (label.x, label.y - size * (ROW / 2 - BASE)), label.name, colour)
            self._write(on, bold, (label.x, label.y + size * (ROW / 2 + BASE)), label.total, colour)

    def _write_on(self, on: ImageDraw.ImageDraw, letters: Letters, rule: Rule, colour: str) -> None:
        plan, gap = self._plan, self._plan.frame.text / 4
        x = plan.right - gap if rule.is_right else plan.left + gap
        self._write(on, letters, (x, rule.at - plan.frame.text * BASE), rule.text, colour, share=float(rule.is_right))

    def _write(
        self, on: ImageDraw.ImageDraw, letters: Letters, at: Point, text: str, colour: str, share: float = 0
    ) -> None:
        """A text, of which this share stands left of the place."""
        x = self._corner[0] + at[0] - share * letters.width(text)
        letters.draw(on, (round(x), round(self._corner[1] + at[1])), text, colour)

    def _across(self, on: ImageDraw.ImageDraw, at: float, colour: str, width: float) -> None:
        self._line(on, ((self._plan.left, at), (self._plan.right, at)), colour, width)

    def _line(self, on: ImageDraw.ImageDraw, way: Sequence[Point], colour: str, width: float) -> None:
        """A line; `width` in letters."""
        places = [self._place(point) for point in way]
        on.line(places, fill=colour, width=max(1, round(width * self._plan.frame.text * self._scale)), joint="curve")

    def _marker(self, on: ImageDraw.ImageDraw, look: str, point: Point, colour: str) -> None:
        (x, y), r = self._place(point), self._plan.frame.text * self._scale * 0.3
        match look:
            case "a":
                on.ellipse((x - r, y - r, x + r, y + r), fill=colour)
            case "b":
                on.rectangle((x - r, y - r, x + r, y + r), fill=colour)
            case _:
                on.polygon([(x, y - 1.3 * r), (x + 1.3 * r, y + r), (x - 1.3 * r, y + r)], fill=colour)

    def _place(self, point: Point) -> Point:
        return (self._corner[0] + point[0]) * self._scale, (self._corner[1] + point[1]) * self._scale


def dashed(way: Sequence[Point], strokes: Sequence[float]) -> Iterator[Sequence[Point]]:
    """The strokes of a dashed line: so much drawn, so much left out, on around its corners."""
    stroke, gap = strokes
    part, left, is_drawn = [way[0]], stroke, True
    for one, other in pairwise(way):
        length, gone = hypot(other[0] - one[0], other[1] - one[1]), 0.0
        while length - gone >= left:
            gone += left
            point = (one[0] + (other[0] - one[0]) * gone / length, one[1] + (other[1] - one[1]) * gone / length)
            if is_drawn:
                yield [*part, point]
            part, is_drawn = [point], not is_drawn
            left = stroke if is_drawn else gap
        left -= length - gone
        if other != part[-1]:
            part.append(other)
    if is_drawn and len(part) > 1:
        yield part


# -------------------------------------------------------------------------------------------------------- text


MARK = "*"
"""What stands for a character that no font has."""
_FILES = ("open-sans-latin-{weight}.woff2", "open-sans-latin-ext-{weight}.woff2")
_UNSEEN = ("Cf", "Cc")
_VARIANTS = range(0xFE00, 0xFE10)
"""Characters that only say how the one before them is to look."""


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

    def draw(self, on: ImageDraw.ImageDraw, at: tuple[float, float], text: str, colour: str) -> None:
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
