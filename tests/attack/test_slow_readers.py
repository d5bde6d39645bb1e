"""Clients that ask for large answers and do not read them, or read a byte a second, delay nobody."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http import HTTPStatus
from pathlib import Path

import pytest

from tests.attack.load import Visitor, at_once, long_match, owner, request_for
from tests.attack.served import Served, serving

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def server_and_long_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str]]:
    """Start a server with a long match, and give it and the path of a page of 700 kB."""
    data = tmp_path_factory.mktemp("readers") / "scorepad.db"
    match = long_match(data)

    # The server closes a connection from which nothing was read for ten seconds. Usually these are
    # thirty, but the tests would take minutes then.
    before = "from scorepad.app import timeouts; timeouts.STALL_TIMEOUT = 10.0"
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
    """Read slowly until the server has closed the connections of all readers. Return how many are
    still open if it does not.
    """
    open_connections = count_open(served, readers)
    every_other_reader = readers[::2]

    # The server closes a connection from which it cannot get rid of an answer for ten seconds. A
    # busy one may have accepted it late. If none was closed for thirty seconds, none will be.
    last_closed_at = time.monotonic()
    while open_connections and time.monotonic() - last_closed_at < 30:
        # Each second, half of the readers read a byte, and the others nothing.
        for reader in every_other_reader:
            with suppress(OSError):  # the server has closed it, or nothing has come
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
    # Linux lists the ends of all connections, after a line of titles. A row begins with a number,
    # the address of this end, that of the other end, and a state, of which 01 is "established".
    open_ports = set()
    _titles, *rows = Path("/proc/net/tcp").read_text().splitlines()
    for row in rows:
        _, local, remote, state, *_ = row.split()
        if state == "01" and port_of(local) == served.port:
            open_ports.add(port_of(remote))

    # These ports are those of all clients. A reader has one of them.
    reader_ports = {reader.getsockname()[1] for reader in readers}
    return len(reader_ports & open_ports)


def port_of(address: str) -> int:
    """Return the port of an address in `/proc/net/tcp`: `0100007F:1F90` (127.0.0.1) → 8080."""
    return int(address.partition(":")[2], 16)


# Eight readers, for example, each send 71 requests for the page at once.
@pytest.mark.parametrize(("readers", "requests"), [(8, 71), (60, 19), (400, 19), (400, 71)])
def test_slow_readers_do_not_delay_others(
    server_and_long_page: tuple[Served, str], readers: int, requests: int
) -> None:
    # All pages are loaded once, so that the first one is no slower than the others.
    served, long_page = server_and_long_page
    assert owner(served).get(long_page).status == HTTPStatus.OK
    visitor = Visitor(served, ("/regole/parole", "/salute"))
    for page in visitor.paths:
        assert served.get(page).status == HTTPStatus.OK
    limit_before = at_once()

    # While a visitor opens two pages again and again, the readers ask for one of 700 kB. Half of
    # them read a byte a second, the others nothing, until the server closes their connections.
    with visitor.watching(), ExitStack() as stack:
        connections = []
        for _ in range(readers):
            connection = request_with_small_buffer(served.port, long_page, requests)
            connections.append(stack.enter_context(connection))
        started_at = time.monotonic()
        left_open = wait_until_closed(served, connections)
        seconds = time.monotonic() - started_at
        connections_of_server = served.connections()

    print(
        f"\n{readers} readers, {requests} requests each: {visitor.figures()}; "
        f"{connections_of_server} connections left after {seconds:.0f} s"
    )
    # The visitor waited a second at most, or longer on a machine that other programs keep busy. It
    # may have become busier meanwhile.
    assert max(visitor.seconds) < max(limit_before, at_once())

    # The server never took more than 300 MB, nor had more connections than the 256 that it may.
    assert max(visitor.memory) < 300
    assert max(visitor.connections) <= 256

    # In the end all readers are thrown out. The visitor may still have four connections.
    assert left_open == 0
    assert connections_of_server <= 4
