"""What a question to the rulebook asks: which games, which words, a score, a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from scorepad.i18n import LANGUAGES
from scorepad.i18n import words as catalogue
from scorepad.rules.variants import own_variants, variant_ids
from scorepad.web.rulebook.content import OPENING_STEPS
from scorepad.web.text_search import (
    MeaningByPhrase,
    Tokens,
    find_phrases,
    plain_words,
    stems,
    stems_of,
    stop_words,
    with_synonyms,
    without_repetitions,
)

_LEAST_SCORE = 250
"""Points. A smaller figure in a question about the opening is a minimum, any other the score of a
side.
"""
_ANY_GAME = "canasta"
"""A name that says nothing about which game is meant."""


class Query(NamedTuple):
    """A question to the rulebook.

    `games` are the ids of the games that it names, `names` the words of those names, and `words`
    its other words, as the rules have them. `score`: it asks how many points the first melds (sets
    of cards) of a side must reach at this score. `compares`: it asks for a comparison of games.
    """

    games: tuple[str, ...]
    names: Tokens
    words: Tokens
    score: int | None = None
    compares: bool = False

    @property
    def subject(self) -> Tokens:
        """Its words without stop words such as articles, each once."""
        return tuple(word for word in without_repetitions(self.words) if word not in stop_words())


def parse_question(plain: Tokens) -> Query:
    """Read a question to the rulebook: which games it names, and what it asks about them.

    - "samba or bolivia" → a comparison of the two games
    - "opening at 1500 in samba" → the points that a side at this score must lay first
    - "frozen pile in samba" → anything else, found by its words
    """
    parts = _separate_names_of_games(plain)
    words_of_rules = with_synonyms(parts.other_words)  # in the words that the rules use
    question = Query(parts.games, parts.names, words_of_rules)

    subject = _find_subject_of_comparison(words_of_rules, parts)
    if _asks_for_comparison(parts, subject):
        return question._replace(words=subject, compares=True)

    score = _find_opening_score(words_of_rules, parts.other_words)
    if score is not None:
        # What is looked for is the rule about the opening minimum, by the words of its title.
        title_of_rule = catalogue(LANGUAGES[0]).t(f"setting.{OPENING_STEPS}")
        return question._replace(words=plain_words(title_of_rule), score=score)
    return question


def _find_subject_of_comparison(words_of_rules: Tokens, parts: _QuestionParts) -> Tokens:
    """Find what is to be compared: "the difference in the opening" → `opening`.

    `words_of_rules` are the words of the question without names of games, as the rules have them.
    Left out are words that ask for a comparison, stop words such as "the", and "canasta".
    """
    ignored = {*_find_words_that_compare(parts.other_words), *stop_words(), _ANY_GAME}
    return tuple(word for word in words_of_rules if word not in ignored)


def _asks_for_comparison(parts: _QuestionParts, subject: Tokens) -> bool:
    """Tell whether a question asks for a comparison of games.

    - it names several games → True
    - "what is the difference" with one game, or with no subject → True
    - "the difference between melds" → False, no games are compared

    `subject` is what would be compared.
    """
    if len(parts.games) > 1:
        return True
    has_word_that_compares = bool(_find_words_that_compare(parts.other_words))
    if not has_word_that_compares:
        return False
    names_game = bool(parts.games)
    return names_game or not subject


def _find_words_that_compare(typed_words: Tokens) -> list[str]:
    """Find the words of a question that ask for a comparison, such as "difference" or "versus"."""
    # The message lists such words: "difference, versus, …".
    return [word for word in typed_words if _is_word_of_message("rulebook.search.compare", word)]


class _QuestionParts(NamedTuple):
    """The words of a question, parted into the names of games and all others.

    `games` are the ids of the games that it names.
    """

    games: tuple[str, ...]
    names: Tokens
    other_words: Tokens


def _separate_names_of_games(plain: Tokens) -> _QuestionParts:
    """Find the names of games in a question, and separate its words into names and others.

    "opening in hand and foot" → the game `hand-and-foot`, the words of its name, `hand and foot`,
    and the other words, `opening in`.
    """
    # The number grows whenever house rules change: then the names are listed anew.
    game_by_name = _map_names_to_games(tuple(variant_ids()), own_variants().number)
    found_names = find_phrases(plain, game_by_name)
    games: list[str] = []
    positions_of_names: set[int] = set()
    for found in found_names:
        games.append(found.meaning)  # the id of the game that has this name
        positions_of_names.update(found.positions)

    names = []
    other_words = []
    for position, word in enumerate(plain):
        if position in positions_of_names:
            names.append(word)
        else:
            other_words.append(word)
    return _QuestionParts(without_repetitions(games), tuple(names), tuple(other_words))


def _is_word_of_message(key: str, word: str) -> bool:
    """Tell whether a word is one of those that a message lists, in any inflection."""
    return not stems(word).isdisjoint(stems_of(key))


def _find_opening_score(words_of_rules: Tokens, typed_words: Sequence[str]) -> int | None:
    """Find the score in a question such as "opening at 1500"; None if it asks something else.

    The opening is what a side lays first in a hand, which must reach a minimum that depends on its
    score. `words_of_rules` are the words of the question with their synonyms replaced.
    """
    for word in words_of_rules:
        is_about_opening = _is_word_of_message("rulebook.search.opening", word)
        if is_about_opening:
            return _find_score(typed_words)
    return None


def _find_score(plain: Sequence[str]) -> int | None:
    """Find the score of a side that a question about the opening names; None if it names none.

    - "opening at 1500" → 1500
    - "opening at minus 100" → -100, as a word before the number says that it is below zero
    - "the opening of 90" → None, such a small number is a minimum and no score
    """
    for position, word in enumerate(plain):
        if not word.isdecimal():
            continue
        number = int(word)
        words_before = plain[:position]
        if _has_word_for_below_zero(words_before):
            return -number
        if number >= _LEAST_SCORE:
            return number
    return None


def _has_word_for_below_zero(plain: Sequence[str]) -> bool:
    """Tell whether one of these words says that a score is below zero, such as "minus"."""
    return any(_is_word_of_message("search.below", word) for word in plain)


@lru_cache(maxsize=1)
def _map_names_to_games(games: tuple[str, ...], _version_of_names: int) -> MeaningByPhrase:
    """Map the names of these games in all languages, in plain words, to the ids of the games.

    `{("hand", "and", "foot"): "hand-and-foot", ("handandfoot",): "hand-and-foot", …}`: a name of
    several words may also be written as one. A new version of the names is not taken from the
    cache.
    """
    game_by_name: dict[Tokens, str] = {}
    for game in games:
        for name in _list_names_of_game(game):
            joined_name = "".join(name)
            game_by_name[(joined_name,)] = game
    # If the joined name of one game is the very name of another, the second one is meant.
    for game in games:
        for name in _list_names_of_game(game):
            game_by_name[name] = game
    return game_by_name


def _list_names_of_game(game: str) -> list[Tokens]:
    """List the names of a game in all languages, each in plain words."""
    names: list[Tokens] = []
    for language in LANGUAGES:
        listed_names = catalogue(language).t(f"rulebook.called.{game}")
        names += [plain_words(name) for name in listed_names.split(",")]
    return names
