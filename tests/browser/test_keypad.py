"""How figures are typed into the form of a hand, on screens of every size.

The page has a keypad of its own. Where the window is too small for it, the keyboard of the phone is
used, and the page adds a row of keys that this keyboard lacks.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.browser.conftest import Phone
from tests.browser.hands import new_match, open_hand

OpenHandForm = Callable[..., Page]
"""What the fixture `open_hand_form` gives: it opens the form of the coming hand on a screen."""


class Screen(NamedTuple):
    """The size of a window in pixels, and of its text in per cent, as chosen in the browser.

    A phone of 390 x 844 pixels leaves 390 x 664 of them where its browser shows its bars.
    """

    width: int
    height: int
    text: int = 100

    def __str__(self) -> str:
        return f"{self.width}x{self.height} {self.text}%"


SCREENS = (
    Screen(390, 844),
    Screen(390, 844, 200),
    Screen(280, 480),
    Screen(320, 568),
    Screen(320, 640),
    Screen(390, 540),
    Screen(390, 664),
    Screen(568, 320),
    Screen(667, 375),
    Screen(844, 390),
    Screen(390, 844, 150),
    Screen(390, 844, 175),
    Screen(320, 640, 200),
    Screen(844, 390, 200),
    Screen(1180, 820),
)
# The ids of some cells in the form of a hand: canastas, card points, red threes, and cards left in hand.
CELLS = (
    "a-canastas-natural-canasta", "b-canastas-natural-canasta", "a-canastas-mixed-canasta", "a-cards", "b-cards",
    "a-red_threes", "a-left", "b-left",
)  # fmt: skip

COUNT_COVERED_EDGES = """(id) => {
  const cell = document.getElementById(id);
  const box = cell.getBoundingClientRect();
  const middle = (box.left + box.right) / 2;
  return [box.top + 2, box.bottom - 2].filter((edge) => document.elementFromPoint(middle, edge) !== cell).length;
}"""
"""How many edges of a cell, its upper and its lower one, are out of the window or under something
else.
"""

FIND_HIDDEN_KEYS = """() => [...document.querySelectorAll("#digits button")].filter((key) => {
  const box = key.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const inside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  return !inside || at !== key || key.scrollWidth > key.clientWidth;
}).map((key) => key.dataset.key)"""
"""The keys that are out of the window, under something else, or too narrow for their text."""

BROKEN_SUMS = """() => [...document.querySelectorAll("output")].filter((each) => each.textContent).filter((each) => {
  const lines = document.createRange();
  lines.selectNodeContents(each);
  const box = each.closest(".cell").getBoundingClientRect();
  const text = lines.getBoundingClientRect();
  return lines.getClientRects().length !== 1 || text.left < box.left || text.right > box.right;
}).map((each) => each.textContent)"""
"""The sums that are on more than one line, or wider than their column."""


@pytest.fixture
def open_hand_form(phone: Phone) -> OpenHandForm:
    """Return a function that opens the form of a hand: `open_hand_form(Screen(390, 844))`."""

    def open_on_screen(screen: Screen, script: str = "") -> Page:
        """Begin a match on a screen, and open the form of its first hand.

        The script, if there is one, runs before those of the page.
        """
        page = phone(viewport={"width": screen.width, "height": screen.height})
        new_match(page)

        # Larger text, such as 200 per cent, as somebody chooses it in the settings of the browser.
        if screen.text != 100:
            enlarge_text = f"document.documentElement.style.fontSize = '{screen.text}%'"
            page.add_init_script(
                f"document.addEventListener('DOMContentLoaded', () => {{ {enlarge_text}; }})"
            )
        if script:
            page.add_init_script(script)
        open_hand(page)
        page.wait_for_load_state("load")
        return page

    return open_on_screen


def box_of(page: Page, selector: str) -> FloatRect:
    """Return the position and size of an element in the window."""
    box = page.locator(selector).bounding_box()
    assert box
    return box


def tap_cell(page: Page, cell: str) -> None:
    """Tap a cell of the form, by its id, and wait until it is scrolled into view."""
    page.locator(f"#{cell}").tap()
    expect(page.locator(f"#{cell}")).to_be_focused()
    page.wait_for_timeout(100)


@pytest.mark.fonts
@pytest.mark.quick(3)
@pytest.mark.parametrize("screen", SCREENS, ids=str)
def test_keypad_and_cell_are_visible_and_sums_fit_their_cells(
    open_hand_form: OpenHandForm, screen: Screen
) -> None:
    # Whichever cell is tapped, the keypad and the cell are visible together.
    page = open_hand_form(screen)
    for cell in CELLS:
        tap_cell(page, cell)
        assert page.locator(f"#{cell}").get_attribute("inputmode") == "none", "no phone's keyboard"
        assert page.evaluate(FIND_HIDDEN_KEYS) == [], cell
        assert page.evaluate(COUNT_COVERED_EDGES, cell) == 0, cell
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # Sums of five digits fit: the points of one side's cards, and those left in the other's hands,
    # which count against it.
    for cell in ("a-cards", "b-left"):
        tap_cell(page, cell)
        for key in "12140":
            tap_key(page, key)
    expect(page.locator("#hand-a")).to_have_text("+12.140")
    expect(page.locator("#total-b")).to_have_text("−12.140")
    assert page.evaluate(BROKEN_SUMS) == []


@pytest.mark.quick
def test_keypad_is_beside_the_grid_in_a_wide_low_window(open_hand_form: OpenHandForm) -> None:
    # On a phone that lies on its side there is no room for the keypad below the cells.
    page = open_hand_form(Screen(844, 390))
    tap_cell(page, "a-cards")

    keypad = box_of(page, "#digits")
    grid = box_of(page, ".grid")
    right_of_grid = grid["x"] + grid["width"]
    assert right_of_grid <= keypad["x"]


def tap_key(page: Page, key: str) -> None:
    """Tap a key of the page: a digit, `+`, or `next` for the next cell."""
    page.locator(f"#digits button[data-key='{key}']").tap()


FIND_SHOWN_KEYS = """() => [...document.querySelectorAll("#digits button")]
  .filter((key) => key.getClientRects().length).map((key) => key.dataset.key)"""


@pytest.mark.quick
def test_tiny_window_has_the_phones_keyboard_and_a_row_of_keys(
    open_hand_form: OpenHandForm,
) -> None:
    # The window has 260 x 270 pixels, in which the keypad of the page does not fit. So the browser
    # opens the phone's keyboard of digits ("numeric").
    page = open_hand_form(Screen(260, 270))
    tap_cell(page, "a-cards")
    assert page.locator("#a-cards").get_attribute("inputmode") == "numeric"

    # Of its own keypad the page shows only the keys that this keyboard lacks, in a row.
    shown_keys = page.evaluate(FIND_SHOWN_KEYS)
    assert shown_keys == ["+", "back", "×", "−", "next"]

    # Neither the upper nor the lower edge of the tapped cell is under something else.
    assert page.evaluate(COUNT_COVERED_EDGES, "a-cards") == 0

    # A cell takes a sum: "120+85".
    page.keyboard.type("120")
    tap_key(page, "+")
    page.keyboard.type("85")
    expect(page.locator("#hand-a")).to_have_text("+205")

    # In the cell of red threes, which are counted, "+" adds one.
    tap_key(page, "next")
    expect(page.locator("#a-red_threes")).to_be_focused()
    tap_key(page, "+")
    expect(page.locator("#a-red_threes")).to_have_value("1")


def test_keys_adapt_when_the_phone_is_turned(open_hand_form: OpenHandForm) -> None:
    page = open_hand_form(Screen(390, 844))
    tap_cell(page, "b-left")

    # "numeric" opens the keyboard of the phone. With "none" there is the keypad of the page instead.
    sizes = ((260, 270, "numeric"), (844, 390, "none"), (390, 844, "none"))
    for width, height, input_mode in sizes:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#b-left")).to_have_attribute("inputmode", input_mode)
        expect(page.locator("#a-cards")).to_have_attribute("inputmode", input_mode)

        # The cell that was tapped stays visible.
        page.wait_for_timeout(100)
        assert page.evaluate(COUNT_COVERED_EDGES, "b-left") == 0


FAKE_KEYBOARD = """
  const view = new EventTarget();
  Object.assign(view, { height: 0, width: 0, offsetTop: 0, offsetLeft: 0, scale: 1 });
  Object.defineProperty(window, "visualViewport", { value: view });
  window.showUpperPart = (height) => {
    Object.assign(view, { height, width: innerWidth });
    view.dispatchEvent(new Event("resize"));
  };
  addEventListener("DOMContentLoaded", () => Object.assign(view, { height: innerHeight, width: innerWidth }));
