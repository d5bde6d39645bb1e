"""The rows of the data file as values, and transactions that read and write them.

Times have a zone and are in UTC; ids are opaque text. A `device` is stored as returned by
`known_as`, never by its id.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlite_utils import Database

from scorepad.storage.connection import (
    SQLITE_ERRORS,
    BrokenFile,
    NoRoom,
    NoRoomToSave,
    has_room,
    has_room_to_save,
    reraise,
)
from scorepad.storage.schema import KIND

ADMIN_PREFIX = "@admin:"
"""The prefix of the id of a browser with admin access."""
PROGRAM = "api-"
"""The prefix of the id of a program, and of its stored form."""
ANYBODY = "*"
"""The holder of every match of the file; no device has this id."""


class LastEntry(NamedTuple):
    """What tells the last entry of a log: its number there, its row in the file, its request id."""

    sequence: int
    row: int
    request: str


class Role(NamedTuple):
    """The access of a device to a match, `none` if it has none, and the side that it counts for."""

    access: str
    side: int | None


def known_as(device: str) -> str:
    """The form in which a device id is stored: its digest.

    The id is the content of a cookie. Nobody can make that cookie from the digest, so that a copy
    of the file gives no access; the id has 192 random bits, so an unsalted hash is enough.

    Ids that begin with `@` are reserved and not secret: they are stored as they are. A browser with
    admin access has the same digest as without it. A program keeps its prefix: `api-3f2a…`.
    """
    name = device.removeprefix(ADMIN_PREFIX)
    if name.startswith("@"):
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    if name.startswith(PROGRAM):
        return PROGRAM + digest
    return digest


def is_program(device: str) -> bool:
    """Whether a device, as returned by `known_as`, is a program."""
    return device.startswith(PROGRAM)


as_json = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode
"""Encodes a value as JSON text in ASCII, in which even lone surrogates can be stored."""


def as_moment(moment: datetime) -> str:
    """A time in UTC with microseconds. Raises ValueError for one without a zone."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no zone")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


# ------------------------------------------------------------------------------------------- values


class MatchList(StrEnum):
    """The list of its holder that a match is in."""

    IN_PROGRESS = "in-progress"
    FINISHED = "finished"
    PRACTICE = "practice"
    """Practice matches, finished or not."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match without its entries: `ruleset` is the digest of the rules that it started with."""

    id: str
    ruleset: str
    started: datetime


@dataclass(frozen=True, slots=True)
class FrozenRules:
    """The frozen rules of matches, by their digest."""

    digest: str
    frozen: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the log of a match.

    `sequence` counts from 1 in the match and is its order; `row` is the order among all entries
    of the file. `request` is unique in the file; `sent` is a digest of the content sent. `size` is
    the length of the stored payload in bytes.
    """

    match: str
    sequence: int
    kind: str
    at: datetime
    device: str
    request: str
    payload: Mapping[str, Any]
    sent: str
    row: int = field(default=0, compare=False)
    size: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class OpenHand:
    """The open hand of a match, as typed: `draft` is opaque, `version` increases with each change
    stored.
    """

    match: str
    id: str
    version: int
    draft: Mapping[str, str]
    device: str
    kept_at: datetime


@dataclass(frozen=True, slots=True)
class SummaryRecord:
    """A summary of a match for lists, projected from its log, in points. Stored in the transaction
    of each entry.

    `last_row` is that of its last entry in the file, entries about access excluded: a match with a
    higher one was changed later.
    """

    id: str
    variant: str
    names: tuple[str, ...]
    totals: tuple[int, ...]
    hands: int
    target: int
    """0 for a match that is not played to a target."""
    finished: bool
    winner: int | None
    started: datetime
    changed: datetime
    last_row: int
    players: tuple[tuple[str, ...], ...] = ()
    practice: bool = False
    ending: str = ""
    """How it ended if not by its rules; empty otherwise."""
    place: str = ""
    """The place and other free texts of the match in one line; empty if none was given."""
    all_players: tuple[str, ...] = ()
    """The names of all present and former players."""

    @property
    def venue(self) -> str:
        """The free texts of the match in one line, under the name that they have in a match."""
        return self.place


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A key of a match: `access` is `view` or `write`, `digest` the digest of the key.

    `counter` is how many keys to view were derived from it, if it is a key to write; else 0.
    """

    match: str
    access: str
    digest: str
    made: datetime
    counter: int = 0


