"""What can go wrong with the data file. Each tells the file; the words for people are the catalogue's."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from scorepad.errors import ScorepadError
from scorepad.i18n import os_error_key


class StorageError(ScorepadError):
    """The data file cannot be used, or not now.

    `path` is the file, `detail` what the machine said, in English, and `reason` the end of the key of its words, empty
    where there are none.
    """

    def __init__(self, path: Path, detail: str = "", reason: str = "") -> None:
        detail = detail or reason.replace("-", " ")
        super().__init__(": ".join(filter(None, (type(self).__name__, str(path), detail))))
        self.path = path
        self.detail = detail
        self.reason = reason

    @classmethod
    def of(cls, path: Path, trouble: OSError) -> Self:
        """What the system said of the file."""
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
    """The folder of the file, `folder`, cannot be made or takes no files: no save would be safe in it."""

    @classmethod
    def of(cls, path: Path, trouble: OSError) -> Self:
        """What the system said of the folder: where it should be there may be something else."""
        reason = "not-a-folder" if isinstance(trouble, FileExistsError) else os_error_key(trouble)
        return cls(path, trouble.strerror or str(trouble), reason)

    @property
    def folder(self) -> Path:
        """The folder that the file is in, or would be."""
        return self.path.parent


class NoCopy(StorageError):
    """A copy of the data file that cannot be made: `path` is where it should be, or that file's name meanwhile."""

    @property
    def folder(self) -> Path:
        """The folder of the copy."""
        return self.path.parent


class NotKept(StorageError):
    """A file of an earlier scorepad that stays as it is, because no backup of it can be made before it changes."""

    @property
    def folder(self) -> Path:
        """Where the backup should be."""
        return self.path.parent


class NoRoom(StorageError):
    """Too little free disk to begin or import a match; matches that are being played are saved all the same."""


class Busy(StorageError):
    """Another process held the lock of the file for too long."""
