"""Everything in the rulebook that can be found: games, chapters, rules, choices, penalties, alerts, lines, words.

What several games have in common is one entry, told once for all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from scorepad.contract.variants import CLASSIC
from scorepad.i18n import LANGUAGES, Language, Words, words
from scorepad.i18n.chapters import CHAPTERS
from scorepad.i18n.sentences import rule_name, rule_told, sentence
from scorepad.i18n.settings import value_word
from scorepad.rules.citations import Cited
from scorepad.rules.statements import statements_of
from scorepad.rules.variants import Variant, as_played, get_variant, settle, variant_ids
from scorepad.web.citing import source_name
from scorepad.web.rulebook import places
from scorepad.web.rulebook.choosing import usual
from scorepad.web.rulebook.glossary import RULES, WORDS, WordTold, word_told
from scorepad.web.rulebook.items import Item, lines_here, penalties_told, problems_told
from scorepad.web.rulebook.matching import Known, known
from scorepad.web.rulebook.telling import in_book, values_of

TITLE, OTHER, BODY, ELSEWHERE = 6.0, 5.0, 2.0, 1.5
"""The weights of a title, of other names, questions and codes, of what is told, and of what is so elsewhere."""

COUNTS: Mapping[str, float] = {
    "rule": 1.0, "penalty": 1.0, "section": 0.9, "problem": 0.9, "word": 0.9, "game": 0.9, "item": 0.8,
    "statement": 0.9, "choice": 0.6,
}  # fmt: skip
"""How much each kind of entry counts as an answer: before all others the rules."""
_UNUSUAL = 0.9
"""What is no rule of the classic game counts so much less where no game is named."""


@dataclass(frozen=True, slots=True)
class Telling:
    """What an entry says in some games, in each language; of a word of the glossary in none."""

    games: tuple[str, ...]
    texts: Mapping[Language, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that can be found: its kind, where it stands on a game's page, its titles and what it says.

    `names` is what it goes by, its titles among it; `others` what other tables and sources have instead, by game.
    """

    kind: str
    anchor: str | None
    titles: Mapping[Language, str]
    tellings: tuple[Telling, ...]
    names: frozenset[str]
    others: Mapping[str, Mapping[Language, tuple[str, ...]]]
    rule: str | None = None
    """The anchor of the rule that is told beside a word of the glossary."""

    def speaks_of(self, games: Collection[str]) -> bool:
        """Whether it says anything of any of some games; of none: at all."""
        return not games or any(not each.games or set(games) & set(each.games) for each in self.tellings)

    def said(self, games: Collection[str]) -> frozenset[str]:
        """All that it says of some games; of none: of any."""
        told = [each for each in self.tellings if not games or not each.games or set(games) & set(each.games)]
        return frozenset(text for each in told for text in each.texts.values() if text)

    def known(self, games: Collection[str]) -> Known:
        """What the search knows it by, asked of some games; of none: in all of them."""
        weighed = {(text, BODY) for text in self.said(games)}
        weighed |= {(title, TITLE) for title in self.titles.values()} | {(name, OTHER) for name in self.names}
        for game, others in self.others.items():
            if not games or game in games:
                weighed |= {(text, ELSEWHERE) for said in others.values() for text in said}
        is_usual = games or self.anchor is None or self.speaks_of((CLASSIC,))
        return known(weighed, self.names, COUNTS[self.kind] * (1 if is_usual else _UNUSUAL))


@dataclass(frozen=True, slots=True)
class _Part:
    """Something on the page of one game, in one language."""

    kind: str
    anchor: str | None
    title: str
    text: str
    other: str = ""
    elsewhere: tuple[str, ...] = ()

    @property
    def names(self) -> Iterator[str]:
        """What it goes by: its title, but for one that it has of a rule, and its other names."""
        if self.kind != "statement":
            yield self.title
        yield from self.other.split(",")


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
    names = frozenset(name for _, parts in found for part in parts.values() for name in part.names)
    others = {game: {tongue: part.elsewhere for tongue, part in parts.items()} for game, parts in found}
    part = next(iter(first.values()))
    titles = {tongue: each.title for tongue, each in first.items()}
    return Entry(part.kind, part.anchor, titles, tellings, names, others)


