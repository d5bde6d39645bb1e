"""A version 2 of the schema, as a later scorepad could have it, to prove the migrations with."""

from sqlite_utils import Database, Migrations

from scorepad.storage import schema

RELEASED = schema.migrations


def rooms_and_points(db: Database) -> None:
    """Version 2: a table more, filled for every match, and a column more in the log, filled from
    each payload.
    """
    db.execute(
        "create table rooms (match_id text primary key references matches (id) on delete cascade,"
        " name text not null) strict"
    )
    db.execute("insert into rooms select id, 'Sala ' || id from matches")
    db.execute("alter table entries add column points integer")
    (guard,) = db.execute(
        "select sql from sqlite_master where name = 'entries_never_change'"
    ).fetchone()
    db.execute("drop trigger entries_never_change")
    for row, points in db.execute(
        "select row, json_extract(payload, '$.points') from entries"
    ).fetchall():
        db.execute("update entries set points = ? where row = ?", [points, row])
    db.execute(guard)


def later_migrations() -> Migrations:
    """The steps of the schema as it is, and version 2 after them."""
    later = Migrations(RELEASED.name)
    for step in RELEASED.pending(Database(memory=True, execute_plugins=False)):
        later(name=step.name)(step.fn)
    later()(rooms_and_points)
    return later


def use(migrations: Migrations) -> None:
    """Run the program with these steps from now on."""
    schema.migrations = migrations
    schema.known_version.cache_clear()
    schema.find_expected_objects.cache_clear()
