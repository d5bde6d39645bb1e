"""Examines the data file from its first page to each match, without changing it.

Each result has a code, which is the end of its message key, and the arguments of the message.
"""

from __future__ import annotations

import shutil
import sqlite3
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
    journal_of,
    look,
    translated,
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
    return CheckResult(code, is_good, arguments)


def sqlite_version() -> tuple[str, bool]:
    """The SQLite version, and whether it may lose commits in WAL mode, which scorepad never uses
    itself.

    From 3.7.0 on, fixed in 3.51.3, 3.50.7 and 3.44.6 (sqlite.org/wal.html#walresetbug).
    """
    version = sqlite3.sqlite_version_info
    mended = (
        version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45)
    )
    return sqlite3.sqlite_version, not mended


def examine(path: Path, check: Check) -> Iterator[CheckResult]:
    """The results for an existing file, which is not written to. Raises Busy, and OSError."""
    try:
        version = connection.identify(path)
        if is_wal(path):
            yield check_result("ours")
            yield check_result("wal", False)
            return
        with _looking(path) as (db, is_left), translated(path):
            if not is_left:
                connection.require_whole(db, path)
            yield check_result("ours")
            yield check_result("journal-left", False) if is_left else check_result("no-journal")
            yield from _inside(db, path, version, check)
    except ForeignFile:
        yield check_result("foreign", False)
    except EarlierFile:
        yield check_result("earlier", False)
    except NewerFile as error:
        yield check_result("newer", False, version=error.version, known=error.known)
    except (BrokenFile, Unwritable) as error:
        yield check_result("broken", False, reason=error.reason, detail=error.detail)


def has_phones(path: Path) -> bool:
    """Whether a phone has access to a match of the file; False if the file cannot be read. It is
    not written to.
    """
    try:
        version = connection.identify(path)
        if is_wal(path) or version < known_version():
            return False
        with _looking(path) as (db, _), translated(path):
            return ReadTransaction(db, path).has_phones()
    except StorageError:
        return False


def is_wal(path: Path) -> bool:
    """Whether another program put the file into WAL mode, so that reading it creates others beside
    it.

    Two octets tell that (sqlite.org/fileformat2.html); SQLite would create those files first.
    """
    with path.open("rb") as file:
        return file.read(20)[18:] == b"\x02\x02"


@contextmanager
def _looking(path: Path) -> Iterator[tuple[Database, bool]]:
    """A connection to the file, and whether it has an interrupted save, which the next open rolls
    back.

    In that case the connection is to a copy, in which it is rolled back.
    """
    with closing(look(path)) as db:
        try:
            with translated(path):
                db.execute("select count(*) from sqlite_master").fetchone()
            is_left = False
        except Unwritable:
            is_left = journal_of(path).exists()
            if not is_left:
                raise
        if not is_left:
            yield db, False
            return
    with TemporaryDirectory(prefix="scorepad-") as folder:
        copied = Path(folder) / path.name
        for each in (path, journal_of(path)):
            shutil.copyfile(each, copied.with_name(each.name))
        with closing(look(copied, "rw")) as db:
            yield db, True


def _inside(db: Database, path: Path, version: int, check: Check) -> Iterator[CheckResult]:
    is_older = version < known_version()
    yield check_result("older" if is_older else "schema", version=version, known=known_version())
    connection.checked_version(db, path)
    yield check_result("pages")
    strays = db.execute("pragma foreign_key_check").fetchall()
    tables = ", ".join(sorted({str(table) for table, *_ in strays}))
    yield check_result("strays", False, tables=tables) if strays else check_result("references")
    if is_older:
        return
    names = [match for (match,) in db.execute("select id from matches order by id").fetchall()]
    found: dict[str, list[str]] = {}
    for match in names:
        found.setdefault(_find_problem(db, path, match, check), []).append(match)
    found.pop("", None)
    for code, matches in found.items():
        yield check_result(code, False, matches=", ".join(matches))
    if not found:
        yield check_result("matches", count=len(names))


def _find_problem(db: Database, path: Path, match: str, check: Check) -> str:
    db.execute("begin")  # one match at a time, so that writers need not wait for all of them
    try:
        return check(ReadTransaction(db, path), match)
    except BrokenFile:
        return "match-garbled"
    finally:
        db.execute("rollback")
