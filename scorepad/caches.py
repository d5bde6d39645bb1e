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
        self._most = most
        self._weigh = weigh
        self._values: LRUCache[Hashable, _Value] = LRUCache(most, getsizeof=self._limited_weight)
        """Drops values by itself, when another one is stored that would make them too heavy."""
        self._lock = Lock()

    def _limited_weight(self, value: _Value) -> int:
        """The weight of a value, or that of the full cache if the value is heavier.

        Such a value is stored too, but alone: the next value that is stored replaces it.
        """
        return min(self._weigh(value), self._most)

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
        """Store a value under a key, and return it."""
        with self._lock:
            self._values[key] = value  # drops those used least recently if there is no room
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
