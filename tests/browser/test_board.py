"""The board, which shows the totals of a match in large figures to all at the table.

The figures are as large as the screen allows, and nothing is cut off.
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
"""What does not fit: "sideways" or "down" if the page has to be scrolled, "wide …" or "high …" for a
total that is larger than its place, "out …" for an element that lies outside the part of its side.
"""
FONT_SIZES = """() => [...document.querySelectorAll('.board-total span, .board-opens strong')]
  .map((each) => parseFloat(getComputedStyle(each).fontSize))"""
"""The font sizes in pixels: of each side those of its total, and of the points it needs to open."""
ROOM_AROUND_TOTALS = """() => Math.min(...[...document.querySelectorAll('.board-total')].map((place) => {
  const figure = place.firstElementChild.getBoundingClientRect(), room = place.getBoundingClientRect();
  return Math.min(room.width / figure.width, room.height / figure.height);
}))"""
"""By how much the totals could be larger and still fit in their places."""


# Five hands, in each of which the first side has 1,500 for three natural canastas, 300 for a mixed
# one, 100 for going out, and its cards: 5 × 1,900 + 565 + 4 × 570 = 12,345. The other side has
# 250 points of cards left in its hands each time: 5 × -250 = -1,250.
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
    """Begin a match between sides of these names, count the hands, and open its board.

    The screen has the size, and the phone the options of a Playwright context.
    """

    def begin_and_show(
        size: tuple[int, int], names: tuple[str, ...], hands: Any, **options: Any
    ) -> Page:
        """Begin a match and return its board on a screen of this width and height.

        `names` are two sides, or three. `options` are those of a Playwright context, such as
        `java_script_enabled=False`.
        """
        width, height = size
        page = phone(viewport={"width": width, "height": height}, is_mobile=False, **options)

        # "tre" is the game of three sides. The target is so high that the match is not over.
        variant = "tre" if len(names) == 3 else "classica"
        new_match = NewMatch(variant, None, {"target": 500_000}, Labels(names))

        # The match is written into the data file of the server: the phone owns it.
        with Storage(data) as storage:
            table = begin(Pad(storage), device_of(page), new_match)
            table.play(*hands)

        # "Tabellone" is the board.
        page.goto(f"{page.url}partite/{table.match}/tabellone")
        return page

    return begin_and_show


# The names of the sides, and the hands of the match.
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
    # The board shows a new match, or totals of 12,345 and -1,250, or three sides.
    names, hands = BOARDS[board_name]
    page = open_board(SCREENS["phone"], names, hands)

    # The window gets the size of each screen, from an old phone (320 x 568) to a television.
    for screen, size in SCREENS.items():
        set_size(page, size)

        # The script lists what is cut off, lies outside its place, or has to be scrolled to.
        assert page.evaluate(FIND_MISFITS) == [], screen

        # The second script tells by how much the totals could be enlarged until the first of them
        # does not fit. They fill their places, so that this is a third at most.
        assert page.evaluate(ROOM_AROUND_TOTALS) < 1.35, f"{screen}: larger figures would fit"
        if "tablet" in screen:
            check_letters_are_large_enough(page)


@pytest.mark.fonts
@pytest.mark.parametrize("board_name", ["long names", "three with long names"])
def test_board_with_longest_names_fits_every_screen(open_board: OpenBoard, board_name: str) -> None:
    # The names of two sides have sixty letters, and no space where they could be broken.
    page = open_board(SCREENS["phone"], *BOARDS[board_name])

    for screen, size in SCREENS.items():
        set_size(page, size)
        misfits = set(page.evaluate(FIND_MISFITS))
        # On a phone such a board may have to be scrolled down, elsewhere it may not.
        if "phone" in screen:
            misfits.discard("down")
        assert misfits == set(), screen


def set_size(page: Page, size: tuple[int, int]) -> None:
    """Give the window this width and height, and wait until the page has adapted."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(50)


def check_letters_are_large_enough(page: Page) -> None:
    """Check that on a tablet totals can be read from 3 metres, and opening minimums from half that."""
    # A tablet of ten inches with 1280 x 800 pixels has 149 pixels per inch.
    pixels_per_mm = 149 / 25.4
    # In the fonts of operating systems a digit is at least 0.7 of the font size high.
    heights = [size * 0.7 / pixels_per_mm for size in page.evaluate(FONT_SIZES)]

    # Each side has a total, followed by the minimum of points with which it may open.
    assert len(heights) == 2 * page.locator(".board-side").count()
    heights_of_totals = heights[::2]

    # People of seventy easily read letters of a two-hundredth of the distance: 15 mm from 3 m.
    assert min(heights_of_totals) >= 15, heights
    assert min(heights) >= 15 / 2, heights


@pytest.mark.parametrize("board_name", ["high totals", "three"])
def test_board_fits_without_javascript(open_board: OpenBoard, board_name: str) -> None:
    # Without a script only the style sheet makes the totals fit.
    page = open_board(SCREENS["old phone"], *BOARDS[board_name], java_script_enabled=False)
    assert page.evaluate(FIND_MISFITS) == []


@pytest.mark.parametrize("board_name", ["high totals", "three"])
def test_board_with_doubled_text_only_scrolls_down(open_board: OpenBoard, board_name: str) -> None:
    # The board shows totals of 12,345 and -1,250, or three sides.
    names, hands = BOARDS[board_name]
    page = open_board(SCREENS["old phone"], names, hands)

    # On each screen the text is doubled, as by the settings of a browser. The board has a moment to
    # fit its figures again.
    for screen, size in SCREENS.items():
        set_size(page, size)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        page.wait_for_timeout(50)

        # The script lists what does not fit: "down" for a page that has to be scrolled down, and
        # others for one that has to be scrolled sideways, and for what is cut off.
        misfits = page.evaluate(FIND_MISFITS)
        assert set(misfits) <= {"down"}, screen


COUNT_WAKE_LOCKS = """if (navigator.wakeLock) {
  window.wakeLocks = 0;
  navigator.wakeLock.request = () => { window.wakeLocks += 1; return Promise.ANSWER; };
}"""
"""Counts how often a page asks the browser to keep the screen on; ANSWER is what it is answered."""


@pytest.mark.parametrize(
    "answer", ["resolve({})", "reject(new Error('battery'))"], ids=["granted", "refused"]
)
def test_board_asks_to_keep_the_screen_on(open_board: OpenBoard, answer: str) -> None:
    page = open_board(SCREENS["tablet"], *BOARDS["new"])

    # As soon as the board is loaded, it asks for a wake lock.
    page.add_init_script(COUNT_WAKE_LOCKS.replace("ANSWER", answer))
    page.reload()
    assert page.evaluate("window.wakeLocks") == 1

    # A wake lock ends when the page is hidden. The board asks anew when it is seen again.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("window.wakeLocks") == 2
