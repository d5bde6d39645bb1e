"""The server: waitress with its own connections, queue and refusals, which stand in the modules
`client_connection`, `connection_limit`, `fair_queue` and `refusal`; how long anything may take, in
`timeouts`.
"""

from __future__ import annotations

import errno
import logging
import socket
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, NamedTuple

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer

from scorepad.app.client_connection import Connection
from scorepad.app.connection_limit import (
    ACCEPTED_AT_ONCE,
    MAX_CONNECTIONS,
    choose_connections_to_close,
)
from scorepad.app.fair_queue import FairDispatcher
from scorepad.app.request_log import RequestLogger
from scorepad.app.timeouts import (
    ABORT_TIMEOUT,
    CALL_TIMEOUT,
    SHUTDOWN_TIMEOUT,
    THREADS_TIMEOUT,
)
from scorepad.web.network_addresses import home_addresses

THREADS = 8
LARGEST_HEADER = 16 * 1024
"""Most bytes of the request line and all headers."""
LARGEST_BODY = 8 * 1024 * 1024
"""Most bytes of a body, for a file of matches. The application has lower limits for all other
requests.
"""
IN_MEMORY = 128 * 1024
"""Most bytes of a body or response buffered in memory; larger ones use a temporary file."""
SWITCH_INTERVAL = 0.0005
"""Python's thread switch interval in seconds. The default 0.005 delays short requests while a PDF
is made.
"""


def listen(
    app: Any,
    host: str,
    port: int,
    *,
    log_requests: bool = False,
    abort_requests: Callable[[], None] = lambda: None,
) -> Server:
    """Make a server that listens on this address. It serves once its `run` is called.

    - `log_requests`: write a line to the log for each request.
    - `abort_requests` makes long requests end soon. It is called when the server stops and they
      have not ended in time.

    The host `::` stands for all IPv6 and IPv4 addresses. Raises OSError, and ValueError for an
    unknown host.
    """
    _prepare_process()
    if log_requests:
        app = RequestLogger(app)
    return Server(app, host, port, abort_requests)


def _prepare_process() -> None:
    """Change two settings of the whole process, as the server needs them.

    Warnings about a short queue of requests are not logged, since users can do nothing about it.
    Threads take turns more often, so that a long request does not delay short ones.
    """
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    sys.setswitchinterval(SWITCH_INTERVAL)


class Listener(TcpWSGIServer):  # type: ignore[misc] # waitress ships no types
    """A listening socket, which accepts connections."""

    channel_class = Connection
    _has_accepted = False
    """Whether the last call of `accept` found a connection."""

    def set_reuse_addr(self) -> None:
        """Let the server start again at once at the port of one that has just stopped.

        On Windows the same option would let two servers share a port. There nothing is needed for
        starting again, but another option keeps other programs off the port.
        """
        exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)  # only Windows has it
        if exclusive is None:
            super().set_reuse_addr()
        else:
            self.socket.setsockopt(socket.SOL_SOCKET, exclusive, 1)

    def bind_server_socket(self) -> None:
        """Bind the socket to its address. For `::` that includes all IPv4 addresses."""
        socket_address = self.sockinfo[3]  # `("::", 8765, 0, 0)`
        if socket_address[0] == "::":
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        super().bind_server_socket()

    def fix_addr(self, addr: Any) -> Any:
        """Write the address of a client in the usual form.

        `("::ffff:192.168.1.7", 50412)` → `("192.168.1.7", 50412)`: a socket for `::` gives IPv4
        addresses in IPv6 form. waitress calls this for each connection.
        """
        host, *port_and_more = addr
        return (host.removeprefix("::ffff:"), *port_and_more)

    def accept(self) -> Any:
        """Accept one connection, and return it with its address; None if none is pending.

        Whether there was one is remembered for `handle_accept`, from which waitress calls this.
        """
        accepted = super().accept()
        self._has_accepted = accepted is not None
        return accepted

    def handle_accept(self) -> None:
        """Accept all pending connections, up to a limit.

        waitress accepts one per call, which delays clients for seconds under load.
        """
        for _ in range(ACCEPTED_AT_ONCE):
            super().handle_accept()
            if not self._has_accepted:
                break

    def add_task(self, connection: Connection) -> None:
        """Let the request of a connection wait in the queue for a worker thread."""
        connection.remember_client_of_request()  # the queue lets clients take turns
        super().add_task(connection)

    def close_socket(self) -> None:
        """Stop listening. The connections that were accepted stay open.

        waitress' own `close` would also close the trigger, a pipe that these connections need.
        """
        wasyncore.dispatcher.close(self)


