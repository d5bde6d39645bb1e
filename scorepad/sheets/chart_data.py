"""What a chart of running totals shows, and the sizes in which it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from scorepad.i18n import Language


class Course(NamedTuple):
    """A side's course in the match: its name, and its total before the first hand and after each."""

    name: str
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """The data of a chart. `target` in points, None if a number of hands decides.

    `openings` are the scores from which another opening minimum applies, each with that minimum;
    `before` is the number of hands played before those of the chart.
    """

    language: Language
    courses: tuple[Course, ...]
    target: int | None = None
    openings: tuple[tuple[int, int], ...] = ()
    before: int = 0

    @property
    def hands(self) -> int:
        """The number of hands (rounds) in the chart."""
        return len(self.courses[0].totals) - 1  # the first total is that at the start


class Frame(NamedTuple):
    """The size of a drawing and of the letters in it. `colours` of the sides, if they have their own
    on paper.
    """

    width: float
    height: float
    text_size: float
    on_paper: bool = False
    colours: tuple[str, ...] = ()


SCREEN = Frame(336, 268, 14)
"""288 px wide on the smallest phone: letters of 12 px there."""
PAPER = Frame(680, 236, 12, on_paper=True)
"""The width of the print area of A4, in CSS pixels: text of 9 points."""
LARGE = Frame(680, 230, 22, on_paper=True)
"""The width of the print area of A4, in CSS pixels: text of 16.5 points, for large print."""
