"""The data file: its errors, its neighbours on the disk, connections to it and their checks.

Files are created with rights for their owner only, and renamed when complete. Each error has the
path of the file; the message shown to users is in the catalogue.
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
from scorepad.storage.schema import (
    APPLICATION_ID,
    EARLIER_IDS,
    known_version,
    schema_objects,
    shape,
)

FLOOR = 64 * 2**20
"""Bytes of free disk space below which no match is started or imported, to reserve space for
current matches.
"""
RESERVE = 16 * 2**20
"""Bytes of free disk space below which nothing is saved into a current match, so that matches
cannot fill the disk.
"""
EVERYBODY = 0o077
"""The permission bits of all users but the owner."""

TEMPORARY = ".scorepad-*.new"
"""The pattern of temporary file names; such a file remains if the process is killed."""


class StorageError(ScorepadError):
    """The data file cannot be used, permanently or now.

    `path` is the file and `folder` its folder, `detail` the system's message, in English, and
    `reason` the end of a message key, or empty.
    """

    def __init__(self, path: Path, detail: str = "", reason: str = "") -> None:
        self.path = path
        self.detail = detail or reason.replace("-", " ")
        self.reason = reason
        message = f"{type(self).__name__}: {path}"
        if self.detail:
            message += f": {self.detail}"
        super().__init__(message)

    @property
    def folder(self) -> Path:
        return self.path.parent

    @classmethod
    def from_os_error(cls, path: Path, error: OSError) -> Self:
        """The error for an OSError about the file."""
        return cls(path, error.strerror or str(error), os_error_key(error))

    @classmethod
    @contextmanager
    def instead_of_os_error(cls, path: Path) -> Iterator[None]:
        """Inside, an OSError is raised as this error about the file."""
        try:
            yield
        except OSError as error:
            raise cls.from_os_error(path, error) from error


class ForeignFile(StorageError):
    """A file that was not created by scorepad."""


class EarlierFile(StorageError):
    """A file made before the first release: its matches come here by export and import."""


class NewerFile(StorageError):
    """A file written by a later scorepad: `version` is its schema, `known` the latest that this
    program knows.
    """

    def __init__(self, path: Path, version: int, known: int) -> None:
        super().__init__(path, f"schema {version}, known up to {known}")
        self.version = version
        self.known = known


class BrokenFile(StorageError):
    """A scorepad file that was truncated, garbled or emptied."""


class DamagedFile(BrokenFile):
    """A scorepad file in which SQLite found damage."""


class Unwritable(StorageError):
    """A file that cannot be opened or written: rights, a full disk, a disk fault."""


class FolderUnwritable(Unwritable):
    """The folder of the file cannot be created or written to, as a safe save requires."""

    @classmethod
    def from_os_error(cls, path: Path, error: OSError) -> Self:
        """The error for an OSError about the folder of the file."""
        reason = os_error_key(error)
        if isinstance(error, FileExistsError):  # the folder could not be created: it is a file
            reason = "not-a-folder"
        return cls(path, error.strerror or str(error), reason)


class NoCopy(StorageError):
    """A copy of the data file cannot be made: `path` is its target, or its temporary path."""


class NotKept(StorageError):
    """A file of an earlier scorepad that is not migrated, because it cannot be backed up first."""


class NoRoom(StorageError):
    """Too little free disk space to start or import a match; matches in progress are still saved."""


class NoRoomToSave(NoRoom):
    """Too little free disk space even to save into a match in progress."""


class Busy(StorageError):
    """Another process held the lock of the file for too long."""


class Stopping(StorageError):
    """The program is about to end, and begins no transaction any more."""


# -------------------------------------------------------------------------------------------- files


def resolved_path(path: Path) -> Path:
    """A path with symbolic links resolved. Raises Unwritable for a loop of links."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:  # RuntimeError up to Python 3.12
        raise Unwritable(path, str(error), "loop") from error


def has_room(path: Path) -> bool:
    """Whether there is enough free disk space to start or import a match."""
    return shutil.disk_usage(path.parent).free >= FLOOR


def has_room_to_save(path: Path) -> bool:
    """Whether there is enough free disk space to save into a match in progress."""
    return shutil.disk_usage(path.parent).free >= RESERVE


def is_exposed(path: Path) -> bool:
    """Whether other users of the computer can read or change a file, or enter a folder."""
    return os.name == "posix" and path.exists() and bool(path.stat().st_mode & EVERYBODY)


