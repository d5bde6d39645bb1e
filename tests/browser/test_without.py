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

FIELDS = {
    "a.canastas.natural-canasta": "4",
    "a.cards": "300",
    "a.red_threes": "2",
    "a.left": "0",
    "b.cards": "60",
    "b.left": "40",
}
AFTER = [["2.600", "20"], ["5.200", "40"]]
MOST_TABS = 150


class Keyboard:
    """Somebody who has no mouse: the Tab key, arrows, Space, Enter and letters."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def reach(self, selector: str) -> None:
        """Go from field to field until this one has the focus, and see that it shows."""
        for _ in range(MOST_TABS):
            if self.page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
                # What has the focus is not covered by the bar at the foot, and shows that it has
                # it.
                shown = self.page.evaluate(
                    """() => { const at = document.activeElement, label = at.labels && at.labels[0];
                    const seen = [at, label].filter(Boolean).map(each => getComputedStyle(each));
                    return seen.some(style => style.outlineStyle !== 'none'); }"""
                )
                assert shown, selector
                return
            self.press("Tab")
        raise AssertionError(f"the keyboard does not reach {selector}")

    def follow(self, selector: str) -> None:
        self.reach(selector)
        with self.page.expect_navigation():
            self.press("Enter")

    def type(self, field: str, text: str) -> None:
        self.reach(f"#{field.replace('.', '-')}")
        self.press("Control+a")
        self.page.keyboard.type(text)

    def choose(self, group: str, value: str) -> None:
        """A choice of a group: one stop for Tab, then arrows."""
        self.reach(f"input[name={group}]")
        for _ in range(10):
            self.press("ArrowDown")
            chosen = self.page.locator(f"input[name={group}]:checked")
            if chosen.count() and chosen.get_attribute("value") == value:
                return
        raise AssertionError(f"the arrows do not reach {value}")


def test_a_whole_match_by_keyboard_alone(phone: Phone, tmp_path: Path) -> None:
    page = phone(viewport={"width": 1280, "height": 800}, is_mobile=False, has_touch=False)
    keys = Keyboard(page)
    keys.follow("a[href='/partite/nuova']")
    keys.follow("button.primary")
    for number, after in enumerate(AFTER):
        keys.follow(".bar a.primary")
        for field, text in FIELDS.items():
            keys.type(field, text)
        keys.choose("out", "a")
        keys.follow("button[value=save]")
        assert totals(page) == after
        if number == 0:
            keys.follow(".bar button")  # undone, and as it was typed it is saved again
            assert totals(page) == ["0", "0"]
            keys.follow(".bar a.primary")
            expect(page.locator("#a-cards")).to_have_value("300")
            keys.follow("button[value=save]")
            assert totals(page) == after
    expect(page.locator(".ended-who")).to_contain_text("Abbiamo vinto noi")
    keys.reach("a[href$='/foglio.pdf'], a[href*='foglio']")
    assert "5.200" in sheet(page, tmp_path)


@pytest.mark.quick
def test_a_whole_match_without_javascript(phone: Phone, tmp_path: Path) -> None:
    page = phone(java_script_enabled=False)
    new_match(page)
    for number, after in enumerate(AFTER):
        page.locator(".bar a.primary").click()
        if number == 0:
            expect(page.locator("#a-cards")).to_have_attribute("inputmode", "numeric")
            expect(page.locator("#digits")).to_be_hidden()
            page.locator("#a-red_threes").fill("1")
            page.locator("#check").click()  # goes to the server and comes back
            expect(page.locator("#a-red_threes")).to_have_value("1")
        for field, text in FIELDS.items():
            page.locator(f"#{field.replace('.', '-')}").fill(text)
        page.locator("label[for=out-1], label[for=out]").filter(has_text="Noi").first.click()
        page.locator("button[value=save]").click()
        assert totals(page) == after
    expect(page.locator(".ended-who")).to_contain_text("Abbiamo vinto noi")
    assert "5.200" in sheet(page, tmp_path)

    page.locator("#links summary").click()
    page.get_by_role("link", name=re.compile("Registro")).click()
    expect(page.locator("main")).to_contain_text("Smazzata 2")
    page.go_back()
    page.locator(".bar button.primary").click()  # the rematch
    assert totals(page) == ["0", "0"]
