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
from functools import cache, lru_cache

from snowballstemmer import stemmer

from scorepad.i18n import LANGUAGES, Language, words

_STEMMERS = {Language.ITALIAN: "italian", Language.ENGLISH: "english"}
_WORD = re.compile(r"[^\W_]+")
_GROUPED = re.compile(r"(?<=\d)[.,\s\u00a0](?=\d{3}\b)")
_NEAR, _NEARS = 0.8, 3
"""How alike words must be to stand for each other, and how many may."""
_SHORTEST_BEGINNING = 4
_EXACT = 1.25
"""How much more the very word weighs than one of its stem."""


def plain_words(text: str) -> tuple[str, ...]:
    """The words of a text, small, without accents, figures without their grouping."""
    folded = unicodedata.normalize("NFKD", _GROUPED.sub("", text.lower()))
    return tuple(_WORD.findall("".join(each for each in folded if not unicodedata.combining(each))))


@lru_cache(maxsize=8192)  # the words of the rules, and those that people type: of these there are ever more
def stems(word: str) -> frozenset[str]:
    """What a plain word is known by: its stem in each language; a number by its figure."""
    found = set()
    for language, name in _STEMMERS.items():
        stem = stemmer(name).stemWord(word)  # a new one: it holds the word that it is at, and threads would share it
        found.add(_numbers(language).get(stem) or _roots(language).get(stem, stem))
    return frozenset(found)


def exact(word: str) -> str:
    """What a plain word is known by beside its stems, so that the same word is found before those akin to it."""
    return f"={word}"


@cache
def _numbers(language: Language) -> Mapping[str, str]:
    """The names of the small numbers, by stem; the article is none."""
    named = words(language).text("rulebook.search.numbers").split()
    cut = stemmer(_STEMMERS[language])
    return {cut.stemWord(name): str(number) for number, name in enumerate(named) if number > 1}


@cache
def _roots(language: Language) -> Mapping[str, str]:
    """The stems that have another root than the word they come from, with that word's: preso with prendere."""
    cut = stemmer(_STEMMERS[language])
    families = [family.split() for family in words(language).text("rulebook.search.families").split(";")]
    return {cut.stemWord(form): cut.stemWord(family[0]) for family in families for form in family}


@cache
def ignored() -> frozenset[str]:
    """Plain words that say nothing of what is looked for, in any language."""
    return frozenset(each for tongue in LANGUAGES for each in words(tongue).text("rulebook.search.ignored").split())


def wanted_words(text: str) -> tuple[str, ...]:
    """The words of a question that say what is looked for; all of them where none does."""
    asked = tuple(dict.fromkeys(plain_words(text)))
    return tuple(each for each in asked if each not in ignored()) or asked


Forms = Mapping[str, float]
"""The stems that a thing asked may be found by, each with how much it is worth to find that one."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A title, another name or a question that a text goes by: the stems of each telling word, and all its words."""

    words: tuple[frozenset[str], ...]
    said: frozenset[str]


def phrase(text: str) -> Phrase:
    """A text as a phrase."""
    return Phrase(tuple(stems(word) | {exact(word)} for word in wanted_words(text)), frozenset(plain_words(text)))


@dataclass(frozen=True, slots=True)
class Known:
    """A text as the search knows it: the weight of every stem in it, the phrases it goes by, and how much it counts."""

    weights: Mapping[str, float]
    phrases: tuple[Phrase, ...]
    counts: float


