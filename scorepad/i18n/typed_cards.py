"""Parse cards as people write them, `3 re 1 jolly`, `KKK`, `three kings`, into the notation of the
contract.

Ambiguous input is not guessed: it is returned as a doubt, so that the page can ask.
"""

from __future__ import annotations

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


class Typed(NamedTuple):
    """The result of parsing: the cards in notation, the doubts with their reasons, and the unknown
    tokens.
    """

    text: str
    doubts: tuple[tuple[Doubt, str], ...] = ()
    unknown: tuple[str, ...] = ()


_SUITED = frozenset({*(kind.value for kind in Kind if kind.is_natural), "T", Kind.TWO.value, THREE})
"""The ranks that a suit may follow."""
_LONGEST = 1000
"""The maximum length of a line to be parsed: no hand needs as many characters, and long lines are
slow to parse.
"""


def read_typed(text: str) -> Typed:
    """Read cards as people write them. Text already in notation is unchanged."""
    if not read_cards(text).unknown:
        return Typed(text)
    if len(text) > _LONGEST:
        return Typed("", unknown=tuple(text.split()))
    return _Reader(split_into_words(text)).read()


def notated(text: str) -> str:
    """Cards in notation as far as they are clear, followed by the unknown tokens; ambiguous text is
    unchanged.
    """
    typed = read_typed(text)
    if typed.doubts:
        return text
    if any(read_cards(token).cards.size for token in typed.unknown):
        return text
    return " ".join((typed.text, *typed.unknown)).strip()


