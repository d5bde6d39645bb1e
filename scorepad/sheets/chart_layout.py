"""A chart of running totals laid out in a frame.

The texts around the plot are measured first, and the plot gets the remaining space. Units are those
of the frame; y grows downward. `templates/sheets/chart.svg` draws the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import NamedTuple

from scorepad.i18n import words as words_in
from scorepad.sheets.chart_boxes import Box, Point, spread_boxes
from scorepad.sheets.chart_data import SCREEN, Chart, Course, Frame
from scorepad.sheets.text_width import measure_width, shorten_names

ROW_HEIGHT = 1.2
"""The height of a row of text, in units of the text size."""
BOLD_WIDTH = 1.13
"""The width of bold text, in units of that of regular text."""
MOST_FOR_NAMES = 0.28
"""The greatest share of the width of the drawing for the names of the sides."""
GAP_BESIDE_PLOT = 4
"""The gap between the plot and the rows of text above and below it."""
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
        """The x coordinate of the middle of the plot."""
        return round((self.left + self.right) / 2, 1)

    def find_y(self, score: float) -> float:
        """Find the y coordinate of a score: that of the lower edge for the lowest score."""
        above_bottom = (score - self.low) * (self.bottom - self.top) / (self.high - self.low)
        return round(self.bottom - above_bottom, 1)

    def find_x(self, hand: int) -> float:
        """Find the x coordinate of a hand (round): that of the left edge for 0, the start."""
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

    def find_ends_of_line(self, y: float) -> tuple[float, float]:
        """Find the left and the right x coordinate of a horizontal line that is drawn at a height.

        Usually they are the edges of the plot. Where the text of a threshold (the target, say) is
        at that height, the line ends before the text.
        """
        left = self.plot.left
        right = self.plot.right
        thresholds = list(self.openings)
        if self.target is not None:
            thresholds.append(self.target)

        for threshold in thresholds:
            text = threshold.box
            is_through_text = text.top < y < text.bottom
            if is_through_text and threshold.is_right:
                right = text.left
            elif is_through_text:
                left = text.right
        return left, right


class _Label(NamedTuple):
    """The label of a side: its name, which may be shortened, and its total below it in bold."""

    name: str
    total: str
    width: float


def lay_out_chart(chart: Chart, frame: Frame = SCREEN) -> Plan:
    """Lay out a chart: compute where its lines and texts are in a frame of a given size.

    The texts beside the plot (the area of the lines) come first, because they leave the room for
    it. The target and the opening minimums come last, because their texts avoid the lines of the
    sides (`tracks`).
    """
    labels = _make_labels(chart, frame)
    scores = _choose_round_scores(chart, frame)
    width_of_labels = max(label.width for label in labels)
    plot = _make_plot(chart, frame, scores, width_of_labels)
    tracks = _make_tracks(chart, plot, labels, frame)
    target = _place_target(chart, plot, tracks, frame.text_size)
    openings = _place_openings(chart, plot, tracks, target=target, text_size=frame.text_size)
    return Plan(
        frame=frame,
        plot=plot,
        zero=plot.find_y(0),
        scores=_place_scores(chart, plot, scores),
        hands=_place_hand_numbers(chart, plot, frame.text_size),
        target=target,
        openings=openings,
        tracks=tracks,
    )


def _make_labels(chart: Chart, frame: Frame) -> list[_Label]:
    """Make the label of each side, which stands at the end of its line: its name and its total.

    Long names are shortened, so that the labels leave room for the lines.
    """
    words = words_in(chart.language)
    text_size = frame.text_size
    full_names = [course.name for course in chart.courses]
    names = shorten_names(full_names, frame.width * MOST_FOR_NAMES, text_size)
    labels = []
    for name, course in zip(names, chart.courses, strict=True):
        total = words.figure(course.totals[-1])
        width_of_name = measure_width(name, text_size)
        width_of_total = measure_width(total, text_size * BOLD_WIDTH)  # the total is in bold
        labels.append(_Label(name, total, max(width_of_name, width_of_total)))
    return labels


# ---------------------------------------------------------------- the plot and its axes


def _find_lowest_and_highest_score(chart: Chart) -> tuple[int, int]:
    """Find the scores at the lower and the upper edge of the plot: `(-250, 5000)`.

    All totals, zero and the target are between them. The two always differ, since the height of the
    plot is divided by their difference.
    """
    scores = [0]
    for course in chart.courses:
        scores += course.totals
    lowest = min(scores)
    if chart.target is not None:
        scores.append(chart.target)
    highest = max(scores)
    return lowest, max(highest, lowest + 1)


def _find_top_and_bottom(frame: Frame) -> tuple[float, float]:
    """Find the y coordinates of the upper and the lower edge of the plot.

    There is room for one row of text above it and for two rows below, with a gap.
    """
    row = frame.text_size * ROW_HEIGHT
    top = row + GAP_BESIDE_PLOT
    bottom = frame.height - 2 * row - GAP_BESIDE_PLOT
    return round(top, 1), round(bottom, 1)


def _choose_round_scores(chart: Chart, frame: Frame) -> list[int]:
    """Choose the round scores that are written beside the plot: `[0, 1000, 2000]`.

    There are as many as fit below each other.
    """
    low, high = _find_lowest_and_highest_score(chart)
    top, bottom = _find_top_and_bottom(frame)
    height_of_number = 2 * frame.text_size  # with the space below it
    most_numbers = max(1, floor((bottom - top) / height_of_number))
    step = _round_up_to_step((high - low) / most_numbers)
    lowest_multiple = ceil(low / step)
    highest_multiple = floor(high / step)
    return [multiple * step for multiple in range(lowest_multiple, highest_multiple + 1)]


def _make_plot(chart: Chart, frame: Frame, scores: Sequence[int], width_of_labels: float) -> Plot:
    """Make the plot (the area of the lines), as large as the texts around it allow.

    The `scores` are written on its left side, and the labels of the sides on its right side.
    """
    text_size = frame.text_size
    low, high = _find_lowest_and_highest_score(chart)
    top, bottom = _find_top_and_bottom(frame)
    words = words_in(chart.language)
    width_of_scores = max(measure_width(words.figure(score), text_size) for score in scores)
    return Plot(
        left=round(width_of_scores + text_size / 2, 1),
        right=round(frame.width - width_of_labels - text_size, 1),
        top=top,
        bottom=bottom,
        low=low,
        high=high,
        hands=chart.hands,
    )


def _place_scores(chart: Chart, plot: Plot, scores: Sequence[int]) -> tuple[Tick, ...]:
    """Place the round scores beside the plot, each at its height."""
    words = words_in(chart.language)
    return tuple(Tick(plot.find_y(score), words.figure(score)) for score in scores)


def _place_hand_numbers(chart: Chart, plot: Plot, text_size: float) -> tuple[Tick, ...]:
    """Place round numbers of hands (rounds) under the plot, as many as there is room for.

    5, 10, 15: they count from the start of the match. The chart may begin later. If 12 hands were
    played on paper before it, its third hand has the number 15.
    """
    words = words_in(chart.language)
    hands_on_paper = chart.before
    number_of_last_hand = hands_on_paper + plot.hands
    step = _choose_step_of_hand_numbers(number_of_last_hand, plot, text_size)
    ticks = []
    for number in range(hands_on_paper + 1, number_of_last_hand + 1):
        if number % step == 0:
            hand_of_chart = number - hands_on_paper
            ticks.append(Tick(plot.find_x(hand_of_chart), words.figure(number)))
    return tuple(ticks)


def _choose_step_of_hand_numbers(highest_number: int, plot: Plot, text_size: float) -> int:
    """Choose the step between the numbers of hands under the plot, so that they do not touch.

    5 if the numbers are 5, 10, 15. If the widest number, with a gap beside it, is as wide as 3.4
    hands of the chart, every fifth number is written.
    """
    width_of_number = measure_width(str(highest_number), text_size) + text_size / 2
    hands_as_wide_as_number = width_of_number * max(1, plot.hands) / (plot.right - plot.left)
    return _round_up_to_step(hands_as_wide_as_number)


def _round_up_to_step(least: float) -> int:
    """Round up to a number by which people like to count: 1, 2, 5, 10, 20, 50, 100, and so on.

    3.4 → 5, 700 → 1000.
    """
    power = 1
    while 5 * power < least:
        power *= 10
    for step in (power, 2 * power):
        if step >= least:
            return step
    return 5 * power


# ---------------------------------------------------------------- the lines of the sides


def _make_tracks(
    chart: Chart, plot: Plot, labels: Sequence[_Label], frame: Frame
) -> tuple[Track, ...]:
    """Make the line of each side, with markers and a label at its right end.

    Labels of lines that end close together are moved apart. A label that is then too far from its
    line gets a leader, a thin line to it.
    """
    lines = [_make_line(course, plot) for course in chart.courses]
    heights_of_labels = _place_labels(lines, frame)
    left_of_labels = round(plot.right + frame.text_size * LABEL_DISTANCE, 1)
    hands_between_markers = _choose_hands_between_markers(chart, plot, frame.text_size)
    tracks = []
    for line, label, height_of_label in zip(lines, labels, heights_of_labels, strict=True):
        track = Track(
            points=line,
            marked=_choose_marked_points(line, hands_between_markers),
            x=left_of_labels,
            y=height_of_label,
            name=label.name,
            total=label.total,
            has_leader=_is_far_from_end(height_of_label, line, frame.text_size),
        )
        tracks.append(track)
    return tuple(tracks)


def _is_far_from_end(y_of_label: float, line: Sequence[Point], text_size: float) -> bool:
    """Tell whether a label is so far from the end of its line that it needs a line to it."""
    _x, y_of_end = line[-1]
    return abs(y_of_label - y_of_end) > text_size * MOST_WITHOUT_LEADER


def _place_labels(lines: Sequence[tuple[Point, ...]], frame: Frame) -> list[float]:
    """Find the y coordinates for the middles of the labels, beside the ends of the lines.

    Labels have two rows of text, and must not overlap: those of two lines that end at 50 are moved
    apart.
    """
    row = frame.text_size * ROW_HEIGHT
    heights_of_ends = []
    for line in lines:
        _x, y_of_end = line[-1]
        heights_of_ends.append(y_of_end)
    return spread_boxes(heights_of_ends, height=2 * row, first=row, last=frame.height - row)


def _choose_hands_between_markers(chart: Chart, plot: Plot, text_size: float) -> int:
    """Choose how many hands (rounds) the markers of a line are apart, so that they do not touch.

    1 if the hands are wide enough. In a long match they are narrow: 3 means every third hand.
    """
    width_of_hand = (plot.right - plot.left) / max(1, chart.hands)
    least_distance = MARKER_DISTANCE * text_size
    return ceil(least_distance / width_of_hand)


def _make_line(course: Course, plot: Plot) -> tuple[Point, ...]:
    """Compute the points of a side's line: at the start of the match, and after each hand."""
    points = []
    for hand, total in enumerate(course.totals):
        points.append((plot.find_x(hand), plot.find_y(total)))
    return tuple(points)


