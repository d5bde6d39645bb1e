"""What a request brings, what is looked for, and files to take in: made to hurt, and sent to the
pad.
"""

import json
from functools import cache
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder, run_wsgi_app

from scorepad.app import Config, create_app
from scorepad.i18n import words
from scorepad.matches.access import DeviceId, RequestId
from scorepad.matches.file_reader import read_export
from scorepad.matches.projection import MatchState
from scorepad.sheets.spreadsheet import yield_csv
from tests.bench.conftest import Bench
from tests.bench.hostile import BODY, HOSTILE, UPLOAD, Shape, made_in, measure
from tests.exported import export_file
from tests.matches.conftest import TWO_AGAINST_TWO, Table, hand_of_430_and_60
from tests.matches.long_logs import SHAPES, long_file
from tests.soak.costs.shapes import Made

HEAD, FILE = BODY - 4096, UPLOAD - 4096
"""Characters of a header, and of a file that is sent: no more is read of a head and a body, and the
rest takes some.
"""
BODY_OF = "wsgi.input"
FORM = "application/x-www-form-urlencoded"


def most_of(row: dict[str, Any]) -> int:
    """The most characters that are read of what a row of `hostile.toml` makes."""
    if row["part"] != BODY_OF:
        return HEAD
    return FILE if row.get("is_file") else BODY


def status_of_answer(app: Flask, row: dict[str, Any], text: str) -> str:
    """Send a request with this text as one part of it, called as WSGI does."""
    about = EnvironBuilder(
        row.get("path", "/"), "http://localhost", method=row.get("method", "GET")
    )
    environ = about.get_environ()
    if row["part"] == BODY_OF:
        octets = text.encode()
        environ |= {
            "wsgi.input": BytesIO(octets),
            "CONTENT_LENGTH": str(len(octets)),
            "CONTENT_TYPE": row.get("kind", FORM),
        }
    else:
        environ[row["part"]] = text
    parts, status, _ = run_wsgi_app(app, environ, buffered=True)
    return f"{status} {sum(map(len, parts))}"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """Nobody is refused for asking often."""
    folder = tmp_path_factory.mktemp("hostile")
    return create_app(Config(folder / "scorepad.db", b"k" * 32, limited=False))


@pytest.mark.bench
@pytest.mark.parametrize("row", HOSTILE["requests"], ids=lambda row: row["name"])
def test_hostile_requests_are_answered_in_time_that_grows_with_their_length(
    bench: Bench, app: Flask, row: dict[str, Any]
) -> None:
    asked = Shape(
        row["name"], lambda text: status_of_answer(app, row, text), made_in(row), most_of(row)
    )
    measure(bench, asked)


@pytest.fixture(scope="module")
def exported(app: Flask) -> bytes:
    """A match with one hand."""
    pad, device = app.extensions["scorepad"].pad, DeviceId("d" * 32)
    table = Table(pad, pad.actions.start(RequestId("start"), device, TWO_AGAINST_TWO).match, device)
    table.play(hand_of_430_and_60())
    told: bytes = export_file(pad, table.match, device)
    return told


def filled(exported: bytes, shape: str) -> Made:
    """Files of about so many octets."""
    few, more = (len(long_file(exported, shape, entries)) for entries in (30, 60))
    return lambda size: long_file(exported, shape, max(6, size * 30 // (more - few))).decode()


@pytest.mark.bench
@pytest.mark.parametrize("shape", SHAPES)
def test_long_matches_are_taken_in_in_time_that_grows_with_their_length(
    bench: Bench, exported: bytes, shape: str
) -> None:
    made = filled(exported, shape)
    measure(
        bench,
        Shape(
            f"file: {shape}",
            lambda text: list(read_export(text.encode())),
            made,
            UPLOAD,
            json.loads,
        ),
    )


@pytest.mark.bench
def test_a_long_match_is_a_spreadsheet_in_time_that_grows_with_its_length(
    bench: Bench, exported: bytes
) -> None:
    @cache
    def state(text: str) -> MatchState:
        return next(read_export(text.encode())).state

    csv = Shape(
        "spreadsheet: hands",
        lambda text: b"".join(yield_csv([state(text)], words("it"), {})),
        filled(exported, "hands"),
        UPLOAD,
    )
    measure(bench, csv)
