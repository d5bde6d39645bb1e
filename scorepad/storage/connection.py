"""The data file: its errors, its neighbours on the disk, connections to it and their checks.

Files are created with rights for their owner only, and renamed when complete. Each error has the
path of the file; the message shown to users is in the catalogue.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal, NamedTuple, NoReturn, Self

from sqlite_utils import Database

from scorepad.errors import ScorepadError
from scorepad.i18n import find_key_of_os_error
from scorepad.storage.schema import (
    APPLICATION_ID,
    EARLIER_IDS,
    find_expected_objects,
    known_version,
    read_schema_objects,
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
        """Make this error from an OSError that was raised for the file at `path`."""
        return cls(path, error.strerror or str(error), find_key_of_os_error(error))

    @classmethod
    @contextmanager
    def instead_of_os_error(cls, path: Path) -> Iterator[None]:
        """Raise this error, about the file at `path`, in place of any OSError in the block."""
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
        """Make this error from an OSError that was raised for the folder of the file at `path`."""
        reason = find_key_of_os_error(error)
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


_NO_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP, errno.ENOSYS})
"""Numbers of the errors by which a file system says that it cannot sync a folder."""


def resolve_path(path: Path) -> Path:
    """Return the absolute path of a file, without symbolic links. Raises Unwritable for a loop."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:  # RuntimeError up to Python 3.12
        raise Unwritable(path, str(error), "loop") from error


def has_room(path: Path) -> bool:
    """Tell whether the disk of the data file has enough free space to start or import a match.

    That is more than `has_room_to_save` asks for, so that matches in progress can be finished.
    """
    return shutil.disk_usage(path.parent).free >= FLOOR


def has_room_to_save(path: Path) -> bool:
    """Tell whether the disk of the data file has enough free space to save into a match at all."""
    return shutil.disk_usage(path.parent).free >= RESERVE


def is_exposed(path: Path) -> bool:
    """Tell whether other users of the computer can read or change a file, or enter a folder.

    False on Windows, where the permission bits do not tell, and for a path with nothing at it.
    """
    if os.name != "posix" or not path.exists():
        return False
    permissions = path.stat().st_mode
    return bool(permissions & EVERYBODY)


