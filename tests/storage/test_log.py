"""The log of a match only grows, in the order of its sequence, and comes back as it went in."""

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from scorepad.storage import Storage
from scorepad.storage.connection import BrokenFile
from scorepad.storage.rows import ANYBODY, MatchList, as_moment


def test_what_was_written_is_read_again(storage: Storage, rows) -> None:
    with storage.writing() as writing:
        rows.fill(writing)
    with storage.reading() as reading:
        assert reading.match("abc") == rows.match()
        assert reading.ruleset("r1") == {"target": 5000}
        assert reading.entries("abc") == (
            replace(rows.entry(1), row=1),
            replace(rows.entry(2), row=2),
        )
        assert reading.open_hand("abc") == rows.open_hand()
        assert reading.summaries("phone", MatchList.IN_PROGRESS) == (rows.summary(2),)
        assert reading.role("abc", "phone")[0] == "own"
        assert reading.requested("abc-2") == replace(rows.entry(2), row=2)


def test_a_digest_of_what_was_sent_is_kept_with_its_entry(storage: Storage, rows) -> None:
    with storage.writing() as writing:
        rows.fill(writing)
        writing.append(replace(rows.entry(3), sent="0123abcd"))
    with storage.reading() as reading:
        assert [entry.sent for entry in reading.entries("abc")] == ["5e27", "5e27", "0123abcd"]


def test_what_is_not_there_is_nothing(storage: Storage) -> None:
    with storage.reading() as reading:
        assert reading.match("abc") is None
        assert reading.entries("abc") == ()
        assert reading.open_hand("abc") is None
        assert reading.summaries("phone", MatchList.IN_PROGRESS) == ()
        assert reading.role("abc", "phone")[0] == "none"
        assert reading.requested("x") is None


def test_rules_that_are_missing_are_told(storage: Storage) -> None:
    with storage.reading() as reading, pytest.raises(BrokenFile, match="rules missing"):
        reading.ruleset("nobody's")


def test_rules_shared_by_matches_are_stored_once(storage: Storage, rows) -> None:
    with storage.writing() as writing:
        for name in ("abc", "def"):
            writing.add_match(rows.match(name), {"target": 5000})
        assert writing._db.execute("select count(*) from rulesets").fetchone() == (1,)


@pytest.mark.parametrize("statement", [
    "update entries set payload = '{}'",
    "update entries set sequence = 9 where sequence = 2",
    "delete from entries where sequence = 2",
    "delete from entries",
    "insert or replace into entries select * from entries",
    "update matches set ruleset = 'r2'",
    "update rulesets set frozen = '{}'",
])  # fmt: skip
def test_the_log_takes_no_change(storage: Storage, rows, statement: str) -> None:
    with storage.writing() as writing:
        rows.fill(writing)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"), storage.writing() as writing:
        writing._db.execute(statement)
    with storage.reading() as reading:
        assert len(reading.entries("abc")) == 2


def test_a_whole_match_can_go_and_leaves_nothing_in_the_file(storage: Storage, rows) -> None:
    with storage.writing() as writing:
        rows.fill(writing, "gone5match")
        rows.fill(writing, "stays")
    with storage.writing() as writing:
        writing._db.execute("delete from matches where id = ?", ["gone5match"])
    with storage.reading() as reading:
        assert reading.entries("gone5match") == ()
        assert reading.open_hand("gone5match") is None
        assert len(reading.entries("stays")) == 2
        assert [summary.id for summary in reading.summaries("phone", MatchList.IN_PROGRESS)] == [
            "stays"
        ]
    storage.close()
    assert b"gone5match" not in storage.path.read_bytes()


def test_a_request_is_taken_once_in_the_whole_file(storage: Storage, rows) -> None:
    with storage.writing() as writing:
        rows.fill(writing, "abc")
        rows.fill(writing, "def")
    with pytest.raises(sqlite3.IntegrityError), storage.writing() as writing:
        writing.append(rows.entry(3, "abc-1", match="def"))


def test_a_sequence_is_taken_once_in_a_match(storage: Storage, rows) -> None:
    with storage.writing() as writing:
        rows.fill(writing)
    with pytest.raises(sqlite3.IntegrityError), storage.writing() as writing:
        writing.append(rows.entry(2, "another"))


def test_a_missing_entry_is_told(storage: Storage, rows) -> None:
    with storage.writing() as writing:
        rows.fill(writing)
        writing.append(rows.entry(4))
    with storage.reading() as reading, pytest.raises(BrokenFile, match="an entry is missing"):
        reading.entries("abc")


