"""The server: waitress with limits for slow clients, a fair queue, refusals in both languages, and logs.

waitress by itself closes only connections on which nothing happens. A client that sends or reads a byte now and then
keeps its connection, one that sends many requests ahead has them all answered into memory, and one that does not read
a large answer blocks a thread. `Channel` limits the time of each request and each answer, and `FairQueue` the share of
the threads that one client takes.

Logs hold no key, no cookie, no name of a match and nothing typed: a request is logged with the rule of its address, an
exception with its type and where it was raised. Its message may hold what was typed, and stays out.
"""

from __future__ import annotations

import errno
import json
import logging
import re
import socket
import struct
import sys
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from enum import Enum, auto
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher
from waitress.utilities import Error

from scorepad.api.views import code_of, is_api_path
from scorepad.i18n import LANGUAGES, words
from scorepad.web.security import ALWAYS, home_addresses

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

THREADS = 8
LARGEST_HEADER = 16 * 1024
"""Bytes of the first line and all headers of a request."""
LARGEST_BODY = 8 * 1024 * 1024
"""Bytes that are read at all: of a file of matches. Of anything else the application itself takes less."""
IN_MEMORY = 128 * 1024
"""Bytes of a body or an answer that wait in memory; larger ones wait in a temporary file."""
GRACE = 9.5
"""Seconds that requests have to finish once the server is stopped: with its own end ten at most."""
SWITCH_INTERVAL = 0.0005
"""Seconds after which Python lets another thread run. The usual 0.005 make a short request wait long beside a PDF."""
PATIENCE = 30
"""Seconds that a request may take to arrive and an answer to be read, and in which at least one byte must move."""
MIN_RATE = 8 * 1024
"""Bytes: each time that so many have arrived or were read, the transfer may take a second more."""
MAX_CONNECTIONS = 256
ACCEPTED_AT_ONCE = 32
THREADS_EACH = 6
"""Threads that one browser may have at a time: more than PDFs run and wait, fewer than there are."""
LINGER = 2
"""Seconds for which the rest of a refused request is read and dropped, so that the client sees why it was refused."""
SEND_BUFFER = 64 * 1024
"""Bytes of an answer that the kernel keeps; it takes megabytes for a client that does not read unless it is limited."""
_REFUSED = {400: "serve.refused-400", 408: "serve.refused-408", 413: "serve.refused-413", 431: "serve.refused-431"}

Client = tuple[str, int | None]
"""An address, and which of the browsers there, by a hash of its cookies; None before its first request."""


# ---------------------------------------------------------------- logs

REQUESTS = logging.getLogger("scorepad.requests")
_UNKNOWN = "-"
"""In place of an address, a method or a message that is not ours: it may hold anything."""
_ROOT = Path(__file__).resolve().parents[2]


class Requests:
    """WSGI middleware that logs every request when its response was sent, or broken off."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterator[bytes]:
        """The response of the application."""
        started, sent, rule, length = time.perf_counter(), 500, None, 0

        def begin(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            nonlocal sent, rule
            sent, rule = int(status[:3]), getattr(environ.get("werkzeug.request"), "url_rule", None)
            return start_response(status, headers, exc_info)

        with ExitStack() as stack:
            try:
                response = self._app(environ, begin)
                stack.callback(getattr(response, "close", bool))
                for piece in response:
                    length += len(piece)
                    yield piece
            finally:
                milliseconds = round((time.perf_counter() - started) * 1000, 1)
                _log_request(environ["REQUEST_METHOD"], rule.rule if rule else _UNKNOWN, sent, milliseconds, length)


def _log_request(method: str, rule: str, status: int, milliseconds: float = 0.0, length: int = 0) -> None:
    """Log a request: its method, the rule of its address, the status, and the time and bytes of the response."""
    method = method if method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} else _UNKNOWN
    values = {"method": method, "path": rule, "status": status, "ms": milliseconds, "length": length}
    REQUESTS.info("%(method)s %(path)s %(status)s %(ms)s ms %(length)s", values)


def configure_logs(style: str | None) -> None:
    """Log to standard error from now on: requests as `plain` or `json`, without a style warnings and errors only."""
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonLines() if style == "json" else _PlainLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    REQUESTS.setLevel(logging.WARNING if style is None else logging.INFO)


class _PlainLines(logging.Formatter):
    """A line of text for each record; for an exception one more for each place."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line or more."""
        level = "" if record.name == REQUESTS.name else f"{record.levelname} "
        lines = [f"{_moment(record)} {level}{_message(record)}"]
        if record.exc_info:
            lines += [f"  {place}" for place in _places(record)] + [f"  {' < '.join(_kinds(record))}"]
        return "\n".join(lines)


