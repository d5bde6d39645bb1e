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


def first_number(text: str) -> int:
    """Find the first number of a text such as `1.500`, `+800` or `−100`. 0 if there is none."""
    found = re.search("[\N{MINUS SIGN}+-]?[0-9][0-9.]*", text)
    if not found:
        return 0
    return int(found[0].replace(".", "").replace("\N{MINUS SIGN}", "-"))


def small_text(element: Element, **attributes: str) -> str:
    """Read the small print in a cell (its points), or in the name of a row (the points of each).

    The result is empty if there is none.
    """
    return " ".join(element.texts("small", **attributes))


def points_of_cell(row: Element, cell: Element) -> int:
    """Count the points of a cell as a reader does, by what the page shows."""
    # A cell may say its points: "+800" for four red threes, which is more than four times one.
    points_in_cell = small_text(cell, class_="points")
    if points_in_cell:
        return first_number(points_in_cell)

    # The number that somebody typed. If the pad counts it from the cards that were typed, the field
    # is read-only, and shows it as its placeholder.
    field = cell.one("input")
    text = field.get("value")
    if not text and field.has("readonly"):
        text = field.get("placeholder")
    number = first_number(text)

    # In two rows it is points: of the cards laid, and of those left in hand, which are taken away.
    if row["id"] == "row-cards":
        return number
    if row["id"] == "row-left":
        return -number

    # In the others it is a number of things: two mixed canastas are 2 × 300. The 300 stands beside
    # the name of the row.
    points_for_each = first_number(small_text(row.one("div", class_="name")))
    return number * points_for_each


def points_of_going_out(question: Element, cell: Element) -> int:
    """Count the points of a side for going out, by what the question who went out shows."""
    shown_points = small_text(cell, class_="points")
    if shown_points:
        return first_number(shown_points)

    went_out = cell.all("input", checked="")
    if not went_out:
        return 0

    # To go out concealed (all cards at once) may have points of its own.
    if question.all("input", id="concealed", checked=""):
        points_if_concealed = first_number(question.one("label", **{"for": "concealed"}).text)
        if points_if_concealed:
            return points_if_concealed
    usual_points = small_text(question.one("div", class_="name"))
    return first_number(usual_points)


def sums_of_columns(page: Page) -> list[int]:
    """Add up all points in the column of each side, as a reader does."""
    # Each row has the points of each side, such as [600, 300]. The row "Other" shows them as texts:
    # "−100" for a penalty.
    rows = [[first_number(text) for text in page.one(id="row-other").texts("output")]]

    # The row with the question who went out.
    question = page.one("fieldset", id="out-row")
    cells = question.all("div", class_="cell")
    rows.append([points_of_going_out(question, cell) for cell in cells])

    # The rows with a field for each side, such as "row-cards".
    for row in page.all("div", class_="entry-row"):
        if row.get("id").startswith("row-") and row["id"] != "row-other":
            cells = row.all("div", class_="cell")
            rows.append([points_of_cell(row, cell) for cell in cells])

    columns = zip(*rows, strict=True)
    return [sum(column) for column in columns]


@pytest.mark.quick(len(BY_VARIANT))
@pytest.mark.parametrize("variant", BY_VARIANT)
@pytest.mark.parametrize("hands", [slice(6), slice(6, None)], ids=["first six", "the others"])
def test_columns_of_worked_hands_add_up(
    pad: Pad, client: Client, variant: str, hands: slice
) -> None:
    # The hands come from `tests/cases`, one for each combination of fields that are filled in. They
    # are tested in two parts, because the quick run of the tests has only the first six.
    for case in of_each_kind(variant)[hands]:
        # A case has the totals before its hand. No match begins with those of a few cases: they are
        # no multiples of 5, or the match would be over.
        match = begin(pad, client, case)
        if match is None:
            continue

        # The hand is typed into the form of the match.
        page = Player(client, pad, match).while_typing(case.values)

        # A sum such as "+1.500" stands below each column. It is what the points above it add up to.
        sums_on_page = [first_number(text) for text in hand_sums(page)]
        assert sums_of_columns(page) == sums_on_page, case.name


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
        # 50 that the players agreed − 500 for a red three kept in hand
        ({**ADJUSTED_BY_50, "a.red_threes_held": "1"}, True, ["−450", ""]),
    ],
    ids=["nothing", "a penalty", "points agreed and a red three"],
)
def test_points_without_own_row_are_in_row_of_other_points(
    player: Player, typed: dict[str, str], is_shown: bool, points: list[str]
) -> None:
    page = player.while_typing({**FORM_200_TO_100, **typed})

    # The row is hidden as long as there are no such points.
    row = page.one(id="row-other")
    assert row.one("div", class_="name").text == "Altro"  # "Other"
    assert row.texts("output") == points
    assert row.has("hidden") is not is_shown


@pytest.mark.parametrize(
    ("red_threes", "points"), [("4", "+800"), ("3", "")], ids=["all four", "three"]
)
def test_all_four_red_threes_show_their_points_together(
    player: Player, red_threes: str, points: str
) -> None:
    # Each is worth 100, as the name of the row says. All four together are worth 800, which the
    # cell of the side must say.
    page = player.while_typing({**FORM_200_TO_100, "a.red_threes": red_threes})
    cell_of_noi, cell_of_loro = page.one(id="row-red_threes").all("div", class_="cell")
    assert small_text(cell_of_noi, class_="points") == points
    assert small_text(cell_of_loro, class_="points") == ""
