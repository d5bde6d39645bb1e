"""A row of the data file that the disk has garbled: what is whole is shown, and the log names no
match.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest
from flask import Flask

from scorepad.app import STORAGE
from scorepad.matches import Pad
from tests.web.client import Client
from tests.web.playing import ALL_GOOD, device, match_of, play, start


def garble(app: Flask, statement: str, match: str) -> None:
    with app.extensions[STORAGE].writing() as rows:
        rows._db.execute(statement, [match])


@pytest.mark.parametrize(
    ("language", "told", "link"),
    [
        ("it", "Una partita non si può mostrare in questo elenco", "Apri la partita"),
        ("en", "One match cannot be shown in this list", "Open the match"),
    ],
)
def test_home_shows_the_others_and_says_of_the_one_that_it_cannot_be_read(
    app: Flask, visit: Callable[..., Client], pad: Pad, language: str, told: str, link: str
) -> None:
    client = visit()
    whole, broken = start(client, name_0="Rossi"), start(client, name_0="Verdi")
    client.raw.set_cookie("scorepad_language", language)
    client.language = language
    garble(app, "update summaries set hands = 7 where match_id = ?", match_of(broken))
    home = client.get("/")
    assert told in home.one("p", class_="warn").text
    assert [each["href"] for each in home.all("a", class_="match")] == [whole]
    assert home.links()[link] == broken
    assert "Verdi" in client.get(broken).one("h1").text, "the match itself is whole"
    play(pad, client, broken, ALL_GOOD)
    healed = client.get("/")
    assert not healed.all(class_="warn")
    assert [each["href"] for each in healed.all("a", class_="match")] == [broken, whole]


def test_a_home_with_nothing_but_a_garbled_match_bids_nobody_welcome(
    app: Flask, client: Client
) -> None:
    garble(app, "update summaries set hands = 7 where match_id = ?", match_of(start(client)))
    assert len(client.get("/").all("p", class_="warn")) == 1
    assert not client.get("/").all(class_="lead")


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
    assert "a garbled row" in caplog.text
    assert "ZeroDivisionError" in caplog.text
    assert match_of(url) not in caplog.text
    assert client.cookie("scorepad_device") not in caplog.text
    assert device(client) not in caplog.text
