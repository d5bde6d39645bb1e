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
        """Write the card in the notation of the app: `K`, or `3xK` for several."""
        if self.count == 1:
            return self.notation
        return f"{self.count}x{self.notation}"

    @property
    def can_get_suit(self) -> bool:
        """Tell whether a suit may follow the card.

        True for `K`. False for a joker, which has no suit, and for `Kh`, which has one already.
        """
        return self.notation in _RANKS_OF_SUITS


_RANKS_OF_SUITS = frozenset(
    {*(kind.value for kind in Kind if kind.is_natural), "T", Kind.TWO.value, THREE}
)
"""The ranks that a suit may follow."""
_DOUBT_ABOUT_WORD = {
    WordKind.WILD: Doubt.WILD,
    WordKind.LETTER: Doubt.LETTER,
    WordKind.OTHER: Doubt.OTHER,
}
"""The reason for the doubt about each kind of word that does not name one exact card."""
_NEVER_IN_DOUBT = ""
"""Given as the typed text of a card after which a number can only count the next card. The 4 of
`black 4 kings` counts the kings.
"""
_LONGEST = 1000
"""The maximum length of a line to be parsed: no hand needs as many characters, and long lines are
slow to parse.
"""


def parse_typed_cards(text: str) -> TypedCards:
    """Read a line of cards as a person types them, and write it in the notation of the app.

    - `3 kings and a joker` → `3xK JK`
    - `3xK JK` → unchanged, because it is in notation already
    - `two eight` → no cards but a doubt, which the page shows: two eights, or a two and an eight?
    """
    if not read_cards(text).unknown:
        return TypedCards(text)
    if len(text) > _LONGEST:
        return TypedCards("", unknown=tuple(text.split()))
    return _LineReader(split_into_words(text)).read()


def to_notation(text: str) -> str:
    """Convert typed cards to the notation of the app, as far as that is clear.

    - `3 kings` → `3xK`
    - `3 kings foo` → `3xK foo`: unknown words stay, behind the cards
    - `two eight` → `two eight`: it can be read in two ways, so it stays as it is
    """
    typed = parse_typed_cards(text)
    if typed.doubts:
        return text
    for word in typed.unknown:
        # The K of `0 K` is unknown since there are none of it. Behind the notation of the other
        # cards it would look like one king, which was not typed.
        looks_like_card = read_cards(word).cards.size > 0
        if looks_like_card:
            return text
    unknown_words = " ".join(typed.unknown)
    return f"{typed.text} {unknown_words}".strip()


