"""Cards as people write them at a table, `3 re 1 jolly`, `KKK`, `three kings`, put into the notation of the contract.

The words of every language are known at once, for a table may speak two of them. What could mean two things is not
guessed: it is told apart, so that the page can ask.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache

from scorepad.i18n.words import LANGUAGES, words
from scorepad.rules.cards import Kind, Suit, read_cards


class Doubt(StrEnum):
    """Why something typed could be more than one thing."""

    WILD = "wild"
    """A wild card of either kind."""
    MANY = "many"
    """Several of a card, nobody says how many."""
    COLOUR = "colour"
    """A three without its colour."""
    COUNT = "count"
    """A number that counts, or is a card itself."""
    LETTER = "letter"
    """A letter that stands for one card in Italian and another in English, or for a suit."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What somebody typed: its cards in the contract's notation, what is doubtful and why, and what is no card."""

    text: str
    doubts: tuple[tuple[Doubt, str], ...] = ()
    unknown: tuple[str, ...] = ()


class _Is(StrEnum):
    """What a word is."""

    CARD = "card"
    PLURAL = "plural"
    NUMBER = "number"
    COLOUR = "colour"
    SUIT = "suit"
    FILLER = "filler"
    COMMA = "comma"
    WILD = "wild"
    LETTER = "letter"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class _Word:
    """A word: what it is and what it stands for. `spelled`: a number in letters; `joined`: one with its card to it."""

    raw: str
    sort: _Is
    means: str = ""
    spelled: bool = False
    joined: bool = False
    plural: bool = False

    @property
    def can_only_count(self) -> bool:
        """Whether a number is no card itself: `1`, `3`, `12`, and every one with its card to it."""
        return self.joined or self.means not in _RANKS


_SIGNS = {"♥": Suit.HEARTS, "♡": Suit.HEARTS, "♦": Suit.DIAMONDS, "♢": Suit.DIAMONDS,
          "♠": Suit.SPADES, "♤": Suit.SPADES, "♣": Suit.CLUBS, "♧": Suit.CLUBS}  # fmt: skip
_COLOURS = (Kind.BLACK_THREE, Kind.RED_THREE)
_THREE = "3"
_RANKS = frozenset(kind.value for kind in Kind if kind.value.isdigit())
"""The numbers that are cards."""
_SUITED = frozenset({*(kind.value for kind in Kind if kind.is_natural), "T", Kind.TWO.value, _THREE})
_COUNTED_WITH = (_Is.CARD, _Is.PLURAL, _Is.COLOUR, _Is.WILD, _Is.NUMBER)

_LETTERS = re.compile(r"(?:10|[24-9akqjt])?[bcdfhmprs]+|[0-9]{1,2}[bcdfhmprs]+")
_RUN = re.compile(r"(?=[akqt])(?:10|[akqt24-9]){2,}|j{2,}")
_RUN_CARD = re.compile(r"10|.")
_COUNTED = re.compile(r"([0-9]{1,3})(x?)(.+)")
_APART = re.compile("([♥♡♦♢♠♤♣♧,])")
_TIMES = re.compile(r"\b([0-9]+)\s*x\s+", re.IGNORECASE)
_BLANK = str.maketrans({"\ufe0f": None, "×": "x", "'": " ", "’": " ", "+": " ", ".": " "})


def read_typed(text: str) -> Typed:
    """Read cards as people write them. Whatever is notation already stays as it is."""
    if not read_cards(text).unknown:
        return Typed(text)
    tidy = _APART.sub(r" \1 ", _TIMES.sub(r"\1x", text.translate(_BLANK)))
    said = [word for raw in tidy.split() for word in _lexed(raw)]
    return _Reader().read([word for word in said if word.sort is not _Is.FILLER])


def notated(text: str) -> str:
    """Cards in notation as far as they are clear: what is no card stands behind those that are, a doubt as typed."""
    typed = read_typed(text)
    alien = [token for token in typed.unknown if not read_cards(token).cards.size]
    if typed.doubts or len(alien) != len(typed.unknown):
        return text
    return " ".join((typed.text, *alien)).strip()