class _JsonLines(logging.Formatter):
    """A JSON document on one line for each record."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        values: dict[str, object] = {"time": _moment(record), "level": record.levelname.lower()}
        if record.name == REQUESTS.name and isinstance(record.args, Mapping):
            values |= record.args
        else:
            values |= {"logger": record.name, "message": _message(record)}
        if record.exc_info:
            values |= {"error": _kinds(record), "at": list(_places(record))}
        return json.dumps(values)


def _kinds(record: logging.LogRecord) -> list[str]:
    """The types of an exception and of its causes."""
    chain, each = list[BaseException](), record.exc_info[1] if record.exc_info else None
    while each is not None and each not in chain:
        chain.append(each)
        each = each.__cause__ or each.__context__
    return [type(each).__name__ for each in chain]


def _places(record: logging.LogRecord) -> Iterator[str]:
    """Where an exception was raised, from the outside in: file, line and function."""
    for frame in traceback.extract_tb(record.exc_info[2] if record.exc_info else None):
        path = Path(frame.filename)
        file = path.relative_to(_ROOT).as_posix() if path.is_relative_to(_ROOT) else "/".join(path.parts[-2:])
        yield f"{file}:{frame.lineno} {frame.name}"


def _message(record: logging.LogRecord) -> str:
    """What a record says; of other libraries nothing, and of waitress not the address, which names a match."""
    if record.name.partition(".")[0] not in ("scorepad", "waitress"):
        return _UNKNOWN
    return re.sub(r"(while serving) .*", r"\1 a page", record.getMessage(), flags=re.DOTALL)


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


# ---------------------------------------------------------------- connections


class _ErrorTask(ErrorTask):  # type: ignore[misc] # waitress ships no types
    """A refusal by the server itself: the request was not read whole, so its language is not known."""

    def execute(self) -> None:
        error, path = self.request.error, str(getattr(self.request, "path", ""))
        _log_request(str(getattr(self.request, "command", "")), _UNKNOWN, error.code)
        text = "".join(f"{words(tongue).text(_REFUSED.get(error.code, 'serve.refused'))}\n" for tongue in LANGUAGES)
        kind, body = "text/plain; charset=utf-8", text.encode()
        if is_api_path(path):
            kind, body = "application/json", to_json({"error": " ".join(text.split()), "code": code_of(error.code)})
        # The address is not known either: it may hold a key.
        headers = ALWAYS | {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "Content-Type": kind}
        error.to_response = lambda _: (f"{error.code} {error.reason}", list(headers.items()), body)
        super().execute()


class State(Enum):
    """What a connection does now. `WAITING`: for a thread, or for what the thread answers."""

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
    """Parses one request; what the client sent after it stays in `rest`, unparsed."""

    rest = b""

    def received(self, data: bytes) -> int:
        """Parse; returns how many bytes are dealt with, which at the end of the request are all."""
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
    """Set when the server stops: the connection closes as soon as its request is answered."""
    running = False
    """Whether a thread works on its request."""

    def __init__(self, server: Any, sock: socket.socket, addr: Any, adj: Any, map: dict[int, Any]) -> None:  # noqa: A002
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._state, self._octets, self._rest = State.IDLE, 0, b""
        self.requested = self._since = self._moved = time.monotonic()
        self.client: Client = (addr[0], None)
        self.rounds = 0
        self._sockets = map
        super().__init__(server, sock, addr, adj, map)
        self._make_room()

    def received(self, data: bytes) -> bool:
        """Take what arrived, up to the end of a request; what is beyond it waits until its answer was sent."""
        self._count(len(data))
        request = self.request = self.request or OneRequest(self.adj)
        taken: bool = super().received(data)
        self._rest = request.rest
        if request.completed:
            self.requested = time.monotonic()
        return taken

    def readable(self) -> bool:
        """Whether more may be read now. The server calls this at least once a second, so limits are checked here."""
        self.rounds += 1
        if self.rounds == 2:  # noqa: PLR2004 - now it can be closed itself
            self._make_room()
        self._parse_rest()
        state, now = self._current(), time.monotonic()
        if state is not self._state:
            self._state, self._since, self._moved, self._octets = state, now, now, 0
        is_late = self._is_late(now)
        if self.will_close or (self.finishing and state not in (State.WAITING, State.SENDING)):
            self._drop()
        elif is_late and state is State.RECEIVING:
            self._refuse()
        elif is_late and state is not State.WAITING:
            self._drop()
        return self.connected and (state is State.CLOSING or bool(super().readable()))

    def writable(self) -> bool:
        """Whether there is something to send, or to close."""
        return self.connected and self._state is not State.CLOSING and bool(super().writable())

    def handle_write(self) -> None:
        """Send. Where the connection ends after this answer, what the client still sends is read and dropped first."""
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
        """Send as much as the kernel takes; returns how many bytes."""
        sent: int = super().send(data, do_close)
        self._count(sent)
        return sent

    def service(self) -> None:
        """Answer the request, in a thread."""
        client, dispatcher = self.client, self.server.task_dispatcher
        self.running = True
        try:
            super().service()
        finally:
            self.running = False
            with dispatcher.lock:
                dispatcher.queue.done(client)

    def _make_room(self) -> None:
        _make_room([each for each in self._sockets.values() if isinstance(each, Channel)])

    def _count(self, octets: int) -> None:
        if octets:
            self._octets += octets
            self._moved = time.monotonic()

    def _is_late(self, now: float) -> bool:
        if self._state is State.CLOSING:
            return now - self._since > LINGER
        return now - self._moved > PATIENCE or now - self._since > PATIENCE + self._octets / MIN_RATE

    def _current(self) -> State:
        if self._state is State.CLOSING:
            return State.CLOSING
        if self.total_outbufs_len:
            return State.SENDING
        if self.requests:
            return State.WAITING
        return State.IDLE if self.request is None else State.RECEIVING

    def _parse_rest(self) -> None:
        """Go on with what the client sent ahead, once everything before it is answered and sent."""
        while self._rest and self._current() in (State.IDLE, State.RECEIVING) and not self.close_when_flushed:
            data, self._rest = self._rest, b""
            self.received(data)

    def _refuse(self) -> None:
        """Answer a request that does not come to its end, and close the connection."""
        with self.requests_lock:
            late, self.request = self.request, None
            if late is not None:
                late.error = RequestTimeout("")
                self.requests.append(late)
        self.server.add_task(self)

    def _drop(self) -> None:
        """Close at once. The kernel drops what the client did not read, and does not go on offering it."""
        if self.total_outbufs_len:
            with suppress(OSError):
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.handle_close()


def _make_room(channels: list[Channel]) -> None:
    """Close connections where there are too many: of the client that has most, the one that asked longest ago."""
    kept = [each for each in channels if not each.will_close]
    addresses = Counter(each.client[0] for each in kept)
    clients = Counter(each.client for each in kept)
    # The newest ones are not known yet: what they sent was not read.
    known = [each for each in kept if each.rounds > 1 and not each.running]
    for _ in range(len(kept) - (MAX_CONNECTIONS - ACCEPTED_AT_ONCE)):
        if not known:
            return
        most = max(known, key=lambda each: (addresses[each.client[0]], clients[each.client], -each.requested))
        most.will_close = True  # at the next `readable`: the number of its socket must not be given to another now
        known.remove(most)
        addresses[most.client[0]] -= 1
        clients[most.client] -= 1


class FairQueue:
    """Requests that wait for a thread: next is one of whoever has the fewest running, by address, then by browser.

    In place of the queue of waitress' dispatcher, which serves whoever came first: a client with 200 connections would
    keep all others waiting. The dispatcher holds its lock when it calls these; so must the caller of `done`.
    """

    def __init__(self) -> None:
        self._lines: dict[Client, deque[Channel]] = {}
        self._running: Counter[Client | str] = Counter()

    def __len__(self) -> int:
        """How many wait; 0 where none of them may run now."""
        return 0 if self._next() is None else sum(map(len, self._lines.values()))

    def append(self, channel: Channel) -> None:
        """Put a request at the end of the line of its client."""
        request = channel.requests[0]
        browser = hash((request.headers.get("COOKIE"), request.headers.get("AUTHORIZATION")))
        channel.client = (channel.client[0], browser)
        self._lines.setdefault(channel.client, deque()).append(channel)

    def popleft(self) -> Channel:
        """Take the next request; its client then goes behind the others. Raises LookupError where none may run."""
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
        """A request of this client was answered."""
        self._running.subtract((client, client[0]))
        self._running = +self._running  # keeps those that are not 0

    def _next(self) -> Client | None:
        ready = [each for each in self._lines if self._running[each] < THREADS_EACH]
        return min(ready, key=lambda each: (self._running[each[0]], self._running[each]), default=None)


class _Listener(TcpWSGIServer):  # type: ignore[misc] # waitress ships no types
    """A listening socket."""

    channel_class = Channel
    _found: Any = None

    def bind_server_socket(self) -> None:
        """Bind it; to every address of IPv6 and of IPv4 where it is `::`."""
        if self.sockinfo[3][0] == "::":
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        super().bind_server_socket()

    def fix_addr(self, addr: Any) -> Any:
        """The address of a client: that of IPv4 as it is usually written."""
        return (addr[0].removeprefix("::ffff:"), *addr[1:])

    def accept(self) -> Any:
        """Accept one connection; None where none waits."""
        self._found = super().accept()
        return self._found

    def handle_accept(self) -> None:
        """Accept what waits. One each time, as waitress does, makes a visitor wait for seconds behind a crowd."""
        for _ in range(ACCEPTED_AT_ONCE):
            super().handle_accept()
            if self._found is None:
                break


class Server:
    """Listening sockets, their connections, and the threads that answer."""

    def __init__(self, app: Any, host: str, port: int) -> None:
        self._map: dict[int, Any] = {}
        self._is_stopped = False
        settings = Adjustments(
            host=host,
            port=port,
            connection_limit=2 * MAX_CONNECTIONS,  # never reached: a connection too many is closed
            max_request_header_size=LARGEST_HEADER,
            max_request_body_size=LARGEST_BODY,
            inbuf_overflow=IN_MEMORY,
            outbuf_overflow=IN_MEMORY,
            ident=None,
            # ProxyFix reads them where the pad has proxies; without, nothing does.
            clear_untrusted_proxy_headers=False,
        )
        self._threads = ThreadedTaskDispatcher()
        self._threads.queue = FairQueue()
        # A name with several addresses has a listening socket for each.
        self._listeners = [
            _Listener(app, self._map, dispatcher=self._threads, adj=settings, sockinfo=each) for each in settings.listen
        ]
        self._threads.set_thread_count(THREADS)
        self.effective_port: int = self._listeners[0].effective_port
        self.network: dict[str, _Listener] = {}
        """The listening sockets at addresses of the home network, since it was opened to it."""
        self._calls: SimpleQueue[tuple[Callable[[], None], Future[None]]] = SimpleQueue()

    def run(self) -> None:
        """Answer requests until `stop` is called; then finish those that arrived, in `GRACE` seconds at most."""
        while not self._is_stopped:
            self._loop(1)
            while not self._calls.empty():
                act, future = self._calls.get()
                try:
                    future.set_result(act())
                except OSError as error:
                    future.set_exception(error)
        for _ in ("accept", "read"):  # what has reached the machine by now
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
        """Listen on the addresses of the home network too. For other threads. Raises OSError."""
        self._call(self._open_network)

    def close_network(self) -> None:
        """Listen on them no longer, and end their connections once they are answered. For other threads."""
        self._call(self._close_network)

    def _call(self, act: Callable[[], None]) -> None:
        """Have the main thread do something with the sockets, and wait for it."""
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
                first.application, self._map, _sock=bound, bind_socket=False, dispatcher=self._threads, adj=first.adj
            )
            made.trigger.close()
            made.trigger = first.trigger  # threads that answer its connections wake the main thread by it
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
        """Let `run` end. For signal handlers and other threads."""
        self._is_stopped = True
        with suppress(OSError):  # `run` may have ended by now, and closed it
            self._listeners[0].pull_trigger()

    def close(self) -> None:
        """Close every connection and end the threads, whatever they do."""
        self._threads.shutdown(timeout=0.5)
        wasyncore.close_all(self._map)

    def _loop(self, seconds: float) -> None:
        # By poll: select ends at 1,024 open files.
        wasyncore.loop(timeout=seconds, use_poll=True, map=self._map, count=1)

    def _channels(self) -> list[Channel]:
        return [each for each in self._map.values() if isinstance(each, Channel)]


def listen(app: Any, host: str, port: int, *, log_requests: bool = False) -> Server:
    """A server that listens, and answers once it is run; `log_requests`: it logs a line for each request.

    `::` listens on every address of IPv6 and IPv4. Raises OSError, and ValueError for an unknown host.
    """
    # That a few requests wait for a moment is nothing that anybody at the table could do something about.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    sys.setswitchinterval(SWITCH_INTERVAL)
    return Server(Requests(app) if log_requests else app, host, port)
