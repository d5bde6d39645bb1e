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
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
_LEAST_SIMILARITY = 0.8  # of words that replace an unknown one, as difflib measures it
_MOST_REPLACEMENTS = 3  # words that replace an unknown one
_SHORTEST_BEGINNING = 4  # letters of an unknown word that longer ones may complete
_SHORTEST_INFLECTED = 4  # letters of words that also match in other inflections
_EXACT_FACTOR = 1.25  # of the exact word, over others with its stem
_SYNONYM_SHARE = 0.6  # of a term, for another of its names
_LEAST_MATCHED = 0.4  # the fraction of the best match that a document must exceed to be found
_LEAST_WORTH = 0.3  # the fraction of the best worth that it must reach
_MISSING_PENALTY = 0.6  # of a phrase, for a word that the question lacks
_BESIDE_PENALTY = 0.3  # of a phrase, for another word in the question
_ACTION_FACTOR = 2.0  # of the verb that a question is about
_CIRCUMSTANCE_FACTOR = 0.3  # of words that only describe the situation of a question
_HIGHEST_WEIGHT = 10.0  # about the weight of a word in a document that consists of it
_SAME_WORDS_BONUS = 0.2  # for a question in the exact words of a phrase


# ---------------------------------------------------------------- words


def plain_words(text: str) -> Tokens:
    """The words of a text in lower case and without accents: `Può 1.500` are `puo` and `1500`."""
    without_grouping = _GROUPED.sub("", text.lower())
    decomposed = unicodedata.normalize("NFKD", without_grouping)  # an accent becomes a character
    letters = [letter for letter in decomposed if not unicodedata.combining(letter)]
    return tuple(_WORD.findall("".join(letters)))


def question_words(text: str) -> Tokens:
    """The plain words of a question; the sign of a negative figure becomes the word «minus»."""
    minus = words(LANGUAGES[0]).t("search.minus")
    return plain_words(_NEGATIVE.sub(f" {minus} ", text))


@lru_cache(maxsize=8192)  # bounded: typed words are unlimited
def stems(word: str) -> frozenset[str]:
    """The stem of a plain word in each language; of a small number its figure."""
    found = set()
    for language in LANGUAGES:
        stem = _stem(word, language)
        found.add(_stem_replacements(language).get(stem, stem))
    return frozenset(found)


def _stem(word: str, language: Language) -> str:
    """The part of a word that its inflections share, by the rules of a language."""
    from snowballstemmer import stemmer  # 40 ms that only a search needs

    language_stemmer = stemmer(_STEMMERS[language])  # a new one: it is not thread-safe
    return str(language_stemmer.stemWord(word))


@cache
def _stem_replacements(language: Language) -> Mapping[str, str]:
    """The stems of irregular forms, each with the stem that stands for it.

    `preso` has the stem of `prendere`; a number has its figure, except 1: its word is an article.
    """
    replacements = {}
    for family in words(language).t("rulebook.search.families").split(";"):
        forms = family.split()
        for form in forms:
            replacements[_stem(form, language)] = _stem(forms[0], language)
    for number, name in enumerate(words(language).t("numbers").split()):
        if number > 1:
            replacements[_stem(name, language)] = str(number)
    return replacements


def _exact_form(word: str) -> str:
    """A word in the index as it is written, so that it ranks before others with its stem."""
    return f"={word}"


def _index_forms(word: str) -> frozenset[str]:
    """The forms in which the index has a plain word: its stems, and the word as it is."""
    return stems(word) | {_exact_form(word)}


@cache
def stop_words() -> frozenset[str]:
    """The words of all languages that say nothing about the subject of a question."""
    ignored: set[str] = set()
    for language in LANGUAGES:
        ignored.update(words(language).t("rulebook.search.ignored").split())
    return frozenset(ignored)


def without_repetitions(texts: Iterable[str]) -> Tokens:
    """The texts in their order, each once."""
    return tuple(dict.fromkeys(texts))


def content_words(text: str) -> Tokens:
    """The words of a text without the stop words; all its words if there are no others."""
    all_words = without_repetitions(plain_words(text))
    others = tuple(word for word in all_words if word not in stop_words())
    return others or all_words


