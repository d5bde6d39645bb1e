"""Real Chromium on the real server, on a data file of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.gallery import Gallery, opened
from tests.browser.warm import Warm

Phone = Callable[..., Page]
"""What the fixture `phone` gives: each call takes another phone, at the home page."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "family" / "scorepad.db"


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    """What starts the servers of all tests."""
    started = Warm()
    yield started
    started.close()


@pytest.fixture
def address(data: Path, warm: Warm) -> Iterator[str]:
    """Where the pad answers."""
    with warm.serving("--port", "0", "--data", str(data)) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    """Every page of the app with people at it, one for all tests that only look."""
    with opened(tmp_path_factory.mktemp("gallery")) as gallery:
        yield gallery


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Phone]:
    """A phone at the home page. Whatever its script complains of fails the test."""
    contexts = []
    complaints = []

    def take(**more: object) -> Page:
        size = {
            "viewport": {"width": 390, "height": 844},
            "has_touch": True,
            "is_mobile": True,
            "locale": "it-IT",
        }
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
