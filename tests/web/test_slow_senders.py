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

LARGE_ANSWER_SIZE = 4_000_000
"""Octets of a large answer."""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Start the app as a person does, in a process of its own; the port on which it answers."""
    with serving(tmp_path_factory.mktemp("slow")) as served:
        yield served.port


@pytest.fixture
def impatient_port(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Start the app on an impatient server; the port on which it answers.

    It waits half a second for a client that sends or takes nothing, instead of half a minute.
    """
    monkeypatch.setattr("scorepad.app.timeouts.STALL_TIMEOUT", 0.5)
    with serving_here(app) as port:
        yield port


def seconds_for_a_page(port: int, path: str = "/regole/parole") -> float:
    """Ask for a page, and return how many seconds it takes."""
    began = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    assert connection.getresponse().read()
    connection.close()
    return time.perf_counter() - began


def connect_and_send(port: int, first: bytes, stack: ExitStack) -> socket.socket:
    """Open a connection, send this on it, and return it. The stack closes it."""
    made = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
    made.sendall(first)
    return made


def receive_all(connection: socket.socket) -> bytes:
    """Return all that the server sends until it closes the connection."""
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
CUT_IN_HEADER = b"GET / HTTP/1.1\r\nHost: local"
CUT_IN_BODY = POST + b"Content-Length: 200000\r\n\r\ncsrf"
CUT_BETWEEN_HEADERS = POST + b"X-A: 1\r\n"


def test_connections_in_use_survive_many_slow_ones(port: int) -> None:
    # Sixteen phones at a table, each with the six connections that a browser opens. All are used.
    connections = [HTTPConnection("127.0.0.1", port, timeout=30) for _ in range(16 * 6)]
    ask_on_every_connection(connections)
    sockets_before = [connection.sock for connection in connections]

    # An attacker opens 300 connections more, and sends nothing on them, or stops within a header,
    # or before the body that the headers announce.
    with ExitStack() as stack:
        for beginning in (b"", CUT_IN_HEADER, CUT_IN_BODY):
            for _ in range(100):
                connect_and_send(port, beginning, stack)

            # The server may close the attacker's connections to make room. The phones are answered.
            ask_on_every_connection(connections)

    # None of theirs was closed: an HTTPConnection would have opened a new socket then.
    assert [connection.sock for connection in connections] == sockets_before
    for connection in connections:
        connection.close()


def ask_on_every_connection(connections: list[HTTPConnection]) -> None:
    """Send a request on each connection, and check that it is answered."""
    for connection in connections:
        connection.request("GET", "/static/icon.svg")
        answer = connection.getresponse()
        assert answer.read()
        assert answer.status == 200


@pytest.mark.parametrize("beginning", [CUT_IN_HEADER, CUT_IN_BODY, CUT_BETWEEN_HEADERS])
def test_slow_sender_is_answered_with_408(impatient_port: int, beginning: bytes) -> None:
    # Half a request is sent, and then nothing. The server waits for half a second.
    with ExitStack() as stack:
        began = time.perf_counter()
        sender = connect_and_send(impatient_port, beginning, stack)
        answer = receive_all(sender)
        seconds = time.perf_counter() - began
    assert 0.4 < seconds < 10

    # The answer says in both languages that the request came too slowly.
    head, text = answer.split(b"\r\n\r\n", maxsplit=1)
    assert re.match(rb"HTTP/1.[01] 408 Request Timeout", head)
    assert "La richiesta è arrivata troppo lentamente." in text.decode()
    assert "The request came too slowly." in text.decode()

    # It has the security headers of every page. Only the referrer policy is a stricter one,
    # because the URL of a refused request may contain a key.
    for name, value in ALWAYS.items():
        if name != "Referrer-Policy":
            assert f"{name}: {value}".encode() in head

    # Others are answered within three seconds.
    assert seconds_for_a_page(impatient_port) < 3


