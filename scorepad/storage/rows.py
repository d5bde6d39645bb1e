"""The rows of the data file, read and written inside one transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from scorepad.storage.connection import translated
from scorepad.storage.errors import BrokenFile, NoRoom
from scorepad.storage.files import has_room
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
    seal,
)
from scorepad.storage.schema import KIND

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
_VERSION = (
    "select (select max(sequence) from entries where match_id = :match),"
    " (select version from open_hands where match_id = :match)"
)


LastEntry = tuple[int, int, str, int]


class Reading:
    """A read transaction: everything read through it is of the same moment.

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
        """The versions of the lists of a holder, a device or ANYBODY for every match; an empty list is left out."""
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

    def version(self, match: str) -> tuple[int, int]:
        """The sequence of the last entry of a match, and the version of what is being typed (0 for nothing)."""
        sequence, version = self._db.execute(_VERSION, {"match": match}).fetchone()
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
        return Entry(match, sequence, kind, moment, device, request, json.loads(payload), sent, place)

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


_GRANT = (
    "insert into grants (device, match_id, access, granted) values (?, ?, ?, ?)"
    " on conflict (device, match_id) do update set access = excluded.access"
)
_NUMBER = (
    "insert or ignore into numbers (match_id, device, number)"
    " select :match, :device, 1 + coalesce(max(number), 0) from numbers where match_id = :match"
)
_FORGET = (
    "delete from numbers where match_id = :match and device = :device"
    # The next number is counted from the highest: that one stays, so that none ever comes to mean another device.
    " and number < (select max(number) from numbers where match_id = :match)"
    " and not exists (select 1 from entries where match_id = :match and device = :device)"
    " and not exists (select 1 from open_hands where match_id = :match and device = :device)"
)
# Rules that a match took before its first hand stand in its log. A garbled entry is none of this match's business.
_TAKEN = "case when kind = 'rules' and json_valid(payload) then json_extract(payload, '$.ruleset') end"
_RULESETS_OF = (
    "select ruleset from matches where id = :match union"  # noqa: S608 - ours
    f" select {_TAKEN} from entries where match_id = :match and kind = 'rules'"
)
_DROP_RULESET = (
    "delete from rulesets where digest = :digest and not exists (select 1 from matches where ruleset = :digest)"  # noqa: S608
    f" and not exists (select 1 from entries where {_TAKEN} = :digest)"
)

Row = dict[str, str | int | None]
"""What a row says, column by column, before it is sealed."""


