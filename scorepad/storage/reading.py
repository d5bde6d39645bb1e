"""What can be read out of the data file, by index only: a match's own rows, however many others there are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from scorepad.storage.errors import BrokenFile
from scorepad.storage.records import Entry, MatchRecord, OpenHandRecord, SummaryRecord

_MATCH = "select id, ruleset, started, seal from matches where id = ?"
_RULESET = "select digest, frozen, seal from rulesets where digest = ?"
_ACCESS = "select access from grants where device = ? and match_id = ?"
_ENTRY = "select match_id, sequence, kind, at, device, request, payload, seal, place from entries"
_LOG = _ENTRY + " where match_id = ? order by sequence"
_LAST = "select sequence, place from entries where match_id = ? order by sequence desc limit 1"
_REQUESTED = _ENTRY + " where request = ?"
_OPEN_HAND = "select match_id, id, version, draft, device, kept_at, seal from open_hands where match_id = ?"
_SUMMARY = (
    "select match_id, variant, names, totals, hands, target, finished, winner, started, changed, place, seal"
    " from summaries"
)
# One look-up for each grant of the device: nothing of the other matches is read.
_GRANTED = _SUMMARY + " join grants using (match_id) where device = ? order by place desc"
_ALL = _SUMMARY + " order by place desc"


def seal(*parts: str | int | None) -> str:
    """A short digest of what a row says, kept beside it: a bit that turned on the disk shows when the row is read."""
    text = "\x1f".join(map(str, parts))
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


class Reading:
    """One look at the file: everything read through it is of the same moment.

    Every method raises BrokenFile where a row that it needs is garbled.
    """

    def __init__(self, db: Database, path: Path) -> None:
        self._db = db
        self._path = path

    def match(self, match: str) -> MatchRecord | None:
        """The match of this id."""
        row = self._db.execute(_MATCH, [match]).fetchone()
        if row is None:
            return None
        name, ruleset, started = self._unsealed(row)
        return MatchRecord(name, ruleset, datetime.fromisoformat(started))

    def ruleset(self, digest: str) -> Mapping[str, Any]:
        """The frozen rules of this digest, which some match has."""
        row = self._db.execute(_RULESET, [digest]).fetchone()
        if row is None:
            raise BrokenFile(self._path, f"rules missing: {digest}")
        _, text = self._unsealed(row)
        frozen: Mapping[str, Any] = json.loads(text)
        return frozen

    def access(self, match: str, device: str) -> str | None:
        """What this device was granted in this match: `view`, `write`, `own` or nothing."""
        row = self._db.execute(_ACCESS, [device, match]).fetchone()
        return None if row is None else str(row[0])

    def entries(self, match: str) -> tuple[Entry, ...]:
        """The match's log, in order. Raises BrokenFile where an entry is missing as well."""
        found = tuple(self._entry(row) for row in self._db.execute(_LOG, [match]))
        if any(entry.sequence != number for number, entry in enumerate(found, 1)):
            raise BrokenFile(self._path, f"match {match}: an entry is missing")
        return found

    def last_entry(self, match: str) -> tuple[int, int]:
        """Sequence and place in the file of the last entry of the match's log: the same, and so is the log."""
        row = self._db.execute(_LAST, [match]).fetchone()
        return (0, 0) if row is None else (row[0], row[1])

    def requested(self, request: str) -> Entry | None:
        """What this request did when it came for the first time."""
        row = self._db.execute(_REQUESTED, [request]).fetchone()
        return None if row is None else self._entry(row)

    def open_hand(self, match: str) -> OpenHandRecord | None:
        """The hand being counted in this match."""
        row = self._db.execute(_OPEN_HAND, [match]).fetchone()
        if row is None:
            return None
        name, hand, version, draft, device, kept_at = self._unsealed(row)
        return OpenHandRecord(name, hand, version, json.loads(draft), device, datetime.fromisoformat(kept_at))

    def summaries(self, device: str) -> tuple[SummaryRecord, ...]:
        """The matches in which this device was granted something, the last one changed first."""
        return tuple(self._summary(row) for row in self._db.execute(_GRANTED, [device]))

    def all_summaries(self) -> tuple[SummaryRecord, ...]:
        """Every match of the file, the last one changed first. Reads them all."""
        return tuple(self._summary(row) for row in self._db.execute(_ALL))

    def _entry(self, row: tuple[Any, ...]) -> Entry:
        *sealed, place = row
        match, sequence, kind, at, device, request, payload = self._unsealed(tuple(sealed))
        return Entry(match, sequence, kind, datetime.fromisoformat(at), device, request, json.loads(payload), place)

    def _summary(self, row: tuple[Any, ...]) -> SummaryRecord:
        match, variant, names, totals, hands, target, finished, winner, started, changed, place = self._unsealed(row)
        return SummaryRecord(
            match, variant, tuple(json.loads(names)), tuple(json.loads(totals)), hands, target, bool(finished), winner,
            datetime.fromisoformat(started), datetime.fromisoformat(changed), place,
        )  # fmt: skip

    def _unsealed(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """A row without its seal, which stands last."""
        *said, sealed = row
        if sealed != seal(*said):
            raise BrokenFile(self._path, f"garbled: {said[:2]}")
        return tuple(said)
