"""The words with which people write cards: `re`, `due`, `neri`, `KKK`, `3x`, and misspelt ones.

The words of all languages are known at once, since a table may use two of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
    written in letters. `is_joined`: it is attached to its card without a space, as the number of
    `3K`. `is_plural`, `is_singular`: it can only be the plural, or only the singular.
    """

    raw: str
    kind: WordKind
    means: str = ""
    is_spelled: bool = False
    is_joined: bool = False
    is_plural: bool = False
    is_singular: bool = False

    @property
    def can_only_count(self) -> bool:
        """Whether a number cannot be a card: `1`, `12`, and the number of `3K`."""
        return self.is_joined or self.means not in RANKS

    def as_typed(self, raw: str) -> Word:
        """The same word with the text that was typed for it."""
        return self._replace(raw=raw)


THREE = "3"
RANKS = frozenset(kind.value for kind in Kind if kind.value.isdigit())
"""The numbers that are cards."""
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

_TIMES = re.compile(r"\b([0-9]+)\s*x\s+", re.IGNORECASE)
_SIGNS = re.compile(f"([{''.join(_SUIT_SIGNS)}{_SEPARATORS}])")
_UNIFIED = str.maketrans({"\ufe0f": None, "×": "x", "'": " ", "’": " ", ".": " "})
_NUMBER_AND_CARD = re.compile(r"([0-9]{1,3})(x?)(.+)")
# Cards without spaces: different ones as in `AKQ`, or equal ones as in `JJJ`, `777`, `1010`.
_RUN = re.compile(r"(?=[akqt])(?:10|[akqt24-9]){2,}|j{2,}|([24-9])\1+|(?:10){2,}")
_RUN_CARD = re.compile(r"10|.")
_RANK_AND_LETTER = re.compile(r"(?:10|[24-9akqjt])?[bcdfhmprs]+|[0-9]{1,2}[bcdfhmprs]+")
_LEAST_LETTERS = 4
"""The minimum length of a word that may be misspelt."""
_LEAST_LIKENESS = 0.8
"""How similar a misspelt word must be to the one that is meant, from 0 to 1."""


def split_into_words(text: str) -> list[Word]:
    """The words of a line of cards, without those that mean nothing: `a`, `di`, `of`."""
    # `3 x K` becomes `3xK`; signs such as commas and hearts stand by themselves.
    spaced = _TIMES.sub(r"\1x", text.translate(_UNIFIED))
    spaced = _SIGNS.sub(r" \1 ", spaced)
    line: list[Word] = []
    for token in spaced.split():
        for word in _words_of_token(token):
            if word.kind is not WordKind.FILLER:
                line.append(word)

    read = []
    for word, word_after in pairwise([*line, NO_WORD]):
        read.append(_read_article(word, word_after))
    return read


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
        known[sign] = Word(sign, WordKind.SUIT, suit, is_joined=True)
    for sign in _SEPARATORS:
        known[sign] = Word(sign, WordKind.BETWEEN)
    for language in LANGUAGES:
        known |= _words_of_language(language)
    return known


@cache
def _words_of_language(language: Language) -> dict[str, Word]:
    """The words of a language by their text, in the singular and the plural."""
    known: dict[str, Word] = {}
    for entry in _vocabulary(language):
        # The plural of a number that is a card too names cards: `gli otto`.
        kind_of_plural = entry.kind
        if entry.kind is WordKind.NUMBER and entry.means != THREE:
            kind_of_plural = WordKind.CARD
        for text in entry.plurals:
            known[text] = Word(text, kind_of_plural, entry.means, is_spelled=True, is_plural=True)
        for text in entry.singulars:
            is_singular = bool(entry.plurals) and text not in entry.plurals
            known[text] = Word(
                text, entry.kind, entry.means, is_spelled=True, is_singular=is_singular
            )
    return known


class _VocabularyEntry(NamedTuple):
    """Words of one meaning in one language: `gobbo`, in the plural `gobbi`, for a jack."""

    kind: WordKind
    means: str
    singulars: list[str]
    plurals: list[str]


