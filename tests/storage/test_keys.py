"""Keys, devices and their sides: what opens a match, who came in, and what goes with the match."""

import sqlite3
from dataclasses import replace

import pytest

from scorepad.storage import Storage
from scorepad.storage.rows import DeviceRecord, KeyRecord, WriteTransaction, hash_device_id
from tests.storage.conftest import Rows

DIGEST = "1" * 64


def make_key(rows: Rows, match: str = "abc") -> KeyRecord:
    """The key for keeping score of a match, of which only the digest is stored."""
    return KeyRecord(match, "write", DIGEST, rows.moment, 0)


@pytest.mark.parametrize("statement", [
    "update grants set access = 'everything'",  # own, write or view
    "update grants set side = 3",  # a match has at most three sides, from 0 on
    "update keys set access = 'own'",  # no key makes an owner
    "update keys set digest = 'short'",
    "update keys set match_id = 'nowhere'",
    "update keys set counter = -1",
])  # fmt: skip
def test_invalid_access_is_refused(storage_with_match: Storage, rows: Rows, statement: str) -> None:
    """The constraints of the tables refuse it, whatever the program does."""
    with storage_with_match.writing() as writing:
        writing.put(make_key(rows))

    with pytest.raises(sqlite3.IntegrityError), storage_with_match.writing() as writing:
        writing._db.execute(statement)


def test_key_belongs_to_the_match_that_had_it_last(storage_with_match: Storage, rows: Rows) -> None:
    with storage_with_match.writing() as writing:
        rows.fill(writing, "def")
        writing.put(make_key(rows))
        writing.put(make_key(rows, match="def"))

    with storage_with_match.reading() as reading:
        assert reading.key(DIGEST).match == "def"


def test_devices_keep_their_numbers(storage_with_match: Storage, rows: Rows) -> None:
    with storage_with_match.writing() as writing:
        writing.grant("abc", "tablet", "view", rows.moment)
        writing.grant("abc", "laptop", "view", rows.moment)
        writing.revoke("abc", "tablet")
        writing.grant("abc", "watch", "view", rows.moment)
        writing.grant("abc", "laptop", "write", rows.moment)

    with storage_with_match.reading() as reading:
        assert reading.list_devices_with_access("abc") == (
            DeviceRecord("abc", "phone", "own", rows.moment, number=1),
            DeviceRecord("abc", "laptop", "write", rows.moment, number=3),
            DeviceRecord("abc", "watch", "view", rows.moment, number=4),
        )
        numbers_with_revoked_device = [device.number for device in reading.devices("abc")]
        assert numbers_with_revoked_device == [1, 2, 3, 4]


def test_device_that_returns_has_its_earlier_number(
    storage_with_match: Storage, rows: Rows
) -> None:
    with storage_with_match.writing() as writing:
        writing.grant("abc", "tablet", "view", rows.moment)
        writing.grant("abc", "laptop", "view", rows.moment)
        writing.revoke("abc", "tablet")
        writing.grant("abc", "tablet", "view", rows.moment)

    with storage_with_match.reading() as reading:
        _phone, tablet, _laptop = reading.list_devices_with_access("abc")
        assert tablet.number == 2


def test_rules_are_deleted_with_the_last_match_that_uses_them(storage: Storage, rows: Rows) -> None:
    """Two matches began with the rules r1 and took the rules r2 later."""
    with storage.writing() as writing:
        for match in ("abc", "def"):
            writing.add_match(rows.match(match, ruleset="r1"), {"target": 5000})
            writing.add_ruleset("r2", {"target": 3000})
            takes_r2 = replace(rows.entry(match=match), kind="rules", payload={"ruleset": "r2"})
            writing.append(takes_r2)

        writing.drop_match("abc")
        assert writing.ruleset("r1") == {"target": 5000}
        assert writing.ruleset("r2") == {"target": 3000}

        writing.drop_match("def")
        assert writing._db.execute("select count(*) from rulesets").fetchone() == (0,)


def test_match_can_be_deleted_beside_garbled_entry_of_another(storage: Storage, rows: Rows) -> None:
    """Deleting looks for other matches that use the same rules, and so reads their entries."""
    with storage.writing() as writing:
        rows.fill(writing, "abc")
        rows.fill(writing, "def")
        writing.append(replace(rows.entry(3, match="def"), kind="rules"))
        cut_payload_of_rules(writing)

        writing.drop_match("abc")

    with storage.reading() as reading:
        assert reading.match("abc") is None


def cut_payload_of_rules(writing: WriteTransaction) -> None:
    """Damage every entry about rules, past the trigger and the checks that would refuse it."""
    writing._db.execute("drop trigger entries_never_change")
    writing._db.execute("pragma ignore_check_constraints = on")
    writing._db.execute("update entries set payload = '{\"rul' where kind = 'rules'")


def test_device_ids_are_hashed_but_for_the_keeper() -> None:
    assert len(hash_device_id("device-1")) == 64
    assert hash_device_id("device-1") != hash_device_id("device-2")
    assert hash_device_id("@keeper") == "@keeper"


def test_device_with_admin_access_has_the_hash_of_the_device() -> None:
    assert hash_device_id("@admin:device-1") == hash_device_id("device-1")
