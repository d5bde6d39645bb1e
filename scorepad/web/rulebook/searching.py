"""The search of the rulebook: a question in words, and the entries that answer it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from flask import url_for

from scorepad.i18n import LANGUAGES, Words, words
from scorepad.rules.variants import variant_ids
from scorepad.web.frame import Page
from scorepad.web.rulebook import places
from scorepad.web.rulebook.glossary import WORDS
from scorepad.web.rulebook.index import Entry, Telling, entries
from scorepad.web.rulebook.matching import Forms, Lexicon, exact, plain_words, stems, wanted_words

LONGEST_QUESTION = 100
_MOST_FOUND, _MOST_TELLINGS, _MOST_NAMED = 20, 3, 3
_LESS = 0.6
"""What it is worth to find the word of the table for another."""
_GAME = "canasta"
"""What every game is called beside its own name."""


@dataclass(frozen=True, slots=True)
class Link:
    """A game that an answer holds for, and its place there."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What an entry says in some games: the text, those games, and how many more there are."""

    text: str
    games: tuple[Link, ...]
    more: str


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
    found: tuple[Found, ...]


def search_page(asked: str, within: str, speech: Words) -> SearchPage:
    """The answers to a question, in one game where it is asked there; without a question the page only asks."""
    asked = " ".join(asked.split())[:LONGEST_QUESTION]
    within = within if within in variant_ids() else ""
    found, meant = search(asked, within) if asked else ((), ())
    said = speech.plural("rulebook.search.found", len(found), asked=asked) if found else ""
    if asked and not found:
        said = speech.text("rulebook.search.nothing", asked=asked)
    return SearchPage(
        title=speech.text("rulebook.search.title"),
        asked=asked,
        within=within,
        game=speech.text(f"variant.{within}.name") if within else "",
        said=said,
        meant=speech.text("rulebook.search.meant", words=", ".join(meant)) if meant else "",
        found=tuple(_found(entry, games, speech) for entry, games in found),
    )


def search(asked: str, within: str = "") -> tuple[tuple[tuple[Entry, tuple[str, ...]], ...], tuple[str, ...]]:
    """The entries that answer, best first, each with the games asked for; and the words that were meant instead.

    A question that names games is about those games, any other about the one it is asked within.
    """
    named, rest = _games_named(plain_words(asked))
    games = tuple(entry for entry in entries() if entry.kind == "game" and entry.tellings[0].games[0] in named)
    wanted = [word for word in wanted_words(" ".join(rest)) if rest]
    if named and set(wanted) <= {_GAME}:
        return tuple((entry, ()) for entry in games), ()
    named = named or tuple(filter(None, [within]))
    nears = {word: _lexicon().near(word) for word in wanted}
    forms = [_forms(word, nears[word]) for word in wanted]
    best = [(entries()[place], worth) for place, worth in _lexicon().best(forms)]
    told = [(entry, tuple(named)) for entry, _ in best if entry not in games and _speaks_of(entry, named)]
    meant = tuple(dict.fromkeys(near for found in nears.values() for near in found))
    return (*((entry, ()) for entry in games), *told)[:_MOST_FOUND], meant


def _speaks_of(entry: Entry, games: tuple[str, ...]) -> bool:
    return not games or any(set(games) & set(telling.games) for telling in entry.tellings)


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


@cache
def _lexicon() -> Lexicon:
    vocabulary = {
        word
        for entry in entries()
        for text in (*entry.titles.values(), *(text for telling in entry.tellings for text in telling.texts.values()))
        for word in plain_words(text)
    }
    return Lexicon([entry.known for entry in entries()], (word for word in vocabulary if not word.isdigit()))


def _games_named(asked: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The games that a question names, and the words beside their names."""
    named: list[str] = []
    used: set[int] = set()
    for game, called in _names():
        for start in range(len(asked) - len(called) + 1):
            places_used = range(start, start + len(called))
            if used.isdisjoint(places_used) and all(
                stems(asked[place]) & stems(word) for place, word in zip(places_used, called, strict=True)
            ):
                named.append(game)
                used.update(places_used)
    rest = tuple(word for place, word in enumerate(asked) if place not in used)
    return tuple(dict.fromkeys(named)), rest


@cache
def _names() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What every game is called, in any language, in plain words; the longest names first."""
    named = {
        (game, plain_words(name))
        for game in variant_ids()
        for tongue in LANGUAGES
        for name in words(tongue).text(f"rulebook.called.{game}").split(",")
    }
    return tuple(sorted(named, key=lambda each: (-len(each[1]), each)))


def _found(entry: Entry, games: tuple[str, ...], speech: Words) -> Found:
    tellings = [telling for telling in entry.tellings if not games or set(games) & set(telling.games)]
    answers = tuple(_answer(entry, telling, games, speech) for telling in tellings[:_MOST_TELLINGS])
    return Found(
        kind=speech.text(f"rulebook.search.kind.{entry.kind}"),
        title=entry.titles[speech.language],
        url=_url(entry, next((game for game in tellings[0].games if not games or game in games), None)),
        answers=answers,
    )


def _answer(entry: Entry, telling: Telling, games: tuple[str, ...], speech: Words) -> Answer:
    held = [game for game in telling.games if not games or game in games]
    more = len(held) - _MOST_NAMED
    # Of a game its title says which one it is.
    named = () if entry.kind == "game" else tuple(_link(entry, game, speech) for game in held[:_MOST_NAMED])
    return Answer(
        text=telling.texts[speech.language],
        games=named,
        more=speech.plural("rulebook.search.more", more) if more > 0 else "",
    )


def _link(entry: Entry, game: str, speech: Words) -> Link:
    return Link(speech.text(f"variant.{game}.name"), _url(entry, game))


def _url(entry: Entry, game: str | None) -> str:
    if game is None:
        return url_for("rulebook.glossary", _anchor=entry.anchor)
    return places.game_url(game, anchor=entry.anchor)
