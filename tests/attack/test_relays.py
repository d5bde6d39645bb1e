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
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any

import pytest

from tests.attack.served import Browser, Match, Served, serving

pytestmark = pytest.mark.long
SOCAT = shutil.which("socat")
MATCHES = 5


@contextmanager
def socat(port: int) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        free = int(probe.getsockname()[1])
    relay = subprocess.Popen(
        [str(SOCAT), f"TCP-LISTEN:{free},fork,reuseaddr,bind=127.0.0.1", f"TCP:127.0.0.1:{port}"]
    )
    try:
        for _ in range(100):
            with suppress(OSError), socket.create_connection(("127.0.0.1", free), timeout=1):
                break
            time.sleep(0.05)
        yield free
    finally:
        relay.terminate()
        relay.wait(10)


def pass_on(source: socket.socket, target: socket.socket) -> None:
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
                back = threading.Thread(target=pass_on, args=(inner, self.request))
                back.start()
                pass_on(self.request, inner)
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
def urls(served: Served) -> list[str]:
    """The pages of matches that somebody else began."""
    return [Match.begin(served, f"Noi {number}", "Loro").page for number in range(MATCHES)]


@pytest.fixture
def link(served: Served) -> str:
    """The link to all matches that the start printed."""
    return served.read_until(r"(/casa/[a-z2-9]{26})\n")


def follow_link(browser: Browser, link: str) -> None:
    """Get access to all matches."""
    assert browser.submit(link, {"csrf_token": browser.token(link)}).status == 303


def count_visible(browser: Browser, urls: list[str], **headers: str) -> int:
    """How many of the matches are shown: by themselves, in the list, or in the file of all."""
    listed = browser.get("/", **headers).text
    file = browser.get("/file/partite.json", **headers)
    kept = file.text if file.status == 200 else ""
    found = 0
    for url in urls:
        is_kept = url.removeprefix("/partite/") in kept
        found += url in listed or is_kept or browser.get(url, **headers).status == 200
    return found


@pytest.mark.parametrize("relay", [socat, forwarder])
def test_through_a_relay_no_match_is_visible_without_the_cookie(
    served: Served, urls: list[str], link: str, relay: Callable[[int], Any]
) -> None:
    if relay is socat and SOCAT is None:
        pytest.skip("no socat on this machine: apt-get install socat")
    with relay(served.port) as through:
        for host in ("", "localhost", "127.0.0.1", f"127.0.0.1:{served.port}", "[::1]"):
            assert count_visible(Browser(through, host=host), urls) == 0, host
        owner = Browser(through)
        follow_link(owner, link)
        assert count_visible(owner, urls) == MATCHES, "the link works through the relay"
        stranger = Browser(through)
        assert stranger.get(link).status == 404
        assert count_visible(stranger, urls) == 0


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
def test_another_sites_page_makes_the_owners_browser_fetch_nothing(
    served: Served, urls: list[str], link: str, headers: dict[str, str]
) -> None:
    owner = Browser(served.port)
    follow_link(owner, link)
    assert count_visible(owner, urls) == MATCHES
    assert count_visible(owner, urls, **headers) == 0
    for path in ("/file/partite.json", "/file/righe.csv"):
        assert owner.get(path, **headers).status == 403


@pytest.mark.parametrize("is_given", [False, True], ids=["made up", "given"])
def test_a_planted_cookie_shares_no_match(served: Served, is_given: bool) -> None:
    match = Match.begin(served)
    thief, victim = Browser(served.port), Browser(served.port)
    if is_given:
        thief.get("/")
    planted = thief.cookies.get("scorepad_device", "A" * 32)
    victim.cookies["scorepad_device"] = planted
    assert victim.follow(f"/e/{match.key}").status == 200
    thief.cookies["scorepad_device"] = planted
    assert thief.get(match.page).status == 404
    assert victim.get(match.page).status == 200


def test_a_planted_cookie_shares_no_match_begun_under_it(served: Served) -> None:
    thief, victim = Browser(served.port), Browser(served.port)
    thief.get("/")
    planted = thief.cookies["scorepad_device"]
    victim.cookies["scorepad_device"] = planted
    answer = victim.submit("/prova", victim.hidden_fields("/"))
    assert answer.status == 303, answer.body
    url = answer.header("Location")
    assert victim.get(url).status == 200
    thief.cookies["scorepad_device"] = planted
    assert url not in thief.get("/").text
    thief.cookies["scorepad_device"] = planted
    assert thief.get(url).status == 404
