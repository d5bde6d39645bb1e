"""A connection of a client.

waitress closes only idle connections. A client that sends or reads a byte now and then keeps its
connection, the responses to pipelined requests are all buffered in memory, and a client that does
not read a large response blocks a thread. `Connection` limits the time of each request and each
response, and answers one request at a time.
"""

from __future__ import annotations

import socket
import struct
import time
from contextlib import suppress
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser

from scorepad.app.fair_queue import Client
from scorepad.app.refusal import RefusalTask, RequestTimeout
from scorepad.app.timeouts import Phase, PhaseTimer

SEND_BUFFER = 64 * 1024
"""The kernel's send buffer in bytes; without a limit it takes megabytes for a client that does not
read.
"""


class SingleRequestParser(HTTPRequestParser):  # type: ignore[misc] # waitress ships no types
    """Parses one request; data after it is kept in `rest`, unparsed."""

    rest = b""

    def received(self, data: bytes) -> int:
        """Parse received data, and return the number of bytes consumed.

        At the end of the request these are all, so that waitress does not parse the rest as another
        request.
        """
        parsed: int = super().received(data)
        if not self.completed:
            return parsed
        self.rest = data[parsed:]
        return len(data)


class Connection(HTTPChannel):  # type: ignore[misc] # waitress ships no types
    """A connection. Worker threads call `service` and `send`, the main thread everything."""

    parser_class = SingleRequestParser
    error_task_class = RefusalTask
    request: SingleRequestParser | None

    def __init__(
        self,
        server: Any,
        sock: socket.socket,
        addr: Any,
        adj: Any,
        map: dict[int, Any],  # noqa: A002 - the name that waitress passes it by
    ) -> None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self.client = Client(addr[0], None)
        self.last_request_at = time.monotonic()
        self.is_new = True
        """Accepted just now: what it sent has not been read, so its client is unknown."""
        self.is_running = False
        """Whether a thread is processing its request."""
        self.closes_after_response = False
        """Set when the server stops."""
        self._timer = PhaseTimer()
        self._unparsed = b""
        """Requests that were sent ahead."""
        super().__init__(server, sock, addr, adj, map)

    def update(self) -> None:
        """Parse the next request if it was sent ahead, and close the connection if it is time to.

        The server calls this each time before it waits for events, at least once a second.
        """
        self.is_new = False
        self._parse_next_request()
        phase = self._current_phase()
        self._timer.enter(phase)

        is_answering = phase in (Phase.WAITING, Phase.SENDING)
        is_done = self.closes_after_response and not is_answering
        if self.will_close or is_done:
            self._close_at_once()
            return
        if self._timer.is_too_late():
            if phase is Phase.RECEIVING:
                self._refuse_late_request()
            else:
                self._close_at_once()

    def mark_request_start(self) -> None:
        """Store the client and the time of the request that waits for a thread now."""
        headers = self.requests[0].headers
        browser = hash((headers.get("COOKIE"), headers.get("AUTHORIZATION")))
        self.client = Client(self.client.address, browser)
        self.last_request_at = time.monotonic()

    # ------------------------------------------------------------ called by waitress

    def readable(self) -> bool:
        """Whether the main thread is to read what the client sends."""
        if self._timer.phase is Phase.LINGERING:
            return True
        return bool(super().readable())

    def writable(self) -> bool:
        """Whether the main thread has data to send, or is to close the connection."""
        if self._timer.phase is Phase.LINGERING or not super().writable():
            return False
        is_sent_by_thread = self.is_running and self._is_being_sent()
        return not is_sent_by_thread

    def received(self, data: bytes) -> bool:
        """Parse received data up to the end of a request; returns what waitress returns.

        The rest waits until the response is sent.
        """
        self._timer.add_transferred(len(data))
        request = self.request
        if request is None:
            request = SingleRequestParser(self.adj)
            self.request = request
        was_taken: bool = super().received(data)
        self._unparsed = request.rest
        return was_taken

    def handle_write(self) -> None:
        """Send as much as the client takes. After the last response, wait for the client to close."""
        if self.total_outbufs_len:
            self._flush_exception(self._flush_some_if_lockable)
        if self.will_close:
            self.handle_close()
        elif self.connected and self.close_when_flushed and not self.total_outbufs_len:
            self._linger()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send as much as the kernel accepts; returns the number of bytes."""
        sent: int = super().send(data, do_close)
        self._timer.add_transferred(sent)
        return sent

    def service(self) -> None:
        """Process the request, in a thread."""
        client = self.client  # the next request may come by other cookies
        self.is_running = True
        try:
            super().service()
        finally:
            self.is_running = False
            self.server.task_dispatcher.finish(client)

    # ------------------------------------------------------------ steps

    def _current_phase(self) -> Phase:
        """What the connection is doing now."""
        if self._timer.phase is Phase.LINGERING:
            return Phase.LINGERING
        if self.total_outbufs_len:
            return Phase.SENDING
        if self.requests:
            return Phase.WAITING
        if self.request is not None:
            return Phase.RECEIVING
        return Phase.IDLE

    def _is_being_sent(self) -> bool:
        """Whether a thread is sending the response. It wakes up the main thread if it cannot send
        all of it; until then the main thread would wait for nothing, and keep the others waiting.
        """
        if not self.outbuf_lock.acquire(blocking=False):
            return True
        self.outbuf_lock.release()
        return False

    def _parse_next_request(self) -> None:
        """Parse what was sent ahead, once all responses before it are sent."""
        while self._unparsed and not self.close_when_flushed:
            if self._current_phase() not in (Phase.IDLE, Phase.RECEIVING):
                return
            data = self._unparsed
            self._unparsed = b""
            self.received(data)

    def _refuse_late_request(self) -> None:
        """Answer the incomplete request with an error, after which the connection is closed."""
        with self.requests_lock:
            late = self.request
            assert late is not None
            self.request = None
            late.error = RequestTimeout("")
            self.requests.append(late)
        self.server.add_task(self)

    def _linger(self) -> None:
        """Close the connection for writing; reading goes on.

        If the client is still sending, closing at once would make its system discard the response.
        """
        self._timer.enter(Phase.LINGERING)
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:  # the client has gone
            self.handle_close()

    def _close_at_once(self) -> None:
        """Close, and let the kernel discard unsent data."""
        if self.total_outbufs_len:
            without_waiting = struct.pack("ii", 1, 0)
            with suppress(OSError):
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, without_waiting)
        self.handle_close()
