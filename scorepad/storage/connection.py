"""Connections to the data file, and the machine's complaints as our own errors."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from sqlite_utils import Database

from scorepad.storage.errors import BrokenFile, Busy, StorageError, Unwritable

PATIENCE = 20.0
"""Seconds that one waits for another who is writing: a slow card with many phones around it."""

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
"""What each complaint is to us, and the end of the key of its words."""
_GONE = ("no such ", "unsupported file format")
"""How the complaints without a code of their own begin that are about the file: our statements are sound, so what they
ask for went from it while it was open."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """What SQLite complains of while working on this file, as a StorageError. Our own mistakes pass as they are."""
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
    """A connection that changes nothing by itself; `rw` lets SQLite take back what a power cut left unfinished.

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
