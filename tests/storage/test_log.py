"""The log of a match only grows, in the order of its sequence, and comes back as it went in."""

import sqlite3
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from scorepad.storage import Storage
from scorepad.storage.connection import BrokenFile
from scorepad.storage.rows import as_moment
from tests.storage.conftest import Rows


def test_missing_rules_are_reported(storage: Storage) -> None:
    # Rules are stored under their digest. There are none under this one.
    with storage.reading() as reading, pytest.raises(BrokenFile, match="rules missing"):
        reading.ruleset("nobody's")


@pytest.mark.parametrize("statement", [
    "update entries set payload = '{}'",
    "update entries set sequence = 9 where sequence = 2",
    "delete from entries where sequence = 2",
    "delete from entries",
    "insert or replace into entries select * from entries",
    "update matches set ruleset = 'r2'",
    "update rulesets set frozen = '{}'",
])  # fmt: skip
def test_log_is_append_only(storage_with_match: Storage, statement: str) -> None:
    # Triggers in the file refuse to change or delete an entry, or the rules of a match, even if a
    # mistake of the program should try it.
    with (
        pytest.raises(sqlite3.IntegrityError, match="append-only"),
        storage_with_match.writing() as writing,
    ):
        writing._db.execute(statement)

    with storage_with_match.reading() as reading:
        assert len(reading.entries("abc")) == 2, "both entries of the match are still there"


def test_request_of_another_match_is_refused(storage: Storage, rows: Rows) -> None:
    # Each match has two entries: those of "abc" were made by the requests "abc-1" and "abc-2".
    with storage.writing() as writing:
        rows.fill(writing, "abc")
        rows.fill(writing, "def")

    # A request makes one entry. It cannot make another one in the other match.
    with pytest.raises(sqlite3.IntegrityError), storage.writing() as writing:
        writing.append(rows.entry(sequence=3, request="abc-1", match="def"))


def test_second_entry_of_the_same_sequence_is_refused(
    storage_with_match: Storage, rows: Rows
) -> None:
    # The match has the entries 1 and 2.
    with pytest.raises(sqlite3.IntegrityError), storage_with_match.writing() as writing:
        writing.append(rows.entry(sequence=2, request="another"))


def test_gap_in_the_log_is_reported(storage_with_match: Storage, rows: Rows) -> None:
    # The match has the entries 1 and 2. Entry 4 is stored, and there is no entry 3.
    with storage_with_match.writing() as writing:
        writing.append(rows.entry(sequence=4))

    with (
        storage_with_match.reading() as reading,
        pytest.raises(BrokenFile, match="an entry is missing"),
    ):
        reading.entries("abc")


@pytest.mark.parametrize(
    "change",
    [
        # There is no such match.
        {"match": "nowhere"},
        # Entries are counted from 1.
        {"sequence": 0},
        {"kind": ""},
        {"device": ""},
        # The id of a request has at most 200 characters.
        {"request": "x" * 201},
    ],
)
def test_invalid_entry_is_refused(storage: Storage, rows: Rows, change: dict[str, object]) -> None:
    with storage.writing() as writing:
        writing.add_match(rows.match(), {})

    # The entry is valid but for one change.
    with pytest.raises(sqlite3.IntegrityError), storage.writing() as writing:
        writing.append(replace(rows.entry(), **change))


def test_moments_are_stored_in_utc_with_microseconds() -> None:
    # Half past one at night and 7 microseconds, in Rome in summer, two hours ahead of UTC.
    rome = timezone(timedelta(hours=2))
    moment = datetime(2026, 7, 4, 1, 30, 0, 7, tzinfo=rome)

    # In UTC it is still the evening before.
    assert as_moment(moment) == "2026-07-03T23:30:00.000007+00:00"


def test_moment_without_time_zone_is_an_error() -> None:
    with pytest.raises(ValueError, match="no zone"):
        as_moment(datetime(2026, 7, 4, 1, 30))  # noqa: DTZ001


@pytest.mark.parametrize(
    "broken_json", [b'{"s3cr3t', b'"s3cr3t\xff"'], ids=["cut off", "with a byte that is no UTF-8"]
)
def test_error_of_garbled_row_does_not_quote_it(
    storage: Storage, rows: Rows, broken_json: bytes
) -> None:
    # A match has a draft: what somebody has typed so far into the form of a hand, as JSON.
    with storage.writing() as writing:
        rows.fill(writing, "k7mmatchid")

    # The draft is damaged. SQLite itself would refuse invalid JSON: it has to ignore its checks, and
    # to take the bytes for a text.
    with storage.writing() as writing:
        writing._db.execute("pragma ignore_check_constraints = on")
        writing._db.execute("update open_hands set draft = cast(? as text)", [broken_json])

    with pytest.raises(BrokenFile) as error, storage.reading() as reading:
        reading.open_hand("k7mmatchid")

    # The error goes to the log of the server, which must not have ids of matches or what was typed.
    assert "k7mmatchid" not in str(error.value)
    assert "s3cr3t" not in str(error.value)
