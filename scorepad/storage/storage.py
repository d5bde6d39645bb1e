"""The open data file: read and write transactions, one connection per thread."""

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
    BrokenFile,
    Busy,
    EarlierFile,
    ForeignFile,
    NewerFile,
    StorageError,
    Unwritable,
    check_file,
)
from scorepad.storage.rows import ReadTransaction, WriteTransaction

GRACE = 0.3
"""Seconds that a server thread waits for another process. One writer at a time waits longer."""
_AT_ONCE = 0.02
"""The same in the second after a wait timed out."""
_SLICE = 0.05
"""Seconds after which a waiting thread checks whether the writing one is stalled."""
_EXAMINED_EVERY = 60.0
"""Seconds between two full page checks by `health`."""

Stamp = tuple[int, int, int, int]
"""Device, inode, size and modification time in nanoseconds of a file."""


def stamp_of(path: Path) -> Stamp:
    """The stamp of a file, which changes when the file does. Raises Unwritable if there is none."""
    try:
        found = path.stat()
    except OSError as trouble:
        raise Unwritable.of(path, trouble) from trouble
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


class Storage:
    """The data file at a path, created if missing.

    Raises ForeignFile, EarlierFile, NewerFile, BrokenFile, Unwritable, NotKept or Busy, and then
    does not change the file. Any number of threads and processes may have the file open; each waits for the others.

    `grace`: seconds that a thread waits for another process, by default PATIENCE. With less, one
    writer at a time still waits for PATIENCE, and for all others Busy is raised: a process that
    hangs while it holds the lock does not block the other threads for long.

    After another program has replaced or changed the file, the next transaction checks it as at the
    start and reopens it.
    """

    def __init__(self, path: Path | str, grace: float | None = None) -> None:
        self.path = connection.resolved_path(Path(path))
        connection.open_file(self.path)
        self._seen = stamp_of(self.path)
        self.generation = 0
        """How often another program has replaced or changed the file."""
        self.on_change: Callable[[], None] = lambda: None
        """Called after such a change."""
        self._refused: tuple[Stamp, StorageError] | None = None
        self._grace = grace
        self._local = threading.local()
        # SQLite makes a waiting writer sleep and retry; this lock wakes it at once.
        self._turn = threading.Lock()
        self._is_stalled = False
        """Whether the thread that writes waits for another process."""
        self._locked = self._examined = float("-inf")
        """When a wait last timed out, and when all pages were last checked."""

    @contextmanager
    def reading(self) -> Iterator[ReadTransaction]:
        """A read transaction. Raises StorageError."""
        with self._translated():
            try:
                self._check()
            except BrokenFile:
                # Intact rows can still be shown, unless the file was replaced.
                if stamp_of(self.path)[:2] != self._seen[:2]:
                    raise
                self._connection().db.execute(
                    "pragma shrink_memory"
                )  # so that all rows are read from the disk
            held = self._connection()
            held.db.conn.execute("begin")
            try:
                self._lock(held.db, "select 1 from sqlite_master limit 1")
                yield ReadTransaction(held.db, self.path, self.generation)
            finally:
                held.db.conn.rollback()

    @contextmanager
    def writing(self) -> Iterator[WriteTransaction]:
        """A write transaction that locks the file from its beginning; on leaving the block it is on
        the disk.

        Any exception inside rolls it back. Raises StorageError.
        """
        # A plain BEGIN takes the lock only at the first change: two concurrent writers would then
        # fail however long they waited.
        with self._translated(), self._in_turn():
            self._admit()
            held = self._connection()
            self._lock(held.db, "begin immediate", writes=True)
            try:
                self._admit()  # again: with this lock held no other process can commit
                yield WriteTransaction(held.db, self.path, self.generation)
                self._commit(held.db)
            finally:
                held.db.conn.rollback()

    def rewrite(self) -> None:
        """Rewrite the file with its live content only (VACUUM); if that fails it is unchanged.

        SQLite overwrites deleted content, but not older copies of it left by moving cells between
        pages. Raises StorageError.
        """
        with self._translated(), self._in_turn():
            self._admit()
            self._lock(self._connection().db, "vacuum", writes=True)
            self._seen = stamp_of(self.path)

    def health(self) -> str:
        """The state of the file, within about a second: `ok` or one word for the problem.

        `missing`, `garbled` (or not a scorepad file), `locked` by another process, `read-only`,
        `unusable`, or `disk-low`: no match can be started or imported.
        """
        try:
            self._examine()
        except Busy:
            return "locked"
        except (BrokenFile, ForeignFile, EarlierFile, NewerFile):
            return "garbled"
        except StorageError as trouble:
            return trouble.reason if trouble.reason in {"missing", "read-only"} else "unusable"
        return "ok" if connection.has_room(self.path) else "disk-low"

    def close(self) -> None:
        """Close the file; it is reopened on the next use.

        This thread's connection closes now, those of others when they are no longer in use: SQLite
        may crash if a connection is closed while in use.
        """
        held: _ThreadConnection | None = getattr(self._local, "held", None)
        self._local = threading.local()
        if held is not None:
            held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------------------------- the file

    def _check(self) -> None:
        """Check the file if another process changed it. Raises StorageError."""
        if stamp_of(self.path) != self._seen:
            with self._in_turn():
                self._admit()

    def _admit(self) -> None:
        """The same, for the writing thread."""
        found = stamp_of(self.path)
        if found == self._seen:
            return
        if self._refused is not None and self._refused[0] == found:
            raise self._refused[1].with_traceback(None)
        try:
            if found[:2] == self._seen[:2]:
                connection.check_integrity(self.path, self._wait)
            else:
                check_file(self.path, self._wait)
        except (BrokenFile, ForeignFile, EarlierFile, NewerFile) as trouble:
            self._refused = found, trouble
            raise
        # The generation first: whoever sees the new stamp must not use a connection to the old
        # file.
        self.generation += 1
        self._seen = found
        self.on_change()

    def _commit(self, db: Database) -> None:
        if stamp_of(self.path) != self._seen:
            raise Busy(self.path, "changed by another program", "in-use")
        self._lock(db, "commit", writes=True)
        found = stamp_of(self.path)
        if found[:2] != self._seen[:2]:
            raise Busy(self.path, "replaced by another program", "in-use")
        self._seen = found

    def _examine(self) -> None:
        """Check that the file can be read and written. Raises StorageError."""
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
                    db = self._connection().db
                    db.execute("begin immediate")
                    db.conn.rollback()
                finally:
                    self._turn.release()

    def _read_all(self) -> None:
        """Check all pages. If they are corrupt, nothing is written from now on. Raises
        StorageError.
        """
        try:
            connection.check_integrity(self.path, self._wait)
        except BrokenFile:
            self._seen = (*self._seen[:2], -1, -1)
            raise
        self._examined = time.monotonic()

    # -------------------------------------------------------------------------------------- waiting

    @property
    def _wait(self) -> float:
        """Seconds to wait for a lock held by another process."""
        grace = connection.PATIENCE if self._grace is None else self._grace
        return min(grace, _AT_ONCE) if time.monotonic() - self._locked < 1 else grace

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            with connection.translated(self.path):
                yield
        except Busy:
            self._locked = time.monotonic()
            raise

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Run as the only writing thread. Others wait unless it is stalled."""
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
        """Run a statement that takes a lock. Waits for another thread unless that is stalled.

        Only the writing thread waits for another process; all others raise
        sqlite3.OperationalError.
        """
        until = time.monotonic() + connection.PATIENCE
        while True:
            try:
                db.execute(statement).fetchone()
            except sqlite3.OperationalError as trouble:
                if not connection.is_busy(trouble) or time.monotonic() >= until:
                    raise
                if not writes and (self._is_stalled or not self._turn.locked()):
                    raise
                self._is_stalled = self._is_stalled or writes
            else:
                return

    def _connection(self) -> _ThreadConnection:
        """The connection of this thread. It is not closed while the caller holds a reference to it."""
        held: _ThreadConnection | None = getattr(self._local, "held", None)
        if held is None or held.generation != self.generation:
            # A new one also after a change of the same file: it has no page of the old content in
            # its cache.
            held = self._local.held = _ThreadConnection(
                connection.connect(self.path, self._wait), self.generation
            )
        held.db.execute(f"pragma busy_timeout = {int(1000 * self._wait)}")
        return held


class _ThreadConnection:
    """A thread's connection to a generation of the file; closed with its last reference."""

    def __init__(self, db: Database, generation: int) -> None:
        self.db = db
        self.generation = generation
        self.close = weakref.finalize(self, db.close)
