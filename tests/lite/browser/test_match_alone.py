"""A whole evening on a pad alone: without a network, closed in between, and printed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.lite.browser.lone_pad import LonePad
from tests.lite.browser.site_server import SiteServer

pytestmark = pytest.mark.long


def test_match_goes_on_after_browser_was_closed_and_server_stopped(
    pad: LonePad, server: SiteServer
) -> None:
    # The pad runs in the browser. A server has sent its files, and is not needed any more.
    pad.start()
    match = pad.begin_match()
    for number in (1, 2, 3):
        pad.play_hand()
        pad.expect_hands(number)
    pad.close()
    server.stop()

    # The browser is opened again. The match has its three hands, and a fourth can be played.
    pad.open()
    pad.start(match)
    pad.expect_hands(3)
    pad.play_hand()
    pad.expect_hands(4)

    # The home page has the new total too.
    pad.go("")
    expect(pad.frame.locator("main")).to_contain_text("2.860")  # 4 × 715, as Italians write it
