"""The log of the server: a line for each request and each exception.

It has nothing that was secret or that somebody typed: neither keys, cookies and ids of matches, nor
what was searched for. Here the word SECRET stands for a key, Giuseppina for what somebody typed.
"""

import json
import logging
import re
import secrets
import socket
from collections.abc import Callable, Iterator
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client as WsgiClient
from werkzeug.wsgi import FileWrapper

from scorepad.app import Config, create_app
from scorepad.app.request_log import REQUESTS, RequestLogger, configure_logs
from scorepad.matches import Pad
from tests.cli.running import begin_match, serving

StartLog = Callable[[str | None], Callable[[], list[str]]]


@pytest.fixture
def start_log(
    capsys: pytest.CaptureFixture[str],
) -> Iterator[StartLog]:
    """Return a function that starts a log in a style: `read_log = start_log("json")`.

    Each call of `read_log()` returns the lines that were logged since the last one.
    """
    root_handlers = logging.root.handlers[:]
    root_level = logging.root.level
    level_of_requests = REQUESTS.level

    def read_log() -> list[str]:
        """Return the lines that were written to standard error since the last call."""
        return capsys.readouterr().err.splitlines()

    def start(style: str | None) -> Callable[[], list[str]]:
        """Start the log of a server in this style, and return the function that reads its lines."""
        # `configure_logs` closes the handlers that the root logger has. These belong to pytest, which
        # still needs them: they are taken away before, and put back after the test.
        logging.root.handlers = []
        configure_logs(style)
        return read_log

    yield start
    logging.root.handlers = root_handlers
    logging.root.setLevel(root_level)
    REQUESTS.setLevel(level_of_requests)


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(Config(tmp_path / "scorepad.db", b"k" * 32))


def send_request(app: Flask, method: str, path: str, **more: Any) -> int:
    """Send a request to an app whose requests are logged. Return the status."""
    answer = WsgiClient(RequestLogger(app)).open(
        path, method=method, base_url="http://localhost", buffered=True, **more
    )
    return answer.status_code


@pytest.mark.parametrize(("method", "path", "status", "route"), [
    ("GET", "/", 200, "/"),
    ("GET", "/?cerca=Giuseppina", 200, "/"),
    ("HEAD", "/", 200, "/"),
    ("GET", "/partite/SECRET", HTTPStatus.NOT_FOUND, "/partite/<match>"),
    ("GET", "/e/SECRET", HTTPStatus.NOT_FOUND, "/e/<key>"),
    ("GET", "/E/SECRET", HTTPStatus.NOT_FOUND, "-"),
    ("GET", "/SECRET", HTTPStatus.NOT_FOUND, "-"),
    ("GET", "/salute", 200, "/salute"),
    ("POST", "/lingua", HTTPStatus.BAD_REQUEST, "/lingua"),
])  # fmt: skip
def test_request_is_logged_with_its_route_instead_of_its_path(
    app: Flask,
    start_log: StartLog,
    method: str,
    path: str,
    status: int,
    route: str,
) -> None:
    # An address may hold the id of a match, a key, or what somebody searched for.
    read_log = start_log("json")

    assert send_request(app, method, path) == status

    (line,) = read_log()
    assert "SECRET" not in line
    assert "Giuseppina" not in line
    entry = json.loads(line)
    assert list(entry) == ["time", "level", "method", "path", "status", "ms", "length"]
    assert entry["level"] == "info"
    assert entry["path"] == route
    assert entry["status"] == status
    assert entry["method"] == method
    assert datetime.fromisoformat(entry["time"]).tzinfo is not None
    assert entry["ms"] >= 0


def test_unknown_method_is_not_logged(app: Flask, start_log: StartLog) -> None:
    read_log = start_log("json")

    # By mistake a program sends a key where the method stands.
    assert send_request(app, "SECRET", "/") == HTTPStatus.METHOD_NOT_ALLOWED

    (line,) = read_log()
    entry = json.loads(line)
    assert entry["method"] == "-"
    assert entry["path"] == "-"
    assert "SECRET" not in line


