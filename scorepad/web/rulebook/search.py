"""The search of the rulebook: the entries that answer a question, and the page of results."""

from __future__ import annotations

from collections import defaultdict
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
    QuestionToFind,
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
"""Games named with a text."""
_MOST_ON_OTHER_PAGES = 3
"""Results on a page that adds them to its own."""
_ALL_GAMES: tuple[str, ...] = ()
"""In place of the games to search: all of them."""


class RulebookIndex(NamedTuple):
    """The entries in some games, and the index of their texts, which are in the same order."""

    texts: TextIndex
    entries: tuple[IndexEntry, ...]

    def find_entries(self, question: QuestionToFind) -> list[IndexEntry]:
        """Find the entries that answer a question, best first."""
        # The texts have the same positions as the entries that they belong to.
        return [self.entries[match.position] for match in self.texts.find_matches(question)]


def _find_index(games: tuple[str, ...]) -> RulebookIndex:
    """Return the search index of some games, or of all if none are given; it is kept in a cache."""
    return _make_index(games, own_variants().number)


@lru_cache(maxsize=32)  # games by themselves and those that were asked about together
def _make_index(games: tuple[str, ...], _number_of_house_rules: int) -> RulebookIndex:
    """Make the search index of some games, or of all if none are given.

    The number is only the key of the cache: it grows whenever house rules change, so that the index
    is then made anew.
    """
    entries = []
    documents = []
    for entry in index_entries():
        has_text_in_games = bool(entry.texts_of(games))
        if has_text_in_games:
            entries.append(entry)
            documents.append(entry.document(games))
    # Misspelt words of a question are replaced by words of these vocabularies.
    vocabulary_by_language = {language: _collect_vocabulary(language) for language in LANGUAGES}
    return RulebookIndex(TextIndex(documents, vocabulary_by_language), tuple(entries))


def _collect_vocabulary(language: Language) -> set[str]:
    """Collect the words of all titles and of the glossary in a language, without numbers.

    The title "Cards drawn" gives `cards` and `drawn`.
    """
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
def _map_stems_to_synonyms() -> Mapping[str, set[str]]:
    """Map the stem of each name in the glossary to the stems of the words that mean the same.

    A deal is called hand in English and smazzata in Italian: `{"deal": {"hand", "smazzata", …}, …}`.
    Names of several words are left out.
    """
    synonyms_by_stem: defaultdict[str, set[str]] = defaultdict(set)
    for word in content.glossary():
        terms = _list_terms_in_all_languages(word)
        names = [*terms, *_list_other_names_in_all_languages(word)]
        stems_of_terms = _collect_stems_of_single_words(terms)
        for stem in _collect_stems_of_single_words(names):
            synonyms_by_stem[stem] |= stems_of_terms
    return dict(synonyms_by_stem)


def _list_terms_in_all_languages(word: str) -> list[str]:
    """List the term for a word of the glossary in each language: `["apertura", "opening"]`."""
    return [catalogue(language).t(f"rulebook.word.{word}") for language in LANGUAGES]


def _list_other_names_in_all_languages(word: str) -> list[str]:
    """List the other names that a word of the glossary has, in all languages."""
    names: list[str] = []
    for language in LANGUAGES:
        listed_names = content.other_names(word, catalogue(language))
        names += listed_names.split(",")
    return names


def _collect_stems_of_single_words(texts: Iterable[str]) -> set[str]:
    """Collect the stems of those texts that are a single word; other texts are left out."""
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

    @property
    def number_found(self) -> int:
        """Count the answers; the link to a comparison of games is one too."""
        if self.question.compares:
            return len(self.entries) + 1
        return len(self.entries)


def search_rulebook(text: str, within: str, language: Language) -> Hits:
    """Find the entries of the rulebook that answer a question typed by the user.

    "opening in samba" searches the game samba. If the question names no game, the game `within`
    is searched, or all games if that is empty. Misspelt words are replaced by similar words of this
    language.
    """
    typed_words = question_words(text)
    question = parse_question(typed_words)
    if not question.words:
        return _find_named_games(question)

    # A misspelt word may be similar to one that is known from any game.
    index_of_all_games = _find_index(_ALL_GAMES).texts
    words_to_look_for = _choose_words_to_look_for(question)
    similar_words = index_of_all_games.similar_words(words_to_look_for, language)

    question_to_find = QuestionToFind(
        words=similar_words,
        typed_words=frozenset(typed_words),
        action=action_word(question.words),
        synonyms=_map_stems_to_synonyms(),
    )
    games = _choose_games_to_search(question, within)
    found = _find_index(games).find_entries(question_to_find)
    entries = _choose_entries_to_show(found, games, question)
    return Hits(
        question=question,
        games=games,
        entries=entries,
        replaced=_list_replacements(similar_words) if entries else (),
        unknown=_list_words_without_match(similar_words, index_of_all_games),
    )


