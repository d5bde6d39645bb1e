"""The key that cookies are signed with: made at the first start beside the data file, for its owner's eyes only."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from scorepad.i18n import os_error_key
from scorepad.storage.connection import give_name, make_room
from scorepad.storage.errors import FolderUnwritable

LENGTH = 32
"""Octets, of chance."""


class KeyUnusable(Exception):
    """The key file is there and cannot be read.

    Attributes: `path`, `detail` (what the machine said, in English) and `reason` (the end of the key of its words).
    """

    def __init__(self, path: Path, detail: str, reason: str) -> None:
        super().__init__(f"{path}: {detail}")
        self.path = path
        self.detail = detail
        self.reason = reason


def key_path(data: Path) -> Path:
    """Where the key of a data file stands."""
    return data.with_name(f"{data.name}.key")


def signing_key(data: Path) -> bytes:
    """The key of a data file, the same at every start.

    Raises KeyUnusable, and FolderUnwritable where none can be made.
    """
    path = key_path(data)
    try:
        if not path.exists():
            _make(path, data)
        key = path.read_bytes()
    except OSError as trouble:
        raise KeyUnusable(path, trouble.strerror or str(trouble), os_error_key(trouble)) from trouble
    if len(key) < LENGTH:
        raise KeyUnusable(path, "too short", "cut-short")
    return key


def _make(path: Path, data: Path) -> None:
    """Write a new key whole before it has its name, so that two starts at once end with one key."""
    draft = path.with_name(f".scorepad-{secrets.token_hex(8)}.new")
    try:
        make_room(draft)
        try:
            with draft.open("r+b") as stream:
                stream.write(secrets.token_bytes(LENGTH))
                stream.flush()
                os.fsync(stream.fileno())
            give_name(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as trouble:
        raise FolderUnwritable.of(data, trouble) from trouble
