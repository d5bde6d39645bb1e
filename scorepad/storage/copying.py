"""A whole copy of the data file as it stood at one moment, and whether it is sound."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlite_utils import Database

from scorepad.storage.connection import look, translated
from scorepad.storage.errors import BrokenFile, NoCopy, Unwritable
from scorepad.storage.files import fresh_beside, make_room, sync
from scorepad.storage.header import header_of
from scorepad.storage.schema import described, shape

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
    fresh = fresh_beside(folder / path.name)
    try:
        try:
            if not folder.is_dir():
                raise NoCopy(fresh, reason="missing")
            make_room(fresh)
        except OSError as trouble:
            raise NoCopy.of(fresh, trouble) from trouble
        _fill(path, fresh)
        _examine(path, fresh)
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


def _examine(path: Path, fresh: Path) -> None:
    """Whether the copy is sound from its first page to its last; where it is not, neither is what it was made of."""
    with translated(path), closing(look(fresh)) as db:
        version: int = db.execute("pragma user_version").fetchone()[0]
        if version < 1 or not described(db) >= shape(version):
            raise BrokenFile(path, reason="tables-missing")
        said = db.execute("pragma integrity_check(1)").fetchone()[0]
        if said != "ok":
            raise BrokenFile(path, said, "garbled")


def matches_in(path: Path) -> int:
    """How many matches a sound file holds. Raises StorageError."""
    with translated(path), closing(look(path)) as db:
        count: int = db.execute("select count(*) from matches").fetchone()[0]
    return count