def create_temporary_file(folder: Path) -> Path:
    """Create an empty file in a folder, readable for its owner only, and return its path.

    The folder is created too, if it is missing. Raises OSError.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = folder / TEMPORARY.replace("*", secrets.token_hex(6))
    descriptor = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    os.close(descriptor)
    return fresh


@contextmanager
def temporary_file(folder: Path) -> Iterator[Path]:
    """Create an empty file in a folder for the block, readable for its owner only.

    To keep the file, rename it: at the end of the block it is deleted under its temporary name. The
    folder is created too, if it is missing. Raises OSError.
    """
    fresh = create_temporary_file(folder)
    try:
        yield fresh
    finally:
        fresh.unlink(missing_ok=True)


def publish(fresh: Path, path: Path) -> bool:
    """Give a complete temporary file its final name, at once and synced to the disk.

    A file that has that name already is never replaced: then returns False and changes nothing.
    """
    try:
        # A rename could replace a file. A link, a second name, cannot. The caller deletes `fresh`.
        os.link(fresh, path)
    except FileExistsError:
        return False
    except (OSError, AttributeError):
        # Memory cards have no hard links, and Python in a browser has no `os.link`.
        if path.exists():
            return False
        fresh.rename(path)
    sync(path.parent)
    return True


def sync(path: Path) -> None:
    """Wait until a file, or the list of files in a folder, is on the disk. Raises OSError."""
    if path.is_dir():
        _sync_folder(path)
        return
    descriptor = os.open(path, os.O_RDWR)
    try:
        sync_descriptor(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    """Wait until the list of files in a folder is on the disk, where the system can do that.

    Windows cannot open folders. Some file systems, such as network shares, cannot sync them: SQLite
    goes on then too.
    """
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(descriptor)


def sync_descriptor(descriptor: int) -> None:
    """Wait until an open file is on the disk. Raises OSError."""
    if sys.platform == "darwin":
        import fcntl

        # `fsync` of macOS leaves the content in the memory of the drive.
        with suppress(OSError):  # not every file system has it
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def journal_path(path: Path) -> Path:
    """Return the path of the journal that SQLite keeps beside a data file while it writes.

    `scorepad.db` → `scorepad.db-journal`.
    """
    return path.with_name(path.name + "-journal")


# -------------------------------------------------------------------------------------- connections

LOCK_TIMEOUT = 20.0
"""Seconds to wait for another writer: a slow memory card with many phones."""

_PRAGMAS = (
    "foreign_keys = on", "journal_mode = delete", "synchronous = extra", "fullfsync = on", "secure_delete = on",
    "cache_spill = off",
)  # fmt: skip
# No WAL: before SQLite 3.51.3 a race of checkpoint and writer can lose a commit. EXTRA: the folder
# is synced too when the journal is deleted, so that an acknowledged hand survives a power cut.
# fullfsync: on macOS, out of the memory of the drive too; other systems do that anyway.
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
def translating_sqlite_errors(path: Path) -> Iterator[None]:
    """Raise errors of SQLite in the block as StorageError about this file.

    An error that is a fault of the program, such as a wrong statement, is raised unchanged.
    """
    try:
        yield
    except SQLITE_ERRORS as error:
        raise_as_storage_error(error, path)


def raise_as_storage_error(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> NoReturn:
    """Raise an error of SQLite again, as the StorageError that says what is wrong with the file.

    - the file is locked by another process → Busy
    - it is damaged, or has a text that is no valid UTF-8 → DamagedFile or BrokenFile
    - the disk is full, or the file may not be written → Unwritable

    An error that is a fault of the program, such as a wrong statement, is raised unchanged.
    """
    if isinstance(error, UnicodeDecodeError) or _is_about_invalid_text(error):
        # "its content does not add up": without the text of the error, which has the content of the
        # file, and would be logged.
        raise BrokenFile(path, reason="garbled") from error
    cause = _find_cause(error)
    if cause is None:
        raise error
    raise cause.error(path, str(error), cause.reason) from error


def _is_about_invalid_text(error: sqlite3.Error) -> bool:
    """Tell whether an error is about a text in the file that is no valid UTF-8.

    Python raises that error itself. It has no code, unlike those that come from SQLite.
    """
    comes_from_sqlite = hasattr(error, "sqlite_errorcode")
    return isinstance(error, sqlite3.OperationalError) and not comes_from_sqlite


def _find_cause(error: sqlite3.Error) -> _Cause | None:
    """Find out from an error of SQLite what is wrong with the file.

    The code SQLITE_FULL → `_Cause(Unwritable, "full")`. None if the error is a fault of the
    program, such as a wrong statement.
    """
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
    """Tell whether an error of SQLite says that another connection holds the lock of the file."""
    code: int = getattr(error, "sqlite_errorcode", 0)  # Python's own errors have none
    primary_code = code & 0xFF  # without the byte that gives details
    return primary_code == sqlite3.SQLITE_BUSY


_MODES = {"immutable": "mode=ro&immutable=1", "ro": "mode=ro", "rw": "mode=rw"}


def open_database(
    path: Path, mode: Literal["immutable", "ro", "rw"] = "ro", wait: float | None = None
) -> Database:
    """Open an existing SQLite file, for reading only unless `mode` is `rw`.

    With `rw` SQLite first takes back a transaction that a power cut has interrupted. `immutable`
    reads the file as it is, without a lock. `wait` are the seconds to wait for a lock, by default
    LOCK_TIMEOUT. Raises sqlite3.Error.
    """
    if wait is None:
        wait = LOCK_TIMEOUT
    connection = sqlite3.connect(
        f"{path.as_uri()}?{_MODES[mode]}",
        uri=True,
        timeout=wait,  # not by a pragma: even the first pragma may meet another writer
        isolation_level=None,  # transactions begin and end with our own statements
        check_same_thread=False,
    )
    return Database(connection, execute_plugins=False)


def connect(path: Path, wait: float | None = None) -> Database:
    """Open an existing data file to read and write, with the settings that make saving safe.

    The connection may move between threads. `wait` are the seconds to wait for a lock, by default
    LOCK_TIMEOUT. Raises sqlite3.Error.
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
    """Make sure that a file is one of this program, and return the version of its schema.

    Its content is not checked, and the file is not changed. Raises ForeignFile, EarlierFile,
    NewerFile, BrokenFile for an empty file, Unwritable if there is no file, and OSError.
    """
    if path.is_dir():
        raise Unwritable(path, reason="folder")  # "it is a folder"
    if not path.is_file():
        raise Unwritable(path, reason="not-a-file")
    if path.stat().st_size == 0:
        raise BrokenFile(path, reason="empty")  # "it is empty"

    # SQLite keeps two numbers in a file for the program that made it.
    application_id, version = _read_application_and_version(path)
    if application_id in EARLIER_IDS:
        raise EarlierFile(path)
    if application_id != APPLICATION_ID:
        raise ForeignFile(path)
    if version > known_version():
        raise NewerFile(path, version, known_version())
    return version


