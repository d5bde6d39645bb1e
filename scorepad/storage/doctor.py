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


def make_good_result(code: str, /, **arguments: int | str) -> CheckResult:
    """Make the result of a check that found no problem: `make_good_result("pages")`.

    `code` is the end of the key of its message, `doctor.pages`, and `arguments` are the values in
    the message.
    """
    return CheckResult(code, is_good=True, arguments=arguments)


def make_problem_result(code: str, /, **arguments: int | str) -> CheckResult:
    """Make the result of a check that found a problem: `make_problem_result("wal")`.

    `code` is the end of the key of its message, `doctor.wal`, and `arguments` are the values in the
    message.
    """
    return CheckResult(code, is_good=False, arguments=arguments)


class SqliteVersion(NamedTuple):
    """The version of SQLite, and whether it may lose commits in WAL mode, which scorepad never uses
    itself.
    """

    number: str
    may_lose_commits: bool


def read_sqlite_version() -> SqliteVersion:
    """Read which version of SQLite this program uses, and whether it has a known fault."""
    is_fixed = _keeps_commits_in_wal_mode(sqlite3.sqlite_version_info)
    return SqliteVersion(sqlite3.sqlite_version, may_lose_commits=not is_fixed)


def _keeps_commits_in_wal_mode(version: tuple[int, ...]) -> bool:
    """Tell whether a version of SQLite is without the fault that loses commits in WAL mode.

    It is fixed in 3.51.3 and later, and in two older series in 3.50.7 and 3.44.6
    (sqlite.org/wal.html#walresetbug): `(3, 50, 7)` → True, `(3, 49, 1)` → False.
    """
    series = version[:2]
    if series == (3, 44):
        return version >= (3, 44, 6)
    if series == (3, 50):
        return version >= (3, 50, 7)
    return version >= (3, 51, 3)


def examine(path: Path, check: Check) -> Iterator[CheckResult]:
    """Examine an existing data file, and yield the result of each check. Nothing is written to it.

    `check` reads a match and returns the code of its problem, or an empty text. A file that cannot
    be read is a result too, the last one. Raises Busy, and OSError.
    """
    try:
        yield from _examine_while_readable(path, check)
    except ForeignFile:
        yield make_problem_result("foreign")  # "It is not a scorepad file."
    except EarlierFile:
        yield make_problem_result("earlier")
    except NewerFile as error:
        # "It is of a later scorepad."
        yield make_problem_result("newer", version=error.version, known=error.known)
    except (BrokenFile, Unwritable) as error:
        # On the screen: "The file is damaged", with the reason.
        yield make_problem_result("broken", reason=error.reason, detail=error.detail)


def _examine_while_readable(path: Path, check: Check) -> Iterator[CheckResult]:
    """Examine a data file as far as it can be read, and yield the result of each check.

    Raises a StorageError as soon as the file cannot be read on, and OSError.
    """
    version = connection.identify(path)
    if is_in_wal_mode(path):
        yield make_good_result("ours")  # "It is a file of scorepad's, and all there."
        yield make_problem_result("wal")  # "Another program has put the file into WAL mode."
        return  # reading it would create files beside it

    with _open_for_examination(path) as opened, translating_sqlite_errors(path):
        if opened.had_journal:
            yield make_good_result("ours")
            yield make_problem_result("journal-left")  # "A save was cut short."
        else:
            connection.require_full_length(opened.db, path)
            yield make_good_result("ours")
            yield make_good_result("no-journal")  # "No save was left half done."
        yield from _examine_content(opened.db, path, version, check)


def is_entered_by_phone(path: Path) -> bool:
    """Tell whether a phone or another browser has access to a match of a data file.

    Nothing is written to the file. False if it cannot be told, because the file cannot be read.
    """
    try:
        version = connection.identify(path)
        if is_in_wal_mode(path):  # reading it would create files beside it
            return False
        if version < known_version():  # its tables may be others than those of today
            return False
        with _open_for_examination(path) as opened, translating_sqlite_errors(path):
            return ReadTransaction(opened.db, path).has_browser_with_access()
    except StorageError:
        return False


def is_in_wal_mode(path: Path) -> bool:
    """Tell whether another program put a data file into WAL mode, a setting of SQLite.

    SQLite would create two more files beside it as soon as it reads it. So the header of the file
    is read here (sqlite.org/fileformat2.html).
    """
    with path.open("rb") as file:
        header = file.read(20)
    write_and_read_version = header[18:]
    return write_and_read_version == b"\x02\x02"  # 1 stands for the usual mode, with a journal


