"""Blank score pads on A4, to fill in by pen, with the values of a table's rules.

A pad is not laid out by trial: its other parts are measured once, and its rows get the height that
is left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.matches.events import MATCH_TEXTS
from scorepad.rules.definitions import Choices
from scorepad.sheets.game_facts import NEEDED_TO_GO_OUT, GameFacts, NamedValue
from scorepad.sheets.pdf import find_y_coordinate, make_pdf, render

_SIDES = ("noi", "loro")
"""The two sides in the keys of messages: we and they."""
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
    hands of a match, None if it ends by score; `goal`, the one of them in words; `bonuses`, the
    bonuses and losses.
    """

    def __init__(
        self, name: str, words: Words, preset: str | None, options: Choices | None, copies: Copies
    ) -> None:
        """Take the values from the game with the id `name`.

        `preset` and `options` are the choices that the players of a table made among its rules.
        """
        super().__init__(name, words, preset, options)  # sets `variant` and `words`
        self.hands = self._find_number_of_hands()
        self.goal = self._describe_goal(self.hands)
        self.texts = MATCH_TEXTS  # such as the place: a box for each is printed above the table
        self.players = self.setting("sides")  # the number of players of each side: [2, 2]
        self.columns = self._choose_names_over_columns(self.players)
        self.bonuses = tuple(self._list_bonuses_to_print(copies))

    @property
    def rows_of_head(self) -> int:
        """The number of rows above the first hand: one more if the sides have printed names."""
        has_names_over_columns = self.columns[0] != ""
        return 3 if has_names_over_columns else 2

    @property
    def has_resting(self) -> bool:
        """Whether a player sits out in every hand (round), so that a column is for that name."""
        return any(self.setting("resting"))

    @property
    def short_bonuses(self) -> list[NamedValue]:
        """The bonuses of which two fit side by side."""
        return [bonus for bonus in self.bonuses if _is_short(bonus)]

    @property
    def long_bonuses(self) -> list[NamedValue]:
        """The bonuses that need the whole width of a pad."""
        return [bonus for bonus in self.bonuses if not _is_short(bonus)]

    def _list_bonuses_to_print(self, copies: Copies) -> list[NamedValue]:
        """List the bonuses and losses that are printed on a pad.

        The smallest pads, four on a sheet, have no room for the canastas (groups of seven cards or
        more) that a side needs to end a round.
        """
        if copies is Copies.FOUR:
            return self.list_canastas_and_bonuses(omitted=NEEDED_TO_GO_OUT)
        return self.list_canastas_and_bonuses(omitted=())

    def _find_number_of_hands(self) -> int | None:
        """Find the number of hands (rounds) of a match; None if it goes on until a score."""
        hands = self.setting("match-deals")
        if isinstance(hands, int):
            return hands
        return None  # it is the word `unlimited`

    def _describe_goal(self, hands: int | None) -> NamedValue:
        """Say what ends a match: "Target" "5,000", or its number of `hands` (rounds).

        A time limit is added: "5,000, 90 minutes at most".
        """
        key = "match-deals" if hands else "target"
        goal = self.describe_named_setting(key)
        minutes = self.variant.ends.minutes
        if minutes is None:
            return goal
        limit = self.words.t("web.length.minutes", minutes=minutes)
        return NamedValue(goal.name, f"{goal.value}, {limit}")

    def _choose_names_over_columns(self, players: Sequence[int]) -> tuple[str, ...]:
        """Choose the names printed over the columns of the sides.

        `players` is the number of players of each side.

        - `[2, 2]` → `("We", "They")`
        - `[1, 1, 1]` → `("", "", "")`: players who play alone write their own names
        """
        are_two_sides = len(players) == len(_SIDES)
        does_everyone_play_alone = max(players) == 1
        if does_everyone_play_alone or not are_two_sides:
            return ("",) * len(players)
        return tuple(self.words.t(f"web.side.{side}") for side in _SIDES)


