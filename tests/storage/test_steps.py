"""A file of an earlier scorepad is brought up where it stands, and loses nothing on the way."""

import errno
import secrets
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from scorepad.storage import Storage, copying, opening
from scorepad.storage.digests import known_as, seal
from scorepad.storage.errors import BrokenFile, NotKept
from scorepad.storage.records import ANYBODY, Kind
from scorepad.storage.schema import APPLICATION_ID, described, migrations, shape
from scorepad.storage.writing import as_json, as_moment
from tests.storage.conftest import opened_at_once

PHONE, TABLET = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
HANDS = 5


@pytest.fixture
def first(path: Path, rows) -> Path:
    """A file as step 1 left it: the names of the devices as they stand in their cookies, nothing of what was sent."""
    at = as_moment(rows.moment)
    with closing(Database(path, execute_plugins=False)) as db:
        migrations.apply(db, stop_before="devices_unread_and_what_was_sent")
        db.execute(f"pragma application_id = {APPLICATION_ID}")
        db.execute("pragma user_version = 1")
        for number, device in enumerate((PHONE, TABLET, "@keeper")):
            match = f"m{number}"
            _put(db, "matches", match, "r1", at) if number else _rules(db, match, at)
            db.execute("insert into grants values (?, ?, 'own', ?)", [device, match, at])
            for sequence in range(1, HANDS + 1):
                said = (match, sequence, "hand", at, device, f"{match}-{sequence}", as_json({"points": sequence}))
                db.execute("insert into entries values (null, ?, ?, ?, ?, ?, ?, ?, ?)", [*said, seal(*said)])
            _put(db, "open_hands", match, f"{match}-1", 1, as_json({"a-red": "1"}), device, at)
        db.conn.commit()
    return path


def _rules(db: Database, match: str, at: str) -> None:
    _put(db, "rulesets", "r1", as_json({"target": 5000}))
    _put(db, "matches", match, "r1", at)


def _put(db: Database, table: str, *said: str | int) -> None:
    places = ", ".join("?" * (len(said) + 1))
    db.execute(f"insert into {table} values ({places})", [*said, seal(*said)])  # noqa: S608


def test_an_earlier_file_comes_to_the_shape_of_a_new_one(first: Path) -> None:
    Storage(first).close()
    with closing(Database(first, execute_plugins=False)) as db:
        assert described(db) == shape(5)
        assert db.execute("pragma user_version").fetchone() == (5,)
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)


def test_the_names_that_devices_carry_are_nowhere_in_a_file_brought_up(first: Path) -> None:
    assert PHONE.encode() in first.read_bytes()
    Storage(first).close()
    left = first.read_bytes()
    assert PHONE.encode() not in left
    assert TABLET.encode() not in left
    assert known_as(PHONE).encode() in left


def test_everybody_keeps_what_was_theirs(first: Path) -> None:
    with Storage(first) as storage, storage.reading() as reading:
        for number, device in enumerate((PHONE, TABLET, "@keeper")):
            match, mark = f"m{number}", known_as(device)
            assert reading.access(match, mark) == "own"
            assert reading.access(match, known_as("somebody else")) is None
            entries = reading.entries(match)
            assert [(entry.device, entry.sent, entry.payload) for entry in entries] == [
                (mark, None, {"points": sequence}) for sequence in range(1, HANDS + 1)
            ]
            kept = reading.open_hand(match)
            assert kept is not None
            assert (kept.device, kept.draft) == (mark, {"a-red": "1"})