def test_slow_but_steady_upload_is_accepted(
    impatient_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever sends at least 1,000 octets a second may take as long as that needs.
    monkeypatch.setattr("scorepad.app.timeouts.SLOWEST_RATE", 1000)
    with ExitStack() as stack:
        # A form of 12,000 octets takes 1.2 seconds: longer than the half second after which the
        # server refuses a client that sends nothing.
        sender = connect_and_send(impatient_port, POST + b"Content-Length: 12000\r\n\r\n", stack)
        for _ in range(12):
            sender.sendall(b"x" * 1000)
            time.sleep(0.1)

        # The server has read the form to its end. Its fields are not those of a new match.
        assert sender.recv(12) == b"HTTP/1.1 422"


# Requests with the status of their answer. A request in pieces (chunked) has no length as a whole;
# each piece begins with its own, in hexadecimal figures.
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
# Words that the text of a refusal has: "This request makes no sense", "It is too much", "The
# address or the cookies of this request are too long".
TEXTS_OF_REFUSALS = {
    400: ("Questa richiesta non si capisce", "This request makes no sense"),
    413: ("È troppo",),
    431: ("L'indirizzo o i cookie di questa richiesta sono troppo lunghi.", "are too long"),
}


@pytest.mark.parametrize(("status", "request_"), ODD_REQUESTS.values(), ids=ODD_REQUESTS)
def test_oversized_or_malformed_request_delays_nobody(
    port: int, status: int, request_: bytes
) -> None:
    # One request has a header of 20 kB, and is refused with status 431, "header fields too large".
    with socket.create_connection(("127.0.0.1", port), timeout=30) as sender:
        with suppress(OSError):  # the server may close before it has read all
            sender.sendall(request_)
        sender.shutdown(socket.SHUT_WR)
        answer = receive_all(sender).decode("utf-8", "replace")

    # The answer has the security headers that the app sends always, and says what is wrong.
    assert re.match(rf"HTTP/1.[01] {status} ", answer), answer[:200]
    for name in ALWAYS:
        assert f"\n{name}: " in answer
    for words in TEXTS_OF_REFUSALS.get(status, ()):
        assert words in answer
    assert "Traceback" not in answer
    # The web server would end a refusal of its own with "generated by waitress".
    assert "generated by" not in answer

    # Others are answered within three seconds.
    assert seconds_for_a_page(port) < 3


# ---------------------------------------------------------------- slow readers


def answer_with_4_mb(_: object, start_response: Callable[..., object]) -> list[bytes]:
    """Answer every request with 4 MB: a WSGI application."""
    start_response("200 OK", [("Content-Length", str(LARGE_ANSWER_SIZE))])
    return [b"x" * LARGE_ANSWER_SIZE]


@pytest.fixture
def port_with_large_answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Start a server whose answers have 4 MB; the port on which it answers.

    It waits half a second for a client that reads nothing, instead of half a minute.
    """
    monkeypatch.setattr("scorepad.app.timeouts.STALL_TIMEOUT", 0.5)
    with serving_here(answer_with_4_mb) as port:
        yield port


def test_readers_that_do_not_read_are_disconnected(port_with_large_answers: int) -> None:
    port = port_with_large_answers
    with ExitStack() as stack:
        # Twice as many clients as the server has threads ask for 20 large answers each, and read
        # none of them. They hold no thread: somebody else is answered.
        readers = [connect_and_send(port, GET * 20, stack) for _ in range(2 * THREADS)]
        assert seconds_for_a_page(port) < 2

        # After half a second the server closes their connections. They only receive what was on
        # its way already: less than the first answer.
        time.sleep(3)
        for reader in readers:
            octets_received = len(receive_all(reader))
            assert octets_received < LARGE_ANSWER_SIZE


def test_slow_but_steady_reader_gets_the_whole_answer(
    port_with_large_answers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever reads at least 1,000 octets a second may take as long as that needs.
    monkeypatch.setattr("scorepad.app.timeouts.SLOWEST_RATE", 1000)
    with ExitStack() as stack:
        # A client reads slowly for 1.2 seconds: longer than the half second after which the
        # server disconnects one that reads nothing.
        reader = connect_and_send(port_with_large_answers, GET, stack)
        octets_read = 0
        for _ in range(12):
            octets_read += len(reader.recv(100_000))
            time.sleep(0.1)
        assert octets_read > 0

        # It still gets the rest of the answer.
        while octets_read < LARGE_ANSWER_SIZE:
            part = reader.recv(65536)
            assert part, f"closed after {octets_read} octets"
            octets_read += len(part)


def test_pipelined_requests_are_answered_in_order(port: int) -> None:
    # A client sends six requests at once, without waiting for the answers in between. The third
    # asks for a page that does not exist; the fifth sends something that is no form of the app.
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
    assert answer.endswith(b"\r\n\r\n"), "nothing follows the headers"
    # The length is that of the page that GET would answer with: some kilobytes.
    assert re.search(rb"Content-Length: \d{4}", answer)


def test_visitor_finds_room_among_too_many_connections(
    port_with_large_answers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The server answers every request with 4 MB. At most 64 connections may be open. None is closed
    # only for being slow, as that would take a minute.
    monkeypatch.setattr("scorepad.app.connection_limit.MAX_CONNECTIONS", 64)
    monkeypatch.setattr("scorepad.app.timeouts.STALL_TIMEOUT", 60)
    port = port_with_large_answers
    with ExitStack() as stack:
        # A greedy client asks on 100 connections, and reads no answer.
        greedy = [connect_and_send(port, GET, stack) for _ in range(100)]

        # A visitor with another browser gets their whole answer.
        visitor = HTTPConnection("127.0.0.1", port, timeout=10)
        visitor.request("GET", "/", headers={"Cookie": "a=visitor"})
        assert len(visitor.getresponse().read()) == 4_000_000
        visitor.close()

        # The server closes greedy connections, until soon no more than 64 of them are left.
        deadline = time.monotonic() + 10
        still_open = greedy
        while len(still_open) > 64:
            assert time.monotonic() < deadline, f"{len(still_open)} connections are open"
            still_open = [connection for connection in still_open if is_open(connection)]


def is_open(connection: socket.socket) -> bool:
    """Tell whether the server has not closed a connection yet; what has arrived is dropped."""
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
    """A request that waits for a thread: from an address, by a browser with these cookies.

    A client is whoever has the same address and the same cookies.
    """

    def __init__(self, address: str, cookies: str) -> None:
        self.client = Client(address, hash(cookies))

    def service(self) -> None:
        raise NotImplementedError


def test_clients_take_turns_in_the_queue() -> None:
    queue = FairQueue()

    # A greedy browser sends eight requests. Then another browser sends one from the same address,
    # and a visitor sends one from another address.
    greedy = [WaitingRequest("192.0.2.1", "greedy") for _ in range(8)]
    other = WaitingRequest("192.0.2.1", "other")
    visitor = WaitingRequest("192.0.2.2", "visitor")
    for request in (*greedy, other, visitor):
        queue.append(request)
    assert len(queue) == 10

    taken = [queue.popleft() for _ in range(8)]

    # After the first request it is the turn of an address with none at work, then of a browser
    # with none at work. The greedy one has its other turns after them.
    assert taken[:3] == [greedy[0], visitor, other]
    assert taken[3:] == greedy[1:6]


def test_client_has_at_most_six_requests_at_work() -> None:
    queue = FairQueue()
    requests = [WaitingRequest("192.0.2.1", "greedy") for _ in range(7)]
    for request in requests:
        queue.append(request)

    # Threads take six of the seven requests of a client.
    for request in requests[:6]:
        assert queue.popleft() is request

    # The seventh has to wait, so that the queue counts as empty.
    assert len(queue) == 0
    with pytest.raises(LookupError):
        queue.popleft()

    # It is taken when one of the six is finished.
    queue.finish(requests[0].client)

    assert queue.popleft() is requests[6]
