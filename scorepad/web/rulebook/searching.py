"""The search of the rulebook: a question in words, and the entries that answer it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import ClassVar

from flask import url_for

from scorepad.contract.variants import CLASSIC
from scorepad.i18n import LANGUAGES, Language, Words, words
from scorepad.rules.variants import settle, variant_ids
from scorepad.web.frame import Page
from scorepad.web.rulebook import places
from scorepad.web.rulebook.asking import Question, understood
from scorepad.web.rulebook.glossary import WORDS
from scorepad.web.rulebook.index import Entry, Telling, entries
from scorepad.web.rulebook.matching import Asked, Forms, Lexicon, exact, plain_words, stems

LONGEST_QUESTION = 100
_MOST_FOUND, _MOST_TELLINGS, _MOST_NAMED = 10, 3, 3
_LESS = 0.6
"""What it is worth to find the word of the table for another."""
_LEXICONS = 32
"""Of how many games, or games together, the words are kept."""
_OPENING = places.rule("opening-steps")


@dataclass(frozen=True, slots=True)
class Link:
    """A game that an answer holds for, and its place there."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What an entry says in some games: the text, those games, and how many more there are.

    `others`: how other tables and sources have it in the first of those games.
    """

    text: str
    games: tuple[Link, ...]
    more: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """An entry that answers: its kind, its title, where it stands, and what it says where."""

    kind: str
    title: str
    url: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage(Page):
    """What was found."""

    template: ClassVar[str] = "rulebook/search.html"
    asked: str
    within: str
    """The game that is searched; empty for all of them."""
    game: str
    """Its name."""
    said: str
    meant: str
    unknown: str
    found: tuple[Found, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What a question finds: the entries, best first, the words taken for others, and those that nothing speaks of."""

    question: Question
    games: tuple[str, ...]
    entries: tuple[Entry, ...]
    meant: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def search_page(asked: str, within: str, speech: Words) -> SearchPage:
    """The answers to a question, in one game where it is asked there; without a question the page only asks."""
    asked = " ".join(asked.split())[:LONGEST_QUESTION]
    within = within if within in variant_ids() else ""
    result = search(asked, within, speech.language)
    compared = [_comparison(result.question.games, speech)] if result.question.compares else []
    found = (*compared, *(_answered(entry, result, speech) for entry in result.entries))
    said = speech.plural("rulebook.search.found", len(found), asked=asked) if found else ""
    if asked and not found:
        said = speech.text("rulebook.search.nothing", asked=asked)
    unknown = speech.listing(f"«{word}»" for word in result.unknown) if result.unknown and found else ""
    return SearchPage(
        title=speech.text("rulebook.search.title"),
        asked=asked,
        within=within,
        game=speech.text(f"variant.{within}.name") if within else "",
        said=said,
        meant=speech.text("rulebook.search.meant", words=", ".join(result.meant)) if result.meant else "",
        unknown=speech.plural("rulebook.search.unknown", len(result.unknown), words=unknown) if unknown else "",
        found=found,
    )


def search(asked: str, within: str, language: Language) -> Result:
    """What answers a question. One that names games is about those, any other about the one it is asked within.

    A word that no entry holds is taken for the nearest of this language.
    """
    question = understood(asked)
    named = tuple(each for each in entries() if each.kind == "game" and each.tellings[0].games[0] in question.games)
    if not question.words:
        return Result(question, (), () if question.compares else named)
    games = question.games or tuple(filter(None, [within]))
    nears = {word: _lexicon().near(word, language) for word in question.wanted}
    forms = tuple(_forms(word, near) for word, near in nears.items())
    spoken, lexicon = _speaking_of(games), _lexicon(games)
    best = [spoken[place] for place, _ in lexicon.best(Asked(forms, frozenset(plain_words(asked))))]
    told = _new_first([entry for entry in best if entry not in named][:_MOST_FOUND], games)
    unknown = tuple(word for word, near in nears.items() if not near and not _lexicon().knows(word))
    found = (*named, *told) if question.is_of_names else (*told, *(() if question.compares else named))
    meant = tuple(dict.fromkeys(near for nearest in nears.values() for near in nearest)) if found else ()
    return Result(question, games, found, meant, unknown)


def _new_first(found: Sequence[Entry], games: tuple[str, ...]) -> list[Entry]:
    """What is found, in order, but for what only says again what one before it says: that comes last."""
    said: set[str] = set()
    again = []
    for entry in found:
        told = entry.said(games)
        again.append(bool(told) and said.issuperset(told))
        said |= told
    return [entry for _, entry in sorted(zip(again, found, strict=True), key=lambda each: each[0])]


def _speaking_of(games: tuple[str, ...]) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries() if entry.speaks_of(games))


def _forms(word: str, nears: tuple[str, ...]) -> Forms:
    """The stems that a word may be found by: its own, those meant instead, and the word of the table for it."""
    own = {form for each in (word, *nears) for form in (*stems(each), exact(each))}
    of_the_table = {stem for each in own for stem in _table_words().get(each, ())}
    return dict.fromkeys(of_the_table, _LESS) | dict.fromkeys(own, 1.0)


