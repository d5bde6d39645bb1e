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
    """What a short code stands for, the address that it was shown to, and when it expires by the
    monotonic clock.
    """

    key: str
    address: str
    until: float


class ShortCodes:
    """The short codes that are valid now. Thread-safe."""

    def __init__(self) -> None:
        self._codes: dict[str, ShortCode] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._codes)

    def code_of(self, key: str, address: str) -> str:
        """The short code of a key; a new one if the last expires soon."""
        now = time.monotonic()
        with self._lock:
            for code, kept in self._codes.items():
                if kept.key == key and kept.until - now > SHORT_LASTS / 2:
                    return code
            self._make_room(now)
            made = "".join(secrets.choice(SHORT_LETTERS) for _ in range(SHORT_LENGTH))
            self._codes[made] = ShortCode(key, address, now + SHORT_LASTS)
            return made

    def key_of(self, typed: str) -> str | None:
        """The key of a short code as typed; None if it is not valid.

        All codes are compared, so that every request takes the same time.
        """
        wanted = "".join(typed.upper().replace("-", " ").split()).encode()
        now = time.monotonic()
        found = None
        with self._lock:
            for code, kept in self._codes.items():
                if hmac.compare_digest(code.encode(), wanted) and now < kept.until:
                    found = kept.key
        return found

    def _make_room(self, now: float) -> None:
        """Drop expired codes; if there are still too many, the oldest one of the address that has
        most of them.
        """
        for code, kept in list(self._codes.items()):
            if kept.until <= now:
                del self._codes[code]
        if len(self._codes) < MOST_SHORT_CODES:
            return
        addresses = Counter(kept.address for kept in self._codes.values())
        ((busiest, _),) = addresses.most_common(1)
        oldest = next(code for code, kept in self._codes.items() if kept.address == busiest)
        del self._codes[oldest]
