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
    COLOURED_THREE = "coloured-three"
    """A colour and the three after it: `black three`."""
    SUIT = "suit"
    FILLER = "filler"
    """A word without a meaning here: `di`, `of`."""
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
    """A word of a line of cards, with its meaning.

    - `raw` is the text as typed, `meaning` the card, number or suit in notation
    - `is_written_in_letters`: `eight`, not `8`
    - `only_counts`: a number that cannot be a card, as the 4 of `4K`, without a space
    - `is_sign`: a suit written as a sign, as in `K♥`
    - `is_plural`, `is_singular`: it can only be the plural, or only the singular
    """

    raw: str
    kind: WordKind
    meaning: str = ""
    is_written_in_letters: bool = False
    only_counts: bool = False
    is_sign: bool = False
    is_plural: bool = False
    is_singular: bool = False

    @property
    def can_be_card(self) -> bool:
        """Tell whether a number may be a card by itself.

        - `4` → True
        - `1`, `12` → False: there are no such cards
        - `3` → False: a three is a card only with its colour, black or red
        - the 4 of `4K` → False: it counts the kings, because there is no space
        """
        return self.meaning in RANKS and not self.only_counts

    @property
    def can_be_three(self) -> bool:
        """Tell whether a number may be the 3 of a three: in `3 black` it may, in `3xblack` not."""
        return self.meaning == THREE and not self.only_counts

    @property
    def is_card_or_number(self) -> bool:
        """Whether the word is a card, also if told by its colour or only as wild, or a number."""
        return self.kind in (WordKind.CARD, WordKind.COLOUR, WordKind.WILD, WordKind.NUMBER)

    def as_typed(self, raw: str) -> Word:
        """Return a copy of the word with the text that was typed for it."""
        return self._replace(raw=raw)

    def as_singular_or_plural(self) -> Word:
        """Return a copy of the word that may be the singular as well as the plural."""
        return self._replace(is_singular=False, is_plural=False)

    def as_count(self) -> Word:
        """Return a copy of the number that can only count cards, and cannot be a card itself."""
        return self._replace(only_counts=True)


THREE = "3"
RANKS = frozenset(kind.value for kind in Kind if kind.value.isdigit())
"""The numbers that are cards by themselves: 2 and 4 to 10. A 3 needs its colour."""
NO_WORD = Word("", WordKind.BETWEEN)
"""Stands before the first word of a line and after the last."""
_COLOURS = (Kind.BLACK_THREE, Kind.RED_THREE)
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
    """Split a line of cards into words, and find out what each word is.

    `3 kings of hearts` → the number 3, the card `K`, the suit `h`. An `a` can only be understood
    together with the word after it: `a king` is one king.
    """
    line = _find_words_with_meaning(text)
    line_with_end = [*line, NO_WORD]  # so that the last word has a word after it, too
    result = []
    for word, word_after in pairwise(line_with_end):
        result.append(_tell_article_from_ace(word, word_after))
    return result


def _find_words_with_meaning(text: str) -> list[Word]:
    """Find the words of a line of cards, and leave out fillers such as `of` and `the`."""
    line: list[Word] = []
    for token in _split_into_tokens(text):
        for word in _find_words_of_token(token):
            if word.kind is not WordKind.FILLER:
                line.append(word)
    return line


def _split_into_tokens(text: str) -> list[str]:
    """Split a line of cards at spaces, and before and after each comma, plus sign or suit sign.

    `3 x K, 4♥` → `["3xK", ",", "4", "♥"]`
    """
    text = text.translate(_UNIFIED_CHARACTERS)
    text = _NUMBER_TIMES.sub(r"\1x", text)
    text = _SIGNS.sub(r" \1 ", text)
    return text.split()


def can_become_card_word(text: str) -> bool:
    """Tell whether a text is the beginning of a known word for a card, a number or the like.

    While a person is still typing `kin`, no error is shown: `king` may follow.
    """
    beginning = text.casefold()
    return any(known.startswith(beginning) for known in _known_words())


# ---------------------------------------------------------------- the known words


@cache
def _known_words() -> dict[str, Word]:
    """Return the known words of all languages, and signs such as `♥`, by their text.

    If two languages have the same word, it means what it means in the later language.
    """
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
    """Return the known words of a language by their text: `{"kings": Word("kings", …, "K")}`.

    If a text has two meanings, the later one in the vocabulary is taken.
    """
    known: dict[str, Word] = {}
    for entry in _list_vocabulary(language):
        for word in _list_words_of_entry(entry):
            known[word.raw] = word
    return known


class _VocabularyEntry(NamedTuple):
    """Words with one meaning in one language: `knave`, in the plural `knaves`, for a jack."""

    kind: WordKind
    meaning: str
    singulars: list[str]
    plurals: list[str]