class _Reader:
    """Parses a list of words, from left to right.

    Attributes: `all_counted`, whether every number of the line is a count; `count`, the number read
    last, until it is known whether it counts the next card or is a card itself; `uncounted`, the
    previous card as typed if it had no number (then the next number may be a card as well);
    `suit_from`, the index of the first card to which a suit named later applies.
    """

    def __init__(self, line: list[Word]) -> None:
        self.line = line
        self.all_counted = _is_every_card_counted(line)
        self.cards: list[tuple[int, str]] = []
        self.doubts: list[tuple[Doubt, str]] = []
        self.unknown: list[str] = []
        self.count: Word | None = None
        self.uncounted = ""
        self.suit_from = 0

    def read(self) -> Typed:
        for index, word in enumerate(self.line):
            before = self.line[index - 1] if index else NO_WORD
            after = self.line[index + 1] if index + 1 < len(self.line) else NO_WORD
            self._read_word(word, before, after)
        self._end_count()
        notation = []
        for count, card in self.cards:
            notation.append(card if count == 1 else f"{count}x{card}")
        return Typed(" ".join(notation), tuple(self.doubts), tuple(self.unknown))

    def _read_word(self, word: Word, before: Word, after: Word) -> None:
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
                if word.single and not self._counts(word):
                    self._end_count()
                self._append_doubt(Doubt(word.kind.value), word)
            case _:
                self._end_count()
                self.uncounted = ""
                if word.kind is WordKind.NOTHING:
                    self.unknown.append(word.raw)

    # one method for each kind of word

    def _read_number(self, word: Word, before: Word, after: Word) -> None:
        if word.means == THREE and before.kind is WordKind.COLOUR:
            return  # `black three`: the colour came before
        if word.means == THREE and self.count and after.kind is WordKind.COLOUR:
            # `2 3 neri`: it counts the following cards
            self.count = self.count._replace(joined=True)
            return
        can_be_card = word.means in RANKS and (word.spelled or self._counts(word))
        if self.count and can_be_card:
            self._read_card(word)
            return
        self._end_count()
        self.count = word

    def _read_pair(self, word: Word) -> None:
        pairs = int(self.count.means) if self.count else 1
        self.count = word._replace(means=str(2 * pairs), joined=True)

    def _read_card(self, word: Word) -> None:
        """Add the counted number of a card; a plural without a number is a doubt."""
        if self.count is None and word.plural:
            self._append_doubt(Doubt.MANY, word)
        elif self._counts(word):
            self._append_cards(word.means, word.raw)
        else:
            self._append_doubt(Doubt.COUNT, word)

    def _read_colour(self, word: Word, before: Word, after: Word) -> None:
        is_before_three = after.means == THREE
        is_plural = word.plural or (is_before_three and after.plural)
        if self.count is None:
            if before.kind is WordKind.CARD and not is_before_three:
                self.unknown.append(word.raw)  # `re nero`: only threes have a colour
                return
            if is_plural:
                self._append_doubt(Doubt.MANY, word)
                return
        elif self.count.means == THREE and not self.count.joined and not is_plural:
            self.count = None  # `3 nero` is a card, `3 neri` are three of it
        self._append_cards(word.means, "")

    def _read_suit(self, word: Word) -> None:
        """The suit of the previous card, `re di cuori`; if spelled also of those before it, `4 5 6
        di cuori`.
        """
        if self.count and self.count.means in (*RANKS, THREE):
            rank = self.count.means
            self.count = None
            self._append_cards(rank, rank)
        last = len(self.cards) - 1
        without_suit = []
        for index in range(self.suit_from, last + 1):
            _, card = self.cards[index]
            if card in _SUITED:
                without_suit.append(index)
        if not without_suit or without_suit[-1] != last:
            self.unknown.append(word.raw)
            return
        count_of_last, _ = self.cards[last]
        if word.joined or count_of_last > 1:
            without_suit = [last]
        for index in without_suit:
            count, card = self.cards[index]
            self.cards[index] = (count, f"{card}{word.means}")
        self.suit_from = len(self.cards)

    # the number read last

    def _counts(self, word: Word) -> bool:
        """Whether the number read last, if any, can only be a count of this word."""
        number = self.count
        if number is None or number.can_only_count or word.plural or self.all_counted:
            return True
        if word.single or self.uncounted:
            return False
        # `4 re`, `due 8`: one in letters. `9 joker` and `2 2 jolly` may also be separate cards.
        return number.spelled != word.spelled or (word.kind is WordKind.CARD and word.spelled)

    def _end_count(self) -> None:
        """Add the number read last as a card, if there is such a card."""
        number = self.count
        self.count = None
        if number is None:
            return
        if number.means in RANKS and not number.joined:
            self._append_cards(number.means, number.raw)
        elif number.means == THREE:
            self.doubts.append((Doubt.COLOUR, number.raw))
        else:
            self.unknown.append(number.raw)

    # what was read

    def _append_cards(self, card: str, raw: str) -> None:
        """Add a card as often as the number before it says."""
        count = 1
        self.uncounted = raw
        if self.count:
            count = int(self.count.means)
            self.uncounted = ""
            self.count = None
        if count:
            self.cards.append((count, card))
        else:
            self.unknown.append(card)

    def _append_doubt(self, doubt: Doubt, word: Word) -> None:
        """Add a doubt with the words that it is about."""
        typed = [word.raw]
        if self.count:
            typed.insert(0, self.count.raw)
        if doubt is Doubt.COUNT and self.uncounted:
            typed.insert(0, self.uncounted)
        self.count = None
        self.doubts.append((doubt, " ".join(filter(None, typed))))


def _is_every_card_counted(line: list[Word]) -> bool:
    """Whether every card has a number before it, and most of those cannot be cards: `2 K 1 jolly 3
    Q`.
    """
    parts = [word for word in line if word.kind is not WordKind.BETWEEN]
    numbers = parts[::2]
    cards = parts[1::2]
    if len(numbers) != len(cards):
        return False
    if any(number.kind is not WordKind.NUMBER for number in numbers):
        return False
    if any(card.kind not in (WordKind.CARD, WordKind.WILD) for card in cards):
        return False
    only_counts = [number for number in numbers if number.can_only_count]
    return 2 * len(only_counts) > len(numbers)
