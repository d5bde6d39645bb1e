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
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from scorepad.i18n import LANGUAGES, Language, words

Tokens = tuple[str, ...]
"""The words of a text, in lower case and without accents."""
_WORD = re.compile(r"[^\W_]+")
_NEGATIVE = re.compile(r"(?<!\S)[-\u2212\u2013]\s?(?=\d)")
_GROUPED = re.compile(r"(?<=\d)[.,\s\u00a0](?=\d{3}\b)")
_LEAST_SIMILARITY = 0.8  # of words that replace an unknown one, as difflib measures it
_MOST_REPLACEMENTS = 3  # words that replace an unknown one
_SHORTEST_BEGINNING = 4  # letters of an unknown word that longer ones may complete
_SHORTEST_INFLECTED = 4  # letters of words that also match in other inflections
_EXACT_FACTOR = 1.25  # of the exact word, over others with its stem
_SYNONYM_CLOSENESS = 0.6  # of a term, for another of its names; 1 for the word itself
_LEAST_MATCHED = 0.4  # the fraction of the best match that a document must exceed to be found
_LEAST_WORTH = 0.3  # the fraction of the best worth that it must reach
_ONLY_IN_PHRASE_FACTOR = 0.6  # of words of a phrase that the question lacks
_ONLY_IN_QUESTION_FACTOR = 0.3  # of words of a question that the phrase lacks
_ACTION_FACTOR = 2.0  # of the verb that a question is about
_CIRCUMSTANCE_FACTOR = 0.3  # of words that only describe the situation of a question
_HIGHEST_WEIGHT = 10.0  # about the weight of a word in a document that consists of it
_SAME_WORDS_BONUS = 0.2  # for a question in the exact words of a phrase


# ---------------------------------------------------------------- words


def plain_words(text: str) -> Tokens:
    """Split a text into words, in lower case and without accents.

    `Può 1.500?` → `("puo", "1500")`: a separator between thousands is left out too.
    """
    without_grouping = _GROUPED.sub("", text.lower())
    decomposed = unicodedata.normalize("NFKD", without_grouping)  # an accent becomes a character
    letters = [letter for letter in decomposed if not unicodedata.combining(letter)]
    return tuple(_WORD.findall("".join(letters)))


def question_words(text: str) -> Tokens:
    """Split a typed question into plain words, with a minus sign written as words.

    `a −50` → `("a", "sotto", "zero", "50")`: the rules say "below zero" (`sotto zero`), and a sign
    alone would be lost.
    """
    below_zero = words(LANGUAGES[0]).t("search.minus")
    return plain_words(_NEGATIVE.sub(f" {below_zero} ", text))


@lru_cache(maxsize=8192)  # bounded: typed words are unlimited
def stems(word: str) -> frozenset[str]:
    """Find the stem of a word in each language: what all its inflections have in common.

    It is not known in which language somebody writes, so all stems count:

    - `canastas` → `canastas` in Italian and `canasta` in English
    - `two` → `two` in Italian and `2` in English, as the names of small numbers become figures
    """
    found = set()
    for language in LANGUAGES:
        stem = _stem(word, language)
        replacements = _map_stem_replacements(language)  # of irregular words, and of numbers
        found.add(replacements.get(stem, stem))
    return frozenset(found)


def _stem(word: str, language: Language) -> str:
    """Cut a word down to the part that its inflections share: `cards` → `card` in English."""
    # 40 ms that only a search needs. In a browser there are only these modules of the package.
    from snowballstemmer.english_stemmer import EnglishStemmer
    from snowballstemmer.italian_stemmer import ItalianStemmer

    stemmers = {Language.ENGLISH: EnglishStemmer, Language.ITALIAN: ItalianStemmer}
    stemmer = stemmers[language]()  # a new one: it is not thread-safe
    return str(stemmer.stemWord(word))


@cache
def _map_stem_replacements(language: Language) -> Mapping[str, str]:
    """List the stems that another stem replaces, so that irregular forms are found as one word.

    In English `{"took": "take", "went": "go", "two": "2", …}`.
    """
    return {**_map_stems_of_irregular_words(language), **_map_stems_of_numbers(language)}


