"""The search: the index of the rulebook, question parsing, and the page of results.

Text common to several games is one entry of the index.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from flask import Response, request, url_for

from scorepad.i18n import LANGUAGES, Language, Words, words
from scorepad.i18n.rule_sentences import CHAPTERS, rule_name, rule_text, sentence, statement_name
from scorepad.i18n.settings import value_word, variant_name, variant_special
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
    document,
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
        games: dict[tuple[str, ...], list[str]] = {}
        for game, parts in self.parts.items():
            games.setdefault(tuple(parts[language].text for language in LANGUAGES), []).extend(
                [game] if game else []
            )
        return tuple(
            Text(tuple(of), dict(zip(LANGUAGES, texts, strict=True))) for texts, of in games.items()
        )

    def texts_of(self, games: Collection[str]) -> list[Text]:
        """Its texts in some games; without games all."""
        return [
            each
            for each in self.texts
            if not games or not each.games or set(games) & set(each.games)
        ]

    def sentences(self, games: Collection[str]) -> frozenset[str]:
        """All its sentences in some games, in any language."""
        return frozenset(
            text for each in self.texts_of(games) for text in each.by_language.values() if text
        )

    def document(self, games: Collection[str]) -> text_search.Document:
        """The index document of some games; without games of all."""
        parts = [part for by_language in self.parts.values() for part in by_language.values()]
        names = {name for part in parts for name in part.names.split(",")}
        # The title of a statement is that of its rule.
        names |= {part.title for part in parts if part.kind != "statement"}
        weighted = {(text, _BODY) for text in self.sentences(games)} | {
            (name, _NAME) for name in names
        }
        weighted |= {(self.title(language), _TITLE) for language in LANGUAGES}
        for game, by_language in self.parts.items():
            if not games or game in games:
                weighted |= {
                    (text, _ELSEWHERE) for part in by_language.values() for text in part.others
                }
        is_usual = games or self.anchor is None or self.texts_of((CLASSIC,))
        return document(weighted, names, _FACTORS[self.kind] * (1 if is_usual else _NOT_CLASSIC))


def entries() -> tuple[IndexEntry, ...]:
    """All entries of the rulebook."""
    return _entries(own_variants().number)


@lru_cache(maxsize=1)
def _entries(_own: int) -> tuple[IndexEntry, ...]:
    grouped: dict[tuple[str, str | None, str], dict[str, dict[Language, IndexText]]] = {}
    for game in variant_ids():
        variant = get_variant(game)
        in_languages = [
            _parts(variant, words(language).with_rules(variant)) for language in LANGUAGES
        ]
        for parts in zip(*in_languages, strict=True):
            kind, place, title, *_ = parts[0]
            key = (kind, place, title if kind == "game" else "")
            grouped.setdefault(key, {})[game] = dict(zip(LANGUAGES, parts, strict=True))
    glossary = []
    for name, word in content.glossary().items():
        parts_of_word = {language: _word(name, words(language)) for language in LANGUAGES}
        rule = _rule_of_word(word)
        glossary.append(
            IndexEntry("word", anchor("word", name), {_EVERY_GAME: parts_of_word}, rule)
        )
    return (
        *(IndexEntry(kind, place, parts) for (kind, place, _), parts in grouped.items()),
        *glossary,
    )


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
    """Everything on the page of a game, in one language; the same places in the same order in every
    language.
    """
    game, chosen = variant.id, ChosenRules(variant)
    called = speech.t(f"rulebook.called.{game}")
    yield IndexText(
        "game",
        None,
        variant_name(variant, speech),
        variant_special(variant, speech),
        f"{called}, {game}",
    )
    for section in CHAPTERS:
        yield IndexText(
            "section", anchor("section", section), speech.t(f"rulebook.section.{section}"), ""
        )
    for key in (key for keys in CHAPTERS.values() for key in keys if in_book(key, variant, speech)):
        others = tuple(_other(key, choice, speech) for choice in content.alternatives(key, chosen))
        told = rule_text(key, variant, speech)
        yield IndexText(
            "rule", anchor("rule", key), rule_name(key, speech), told, _names(key, speech), others
        )
    for each in statements_of(variant):
        if each.after is None or in_book(each.after, variant, speech):
            names = _names(each.id, speech, "statement.")
            yield IndexText(
                "statement",
                anchor("statement", each.id),
                statement_name(each, speech),
                content.statement_text(each, speech),
                names,
            )
    for option in variant.options.values():
        values = "; ".join(
            value_word(option.id, value.value, speech) for value in variant.values_of(option)
        )
        yield IndexText(
            "choice",
            anchor("option", option.id),
            speech.t(f"option.{option.id}"),
            values,
            option.id,
        )
    for penalty in irregularities(chosen.rules):
        title, names = (
            speech.t(f"penalty.{penalty.code}"),
            _names(penalty.code, speech, "penalty."),
        )
        yield IndexText(
            "penalty",
            anchor("penalty", penalty.code),
            title,
            content.penalty_text(penalty, speech),
            names,
        )
    for kind, items in (
        ("problem", content.checks(chosen, speech)),
        ("item", content.score_lines(chosen, speech)),
    ):
        for item in items:
            told = " ".join(filter(None, (item.note, *(rule.text for rule in item.rules[:1]))))
            yield IndexText(kind, item.anchor, item.name, told, item.code)


def _names(name: str, speech: Words, kind: str = "") -> str:
    """The id of an entry, and the questions that people ask about it."""
    questions = f"rulebook.asked.{kind}{name}"
    return f"{name}, {speech.t(questions)}" if speech.has(questions) else name


def _other(key: str, choice: ChosenRules, speech: Words) -> str:
    """A rule under another choice, with its sources."""
    citations = choice.played.settings[key].cited.citations
    named = ", ".join(dict.fromkeys(source_name(place.source, speech) for place in citations))
    return sentence(key, choice.played, speech) + (f" ({named})" if named else "")


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


def search(text: str, within: str, language: Language) -> Hits:
    """The answers to a question about the games that it names, else about the game `within`, else
    about all.

    An unknown word is replaced by similar words of this language.
    """
    plain = asked_words(text)
    question = parse_question(plain)
    named = [
        each
        for each in entries()
        if each.kind == "game" and each.texts[0].games[0] in question.games
    ]
    if not question.words:
        return Hits(question, entries=() if question.compares else tuple(named))
    games, own = question.games or tuple(filter(None, [within])), own_variants().number
    everything, (index, known) = _index((), own)[0], _index(games, own)
    wanted = question.content_words or question.names or question.words
    similar = everything.similar(wanted, language)
    action = text_search.action_of(question.words)
    best = [
        known[place]
        for place in index.best(similar, frozenset(plain), action=action, terms=_terms())
    ]
    found = [entry for entry in best if entry not in named][:_MOST_FOUND]
    seen, repeats = set[str](), []
    for entry in found:
        sentences = entry.sentences(games)
        repeats += [entry] if sentences and seen.issuperset(sentences) else []
        seen |= sentences
    found.sort(key=lambda entry: entry in repeats)
    if question.games and not question.content_words:
        found = [*named, *found]
    elif not question.compares:
        found += named
    replaced = (
        tuple(dict.fromkeys(near for each in similar.values() for near in each)) if found else ()
    )
    unknown = tuple(
        word for word, near in similar.items() if not near and not everything.knows(word)
    )
    return Hits(question, games, tuple(found), replaced, unknown)


@lru_cache(maxsize=32)  # games by themselves and those that were asked about together
def _index(games: tuple[str, ...], _own: int) -> tuple[TextIndex, tuple[IndexEntry, ...]]:
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
        titles = [words(language).t(f"rulebook.word.{name}") for language in LANGUAGES]
        others = [
            other
            for language in LANGUAGES
            for other in content.other_names(name, words(language)).split(",")
        ]
        terms = {stem for title in titles for stem in _single_stems(title)}
        for stem in (stem for other in (*titles, *others) for stem in _single_stems(other)):
            found.setdefault(stem, set()).update(terms)
    return found


def _single_stems(text: str) -> frozenset[str]:
    """The stems of a one-word text; none for any other."""
    found = plain_words(text)
    return stems(found[0]) if len(found) == 1 else frozenset()


# ---------------------------------------------------------------- the page


class Hit(NamedTuple):
    """A text with its games, its place on their pages, and its text under other choices."""

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
    speech, text = page_words(), " ".join(request.args.get("testo", "").split())[:LONGEST_QUESTION]
    within = request.args.get("gioco", "")
    within = within if within in variant_ids() else ""
    result = search(text, within, speech.language)
    games = result.question.games
    return render_page(
        "rulebook/search.html",
        title=speech.t("rulebook.search.title"),
        asked=text,
        within=within,
        result=result,
        unknown=[speech.t("web.heading", heading=word) for word in result.unknown],
        compared=(games if len(games) > 1 else (CLASSIC, *games, CLASSIC))[:2],
        found=[_found(entry, result, speech) for entry in result.entries],
        count=len(result.entries) + result.question.compares,
        most_named=_MOST_NAMED,
        game_names={game: variant_name(get_variant(game), speech) for game in variant_ids()},
    )


def rulebook_answers(text: str, game: str) -> list[Found]:
    """The first results of the rulebook for a question in a game, for a page that adds them to its
    own.
    """
    speech = page_words()
    result = search(text, game, speech.language)
    return [_found(entry, result, speech) for entry in result.entries[:_MOST_NAMED]]


def _found(entry: IndexEntry, result: Hits, speech: Words) -> Found:
    """An entry with its text in the games of the question; a word with the rule that has its
    figure.
    """
    games = result.games if entry.kind != "game" else ()
    texts = entry.texts_of(games)
    rules = [each for each in entries() if entry.rule and each.anchor == entry.rule]
    shown = [(entry, text) for text in texts[:_MOST_TEXTS]]
    answers, seen, score = [], set[str](), result.question.score
    for source, text in (
        *shown,
        *((rule, text) for rule in rules for text in rule.texts_of(games)[:1]),
    ):
        told, named = (
            text.by_language[speech.language],
            [game for game in text.games if not games or game in games],
        )
        others = dict.fromkeys(source.parts[named[0]][speech.language].others) if named else {}
        if score is not None and source.anchor == anchor("rule", content.OPENING_STEPS):
            minimum = settle(named[0]).settings.opening_minimum(score, 1) or 0
            told = f"{speech.t('rulebook.search.opening-at', score=score, minimum=minimum)} {told}"
        # The title of a game already names it.
        named = [] if source.kind == "game" else named
        answers.append(
            Hit(told, named, source.anchor, [other for other in others if other not in seen])
        )
        seen.update(others)
    game = next((game for game in texts[0].games if not games or game in games), None)
    place = (
        url_for("rulebook.glossary", _anchor=entry.anchor)
        if game is None
        else game_url(game, anchor=entry.anchor)
    )
    return Found(entry.kind, entry.title(speech.language), place, answers)
