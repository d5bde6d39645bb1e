"""Opening the data file: it is created if missing, checked, and migrated to the current schema."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

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
    translating_sqlite_errors,
)
from scorepad.storage.schema import known_version, migrate


def open_data_file(path: Path) -> None:
    """Make sure that a sound file with the current schema is at this absolute path.

    A file of an earlier version is migrated, and a backup is kept beside it. Raises ForeignFile,
    EarlierFile, NewerFile, BrokenFile, Unwritable, NotKept or Busy; a refused file is not changed.
    """
    with Unwritable.instead_of_os_error(path):
        if not path.exists():
            _create_data_file(path)
    check_file(path)


def check_file(path: Path, wait: float | None = None) -> None:
    """Check that an existing file is a sound scorepad file that can be written, and migrate it.

    `wait`: seconds to wait for a lock. Raises ForeignFile, EarlierFile, NewerFile, BrokenFile,
    Unwritable, NotKept or Busy.
    """
    with Unwritable.instead_of_os_error(path):
        identify(path)
        if not os.access(path, os.W_OK):
            raise Unwritable(path, reason="read-only")
        if not os.access(path.parent, os.W_OK):  # SQLite's journal is created there
            raise FolderUnwritable(path, reason="read-only")
        version = check_integrity(path, wait)
    if version < known_version():
        _migrate(path)


def _create_data_file(path: Path) -> None:
    """Create an empty data file under a temporary name, and rename it once complete.

    So an interrupted start leaves no half-made file, which would look like lost data.
    """
    with FolderUnwritable.instead_of_os_error(path), temporary_file(path.parent) as fresh:
        _migrate(fresh)
        publish(fresh, path)  # if another process was faster, its file is used


def _migrate(path: Path) -> None:
    """Bring a file to the current schema in one transaction; an older file is backed up first.

    If anything fails, the transaction is rolled back when the connection is closed. Raises NotKept
    if the file cannot be backed up, and BrokenFile if its rows are garbled.
    """
    with translating_sqlite_errors(path), closing(connect(path)) as db:
        db.conn.execute("begin immediate")
        try:
            _back_up_if_older(db, path)
            migrate(db)
        except NoCopy as error:
            raise NotKept(path, error.detail, error.reason) from error
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            # The statements are valid, so the error is caused by garbled rows.
            raise BrokenFile(path, str(error), "garbled") from error
        db.conn.execute("commit")


def _back_up_if_older(db: Database, path: Path) -> None:
    """Keep a backup of a file of an earlier schema beside it. Raises NoCopy.

    Its version is read once it is locked: another process may have migrated it meanwhile. Version 0
    is a new file, without tables.
    """
    version: int = db.execute("pragma user_version").fetchone()[0]
    is_older = 0 < version < known_version()
    if is_older:
        keep_earlier(path, version)
