"""The application as a whole: started, kept small on the wire, honest about its own mistakes."""

from __future__ import annotations

import gzip
import os
import re
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from scorepad.app import STORAGE, Config, KeyUnusable, create_app, signing_key
from scorepad.matches import Pad
from scorepad.storage.connection import Busy, Unwritable
from tests.cli.running import shell
from tests.web.addresses import Addresses
from tests.web.client import Client
from tests.web.playing import hand, play, side, start


def quiet(app: Flask) -> Client:
    """A device of an application that answers its own mistakes, as one in use does."""
    app.testing = False
    return Client(app)


@pytest.mark.parametrize(
    ("trouble", "told"),
    [(Busy, "Qualcun altro sta scrivendo"), (Unwritable, "Il file delle partite non si può usare")],
)
def test_a_data_file_in_trouble_is_told_in_words(
    app: Flask, monkeypatch: pytest.MonkeyPatch, trouble: type[Exception], told: str
) -> None:
    def fail(*_: object) -> None:
        raise trouble(Path("/secret/path.db"), "disk I/O error")

    monkeypatch.setattr(Pad, "summaries", fail)
    page = quiet(app).get("/", 503)
    assert page.one("h1").text == told
    assert "/secret" not in page.answer.text


@pytest.mark.parametrize("language", ["it", "en"])
def test_a_page_that_is_not_there_is_told_in_words_with_the_way_home(
    visit: Callable[..., Client], language: str
) -> None:
    page = visit(language).get("/niente", 404)
    assert (
        page.one("h1").text
        == {"it": "Questa pagina non c'è", "en": "There is no such page"}[language]
    )
    assert "/" in page.links().values()


@pytest.mark.long
def test_every_link_of_every_page_leads_somewhere(client: Client, pad: Pad) -> None:
    url = start(client)
    play(pad, client, url, hand(side(150, 0, mixed=1), side(60, 0)))
    addresses = Addresses("/", url)
    for address in addresses:
        if address.partition("?")[0].endswith((".pdf", ".png", ".json", ".csv")):
            assert client.raw.get(address).status_code == 200
            continue
        page = client.get(address)
        addresses.add(link["href"] for link in page.all("a"))
        for file in (*page.all("link"), *page.all("script")):
            assert client.raw.get(file.get("href") or file.get("src")).status_code == 200, address
    assert {
        "/",
        "/partite/nuova",
        url,
        f"{url}/nomi",
        f"{url}/smazzata",
        f"{url}/smazzate/1/correggi",
    } <= addresses.seen


def test_answers_are_packed_for_those_who_can_unpack_them_and_only_for_them(client: Client) -> None:
    style = client.get("/").one("link", rel="stylesheet")["href"]
    for url in ("/partite/nuova", style):
        plain = client.raw.get(url, headers={"Accept-Encoding": "identity"})
        packed = client.raw.get(url, headers={"Accept-Encoding": "gzip, deflate, br"})
        refused = client.raw.get(url, headers={"Accept-Encoding": "gzip;q=0"})
        assert "Content-Encoding" not in plain.headers
        assert "Content-Encoding" not in refused.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data)
        assert "Accept-Encoding" in plain.headers["Vary"]
        unpacked = gzip.decompress(packed.data).decode()
        assert re.sub('value="[^"]*"', "", unpacked) == re.sub('value="[^"]*"', "", plain.text)


def test_a_stylesheet_unchanged_is_not_sent_again(client: Client) -> None:
    style = client.get("/").one("link", rel="stylesheet")["href"]
    first = client.raw.get(style, headers={"Accept-Encoding": "gzip"})
    again = client.raw.get(
        style, headers={"Accept-Encoding": "gzip", "If-None-Match": first.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")


def test_the_signing_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    data = tmp_path / "deep" / "scorepad.db"
    key = signing_key(data)
    file = data.with_name("scorepad.db.key")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(key) == 32
    assert signing_key(data) == key
    assert [each.name for each in data.parent.iterdir()] == ["scorepad.db.key"], (
        "no draft of it stays"
    )


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
    cookies = {name: client.cookie(name) for name in ("scorepad_device", "scorepad_session")}
    client = Client(after)
    for name, value in cookies.items():
        client.raw.set_cookie(name, value)
    assert client.submit(page, "Comincia: ").one("h1").text == "Noi contro Loro"
    after.extensions[STORAGE].close()


@pytest.fixture
def scorepad(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """The command, run by itself."""

    def run(*arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "scorepad", *arguments],
            cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=os.environ | {"HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip

    return run


def test_serve_prints_its_address_and_answers_there(
    scorepad: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    server = scorepad("serve", "--port", "0")
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert found, line
        data = tmp_path / ".local" / "share" / "scorepad" / "scorepad.db"
        assert str(data) in line
        assert data.exists()
        with urllib.request.urlopen(found[0], timeout=10) as answer:
            assert "Segnapunti della canasta" in answer.read().decode()
    finally:
        server.terminate()
        server.communicate(timeout=10)


def test_a_port_that_is_taken_is_told_in_one_line(
    scorepad: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    first = scorepad("serve", "--port", "0", "--data", str(tmp_path / "a.db"))
    try:
        assert first.stdout is not None
        port = re.search(r":(\d+)/", first.stdout.readline())
        assert port
        second = scorepad("serve", "--port", port[1], "--data", str(tmp_path / "b.db"))
        said, troubles = second.communicate(timeout=20)
        assert second.returncode == 2
        assert said == ""
        assert len(troubles.splitlines()) == 1
        assert f"127.0.0.1:{port[1]}" in troubles
    finally:
        first.terminate()
        first.communicate(timeout=10)


@pytest.mark.parametrize("command", ["serve --port 0", "matches", "sheet abc"])
def test_a_file_of_somebody_elses_is_refused_in_one_line_and_left_alone(
    tmp_path: Path, command: str
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a database at all, and longer than a header would be " * 20)
    before = file.read_bytes()
    run = shell(f"scorepad {command} --data notes.txt", tmp_path)
    assert (run.returncode, run.stdout) == (2, b"")
    (line,) = run.stderr.decode().splitlines()
    assert "non è un file di scorepad" in line
    assert file.read_bytes() == before


def test_matches_are_listed_and_a_sheet_is_written(
    client: Client, pad: Pad, tmp_path: Path
) -> None:
    url = start(client, name_0="Nonni")
    play(pad, client, url, hand(side(150, 0, mixed=1), side(60, 0)))
    match = url.split("/")[-1]
    listed = shell("scorepad matches --data scorepad.db", tmp_path).stdout.decode()
    assert re.fullmatch(rf"{match}  Nonni 450, Loro 60  \(in corso, .* \d\d:\d\d\)\n", listed)
    sheet = shell(f"scorepad sheet {match} --data scorepad.db", tmp_path)
    assert (sheet.returncode, sheet.stdout.decode()) == (0, f"Scritto {match}.pdf\n")
    assert (tmp_path / f"{match}.pdf").read_bytes().startswith(b"%PDF")
    missing = shell("scorepad sheet zzz --data scorepad.db", tmp_path)
    assert (missing.returncode, missing.stdout) == (2, b"")
    assert "«scorepad matches»" in missing.stderr.decode()


def test_a_home_without_matches_lists_none_and_makes_no_file(tmp_path: Path) -> None:
    run = shell(f"HOME={tmp_path} scorepad matches", tmp_path)
    said = run.stdout.decode()
    assert (run.returncode, said) == (0, "Nel file non c'è ancora nessuna partita.\n")
    assert not (tmp_path / ".local").exists()
