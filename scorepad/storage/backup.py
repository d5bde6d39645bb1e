"""Backups: whole copies of the data file beside it or elsewhere, made during writes by other
processes.
"""

from __future__ import annotations

import filecmp
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import NamedTuple

from sqlite_utils import Database

from scorepad.storage import connection
from scorepad.storage.connection import (
    NoCopy,
    Unwritable,
    identify,
    open_database,
    publish,
    require_full_length,
    resolve_path,
    sync,
    translating_sqlite_errors,
)

_PRAGMAS_OF_COPY = ("journal_mode = off", "synchronous = off")
# For the copy: it is temporary, and synced as a whole before it is renamed.
PAGES_AT_ONCE = 4096
"""Pages copied at once, in some 10 ms; writers may save between two steps."""
MOST_RESTARTS = 2
"""How often a copy restarts because of a save meanwhile, before it locks out all writers."""


@contextmanager
def whole_copy(path: Path, folder: Path) -> Iterator[Path]:
    """A checked copy of the file, synced to disk, under a temporary name in an existing folder.

    The caller renames it to keep it. Other processes can read and write meanwhile; writers wait for
    the copy only if they write continuously. Raises BrokenFile, Busy or Unwritable for the file,
    and NoCopy for its copy.
    """
    with _empty_copy(path, folder) as fresh:
        _fill_copy(path, fresh)
        # If the copy is broken, so is the original: the error names that.
        with translating_sqlite_errors(path), closing(open_database(fresh)) as db:
            connection.check_and_read_version(db, path)
        yield fresh


@contextmanager
def _empty_copy(path: Path, folder: Path) -> Iterator[Path]:
    """An empty temporary file in a folder, for a copy of the file at `path`; deleted at the end,
    unless it was renamed. Raises NoCopy if it cannot be created.
    """
    fresh = _create_empty_copy(path, folder)
    try:
        yield fresh
    finally:
        fresh.unlink(missing_ok=True)


def _create_empty_copy(path: Path, folder: Path) -> Path:
    """Create an empty temporary file in a folder, for a copy of the file at `path`. Raises NoCopy."""
    target = folder / path.name
    with NoCopy.instead_of_os_error(target):
        if not folder.is_dir():
            raise NoCopy(target, reason="missing")
        return connection.create_temporary_file(folder)


def _fill_copy(path: Path, fresh: Path) -> None:
    """Copy the data file into an empty file, and sync that to disk.

    Raises NoCopy if the copy cannot be written, and other errors for the data file.
    """
    try:
        with translating_sqlite_errors(path), closing(open_database(path, "rw")) as db:
            require_full_length(db, path)
            _copy_database(db, fresh)
        sync(fresh)
    except Unwritable as error:
        # SQLite names the data file, but it is the copy that cannot be written: the rights to the
        # data file were checked before, and reading it needs no space on the disk.
        raise NoCopy(fresh, error.detail, error.reason) from error
    except OSError as error:
        raise NoCopy.from_os_error(fresh, error) from error


def _copy_database(db: Database, fresh: Path) -> None:
    """Copy a database into an empty file, while others may write to it.

    If they write so often that the copy would never end, they wait for it.
    """
    try:
        _copy_pages(db, fresh, _RestartLimit(MOST_RESTARTS))
    except _OvertakenError:
        os.truncate(fresh, 0)
        # A transaction that has read something keeps every writer out until the copy is done.
        db.execute("begin")
        db.execute("select count(*) from sqlite_master").fetchone()
        _copy_pages(db, fresh, None)


def _copy_pages(db: Database, fresh: Path, limit: _RestartLimit | None) -> None:
    """Copy all pages: some at a time if there is a limit of restarts, else all at once.

    Others may write between two steps. SQLite then restarts the copy, so that it is consistent.
    """
    pages_at_once = PAGES_AT_ONCE if limit else -1  # all
    with closing(open_database(fresh, "rw")) as copy:
        for pragma in _PRAGMAS_OF_COPY:
            copy.execute(f"pragma {pragma}")
        db.conn.backup(copy.conn, pages=pages_at_once, progress=limit)


class _OvertakenError(Exception):
    """Saves are so frequent that a copy which allows them would never end."""


