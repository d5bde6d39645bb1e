"""The contract over HTTP: the same bodies and answers as on the command line, and exact statuses."""

from __future__ import annotations

import json
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from pydantic_core import to_json

from scorepad.api import OPERATIONS, PREFIX
from scorepad.app.server import listen
from scorepad.rules.variants import variant_ids
from scorepad.schemas import answer_types
from tests.api.conftest import Begun, Program, conforms
from tests.cli.running import shell

ROOT = Path(__file__).parents[2]
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


def test_the_answer_to_every_worked_hand_and_ruling_has_its_shape(program: Program) -> None:
    hands = [
        case["hand"]
        for file in sorted((ROOT / "tests/cases").glob("*/*.json"))
        for case in read(file)
    ]
    assert len(hands) > 100
    for hand in hands[::7]:
        answer = program.send("POST", "/score", hand)
        if answer.status_code == 200:
            conforms(answer_types.ScoreAnswer, answer.json)
        else:
            assert answer.status_code == 400
            assert set(answer.json) == {"error", "code"}
            assert answer.json["code"] == "unusable"


def read(file: Path) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
    return told


def test_the_variants_are_told_in_a_line_each_and_whole(program: Program) -> None:
    lines = program.ask("GET", "/variants")
    assert [line["id"] for line in lines] == list(variant_ids())
    for line in lines:
        conforms(answer_types.VariantLine, line)
        whole = program.ask("GET", f"/variants/{line['id']}")
        conforms(answer_types.VariantAnswer, whole)
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
    for path in ("/score", "/rulings"):
        if status == 200 and path == "/rulings":
            continue
        told = program.ask("POST", path, status=status, data=body, content_type="application/json")
        if code:
            assert told["code"] == code
            assert told["error"].endswith((".", "?"))


def test_a_body_of_too_many_values_is_refused_before_it_is_parsed(
    program: Program, begun: Begun
) -> None:
    asked = [(program, "POST", path) for path in ("/score", "/rulings", "/matches")]
    asked += [
        (begun.writer, "POST", f"{begun.path}/hands"),
        (begun.writer, "POST", f"{begun.path}/undo"),
    ]
    for who, method, path in asked:
        # Neither is JSON, which only who parses it can say.
        for commas, says in (
            (20_000, "Not JSON"),
            (20_001, "The request has too many values: at most 20,000."),
        ):
            told = who.ask(
                method, path, status=400, data=b"," * commas, content_type="application/json"
            )
            assert told["code"] == "unusable"
            assert told["error"].startswith(says), path


@pytest.mark.parametrize(
    "kind", [None, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_what_does_not_say_that_it_is_json_is_not_taken(program: Program, kind: str | None) -> None:
    for path in ("/score", "/rulings", "/matches"):
        told = program.ask(
            "POST",
            path,
            status=415,
            data=b'{"variant": "classica", "sides": {}}',
            content_type=kind,
        )
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
    told = Program(app, language=language).ask(
        "POST", "/score", {"variant": "x", "sides": {}}, 400, headers={"Accept-Language": asked}
    )
    assert {"it": "non esiste", "en": "there is no"}[language] in told["error"].replace(
        "non c'è", "non esiste"
    )


def test_a_language_cookie_of_the_pages_says_nothing_here(app: Flask) -> None:
    client = app.test_client()
    client.set_cookie("scorepad_language", "en")
    assert client.get("/api/v1/nothing").headers["Content-Language"] == "it"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/score", 405),
        ("DELETE", "/matches", 405),
        ("GET", "/variants/a/b", 404),
    ],
)
def test_what_cannot_be_asked_is_told_in_json_as_well(
    program: Program, method: str, path: str, status: int
) -> None:
    told = program.ask(method, path, status=status)
    assert set(told) == {"error", "code"}
    if status == 405:
        assert program.send(method, path).headers["Allow"]


def test_the_machine_answers_programs_under_its_own_names_only(program: Program) -> None:
    told = program.ask("GET", "/variants", status=400, headers={"Host": "evil.example"})
    assert told["code"] == "host"
    assert program.send("GET", "/nothing", headers={"Host": "evil.example"}).status_code in (
        400,
        404,
    )


def test_every_answer_carries_the_headers_that_keep_it_safe(program: Program) -> None:
    for path in ("/variants", "/nothing", "/matches", "/openapi.json"):
        headers = program.send("GET", path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "private, no-cache"
        assert "Access-Control-Allow-Origin" not in headers


def test_head_is_answered_as_get_without_a_body(program: Program) -> None:
    answer = program.send("HEAD", "/variants")
    assert (answer.status_code, answer.data) == (200, b"")


def test_the_document_tells_every_route_and_no_other(app: Flask, program: Program) -> None:
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("api.")]
    routes = {
        (
            rule.rule.removeprefix(PREFIX)
            .replace("<int:number>", "<number>")
            .replace("<", "{")
            .replace(">", "}"),
            method,
        )
        for rule in rules
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routes == {(operation.path, operation.method.upper()) for operation in OPERATIONS}
    document = program.ask("GET", "/openapi.json")
    assert document["openapi"] == "3.1.0"
    told = {
        (path, method.upper()) for path, methods in document["paths"].items() for method in methods
    }
    assert told == routes


def test_the_document_refers_to_nothing_that_it_does_not_hold(program: Program) -> None:
    document = program.ask("GET", "/openapi.json")
    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    text = json.dumps(document)
    named = {part.partition('"')[0] for part in text.split('"$ref": "')[1:]}
    assert named
    assert named <= known
    assert "api." not in json.dumps(document["paths"]).replace("openapi.", "")


def test_what_the_server_refuses_unread_is_told_programs_in_json(app: Flask) -> None:
    server = listen(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    told = {}
    for path in ("/api/v1/score", "/file"):
        with socket.create_connection(("127.0.0.1", server.effective_port), timeout=20) as line:
            head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {9 * 2**20}\r\n"
            line.sendall(
                f"{head}Content-Type: application/json\r\nConnection: close\r\n\r\n".encode()
            )
            told[path] = b"".join(iter(lambda: line.recv(65536), b""))
    server.stop()
    thread.join(timeout=20)
    assert told["/api/v1/score"].startswith(b"HTTP/1.1 413 ")
    assert json.loads(told["/api/v1/score"].partition(b"\r\n\r\n")[2])["code"] == "too-large"
    assert b"Content-Type: text/plain" in told["/file"]


def test_the_document_describes_every_field_of_every_kind_of_question(program: Program) -> None:
    schemas = program.ask("GET", "/openapi.json")["components"]["schemas"]
    kinds = [each["$ref"].rpartition("/")[2] for each in schemas["RulingQuestion"]["oneOf"]]
    assert len(kinds) == 9
    head = {"kind", "variant", "preset", "options"}
    for kind in kinds:
        fields = schemas[kind]["properties"]
        assert [
            name for name in fields if name not in head and not fields[name].get("description")
        ] == []
    assert "top card too" in schemas["PileQuestion"]["properties"]["with"]["description"]
