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


def figure(text: str) -> int:
    """The first figure of a text: `1.500`, `+800`, `\N{MINUS SIGN}100`; 0 if there is none."""
    found = re.search("[\N{MINUS SIGN}+-]?[0-9][0-9.]*", text)
    if not found:
        return 0
    return int(found[0].replace(".", "").replace("\N{MINUS SIGN}", "-"))


def small_text(element: Element, **attributes: str) -> str:
    """What stands small: the points told in a cell, or beside the name of a row the worth of each."""
    return " ".join(element.texts("small", **attributes))


def points_of_cell(row: Element, cell: Element) -> int:
    """What a reader counts for a cell of a row: the points told there, or else what stands in its
    field times what each is worth.
    """
    points = small_text(cell, class_="points")
    if points:
        return figure(points)
    field = cell.one("input")
    count = field.get("value")
    if not count and field.has("readonly"):
        count = field.get("placeholder")
    if row["id"] in SIGN_OF_ROW:
        return figure(count) * SIGN_OF_ROW[row["id"]]
    return figure(count) * figure(small_text(row.one("div", class_="name")))


def points_of_going_out(question: Element, cell: Element) -> int:
    """What a reader counts in a cell of the question who went out."""
    points = small_text(cell, class_="points")
    if points:
        return figure(points)
    if not any(radio.has("checked") for radio in cell.all("input")):
        return 0
    if any(box.has("checked") for box in question.all("input", id="concealed")):
        worth_concealed = figure(question.one("label", **{"for": "concealed"}).text)
        if worth_concealed:
            return worth_concealed
    return figure(small_text(question.one("div", class_="name")))


def added_up(page: Page) -> list[int]:
    """What each column of the card adds up to."""
    going_out = page.one("fieldset", id="out-row")
    sums = [figure(text) for text in page.one(id="row-other").texts("output")]
    for column, cell in enumerate(going_out.all("div", class_="cell")):
        sums[column] += points_of_going_out(going_out, cell)
    for row in page.all("div", class_="entry-row"):
        if row.get("id").startswith("row-") and row["id"] != "row-other":
            for column, cell in enumerate(row.all("div", class_="cell")):
                sums[column] += points_of_cell(row, cell)
    return sums


@pytest.mark.quick(len(BY_VARIANT))
@pytest.mark.parametrize("variant", BY_VARIANT)
@pytest.mark.parametrize("hands", [slice(6), slice(6, None)], ids=["six", "of each kind"])
def test_the_columns_of_worked_hands_add_up(
    pad: Pad, client: Client, variant: str, hands: slice
) -> None:
    for case in of_each_kind(variant)[hands]:
        match = begin(pad, client, case)
        if match is None:
            continue
        page = Player(client, pad, match).while_typing(case.values)
        shown_sums = [figure(text) for text in hand_sums(page)]
        assert added_up(page) == shown_sums, case.name


FORM_200_TO_100 = {
    "a.cards": "200",
    "a.left": "0",
    "b.cards": "100",
    "b.left": "0",
    "out": "nobody",
}
AGREED_50 = {"a.adjustments.0.points": "50", "a.adjustments.0.reason": "detto"}


@pytest.mark.parametrize(
    ("typed", "is_shown", "points"),
    [
        ({}, False, ["", ""]),
        ({"b.penalties.draw-out-of-turn": "1"}, True, ["", "−100"]),
        # A red three kept in hand costs 500.
        ({**AGREED_50, "a.red_threes_held": "1"}, True, ["−450", ""]),
    ],
    ids=["nothing", "a penalty", "points agreed and a red three"],
)
def test_what_has_no_row_is_one_row(
    player: Player, typed: dict[str, str], is_shown: bool, points: list[str]
) -> None:
    row = player.while_typing({**FORM_200_TO_100, **typed}).one(id="row-other")
    assert row.one("div", class_="name").text == "Altro"
    assert row.texts("output") == points
    assert row.has("hidden") is not is_shown


@pytest.mark.parametrize(("red_threes", "points"), [("4", "+800"), ("3", "")])
def test_four_red_threes_show_what_they_are_worth_together(
    player: Player, red_threes: str, points: str
) -> None:
    """Each is worth 100, and all four together 800."""
    page = player.while_typing({**FORM_200_TO_100, "a.red_threes": red_threes})
    ours, theirs = page.one(id="row-red_threes").all("div", class_="cell")
    assert small_text(ours, class_="points") == points
    assert small_text(theirs, class_="points") == ""
