"""Every match through a TCP forwarder, as socat and `ssh -R` are."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.attack.browsers import Browser, begin
from tests.attack.load import serving

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


def visible(browser: Browser, urls: list[str]) -> int:
    """How many of the matches are shown: by themselves, in the list, or in the file of all."""
    listed = browser.get("/").body.decode()
    file = browser.get("/file/partite.json")
    whole = json.loads(file.body)["matches"] if file.status == 200 else []
    kept = {f"/partite/{match['id']}" for match in whole}
    return sum(url in listed or url in kept or browser.get(url).status == 200 for url in urls)


@pytest.mark.parametrize("relay", [socat, forwarder])
def test_through_a_relay_no_match_is_visible_without_the_cookie(
    tmp_path: Path, relay: object
) -> None:
    if relay is socat and SOCAT is None:
        pytest.skip("no socat on this machine: apt-get install socat")
    with serving(tmp_path) as served, relay(served.port) as through:  # type: ignore[operator]
        port, link = served.port, served.link()
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
