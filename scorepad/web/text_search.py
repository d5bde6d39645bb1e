"""Full-text matching: words without accents, in any inflection, in Italian or English, mistyped, by their synonyms.

A document is indexed by the stems of its words (Snowball's, of each language). An unknown word of a question is
replaced by similar known ones.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import NamedTuple

from scorepad.i18n import LANGUAGES, Language, words

_STEMMERS = {Language.ITALIAN: "italian", Language.ENGLISH: "english"}
_WORD = re.compile(r"[^\W_]+")
_GROUPED = re.compile(r"(?<=\d)[.,\s\u00a0](?=\d{3}\b)")
_NEAR, _MOST_NEAR = 0.8, 3
"""The similarity (of difflib) of a word that replaces an unknown one, and how many may."""
_SHORTEST_BEGINNING = 4
_SHORTEST_INFLECTED = 4
"""Letters of the words that are also found in another inflection."""
_EXACT = 1.25
"""How much more the exact word weighs than another with its stem."""


def plain_words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, without accents; figures without their grouping."""
    folded = unicodedata.normalize("NFKD", _GROUPED.sub("", text.lower()))
    return tuple(_WORD.findall("".join(each for each in folded if not unicodedata.combining(each))))


@lru_cache(maxsize=8192)  # bounded: people type ever more words
def stems(word: str) -> frozenset[str]:
    """The stem of a plain word in each language; of a number its figure."""
    found = ((language, _stem(word, language)) for language in LANGUAGES)
    return frozenset(_numbers(language).get(stem) or _roots(language).get(stem, stem) for language, stem in found)


def _stem(word: str, language: Language) -> str:
    from snowballstemmer import stemmer  # 40 ms that only a search needs

    return str(stemmer(_STEMMERS[language]).stemWord(word))  # a new one: a stemmer is not thread-safe


def exact(word: str) -> str:
    """The form of a plain word beside its stems, so that the same word ranks before those with its stem."""
    return f"={word}"


@cache
def _numbers(language: Language) -> Mapping[str, str]:
    """The figures of the small numbers by the stems of their names; 1 is left out, it is an article too."""
    names = words(language).text("rulebook.search.numbers").split()
    return {_stem(name, language): str(number) for number, name in enumerate(names) if number > 1}


@cache
def _roots(language: Language) -> Mapping[str, str]:
    """The stems of irregular forms, with the stem of the first word of their family: preso with prendere."""
    families = [family.split() for family in words(language).text("rulebook.search.families").split(";")]
    return {_stem(form, language): _stem(family[0], language) for family in families for form in family}


@cache
def stop_words() -> frozenset[str]:
    """The stop words of all languages."""
    return frozenset(each for tongue in LANGUAGES for each in words(tongue).text("rulebook.search.ignored").split())


def wanted_words(text: str) -> tuple[str, ...]:
    """The words of a text without the stop words; all of them where there are no others."""
    asked = tuple(dict.fromkeys(plain_words(text)))
    return tuple(each for each in asked if each not in stop_words()) or asked


Phrases = tuple[tuple[tuple[str, ...], str], ...]
"""Phrases in plain words, each with what it stands for."""


def with_synonyms(plain: tuple[str, ...]) -> tuple[str, ...]:
    """The words with every synonym replaced by the term of the rules."""
    found = phrases_in(plain, _synonyms())
    replaced: list[str] = []
    position = 0
    while position < len(plain):
        length, term = found.get(position, (1, plain[position]))
        replaced += plain_words(term)
        position += length
    return tuple(replaced)


def phrases_in(plain: tuple[str, ...], phrases: Phrases) -> dict[int, tuple[int, str]]:
    """The phrases in a question that do not overlap: by position their lengths and what they stand for."""
    found: dict[int, tuple[int, str]] = {}
    used: set[int] = set()
    for phrase, meaning in phrases:
        for start in range(len(plain) - len(phrase) + 1):
            taken = range(start, start + len(phrase))
            if used.isdisjoint(taken) and all(map(_is_same, plain[start : start + len(phrase)], phrase)):
                used.update(taken)
                found[start] = len(phrase), meaning
    return found


def _is_same(word: str, other: str) -> bool:
    """Whether two words are the same in any inflection; short words mean something else with another ending."""
    return word == other or (min(len(word), len(other)) >= _SHORTEST_INFLECTED and bool(stems(word) & stems(other)))


@cache
def _synonyms() -> Phrases:
    """What people say for the terms of the rules, in all languages: `names=term`, separated by semicolons."""
    found: dict[tuple[str, ...], str] = {}
    for language in LANGUAGES:
        for each in words(language).text("rulebook.search.same").split(";"):
            names, _, term = each.partition("=")
            found.update({plain_words(name): term for name in names.split(",")})
    return longest_first(found)


def longest_first(phrases: Mapping[tuple[str, ...], str]) -> Phrases:
    """Phrases, the longest first: they are tried before those that they contain."""
    return tuple(sorted(phrases.items(), key=lambda each: (-len(each[0]), each)))


Forms = Mapping[str, float]
"""The forms (stems and exact words) that match a word of a question, each with its share of the full worth."""


class Phrase(NamedTuple):
    """A title, another name or a question that leads to a text: the forms of each telling word, and all its words."""

    words: tuple[frozenset[str], ...]
    plain: frozenset[str]


