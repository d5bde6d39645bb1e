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
        """Whether the two overlap."""
        beside = self.right <= other.left or other.right <= self.left
        above_or_below = self.bottom <= other.top or other.bottom <= self.top
        return not (beside or above_or_below)

    def is_crossed(self, line: Sequence[Point]) -> bool:
        """Whether a line that runs from left to right crosses it."""
        return any(self._is_crossed_between(start, end) for start, end in pairwise(line))

    def _is_crossed_between(self, start: Point, end: Point) -> bool:
        left = max(self.left, start[0])
        right = min(self.right, end[0])
        if left > right or start[0] == end[0]:
            return False
        slope = (end[1] - start[1]) / (end[0] - start[0])
        y_at_left = start[1] + slope * (left - start[0])
        y_at_right = start[1] + slope * (right - start[0])
        return min(y_at_left, y_at_right) < self.bottom and max(y_at_left, y_at_right) > self.top


def spread(wanted: Sequence[float], height: float, first: float, last: float) -> list[float]:
    """Positions for boxes of this height, each as near as possible to the one wanted, without
    overlap.

    The middle of each is between `first` and `last`, in the order of `wanted`. Boxes that would
    overlap form a group centred on their wanted positions.
    """

    def top_of(group: list[int]) -> float:
        """The middle of the first box of a group."""
        extent = (len(group) - 1) * height
        middle = sum(wanted[box] for box in group) / len(group)
        return max(first, min(last - extent, middle - extent / 2))

    def overlap(upper: list[int], lower: list[int]) -> bool:
        return top_of(lower) < top_of(upper) + len(upper) * height

    groups: list[list[int]] = []
    for box in sorted(range(len(wanted)), key=lambda box: wanted[box]):
        groups.append([box])
        while len(groups) > 1 and overlap(groups[-2], groups[-1]):
            lower = groups.pop()
            groups[-1] += lower

    placed = [0.0] * len(wanted)
    for group in groups:
        for row, box in enumerate(group):
            placed[box] = round(top_of(group) + row * height, 1)
    return placed
