"""Temporary files beside the data file, in which exports are made before they are sent.

They have no name, so that nothing of them remains if the process is killed. Their bytes are
limited, all together: they stay until a slow client has fetched them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import SpooledTemporaryFile
from threading import Lock
from types import TracebackType
from typing import Self

from scorepad.errors import ScorepadError
from scorepad.storage.connection import FolderUnwritable, NoRoomToSave, has_room_to_save

MOST_BYTES = 512 * 2**20
"""Most bytes of all scratch files of the process."""
LARGEST = 160 * 2**20
"""Most bytes of one scratch file: it is made from two others, which hold its parts."""
IN_MEMORY = 128 * 1024
"""Bytes of a scratch file up to which it is in memory, and needs no disk."""


class ScratchFull(ScorepadError):
    """The scratch files of others, which are not yet fetched, leave no place for more."""


class ScratchTooLarge(ScorepadError):
    """More than one scratch file may hold."""


class _Total:
    """The bytes of all scratch files."""

    def __init__(self) -> None:
        self._bytes = 0
        self._lock = Lock()

    def add(self, count: int) -> None:
        """Add bytes that are about to be written. Raises ScratchFull if there is no place."""
        with self._lock:
            if self._bytes + count > MOST_BYTES:
                raise ScratchFull
            self._bytes += count

    def remove(self, count: int) -> None:
        with self._lock:
            self._bytes -= count


_bytes_of_all_files = _Total()


class ScratchFile:
    """A temporary file in the folder of the data file, of limited length. It is written at its end
    only.

    Writing raises ScratchFull, ScratchTooLarge, NoRoomToSave and FolderUnwritable.
    """

    _size = 0

    def __init__(self, data: Path) -> None:
        self._data = data
        self._file = SpooledTemporaryFile(max_size=IN_MEMORY, dir=str(data.parent))  # noqa: SIM115 - closed by `close`

    def write(self, content: bytes, /) -> int:
        """Append bytes to the file, and return how many they are."""
        new_size = self._size + len(content)
        self._require_room_for(new_size)
        _bytes_of_all_files.add(
            len(content)
        )  # counted first, so that other threads leave the place free
        self._size = new_size
        with FolderUnwritable.instead_of_os_error(self._data):
            return self._file.write(content)

    def _require_room_for(self, size: int) -> None:
        """Make sure that the file may grow to this size, in bytes.

        Raises ScratchTooLarge if one file may not, and NoRoomToSave if the disk is nearly full.
        """
        if size > LARGEST:
            raise ScratchTooLarge
        is_on_disk = size > IN_MEMORY
        if is_on_disk and not has_room_to_save(self._data):
            raise NoRoomToSave(self._data)

    def writelines(self, pieces: Iterable[bytes]) -> None:
        for piece in pieces:
            self.write(piece)

    def read(self, size: int = -1, /) -> bytes:
        return self._file.read(size)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move; returns the new offset."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        """The server asks this of a file that it sends."""
        return True

    def truncate(self) -> None:
        """Delete the whole content. Call `seek(0)` before."""
        assert self.tell() == 0
        self._file.truncate()
        self._give_back_bytes()

    def close(self) -> None:
        self._file.close()
        self._give_back_bytes()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        """Close a file that nobody closed, because its request failed."""
        self.close()

    def _give_back_bytes(self) -> None:
        """Make the place of this file free for other scratch files, once its content is deleted."""
        _bytes_of_all_files.remove(self._size)
        self._size = 0
