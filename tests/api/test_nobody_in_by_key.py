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
    """Replace both keys of the match by new ones, and return these.

    The programs `writer` and `looker` of the match still have the old ones.
    """
    # The administrator may do so without having any key. The key to view follows from that to write.
    match = MatchId(match_of_one_hand.id)
    return pad.devices.renew_key(match, ADMIN, Access.WRITE, NO_KEYS)


@pytest.fixture
def programs_without_access(
    app: Flask,
    begin: Callable[..., BegunMatch],
    match_of_one_hand: BegunMatch,
    keys: Keys,
) -> dict[Refusal, list[Program]]:
    """Return programs that may not write in the match, by the status and the code of the refusal
    that they get.
    """
    writer_of_another_match = begin().writer
    # Since the fixture `keys` has renewed the keys of the match, its old ones are wrong.
    writer_with_old_key = match_of_one_hand.writer
    return {
        (HTTPStatus.UNAUTHORIZED, "no-key"): [
            Program(app),
            Program(app, new_key()),  # a key that no match has
            Program(app, "è" * 26),  # as long as a key, but not ASCII
            writer_with_old_key,
        ],
        # With the key to view, a program may only read.
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
    # This program has the right key. It reads the match, because the request, which counts a hand,
    # corrects one or undoes the last entry, names an entry of it.
    writer = Program(app, keys.write)
    match = writer.ask("GET", match_of_one_hand.path)
    method = request_to_write.method
    address = match_of_one_hand.path + request_to_write.path
    body = request_to_write.body_for(match)
    logs_before = dump_logs(pad)

    # Programs without a key, or with one that does not allow to write here, are refused, each with
    # its status and code, such as 403 and "not-allowed" for the key to view.
    for (status, code), programs in programs_without_access.items():
        for program in programs:
            answer = program.ask(method, address, body, status)
            assert answer.keys() == {"error", "code"}
            assert answer["code"] == code
    assert dump_logs(pad) == logs_before

    # With the right key the same request writes: nothing but the key was wrong before.
    writer.ask(method, address, body, request_to_write.status)
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
    """Return a browser with every cookie that lets it see and change the match on the pages."""
    browser = app.test_client()
    key = match_of_one_hand.writer.key

    # The browser is a known device. It enters the match by the link with the key, so that this
    # device may write in the match.
    browser.set_cookie("scorepad_device", device_cookie("d" * 32), path="/")
    browser.get(f"/e/{key}")

    # By this cookie it has access to all matches.
    browser.set_cookie("scorepad_admin", admin_cookie())

    # The key itself is a cookie too, but usually only sent to pages of the match. With the path "/"
    # it is also sent to the API.
    browser.set_cookie("scorepad_write", key, path="/")
    assert browser.get(f"/partite/{match_of_one_hand.id}").status_code == HTTPStatus.OK
    return browser


# The right key takes the place of {key}. The API takes it only as "Authorization: Bearer KEY".
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

    # A browser that may see and change the match on the pages, by its cookies, asks the API to read
    # the match, or to count, correct or undo a hand. Its header with the key has a wrong form.
    wrong_header = authorization.format(key=match_of_one_hand.writer.key)
    answer = browser_in_the_match.open(
        f"/api/v1{match_of_one_hand.path}{request_of_page.path}",
        method=request_of_page.method,
        json=request_of_page.body or None,
        headers={"Authorization": wrong_header},
    )

    # Neither the cookies nor the header give access.
    assert answer.status_code == HTTPStatus.UNAUTHORIZED
    assert dump_logs(pad) == logs_before
