"""The search: the index of the rulebook, question parsing, and the page of results.

Text common to several games is one entry of the index.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from flask import Response, request, url_for

from scorepad.i18n import LANGUAGES, Language, Words
from scorepad.i18n import words as catalogue
from scorepad.i18n.rule_sentences import CHAPTERS, rule_name, rule_text, sentence, statement_name
from scorepad.i18n.settings_in_words import value_word, variant_name, variant_special
from scorepad.referee.penalties import irregularities
from scorepad.rules.definitions import Variant
from scorepad.rules.variants import (
    get_variant,
    own_variants,
    settle,
    statements_of,
    variant_ids,
)
from scorepad.schemas.variant_json import CLASSIC
from scorepad.web import text_search
from scorepad.web.base import page_words, render_page
from scorepad.web.citations import source_name
from scorepad.web.rule_choices import ChosenRules, in_book
from scorepad.web.rulebook import content
from scorepad.web.rulebook_links import anchor, game_url
from scorepad.web.text_search import (
    TextIndex,
    Tokens,
    asked_words,
    make_document,
    plain_words,
    stems,
    stems_of,
    stop_words,
    with_synonyms,
)

# ---------------------------------------------------------------- the entries

# The weights of the texts of an entry.
_TITLE = 6.0
_NAME = 5.0
_BODY = 2.0
_UNDER_OTHER_CHOICES = 1.5
_FACTORS: Mapping[str, float] = {
    "rule": 1.0,
    "penalty": 1.0,
    "section": 0.9,
    "problem": 0.9,
    "word": 0.9,
    "game": 0.9,
    "item": 0.8,
    "statement": 0.9,
    "choice": 0.6,
}
"""The factor of each kind of entry: rules come first."""
_NOT_CLASSIC = 0.9
"""The factor of rules missing in the classic game, if the question names no game."""
_EVERY_GAME = ""
"""In place of a game, for a word of the glossary: it is the same in all."""


class IndexText(NamedTuple):
    """An entry on the page of one game, in one language."""

    kind: str
    anchor: str | None
    title: str
    text: str
    names: str = ""
    """Other names and questions, separated by commas."""
    others: tuple[str, ...] = ()
    """The text under other choices."""


class Text(NamedTuple):
    """The text of an entry in some games, by language; a word of the glossary has no games."""

    games: tuple[str, ...]
    by_language: Mapping[Language, str]


TextInLanguages = dict[Language, IndexText]


@dataclass(frozen=True)
class IndexEntry:
    """An entry of the index: a rule, a penalty, a word; its parts by game and language.

    `rule`: the anchor of the rule shown with a word of the glossary.
    """

    kind: str
    anchor: str | None
    parts: Mapping[str, TextInLanguages]
    rule: str | None = None

    def title(self, language: Language) -> str:
        """Its title, which is the same in all games."""
        return next(iter(self.parts.values()))[language].title

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """Its texts, each with the games that share it."""
        games_by_text: dict[tuple[str, ...], list[str]] = {}
        for game, parts in self.parts.items():
            texts = tuple(parts[language].text for language in LANGUAGES)
            games = games_by_text.setdefault(texts, [])
            if game != _EVERY_GAME:
                games.append(game)
        shared_texts = []
        for texts, games in games_by_text.items():
            by_language = dict(zip(LANGUAGES, texts, strict=True))
            shared_texts.append(Text(tuple(games), by_language))
        return tuple(shared_texts)

    def texts_of(self, games: Collection[str]) -> list[Text]:
        """Its texts in some games; all if no games are given."""
        if not games:
            return list(self.texts)
        texts = []
        for text in self.texts:
            is_in_every_game = not text.games
            if is_in_every_game or not set(games).isdisjoint(text.games):
                texts.append(text)
        return texts

    def sentences(self, games: Collection[str]) -> frozenset[str]:
        """All its sentences in some games, in any language."""
        sentences: set[str] = set()
        for text in self.texts_of(games):
            sentences.update(filter(None, text.by_language.values()))
        return frozenset(sentences)

    def document(self, games: Collection[str]) -> text_search.Document:
        """The index document of some games; of all if no games are given."""
        weighted = {(text, _BODY) for text in self.sentences(games)}
        for language in LANGUAGES:
            weighted.add((self.title(language), _TITLE))
        for game, by_language in self.parts.items():
            if games and game not in games:
                continue
            for part in by_language.values():
                for text in part.others:
                    weighted.add((text, _UNDER_OTHER_CHOICES))
        names = self._names()
        for name in names:
            weighted.add((name, _NAME))

        factor = _FACTORS[self.kind]
        is_whole_game = self.anchor is None
        if not (games or is_whole_game or self.texts_of((CLASSIC,))):
            factor *= _NOT_CLASSIC
        return make_document(weighted, names, factor)

    def _names(self) -> set[str]:
        """Its titles, other names and questions, in all games and languages."""
        names: set[str] = set()
        for by_language in self.parts.values():
            for part in by_language.values():
                names.update(part.names.split(","))
                if part.kind != "statement":  # the title of a statement is that of its rule
                    names.add(part.title)
        return names


def entries() -> tuple[IndexEntry, ...]:
    return _cached_entries(own_variants().number)


@lru_cache(maxsize=1)
def _cached_entries(_own: int) -> tuple[IndexEntry, ...]:
    """The entries; `_own` counts the changes of the house rules."""
    parts_of_entries: dict[_EntryKey, dict[str, TextInLanguages]] = {}
    for game in variant_ids():
        for in_languages in _parts_in_languages(get_variant(game)):
            part = in_languages[LANGUAGES[0]]
            game_title = part.title if part.kind == "game" else ""
            key = _EntryKey(part.kind, part.anchor, game_title)
            parts_of_entries.setdefault(key, {})[game] = in_languages

    entries = []
    for key, parts in parts_of_entries.items():
        entries.append(IndexEntry(key.kind, key.anchor, parts))
    for name, word in content.glossary().items():
        in_languages = {language: _word(name, catalogue(language)) for language in LANGUAGES}
        parts = {_EVERY_GAME: in_languages}
        entries.append(IndexEntry("word", anchor("word", name), parts, _rule_of_word(word)))
    return tuple(entries)


class _EntryKey(NamedTuple):
    """What parts of one entry have in common in all games. Games have no anchor, but a title each."""

    kind: str
    anchor: str | None
    game_title: str


def _parts_in_languages(variant: Variant) -> Iterator[TextInLanguages]:
    """Everything on the page of a game, each part in all languages."""
    columns = [_parts(variant, catalogue(language).with_rules(variant)) for language in LANGUAGES]
    for parts in zip(*columns, strict=True):
        yield dict(zip(LANGUAGES, parts, strict=True))


def _rule_of_word(word: Mapping[str, str]) -> str | None:
    """The anchor of the rule or statement that the glossary names for a word."""
    for kind in ("rule", "statement"):
        if kind in word:
            return anchor(kind, word[kind])
    return None


def _word(name: str, words: Words) -> IndexText:
    """A word of the glossary; it is also found by questions for its meaning."""
    title = words.t(f"rulebook.word.{name}")
    names = [content.other_names(name, words)]
    for question in words.t("rulebook.search.defines").split(","):
        names.append(f"{question} {title}")
    return IndexText(
        kind="word",
        anchor=anchor("word", name),
        title=title,
        text=words.t(f"rulebook.word.{name}.means"),
        names=",".join(names),
    )


def _parts(variant: Variant, words: Words) -> Iterator[IndexText]:
    """Everything on the page of a game, in one language; the same parts in the same order in every
    language.
    """
    chosen = ChosenRules(variant)
    yield IndexText(
        kind="game",
        anchor=None,
        title=variant_name(variant, words),
        text=variant_special(variant, words),
        names=f"{words.t(f'rulebook.called.{variant.id}')}, {variant.id}",
    )
    for section in CHAPTERS:
        title = words.t(f"rulebook.section.{section}")
        yield IndexText("section", anchor("section", section), title, "")
    for keys in CHAPTERS.values():
        for key in keys:
            if in_book(key, variant, words):
                yield _text_of_rule(key, chosen, words)
    for statement in statements_of(variant):
        if statement.after is None or in_book(statement.after, variant, words):
            yield IndexText(
                kind="statement",
                anchor=anchor("statement", statement.id),
                title=statement_name(statement, words),
                text=content.statement_text(statement, words),
                names=_names(statement.id, words, "statement."),
            )
    for option in variant.options.values():
        values = [value_word(option.id, each.value, words) for each in variant.values_of(option)]
        yield IndexText(
            kind="choice",
            anchor=anchor("option", option.id),
            title=words.t(f"option.{option.id}"),
            text="; ".join(values),
            names=option.id,
        )
    for penalty in irregularities(chosen.rules):
        yield IndexText(
            kind="penalty",
            anchor=anchor("penalty", penalty.code),
            title=words.t(f"penalty.{penalty.code}"),
            text=content.penalty_text(penalty, words),
            names=_names(penalty.code, words, "penalty."),
        )
    for check in content.check_items(chosen, words):
        yield _text_of_item("problem", check)
    for line in content.score_line_items(chosen, words):
        yield _text_of_item("item", line)


def _text_of_rule(key: str, chosen: ChosenRules, words: Words) -> IndexText:
    others = []
    for choice in content.alternative_choices(key, chosen):
        others.append(_rule_with_sources(key, choice.current_variant, words))
    return IndexText(
        kind="rule",
        anchor=anchor("rule", key),
        title=rule_name(key, words),
        text=rule_text(key, chosen.variant, words),
        names=_names(key, words),
        others=tuple(others),
    )


def _text_of_item(kind: str, item: content.Item) -> IndexText:
    """A check or a score line, with the first of the rules behind it."""
    texts = [item.explanation]
    if item.rules:
        texts.append(item.rules[0].text)
    text = " ".join(text for text in texts if text)
    return IndexText(kind, item.anchor, item.name, text, names=item.code)


def _names(name: str, words: Words, kind: str = "") -> str:
    """The id of an entry, and the questions that people ask about it."""
    questions = f"rulebook.asked.{kind}{name}"
    if not words.has(questions):
        return name
    return f"{name}, {words.t(questions)}"


def _rule_with_sources(key: str, variant: Variant, words: Words) -> str:
    text = sentence(key, variant, words)
    citations = variant.settings[key].cited.citations
    sources = dict.fromkeys(source_name(citation.source, words) for citation in citations)
    if not sources:
        return text
    return f"{text} ({', '.join(sources)})"


# ---------------------------------------------------------------- the question

_LEAST_SCORE = 250
"""Points. A smaller figure in a question about the opening is a minimum, any other the score of a
side.
"""
_ANY_GAME = "canasta"
"""A name that says nothing about which game is meant."""


class Query(NamedTuple):
    """A question: the games that it names, the words of those names, and its other words as the
    rules have them.

    `score`: it asks for the opening minimum at this score. `compares`: it asks for a comparison.
    """

    games: tuple[str, ...]
    names: Tokens
    words: Tokens
    score: int | None = None
    compares: bool = False

    @property
    def content_words(self) -> Tokens:
        """Its words without the stop words."""
        return tuple(word for word in dict.fromkeys(self.words) if word not in stop_words())


def parse_question(plain: Tokens) -> Query:
    """The meaning of a question in plain words."""
    games = []
    positions_of_names: set[int] = set()
    game_names = text_search.phrases_in(plain, _game_names(own_variants().number))
    for start, (length, game) in sorted(game_names.items()):
        games.append(game)
        positions_of_names.update(range(start, start + length))
    names = []
    other_words = []
    for position, word in enumerate(plain):
        if position in positions_of_names:
            names.append(word)
        else:
            other_words.append(word)
    question = Query(
        games=tuple(dict.fromkeys(games)),
        names=tuple(names),
        words=with_synonyms(tuple(other_words)),
    )

    compare_words = {word for word in other_words if _is_word_of("rulebook.search.compare", word)}
    ignored = compare_words | stop_words() | {_ANY_GAME}
    subject = tuple(word for word in question.words if word not in ignored)
    asks_difference = bool(compare_words) and bool(games or not subject)
    if asks_difference or len(question.games) > 1:
        return question._replace(compares=True, words=subject)

    score = _score_in(other_words)
    is_about_opening = any(_is_word_of("rulebook.search.opening", word) for word in question.words)
    if score is None or not is_about_opening:
        return question
    opening = catalogue(LANGUAGES[0]).t(f"setting.{content.OPENING_STEPS}")
    return question._replace(score=score, words=plain_words(opening))


def _is_word_of(key: str, word: str) -> bool:
    """Whether a word is one of those in a message of the catalogue, in any inflection."""
    return not stems(word).isdisjoint(stems_of(key))


def _score_in(plain: Sequence[str]) -> int | None:
    """The score of a side in a question about the opening: a figure larger than a minimum, or one
    below zero.
    """
    is_below_zero = False
    for word in plain:
        if word.isdecimal() and is_below_zero:
            return -int(word)
        if word.isdecimal() and int(word) >= _LEAST_SCORE:
            return int(word)
        if _is_word_of("search.below", word):
            is_below_zero = True
    return None


@lru_cache(maxsize=1)
def _game_names(_own: int) -> text_search.Phrases:
    """The names of every game in all languages, also written as one word."""
    names: dict[Tokens, str] = {}
    joined_names: dict[Tokens, str] = {}
    for game in variant_ids():
        for language in LANGUAGES:
            for name in catalogue(language).t(f"rulebook.called.{game}").split(","):
                plain = plain_words(name)
                names[plain] = game
                joined_names[("".join(plain),)] = game
    return joined_names | names


# ---------------------------------------------------------------- the search

LONGEST_QUESTION = 100
"""Characters."""
_MOST_FOUND = 10
_MOST_TEXTS = 3
"""Different texts of one entry."""
_MOST_NAMED = 3
"""Games named with a text; also the results on pages that add them to their own."""


class Hits(NamedTuple):
    """The entries that answer a question, best first, the words that replaced others, and the
    unknown words.
    """

    question: Query
    games: tuple[str, ...] = ()
    entries: tuple[IndexEntry, ...] = ()
    replaced: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def search_rulebook(text: str, within: str, language: Language) -> Hits:
    """The answers to a question about the games that it names, else about the game `within`, else
    about all.

    An unknown word is replaced by similar words of this language.
    """
    plain = asked_words(text)
    question = parse_question(plain)
    named_games = _entries_of_games(question.games)
    if not question.words:
        return Hits(question, entries=() if question.compares else named_games)

    games = question.games
    if not games and within:
        games = (within,)
    own_rules = own_variants().number
    index = _rulebook_index(games, own_rules)
    index_of_all_games = _rulebook_index((), own_rules)
    wanted = question.content_words or question.names or question.words
    similar = index_of_all_games.texts.similar(wanted, language)
    found = index.find(similar, frozenset(plain), action=text_search.action_of(question.words))
    found = [entry for entry in found if entry not in named_games]
    found = _repeats_last(found[:_MOST_FOUND], games)
    if question.games and not question.content_words:
        found = [*named_games, *found]
    elif not question.compares:
        found += named_games

    replacements: dict[str, None] = {}
    unknown = []
    for word, similar_words in similar.items():
        replacements |= dict.fromkeys(similar_words)
        if not similar_words and not index_of_all_games.texts.knows(word):
            unknown.append(word)
    replaced = tuple(replacements) if found else ()
    return Hits(question, games, tuple(found), replaced, tuple(unknown))


def _entries_of_games(games: Collection[str]) -> tuple[IndexEntry, ...]:
    """The entries that are whole games."""
    found = []
    for entry in entries():
        if entry.kind == "game" and entry.texts[0].games[0] in games:
            found.append(entry)
    return tuple(found)


def _repeats_last(found: list[IndexEntry], games: Collection[str]) -> list[IndexEntry]:
    """Put entries that only repeat the sentences of earlier ones at the end."""
    known_sentences: set[str] = set()
    new: list[IndexEntry] = []
    repeats: list[IndexEntry] = []
    for entry in found:
        sentences = entry.sentences(games)
        if sentences and known_sentences.issuperset(sentences):
            repeats.append(entry)
        else:
            new.append(entry)
        known_sentences |= sentences
    return new + repeats


class RulebookIndex(NamedTuple):
    """The entries in some games, and the index of their texts in the same order."""

    texts: TextIndex
    entries: tuple[IndexEntry, ...]

    def find(
        self, similar: Mapping[str, Tokens], plain: frozenset[str], action: str
    ) -> list[IndexEntry]:
        """The entries that answer a question, best first; see `TextIndex.best`."""
        positions = self.texts.best(similar, plain, action=action, terms=_terms())
        return [self.entries[position] for position in positions]


@lru_cache(maxsize=32)  # games by themselves and those that were asked about together
def _rulebook_index(games: tuple[str, ...], _own: int) -> RulebookIndex:
    """The index of some games. Its vocabulary is that of all titles and words of the glossary."""
    vocabulary = {}
    for language in LANGUAGES:
        names = {entry.title(language) for entry in entries()}
        for word in content.glossary():
            names.add(content.other_names(word, catalogue(language)))
        words_of_names: set[str] = set()
        for name in names:
            words_of_names.update(plain_words(name))
        vocabulary[language] = {word for word in words_of_names if not word.isdecimal()}

    entries_of_games = tuple(entry for entry in entries() if entry.texts_of(games))
    documents = [entry.document(games) for entry in entries_of_games]
    return RulebookIndex(TextIndex(documents, vocabulary), entries_of_games)


@cache
def _terms() -> Mapping[str, set[str]]:
    """The stems of the glossary's single words, by the stems of their other names: opening maps to
    apertura.
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
    """The stems of the texts that are one word."""
    found: set[str] = set()
    for text in texts:
        plain = plain_words(text)
        if len(plain) == 1:
            found |= stems(plain[0])
    return found