def _choose_games_to_search(question: Query, within: str) -> tuple[str, ...]:
    """Choose the games to search: those that a question names, or the game `within`, or all games."""
    if question.games:
        return question.games
    if within:
        return (within,)
    return _ALL_GAMES


def _choose_words_to_look_for(question: Query) -> Tokens:
    """Choose the words by which the entries for a question are found.

    - "the opening in samba" → `opening`
    - "samba" → the name of the game, as there are no other words
    - "the" → `the`, as there is nothing else
    """
    if question.subject:
        return question.subject
    if question.names:
        return question.names
    return question.words


def _find_named_games(question: Query) -> Hits:
    """Answer a question that only names games, by these games or by a link to compare them.

    The page of results offers the comparison itself, so there are no entries for it.
    """
    if question.compares:
        return Hits(question)
    return Hits(question, entries=_find_entries_of_games(question.games))


def _list_words_without_match(similar_words: Mapping[str, Tokens], index: TextIndex) -> Tokens:
    """List the words of a question that no text has, and for which no similar words are known.

    `similar_words` has all words of the question, each with the similar ones: `{"opning":
    ("opening",)}`.
    """
    words_without_match = []
    for word, similar in similar_words.items():
        if not similar and not index.has_word(word):
            words_without_match.append(word)
    return tuple(words_without_match)


def _choose_entries_to_show(
    best_first: list[IndexEntry], games: Collection[str], question: Query
) -> tuple[IndexEntry, ...]:
    """Choose the ten best of the entries found, and add the games that the question names.

    `games` are the games that were searched.
    """
    named_games = _find_entries_of_games(question.games)
    other_entries = [entry for entry in best_first if entry not in named_games]
    best_entries = other_entries[:_MOST_FOUND]
    # Entries that say nothing new come after all that say something.
    in_order = _move_repetitions_to_end(best_entries, games)
    return tuple(_add_named_games(in_order, named_games, question))


def _add_named_games(
    found: list[IndexEntry], named_games: Sequence[IndexEntry], question: Query
) -> list[IndexEntry]:
    """Add to the found entries those of the games that a question names.

    - "samba", which asks for nothing else → they come first
    - "samba or bolivia" → they are not added, because a comparison has a link of its own
    - "opening in samba" → they come last
    """
    asks_for_games_only = question.games and not question.subject
    if asks_for_games_only:
        return [*named_games, *found]
    if question.compares:
        return found
    return [*found, *named_games]


def _list_replacements(similar_words: Mapping[str, Tokens]) -> Tokens:
    """List the words that were looked for in place of misspelt ones of a question, each once.

    `{"opning": ("opening",), "pile": ()}` → `("opening",)`.
    """
    replacements: list[str] = []
    for similar in similar_words.values():
        replacements += similar
    return without_repetitions(replacements)


def _find_entries_of_games(games: Collection[str]) -> tuple[IndexEntry, ...]:
    """Find the entries that stand for these games as a whole, such as the one of samba."""
    found = []
    for entry in index_entries():
        if entry.kind != "game":
            continue
        first_game = next(iter(entry.parts))  # others only if house rules have the same name
        if first_game in games:
            found.append(entry)
    return tuple(found)


def _move_repetitions_to_end(found: list[IndexEntry], games: Collection[str]) -> list[IndexEntry]:
    """Move the entries that only repeat sentences of earlier ones to the end of the list.

    `games` are the games that were searched: only what the entries say in these games counts.
    """
    known_sentences: set[str] = set()
    new: list[IndexEntry] = []
    repetitions: list[IndexEntry] = []
    for entry in found:
        sentences = entry.sentences(games)
        says_nothing_new = known_sentences.issuperset(sentences)
        if sentences and says_nothing_new:
            repetitions.append(entry)
        else:
            new.append(entry)
        known_sentences |= sentences
    return new + repetitions


# ---------------------------------------------------------------- the page


class GamePlace(NamedTuple):
    """The place of a text on the page of a game: the name of the game, and the address."""

    game: str
    url: str


class ComparisonLink(NamedTuple):
    """A link to a comparison of two games."""

    title: str
    url: str


class SearchAnswer(NamedTuple):
    """A text with its places on the pages of games, and its texts under other choices.

    `further_games` says in how many games it stands besides: "and 3 more"; empty for none.
    """

    text: str
    places: list[GamePlace]
    further_games: str
    alternatives: list[str]


