"""Connections to the data file, which is checked before it is opened, and made where there is none; their errors.

Files are made for their owner only, and get their name when they are complete. Each error names the file; the words for
people are the catalogue's.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal, NamedTuple, NoReturn, Self

from sqlite_utils import Database

from scorepad.errors import ScorepadError
from scorepad.i18n import os_error_key
from scorepad.storage.schema import APPLICATION_ID, described, known_version, migrate, shape

FLOOR = 64 * 2**20
"""Bytes of free disk below which no match is begun or imported, so that those being played can go on."""
EVERYBODY = 0o077
"""The rights of all but the owner, in the mode of a file."""

TEMPORARY = ".scorepad-*.new"
"""The names of files that are not complete yet, as a pattern: one that stays was left by a process that was killed."""


class StorageError(ScorepadError):
    """The data file cannot be used, or not now.

    `path` is the file and `folder` where it is or should be, `detail` what the system said, in English, and `reason`
    the end of a message key, empty where there is none.
    """

    def __init__(self, path: Path, detail: str = "", reason: str = "") -> None:
        detail = detail or reason.replace("-", " ")
        super().__init__(": ".join(filter(None, (type(self).__name__, str(path), detail))))
        self.path = path
        self.detail = detail
        self.reason = reason

    @property
    def folder(self) -> Path:
        """The folder of the file."""
        return self.path.parent

    @classmethod
    def of(cls, path: Path, trouble: OSError) -> Self:
        """The error for what the system said of the file."""
        return cls(path, trouble.strerror or str(trouble), os_error_key(trouble))


class ForeignFile(StorageError):
    """A file that is none of scorepad's."""


class NewerFile(StorageError):
    """A file written by a later scorepad: `version` is its schema, `known` the latest that this program knows."""

    def __init__(self, path: Path, version: int, known: int) -> None:
        super().__init__(path, f"schema {version}, known up to {known}")
        self.version = version
        self.known = known


class BrokenFile(StorageError):
    """A file of scorepad's that was cut short, garbled or emptied."""


class Unwritable(StorageError):
    """A file that cannot be opened or written: rights, a full disk, a fault of it."""


class FolderUnwritable(Unwritable):
    """The folder of the file cannot be made or takes no files: no save would be safe in it."""

    @classmethod
    def of(cls, path: Path, trouble: OSError) -> Self:
        """The error for what the system said of the folder: there may be something else in its place."""
        reason = "not-a-folder" if isinstance(trouble, FileExistsError) else os_error_key(trouble)
        return cls(path, trouble.strerror or str(trouble), reason)


class NoCopy(StorageError):
    """A copy of the data file that cannot be made: `path` is where it should be, or that file's name meanwhile."""


class NotKept(StorageError):
    """A file of an earlier scorepad that stays as it is, because no backup of it can be made before it changes."""


class NoRoom(StorageError):
    """Too little free disk to begin or import a match; matches that are being played are saved all the same."""


class Busy(StorageError):
    """Another process held the lock of the file for too long."""


# ---------------------------------------------------------------------------------------------------- files


def resolved_path(path: Path) -> Path:
    """Where a path leads in the end. Raises Unwritable for links that lead to one another."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as trouble:  # RuntimeError up to Python 3.12
        raise Unwritable(path, str(trouble), "loop") from trouble


def has_room(path: Path) -> bool:
    """Whether there is enough free disk to begin or import a match."""
    return shutil.disk_usage(path.parent).free >= FLOOR


def is_exposed(path: Path) -> bool:
    """Whether other users of the computer can read or change a file, or enter a folder."""
    return os.name == "posix" and path.exists() and bool(path.stat().st_mode & EVERYBODY)


def temporary_path(path: Path) -> Path:
    """The name of a temporary file in the folder of a path."""
    return path.with_name(TEMPORARY.replace("*", secrets.token_hex(6)))


def create_empty(fresh: Path) -> None:
    """Create an empty file, and its folder, with rights for the owner only. Raises OSError."""
    fresh.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def publish(fresh: Path, path: Path) -> bool:
    """Rename a complete temporary file, in one step and on the disk; False where the name is taken."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without links, as on memory cards
        if path.exists():
            return False
        fresh.rename(path)
    sync(path.parent)
    return True


def sync(path: Path) -> None:
    """Write a file, or the names in a folder, to the disk. Raises OSError."""
    if path.is_dir() and not hasattr(os, "O_DIRECTORY"):
        return
    opened = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def journal_of(path: Path) -> Path:
    """The rollback journal of SQLite."""
    return path.with_name(path.name + "-journal")


# ---------------------------------------------------------------------------------------------------- header

_MAGIC = b"SQLite format 3\x00"
_LENGTH = 100


