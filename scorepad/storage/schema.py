"""The schema, step by step. A step that has left this house is never changed: the next one is added below it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from sqlite_utils import Database, Migrations

from scorepad.storage.digests import known_as, seal
from scorepad.storage.lists import STATEMENTS

APPLICATION_ID = 0x53435044
"""`SCPD`: what marks an SQLite file as scorepad's."""

migrations = Migrations("scorepad")

_MOMENT = "glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9]*+00:00'"


@migrations()
def matches_and_their_log(db: Database) -> None:
    """Step 1: matches, the rules they are frozen with, and their log, which only grows.

    A whole match can go: deleting its row takes the rest along, and by then the log's guards see no match any more.
    `seal` is a digest of the row.
    """
    for statement in (_RULESETS, _MATCHES, _ENTRIES, _GRANTS, _OPEN_HANDS, _SUMMARIES, *_guards()):
        db.execute(statement)


@migrations()
def devices_unread_and_what_was_sent(db: Database) -> None:
    """Step 2: devices by their digest, and beside each entry a digest of what was sent, where that is known.

    Until now the names that the browsers carry stood in the file, so that a copy of it could write everywhere.
    """
    db.execute("alter table entries add column sent text check (length(sent) between 1 and 128)")
    db.execute("drop trigger entries_never_change")
    db.conn.create_function("known_as", 1, lambda name: known_as(name.decode(errors="replace")))
    db.execute("update grants set device = known_as(cast(device as blob))")
    _rename_devices(db, "open_hands", _OPEN_HAND_COLUMNS, lambda row: row)
    _rename_devices(db, "entries", _ENTRY_COLUMNS, lambda row: (*row, None))
    db.execute(_never_change("entries"))


@migrations()
def keys_seats_and_players(db: Database) -> None:
    """Step 3: the keys of matches, a number for each device and its side; in the lists who played, how it ended."""
    db.execute(_KEYS)
    db.execute("create unique index keys_by_digest on keys (digest)")
    db.execute(_NUMBERS)
    db.execute(
        "insert into numbers select match_id, device, row_number() over"
        " (partition by match_id order by granted, device) from grants"
    )
    db.execute(_REMATCHES)
    db.execute("create index rematches_by_match on rematches (rematch)")
    db.execute("alter table grants add column side integer check (side between 0 and 2)")
    db.execute("alter table summaries add column players text not null default '[]' check (json_valid(players))")
    db.execute("alter table summaries add column practice integer not null default 0 check (practice in (0, 1))")
    db.execute("alter table summaries add column ending text not null default '' check (length(ending) <= 40)")
    with _reading_garbled(db):
        _tell_players(db)


@migrations()
def lists_in_order(db: Database) -> None:
    """Step 4: lists of matches in their order and with their number, and who plays where by an index."""
    for statement in STATEMENTS:
        db.execute(statement)


@migrations()
def home_links_and_renewed_devices(db: Database) -> None:
    """Step 5: one-time links that give a browser every match, and the nonce that a renewed device cookie must carry."""
    db.execute(_HOME_LINKS)
    db.execute(_DEVICES)


def _tell_players(db: Database) -> None:
    """Who plays, in every summary that is sound; one that is garbled stays so."""
    columns = ", ".join(_SUMMARY_COLUMNS)
    for sealed, *said in db.execute(f"select seal, {columns} from summaries").fetchall():  # noqa: S608 - ours
        if sealed != seal(*said):
            continue
        players = json.dumps(_players(db, said[0]), ensure_ascii=True, separators=(",", ":"))
        changed = [players, seal(*said, players, 0, ""), said[0]]
        db.execute("update summaries set players = ?, seal = ? where match_id = ?", changed)


def _players(db: Database, match: str) -> list[list[str]]:
    """The players as the match's log names them last; nobody where that is garbled."""
    named: list[tuple[int, list[list[str]]]] = []
    undone = set()
    asked = f"select seal, {', '.join(_SENT_COLUMNS)} from entries where match_id = ? and kind in {_NAMING}"  # noqa: S608
    for sealed, *said in db.execute(f"{asked} order by sequence", [match]).fetchall():
        if sealed != seal(*said):
            return []
        told = dict(zip(_SENT_COLUMNS, said, strict=True))
        payload = json.loads(told["payload"])
        if told["kind"] == "undo":
            undone.add(payload["entry"])
        else:
            named.append((told["sequence"], payload["players"]))
    return next((players for sequence, players in reversed(named) if sequence not in undone), [])


_SUMMARY_COLUMNS = (
    "match_id", "variant", "names", "totals", "hands", "target", "finished", "winner", "started", "changed", "place",
)  # fmt: skip
_OPEN_HAND_COLUMNS = ("match_id", "id", "version", "draft", "device", "kept_at")
_ENTRY_COLUMNS = ("match_id", "sequence", "kind", "at", "device", "request", "payload")
_SENT_COLUMNS = (*_ENTRY_COLUMNS, "sent")
_NAMING = "('start', 'rename', 'undo')"


def _rename_devices(
    db: Database, table: str, columns: tuple[str, ...], sealed: Callable[[tuple[Any, ...]], tuple[Any, ...]]
) -> None:
    """Every device of a table by its digest, under a seal of the row as it is `sealed` from now on.

    A row that was garbled keeps the seal that does not fit, and is told as before when it is read.
    """
    at = columns.index("device")
    with _reading_garbled(db):
        for key, old, *said in db.execute(f"select rowid, seal, {', '.join(columns)} from {table}"):  # noqa: S608 - ours
            sound = old == seal(*said)
            said[at] = known_as(said[at])
            new = seal(*sealed(tuple(said))) if sound else old
            db.execute(f"update {table} set device = ?, seal = ? where rowid = ?", [said[at], new, key])  # noqa: S608