def test_the_log_of_a_file_brought_up_takes_no_change(first: Path) -> None:
    Storage(first).close()
    with closing(sqlite3.connect(first)) as db:
        for statement in ("update entries set device = 'x'", "update entries set sent = 'x'", "delete from entries"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                db.execute(statement)


def test_what_was_garbled_before_is_told_afterwards_and_nothing_else(first: Path) -> None:
    whole = first.read_bytes()
    assert whole.count(b'{"points":4}') == 3
    garbled = whole.replace(b'{"points":4}', b'{"points":9}', 1)
    at = garbled.rindex(b'{"points":2}')
    first.write_bytes(garbled[:at] + b'{"poin":"\xff"}' + garbled[at + 12 :])
    told = []
    with Storage(first) as storage:
        for number in range(3):
            try:
                with storage.reading() as reading:
                    reading.entries(f"m{number}")
            except BrokenFile:
                told.append(number)
    assert len(told) == 2


def test_an_earlier_file_garbled_beyond_that_is_refused(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_SEARCHED", 0)
    garbled = first.read_bytes().replace(b'{"points":4}', b'{"points":x}', 1)
    first.write_bytes(garbled)
    with pytest.raises(BrokenFile):
        Storage(first)
    assert first.read_bytes() == garbled


def test_a_file_that_cannot_be_brought_up_whole_stays_as_it_was(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = first.read_bytes()

    def fail(*_: object) -> str:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr("scorepad.storage.schema.seal", fail)
        with pytest.raises(MemoryError):
            Storage(first)
    assert first.read_bytes() == before
    Storage(first).close()


def test_a_device_is_known_by_a_digest_and_the_program_itself_by_its_name() -> None:
    assert len(known_as(PHONE)) == 64
    assert known_as(PHONE) != known_as(TABLET)
    assert known_as("@keeper") == "@keeper"


def test_a_browser_on_the_machine_itself_is_known_as_it_is_anywhere_else() -> None:
    assert known_as(f"@home:{PHONE}") == known_as(PHONE)


# ---------------------------------------------------------------- from step 2

NAMES = (("Ada", "Bea"), ("Cleo", "Dora"))
LATER = (("Ada", "Elsa"), ("Cleo", "Dora"))


@pytest.fixture
def second(path: Path, rows) -> Path:
    """A file as step 2 left it: players named, renamed, named back; a log that is garbled, and a row of the list."""
    at = as_moment(rows.moment)
    with closing(Database(path, execute_plugins=False)) as db:
        migrations.apply(db, stop_before="keys_seats_and_players")
        db.execute(f"pragma application_id = {APPLICATION_ID}")
        db.execute("pragma user_version = 2")
        _put(db, "rulesets", "r1", as_json({"target": 5000}))
        for number, match in enumerate(("named", "renamed", "back", "garbled", "list")):
            _put(db, "matches", match, "r1", at)
            db.execute("insert into grants values (?, ?, 'own', ?)", [known_as(PHONE), match, at])
            if number % 2:
                db.execute("insert into grants values (?, ?, 'view', ?)", [known_as(TABLET), match, at])
            _log(db, match, at)
            _put(db, "summaries", match, "classica", as_json(["Noi", "Loro"]), as_json([430, -15]), 1, 5000, 1, 1, at,
                 at, number)  # fmt: skip
        db.execute("update summaries set totals = '[431,-15]' where match_id = 'list'")
        db.conn.commit()
    return path


def _log(db: Database, match: str, at: str) -> None:
    kinds = [("start", {"players": NAMES}), ("hand", {"points": 1})]
    if match in ("renamed", "back"):
        kinds.append(("rename", {"players": LATER}))
    if match == "back":
        kinds.append(("undo", {"entry": 3, "kind": "rename", "number": None}))
    for sequence, (kind, payload) in enumerate(kinds, 1):
        said = (match, sequence, kind, at, known_as(PHONE), f"{match}-{sequence}", as_json(payload), None)
        sealed = seal(*said) if match != "garbled" else "0" * 24
        db.execute(
            "insert into entries (match_id, sequence, kind, at, device, request, payload, sent, seal)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [*said, sealed],
        )


def test_the_lists_tell_who_plays_as_the_log_names_them_last(second: Path, rows) -> None:
    with Storage(second) as storage, storage.reading() as reading:
        listing = reading.summaries(known_as(PHONE), Kind.FINISHED)
    players = {row.match: row.players for row in listing.rows}
    assert players == {"named": NAMES, "renamed": LATER, "back": NAMES, "garbled": ()}
    assert listing.garbled == ("list",), "what was garbled before is so afterwards, and nothing else"
    assert {(row.totals, row.winner, row.practice, row.ending) for row in listing.rows} == {((430, -15), 1, False, "")}


def test_devices_are_numbered_in_the_order_in_which_they_came(second: Path) -> None:
    early, late = sorted((known_as(PHONE), known_as(TABLET)))
    with Storage(second) as storage, storage.reading() as reading:
        assert reading.numbers("named") == {known_as(PHONE): 1}
        assert reading.numbers("renamed") == {early: 1, late: 2}
        assert [(grant.device, grant.number, grant.side) for grant in reading.grants("renamed")] == [
            (early, 1, None), (late, 2, None),
        ]  # fmt: skip
        assert reading.key_of("named", "write") is None, "nobody has a key to a match of before"


# ---------------------------------------------------------------- from step 3

PLACES = {"first": 3, "over": 5, "second": 8, "tried": 13, "turned": 21, "bytes": 34}
"""Matches and the place of each: one is finished, one is practice, and the last two are garbled, still in progress."""


@pytest.fixture
def third(path: Path, rows) -> Path:
    """A file as step 3 left it: its lists are not in order, two of its rows are garbled and one went."""
    at = as_moment(rows.moment)
    with closing(Database(path, execute_plugins=False)) as db:
        migrations.apply(db, stop_before="lists_in_order")
        db.execute(f"pragma application_id = {APPLICATION_ID}")
        db.execute("pragma user_version = 3")
        _put(db, "rulesets", "r1", as_json({"target": 5000}))
        for match in (*PLACES, "gone"):
            _put(db, "matches", match, "r1", at)
            db.execute("insert into grants values (?, ?, 'own', ?, null)", [known_as(PHONE), match, at])
        for match, place in PLACES.items():
            _summary(db, match, place, at)
            if place % 2:
                db.execute("insert into grants values (?, ?, 'view', ?, 1)", [known_as(TABLET), match, at])
        _log(db, "first", at)
        db.execute("update summaries set hands = 7 where match_id = 'turned'")
        db.execute("update summaries set names = cast(x'5b22ff225d' as text) where match_id = 'bytes'")
        db.conn.commit()
    return path


def _summary(db: Database, match: str, place: int, at: str) -> None:
    said = (match, "classica", as_json(["Noi", "Loro"]), as_json([430, -15]), 1, 5000, int(match == "over"), None, at,
            at, place, as_json(NAMES), int(match == "tried"), "")  # fmt: skip
    columns = "match_id, variant, names, totals, hands, target, finished, winner, started, changed, place, players"
    statement = f"insert into summaries ({columns}, practice, ending, seal) values ({', '.join('?' * 15)})"  # noqa: S608
    db.execute(statement, [*said, seal(*said)])


def test_a_file_brought_up_lists_its_matches_in_order_and_by_number(third: Path) -> None:
    with Storage(third) as storage, storage.reading() as reading:
        for holder, going_on, over, tried in (
            (known_as(PHONE), ("bytes", "turned", "second", "first", "gone"), ("over",), ("tried",)),
            (ANYBODY, ("bytes", "turned", "second", "first"), ("over",), ("tried",)),
            (known_as(TABLET), ("turned", "first"), ("over",), ("tried",)),
            ("nobody", (), (), ()),
        ):
            for kind, expected in zip(
                (Kind.IN_PROGRESS, Kind.FINISHED, Kind.PRACTICE), (going_on, over, tried), strict=True
            ):
                assert tuple(match for _, match in reading.listed(holder, kind)) == expected
            counts = {each.kind: each.matches for each in reading.lists(holder)}
            assert sum(counts.values()) == len(going_on) + len(over) + len(tried)
            assert counts.get(Kind.IN_PROGRESS, 0) == len(going_on)
        listing = reading.summaries(known_as(PHONE), Kind.IN_PROGRESS)
        assert [each.match for each in listing.rows] == ["second", "first"]
        assert listing.garbled == ("bytes", "turned", "gone"), "what was garbled before is so afterwards"


def test_who_plays_where_is_found_by_the_index_in_a_file_brought_up(third: Path) -> None:
    with Storage(third) as storage, storage.reading() as reading:
        assert reading.naming_texts(["first", "over"]) == {"first": [as_json({"players": NAMES}).encode()]}
        assert [entry.kind for entry in reading.naming("first")] == ["start"]


# ---------------------------------------------------------------- the backup before, and steps cut short


def test_a_backup_of_the_earlier_file_stays_beside_it(first: Path) -> None:
    before = dump(first)
    Storage(first).close()
    kept = first.with_name("scorepad-schema-1.db")
    assert dump(kept) == before
    assert sorted(each.name for each in first.parent.iterdir()) == [kept.name, first.name]
    Storage(first).close()
    assert sorted(each.name for each in first.parent.iterdir()) == [kept.name, first.name], "one start, one backup"


def test_a_new_file_needs_no_backup(path: Path) -> None:
    Storage(path).close()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_another_file_of_that_name_is_left_alone_and_the_same_backup_is_not_made_twice(first: Path) -> None:
    earlier = first.read_bytes()
    kept = first.with_name("scorepad-schema-1.db")
    kept.write_bytes(b"something of somebody's")
    Storage(first).close()
    assert kept.read_bytes() == b"something of somebody's"
    first.write_bytes(earlier)  # somebody put the copy back, and starts again
    Storage(first).close()
    names = ["scorepad-schema-1-2.db", "scorepad-schema-1.db", "scorepad.db"]
    assert sorted(each.name for each in first.parent.iterdir()) == names


def test_where_no_backup_can_be_made_the_file_is_not_touched(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = first.read_bytes()

    def full(_: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(copying, "sync", full)
        with pytest.raises(NotKept) as told:
            Storage(first)
    assert (told.value.reason, told.value.path) == ("full", first)
    assert first.read_bytes() == before
    assert [each.name for each in first.parent.iterdir()] == [first.name]
    Storage(first).close()


def test_two_who_bring_a_file_up_at_once_leave_one_backup_of_what_it_was(first: Path) -> None:
    before = dump(first)
    assert opened_at_once(first, 4) == []
    assert sorted(each.name for each in first.parent.iterdir()) == ["scorepad-schema-1.db", "scorepad.db"]
    assert dump(first.with_name("scorepad-schema-1.db")) == before


def dump(path: Path) -> tuple[int, list[str]]:
    """All that a file says, but for the moments at which the library took its steps."""
    with closing(sqlite3.connect(path)) as db:
        version = db.execute("pragma user_version").fetchone()[0]
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)
        return version, [line for line in db.iterdump() if 'INTO "_sqlite_migrations"' not in line]


CUT = """
import os, sys
from pathlib import Path
from scorepad.storage import Storage, opening

def brought_up(path, last):
    real, seen = opening.connect, 0
    def count(statement):
        nonlocal seen
        seen += 1
        if seen == last:
            os._exit(9)
    def traced(path):
        db = real(path)
        db.execute("pragma cache_size = 1")  # so that what is not committed comes to the disk too
        db.conn.set_trace_callback(count)
        return db
    opening.connect = traced
    Storage(path)
    os._exit(0)

source, folder = Path(sys.argv[1]), Path(sys.argv[2])
whole, last = source.read_bytes(), 1
while True:
    path = folder / str(last) / "scorepad.db"
    path.parent.mkdir()
    path.write_bytes(whole)
    child = os.fork()
    if child == 0:
        brought_up(path, last)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 0:
        print(last)
        break
    assert status == 9, status
    last += 1
"""


@pytest.mark.parametrize("version", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_steps_cut_short_at_any_statement_leave_the_file_as_it_was_or_brought_up(
    version: int, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    source: Path = request.getfixturevalue({1: "first", 2: "second"}[version])
    before = dump(source)
    folder, control = tmp_path / "cut", tmp_path / "control.db"
    folder.mkdir()
    control.write_bytes(source.read_bytes())
    Storage(control).close()
    after = dump(control)
    done = subprocess.run([sys.executable, "-c", CUT, str(source), str(folder)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    statements = int(done.stdout)
    assert statements > 40
    found, hot = Counter(), 0
    for last in range(1, statements):
        path = folder / str(last) / "scorepad.db"
        hot += path.with_name("scorepad.db-journal").exists()
        told = dump(path)
        assert told in (before, after), last
        found[told[0]] += 1
        Storage(path).close()
        assert dump(path) == after, f"the start after the one cut at statement {last} goes on"
    assert hot > 10, "some were cut with half of it on the disk"
    assert found[version] > 40
    print(
        f"steps from schema {version} cut at each of {statements - 1} statements: old or new every time, never between"
    )
