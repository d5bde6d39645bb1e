"""The address by which whoever watches over the pad learns whether it works."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorepad.app import Config, create_app


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(Config(tmp_path / "scorepad.db", b"k" * 32, testing=True))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.mark.parametrize("host", ["localhost", "10.9.8.7:80", "nobody.knows.example", "bad host"])
def test_it_answers_under_any_name_and_leaves_nothing_on_who_asks(client: FlaskClient, host: str) -> None:
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


@pytest.mark.parametrize("trouble", ["gone", "garbled"])
def test_it_is_well_only_while_the_file_of_the_matches_answers(
    client: FlaskClient, tmp_path: Path, trouble: str
) -> None:
    assert client.get("/salute").status_code == 200
    data, kept = tmp_path / "scorepad.db", tmp_path / "kept.db"
    if trouble == "gone":
        data.rename(kept)
    else:
        kept.write_bytes(data.read_bytes())
        data.write_bytes(b"x" * len(kept.read_bytes()))
    answer = client.get("/salute")
    assert (answer.status_code, answer.text) == (503, "no\n")
    assert str(tmp_path) not in str(answer.headers)
    data.write_bytes(kept.read_bytes())
    assert client.get("/salute").status_code == 200, "once it is back"
