"""Full-text matching: words in any inflection, without accents, in Italian or English, with typos
and synonyms.

A document is indexed by the stems of its words (Snowball's, of each language). An unknown word of a
question is replaced by similar known ones.
"""

from __future__ import annotations

import math
import operator
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from scorepad.i18n import LANGUAGES, Language, words

Tokens = tuple[str, ...]
"""The words of a text, in lower case and without accents."""
_STEMMERS = {Language.ITALIAN: "italian", Language.ENGLISH: "english"}
_WORD = re.compile(r"[^\W_]+")
_NEGATIVE = re.compile(r"(?<!\S)[-\u2212\u2013]\s?(?=\d)")
_GROUPED = re.compile(r"(?<=\d)[.,\s\u00a0](?=\d{3}\b)")
_NEAR, _MOST_NEAR = (
    0.8,
    3,
)  # minimum similarity (difflib) of words that replace an unknown one, and their limit
_SHORTEST_BEGINNING = 4
_SHORTEST_INFLECTED = 4  # minimum letters of words that also match in other inflections
_EXACT = 1.25  # the factor of the exact word over others with its stem
_SYNONYM = 0.6  # the weight of a term for another of its names
_LEAST_MATCHED, _LEAST_WORTH = 0.4, 0.3
"""The fractions of the best match and the best worth that a document must reach to be found."""
_MISSING, _BESIDE = 0.6, 0.3
"""Penalties of a phrase: for a word that the question lacks, and for another word in the question.
"""
_ACTION = 2.0  # the factor of the verb that a question is about
_CIRCUMSTANCE = 0.3  # the factor of other words of such a question where a text lacks them; of its figures everywhere
_HIGHEST_WEIGHT = 10.0  # about the weight of a word in a document that consists of it
_SAME_WORDS = 0.2  # bonus for a question in the exact words of a phrase


# ---------------------------------------------------------------- words


def plain_words(text: str) -> Tokens:
    """The words of a text in lower case, without accents; figures without their grouping."""
    folded = unicodedata.normalize("NFKD", _GROUPED.sub("", text.lower()))
    return tuple(_WORD.findall("".join(each for each in folded if not unicodedata.combining(each))))


def asked_words(text: str) -> Tokens:
    """The plain words of a question; the minus sign of a figure as its word."""
    return plain_words(_NEGATIVE.sub(f" {words(LANGUAGES[0]).t('search.minus')} ", text))


@lru_cache(maxsize=8192)  # bounded: typed words are unlimited
def stems(word: str) -> frozenset[str]:
    """The stem of a plain word in each language; of a number its figure."""
    found = ((language, _stem(word, language)) for language in LANGUAGES)
    return frozenset(_known_stems(language).get(stem, stem) for language, stem in found)


def _stem(word: str, language: Language) -> str:
    from snowballstemmer import stemmer  # 40 ms that only a search needs

    return str(
        stemmer(_STEMMERS[language]).stemWord(word)
    )  # a new one: a stemmer is not thread-safe


@cache
def _known_stems(language: Language) -> Mapping[str, str]:
    """Replacements for the stems of irregular forms, and of small numbers.

    A form has the stem of the first word of its family: `preso` that of `prendere`. A number has
    its figure; 1 is left out: also an article.
    """
    families = [
        family.split() for family in words(language).t("rulebook.search.families").split(";")
    ]
    found = {
        _stem(form, language): _stem(family[0], language) for family in families for form in family
    }
    numbers = enumerate(words(language).t("numbers").split())
    return found | {_stem(name, language): str(number) for number, name in numbers if number > 1}


def _forms(word: str) -> frozenset[str]:
    """The index forms of a plain word: its stems, and itself, so that it ranks before others with
    its stem.
    """
    return stems(word) | {f"={word}"}


@cache
def stop_words() -> frozenset[str]:
    """The stop words of all languages."""
    return frozenset(
        each for tongue in LANGUAGES for each in words(tongue).t("rulebook.search.ignored").split()
    )


def wanted_words(text: str) -> Tokens:
    """The words of a text without the stop words; all of them if there are no others."""
    asked = tuple(dict.fromkeys(plain_words(text)))
    return tuple(each for each in asked if each not in stop_words()) or asked


def action_of(plain: Tokens) -> str:
    """The verb of the game that a question is about, in words that have their `with_synonyms`;
    empty if there is none.

    It is the first one: "posso chiudere con due canaste sporche" is about going out, and what
    follows is the circumstance. After a word that asks for a figure, a person or a moment it is a
    circumstance itself.
    """
    for position, word in enumerate(plain):
        if _says_at(position, plain, "search.asks-rule"):
            return ""
        if stems(word) & stems_of("search.actions"):
            return word
    return ""


