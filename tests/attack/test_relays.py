"""Every match through a TCP forwarder, as socat and `ssh -R` are; by another site's page; by a
planted cookie.
"""

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any

import pytest

from tests.attack.served import Browser, Match, Served, serving

pytestmark = pytest.mark.long
SOCAT = shutil.which("socat")
NUMBER_OF_MATCHES = 5


@contextmanager
def socat(port: int) -> Iterator[int]:
    """Forward a free port, which is yielded, to this port by socat."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        free_port = int(probe.getsockname()[1])
    listen = f"TCP-LISTEN:{free_port},fork,reuseaddr,bind=127.0.0.1"
    relay = subprocess.Popen([str(SOCAT), listen, f"TCP:127.0.0.1:{port}"])
    try:
        for _ in range(100):
            with suppress(OSError), socket.create_connection(("127.0.0.1", free_port), timeout=1):
                break
            time.sleep(0.05)
        yield free_port
    finally:
        relay.terminate()
        relay.wait(10)


def forward_bytes(source: socket.socket, target: socket.socket) -> None:
    """Send on whatever comes, unread, until nothing more comes."""
    with suppress(OSError):
        octets = source.recv(65536)
        while octets:
            target.sendall(octets)
            octets = source.recv(65536)
        target.shutdown(socket.SHUT_WR)


@contextmanager
def forwarder(port: int) -> Iterator[int]:
    """What `ssh -R` does: whatever comes on one socket goes out of another."""

    class Forward(BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection(("127.0.0.1", port)) as inner:
                back = threading.Thread(target=forward_bytes, args=(inner, self.request))
                back.start()
                forward_bytes(self.request, inner)
                back.join()

    with ThreadingTCPServer(("127.0.0.1", 0), Forward) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A pad as it is started at home."""
    with serving(tmp_path / "x.db") as started:
        yield started


@pytest.fixture
def match_pages(served: Served) -> list[str]:
    """The pages of matches that somebody else began."""
    return [
        Match.begin(served, f"Noi {number}", "Loro").page for number in range(NUMBER_OF_MATCHES)
    ]


@pytest.fixture
def admin_link(served: Served) -> str:
    """The admin_link to all matches that the start printed."""
    return served.read_until(r"(/casa/[a-z2-9]{26})\n")


def follow_admin_link(browser: Browser, admin_link: str) -> None:
    """Get access to all matches."""
    assert (
        browser.submit(admin_link, {"csrf_token": browser.token(admin_link)}).status
        == HTTPStatus.SEE_OTHER
    )


def count_visible(browser: Browser, match_pages: list[str], **headers: str) -> int:
    """How many of the matches are shown: by themselves, in the list, or in the file of all."""
    home_page = browser.get("/", **headers).text
    export = browser.get("/file/partite.json", **headers)
    visible = 0
    for page in match_pages:
        match_id = page.removeprefix("/partite/")
        is_exported = export.status == HTTPStatus.OK and match_id in export.text
        is_shown = browser.get(page, **headers).status == HTTPStatus.OK
        if page in home_page or is_exported or is_shown:
            visible += 1
    return visible


@pytest.mark.parametrize("relay", [socat, forwarder])
def test_matches_are_hidden_through_relay_without_admin_link(
    served: Served, match_pages: list[str], admin_link: str, relay: Callable[[int], Any]
) -> None:
    if relay is socat and SOCAT is None:
        pytest.skip("no socat on this machine: apt-get install socat")
    with relay(served.port) as relay_port:
        for host in ("", "localhost", "127.0.0.1", f"127.0.0.1:{served.port}", "[::1]"):
            assert count_visible(Browser(relay_port, host=host), match_pages) == 0, host

        owner = Browser(relay_port)
        follow_admin_link(owner, admin_link)
        assert count_visible(owner, match_pages) == NUMBER_OF_MATCHES

        stranger = Browser(relay_port)
        assert stranger.get(admin_link).status == HTTPStatus.NOT_FOUND, "it works once"
        assert count_visible(stranger, match_pages) == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
    ],
)
def test_page_of_another_site_cannot_fetch_matches(
    served: Served, match_pages: list[str], admin_link: str, headers: dict[str, str]
) -> None:
    owner = Browser(served.port)
    follow_admin_link(owner, admin_link)
    assert count_visible(owner, match_pages) == NUMBER_OF_MATCHES
    assert count_visible(owner, match_pages, **headers) == 0
    for path in ("/file/partite.json", "/file/righe.csv"):
        assert owner.get(path, **headers).status == HTTPStatus.FORBIDDEN


def test_planted_device_cookie_does_not_share_a_match(served: Served) -> None:
    thief = Browser(served.port)
    thief.get("/")
    assert_planted_cookie_shares_nothing(served, thief.cookies["scorepad_device"])


def test_planted_invented_cookie_does_not_share_a_match(served: Served) -> None:
    assert_planted_cookie_shares_nothing(served, "A" * 32)


def assert_planted_cookie_shares_nothing(served: Served, cookie: str) -> None:
    """A victim with this cookie of a thief enters a match, and the thief does not."""
    match = Match.begin(served)
    victim = Browser(served.port, cookies={"scorepad_device": cookie})
    assert victim.follow(f"/e/{match.key}").status == HTTPStatus.OK

    thief = Browser(served.port, cookies={"scorepad_device": cookie})
    assert thief.get(match.page).status == HTTPStatus.NOT_FOUND
    assert victim.get(match.page).status == HTTPStatus.OK


def test_planted_device_cookie_does_not_share_a_match_begun_with_it(served: Served) -> None:
    thief = Browser(served.port)
    thief.get("/")
    planted_cookie = thief.cookies["scorepad_device"]
    victim = Browser(served.port, cookies={"scorepad_device": planted_cookie})
    begun = victim.submit("/prova", victim.hidden_fields("/"))
    assert begun.status == HTTPStatus.SEE_OTHER, begun.body
    match_page = begun.header("Location")
    assert victim.get(match_page).status == HTTPStatus.OK

    thief.cookies["scorepad_device"] = planted_cookie
    assert match_page not in thief.get("/").text

    thief.cookies["scorepad_device"] = planted_cookie  # an answer may have replaced it
    assert thief.get(match_page).status == HTTPStatus.NOT_FOUND
