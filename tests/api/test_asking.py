"""The contract over HTTP: the same bodies and answers as on the command line, and exact statuses."""

from __future__ import annotations

import json
import re
import threading
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from pydantic_core import to_json

from scorepad.api import OPERATIONS, PREFIX
from scorepad.app.server import listen
from scorepad.rules.variants import variant_ids
from scorepad.schemas import answer_types
from tests.api.conftest import Begun, Program, assert_conforms
from tests.cli.running import shell
from tests.web.client import Client

WORKED_HANDS = Path(__file__).parents[1] / "cases"
HAND = {
    "variant": "classica",
    "sides": {"loro": {"left": 85}, "noi": {"melds": ["3xA", "3xK 3x2 JK"]}},
}
QUESTION = {"kind": "pile", "variant": "classica", "top": "8", "frozen": True, "with": ["2x8 2"]}


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize(
    ("path", "command", "body"), [("/score", "score", HAND), ("/rulings", "rule", QUESTION)]
)
def test_the_answer_is_that_of_the_command_line(
    app: Flask, tmp_path: Path, path: str, command: str, body: dict[str, Any], language: str
) -> None:
    (tmp_path / "asked.json").write_bytes(to_json(body))
    told = json.loads(shell(f"scorepad {command} asked.json --lang {language}", tmp_path).stdout)
    answer = Program(app, language=language).ask("POST", path, body)
    assert answer == told
    assert list(answer) == list(told), "in the same order"


def test_the_answer_to_a_worked_hand_has_its_shape(program: Program) -> None:
    for file in sorted(WORKED_HANDS.glob("*/*.json")):
        for case in json.loads(file.read_text("utf-8"))[::7]:
            answer = program.send("POST", "/score", case["hand"])
            if answer.status_code == 200:
                assert_conforms(answer_types.ScoreAnswer, answer.json)
            else:
                assert answer.status_code == 400
                assert answer.json.keys() == {"error", "code"}
                assert answer.json["code"] == "unusable"


def test_the_variants_are_told_in_a_line_each_and_whole(program: Program) -> None:
    lines = program.ask("GET", "/variants")
    assert [line["id"] for line in lines] == list(variant_ids())
    for line in lines:
        assert_conforms(answer_types.VariantLine, line)
        whole = program.ask("GET", f"/variants/{line['id']}")
        assert_conforms(answer_types.VariantAnswer, whole)
    assert whole["name"] == "Hand and foot"
    assert program.ask("GET", "/variants/scopa", status=404)["code"] == "not-found"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b'{"variant": "classica", "sides": {}}', 200, ""),
        (b"", 400, "unusable"),
        (b"{", 400, "unusable"),
        (b"[]", 400, "unusable"),
        (b"\xff", 400, "unusable"),
        (b"[" * 100_000, 400, "unusable"),
        (b'{"variant": "scopa", "sides": {}}', 400, "unusable"),
        (b'{"variant": "classica", "sides": {}, "x": 1}', 400, "unusable"),
        (b'{"variant": "classica", "sides": {}}' + b" " * (256 * 1024 - 36), 200, ""),
        (b'{"variant": "classica", "sides": {}}' + b" " * (256 * 1024 - 35), 413, "too-large"),
    ],
)
def test_a_body_is_answered_with_exactly_this_status(
    program: Program, body: bytes, status: int, code: str
) -> None:
    for path in ("/score", "/rulings") if code else ("/score",):
        told = program.ask("POST", path, status=status, data=body, content_type="application/json")
        assert told.get("code", "") == code


@pytest.mark.parametrize(
    ("commas", "says"),
    [
        # Neither is JSON, which only who parses it can say.
        (20_000, "Not JSON"),
        (20_001, "The request has too many values: at most 20,000."),
    ],
)
def test_a_body_of_too_many_values_is_refused_before_it_is_parsed(
    begun: Begun, commas: int, says: str
) -> None:
    for path in ("/score", "/rulings", "/matches", f"{begun.path}/hands", f"{begun.path}/undo"):
        sent = {"data": b"," * commas, "content_type": "application/json"}
        told = begun.writer.ask("POST", path, status=400, **sent)
        assert told["code"] == "unusable"
        assert told["error"].startswith(says), path


