"""The words with which people write cards: `re`, `due`, `neri`, `KKK`, `3x`, and misspelt ones.

The words of all languages are known at once, since a table may use two of them.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher, get_close_matches
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from scorepad.i18n.catalogue import LANGUAGES, Language, words
from scorepad.rules.cards import Kind, Suit, read_cards


class WordKind(StrEnum):
    """What a word can be in a line of cards."""

    CARD = "card"
    NUMBER = "number"
    PAIR = "pair"
    COLOUR = "colour"
    """Black or red, which only threes have: a card by itself."""
    SUIT = "suit"
    FILLER = "filler"
    """A word that means nothing: `di`, `of`."""
    BETWEEN = "between"
    """A separator of two cards: a comma, an «and»."""
    WILD = "wild"
    """A wild card, without saying whether a joker or a two."""
    LETTER = "letter"
    """A letter for different cards in Italian and English."""
    OTHER = "other"
    """A card that is not in these decks."""
    NOTHING = "nothing"
    """An unknown word."""


class Word(NamedTuple):
    """A word of a line of cards, with what it means.

    `raw` is the text as typed, `means` the card, number or suit in notation. `is_spelled`: it is
    written in letters. `only_counts`: a number that cannot be a card, as the 4 of `4K`, which is
    written without a space before its card. `is_sign`: a suit written as a sign, as in `K♥`.
    `is_plural`, `is_singular`: it can only be the plural, or only the singular.
    """

    raw: str
    kind: WordKind
    means: str = ""
    is_spelled: bool = False
    only_counts: bool = False
    is_sign: bool = False
    is_plural: bool = False
    is_singular: bool = False

    @property
    def can_be_card(self) -> bool:
        """Whether a number may be a card by itself: `4` may; `1`, `12` and the 4 of `4K` may not.

        A 3 may not, either: without its colour it is no card.
        """
        return self.means in RANKS and not self.only_counts

    @property
    def can_be_three(self) -> bool:
        """Whether a number may be the 3 of a three: that of `3 nero`, not that of `3xnero`."""
        return self.means == THREE and not self.only_counts

    def as_typed(self, raw: str) -> Word:
        """The same word with the text that was typed for it."""
        return self._replace(raw=raw)

    def as_singular_or_plural(self) -> Word:
        """The same word as one of which it is not known whether it is the singular or the plural."""
        return self._replace(is_singular=False, is_plural=False)

    def as_count(self) -> Word:
        """The same number as one that cannot be a card."""
        return self._replace(only_counts=True)


THREE = "3"
RANKS = frozenset(kind.value for kind in Kind if kind.value.isdigit())
"""The numbers that are cards by themselves: 2 and 4 to 10. A 3 needs its colour."""
NO_WORD = Word("", WordKind.BETWEEN)
"""Stands before the first word of a line and after the last."""
_COLOURS = (Kind.BLACK_THREE, Kind.RED_THREE)
_COUNTABLE = (WordKind.CARD, WordKind.COLOUR, WordKind.WILD, WordKind.NUMBER)
_SUIT_SIGNS = {
    "♥": Suit.HEARTS,
    "♡": Suit.HEARTS,
    "♦": Suit.DIAMONDS,
    "♢": Suit.DIAMONDS,
    "♠": Suit.SPADES,
    "♤": Suit.SPADES,
    "♣": Suit.CLUBS,
    "♧": Suit.CLUBS,
}
_SEPARATORS = ",+&"
_ARTICLE = "a"
_TYPED_NAMES = {
    WordKind.CARD: (Kind.QUEEN, Kind.JACK, Kind.JOKER),
    WordKind.NUMBER: ("1", "2", "3"),
    WordKind.PAIR: ("pair",),
    WordKind.COLOUR: _COLOURS,
    WordKind.SUIT: tuple(Suit),
    WordKind.WILD: ("wild",),
    WordKind.OTHER: ("other",),
    WordKind.FILLER: ("filler",),
    WordKind.BETWEEN: ("between",),
}
"""Words with their own message for typing (`typed.…`), besides the names of the cards."""

_NUMBER_TIMES = re.compile(r"\b([0-9]+)\s*x\s+", re.IGNORECASE)
"""A number and the `x` after it, with the spaces between them and the card: `3 x K`."""
_SIGNS = re.compile(f"([{''.join(_SUIT_SIGNS)}{_SEPARATORS}])")
"""A character that is a word by itself."""
_UNIFIED_CHARACTERS = str.maketrans({"\ufe0f": None, "×": "x", "'": " ", "’": " ", ".": " "})
"""Other ways to write the same: `×` for `x`; apostrophes and full stops divide words as spaces do."""
_NUMBER_AND_CARD = re.compile(r"([0-9]{1,3})(x?)(.+)")
"""A number and what it counts, without a space: `3K`, `3xK`, `2donne`."""
_CARDS_WITHOUT_SPACES = re.compile(r"(?=[akqt])(?:10|[akqt24-9]){2,}|j{2,}|([24-9])\1+|(?:10){2,}")
"""Different cards as in `AKQ`, or equal ones as in `JJJ`, `777`, `1010`."""
_CARD_OF_SEVERAL = re.compile(r"10|.")
"""One card of those: a ten has two characters."""
_UNCLEAR_LETTERS = re.compile(r"(?:10|[24-9akqjt])?[bcdfhmprs]+|[0-9]{1,2}[bcdfhmprs]+")
"""Initials of cards and suits that are no notation and depend on the language: `d`, `4f`, `kf`."""
_LEAST_LETTERS = 4
"""The minimum length of a word that may be misspelt."""
_LEAST_LIKENESS = 0.8
"""How similar a misspelt word must be to the one that is meant, from 0 to 1."""


def split_into_words(text: str) -> list[Word]:
    """The words of a line of cards: `3 re di cuori` → a number, a card and a suit."""
    line = _words_with_meaning(text)
    words_and_next = pairwise([*line, NO_WORD])
    return [_read_article(word, word_after) for word, word_after in words_and_next]


def _words_with_meaning(text: str) -> list[Word]:
    """The words of a line of cards, without those that mean nothing, such as `di` and `of`."""
    line: list[Word] = []
    for token in _split_into_tokens(text):
        for word in _words_of_token(token):
            if word.kind is not WordKind.FILLER:
                line.append(word)
    return line


def _split_into_tokens(text: str) -> list[str]:
    """The parts of a line between spaces; a sign such as a comma or a heart is a part by itself.

    `3 x K, 4♥` → `3xK` `,` `4` `♥`
    """
    text = text.translate(_UNIFIED_CHARACTERS)
    text = _NUMBER_TIMES.sub(r"\1x", text)
    text = _SIGNS.sub(r" \1 ", text)
    return text.split()


def can_become_card_word(text: str) -> bool:
    """Whether more letters could complete a text to a word for a card or a number, as `pin`."""
    beginning = text.casefold()
    return any(known.startswith(beginning) for known in _known_words())


# ---------------------------------------------------------------- the known words


@cache
def _known_words() -> dict[str, Word]:
    """The words of all languages by their text, and signs; of a word in two languages the later."""
    known: dict[str, Word] = {}
    for sign, suit in _SUIT_SIGNS.items():
        known[sign] = Word(sign, WordKind.SUIT, suit, is_sign=True)
    for sign in _SEPARATORS:
        known[sign] = Word(sign, WordKind.BETWEEN)
    for language in LANGUAGES:
        known |= _words_of_language(language)
    return known


@cache
def _words_of_language(language: Language) -> dict[str, Word]:
    """The words of a language by their text; of a text with two meanings, the later one is known."""
    known: dict[str, Word] = {}
    for entry in _vocabulary(language):
        for word in _words_of_entry(entry):
            known[word.raw] = word
    return known


class _VocabularyEntry(NamedTuple):
    """Words of one meaning in one language: `gobbo`, in the plural `gobbi`, for a jack."""

    kind: WordKind
    means: str
    singulars: list[str]
    plurals: list[str]


def _words_of_entry(entry: _VocabularyEntry) -> list[Word]:
    """The words of one meaning: `gobbo` as singular, `gobbi` as plural.

    A word that is both, as `re` (king and kings), is marked as neither. So is a word whose plural
    is not known, because it may be used as the plural too.
    """
    has_plural = bool(entry.plurals)
    only_plurals = [text for text in entry.plurals if text not in entry.singulars]
    kind_of_plural = _kind_of_plural(entry)
    read = []
    for text in entry.singulars:
        is_singular = has_plural and text not in entry.plurals
        read.append(Word(text, entry.kind, entry.means, is_spelled=True, is_singular=is_singular))
    for text in only_plurals:
        read.append(Word(text, kind_of_plural, entry.means, is_spelled=True, is_plural=True))
    return read


def _kind_of_plural(entry: _VocabularyEntry) -> WordKind:
    """What the plural of a word is: `eights` are cards, although `eight` may be a number.

    The plural `threes` stays a number, since a three without its colour is no card.
    """
    if entry.kind is WordKind.NUMBER and entry.means != THREE:
        return WordKind.CARD
    return entry.kind


def _vocabulary(language: Language) -> list[_VocabularyEntry]:
    """All words of a language that can stand in a line of cards."""
    return [*_names_of_cards(language), *_typed_words(language), *_names_of_suits(language)]


def _names_of_cards(language: Language) -> list[_VocabularyEntry]:
    """The names that the pages give to cards: `re` for a king, `otto` for an eight.

    The name of a three is two words, `tre nero`, which are known by themselves: a number and a
    colour.
    """
    messages = words(language)
    entries = []
    for kind in Kind:
        if kind.is_three:
            continue
        message_key = f"card.{kind}"
        entry = _VocabularyEntry(
            kind=_kind_of_card_name(kind),
            means=kind.value,
            singulars=messages.plural(message_key, 1).split(),
            plurals=messages.plural(message_key, 2).split(),
        )
        entries.append(entry)
    return entries


def _kind_of_card_name(card: Kind) -> WordKind:
    """What the name of a card is: `otto` is also a number; `re` is not, nor is `pinella`, a two."""
    if card.value in RANKS and card is not Kind.TWO:
        return WordKind.NUMBER
    return WordKind.CARD


def _typed_words(language: Language) -> list[_VocabularyEntry]:
    """The other words that people type, from the messages `typed.…`: `gobbo` for a jack.

    A message has the words in the singular, then those in the plural, as `gobbo / gobbi`; or only
    words without a plural.
    """
    messages = words(language)
    entries = []
    for kind, names in _TYPED_NAMES.items():
        for name in names:
            singulars, _, plurals = messages.t(f"typed.{name}").partition(" / ")
            entries.append(_VocabularyEntry(kind, name, singulars.split(), plurals.split()))
    return entries


def _names_of_suits(language: Language) -> list[_VocabularyEntry]:
    """The names that the pages give to suits, which have no plural: `cuori`."""
    messages = words(language)
    entries = []
    for suit in Suit:
        names_of_suit = messages.t(f"suit.{suit}").split()
        entries.append(_VocabularyEntry(WordKind.SUIT, suit, names_of_suit, plurals=[]))
    return entries


# ---------------------------------------------------------------- a token without spaces


def _words_of_token(token: str) -> list[Word]:
    """The words in a text without spaces: `re` is one, `AKQ` three cards, `3K` a number and a card."""
    plain = _plain_words(token)
    if plain:
        return plain
    number_and_card = _number_and_card(token)
    if number_and_card:
        return number_and_card
    return [_guess_misspelt_word(token)]


def _plain_words(token: str) -> list[Word]:
    """A known word, a number, or cards in notation; empty for anything else."""
    text = token.casefold()
    known = _known_words().get(text)
    if known:  # `re`
        return [known.as_typed(token)]
    if _CARDS_WITHOUT_SPACES.fullmatch(text):  # `AKQ`; before the numbers, because of `777`
        cards = _CARD_OF_SEVERAL.findall(text.upper())
        return [Word(token, WordKind.CARD, card) for card in cards]
    if text.isascii() and text.isdigit():  # `12`
        return [Word(token, WordKind.NUMBER, text)]
    if _is_card_in_notation(token):  # `4h`, the four of hearts
        return [Word(token, WordKind.CARD, _capital_letter(token))]
    if _UNCLEAR_LETTERS.fullmatch(text):  # `d`: diamonds, or the Italian `donna`, a queen
        return [Word(token, WordKind.LETTER)]
    return []


def _is_card_in_notation(token: str) -> bool:
    """Whether a text is a card in notation: `K`, `4h`, `3b`; not with a number as in `3xK`."""
    has_number = "x" in token.casefold()
    return not has_number and not read_cards(token).unknown


def _capital_letter(token: str) -> str:
    """A single letter as a capital, `k` → `K`; any other text stays as it is."""
    is_letter = len(token) == 1 and token.isalpha()
    return token.upper() if is_letter else token


def _number_and_card(token: str) -> list[Word]:
    """The two words of a number and the card that it counts, without a space: `3K`, `3xK`.

    Empty if the text is something else.
    """
    parts = _NUMBER_AND_CARD.fullmatch(token.casefold())
    if not parts:
        return []
    number, times_sign, card_text = parts.groups()  # `3`, `x` or nothing, `k`
    card = _card_after_number(card_text)
    if card is None or int(number) == 0:
        return []

    # `3nero` may be one black three, as `3 nero` may; `3K` and `3xnero` can only be three cards.
    may_be_one_three = card.kind is WordKind.COLOUR and not times_sign
    number_word = Word(number, WordKind.NUMBER, number, only_counts=not may_be_one_three)
    return [number_word, card]


def _card_after_number(text: str) -> Word | None:
    """The card in a text that follows a number without a space; None if it is not just one card."""
    plain = _plain_words(text)
    if len(plain) > 1:
        return None  # `3AKQ`: three of which?
    if plain:
        card = plain[0]
    elif _NUMBER_AND_CARD.fullmatch(text):
        return None  # `2xK` in `3x2xK` has a number too, and is no misspelt word
    else:
        card = _guess_misspelt_word(text)
    return card if card.kind in _COUNTABLE else None


# ---------------------------------------------------------------- misspelt words


def _guess_misspelt_word(token: str) -> Word:
    """The known word that a misspelt one is most similar to: `pinnela` is `pinella`.

    An unknown word if no word is similar, or several with different meanings.
    """
    unknown = Word(token, WordKind.NOTHING)
    similar = _similar_words(token)
    meanings = {word.means for word in similar}
    if len(meanings) != 1:
        return unknown
    most_similar = similar[0]
    if most_similar.kind not in _COUNTABLE:
        return unknown

    meant = most_similar.as_typed(token)
    if _are_equally_similar(similar, token):
        return meant.as_singular_or_plural()  # `donn` may be `donna` or `donne`
    return meant


def _are_equally_similar(similar: list[Word], token: str) -> bool:
    """Whether a typed word is as similar to another of these words as to the first.

    `similar` are known words, the most similar first.
    """
    likeness_to_first = _likeness_to_word(similar[0], token)
    return any(_likeness_to_word(word, token) == likeness_to_first for word in similar[1:])


def _similar_words(token: str) -> list[Word]:
    """The known words that are similar to a misspelt one, the most similar first.

    Short words are left out: there are too many that differ in one letter.
    """
    text = token.casefold()
    if len(text) < _LEAST_LETTERS:
        return []
    known_words = _known_words()
    candidates = [known for known in known_words if len(known) >= _LEAST_LETTERS]
    similar = get_close_matches(text, candidates, n=len(candidates), cutoff=_LEAST_LIKENESS)
    return [known_words[known] for known in similar]


def _likeness_to_word(word: Word, token: str) -> float:
    """How similar a known word is to a typed one, from 0 to 1, as `get_close_matches` has it."""
    return SequenceMatcher(None, word.raw, token.casefold()).ratio()


def _read_article(word: Word, word_after: Word) -> Word:
    """Decide what an `a` is: in `a king` one king; in `A king` it may also be an ace.

    Any other word stays as it is, and so does an `a` that is not before an English word.
    """
    is_article = word.raw.casefold() == _ARTICLE
    is_before_english_word = word_after.raw.casefold() in _words_of_language(Language.ENGLISH)
    if not (is_article and is_before_english_word):
        return word
    if word.raw == _ARTICLE:
        return Word(word.raw, WordKind.NUMBER, "1")
    return Word(word.raw, WordKind.LETTER)
