"""Files of the data folder: made for their owner only, named when they are whole, and what stands beside them."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path

from scorepad.storage.errors import Unwritable

FLOOR = 64 * 2**20
"""Octets of free disk below which no match is begun or imported, so that those being played can go on."""
EVERYBODY = 0o077
"""The rights of all but the owner, in the mode of a file."""

Stamp = tuple[int, int, int, int]
"""Device and inode of a file, its size, and when it was written last, in nanoseconds."""

FRESH = ".scorepad-*.new"
"""The names of files that are not whole yet, as a pattern: one that stays was left by somebody who was cut short."""


def whole_path(path: Path) -> Path:
    """Where a path leads in the end. Raises Unwritable for links that lead to one another."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as trouble:  # RuntimeError up to Python 3.12
        raise Unwritable(path, str(trouble), "loop") from trouble


def stamp_of(path: Path) -> Stamp:
    """What tells whether a file is still the one that it was. Raises Unwritable where there is none."""
    try:
        told = path.stat()
    except OSError as trouble:
        raise Unwritable.of(path, trouble) from trouble
    return told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns


def has_room(path: Path) -> bool:
    """Whether there is room enough on the disk to begin or import a match."""
    return shutil.disk_usage(path.parent).free >= FLOOR


def is_exposed(path: Path) -> bool:
    """Whether other users of the computer can read or change a file, or enter a folder."""
    return os.name == "posix" and path.exists() and bool(path.stat().st_mode & EVERYBODY)


def fresh_beside(path: Path) -> Path:
    """A name in the folder of a path that no other file has, for what is not whole yet."""
    return path.with_name(FRESH.replace("*", secrets.token_hex(6)))


def make_room(fresh: Path) -> None:
    """An empty file of this name and its folder, for whoever runs the pad only. Raises OSError."""
    fresh.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def give_name(fresh: Path, path: Path) -> bool:
    """Call a file that is whole by its name, for good and in one step; False where the name was taken by then."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without links, as on memory cards
        if path.exists():
            return False
        fresh.rename(path)
    sync_folder(path.parent)
    return True


def take_place(fresh: Path, path: Path) -> None:
    """Put a file that is whole in the place of another, for good and in one step. Raises OSError."""
    fresh.replace(path)
    sync_folder(path.parent)


def sync(path: Path) -> None:
    """See to it that what was written to a file is on the disk. Raises OSError."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """See to it that the names of a folder are on the disk. Raises OSError."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def journal_of(path: Path) -> Path:
    """Where SQLite notes what it takes back of a save that was cut short."""
    return path.with_name(path.name + "-journal")