@contextmanager
def _reading_garbled(db: Database) -> Iterator[None]:
    """Text that is no UTF-8 is read all the same meanwhile: the seal tells that it is garbled, and no step fails."""
    strict = db.conn.text_factory
    db.conn.text_factory = lambda octets: octets.decode(errors="replace")
    try:
        yield
    finally:
        db.conn.text_factory = strict


_RULESETS = """
create table rulesets (
  digest text primary key check (length(digest) between 1 and 128),
  frozen text not null check (json_valid(frozen)),
  seal text not null
) strict
"""
# Apart from the matches, since thousands of them are played by the same rules.

_MATCHES = f"""
create table matches (
  id text primary key check (length(id) between 1 and 40),
  ruleset text not null references rulesets (digest),
  started text not null check (started {_MOMENT}),
  seal text not null
) strict
"""

_ENTRIES = f"""
create table entries (
  place integer primary key,
  match_id text not null references matches (id) on delete cascade,
  sequence integer not null check (sequence >= 1),
  kind text not null check (length(kind) between 1 and 40),
  at text not null check (at {_MOMENT}),
  device text not null check (length(device) between 1 and 200),
  request text not null unique check (length(request) between 1 and 200),
  payload text not null check (json_valid(payload)),
  seal text not null,
  unique (match_id, sequence)
) strict
"""
# Kinds are the pad's business: a new one is no change of shape.

_GRANTS = f"""
create table grants (
  device text not null check (length(device) between 1 and 200),
  match_id text not null references matches (id) on delete cascade,
  access text not null check (access in ('view', 'write', 'own')),
  granted text not null check (granted {_MOMENT}),
  primary key (device, match_id)
) strict, without rowid
"""

_OPEN_HANDS = f"""
create table open_hands (
  match_id text primary key references matches (id) on delete cascade,
  id text not null unique,
  version integer not null check (version >= 1),
  draft text not null check (json_valid(draft)),
  device text not null,
  kept_at text not null check (kept_at {_MOMENT}),
  seal text not null
) strict
"""

_SUMMARIES = f"""
create table summaries (
  match_id text primary key references matches (id) on delete cascade,
  variant text not null,
  names text not null check (json_valid(names)),
  totals text not null check (json_valid(totals)),
  hands integer not null check (hands >= 0),
  target integer not null,
  finished integer not null check (finished in (0, 1)),
  winner integer check (winner is null or finished),
  started text not null check (started {_MOMENT}),
  changed text not null check (changed {_MOMENT}),
  place integer not null,
  seal text not null
) strict
"""


_REMATCHES = """
create table rematches (
  match_id text primary key references matches (id) on delete cascade,
  rematch text not null references matches (id) on delete cascade
) strict, without rowid
"""
# Not in the log: of a match that is deleted no other keeps the name.

_KEYS = f"""
create table keys (
  match_id text not null references matches (id) on delete cascade,
  access text not null check (access in ('view', 'write')),
  digest text not null check (length(digest) = 64),
  veiled text check (length(veiled) between 1 and 200),
  made text not null check (made {_MOMENT}),
  primary key (match_id, access)
) strict, without rowid
"""
# What opens a match is not in the file: who reads a copy of it cannot come in. `veiled` is the key to view as only the
# key to write can read it.

_NUMBERS = """
create table numbers (
  match_id text not null references matches (id) on delete cascade,
  device text not null check (length(device) between 1 and 200),
  number integer not null check (number >= 1),
  primary key (match_id, device)
) strict, without rowid
"""
# Apart from the grants, since a device that was sent out keeps its number: what it did is told under it for ever.


_HOME_LINKS = f"""
create table home_links (
  digest text primary key check (length(digest) = 64),
  until text not null check (until {_MOMENT})
) strict, without rowid
"""

_DEVICES = """
create table devices (
  device text primary key check (length(device) between 1 and 200),
  nonce text not null check (length(nonce) = 64)
) strict, without rowid
"""
# A device without a row was never renewed. Both tables hold digests only.


def _guards() -> list[str]:
    """What forbids to change an entry, and to take one out of a match that stays."""
    frozen = [_never_change(table) for table in ("rulesets", "matches", "entries")]
    kept = (
        "create trigger entries_never_go before delete on entries"
        " when exists (select 1 from matches where id = old.match_id)"
        " begin select raise(abort, 'entries are append-only'); end"
    )
    # The keys of a match are found from its row as well, when it goes.
    return [*frozen, kept, "create index grants_of_match on grants (match_id)"]


def _never_change(table: str) -> str:
    return (
        f"create trigger {table}_never_change before update on {table}"
        f" begin select raise(abort, '{table} are append-only'); end"
    )


@cache
def known_version() -> int:
    """The version of the schema that this program writes: its number of steps."""
    return len(migrations.pending(Database(memory=True, execute_plugins=False)))


@cache
def shape(version: int) -> frozenset[tuple[str, ...]]:
    """Everything that a file of this version holds beside its rows: tables, indexes and triggers."""
    db = Database(memory=True, execute_plugins=False)
    to_come = [step.name for step in migrations.pending(db)][version:]
    migrations.apply(db, stop_before=to_come[:1])
    return described(db)


def described(db: Database) -> frozenset[tuple[str, ...]]:
    """The tables, indexes and triggers of a file, without those in which the library notes the steps taken."""
    asked = "select type, name, tbl_name, sql from sqlite_master where tbl_name != ?"
    return frozenset(db.execute(asked, [migrations.migrations_table]))


def migrate(db: Database) -> None:
    """Take every step that the file has not taken. Within a transaction of the caller's: all of them or none."""
    migrations.apply(db)
    db.execute(f"pragma application_id = {APPLICATION_ID}")
    db.execute(f"pragma user_version = {known_version()}")
