"""Texts of a chart placed without overlap. y grows downward."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle of the drawing: its edges."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        """Tell whether two rectangles overlap. If they only touch, they do not."""
        is_beside = self.right <= other.left or other.right <= self.left
        is_above_or_below = self.bottom <= other.top or other.bottom <= self.top
        return not (is_beside or is_above_or_below)

    def is_crossed_by(self, line: Sequence[Point]) -> bool:
        """Tell whether a line crosses the rectangle.

        The line is given by its points, from left to right.
        """
        return any(self._is_crossed_between(start, end) for start, end in pairwise(line))

    def _is_crossed_between(self, start: Point, end: Point) -> bool:
        """Tell whether the straight line between two points, from left to right, crosses it."""
        start_x, start_y = start
        end_x, end_y = end
        # Only the part of the line between the left and the right edge of the rectangle matters.
        left = max(self.left, start_x)
        right = min(self.right, end_x)
        if left > right or start_x == end_x:
            return False  # there is none: the line ends before the rectangle, or begins after it

        # If both ends of that part are above the rectangle, so is the whole part.
        slope = (end_y - start_y) / (end_x - start_x)
        y_at_left = start_y + slope * (left - start_x)
        y_at_right = start_y + slope * (right - start_x)
        is_above = max(y_at_left, y_at_right) <= self.top
        is_below = min(y_at_left, y_at_right) >= self.bottom
        return not (is_above or is_below)


def spread_boxes(wanted: Sequence[float], height: float, first: float, last: float) -> list[float]:
    """Move boxes of equal height up or down, so that none overlaps another.

    `wanted` are the y coordinates where the middles of the boxes should be. The result has the
    nearest ones that are possible, in the same order: with boxes 10 high, `[50, 52]` → `[46, 56]`.
    No middle is above `first` or below `last`.
    """
    column = _Column(height, first, last)
    middles_by_index = {}
    for group in _group_overlapping_boxes(wanted, column):
        middle_of_first_box = column.find_middle_of_first_box(group)
        for row, index in enumerate(group.indices):  # one below the other
            middles_by_index[index] = round(middle_of_first_box + row * height, 1)
    return [middles_by_index[index] for index in range(len(wanted))]


def _group_overlapping_boxes(wanted: Sequence[float], column: _Column) -> list[_Group]:
    """Group the boxes that would overlap, so that each group can be moved as a whole.

    `wanted` are the y coordinates where the middles of the boxes should be. With boxes 10 high,
    `[90, 50, 52]` → two groups, from above: the boxes with the indices 1 and 2, and the box 0.
    """
    indices_from_above = sorted(range(len(wanted)), key=lambda index: wanted[index])
    groups: list[_Group] = []
    for index in indices_from_above:
        group = _Group(indices=[index], wanted=[wanted[index]])  # of this box alone
        # A joined group needs more room, also upwards: it may overlap the next one above, too.
        while groups and column.do_groups_overlap(groups[-1], group):
            group = groups.pop().joined_with(group)
        groups.append(group)
    return groups


class _Group(NamedTuple):
    """Boxes that stand directly below each other, the uppermost first.

    `indices` are their positions in the list of all boxes, `wanted` the y coordinates that their
    middles should have.
    """

    indices: list[int]
    wanted: list[float]

    def joined_with(self, group_below: _Group) -> _Group:
        """Return a group of the boxes of this group, followed by those of the one below."""
        return _Group(self.indices + group_below.indices, self.wanted + group_below.wanted)


class _Column(NamedTuple):
    """The place for boxes of equal height, one below the other.

    No middle of a box may be above `highest_middle` or below `lowest_middle`; y grows downward.
    """

    height: float
    highest_middle: float
    lowest_middle: float

    def find_middle_of_first_box(self, group: _Group) -> float:
        """Find the y coordinate for the middle of the uppermost box of a group.

        The group is put where its boxes want to be on average: with boxes 10 high, a group of two
        that want to be at 50 and 52 has its own middle at 51, and its first box at 46. A group that
        would begin above the column or end below it is moved inside.
        """
        middle_of_group = sum(group.wanted) / len(group.wanted)
        from_first_to_last = (len(group.indices) - 1) * self.height
        middle = middle_of_group - from_first_to_last / 2
        middle = min(middle, self.lowest_middle - from_first_to_last)  # the last box is inside
        return max(middle, self.highest_middle)  # the first box is inside

    def do_groups_overlap(self, upper: _Group, lower: _Group) -> bool:
        """Tell whether the lower of two groups of boxes begins before the upper one ends."""
        distance_needed = len(upper.indices) * self.height  # the upper boxes must fit in between
        middle_in_upper = self.find_middle_of_first_box(upper)
        middle_in_lower = self.find_middle_of_first_box(lower)
        return middle_in_lower < middle_in_upper + distance_needed
