"""The rules of a game told: each a sentence with its source and standing, and what would be otherwise.

Whatever is told comes from the data: a rule from a setting, what else may be from the options that set it, how the
classic game has it from the classic game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorepad.contract.applying import applies, is_told
from scorepad.contract.variants import CLASSIC
from scorepad.i18n import Words
from scorepad.i18n.chapters import CHAPTERS
from scorepad.i18n.sentences import goes_without_saying, rule_name, rule_told, sentence
from scorepad.i18n.settings import setting_words
from scorepad.rules.citations import Cited, Standing
from scorepad.rules.loader import Option
from scorepad.rules.rulings.faults import slips_of
from scorepad.rules.statements import Statement, statements_of
from scorepad.rules.variants import Variant, get_variant
from scorepad.web.citing import places as said_in
from scorepad.web.rulebook import places
from scorepad.web.rulebook.choosing import Chosen
from scorepad.web.rulebook.opening import Table, opening_table


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence with its source."""

    text: str
    why: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where something is said; of which sentences, by their first words, where that is not the rule itself."""

    of: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Otherwise:
    """How a rule would be under another choice: the choice, the rule, its source, and the page that shows it so."""

    choice: str
    text: str
    why: str
    url: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its name, what it says, what the sources say beside it, and, folded, why and what would be otherwise.

    `classic` is how the classic game has it, empty where it is the same there; `sources` where all that is said,
    `others` what other sources say instead, `slips` the known faults of the sources.
    """

    anchor: str
    name: str
    text: str
    table: Table | None
    classic: str
    more: tuple[Said, ...]
    sources: tuple[Source, ...]
    others: tuple[Said, ...]
    otherwise: tuple[Otherwise, ...]
    slips: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter: what is said at its head, and its rules."""

    id: str
    anchor: str
    title: str
    head: tuple[Said, ...]
    sources: tuple[Source, ...]
    rules: tuple[Rule, ...]


def in_book(key: str, variant: Variant, words: Words) -> bool:
    """Whether a rule has its place in the book: it decides something, or some table decides it otherwise."""
    if not applies(key, variant):
        return False
    may_be_chosen = any(key in value.sets for option in variant.options.values() for value in option.values)
    return may_be_chosen or is_told(key, variant) or goes_without_saying(key, variant, words)


def sections_told(chosen: Chosen, words: Words) -> Iterator[Section]:
    """The chapters of a game that have anything to say."""
    played = chosen.played
    statements = tuple(statements_of(played))
    for name, keys in CHAPTERS.items():
        told = [key for key in keys if in_book(key, played, words)]
        head = tuple(_stated(each, words) for each in statements if each.section == name and each.after is None)
        rules = tuple(_rule(key, chosen, played, statements, words) for key in told)
        if head or rules:
            title = words.text(f"rulebook.section.{name}")
            yield Section(name, places.section(name), title, head, tuple(_sources("", head)), rules)


def _rule(key: str, chosen: Chosen, played: Variant, statements: tuple[Statement, ...], words: Words) -> Rule:
    beside = [each for each in statements if each.after == key]
    more = tuple(_stated(each, words) for each in beside if not each.differs)
    return Rule(
        anchor=places.rule(key),
        name=rule_name(key, words),
        text=rule_told(key, played, words),
        table=opening_table(key, played, words),
        classic=_classic(key, played, words),
        more=more,
        sources=tuple(_sources(why(played.settings[key].cited, words), more)),
        others=tuple(_stated(each, words) for each in beside if each.differs),
        otherwise=tuple(_otherwise(key, chosen, played, words)),
        slips=tuple(
            words.text(f"ruling.{slip.code}") for slip in slips_of(chosen.rules, key) if slip.code not in _SAID
        ),
    )


def _sources(rule: str, said: tuple[Said, ...]) -> Iterator[Source]:
    """Where a rule is said and what stands with it; what is said in the same place as the rule is not told again."""
    if rule:
        yield Source((), rule)
    is_plain = bool(rule) or len(said) > 1
    for reason in dict.fromkeys(each.why for each in said if each.why != rule):
        yield Source(tuple(_beginning(each.text) for each in said if each.why == reason and is_plain), reason)


def _beginning(text: str) -> str:
    first = text.split()
    return text if len(first) <= _FIRST_WORDS else f"{' '.join(first[:_FIRST_WORDS])}…"


_FIRST_WORDS = 5
_SAID = ("fault-not-replaced",)
"""Faults that the book tells as what another source says, where it belongs."""


def _stated(statement: Statement, words: Words) -> Said:
    text = words.text(f"rulebook.statement.{statement.id}")
    return Said(text, why(statement.cited, words), places.statement(statement.id))


def _classic(key: str, played: Variant, words: Words) -> str:
    classic, here = get_variant(CLASSIC), played.settings[key]
    if played.id == classic.id or here.value == classic.settings[key].value or here.cited.standing is Standing.HOUSE:
        return ""
    if not applies(key, classic):
        return words.text("rulebook.classic.none")
    value = setting_words(key, classic, words)
    return "" if value == setting_words(key, played, words) else words.text("rulebook.classic", value=value)


def _otherwise(key: str, chosen: Chosen, played: Variant, words: Words) -> Iterator[Otherwise]:
    """The rule under every other value of every option that sets it, with what the sources then say beside it."""
    for option in chosen.variant.options.values():
        if not any(key in value.sets for value in option.values):
            continue
        for value, _ in values_of(chosen.variant, option):
            other = chosen.with_choice(option.id, value)
            if other.settings[key].value != played.settings[key].value:
                url = chosen.url_with(option.id, value, places.rule(key))
                beside = [words.text(f"rulebook.statement.{each.id}") for each in _only_in(other, played, key)]
                text = " ".join((sentence(key, other, words), *beside))
                yield Otherwise(words.text(f"option.{option.id}"), text, why(other.settings[key].cited, words), url)


def _only_in(one: Variant, other: Variant, key: str) -> Iterator[Statement]:
    """What stands beside a rule in one and not in the other."""
    there = {each.id for each in statements_of(other)}
    yield from (each for each in statements_of(one) if each.after == key and not each.differs and each.id not in there)


def values_of(variant: Variant, option: Option) -> Iterator[tuple[str | int | bool, Cited]]:
    """The values that an option may take at a table of the variant, each with its citation."""
    sides = len(variant.settings["sides"].value)
    for each in option.values:
        if each.only_sides in (None, sides):
            yield each.value, each.cited


def why(cited: Cited, words: Words) -> str:
    """Where something is said and how firmly: a source says it, it was inferred, or the table agrees on it."""
    named = said_in(map(str, cited.citations), words) if cited.citations else ""
    if named and cited.notes:
        named = f"{named} ({words.text('rulebook.why.manuals', names='; '.join(cited.notes))})"
    if cited.standing is Standing.READ:
        argument = words.text(f"read.{cited.read}")
        return (
            words.text("rulebook.why.read-from", places=named, argument=argument)
            if named
            else words.text("rulebook.why.read", argument=argument)
        )
    if cited.standing is Standing.HOUSE:
        return words.text("rulebook.why.house-from", places=named) if named else words.text("rulebook.why.house")
    return words.text("rulebook.why.stated", places=named)
