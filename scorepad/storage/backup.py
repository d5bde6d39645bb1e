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
_ALL_PAGES = -1
"""As `PAGES_AT_ONCE`, but all at once; as SQLite writes it."""
MOST_RESTARTS = 2
"""How often a copy restarts because of a save meanwhile, before it locks out all writers."""


@contextmanager
def whole_copy(path: Path, folder: Path) -> Iterator[Path]:
    """Make a checked copy of the data file, under a temporary name in a folder that exists.

    To keep the copy, rename it: at the end of the block it is deleted under its temporary name. It
    is on the disk then. Others can save meanwhile; only those that save all the time have to wait
    for the copy. Raises BrokenFile, Busy or Unwritable for the file, and NoCopy for its copy.
    """
    with _empty_copy(path, folder) as fresh:
        _fill_copy(path, fresh)
        # If the copy is broken, so is the original: the error names that.
        with translating_sqlite_errors(path), closing(open_database(fresh)) as db:
            connection.check_and_read_version(db, path)
        yield fresh


@contextmanager
def _empty_copy(path: Path, folder: Path) -> Iterator[Path]:
    """Create an empty temporary file in a folder, for a copy of the data file at `path`.

    It is deleted at the end of the block, unless it was renamed. Raises NoCopy.
    """
    fresh = _create_empty_copy(path, folder)
    try:
        yield fresh
    finally:
        fresh.unlink(missing_ok=True)


def _create_empty_copy(path: Path, folder: Path) -> Path:
    """Create an empty temporary file in a folder, and return its path.

    It is for a copy of the data file at `path`, whose name is in the error. Raises NoCopy.
    """
    target = folder / path.name
    with NoCopy.instead_of_os_error(target):
        if not folder.is_dir():
            raise NoCopy(target, reason="missing")
        return connection.create_temporary_file(folder)


