"""Backups: whole copies of the data file beside it or elsewhere, made during writes by other
processes.
"""

from __future__ import annotations

import filecmp
import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
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
    require_whole,
    resolved_path,
    sync,
    translated,
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
    with ExitStack() as stack:
        with NoCopy.instead(folder / path.name):
            if not folder.is_dir():
                raise NoCopy(folder / path.name, reason="missing")
            fresh = stack.enter_context(connection.temporary_file(folder))
        _fill(path, fresh)
        # If the copy is broken, so is the original.
        with translated(path), closing(open_database(fresh)) as db:
            connection.checked_version(db, path)
        yield fresh


def _fill(path: Path, fresh: Path) -> None:
    try:
        with translated(path), closing(open_database(path, "rw")) as db:
            require_whole(db, path)
            try:
                _copy(db, fresh, _RestartLimit(MOST_RESTARTS))
            except _OvertakenError:
                os.truncate(fresh, 0)
                # One transaction blocks every writer until the copy is done.
                db.execute("begin")
                db.execute("select count(*) from sqlite_master").fetchone()
                _copy(db, fresh, None)
        sync(fresh)
    except Unwritable as error:  # the copy's: reading needs no space, and its rights were checked
        raise NoCopy(fresh, error.detail, error.reason) from error
    except OSError as error:
        raise NoCopy.of(fresh, error) from error


def _copy(db: Database, fresh: Path, limit: _RestartLimit | None) -> None:
    with closing(open_database(fresh, "rw")) as copy:
        for pragma in _PRAGMAS_OF_COPY:
            copy.execute(f"pragma {pragma}")
        # After a write between two steps, SQLite restarts the copy, so that it is always
        # consistent.
        pages = PAGES_AT_ONCE if limit else -1  # all at once
        db.conn.backup(copy.conn, pages=pages, progress=limit)


class _OvertakenError(Exception):
    """Saves are so frequent that a copy which allows them would never end."""


class _RestartLimit:
    """Progress callback of a copy; raises _OvertakenError once the copy has restarted too often."""

    def __init__(self, most_restarts: int) -> None:
        self._restarts_left = most_restarts
        self._pages_left: int | None = None

    def __call__(self, _status: int, pages_left: int, _all_pages: int) -> None:
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
    data = resolved_path(data)
    with Unwritable.instead(data):
        identify(data)
    wanted = data.parent if target is None else resolved_path(target)
    with NoCopy.instead(wanted):
        if wanted.is_dir():
            return _back_up_into_folder(data, wanted, now)
        return _back_up_as_file(data, wanted)


def _back_up_into_folder(data: Path, folder: Path, now: datetime) -> Backup:
    with whole_copy(data, folder) as fresh:
        matches = _count_matches(data, fresh)
        # Numbered if the name of this second is taken.
        for name in _numbered(folder / data.name, f"{now:%Y-%m-%d-%H%M%S}"):
            if publish(fresh, name):
                return Backup(name, matches)
    raise AssertionError("the numbers do not end")


def _back_up_as_file(data: Path, wanted: Path) -> Backup:
    _require_replaceable(wanted, data)
    with whole_copy(data, wanted.parent) as fresh:
        matches = _count_matches(data, fresh)
        if wanted.exists():
            fresh.replace(wanted)
            sync(wanted.parent)
        elif not publish(fresh, wanted):
            raise NoCopy(wanted, reason="exists")
    return Backup(wanted, matches)


def _count_matches(data: Path, copy: Path) -> int:
    with translated(data), closing(open_database(copy)) as db:
        matches: int = db.execute("select count(*) from matches").fetchone()[0]
    return matches


def keep_earlier(path: Path, version: int) -> None:
    """Back up a file of an earlier schema beside it before migration: `scorepad-schema-1.db`.

    An existing backup with the same content is reused. Raises NoCopy, and BrokenFile if the file is
    broken.
    """
    with whole_copy(path, path.parent) as fresh:
        for wanted in _numbered(path, f"schema-{version}"):
            with NoCopy.instead(wanted):
                if publish(fresh, wanted):
                    return
                if wanted.is_file() and filecmp.cmp(fresh, wanted, shallow=False):
                    return


def _require_replaceable(wanted: Path, data: Path) -> None:
    """Raise NoCopy if a backup at this path would replace anything but an earlier backup."""
    if connection.journal_of(wanted).exists():
        # SQLite would apply its journal to the new file.
        raise NoCopy(wanted, reason="in-use")
    if not wanted.exists():
        return
    if wanted.samefile(data):
        raise NoCopy(wanted, reason="data-file")
    try:
        identify(wanted)
    except connection.StorageError as error:
        raise NoCopy(wanted, reason="not-ours") from error


def _numbered(path: Path, label: str) -> Iterator[Path]:
    """`scorepad-LABEL.db` beside `scorepad.db`; if that is taken, `scorepad-LABEL-2.db`."""
    yield path.with_name(f"{path.stem}-{label}{path.suffix}")
    for number in count(2):
        yield path.with_name(f"{path.stem}-{label}-{number}{path.suffix}")