def action_word(plain: Tokens) -> str:
    """The verb in a question that names the action of the game it is about; empty if there is none.

    "Posso chiudere con due canaste" (may I go out with two canastas) is about `chiudere`: the first
    such verb counts, and the words after it describe the situation. After words such as "how many",
    "who" or "when" a verb describes the situation too, so that there is no action.

    The synonyms of the question must have been replaced before (`with_synonyms`).
    """
    stems_of_actions = stems_of("search.actions")
    for position, word in enumerate(plain):
        asks_for_rule_from_here = _stands_at(position, plain, "search.asks-rule")
        if asks_for_rule_from_here:
            return ""
        is_action = not stems_of_actions.isdisjoint(stems(word))
        if is_action:
            return word
    return ""


def asks_for_rule(plain: Tokens) -> bool:
    """Whether a question asks for a figure, or begins with "who" or "when" and the like."""
    if _stands_at(0, plain, "search.asks-rule"):
        return True
    for position in range(len(plain)):
        if _stands_at(position, plain, "search.asks-figure"):
            return True
    return False


def _stands_at(position: int, plain: Tokens, key: str) -> bool:
    """Whether one of the phrases in a message begins at a position of a question."""
    for phrase in _phrases_of(key):
        if plain[position : position + len(phrase)] == phrase:
            return True
    return False


@cache
def _phrases_of(key: str) -> frozenset[Tokens]:
    """The phrases that a message lists, separated by commas, in all languages."""
    phrases: set[Tokens] = set()
    for language in LANGUAGES:
        for phrase in words(language).t(key).split(","):
            phrases.add(plain_words(phrase))
    return frozenset(phrases)


@cache
def stems_of(key: str) -> frozenset[str]:
    """The stems of the words that a message lists, in all languages."""
    found: set[str] = set()
    for language in LANGUAGES:
        for word in plain_words(words(language).t(key)):
            found |= stems(word)
    return frozenset(found)


# ---------------------------------------------------------------- phrases

Phrases = Mapping[Tokens, str]
"""Phrases in plain words, each with its meaning."""


class FoundPhrase(NamedTuple):
    """A phrase that stands in a question: its first position, its length, and its meaning."""

    start: int
    length: int
    meaning: str

    @property
    def positions(self) -> range:
        """The positions of its words in the question."""
        return range(self.start, self.start + self.length)


def find_phrases(plain: Tokens, phrases: Phrases) -> list[FoundPhrase]:
    """The phrases that stand in a question, in its order; they do not overlap.

    A longer phrase comes before a shorter one, then the exact words before other inflections:
    "finite le carte" is the end of the stock, "finire le carte" is going out.
    """
    found: list[FoundPhrase] = []
    used_positions: set[int] = set()
    for phrase, is_same_word in _phrases_by_precedence(phrases):
        for start in range(len(plain) - len(phrase) + 1):
            candidate = FoundPhrase(start, len(phrase), phrases[phrase])
            if not used_positions.isdisjoint(candidate.positions):
                continue
            words_there = plain[start : start + len(phrase)]
            if all(map(is_same_word, words_there, phrase)):
                found.append(candidate)
                used_positions.update(candidate.positions)
    return sorted(found)


def _phrases_by_precedence(
    phrases: Phrases,
) -> Iterator[tuple[Tokens, Callable[[str, str], bool]]]:
    """The phrases in the order in which to look for them, each with how to compare its words.

    Those of one length come twice: first in their exact words, then in any inflection.
    """
    phrases_of_length: dict[int, list[Tokens]] = {}
    for phrase in sorted(phrases):
        phrases_of_length.setdefault(len(phrase), []).append(phrase)
    for length in sorted(phrases_of_length, reverse=True):
        for phrase in phrases_of_length[length]:
            yield phrase, operator.eq
        for phrase in phrases_of_length[length]:
            yield phrase, _is_inflected


def _is_inflected(word: str, other: str) -> bool:
    """Whether two words are inflections of one word; short words must be equal."""
    if word == other:
        return True
    if len(word) < _SHORTEST_INFLECTED or len(other) < _SHORTEST_INFLECTED:
        return False
    return not stems(word).isdisjoint(stems(other))


