"""What was asked for last, kept at hand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

_Kept = TypeVar("_Kept")


class Recent(Generic[_Kept]):
    """The values asked for last, by key; any number of threads may use it.

    `most` is how much is kept of what `weigh` tells of each, the values themselves where nothing does: whoever makes
    some very large ones fills no memory with them.
    """

    def __init__(self, most: int = 256, weigh: Callable[[_Kept], int] = lambda _: 1) -> None:
        self._most, self._weigh, self._weight = most, weigh, 0
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
            self._weight = 0

    def put(self, key: Hashable, value: _Kept) -> _Kept:
        """Keep a value, and let those go that nobody asked for the longest; the last one stays, however large."""
        with self._lock:
            if key in self._values:
                self._weight -= self._weigh(self._values.pop(key))
            self._values[key] = value
            self._weight += self._weigh(value)
            while self._weight > self._most and len(self._values) > 1:
                self._weight -= self._weigh(self._values.popitem(last=False)[1])
        return value
