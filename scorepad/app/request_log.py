"""Logs of the server, on standard error.

Logs contain no key, cookie, match id or user input: a request is logged with its URL rule, an
exception with its type and traceback locations, but without its message, which may contain user
input.
"""

from __future__ import annotations

import json
import logging
import re
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

REQUESTS = logging.getLogger("scorepad.requests")
UNKNOWN = "-"
"""Logged instead of an unknown URL, method or message, which may contain anything."""
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_ROOT = Path(__file__).resolve().parents[2]


def configure_logs(style: str | None) -> None:
    """Set up the log on standard error, in the style that the command line asks for.

    - `plain` or `json`: a line for each request, as text or as JSON, beside warnings and errors
    - None: only warnings and errors
    """
    handler = logging.StreamHandler()
    if style == "json":
        handler.setFormatter(JsonFormatter())
    else:
        handler.setFormatter(PlainFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)

    if style is None:
        REQUESTS.setLevel(logging.WARNING)
    else:
        REQUESTS.setLevel(logging.INFO)


def log_request(
    method: str, rule: str, status: int, *, milliseconds: float = 0.0, length: int = 0
) -> None:
    """Write a line to the log for one request: `GET /partite/<match> 200 12.5 ms 8130`.

    `rule` is the pattern of the URL, since the URL itself contains the id of a match. The last two
    values are the time in milliseconds and the bytes of the response.
    """
    values = {
        "method": method if method in _METHODS else UNKNOWN,
        "path": rule,
        "status": status,
        "ms": milliseconds,
        "length": length,
    }
    REQUESTS.info("%(method)s %(path)s %(status)s %(ms)s ms %(length)s", values)


# ---------------------------------------------------------------- requests


class RequestLogger:
    """WSGI middleware that logs every request when its response is complete or aborted."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Pass a request on to the application, and write it to the log when its response is sent."""
        request = _LoggedRequest(environ, start_response)
        try:
            response = self._app(environ, request.start_response)
        except BaseException:
            request.log(0)  # no bytes are sent
            raise

        if _is_sent_by_server(response, environ):
            # waitress recognises a file by its type, so the response must not be wrapped, and is
            # logged before it is sent.
            request.log(request.content_length)
            return response
        return _pass_and_log(response, request)


def _is_sent_by_server(response: Iterable[bytes], environ: WSGIEnvironment) -> bool:
    """Tell whether a response is a file, which waitress reads and sends by itself.

    Any other response is an iterable of bytes, which is logged after its last bytes.
    """
    file_wrapper = environ.get("wsgi.file_wrapper")
    return file_wrapper is not None and isinstance(response, file_wrapper)


def _rule_of(environ: WSGIEnvironment) -> str:
    """Return the URL pattern of a request, such as `/partite/<match>`; `-` if the URL is unknown."""
    request = environ.get("werkzeug.request")
    rule = getattr(request, "url_rule", None)
    if rule is None:
        return UNKNOWN
    text: str = rule.rule
    return text


