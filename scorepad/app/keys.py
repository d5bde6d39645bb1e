"""The key that cookies are signed with: made at the first start beside the data file, for its owner's eyes only."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

LENGTH = 32
"""Octets, of chance."""


class KeyUnusable(Exception):
    """The key file cannot be made or read. Attributes: `path`, `detail` (what the machine said, in English)."""

    def __init__(self, path: Path, detail: str) -> None:
        super().__init__(f"{path}: {detail}")
        self.path = path
        self.detail = detail


def key_path(data: Path) -> Path:
    """Where the key of a data file stands."""
    return data.with_name(f"{data.name}.key")


def signing_key(data: Path) -> bytes:
    """The key of a data file, the same at every start. Raises KeyUnusable."""
    path = key_path(data)
    try:
        if not path.exists():
            _make(path)
        key = path.read_bytes()
    except OSError as trouble:
        raise KeyUnusable(path, trouble.strerror or str(trouble)) from trouble
    if len(key) < LENGTH:
        raise KeyUnusable(path, "too short")
    return key


def _make(path: Path) -> None:
    """Write a new key whole before it has its name, so that two starts at once end with one key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_bytes(LENGTH))
            stream.flush()
            os.fsync(stream.fileno())
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink()
