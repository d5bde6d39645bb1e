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
TABLET_PIXELS_PER_MM = 149 / 25.4
"""Of ten inches with 1280 × 800."""
LETTERS_FOR_3_METRES = 15
"""Millimetres: people of seventy easily read letters of a two-hundredth of the distance."""
DIGIT_HEIGHT = 0.7
"""The height of digits as a part of the font size; the least in fonts of operating systems."""
OpenBoard = Callable[..., Page]
"""What the fixture `open_board` gives: it opens the board of a new match on a screen."""
LONGEST_NAMES = ("W" * 60, "Associazionericreativaamicideltavoloverdedisantangeloinvado")

FIND_MISFITS = """() => {
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
FONT_SIZES = """() => [...document.querySelectorAll('.board-total span, .board-opens strong')]
  .map((each) => parseFloat(getComputedStyle(each).fontSize))"""
ROOM_AROUND_TOTALS = """() => Math.min(...[...document.querySelectorAll('.board-total')].map((place) => {
  const figure = place.firstElementChild.getBoundingClientRect(), room = place.getBoundingClientRect();
  return Math.min(room.width / figure.width, room.height / figure.height);
}))"""


# Five hands of 3 natural canastas 1500, a mixed one 300, going out 100: 9,500; cards 565 + 4 × 570 =
# 2,845: 12,345. The other side has −250 in each: −1,250.
SIDES_OF_HANDS = [
    {
        "a": side_counted(cards=cards, natural_canasta=3, mixed_canasta=1),
        "b": side_counted(left=250),
    }
    for cards in (565, 570, 570, 570, 570)
]
HANDS_TO_12345 = [hand_of({"sides": sides, "out": {"side": "a"}}) for sides in SIDES_OF_HANDS]
HANDS_OF_THREE = [
    hand_of(
        {"sides": {**sides, "c": side_counted(cards=60)}, "out": {"side": "a"}}, ("a", "b", "c")
    )
    for sides in SIDES_OF_HANDS
]


@pytest.fixture
def open_board(phone: Phone, data: Path) -> OpenBoard:
    """Begins a match between sides of these names, counts the hands and opens the board."""

    def begin_and_show(
        size: tuple[int, int], names: tuple[str, ...], hands: Any, **options: Any
    ) -> Page:
        width, height = size
        page = phone(viewport={"width": width, "height": height}, is_mobile=False, **options)
        variant = "tre" if len(names) == 3 else "classica"
        new = NewMatch(variant, None, {"target": 500_000}, labels=Labels(names, ()))
        with Storage(data) as storage:
            table = begin(Pad(storage), device_of(page), new)
            table.play(*hands)
        page.goto(f"{page.url}partite/{table.match}/tabellone")
        return page

    return begin_and_show


BOARDS: dict[str, tuple[tuple[str, ...], Any]] = {
    "new": (("Noi", "Loro"), ()),
    "high totals": (("Noi", "Loro"), HANDS_TO_12345),
    "long names": (LONGEST_NAMES, HANDS_TO_12345),
    "three": (("Ada", "Bea", "Cleo"), HANDS_OF_THREE),
    "three with long names": ((*LONGEST_NAMES, "Cleo"), HANDS_OF_THREE),
}


@pytest.mark.fonts
@pytest.mark.quick(1)
@pytest.mark.parametrize("board_name", ["new", "high totals", "three"])
def test_board_fits_and_fills_every_screen(open_board: OpenBoard, board_name: str) -> None:
    page = open_board(SCREENS["phone"], *BOARDS[board_name])
    for screen, size in SCREENS.items():
        set_size(page, size)
        assert page.evaluate(FIND_MISFITS) == [], screen
        assert page.evaluate(ROOM_AROUND_TOTALS) < 1.35, f"{screen}: larger figures would fit"
        if "tablet" in screen:
            check_letters_are_large_enough(page)


@pytest.mark.fonts
@pytest.mark.parametrize("board_name", ["long names", "three with long names"])
def test_board_with_longest_names_fits_every_screen(open_board: OpenBoard, board_name: str) -> None:
    """Only phones may have to scroll down."""
    page = open_board(SCREENS["phone"], *BOARDS[board_name])
    for screen, size in SCREENS.items():
        set_size(page, size)
        misfits = set(page.evaluate(FIND_MISFITS))
        if "phone" in screen:
            misfits.discard("down")
        assert misfits == set(), screen


def set_size(page: Page, size: tuple[int, int]) -> None:
    """Give the window this width and height, and wait until the page has adapted."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(50)


def check_letters_are_large_enough(page: Page) -> None:
    """On a tablet the totals are read from 3 metres, the opening minimums from half as far."""
    heights = [size * DIGIT_HEIGHT / TABLET_PIXELS_PER_MM for size in page.evaluate(FONT_SIZES)]
    assert len(heights) == 2 * page.locator(".board-side").count()
    heights_of_totals = heights[::2]
    assert min(heights_of_totals) >= LETTERS_FOR_3_METRES, heights
    assert min(heights) >= LETTERS_FOR_3_METRES / 2, heights


@pytest.mark.parametrize("board_name", ["high totals", "three"])
def test_board_fits_without_javascript(open_board: OpenBoard, board_name: str) -> None:
    page = open_board(SCREENS["old phone"], *BOARDS[board_name], java_script_enabled=False)
    assert page.evaluate(FIND_MISFITS) == []


@pytest.mark.parametrize("board_name", ["high totals", "three"])
def test_board_with_doubled_text_only_scrolls_down(open_board: OpenBoard, board_name: str) -> None:
    page = open_board(SCREENS["old phone"], *BOARDS[board_name])
    for screen, size in SCREENS.items():
        set_size(page, size)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        page.wait_for_timeout(50)
        misfits = page.evaluate(FIND_MISFITS)
        assert set(misfits) <= {"down"}, screen


COUNT_WAKE_LOCKS = """if (navigator.wakeLock) {
  window.wakeLocks = 0;
  navigator.wakeLock.request = () => { window.wakeLocks += 1; return Promise.ANSWER; };
}"""


@pytest.mark.parametrize("answer", ["resolve({})", "reject(new Error('battery'))"])
def test_board_asks_to_keep_the_screen_on(open_board: OpenBoard, answer: str) -> None:
    """Whether the browser grants it or not. A wake lock ends while the page is hidden."""
    page = open_board(SCREENS["tablet"], *BOARDS["new"])
    page.add_init_script(COUNT_WAKE_LOCKS.replace("ANSWER", answer))
    page.reload()
    assert page.evaluate("window.wakeLocks") == 1

    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("window.wakeLocks") == 2
