"""What the server tells of its work on standard error: a line for each request, and our own mistakes.

Never a key, a cookie, the name of a match or what somebody typed: a request is told by the rule of its address, a
mistake by its kind and by where it came about. What a mistake says of itself may hold what was typed, and stays out.
"""

from __future__ import annotations

import json
import logging
import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

REQUESTS = logging.getLogger("scorepad.requests")
ASKED = "scorepad.asked"
"""Where the environment of a request keeps what is told of it."""
UNKNOWN = "-"
"""What stands in place of an address that is none of ours, or of a method: whatever was sent there."""
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_OURS = ("scorepad", "waitress")
"""Whose sentences are known to hold nothing that was sent; of others, only that they said something is told."""
_ROOT = Path(__file__).resolve().parents[2]

Error = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


@dataclass(slots=True)
class Asked:
    """What is told of a request: its method, the rule of its address, what became of it, and how many octets left."""

    method: str
    path: str = UNKNOWN
    status: int = 500
    length: int = 0


class Requests:
    """An application of which every request is told when its answer has left."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterator[bytes]:
        """The answer as it is; what is told of it once it is through, or broken off."""
        asked = environ[ASKED] = Asked(environ["REQUEST_METHOD"])
        started = time.perf_counter()

        def begin(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            asked.status = int(status[:3])
            return start_response(status, headers, exc_info)

        try:
            yield from _counted(self._app(environ, begin), asked)
        finally:
            tell_request(asked, (time.perf_counter() - started) * 1000)


def _counted(answer: Iterable[bytes], asked: Asked) -> Iterator[bytes]:
    try:
        for piece in answer:
            asked.length += len(piece)
            yield piece
    finally:
        close = getattr(answer, "close", None)
        if close is not None:
            close()


def tell_request(asked: Asked, milliseconds: float = 0.0) -> None:
    """A line for a request."""
    method = asked.method if asked.method in _METHODS else UNKNOWN
    told = {"method": method, "path": asked.path, "status": asked.status, "ms": round(milliseconds, 1)}
    REQUESTS.info("", extra={"told": told | {"length": asked.length}})


def tell_logs(style: str | None) -> None:
    """From now on tell on standard error: requests as `plain` or `json`, without a style mistakes alone."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if style == "json" else PlainLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    REQUESTS.setLevel(logging.WARNING if style is None else logging.INFO)


class JsonLines(logging.Formatter):
    """A line of JSON for each record: when, how grave, and what is told."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        told: dict[str, object] = {"time": _moment(record), "level": record.levelname.lower()}
        told |= getattr(record, "told", None) or {"logger": record.name, "message": _message(record)}
        if record.exc_info:
            told |= {"error": kinds(record.exc_info), "at": places(record.exc_info)}
        return json.dumps(told)


class PlainLines(logging.Formatter):
    """The same for people: a line for a request, and for a mistake where it came about, a line for each place."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line or more."""
        told = getattr(record, "told", None)
        if told is not None:
            words = f"{told['method']} {told['path']} {told['status']} {told['ms']} ms {told['length']}"
        else:
            words = f"{record.levelname} {_message(record)}"
        lines = [f"{_moment(record)} {words}"]
        if record.exc_info:
            lines += [f"  {place}" for place in places(record.exc_info)]
            lines.append(f"  {' < '.join(kinds(record.exc_info))}")
        return "\n".join(lines)


def kinds(error: Error) -> list[str]:
    """The kind of an error, and of those that it came from, without what they say."""
    return [type(each).__name__ for each in _chain(error[1])]


def places(error: Error) -> list[str]:
    """Where an error came about, from the outside in: file, line and function."""
    frames = traceback.extract_tb(error[2])
    return [f"{_file(Path(frame.filename))}:{frame.lineno} {frame.name}" for frame in frames]


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _file(path: Path) -> str:
    """A file of ours from the top of the project, another by the end of its name."""
    return path.relative_to(_ROOT).as_posix() if path.is_relative_to(_ROOT) else "/".join(path.parts[-2:])


def _message(record: logging.LogRecord) -> str:
    return record.getMessage() if record.name.partition(".")[0] in _OURS else UNKNOWN


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
