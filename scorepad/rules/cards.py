"""Cards: their notation, counts of cards by kind, and how many of each kind the decks hold.

Suits matter only for sequences and for the count of the decks, so a bundle of cards is a count for
each kind of card, with the suits stored separately if they were given.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from operator import mul
from typing import NamedTuple

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema

from scorepad.errors import UnreadableCards


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
    r"(?:(?P<number>[0-9]{1,12})x)?"
    r"(?:(?P<joker>JK)|(?P<rank>[AKQJT987654]|10|2)(?P<suit>[hdsc])?|3(?P<three>[hdscrb]))",
    re.IGNORECASE | re.ASCII,
)
# Typed lines are short; longer ones are not cached, so that hostile input does not fill memory.
_REMEMBERED_LENGTH = 64


class SuitedKind(NamedTuple):
    """A kind of card and its suit: the queen of hearts is `SuitedKind(4, "h")`.

    `kind` is an index of `KINDS`, `suit` the letter of the suit; empty if no suit was given.
    """

    kind: int
    suit: str = ""


class SuitedCards(NamedTuple):
    """Equal cards of a known suit: two queens of hearts are `SuitedCards(4, "h", 2)`."""

    kind: int
    suit: str
    number: int

    @classmethod
    def __get_pydantic_core_schema__(
        cls, _source: object, schema_of: GetCoreSchemaHandler
    ) -> CoreSchema:
        """The schema of a plain tuple, by which pydantic reads, writes and describes the class.

        By itself it would treat it as a class with arguments. The OpenAPI document describes it so as
        an array of three values: `[4, "h", 2]`.
        """
        return schema_of(tuple[int, str, int])


@dataclass(frozen=True, slots=True)
class Cards:
    """An unordered bundle of cards.

    `counts` is the number of each kind, in the order of `KINDS`. `suited` is how many of those were
    given with their suit, as (index of the kind, suit, cards), sorted.
    """

    counts: tuple[int, ...]
    suited: tuple[SuitedCards, ...] = ()

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
        """How many of them are of this kind."""
        return self.counts[INDEX[kind]]

    def points(self, values: tuple[int, ...]) -> int:
        """Their total points; `values` are the points of a card of each kind, in the order of
        `KINDS`.
        """
        return sum(map(mul, self.counts, values))

    def is_among(self, others: Cards) -> bool:
        """Whether all these cards are among the others; a card without a suit matches any suit."""
        without_these = subtract_cards(others, self)
        # Cards that the others do not have cannot be taken away from them.
        return without_these.size == others.size - self.size


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
    """All the cards of several bundles as one bundle."""
    all_bundles = list(bundles)
    # Many are one bundle or none: what follows would change nothing, but take time.
    if not all_bundles:
        return NO_CARDS
    if len(all_bundles) == 1:
        return all_bundles[0]

    counts_of_bundles = [bundle.counts for bundle in all_bundles]
    counts = tuple(map(sum, zip(*counts_of_bundles, strict=True)))
    number_by_suit: defaultdict[SuitedKind, int] = defaultdict(int)
    for bundle in all_bundles:
        for cards in bundle.suited:
            number_by_suit[SuitedKind(cards.kind, cards.suit)] += cards.number
    return Cards(counts, _sort_suited(number_by_suit))


def _sort_suited(number_by_suit: Mapping[SuitedKind, int]) -> tuple[SuitedCards, ...]:
    """The cards of a known suit among these, in the order of `Cards.suited`."""
    suited: list[SuitedCards] = []
    for (kind, suit), number in sorted(number_by_suit.items()):
        if suit and number:
            suited.append(SuitedCards(kind, suit, number))
    return tuple(suited)


def read_cards(text: str) -> Reading:
    """Read cards as people write them: `"4xK 2x2 JK"` is four kings, two twos and a joker.

    A suit may follow a rank (`"Qh"`); `"3r"` is a red three, `"3b"` a black one. It never raises:
    tokens that are no cards are in `unknown` of the result.
    """
    if len(text) <= _REMEMBERED_LENGTH:
        return _read_remembered(text)
    return _read_tokens(text)


def parse_cards(text: str) -> Cards:
    """Read cards from trusted text, as `read_cards` does.

    Raises UnreadableCards, with the tokens that are no cards.
    """
    reading = read_cards(text)
    if reading.unknown:
        raise UnreadableCards(reading.unknown)
    return reading.cards


def _read_tokens(text: str) -> Reading:
    """Read the tokens of a line of cards, which are separated by spaces."""
    number_by_suit: Counter[SuitedKind] = Counter()
    unknown: list[str] = []
    for text_of_token in text.split():
        token = _TOKEN.fullmatch(text_of_token)
        if token is None:
            unknown.append(text_of_token)
            continue
        number = int(token["number"] or 1)
        if number == 0:
            unknown.append(text_of_token)
            continue
        number_by_suit[_card_of_token(token)] += number
    return Reading(build_cards_by_suit(number_by_suit), tuple(unknown))


_read_remembered = lru_cache(maxsize=4096)(_read_tokens)

_THREES = {
    "h": SuitedKind(RED_THREE, "h"),
    "d": SuitedKind(RED_THREE, "d"),
    "r": SuitedKind(RED_THREE),
    "s": SuitedKind(BLACK_THREE, "s"),
    "c": SuitedKind(BLACK_THREE, "c"),
    "b": SuitedKind(BLACK_THREE),
}
"""The threes, by the letter after the `3`: a suit, or `r` for red and `b` for black."""


def _card_of_token(token: re.Match[str]) -> SuitedKind:
    """The card that a token names: `2xQh` names the queen of hearts, `T` a ten of no known suit."""
    if token["joker"]:
        return SuitedKind(JOKER)
    if token["three"]:
        return _THREES[token["three"].lower()]
    rank = token["rank"].upper()
    if rank == "T":
        rank = Kind.TEN.value
    suit = token["suit"] or ""
    return SuitedKind(INDEX[rank], suit.lower())


_IN_A_DECK = {Kind.JOKER: 2, Kind.BLACK_THREE: 2, Kind.RED_THREE: 2}
_OF_A_RANK = 4


@cache
def in_decks(decks: int) -> tuple[int, ...]:
    """The number of cards of each kind in this many decks, in the order of `KINDS`."""
    return tuple(decks * _IN_A_DECK.get(kind, _OF_A_RANK) for kind in KINDS)


def build_cards(counts: Mapping[int, int], suited: tuple[SuitedCards, ...] = ()) -> Cards:
    """Cards from the number of each kind (its index), and those whose suit is known."""
    in_order = [0] * len(KINDS)
    for kind, count in counts.items():
        in_order[kind] = count
    return Cards(tuple(in_order), suited)


def count_by_suit(cards: Cards) -> dict[SuitedKind, int]:
    """How many of each card there are, where cards without a known suit are a kind by themselves.

    Three queens, of which two are known to be hearts, are `SuitedKind(4)` once and
    `SuitedKind(4, "h")` twice.
    """
    with_suit: Counter[int] = Counter()
    for kind, _, number in cards.suited:
        with_suit[kind] += number

    number_by_suit: dict[SuitedKind, int] = {}
    for kind, count in enumerate(cards.counts):
        without_suit = count - with_suit[kind]
        if without_suit:
            number_by_suit[SuitedKind(kind)] = without_suit
    for kind, suit, number in cards.suited:
        number_by_suit[SuitedKind(kind, suit)] = number
    return number_by_suit


def build_cards_by_suit(number_by_suit: Mapping[SuitedKind, int]) -> Cards:
    """Cards from how many of each there are, as `count_by_suit` returns it."""
    counts = [0] * len(KINDS)
    for card, number in number_by_suit.items():
        counts[card.kind] += number
    return Cards(tuple(counts), _sort_suited(number_by_suit))


def subtract_cards(cards: Cards, others: Cards) -> Cards:
    """The cards that are left when `others` are taken away.

    A card of a known suit removes one of that suit, or else one without a suit. A card without a
    suit removes any card of its kind, those without a suit first.
    """
    left = Counter(count_by_suit(cards))
    to_remove = count_by_suit(others)
    with_suit = [card for card in to_remove if card.suit]
    without_suit = [card for card in to_remove if not card.suit]
    # Cards of a known suit have fewer cards to choose from, so they are removed first.
    for card in (*with_suit, *without_suit):
        still_to_remove = to_remove[card]
        for matching in _matching_cards(card):
            removed = min(still_to_remove, left[matching])
            left[matching] -= removed
            still_to_remove -= removed
    return build_cards_by_suit(left)


def _matching_cards(card: SuitedKind) -> list[SuitedKind]:
    """The cards that may be the same as this one, the best match first: a queen of hearts may be a
    queen without a suit, and a queen without a suit may be any queen.
    """
    without_suit = SuitedKind(card.kind)
    if card.suit:
        return [card, without_suit]
    of_any_suit = [SuitedKind(card.kind, suit.value) for suit in sorted(Suit)]
    return [without_suit, *of_any_suit]


_KINDS_IN_WRITING = (*NATURAL_INDICES, BLACK_THREE, RED_THREE, TWO, JOKER)


def write_cards(cards: Cards) -> str:
    """Cards as people write them, natural cards first and jokers last: `"2xQh Qd 2 JK"`."""
    number_by_suit = count_by_suit(cards)
    tokens: list[str] = []
    for card in sorted(number_by_suit, key=_order_in_writing):
        tokens.append(_write_token(card, number_by_suit[card]))
    return " ".join(tokens)


def _order_in_writing(card: SuitedKind) -> tuple[int, str]:
    """Sort key: by the place of its kind in writing, then by suit."""
    return _KINDS_IN_WRITING.index(card.kind), card.suit


def _write_token(card: SuitedKind, number: int) -> str:
    """A card as people write it, with its number if there are several: `2xQh`, `3s`, `JK`."""
    rank = KINDS[card.kind].value
    if card.suit and card.kind in (BLACK_THREE, RED_THREE):
        rank = "3"  # the suit gives its colour
    if number == 1:
        return f"{rank}{card.suit}"
    return f"{number}x{rank}{card.suit}"
