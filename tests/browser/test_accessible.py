"""axe finds nothing on any page, in both languages, both themes and three widths.

The usual run shows it each page once, in one of the twelve looks in turn; `-m full` all pages in all looks.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page
from werkzeug.exceptions import MethodNotAllowed, NotFound

from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, MatchId, RequestId
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.rules.variants import settle, variant_ids
from scorepad.storage import Storage
from tests.browser.gallery import LOOKS as ALL_LOOKS
from tests.browser.gallery import PAGES, Gallery, Shown
from tests.cookies import device_in
from tests.matches.whole_matches import GOLDEN, whole

LOOKS = [
    ("it-IT", "light", 390), ("it-IT", "dark", 320), ("en-GB", "light", 1280), ("en-GB", "dark", 390),
]  # fmt: skip
NO_PAGES = {"share.sheet", "share.picture", "live.state", "home.state", "phones.state", "static"}
NO_PAGES |= {"health", "files.whole", "files.rows", "files.every", "files.every_row", "rulebook.blank", "rulebook.card"}
"""What is fetched and is no page: a PDF, a picture, the state that pages follow, health, matches and rows to keep."""
IN_TURN = [pytest.param(page, ALL_LOOKS[turn % len(ALL_LOOKS)], id=page.name) for turn, page in enumerate(PAGES)]


@pytest.mark.quick(3)
@pytest.mark.parametrize(("shown", "look"), IN_TURN)
def test_axe_finds_nothing_on_any_page(
    browser: Browser, gallery: Gallery, shown: Shown, look: tuple[str, str, int]
) -> None:
    """Each page in one of the looks, in turn."""
    examine(browser, gallery, shown, look)


@pytest.mark.full
@pytest.mark.parametrize("look", ALL_LOOKS, ids=["-".join(map(str, look)) for look in ALL_LOOKS])
@pytest.mark.parametrize("shown", PAGES, ids=[shown.name for shown in PAGES])
def test_axe_finds_nothing_on_any_page_in_any_look(
    browser: Browser, gallery: Gallery, shown: Shown, look: tuple[str, str, int]
) -> None:
    examine(browser, gallery, shown, look)


def test_every_page_of_the_app_is_looked_at(gallery: Gallery) -> None:
    """Whoever adds a page finds this test asking for its place among those that are looked at."""
    rules = gallery.tables.app.url_map
    there = {rule.endpoint for rule in rules.iter_rules() if "GET" in (rule.methods or ()) and not rule.redirect_to}
    at = rules.bind("127.0.0.1")
    found = set()
    for shown in PAGES:
        with suppress(NotFound, MethodNotAllowed):
            found.add(at.match(gallery.path(shown).partition("?")[0])[0])
    assert {endpoint for endpoint in there - found if not endpoint.startswith("api.")} == NO_PAGES


@pytest.mark.quick(3)
@pytest.mark.parametrize("endpoint", sorted(NO_PAGES - {"static"}))
def test_what_is_not_looked_at_is_no_page(gallery: Gallery, endpoint: str) -> None:
    match = gallery.tables.urls["played"].rpartition("/")[2]
    url = gallery.tables.app.url_map.bind("127.0.0.1").build(endpoint, {"match": match, "game": "samba"})
    answer = gallery.tables.owner.raw.get(url)
    assert answer.status_code == 200
    assert answer.mimetype in ("application/pdf", "image/png", "application/json", "text/csv", "text/plain")


def examine(browser: Browser, gallery: Gallery, shown: Shown, look: tuple[str, str, int]) -> None:
    language, theme, width = look
    size = {"width": width, "height": 800}
    with gallery.phone(browser, shown.who, language, color_scheme=theme, viewport=size) as page:
        gallery.show(page, shown)
        assert page.locator("html").get_attribute("lang") == language
        assert page.locator("h1").count() == 1
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.full)])
@pytest.mark.parametrize("turn", range(len(LOOKS)))
def test_axe_finds_nothing_on_the_pages_of_any_variant(
    phone: Callable[..., Page], data: Path, turn: int, *, whole: bool
) -> None:
    """Each variant in one of the looks, in turn; all looks see all kinds of pages, two of them of each variant."""
    locale, theme, width = LOOKS[turn]
    page = phone(locale=locale, color_scheme=theme, viewport={"width": width, "height": 844})
    origin = page.url.rstrip("/")
    page.context.add_cookies([{"name": "scorepad_language", "value": locale[:2], "url": origin}])
    device = device_in(
        next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "scorepad_device")
    )
    look_at(page, f"{origin}/regole")
    with Storage(data) as storage:
        pad = Pad(storage)
        for place, variant in enumerate(variant_ids()[turn :: len(LOOKS)]):
            match = half_played(pad, variant, DeviceId(device))
            addresses = (
                f"/regole/{variant}", f"/partite/nuova?variante={variant}", f"/partite/{match}",
                f"/partite/{match}/smazzata",
            )  # fmt: skip
            for address in addresses if whole else addresses[place % 2 :: 2]:
                look_at(page, origin + address)


def half_played(pad: Pad, variant: str, device: DeviceId) -> MatchId:
    """A match of the variant with two hands counted, where it has a whole one."""
    is_told = (GOLDEN / f"{variant}-whole-match.json").exists()
    new, hands = (whole(variant).new, whole(variant).hands[:2]) if is_told else (usual(variant), ())
    told = pad.actions.start(RequestId(f"start-{variant}"), device, new)
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
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), url
    assert page.locator("h1").count() == 1, url
    assert str(page.locator("h1").text_content()).strip() in page.title(), url
