"""Finding texts by words that need not be the same: without accents, in any number, in Italian or English, mistyped.

A text is known by the stems of its words (Snowball's, of each language). A word that no text holds stands for the words
that are nearly the same.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from snowballstemmer import stemmer

from scorepad.i18n import LANGUAGES, Language, words

_STEMMERS = {Language.ITALIAN: stemmer("italian"), Language.ENGLISH: stemmer("english")}
_WORD = re.compile(r"[^\W_]+")
_GROUPED = re.compile(r"(?<=\d)[.,\s\u00a0](?=\d{3}\b)")
_NEAR, _NEARS = 0.75, 3
"""How alike words must be to stand for each other, and how many may."""
_SHORTEST_BEGINNING = 4
_EXACT = 1.25
"""How much more the very word weighs than one of its stem."""


def plain_words(text: str) -> tuple[str, ...]:
    """The words of a text, small, without accents, figures without their grouping."""
    folded = unicodedata.normalize("NFKD", _GROUPED.sub("", text.lower()))
    return tuple(_WORD.findall("".join(each for each in folded if not unicodedata.combining(each))))


@cache
def stems(word: str) -> frozenset[str]:
    """What a plain word is known by: its stem in each language; a number by its figure."""
    found = set()
    for language, cut in _STEMMERS.items():
        stem = cut.stemWord(word)
        found.add(_numbers(language).get(stem, stem))
    return frozenset(found)


def exact(word: str) -> str:
    """What a plain word is known by beside its stems, so that the same word is found before those akin to it."""
    return f"={word}"


@cache
def _numbers(language: Language) -> Mapping[str, str]:
    """The names of the small numbers, by stem; the article is none."""
    named = words(language).text("rulebook.search.numbers").split()
    cut = _STEMMERS[language]
    return {cut.stemWord(name): str(number) for number, name in enumerate(named) if number > 1}


@cache
def ignored() -> frozenset[str]:
    """Plain words that say nothing of what is looked for, in any language."""
    return frozenset(each for tongue in LANGUAGES for each in words(tongue).text("rulebook.search.ignored").split())


def wanted_words(text: str) -> tuple[str, ...]:
    """The words of a question that say what is looked for; all of them where none does."""
    asked = tuple(dict.fromkeys(plain_words(text)))
    return tuple(each for each in asked if each not in ignored()) or asked


@dataclass(frozen=True, slots=True)
class Known:
    """A text as the search knows it: the weight of every stem in it."""

    weights: Mapping[str, float]


def known(*weighed: tuple[str, float]) -> Known:
    """Texts with their weights, as one; a word weighs as much as in the weightiest of them.

    Of two texts of one weight the words of the shorter weigh more: it speaks of nothing else.
    """
    weights: dict[str, float] = {}
    for text, weight in weighed:
        found = wanted_words(text)
        each = weight * (1 + 1 / (1 + len(found)))
        for word in found:
            for form in (*stems(word), exact(word)):
                weights[form] = max(each * (_EXACT if form == exact(word) else 1), weights.get(form, 0.0))
    return Known(weights)


Forms = Mapping[str, float]
"""The stems that a thing asked may be found by, each with how much it is worth to find that one."""


class Lexicon:
    """What is known of many texts together: how rare each stem is, and which words there are."""

    def __init__(self, texts: Sequence[Known], vocabulary: Iterable[str]) -> None:
        self._texts = texts
        self._held = Counter(stem for text in texts for stem in text.weights)
        self._vocabulary = sorted(set(vocabulary))

    def near(self, word: str) -> tuple[str, ...]:
        """The words that a word stands for which no text holds: those it begins, or those nearly the same."""
        if any(stem in self._held for stem in stems(word)):
            return ()
        begun = [each for each in self._vocabulary if each.startswith(word)]
        if len(word) >= _SHORTEST_BEGINNING and begun:
            return tuple(begun[:_NEARS])
        return tuple(get_close_matches(word, self._vocabulary, _NEARS, _NEAR))

    def best(self, asked: Sequence[Forms]) -> Iterator[tuple[int, float]]:
        """The places of the texts that hold most of what is asked, with their worth, best first."""
        rated = [(place, *self._worth(text, asked)) for place, text in enumerate(self._texts)]
        most = max((held for _, held, _ in rated), default=0.0)
        found = [(place, worth) for place, held, worth in rated if held and held >= most * _ENOUGH]
        yield from sorted(found, key=lambda each: (-each[1], each[0]))

    def _worth(self, text: Known, asked: Sequence[Forms]) -> tuple[float, float]:
        """How much of what is asked a text holds, the rarer the more, and how weightily."""
        held = worth = 0.0
        for forms in asked:
            weight = max((text.weights.get(form, 0.0) * share for form, share in forms.items()), default=0.0)
            if weight:
                rarity = self._rarity(forms)
                held, worth = held + rarity, worth + rarity * weight
        return held, worth

    def _rarity(self, forms: Forms) -> float:
        often = max(self._held.get(form, 0) for form in forms)
        return math.log(1 + len(self._texts) / (1 + often))


_ENOUGH = 0.7
"""Of what the best text holds, the part that another must hold to be found too."""
