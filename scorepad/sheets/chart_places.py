"""Where the texts of a chart go so that none lies on another, nor on a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scorepad.sheets.chart_values import Point


@dataclass(frozen=True, slots=True)
class Box:
    """A piece of the drawing: its edges."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether the two have any piece in common."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def is_crossed(self, way: Sequence[Point]) -> bool:
        """Whether a line that runs from left to right comes through it."""
        return any(self._is_cut(one, other) for one, other in pairwise(way))

    def _is_cut(self, one: Point, other: Point) -> bool:
        left, right = max(self.left, one[0]), min(self.right, other[0])
        if left > right or one[0] == other[0]:
            return False
        slope = (other[1] - one[1]) / (other[0] - one[0])
        ends = sorted(one[1] + slope * (x - one[0]) for x in (left, right))
        return ends[0] < self.bottom and ends[1] > self.top


def spread(wanted: Sequence[float], height: float, first: float, last: float) -> list[float]:
    """Places for boxes of this height, each as near as can be to the one wanted, none on another.

    The middle of each lies between `first` and `last`; they stand in the order of what was wanted.
    """
    order = sorted(range(len(wanted)), key=lambda position: (wanted[position], position))
    groups: list[list[int]] = []
    for position in order:
        groups.append([position])
        while len(groups) > 1 and _middle(groups[-1], wanted) - _middle(groups[-2], wanted) < _room(groups, height):
            groups[-2:] = [groups[-2] + groups[-1]]
    placed = dict.fromkeys(order, 0.0)
    for group in groups:
        start = _middle(group, wanted) - (len(group) - 1) * height / 2
        placed.update({position: start + number * height for number, position in enumerate(group)})
    return _kept_in(order, placed, height, (first, last))


def _kept_in(order: list[int], placed: dict[int, float], height: float, bounds: tuple[float, float]) -> list[float]:
    """The places, pushed off the lower edge and then off the upper one."""
    limit = bounds[1]
    for position in reversed(order):
        placed[position] = min(placed[position], limit)
        limit = placed[position] - height
    limit = bounds[0]
    for position in order:
        placed[position] = max(placed[position], limit)
        limit = placed[position] + height
    return [round(placed[position], 1) for position in range(len(order))]


def _middle(group: list[int], wanted: Sequence[float]) -> float:
    return sum(wanted[position] for position in group) / len(group)


def _room(groups: list[list[int]], height: float) -> float:
    """How far the middles of the last two groups must be apart."""
    return (len(groups[-1]) + len(groups[-2])) * height / 2
