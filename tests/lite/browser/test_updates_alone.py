"""A pad alone whose site has another version."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from scorepad.lite.build import MARKER
from tests.lite.browser.files_stored import stored_schemas
from tests.lite.browser.lone_pad import START, LonePad
from tests.lite.browser.site_server import SiteServer
from tests.storage import later_schema

pytestmark = pytest.mark.long

OFFER = "C’è una versione nuova"
NEXT, BROKEN, SILENT = "next-version", "broken-version", "silent-version"
ATTEMPTS = 3
"""How often a version may try to start."""
START_OF_APPLICATION = "bridge = module.Bridge("


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
    """The next version of the site, in which the data file has a later schema."""
    folder = copy_site(site, tmp_path_factory.mktemp("next") / "site", NEXT)
    script = folder / f"scripts-{NEXT}" / "worker.js"
    text = script.read_text("utf-8")
    assert text.count(START_OF_APPLICATION) == 1
    later = Path(later_schema.__file__).read_text("utf-8") + "\nuse(later_migrations())\n"
    use_later_schema = f"python.runPython({json.dumps(later)});\n"
    text = text.replace(START_OF_APPLICATION, use_later_schema + START_OF_APPLICATION)
    script.write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="session")
def broken_site(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A version whose worker does not start."""
    folder = copy_site(site, tmp_path_factory.mktemp("broken") / "site", BROKEN)
    script = folder / f"scripts-{BROKEN}" / "worker.js"
    script.write_text("throw new Error('broken');", "utf-8")
    return folder


@pytest.fixture(scope="session")
def silent_site(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A version whose shell is too broken to say that it does not start."""
    folder = copy_site(site, tmp_path_factory.mktemp("silent") / "site", SILENT)
    script = folder / f"scripts-{SILENT}" / "shell.js"
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

    with pad.loads_again():
        pad.tab.locator("#notice-action", has_text="Usala adesso").tap()
    pad.wait_for_start()
    assert pad.version == NEXT
    assert pad.path == match
    pad.expect_hands(2)
    expect(pad.tab.locator("#notice")).to_be_hidden()
    assert stored_schemas(pad) == {"matches.db": 2, "matches-schema-1.db": 1}, "a copy is kept"


def test_a_version_that_does_not_start_is_given_up_for_the_one_before(
    pad: LonePad, server: SiteServer, broken_site: Path
) -> None:
    pad.start()
    first_version = pad.version
    pad.begin_match()
    pad.play_hand()
    server.folder = broken_site
    look_for_update(pad)
    with pad.loads_again():
        pad.tab.locator("#notice-action").tap()

    pad.wait_for_start()
    assert pad.version == first_version
    pad.expect_hands(1)
    pad.play_hand()
    expect(pad.tab.locator("#notice")).to_be_hidden()
    worker = f"{server.address}scripts-{BROKEN}/worker.js"
    assert worker in pad.requests, "the new version was tried"


def test_a_version_that_cannot_even_say_that_it_does_not_start_is_given_up_after_some_attempts(
    pad: LonePad, server: SiteServer, silent_site: Path
) -> None:
    pad.start()
    first_version = pad.version
    pad.begin_match()
    pad.play_hand()
    server.folder = silent_site
    look_for_update(pad)
    with pad.loads_again():
        pad.tab.locator("#notice-action").tap()
    for _ in range(ATTEMPTS):
        assert pad.version == SILENT
        expect(pad.tab.locator("#application")).to_be_hidden()
        pad.tab.reload()

    pad.wait_for_start()
    assert pad.version == first_version
    pad.expect_hands(1)
    expect(pad.tab.locator("#notice")).to_be_hidden()