@cache
def _table_words() -> dict[str, frozenset[str]]:
    """The stems of the glossary's single words by those of their other names: opening leads to apertura."""
    found: dict[str, set[str]] = {}
    for name in WORDS:
        named = [words(tongue).text(f"rulebook.word.{name}") for tongue in LANGUAGES]
        single = {stem for each in named for word in _single(each) for stem in stems(word)}
        for tongue in LANGUAGES:
            for other in (*named, *words(tongue).text(f"rulebook.word.{name}.also").split(",")):
                for word in _single(other):
                    for stem in stems(word):
                        found.setdefault(stem, set()).update(single)
    return {stem: frozenset(to) for stem, to in found.items()}


def _single(text: str) -> tuple[str, ...]:
    """The word of a text that is one word; none of a longer one."""
    found = plain_words(text)
    return found if len(found) == 1 else ()


@lru_cache(maxsize=_LEXICONS)
def _lexicon(games: tuple[str, ...] = ()) -> Lexicon:
    """All entries that speak of some games; of the words of each language those that anything at all goes by."""
    vocabulary: dict[Language, set[str]] = {}
    for tongue in LANGUAGES:
        titles = {entry.titles[tongue] for entry in entries()}
        titles |= {words(tongue).text(f"rulebook.word.{name}.also") for name in WORDS}
        found = {word for title in titles for word in plain_words(title)}
        vocabulary[tongue] = {word for word in found if not word.isdecimal()}
    return Lexicon([entry.known(games) for entry in _speaking_of(games)], vocabulary)


def _comparison(games: tuple[str, ...], speech: Words) -> Found:
    """The page that tells two games apart: those named, one beside the classic game, or the page to choose them."""
    one, other = (games if len(games) > 1 else (CLASSIC, *games, CLASSIC))[:2]
    title, url = speech.text("rulebook.compare.title"), url_for("rulebook.compare")
    if one != other:
        names = (speech.text(f"variant.{game}.name") for game in (one, other))
        title = speech.text("rulebook.compare.of", one=next(names), other=next(names))
        url = url_for("rulebook.compare", uno=one, altro=other)
    return Found(
        kind=speech.text("rulebook.search.kind.compare"),
        title=title,
        url=url,
        answers=(Answer(speech.text("rulebook.search.compare.lead"), (), ""),),
    )


def _answered(entry: Entry, result: Result, speech: Words) -> Found:
    """An entry as an answer, with the rule that gives a word its figure beside it."""
    games = result.games if entry.kind != "game" else ()
    tellings = _of_games(entry, games)
    answers = [_answer(entry, telling, result, speech) for telling in tellings[:_MOST_TELLINGS]]
    beside = next((each for each in entries() if entry.rule and each.anchor == entry.rule), None)
    if beside and _of_games(beside, games):
        answers.append(_answer(beside, _of_games(beside, games)[0], result, speech))
    return Found(
        kind=speech.text(f"rulebook.search.kind.{entry.kind}"),
        title=entry.titles[speech.language],
        url=_url(entry, next((game for game in tellings[0].games if not games or game in games), None)),
        answers=tuple(_once(answers)),
    )


def _once(answers: Iterable[Answer]) -> Iterator[Answer]:
    """Answers that say no more than once what is so elsewhere."""
    said: set[str] = set()
    for each in answers:
        yield replace(each, others=tuple(other for other in each.others if other not in said))
        said.update(each.others)


def _of_games(entry: Entry, games: tuple[str, ...]) -> list[Telling]:
    return [each for each in entry.tellings if not games or not each.games or set(games) & set(each.games)]


def _answer(entry: Entry, telling: Telling, result: Result, speech: Words) -> Answer:
    held = [game for game in telling.games if not result.games or game in result.games]
    more = len(held) - _MOST_NAMED
    # Of a game its title says which one it is.
    named = () if entry.kind == "game" else tuple(_link(entry, game, speech) for game in held[:_MOST_NAMED])
    text = telling.texts[speech.language]
    if entry.anchor == _OPENING and result.question.score is not None:
        text = f"{_opening_at(held[0], result.question.score, speech)} {text}"
    return Answer(
        text=text,
        games=named,
        more=speech.plural("rulebook.search.more", more) if more > 0 else "",
        others=_others(entry, held[0], speech) if held else (),
    )


def _others(entry: Entry, game: str, speech: Words) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.others.get(game, {}).get(speech.language, ())))


def _opening_at(game: str, score: int, speech: Words) -> str:
    minimum = settle(game).settings.opening_minimum(score, 1) or 0
    return speech.text("rulebook.search.opening-at", score=score, minimum=minimum)


def _link(entry: Entry, game: str, speech: Words) -> Link:
    return Link(speech.text(f"variant.{game}.name"), _url(entry, game))


def _url(entry: Entry, game: str | None) -> str:
    if game is None:
        return url_for("rulebook.glossary", _anchor=entry.anchor)
    return places.game_url(game, anchor=entry.anchor)
