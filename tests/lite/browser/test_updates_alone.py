"""A pad alone whose site has another version."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from scorepad.lite.build import MARKER
from tests.lite.browser.lone_pad import START, LonePad
from tests.lite.browser.site_server import SiteServer

pytestmark = pytest.mark.long

OFFER = "C’è una versione nuova"
NEXT, BROKEN = "next-version", "broken-version"


def copy_site(site: Path, folder: Path, version: str) -> Path:
    """Another version of the site, whose scripts are in a folder of their own."""
    shutil.copytree(site, folder)
    old_version = json.loads((site / MARKER).read_text("utf-8"))["site"]
    (scripts,) = folder.glob("scripts-*")
    scripts.rename(folder / f"scripts-{version}")
    for name in ("index.html", "service-worker.js"):
        text = (folder / name).read_text("utf-8")
        text = text.replace(old_version, version).replace(scripts.name, f"scripts-{version}")
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="session")
def next_site(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The next version of the site."""
    return copy_site(site, tmp_path_factory.mktemp("next") / "site", NEXT)


@pytest.fixture(scope="session")
def broken_site(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A version whose worker does not start."""
    folder = copy_site(site, tmp_path_factory.mktemp("broken") / "site", BROKEN)
    script = folder / f"scripts-{BROKEN}" / "worker.js"
    script.write_text("throw new Error('broken');", "utf-8")
    return folder


def look_for_update(pad: LonePad) -> None:
    """Let the browser look for a new version, as it does by itself from time to time."""
    pad.tab.evaluate(
        """async () => {
            const registration = await navigator.serviceWorker.getRegistration();
            await registration.update();
        }"""
    )
    expect(pad.tab.locator("#notice-text")).to_contain_text(OFFER, timeout=START)


def test_a_new_version_is_offered_and_used_when_somebody_asks_for_it(
    pad: LonePad, server: SiteServer, next_site: Path
) -> None:
    pad.start()
    first_version = pad.version
    match = pad.begin_match()
    pad.play_hand()
    server.folder = next_site
    look_for_update(pad)
    pad.play_hand()
    assert pad.version == first_version

    with pad.tab.expect_navigation():
        pad.tab.locator("#notice-action", has_text="Usala adesso").tap()
    pad.wait_for_start()
    assert pad.version == NEXT
    assert pad.path == match
    pad.expect_hands(2)
    expect(pad.tab.locator("#notice")).to_be_hidden()


def test_a_version_that_does_not_start_is_given_up_for_the_one_before(
    pad: LonePad, server: SiteServer, broken_site: Path
) -> None:
    pad.start()
    first_version = pad.version
    pad.begin_match()
    pad.play_hand()
    server.folder = broken_site
    look_for_update(pad)
    with pad.tab.expect_navigation():
        pad.tab.locator("#notice-action").tap()

    pad.wait_for_start()
    assert pad.version == first_version
    pad.expect_hands(1)
    pad.play_hand()
    expect(pad.tab.locator("#notice")).to_be_hidden()
    worker = f"{server.address}scripts-{BROKEN}/worker.js"
    assert worker in pad.requests, "the new version was tried"