class _LoggedRequest:
    """A request that is being answered, with what will be logged of it.

    Its `start_response` takes the place of the server's, to learn what the response is.
    """

    def __init__(self, environ: WSGIEnvironment, start_response: StartResponse) -> None:
        """Note when the request began; `start_response` is the callback of the server (WSGI)."""
        self._environ = environ
        self._start_response_of_server = start_response
        self._started_at = time.perf_counter()
        self.content_length = 0
        # Replaced as soon as the response starts. If the application fails before, this is logged:
        self._status = 500
        self._rule = UNKNOWN

    def start_response(
        self, status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Any:
        """Note the status and length of the response for the log, then let the server start it.

        The application calls this in place of the server's own `start_response` (see WSGI, PEP
        3333).
        """
        self._status = int(status[:3])  # "404 NOT FOUND" → 404
        self._rule = _rule_of(self._environ)
        self.content_length = int(dict(headers).get("Content-Length", 0))  # 0 if not known yet
        return self._start_response_of_server(status, headers, exc_info)

    def log(self, length: int) -> None:
        """Write the request to the log; `length` is the number of bytes in its response."""
        seconds = time.perf_counter() - self._started_at
        log_request(
            self._environ["REQUEST_METHOD"],
            self._rule,
            self._status,
            milliseconds=round(seconds * 1000, 1),
            length=length,
        )


def _pass_and_log(response: Iterable[bytes], request: _LoggedRequest) -> Iterator[bytes]:
    """Yield the pieces of a response unchanged, and log the request at the end.

    The end is the last piece, or earlier if the client has gone and the server stops reading.
    """
    length = 0
    try:
        for piece in response:
            length += len(piece)
            yield piece
    finally:
        request.log(length)
        close = getattr(response, "close", None)
        if close is not None:  # WSGI asks whoever reads a response to close it, if that is possible
            close()


# ---------------------------------------------------------------- formats


class PlainFormatter(logging.Formatter):
    """A line of text for each record; for an exception, one more for each frame."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as text: time, level, message. A request has no level.

        An exception adds a line for each place in the code, and one with its types.
        """
        line = f"{_timestamp(record)} "
        if record.name != REQUESTS.name:
            line += f"{record.levelname} "
        line += _remove_user_input(record)

        lines = [line]
        if record.exc_info:
            for location in _locations(record):
                lines.append(f"  {location}")
            types = " < ".join(_exception_types(record))
            lines.append(f"  {types}")
        return "\n".join(lines)


class JsonFormatter(logging.Formatter):
    """A JSON document on one line for each record."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as a line of JSON.

        A request has its method, path, status, time and length; any other record has a logger and a
        message.
        """
        values: dict[str, object] = {
            "time": _timestamp(record),
            "level": record.levelname.lower(),
        }
        if record.name == REQUESTS.name and isinstance(record.args, Mapping):
            values.update(record.args)
        else:
            values["logger"] = record.name
            values["message"] = _remove_user_input(record)
        if record.exc_info:
            values["error"] = _exception_types(record)
            values["at"] = _locations(record)
        return json.dumps(values)


def _timestamp(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _remove_user_input(record: logging.LogRecord) -> str:
    """Return the message of a log record without anything that a user may have typed.

    - ours → as it is: our messages contain no user input
    - `Exception while serving /partite/k3f9` of waitress → `Exception while serving a page`,
      because the URL contains the id of a match
    - any other library → `-`, because we do not know what its messages contain
    """
    top_package = record.name.partition(".")[0]  # "waitress.queue" → "waitress"
    if top_package not in ("scorepad", "waitress"):
        return UNKNOWN
    message = record.getMessage()
    return re.sub(r"(while serving) .*", r"\1 a page", message, flags=re.DOTALL)


def _exception_types(record: logging.LogRecord) -> list[str]:
    """List the type names of an exception and of its causes: `["Busy", "OperationalError"]`.

    Messages of exceptions are not logged, since they may contain user input.
    """
    if record.exc_info is None:
        return []
    errors: list[BaseException] = []
    _class, error, _traceback = record.exc_info
    while error is not None and error not in errors:  # causes may form a circle
        errors.append(error)
        error = error.__cause__ or error.__context__
    return [type(error).__name__ for error in errors]


def _locations(record: logging.LogRecord) -> list[str]:
    """List the places in the code that an exception went through, the outermost call first.

    `["scorepad/cli/serve.py:120 run_server"]`. Files outside the project have their last two names
    only.
    """
    if record.exc_info is None:
        return []
    _class, _error, calls = record.exc_info
    locations = []
    for frame in traceback.extract_tb(calls):
        path = Path(frame.filename)
        if path.is_relative_to(_ROOT):
            file = path.relative_to(_ROOT).as_posix()
        else:
            file = "/".join(path.parts[-2:])
        locations.append(f"{file}:{frame.lineno} {frame.name}")
    return locations
