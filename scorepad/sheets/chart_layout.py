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

ROW_HEIGHT = 1.2
"""The height of a row of text, in units of the text size."""
BOLD_WIDTH = 1.13
"""The width of bold text, in units of that of regular text."""
MOST_FOR_NAMES = 0.28
"""The greatest share of the width of the drawing for the names of the sides."""
MARKER_DISTANCE = 0.7
"""The least distance between markers of a line, in units of the text size."""
LABEL_DISTANCE = 0.8
"""The distance between a line's end and its label, in units of the text size."""
MOST_WITHOUT_LEADER = 0.5
"""How far above or below the end of its line a label may be without a leader, in units of the text
size.
"""


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

    The label has two rows of text around `y`, and a leader (a thin line) from the end of the side's
    line if it is too far from it.
    """

    points: tuple[Point, ...]
    marked: tuple[Point, ...]
    x: float
    y: float
    name: str
    total: str
    has_leader: bool


class Plot(NamedTuple):
    """The plot: its edges, the scores at the lower and the upper edge, and its width in hands."""

    left: float
    right: float
    top: float
    bottom: float
    low: int
    high: int
    hands: int

    @property
    def middle(self) -> float:
        """The x coordinate of its middle."""
        return round((self.left + self.right) / 2, 1)

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


class _Label(NamedTuple):
    """The label of a side: its name, which may be shortened, and its total below it in bold."""

    name: str
    total: str
    width: float


def plan_of(chart: Chart, frame: Frame = SCREEN) -> Plan:
    """The chart laid out in a frame.

    The texts beside the plot determine its size; then come the lines of the sides, and at last the
    target and the openings, whose texts avoid those lines.
    """
    labels = _labels(chart, frame)
    scores = _round_scores(chart, frame)
    plot = _plot(chart, frame, scores, label_width=max(label.width for label in labels))
    tracks = _tracks(chart, plot, labels, frame)
    target = _target_threshold(chart, plot, tracks, frame.text_size)
    openings = _opening_thresholds(chart, plot, tracks, target=target, text_size=frame.text_size)
    return Plan(
        frame=frame,
        plot=plot,
        zero=plot.height(0),
        scores=_score_ticks(chart, plot, scores),
        hands=_hand_ticks(chart, plot, frame.text_size),
        target=target,
        openings=openings,
        tracks=tracks,
    )


def _labels(chart: Chart, frame: Frame) -> list[_Label]:
    """The labels of the sides; long names are shortened."""
    words = words_in(chart.language)
    text_size = frame.text_size
    full_names = [course.name for course in chart.courses]
    names = labels_of(full_names, frame.width * MOST_FOR_NAMES, text_size)
    labels = []
    for name, course in zip(names, chart.courses, strict=True):
        total = words.figure(course.totals[-1])
        width = max(width_of(name, text_size), width_of(total, text_size * BOLD_WIDTH))
        labels.append(_Label(name, total, width))
    return labels


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
    row = frame.text_size * ROW_HEIGHT
    return round(row + 4, 1), round(frame.height - 2 * row - 4, 1)


def _round_scores(chart: Chart, frame: Frame) -> list[int]:
    """The round scores written beside the plot: `[0, 1000, 2000]`."""
    low, high = _lowest_and_highest(chart)
    top, bottom = _top_and_bottom(frame)
    most_numbers = max(1, floor((bottom - top) / (2 * frame.text_size)))
    step = _round_step((high - low) / most_numbers)
    lowest_multiple = ceil(low / step)
    highest_multiple = floor(high / step)
    return [multiple * step for multiple in range(lowest_multiple, highest_multiple + 1)]


def _plot(chart: Chart, frame: Frame, scores: Sequence[int], label_width: float) -> Plot:
    """The plot, as large as the texts around it allow: the scores on the left, and the labels of the
    sides, `label_width` wide, on the right.
    """
    text_size = frame.text_size
    low, high = _lowest_and_highest(chart)
    top, bottom = _top_and_bottom(frame)
    words = words_in(chart.language)
    width_of_scores = max(width_of(words.figure(score), text_size) for score in scores)
    return Plot(
        left=round(width_of_scores + text_size / 2, 1),
        right=round(frame.width - label_width - text_size, 1),
        top=top,
        bottom=bottom,
        low=low,
        high=high,
        hands=chart.hands,
    )


def _score_ticks(chart: Chart, plot: Plot, scores: Sequence[int]) -> tuple[Tick, ...]:
    """The scores written beside the plot, each at its height."""
    words = words_in(chart.language)
    return tuple(Tick(plot.height(score), words.figure(score)) for score in scores)


def _hand_ticks(chart: Chart, plot: Plot, text_size: float) -> tuple[Tick, ...]:
    """The round numbers of hands written under the plot, as many as there is room for: 5, 10, 15.

    They count the hands from the start of the match. The chart may begin later: with 12 hands
    before it, its third hand is number 15.
    """
    words = words_in(chart.language)
    number_of_last_hand = chart.before + plot.hands
    step = _step_of_hand_numbers(number_of_last_hand, plot, text_size)
    first_number = (chart.before // step + 1) * step  # the first multiple after the hands before
    ticks = []
    for number in range(first_number, number_of_last_hand + 1, step):
        hand_of_chart = number - chart.before
        ticks.append(Tick(plot.across(hand_of_chart), words.figure(number)))
    return tuple(ticks)


def _step_of_hand_numbers(highest_number: int, plot: Plot, text_size: float) -> int:
    """The step between the numbers of hands under the plot, at which they do not touch.

    It is 1, 2, 5, 10 or another round number.
    """
    width_of_number = width_of(str(highest_number), text_size) + text_size / 2
    hands_as_wide_as_number = width_of_number * max(1, plot.hands) / (plot.right - plot.left)
    return _round_step(hands_as_wide_as_number)


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


def _tracks(chart: Chart, plot: Plot, labels: Sequence[_Label], frame: Frame) -> tuple[Track, ...]:
    """The lines of the sides, each with its label (name and total) at the right end."""
    lines = [_line_of_course(course, plot) for course in chart.courses]
    heights_of_labels = _heights_of_labels(lines, frame)
    left_of_labels = round(plot.right + frame.text_size * LABEL_DISTANCE, 1)
    hands_between_markers = _hands_between_markers(chart, plot, frame.text_size)
    tracks = []
    for line, label, height_of_label in zip(lines, labels, heights_of_labels, strict=True):
        track = Track(
            points=line,
            marked=_marked_points(line, hands_between_markers),
            x=left_of_labels,
            y=height_of_label,
            name=label.name,
            total=label.total,
            has_leader=_is_far_from_end(height_of_label, line, frame.text_size),
        )
        tracks.append(track)
    return tuple(tracks)


def _is_far_from_end(height: float, line: Sequence[Point], text_size: float) -> bool:
    """Whether a label at this height is so far from the end of its line that it needs a leader."""
    _x, height_of_end = line[-1]
    return abs(height - height_of_end) > text_size * MOST_WITHOUT_LEADER


def _heights_of_labels(lines: Sequence[tuple[Point, ...]], frame: Frame) -> list[float]:
    """The y coordinates of the middles of the labels: beside the ends of the lines, without overlap.

    A label has two rows of text.
    """
    row = frame.text_size * ROW_HEIGHT
    heights_of_ends = [line[-1][1] for line in lines]
    return spread(heights_of_ends, height=2 * row, first=row, last=frame.height - row)


def _hands_between_markers(chart: Chart, plot: Plot, text_size: float) -> int:
    """How many hands apart the markers of a line are: 1, or more where hands are too narrow."""
    width_of_hand = (plot.right - plot.left) / max(1, chart.hands)
    return ceil(MARKER_DISTANCE * text_size / width_of_hand)


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


def _target_threshold(
    chart: Chart, plot: Plot, tracks: Sequence[Track], text_size: float
) -> Threshold | None:
    """The line at the target, with its text where there is room; None if there is no target.

    The target is drawn in any case: without room, its text is at the left end.
    """
    if chart.target is None:
        return None
    message = words_in(chart.language).t("share.chart.target", points=chart.target)
    at_left, at_right = _thresholds_at_ends(chart.target, message, plot, text_size)
    with_room = _first_with_room((at_left, at_right), [], tracks)
    return at_left if with_room is None else with_room


def _opening_thresholds(
    chart: Chart,
    plot: Plot,
    tracks: Sequence[Track],
    *,
    target: Threshold | None,
    text_size: float,
) -> tuple[Threshold, ...]:
    """The lines where the minimum of an opening (what a side lays first in a hand) rises.

    Those for whose text there is no room are left out.
    """
    words = words_in(chart.language)
    texts_to_avoid = _legible_text_of_target(target, tracks)
    openings = []
    for score, minimum in chart.openings:
        is_inside_plot = 0 < score < plot.high
        if not is_inside_plot:
            continue
        message = words.t("share.chart.opening", points=minimum)
        at_ends = _thresholds_at_ends(score, message, plot, text_size)
        threshold = _first_with_room(at_ends, texts_to_avoid, tracks)
        if threshold is not None:
            openings.append(threshold)
            texts_to_avoid.append(threshold.box)
    return tuple(openings)


def _legible_text_of_target(target: Threshold | None, tracks: Sequence[Track]) -> list[Box]:
    """The box of the text at the target, as a list of one.

    It is empty without a target, and if the line of a side runs through the text: then another text
    may be there, too.
    """
    if target is None or not _has_room(target.box, [], tracks):
        return []
    return [target.box]


def _thresholds_at_ends(
    score: int, message: str, plot: Plot, text_size: float
) -> tuple[Threshold, Threshold]:
    """The line at this score in two ways: with its text at the left end, and at the right one."""
    at = plot.height(score)
    width = width_of(message, text_size)
    top = at - text_size * ROW_HEIGHT
    left = plot.left + text_size / 4
    right = plot.right - text_size / 4 - width
    at_left = Threshold(at, message, is_right=False, box=Box(left, top, left + width, at))
    at_right = Threshold(at, message, is_right=True, box=Box(right, top, right + width, at))
    return at_left, at_right


def _first_with_room(
    thresholds: Sequence[Threshold], other_texts: Sequence[Box], tracks: Sequence[Track]
) -> Threshold | None:
    """The first of these thresholds whose text has room; None if none has."""
    for threshold in thresholds:
        if _has_room(threshold.box, other_texts, tracks):
            return threshold
    return None


def _has_room(box: Box, other_texts: Sequence[Box], tracks: Sequence[Track]) -> bool:
    """Whether a text in this box meets neither another text nor the line of a side."""
    meets_text = any(box.meets(other) for other in other_texts)
    meets_line = any(box.is_crossed(track.points) for track in tracks)
    return not (meets_text or meets_line)
