"""Keys, devices and their sides: what opens a match, who came in, and what goes with the match."""

import secrets
import sqlite3
from dataclasses import replace

import pytest

from scorepad.storage import Storage
from scorepad.storage.rows import DeviceRecord, KeyRecord, hash_device_id

COOKIE = secrets.token_urlsafe(24)

ONE, OTHER = "1" * 64, "2" * 64


def key(rows, match: str = "abc") -> KeyRecord:
    return KeyRecord(match, "write", ONE, rows.moment, 0)


@pytest.mark.parametrize("statement", [
    "update grants set access = 'everything'",
    "update grants set side = 3",
    "update keys set access = 'own'",
    "update keys set digest = 'short'",
    "update keys set match_id = 'nowhere'",
    "update keys set counter = -1",
])  # fmt: skip
def test_access_that_makes_no_sense_is_refused(filled: Storage, rows, statement: str) -> None:
    with filled.writing() as writing:
        writing.put(key(rows))
    with pytest.raises(sqlite3.IntegrityError), filled.writing() as writing:
        writing._db.execute(statement)


def test_two_matches_never_share_a_key(filled: Storage, rows) -> None:
    with filled.writing() as writing:
        rows.fill(writing, "def")
        writing.put(key(rows))
        writing.put(key(rows, match="def"))
    with filled.reading() as reading:
        found = reading.key(ONE)
        assert found.match == "def", "a digest names one key of the file"


def test_devices_keep_their_number_whatever_becomes_of_them(filled: Storage, rows) -> None:
    with filled.writing() as writing:
        writing.grant("abc", "tablet", "view", rows.moment)
        writing.grant("abc", "laptop", "view", rows.moment)
        writing.revoke("abc", "tablet")
        writing.grant("abc", "watch", "view", rows.moment)
        writing.grant("abc", "laptop", "write", rows.moment)
    with filled.reading() as reading:
        assert reading.list_devices_with_access("abc") == (
            DeviceRecord("abc", "phone", "own", rows.moment, 1),
            DeviceRecord("abc", "laptop", "write", rows.moment, 3),
            DeviceRecord("abc", "watch", "view", rows.moment, 4),
        )
        assert [device.number for device in reading.devices("abc")] == [1, 2, 3, 4]
    with filled.writing() as writing:
        writing.grant("abc", "tablet", "view", rows.moment)
    with filled.reading() as reading:
        assert reading.list_devices_with_access("abc")[1].number == 2


def test_rules_go_with_the_last_match_that_has_them(storage: Storage, rows) -> None:
    taken = {"kind": "rules", "payload": {"ruleset": "r2"}}
    with storage.writing() as writing:
        for name in ("abc", "def"):
            writing.add_match(rows.match(name), {"target": 5000})
        writing.add_ruleset("r2", {"target": 3000})
        writing.append(replace(rows.entry(match="abc"), **taken))
        writing.append(replace(rows.entry(match="def"), **taken))
        writing.drop_match("abc")
        assert writing.ruleset("r1") == {"target": 5000}
        assert writing.ruleset("r2") == {"target": 3000}
        writing.drop_match("def")
        assert writing._db.execute("select count(*) from rulesets").fetchone() == (0,)


def test_a_garbled_entry_of_another_match_keeps_no_match_from_going(storage: Storage, rows) -> None:
    with storage.writing() as writing:
        rows.fill(writing, "abc")
        rows.fill(writing, "def")
        writing.append(replace(rows.entry(3, match="def"), kind="rules"))
        writing._db.execute("drop trigger entries_never_change")
        writing._db.execute("pragma ignore_check_constraints = on")
        writing._db.execute("update entries set payload = '{\"rul' where kind = 'rules'")
        writing.drop_match("abc")
    with storage.reading() as reading:
        assert reading.match("abc") is None


def test_a_device_is_known_by_a_digest_and_the_program_itself_by_its_name() -> None:
    assert len(hash_device_id(COOKIE)) == 64
    assert hash_device_id(COOKIE) != hash_device_id(COOKIE[:-1])
    assert hash_device_id("@keeper") == "@keeper"
    assert hash_device_id(f"@admin:{COOKIE}") == hash_device_id(COOKIE), (
        "as it is known anywhere else"
    )
