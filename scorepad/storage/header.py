"""The first octets of the data file: whether it is ours, of which schema, and whether it is all there."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from scorepad.storage.errors import BrokenFile, ForeignFile, NewerFile, Unwritable
from scorepad.storage.files import journal_of
from scorepad.storage.schema import APPLICATION_ID, known_version

_MAGIC = b"SQLite format 3\x00"
_LENGTH = 100


class Header(NamedTuple):
    """What the first octets of an SQLite file say.

    `whole` is its size in octets by its own account; `unfinished`: something stands beside it that SQLite may have to
    take back or to take in before it reads.
    """

    application: int
    version: int
    whole: int
    wal: bool
    unfinished: bool


def header_of(path: Path) -> Header:
    """The header of a file of this program's that is all there, of a version that this program knows.

    Raises ForeignFile, NewerFile, BrokenFile, Unwritable, and OSError.
    """
    if not path.is_file():
        raise Unwritable(path, reason="folder" if path.is_dir() else "not-a-file")
    header = _read(path)
    if header.application != APPLICATION_ID:
        raise ForeignFile(path)
    if header.version > known_version():
        raise NewerFile(path, header.version, known_version())
    # A journal left behind means that SQLite has something to take back first, so that the sizes may differ.
    if not journal_of(path).exists() and path.stat().st_size < header.whole:
        raise BrokenFile(path, reason="cut-short")
    return header


def _read(path: Path) -> Header:
    with path.open("rb") as file:
        start = file.read(_LENGTH)
    if not start:
        raise BrokenFile(path, reason="empty")
    if not start.startswith(_MAGIC):
        raise ForeignFile(path)
    if len(start) < _LENGTH:
        raise BrokenFile(path, reason="cut-short")
    page = int.from_bytes(start[16:18], "big")
    pages = int.from_bytes(start[28:32], "big")
    version = int.from_bytes(start[60:64], "big")
    whole = (65536 if page == 1 else page) * pages
    wal = start[18:20] == b"\x02\x02"
    unfinished = wal or journal_of(path).exists()
    return Header(int.from_bytes(start[68:72], "big"), version, whole, wal, unfinished)
