"""The chart of the running totals on the match sheet."""

from __future__ import annotations

import pytest

from scorepad.i18n import words
from scorepad.sheets.match_sheet import render_match_sheet
from scorepad.sheets.printed_names import is_legible_in_chart
from tests.sheets.reading import Told, pages_of, paper, printed, sheet_of, tags_of
from tests.sheets.worked import FIRST, SECOND, match_of


def test_from_two_hands_on_the_sheet_has_a_chart() -> None:
    assert sheet_of(match_of([])).chart is None
    assert sheet_of(match_of([(FIRST,)])).chart is None
    assert "Andamento" not in paper(match_of([(FIRST,)]))
    chart = sheet_of(match_of([(FIRST,), (SECOND,)])).chart
    assert chart is not None
    assert [course.totals for course in chart.courses] == [(0, -280, 1575), (0, 850, 1455)]


def test_a_screen_reader_is_told_what_the_chart_shows() -> None:
    tags = tags_of(printed(match_of([(FIRST,), (SECOND,)])))
    [figure] = [tag for tag in tags if tag["/S"] == "/Figure"]
    assert str(figure["/Alt"]).endswith("Il traguardo è 5.000.")


def test_the_chart_stands_after_the_table_and_before_the_penalties() -> None:
    html = render_match_sheet(match_of([(FIRST,), (SECOND,)]), words("it"), details=True)
    assert (
        html.index('class="by-hand')
        < html.index("<svg")
        < html.index("Penalità e punti concordati")
    )
    assert html.count("<svg") == 1


@pytest.mark.parametrize(
    ("name", "legible"),
    [
        ("Đorđe Żółć", True), ("Борис", True), ("李雷", True), ("Noi (7)", True),
        ("محمد", False), ("דוד", False), ("प्रिया", False), ("e\u0301", False), ("😀", False), ("?", False),
    ],
)  # fmt: skip
def test_a_name_that_is_not_legible_letter_by_letter_is_known(name: str, legible: bool) -> None:
    assert is_legible_in_chart(name, frozenset("?")) is legible


def test_who_is_not_legible_in_the_chart_goes_by_number_and_is_told_below() -> None:
    state = match_of([(FIRST,), (SECOND,)], names=("محمد", "Loro"))
    page = sheet_of(state)
    assert page.chart is not None
    assert [course.name for course in page.chart.courses] == ["coppia 1", "Carla–Dario"]
    assert Told(state).chart_names == ["coppia 1: \u2068محمد\u2069"]
    assert "coppia 1" in [line for lines in pages_of(printed(state)) for line in lines]
    assert Told(match_of([(FIRST,), (SECOND,)])).chart_names == []
