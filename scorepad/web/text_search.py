"""Full-text matching: words in any inflection, without accents, in Italian or English, with typos
and synonyms.

A document is indexed by the stems of its words (Snowball's, of each language). An unknown word of a
question is replaced by similar known ones.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
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
    """The stems of irregular forms and of numbers, each with the stem to use in its place.

    In English `{"took": "take", "two": "2", …}`. One message lists the irregular forms, the forms of
    a word together: `take took taken; go went gone`. Another lists the numbers from zero on.
    """
    replacements = {}
    for family in words(language).t("rulebook.search.families").split(";"):
        forms = family.split()
        first_stem = _stem(forms[0], language)
        for form in forms:
            replacements[_stem(form, language)] = first_stem
    for number, name in enumerate(words(language).t("numbers").split()):
        is_also_article = number <= 1  # "uno" is also the article "a"
        if not is_also_article:
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


class _PhraseToFind(NamedTuple):
    """A phrase to look for in a question, in its exact words or in any inflection of these."""

    words: Tokens
    in_any_inflection: bool

    def matches(self, words_of_question: Tokens) -> bool:
        """Whether some words of a question are this phrase; they must be as many as it has."""
        if words_of_question == self.words:
            return True
        if not self.in_any_inflection:
            return False
        return all(map(_is_inflected, words_of_question, self.words))


def find_phrases(plain: Tokens, phrases: Phrases) -> list[FoundPhrase]:
    """The phrases that stand in a question, in its order; they do not overlap.

    A longer phrase comes before a shorter one, then the exact words before other inflections:
    "finite le carte" is the end of the stock, "finire le carte" is going out.
    """
    found: list[FoundPhrase] = []
    used_positions: set[int] = set()
    for phrase in _phrases_by_precedence(phrases):
        length = len(phrase.words)
        for start in range(len(plain) - length + 1):
            candidate = FoundPhrase(start, length, phrases[phrase.words])
            if not used_positions.isdisjoint(candidate.positions):
                continue
            if phrase.matches(plain[start : start + length]):
                found.append(candidate)
                used_positions.update(candidate.positions)
    return sorted(found)


def _phrases_by_precedence(phrases: Phrases) -> list[_PhraseToFind]:
    """The phrases in the order in which to look for them in a question.

    The longest come first. Those of one length come twice: first to be found in their exact words,
    then in any inflection.
    """
    lengths = {len(phrase) for phrase in phrases}
    to_find = []
    for length in sorted(lengths, reverse=True):
        phrases_of_length = sorted(phrase for phrase in phrases if len(phrase) == length)
        for phrase in phrases_of_length:
            to_find.append(_PhraseToFind(phrase, in_any_inflection=False))
        for phrase in phrases_of_length:
            to_find.append(_PhraseToFind(phrase, in_any_inflection=True))
    return to_find


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
    """How much the words of a document count, by the forms in which the index has each of them.

    A word that is in several texts of the document has the highest of its weights.
    """
    weights: dict[str, float] = {}
    for text in texts:
        for form, weight in _weights_in_text(text).items():
            weights[form] = max(weight, weights.get(form, 0.0))
    return weights


def _weights_in_text(text: WeightedText) -> dict[str, float]:
    """How much the words of one text count, by the forms in which the index has each of them.

    The forms are the stems of a word, and the word as it is written, which counts more: for the
    word `cards` these are `card` and `=cards`.
    """
    words_of_text = content_words(text.text)
    # A word of a short text counts more: the text has hardly any other subject.
    word_weight = text.weight * (1 + 1 / (1 + len(words_of_text)))
    weights = {}
    for word in words_of_text:
        for stem in stems(word):
            weights[stem] = word_weight
        weights[_exact_form(word)] = word_weight * _EXACT_FACTOR
    return weights


class _Factors(NamedTuple):
    """By what a word of a question counts more or less.

    `rarity` multiplies how much the word counts. `lacking` multiplies that once more for a document
    that lacks the word.
    """

    rarity: float
    lacking: float


class _Role(Enum):
    """What a word does in a question, such as "may I go out with 2 canastas?"."""

    ACTION = _Factors(rarity=_ACTION_FACTOR, lacking=1.0)
    """The verb that the question is about: `go out`."""
    CIRCUMSTANCE = _Factors(rarity=1.0, lacking=_CIRCUMSTANCE_FACTOR)
    """It describes the situation, as `canastas` does beside the action, and any number."""
    NUMBER_BESIDE_ACTION = _Factors(rarity=_CIRCUMSTANCE_FACTOR, lacking=_CIRCUMSTANCE_FACTOR)
    """A number in a question about an action, as `2` is here."""
    SUBJECT = _Factors(rarity=1.0, lacking=1.0)
    """Any other word of a question without an action."""


def _find_role(word: str, *, action: str, is_number: bool) -> _Role:
    """What a word does in a question.

    `action` is the verb that the question is about, as in "may I go out?"; empty if it has none.
    """
    if word == action:
        return _Role.ACTION
    if is_number and action:
        return _Role.NUMBER_BESIDE_ACTION
    if is_number or action:
        return _Role.CIRCUMSTANCE
    return _Role.SUBJECT


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


class _RatedDocument(NamedTuple):
    """How well a document of the index matches a question.

    `position` is that of the document in the index. `matched` is the sum of the rarities of the
    question's words that it has, `worth` is what to sort by, and `likeness` is how similar the
    question is to the best of its phrases.
    """

    position: int
    matched: float
    worth: float
    likeness: float


class _PhraseOverlap(NamedTuple):
    """How much of a phrase a question has, and how much it lacks, as sums of the words' rarities."""

    shared: float
    lacking: float


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
            role = _find_role(word, action=action, is_number=_is_sought_number(shares))
            question.append(self._sought_word(shares, role))

        rated_documents = self._rate_documents(question, all_words)
        matches = []
        for rated in _keep_best(_keep_with_enough_words(rated_documents)):
            share = _matched_share(self._documents[rated.position], question)
            matches.append(Match(rated.position, share, rated.likeness))
        return matches

    def _rate_documents(
        self, question: Sequence[SoughtWord], all_words: frozenset[str]
    ) -> list[_RatedDocument]:
        """How well each document matches a question, without those that have none of its words.

        `all_words` are the words of the question as they were typed.
        """
        rated_documents = []
        for position, document in enumerate(self._documents):
            matched = _sum_matched_rarities(document, question)
            if not matched:
                continue
            likeness = self._best_likeness(document, question, all_words)
            worth = document.factor * (_text_worth(document, question) + likeness)
            rated_documents.append(_RatedDocument(position, matched, worth, likeness))
        return rated_documents

    def _best_likeness(
        self, document: Document, question: Sequence[SoughtWord], all_words: frozenset[str]
    ) -> float:
        """How similar a question is to the phrase of a document that is most like it; 0 if none is.

        `all_words` are the words of the question as they were typed.
        """
        best = 0.0
        for phrase in document.phrases:
            best = max(best, self._likeness(phrase, question, all_words))
        return best

    def _sought_word(self, shares: Mapping[str, float], role: _Role) -> SoughtWord:
        """A word of a question with what it counts: the more, the fewer documents have it.

        `shares` has its forms in the index, and how much each counts.
        """
        factors = role.value
        rarity = self._rarity(shares) * factors.rarity
        return SoughtWord(shares, rarity, lacking=rarity * factors.lacking)

    def _likeness(
        self, phrase: Phrase, question: Sequence[SoughtWord], all_words: frozenset[str]
    ) -> float:
        """How similar a question is to a phrase: 1 if they have the same content words, 0 if none.

        It is what they share, as a fraction of this and of what only one of them has. A question in
        exactly the words of the phrase gets a bonus on top.
        """
        overlap = self._overlap_with_phrase(phrase, question)
        if not overlap.shared:
            return 0.0
        phrase_cost = _MISSING_PENALTY * overlap.lacking
        # What only the question has costs less: players also describe the situation.
        question_cost = _BESIDE_PENALTY * _weight_beside_phrase(question, phrase)
        shared_fraction = overlap.shared / (overlap.shared + phrase_cost + question_cost)
        # Words such as "how" are in no sum above, but break a tie here.
        same_words = len(all_words & phrase.plain) / len(all_words | phrase.plain)
        return shared_fraction + _SAME_WORDS_BONUS * same_words

    def _overlap_with_phrase(
        self, phrase: Phrase, question: Sequence[SoughtWord]
    ) -> _PhraseOverlap:
        """How much of a phrase a question has, and how much it lacks; rare words count more."""
        shared = 0.0
        lacking = 0.0
        for forms in phrase.words:
            rarity = self._rarity(forms)
            # 1 if the question has the word, less for a related one, 0 without any.
            share = max([word.share_in(forms) for word in question], default=0.0)
            shared += rarity * share
            lacking += rarity * (1 - share)
        return _PhraseOverlap(shared, lacking)

    def _rarity(self, forms: Iterable[str]) -> float:
        """How rare a word is: the higher, the fewer documents have its most frequent form."""
        most = max([self._documents_with[form] for form in forms], default=0)
        return math.log(1 + len(self._documents) / (1 + most))


