"""The data file, open: transactions for reading and for writing, one connection for each thread."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from sqlite_utils import Database

from scorepad.storage import connection
from scorepad.storage.connection import (
    SQLITE_ERRORS,
    BrokenFile,
    Busy,
    ForeignFile,
    NewerFile,
    StorageError,
    Unwritable,
    check_file,
    connect,
    has_room,
    is_busy,
    look_inside,
    open_file,
    reraise,
    resolved_path,
)
from scorepad.storage.rows import Reading, Writing

GRACE = 0.3
"""Seconds that a thread of the server waits for another process. One writer at a time waits longer."""
_AT_ONCE = 0.02
"""The same for those who come in the second after one waited in vain."""
_SLICE = 0.05
"""Seconds after which a thread that waits for another looks whether that one gets on."""
_EXAMINED_EVERY = 60.0
"""Seconds between two readings of all pages on behalf of whoever asks for the health."""

Stamp = tuple[int, int, int, int]
"""Device and inode of a file, its size, and when it was written last, in nanoseconds."""


def stamp_of(path: Path) -> Stamp:
    """What tells whether a file is still the one that it was. Raises Unwritable where there is none."""
    try:
        found = path.stat()
    except OSError as trouble:
        raise Unwritable.of(path, trouble) from trouble
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


class Storage:
    """The data file at a path, made where there is none.

    Raises ForeignFile, NewerFile, BrokenFile, Unwritable, NotKept or Busy, leaving the file as it was. Any number of
    threads and processes may have the same file open; each waits for the others.

    `grace`: seconds that a thread waits for another process, by default PATIENCE. With less, one writer at a time still
    waits for PATIENCE, and all others are told Busy: a process that stops while it holds the lock stops no other
    thread for long.

    A file that another program has replaced or changed is checked as at the start by the next transaction, and opened
    anew.
    """

    def __init__(self, path: Path | str, grace: float | None = None) -> None:
        self.path = resolved_path(Path(path))
        open_file(self.path)
        self._seen = stamp_of(self.path)
        self.generation = 0
        """How often another program has replaced or changed the file."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when it has."""
        self._refused: tuple[Stamp, StorageError] | None = None
        self._grace = grace
        self._mine = threading.local()
        # SQLite makes the later of two writers sleep and try again; here they wake one another at once.
        self._turn = threading.Lock()
        self._is_stalled = False
        """Whether the thread that writes waits for another process."""
        self._locked = self._examined = float("-inf")
        """When a thread last waited in vain, and when all pages were read last."""

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """One look at the file. Raises StorageError."""
        with self._translated():
            try:
                self._check()
            except BrokenFile:
                # Rows that are whole can still be shown, unless it is another file.
                if stamp_of(self.path)[:2] != self._seen[:2]:
                    raise
            held = self._hold()
            held.db.conn.execute("begin")
            try:
                self._lock(held.db, "select 1 from sqlite_master limit 1")
                yield Reading(held.db, self.path, self.generation)
            finally:
                held.db.conn.rollback()

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """A transaction that holds the file from its beginning; it is on the disk when this block has been left.

        Any exception inside takes everything back. Raises StorageError.
        """
        # Not BEGIN alone, which takes the lock only at the first change: two phones would then fail one another,
        # however long they waited.
        with self._translated(), self._in_turn():
            self._admit()
            held = self._hold()
            self._lock(held.db, "begin immediate", writes=True)
            try:
                self._admit()  # again: while this lock is held no other process commits
                yield Writing(held.db, self.path, self.generation)
                self._commit(held)
            finally:
                held.db.conn.rollback()

    def rewrite(self) -> None:
        """Write the file anew, of what stands in it and nothing else; where that fails it is as it was.

        SQLite overwrites what is deleted, but not what it had copied about before while it put its pages in order.
        Raises StorageError.
        """
        with self._translated(), self._in_turn():
            self._admit()
            self._lock(self._hold().db, "vacuum", writes=True)
            self._seen = stamp_of(self.path)

    def health(self) -> str:
        """How the file is, within about a second: `ok` or one word for what is wrong.

        `missing`, `garbled` (or no file of this program's), `locked` by another process, `read-only`, `unusable`, or
        `disk-low`: no match is begun or imported.
        """
        try:
            self._examine()
        except Busy:
            return "locked"
        except (BrokenFile, ForeignFile, NewerFile):
            return "garbled"
        except StorageError as trouble:
            return trouble.reason if trouble.reason in {"missing", "read-only"} else "unusable"
        return "ok" if has_room(self.path) else "disk-low"

    def close(self) -> None:
        """Let go of the file. The storage can be used again, and opens it again.

        This thread's connection closes now. Those of others close when nobody uses them any more: SQLite does not
        survive a connection being closed under somebody.
        """
        held: _Held | None = getattr(self._mine, "held", None)
        self._mine = threading.local()
        if held is not None:
            held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------------------------------------ the file

    def _check(self) -> None:
        """Check the file where it is not as this process left it. Raises StorageError."""
        if stamp_of(self.path) != self._seen:
            with self._in_turn():
                self._admit()

    def _admit(self) -> None:
        """The same, for the thread that writes."""
        found = stamp_of(self.path)
        if found == self._seen:
            return
        if self._refused is not None and self._refused[0] == found:
            raise self._refused[1].with_traceback(None)
        try:
            if found[:2] == self._seen[:2]:
                look_inside(self.path, self._wait)
            else:
                check_file(self.path, self._wait)
        except (BrokenFile, ForeignFile, NewerFile) as trouble:
            self._refused = found, trouble
            raise
        self._seen, self.generation = found, self.generation + 1
        self.on_change()

    def _commit(self, held: _Held) -> None:
        if stamp_of(self.path) != self._seen:
            raise Busy(self.path, "changed by another program", "in-use")
        self._lock(held.db, "commit", writes=True)
        found = stamp_of(self.path)
        if found[:2] != held.file:
            raise Busy(self.path, "replaced by another program", "in-use")
        self._seen = found

    def _examine(self) -> None:
        """Whether the file can be read and written. Raises StorageError."""
        with self._translated():
            if self._is_stalled:
                raise Busy(self.path, "a writer waits", "in-use")
            self._check()
            if not (os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)):
                raise Unwritable(self.path, reason="read-only")
            if time.monotonic() - self._examined >= _EXAMINED_EVERY:
                self._read_all()
            if self._turn.acquire(blocking=False):
                try:
                    db = self._hold().db
                    db.execute("begin immediate")
                    db.conn.rollback()
                finally:
                    self._turn.release()

    def _read_all(self) -> None:
        """Read every page. Where they do not add up, nothing is written from now on. Raises StorageError."""
        try:
            look_inside(self.path, self._wait)
        except BrokenFile:
            self._seen = (*self._seen[:2], -1, -1)
            raise
        self._examined = time.monotonic()

    # ------------------------------------------------------------------------------------------------ waiting

    @property
    def _wait(self) -> float:
        """Seconds to wait for a lock that another process holds, at once."""
        grace = connection.PATIENCE if self._grace is None else self._grace
        return min(grace, _AT_ONCE) if time.monotonic() - self._locked < 1 else grace

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            try:
                yield
            except SQLITE_ERRORS as trouble:
                reraise(trouble, self.path)
        except Busy:
            self._locked = time.monotonic()
            raise

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """The one thread that writes. Others wait as long as it gets on."""
        until = time.monotonic() + connection.PATIENCE
        while not self._turn.acquire(timeout=min(self._wait, _SLICE)):
            if self._is_stalled or time.monotonic() >= until:
                raise Busy(self.path, "waited for another thread", "in-use")
        try:
            yield
        finally:
            self._is_stalled = False
            self._turn.release()

    def _lock(self, db: Database, statement: str, *, writes: bool = False) -> None:
        """Run a statement that takes a lock. Another thread is waited for as long as it gets on.

        Another process is waited for by the thread that writes, all others raise sqlite3.OperationalError.
        """
        until = time.monotonic() + connection.PATIENCE
        while True:
            try:
                db.execute(statement).fetchone()
            except sqlite3.OperationalError as trouble:
                if not is_busy(trouble) or time.monotonic() >= until:
                    raise
                if not writes and (self._is_stalled or not self._turn.locked()):
                    raise
                self._is_stalled = self._is_stalled or writes
            else:
                return

    def _hold(self) -> _Held:
        """The connection of this thread. Whoever uses it keeps it in hand so long, and it is not closed meanwhile."""
        held: _Held | None = getattr(self._mine, "held", None)
        if held is None or held.file != self._seen[:2]:
            held = self._mine.held = _Held(connect(self.path, self._wait), self._seen[:2])
        # What was read before is let go: what is on the disk counts.
        held.db.execute("pragma shrink_memory")
        held.db.execute(f"pragma busy_timeout = {int(1000 * self._wait)}")
        return held


class _Held:
    """A thread's connection to a file, known by device and inode; it is closed when nobody holds it any more."""

    def __init__(self, db: Database, file: tuple[int, int]) -> None:
        self.db = db
        self.file = file
        self.close = weakref.finalize(self, db.close)
