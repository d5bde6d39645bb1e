"""`scorepad serve`: the addresses it listens on, and what the server answers by itself."""

import re
import signal
import socket
import threading
import time
import urllib.request
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from scorepad.app.server import listen
from tests.cli.running import serving, serving_here


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_an_ipv6_address_is_taken_with_brackets_and_without(tmp_path: Path, host: str) -> None:
    with serving(tmp_path, "--host", host) as served:
        assert re.fullmatch(r"http://\[::1\]:\d+/", served.address)
        with urllib.request.urlopen(f"{served.address}salute", timeout=10) as answer:
            assert answer.read() == b"ok\n"


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
@pytest.mark.parametrize("host", ["::", "[::]"])
def test_every_address_of_ipv6_answers_ipv4_too(tmp_path: Path, host: str) -> None:
    with serving(tmp_path, "--host", host) as served:
        for each in ("127.0.0.1", "[::1]", "localhost"):
            with urllib.request.urlopen(f"http://{each}:{served.port}/", timeout=10) as answer:
                assert answer.status == 200, each


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_who_comes_by_ipv4_there_is_known_by_the_usual_address() -> None:
    addresses = []

    def application(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
        addresses.append(environ["REMOTE_ADDR"])
        start_response("200 OK", [("Content-Length", "0")])
        return []

    with serving_here(application, "::") as port:
        for host in ("127.0.0.1", "[::1]"):
            urllib.request.urlopen(f"http://{host}:{port}/", timeout=10).close()
    assert addresses == ["127.0.0.1", "::1"]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_at_once_where_nothing_runs(tmp_path: Path, how: signal.Signals) -> None:
    with serving(tmp_path) as served:
        with socket.create_connection(("127.0.0.1", served.port), timeout=10) as idle:
            idle.sendall(b"GET /salute HTTP/1.1\r\nHost: localhost\r\n\r\n")
            while not idle.recv(4096).endswith(b"ok\n"):
                pass
            began = time.perf_counter()
            served.process.send_signal(how)
            assert idle.recv(1) == b""
        _, output = served.process.communicate(timeout=10)
        assert served.process.returncode == 0
        assert output == ""
        assert time.perf_counter() - began < 3


def test_what_runs_is_finished_before_it_ends() -> None:
    has_begun = threading.Event()

    def slow(_: object, start_response: Callable[..., object]) -> list[bytes]:
        has_begun.set()
        time.sleep(0.5)
        start_response("200 OK", [("Content-Length", "4")])
        return [b"done"]

    server = listen(slow, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    client = HTTPConnection("127.0.0.1", server.effective_port, timeout=10)
    client.request("GET", "/")
    assert has_begun.wait(5)
    server.stop()
    assert client.getresponse().read() == b"done"
    client.close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", server.effective_port), timeout=10)
    thread.join(timeout=10)
