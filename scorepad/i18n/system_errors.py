"""Errors of the system in words: the system, the data file and the reader of JSON speak English."""

from __future__ import annotations

import errno
import re

from scorepad.i18n.words import Words

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

_JSON_AT = re.compile(r"(?P<what>.*) at line (?P<line>\d+) column (?P<column>\d+)", re.DOTALL)
_JSON = {
    "expected `:`": "colon",
    "expected `,` or `]`": "comma",
    "expected `,` or `}`": "comma",
    "expected value": "value",
    "expected ident": "value",
    "key must be a string": "key",
    "trailing comma": "comma-too-many",
    "trailing characters": "more",
    "invalid number": "number",
    "number out of range": "number",
    "invalid unicode code point": "encoding",
    "byte order mark": "mark",
    "invalid escape": "escape",
    "lone leading surrogate in hex escape": "escape",
    "unexpected end of hex escape": "escape",
    "recursion limit exceeded": "deep",
}
_JSON_BEGINNINGS = {"EOF while parsing": "end", "control character": "control"}


def os_error_text(trouble: OSError, words: Words) -> str:
    """Why the machine refused, as the end of a sentence; its own words, in brackets, where we have none."""
    return system_error_text(os_error_key(trouble), trouble.strerror or str(trouble), words)


def os_error_key(trouble: OSError) -> str:
    """Why the machine refused, as the end of a key; nothing where nobody has words for it."""
    return _REASONS.get(errno.errorcode.get(trouble.errno or 0, ""), "")


def system_error_text(reason: str, detail: str, words: Words) -> str:
    """A reason in words, or what the system said."""
    key = f"machine.{reason}"
    return words.text(key) if reason and words.has(key) else words.text("machine.other", detail=detail)


def json_error_text(detail: str, words: Words) -> str:
    """What the reader of JSON complains of, with its line and column; its own words where we have none."""
    found = _JSON_AT.fullmatch(detail)
    if not found:
        return detail
    what, line, column = found["what"], int(found["line"]), int(found["column"])
    reason = _JSON.get(what) or next((key for start, key in _JSON_BEGINNINGS.items() if what.startswith(start)), None)
    if reason == "end" and (line, column) == (1, 0):
        return words.text("json.nothing")
    why = words.text(f"json.{reason}") if reason else words.text("json.other", detail=what)
    return words.text("json.at", line=line, column=column, reason=why)
