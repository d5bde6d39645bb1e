"""Examines the data file from its first page to each match, without changing it.

Each result has a code, which is the end of its message key, and the arguments of the message.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sqlite_utils import Database

from scorepad.storage import connection
from scorepad.storage.connection import (
    BrokenFile,
    EarlierFile,
    ForeignFile,
    NewerFile,
    StorageError,
    Unwritable,
    journal_path,
    open_database,
    translating_sqlite_errors,
)
from scorepad.storage.rows import ReadTransaction
from scorepad.storage.schema import known_version

Check = Callable[[ReadTransaction, str], str]
"""Reads a whole match and returns the code of its problem, or an empty text."""


class CheckResult(NamedTuple):
    """The result of one check. `reason` (the end of a message key) and `detail` are a system error."""

    code: str
    is_good: bool
    arguments: Mapping[str, int | str]


def check_result(code: str, is_good: bool = True, /, **arguments: int | str) -> CheckResult:
    """The result of a check; `arguments` are those of its message."""
    return CheckResult(code, is_good, arguments)


class SqliteVersion(NamedTuple):
    """The version of SQLite, and whether it may lose commits in WAL mode, which scorepad never uses
    itself.
    """

    number: str
    may_lose_commits: bool


def sqlite_version() -> SqliteVersion:
    """The version of SQLite that this program uses."""
    is_fixed = _has_wal_fix(sqlite3.sqlite_version_info)
    return SqliteVersion(sqlite3.sqlite_version, may_lose_commits=not is_fixed)


def _has_wal_fix(version: tuple[int, ...]) -> bool:
    """Whether a version of SQLite has no fault by which commits can be lost in WAL mode.

    The fault is in 3.7.0 and later, and fixed in 3.51.3, 3.50.7 and 3.44.6
    (sqlite.org/wal.html#walresetbug).
    """
    series = version[:2]
    if series == (3, 44):
        return version >= (3, 44, 6)
    if series == (3, 50):
        return version >= (3, 50, 7)
    return version >= (3, 51, 3)


def examine(path: Path, check: Check) -> Iterator[CheckResult]:
    """The results for an existing file, which is not written to. `check` reads a match and returns
    the code of its problem. Raises Busy, and OSError.
    """
    try:
        yield from _examine_readable(path, check)
    except ForeignFile:
        yield check_result("foreign", False)
    except EarlierFile:
        yield check_result("earlier", False)
    except NewerFile as error:
        yield check_result("newer", False, version=error.version, known=error.known)
    except (BrokenFile, Unwritable) as error:
        yield check_result("broken", False, reason=error.reason, detail=error.detail)


def _examine_readable(path: Path, check: Check) -> Iterator[CheckResult]:
    """The results for a file up to the first problem because of which it cannot be read.

    Raises that problem as StorageError, and OSError.
    """
    version = connection.identify(path)
    if is_wal(path):
        yield check_result("ours")
        yield check_result("wal", False)
        return  # reading it would create files beside it
    with _open_for_examination(path) as opened, translating_sqlite_errors(path):
        if opened.had_journal:
            yield check_result("ours")
            yield check_result("journal-left", False)
        else:
            connection.require_full_length(opened.db, path)
            yield check_result("ours")
            yield check_result("no-journal")
        yield from _examine_content(opened.db, path, version, check)


def has_phones(path: Path) -> bool:
    """Whether a phone has access to a match of the file, which is not written to.

    False if that cannot be told, because the file cannot be read.
    """
    try:
        version = connection.identify(path)
        if is_wal(path):  # reading it would create files beside it
            return False
        if version < known_version():  # its tables may be others than those of today
            return False
        with _open_for_examination(path) as opened, translating_sqlite_errors(path):
            return ReadTransaction(opened.db, path).has_phones()
    except StorageError:
        return False


def is_wal(path: Path) -> bool:
    """Whether another program put the file into WAL mode, so that reading it creates others beside
    it.

    Two octets tell that (sqlite.org/fileformat2.html); SQLite would create those files first.
    """
    with path.open("rb") as file:
        header = file.read(20)
    return header[18:] == b"\x02\x02"


class _Opened(NamedTuple):
    """A connection to the file, or to a copy of it if a save was interrupted and left a journal."""

    db: Database
    had_journal: bool


@contextmanager
def _open_for_examination(path: Path) -> Iterator[_Opened]:
    """Open the file for reading, without changing it.

    If a save was interrupted, SQLite would first have to take back the half of it that was written.
    Only the next start of the program does that in the file itself: here a copy is opened instead.
    """
    with closing(open_database(path)) as db:
        needs_rollback = _needs_rollback(db, path)
        if not needs_rollback:
            yield _Opened(db, had_journal=False)
    if needs_rollback:
        with _rolled_back_copy(path) as copy:
            yield _Opened(copy, had_journal=True)


@contextmanager
def _rolled_back_copy(path: Path) -> Iterator[Database]:
    """A temporary copy of a file in which a save was interrupted, as it was before that save.

    The journal beside the file, in which SQLite has noted what to take back, is copied as well:
    SQLite does so as soon as the copy is read.
    """
    with TemporaryDirectory(prefix="scorepad-") as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        shutil.copyfile(journal_path(path), journal_path(copy))
        with closing(open_database(copy, "rw")) as db:
            yield db


def _needs_rollback(db: Database, path: Path) -> bool:
    """Whether a save into the file was interrupted and has to be taken back before the file can be
    read.

    Then reading fails on this connection, which may not write. Raises Unwritable if it fails for
    another reason.
    """
    try:
        with translating_sqlite_errors(path):
            db.execute("select count(*) from sqlite_master").fetchone()
    except Unwritable:
        has_journal = journal_path(path).exists()
        if not has_journal:
            raise
        return True
    return False


def _examine_content(db: Database, path: Path, version: int, check: Check) -> Iterator[CheckResult]:
    """The results for the schema, the pages, the references and each match. `version` is the version
    of the schema.

    Raises BrokenFile if tables are missing or pages are damaged.
    """
    is_older = version < known_version()
    schema_code = "older" if is_older else "schema"
    yield check_result(schema_code, version=version, known=known_version())
    connection.check_and_read_version(
        db, path
    )  # it raises an error for damage; the version is known
    yield check_result("pages")
    yield _check_references(db)
    if not is_older:  # the matches of an older schema cannot be read before it is migrated
        yield from _check_matches(db, path, check)


def _check_references(db: Database) -> CheckResult:
    """Whether each row belongs to a match that exists."""
    strays = db.execute("pragma foreign_key_check").fetchall()
    if not strays:
        return check_result("references")
    tables = {str(table) for table, *_ in strays}
    return check_result("strays", False, tables=", ".join(sorted(tables)))


def _check_matches(db: Database, path: Path, check: Check) -> Iterator[CheckResult]:
    """A result for each kind of problem, with the matches that have it; or one that all are good."""
    rows = db.execute("select id from matches order by id").fetchall()
    matches_by_problem: defaultdict[str, list[str]] = defaultdict(list)
    for (match,) in rows:
        problem = _find_problem(db, path, match, check)
        if problem:
            matches_by_problem[problem].append(match)
    for problem, matches in matches_by_problem.items():
        yield check_result(problem, False, matches=", ".join(matches))
    if not matches_by_problem:
        yield check_result("matches", count=len(rows))


def _find_problem(db: Database, path: Path, match: str, check: Check) -> str:
    """The code of the problem of a match; empty if it has none."""
    db.execute("begin")  # one match at a time, so that writers need not wait for all of them
    try:
        return check(ReadTransaction(db, path), match)
    except BrokenFile:
        return "match-garbled"
    finally:
        db.execute("rollback")