@dataclass(frozen=True, slots=True)
class DeviceRecord:
    """A device that entered a match, and when: `access` is `view`, `write`, `own`, or `none` if
    removed.

    `number` counts the devices of the match from 1 in order of entry, and is never reused. `side`
    is the position of the side that it counts for, if any, `name` its holder, empty if unknown.
    """

    match: str
    device: str
    access: str
    granted: datetime
    number: int
    side: int | None = None
    name: str = ""


class ListRecord(NamedTuple):
    """The version of a list: its number of matches, the sum of their last rows, and when the first
    one was changed.

    If all three are the same, so is the list.
    """

    kind: str
    matches: int
    row_sum: int
    changed: str


# ------------------------------------------------------------------------------------------ columns

_Record = TypeVar(
    "_Record", MatchRecord, FrozenRules, Entry, OpenHand, SummaryRecord, KeyRecord, DeviceRecord
)


def _decode_tuples(text: str) -> tuple[Any, ...]:
    """A JSON list, and the lists in it, as tuples: `[["Anna", "Bea"], []]` → two tuples in one."""
    values = []
    for value in json.loads(text):
        if isinstance(value, list):
            values.append(tuple(value))
        else:
            values.append(value)
    return tuple(values)


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "started": datetime.fromisoformat,
    "changed": datetime.fromisoformat,
    "at": datetime.fromisoformat,
    "kept_at": datetime.fromisoformat,
    "granted": datetime.fromisoformat,
    "made": datetime.fromisoformat,
    "frozen": json.loads,
    "payload": json.loads,
    "draft": json.loads,
    "names": _decode_tuples,
    "totals": _decode_tuples,
    "players": _decode_tuples,
    "all_players": _decode_tuples,
    "finished": bool,
    "practice": bool,
}
"""How the values of these columns are made; those of all others are as SQLite returns them."""
_ENCODERS: dict[type, Callable[[Any], Any]] = {
    datetime: as_moment,
    dict: as_json,
    tuple: as_json,
    bool: int,
}
"""How values of these types are stored; all others are stored as they are."""


class _Table:
    """The SQL statements that insert a record into its table, and select it.

    The columns are the fields of the record, in order; only the first one has another name, `key`.
    SQLite itself assigns or calculates the last `assigned` ones. Rows of an `append_only` table
    never replace others.

    The library's own insert is not used: it queries the schema and opens a savepoint each time,
    which doubles the time.
    """

    def __init__(
        self,
        name: str,
        record: type,
        key: str = "match_id",
        *,
        assigned: int = 0,
        append_only: bool = False,
    ) -> None:
        attributes = [attribute.name for attribute in fields(record)]
        self.columns = [key]
        for attribute in attributes[1:]:
            # The size of an entry is no column: it is the length of its payload, which is ASCII.
            self.columns.append("length(payload)" if attribute == "size" else attribute)
        self.stored = attributes[: len(attributes) - assigned]
        """The attributes of the record that are stored, in the order of the marks of `insert`."""

        verb = "insert" if append_only else "insert or replace"
        stored_columns = ", ".join(self.columns[: len(self.stored)])
        marks = ", ".join("?" for _ in self.stored)
        self.insert = f"{verb} into {name} ({stored_columns}) values ({marks})"
        all_columns = ", ".join(self.columns)
        self.select = f"select {all_columns} from {name}"  # noqa: S608 - the names are ours