def _choose_marked_points(line: tuple[Point, ...], every: int) -> tuple[Point, ...]:
    """Choose the points of a line that get a marker: the last, and every so many before it.

    The start of the match gets none, unless it is the only point. With `every` 2 and the points 0
    to 5 → 1, 3 and 5.
    """
    if len(line) == 1:
        return line
    index_of_last = len(line) - 1
    marked = []
    for index in range(1, len(line)):  # without the start of the match
        if (index_of_last - index) % every == 0:
            marked.append(line[index])
    return tuple(marked)


# ---------------------------------------------------------------- the target and the openings


def _place_target(
    chart: Chart, plot: Plot, tracks: Sequence[Track], text_size: float
) -> Threshold | None:
    """Place the horizontal line at the target, with its text "target 5,000"; None without a target.

    The text is at the left end of the line, or at the right end if only there it meets no line of a
    side. If it has no room at all, it is at the left end all the same.
    """
    if chart.target is None:
        return None
    message = words_in(chart.language).t("share.chart.target", points=chart.target)
    at_left, at_right = _make_thresholds_at_both_ends(chart.target, message, plot, text_size)
    if _is_text_readable(at_right, tracks) and not _is_text_readable(at_left, tracks):
        return at_right
    return at_left


def _place_openings(
    chart: Chart,
    plot: Plot,
    tracks: Sequence[Track],
    *,
    target: Threshold | None,
    text_size: float,
) -> tuple[Threshold, ...]:
    """Place horizontal lines at the scores from which a side needs more points to open.

    To open is to lay the first cards in a hand (round). Each line has a text such as "opening 90"
    at its left or right end. A line is left out if its text would meet another text or the line of
    a side.
    """
    words = words_in(chart.language)
    texts_to_avoid: list[Box] = []
    if target is not None and _is_text_readable(target, tracks):
        texts_to_avoid.append(target.box)

    openings = []
    for score, minimum in chart.openings:
        is_inside_plot = 0 < score < plot.high
        if not is_inside_plot:
            continue
        message = words.t("share.chart.opening", points=minimum)
        at_ends = _make_thresholds_at_both_ends(score, message, plot, text_size)
        threshold = _find_first_with_room(at_ends, texts_to_avoid, tracks)
        if threshold is not None:
            openings.append(threshold)
            texts_to_avoid.append(threshold.box)
    return tuple(openings)


