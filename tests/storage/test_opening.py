"""A file is opened only if it is sound and ours; whatever is refused stays as it was, to the byte."""

import random
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from scorepad.storage import Storage
from scorepad.storage.connection import (
    BrokenFile,
    EarlierFile,
    ForeignFile,
    NewerFile,
    StorageError,
    Unwritable,
)
from scorepad.storage.rows import ANYBODY, MatchList
from scorepad.storage.schema import APPLICATION_ID, EARLIER_IDS, known_version
from tests.storage.conftest import Rows, interrupt_save, list_names, run_together

PAGE_SIZE = 4096


@pytest.fixture
def closed_file(path: Path, rows: Rows) -> Path:
    """Make a data file of 30 matches, "m0" to "m29", each with eight entries; close it."""
    with Storage(path) as storage, storage.writing() as writing:
        for number in range(30):
            rows.fill(writing, f"m{number}", hands=8)
    return path


def assert_refused(path: Path, error: type[StorageError]) -> StorageError:
    """Assert that opening the file raises this error, and changes neither it nor its folder."""
    content_before = path.read_bytes()
    with pytest.raises(error) as caught:
        Storage(path)
    assert path.read_bytes() == content_before
    assert list_names(path.parent) == [path.name]
    assert caught.value.path == path
    return caught.value


def change_file(path: Path, *statements: str) -> None:
    """Run SQL in the file, as another program could."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def test_new_file_has_its_schema_and_is_for_its_owner_only(tmp_path: Path) -> None:
    # Neither folder exists. The name has characters that mean something in an address, because
    # SQLite is given the path in one.
    path = tmp_path / "data" / "of mine" / "pad #1?.db"

    Storage(path).close()

    # The file says that it is one of scorepad, and that its schema has version 1.
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("pragma application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("pragma user_version").fetchone() == (1,)
        steps = connection.execute("select migration_set, name from _sqlite_migrations")
        assert steps.fetchall() == [("scorepad", "version_1")]
    assert known_version() == 1

    # No temporary file is left. Only the owner may read and write the file.
    assert list_names(path.parent) == [path.name]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_opening_a_file_again_changes_no_byte(closed_file: Path) -> None:
    # Each match of the file has eight entries. Those of one are read.
    content_before = closed_file.read_bytes()
    with Storage(closed_file) as storage, storage.reading() as reading:
        assert len(reading.entries("m3")) == 8
    assert closed_file.read_bytes() == content_before


def test_new_file_can_be_opened_by_several_at_once(path: Path) -> None:
    # Eight threads create the same file at the same moment.
    errors = run_together([lambda: Storage(path).close()] * 8)

    assert errors == []
    # No temporary file is left.
    assert list_names(path.parent) == [path.name]


def test_file_of_newer_version_is_refused(closed_file: Path) -> None:
    # A later scorepad has written the file, with a schema of version 7.
    change_file(closed_file, "pragma user_version = 7")

    error = assert_refused(closed_file, NewerFile)

    # The error tells this version, and the latest one that this scorepad knows.
    assert isinstance(error, NewerFile)
    assert error.version == 7
    assert error.known == 1


@pytest.mark.parametrize("application", EARLIER_IDS)
def test_file_from_before_the_first_release_is_refused(closed_file: Path, application: int) -> None:
    # A database of SQLite has a number that says whose it is. Before the first release, the numbers
    # of scorepad were others.
    change_file(closed_file, f"pragma application_id = {application}")
    assert_refused(closed_file, EarlierFile)


def test_file_without_a_trigger_is_refused(closed_file: Path) -> None:
    # The trigger keeps entries from being changed.
    change_file(closed_file, "drop trigger entries_never_change")
    assert_refused(closed_file, BrokenFile)


def test_foreign_database_is_refused(path: Path) -> None:
    change_file(path, "create table contacts (name text)")
    assert_refused(path, ForeignFile)


def test_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_text("Noi 1250\nLoro 800\n" * 50, encoding="utf-8")
    assert_refused(path, ForeignFile)


def test_empty_file_is_refused(path: Path) -> None:
    path.touch()
    assert assert_refused(path, BrokenFile).detail == "empty"


def test_file_without_tables_is_refused(path: Path) -> None:
    # The file says that it is one of scorepad, but it has one table of all those of version 1.
    change_file(path, f"pragma application_id = {APPLICATION_ID}", "pragma user_version = 1")
    change_file(path, "create table matches (id text)")
    assert assert_refused(path, BrokenFile).detail == "tables missing"


def test_truncated_file_is_refused(closed_file: Path) -> None:
    whole = closed_file.read_bytes()
    size = len(whole)

    # The file is cut off after the first byte, around its first page, and before its last page and
    # its last byte.
    lengths = [1, PAGE_SIZE - 1, PAGE_SIZE, size - PAGE_SIZE, size - 1]
    # It is cut off within the header of SQLite, which has 100 bytes, and right after it.
    lengths += [15, 16, 60, 99, 100]
    # It is cut off at 60 random places, the same ones at every run.
    chance = random.Random(5)  # noqa: S311
    for _ in range(60):
        lengths.append(chance.randrange(1, size))

    for length in lengths:
        closed_file.write_bytes(whole[:length])
        assert_refused(closed_file, StorageError)


def test_folder_in_place_of_the_file_is_reported(path: Path) -> None:
    path.mkdir()
    with pytest.raises(Unwritable):
        Storage(path)


def test_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("here", encoding="utf-8")
    with pytest.raises(Unwritable):
        Storage(file / "scorepad.db")


def test_file_with_a_random_page_is_refused(closed_file: Path) -> None:
    whole = closed_file.read_bytes()

    # One page of the file after the other is overwritten with random bytes, the others are as they
    # were. The seed 6 gives the same bytes at every run.
    chance = random.Random(6)  # noqa: S311
    for start_of_page in range(0, len(whole), PAGE_SIZE):
        garbled = bytearray(whole)
        garbled[start_of_page : start_of_page + PAGE_SIZE] = chance.randbytes(PAGE_SIZE)
        closed_file.write_bytes(garbled)
        assert_refused(closed_file, StorageError)


def test_interrupted_save_is_undone_when_the_file_is_opened(closed_file: Path) -> None:
    with Storage(closed_file) as storage, storage.reading() as reading:
        matches_before = reading.summaries(ANYBODY, MatchList.IN_PROGRESS)
    content_before = closed_file.read_bytes()

    # A process is killed in the middle of a save: half of it is in the file.
    interrupt_save(closed_file)
    assert closed_file.read_bytes() != content_before

    # Opened again, the file has the matches as they were before that save.
    with Storage(closed_file) as storage, storage.reading() as reading:
        assert reading.summaries(ANYBODY, MatchList.IN_PROGRESS) == matches_before

    # The journal, by which SQLite undid the half, is gone.
    assert list_names(closed_file.parent) == [closed_file.name]
