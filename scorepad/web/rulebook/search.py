"""The search of the rulebook: the entries that answer a question, and the page of results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from flask import Response, request, url_for

from scorepad.i18n import LANGUAGES, Language, Words
from scorepad.i18n import words as catalogue
from scorepad.i18n.settings_in_words import variant_name
from scorepad.rules.variants import get_variant, own_variants, settle, variant_ids
from scorepad.schemas.variant_json import CLASSIC
from scorepad.web.base import page_words, render_page
from scorepad.web.rulebook import content
from scorepad.web.rulebook.index_entries import IndexEntry, SharedText, index_entries
from scorepad.web.rulebook.search_question import Query, parse_question
from scorepad.web.rulebook_links import anchor, game_url
from scorepad.web.text_search import (
    TextIndex,
    Tokens,
    action_word,
    plain_words,
    question_words,
    stems,
    without_repetitions,
)

LONGEST_QUESTION = 100
"""Characters."""
_MOST_FOUND = 10
_MOST_TEXTS = 3
"""Different texts of one entry."""
_MOST_NAMED = 3
"""Games named with a text; also the results on pages that add them to their own."""


class RulebookIndex(NamedTuple):
    """The entries in some games, and the index of their texts in the same order."""

    texts: TextIndex
    entries: tuple[IndexEntry, ...]

    def find_entries(
        self, similar_words: Mapping[str, Tokens], all_words: frozenset[str], action: str
    ) -> list[IndexEntry]:
        """The entries that answer a question, best first.

        `similar_words` has the content words of the question, each with known words to look for
        beside it; `all_words` are all its words; `action` is the verb that it is about, if any.
        """
        matches = self.texts.best_matches(
            similar_words, all_words, action=action, terms=_terms_of_names()
        )
        return [self.entries[match.position] for match in matches]


@lru_cache(maxsize=32)  # games by themselves and those that were asked about together
def _rulebook_index(games: tuple[str, ...], _changes_of_house_rules: int) -> RulebookIndex:
    """The index of some games, or of all if none are given.

    Misspelt words of a question are replaced by words of titles and of the glossary.
    """
    vocabulary = {language: _vocabulary_of(language) for language in LANGUAGES}
    entries = tuple(entry for entry in index_entries() if entry.texts_of(games))
    documents = [entry.document(games) for entry in entries]
    return RulebookIndex(TextIndex(documents, vocabulary), entries)


def _vocabulary_of(language: Language) -> set[str]:
    """The words of all titles and of the glossary in a language, without figures."""
    names = {entry.title(language) for entry in index_entries()}
    for word in content.glossary():
        names.add(content.other_names(word, catalogue(language)))
    vocabulary: set[str] = set()
    for name in names:
        for word in plain_words(name):
            if not word.isdecimal():
                vocabulary.add(word)
    return vocabulary


@cache
def _terms_of_names() -> Mapping[str, set[str]]:
    """For the stem of each name in the glossary, the stems of the terms that mean the same.

    The stem of `opening` has that of `apertura`. Names of several words are left out.
    """
    terms_of_stems: dict[str, set[str]] = {}
    for name in content.glossary():
        titles = []
        other_names = []
        for language in LANGUAGES:
            titles.append(catalogue(language).t(f"rulebook.word.{name}"))
            other_names += content.other_names(name, catalogue(language)).split(",")
        terms = _stems_of_single_words(titles)
        for stem in terms | _stems_of_single_words(other_names):
            terms_of_stems.setdefault(stem, set()).update(terms)
    return terms_of_stems


def _stems_of_single_words(texts: Iterable[str]) -> set[str]:
    """The stems of those texts that consist of one word."""
    found: set[str] = set()
    for text in texts:
        plain = plain_words(text)
        if len(plain) == 1:
            found |= stems(plain[0])
    return found


# ---------------------------------------------------------------- the search


class Hits(NamedTuple):
    """The answers to a question.

    `games` are the games that were searched, all if there are none. `entries` come best first.
    `replaced` are words that were looked for in place of misspelt ones, `unknown` words that no
    text has.
    """

    question: Query
    games: tuple[str, ...] = ()
    entries: tuple[IndexEntry, ...] = ()
    replaced: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def search_rulebook(text: str, within: str, language: Language) -> Hits:
    """Find the entries of the rulebook that answer a question.

    The question may name games, "opening in burraco"; else the game `within` is searched, or all
    games if that is empty. Unknown words are replaced by similar words of this language.
    """
    plain = question_words(text)
    question = parse_question(plain)
    if not question.words:  # it only names games
        entries = () if question.compares else _entries_of_games(question.games)
        return Hits(question, entries=entries)

    games = question.games
    if not games and within:
        games = (within,)
    sought_words = question.subject or question.names or question.words
    index_of_all_games = _rulebook_index((), own_variants().number).texts
    similar_words = index_of_all_games.similar_words(sought_words, language)
    unknown_words = _words_without_match(similar_words, index_of_all_games)

    index = _rulebook_index(games, own_variants().number)
    found = index.find_entries(similar_words, frozenset(plain), action_word(question.words))
    entries = _ordered_entries(found, games, question)
    replacements = _words_in_place_of_others(similar_words) if entries else ()
    return Hits(question, games, entries, replacements, unknown_words)


def _words_without_match(similar_words: Mapping[str, Tokens], index: TextIndex) -> Tokens:
    """The words of a question that no text has, and for which no similar words are known."""
    words_without_match = []
    for word, similar in similar_words.items():
        if not similar and not index.has_word(word):
            words_without_match.append(word)
    return tuple(words_without_match)


def _ordered_entries(
    found: list[IndexEntry], games: Collection[str], question: Query
) -> tuple[IndexEntry, ...]:
    """The entries to show for a question: the best of those found, and the games that it names.

    `games` are the games that were searched.
    """
    named_games = _entries_of_games(question.games)
    other_entries = [entry for entry in found if entry not in named_games]
    best_entries = _move_repetitions_to_end(other_entries[:_MOST_FOUND], games)
    return tuple(_add_named_games(best_entries, named_games, question))


def _add_named_games(
    found: list[IndexEntry], named_games: Sequence[IndexEntry], question: Query
) -> list[IndexEntry]:
    """The found entries with those of the games that a question names.

    The games come first if the question asks for nothing else. A comparison has its own result.
    """
    if question.games and not question.subject:
        return [*named_games, *found]
    if question.compares:
        return found
    return [*found, *named_games]


def _words_in_place_of_others(similar_words: Mapping[str, Tokens]) -> Tokens:
    """The words that were looked for in place of misspelt ones of a question, each once."""
    replacements: list[str] = []
    for similar in similar_words.values():
        replacements += similar
    return without_repetitions(replacements)


def _entries_of_games(games: Collection[str]) -> tuple[IndexEntry, ...]:
    """The entries that are these games as a whole."""
    found = []
    for entry in index_entries():
        if entry.kind == "game" and entry.texts[0].games[0] in games:
            found.append(entry)
    return tuple(found)


def _move_repetitions_to_end(found: list[IndexEntry], games: Collection[str]) -> list[IndexEntry]:
    """The found entries; those that only repeat sentences of earlier ones come last."""
    known_sentences: set[str] = set()
    new: list[IndexEntry] = []
    repetitions: list[IndexEntry] = []
    for entry in found:
        sentences = entry.sentences(games)
        if sentences and known_sentences.issuperset(sentences):
            repetitions.append(entry)
        else:
            new.append(entry)
        known_sentences |= sentences
    return new + repetitions


# ---------------------------------------------------------------- the page


class SearchAnswer(NamedTuple):
    """A text with its games, its anchor on their pages, and its texts under other choices."""

    text: str
    games: list[str]
    anchor: str | None
    alternatives: list[str]


class SearchResult(NamedTuple):
    """An entry that answers a question, as the page shows it."""

    kind: str
    title: str
    url: str
    answers: list[SearchAnswer]


def show_search() -> Response:
    """The page with the answers to a question (`testo`), in one game (`gioco`) or in all."""
    words = page_words()
    text = " ".join(request.args.get("testo", "").split())[:LONGEST_QUESTION]
    within = request.args.get("gioco", "")
    if within not in variant_ids():
        within = ""
    hits = search_rulebook(text, within, words.language)
    count = len(hits.entries)
    if hits.question.compares:
        count += 1  # the link to the comparison
    return render_page(
        "rulebook/search.html",
        title=words.t("rulebook.search.title"),
        asked=text,
        within=within,
        result=hits,
        unknown=[words.t("web.heading", heading=word) for word in hits.unknown],
        compared=_games_to_compare(hits.question.games),
        found=[_search_result(entry, hits, words) for entry in hits.entries],
        count=count,
        most_named=_MOST_NAMED,
        game_names={game: variant_name(get_variant(game), words) for game in variant_ids()},
    )


def _games_to_compare(named_games: Sequence[str]) -> tuple[str, str]:
    """The two games that the page of results offers to compare: the first two of a question.

    One game is compared with the classic one. The classic game twice stands for the page on which
    the reader chooses two games.
    """
    if not named_games:
        return CLASSIC, CLASSIC
    if len(named_games) == 1:
        return CLASSIC, named_games[0]
    return named_games[0], named_games[1]


def rulebook_answers(text: str, game: str) -> list[SearchResult]:
    """The first results of the rulebook for a question in a game, to be added to another page."""
    words = page_words()
    hits = search_rulebook(text, game, words.language)
    return [_search_result(entry, hits, words) for entry in hits.entries[:_MOST_NAMED]]


def _search_result(entry: IndexEntry, hits: Hits, words: Words) -> SearchResult:
    """An entry as the page shows it, with its texts in the games that were searched.

    With a word of the glossary comes the rule that has its figure.
    """
    games = hits.games if entry.kind != "game" else ()
    texts = entry.texts_of(games)
    answers = [_search_answer(entry, text, hits, words) for text in texts[:_MOST_TEXTS]]
    rule = _rule_of_entry(entry)
    if rule:
        for text in rule.texts_of(games)[:1]:
            answers.append(_search_answer(rule, text, hits, words))

    shared_games = _games_among(texts[0], games)
    if shared_games:
        url = game_url(shared_games[0], anchor=entry.anchor)
    else:
        url = url_for("rulebook.glossary", _anchor=entry.anchor)
    title = entry.title(words.language)
    return SearchResult(entry.kind, title, url, _without_repeated_alternatives(answers))


def _rule_of_entry(word: IndexEntry) -> IndexEntry | None:
    """The rule that is shown with a word of the glossary; None if there is none."""
    if word.rule is None:
        return None
    for entry in index_entries():
        if entry.anchor == word.rule:
            return entry
    return None


def _without_repeated_alternatives(answers: list[SearchAnswer]) -> list[SearchAnswer]:
    """The answers, each without the texts under other choices that an earlier one has."""
    shown = []
    shown_before: set[str] = set()
    for answer in answers:
        new = [text for text in answer.alternatives if text not in shown_before]
        shown_before.update(answer.alternatives)
        shown.append(answer._replace(alternatives=new))
    return shown


def _games_among(text: SharedText, games: Collection[str]) -> list[str]:
    """The games that have a text, among these; all of them if no games are given."""
    return [game for game in text.games if not games or game in games]


def _search_answer(entry: IndexEntry, text: SharedText, hits: Hits, words: Words) -> SearchAnswer:
    """One text of an entry as the page shows it, with the searched games that share it."""
    text_in_language = text.by_language[words.language]
    if entry.kind == "game":  # its title names the game
        return SearchAnswer(text_in_language, games=[], anchor=None, alternatives=[])

    games = _games_among(text, hits.games)
    score = hits.question.score
    if score is not None and entry.anchor == anchor("rule", content.OPENING_STEPS):
        minimum_text = _opening_at_score(score, games[0], words)
        text_in_language = f"{minimum_text} {text_in_language}"
    alternatives: tuple[str, ...] = ()
    if games:  # those of the first game are enough, as its rule is the same in the others
        part_of_game = entry.parts[games[0]][words.language]
        alternatives = without_repetitions(part_of_game.alternatives)
    return SearchAnswer(text_in_language, games, entry.anchor, list(alternatives))


def _opening_at_score(score: int, game: str, words: Words) -> str:
    """The points that a side at this score must lay first in a hand of a game, as a sentence."""
    minimum = settle(game).settings.opening_minimum(score, 1) or 0
    return words.t("rulebook.search.opening-at", score=score, minimum=minimum)
