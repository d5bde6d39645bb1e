"""Every page of the app is opened once on the smallest screen, in large text, and in one of twelve
looks, in which axe, a checker of accessibility, looks for mistakes.

`-m full` has axe check all pages in all looks. A look is a language, a theme and a width.
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

DESKTOP_WIDTH = 1000
"""Pixels from which on a screen is not that of a phone."""
SIDEWAYS_SCROLL = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""Pixels of the page that lie beside the screen. A phone zooms out to show them: `innerWidth` grows
with them.
"""
FIND_SMALL_CONTROLS = """() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
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
FIND_ANIMATIONS = """() => [...document.querySelectorAll('*')].flatMap((each) => ['', '::before', '::after']
  .map((part) => getComputedStyle(each, part || undefined))
  .filter((style) => style.animationName !== 'none' || /[1-9]/.test(style.transitionDuration)
    || style.scrollBehavior === 'smooth')
  .map(() => each.outerHTML.slice(0, 60)))"""


PAGES_WITH_MANY_HEADINGS = (
    "home", "match, three", "count", "count, three", "count, wrong", "count, changed by another",
    "count, to agree", "correction, changed by another", "checking, to be confirmed", "remark",
    "new match, another game",
)  # fmt: skip
FIND_BROKEN_WORDS = """() => {
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
"""Words of headings that are broken over two lines."""
ENDPOINTS_WITHOUT_PAGE = {
    # PDFs and pictures
    "share.sheet",
    "share.picture",
    "share.drawing",
    "rulebook.blank",
    "rulebook.card",
    # the state by which an open page is updated
    "live.state",
    "home.state",
    "phones.state",
    # files to download
    "files.whole",
    "files.rows",
    "files.every",
    "files.every_row",
    "own_rules.download",
    # what browsers and monitoring fetch
    "static",
    "app.health",
    "home.manifest",
}
"""The endpoints that answer GET with something other than a page."""
EACH_PAGE_IN_ONE_LOOK = [
    pytest.param(page, LOOKS[turn % len(LOOKS)], id=page.name) for turn, page in enumerate(PAGES)
]


@pytest.mark.quick(4)
@pytest.mark.parametrize(("shown", "look"), EACH_PAGE_IN_ONE_LOOK)
def test_page_fits_a_small_screen_and_passes_axe(
    browser: Browser, gallery: Gallery, shown: Shown, look: tuple[str, str, int]
) -> None:
    # First an Italian phone with a screen of 320 x 640 opens the page. Its user has asked the system
    # for no animations.
    with gallery.phone(browser, shown.who, size=(320, 640)) as page:
        page.emulate_media(reduced_motion="reduce")
        gallery.show(page, shown, unfolded=False)

        # The page of a match that goes on shows what is needed most without scrolling. Who may only
        # look at the match has no button to go on with it.
        is_finished = shown.name in ("match, over", "match, given up")
        if shown.name.startswith("match, ") and not is_finished:
            check_first_screen_of_match(page, with_button=shown.who != "viewer")

        # What is folded is opened, so that it is checked too.
        gallery.unfold(page)
        check_small_screen(page, headings=shown.name in PAGES_WITH_MANY_HEADINGS)

        # Then axe, a checker of accessibility, looks at the page in one look: a language, a theme and
        # the width of a window, such as ("it", "dark", 320). This phone will do for the looks of
        # Italian phones.
        language, _theme, width = look
        is_italian_phone = language == "it" and width < DESKTOP_WIDTH
        if is_italian_phone:
            check_with_axe(page, look)

    # For any other look the page is opened anew, in its language and on a phone or a desktop.
    if not is_italian_phone:
        with gallery.phone(browser, shown.who, language, mobile=width < DESKTOP_WIDTH) as page:
            gallery.show(page, shown)
            check_with_axe(page, look)


@pytest.mark.full
@pytest.mark.parametrize("look", LOOKS, ids=["-".join(map(str, look)) for look in LOOKS])
@pytest.mark.parametrize("shown", PAGES, ids=[shown.name for shown in PAGES])
def test_every_page_passes_axe_in_every_look(
    browser: Browser, gallery: Gallery, shown: Shown, look: tuple[str, str, int]
) -> None:
    # A look is a language, a theme and the width of a window: ("it", "dark", 320).
    language, _theme, width = look
    with gallery.phone(browser, shown.who, language, mobile=width < DESKTOP_WIDTH) as page:
        gallery.show(page, shown)
        check_with_axe(page, look)


@pytest.mark.parametrize("variant", variant_ids())
def test_pages_of_a_variant_pass_axe(browser: Browser, gallery: Gallery, variant: str) -> None:
    # A look is a language, a theme and the width of a window, such as ("it", "dark", 320). The
    # variants take the twelve looks in turn, so that each variant is checked in one.
    turn = variant_ids().index(variant)
    look = LOOKS[turn % len(LOOKS)]
    language, _theme, width = look

    # The page of its rules, that to start a match of it, and that of a match. The form of its hands
    # has a test of its own, in tests/web/test_hand_variants_in_browser.py.
    match = begin_match_with_two_hands(gallery.tables, variant)
    paths = (f"/regole/{variant}", f"/partite/nuova?variante={variant}", match)

    # The owner of the match opens them one after the other, in the look's language and width.
    with gallery.phone(browser, "owner", language, mobile=width < DESKTOP_WIDTH) as page:
        for path in paths:
            gallery.show(page, Shown(name=variant, path=path))
            # Nothing lies beside the screen, and axe, a checker of accessibility, finds no mistake.
            assert page.evaluate(SIDEWAYS_SCROLL) <= 0
            check_with_axe(page, look)


def begin_match_with_two_hands(tables: Tables, variant: str) -> str:
    """Begin a match of the owner, and return its path.

    Two hands of it are played if the tests have a whole match of the variant.
    """
    if not (GOLDEN / f"{variant}-whole-match.json").exists():
        return start(tables.owner, variant)
    table = begin(tables.pad, device(tables.owner), whole(variant).new)
    table.play(*whole(variant).hands_of_pad[:2])
    return f"/partite/{table.match}"


def test_two_counts_are_side_by_side_on_a_small_screen(browser: Browser, gallery: Gallery) -> None:
    with gallery.phone(browser, "owner", size=(320, 640)) as page:
        # Two sides counted a hand differently. The page that compares them has a row for each item,
        # with its name and the points of both.
        page.goto(gallery.address + gallery.tables.urls["contested"] + "/smazzate/1/controlla")
        first_row = page.locator(".warn tbody tr").first
        tops = first_row.locator("th, td").evaluate_all(
            "cells => cells.map(cell => cell.getBoundingClientRect().top)"
        )

    assert len(tops) == 3
    assert len(set(tops)) == 1, "the three cells begin at the same height"


def endpoints_of_pages(rules: Map) -> set[str]:
    """Return the endpoints that answer GET, except those of the API."""
    endpoints = set()
    for rule in rules.iter_rules():
        is_api = rule.endpoint.startswith("api.")
        if "GET" in (rule.methods or ()) and not rule.redirect_to and not is_api:
            endpoints.add(rule.endpoint)
    return endpoints


def test_every_page_of_the_app_is_listed(gallery: Gallery) -> None:
    # Whoever adds a page to the app has to add it to `PAGES`, so that the tests above check it.
    rules = gallery.tables.app.url_map
    addresses = rules.bind("127.0.0.1")

    # The endpoint of each page is found by its address. Some pages are there to show an error: their
    # addresses belong to no endpoint, or take no GET.
    listed = set()
    for shown in PAGES:
        path, _, _query = gallery.path(shown).partition("?")
        with suppress(NotFound, MethodNotAllowed):
            endpoint, _arguments = addresses.match(path)
            listed.add(endpoint)

    # Those that are not listed answer with something else, such as a PDF.
    assert endpoints_of_pages(rules) - listed == ENDPOINTS_WITHOUT_PAGE


def test_endpoints_without_a_page_answer_no_html(gallery: Gallery) -> None:
    # The address of an endpoint is made with those of these values that it takes. "tredici" are house
    # rules, a file that can be downloaded.
    addresses = gallery.tables.app.url_map.bind("127.0.0.1")
    match = gallery.tables.urls["played"].removeprefix("/partite/")
    values = {"match": match, "game": "samba", "variant": "tredici", "language": "it"}

    # The program knows the house rules as long as their folder is offered.
    offer_own_variants(OWN)
    try:
        for endpoint in ENDPOINTS_WITHOUT_PAGE - {"static"}:
            address = addresses.build(endpoint, values)
            answer = gallery.tables.owner.raw.get(address)
            assert answer.status_code == 200, endpoint
            assert answer.mimetype != "text/html", endpoint
    finally:
        offer_own_variants(None)


def check_small_screen(page: Page, *, headings: bool) -> None:
    """Check that controls are large enough for fingers, that nothing is animated, and that the page
    has no sideways scroll, with text of usual and of doubled size.

    With `headings` also check that no word of a heading is broken over two lines.
    """
    assert page.evaluate(FIND_SMALL_CONTROLS) == []
    assert page.evaluate(FIND_ANIMATIONS) == []
    for text_size in ("100%", "200%"):
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", text_size)
        assert page.evaluate(SIDEWAYS_SCROLL) <= 0, text_size
        if headings:
            assert page.evaluate(FIND_BROKEN_WORDS) == [], text_size
    page.evaluate("document.documentElement.style.fontSize = ''")


def check_first_screen_of_match(page: Page, *, with_button: bool) -> None:
    """Check that the totals, the opening minimums and who deals are visible without scrolling, and
    the button to go on, if the phone may write.
    """
    # This is checked on a usual phone, of 390 x 844 pixels.
    height = 844
    page.set_viewport_size({"width": 390, "height": height})

    # A bar with the button lies over the lower end of the page, and hides what is behind it. It takes
    # a quarter of the screen at most.
    visible_end = height
    if with_button:
        button = page.locator(".bar .primary").bounding_box()
        assert button["y"] + button["height"] <= height
        visible_end = page.locator(".bar").bounding_box()["y"]
    assert visible_end > height * 0.75

    # The totals, the minimums, and the dealer, which is the first of the facts.
    for selector in (".head .total span", ".head .minimum", ".facts div:first-child dd"):
        elements = page.locator(selector).all()
        assert elements, selector
        for element in elements:
            box = element.bounding_box()
            assert box["y"] >= 0, selector
            assert box["y"] + box["height"] <= visible_end, selector

    # The checks that follow are made on the small screen of before.
    page.set_viewport_size({"width": 320, "height": 640})


def check_with_axe(page: Page, look: tuple[str, str, int]) -> None:
    """Check that axe finds nothing wrong with the page in this language, theme and width."""
    language, theme, width = look
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 800})

    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("h1").count() == 1
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
