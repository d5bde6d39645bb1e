"""Against the server itself, over sockets: slow, endless and greedy senders are refused, and others are answered."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection

import pytest
from flask import Flask

from scorepad.app import channels
from scorepad.app.server import LARGEST_BODY, listen
from scorepad.web.headers import ALWAYS

AT_ONCE = 1.0
"""Seconds within which everybody else is answered."""
PHONES, EACH = 16, 6
"""Phones at a table, and the connections that a browser keeps open to one server."""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The pad, as a person starts it."""
    command = [sys.executable, "-um", "scorepad", "serve", "--port", "0", "--data", "x.db"]
    server = subprocess.Popen(command, cwd=tmp_path_factory.mktemp("slow"), stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r"http://[^/]*:(\d+)/", server.stdout.readline())
        assert found
        yield int(found[1])
    finally:
        server.terminate()
        server.communicate(timeout=10)


@pytest.fixture
def hasty(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The same server, that waits half a second where it else waits half a minute."""
    monkeypatch.setattr(channels, "PATIENCE", 0.5)
    server = listen(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield server.effective_port
    server.maintenance(time.time() + 1000)
    server.close()
    thread.join(timeout=10)


def answered(port: int, path: str = "/regole/parole") -> float:
    """How long somebody waits for a page."""
    began = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    assert connection.getresponse().read()
    connection.close()
    return time.perf_counter() - began


def opened(port: int, first: bytes, stack: ExitStack) -> socket.socket:
    """A connection on which this was sent so far."""
    made = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
    made.sendall(first)
    return made


def received(sender: socket.socket) -> bytes:
    """All that is answered until the connection is closed."""
    told = b""
    try:
        while part := sender.recv(65536):
            told += part
    except ConnectionResetError:  # closed with more on its way to it
        pass
    return told


HEAD = b"POST /partite/nuova HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
PIECES = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
SLOW = (b"", b"GET / HTTP/1.1\r\nHost: local", HEAD + b"Content-Length: 200000\r\n\r\ncsrf", HEAD + b"X-A: 1\r\n")


@pytest.mark.long
def test_four_hundred_who_never_come_to_an_end_keep_nobody_waiting(port: int) -> None:
    answered(port)
    with ExitStack() as stack:
        slow = [opened(port, SLOW[number % len(SLOW)], stack) for number in range(400)]
        waited = [answered(port)]
        for _ in range(4):
            for sender in slow:
                try:
                    sender.send(b"x")  # an octet now and then
                except OSError:  # it made room
                    continue
            waited.append(answered(port))
        print(f"400 slow senders: others answered within {max(waited):.2f} s")
        assert max(waited) < AT_ONCE


def test_phones_that_ask_keep_their_connections_while_slow_ones_come_and_go(port: int) -> None:
    phones = [HTTPConnection("127.0.0.1", port, timeout=30) for _ in range(PHONES * EACH)]

    def ask(phone: HTTPConnection) -> None:
        phone.request("GET", "/static/icon.svg")
        answer = phone.getresponse()
        assert answer.read()
        assert answer.status == 200

    for phone in phones:
        ask(phone)
    sockets = [phone.sock for phone in phones]
    with ExitStack() as stack:
        for number in range(3):
            for _ in range(100):
                opened(port, SLOW[number], stack)
            for phone in phones:
                ask(phone)
        assert [phone.sock for phone in phones] == sockets, "none was closed: it would have been opened anew"
    for phone in phones:
        phone.close()


@pytest.mark.parametrize("first", SLOW[1:])
def test_who_sends_too_slowly_is_told_so(hasty: int, first: bytes) -> None:
    with ExitStack() as stack:
        sender = opened(hasty, first, stack)
        began = time.perf_counter()
        told = received(sender)
        assert 0.4 < time.perf_counter() - began < 10
    head, _, text = told.partition(b"\r\n\r\n")
    assert head.startswith((b"HTTP/1.1 408 Request Timeout", b"HTTP/1.0 408 Request Timeout"))
    assert "La richiesta è arrivata troppo lentamente." in text.decode()
    assert "The request came too slowly." in text.decode()
    for name, value in ALWAYS.items():
        if name != "Referrer-Policy":
            assert f"{name}: {value}".encode() in head
    assert answered(hasty) < AT_ONCE


def test_a_long_file_over_a_bad_network_is_given_its_time(hasty: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channels, "SLOWEST", 1000)
    with ExitStack() as stack:
        sender = opened(hasty, HEAD + b"Content-Length: 12000\r\n\r\n", stack)
        for _ in range(12):
            sender.sendall(b"x" * 1000)
            time.sleep(0.1)
        assert sender.recv(12) == b"HTTP/1.1 422"  # no form of ours


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        pytest.param(HEAD + f"Content-Length: {LARGEST_BODY + 1}\r\n\r\n".encode(), 413, id="a body of 8 MB, told"),
        pytest.param(PIECES + b"80000\r\n" + b"x" * 0x80000 + b"\r\n0\r\n\r\n", 413,
                     id="a form of 512 kB in pieces"),
        pytest.param(HEAD + b"Content-Length: 300000\r\n\r\n" + b"place=" + b"x" * 299994, 413, id="a form of 300 kB"),
        pytest.param(HEAD + b"Content-Length: 40000\r\n\r\n" + b"a=1&" * 10000, 413, id="10,000 fields"),
        pytest.param(b"GET / HTTP/1.1\r\nX: " + b"x" * 300_000 + b"\r\n\r\n", 431, id="a header of 300 kB"),
        pytest.param(b"GET /" + b"x" * 300_000 + b" HTTP/1.1\r\n\r\n", 431, id="an address of 300 kB"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, id="https spoken to http"),
        pytest.param(HEAD + b"Content-Length: -1\r\n\r\n", 400, id="a body of less than nothing"),
        pytest.param(HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 422,
                     id="two lengths: that of the pieces counts"),
        pytest.param(PIECES + b"zz\r\n", 400, id="a piece of no length"),
    ],
)  # fmt: skip
def test_too_much_and_nonsense_are_refused_in_words_and_nobody_waits(port: int, request_: bytes, status: int) -> None:
    with ExitStack() as stack:
        sender = opened(port, b"", stack)
        with suppress(OSError):  # it had read enough
            sender.sendall(request_)
        sender.shutdown(socket.SHUT_WR)
        told = received(sender).decode("utf-8", "replace")
    assert re.match(rf"HTTP/1.[01] {status} ", told), told[:200]
    for name in ("Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy"):
        assert f"\n{name}: " in told
    assert "Traceback" not in told
    assert answered(port) < AT_ONCE


def test_programs_are_refused_in_json(port: int) -> None:
    with ExitStack() as stack:
        head = b"POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        sender = opened(port, head + f"Content-Length: {LARGEST_BODY + 1}\r\n\r\n".encode(), stack)
        told = received(sender).decode()
    assert " 413 " in told.splitlines()[0]
    assert json.loads(told.partition("\r\n\r\n")[2])["code"] == "too-large"


def test_who_never_reads_an_answer_keeps_nobody_waiting(port: int) -> None:
    with ExitStack() as stack:
        asked = b"GET /regole/moderna HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for _ in range(30):
            opened(port, asked, stack)
        waited = [answered(port) for _ in range(3)]
        assert waited[-1] < AT_ONCE