def _is_short(bonus: NamedValue) -> bool:
    """Tell whether the text of a bonus needs only half of the width of a pad."""
    return len(bonus.name) <= _SHORT_NAME and len(bonus.value) <= _SHORT_VALUE


# ---------------------------------------------------------------- layout

FEWEST_PAD_ROWS = 4
"""Least number of rows for hands on a pad."""
MOST_PAD_ROWS = 16
"""Greatest number of rows on the pad of a match that ends by score."""
_LEAST_SHARE = 0.75
"""Share of the usual height of a row below which nobody can write in it."""
_GREATEST_SHARE = 1.6
"""Share of the usual height up to which rows grow to fill the pad."""
_GREATEST_SHARE_FOR_HANDS = 4
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
    usual_row: float
    lowest_line: float

    @property
    def least_row(self) -> float:
        """The least height of a row in which somebody can write."""
        return self.usual_row * _LEAST_SHARE


_FORMS = {
    Copies.LARGE: _Form(184, 11, 283),
    Copies.TWO: _Form(130.5, 5.9, 203),
    Copies.FOUR: _Form(93, 4.6, 143.5),
}


class Grid(NamedTuple):
    """The writing lines, in millimetres from the upper left corner: the foot of each row, the
    columns' left edges.

    `edges_of_sides` are between the sides, `edges_of_totals` those of their columns of totals, each
    `column_width` wide; `positions_of_numbers` are those of the hand numbers (x, y), in the middle
    of their cells.
    """

    width: float
    column_width: float
    feet_of_rows: tuple[float, ...]
    edges_of_sides: tuple[float, ...]
    edges_of_totals: tuple[float, ...]
    positions_of_numbers: tuple[tuple[float, float], ...]

    @property
    def height(self) -> float:
        """The height of all rows together."""
        return self.feet_of_rows[-1]  # the foot of the last row

    @property
    def grey_columns(self) -> str:
        """The SVG path of the columns of totals, which are grey: a rectangle for each."""
        rectangles = []
        for left in self.edges_of_totals:
            # M: move to the upper left corner; h: draw right; v: down; h-: left; z: close.
            rectangles.append(f"M{left},0h{self.column_width}v{self.height}h-{self.column_width}z")
        return "".join(rectangles)

    @property
    def thin_lines(self) -> str:
        """The SVG path of the lines below the rows, and of those on the left of the totals."""
        # M: move to a point; h: draw a horizontal line of this length.
        below_rows = [f"M0,{foot}h{self.width}" for foot in self.feet_of_rows]
        return "".join(below_rows) + self.lines_of_totals

    @property
    def lines_of_totals(self) -> str:
        """The SVG path of the vertical lines on the left of the totals."""
        # M: move to the upper end; v: draw down.
        lines = [f"M{left},0v{self.height}" for left in self.edges_of_totals]
        return "".join(lines)

    @property
    def thick_lines(self) -> str:
        """The SVG path of the vertical lines between the sides."""
        # M: move to the upper end; v: draw down.
        lines = [f"M{left},0v{self.height}" for left in self.edges_of_sides]
        return "".join(lines)


def make_blank_pad(
    name: str,
    words: Words,
    copies: Copies,
    preset: str | None = None,
    options: Choices | None = None,
) -> bytes:
    """Make a sheet of blank score pads for a game, to be filled in by pen, as PDF.

    `name` is the id of the game. `preset` and `options` are the choices that the players of a table
    made among its rules. Raises ChoiceError if the game has no such choice, and NoPdf if no PDF can
    be made.
    """
    pad = BlankPad(name, words, preset, options, copies)
    room = _measure_room(pad, copies)
    grid = _fill_height_with_rows(pad, _FORMS[copies], room.height)
    return make_pdf(_render_pads(pad, copies, grid, has_facts=room.has_facts))


