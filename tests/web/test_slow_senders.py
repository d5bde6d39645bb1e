"""Against the server itself, over sockets: slow, endless and greedy clients are refused, and others
are answered.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection

import pytest
from flask import Flask

from scorepad.app.fair_queue import Client, FairQueue
from scorepad.app.server import LARGEST_BODY, THREADS
from scorepad.web.headers import ALWAYS
from tests.cli.running import serving, serving_here

LONGEST_WAIT = 3.0
"""Seconds within which everybody else is answered."""
LARGE_ANSWER_SIZE = 4_000_000
"""Octets of a large answer."""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The pad, as a person starts it."""
    with serving(tmp_path_factory.mktemp("slow")) as served:
        yield served.port


@pytest.fixture
def impatient_port(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of the pad on a server that waits half a second where it else waits half a minute."""
    monkeypatch.setattr("scorepad.app.timeouts.STALL_TIMEOUT", 0.5)
    with serving_here(app) as port:
        yield port


def seconds_for_a_page(port: int, path: str = "/regole/parole") -> float:
    """The seconds that somebody waits for a page."""
    began = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    assert connection.getresponse().read()
    connection.close()
    return time.perf_counter() - began


def connect_and_send(port: int, first: bytes, stack: ExitStack) -> socket.socket:
    """A new connection, on which this has been sent."""
    made = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
    made.sendall(first)
    return made


def receive_all(connection: socket.socket) -> bytes:
    """All that is answered until the connection is closed."""
    received = b""
    try:
        while part := connection.recv(65536):
            received += part
    except ConnectionResetError:  # closed while more was sent to it
        pass
    return received


GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /partite/nuova HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
IN_PIECES = POST + b"Transfer-Encoding: chunked\r\n\r\n"
UNFINISHED_REQUESTS = (
    b"",
    b"GET / HTTP/1.1\r\nHost: local",
    POST + b"Content-Length: 200000\r\n\r\ncsrf",
    POST + b"X-A: 1\r\n",
)
"""The beginnings of requests."""


def test_connections_in_use_survive_many_slow_ones(port: int) -> None:
    number = 16 * 6  # sixteen phones at a table, each with the six connections of a browser
    connections = [HTTPConnection("127.0.0.1", port, timeout=30) for _ in range(number)]

    def ask_on_every_connection() -> None:
        for connection in connections:
            connection.request("GET", "/static/icon.svg")
            answer = connection.getresponse()
            assert answer.read()
            assert answer.status == 200

    ask_on_every_connection()
    sockets_before = [connection.sock for connection in connections]
    with ExitStack() as stack:
        for beginning in UNFINISHED_REQUESTS[:3]:
            for _ in range(100):
                connect_and_send(port, beginning, stack)
            ask_on_every_connection()

    sockets = [connection.sock for connection in connections]
    assert sockets == sockets_before, "none was closed and opened anew"
    for connection in connections:
        connection.close()


@pytest.mark.parametrize("beginning", UNFINISHED_REQUESTS[1:])
def test_slow_sender_is_answered_with_408(impatient_port: int, beginning: bytes) -> None:
    with ExitStack() as stack:
        began = time.perf_counter()
        sender = connect_and_send(impatient_port, beginning, stack)
        answer = receive_all(sender)
        seconds = time.perf_counter() - began

    assert 0.4 < seconds < 10  # the server waits for half a second
    head, text = answer.split(b"\r\n\r\n", maxsplit=1)
    assert re.match(rb"HTTP/1.[01] 408 Request Timeout", head)
    assert "La richiesta è arrivata troppo lentamente." in text.decode()
    assert "The request came too slowly." in text.decode()
    for name, value in ALWAYS.items():
        if name != "Referrer-Policy":
            assert f"{name}: {value}".encode() in head
    assert seconds_for_a_page(impatient_port) < LONGEST_WAIT


def test_slow_but_steady_upload_is_accepted(
    impatient_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It sends for longer than the half second after which one that sends nothing is refused."""
    monkeypatch.setattr("scorepad.app.timeouts.SLOWEST_RATE", 1000)
    with ExitStack() as stack:
        sender = connect_and_send(impatient_port, POST + b"Content-Length: 12000\r\n\r\n", stack)
        for _ in range(12):
            sender.sendall(b"x" * 1000)
            time.sleep(0.1)
        assert sender.recv(12) == b"HTTP/1.1 422"  # read to its end, and no form of ours


ODD_REQUESTS = {
    "a body of 8 MB, told": (413, POST + f"Content-Length: {LARGEST_BODY + 1}\r\n\r\n".encode()),
    "a form of 512 kB in pieces": (413, IN_PIECES + b"80000\r\n" + b"x" * 0x80000 + b"\r\n0\r\n\r\n"),
    "a header of 15 kB, which is not too much": (200, GET[:-2] + b"X: " + b"x" * 15_000 + b"\r\n\r\n"),
    "a header of 20 kB": (431, b"GET / HTTP/1.1\r\nX: " + b"x" * 20_000 + b"\r\n\r\n"),
    "a header of 300 kB": (431, b"GET / HTTP/1.1\r\nX: " + b"x" * 300_000 + b"\r\n\r\n"),
    "an address of 300 kB": (431, b"GET /" + b"x" * 300_000 + b" HTTP/1.1\r\n\r\n"),
    "https spoken to http": (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
    "a body of less than nothing": (400, POST + b"Content-Length: -1\r\n\r\n"),
    "two lengths: that of the pieces counts": (
        422, POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ),
    "a piece of no length": (400, IN_PIECES + b"zz\r\n"),
    "no request at all": (400, b"NONSENSE\r\n\r\n"),
}  # fmt: skip
TEXTS_OF_REFUSALS = {
    400: ("Questa richiesta non si capisce", "This request makes no sense"),
    413: ("È troppo",),
    431: ("L'indirizzo o i cookie di questa richiesta sono troppo lunghi.", "are too long"),
}


@pytest.mark.parametrize(("status", "request_"), ODD_REQUESTS.values(), ids=ODD_REQUESTS)
def test_oversized_or_malformed_request_is_refused_and_nobody_waits(
    port: int, status: int, request_: bytes
) -> None:
    with ExitStack() as stack:
        sender = connect_and_send(port, b"", stack)
        with suppress(OSError):  # the server may close before it has read all
            sender.sendall(request_)
        sender.shutdown(socket.SHUT_WR)
        answer = receive_all(sender).decode("utf-8", "replace")

    assert re.match(rf"HTTP/1.[01] {status} ", answer), answer[:200]
    for name in ALWAYS:
        assert f"\n{name}: " in answer
    for words in TEXTS_OF_REFUSALS.get(status, ()):
        assert words in answer
    assert "Traceback" not in answer
    assert "generated by" not in answer
    assert seconds_for_a_page(port) < LONGEST_WAIT


# ---------------------------------------------------------------- slow readers


def answer_with_4_mb(_: object, start_response: Callable[..., object]) -> list[bytes]:
    """A WSGI application that answers everything with 4 MB."""
    start_response("200 OK", [("Content-Length", str(LARGE_ANSWER_SIZE))])
    return [b"x" * LARGE_ANSWER_SIZE]


@pytest.fixture
def port_with_large_answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server whose answers have 4 MB and which waits half a second for readers."""
    monkeypatch.setattr("scorepad.app.timeouts.STALL_TIMEOUT", 0.5)
    with serving_here(answer_with_4_mb) as port:
        yield port


def test_readers_that_do_not_read_are_disconnected(port_with_large_answers: int) -> None:
    port = port_with_large_answers
    with ExitStack() as stack:
        readers = [connect_and_send(port, GET * 20, stack) for _ in range(2 * THREADS)]
        assert seconds_for_a_page(port) < 2, "the readers hold no thread"

        time.sleep(3)
        for reader in readers:
            octets_received = len(receive_all(reader))
            assert octets_received < LARGE_ANSWER_SIZE, "closed before the end of the first answer"


def test_slow_but_steady_reader_gets_the_whole_answer(
    port_with_large_answers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reads for longer than the half second after which one that reads nothing is disconnected."""
    monkeypatch.setattr("scorepad.app.timeouts.SLOWEST_RATE", 1000)
    with ExitStack() as stack:
        reader = connect_and_send(port_with_large_answers, GET, stack)
        octets_read = 0
        for _ in range(12):
            octets_read += len(reader.recv(100_000))
            time.sleep(0.1)
        assert octets_read > 0
        while octets_read < LARGE_ANSWER_SIZE:
            part = reader.recv(65536)
            assert part, f"closed after {octets_read} octets"
            octets_read += len(part)


def test_pipelined_requests_are_answered_in_order(port: int) -> None:
    requests = b""
    for path in ("/salute", "/static/icon.svg", "/nowhere", "/salute"):
        requests += f"\r\nGET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    requests += b"POST /lingua HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\na=b"
    requests += b"GET /salute HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    with ExitStack() as stack:
        answers = receive_all(connect_and_send(port, requests, stack))

    statuses = re.findall(rb"HTTP/1.1 (\d+) ", answers)
    assert statuses == [b"200", b"200", b"404", b"200", b"400", b"200"]


def test_head_is_answered_without_a_body(port: int) -> None:
    request = b"HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with ExitStack() as stack:
        answer = receive_all(connect_and_send(port, request, stack))
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.endswith(b"\r\n\r\n")
    assert re.search(rb"Content-Length: \d{4}", answer)


def test_number_of_open_connections_is_limited_and_a_visitor_finds_room(
    port_with_large_answers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorepad.app.connection_limit.MAX_CONNECTIONS", 64)
    monkeypatch.setattr("scorepad.app.timeouts.STALL_TIMEOUT", 60)
    port = port_with_large_answers
    with ExitStack() as stack:
        greedy = [connect_and_send(port, GET, stack) for _ in range(100)]
        visitor = HTTPConnection("127.0.0.1", port, timeout=10)
        visitor.request("GET", "/", headers={"Cookie": "a=visitor"})
        assert len(visitor.getresponse().read()) == LARGE_ANSWER_SIZE
        visitor.close()

        deadline = time.monotonic() + 10
        still_open = greedy
        while len(still_open) > 64:
            assert time.monotonic() < deadline, f"{len(still_open)} connections are open"
            still_open = [connection for connection in still_open if is_open(connection)]


def is_open(connection: socket.socket) -> bool:
    """Whether the server has not closed the connection. Reads and drops what has arrived."""
    connection.settimeout(0.01)
    try:
        while connection.recv(2**20):
            pass
    except TimeoutError:
        return True
    except OSError:
        pass
    return False


class WaitingRequest:
    """A request that waits for a thread: from an address, by a browser with these cookies."""

    def __init__(self, address: str, cookies: str) -> None:
        self.client = Client(address, hash(cookies))

    def service(self) -> None:
        raise NotImplementedError


def test_clients_take_turns_in_the_queue() -> None:
    queue = FairQueue()
    greedy = [WaitingRequest("192.0.2.1", "greedy") for _ in range(8)]
    other = WaitingRequest("192.0.2.1", "other")
    visitor = WaitingRequest("192.0.2.2", "visitor")
    for request in (*greedy, other, visitor):
        queue.append(request)
    assert len(queue) == 10

    taken = [queue.popleft() for _ in range(8)]

    assert taken[:3] == [greedy[0], visitor, other]
    assert taken[3:] == greedy[1:6]


def test_client_has_at_most_six_requests_at_work() -> None:
    queue = FairQueue()
    requests = [WaitingRequest("192.0.2.1", "greedy") for _ in range(7)]
    for request in requests:
        queue.append(request)
    for request in requests[:6]:
        assert queue.popleft() is request
    assert len(queue) == 0, "the seventh has to wait"
    with pytest.raises(LookupError):
        queue.popleft()

    queue.finish(requests[0].client)

    assert queue.popleft() is requests[6]
