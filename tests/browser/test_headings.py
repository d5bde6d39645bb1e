"""Headings on the smallest screen in the largest text: no word of the pad's own is broken in two."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.gallery import PAGES, Gallery, Shown

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


@pytest.mark.quick(1)
@pytest.mark.parametrize("shown", [each for each in PAGES if each.name in HEADED], ids=lambda each: each.name)
def test_no_word_of_a_heading_is_broken(browser: Browser, gallery: Gallery, shown: Shown) -> None:
    size = {"viewport": {"width": 320, "height": 640}, "is_mobile": True}
    with gallery.phone(browser, shown.who, **size) as page:
        gallery.show(page, shown)
        assert page.evaluate(BROKEN) == []
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate(BROKEN) == [], "in text twice as large"
