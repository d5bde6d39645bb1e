"""The server is told to stop while requests run and connections stand open."""

import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from scorepad.cli.data_file import MatchChecker
from scorepad.storage.doctor import examine
from tests.attack.load import OWNER, at_once, fill, long_match, owner, request_for
from tests.attack.served import Served, serving
from tests.cookies import admin_cookie

pytestmark = pytest.mark.long

GRACE = 10
"""Seconds in which the server ends."""


def ask_without_reading(reader: socket.socket, port: int, path: str) -> None:
    """Ask for a page that is longer than what is read of it: the request goes on."""
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    reader.connect(("127.0.0.1", port))
    reader.sendall(request_for(path))
    time.sleep(1.5)


def connected(served: Served, path: str = "", cookies: dict[str, str] = OWNER) -> socket.socket:
    """A connection on which a page has been asked for, or nothing."""
    connection = socket.create_connection(("127.0.0.1", served.port), timeout=30)
    if path:
        connection.sendall(request_for(path, cookies))
    return connection


def answers_of(connections: list[socket.socket]) -> Iterator[bytes]:
    """What each gets until it is closed."""
    for connection in connections:
        pieces = []
        with suppress(ConnectionResetError):
            piece = connection.recv(2**20)
            while piece:
                pieces.append(piece)
                piece = connection.recv(2**20)
        yield b"".join(pieces)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_three_pdfs_in_flight_are_finished_and_idle_connections_closed(
    tmp_path: Path, how: signal.Signals
) -> None:
    match = long_match(tmp_path / "scorepad.db", hands=1)
    papers = [f"/partite/{match}/foglio.pdf{kind}" for kind in ("", "?dettaglio=1", "?grande=1")]
    with serving(tmp_path / "scorepad.db") as served, ExitStack() as stack:
        assert owner(served).get(papers[0]).status == 200, "the libraries are loaded now"
        idle = stack.enter_context(connected(served))
        in_flight = [stack.enter_context(connected(served, path)) for path in papers]
        time.sleep(0.1)

        began = time.monotonic()
        served.process.send_signal(how)
        assert idle.recv(1) == b"", "closed"
        idle_closed_after = time.monotonic() - began
        answers = list(answers_of(in_flight))
        status = served.process.wait(timeout=15)
        ended_after = time.monotonic() - began

    print(
        f"\n{how.name}: idle closed after {idle_closed_after:.2f} s; "
        f"3 PDFs done and ended after {ended_after:.2f} s, status {status}"
    )
    assert idle_closed_after < at_once()
    for answer in answers:
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert answer.rstrip().endswith(b"%%EOF")
    assert status == 0
    assert ended_after < GRACE


@pytest.mark.parametrize("first", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_second_signal_ends_it_at_once_but_for_that_of_a_closed_terminal_which_comes_twice(
    tmp_path: Path, first: signal.Signals
) -> None:
    match = long_match(tmp_path / "scorepad.db")
    with serving(tmp_path / "scorepad.db") as served, socket.socket() as reader:
        ask_without_reading(reader, served.port, f"/partite/{match}/registro")
        served.process.send_signal(first)
        time.sleep(0.5)
        served.process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        assert served.process.poll() is None, "the request is finished first"

        began = time.monotonic()
        served.process.send_signal(signal.SIGTERM)
        status = served.process.wait(timeout=20)
        ended_after = time.monotonic() - began

    print(f"\n{first.name}, SIGHUP, SIGTERM: ended {ended_after:.2f} s after the last, {status}")
    assert status == -signal.SIGTERM
    assert ended_after < at_once()


def test_a_reader_that_does_not_read_holds_it_for_ten_seconds_at_most(tmp_path: Path) -> None:
    match = long_match(tmp_path / "scorepad.db")
    with serving(tmp_path / "scorepad.db") as served, socket.socket() as reader:
        ask_without_reading(reader, served.port, f"/partite/{match}/registro")
        began = time.monotonic()
        served.process.terminate()
        status = served.process.wait(timeout=20)
        took = time.monotonic() - began
    print(f"\nended after {took:.1f} s, status {status}")
    assert status == 0
    assert GRACE - 2 < took < GRACE


EXPORTS = 4
"""As many as run and wait at a time."""


def test_exports_in_flight_are_finished_or_refused_within_ten_seconds(tmp_path: Path) -> None:
    data = tmp_path / "scorepad.db"
    fill(data, files=5)  # an export of all of them takes some seconds
    cookies = {"scorepad_admin": admin_cookie()}
    with serving(data) as served, ExitStack() as stack:
        exports = []
        for _ in range(EXPORTS):
            connection = connected(served, "/file/partite.json", cookies)
            exports.append(stack.enter_context(connection))
        time.sleep(0.3)

        began = time.monotonic()
        served.process.terminate()
        answers = list(answers_of(exports))
        status = served.process.wait(timeout=30)
        ended_after = time.monotonic() - began

    lengths = [f"{len(answer) / 1e6:.0f} MB" for answer in answers]
    print(f"\nexports of {lengths}; ended after {ended_after:.1f} s, {status}")
    assert status == 0
    assert ended_after < GRACE
    for answer in answers:
        assert answer.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 503 "))
    for finding in examine(data, MatchChecker().find_problem):
        assert finding.is_good