def is_begun(word: str) -> bool:
    """Whether more letters can make it a word for a card, or one that counts cards."""
    begun = word.casefold()
    return any(known.startswith(begun) for known in _lexicon())


# ---------------------------------------------------------------------------------------------------- words


def _lexed(raw: str) -> Iterator[_Word]:
    """What stands between two blanks: one word, or several written together."""
    word = raw.casefold()
    known = _lexicon().get(word)
    if raw in _SIGNS:
        yield _Word(raw, _Is.SUIT, _SIGNS[raw], joined=True)
    elif raw == ",":
        yield _Word(raw, _Is.COMMA)
    elif word.isascii() and word.isdigit():
        yield _Word(raw, _Is.NUMBER, word)
    elif known:
        yield replace(known, raw=raw)
    elif "x" not in word and not read_cards(raw).unknown:
        yield _Word(raw, _Is.CARD, raw.upper() if raw.isalpha() and len(raw) == 1 else raw)
    elif _RUN.fullmatch(word):
        yield from (_Word(raw, _Is.CARD, card) for card in _RUN_CARD.findall(word.upper()))
    elif _LETTERS.fullmatch(word):
        yield _Word(raw, _Is.LETTER)
    else:
        yield from _with_its_count(raw, word)


def _with_its_count(raw: str, word: str) -> Iterator[_Word]:
    """`3K`, `3xre`, `3nero`: a number with its card to it."""
    counted = _COUNTED.fullmatch(word)
    count, times, rest = counted.groups() if counted else ("0", "", "")
    card = tuple(_lexed(rest)) if rest else ()
    if not int(count) or len(card) != 1 or card[0].sort not in _COUNTED_WITH:
        yield _Word(raw, _Is.NOTHING)
        return
    # `3nero` is the card, as `3 nero` is; `3K` can only be three of it.
    yield _Word(count, _Is.NUMBER, count, joined=bool(times) or card[0].sort is not _Is.COLOUR)
    yield card[0]


@cache
def _lexicon() -> dict[str, _Word]:
    """Every word of every language."""
    found: dict[str, _Word] = {}
    for speech in map(words, LANGUAGES):
        for kind in Kind:
            sort = _Is.NUMBER if kind.value in _RANKS and kind is not Kind.TWO else _Is.CARD
            if kind not in _COLOURS:
                _add(found, sort, kind, *(speech.plural(f"card.{kind}", count) for count in (1, 2)))
        for sort, called in _CALLED.items():
            for name in called:
                _add(found, sort, name, *speech.text(f"typed.{name}").split(" / "))
        for suit in Suit:
            _add(found, _Is.SUIT, suit, speech.text(f"suit.{suit}"))
    return found


_CALLED = {
    _Is.CARD: (Kind.QUEEN, Kind.JACK, Kind.JOKER),
    _Is.NUMBER: ("1", "2", "3"),
    _Is.COLOUR: _COLOURS,
    _Is.SUIT: tuple(Suit),
    _Is.WILD: ("wild",),
    _Is.FILLER: ("between",),
}
"""What has words of its own in the catalogue for being typed, beside the names of the cards."""


def _add(found: dict[str, _Word], sort: _Is, means: str, one: str, more: str = "") -> None:
    """The words for one of it, and those for several that are other words."""
    of_several = _Is.PLURAL if sort in (_Is.CARD, _Is.NUMBER) and means != _THREE else sort
    for word in more.split():
        found[word] = _Word(word, of_several, means, spelled=True, plural=True)
    for word in one.split():
        found[word] = _Word(word, sort, means, spelled=True)


# ---------------------------------------------------------------------------------------------------- cards


