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
from scorepad.sheets.chart_data import SCREEN, Chart, Course, Frame
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
        """The x coordinates between which a horizontal line is drawn at this y coordinate: from edge
        to edge of the plot, but not through the text of a threshold.
        """
        left = self.plot.left
        right = self.plot.right
        thresholds = list(self.openings)
        if self.target is not None:
            thresholds.append(self.target)
        for threshold in thresholds:
            is_through_text = threshold.box.top < at < threshold.box.bottom
            if is_through_text and threshold.is_right:
                right = threshold.box.left
            elif is_through_text:
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
    """The scores at the lower and the upper edge: all totals, zero and the target are between.

    The two always differ, even if every total is 0.
    """
    scores = [0]
    for course in chart.courses:
        scores += course.totals
    lowest = min(scores)
    if chart.target is not None:
        scores.append(chart.target)
    highest = max(scores)
    return lowest, max(highest, lowest + 1)


def _top_and_bottom(frame: Frame) -> tuple[float, float]:
    """The y coordinates of the edges of the plot: a row of text fits above it, two below."""
    row = frame.text * ROW
    return round(row + 4, 1), round(frame.height - 2 * row - 4, 1)


def _round_scores(chart: Chart, frame: Frame) -> list[int]:
    """The round scores written beside the plot: `[0, 1000, 2000]`."""
    low, high = _lowest_and_highest(chart)
    top, bottom = _top_and_bottom(frame)
    most_numbers = max(1, floor((bottom - top) / (2 * frame.text)))
    step = _round_step((high - low) / most_numbers)
    lowest_multiple = ceil(low / step)
    highest_multiple = floor(high / step)
    return [multiple * step for multiple in range(lowest_multiple, highest_multiple + 1)]


def _plot(chart: Chart, frame: Frame, scores: Sequence[int], label_width: float) -> Plot:
    """The plot, as large as the texts around it allow: the scores on the left, and the labels of the
    sides, `label_width` wide, on the right.
    """
    text = frame.text
    low, high = _lowest_and_highest(chart)
    top, bottom = _top_and_bottom(frame)
    words = words_in(chart.language)
    width_of_scores = max(width_of(words.figure(score), text) for score in scores)
    return Plot(
        left=round(width_of_scores + text / 2, 1),
        right=round(frame.width - label_width - text, 1),
        top=top,
        bottom=bottom,
        low=low,
        high=high,
        hands=chart.hands,
    )


def _hand_ticks(chart: Chart, plot: Plot, text: float) -> tuple[Tick, ...]:
    """The round numbers of hands written under the plot: 5, 10, 15. Hands played before those of the
    chart are counted.
    """
    words = words_in(chart.language)
    last_hand = chart.before + plot.hands
    width_of_number = width_of(str(last_hand), text) + text / 2
    least_step = width_of_number * max(1, plot.hands) / (plot.right - plot.left)
    step = _round_step(least_step)
    first_number = (chart.before // step + 1) * step
    ticks = []
    for number in range(first_number, last_hand + 1, step):
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
    lines = [_line_of_course(course, plot) for course in chart.courses]
    end_heights = [line[-1][1] for line in lines]
    row = frame.text * ROW
    label_heights = spread(end_heights, height=2 * row, first=row, last=frame.height - row)
    label_left = round(plot.right + frame.text * LABEL_DISTANCE, 1)

    hand_width = (plot.right - plot.left) / max(1, chart.hands)
    hands_between_markers = ceil(MARKER_DISTANCE * frame.text / hand_width)
    tracks = []
    for side, line in enumerate(lines):
        distance_of_label = abs(label_heights[side] - end_heights[side])
        track = Track(
            points=line,
            marked=_marked_points(line, hands_between_markers),
            x=label_left,
            y=label_heights[side],
            name=names[side],
            total=totals[side],
            is_off=distance_of_label > frame.text * NEAR,
        )
        tracks.append(track)
    return tuple(tracks)


def _line_of_course(course: Course, plot: Plot) -> tuple[Point, ...]:
    """The points of a side's line: its total at the start of the match, then after each hand."""
    points = []
    for hand, total in enumerate(course.totals):
        points.append((plot.across(hand), plot.height(total)))
    return tuple(points)


def _marked_points(line: tuple[Point, ...], every: int) -> tuple[Point, ...]:
    """The points of a line that get a marker: the last, and every so many before it.

    The start of the match gets none, unless it is the only point.
    """
    if len(line) == 1:
        return line
    marked = [line[index] for index in range(len(line) - 1, 0, -every)]
    marked.reverse()
    return tuple(marked)


# ---------------------------------------------------------------- the target and the openings


class _Thresholds(NamedTuple):
    """The line of the target, and those at which the opening minimum rises."""

    target: Threshold | None
    openings: tuple[Threshold, ...]


def _thresholds(chart: Chart, plot: Plot, tracks: Sequence[Track], text: float) -> _Thresholds:
    """The lines across the plot: at the target, and where the minimum of an opening (what a side lays
    first in a hand) rises. Those of openings are drawn only if their texts are legible.
    """
    words = words_in(chart.language)
    taken: list[Box] = []  # where texts stand already
    target: Threshold | None = None
    if chart.target is not None:
        message = words.t("share.chart.target", points=chart.target)
        at_ends = _thresholds_at_ends(chart.target, message, plot, text)
        target = _threshold_with_room(at_ends, taken, tracks)
        if target is None:  # it is drawn all the same
            target = at_ends[0]
        else:
            taken.append(target.box)

    openings = []
    for score, minimum in chart.openings:
        is_inside_plot = 0 < score < plot.high
        if not is_inside_plot:
            continue
        message = words.t("share.chart.opening", points=minimum)
        at_ends = _thresholds_at_ends(score, message, plot, text)
        threshold = _threshold_with_room(at_ends, taken, tracks)
        if threshold is not None:
            taken.append(threshold.box)
            openings.append(threshold)
    return _Thresholds(target, tuple(openings))


def _thresholds_at_ends(
    score: int, message: str, plot: Plot, text: float
) -> tuple[Threshold, Threshold]:
    """The line at this score in two ways: with its text at the left end, and at the right one."""
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