def _list_words_of_entry(entry: _VocabularyEntry) -> list[Word]:
    """List the words of a vocabulary entry, each marked as singular or as plural.

    - `king`, `kings` → one singular, one plural
    - the Italian `re`, which is king and kings → one word, marked as neither
    - `heart`, without a plural in the vocabulary → marked as neither, because some people write
      the singular for several too
    """
    each_text_once = dict.fromkeys([*entry.singulars, *entry.plurals])
    listed = []
    for text in each_text_once:
        may_be_singular = text in entry.singulars
        may_be_plural = text in entry.plurals or not entry.plurals
        word = Word(
            text,
            kind=entry.kind if may_be_singular else _find_kind_of_plural(entry),
            meaning=entry.meaning,
            is_written_in_letters=True,
            is_singular=not may_be_plural,
            is_plural=not may_be_singular,
        )
        listed.append(word)
    return listed


def _find_kind_of_plural(entry: _VocabularyEntry) -> WordKind:
    """Find out what the plural of a word is.

    - `eights` → a card, although `eight` may also be a number
    - `threes` → a number as `three`: without a colour, black or red, it is no card
    - `kings` → a card, as `king`
    """
    if entry.kind is WordKind.NUMBER and entry.meaning != THREE:
        return WordKind.CARD
    return entry.kind


def _list_vocabulary(language: Language) -> list[_VocabularyEntry]:
    """List all words of a language that are recognised in a line of typed cards."""
    return [*_list_card_names(language), *_list_typed_words(language), *_list_suit_names(language)]


def _list_card_names(language: Language) -> list[_VocabularyEntry]:
    """List the names that the pages give to cards, so that they are recognised in typed text.

    In English, the entry for a king has the singular `king` and the plural `kings`.
    """
    messages = words(language)
    entries = []
    for kind in Kind:
        if kind.is_three:
            # "black three" is two words. Each is in the vocabulary by itself: a colour, a number.
            continue
        message_key = f"card.{kind}"
        entry = _VocabularyEntry(
            kind=_find_kind_of_card_name(kind),
            meaning=kind.value,
            singulars=messages.plural(message_key, 1).split(),
            plurals=messages.plural(message_key, 2).split(),
        )
        entries.append(entry)
    return entries


def _find_kind_of_card_name(card: Kind) -> WordKind:
    """Find out whether the name of a card is a number too.

    - `eight` → a number: it may count the next card
    - `king` → only a card
    - the name of a two → only a card: in Italian it is `pinella`, which is no number. The number
      `two` is among the other words (`_TYPED_NAMES`).
    """
    if card is Kind.TWO:
        return WordKind.CARD
    return WordKind.NUMBER if card.value in RANKS else WordKind.CARD


def _list_typed_words(language: Language) -> list[_VocabularyEntry]:
    """List the words that people type besides the usual names: `knave` for a jack, `pair`, `red`.

    They are in the messages `typed.…`: first the words in the singular, then those in the plural,
    as in `two deuce / twos deuces`. Some messages have no plural, as `of the`.
    """
    messages = words(language)
    entries = []
    for kind, names in _TYPED_NAMES.items():
        for name in names:
            message = messages.t(f"typed.{name}")  # `two deuce / twos deuces`
            singulars, _, plurals = message.partition(" / ")
            entries.append(_VocabularyEntry(kind, name, singulars.split(), plurals.split()))
    return entries


def _list_suit_names(language: Language) -> list[_VocabularyEntry]:
    """List the names that the pages give to suits: `hearts`. They have no other plural."""
    messages = words(language)
    entries = []
    for suit in Suit:
        names_of_suit = messages.t(f"suit.{suit}").split()
        entries.append(_VocabularyEntry(WordKind.SUIT, suit, names_of_suit, plurals=[]))
    return entries


# ---------------------------------------------------------------- a token without spaces


def _find_words_of_token(token: str) -> list[Word]:
    """Find the words in a text without spaces.

    - `king` → one card
    - `AKQ` → three cards
    - `3K` → a number and a card
    - `kinng` → one card, misspelt
    """
    plain = _read_plain_words(token)
    if plain:
        return plain
    number_and_card = _split_number_and_card(token)
    if number_and_card:
        return number_and_card
    return [_guess_misspelt_word(token)]


def _read_plain_words(token: str) -> list[Word]:
    """Read a text without spaces that is a known word, a number, or cards in notation.

    - `king` → the card `K`
    - `AKQ` → three cards; `777` → three cards, not a number
    - `12` → a number
    - `4h` → the card `4h`, a four of hearts
    - `d` → an unclear letter: diamonds, or `donna`, which is a queen in Italian
    - anything else → an empty list
    """
    text = token.casefold()
    known = _known_words().get(text)
    if known:
        return [known.as_typed(token)]
    if _CARDS_WITHOUT_SPACES.fullmatch(text):  # must come before the numbers, because of `777`
        cards = _CARD_OF_SEVERAL.findall(text.upper())
        return [Word(token, WordKind.CARD, card) for card in cards]
    if text.isascii() and text.isdigit():
        return [Word(token, WordKind.NUMBER, text)]
    if _is_card_in_notation(token):
        return [Word(token, WordKind.CARD, _capitalize_letter(token))]
    if _UNCLEAR_LETTERS.fullmatch(text):
        return [Word(token, WordKind.LETTER)]
    return []


