"""The contract over HTTP: the same bodies and answers as on the command line, and exact statuses."""

import json
import re
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from pydantic_core import to_json

from scorepad.api import OPERATIONS, PREFIX
from scorepad.rules.variants import variant_ids
from scorepad.schemas import answer_types
from tests.api.conftest import BegunMatch, Program, assert_conforms
from tests.cli.running import serving_here, shell
from tests.data import read_data
from tests.web.client import Client

WORKED_HANDS = Path(__file__).parents[1] / "cases"
# The hand has a meld with too many wild cards: three kings, three twos and a joker.
HAND_WITH_PROBLEM = {
    "variant": "classica",
    "sides": {"loro": {"left": 85}, "noi": {"melds": ["3xA", "3xK 3x2 JK"]}},
}
# May a player take the frozen pile, whose top card is an eight, with two eights and a two?
QUESTION_ABOUT_PILE = {
    "kind": "pile",
    "variant": "classica",
    "top": "8",
    "frozen": True,
    "with": ["2x8 2"],
}


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize(
    ("path", "command", "body"),
    [("/score", "score", HAND_WITH_PROBLEM), ("/rulings", "rule", QUESTION_ABOUT_PILE)],
    ids=["hand", "question"],
)
def test_answer_equals_that_of_the_command_line(
    app: Flask, tmp_path: Path, path: str, command: str, body: dict[str, Any], language: str
) -> None:
    # The hand or the question is given to the command line, which reads it from a file.
    (tmp_path / "request.json").write_bytes(to_json(body))
    done = shell(f"scorepad {command} request.json --lang {language}", tmp_path)
    answer_of_command = json.loads(done.stdout)

    # The same is sent to the server.
    answer = Program(app, language=language).ask("POST", path, body)

    assert answer == answer_of_command
    assert list(answer) == list(answer_of_command), "keys in the same order"


def test_answers_to_worked_hands_conform_to_the_schema(program: Program) -> None:
    for file in sorted(WORKED_HANDS.glob("*/*.json")):
        # There are hundreds of these hands: every seventh is enough.
        every_seventh_case = read_data(file)[::7]
        for case in every_seventh_case:
            answer = program.send("POST", "/score", case["hand"])

            # Some hands are such that they cannot be scored, and are refused.
            if answer.status_code == HTTPStatus.OK:
                assert_conforms(answer_types.ScoreAnswer, answer.json)
            else:
                assert answer.status_code == HTTPStatus.BAD_REQUEST
                assert answer.json.keys() == {"error", "code"}
                assert answer.json["code"] == "unusable"


def test_list_of_variants_has_each_in_the_documented_form(program: Program) -> None:
    variants = program.ask("GET", "/variants")
    assert [variant["id"] for variant in variants] == list(variant_ids())
    for variant in variants:
        assert_conforms(answer_types.VariantLine, variant)


@pytest.mark.parametrize("variant", variant_ids())
def test_variant_conforms_to_the_schema(program: Program, variant: str) -> None:
    answer = program.ask("GET", f"/variants/{variant}")
    assert_conforms(answer_types.VariantAnswer, answer)
    assert answer["id"] == variant


def test_unknown_variant_is_not_found(program: Program) -> None:
    # Scopa is another card game.
    answer = program.ask("GET", "/variants/scopa", status=HTTPStatus.NOT_FOUND)
    assert answer["code"] == "not-found"


SMALLEST_HAND = b'{"variant": "classica", "sides": {}}'
LARGEST_BODY = 256 * 1024
"""The bytes that a request may have at most."""


@pytest.mark.parametrize("body", [SMALLEST_HAND, SMALLEST_HAND.ljust(LARGEST_BODY)])
def test_body_within_the_size_limit_is_answered(program: Program, body: bytes) -> None:
    # The larger body is the same hand, with spaces after it up to the limit. `ask` asserts that the
    # status is 200.
    program.ask("POST", "/score", data=body, content_type="application/json")


@pytest.mark.parametrize("path", ["/score", "/rulings"])
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", HTTPStatus.BAD_REQUEST, "unusable"),
        (b"{", HTTPStatus.BAD_REQUEST, "unusable"),
        (b"[]", HTTPStatus.BAD_REQUEST, "unusable"),
        (b"\xff", HTTPStatus.BAD_REQUEST, "unusable"),
        (b"[" * 100_000, HTTPStatus.BAD_REQUEST, "unusable"),
        # Scopa is another card game.
        (b'{"variant": "scopa", "sides": {}}', HTTPStatus.BAD_REQUEST, "unusable"),
        # There is no key "x".
        (b'{"variant": "classica", "sides": {}, "x": 1}', HTTPStatus.BAD_REQUEST, "unusable"),
        # The hand is followed by spaces, up to one byte more than there may be.
        (SMALLEST_HAND.ljust(LARGEST_BODY + 1), HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large"),
    ],
)
def test_unusable_body_is_refused(
    program: Program, path: str, body: bytes, status: int, code: str
) -> None:
    answer = program.ask("POST", path, status=status, data=body, content_type="application/json")
    assert answer["code"] == code


