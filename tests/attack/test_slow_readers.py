"""Clients that ask for large answers and do not read them, or read a byte a second, delay nobody."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http import HTTPStatus
from pathlib import Path

import pytest

from tests.attack.load import MOST_MEMORY, Visitor, at_once, long_match, owner, request_for
from tests.attack.served import Served, serving

pytestmark = pytest.mark.long

SECONDS_TO_STALL = 10.0
"""Seconds after which the server closes a connection from which nothing is read. Usually they are 30,
but the tests would take minutes then.
"""


@pytest.fixture(scope="module")
def server_and_long_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str]]:
    """Start a server with a long match, and give it and the path of a page of 700 kB."""
    data = tmp_path_factory.mktemp("readers") / "scorepad.db"
    match = long_match(data)
    before = f"from scorepad.app import timeouts; timeouts.STALL_TIMEOUT = {SECONDS_TO_STALL}"
    with serving(data, before=before) as served:
        yield served, f"/partite/{match}/registro"


def request_with_small_buffer(port: int, path: str, times: int) -> socket.socket:
    """Ask for a page so many times at once, and return the connection.

    Its receive buffer is so small that most of an answer has to wait at the server.
    """
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.settimeout(5)
    with suppress(OSError):  # refused: that is an answer too
        connection.connect(("127.0.0.1", port))
        connection.sendall(request_for(path) * times)
    connection.setblocking(False)
    return connection


def wait_until_closed(served: Served, readers: list[socket.socket]) -> int:
    """Read a byte a second from every other reader until the server has closed all connections, or
    closes no more, and return how many are left.

    A busy server accepts a connection late, and then closes it late. It closes no more if none was
    closed for three times the time after which it does so.
    """
    open_connections = count_open(served, readers)
    last_closed_at = time.monotonic()
    every_other_reader = readers[::2]
    while open_connections and time.monotonic() - last_closed_at < 3 * SECONDS_TO_STALL:
        for reader in every_other_reader:
            with suppress(OSError):
                reader.recv(1)
        time.sleep(1)
        open_before = open_connections
        open_connections = count_open(served, readers)
        if open_connections < open_before:
            last_closed_at = time.monotonic()
    return open_connections


def count_open(served: Served, readers: list[socket.socket]) -> int:
    """Return how many connections the server has not closed, with those that it has yet to accept.

    They are counted at the server's end. If its queue was full, a client may take a connection for
    open that the server never had.
    """
    reader_ports = {reader.getsockname()[1] for reader in readers}
    open_ports = set()
    _head, *rows = Path("/proc/net/tcp").read_text().splitlines()
    for row in rows:
        _, local, remote, state, *_ = row.split()
        is_established = state == "01"
        if is_established and port_of(local) == served.port:
            open_ports.add(port_of(remote))
    return len(reader_ports & open_ports)


def port_of(address: str) -> int:
    """Return the port of an address in `/proc/net/tcp`: `0100007F:1F90` (127.0.0.1) → 8080."""
    return int(address.partition(":")[2], 16)


# So many readers, each of whom asks for the page so many times at once.
@pytest.mark.parametrize(("connections", "times"), [(8, 71), (60, 19), (400, 19), (400, 71)])
def test_slow_readers_do_not_delay_others(
    server_and_long_page: tuple[Served, str], connections: int, times: int
) -> None:
    # All pages are loaded once, so that the first one is no slower than the others.
    served, path = server_and_long_page
    assert owner(served).get(path).status == HTTPStatus.OK
    visitor = Visitor(served, ("/regole/parole", "/salute"))
    for page in visitor.paths:
        assert served.get(page).status == HTTPStatus.OK
    limit_before = at_once()

    # While a visitor opens two pages again and again, the readers ask for the long page. Half of
    # them read a byte a second, the others nothing.
    with visitor.watching(), ExitStack() as stack:
        readers = []
        for _ in range(connections):
            reader = request_with_small_buffer(served.port, path, times)
            readers.append(stack.enter_context(reader))
        started_at = time.monotonic()
        connections_left_open = wait_until_closed(served, readers)
        seconds = time.monotonic() - started_at
        connections_of_server = served.connections()

    print(
        f"\n{connections} readers, {times} requests each: {visitor.figures()}; "
        f"{connections_of_server} connections left after {seconds:.0f} s"
    )
    # The visitor waited a second at most, or longer on a machine that other programs keep busy. It
    # may have become busier meanwhile.
    assert max(visitor.seconds) < max(limit_before, at_once())
    assert max(visitor.memory) < MOST_MEMORY
    assert max(visitor.connections) <= 256

    # In the end all readers are thrown out. The visitor may still have four connections.
    assert connections_left_open == 0
    assert connections_of_server <= 4