def _glossary() -> Iterator[Entry]:
    for name in WORDS:
        told = {tongue: word_told(name, words(tongue)) for tongue in LANGUAGES}
        names = {each.name for each in told.values()} | {other for each in told.values() for other in _also(each)}
        names |= {f"{asked} {each.name}" for tongue, each in told.items() for asked in _defining(words(tongue))}
        texts = {tongue: each.means for tongue, each in told.items()}
        titles = {tongue: each.name for tongue, each in told.items()}
        rule = places.rule(RULES[name]) if name in RULES else None
        yield Entry("word", places.word(name), titles, (Telling((), texts),), frozenset(names), {}, rule)


def _defining(speech: Words) -> list[str]:
    return speech.text("rulebook.search.defines").split(",")


def _also(word: WordTold) -> list[str]:
    return word.also.split(",")


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
                title, other = rule_name(key, speech), _other(key, speech)
                told = rule_told(key, variant, speech)
                yield _Part("rule", places.rule(key), title, told, other, tuple(_elsewhere(key, variant, speech)))


def _elsewhere(key: str, variant: Variant, speech: Words) -> Iterator[str]:
    """How a rule is at tables that chose otherwise, each with the sources that have it so."""
    for sets, other, cited in _otherwise(variant.id):
        if key in sets and other.settings[key].value != variant.settings[key].value:
            said_by = dict.fromkeys(source_name(place.source, speech) for place in cited.citations)
            yield f"{sentence(key, other, speech)} ({', '.join(said_by)})" if said_by else sentence(key, other, speech)


@cache
def _otherwise(name: str) -> tuple[tuple[frozenset[str], Variant, Cited], ...]:
    """A game under every other choice: the settings that the choice decides, the game so, and who says it."""
    variant = get_variant(name)
    return tuple(
        (
            frozenset(key for each in option.values for key in each.sets),
            as_played(name, None, {option.id: value}),
            cited,
        )
        for option in variant.options.values()
        for value, cited in values_of(variant, option)
    )


def _other(name: str, speech: Words, kind: str = "") -> str:
    """What else something goes by: its code, and the questions that people ask about it."""
    asked = f"rulebook.asked.{kind}{name}"
    return f"{name}, {speech.text(asked)}" if speech.has(asked) else name


def _statements(variant: Variant, speech: Words) -> Iterator[_Part]:
    for each in statements_of(variant):
        if each.after is None or in_book(each.after, variant, speech):
            title = rule_name(each.after, speech) if each.after else speech.text(f"rulebook.section.{each.section}")
            text, other = speech.text(f"rulebook.statement.{each.id}"), _other(each.id, speech, "statement.")
            yield _Part("statement", places.statement(each.id), title, text, other)


def _choices(variant: Variant, speech: Words) -> Iterator[_Part]:
    for option in variant.options.values():
        text = "; ".join(value_word(option.id, value, speech) for value, _ in values_of(variant, option))
        yield _Part("choice", places.choice(option.id), speech.text(f"option.{option.id}"), text, option.id)


def _penalties(variant: Variant, speech: Words) -> Iterator[_Part]:
    for each in penalties_told(settle(variant.id), speech):
        other = _other(each.code, speech, "penalty.")
        yield _Part("penalty", each.anchor, each.name, f"{each.points} {each.remedy}".strip(), other)


def _problems(variant: Variant, speech: Words) -> Iterator[_Part]:
    for each in problems_told(usual(variant), speech):
        yield _Part("problem", each.anchor, each.name, _resting(each), each.code)


def _lines(variant: Variant, speech: Words) -> Iterator[_Part]:
    for each in lines_here(usual(variant), speech):
        yield _Part("item", each.anchor, each.name, _resting(each), each.code)


def _resting(item: Item) -> str:
    """The figure of a line or an alert, or what the first rule says that it rests on."""
    return " ".join(filter(None, (item.note, *(rest.text for rest in item.rests[:1]))))
