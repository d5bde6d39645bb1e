"""The health check: the address by which a monitoring service learns whether the pad works."""

import os
import sqlite3
import time
from contextlib import closing
from http import HTTPStatus
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorepad.app import Config
from scorepad.storage import connection
from tests.apps import shared_app


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, testing=True))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.mark.parametrize("host", ["localhost", "10.9.8.7:80", "nobody.knows.example", "bad host"])
def test_health_check_answers_under_any_host_without_cookies(
    client: FlaskClient, host: str
) -> None:
    answer = client.get("/salute", headers={"Host": host})

    assert answer.status_code == HTTPStatus.OK
    assert answer.text == "ok\n"
    assert answer.mimetype == "text/plain"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers


def test_health_check_answers_head_request(client: FlaskClient) -> None:
    answer = client.head("/salute")
    assert answer.status_code == HTTPStatus.OK
    assert answer.data == b""
    assert answer.headers["Content-Length"] == "3"  # of "ok" and a line end


@pytest.mark.parametrize("host", ["10.9.8.7:80", "nobody.knows.example", "bad host"])
def test_pages_are_refused_under_unknown_hosts(client: FlaskClient, host: str) -> None:
    answer = client.get("/", headers={"Host": host})
    assert answer.status_code == HTTPStatus.BAD_REQUEST


def test_health_check_refuses_post(client: FlaskClient) -> None:
    # 400 since the request has no CSRF token, or 405, whichever is checked first.
    refusals = (HTTPStatus.BAD_REQUEST, HTTPStatus.METHOD_NOT_ALLOWED)
    assert client.post("/salute").status_code in refusals


def get_health(client: FlaskClient) -> str:
    """Ask for the health, check that the status fits it, and return it: "ok" or a problem."""
    answer = client.get("/salute")
    health = answer.text.rstrip("\n")
    if health == "ok":
        assert answer.status_code == HTTPStatus.OK
    else:
        assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    return health


def test_health_check_reports_missing_and_garbled_file(client: FlaskClient, tmp_path: Path) -> None:
    data = tmp_path / "scorepad.db"
    moved_data = tmp_path / "moved.db"
    assert get_health(client) == "ok"

    # Somebody moves the data file away.
    data.rename(moved_data)
    assert get_health(client) == "missing"

    # A letter stands in its place.
    data.write_text("Cara Ada " * 1000, encoding="utf-8")
    assert get_health(client) == "garbled"

    # A copy of the data is put back.
    data.write_bytes(moved_data.read_bytes())
    assert get_health(client) == "ok"

    # The copy is overwritten with something of the same size.
    data.write_bytes(b"x" * moved_data.stat().st_size)
    assert get_health(client) == "garbled"

    # The data file itself is put back.
    moved_data.rename(data)
    assert get_health(client) == "ok"


@pytest.mark.parametrize("lock", ["begin immediate", "begin exclusive"])
def test_health_check_reports_locked_file_within_a_second(
    client: FlaskClient, tmp_path: Path, lock: str
) -> None:
    with closing(sqlite3.connect(tmp_path / "scorepad.db", isolation_level=None)) as other:
        # Another process holds the data file; with "exclusive" nobody else may even read it. The
        # check does not wait until the process lets go.
        other.execute(lock)
        for _ in range(2):
            asked_at = time.monotonic()
            assert get_health(client) == "locked"
            assert time.monotonic() - asked_at < 1

        other.execute("rollback")
    assert get_health(client) == "ok"


def test_health_check_reports_low_disk_and_read_only_folder(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        # More bytes should be free than any disk has.
        patch.setattr(connection, "FLOOR", 2**60)
        assert get_health(client) == "disk-low"

        # The folder cannot be written, either. Of two problems the worse is told.
        patch.setattr(os, "access", lambda *_: False)
        assert get_health(client) == "read-only"
    assert get_health(client) == "ok"