@pytest.mark.parametrize(
    ("commas", "error"),
    [
        # So many are let through to the parser of JSON, which refuses them.
        (20_000, "Not JSON"),
        # With one more the request is not parsed.
        (20_001, "The request has too many values: at most 20,000."),
    ],
)
def test_body_with_too_many_values_is_refused_before_parsing(
    begun_match: BegunMatch, commas: int, error: str
) -> None:
    # Parsing a body with very many values takes long. Before that the server counts its commas: each
    # announces one more value.
    body = b"," * commas
    paths_of_match = [f"{begun_match.path}/hands", f"{begun_match.path}/undo"]
    for path in ("/score", "/rulings", "/matches", *paths_of_match):
        answer = begun_match.writer.ask(
            "POST", path, status=HTTPStatus.BAD_REQUEST, data=body, content_type="application/json"
        )
        assert answer["code"] == "unusable"
        assert answer["error"].startswith(error), path


@pytest.mark.parametrize("path", ["/score", "/rulings", "/matches"])
@pytest.mark.parametrize(
    "content_type",
    [None, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"],
)
def test_body_without_json_content_type_is_refused(
    program: Program, path: str, content_type: str | None
) -> None:
    # The body is JSON, but the request does not say so. A form on a page of somebody else can send
    # such a request, and cannot send one that says so.
    answer = program.ask(
        "POST",
        path,
        status=HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        data=SMALLEST_HAND,
        content_type=content_type,
    )
    assert answer["code"] == "not-json"


@pytest.mark.parametrize(
    ("accepted", "language", "error"),
    [
        ("en", "en", "There is nothing here."),
        ("it-IT,it;q=0.9,en;q=0.8", "it", "Qui non c'è niente."),
        # There is no French: the second choice is English.
        ("fr,en;q=0.5", "en", "There is nothing here."),
        # Without a known language it is Italian.
        ("fr", "it", "Qui non c'è niente."),
        ("", "it", "Qui non c'è niente."),
        ("*", "it", "Qui non c'è niente."),
    ],
)
def test_language_follows_accept_language(
    app: Flask, accepted: str, language: str, error: str
) -> None:
    # There is no variant "x".
    headers = {"Accept-Language": accepted}
    answer = app.test_client().get("/api/v1/variants/x", headers=headers)

    assert answer.headers["Content-Language"] == language
    assert answer.json["error"] == error


def test_language_cookie_is_ignored(app: Flask) -> None:
    # Somebody has chosen English on the pages for people. A program that says nothing of a language
    # gets Italian all the same.
    client = app.test_client()
    client.set_cookie("scorepad_language", "en")

    answer = client.get("/api/v1/nothing")

    assert answer.headers["Content-Language"] == "it"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", HTTPStatus.NOT_FOUND),
        ("GET", "/variants/a/b", HTTPStatus.NOT_FOUND),
        ("GET", "/score", HTTPStatus.METHOD_NOT_ALLOWED),
        ("DELETE", "/matches", HTTPStatus.METHOD_NOT_ALLOWED),
    ],
)
def test_unknown_path_or_method_is_refused_in_json(
    program: Program, method: str, path: str, status: int
) -> None:
    answer = program.ask(method, path, status=status)
    assert answer.keys() == {"error", "code"}


def test_wrong_method_is_refused_with_allow_header(program: Program) -> None:
    # The header tells the methods that there are: hands are sent by POST.
    assert program.send("GET", "/score").headers["Allow"]


def test_unknown_host_is_refused_in_json(program: Program) -> None:
    # The server knows the names by which it may be called. This is none of them.
    answer = program.ask(
        "GET", "/variants", status=HTTPStatus.BAD_REQUEST, headers={"Host": "evil.example"}
    )
    assert answer.keys() == {"error", "code"}
    assert answer["code"] == "host"


def list_routes(app: Flask) -> set[tuple[str, str]]:
    """Return path and method of every route of the API, as the OpenAPI document writes them."""
    routes = set()
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("api."):
            # Flask writes `/matches/<match>`, OpenAPI `/matches/{match}`.
            path = re.sub("<(?:int:)?([^>]+)>", r"{\1}", rule.rule.removeprefix(PREFIX))
            for method in rule.methods - {"HEAD", "OPTIONS"}:
                routes.add((path, method))
    return routes


