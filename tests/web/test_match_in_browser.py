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

HAND_WITH_MANY_LINES = hand(
    side(400, 15, natural=1, mixed=2, red_threes=1, penalties=["draw-out-of-turn"]),
    side(100, 140),
    out="a",
)
"""A hand whose points have many lines: two kinds of canastas, cards laid, a red three, going out, a
penalty and cards left in hand.
"""
# A name has at most 60 characters. W is the widest letter, and a long word cannot be broken.
LONGEST_NAMES = ("W" * 60, "Associazionericreativaamicideltavoloverdedisantangeloinvado")
HAS_NO_SIDEWAYS_SCROLL = (
    "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
)
SCREENS = {"phone": (390, 844), "small": (320, 640), "desktop": (1280, 800)}

FIND_MISPLACED_FIGURES = """() => {
  const at = (each) => each.getBoundingClientRect();
  const misplaced = [];
  for (const hand of document.querySelectorAll('.hands > li')) {
    // The row of a hand has a column for each side, with the points of that side at its right end.
    const pointsEnd = [...hand.querySelectorAll('.row .made')].map((each) => at(each).right);
    const columns = [...hand.querySelectorAll('.row .score')].map(at);

    // The lines below it say what the points come from: a label and a figure for each side.
    for (const line of hand.querySelectorAll('.lines tbody tr, .lines tfoot tr')) {
      const label = at(line.querySelector('th'));
      for (const [side, cell] of [...line.querySelectorAll('td')].entries()) {
        const box = at(cell), column = columns[side];
        const isInColumn = Math.abs(box.left - column.left) < 2 && Math.abs(box.right - column.right) < 2;
        const isUnderPoints = Math.abs(at(cell.lastElementChild).right - pointsEnd[side]) < 2;
        const isBesideLabel = box.top < label.bottom;
        if (!isInColumn || !isUnderPoints || !isBesideLabel) misplaced.push(line.innerText + ' | ' + side);
      }
    }
  }
  return misplaced;
}"""
"""A script that returns the figures which do not end under the points of their side in a hand, or
stand outside its column or below their label.
"""

FIND_ELEMENTS_OUTSIDE = """(boxes) => {
  const outside = [];
  for (const outer of document.querySelectorAll(boxes)) {
    const room = outer.getBoundingClientRect();
    for (const each of outer.querySelectorAll('*')) {
      // An element in between that cuts off its text with an ellipsis may hold more than is seen.
      let within = each.parentElement;
      while (within !== outer && getComputedStyle(within).overflowX === 'visible') within = within.parentElement;
      if (within !== outer) continue;

      const at = each.getBoundingClientRect();
      const isShown = at.width > 1 && at.height > 1 && !each.closest('.unseen, .tab');
      const isBeside = at.left < room.left - 1 || at.right > room.right + 1 || at.top < room.top - 1;
      // A legend on the upper edge of its box is half outside.
      const isOnTheEdge = each.tagName === 'LEGEND'
        && at.top < each.parentElement.getBoundingClientRect().top + 0.5
        && getComputedStyle(each.parentElement).borderTopWidth !== '0px';
      if (isShown && (isBeside || isOnTheEdge)) outside.push(each.outerHTML.slice(0, 80));
    }
  }
  return outside;
}"""
"""A script that returns the elements which reach out of the boxes that they stand in."""


@pytest.fixture
def play_match(pad: Pad, new_match: NewMatch) -> Callable[..., str]:
    """Begin a match, count these hands in it, and return its address."""

    def begin_and_count(*, hands: list[dict[str, Any]], **match_options: Any) -> str:
        match = new_match(**match_options)
        for hand_played in hands:
            count_on_pad(pad, match, hand_played)
        return f"/partite/{match}"

    return begin_and_count