class GrowingRows(NamedTuple):
    """Rows to write in that a browser makes as high as there is room.

    There are at most `most` of them; those that do not fit are not shown. `row` is one of them, a
    millimetre high. `has_hands`: a row is for each hand of the match, so that they may be lower and
    higher than usual.
    """

    most: int
    row: Grid
    has_hands: bool


def render_blank_pad(
    name: str,
    words: Words,
    copies: Copies,
    preset: str | None = None,
    options: Choices | None = None,
) -> str:
    """Render a sheet of blank score pads as HTML for a browser, with the arguments of
    `make_blank_pad`.

    Only the browser knows how much room is left for the rows. Raises ChoiceError.
    """
    pad = BlankPad(name, words, preset, options, copies)
    rows = GrowingRows(
        most=pad.hands or MOST_PAD_ROWS,
        row=_make_grid(pad, _FORMS[copies].width, rows=1, row_height=1),
        has_hands=pad.hands is not None,
    )
    return render(
        "blank.html",
        words,
        page=pad,
        copies=copies.value,
        pads_on_sheet=copies.value,
        rows=rows,
        has_facts=_estimate_lines_of_facts(pad, copies) <= _MOST_LINES_OF_FACTS[copies],
    )


_LETTERS_IN_LINE = {Copies.LARGE: 50, Copies.TWO: 62, Copies.FOUR: 50}
"""Letters that a line of a pad has room for at least."""
_MOST_LINES_OF_FACTS = {Copies.LARGE: 1000, Copies.TWO: 27, Copies.FOUR: 22}
"""Lines of bonuses beside which there is room for rows. A large pad has them overleaf."""


def _estimate_lines_of_facts(pad: BlankPad, copies: Copies) -> int:
    """Estimate how many lines the bonuses and what the table chose take, rather too many."""
    letters_in_line = _LETTERS_IN_LINE[copies]
    lines = math.ceil(len(pad.short_bonuses) / 2)
    for bonus in pad.long_bonuses:
        lines += math.ceil(len(f"{bonus.name}: {bonus.value}") / letters_in_line)
    for choice in pad.chosen:
        lines += math.ceil(len(choice) / letters_in_line)
    return lines


class _Room(NamedTuple):
    """The height that is left for rows, in millimetres, and whether the facts are printed too.

    The facts are the values of the rules, and what the table chose.
    """

    height: float
    has_facts: bool


def _measure_room(pad: BlankPad, copies: Copies) -> _Room:
    """Measure the height that is left for rows to write in.

    Facts such as the bonuses are printed above the rows. House rules may have so many that fewer
    than four rows would be left: then the facts are not printed.
    """
    height_below_facts = _measure_free_height(pad, copies, has_facts=True)
    least_height = FEWEST_PAD_ROWS * _FORMS[copies].least_row
    if height_below_facts >= least_height:
        return _Room(height_below_facts, has_facts=True)
    height_without_facts = _measure_free_height(pad, copies, has_facts=False)
    return _Room(height_without_facts, has_facts=False)


def _measure_free_height(pad: BlankPad, copies: Copies, *, has_facts: bool) -> float:
    """Measure the height left for rows, in millimetres.

    A pad with a single row is laid out, to see where it ends: the template has an element with the
    id `end` there.
    """
    form = _FORMS[copies]
    single_row = _make_grid(pad, form.width, rows=1, row_height=form.usual_row)
    html = _render_pads(pad, copies, single_row, has_facts=has_facts, is_measured=True)
    pixels_to_end = find_y_coordinate(html, "end")
    end_of_pad = pixels_to_end / _MILLIMETRE  # now in millimetres
    height_below_pad = form.lowest_line - end_of_pad
    return height_below_pad + form.usual_row  # the place of the single row is free too


