"""What is written in a chart where nobody knows the font: how wide it is about, and names cut to their room."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

_NARROW = frozenset("iljtfrI.,:;!|'’()[]-· ")
_BROAD = frozenset("mwMWQOGD@%–…−+")
_WIDTHS = {"narrow": 0.38, "broad": 0.93, "usual": 0.62, "double": 1.1}
"""In heights of the letters: rather too wide than too narrow, for the broadest of the usual system fonts."""
CUT = "…"


def width_of(text: str, size: float) -> float:
    """How wide a text is at most, about, in letters of this size."""
    return round(sum(_WIDTHS[_kind(character)] for character in text) * size, 1)


def labels_of(
    names: Sequence[str], room: float, size: float, measure: Callable[[str, float], float]
) -> tuple[str, ...]:  # fmt: skip
    """Names that fit into this room and still tell each other apart."""
    for cut in (_after, _between):
        short = tuple(_fitted(name, lambda text: measure(text, size) <= room, cut) for name in names)
        if len(set(short)) == len(names):
            return short
    numbered = [f"{number} {name}" for number, name in enumerate(names, 1)]
    return tuple(_fitted(name, lambda text: measure(text, size) <= room, _after) for name in numbered)


def _fitted(name: str, fits: Callable[[str], bool], cut: Callable[[str, int], str]) -> str:
    """The name, or as much of it as fits."""
    if fits(name):
        return name
    kept = next((length for length in range(len(name) - 1, 1, -1) if fits(cut(name, length))), 1)
    return cut(name, kept)


def _after(name: str, length: int) -> str:
    return f"{name[:length].rstrip()}{CUT}"


def _between(name: str, length: int) -> str:
    """The beginning and the end of a name: those of a row of numbered ones differ at the end."""
    head = (length + 1) // 2
    return f"{name[:head].rstrip()}{CUT}{name[len(name) - (length - head) :].lstrip()}"


def _kind(character: str) -> str:
    if unicodedata.east_asian_width(character) in ("W", "F") or ord(character) > 0xFFFF:  # noqa: PLR2004 - emoji
        return "double"
    if character in _NARROW:
        return "narrow"
    return "broad" if character in _BROAD else "usual"