def with_synonyms(plain: Tokens) -> Tokens:
    """The words of a question, with every synonym replaced by the term that the rules use."""
    synonyms_by_start = {found.start: found for found in find_phrases(plain, _synonyms())}
    replaced: list[str] = []
    position = 0
    while position < len(plain):
        synonym = synonyms_by_start.get(position)
        if synonym:
            replaced += plain_words(synonym.meaning)
            position += synonym.length
        else:
            replaced.append(plain[position])
            position += 1
    return tuple(replaced)


@cache
def _synonyms() -> Phrases:
    """The synonyms of the terms of the rules, in all languages.

    A message lists them as `names=term; names=term`, with commas between the names.
    """
    terms: dict[Tokens, str] = {}
    for language in LANGUAGES:
        for entry in words(language).t("rulebook.search.same").split(";"):
            names, _, term = entry.partition("=")
            for name in names.split(","):
                terms[plain_words(name)] = term
    return terms


# ---------------------------------------------------------------- the index


class Phrase(NamedTuple):
    """A title, another name of a text, or a question that it answers.

    `words` has the index forms of each content word; `plain` has all its words.
    """

    words: tuple[frozenset[str], ...]
    plain: frozenset[str]


class Document(NamedTuple):
    """A text of the index: the weight of every form of its words, and the phrases that lead to it.

    `factor` makes some kinds of texts come before others.
    """

    weights: Mapping[str, float]
    phrases: frozenset[Phrase]
    factor: float


class WeightedText(NamedTuple):
    """A text of a document, and how much its words count: those of a title more than others."""

    text: str
    weight: float


def make_document(texts: Iterable[WeightedText], phrases: Iterable[str], factor: float) -> Document:
    """A document of the index that consists of some texts, and is also found by some phrases."""
    phrases_of_document = set()
    for text in phrases:
        phrase = _make_phrase(text)
        if phrase.plain:
            phrases_of_document.add(phrase)
    return Document(_weights_of_forms(texts), frozenset(phrases_of_document), factor)


def _make_phrase(text: str) -> Phrase:
    forms_of_words = [_index_forms(word) for word in content_words(text)]
    return Phrase(tuple(forms_of_words), frozenset(plain_words(text)))


def _weights_of_forms(texts: Iterable[WeightedText]) -> dict[str, float]:
    """How much each word counts that some texts consist of, by the forms that the index has of it.

    These are its stems, and the word as it is written, which counts more. For a word that is in
    several texts the highest weight counts.
    """
    weights: defaultdict[str, float] = defaultdict(float)
    for text, text_weight in texts:
        words_of_text = content_words(text)
        # A word of a short text counts more: the text has hardly any other subject.
        word_weight = text_weight * (1 + 1 / (1 + len(words_of_text)))
        for word in words_of_text:
            for stem in stems(word):
                weights[stem] = max(weights[stem], word_weight)
            exact = _exact_form(word)
            weights[exact] = max(weights[exact], word_weight * _EXACT_FACTOR)
    return dict(weights)


class SoughtWord(NamedTuple):
    """A word of a question, with the words that may stand in its place.

    `shares` has its index forms, each with how much it counts: 1, or less for a related term.
    `rarity` is higher for words in few documents. `lacking` is what it counts where it is missing.
    """

    shares: Mapping[str, float]
    rarity: float
    lacking: float

    def weight_in(self, document: Document) -> float:
        """The weight of the word in a document; 0 if the document lacks it."""
        weights = [document.weights.get(form, 0.0) * share for form, share in self.shares.items()]
        return max(weights)

    def share_in(self, forms: frozenset[str]) -> float:
        """How much this word is the one with these forms: 1 if the same, less for a related term.

        0 for any other word.
        """
        shares = [share for form, share in self.shares.items() if form in forms]
        return max(shares, default=0.0)


class Match(NamedTuple):
    """How well a document answers a question.

    `position` is that of the document in the index, `share` how much of the question it contains,
    from 0 to 1, and `likeness` how similar the question is to the best of its phrases.
    """

    position: int
    share: float
    likeness: float


