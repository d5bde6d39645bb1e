"""Full-text matching: words in any inflection, without accents, in Italian or English, with typos and synonyms.

A document is indexed by the stems of its words (Snowball's, of each language). An unknown word of a question is
replaced by similar known ones.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from operator import mul
from types import MappingProxyType
from typing import NamedTuple

from scorepad.i18n import LANGUAGES, Language, words

Tokens = tuple[str, ...]
"""The words of a text, in lower case and without accents."""
_STEMMERS = {Language.ITALIAN: "italian", Language.ENGLISH: "english"}
_WORD = re.compile(r"[^\W_]+")
_GROUPED = re.compile(r"(?<=\d)[.,\s\u00a0](?=\d{3}\b)")
_NEAR, _MOST_NEAR = 0.8, 3  # minimum similarity (difflib) of words that replace an unknown one, and their limit
_SHORTEST_BEGINNING = 4
_SHORTEST_INFLECTED = 4  # minimum letters of words that also match in other inflections
_EXACT = 1.25  # the factor of the exact word over others with its stem
_SYNONYM = 0.6  # the weight of a term for another of its names
_LEAST_MATCHED, _LEAST_WORTH = 0.4, 0.3
"""The fractions of the best match and the best worth that a document must reach to be found."""
_MISSING, _BESIDE = 0.6, 0.3
"""Penalties of a phrase: for a word that the question lacks, and for another word in the question."""
_HIGHEST_WEIGHT = 10.0  # about the weight of a word in a document that consists of it
_SAME_WORDS = 0.2  # bonus for a question in the exact words of a phrase


# ---------------------------------------------------------------- words


def plain_words(text: str) -> Tokens:
    """The words of a text in lower case, without accents; figures without their grouping."""
    folded = unicodedata.normalize("NFKD", _GROUPED.sub("", text.lower()))
    return tuple(_WORD.findall("".join(each for each in folded if not unicodedata.combining(each))))


@lru_cache(maxsize=8192)  # bounded: typed words are unlimited
def stems(word: str) -> frozenset[str]:
    """The stem of a plain word in each language; of a number its figure."""
    found = ((language, _stem(word, language)) for language in LANGUAGES)
    return frozenset(_known_stems(language).get(stem, stem) for language, stem in found)


def _stem(word: str, language: Language) -> str:
    from snowballstemmer import stemmer  # 40 ms that only a search needs

    return str(stemmer(_STEMMERS[language]).stemWord(word))  # a new one: a stemmer is not thread-safe


@cache
def _known_stems(language: Language) -> Mapping[str, str]:
    """Replacements for the stems of irregular forms, and of small numbers.

    A form has the stem of the first word of its family: `preso` that of `prendere`. A number has its figure; 1 is left
    out: also an article.
    """
    families = [family.split() for family in words(language).text("rulebook.search.families").split(";")]
    found = {_stem(form, language): _stem(family[0], language) for family in families for form in family}
    numbers = enumerate(words(language).text("rulebook.search.numbers").split())
    return found | {_stem(name, language): str(number) for number, name in numbers if number > 1}


def _forms(word: str) -> frozenset[str]:
    """The index forms of a plain word: its stems, and itself, so that it ranks before others with its stem."""
    return stems(word) | {f"={word}"}


@cache
def stop_words() -> frozenset[str]:
    """The stop words of all languages."""
    return frozenset(each for tongue in LANGUAGES for each in words(tongue).text("rulebook.search.ignored").split())


def wanted_words(text: str) -> Tokens:
    """The words of a text without the stop words; all of them if there are no others."""
    asked = tuple(dict.fromkeys(plain_words(text)))
    return tuple(each for each in asked if each not in stop_words()) or asked


# ---------------------------------------------------------------- phrases

Phrases = Mapping[Tokens, str]
"""Phrases in plain words, each with its meaning."""


def phrases_in(plain: Tokens, phrases: Phrases) -> dict[int, tuple[int, str]]:
    """The phrases in a question that do not overlap, long ones first: by position their lengths and meanings."""
    found: dict[int, tuple[int, str]] = {}
    used: set[int] = set()
    for phrase, meaning in sorted(phrases.items(), key=lambda each: (-len(each[0]), each)):
        for start in range(len(plain) - len(phrase) + 1):
            taken = range(start, start + len(phrase))
            if used.isdisjoint(taken) and all(map(_is_same, plain[start : start + len(phrase)], phrase)):
                used.update(taken)
                found[start] = len(phrase), meaning
    return found


def _is_same(word: str, other: str) -> bool:
    """Whether two words are inflections of one word; short words must be equal."""
    return word == other or (min(len(word), len(other)) >= _SHORTEST_INFLECTED and bool(stems(word) & stems(other)))


def with_synonyms(plain: Tokens) -> Tokens:
    """The words with every synonym replaced by its term in the rules."""
    found = phrases_in(plain, _synonyms())
    replaced: list[str] = []
    position = 0
    while position < len(plain):
        length, term = found.get(position, (1, plain[position]))
        replaced += plain_words(term)
        position += length
    return tuple(replaced)


@cache
def _synonyms() -> Phrases:
    """The synonyms of the terms of the rules, in all languages: `names=term`, separated by semicolons."""
    found: dict[Tokens, str] = {}
    for language in LANGUAGES:
        for each in words(language).text("rulebook.search.same").split(";"):
            names, _, term = each.partition("=")
            found.update({plain_words(name): term for name in names.split(",")})
    return found


# ---------------------------------------------------------------- the index


class Phrase(NamedTuple):
    """A title, another name or a question for a text: the forms of each content word, and all its words."""

    words: tuple[frozenset[str], ...]
    plain: frozenset[str]


class Document(NamedTuple):
    """A text of the index: the weight of every form in it, the phrases that lead to it, and the factor of its kind."""

    weights: Mapping[str, float]
    phrases: tuple[Phrase, ...]
    factor: float


def document(weighted: Iterable[tuple[str, float]], phrases: Iterable[str], factor: float) -> Document:
    """Texts with their weights as one document; a word has the highest weight of its texts.

    Of two texts with the same weight the words of the shorter weigh more: it has no other subject.
    """
    weights: dict[str, float] = {}
    for text, weight in weighted:
        found = wanted_words(text)
        each = weight * (1 + 1 / (1 + len(found)))
        for form in (form for word in found for form in _forms(word)):
            weights[form] = max(each * (_EXACT if form[0] == "=" else 1), weights.get(form, 0.0))
    leads = {text: Phrase(tuple(map(_forms, wanted_words(text))), frozenset(plain_words(text))) for text in phrases}
    return Document(weights, tuple(dict.fromkeys(phrase for phrase in leads.values() if phrase.plain)), factor)


class TextIndex:
    """Documents that are searched together: how rare each form is, and the vocabulary of each language."""

    def __init__(self, documents: Sequence[Document], vocabulary: Mapping[Language, Iterable[str]]) -> None:
        self._documents = documents
        self._frequency = Counter(form for each in documents for form in each.weights)
        self._vocabulary = {language: sorted(set(words)) for language, words in vocabulary.items()}

    def knows(self, word: str) -> bool:
        """Whether any document has a word."""
        return any(form in self._frequency for form in stems(word))

    def similar(self, wanted: Iterable[str], language: Language) -> dict[str, Tokens]:
        """Words, each with known words to search beside it if it is unknown: completions, or similar ones."""
        found: dict[str, Tokens] = dict.fromkeys(wanted, ())
        known = self._vocabulary[language]
        for word in found:
            if len(word) >= _SHORTEST_BEGINNING and not self.knows(word):
                begun = [each for each in known if each.startswith(word)][:_MOST_NEAR]
                found[word] = tuple(begun or get_close_matches(word, known, _MOST_NEAR, _NEAR))
        return found

    def best(
        self,
        wanted: Mapping[str, Iterable[str]],
        plain: frozenset[str],
        terms: Mapping[str, Iterable[str]] = MappingProxyType({}),
    ) -> dict[int, float]:
        """The positions of the documents that answer a question, best first, each with the share of it that it matches.

        `wanted`: its content words, each with `similar` ones; `plain`: all its words; `terms`: the stems of terms by
        those of their other names. The match of a document is measured against the best match: no document has more
        than a few words of a long question.
        """
        question = []
        for word, near in wanted.items():
            own = {form for each in (word, *near) for form in _forms(each)}
            others = {stem for form in own for stem in terms.get(form, ())}
            question.append(dict.fromkeys(others, _SYNONYM) | dict.fromkeys(own, 1.0))
        rarities = [self._rarity(forms) for forms in question]
        rated = {}
        for place, text in enumerate(self._documents):
            weights = [max(text.weights.get(form, 0.0) * share for form, share in forms.items()) for forms in question]
            matched = sum(rarity for rarity, weight in zip(rarities, weights, strict=True) if weight)
            if matched:
                similar = max((self._similarity(each, question, plain, rarities) for each in text.phrases), default=0.0)
                worth = sum(map(mul, rarities, weights)) / (sum(rarities) * _HIGHEST_WEIGHT) + similar
                rated[place] = matched, text.factor * worth
        most = max((matched for matched, _ in rated.values()), default=0.0)
        worths = {
            place: worth * (matched / most)
            for place, (matched, worth) in rated.items()
            if matched > _LEAST_MATCHED * most
        }
        least = _LEAST_WORTH * max(worths.values(), default=0.0)
        best = sorted((place for place in worths if worths[place] >= least), key=lambda place: (-worths[place], place))
        return {place: rated[place][0] / sum(rarities) for place in best}

    def _similarity(
        self, phrase: Phrase, question: Sequence[Mapping[str, float]], plain: frozenset[str], rarities: Sequence[float]
    ) -> float:
        """How similar a phrase and a question are: 1 if they are equal; words like «how» break a tie.

        Extra words of the question count half as much as missing ones: players describe the situation
        in their question.
        """
        shared = missing = beside = 0.0
        for word in phrase.words:
            rarity = self._rarity(word)
            share = max((_share(forms, word) for forms in question), default=0.0)
            shared, missing = shared + rarity * share, missing + rarity * (1 - share)
        for forms, rarity in zip(question, rarities, strict=True):
            beside += rarity * (1 - max((_share(forms, word) for word in phrase.words), default=0.0))
        same = len(plain & phrase.plain) / len(plain | phrase.plain)
        return shared / (shared + _MISSING * missing + _BESIDE * beside) + _SAME_WORDS * same if shared else 0.0

    def _rarity(self, forms: Iterable[str]) -> float:
        most = max((self._frequency.get(form, 0) for form in forms), default=0)
        return math.log(1 + len(self._documents) / (1 + most))


def _share(forms: Mapping[str, float], word: frozenset[str]) -> float:
    return max((share for form, share in forms.items() if form in word), default=0.0)
