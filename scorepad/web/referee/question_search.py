"""The search for questions to the referee, and for irregularities, on its first page."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from scorepad.i18n import LANGUAGES, Words
from scorepad.i18n import words as words_in
from scorepad.web.base import page_words
from scorepad.web.referee.explanations import mistake_name
from scorepad.web.referee.question_pages import PENALTY, QUESTIONS, QuestionPages, grouped_codes
from scorepad.web.text_search import (
    Document,
    Match,
    QuestionToFind,
    TextIndex,
    Tokens,
    WeightedText,
    action_word,
    asks_for_rule,
    content_words,
    make_document,
    plain_words,
    question_words,
    with_synonyms,
)

LONGEST_QUESTION = 100
"""Characters that the search reads."""
_MOST_FOUND = 4
_LEAST_SHARE = 0.5
"""The share of a search that a question must match to be found."""
_LEADING_LIKENESS = 0.7
"""How like a search a question must be to stand before the rules."""
_TITLE_WEIGHT = 5.0


class FoundQuestions(NamedTuple):
    """The questions and irregularities that match a search, best first.

    The rules answer it better if it asks for a figure, a person or a moment, or if no question is
    like it.
    """

    names: list[str]
    is_answered_by_rules: bool


def search_questions(sought: str) -> FoundQuestions:
    """Find the questions to the referee that are like the text that a player typed.

    "may I take the pile" → the question `pozzo`, about the discard pile. At most four are found,
    mistakes in play among them. The result also tells whether the rulebook answers the text better.
    """
    index = _make_question_index()
    typed_words = question_words(sought)
    good_matches = _find_good_matches(typed_words, index)
    names = [index.names[match.position] for match in good_matches]

    is_like_question = any(match.likeness >= _LEADING_LIKENESS for match in good_matches)
    # Words such as "how many" and "when" ask for something that is written in the rules.
    is_answered_by_rules = asks_for_rule(typed_words) or not is_like_question
    return FoundQuestions(names=names[:_MOST_FOUND], is_answered_by_rules=is_answered_by_rules)


def _find_good_matches(typed_words: Tokens, index: QuestionIndex) -> list[Match]:
    """Find the texts of the index that match at least half of the typed words, best first."""
    words_of_rules = with_synonyms(typed_words)
    action = action_word(words_of_rules)  # what a player does, such as "take"
    words_with_content = content_words(" ".join(words_of_rules))  # without "the", "of" and so on
    # Beside each word similar ones are looked for, in case that it is misspelt.
    similar_words = index.texts.similar_words(words_with_content, page_words().language)
    question = QuestionToFind(similar_words, frozenset(typed_words), action)
    matches = index.texts.find_matches(question)
    return [match for match in matches if match.share >= _LEAST_SHARE]


class QuestionIndex(NamedTuple):
    """The index of the questions and irregularities, and their names in the same order."""

    names: list[str]
    texts: TextIndex


@cache
def _make_question_index() -> QuestionIndex:
    """Make the search index of what players ask the referee, in all languages; it is made once."""
    texts_by_name = _list_texts_by_name()
    names = list(texts_by_name)
    documents = [_make_document_of_texts(texts_by_name[name]) for name in names]  # in that order

    # By these words misspelt ones are corrected. A player may use either language on any page.
    vocabulary: set[str] = set()
    for texts in texts_by_name.values():
        for text in texts:
            vocabulary.update(plain_words(text))
    vocabulary_by_language = dict.fromkeys(LANGUAGES, vocabulary)
    return QuestionIndex(names, TextIndex(documents, vocabulary_by_language))


def _make_document_of_texts(texts: list[str]) -> Document:
    """Make the entry of the search index for a question, which has these texts.

    It is found by single words of the texts, or by a whole text.
    """
    weighted_texts = [WeightedText(text, _TITLE_WEIGHT) for text in texts]
    # The factor 1 neither raises nor lowers its matches.
    return make_document(weighted_texts, phrases=texts, factor=1.0)


def _list_texts_by_name() -> dict[str, list[str]]:
    """List the texts by which the search finds each question to the referee, in all languages.

    `{"pozzo": ["Can I take the pile?", …], "wrong-dealer": ["the wrong player dealt", …], …}`:
    mistakes in play are found like questions, by their codes.
    """
    texts_by_name: dict[str, list[str]] = {}
    for question in QUESTIONS:
        # "All mistakes and penalties" is no text to find: each mistake is found by itself.
        if question is not PENALTY:
            texts_by_name[question.name] = _list_texts_of_question(question)
    for code_of_mistake in grouped_codes():
        texts_by_name[code_of_mistake] = _list_texts_of_irregularity(code_of_mistake)
    return texts_by_name


def _list_texts_of_question(question: QuestionPages) -> list[str]:
    """List the title of a question, and what players say for it, in all languages."""
    texts: list[str] = []
    for language in LANGUAGES:
        words = words_in(language)
        texts.append(question.title(words))
        texts += _split_phrases(f"referee.asked.{question.name}", words)
    return texts


def _list_texts_of_irregularity(code: str) -> list[str]:
    """List the name of a mistake in play, and what players say for it, in all languages."""
    texts: list[str] = []
    for language in LANGUAGES:
        words = words_in(language)
        texts.append(mistake_name(code, words))
        texts += _split_phrases(f"rulebook.asked.penalty.{code}", words)
    return texts


def _split_phrases(key: str, words: Words) -> list[str]:
    """Split a message that lists phrases, separated by commas."""
    return words.t(key).split(",")