def _fill_copy(path: Path, fresh: Path) -> None:
    """Copy the data file at `path` into the empty file `fresh`, and sync that to the disk.

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
    """Copy a database into the empty file `fresh`, while others may write to it.

    SQLite begins the copy again whenever somebody has written. If that happens too often, the
    writers have to wait until the copy is done.
    """
    try:
        _copy_pages(db, fresh, PAGES_AT_ONCE, _RestartLimit(MOST_RESTARTS))
    except _OvertakenError:
        os.truncate(fresh, 0)
        _keep_writers_out(db)
        _copy_pages(db, fresh, _ALL_PAGES)


def _keep_writers_out(db: Database) -> None:
    """Begin a transaction that keeps everybody from writing, until the connection is closed."""
    db.execute("begin")
    db.execute("select count(*) from sqlite_master").fetchone()  # `begin` alone locks nothing


def _copy_pages(
    db: Database, fresh: Path, pages_at_once: int, limit: _RestartLimit | None = None
) -> None:
    """Copy all pages of a database into a file, some pages at a time.

    Others may write in between: SQLite then begins again with the first page. The `limit` raises
    _OvertakenError if that happens too often.
    """
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
        """Raise _OvertakenError if the copy has begun again too often.

        SQLite calls this after each step, with the number of pages still to copy. That number falls
        with each step, unless another program has written: then all pages are still to copy.
        """
        pages_left_before = self._pages_left  # None at the first step
        has_restarted = pages_left_before is not None and pages_left >= pages_left_before
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
    """Copy the data file to a file or a folder, and return where the copy is.

    Without a target it is put beside the data file. In a folder its name has the time `now`. An
    earlier backup at a target file is replaced, once the new one is complete.

    Raises StorageError if the data file cannot be copied, and NoCopy if the copy cannot be stored
    there. Nothing is changed then.
    """
    data = resolve_path(data)
    with Unwritable.instead_of_os_error(data):
        identify(data)
    if target is None:
        destination = data.parent
    else:
        destination = resolve_path(target)
    with NoCopy.instead_of_os_error(destination):
        if destination.is_dir():
            return _back_up_into_folder(data, destination, now)
        return _back_up_as_file(data, destination)


def _back_up_into_folder(data: Path, folder: Path, now: datetime) -> Backup:
    """Copy the data file into a folder, under a name with the time.

    It is `scorepad-2026-05-01-203000.db`, or `scorepad-2026-05-01-203000-2.db` if that is taken.
    """
    with whole_copy(data, folder) as fresh:
        matches = _count_matches_of_copy(data, fresh)
        for name in _list_numbered_names(folder / data.name, f"{now:%Y-%m-%d-%H%M%S}"):
            was_free = publish(fresh, name)
            if was_free:
                return Backup(name, matches)
    raise AssertionError("the numbers do not end")


def _back_up_as_file(data: Path, destination: Path) -> Backup:
    """Copy the data file to this path, and replace an earlier backup that is there.

    Raises NoCopy if anything else is there.
    """
    _require_replaceable(destination, data)
    with whole_copy(data, destination.parent) as fresh:
        matches = _count_matches_of_copy(data, fresh)
        if destination.exists():
            fresh.replace(destination)
            sync(destination.parent)
        else:
            was_free = publish(fresh, destination)  # unlike `replace`, it never replaces a file
            if not was_free:  # another program put a file there meanwhile
                raise NoCopy(destination, reason="exists")
    return Backup(destination, matches)


def _count_matches_of_copy(data: Path, copy: Path) -> int:
    """Count the matches in a copy of the data file. An error is raised as one of the data file."""
    with translating_sqlite_errors(data), closing(open_database(copy)) as db:
        (matches,) = db.execute("select count(*) from matches").fetchone()
    return int(matches)


def back_up_before_migration(path: Path, version: int) -> None:
    """Back up a data file beside it, before it is migrated from this version of the schema.

    The backup is `scorepad-schema-1.db`, or `scorepad-schema-1-2.db` if that name is taken by a
    file with other content. One with the same content is a backup of an earlier try, and is enough.
    Raises NoCopy, and BrokenFile if the file is broken.
    """
    with whole_copy(path, path.parent) as fresh:
        for name in _list_numbered_names(path, f"schema-{version}"):  # without end
            with NoCopy.instead_of_os_error(name):
                was_free = publish(fresh, name)
                if was_free or _has_same_content(name, fresh):
                    return


def _has_same_content(existing: Path, fresh: Path) -> bool:
    """Tell whether an existing backup has the same content as a new copy of the data file."""
    return existing.is_file() and filecmp.cmp(fresh, existing, shallow=False)


def _require_replaceable(destination: Path, data: Path) -> None:
    """Raise NoCopy if a backup at this path would replace anything but an earlier backup.

    `data` is the data file. A path with nothing at it is fine.
    """
    if connection.journal_path(destination).exists():
        # Another program uses the file there. SQLite would apply its journal to the backup.
        raise NoCopy(destination, reason="in-use")
    if not destination.exists():
        return
    if destination.samefile(data):
        # On the screen: "… is the file of the matches itself: the copy needs another name."
        raise NoCopy(destination, reason="data-file")
    try:
        identify(destination)
    except connection.StorageError as error:
        # On the screen: "… is there already, and is no sound file of scorepad's."
        raise NoCopy(destination, reason="not-ours") from error


def _list_numbered_names(path: Path, label: str) -> Iterator[Path]:
    """Yield names for a copy of a file, without end.

    Of `scorepad.db` with the label `schema-1`: `scorepad-schema-1.db`, `scorepad-schema-1-2.db`,
    `scorepad-schema-1-3.db`, and so on, in the same folder.
    """
    yield path.with_name(f"{path.stem}-{label}{path.suffix}")
    for number in count(2):
        yield path.with_name(f"{path.stem}-{label}-{number}{path.suffix}")
