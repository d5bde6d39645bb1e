"""The search: the index of the rulebook, what a question means, and the page of results.

What several games have in common is one entry of the index.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import NamedTuple

from flask import Response, url_for

from scorepad.i18n import LANGUAGES, Language, Words, words
from scorepad.i18n.settings import CHAPTERS, rule_name, rule_told, sentence, value_word
from scorepad.referee.irregularities import irregularities
from scorepad.rules.variants import Variant, get_variant, settle, statements_of, variant_ids
from scorepad.schemas.variants import CLASSIC
from scorepad.web.base import page_words, render_page
from scorepad.web.presenters import anchor, game_url, source_name
from scorepad.web.rule_choices import ChosenRules, in_book
from scorepad.web.rulebook import content
from scorepad.web.text_search import (
    Document,
    Forms,
    Phrases,
    TextIndex,
    document,
    exact,
    longest_first,
    phrases_in,
    plain_words,
    stems,
    stop_words,
    with_synonyms,
)

# ---------------------------------------------------------------- the entries

_TITLE, _NAME, _BODY, _ELSEWHERE = 6.0, 5.0, 2.0, 1.5
"""The weights of a title, of other names and questions, of the text, and of how it is under another choice."""
_FACTORS: Mapping[str, float] = {
    "rule": 1.0, "penalty": 1.0, "section": 0.9, "problem": 0.9, "word": 0.9, "game": 0.9, "item": 0.8,
    "statement": 0.9, "choice": 0.6,
}  # fmt: skip
"""How much each kind of entry counts as an answer: rules come first."""
_NOT_CLASSIC = 0.9
"""The factor of what the classic game has not, where no game is named."""


class Text(NamedTuple):
    """What an entry says in some games, by language; a word of the glossary says the same in all, and names none."""

    games: tuple[str, ...]
    by_language: Mapping[Language, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that can be found: a rule, a penalty, a word.

    `names` are all names and questions that lead to it. `others`: the text under other choices, by game.
    `rule`: the anchor of the rule shown with a word of the glossary.
    """

    kind: str
    anchor: str | None
    titles: Mapping[Language, str]
    texts: tuple[Text, ...]
    names: frozenset[str]
    others: Mapping[str, Mapping[Language, tuple[str, ...]]]
    rule: str | None = None

    def texts_of(self, games: Collection[str]) -> list[Text]:
        """Its texts in some games; without games all."""
        return [each for each in self.texts if not games or not each.games or set(games) & set(each.games)]

    def sentences(self, games: Collection[str]) -> frozenset[str]:
        """All that it says in some games, in any language."""
        return frozenset(text for each in self.texts_of(games) for text in each.by_language.values() if text)

    def document(self, games: Collection[str]) -> Document:
        """The entry as the index of some games has it; without games of all."""
        weighted = {(text, _BODY) for text in self.sentences(games)}
        weighted |= {(title, _TITLE) for title in self.titles.values()} | {(name, _NAME) for name in self.names}
        for game, others in self.others.items():
            if not games or game in games:
                weighted |= {(text, _ELSEWHERE) for texts in others.values() for text in texts}
        is_usual = games or self.anchor is None or self.texts_of((CLASSIC,))
        return document(weighted, self.names, _FACTORS[self.kind] * (1 if is_usual else _NOT_CLASSIC))


class _Part(NamedTuple):
    """An entry on the page of one game, in one language."""

    kind: str
    anchor: str | None
    title: str
    text: str
    names: str = ""
    """Other names and questions, separated by commas."""
    others: tuple[str, ...] = ()


@cache
def entries() -> tuple[Entry, ...]:
    """All entries of the rulebook."""
    grouped: dict[tuple[str, str | None, str], dict[str, dict[Language, _Part]]] = {}
    for game in variant_ids():
        in_languages = (tuple(_parts(get_variant(game), words(language))) for language in LANGUAGES)
        for parts in zip(*in_languages, strict=True):
            first = parts[0]
            key = (first.kind, first.anchor, first.title if first.kind == "game" else "")
            grouped.setdefault(key, {})[game] = dict(zip(LANGUAGES, parts, strict=True))
    return (*(_entry(by_game) for by_game in grouped.values()), *map(_glossary_entry, content.GLOSSARY))


