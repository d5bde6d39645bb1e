"""Opening the data file: it is created if missing, checked, and migrated to the current schema."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from scorepad.storage.backup import back_up_before_migration
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
    """Make sure that a sound data file is at this absolute path: create, check and migrate it.

    A file of an earlier version of the program is migrated, and a backup is kept beside it. Raises
    ForeignFile, EarlierFile, NewerFile, BrokenFile, Unwritable, NotKept or Busy. A file that is
    refused is not changed.
    """
    with Unwritable.instead_of_os_error(path):
        if not path.exists():
            _create_data_file(path)
    check_file(path)


def check_file(path: Path, wait: float | None = None) -> None:
    """Check that an existing data file is sound and can be written, and migrate an earlier one.

    `wait` are the seconds to wait for a lock, by default LOCK_TIMEOUT. Raises ForeignFile,
    EarlierFile, NewerFile, BrokenFile, Unwritable, NotKept or Busy.
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
    """Create an empty data file under a temporary name, and rename it once it is complete.

    So an interrupted start leaves no half-made file, which would look like lost data.
    """
    with FolderUnwritable.instead_of_os_error(path), temporary_file(path.parent) as fresh:
        _migrate(fresh)  # it creates the tables
        publish(fresh, path)  # if another process was faster, its file is used


def _migrate(path: Path) -> None:
    """Bring a data file to the current schema, all of it or nothing. An older file is backed up.

    Raises NotKept if the file cannot be backed up, and BrokenFile if its rows are garbled.
    """
    with translating_sqlite_errors(path), closing(connect(path)) as db:
        # After any error, closing the connection rolls the transaction back.
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
    """Back up a data file beside it if it has an earlier schema. Raises NoCopy.

    The caller has locked the file. The version is read again, because another process may have
    migrated the file before that.
    """
    (version,) = db.execute("pragma user_version").fetchone()
    is_older = 0 < version < known_version()  # 0: a new file, without tables
    if is_older:
        back_up_before_migration(path, version)
