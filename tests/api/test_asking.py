"""The contract over HTTP: the same bodies and answers as on the command line, and exact statuses."""

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
from tests.api.conftest import BegunMatch, Program, assert_conforms
from tests.cli.running import shell
from tests.data import read_data
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
    printed = shell(f"scorepad {command} asked.json --lang {language}", tmp_path).stdout

    answer = Program(app, language=language).ask("POST", path, body)

    assert answer == json.loads(printed)
    assert list(answer) == list(json.loads(printed)), "in the same order"


def test_the_answer_to_a_worked_hand_has_its_shape(program: Program) -> None:
    for file in sorted(WORKED_HANDS.glob("*/*.json")):
        every_seventh_case = read_data(file)[::7]
        for case in every_seventh_case:
            answer = program.send("POST", "/score", case["hand"])
            if answer.status_code == 200:
                assert_conforms(answer_types.ScoreAnswer, answer.json)
            else:
                assert answer.status_code == 400
                assert answer.json.keys() == {"error", "code"}
                assert answer.json["code"] == "unusable"


def test_the_variants_are_listed_in_a_line_each(program: Program) -> None:
    lines = program.ask("GET", "/variants")
    assert [line["id"] for line in lines] == list(variant_ids())
    for line in lines:
        assert_conforms(answer_types.VariantLine, line)


@pytest.mark.parametrize("variant", variant_ids())
def test_a_variant_is_reported_whole(program: Program, variant: str) -> None:
    answer = program.ask("GET", f"/variants/{variant}")
    assert_conforms(answer_types.VariantAnswer, answer)
    assert answer["id"] == variant


def test_an_unknown_variant_is_not_found(program: Program) -> None:
    assert program.ask("GET", "/variants/scopa", status=404)["code"] == "not-found"


SMALLEST_HAND = b'{"variant": "classica", "sides": {}}'


LARGEST_BODY = 256 * 1024


@pytest.mark.parametrize("body", [SMALLEST_HAND, SMALLEST_HAND.ljust(LARGEST_BODY)])
def test_a_hand_within_the_limit_is_answered(program: Program, body: bytes) -> None:
    program.ask("POST", "/score", data=body, content_type="application/json")


@pytest.mark.parametrize("path", ["/score", "/rulings"])
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "unusable"),
        (b"{", 400, "unusable"),
        (b"[]", 400, "unusable"),
        (b"\xff", 400, "unusable"),
        (b"[" * 100_000, 400, "unusable"),
        (b'{"variant": "scopa", "sides": {}}', 400, "unusable"),
        (b'{"variant": "classica", "sides": {}, "x": 1}', 400, "unusable"),
        (SMALLEST_HAND.ljust(LARGEST_BODY + 1), 413, "too-large"),
    ],
)
def test_a_body_that_cannot_be_used_is_refused_with_this_status(
    program: Program, path: str, body: bytes, status: int, code: str
) -> None:
    answer = program.ask("POST", path, status=status, data=body, content_type="application/json")
    assert answer["code"] == code


@pytest.mark.parametrize(
    ("commas", "error"),
    [
        # Neither is JSON, which only who parses it can say.
        (20_000, "Not JSON"),
        (20_001, "The request has too many values: at most 20,000."),
    ],
)
def test_a_body_of_too_many_values_is_refused_before_it_is_parsed(
    begun_match: BegunMatch, commas: int, error: str
) -> None:
    body = b"," * commas
    for path in (
        "/score",
        "/rulings",
        "/matches",
        f"{begun_match.path}/hands",
        f"{begun_match.path}/undo",
    ):
        answer = begun_match.writer.ask(
            "POST", path, status=400, data=body, content_type="application/json"
        )
        assert answer["code"] == "unusable"
        assert answer["error"].startswith(error), path


