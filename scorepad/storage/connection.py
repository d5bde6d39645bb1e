"""Connections to the data file: opened after a check, made where there is none."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from sqlite_utils import Database

from scorepad.storage.errors import (
    BrokenFile,
    Busy,
    FolderUnwritable,
    ForeignFile,
    NewerFile,
    NoCopy,
    NotKept,
    StorageError,
    Unwritable,
)
from scorepad.storage.files import fresh_beside, give_name, journal_of, make_room
from scorepad.storage.schema import APPLICATION_ID, described, known_version, migrate, shape

_MAGIC = b"SQLite format 3\x00"
_LENGTH = 100


class Header(NamedTuple):
    """What the first octets of an SQLite file say.

    `whole` is its size in octets by its own account; `unfinished`: something stands beside it that SQLite may have to
    take back or to take in before it reads.
    """

    application: int
    version: int
    whole: int
    wal: bool
    unfinished: bool


def header_of(path: Path) -> Header:
    """The header of a file of this program's that is all there, of a version that this program knows.

    Raises ForeignFile, NewerFile, BrokenFile, Unwritable, and OSError.
    """
    if not path.is_file():
        raise Unwritable(path, reason="folder" if path.is_dir() else "not-a-file")
    header = _read(path)
    if header.application != APPLICATION_ID:
        raise ForeignFile(path)
    if header.version > known_version():
        raise NewerFile(path, header.version, known_version())
    # A journal left behind means that SQLite has something to take back first, so that the sizes may differ.
    if not journal_of(path).exists() and path.stat().st_size < header.whole:
        raise BrokenFile(path, reason="cut-short")
    return header


def _read(path: Path) -> Header:
    with path.open("rb") as file:
        start = file.read(_LENGTH)
    if not start:
        raise BrokenFile(path, reason="empty")
    if not start.startswith(_MAGIC):
        raise ForeignFile(path)
    if len(start) < _LENGTH:
        raise BrokenFile(path, reason="cut-short")
    page = int.from_bytes(start[16:18], "big")
    pages = int.from_bytes(start[28:32], "big")
    version = int.from_bytes(start[60:64], "big")
    whole = (65536 if page == 1 else page) * pages
    wal = start[18:20] == b"\x02\x02"
    unfinished = wal or journal_of(path).exists()
    return Header(int.from_bytes(start[68:72], "big"), version, whole, wal, unfinished)


PATIENCE = 20.0
"""Seconds to wait for another writer: a slow memory card with many phones."""

_PRAGMAS = (
    "foreign_keys = on", "journal_mode = delete", "synchronous = extra", "secure_delete = on", "cache_spill = off",
)  # fmt: skip
# No WAL: before SQLite 3.51.3 a race of checkpoint and writer can lose a commit. EXTRA: the folder is synced as well
# when the journal goes, so that a hand once acknowledged outlives the plug. secure_delete: what goes is overwritten.
# cache_spill: nothing is written before the commit, so that whatever changes the file meanwhile is another program.

_GARBLED = (BrokenFile, "garbled")
_CAUSES: dict[int, tuple[type[StorageError], str]] = {
    sqlite3.SQLITE_BUSY: (Busy, "in-use"),
    sqlite3.SQLITE_LOCKED: (Busy, "in-use"),
    sqlite3.SQLITE_CORRUPT: _GARBLED,
    sqlite3.SQLITE_NOTADB: _GARBLED,
    sqlite3.SQLITE_FORMAT: _GARBLED,
    sqlite3.SQLITE_SCHEMA: _GARBLED,
    sqlite3.SQLITE_FULL: (Unwritable, "full"),
    sqlite3.SQLITE_READONLY: (Unwritable, "read-only"),
    sqlite3.SQLITE_IOERR: (Unwritable, "disk"),
    sqlite3.SQLITE_CANTOPEN: (Unwritable, "cannot-open"),
    sqlite3.SQLITE_PERM: (Unwritable, "permission"),
    sqlite3.SQLITE_AUTH: (Unwritable, "permission"),
}
"""The StorageError of each SQLite error, and the end of its message key."""
_GONE = ("no such ", "unsupported file format")
"""How errors without a code of their own begin that are about the file: the statements are right, so what they name has
gone from the file."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise the errors of SQLite about this file as StorageError; programming errors pass as they are."""
    try:
        yield
    except UnicodeDecodeError as trouble:  # what SQLite says of a garbled schema may be garbled itself
        raise BrokenFile(path, reason="garbled") from trouble
    except sqlite3.Error as trouble:
        found = _cause(trouble)
        if found is None:
            raise
        kind, reason = found
        # Of text that is no UTF-8 the message holds the text, and comes to the log.
        raise kind(path, str(trouble) if hasattr(trouble, "sqlite_errorcode") else "", reason) from trouble