@dataclass(slots=True)
class _Reader:
    """Reads words one after the other: `count` is the number that waits for its card."""

    cards: list[tuple[int, str]] = field(default_factory=list)
    doubts: list[tuple[Doubt, str]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    count: _Word | None = None
    since: int = 0
    """Where the cards begin that a suit named after them is for."""

    def read(self, said: list[_Word]) -> Typed:
        """The cards of all these words."""
        for before, word, after in zip([None, *said], said, [*said[1:], None], strict=False):
            self._take(word, before, after)
        self._settle()
        text = " ".join(card if count == 1 else f"{count}x{card}" for count, card in self.cards)
        return Typed(text, tuple(self.doubts), tuple(self.unknown))

    def _take(self, word: _Word, before: _Word | None, after: _Word | None) -> None:
        match word.sort:
            case _Is.NUMBER:
                self._number(word, before, after)
            case _Is.CARD | _Is.PLURAL:
                self._card(word)
            case _Is.COLOUR:
                self._colour(word, after)
            case _Is.SUIT:
                self._suit(word)
            case _Is.WILD | _Is.LETTER:
                self._doubt(Doubt(word.sort.value), word)
            case _:
                self._settle()
                self.unknown += [word.raw] if word.sort is _Is.NOTHING else []

    def _put(self, card: str) -> None:
        """As many of a card as were counted."""
        count, self.count = int(self.count.means) if self.count else 1, None
        if count:
            self.cards.append((count, card))
        else:
            self.unknown.append(card)

    def _doubt(self, why: Doubt, word: _Word) -> None:
        counted, self.count = f"{self.count.raw} " if self.count else "", None
        self.doubts.append((why, f"{counted}{word.raw}"))

    def _settle(self) -> None:
        """The number that waited is a card itself, if there is one of it."""
        number, self.count = self.count, None
        if number is None:
            return
        if number.means in _RANKS:
            self._put(number.means)
        elif number.means == _THREE:
            self.doubts.append((Doubt.COLOUR, number.raw))
        else:
            self.unknown.append(number.raw)

    def _number(self, word: _Word, before: _Word | None, after: _Word | None) -> None:
        waits, is_rank = self.count, word.means in _RANKS
        if word.means == _THREE and before and before.sort is _Is.COLOUR:
            return  # `black three`: the colour said it
        if word.means == _THREE and waits and after and after.sort is _Is.COLOUR:
            self.count = replace(waits, joined=True)  # `2 3 neri`: it counts those that come
        elif waits and is_rank and (waits.can_only_count or waits.spelled != word.spelled):
            self._put(word.means)
        elif waits and is_rank and word.spelled:
            self._doubt(Doubt.COUNT, word)
        else:
            self._settle()
            self.count = word

    def _card(self, word: _Word) -> None:
        if self.count is None and word.plural:
            self._doubt(Doubt.MANY, word)
        elif self.count is None or word.spelled or self.count.spelled or self.count.can_only_count:
            self._put(word.means)
        else:
            self._doubt(Doubt.COUNT, word)

    def _colour(self, word: _Word, after: _Word | None) -> None:
        several = word.plural or bool(after and after.plural and after.means == _THREE)
        if self.count is None and several:
            self._doubt(Doubt.MANY, word)
            return
        if self.count and self.count.means == _THREE and not self.count.joined and not several:
            self.count = None  # `3 nero` is a card, `3 neri` are three of it
        self._put(word.means)

    def _suit(self, word: _Word) -> None:
        """The suit of the card before, `re di cuori`; in words also of those before it, `4 5 6 di cuori`."""
        if self.count and self.count.means in (*_RANKS, _THREE):
            rank, self.count = self.count.means, None
            self._put(rank)
        bare = [place for place in range(self.since, len(self.cards)) if self.cards[place][1] in _SUITED]
        if not bare or bare[-1] != len(self.cards) - 1:
            self.unknown.append(word.raw)
            return
        for place in bare[-1:] if word.joined or self.cards[-1][0] > 1 else bare:
            count, card = self.cards[place]
            self.cards[place] = (count, f"{card}{word.means}")
        self.since = len(self.cards)
