"""Backups: whole copies of the data file beside it or elsewhere, made while others write."""

from __future__ import annotations

import filecmp
import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from sqlite_utils import Database

from scorepad.storage.connection import (
    NoCopy,
    StorageError,
    Unwritable,
    checked_version,
    create_empty,
    header_of,
    journal_of,
    look,
    publish,
    resolved_path,
    sync,
    temporary_path,
    translated,
)

_HASTE = ("journal_mode = off", "synchronous = off")
# Of the copy: it has no name yet, and is synced as a whole before it gets one.
STEP = 4096
"""Pages that are copied at once, in some hundredths of a second; then whoever waits may save."""
BEGUN_ANEW = 2
"""How often a copy is begun anew because somebody saved meanwhile, before all others have to wait for it."""


@contextmanager
def whole_copy(path: Path, folder: Path) -> Iterator[Path]:
    """A copy of the file, sound and on the disk, under a name for the time being in a folder that is there.

    Whoever wants to keep it gives it another name. Others may go on reading and writing meanwhile; only where they
    write all the time does that wait for the copy. Raises BrokenFile, Busy, Unwritable of the file, and NoCopy of its
    copy.
    """
    fresh = temporary_path(folder / path.name)
    try:
        try:
            if not folder.is_dir():
                raise NoCopy(fresh, reason="missing")
            create_empty(fresh)
        except OSError as trouble:
            raise NoCopy.of(fresh, trouble) from trouble
        _fill(path, fresh)
        # Where the copy is not sound, neither is what it was made of.
        with translated(path), closing(look(fresh)) as db:
            checked_version(db, path)
        yield fresh
    finally:
        fresh.unlink(missing_ok=True)


def _fill(path: Path, fresh: Path) -> None:
    unfinished = header_of(path).unfinished
    try:
        with translated(path), closing(look(path, "rw" if unfinished else "ro")) as db:
            try:
                _copy(db, fresh, _Watch(BEGUN_ANEW))
            except _OvertakenError:
                os.truncate(fresh, 0)
                # One transaction holds off every writer until the copy is done.
                db.execute("begin")
                db.execute("select count(*) from sqlite_master").fetchone()
                _copy(db, fresh, None)
        sync(fresh)
    except Unwritable as trouble:  # reading asks for no room and for no rights but those already found
        raise NoCopy(fresh, trouble.detail, trouble.reason) from trouble
    except OSError as trouble:
        raise NoCopy.of(fresh, trouble) from trouble


def _copy(db: Database, fresh: Path, watch: Callable[[int, int, int], None] | None) -> None:
    with closing(look(fresh, "rw")) as copy:
        for pragma in _HASTE:
            copy.execute(f"pragma {pragma}")
        # Between two steps others may save; SQLite then begins anew, so that the copy is of one moment all the same.
        db.conn.backup(copy.conn, pages=STEP if watch else -1, progress=watch)


class _OvertakenError(Exception):
    """Others save so often that a copy which lets them would never be done."""


class _Watch:
    """Looks on while pages are copied, and ends that once it was begun anew too often."""

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._left: int | None = None

    def __call__(self, _: int, left: int, __: int) -> None:
        if self._left is not None and left >= self._left:
            self._patience -= 1
            if self._patience < 0:
                raise _OvertakenError
        self._left = left


class Backup(NamedTuple):
    """A backup that was made: where it is, and how many matches are in it."""

    path: Path
    matches: int


def back_up(data: Path, target: Path | None, now: datetime) -> Backup:
    """Copy the data file to `target`, or into that folder; without one, beside it under the moment `now`.

    An earlier backup in its place is replaced in one step, once the new one is complete. Raises StorageError where the
    data file cannot be copied, and NoCopy where the copy cannot be put there; nothing was changed then.
    """
    data = resolved_path(data)
    try:
        header_of(data)
    except OSError as trouble:
        raise Unwritable.of(data, trouble) from trouble
    wanted = data.parent if target is None else resolved_path(target)
    try:
        is_folder = wanted.is_dir()
        if not is_folder:
            _require_replaceable(wanted, data)
        with whole_copy(data, wanted if is_folder else wanted.parent) as fresh:
            with translated(data), closing(look(fresh)) as db:
                matches: int = db.execute("select count(*) from matches").fetchone()[0]
            if is_folder:  # numbered where a clock shows the same second again
                names = _numbered(wanted / data.name, f"{now:%Y-%m-%d-%H%M%S}")
                wanted = next(name for name in names if publish(fresh, name))
            elif wanted.exists():
                fresh.replace(wanted)
                sync(wanted.parent)
            elif not publish(fresh, wanted):
                raise NoCopy(wanted, reason="exists")
    except OSError as trouble:
        raise NoCopy.of(wanted, trouble) from trouble
    return Backup(wanted, matches)


def keep_earlier(path: Path, version: int) -> None:
    """A backup of a file of an earlier schema beside it, before it is migrated: `scorepad-schema-1.db`.

    One that is there already with the same content is enough. Raises NoCopy, and BrokenFile where it is not sound.
    """
    with whole_copy(path, path.parent) as fresh:
        for wanted in _numbered(path, f"schema-{version}"):
            try:
                if publish(fresh, wanted) or (wanted.is_file() and filecmp.cmp(fresh, wanted, shallow=False)):
                    return
            except OSError as trouble:
                raise NoCopy.of(wanted, trouble) from trouble


def _require_replaceable(wanted: Path, data: Path) -> None:
    """Raise NoCopy where a backup in this place would replace anything but an earlier one."""
    if journal_of(wanted).exists():
        # SQLite would roll it back into the new file.
        raise NoCopy(wanted, reason="in-use")
    if not wanted.exists():
        return
    if wanted.samefile(data):
        raise NoCopy(wanted, reason="data-file")
    try:
        header_of(wanted)
    except StorageError as trouble:
        raise NoCopy(wanted, reason="not-ours") from trouble


def _numbered(path: Path, mark: str) -> Iterator[Path]:
    """`scorepad-MARK.db` beside `scorepad.db`, and where that is taken, `scorepad-MARK-2.db`."""
    ends = chain([""], (f"-{number}" for number in count(2)))
    return (path.with_name(f"{path.stem}-{mark}{end}{path.suffix}") for end in ends)
