"""How a pad alone starts once its files are in the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.lite.browser.lone_pad import LonePad

pytestmark = pytest.mark.long

OPENING = "Si apre…"
NEEDS_SOLVER = "arbitro/apertura?way=hand&hand=K+K+K+Q+Q+Q+2+4&score=0"
"""What one can open with, of cards held in the hand."""


def test_the_page_seen_last_is_there_at_once_and_cannot_be_used_yet(used_pad: LonePad) -> None:
    used_pad.begin_match()
    used_pad.play_hand()
    used_pad.expect_hands(1)

    used_pad.tab.reload()
    application = used_pad.tab.locator("#application")
    expect(used_pad.tab.locator("#application.stale")).to_be_visible()
    expect(used_pad.tab.locator("#notice-text")).to_have_text(OPENING)
    assert application.evaluate("frame => frame.inert")
    used_pad.expect_hands(1)
    assert used_pad.path.endswith("/last-page")

    used_pad.wait_for_start()
    assert not application.evaluate("frame => frame.inert")
    expect(used_pad.tab.locator("#notice")).to_be_hidden()
    used_pad.expect_hands(1)
    used_pad.play_hand()
    used_pad.expect_hands(2)


def test_a_page_that_needs_the_solver_can_be_the_first_one(used_pad: LonePad) -> None:
    used_pad.start(NEEDS_SOLVER)
    expect(used_pad.frame.locator(".verdict")).to_be_visible()


def test_it_starts_after_a_reload_past_the_service_worker(used_pad: LonePad) -> None:
    """As by Ctrl-Shift-R, after which no service worker serves the page."""
    devtools = used_pad.browser.new_cdp_session(used_pad.tab)
    with used_pad.loads_again():
        devtools.send("Page.reload", {"ignoreCache": True})
    used_pad.wait_for_start()
    expect(used_pad.frame.get_by_role("link", name="Nuova partita").first).to_be_visible()


def test_it_starts_under_the_name_of_its_file_too(used_pad: LonePad) -> None:
    used_pad.tab.goto(f"{used_pad.address}index.html")
    used_pad.wait_for_start()
    expect(used_pad.frame.get_by_role("link", name="Nuova partita").first).to_be_visible()
