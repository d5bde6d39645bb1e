"""Blank score pads on A4, to fill in by pen, with the values of a table's rules.

A pad is not laid out by trial: its other parts are measured once, and its rows get the height that
is left.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.matches.events import MATCH_TEXTS
from scorepad.rules.definitions import Choices
from scorepad.sheets.game_facts import NEEDED_TO_GO_OUT, GameFacts, NamedValue
from scorepad.sheets.pdf import height_of, pdf_of, render

_SIDES = ("noi", "loro")
_SHORT_NAME = 30
"""Most characters of the name of a fact for two facts to fit side by side."""
_SHORT_VALUE = 6
"""Most characters of its value."""


class Copies(IntEnum):
    """The number of pads on an A4 sheet: one in large print, two of A5 side by side, or four of A6."""

    LARGE = 1
    TWO = 2
    FOUR = 4


class BlankPad(GameFacts):
    """The values shown by the template of a blank pad.

    Attributes: `columns`, the names printed over the sides, empty if unnamed; `players`, the number
    of name lines of each side; `texts`, the free texts of a match, to be filled in; `hands`, the
    hands of a match, None if it ends by score; `goal`, the one of them in words; `has_resting`: in
    every hand one player sits out; `short` and `long`, the bonuses of which two fit side by side,
    and the others.
    """

    def __init__(
        self, name: str, words: Words, preset: str | None, options: Choices | None, copies: Copies
    ) -> None:
        super().__init__(name, words, preset, options)
        hands = self.setting("match-deals")
        self.hands: int | None = hands if isinstance(hands, int) else None
        self.goal = self._goal()
        self.texts = MATCH_TEXTS
        self.players = self.setting("sides")
        self.columns = self._columns()
        self.has_resting = any(self.setting("resting"))
        omitted = NEEDED_TO_GO_OUT if copies is Copies.FOUR else ()
        self.bonuses = tuple(self.bonuses_without(omitted))
        self.short = [bonus for bonus in self.bonuses if _is_short(bonus)]
        self.long = [bonus for bonus in self.bonuses if not _is_short(bonus)]

    def _goal(self) -> NamedValue:
        goal = self.fact("match-deals" if self.hands else "target")
        minutes = self.variant.ends.minutes
        if minutes is None:
            return goal
        limit = self.words.t("web.length.minutes", minutes=minutes)
        return goal._replace(value=f"{goal.value}, {limit}")

    def _columns(self) -> tuple[str, ...]:
        has_pairs = len(self.players) == len(_SIDES) and max(self.players) > 1
        if has_pairs:
            return tuple(self.words.t(f"web.side.{side}") for side in _SIDES)
        return ("",) * len(self.players)


def _is_short(fact: NamedValue) -> bool:
    return len(fact.name) <= _SHORT_NAME and len(fact.value) <= _SHORT_VALUE


# ---------------------------------------------------------------- layout

FEWEST = 4
"""Least number of rows for hands on a pad."""
MOST = 16
"""Greatest number of rows on the pad of a match that ends by score."""
_LEAST_SHARE = 0.75
"""Share of the usual height of a row below which nobody can write in it."""
_MOST_SHARE = 1.6
"""Share of the usual height up to which rows grow to fill the pad."""
_MOST_SHARE_OF_FEW = 4
"""Share of the usual height up to which rows grow where a row stands for each hand of a match."""
_NUMBER_WIDTH = 0.08
"""Share of the width of the column of hand numbers."""
_RESTING_WIDTH = 0.15
"""Share of the width of the column of the player sitting out."""
_MILLIMETRE = 96 / 25.4
"""CSS pixels."""


class _Form(NamedTuple):
    """The dimensions of a pad in millimetres: width, usual row height, and lowest position of the
    last line.
    """

    width: float
    row: float
    end: float

    @property
    def least_row(self) -> float:
        """The least height of a row."""
        return self.row * _LEAST_SHARE


_FORMS = {
    Copies.LARGE: _Form(184, 11, 283),
    Copies.TWO: _Form(130.5, 5.9, 203),
    Copies.FOUR: _Form(93, 4.6, 143.5),
}


class Grid(NamedTuple):
    """The writing lines, in millimetres from the upper left corner: the foot of each row, the
    columns' left edges.

    `sides` are the edges between the sides, `totals` those of their columns of totals, each
    `column` wide; `numbers` are the positions of the hand numbers (x, y), in the middle of their
    cells.
    """

    width: float
    column: float
    rows: tuple[float, ...]
    sides: tuple[float, ...]
    totals: tuple[float, ...]
    numbers: tuple[tuple[float, float], ...]


def make_blank_pad(
    name: str,
    words: Words,
    copies: Copies,
    preset: str | None = None,
    options: Choices | None = None,
) -> bytes:
    """The blank pad of a variant with a table's choices, as PDF. Raises ChoiceError and NoPdf."""
    pad = BlankPad(name, words, preset, options, copies)
    form = _FORMS[copies]
    free = _free_height(pad, copies, has_facts=True)
    # House rules may have so many bonuses that no rows would be left.
    has_facts = free >= FEWEST * form.least_row
    if not has_facts:
        free = _free_height(pad, copies, has_facts=False)
    rows = _number_of_rows(pad.hands, free, form)
    most_share = _MOST_SHARE_OF_FEW if pad.hands else _MOST_SHARE
    grid = _grid(pad, form.width, rows, min(most_share * form.row, free / rows))
    return pdf_of(_pad_html(pad, copies, grid, has_facts=has_facts))


def _free_height(pad: BlankPad, copies: Copies, *, has_facts: bool) -> float:
    """The height left for rows, in millimetres, measured on a single pad with one row."""
    form = _FORMS[copies]
    grid = _grid(pad, form.width, rows=1, row_height=form.row)
    html = _pad_html(pad, copies, grid, has_facts=has_facts, is_measured=True)
    end = height_of(html, "end") / _MILLIMETRE
    return form.end - end + form.row


def _number_of_rows(hands: int | None, free: float, form: _Form) -> int:
    """As many rows of the usual height as fit; for a match with a number of hands, one for each as
    long as they can be written in.
    """
    if hands:
        return min(hands, max(FEWEST, int(free / form.least_row)))
    return max(FEWEST, min(MOST, int(free / form.row)))


def _pad_html(
    pad: BlankPad, copies: Copies, grid: Grid, *, has_facts: bool, is_measured: bool = False
) -> str:
    """The sheet of pads; a single pad if it `is_measured`. `has_facts`: the values of the rules and
    what the table chose are printed.
    """
    return render(
        "blank.html",
        pad.words,
        page=pad,
        copies=copies.value,
        drawn=1 if is_measured else copies.value,
        grid=grid,
        has_facts=has_facts,
    )


def _grid(pad: BlankPad, width: float, rows: int, row_height: float) -> Grid:
    sides = len(pad.columns)
    number_width = _NUMBER_WIDTH * width
    resting_width = _RESTING_WIDTH * width if pad.has_resting else 0
    column = (width - resting_width - number_width) / (2 * sides)
    edges = [number_width + 2 * column * side for side in range(sides + pad.has_resting)]
    feet = [row_height * row for row in range(1, rows + 1)]
    return Grid(
        width=width,
        column=column,
        rows=tuple(feet),
        sides=tuple(edges),
        totals=tuple(edge + column for edge in edges[:sides]),
        numbers=tuple((number_width / 2, foot - row_height / 2) for foot in feet),
    )
