"""Keys: what opens a match to whoever brings it, made of chance, and what the file keeps of them.

The file holds a digest of each, so that a copy of it opens nothing. Whoever can write must be able to show the key to
view as well, wherever it was made and whenever it is made anew: so it stands in the file veiled by the key to write,
and nobody reads it there who has only the file, or only the key to view.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Thirty-two, without those that are taken for one another when an address is copied by hand."""
LENGTH = 26
"""Letters of a key: 130 bits of chance."""

_BITS = 5 * LENGTH


def new_key() -> str:
    """A key that nobody has seen."""
    return _spelt(secrets.randbits(_BITS))


def is_key(text: str) -> bool:
    """Whether this looks like a key."""
    return len(text) == LENGTH and all(letter in LETTERS for letter in text)


def digest_of(key: str) -> str:
    """What the file keeps of a key: of 130 bits of chance a plain digest cannot be guessed back."""
    return hashlib.sha256(key.encode()).hexdigest()


def veil(view: str, write: str) -> str:
    """The key to view as only the key to write can read it."""
    return _spelt(_number(view) ^ _cover(write, digest_of(view)))


def unveil(veiled: str, digest: str, write: str) -> str | None:
    """The key to view, whose digest stands beside it; None where the key to write is not the one that veiled it."""
    view = _spelt(_number(veiled) ^ _cover(write, digest)) if is_key(veiled) else ""
    return view if digest_of(view) == digest else None


def _cover(write: str, digest: str) -> int:
    """Another one for each pair of keys: who knows one key to view learns nothing of the next."""
    covered = hmac.digest(write.encode(), f"key to view {digest}".encode(), "sha256")
    return int.from_bytes(covered, "big") % (1 << _BITS)


def _number(key: str) -> int:
    number = 0
    for letter in key:
        number = number * 32 + LETTERS.index(letter)
    return number


def _spelt(number: int) -> str:
    return "".join(LETTERS[number >> 5 * place & 31] for place in reversed(range(LENGTH)))
