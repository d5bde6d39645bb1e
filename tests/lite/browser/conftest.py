"""The site of a pad alone, built once for all tests; a server that sends it; browsers."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Playwright

from scorepad.lite.build import build_site
from scorepad.lite.pieces import collect
from tests.lite.browser import faults
from tests.lite.browser.lone_pad import LonePad
from tests.lite.browser.site_server import SiteServer


@pytest.fixture(scope="session")
def site(pieces_folder: Path) -> Path:
    """The folder with the site; all processes of a run share it."""
    folder = pieces_folder.with_name("site")
    complete = pieces_folder.with_name("site-complete")
    with pieces_folder.with_name("site-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not complete.exists():
            with collect(pieces_folder) as pieces:
                build_site(pieces, folder)
            complete.touch()
    return folder


@pytest.fixture
def server(site: Path) -> Iterator[SiteServer]:
    """A server that sends the site."""
    server = SiteServer(site)
    yield server
    server.stop()


@pytest.fixture
def pad(playwright: Playwright, tmp_path: Path, server: SiteServer) -> Iterator[LonePad]:
    """A browser that has not seen the site yet."""
    pad = LonePad(playwright, tmp_path / "profile", server.address)
    yield pad
    pad.close()


@pytest.fixture(scope="session")
def used_server(site: Path) -> Iterator[SiteServer]:
    """The server of `used_pad`."""
    server = SiteServer(site)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def shared_pad(
    playwright: Playwright, tmp_path_factory: pytest.TempPathFactory, used_server: SiteServer
) -> Iterator[LonePad]:
    """A pad that was started once, for all tests that do not care for the start."""
    profile = tmp_path_factory.mktemp("used") / "profile"
    pad = LonePad(playwright, profile, used_server.address)
    pad.start()
    yield pad
    pad.close()


@pytest.fixture
def used_pad(shared_pad: LonePad) -> LonePad:
    """A pad that has been started, at its home page, whatever the test before has done to it."""
    faults.store_again(shared_pad.worker)
    shared_pad.go("")
    return shared_pad