def _entry(by_game: Mapping[str, Mapping[Language, _Part]]) -> Entry:
    """One entry of what stands at one place in several games."""
    games: dict[tuple[str, ...], list[str]] = {}
    names: set[str] = set()
    for game, parts in by_game.items():
        games.setdefault(tuple(part.text for part in parts.values()), []).append(game)
        for part in parts.values():
            # The title of a statement is that of its rule.
            names.update(part.names.split(","), [part.title] if part.kind != "statement" else [])
    first = next(iter(by_game.values()))
    one = next(iter(first.values()))
    return Entry(
        kind=one.kind,
        anchor=one.anchor,
        titles={language: part.title for language, part in first.items()},
        texts=tuple(Text(tuple(of), dict(zip(first, texts, strict=True))) for texts, of in games.items()),
        names=frozenset(names),
        others={game: {language: part.others for language, part in parts.items()} for game, parts in by_game.items()},
    )


def _glossary_entry(name: str) -> Entry:
    titles, texts, names = {}, {}, set()
    for language in LANGUAGES:
        speech = words(language)
        title = titles[language] = speech.text(f"rulebook.word.{name}")
        texts[language] = speech.text(f"rulebook.word.{name}.means")
        names |= {title, *content.other_names(name, speech).split(",")}
        names |= {f"{question} {title}" for question in speech.text("rulebook.search.defines").split(",")}
    _, rule = content.GLOSSARY[name]
    rule = anchor("rule", rule) if rule else None
    return Entry("word", anchor("word", name), titles, (Text((), texts),), frozenset(names), {}, rule)


def _parts(variant: Variant, speech: Words) -> Iterator[_Part]:
    """Everything on the page of a game, in one language; the same places in the same order in every language."""
    game = variant.id
    called = f"{speech.text(f'rulebook.called.{game}')}, {game}"
    yield _Part("game", None, speech.text(f"variant.{game}.name"), speech.text(f"variant.{game}.special"), called)
    for section in CHAPTERS:
        yield _Part("section", anchor("section", section), speech.text(f"rulebook.section.{section}"), "")
    for key in (key for keys in CHAPTERS.values() for key in keys if in_book(key, variant, speech)):
        title, text, others = rule_name(key, speech), rule_told(key, variant, speech), _others(key, variant, speech)
        yield _Part("rule", anchor("rule", key), title, text, _names(key, speech), tuple(others))
    for each in statements_of(variant):
        if each.after is None or in_book(each.after, variant, speech):
            title = rule_name(each.after, speech) if each.after else speech.text(f"rulebook.section.{each.section}")
            text, names = content.statement_text(each, speech), _names(each.id, speech, "statement.")
            yield _Part("statement", anchor("statement", each.id), title, text, names)
    yield from _parts_apart(variant, speech)


def _parts_apart(variant: Variant, speech: Words) -> Iterator[_Part]:
    """What stands outside the rules of the chapters: options, penalties, checks, score lines."""
    chosen = ChosenRules(variant)
    for option in variant.options.values():
        text = "; ".join(value_word(option.id, value.value, speech) for value in variant.values_of(option))
        yield _Part("choice", anchor("option", option.id), speech.text(f"option.{option.id}"), text, option.id)
    for penalty in irregularities(chosen.rules):
        title, names = speech.text(f"penalty.{penalty.code}"), _names(penalty.code, speech, "penalty.")
        yield _Part("penalty", anchor("penalty", penalty.code), title, content.penalty_text(penalty, speech), names)
    for kind, items in (("problem", content.checks(chosen, speech)), ("item", content.score_lines(chosen, speech))):
        for item in items:
            text = " ".join(filter(None, (item.note, *(text for _, text in item.rules[:1]))))
            yield _Part(kind, item.anchor, item.name, text, item.code)


