"""The first page among very many matches: it reads no more rows than among a few, and shows the
same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import pytest

from scorepad.app import STORAGE, Config, create_app
from scorepad.storage.rows import ReadTransaction, WriteTransaction, hash_device_id
from tests.cookies import admin_cookie
from tests.web.client import Client, Page
from tests.web.conftest import setup_of
from tests.web.player import Begin, Player
from tests.web.playing import HAND_430_TO_60, start

FEW = 130


MANY = 1300


class House(NamedTuple):
    phone: Client
    """A phone that holds so many matches in progress and as many finished."""
    home: Client
    """A browser with access to every match of the pad."""


def make_house(folder: Path, count: int) -> House:
    """A pad with so many matches in progress, called Tavolo 0 and so on, and as many finished, called
    Sera 0 and so on, each list in this order.
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
    return House(phone, home)


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


@dataclass
class Work:
    """What SQLite does: the statements that it is asked, and the steps that it takes for them."""

    statements: int = 0
    steps: int = 0

    def add_statement(self, _: str) -> None:
        self.statements += 1

    def add_step(self) -> None:
        self.steps += 1


def work_of_request(client: Client, path: str) -> Work:
    """What SQLite does for a page."""
    work = Work()
    connection = client.app.extensions[STORAGE]._connection().db.conn
    connection.set_trace_callback(work.add_statement)
    connection.set_progress_handler(work.add_step, 1)
    client.raw.get(path)
    connection.set_trace_callback(None)
    connection.set_progress_handler(None, 1)
    return work


@pytest.fixture(scope="module")
def house_of_few(tmp_path_factory: pytest.TempPathFactory) -> House:
    return make_house(tmp_path_factory.mktemp("few"), FEW)


@pytest.fixture(scope="module")
def house_of_many(tmp_path_factory: pytest.TempPathFactory) -> House:
    return make_house(tmp_path_factory.mktemp("many"), MANY)


def first_sides(page: Page) -> list[str]:
    """The first side of each match in a list; there are two names of each."""
    return page.texts("span", class_="match-name")[::2]


def numbered(name: str, first: int, last: int) -> list[str]:
    """`Sera 1299`, `Sera 1298` and so on down to the last."""
    return [f"{name} {number}" for number in range(first, last - 1, -1)]


WHO = pytest.mark.parametrize("who", ["phone", "home"])


@WHO
@pytest.mark.parametrize(
    ("path", "most_statements"), [("/", 72), ("/in-corso", 122), ("/stato", 13)]
)
def test_a_page_reads_no_more_among_many_matches_than_among_a_few(
    house_of_few: House, house_of_many: House, who: str, path: str, most_statements: int
) -> None:
    among_few = getattr(house_of_few, who)
    among_many = getattr(house_of_many, who)
    among_few.raw.get(path)  # what is cached is read before
    among_many.raw.get(path)

    work_among_few = work_of_request(among_few, path)
    work_among_many = work_of_request(among_many, path)

    assert work_among_many.statements == work_among_few.statements
    assert work_among_many.statements < most_statements
    # Each further match is counted, and those of a phone are put in order; none of them is read.
    further_matches = 2 * (MANY - FEW)
    assert work_among_many.steps - work_among_few.steps < 200 * further_matches


@WHO
def test_the_pages_show_the_first_of_all_and_how_many_there_are(
    house_of_many: House, who: str
) -> None:
    client = getattr(house_of_many, who)

    home = client.get("/")
    all_in_progress = client.get(home.links()["Tutte le partite in corso (1.300)"])

    assert first_sides(home) == numbered("Tavolo", 1299, 1280) + numbered("Sera", 1299, 1270)
    assert first_sides(all_in_progress) == numbered("Tavolo", 1299, 1200)
    assert "Qui ci sono le prime 100 di 1.300" in all_in_progress.text


@WHO
def test_a_search_finds_those_further_down_and_counts_them(house_of_many: House, who: str) -> None:
    client = getattr(house_of_many, who)
    found = client.get("/?cerca=sera 12")
    # 12; 112, 212 and so on to 1112; 120 to 129; 1120 to 1129; 1200 to 1299.
    assert f"{1 + 11 + 10 + 10 + 100} partite trovate" in found.text
    # Those in progress stand before, twenty of them.
    assert first_sides(found)[20:] == numbered("Sera", 1299, 1270)


# ---------------------------------------------------------------- the logs behind a search


def test_a_search_and_the_list_of_players_read_no_log(
    client: Client, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(name_0="Rossi", place="Bar").end("time")
    begin(name_0="Verdi", place="Casa").end("time")
    begin(name_0="Bianchi", place="Bar").end("time")

    def fail(*_: object) -> None:
        pytest.fail("a log was read")

    monkeypatch.setattr(ReadTransaction, "entries", fail)

    assert len(client.get("/?cerca=rossi").all("a", class_="match")) == 1
    assert len(client.get("/?cerca=bar").all("a", class_="match")) == 2
    assert len(client.get("/?cerca=verdi casa").all("a", class_="match")) == 1
    client.get("/giocatori/zoe", status=404)
    assert client.get("/giocatori").all("ul", class_="names") == []