# ---------------------------------------------------------------- the page


class SearchAnswer(NamedTuple):
    """A text with its games, its anchor on their pages, and its text under other choices."""

    text: str
    games: list[str]
    anchor: str | None
    others: list[str]


class SearchResult(NamedTuple):
    """An entry that answers a question, as the page shows it."""

    kind: str
    title: str
    url: str
    answers: list[SearchAnswer]


def show_search() -> Response:
    """The results of a question, in the game of the URL."""
    words = page_words()
    text = " ".join(request.args.get("testo", "").split())[:LONGEST_QUESTION]
    within = request.args.get("gioco", "")
    if within not in variant_ids():
        within = ""
    hits = search_rulebook(text, within, words.language)
    games = hits.question.games
    compared = games if len(games) > 1 else (CLASSIC, *games, CLASSIC)
    names = {game: variant_name(get_variant(game), words) for game in variant_ids()}
    return render_page(
        "rulebook/search.html",
        title=words.t("rulebook.search.title"),
        asked=text,
        within=within,
        result=hits,
        unknown=[words.t("web.heading", heading=word) for word in hits.unknown],
        compared=compared[:2],
        found=[_search_result(entry, hits, words) for entry in hits.entries],
        count=len(hits.entries) + hits.question.compares,
        most_named=_MOST_NAMED,
        game_names=names,
    )


