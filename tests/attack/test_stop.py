"""The server is told to stop while it answers requests, and while connections are open.

It finishes what it is doing, but takes ten seconds at most. A test measures how long it takes.
"""

import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http import HTTPStatus
from pathlib import Path

import pytest

from scorepad.cli.data_file import MatchChecker
from scorepad.storage.doctor import examine
from tests.attack.load import OWNER, at_once, fill, long_match, owner, request_for
from tests.attack.served import Served, serving
from tests.cookies import admin_cookie

pytestmark = pytest.mark.long


def ask_without_reading(reader: socket.socket, port: int, path: str) -> None:
    """Ask for a long page, and read nothing of it, so that the server cannot finish the answer."""
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    reader.connect(("127.0.0.1", port))
    reader.sendall(request_for(path))
    time.sleep(1.5)


def open_connection(
    served: Served, path: str = "", cookies: dict[str, str] = OWNER
) -> socket.socket:
    """Open a connection, ask for a page if there is a path, and return the connection."""
    connection = socket.create_connection(("127.0.0.1", served.port), timeout=30)
    if path:
        connection.sendall(request_for(path, cookies))
    return connection


def read_answers(connections: list[socket.socket]) -> Iterator[bytes]:
    """Give for each connection all that comes until the server closes it."""
    for connection in connections:
        pieces = []
        with suppress(ConnectionResetError):
            piece = connection.recv(2**20)
            while piece:
                pieces.append(piece)
                piece = connection.recv(2**20)
        yield b"".join(pieces)


@pytest.mark.parametrize("stop_signal", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_stop_finishes_pdfs_and_closes_idle_connections(
    tmp_path: Path, stop_signal: signal.Signals
) -> None:
    match = long_match(tmp_path / "scorepad.db", hands=1)
    sheet = f"/partite/{match}/foglio.pdf"
    with serving(tmp_path / "scorepad.db") as served, ExitStack() as stack:
        # For the first sheet the server loads its libraries, which takes long.
        assert owner(served).get(sheet).status == HTTPStatus.OK

        # On one connection nothing is asked for.
        idle = stack.enter_context(open_connection(served))

        # On three others the server is asked for sheets of the match, which are PDFs. It begins to
        # make them within a tenth of a second.
        pdfs = []
        for path in (sheet, f"{sheet}?dettaglio=1", f"{sheet}?grande=1"):
            pdfs.append(stack.enter_context(open_connection(served, path)))
        time.sleep(0.1)

        # The server is told to stop. First the end of the idle connection comes.
        stopped_at = time.monotonic()
        served.process.send_signal(stop_signal)
        assert idle.recv(1) == b""
        idle_closed_after = time.monotonic() - stopped_at

        # Then come the PDFs, and the end of the process.
        answers = list(read_answers(pdfs))
        status = served.process.wait(timeout=15)
        ended_after = time.monotonic() - stopped_at

    print(
        f"\n{stop_signal.name}: idle closed after {idle_closed_after:.2f} s; "
        f"3 PDFs done and ended after {ended_after:.2f} s, status {status}"
    )
    # The idle connection was closed within a second, or a bit more on a busy machine.
    assert idle_closed_after < at_once()

    # A PDF is whole if it ends so.
    for answer in answers:
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert answer.rstrip().endswith(b"%%EOF")

    # The whole stop took ten seconds at most.
    assert status == 0
    assert ended_after < 10


@pytest.mark.parametrize("first", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_second_signal_stops_the_server_at_once(tmp_path: Path, first: signal.Signals) -> None:
    match = long_match(tmp_path / "scorepad.db")
    with serving(tmp_path / "scorepad.db") as served, socket.socket() as reader:
        # The server is told to stop, but a client does not read the answer that it is sending.
        ask_without_reading(reader, served.port, f"/partite/{match}/registro")
        served.process.send_signal(first)
        time.sleep(0.5)

        # SIGHUP is ignored now, because a terminal that is closed sends it twice.
        served.process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        assert served.process.poll() is None, "the request is finished first"

        # Any other second signal ends the process at once, as that signal does by default.
        stopped_at = time.monotonic()
        served.process.send_signal(signal.SIGTERM)
        status = served.process.wait(timeout=20)
        ended_after = time.monotonic() - stopped_at

    print(f"\n{first.name}, SIGHUP, SIGTERM: ended {ended_after:.2f} s after the last, {status}")
    assert status == -signal.SIGTERM
    assert ended_after < at_once()


def test_reader_that_does_not_read_delays_the_stop_by_ten_seconds_at_most(tmp_path: Path) -> None:
    match = long_match(tmp_path / "scorepad.db")
    with serving(tmp_path / "scorepad.db") as served, socket.socket() as reader:
        ask_without_reading(reader, served.port, f"/partite/{match}/registro")

        stopped_at = time.monotonic()
        served.process.terminate()
        status = served.process.wait(timeout=20)
        ended_after = time.monotonic() - stopped_at

    print(f"\nended after {ended_after:.1f} s, status {status}")
    # The server has waited for the reader nearly as long as it may.
    assert status == 0
    assert 8 < ended_after < 10


def test_stop_finishes_or_refuses_exports_within_ten_seconds(tmp_path: Path) -> None:
    data = tmp_path / "scorepad.db"
    fill(data, files=5)  # an export of all of them takes some seconds
    cookies = {"scorepad_admin": admin_cookie()}
    with serving(data) as served, ExitStack() as stack:
        # A browser with access to all matches exports them four times. One export runs at a time,
        # and the server lets three others wait.
        exports = []
        for _ in range(4):
            connection = open_connection(served, "/file/partite.json", cookies)
            exports.append(stack.enter_context(connection))
        time.sleep(0.3)

        stopped_at = time.monotonic()
        served.process.terminate()
        answers = list(read_answers(exports))
        status = served.process.wait(timeout=30)
        ended_after = time.monotonic() - stopped_at

    lengths = [f"{len(answer) / 1e6:.0f} MB" for answer in answers]
    print(f"\nexports of {lengths}; ended after {ended_after:.1f} s, {status}")
    assert status == 0
    assert ended_after < 10

    # Each export was sent or refused, and the data file is sound.
    for answer in answers:
        assert answer.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 503 "))
    for finding in examine(data, MatchChecker().find_problem):
        assert finding.is_good