_TABLES: dict[type, _Table] = {
    MatchRecord: _Table("matches", MatchRecord, "id", append_only=True),
    FrozenRules: _Table("rulesets", FrozenRules, "digest", append_only=True),
    Entry: _Table("entries", Entry, assigned=2, append_only=True),
    OpenHand: _Table("open_hands", OpenHand),
    SummaryRecord: _Table("summaries", SummaryRecord),
    KeyRecord: _Table("keys", KeyRecord),
    DeviceRecord: _Table("grants", DeviceRecord),
}


# ------------------------------------------------------------------------------------------ reading

# A cross join, so that SQLite begins with the matches of the device, however many others there are.
_GRANTED = (
    " from grants cross join summaries using (match_id) where device = :holder and access != 'none'"
)
_ALL = " from summaries where true"
_IN_ORDER = f" and {KIND} = :kind order by last_row desc, match_id desc limit :most"
# A row number can be reused after its match is deleted: the time of the first match differs then.
_COUNTED = f"select {KIND} as kind, count(*) as matches, sum(last_row) as row_sum"
# SQLite takes `changed` from the summary with the highest `last_row`.
_LISTS = f"{_COUNTED}, changed, max(last_row){_GRANTED} group by 1 order by 1"
_ALL_LISTS = (
    "select kind, matches, row_sum, (select changed from summaries"  # noqa: S608 - ours
    f" where {KIND} = counted.kind order by last_row desc, match_id desc limit 1)"
    f" from ({_COUNTED} from summaries group by 1) as counted order by 1"
)
_NAMES = (
    "select match_id,"
    " cast('[' || names || ',' || players || ',' || all_players || ',[' || json_quote(place) || ']]' as blob)"
    " from summaries where match_id in (select value from json_each(?))"
)
_LAST = (
    "select sequence, row, request from entries where match_id = ? order by sequence desc limit 1"
)
_VERSION = (
    "select (select max(sequence) from entries where match_id = :match),"
    " (select version from open_hands where match_id = :match)"
)
_HAS_PHONES = (
    "select exists (select 1 from grants where access != 'none' and substr(device, 1, ?) != ?)"
)


def _list_parameters(holder: str, kind: MatchList, most: int | None) -> dict[str, Any]:
    """The parameters of a statement that selects the matches of a list; None: all of them."""
    no_limit = -1  # as SQLite writes it
    return {"holder": holder, "kind": kind, "most": no_limit if most is None else most}