def test_an_entry_of_no_match_is_refused(storage: Storage, rows) -> None:
    with pytest.raises(sqlite3.IntegrityError), storage.writing() as writing:
        writing.append(rows.entry(match="nowhere"))


@pytest.mark.parametrize("change", [
    {"sequence": 0}, {"kind": ""}, {"device": ""}, {"request": "x" * 201},
])  # fmt: skip
def test_rows_that_make_no_sense_are_refused(
    storage: Storage, rows, change: dict[str, object]
) -> None:
    with storage.writing() as writing:
        writing.add_match(rows.match(), {})
    with pytest.raises(sqlite3.IntegrityError), storage.writing() as writing:
        writing.append(replace(rows.entry(), **change))


def test_only_known_kinds_of_access_are_granted(storage: Storage, rows) -> None:
    with storage.writing() as writing:
        writing.add_match(rows.match(), {})
    with pytest.raises(sqlite3.IntegrityError), storage.writing() as writing:
        writing.grant("abc", "phone", "everything", rows.moment)


def test_entries_come_in_their_sequence_when_the_clock_jumps_back(storage: Storage, rows) -> None:
    moments = [rows.moment, rows.moment - timedelta(hours=1), rows.moment - timedelta(days=400)]
    with storage.writing() as writing:
        writing.add_match(rows.match(), {})
        for sequence, moment in enumerate(moments, 1):
            writing.append(rows.entry(sequence, at=moment))
    with storage.reading() as reading:
        assert [entry.at for entry in reading.entries("abc")] == moments


def test_the_match_changed_last_is_listed_first_whatever_the_clock_said(
    storage: Storage, rows
) -> None:
    with storage.writing() as writing:
        for name in ("abc", "def", "ghi"):
            rows.fill(writing, name)
        last = writing.append(rows.entry(3, match="def", at=rows.moment - timedelta(days=9)))
        writing.put(rows.summary(last.row, "def", finished=True))
    with storage.reading() as reading:
        assert [summary.id for summary in reading.summaries("phone", MatchList.FINISHED)] == ["def"]
        assert [summary.id for summary in reading.summaries("phone", MatchList.IN_PROGRESS)] == [
            "ghi",
            "abc",
        ]


def test_a_device_lists_its_own_matches_only(storage: Storage, rows) -> None:
    with storage.writing() as writing:
        rows.fill(writing, "abc")
        rows.fill(writing, "def")
        writing.grant("abc", "tablet", "view", rows.moment)
    with storage.reading() as reading:
        assert [summary.id for summary in reading.summaries("tablet", MatchList.IN_PROGRESS)] == [
            "abc"
        ]
        assert reading.summaries("nobody", MatchList.IN_PROGRESS) == ()
        assert [summary.id for summary in reading.summaries(ANYBODY, MatchList.IN_PROGRESS)] == [
            "def",
            "abc",
        ]


def test_there_is_one_open_hand_in_a_match(storage: Storage, rows) -> None:
    with storage.writing() as writing:
        rows.fill(writing)
        writing.put(rows.open_hand(version=2))
    with storage.reading() as reading:
        assert reading.open_hand("abc") == rows.open_hand(version=2)
    with storage.writing() as writing:
        writing.drop_open_hand("abc")
        assert writing.open_hand("abc") is None


def test_moments_are_kept_in_utc_to_the_microsecond() -> None:
    rome = timezone(timedelta(hours=2))
    assert as_moment(datetime(2026, 7, 4, 1, 30, tzinfo=rome)) == "2026-07-03T23:30:00.000000+00:00"
    assert (
        as_moment(datetime(2026, 7, 4, 1, 30, 0, 7, tzinfo=UTC))
        == "2026-07-04T01:30:00.000007+00:00"
    )


def test_a_moment_without_a_zone_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no zone"):
        as_moment(datetime(2026, 7, 4, 1, 30))  # noqa: DTZ001


def garble(storage: Storage, statement: str) -> None:
    with storage.writing() as writing:
        writing._db.execute(statement)


@pytest.mark.parametrize("damage", ["'{\"s3cr3t'", "cast(x'22733363723374ff22' as text)"])
def test_what_a_garbled_row_said_is_in_no_message(storage: Storage, rows, damage: str) -> None:
    with storage.writing() as writing:
        rows.fill(writing, "k7mmatchid")
    garble(storage, "pragma ignore_check_constraints = on")
    garble(storage, f"update open_hands set draft = {damage}")  # noqa: S608 - ours
    with pytest.raises(BrokenFile) as caught, storage.reading() as reading:
        reading.open_hand("k7mmatchid")
    assert "k7mmatchid" not in str(caught.value)
    assert "s3cr3t" not in str(caught.value)
