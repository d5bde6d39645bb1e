"""The words in which people write cards, of every language at once: what each is and what it stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher, get_close_matches
from enum import StrEnum
from functools import cache
from itertools import pairwise

from scorepad.i18n.words import LANGUAGES, Language, words
from scorepad.rules.cards import Kind, Suit, read_cards


class Is(StrEnum):
    """What a word is."""

    CARD = "card"
    PLURAL = "plural"
    NUMBER = "number"
    PAIR = "pair"
    COLOUR = "colour"
    SUIT = "suit"
    FILLER = "filler"
    BETWEEN = "between"
    """What stands between two cards: a comma, an «and»."""
    WILD = "wild"
    LETTER = "letter"
    OTHER = "other"
    """A card of other packs."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Word:
    """A word: what it is and what it stands for.

    `spelled`: written in letters; `joined`: a number with its card to it; `plural` and `single`: said of several only,
    or of one only.
    """

    raw: str
    sort: Is
    means: str = ""
    spelled: bool = False
    joined: bool = False
    plural: bool = False
    single: bool = False

    @property
    def can_only_count(self) -> bool:
        """Whether a number is no card itself: `1`, `3`, `12`, and every one with its card to it."""
        return self.joined or self.means not in RANKS


THREE = "3"
RANKS = frozenset(kind.value for kind in Kind if kind.value.isdigit())
"""The numbers that are cards."""
_COLOURS = (Kind.BLACK_THREE, Kind.RED_THREE)
_SIGNS = {"♥": Suit.HEARTS, "♡": Suit.HEARTS, "♦": Suit.DIAMONDS, "♢": Suit.DIAMONDS,
          "♠": Suit.SPADES, "♤": Suit.SPADES, "♣": Suit.CLUBS, "♧": Suit.CLUBS}  # fmt: skip
_COUNTED_WITH = (Is.CARD, Is.PLURAL, Is.COLOUR, Is.WILD, Is.NUMBER)
_BETWEEN = ",+&"
_ARTICLE = "a"

_LETTERS = re.compile(r"(?:10|[24-9akqjt])?[bcdfhmprs]+|[0-9]{1,2}[bcdfhmprs]+")
_RUN = re.compile(r"(?=[akqt])(?:10|[akqt24-9]){2,}|j{2,}|([24-9])\1+|(?:10){2,}")
_RUN_CARD = re.compile(r"10|.")
_COUNTED = re.compile(r"([0-9]{1,3})(x?)(.+)")
_APART = re.compile(f"([♥♡♦♢♠♤♣♧{_BETWEEN}])")
_TIMES = re.compile(r"\b([0-9]+)\s*x\s+", re.IGNORECASE)
_BLANK = str.maketrans({"\ufe0f": None, "×": "x", "'": " ", "’": " ", ".": " "})
_LEAST_LETTERS, _LIKE = 4, 0.8
"""From how many letters on, and how much alike, a misspelt word is taken for the one that was meant."""


def said_in(text: str) -> list[Word]:
    """The words of a line, without those that say nothing."""
    tidy = _APART.sub(r" \1 ", _TIMES.sub(r"\1x", text.translate(_BLANK)))
    said = [word for raw in tidy.split() for word in _lexed(raw)]
    said = [word for word in said if word.sort is not Is.FILLER]
    return [_as_article(word, after) for word, after in pairwise([*said, None]) if word]


def is_begun(word: str) -> bool:
    """Whether more letters can make it a word for a card, or one that counts cards."""
    begun = word.casefold()
    return any(known.startswith(begun) for known in _lexicon())


def _as_article(word: Word, after: Word | None) -> Word:
    """`a king` is one; `A king` may be an ace and a king as well."""
    if word.raw.casefold() != _ARTICLE or after is None or after.raw.casefold() not in _spoken(Language.ENGLISH):
        return word
    return Word(word.raw, Is.NUMBER, "1") if word.raw == _ARTICLE else Word(word.raw, Is.LETTER)


# ---------------------------------------------------------------------------------------------------- one by one


