"""The server: waitress with limits for slow clients, a fair queue, and refusals in both languages.

waitress closes only idle connections. A client that sends or reads a byte now and then keeps its
connection, the responses to pipelined requests are all buffered in memory, and a client that does
not read a large response blocks a thread. `Channel` limits the time of each request and each
response, and `FairQueue` the share of the threads that one client uses.
"""

from __future__ import annotations

import errno
import logging
import socket
import struct
import sys
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from enum import Enum, auto
from queue import SimpleQueue
from typing import Any

from pydantic_core import to_json
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher
from waitress.utilities import Error

from scorepad.api.views import code_of, is_api_path
from scorepad.app.request_log import UNKNOWN, RequestLogger, log_request
from scorepad.i18n import LANGUAGES, words
from scorepad.web.network_addresses import home_addresses
from scorepad.web.security import ALWAYS

THREADS = 8
LARGEST_HEADER = 16 * 1024
"""Most bytes of the request line and all headers."""
LARGEST_BODY = 8 * 1024 * 1024
"""Most bytes of a body, for a file of matches. The application has lower limits for all other
requests.
"""
IN_MEMORY = 128 * 1024
"""Most bytes of a body or response buffered in memory; larger ones use a temporary file."""
GRACE = 9.5
"""Seconds that requests have to finish when the server stops; the whole shutdown takes at most ten.
"""
SWITCH_INTERVAL = 0.0005
"""Python's thread switch interval in seconds. The default 0.005 delays short requests while a PDF
is made.
"""
PATIENCE = 30
"""Seconds for receiving a request or sending a response, and the longest time without progress."""
MIN_RATE = 8 * 1024
"""Bytes per second: each time this number is transferred, the transfer may take a second longer."""
MAX_CONNECTIONS = 256
ACCEPTED_AT_ONCE = 32
THREADS_EACH = 6
"""Most threads used by one browser at a time: more than the PDFs running and waiting, fewer than
all threads.
"""
LINGER = 2
"""Seconds for which the rest of a refused request is read and dropped, so that the client reads the
response.
"""
SEND_BUFFER = 64 * 1024
"""The kernel's send buffer in bytes; without a limit it takes megabytes for a client that does not
read.
"""
_REFUSED = {
    400: "serve.refused-400",
    408: "serve.refused-408",
    413: "serve.refused-413",
    431: "serve.refused-431",
}

Client = tuple[str, int | None]
"""An IP address, and a hash of the browser's cookies; None before its first request."""


# ---------------------------------------------------------------- connections


class _ErrorTask(ErrorTask):  # type: ignore[misc] # waitress ships no types
    """A refusal by the server itself: the request was not fully read, so its language is unknown."""

    def execute(self) -> None:
        error, path = self.request.error, str(getattr(self.request, "path", ""))
        log_request(str(getattr(self.request, "command", "")), UNKNOWN, error.code)
        text = "".join(
            f"{words(tongue).text(_REFUSED.get(error.code, 'serve.refused'))}\n"
            for tongue in LANGUAGES
        )
        kind, body = "text/plain; charset=utf-8", text.encode()
        if is_api_path(path):
            kind, body = (
                "application/json",
                to_json({"error": " ".join(text.split()), "code": code_of(error.code)}),
            )
        # The URL is unknown too: it may contain a key.
        headers = ALWAYS | {
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            "Content-Type": kind,
        }
        error.to_response = lambda _: (f"{error.code} {error.reason}", list(headers.items()), body)
        super().execute()


class State(Enum):
    """The state of a connection. `WAITING`: for a thread, or for its response."""

    IDLE = auto()
    RECEIVING = auto()
    WAITING = auto()
    SENDING = auto()
    CLOSING = auto()


class RequestTimeout(Error):  # type: ignore[misc] # waitress ships no types
    """The request did not arrive in time."""

    code = 408
    reason = "Request Timeout"


class OneRequest(HTTPRequestParser):  # type: ignore[misc] # waitress ships no types
    """Parses one request; data after it is kept in `rest`, unparsed."""

    rest = b""

    def received(self, data: bytes) -> int:
        """Parse; returns the number of bytes consumed, all of them at the end of the request."""
        parsed: int = super().received(data)
        if not self.completed:
            return parsed
        self.rest = data[parsed:]
        return len(data)


