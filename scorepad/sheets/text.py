"""Text that people wrote, made fit for paper."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_FIRST_STRONG_ISOLATE = "\N{FIRST STRONG ISOLATE}"
_POP_ISOLATE = "\N{POP DIRECTIONAL ISOLATE}"
_TURNING = frozenset({"R", "AL", "AN", "RLE", "RLO", "LRE", "LRO", "PDF", "RLI", "LRI", "FSI", "PDI"})
"""Classes of characters that can change the direction of the text around them."""
_ISOLATES = frozenset({"RLI", "LRI", "FSI", "PDI"})


def printable(value: object) -> object:
    """A value without what cannot be printed: controls and lone surrogates become `�`, line ends spaces."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    if value.isprintable():
        return value
    return "".join(_printable(character) for character in value)


def isolated(name: str) -> str:
    """A name that leaves the order of the text around it alone, whichever way it is written."""
    if not any(unicodedata.bidirectional(character) in _TURNING for character in name):
        return name
    kept = "".join(character for character in name if unicodedata.bidirectional(character) not in _ISOLATES)
    return f"{_FIRST_STRONG_ISOLATE}{kept}{_POP_ISOLATE}"


def told_apart(name: str, otherwise: str, others: Iterable[str], lacking: frozenset[str]) -> str:
    """A name; with another one behind it where what can be drawn of it names nobody, or one of the others as well."""
    drawn = _drawn(name, lacking)
    if any(map(str.isalnum, drawn)) and drawn not in {_drawn(other, lacking) for other in others if other != name}:
        return isolated(name)
    return f"{isolated(name)} ({otherwise})" if lacking else isolated(name)


def is_spelt(name: str, lacking: frozenset[str]) -> bool:
    """Whether a name is legible letter by letter from left to right, which is how WeasyPrint draws it in a picture."""
    return not any(
        character in lacking
        or unicodedata.bidirectional(character) in _TURNING
        or unicodedata.category(character)[0] in "MC"
        or unicodedata.category(character) == "So"
        for character in name
    )


def _drawn(name: str, lacking: frozenset[str]) -> str:
    return " ".join("".join(character for character in name if character not in lacking).split())


def _printable(character: str) -> str:
    if character.isspace():
        return " "
    return REPLACEMENT if unicodedata.category(character) in ("Cc", "Cs", "Cn", "Co") else character
