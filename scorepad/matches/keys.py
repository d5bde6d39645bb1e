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
"""The random bits of a key: each of its characters is one of 32, and so has five."""


class NoSuchKey(ScorepadError):
    """An unknown or withdrawn key. It is not in the message: the message may be logged."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The write key and the view key of a match. Secret; the file holds their digests."""

    write: str = field(repr=False)
    view: str = field(repr=False)


NO_KEYS = Keys("", "")


def new_key() -> str:
    """Make a random key: 26 letters and digits."""
    return _encode_key(secrets.randbits(_BITS))


def derive_view_key(write: str, counter: int) -> str:
    """Derive a view key from a write key: who has the write key can always compute it again.

    Each `counter` gives another key. This computation must never change: keys that people have
    written down would not be valid any more.
    """
    mac = hmac.digest(write.encode(), f"key to view {counter}".encode(), "sha256")
    number = int.from_bytes(mac, "big")
    return _encode_key(number % 2**_BITS)  # as many bits as a key has


def is_key(text: str) -> bool:
    """Tell whether a text has the form of a key; it may be one that no match has."""
    return len(text) == LENGTH and all(letter in LETTERS for letter in text)


def digest_of(key: str) -> str:
    """Return the digest of a key, which is stored in its place.

    The hash needs no salt: nobody can try out all keys of 130 random bits.
    """
    return hashlib.sha256(key.encode()).hexdigest()


def store_new_keys(
    rows: WriteTransaction, match: str, now: datetime, *, with_view: bool = True
) -> Keys:
    """Make and store a new write key for a match, and a new view key derived from it.

    Both replace the keys before. Without `with_view` the match gets no view key: its owner withdrew
    it earlier, and the result has an empty one.
    """
    write = new_key()
    view = ""
    counter = 0
    if with_view:
        counter = 1
        view = derive_view_key(write, counter)
        rows.put(KeyRecord(match, Access.VIEW, digest_of(view), now))
    rows.put(KeyRecord(match, Access.WRITE, digest_of(write), now, counter))
    return Keys(write, view)


def store_random_view_key(rows: WriteTransaction, match: str, now: datetime) -> str:
    """Make a random view key for a match, and store it in place of the one before.

    Only the device that gets it can show it: the data file has just its digest.
    """
    view = new_key()
    rows.put(KeyRecord(match, Access.VIEW, digest_of(view), now))
    return view


def store_derived_view_key(rows: WriteTransaction, match: str, now: datetime, write: str) -> str:
    """Derive a new view key from the write key of a match, and store it in place of the one before.

    `write` must be the valid write key. Every device that knows it can show the view key, too.
    """
    write_record = rows.key_of(match, Access.WRITE)
    assert write_record is not None, "the match has a write key"
    counter = write_record.counter + 1  # gives another view key than before
    rows.put(replace(write_record, counter=counter))  # from which others derive the same key
    view = derive_view_key(write, counter)
    rows.put(KeyRecord(match, Access.VIEW, digest_of(view), now))
    return view


def find_known_keys(rows: ReadTransaction, match: str, carried: Keys) -> Keys:
    """Find the keys of a match that a device knows and that are still valid.

    `carried` are the keys in its cookies. A key that was replaced or withdrawn since is empty in
    the result. A device with the write key also knows the view key, which follows from it.
    """
    write_record = rows.key_of(match, Access.WRITE)
    write = _find_valid_key([carried.write], write_record)

    possible_view_keys = [carried.view]
    if write_record is not None and write:
        # It may not be the valid one: a device without the write key may have made a random one.
        possible_view_keys.append(derive_view_key(write, write_record.counter))
    view = _find_valid_key(possible_view_keys, rows.key_of(match, Access.VIEW))
    return Keys(write, view)


def _find_valid_key(keys: Iterable[str], record: KeyRecord | None) -> str:
    """Find the key that is valid now, among several that a device may know; empty if none is.

    `record` is what the data file has of the valid key: only its digest, so that each key must be
    tried. It is None if the key was withdrawn.
    """
    if record is None:
        return ""
    for key in keys:
        if _is_key_of(record, key):
            return key
    return ""


def _is_key_of(record: KeyRecord, key: str) -> bool:
    """Tell whether a key is the one of this stored record, which has only the digest of it."""
    return digest_of(key) == record.digest


def _encode_key(number: int) -> str:
    """Encode a number as a key: in base 32, with the characters of keys as digits.

    `0` → `aaaaaaaaaaaaaaaaaaaaaaaaaa`, `1` → `aaaaaaaaaaaaaaaaaaaaaaaaab`.
    """
    letters = []
    for _ in range(LENGTH):
        number, digit = divmod(number, len(LETTERS))  # the last digit first
        letters.append(LETTERS[digit])
    return "".join(reversed(letters))
