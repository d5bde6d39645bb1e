"""The log of a match only grows, in the order of its sequence, and comes back as it went in."""

import sqlite3
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from scorepad.storage import Storage
from scorepad.storage.connection import BrokenFile
from scorepad.storage.rows import as_moment


def test_rules_that_are_missing_are_reported(storage: Storage) -> None:
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
def test_the_log_takes_no_change(filled: Storage, statement: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="append-only"), filled.writing() as writing:
        writing._db.execute(statement)
    with filled.reading() as reading:
        assert len(reading.entries("abc")) == 2


@pytest.mark.parametrize(("sequence", "request_name"), [(3, "abc-1"), (2, "another")])
def test_a_request_is_taken_once_in_the_whole_file_and_a_sequence_once_in_a_match(
    storage: Storage, rows, sequence: int, request_name: str
) -> None:
    with storage.writing() as writing:
        rows.fill(writing, "abc")
        rows.fill(writing, "def")
    with pytest.raises(sqlite3.IntegrityError), storage.writing() as writing:
        writing.append(rows.entry(sequence, request_name, match="def"))


def test_a_missing_entry_is_reported(filled: Storage, rows) -> None:
    with filled.writing() as writing:
        writing.append(rows.entry(4))
    with filled.reading() as reading, pytest.raises(BrokenFile, match="an entry is missing"):
        reading.entries("abc")


@pytest.mark.parametrize("change", [
    {"match": "nowhere"}, {"sequence": 0}, {"kind": ""}, {"device": ""}, {"request": "x" * 201},
])  # fmt: skip
def test_an_entry_that_makes_no_sense_is_refused(
    storage: Storage, rows, change: dict[str, object]
) -> None:
    with storage.writing() as writing:
        writing.add_match(rows.match(), {})
    with pytest.raises(sqlite3.IntegrityError), storage.writing() as writing:
        writing.append(replace(rows.entry(), **change))


def test_moments_are_kept_in_utc_to_the_microsecond() -> None:
    rome = timezone(timedelta(hours=2))
    moment = datetime(2026, 7, 4, 1, 30, 0, 7, tzinfo=rome)
    assert as_moment(moment) == "2026-07-03T23:30:00.000007+00:00"


def test_a_moment_without_a_zone_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no zone"):
        as_moment(datetime(2026, 7, 4, 1, 30))  # noqa: DTZ001


@pytest.mark.parametrize("damage", ["'{\"s3cr3t'", "cast(x'22733363723374ff22' as text)"])
def test_what_a_garbled_row_said_is_in_no_message(storage: Storage, rows, damage: str) -> None:
    with storage.writing() as writing:
        rows.fill(writing, "k7mmatchid")
    with storage.writing() as writing:
        writing._db.execute("pragma ignore_check_constraints = on")
        writing._db.execute(f"update open_hands set draft = {damage}")  # noqa: S608 - ours
    with pytest.raises(BrokenFile) as error, storage.reading() as reading:
        reading.open_hand("k7mmatchid")
    assert "k7mmatchid" not in str(error.value)
    assert "s3cr3t" not in str(error.value)
