"""Every request of the HTTP API that writes is refused without the right key.

An endpoint that is added later makes a test here fail until it is listed.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access, MatchId
from scorepad.matches.keys import NO_KEYS, Keys, new_key
from tests.api.conftest import BegunMatch, Program
from tests.cookies import admin_cookie, device_cookie

# The status of a refusal and the code in its JSON.
Refusal = tuple[int, str]
METHODS_THAT_READ = {"GET", "HEAD", "OPTIONS"}
SUMS_OF_300_AND_60 = {"We": {"sum": 300}, "They": {"sum": 60}}


@dataclass(frozen=True)
class WritingRequest:
    """A request that changes a match of one counted hand.

    `status` is that of the answer to a program with the key for writing.
    """

    method: str
    path: str
    body: dict[str, Any]
    status: int = HTTPStatus.OK

    def body_for(self, match: dict[str, Any]) -> dict[str, Any]:
        """Return the body for this match.

        A correction names the entry that it replaces, and an undo the last entry. In `body` both
        are 0 until the match is known.
        """
        body = dict(self.body)
        if "entry" in body:
            body["entry"] = match["hands"][0]["entry"]
        if "sequence" in body:
            body["sequence"] = match["sequence"]
        return body


# By the name of the endpoint in Flask.
WRITING_REQUESTS = {
    "api.count": WritingRequest(
        "POST", "/hands", {"number": 2, "sides": SUMS_OF_300_AND_60}, HTTPStatus.CREATED
    ),
    "api.correct": WritingRequest(
        "PUT", "/hands/1", {"entry": 0, "sides": {"We": {"sum": 305}, "They": {"sum": 60}}}
    ),
    "api.undo": WritingRequest("POST", "/undo", {"sequence": 0}),
}
# Two of them only answer a question about rules, and anybody may begin a match.
ENDPOINTS_WITHOUT_KEY = {"api.score", "api.rulings", "api.begin"}


def dump_logs(pad: Pad) -> list[str]:
    """Return the rows of all matches and of their logs, which a refused request must not change."""
    with closing(sqlite3.connect(pad.context.storage.path)) as file:
        matches = [line for line in file.iterdump() if 'INTO "matches"' in line]
        entries = [line for line in file.iterdump() if 'INTO "entries"' in line]
    return matches + entries


def test_every_writing_endpoint_is_tried(app: Flask) -> None:
    writing_endpoints = set()
    for rule in app.url_map.iter_rules():
        methods_that_write = (rule.methods or set()) - METHODS_THAT_READ
        if rule.endpoint.startswith("api.") and methods_that_write:
            writing_endpoints.add(rule.endpoint)

    # Whoever adds an endpoint that writes adds it to one of the two.
    assert writing_endpoints == WRITING_REQUESTS.keys() | ENDPOINTS_WITHOUT_KEY


@pytest.fixture
def match_of_one_hand(begun_match: BegunMatch) -> BegunMatch:
    begun_match.count(1, SUMS_OF_300_AND_60)
    return begun_match


@pytest.fixture
def keys(pad: Pad, match_of_one_hand: BegunMatch) -> Keys:
    """Replace the key for writing by a new one; return the keys that are valid now."""
    match = MatchId(match_of_one_hand.id)
    first_keys = pad.devices.find_keys_to_show(match, ADMIN, NO_KEYS).keys
    return pad.devices.renew_key(match, ADMIN, Access.WRITE, first_keys)


@pytest.fixture
def programs_without_access(
    app: Flask,
    begin: Callable[..., BegunMatch],
    match_of_one_hand: BegunMatch,
    keys: Keys,
) -> dict[Refusal, list[Program]]:
    """Make programs that may not write in the match; return them by the refusal they get."""
    writer_of_another_match = begin().writer
    return {
        (HTTPStatus.UNAUTHORIZED, "no-key"): [
            Program(app),
            Program(app, new_key()),  # a key that no match has
            Program(app, "è" * 26),  # as long as a key, but not ASCII
            match_of_one_hand.writer,  # its key was renewed
        ],
        (HTTPStatus.FORBIDDEN, "not-allowed"): [Program(app, keys.view)],
        (HTTPStatus.NOT_FOUND, "no-match"): [writer_of_another_match],
    }


@pytest.mark.parametrize("request_to_write", WRITING_REQUESTS.values(), ids=WRITING_REQUESTS)
def test_writing_request_is_refused_to_every_wrong_key(
    app: Flask,
    pad: Pad,
    match_of_one_hand: BegunMatch,
    keys: Keys,
    programs_without_access: dict[Refusal, list[Program]],
    request_to_write: WritingRequest,
) -> None:
    # The request counts a hand, corrects one, or undoes the last entry.
    address = f"{match_of_one_hand.path}{request_to_write.path}"
    writer = Program(app, keys.write)
    body = request_to_write.body_for(writer.ask("GET", match_of_one_hand.path))
    logs_before = dump_logs(pad)

    # Programs without a key, or with one that does not allow to write here, are refused.
    for (status, code), programs in programs_without_access.items():
        for program in programs:
            answer = program.ask(request_to_write.method, address, body, status)
            assert answer.keys() == {"error", "code"}
            assert answer["code"] == code
    assert dump_logs(pad) == logs_before

    # With the right key the same request writes: nothing but the key was wrong before.
    writer.ask(request_to_write.method, address, body, request_to_write.status)
    assert dump_logs(pad) != logs_before


@pytest.mark.parametrize("request_to_write", WRITING_REQUESTS.values(), ids=WRITING_REQUESTS)
def test_writing_request_from_another_site_is_refused(
    pad: Pad, match_of_one_hand: BegunMatch, request_to_write: WritingRequest
) -> None:
    body = request_to_write.body_for(match_of_one_hand.read())
    logs_before = dump_logs(pad)

    # The key is right, but a page of another site has made a browser send the request.
    answer = match_of_one_hand.writer.ask(
        request_to_write.method,
        f"{match_of_one_hand.path}{request_to_write.path}",
        body,
        status=HTTPStatus.FORBIDDEN,
        headers={"Origin": "https://evil.example"},
    )

    assert answer["code"] == "origin"
    assert dump_logs(pad) == logs_before


GET_MATCH = WritingRequest("GET", "", {})


@pytest.fixture
def browser_in_the_match(app: Flask, match_of_one_hand: BegunMatch) -> FlaskClient:
    """Give a browser every cookie that lets it see and change the match on the pages."""
    browser = app.test_client()
    browser.set_cookie("scorepad_write", match_of_one_hand.writer.key, path="/")
    browser.set_cookie("scorepad_device", device_cookie("d" * 32), path="/")
    browser.set_cookie("scorepad_admin", admin_cookie())
    browser.get(f"/e/{match_of_one_hand.writer.key}")
    assert browser.get(f"/partite/{match_of_one_hand.id}").status_code == HTTPStatus.OK
    return browser


@pytest.mark.parametrize("authorization", ["", "Basic {key}", "Token {key}", "{key}"])
@pytest.mark.parametrize(
    "request_of_page", [GET_MATCH, *WRITING_REQUESTS.values()], ids=["api.match", *WRITING_REQUESTS]
)
def test_cookies_of_the_pages_give_no_access(
    pad: Pad,
    match_of_one_hand: BegunMatch,
    browser_in_the_match: FlaskClient,
    request_of_page: WritingRequest,
    authorization: str,
) -> None:
    logs_before = dump_logs(pad)

    # The API takes a key only as "Authorization: Bearer KEY". Here the header has another form,
    # and the browser sends cookies with which it may use the pages.
    answer = browser_in_the_match.open(
        f"/api/v1{match_of_one_hand.path}{request_of_page.path}",
        method=request_of_page.method,
        json=request_of_page.body or None,
        headers={"Authorization": authorization.format(key=match_of_one_hand.writer.key)},
    )

    assert answer.status_code == HTTPStatus.UNAUTHORIZED
    assert dump_logs(pad) == logs_before