class _LineReader:
    """Reads the words of a line of cards from left to right.

    It collects `cards`, `doubts` and `unknown` words. Meanwhile it remembers:

    - `number_before`: the number read last, until it is clear whether it counts the next card or
      is a card itself;
    - `unnumbered_card`: the previous card as typed, if no number stood before it; then the next
      number may be a card as well;
    - `cards_since_suit`: the cards after the last suit, to which the next suit may belong.
    """

    def __init__(self, line: list[Word]) -> None:
        """Begin to read the words of a line of cards."""
        self.line = line
        self.is_every_card_counted = _is_every_card_counted(line)
        self.cards: list[_CountedCard] = []
        self.doubts: list[TypedDoubt] = []
        self.unknown: list[str] = []
        self.number_before: Word | None = None
        self.unnumbered_card = ""
        self.cards_since_suit: list[_CountedCard] = []

    def read(self) -> TypedCards:
        """Read all words of the line, and return the cards, the doubts and the unknown words."""
        # Each word is read with its neighbours; the first and the last have an empty one beside.
        padded = [NO_WORD, *self.line, NO_WORD]
        for index in range(1, len(padded) - 1):
            self._read_word(padded[index], before=padded[index - 1], after=padded[index + 1])

        self._append_number_before_as_card()  # after the last word, there is nothing left to count
        text = " ".join([str(card) for card in self.cards])
        return TypedCards(text, tuple(self.doubts), tuple(self.unknown))

    def _read_word(self, word: Word, before: Word, after: Word) -> None:
        """Read one word, in the way of its kind. `before` and `after` are the words beside it."""
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
                self._read_unclear_word(word)
            case WordKind.NOTHING:
                self._read_separator()
                self.unknown.append(word.raw)
            case _:  # a comma or an `and`
                self._read_separator()

    # one method for each kind of word

    def _read_number(self, number: Word, before: Word, after: Word) -> None:
        """Read a number, which counts the card after it or is a card itself.

        - `4 K`: the 4 is remembered, because the next word decides what it is
        - `4 5`: the 4 is added as a card, and the 5 is remembered
        - `two 8`: two eights are added
        - `black 3`, `2 3 blacks`: the 3 belongs to the colour and is added with it
        """
        is_three = number.meaning == THREE
        if is_three and before.kind is WordKind.COLOUR:
            return  # `black 3`: it was added when the colour was read

        if is_three and after.kind is WordKind.COLOUR and self.number_before is not None:
            # `2 3 blacks` are two black threes: the 2 can only count them.
            self.number_before = self.number_before.as_count()
        elif self._is_counted_by_number_before(number):
            self._read_card(number)
        else:
            self._append_number_before_as_card()
            self.number_before = number

    def _is_counted_by_number_before(self, number: Word) -> bool:
        """Tell whether a number is a card that the number before it counts.

        - `two 8` → True: two eights
        - `4 5` → False: a four and a five
        - `two eight` → True, although it may also be a two and an eight: when the card is added,
          the player is asked what was meant.
        """
        if self.number_before is None:
            return False
        is_card = number.meaning in RANKS  # not 1 or 12, nor 3, which needs a colour
        if not is_card:
            return False
        if number.is_written_in_letters:
            return True
        return not self._may_number_before_be_card(number)

    def _read_pair(self, pair: Word) -> None:
        """Read the word `pair` as a number that counts the next card.

        `pair of kings` → 2 kings, `3 pairs of kings` → 6 kings.
        """
        number_of_pairs = 1
        if self.number_before is not None:
            number_of_pairs = int(self.number_before.meaning)
        number_of_cards = str(2 * number_of_pairs)
        self.number_before = Word(pair.raw, WordKind.NUMBER, number_of_cards, only_counts=True)

    def _read_card(self, card: Word) -> None:
        """Add a card, as often as the number before it says. If that is not clear, add a doubt.

        - `king` → one king
        - `4 kings` → four kings
        - `kings` → a doubt: how many?
        - `two eight` → a doubt: two eights, or a two and an eight?
        """
        if self.number_before is None and card.is_plural:
            self._append_doubt(Doubt.MANY, card)
        elif self._may_number_before_be_card(card):
            self._append_doubt(Doubt.COUNT, card)
        else:
            self._append_card(card.meaning, typed=card.raw)

    def _read_colour(self, colour: Word, before: Word, after: Word) -> None:
        """Read a colour as a three of that colour, because only threes are told by their colour.

        - `black`, `black three`, `3 black` → one black three
        - `2 blacks`, `2 black threes` → two black threes
        - `3 blacks` → three black threes
        - `blacks`, `black threes` → a doubt: how many?
        - `king black` → `black` is an unknown word, because kings are not told by their colour
        """
        is_before_three = after.meaning == THREE
        are_several = colour.is_plural or (is_before_three and after.is_plural)
        is_about_card_before = before.kind is WordKind.CARD and not is_before_three

        number = self.number_before
        if number is None and is_about_card_before:
            self.unknown.append(colour.raw)  # `king black`
            return
        if number is None and are_several:
            self._append_doubt(Doubt.MANY, colour)  # `blacks`
            return
        if number is not None and number.can_be_three and not are_several:
            self.number_before = None  # the 3 of `3 black` is the card, and counts nothing
        self._append_card(colour.meaning, typed=_NEVER_IN_DOUBT)

    def _read_suit(self, suit: Word) -> None:
        """Give a suit to the card before it, and to cards before that one.

        - `K of hearts` → a king of hearts
        - `4 5 6 of hearts` → all three cards are hearts
        - `joker of hearts` → `hearts` is an unknown word, since jokers have no suit
        """
        self._append_number_before_suit()
        if not self.cards or not self.cards[-1].can_get_suit:
            self.unknown.append(suit.raw)
            return
        for card in self._find_cards_of_suit(suit):
            card.notation += suit.meaning
        self.cards_since_suit.clear()

    def _append_number_before_suit(self) -> None:
        """Add the number before a suit as a card, if there is one: the 7 of `7 of hearts`."""
        number = self.number_before
        if number is None:
            return
        can_have_suit = number.meaning in RANKS or number.meaning == THREE  # not `12 of hearts`
        if can_have_suit:
            self.number_before = None  # it counts nothing
            self._append_card(number.meaning, typed=number.meaning)

    def _find_cards_of_suit(self, suit: Word) -> list[_CountedCard]:
        """Find the cards that a suit belongs to: the last one, and perhaps those before it.

        - `Q K♥`, `2 kings of hearts` → only the kings
        - `4 5 6 of hearts` → all three cards
        """
        last_card = self.cards[-1]
        if suit.is_sign or last_card.count > 1:
            return [last_card]
        return [card for card in self.cards_since_suit if card.can_get_suit]

    def _read_unclear_word(self, word: Word) -> None:
        """Add a doubt about a word that does not name one exact card, such as `wild`.

        The player is asked about it. A number before the word is either its count or a card:

        - `2 wilds` → a doubt about "2 wilds"
        - `10 wild` → a ten, and a doubt about "wild": ten of them would be `wilds`
        - `1 wild` → a doubt about "1 wild", since there is no card "1"
        """
        if word.is_singular and self._may_number_before_be_card(word):
            self._append_number_before_as_card()
        self._append_doubt(_DOUBT_ABOUT_WORD[word.kind], word)

    def _read_separator(self) -> None:
        """End what came before: a number before a comma cannot count the card after it."""
        self._append_number_before_as_card()
        self.unnumbered_card = ""

    # the number read last

    def _may_number_before_be_card(self, word: Word) -> bool:
        """Tell whether the number before a word may be a card itself, and not the count of the word.

        - `4 kings` → False: four kings
        - `two eight` → True: two eights, or a two and an eight
        - `12 K`, `K` → False: there is no card "12", or no number at all

        Each condition is a sign of one or the other reading, the surest first.
        """
        number = self.number_before
        if number is None or not number.can_be_card:
            return False
        if word.is_plural:
            return False  # `4 queens`
        if self.is_every_card_counted:
            return False  # `11 K 1 joker 4 Q`: each number stands before its card
        if word.is_singular:
            return True  # `4 queen`: four of them would be `queens`
        if self.unnumbered_card:
            return True  # `K 4 Q`: the king has no count, so the 4 may be a card too
        if word.kind is WordKind.CARD and word.is_written_in_letters:
            return False  # the Italian `4 re`: the word is singular and plural
        # `two 8` is two eights; of `4 K`, or of the Italian `due otto`, nobody knows.
        are_both_written_alike = number.is_written_in_letters == word.is_written_in_letters
        return are_both_written_alike

    def _append_number_before_as_card(self) -> None:
        """Add the number read last as a card, since no card follows that it could count.

        - `4` → a four
        - `3` → a doubt, because black and red threes are different cards
        - `12` → an unknown word, because there is no such card
        """
        number = self.number_before
        self.number_before = None
        if number is None:
            return
        if number.can_be_card:
            self._append_card(number.meaning, typed=number.raw)
        elif number.meaning == THREE:
            self.doubts.append(TypedDoubt(Doubt.COLOUR, number.raw))
        else:
            self.unknown.append(number.raw)

    # what was read

    def _append_card(self, notation: str, typed: str) -> None:
        """Add a card as often as the number before it says: `3` and `K` → `3xK`.

        Without a number it is added once. Then its `typed` text is remembered, for a doubt about
        the next number.
        """
        number = self.number_before
        self.number_before = None
        if number is None:
            self.unnumbered_card = typed
            self._append_counted_card(1, notation)
        else:
            self.unnumbered_card = ""
            self._append_counted_card(int(number.meaning), notation)

    def _append_counted_card(self, count: int, notation: str) -> None:
        """Add a card that was typed so many times; the card of `0 K` is an unknown word."""
        if count == 0:
            self.unknown.append(notation)
            return
        card = _CountedCard(count, notation)
        self.cards.append(card)
        self.cards_since_suit.append(card)  # the same object: a suit that follows changes both

    def _append_doubt(self, reason: Doubt, word: Word) -> None:
        """Add a doubt about a word, with the words before it that the doubt is about too.

        - `2 wilds` → a doubt about "2 wilds", with the number; the number is used up with that
        - `K 4 Q` → a doubt about "K 4 Q", with the king, because the 4 may be a card like it
        """
        words_in_doubt = []
        card_before = self.unnumbered_card  # the `K` of `K 4 Q`
        if reason is Doubt.COUNT and card_before:
            words_in_doubt.append(card_before)
        if self.number_before is not None:
            words_in_doubt.append(self.number_before.raw)
            self.number_before = None
        words_in_doubt.append(word.raw)
        self.doubts.append(TypedDoubt(reason, " ".join(words_in_doubt)))


def _is_every_card_counted(line: list[Word]) -> bool:
    """Tell whether a line has a number before each card: `11 K 1 joker 4 Q`.

    Most of the numbers must be such that they cannot be cards themselves, as 11 and 1. Otherwise
    `4 K 5 Q` may also be four single cards → False.
    """
    parts = [word for word in line if word.kind is not WordKind.BETWEEN]  # without commas
    numbers = parts[0::2]  # the first, third, fifth … word
    cards = parts[1::2]  # the second, fourth, sixth … word
    if len(numbers) != len(cards):
        return False
    if any(number.kind is not WordKind.NUMBER for number in numbers):
        return False
    if any(card.kind not in (WordKind.CARD, WordKind.WILD) for card in cards):
        return False
    clear_counts = [number for number in numbers if not number.can_be_card]
    return len(clear_counts) > len(numbers) / 2