def _lexed(raw: str, *, counted: bool = False) -> Iterator[Word]:
    """What stands between two blanks: one word, or several written together; `counted`: a number came before."""
    word = raw.casefold()
    known = _lexicon().get(word)
    if raw in _SIGNS:
        yield Word(raw, Is.SUIT, _SIGNS[raw], joined=True)
    elif raw in _BETWEEN:
        yield Word(raw, Is.BETWEEN)
    elif _RUN.fullmatch(word) and not known:
        yield from (Word(raw, Is.CARD, card) for card in _RUN_CARD.findall(word.upper()))
    elif word.isascii() and word.isdigit():
        yield Word(raw, Is.NUMBER, word)
    elif known:
        yield replace(known, raw=raw)
    elif "x" not in word and not read_cards(raw).unknown:
        yield Word(raw, Is.CARD, raw.upper() if raw.isalpha() and len(raw) == 1 else raw)
    elif _LETTERS.fullmatch(word):
        yield Word(raw, Is.LETTER)
    else:
        yield from _with_its_count(raw, word) if not counted else _counted(raw, word)


def _counted(raw: str, word: str) -> Iterator[Word]:
    """What a number counts, and is no card: never a number with its card, so that a row of them is looked into once."""
    yield Word(raw, Is.NOTHING) if _COUNTED.fullmatch(word) else _misspelt(raw, word)


def _with_its_count(raw: str, word: str) -> Iterator[Word]:
    """`3K`, `3xre`, `3nero`: a number with its card to it."""
    counted = _COUNTED.fullmatch(word)
    count, times, rest = counted.groups() if counted else ("0", "", "")
    card = tuple(_lexed(rest, counted=True)) if rest else ()
    if not int(count) or len(card) != 1 or card[0].sort not in _COUNTED_WITH:
        yield _misspelt(raw, word)
        return
    # `3nero` is the card, as `3 nero` is; `3K` can only be three of it.
    yield Word(count, Is.NUMBER, count, joined=bool(times) or card[0].sort is not Is.COLOUR)
    yield card[0]


def _misspelt(raw: str, word: str) -> Word:
    """The word that was meant, where those that are most like it all stand for the same."""
    known = {each: means for each, means in _lexicon().items() if len(each) >= _LEAST_LETTERS}
    near = get_close_matches(word, known, n=len(known), cutoff=_LIKE) if len(word) >= _LEAST_LETTERS else []
    if not near or len({known[each].means for each in near}) > 1 or known[near[0]].sort not in _COUNTED_WITH:
        return Word(raw, Is.NOTHING)
    best = [each for each in near if _like(word, each) == _like(word, near[0])]
    meant = replace(known[best[0]], raw=raw)
    # `donn` may be one or several.
    return meant if len(best) == 1 else replace(meant, single=False, plural=False)


def _like(word: str, other: str) -> float:
    return SequenceMatcher(None, other, word).ratio()


# ---------------------------------------------------------------------------------------------------- the words


@cache
def _lexicon() -> dict[str, Word]:
    """Every word of every language."""
    return {name: word for language in LANGUAGES for name, word in _spoken(language).items()}


@cache
def _spoken(language: Language) -> dict[str, Word]:
    """Every word of one language."""
    found: dict[str, Word] = {}
    speech = words(language)
    for kind in Kind:
        sort = Is.NUMBER if kind.value in RANKS and kind is not Kind.TWO else Is.CARD
        if kind not in _COLOURS:
            _add(found, sort, kind, *(speech.plural(f"card.{kind}", count) for count in (1, 2)))
    for sort, called in _CALLED.items():
        for name in called:
            _add(found, sort, name, *speech.text(f"typed.{name}").split(" / "))
    for suit in Suit:
        _add(found, Is.SUIT, suit, speech.text(f"suit.{suit}"))
    return found


_CALLED = {
    Is.CARD: (Kind.QUEEN, Kind.JACK, Kind.JOKER),
    Is.NUMBER: ("1", "2", "3"),
    Is.PAIR: ("pair",),
    Is.COLOUR: _COLOURS,
    Is.SUIT: tuple(Suit),
    Is.WILD: ("wild",),
    Is.OTHER: ("other",),
    Is.FILLER: ("filler",),
    Is.BETWEEN: ("between",),
}
"""What has words of its own in the catalogue for being typed, beside the names of the cards."""


def _add(found: dict[str, Word], sort: Is, means: str, one: str, more: str = "") -> None:
    """The words for one of it, and those for several that are other words."""
    of_several = Is.PLURAL if sort in (Is.CARD, Is.NUMBER) and means != THREE else sort
    for word in more.split():
        found[word] = Word(word, of_several, means, spelled=True, plural=True)
    for word in one.split():
        found[word] = Word(word, sort, means, spelled=True, single=bool(more) and word not in more.split())
