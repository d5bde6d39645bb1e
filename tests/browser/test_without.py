"""A whole match with the keyboard alone, and one without JavaScript, from the first page to the
sheet.

A match of 5,000 points ends after two hands, if the same hand is entered twice.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phone
from tests.browser.hands import new_match, sheet, totals

FIGURES_OF_HAND = {
    "a-canastas-natural-canasta": "4",
    "a-cards": "300",
    "a-red_threes": "2",
    "a-left": "0",
    "b-cards": "60",
    "b-left": "40",
}
"""What is typed into the form of a hand that side a goes out of. It is worth 2,600 and 20: 4 × 500 +
300 + 2 × 100 + 100 for going out, and 60 - 40.
"""
FOCUS_IS_OUTLINED = """() => {
  const focused = document.activeElement;
  const label = focused.labels && focused.labels[0];
  const elements = label ? [focused, label] : [focused];
  return elements.some(element => getComputedStyle(element).outlineStyle !== 'none');
}"""
"""Tells whether the element that has the focus, or its label, is outlined."""


class Keyboard:
    """A user who has no mouse, but the Tab key, arrows, Enter and letters."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def reach(self, selector: str) -> None:
        """Press Tab until this element has the focus, and check that it is outlined."""
        for _ in range(150):  # more than any page has elements to reach
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
        """Go to a field, and replace what is in it."""
        self.reach(f"#{field}")
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
    # The controls that the user reaches with the Tab key, in the order in which they need them.
    new_match_link = "a[href='/partite/nuova']"
    start_button = "button.primary"
    undo_button = ".bar button"
    new_hand_link = ".bar a.primary"
    save_button = "button[value=save]"
    sheet_link = "a[href*='foglio']"

    # At a desktop, the user starts a match from the home page.
    page = phone(viewport={"width": 1280, "height": 800}, is_mobile=False, has_touch=False)
    keyboard = Keyboard(page)
    keyboard.follow(new_match_link)
    keyboard.follow(start_button)

    # They enter and save a hand that is worth 2,600 and 20 points.
    enter_hand(keyboard)
    assert totals(page) == ["2.600", "20"]

    # They undo the hand, and save it again. The form still has its figures.
    keyboard.follow(undo_button)
    assert totals(page) == ["0", "0"]
    keyboard.follow(new_hand_link)
    expect(page.locator("#a-cards")).to_have_value("300")
    keyboard.follow(save_button)
    assert totals(page) == ["2.600", "20"]

    # The same hand once more ends the match at more than 5,000: "We won".
    enter_hand(keyboard)
    assert totals(page) == ["5.200", "40"]
    expect(page.locator(".ended-who")).to_contain_text("Abbiamo vinto noi")

    # The link to the sheet, a PDF, can be reached. The sheet has the total.
    keyboard.reach(sheet_link)
    assert "5.200" in sheet(page, tmp_path)


def enter_hand(keyboard: Keyboard) -> None:
    """Enter the hand of `FIGURES_OF_HAND` from the match page, and come back to it."""
    keyboard.follow(".bar a.primary")
    for field, text in FIGURES_OF_HAND.items():
        keyboard.type(field, text)
    keyboard.choose("out", "a")
    keyboard.follow("button[value=save]")


@pytest.mark.quick
def test_match_can_be_played_without_javascript(phone: Phone, tmp_path: Path) -> None:
    page = phone(java_script_enabled=False)
    new_match(page)
    new_hand = page.locator(".bar a.primary")
    noi_went_out = page.locator("label[for=out]", has_text="Noi")
    save_button = page.locator("button[value=save]")

    # A hand that is worth 2,600 and 20 points, and in which Noi ("we") go out, is entered twice.
    for totals_after_hand in (["2.600", "20"], ["5.200", "40"]):
        new_hand.click()
        for field, text in FIGURES_OF_HAND.items():
            page.locator(f"#{field}").fill(text)
        noi_went_out.click()
        save_button.click()
        assert totals(page) == totals_after_hand

    # The match to 5,000 is over: "We won". Its sheet, a PDF, has the total.
    expect(page.locator(".ended-who")).to_contain_text("Abbiamo vinto noi")
    assert "5.200" in sheet(page, tmp_path)

    # The log of the match ("Registro") is among more links, which are unfolded. It lists both hands.
    page.locator("#links summary").click()
    page.get_by_role("link", name=re.compile("Registro")).click()
    expect(page.locator("main")).to_contain_text("Smazzata 2")

    # Back on the page of the match, a rematch is started. It begins with no points.
    page.go_back()
    rematch_button = page.locator(".bar button.primary")
    rematch_button.click()
    assert totals(page) == ["0", "0"]


def test_hand_form_without_javascript_can_be_checked(phone: Phone) -> None:
    page = phone(java_script_enabled=False)
    new_match(page)
    page.locator(".bar a.primary").click()

    # The phone shows its keyboard of digits. The keypad of the page needs a script, and is hidden.
    expect(page.locator("#a-cards")).to_have_attribute("inputmode", "numeric")
    expect(page.locator("#digits")).to_be_hidden()

    # The button to check the hand loads the form anew, with what was typed.
    page.locator("#a-red_threes").fill("1")
    page.locator("#check").click()
    expect(page.locator("#a-red_threes")).to_have_value("1")
