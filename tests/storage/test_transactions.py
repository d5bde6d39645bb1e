"""Writers wait for one another, what failed left nothing, and a match's page reads its own rows by
index.
"""

import contextlib
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from scorepad.storage import Storage, connection
from scorepad.storage.connection import BrokenFile, Busy
from scorepad.storage.rows import MatchList, WriteTransaction
from tests.storage.conftest import Rows, run_together


def append_entries(storage: Storage, rows: Rows, writer: str, count: int) -> None:
    """Append so many entries to the match "abc", each in a transaction of its own.

    The name of the writer stands in the ids of the requests, so that no two are the same.
    """
    for number in range(count):
        with storage.writing() as writing:
            sequence = len(writing.entries("abc")) + 1
            writing.append(rows.entry(sequence, request=f"{writer}-{number}"))


def test_two_storages_of_one_file_take_turns_to_write(storage: Storage, rows: Rows) -> None:
    # A match without entries.
    with storage.writing() as writing:
        rows.fill(writing, hands=0)

    # Two threads, each with a connection of its own, add 20 entries at the same time. Each entry has
    # the next number: nobody may write between the look at the last number and the entry.
    with Storage(storage.path) as other:
        errors = run_together(
            [
                lambda: append_entries(storage, rows, "first", count=20),
                lambda: append_entries(other, rows, "second", count=20),
            ]
        )

    assert errors == []
    with storage.reading() as reading:
        assert len(reading.entries("abc")) == 40


def test_write_transaction_locks_the_file_from_its_beginning(storage: Storage) -> None:
    # A transaction to write has begun, and nothing was written in it yet. Another program that would
    # write is kept out, but may read.
    with storage.writing(), closing(sqlite3.connect(storage.path, timeout=0)) as other:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("begin immediate")
        assert other.execute("select count(*) from matches").fetchone() == (0,)


def test_read_transaction_sees_one_moment(storage_with_match: Storage) -> None:
    with storage_with_match.reading() as reading:
        assert len(reading.entries("abc")) == 2

        # Another program deletes what was typed of the next hand. It cannot commit this before the
        # reading is over.
        with closing(sqlite3.connect(storage_with_match.path, timeout=0)) as other:
            other.execute("delete from open_hands")
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.commit()

        assert reading.open_hand("abc") is not None


def test_error_rolls_the_transaction_back(storage: Storage, rows: Rows) -> None:
    class AnyError(Exception):
        pass

    # A match is written. Then something goes wrong before the end of the transaction.
    with contextlib.suppress(AnyError), storage.writing() as writing:
        rows.fill(writing)
        raise AnyError

    # There is no match, and the file can be written as before.
    with storage.reading() as reading:
        assert reading.match("abc") is None
    with storage.writing() as writing:
        rows.fill(writing)


def test_file_locked_by_another_program_is_busy(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Usually scorepad waits 20 seconds for a lock.
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 0.05)

    with closing(sqlite3.connect(storage.path, isolation_level=None)) as other:
        # Another program locks the whole file: nobody can write or read.
        other.execute("begin exclusive")
        with pytest.raises(Busy), storage.writing():
            pass
        with pytest.raises(Busy), storage.reading() as reading:
            reading.match("abc")
        other.execute("rollback")

    # The lock is gone.
    with storage.writing() as writing:
        assert writing.match("abc") is None


def test_error_that_is_kept_does_not_lock_the_file(
    storage: Storage, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Usually scorepad waits 20 seconds for a lock.
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 0.05)

    # Of the five entries of the match "abc" the first is garbled. The match "def" is sound.
    with storage.writing() as writing:
        rows.fill(writing, hands=5)
        rows.fill(writing, "def", hands=1)
        garble_first_entry(writing)

    # The entries are read, and the first one fails. Four rows of the query are not read yet.
    with pytest.raises(BrokenFile) as error_that_is_kept, storage.reading() as reading:
        reading.entries("abc")
    storage.close()

    # Whoever keeps an error keeps what its traceback refers to, and so perhaps this query. While a
    # query is unfinished, SQLite locks the file. It can be written all the same.
    with Storage(storage.path) as other, other.writing() as writing:
        writing.append(rows.entry(2, match="def"))
    assert error_that_is_kept.value.reason == "garbled"


