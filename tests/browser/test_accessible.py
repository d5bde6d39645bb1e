"""axe finds nothing on any page, in both languages and both themes, and nothing scrolls sideways at 320 px."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.hands import fill, new_match, open_hand, save

HAND = {
    "sides": {
        "noi": {"melds": ["7xQ", "4xK 2"], "red_threes": 1, "left": "4 9"},
        "loro": {
            "totals": {"canastas": {"mixed-canasta": 1}, "cards": 150}, "left": 30, "penalties": ["draw-out-of-turn"],
        },
    },
    "out": {"side": "noi"},
}  # fmt: skip
LOOKS = [
    ("it-IT", "light", 390), ("it-IT", "dark", 320), ("en-GB", "light", 1280), ("en-GB", "dark", 390),
]  # fmt: skip


@pytest.mark.parametrize(("locale", "theme", "width"), LOOKS, ids=[f"{a}-{b}-{c}" for a, b, c in LOOKS])
def test_axe_finds_nothing_on_any_page(phone: Callable[..., Page], locale: str, theme: str, width: int) -> None:
    match = played(phone())
    looks = {"locale": locale, "color_scheme": theme, "viewport": {"width": width, "height": 844}}
    page = phone(**looks)
    page.context.add_cookies(match.context.cookies())
    origin, _, path = match.url.partition("/partite/")
    page.context.add_cookies([{"name": "scorepad_language", "value": locale[:2], "url": origin}])
    pages = ["/", "/partite/nuova", "/partite/nuova?variante=tre", f"/partite/{path}", f"/partite/{path}/smazzata",
             f"/partite/{path}/smazzata?errori=1", f"/partite/{path}/nomi", f"/partite/{path}/smazzate/1/correggi",
             "/partite/xxxxxxxxxx"]  # fmt: skip
    for address in pages:
        page.goto(origin + address)
        for fold in page.locator("details").all():
            fold.evaluate("element => element.open = true")
        found = Axe().run(page)
        assert found.violations_count == 0, f"{address}: {found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        assert page.locator("h1").count() == 1, address
        assert str(page.locator("h1").text_content()).strip() in page.title(), address
    assert page.locator("html").get_attribute("lang") == locale[:2]


def played(page: Page) -> Page:
    """A match with one hand counted."""
    new_match(page)
    open_hand(page)
    fill(page, HAND)
    save(page)
    return page