class Writing(Reading):
    """A transaction that holds the file alone: what it reads stays true until it ends."""

    def add_match(self, match: MatchRecord, frozen: Mapping[str, Any]) -> None:
        """A new match by these frozen rules, which are stored once for all the matches that share them.

        Raises NoRoom.
        """
        if not has_room(self._path):
            raise NoRoom(self._path)
        self.add_ruleset(match.ruleset, frozen)
        self._put("matches", {"id": match.id, "ruleset": match.ruleset, "started": as_moment(match.started)})

    def add_ruleset(self, digest: str, frozen: Mapping[str, Any]) -> None:
        """These frozen rules, unless they are there already. Raises BrokenFile where those are garbled."""
        if self._db.execute("select 1 from rulesets where digest = ?", [digest]).fetchone():
            self.ruleset(digest)
        else:
            self._put("rulesets", {"digest": digest, "frozen": as_json(frozen)})

    def drop_match(self, match: str) -> None:
        """A match and all that hangs on it, overwritten on the disk; its rules too, where no other match has them."""
        used = {digest for (digest,) in self._db.execute(_RULESETS_OF, {"match": match})}
        self._db.execute("delete from matches where id = ?", [match])
        for digest in used:
            self._db.execute(_DROP_RULESET, {"digest": digest})

    def append(self, entry: Entry) -> Entry:
        """The entry as it stands in the log, with the place that it got in the file.

        Its sequence must be the next one of the match. Raises sqlite3.IntegrityError where the request was there.
        """
        said: Row = {
            "match_id": entry.match, "sequence": entry.sequence, "kind": entry.kind, "at": as_moment(entry.at),
            "device": entry.device, "request": entry.request, "payload": as_json(entry.payload),
            "sent": entry.sent,
        }  # fmt: skip
        return replace(entry, place=self._put("entries", said))

    def grant(self, match: str, device: str, access: str, at: datetime) -> None:
        """From now on this device may do that with the match, in place of what it might before.

        A device that comes for the first time gets the next number; one that is there already came when it came.
        """
        self._db.execute(_GRANT, [device, match, access, as_moment(at)])
        self._db.execute(_NUMBER, {"match": match, "device": device})

    def put_number(self, match: str, device: str, number: int) -> None:
        """The number of a device that came to the match elsewhere, and may do nothing with it here."""
        row = [match, device, number]
        self._db.execute("insert into numbers (match_id, device, number) values (?, ?, ?)", row)

    def revoke(self, match: str, device: str) -> None:
        """From now on this device may do nothing with the match. Its number stays its own."""
        self._db.execute("delete from grants where device = ? and match_id = ?", [device, match])

    def forget(self, match: str, device: str) -> None:
        """Revoke what a device may do; where it wrote nothing in the match, its number goes too."""
        self.revoke(match, device)
        self._db.execute(_FORGET, {"match": match, "device": device})

    def put_rematch(self, match: str, rematch: str) -> None:
        """Which match is the rematch of this one."""
        self._db.execute("insert or replace into rematches (match_id, rematch) values (?, ?)", [match, rematch])

    def put_seat(self, match: str, device: str, side: int | None) -> None:
        """The side that a device of the match counts for."""
        self._db.execute("update grants set side = ? where device = ? and match_id = ?", [side, device, match])

    def put_key(self, key: KeyRecord) -> None:
        """The key that opens a match so far from now on; the one before it opens nothing any more."""
        row = [key.match, key.access, key.digest, as_moment(key.made), key.veiled]
        self._db.execute(
            "insert or replace into keys (match_id, access, digest, made, veiled) values (?, ?, ?, ?, ?)", row
        )

    def drop_key(self, match: str, access: str) -> None:
        """No key opens the match so far any more."""
        self._db.execute("delete from keys where match_id = ? and access = ?", [match, access])

    def put_nonce(self, device: str, nonce: str) -> None:
        """Store the digest of the nonce that the cookie of a device must carry from now on."""
        self._db.execute("insert or replace into devices (device, nonce) values (?, ?)", [device, nonce])

    def put_home_link(self, digest: str, until: datetime) -> None:
        """Store a home link that expires at this moment."""
        self._db.execute("insert into home_links (digest, until) values (?, ?)", [digest, as_moment(until)])

    def drop_home_links(self, digest: str, now: datetime) -> None:
        """Delete the home link with this digest, and all that have expired."""
        self._db.execute("delete from home_links where digest = ? or until <= ?", [digest, as_moment(now)])

    def put_open_hand(self, hand: OpenHandRecord) -> None:
        """The hand being counted, in place of what was kept of it before."""
        said: Row = {
            "match_id": hand.match, "id": hand.id, "version": hand.version, "draft": as_json(hand.draft),
            "device": hand.device, "kept_at": as_moment(hand.kept_at),
        }  # fmt: skip
        self._put("open_hands", said, instead=True)

    def drop_open_hand(self, match: str) -> None:
        """The hand is counted: nothing is being typed any more."""
        self._db.execute("delete from open_hands where match_id = ?", [match])

    def put_summary(self, summary: SummaryRecord) -> None:
        """What the match adds up to now, in place of what it did before."""
        said: Row = {
            "match_id": summary.match, "variant": summary.variant, "names": as_json(summary.names),
            "totals": as_json(summary.totals), "hands": summary.hands, "target": summary.target,
            "finished": int(summary.finished), "winner": summary.winner, "started": as_moment(summary.started),
            "changed": as_moment(summary.changed), "place": summary.place, "players": as_json(summary.players),
            "practice": int(summary.practice), "ending": summary.ending,
        }  # fmt: skip
        self._put("summaries", said, instead=True)

    def _put(self, table: str, said: Row, *, instead: bool = False) -> int:
        """A row with its seal, which covers the columns in the order in which `Reading` asks for them; its place.

        `instead`: where the match has such a row already it is written over.
        """
        values = (*said.values(), seal(*said.values()))
        return self._db.execute(_put_statement(table, (*said, "seal"), instead=instead), values).lastrowid or 0


@cache
def _put_statement(table: str, columns: tuple[str, ...], *, instead: bool) -> str:
    # The library's own insert asks for the shape of the file each time and opens a savepoint: as long as all the rest.
    places = ", ".join("?" * len(columns))
    statement = f"insert into {table} ({', '.join(columns)}) values ({places})"  # noqa: S608 - the names are ours
    if instead:
        changes = ", ".join(f"{column} = excluded.{column}" for column in columns)
        statement += f" on conflict (match_id) do update set {changes}"
    return statement


def as_json(value: object) -> str:
    """A value as text for a row, in ASCII throughout: even half an emoji that somebody sent can be kept."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def as_moment(moment: datetime) -> str:
    """A moment in UTC with microseconds. Raises ValueError for one that knows no zone."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no zone")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
