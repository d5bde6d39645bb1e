"""The first page among very many matches: it reads no more rows than among a few, and shows the
same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

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


Browsers = dict[str, Client]
"""Two browsers at a pad: "owner" owns all its matches, "admin" may see the matches of everybody."""


def make_pad_with_matches(folder: Path, count: int) -> Browsers:
    """Make a pad with `count` matches in progress, and as many finished ones. Return two browsers
    that see them: "owner", who owns them, and "admin", who may see every match.

    The first sides of those in progress are Tavolo 0, Tavolo 1 and so on ("Table 0"), those of the
    finished ones Sera 0, Sera 1 and so on ("Evening 0").
    """
    app = create_app(Config(folder / f"{count}.db", b"k" * 32, testing=True))
    pad = setup_of(app).pad

    # One browser starts two matches. The second one is ended after a hand, because of the time.
    owner = Client(app)
    in_progress = Player(owner, pad, start(owner))
    finished = Player(owner, pad, start(owner))
    finished.play(HAND_430_TO_60)
    finished.end("time")

    # To play so many matches would take long. Instead the rows of these two are copied in the
    # database.
    storage = app.extensions[STORAGE]
    with storage.writing() as rows:
        copy_match(rows, in_progress, "Tavolo", count)
        copy_match(rows, finished, "Sera", count)

    # Another browser has the cookie of an administrator.
    admin = Client(app)
    admin.raw.set_cookie("scorepad_admin", admin_cookie())
    return {"owner": owner, "admin": admin}


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
    # This is the `sqlite3.Connection` of the app.
    storage = client.app.extensions[STORAGE]
    connection = storage._connection().db.conn

    # SQLite is to call `add_statement` for each statement, and `add_step` after every single step
    # of the virtual machine in which it runs them.
    work = DatabaseWork()
    connection.set_trace_callback(work.add_statement)
    connection.set_progress_handler(work.add_step, 1)

    client.raw.get(path)

    connection.set_trace_callback(None)
    connection.set_progress_handler(None, 1)
    return work


@pytest.fixture(scope="module")
def few_matches(tmp_path_factory: pytest.TempPathFactory) -> Browsers:
    return make_pad_with_matches(tmp_path_factory.mktemp("few"), FEW_MATCHES)


@pytest.fixture(scope="module")
def many_matches(tmp_path_factory: pytest.TempPathFactory) -> Browsers:
    return make_pad_with_matches(tmp_path_factory.mktemp("many"), MANY_MATCHES)


def names_of_first_sides(page: Page) -> list[str]:
    """Return the name of the first side of each match in a list."""
    names_of_both_sides = page.texts("span", class_="match-name")
    return names_of_both_sides[::2]


def numbered(name: str, first: int, last: int) -> list[str]:
    """Return a name with numbers in descending order: `Sera 1299`, `Sera 1298`, … `Sera 1270`."""
    return [f"{name} {number}" for number in range(first, last - 1, -1)]


AS_OWNER_AND_AS_ADMIN = pytest.mark.parametrize("browser", ["owner", "admin"])


@AS_OWNER_AND_AS_ADMIN
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
    few_matches: Browsers, many_matches: Browsers, browser: str, path: str, most_statements: int
) -> None:
    # One pad has 130 matches in progress and as many finished ones, the other 1300 of each kind. The
    # first request to a pad fills its caches.
    client_of_few = few_matches[browser]
    client_of_many = many_matches[browser]
    client_of_few.raw.get(path)
    client_of_many.raw.get(path)

    work_with_few = database_work_of(client_of_few, path)
    work_with_many = database_work_of(client_of_many, path)

    # There are as many SQL statements for 1300 matches as for 130.
    assert work_with_many.statements == work_with_few.statements
    assert work_with_many.statements < most_statements

    # SQLite runs a statement in small steps. To count and sort a match takes a few of them. To read
    # it as well would take more than 200.
    further_matches = 2 * (MANY_MATCHES - FEW_MATCHES)
    further_steps = work_with_many.steps - work_with_few.steps
    assert further_steps / further_matches < 200


@AS_OWNER_AND_AS_ADMIN
def test_pages_show_first_matches_and_total_number(many_matches: Browsers, browser: str) -> None:
    client = many_matches[browser]

    # Of 1300 matches in progress, "Tavolo 0" to "Tavolo 1299", the home page shows the last 20. Of
    # 1300 finished ones, "Sera 0" to "Sera 1299", it shows the last 30. The last ones come first.
    home = client.get("/")
    shown_in_progress = numbered("Tavolo", 1299, 1280)
    shown_finished = numbered("Sera", 1299, 1270)
    assert names_of_first_sides(home) == shown_in_progress + shown_finished

    # The link "All matches in progress (1,300)" leads to a page with the last hundred: "Here are
    # the first 100 of 1,300".
    link = home.links()["Tutte le partite in corso (1.300)"]
    in_progress = client.get(link)
    assert names_of_first_sides(in_progress) == numbered("Tavolo", 1299, 1200)
    assert "Qui ci sono le prime 100 di 1.300" in in_progress.text


@AS_OWNER_AND_AS_ADMIN
def test_search_finds_matches_not_shown_on_page(many_matches: Browsers, browser: str) -> None:
    client = many_matches[browser]

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
