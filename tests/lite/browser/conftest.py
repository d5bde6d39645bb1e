"""The site of a pad alone, built once for all tests; a server that sends it; browsers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Playwright

from scorepad.lite import build as build_module
from scorepad.lite.build import build_site
from scorepad.lite.pieces import collect
from tests.lite.browser import faults
from tests.lite.browser.lone_pad import LonePad
from tests.lite.browser.site_server import SiteServer
from tests.lite.made_once import make_once, shared_folder

QUICK = 1
"""The level of gzip at which it takes least time: four seconds less than as the command builds."""


@pytest.fixture(scope="session")
def site(pieces_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the site."""

    def build(folder: Path) -> None:
        with collect(pieces_folder) as pieces, pytest.MonkeyPatch.context() as patch:
            patch.setattr(build_module, "_GZIP_LEVEL", QUICK)
            build_site(pieces, folder)

    return make_once(shared_folder(tmp_path_factory) / "site", build)


@pytest.fixture(scope="session")
def profile_after_start(
    playwright: Playwright, site: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of a browser that has started the pad once, from the network; to be copied.

    It is as good for every server, because all have the same address.
    """

    def start_once(profile: Path) -> None:
        server = SiteServer(site)
        pad = LonePad(playwright, profile, server)
        pad.start()
        pad.close()
        server.stop()

    return make_once(shared_folder(tmp_path_factory) / "profile", start_once)


@pytest.fixture
def server(site: Path) -> Iterator[SiteServer]:
    """A server that sends the site."""
    server = SiteServer(site)
    yield server
    server.stop()


@pytest.fixture
def pad(
    playwright: Playwright, tmp_path: Path, server: SiteServer, profile_after_start: Path
) -> Iterator[LonePad]:
    """A browser of its own, which was closed after it had started the pad once."""
    profile = tmp_path / "profile"
    shutil.copytree(profile_after_start, profile)
    pad = LonePad(playwright, profile, server)
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
    playwright: Playwright,
    tmp_path_factory: pytest.TempPathFactory,
    used_server: SiteServer,
    profile_after_start: Path,
) -> Iterator[LonePad]:
    """A pad that was started once, for all tests that do not care for the start."""
    profile = tmp_path_factory.mktemp("used") / "profile"
    shutil.copytree(profile_after_start, profile)
    pad = LonePad(playwright, profile, used_server)
    pad.start()
    yield pad
    pad.close()


@pytest.fixture
def used_pad(shared_pad: LonePad) -> LonePad:
    """A pad that has been started, at its home page, whatever the test before has done to it."""
    faults.store_again(shared_pad.worker)
    shared_pad.go("")
    shared_pad.wait_for_address()
    return shared_pad
