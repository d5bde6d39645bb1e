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
        """Parse received data, and return how many of its bytes waitress may regard as parsed.

        If the request ends within the data, these are all of them: what follows is saved in `rest`.
        Otherwise waitress would parse it as the next request at once.
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
        """Store the client and the time of the request that waits for a thread now.

        Browsers and programs at one address are told apart by their cookies or key, of which only a
        hash is stored.
        """
        waiting = self.requests[0]  # the only one, since requests are answered one at a time
        headers = waiting.headers
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
        """Whether the main thread is to send data, or to close the connection."""
        if self._timer.phase is Phase.LINGERING:
            return False
        if not super().writable():  # there is nothing to send or to close
            return False
        # While a thread sends the response, the main thread could only wait for it. The thread wakes
        # up the main thread if it cannot send everything.
        is_sent_by_thread = self.is_running and self._is_thread_sending()
        return not is_sent_by_thread

    def received(self, data: bytes) -> bool:
        """Parse received data up to the end of a request; False if there is no data.

        What follows the request is kept unparsed until its response is sent.
        """
        self._timer.add_transferred(len(data))
        if self.request is None:
            self.request = SingleRequestParser(self.adj)
        request = self.request  # waitress sets it to None if the request is complete
        was_parsed: bool = super().received(data)
        self._unparsed = request.rest
        return was_parsed

    def handle_write(self) -> None:
        """Send as much as the client takes now, and end the connection if that is all.

        waitress calls this if the connection is `writable`.
        """
        if self.total_outbufs_len:
            # If the client has gone, this sets `will_close`.
            self._flush_exception(self._flush_some_if_lockable)

        if self.will_close:  # at once, even if not all is sent
            self.handle_close()
            return
        is_last_response_sent = self.close_when_flushed and not self.total_outbufs_len
        if self.connected and is_last_response_sent:
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

    def _is_thread_sending(self) -> bool:
        """Whether a thread is sending the response right now.

        A thread holds the lock of the output buffers while it sends. Whether the lock is held is
        found out by taking it for a moment, without waiting.
        """
        is_free = self.outbuf_lock.acquire(blocking=False)
        if is_free:
            self.outbuf_lock.release()
        return not is_free

    def _parse_next_request(self) -> None:
        """Parse the next of the requests that were sent ahead, if all before it are answered.

        An empty request is dropped by the parser, which is why this is a loop.
        """
        while self._unparsed and self._may_parse_request():
            data = self._unparsed
            self._unparsed = b""
            self.received(data)  # what follows the request becomes `_unparsed` again

    def _may_parse_request(self) -> bool:
        """Whether no request waits for its response, and the connection is not to be closed."""
        if self.close_when_flushed:
            return False
        return self._current_phase() in (Phase.IDLE, Phase.RECEIVING)

    def _refuse_late_request(self) -> None:
        """Answer the incomplete request with the error 408, after which the connection is closed.

        For a request that has an `error`, the thread that takes it runs a `RefusalTask`.
        """
        with self.requests_lock:  # other threads look at the requests too
            late_request = self.request
            assert late_request is not None
            self.request = None  # nothing more is received for it
            late_request.error = RequestTimeout("")
            self.requests.append(late_request)
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
