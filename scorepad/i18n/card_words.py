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
    CARD = "card"
    NUMBER = "number"
    PAIR = "pair"
    COLOUR = "colour"
    SUIT = "suit"
    FILLER = "filler"
    BETWEEN = "between"
    """A separator of two cards: a comma, an «and»."""
    WILD = "wild"
    LETTER = "letter"
    OTHER = "other"
    """A card that is not in these decks."""
    NOTHING = "nothing"


class Word(NamedTuple):
    """A word with its type and meaning.

    `spelled`: written in letters; `joined`: a number attached to its card; `plural` and `single`:
    the word is only plural, or only singular.
    """

    raw: str
    kind: WordKind
    means: str = ""
    spelled: bool = False
    joined: bool = False
    plural: bool = False
    single: bool = False

    @property
    def can_only_count(self) -> bool:
        """Whether a number cannot be a card: `1`, `3`, `12`, and every number attached to its card."""
        return self.joined or self.means not in RANKS


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
_COUNTED = re.compile(r"([0-9]{1,3})(x?)(.+)")
_RUN = re.compile(r"(?=[akqt])(?:10|[akqt24-9]){2,}|j{2,}|([24-9])\1+|(?:10){2,}")
_RUN_CARD = re.compile(r"10|.")
_RANK_AND_LETTER = re.compile(r"(?:10|[24-9akqjt])?[bcdfhmprs]+|[0-9]{1,2}[bcdfhmprs]+")
_LEAST_LETTERS = 4
"""The minimum length of a word that may be misspelt."""
_LEAST_LIKENESS = 0.8


def split_into_words(text: str) -> list[Word]:
    """The words of a line, without those that mean nothing: `a`, `di`, `of`."""
    spaced = _TIMES.sub(r"\1x", text.translate(_UNIFIED))
    spaced = _SIGNS.sub(r" \1 ", spaced)
    line: list[Word] = []
    for token in spaced.split():
        for word in _words_of(token):
            if word.kind is not WordKind.FILLER:
                line.append(word)
    pairs = pairwise([*line, NO_WORD])
    return [_article_or_ace(word, after) for word, after in pairs]


def is_begun(text: str) -> bool:
    """Whether more letters can complete it to a word for a card or for a number of cards."""
    beginning = text.casefold()
    return any(known.startswith(beginning) for known in _known_words())


# ---------------------------------------------------------------- the known words


@cache
def _known_words() -> dict[str, Word]:
    """The words of all languages, and the signs; of two languages with one word, the later."""
    known: dict[str, Word] = {}
    for sign, suit in _SUIT_SIGNS.items():
        known[sign] = Word(sign, WordKind.SUIT, suit, joined=True)
    for sign in _SEPARATORS:
        known[sign] = Word(sign, WordKind.BETWEEN)
    for language in LANGUAGES:
        known |= _words_of_language(language)
    return known


@cache
def _words_of_language(language: Language) -> dict[str, Word]:
    """Singular forms, and plural forms that differ; a message has both as `re / re, regi`."""
    known: dict[str, Word] = {}
    for kind, means, message in _messages(language):
        singular, _, plural = message.partition(" / ")
        several = plural.split()
        # The plural of a number that is a card names cards: `gli otto`.
        kind_of_several = kind
        if kind is WordKind.NUMBER and means != THREE:
            kind_of_several = WordKind.CARD
        for text in several:
            known[text] = Word(text, kind_of_several, means, spelled=True, plural=True)
        for text in singular.split():
            is_single = bool(several) and text not in several
            known[text] = Word(text, kind, means, spelled=True, single=is_single)
    return known


def _messages(language: Language) -> Iterator[tuple[WordKind, str, str]]:
    """The type, meaning and message of the words of a language."""
    of_language = words(language)
    for kind in Kind:
        if kind in _COLOURS:
            continue
        is_number = kind.value in RANKS and kind is not Kind.TWO
        one = of_language.plural(f"card.{kind}", 1)
        several = of_language.plural(f"card.{kind}", 2)
        yield WordKind.NUMBER if is_number else WordKind.CARD, kind, f"{one} / {several}"
    for word_kind, names in _TYPED_NAMES.items():
        for name in names:
            yield word_kind, name, of_language.t(f"typed.{name}")
    for suit in Suit:
        yield WordKind.SUIT, suit, of_language.t(f"suit.{suit}")


# ---------------------------------------------------------------- a token without spaces


def _words_of(token: str) -> list[Word]:
    """The words in a token: one, or several written together; a number of a card as `3K`, `2xjolly`."""
    plain = _plain_words(token)
    if plain:
        return plain
    counted = _COUNTED.fullmatch(token.casefold())
    if not counted:
        return [_misspelt(token)]
    count, times, rest = counted.groups()
    card, *more = _counted_words(rest)
    if more or int(count) == 0 or card.kind not in _COUNTABLE:
        return [_misspelt(token)]
    # `3nero` is the card, like `3 nero`; `3K` can only be three kings.
    can_only_count = bool(times) or card.kind is not WordKind.COLOUR
    return [Word(count, WordKind.NUMBER, count, joined=can_only_count), card]


def _counted_words(token: str) -> list[Word]:
    """The words in what follows a number; a second number is not read."""
    plain = _plain_words(token)
    if plain:
        return plain
    if _COUNTED.fullmatch(token.casefold()):
        return [Word(token, WordKind.NOTHING)]
    return [_misspelt(token)]


def _plain_words(token: str) -> list[Word]:
    """A known word, a number or cards in notation; empty for anything else."""
    text = token.casefold()
    known = _known_words().get(text)
    if known:
        return [known._replace(raw=token)]
    if _RUN.fullmatch(text):
        return [Word(token, WordKind.CARD, card) for card in _RUN_CARD.findall(text.upper())]
    if text.isascii() and text.isdigit():
        return [Word(token, WordKind.NUMBER, text)]
    if "x" not in text and not read_cards(token).unknown:
        is_letter = token.isalpha() and len(token) == 1
        return [Word(token, WordKind.CARD, token.upper() if is_letter else token)]
    if _RANK_AND_LETTER.fullmatch(text):
        return [Word(token, WordKind.LETTER)]
    return []


def _misspelt(token: str) -> Word:
    """The most similar known word, if all similar words have the same meaning."""
    nothing = Word(token, WordKind.NOTHING)
    text = token.casefold()
    if len(text) < _LEAST_LETTERS:
        return nothing
    known = {each: word for each, word in _known_words().items() if len(each) >= _LEAST_LETTERS}
    similar = get_close_matches(text, known, n=len(known), cutoff=_LEAST_LIKENESS)
    meanings = {known[each].means for each in similar}
    if len(meanings) != 1 or known[similar[0]].kind not in _COUNTABLE:
        return nothing

    meant = known[similar[0]]._replace(raw=token)
    likeness = [SequenceMatcher(None, each, text).ratio() for each in similar]
    if likeness.count(likeness[0]) > 1:  # `donn` may be singular or plural
        meant = meant._replace(single=False, plural=False)
    return meant


def _article_or_ace(word: Word, after: Word) -> Word:
    """`a king` is one king; `A king` may also be an ace and a king."""
    if word.raw.casefold() != _ARTICLE:
        return word
    if after.raw.casefold() not in _words_of_language(Language.ENGLISH):
        return word
    if word.raw == _ARTICLE:
        return Word(word.raw, WordKind.NUMBER, "1")
    return Word(word.raw, WordKind.LETTER)
