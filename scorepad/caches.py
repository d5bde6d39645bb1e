"""A cache for several threads that drops the values used least recently."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

_Value = TypeVar("_Value")


class LruCache(Generic[_Value]):
    """A thread-safe LRU cache.

    `most` is the greatest total weight, `weigh` returns the weight of a value (default 1).
    """

    def __init__(self, most: int = 256, weigh: Callable[[_Value], int] = lambda _: 1) -> None:
        # A value heavier than the whole cache is kept alone, until the next one.
        self._values: LRUCache[Hashable, _Value] = LRUCache(
            most, getsizeof=lambda value: min(weigh(value), most)
        )
        self._lock = Lock()

    def get(self, key: Hashable) -> _Value | None:
        """The value of this key, if cached."""
        with self._lock:
            return self._values.get(key)

    def items(self) -> list[tuple[Hashable, _Value]]:
        """All cached items."""
        with self._lock:
            return list(self._values.items())

    def clear(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._values.clear()

    def put(self, key: Hashable, value: _Value) -> _Value:
        """Store a value, and drop those used least recently to make room for it; returns it."""
        with self._lock:
            self._values[key] = value
        return value

    def get_or_make(self, key: Hashable, make: Callable[[], _Value]) -> _Value:
        """The value of this key; if there is none, the one that `make` returns, which is stored.

        Of several threads that ask at once, one makes it, and all get the same.
        """
        with self._lock:
            value = self._values.get(key)
            if value is None:
                value = make()
                self._values[key] = value
        return value
