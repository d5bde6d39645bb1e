"""The chart of running totals in a picture: the same plan as on a page, drawn with pencils of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot

from PIL import ImageDraw

from scorepad.i18n import words
from scorepad.sheets.chart import LOOKS, Look
from scorepad.sheets.chart_plan import BASE, ROW, plan_of
from scorepad.sheets.chart_values import Chart, Frame, Point, Rule, Track
from scorepad.sheets.picture_text import Colour, Letters

INK, SOFT, LINE = "#1d1b16", "#57503f", "#d5cab0"
SIDES: tuple[Colour, ...] = ("#17553a", "#a23b08", "#3d3a9c")
"""The colours of the sides, as on a page by day."""
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

    def _draw_track(self, on: ImageDraw.ImageDraw, track: Track, look: Look, colour: Colour) -> None:
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

    def _write_on(self, on: ImageDraw.ImageDraw, letters: Letters, rule: Rule, colour: Colour) -> None:
        plan, gap = self._plan, self._plan.frame.text / 4
        x = plan.right - gap if rule.is_right else plan.left + gap
        self._write(on, letters, (x, rule.at - plan.frame.text * BASE), rule.text, colour, share=float(rule.is_right))

    def _write(
        self, on: ImageDraw.ImageDraw, letters: Letters, at: Point, text: str, colour: Colour, share: float = 0
    ) -> None:
        """A text, of which this share stands left of the place."""
        x = self._corner[0] + at[0] - share * letters.width(text)
        letters.draw(on, (round(x), round(self._corner[1] + at[1])), text, colour)

    def _across(self, on: ImageDraw.ImageDraw, at: float, colour: Colour, width: float) -> None:
        self._line(on, ((self._plan.left, at), (self._plan.right, at)), colour, width)

    def _line(self, on: ImageDraw.ImageDraw, way: Sequence[Point], colour: Colour, width: float) -> None:
        """A line; `width` in letters."""
        places = [self._place(point) for point in way]
        on.line(places, fill=colour, width=max(1, round(width * self._plan.frame.text * self._scale)), joint="curve")

    def _marker(self, on: ImageDraw.ImageDraw, look: str, point: Point, colour: Colour) -> None:
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
