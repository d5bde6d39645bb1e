"""The cards that were typed for a question, in the notation of the contract; melds one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scorepad.i18n import Language, Words
from scorepad.i18n.typed_cards import Typed, read_typed
from scorepad.rules.cards import Cards, Suit, read_cards
from scorepad.rules.settings import Sequences, Settings

_BETWEEN_MELDS = re.compile(r"[/;\n]+")
_A_MELD = 3
"""So many cards and more may be a meld of their own."""
_JACK = re.compile(r"(?:[0-9]+x)?J", re.IGNORECASE)


def cards_of(text: str) -> str:
    """Cards in notation. What is wrong with them was told before."""
    return " ".join(read_typed(text).text.split())


def read_line(text: str) -> Typed:
    """A whole line of cards or melds, with all that is wrong in it."""
    parts = [read_typed(part) for part in _BETWEEN_MELDS.split(text)]
    doubts = tuple(doubt for part in parts for doubt in part.doubts)
    unknown = tuple(token for part in parts for token in part.unknown)
    return Typed(" ".join(part.text for part in parts), doubts, unknown)


def melds_of(text: str, settings: Settings) -> list[str]:
    """The melds in one line, in notation. A slash stands between two of them; a comma between cards, or two melds."""
    return [meld for part in _BETWEEN_MELDS.split(text) for meld in _by_commas(part, settings)]


def _by_commas(text: str, settings: Settings) -> Iterator[str]:
    """`K, K, 2` is one meld, `3 re, 3 otto` are two: naturals of another rank begin another."""
    parts, meld = [part for part in map(cards_of, text.split(",")) if part], ""
    if settings.sequences is not Sequences.NONE and all(read_cards(part).cards.size < _A_MELD for part in parts):
        parts = [cards_of(text)] if parts else []  # `4, 5, 6 di cuori`: the suit is of them all
    for part in parts:
        if meld and _begins_another(read_cards(meld).cards, read_cards(part).cards, settings):
            yield meld
            meld = part
        else:
            meld = f"{meld} {part}".lstrip()
    if meld:
        yield meld


def _begins_another(before: Cards, cards: Cards, settings: Settings) -> bool:
    differ = bool(before.ranks and cards.ranks) and before.ranks != cards.ranks
    return differ and (settings.sequences is Sequences.NONE or cards.size >= _A_MELD)


def notes_on(text: str, words: Words) -> Iterator[str]:
    """What a letter was taken for that an Italian table may have meant otherwise."""
    if words.language is not Language.ITALIAN:
        return
    line = read_line(text).text
    cards = read_cards(line).cards
    if any(suit == Suit.CLUBS for _, suit, _ in cards.suited):
        yield words.text("referee.note.clubs")
    if len(cards.ranks) > 1 and any(map(_JACK.fullmatch, line.split())):
        yield words.text("referee.note.jack")