class _Rating(NamedTuple):
    """How well a document matches a question.

    `matched` is the sum of the rarities of the words that it has, `worth` what to sort by, and
    `likeness` how similar the question is to the best of its phrases.
    """

    matched: float
    worth: float
    likeness: float


class TextIndex:
    """Documents that are searched together.

    `vocabulary` has the words of each language that may replace misspelt ones of a question.
    """

    def __init__(
        self, documents: Sequence[Document], vocabulary: Mapping[Language, Iterable[str]]
    ) -> None:
        self._documents = documents
        self._documents_with: Counter[str] = Counter()
        for document in documents:
            self._documents_with.update(document.weights.keys())
        self._vocabulary = {}
        for language, known_words in vocabulary.items():
            self._vocabulary[language] = sorted(set(known_words))

    def has_word(self, word: str) -> bool:
        """Whether a document has a word, in any inflection."""
        return any(stem in self._documents_with for stem in stems(word))

    def similar_words(self, plain: Iterable[str], language: Language) -> dict[str, Tokens]:
        """For each word of a question the known words to look for beside it.

        There are some for an unknown word only: longer words that it begins, or similar ones.
        """
        vocabulary = self._vocabulary[language]
        similar: dict[str, Tokens] = {}
        for word in plain:
            similar[word] = ()
            if len(word) < _SHORTEST_BEGINNING or self.has_word(word):
                continue
            found = [known for known in vocabulary if known.startswith(word)]
            if not found:
                found = get_close_matches(word, vocabulary, _MOST_REPLACEMENTS, _LEAST_SIMILARITY)
            similar[word] = tuple(found[:_MOST_REPLACEMENTS])
        return similar

    def best_matches(
        self,
        similar_words: Mapping[str, Iterable[str]],
        all_words: frozenset[str],
        *,
        action: str = "",
        terms: Mapping[str, Iterable[str]] = MappingProxyType({}),
    ) -> list[Match]:
        """The documents that answer a question, best first.

        `similar_words` has the content words of the question, each with words to look for beside
        it; `all_words` are all its words; `action` is the verb that it is about; `terms` has for
        the stem of a name the stems of terms that mean the same.
        """
        question = []
        for word, similar in similar_words.items():
            shares = _shares_of_forms([word, *similar], terms)
            sought = self._sought_word(
                shares, is_action=word == action, has_question_action=bool(action)
            )
            question.append(sought)
        ratings = self._rate_documents(question, all_words)

        # No document has more than a few words of a long question: the best one is the measure.
        most_matched = max([rating.matched for rating in ratings.values()], default=0.0)
        worths: dict[int, float] = {}
        for position, rating in ratings.items():
            if rating.matched > _LEAST_MATCHED * most_matched:
                worths[position] = rating.worth * (rating.matched / most_matched)
        least_worth = _LEAST_WORTH * max(worths.values(), default=0.0)
        matches = []
        for position in sorted(worths, key=lambda position: worths[position], reverse=True):
            if worths[position] >= least_worth:
                share = _matched_share(self._documents[position], question)
                matches.append(Match(position, share, ratings[position].likeness))
        return matches

    def _rate_documents(
        self, question: Sequence[SoughtWord], all_words: frozenset[str]
    ) -> dict[int, _Rating]:
        """How well each document with a word of the question matches it, by its position."""
        ratings = {}
        for position, document in enumerate(self._documents):
            rating = self._rate(document, question, all_words)
            if rating.matched:
                ratings[position] = rating
        return ratings

    def _rate(
        self, document: Document, question: Sequence[SoughtWord], all_words: frozenset[str]
    ) -> _Rating:
        """How well a document matches a question."""
        matched = 0.0
        weighted = 0.0
        for word in question:
            weight = word.weight_in(document)
            if weight:
                matched += word.rarity
            weighted += word.rarity * weight
        if not matched:
            return _Rating(0.0, 0.0, 0.0)
        total_rarity = sum(word.rarity for word in question)
        likenesses = [self._likeness(each, question, all_words) for each in document.phrases]
        likeness = max(likenesses, default=0.0)
        text_worth = weighted / (total_rarity * _HIGHEST_WEIGHT)
        return _Rating(matched, document.factor * (text_worth + likeness), likeness)

    def _sought_word(
        self, shares: Mapping[str, float], *, is_action: bool, has_question_action: bool
    ) -> SoughtWord:
        """A word of a question with what it counts: the more, the fewer documents have it.

        `shares` has its forms in the index. `is_action`: it is the verb that names the action of the
        game that the question is about. Beside such a verb the other words only describe the
        situation, and so do figures in any question: a document may lack them at little cost.
        """
        rarity = self._rarity(shares)
        is_number = _is_sought_number(shares)
        if is_action:
            high_rarity = rarity * _ACTION_FACTOR
            return SoughtWord(shares, high_rarity, lacking=high_rarity)
        if is_number and has_question_action:
            low_rarity = rarity * _CIRCUMSTANCE_FACTOR
            return SoughtWord(shares, low_rarity, lacking=low_rarity * _CIRCUMSTANCE_FACTOR)
        if is_number or has_question_action:
            return SoughtWord(shares, rarity, lacking=rarity * _CIRCUMSTANCE_FACTOR)
        return SoughtWord(shares, rarity, lacking=rarity)

    def _likeness(
        self, phrase: Phrase, question: Sequence[SoughtWord], all_words: frozenset[str]
    ) -> float:
        """How similar a question is to a phrase: 1 if they have the same content words, 0 if none.

        It is what they share, as a fraction of this and of what only one of them has. Rare words
        count more. A question in exactly the words of the phrase gets a bonus on top.
        """
        shared = 0.0
        only_in_phrase = 0.0
        for forms in phrase.words:
            rarity = self._rarity(forms)
            # 1 if the question has the word, less for a related one, 0 without any.
            share = max([word.share_in(forms) for word in question], default=0.0)
            shared += rarity * share
            only_in_phrase += rarity * (1 - share)
        if not shared:
            return 0.0

        only_in_question = _weight_beside_phrase(question, phrase)
        # What only the question has costs less: players also describe the situation.
        everything = shared + _MISSING_PENALTY * only_in_phrase + _BESIDE_PENALTY * only_in_question
        # Words such as "how" are in no sum above, but break a tie here.
        same_words = len(all_words & phrase.plain) / len(all_words | phrase.plain)
        return shared / everything + _SAME_WORDS_BONUS * same_words

    def _rarity(self, forms: Iterable[str]) -> float:
        """How rare a word is: the higher, the fewer documents have its most frequent form."""
        most = max([self._documents_with[form] for form in forms], default=0)
        return math.log(1 + len(self._documents) / (1 + most))


