"""A chart of running totals laid out in a frame.

The texts around the plot are measured first, and the plot gets the remaining space. Units are those
of the frame; y grows downward. `templates/sheets/chart.svg` draws the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import NamedTuple

from scorepad.i18n import words as words_in
from scorepad.sheets.chart_boxes import Box, Point, spread
from scorepad.sheets.chart_data import SCREEN, Chart, Frame
from scorepad.sheets.text_width import labels_of, width_of

ROW = 1.2
"""Height of a row of text, in units of the text size."""
BOLD = 1.13
"""The width of bold text relative to regular."""
LABELS = 0.28
"""The greatest share of the width for labels."""
MARKER_DISTANCE = 0.7
"""The least distance between markers of a line, in units of the text size."""
LABEL_DISTANCE = 0.8
"""The distance between a line's end and its label, in units of the text size."""
NEAR = 0.5
"""The greatest offset of a label from its line without a leader, in units of the text size."""


class Tick(NamedTuple):
    """A number on an axis, and its x or y coordinate."""

    at: float
    text: str


class Threshold(NamedTuple):
    """A line across the plot at a score: its y coordinate, and its text with the box that it takes
    at the left or right end.
    """

    at: float
    text: str
    is_right: bool
    box: Box


class Track(NamedTuple):
    """A side's line: all its points, those with a marker, and the label at its end.

    The label has two rows of text around `y`, with a leader from the line's end if it is off.
    """

    points: tuple[Point, ...]
    marked: tuple[Point, ...]
    x: float
    y: float
    name: str
    total: str
    is_off: bool


class Plot(NamedTuple):
    """The plot: its edges, the scores at the lower and the upper edge, and its width in hands."""

    left: float
    right: float
    top: float
    bottom: float
    low: int
    high: int
    hands: int

    def height(self, score: float) -> float:
        """The y coordinate of a score."""
        above_bottom = (score - self.low) * (self.bottom - self.top) / (self.high - self.low)
        return round(self.bottom - above_bottom, 1)

    def across(self, hand: int) -> float:
        """The x coordinate of a hand; 0 is the start of the match."""
        return round(self.left + hand * (self.right - self.left) / max(1, self.hands), 1)


class Plan(NamedTuple):
    """A chart laid out in a frame; `zero` is the line at score 0."""

    frame: Frame
    plot: Plot
    zero: float
    scores: tuple[Tick, ...]
    hands: tuple[Tick, ...]
    target: Threshold | None
    openings: tuple[Threshold, ...]
    tracks: tuple[Track, ...]

    def extent(self, at: float) -> Point:
        """The left and right end of a horizontal line at this y coordinate: it stops at the texts
        of thresholds.
        """
        left, right = self.plot.left, self.plot.right
        thresholds = [*self.openings, self.target] if self.target else self.openings
        for threshold in thresholds:
            if not threshold.box.top < at < threshold.box.bottom:
                continue
            if threshold.is_right:
                right = threshold.box.left
            else:
                left = threshold.box.right
        return left, right


def plan_of(chart: Chart, frame: Frame = SCREEN) -> Plan:
    """The chart laid out in a frame."""
    words = words_in(chart.language)
    names = labels_of([course.name for course in chart.courses], frame.width * LABELS, frame.text)
    totals = [words.figure(course.totals[-1]) for course in chart.courses]
    label_widths = [width_of(name, frame.text) for name in names]
    label_widths += [width_of(total, frame.text * BOLD) for total in totals]
    scores = _round_scores(chart, frame)
    plot = _plot(chart, frame, scores, max(label_widths))
    tracks = _tracks(chart, plot, names, totals, frame)
    thresholds = _thresholds(chart, plot, tracks, frame.text)
    return Plan(
        frame=frame,
        plot=plot,
        zero=plot.height(0),
        scores=tuple(Tick(plot.height(score), words.figure(score)) for score in scores),
        hands=_hand_ticks(chart, plot, frame.text),
        target=thresholds.target,
        openings=thresholds.openings,
        tracks=tracks,
    )


# ---------------------------------------------------------------- the plot and its axes


def _lowest_and_highest(chart: Chart) -> tuple[int, int]:
    """The scores at the lower and the upper edge: all totals, zero and the target are between."""
    scores = [0]
    for course in chart.courses:
        scores += course.totals
    low = min(scores)
    if chart.target is not None:
        scores.append(chart.target)
    return low, max(*scores, low + 1)


def _top_and_bottom(frame: Frame) -> tuple[float, float]:
    """The y coordinates of the edges of the plot: a row of text fits above it, two below."""
    row = frame.text * ROW
    return round(row + 4, 1), round(frame.height - 2 * row - 4, 1)


def _round_scores(chart: Chart, frame: Frame) -> list[int]:
    """The round scores written beside the plot."""
    low, high = _lowest_and_highest(chart)
    top, bottom = _top_and_bottom(frame)
    most_numbers = max(1, floor((bottom - top) / (2 * frame.text)))
    step = _round_step((high - low) / most_numbers)
    return [number * step for number in range(ceil(low / step), floor(high / step) + 1)]


