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
    """Reads the words of a line of cards from left to right, and collects what they say.

    Most methods take a word and the `number` before it, None if there is none. It counts the word,
    or is a card itself: `4 K` are four kings, or a four and a king.
    """

    def __init__(self, line: list[Word]) -> None:
        """Begin to read a line: no cards, doubts or unknown words are found so far."""
        self.line = _join_colours_with_threes(line)
        self.is_every_card_counted = _is_every_card_counted(line)
        self.cards: list[_CountedCard] = []
        self.doubts: list[TypedDoubt] = []
        self.unknown: list[str] = []
        self.unnumbered_card = ""
        """The previous card as typed, if no number stood before it; otherwise empty."""
        self.cards_up_to_suit = 0
        """How many cards were read before the last suit: they do not get the next one."""

    def read(self) -> TypedCards:
        """Read all words of the line, and return the cards, the doubts and the unknown words."""
        number: Word | None = None
        # Each word is read with its neighbours; the first and the last have an empty one beside.
        padded = [NO_WORD, *self.line, NO_WORD]
        for index in range(1, len(padded) - 1):
            word = padded[index]
            number = self._read_word(
                word, number, before=padded[index - 1], after=padded[index + 1]
            )

        self._add_number_as_card(number)  # after the last word, there is nothing left to count
        text = " ".join([str(card) for card in self.cards])
        return TypedCards(text, tuple(self.doubts), tuple(self.unknown))

    def _read_word(
        self, word: Word, number: Word | None, *, before: Word, after: Word
    ) -> Word | None:
        """Read one word, in the way of its kind; `before` and `after` are the words beside it.

        Returns the number that stands before the next word, if there is one.
        """
        match word.kind:
            case WordKind.NUMBER:
                return self._read_number(word, number, after)
            case WordKind.PAIR:
                return _count_cards_of_pairs(word, number)
            case WordKind.SUIT:
                return self._read_suit(word, number)
            case WordKind.CARD:
                self._read_card(word, number)
            case WordKind.COLOUR if before.kind is WordKind.CARD:
                self.unknown.append(word.raw)  # `king black`: only threes are told by their colour
            case WordKind.COLOUR | WordKind.COLOURED_THREE:
                self._read_coloured_three(word, number)
            case WordKind.WILD | WordKind.LETTER | WordKind.OTHER:
                self._read_unclear_word(word, number)
            case _:  # a comma, an `and`, or an unknown word: the cards after it stand by themselves
                self._add_number_as_card(number)
                self.unnumbered_card = ""
                if word.kind is WordKind.NOTHING:
                    self.unknown.append(word.raw)
        return None

    # one method for each kind of word

    def _read_number(self, second: Word, first: Word | None, after: Word) -> Word | None:
        """Read a number; `first` is another number right before it, `after` the word behind it.

        - `4 5` → the four is added as a card
        - `two 8` → two eights are added
        - `two eight` → a doubt is added: two eights, or a two and an eight?

        Returns the number that stands before the next word: in `4 5` it is the 5.
        """
        if first is None:
            return second  # the next word decides whether it is a count or a card
        is_before_colour = after.kind in (WordKind.COLOUR, WordKind.COLOURED_THREE)
        if second.meaning == THREE and is_before_colour:
            return first.as_count()  # `2 3 blacks`: the 2 counts, the 3 is said by the colour too

        is_card = second.meaning in RANKS  # not 1 or 12, nor 3, which needs a colour
        is_surely_counted = not self._may_be_card(first, second)
        if is_card and (is_surely_counted or second.is_written_in_letters):
            self._read_card(second, number=first)
            return None
        self._add_number_as_card(first)
        return second

    def _read_card(self, card: Word, number: Word | None) -> None:
        """Add a card, as often as the number before it says. If that is not clear, add a doubt.

        - `king` → one king
        - `4 kings` → four kings
        - `kings` → a doubt: how many?
        - `4 king` → a doubt: four kings, or a four and a king?
        """
        if number is None and card.is_plural:
            self._add_doubt(Doubt.MANY, card.raw)
        elif number is None:
            self._add_card(card.meaning)
            self.unnumbered_card = card.raw
        elif self._may_be_card(number, card):
            # In `K 4 Q` the doubt is about the king too: the 4 may be a card like it.
            self._add_doubt(Doubt.COUNT, self.unnumbered_card, number.raw, card.raw)
        else:
            self._add_card(card.meaning, count=int(number.meaning))
            self.unnumbered_card = ""

    def _read_coloured_three(self, colour: Word, number: Word | None) -> None:
        """Add black or red threes. They are told by their colour alone: `black` is a black three.

        - `3 black` → one black three, since the 3 names the card
        - `3 blacks` → three black threes
        - `blacks` → a doubt: how many?
        """
        if number is None and colour.is_plural:
            self._add_doubt(Doubt.MANY, colour.raw)
            return
        count = 1
        if number is not None:
            names_card = number.can_be_three and not colour.is_plural  # the 3 of `3 black`
            count = 1 if names_card else int(number.meaning)
        self._add_card(colour.meaning, count)
        self.unnumbered_card = ""  # in `black 4 kings`, the 4 can only be the number of kings

    def _read_suit(self, suit: Word, number: Word | None) -> Word | None:
        """Give a suit to the card before it, and perhaps to cards before that one.

        - `K of hearts` → a king of hearts
        - `7 of hearts` → the number is a card: a seven of hearts
        - `joker of hearts` → `hearts` is an unknown word, since jokers have no suit

        Returns the number if it is no card, as 12: it stands before the next word then.
        """
        if number is not None and (number.meaning in RANKS or number.meaning == THREE):
            self._add_card(number.meaning)
            self.unnumbered_card = number.meaning
            number = None

        if not self.cards or not self.cards[-1].can_get_suit:
            self.unknown.append(suit.raw)
            return number
        for card in self._find_cards_of_suit(suit):
            card.notation += suit.meaning
        self.cards_up_to_suit = len(self.cards)
        return number

    def _find_cards_of_suit(self, suit: Word) -> list[_CountedCard]:
        """Find the cards that a suit belongs to: the last one, and perhaps those before it.

        - `Q K♥`, `2 kings of hearts` → only the kings
        - `4 5 6 of hearts` → all three cards
        """
        last_card = self.cards[-1]
        if suit.is_sign or last_card.count > 1:
            return [last_card]
        cards_since_last_suit = self.cards[self.cards_up_to_suit :]
        return [card for card in cards_since_last_suit if card.can_get_suit]

    def _read_unclear_word(self, word: Word, number: Word | None) -> None:
        """Add a doubt about a word that does not name one exact card, such as `wild`.

        - `2 wilds` → a doubt about "2 wilds"
        - `10 wild` → a ten, and a doubt about "wild": ten of them would be `wilds`
        - `1 wild` → a doubt about "1 wild", since there is no card "1"
        """
        reason = _DOUBT_ABOUT_WORD[word.kind]
        if number is None:
            self._add_doubt(reason, word.raw)
        elif word.is_singular and self._may_be_card(number, word):
            self._add_number_as_card(number)
            self._add_doubt(reason, word.raw)
        else:
            self._add_doubt(reason, number.raw, word.raw)

    # a number that is a count or a card

    def _may_be_card(self, number: Word, word: Word) -> bool:
        """Tell whether a number may be a card itself, and not only the count of the word after it.

        - `4 kings`, `12 K` → False: four kings, twelve kings
        - `4 king`, `two eight` → True: two eights, or a two and an eight
        """
        if not number.can_be_card:
            return False
        # The surest signs come first.
        if word.is_plural or self.is_every_card_counted:
            return False  # `4 queens`; `11 K 1 joker 4 Q`, where each card has its number
        if word.is_singular or self.unnumbered_card:
            return True  # `4 queen`; `K 4 Q`, where the king has no number, so the queen needs none
        if word.kind is WordKind.CARD and word.is_written_in_letters:
            return False  # the Italian `4 re`: the word is singular and plural
        # `two 8` is two eights; of `4 K`, or of the Italian `due otto`, nobody knows.
        are_both_written_alike = number.is_written_in_letters == word.is_written_in_letters
        return are_both_written_alike

    def _add_number_as_card(self, number: Word | None) -> None:
        """Add a number, if there is one, as a card, since no card follows that it could count.

        - `4` → a four
        - `3` → a doubt, because black and red threes are different cards
        - `12` → an unknown word, because there is no such card
        """
        if number is None:
            return
        if number.can_be_card:
            self._add_card(number.meaning)
            self.unnumbered_card = number.raw
        elif number.meaning == THREE:
            self._add_doubt(Doubt.COLOUR, number.raw)
        else:
            self.unknown.append(number.raw)

    # what was read

    def _add_card(self, notation: str, count: int = 1) -> None:
        """Add a card that was typed so many times; `0 K` is no card, so its `K` is unknown."""
        if count == 0:
            self.unknown.append(notation)
        else:
            self.cards.append(_CountedCard(count, notation))

    def _add_doubt(self, reason: Doubt, *typed: str) -> None:
        """Add a doubt about words, some of which may be empty."""
        not_empty = [text for text in typed if text]
        self.doubts.append(TypedDoubt(reason, " ".join(not_empty)))


def _join_colours_with_threes(line: list[Word]) -> list[Word]:
    """Make one word of a colour and the three after it: `black 3`, `red threes`.

    It has the text of the colour, and is a plural if either of the two is.
    """
    joined: list[Word] = []
    for word in line:
        colour = joined[-1] if joined else NO_WORD
        if word.meaning == THREE and colour.kind is WordKind.COLOUR:
            are_several = colour.is_plural or word.is_plural
            joined[-1] = colour._replace(kind=WordKind.COLOURED_THREE, is_plural=are_several)
        else:
            joined.append(word)
    return joined


def _count_cards_of_pairs(pair: Word, number_of_pairs: Word | None) -> Word:
    """Return the number that the word `pair` stands for: how many cards the pairs have.

    `pair of kings` → 2, `3 pairs of kings` → 6.
    """
    count = 2
    if number_of_pairs is not None:
        count = 2 * int(number_of_pairs.meaning)
    return Word(pair.raw, WordKind.NUMBER, str(count), only_counts=True)


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