def create_temporary_file(folder: Path) -> Path:
    """Create an empty file in a folder, with rights for the owner only, and return its path.

    The folder is created too, if it is missing. Raises OSError.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = folder / TEMPORARY.replace("*", secrets.token_hex(6))
    os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    return fresh


@contextmanager
def temporary_file(folder: Path) -> Iterator[Path]:
    """An empty file in a folder, with rights for the owner only.

    The folder is created too, if it is missing. The file is deleted at the end, unless it was
    renamed. Raises OSError.
    """
    fresh = create_temporary_file(folder)
    try:
        yield fresh
    finally:
        fresh.unlink(missing_ok=True)


def publish(fresh: Path, path: Path) -> bool:
    """Give a complete temporary file this name, atomically and synced to disk.

    Returns False, and changes nothing, if the name is taken.
    """
    try:
        os.link(fresh, path)  # unlike a rename, it never replaces a file; `fresh` is deleted later
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links, as on memory cards
        if path.exists():
            return False
        fresh.rename(path)
    sync(path.parent)
    return True


def sync(path: Path) -> None:
    """Sync a file or folder to disk. Raises OSError."""
    is_folder = path.is_dir()
    if is_folder and not hasattr(os, "O_DIRECTORY"):  # Windows cannot open folders
        return
    descriptor = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def journal_of(path: Path) -> Path:
    return path.with_name(path.name + "-journal")


# -------------------------------------------------------------------------------------- connections

LOCK_TIMEOUT = 20.0
"""Seconds to wait for another writer: a slow memory card with many phones."""

_PRAGMAS = (
    "foreign_keys = on", "journal_mode = delete", "synchronous = extra", "secure_delete = on", "cache_spill = off",
)  # fmt: skip
# No WAL: before SQLite 3.51.3 a race of checkpoint and writer can lose a commit. EXTRA: the folder
# is synced too when the journal is deleted, so that an acknowledged hand survives a power cut.
# secure_delete: deleted content is overwritten. cache_spill: nothing is written before the commit,
# so that others can read until then.


class _Cause(NamedTuple):
    """What an SQLite error means: the error to raise, and the end of its message key."""

    error: type[StorageError]
    reason: str


_IN_USE = _Cause(Busy, "in-use")
_GARBLED = _Cause(DamagedFile, "garbled")
_CAUSES: dict[int, _Cause] = {
    sqlite3.SQLITE_BUSY: _IN_USE,
    sqlite3.SQLITE_LOCKED: _IN_USE,
    sqlite3.SQLITE_CORRUPT: _GARBLED,
    sqlite3.SQLITE_NOTADB: _GARBLED,
    sqlite3.SQLITE_FORMAT: _GARBLED,
    sqlite3.SQLITE_SCHEMA: _GARBLED,
    sqlite3.SQLITE_FULL: _Cause(Unwritable, "full"),
    sqlite3.SQLITE_READONLY: _Cause(Unwritable, "read-only"),
    sqlite3.SQLITE_IOERR: _Cause(Unwritable, "disk"),
    sqlite3.SQLITE_CANTOPEN: _Cause(Unwritable, "cannot-open"),
    sqlite3.SQLITE_PERM: _Cause(Unwritable, "permission"),
    sqlite3.SQLITE_AUTH: _Cause(Unwritable, "permission"),
}
"""By the primary code of the SQLite error."""
_GONE = ("no such ", "unsupported file format")
"""Beginnings of generic SQLite errors about the file: the statements are valid, so tables or
columns are missing from the file.
"""


SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""Exceptions raised by sqlite3; its message about a garbled schema may not be valid UTF-8."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise SQLite errors about this file as StorageError; programming errors are not translated."""
    try:
        yield
    except SQLITE_ERRORS as error:
        reraise(error, path)