class SearchResult(NamedTuple):
    """An entry that answers a question, as the page shows it."""

    kind: str
    title: str
    url: str
    answers: list[SearchAnswer]


def show_search() -> Response:
    """Show the page with the answers to a question to the rulebook, in one game or in all."""
    words = page_words()
    question_text = _read_question_of_url()
    game = _read_game_of_url()
    hits = search_rulebook(question_text, game, words.language)
    unknown_in_quotes = [words.t("web.heading", heading=word) for word in hits.unknown]
    return render_page(
        "rulebook/search.html",
        title=words.t("rulebook.search.title"),
        asked=question_text,
        game=game,
        game_name=variant_name(get_variant(game), words) if game else "",
        number_found=hits.number_found,
        replaced=hits.replaced,
        unknown=unknown_in_quotes,
        comparison=_make_comparison_link(hits.question, words),
        results=_prepare_results(hits, words),
    )


def _read_question_of_url() -> str:
    """Read the question in the URL parameter `testo` ("text"), cut if it is very long."""
    text = request.args.get("testo", "")
    return " ".join(text.split())[:LONGEST_QUESTION]


def _read_game_of_url() -> str:
    """Read the game to search from the URL parameter `gioco` ("game"); empty stands for all."""
    game = request.args.get("gioco", "")
    if game not in variant_ids():
        return ""
    return game


def _choose_games_to_compare(named_games: Sequence[str]) -> tuple[str, str]:
    """Choose the two games that the page of results offers to compare: the first two named.

    One game is compared with the classic one. If none is named, the classic game twice stands for
    the page on which the reader chooses two games.
    """
    if not named_games:
        return CLASSIC, CLASSIC
    if len(named_games) == 1:
        return CLASSIC, named_games[0]
    return named_games[0], named_games[1]


def _make_comparison_link(question: Query, words: Words) -> ComparisonLink | None:
    """Make the link to a comparison if a question asks for one; None if it does not.

    It leads to the comparison of the games that the question names, or to the page on which the
    reader chooses two.
    """
    if not question.compares:
        return None
    one, other = _choose_games_to_compare(question.games)
    if one == other:
        return ComparisonLink(words.t("rulebook.compare.title"), url_for("rulebook.compare"))
    title = words.t(
        "rulebook.compare.of",
        one=variant_name(get_variant(one), words),
        other=variant_name(get_variant(other), words),
    )
    return ComparisonLink(title, url_for("rulebook.compare", uno=one, altro=other))


def search_first_results(text: str, game: str) -> list[SearchResult]:
    """Search the rulebook of a game, and return the first three results.

    The first page of the referee shows them below its own.
    """
    words = page_words()
    hits = search_rulebook(text, game, words.language)
    first_hits = hits._replace(entries=hits.entries[:_MOST_ON_OTHER_PAGES])
    return _prepare_results(first_hits, words)


def _prepare_results(hits: Hits, words: Words) -> list[SearchResult]:
    """Prepare the entries that answer a question for the page."""
    results = []
    for entry in hits.entries:
        if entry.kind == "game":
            results.append(_prepare_result_of_game(entry, words))
        else:
            results.append(_prepare_result(entry, hits, words))
    return results


def _prepare_result_of_game(entry: IndexEntry, words: Words) -> SearchResult:
    """Prepare the entry of a whole game for the page: its name, and what is special in it."""
    answers = []
    for text in entry.texts[:_MOST_TEXTS]:  # several only if house rules have the same name
        special = text.by_language[words.language]
        answers.append(SearchAnswer(special, places=[], further_games="", alternatives=[]))
    first_game = entry.texts[0].games[0]
    return SearchResult(entry.kind, entry.title(words.language), game_url(first_game), answers)


def _prepare_result(entry: IndexEntry, hits: Hits, words: Words) -> SearchResult:
    """Prepare a rule, a penalty or the like for the page, with its texts in the searched games.

    At most three different texts are shown. A word of the glossary, such as "opening", also has the
    text of the rule with the number that belongs to it.
    """
    texts = entry.texts_of(hits.games)
    answers = [_prepare_answer(entry, text, hits, words) for text in texts[:_MOST_TEXTS]]
    answers += _prepare_answers_of_rule(entry, hits, words)
    return SearchResult(
        kind=entry.kind,
        title=entry.title(words.language),
        url=_make_url_of_entry(entry, texts[0], hits.games),
        answers=_remove_repeated_alternatives(answers),
    )


