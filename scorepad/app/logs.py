"""Logging to standard error: a line for each request, and exceptions.

Never a key, a cookie, the name of a match or what somebody typed: a request is logged with the rule of its address, an
exception with its type and where it was raised. Its message may hold what was typed, and stays out.
"""

from __future__ import annotations

import json
import logging
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

REQUESTS = logging.getLogger("scorepad.requests")
ASKED = "scorepad.asked"
"""The key of the log record of a request in its WSGI environment."""
UNKNOWN = "-"
"""In place of an address or a method that is not ours: it may hold anything."""
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_OURS = ("scorepad", "waitress")
"""The loggers whose messages hold nothing that was sent; of others only the record is logged."""
_ROOT = Path(__file__).resolve().parents[2]

Error = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


@dataclass(slots=True)
class RequestRecord:
    """What is logged of a request: its method, the rule of its address, the status and the bytes of the response."""

    method: str
    path: str = UNKNOWN
    status: int = 500
    length: int = 0


class Requests:
    """WSGI middleware that logs every request when its response was sent, or broken off."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterator[bytes]:
        """The response of the application."""
        record = environ[ASKED] = RequestRecord(environ["REQUEST_METHOD"])
        started = time.perf_counter()

        def begin(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            record.status = int(status[:3])
            return start_response(status, headers, exc_info)

        try:
            with _closing(self._app(environ, begin)) as response:
                for piece in response:
                    record.length += len(piece)
                    yield piece
        finally:
            log_request(record, (time.perf_counter() - started) * 1000)


@contextmanager
def _closing(response: Iterable[bytes]) -> Iterator[Iterable[bytes]]:
    """Close a WSGI response if it can be closed."""
    try:
        yield response
    finally:
        if hasattr(response, "close"):
            response.close()


def log_request(record: RequestRecord, milliseconds: float = 0.0) -> None:
    """Log a line for a request."""
    method = record.method if record.method in _METHODS else UNKNOWN
    values = {"method": method, "path": record.path, "status": record.status, "ms": round(milliseconds, 1)}
    REQUESTS.info("", extra={"told": values | {"length": record.length}})


def configure_logs(style: str | None) -> None:
    """Log to standard error from now on: requests as `plain` or `json`, without a style warnings and errors only."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if style == "json" else PlainLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    REQUESTS.setLevel(logging.WARNING if style is None else logging.INFO)


class JsonLines(logging.Formatter):
    """A JSON document on one line for each record."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        values: dict[str, object] = {"time": _moment(record), "level": record.levelname.lower()}
        values |= getattr(record, "told", None) or {"logger": record.name, "message": _message(record)}
        if record.exc_info:
            values |= {"error": kinds(record.exc_info), "at": places(record.exc_info)}
        return json.dumps(values)


class PlainLines(logging.Formatter):
    """A line of text for each record; for an exception one more for each place."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line or more."""
        values = getattr(record, "told", None)
        text = "{method} {path} {status} {ms} ms {length}".format(**values) if values else ""
        lines = [f"{_moment(record)} {text or f'{record.levelname} {_message(record)}'}"]
        if record.exc_info:
            lines += [f"  {place}" for place in places(record.exc_info)]
            lines.append(f"  {' < '.join(kinds(record.exc_info))}")
        return "\n".join(lines)


def kinds(error: Error) -> list[str]:
    """The types of an exception and of its causes, without their messages."""
    chain, each = list[BaseException](), error[1]
    while each is not None and each not in chain:
        chain.append(each)
        each = each.__cause__ or each.__context__
    return [type(each).__name__ for each in chain]


def places(error: Error) -> list[str]:
    """Where an exception was raised, from the outside in: file, line and function."""
    frames = traceback.extract_tb(error[2])
    return [f"{_file(Path(frame.filename))}:{frame.lineno} {frame.name}" for frame in frames]


def _file(path: Path) -> str:
    """A file of scorepad relative to the project, another by the end of its path."""
    return path.relative_to(_ROOT).as_posix() if path.is_relative_to(_ROOT) else "/".join(path.parts[-2:])


def _message(record: logging.LogRecord) -> str:
    return record.getMessage() if record.name.partition(".")[0] in _OURS else UNKNOWN


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
