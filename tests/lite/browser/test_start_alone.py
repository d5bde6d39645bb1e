"""How long a pad alone takes to start, beside Pyodide alone in the same run.

A pad alone runs in the browser, without a server, on Pyodide: Python compiled for browsers.
"""

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

STARTS = int(os.environ.get("SCOREPAD_BENCH", "5"))
"""How often each of the two is started."""


@pytest.fixture
def bare_server(pieces: Pieces, tmp_path: Path) -> Iterator[SiteServer]:
    """Start a server with Pyodide as it is in its package, and a page that only starts it."""
    folder = tmp_path / "bare"
    shutil.copytree(pieces.pyodide, folder)
    shutil.copytree(Path(__file__).with_name("bare"), folder, dirs_exist_ok=True)
    server = SiteServer(folder, "bare.localhost")
    yield server
    server.stop()


def measure_start(playwright: Playwright, profile: Path, server: SiteServer) -> float:
    """Open a page in a new browser with this profile, and return its milliseconds to be ready."""
    # The page marks the moment itself. Until then the list is empty.
    script = "performance.getEntriesByName('first-page').map(entry => entry.startTime)"
    browser = LonePad(playwright, profile, server)
    try:
        browser.visit()
        while True:
            marks: list[float] = browser.tab.evaluate(script)
            if marks:
                return marks[0]
            time.sleep(0.05)
    finally:
        browser.close()


@pytest.mark.bench
def test_warm_start_takes_little_longer_than_python(
    playwright: Playwright, tmp_path: Path, server: SiteServer, bare_server: SiteServer
) -> None:
    # The first start of each fetches its files from the network. It is not counted.
    for each in (server, bare_server):
        measure_start(playwright, tmp_path / "profile", each)

    # The others find the files in the browser. They alternate, so that the machine is equally busy.
    starts, bare_starts = [], []
    for _ in range(STARTS):
        bare_starts.append(measure_start(playwright, tmp_path / "profile", bare_server))
        starts.append(measure_start(playwright, tmp_path / "profile", server))

    # Up to its first page the pad may take 1.7 times as long as Python alone.
    ratio = median(starts) / median(bare_starts)
    print(f"start {median(starts):.0f} ms, Pyodide {median(bare_starts):.0f} ms: {ratio:.2f}")
    assert ratio <= 1.7
