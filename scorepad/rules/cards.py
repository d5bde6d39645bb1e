"""Cards: their notation, counts of cards by kind, and how many of each kind the decks hold.

Suits matter only for sequences and for the count of the decks, so a bundle of cards is a count for
each kind of card, with the suits stored separately if they were given.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from operator import mul


class Kind(StrEnum):
    """A kind of card, by its token in text. Threes are two kinds, by colour."""

    JOKER = "JK"
    TWO = "2"
    ACE = "A"
    KING = "K"
    QUEEN = "Q"
    JACK = "J"
    TEN = "10"
    NINE = "9"
    EIGHT = "8"
    SEVEN = "7"
    SIX = "6"
    FIVE = "5"
    FOUR = "4"
    BLACK_THREE = "3b"
    RED_THREE = "3r"

    @property
    def is_wild(self) -> bool:
        """Whether it is a joker or a two."""
        return self in (Kind.JOKER, Kind.TWO)

    @property
    def is_three(self) -> bool:
        """Whether it is a three of either colour."""
        return self in (Kind.BLACK_THREE, Kind.RED_THREE)

    @property
    def is_natural(self) -> bool:
        """Whether it is a natural card (ace, king to four). All others are special."""
        return not self.is_wild and not self.is_three


class Suit(StrEnum):
    """A suit, by its letter in text."""

    HEARTS = "h"
    DIAMONDS = "d"
    SPADES = "s"
    CLUBS = "c"


KINDS = tuple(Kind)
INDEX: Mapping[str, int] = {kind: index for index, kind in enumerate(KINDS)}
"""The index of each kind, by the kind or its token."""
JOKER = INDEX[Kind.JOKER]
TWO = INDEX[Kind.TWO]
FIRST_NATURAL = INDEX[Kind.ACE]
END_NATURAL = INDEX[Kind.BLACK_THREE]
BLACK_THREE = INDEX[Kind.BLACK_THREE]
RED_THREE = INDEX[Kind.RED_THREE]
NATURAL_INDICES = range(FIRST_NATURAL, END_NATURAL)

_TOKEN = re.compile(
    r"(?:([0-9]{1,12})x)?(?:(JK)|([AKQJT987654]|10|2)([hdsc])?|3([hdscrb]))",
    re.IGNORECASE | re.ASCII,
)
_THREE_OF_LETTER = {"h": RED_THREE, "d": RED_THREE, "r": RED_THREE}
# Typed lines are short; longer ones are not cached, so that hostile input does not fill memory.
_REMEMBERED_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Cards:
    """An unordered bundle of cards.

    `counts` is the number of each kind, in the order of `KINDS`. `suited` is how many of those were
    given with their suit, as (index of the kind, suit, cards), sorted.
    """

    counts: tuple[int, ...]
    suited: tuple[tuple[int, str, int], ...] = ()

    @property
    def size(self) -> int:
        return sum(self.counts)

    @property
    def wilds(self) -> int:
        """The number of jokers and twos."""
        return self.counts[JOKER] + self.counts[TWO]

    @property
    def naturals(self) -> int:
        """The number of natural cards (ace, king to four)."""
        return sum(self.counts[FIRST_NATURAL:END_NATURAL])

    @property
    def ranks(self) -> tuple[int, ...]:
        """The natural ranks among them, as indices into `KINDS`."""
        return tuple(index for index in NATURAL_INDICES if self.counts[index])

    def of(self, kind: Kind) -> int:
        return self.counts[INDEX[kind]]

    def points(self, values: tuple[int, ...]) -> int:
        """Their total points; `values` are the points of each kind in the order of `KINDS`."""
        return sum(map(mul, self.counts, values))

    def is_among(self, others: Cards) -> bool:
        """Whether all these cards are among the others; a card without a suit matches any suit."""
        return subtract_cards(others, self).size == others.size - self.size


NO_CARDS = Cards((0,) * len(KINDS))


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading a line of cards: the cards, and the tokens that are not cards."""

    cards: Cards
    unknown: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of its cards and tokens."""
        return self.cards.size + len(self.unknown)


NOTHING = Reading(NO_CARDS)


def gather_readings(*readings: Reading) -> Reading:
    """The cards and the unknown tokens of several readings as one."""
    cards: list[Cards] = []
    unknown: list[str] = []
    for reading in readings:
        cards.append(reading.cards)
        unknown += reading.unknown
    return Reading(gather(cards), tuple(unknown))


def gather(bundles: Iterable[Cards]) -> Cards:
    """All the cards of several bundles as one."""
    all_bundles = [NO_CARDS, *bundles]
    counts_by_bundle = [bundle.counts for bundle in all_bundles]
    counts = map(sum, zip(*counts_by_bundle, strict=True))
    suited: dict[tuple[int, str], int] = {}
    for bundle in all_bundles:
        for index, suit, count in bundle.suited:
            suited[index, suit] = suited.get((index, suit), 0) + count
    return Cards(tuple(counts), tuple((*card, count) for card, count in sorted(suited.items())))


def read_cards(text: str) -> Reading:
    """Read cards as people write them: `"4xK 2x2 JK"`, `"Qh 10s 3b"`. Unknown tokens are in
    `unknown`.
    """
    if len(text) <= _REMEMBERED_LENGTH:
        return _read_remembered(text)
    return _read_tokens(text)


def parse_cards(text: str) -> Cards:
    """Read cards from trusted text. Raises ValueError naming the tokens that are not cards."""
    reading = read_cards(text)
    if reading.unknown:
        raise ValueError(f"no cards: {' '.join(reading.unknown)}")
    return reading.cards


def _read_tokens(text: str) -> Reading:
    counts = Counter[tuple[int, str]]()
    unknown: list[str] = []
    for token in text.split():
        match = _TOKEN.fullmatch(token)
        count = int(match[1] or 1) if match else 0
        if match and count:
            counts[_kind_and_suit(match)] += count
        else:
            unknown.append(token)
    return Reading(build_cards_by_suit(counts), tuple(unknown))


_read_remembered = lru_cache(maxsize=4096)(_read_tokens)


def _kind_and_suit(match: re.Match[str]) -> tuple[int, str]:
    _, joker, rank, suit, three = match.groups()
    if joker:
        return JOKER, ""
    if three:
        letter = three.lower()
        kind = _THREE_OF_LETTER.get(letter, BLACK_THREE)
        return kind, "" if letter in "rb" else letter
    name = rank.upper()
    return INDEX["10" if name == "T" else name], (suit or "").lower()


_IN_A_DECK = {Kind.JOKER: 2, Kind.BLACK_THREE: 2, Kind.RED_THREE: 2}
_OF_A_RANK = 4


@cache
def in_decks(decks: int) -> tuple[int, ...]:
    """The number of cards of each kind in this many decks, in the order of `KINDS`."""
    return tuple(decks * _IN_A_DECK.get(kind, _OF_A_RANK) for kind in KINDS)


def build_cards(counts: Mapping[int, int], suited: tuple[tuple[int, str, int], ...] = ()) -> Cards:
    """Cards from the count of each kind (index), and those with a known suit."""
    in_order = [0] * len(KINDS)
    for index, count in counts.items():
        in_order[index] = count
    return Cards(tuple(in_order), suited)


def by_suit(cards: Cards) -> dict[tuple[int, str], int]:
    """The number of cards of each kind (index) and suit; the suit is empty if none was given."""
    counts = {(index, ""): count for index, count in enumerate(cards.counts)}
    for index, suit, count in cards.suited:
        counts[index, suit] = count
        counts[index, ""] -= count
    return {card: count for card, count in counts.items() if count}


def build_cards_by_suit(counts_by_suit: Mapping[tuple[int, str], int]) -> Cards:
    """Cards from the count of each kind (index) and suit, as `by_suit` returns it."""
    counts = [0] * len(KINDS)
    suited: list[tuple[int, str, int]] = []
    for (index, suit), count in sorted(counts_by_suit.items()):
        counts[index] += count
        if suit and count:
            suited.append((index, suit, count))
    return Cards(tuple(counts), tuple(suited))


def subtract_cards(cards: Cards, others: Cards) -> Cards:
    """The cards minus `others`. A card without a suit removes any card of its kind, those without a
    suit first.
    """
    left = by_suit(cards)
    to_remove = by_suit(others)
    suited_first = sorted(to_remove, key=lambda card: not card[1])
    for index, suit in suited_first:
        candidates = [(index, suit), (index, "")]
        if not suit:
            candidates += [(index, each.value) for each in sorted(Suit)]
        count = to_remove[index, suit]
        for card in candidates:
            removed = min(count, left.get(card, 0))
            count -= removed
            left[card] = left.get(card, 0) - removed
    return build_cards_by_suit(left)


def write_cards(cards: Cards) -> str:
    """Cards as people write them, natural cards first and jokers last: `"2xQh Qd 2 JK"`."""
    tokens = []
    for (index, suit), count in sorted(by_suit(cards).items(), key=_writing_order):
        rank = KINDS[index].value
        if suit and index in (BLACK_THREE, RED_THREE):
            rank = "3"
        times = f"{count}x" if count > 1 else ""
        tokens.append(f"{times}{rank}{suit}")
    return " ".join(tokens)


def _writing_order(entry: tuple[tuple[int, str], int]) -> tuple[bool, bool, int, str]:
    """Sort key: natural cards, then twos, then jokers."""
    (index, suit), _ = entry
    return index in (JOKER, TWO), index == JOKER, index, suit