def _names(name: str, speech: Words, kind: str = "") -> str:
    """The id of something, and the questions that people ask about it."""
    questions = f"rulebook.asked.{kind}{name}"
    return f"{name}, {speech.text(questions)}" if speech.has(questions) else name


def _others(key: str, variant: Variant, speech: Words) -> Iterator[str]:
    """A rule under every other choice, with the sources that say so."""
    for choice in content.alternatives(key, ChosenRules(variant)):
        other = choice.played
        text, cited = sentence(key, other, speech), other.settings[key].cited
        named = ", ".join(dict.fromkeys(source_name(place.source, speech) for place in cited.citations))
        yield f"{text} ({named})" if named else text


# ---------------------------------------------------------------- the question

_LEAST_SCORE = 250
"""Points. A smaller figure in a question about the opening is a minimum, another one the score of a side."""
_ANY_GAME = "canasta"
"""The name of every game beside its own."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question: the games that it names, the words of those names, and its other words as the rules have them.

    `score`: it asks for the opening minimum at this score. `compares`: it asks for a comparison.
    """

    games: tuple[str, ...]
    names: tuple[str, ...]
    words: tuple[str, ...]
    score: int | None = None
    compares: bool = False

    @property
    def telling(self) -> tuple[str, ...]:
        """Its words without the stop words."""
        return tuple(word for word in dict.fromkeys(self.words) if word not in stop_words())

    @property
    def wanted(self) -> tuple[str, ...]:
        """The words to search: the telling ones, otherwise the names of games, otherwise all."""
        return self.telling or (self.names if self.games else tuple(dict.fromkeys(self.words)))


def understand(text: str) -> Question:
    """The meaning of a question."""
    plain = plain_words(text)
    found = dict(sorted(phrases_in(plain, _game_names()).items()))
    named = {start + offset for start, (length, _) in found.items() for offset in range(length)}
    games = tuple(dict.fromkeys(game for _, game in found.values()))
    names = tuple(word for position, word in enumerate(plain) if position in named)
    rest = tuple(word for position, word in enumerate(plain) if position not in named)
    question = Question(games, names, with_synonyms(rest))
    differs = {word for word in rest if stems(word) & _stems_of("rulebook.search.compare")}
    left = tuple(word for word in question.words if word not in differs | stop_words() | {_ANY_GAME})
    if len(games) > 1 or (differs and (games or not left)):
        return replace(question, compares=True, words=left)
    score = next((int(word) for word in rest if word.isdecimal() and int(word) >= _LEAST_SCORE), None)
    if score is None or not any(stems(word) & _stems_of("rulebook.search.opening") for word in question.words):
        return question
    opening = words(LANGUAGES[0]).text(f"setting.{content.OPENING_STEPS}")
    return replace(question, score=score, words=plain_words(opening))


@cache
def _stems_of(key: str) -> frozenset[str]:
    """The stems of the words of a message, in all languages."""
    text = " ".join(words(language).text(key) for language in LANGUAGES)
    return frozenset(stem for word in plain_words(text) for stem in stems(word))


@cache
def _game_names() -> Phrases:
    """The names of every game in all languages, also written as one word."""
    names = {
        plain_words(name): game
        for game in variant_ids()
        for language in LANGUAGES
        for name in words(language).text(f"rulebook.called.{game}").split(",")
    }
    joined: dict[tuple[str, ...], str] = {("".join(name),): game for name, game in names.items()}
    return longest_first({**joined, **names})


# ---------------------------------------------------------------- the search

LONGEST_QUESTION = 100
"""Characters."""
_MOST_FOUND, _MOST_TEXTS, _MOST_NAMED = 10, 3, 3
_SYNONYM = 0.6
"""The worth of a word of the glossary for another of its names."""
_INDEXES = 32
"""The indexes of single games, or of games together, that are kept."""


