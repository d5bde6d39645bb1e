"""Parse cards as people write them, `3 re 1 jolly`, `KKK`, `three kings`, into the notation of the
contract.

The words of all languages are accepted at once, since a table may use two of them. Ambiguous input
is not guessed: it is returned as a doubt, so that the page can ask.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher, get_close_matches
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from scorepad.i18n.words import LANGUAGES, Language, words
from scorepad.rules.cards import Kind, Suit, read_cards


class WordKind(StrEnum):
    """The type of a word."""

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


class Typed(NamedTuple):
    """The result of parsing: the cards in notation, the doubts with their reasons, and the unknown
    tokens.
    """

    text: str
    doubts: tuple[tuple[Doubt, str], ...] = ()
    unknown: tuple[str, ...] = ()


THREE = "3"
RANKS = frozenset(kind.value for kind in Kind if kind.value.isdigit())
"""The numbers that are cards."""
_SUITED = frozenset({*(kind.value for kind in Kind if kind.is_natural), "T", Kind.TWO.value, THREE})
_COLOURS = (Kind.BLACK_THREE, Kind.RED_THREE)
_SIGNS = {"♥": Suit.HEARTS, "♡": Suit.HEARTS, "♦": Suit.DIAMONDS, "♢": Suit.DIAMONDS,
          "♠": Suit.SPADES, "♤": Suit.SPADES, "♣": Suit.CLUBS, "♧": Suit.CLUBS}  # fmt: skip
_COUNTED_WITH = (WordKind.CARD, WordKind.COLOUR, WordKind.WILD, WordKind.NUMBER)
_BETWEEN = ",+&"
_ARTICLE = "a"
_CALLED = {
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

_LETTERS = re.compile(r"(?:10|[24-9akqjt])?[bcdfhmprs]+|[0-9]{1,2}[bcdfhmprs]+")
_RUN = re.compile(r"(?=[akqt])(?:10|[akqt24-9]){2,}|j{2,}|([24-9])\1+|(?:10){2,}")
_RUN_CARD = re.compile(r"10|.")
_COUNTED = re.compile(r"([0-9]{1,3})(x?)(.+)")
_APART = re.compile(f"([{''.join(_SIGNS)}{_BETWEEN}])")
_TIMES = re.compile(r"\b([0-9]+)\s*x\s+", re.IGNORECASE)
_BLANK = str.maketrans({"\ufe0f": None, "×": "x", "'": " ", "’": " ", ".": " "})
_LEAST_LETTERS, _LIKE = 4, 0.8
"""The minimum length and similarity for correcting a misspelt word."""
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
    tidy = _APART.sub(r" \1 ", _TIMES.sub(r"\1x", text.translate(_BLANK)))
    found = [
        word for raw in tidy.split() for word in _words_of(raw) if word.kind is not WordKind.FILLER
    ]
    return _Reader([_as_article(word, after) for word, after in pairwise([*found, _NONE])]).read()


def notated(text: str) -> str:
    """Cards in notation as far as they are clear, followed by the unknown tokens; ambiguous text is
    unchanged.
    """
    typed = read_typed(text)
    alien = [token for token in typed.unknown if not read_cards(token).cards.size]
    if typed.doubts or len(alien) != len(typed.unknown):
        return text
    return " ".join((typed.text, *alien)).strip()


def is_begun(word: str) -> bool:
    """Whether more letters can complete it to a word for a card or for a number of cards."""
    return any(known.startswith(word.casefold()) for known in _lexicon())


# -------------------------------------------------------------------------------------------- words


@cache
def _lexicon() -> dict[str, Word]:
    """The words of all languages, and the symbols."""
    signs = {sign: Word(sign, WordKind.SUIT, suit, joined=True) for sign, suit in _SIGNS.items()}
    signs |= {sign: Word(sign, WordKind.BETWEEN) for sign in _BETWEEN}
    return signs | {
        name: word for language in LANGUAGES for name, word in _spoken(language).items()
    }


@cache
def _spoken(language: Language) -> dict[str, Word]:
    """The words of one language: singular forms, and plural forms that differ."""
    speech = words(language)
    entries: list[tuple[WordKind, str, str]] = [
        (
            WordKind.NUMBER if kind.value in RANKS and kind is not Kind.TWO else WordKind.CARD,
            kind,
            f"{speech.plural(f'card.{kind}', 1)} / {speech.plural(f'card.{kind}', 2)}",
        )
        for kind in Kind
        if kind not in _COLOURS
    ]
    entries += [
        (kind, name, speech.text(f"typed.{name}"))
        for kind, names in _CALLED.items()
        for name in names
    ]
    entries += [(WordKind.SUIT, suit, speech.text(f"suit.{suit}")) for suit in Suit]
    found: dict[str, Word] = {}
    for kind, means, text in entries:
        one, _, more = text.partition(" / ")
        of_several = WordKind.CARD if kind is WordKind.NUMBER and means != THREE else kind
        for word in more.split():
            found[word] = Word(word, of_several, means, spelled=True, plural=True)
        for word in one.split():
            found[word] = Word(
                word, kind, means, spelled=True, single=bool(more) and word not in more.split()
            )
    return found


def _words_of(raw: str, *, counted: bool = False) -> list[Word]:
    """The words in a token without spaces: one, or several written together; `counted`: a number
    came before.
    """
    word = raw.casefold()
    plain, with_count = _plain(raw, word), _COUNTED.fullmatch(word)
    if plain or (with_count and counted):  # only one count per token
        return plain or [Word(raw, WordKind.NOTHING)]
    if with_count:
        count, times, rest = with_count.groups()
        card, *more = _words_of(rest, counted=True)
        if int(count) and not more and card.kind in _COUNTED_WITH:
            # `3nero` is the card, like `3 nero`; `3K` can only be three kings.
            return [
                Word(
                    count,
                    WordKind.NUMBER,
                    count,
                    joined=bool(times) or card.kind is not WordKind.COLOUR,
                ),
                card,
            ]
    return [_misspelt(raw, word)]


def _plain(raw: str, word: str) -> list[Word]:
    """A known word, a number or cards in notation; empty for anything else."""
    known = _lexicon().get(word)
    if known:
        return [known._replace(raw=raw)]
    if _RUN.fullmatch(word):
        return [Word(raw, WordKind.CARD, card) for card in _RUN_CARD.findall(word.upper())]
    if word.isascii() and word.isdigit():
        return [Word(raw, WordKind.NUMBER, word)]
    if "x" not in word and not read_cards(raw).unknown:
        return [Word(raw, WordKind.CARD, raw.upper() if raw.isalpha() and len(raw) == 1 else raw)]
    return [Word(raw, WordKind.LETTER)] if _LETTERS.fullmatch(word) else []


def _misspelt(raw: str, word: str) -> Word:
    """The most similar known word, if all similar words have the same meaning."""
    known = {each: means for each, means in _lexicon().items() if len(each) >= _LEAST_LETTERS}
    near = (
        get_close_matches(word, known, n=len(known), cutoff=_LIKE)
        if len(word) >= _LEAST_LETTERS
        else []
    )
    if (
        not near
        or len({known[each].means for each in near}) > 1
        or known[near[0]].kind not in _COUNTED_WITH
    ):
        return Word(raw, WordKind.NOTHING)
    likeness = [SequenceMatcher(None, each, word).ratio() for each in near]
    meant = known[near[0]]._replace(raw=raw)
    # `donn` may be singular or plural.
    return meant if likeness.count(likeness[0]) == 1 else meant._replace(single=False, plural=False)


def _as_article(word: Word, after: Word) -> Word:
    """`a king` is one king; `A king` may also be an ace and a king."""
    if word.raw.casefold() != _ARTICLE or after.raw.casefold() not in _spoken(Language.ENGLISH):
        return word
    return (
        Word(word.raw, WordKind.NUMBER, "1")
        if word.raw == _ARTICLE
        else Word(word.raw, WordKind.LETTER)
    )


def _counts_all(line: list[Word]) -> bool:
    """Whether every card has a number before it, and most of those cannot be cards: `2 K 1 jolly 3
    Q`.
    """
    parts = [word for word in line if word.kind is not WordKind.BETWEEN]
    numbers, cards = parts[::2], parts[1::2]
    in_pairs = len(numbers) == len(cards) and all(word.kind is WordKind.NUMBER for word in numbers)
    counted = all(word.kind in (WordKind.CARD, WordKind.WILD) for word in cards)
    return in_pairs and counted and 2 * sum(word.can_only_count for word in numbers) > len(numbers)


# ------------------------------------------------------------------------------------------ reading


class _Reader:
    """Parses a list of words.

    Attributes: `counts_all`, whether every number is a count; `count`, the pending number; `bare`,
    the previous card if it had no number (then the next number may be a card as well); `since`, the
    index of the first card to which a suit named later applies.
    """

    def __init__(self, line: list[Word]) -> None:
        self.line, self.counts_all = line, _counts_all(line)
        self.cards: list[tuple[int, str]] = []
        self.doubts: list[tuple[Doubt, str]] = []
        self.unknown: list[str] = []
        self.count: Word | None = None
        self.bare, self.since = "", 0

    def read(self) -> Typed:
        """Parse all words."""
        for before, word, after in zip(
            [_NONE, *self.line], self.line, [*self.line[1:], _NONE], strict=False
        ):
            match word.kind:
                case WordKind.NUMBER:
                    self._number(word, before, after)
                case WordKind.PAIR:
                    several = 2 * int(self.count.means if self.count else 1)
                    self.count = word._replace(means=str(several), joined=True)
                case WordKind.CARD:
                    self._card(word)
                case WordKind.COLOUR:
                    self._colour(word, before, after)
                case WordKind.SUIT:
                    self._suit(word)
                case WordKind.WILD | WordKind.LETTER | WordKind.OTHER:
                    if word.single and not self._counts(word):
                        self._settle()
                    self._doubt(Doubt(word.kind.value), word)
                case _:
                    self._settle()
                    self.bare = ""
                    self.unknown += [word.raw] if word.kind is WordKind.NOTHING else []
        self._settle()
        text = " ".join(card if count == 1 else f"{count}x{card}" for count, card in self.cards)
        return Typed(text, tuple(self.doubts), tuple(self.unknown))

    def _counts(self, word: Word) -> bool:
        """Whether the pending number, if any, can only be a count of this word."""
        waits = self.count
        if waits is None or waits.can_only_count or word.plural or self.counts_all:
            return True
        # `4 re`, `due 8`: one in letters. `9 joker` and `2 2 jolly` may also be separate cards.
        differ = waits.spelled != word.spelled or (word.kind is WordKind.CARD and word.spelled)
        return differ and not word.single and not self.bare

    def _card(self, word: Word) -> None:
        """Add the counted number of a card; a plural without a number is a doubt."""
        if self.count is None and word.plural:
            self._doubt(Doubt.MANY, word)
        elif self._counts(word):
            self._put(word.means, word.raw)
        else:
            self._doubt(Doubt.COUNT, word)

    def _put(self, card: str, raw: str) -> None:
        count, self.bare = int(self.count.means) if self.count else 1, "" if self.count else raw
        self.count = None
        if count:
            self.cards.append((count, card))
        else:
            self.unknown.append(card)

    def _doubt(self, why: Doubt, word: Word) -> None:
        given = [
            self.bare if why is Doubt.COUNT else "",
            self.count.raw if self.count else "",
            word.raw,
        ]
        self.count = None
        self.doubts.append((why, " ".join(filter(None, given))))

    def _settle(self) -> None:
        """Add the pending number as a card, if there is such a card."""
        number, self.count = self.count, None
        if number and number.means in RANKS and not number.joined:
            self._put(number.means, number.raw)
        elif number and number.means == THREE:
            self.doubts.append((Doubt.COLOUR, number.raw))
        elif number:
            self.unknown.append(number.raw)

    def _number(self, word: Word, before: Word, after: Word) -> None:
        waits, is_three = self.count, word.means == THREE
        if is_three and before.kind is WordKind.COLOUR:
            return  # `black three`: the colour came before
        if is_three and waits and after.kind is WordKind.COLOUR:
            self.count = waits._replace(joined=True)  # `2 3 neri`: it counts the following cards
        elif waits and word.means in RANKS and (word.spelled or self._counts(word)):
            self._card(word)
        else:
            self._settle()
            self.count = word

    def _colour(self, word: Word, before: Word, after: Word) -> None:
        three = after.means == THREE
        several = word.plural or (three and after.plural)
        if self.count is None and not three and before.kind is WordKind.CARD:
            self.unknown.append(word.raw)  # `re nero`: only threes have a colour
        elif self.count is None and several:
            self._doubt(Doubt.MANY, word)
        else:
            if self.count and self.count.means == THREE and not self.count.joined and not several:
                self.count = None  # `3 nero` is a card, `3 neri` are three of it
            self._put(word.means, "")

    def _suit(self, word: Word) -> None:
        """The suit of the previous card, `re di cuori`; if spelled also of those before it, `4 5 6
        di cuori`.
        """
        if self.count and self.count.means in (*RANKS, THREE):
            rank, self.count = self.count.means, None
            self._put(rank, rank)
        bare = [
            place for place in range(self.since, len(self.cards)) if self.cards[place][1] in _SUITED
        ]
        if not bare or bare[-1] != len(self.cards) - 1:
            self.unknown.append(word.raw)
            return
        for place in bare[-1:] if word.joined or self.cards[-1][0] > 1 else bare:
            count, card = self.cards[place]
            self.cards[place] = (count, f"{card}{word.means}")
        self.since = len(self.cards)


_NONE = Word("", WordKind.BETWEEN)
"""Placeholder before the first word and after the last."""