def test_submitted_fields_are_not_logged(app: Flask, start_log: StartLog) -> None:
    read_log = start_log("json")
    send_request(app, "POST", "/lingua", data={"language": "Giuseppina"})
    (line,) = read_log()
    assert "Giuseppina" not in line


@pytest.mark.parametrize(("method", "has_body"), [("GET", True), ("HEAD", False)])
def test_length_of_the_answer_is_logged(
    app: Flask, start_log: StartLog, method: str, has_body: bool
) -> None:
    read_log = start_log("json")
    send_request(app, method, "/")
    (line,) = read_log()
    assert (json.loads(line)["length"] > 0) == has_body


def test_request_in_plain_log(app: Flask, start_log: StartLog) -> None:
    read_log = start_log("plain")
    send_request(app, "GET", "/partite/SECRET")
    (line,) = read_log()
    # Such as "2026-05-01T20:30:00+00:00 GET /partite/<match> 404 12.5 ms 8130".
    assert re.fullmatch(r"\S+T\S+\+00:00 GET /partite/<match> 404 [\d.]+ ms \d+", line)


def test_file_sent_by_the_server_is_logged_with_its_length(app: Flask, start_log: StartLog) -> None:
    # Some servers send files themselves. They offer the app a "file wrapper" (WSGI), with which the
    # app hands them an open file instead of its content.
    read_log = start_log("json")
    logged_app = RequestLogger(app)
    answer = WsgiClient(logged_app).get(
        "/file/partite.json",
        base_url="http://localhost",
        environ_overrides={"wsgi.file_wrapper": FileWrapper},
    )

    # The line of the request has the length of the file nevertheless, and not 0.
    line_of_request = read_log()[-1]
    entry = json.loads(line_of_request)
    assert entry["path"] == "/file/partite.json"
    assert entry["status"] == 200
    assert entry["length"] == len(answer.data)
    answer.close()


@pytest.fixture
def failing_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the home page fail by an exception and its cause, with secrets in both messages."""

    def fail(*_: object) -> None:
        """Raise a KeyError about "SECRET", whose cause is a ValueError about "Giuseppina"."""
        try:
            int("Giuseppina")  # no number
        except ValueError as error:
            raise KeyError("SECRET") from error

    # The home page calls this method for the list of matches.
    monkeypatch.setattr(Pad, "summaries", fail)


@pytest.mark.usefixtures("failing_home")
@pytest.mark.parametrize("style", ["json", "plain", None])
def test_exception_is_logged_without_its_message(
    app: Flask, start_log: StartLog, style: str | None
) -> None:
    read_log = start_log(style)

    # The home page raises KeyError("SECRET") because of a ValueError about "Giuseppina".
    assert send_request(app, "GET", "/") == HTTPStatus.INTERNAL_SERVER_ERROR

    log = "".join(read_log())
    assert "Giuseppina" not in log
    assert "SECRET" not in log


@pytest.mark.usefixtures("failing_home")
def test_exception_in_json_log_has_types_and_place(app: Flask, start_log: StartLog) -> None:
    # The home page raises a KeyError because of a ValueError.
    read_log = start_log("json")
    send_request(app, "GET", "/")

    line_of_exception, line_of_request = read_log()

    exception = json.loads(line_of_exception)
    assert exception["level"] == "error"
    assert exception["message"] == "GET /"
    assert exception["error"] == ["KeyError", "ValueError"]
    # It was raised by the function "fail" in this file.
    *_, innermost_frame = exception["at"]
    assert innermost_frame.startswith("tests/deploy/test_logs.py:")
    assert innermost_frame.endswith(" fail")

    request = json.loads(line_of_request)
    assert request["status"] == 500


@pytest.mark.usefixtures("failing_home")
@pytest.mark.parametrize(("style", "lines_of_requests"), [("plain", 1), (None, 0)])
def test_exception_in_plain_log_has_types_and_place(
    app: Flask, start_log: StartLog, style: str | None, lines_of_requests: int
) -> None:
    # The fixture `failing_home` lets the home page raise a KeyError because of a ValueError. Without
    # a style the log is plain too, but has lines of exceptions and warnings alone.
    read_log = start_log(style)
    send_request(app, "GET", "/")
    lines = read_log()

    # First comes the exception, with its cause.
    assert " ERROR GET /" in lines[0]
    assert "  KeyError < ValueError" in lines

    # Below stand the places: file, line and function.
    assert any(re.fullmatch(r"  scorepad/web/home/\S+:\d+ \w+", line) for line in lines)

    # The line of the request has its status: "2026-05-01T20:30:00+00:00 GET / 500 12.5 ms 8130".
    assert len([line for line in lines if " 500 " in line]) == lines_of_requests


def test_messages_of_other_libraries_are_left_out(
    start_log: StartLog,
) -> None:
    # A library logs what somebody has typed.
    read_log = start_log("json")
    logging.getLogger("somebody.else").warning("the name is %s", "Giuseppina")

    (line,) = read_log()

    entry = json.loads(line)
    assert entry["logger"] == "somebody.else"
    assert entry["message"] == "-"


def test_messages_of_the_server_are_logged(start_log: StartLog) -> None:
    # waitress is the web server. Its warnings have nothing that somebody typed.
    read_log = start_log("json")
    message = "total open connections reached the connection limit"
    logging.getLogger("waitress").warning(message)

    (line,) = read_log()

    assert json.loads(line)["message"] == message


def test_address_of_failed_request_is_left_out(start_log: StartLog) -> None:
    # No style of log was chosen for the server. It logs errors all the same.
    no_style = None
    read_log = start_log(no_style)

    # waitress, the web server, names the address of a request that failed, which has a key in it.
    message = "Exception while serving /e/kkkkkkkkkkkkkkkkkkkkkkkkkk"
    logging.getLogger("waitress").error(message)

    (line,) = read_log()
    assert line.endswith(" ERROR Exception while serving a page")


def send_raw_request(port: int, request: str) -> None:
    """Send a request as it is written, and read the answer to its end."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request.encode())
        while connection.recv(65536):
            pass


