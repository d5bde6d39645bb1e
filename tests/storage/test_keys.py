"""Keys, devices and their sides: what opens a match, who came in, and what goes with the match."""

import sqlite3
from dataclasses import replace

import pytest

from scorepad.storage import Storage
from scorepad.storage.rows import DeviceRecord, KeyRecord, WriteTransaction, hash_device_id
from tests.storage.conftest import Rows

DIGEST = "1" * 64
"""A digest of a key: 64 hexadecimal digits."""


def make_key(rows: Rows, match: str = "abc") -> KeyRecord:
    """Make the row of a match's write key, of which only the digest is stored."""
    return KeyRecord(match, "write", DIGEST, rows.moment, 0)


@pytest.mark.parametrize("statement", [
    # The access that a device was granted is own, write or view.
    "update grants set access = 'everything'",
    # A match has at most three sides, counted from 0.
    "update grants set side = 3",
    # No key makes a device the owner of a match.
    "update keys set access = 'own'",
    "update keys set digest = 'short'",
    "update keys set match_id = 'nowhere'",
    "update keys set counter = -1",
])  # fmt: skip
def test_invalid_access_is_refused(storage_with_match: Storage, rows: Rows, statement: str) -> None:
    with storage_with_match.writing() as writing:
        writing.put(make_key(rows))

    # The tables themselves refuse it, so that no mistake of the program can store it.
    with pytest.raises(sqlite3.IntegrityError), storage_with_match.writing() as writing:
        writing._db.execute(statement)


def test_key_belongs_to_the_match_that_had_it_last(storage_with_match: Storage, rows: Rows) -> None:
    # The same key is stored for the match "abc", and then for a second match, "def".
    with storage_with_match.writing() as writing:
        rows.fill(writing, "def")
        writing.put(make_key(rows))
        writing.put(make_key(rows, match="def"))

    with storage_with_match.reading() as reading:
        assert reading.key(DIGEST).match == "def"


def test_devices_keep_their_numbers(storage_with_match: Storage, rows: Rows) -> None:
    # The phone that started the match is device 1. A tablet comes in as 2, and a laptop as 3.
    with storage_with_match.writing() as writing:
        writing.grant("abc", "tablet", "view", rows.moment)
        writing.grant("abc", "laptop", "view", rows.moment)

        # The tablet is removed. A watch comes in after it, and the laptop may now write.
        writing.revoke("abc", "tablet")
        writing.grant("abc", "watch", "view", rows.moment)
        writing.grant("abc", "laptop", "write", rows.moment)

    # The watch does not get the number of the tablet, and the laptop keeps its own.
    with storage_with_match.reading() as reading:
        assert reading.list_devices_with_access("abc") == (
            DeviceRecord("abc", "phone", "own", rows.moment, number=1),
            DeviceRecord("abc", "laptop", "write", rows.moment, number=3),
            DeviceRecord("abc", "watch", "view", rows.moment, number=4),
        )

        # Also the removed tablet is still known by its number, for what it wrote in the log.
        numbers_with_revoked_device = [device.number for device in reading.devices("abc")]
        assert numbers_with_revoked_device == [1, 2, 3, 4]


def test_device_that_returns_has_its_earlier_number(
    storage_with_match: Storage, rows: Rows
) -> None:
    # The phone is device 1. A tablet comes in as 2, and a laptop as 3.
    with storage_with_match.writing() as writing:
        writing.grant("abc", "tablet", "view", rows.moment)
        writing.grant("abc", "laptop", "view", rows.moment)

        # The tablet is removed, and comes in again.
        writing.revoke("abc", "tablet")
        writing.grant("abc", "tablet", "view", rows.moment)

    with storage_with_match.reading() as reading:
        _phone, tablet, _laptop = reading.list_devices_with_access("abc")
        assert tablet.number == 2


def test_rules_are_deleted_with_the_last_match_that_uses_them(storage: Storage, rows: Rows) -> None:
    with storage.writing() as writing:
        # Two matches begin with the rules r1, and change to the rules r2 later.
        for match in ("abc", "def"):
            writing.add_match(rows.match(match, ruleset="r1"), {"target": 5000})
            writing.add_ruleset("r2", {"target": 3000})
            takes_r2 = replace(rows.entry(match=match), kind="rules", payload={"ruleset": "r2"})
            writing.append(takes_r2)

        # One match is deleted. The other still uses both rules.
        writing.drop_match("abc")
        assert writing.ruleset("r1") == {"target": 5000}
        assert writing.ruleset("r2") == {"target": 3000}

        # The other match is deleted, and no rules are left.
        writing.drop_match("def")
        assert writing._db.execute("select count(*) from rulesets").fetchone() == (0,)


def test_match_can_be_deleted_beside_garbled_entry_of_another(storage: Storage, rows: Rows) -> None:
    with storage.writing() as writing:
        # The match "def" has a third entry, by which its rules change. It is cut off.
        rows.fill(writing, "abc")
        rows.fill(writing, "def")
        writing.append(replace(rows.entry(3, match="def"), kind="rules"))
        cut_payload_of_rules(writing)

        # When "abc" is deleted, such entries of other matches are read: do they use its rules?
        writing.drop_match("abc")

    with storage.reading() as reading:
        assert reading.match("abc") is None


def cut_payload_of_rules(writing: WriteTransaction) -> None:
    """Cut off the JSON of every entry about rules: `{"rul`."""
    # A trigger and the checks of the table would refuse it.
    writing._db.execute("drop trigger entries_never_change")
    writing._db.execute("pragma ignore_check_constraints = on")
    writing._db.execute("update entries set payload = '{\"rul' where kind = 'rules'")


def test_device_ids_are_hashed_but_for_the_keeper() -> None:
    # The id of a device is a secret: only a hash of it, of 64 digits, is stored.
    assert len(hash_device_id("device-1")) == 64
    assert hash_device_id("device-1") != hash_device_id("device-2")

    # The keeper is who runs scorepad, for example at the command line: no device.
    assert hash_device_id("@keeper") == "@keeper"


def test_device_with_admin_access_has_the_hash_of_the_device() -> None:
    # "@admin:" stands before the id of a device on which an administrator has logged in.
    assert hash_device_id("@admin:device-1") == hash_device_id("device-1")
