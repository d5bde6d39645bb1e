"""What the server tells of its work: a line for each request and each mistake, and nothing that was
secret or typed.
"""

import json
import logging
import re
import secrets
import socket
from collections.abc import Callable, Iterator
from datetime import datetime
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

Log = Callable[[str | None], Callable[[], list[str]]]
KEYS = ["time", "level", "method", "path", "status", "ms", "length"]


@pytest.fixture
def logged(
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Log]:
    """Log in a style from now on: `lines = logged("json")`; `lines()` is what was logged since."""
    handlers, level, ours = logging.root.handlers[:], logging.root.level, REQUESTS.level

    def log(style: str | None) -> Callable[[], list[str]]:
        # pytest's own handlers stand on the root and would be closed.
        logging.root.handlers = []
        configure_logs(style)

        def lines() -> list[str]:
            return capsys.readouterr().err.splitlines()

        return lines

    yield log
    logging.root.handlers = handlers
    logging.root.setLevel(level)
    REQUESTS.setLevel(ours)


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(Config(tmp_path / "scorepad.db", b"k" * 32))


def ask(app: Flask, method: str, path: str, **more: Any) -> int:
    answer = WsgiClient(RequestLogger(app)).open(
        path, method=method, base_url="http://localhost", buffered=True, **more
    )
    return answer.status_code


@pytest.mark.parametrize(("method", "path", "status", "rule"), [
    ("GET", "/", 200, "/"),
    ("GET", "/?cerca=Giuseppina", 200, "/"),
    ("HEAD", "/", 200, "/"),
    ("GET", "/partite/GEHEIM", 404, "/partite/<match>"),
    ("GET", "/e/GEHEIM", 404, "/e/<key>"),
    ("GET", "/E/GEHEIM", 404, "-"),
    ("GET", "/GEHEIM", 404, "-"),
    ("GEHEIM", "/", 405, "-"),
    ("GET", "/salute", 200, "/salute"),
    ("POST", "/lingua", 400, "/lingua"),
])  # fmt: skip
def test_a_request_is_reported_by_the_rule_of_its_address(
    app: Flask,
    logged: Log,
    method: str,
    path: str,
    status: int,
    rule: str,
) -> None:
    lines = logged("json")
    data = {"language": "Giuseppina"} if method == "POST" else None

    assert ask(app, method, path, data=data) == status

    (line,) = lines()
    assert "GEHEIM" not in line
    assert "Giuseppina" not in line
    entry = json.loads(line)
    assert list(entry) == KEYS
    assert entry["level"] == "info"
    assert entry["path"] == rule
    assert entry["status"] == status
    assert entry["method"] == ("-" if method == "GEHEIM" else method)
    assert datetime.fromisoformat(entry["time"]).tzinfo is not None
    assert entry["ms"] >= 0
    assert (entry["length"] == 0) == (method == "HEAD")


def test_plain_lines_say_the_same(app: Flask, logged: Log) -> None:
    lines = logged("plain")
    ask(app, "GET", "/partite/GEHEIM")
    (line,) = lines()
    assert re.fullmatch(r"\S+T\S+\+00:00 GET /partite/<match> 404 [\d.]+ ms \d+", line)


def test_a_file_that_the_server_sends_is_reported_with_its_length(app: Flask, logged: Log) -> None:
    lines = logged("json")
    environ = {"wsgi.file_wrapper": FileWrapper}

    answer = WsgiClient(RequestLogger(app)).get(
        "/file/partite.json", base_url="http://localhost", environ_overrides=environ
    )

    entry = json.loads(lines()[-1])
    assert entry["path"] == "/file/partite.json"
    assert entry["status"] == 200
    assert entry["length"] == len(answer.data)
    answer.close()


@pytest.fixture
def failing_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """The home page fails, with secrets in the messages of its errors."""

    def fail(*_: object) -> None:
        try:
            int("Giuseppina")
        except ValueError as error:
            raise KeyError("GEHEIM") from error

    monkeypatch.setattr(Pad, "summaries", fail)


