"""The keys of matches: a device that enters with the write key may change the match, one that enters
with the view key may see it.

The data file holds only a digest of each key, so a copy of the file gives no access. The view key
is derived from the write key and a counter: a device that holds the write key can show the view
key, even if another device renewed it, and neither the file nor a view key tells any other key.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from scorepad.errors import ScorepadError
from scorepad.matches.access import Access
from scorepad.storage.rows import KeyRecord, ReadTransaction, WriteTransaction

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""The 32 characters of keys and match ids, without those easily confused when copied by hand."""
LENGTH = 26
"""Characters of a key: 130 random bits."""
_BITS = 5 * LENGTH


class NoSuchKey(ScorepadError):
    """An unknown or withdrawn key. It is not in the message: the message may be logged."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The write key and the view key of a match. Secret; the file holds their digests."""

    write: str = field(repr=False)
    view: str = field(repr=False)


NO_KEYS = Keys("", "")


def new_key() -> str:
    """A random key."""
    return _key_from(secrets.randbits(_BITS))


def view_key_of(write: str, counter: int) -> str:
    """The view key that is derived from a write key; each `counter` gives another one."""
    mac = hmac.digest(write.encode(), f"key to view {counter}".encode(), "sha256")
    return _key_from(int.from_bytes(mac, "big") % (1 << _BITS))


def is_key(text: str) -> bool:
    """Whether a text has the form of a key."""
    return len(text) == LENGTH and all(letter in LETTERS for letter in text)


def digest_of(key: str) -> str:
    """The stored digest of a key. An unsalted hash is enough for 130 random bits."""
    return hashlib.sha256(key.encode()).hexdigest()


def store_new_keys(
    rows: WriteTransaction, match: str, now: datetime, *, with_view: bool = True
) -> Keys:
    """Make a new write key, and the view key derived from it.

    Without `with_view` there is no view key, because it was withdrawn.
    """
    write = new_key()
    view = ""
    counter = 0
    if with_view:
        counter = 1
        view = view_key_of(write, counter)
        rows.put(KeyRecord(match, Access.VIEW, digest_of(view), now))
    rows.put(KeyRecord(match, Access.WRITE, digest_of(write), now, counter))
    return Keys(write, view)


def store_new_view_key(rows: WriteTransaction, match: str, now: datetime, carried: Keys) -> Keys:
    """Make a new view key, in place of the one before. Returns it with the write key, if the device
    carries that.

    It is derived from the write key, so that every device that has the write key can show it. A
    device without the write key gets a random one, which no other device can show.
    """
    write_record = rows.key_of(match, Access.WRITE)
    if write_record is not None and _has_digest(carried.write, write_record):
        counter = _store_next_counter(rows, write_record)
        keys = Keys(carried.write, view_key_of(carried.write, counter))
    else:
        keys = Keys("", new_key())
    rows.put(KeyRecord(match, Access.VIEW, digest_of(keys.view), now))
    return keys


def _store_next_counter(rows: WriteTransaction, write_record: KeyRecord) -> int:
    """The counter with which the next view key is derived from a write key. It is stored with the
    write key, so that other devices derive the same.
    """
    counter = write_record.counter + 1
    rows.put(replace(write_record, counter=counter))
    return counter


def known_keys(rows: ReadTransaction, match: str, carried: Keys) -> Keys:
    """The keys of a match that are valid now and that a device knows, by the keys that it carries.

    A key that is not valid any more is empty. The view key need not be carried: it is also derived
    from the write key.
    """
    write_record = rows.key_of(match, Access.WRITE)
    view_record = rows.key_of(match, Access.VIEW)
    write = _valid_key([carried.write], write_record)
    view_keys = [carried.view]
    if write_record is not None and write:
        # This one may not be valid: a device without the write key may have made a random one.
        view_keys.append(view_key_of(write, write_record.counter))
    return Keys(write, _valid_key(view_keys, view_record))


def _valid_key(keys: Iterable[str], record: KeyRecord | None) -> str:
    """The first of these keys that is the one of which the data file has this record; empty if none
    of them is, or if there is no record.
    """
    if record is None:
        return ""
    for key in keys:
        if _has_digest(key, record):
            return key
    return ""


def _has_digest(key: str, record: KeyRecord) -> bool:
    """Whether a key is the one of which the data file has this record."""
    return digest_of(key) == record.digest


def _key_from(number: int) -> str:
    """The number in base 32, with the letters of keys as its digits, the highest one first."""
    letters = []
    for _ in range(LENGTH):
        number, digit = divmod(number, len(LETTERS))
        letters.append(LETTERS[digit])
    return "".join(reversed(letters))
