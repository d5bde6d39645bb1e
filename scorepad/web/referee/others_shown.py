"""Where the same question is answered otherwise, and what differs; and what the answer there depends on besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from scorepad.errors import ChoiceError
from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words, verdict_word
from scorepad.i18n.settings import item_word, value_word
from scorepad.matches.rulings import OtherAnswer, asked_key
from scorepad.referee.alternatives import other_values
from scorepad.referee.answers import Detail, Verdict
from scorepad.rules.cards import read_cards
from scorepad.rules.variants import Choices, Ruleset, get_variant, settle
from scorepad.web.citing import places
from scorepad.web.referee.asking import Asking
from scorepad.web.referee.pages import Other

Details = Mapping[str, Detail]

_SAID = {
    "discard": ("effect",),
    "end-of-stock": ("hand_ends", "must_take"),
    "opening": ("minimum",),
    "penalty": ("points", "held"),
    "red-threes": ("points",),
    "upcard": ("frozen", "redeal"),
}
"""The details that the one word of a value says already."""


@dataclass(frozen=True, slots=True)
class Here:
    """The answer that others are told beside: under which rules, to which kind of question, in which details."""

    rules: Ruleset
    kind: str
    verdict: str
    details: Details

    def others(self, answers: Iterable[OtherAnswer], words: Words) -> Iterator[Other]:
        """The other codifications and options, each with its answer."""
        here = verdict_word(self.kind, self.verdict, self.details, words)
        for other in answers:
            word = verdict_word(self.kind, other.verdict, other.details, words)
            differ = {name: other.details.get(name) for name in (*self.details, *other.details)
                      if _of(name, other.details) != _of(name, self.details)}  # fmt: skip
            if word != here:
                differ = dict(_beside_the_word(self.kind, other.verdict, differ))
            told = (_detail(name, value, self.rules, words) for name, value in differ.items())
            name = name_of(self.rules, other.preset, other.changed, words)
            yield Other(name, word, ", ".join(filter(None, told)), places(other.sources, words))


def _beside_the_word(kind: str, verdict: str, differ: Details) -> Iterator[tuple[str, Detail]]:
    """What the one word leaves to be told: of yes and no only the figures."""
    is_value = verdict == Verdict.VALUE
    for name, value in differ.items():
        is_figure = isinstance(value, int) and not isinstance(value, bool) and value != 0
        if name not in _SAID.get(kind, ()) if is_value else is_figure:
            yield name, value


def _of(name: str, details: Details) -> tuple[bool, Detail]:
    return name in details, details.get(name)


def name_of(rules: Ruleset, preset: str | None, changed: Choices, words: Words) -> str:
    """Other rules by what makes them others: a codification, or options."""
    options = [
        words.text("web.new.chosen", option=words.text(f"option.{name}"), value=value_word(name, value, words))
        for name, value in changed.items()
    ]
    return "; ".join((*([words.text(f"preset.{preset}")] if preset and preset != rules.preset else []), *options))


def _detail(name: str, value: Detail, rules: Ruleset, words: Words) -> str:
    """A figure of an answer; what is nothing there, where that says something."""
    key = f"referee.detail.{name}"
    match value:
        case None:
            return words.text(f"{key}.none") if words.has(f"{key}.none") else ""
        case bool():
            return words.text(f"{key}.{'yes' if value else 'no'}")
        case int():
            return words.text(key, points=value)
        case _:
            return _named(name, value, rules, words)


def _named(name: str, value: str, rules: Ruleset, words: Words) -> str:
    """A detail that is a name out of the contract."""
    if name == "canasta":
        return item_word(rules.variant, value, words)
    if name == "top":
        card = cards_in_words(read_cards(value).cards.counts, words)
        return words.text("referee.detail.top", card=card)
    return words.text(f"remedy.{value}" if name == "remedy" else f"referee.detail.{name}.{value}")


# ---------------------------------------------------------------------------------------------------- what is not known


def depends_told(asking: Asking) -> Iterator[str]:
    """What the answer under other rules depends on besides, which under these nobody needs to say."""
    words, found = asking.situation.words, dict[tuple[str, ...], list[str]]()
    here = {slot.name for slot in asking.slots}
    for name, rules in _others(asking.situation.rules, words):
        there = replace(asking, situation=replace(asking.situation, rules=rules))
        more = [slot.name for slot in there.slots if slot.name not in here]
        if more:
            facts = tuple(words.text(asked_key(asking.question.kind, slot, words)) for slot in more)
            found.setdefault(facts, []).append(name)
    for facts, names in found.items():
        yield words.text("referee.elsewhere.depends", rules="; ".join(names), facts=", ".join(facts))


def _others(rules: Ruleset, words: Words) -> Iterator[tuple[str, Ruleset]]:
    """The other rules of the game: its codifications, and each option by itself."""
    try:
        variant = get_variant(rules.variant)
        for preset in variant.presets:
            if preset != rules.preset:
                yield name_of(rules, preset, {}, words), settle(variant.id, preset)
        for option, value in other_values(variant, rules):
            changed = {option.id: value.value}
            yield name_of(rules, None, changed, words), settle(variant.id, rules.preset, changed)
    except ChoiceError:
        return  # a match keeps the rules that it began with; what they were chosen from may be gone