def _read_application_and_version(path: Path) -> tuple[int, int]:
    """Read two numbers of an SQLite file: which program made it, and the version of its schema.

    The file is not locked. Raises ForeignFile if it is no SQLite file.
    """
    try:
        with translating_sqlite_errors(path), closing(open_database(path, "immutable")) as db:
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
    """Check that a data file is whole, and return the version of its schema.

    All pages are checked if the file is small, else only its length and its tables. `wait` are the
    seconds to wait for a lock. Raises BrokenFile, Unwritable or Busy.
    """
    # Opened by SQLite only: to open and close the file in another way would release the locks that
    # this process has on it (POSIX). `stat` does not open it.
    with translating_sqlite_errors(path), closing(open_database(path, "rw", wait)) as db:
        require_full_length(db, path)
        # Another process may be migrating the file: version and tables must be of one moment. The
        # transaction only reads, and ends when the connection is closed.
        db.conn.execute("begin")
        is_small = path.stat().st_size <= _LARGEST_CHECKED
        return check_and_read_version(db, path, check_pages=is_small)


def require_full_length(db: Database, path: Path) -> None:
    """Raise BrokenFile if the end of a data file is missing.

    SQLite itself would not notice, and read zeros in place of it.
    """
    db.conn.execute("begin")  # nobody changes its size meanwhile
    (number_of_pages,) = db.execute("pragma page_count").fetchone()
    (bytes_of_page,) = db.execute("pragma page_size").fetchone()
    actual_size = path.stat().st_size
    db.conn.execute("rollback")
    expected_size = number_of_pages * bytes_of_page
    if actual_size < expected_size:
        raise BrokenFile(path, reason="cut-short")  # "it was cut short"


def check_and_read_version(db: Database, path: Path, *, check_pages: bool = True) -> int:
    """Check that a data file has all its tables, and return the version of its schema.

    With `check_pages` SQLite also looks at every page, which takes longer for a large file. Raises
    BrokenFile.
    """
    (user_version,) = db.execute("pragma user_version").fetchone()
    version = int(user_version)
    if version < 1:
        raise BrokenFile(path, reason="tables-missing")  # "a part of what it must hold is missing"
    has_all_tables = find_expected_objects(version).issubset(read_schema_objects(db))
    if not has_all_tables:
        raise BrokenFile(path, reason="tables-missing")
    if check_pages:
        _require_sound_pages(db, path)
    return version


def _require_sound_pages(db: Database, path: Path) -> None:
    """Raise DamagedFile if SQLite finds damage in any page of the file."""
    rows = db.execute("pragma integrity_check(3)").fetchall()  # up to three faults, or one `ok`
    result = "; ".join(text for (text,) in rows)
    if result != "ok":
        raise DamagedFile(path, result, "garbled")
