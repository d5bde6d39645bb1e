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
"""Seconds between two full page checks by `check_health`."""


class FileId(NamedTuple):
    """What identifies a file on this computer, whatever its name."""

    device: int
    inode: int


def read_file_id(path: Path) -> FileId:
    """Read which file is at a path now: another program may have put another one there.

    Raises Unwritable if there is none.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise Unwritable.from_os_error(path, error) from error
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
        """Remember that a wait has just timed out, so that the next ones are short."""
        self._last_timeout = time.monotonic()


class _WriterTurn:
    """The turn to write, which one thread of this process has at a time.

    The next thread is woken at once when the turn ends: the lock of SQLite itself would make it
    sleep and try again.
    """

    def __init__(self) -> None:
        """Begin with no thread that writes."""
        self._lock = threading.Lock()
        self.is_stalled = False
        """Whether the thread that writes waits for another process, nobody knows for how long."""

    @property
    def is_taken(self) -> bool:
        """Whether a thread writes now."""
        return self._lock.locked()

    def take_at_once(self) -> bool:
        """Take the turn if no other thread has it, and tell whether this thread has it now."""
        return self._lock.acquire(blocking=False)

    def take(self, *, seconds: float, step: float) -> bool:
        """Wait for the turn for so many seconds, and tell whether this thread has it now.

        The wait ends early if the other thread is stalled. To see that in time, it has short steps.
        """
        until = time.monotonic() + seconds
        while not self._lock.acquire(timeout=step):
            if self.is_stalled or time.monotonic() >= until:
                return False
        return True

    def end(self) -> None:
        """Leave the turn to the next thread."""
        self.is_stalled = False
        self._lock.release()


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
        """Open the data file, or create it. No connection is kept yet: each thread opens its own.

        `lock_timeout` are the seconds that a thread waits for another process, by default
        LOCK_TIMEOUT.
        """
        self.path = connection.resolve_path(Path(path))
        open_data_file(self.path)

        self._file = read_file_id(self.path)
        """Which file is in use: another program may put another one there, such as a backup."""
        self.replacements = 0
        """How often another file was put in its place since the start."""
        self.on_replacement: Callable[[], None] = lambda: None
        """Called when another file is used."""

        self._damage: _Damage | None = None
        """The file in which SQLite found damage: it is not used any more."""
        self._last_page_check = float("-inf")
        """When all pages were last checked, in seconds of `time.monotonic`."""

        self._local = threading.local()
        """Holds the connection of each thread, as `connected`."""
        self._turn = _WriterTurn()
        self._lock_wait = _LockWait(lock_timeout)
        self._is_stopping = False

    @contextmanager
    def reading(self) -> Iterator[ReadTransaction]:
        """Open a read transaction: all that is read in the block is from one moment.

        Raises StorageError.
        """
        self._refuse_if_stopping()
        with self._recording_errors():
            self._ensure_current_file()
            connected = self._connection()  # it closes when nothing refers to it any more
            db = connected.db
            db.conn.execute("begin")
            try:
                # `begin` alone does nothing yet: the first read decides which moment it is.
                self._execute_as_reader(db, "select 1 from sqlite_master limit 1")
                yield ReadTransaction(db, self.path)
            finally:
                db.conn.rollback()  # nothing was written: this ends the transaction

    @contextmanager
    def writing(self) -> Iterator[WriteTransaction]:
        """Open a write transaction: at the end of the block, all that was written is on the disk.

        Nobody else writes meanwhile. An error in the block rolls it back. Raises StorageError.
        """
        self._refuse_if_stopping()
        with self._recording_errors(), self._as_only_writer():
            self._switch_to_current_file()
            connected = self._connection()  # it closes when nothing refers to it any more
            db = connected.db
            # A plain BEGIN takes the lock only at the first change: two concurrent writers would
            # then fail however long they waited.
            self._execute_as_writer(db, "begin immediate")
            try:
                yield WriteTransaction(db, self.path)
                self._commit(db)
            finally:
                db.conn.rollback()  # after an error; after the commit it does nothing

    def rewrite(self) -> None:
        """Rewrite the whole file, so that nothing of deleted matches is left in it (VACUUM).

        SQLite overwrites what is deleted, but older copies may remain where it has moved rows to
        another page. If this fails, the file is unchanged. Raises StorageError.
        """
        with self._recording_errors(), self._as_only_writer():
            self._switch_to_current_file()
            connected = self._connection()
            self._execute_as_writer(connected.db, "vacuum")

    def check_health(self) -> str:
        """Tell the state of the file, within about a second: `ok`, or one word for the problem.

        - `missing`, `read-only`, or `unusable` for any other reason
        - `garbled`: damaged, or no file of this program
        - `locked`: another process holds it
        - `disk-low`: no match can be started or imported
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
        """Close the connections to the file. The next transaction opens a new one."""
        connected: _ThreadConnection | None = getattr(self._local, "connected", None)
        # Those of other threads close when nobody refers to them any more: SQLite may crash if a
        # connection is closed while it is in use.
        self._local = threading.local()
        if connected is not None:
            connected.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------------------------- the file

    def _refuse_if_stopping(self) -> None:
        """Raise Stopping if the program is about to end."""
        if self._is_stopping:
            raise Stopping(self.path)

    def _ensure_current_file(self) -> None:
        """Make sure that the file at the path is the one in use, and not damaged.

        Another program may have put another file there. That is checked and used instead, as soon
        as no thread writes. Raises StorageError, also for a file that was found damaged before.
        """
        is_same_file = read_file_id(self.path) == self._file
        if is_same_file and self._damage is None:
            return
        with self._as_only_writer():
            self._switch_to_current_file()

    def _switch_to_current_file(self) -> None:
        """Use the file that is at the path now. If it is another one than before, check it first.

        Only the thread that writes may call this. Raises StorageError, also for a file that was
        found damaged before.
        """
        current_file = read_file_id(self.path)
        self._raise_known_damage(current_file)
        self._damage = None  # if another file was damaged, it is not there any more
        if current_file == self._file:
            return

        check_file(self.path, self._lock_wait.seconds)
        # The count changes first: by it each thread sees that it needs a new connection.
        self.replacements += 1
        self._file = current_file
        self.on_replacement()

    def _raise_known_damage(self, file: FileId) -> None:
        """Raise the error again that SQLite found in this file before, if it found one."""
        if self._damage is not None and self._damage.file == file:
            # Without the traceback of the request that found the damage: it would grow each time.
            raise self._damage.error.with_traceback(None)

    def _commit(self, db: Database) -> None:
        """Commit, and make sure that what was committed is in the file at the path.

        Raises Busy if another program has put another file there: that has nothing of this
        transaction.
        """
        self._execute_as_writer(db, "commit")
        # Checked afterwards, because it may happen at any moment, even during the commit.
        if read_file_id(self.path) != self._file:
            raise Busy(self.path, "replaced by another program", "in-use")

    def _examine(self) -> None:
        """Check that the file can be read and written, and now and then all its pages.

        Raises StorageError.
        """
        with self._recording_errors():
            if self._turn.is_stalled:  # what follows would wait as long as the thread that writes
                raise Busy(self.path, "a writer waits", "in-use")
            self._ensure_current_file()
            self._require_rights_to_write()
            self._check_pages_if_due()
            self._try_write_lock()

    def _require_rights_to_write(self) -> None:
        """Raise Unwritable unless this process may write to the file and to its folder.

        SQLite creates a second file, its journal, in the folder.
        """
        for path in (self.path, self.path.parent):
            if not os.access(path, os.W_OK):
                raise Unwritable(self.path, reason="read-only")

    def _check_pages_if_due(self) -> None:
        """Check all pages of the file, unless that was done in the last minute.

        Raises StorageError.
        """
        seconds_since_check = time.monotonic() - self._last_page_check
        if seconds_since_check >= _PAGE_CHECK_INTERVAL:
            connection.check_integrity(self.path, self._lock_wait.seconds)
            self._last_page_check = time.monotonic()

    def _try_write_lock(self) -> None:
        """Take the lock for writing, and give it back at once, to see whether it can be had.

        Raises sqlite3.OperationalError if another process holds it. If a thread of this process is
        writing, the lock can be had, and nothing is done.
        """
        is_my_turn = self._turn.take_at_once()
        if not is_my_turn:
            return
        try:
            db = self._connection().db
            db.execute("begin immediate")
            db.conn.rollback()
        finally:
            self._turn.end()

    # -------------------------------------------------------------------------------------- waiting

    @contextmanager
    def _recording_errors(self) -> Iterator[None]:
        """Raise errors of SQLite in the block as StorageError, and remember two of them.

        After the file was busy, others wait for a shorter time. A damaged file is not used again.
        """
        try:
            with connection.translating_sqlite_errors(self.path):
                yield
        except Busy:
            self._lock_wait.note_timeout()
            raise
        except DamagedFile as error:
            self._damage = _Damage(read_file_id(self.path), error)
            raise

    @contextmanager
    def _as_only_writer(self) -> Iterator[None]:
        """Run the block while no other thread of this process writes; wait for that if needed.

        Raises Busy after LOCK_TIMEOUT. Raises it much earlier if the other thread is stalled, that
        is, waits for another process: nobody knows for how long.
        """
        step = min(self._lock_wait.seconds, _STALL_CHECK_INTERVAL)
        is_my_turn = self._turn.take(seconds=connection.LOCK_TIMEOUT, step=step)
        if not is_my_turn:
            raise Busy(self.path, "waited for another thread", "in-use")
        try:
            yield
        finally:
            self._turn.end()

    def _execute_as_writer(self, db: Database, statement: str) -> None:
        """Run a statement that takes a lock of the file, in the thread that writes.

        SQLite waits for the lock for a while, each time. If that is not enough, the statement is
        run again until LOCK_TIMEOUT. This thread counts as stalled then, so that others do not wait
        for it. Raises sqlite3.OperationalError if the lock is never had.
        """
        until = time.monotonic() + connection.LOCK_TIMEOUT
        while True:
            busy_error = _run_unless_busy(db, statement)
            if busy_error is None:
                return
            if time.monotonic() >= until:
                raise busy_error
            self._turn.is_stalled = True

    def _execute_as_reader(self, db: Database, statement: str) -> None:
        """Run a statement that takes a lock of the file, in a thread that reads.

        SQLite waits for the lock for a while, each time. If that is not enough, the statement is
        run again if a thread of this process is writing, which will soon be done. Raises
        sqlite3.OperationalError if another process holds the lock, and after LOCK_TIMEOUT.
        """
        until = time.monotonic() + connection.LOCK_TIMEOUT
        while True:
            busy_error = _run_unless_busy(db, statement)
            if busy_error is None:
                return
            if time.monotonic() >= until or self._is_locked_by_other_process():
                raise busy_error

    def _is_locked_by_other_process(self) -> bool:
        """Tell whether another process holds the lock that a reading thread did not get.

        - no thread of this process writes → True
        - a thread of this process writes → False: it has the lock
        - a thread should write, but waits for another process itself → True
        """
        if not self._turn.is_taken:
            return True
        return self._turn.is_stalled

    def _connection(self) -> _ThreadConnection:
        """Return the connection of this thread to the file in use, and open one if it has none.

        It stays open as long as the caller refers to it.
        """
        connected: _ThreadConnection | None = getattr(self._local, "connected", None)
        # A connection from before the last replacement is one to a file that is not used now.
        is_current = connected is not None and connected.replacements == self.replacements
        if connected is None or not is_current:
            db = connection.connect(self.path, self._lock_wait.seconds)
            connected = _ThreadConnection(db, self.replacements)
            self._local.connected = connected
        # How long SQLite waits for a lock is set each time: it depends on the waits before.
        connected.set_lock_timeout(self._lock_wait.seconds)
        return connected


def _run_unless_busy(db: Database, statement: str) -> sqlite3.OperationalError | None:
    """Run a statement. Returns None if it was run, the error if the file is locked by another one.

    Any other error is raised.
    """
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
        """Wrap a connection. `replacements` is how often the file had been replaced at that time.

        If that number has grown, the connection is one to a file that is not used any more.
        """
        self.db = db
        self.replacements = replacements
        self._close_once = weakref.finalize(self, db.close)
        """Closes the connection, at the latest when nobody refers to this object any more."""
        self._lock_timeout = float("nan")  # no time is equal to it, so that the first one is set
        # When the program ends, a thread that it does not wait for may still use the connection.
        self._close_once.atexit = False

    def set_lock_timeout(self, seconds: float) -> None:
        """Set how long SQLite waits for a lock that another process holds."""
        if seconds == self._lock_timeout:
            return
        self.db.execute(f"pragma busy_timeout = {int(1000 * seconds)}")
        self._lock_timeout = seconds

    def close(self) -> None:
        """Close the connection now. A second call does nothing."""
        self._close_once()
