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

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"
NAMES = {
    "short": ("Noi", "Loro"),
    "of two rows": ("Nonna Rosa e lo zio Giovanni", "Gli altri due della famiglia"),
    "of one long word": ("Associazionericreativaamicideltavoloverde", "W" * 60),
    "of many words": ("a " * 30, "di qua e di là del fiume " * 2),
}


def rows_of_text(svg: str) -> list[ET.Element]:
    """The texts outside the chart, which has a group of its own."""
    whole = ET.fromstring(svg)  # noqa: S314 - our own
    return whole.findall(f"{SVG}text")


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_every_row_is_as_narrow_as_its_column_and_no_name_has_three(names: tuple[str, str]) -> None:
    state = match_of([FIRST_HAND], names=names, players=(("Anna", "Bea"), ("", "")), started=NOON)
    svg = draw_picture_as_svg(make_picture(state, words("it")), words("it"))
    middles = {f"{80 + COLUMNS / 4}", f"{80 + 3 * COLUMNS / 4}"}
    rows = [row for row in rows_of_text(svg) if row.get("x") in middles]
    for row in rows:
        size = float(row.get("font-size", ""))
        assert measure_width(row.text or "", size) <= COLUMNS / 2 - 64, row.text
    for middle in middles:
        of_side = [row for row in rows if row.get("x") == middle]
        assert 2 <= len(of_side) <= 4, "one or two rows of the name, the players, the total"
        heights = [float(row.get("y", "")) for row in of_side]
        assert heights == sorted(heights)
        assert all(182 < height < 547 for height in heights)


def test_three_sides_stand_beside_each_other_with_their_totals() -> None:
    names = ("Ada", "Bea", "Cleo")
    state = match_of(
        [HAND_OF_THREE], names=names, players=(("",),) * 3, variant="tre", started=NOON
    )
    picture = make_picture(state, words("it"))
    svg = draw_picture_as_svg(picture, words("it"))
    for side in picture.sides:
        assert f">{side.total}</text>" in svg
    assert len(re.findall(r"M[\d.]+,182V547", svg)) == 2, "a line between the columns"
