"""Every question over HTTP that writes, with every key that must not open it. A new one finds this
asking for it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from flask import Flask

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access, MatchId
from scorepad.matches.keys import NO_KEYS, new_key
from tests.api.conftest import Begun, Program
from tests.cookies import device_cookie

READING = {"GET", "HEAD", "OPTIONS"}
SIDES = {"Noi": {"sum": 300}, "Loro": {"sum": 60}}
OTHERS = {"Noi": {"sum": 305}, "Loro": {"sum": 60}}
KEYED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "api.count": ("POST", "/hands", {"number": 2, "sides": SIDES}),
    "api.correct": ("PUT", "/hands/1", {"entry": 0, "sides": OTHERS}),
    "api.undo": ("POST", "/undo", {"sequence": 0}),
}
"""How, where, and what: `entry` and `sequence` are put in as the match has them."""
UNKEYED = {"api.score", "api.rulings", "api.begin"}
"""Who asks these needs no key: two change nothing, and anybody may begin a match."""


def everything(pad: Pad) -> str:
    with closing(sqlite3.connect(pad.context.storage.path)) as file:
        return "\n".join(file.iterdump())


def test_every_question_that_writes_is_tried(app: Flask) -> None:
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("api.")]
    assert {rule.endpoint for rule in rules if (rule.methods or set()) - READING} == {
        *KEYED,
        *UNKEYED,
    }


@pytest.mark.parametrize("endpoint", KEYED)
def test_a_question_is_answered_to_whoever_may_ask_it_and_to_nobody_else(
    app: Flask, pad: Pad, begin: Callable[..., Begun], endpoint: str
) -> None:
    begun, other = begin(), begin()
    begun.count(1, SIDES)
    withdrawn = begun.writer
    keys = pad.devices.renew_key(
        MatchId(begun.id),
        ADMIN,
        Access.WRITE,
        pad.devices.find_keys_to_show(MatchId(begun.id), ADMIN, NO_KEYS).keys,
    )
    writer = Program(app, keys.write)
    told = writer.ask("GET", begun.path)
    method, path, body = KEYED[endpoint]
    seen = {"entry": told["hands"][0]["entry"], "sequence": told["sequence"]}
    body = {key: seen.get(key, value) for key, value in body.items()}
    before = everything(pad)
    for what, program, status in (
        ("no key", Program(app), 401),
        ("a key of nothing", Program(app, new_key()), 401),
        ("no key at all", Program(app, "è" * 26), 401),
        ("a withdrawn key", withdrawn, 401),
        ("a viewing key", Program(app, keys.view), 403),
        ("the key of another match", other.writer, 404),
    ):
        refused = program.ask(method, f"{begun.path}{path}", body, status)
        told = {401: "no-key", 403: "not-allowed", 404: "no-match"}[status]
        assert (set(refused), refused["code"]) == ({"error", "code"}, told), what
    foreign = writer.ask(
        method, f"{begun.path}{path}", body, 403, headers={"Origin": "https://evil.example"}
    )
    assert foreign["code"] == "origin"
    assert _entries(everything(pad)) == _entries(before)
    writer.ask(method, f"{begun.path}{path}", body, 201 if endpoint == "api.count" else 200)
    assert _entries(everything(pad)) != _entries(before)


@pytest.mark.parametrize("endpoint", KEYED)
def test_a_cookie_opens_nothing(app: Flask, pad: Pad, begun: Begun, endpoint: str) -> None:
    method, path, body = KEYED[endpoint]
    client = app.test_client()
    client.set_cookie("scorepad_write", begun.writer.key, path="/")
    client.set_cookie("scorepad_device", device_cookie("d" * 32), path="/")
    client.get(f"/e/{begun.writer.key}")
    before = everything(pad)
    answer = client.open(f"/api/v1{begun.path}{path}", method=method, json=body)
    assert answer.status_code == 401
    for scheme in ("Basic", "Token", ""):
        headers = {"Authorization": f"{scheme} {begun.writer.key}"}
        assert (
            client.open(
                f"/api/v1{begun.path}{path}", method=method, json=body, headers=headers
            ).status_code
            == 401
        )
    assert everything(pad) == before


def _entries(dump: str) -> list[str]:
    """What stands in the logs: a program that comes in by its key to look is noted, as a phone is."""
    return [
        line for line in dump.splitlines() if 'INTO "entries"' in line or 'INTO "matches"' in line
    ]
