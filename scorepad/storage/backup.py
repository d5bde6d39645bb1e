"""Backups: whole copies of the data file beside it or elsewhere, made while others write."""

from __future__ import annotations

import filecmp
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from scorepad.storage.copying import matches_in, whole_copy
from scorepad.storage.errors import BrokenFile, ForeignFile, NewerFile, NoCopy, Unwritable
from scorepad.storage.files import give_name, journal_of, take_place, whole_path
from scorepad.storage.header import header_of


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made: where it is, and how many matches are in it."""

    path: Path
    matches: int


def back_up(data: Path, target: Path | None, now: datetime) -> Backup:
    """Copy the data file to `target`, or into that folder; without one, beside it under the moment `now`.

    An earlier backup in its place is replaced in one step, once the new one is whole. Raises StorageError where the
    data file cannot be copied, and NoCopy where the copy cannot be put there; nothing was changed then.
    """
    data = whole_path(data)
    try:
        header_of(data)
    except OSError as trouble:
        raise Unwritable.of(data, trouble) from trouble
    wanted = data.parent if target is None else whole_path(target)
    try:
        return _back_up(data, wanted, now)
    except OSError as trouble:
        raise NoCopy.of(wanted, trouble) from trouble


def _back_up(data: Path, wanted: Path, now: datetime) -> Backup:
    if wanted.is_dir():
        folder, names = wanted, _dated(wanted, data, now)
    else:
        folder, names = wanted.parent, None
        _admit(wanted, data)
    with whole_copy(data, folder) as fresh:
        matches = matches_in(fresh)
        placed = _put(fresh, wanted) if names is None else _name_by(fresh, names)
    return Backup(placed, matches)


def keep_earlier(path: Path, version: int) -> None:
    """A backup of a file of an earlier schema beside it, before it is brought up: `scorepad-schema-1.db`.

    One that is there already with the same content is enough. Raises NoCopy, and BrokenFile where it is not sound.
    """
    with whole_copy(path, path.parent) as fresh:
        for wanted in _numbered(path, f"schema-{version}"):
            try:
                if give_name(fresh, wanted) or _is_same(fresh, wanted):
                    return
            except OSError as trouble:
                raise NoCopy.of(wanted, trouble) from trouble


def _is_same(fresh: Path, there: Path) -> bool:
    return there.is_file() and filecmp.cmp(fresh, there, shallow=False)


def _admit(wanted: Path, data: Path) -> None:
    """Whether a backup may be put there: nothing is lost but an earlier one. Raises NoCopy."""
    if journal_of(wanted).exists():
        # SQLite would take that for what is to be taken back of the new file.
        raise NoCopy(wanted, reason="in-use")
    if not wanted.exists():
        return
    if wanted.samefile(data):
        raise NoCopy(wanted, reason="data-file")
    try:
        header_of(wanted)
    except (NewerFile, BrokenFile, ForeignFile, Unwritable) as trouble:
        raise NoCopy(wanted, reason="not-ours") from trouble


def _put(fresh: Path, wanted: Path) -> Path:
    if wanted.exists():
        take_place(fresh, wanted)
    elif not give_name(fresh, wanted):
        raise NoCopy(wanted, reason="exists")
    return wanted


def _name_by(fresh: Path, names: Iterator[Path]) -> Path:
    return next(name for name in names if give_name(fresh, name))


def _dated(folder: Path, data: Path, now: datetime) -> Iterator[Path]:
    # A clock may show the same second again: then they are numbered.
    return _numbered(folder / data.name, f"{now:%Y-%m-%d-%H%M%S}")


def _numbered(path: Path, mark: str) -> Iterator[Path]:
    """`scorepad-MARK.db` beside `scorepad.db`, and where that is taken, `scorepad-MARK-2.db`."""
    ends = chain([""], (f"-{number}" for number in count(2)))
    return (path.with_name(f"{path.stem}-{mark}{end}{path.suffix}") for end in ends)
