"""Lays a chart of running totals out on its frame.

A chart is drawn for a narrow screen and grows with a wide one, so what is written in it is kept short. What stands
around the plot is measured first, and the plot gets the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor

from scorepad.i18n import words
from scorepad.sheets.chart_places import Box, spread
from scorepad.sheets.chart_text import labels_of, width_of
from scorepad.sheets.chart_values import SCREEN, Chart, Frame, Label, Mark, Plan, Point, Rule, Track

Measure = Callable[[str, float], float]
"""How wide a text is in letters of this size."""

ROW = 1.2
"""Height of a row of text, in letters."""
BASE = 0.35
"""Letters by which a row's foot stands under its middle."""
BOLD = 1.13
"""How much wider bold letters are."""
NAMES = 0.28
"""The share of the width that labels may take."""
APART = 0.7
"""Letters that the markers of a line are apart at least."""
BESIDE = 0.8
"""Letters between the end of a line and its label."""
OFF = 0.5
"""Letters by which a label may be off its line without a leader."""


@dataclass(frozen=True, slots=True)
class _Field:
    """The plot: its edges, the scores at the lower and the upper one, and how many hands it is wide."""

    left: float
    right: float
    top: float
    bottom: float
    low: int
    high: int
    hands: int

    def height(self, score: float) -> float:
        """Where this score stands."""
        return round(self.bottom - (score - self.low) * (self.bottom - self.top) / (self.high - self.low), 1)

    def across(self, hand: int) -> float:
        """Where this hand stands; 0 is the start of the match."""
        return round(self.left + hand * (self.right - self.left) / max(1, self.hands), 1)


def plan_of(chart: Chart, frame: Frame = SCREEN, measure: Measure = width_of) -> Plan:
    """The chart laid out on a frame."""
    say, text = words(chart.language), frame.text
    names = labels_of([course.name for course in chart.courses], frame.width * NAMES, text, measure)
    sums = tuple(say.figure(course.totals[-1]) for course in chart.courses)
    widest = max(measure(each, size) for row, size in ((names, text), (sums, text * BOLD)) for each in row)
    field, figures = _field(chart, frame, widest, measure)
    tracks = _tracks(chart, field, tuple(zip(names, sums, strict=True)), frame)
    target, openings = _rules(chart, field, tracks, text, measure)
    return Plan(
        frame,
        field.left,
        field.right,
        field.top,
        field.bottom,
        field.height(0),
        scores=tuple(Mark(field.height(figure), say.figure(figure)) for figure in figures),
        hands=tuple(
            Mark(field.across(number - chart.before), say.figure(number))
            for number in _told(field, chart.before, text, measure)
        ),
        target=target,
        openings=openings,
        tracks=tracks,
    )


def _field(chart: Chart, frame: Frame, ends: float, measure: Measure) -> tuple[_Field, list[int]]:
    """The plot, as large as what is written around it leaves it, and the round figures beside it."""
    text, (low, high) = frame.text, _reach(chart)
    top, bottom = round(text * ROW + 4, 1), round(frame.height - 2 * text * ROW - 4, 1)
    step = _step((high - low) / max(1, floor((bottom - top) / (2 * text))))
    figures = [number * step for number in range(ceil(low / step), floor(high / step) + 1)]
    left = max(measure(words(chart.language).figure(figure), text) for figure in figures) + text / 2
    right = frame.width - ends - text
    return _Field(round(left, 1), round(right, 1), top, bottom, low, high, chart.hands), figures


def _reach(chart: Chart) -> tuple[int, int]:
    """The lowest and the highest score that the chart shows: nothing, every total, and the target."""
    every = [0, *(total for course in chart.courses for total in course.totals)]
    low, high = min(every), max(every if chart.target is None else [*every, chart.target])
    return low, max(high, low + 1)


def _step(least: float) -> int:
    """The smallest round figure that is no less: 1, 2 or 5, with any number of noughts."""
    power = 1
    while True:
        for figure in (1, 2, 5):
            if figure * power >= least:
                return figure * power
        power *= 10


def _told(field: _Field, before: int, text: float, measure: Measure) -> range:
    """The numbers of the hands that are written under the plot; so many were played before."""
    last = before + field.hands
    step = _step((measure(str(last), text) + text / 2) * max(1, field.hands) / (field.right - field.left))
    return range((before // step + 1) * step, last + 1, step)


def _tracks(chart: Chart, field: _Field, said: Sequence[tuple[str, str]], frame: Frame) -> tuple[Track, ...]:
    """The lines of the sides; `said` are the name and the total at the end of each."""
    ways = [
        tuple((field.across(hand), field.height(total)) for hand, total in enumerate(course.totals))
        for course in chart.courses
    ]
    row = frame.text * ROW
    places = spread([way[-1][1] for way in ways], 2 * row, row, frame.height - row)
    x = round(field.right + frame.text * BESIDE, 1)
    return tuple(
        Track(way, _marked(way, frame.text), Label(x, y, *told, is_off=abs(y - way[-1][1]) > frame.text * OFF))
        for way, y, told in zip(ways, places, said, strict=True)
    )


def _marked(way: tuple[Point, ...], text: float) -> tuple[Point, ...]:
    """The points that bear a marker: every hand or, where they stand too close, every few, and always the last."""
    hands = len(way) - 1
    if not hands:
        return way
    each = ceil(APART * text / ((way[-1][0] - way[0][0]) / hands))
    return tuple(way[number] for number in range(hands, 0, -each))[::-1]


def _rules(
    chart: Chart, field: _Field, tracks: Sequence[Track], text: float, measure: Measure
) -> tuple[Rule | None, tuple[Rule, ...]]:  # fmt: skip
    """The line of the target, and those at which the opening minimum rises, as far as what they say can be read."""
    say, taken = words(chart.language), list[Box]()

    def written(rule: Rule) -> Rule | None:
        """The line with its text at the end where it has room; None where it has none."""
        for each, box in _either_end(rule, field, text, measure):
            if not any(map(box.meets, taken)) and not any(box.is_crossed(track.points) for track in tracks):
                taken.append(box)
                return each
        return None

    target = None
    if chart.target is not None:
        wanted = Rule(field.height(chart.target), say.text("share.chart.target", points=chart.target))
        target = written(wanted) or wanted
    rising = [(start, minimum) for start, minimum in chart.openings if 0 < start < field.high]
    openings = (
        written(Rule(field.height(start), say.text("share.chart.opening", points=minimum))) for start, minimum in rising
    )
    return target, tuple(filter(None, openings))


def _either_end(rule: Rule, field: _Field, text: float, measure: Measure) -> Iterator[tuple[Rule, Box]]:
    """The line with its text at its left end, and at its right one; and the room that the text takes."""
    wide, gap = measure(rule.text, text), text / 4
    for is_right, left in ((False, field.left + gap), (True, field.right - gap - wide)):
        yield Rule(rule.at, rule.text, is_right), Box(left, rule.at - text * ROW, left + wide, rule.at)