def _shares_of_forms(
    words_sought: Iterable[str], terms: Mapping[str, Iterable[str]]
) -> dict[str, float]:
    """The forms in the index by which a word of a question is found, and how much each counts.

    `words_sought` are the word and similar ones: all their forms count 1. The stems of other terms
    that mean the same count less; `terms` has these by the stem of the word.
    """
    own_forms: set[str] = set()
    for word in words_sought:
        own_forms |= _index_forms(word)

    shares = dict.fromkeys(own_forms, 1.0)
    for form in own_forms:
        for stem_of_term in terms.get(form, ()):
            if stem_of_term not in own_forms:
                shares[stem_of_term] = _SYNONYM_SHARE
    return shares


def _is_sought_number(shares: Mapping[str, float]) -> bool:
    """Whether a word is a number: one of its own forms is, not that of a related term."""
    return any(form.isdecimal() and share == 1 for form, share in shares.items())


def _weight_beside_phrase(question: Sequence[SoughtWord], phrase: Phrase) -> float:
    """What the words of a question count together that a phrase lacks."""
    weight = 0.0
    for word in question:
        share = max([word.share_in(forms) for forms in phrase.words], default=0.0)
        weight += word.lacking * (1 - share)
    return weight


def _matched_share(document: Document, question: Sequence[SoughtWord]) -> float:
    """How much of a question a document contains, from 0 to 1."""
    matched = 0.0
    lacking = 0.0
    for word in question:
        if word.weight_in(document):
            matched += word.rarity
        else:
            lacking += word.lacking
    return matched / (matched + lacking)