def _make_url_of_entry(entry: IndexEntry, text: SharedText, games: Collection[str]) -> str:
    """Return the URL of an entry with this text.

    - a rule and the like → its place on the page of the first of these games that has the text, or
      of the first of all games if none are given
    - a word of the glossary, which belongs to no game → its place in the glossary
    """
    games_with_text = _select_games_with_text(text, games)
    if not games_with_text:
        return url_for("rulebook.glossary", _anchor=entry.anchor)
    return game_url(games_with_text[0], anchor=entry.anchor, unfolded=entry.is_folded_away)


def _prepare_answers_of_rule(word: IndexEntry, hits: Hits, words: Words) -> list[SearchAnswer]:
    """Prepare the rule that is shown with a word of the glossary: a list of one text.

    It is the first text that the rule has in the searched games. The list is empty if the entry has
    no such rule, or if none of the games has it.
    """
    rule = _find_rule_of_entry(word)
    if rule is None:
        return []
    texts = rule.texts_of(hits.games)
    if not texts:
        return []
    return [_prepare_answer(rule, texts[0], hits, words)]


def _find_rule_of_entry(word: IndexEntry) -> IndexEntry | None:
    """Find the rule that is shown with a word of the glossary; None if there is none."""
    if word.rule is None:
        return None
    for entry in index_entries():
        if entry.anchor == word.rule:
            return entry
    return None


def _remove_repeated_alternatives(answers: list[SearchAnswer]) -> list[SearchAnswer]:
    """Remove from each answer those alternatives that an earlier answer shows too.

    Alternatives are the texts that a rule has when players choose other options of the game.
    """
    result = []
    shown_before: set[str] = set()
    for answer in answers:
        new = [text for text in answer.alternatives if text not in shown_before]
        shown_before.update(new)
        result.append(answer._replace(alternatives=new))
    return result


def _select_games_with_text(text: SharedText, games: Collection[str]) -> list[str]:
    """List those of these games that have a text; all games that have it if none are given."""
    return [game for game in text.games if not games or game in games]


def _prepare_answer(entry: IndexEntry, text: SharedText, hits: Hits, words: Words) -> SearchAnswer:
    """Prepare one text of an entry for the page, with the searched games that share it."""
    shown_text = text.by_language[words.language]
    games = _select_games_with_text(text, hits.games)
    # "With 1,500 points you need 90 to open." before the rule, if the question names a score
    minimum_text = _say_opening_if_asked(entry, hits.question, games, words)
    if minimum_text:
        shown_text = f"{minimum_text} {shown_text}"
    return SearchAnswer(
        text=shown_text,
        places=[_make_place(game, entry, words) for game in games[:_MOST_NAMED]],
        further_games=_say_number_of_further_games(games, words),
        alternatives=_list_alternatives(games, entry, words),
    )


def _make_place(game: str, entry: IndexEntry, words: Words) -> GamePlace:
    """Make the link to an entry on the page of a game."""
    name = variant_name(get_variant(game), words)
    url = game_url(game, anchor=entry.anchor, unfolded=entry.is_folded_away)
    return GamePlace(name, url)


def _say_number_of_further_games(games: Sequence[str], words: Words) -> str:
    """Say how many of these games are not named: "and 3 more". Empty if all are."""
    number = len(games) - _MOST_NAMED
    if number <= 0:
        return ""
    return words.plural("rulebook.search.more", number)


def _say_opening_if_asked(
    entry: IndexEntry, question: Query, games: list[str], words: Words
) -> str:
    """Say what the first cards of a side must count at the score that a question names.

    "opening at 1500" → "With 1,500 points you need 90 to open.", by the rules of the first of the
    games. The text is empty if the question names no score, or if the entry is not the rule about
    these minimums.
    """
    is_rule_of_minimums = entry.anchor == anchor("rule", content.OPENING_STEPS)
    if question.score is None or not is_rule_of_minimums:
        return ""
    return _say_opening_at_score(question.score, games[0], words)


def _list_alternatives(games: list[str], entry: IndexEntry, words: Words) -> list[str]:
    """List the texts that an entry has when players choose other rules.

    They are those in the first of these games: the entry reads the same in the others. The list is
    empty without a game.
    """
    if not games:
        return []
    part_of_game = entry.parts[games[0]][words.language]
    return list(without_repetitions(part_of_game.alternatives))


def _say_opening_at_score(score: int, game: str, words: Words) -> str:
    """Say how many points a side at this score must lay first in a hand (round) of a game.

    In some games the minimum depends on the number of the hand instead: then it is that of the
    first hand. If a side may lay any cards first, the minimum is 0.
    """
    rules = settle(game)  # the game with all options at their defaults
    minimum = rules.settings.opening_minimum(score, deal=1)
    if minimum is None:
        minimum = 0
    return words.t("rulebook.search.opening-at", score=score, minimum=minimum)