def _map_stems_of_irregular_words(language: Language) -> dict[str, str]:
    """Map the stem of each form of an irregular word to the stem of its first form.

    In English `{"took": "take", "went": "go", …}`.
    """
    first_stems = {}
    # The message lists the forms of each word: "take takes took taken; go goes went".
    for family in words(language).t("rulebook.search.families").split(";"):
        forms = family.split()
        first_stem = _stem(forms[0], language)
        for form in forms:
            first_stems[_stem(form, language)] = first_stem
    return first_stems


def _map_stems_of_numbers(language: Language) -> dict[str, str]:
    """Map the stem of the name of each small number to its figure: `{"two": "2", …}`."""
    figures = {}
    # The message lists the names of numbers in order: "zero one two three".
    for number, name in enumerate(words(language).t("numbers").split()):
        if number <= 1:
            continue  # "uno" is also the article "a", and would be found everywhere
        figures[_stem(name, language)] = str(number)
    return figures


def _mark_as_exact(word: str) -> str:
    """Mark a word as written, to tell it from a stem in the index: `cards` → `=cards`.

    A text with the very word of a question ranks before others that only have its stem.
    """
    return f"={word}"


def _list_index_keys(word: str) -> frozenset[str]:
    """List the keys under which the index has a word: `cards` → `card`, `cards` and `=cards`.

    The first two are its stems in English and Italian, the last is the word as it is written.
    """
    return stems(word) | {_mark_as_exact(word)}


@cache
def stop_words() -> frozenset[str]:
    """List the words that say nothing about the subject of a question, such as "the" and "how".

    They are those of all languages together.
    """
    ignored: set[str] = set()
    for language in LANGUAGES:
        ignored.update(words(language).t("rulebook.search.ignored").split())
    return frozenset(ignored)


def without_repetitions(texts: Iterable[str]) -> Tokens:
    """Remove repetitions from some texts, and keep their order."""
    return tuple(dict.fromkeys(texts))


def content_words(text: str) -> Tokens:
    """List the words of a text that say something about its subject, each once.

    - `how many cards are there` → `("cards",)`, without stop words such as "how"
    - `how many` → `("how", "many")`, as there are no other words
    """
    all_words = without_repetitions(plain_words(text))
    with_content = tuple(word for word in all_words if word not in stop_words())
    return with_content or all_words


def action_word(plain: Tokens) -> str:
    """Find the verb that says which action of the game a question is about; empty if there is none.

    - "may I **go** out with two canastas" → `go`, the first such verb: the rest is the situation
    - "how many cards to go out" → empty, as it asks for a rule and not for an action

    The synonyms of the question must have been replaced before (`with_synonyms`).
    """
    # "open go take draw discard meld lay add freeze", and the Italian verbs
    stems_of_actions = stems_of("search.actions")
    for position, word in enumerate(plain):
        # "how many", "how long", "when", "who": a verb after these describes the situation.
        if _has_phrase_at(position, plain, "search.asks-rule"):
            return ""
        is_action = not stems_of_actions.isdisjoint(stems(word))
        if is_action:
            return word
    return ""


def asks_for_rule(plain: Tokens) -> bool:
    """Tell whether a question asks for a rule, and not for a ruling on what a player may do.

    - "who deals first" → True, because of its first word
    - "what do we need to open" → True, as it asks for a figure
    - "may I take the pile" → False
    """
    if _has_phrase_at(0, plain, "search.asks-rule"):  # "how many", "how long", "when", "who"
        return True
    for position in range(len(plain)):
        if _has_phrase_at(position, plain, "search.asks-figure"):  # "how many", "what do we need"
            return True
    return False


def _has_phrase_at(position: int, plain: Tokens, key: str) -> bool:
    """Tell whether one of the phrases that a message lists begins at this word of a question.

    `key` is the key of the message. "and how many cards" has the phrase "how many" at position 1.
    """
    for phrase in _list_phrases_of(key):
        if plain[position : position + len(phrase)] == phrase:
            return True
    return False