HAND_OF_THREE = {
    "sides": {"a": side(100, 0), "b": side(0, 50), "c": side(200, 0, mixed=1)},
    "out": {"side": "c"},
}
MATCHES = {
    "short names": {"hands": [HAND_WITH_MANY_LINES, HAND_WITH_MANY_LINES]},
    "long names": {"hands": [HAND_WITH_MANY_LINES, HAND_WITH_MANY_LINES], "names": LONGEST_NAMES},
    "three": {"hands": [HAND_OF_THREE], "variant": "tre", "names": ("Ada", "Bea", "Cleo")},
}


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("match", MATCHES.values(), ids=MATCHES.keys())
def test_score_lines_are_aligned_with_the_totals(
    play_match: Callable[..., str], open_page: OpenPage, screen: str, match: dict[str, Any]
) -> None:
    # Each hand has a row with the points of the sides in columns. Unfolded, it shows below that
    # row, line by line, what these points come from.
    page = open_page(play_match(**match), *SCREENS[screen])
    unfold_all = "document.querySelectorAll('details').forEach(each => { each.open = true; })"
    page.evaluate(unfold_all)

    # There are at least three lines of three columns. Every figure stands in the column of its
    # side, and ends where the points of that side end.
    assert page.locator(".lines td").count() >= 9
    assert page.evaluate(FIND_MISPLACED_FIGURES) == []
    assert page.evaluate(HAS_NO_SIDEWAYS_SCROLL)


def test_printed_page_is_aligned_and_shows_the_rules(
    play_match: Callable[..., str], open_page: OpenPage
) -> None:
    # On the screen nothing is seen of what is meant for paper.
    page = open_page(play_match(hands=[HAND_WITH_MANY_LINES]), 1280, 800)
    assert page.locator(".on-paper:visible").count() == 0

    # The page is shown as it would be printed.
    page.emulate_media(media="print")

    # Each figure of the score stands in the column of its side, under the points of the hand.
    assert page.evaluate(FIND_MISPLACED_FIGURES) == []

    # There are the place and time of the match, and a list of its rules.
    place_and_time = page.locator("p.on-paper")
    rules = page.locator("div.on-paper dl")
    assert place_and_time.is_visible()
    assert rules.is_visible()

    # The bar with the buttons, the links to further pages and what is said of the coming hand are
    # not printed.
    for not_printed in (".bar", ".more", ".coming"):
        assert not page.locator(not_printed).is_visible()


@pytest.mark.quick(1)
@pytest.mark.parametrize("screen", SCREENS)
def test_longest_names_stay_in_their_boxes(
    play_match: Callable[..., str], open_page: OpenPage, screen: str
) -> None:
    # Home page, match, form of a hand, that form with errors, and form of the names: for each page
    # the boxes in which names stand.
    match = play_match(hands=[HAND_WITH_MANY_LINES], names=LONGEST_NAMES)
    boxes_of_pages = {
        "/": ".match",
        match: ".standing, .played, .head, .bar",
        f"{match}/smazzata": ".side, .outs, .live-side, .bar",
        f"{match}/smazzata?errori=1": ".errors, .side",
        f"{match}/nomi": ".side",
    }
    for address, boxes in boxes_of_pages.items():
        page = open_page(address, *SCREENS[screen])
        assert page.evaluate(FIND_ELEMENTS_OUTSIDE, boxes) == [], address
        assert page.evaluate(HAS_NO_SIDEWAYS_SCROLL), address


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("path", ["", "/smazzata"])
def test_bar_moves_to_the_end_of_the_page_with_doubled_text(
    play_match: Callable[..., str], open_page: OpenPage, path: str, screen: str
) -> None:
    # The page of a match and that of its next hand have a bar with the main buttons. It stands at
    # the lower edge of the screen, where the thumb reaches it.
    match = play_match(hands=[HAND_WITH_MANY_LINES])
    width, height = SCREENS[screen]
    page = open_page(f"{match}{path}", width, height)
    bar = page.locator(".bar")
    box = bar.bounding_box()
    lower_edge_of_bar = box["y"] + box["height"]
    assert lower_edge_of_bar <= height + 1  # it may be rounded

    # The text is set to twice its size.
    page.evaluate("document.documentElement.style.fontSize = '200%'")

    # The bar would cover half of the screen now. So it stands at the end of the page, which is
    # further down. Only the page of the match on a wide screen always has it below the totals.
    is_wide_match_page = screen == "desktop" and path == ""
    if not is_wide_match_page:
        upper_edge_of_bar = bar.bounding_box()["y"]
        assert upper_edge_of_bar > height

    # The doubled text does not make the page wider than the screen.
    assert page.evaluate(HAS_NO_SIDEWAYS_SCROLL)
