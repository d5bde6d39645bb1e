"""Opening a data file: made where there is none, otherwise looked at before anything may touch it."""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from scorepad.storage.connection import connect, look, translated
from scorepad.storage.errors import BrokenFile, FolderUnwritable, ForeignFile, NewerFile, Unwritable
from scorepad.storage.schema import APPLICATION_ID, described, known_version, migrate, shape

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100
_SEARCHED = 64 * 2**20
"""Bytes up to which every page is looked at on opening: a tenth of a second. Above, its seal tells a garbled row when
it is read."""


class Header(NamedTuple):
    """What the first bytes of an SQLite file say. `whole` is its size in bytes by its own account."""

    application: int
    version: int
    whole: int
    wal: bool


def whole_path(path: Path) -> Path:
    """Where a path leads in the end. Raises Unwritable for links that lead to one another."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as trouble:  # RuntimeError up to Python 3.12
        raise Unwritable(path, str(trouble), "loop") from trouble


def open_file(path: Path) -> None:
    """Make sure that a sound file of this program's version is at this absolute path.

    Raises ForeignFile, NewerFile, BrokenFile, Unwritable or Busy; a file refused stays as it was, to the byte.
    """
    try:
        if not path.exists():
            _create(path)
        version = _look_at(path)
    except OSError as trouble:
        raise Unwritable.of(path, trouble) from trouble
    if version < known_version():
        _bring_up(path)


def _create(path: Path) -> None:
    """A new file, whole before it gets its name: a start cut short leaves nothing that looks like lost data."""
    fresh = path.with_name(f".scorepad-{secrets.token_hex(6)}.new")
    try:
        make_room(fresh)
    except OSError as trouble:
        raise FolderUnwritable.of(path, trouble) from trouble
    try:
        _bring_up(fresh)
        give_name(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def make_room(fresh: Path) -> None:
    """An empty file of this name and its folder, for whoever runs the pad only. Raises OSError."""
    fresh.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def give_name(fresh: Path, path: Path) -> None:
    """Call a file that is whole by its name, unless another start was quicker; for good, and in one step."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        return  # another process was quicker, and its file is as good
    except OSError:  # a file system without links, as on memory cards
        if not path.exists():
            fresh.rename(path)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _bring_up(path: Path) -> None:
    with translated(path), closing(connect(path)) as db:
        db.conn.execute("begin immediate")
        try:
            migrate(db)
        except sqlite3.OperationalError as trouble:
            if trouble.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            # The statements are sound, so what they stumble over are rows that no longer hold what they must.
            raise BrokenFile(path, str(trouble), "garbled") from trouble
        db.conn.execute("commit")


def _look_at(path: Path) -> int:
    """The schema's version of a file that may be used."""
    if not path.is_file():
        raise Unwritable(path, reason="folder" if path.is_dir() else "not-a-file")
    header = _header(path)
    if header.application != APPLICATION_ID:
        raise ForeignFile(path)
    if header.version > known_version():
        raise NewerFile(path, header.version, known_version())
    # A journal left behind means that SQLite has something to take back first, so that the sizes may differ.
    unfinished = path.with_name(path.name + "-journal").exists()
    if not unfinished and path.stat().st_size < header.whole:
        raise BrokenFile(path, reason="cut-short")
    if not os.access(path, os.W_OK):
        raise Unwritable(path, reason="read-only")
    if not os.access(path.parent, os.W_OK):  # where SQLite puts its journal
        raise FolderUnwritable(path, reason="read-only")
    return _look_inside(path, unfinished=unfinished or header.wal)


def _header(path: Path) -> Header:
    with path.open("rb") as file:
        start = file.read(_HEADER)
    if not start:
        raise BrokenFile(path, reason="empty")
    if not start.startswith(_MAGIC):
        raise ForeignFile(path)
    if len(start) < _HEADER:
        raise BrokenFile(path, reason="cut-short")
    page = int.from_bytes(start[16:18], "big")
    pages = int.from_bytes(start[28:32], "big")
    version = int.from_bytes(start[60:64], "big")
    whole = (65536 if page == 1 else page) * pages
    return Header(int.from_bytes(start[68:72], "big"), version, whole, wal=start[18:20] == b"\x02\x02")


def _look_inside(path: Path, *, unfinished: bool) -> int:
    with translated(path), closing(look(path, "rw" if unfinished else "ro")) as db:
        version: int = db.execute("pragma user_version").fetchone()[0]
        if version < 1 or not described(db) >= shape(version):
            raise BrokenFile(path, reason="tables-missing")
        if path.stat().st_size <= _SEARCHED:
            said = db.execute("pragma integrity_check(1)").fetchone()[0]
            if said != "ok":
                raise BrokenFile(path, said, "garbled")
    return version
