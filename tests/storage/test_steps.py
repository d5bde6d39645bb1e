"""A file of an earlier schema is brought up where it stands, and loses nothing on the way.

No earlier schema was ever released: a version 2 of the tests' own stands for the later one
(`later_schema`).
"""

import errno
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from scorepad.storage import Storage, backup
from scorepad.storage import connection as file_connection
from scorepad.storage.connection import BrokenFile, NotKept
from scorepad.storage.schema import find_expected_objects, read_schema_objects
from tests.storage.conftest import names, together

MATCHES = ("m0", "m1", "m2")
HANDS = 12


@pytest.fixture
def first(path: Path, rows, later: Callable[[], None]) -> Path:
    """A file of version 1 with three matches; the program goes on with version 2."""
    with Storage(path) as storage, storage.writing() as writing:
        for match in MATCHES:
            rows.fill(writing, match, HANDS)
    later()
    return path


def test_an_earlier_file_comes_to_the_shape_of_a_new_one(first: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    assert find_expected_objects(2) != find_expected_objects(1)
    for path in (first, new):
        Storage(path).close()
        with closing(Database(path, execute_plugins=False)) as db:
            assert read_schema_objects(db) == find_expected_objects(2)
            assert db.execute("pragma user_version").fetchone() == (2,)
            assert db.execute("pragma integrity_check").fetchone() == ("ok",)


def test_an_earlier_file_garbled_so_that_the_step_fails_is_refused(
    first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_connection, "_LARGEST_CHECKED", 0)
    garbled = first.read_bytes().replace(b'{"points":4}', b'{"points":x}', 1)
    first.write_bytes(garbled)
    with pytest.raises(BrokenFile):
        Storage(first)
    assert first.read_bytes() == garbled


def test_a_backup_of_the_earlier_file_stays_beside_it(first: Path) -> None:
    before = dump(first)
    for _ in range(2):  # a second start makes no second backup
        Storage(first).close()
        assert names(first.parent) == ["scorepad-schema-1.db", "scorepad.db"]
    assert dump(first.with_name("scorepad-schema-1.db")) == before


def test_another_file_of_that_name_is_left_alone_and_the_same_backup_is_not_made_twice(
    first: Path,
) -> None:
    earlier = first.read_bytes()
    existing = first.with_name("scorepad-schema-1.db")
    existing.write_bytes(b"something of somebody's")
    Storage(first).close()
    assert existing.read_bytes() == b"something of somebody's"
    first.write_bytes(earlier)  # somebody put the copy back, and starts again
    Storage(first).close()
    expected = ["scorepad-schema-1-2.db", "scorepad-schema-1.db", "scorepad.db"]
    assert names(first.parent) == expected


def test_where_no_backup_can_be_made_the_file_is_not_touched(
    first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = first.read_bytes()

    def full(_: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(backup, "sync", full)
        with pytest.raises(NotKept) as error:
            Storage(first)
    assert error.value.reason == "full"
    assert error.value.path == first
    assert first.read_bytes() == before
    assert names(first.parent) == ["scorepad.db"]
    Storage(first).close()


def test_two_who_bring_a_file_up_at_once_leave_one_backup_of_what_it_was(first: Path) -> None:
    before = dump(first)
    assert together([lambda: Storage(first).close()] * 4) == []
    assert names(first.parent) == ["scorepad-schema-1.db", "scorepad.db"]
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
from scorepad.storage import Storage
from scorepad.storage import file_opening
from tests.storage import later_schema

later_schema.use(later_schema.later_migrations())

def brought_up(path, last):
    real, seen = file_opening.connect, 0
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
    file_opening.connect = traced
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


def test_everything_is_there_afterwards(first: Path, rows) -> None:
    with Storage(first) as storage, storage.reading() as reading:
        for match in MATCHES:
            access = reading.find_role(match, "phone")[0]
            assert access == "own"
            points = [entry.payload["points"] for entry in reading.entries(match)]
            assert points == list(range(1, HANDS + 1))
            assert reading.open_hand(match) == rows.open_hand(match=match)


def test_what_the_step_adds_is_there_afterwards(first: Path) -> None:
    Storage(first).close()
    with closing(sqlite3.connect(first)) as db:
        rooms = db.execute("select name from rooms order by 1").fetchall()
        assert rooms == [("Sala m0",), ("Sala m1",), ("Sala m2",)]
        # Twelve hands of 1 to 12 points in each of three matches.
        assert db.execute("select sum(points) from entries").fetchone() == (3 * 78,)


def test_a_step_cut_short_at_any_statement_leaves_the_file_as_it_was_or_brought_up(
    first: Path, tmp_path: Path
) -> None:
    before = dump(first)
    brought_up = tmp_path / "control.db"
    brought_up.write_bytes(first.read_bytes())
    Storage(brought_up).close()
    after = dump(brought_up)

    folder = tmp_path / "cut"
    folder.mkdir()
    command = [sys.executable, "-c", CUT, str(first), str(folder)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    statements = int(done.stdout)
    assert statements > 40

    as_it_was = 0
    half_done_on_disk = 0
    for last in range(1, statements):
        path = folder / str(last) / "scorepad.db"
        half_done_on_disk += path.with_name("scorepad.db-journal").exists()
        found = dump(path)
        assert found in (before, after), last
        as_it_was += found == before
        Storage(path).close()
        assert dump(path) == after, f"the start after the one cut at statement {last} goes on"
    assert half_done_on_disk > 10
    assert as_it_was > 40
    print(
        f"a step from schema 1 cut at each of {statements - 1} statements: old or new every time, never between"
    )
