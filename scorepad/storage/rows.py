"""The rows of the data file as values, and transactions that read and write them.

Times have a zone and are in UTC; ids are opaque text. A `device` is stored as returned by
`hash_device_id`, never by its id.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
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
    raise_as_storage_error,
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


class MatchProgress(NamedTuple):
    """How far a match has come: when it has changed, one of the two numbers has grown."""

    entries: int
    """The number of entries of its log."""
    draft_version: int
    """The version of what is typed of the hand being played; 0 if nothing is."""


class ListedMatch(NamedTuple):
    """A match in a list: the match with a higher `last_row` was changed later."""

    last_row: int
    """The row in the file of the last entry of its log."""
    id: str


class Role(NamedTuple):
    """The access of a device to a match, `none` if it has none, and the side that it counts for."""

    access: str
    side: int | None


def hash_device_id(device: str) -> str:
    """Return the form in which the id of a device is stored: a digest, as for a password.

    - browser: `5tq…` → `9c56…`, and with admin access `@admin:5tq…` → `9c56…` too
    - program: `api-7bd…` → `api-3f2a…`
    - command line: `@keeper` → `@keeper`, which is no secret

    A browser has its id in a cookie. Nobody can make that cookie from the digest, so that a copy of
    the file gives no access. The id has 192 random bits, so an unsalted hash is enough.
    """
    name = device.removeprefix(ADMIN_PREFIX)
    if name.startswith("@"):
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    if name.startswith(PROGRAM):
        return PROGRAM + digest
    return digest


def is_program(stored_device: str) -> bool:
    """Tell whether a device is a program that uses the API, by its id from `hash_device_id`."""
    return stored_device.startswith(PROGRAM)


as_json = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode
"""Encodes a value as JSON text in ASCII, in which even lone surrogates can be stored."""


def as_moment(moment: datetime) -> str:
    """Return a time as text in UTC with microseconds: `2026-05-01T20:30:00.000000+00:00`.

    Raises ValueError for a time without a zone.
    """
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
    venue: str = ""
    """The place and other free texts of the match in one line; empty if none was given."""
    all_players: tuple[str, ...] = ()
    """The names of all present and former players."""


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A key of a match: `access` is `view` for a view key or `write` for a write key, `digest` the
    digest of the key.

    `counter` is how many view keys were derived from it, if it is a write key; else 0.
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


class ListVersion(NamedTuple):
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


def _decode_as_tuples(text: str) -> tuple[Any, ...]:
    """Decode a JSON list as a tuple, and the lists in it too.

    `[["Anna", "Bea"], []]` → `(("Anna", "Bea"), ())`. No list lies deeper.
    """
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
    "names": _decode_as_tuples,
    "totals": _decode_as_tuples,
    "players": _decode_as_tuples,
    "all_players": _decode_as_tuples,
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


@dataclass(frozen=True)
class _Table:
    """A table of the data file, each row of which is a record of one class, and the SQL statements
    that select and insert its rows.

    Its columns are in the order of the attributes of the record. The library's own insert is not
    used: it queries the schema and opens a savepoint each time, which doubles the time.
    """

    name: str
    record: type[Any]
    """The class of the records."""
    stored_columns: tuple[str, ...]
    derived_columns: tuple[str, ...] = ()
    """Those that SQLite assigns or works out, as SQL expressions; they follow the stored ones."""
    is_append_only: bool = False
    """Whether a new row never replaces another one."""

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """All columns, in the order of the attributes of the record: first the stored ones."""
        return self.stored_columns + self.derived_columns

    @cached_property
    def stored_attributes(self) -> list[str]:
        """The attributes of the record that are stored in the table, in the order of its columns.

        Of an entry of a log these are all but the last two, `row` and `size`: SQLite works them out
        when the row is read.
        """
        attributes = [attribute.name for attribute in fields(self.record)]
        return attributes[: len(self.stored_columns)]

    @cached_property
    def select(self) -> str:
        """The statement that selects all rows: `select digest, frozen from rulesets`.

        A condition may be added to it.
        """
        columns = ", ".join(self.columns)
        return f"select {columns} from {self.name}"  # noqa: S608 - the names are ours

    @cached_property
    def insert(self) -> str:
        """The statement that inserts a row: `insert into rulesets (digest, frozen) values (?, ?)`."""
        verb = "insert" if self.is_append_only else "insert or replace"
        columns = ", ".join(self.stored_columns)
        marks = ", ".join(["?"] * len(self.stored_columns))
        return f"{verb} into {self.name} ({columns}) values ({marks})"


_MATCHES = _Table(
    "matches",
    MatchRecord,
    ("id", "ruleset", "started"),
    is_append_only=True,
)
_RULESETS = _Table(
    "rulesets",
    FrozenRules,
    ("digest", "frozen"),
    is_append_only=True,
)
_ENTRIES = _Table(
    "entries",
    Entry,
    ("match_id", "sequence", "kind", "at", "device", "request", "payload", "sent"),
    derived_columns=("row", "length(payload)"),  # the payload is ASCII: a letter is a byte
    is_append_only=True,
)
_OPEN_HANDS = _Table(
    "open_hands",
    OpenHand,
    ("match_id", "id", "version", "draft", "device", "kept_at"),
)
_SUMMARIES = _Table(
    "summaries",
    SummaryRecord,
    (
        "match_id",
        "variant",
        "names",
        "totals",
        "hands",
        "target",
        "finished",
        "winner",
        "started",
        "changed",
        "last_row",
        "players",
        "practice",
        "ending",
        "venue",
        "all_players",
    ),
)
_KEYS = _Table(
    "keys",
    KeyRecord,
    ("match_id", "access", "digest", "made", "counter"),
)
_GRANTS = _Table(
    "grants",
    DeviceRecord,
    ("match_id", "device", "access", "granted", "number", "side", "name"),
)
_TABLES: dict[type, _Table] = {
    table.record: table
    for table in (_MATCHES, _RULESETS, _ENTRIES, _OPEN_HANDS, _SUMMARIES, _KEYS, _GRANTS)
}
"""The table of each class of records."""


# ------------------------------------------------------------------------------------------ reading

# A cross join, so that SQLite begins with the matches of the device, however many others there are.
_SUMMARIES_OF_HOLDER = (
    " from grants cross join summaries using (match_id) where device = :holder and access != 'none'"
)
_ALL_SUMMARIES = " from summaries where true"
_FIRST_OF_LIST = f" and {KIND} = :kind order by last_row desc, match_id desc limit :limit"
_NO_LIMIT = -1  # as SQLite writes it
# A row number can be reused after its match is deleted: the time of the first match differs then.
_COUNTED = (
    f"select {KIND} as kind, count(*) as matches, sum(last_row) as row_sum,"
    " max(last_row) as highest_row"
)
# Beside a maximum SQLite takes `changed` from the same row: the summary with the highest `last_row`.
_LISTS_OF_HOLDER = f"{_COUNTED}, changed{_SUMMARIES_OF_HOLDER} group by 1 order by 1"
_ALL_LISTS = (
    "select kind, matches, row_sum, highest_row, (select changed from summaries"  # noqa: S608 - ours
    f" where {KIND} = counted.kind order by last_row desc, match_id desc limit 1)"
    f" from ({_COUNTED} from summaries group by 1) as counted order by 1"
)
_NAMES = (
    "select match_id,"
    " cast('[' || names || ',' || players || ',' || all_players || ',[' || json_quote(venue) || ']]' as blob)"
    " from summaries where match_id in (select value from json_each(?))"
)
_LAST = (
    "select sequence, row, request from entries where match_id = ? order by sequence desc limit 1"
)
_PROGRESS = (
    "select (select max(sequence) from entries where match_id = :match),"
    " (select version from open_hands where match_id = :match)"
)
_HAS_BROWSER = (
    "select exists (select 1 from grants"
    " where access != 'none' and substr(device, 1, :length) != :prefix)"
)


class ReadTransaction:
    """A read transaction: all reads are from one consistent snapshot.

    Devices are given as returned by `hash_device_id`. Every method raises BrokenFile if a row that
    it needs cannot be read.
    """

    def __init__(self, db: Database, path: Path) -> None:
        self._db = db
        self.path = path

    def match(self, match: str) -> MatchRecord | None:
        """Return the match with this id, None if there is none. It may be any text from a URL."""
        if not match.isascii():  # SQLite accepts no lone surrogates
            return None
        return self._select_first(MatchRecord, "where id = ?", match)

    def ruleset(self, digest: str) -> Mapping[str, Any]:
        """Return the rules with this digest, as they are stored for the matches that use them.

        Raises BrokenFile if they are missing.
        """
        rules = self._select_first(FrozenRules, "where digest = ?", digest)
        if rules is None:
            raise BrokenFile(self.path, reason="rules-missing")
        return rules.frozen

    def find_role(self, match: str, device: str) -> Role:
        """Return what a device may do with a match, and for which side it keeps score.

        `Role("write", 0)`, or `Role("none", None)` for a device that never entered the match.
        """
        rows = self._fetch_rows(
            "select access, side from grants where device = ? and match_id = ?", [device, match]
        )
        if not rows:
            return Role("none", None)
        access, side = rows[0]
        return Role(access, side)

    def entries(self, match: str) -> tuple[Entry, ...]:
        """Return the log of a match, in order. Raises BrokenFile also if an entry is missing."""
        entries = self._select(Entry, "where match_id = ? order by sequence", match)
        for expected_sequence, entry in enumerate(entries, 1):
            if entry.sequence != expected_sequence:
                raise BrokenFile(self.path, "an entry is missing", "entry-missing")
        return entries

    def last_entry(self, match: str) -> LastEntry:
        """Return what identifies the last entry of the log of a match.

        A log only grows: as long as it has the same last entry, it has not changed. The request id
        tells it from another log in its place, such as that of a match that was deleted and
        imported again, or of a restored backup.
        """
        rows = self._fetch_rows(_LAST, [match])
        if not rows:
            return LastEntry(sequence=0, row=0, request="")
        sequence, row, request = rows[0]
        return LastEntry(sequence, row, request)

    def find_entry_of_request(self, request: str) -> Entry | None:
        """Find the log entry that a form with this request id has stored, in any match.

        None if no such form was sent yet.
        """
        return self._select_first(Entry, "where request = ?", request)

    def open_hand(self, match: str) -> OpenHand | None:
        """Return what is typed of the hand (round) being played; None if nothing is."""
        return self._select_first(OpenHand, "where match_id = ?", match)

    def list_versions(self, holder: str) -> tuple[ListVersion, ...]:
        """Return the version of each list of matches of a device, such as those in progress.

        By the versions a page knows whether the lists have changed. `holder` is the device, or
        ANYBODY for the lists of all matches. Empty lists are left out.
        """
        statement = _LISTS_OF_HOLDER
        if holder == ANYBODY:
            statement = _ALL_LISTS
        versions = []
        rows = self._fetch_rows(statement, {"holder": holder})
        for kind, matches, row_sum, _highest_row, changed in rows:
            versions.append(ListVersion(kind, matches, row_sum, changed))
        return tuple(versions)

    def list_matches(
        self, holder: str, kind: MatchList, limit: int | None = None
    ) -> list[ListedMatch]:
        """List the ids of the matches in a list, the most recently changed first.

        `holder` is the device whose list it is, or ANYBODY for the matches of all devices. With a
        `limit`, no more than that are listed.
        """
        rows = self._select_summaries("last_row, match_id", holder, kind, limit)
        return [ListedMatch(last_row, match) for last_row, match in rows]

    def summaries(
        self, holder: str, kind: MatchList, limit: int | None = None
    ) -> tuple[SummaryRecord, ...]:
        """Return the summaries of the matches in a list, the most recently changed first.

        `holder` is the device whose list it is, or ANYBODY for the matches of all devices. With a
        `limit`, no more than that are returned.
        """
        columns = ", ".join(_SUMMARIES.columns)
        rows = self._select_summaries(columns, holder, kind, limit)
        return tuple(self._decode(SummaryRecord, row) for row in rows)

    def _select_summaries(
        self, columns: str, holder: str, kind: MatchList, limit: int | None
    ) -> list[tuple[Any, ...]]:
        """Select columns of the summaries in a list of matches, the most recently changed first.

        `holder` is the device whose list it is, or ANYBODY for the matches of all devices. `limit`
        is the most rows to return; None for all.
        """
        source = _SUMMARIES_OF_HOLDER
        if holder == ANYBODY:
            source = _ALL_SUMMARIES
        if limit is None:
            limit = _NO_LIMIT
        statement = f"select {columns}{source}{_FIRST_OF_LIST}"
        return self._fetch_rows(statement, {"holder": holder, "kind": kind, "limit": limit})

    def summary(self, match: str) -> SummaryRecord | None:
        """Return the summary of a match for lists; None if the match was deleted."""
        return self._select_first(SummaryRecord, "where match_id = ?", match)

    def load_names_as_json(self, matches: Sequence[str]) -> Mapping[str, bytes]:
        """Return the names of sides, players and places of these matches, to search in them.

        They are JSON in UTF-8, by the id of the match: `{"7k2mxq4hba": b'[["Noi","Loro"],…]'}`.
        """
        return dict(self._fetch_rows(_NAMES, [json.dumps(matches)]))

    def list_matches_in_order(self) -> tuple[str, ...]:
        """Return the ids of all matches, the most recently changed last."""
        rows = self._fetch_rows(
            "select match_id from entries group by match_id order by max(row)", ()
        )
        return tuple(match for (match,) in rows)

    def progress(self, match: str) -> MatchProgress:
        """Return two numbers by which a page knows whether a match has changed.

        They are read without its log: how many entries that has, and how often what is typed of the
        hand (round) being played was stored. Both are 0 if there is no such match.
        """
        rows = self._fetch_rows(_PROGRESS, {"match": match})
        entries, draft_version = rows[0]  # each is None in SQL if there is none
        return MatchProgress(entries or 0, draft_version or 0)

    def key(self, digest: str) -> KeyRecord | None:
        """Return the record of the key with this digest; None if it was replaced or withdrawn."""
        return self._select_first(KeyRecord, "where digest = ?", digest)

    def key_of(self, match: str, access: str) -> KeyRecord | None:
        """Return the key of a match to `view` it or to `write` in it; None if it was withdrawn."""
        return self._select_first(KeyRecord, "where match_id = ? and access = ?", match, access)

    def devices(self, match: str) -> tuple[DeviceRecord, ...]:
        """Return every device that ever entered a match, in order of entry, removed ones too."""
        return self._select(DeviceRecord, "where match_id = ? order by number", match)

    def list_devices_with_access(self, match: str) -> tuple[DeviceRecord, ...]:
        """Return the devices that may see a match, in the order in which they first entered it.

        `devices` also returns those that were removed since.
        """
        return tuple(device for device in self.devices(match) if device.access != "none")

    def has_browser_with_access(self) -> bool:
        """Tell whether a phone or another browser has access to a match, not only programs.

        The id of a program begins with `api-`, that of a browser does not.
        """
        rows = self._fetch_rows(_HAS_BROWSER, {"length": len(PROGRAM), "prefix": PROGRAM})
        (exists,) = rows[0]
        return bool(exists)

    def rematch(self, match: str) -> str | None:
        return self._select_value("select rematch from rematches where match_id = ?", match)

    def rematch_of(self, match: str) -> str | None:
        return self._select_value("select match_id from rematches where rematch = ?", match)

    def nonce(self, device: str) -> str:
        """Return the digest of the nonce that must be in the cookie of a device to be valid.

        A nonce is a random text. The result is empty if the cookie was never renewed.
        """
        return self._select_value("select nonce from devices where device = ?", device) or ""

    def admin_link_expiry(self, digest: str) -> datetime | None:
        """Return when an admin link expires, by the digest of its token; None if there is none."""
        until = self._select_value("select until from admin_links where digest = ?", digest)
        if until is None:
            return None
        return datetime.fromisoformat(until)

    def _fetch_rows(
        self, statement: str, parameters: Sequence[Any] | dict[str, Any]
    ) -> list[tuple[Any, ...]]:
        """Return all rows that a statement selects. Raises StorageError."""
        # Fetched all at once: a cursor with unread rows, after a garbled one, would block every
        # writer while the exception is referenced.
        try:
            return self._db.execute(statement, parameters).fetchall()
        except SQLITE_ERRORS as error:
            raise_as_storage_error(error, self.path)

    def _select_value(self, statement: str, *parameters: str) -> str | None:
        """Return the first column of the first row as a text; None if no row is selected."""
        rows = self._fetch_rows(statement, parameters)
        if not rows:
            return None
        first_row = rows[0]
        return str(first_row[0])

    def _select(self, record: type[_Record], where: str, *parameters: str) -> tuple[_Record, ...]:
        """Return all records of a class that meet a condition.

        `self._select(Entry, "where match_id = ?", match)` returns the entries of a match.
        """
        rows = self._fetch_rows(f"{_TABLES[record].select} {where}", parameters)
        return tuple(self._decode(record, row) for row in rows)

    def _decode(self, record: type[_Record], row: Sequence[Any]) -> _Record:
        """Decode a row of a table into a record of this class.

        Raises BrokenFile if a value cannot be decoded.
        """
        columns = _TABLES[record].columns  # in the order of the attributes of the class
        values = []
        try:
            for column, stored_value in zip(columns, row, strict=True):
                value = stored_value
                decode = _DECODERS.get(column)
                if decode is not None:
                    value = decode(stored_value)
                values.append(value)
        except (ValueError, TypeError):
            # `from None`: the error has the content of the row, and would be logged.
            raise BrokenFile(self.path, "a garbled row", "garbled") from None
        return record(*values)

    def _select_first(self, record: type[_Record], where: str, *parameters: str) -> _Record | None:
        """Return the first record of a class that meets a condition; None if there is none.

        `self._select_first(MatchRecord, "where id = ?", match)` returns the match with this id.
        """
        records = self._select(record, where, *parameters)
        if not records:
            return None
        return records[0]


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
_DROP_RULESET_IF_UNUSED = (
    "delete from rulesets where digest = :digest and not exists (select 1 from matches where ruleset = :digest)"  # noqa: S608
    f" and not exists (select 1 from entries where {_TAKEN} = :digest)"
)


class WriteTransaction(ReadTransaction):
    """A transaction with exclusive write access: what it reads is valid until it ends."""

    def add_match(self, match: MatchRecord, frozen: Mapping[str, Any] | None = None) -> None:
        """Add a match, and its rules in the form in which they are stored.

        Rules are stored once for all matches that share them; None if the caller has added them.
        Raises NoRoom if the disk is almost full.
        """
        if not has_room(self.path):
            raise NoRoom(self.path)
        if frozen is not None:
            self.add_ruleset(match.ruleset, frozen)
        self._insert(match)

    def require_room_to_save(self) -> None:
        """Raise NoRoomToSave if the disk is too full even to save into a match in progress."""
        if not has_room_to_save(self.path):
            raise NoRoomToSave(self.path)

    def add_ruleset(self, digest: str, frozen: Mapping[str, Any]) -> None:
        """Store the rules of a match under their digest, unless they are stored already.

        Raises BrokenFile if those that are stored are garbled.
        """
        if self._select_first(FrozenRules, "where digest = ?", digest) is None:
            self._insert(FrozenRules(digest, frozen))

    def drop_match(self, match: str) -> None:
        """Delete a match with all its rows, and its rules too if no other match uses them.

        The connection is set up so that SQLite overwrites on the disk what it deletes.
        """
        rulesets = self._fetch_rows(_RULESETS_OF, {"match": match})
        # Its rows in other tables go with it: they refer to it with `on delete cascade`.
        self._db.execute("delete from matches where id = ?", [match])
        for (digest,) in rulesets:
            self._db.execute(_DROP_RULESET_IF_UNUSED, {"digest": digest})

    def append(self, entry: Entry) -> Entry:
        """Append an entry to the log of its match. Returns it with its row and its size.

        Its sequence must be the next one of the match. Raises sqlite3.IntegrityError if another
        entry has its request id.
        """
        stored_values = _encode_record(entry)
        row = self._insert_values(Entry, stored_values)
        size = len(stored_values["payload"])  # it is ASCII: a letter is a byte
        return replace(entry, row=row, size=size)

    def grant(self, match: str, device: str, access: str, at: datetime) -> None:
        """Set what a device may do with a match: `view`, `write` or `own`.

        A device that is new to the match gets the next number. A known one keeps its number, and
        the time of its entry if it was not removed.
        """
        self._db.execute(
            _GRANT, {"match": match, "device": device, "access": access, "at": as_moment(at)}
        )

    def revoke(self, match: str, device: str) -> None:
        """Remove the access of a device to a match. It keeps its number, for the log."""
        self._db.execute(_REVOKE, [device, match])

    def forget(self, match: str, device: str) -> None:
        """Remove the access of a device to a match, and its row too if it wrote nothing there."""
        self.revoke(match, device)
        self._db.execute(_FORGET, {"match": match, "device": device})

    def put_rematch(self, match: str, rematch: str) -> None:
        """Store the id of the match that was started as the rematch of another one."""
        self._db.execute(
            "insert or replace into rematches (match_id, rematch) values (?, ?)", [match, rematch]
        )

    def put_seat(self, match: str, device: str, side: int | None, name: str = "") -> None:
        """Store for which side of a match a device keeps score, and the name of its holder."""
        self._db.execute(_SEAT, [name, side, device, match])

    def drop_key(self, match: str, access: str) -> None:
        """Delete the key of a match to `view` it, or to `write` in it."""
        self._db.execute("delete from keys where match_id = ? and access = ?", [match, access])

    def put_nonce(self, device: str, digest: str) -> None:
        """Store the nonce that must be in the cookie of a device from now on, as a digest of it."""
        self._db.execute(
            "insert or replace into devices (device, nonce) values (?, ?)", [device, digest]
        )

    def put_admin_link(self, digest: str, until: datetime) -> None:
        """Store the digest of the token of an admin link, and when it expires."""
        self._db.execute(
            "insert into admin_links (digest, until) values (?, ?)", [digest, as_moment(until)]
        )

    def drop_admin_link(self, digest: str) -> None:
        """Delete the admin link whose token has this digest, so that it cannot be used again."""
        self._db.execute("delete from admin_links where digest = ?", [digest])

    def drop_expired_admin_links(self, now: datetime) -> None:
        """Delete the admin links that nobody used in time."""
        self._db.execute("delete from admin_links where until <= ?", [as_moment(now)])

    def drop_open_hand(self, match: str) -> None:
        """Delete what is typed of the hand (round) being played."""
        self._db.execute("delete from open_hands where match_id = ?", [match])

    def put(self, record: OpenHand | SummaryRecord | KeyRecord | DeviceRecord) -> None:
        """Store the open hand, the summary, a key or a device of a match.

        A stored record for the same thing is replaced.
        """
        self._insert(record)

    def _insert(self, record: Any) -> int:
        """Insert a record into its table, and return the number of its row."""
        return self._insert_values(type(record), _encode_record(record))

    def _insert_values(self, record: type[Any], stored_values: Mapping[str, Any]) -> int:
        """Insert the values of a record of this class, and return the number of its row.

        `stored_values` are those that `_encode_record` returns.
        """
        in_order_of_columns = list(stored_values.values())
        return self._db.execute(_TABLES[record].insert, in_order_of_columns).lastrowid or 0


def _encode_record(record: Any) -> dict[str, Any]:
    """Encode the attributes of a record that are stored, in the order of the columns of its table.

    `MatchRecord("7k2mxq4hba", "a41f…", started)` → `{"id": "7k2mxq4hba", "ruleset": "a41f…",
    "started": "2026-05-01T20:30:00.000000+00:00"}`.
    """
    stored_values = {}
    for attribute in _TABLES[type(record)].stored_attributes:
        value = getattr(record, attribute)
        encode = _ENCODERS.get(type(value))
        if encode is not None:  # SQLite has no such type, as for a time
            value = encode(value)
        stored_values[attribute] = value
    return stored_values
