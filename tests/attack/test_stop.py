"""The server is told to stop while requests run and connections stand open."""

from __future__ import annotations

import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.attack.served import OWNER, long_match, serving

pytestmark = pytest.mark.long

GRACE = 10
"""Seconds that the server gives to what runs."""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_three_pdfs_in_flight_are_finished_and_idle_connections_closed(tmp_path: Path, how: signal.Signals) -> None:
    match = long_match(tmp_path / "scorepad.db", hands=12)
    with serving(tmp_path) as served, ThreadPoolExecutor(3) as pool:
        assert served.get(f"/partite/{match}", OWNER)[0] == 200
        idle = socket.create_connection(("127.0.0.1", served.port), timeout=15)
        asked = [pool.submit(served.get, f"/partite/{match}/foglio.pdf", OWNER) for _ in range(3)]
        time.sleep(0.4)
        assert not any(each.done() for each in asked)
        began = time.monotonic()
        served.process.send_signal(how)
        assert idle.recv(1) == b""
        closed = time.monotonic() - began
        told = [each.result() for each in asked]
        status = served.process.wait(timeout=15)
        took = time.monotonic() - began
    print(
        f"\n{how.name}: idle closed after {closed:.2f} s, 3 PDFs finished and ended after {took:.2f} s, status {status}"
    )
    assert closed < 1
    assert [(code, body[:5]) for code, body, _ in told] == [(200, b"%PDF-")] * 3
    assert status == 0
    assert took < GRACE
    idle.close()


def test_a_reader_that_does_not_read_holds_it_for_ten_seconds_at_most(tmp_path: Path) -> None:
    match = long_match(tmp_path / "scorepad.db")
    with serving(tmp_path) as served, socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        reader.connect(("127.0.0.1", served.port))
        reader.sendall(
            f"GET /partite/{match}/registro HTTP/1.1\r\nHost: localhost\r\nCookie: {OWNER['Cookie']}\r\n\r\n".encode()
        )
        time.sleep(1.5)
        began = time.monotonic()
        served.process.terminate()
        status = served.process.wait(timeout=20)
        took = time.monotonic() - began
    print(f"\nended after {took:.1f} s, status {status}")
    assert status == 0
    assert GRACE - 1 < took < GRACE + 2