@dataclass(frozen=True, slots=True)
class Result:
    """The entries that answer a question, best first, the words that replaced others, the unknown words in quotes."""

    question: Question
    games: tuple[str, ...]
    entries: tuple[Entry, ...]
    replaced: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def search(text: str, within: str, language: Language) -> Result:
    """The answers to a question about the games that it names, otherwise about the game `within`, otherwise about all.

    An unknown word is replaced by similar words of this language.
    """
    question = understand(text)
    named = tuple(each for each in entries() if each.kind == "game" and each.texts[0].games[0] in question.games)
    if not question.words:
        return Result(question, (), () if question.compares else named)
    games = question.games or tuple(filter(None, [within]))
    similar = {word: _index(()).near(word, language) for word in question.wanted}
    forms = tuple(_forms(word, near) for word, near in similar.items())
    known = _entries_of(games)
    best = [known[position] for position in _index(games).best(forms, frozenset(plain_words(text)))]
    found = _repeated_last([entry for entry in best if entry not in named][:_MOST_FOUND], games)
    if question.games and not question.telling:
        found = (*named, *found)
    elif not question.compares:
        found = (*found, *named)
    replaced = tuple(dict.fromkeys(near for each in similar.values() for near in each)) if found else ()
    unknown = tuple(f"«{word}»" for word, near in similar.items() if not near and not _index(()).knows(word))
    return Result(question, games, found, replaced, unknown)


def _repeated_last(found: Sequence[Entry], games: tuple[str, ...]) -> tuple[Entry, ...]:
    """The entries in order, those last that only repeat the sentences of entries before them."""
    seen: set[str] = set()
    repeats = []
    for entry in found:
        sentences = entry.sentences(games)
        repeats.append(bool(sentences) and seen.issuperset(sentences))
        seen |= sentences
    return tuple(entry for _, entry in sorted(zip(repeats, found, strict=True), key=lambda each: each[0]))


def _entries_of(games: tuple[str, ...]) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries() if entry.texts_of(games))


@lru_cache(maxsize=_INDEXES)
def _index(games: tuple[str, ...]) -> TextIndex:
    """The index of some games; its vocabulary is that of all titles and words of the glossary."""
    vocabulary = {}
    for language in LANGUAGES:
        names = {entry.titles[language] for entry in entries()}
        names |= {content.other_names(name, words(language)) for name in content.GLOSSARY}
        vocabulary[language] = {word for name in names for word in plain_words(name) if not word.isdecimal()}
    return TextIndex([entry.document(games) for entry in _entries_of(games)], vocabulary)


def _forms(word: str, similar: tuple[str, ...]) -> Forms:
    """The forms that match a word: its own, those of the words that replace it, and of its terms in the glossary."""
    own = {form for each in (word, *similar) for form in (*stems(each), exact(each))}
    terms = {stem for form in own for stem in _terms().get(form, ())}
    return dict.fromkeys(terms, _SYNONYM) | dict.fromkeys(own, 1.0)


@cache
def _terms() -> Mapping[str, frozenset[str]]:
    """The stems of the glossary's single words by the stems of their other names: opening leads to apertura."""
    found: dict[str, set[str]] = {}
    for name in content.GLOSSARY:
        titles = [words(language).text(f"rulebook.word.{name}") for language in LANGUAGES]
        others = [other for language in LANGUAGES for other in content.other_names(name, words(language)).split(",")]
        terms = {stem for title in titles for stem in _single_stems(title)}
        for other in (*titles, *others):
            for stem in _single_stems(other):
                found.setdefault(stem, set()).update(terms)
    return {stem: frozenset(terms) for stem, terms in found.items()}


def _single_stems(text: str) -> frozenset[str]:
    """The stems of a text of one word; none of any other."""
    found = plain_words(text)
    return stems(found[0]) if len(found) == 1 else frozenset()


# ---------------------------------------------------------------- the page