def garble_first_entry(writing: WriteTransaction) -> None:
    """Give the first entry of the match "abc" an invalid time, in the month 99."""
    # A trigger refuses any change of an entry. It is dropped, and created again as it was.
    select_trigger = "select sql from sqlite_master where name = 'entries_never_change'"
    (create_trigger,) = writing._db.execute(select_trigger).fetchone()
    writing._db.execute("drop trigger entries_never_change")
    writing._db.execute(
        "update entries set at = '2026-99-07T20:15:30.000250+00:00'"
        " where match_id = 'abc' and sequence = 1"
    )
    writing._db.execute(create_trigger)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("journal_mode", "delete"),
        # "extra": what was saved is on the disk, and survives a power cut.
        ("synchronous", 3),
        ("foreign_keys", 1),
        # It waits 20 seconds for a lock.
        ("busy_timeout", 20_000),
        # Deleted content is overwritten.
        ("secure_delete", 1),
    ],
)
def test_connection_has_pragma(storage: Storage, name: str, expected: object) -> None:
    # A pragma is a setting of SQLite, which is set anew for each connection.
    with storage.reading() as reading:
        (value,) = reading._db.execute(f"pragma {name}").fetchone()
    assert value == expected


def test_every_table_is_strict(storage: Storage) -> None:
    with storage.reading() as reading:
        not_strict = reading._db.execute(
            "select name from pragma_table_list where schema = 'main' and not strict order by name"
        ).fetchall()

    # A strict table refuses values of another type than that of their column. These two tables are
    # not made by scorepad.
    assert not_strict == [("_sqlite_migrations",), ("sqlite_schema",)]


def test_storage_can_be_closed_while_others_read(storage: Storage) -> None:
    # Five threads wait here for one another: four that read, and one that closes the storage.
    four_are_reading = threading.Barrier(5)
    is_closed = threading.Event()

    def read_before_and_after() -> None:
        # A read transaction that began before the storage was closed goes on with its connection.
        with storage.reading() as reading:
            four_are_reading.wait()
            is_closed.wait()
            assert reading.match("nothing") is None
        # The next one gets a new connection.
        with storage.reading() as reading:
            assert reading.match("nothing") is None

    def close_while_four_read() -> None:
        """Wait until all four others are reading, close the storage, and let them go on."""
        four_are_reading.wait()
        storage.close()
        is_closed.set()

    # No thread had an error.
    errors = run_together([read_before_and_after] * 4 + [close_while_four_read])
    assert errors == []


def test_connection_is_closed_with_its_thread(storage: Storage) -> None:
    def read() -> None:
        with storage.reading() as reading:
            reading.match("abc")

    # This thread reads, and keeps its connection.
    read()
    connections_of_this_thread = count_open(storage.path)

    # Five other threads read, each with a connection of its own, and end.
    errors = run_together([read] * 5)

    assert errors == []
    assert count_open(storage.path) == connections_of_this_thread


def count_open(path: Path) -> int:
    """Return how often this process has the file open, as Linux lists it."""
    descriptors = Path("/proc/self/fd").iterdir()
    return len([link for link in descriptors if link.exists() and link.samefile(path)])


def test_every_query_of_a_match_uses_an_index(storage_with_match: Storage) -> None:
    statements: list[str] = []
    with storage_with_match.reading() as reading:
        sqlite = reading._db.conn

        # SQLite notes each statement of SQL that it is given by the pages of a match.
        sqlite.set_trace_callback(statements.append)
        reading.match("abc")
        reading.ruleset("r1")
        reading.find_role("abc", "phone")
        reading.entries("abc")
        reading.open_hand("abc")
        reading.find_entry_of_request("abc-1")
        reading.list_versions("phone")
        assert len(reading.summaries("phone", MatchList.IN_PROGRESS)) == 1
        reading.summary("abc")
        reading.load_names_as_json(["abc"])
        sqlite.set_trace_callback(None)

        # Each of the ten calls made one, and no two the same.
        assert len(set(statements)) == 10

        # SQLite tells in steps how it carries out a statement. "SCAN" means that it reads a whole
        # table, with the rows of all matches. A list given as JSON is always read as a whole.
        for statement in statements:
            for step in reading._db.execute(f"explain query plan {statement}").fetchall():
                _, _, _, detail = step
                is_scan_of_table = "SCAN" in detail and "json_each" not in detail
                assert not is_scan_of_table, statement