@pytest.mark.parametrize("path", ["/score", "/rulings", "/matches"])
@pytest.mark.parametrize(
    "content_type",
    [None, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"],
)
def test_what_does_not_say_that_it_is_json_is_not_taken(
    program: Program, path: str, content_type: str | None
) -> None:
    answer = program.ask("POST", path, status=415, data=SMALLEST_HAND, content_type=content_type)
    assert answer["code"] == "not-json"


@pytest.mark.parametrize(
    ("accepted", "language", "error"),
    [
        ("en", "en", "There is nothing here."),
        ("it-IT,it;q=0.9,en;q=0.8", "it", "Qui non c'è niente."),
        ("fr,en;q=0.5", "en", "There is nothing here."),
        ("fr", "it", "Qui non c'è niente."),
        ("", "it", "Qui non c'è niente."),
        ("*", "it", "Qui non c'è niente."),
    ],
)
def test_the_language_is_the_one_asked_for(
    app: Flask, accepted: str, language: str, error: str
) -> None:
    headers = {"Accept-Language": accepted}
    answer = app.test_client().get("/api/v1/variants/x", headers=headers)
    assert answer.headers["Content-Language"] == language
    assert answer.json["error"] == error


def test_a_language_cookie_of_the_pages_says_nothing_here(app: Flask) -> None:
    client = app.test_client()
    client.set_cookie("scorepad_language", "en")
    assert client.get("/api/v1/nothing").headers["Content-Language"] == "it"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/variants/a/b", 404),
        ("GET", "/score", 405),
        ("DELETE", "/matches", 405),
    ],
)
def test_what_cannot_be_asked_is_reported_in_json_as_well(
    program: Program, method: str, path: str, status: int
) -> None:
    answer = program.ask(method, path, status=status)
    assert answer.keys() == {"error", "code"}


def test_a_wrong_method_is_reported_with_those_that_are_allowed(program: Program) -> None:
    assert program.send("GET", "/score").headers["Allow"]


def test_a_request_for_another_host_is_refused_in_json(program: Program) -> None:
    answer = program.ask("GET", "/variants", status=400, headers={"Host": "evil.example"})
    assert answer.keys() == {"error", "code"}
    assert answer["code"] == "host"


def list_routes(app: Flask) -> set[tuple[str, str]]:
    """Path and method of everything that can be asked."""
    routes = set()
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("api."):
            path = re.sub("<(?:int:)?([^>]+)>", r"{\1}", rule.rule.removeprefix(PREFIX))
            routes |= {(path, method) for method in rule.methods - {"HEAD", "OPTIONS"}}
    return routes


def test_the_document_tells_every_route_and_no_other(app: Flask, program: Program) -> None:
    document = program.ask("GET", "/openapi.json")
    assert document["openapi"] == "3.1.0"
    documented = set()
    for path, methods in document["paths"].items():
        documented |= {(path, method.upper()) for method in methods}
    assert documented == list_routes(app)
    assert documented == {(operation.path, operation.method.upper()) for operation in OPERATIONS}


def test_the_document_refers_to_nothing_that_it_does_not_hold(program: Program) -> None:
    document = program.ask("GET", "/openapi.json")
    references = re.findall(r'"\$ref": "#/components/schemas/([^"]+)"', json.dumps(document))
    assert references
    assert json.dumps(document).count('"$ref"') == len(references)
    for name in references:
        assert name in document["components"]["schemas"]
    # No key of a text stands there without its words; an operation is called "openapi.…".
    assert "api." not in json.dumps(document["paths"]).replace("openapi.", "")


@pytest.mark.parametrize(
    ("path", "content_type"), [("/api/v1/score", "application/json"), ("/file", "text/plain")]
)
def test_what_the_server_refuses_unread_is_reported_to_programs_in_json(
    app: Flask, path: str, content_type: str
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
        body = answer.read()
    server.stop()
    thread.join(timeout=20)

    assert answer.status == 413
    assert answer.headers.get_content_type() == content_type
    if content_type == "application/json":
        assert json.loads(body)["code"] == "too-large"


@pytest.mark.parametrize(
    ("language", "title"), [("it", "Per chi programma"), ("en", "For programs")]
)
def test_the_page_shows_everything_that_can_be_asked(app: Flask, language: str, title: str) -> None:
    document = Program(app, language=language).ask("GET", "/openapi.json")

    page = Client(app, language).get("/api/")

    assert page.one("h1").text == title
    summaries = [summary.text for summary in page.all("summary")]
    for operation in OPERATIONS:
        summary = document["paths"][operation.path][operation.method]["summary"]
        assert f"{operation.method.upper()} /api/v1{operation.path} {summary}" in summaries
    types = [heading["id"].removeprefix("type-") for heading in page.all("h3")]
    assert types == list(document["components"]["schemas"])
    for word in page.text.split():
        assert not word.startswith(("api.", "files.")), "the key of a text without its words"


def test_a_type_tells_its_keys_and_what_they_take(app: Flask) -> None:
    text = Client(app, "en").get("/api/").text
    assert "kind required : “red-threes”" in text
    assert "count required : integer 0…9999999" in text


def test_the_page_is_found_from_where_files_are(app: Flask) -> None:
    client = Client(app)
    links_of_home = client.get("/").links()
    links_of_files = client.get(links_of_home["Salva o carica partite"]).links()
    assert links_of_files["Per chi programma: le stesse risposte in JSON"] == "/api/"
    assert client.get("/api/").links()["openapi.json"] == "/api/v1/openapi.json"
