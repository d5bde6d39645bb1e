"""What was read before and need not be read again. Everything here can be dropped at any moment."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from threading import Lock
from typing import Generic, TypeVar

from scorepad.matches.projection import MatchState, RulesOf, project
from scorepad.rules.variants import Ruleset, thaw
from scorepad.storage.records import MatchRecord, OpenHandRecord
from scorepad.storage.rows import LastEntry, Reading

ENTRIES = 2**14
"""Log entries that are kept: those of some hundred matches."""
LETTERS = 2**22
"""Characters of drafts that are kept: some thousand versions of hands."""

_Value = TypeVar("_Value")


class Recent(Generic[_Value]):
    """A thread-safe cache of the values used last.

    `most` is the weight that is kept, `weigh` the weight of a value; 1 each if not given.
    """

    def __init__(self, most: int = 256, weigh: Callable[[_Value], int] = lambda _: 1) -> None:
        self._most, self._weigh, self._weight = most, weigh, 0
        self._values: OrderedDict[Hashable, _Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> _Value | None:
        """The value of this key, if it is still here."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._values.clear()
            self._weight = 0

    def put(self, key: Hashable, value: _Value) -> _Value:
        """Keep a value, and drop those least recently used; the new one stays, however large."""
        with self._lock:
            if key in self._values:
                self._weight -= self._weigh(self._values.pop(key))
            self._values[key] = value
            self._weight += self._weigh(value)
            while self._weight > self._most and len(self._values) > 1:
                self._weight -= self._weigh(self._values.popitem(last=False)[1])
        return value


class Cache:
    """Rules by their digest, projected matches, and drafts.

    A log only grows, so a match with the same last entry is the same match; the generation of the file tells when
    another program changed it.
    """

    def __init__(self) -> None:
        self._rules: Recent[Ruleset] = Recent()
        self._matches: Recent[tuple[LastEntry, MatchState]] = Recent(ENTRIES, lambda kept: len(kept[1].log))
        self._drafts: Recent[Mapping[str, str]] = Recent(LETTERS, lambda draft: sum(map(len, draft.values())) + 1)

    def rules_of(self, rows: Reading) -> RulesOf:
        """The rules of a digest, read in this transaction if they are not here."""

        def find(digest: str) -> Ruleset:
            key = digest, rows.generation
            return self._rules.get(key) or self._rules.put(key, thaw(rows.ruleset(digest)))

        return find

    def match(self, rows: Reading, record: MatchRecord) -> MatchState:
        """The match as it stands in the file."""
        last = rows.last_entry(record.id)
        kept = self._matches.get(record.id)
        if kept is None or kept[0] != last:
            kept = self.put(last, project(record, rows.entries(record.id), self.rules_of(rows)))
        return kept[1]

    def put(self, last: LastEntry, match: MatchState) -> tuple[LastEntry, MatchState]:
        """Keep a match whose last entry in the file is this one."""
        return self._matches.put(match.id, (last, match))

    def put_draft(self, record: OpenHandRecord) -> None:
        """Keep a version of what was typed: a page that shows it may still be open."""
        self._drafts.put((record.match, record.id, record.version), record.draft)

    def draft(self, match: str, hand: str, version: int) -> Mapping[str, str] | None:
        """What was typed of a hand in this version; None where it is not here any more."""
        return {} if version == 0 else self._drafts.get((match, hand, version))
