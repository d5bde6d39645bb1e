"""Opening a data file: made where there is none, otherwise looked at before anything may touch it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from scorepad.storage.connection import connect, look, translated
from scorepad.storage.errors import BrokenFile, FolderUnwritable, NoCopy, NotKept, Unwritable
from scorepad.storage.files import fresh_beside, give_name, make_room
from scorepad.storage.header import header_of
from scorepad.storage.schema import described, known_version, migrate, shape

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
