"""A row of the data file that the disk has garbled: the log names no match."""

from __future__ import annotations

import logging

import pytest
from flask import Flask

from scorepad.app import STORAGE
from scorepad.matches import Pad
from tests.web.client import Client
from tests.web.playing import ALL_GOOD, device, match_of, play, start


def garble(app: Flask, statement: str, match: str) -> None:
    with app.extensions[STORAGE].writing() as rows:
        rows._db.execute(statement, [match])


def test_the_log_names_no_match_and_no_device_whatever_goes_wrong(
    app: Flask,
    client: Client,
    pad: Pad,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app.testing = False
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    caplog.set_level(logging.DEBUG)
    with monkeypatch.context() as patch:
        patch.setattr(Pad, "state", lambda *_, **__: 1 / 0)
        client.get(f"{url}/smazzata", 500)
    with app.extensions[STORAGE].writing() as rows:
        rows._db.execute("drop trigger entries_never_change")
    garble(app, "update entries set payload = '{}' where match_id = ?", match_of(url))
    pad.context.matches.clear()  # nothing is remembered of it
    pad.context.rules.clear()
    client.get(url, 503)
    assert "a garbled entry" in caplog.text
    assert "ZeroDivisionError" in caplog.text
    assert match_of(url) not in caplog.text
    assert client.cookie("scorepad_device") not in caplog.text
    assert device(client) not in caplog.text
