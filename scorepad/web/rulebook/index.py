"""Everything in the rulebook that can be found: games, chapters, rules, choices, penalties, alerts, lines, words.

What several games have in common is one entry, told once for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from scorepad.i18n import LANGUAGES, Language, Words, words
from scorepad.i18n.chapters import CHAPTERS
from scorepad.i18n.sentences import rule_name, sentence
from scorepad.i18n.settings import item_word, value_word
from scorepad.rules.statements import statements_of
from scorepad.rules.variants import Variant, get_variant, settle, variant_ids
from scorepad.web.rulebook import places
from scorepad.web.rulebook.glossary import WORDS, word_told
from scorepad.web.rulebook.items import items_of, penalties_told
from scorepad.web.rulebook.matching import Known, known
from scorepad.web.rulebook.telling import in_book, values_of

TITLE, BODY, OTHER = 6.0, 2.0, 6.0
"""The weights of a title, of what is told, and of each other name, question or code that it goes by."""


@dataclass(frozen=True, slots=True)
class Telling:
    """What an entry says in some games, in each language; of a word of the glossary in none."""

    games: tuple[str, ...]
    texts: Mapping[Language, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that can be found: its kind, where it stands on a game's page, its titles and what it says."""

    kind: str
    anchor: str | None
    titles: Mapping[Language, str]
    tellings: tuple[Telling, ...]
    known: Known


@dataclass(frozen=True, slots=True)
class _Part:
    """Something on the page of one game, in one language."""

    kind: str
    anchor: str | None
    title: str
    text: str
    other: str = ""


@cache
def entries() -> tuple[Entry, ...]:
    """All entries."""
    games = {name: {tongue: tuple(_parts(name, tongue)) for tongue in LANGUAGES} for name in variant_ids()}
    gathered: dict[tuple[str, str | None, str], list[tuple[str, dict[Language, _Part]]]] = {}
    for name, told in games.items():
        for parts in zip(*told.values(), strict=True):
            one = parts[0]
            by_tongue = dict(zip(told, parts, strict=True))
            own = one.title if one.kind == "game" else ""
            gathered.setdefault((one.kind, one.anchor, own), []).append((name, by_tongue))
    return (*(_entry(found) for found in gathered.values()), *_glossary())


def _entry(found: list[tuple[str, dict[Language, _Part]]]) -> Entry:
    first = found[0][1]
    said: dict[tuple[str, ...], list[str]] = {}
    for game, parts in found:
        said.setdefault(tuple(part.text for part in parts.values()), []).append(game)
    tellings = tuple(Telling(tuple(games), dict(zip(first, texts, strict=True))) for texts, games in said.items())
    weighed = {
        each
        for _, parts in found
        for part in parts.values()
        for each in ((part.title, TITLE), (part.text, BODY), *((other, OTHER) for other in part.other.split(",")))
    }
    part = next(iter(first.values()))
    titles = {tongue: each.title for tongue, each in first.items()}
    return Entry(part.kind, part.anchor, titles, tellings, known(*weighed))


def _glossary() -> Iterator[Entry]:
    for name in WORDS:
        told = {tongue: word_told(name, words(tongue)) for tongue in LANGUAGES}
        weighed = [(each.name, TITLE) for each in told.values()] + [(each.means, BODY) for each in told.values()]
        weighed = [*weighed, *((other, OTHER) for each in told.values() for other in each.also.split(","))]
        texts = {tongue: each.means for tongue, each in told.items()}
        titles = {tongue: each.name for tongue, each in told.items()}
        yield Entry("word", places.word(name), titles, (Telling((), texts),), known(*weighed))


def _parts(name: str, tongue: Language) -> Iterator[_Part]:
    variant, speech = get_variant(name), words(tongue)
    called = f"{speech.text(f'rulebook.called.{name}')}, {name}"
    title = speech.text(f"variant.{name}.name")
    yield _Part("game", None, title, speech.text(f"variant.{name}.special"), called)
    for section in CHAPTERS:
        yield _Part("section", places.section(section), speech.text(f"rulebook.section.{section}"), "")
    for part in (_rules, _statements, _choices, _penalties, _problems, _lines):
        yield from part(variant, speech)


def _rules(variant: Variant, speech: Words) -> Iterator[_Part]:
    for keys in CHAPTERS.values():
        for key in keys:
            if in_book(key, variant, speech):
                title = rule_name(key, speech)
                asked = f"rulebook.asked.{key}"
                other = f"{key}, {speech.text(asked)}" if speech.has(asked) else key
                yield _Part("rule", places.rule(key), title, sentence(key, variant, speech), other)


def _statements(variant: Variant, speech: Words) -> Iterator[_Part]:
    for each in statements_of(variant):
        if each.after is None or in_book(each.after, variant, speech):
            title = rule_name(each.after, speech) if each.after else speech.text(f"rulebook.section.{each.section}")
            text = speech.text(f"rulebook.statement.{each.id}")
            yield _Part("statement", places.statement(each.id), title, text)


def _choices(variant: Variant, speech: Words) -> Iterator[_Part]:
    for option in variant.options.values():
        text = "; ".join(value_word(option.id, value, speech) for value, _ in values_of(variant, option))
        yield _Part("choice", places.choice(option.id), speech.text(f"option.{option.id}"), text, option.id)


def _penalties(variant: Variant, speech: Words) -> Iterator[_Part]:
    for each in penalties_told(settle(variant.id), speech):
        yield _Part("penalty", each.anchor, each.name, f"{each.points} {each.remedy}".strip(), each.anchor)


def _problems(variant: Variant, speech: Words) -> Iterator[_Part]:
    for code in variant.checks:
        yield _Part("problem", places.problem(code), speech.text(f"rulebook.problem.{code}"), "", code)


def _lines(variant: Variant, speech: Words) -> Iterator[_Part]:
    for item in items_of(settle(variant.id)):
        yield _Part("item", places.line(item), item_word(variant.id, item, speech), "", item)