class _Opened(NamedTuple):
    """A connection to the file, or to a copy of it if a save was interrupted and left a journal."""

    db: Database
    had_journal: bool


@contextmanager
def _open_for_examination(path: Path) -> Iterator[_Opened]:
    """Open a data file to read it, without changing it.

    If a save was interrupted, SQLite would first take back the half of it that was written, when
    the program starts the next time. That must not happen here, so a copy is opened instead.
    """
    with closing(open_database(path)) as db:
        if not _needs_rollback(db, path):
            yield _Opened(db, had_journal=False)
            return

    # A save was interrupted. The original is closed here, before it is copied.
    with _open_rolled_back_copy(path) as copy:
        yield _Opened(copy, had_journal=True)


@contextmanager
def _open_rolled_back_copy(path: Path) -> Iterator[Database]:
    """Open a temporary copy of a data file in which a save was interrupted.

    The copy is as the file was before that save. In the journal beside the file SQLite has noted
    what to take back. It is copied as well, and SQLite does so as soon as it reads the copy.
    """
    with TemporaryDirectory(prefix="scorepad-") as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        shutil.copyfile(journal_path(path), journal_path(copy))
        with closing(open_database(copy, "rw")) as db:
            yield db


def _needs_rollback(db: Database, path: Path) -> bool:
    """Tell whether a save into a data file was interrupted, and must be taken back to read it.

    SQLite refuses to read such a file on a connection that may not write, as `db` is. Raises
    Unwritable if it refuses for another reason.
    """
    try:
        with translating_sqlite_errors(path):
            db.execute("select count(*) from sqlite_master").fetchone()
    except Unwritable:
        has_journal = journal_path(path).exists()  # what SQLite noted to take the save back
        if has_journal:
            return True
        raise
    return False


def _examine_content(db: Database, path: Path, version: int, check: Check) -> Iterator[CheckResult]:
    """Examine the tables and rows of a data file, and yield the result of each check.

    `version` is the version of its schema. Raises BrokenFile if tables are missing or pages are
    damaged.
    """
    is_older = version < known_version()
    schema_code = "older" if is_older else "schema"  # "The schema is 1, that of this scorepad."
    yield make_good_result(schema_code, version=version, known=known_version())

    connection.check_and_read_version(db, path)  # raises an error for damage
    yield make_good_result("pages")  # "Its content adds up, from the first page to the last."

    yield _check_references(db)
    if not is_older:  # the matches of an older schema cannot be read before it is migrated
        yield from _check_matches(db, path, check)


def _check_references(db: Database) -> CheckResult:
    """Check that each row of a data file belongs to a match that exists.

    If not, the result names the tables with such rows: `tables="entries, grants"`.
    """
    stray_rows = db.execute("pragma foreign_key_check").fetchall()
    if not stray_rows:
        return make_good_result("references")  # "Every row has its match."
    tables = {str(table) for table, *_ in stray_rows}
    # On the screen: "There are rows without their match: somebody changed the file from outside."
    return make_problem_result("strays", tables=", ".join(sorted(tables)))


def _check_matches(db: Database, path: Path, check: Check) -> Iterator[CheckResult]:
    """Check all matches of a data file, and yield a result for each kind of problem.

    It names the matches that have the problem: `matches="7k2mxq4hba, k3f9x2m1qa"`. If there is no
    problem, yields one result with the number of matches.
    """
    rows = db.execute("select id from matches order by id").fetchall()
    matches_by_problem: defaultdict[str, list[str]] = defaultdict(list)
    for (match,) in rows:
        problem = _find_problem(db, path, match, check)
        if problem:
            matches_by_problem[problem].append(match)

    for problem, matches in matches_by_problem.items():
        yield make_problem_result(problem, matches=", ".join(matches))
    if not matches_by_problem:
        yield make_good_result("matches", count=len(rows))


def _find_problem(db: Database, path: Path, match: str, check: Check) -> str:
    """Find the problem of a match, and return its code; empty if there is none."""
    db.execute("begin")  # one match at a time, so that writers need not wait for all of them
    try:
        return check(ReadTransaction(db, path), match)
    except BrokenFile:
        return "match-garbled"
    finally:
        db.execute("rollback")