class ReadTransaction:
    """A read transaction: all reads are from one consistent snapshot.

    Devices are given as returned by `known_as`. Every method raises BrokenFile if a row that it
    needs cannot be read.
    """

    def __init__(self, db: Database, path: Path) -> None:
        self._db = db
        self.path = path

    def match(self, match: str) -> MatchRecord | None:
        """The match with this id, which may be any text: it is often part of a URL."""
        if not match.isascii():  # SQLite accepts no lone surrogates
            return None
        return self._first(MatchRecord, "where id = ?", match)

    def ruleset(self, digest: str) -> Mapping[str, Any]:
        """The frozen rules with this digest, which some match uses."""
        rules = self._first(FrozenRules, "where digest = ?", digest)
        if rules is None:
            raise BrokenFile(self.path, reason="rules-missing")
        return rules.frozen

    def role(self, match: str, device: str) -> Role:
        """The access of this device to this match, and the side that it counts for."""
        rows = self._rows(
            "select access, side from grants where device = ? and match_id = ?", [device, match]
        )
        if not rows:
            return Role("none", None)
        return Role(*rows[0])

    def entries(self, match: str) -> tuple[Entry, ...]:
        """The match's log, in order. Raises BrokenFile also if an entry is missing."""
        entries = self._every(Entry, "where match_id = ? order by sequence", match)
        for expected_sequence, entry in enumerate(entries, 1):
            if entry.sequence != expected_sequence:
                raise BrokenFile(self.path, "an entry is missing", "entry-missing")
        return entries

    def last_entry(self, match: str) -> LastEntry:
        """The last entry of the match's log.

        If it is the same, so is the log. The request id tells a log from another one in its place:
        that of a match deleted and imported again, or of a restored backup.
        """
        rows = self._rows(_LAST, [match])
        if not rows:
            return LastEntry(0, 0, "")
        return LastEntry(*rows[0])

    def requested(self, request: str) -> Entry | None:
        """The entry stored by the first submission of this request."""
        return self._first(Entry, "where request = ?", request)

    def open_hand(self, match: str) -> OpenHand | None:
        return self._first(OpenHand, "where match_id = ?", match)

    def lists(self, holder: str) -> tuple[ListRecord, ...]:
        """The versions of the lists of a holder: a device, or ANYBODY for every match. Empty lists
        are omitted.
        """
        statement = _ALL_LISTS if holder == ANYBODY else _LISTS
        lists = []
        for row in self._rows(statement, {"holder": holder}):
            columns = row[:4]  # a fifth one only tells SQLite which time of change it is to return
            lists.append(ListRecord(*columns))
        return tuple(lists)

    def listed(
        self, holder: str, kind: MatchList, most: int | None = None
    ) -> tuple[tuple[int, str], ...]:
        """Last row and id of the matches of a list, at most `most`, most recently changed first."""
        source = _ALL if holder == ANYBODY else _GRANTED
        statement = f"select last_row, match_id{source}{_IN_ORDER}"
        return tuple(self._rows(statement, _list_parameters(holder, kind, most)))

    def summaries(
        self, holder: str, kind: MatchList, most: int | None = None
    ) -> tuple[SummaryRecord, ...]:
        """The summaries of the matches of a list, at most `most`, most recently changed first."""
        columns = ", ".join(_TABLES[SummaryRecord].columns)
        source = _ALL if holder == ANYBODY else _GRANTED
        statement = f"select {columns}{source}{_IN_ORDER}"
        rows = self._rows(statement, _list_parameters(holder, kind, most))
        return tuple(self._decode(SummaryRecord, row) for row in rows)

    def summary(self, match: str) -> SummaryRecord | None:
        """The summary of this match; None if it was deleted."""
        return self._first(SummaryRecord, "where match_id = ?", match)

    def names(self, matches: Sequence[str]) -> Mapping[str, bytes]:
        """The names of sides, players and places of these matches, as JSON by match id."""
        return dict(self._rows(_NAMES, [json.dumps(matches)]))

    def matches_in_order(self) -> tuple[str, ...]:
        """The ids of all matches, most recently changed last."""
        rows = self._rows("select match_id from entries group by match_id order by max(row)", ())
        return tuple(match for (match,) in rows)

    def version(self, match: str) -> tuple[int, int]:
        """How far a match has come: the number of its log entries, and the version of what is typed
        of the hand being played. Each is 0 if there is none.
        """
        ((sequence, version),) = self._rows(_VERSION, {"match": match})
        return sequence or 0, version or 0

    def key(self, digest: str) -> KeyRecord | None:
        return self._first(KeyRecord, "where digest = ?", digest)

    def key_of(self, match: str, access: str) -> KeyRecord | None:
        """The key that gives this access to a match, unless it was withdrawn."""
        return self._first(KeyRecord, "where match_id = ? and access = ?", match, access)

    def devices(self, match: str) -> tuple[DeviceRecord, ...]:
        """Every device that ever entered a match, in order of entry."""
        return self._every(DeviceRecord, "where match_id = ? order by number", match)

    def grants(self, match: str) -> tuple[DeviceRecord, ...]:
        """The devices with access to a match, in order of first entry."""
        return tuple(device for device in self.devices(match) if device.access != "none")

    def has_phones(self) -> bool:
        """Whether a device other than a program has access to a match."""
        ((exists,),) = self._rows(_HAS_PHONES, [len(PROGRAM), PROGRAM])
        return bool(exists)

    def rematch(self, match: str) -> str | None:
        return self._value("select rematch from rematches where match_id = ?", match)

    def rematch_of(self, match: str) -> str | None:
        """The match that this one is the rematch of."""
        return self._value("select match_id from rematches where rematch = ?", match)

    def nonce(self, device: str) -> str:
        """The digest of the nonce required in the device's cookie; empty if its cookie was never
        renewed.
        """
        return self._value("select nonce from devices where device = ?", device) or ""

    def admin_link_expiry(self, digest: str) -> datetime | None:
        """When the admin link with this digest expires; None if there is none."""
        until = self._value("select until from admin_links where digest = ?", digest)
        if until is None:
            return None
        return datetime.fromisoformat(until)

    def _rows(
        self, statement: str, parameters: Sequence[Any] | dict[str, Any]
    ) -> list[tuple[Any, ...]]:
        """The rows that a statement selects. Raises StorageError."""
        # Fetched all at once: a cursor with unread rows, after a garbled one, would block every
        # writer while the exception is referenced.
        try:
            return self._db.execute(statement, parameters).fetchall()
        except SQLITE_ERRORS as error:
            reraise(error, self.path)

    def _value(self, statement: str, *parameters: str) -> str | None:
        """The first column of the first row, a text; None if there is no row."""
        rows = self._rows(statement, parameters)
        if not rows:
            return None
        return str(rows[0][0])

    def _every(self, record: type[_Record], where: str, *parameters: str) -> tuple[_Record, ...]:
        """The records of a class that meet a condition: `_every(Entry, "where match_id = ?", id)`."""
        rows = self._rows(f"{_TABLES[record].select} {where}", parameters)
        return tuple(self._decode(record, row) for row in rows)

    def _decode(self, record: type[_Record], row: Sequence[Any]) -> _Record:
        """The record in a row of its table. Raises BrokenFile if a value cannot be decoded."""
        values = []
        try:
            for column, value in zip(_TABLES[record].columns, row, strict=True):
                decode = _DECODERS.get(column)
                values.append(value if decode is None else decode(value))
        except (ValueError, TypeError):
            # Without its content: this is logged.
            raise BrokenFile(self.path, "a garbled row", "garbled") from None
        return record(*values)

    def _first(self, record: type[_Record], where: str, *parameters: str) -> _Record | None:
        """The first record of a class that meets a condition; None if there is none."""
        records = self._every(record, where, *parameters)
        return records[0] if records else None


