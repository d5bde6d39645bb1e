"""Every question over HTTP that writes, with every key that must not open it. A new one finds this
asking for it.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from flask import Flask

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access, MatchId
from scorepad.matches.keys import NO_KEYS, new_key
from tests.api.conftest import BegunMatch, Program
from tests.cookies import admin_cookie, device_cookie

READING = {"GET", "HEAD", "OPTIONS"}
SIDES = {"Noi": {"sum": 300}, "Loro": {"sum": 60}}
KEYED: dict[str, tuple[str, str, int, dict[str, Any]]] = {
    "api.count": ("POST", "/hands", 201, {"number": 2, "sides": SIDES}),
    "api.correct": ("PUT", "/hands/1", 200, {"entry": 0, "sides": SIDES | {"Noi": {"sum": 305}}}),
    "api.undo": ("POST", "/undo", 200, {"sequence": 0}),
}
"""How, where, what a writer is answered, and what is sent: `entry` and `sequence` are put in as the
match has them.
"""
UNKEYED = {"api.score", "api.rulings", "api.begin"}
"""Who asks these needs no key: two change nothing, and anybody may begin a match."""


def logs(pad: Pad) -> list[str]:
    """What stands in the logs: a program that comes in by its key to look is noted, as a phone is."""
    with closing(sqlite3.connect(pad.context.storage.path)) as file:
        tables = ('INTO "entries"', 'INTO "matches"')
        return [line for line in file.iterdump() if any(table in line for table in tables)]


def test_every_question_that_writes_is_tried(app: Flask) -> None:
    writing = set()
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("api.") and (rule.methods or set()) - READING:
            writing.add(rule.endpoint)
    assert writing == KEYED.keys() | UNKEYED


@pytest.mark.parametrize("endpoint", KEYED)
def test_a_question_is_answered_to_whoever_may_ask_it_and_to_nobody_else(
    app: Flask, pad: Pad, begin: Callable[..., BegunMatch], endpoint: str
) -> None:
    begun_match = begin()
    writer_of_another_match = begin().writer
    begun_match.count(1, SIDES)
    match = MatchId(begun_match.id)
    shown_keys = pad.devices.find_keys_to_show(match, ADMIN, NO_KEYS).keys
    keys = pad.devices.renew_key(match, ADMIN, Access.WRITE, shown_keys)
    writer = Program(app, keys.write)

    method, path, status, body = KEYED[endpoint]
    state = writer.ask("GET", begun_match.path)
    if "entry" in body:
        body = body | {"entry": state["hands"][0]["entry"]}
    if "sequence" in body:
        body = body | {"sequence": state["sequence"]}
    question = (method, f"{begun_match.path}{path}", body)

    logs_before = logs(pad)
    for program, refusal, code in (
        (Program(app), 401, "no-key"),
        (Program(app, new_key()), 401, "no-key"),
        (Program(app, "è" * 26), 401, "no-key"),
        (begun_match.writer, 401, "no-key"),  # its key was renewed
        (Program(app, keys.view), 403, "not-allowed"),
        (writer_of_another_match, 404, "no-match"),
    ):
        answer = program.ask(*question, refusal)
        assert answer.keys() == {"error", "code"}
        assert answer["code"] == code
    from_elsewhere = writer.ask(*question, 403, headers={"Origin": "https://evil.example"})
    assert from_elsewhere["code"] == "origin"
    assert logs(pad) == logs_before

    writer.ask(*question, status)
    assert logs(pad) != logs_before


@pytest.mark.parametrize("endpoint", ["api.match", *KEYED])
def test_a_cookie_opens_nothing(
    app: Flask, pad: Pad, begun_match: BegunMatch, endpoint: str
) -> None:
    method, path, _, body = KEYED.get(endpoint, ("GET", "", 200, None))
    client = app.test_client()
    client.set_cookie("scorepad_write", begun_match.writer.key, path="/")
    client.set_cookie("scorepad_device", device_cookie("d" * 32), path="/")
    client.set_cookie("scorepad_admin", admin_cookie())
    client.get(f"/e/{begun_match.writer.key}")
    assert client.get(f"/partite/{begun_match.id}").status_code == 200
    before = logs(pad)
    address = f"/api/v1{begun_match.path}{path}"
    assert client.open(address, method=method, json=body).status_code == 401
    for scheme in ("Basic", "Token", ""):
        headers = {"Authorization": f"{scheme} {begun_match.writer.key}"}
        answer = client.open(address, method=method, json=body, headers=headers)
        assert answer.status_code == 401
    assert logs(pad) == before