def rulebook_answers(text: str, game: str) -> list[SearchResult]:
    """The first results of the rulebook for a question in a game, for a page that adds them to its
    own.
    """
    words = page_words()
    hits = search_rulebook(text, game, words.language)
    return [_search_result(entry, hits, words) for entry in hits.entries[:_MOST_NAMED]]


def _search_result(entry: IndexEntry, hits: Hits, words: Words) -> SearchResult:
    """An entry with its texts in the games of the question; a word with the rule that has its
    figure.
    """
    games = hits.games if entry.kind != "game" else ()
    texts = entry.texts_of(games)
    answers = [_search_answer(entry, text, games, hits, words) for text in texts[:_MOST_TEXTS]]
    for rule in entries():
        if entry.rule and rule.anchor == entry.rule:
            for text in rule.texts_of(games)[:1]:
                answers.append(_search_answer(rule, text, games, hits, words))

    shared_games = _games_among(texts[0], games)
    if shared_games:
        url = game_url(shared_games[0], anchor=entry.anchor)
    else:
        url = url_for("rulebook.glossary", _anchor=entry.anchor)
    title = entry.title(words.language)
    return SearchResult(entry.kind, title, url, _without_repeated_others(answers))


def _without_repeated_others(answers: list[SearchAnswer]) -> list[SearchAnswer]:
    """The answers, each without the texts under other choices that an earlier one has."""
    shown = []
    known_others: set[str] = set()
    for answer in answers:
        others = [other for other in answer.others if other not in known_others]
        known_others.update(answer.others)
        shown.append(answer._replace(others=others))
    return shown


def _games_among(text: Text, games: Collection[str]) -> list[str]:
    """The games that have a text, among these; all of them if no games are given."""
    return [game for game in text.games if not games or game in games]


def _search_answer(
    entry: IndexEntry, text: Text, games: Collection[str], hits: Hits, words: Words
) -> SearchAnswer:
    answer = text.by_language[words.language]
    shared_games = _games_among(text, games)
    others: list[str] = []
    if shared_games:
        part = entry.parts[shared_games[0]][words.language]
        others = list(dict.fromkeys(part.others))
    score = hits.question.score
    if score is not None and entry.anchor == anchor("rule", content.OPENING_STEPS):
        minimum = settle(shared_games[0]).settings.opening_minimum(score, 1) or 0
        at_score = words.t("rulebook.search.opening-at", score=score, minimum=minimum)
        answer = f"{at_score} {answer}"
    # The title of a game already names it.
    named_games = [] if entry.kind == "game" else shared_games
    return SearchAnswer(answer, named_games, entry.anchor, others)