def _is_card_in_notation(token: str) -> bool:
    """Tell whether a text is one card in notation.

    True for `K`, `4h` (four of hearts) and `3b` (black three). False for `3xK`, which has a number.
    """
    has_number = "x" in token.casefold()
    return not has_number and not read_cards(token).unknown


def _capitalize_letter(token: str) -> str:
    """Capitalize a single letter: `k` → `K`. Any other text, such as `4h`, stays as it is."""
    is_letter = len(token) == 1 and token.isalpha()
    return token.upper() if is_letter else token


def _split_number_and_card(token: str) -> list[Word]:
    """Split a number and the card that it counts, if they are written without a space.

    - `3K`, `3xK` → the number 3 and the card `K`
    - `foo`, `0K` → an empty list, since that is something else
    """
    parts = _NUMBER_AND_CARD.fullmatch(token.casefold())
    if not parts:
        return []
    number, times_sign, card_text = parts.groups()  # `3`, `x` or nothing, `k`
    card = _read_card_after_number(card_text)
    if card is None or int(number) == 0:
        return []

    # `3K` and `3xblack` can only be three cards. `3black` may be one black three, as `3 black` may.
    only_counts = card.kind is not WordKind.COLOUR or bool(times_sign)
    return [Word(number, WordKind.NUMBER, number, only_counts=only_counts), card]


def _read_card_after_number(text: str) -> Word | None:
    """Read the text that follows a number without a space, as the `K` of `3K`.

    Returns the card. None if the text is not just one card, so that the number cannot count it.
    """
    known_words = _read_plain_words(text)
    if len(known_words) > 1:
        return None  # `3AKQ`: three of which?
    if not known_words and _NUMBER_AND_CARD.fullmatch(text):
        return None  # `2xK` in `3x2xK` has a number too, and is no misspelt word
    card = known_words[0] if known_words else _guess_misspelt_word(text)
    if not card.is_card_or_number:
        return None  # `3hearts`: there are no three suits of hearts
    return card


# ---------------------------------------------------------------- misspelt words


def _guess_misspelt_word(token: str) -> Word:
    """Guess which known word a misspelt one is: `qeen` → `queen`.

    The result is marked as unknown if no word is similar, if similar words have different
    meanings, or if the word is not a card or number.
    """
    unknown = Word(token, WordKind.NOTHING)
    similar = _find_similar_words(token)
    meanings = {word.meaning for word in similar}
    have_one_meaning = len(meanings) == 1
    if not have_one_meaning:
        return unknown
    most_similar = similar[0]
    if not most_similar.is_card_or_number:
        return unknown

    meant = most_similar.as_typed(token)
    if _are_equally_similar(similar, token):
        return meant.as_singular_or_plural()  # `donn` may be `donna` or `donne`
    return meant


def _are_equally_similar(similar: list[Word], token: str) -> bool:
    """Tell whether a typed word is just as similar to a second known word as to the first.

    `similar` has the most similar word first. The Italian `donn` is as similar to `donna` (queen)
    as to `donne` (queens) → True.
    """
    likeness_to_first = _measure_likeness(similar[0], token)
    return any(_measure_likeness(word, token) == likeness_to_first for word in similar[1:])


def _find_similar_words(token: str) -> list[Word]:
    """Find the known words that are similar to a misspelt one, the most similar first.

    Words of fewer than four letters are left out: too many of them differ in one letter.
    """
    text = token.casefold()
    if len(text) < _LEAST_LETTERS:
        return []
    known_words = _known_words()
    candidates = [known for known in known_words if len(known) >= _LEAST_LETTERS]
    similar = get_close_matches(text, candidates, n=len(candidates), cutoff=_LEAST_LIKENESS)
    return [known_words[known] for known in similar]


def _measure_likeness(word: Word, token: str) -> float:
    """Measure how similar a known word is to a typed one, from 0 to 1 for an equal one.

    It is the measure by which `get_close_matches` finds similar words.
    """
    return SequenceMatcher(None, word.raw, token.casefold()).ratio()


def _tell_article_from_ace(word: Word, word_after: Word) -> Word:
    """Decide whether an `a` in a line of cards is the English article or an ace.

    - `a king` → the number one
    - `A king` → unclear: an ace and a king, or the article in capitals
    - `a K` → unchanged, an ace, since no English word follows
    - any other word → unchanged
    """
    is_letter_a = word.raw.casefold() == _ARTICLE
    is_before_english_word = word_after.raw.casefold() in _words_of_language(Language.ENGLISH)
    if not (is_letter_a and is_before_english_word):
        return word
    is_small = word.raw == _ARTICLE
    if is_small:
        return Word(word.raw, WordKind.NUMBER, "1")
    return Word(word.raw, WordKind.LETTER)
