"""What can go wrong with the data file. Each error names the file; the words for people are the catalogue's."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from scorepad.errors import ScorepadError
from scorepad.i18n import os_error_key


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