class Header(NamedTuple):
    """What the first bytes of an SQLite file say.

    `unfinished`: SQLite may have to roll back a journal or to read a write-ahead log first.
    """

    version: int
    wal: bool
    unfinished: bool


def header_of(path: Path) -> Header:
    """The header of a complete file of this program, of a version that it knows.

    Raises ForeignFile, NewerFile, BrokenFile, Unwritable, and OSError.
    """
    if not path.is_file():
        raise Unwritable(path, reason="folder" if path.is_dir() else "not-a-file")
    with path.open("rb") as file:
        start = file.read(_LENGTH)
    if not start:
        raise BrokenFile(path, reason="empty")
    if not start.startswith(_MAGIC):
        raise ForeignFile(path)
    if len(start) < _LENGTH:
        raise BrokenFile(path, reason="cut-short")
    page, pages = int.from_bytes(start[16:18], "big"), int.from_bytes(start[28:32], "big")
    application, version = int.from_bytes(start[68:72], "big"), int.from_bytes(start[60:64], "big")
    if application != APPLICATION_ID:
        raise ForeignFile(path)
    if version > known_version():
        raise NewerFile(path, version, known_version())
    whole, has_journal = (65536 if page == 1 else page) * pages, journal_of(path).exists()
    # A journal left behind means that SQLite has something to roll back first, so that the sizes may differ.
    if not has_journal and path.stat().st_size < whole:
        raise BrokenFile(path, reason="cut-short")
    wal = start[18:20] == b"\x02\x02"
    return Header(version, wal, wal or has_journal)


# ---------------------------------------------------------------------------------------------------- connections

PATIENCE = 20.0
"""Seconds to wait for another writer: a slow memory card with many phones."""

_PRAGMAS = (
    "foreign_keys = on", "journal_mode = delete", "synchronous = extra", "secure_delete = on", "cache_spill = off",
)  # fmt: skip
# No WAL: before SQLite 3.51.3 a race of checkpoint and writer can lose a commit. EXTRA: the folder is synced as well
# when the journal goes, so that a hand once acknowledged outlives the plug. secure_delete: what goes is overwritten.
# cache_spill: nothing is written before the commit, so that whatever changes the file meanwhile is another program.

_GARBLED = (BrokenFile, "garbled")
_CAUSES: dict[int, tuple[type[StorageError], str]] = {
    sqlite3.SQLITE_BUSY: (Busy, "in-use"),
    sqlite3.SQLITE_LOCKED: (Busy, "in-use"),
    sqlite3.SQLITE_CORRUPT: _GARBLED,
    sqlite3.SQLITE_NOTADB: _GARBLED,
    sqlite3.SQLITE_FORMAT: _GARBLED,
    sqlite3.SQLITE_SCHEMA: _GARBLED,
    sqlite3.SQLITE_FULL: (Unwritable, "full"),
    sqlite3.SQLITE_READONLY: (Unwritable, "read-only"),
    sqlite3.SQLITE_IOERR: (Unwritable, "disk"),
    sqlite3.SQLITE_CANTOPEN: (Unwritable, "cannot-open"),
    sqlite3.SQLITE_PERM: (Unwritable, "permission"),
    sqlite3.SQLITE_AUTH: (Unwritable, "permission"),
}
"""The StorageError of each SQLite error, and the end of its message key."""
_GONE = ("no such ", "unsupported file format")
"""How errors without a code of their own begin that are about the file: the statements are right, so what they name has
gone from the file."""


SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises; what it says of a garbled schema may be garbled itself."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise the errors of SQLite about this file as StorageError; programming errors pass as they are."""
    try:
        yield
    except SQLITE_ERRORS as trouble:
        reraise(trouble, path)


def reraise(trouble: sqlite3.Error | UnicodeDecodeError, path: Path) -> NoReturn:
    """Raise an error of SQLite about this file as StorageError, and a programming error as it is."""
    if isinstance(trouble, UnicodeDecodeError):
        raise BrokenFile(path, reason="garbled") from trouble
    found = _cause(trouble)
    if found is None:
        raise trouble
    kind, reason = found
    # Of text that is no UTF-8 the message holds the text, and comes to the log.
    raise kind(path, str(trouble) if hasattr(trouble, "sqlite_errorcode") else "", reason) from trouble