class _Call(NamedTuple):
    """A call that the main thread is to make for another thread, which waits for its `end`."""

    function: Callable[[], None]
    end: Future[None]


def _waitress_settings(host: str, port: int) -> Adjustments:
    """Make the settings of waitress: where it listens, and the sizes of requests and buffers."""
    return Adjustments(
        host=host,
        port=port,
        connection_limit=2 * MAX_CONNECTIONS,  # never reached: excess ones are closed
        max_request_header_size=LARGEST_HEADER,
        max_request_body_size=LARGEST_BODY,
        inbuf_overflow=IN_MEMORY,
        outbuf_overflow=IN_MEMORY,
        ident=None,
        # Only ProxyFix reads them, if proxies are configured.
        clear_untrusted_proxy_headers=False,
    )


class Server:
    """Listening sockets, their connections, and the worker threads.

    The sockets belong to the thread that calls `run`.
    """

    def __init__(self, app: Any, host: str, port: int, abort_requests: Callable[[], None]) -> None:
        """Listen on an address, and start the worker threads. Raises OSError."""
        self._app = app
        self._abort_requests = abort_requests
        self._settings = _waitress_settings(host, port)
        self._threads = FairDispatcher()
        self._sockets: dict[int, Any] = {}
        """Every socket that the main thread waits for, by file descriptor."""
        self._calls: SimpleQueue[_Call] = SimpleQueue()
        """What other threads want the main thread to do."""
        self._is_stopped = False
        self._is_closed = False

        # First the sockets: if the address is in use, no thread has been started yet.
        self._listeners = self._open_listeners()
        self.effective_port: int = self._listeners[0].effective_port
        self.network: dict[str, Listener] = {}
        """The listening sockets in the home network, by address, while it is open."""
        self._threads.set_thread_count(THREADS)

    def run(self) -> None:
        """Serve requests until another thread or a signal handler calls `stop`, then shut down.

        Requests that were received by then have `SHUTDOWN_TIMEOUT` seconds to finish. After that
        they are aborted.
        """
        while not self._is_stopped:
            self._process_events(1)  # waits a second at most, so that it looks at the clock again
            self._run_calls()

        self._receive_pending()
        self._close_listeners()
        self._finish_responses(SHUTDOWN_TIMEOUT)
        some_are_not_finished = bool(self._connections())
        if some_are_not_finished:
            self._abort_requests()
            self._finish_responses(ABORT_TIMEOUT)
        self.close()

    def stop(self) -> None:
        """Make `run` return soon. Signal handlers and other threads call this."""
        self._is_stopped = True
        with suppress(OSError):  # `run` may have closed it already
            self._wake_up()

    def close(self) -> None:
        """Close every connection and stop the threads, even while they work.

        A second call does nothing.
        """
        if self._is_closed:
            return
        self._is_closed = True
        self._threads.shutdown(timeout=THREADS_TIMEOUT)
        wasyncore.close_all(self._sockets)

    def open_network(self) -> None:
        """Let other devices in the home network reach the server.

        It listens on each address that this machine has there. Another thread calls this. Raises
        OSError if none of the addresses works.
        """
        self._call_in_main_thread(self._open_network)

    def close_network(self) -> None:
        """Stop listening on the addresses of the home network. Another thread calls this.

        The connections made there are closed after their responses.
        """
        self._call_in_main_thread(self._close_network)

    # ------------------------------------------------------------ events

    def _process_events(self, seconds: float) -> None:
        """Wait for events on the sockets, at most this long, and handle them: accept, read, send.

        Before that, each connection does what is due by the clock, and excess ones are marked to be
        closed.
        """
        connections = self._connections()
        for connection in choose_connections_to_close(connections):
            connection.will_close = True
        for connection in connections:
            connection.update()
        # poll, because select is limited to 1,024 file descriptors.
        wasyncore.loop(timeout=seconds, use_poll=True, map=self._sockets, count=1)

    def _connections(self) -> list[Connection]:
        """List the open connections. The listening sockets are among the sockets too."""
        return [entry for entry in self._sockets.values() if isinstance(entry, Connection)]

    def _call_in_main_thread(self, function: Callable[[], None]) -> None:
        """Let the main thread call a function, and wait until it has returned.

        Only the main thread may open and close sockets, because it waits for events on them. An
        OSError that the function raises is raised here.
        """
        call = _Call(function, Future())
        self._calls.put(call)
        self._wake_up()
        call.end.result(CALL_TIMEOUT)

    def _run_calls(self) -> None:
        """Call the functions that other threads have asked the main thread to call.

        The other thread waits for the end of its call. An OSError, such as an address in use, is
        raised there. Any other exception is a bug: it is raised here and ends the server.
        """
        while not self._calls.empty():
            call = self._calls.get()
            try:
                call.function()
            except OSError as error:
                call.end.set_exception(error)
            else:
                call.end.set_result(None)

    def _wake_up(self) -> None:
        """Make the main thread stop waiting for events, and look at what it is asked to do."""
        self._listeners[0].pull_trigger()

    # ------------------------------------------------------------ end

    def _receive_pending(self) -> None:
        """Read the requests that clients have sent by now. They are answered before the end."""
        # What clients send can be read only after their connections are accepted.
        self._process_events(0)
        self._process_events(0)

    def _close_listeners(self) -> None:
        """Accept no further connections. Those that are open stay open."""
        for listener in self._listeners:
            listener.close_socket()
        for listener in self.network.values():
            listener.close_socket()

    def _finish_responses(self, seconds: float) -> None:
        """Answer the requests that are being processed, and close each connection after that.

        Returns after at most this many seconds, or as soon as all connections are closed.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            connections = self._connections()
            if not connections:
                return
            for connection in connections:
                connection.closes_after_response = True
            self._process_events(0.1)

    # ------------------------------------------------------------ listening

    def _open_listeners(self) -> list[Listener]:
        """Listen on each address that the host stands for. Raises OSError.

        `localhost` is `127.0.0.1` and `::1`, for example.
        """
        listeners = []
        for address in self._settings.listen:
            listeners.append(self._make_listener(sockinfo=address))
        return listeners

    def _make_listener(self, **socket_options: Any) -> Listener:
        """Make a listener of this server; the options name its address, or give it a socket."""
        return Listener(
            self._app,
            self._sockets,  # to which it adds itself
            dispatcher=self._threads,
            adj=self._settings,
            **socket_options,
        )

    def _open_network(self) -> None:
        """Listen on each address that this machine has in the home network, on the server's port.

        Addresses that cannot be used are skipped. If none can be used, the last OSError is raised.
        """
        last_error = OSError(errno.ENETDOWN, "no network")  # in case there are no addresses at all
        for address in home_addresses():
            is_open_already = address in self.network
            if is_open_already:
                continue
            try:
                bound_socket = socket.create_server((address, int(self.effective_port)))
            except OSError as error:
                last_error = error
                continue
            self.network[address] = self._make_network_listener(bound_socket)
        if not self.network:
            raise last_error

    def _make_network_listener(self, bound_socket: socket.socket) -> Listener:
        """Make a listener of this server for a socket that listens already.

        In waitress each listener has a trigger: a pipe by which worker threads wake up the main
        thread when they have something to send. This listener may be closed before its connections
        are, and its own trigger with it. So it gets the trigger of the first listener, which lives
        as long as the server.
        """
        listener = self._make_listener(_sock=bound_socket, bind_socket=False)
        own_trigger = listener.trigger
        own_trigger.close()
        listener.trigger = self._listeners[0].trigger
        return listener

    def _close_network(self) -> None:
        """Stop listening on the home network.

        Connections made there are closed after their responses.
        """
        closed_listeners = list(self.network.values())
        self.network = {}
        for listener in closed_listeners:
            listener.close_socket()
        for connection in self._connections():
            if connection.server in closed_listeners:  # the listener that accepted it
                connection.closes_after_response = True
