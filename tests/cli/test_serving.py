"""`scorepad serve`: the addresses it listens on, and what the server answers by itself."""

import re
import signal
import socket
import threading
import time
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from scorepad.app.server import listen
from tests.cli.running import serving, serving_here


def has_ipv6() -> bool:
    """Tell whether a server can listen on an IPv6 address of this machine."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_ipv6_address_may_have_brackets(tmp_path: Path, host: str) -> None:
    with serving(tmp_path, "--host", host) as served:
        assert re.fullmatch(r"http://\[::1\]:\d+/", served.address)
        # The address for health checks.
        with urllib.request.urlopen(f"{served.address}salute", timeout=10) as answer:
            assert answer.read() == b"ok\n"


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
@pytest.mark.parametrize("host", ["::", "[::]"])
def test_server_on_all_ipv6_addresses_answers_ipv4_too(tmp_path: Path, host: str) -> None:
    # "::" stands for all addresses of this machine.
    with serving(tmp_path, "--host", host) as served:
        for name in ("127.0.0.1", "[::1]", "localhost"):
            with urllib.request.urlopen(f"http://{name}:{served.port}/", timeout=10) as answer:
                assert answer.status == HTTPStatus.OK, name


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_ipv4_client_of_ipv6_server_has_its_ipv4_address() -> None:
    # The system gives an IPv4 client of such a server the address "::ffff:127.0.0.1".
    addresses_of_clients = []

    def note_address(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
        """Note the address of the client, and answer with an empty page: a WSGI application."""
        addresses_of_clients.append(environ["REMOTE_ADDR"])
        start_response("200 OK", [("Content-Length", "0")])
        return []

    with serving_here(note_address, "::") as port:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10).close()
        urllib.request.urlopen(f"http://[::1]:{port}/", timeout=10).close()

    assert addresses_of_clients == ["127.0.0.1", "::1"]


@pytest.mark.parametrize("stop_signal", [signal.SIGTERM, signal.SIGINT])
def test_idle_server_stops_at_once(tmp_path: Path, stop_signal: signal.Signals) -> None:
    with serving(tmp_path) as served:
        # A browser has its answer and keeps the connection for its next request.
        with socket.create_connection(("127.0.0.1", served.port), timeout=10) as idle:
            idle.sendall(b"GET /salute HTTP/1.1\r\nHost: localhost\r\n\r\n")
            while not idle.recv(4096).endswith(b"ok\n"):
                pass

            # The server does not wait for that request.
            stopped_at = time.perf_counter()
            served.process.send_signal(stop_signal)
            assert idle.recv(1) == b"", "the connection is closed"
        _, errors = served.process.communicate(timeout=10)
        seconds_to_stop = time.perf_counter() - stopped_at

    assert served.process.returncode == 0
    assert errors == ""
    assert seconds_to_stop < 3


def test_running_request_is_answered_before_the_server_stops() -> None:
    request_has_begun = threading.Event()

    def slow_application(_: object, start_response: Callable[..., object]) -> list[bytes]:
        request_has_begun.set()
        time.sleep(0.5)
        start_response("200 OK", [("Content-Length", "4")])
        return [b"done"]

    # A server is in the middle of a request.
    server = listen(slow_application, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    client = HTTPConnection("127.0.0.1", server.effective_port, timeout=10)
    client.request("GET", "/")
    assert request_has_begun.wait(timeout=5)

    server.stop()

    # The client gets its answer. A new one is not let in any more.
    assert client.getresponse().read() == b"done"
    client.close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", server.effective_port), timeout=10)
    thread.join(timeout=10)
