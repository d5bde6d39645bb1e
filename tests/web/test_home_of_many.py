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

FEW_MATCHES = 130
MANY_MATCHES = 1300


class PadOfMany(NamedTuple):
    """Two browsers at a pad with many matches."""

    phone: Client
    """Owns all these matches."""
    admin: Client
    """Has access to every match of the pad."""


def make_pad_with_matches(folder: Path, count: int) -> PadOfMany:
    """Make a pad with `count` matches in progress, and as many finished ones.

    The first sides of those in progress are Tavolo 0, Tavolo 1 and so on ("Table 0"), those of the
    finished ones Sera 0, Sera 1 and so on ("Evening 0").
    """
    app = create_app(Config(folder / f"{count}.db", b"k" * 32, testing=True))
    phone = Client(app)
    in_progress = Player(phone, setup_of(app).pad, start(phone))
    finished = Player(phone, setup_of(app).pad, start(phone))
    finished.play(HAND_430_TO_60)
    finished.end("time")

    # Playing 1300 matches would take long. Instead the rows of one of each kind are copied.
    with app.extensions[STORAGE].writing() as rows:
        copy_match(rows, in_progress, "Tavolo", count)
        copy_match(rows, finished, "Sera", count)
    admin = Client(app)
    admin.raw.set_cookie("scorepad_admin", admin_cookie())
    return PadOfMany(phone, admin)


def copy_match(rows: WriteTransaction, player: Player, name: str, count: int) -> None:
    """Replace the match of a player by `count` copies, which this player owns.

    Their first sides have this name and a number.
    """
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
class DatabaseWork:
    """How many statements SQLite ran, and how many steps of its virtual machine."""

    statements: int = 0
    steps: int = 0

    def add_statement(self, _: str) -> None:
        self.statements += 1

    def add_step(self) -> None:
        self.steps += 1


def database_work_of(client: Client, path: str) -> DatabaseWork:
    """Count what SQLite does while a client fetches a page."""
    # SQLite calls the first function at each statement, and the second one at each step.
    work = DatabaseWork()
    connection = client.app.extensions[STORAGE]._connection().db.conn
    connection.set_trace_callback(work.add_statement)
    connection.set_progress_handler(work.add_step, 1)
    client.raw.get(path)
    connection.set_trace_callback(None)
    connection.set_progress_handler(None, 1)
    return work


@pytest.fixture(scope="module")
def few_matches(tmp_path_factory: pytest.TempPathFactory) -> PadOfMany:
    return make_pad_with_matches(tmp_path_factory.mktemp("few"), FEW_MATCHES)


@pytest.fixture(scope="module")
def many_matches(tmp_path_factory: pytest.TempPathFactory) -> PadOfMany:
    return make_pad_with_matches(tmp_path_factory.mktemp("many"), MANY_MATCHES)


def names_of_first_sides(page: Page) -> list[str]:
    """Return the name of the first side of each match in a list."""
    names_of_both_sides = page.texts("span", class_="match-name")
    return names_of_both_sides[::2]


def numbered(name: str, first: int, last: int) -> list[str]:
    """Return a name with numbers in descending order: `Sera 1299`, `Sera 1298`, … `Sera 1270`."""
    return [f"{name} {number}" for number in range(first, last - 1, -1)]


AS_PHONE_AND_AS_ADMIN = pytest.mark.parametrize("browser", ["phone", "admin"])


@AS_PHONE_AND_AS_ADMIN
@pytest.mark.parametrize(
    ("path", "most_statements"),
    [
        # These show 50 and 100 matches: there is no statement for each of them.
        ("/", 50),
        ("/in-corso", 100),
        # Every open home page asks for this again and again, to find out whether anything changed.
        ("/stato", 13),
    ],
)
def test_page_reads_no_more_rows_with_more_matches(
    few_matches: PadOfMany, many_matches: PadOfMany, browser: str, path: str, most_statements: int
) -> None:
    # A first request fills the caches.
    client_of_few = getattr(few_matches, browser)
    client_of_many = getattr(many_matches, browser)
    client_of_few.raw.get(path)
    client_of_many.raw.get(path)

    with_few = database_work_of(client_of_few, path)
    with_many = database_work_of(client_of_many, path)

    assert with_many.statements == with_few.statements
    assert with_many.statements < most_statements
    # Each further match, in progress or finished, is counted and sorted. It is not read, which
    # would take more than 200 steps.
    further_matches = 2 * (MANY_MATCHES - FEW_MATCHES)
    assert with_many.steps - with_few.steps < 200 * further_matches


@AS_PHONE_AND_AS_ADMIN
def test_pages_show_first_matches_and_total_number(many_matches: PadOfMany, browser: str) -> None:
    client = getattr(many_matches, browser)

    # The home page shows the last 20 matches in progress, and the last 30 finished ones.
    home = client.get("/")
    first_in_progress = numbered("Tavolo", 1299, 1280)
    first_finished = numbered("Sera", 1299, 1270)
    assert names_of_first_sides(home) == first_in_progress + first_finished

    # "All matches in progress" leads to the last hundred: "Here are the first 100 of 1,300".
    in_progress = client.get(home.links()["Tutte le partite in corso (1.300)"])
    assert names_of_first_sides(in_progress) == numbered("Tavolo", 1299, 1200)
    assert "Qui ci sono le prime 100 di 1.300" in in_progress.text


@AS_PHONE_AND_AS_ADMIN
def test_search_finds_matches_not_shown_on_page(many_matches: PadOfMany, browser: str) -> None:
    client = getattr(many_matches, browser)

    page = client.get("/?cerca=sera 12")

    # Of the finished matches 0 to 1299 those are found whose numbers contain 12. They are 12
    # itself, 112 to 912 (9), 1012 and 1112 (2), 120 to 129 (10), 1120 to 1129 (10) and 1200 to 1299
    # (100).
    assert "132 partite trovate" in page.text
    # The list of the found ones follows that of twenty matches in progress.
    found = names_of_first_sides(page)[20:]
    assert found == numbered("Sera", 1299, 1270)


# ---------------------------------------------------------------- the logs behind a search


def test_search_and_player_list_do_not_read_logs(
    client: Client, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The log of a match grows with each hand. Names and places are found without it.
    begin(name_0="Rossi", place="Bar").end("time")
    begin(name_0="Verdi", place="Casa").end("time")
    begin(name_0="Bianchi", place="Bar").end("time")

    def fail(*_arguments: object) -> None:
        pytest.fail("a log was read")

    # `entries` is the method that reads the log of a match.
    monkeypatch.setattr(ReadTransaction, "entries", fail)

    assert len(client.get("/?cerca=rossi").all("a", class_="match")) == 1
    assert len(client.get("/?cerca=bar").all("a", class_="match")) == 2
    assert len(client.get("/?cerca=verdi casa").all("a", class_="match")) == 1
    client.get("/giocatori/zoe", status=404)
    assert client.get("/giocatori").all("ul", class_="names") == []