# ------------------------------------------------------------------------------------------ writing

_GRANT = (
    "insert into grants (match_id, device, access, granted, number)"
    " select :match, :device, :access, :at, 1 + coalesce(max(number), 0) from grants where match_id = :match"
    " on conflict (match_id, device) do update set access = excluded.access,"
    " granted = case when access = 'none' then excluded.granted else granted end"
)
_REVOKE = "update grants set access = 'none', side = null where device = ? and match_id = ?"
_FORGET = (
    "delete from grants where match_id = :match and device = :device"
    # The highest number is kept because the next is counted from it: numbers are never reused.
    " and number < (select max(number) from grants where match_id = :match)"
    " and not exists (select 1 from entries where match_id = :match and device = :device)"
    " and not exists (select 1 from open_hands where match_id = :match and device = :device)"
)
_SEAT = "update grants set name = ?, side = case when access != 'none' then ? end where device = ? and match_id = ?"
# Rules changed before the first hand are in the match's log.
_TAKEN = "case when kind = 'rules' then json_extract(payload, '$.ruleset') end"
_RULESETS_OF = (
    "select ruleset from matches where id = :match union"  # noqa: S608 - ours
    f" select {_TAKEN} from entries where match_id = :match and kind = 'rules'"
)
_DROP_RULESET = (
    "delete from rulesets where digest = :digest and not exists (select 1 from matches where ruleset = :digest)"  # noqa: S608
    f" and not exists (select 1 from entries where {_TAKEN} = :digest)"
)


