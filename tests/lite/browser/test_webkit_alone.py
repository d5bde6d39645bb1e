"""A pad alone in WebKitGTK: it starts, counts a hand, and has it after the server was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lite.browser.lone_pad import FIGURES
from tests.lite.browser.site_server import SiteServer
from tests.lite.browser.webkit import WebKit

# The frame in which the pad shows its pages.
PAGE = "document.getElementById('application').contentDocument"
HAS_STARTED = "performance.getEntriesByName('first-page').length"


@pytest.fixture
def webkit(tmp_path: Path) -> Iterator[WebKit]:
    """Start WebKitGTK, which has the engine of Safari."""
    browser = WebKit(tmp_path)
    yield browser
    browser.close()


def click(webkit: WebKit, text: str) -> None:
    """Click the last link or button with this text, once the page has it."""
    controls = f"[...{PAGE}.querySelectorAll('main a, main button')]"
    found = f"{controls}.filter(each => each.textContent.includes('{text}')).at(-1)"
    webkit.wait_for(f"Boolean({found})")
    webkit.run(f"{found}.click()")


def type_hand(webkit: WebKit) -> None:
    """Type `FIGURES` into the form of a hand, such as 215 as "a-cards". Nobody went out."""
    # PAGE is the document of the form, as an expression of JavaScript. The form is there once this
    # expression is true.
    webkit.wait_for(f"Boolean({PAGE}.getElementById('a-cards'))")
    for cell, figure in FIGURES.items():
        # Each call runs the body of a function of its own.
        webkit.run(f"""
            const cell = {PAGE}.getElementById('{cell}');
            cell.value = '{figure}';
            cell.dispatchEvent(new Event('input', {{ bubbles: true }}));
        """)
    webkit.run(f"{PAGE}.getElementById('out-nobody').click()")


def totals(webkit: WebKit) -> list[str]:
    """Wait for the page of the match, and return the totals of its sides: ["715", "55"]."""
    # An expression of JavaScript: the elements with totals in PAGE, the document of the page.
    elements = f"[...{PAGE}.querySelectorAll('.head .total')]"

    # There are none before the page of the match is shown.
    webkit.wait_for(f"{elements}.length > 0")
    texts: list[str] = webkit.run(f"return {elements}.map(each => each.textContent.trim())")
    return texts


@pytest.mark.full
def test_hand_is_still_there_after_the_server_was_stopped(
    webkit: WebKit, server: SiteServer
) -> None:
    # Somebody opens the pad, begins a match and saves its first hand.
    webkit.open(server.local_address)
    webkit.wait_for(HAS_STARTED)
    click(webkit, "Nuova partita")
    webkit.wait_for(f"{PAGE}.location.pathname.endsWith('/partite/nuova')")
    click(webkit, "Comincia")
    click(webkit, "Nuova smazzata")
    type_hand(webkit)
    click(webkit, "Salva la smazzata")
    assert totals(webkit) == ["715", "55"]  # 500 for a canasta + 215 for cards; 90 - 35

    # The server was only needed for the files of the pad. Without it, the match is shown again.
    server.stop()
    webkit.open(server.local_address)
    webkit.wait_for(HAS_STARTED)
    assert totals(webkit) == ["715", "55"]
