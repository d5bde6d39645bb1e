"""Every page of the app is opened once: on the smallest screen, in large text, and by axe in one of
twelve looks.

`-m full` shows axe all pages in all looks.
"""

from contextlib import suppress

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page
from werkzeug.exceptions import MethodNotAllowed, NotFound
from werkzeug.routing import Map

from scorepad.rules.variants import offer_own_variants, variant_ids
from tests.browser.gallery import LOOKS, OWN, PAGES, Gallery, Shown
from tests.browser.room import begin
from tests.browser.tables import Tables
from tests.matches.whole_matches import GOLDEN, whole
from tests.web.playing import device, start

SMALL, WIDE = (320, 640), 1000
BESIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""Pixels of the page that lie beside the screen. A phone zooms out to show them: `innerWidth` grows
with them.
"""
TOO_SMALL = """() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter((each) => each.type !== 'hidden' && each.checkVisibility({visibilityProperty: true}))
  .filter((each) => !each.closest('.unseen, .skip') && getComputedStyle(each).display !== 'inline')
  .map((each) => {
    const boxes = [each, ...(['radio', 'checkbox'].includes(each.type) ? each.labels : [])]
      .map((part) => part.getBoundingClientRect());
    const size = (low, high) => Math.max(...boxes.map((box) => box[high])) - Math.min(...boxes.map((box) => box[low]));
    const [width, height] = [size('left', 'right'), size('top', 'bottom')];
    const name = each.tagName + ' ' + (each.innerText || each.id || each.name).slice(0, 40);
    return width < 47.9 || height < 47.9 ? `${name}: ${width.toFixed(1)} x ${height.toFixed(1)}` : '';
  }).filter(Boolean)"""
"""Controls of less than 48 pixels; links in running text excepted. A choice is as large as it is
with its label.
"""
MOVING = """() => [...document.querySelectorAll('*')].flatMap((each) => ['', '::before', '::after']
  .map((part) => getComputedStyle(each, part || undefined))
  .filter((style) => style.animationName !== 'none' || /[1-9]/.test(style.transitionDuration)
    || style.scrollBehavior === 'smooth')
  .map(() => each.outerHTML.slice(0, 60)))"""


HEADED = ("home", "match, three", "count", "count, three", "count, wrong", "count, changed by another",
          "count, to agree", "correction, changed by another", "checking, to be confirmed", "remark",
          "new match, another game")  # fmt: skip
BROKEN = """() => {
  const broken = [];
  for (const each of document.querySelectorAll('h1, h2, legend, summary, .stale thead th')) {
    if (each.matches('.unseen') || !each.checkVisibility()) continue;
    const walk = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      for (const word of walk.currentNode.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(walk.currentNode, word.index);
        range.setEnd(walk.currentNode, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word[0]);
      }
    }
  }
  return broken;
}"""
"""Words of headings that stand on two lines."""
NO_PAGES = {
    "share.sheet",
    "share.picture",
    "share.drawing",
    "live.state",
    "home.state",
    "phones.state",
    "static",
}
NO_PAGES |= {
    "app.health",
    "home.manifest",
    "files.whole",
    "files.rows",
    "files.every",
    "files.every_row",
    "own_rules.download",
    "rulebook.blank",
    "rulebook.card",
}
"""What is fetched and is no page: a PDF, a picture, the state that pages follow, health, the web
app manifest, matches and rows to keep.
"""
IN_TURN = [
    pytest.param(page, LOOKS[turn % len(LOOKS)], id=page.name) for turn, page in enumerate(PAGES)
]
OVER = ("match, over", "match, given up")
FIRST_SEEN = (".head .total span", ".head .minimum", ".facts div:first-child dd")
"""The totals, the opening minimums, and who deals."""


@pytest.mark.quick(4)
@pytest.mark.parametrize(("shown", "look"), IN_TURN)
def test_a_page(
    browser: Browser, gallery: Gallery, shown: Shown, look: tuple[str, str, int]
) -> None:
    language, _, width = look
    with gallery.phone(browser, shown.who, size=SMALL) as page:
        page.emulate_media(reduced_motion="reduce")
        gallery.show(page, shown, unfolded=False)
        if shown.name.startswith("match, ") and shown.name not in OVER:
            shows_at_once_how_the_match_stands(page, with_button=shown.who != "viewer")
        gallery.unfold(page)
        keeps_to_a_small_screen(page, headings=shown.name in HEADED)
        if language == "it" and width < WIDE:
            axe_finds_nothing(page, look)
    if language != "it" or width >= WIDE:
        with gallery.phone(browser, shown.who, language, mobile=width < WIDE) as page:
            gallery.show(page, shown)
            axe_finds_nothing(page, look)


@pytest.mark.full
@pytest.mark.parametrize("look", LOOKS, ids=["-".join(map(str, look)) for look in LOOKS])
@pytest.mark.parametrize("shown", PAGES, ids=[shown.name for shown in PAGES])
def test_axe_finds_nothing_on_any_page_in_any_look(
    browser: Browser, gallery: Gallery, shown: Shown, look: tuple[str, str, int]
) -> None:
    with gallery.phone(browser, shown.who, look[0], mobile=look[2] < WIDE) as page:
        gallery.show(page, shown)
        axe_finds_nothing(page, look)


@pytest.mark.parametrize("variant", variant_ids())
def test_axe_finds_nothing_on_the_pages_of_a_variant(
    browser: Browser, gallery: Gallery, variant: str
) -> None:
    """How its hands are counted is looked at in tests/web/test_hand_variants_in_browser.py."""
    look = LOOKS[variant_ids().index(variant) % len(LOOKS)]
    match = half_played(gallery.tables, variant)
    with gallery.phone(browser, "owner", look[0], mobile=look[2] < WIDE) as page:
        for path in (f"/regole/{variant}", f"/partite/nuova?variante={variant}", match):
            gallery.show(page, Shown(variant, path))
            assert page.evaluate(BESIDE) <= 0
            axe_finds_nothing(page, look)


def half_played(tables: Tables, variant: str) -> str:
    """A match of the owner's with two hands, where a whole one is told; its address."""
    if not (GOLDEN / f"{variant}-whole-match.json").exists():
        return start(tables.owner, variant)
    table = begin(tables.pad, device(tables.owner), whole(variant).new)
    table.play(*whole(variant).hands_of_pad[:2])
    return f"/partite/{table.match}"