def _vocabulary(language: Language) -> Iterator[_VocabularyEntry]:
    """The words of a language: the names of the cards and suits, and the `typed.…` messages."""
    of_language = words(language)
    for kind in Kind:
        if kind in _COLOURS:
            continue
        is_number = kind.value in RANKS and kind is not Kind.TWO
        singulars = of_language.plural(f"card.{kind}", 1).split()
        plurals = of_language.plural(f"card.{kind}", 2).split()
        word_kind = WordKind.NUMBER if is_number else WordKind.CARD
        yield _VocabularyEntry(word_kind, kind, singulars, plurals)
    for word_kind, names in _TYPED_NAMES.items():
        for name in names:
            # Such as `gobbo / gobbi`; some have no plural.
            singular, _, plural = of_language.t(f"typed.{name}").partition(" / ")
            yield _VocabularyEntry(word_kind, name, singular.split(), plural.split())
    for suit in Suit:
        names_of_suit = of_language.t(f"suit.{suit}").split()
        yield _VocabularyEntry(WordKind.SUIT, suit, names_of_suit, [])


# ---------------------------------------------------------------- a token without spaces


def _words_of_token(token: str) -> list[Word]:
    """The words in a text without spaces: one, cards as in `AKQ`, or a number and a card: `3K`."""
    plain = _plain_words(token)
    if plain:
        return plain
    number_and_card = _NUMBER_AND_CARD.fullmatch(token.casefold())
    if not number_and_card:
        return [_guess_misspelt_word(token)]

    number, times_sign, rest = number_and_card.groups()
    counted = _words_after_number(rest)
    card = counted[0]
    if len(counted) > 1 or int(number) == 0 or card.kind not in _COUNTABLE:
        return [_guess_misspelt_word(token)]
    # `3nero` may be one black three, as `3 nero`; `3K` and `3xnero` can only be three cards.
    can_only_count = bool(times_sign) or card.kind is not WordKind.COLOUR
    return [Word(number, WordKind.NUMBER, number, is_joined=can_only_count), card]


def _words_after_number(text: str) -> list[Word]:
    """The words in a text that follows a number without a space; never empty.

    A second number, as in `3x2xK`, makes no sense.
    """
    plain = _plain_words(text)
    if plain:
        return plain
    if _NUMBER_AND_CARD.fullmatch(text.casefold()):
        return [Word(text, WordKind.NOTHING)]
    return [_guess_misspelt_word(text)]


def _plain_words(token: str) -> list[Word]:
    """A known word, a number, or cards in notation; empty for anything else."""
    text = token.casefold()
    known = _known_words().get(text)
    if known:
        return [known.as_typed(token)]
    if _RUN.fullmatch(text):
        return [Word(token, WordKind.CARD, card) for card in _RUN_CARD.findall(text.upper())]
    if text.isascii() and text.isdigit():
        return [Word(token, WordKind.NUMBER, text)]
    is_notation = "x" not in text and not read_cards(token).unknown
    if is_notation:
        is_letter = token.isalpha() and len(token) == 1
        return [Word(token, WordKind.CARD, token.upper() if is_letter else token)]
    if _RANK_AND_LETTER.fullmatch(text):
        return [Word(token, WordKind.LETTER)]
    return []


def _guess_misspelt_word(token: str) -> Word:
    """The known word that a misspelt one is most similar to: `pinnela` is `pinella`.

    An unknown word if similar words have different meanings, or if there is none.
    """
    unknown = Word(token, WordKind.NOTHING)
    text = token.casefold()
    if len(text) < _LEAST_LETTERS:
        return unknown
    candidates = {
        known: word for known, word in _known_words().items() if len(known) >= _LEAST_LETTERS
    }
    similar = get_close_matches(text, candidates, n=len(candidates), cutoff=_LEAST_LIKENESS)
    meanings = {candidates[known].means for known in similar}
    if len(meanings) != 1:
        return unknown
    most_similar = similar[0]
    meant = candidates[most_similar].as_typed(token)
    if meant.kind not in _COUNTABLE:
        return unknown

    likeness = [SequenceMatcher(None, known, text).ratio() for known in similar]
    is_tie = likeness.count(likeness[0]) > 1
    if is_tie:  # `donn` may be the singular or the plural
        return meant._replace(is_singular=False, is_plural=False)
    return meant


def _read_article(word: Word, word_after: Word) -> Word:
    """Decide what an `a` is: in `a king` one king; in `A king` it may also be an ace."""
    if word.raw.casefold() != _ARTICLE:
        return word
    is_before_english_word = word_after.raw.casefold() in _words_of_language(Language.ENGLISH)
    if not is_before_english_word:
        return word
    if word.raw == _ARTICLE:
        return Word(word.raw, WordKind.NUMBER, "1")
    return Word(word.raw, WordKind.LETTER)