def _cause(trouble: sqlite3.Error) -> tuple[type[StorageError], str] | None:
    code: int | None = getattr(trouble, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_READONLY_DBMOVED:  # the next transaction opens the file that is there now
        return Busy, "in-use"
    if code is None:
        # Text that is no UTF-8 is found out by Python and carries no code.
        return _GARBLED if isinstance(trouble, sqlite3.OperationalError) else None
    if code == sqlite3.SQLITE_ERROR and str(trouble).startswith(_GONE):
        return BrokenFile, "tables-missing"
    # Extended codes carry the plain one in their lowest byte.
    return _CAUSES.get(code & 0xFF)


def is_busy(trouble: sqlite3.Error) -> bool:
    """Whether another connection holds the lock that was needed."""
    return getattr(trouble, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def look(path: Path, mode: Literal["ro", "rw"] = "ro", wait: float | None = None) -> Database:
    """A connection that changes nothing by itself; `rw` lets SQLite roll back what a power cut left unfinished.

    `wait`: seconds to wait for a lock, PATIENCE where none are given. Raises sqlite3.Error.
    """
    # The timeout comes before everything: already the first pragma may meet another writer.
    timeout = PATIENCE if wait is None else wait
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}", uri=True, timeout=timeout, isolation_level=None, check_same_thread=False
    )
    return Database(connection, execute_plugins=False)


def connect(path: Path, wait: float | None = None) -> Database:
    """A connection to work with, to a file that is there. It may move between threads. Raises sqlite3.Error."""
    db = look(path, "rw", wait)
    try:
        for pragma in _PRAGMAS:
            db.execute(f"pragma {pragma}")
    except BaseException:
        db.close()
        raise
    return db


_SEARCHED = 64 * 2**20
"""Bytes up to which every page is looked at on opening: a tenth of a second. Above, its seal tells a garbled row when
it is read."""


def open_file(path: Path) -> None:
    """Make sure that a sound file of this program's version is at this absolute path.

    A file of an earlier version is brought up, and a backup of it stays beside it. Raises ForeignFile, NewerFile,
    BrokenFile, Unwritable, NotKept or Busy; a file refused stays as it was, to the byte.
    """
    try:
        if not path.exists():
            _create(path)
    except OSError as trouble:
        raise Unwritable.of(path, trouble) from trouble
    check_file(path)


def check_file(path: Path, wait: float | None = None) -> None:
    """The same for a file that is there; `wait`: seconds to wait for a lock."""
    try:
        version = _look_at(path, wait)
    except OSError as trouble:
        raise Unwritable.of(path, trouble) from trouble
    if version < known_version():
        _bring_up(path)


def _create(path: Path) -> None:
    """A new file, whole before it gets its name: a start cut short leaves nothing that looks like lost data."""
    fresh = fresh_beside(path)
    try:
        make_room(fresh)
    except OSError as trouble:
        raise FolderUnwritable.of(path, trouble) from trouble
    try:
        _bring_up(fresh)
        give_name(fresh, path)  # where another process was quicker, its file is as good
    finally:
        fresh.unlink(missing_ok=True)


def _bring_up(path: Path) -> None:
    with translated(path), closing(connect(path)) as db:
        db.conn.execute("begin immediate")
        version: int = db.execute("pragma user_version").fetchone()[0]
        if 0 < version < known_version():  # nobody else was quicker
            _keep(path, version)
        try:
            migrate(db)
        except sqlite3.OperationalError as trouble:
            if trouble.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            # The statements are sound, so what they stumble over are rows that no longer hold what they must.
            raise BrokenFile(path, str(trouble), "garbled") from trouble
        db.conn.execute("commit")


def _keep(path: Path, version: int) -> None:
    from scorepad.storage.backup import keep_earlier  # few starts need it

    try:
        keep_earlier(path, version)
    except NoCopy as trouble:
        raise NotKept(path, trouble.detail, trouble.reason) from trouble


def _look_at(path: Path, wait: float | None) -> int:
    """The schema's version of a file that may be used."""
    header = header_of(path)
    if not os.access(path, os.W_OK):
        raise Unwritable(path, reason="read-only")
    if not os.access(path.parent, os.W_OK):  # where SQLite puts its journal
        raise FolderUnwritable(path, reason="read-only")
    return look_inside(path, wait, unfinished=header.unfinished)


def look_inside(path: Path, wait: float | None = None, *, unfinished: bool = False) -> int:
    """The schema's version of a file whose pages add up. Raises BrokenFile, Unwritable or Busy.

    By SQLite alone: to open and close the file in any other way would give up the locks of this process on it.
    """
    with translated(path), closing(look(path, "rw" if unfinished else "ro", wait)) as db:
        version: int = db.execute("pragma user_version").fetchone()[0]
        if version < 1 or not described(db) >= shape(version):
            raise BrokenFile(path, reason="tables-missing")
        if path.stat().st_size <= _SEARCHED:
            said = db.execute("pragma integrity_check(1)").fetchone()[0]
            if said != "ok":
                raise BrokenFile(path, said, "garbled")
    return version
