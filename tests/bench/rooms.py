"""What is measured: the application on a file with matches in it, and the bare floors beside it."""

import html
import json
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask, redirect, render_template, request
from flask.testing import FlaskClient
from flask_wtf.csrf import CSRFProtect, generate_csrf
from werkzeug.wrappers import Response

from scorepad.app import Config, create_app
from scorepad.matches.access import DeviceId, MatchId
from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.web.app_services import EXTENSION
from scorepad.web.cookies import DEVICE_COOKIE
from tests.cookies import device_cookie
from tests.hands_read import hand_of
from tests.matches.conftest import Table
from tests.web.playing import new_request

DEVICE = DeviceId("d" * 32)
NOI_VS_LORO = NewMatch(
    "classica", None, {"target": 500_000}, Labels(("Noi", "Loro"), (("", ""), ("", "")))
)
HAND: dict[str, Any] = {
    "sides": {
        "a": {"melds": ["7xQ", "4xK 2x2 JK", "3xA"], "red_threes": 2, "left": "4 9"},
        "b": {"melds": ["4x8 2", "5x10"], "red_threes": 1, "left": "J 6"},
    },
    "out": {"side": "a"},
}
PRAGMAS = (
    "busy_timeout=5000",
    "foreign_keys=ON",
    "journal_mode=DELETE",
    "synchronous=EXTRA",
    "secure_delete=ON",
)
"""Those of the pad, for the floor."""
TEXTS = re.compile(r">([^<>]*[^<>\s][^<>]*)<")
"""The texts of a page."""


@dataclass(frozen=True, slots=True)
class MeasuredPad:
    """The application on its file, and a browser that owns its matches."""

    app: Flask
    client: FlaskClient

    @property
    def pad(self) -> Any:
        """The pad behind it."""
        return self.app.extensions[EXTENSION].pad

    def start_match(self) -> MatchId:
        """A new match."""
        saved = self.pad.actions.start(new_request(), DEVICE, NOI_VS_LORO)
        assert isinstance(saved, Saved)
        return saved.match

    def count_hands(self, match: MatchId, hands: int, played: Mapping[str, Any] = HAND) -> None:
        """So many hands more, worth 1.345 and 195 points unless it is another."""
        table = Table(self.pad, match, DEVICE)
        for _ in range(hands):
            told = table.count(hand_of(played), request=new_request())
            assert isinstance(told, Saved), told

    def get_page(self, match: MatchId) -> str:
        """The match's page."""
        answer = self.client.get(f"/partite/{match}")
        assert answer.status_code == 200
        return answer.text


def make_measured_pad(folder: Path) -> MeasuredPad:
    """The application on a new file in this folder."""
    app = create_app(Config(folder / "pad.db", b"k" * 32))
    client = app.test_client()
    client.set_cookie(DEVICE_COOKIE, device_cookie(DEVICE))
    return MeasuredPad(app, client)


def connect(path: Path) -> sqlite3.Connection:
    """SQLite alone, with the pad's own pragmas."""
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def bare_page(path: Path, rows: int, like: str) -> FlaskClient:
    """Flask, Jinja and SQLite alone: a page as long as this one that reads so many rows and prints
    the same texts.

    With a form, and so with a token against forgery, since every page of a match has one.
    """
    texts = [html.unescape(text) for text in TEXTS.findall(like)]
    connection = connect(path)
    connection.execute(
        "CREATE TABLE hands (match TEXT, sequence INTEGER, payload TEXT, PRIMARY KEY (match, sequence))"
    )
    shares = [(number, json.dumps(texts[number::rows])) for number in range(rows)]
    connection.executemany("INSERT INTO hands VALUES ('m', ?, ?)", shares)
    app = _guarded()
    # What is left of the length is markup: as much around each text.
    around = "x" * max(
        0, (len(like) - sum(map(len, texts))) // len(texts) - len('<p class=""></p>')
    )
    template = app.jinja_env.from_string(
        "<!doctype html><title>m</title>{% for row in rows %}{% for text in row %}"
        f'<p class="{around}">{{{{ text }}}}</p>{{% endfor %}}{{% endfor %}}'
        '<form method="post"><input type="hidden" name="csrf_token" value="{{ csrf_token() }}"></form>'
    )

    @app.get("/<match>")
    def page(match: str) -> str:
        rows = connection.execute(
            "SELECT payload FROM hands WHERE match = ? ORDER BY sequence", (match,)
        ).fetchall()
        return render_template(template, rows=[json.loads(payload) for (payload,) in rows])

    return app.test_client()


def bare_save(path: Path) -> FlaskClient:
    """Flask, Flask-WTF and SQLite alone: GET tells a token, POST writes the fields that it guards.

    One immediate transaction, on the pad's own terms: an entry in a log in which a request counts
    once, and the row in which a list finds the match.
    """
    connection = connect(path)
    connection.execute(
        "CREATE TABLE entries (place INTEGER PRIMARY KEY, match TEXT NOT NULL, sequence INTEGER NOT NULL,"
        " request TEXT NOT NULL UNIQUE, payload TEXT NOT NULL, UNIQUE (match, sequence)) STRICT"
    )
    connection.execute(
        "CREATE TABLE summaries (match TEXT PRIMARY KEY, hands INTEGER, payload TEXT) STRICT"
    )
    app = _guarded()

    @app.get("/")
    def form() -> str:
        return generate_csrf()

    @app.post("/")
    def save() -> Response:
        kept = json.dumps(request.form)
        connection.execute("BEGIN IMMEDIATE")
        (last,) = connection.execute(
            "SELECT coalesce(max(sequence), 0) FROM entries WHERE match = 'm'"
        ).fetchone()
        entry = (last + 1, request.form["request_id"], kept)
        connection.execute(
            "INSERT INTO entries (match, sequence, request, payload) VALUES ('m', ?, ?, ?)", entry
        )
        connection.execute("INSERT OR REPLACE INTO summaries VALUES ('m', ?, ?)", (last + 1, kept))
        connection.execute("COMMIT")
        return redirect("/", 303)

    return app.test_client()


def _guarded() -> Flask:
    """An application that asks every form for its token."""
    app = Flask("bare")
    app.config["SECRET_KEY"] = b"k" * 32
    CSRFProtect(app)
    return app


def add_other_matches(pad: MeasuredPad, like: MatchId, others: int) -> None:
    """So many other matches in the file, each with the log of this one, of another device."""
    connection = connect(Path(pad.app.extensions[EXTENSION].pad.context.storage.path))
    counting = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
    connection.execute("BEGIN IMMEDIATE")
    for table, columns in (
        ("matches", "'other' || i, ruleset, started"),
        ("entries", "NULL, 'other' || i, sequence, kind, at, 'other', i || '-' || sequence, payload, sent"),
        ("summaries", "'other' || i, variant, names, totals, hands, target, finished, winner, started, changed, "
         "last_row, players, practice, ending, venue, all_players"),
        ("grants", "'other' || i, 'other', access, granted, number, side, name"),
    ):  # fmt: skip
        key = "id" if table == "matches" else "match_id"
        connection.execute(
            f"{counting} INSERT INTO {table} SELECT {columns} FROM {table}, n WHERE {key} = ?",  # noqa: S608
            (others, like),
        )
    connection.execute("COMMIT")
    connection.close()
