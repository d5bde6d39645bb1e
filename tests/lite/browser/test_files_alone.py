"""Files between a pad alone and an ordinary pad, papers, and what a pad alone asks its server.

A pad alone runs in the browser, without a server; an ordinary one runs on a server.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from scorepad.app import Config
from tests.apps import shared_app
from tests.lite.browser.lone_pad import LonePad
from tests.lite.browser.site_server import SiteServer
from tests.web.client import Client
from tests.web.match_files import download_match, upload_matches
from tests.web.playing import start

pytestmark = pytest.mark.long


@pytest.fixture
def client(tmp_path: Path) -> Client:
    """Open an ordinary pad, which runs on a server, and return its client."""
    return Client(shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, testing=True)))


def test_match_goes_to_an_ordinary_pad_as_a_file(used_pad: LonePad, client: Client) -> None:
    # A match with one hand is downloaded from the pad alone, which runs in the browser.
    match = used_pad.begin_match()
    used_pad.play_hand()
    used_pad.go(f"{match}/file")
    with used_pad.tab.expect_download() as saving:
        used_pad.frame.get_by_role("link", name="Scarica la partita").tap()
    assert saving.value.suggested_filename.endswith(".json")

    # The ordinary pad takes the file, and shows the total of the first side.
    page = upload_matches(client, saving.value.path().read_bytes())
    assert "715" in page.text  # 500 for a clean canasta + 215 for cards
    assert "Partita caricata" in page.text  # "Match loaded"


def test_match_of_an_ordinary_pad_goes_on_in_a_pad_alone(used_pad: LonePad, client: Client) -> None:
    # A match is started at the ordinary pad, which runs on a server, and downloaded from it.
    url = start(client, name_0="Gatti", name_1="Volpi")
    file = download_match(client, url)

    # It is uploaded into the pad alone, which runs in the browser, and is shown there.
    used_pad.go("file")
    used_pad.frame.locator("input[type=file]").set_input_files(
        {"name": "partita.json", "mimeType": "application/json", "buffer": file}
    )
    with used_pad.frame.expect_navigation():
        used_pad.frame.get_by_role("button", name="Carica").first.tap()
    expect(used_pad.frame.locator("h1")).to_have_text("Gatti contro Volpi")

    # The match goes on there.
    used_pad.play_hand()
    used_pad.expect_hands(1)


def test_sheet_is_a_page_that_the_browser_prints(used_pad: LonePad, tmp_path: Path) -> None:
    # On a server the score sheet is a PDF. Alone it is a page with a button "Print".
    match = used_pad.begin_match()
    used_pad.play_hand()
    used_pad.go(f"{match}/foglio.pdf")
    expect(used_pad.frame.get_by_role("button", name="Stampa")).to_be_visible()

    # Chromium prints no frame by itself: the same page is opened in a tab of its own.
    tab = used_pad.browser.new_page()
    tab.goto(f"{used_pad.address}app/{match}/foglio.pdf")
    file = tmp_path / "sheet.pdf"
    file.write_bytes(tab.pdf())
    tab.close()
    text = subprocess.run(
        ["pdftotext", "-layout", file, "-"], capture_output=True, text=True, check=True
    ).stdout

    # The paper has the totals of both sides, but not the button.
    assert re.search(r"715\s.*55", text)
    assert "Stampa" not in text


def test_nothing_outside_the_path_of_the_site_is_asked(
    used_pad: LonePad, used_server: SiteServer
) -> None:
    # Somebody plays a hand, and looks at the sheet, the chart and the link of the match to share.
    match = used_pad.begin_match()
    used_pad.play_hand()
    used_pad.go(f"{match}/foglio.pdf")
    used_pad.go(f"{match}/andamento")
    used_pad.go(f"{match}/condividi")

    # Then at the rules of classic canasta, and at one of the questions to the referee.
    used_pad.go("regole")
    used_pad.tap_link("Canasta classica")
    used_pad.go("arbitro")
    used_pad.frame.locator("main a[href*='/arbitro/']").first.tap()
    used_pad.frame.wait_for_load_state()

    # All that the browser has asked for meanwhile is below the address of the site, but for what it
    # has in memory.
    allowed = (used_pad.address, "about:", "blob:", "data:")
    assert [url for url in used_pad.requests if not url.startswith(allowed)] == []

    # The server was only asked for files below the path of the site.
    assert [path for path in used_server.paths_asked if not path.startswith("/canasta/")] == []

    # The requests were recorded, those to the application among them.
    assert f"{used_pad.address}app/{match}" in used_pad.requests
