"""What the machine says, in words."""

from __future__ import annotations

from scorepad.i18n.words import Words

_KEYS = {
    FileNotFoundError: "machine.missing",
    IsADirectoryError: "machine.directory",
    NotADirectoryError: "machine.missing",
    PermissionError: "machine.permission",
}


def because(trouble: OSError, words: Words) -> str:
    """Why the machine refused, as the end of a sentence; its own words where we have none."""
    key = _KEYS.get(type(trouble))
    return words.text(key) if key else trouble.strerror or str(trouble)
