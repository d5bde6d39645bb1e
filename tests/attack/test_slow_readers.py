"""Clients that ask for large answers and do not read them, or read one octet a second."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.attack.load import MOST_MEMORY, Visitor, at_once, long_match, owner, request_for
from tests.attack.served import Served, serving

pytestmark = pytest.mark.long

PATIENCE = 10.0
"""Seconds, in place of the server's 30, so that the whole takes a minute."""
MOST_CONNECTIONS = 256
OF_VISITOR = 4
"""Connections that the visitor may have open."""
ESTABLISHED = "01"
"""The state of an open connection in `/proc/net/tcp`."""
MOST_IDLE = 3 * PATIENCE
"""Seconds without a closed connection after which no more are waited for."""


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str]]:
    """A server, and a page of 700 kB."""
    data = tmp_path_factory.mktemp("readers") / "scorepad.db"
    match = long_match(data)
    before = f"from scorepad.app import timeouts; timeouts.STALL_TIMEOUT = {PATIENCE}"
    with serving(data, before=before) as served:
        yield served, f"/partite/{match}/registro"


def greedy(port: int, path: str, times: int) -> socket.socket:
    """A connection with a small receive buffer that asks for a page so many times at once."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    made.settimeout(5)
    with suppress(OSError):  # refused: that is an answer too
        made.connect(("127.0.0.1", port))
        made.sendall(request_for(path) * times)
    made.setblocking(False)
    return made


def wait_until_closed(served: Served, readers: list[socket.socket]) -> int:
    """Read an octet a second from every other reader until the server has closed all, or closes no
    more; how many are left.

    A busy server accepts a connection late, and then closes it late.
    """
    left = count_open(served, readers)
    progressed_at = time.monotonic()
    while left and time.monotonic() - progressed_at < MOST_IDLE:
        for reader in readers[::2]:
            with suppress(OSError):
                reader.recv(1)
        time.sleep(1)
        before = left
        left = count_open(served, readers)
        if left < before:
            progressed_at = time.monotonic()
    return left


def count_open(served: Served, readers: list[socket.socket]) -> int:
    """How many connections the server has not closed, those included that it has yet to accept.

    They are counted at the server's end: where its queue was full, a client takes a connection for
    open that the server never had.
    """
    reader_ports = {each.getsockname()[1] for each in readers}
    open_ports = set()
    for row in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, remote, state, *_ = row.split()
        if state == ESTABLISHED and port_of(local) == served.port:
            open_ports.add(port_of(remote))
    return len(reader_ports & open_ports)


def port_of(address: str) -> int:
    """The port of an address as in `/proc/net/tcp`: `0100007F:1F90` is 127.0.0.1, port 8080."""
    return int(address.partition(":")[2], 16)


@pytest.mark.parametrize(("connections", "times"), [(8, 71), (60, 19), (400, 19), (400, 71)])
def test_readers_that_never_read_or_read_an_octet_a_second_keep_nobody_waiting(
    attacked: tuple[Served, str], connections: int, times: int
) -> None:
    served, path = attacked
    assert owner(served).get(path).status == 200
    visitor = Visitor(served, ("/regole/parole", "/salute"))
    for page in visitor.paths:
        assert served.get(page).status == 200
    limit = at_once()
    with visitor.watching(), ExitStack() as stack:
        readers = []
        for _ in range(connections):
            readers.append(stack.enter_context(greedy(served.port, path, times)))
        began = time.monotonic()
        unclosed = wait_until_closed(served, readers)
        closed_after = time.monotonic() - began
        left = served.connections()
    print(
        f"\n{connections} readers, {times} requests each: {visitor.figures()}; "
        f"{left} connections left after {closed_after:.0f} s"
    )
    # The machine may have become busier meanwhile.
    assert max(visitor.seconds) < max(limit, at_once())
    assert max(visitor.memory) < MOST_MEMORY
    assert max(visitor.connections) <= MOST_CONNECTIONS
    assert unclosed == 0
    assert left <= OF_VISITOR
