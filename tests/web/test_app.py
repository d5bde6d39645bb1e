"""The application as a whole: started, kept small on the wire, honest about its own mistakes."""

from __future__ import annotations

import gzip
import re
import stat
from pathlib import Path

import pytest

from scorepad.app import STORAGE, Config, KeyUnusable, create_app, signing_key
from scorepad.matches import Pad
from tests.cli.running import refused, serving, shell
from tests.web.addresses import Addresses
from tests.web.client import Client, Visit
from tests.web.playing import HAND_430_TO_60, match_of, play, start


@pytest.mark.parametrize(
    ("language", "heading"), [("it", "Questa pagina non c'è"), ("en", "There is no such page")]
)
def test_unknown_url_shows_not_found_page_with_link_home(
    visit: Visit, language: str, heading: str
) -> None:
    page = visit(language).get("/niente", status=404)
    assert page.heading == heading
    assert "/" in page.links().values()


@pytest.mark.long
def test_every_link_of_every_page_can_be_opened(client: Client, pad: Pad) -> None:
    match_url = start(client)
    play(pad, client, match_url, HAND_430_TO_60)

    # The walk begins at the home page and the page of the match. The links of each page are added
    # to the addresses while the loop runs.
    addresses = Addresses("/", match_url)
    for address in addresses:
        if is_file(address):
            assert client.raw.get(address).status_code == 200
            continue

        page = client.get(address)
        addresses.add(page.hrefs("a"))
        stylesheets_and_icons = page.hrefs("link")
        scripts = [script["src"] for script in page.all("script")]
        for file in stylesheets_and_icons + scripts:
            assert client.raw.get(file).status_code == 200, address

    # The walk gets far: the page to correct the first hand is three links away.
    assert f"{match_url}/smazzate/1/correggi" in addresses.seen


def is_file(address: str) -> bool:
    """Whether an address leads to a file to download, not to a page."""
    path = address.partition("?")[0]
    return path.endswith((".pdf", ".png", ".json", ".csv"))


def test_response_is_gzipped_only_if_client_accepts_gzip(client: Client) -> None:
    stylesheet = client.get("/").one("link", rel="stylesheet")["href"]
    for url in ("/partite/nuova", stylesheet):
        plain = client.raw.get(url, headers={"Accept-Encoding": "identity"})
        gzipped = client.raw.get(url, headers={"Accept-Encoding": "gzip, deflate, br"})
        # With a quality of 0 a client says that it does not take gzip.
        gzip_excluded = client.raw.get(url, headers={"Accept-Encoding": "gzip;q=0"})

        assert "Content-Encoding" not in plain.headers
        assert "Content-Encoding" not in gzip_excluded.headers
        # Caches on the way keep both forms apart.
        assert "Accept-Encoding" in plain.headers["Vary"]

        assert gzipped.headers["Content-Encoding"] == "gzip"
        assert int(gzipped.headers["Content-Length"]) == len(gzipped.data)
        assert len(gzipped.data) < len(plain.data)
        unpacked = gzip.decompress(gzipped.data).decode()
        assert without_field_values(unpacked) == without_field_values(plain.text)


def without_field_values(page: str) -> str:
    """Remove the values of all fields from a page: its forms have a new token in each response."""
    return re.sub('value="[^"]*"', "", page)


def test_signing_key_is_created_once_and_readable_by_owner_only(tmp_path: Path) -> None:
    # The key stands in a file beside the data file. Even their folder does not exist yet.
    folder = tmp_path / "deep"

    key = signing_key(folder / "scorepad.db")
    assert len(key) == 32

    second_key = signing_key(folder / "scorepad.db")
    assert second_key == key

    key_file = folder / "scorepad.db.key"
    assert list(folder.iterdir()) == [key_file]
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600


def test_truncated_signing_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.db.key").write_bytes(b"short")  # a key has 32 bytes
    with pytest.raises(KeyUnusable):
        signing_key(tmp_path / "x.db")


def test_form_opened_before_restart_can_be_submitted_after_it(tmp_path: Path) -> None:
    # A browser opens the form of a new match. Then the server stops.
    data = tmp_path / "scorepad.db"
    app = create_app(Config(data, signing_key(data), testing=True))
    client = Client(app)
    page = client.get("/partite/nuova")
    app.extensions[STORAGE].close()

    # The server starts again with the same signing key. The browser still has its cookies.
    restarted_app = create_app(Config(data, signing_key(data), testing=True))
    same_browser = Client(restarted_app)
    for name in ("scorepad_device", "scorepad_session"):
        same_browser.raw.set_cookie(name, client.cookie(name))

    match_page = same_browser.submit(page, "Comincia: ")  # "Start: "
    assert match_page.heading == "Noi contro Loro"  # "We against They": the match has started
    restarted_app.extensions[STORAGE].close()


def test_serve_on_occupied_port_is_refused_with_its_address(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        second = shell(f"scorepad serve --port {served.port} --data other.db", tmp_path)
        error_message = refused(second)
        assert f"127.0.0.1:{served.port}" in error_message


def test_sheet_command_writes_pdf_of_match(client: Client, tmp_path: Path) -> None:
    match = match_of(start(client))  # its data file is scorepad.db in this folder

    finished = shell(f"scorepad sheet {match} --data scorepad.db", tmp_path)

    assert finished.returncode == 0
    assert finished.stdout.decode() == f"Scritto {match}.pdf\n"  # "written"
    assert (tmp_path / f"{match}.pdf").read_bytes().startswith(b"%PDF")


def test_sheet_command_for_unknown_match_names_the_matches_command(
    client: Client, tmp_path: Path
) -> None:
    start(client)
    finished = shell("scorepad sheet zzz --data scorepad.db", tmp_path)
    error_message = refused(finished)
    assert "«scorepad matches»" in error_message  # this command lists the matches


def test_matches_command_without_data_file_creates_none(tmp_path: Path) -> None:
    finished = shell(f"HOME={tmp_path} scorepad matches", tmp_path)

    assert finished.returncode == 0
    # "There is no match in the file yet."
    assert finished.stdout.decode() == "Nel file non c'è ancora nessuna partita.\n"
    # Without --data the data file would be made in this folder.
    assert not (tmp_path / ".local").exists()