@pytest.mark.usefixtures("failing_home")
@pytest.mark.parametrize("style", ["json", "plain", None])
def test_a_mistake_of_ours_is_reported_without_what_it_says(
    app: Flask, logged: Log, style: str | None
) -> None:
    lines = logged(style)
    assert ask(app, "GET", "/") == 500
    text = "".join(lines())
    assert "Giuseppina" not in text
    assert "GEHEIM" not in text


@pytest.mark.usefixtures("failing_home")
def test_a_mistake_of_ours_is_reported_as_json_by_its_kind_and_place(
    app: Flask, logged: Log
) -> None:
    lines = logged("json")
    ask(app, "GET", "/")

    mistake, request = map(json.loads, lines())

    assert mistake["level"] == "error"
    assert mistake["message"] == "GET /"
    assert mistake["error"] == ["KeyError", "ValueError"]
    place = mistake["at"][-1]
    assert place.startswith("tests/deploy/test_logs.py:")
    assert place.endswith(" fail")
    assert request["status"] == 500


@pytest.mark.usefixtures("failing_home")
@pytest.mark.parametrize(("style", "lines_of_requests"), [("plain", 1), (None, 0)])
def test_a_mistake_of_ours_is_reported_in_plain_lines_by_its_kind_and_place(
    app: Flask, logged: Log, style: str | None, lines_of_requests: int
) -> None:
    read_lines = logged(style)
    ask(app, "GET", "/")

    lines = read_lines()

    assert " ERROR GET /" in lines[0]
    assert "  KeyError < ValueError" in lines
    assert any(re.fullmatch(r"  scorepad/web/home/\S+:\d+ \w+", line) for line in lines)
    assert "\n".join(lines).count(" 500 ") == lines_of_requests


def test_of_other_libraries_only_that_they_said_something_is_reported(
    logged: Log,
) -> None:
    lines = logged("json")
    logging.getLogger("somebody.else").warning("the name is %s", "Giuseppina")
    logging.getLogger("waitress").warning("total open connections reached the connection limit")
    first, second = map(json.loads, lines())
    assert (first["logger"], first["message"]) == ("somebody.else", "-")
    assert second["message"] == "total open connections reached the connection limit"


def test_of_an_address_that_the_server_could_not_serve_nothing_is_reported(
    logged: Log,
) -> None:
    lines = logged(None)
    logging.getLogger("waitress").error("Exception while serving /e/%s" % ("k" * 26))  # noqa: G002 - as it does
    (line,) = lines()
    assert line.endswith(" ERROR Exception while serving a page")


def sent_to(port: int, octets: bytes) -> None:
    """Send this, and hear whatever comes back to its end."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(octets)
        while connection.recv(65536):
            pass


def test_the_server_tells_in_json_whatever_comes_and_never_a_key_or_a_cookie(
    tmp_path: Path,
) -> None:
    key = secrets.token_urlsafe(24)
    with serving(tmp_path, "--log", "json") as served:
        for sent in (
            f"GET /e/{key} HTTP/1.0\r\nHost: localhost\r\nCookie: scorepad_device={key}\r\n\r\n",
            f"GET /e/{key} HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
            f"GET /e/{key} HTTP/1.0\r\nX: {'x' * 262144}\r\n\r\n",
            f"{key}\r\n\r\n",
            f"POST /api/v1/score HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n",
        ):
            sent_to(served.port, sent.encode())
        served.process.terminate()
        _, said = served.process.communicate(timeout=10)
    assert key not in said
    lines = [json.loads(line) for line in said.splitlines()]
    assert [(line["method"], line["path"], line["status"]) for line in lines] == [
        ("GET", "/e/<key>", 404), ("GET", "-", 400), ("GET", "-", 431), ("-", "-", 400), ("POST", "/api/v1/score", 415),
    ]  # fmt: skip


def test_a_start_says_that_the_key_was_lost_and_which_files_others_can_read(
    tmp_path: Path,
) -> None:
    begin_match(tmp_path)
    data = tmp_path / "x.db"
    data.chmod(0o666)
    with serving(tmp_path) as served:
        served.process.terminate()
        _, said = served.process.communicate(timeout=10)
    assert f"mancava la chiave {data}.key" in said
    assert f"chmod 600 {data}\n" in said
