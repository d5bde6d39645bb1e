"""The server: waitress with our limits, which refuses requests in both languages and stops without cutting answers."""

from __future__ import annotations

import logging
import re
import socket
import sys
import time
from typing import Any

from pydantic_core import to_json
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher

from scorepad.api.troubles import code_of, is_asked
from scorepad.app.channels import ACCEPTED_AT_ONCE, MAX_CONNECTIONS, Channel, FairQueue
from scorepad.app.logs import Asked, Requests, tell_request
from scorepad.i18n import LANGUAGES, words
from scorepad.web.headers import ALWAYS

THREADS = 8
LARGEST_HEADER = 16 * 1024
"""Octets of the first line and all headers of a request."""
LARGEST_BODY = 8 * 1024 * 1024
"""Octets that are read at all: of a file of matches. Of anything else the application itself takes less."""
IN_MEMORY = 128 * 1024
"""Octets of a body or an answer that wait in memory; larger ones wait in a temporary file."""
GRACE = 10
"""Seconds that requests have to finish once the server is stopped."""
SWITCH_INTERVAL = 0.0005
"""Seconds after which Python lets another thread run. The usual 0.005 make a short request wait long beside a PDF."""
_REFUSED = {400: "serve.refused-400", 408: "serve.refused-408", 413: "serve.refused-413", 431: "serve.refused-431"}


class _NoAddress(logging.Filter):
    """Removes the requested address from what waitress logs: it names a match, or is a key."""

    _ADDRESS = re.compile(r"(while serving) .*", re.DOTALL)

    def filter(self, record: logging.LogRecord) -> bool:
        """Leave the address out, and let the record pass."""
        record.msg = self._ADDRESS.sub(r"\1 a page", str(record.msg))
        return True


_NO_ADDRESS = _NoAddress()


class _Refusal:
    """A refusal by the server itself: the request was not read whole, so its language is not known."""

    def __init__(self, code: int, reason: str, path: str) -> None:
        self.code = code
        self.reason = reason
        self.path = path
        """The beginning of the address, as far as it was read."""

    def to_response(self, _: object = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Status, headers and body, as waitress wants them."""
        text = "".join(f"{words(tongue).text(_REFUSED.get(self.code, 'serve.refused'))}\n" for tongue in LANGUAGES)
        # The address is not known either: it may hold a key.
        headers = ALWAYS | {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
        if is_asked(self.path):
            headers |= {"Content-Type": "application/json"}
            octets = to_json({"error": " ".join(text.split()), "code": code_of(self.code)})
        else:
            headers |= {"Content-Type": "text/plain; charset=utf-8"}
            octets = text.encode()
        return f"{self.code} {self.reason}", list(headers.items()), octets


class _ErrorTask(ErrorTask):  # type: ignore[misc] # waitress ships no types
    def execute(self) -> None:
        path = str(getattr(self.request, "path", ""))
        self.request.error = _Refusal(self.request.error.code, self.request.error.reason, path)
        tell_request(Asked(str(getattr(self.request, "command", "")), status=self.request.error.code))
        super().execute()


class _Channel(Channel):
    error_task_class = _ErrorTask


class _Listener(TcpWSGIServer):  # type: ignore[misc] # waitress ships no types
    """A listening socket."""

    channel_class = _Channel
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
            # ProxyFix reads them where the pad is told of proxies; without, nothing does.
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

    def run(self) -> None:
        """Answer requests until `stop` is called; then finish those that arrived, in `GRACE` seconds at most."""
        while not self._is_stopped:
            self._loop(1)
        for _ in ("accept", "read"):  # what has reached the machine by now
            self._loop(0)
        for each in self._listeners:
            wasyncore.dispatcher.close(each)
        end = time.monotonic() + GRACE
        while (channels := self._channels()) and time.monotonic() < end:
            for each in channels:
                each.finishing = True
            self._loop(0.1)
        self.close()

    def stop(self) -> None:
        """Let `run` end. For signal handlers and other threads."""
        self._is_stopped = True
        self._listeners[0].pull_trigger()

    def close(self) -> None:
        """Close every connection and end the threads, whatever they do."""
        self._threads.shutdown(timeout=0.5)
        wasyncore.close_all(self._map)

    def _loop(self, seconds: float) -> None:
        # By poll: select ends at 1,024 open files.
        wasyncore.loop(timeout=seconds, use_poll=True, map=self._map, count=1)

    def _channels(self) -> list[_Channel]:
        return [each for each in self._map.values() if isinstance(each, _Channel)]


def listen(app: Any, host: str, port: int, *, told: bool = False) -> Server:
    """A server that listens, and answers once it is run; `told`: it logs a line for each request.

    `::` listens on every address of IPv6 and IPv4. Raises OSError, and ValueError for an unknown host.
    """
    logging.getLogger("waitress").addFilter(_NO_ADDRESS)
    # That a few requests wait for a moment is nothing that anybody at the table could do something about.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    sys.setswitchinterval(SWITCH_INTERVAL)
    return Server(Requests(app) if told else app, host, port)
