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
from tests.bench.hostile import HOSTILE, UPLOAD, Shape, made_in, measure
from tests.exported import export_file
from tests.matches.conftest import TWO_AGAINST_TWO, Table, hand_of_430_and_60
from tests.matches.long_logs import SHAPES, long_file
from tests.soak.costs.shapes import Made

FORM = "application/x-www-form-urlencoded"


def get_most_characters(row: dict[str, Any]) -> int:
    """Return how many characters the hostile text of a request may have at most."""
    # A file of 8 MiB is read. 4096 of them are left for the form around the text.
    if row.get("is_file"):
        return 8 * 2**20 - 4096

    # Of any other body 256 KiB are read.
    if row["part"] == "wsgi.input":
        return 256 * 1024

    # So much is read of all headers together. 4096 are left for the others.
    return 256 * 1024 - 4096


def send_request(app: Flask, row: dict[str, Any], text: str) -> str:
    """Send a request with this text as one part of it. Return the status and the length of the
    answer.
    """
    path = row.get("path", "/")
    method = row.get("method", "GET")
    environ = EnvironBuilder(path, "http://localhost", method=method).get_environ()

    # The part is named as in WSGI: "wsgi.input" is the body, "HTTP_COOKIE" is a header, and
    # "QUERY_STRING" what follows the "?" of the address.
    part = row["part"]
    if part == "wsgi.input":
        body = text.encode()
        environ["wsgi.input"] = BytesIO(body)
        environ["CONTENT_LENGTH"] = str(len(body))
        environ["CONTENT_TYPE"] = row.get("kind", FORM)
    else:
        environ[part] = text

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
    # A row describes a text that is made to be slow to read, such as ";;;…", and the part of a
    # request that it becomes: the address, a header, the body or a file in it.
    shape = Shape(
        name=row["name"],
        # What is measured: the application answers a request with the text.
        ours=lambda text: send_request(app, row, text),
        # A function that makes the text with so many characters, and how many it has at most.
        made=made_in(row),
        most=get_most_characters(row),
    )

    # A long text is sent, and a quarter of it. Both must be answered. The times are reported, not
    # asserted: the long one takes about four times as long if the application is linear.
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
    """Return a function that makes export files of a given size.

    Such a file has the match of `exported` with a longer log, of entries of one kind. It takes
    about as many bytes as the function is called with.
    """
    # What is not of the entries falls out of the difference.
    length_of_30_entries = len(long_file(exported, shape, 60)) - len(long_file(exported, shape, 30))

    def make(size: int) -> str:
        # Six entries at least, so that even a short file has some of the kind.
        entries = max(6, size * 30 // length_of_30_entries)
        return long_file(exported, shape, entries).decode()

    return make


@pytest.mark.bench
@pytest.mark.parametrize("shape", SHAPES)
def test_long_matches_are_imported_in_linear_time(
    bench: Bench, exported: bytes, shape: str
) -> None:
    import_of_files = Shape(
        name=f"file: {shape}",
        # What is measured is the import of a file, beside only decoding its JSON.
        ours=lambda text: list(read_export(text.encode())),
        floor=json.loads,
        # A file has a match with many entries of one kind, such as hands, and up to 8 MiB.
        made=make_long_files(exported, shape),
        most=UPLOAD,
    )

    # A long file is read, and one of a quarter of its size, and the times are reported.
    measure(bench, import_of_files)


@pytest.mark.bench
def test_long_match_is_exported_as_csv_in_linear_time(bench: Bench, exported: bytes) -> None:
    # The file has to be read before its match can be exported. That is not measured: each file is
    # read when it first comes, and then remembered.
    @cache
    def read_match(text: str) -> MatchState:
        (match,) = read_export(text.encode())
        return match.state

    def export_match(text: str) -> bytes:
        return b"".join(yield_csv([read_match(text)], words("it"), {}))

    # A file has a match with many hands, and up to 8 MiB. That of a long file and that of one of a
    # quarter of its size are exported, and the times are reported.
    make_file = make_long_files(exported, "hands")
    measure(bench, Shape("spreadsheet: hands", export_match, make_file, UPLOAD))