def _keep_with_enough_words(rated_documents: Sequence[_RatedDocument]) -> list[_RatedDocument]:
    """Leave out the documents that have much less of a question than the one that has the most.

    The others keep their worth in proportion: one that has half as much keeps half of it.
    """
    # No document has more than a few words of a long question: the best one is the measure.
    most_matched = max([rated.matched for rated in rated_documents], default=0.0)
    kept = []
    for rated in rated_documents:
        if rated.matched <= _LEAST_MATCHED * most_matched:
            continue
        lowered_worth = rated.worth * (rated.matched / most_matched)
        kept.append(_RatedDocument(rated.position, rated.matched, lowered_worth, rated.likeness))
    return kept


def _keep_best(rated_documents: Sequence[_RatedDocument]) -> list[_RatedDocument]:
    """Sort documents by their worth, best first, and leave out those worth much less than the best."""
    best_worth = max([rated.worth for rated in rated_documents], default=0.0)
    least_worth = _LEAST_WORTH * best_worth
    best_first = sorted(rated_documents, key=lambda rated: rated.worth, reverse=True)
    return [rated for rated in best_first if rated.worth >= least_worth]


def _shares_of_forms(
    words_sought: Iterable[str], terms: Mapping[str, Iterable[str]]
) -> dict[str, float]:
    """How much each form in the index counts when a word of a question is looked for.

    `words_sought` are the word itself and similar ones. Their own forms, which are their stems and
    the words as written, count 1. `terms` has by the stem of a word the stems of others that mean
    the same, which count less: `{"pot": 1.0, "=pot": 1.0, "pile": 0.6}` for the word `pot`.
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


def _sum_matched_rarities(document: Document, question: Sequence[SoughtWord]) -> float:
    """The sum of the rarities of those words of a question that a document has."""
    matched = 0.0
    for word in question:
        if word.weight_in(document):
            matched += word.rarity
    return matched


def _text_worth(document: Document, question: Sequence[SoughtWord]) -> float:
    """How much the text of a document says about a question: from 0, for nothing, to about 1.

    It is the average of the weights that the words of the question have in the document, in which
    rare words count more, as a fraction of the highest possible weight.
    """
    total_rarity = sum(word.rarity for word in question)
    weighted_rarity = 0.0
    for word in question:
        weighted_rarity += word.rarity * word.weight_in(document)
    return weighted_rarity / (total_rarity * _HIGHEST_WEIGHT)


def _is_sought_number(shares: Mapping[str, float]) -> bool:
    """Whether a word is a number: one of its own forms is, not that of a related term."""
    return any(form.isdecimal() and share == 1 for form, share in shares.items())


def _weight_beside_phrase(question: Sequence[SoughtWord], phrase: Phrase) -> float:
    """The sum of what those words of a question count that a phrase lacks.

    If the phrase has a related word instead, a word counts in part.
    """
    weight = 0.0
    for word in question:
        share_in_phrase = max([word.share_in(forms) for forms in phrase.words], default=0.0)
        weight += word.lacking * (1 - share_in_phrase)
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
