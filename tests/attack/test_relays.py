"""Nobody gets at the matches of others: not through a program that forwards TCP connections, by the
page of another site, or by a cookie planted in somebody's browser.

At home the owner opens a link to get access to all matches. Through a forwarder, such as socat or
`ssh -R`, every request comes from this machine, like those of the owner.
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


@contextmanager
def socat(port: int) -> Iterator[int]:
    """Forward a free port to this port by socat, and give the free one."""
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
    """Send on whatever comes until nothing more comes."""
    with suppress(OSError):
        octets = source.recv(65536)
        while octets:
            target.sendall(octets)
            octets = source.recv(65536)
        target.shutdown(socket.SHUT_WR)


@contextmanager
def forwarder(port: int) -> Iterator[int]:
    """Forward a free port to this port in Python, as `ssh -R` does, and give the free one."""

    class Forward(BaseRequestHandler):
        def handle(self) -> None:
            """Connect a client to the server on `port`, until both have closed the connection."""
            client = self.request
            with socket.create_connection(("127.0.0.1", port)) as server:
                # Answers go back to the client in a thread of their own, while this one sends
                # requests on to the server.
                answers = threading.Thread(target=forward_bytes, args=(server, client))
                answers.start()
                forward_bytes(client, server)
                answers.join()

    with ThreadingTCPServer(("127.0.0.1", 0), Forward) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """Start a server as it is started at home."""
    with serving(tmp_path / "x.db") as started:
        yield started


@pytest.fixture
def match_pages(served: Served) -> list[str]:
    """Begin five matches of somebody else, and return the paths of their pages."""
    return [Match.begin(served, f"Noi {number}", "Loro").page for number in range(5)]


@pytest.fixture
def admin_link(served: Served) -> str:
    """Return the link that gives access to all matches, which the server printed at its start."""
    return served.read_until(r"(/casa/[a-z2-9]{26})\n")


def follow_admin_link(browser: Browser, admin_link: str) -> None:
    """Open the link with access to all matches, and press the button on its page."""
    assert (
        browser.submit(admin_link, {"csrf_token": browser.token(admin_link)}).status
        == HTTPStatus.SEE_OTHER
    )


def count_visible(browser: Browser, match_pages: list[str], **headers: str) -> int:
    """Return how many of the matches a browser gets at: by their pages, on the home page, or in the
    file of all matches.
    """
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
        # A stranger asks under each name that this machine has for itself, and sees no match.
        for host in ("", "localhost", "127.0.0.1", f"127.0.0.1:{served.port}", "[::1]"):
            assert count_visible(Browser(relay_port, host=host), match_pages) == 0, host

        # The owner has the link, and sees all five.
        owner = Browser(relay_port)
        follow_admin_link(owner, admin_link)
        assert count_visible(owner, match_pages) == 5

        # A stranger who has got hold of the link cannot use it any more.
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
    assert count_visible(owner, match_pages) == 5

    # Another site is open in the browser of the owner, and its page requests the matches. The
    # browser sends the owner's cookies, and headers that tell where the request comes from.
    assert count_visible(owner, match_pages, **headers) == 0
    for path in ("/file/partite.json", "/file/righe.csv"):
        assert owner.get(path, **headers).status == HTTPStatus.FORBIDDEN


def test_planted_device_cookie_does_not_share_a_match(served: Served) -> None:
    # The thief plants the cookie that the server gave to their own browser.
    thief = Browser(served.port)
    thief.get("/")
    assert_planted_cookie_shares_nothing(served, thief.cookies["scorepad_device"])


def test_planted_invented_cookie_does_not_share_a_match(served: Served) -> None:
    # The thief plants a cookie that the server never gave.
    assert_planted_cookie_shares_nothing(served, "A" * 32)


def assert_planted_cookie_shares_nothing(served: Served, cookie: str) -> None:
    """Check that a victim enters a match although a thief has planted this cookie in their browser,
    and that the thief does not come in by the same cookie.
    """
    # The victim comes into a match by its key.
    match = Match.begin(served)
    victim = Browser(served.port, cookies={"scorepad_device": cookie})
    assert victim.follow(f"/e/{match.key}").status == HTTPStatus.OK

    # The thief has no access to it, and the victim still has.
    thief = Browser(served.port, cookies={"scorepad_device": cookie})
    assert thief.get(match.page).status == HTTPStatus.NOT_FOUND
    assert victim.get(match.page).status == HTTPStatus.OK


def test_planted_device_cookie_does_not_share_a_match_begun_with_it(served: Served) -> None:
    # A thief plants the cookie of their own browser in that of a victim.
    thief = Browser(served.port)
    thief.get("/")
    planted_cookie = thief.cookies["scorepad_device"]
    victim = Browser(served.port, cookies={"scorepad_device": planted_cookie})

    # The victim begins a practice match.
    begun = victim.submit("/prova", victim.hidden_fields("/"))
    assert begun.status == HTTPStatus.SEE_OTHER, begun.body
    match_page = begun.header("Location")
    assert victim.get(match_page).status == HTTPStatus.OK

    # The thief finds it neither on their home page nor at its address. An answer may replace the
    # cookie, so it is set before each request.
    thief.cookies["scorepad_device"] = planted_cookie
    assert match_page not in thief.get("/").text
    thief.cookies["scorepad_device"] = planted_cookie
    assert thief.get(match_page).status == HTTPStatus.NOT_FOUND
