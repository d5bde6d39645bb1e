"""What a request brings, what is looked for, and files to take in: made to hurt, and sent to the
pad.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from io import BytesIO

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
from tests.bench.hostile import BODY, UPLOAD, Made, Shape, measure, over
from tests.exported import export_file
from tests.matches.conftest import TWO_AGAINST_TWO, Table, usual
from tests.matches.long_logs import SHAPES, long_file

HEAD, FILE = BODY - 4096, UPLOAD - 4096
"""Characters of a header, and of a file that is sent: no more is read of a head and a body, and the
rest takes some.
"""


@dataclass(frozen=True)
class Sent:
    """A part of a request, by its name in WSGI: the text that it holds, and what is asked with it."""

    name: str
    part: str
    made: Made
    path: str = "/"
    method: str = "GET"
    most: int = HEAD
    kind: str = "application/x-www-form-urlencoded"

    def ask(self, app: Flask, text: str) -> str:
        """The status of the answer."""
        about = EnvironBuilder(self.path, "http://localhost", method=self.method)
        environ = about.get_environ()
        if self.part == BODY_OF:
            octets = text.encode()
            environ |= {
                "wsgi.input": BytesIO(octets),
                "CONTENT_LENGTH": str(len(octets)),
                "CONTENT_TYPE": self.kind,
            }
        else:
            environ[self.part] = text
        parts, status, _ = run_wsgi_app(app, environ, buffered=True)
        return f"{status} {sum(map(len, parts))}"


BODY_OF = "wsgi.input"
FORM, NEW, TAKE, SEARCH = (
    "multipart/form-data; boundary=x",
    "/partite/nuova",
    "/file",
    "/regole/cerca",
)
FILE_HEAD = 'Content-Disposition: form-data; name="file"; filename="f"\r\n'
FIELD_HEAD = 'Content-Disposition: form-data; name="a"\r\n'
PARTS = [
    Sent("cookie: many", "HTTP_COOKIE", over("a=b; ")),
    Sent("cookie: ours over and over", "HTTP_COOKIE", over("scorepad_device=x; ")),
    Sent("cookie: signs in a quoted one", "HTTP_COOKIE", over("\\012", begin='scorepad_device="', end='"')),
    Sent("cookie: blanks", "HTTP_COOKIE", over(" ", begin="a", end="=")),
    Sent("cookie: a long session", "HTTP_COOKIE", over("ey.", begin="scorepad_session=")),
    Sent("language: many", "HTTP_ACCEPT_LANGUAGE", over("xx;q=0.1,"), "/api/v1/variants"),
    Sent("language: one of many parts", "HTTP_ACCEPT_LANGUAGE", over("a-"), "/api/v1/variants"),
    Sent("language: signs", "HTTP_ACCEPT_LANGUAGE", over(";,"), "/api/v1/variants"),
    Sent("encoding: many", "HTTP_ACCEPT_ENCODING", over("gzip;q=0.5,")),
    Sent("key: long", "HTTP_AUTHORIZATION", over("k", begin="Bearer "), "/api/v1/matches"),
    Sent("key: blanks", "HTTP_AUTHORIZATION", over(" ", begin="Bearer"), "/api/v1/matches"),
    Sent("key: of another scheme", "HTTP_AUTHORIZATION", over('a="b",', begin="Digest "), "/api/v1/matches"),
    Sent("host: dots", "HTTP_HOST", over("a.")),
    Sent("host: brackets", "HTTP_HOST", over("[")),
    Sent("host: a long port", "HTTP_HOST", over("9", begin="localhost:")),
    Sent("origin", "HTTP_ORIGIN", over("://a"), NEW, "POST"),
    Sent("referrer", "HTTP_REFERER", over("/a", begin="http://localhost"), NEW, "POST"),
    Sent("tags: many", "HTTP_IF_NONE_MATCH", over('"a",')),
    Sent("tags: without end", "HTTP_IF_NONE_MATCH", over('W/"a')),
    Sent("moment", "HTTP_IF_MODIFIED_SINCE", over("1 "), "/static/scorepad.css"),
    Sent("ranges: many", "HTTP_RANGE", over("0-1,", begin="bytes="), "/static/scorepad.css"),
    Sent("kind: parameters", "CONTENT_TYPE", over(";a=b", begin="text/html"), NEW, "POST"),
    Sent("kind: quotes", "CONTENT_TYPE", over('\\"', begin='text/html; a="'), NEW, "POST"),
    Sent("kind: parts of a parameter", "CONTENT_TYPE", over("a*1=b; ", begin="text/html; "), NEW, "POST"),
    Sent("ahead", "HTTP_SEC_PURPOSE", over("prefetc"), "/e/x"),
    Sent("path: slashes", "PATH_INFO", over("/")),
    Sent("path: up", "PATH_INFO", over("/..", begin="/static")),
    Sent("path: a long name", "PATH_INFO", over("a", begin="/partite/")),
    Sent("asked: names", "QUERY_STRING", over("a&")),
    Sent("asked: percents", "QUERY_STRING", over("%", begin="cerca=")),
    Sent("matches looked for: marks", "QUERY_STRING", over("%CC%81%CC%96", begin="cerca=a")),
    Sent("matches looked for: blanks", "QUERY_STRING", over("+", begin="cerca=a", end="b")),
    Sent("rules looked for: words", "QUERY_STRING", over("pinela+", begin="testo="), SEARCH),
    Sent("rules looked for: figures", "QUERY_STRING", over("1.", begin="testo="), SEARCH),
    Sent("rules looked for: marks", "QUERY_STRING", over("%CC%81%CC%96", begin="testo=a"), SEARCH),
    Sent("fields: many", BODY_OF, over("a=b&"), NEW, "POST", BODY),
    Sent("fields: a long one", BODY_OF, over("%CC%81%CC%96", begin="name-0=a"), NEW, "POST", BODY),
    Sent("parts: none begins", BODY_OF, over("\r\n"), TAKE, "POST", FILE, FORM),
    Sent("parts: nearly a border", BODY_OF, over("\r\n--y", begin=f"--x\r\n{FILE_HEAD}\r\n", end="\r\n--x--"), TAKE,
         "POST", FILE, FORM),
    Sent("parts: a head without end", BODY_OF, over(FIELD_HEAD, begin="--x\r\n"), TAKE, "POST", FILE, FORM),
    Sent("parts: many", BODY_OF, over(f"--x\r\n{FIELD_HEAD}\r\nb\r\n", end="--x--"), TAKE, "POST", FILE, FORM),
]  # fmt: skip


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """Nobody is refused for asking often."""
    folder = tmp_path_factory.mktemp("hostile")
    return create_app(Config(folder / "scorepad.db", b"k" * 32, limited=False))


@pytest.mark.bench
@pytest.mark.parametrize("sent", PARTS, ids=lambda sent: sent.name)
def test_hostile_requests_are_answered_in_time_that_grows_with_their_length(
    bench: Bench, app: Flask, sent: Sent
) -> None:
    measure(bench, Shape(sent.name, lambda text: sent.ask(app, text), sent.made, sent.most))


@pytest.fixture(scope="module")
def exported(app: Flask) -> bytes:
    """A match with one hand."""
    pad, device = app.extensions["scorepad"].pad, DeviceId("d" * 32)
    table = Table(pad, pad.actions.start(RequestId("start"), device, TWO_AGAINST_TWO).match, device)
    table.play(usual())
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
