"""The columns of a hand add up: each row as a reader counts it, and one row for everything that has
none.
"""

from __future__ import annotations

import re

import pytest

from scorepad.matches import Pad
from tests.web.client import Client, Element, Page
from tests.web.counting import begin as begin_match
from tests.web.counting import check, counting, sums
from tests.web.worked_hands import BY_VARIANT, Case, begin, of_each_kind

SIGNS = {"cards": 1, "left": -1}
"""Rows of points: the cards laid count for their side, those left in hand against it."""


def figure(text: str) -> int:
    """The first figure of a text: `1.500`, `+800`, `\N{MINUS SIGN}100`; 0 if there is none."""
    found = re.search("[\N{MINUS SIGN}+-]?[0-9][0-9.]*", text)
    if not found:
        return 0
    return int(found[0].replace(".", "").replace("\N{MINUS SIGN}", "-"))


def told_points(cell: Element) -> str:
    """The points that stand small in a cell; empty if there are none."""
    return " ".join(each.text for each in cell.all("small", class_="points"))


def small(name: Element) -> str:
    """What stands small beside the name of a row: the worth of each."""
    return " ".join(each.text for each in name.all("small"))


def cell_points(row: Element, cell: Element) -> int:
    """What a reader counts for a cell."""
    told = told_points(cell)
    if told:
        return figure(told)
    (field,) = cell.all("input")
    shown = field.get("value") or (field.get("placeholder") if field.has("readonly") else "")
    row_name = row["id"].removeprefix("row-")
    worth = SIGNS[row_name] if row_name in SIGNS else figure(small(row.one("div", class_="name")))
    return figure(shown) * worth


def out_points(question: Element, cell: Element) -> int:
    """What a reader counts for going out."""
    told = told_points(cell)
    if told:
        return figure(told)
    if not any(radio.has("checked") for radio in cell.all("input")):
        return 0
    concealed = question.all("input", id="concealed")
    if concealed and concealed[0].has("checked"):
        worth = figure(question.one("label", **{"for": "concealed"}).text)
        if worth:
            return worth
    return figure(small(question.one("div", class_="name")))


def added(page: Page) -> list[int]:
    """What each column adds up to."""
    rows = [row for row in page.all("div", class_="entry-row") if row.get("id").startswith("row-")]
    grid_rows = [row for row in rows if row["id"] != "row-other"]
    (question,) = page.all("fieldset", id="out-row")
    other = page.one(id="row-other")
    columns = []
    for place, column in enumerate(other.all("output")):
        points = sum(cell_points(row, row.all("div", class_="cell")[place]) for row in grid_rows)
        points += out_points(question, question.all("div", class_="cell")[place])
        columns.append(points + figure(column.text))
    shown = any(column.text for column in other.all("output"))
    assert other.has("hidden") is not shown
    return columns


def typed(pad: Pad, client: Client, case: Case) -> Page | None:
    """The form with a worked hand typed."""
    url = begin(pad, client, case)
    if url is None:
        return None
    return check(client, client.get(counting(url)), case.values)


def wrong_columns(pad: Pad, client: Client, cases: list[Case]) -> list[object]:
    """The worked hands of which a column does not add up."""
    wrong: list[object] = []
    for case in cases:
        page = typed(pad, client, case)
        if page is None:
            continue
        hand = [figure(text) for text in sums(page)]
        if added(page) != hand:
            wrong.append((case.name, added(page), hand))
    return wrong


@pytest.mark.parametrize("variant", BY_VARIANT)
def test_the_columns_of_worked_hands_add_up(pad: Pad, client: Client, variant: str) -> None:
    assert wrong_columns(pad, client, of_each_kind(variant)[:6]) == []


@pytest.mark.long
@pytest.mark.parametrize("variant", BY_VARIANT)
def test_the_columns_of_a_hand_of_each_kind_add_up(pad: Pad, client: Client, variant: str) -> None:
    assert wrong_columns(pad, client, of_each_kind(variant)[6:]) == []


CARDS = {"a.cards": "200", "a.left": "0", "b.cards": "100", "b.left": "0", "out": "nobody"}


@pytest.mark.parametrize(
    ("more", "others"),
    [
        ({}, ["", ""]),
        ({"a.penalties.draw-out-of-turn": "1"}, ["\N{MINUS SIGN}100", ""]),
        ({"b.adjustments.0.points": "50", "b.adjustments.0.reason": "detto"}, ["", "+50"]),
        # 500 for the red three in hand, and the agreed 50
        (
            {"a.red_threes_held": "1", "a.adjustments.0.points": "50", "a.adjustments.0.reason": "x"},
            ["\N{MINUS SIGN}450", ""],
        ),
    ],
)  # fmt: skip
def test_what_has_no_row_is_one_row(
    pad: Pad, client: Client, more: dict[str, str], others: list[str]
) -> None:
    match = begin_match(pad, client)
    page = check(client, client.get(counting(match)), {**CARDS, **more})
    assert page
    row = page.one(id="row-other")
    assert [output.text for output in row.all("output")] == others
    assert row.has("hidden") is not any(others)
    assert row.one("div", class_="name").text == "Altro"


@pytest.mark.parametrize(("red_threes", "points"), [("4", "+800"), ("3", "")])
def test_four_red_threes_show_what_they_are_worth_together(
    pad: Pad, client: Client, red_threes: str, points: str
) -> None:
    match = begin_match(pad, client)
    page = check(client, client.get(counting(match)), {**CARDS, "a.red_threes": red_threes})
    assert page
    told = [told_points(cell) for cell in page.one(id="row-red_threes").all("div", class_="cell")]
    assert told == [points, ""], "all four are worth 800 and not 400"
