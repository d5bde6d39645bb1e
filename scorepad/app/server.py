"""The server: waitress, that answers what it refuses by itself in words and as safely as the pages."""

from __future__ import annotations

import logging
import re
from typing import Any

from pydantic_core import to_json
from waitress import create_server
from waitress.server import BaseWSGIServer, MultiSocketServer
from waitress.task import ErrorTask

from scorepad.api.troubles import code_of, is_asked
from scorepad.app.channels import LIMIT, PATIENCE, PatientChannel
from scorepad.app.logs import Asked, Requests, tell_request
from scorepad.i18n import LANGUAGES, words
from scorepad.web.headers import ALWAYS

THREADS = 8
LARGEST_BODY = 8 * 1024 * 1024
"""Octets that are read at all: of a file of matches. Of anything else the application itself takes less."""
_TOLD = {400: "serve.refused-400", 408: "serve.refused-408", 413: "serve.refused-413", 431: "serve.refused-431"}


class _Unsaid(logging.Filter):
    """What the server logs, without the address that was asked for: it names a match, or is a key."""

    _ADDRESS = re.compile(r"(while serving) .*", re.DOTALL)

    def filter(self, record: logging.LogRecord) -> bool:
        """Leave the address out, and let the record pass."""
        record.msg = self._ADDRESS.sub(r"\1 a page", str(record.msg))
        return True


_UNSAID = _Unsaid()


class _Told:
    """A refusal of the server's own: the request was never read, so nobody knows in which language to tell it."""

    def __init__(self, code: int, reason: str, path: str) -> None:
        self.code = code
        self.reason = reason
        self.path = path
        """What the address begins with, as far as it was read."""

    def to_response(self, _: object = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Its status, its headers and its text, as waitress asks for them."""
        text = "".join(f"{words(tongue).text(_TOLD.get(self.code, 'serve.refused'))}\n" for tongue in LANGUAGES)
        # Neither is it known for which address: it may hold a key.
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
        self.request.error = _Told(self.request.error.code, self.request.error.reason, path)
        tell_request(Asked(str(getattr(self.request, "command", "")), status=self.request.error.code))
        super().execute()


class _Channel(PatientChannel):
    error_task_class = _ErrorTask


def listen(app: Any, host: str, port: int, *, told: bool = False) -> Any:
    """A server that listens and answers once it is run; `told`: with a line in the log for each request.

    Raises OSError, and ValueError for no such host.
    """
    logging.getLogger("waitress").addFilter(_UNSAID)
    # That a few requests wait for a moment is nothing that anybody at the table could do something about.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    server = create_server(
        Requests(app) if told else app,
        host=host,
        port=port,
        threads=THREADS,
        channel_timeout=PATIENCE,
        connection_limit=LIMIT,
        asyncore_use_poll=True,  # the other way ends at 1,024 open files
        max_request_body_size=LARGEST_BODY,
        ident=None,
        # Nobody here believes them: that they are there tells a browser elsewhere from one on this machine.
        clear_untrusted_proxy_headers=False,
    )
    # A name with several addresses has a server for each of them, in the map of their sockets.
    for each in server.map.values() if isinstance(server, MultiSocketServer) else [server]:
        if isinstance(each, BaseWSGIServer):
            each.channel_class = _Channel
    return server