"""
"""Replaces the visual viewport, by which a browser tells how much of the window the keyboard of the
phone leaves: `showUpperPart(150)` leaves the upper 150 pixels.
"""


def test_row_of_keys_stays_above_the_phones_keyboard(open_hand_form: OpenHandForm) -> None:
    # A window of 275 pixels is too low for the keypad of the page, which shows a row of keys to use
    # beside the keyboard of the phone.
    page = open_hand_form(Screen(390, 275), FAKE_KEYBOARD)
    tap_cell(page, "a-red_threes")
    assert page.evaluate(FIND_SHOWN_KEYS) == ["+", "back", "×", "−", "next"]

    # The phone opens its keyboard, which leaves the upper 150 pixels of the window, then makes it
    # lower, and closes it. `showUpperPart` is a function of FAKE_KEYBOARD, which imitates that.
    for height_above_keyboard in (150, 200, 275):
        page.evaluate("showUpperPart", height_above_keyboard)
        page.wait_for_timeout(100)

        # The row of keys ends where the keyboard begins.
        keys = box_of(page, "#digits")
        bottom_of_keys = keys["y"] + keys["height"]
        assert bottom_of_keys == pytest.approx(height_above_keyboard, abs=1)
        assert keys["y"] >= 0

        # The cell is visible above the row of keys.
        cell = box_of(page, "#a-red_threes")
        assert cell["y"] >= 0
        assert cell["y"] + cell["height"] <= keys["y"] + 1


def test_zoomed_page_has_the_phones_keyboard(open_hand_form: OpenHandForm) -> None:
    page = open_hand_form(Screen(390, 844))
    tap_cell(page, "a-cards")

    # The user zooms in with two fingers to twice the size. Playwright has no such gesture, so the
    # browser is told by its protocol. Only a part of the page is seen then: the "visual viewport".
    browser = page.context.new_cdp_session(page)
    browser.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 2})

    # The keypad of the page gives way to the phone's keyboard of digits.
    expect(page.locator("#a-cards")).to_have_attribute("inputmode", "numeric")

    # What is left of it is a row of keys, as wide as the part that is seen, and at its lower edge.
    row = page.locator("#digits").evaluate("keys => keys.getBoundingClientRect().toJSON()")
    lower_edge = page.evaluate("visualViewport.offsetTop + visualViewport.height")
    width = page.evaluate("visualViewport.width")
    assert row["bottom"] == pytest.approx(lower_edge, abs=1)
    assert row["width"] == pytest.approx(width, abs=1)


@pytest.mark.quick
def test_concealed_going_out_can_be_chosen_beside_who_went_out(
    open_hand_form: OpenHandForm,
) -> None:
    # To go out "concealed" is to lay all cards in one turn. It is worth 200 points instead of 100,
    # and is asked only when a side went out.
    page = open_hand_form(Screen(390, 664))
    concealed = page.locator("label[for=concealed]")
    expect(concealed).to_be_hidden()

    # Side b went out, and concealed.
    page.locator("label[for=out-b]").tap()
    expect(concealed).to_have_text("In mano, 200")
    concealed.tap()
    page.locator("#b-canastas-natural-canasta").fill("1")
    page.locator("#b-cards").fill("145")
    page.locator("#b-left").fill("0")
    expect(page.locator("#hand-b")).to_have_text("+845")  # canasta 500, cards 145, going out 200

    # It was not concealed after all.
    page.locator("#concealed").uncheck()
    expect(page.locator("#hand-b")).to_have_text("+745")

    # Nobody went out.
    page.locator("label[for=out-nobody]").tap()
    expect(concealed).to_be_hidden()


def assert_in_view(page: Page, selector: str) -> None:
    """Wait until the page has scrolled, and check that an element is in the window, above the bar."""
    page.wait_for_timeout(150)
    box = box_of(page, selector)
    bar = box_of(page, ".bar")
    assert box["y"] >= 0, selector
    assert box["height"] > 0, selector
    assert box["y"] + box["height"] <= bar["y"] + 1, selector


@pytest.mark.parametrize("screen", [Screen(390, 664), Screen(390, 844), Screen(320, 640)], ids=str)
def test_unfolded_part_of_hand_form_is_scrolled_into_view(
    open_hand_form: OpenHandForm, screen: Screen
) -> None:
    # Below the cells there are parts that can be unfolded, and below all a bar with buttons.
    page = open_hand_form(screen)
    page.evaluate("scrollTo(0, 0)")

    # The user unfolds what is seldom needed.
    page.locator("#rest > summary").tap()
    assert_in_view(page, "#rest")

    # Then the fields to enter the cards of side b one by one.
    page.locator("#cards-b > summary").tap()
    assert_in_view(page, "#cards-b > summary")
    assert_in_view(page, "#b-melds")

    # A part that is higher than the window is shown from its beginning.
    page.locator("#more-b > summary").tap()
    assert_in_view(page, "#more-b > summary")
    assert_in_view(page, "#more-b .line:nth-of-type(2)")


SCROLL_ABOVE_THE_BAR = """(fold) => {
  const bar = document.querySelector(".bar").getBoundingClientRect();
  scrollBy({ top: fold.querySelector("summary").getBoundingClientRect().bottom - bar.top, behavior: "instant" });
}"""
"""Scrolls until the summary of a fold lies right above the bar."""


def unfold_above_the_bar(page: Page, fold: str) -> None:
    """Unfold a part whose summary lies right above the bar, and check that this is still visible."""
    page.locator(fold).evaluate(SCROLL_ABOVE_THE_BAR)
    page.locator(f"{fold} > summary").tap()
    assert_in_view(page, f"{fold} > summary")


@pytest.mark.parametrize("screen", [Screen(390, 664), Screen(390, 844)], ids=str)
def test_unfolded_part_of_other_pages_is_scrolled_into_view(phone: Phone, screen: Screen) -> None:
    page = phone(viewport={"width": screen.width, "height": screen.height})

    # The page to start a match has a folded part for the totals of a match that was begun on paper.
    with page.expect_navigation():
        page.get_by_role("link", name="Nuova partita").first.tap()  # "New match"

    # Only its title is seen, right above the bar of buttons at the bottom, when the user unfolds it.
    # The page scrolls, so that its first field is seen as well.
    unfold_above_the_bar(page, "#paper")
    first_field = "#paper input >> nth=0"
    assert_in_view(page, first_field)

    # The page of the match has a folded part with links. It is short at the beginning of a match:
    # with empty room at its top it is long enough to be scrolled.
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile("^Comincia: ")).tap()  # "Start: …"
    add_room = "main => main.style.paddingBlockStart = '60vh'"
    page.locator("main").evaluate(add_room)

    # Unfolded, it is scrolled to show its first link.
    unfold_above_the_bar(page, "#links")
    first_link = "#links li >> nth=0"
    assert_in_view(page, first_link)


@pytest.mark.quick
def test_arrow_in_the_bar_points_to_the_wrong_field(open_hand_form: OpenHandForm) -> None:
    # Points of cards are multiples of 5. The bar says that 303 is wrong, with a link to the field.
    page = open_hand_form(Screen(390, 664))
    page.locator("#a-cards").fill("303")
    with page.expect_navigation():
        page.get_by_role("button", name="Salva la smazzata").tap()  # "Save the hand"
    link = page.locator("#bar-message .bar-wrong a")
    wrong_field = page.locator(link.get_attribute("href") or "")

    # The page is told that it was scrolled after the field is moved, since it looks then where the
    # field is.
    move_down = """(field, distance) => {
      field.style.translate = `0 ${distance}`;
      dispatchEvent(new Event("scroll"));
    }"""

    # The field lies two heights of the window (vh) further down: the link has an arrow downwards.
    wrong_field.evaluate(move_down, "200vh")
    expect(link).to_contain_text("↓")

    # It lies as much further up.
    wrong_field.evaluate(move_down, "-200vh")
    expect(link).to_contain_text("↑")


@pytest.mark.quick
def test_sums_follow_typing_offline(open_hand_form: OpenHandForm) -> None:
    page = open_hand_form(Screen(390, 844))
    page.locator("#a-cards").fill("300")
    page.locator("#a-left").fill("0")
    expect(page.locator("#row-other")).to_be_hidden()

    # Without the network the page adds up what is typed: a penalty of 100 for drawing out of turn
    # stands in the row of all that has no row of its own.
    page.context.set_offline(True)
    page.locator("#more-a > summary").tap()
    page.locator("#a-penalties-draw-out-of-turn").fill("1")
    assert page.locator("#other-a").inner_text() == "−100"
    assert page.locator("#hand-a").inner_text() == "+200"  # 300 - 100

    # All four red threes are worth 200 each.
    page.locator("#a-red_threes").fill("4")
    assert page.locator("#a-red_threes-echo").inner_text() == "+800"
    assert page.locator("#hand-a").inner_text() == "+1.000"  # 200 + 800

    # With the network again, the sums come from the server, and are the same.
    page.context.set_offline(False)
    expect(page.locator("#hand-a")).not_to_have_attribute("data-local", "", timeout=15_000)
    assert page.locator("#other-a").inner_text() == "−100"
