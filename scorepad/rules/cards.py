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
        """Let pydantic read, write and describe these cards as a plain list in JSON: `[4, "h", 2]`.

        Its parts are the kind (an index of `KINDS`), the suit and the number. Without this method,
        the OpenAPI document would describe them as a class with arguments.
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
        """Return how many of these cards are of this kind: two kings in `K K 9`."""
        return self.counts[INDEX[kind]]

    def points(self, values: tuple[int, ...]) -> int:
        """Add up the points of these cards.

        `values` are the points of a card of each kind, in the order of `KINDS`: `K K 9` with kings
        and nines at 10 points → 30.
        """
        # This runs for every group of cards, and a plain loop would take twice as long.
        return sum(map(mul, self.counts, values))

    def is_among(self, others: Cards) -> bool:
        """Tell whether all these cards are among the others.

        `K K` is among `K K 9`, but not among `K 9`. A card without a suit matches any suit, and
        the other way round.
        """
        # A card that is not among the others cannot be taken away, so that more of them are left.
        number_left = subtract_cards(others, self).size
        return number_left == others.size - self.size


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
    """Put several texts that were read as cards together into one.

    `K K foo` and `9` → `K K 9`, with `foo` as a word that is no card.
    """
    cards: list[Cards] = []
    unknown: list[str] = []
    for reading in readings:
        cards.append(reading.cards)
        unknown += reading.unknown
    return Reading(gather(cards), tuple(unknown))


def gather(bundles: Iterable[Cards]) -> Cards:
    """Put several bundles of cards together into one: `K K` and `K 9` → `K K K 9`."""
    all_bundles = list(bundles)
    # Most calls have one bundle or none. What follows would give the same result, but slower.
    if not all_bundles:
        return NO_CARDS
    if len(all_bundles) == 1:
        return all_bundles[0]

    # Each bundle has the number of jokers, of twos, of aces and so on: add up kind by kind.
    numbers_by_kind = zip(*[bundle.counts for bundle in all_bundles], strict=True)
    counts = tuple(map(sum, numbers_by_kind))
    number_by_suit: defaultdict[SuitedKind, int] = defaultdict(int)
    for bundle in all_bundles:
        for cards in bundle.suited:
            number_by_suit[SuitedKind(cards.kind, cards.suit)] += cards.number
    return Cards(counts, _sort_suited(number_by_suit))


def _sort_suited(number_by_suit: Mapping[SuitedKind, int]) -> tuple[SuitedCards, ...]:
    """List the cards whose suit is known, sorted by kind and suit, as `Cards.suited` holds them.

    `number_by_suit` may also have cards without a suit, and numbers that are 0: they are left out.
    """
    suited: list[SuitedCards] = []
    for (kind, suit), number in sorted(number_by_suit.items()):
        if suit and number:
            suited.append(SuitedCards(kind, suit, number))
    return tuple(suited)


def read_cards(text: str) -> Reading:
    """Read cards from text as people write it: `"4xK 2x2 JK"` is four kings, two twos and a joker.

    A suit may follow a rank (`"Qh"` is the queen of hearts); `"3r"` is a red three, `"3b"` a black
    one. It never raises: words that are not cards are listed in `unknown` of the result.
    """
    if len(text) <= _REMEMBERED_LENGTH:
        return _read_remembered(text)
    return _read_tokens(text)


def parse_cards(text: str) -> Cards:
    """Read cards from text that is known to be right, such as that of a data file.

    It is written as for `read_cards`. Raises UnreadableCards if there are words that are not cards.
    """
    reading = read_cards(text)
    if reading.unknown:
        raise UnreadableCards(reading.unknown)
    return reading.cards


def _read_tokens(text: str) -> Reading:
    """Read the words of a line of cards, which are separated by spaces.

    `2xK foo 0x9` → two kings, and the unreadable words `foo` and `0x9`.
    """
    number_by_suit: Counter[SuitedKind] = Counter()
    unknown: list[str] = []
    for word in text.split():
        token = _TOKEN.fullmatch(word)
        if token is None:
            unknown.append(word)
            continue
        number = int(token["number"] or 1)
        if number == 0:  # `0x9` is surely a slip
            unknown.append(word)
            continue
        number_by_suit[_find_card_of_token(token)] += number
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


def _find_card_of_token(token: re.Match[str]) -> SuitedKind:
    """Return the card that a word of text names, from the match of `_TOKEN`.

    `2xQh` → the queen of hearts; `T` → a ten whose suit is not known. The number is read elsewhere.
    """
    if token["joker"]:
        return SuitedKind(JOKER)
    if token["three"]:
        return _THREES[token["three"].lower()]
    rank = token["rank"].upper()
    if rank == "T":
        rank = Kind.TEN.value
    suit = token["suit"] or ""
    return SuitedKind(INDEX[rank], suit.lower())


_SPECIAL_IN_A_DECK = {Kind.JOKER: 2, Kind.BLACK_THREE: 2, Kind.RED_THREE: 2}
_OF_ANY_OTHER_KIND = 4


@cache
def count_cards_in_decks(decks: int) -> tuple[int, ...]:
    """Count how many cards of each kind there are in so many decks, in the order of `KINDS`.

    In two decks: four jokers, eight twos, eight aces … and four black and four red threes.
    """
    counts: list[int] = []
    for kind in KINDS:
        number_in_a_deck = _SPECIAL_IN_A_DECK.get(kind, _OF_ANY_OTHER_KIND)
        counts.append(decks * number_in_a_deck)
    return tuple(counts)


def build_cards(counts: Mapping[int, int], suited: tuple[SuitedCards, ...] = ()) -> Cards:
    """Build cards from the number of each kind: `{3: 2}` are two kings, as kings have the index 3.

    `suited` are those among them whose suit is known.
    """
    in_order = [0] * len(KINDS)
    for kind, count in counts.items():
        in_order[kind] = count
    return Cards(tuple(in_order), suited)


def count_by_suit(cards: Cards) -> dict[SuitedKind, int]:
    """Count how many cards there are of each kind and suit.

    Cards whose suit is not known are counted by themselves: `Q Qh Qh`, where 4 is the index of
    queens → `{SuitedKind(4): 1, SuitedKind(4, "h"): 2}`.
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
    """Build cards from how many there are of each kind and suit: the reverse of `count_by_suit`.

    `{SuitedKind(4): 1, SuitedKind(4, "h"): 2}` → three queens, of which two are hearts.
    """
    counts = [0] * len(KINDS)
    for card, number in number_by_suit.items():
        counts[card.kind] += number
    return Cards(tuple(counts), _sort_suited(number_by_suit))


