"""A browser on the server's own machine holds every match; one that only looks as if it did holds its own."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from scorepad.app import Config, create_app
from scorepad.app.server import listen
from scorepad.pad import Pad
from scorepad.pad.who import Access
from scorepad.storage.digests import known_as
from tests.web.client import Client
from tests.web.conftest import setup_of
from tests.web.playing import ALL_GOOD, device, match_of, play, start

ELSEWHERE = {"REMOTE_ADDR": "192.168.1.40"}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(Config(tmp_path / "scorepad.db", b"k" * 32, ("canasta.example",), testing=True))


@pytest.fixture
def url(app: Flask, pad: Pad) -> str:
    """A match that a phone elsewhere started."""
    phone = Client(app)
    phone.raw.environ_base |= ELSEWHERE
    return start(phone)


def sees(client: Client, url: str, **more: object) -> bool:
    """Whether a browser that never came in is shown the match: on the home page and by itself."""
    home = client.raw.get("/", **more).text
    page = client.raw.get(url, **more).status_code
    assert (url in home) is (page == 200)
    return page == 200


@pytest.mark.parametrize("host", ["localhost", "localhost:8765", "127.0.0.1:8765", "[::1]:8765", "127.0.0.2"])
@pytest.mark.parametrize("remote", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_a_browser_on_the_machine_itself_holds_all_matches(client: Client, url: str, host: str, remote: str) -> None:
    assert sees(client, url, headers={"Host": host}, environ_overrides={"REMOTE_ADDR": remote})


def test_it_owns_them_and_writes_under_its_own_name(client: Client, pad: Pad, url: str) -> None:
    page = client.get(f"{url}/telefoni")
    client.submit(page, "Noi")
    assert pad.access(match_of(url), device(client)) is Access.WRITE, "its seat, for when the pad is private"
    page = client.get(f"{url}/nomi")
    client.submit(page, "Salva", name_0="Nonni")
    path = setup_of(client.app).pad._office.storage
    with path.reading() as rows:
        assert rows.entries(match_of(url))[-1].device == known_as(device(client))


def test_a_match_started_there_is_that_browsers_own_wherever_it_asks_from(client: Client, pad: Pad) -> None:
    url = start(client)
    assert pad.access(match_of(url), device(client)) is Access.OWN


@pytest.mark.parametrize("environ", [
    {"REMOTE_ADDR": "192.168.1.40"},
    {"REMOTE_ADDR": "10.0.0.1"},
    {"REMOTE_ADDR": ""},
    {"REMOTE_ADDR": "::ffff:192.168.1.40"},
    {"SERVER_PROTOCOL": "HTTP/1.0"},
    {"HTTP_HOST": "canasta.example"},
    {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
    {"HTTP_X_FORWARDED_PROTO": "https"},
    {"HTTP_X_FORWARDED_HOST": "localhost"},
    {"HTTP_FORWARDED": "for=127.0.0.1"},
    {"HTTP_VIA": "1.1 proxy"},
    {"HTTP_X_REAL_IP": "127.0.0.1"},
])  # fmt: skip
def test_from_elsewhere_by_another_name_or_passed_on_it_holds_only_its_own(
    client: Client, url: str, environ: dict[str, str]
) -> None:
    assert not sees(client, url, environ_overrides=environ)


def test_a_private_pad_makes_no_exception(tmp_path: Path, url: str) -> None:
    private = Client(create_app(Config(tmp_path / "scorepad.db", b"k" * 32, private=True, testing=True)))
    assert not sees(private, url)


def test_a_cookie_that_says_so_is_not_believed(app: Flask, url: str) -> None:
    stranger = Client(app)
    stranger.raw.environ_base |= ELSEWHERE
    for name in ("@keeper", "@home:" + "d" * 32, "@home:dddddddddddddddddddddddddd"):
        stranger.raw.set_cookie("scorepad_device", name)
        assert not sees(stranger, url)


def test_finished_matches_of_all_are_found_there(client: Client, app: Flask, pad: Pad) -> None:
    phone = Client(app)
    phone.raw.environ_base |= ELSEWHERE
    url = start(phone, name_0="Nonni")
    play(pad, phone, url, ALL_GOOD)
    assert "Nonni" in client.get("/").text


# ---------------------------------------------------------------- through the real server


@pytest.fixture
def port(app: Flask) -> Iterator[int]:
    server = listen(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield server.effective_port
    server.stop()
    thread.join(timeout=10)


def status(port: int, path: str, **headers: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        return connection.getresponse().status
    finally:
        connection.close()


def test_the_real_server_lets_a_proxy_be_seen(port: int, url: str) -> None:
    assert status(port, url) == 200
    assert status(port, url, Host="localhost") == 200
    for name in ("X_Forwarded_For", "X_Forwarded_Proto", "Forwarded", "Via", "X_Real_IP"):
        assert status(port, url, **{name: "127.0.0.1"}) == 404, name