class WriteTransaction(ReadTransaction):
    """A transaction with exclusive write access: what it reads is valid until it ends."""

    def add_match(self, match: MatchRecord, frozen: Mapping[str, Any] | None = None) -> None:
        """Add a match, and its frozen rules unless they were added before (None).

        The rules are stored once for all matches that share them. Raises NoRoom if the disk is
        almost full.
        """
        if not has_room(self.path):
            raise NoRoom(self.path)
        if frozen is not None:
            self.add_ruleset(match.ruleset, frozen)
        self._put(match)

    def require_room_to_save(self) -> None:
        """Raise NoRoomToSave if the disk is too full even for saves into a running match."""
        if not has_room_to_save(self.path):
            raise NoRoomToSave(self.path)

    def add_ruleset(self, digest: str, frozen: Mapping[str, Any]) -> None:
        """Add these frozen rules, unless they exist already. Raises BrokenFile if those are
        garbled.
        """
        if self._first(FrozenRules, "where digest = ?", digest) is None:
            self._put(FrozenRules(digest, frozen))

    def drop_match(self, match: str) -> None:
        """Delete a match and all its rows, overwritten on disk; its rules too, if no other match
        uses them.
        """
        rulesets = self._rows(_RULESETS_OF, {"match": match})
        self._db.execute("delete from matches where id = ?", [match])
        for (digest,) in rulesets:
            self._db.execute(_DROP_RULESET, {"digest": digest})

    def append(self, entry: Entry) -> Entry:
        """Append an entry to the log; returns it with its row in the file and its size.

        Its sequence must be the next one of the match. Raises sqlite3.IntegrityError for a repeated
        request.
        """
        row = self._put(entry)
        size = len(as_json(entry.payload))
        return replace(entry, row=row, size=size)

    def grant(self, match: str, device: str, access: str, at: datetime) -> None:
        """Set the access of this device to the match.

        A new device gets the next number; a known one keeps its number and time of entry.
        """
        self._db.execute(
            _GRANT, {"match": match, "device": device, "access": access, "at": as_moment(at)}
        )

    def revoke(self, match: str, device: str) -> None:
        """Remove this device's access to the match. It keeps its number."""
        self._db.execute(_REVOKE, [device, match])

    def forget(self, match: str, device: str) -> None:
        """Remove a device's access, and the device itself from the match if it wrote nothing there."""
        self.revoke(match, device)
        self._db.execute(_FORGET, {"match": match, "device": device})

    def put_rematch(self, match: str, rematch: str) -> None:
        self._db.execute(
            "insert or replace into rematches (match_id, rematch) values (?, ?)", [match, rematch]
        )

    def put_seat(self, match: str, device: str, side: int | None, name: str = "") -> None:
        """Store the side that a device of the match counts for, and its holder's name."""
        self._db.execute(_SEAT, [name, side, device, match])

    def drop_key(self, match: str, access: str) -> None:
        self._db.execute("delete from keys where match_id = ? and access = ?", [match, access])

    def put_nonce(self, device: str, nonce: str) -> None:
        """Store the digest of the nonce required in the device's cookie from now on."""
        self._db.execute(
            "insert or replace into devices (device, nonce) values (?, ?)", [device, nonce]
        )

    def put_admin_link(self, digest: str, until: datetime) -> None:
        """Store an admin link that expires at this time."""
        self._db.execute(
            "insert into admin_links (digest, until) values (?, ?)", [digest, as_moment(until)]
        )

    def drop_admin_links(self, digest: str, now: datetime) -> None:
        """Delete the admin link with this digest, and all that have expired."""
        self._db.execute(
            "delete from admin_links where digest = ? or until <= ?", [digest, as_moment(now)]
        )

    def drop_open_hand(self, match: str) -> None:
        self._db.execute("delete from open_hands where match_id = ?", [match])

    def put(self, record: OpenHand | SummaryRecord | KeyRecord | DeviceRecord) -> None:
        """Store the open hand, the summary, a key or a device of a match, replacing the previous
        one.
        """
        self._put(record)

    def _put(self, record: Any) -> int:
        """Insert a record into its table; returns the number of its row."""
        table = _TABLES[type(record)]
        values = []
        for name in table.stored:
            value = getattr(record, name)
            encode = _ENCODERS.get(type(value))
            values.append(value if encode is None else encode(value))
        return self._db.execute(table.insert, values).lastrowid or 0
