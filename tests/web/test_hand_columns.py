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

SIGNS = {"row-cards": 1, "row-left": -1}
"""Rows of points: the cards laid count for their side, those left in hand against it."""


def figure(text: str) -> int:
    """The first figure of a text: `1.500`, `+800`, `\N{MINUS SIGN}100`; 0 if there is none."""
    found = re.search("[\N{MINUS SIGN}+-]?[0-9][0-9.]*", text)
    if not found:
        return 0
    return int(found[0].replace(".", "").replace("\N{MINUS SIGN}", "-"))


def small_text(element: Element, **attributes: str) -> str:
    """What stands small: the points told in a cell, or beside the name of a row the worth of each."""
    return " ".join(each.text for each in element.all("small", **attributes))


def points_of_cell(row: Element, cell: Element) -> int:
    """What a reader counts for a cell of a row."""
    told = small_text(cell, class_="points")
    if told:
        return figure(told)
    field = cell.one("input")
    shown = field.get("value")
    if not shown and field.has("readonly"):
        shown = field.get("placeholder")
    worth = SIGNS.get(row["id"])
    if worth is None:
        worth = figure(small_text(row.one("div", class_="name")))
    return figure(shown) * worth


def points_of_going_out(question: Element, cell: Element) -> int:
    """What a reader counts in a cell of the question who went out."""
    told = small_text(cell, class_="points")
    if told:
        return figure(told)
    if not any(radio.has("checked") for radio in cell.all("input")):
        return 0
    if any(box.has("checked") for box in question.all("input", id="concealed")):
        worth = figure(question.one("label", **{"for": "concealed"}).text)
        if worth:
            return worth
    return figure(small_text(question.one("div", class_="name")))


def added_up(page: Page) -> list[int]:
    """What each column adds up to."""
    going_out = page.one("fieldset", id="out-row")
    columns = [figure(output.text) for output in page.one(id="row-other").all("output")]
    for place, cell in enumerate(going_out.all("div", class_="cell")):
        columns[place] += points_of_going_out(going_out, cell)
    for row in page.all("div", class_="entry-row"):
        if row.get("id").startswith("row-") and row["id"] != "row-other":
            for place, cell in enumerate(row.all("div", class_="cell")):
                columns[place] += points_of_cell(row, cell)
    return columns


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
        assert added_up(page) == [figure(text) for text in hand_sums(page)], case.name


COUNTED = {"a.cards": "200", "a.left": "0", "b.cards": "100", "b.left": "0", "out": "nobody"}
AGREED = {"a.adjustments.0.points": "50", "a.adjustments.0.reason": "detto"}


@pytest.mark.parametrize(
    ("more", "others"),
    [
        ({}, ["", ""]),
        ({"b.penalties.draw-out-of-turn": "1"}, ["", "\N{MINUS SIGN}100"]),
        # 500 for the red three in hand
        ({**AGREED, "a.red_threes_held": "1"}, ["\N{MINUS SIGN}450", ""]),
    ],
)
def test_what_has_no_row_is_one_row(
    player: Player, more: dict[str, str], others: list[str]
) -> None:
    row = player.while_typing({**COUNTED, **more}).one(id="row-other")
    assert row.one("div", class_="name").text == "Altro"
    assert row.texts("output") == others
    assert row.has("hidden") is not any(others)


@pytest.mark.parametrize(("red_threes", "points"), [("4", "+800"), ("3", "")])
def test_four_red_threes_show_what_they_are_worth_together(
    player: Player, red_threes: str, points: str
) -> None:
    page = player.while_typing({**COUNTED, "a.red_threes": red_threes})
    cells = page.one(id="row-red_threes").all("div", class_="cell")
    told = [small_text(cell, class_="points") for cell in cells]
    assert told == [points, ""], "all four are worth 800 and not 400"
