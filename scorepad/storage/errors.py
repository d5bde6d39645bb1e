"""What can go wrong with the data file. Each tells the file; the words for people are the catalogue's."""

from __future__ import annotations

from pathlib import Path

from scorepad.errors import ScorepadError


class StorageError(ScorepadError):
    """The data file cannot be used, or not now. `path` is the file, `detail` what the machine said, in English."""

    def __init__(self, path: Path, detail: str = "") -> None:
        super().__init__(": ".join(filter(None, (type(self).__name__, str(path), detail))))
        self.path = path
        self.detail = detail


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
    """A folder that cannot be made or a file that cannot be opened or written: rights, a full disk, a fault of it."""


class Busy(StorageError):
    """Somebody else held the file for longer than anybody waits."""
