"""The keys for figures on screens of every size: the keypad wholly in sight, or the phone's
keyboard with more keys.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.browser.conftest import Phone
from tests.browser.hands import new_match, open_hand

OpenHand = Callable[..., Page]
"""What the fixture `hand` gives: a screen to the page of the coming hand on it."""


class Screen(NamedTuple):
    """A screen; `text`: the size of its text in per cent, as chosen in the browser's settings."""

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
CELLS = (
    "a-canastas-natural-canasta", "b-canastas-natural-canasta", "a-canastas-mixed-canasta", "a-cards", "b-cards",
    "a-red_threes", "a-left", "b-left",
)  # fmt: skip
ENLARGED = "document.addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '{}%')"

COVERED = """(id) => {
  const cell = document.getElementById(id);
  const box = cell.getBoundingClientRect();
  const middle = (box.left + box.right) / 2;
  return [box.top + 2, box.bottom - 2].filter((edge) => document.elementFromPoint(middle, edge) !== cell).length;
}"""
"""How many edges of a cell, its upper and its lower one, are out of the window or under something
else.
"""

KEYS_OUT_OF_SIGHT = """() => [...document.querySelectorAll("#digits button")].filter((key) => {
  const box = key.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const inside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  return !inside || at !== key || key.scrollWidth > key.clientWidth;
}).map((key) => key.dataset.key)"""

BROKEN = """() => [...document.querySelectorAll("output")].filter((each) => each.textContent).filter((each) => {
  const lines = document.createRange();
  lines.selectNodeContents(each);
  const box = each.closest(".cell").getBoundingClientRect();
  const text = lines.getBoundingClientRect();
  return lines.getClientRects().length !== 1 || text.left < box.left || text.right > box.right;
}).map((each) => each.textContent)"""
"""The sums that are on more than one line, or wider than their column."""


@pytest.fixture
def hand(phone: Phone) -> OpenHand:
    """The coming hand of a new match on a screen of this size."""

    def opened(screen: Screen, script: str = "") -> Page:
        page = phone(viewport={"width": screen.width, "height": screen.height})
        new_match(page)
        if screen.text != 100:
            page.add_init_script(ENLARGED.format(screen.text))
        if script:
            page.add_init_script(script)
        open_hand(page)
        page.wait_for_load_state("load")
        return page

    return opened


def box_of(page: Page, selector: str) -> FloatRect:
    """Where something stands on the screen."""
    box = page.locator(selector).bounding_box()
    assert box
    return box


def tap(page: Page, cell: str) -> None:
    page.locator(f"#{cell}").tap()
    expect(page.locator(f"#{cell}")).to_be_focused()
    page.wait_for_timeout(100)  # it is scrolled into sight with the next frame


@pytest.mark.fonts
@pytest.mark.quick(3)
@pytest.mark.parametrize("screen", SCREENS, ids=str)
def test_the_keypad_is_wholly_in_sight_together_with_the_cell_and_no_sum_breaks(
    hand: OpenHand, screen: Screen
) -> None:
    page = hand(screen)
    for cell in CELLS:
        tap(page, cell)
        assert page.locator(f"#{cell}").get_attribute("inputmode") == "none"
        assert page.evaluate(KEYS_OUT_OF_SIGHT) == [], cell
        assert page.evaluate(COVERED, cell) == 0, cell
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for cell in ("a-cards", "b-left"):
        tap(page, cell)
        for key in "12140":
            page.locator(f"#digits button[data-key='{key}']").tap()
    expect(page.locator("#hand-a")).to_have_text("+12.140")
    expect(page.locator("#total-b")).to_have_text("−12.140")
    assert page.evaluate(BROKEN) == []


@pytest.mark.quick
def test_in_a_wide_low_window_the_keypad_stands_beside_the_grid(hand: OpenHand) -> None:
    page = hand(Screen(844, 390))
    tap(page, "a-cards")
    keys, grid = box_of(page, "#digits"), box_of(page, ".grid")
    assert grid["x"] + grid["width"] <= keys["x"]


ROW_OF_KEYS = ["+", "back", "×", "−", "next"]
SHOWN_KEYS = """() => [...document.querySelectorAll("#digits button")]
  .filter((key) => key.getClientRects().length).map((key) => key.dataset.key)"""


