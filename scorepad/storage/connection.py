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

_PRAGMAS = ("foreign_keys = on", "journal_mode = delete", "synchronous = extra", "secure_delete = on")
# No WAL: before SQLite 3.51.3 a race of checkpoint and writer can lose a commit. EXTRA: the folder is synced as well
# when the journal goes, so that a hand once acknowledged outlives the plug. secure_delete: what goes is overwritten.

_CAUSES: dict[int, type[StorageError]] = {
    sqlite3.SQLITE_BUSY: Busy,
    sqlite3.SQLITE_LOCKED: Busy,
    sqlite3.SQLITE_CORRUPT: BrokenFile,
    sqlite3.SQLITE_NOTADB: BrokenFile,
    sqlite3.SQLITE_FORMAT: BrokenFile,
    sqlite3.SQLITE_SCHEMA: BrokenFile,
    sqlite3.SQLITE_FULL: Unwritable,
    sqlite3.SQLITE_READONLY: Unwritable,
    sqlite3.SQLITE_IOERR: Unwritable,
    sqlite3.SQLITE_CANTOPEN: Unwritable,
    sqlite3.SQLITE_PERM: Unwritable,
    sqlite3.SQLITE_AUTH: Unwritable,
}


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """What SQLite complains of while working on this file, as a StorageError. Our own mistakes pass as they are."""
    try:
        yield
    except UnicodeDecodeError as trouble:  # what SQLite says of a garbled schema may be garbled itself
        raise BrokenFile(path, "garbled") from trouble
    except sqlite3.Error as trouble:
        cause = _cause(trouble)
        if cause is None:
            raise
        raise cause(path, str(trouble)) from trouble


def _cause(trouble: sqlite3.Error) -> type[StorageError] | None:
    code: int | None = getattr(trouble, "sqlite_errorcode", None)
    if code is None:
        # Text that is no UTF-8 is found out by Python and carries no code.
        return BrokenFile if isinstance(trouble, sqlite3.OperationalError) else None
    # Extended codes carry the plain one in their lowest byte.
    return _CAUSES.get(code & 0xFF)


def look(path: Path, mode: Literal["ro", "rw"] = "ro") -> Database:
    """A connection that changes nothing by itself; `rw` lets SQLite take back what a power cut left unfinished.

    Raises sqlite3.Error.
    """
    # The timeout comes before everything: already the first pragma may meet another writer.
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}", uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    return Database(connection, execute_plugins=False)


def connect(path: Path) -> Database:
    """A connection to work with, to a file that is there. It may move between threads. Raises sqlite3.Error."""
    db = look(path, "rw")
    try:
        for pragma in _PRAGMAS:
            db.execute(f"pragma {pragma}")
    except BaseException:
        db.close()
        raise
    return db
