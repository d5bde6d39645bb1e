"""The keys of matches: one to write, one to view.

The data file holds only a digest of each key, so a copy of the file gives no access. The key to
view is derived from the key to write and a counter: a device that holds the key to write can show
the key to view, even if another device renewed it, and neither the file nor a key to view tells
any other key.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
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
    """The keys of a match: to write, and to view. Secret; the file holds their digests."""

    write: str = field(repr=False)
    view: str = field(repr=False)


NO_KEYS = Keys("", "")


def new_key() -> str:
    """A random key."""
    return _key_from(secrets.randbits(_BITS))


def view_key_of(write: str, counter: int) -> str:
    """The key to view that is derived from a key to write; each `counter` gives another one."""
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
    """Make a new key to write, and the key to view derived from it.

    Without `with_view` there is no key to view: it was withdrawn.
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
    """Make a new key to view, in place of the one before. Returns it with the key to write, if the
    device carries that.

    From the key to write the new one is derived, so that every device that has the key to write can
    show it. For a device without the key to write it is a random one, which no other device can
    show.
    """
    write_record = rows.key_of(match, Access.WRITE)
    if write_record is not None and _has_digest(carried.write, write_record):
        counter = write_record.counter + 1
        rows.put(replace(write_record, counter=counter))
        keys = Keys(carried.write, view_key_of(carried.write, counter))
    else:
        keys = Keys("", new_key())
    rows.put(KeyRecord(match, Access.VIEW, digest_of(keys.view), now))
    return keys


def known_keys(rows: ReadTransaction, match: str, carried: Keys) -> Keys:
    """The keys of a match that are valid now and that a device knows, by the keys that it carries.

    A key that is not valid any more is empty. The key to view need not be carried: it is also
    derived from the key to write.
    """
    write_record = rows.key_of(match, Access.WRITE)
    view_record = rows.key_of(match, Access.VIEW)
    write = ""
    if write_record is not None and _has_digest(carried.write, write_record):
        write = carried.write

    view = ""
    if view_record is not None:
        if _has_digest(carried.view, view_record):
            view = carried.view
        elif write_record is not None and write:
            derived = view_key_of(write, write_record.counter)
            # It may not be valid: a device without the key to write has made a random one since.
            if _has_digest(derived, view_record):
                view = derived
    return Keys(write, view)


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
