"""Requests, searches and files to import that are made to be slow to read, sent to the pad."""

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

BODY_OF_WSGI = "wsgi.input"
FORM = "application/x-www-form-urlencoded"


def get_most_characters(row: dict[str, Any]) -> int:
    """Return the most characters that are read of the text that a row of `hostile.toml` makes.

    Of a head and of a file, 4096 are left for the other headers, and for the form around the file.
    """
    if row["part"] != BODY_OF_WSGI:
        return BODY - 4096
    if row.get("is_file"):
        return UPLOAD - 4096
    return BODY


def send_request(app: Flask, row: dict[str, Any], text: str) -> str:
    """Send a request with this text as one part of it, called as WSGI does. Return the status and
    the length of the answer.
    """
    path = row.get("path", "/")
    method = row.get("method", "GET")
    environ = EnvironBuilder(path, "http://localhost", method=method).get_environ()
    if row["part"] == BODY_OF_WSGI:
        body = text.encode()
        environ["wsgi.input"] = BytesIO(body)
        environ["CONTENT_LENGTH"] = str(len(body))
        environ["CONTENT_TYPE"] = row.get("kind", FORM)
    else:
        environ[row["part"]] = text
    parts, status, _ = run_wsgi_app(app, environ, buffered=True)
    answer = b"".join(parts)
    return f"{status} {len(answer)}"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """Make an application that refuses nobody for asking often."""
    folder = tmp_path_factory.mktemp("hostile")
    return create_app(Config(folder / "scorepad.db", b"k" * 32, limited=False))


@pytest.mark.bench
@pytest.mark.parametrize("row", HOSTILE["requests"], ids=lambda row: row["name"])
def test_hostile_requests_are_answered_in_linear_time(
    bench: Bench, app: Flask, row: dict[str, Any]
) -> None:
    # The text becomes one part of a request: its address, a header, its body or a file.
    shape = Shape(
        name=row["name"],
        ours=lambda text: send_request(app, row, text),
        made=made_in(row),
        most=get_most_characters(row),
    )

    # Told is how long the request takes, and how much longer four times the text takes.
    measure(bench, shape)


@pytest.fixture(scope="module")
def exported(app: Flask) -> bytes:
    """Play a match of one hand, and return its exported file."""
    pad = app.extensions["scorepad"].pad
    device = DeviceId("d" * 32)
    started = pad.actions.start(RequestId("start"), device, TWO_AGAINST_TWO)
    table = Table(pad, started.match, device)
    table.play(hand_of_430_and_60())
    return export_file(pad, table.match, device)


def make_long_files(exported: bytes, shape: str) -> Made:
    """Return a function that makes files of about so many bytes, of entries of this shape."""
    length_of_30_entries = len(long_file(exported, shape, 60)) - len(long_file(exported, shape, 30))

    def make(size: int) -> str:
        entries = max(6, size * 30 // length_of_30_entries)
        return long_file(exported, shape, entries).decode()

    return make


@pytest.mark.bench
@pytest.mark.parametrize("shape", SHAPES)
def test_long_matches_are_imported_in_linear_time(
    bench: Bench, exported: bytes, shape: str
) -> None:
    # A file has as many entries of one kind, such as hands, as fit into the largest file. Its
    # import is compared with decoding its JSON.
    import_of_files = Shape(
        name=f"file: {shape}",
        ours=lambda text: list(read_export(text.encode())),
        made=make_long_files(exported, shape),
        most=UPLOAD,
        floor=json.loads,
    )
    measure(bench, import_of_files)


@pytest.mark.bench
def test_long_match_is_exported_as_csv_in_linear_time(bench: Bench, exported: bytes) -> None:
    # Reading the match is not measured: it is remembered from the first time.
    @cache
    def read_match(text: str) -> MatchState:
        (match,) = read_export(text.encode())
        return match.state

    csv = Shape(
        name="spreadsheet: hands",
        ours=lambda text: b"".join(yield_csv([read_match(text)], words("it"), {})),
        made=make_long_files(exported, "hands"),
        most=UPLOAD,
    )
    measure(bench, csv)
