"""The match page in a real browser: what stands under what, on screens and on paper, with long
names and large text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scorepad.matches import Pad
from tests.web.counting import NewMatch, OpenPage, count_on_pad
from tests.web.playing import hand, side

LONG_HAND = hand(
    side(400, 15, natural=1, mixed=2, red_threes=1, penalties=["draw-out-of-turn"]),
    side(100, 140),
    out="a",
)
"""A hand with many lines."""
LONG_NAMES = ("W" * 60, "Associazionericreativaamicideltavoloverdedisantangeloinvado")
FITS_THE_SCREEN = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
VIEWS = {"phone": (390, 844), "small": (320, 640), "desktop": (1280, 800)}

MISPLACED = """() => {
  const at = (each) => each.getBoundingClientRect();
  const rows = [...document.querySelectorAll('.hands > li')].flatMap((hand) => {
    const figures = [...hand.querySelectorAll('.row .made')].map((each) => at(each).right);
    const columns = [...hand.querySelectorAll('.row .score')].map(at);
    return [...hand.querySelectorAll('.lines tbody tr, .lines tfoot tr')].map((row) => [figures, columns, row]);
  });
  return rows.flatMap(([figures, columns, row]) => [...row.querySelectorAll('td')].map((cell, place) => {
    const end = cell.lastElementChild, column = columns[place], box = at(cell), label = at(row.querySelector('th'));
    const inside = Math.abs(box.left - column.left) < 2 && Math.abs(box.right - column.right) < 2;
    const right = Math.abs(at(end).right - figures[place]) < 2;
    return inside && right && box.top < label.bottom ? null : row.innerText + ' | ' + place;
  })).filter(Boolean);
}"""
"""Figures of lines that do not end under the figure of their side's hand, or stand outside its
column or below their label.
"""

STICKING_OUT = """(box) => [...document.querySelectorAll(box)].flatMap((outer) => {
  const room = outer.getBoundingClientRect();
  return [...outer.querySelectorAll('*')].filter((each) => {
    const at = each.getBoundingClientRect();
    let within = each.parentElement;
    while (within !== outer && getComputedStyle(within).overflowX === 'visible') within = within.parentElement;
    if (within !== outer) return false; // an ellipsis ends it
    const shown = at.width > 1 && at.height > 1 && !each.closest('.unseen, .tab');
    const onTheEdge = each.tagName === 'LEGEND' && at.top < each.parentElement.getBoundingClientRect().top + 0.5
      && getComputedStyle(each.parentElement).borderTopWidth !== '0px';
    return shown && (at.left < room.left - 1 || at.right > room.right + 1 || at.top < room.top - 1 || onTheEdge);
  }).map((each) => each.outerHTML.slice(0, 80));
})"""
"""Elements that reach out of the box that they stand in; a legend on its upper edge is half
outside.
"""


@pytest.fixture
def play(pad: Pad, new_match: NewMatch) -> Callable[..., str]:
    """Begins a match and counts these hands; its address."""

    def begin_and_count(*, hands: list[dict[str, Any]], **begun: Any) -> str:
        match = new_match(**begun)
        for each in hands:
            count_on_pad(pad, match, each)
        return f"/partite/{match}"

    return begin_and_count


HAND_OF_THREE = {
    "sides": {"a": side(100, 0), "b": side(0, 50), "c": side(200, 0, mixed=1)},
    "out": {"side": "c"},
}
MATCHES = {
    "short names": {"hands": [LONG_HAND, LONG_HAND]},
    "long names": {"hands": [LONG_HAND, LONG_HAND], "names": LONG_NAMES},
    "three": {"hands": [HAND_OF_THREE], "variant": "tre", "names": ("Ada", "Bea", "Cleo")},
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("match", MATCHES.values(), ids=MATCHES.keys())
def test_the_lines_of_a_hand_stand_under_the_columns_of_the_card(
    play: Callable[..., str], open_page: OpenPage, view: str, match: dict[str, Any]
) -> None:
    page = open_page(play(**match), *VIEWS[view])
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    assert page.locator(".lines td").count() >= 9
    assert page.evaluate(MISPLACED) == []
    assert page.evaluate(FITS_THE_SCREEN)


def test_on_paper_the_columns_hold_and_game_place_and_rules_are_printed_whatever_is_folded(
    play: Callable[..., str], open_page: OpenPage
) -> None:
    page = open_page(play(hands=[LONG_HAND]), 1280, 800)
    assert page.locator(".on-paper:visible").count() == 0

    page.emulate_media(media="print")

    assert page.evaluate(MISPLACED) == []
    for shown in ("p.on-paper", "div.on-paper dl"):
        assert page.locator(shown).is_visible()
    for left_out in (".bar", ".more", ".coming"):
        assert not page.locator(left_out).is_visible()


@pytest.mark.quick(1)
@pytest.mark.parametrize("view", VIEWS)
def test_the_longest_names_stay_in_their_boxes(
    play: Callable[..., str], open_page: OpenPage, view: str
) -> None:
    match = play(hands=[LONG_HAND], names=LONG_NAMES)
    boxes_of_pages = {
        "/": ".match",
        match: ".standing, .played, .head, .bar",
        f"{match}/smazzata": ".side, .outs, .live-side, .bar",
        f"{match}/smazzata?errori=1": ".errors, .side",
        f"{match}/nomi": ".side",
    }
    for address, boxes in boxes_of_pages.items():
        page = open_page(address, *VIEWS[view])
        assert page.evaluate(STICKING_OUT, boxes) == [], address
        assert page.evaluate(FITS_THE_SCREEN), address


@pytest.mark.parametrize("view", VIEWS)
def test_the_bar_covers_nothing_where_text_is_twice_as_large(
    play: Callable[..., str], open_page: OpenPage, view: str
) -> None:
    match = play(hands=[LONG_HAND])
    _, height = VIEWS[view]
    for address in (match, f"{match}/smazzata"):
        page = open_page(address, *VIEWS[view])
        bar = page.locator(".bar")
        box = bar.bounding_box()
        assert box["y"] + box["height"] <= height + 1, "within the thumb's reach"

        page.evaluate("document.documentElement.style.fontSize = '200%'")
        is_below_the_totals = view == "desktop" and address == match
        assert bar.bounding_box()["y"] > height or is_below_the_totals, "at the end of the page"
        assert page.evaluate(FITS_THE_SCREEN)
