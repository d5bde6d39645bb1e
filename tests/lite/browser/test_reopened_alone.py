"""How a pad alone starts once its files are in the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.lite.browser.lone_pad import LonePad

pytestmark = pytest.mark.long


def test_page_seen_last_is_shown_at_once_and_can_be_used_later(used_pad: LonePad) -> None:
    # The pad runs in the browser. The page seen last is that of a match with one hand.
    used_pad.begin_match()
    used_pad.play_hand()
    used_pad.expect_hands(1)

    # The pad starts again, which takes some seconds. Until its Python runs, a stored copy of that
    # page is shown: it cannot be used, and a notice says "Opening…".
    used_pad.tab.reload()
    application = used_pad.tab.locator("#application")
    expect(used_pad.tab.locator("#application.stale")).to_be_visible()
    expect(used_pad.tab.locator("#notice-text")).to_have_text("Si apre…")
    assert application.evaluate("frame => frame.inert")
    used_pad.expect_hands(1)
    assert used_pad.path.endswith("/last-page")

    # Python runs. The page itself replaces its copy, and the next hand can be played.
    used_pad.wait_for_start()
    assert not application.evaluate("frame => frame.inert")
    expect(used_pad.tab.locator("#notice")).to_be_hidden()
    used_pad.expect_hands(1)
    used_pad.play_hand()
    used_pad.expect_hands(2)


def test_page_that_needs_the_solver_can_be_the_first_one(used_pad: LonePad) -> None:
    # The referee is asked what one can open with, of the cards held: three kings, three queens,
    # a two and a four. A solver searches for it, which is a large library of its own.
    used_pad.start("arbitro/apertura?way=hand&hand=K+K+K+Q+Q+Q+2+4&score=0")

    expect(used_pad.frame.locator(".verdict")).to_be_visible()


def test_pad_starts_after_a_reload_past_the_service_worker(used_pad: LonePad) -> None:
    # A service worker keeps the files of the pad in the browser. Somebody reloads the page with
    # Ctrl-Shift-R, which passes the service worker by.
    devtools = used_pad.browser.new_cdp_session(used_pad.tab)
    with used_pad.loads_again():
        devtools.send("Page.reload", {"ignoreCache": True})

    # The pad starts nevertheless, at its home page with the link "New match".
    used_pad.wait_for_start()
    expect(used_pad.frame.get_by_role("link", name="Nuova partita").first).to_be_visible()


def test_pad_starts_under_the_name_of_its_file_too(used_pad: LonePad) -> None:
    used_pad.tab.goto(f"{used_pad.address}index.html")

    # The home page has the link "New match".
    used_pad.wait_for_start()
    expect(used_pad.frame.get_by_role("link", name="Nuova partita").first).to_be_visible()
