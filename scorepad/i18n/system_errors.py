"""Errors of the operating system as the end of a sentence."""

from __future__ import annotations

import errno

from scorepad.i18n.catalogue import Words

_REASONS = {
    "ENOENT": "missing",
    "ENOTDIR": "not-a-folder",
    "EISDIR": "folder",
    "EEXIST": "exists",
    "EACCES": "permission",
    "EPERM": "permission",
    "EROFS": "read-only",
    "ENOSPC": "full",
    "EDQUOT": "full",
    "EFBIG": "too-big",
    "ENAMETOOLONG": "long-name",
    "ELOOP": "loop",
    "EBUSY": "in-use",
    "EIO": "disk",
    "EBADF": "closed",
    "EMFILE": "too-many-open",
    "ENFILE": "too-many-open",
    "EADDRINUSE": "address-in-use",
    "EADDRNOTAVAIL": "address-elsewhere",
}
"""The end of the message key `machine.…`, by the symbol of the error."""


def describe_os_error(error: OSError, words: Words) -> str:
    """Say why an operation of the system failed, as the end of a sentence: "the disk is full"."""
    detail = error.strerror or str(error)
    return describe_system_error(find_key_of_os_error(error), detail, words)


def find_key_of_os_error(error: OSError) -> str:
    """Return the end of the message key for a system error: `full` for ENOSPC.

    Empty for an error without a message of its own.
    """
    symbol = errno.errorcode.get(error.errno or 0, "")  # 28 → "ENOSPC"
    return _REASONS.get(symbol, "")


def describe_system_error(reason: str, detail: str, words: Words) -> str:
    """Say why the system refused something, as the end of a sentence.

    - `reason` with a message of its own: `full` → "the disk is full"
    - any other, with the system's text as `detail` → "the system does not allow it (Illegal seek)"
    """
    key = f"machine.{reason}"
    if reason and words.has(key):
        return words.t(key)
    return words.t("machine.other", detail=detail)
