"""What can be read out of the data file, by index only: rows that are asked for, and what is merely counted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from scorepad.storage.connection import translated
from scorepad.storage.digests import seal
from scorepad.storage.errors import BrokenFile
from scorepad.storage.lists import KIND
from scorepad.storage.records import (
    ANYBODY,
    Entry,
    GrantRecord,
    KeyRecord,
    Kind,
    Listing,
    ListRecord,
    MatchRecord,
    OpenHandRecord,
    SummaryRecord,
)

_MATCH = "select id, ruleset, started, seal from matches where id = ?"
_RULESET = "select digest, frozen, seal from rulesets where digest = ?"
_ACCESS = "select access from grants where device = ? and match_id = ?"
_ENTRY = "select match_id, sequence, kind, at, device, request, payload, sent, seal, place from entries"
_LOG = _ENTRY + " where match_id = ? order by sequence"
_LAST = "select sequence, place, seal from entries where match_id = ? order by sequence desc limit 1"
_REQUESTED = _ENTRY + " where request = ?"
_OPEN_HAND = "select match_id, id, version, draft, device, kept_at, seal from open_hands where match_id = ?"
_SUMMARY = "select match_id, variant, names, totals, hands, target, finished, winner, started, changed, place,"
_SUMMARY += " players, practice, ending, seal"
_ONE = _SUMMARY + " from summaries where match_id = ?"
# The ids alone; each row is then read by itself, so that one garbled keeps none of the others from it. A row that went
# from the file is missed by the outer join.
_ORDERED = f" and {KIND} = :kind order by place desc, match_id desc limit :most"
_GRANTED = " from grants left join summaries using (match_id) where device = :holder"
_LISTED = f"select coalesce(place, 0), match_id{_GRANTED}{_ORDERED}"
_ALL_LISTED = f"select place, match_id from summaries where true{_ORDERED}"  # noqa: S608 - ours
# A place in the file can come again once the match that had it is gone: the seal of the first tells the two apart.
_COUNTED = f"select {KIND} as kind, count(*) as matches, coalesce(sum(place), 0) as places"
_LISTS = f"{_COUNTED}, seal, max(place){_GRANTED} group by 1 order by 1"  # the seal of the row with that place
_ALL_LISTS = (
    "select kind, matches, places, (select seal from summaries"  # noqa: S608 - ours
    f" where {KIND} = counted.kind order by place desc, match_id desc limit 1)"
    f" from ({_COUNTED} from summaries group by 1) as counted order by 1"
)
# By hand: otherwise every hand of the log would be looked at for its kind.
_BY_NAMING = " indexed by entries_naming where kind in ('start', 'rename', 'replace') and match_id"
_NAMING_TEXTS = (
    f"select match_id, cast(payload as blob) from entries{_BY_NAMING}"  # noqa: S608 - ours
    " in (select value from json_each(?))"
)
_NAMING = _ENTRY + _BY_NAMING + " = ? order by sequence"
_IN_ORDER = "select match_id from entries group by match_id order by max(place)"
_KEY = "select match_id, access, digest, made, veiled from keys"
_GRANTS = (
    "select match_id, device, access, granted, number, side from grants join numbers using (match_id, device)"
    " where match_id = ? order by number"
)
_PULSE = (
    "select (select max(sequence) from entries where match_id = :match),"
    " (select version from open_hands where match_id = :match)"
)


LastEntry = tuple[int, int, str, int]


class Reading:
    """One look at the file: everything read through it is of the same moment.

    `generation` is another number whenever the file was replaced or changed by another program: what was kept of what
    was read before holds no more.

    Devices are named as `digests.known_as` has them. Every method raises BrokenFile where a row that it needs is
    garbled.
    """

    def __init__(self, db: Database, path: Path, generation: int = 0) -> None:
        self._db = db
        self._path = path
        self.generation = generation

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
            raise BrokenFile(self._path, reason="rules-missing")
        _, text = self._unsealed(row)
        frozen: Mapping[str, Any] = json.loads(text)
        return frozen

    def access(self, match: str, device: str) -> str | None:
        """What this device was granted in this match: `view`, `write`, `own` or nothing."""
        row = self._db.execute(_ACCESS, [device, match]).fetchone()
        return None if row is None else str(row[0])

    def entries(self, match: str) -> tuple[Entry, ...]:
        """The match's log, in order. Raises BrokenFile where an entry is missing as well."""
        # All at once: rows left unread, because one before them is garbled, would hold every writer off for as long as
        # anybody keeps the error.
        found = tuple(self._entry(row) for row in self._db.execute(_LOG, [match]).fetchall())
        if any(entry.sequence != number for number, entry in enumerate(found, 1)):
            raise BrokenFile(self._path, "an entry is missing", "entry-missing")
        return found

    def last_entry(self, match: str) -> LastEntry:
        """Sequence, place in the file and seal of the last entry of the match's log, and the generation of the file.

        Where all are the same, so is the log. Of a match that was deleted and came back from a file, the first two
        alone may be as they were.
        """
        row = self._db.execute(_LAST, [match]).fetchone()
        return (*(row or (0, 0, "")), self.generation)

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

    def lists(self, holder: str) -> tuple[ListRecord, ...]:
        """How far the lists of a holder have come; an empty list is left out. A device, or ANYBODY for every match."""
        with translated(self._path):
            found = self._db.execute(_ALL_LISTS if holder == ANYBODY else _LISTS, {"holder": holder}).fetchall()
        return tuple(ListRecord(*row[:4]) for row in found)

    def listed(self, holder: str, kind: Kind, most: int | None = None) -> tuple[tuple[int, str], ...]:
        """Place and id of the first matches of a list, so many at most, the last one changed first."""
        with translated(self._path):
            asked = {"holder": holder, "kind": kind, "most": -1 if most is None else most}
            return tuple(self._db.execute(_ALL_LISTED if holder == ANYBODY else _LISTED, asked).fetchall())

    def summaries(self, holder: str, kind: Kind, most: int | None = None) -> Listing:
        """The rows of these matches. A garbled one keeps none of the others from it."""
        found, garbled = [], []
        for _, match in self.listed(holder, kind, most):
            try:
                found.append(self.summary(match))
            except BrokenFile:
                garbled.append(match)
        return Listing(tuple(found), tuple(garbled))

    def naming_texts(self, matches: Sequence[str]) -> Mapping[str, Sequence[bytes]]:
        """The payloads of the entries that `naming` tells, by match: from an index, not held against their seals."""
        found: dict[str, list[bytes]] = {}
        with translated(self._path):
            for match, text in self._db.execute(_NAMING_TEXTS, [json.dumps(matches)]).fetchall():
                found.setdefault(match, []).append(text)
        return found

    def naming(self, match: str) -> tuple[Entry, ...]:
        """The entries of a match's log that name its sides, players and place, in order; undone ones among them."""
        with translated(self._path):
            return tuple(self._entry(row) for row in self._db.execute(_NAMING, [match]).fetchall())

    def summary(self, match: str) -> SummaryRecord:
        """What the lists tell of a match that is there."""
        with translated(self._path):
            row = self._db.execute(_ONE, [match]).fetchone()
            return self._summary(row or (match, None))

    def matches_in_order(self) -> tuple[str, ...]:
        """The ids of all matches, the one changed last last."""
        return tuple(match for (match,) in self._db.execute(_IN_ORDER))

    def pulse(self, match: str) -> tuple[int, int]:
        """The sequence of the last entry of a match, and the version of what is being typed (0 for nothing)."""
        sequence, version = self._db.execute(_PULSE, {"match": match}).fetchone()
        return sequence or 0, version or 0

    def key(self, digest: str) -> KeyRecord | None:
        """The key of this digest."""
        return self._key(self._db.execute(f"{_KEY} where digest = ?", [digest]).fetchone())

    def key_of(self, match: str, access: str) -> KeyRecord | None:
        """The key that opens a match so far, unless it was withdrawn."""
        return self._key(self._db.execute(f"{_KEY} where match_id = ? and access = ?", [match, access]).fetchone())

    def grants(self, match: str) -> tuple[GrantRecord, ...]:
        """The devices that may do something with a match, in the order in which they came first."""
        found = self._db.execute(_GRANTS, [match]).fetchall()
        return tuple(
            GrantRecord(name, device, access, datetime.fromisoformat(granted), number, side)
            for name, device, access, granted, number, side in found
        )

    def numbers(self, match: str) -> Mapping[str, int]:
        """The number of every device that ever came to a match, those included that may do nothing any more."""
        return dict(self._db.execute("select device, number from numbers where match_id = ?", [match]).fetchall())

    def rematch(self, match: str) -> str | None:
        """The match that began as the rematch of this one."""
        row = self._db.execute("select rematch from rematches where match_id = ?", [match]).fetchone()
        return None if row is None else str(row[0])

    def seat(self, match: str, device: str) -> int | None:
        """The side that a device counts for, if it said so."""
        row = self._db.execute("select side from grants where device = ? and match_id = ?", [device, match]).fetchone()
        return None if row is None else row[0]

    def nonce(self, device: str) -> str:
        """The digest of the nonce that the cookie of a device must carry; empty for a device never renewed."""
        row = self._db.execute("select nonce from devices where device = ?", [device]).fetchone()
        return "" if row is None else str(row[0])

    def home_link_until(self, digest: str) -> datetime | None:
        """When the home link with this digest expires; None if there is none."""
        row = self._db.execute("select until from home_links where digest = ?", [digest]).fetchone()
        return None if row is None else datetime.fromisoformat(row[0])

    def _key(self, row: tuple[str, str, str, str, str | None] | None) -> KeyRecord | None:
        if row is None:
            return None
        match, access, digest, made, veiled = row
        return KeyRecord(match, access, digest, datetime.fromisoformat(made), veiled)

    def _entry(self, row: tuple[Any, ...]) -> Entry:
        *sealed, place = row
        match, sequence, kind, at, device, request, payload, sent = self._unsealed(tuple(sealed))
        moment = datetime.fromisoformat(at)
        return Entry(match, sequence, kind, moment, device, request, json.loads(payload), place, sent)

    def _summary(self, row: tuple[Any, ...]) -> SummaryRecord:
        (
            match, variant, names, totals, hands, target, finished, winner, started, changed, place,
            players, practice, ending,
        ) = self._unsealed(row)  # fmt: skip
        return SummaryRecord(
            match, variant, tuple(json.loads(names)), tuple(json.loads(totals)), hands, target, bool(finished), winner,
            datetime.fromisoformat(started), datetime.fromisoformat(changed), place,
            tuple(map(tuple, json.loads(players))), bool(practice), ending,
        )  # fmt: skip

    def _unsealed(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """A row without its seal, which stands last."""
        *said, sealed = row
        if sealed != seal(*said):
            # Nothing of what it says: this comes to the log.
            raise BrokenFile(self._path, "a garbled row", "garbled")
        return tuple(said)
