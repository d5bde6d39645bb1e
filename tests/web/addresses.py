"""The addresses that the pages of the app lead to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

MOST = 3
"""How often pages of one kind are looked at: the rulebook has one for every game under every choice
of a table.
"""


class Addresses:
    """Addresses to look at, each once; while they are gone through, those found are added."""

    def __init__(self, *first: str, most: int = MOST) -> None:
        self._most = most
        self.seen: set[str] = set()
        self._todo = list(first)
        self._asked: Counter[str] = Counter()

    def add(self, found: Iterable[str]) -> None:
        """More of them."""
        self._todo += found

    def __iter__(self) -> Iterator[str]:
        while self._todo:
            address = self._todo.pop().partition("#")[0]
            kind = re.sub("^/regole/[^/]+", "/regole/*", address.partition("?")[0])
            if address and address not in self.seen and self._asked[kind] < self._most:
                self.seen.add(address)
                self._asked[kind] += 1
                yield address
