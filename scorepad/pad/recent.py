"""What was asked for last, kept at hand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

_Kept = TypeVar("_Kept")


class Recent(Generic[_Kept]):
    """The values asked for last, by key; any number of threads may use it."""

    def __init__(self, most: int = 256) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> _Kept | None:
        """The value of this key, if it is still here."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def clear(self) -> None:
        """Let everything go."""
        with self._lock:
            self._values.clear()

    def put(self, key: Hashable, value: _Kept) -> _Kept:
        """Keep a value, and let the one go that nobody asked for the longest."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value