def asks_rule(plain: Tokens) -> bool:
    """Whether a question asks for a figure, or begins with a word that asks for a person or a
    moment.
    """
    asks_figure = any(
        _says_at(position, plain, "search.asks-figure") for position in range(len(plain))
    )
    return asks_figure or _says_at(0, plain, "search.asks-rule")


def _says_at(position: int, plain: Tokens, key: str) -> bool:
    """Whether one of the phrases of a message stands at a position."""
    return any(plain[position : position + len(phrase)] == phrase for phrase in _phrases_of(key))


@cache
def _phrases_of(key: str) -> frozenset[Tokens]:
    """The phrases of a message, in all languages."""
    texts = [words(language).t(key) for language in LANGUAGES]
    return frozenset(plain_words(phrase) for text in texts for phrase in text.split(","))


@cache
def stems_of(key: str) -> frozenset[str]:
    """The stems of the words of a message, in all languages."""
    text = " ".join(words(language).t(key) for language in LANGUAGES)
    return frozenset(stem for word in plain_words(text) for stem in stems(word))


# ---------------------------------------------------------------- phrases

Phrases = Mapping[Tokens, str]
"""Phrases in plain words, each with its meaning."""


def phrases_in(plain: Tokens, phrases: Phrases) -> dict[int, tuple[int, str]]:
    """The phrases in a question that do not overlap, long ones first: by position their lengths and
    meanings.

    Of phrases of one length, those in the same inflection come first: "finite le carte" is the end
    of the stock, "finire le carte" is going out.
    """
    found: dict[int, tuple[int, str]] = {}
    used: set[int] = set()
    for length in sorted({len(phrase) for phrase in phrases}, reverse=True):
        of_length = sorted(
            (phrase, meaning) for phrase, meaning in phrases.items() if len(phrase) == length
        )
        starts = range(len(plain) - length + 1)
        for is_same in (operator.eq, _is_inflected):
            for phrase, meaning in of_length:
                for start in starts:
                    taken = range(start, start + length)
                    if used.isdisjoint(taken) and all(
                        map(is_same, plain[start : start + length], phrase)
                    ):
                        used.update(taken)
                        found[start] = length, meaning
    return found


def _is_inflected(word: str, other: str) -> bool:
    """Whether two words are inflections of one word; short words must be equal."""
    return word == other or (
        min(len(word), len(other)) >= _SHORTEST_INFLECTED and bool(stems(word) & stems(other))
    )


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
    """The synonyms of the terms of the rules, in all languages: `names=term`, separated by
    semicolons.
    """
    found: dict[Tokens, str] = {}
    for language in LANGUAGES:
        for each in words(language).t("rulebook.search.same").split(";"):
            names, _, term = each.partition("=")
            found.update({plain_words(name): term for name in names.split(",")})
    return found


# ---------------------------------------------------------------- the index


class Phrase(NamedTuple):
    """A title, another name or a question for a text: the forms of each content word, and all its
    words.
    """

    words: tuple[frozenset[str], ...]
    plain: frozenset[str]


class Document(NamedTuple):
    """A text of the index: the weight of every form in it, the phrases that lead to it, and the
    factor of its kind.
    """

    weights: Mapping[str, float]
    phrases: tuple[Phrase, ...]
    factor: float


def make_document(
    weighted: Iterable[tuple[str, float]], phrases: Iterable[str], factor: float
) -> Document:
    """Texts with their weights as one document; a word has the highest weight of its texts.

    Of two texts with the same weight the words of the shorter weigh more: it has no other subject.
    """
    weights: dict[str, float] = {}
    for text, weight in weighted:
        found = wanted_words(text)
        each = weight * (1 + 1 / (1 + len(found)))
        for form in (form for word in found for form in _forms(word)):
            weights[form] = max(each * (_EXACT if form[0] == "=" else 1), weights.get(form, 0.0))
    leads = {
        text: Phrase(tuple(map(_forms, wanted_words(text))), frozenset(plain_words(text)))
        for text in phrases
    }
    return Document(
        weights, tuple(dict.fromkeys(phrase for phrase in leads.values() if phrase.plain)), factor
    )


class SoughtWord(NamedTuple):
    """A word of a question: its forms with their shares, how rare it is, and what it counts where a
    text lacks it.
    """

    forms: Mapping[str, float]
    rarity: float
    lacking: float

    def weight_in(self, text: Document) -> float:
        """The weight of the word in a document; 0 if the document lacks it."""
        return max(text.weights.get(form, 0.0) * share for form, share in self.forms.items())

    def share_of(self, forms: frozenset[str]) -> float:
        """How much of the word another one is: 1 if they are the same, less for a term, 0 for any
        other.
        """
        return max((share for form, share in self.forms.items() if form in forms), default=0.0)