def test_json_log_of_odd_requests_has_no_key_or_cookie(
    tmp_path: Path,
) -> None:
    # Requests with a key in the address, a cookie or a header. The web server itself refuses some
    # of them: a length that is no number, a header of 256 KB, and a line that is no request.
    key = secrets.token_urlsafe(24)
    with_cookie = (
        f"GET /e/{key} HTTP/1.0\r\nHost: localhost\r\nCookie: scorepad_device={key}\r\n\r\n"
    )
    with_invalid_length = f"GET /e/{key} HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n"
    with_large_header = f"GET /e/{key} HTTP/1.0\r\nX: {'x' * 256 * 1024}\r\n\r\n"
    without_method = f"{key}\r\n\r\n"
    with_api_key = (
        f"POST /api/v1/score HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n"
    )

    # A real server gets them one after the other and is stopped.
    with serving(tmp_path, "--log", "json") as served:
        send_raw_request(served.port, with_cookie)
        send_raw_request(served.port, with_invalid_length)
        send_raw_request(served.port, with_large_header)
        send_raw_request(served.port, without_method)
        send_raw_request(served.port, with_api_key)
        served.process.terminate()
        _, log = served.process.communicate(timeout=10)

    # Each has its line. "-" stands for a path or a method that is unknown.
    assert key not in log
    requests = []
    for line in log.splitlines():
        entry = json.loads(line)
        requests.append((entry["method"], entry["path"], entry["status"]))
    assert requests == [
        ("GET", "/e/<key>", HTTPStatus.NOT_FOUND),
        ("GET", "-", HTTPStatus.BAD_REQUEST),
        ("GET", "-", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE),
        ("-", "-", HTTPStatus.BAD_REQUEST),
        ("POST", "/api/v1/score", HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
    ]


def test_start_warns_of_lost_key_and_readable_files(
    tmp_path: Path,
) -> None:
    # The data file has a match, so a server has been here, but its key file is gone. And every user
    # of this machine may read and change the data.
    begin_match(tmp_path)
    data = tmp_path / "x.db"
    data.chmod(0o666)

    with serving(tmp_path) as served:
        served.process.terminate()
        _, log = served.process.communicate(timeout=10)

    # In English: "the key … was missing". The second line says what to do.
    assert f"mancava la chiave {data}.key" in log
    assert f"chmod 600 {data}\n" in log
