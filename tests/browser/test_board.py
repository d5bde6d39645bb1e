"""The match in large figures: as large as the screen allows on any screen, and nothing of it cut
off.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from scorepad.matches import Pad
from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.storage import Storage
from tests.browser.conftest import Phone
from tests.browser.room import begin, device_of
from tests.hands_read import hand_of
from tests.matches.conftest import side_counted

SCREENS = {
    "old phone": (320, 568), "old phone lying": (568, 320), "phone": (390, 844), "phone lying": (844, 390),
    "tablet": (800, 1280), "tablet lying": (1280, 800), "television": (1920, 1080),
}  # fmt: skip
TABLET_DOTS = 149 / 25.4
"""To the millimetre, of ten inches with 1280 × 800."""
READ_FROM_3_METRES = 15
"""Millimetres: letters that eyes of seventy read at ease stand 1 in 200 of the distance."""
DIGIT = 0.7
"""Of a font's size, the height of its figures: least of those that come with systems."""
Board = Callable[..., Page]
"""What the fixture `board` gives: a screen and a match to the board on it."""
LONG = ("W" * 60, "Associazionericreativaamicideltavoloverdedisantangeloinvado")

MISFITS = """() => {
  const out = [], root = document.documentElement;
  if (root.scrollWidth > innerWidth) out.push('sideways');
  if (root.scrollHeight > innerHeight + 1) out.push('down');
  for (const place of document.querySelectorAll('.board-total')) {
    const room = place.getBoundingClientRect(), figure = place.firstElementChild.getBoundingClientRect();
    if (figure.left < room.left - 1 || figure.right > room.right + 1) out.push('wide ' + place.textContent);
    if (figure.top < room.top - 1 || figure.bottom > room.bottom + 1) out.push('high ' + place.textContent);
  }
  for (const side of document.querySelectorAll('.board-side')) {
    const room = side.getBoundingClientRect();
    for (const each of side.querySelectorAll('*')) {
      const at = each.getBoundingClientRect();
      if (at.left < room.left - 1 || at.right > room.right + 1 || at.top < room.top - 1 || at.bottom > room.bottom + 1)
        out.push('out ' + each.outerHTML.slice(0, 60));
    }
  }
  return out;
}"""
SIZES = """() => [...document.querySelectorAll('.board-total span, .board-opens strong')]
  .map((each) => parseFloat(getComputedStyle(each).fontSize))"""
ROOM_LEFT = """() => Math.min(...[...document.querySelectorAll('.board-total')].map((place) => {
  const figure = place.firstElementChild.getBoundingClientRect(), room = place.getBoundingClientRect();
  return Math.min(room.width / figure.width, room.height / figure.height);
}))"""


# 5 times 3 · 500 + 300 + 100 = 9500, and 565 + 4 · 570 = 2845 for the cards: 12.345. 5 times −250:
# −1.250.
FAR_SIDES = [
    {
        "a": side_counted(cards=cards, natural_canasta=3, mixed_canasta=1),
        "b": side_counted(left=250),
    }
    for cards in (565, 570, 570, 570, 570)
]
FAR = [hand_of({"sides": sides, "out": {"side": "a"}}) for sides in FAR_SIDES]
FAR_OF_THREE = [
    hand_of(
        {"sides": {**sides, "c": side_counted(cards=60)}, "out": {"side": "a"}}, ("a", "b", "c")
    )
    for sides in FAR_SIDES
]


@pytest.fixture
def board(phone: Phone, data: Path) -> Board:
    """The board of a match of these hands, on a screen of this size."""

    def show(size: tuple[int, int], names: tuple[str, ...], hands: Any, **more: Any) -> Page:
        page = phone(viewport={"width": size[0], "height": size[1]}, is_mobile=False, **more)
        variant = {2: "classica", 3: "tre"}[len(names)]
        new = NewMatch(variant, None, {"target": 500_000}, Labels(names, ()))
        with Storage(data) as storage:
            table = begin(Pad(storage), device_of(page), new)
            table.play(*hands)
        page.goto(f"{page.url}partite/{table.match}/tabellone")
        return page

    return show


KINDS: dict[str, tuple[tuple[str, ...], Any]] = {
    "new": (("Noi", "Loro"), ()),
    "far": (("Noi", "Loro"), FAR),
    "long names": (LONG, FAR),
    "three": (("Ada", "Bea", "Cleo"), FAR_OF_THREE),
    "three with long names": ((*LONG, "Cleo"), FAR_OF_THREE),
}


@pytest.mark.fonts
@pytest.mark.quick(1)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_cut_off_on_any_screen(board: Board, kind: str) -> None:
    page = board(SCREENS["phone"], *KINDS[kind])
    for name, (width, height) in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(50)
        misfits = page.evaluate(MISFITS)
        # The longest names there can be may make the smallest screens scroll down; nothing else
        # does.
        allowed = {"down"} if "long" in kind and "phone" in name else set()
        assert set(misfits) <= allowed, (name, misfits)
        if "long" not in kind:
            assert page.evaluate(ROOM_LEFT) < 1.35, f"{name}: larger figures would fit"
        if "long" not in kind and "tablet" in name:
            are_read_from_three_metres(page)


def are_read_from_three_metres(page: Page) -> None:
    """The totals on a tablet in the middle of the table; the openings from half as far."""
    heights = [size * DIGIT / TABLET_DOTS for size in page.evaluate(SIZES)]
    assert len(heights) == 2 * page.locator(".board-side").count()
    assert min(heights[::2]) >= READ_FROM_3_METRES, heights
    assert min(heights) >= READ_FROM_3_METRES / 2, heights


def test_without_javascript_and_with_text_twice_as_large_nothing_is_cut_off(
    board: Board,
) -> None:
    for kind in ("far", "three"):
        page = board(SCREENS["old phone"], *KINDS[kind], java_script_enabled=False)
        assert page.evaluate(MISFITS) == []
        page = board(SCREENS["old phone"], *KINDS[kind])
        for width, height in SCREENS.values():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            page.wait_for_timeout(50)
            assert set(page.evaluate(MISFITS)) <= {"down"}, (width, height)


LIT = "navigator.wakeLock.request = (what) => { window.lit = (window.lit || 0) + 1; return Promise.{how}; };"


@pytest.mark.parametrize("how", ["resolve({})", "reject(new Error('battery'))"])
def test_the_screen_stays_lit_where_it_may_and_nothing_breaks_where_it_may_not(
    board: Board, how: str
) -> None:
    page = board(SCREENS["tablet"], *KINDS["new"])
    page.add_init_script("if (navigator.wakeLock) " + LIT.replace("{how}", how))
    page.reload()
    assert page.evaluate("window.lit") == 1
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("window.lit") == 2, "it goes out while another page is looked at"
