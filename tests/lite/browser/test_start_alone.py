"""How long a pad alone takes to start, beside Pyodide alone in the same run."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest
from playwright.sync_api import Playwright

from scorepad.lite.pieces import Pieces
from tests.lite.browser.lone_pad import LonePad
from tests.lite.browser.site_server import SiteServer

BARE = Path(__file__).with_name("bare")
REACH = 1.7
"""How many times as long as Pyodide alone the pad may take, to the first page that it answers."""
STARTS = int(os.environ.get("SCOREPAD_BENCH", "5"))
STEP = 0.05
"""Seconds between two looks at a page."""
MARK = "performance.getEntriesByName('first-page').map(entry => entry.startTime)"
"""The milliseconds since a page was opened at which it was ready; none while it is not."""


@pytest.fixture
def bare_server(pieces: Pieces, tmp_path: Path) -> Iterator[SiteServer]:
    """A server with Pyodide as it is in its package, and a page that starts it."""
    folder = tmp_path / "bare"
    shutil.copytree(pieces.pyodide, folder)
    shutil.copytree(BARE, folder, dirs_exist_ok=True)
    server = SiteServer(folder, "bare.localhost")
    yield server
    server.stop()


def measure_start(playwright: Playwright, profile: Path, server: SiteServer) -> float:
    """Open a page in a new browser with this profile, and return its milliseconds to be ready."""
    browser = LonePad(playwright, profile, server)
    try:
        browser.visit()
        while True:
            marks: list[float] = browser.tab.evaluate(MARK)
            if marks:
                return marks[0]
            time.sleep(STEP)
    finally:
        browser.close()


@pytest.mark.bench
def test_a_warm_start_takes_little_more_than_python(
    playwright: Playwright, tmp_path: Path, server: SiteServer, bare_server: SiteServer
) -> None:
    for each in (server, bare_server):
        measure_start(playwright, tmp_path / "profile", each)  # from the network
    starts, bare_starts = [], []
    for _ in range(STARTS):
        bare_starts.append(measure_start(playwright, tmp_path / "profile", bare_server))
        starts.append(measure_start(playwright, tmp_path / "profile", server))
    ratio = median(starts) / median(bare_starts)
    print(f"start {median(starts):.0f} ms, Pyodide {median(bare_starts):.0f} ms: {ratio:.2f}")
    assert ratio <= REACH