class Answer(NamedTuple):
    """A text, the games that it holds for as (name, address), and how many more; how it is under other choices."""

    text: str
    games: tuple[tuple[str, str], ...] = ()
    more: int = 0
    others: tuple[str, ...] = ()


class Found(NamedTuple):
    """An entry that answers, or the page of a comparison."""

    kind: str
    title: str
    url: str
    answers: tuple[Answer, ...]


def show_search(text: str, within: str) -> Response:
    """The results of a question, in the game `within` if it names one."""
    speech = page_words()
    text = " ".join(text.split())[:LONGEST_QUESTION]
    within = within if within in variant_ids() else ""
    result = search(text, within, speech.language)
    compared = [_comparison(result.question.games, speech)] if result.question.compares else []
    return render_page(
        "rulebook/search.html",
        title=speech.text("rulebook.search.title"),
        asked=text,
        within=within,
        result=result,
        found=(*compared, *(_found(entry, result, speech) for entry in result.entries)),
    )


def rulebook_answers(text: str, game: str) -> list[Found]:
    """The first answers of the rulebook to a question in a game, for a page that shows them beside its own."""
    speech = page_words()
    result = search(" ".join(text.split())[:LONGEST_QUESTION], game, speech.language)
    return [_found(entry, result, speech) for entry in result.entries[:_MOST_NAMED]]


def _comparison(games: tuple[str, ...], speech: Words) -> Found:
    """The comparison of two games, of one with the classic game, or the page to choose two."""
    one, other = (games if len(games) > 1 else (CLASSIC, *games, CLASSIC))[:2]
    title, url = speech.text("rulebook.compare.title"), url_for("rulebook.compare")
    if one != other:
        names = [speech.text(f"variant.{game}.name") for game in (one, other)]
        title = speech.text("rulebook.compare.of", one=names[0], other=names[1])
        url = url_for("rulebook.compare", uno=one, altro=other)
    return Found("compare", title, url, (Answer(speech.text("rulebook.search.compare.lead")),))


def _found(entry: Entry, result: Result, speech: Words) -> Found:
    """An entry with what it says in the games of the question; a word with the rule that has its figure."""
    games = result.games if entry.kind != "game" else ()
    texts = entry.texts_of(games)
    shown = [(entry, text) for text in texts[:_MOST_TEXTS]]
    rule = next((each for each in entries() if entry.rule and each.anchor == entry.rule), None)
    if rule:
        shown += [(rule, text) for text in rule.texts_of(games)[:1]]
    answers, seen = [], set[str]()
    for source, text in shown:
        answer = _answer(source, text, result, speech)
        answers.append(answer._replace(others=tuple(other for other in answer.others if other not in seen)))
        seen.update(answer.others)
    game = next((game for game in texts[0].games if not games or game in games), None)
    return Found(entry.kind, entry.titles[speech.language], _url(entry, game), tuple(answers))


def _answer(entry: Entry, text: Text, result: Result, speech: Words) -> Answer:
    games = [game for game in text.games if not result.games or game in result.games]
    # The title of a game names it already.
    named = () if entry.kind == "game" else games[:_MOST_NAMED]
    shown, score = text.by_language[speech.language], result.question.score
    if score is not None and entry.anchor == anchor("rule", content.OPENING_STEPS):
        minimum = settle(games[0]).settings.opening_minimum(score, 1) or 0
        shown = f"{speech.text('rulebook.search.opening-at', score=score, minimum=minimum)} {shown}"
    return Answer(
        text=shown,
        games=tuple((speech.text(f"variant.{game}.name"), _url(entry, game)) for game in named),
        more=max(len(games) - _MOST_NAMED, 0),
        others=tuple(dict.fromkeys(entry.others.get(games[0], {}).get(speech.language, ()))) if games else (),
    )


def _url(entry: Entry, game: str | None) -> str:
    if game is None:
        return url_for("rulebook.glossary", _anchor=entry.anchor)
    return game_url(game, anchor=entry.anchor)
