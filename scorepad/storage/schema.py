"""The schema of the data file. The migration of a released version is never changed; new ones are
added below it.
"""

from __future__ import annotations

from functools import cache

from sqlite_utils import Database, Migrations

APPLICATION_ID = 0x53435250
"""`SCRP`: the SQLite application id of scorepad files."""
EARLIER_IDS = (0x53435044, 0x53434F52)
"""`SCPD`, `SCOR`: those of files made before the first release, which had other tables."""

KIND = "case when practice = 1 then 'practice' when finished = 1 then 'finished' else 'in-progress' end"
"""The list that a summary row is in."""

migrations = Migrations("scorepad")

_MOMENT = "glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9]*+00:00'"


@migrations()
def version_1(db: Database) -> None:
    """Create the tables: matches, their stored rules, their logs, and access to them.

    With the row of a match, all its rows in other tables are deleted. Triggers keep the entries of
    a log from being changed or deleted, but find no match then, and allow it. Devices and keys are
    stored as digests only, so that a copy of the file gives no access.
    """
    tables = (
        _RULESETS, _MATCHES, _ENTRIES, _GRANTS, _KEYS, _DEVICES, _ADMIN_LINKS, _OPEN_HANDS, _SUMMARIES,
        _REMATCHES,
    )  # fmt: skip
    for statement in (*tables, *_INDEXES, *_GUARDS):
        db.execute(statement)


_RULESETS = """
create table rulesets (
  digest text primary key check (length(digest) between 1 and 128),
  frozen text not null check (json_valid(frozen))
) strict
"""
# In a separate table, since thousands of matches share the same rules.

_MATCHES = f"""
create table matches (
  id text primary key check (length(id) between 1 and 40),
  ruleset text not null references rulesets (digest),
  started text not null check (started {_MOMENT})
) strict
"""

_ENTRIES = f"""
create table entries (
  row integer primary key,
  match_id text not null references matches (id) on delete cascade,
  sequence integer not null check (sequence >= 1),
  kind text not null check (length(kind) between 1 and 40),
  at text not null check (at {_MOMENT}),
  device text not null check (length(device) between 1 and 200),
  request text not null unique check (length(request) between 1 and 200),
  payload text not null check (json_valid(payload)),
  sent text not null check (length(sent) between 1 and 128),
  unique (match_id, sequence)
) strict
"""
# Kinds are not constrained: a new one needs no migration.

_GRANTS = f"""
create table grants (
  match_id text not null references matches (id) on delete cascade,
  device text not null check (length(device) between 1 and 200),
  access text not null check (access in ('none', 'view', 'write', 'own')),
  granted text not null check (granted {_MOMENT}),
  number integer not null check (number >= 1),
  side integer check (side between 0 and 2),
  name text not null default '' check (length(name) <= 60),
  primary key (match_id, device)
) strict, without rowid
"""
# A removed device keeps its number and its holder's name, for the log.

_OPEN_HANDS = f"""
create table open_hands (
  match_id text primary key references matches (id) on delete cascade,
  id text not null unique,
  version integer not null check (version >= 1),
  draft text not null check (json_valid(draft)),
  device text not null,
  kept_at text not null check (kept_at {_MOMENT})
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
  last_row integer not null,
  players text not null check (json_valid(players)),
  practice integer not null check (practice in (0, 1)),
  ending text not null check (length(ending) <= 40),
  venue text not null,
  all_players text not null check (json_valid(all_players))
) strict
"""

_REMATCHES = """
create table rematches (
  match_id text primary key references matches (id) on delete cascade,
  rematch text not null references matches (id) on delete cascade
) strict, without rowid
"""
# Not in the log, so that the id of a deleted match is not kept in another.

_KEYS = f"""
create table keys (
  match_id text not null references matches (id) on delete cascade,
  access text not null check (access in ('view', 'write')),
  digest text not null check (length(digest) = 64),
  made text not null check (made {_MOMENT}),
  counter integer not null check (counter >= 0),
  primary key (match_id, access)
) strict, without rowid
"""
# The keys themselves are not in the file: a copy of it gives no access.

_ADMIN_LINKS = f"""
create table admin_links (
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
# A device without a row never had its cookie renewed.

_INDEXES = (
    "create unique index keys_by_digest on keys (digest)",
    "create index rematches_by_match on rematches (rematch)",
    # Finds the matches of a device.
    "create index grants_of_device on grants (device) where access != 'none'",
    # Finds the first matches of a list of any length.
    f"create index summaries_in_order on summaries ({KIND}, last_row, match_id)",
)


_GUARDS = (
    *(
        f"create trigger {table}_never_change before update on {table}"
        f" begin select raise(abort, '{table} are append-only'); end"
        for table in ("rulesets", "matches", "entries")
    ),
    "create trigger entries_never_go before delete on entries"
    " when exists (select 1 from matches where id = old.match_id)"
    " begin select raise(abort, 'entries are append-only'); end",
)
"""Triggers that forbid changing an entry, and deleting one of an existing match."""


@cache
def known_version() -> int:
    """Return the version of the schema that this program writes: the number of migrations."""
    empty_file = Database(memory=True, execute_plugins=False)
    all_migrations = migrations.pending(empty_file)  # none was applied to it yet
    return len(all_migrations)


@cache
def find_expected_objects(version: int) -> frozenset[tuple[str, ...]]:
    """Find the tables, indexes and triggers that a data file of this schema version must have.

    The migrations up to this version are applied to an empty file in memory, and those that it has
    then are returned, as by `read_schema_objects`.
    """
    empty_file = Database(memory=True, execute_plugins=False)
    names = [migration.name for migration in migrations.pending(empty_file)]
    later_migrations = names[version:]  # the first migration makes version 1
    migrations.apply(empty_file, stop_before=later_migrations)
    return read_schema_objects(empty_file)


def read_schema_objects(db: Database) -> frozenset[tuple[str, ...]]:
    """Read the tables, indexes and triggers that a data file has.

    Each is a tuple of its type, its name, its table and its SQL. Left out is the table in which the
    library keeps the migrations that were applied.
    """
    statement = "select type, name, tbl_name, sql from sqlite_master where tbl_name != ?"
    return frozenset(db.execute(statement, [migrations.migrations_table]))


def migrate(db: Database) -> None:
    """Bring a data file to the schema of this program, in the transaction of the caller."""
    migrations.apply(db)
    db.execute(f"pragma application_id = {APPLICATION_ID}")
    db.execute(f"pragma user_version = {known_version()}")