class Match(NamedTuple):
    """How well a document answers a question: the share of the question in it, and the likeness of
    its best phrase.
    """

    share: float
    likeness: float


class TextIndex:
    """Documents that are searched together: how rare each form is, and the vocabulary of each
    language.
    """

    def __init__(
        self, documents: Sequence[Document], vocabulary: Mapping[Language, Iterable[str]]
    ) -> None:
        self._documents = documents
        self._frequency = Counter(form for each in documents for form in each.weights)
        self._vocabulary = {language: sorted(set(words)) for language, words in vocabulary.items()}

    def knows(self, word: str) -> bool:
        """Whether any document has a word."""
        return any(form in self._frequency for form in stems(word))

    def similar(self, wanted: Iterable[str], language: Language) -> dict[str, Tokens]:
        """Words, each with known words to search beside it if it is unknown: completions, or
        similar ones.
        """
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
        *,
        action: str = "",
        terms: Mapping[str, Iterable[str]] = MappingProxyType({}),
    ) -> dict[int, Match]:
        """The positions of the documents that answer a question, best first, each with how well it
        does.

        `wanted`: its content words, each with `similar` ones; `plain`: all its words; `action`: the
        verb that it is about; `terms`: the stems of terms by those of their other names. The match
        of a document is measured against the best match: no document has more than a few words of a
        long question.
        """
        question = [
            self._sought(word, near, action=action, terms=terms) for word, near in wanted.items()
        ]
        total = sum(word.rarity for word in question)
        rated, likeness = {}, {}
        for place, text in enumerate(self._documents):
            weights = [word.weight_in(text) for word in question]
            matched = sum(
                word.rarity for word, weight in zip(question, weights, strict=True) if weight
            )
            if matched:
                alike = max(
                    (self._similarity(each, question, plain) for each in text.phrases), default=0.0
                )
                likeness[place] = alike
                worth = sum(
                    word.rarity * weight for word, weight in zip(question, weights, strict=True)
                )
                rated[place] = matched, text.factor * (worth / (total * _HIGHEST_WEIGHT) + alike)
        most = max((matched for matched, _ in rated.values()), default=0.0)
        worths = {
            place: worth * (matched / most)
            for place, (matched, worth) in rated.items()
            if matched > _LEAST_MATCHED * most
        }
        least = _LEAST_WORTH * max(worths.values(), default=0.0)
        best = sorted(
            (place for place in worths if worths[place] >= least),
            key=lambda place: (-worths[place], place),
        )
        return {
            place: Match(_matched_share(self._documents[place], question), likeness[place])
            for place in best
        }

    def _sought(
        self, word: str, near: Iterable[str], *, action: str, terms: Mapping[str, Iterable[str]]
    ) -> SoughtWord:
        """A word of a question with its forms, those of `near` words and of its terms."""
        own = {form for each in (word, *near) for form in _forms(each)}
        others = {stem for form in own for stem in terms.get(form, ())}
        forms = dict.fromkeys(others, _SYNONYM) | dict.fromkeys(own, 1.0)
        rarity = self._rarity(forms)
        if word == action:
            return SoughtWord(forms, rarity * _ACTION, lacking=rarity * _ACTION)
        is_figure = any(form.isdecimal() for form in own)
        if action and is_figure:
            rarity *= _CIRCUMSTANCE
        lacking = rarity * _CIRCUMSTANCE if action or is_figure else rarity
        return SoughtWord(forms, rarity, lacking)

    def _similarity(
        self, phrase: Phrase, question: Sequence[SoughtWord], plain: frozenset[str]
    ) -> float:
        """How similar a phrase and a question are: 1 if they are equal; words like «how» break a
        tie.

        Extra words of the question count half as much as missing ones: players describe the
        situation in their question.
        """
        shared = missing = beside = 0.0
        for forms in phrase.words:
            rarity = self._rarity(forms)
            share = max((word.share_of(forms) for word in question), default=0.0)
            shared, missing = shared + rarity * share, missing + rarity * (1 - share)
        for word in question:
            beside += word.lacking * (
                1 - max((word.share_of(forms) for forms in phrase.words), default=0.0)
            )
        same = len(plain & phrase.plain) / len(plain | phrase.plain)
        return (
            shared / (shared + _MISSING * missing + _BESIDE * beside) + _SAME_WORDS * same
            if shared
            else 0.0
        )

    def _rarity(self, forms: Iterable[str]) -> float:
        most = max((self._frequency.get(form, 0) for form in forms), default=0)
        return math.log(1 + len(self._documents) / (1 + most))


def _matched_share(text: Document, question: Sequence[SoughtWord]) -> float:
    """The share of a question that a document matches."""
    matched = sum(word.rarity for word in question if word.weight_in(text))
    lacking = sum(word.lacking for word in question if not word.weight_in(text))
    return matched / (matched + lacking)
