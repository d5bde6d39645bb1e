"""Real Chromium on the real server: the command is started as a person starts it, on a data file of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.gallery import Gallery, opened


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "family" / "scorepad.db"


@pytest.fixture
def address(data: Path) -> Iterator[str]:
    """Where the pad answers, as its first line says."""
    # Private: these browsers run on its machine, and each would hold the matches of all others.
    command = [sys.executable, "-m", "scorepad", "serve", "--port", "0", "--private", "--data", str(data)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r"http://[\d.]+:\d+/", server.stdout.readline())
        assert found
        yield found[0].rstrip("/")
    finally:
        server.terminate()
        server.wait()
        assert server.stdout is not None
        server.stdout.close()


@pytest.fixture(scope="session")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    """Every page of the app with people at it, one for all tests that only look."""
    with opened(tmp_path_factory.mktemp("gallery")) as gallery:
        yield gallery


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """A phone at the home page. Whatever its script complains of fails the test."""
    contexts, complaints = [], []

    def take(**more: object) -> Page:
        size = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "locale": "it-IT"}
        context = browser.new_context(**{**size, **more})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        return page

    yield take
    for context in contexts:
        context.close()
    assert complaints == []