def reraise(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> NoReturn:
    """Raise an SQLite error about this file as StorageError, and a text of the file that is no valid
    UTF-8 as BrokenFile. A programming error is raised unchanged.
    """
    if isinstance(error, UnicodeDecodeError) or _is_about_invalid_text(error):
        # Without the message of the error: it has the text itself, and would be logged.
        raise BrokenFile(path, reason="garbled") from error
    cause = _cause(error)
    if cause is None:
        raise error
    raise cause.error(path, str(error), cause.reason) from error


def _is_about_invalid_text(error: sqlite3.Error) -> bool:
    """Whether Python found a text in the file that is no valid UTF-8: unlike SQLite, it gives the
    error no code.
    """
    return isinstance(error, sqlite3.OperationalError) and not hasattr(error, "sqlite_errorcode")


def _cause(error: sqlite3.Error) -> _Cause | None:
    """What an SQLite error says about the file; None for a programming error."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    if code == sqlite3.SQLITE_READONLY_DBMOVED:
        # Another file was put in its place. The user should try again: the next transaction opens
        # the new file.
        return _IN_USE
    if code == sqlite3.SQLITE_ERROR:
        # SQLite has no other code for tables or columns that are missing, only a message.
        if str(error).startswith(_GONE):
            return _Cause(BrokenFile, "tables-missing")
        return None
    # An extended code, such as "read-only because of …", has the primary code in its lowest byte.
    primary_code = code & 0xFF
    return _CAUSES.get(primary_code)


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another connection holds the required lock."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


_MODES = {"immutable": "mode=ro&immutable=1", "ro": "mode=ro", "rw": "mode=rw"}


def open_database(
    path: Path, mode: Literal["immutable", "ro", "rw"] = "ro", wait: float | None = None
) -> Database:
    """A connection to an existing file, for reading unless `mode` is `rw`.

    With `rw` SQLite also rolls back a transaction interrupted by a power cut; `immutable` reads the
    file as it is, without a lock. `wait`: seconds to wait for a lock, by default LOCK_TIMEOUT.
    Raises sqlite3.Error.
    """
    connection = sqlite3.connect(
        f"{path.as_uri()}?{_MODES[mode]}",
        uri=True,
        # Set here and not by a pragma: even the first pragma may meet another writer.
        timeout=LOCK_TIMEOUT if wait is None else wait,
        isolation_level=None,
        check_same_thread=False,
    )
    return Database(connection, execute_plugins=False)


def connect(path: Path, wait: float | None = None) -> Database:
    """A read-write connection to an existing file. It may move between threads. Raises
    sqlite3.Error.
    """
    db = open_database(path, "rw", wait)
    try:
        for pragma in _PRAGMAS:
            db.execute(f"pragma {pragma}")
    except BaseException:
        db.close()
        raise
    return db


def identify(path: Path) -> int:
    """The schema version of a scorepad file, which is neither changed nor checked.

    Raises ForeignFile, EarlierFile, NewerFile, BrokenFile for an empty file, Unwritable, and
    OSError.
    """
    if not path.is_file():
        raise Unwritable(path, reason="folder" if path.is_dir() else "not-a-file")
    if path.stat().st_size == 0:
        raise BrokenFile(path, reason="empty")

    application_id, version = _application_and_version(path)
    if application_id in EARLIER_IDS:
        raise EarlierFile(path)
    if application_id != APPLICATION_ID:
        raise ForeignFile(path)
    if version > known_version():
        raise NewerFile(path, version, known_version())
    return version


def _application_and_version(path: Path) -> tuple[int, int]:
    """The application id and the schema version of an SQLite file; the file is not locked.

    Raises ForeignFile if it is not one.
    """
    try:
        with translated(path), closing(open_database(path, "immutable")) as db:
            # After an interrupted save the file may have another size than it says. With this
            # setting SQLite reads it all the same.
            db.execute("pragma writable_schema = on")
            (application_id,) = db.execute("pragma application_id").fetchone()
            (version,) = db.execute("pragma user_version").fetchone()
    except DamagedFile:
        raise ForeignFile(path) from None
    return application_id, version


_LARGEST_CHECKED = 64 * 2**20
"""Bytes of a file up to which all its pages are checked on opening, in 0.1 s."""


def check_integrity(path: Path, wait: float | None = None) -> int:
    """The schema version of a file of ours, after an integrity check. Raises BrokenFile, Unwritable
    or Busy.

    The file is opened by SQLite only: opening and closing it in another way would release the locks
    that this process has on it (POSIX).
    """
    with translated(path), closing(open_database(path, "rw", wait)) as db:
        require_whole(db, path)
        # Version and tables of one moment: another process may be migrating the file. The
        # transaction only reads, and ends when the connection is closed.
        db.conn.execute("begin")
        is_small = path.stat().st_size <= _LARGEST_CHECKED
        return checked_version(db, path, pages=is_small)


def require_whole(db: Database, path: Path) -> None:
    """Raise BrokenFile if the file is shorter than its pages.

    SQLite itself would not notice, and read zeros in place of what is missing.
    """
    db.conn.execute("begin")  # nobody changes its size meanwhile
    (pages,) = db.execute("pragma page_count").fetchone()
    (page_size,) = db.execute("pragma page_size").fetchone()
    size = path.stat().st_size
    db.conn.execute("rollback")
    if size < pages * page_size:
        raise BrokenFile(path, reason="cut-short")


def checked_version(db: Database, path: Path, *, pages: bool = True) -> int:
    """The schema version of a database, after a check that its tables are there.

    With `pages` SQLite checks every page too, which takes longer for a large file. Raises
    BrokenFile.
    """
    version: int = db.execute("pragma user_version").fetchone()[0]
    if version < 1:
        raise BrokenFile(path, reason="tables-missing")
    has_all_tables = shape(version).issubset(schema_objects(db))
    if not has_all_tables:
        raise BrokenFile(path, reason="tables-missing")
    if pages:
        _require_sound_pages(db, path)
    return version


def _require_sound_pages(db: Database, path: Path) -> None:
    """Raise DamagedFile if SQLite finds damage in any page."""
    rows = db.execute("pragma integrity_check(3)").fetchall()  # up to three faults, or `ok`
    result = "; ".join(text for (text,) in rows)
    if result != "ok":
        raise DamagedFile(path, result, "garbled")
