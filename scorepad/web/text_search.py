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
_NEAR = 0.8  # minimum similarity (difflib) of words that replace an unknown one
_MOST_NEAR = 3  # words that replace an unknown one
_SHORTEST_BEGINNING = 4
_SHORTEST_INFLECTED = 4  # minimum letters of words that also match in other inflections
_EXACT = 1.25  # the factor of the exact word over others with its stem
_SYNONYM = 0.6  # the weight of a term for another of its names
_LEAST_MATCHED = 0.4  # the fraction of the best match that a document must exceed to be found
_LEAST_WORTH = 0.3  # the fraction of the best worth that it must reach
_MISSING = 0.6  # penalty of a phrase for a word that the question lacks
_BESIDE = 0.3  # penalty of a phrase for another word in the question
_ACTION = 2.0  # the factor of the verb that a question is about
_CIRCUMSTANCE = 0.3  # the factor of other words of such a question where a text lacks them; of its figures everywhere
_HIGHEST_WEIGHT = 10.0  # about the weight of a word in a document that consists of it
_SAME_WORDS = 0.2  # bonus for a question in the exact words of a phrase


# ---------------------------------------------------------------- words


def plain_words(text: str) -> Tokens:
    """The words of a text in lower case, without accents; figures without their grouping."""
    decomposed = unicodedata.normalize("NFKD", _GROUPED.sub("", text.lower()))
    letters = [letter for letter in decomposed if not unicodedata.combining(letter)]
    return tuple(_WORD.findall("".join(letters)))


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
    found = {}
    for family in words(language).t("rulebook.search.families").split(";"):
        forms = family.split()
        for form in forms:
            found[_stem(form, language)] = _stem(forms[0], language)
    for number, name in enumerate(words(language).t("numbers").split()):
        if number > 1:
            found[_stem(name, language)] = str(number)
    return found


def _forms(word: str) -> frozenset[str]:
    """The index forms of a plain word: its stems, and itself, so that it ranks before others with
    its stem.
    """
    return stems(word) | {f"={word}"}


@cache
def stop_words() -> frozenset[str]:
    texts = [words(language).t("rulebook.search.ignored") for language in LANGUAGES]
    return frozenset(" ".join(texts).split())


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
    phrases: set[Tokens] = set()
    for language in LANGUAGES:
        phrases.update(map(plain_words, words(language).t(key).split(",")))
    return frozenset(phrases)


@cache
def stems_of(key: str) -> frozenset[str]:
    """The stems of the words of a message, in all languages."""
    found: set[str] = set()
    for language in LANGUAGES:
        for word in plain_words(words(language).t(key)):
            found |= stems(word)
    return frozenset(found)


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
        for is_same in (operator.eq, _is_inflected):
            for phrase, meaning in of_length:
                for start in range(len(plain) - length + 1):
                    positions = range(start, start + length)
                    if not used.isdisjoint(positions):
                        continue
                    if all(map(is_same, plain[start : start + length], phrase)):
                        used.update(positions)
                        found[start] = length, meaning
    return found


def _is_inflected(word: str, other: str) -> bool:
    """Whether two words are inflections of one word; short words must be equal."""
    if word == other:
        return True
    if min(len(word), len(other)) < _SHORTEST_INFLECTED:
        return False
    return not stems(word).isdisjoint(stems(other))


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
    for text, text_weight in weighted:
        found = wanted_words(text)
        word_weight = text_weight * (1 + 1 / (1 + len(found)))
        for word in found:
            for form in _forms(word):
                weight = word_weight * (_EXACT if form[0] == "=" else 1)
                weights[form] = max(weight, weights.get(form, 0.0))
    found_phrases: dict[Phrase, None] = {}
    for text in dict.fromkeys(phrases):
        phrase = Phrase(tuple(map(_forms, wanted_words(text))), frozenset(plain_words(text)))
        if phrase.plain:
            found_phrases[phrase] = None
    return Document(weights, tuple(found_phrases), factor)


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


class _Rating(NamedTuple):
    """How well a document matches a question: how rare its shared words are in sum, its worth, and
    the likeness of its best phrase.
    """

    matched: float
    worth: float
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
        ratings = self._ratings(question, plain)
        most_matched = max((rating.matched for rating in ratings.values()), default=0.0)
        worths: dict[int, float] = {}
        for position, rating in ratings.items():
            if rating.matched > _LEAST_MATCHED * most_matched:
                worths[position] = rating.worth * (rating.matched / most_matched)
        least_worth = _LEAST_WORTH * max(worths.values(), default=0.0)
        found = [position for position, worth in worths.items() if worth >= least_worth]
        found.sort(key=lambda position: (-worths[position], position))
        matches = {}
        for position in found:
            share = _matched_share(self._documents[position], question)
            matches[position] = Match(share, ratings[position].likeness)
        return matches

    def _ratings(self, question: Sequence[SoughtWord], plain: frozenset[str]) -> dict[int, _Rating]:
        """How well each document with a word of the question matches it, by position."""
        total_rarity = sum(word.rarity for word in question)
        ratings = {}
        for position, text in enumerate(self._documents):
            matched = 0.0
            weighted = 0.0
            for word in question:
                weight = word.weight_in(text)
                if weight:
                    matched += word.rarity
                weighted += word.rarity * weight
            if not matched:
                continue
            likeness = max(
                (self._similarity(phrase, question, plain) for phrase in text.phrases), default=0.0
            )
            worth = text.factor * (weighted / (total_rarity * _HIGHEST_WEIGHT) + likeness)
            ratings[position] = _Rating(matched, worth, likeness)
        return ratings

    def _sought(
        self, word: str, near: Iterable[str], *, action: str, terms: Mapping[str, Iterable[str]]
    ) -> SoughtWord:
        """A word of a question with its forms, those of `near` words and of its terms."""
        own_forms: set[str] = set()
        for each in (word, *near):
            own_forms |= _forms(each)
        term_stems: set[str] = set()
        for form in own_forms:
            term_stems.update(terms.get(form, ()))
        forms = dict.fromkeys(term_stems, _SYNONYM) | dict.fromkeys(own_forms, 1.0)
        rarity = self._rarity(forms)
        if word == action:
            return SoughtWord(forms, rarity * _ACTION, lacking=rarity * _ACTION)
        is_figure = any(form.isdecimal() for form in own_forms)
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
        shared = 0.0
        missing = 0.0
        for forms in phrase.words:
            rarity = self._rarity(forms)
            share = max((word.share_of(forms) for word in question), default=0.0)
            shared += rarity * share
            missing += rarity * (1 - share)
        if not shared:
            return 0.0
        beside = 0.0
        for word in question:
            share = max((word.share_of(forms) for forms in phrase.words), default=0.0)
            beside += word.lacking * (1 - share)
        same_words = len(plain & phrase.plain) / len(plain | phrase.plain)
        likeness = shared / (shared + _MISSING * missing + _BESIDE * beside)
        return likeness + _SAME_WORDS * same_words

    def _rarity(self, forms: Iterable[str]) -> float:
        most = max((self._frequency.get(form, 0) for form in forms), default=0)
        return math.log(1 + len(self._documents) / (1 + most))


def _matched_share(text: Document, question: Sequence[SoughtWord]) -> float:
    """The share of a question that a document matches."""
    matched = sum(word.rarity for word in question if word.weight_in(text))
    lacking = sum(word.lacking for word in question if not word.weight_in(text))
    return matched / (matched + lacking)
