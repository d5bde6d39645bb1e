"""How wide a text can be in a font that is not known: on the pages, the one of the reader's system."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

_NARROW = frozenset("iljtfrI.,:;!|'’()[]-· ")
_BROAD = frozenset("mwMWQOGD@%–…−+")
_FIRST_EMOJI_PLANE = 0x10000


def measure_width(text: str, size: float) -> float:
    """The greatest width of a text of this size, in the widest of the usual system fonts."""
    width = sum(_width_of_character(character) for character in text)
    return round(width * size, 1)


def _width_of_character(character: str) -> float:
    """The width in units of the text size."""
    is_full_width = unicodedata.east_asian_width(character) in ("W", "F")
    if is_full_width or ord(character) >= _FIRST_EMOJI_PLANE:
        return 1.1
    if character in _NARROW:
        return 0.38
    if character in _BROAD:
        return 0.93
    return 0.62


Cut = Callable[[str, int], str]
"""Shortens a name to a number of characters and an ellipsis."""


def shorten_names(names: Sequence[str], room: float, size: float) -> tuple[str, ...]:
    """Names shortened to this width so that they still differ.

    They are cut at the end; if two are then the same, in the middle; if that does not help, they are
    numbered.
    """
    for cut in (_beginning, _both_ends):
        labels = tuple(_fitted(name, room, size, cut) for name in names)
        all_differ = len(set(labels)) == len(names)
        if all_differ:
            return labels
    numbered = [f"{number} {name}" for number, name in enumerate(names, 1)]
    return tuple(_fitted(name, room, size, _beginning) for name in numbered)


def _fitted(name: str, room: float, size: float, cut: Cut) -> str:
    """The name, shortened to fit; at least one character remains."""
    if measure_width(name, size) <= room:
        return name
    for length in range(len(name) - 1, 0, -1):
        shorter = cut(name, length)
        if measure_width(shorter, size) <= room:
            return shorter
    return cut(name, 1)


def _beginning(name: str, length: int) -> str:
    """The first letters of a name, and an ellipsis."""
    return f"{name[:length].rstrip()}…"


def _both_ends(name: str, length: int) -> str:
    """The beginning and the end of a name: numbered names differ at the end."""
    of_beginning = (length + 1) // 2
    of_end = length - of_beginning
    beginning = name[:of_beginning].rstrip()
    end = name[len(name) - of_end :].lstrip()
    return f"{beginning}…{end}"
