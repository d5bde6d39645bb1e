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
def test_a_page_that_is_not_there_is_told_in_words_with_the_way_home(
    visit: Visit, language: str, heading: str
) -> None:
    page = visit(language).get("/niente", status=404)
    assert page.heading == heading
    assert "/" in page.links().values()


@pytest.mark.long
def test_every_link_of_every_page_leads_somewhere(client: Client, pad: Pad) -> None:
    url = start(client)
    play(pad, client, url, HAND_430_TO_60)
    addresses = Addresses("/", url)
    for address in addresses:
        if address.partition("?")[0].endswith((".pdf", ".png", ".json", ".csv")):
            assert client.raw.get(address).status_code == 200
            continue
        page = client.get(address)
        addresses.add(page.hrefs("a"))
        files = page.hrefs("link") + [script["src"] for script in page.all("script")]
        for file in files:
            assert client.raw.get(file).status_code == 200, address
    assert f"{url}/smazzate/1/correggi" in addresses.seen


def test_answers_are_packed_for_those_who_can_unpack_them_and_only_for_them(client: Client) -> None:
    style = client.get("/").one("link", rel="stylesheet")["href"]
    for url in ("/partite/nuova", style):
        plain = client.raw.get(url, headers={"Accept-Encoding": "identity"})
        packed = client.raw.get(url, headers={"Accept-Encoding": "gzip, deflate, br"})
        refused = client.raw.get(url, headers={"Accept-Encoding": "gzip;q=0"})

        assert "Content-Encoding" not in plain.headers
        assert "Content-Encoding" not in refused.headers
        assert "Accept-Encoding" in plain.headers["Vary"]
        assert packed.headers["Content-Encoding"] == "gzip"
        assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data)
        unpacked = gzip.decompress(packed.data).decode()
        assert without_values(unpacked) == without_values(plain.text)


def without_values(page: str) -> str:
    """A page without the values of its fields: the token of a form is another each time."""
    return re.sub('value="[^"]*"', "", page)


def test_the_signing_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "deep"

    key = signing_key(folder / "scorepad.db")

    assert len(key) == 32
    assert signing_key(folder / "scorepad.db") == key
    (file,) = folder.iterdir()
    assert file.name == "scorepad.db.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_key_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.db.key").write_bytes(b"short")
    with pytest.raises(KeyUnusable):
        signing_key(tmp_path / "x.db")


def test_a_page_left_open_can_be_sent_after_a_restart(tmp_path: Path) -> None:
    data = tmp_path / "scorepad.db"
    before = create_app(Config(data, signing_key(data), testing=True))
    client = Client(before)
    page = client.get("/partite/nuova")
    before.extensions[STORAGE].close()

    after = create_app(Config(data, signing_key(data), testing=True))
    again = Client(after)
    for name in ("scorepad_device", "scorepad_session"):
        again.raw.set_cookie(name, client.cookie(name))

    assert again.submit(page, "Comincia: ").heading == "Noi contro Loro"
    after.extensions[STORAGE].close()


def test_a_port_that_is_taken_is_told_in_one_line(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        line = f"scorepad serve --port {served.port} --data other.db"
        assert f"127.0.0.1:{served.port}" in refused(shell(line, tmp_path))


def test_the_sheet_of_a_match_is_written(client: Client, tmp_path: Path) -> None:
    match = match_of(start(client))

    written = shell(f"scorepad sheet {match} --data scorepad.db", tmp_path)
    missing = shell("scorepad sheet zzz --data scorepad.db", tmp_path)

    assert written.returncode == 0
    assert written.stdout.decode() == f"Scritto {match}.pdf\n"
    assert (tmp_path / f"{match}.pdf").read_bytes().startswith(b"%PDF")
    assert "«scorepad matches»" in refused(missing)


def test_a_home_without_matches_lists_none_and_makes_no_file(tmp_path: Path) -> None:
    listed = shell(f"HOME={tmp_path} scorepad matches", tmp_path)

    assert listed.returncode == 0
    assert listed.stdout.decode() == "Nel file non c'è ancora nessuna partita.\n"
    assert not (tmp_path / ".local").exists()
