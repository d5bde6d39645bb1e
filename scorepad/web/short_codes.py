"""Short codes, which stand for the key of a match for ten minutes, in the memory of the server
alone.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections import Counter
from threading import Lock
from typing import NamedTuple

SHORT_LETTERS = "ACDEFHJKLMNPQRTUVWXY34679"
"""Letters and figures of short codes, without similar ones."""
SHORT_LENGTH = 6
SHORT_LASTS = 600
"""Validity of a short code in seconds. A displayed code is valid for at least half of it."""
MOST_SHORT_CODES = 512


class ShortCode(NamedTuple):
    """What a short code stands for."""

    key: str
    address: str
    """The address of the device that it was shown to first."""
    expires: float
    """By the monotonic clock."""


class ShortCodes:
    """The short codes that are valid now. Thread-safe."""

    def __init__(self) -> None:
        self._codes: dict[str, ShortCode] = {}
        """In the order in which they were made."""
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._codes)

    def find_or_make_code(self, key: str, address: str) -> str:
        """Return a short code, such as `ACDEFH`, that stands for the key of a match.

        The page of a match shows it. It is the code made last for this key, or a new one if that is
        valid for less than half its time. `address` is that of the device that asks.
        """
        now = time.monotonic()
        with self._lock:
            for code, entry in self._codes.items():
                if entry.key == key and entry.expires - now > SHORT_LASTS / 2:
                    return code
            return self._make_code(key, address, now)

    def _make_code(self, key: str, address: str, now: float) -> str:
        """Make a short code for the key of a match, and remember it. Call it with the lock held.

        If too many codes are valid, the oldest one of the address with the most codes is dropped.
        """
        self._drop_expired(now)
        if len(self._codes) >= MOST_SHORT_CODES:
            self._drop_one_of_busiest_address()
        letters = [secrets.choice(SHORT_LETTERS) for _ in range(SHORT_LENGTH)]
        code = "".join(letters)
        self._codes[code] = ShortCode(key, address, now + SHORT_LASTS)
        return code

    def find_key(self, typed: str) -> str | None:
        """Find the key that a typed short code, such as `acd-efh`, stands for.

        None if the code is not valid. All codes are compared, so that every request takes the same
        time.
        """
        letters = typed.upper().replace("-", " ").split()
        typed_code = "".join(letters).encode()
        now = time.monotonic()
        key = None
        with self._lock:
            for code, entry in self._codes.items():
                is_same = hmac.compare_digest(code.encode(), typed_code)
                if is_same and now < entry.expires:
                    key = entry.key
        return key

    def _drop_expired(self, now: float) -> None:
        """Drop the codes that are valid no more."""
        for code, entry in list(self._codes.items()):
            if entry.expires <= now:
                del self._codes[code]

    def _drop_one_of_busiest_address(self) -> None:
        """Drop the oldest code of the address that has the most codes.

        An address that asks for very many codes so drops its own, and not those of others.
        """
        codes_of_address = Counter(entry.address for entry in self._codes.values())
        [(busiest_address, _number)] = codes_of_address.most_common(1)
        for code, entry in self._codes.items():  # the oldest first
            if entry.address == busiest_address:
                del self._codes[code]
                return