def _cause(trouble: sqlite3.Error) -> tuple[type[StorageError], str] | None:
    code: int | None = getattr(trouble, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_READONLY_DBMOVED:  # the next transaction opens the file that is there now
        return Busy, "in-use"
    if code is None:
        # Text that is no UTF-8 is found out by Python and carries no code.
        return _GARBLED if isinstance(trouble, sqlite3.OperationalError) else None
    if code == sqlite3.SQLITE_ERROR and str(trouble).startswith(_GONE):
        return BrokenFile, "tables-missing"
    # Extended codes carry the plain one in their lowest byte.
    return _CAUSES.get(code & 0xFF)


def is_busy(trouble: sqlite3.Error) -> bool:
    """Whether another connection holds the lock that was needed."""
    return getattr(trouble, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def look(path: Path, mode: Literal["ro", "rw"] = "ro", wait: float | None = None) -> Database:
    """A connection that changes nothing by itself; `rw` lets SQLite roll back what a power cut left unfinished.

    `wait`: seconds to wait for a lock, PATIENCE where none are given. Raises sqlite3.Error.
    """
    # The timeout comes before everything: already the first pragma may meet another writer.
    timeout = PATIENCE if wait is None else wait
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}", uri=True, timeout=timeout, isolation_level=None, check_same_thread=False
    )
    return Database(connection, execute_plugins=False)


def connect(path: Path, wait: float | None = None) -> Database:
    """A connection to work with, to a file that is there. It may move between threads. Raises sqlite3.Error."""
    db = look(path, "rw", wait)
    try:
        for pragma in _PRAGMAS:
            db.execute(f"pragma {pragma}")
    except BaseException:
        db.close()
        raise
    return db


_SEARCHED = 64 * 2**20
"""Bytes up to which every page is looked at on opening: a tenth of a second. Above, its seal tells a garbled row when
it is read."""


def open_file(path: Path) -> None:
    """Make sure that a sound file of this program's version is at this absolute path.

    A file of an earlier version is migrated, and a backup of it stays beside it. Raises ForeignFile, NewerFile,
    BrokenFile, Unwritable, NotKept or Busy; a file refused stays as it was, to the byte.
    """
    try:
        if not path.exists():
            _create(path)
    except OSError as trouble:
        raise Unwritable.of(path, trouble) from trouble
    check_file(path)


def check_file(path: Path, wait: float | None = None) -> None:
    """The same for a file that is there; `wait`: seconds to wait for a lock."""
    try:
        header = header_of(path)
        if not os.access(path, os.W_OK):
            raise Unwritable(path, reason="read-only")
        if not os.access(path.parent, os.W_OK):  # where SQLite puts its journal
            raise FolderUnwritable(path, reason="read-only")
        version = look_inside(path, wait, unfinished=header.unfinished)
    except OSError as trouble:
        raise Unwritable.of(path, trouble) from trouble
    if version < known_version():
        _migrate(path)


def look_inside(path: Path, wait: float | None = None, *, unfinished: bool = False) -> int:
    """The schema's version of a file whose pages add up. Raises BrokenFile, Unwritable or Busy.

    By SQLite alone: to open and close the file in any other way would give up the locks of this process on it.
    """
    with translated(path), closing(look(path, "rw" if unfinished else "ro", wait)) as db:
        db.conn.execute("begin")  # version and tables of one moment: another process may be migrating the file
        return checked_version(db, path, pages=path.stat().st_size <= _SEARCHED)


def checked_version(db: Database, path: Path, *, pages: bool = True) -> int:
    """The schema's version, once the tables and, if wanted, all `pages` of a file are sound. Raises BrokenFile."""
    version: int = db.execute("pragma user_version").fetchone()[0]
    if version < 1 or not described(db) >= shape(version):
        raise BrokenFile(path, reason="tables-missing")
    if pages:
        found = "; ".join(text for (text,) in db.execute("pragma integrity_check(3)").fetchall())
        if found != "ok":
            raise BrokenFile(path, found, "garbled")
    return version


def _create(path: Path) -> None:
    """A new file, complete before it gets its name: a start cut short leaves nothing that looks like lost data."""
    fresh = temporary_path(path)
    try:
        create_empty(fresh)
    except OSError as trouble:
        raise FolderUnwritable.of(path, trouble) from trouble
    try:
        _migrate(fresh)
        publish(fresh, path)  # where another process was quicker, its file is as good
    finally:
        fresh.unlink(missing_ok=True)


def _migrate(path: Path) -> None:
    """Take the steps that the file has not taken, all or none; an earlier file is backed up first."""
    from scorepad.storage.backup import keep_earlier  # few starts need it

    with translated(path), closing(connect(path)) as db:
        db.conn.execute("begin immediate")
        version: int = db.execute("pragma user_version").fetchone()[0]
        try:
            if 0 < version < known_version():  # nobody else was quicker
                keep_earlier(path, version)
            migrate(db)
        except NoCopy as trouble:
            raise NotKept(path, trouble.detail, trouble.reason) from trouble
        except sqlite3.OperationalError as trouble:
            if trouble.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            # The statements are sound, so what they stumble over are rows that no longer hold what they must.
            raise BrokenFile(path, str(trouble), "garbled") from trouble
        db.conn.execute("commit")