class Channel(HTTPChannel):  # type: ignore[misc] # waitress ships no types
    """A connection. All but `service` and `send` runs in the main thread."""

    parser_class = OneRequest
    error_task_class = _ErrorTask
    request: OneRequest | None
    close_when_flushed: bool
    finishing = False
    """Set when the server stops: the connection closes after the response."""
    running = False
    """Whether a thread is processing its request."""

    def __init__(
        self,
        server: Any,
        sock: socket.socket,
        addr: Any,
        adj: Any,
        map: dict[int, Any],  # noqa: A002 - the name that waitress passes it by
    ) -> None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._state, self._octets, self._rest = State.IDLE, 0, b""
        self.requested = self._since = self._moved = time.monotonic()
        self.client: Client = (addr[0], None)
        self.rounds = 0
        super().__init__(server, sock, addr, adj, map)
        self._make_room()

    def received(self, data: bytes) -> bool:
        """Process received data up to the end of a request; the rest waits until the response is
        sent.
        """
        self._count(len(data))
        request = self.request = self.request or OneRequest(self.adj)
        taken: bool = super().received(data)
        self._rest = request.rest
        if request.completed:
            self.requested = time.monotonic()
        return taken

    def readable(self) -> bool:
        """Whether to read more now. The server calls this at least once a second, so limits are
        checked here.
        """
        self.rounds += 1
        if self.rounds == 2:  # noqa: PLR2004 - now it can be closed itself
            self._make_room()
        # Process pipelined requests once all previous responses are sent.
        while (
            self._rest
            and self._current() in (State.IDLE, State.RECEIVING)
            and not self.close_when_flushed
        ):
            data, self._rest = self._rest, b""
            self.received(data)
        state, now = self._current(), time.monotonic()
        if state is not self._state:
            self._state, self._since, self._moved, self._octets = state, now, now, 0
        lasted, patience = (
            now - self._since,
            LINGER if state is State.CLOSING else PATIENCE + self._octets / MIN_RATE,
        )
        is_late = lasted > patience or (state is not State.CLOSING and now - self._moved > PATIENCE)
        if self.will_close or (self.finishing and state not in (State.WAITING, State.SENDING)):
            self._drop()
        elif is_late and state is State.RECEIVING:
            self._refuse()
        elif is_late and state is not State.WAITING:
            self._drop()
        return self.connected and (state is State.CLOSING or bool(super().readable()))

    def writable(self) -> bool:
        """Whether there is data to send, or the connection is to be closed."""
        return self.connected and self._state is not State.CLOSING and bool(super().writable())

    def handle_write(self) -> None:
        """Send. If the connection closes after this response, further input is read and dropped
        first.
        """
        is_last, self.close_when_flushed = self.close_when_flushed, False
        super().handle_write()
        self.close_when_flushed = is_last
        if is_last and self.connected and not self.total_outbufs_len:
            self._state, self._since = State.CLOSING, time.monotonic()
            try:
                self.socket.shutdown(socket.SHUT_WR)
            except OSError:  # the client has gone
                self.handle_close()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send as much as the kernel accepts; returns the number of bytes."""
        sent: int = super().send(data, do_close)
        self._count(sent)
        return sent

    def service(self) -> None:
        """Process the request, in a thread."""
        client, dispatcher = self.client, self.server.task_dispatcher
        self.running = True
        try:
            super().service()
        finally:
            self.running = False
            with dispatcher.lock:
                dispatcher.queue.done(client)

    def _make_room(self) -> None:
        """If there are too many connections, close the least recently used one of the client with
        the most.
        """
        kept = [
            each for each in self._map.values() if isinstance(each, Channel) and not each.will_close
        ]
        addresses = Counter(each.client[0] for each in kept)
        clients = Counter(each.client for each in kept)
        # The newest ones are still unknown: their data has not been read.
        known = [each for each in kept if each.rounds > 1 and not each.running]
        for _ in range(min(len(kept) - (MAX_CONNECTIONS - ACCEPTED_AT_ONCE), len(known))):
            most = max(
                known,
                key=lambda each: (addresses[each.client[0]], clients[each.client], -each.requested),
            )
            most.will_close = (
                True  # at the next `readable`: its file descriptor must not be reused now
            )
            known.remove(most)
            addresses[most.client[0]] -= 1
            clients[most.client] -= 1

    def _count(self, octets: int) -> None:
        if octets:
            self._octets += octets
            self._moved = time.monotonic()

    def _current(self) -> State:
        if self._state is State.CLOSING:
            return State.CLOSING
        if self.total_outbufs_len:
            return State.SENDING
        if self.requests:
            return State.WAITING
        return State.IDLE if self.request is None else State.RECEIVING

    def _refuse(self) -> None:
        """Send an error for an incomplete request, and close the connection."""
        with self.requests_lock:
            late, self.request = self.request, None
            if late is not None:
                late.error = RequestTimeout("")
                self.requests.append(late)
        self.server.add_task(self)

    def _drop(self) -> None:
        """Close at once. The kernel discards unsent data."""
        if self.total_outbufs_len:
            with suppress(OSError):
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.handle_close()


class FairQueue:
    """A queue of requests waiting for a thread: the client with the fewest running is next, by
    address, then browser.

    Replaces the FIFO queue of waitress' dispatcher, in which a client with 200 connections would
    block all others. The dispatcher holds its lock when it calls these methods; so must the caller
    of `done`.
    """

    def __init__(self) -> None:
        self._lines: dict[Client, deque[Channel]] = {}
        self._running: Counter[Client | str] = Counter()

    def __len__(self) -> int:
        """The number of waiting requests; 0 if none of them may run now."""
        return 0 if self._next() is None else sum(map(len, self._lines.values()))

    def append(self, channel: Channel) -> None:
        """Append a request to the queue of its client."""
        request = channel.requests[0]
        browser = hash((request.headers.get("COOKIE"), request.headers.get("AUTHORIZATION")))
        channel.client = (channel.client[0], browser)
        self._lines.setdefault(channel.client, deque()).append(channel)

    def popleft(self) -> Channel:
        """Remove the next request; its client moves behind the others. Raises LookupError if none
        may run.
        """
        client = self._next()
        if client is None:
            raise LookupError
        line = self._lines.pop(client)
        channel = line.popleft()
        if line:
            self._lines[client] = line
        self._running.update((client, client[0]))
        return channel

    def done(self, client: Client) -> None:
        """Record that a request of this client is finished."""
        self._running.subtract((client, client[0]))
        self._running = +self._running  # removes zero counts

    def _next(self) -> Client | None:
        ready = [each for each in self._lines if self._running[each] < THREADS_EACH]
        return min(
            ready, key=lambda each: (self._running[each[0]], self._running[each]), default=None
        )


class _Listener(TcpWSGIServer):  # type: ignore[misc] # waitress ships no types
    """A listening socket."""

    channel_class = Channel
    _found: Any = None

    def bind_server_socket(self) -> None:
        """Bind the socket; `::` binds all IPv6 and IPv4 addresses."""
        if self.sockinfo[3][0] == "::":
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        super().bind_server_socket()

    def fix_addr(self, addr: Any) -> Any:
        """The address of a client, IPv4 in dotted form."""
        return (addr[0].removeprefix("::ffff:"), *addr[1:])

    def accept(self) -> Any:
        """Accept one connection; None if none is pending."""
        self._found = super().accept()
        return self._found

    def handle_accept(self) -> None:
        """Accept all pending connections. One per call, as in waitress, delays clients for seconds
        under load.
        """
        for _ in range(ACCEPTED_AT_ONCE):
            super().handle_accept()
            if self._found is None:
                break


class Server:
    """Listening sockets, their connections, and the worker threads."""

    def __init__(self, app: Any, host: str, port: int) -> None:
        self._map: dict[int, Any] = {}
        self._is_stopped = False
        settings = Adjustments(
            host=host,
            port=port,
            connection_limit=2 * MAX_CONNECTIONS,  # never reached: `Channel` closes excess ones
            max_request_header_size=LARGEST_HEADER,
            max_request_body_size=LARGEST_BODY,
            inbuf_overflow=IN_MEMORY,
            outbuf_overflow=IN_MEMORY,
            ident=None,
            # Only ProxyFix reads them, if proxies are configured.
            clear_untrusted_proxy_headers=False,
        )
        self._threads = ThreadedTaskDispatcher()
        self._threads.queue = FairQueue()
        # A name with several addresses has a listening socket for each.
        self._listeners = [
            _Listener(app, self._map, dispatcher=self._threads, adj=settings, sockinfo=each)
            for each in settings.listen
        ]
        self._threads.set_thread_count(THREADS)
        self.effective_port: int = self._listeners[0].effective_port
        self.network: dict[str, _Listener] = {}
        """The listening sockets in the home network, by address, while it is open."""
        self._calls: SimpleQueue[tuple[Callable[[], None], Future[None]]] = SimpleQueue()

    def run(self) -> None:
        """Serve until `stop` is called; then finish the requests received, in `GRACE` seconds at
        most.
        """
        while not self._is_stopped:
            self._loop(1)
            while not self._calls.empty():
                act, future = self._calls.get()
                try:
                    future.set_result(act())
                except OSError as error:
                    future.set_exception(error)
        for _ in ("accept", "read"):  # what has arrived by now
            self._loop(0)
        for each in (*self._listeners, *self.network.values()):
            wasyncore.dispatcher.close(each)
        end = time.monotonic() + GRACE
        while (channels := self._channels()) and time.monotonic() < end:
            for each in channels:
                each.finishing = True
            self._loop(0.1)
        self.close()

    def open_network(self) -> None:
        """Also listen on the addresses of the home network. For other threads. Raises OSError."""
        self._call(self._open_network)

    def close_network(self) -> None:
        """Stop listening on them, and close their connections after the responses. For other
        threads.
        """
        self._call(self._close_network)

    def _call(self, act: Callable[[], None]) -> None:
        """Call a function in the main thread, which owns the sockets, and wait for it."""
        future: Future[None] = Future()
        self._calls.put((act, future))
        self._listeners[0].pull_trigger()
        future.result(PATIENCE)

    def _open_network(self) -> None:
        first, failed = self._listeners[0], OSError(errno.ENETDOWN, "no network")
        for address in set(home_addresses()) - self.network.keys():
            try:
                bound = socket.create_server((address, int(self.effective_port)))
            except OSError as error:
                failed = error
                continue
            made = _Listener(
                first.application,
                self._map,
                _sock=bound,
                bind_socket=False,
                dispatcher=self._threads,
                adj=first.adj,
            )
            made.trigger.close()
            made.trigger = first.trigger  # worker threads use it to wake the main thread
            self.network[address] = made
        if not self.network:
            raise failed

    def _close_network(self) -> None:
        listeners = list(self.network.values())
        self.network = {}
        for listener in listeners:
            wasyncore.dispatcher.close(listener)
        for channel in self._channels():
            channel.finishing = channel.finishing or channel.server in listeners

    def stop(self) -> None:
        """Make `run` return. For signal handlers and other threads."""
        self._is_stopped = True
        with suppress(OSError):  # `run` may have closed it already
            self._listeners[0].pull_trigger()

    def close(self) -> None:
        """Close every connection and stop the threads, even if busy."""
        self._threads.shutdown(timeout=0.5)
        wasyncore.close_all(self._map)

    def _loop(self, seconds: float) -> None:
        # poll, because select is limited to 1,024 file descriptors.
        wasyncore.loop(timeout=seconds, use_poll=True, map=self._map, count=1)

    def _channels(self) -> list[Channel]:
        return [each for each in self._map.values() if isinstance(each, Channel)]


def listen(app: Any, host: str, port: int, *, log_requests: bool = False) -> Server:
    """A listening server, to be started with `run`; `log_requests`: it logs a line for each
    request.

    `::` listens on all IPv6 and IPv4 addresses. Raises OSError, and ValueError for an unknown host.
    """
    # Users can do nothing about a short queue, so its warnings are not logged.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    sys.setswitchinterval(SWITCH_INTERVAL)
    return Server(RequestLogger(app) if log_requests else app, host, port)
