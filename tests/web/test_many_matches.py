"""Strangers begin so many matches an hour; a form that lay open while the clock was set is taken."""

from __future__ import annotations

import time

import pytest
from flask import Flask

from scorepad.web.rate_limits import Action
from tests.cookies import admin_cookie
from tests.web.client import Client
from tests.web.playing import start

BEGUN = {"variant": "classica", "names": ["Noi", "Loro"]}
MOST = Action.BEGIN.value


def test_a_stranger_who_begins_too_many_is_told_when_to_begin_the_next(
    app: Flask, client: Client
) -> None:
    """An evening of sixteen phones, six matches each, begins its matches behind one address."""
    program = app.test_client()
    new = client.get("/partite/nuova")
    began, started = 0, time.monotonic()
    answer = program.post("/api/v1/matches", json=BEGUN)
    while answer.status_code == 201:
        began += 1
        answer = program.post("/api/v1/matches", json=BEGUN)
    # One more is allowed every 15 seconds.
    assert 240 <= began <= 241 + (time.monotonic() - started) / 15
    assert (answer.status_code, answer.json["code"]) == (429, "many-matches")
    assert 0 < int(answer.headers["Retry-After"]) <= 15
    assert "troppe partite" in answer.json["error"]
    sent = new.values(new.form("Comincia")) | {"name-0": "Zia Pina"}
    page = client.post("/partite/nuova", sent, 429)
    assert "troppe partite" in page.one("p", class_="lead").text
    assert "Zia Pina" in page.text
    elsewhere = {"REMOTE_ADDR": "10.0.0.7"}
    away = app.test_client().post("/api/v1/matches", json=BEGUN, environ_base=elsewhere)
    assert away.status_code == 201, "another address has its own"


def test_all_strangers_together_begin_no_more_than_that_and_shut_out_no_other_address(
    app: Flask,
) -> None:
    began, number, addresses = time.monotonic(), 0, 1

    def begin(address: str) -> int:
        place = {"REMOTE_ADDR": address}
        answer = app.test_client().post("/api/v1/matches", json={}, environ_base=place)
        return answer.status_code

    while begin(f"10.0.{addresses}.7") == 400:
        number += 1
        if number % 200 == 0:
            addresses += 1
    # One more is allowed each time that this part of an hour has passed.
    regained = (time.monotonic() - began) / (MOST.milliseconds / 1000 / MOST.most_shared)
    most = MOST.most_shared + MOST.reserve_per_address * addresses + regained
    assert MOST.most_shared <= number <= most
    assert begin("10.1.0.7") == 400, "the first ones of an address are apart"


def test_whoever_has_the_home_privilege_meets_no_such_limit(app: Flask) -> None:
    owner = app.test_client()
    owner.set_cookie("scorepad_admin", admin_cookie())
    asked = [
        owner.post("/api/v1/matches", json={}).status_code for _ in range(MOST.most_per_address + 1)
    ]
    assert set(asked) == {400}


@pytest.mark.parametrize("hours", [-5, -24 * 365 * 3, 5, 24 * 500])
def test_a_form_that_lay_open_while_the_clock_was_set_is_taken(
    client: Client, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    page, real = client.get("/partite/nuova"), time.time
    monkeypatch.setattr(time, "time", lambda: real() + hours * 3600)
    assert client.submit(page, "Comincia: ").url.startswith("/partite/")
    assert start(client)
