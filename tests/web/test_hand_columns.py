"""The columns of a hand add up: each row as a reader counts it, and one row for everything that has
none.
"""

from __future__ import annotations

import re

import pytest

from scorepad.matches import Pad
from tests.web.client import Client, Element, Page
from tests.web.counting import hand_sums
from tests.web.player import Player
from tests.web.worked_hands import BY_VARIANT, begin, of_each_kind

SIGN_OF_ROW = {"row-cards": 1, "row-left": -1}
"""Rows of points: the cards laid count for their side, those left in hand against it."""


def first_number(text: str) -> int:
    """The first number of a text such as `1.500`, `+800` or `−100`; 0 if there is none."""
    found = re.search("[\N{MINUS SIGN}+-]?[0-9][0-9.]*", text)
    if not found:
        return 0
    return int(found[0].replace(".", "").replace("\N{MINUS SIGN}", "-"))


def small_text(element: Element, **attributes: str) -> str:
    """The small print in a cell (its points) or beside the name of a row (points for each)."""
    return " ".join(element.texts("small", **attributes))


def points_of_cell(row: Element, cell: Element) -> int:
    """The points shown in a cell, or else the number in its field times the points for each."""
    shown_points = small_text(cell, class_="points")
    if shown_points:
        return first_number(shown_points)

    field = cell.one("input")
    number = field.get("value")
    if not number and field.has("readonly"):
        number = field.get("placeholder")
    if row["id"] in SIGN_OF_ROW:
        return first_number(number) * SIGN_OF_ROW[row["id"]]

    points_for_each = small_text(row.one("div", class_="name"))
    return first_number(number) * first_number(points_for_each)


def points_of_going_out(question: Element, cell: Element) -> int:
    """The points of a side in the row of the question who went out."""
    shown_points = small_text(cell, class_="points")
    if shown_points:
        return first_number(shown_points)

    went_out = cell.all("input", checked="")
    if not went_out:
        return 0

    if question.all("input", id="concealed", checked=""):
        points_if_concealed = first_number(question.one("label", **{"for": "concealed"}).text)
        if points_if_concealed:
            return points_if_concealed
    usual_points = small_text(question.one("div", class_="name"))
    return first_number(usual_points)


def sums_of_columns(page: Page) -> list[int]:
    """The sum of all points in the column of each side, as a reader adds them up."""
    sums = [first_number(text) for text in page.one(id="row-other").texts("output")]

    question_who_went_out = page.one("fieldset", id="out-row")
    for column, cell in enumerate(question_who_went_out.all("div", class_="cell")):
        sums[column] += points_of_going_out(question_who_went_out, cell)

    for row in page.all("div", class_="entry-row"):
        if not row.get("id").startswith("row-") or row["id"] == "row-other":
            continue
        for column, cell in enumerate(row.all("div", class_="cell")):
            sums[column] += points_of_cell(row, cell)
    return sums


@pytest.mark.quick(len(BY_VARIANT))
@pytest.mark.parametrize("variant", BY_VARIANT)
@pytest.mark.parametrize("hands", [slice(6), slice(6, None)], ids=["six", "of each kind"])
def test_columns_of_worked_hands_add_up(
    pad: Pad, client: Client, variant: str, hands: slice
) -> None:
    """The first six of the worked hands of each kind; the others in the long half."""
    for case in of_each_kind(variant)[hands]:
        match = begin(pad, client, case)
        if match is None:  # no match begins with the totals of this case
            continue
        page = Player(client, pad, match).while_typing(case.values)
        shown_sums = [first_number(text) for text in hand_sums(page)]
        assert sums_of_columns(page) == shown_sums, case.name


FORM_200_TO_100 = {
    "a.cards": "200",
    "a.left": "0",
    "b.cards": "100",
    "b.left": "0",
    "out": "nobody",
}
ADJUSTED_BY_50 = {"a.adjustments.0.points": "50", "a.adjustments.0.reason": "detto"}


@pytest.mark.parametrize(
    ("typed", "is_shown", "points"),
    [
        ({}, False, ["", ""]),
        ({"b.penalties.draw-out-of-turn": "1"}, True, ["", "−100"]),
        # 50 − 500 for a red three kept in hand
        ({**ADJUSTED_BY_50, "a.red_threes_held": "1"}, True, ["−450", ""]),
    ],
    ids=["nothing", "a penalty", "points agreed and a red three"],
)
def test_points_without_own_row_are_in_row_of_other_points(
    player: Player, typed: dict[str, str], is_shown: bool, points: list[str]
) -> None:
    page = player.while_typing({**FORM_200_TO_100, **typed})
    row = page.one(id="row-other")
    assert row.one("div", class_="name").text == "Altro"
    assert row.texts("output") == points
    assert row.has("hidden") is not is_shown


@pytest.mark.parametrize(("red_threes", "points"), [("4", "+800"), ("3", "")])
def test_all_four_red_threes_show_their_points_together(
    player: Player, red_threes: str, points: str
) -> None:
    """Each is worth 100, as its row says, and all four together 800."""
    page = player.while_typing({**FORM_200_TO_100, "a.red_threes": red_threes})
    cell_of_noi, cell_of_loro = page.one(id="row-red_threes").all("div", class_="cell")
    assert small_text(cell_of_noi, class_="points") == points
    assert small_text(cell_of_loro, class_="points") == ""
