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


def os_error_text(error: OSError, words: Words) -> str:
    """Why an operation of the system failed, in words: `the disk is full`."""
    detail = error.strerror or str(error)
    return system_error_text(os_error_key(error), detail, words)


def os_error_key(error: OSError) -> str:
    """The end of the message key for a system error: `full` for ENOSPC; empty if there is none."""
    symbol = errno.errorcode.get(error.errno or 0, "")
    return _REASONS.get(symbol, "")


def system_error_text(reason: str, detail: str, words: Words) -> str:
    """The message for a reason such as `full`; without one the system's own text, in brackets."""
    key = f"machine.{reason}"
    if reason and words.has(key):
        return words.t(key)
    return words.t("machine.other", detail=detail)