def subtract_cards(cards: Cards, others: Cards) -> Cards:
    """Take the `others` away from the cards, and return those that are left.

    `K K Qh` without `K` → `K Qh`. Cards that are not there cannot be taken away: that is no error.
    Suits may be unknown. `Qh` takes away a queen of hearts, or else a queen of no known suit. `Q`
    takes away any queen, preferably one of no known suit.
    """
    left = Counter(count_by_suit(cards))
    to_remove = count_by_suit(others)
    with_suit = [card for card in to_remove if card.suit]
    without_suit = [card for card in to_remove if not card.suit]
    # Cards of a known suit have fewer cards to choose from, so they are removed first.
    for card in (*with_suit, *without_suit):
        still_to_remove = to_remove[card]
        for matching in _list_matching_cards(card):
            removed = min(still_to_remove, left[matching])
            left[matching] -= removed
            still_to_remove -= removed
    return build_cards_by_suit(left)


def _list_matching_cards(card: SuitedKind) -> list[SuitedKind]:
    """List the cards that may be the same as this one, the best match first.

    - the queen of hearts → itself, then a queen whose suit is not known
    - a queen whose suit is not known → another such queen, then the queen of each suit
    """
    without_suit = SuitedKind(card.kind)
    is_suit_known = card.suit != ""
    if is_suit_known:
        return [card, without_suit]
    of_any_suit = [SuitedKind(card.kind, suit.value) for suit in sorted(Suit)]
    return [without_suit, *of_any_suit]


_KINDS_IN_WRITING = (*NATURAL_INDICES, BLACK_THREE, RED_THREE, TWO, JOKER)


def write_cards(cards: Cards) -> str:
    """Write cards as people do, natural cards first and jokers last: `"Qd 2xQh 2 JK"`.

    These are a queen of diamonds and two of hearts, a two and a joker. No cards → `""`.
    """
    number_by_suit = count_by_suit(cards)
    tokens: list[str] = []
    for card in sorted(number_by_suit, key=_order_in_writing):
        tokens.append(_write_token(card, number_by_suit[card]))
    return " ".join(tokens)


def _order_in_writing(card: SuitedKind) -> tuple[int, str]:
    """Make the key by which cards are sorted for writing.

    Aces to fours come first, then threes, twos and jokers. Cards of one kind are sorted by suit.
    """
    return _KINDS_IN_WRITING.index(card.kind), card.suit


def _write_token(card: SuitedKind, number: int) -> str:
    """Write equal cards as one word, with their number if there are several: `2xQh`, `3s`, `JK`."""
    rank = KINDS[card.kind].value
    if card.suit and card.kind in (BLACK_THREE, RED_THREE):
        rank = "3"  # the suit gives its colour
    if number == 1:
        return f"{rank}{card.suit}"
    return f"{number}x{rank}{card.suit}"