@cache
def _list_phrases_of(key: str) -> frozenset[Tokens]:
    """List the phrases in a message, in all languages: "how many,who" → `how many` and `who`.

    Each phrase is a tuple of plain words. `key` is the key of the message.
    """
    phrases: set[Tokens] = set()
    for language in LANGUAGES:
        for phrase in words(language).t(key).split(","):
            phrases.add(plain_words(phrase))
    return frozenset(phrases)


@cache
def stems_of(key: str) -> frozenset[str]:
    """Find the stems of all words in the message with this key, in all languages."""
    found: set[str] = set()
    for language in LANGUAGES:
        for word in plain_words(words(language).t(key)):
            found |= stems(word)
    return frozenset(found)


# ---------------------------------------------------------------- phrases

MeaningByPhrase = Mapping[Tokens, str]
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
        """Tell whether these words of a question are the phrase.

        "runs out" and "run out" match if the phrase may be in any inflection. Pass as many words as
        the phrase has.
        """
        if words_of_question == self.words:
            return True
        if not self.in_any_inflection:
            return False
        pairs = zip(words_of_question, self.words, strict=True)
        return all(_are_same_word(asked, word) for asked, word in pairs)


def find_phrases(plain: Tokens, phrases: MeaningByPhrase) -> list[FoundPhrase]:
    """Find which of these phrases stand in a question, in the order of the question.

    No word is used twice. Longer phrases are looked for before shorter ones, and the exact words
    before other inflections: in Italian "finite le carte" (no cards left) means that the stock ran
    out, but "finire le carte" (to finish the cards) means that a player goes out.
    """
    found: list[FoundPhrase] = []
    used_positions: set[int] = set()
    for phrase in _sort_phrases_by_precedence(phrases):
        length = len(phrase.words)
        for start in range(len(plain) - length + 1):
            candidate = FoundPhrase(start, length, phrases[phrase.words])
            if not used_positions.isdisjoint(candidate.positions):
                continue
            if phrase.matches(plain[start : start + length]):
                found.append(candidate)
                used_positions.update(candidate.positions)
    return sorted(found)


def _sort_phrases_by_precedence(phrases: MeaningByPhrase) -> list[_PhraseToFind]:
    """Sort phrases into the order in which to look for them in a question: the longest first.

    The phrases of each length come twice: first all to be found in their exact words, then all to
    be found in any inflection.
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


def _are_same_word(word: str, other: str) -> bool:
    """Tell whether two words are one word in different inflections: `canasta` and `canastas` are.

    Short words must be equal, as by chance their stems often are.
    """
    if word == other:
        return True
    if len(word) < _SHORTEST_INFLECTED or len(other) < _SHORTEST_INFLECTED:
        return False
    have_common_stem = not stems(word).isdisjoint(stems(other))
    return have_common_stem


def with_synonyms(plain: Tokens) -> Tokens:
    """Replace every synonym in a question by the term that the rules use.

    `("who", "shuffles")` → `("dealer",)`. A synonym may be of several words, and so may its term.
    """
    synonyms_by_start = {found.start: found for found in find_phrases(plain, _map_synonyms())}
    replaced: list[str] = []
    position = 0
    while position < len(plain):
        synonym = synonyms_by_start.get(position)
        if synonym:
            replaced += plain_words(synonym.meaning)
            position += synonym.length  # go on after the words of the synonym
        else:
            replaced.append(plain[position])
            position += 1
    return tuple(replaced)


@cache
def _map_synonyms() -> MeaningByPhrase:
    """Map each synonym, in plain words, to the term that the rules use, in all languages.

    `{("who", "shuffles"): "dealer", ("pack",): "pile", …}`
    """
    term_by_synonym: dict[Tokens, str] = {}
    for language in LANGUAGES:
        # The message lists names and their term: "discard pile, pack = pile; who deals = dealer".
        for names_and_term in words(language).t("rulebook.search.same").split(";"):
            names, _, term = names_and_term.partition("=")
            for name in names.split(","):
                term_by_synonym[plain_words(name)] = term.strip()
    return term_by_synonym


# ---------------------------------------------------------------- the index


class Phrase(NamedTuple):
    """A title, another name of a text, or a question that it answers.

    `keys_of_words` has the keys in the index of each content word; `plain` has all its words.
    """

    keys_of_words: tuple[frozenset[str], ...]
    plain: frozenset[str]


class Document(NamedTuple):
    """A text of the index: the weights of its words, by their keys, and the phrases that lead to it.

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
    """Make an entry of the search index from the texts of a document.

    `phrases` are titles, other names and typical questions: a question that is like one of them
    finds the document first. `factor` raises or lowers the rank of the whole document.
    """
    phrases_of_document = set()
    for text in phrases:
        phrase = _make_phrase(text)
        if phrase.plain:  # a text without words, such as an empty one, is like no question
            phrases_of_document.add(phrase)
    return Document(_weigh_words_of_document(texts), frozenset(phrases_of_document), factor)


