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

    def meets(self, other: Box) -> bool:
        """Whether the two overlap; touching is no overlap."""
        beside = self.right <= other.left or other.right <= self.left
        above_or_below = self.bottom <= other.top or other.bottom <= self.top
        return not (beside or above_or_below)

    def is_crossed(self, line: Sequence[Point]) -> bool:
        """Whether a line that runs from left to right crosses it."""
        return any(self._is_crossed_between(start, end) for start, end in pairwise(line))

    def _is_crossed_between(self, start: Point, end: Point) -> bool:
        """Whether the straight line from `start` to `end`, further right, crosses the rectangle."""
        start_x, start_y = start
        end_x, end_y = end
        left = max(self.left, start_x)
        right = min(self.right, end_x)
        if left > right or start_x == end_x:
            return False
        # The line is above or below the rectangle if it is so at both of its edges.
        slope = (end_y - start_y) / (end_x - start_x)
        y_at_left = start_y + slope * (left - start_x)
        y_at_right = start_y + slope * (right - start_x)
        is_above = max(y_at_left, y_at_right) <= self.top
        is_below = min(y_at_left, y_at_right) >= self.bottom
        return not (is_above or is_below)


def spread(wanted: Sequence[float], height: float, first: float, last: float) -> list[float]:
    """Where to put boxes of this height, one below the other, so that none overlap.

    `wanted` are the y coordinates that the middles of the boxes should have; the answer has the ones
    that they get, in the same order, as near as possible, between `first` and `last`: with boxes 10
    high, `[50, 52]` → `[46, 56]`.
    """
    column = _Column(height, first, last)
    placed = [0.0] * len(wanted)
    for group in _groups_without_overlap(wanted, column):
        middle_of_first_box = column.middle_of_first_box(group)
        for row, index in enumerate(group.indices):
            placed[index] = round(middle_of_first_box + row * height, 1)
    return placed


def _groups_without_overlap(wanted: Sequence[float], column: _Column) -> list[_Group]:
    """The boxes in groups, from the uppermost; boxes that would overlap are in one group.

    `wanted` are the y coordinates that the middles of the boxes should have.
    """
    from_above = sorted(range(len(wanted)), key=lambda index: wanted[index])
    groups: list[_Group] = []
    for index in from_above:
        group = _Group(indices=[index], wanted=[wanted[index]])
        # A group of two that would overlap reaches further up, perhaps into the next one above.
        while groups and column.overlap(groups[-1], group):
            group_above = groups.pop()
            group = group_above.joined_with(group)
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
        return _Group(self.indices + group_below.indices, self.wanted + group_below.wanted)


class _Column(NamedTuple):
    """The place for boxes one below the other: the height of each, and the range of their middles."""

    height: float
    first: float
    last: float

    def middle_of_first_box(self, group: _Group) -> float:
        """The y coordinate of the middle of the uppermost box of a group.

        The middle of the whole group is the average of the positions wanted for its boxes, unless
        the group would then begin above the column or end below it.
        """
        middle_of_group = sum(group.wanted) / len(group.wanted)
        from_first_to_last = (len(group.indices) - 1) * self.height
        middle = middle_of_group - from_first_to_last / 2
        middle = min(middle, self.last - from_first_to_last)  # the last box is not too low
        return max(middle, self.first)  # the first box is not too high

    def overlap(self, upper: _Group, lower: _Group) -> bool:
        """Whether the lower of two groups of boxes begins before the upper one ends.

        The middles of boxes are compared: that of the first box of the lower group, and that of a
        box which would stand directly below the upper group.
        """
        boxes_in_upper = len(upper.indices)
        middle_below_upper = self.middle_of_first_box(upper) + boxes_in_upper * self.height
        return self.middle_of_first_box(lower) < middle_below_upper
