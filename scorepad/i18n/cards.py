"""Cards as people say them."""

from __future__ import annotations

from scorepad.i18n.words import Words
from scorepad.rules.cards import JOKER, KINDS, TWO


def cards_in_words(counts: tuple[int, ...], words: Words) -> str:
    """So many of each kind: `4 re, 2 pinelle e 1 jolly`."""
    order = sorted(range(len(KINDS)), key=lambda index: (index in (TWO, JOKER), index == JOKER))
    said = [
        f"{counts[index]} {words.plural(f'card.{KINDS[index]}', counts[index])}" for index in order if counts[index]
    ]
    return words.listing(said) if said else ""
