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
from typing import NamedTuple, Self

from sqlite_utils import Database

from scorepad.storage import connection
from scorepad.storage.connection import (
    BrokenFile,
    Busy,
    DamagedFile,
    EarlierFile,
    ForeignFile,
    NewerFile,
    Stopping,
    StorageError,
    Unwritable,
)
from scorepad.storage.file_opening import check_file, open_data_file
from scorepad.storage.rows import ReadTransaction, WriteTransaction

SERVER_LOCK_TIMEOUT = 0.3
"""Seconds that a server thread waits for another process. One writer at a time waits longer."""
_LOCK_TIMEOUT_AFTER_ANOTHER = 0.02
"""Seconds that it waits within a second after a wait that timed out."""
_STALL_CHECK_INTERVAL = 0.05
"""Seconds after which a waiting thread checks whether the writing one is stalled."""
_PAGE_CHECK_INTERVAL = 60.0
"""Seconds between two full page checks by `health`."""


class FileId(NamedTuple):
    """What identifies a file on this computer, whatever its name."""

    device: int
    inode: int


def file_id(path: Path) -> FileId:
    """Which file is at this path. Raises Unwritable if there is none."""
    with Unwritable.instead_of_os_error(path):
        status = path.stat()
    return FileId(status.st_dev, status.st_ino)


class _Damage(NamedTuple):
    """The file that SQLite found damaged, and its error."""

    file: FileId
    error: DamagedFile