def _make_phrase(text: str) -> Phrase:
    """Prepare a title, name or question for comparison with the questions that people type."""
    keys_of_words = [_list_index_keys(word) for word in content_words(text)]
    return Phrase(tuple(keys_of_words), frozenset(plain_words(text)))


def _weigh_words_of_document(texts: Iterable[WeightedText]) -> dict[str, float]:
    """Weigh the words of a document that consists of several texts, such as a title and a text.

    Returns a weight for each key of each word: `{"card": 4.5, "=cards": 5.625}`. A word that is in
    several of the texts gets the highest of its weights.
    """
    weights: dict[str, float] = {}
    for text in texts:
        for key, weight in _weigh_words_of_text(text).items():
            weights[key] = max(weight, weights.get(key, 0.0))
    return weights


def _weigh_words_of_text(text: WeightedText) -> dict[str, float]:
    """Weigh the words of one text: the more a word weighs, the more the text is about it.

    Returns a weight for each key of each word. For the title `cards` with weight 3: 4.5 for the
    stems `card` and `cards`, and 5.625 for the very word, `=cards`.
    """
    words_of_text = content_words(text.text)
    # A word of a short text counts more: the text has hardly any other subject.
    word_weight = text.weight * (1 + 1 / (1 + len(words_of_text)))
    weights = {}
    for word in words_of_text:
        for stem in stems(word):
            weights[stem] = word_weight
        weights[_mark_as_exact(word)] = word_weight * _EXACT_FACTOR
    return weights


# ---------------------------------------------------------------- a question


class QuestionToFind(NamedTuple):
    """A question, as it is passed to the index to find the documents that answer it.

    - `words`: the words that say something about its subject, each with similar words to look for
      beside it, `{"penlty": ("penalty",)}`
    - `typed_words`: all its words, as they were typed
    - `action`: the verb that it is about, such as `go`; empty if there is none
    - `synonyms`: words of the same meaning, by stem: `{"pot": {"pile"}}`
    """

    words: Mapping[str, Tokens]
    typed_words: frozenset[str]
    action: str
    synonyms: Mapping[str, Iterable[str]] = MappingProxyType({})


class _Role(NamedTuple):
    """What a word does in a question, and how much it counts for that reason.

    `factor` raises or lowers its weight, and `factor_if_missing` lowers the weight once more for a
    document that does not have the word.
    """

    factor: float
    factor_if_missing: float


# In the question "may I go out with 2 canastas?":
_ROLE_OF_ACTION = _Role(_ACTION_FACTOR, factor_if_missing=1.0)
"""The verb that the question is about: `go`."""
_ROLE_OF_CIRCUMSTANCE = _Role(1.0, factor_if_missing=_CIRCUMSTANCE_FACTOR)
"""A word that describes the situation: `canastas`."""
_ROLE_OF_NUMBER_BESIDE_ACTION = _Role(_CIRCUMSTANCE_FACTOR, factor_if_missing=_CIRCUMSTANCE_FACTOR)
"""A number beside an action: `2`."""
_ROLE_OF_SUBJECT = _Role(1.0, factor_if_missing=1.0)
"""A word of a question without an action, such as "value of the joker"."""


