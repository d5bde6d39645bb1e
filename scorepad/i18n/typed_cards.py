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

    @property
    def can_get_suit(self) -> bool:
        """Whether a suit may follow the card: `K`, `3`; not jokers, nor a card that has a suit."""
        return self.notation in _RANKS_OF_SUITS


_RANKS_OF_SUITS = frozenset(
    {*(kind.value for kind in Kind if kind.is_natural), "T", Kind.TWO.value, THREE}
)
"""The ranks that a suit may follow."""
_DOUBT_OF_KIND = {
    WordKind.WILD: Doubt.WILD,
    WordKind.LETTER: Doubt.LETTER,
    WordKind.OTHER: Doubt.OTHER,
}
"""The doubt about each kind of word that names no certain card."""
_NEVER_IN_DOUBT = ""
"""Given as typed for a card after which a number is no doubt: that of `nero 4 re` counts kings."""
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
    for word in typed.unknown:
        # The K of `0 K` is unknown since there are none of it. Behind the notation of the other
        # cards it would look like one king, which was not typed.
        looks_like_card = read_cards(word).cards.size > 0
        if looks_like_card:
            return text
    return " ".join((typed.text, *typed.unknown)).strip()


class _LineReader:
    """Reads the words of a line of cards from left to right.

    It collects `cards`, `doubts` and `unknown` words. Meanwhile it remembers:

    - `pending_number`: the number read last, until it is clear whether it counts the next card or
      is a card itself;
    - `unnumbered_card`: the previous card as typed, if no number stood before it; then the next
      number may be a card as well;
    - `cards_since_suit`: the cards after the last suit, to which the next suit may belong.
    """

    def __init__(self, line: list[Word]) -> None:
        self.line = line
        self.is_every_card_counted = _is_every_card_counted(line)
        self.cards: list[_CountedCard] = []
        self.doubts: list[TypedDoubt] = []
        self.unknown: list[str] = []
        self.pending_number: Word | None = None
        self.unnumbered_card = ""
        self.cards_since_suit: list[_CountedCard] = []

    def read(self) -> TypedCards:
        padded = [NO_WORD, *self.line, NO_WORD]
        for before, word, after in zip(padded, padded[1:], padded[2:], strict=False):
            self._read_word(word, before=before, after=after)
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
        """Read a number, which counts the card after it or is a card itself.

        The 4 of `4 K` counts the kings; `4 4 5` are three cards; the 8 of `due 8` is a card that the
        number before it counts. A 3 beside a colour belongs to that: `black three`, `3 neri`.
        """
        is_three_after_colour = number.means == THREE and before.kind is WordKind.COLOUR
        is_three_before_colour = number.means == THREE and after.kind is WordKind.COLOUR
        if is_three_after_colour:
            return  # the three of `black three` was read with its colour
        if is_three_before_colour and self.pending_number:
            # `2 3 neri` are two black threes: the 2 can only count, the 3 is read with its colour.
            self.pending_number = self.pending_number.as_count()
        elif self._is_counted_card(number):
            self._read_card(number)
        else:
            # The number before it counts nothing. What this one is, the next word says.
            self._append_pending_number()
            self.pending_number = number

    def _is_counted_card(self, number: Word) -> bool:
        """Whether a number is read as a card that the number before it counts: the 8 of `due 8`.

        Two numbers in digits, as `4 5`, are two cards. A number in letters, as `otto` in `due otto`,
        is read as a counted card; whether it is in doubt, `_read_card` decides.
        """
        if self.pending_number is None or number.means not in RANKS:
            return False
        return number.is_spelled or self._is_clear_count_of(number)

    def _read_pair(self, word: Word) -> None:
        """Read the word `pair` as a number that counts the next card: `pair` → 2, `3 pair` → 6."""
        number_of_pairs = 1
        if self.pending_number is not None:
            number_of_pairs = int(self.pending_number.means)
        number = str(2 * number_of_pairs)
        self.pending_number = Word(word.raw, WordKind.NUMBER, number, only_counts=True)

    def _read_card(self, card: Word) -> None:
        """Add a card as often as the number before it says; `kings` alone is a doubt."""
        if self.pending_number is None and card.is_plural:
            self._append_doubt(Doubt.MANY, card)
        elif self._is_clear_count_of(card):
            self._append_card(card.means, typed=card.raw)
        else:
            self._append_doubt(Doubt.COUNT, card)

    def _read_colour(self, colour: Word, before: Word, after: Word) -> None:
        """Add threes of a colour. Only threes have one, so `nero` alone is a black three too.

        - `nero`, `black three`, `3 nero`: one black three
        - `2 neri`, `2 black threes`, `3 neri`: as many as the number says
        - `neri`, `black threes`: a doubt how many
        - `re nero`: an unknown word, since kings have no colour
        """
        number = self.pending_number
        is_before_three = after.means == THREE
        are_several = colour.is_plural or (is_before_three and after.is_plural)
        if number is None:
            is_of_card_before = before.kind is WordKind.CARD and not is_before_three
            if is_of_card_before:
                self.unknown.append(colour.raw)
                return
            if are_several:
                self._append_doubt(Doubt.MANY, colour)
                return
        elif number.can_be_three and not are_several:
            self.pending_number = None  # the 3 of `3 nero` is the card, and counts nothing
        self._append_card(colour.means, typed=_NEVER_IN_DOUBT)

    def _read_suit(self, suit: Word) -> None:
        """Give a suit to the card before it, and to cards before that one: `4 5 6 di cuori`."""
        self._append_number_before_suit()
        if not self.cards or not self.cards[-1].can_get_suit:
            self.unknown.append(suit.raw)
            return
        for card in self._cards_of_suit(suit):
            card.notation += suit.means
        self.cards_since_suit.clear()

    def _append_number_before_suit(self) -> None:
        """Add the number before a suit as a card, if there is one: the 7 of `7 di cuori`."""
        number = self.pending_number
        if number and (number.means in RANKS or number.means == THREE):
            self.pending_number = None  # it counts nothing
            self._append_card(number.means, typed=number.means)

    def _cards_of_suit(self, suit: Word) -> list[_CountedCard]:
        """The cards that a suit belongs to: the last one, and perhaps those before it.

        `K♥` and `2 re di cuori` are about one card, `4 5 6 di cuori` about all three.
        """
        last_card = self.cards[-1]
        if suit.is_sign or last_card.count > 1:
            return [last_card]
        return [card for card in self.cards_since_suit if card.can_get_suit]

    def _read_ambiguous_word(self, word: Word) -> None:
        """Add a doubt about a word that names no certain card, such as `matta` (a wild card).

        The number before it belongs to the doubt, as in `2 matte`, unless it is a card itself, as in
        `10 10 matta`: that are two tens and a wild card, because ten wild cards would be `matte`.
        """
        may_number_be_card = not self._is_clear_count_of(word)
        if may_number_be_card and word.is_singular:
            self._append_pending_number()
        self._append_doubt(_DOUBT_OF_KIND[word.kind], word)

    def _read_separator(self) -> None:
        """End what came before: a number before a comma counts nothing after it."""
        self._append_pending_number()
        self.unnumbered_card = ""

    # the number read last

    def _is_clear_count_of(self, card: Word) -> bool:
        """Whether the number before a card, if there is one, can only be the count of it.

        If not, it may be a card as well: `4 K` are four kings, or a four and a king. The signs of
        one or the other are looked at in turn, the surest first.
        """
        number = self.pending_number
        if number is None or not number.can_be_card:
            return True  # `K`, `1 K`, `12 K`
        if card.is_plural:
            return True  # `4 donne` are four queens
        if self.is_every_card_counted:
            return True  # `2 K 1 jolly 3 Q`: each number stands before its card
        if card.is_singular:
            return False  # `4 donna`: four of them would be `donne`
        if self.unnumbered_card:
            return False  # `K 4 re`: the first king has no count, so the 4 may be a card too
        if card.kind is WordKind.CARD and card.is_spelled:
            return True  # `4 re`: a word for a card, singular and plural
        # `due 8` and `2 otto` are two eights; of `4 K` and `due otto` nobody knows.
        is_only_one_in_letters = number.is_spelled != card.is_spelled
        return is_only_one_in_letters

    def _append_pending_number(self) -> None:
        """Add the number read last as a card, since nothing follows that it could count.

        A 3 becomes a doubt: threes are different cards by their colour.
        """
        number = self.pending_number
        self.pending_number = None
        if number is None:
            return
        if number.can_be_card:
            self._append_card(number.means, typed=number.raw)
        elif number.means == THREE:
            self.doubts.append(TypedDoubt(Doubt.COLOUR, number.raw))
        else:
            self.unknown.append(number.raw)

    # what was read

    def _append_card(self, notation: str, typed: str) -> None:
        """Add a card as often as the number before it says: `3` and `K` → `3xK`.

        Without a number it is added once, and remembered as it was `typed` (`unnumbered_card`).
        """
        number = self.pending_number
        self.pending_number = None
        if number is None:
            self.unnumbered_card = typed
            self._append_counted_card(1, notation)
        else:
            self.unnumbered_card = ""
            self._append_counted_card(int(number.means), notation)

    def _append_counted_card(self, count: int, notation: str) -> None:
        """Add a card that was typed so many times; the card of `0 K` is an unknown word."""
        if count == 0:
            self.unknown.append(notation)
            return
        card = _CountedCard(count, notation)
        self.cards.append(card)
        self.cards_since_suit.append(card)  # the same object: a suit that follows changes both

    def _append_doubt(self, reason: Doubt, word: Word) -> None:
        """Add a doubt about a word, together with the number before it: `2 matte`.

        The number is used up with that. If the doubt is what the number counts, the card before it
        is repeated too: `K 4 re`.
        """
        typed = []
        if reason is Doubt.COUNT:
            typed.append(self.unnumbered_card)
        if self.pending_number is not None:
            typed.append(self.pending_number.raw)
        typed.append(word.raw)
        self.pending_number = None
        text = " ".join([part for part in typed if part])
        self.doubts.append(TypedDoubt(reason, text))


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
    clear_counts = [number for number in numbers if not number.can_be_card]
    return len(clear_counts) > len(numbers) / 2
