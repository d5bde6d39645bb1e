"""The address by which whoever watches over the pad learns whether it works."""

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
    assert answer.headers["Content-Length"] == "3"


@pytest.mark.parametrize("host", ["10.9.8.7:80", "nobody.knows.example", "bad host"])
def test_pages_are_refused_under_unknown_hosts(client: FlaskClient, host: str) -> None:
    answer = client.get("/", headers={"Host": host})
    assert answer.status_code == HTTPStatus.BAD_REQUEST


def test_health_check_refuses_post(client: FlaskClient) -> None:
    refusals = (HTTPStatus.BAD_REQUEST, HTTPStatus.METHOD_NOT_ALLOWED)
    assert client.post("/salute").status_code in refusals


def get_health(client: FlaskClient) -> str:
    """What the health check says; its status must be that of a healthy pad, or of an unhealthy."""
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

    data.rename(moved_data)
    assert get_health(client) == "missing"

    data.write_text("Cara Ada " * 1000, encoding="utf-8")
    assert get_health(client) == "garbled"

    data.write_bytes(moved_data.read_bytes())
    assert get_health(client) == "ok"

    data.write_bytes(b"x" * moved_data.stat().st_size)
    assert get_health(client) == "garbled"

    moved_data.rename(data)
    assert get_health(client) == "ok"


@pytest.mark.parametrize("lock", ["begin immediate", "begin exclusive"])
def test_health_check_reports_locked_file_within_a_second(
    client: FlaskClient, tmp_path: Path, lock: str
) -> None:
    with closing(sqlite3.connect(tmp_path / "scorepad.db", isolation_level=None)) as other:
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
    more_than_any_disk_has = 2**60
    with monkeypatch.context() as patch:
        patch.setattr(connection, "FLOOR", more_than_any_disk_has)
        assert get_health(client) == "disk-low"

        patch.setattr(os, "access", lambda *_: False)
        assert get_health(client) == "read-only"
    assert get_health(client) == "ok"
