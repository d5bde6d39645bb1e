"""A cache for several threads that drops the values used least recently."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

_Value = TypeVar("_Value")


def _weigh_one(_value: object) -> int:
    """Weigh any value as 1, so that the greatest weight is the greatest number of values."""
    return 1


class LruCache(Generic[_Value]):
    """A cache of values by key, for several threads, with a limit of the weight of all values."""

    def __init__(self, most: int = 256, weigh: Callable[[_Value], int] = _weigh_one) -> None:
        """Create an empty cache.

        `weigh` returns the weight of a value, such as its size in bytes, and `most` is the greatest
        weight of all values together. Without `weigh` there may be `most` values.
        """
        self._greatest_weight = most
        self._weigh = weigh
        # This dictionary drops the values used least recently when another one needs room.
        self._values: LRUCache[Hashable, _Value] = LRUCache(most, getsizeof=self._limit_weight)
        self._lock = Lock()

    def _limit_weight(self, value: _Value) -> int:
        """Return the weight of a value, but never more than the whole cache can hold.

        The dictionary would refuse a heavier value. With this weight it is stored alone, and the
        next value that is stored replaces it.
        """
        return min(self._weigh(value), self._greatest_weight)

    def get(self, key: Hashable) -> _Value | None:
        """Return the value of this key; None if there is none."""
        with self._lock:
            return self._values.get(key)

    def items(self) -> list[tuple[Hashable, _Value]]:
        """Return all keys with their values, as they are at this moment."""
        with self._lock:
            return list(self._values.items())

    def clear(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._values.clear()

    def put(self, key: Hashable, value: _Value) -> _Value:
        """Store a value under a key, and return it.

        If there is no room for it, the values used least recently are dropped.
        """
        with self._lock:
            self._values[key] = value  # an `LRUCache` drops values by itself
        return value

    def get_or_make(self, key: Hashable, make: Callable[[], _Value]) -> _Value:
        """Return the value of this key. If there is none, call `make` and store what it returns.

        Of several threads that ask at once, one makes the value, and all get it.
        """
        with self._lock:
            value = self._values.get(key)
            if value is None:
                value = make()
                self._values[key] = value
        return value
