"""What a chart of running totals tells, and the same laid out: numbers and texts, whoever draws them.

Units are those of the frame; y grows downward.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorepad.i18n import Language

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Course:
    """A side's way through the match: its name, and its total before the first hand and after each."""

    name: str
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """What a chart tells. `target` in points, None where a number of hands decides.

    `openings` are the scores from which another opening minimum holds, each with that minimum; `before` are the hands
    played before those that it tells of.
    """

    language: Language
    courses: tuple[Course, ...]
    target: int | None = None
    openings: tuple[tuple[int, int], ...] = ()
    before: int = 0

    @property
    def hands(self) -> int:
        """How many hands it tells of."""
        return len(self.courses[0].totals) - 1


@dataclass(frozen=True, slots=True)
class Frame:
    """The size of a drawing and of its letters."""

    width: float
    height: float
    text: float


SCREEN = Frame(336, 268, 14)
"""288 px wide on the smallest phone: letters of 12 px there."""
PAPER = Frame(680, 236, 12)
"""As wide as what is printed on a sheet of A4, in CSS pixels: letters of 9 points."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on an axis, and what is written there."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the plot, and what is written on it: at its left end, or at its right one."""

    at: float
    text: str
    is_right: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """What stands at the end of a line: two rows of text around `y`, with a leader from the line's end if it is off."""

    x: float
    y: float
    name: str
    total: str
    is_off: bool


@dataclass(frozen=True, slots=True)
class Track:
    """A line through the plot: all its points, those that bear a marker, and its label."""

    points: tuple[Point, ...]
    marked: tuple[Point, ...]
    label: Label


@dataclass(frozen=True, slots=True)
class Plan:
    """A chart laid out. `left`, `right`, `top`, `bottom` are the edges of the plot, `zero` the line of no points."""

    frame: Frame
    left: float
    right: float
    top: float
    bottom: float
    zero: float
    scores: tuple[Mark, ...]
    hands: tuple[Mark, ...]
    target: Rule | None
    openings: tuple[Rule, ...]
    tracks: tuple[Track, ...]
