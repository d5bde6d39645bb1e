"""Parse cards as people write them, `3 re 1 jolly`, `KKK`, `three kings`, into the notation of the
contract.

Ambiguous input is not guessed: it is returned as a doubt, so that the page can ask.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from scorepad.i18n.card_words import NO_WORD, RANKS, THREE, Word, WordKind, split_into_words
from scorepad.rules.cards import Kind, read_cards


class Doubt(StrEnum):
    """Why typed text is ambiguous."""

    WILD = "wild"
    """A wild card of unknown kind."""
    MANY = "many"
    """Several cards of a kind, without their number."""
    COLOUR = "colour"
    """A three without its colour."""
    COUNT = "count"
    """A number that is either a count or a card."""
    LETTER = "letter"
    """A letter for different cards in Italian and English, or for a suit."""
    OTHER = "other"
    """A card that is not in these decks."""


class TypedDoubt(NamedTuple):
    """Typed words that can be read in two ways, and why."""

    reason: Doubt
    typed: str


class TypedCards(NamedTuple):
    """What was read from a line of cards: the cards in notation, doubts and unknown words."""

    text: str
    doubts: tuple[TypedDoubt, ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass
class _CountedCard:
    """A card in notation, such as `K` or `Kh`, and how many of it were typed."""

    count: int
    notation: str

    def __str__(self) -> str:
        """The card in the notation of the contract: `K`, or `3xK` for several."""
        return self.notation if self.count == 1 else f"{self.count}x{self.notation}"


_SUITED = frozenset({*(kind.value for kind in Kind if kind.is_natural), "T", Kind.TWO.value, THREE})
"""The ranks that a suit may follow."""
_LONGEST = 1000
"""The maximum length of a line to be parsed: no hand needs as many characters, and long lines are
slow to parse.
"""


def parse_typed_cards(text: str) -> TypedCards:
    """Read cards as people write them: `3 re e un jolly` are `3xK JK`.

    Text that is in notation already stays as it is.
    """
    if not read_cards(text).unknown:
        return TypedCards(text)
    if len(text) > _LONGEST:
        return TypedCards("", unknown=tuple(text.split()))
    return _LineReader(split_into_words(text)).read()


def to_notation(text: str) -> str:
    """Typed cards in notation, followed by the words that are unknown.

    Text that can be read in two ways stays as it is.
    """
    typed = parse_typed_cards(text)
    if typed.doubts:
        return text
    # Of `0 K` the K is unknown; behind the other cards it would be taken for a king.
    unknown_cards = [token for token in typed.unknown if read_cards(token).cards.size]
    if unknown_cards:
        return text
    return " ".join((typed.text, *typed.unknown)).strip()


class _LineReader:
    """Reads the words of a line of cards from left to right.

    It collects `cards`, `doubts` and `unknown` words. Meanwhile it remembers:

    - `pending_number`: the number read last, until it is clear whether it counts the next card or
      is a card itself;
    - `unnumbered_card`: the previous card as typed, if no number stood before it; then the next
      number may be a card as well;
    - `first_without_suit`: the index of the first card that a suit named later may belong to.
    """

    def __init__(self, line: list[Word]) -> None:
        self.line = line
        self.is_every_card_counted = _is_every_card_counted(line)
        self.cards: list[_CountedCard] = []
        self.doubts: list[TypedDoubt] = []
        self.unknown: list[str] = []
        self.pending_number: Word | None = None
        self.unnumbered_card = ""
        self.first_without_suit = 0

    def read(self) -> TypedCards:
        """Read all words of the line."""
        padded = [NO_WORD, *self.line, NO_WORD]
        for index, word in enumerate(self.line, 1):
            self._read_word(word, before=padded[index - 1], after=padded[index + 1])
        self._append_pending_number()
        text = " ".join([str(card) for card in self.cards])
        return TypedCards(text, tuple(self.doubts), tuple(self.unknown))

    def _read_word(self, word: Word, before: Word, after: Word) -> None:
        """Read a word by its kind; some depend on the words before and after it."""
        match word.kind:
            case WordKind.NUMBER:
                self._read_number(word, before, after)
            case WordKind.PAIR:
                self._read_pair(word)
            case WordKind.CARD:
                self._read_card(word)
            case WordKind.COLOUR:
                self._read_colour(word, before, after)
            case WordKind.SUIT:
                self._read_suit(word)
            case WordKind.WILD | WordKind.LETTER | WordKind.OTHER:
                self._read_ambiguous_word(word)
            case WordKind.NOTHING:
                self._read_separator()
                self.unknown.append(word.raw)
            case _:
                self._read_separator()

    # one method for each kind of word

    def _read_number(self, number: Word, before: Word, after: Word) -> None:
        """Read a number: it counts the next card, or it is a card itself as in `4 4 5`."""
        is_three = number.means == THREE
        if is_three and before.kind is WordKind.COLOUR:
            return  # the three of `black three` was read with its colour
        if is_three and self.pending_number and after.kind is WordKind.COLOUR:
            # `2 3 neri` are two black threes: the first number can only count them.
            self.pending_number = self.pending_number._replace(is_joined=True)
            return
        is_rank = number.means in RANKS
        can_be_card = is_rank and (number.is_spelled or self._is_clear_count_of(number))
        if self.pending_number and can_be_card:
            self._read_card(number)
            return
        self._append_pending_number()
        self.pending_number = number

    def _read_pair(self, word: Word) -> None:
        """Read `pair` as a number: two, or with a number before it twice as many."""
        pairs = int(self.pending_number.means) if self.pending_number else 1
        self.pending_number = word._replace(means=str(2 * pairs), is_joined=True)

    def _read_card(self, card: Word) -> None:
        """Add a card as often as the number before it says; `kings` alone is a doubt."""
        if self.pending_number is None and card.is_plural:
            self._append_doubt(Doubt.MANY, card)
        elif self._is_clear_count_of(card):
            self._append_cards(card.means, card.raw)
        else:
            self._append_doubt(Doubt.COUNT, card)

    def _read_colour(self, colour: Word, before: Word, after: Word) -> None:
        """Add threes of a colour: `black three` and `3 nero` are one, `3 neri` are three."""
        is_before_three = after.means == THREE
        is_plural = colour.is_plural or (is_before_three and after.is_plural)
        number = self.pending_number
        if number is None and before.kind is WordKind.CARD and not is_before_three:
            self.unknown.append(colour.raw)  # `re nero`: only threes have a colour
            return
        if number is None and is_plural:
            self._append_doubt(Doubt.MANY, colour)
            return
        if number and number.means == THREE and not number.is_joined and not is_plural:
            self.pending_number = None  # the 3 of `3 nero` is the card, not a count
        self._append_cards(colour.means, typed="")

    def _read_suit(self, suit: Word) -> None:
        """Give a suit to the card before it, and to cards before that one: `4 5 6 di cuori`."""
        number = self.pending_number
        if number and number.means in (*RANKS, THREE):
            # The number of `7 di cuori` is the card.
            self.pending_number = None
            self._append_cards(number.means, typed=number.means)
        if not self.cards or self.cards[-1].notation not in _SUITED:
            self.unknown.append(suit.raw)
            return
        last_card = self.cards[-1]
        if suit.is_joined or last_card.count > 1:  # `K♥`, `2 re di cuori`: no other cards
            cards_of_suit = [last_card]
        else:
            possible_cards = self.cards[self.first_without_suit :]
            cards_of_suit = [card for card in possible_cards if card.notation in _SUITED]
        for card in cards_of_suit:
            card.notation += suit.means
        self.first_without_suit = len(self.cards)

    def _read_ambiguous_word(self, word: Word) -> None:
        """Add a doubt about a word that names no certain card, with the number before it."""
        is_counted = not word.is_singular or self._is_clear_count_of(word)
        if not is_counted:
            self._append_pending_number()  # `10 10 matta`: the numbers are cards
        self._append_doubt(Doubt(word.kind.value), word)

    def _read_separator(self) -> None:
        """End what came before: a number before a comma counts nothing after it."""
        self._append_pending_number()
        self.unnumbered_card = ""

    # the number read last

    def _is_clear_count_of(self, word: Word) -> bool:
        """Whether the number before a word, if there is one, can only be a count of it."""
        number = self.pending_number
        if number is None or number.can_only_count:
            return True
        if word.is_plural or self.is_every_card_counted:
            return True
        if word.is_singular or self.unnumbered_card:
            return False  # `4 donna`, `K 4 re`: the number may be a card too
        if word.kind is WordKind.CARD and word.is_spelled:
            return True
        # `4 K`, `due 8`: clear if one is written in letters and the other is not.
        return number.is_spelled != word.is_spelled

    def _append_pending_number(self) -> None:
        """Add the number read last as a card, since nothing follows that it could count."""
        number = self.pending_number
        self.pending_number = None
        if number is None:
            return
        if number.means in RANKS and not number.is_joined:
            self._append_cards(number.means, typed=number.raw)
        elif number.means == THREE:
            self.doubts.append(TypedDoubt(Doubt.COLOUR, number.raw))
        else:
            self.unknown.append(number.raw)

    # what was read

    def _append_cards(self, notation: str, typed: str) -> None:
        """Add a card as often as the number before it says; `typed` is the card as typed."""
        if self.pending_number:
            count = int(self.pending_number.means)
            self.pending_number = None
            self.unnumbered_card = ""
        else:
            count = 1
            self.unnumbered_card = typed
        if count == 0:
            self.unknown.append(notation)
        else:
            self.cards.append(_CountedCard(count, notation))

    def _append_doubt(self, reason: Doubt, word: Word) -> None:
        """Add a doubt about a word; its text includes the number before the word."""
        typed = [word.raw]
        if self.pending_number:
            typed.insert(0, self.pending_number.raw)
        if reason is Doubt.COUNT and self.unnumbered_card:
            typed.insert(0, self.unnumbered_card)
        self.pending_number = None
        self.doubts.append(TypedDoubt(reason, " ".join([text for text in typed if text])))


def _is_every_card_counted(line: list[Word]) -> bool:
    """Whether each card of a line has a number before it: `2 K 1 jolly 3 Q`.

    Most of the numbers must be such that they cannot be cards themselves.
    """
    parts = [word for word in line if word.kind is not WordKind.BETWEEN]
    numbers = parts[0::2]
    cards = parts[1::2]
    if len(numbers) != len(cards):
        return False
    if any(number.kind is not WordKind.NUMBER for number in numbers):
        return False
    if any(card.kind not in (WordKind.CARD, WordKind.WILD) for card in cards):
        return False
    clear_numbers = [number for number in numbers if number.can_only_count]
    return len(clear_numbers) > len(numbers) / 2
