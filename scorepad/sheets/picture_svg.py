"""The picture of a result as SVG, where no PDF can be made: a browser shows it, and draws it as PNG.

It looks like the one that `scorepad.sheets.picture` makes. SVG breaks no lines, so the rows of text
are laid out here, in the measures of `static/sheets/picture.css`. The letters are those of the
reader's system.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.sheets.chart import draw_chart_as_svg
from scorepad.sheets.pdf import render
from scorepad.sheets.picture import CHART, COLUMNS, SIZE, Picture, PictureSide
from scorepad.sheets.text_width import break_into_rows, measure_width, shorten_names

MIDDLE = SIZE / 2
_LEFT = (SIZE - COLUMNS) / 2
"""The left end of the columns of the sides."""
_COLUMN_PADDING = 64
_MIDDLE_OF_NAMES = 261
_MIDDLE_OF_TOTALS = 445
"""The heights around which the names and the totals of the sides are centred."""
_HEIGHT_OF_NAMES = 150
"""The height that a name and its players may take together."""
_SMALLEST_NAME = 24
_NAME_ROW_HEIGHT = 1.1
"""In units of the text size."""
_PLAYERS_SIZE = 24
_PLAYERS_ROW_HEIGHT = 28
_GAP_ABOVE_PLAYERS = 4
_MOST_ROWS = 2
"""Rows of a name, of its players, and of the sentence how the match was won."""
_WON_SIZE = 28
_WON_HEIGHT = 48
_GAP_ABOVE_WON = 6
_WIDTH_AROUND_WON = 60
_SENTENCE_SIZE = 36
_HOW_SIZE = 26
_HOW_HEIGHT = 30
_MIDDLE_OF_HOW = 623
"""The height of the middle of its first row."""
_GAME_SIZE = 42
_WHEN_SIZE = 26


class TextRow(NamedTuple):
    """A row of text, by the height of its middle."""

    text: str
    middle: float
    size: float


class Badge(NamedTuple):
    """The field around the word that a side has won."""

    left: float
    top: float
    width: float
    height: float
    text: TextRow


class DrawnSide(NamedTuple):
    """The column of a side, by the middle of its width."""

    middle: float
    name: list[TextRow]
    players: list[TextRow]
    total: TextRow
    badge: Badge | None


def draw_picture_as_svg(picture: Picture, words: Words) -> str:
    """Draw the picture of a result as a file of SVG, 1080 pixels wide and high."""
    chart = draw_chart_as_svg(picture.chart, CHART) if picture.chart else ""
    width_of_column = COLUMNS / len(picture.sides)
    sides = []
    for position, side in enumerate(picture.sides):
        middle = _LEFT + (position + 0.5) * width_of_column
        sides.append(_draw_side(picture, side, middle, words))
    how_rows = _fit_into_rows(picture.how, COLUMNS, _HOW_SIZE)
    return render(
        "picture.svg",
        words,
        size=SIZE,
        middle=MIDDLE,
        left=_LEFT,
        game=_shorten(picture.game, _GAME_SIZE),
        when=_shorten(picture.when, _WHEN_SIZE),
        sides=sides,
        lines_between_sides=[side.middle - width_of_column / 2 for side in sides[1:]],
        sentence=_shorten(picture.sentence, _SENTENCE_SIZE),
        how=_stack_rows(how_rows, _MIDDLE_OF_HOW - _HOW_HEIGHT / 2, _HOW_SIZE, _HOW_HEIGHT),
        chart=Markup(chart),  # noqa: S704 - the chart escapes its texts
    )


def _draw_side(picture: Picture, side: PictureSide, middle: float, words: Words) -> DrawnSide:
    """Lay out the column of a side: above its name and its players, below its total."""
    room = COLUMNS / len(picture.sides) - _COLUMN_PADDING
    players_rows = _fit_into_rows(side.players, room, _PLAYERS_SIZE)
    players_height = 0.0
    if players_rows:
        players_height = _GAP_ABOVE_PLAYERS + len(players_rows) * _PLAYERS_ROW_HEIGHT
    name_size, name_rows = _choose_rows_of_name(
        side.name, room, _HEIGHT_OF_NAMES - players_height, largest=picture.name_size(side)
    )
    name_row_height = _NAME_ROW_HEIGHT * name_size
    name_height = len(name_rows) * name_row_height

    top = _MIDDLE_OF_NAMES - (name_height + players_height) / 2
    top_of_players = top + name_height + _GAP_ABOVE_PLAYERS
    total, badge = _draw_total(picture, side, middle, words)
    return DrawnSide(
        middle=middle,
        name=_stack_rows(name_rows, top, name_size, name_row_height),
        players=_stack_rows(players_rows, top_of_players, _PLAYERS_SIZE, _PLAYERS_ROW_HEIGHT),
        total=total,
        badge=badge,
    )


def _choose_rows_of_name(
    name: str, room: float, height: float, largest: int
) -> tuple[int, list[str]]:
    """Choose the size in which a name fits into two rows of this width and height, and break it.

    In the smallest size a name that is still too long is cut.
    """
    for size in range(largest, _SMALLEST_NAME, -1):
        rows = break_into_rows(name, room, size)
        is_wide = any(measure_width(row, size) > room for row in rows)
        is_high = len(rows) > _MOST_ROWS or len(rows) * size * _NAME_ROW_HEIGHT > height
        if not is_wide and not is_high:
            return size, rows
    return _SMALLEST_NAME, _fit_into_rows(name, room, _SMALLEST_NAME)


def _draw_total(
    picture: Picture, side: PictureSide, middle: float, words: Words
) -> tuple[TextRow, Badge | None]:
    """Lay out the total of a side, and below it the word that the side has won, if it has."""
    size = picture.total_size
    if not side.won:
        return TextRow(side.total, _MIDDLE_OF_TOTALS, size), None

    total_height = 1.05 * size
    height = total_height + _GAP_ABOVE_WON + _WON_HEIGHT
    top = _MIDDLE_OF_TOTALS - height / 2
    text = words.t("web.won")
    width = measure_width(text, _WON_SIZE) + _WIDTH_AROUND_WON
    top_of_badge = top + total_height + _GAP_ABOVE_WON
    badge = Badge(
        left=middle - width / 2,
        top=top_of_badge,
        width=width,
        height=_WON_HEIGHT,
        text=TextRow(text, top_of_badge + _WON_HEIGHT / 2, _WON_SIZE),
    )
    return TextRow(side.total, top + total_height / 2, size), badge


def _fit_into_rows(text: str, room: float, size: int) -> list[str]:
    """Break a text into two rows at most; what does not fit is cut, with an ellipsis."""
    rows = break_into_rows(text, room, size)
    if len(rows) > _MOST_ROWS:
        kept = rows[: _MOST_ROWS - 1]
        rest = " ".join(rows[_MOST_ROWS - 1 :])
        rows = [*kept, rest]
    return [_shorten(row, size, room) for row in rows]


def _shorten(text: str, size: int, room: float = COLUMNS) -> str:
    """Cut a text so that it fits into a width, with an ellipsis."""
    (shortened,) = shorten_names([text], room, size)
    return shortened


def _stack_rows(rows: Sequence[str], top: float, size: float, height: float) -> list[TextRow]:
    """Place rows of text of this height below each other, the first one below `top`."""
    placed = []
    for number, row in enumerate(rows):
        middle = top + (number + 0.5) * height
        placed.append(TextRow(row, round(middle, 1), size))
    return placed
