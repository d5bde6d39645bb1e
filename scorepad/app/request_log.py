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
    """Log to standard error: requests as `plain` or `json`; without a style, warnings and errors
    only.
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
    """Log a request: method, URL rule, status, and the time and bytes of the response."""
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
        """Answer a request by the application, and log it."""
        request = _LoggedRequest(environ, start_response)
        try:
            response = self._app(environ, request.start_response)
        except BaseException:
            request.log(0)
            raise

        if _is_file(response, environ):
            # waitress recognises a file by its type, so the response cannot be wrapped.
            request.log(request.content_length)
            return response
        return _pass_and_log(response, request)


def _is_file(response: Iterable[bytes], environ: WSGIEnvironment) -> bool:
    """Whether a response is a file that the server sends by itself, without reading its pieces."""
    file_wrapper = environ.get("wsgi.file_wrapper")
    return file_wrapper is not None and isinstance(response, file_wrapper)


def _rule_of(environ: WSGIEnvironment) -> str:
    """The URL rule of a request: `/partite/<match>`; `-` if there is none."""
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
        self._environ = environ
        self._start_response_of_server = start_response
        self._started_at = time.perf_counter()
        self.content_length = 0
        # What is logged if the application fails before it starts the response:
        self._status = 500
        self._rule = UNKNOWN

    def start_response(
        self, status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Any:
        """Store what will be logged of the response, and start it."""
        self._status = int(status[:3])  # "404 NOT FOUND" → 404
        self._rule = _rule_of(self._environ)
        self.content_length = int(dict(headers).get("Content-Length", 0))
        return self._start_response_of_server(status, headers, exc_info)

    def log(self, length: int) -> None:
        """Log the request, with the number of bytes in its response."""
        seconds = time.perf_counter() - self._started_at
        log_request(
            self._environ["REQUEST_METHOD"],
            self._rule,
            self._status,
            milliseconds=round(seconds * 1000, 1),
            length=length,
        )


def _pass_and_log(response: Iterable[bytes], request: _LoggedRequest) -> Iterator[bytes]:
    """The pieces of a response; the request is logged after the last, or if no more are wanted."""
    length = 0
    try:
        for piece in response:
            length += len(piece)
            yield piece
    finally:
        request.log(length)
        close = getattr(response, "close", None)
        if close is not None:
            close()


# ---------------------------------------------------------------- formats


class PlainFormatter(logging.Formatter):
    """A line of text for each record; for an exception, one more for each frame."""

    def format(self, record: logging.LogRecord) -> str:
        """The text of a record: time, level unless it is a request, message, and the frames."""
        line = f"{_timestamp(record)} "
        if record.name != REQUESTS.name:
            line += f"{record.levelname} "
        line += _safe_message(record)

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
        """The JSON of a record; that of a request has its method, path, status, time and length."""
        values: dict[str, object] = {
            "time": _timestamp(record),
            "level": record.levelname.lower(),
        }
        if record.name == REQUESTS.name and isinstance(record.args, Mapping):
            values.update(record.args)
        else:
            values["logger"] = record.name
            values["message"] = _safe_message(record)
        if record.exc_info:
            values["error"] = _exception_types(record)
            values["at"] = _locations(record)
        return json.dumps(values)


def _timestamp(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _safe_message(record: logging.LogRecord) -> str:
    """The message of a record, without anything that a user may have typed.

    Messages of waitress name the URL, which contains the id of a match, so it is replaced:
    "Exception while serving /partite/…" → "Exception while serving a page". The message of any
    other library is replaced as a whole by `-`, because it is not known what it contains.
    """
    logging_package = record.name.partition(".")[0]
    if logging_package not in ("scorepad", "waitress"):
        return UNKNOWN
    message = record.getMessage()
    return re.sub(r"(while serving) .*", r"\1 a page", message, flags=re.DOTALL)


def _exception_types(record: logging.LogRecord) -> list[str]:
    """The types of an exception and of its causes: `["Busy", "OperationalError"]`."""
    if record.exc_info is None:
        return []
    errors: list[BaseException] = []
    error = record.exc_info[1]
    while error is not None and error not in errors:  # causes may form a circle
        errors.append(error)
        error = error.__cause__ or error.__context__
    return [type(error).__name__ for error in errors]


def _locations(record: logging.LogRecord) -> list[str]:
    """Where an exception was raised, from the outside in: `["scorepad/cli/serve.py:120 run"]`."""
    locations: list[str] = []
    if record.exc_info is None:
        return locations
    for frame in traceback.extract_tb(record.exc_info[2]):
        path = Path(frame.filename)
        if path.is_relative_to(_ROOT):
            file = path.relative_to(_ROOT).as_posix()
        else:
            file = "/".join(path.parts[-2:])
        locations.append(f"{file}:{frame.lineno} {frame.name}")
    return locations