def test_two_counts_stand_side_by_side_on_a_small_screen(
    browser: Browser, gallery: Gallery
) -> None:
    with gallery.phone(browser, "owner", size=SMALL) as page:
        page.goto(gallery.address + gallery.tables.urls["contested"] + "/smazzate/1/controlla")
        first_row = page.locator(".warn tbody tr").first
        tops = first_row.locator("th, td").evaluate_all(
            "cells => cells.map(cell => cell.getBoundingClientRect().top)"
        )
    assert len(tops) == 3
    assert len(set(tops)) == 1


def list_pages_of_the_app(rules: Map) -> set[str]:
    """The endpoints that answer GET, but for those of programs."""
    endpoints = set()
    for rule in rules.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.redirect_to:
            endpoints.add(rule.endpoint)
    return {endpoint for endpoint in endpoints if not endpoint.startswith("api.")}


def test_every_page_of_the_app_is_looked_at(gallery: Gallery) -> None:
    """Whoever adds a page finds this test asking for its place among those that are looked at."""
    rules = gallery.tables.app.url_map
    addresses = rules.bind("127.0.0.1")
    looked_at = set()
    for shown in PAGES:
        path = gallery.path(shown).partition("?")[0]
        with suppress(NotFound, MethodNotAllowed):
            endpoint, _ = addresses.match(path)
            looked_at.add(endpoint)
    assert list_pages_of_the_app(rules) - looked_at == NO_PAGES


def test_what_is_no_page_is_no_html(gallery: Gallery) -> None:
    addresses = gallery.tables.app.url_map.bind("127.0.0.1")
    match = gallery.tables.urls["played"].rpartition("/")[2]
    parts = {"match": match, "game": "samba", "variant": "tredici", "language": "it"}
    offer_own_variants(OWN)
    for endpoint in NO_PAGES - {"static"}:
        answer = gallery.tables.owner.raw.get(addresses.build(endpoint, parts))
        assert answer.status_code == 200, endpoint
        assert answer.mimetype != "text/html", endpoint
    offer_own_variants(None)


def keeps_to_a_small_screen(page: Page, *, headings: bool) -> None:
    """No sideways scroll, controls for fingers, nothing that moves; and the same in text twice as
    large.
    """
    assert page.evaluate(BESIDE) <= 0
    assert page.evaluate(TOO_SMALL) == []
    assert page.evaluate(MOVING) == []
    assert not headings or page.evaluate(BROKEN) == []
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(BESIDE) <= 0, "in text twice as large"
    assert not headings or page.evaluate(BROKEN) == [], "in text twice as large"
    page.evaluate("document.documentElement.style.fontSize = ''")


def shows_at_once_how_the_match_stands(page: Page, *, with_button: bool) -> None:
    """The totals, the minimums and who deals stand on the first screen of a phone, and what is to
    be done.
    """
    page.set_viewport_size({"width": 390, "height": 844})
    end = page.locator(".bar").bounding_box()["y"] if with_button else 844
    assert end > 844 * 0.75
    for what in FIRST_SEEN:
        boxes = [each.bounding_box() for each in page.locator(what).all()]
        assert boxes, what
        assert all(box["y"] >= 0 and box["y"] + box["height"] <= end for box in boxes), what
    if with_button:
        button = page.locator(".bar .primary").bounding_box()
        assert button["y"] + button["height"] <= 844
    page.set_viewport_size({"width": SMALL[0], "height": SMALL[1]})


def axe_finds_nothing(page: Page, look: tuple[str, str, int]) -> None:
    """Nothing in this language, theme and width."""
    language, theme, width = look
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 800})
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("h1").count() == 1
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