def _find_role(word: str, *, action: str, is_number: bool) -> _Role:
    """Find out what a word does in a question, which decides how much it counts.

    `action` is the verb that the question is about, such as `go`; empty if there is none.
    """
    if word == action:
        return _ROLE_OF_ACTION
    if is_number and action:
        return _ROLE_OF_NUMBER_BESIDE_ACTION
    if is_number or action:
        return _ROLE_OF_CIRCUMSTANCE
    return _ROLE_OF_SUBJECT


class SoughtWord(NamedTuple):
    """A word of a question: what to look up in the index for it, and how much it counts.

    `closeness_by_key`: the keys of the word (closeness 1.0) and of its synonyms (0.6).
    `weight_if_found` counts for a document that has the word, and `weight_if_missing` against one
    that has not. Rare words have higher weights.
    """

    closeness_by_key: Mapping[str, float]
    weight_if_found: float
    weight_if_missing: float

    def weight_in(self, document: Document) -> float:
        """Return how much a document is about this word: its weight there, 0 if it lacks the word.

        A synonym may stand in its place, and counts in part. The best of them is taken.
        """
        weights = []
        for key, closeness in self.closeness_by_key.items():
            weights.append(document.weights.get(key, 0.0) * closeness)
        return max(weights)

    def closeness_to_word(self, keys: frozenset[str]) -> float:
        """Compare this word with another one, given by its keys in the index.

        - the same word, in any inflection → 1.0
        - a synonym → 0.6
        - any other word → 0.0
        """
        found = [closeness for key, closeness in self.closeness_by_key.items() if key in keys]
        return max(found, default=0.0)

    def closeness_to_phrase(self, phrase: Phrase) -> float:
        """Compare this word with each word of a phrase, and return the closest: from 0.0 to 1.0."""
        found = [self.closeness_to_word(keys) for keys in phrase.keys_of_words]
        return max(found, default=0.0)


def _list_keys_of_words(similar_words: Iterable[str]) -> set[str]:
    """List the keys under which the index may have one of these words."""
    keys: set[str] = set()
    for word in similar_words:
        keys |= _list_index_keys(word)
    return keys


def _add_keys_of_synonyms(
    own_keys: set[str], synonyms: Mapping[str, Iterable[str]]
) -> dict[str, float]:
    """Add the synonyms of a word to its own keys in the index; each with how close it is to the word.

    The keys `pot` and `=pot` with the synonyms `{"pot": {"pile"}}` → `{"pot": 1.0, "=pot": 1.0,
    "pile": 0.6}`.
    """
    closeness_by_key = dict.fromkeys(own_keys, 1.0)
    for key in own_keys:
        for synonym in synonyms.get(key, ()):
            closeness_by_key.setdefault(synonym, _SYNONYM_CLOSENESS)  # own keys keep 1.0
    return closeness_by_key


def _add_up_words_found(document: Document, question: Sequence[SoughtWord]) -> float:
    """Add up the weights of those words of a question that a document has; 0.0 for none."""
    weight = 0.0
    for word in question:
        if word.weight_in(document):
            weight += word.weight_if_found
    return weight


def _rate_text(document: Document, question: Sequence[SoughtWord]) -> float:
    """Rate how much the text of a document is about a question, from 0.0 (not at all) to about 1.0.

    It is the average weight that the words of the question have in the document, with rare words
    counting more, divided by the highest weight that a word can have.
    """
    weight_of_question = sum(word.weight_if_found for word in question)
    weight_in_document = 0.0
    for word in question:
        weight_in_document += word.weight_if_found * word.weight_in(document)
    return weight_in_document / (weight_of_question * _HIGHEST_WEIGHT)


def _compute_share_found(document: Document, question: Sequence[SoughtWord]) -> float:
    """Compute how much of a question a document has, up to 1.0 for all its words.

    Rare words count more. The document must have at least one of the words.
    """
    found = 0.0
    missing = 0.0
    for word in question:
        if word.weight_in(document):
            found += word.weight_if_found
        else:
            missing += word.weight_if_missing
    return found / (found + missing)


