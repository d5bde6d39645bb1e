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
from tests.storage.conftest import Rows, list_names, run_together


@pytest.fixture
def file_of_version_1(path: Path, rows: Rows, use_later_schema: Callable[[], None]) -> Path:
    """Make a file of version 1 with three matches of twelve hands each; go on with version 2.

    When the file is opened then, it is migrated: its tables are changed to those of version 2.
    """
    with Storage(path) as storage, storage.writing() as writing:
        for match in ("m0", "m1", "m2"):
            rows.fill(writing, match, hands=12)
    use_later_schema()
    return path


def test_migrated_file_has_the_schema_of_a_new_one(file_of_version_1: Path, tmp_path: Path) -> None:
    new_file = tmp_path / "new.db"
    assert find_expected_objects(2) != find_expected_objects(1), "version 2 has other tables"

    # The first file is migrated when it is opened, the second one is created.
    for path in (file_of_version_1, new_file):
        Storage(path).close()
        with closing(Database(path, execute_plugins=False)) as db:
            assert read_schema_objects(db) == find_expected_objects(2)
            assert db.execute("pragma user_version").fetchone() == (2,)
            assert db.execute("pragma integrity_check").fetchone() == ("ok",)


def test_file_in_which_the_migration_fails_is_refused(
    file_of_version_1: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The fourth entry of a match is garbled.
    garbled = file_of_version_1.read_bytes().replace(b'{"points":4}', b'{"points":x}', 1)
    file_of_version_1.write_bytes(garbled)

    # A file larger than this limit is not checked when it is opened. With a limit of 0 bytes none is,
    # so that the error is found only while the migration reads the entries.
    monkeypatch.setattr(file_connection, "_LARGEST_CHECKED", 0)
    with pytest.raises(BrokenFile):
        Storage(file_of_version_1)

    assert file_of_version_1.read_bytes() == garbled


def test_migration_leaves_one_backup_of_the_earlier_file(file_of_version_1: Path) -> None:
    content_before = dump(file_of_version_1)

    # The first start migrates the file. The second one has nothing to do.
    Storage(file_of_version_1).close()
    Storage(file_of_version_1).close()

    # The backup is named after the version that the file had, 1.
    assert list_names(file_of_version_1.parent) == ["scorepad-schema-1.db", "scorepad.db"]
    assert dump(file_of_version_1.with_name("scorepad-schema-1.db")) == content_before


def test_backup_of_earlier_file_does_not_replace_a_file_of_its_name(
    file_of_version_1: Path,
) -> None:
    # A file has the name that the backup would have.
    foreign_file = file_of_version_1.with_name("scorepad-schema-1.db")
    foreign_file.write_bytes(b"something of somebody's")

    Storage(file_of_version_1).close()

    # The name of the backup has a 2 more.
    assert foreign_file.read_bytes() == b"something of somebody's"
    expected = ["scorepad-schema-1-2.db", "scorepad-schema-1.db", "scorepad.db"]
    assert list_names(file_of_version_1.parent) == expected


def test_same_backup_of_earlier_file_is_not_made_twice(file_of_version_1: Path) -> None:
    # The file is migrated, which leaves a backup.
    earlier_content = file_of_version_1.read_bytes()
    Storage(file_of_version_1).close()

    # Somebody puts the backup back in its place. The file is migrated again.
    file_of_version_1.write_bytes(earlier_content)
    Storage(file_of_version_1).close()

    assert list_names(file_of_version_1.parent) == ["scorepad-schema-1.db", "scorepad.db"]


def test_file_is_not_migrated_where_no_backup_can_be_made(
    file_of_version_1: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content_before = file_of_version_1.read_bytes()

    def sync_to_full_disk(_: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    # The disk is full, which comes out when the backup is written to it.
    with monkeypatch.context() as patch:
        patch.setattr(backup, "sync", sync_to_full_disk)
        with pytest.raises(NotKept) as error:
            Storage(file_of_version_1)

    assert error.value.reason == "full"
    assert error.value.path == file_of_version_1

    # The file is as it was, and nothing lies beside it.
    assert file_of_version_1.read_bytes() == content_before
    assert list_names(file_of_version_1.parent) == ["scorepad.db"]

    # Once there is room, the file is opened.
    Storage(file_of_version_1).close()


def test_simultaneous_migrations_leave_one_backup(file_of_version_1: Path) -> None:
    content_before = dump(file_of_version_1)

    # Four threads open the file at the same moment: each would have to migrate it.
    errors = run_together([lambda: Storage(file_of_version_1).close()] * 4)

    assert errors == []
    # There is one backup, of the file as it was before.
    assert list_names(file_of_version_1.parent) == ["scorepad-schema-1.db", "scorepad.db"]
    assert dump(file_of_version_1.with_name("scorepad-schema-1.db")) == content_before


def dump(path: Path) -> tuple[int, list[str]]:
    """Return the version of a file and its content as SQL; assert that the file is sound.

    The times at which it was migrated are left out.
    """
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)
        (version,) = db.execute("pragma user_version").fetchone()
        content = [line for line in db.iterdump() if 'INTO "_sqlite_migrations"' not in line]
    return version, content


# A program that gets a data file and a folder. It copies the file into `1/scorepad.db` in this folder,
# and starts a child process that opens the copy, and so migrates it. The child ends at the first
# SQL statement, as if it were killed. With the next copy it ends at the second one, and so on, until
# a child comes to the end of the migration. The number of this last copy is printed.
INTERRUPT_MIGRATION_AT_EACH_STATEMENT = """
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


def test_migrated_file_keeps_every_row(file_of_version_1: Path, rows: Rows) -> None:
    with Storage(file_of_version_1) as storage, storage.reading() as reading:
        for match in ("m0", "m1", "m2"):
            # The phone that started the match still owns it.
            access, *_ = reading.find_role(match, "phone")
            assert access == "own"

            # Its twelve hands are worth 1, 2, 3 and so on up to 12 points.
            points = [entry.payload["points"] for entry in reading.entries(match)]
            assert points == list(range(1, 13))

            # What was typed of the next hand is still there.
            assert reading.open_hand(match) == rows.open_hand(match=match)


def test_migrated_file_has_what_the_migration_adds(file_of_version_1: Path) -> None:
    Storage(file_of_version_1).close()

    with closing(sqlite3.connect(file_of_version_1)) as db:
        # Version 2 has a table of rooms, filled with one for every match ("Sala" means room).
        rooms = db.execute("select name from rooms order by 1").fetchall()
        assert rooms == [("Sala m0",), ("Sala m1",), ("Sala m2",)]

        # It has a column for the points of an entry, filled from the JSON of the entry. In each of
        # three matches there are twelve hands of 1 to 12 points: 1 + 2 + … + 12 = 78.
        assert db.execute("select sum(points) from entries").fetchone() == (3 * 78,)


def test_interrupted_migration_is_completed_by_the_next_start(
    file_of_version_1: Path, tmp_path: Path
) -> None:
    old_content = dump(file_of_version_1)
    migrated_content = dump(migrate_copy(file_of_version_1, tmp_path / "migrated.db"))

    # The migration of a copy is killed at its first SQL statement, that of another copy at the second
    # one, and so on. A journal beside a copy means that half a transaction is on the disk.
    files = interrupt_at_each_statement(file_of_version_1, tmp_path / "interrupted")
    files_with_journal = [path for path in files if path.with_name(f"{path.name}-journal").exists()]

    # Wherever it was killed, the file is as it was before, or wholly migrated.
    contents = [dump(path) for path in files]
    for content in contents:
        assert content in (old_content, migrated_content)

    # Scorepad is started again with each file, and completes its migration.
    for path in files:
        Storage(path).close()
        assert dump(path) == migrated_content

    # Most were killed before the commit, and many with half a transaction on the disk.
    assert contents.count(old_content) > 40
    assert len(files_with_journal) > 10


def migrate_copy(file: Path, copy: Path) -> Path:
    """Copy the file, and bring the copy to version 2; return the copy."""
    copy.write_bytes(file.read_bytes())
    Storage(copy).close()
    return copy


def interrupt_at_each_statement(file: Path, folder: Path) -> list[Path]:
    """Make copies of the file whose migrations are killed, each at another SQL statement.

    Returns them: in `1/scorepad.db` the process was killed at the first statement, and so on.
    """
    folder.mkdir()
    command = [sys.executable, "-c", INTERRUPT_MIGRATION_AT_EACH_STATEMENT, str(file), str(folder)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()

    # It prints the number of the first copy whose migration came to its end.
    copies_killed = int(done.stdout) - 1
    return [folder / str(statement) / "scorepad.db" for statement in range(1, copies_killed + 1)]