def _is_text_readable(threshold: Threshold, tracks: Sequence[Track]) -> bool:
    """Tell whether the text at a horizontal line of the chart is crossed by no line of a side."""
    return _has_room(threshold.box, other_texts=[], tracks=tracks)


def _make_thresholds_at_both_ends(
    score: int, message: str, plot: Plot, text_size: float
) -> tuple[Threshold, Threshold]:
    """Make a horizontal line at a score in two ways: with its text at the left and the right end.

    The text stands on the line. The caller takes the one whose text has room.
    """
    at = plot.find_y(score)
    width = measure_width(message, text_size)
    top = at - text_size * ROW_HEIGHT
    left = plot.left + text_size / 4
    right = plot.right - text_size / 4 - width
    at_left = Threshold(at, message, is_right=False, box=Box(left, top, left + width, at))
    at_right = Threshold(at, message, is_right=True, box=Box(right, top, right + width, at))
    return at_left, at_right


def _find_first_with_room(
    thresholds: Sequence[Threshold], other_texts: Sequence[Box], tracks: Sequence[Track]
) -> Threshold | None:
    """Find the first of these thresholds whose text has room; None if none has."""
    for threshold in thresholds:
        if _has_room(threshold.box, other_texts, tracks):
            return threshold
    return None


def _has_room(box: Box, other_texts: Sequence[Box], tracks: Sequence[Track]) -> bool:
    """Tell whether a text in this box meets neither another text nor the line of a side."""
    overlaps_text = any(box.overlaps(other) for other in other_texts)
    is_on_line = any(box.is_crossed_by(track.points) for track in tracks)
    return not (overlaps_text or is_on_line)
