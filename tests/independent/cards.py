"""Cards, their text and what the decks hold (rules: "Cards, points, decks"; contract: "Cards in
text").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

NATURALS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4")
SUITS = ("h", "d", "s", "c")
JOKER, TWO, BLACK, RED = "JK", "2", "3b", "3r"
WILDS = (JOKER, TWO)

POINTS = (
    {JOKER: 50, TWO: 20, "A": 20, BLACK: 5, RED: 0}
    | dict.fromkeys(("K", "Q", "J", "10", "9", "8"), 10)
    | dict.fromkeys(("7", "6", "5", "4"), 5)
)
"""Card points of what is laid or held; a red three is a bonus, never card points."""

_TOKEN = re.compile(r"(?:(\d+)x)?(10|[akqjt2-9]|jk)([hdscrb]?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Card:
    """One card: its rank (threes as `3r` or `3b`) and its suit where the text names one."""

    rank: str
    suit: str | None = None

    @property
    def points(self) -> int:
        """Card points."""
        return POINTS[self.rank]


@dataclass(frozen=True, slots=True)
class Cards:
    """What a card string says: the cards read, and whether some token was no card."""

    known: tuple[Card, ...]
    unknown: bool = False

    def __len__(self) -> int:
        return len(self.known)

    @property
    def points(self) -> int:
        """Card points of all of them."""
        return sum(card.points for card in self.known)

    @property
    def is_something(self) -> bool:
        """Whether the string names anything at all, be it no card."""
        return bool(self.known) or self.unknown

    @property
    def wilds(self) -> tuple[Card, ...]:
        return tuple(card for card in self.known if card.rank in WILDS)

    @property
    def naturals(self) -> tuple[Card, ...]:
        return tuple(card for card in self.known if card.rank in NATURALS)

    @property
    def blacks(self) -> tuple[Card, ...]:
        return tuple(card for card in self.known if card.rank == BLACK)

    @property
    def reds(self) -> tuple[Card, ...]:
        return tuple(card for card in self.known if card.rank == RED)

    @property
    def ranks(self) -> set[str]:
        """The ranks of its naturals, black threes counted as one of them."""
        return {card.rank for card in (*self.naturals, *self.blacks)}


def read_cards(text: str) -> Cards:
    """The cards of a string; every token that is no card only sets `unknown`."""
    known: list[Card] = []
    unknown = False
    for token in text.split():
        cards = _read_token(token)
        if cards is None:
            unknown = True
        else:
            known += cards
    return Cards(tuple(known), unknown)


def _read_token(token: str) -> list[Card] | None:
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    count = int(match[1]) if match[1] else 1
    card = _card(match[2].upper(), match[3].lower())
    return None if card is None or count == 0 else [card] * count


def _card(rank: str, suit: str) -> Card | None:
    rank = "10" if rank == "T" else rank
    if rank == "3":
        return _three(suit)
    if suit in ("r", "b") or (rank == JOKER and suit):
        return None
    return Card(rank, suit or None)


def _three(suit: str) -> Card | None:
    if not suit:
        return None
    colour = RED if suit in ("h", "d", "r") else BLACK
    return Card(colour, None if suit in ("r", "b") else suit)


def in_decks(rank: str, decks: int) -> int:
    """How many cards of a rank so many decks hold."""
    return decks * (2 if rank in (JOKER, BLACK, RED) else 4)


def exceeds_decks(cards: Iterable[Card], decks: int) -> bool:
    """Whether there are more of a card than the decks hold; red threes are not looked at."""
    named = [card for card in cards if card.rank != RED]
    by_rank = Counter(card.rank for card in named)
    by_card = Counter(card for card in named if card.suit)
    return any(n > in_decks(rank, decks) for rank, n in by_rank.items()) or any(
        n > decks for n in by_card.values()
    )