class _RestartLimit:
    """Progress callback of a copy; raises _OvertakenError once the copy has restarted too often."""

    def __init__(self, most_restarts: int) -> None:
        self._restarts_left = most_restarts
        self._pages_left: int | None = None

    def __call__(self, _status: int, pages_left: int, _all_pages: int) -> None:
        """SQLite calls this after each step, with the number of pages still to copy.

        That number falls with each step. When another program has saved into the file, SQLite
        begins again with all pages.
        """
        has_restarted = self._pages_left is not None and pages_left >= self._pages_left
        if has_restarted:
            self._restarts_left -= 1
        if self._restarts_left < 0:
            raise _OvertakenError
        self._pages_left = pages_left


class Backup(NamedTuple):
    """A backup: its path, and its number of matches."""

    path: Path
    matches: int


def back_up(data: Path, target: Path | None, now: datetime) -> Backup:
    """Copy the data file to the file or folder `target`; without one, beside it under a name with
    the time `now`.

    An earlier backup in its place is replaced atomically, once the new one is complete. Raises
    StorageError if the data file cannot be copied, and NoCopy if the copy cannot be stored there;
    nothing is changed then.
    """
    data = resolve_path(data)
    with Unwritable.instead_of_os_error(data):
        identify(data)
    destination = data.parent if target is None else resolve_path(target)
    with NoCopy.instead_of_os_error(destination):
        if destination.is_dir():
            return _back_up_into_folder(data, destination, now)
        return _back_up_as_file(data, destination)


def _back_up_into_folder(data: Path, folder: Path, now: datetime) -> Backup:
    """Copy the data file into a folder, as `scorepad-2026-05-01-203000.db`.

    If that name is taken, as `scorepad-2026-05-01-203000-2.db`.
    """
    with whole_copy(data, folder) as fresh:
        matches = _count_matches(data, fresh)
        for name in _numbered_names(folder / data.name, f"{now:%Y-%m-%d-%H%M%S}"):
            if publish(fresh, name):
                return Backup(name, matches)
    raise AssertionError("the numbers do not end")


def _back_up_as_file(data: Path, destination: Path) -> Backup:
    """Copy the data file to this path, where an earlier backup may be."""
    _require_replaceable(destination, data)
    with whole_copy(data, destination.parent) as fresh:
        matches = _count_matches(data, fresh)
        if destination.exists():
            fresh.replace(destination)
            sync(destination.parent)
        elif not publish(fresh, destination):
            # Another program put a file there meanwhile.
            raise NoCopy(destination, reason="exists")
    return Backup(destination, matches)


def _count_matches(data: Path, copy: Path) -> int:
    """The number of matches in a copy of the data file; an error is raised as one of the latter."""
    with translating_sqlite_errors(data), closing(open_database(copy)) as db:
        matches: int = db.execute("select count(*) from matches").fetchone()[0]
    return matches


def keep_earlier(path: Path, version: int) -> None:
    """Back up a file of an earlier schema beside it before migration: `scorepad-schema-1.db`.

    An existing backup with the same content is reused. If one with other content has that name, the
    next name is tried: `scorepad-schema-1-2.db`. Raises NoCopy, and BrokenFile if the file is
    broken.
    """
    with whole_copy(path, path.parent) as fresh:
        for name in _numbered_names(path, f"schema-{version}"):  # without end
            with NoCopy.instead_of_os_error(name):
                if publish(fresh, name) or _is_same_backup(name, fresh):
                    return


def _is_same_backup(name: Path, fresh: Path) -> bool:
    """Whether there is a file of this name, and it has the same content as a new copy."""
    return name.is_file() and filecmp.cmp(fresh, name, shallow=False)


def _require_replaceable(destination: Path, data: Path) -> None:
    """Raise NoCopy if a backup at this path would replace anything but an earlier backup."""
    if connection.journal_path(destination).exists():
        # SQLite would apply its journal to the new file.
        raise NoCopy(destination, reason="in-use")
    if not destination.exists():
        return
    if destination.samefile(data):
        raise NoCopy(destination, reason="data-file")
    try:
        identify(destination)
    except connection.StorageError as error:
        raise NoCopy(destination, reason="not-ours") from error


def _numbered_names(path: Path, label: str) -> Iterator[Path]:
    """Names beside `scorepad.db`: `scorepad-LABEL.db`, `scorepad-LABEL-2.db`, and so on."""
    yield path.with_name(f"{path.stem}-{label}{path.suffix}")
    for number in count(2):
        yield path.with_name(f"{path.stem}-{label}-{number}{path.suffix}")
