"""Every match through a TCP forwarder, as socat and `ssh -R` are; by another site's page; by a
planted cookie.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.attack.pad_served import Browser, begin, served

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


@contextmanager
def forwarder(port: int) -> Iterator[int]:
    """What `ssh -R` does: whatever comes on one socket goes out of another, unread."""
    loop = asyncio.new_event_loop()

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while octets := await reader.read(65536):
                writer.write(octets)
                await writer.drain()
        writer.close()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner, outer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, outer), pump(inner, writer))

    server = loop.run_until_complete(asyncio.start_server(connected, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        loop.call_soon_threadsafe(server.close)
        time.sleep(0.2)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def visible(browser: Browser, urls: list[str], **headers: str) -> int:
    """How many of the matches are shown: by themselves, in the list, or in the file of all."""
    listed = browser.get("/", **headers).body.decode()
    file = browser.get("/file/partite.json", **headers)
    whole = json.loads(file.body)["matches"] if file.status == 200 else []
    kept = {f"/partite/{match['id']}" for match in whole}
    return sum(
        url in listed or url in kept or browser.get(url, **headers).status == 200 for url in urls
    )


@pytest.mark.parametrize("relay", [socat, forwarder])
def test_through_a_relay_no_match_is_visible_without_the_cookie(
    tmp_path: Path, relay: object
) -> None:
    if relay is socat and SOCAT is None:
        pytest.skip("no socat on this machine: apt-get install socat")
    with served(tmp_path) as (port, link), relay(port) as through:  # type: ignore[operator]
        urls = [begin(port, f"Noi {number}", "Loro")[0] for number in range(MATCHES)]
        hosts = ["", "localhost", "127.0.0.1", f"127.0.0.1:{port}", "[::1]"]
        found = [visible(Browser(through, host), urls) for host in hosts]
        print(f"{relay.__name__}: {max(found)} of {MATCHES} visible without the cookie")  # type: ignore[attr-defined]
        assert found == [0] * len(hosts)
        stranger, owner = Browser(through), Browser(through)
        assert owner.form(link, {"csrf_token": owner.token(link)}).status == 303
        assert visible(owner, urls) == MATCHES, "the link works through the relay"
        assert stranger.get(link).status == 404
        assert visible(stranger, urls) == 0


def test_another_sites_page_makes_the_owners_browser_fetch_nothing(tmp_path: Path) -> None:
    with served(tmp_path) as (port, link):
        urls = [begin(port, f"Noi {number}", "Loro")[0] for number in range(MATCHES)]
        owner = Browser(port)
        if link:
            owner.form(link, {"csrf_token": owner.token(link)})
        assert visible(owner, urls) == MATCHES
        for told in (
            {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"}, {"Origin": "https://evil.example"},
            {"Origin": "null"}, {"Origin": "http://localhost:1"},
        ):  # fmt: skip
            statuses = [
                owner.get(path, **told).status for path in ("/file/partite.json", "/file/righe.csv")
            ]
            shown = visible(owner, urls, **told)
            print(f"{told}: {shown} of {MATCHES} visible, files {statuses}")
            assert (shown, statuses) == (0, [403, 403]), told


@pytest.mark.parametrize("planted", ["made up", "given"])
def test_a_planted_cookie_shares_no_match(tmp_path: Path, planted: str) -> None:
    with served(tmp_path) as (port, _):
        url, keys = begin(port, "Noi", "Loro")
        thief, victim = Browser(port, "canasta.example:1"), Browser(port)
        thief.host = ""
        thief.cookies["scorepad_device"] = "A" * 32
        if planted == "given":
            thief.cookies.clear()
            thief.get("/")
        name = thief.cookies["scorepad_device"]
        victim.cookies["scorepad_device"] = name
        assert victim.follow(f"/e/{keys['write']}").status == 200
        thief.cookies["scorepad_device"] = name
        status = thief.get(url).status
        print(f"{planted}: {status} for whoever planted it")
        assert (victim.get(url).status, status) == (200, 404)


def test_a_planted_cookie_shares_no_match_begun_under_it(tmp_path: Path) -> None:
    with served(tmp_path) as (port, _):
        thief, victim = Browser(port), Browser(port)
        thief.get("/")
        name = thief.cookies["scorepad_device"]
        victim.cookies["scorepad_device"] = name
        page = victim.get("/").body.decode()
        form = page.partition('action="/prova"')[2].partition("</form>")[0]
        begun = victim.form("/prova", dict(re.findall(r'name="(\w+)"[^>]* value="([^"]*)"', form)))
        assert begun.status == 303, begun.body
        url = begun.header("Location")
        mine = victim.get(url).status
        thief.cookies["scorepad_device"] = name
        listed = url in thief.get("/").body.decode()
        thief.cookies["scorepad_device"] = name
        status = thief.get(url).status
        print(
            f"the match of who began it: {mine}; for whoever planted the cookie: {status}, listed: {listed}"
        )
        assert (mine, status, listed) == (200, 404, False)
