"""The picture of a result as SVG, where nothing breaks lines: the rows of text fit their columns."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import pytest

from scorepad.i18n import words
from scorepad.sheets.picture import COLUMNS, make_picture
from scorepad.sheets.picture_svg import draw_picture_as_svg
from scorepad.sheets.text_width import measure_width
from tests.sheets.worked import FIRST_HAND, HAND_OF_THREE, match_of

STARTED_AT_NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"
NAMES_BY_LENGTH = {
    "short": ("Noi", "Loro"),
    "of two rows": ("Nonna Rosa e lo zio Giovanni", "Gli altri due della famiglia"),
    "of one long word": ("Associazionericreativaamicideltavoloverde", "W" * 60),
    "of many words": ("a " * 30, "di qua e di là del fiume " * 2),
}


def rows_of_text(svg: str) -> list[ET.Element]:
    """The texts outside the chart, which has a group of its own."""
    whole = ET.fromstring(svg)  # noqa: S314 - our own
    return whole.findall(f"{SVG}text")


@pytest.mark.parametrize("names", NAMES_BY_LENGTH.values(), ids=NAMES_BY_LENGTH)
def test_rows_of_text_fit_their_column(names: tuple[str, str]) -> None:
    players = (("Anna", "Bea"), ("", ""))
    state = match_of([FIRST_HAND], names=names, players=players, started=STARTED_AT_NOON)

    svg = draw_picture_as_svg(make_picture(state, words("it")), words("it"))

    width_for_text = COLUMNS / 2 - 64
    top_of_columns = 182
    bottom_of_columns = 547
    middles_of_columns = (80 + COLUMNS / 4, 80 + 3 * COLUMNS / 4)
    for middle in middles_of_columns:
        rows = [row for row in rows_of_text(svg) if row.get("x") == str(middle)]
        assert 2 <= len(rows) <= 4, "one or two rows of the name, the players, the total"
        for row in rows:
            size = float(row.get("font-size", ""))
            assert measure_width(row.text or "", size) <= width_for_text, row.text
        heights = [float(row.get("y", "")) for row in rows]
        assert heights == sorted(heights)
        assert top_of_columns < heights[0]
        assert heights[-1] < bottom_of_columns


def test_three_sides_have_columns_with_their_totals() -> None:
    state = match_of(
        [HAND_OF_THREE],
        variant="tre",
        names=("Ada", "Bea", "Cleo"),
        players=(("",), ("",), ("",)),
        started=STARTED_AT_NOON,
    )

    svg = draw_picture_as_svg(make_picture(state, words("it")), words("it"))

    assert ">−280</text>" in svg
    assert ">850</text>" in svg
    assert ">1.855</text>" in svg
    lines_between_columns = re.findall(r"M[\d.]+,182V547", svg)
    assert len(lines_between_columns) == 2