@dataclass(frozen=True, slots=True)
class Document:
    """A text of the index: the weight of every form in it, the phrases that lead to it, and the factor of its kind."""

    weights: Mapping[str, float]
    phrases: tuple[Phrase, ...]
    factor: float


def document(weighted: Iterable[tuple[str, float]], phrases: Iterable[str], factor: float) -> Document:
    """Texts with their weights as one document; a word has the weight of the text that gives it most.

    Of two texts with the same weight the words of the shorter weigh more, because it is about nothing else.
    """
    weights: dict[str, float] = {}
    for text, weight in weighted:
        found = wanted_words(text)
        each = weight * (1 + 1 / (1 + len(found)))
        for word in found:
            for form in (*stems(word), exact(word)):
                weights[form] = max(each * (_EXACT if form == exact(word) else 1), weights.get(form, 0.0))
    return Document(weights, tuple(dict.fromkeys(_phrase(text) for text in phrases if plain_words(text))), factor)


def _phrase(text: str) -> Phrase:
    return Phrase(tuple(stems(word) | {exact(word)} for word in wanted_words(text)), frozenset(plain_words(text)))


class TextIndex:
    """Documents that are searched together: how rare each form is, and the vocabulary of each language."""

    def __init__(self, documents: Sequence[Document], vocabulary: Mapping[Language, Iterable[str]]) -> None:
        self._documents = documents
        self._frequency = Counter(form for each in documents for form in each.weights)
        self._vocabulary = {language: sorted(set(words)) for language, words in vocabulary.items()}

    def knows(self, word: str) -> bool:
        """Whether any document has a word."""
        return any(form in self._frequency for form in stems(word))

    def near(self, word: str, language: Language) -> tuple[str, ...]:
        """The words of a language to search instead of an unknown word: those that it begins, or similar ones."""
        if self.knows(word) or len(word) < _SHORTEST_BEGINNING:
            return ()
        begun = [each for each in self._vocabulary[language] if each.startswith(word)]
        return tuple(begun[:_MOST_NEAR] or get_close_matches(word, self._vocabulary[language], _MOST_NEAR, _NEAR))

    def best(self, question: Sequence[Forms], plain: frozenset[str]) -> list[int]:
        """The positions of the documents that answer a question, best first.

        `question`: the forms of each of its telling words; `plain`: all its words. What a document has of the question
        is compared with the document that has most of it: no document has more than a few words of a long question.
        """
        rarities = [self._rarity(forms) for forms in question]
        rated = [
            (position, *self._rate(each, question, plain, rarities)) for position, each in enumerate(self._documents)
        ]
        most = max((matched for _, matched, _ in rated), default=0.0)
        worth = {
            position: value * (matched / most) for position, matched, value in rated if matched > _LEAST_MATCHED * most
        }
        least = _LEAST_WORTH * max(worth.values(), default=0.0)
        return sorted((each for each in worth if worth[each] >= least), key=lambda each: (-worth[each], each))

    def _rate(
        self, text: Document, question: Sequence[Forms], plain: frozenset[str], rarities: Sequence[float]
    ) -> tuple[float, float]:
        """How much of a question a document has, rare words counting more, and its worth as an answer.

        The worth grows with the weight of the words in it and with its most similar phrase.
        """
        matched = weighted = 0.0
        for forms, rarity in zip(question, rarities, strict=True):
            weight = max((text.weights.get(form, 0.0) * share for form, share in forms.items()), default=0.0)
            if weight:
                matched, weighted = matched + rarity, weighted + rarity * weight
        if not matched:
            return 0.0, 0.0
        similar = max((self._similarity(each, question, plain, rarities) for each in text.phrases), default=0.0)
        return matched, text.factor * (weighted / (sum(rarities) * _HIGHEST_WEIGHT) + similar)

    def _similarity(
        self, phrase: Phrase, question: Sequence[Forms], plain: frozenset[str], rarities: Sequence[float]
    ) -> float:
        """How similar a phrase and a question are: 1 where they say the same; words like «how» decide a draw.

        Words of the question beside the phrase count half as much against it as missing ones: people tell a story
        around their question.
        """
        shared = missing = beside = 0.0
        for word in phrase.words:
            rarity = self._rarity(dict.fromkeys(word, 1.0))
            share = max((_share(forms, word) for forms in question), default=0.0)
            shared, missing = shared + rarity * share, missing + rarity * (1 - share)
        for forms, rarity in zip(question, rarities, strict=True):
            beside += rarity * (1 - max((_share(forms, word) for word in phrase.words), default=0.0))
        same = len(plain & phrase.plain) / len(plain | phrase.plain)
        return shared / (shared + _MISSING * missing + _BESIDE * beside) + _SAME_WORDS * same if shared else 0.0

    def _rarity(self, forms: Forms) -> float:
        most = max((self._frequency.get(form, 0) for form in forms), default=0)
        return math.log(1 + len(self._documents) / (1 + most))


def _share(forms: Forms, word: frozenset[str]) -> float:
    return max((share for form, share in forms.items() if form in word), default=0.0)


_LEAST_MATCHED, _LEAST_WORTH = 0.4, 0.3
"""The parts of the best match and of the best worth that a document must reach to be found."""
_MISSING, _BESIDE = 0.6, 0.3
"""How much it counts against a phrase that the question lacks a word of it, and that it has another word."""
_HIGHEST_WEIGHT = 10.0
"""About the weight of a word in a document that consists of it."""
_SAME_WORDS = 0.2
"""How much it counts that a question is asked in the very words of a phrase."""