@pytest.mark.quick
def test_where_the_keypad_has_no_room_the_phones_keyboard_comes_with_a_row_of_keys(
    hand: OpenHand,
) -> None:
    page = hand(Screen(260, 270))
    tap(page, "a-cards")
    assert page.locator("#a-cards").get_attribute("inputmode") == "numeric"
    assert page.evaluate(SHOWN_KEYS) == ROW_OF_KEYS
    assert page.evaluate(COVERED, "a-cards") == 0
    page.keyboard.type("120")
    page.locator("#digits button[data-key='+']").tap()
    page.keyboard.type("85")
    expect(page.locator("#hand-a")).to_have_text("+205")
    page.locator("#digits button[data-key=next]").tap()
    expect(page.locator("#a-red_threes")).to_be_focused()
    page.locator("#digits button[data-key='+']").tap()
    expect(page.locator("#a-red_threes")).to_have_value("1")


def test_when_the_phone_is_turned_the_keys_are_measured_anew(hand: OpenHand) -> None:
    page = hand(Screen(390, 844))
    tap(page, "b-left")
    for width, height, mode in ((260, 270, "numeric"), (844, 390, "none"), (390, 844, "none")):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#b-left")).to_have_attribute("inputmode", mode)
        expect(page.locator("#a-cards")).to_have_attribute("inputmode", mode)
        page.wait_for_timeout(100)
        assert page.evaluate(COVERED, "b-left") == 0


KEYBOARD = """
  const view = new EventTarget();
  Object.assign(view, { height: 0, width: 0, offsetTop: 0, offsetLeft: 0, scale: 1 });
  Object.defineProperty(window, "visualViewport", { value: view });
  const seen = (height) => {
    Object.assign(view, { height, width: innerWidth });
    view.dispatchEvent(new Event("resize"));
  };
  window.seen = seen;
  addEventListener("DOMContentLoaded", () => Object.assign(view, { height: innerHeight, width: innerWidth }));
"""
"""A visual viewport of which a keyboard takes a part, as on a phone."""


def test_the_row_of_keys_stays_above_the_phones_keyboard(hand: OpenHand) -> None:
    page = hand(Screen(390, 275), KEYBOARD)
    tap(page, "a-red_threes")
    assert page.evaluate(SHOWN_KEYS) == ROW_OF_KEYS
    for seen in (150, 200, 275):
        page.evaluate("seen", seen)
        page.wait_for_timeout(100)
        keys, cell = box_of(page, "#digits"), box_of(page, "#a-red_threes")
        assert keys["y"] + keys["height"] == pytest.approx(seen, abs=1)
        assert keys["y"] >= 0
        assert 0 <= cell["y"] < cell["y"] + cell["height"] <= keys["y"] + 1


def test_enlarged_with_two_fingers_the_phones_keyboard_comes(hand: OpenHand) -> None:
    page = hand(Screen(390, 844))
    tap(page, "a-cards")
    page.context.new_cdp_session(page).send("Emulation.setPageScaleFactor", {"pageScaleFactor": 2})
    expect(page.locator("#a-cards")).to_have_attribute("inputmode", "numeric")
    row = page.locator("#digits").evaluate("(keys) => keys.getBoundingClientRect().toJSON()")
    view = page.evaluate(
        "(({ offsetTop, height, width }) => ({ offsetTop, height, width }))(visualViewport)"
    )
    assert row["bottom"] == pytest.approx(view["offsetTop"] + view["height"], abs=1)
    assert row["width"] == pytest.approx(view["width"], abs=1)


@pytest.mark.quick
def test_a_concealed_going_out_is_chosen_beside_who_went_out(hand: OpenHand) -> None:
    page = hand(Screen(390, 664))
    expect(page.locator("label[for=concealed]")).to_be_hidden()
    page.locator("label[for=out-b]").tap()
    choice = page.locator("label[for=concealed]")
    expect(choice).to_have_text("In mano, 200")
    choice.tap()
    page.locator("#b-canastas-natural-canasta").fill("1")
    page.locator("#b-cards").fill("145")
    page.locator("#b-left").fill("0")
    expect(page.locator("#hand-b")).to_have_text("+845")  # 500 + 145 + 200
    page.locator("#concealed").uncheck()
    expect(page.locator("#hand-b")).to_have_text("+745")
    page.locator("label[for=out-nobody]").tap()
    expect(choice).to_be_hidden()


