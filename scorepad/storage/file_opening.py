"""Opening the data file: it is created if missing, checked, and migrated to the current schema."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from scorepad.storage.backup import keep_earlier
from scorepad.storage.connection import (
    BrokenFile,
    FolderUnwritable,
    NoCopy,
    NotKept,
    Unwritable,
    check_integrity,
    connect,
    identify,
    publish,
    temporary_file,
    translated,
)
from scorepad.storage.schema import known_version, migrate


def open_data_file(path: Path) -> None:
    """Make sure that a sound file with the current schema is at this absolute path.

    A file of an earlier version is migrated, and a backup is kept beside it. Raises ForeignFile,
    EarlierFile, NewerFile, BrokenFile, Unwritable, NotKept or Busy; a refused file is not changed.
    """
    with Unwritable.instead(path):
        if not path.exists():
            _create(path)
    check_file(path)


def check_file(path: Path, wait: float | None = None) -> None:
    """Make sure that an existing file is sound and has the current schema, as `open_data_file` does.

    `wait`: seconds to wait for a lock.
    """
    with Unwritable.instead(path):
        identify(path)
        if not os.access(path, os.W_OK):
            raise Unwritable(path, reason="read-only")
        if not os.access(path.parent, os.W_OK):  # SQLite's journal is created there
            raise FolderUnwritable(path, reason="read-only")
        version = check_integrity(path, wait)
    if version < known_version():
        _migrate(path)


def _create(path: Path) -> None:
    """Create the file, renamed once complete: an interrupted start leaves no file that looks like
    lost data.
    """
    with FolderUnwritable.instead(path), temporary_file(path.parent) as fresh:
        _migrate(fresh)
        publish(fresh, path)  # if another process was faster, its file is used


def _migrate(path: Path) -> None:
    """Apply the pending migrations, all or none; an earlier file is backed up first."""
    with translated(path), closing(connect(path)) as db:
        db.conn.execute("begin immediate")
        version: int = db.execute("pragma user_version").fetchone()[0]
        try:
            if 0 < version < known_version():  # not yet migrated by another process
                keep_earlier(path, version)
            migrate(db)
        except NoCopy as error:
            raise NotKept(path, error.detail, error.reason) from error
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            # The statements are valid, so the error is caused by garbled rows.
            raise BrokenFile(path, str(error), "garbled") from error
        db.conn.execute("commit")
