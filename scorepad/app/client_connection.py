"""A connection of a client.

waitress closes only idle connections. A client that sends or reads a byte now and then keeps its
connection, the responses to pipelined requests are all buffered in memory, and a client that does
not read a large response blocks a thread. `Connection` limits the time of each request and each
response, and answers one request at a time.
"""

from __future__ import annotations

import socket
import struct
import sys
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

_LINGER = "hh" if sys.platform == "win32" else "ii"
"""The two numbers of the C structure `linger`, as `struct` packs them."""


class SingleRequestParser(HTTPRequestParser):  # type: ignore[misc] # waitress ships no types
    """Parses one request; data after it is kept in `rest`, unparsed."""

    rest = b""

    def received(self, data: bytes) -> int:
        """Parse data from the client up to the end of one request, and keep what follows in `rest`.

        Returns how many bytes waitress may regard as parsed. If the request ends within the data,
        that is all of them: otherwise waitress would parse the next request at once, and answer
        several at a time.
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
        """Take over an accepted socket. waitress calls this; `addr` begins with the IP address."""
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        # waitress adds the connection to `map` in its `__init__`, so it must be complete before.
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
        """Do what is due on this connection: go on with the next request, or close it.

        The server calls this each time before it waits for network events, at least once a second.
        A client that takes too long is refused while it sends its request, and is cut off
        otherwise.
        """
        self.is_new = False
        self._parse_next_request()
        phase = self._find_current_phase()
        self._timer.enter(phase)

        is_answering = phase in (Phase.WAITING, Phase.SENDING)
        is_closing = self.closes_after_response and not is_answering
        if self.will_close or is_closing:  # the first is set by waitress and the connection limit
            self._close_at_once()
            return

        if not self._timer.is_too_late():
            return
        if phase is Phase.RECEIVING:
            self._refuse_late_request()  # the client is still there, and learns why
        else:
            self._close_at_once()

    def remember_client_of_request(self) -> None:
        """Store who sent the request that waits for a thread now, and when.

        The queue lets clients take turns, and several people may share one IP address. They are
        told apart by their cookies, and programs by the key that they send. Only a hash of these is
        stored.
        """
        waiting_request = self.requests[0]  # the only one: requests are answered one at a time
        headers = waiting_request.headers
        browser = hash((headers.get("COOKIE"), headers.get("AUTHORIZATION")))
        self.client = Client(self.client.address, browser)
        self.last_request_at = time.monotonic()

    # ------------------------------------------------------------ called by waitress

    def readable(self) -> bool:
        """Tell waitress whether the main thread has to read what the client sends now."""
        if self._timer.phase is Phase.LINGERING:
            return True
        return bool(super().readable())

    def writable(self) -> bool:
        """Tell waitress whether the main thread has data to send here, or the connection to close.

        While a worker thread is sending the response, the main thread stays away: it could only
        wait for that thread, which wakes it up if the client does not take everything at once.
        """
        if self._timer.phase is Phase.LINGERING:
            return False  # everything is sent
        if not super().writable():
            return False  # there is nothing to send or to close
        is_sent_by_thread = self.is_running and self._is_thread_sending()
        return not is_sent_by_thread

    def received(self, data: bytes) -> bool:
        """Take data that the client sent: parse one request, and keep what follows it for later.

        A client may send its next request before it has read the response to this one. That next
        request is parsed once the response is sent. Returns False if there is no data. waitress
        calls this from the main thread.
        """
        self._timer.add_transferred(len(data))
        if self.request is None:
            self.request = SingleRequestParser(self.adj)
        parser = self.request  # waitress sets `self.request` to None once the request is complete
        was_parsed: bool = super().received(data)
        self._unparsed = parser.rest
        return was_parsed

    def handle_write(self) -> None:
        """Send as much of the response as the client takes now.

        After the last response the connection is ended. waitress calls this from the main thread
        whenever the connection is `writable`.
        """
        if self._has_unsent_data:
            # If the client has gone, this sets `will_close`.
            self._flush_exception(self._flush_some_if_lockable)

        if self.will_close:  # at once, even if not all is sent
            self.handle_close()
            return
        is_last_response = self.close_when_flushed  # set by waitress
        if self.connected and is_last_response and not self._has_unsent_data:
            self._stop_sending()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send as much of the data as the kernel accepts, and return the number of bytes.

        A client that takes data gets more time for the rest.
        """
        sent: int = super().send(data, do_close)
        self._timer.add_transferred(sent)
        return sent

    def service(self) -> None:
        """Answer the request. waitress calls this in a worker thread."""
        client = self.client  # the next request may come by other cookies
        self.is_running = True
        try:
            super().service()
        finally:
            self.is_running = False
            self.server.task_dispatcher.finish(client)

    # ------------------------------------------------------------ steps

    @property
    def _has_unsent_data(self) -> bool:
        """Whether there is a part of a response that the client has not taken yet."""
        return bool(self.total_outbufs_len > 0)

    def _find_current_phase(self) -> Phase:
        """Find out what the connection is doing now, from what waitress knows of it."""
        if self._timer.phase is Phase.LINGERING:
            return Phase.LINGERING  # it stays so until it is closed
        if self._has_unsent_data:
            return Phase.SENDING
        if self.requests:  # complete requests that are not answered yet
            return Phase.WAITING
        if self.request is not None:  # the one that has begun to arrive
            return Phase.RECEIVING
        return Phase.IDLE

    def _is_thread_sending(self) -> bool:
        """Tell whether a worker thread is sending the response right now.

        A thread holds the lock of the output buffers while it sends. So we try to take that lock,
        without waiting for it: if we get it, no thread is sending.
        """
        is_free = self.outbuf_lock.acquire(blocking=False)
        if is_free:
            self.outbuf_lock.release()
        return not is_free

    def _parse_next_request(self) -> None:
        """Parse the next request that the client sent ahead, if all before it are answered.

        Data of an empty request is dropped by the parser, so this goes on to the request after it.
        """
        while self._unparsed and self._may_parse_request():
            data = self._unparsed
            self._unparsed = b""
            # Sets `_unparsed` to what follows the request. After a complete request the connection
            # waits for its response, which ends the loop.
            self.received(data)

    def _may_parse_request(self) -> bool:
        """Tell whether another request may be parsed now.

        It may not while an earlier one waits for its response, nor if the connection is closed
        after that response.
        """
        is_last_response = self.close_when_flushed  # set by waitress
        if is_last_response:
            return False
        return self._find_current_phase() in (Phase.IDLE, Phase.RECEIVING)

    def _refuse_late_request(self) -> None:
        """Answer a request that the client has not sent completely in time with the error 408.

        The connection is closed after that. A worker thread sends the answer, as it does for every
        request: waitress runs a `RefusalTask` for a request that has an `error`.
        """
        with self.requests_lock:  # worker threads look at `self.requests` too
            late_request = self.request
            assert late_request is not None
            self.request = None  # nothing more is received for it
            late_request.error = RequestTimeout("")
            self.requests.append(late_request)
        self.server.add_task(self)

    def _stop_sending(self) -> None:
        """Stop sending after the last response, but go on reading for a moment.

        If the connection were closed while the client is still sending, the client's system would
        throw the response away unread. `update` closes it later.
        """
        self._timer.enter(Phase.LINGERING)
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:  # the client has gone
            self.handle_close()

    def _close_at_once(self) -> None:
        """Close the connection now. Data that is not sent yet is thrown away, also by the kernel."""
        if self._has_unsent_data:
            # C's `linger`: switched on, for 0 seconds.
            without_waiting = struct.pack(_LINGER, 1, 0)
            with suppress(OSError):
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, without_waiting)
        self.handle_close()
