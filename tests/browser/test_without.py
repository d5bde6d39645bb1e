"""A whole match with the keyboard alone, and a whole match without JavaScript, from the first page
to the sheet.

Each match is two hands, worked by hand. In the first noi lay four natural canastas for 2.000 and
300 points of cards, show two red threes for 200 and go out for 100: 2.600; loro lay 60 and hold 40:
20. In the second, opening with 90 (2.600), noi make the same: 5.200, past 5.000; loro make 20 more:
40.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phone
from tests.browser.hands import new_match, sheet, totals

FIGURES_OF_HAND = {
    "a.canastas.natural-canasta": "4",
    "a.cards": "300",
    "a.red_threes": "2",
    "a.left": "0",
    "b.cards": "60",
    "b.left": "40",
}
TOTALS_AFTER_HANDS = [["2.600", "20"], ["5.200", "40"]]
MOST_TABS = 150
FOCUS_IS_OUTLINED = """() => {
  const focused = document.activeElement;
  const label = focused.labels && focused.labels[0];
  const elements = label ? [focused, label] : [focused];
  return elements.some(element => getComputedStyle(element).outlineStyle !== 'none');
}"""
"""Whether the element that has the focus, or its label, is outlined."""


class Keyboard:
    """Somebody who has no mouse: the Tab key, arrows, Space, Enter and letters."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def reach(self, selector: str) -> None:
        """Press Tab until this element has the focus, and see that it is outlined."""
        for _ in range(MOST_TABS):
            if self.page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
                assert self.page.evaluate(FOCUS_IS_OUTLINED), selector
                return
            self.press("Tab")
        raise AssertionError(f"the keyboard does not reach {selector}")

    def follow(self, selector: str) -> None:
        """Go to a link or a button and press Enter, which leads to another page."""
        self.reach(selector)
        with self.page.expect_navigation():
            self.press("Enter")

    def type(self, field: str, text: str) -> None:
        self.reach(f"#{field.replace('.', '-')}")
        self.press("Control+a")
        self.page.keyboard.type(text)

    def choose(self, group: str, value: str) -> None:
        """Choose a value in a group of radio buttons: reached with Tab, chosen with arrows."""
        self.reach(f"input[name={group}]")
        for _ in range(10):
            self.press("ArrowDown")
            chosen = self.page.locator(f"input[name={group}]:checked")
            if chosen.count() and chosen.get_attribute("value") == value:
                return
        raise AssertionError(f"the arrows do not reach {value}")


def test_match_can_be_played_by_keyboard(phone: Phone, tmp_path: Path) -> None:
    page = phone(viewport={"width": 1280, "height": 800}, is_mobile=False, has_touch=False)
    keyboard = Keyboard(page)
    keyboard.follow("a[href='/partite/nuova']")
    keyboard.follow("button.primary")
    first_totals, second_totals = TOTALS_AFTER_HANDS

    enter_hand(keyboard)
    assert totals(page) == first_totals

    undo = ".bar button"
    keyboard.follow(undo)
    assert totals(page) == ["0", "0"]
    keyboard.follow(".bar a.primary")
    expect(page.locator("#a-cards")).to_have_value("300")
    keyboard.follow("button[value=save]")
    assert totals(page) == first_totals

    enter_hand(keyboard)
    assert totals(page) == second_totals
    expect(page.locator(".ended-who")).to_contain_text("Abbiamo vinto noi")
    keyboard.reach("a[href*='foglio']")
    assert "5.200" in sheet(page, tmp_path)


def enter_hand(keyboard: Keyboard) -> None:
    """Enter the hand by keyboard, from the match page to the match page."""
    keyboard.follow(".bar a.primary")
    for field, text in FIGURES_OF_HAND.items():
        keyboard.type(field, text)
    keyboard.choose("out", "a")
    keyboard.follow("button[value=save]")


@pytest.mark.quick
def test_match_can_be_played_without_javascript(phone: Phone, tmp_path: Path) -> None:
    page = phone(java_script_enabled=False)
    new_match(page)
    for totals_after_hand in TOTALS_AFTER_HANDS:
        page.locator(".bar a.primary").click()
        for field, text in FIGURES_OF_HAND.items():
            page.locator(f"#{field.replace('.', '-')}").fill(text)
        page.locator("label[for=out-1], label[for=out]").filter(has_text="Noi").first.click()
        page.locator("button[value=save]").click()
        assert totals(page) == totals_after_hand
    expect(page.locator(".ended-who")).to_contain_text("Abbiamo vinto noi")
    assert "5.200" in sheet(page, tmp_path)

    page.locator("#links summary").click()
    page.get_by_role("link", name=re.compile("Registro")).click()  # the log
    expect(page.locator("main")).to_contain_text("Smazzata 2")
    page.go_back()
    rematch = page.locator(".bar button.primary")
    rematch.click()
    assert totals(page) == ["0", "0"]


def test_hand_form_without_javascript_can_be_checked(phone: Phone) -> None:
    page = phone(java_script_enabled=False)
    new_match(page)
    page.locator(".bar a.primary").click()
    expect(page.locator("#a-cards")).to_have_attribute("inputmode", "numeric")
    expect(page.locator("#digits")).to_be_hidden()

    page.locator("#a-red_threes").fill("1")
    page.locator("#check").click()

    expect(page.locator("#a-red_threes")).to_have_value("1")
