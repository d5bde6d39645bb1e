"""The search: the index of the rulebook, question parsing, and the page of results.

Text common to several games is one entry of the index.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from flask import Response, request, url_for

from scorepad.i18n import LANGUAGES, Language, Words, words
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

_TITLE, _NAME, _BODY, _ELSEWHERE = 6.0, 5.0, 2.0, 1.5
"""The weights of the title, of other names and questions, of the text, and of the text under other
choices.
"""
_FACTORS: Mapping[str, float] = {
    "rule": 1.0, "penalty": 1.0, "section": 0.9, "problem": 0.9, "word": 0.9, "game": 0.9, "item": 0.8,
    "statement": 0.9, "choice": 0.6,
}  # fmt: skip
"""The factor of each kind of entry: rules come first."""
_NOT_CLASSIC = 0.9  # the factor of rules missing in the classic game, if no game is named
_EVERY_GAME = ""  # in place of a game, for a word of the glossary: it is the same in all


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


@dataclass(frozen=True)
class IndexEntry:
    """An entry of the index: a rule, a penalty, a word; its parts by game and language.

    `rule`: the anchor of the rule shown with a word of the glossary.
    """

    kind: str
    anchor: str | None
    parts: Mapping[str, Mapping[Language, IndexText]]
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
        found = []
        for texts, games in games_by_text.items():
            found.append(Text(tuple(games), dict(zip(LANGUAGES, texts, strict=True))))
        return tuple(found)

    def texts_of(self, games: Collection[str]) -> list[Text]:
        """Its texts in some games; without games all."""
        found = []
        for text in self.texts:
            if not games or not text.games or not set(games).isdisjoint(text.games):
                found.append(text)
        return found

    def sentences(self, games: Collection[str]) -> frozenset[str]:
        """All its sentences in some games, in any language."""
        sentences: set[str] = set()
        for text in self.texts_of(games):
            sentences.update(filter(None, text.by_language.values()))
        return frozenset(sentences)

    def document(self, games: Collection[str]) -> text_search.Document:
        """The index document of some games; without games of all."""
        names: set[str] = set()
        weighted = {(text, _BODY) for text in self.sentences(games)}
        weighted |= {(self.title(language), _TITLE) for language in LANGUAGES}
        for game, by_language in self.parts.items():
            for part in by_language.values():
                names.update(part.names.split(","))
                if part.kind != "statement":  # the title of a statement is that of its rule
                    names.add(part.title)
                if not games or game in games:
                    weighted |= {(text, _ELSEWHERE) for text in part.others}
        weighted |= {(name, _NAME) for name in names}
        is_usual = games or self.anchor is None or self.texts_of((CLASSIC,))
        factor = _FACTORS[self.kind] * (1 if is_usual else _NOT_CLASSIC)
        return make_document(weighted, names, factor)


def entries() -> tuple[IndexEntry, ...]:
    return _cached_entries(own_variants().number)


@lru_cache(maxsize=1)
def _cached_entries(_own: int) -> tuple[IndexEntry, ...]:
    """The entries; `_own` counts the changes of the house rules."""
    grouped: dict[tuple[str, str | None, str], dict[str, dict[Language, IndexText]]] = {}
    for game in variant_ids():
        variant = get_variant(game)
        in_languages = [
            _parts(variant, words(language).with_rules(variant)) for language in LANGUAGES
        ]
        for parts in zip(*in_languages, strict=True):
            first = parts[0]
            key = (first.kind, first.anchor, first.title if first.kind == "game" else "")
            grouped.setdefault(key, {})[game] = dict(zip(LANGUAGES, parts, strict=True))
    entries = []
    for (kind, entry_anchor, _), parts_by_game in grouped.items():
        entries.append(IndexEntry(kind, entry_anchor, parts_by_game))
    for name, word in content.glossary().items():
        by_language = {language: _word(name, words(language)) for language in LANGUAGES}
        parts_of_word = {_EVERY_GAME: by_language}
        entries.append(IndexEntry("word", anchor("word", name), parts_of_word, _rule_of_word(word)))
    return tuple(entries)


def _rule_of_word(word: Mapping[str, str]) -> str | None:
    """The anchor of the rule or statement that the glossary names for a word."""
    for kind in ("rule", "statement"):
        if kind in word:
            return anchor(kind, word[kind])
    return None


def _word(name: str, speech: Words) -> IndexText:
    """A word of the glossary; it is also found by its meaning."""
    title = speech.t(f"rulebook.word.{name}")
    questions = (
        f"{question} {title}" for question in speech.t("rulebook.search.defines").split(",")
    )
    names = ",".join((content.other_names(name, speech), *questions))
    return IndexText(
        "word", anchor("word", name), title, speech.t(f"rulebook.word.{name}.means"), names
    )


def _parts(variant: Variant, speech: Words) -> Iterator[IndexText]:
    """Everything on the page of a game, in one language; the same parts in the same order in every
    language.
    """
    chosen = ChosenRules(variant)
    yield IndexText(
        "game",
        None,
        variant_name(variant, speech),
        variant_special(variant, speech),
        f"{speech.t(f'rulebook.called.{variant.id}')}, {variant.id}",
    )
    for section in CHAPTERS:
        title = speech.t(f"rulebook.section.{section}")
        yield IndexText("section", anchor("section", section), title, "")
    for keys in CHAPTERS.values():
        for key in keys:
            if in_book(key, variant, speech):
                yield _text_of_rule(key, chosen, speech)
    for statement in statements_of(variant):
        if statement.after is None or in_book(statement.after, variant, speech):
            yield IndexText(
                "statement",
                anchor("statement", statement.id),
                statement_name(statement, speech),
                content.statement_text(statement, speech),
                _names(statement.id, speech, "statement."),
            )
    for option in variant.options.values():
        values = [value_word(option.id, each.value, speech) for each in variant.values_of(option)]
        title = speech.t(f"option.{option.id}")
        yield IndexText("choice", anchor("option", option.id), title, "; ".join(values), option.id)
    for penalty in irregularities(chosen.rules):
        yield IndexText(
            "penalty",
            anchor("penalty", penalty.code),
            speech.t(f"penalty.{penalty.code}"),
            content.penalty_text(penalty, speech),
            _names(penalty.code, speech, "penalty."),
        )
    for check in content.check_items(chosen, speech):
        yield _text_of_item("problem", check)
    for line in content.score_line_items(chosen, speech):
        yield _text_of_item("item", line)


def _text_of_rule(key: str, chosen: ChosenRules, speech: Words) -> IndexText:
    others = content.alternative_choices(key, chosen)
    return IndexText(
        "rule",
        anchor("rule", key),
        rule_name(key, speech),
        rule_text(key, chosen.variant, speech),
        _names(key, speech),
        tuple(_other(key, choice, speech) for choice in others),
    )


def _text_of_item(kind: str, item: content.Item) -> IndexText:
    """A check or a score line, with the first of the rules behind it."""
    texts = [item.explanation, *(rule.text for rule in item.rules[:1])]
    return IndexText(kind, item.anchor, item.name, " ".join(filter(None, texts)), item.code)


def _names(name: str, speech: Words, kind: str = "") -> str:
    """The id of an entry, and the questions that people ask about it."""
    questions = f"rulebook.asked.{kind}{name}"
    return f"{name}, {speech.t(questions)}" if speech.has(questions) else name


def _other(key: str, choice: ChosenRules, speech: Words) -> str:
    """A rule under another choice, with its sources."""
    variant = choice.current_variant
    citations = variant.settings[key].cited.citations
    sources = dict.fromkeys(source_name(citation.source, speech) for citation in citations)
    text = sentence(key, variant, speech)
    return f"{text} ({', '.join(sources)})" if sources else text


# ---------------------------------------------------------------- the question

_LEAST_SCORE = 250
"""Points. A smaller figure in a question about the opening is a minimum, any other the score of a
side.
"""
_ANY_GAME = "canasta"  # A name that applies to every game


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
    found = dict(sorted(text_search.phrases_in(plain, _game_names(own_variants().number)).items()))
    named = {start + offset for start, (length, _) in found.items() for offset in range(length)}
    games = tuple(dict.fromkeys(game for _, game in found.values()))
    names = tuple(word for position, word in enumerate(plain) if position in named)
    rest = tuple(word for position, word in enumerate(plain) if position not in named)
    question = Query(games, names, with_synonyms(rest))
    differs = {word for word in rest if stems(word) & stems_of("rulebook.search.compare")}
    left = tuple(
        word for word in question.words if word not in differs | stop_words() | {_ANY_GAME}
    )
    if len(games) > 1 or (differs and (games or not left)):
        return question._replace(compares=True, words=left)
    score = _score_in(rest)
    if score is None or not any(
        stems(word) & stems_of("rulebook.search.opening") for word in question.words
    ):
        return question
    opening = words(LANGUAGES[0]).t(f"setting.{content.OPENING_STEPS}")
    return question._replace(score=score, words=plain_words(opening))


def _score_in(plain: Tokens) -> int | None:
    """The score of a side in a question about the opening: a figure larger than a minimum, or one
    below zero.
    """
    for position, word in enumerate(plain):
        if not word.isdecimal():
            continue
        if any(stems(earlier) & stems_of("search.below") for earlier in plain[:position]):
            return -int(word)
        if int(word) >= _LEAST_SCORE:
            return int(word)
    return None


@lru_cache(maxsize=1)
def _game_names(_own: int) -> text_search.Phrases:
    """The names of every game in all languages, also written as one word."""
    names = {
        plain_words(name): game
        for game in variant_ids()
        for language in LANGUAGES
        for name in words(language).t(f"rulebook.called.{game}").split(",")
    }
    return {("".join(name),): game for name, game in names.items()} | names


# ---------------------------------------------------------------- the search

LONGEST_QUESTION = 100
"""Characters."""
_MOST_FOUND, _MOST_TEXTS, _MOST_NAMED = 10, 3, 3


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
    everything, _ = _rulebook_index((), own_rules)
    index, known = _rulebook_index(games, own_rules)
    wanted = question.content_words or question.names or question.words
    similar = everything.similar(wanted, language)
    action = text_search.action_of(question.words)
    best = index.best(similar, frozenset(plain), action=action, terms=_terms())
    found = [known[position] for position in best if known[position] not in named_games]
    found = _repeats_last(found[:_MOST_FOUND], games)
    if question.games and not question.content_words:
        found = [*named_games, *found]
    elif not question.compares:
        found += named_games
    replacements: dict[str, None] = {}
    unknown = []
    for word, near in similar.items():
        replacements |= dict.fromkeys(near)
        if not near and not everything.knows(word):
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
        is_repeat = bool(sentences) and known_sentences.issuperset(sentences)
        (repeats if is_repeat else new).append(entry)
        known_sentences |= sentences
    return new + repeats


@lru_cache(maxsize=32)  # games by themselves and those that were asked about together
def _rulebook_index(games: tuple[str, ...], _own: int) -> tuple[TextIndex, tuple[IndexEntry, ...]]:
    """The index of some games, and its entries; its vocabulary is that of all titles and words of
    the glossary.
    """
    vocabulary = {}
    for language in LANGUAGES:
        names = {entry.title(language) for entry in entries()}
        names |= {content.other_names(name, words(language)) for name in content.glossary()}
        vocabulary[language] = {
            word for name in names for word in plain_words(name) if not word.isdecimal()
        }
    known = tuple(entry for entry in entries() if entry.texts_of(games))
    return TextIndex([entry.document(games) for entry in known], vocabulary), known


@cache
def _terms() -> Mapping[str, set[str]]:
    """The stems of the glossary's single words, by the stems of their other names: opening maps to
    apertura.
    """
    found: dict[str, set[str]] = {}
    for name in content.glossary():
        titles = []
        others = []
        for language in LANGUAGES:
            titles.append(words(language).t(f"rulebook.word.{name}"))
            others += content.other_names(name, words(language)).split(",")
        terms = _stems_of_single_words(titles)
        for stem in terms | _stems_of_single_words(others):
            found.setdefault(stem, set()).update(terms)
    return found


def _stems_of_single_words(texts: Iterable[str]) -> set[str]:
    """The stems of the texts that are one word."""
    found: set[str] = set()
    for text in texts:
        plain = plain_words(text)
        if len(plain) == 1:
            found |= stems(plain[0])
    return found


# ---------------------------------------------------------------- the page


class Hit(NamedTuple):
    """A text with its games, its anchor on their pages, and its text under other choices."""

    text: str
    games: list[str]
    anchor: str | None
    others: list[str]


class Found(NamedTuple):
    """A search result."""

    kind: str
    title: str
    url: str
    answers: list[Hit]


def show_search() -> Response:
    """The results of a question, in the game of the URL."""
    words_of_page = page_words()
    text = " ".join(request.args.get("testo", "").split())[:LONGEST_QUESTION]
    within = request.args.get("gioco", "")
    if within not in variant_ids():
        within = ""
    result = search_rulebook(text, within, words_of_page.language)
    games = result.question.games
    compared = games if len(games) > 1 else (CLASSIC, *games, CLASSIC)
    names = {game: variant_name(get_variant(game), words_of_page) for game in variant_ids()}
    return render_page(
        "rulebook/search.html",
        title=words_of_page.t("rulebook.search.title"),
        asked=text,
        within=within,
        result=result,
        unknown=[words_of_page.t("web.heading", heading=word) for word in result.unknown],
        compared=compared[:2],
        found=[_search_result(entry, result, words_of_page) for entry in result.entries],
        count=len(result.entries) + result.question.compares,
        most_named=_MOST_NAMED,
        game_names=names,
    )


def rulebook_answers(text: str, game: str) -> list[Found]:
    """The first results of the rulebook for a question in a game, for a page that adds them to its
    own.
    """
    speech = page_words()
    result = search_rulebook(text, game, speech.language)
    return [_search_result(entry, result, speech) for entry in result.entries[:_MOST_NAMED]]


def _search_result(entry: IndexEntry, result: Hits, speech: Words) -> Found:
    """An entry with its text in the games of the question; a word with the rule that has its
    figure.
    """
    games = result.games if entry.kind != "game" else ()
    texts = entry.texts_of(games)
    shown = [(entry, text) for text in texts[:_MOST_TEXTS]]
    for rule in entries():
        if entry.rule and rule.anchor == entry.rule:
            shown += [(rule, text) for text in rule.texts_of(games)[:1]]
    answers = []
    known_others: set[str] = set()
    for source, text in shown:
        hit = _hit(source, text, games, result.question.score, speech)
        answers.append(
            hit._replace(others=[each for each in hit.others if each not in known_others])
        )
        known_others.update(hit.others)
    url = url_for("rulebook.glossary", _anchor=entry.anchor)
    shared_games = _games_among(texts[0], games)
    if shared_games:
        url = game_url(shared_games[0], anchor=entry.anchor)
    return Found(entry.kind, entry.title(speech.language), url, answers)


def _games_among(text: Text, games: Collection[str]) -> list[str]:
    """The games that have a text, among some; without games all."""
    return [game for game in text.games if not games or game in games]


def _hit(
    source: IndexEntry, text: Text, games: Collection[str], score: int | None, speech: Words
) -> Hit:
    in_words = text.by_language[speech.language]
    named = _games_among(text, games)
    others: list[str] = []
    if named:
        others = list(dict.fromkeys(source.parts[named[0]][speech.language].others))
    if score is not None and source.anchor == anchor("rule", content.OPENING_STEPS):
        minimum = settle(named[0]).settings.opening_minimum(score, 1) or 0
        at_score = speech.t("rulebook.search.opening-at", score=score, minimum=minimum)
        in_words = f"{at_score} {in_words}"
    # The title of a game already names it.
    shown_games = [] if source.kind == "game" else named
    return Hit(in_words, shown_games, source.anchor, others)