def test_openapi_document_has_every_route(app: Flask, program: Program) -> None:
    document = program.ask("GET", "/openapi.json")
    assert document["openapi"] == "3.1.0"

    # The document describes the API for programs: under each path, such as "/score", its methods.
    documented_routes = set()
    for path, methods in document["paths"].items():
        for method in methods:
            documented_routes.add((path, method.upper()))

    assert documented_routes == list_routes(app)


def test_every_operation_has_a_route(app: Flask) -> None:
    operations = {(operation.path, operation.method.upper()) for operation in OPERATIONS}
    assert operations == list_routes(app)


def test_openapi_document_has_every_schema_it_refers_to(program: Program) -> None:
    document = program.ask("GET", "/openapi.json")
    text = json.dumps(document)
    references = re.findall(r'"\$ref": "#/components/schemas/([^"]+)"', text)

    # All references have this form.
    assert references
    assert len(references) == text.count('"$ref"')

    for name in references:
        assert name in document["components"]["schemas"]


def test_openapi_document_has_no_keys_of_texts(program: Program) -> None:
    # A text that is missing in the catalogue would stand there as its key, such as `api.title`.
    document = program.ask("GET", "/openapi.json")
    key_of_text = re.compile(r"\bapi\.")
    assert not key_of_text.search(json.dumps(document["paths"]))


@pytest.mark.parametrize(
    ("path", "content_type"), [("/api/v1/score", "application/json"), ("/file", "text/plain")]
)
def test_request_refused_by_the_server_is_answered_in_json_to_programs(
    app: Flask, path: str, content_type: str
) -> None:
    # The server takes 8 MB. It refuses more before the application sees the request, and answers
    # programs, below /api, in another form than browsers.
    answer, _body = announce_body_of_9_mb(app, path)

    assert answer.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    assert answer.headers.get_content_type() == content_type


def test_request_refused_by_the_server_has_an_error_code(app: Flask) -> None:
    # The server takes 8 MB, and refuses more before the application sees the request.
    _answer, body = announce_body_of_9_mb(app, "/api/v1/score")
    assert json.loads(body)["code"] == "too-large"


def announce_body_of_9_mb(app: Flask, path: str) -> tuple[HTTPResponse, bytes]:
    """Send the head of a request that says that 9 MB follow; return the answer and its body.

    The 9 MB are not sent: the server takes 8 MB, and answers when it has read the head.
    """
    with (
        serving_here(app) as port,
        closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection,
    ):
        connection.putrequest("POST", path)
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(9 * 2**20))
        connection.endheaders()
        answer = connection.getresponse()
        return answer, answer.read()


@pytest.mark.parametrize(
    ("language", "title"), [("it", "Per chi programma"), ("en", "For programs")]
)
def test_page_for_programs_has_every_operation_and_type(
    app: Flask, language: str, title: str
) -> None:
    # The document describes the API for programs, the page describes it for people.
    document = Program(app, language=language).ask("GET", "/openapi.json")
    page = Client(app, language).get("/api/")
    assert page.one("h1").text == title

    # Each operation can be opened on the page: "POST /api/v1/score" and what it does.
    summaries = [summary.text for summary in page.all("summary")]
    for operation in OPERATIONS:
        summary = document["paths"][operation.path][operation.method]["summary"]
        assert f"{operation.method.upper()} /api/v1{operation.path} {summary}" in summaries

    # Each type of a request or an answer has a heading, in the order of the document.
    types = [heading["id"].removeprefix("type-") for heading in page.all("h3")]
    assert types == list(document["components"]["schemas"])


@pytest.mark.parametrize("language", ["it", "en"])
def test_page_for_programs_shows_no_key_of_a_text(app: Flask, language: str) -> None:
    page = Client(app, language).get("/api/")

    # A text that is missing in the catalogue would be shown by its key, such as `api.title`.
    for word in page.text.split():
        assert not word.startswith(("api.", "files."))


def test_page_for_programs_describes_keys_of_types(app: Flask) -> None:
    # A question about red threes has a kind, which is always the same word, and their number.
    text = Client(app, "en").get("/api/").text
    assert "kind required : “red-threes”" in text
    assert "count required : integer 0…9999999" in text


def test_page_for_programs_is_linked_from_page_of_files(app: Flask) -> None:
    client = Client(app, "en")
    links_of_home = client.get("/").links()
    page_of_files = client.get(links_of_home["Save or load matches"])
    assert page_of_files.links()["For programs: the same answers in JSON"] == "/api/"

    # On the page for programs there is a link to the OpenAPI document.
    page_for_programs = client.get("/api/")
    assert page_for_programs.links()["openapi.json"] == "/api/v1/openapi.json"
