"""The address by which whoever watches over the pad learns whether it works."""

import os
import sqlite3
import time
from contextlib import closing
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
def test_it_answers_under_any_name_and_leaves_nothing_on_who_asks(
    client: FlaskClient, host: str
) -> None:
    answer = client.get("/salute", headers={"Host": host})
    assert (answer.status_code, answer.text, answer.mimetype) == (200, "ok\n", "text/plain")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    head = client.head("/salute", headers={"Host": host})
    assert (head.status_code, head.data, head.headers["Content-Length"]) == (200, b"", "3")
    if host != "localhost":
        assert client.get("/", headers={"Host": host}).status_code == 400, "the pages do not"


def test_it_takes_nothing_but_the_question(client: FlaskClient) -> None:
    assert client.post("/salute").status_code in (400, 405)


def well(client: FlaskClient) -> tuple[int, str]:
    answer = client.get("/salute")
    return answer.status_code, answer.text


def test_it_tells_a_file_that_is_missing_another_ones_or_garbled_and_that_it_is_back(
    client: FlaskClient, tmp_path: Path
) -> None:
    data, kept = tmp_path / "scorepad.db", tmp_path / "kept.db"
    assert well(client) == (200, "ok\n")
    data.rename(kept)
    assert well(client) == (503, "missing\n")
    data.write_text("Cara Ada " * 1000, encoding="utf-8")
    assert well(client) == (503, "garbled\n")
    data.write_bytes(kept.read_bytes())
    assert well(client) == (200, "ok\n")
    data.write_bytes(b"x" * len(kept.read_bytes()))
    assert well(client) == (503, "garbled\n")
    kept.rename(data)
    assert well(client) == (200, "ok\n")


@pytest.mark.parametrize("lock", ["begin immediate", "begin exclusive"])
def test_it_tells_within_a_second_that_another_process_holds_the_file(
    client: FlaskClient, tmp_path: Path, lock: str
) -> None:
    with closing(sqlite3.connect(tmp_path / "scorepad.db", isolation_level=None)) as other:
        other.execute(lock)
        for _ in range(2):
            asked = time.monotonic()
            assert well(client) == (503, "locked\n")
            assert time.monotonic() - asked < 1
        other.execute("rollback")
    assert well(client) == (200, "ok\n")


def test_it_tells_a_disk_with_little_room_and_a_folder_that_nobody_may_write(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(connection, "FLOOR", 2**60)
        assert well(client) == (503, "disk-low\n")
        patch.setattr(os, "access", lambda *_: False)
        assert well(client) == (503, "read-only\n")
    assert well(client) == (200, "ok\n")
