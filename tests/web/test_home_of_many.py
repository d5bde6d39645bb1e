"""The first page among very many matches: it reads no more rows than among a few, and shows the
same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from scorepad.app import STORAGE, Config, create_app
from scorepad.storage.rows import ReadTransaction, WriteTransaction, hash_device_id
from tests.cookies import admin_cookie
from tests.web.client import Client, Page
from tests.web.conftest import setup_of
from tests.web.player import Begin, Player
from tests.web.playing import HAND_430_TO_60, start

FEW, MANY = 130, 1300


def house(folder: Path, count: int) -> tuple[Client, Client]:
    """A phone that holds so many matches in progress and as many finished, and a browser with the
    home privilege.

    Those in progress are called Tavolo 0 and so on, those finished Sera 0, each list in this order.
    """
    app = create_app(Config(folder / f"{count}.db", b"k" * 32, testing=True))
    phone = Client(app)
    in_progress = Player(phone, setup_of(app).pad, start(phone))
    finished = Player(phone, setup_of(app).pad, start(phone))
    finished.play(HAND_430_TO_60)
    finished.end("time")
    with app.extensions[STORAGE].writing() as rows:
        copy_match(rows, in_progress, "Tavolo", count)
        copy_match(rows, finished, "Sera", count)
    home = Client(app)
    home.raw.set_cookie("scorepad_admin", admin_cookie())
    return phone, home


def copy_match(rows: WriteTransaction, player: Player, name: str, count: int) -> None:
    """Put so many matches like this one in its place, each named by its number."""
    original = player.match_id
    match = rows.match(original)
    summary = rows.summary(original)
    rules = rows.ruleset(match.ruleset)
    for number in range(count):
        copy = f"{name.lower()}{number}"
        names = (f"{name} {number}", "Loro")
        rows.add_match(replace(match, id=copy), rules)
        rows.grant(copy, hash_device_id(player.device), "own", match.started)
        rows.put(replace(summary, id=copy, names=names, last_row=1000 + number))
    rows.drop_match(original)


@contextmanager
def counted(app: Flask) -> Iterator[dict[str, int]]:
    """How many statements SQLite is asked, and how many steps it takes for them."""
    taken = {"statements": 0, "steps": 0}

    def note(what: str) -> None:
        taken[what] += 1

    connection = app.extensions[STORAGE]._connection().db.conn
    connection.set_trace_callback(lambda _: note("statements"))
    connection.set_progress_handler(lambda: note("steps"), 1)
    yield taken
    connection.set_trace_callback(None)
    connection.set_progress_handler(None, 1)


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Client, Client]]:
    folder = tmp_path_factory.mktemp("many")
    return [house(folder, count) for count in (FEW, MANY)]


def first_sides(page: Page) -> list[str]:
    """The first side of each match in a list."""
    return page.texts("span", class_="match-name")[::2]


WHICH = pytest.mark.parametrize("which", [0, 1], ids=["a phone", "the home privilege"])


@WHICH
@pytest.mark.parametrize(("path", "most"), [("/", 72), ("/in-corso", 122), ("/stato", 13)])
def test_a_page_reads_no_more_among_many_matches_than_among_a_few(
    houses: list[tuple[Client, Client]], which: int, path: str, most: int
) -> None:
    taken = []
    for clients in houses:
        client = clients[which]
        client.raw.get(path)
        with counted(client.app) as steps_taken:
            client.raw.get(path)
        taken.append(steps_taken)

    among_few, among_many = taken
    assert among_few["statements"] == among_many["statements"] < most
    # Each further match is counted, and those of a phone are put in order; none of them is read.
    assert among_many["steps"] - among_few["steps"] < 200 * 2 * (MANY - FEW)


@WHICH
def test_the_pages_show_the_first_of_all_and_how_many_there_are(
    houses: list[tuple[Client, Client]], which: int
) -> None:
    client = houses[1][which]
    home = client.get("/")
    assert first_sides(home) == [
        *(f"Tavolo {number}" for number in range(1299, 1279, -1)),
        *(f"Sera {number}" for number in range(1299, 1269, -1)),
    ]
    everything = client.get(home.links()["Tutte le partite in corso (1.300)"])
    assert first_sides(everything) == [f"Tavolo {number}" for number in range(1299, 1199, -1)]
    assert "Qui ci sono le prime 100 di 1.300" in everything.text


@WHICH
def test_a_search_finds_those_further_down_and_counts_them(
    houses: list[tuple[Client, Client]], which: int
) -> None:
    client = houses[1][which]
    found = client.get("/?cerca=sera 12")
    # 12; 112, 212 and so on to 1112; 120 to 129; 1120 to 1129; 1200 to 1299.
    assert f"{1 + 11 + 10 + 10 + 100} partite trovate" in found.text
    assert first_sides(found)[20:] == [f"Sera {number}" for number in range(1299, 1269, -1)]


# ---------------------------------------------------------------- the logs behind a search


def test_a_search_and_the_list_of_players_read_no_log(
    client: Client, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(name_0="Rossi", place="Bar").end("time")
    begin(name_0="Verdi", place="Casa").end("time")
    begin(name_0="Bianchi", place="Bar").end("time")

    def read(*_: object) -> None:
        pytest.fail("a log was read")

    monkeypatch.setattr(ReadTransaction, "entries", read)
    assert len(client.get("/?cerca=rossi").all("a", class_="match")) == 1
    assert len(client.get("/?cerca=bar").all("a", class_="match")) == 2
    assert len(client.get("/?cerca=verdi casa").all("a", class_="match")) == 1
    client.get("/giocatori/zoe", status=404)
    assert not client.get("/giocatori").all("ul", class_="names")
