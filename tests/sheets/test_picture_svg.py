"""The picture of a result as SVG. SVG does not break lines, so the program makes rows that fit."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import pytest

from scorepad.i18n import words
from scorepad.sheets.picture import make_picture
from scorepad.sheets.picture_svg import draw_picture_as_svg
from scorepad.sheets.text_width import measure_width
from tests.sheets.worked import FIRST_HAND, HAND_OF_THREE, match_of

STARTED_AT_NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
NAMES_BY_LENGTH = {
    "short": ("Noi", "Loro"),
    "of two rows": ("Nonna Rosa e lo zio Giovanni", "Gli altri due della famiglia"),
    "of one long word": ("Associazionericreativaamicideltavoloverde", "W" * 60),
    "of many words": ("a " * 30, "di qua e di là del fiume " * 2),
}


def rows_of_text(svg: str) -> list[ET.Element]:
    """List the <text> elements of the picture, without those of the chart, which are in a group."""
    whole = ET.fromstring(svg)  # noqa: S314 - our own
    return whole.findall("{http://www.w3.org/2000/svg}text")


@pytest.mark.parametrize("names", NAMES_BY_LENGTH.values(), ids=NAMES_BY_LENGTH)
def test_rows_of_text_fit_their_column(names: tuple[str, str]) -> None:
    players = (("Anna", "Bea"), ("", ""))
    state = match_of([FIRST_HAND], names=names, players=players, started=STARTED_AT_NOON)

    svg = draw_picture_as_svg(make_picture(state, words("it")), words("it"))

    # The two sides have a column each, from 80 to 540 and from 540 to 1000 pixels. The text of a
    # column is centred, with 32 pixels or more on both sides.
    width_for_text = 460 - 2 * 32
    for middle_of_column in ("310.0", "770.0"):
        rows = [row for row in rows_of_text(svg) if row.get("x") == middle_of_column]
        assert 2 <= len(rows) <= 4, "one or two rows of the name, the players, the total"
        for row in rows:
            font_size = float(row.get("font-size", ""))
            assert measure_width(row.text or "", font_size) <= width_for_text, row.text

        # The rows are below each other. The columns reach from 182 to 547 pixels below the top.
        heights = [float(row.get("y", "")) for row in rows]
        assert heights == sorted(heights)
        assert heights[0] > 182
        assert heights[-1] < 547


def test_three_sides_have_columns_with_their_totals() -> None:
    state = match_of(
        [HAND_OF_THREE],
        variant="tre",
        names=("Ada", "Bea", "Cleo"),
        players=(("",), ("",), ("",)),
        started=STARTED_AT_NOON,
    )

    svg = draw_picture_as_svg(make_picture(state, words("it")), words("it"))

    # The totals of the only hand.
    assert ">−280</text>" in svg
    assert ">850</text>" in svg
    assert ">1.855</text>" in svg

    # A line is between two columns: it begins at the height of 182 pixels and ends at 547.
    lines_between_columns = re.findall(r"M[\d.]+,182V547", svg)
    assert len(lines_between_columns) == 2
