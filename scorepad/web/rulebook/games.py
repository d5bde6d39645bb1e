"""A game told in a few words: its players, how long it goes, what sets it apart, what may be chosen, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from scorepad.contract.applying import is_told
from scorepad.contract.variants import differences
from scorepad.i18n import Words
from scorepad.i18n.settings import setting_words, value_word
from scorepad.rules.citations import Cited, Standing
from scorepad.rules.loader import Preset
from scorepad.rules.variants import Variant
from scorepad.web.citing import places


@dataclass(frozen=True, slots=True)
class Difference:
    """What is otherwise than in the classic game: how it is here, how there, and where that is said.

    `classic` is empty where the classic game has nothing of the kind, `source` where it is that of the comparison.
    """

    name: str
    here: str
    classic: str
    source: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that a game decides otherwise than the classic one, and where most of it is said."""

    differences: tuple[Difference, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A rule with its value in words, and why it is so."""

    name: str
    value: str
    source: str


def players_told(variant: Variant, words: Words) -> str:
    """How many play: `4 giocatori`; where that may be chosen `2, 3 o 4 giocatori`."""
    *few, last = map(words.figure, sorted(variant.players.value))
    count = words.text("web.either", some=", ".join(few), last=last) if few else last
    return words.text("players", count=count)


def length_told(variant: Variant, words: Words) -> str:
    """How long a match goes: up to a target, or so many hands."""
    hands = variant.settings["match-deals"].value
    if isinstance(hands, int):
        return words.plural("web.length.hands", hands)
    return words.text("web.length.target", target=int(variant.settings["target"].value))


def compared(variant: Variant, words: Words) -> Comparison | None:
    """What decides anything in the game and is otherwise in the classic one; None for that one itself."""
    found = [each for each in differences(variant, words) if each.matters]
    if not found:
        return None
    said = [places(map(str, each.cited.citations), words) for each in found]
    usual, nothing = Counter(said).most_common(1)[0][0], words.text("value.not-here")
    told = (
        Difference(
            each.name,
            each.here,
            "" if each.classic == nothing else each.classic,
            _source("" if source == usual else source, each.cited, words),
        )
        for each, source in zip(found, said, strict=True)
    )
    return Comparison(tuple(told), usual)


def _source(source: str, why: Cited, words: Words) -> str:
    """A source, and how firmly it stands where it does not say the thing outright."""
    standing = "" if why.standing is Standing.STATED else words.text(f"standing.{why.standing}")
    return " · ".join(filter(None, (source, standing)))


def figures(variant: Variant, words: Words) -> Iterator[Figure]:
    """Every rule of the game that says anything, in the order of the data."""
    for key, value in variant.settings.items():
        if is_told(key, variant):
            yield Figure(words.text(f"setting.{key}"), setting_words(key, variant, words), told(value.cited, words))


def changes(preset: Preset, words: Words) -> str:
    """What a codification chooses, in words."""
    chosen = [
        words.text("web.new.chosen", option=words.text(f"option.{name}"), value=value_word(name, value, words))
        for name, value in preset.options.items()
    ]
    return "; ".join(chosen) or words.text("web.new.preset.nothing")


def told(why: Cited, words: Words) -> str:
    """Where a choice is said, or that it was read into the sources, and why, or agreed at the table."""
    said = [places(map(str, why.citations), words)] if why.citations else []
    if why.read:
        said.append(words.text("web.new.read", why=words.text(f"read.{why.read}")))
    elif why.standing is not Standing.STATED:
        said.append(words.text(f"standing.{why.standing}"))
    return ". ".join(said)