# ---------------------------------------------------------------- the search


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

    `position` is that of the document in the index. `weight_found` is the sum of the weights of the
    question's words that it has, `worth` is what to sort by, and `likeness` is how similar the
    question is to the best of its phrases.
    """

    position: int
    weight_found: float
    worth: float
    likeness: float


class _WordsCompared(NamedTuple):
    """The words of a phrase compared with a question: the weight of those in both, and of the rest."""

    in_both: float
    only_in_phrase: float


class TextIndex:
    """Documents that are searched together.

    `vocabulary` has the words of each language that may replace misspelt ones of a question.
    """

    def __init__(
        self, documents: Sequence[Document], vocabulary: Mapping[Language, Iterable[str]]
    ) -> None:
        """Index these documents: count in how many of them each key of a word is."""
        self._documents = documents
        self._documents_with: Counter[str] = Counter()  # how many documents have each key
        for document in documents:
            self._documents_with.update(document.weights.keys())
        self._vocabulary = {}
        for language, known_words in vocabulary.items():
            self._vocabulary[language] = sorted(set(known_words))

    def has_word(self, word: str) -> bool:
        """Tell whether any document has a word, in any inflection."""
        return any(stem in self._documents_with for stem in stems(word))

    def similar_words(self, plain: Iterable[str], language: Language) -> dict[str, Tokens]:
        """Find known words to look for in place of the misspelt or unfinished words of a question.

        `("penlty", "pile")` → `{"penlty": ("penalty",), "pile": ()}`: for a word that the index
        knows, no other is needed. At most three are found for each word.
        """
        vocabulary = self._vocabulary[language]
        similar: dict[str, Tokens] = {}
        for word in plain:
            similar[word] = ()
            if len(word) < _SHORTEST_BEGINNING or self.has_word(word):
                continue
            # First words that it may be the beginning of, then words spelt nearly the same.
            found = [known for known in vocabulary if known.startswith(word)]
            if not found:
                found = get_close_matches(word, vocabulary, _MOST_REPLACEMENTS, _LEAST_SIMILARITY)
            similar[word] = tuple(found[:_MOST_REPLACEMENTS])
        return similar

    def find_matches(self, question: QuestionToFind) -> list[Match]:
        """Find the documents that answer a question, best first."""
        sought_words = self._weigh_words_of_question(question)
        rated_documents = self._rate_documents(sought_words, question.typed_words)
        on_the_subject = _keep_with_enough_words(rated_documents)
        matches = []
        for rated in _keep_best(on_the_subject):
            share = _compute_share_found(self._documents[rated.position], sought_words)
            matches.append(Match(rated.position, share, rated.likeness))
        return matches

    def _weigh_words_of_question(self, question: QuestionToFind) -> list[SoughtWord]:
        """Decide how much each word of a question counts: more if few documents have it.

        What the word does in the question counts too: the verb that it is about counts double.
        """
        sought_words = []
        for word, similar_words in question.words.items():
            own_keys = _list_keys_of_words([word, *similar_words])
            is_number = any(key.isdecimal() for key in own_keys)  # `two` has the key `2` too
            role = _find_role(word, action=question.action, is_number=is_number)

            closeness_by_key = _add_keys_of_synonyms(own_keys, question.synonyms)
            weight = self._compute_rarity(closeness_by_key) * role.factor
            weight_if_missing = weight * role.factor_if_missing
            sought_words.append(SoughtWord(closeness_by_key, weight, weight_if_missing))
        return sought_words

    def _rate_documents(
        self, question: Sequence[SoughtWord], typed_words: frozenset[str]
    ) -> list[_RatedDocument]:
        """Rate how well each document answers a question, and drop those with none of its words.

        A document is worth more if its text is about the words of the question, and if one of its
        phrases, such as its title, is like the question.
        """
        rated_documents = []
        for position, document in enumerate(self._documents):
            weight_found = _add_up_words_found(document, question)
            if not weight_found:
                continue
            likeness = self._find_best_likeness(document, question, typed_words)
            worth = document.factor * (_rate_text(document, question) + likeness)
            rated_documents.append(_RatedDocument(position, weight_found, worth, likeness))
        return rated_documents

    def _find_best_likeness(
        self, document: Document, question: Sequence[SoughtWord], typed_words: frozenset[str]
    ) -> float:
        """Compare a question with each phrase of a document, and return the highest likeness.

        The phrases are its title, other names and typical questions. 0.0 if none is like the
        question, 1.0 or a little more if one has the same words.
        """
        best = 0.0
        for phrase in document.phrases:
            best = max(best, self._rate_likeness(phrase, question, typed_words))
        return best

    def _rate_likeness(
        self, phrase: Phrase, question: Sequence[SoughtWord], typed_words: frozenset[str]
    ) -> float:
        """Rate how alike a question and a phrase are, from 0.0 (no word in common) to 1.2.

        1.0 is for the same content words. Up to 0.2 more are for the same words as typed, "how"
        and the like included.
        """
        compared = self._compare_words(phrase, question)
        if not compared.in_both:
            return 0.0
        # What only one of them has lowers the likeness. What only the question has counts less:
        # players also describe the situation.
        only_in_phrase = _ONLY_IN_PHRASE_FACTOR * compared.only_in_phrase
        only_in_question = _ONLY_IN_QUESTION_FACTOR * _add_up_words_not_in_phrase(question, phrase)
        common_part = compared.in_both / (compared.in_both + only_in_phrase + only_in_question)

        words_in_common = len(typed_words & phrase.plain)
        words_of_either = len(typed_words | phrase.plain)
        return common_part + _SAME_WORDS_BONUS * (words_in_common / words_of_either)

    def _compare_words(self, phrase: Phrase, question: Sequence[SoughtWord]) -> _WordsCompared:
        """Add up the words of a phrase that a question has too, and those that it has not.

        A rare word counts more than others. A synonym in the question counts in part as the word.
        """
        in_both = 0.0
        only_in_phrase = 0.0
        for keys in phrase.keys_of_words:
            rarity = self._compute_rarity(keys)
            closeness = max([word.closeness_to_word(keys) for word in question], default=0.0)
            in_both += rarity * closeness
            only_in_phrase += rarity * (1 - closeness)
        return _WordsCompared(in_both, only_in_phrase)

    def _compute_rarity(self, keys: Iterable[str]) -> float:
        """Compute how rare a word is: the fewer documents have it, the higher the result.

        `keys` are its keys in the index, of which the most frequent one decides. Of 100 documents,
        99 have it → 0.7; none has it → 4.6.
        """
        documents_with_key = [self._documents_with[key] for key in keys]
        documents_with_word = max(documents_with_key, default=0)
        return math.log(1 + len(self._documents) / (1 + documents_with_word))


def _keep_with_enough_words(rated_documents: Sequence[_RatedDocument]) -> list[_RatedDocument]:
    """Drop the documents that have far fewer words of a question than the best document has.

    The worth of the others is lowered in proportion: one with half the words keeps half its worth.
    """
    # No document has more than a few words of a long question: the best one is the measure.
    most_found = max([rated.weight_found for rated in rated_documents], default=0.0)
    kept = []
    for rated in rated_documents:
        if rated.weight_found <= _LEAST_MATCHED * most_found:
            continue
        lowered_worth = rated.worth * (rated.weight_found / most_found)
        kept.append(rated._replace(worth=lowered_worth))
    return kept


def _keep_best(rated_documents: Sequence[_RatedDocument]) -> list[_RatedDocument]:
    """Sort documents by their worth, best first, and drop those worth much less than the best."""
    best_worth = max([rated.worth for rated in rated_documents], default=0.0)
    least_worth = _LEAST_WORTH * best_worth
    best_first = sorted(rated_documents, key=lambda rated: rated.worth, reverse=True)
    return [rated for rated in best_first if rated.worth >= least_worth]


def _add_up_words_not_in_phrase(question: Sequence[SoughtWord], phrase: Phrase) -> float:
    """Add up the weights of those words of a question that a phrase does not have.

    A word counts in part if the phrase has a synonym of it.
    """
    weight = 0.0
    for word in question:
        weight += word.weight_if_missing * (1 - word.closeness_to_phrase(phrase))
    return weight