@pytest.mark.parametrize(
    "kind", [None, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_what_does_not_say_that_it_is_json_is_not_taken(program: Program, kind: str | None) -> None:
    hand = b'{"variant": "classica", "sides": {}}'
    for path in ("/score", "/rulings", "/matches"):
        told = program.ask("POST", path, status=415, data=hand, content_type=kind)
        assert told["code"] == "not-json"


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("en", "en"),
        ("it-IT,it;q=0.9,en;q=0.8", "it"),
        ("fr,en;q=0.5", "en"),
        ("fr", "it"),
        ("", "it"),
        ("*", "it"),
    ],
)
def test_the_language_is_the_one_asked_for(app: Flask, asked: str, language: str) -> None:
    hand = {"variant": "x", "sides": {}}
    headers = {"Accept-Language": asked}
    told = Program(app, language=language).ask("POST", "/score", hand, 400, headers=headers)
    assert ("there is no" in told["error"]) is (language == "en")


def test_a_language_cookie_of_the_pages_says_nothing_here(app: Flask) -> None:
    client = app.test_client()
    client.set_cookie("scorepad_language", "en")
    assert client.get("/api/v1/nothing").headers["Content-Language"] == "it"


@pytest.mark.parametrize(
    ("method", "path", "host", "status"),
    [
        ("GET", "/nothing", "localhost", 404),
        ("GET", "/variants/a/b", "localhost", 404),
        ("GET", "/score", "localhost", 405),
        ("DELETE", "/matches", "localhost", 405),
        ("GET", "/variants", "evil.example", 400),
    ],
)
def test_what_cannot_be_asked_is_told_in_json_as_well(
    program: Program, method: str, path: str, host: str, status: int
) -> None:
    told = program.ask(method, path, status=status, headers={"Host": host})
    assert told.keys() == {"error", "code"}
    if status == 400:
        assert told["code"] == "host"
    if status == 405:
        assert program.send(method, path).headers["Allow"]


def test_the_document_tells_every_route_and_no_other(app: Flask, program: Program) -> None:
    document = program.ask("GET", "/openapi.json")
    assert document["openapi"] == "3.1.0"
    told = set()
    for path, methods in document["paths"].items():
        told |= {(path, method.upper()) for method in methods}
    routes = set()
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("api."):
            path = re.sub("<(?:int:)?([^>]+)>", r"{\1}", rule.rule.removeprefix(PREFIX))
            routes |= {(path, method) for method in rule.methods - {"HEAD", "OPTIONS"}}
    assert told == routes
    assert routes == {(operation.path, operation.method.upper()) for operation in OPERATIONS}


def test_the_document_refers_to_nothing_that_it_does_not_hold(program: Program) -> None:
    document = program.ask("GET", "/openapi.json")
    named = set(re.findall(r'"\$ref": "([^"]+)"', json.dumps(document)))
    assert named
    assert named <= {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert "api." not in json.dumps(document["paths"]).replace("openapi.", "")


@pytest.mark.parametrize(
    ("path", "kind"), [("/api/v1/score", "application/json"), ("/file", "text/plain")]
)
def test_what_the_server_refuses_unread_is_told_programs_in_json(
    app: Flask, path: str, kind: str
) -> None:
    server = listen(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    with closing(HTTPConnection("127.0.0.1", server.effective_port, timeout=20)) as connection:
        connection.putrequest("POST", path)
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(9 * 2**20))
        connection.endheaders()
        answer = connection.getresponse()
        told = answer.read()
    server.stop()
    thread.join(timeout=20)
    assert answer.status == 413
    assert answer.headers.get_content_type() == kind
    if kind == "application/json":
        assert json.loads(told)["code"] == "too-large"


# ------------------------------------------------------------------------ the page for programmers


@pytest.mark.parametrize(
    ("language", "title"), [("it", "Per chi programma"), ("en", "For programs")]
)
def test_the_page_shows_everything_that_can_be_asked(app: Flask, language: str, title: str) -> None:
    page = Client(app, language).get("/api/")
    assert page.one("h1").text == title
    document = Program(app, language=language).ask("GET", "/openapi.json")
    summaries = [each.text for each in page.all("summary")]
    for operation in OPERATIONS:
        told = document["paths"][operation.path][operation.method]["summary"]
        assert f"{operation.method.upper()} /api/v1{operation.path} {told}" in summaries
    shown = [each["id"].removeprefix("type-") for each in page.all("h3")]
    assert shown == list(document["components"]["schemas"])
    assert not [word for word in page.text.split() if word.startswith(("api.", "files."))]


def test_a_type_tells_its_keys_and_what_they_take(app: Flask) -> None:
    text = Client(app, "en").get("/api/").text
    assert "kind required : “red-threes”" in text
    assert "count required : integer 0…9999999" in text


def test_the_page_is_found_from_where_files_are(app: Flask) -> None:
    client = Client(app)
    there = client.get(client.get("/").links()["Salva o carica partite"])
    assert there.links()["Per chi programma: le stesse risposte in JSON"] == "/api/"
    assert client.get("/api/").links()["openapi.json"] == "/api/v1/openapi.json"