class Storage:
    """The data file at a path, created if missing.

    Raises ForeignFile, EarlierFile, NewerFile, BrokenFile, Unwritable, NotKept or Busy, and then
    does not change the file. Any number of threads and processes may have the file open; each waits for the others.

    `lock_timeout`: seconds that a thread waits for another process, by default LOCK_TIMEOUT. With
    less, one writer at a time still waits for LOCK_TIMEOUT, and for all others Busy is raised: a
    process that hangs while it holds the lock does not block the other threads for long.

    Another file put in its place is checked as at the start, and used, by the next transaction. A
    file that SQLite finds damaged is not used any more, until another one is in its place.
    """

    def __init__(self, path: Path | str, lock_timeout: float | None = None) -> None:
        self.path = connection.resolved_path(Path(path))
        open_data_file(self.path)
        self._file = file_id(self.path)
        self._damage: _Damage | None = None
        self.replacements = 0
        """How often another file was put in its place."""
        self.on_replacement: Callable[[], None] = lambda: None
        """Called when another file is used."""
        self._lock_timeout = lock_timeout
        self._local = threading.local()
        # SQLite makes a waiting writer sleep and retry; this lock wakes it at once.
        self._turn = threading.Lock()
        self._is_stalled = False
        """Whether the thread that writes waits for another process."""
        self._is_stopping = False
        self._last_timeout = float("-inf")
        """When a wait last timed out."""
        self._last_page_check = float("-inf")
        """When all pages were last checked."""

    @contextmanager
    def reading(self) -> Iterator[ReadTransaction]:
        """A read transaction. Raises StorageError."""
        self._refuse_if_stopping()
        with self._noticing_errors():
            self._check_file()
            connected = self._connection()
            connected.db.conn.execute("begin")
            try:
                # The first read takes the lock, and with it the snapshot.
                self._lock(connected.db, "select 1 from sqlite_master limit 1")
                yield ReadTransaction(connected.db, self.path)
            finally:
                connected.db.conn.rollback()

    @contextmanager
    def writing(self) -> Iterator[WriteTransaction]:
        """A write transaction that locks the file from its beginning; on leaving the block it is on
        the disk.

        Any exception inside rolls it back. Raises StorageError.
        """
        # A plain BEGIN takes the lock only at the first change: two concurrent writers would then
        # fail however long they waited.
        self._refuse_if_stopping()
        with self._noticing_errors(), self._in_turn():
            self._use_current_file()
            connected = self._connection()
            self._lock(connected.db, "begin immediate", writes=True)
            try:
                yield WriteTransaction(connected.db, self.path)
                self._commit(connected.db)
            finally:
                connected.db.conn.rollback()

    def rewrite(self) -> None:
        """Rewrite the file with its live content only (VACUUM); if that fails it is unchanged.

        SQLite overwrites deleted content, but not older copies of it left by moving cells between
        pages. Raises StorageError.
        """
        with self._noticing_errors(), self._in_turn():
            self._use_current_file()
            self._lock(self._connection().db, "vacuum", writes=True)

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
        except StorageError as error:
            if error.reason in ("missing", "read-only"):
                return error.reason
            return "unusable"
        if not connection.has_room(self.path):
            return "disk-low"
        return "ok"

    def stop(self) -> None:
        """Begin no transaction from now on: each raises Stopping. Running ones go on."""
        self._is_stopping = True

    def close(self) -> None:
        """Close the file; it is reopened on the next use.

        This thread's connection closes now, those of others when they are no longer in use: SQLite
        may crash if a connection is closed while in use.
        """
        connected: _ThreadConnection | None = getattr(self._local, "connected", None)
        self._local = threading.local()
        if connected is not None:
            connected.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------------------------- the file

    def _refuse_if_stopping(self) -> None:
        if self._is_stopping:
            raise Stopping(self.path)

    def _check_file(self) -> None:
        """Make sure that the file at the path is the open one, and sound. Raises StorageError."""
        if self._damage is None and file_id(self.path) == self._file:
            return
        with self._in_turn():
            self._use_current_file()

    def _use_current_file(self) -> None:
        """Use the file that is at the path now; another one than before is checked first.

        Only the writing thread calls this. Raises StorageError, also for a file that was found
        damaged before.
        """
        current = file_id(self.path)
        if self._damage is not None and self._damage.file == current:
            raise self._damage.error.with_traceback(None)
        self._damage = None
        if current == self._file:
            return
        check_file(self.path, self._wait)
        # First the count: whoever sees the new file must not use a connection to the old one.
        self.replacements += 1
        self._file = current
        self.on_replacement()

    def _commit(self, db: Database) -> None:
        """Commit. Raises Busy if another file is in its place now, which has nothing of this."""
        self._lock(db, "commit", writes=True)
        if file_id(self.path) != self._file:
            raise Busy(self.path, "replaced by another program", "in-use")

    def _examine(self) -> None:
        """Check that the file can be read and written. Raises StorageError."""
        with self._noticing_errors():
            if self._is_stalled:
                raise Busy(self.path, "a writer waits", "in-use")
            self._check_file()
            is_writable = os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)
            if not is_writable:
                raise Unwritable(self.path, reason="read-only")
            if time.monotonic() - self._last_page_check >= _PAGE_CHECK_INTERVAL:
                connection.check_integrity(self.path, self._wait)
                self._last_page_check = time.monotonic()
            self._try_write_lock()

    def _try_write_lock(self) -> None:
        """Take the lock for writing and give it back, unless a thread is writing anyway.

        Raises sqlite3.OperationalError if another process holds the lock.
        """
        if not self._turn.acquire(blocking=False):
            return
        try:
            db = self._connection().db
            db.execute("begin immediate")
            db.conn.rollback()
        finally:
            self._turn.release()

    # -------------------------------------------------------------------------------------- waiting

    @property
    def _wait(self) -> float:
        """Seconds to wait for a lock held by another process; few soon after a wait that timed out."""
        timeout = self._lock_timeout
        if timeout is None:
            timeout = connection.LOCK_TIMEOUT
        if time.monotonic() - self._last_timeout < 1:
            return min(timeout, _LOCK_TIMEOUT_AFTER_ANOTHER)
        return timeout

    @contextmanager
    def _noticing_errors(self) -> Iterator[None]:
        """Raise SQLite errors as StorageError, and remember when the file was busy, or is damaged."""
        try:
            with connection.translated(self.path):
                yield
        except Busy:
            self._last_timeout = time.monotonic()
            raise
        except DamagedFile as error:
            self._damage = _Damage(file_id(self.path), error)
            raise

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Run as the only writing thread. Others wait unless it is stalled."""
        until = time.monotonic() + connection.LOCK_TIMEOUT
        while not self._turn.acquire(timeout=min(self._wait, _STALL_CHECK_INTERVAL)):
            if self._is_stalled or time.monotonic() >= until:
                raise Busy(self.path, "waited for another thread", "in-use")
        try:
            yield
        finally:
            self._is_stalled = False
            self._turn.release()

    def _lock(self, db: Database, statement: str, *, writes: bool = False) -> None:
        """Run a statement that takes a lock, again and again until it gets it.

        `writes`: this is the writing thread. It waits for other processes, and is stalled
        meanwhile. Another thread waits only for the writing one, unless that is stalled itself.
        Raises sqlite3.OperationalError if the lock cannot be had.
        """
        until = time.monotonic() + connection.LOCK_TIMEOUT
        while True:
            error = _run_unless_busy(db, statement)
            if error is None:
                return
            if time.monotonic() >= until:
                raise error
            if writes:
                self._is_stalled = True
                continue
            is_held_by_process = self._is_stalled or not self._turn.locked()
            if is_held_by_process:
                raise error

    def _connection(self) -> _ThreadConnection:
        """The connection of this thread. It is not closed while the caller holds a reference to it."""
        connected: _ThreadConnection | None = getattr(self._local, "connected", None)
        if connected is None or connected.replacements != self.replacements:
            db = connection.connect(self.path, self._wait)
            connected = _ThreadConnection(db, self.replacements)
            self._local.connected = connected
        connected.db.execute(f"pragma busy_timeout = {int(1000 * self._wait)}")
        return connected


def _run_unless_busy(db: Database, statement: str) -> sqlite3.OperationalError | None:
    """Run a statement; returns the error if another connection holds the lock that it needs."""
    try:
        db.execute(statement).fetchone()
    except sqlite3.OperationalError as error:
        if not connection.is_busy(error):
            raise
        return error
    return None


class _ThreadConnection:
    """A thread's connection to the file, after so many replacements of it; closed with its last
    reference.
    """

    def __init__(self, db: Database, replacements: int) -> None:
        self.db = db
        self.replacements = replacements
        self.close = weakref.finalize(self, db.close)
        # When the program ends, a thread that it does not wait for may still use the connection.
        self.close.atexit = False
