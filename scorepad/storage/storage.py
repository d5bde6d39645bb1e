"""The data file, open: transactions for reading and for writing, one connection for each thread."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlite_utils import Database

from scorepad.storage.connection import PATIENCE, connect, translated
from scorepad.storage.errors import Busy
from scorepad.storage.files import whole_path
from scorepad.storage.opening import open_file
from scorepad.storage.reading import Reading
from scorepad.storage.writing import Writing


class Storage:
    """The data file at a path, made where there is none.

    Raises ForeignFile, NewerFile, BrokenFile, Unwritable, NotKept or Busy, leaving the file as it was. Any number of
    threads and processes may have the same file open; each waits for the others.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = whole_path(Path(path))
        open_file(self.path)
        self._mine = threading.local()
        # SQLite makes the later of two writers sleep and try again; here they wake one another at once.
        self._turn = threading.Lock()

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """One look at the file. Raises StorageError."""
        with translated(self.path):
            held = self._hold()
            held.db.conn.execute("begin")
            try:
                yield Reading(held.db, self.path)
            finally:
                held.db.conn.rollback()

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """A transaction that holds the file from its beginning; it is on the disk when this block has been left.

        Any exception inside takes everything back. Raises StorageError.
        """
        # Not BEGIN alone, which takes the lock only at the first change: two phones would then fail one another,
        # however long they waited.
        with translated(self.path), self._in_turn():
            held = self._hold()
            held.db.conn.execute("begin immediate")
            try:
                yield Writing(held.db, self.path)
                held.db.conn.execute("commit")
            finally:
                held.db.conn.rollback()

    def rewrite(self) -> None:
        """Write the file anew, of what stands in it and nothing else; where that fails it is as it was.

        SQLite overwrites what is deleted, but not what it had copied about before while it put its pages in order.
        Raises StorageError.
        """
        with translated(self.path), self._in_turn():
            self._hold().db.conn.execute("vacuum")

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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        if not self._turn.acquire(timeout=PATIENCE):
            raise Busy(self.path, "waited for another thread", "in-use")
        try:
            yield
        finally:
            self._turn.release()

    def _hold(self) -> _Held:
        """The connection of this thread. Whoever uses it keeps it in hand so long, and it is not closed meanwhile."""
        held: _Held | None = getattr(self._mine, "held", None)
        if held is None:
            held = self._mine.held = _Held(connect(self.path))
        return held


class _Held:
    """A thread's connection; it is closed when nobody holds it any more."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.close = weakref.finalize(self, db.close)
