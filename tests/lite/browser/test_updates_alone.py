"""A pad alone whose site has another version.

A pad alone runs in the browser, without a server: a service worker keeps the files of its site
there, so that a new version of the site is used only when somebody asks for it.
"""

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

NEXT, BROKEN, SILENT = "next-version", "broken-version", "silent-version"


def copy_site(site: Path, folder: Path, version: str) -> Path:
    """Copy the site as one of another version, with another folder of scripts, and return it."""
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
    """Make the next version of the site, in which the data file has a later schema."""
    folder = copy_site(site, tmp_path_factory.mktemp("next") / "site", NEXT)

    # This module of the tests has a function `use`, which gives the program migrations to a later
    # schema.
    module = Path(later_schema.__file__).read_text("utf-8")
    python_code = f"{module}\nuse(later_migrations())\n"

    # The worker is a script that runs Python in the browser. It runs this code just before it starts
    # the application. (A string of JSON is one of JavaScript, too.)
    script = folder / f"scripts-{NEXT}" / "worker.js"
    worker = script.read_text("utf-8")
    start_of_application = "bridge = module.Bridge("
    assert worker.count(start_of_application) == 1
    run_code_before = f"python.runPython({json.dumps(python_code)});\n{start_of_application}"
    script.write_text(worker.replace(start_of_application, run_code_before), "utf-8")
    return folder


@pytest.fixture(scope="session")
def broken_site(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a version whose worker, in which Python runs, does not start."""
    folder = copy_site(site, tmp_path_factory.mktemp("broken") / "site", BROKEN)
    script = folder / f"scripts-{BROKEN}" / "worker.js"
    script.write_text("throw new Error('broken');", "utf-8")
    return folder


@pytest.fixture(scope="session")
def silent_site(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a version whose shell, the page around the pad, is too broken to report anything."""
    folder = copy_site(site, tmp_path_factory.mktemp("silent") / "site", SILENT)
    script = folder / f"scripts-{SILENT}" / "shell.js"
    script.write_text("throw new Error('broken');", "utf-8")
    return folder


def look_for_update(pad: LonePad) -> None:
    """Let the browser look for a new version, as it sometimes does, and wait for its offer."""
    pad.tab.evaluate(
        """async () => {
            const registration = await navigator.serviceWorker.getRegistration();
            await registration.update();
        }"""
    )
    offer = "C’è una versione nuova"  # "There is a new version"
    expect(pad.tab.locator("#notice-text")).to_contain_text(offer, timeout=START)


def test_new_version_is_offered_and_used_when_somebody_asks_for_it(
    pad: LonePad, server: SiteServer, next_site: Path
) -> None:
    # A match with one hand is being played when the server gets a new version.
    pad.start()
    first_version = pad.version
    match = pad.begin_match()
    pad.play_hand()
    server.folder = next_site
    look_for_update(pad)

    # It is offered, but the match goes on with the version in use.
    pad.play_hand()
    assert pad.version == first_version

    # Somebody taps "Use it now". The match is shown again, by the new version.
    with pad.loads_again():
        pad.tab.locator("#notice-action", has_text="Usala adesso").tap()
    pad.wait_for_start()
    assert pad.version == NEXT
    assert pad.path == match
    pad.expect_hands(2)
    expect(pad.tab.locator("#notice")).to_be_hidden()

    # The data file now has schema 2. A copy as it was before is kept, so that one can go back.
    assert stored_schemas(pad) == {"matches.db": 2, "matches-schema-1.db": 1}


def test_version_that_does_not_start_is_given_up_for_the_one_before(
    pad: LonePad, server: SiteServer, broken_site: Path
) -> None:
    # A match has one hand. Somebody accepts a new version, whose worker does not start.
    pad.start()
    first_version = pad.version
    pad.begin_match()
    pad.play_hand()
    server.folder = broken_site
    look_for_update(pad)
    with pad.loads_again():
        pad.tab.locator("#notice-action").tap()

    # The version before starts instead, with the hand, and goes on.
    pad.wait_for_start()
    assert pad.version == first_version
    pad.expect_hands(1)
    pad.play_hand()
    expect(pad.tab.locator("#notice")).to_be_hidden()

    # The new version was tried: its script was asked for.
    assert f"{server.address}scripts-{BROKEN}/worker.js" in pad.requests


def test_version_that_reports_nothing_is_given_up_after_three_attempts(
    pad: LonePad, server: SiteServer, silent_site: Path
) -> None:
    # A match has one hand. Somebody accepts a new version that cannot even say that it is broken.
    pad.start()
    first_version = pad.version
    pad.begin_match()
    pad.play_hand()
    server.folder = silent_site
    look_for_update(pad)
    with pad.loads_again():
        pad.tab.locator("#notice-action").tap()

    # Nothing is shown. The person loads the page again, three times.
    for _ in range(3):
        assert pad.version == SILENT
        expect(pad.tab.locator("#application")).to_be_hidden()
        pad.tab.reload()

    # Then the version before starts, with the hand.
    pad.wait_for_start()
    assert pad.version == first_version
    pad.expect_hands(1)
    expect(pad.tab.locator("#notice")).to_be_hidden()
