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
"""Seconds that any thread waits for another process soon after a wait that timed out."""
_SOON_AFTER_TIMEOUT = 1.0
"""Seconds after such a wait in which the others are that short."""
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


class _LockWait:
    """How long a thread waits for a lock of the file that another process holds.

    `timeout` are the seconds of such a wait, by default LOCK_TIMEOUT.
    """

    def __init__(self, timeout: float | None) -> None:
        self._timeout = timeout
        self._last_timeout = float("-inf")
        """When a wait last timed out."""

    @property
    def seconds(self) -> float:
        """The seconds for which a thread waits now.

        Soon after a wait that timed out they are few: the other process probably hangs, and not
        every request should wait for it anew.
        """
        timeout = self._timeout
        if timeout is None:
            timeout = connection.LOCK_TIMEOUT
        seconds_since_timeout = time.monotonic() - self._last_timeout
        if seconds_since_timeout < _SOON_AFTER_TIMEOUT:
            return min(timeout, _LOCK_TIMEOUT_AFTER_ANOTHER)
        return timeout

    def note_timeout(self) -> None:
        """Take account of a wait that has just timed out."""
        self._last_timeout = time.monotonic()


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
        """The file in use."""
        self.replacements = 0
        """How often another file was put in its place."""
        self.on_replacement: Callable[[], None] = lambda: None
        """Called when another file is used."""
        self._damage: _Damage | None = None
        """The file in which SQLite found damage: it is not used any more."""
        self._last_page_check = float("-inf")
        """When all pages were last checked."""

        self._local = threading.local()
        """The connection of each thread."""
        self._turn = threading.Lock()
        """Held by the writing thread: SQLite would make another writer sleep and try again, and this
        lock wakes it at once.
        """
        self._is_stalled = False
        """Whether the writing thread itself waits for another process."""
        self._lock_wait = _LockWait(lock_timeout)
        self._is_stopping = False

    @contextmanager
    def reading(self) -> Iterator[ReadTransaction]:
        """A read transaction. Raises StorageError."""
        self._refuse_if_stopping()
        with self._noticing_errors():
            self._require_current_file()
            connected = self._connection()
            db = connected.db
            db.conn.execute("begin")
            try:
                # The first read takes the lock, and with it the snapshot.
                self._execute_as_reader(db, "select 1 from sqlite_master limit 1")
                yield ReadTransaction(db, self.path)
            finally:
                db.conn.rollback()  # nothing was written: this ends the transaction

    @contextmanager
    def writing(self) -> Iterator[WriteTransaction]:
        """A write transaction that locks the file from its beginning; on leaving the block it is on
        the disk.

        Any exception inside rolls it back. Raises StorageError.
        """
        self._refuse_if_stopping()
        with self._noticing_errors(), self._in_turn():
            self._use_current_file()
            connected = self._connection()
            db = connected.db
            # A plain BEGIN takes the lock only at the first change: two concurrent writers would
            # then fail however long they waited.
            self._execute_as_writer(db, "begin immediate")
            try:
                yield WriteTransaction(db, self.path)
                self._commit_to_current_file(db)
            finally:
                db.conn.rollback()  # after the commit there is nothing left to roll back

    def rewrite(self) -> None:
        """Rewrite the file with its live content only (VACUUM); if that fails it is unchanged.

        SQLite overwrites deleted content, but not older copies of it left by moving cells between
        pages. Raises StorageError.
        """
        with self._noticing_errors(), self._in_turn():
            self._use_current_file()
            connected = self._connection()
            self._execute_as_writer(connected.db, "vacuum")

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

    def _require_current_file(self) -> None:
        """Make sure that the file at the path is the one in use, and sound.

        If another file is there now, it is checked and used instead, as soon as no other thread
        writes. Raises StorageError, also for a file that was found damaged before.
        """
        is_in_use = file_id(self.path) == self._file
        if is_in_use and self._damage is None:
            return
        with self._in_turn():
            self._use_current_file()

    def _use_current_file(self) -> None:
        """Use the file that is at the path now; another one than before is checked first.

        Only the writing thread calls this. Raises StorageError, also for a file that was found
        damaged before.
        """
        current = file_id(self.path)
        self._refuse_damaged_file(current)
        self._damage = None  # a damaged file was there before, and is not any more
        if current == self._file:
            return
        check_file(self.path, self._lock_wait.seconds)
        # First the count: whoever sees the new file must not use a connection to the old one.
        self.replacements += 1
        self._file = current
        self.on_replacement()

    def _refuse_damaged_file(self, file: FileId) -> None:
        """Raise DamagedFile if SQLite found this file damaged before."""
        if self._damage is not None and self._damage.file == file:
            # Without the traceback of the request that found the damage: it would grow each time.
            raise self._damage.error.with_traceback(None)

    def _commit_to_current_file(self, db: Database) -> None:
        """Commit, and make sure that what was committed is in the file at the path.

        Another program may put another file there at any moment, even during the commit; so this is
        checked after it. Raises Busy if it did: the new file has nothing of this transaction.
        """
        self._execute_as_writer(db, "commit")
        if file_id(self.path) != self._file:
            raise Busy(self.path, "replaced by another program", "in-use")

    def _examine(self) -> None:
        """Check that the file can be read and written. Raises StorageError.

        From time to time all its pages are checked as well, which takes longer.
        """
        with self._noticing_errors():
            if self._is_stalled:  # what follows would wait as long as the writing thread
                raise Busy(self.path, "a writer waits", "in-use")
            self._require_current_file()
            self._require_rights_to_write()
            self._check_pages_if_due()
            self._try_write_lock()

    def _require_rights_to_write(self) -> None:
        """Raise Unwritable unless this process may write to the file and to its folder, in which
        SQLite makes its journal.
        """
        for path in (self.path, self.path.parent):
            if not os.access(path, os.W_OK):
                raise Unwritable(self.path, reason="read-only")

    def _check_pages_if_due(self) -> None:
        """Check all pages, unless they were checked a short while ago. Raises StorageError."""
        seconds_since_check = time.monotonic() - self._last_page_check
        if seconds_since_check >= _PAGE_CHECK_INTERVAL:
            connection.check_integrity(self.path, self._lock_wait.seconds)
            self._last_page_check = time.monotonic()

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

    @contextmanager
    def _noticing_errors(self) -> Iterator[None]:
        """Raise SQLite errors as StorageError, and remember when the file was busy, or is damaged."""
        try:
            with connection.translated(self.path):
                yield
        except Busy:
            self._lock_wait.note_timeout()
            raise
        except DamagedFile as error:
            self._damage = _Damage(file_id(self.path), error)
            raise

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Run the block as the only writing thread: others wait here until it is done.

        They do not wait for a thread that is stalled, because it waits for another process itself.
        Raises Busy then, and after LOCK_TIMEOUT.
        """
        until = time.monotonic() + connection.LOCK_TIMEOUT
        while not self._turn.acquire(timeout=min(self._lock_wait.seconds, _STALL_CHECK_INTERVAL)):
            if self._is_stalled or time.monotonic() >= until:
                raise Busy(self.path, "waited for another thread", "in-use")
        try:
            yield
        finally:
            self._is_stalled = False  # `_execute_as_writer` may have set it
            self._turn.release()

    def _execute_as_writer(self, db: Database, statement: str) -> None:
        """Run a statement of the writing thread that takes a lock of the file, until it gets it.

        SQLite itself waits for the lock, each time for a while. If that was not enough, the thread
        is stalled: the others do not wait for it any more. Raises sqlite3.OperationalError after
        LOCK_TIMEOUT.
        """
        until = time.monotonic() + connection.LOCK_TIMEOUT
        error = _run_unless_busy(db, statement)
        while error is not None:
            if time.monotonic() >= until:
                raise error
            self._is_stalled = True
            error = _run_unless_busy(db, statement)

    def _execute_as_reader(self, db: Database, statement: str) -> None:
        """Run a statement of a reading thread that takes a lock of the file, until it gets it.

        SQLite itself waits for the lock, each time for a while. If that was not enough, the thread
        goes on waiting only for the writing thread, which will soon be done. Raises
        sqlite3.OperationalError if another process holds the lock, and after LOCK_TIMEOUT.
        """
        until = time.monotonic() + connection.LOCK_TIMEOUT
        error = _run_unless_busy(db, statement)
        while error is not None:
            if time.monotonic() >= until or self._is_locked_by_other_process():
                raise error
            error = _run_unless_busy(db, statement)

    def _is_locked_by_other_process(self) -> bool:
        """Whether it is another process, and not the writing thread, that holds the lock which a
        reading thread did not get.
        """
        has_writing_thread = self._turn.locked()
        if not has_writing_thread:
            return True
        return self._is_stalled  # the writing thread waits for that process too

    def _connection(self) -> _ThreadConnection:
        """The connection of this thread. It is not closed while the caller holds a reference to it."""
        connected: _ThreadConnection | None = getattr(self._local, "connected", None)
        if connected is None or connected.replacements != self.replacements:
            db = connection.connect(self.path, self._lock_wait.seconds)
            connected = _ThreadConnection(db, self.replacements)
            self._local.connected = connected
        connected.db.execute(f"pragma busy_timeout = {int(1000 * self._lock_wait.seconds)}")
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
    """A thread's connection to the file; closed with its last reference."""

    def __init__(self, db: Database, replacements: int) -> None:
        """`replacements` is how often the file had been replaced when the connection was opened:
        after a further replacement it is one to the file before.
        """
        self.db = db
        self.replacements = replacements
        # Called when this object is garbage, or before by `Storage.close`; only once.
        self.close = weakref.finalize(self, db.close)
        # When the program ends, a thread that it does not wait for may still use the connection.
        self.close.atexit = False
