"""How wide a text can be in a font that is not known: on the pages, the one of the reader's system."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

_NARROW = frozenset("iljtfrI.,:;!|'’()[]-· ")
_BROAD = frozenset("mwMWQOGD@%–…−+")
_FIRST_EMOJI_PLANE = 0x10000


def measure_width(text: str, size: float) -> float:
    """Estimate the greatest width that a text of this size can have.

    Pages use the font of the reader's system, which nobody knows here: the widest of the usual ones
    is assumed.
    """
    width = sum(_estimate_width_of_character(character) for character in text)
    return round(width * size, 1)


def _estimate_width_of_character(character: str) -> float:
    """Estimate the width of a character, in units of the text size: 0.38 for `i`, 0.93 for `m`."""
    is_full_width = unicodedata.east_asian_width(character) in ("W", "F")  # Chinese, say
    if is_full_width or ord(character) >= _FIRST_EMOJI_PLANE:
        return 1.1
    if character in _NARROW:
        return 0.38
    if character in _BROAD:
        return 0.93
    return 0.62


def break_into_rows(text: str, room: float, size: float) -> list[str]:
    """Break a text between its words into rows that fit into a width.

    "Nonna Rosa e Zia Carla", with room for 12 letters → "Nonna Rosa e", "Zia Carla". A word that is
    too long for a row by itself has one for itself, which does not fit.
    """
    rows: list[str] = []
    for word in text.split():
        longer_row = f"{rows[-1]} {word}" if rows else word
        if rows and measure_width(longer_row, size) <= room:
            rows[-1] = longer_row
        else:
            rows.append(word)
    return rows


Cut = Callable[[str, int], str]
"""Shortens a name to a number of characters and an ellipsis."""


def shorten_names(names: Sequence[str], room: float, size: float) -> tuple[str, ...]:
    """Shorten names so that each fits into a width, and that they still differ.

    - cut at the end: `Margherita`, `Bartolomeo` → "Margh…", "Bartol…"
    - if two would then be equal, cut in the middle: `Giocatore 1`, `Giocatore 2` → "Gio…e 1",
      "Gio…e 2"
    - if even that does not help, numbered and cut at the end: "1 Gio…", "2 Gio…"
    """
    for cut in (_cut_at_end, _cut_in_middle):
        shortened = tuple(_shorten_to_fit(name, room, size, cut) for name in names)
        do_all_differ = len(set(shortened)) == len(names)
        if do_all_differ:
            return shortened
    numbered = [f"{number} {name}" for number, name in enumerate(names, 1)]
    return tuple(_shorten_to_fit(name, room, size, _cut_at_end) for name in numbered)


def _shorten_to_fit(name: str, room: float, size: float, cut: Cut) -> str:
    """Shorten a name as little as needed to fit into a width. At least one character remains.

    `cut` is the way to shorten it: at the end or in the middle.
    """
    if measure_width(name, size) <= room:
        return name
    for length in range(len(name) - 1, 0, -1):  # one character less each time
        shorter_name = cut(name, length)
        if measure_width(shorter_name, size) <= room:
            return shorter_name
    return cut(name, 1)


def _cut_at_end(name: str, length: int) -> str:
    """Keep the first characters of a name: `Margherita`, 5 → "Margh…"."""
    return f"{name[:length].rstrip()}…"


def _cut_in_middle(name: str, length: int) -> str:
    """Keep the beginning and the end of a name: `Giocatore 1`, 6 → "Gio…e 1".

    Names with a number differ at the end.
    """
    length_of_beginning = (length + 1) // 2
    length_of_end = length - length_of_beginning
    beginning = name[:length_of_beginning].rstrip()
    end = name[len(name) - length_of_end :].lstrip()
    return f"{beginning}…{end}"
