"""Every question over HTTP that writes, with every key that must not open it. A new one finds this
asking for it.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from http import HTTPStatus
from typing import Any

import pytest
from flask import Flask

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access, MatchId
from scorepad.matches.keys import NO_KEYS, new_key
from tests.api.conftest import BegunMatch, Program
from tests.cookies import admin_cookie, device_cookie

METHODS_THAT_READ = {"GET", "HEAD", "OPTIONS"}
SUMS_OF_300_AND_60 = {"Noi": {"sum": 300}, "Loro": {"sum": 60}}
REQUESTS_WITH_KEY: dict[str, tuple[str, str, int, dict[str, Any]]] = {
    "api.count": ("POST", "/hands", HTTPStatus.CREATED, {"number": 2, "sides": SUMS_OF_300_AND_60}),
    "api.correct": (
        "PUT",
        "/hands/1",
        200,
        {"entry": 0, "sides": SUMS_OF_300_AND_60 | {"Noi": {"sum": 305}}},
    ),
    "api.undo": ("POST", "/undo", 200, {"sequence": 0}),
}
"""By endpoint: method, path, the status that a writer gets, and the body; `entry` and `sequence` are
replaced by those of the match.
"""
ENDPOINTS_WITHOUT_KEY = {"api.score", "api.rulings", "api.begin"}
"""Two of them change nothing, and anybody may begin a match."""


def dump_logs(pad: Pad) -> list[str]:
    """Every match and its log. Other tables note a program that only looks, as they do a phone."""
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
    assert writing_endpoints == REQUESTS_WITH_KEY.keys() | ENDPOINTS_WITHOUT_KEY


@pytest.mark.parametrize("endpoint", REQUESTS_WITH_KEY)
def test_writing_request_is_refused_to_every_wrong_key(
    app: Flask, pad: Pad, begin: Callable[..., BegunMatch], endpoint: str
) -> None:
    begun_match = begin()
    writer_of_another_match = begin().writer
    begun_match.count(1, SUMS_OF_300_AND_60)
    match = MatchId(begun_match.id)
    shown_keys = pad.devices.find_keys_to_show(match, ADMIN, NO_KEYS).keys
    keys = pad.devices.renew_key(match, ADMIN, Access.WRITE, shown_keys)
    writer = Program(app, keys.write)

    method, path, status, body = REQUESTS_WITH_KEY[endpoint]
    address = f"{begun_match.path}{path}"
    body = with_values_of_match(body, writer.ask("GET", begun_match.path))

    logs_before = dump_logs(pad)
    for program, refusal, code in (
        (Program(app), HTTPStatus.UNAUTHORIZED, "no-key"),
        (Program(app, new_key()), HTTPStatus.UNAUTHORIZED, "no-key"),
        (Program(app, "è" * 26), HTTPStatus.UNAUTHORIZED, "no-key"),
        (begun_match.writer, HTTPStatus.UNAUTHORIZED, "no-key"),  # its key was renewed
        (Program(app, keys.view), HTTPStatus.FORBIDDEN, "not-allowed"),
        (writer_of_another_match, HTTPStatus.NOT_FOUND, "no-match"),
    ):
        answer = program.ask(method, address, body, refusal)
        assert answer.keys() == {"error", "code"}
        assert answer["code"] == code
    assert dump_logs(pad) == logs_before

    writer.ask(method, address, body, status)
    assert dump_logs(pad) != logs_before


def with_values_of_match(body: dict[str, Any], match: dict[str, Any]) -> dict[str, Any]:
    """The body of a request, its entry and sequence as the match has them."""
    body = dict(body)
    if "entry" in body:
        body["entry"] = match["hands"][0]["entry"]
    if "sequence" in body:
        body["sequence"] = match["sequence"]
    return body


@pytest.mark.parametrize("endpoint", REQUESTS_WITH_KEY)
def test_writing_request_from_another_site_is_refused(
    pad: Pad, begun_match: BegunMatch, endpoint: str
) -> None:
    begun_match.count(1, SUMS_OF_300_AND_60)
    method, path, _, body = REQUESTS_WITH_KEY[endpoint]
    body = with_values_of_match(body, begun_match.read())
    logs_before = dump_logs(pad)

    other_site = {"Origin": "https://evil.example"}
    answer = begun_match.writer.ask(
        method, f"{begun_match.path}{path}", body, HTTPStatus.FORBIDDEN, headers=other_site
    )

    assert answer["code"] == "origin"
    assert dump_logs(pad) == logs_before


@pytest.mark.parametrize("endpoint", ["api.match", *REQUESTS_WITH_KEY])
def test_cookies_of_the_pages_give_no_access(
    app: Flask, pad: Pad, begun_match: BegunMatch, endpoint: str
) -> None:
    get_match = ("GET", "", HTTPStatus.OK, None)
    method, path, _, body = REQUESTS_WITH_KEY.get(endpoint, get_match)
    client = app.test_client()
    client.set_cookie("scorepad_write", begun_match.writer.key, path="/")
    client.set_cookie("scorepad_device", device_cookie("d" * 32), path="/")
    client.set_cookie("scorepad_admin", admin_cookie())
    client.get(f"/e/{begun_match.writer.key}")
    assert client.get(f"/partite/{begun_match.id}").status_code == HTTPStatus.OK
    logs_before = dump_logs(pad)

    address = f"/api/v1{begun_match.path}{path}"
    assert client.open(address, method=method, json=body).status_code == HTTPStatus.UNAUTHORIZED
    for scheme in ("Basic", "Token", ""):
        headers = {"Authorization": f"{scheme} {begun_match.writer.key}"}
        answer = client.open(address, method=method, json=body, headers=headers)
        assert answer.status_code == HTTPStatus.UNAUTHORIZED
    assert dump_logs(pad) == logs_before
