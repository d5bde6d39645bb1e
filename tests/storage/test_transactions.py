"""Writers wait for one another, what failed left nothing, and a match's page reads its own rows by
index.
"""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from scorepad.storage import Storage, connection
from scorepad.storage.connection import BrokenFile, Busy
from scorepad.storage.rows import MatchList
from tests.storage.conftest import together


def append(storage: Storage, rows, match: str, name: str, times: int) -> None:
    for turn in range(times):
        with storage.writing() as writing:
            sequence = len(writing.entries(match)) + 1
            writing.append(rows.entry(sequence, f"{match}-{name}-{turn}", match))


def test_two_storages_of_one_file_wait_for_one_another(storage: Storage, rows) -> None:
    with storage.writing() as writing:
        rows.fill(writing, hands=0)
    with Storage(storage.path) as other:
        jobs = [
            lambda: append(storage, rows, "abc", "a", 20),
            lambda: append(other, rows, "abc", "b", 20),
        ]
        assert together(jobs) == []
    with storage.reading() as reading:
        assert len(reading.entries("abc")) == 40


def test_a_writer_holds_the_file_from_its_beginning(storage: Storage) -> None:
    with storage.writing(), closing(sqlite3.connect(storage.path, timeout=0)) as other:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("begin immediate")
        assert other.execute("select count(*) from matches").fetchone() == (0,)


def test_what_is_read_in_one_look_is_of_one_moment(filled: Storage) -> None:
    with filled.reading() as reading:
        assert len(reading.entries("abc")) == 2
        with closing(sqlite3.connect(filled.path, timeout=0)) as other:
            other.execute("delete from open_hands")
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.commit()
        assert reading.open_hand("abc") is not None


def test_an_error_inside_a_transaction_takes_everything_back(storage: Storage, rows) -> None:
    def fail() -> None:
        with storage.writing() as writing:
            rows.fill(writing)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with storage.reading() as reading:
        assert reading.match("abc") is None
    with storage.writing() as writing:
        rows.fill(writing)


def test_a_file_held_by_another_program_is_reported_as_busy(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 0.05)
    with closing(sqlite3.connect(storage.path, isolation_level=None)) as other:
        other.execute("begin exclusive")
        with pytest.raises(Busy), storage.writing():
            pass
        with pytest.raises(Busy), storage.reading() as reading:
            reading.match("abc")
        other.execute("rollback")
    with storage.writing() as writing:
        assert writing.match("abc") is None


def test_an_error_that_somebody_keeps_holds_no_writer_off(
    storage: Storage, rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a log does that keeps what it was told: of a garbled row, with more rows behind it that
    nobody read.
    """
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 0.05)
    with storage.writing() as writing:
        rows.fill(writing, hands=5)
        rows.fill(writing, "def", hands=1)
        guard_of_entries = "select sql from sqlite_master where name = 'entries_never_change'"
        (guard,) = writing._db.execute(guard_of_entries).fetchone()
        writing._db.execute("drop trigger entries_never_change")
        writing._db.execute(
            "update entries set at = '2026-99-07T20:15:30.000250+00:00'"
            " where match_id = 'abc' and sequence = 1"
        )
        writing._db.execute(guard)

    with pytest.raises(BrokenFile) as error, storage.reading() as reading:
        reading.entries("abc")
    storage.close()

    with Storage(storage.path) as other, other.writing() as writing:
        writing.append(rows.entry(2, match="def"))
    assert error.value.reason == "garbled"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("journal_mode", "delete"),
        ("synchronous", 3),
        ("foreign_keys", 1),
        ("busy_timeout", 20_000),
        ("secure_delete", 1),
    ],
)
def test_every_connection_is_safe_against_the_plug(
    storage: Storage, name: str, expected: object
) -> None:
    with storage.reading() as reading:
        (value,) = reading._db.execute(f"pragma {name}").fetchone()
    assert value == expected


def test_every_table_is_strict(storage: Storage) -> None:
    with storage.reading() as reading:
        not_strict = reading._db.execute(
            "select name from pragma_table_list where schema = 'main' and not strict order by name"
        ).fetchall()
    assert not_strict == [("_sqlite_migrations",), ("sqlite_schema",)]


def test_closing_while_others_read_breaks_nothing(storage: Storage) -> None:
    reading = threading.Barrier(5)
    closed = threading.Event()

    def read() -> None:
        with storage.reading() as rows:
            reading.wait()
            closed.wait()
            assert rows.match("nothing") is None
        with storage.reading() as rows:
            assert rows.match("nothing") is None

    def close() -> None:
        reading.wait()
        storage.close()
        closed.set()

    assert together([read, read, read, read, close]) == []


def test_a_connection_goes_with_its_thread(storage: Storage) -> None:
    def look() -> None:
        with storage.reading() as reading:
            reading.match("abc")

    look()
    assert together([look] * 5) == []

    open_files = [link for link in Path("/proc/self/fd").iterdir() if link.exists()]
    connections = [link for link in open_files if link.samefile(storage.path)]
    assert len(connections) == 1


def test_a_match_is_read_and_listed_by_index_only(filled: Storage) -> None:
    statements: list[str] = []
    with filled.reading() as reading:
        reading._db.conn.set_trace_callback(statements.append)
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
        reading._db.conn.set_trace_callback(None)

        assert len(set(statements)) == 10
        for statement in statements:
            for step in reading._db.execute(f"explain query plan {statement}").fetchall():
                detail = step[3]
                assert "SCAN" not in detail or "json_each" in detail, statement
