"""Every page on a small screen: no sideways scroll, nor in large text; fingers find the controls; nothing moves."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.gallery import PAGES, Gallery, Shown

SMALL = {"width": 320, "height": 640}
BESIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""Pixels of the page that lie beside the screen. A phone zooms out to show them: `innerWidth` grows with them."""
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
"""Controls of less than 48 pixels; links in running text excepted. A choice is as large as it is with its label."""
MOVING = """() => [...document.querySelectorAll('*')].flatMap((each) => ['', '::before', '::after']
  .map((part) => getComputedStyle(each, part || undefined))
  .filter((style) => style.animationName !== 'none' || /[1-9]/.test(style.transitionDuration)
    || style.scrollBehavior === 'smooth')
  .map(() => each.outerHTML.slice(0, 60)))"""


@pytest.mark.quick(3)
@pytest.mark.parametrize("shown", PAGES, ids=[page.name for page in PAGES])
def test_a_page_keeps_to_a_small_screen(browser: Browser, gallery: Gallery, shown: Shown) -> None:
    looks = {"viewport": SMALL, "is_mobile": True, "reduced_motion": "reduce"}
    with gallery.phone(browser, shown.who, **looks) as page:
        gallery.show(page, shown)
        assert page.evaluate(BESIDE) <= 0
        assert page.evaluate(TOO_SMALL) == []
        assert page.evaluate(MOVING) == []
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate(BESIDE) <= 0, "in text twice as large"


OVER = ("match, over", "match, given up")
GOING_ON = [shown for shown in PAGES if shown.name.startswith("match, ") and shown.name not in OVER]
FIRST_SEEN = (".head .total span", ".head .minimum", ".facts div:first-child dd")
"""The totals, the opening minimums, and who deals."""


@pytest.mark.parametrize("shown", GOING_ON, ids=[page.name for page in GOING_ON])
def test_a_phone_shows_at_once_how_the_match_stands_and_what_comes(
    browser: Browser, gallery: Gallery, shown: Shown
) -> None:
    with gallery.phone(browser, shown.who, viewport={"width": 390, "height": 844}, is_mobile=True) as page:
        gallery.show(page, shown, unfolded=False)
        end = 844 if shown.who == "viewer" else page.locator(".bar").bounding_box()["y"]
        assert end > 844 * 0.8
        for what in FIRST_SEEN:
            boxes = [each.bounding_box() for each in page.locator(what).all()]
            assert boxes, what
            assert all(box["y"] >= 0 and box["y"] + box["height"] <= end for box in boxes), what
        if shown.who != "viewer":
            button = page.locator(".bar .primary").bounding_box()
            assert button["y"] + button["height"] <= 844
