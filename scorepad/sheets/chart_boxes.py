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
    groups: list[_Group] = []
    for box in sorted(range(len(wanted)), key=lambda box: wanted[box]):
        groups.append(_Group([box], [wanted[box]], height, first, last))
        while len(groups) > 1 and groups[-2].overlaps(groups[-1]):
            lower = groups.pop()
            upper = groups.pop()
            groups.append(upper.joined_by(lower))

    placed = [0.0] * len(wanted)
    for group in groups:
        for row, box in enumerate(group.boxes):
            placed[box] = round(group.first_middle + row * height, 1)
    return placed


class _Group(NamedTuple):
    """Boxes that stand directly below each other, centred on the positions wanted for them.

    `boxes` are their numbers from above, `wanted` the positions; all middles are between `first` and
    `last`.
    """

    boxes: list[int]
    wanted: list[float]
    height: float
    first: float
    last: float

    @property
    def first_middle(self) -> float:
        """The y coordinate of the middle of the uppermost box."""
        extent = (len(self.boxes) - 1) * self.height  # from the first middle to the last one
        middle = sum(self.wanted) / len(self.wanted)
        return max(self.first, min(self.last - extent, middle - extent / 2))

    def overlaps(self, lower: _Group) -> bool:
        """Whether the group below begins before this one ends."""
        return lower.first_middle < self.first_middle + len(self.boxes) * self.height

    def joined_by(self, lower: _Group) -> _Group:
        """The boxes of this group and of the one below as one group."""
        return self._replace(boxes=self.boxes + lower.boxes, wanted=self.wanted + lower.wanted)
