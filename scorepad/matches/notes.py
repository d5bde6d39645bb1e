"""What people write beside figures: notes, remarks and reasons, as they are kept."""

from __future__ import annotations

import unicodedata

from scorepad.matches.labels import TURNING, UNSEEN, composed

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing."""
_SAYS = ("L", "N", "P", "S")


def tidy_note(text: str) -> str:
    """A note in one line, without marks that nobody sees or that turn the text around them."""
    lines = " ".join(composed(text).split())
    return "".join(mark for mark in lines if unicodedata.category(mark) not in UNSEEN and mark not in TURNING).strip()


def says_something(text: str) -> bool:
    """Whether there is something to read in it."""
    return any(unicodedata.category(mark)[0] in _SAYS and mark not in _BLANK for mark in text)