def _fill_height_with_rows(pad: BlankPad, form: _Form, free_height: float) -> Grid:
    """Make the rows and columns of a pad, with rows that fill the free height.

    They become higher than usual, but only up to a limit, beyond which it would look odd.
    """
    if pad.hands:
        rows = _choose_rows_for_hands(pad.hands, free_height, form)
        greatest_height = _GREATEST_SHARE_FOR_HANDS * form.usual_row
    else:
        rows = _choose_number_of_rows(free_height, form)
        greatest_height = _GREATEST_SHARE * form.usual_row
    row_height = min(greatest_height, free_height / rows)
    return _make_grid(pad, form.width, rows=rows, row_height=row_height)


def _choose_rows_for_hands(hands: int, free_height: float, form: _Form) -> int:
    """Choose the number of rows for a match with a number of hands: one for each hand.

    There are fewer if nobody could write in such low rows, but four at least.
    """
    most_rows = max(FEWEST_PAD_ROWS, int(free_height / form.least_row))
    return min(hands, most_rows)


def _choose_number_of_rows(free_height: float, form: _Form) -> int:
    """Choose as many rows of the usual height as fit, but 4 at least and 16 at most."""
    rows = int(free_height / form.usual_row)
    return max(FEWEST_PAD_ROWS, min(MOST_PAD_ROWS, rows))


def _render_pads(
    pad: BlankPad, copies: Copies, grid: Grid, *, has_facts: bool, is_measured: bool = False
) -> str:
    """Render a sheet of A4 with equal pads as HTML.

    `has_facts`: the rules of the game, such as the bonuses, are printed too. `is_measured`: only
    one of the pads is on the sheet, so that its height can be measured.
    """
    number_of_pads = copies.value
    return render(
        "blank.html",
        pad.words,
        page=pad,
        copies=number_of_pads,
        pads_on_sheet=1 if is_measured else number_of_pads,
        grid=grid,
        has_facts=has_facts,
    )


def _make_grid(pad: BlankPad, width: float, *, rows: int, row_height: float) -> Grid:
    """Compute where the lines of a pad are: its columns, and so many rows of this height.

    All numbers are millimetres from the upper left corner.
    """
    columns = _make_columns(len(pad.columns), width, has_resting=pad.has_resting)
    feet_of_rows = [row_height * row for row in range(1, rows + 1)]

    # The numbers of the hands (rounds) are printed in the middle of the cells of the first column.
    middle_of_column = columns.number_width / 2
    positions_of_numbers = [(middle_of_column, foot - row_height / 2) for foot in feet_of_rows]
    return Grid(
        width=width,
        column_width=columns.width,
        feet_of_rows=tuple(feet_of_rows),
        edges_of_sides=tuple(columns.edges_of_sides),
        edges_of_totals=tuple(columns.edges_of_totals),
        positions_of_numbers=tuple(positions_of_numbers),
    )


class _Columns(NamedTuple):
    """The columns of a pad: widths and left edges in millimetres.

    Each side has two columns of the same `width`: its points in a hand, and its total.
    """

    number_width: float
    width: float
    edges_of_sides: list[float]
    edges_of_totals: list[float]


def _make_columns(number_of_sides: int, width: float, *, has_resting: bool) -> _Columns:
    """Divide the width of a pad into columns, in millimetres.

    From left to right: the number of the hand (round), then two columns for each side, and with
    `has_resting` the player who sits out.
    """
    number_width = _NUMBER_WIDTH * width
    resting_width = _RESTING_WIDTH * width if has_resting else 0
    column_width = (width - resting_width - number_width) / (2 * number_of_sides)
    edges_of_sides = []
    edges_of_totals = []
    for side in range(number_of_sides):
        left_edge = number_width + 2 * column_width * side
        edges_of_sides.append(left_edge)
        edges_of_totals.append(left_edge + column_width)
    if has_resting:
        # A last edge, between the last side and the player who sits out.
        edges_of_sides.append(number_width + 2 * column_width * number_of_sides)
    return _Columns(
        number_width=number_width,
        width=column_width,
        edges_of_sides=edges_of_sides,
        edges_of_totals=edges_of_totals,
    )
