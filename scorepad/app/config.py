"""The configuration of the application, and the key that its cookies are signed with."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from scorepad.i18n import os_error_key
from scorepad.storage.connection import FolderUnwritable, create_empty, publish

LENGTH = 32
"""Bytes of a signing key."""


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of the application; nothing is taken from the working directory.

    `data` is the data file, `key` the signing key of cookies; `allowed_hosts` are further names of this machine,
    `listens` is the host that the server listens on. `proxies`: the number of proxies in front of the server, which are
    believed for the client's address, https and the host name. `limited`: rate limits apply. `testing` lets exceptions
    through to the test.
    """

    data: Path
    key: bytes
    allowed_hosts: tuple[str, ...] = ()
    listens: str = "127.0.0.1"
    proxies: int = 0
    limited: bool = True
    testing: bool = False


class KeyUnusable(Exception):
    """The key file exists and cannot be read.

    Attributes: `path`, `detail` (what the system said, in English) and `reason` (the end of its message key).
    """

    def __init__(self, path: Path, detail: str, reason: str) -> None:
        super().__init__(f"{path}: {detail}")
        self.path = path
        self.detail = detail
        self.reason = reason


def key_path(data: Path) -> Path:
    """The key file of a data file."""
    return data.with_name(f"{data.name}.key")


def signing_key(data: Path) -> bytes:
    """The key of a data file, made at the first start, readable by its owner only.

    Raises KeyUnusable, and FolderUnwritable where none can be made.
    """
    path = key_path(data)
    try:
        if not path.exists():
            _make(path, data)
        key = path.read_bytes()
    except OSError as error:
        raise KeyUnusable(path, error.strerror or str(error), os_error_key(error)) from error
    if len(key) < LENGTH:
        raise KeyUnusable(path, "too short", "cut-short")
    return key


def _make(path: Path, data: Path) -> None:
    """Write a new key whole before it has its name, so that two starts at once end with one key."""
    draft = path.with_name(f".scorepad-{secrets.token_hex(8)}.new")
    try:
        create_empty(draft)
        try:
            with draft.open("r+b") as stream:
                stream.write(secrets.token_bytes(LENGTH))
                stream.flush()
                os.fsync(stream.fileno())
            publish(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise FolderUnwritable.of(data, error) from error
