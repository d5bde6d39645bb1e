"""axe finds nothing on any page, in both languages and both themes, and nothing scrolls sideways at 320 px."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from scorepad.pad import Pad
from scorepad.pad.answers import Saved
from scorepad.pad.values import NewMatch
from scorepad.pad.who import DeviceId, MatchId, RequestId
from scorepad.rules.variants import settle, variant_ids
from scorepad.storage import Storage
from tests.browser.hands import fill, new_match, open_hand, save
from tests.pad.whole_matches import GOLDEN, whole

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
        look_at(page, origin + address)
    assert page.locator("html").get_attribute("lang") == locale[:2]


@pytest.mark.parametrize("turn", range(len(LOOKS)))
def test_axe_finds_nothing_on_the_pages_of_any_variant(phone: Callable[..., Page], data: Path, turn: int) -> None:
    """Each variant in one of the looks, in turn; all looks see all kinds of pages."""
    locale, theme, width = LOOKS[turn]
    page = phone(locale=locale, color_scheme=theme, viewport={"width": width, "height": 844})
    origin = page.url.rstrip("/")
    page.context.add_cookies([{"name": "scorepad_language", "value": locale[:2], "url": origin}])
    device = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "scorepad_device")
    look_at(page, f"{origin}/giochi")
    with Storage(data) as storage:
        pad = Pad(storage)
        for variant in variant_ids()[turn :: len(LOOKS)]:
            match = half_played(pad, variant, DeviceId(device))
            for address in (
                f"/giochi/{variant}", f"/partite/nuova?variante={variant}", f"/partite/{match}",
                f"/partite/{match}/smazzata",
            ):  # fmt: skip
                look_at(page, origin + address)


def half_played(pad: Pad, variant: str, device: DeviceId) -> MatchId:
    """A match of the variant with two hands counted, where it has a whole one."""
    is_told = (GOLDEN / f"{variant}-whole-match.json").exists()
    new, hands = (whole(variant).new, whole(variant).hands[:2]) if is_told else (usual(variant), ())
    told = pad.start(RequestId(f"start-{variant}"), device, new)
    assert isinstance(told, Saved)
    for number, hand in enumerate(hands):
        coming = pad.open(told.match, device)
        pad.count(RequestId(f"{variant}-{number}"), told.match, device, coming.id, coming.version, hand)
    return told.match


def usual(variant: str) -> NewMatch:
    """A match of the variant between sides that go by a number."""
    sides = settle(variant).settings.sides
    return NewMatch(variant, None, {}, tuple(f"Squadra {number}" for number, _ in enumerate(sides, 1)), ())


def look_at(page: Page, url: str) -> None:
    """A page with everything on it unfolded: nothing for axe to find, nothing too wide, one heading on top."""
    page.goto(url)
    for fold in page.locator("details").all():
        fold.evaluate("element => element.open = true")
    found = Axe().run(page)
    assert found.violations_count == 0, f"{url}: {found.generate_report()}"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), url
    assert page.locator("h1").count() == 1, url
    assert str(page.locator("h1").text_content()).strip() in page.title(), url


def played(page: Page) -> Page:
    """A match with one hand counted."""
    new_match(page)
    open_hand(page)
    fill(page, HAND)
    save(page)
    return page