def in_sight(page: Page, selector: str) -> None:
    """It is in the window and above the bar."""
    page.wait_for_timeout(150)
    box, bar = box_of(page, selector), box_of(page, ".bar")
    assert 0 <= box["y"] < box["y"] + box["height"] <= bar["y"] + 1, selector


@pytest.mark.parametrize("screen", [Screen(390, 664), Screen(390, 844), Screen(320, 640)], ids=str)
def test_what_is_unfolded_is_scrolled_into_sight_above_the_bar(
    hand: OpenHand, screen: Screen
) -> None:
    page = hand(screen)
    page.evaluate("scrollTo(0, 0)")
    page.locator("#rest > summary").tap()
    in_sight(page, "#rest")
    page.locator("#cards-b > summary").tap()
    in_sight(page, "#cards-b > summary")
    in_sight(page, "#b-melds")
    # higher than the window: its beginning
    page.locator("#more-b > summary").tap()
    in_sight(page, "#more-b > summary")
    in_sight(page, "#more-b .line:nth-of-type(2)")


ABOVE_THE_BAR = """(fold) => {
  const bar = document.querySelector(".bar").getBoundingClientRect();
  scrollBy({ top: fold.querySelector("summary").getBoundingClientRect().bottom - bar.top, behavior: "instant" });
}"""
"""Scrolls until the summary of a fold lies right above the bar."""


def unfold_above_the_bar(page: Page, fold: str) -> None:
    page.locator(fold).evaluate(ABOVE_THE_BAR)
    page.locator(f"{fold} > summary").tap()
    in_sight(page, f"{fold} > summary")


@pytest.mark.parametrize("screen", [Screen(390, 664), Screen(390, 844)], ids=str)
def test_what_is_unfolded_on_the_new_page_and_on_a_match_is_scrolled_into_sight_too(
    phone: Phone, screen: Screen
) -> None:
    page = phone(viewport={"width": screen.width, "height": screen.height})
    with page.expect_navigation():
        page.get_by_role("link", name="Nuova partita").first.tap()
    unfold_above_the_bar(page, "#paper")
    in_sight(page, "#paper input >> nth=0")
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile("^Comincia: ")).tap()
    page.locator("main").evaluate(
        "main => main.style.paddingBlockStart = '60vh'"
    )  # as long as later in a match
    unfold_above_the_bar(page, "#links")
    in_sight(page, "#links li >> nth=0")


@pytest.mark.quick
def test_the_arrow_of_the_bar_points_to_what_is_to_be_corrected(hand: OpenHand) -> None:
    page = hand(Screen(390, 664))
    page.locator("#a-cards").fill("303")
    with page.expect_navigation():
        page.get_by_role("button", name="Salva la smazzata").tap()
    link = page.locator("#bar-message .bar-wrong a")
    wrong = page.locator(link.get_attribute("href") or "")
    for moved, arrow in (("0 200vh", "↓"), ("0 -200vh", "↑")):
        wrong.evaluate("(field, moved) => field.style.translate = moved", moved)
        page.evaluate("dispatchEvent(new Event('scroll'))")
        expect(link).to_contain_text(arrow)


@pytest.mark.quick
def test_the_row_of_what_has_no_row_follows_typing_without_network(
    hand: OpenHand,
) -> None:
    page = hand(Screen(390, 844))
    page.locator("#a-cards").fill("300")
    page.locator("#a-left").fill("0")
    expect(page.locator("#row-other")).to_be_hidden()
    page.context.set_offline(True)
    page.locator("#more-a > summary").tap()
    page.locator("#a-penalties-draw-out-of-turn").fill("1")
    assert page.locator("#other-a").inner_text() == "−100"
    assert page.locator("#hand-a").inner_text() == "+200"
    page.locator("#a-red_threes").fill("4")
    assert page.locator("#a-red_threes-echo").inner_text() == "+800"
    assert page.locator("#hand-a").inner_text() == "+1.000"
    page.context.set_offline(False)
    expect(page.locator("#hand-a")).not_to_have_attribute("data-local", "", timeout=15_000)
    assert page.locator("#other-a").inner_text() == "−100"