def _plot(chart: Chart, frame: Frame, scores: Sequence[int], label_width: float) -> Plot:
    """The plot, as large as the texts around it allow."""
    text = frame.text
    low, high = _lowest_and_highest(chart)
    top, bottom = _top_and_bottom(frame)
    words = words_in(chart.language)
    left = max(width_of(words.figure(score), text) for score in scores) + text / 2
    right = frame.width - label_width - text
    return Plot(round(left, 1), round(right, 1), top, bottom, low, high, chart.hands)


def _hand_ticks(chart: Chart, plot: Plot, text: float) -> tuple[Tick, ...]:
    """The round numbers of hands written under the plot; earlier hands are counted."""
    words = words_in(chart.language)
    last = chart.before + plot.hands
    width = width_of(str(last), text) + text / 2
    step = _round_step(width * max(1, plot.hands) / (plot.right - plot.left))
    first = (chart.before // step + 1) * step
    ticks = []
    for number in range(first, last + 1, step):
        ticks.append(Tick(plot.across(number - chart.before), words.figure(number)))
    return tuple(ticks)


def _round_step(least: float) -> int:
    """The smallest 1, 2 or 5 times a power of ten that is not less than `least`."""
    power = 1
    while 5 * power < least:
        power *= 10
    for step in (power, 2 * power):
        if step >= least:
            return step
    return 5 * power


# ---------------------------------------------------------------- the lines of the sides


def _tracks(
    chart: Chart, plot: Plot, names: Sequence[str], totals: Sequence[str], frame: Frame
) -> tuple[Track, ...]:
    """The lines of the sides, each with its name and its total at the end."""
    lines = []
    for course in chart.courses:
        scores = enumerate(course.totals)
        lines.append(tuple((plot.across(hand), plot.height(score)) for hand, score in scores))

    row = frame.text * ROW
    ends = [line[-1][1] for line in lines]
    label_heights = spread(ends, 2 * row, row, frame.height - row)
    label_left = round(plot.right + frame.text * LABEL_DISTANCE, 1)
    hand_width = (plot.right - plot.left) / max(1, chart.hands)
    every = ceil(MARKER_DISTANCE * frame.text / hand_width)
    tracks = []
    for side, line in enumerate(lines):
        tracks.append(
            Track(
                points=line,
                marked=_marked_points(line, every),
                x=label_left,
                y=label_heights[side],
                name=names[side],
                total=totals[side],
                is_off=abs(label_heights[side] - ends[side]) > frame.text * NEAR,
            )
        )
    return tuple(tracks)


def _marked_points(line: tuple[Point, ...], every: int) -> tuple[Point, ...]:
    """The points with a marker: the last one and every few before it, but not the start of the
    match unless it is the only one.
    """
    from_the_last = line[:0:-every]
    return from_the_last[::-1] or line


# ---------------------------------------------------------------- the target and the openings


class _Thresholds(NamedTuple):
    """The line of the target, and those at which the opening minimum rises."""

    target: Threshold | None
    openings: tuple[Threshold, ...]


def _thresholds(chart: Chart, plot: Plot, tracks: Sequence[Track], text: float) -> _Thresholds:
    """The lines across the plot; those of openings only where their texts are legible."""
    words = words_in(chart.language)
    taken: list[Box] = []
    target: Threshold | None = None
    if chart.target is not None:
        message = words.t("share.chart.target", points=chart.target)
        at_ends = _thresholds_at_ends(chart.target, message, plot, text)
        target = _threshold_with_room(at_ends, taken, tracks)
        if target is None:
            target = at_ends[0]
        else:
            taken.append(target.box)

    openings = []
    for score, minimum in chart.openings:
        if not 0 < score < plot.high:
            continue
        message = words.t("share.chart.opening", points=minimum)
        at_ends = _thresholds_at_ends(score, message, plot, text)
        threshold = _threshold_with_room(at_ends, taken, tracks)
        if threshold:
            taken.append(threshold.box)
            openings.append(threshold)
    return _Thresholds(target, tuple(openings))


def _thresholds_at_ends(
    score: int, message: str, plot: Plot, text: float
) -> tuple[Threshold, Threshold]:
    """The line at this score with its text at the left end, and at the right one."""
    at = plot.height(score)
    width = width_of(message, text)
    top = at - text * ROW
    left = plot.left + text / 4
    right = plot.right - text / 4 - width
    at_left = Threshold(at, message, is_right=False, box=Box(left, top, left + width, at))
    at_right = Threshold(at, message, is_right=True, box=Box(right, top, right + width, at))
    return at_left, at_right


def _threshold_with_room(
    thresholds: Sequence[Threshold], taken: Sequence[Box], tracks: Sequence[Track]
) -> Threshold | None:
    """The first of these thresholds whose text meets neither another text nor the line of a side."""
    for threshold in thresholds:
        meets_text = any(threshold.box.meets(other) for other in taken)
        meets_line = any(threshold.box.is_crossed(track.points) for track in tracks)
        if not (meets_text or meets_line):
            return threshold
    return None