def known(weighed: Iterable[tuple[str, float]], phrases: Iterable[str], counts: float) -> Known:
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
    return Known(weights, tuple(dict.fromkeys(phrase(text) for text in phrases if plain_words(text))), counts)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: what each of its words may be found by, and all words that were said."""

    forms: tuple[Forms, ...]
    said: frozenset[str]


class Lexicon:
    """What is known of many texts together: how rare each stem is, and which words there are in each language."""

    def __init__(self, texts: Sequence[Known], vocabulary: Mapping[Language, Iterable[str]]) -> None:
        self._texts = texts
        self._held = Counter(stem for text in texts for stem in text.weights)
        self._vocabulary = {language: sorted(set(words)) for language, words in vocabulary.items()}

    def knows(self, word: str) -> bool:
        """Whether any text holds a word."""
        return any(form in self._held for form in stems(word))

    def near(self, word: str, language: Language) -> tuple[str, ...]:
        """The words of a language that a word stands for which no text holds: those it begins, or nearly the same."""
        if self.knows(word) or len(word) < _SHORTEST_BEGINNING:
            return ()
        begun = [each for each in self._vocabulary[language] if each.startswith(word)]
        return tuple(begun[:_NEARS] or get_close_matches(word, self._vocabulary[language], _NEARS, _NEAR))

    def best(self, asked: Asked) -> Iterator[tuple[int, float]]:
        """The places of the texts that answer a question, with their worth, best first.

        What a text holds counts for it as a part of what the text holds that holds most: not of the whole question, of
        which no text may hold more than a few words.
        """
        rarities = [self._rarity(forms) for forms in asked.forms]
        rated = [(place, *self._worth(text, asked, rarities)) for place, text in enumerate(self._texts)]
        most = max((held for _, held, _ in rated), default=0.0)
        found = [(place, worth * (held / most) ** _ALL) for place, held, worth in rated if held > _ENOUGH * most]
        least = _LEAST * max((worth for _, worth in found), default=0.0)
        yield from sorted((each for each in found if each[1] >= least), key=lambda each: (-each[1], each[0]))

    def _worth(self, text: Known, asked: Asked, rarities: Sequence[float]) -> tuple[float, float]:
        """How much of what is asked a text holds, the rarer the more; and what it is worth as an answer.

        That is how weighty the words are in it, and how nearly the whole question is something that it goes by.
        """
        held = weighty = 0.0
        for forms, rarity in zip(asked.forms, rarities, strict=True):
            weight = max((text.weights.get(form, 0.0) * share for form, share in forms.items()), default=0.0)
            if weight:
                held, weighty = held + rarity, weighty + rarity * weight
        if not held:
            return 0.0, 0.0
        same = max((self._alike(each, asked, rarities) for each in text.phrases), default=0.0)
        return held, text.counts * (weighty / (sum(rarities) * _WEIGHTIEST) + same)

    def _alike(self, phrase: Phrase, asked: Asked, rarities: Sequence[float]) -> float:
        """How much a phrase and a question have in common: 1 where they say the same; asking words settle a draw.

        What the question says beside the phrase counts against it by half: people tell a story around what they ask.
        """
        shared = lacking = beside = 0.0
        for word in phrase.words:
            rarity, share = (
                self._rarity(dict.fromkeys(word, 1.0)),
                max((_share(forms, word) for forms in asked.forms), default=0.0),
            )
            shared, lacking = shared + rarity * share, lacking + rarity * (1 - share)
        for forms, rarity in zip(asked.forms, rarities, strict=True):
            beside += rarity * (1 - max((_share(forms, word) for word in phrase.words), default=0.0))
        told = len(asked.said & phrase.said) / len(asked.said | phrase.said)
        return shared / (shared + _LACKING * lacking + _BESIDE * beside) + _ASKING * told if shared else 0.0

    def _rarity(self, forms: Forms) -> float:
        often = max((self._held.get(form, 0) for form in forms), default=0)
        return math.log(1 + len(self._texts) / (1 + often))


def _share(forms: Forms, word: frozenset[str]) -> float:
    return max((share for form, share in forms.items() if form in word), default=0.0)


_ENOUGH, _LEAST = 0.4, 0.3
"""Of what the best text holds, and of what it is worth, the part that another must reach to be found too."""
_ALL = 1.0
"""How much it counts to hold all that is asked: the exponent of the part that is held."""
_LACKING, _BESIDE = 0.6, 0.3
"""How much it counts against a phrase that the question lacks words of it, and that it says others beside."""
_WEIGHTIEST = 10.0
"""About what a word weighs in a text that consists of it."""
_ASKING = 0.2
"""How much it counts that a question is asked in the very words."""
