"""A cache for several threads that drops the values used least recently."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

_Value = TypeVar("_Value")


class LruCache(Generic[_Value]):
    """A cache of values by key, for several threads.

    `most` is the greatest weight of all values together. `weigh` returns the weight of a value; by
    default each weighs 1, so that `most` is the greatest number of values.
    """

    def __init__(self, most: int = 256, weigh: Callable[[_Value], int] = lambda _: 1) -> None:
        def limited_weight(value: _Value) -> int:
            # A value heavier than the whole cache is kept alone, until the next one.
            return min(weigh(value), most)

        self._values: LRUCache[Hashable, _Value] = LRUCache(most, getsizeof=limited_weight)
        self._lock = Lock()

    def get(self, key: Hashable) -> _Value | None:
        """The value of this key; None if there is none."""
        with self._lock:
            return self._values.get(key)

    def items(self) -> list[tuple[Hashable, _Value]]:
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
