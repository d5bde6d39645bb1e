"""What may be chosen in a game: its options with their values, its codifications, and the form to choose them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flask import url_for

from scorepad.contract.applying import applies
from scorepad.i18n import Words
from scorepad.i18n.settings import value_word
from scorepad.rules.loader import Option, Preset
from scorepad.rules.variants import Variant, as_played, default_of, settle
from scorepad.web.citing import source_title
from scorepad.web.matches.tables import coded
from scorepad.web.rulebook import places
from scorepad.web.rulebook.choosing import Chosen
from scorepad.web.rulebook.games import changes
from scorepad.web.rulebook.telling import values_of, why


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an option: whether it is the usual one, or another that the page shows; its source; how to show it."""

    name: str
    is_usual: bool
    is_shown: bool
    why: str
    url: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a table may choose."""

    anchor: str
    name: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Codification:
    """A codification: what it chooses, and the text it is named after."""

    anchor: str
    name: str
    choices: str
    source: str
    url: str
    compare_url: str
    """The game as it is usually played beside it; empty where that is the same."""


@dataclass(frozen=True, slots=True)
class Picked:
    """A line of a list to choose from."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Picker:
    """A list to choose from, or a field for a figure where `lines` is empty."""

    name: str
    label: str
    lines: tuple[Picked, ...]
    value: str = ""
    hint: str = ""


def choices_told(chosen: Chosen, words: Words) -> Iterator[Choice]:
    """The options of the game with all their values."""
    for option in _options(chosen.variant):
        told = _amount(chosen, option, words) if option.step is not None else _values(chosen, option, words)
        yield Choice(places.choice(option.id), words.text(f"option.{option.id}"), tuple(told))


def _options(variant: Variant) -> Iterator[Option]:
    """Those that decide anything in the game, by one of their values at least."""
    for option in variant.options.values():
        keys = {key for value in option.values for key in value.sets}
        tables = (as_played(variant.id, None, {option.id: value.value}) for value in variant.values_of(option))
        if option.step is not None or any(applies(key, table) for table in tables for key in keys):
            yield option


def _values(chosen: Chosen, option: Option, words: Words) -> Iterator[Value]:
    usual, now = default_of(chosen.variant, option), chosen.rules.options[option.id]
    for value, cited in values_of(chosen.variant, option):
        is_shown = coded(value) == coded(now)
        url = "" if is_shown else chosen.url_with(option.id, value, places.choice(option.id))
        name = value_word(option.id, value, words)
        is_usual = coded(value) == coded(usual)
        yield Value(name, is_usual, is_shown and not is_usual, why(cited, words), url)


def _amount(chosen: Chosen, option: Option, words: Words) -> Iterator[Value]:
    usual, now = default_of(chosen.variant, option), chosen.rules.options[option.id]
    assert option.cited is not None
    assert option.sets is not None
    cited = chosen.variant.settings[option.sets].cited
    yield Value(words.figure(int(usual)), is_usual=True, is_shown=False, why=why(cited, words), url="")
    yield from _values(chosen, option, words)
    amount = words.text(f"option.{option.id}.{'amount' if option.step != 1 else 'any'}", step=int(option.step or 1))
    is_own = now != usual and option.value_of(now) is None
    own = words.figure(int(now)) if is_own else amount
    yield Value(own, is_usual=False, is_shown=is_own, why=why(option.cited, words), url="")


def codifications_told(chosen: Chosen, words: Words) -> Iterator[Codification]:
    """The codifications of the game."""
    for preset in chosen.variant.presets.values():
        yield Codification(
            anchor=places.codification(preset.id),
            name=words.text(f"preset.{preset.id}"),
            choices=changes(preset, words),
            source=source_title(preset.source),
            url=places.game_url(chosen.variant.id, preset.id),
            compare_url=_compared(chosen.variant.id, preset),
        )


def _compared(game: str, preset: Preset) -> str:
    return url_for("rulebook.compare", uno=game, altro=f"{game}/{preset.id}") if preset.options else ""


def pickers(chosen: Chosen, words: Words) -> Iterator[Picker]:
    """The fields to choose the rules of a table: the codification, then every option."""
    variant = chosen.variant
    if variant.presets:
        none = Picked("", words.text("web.new.preset.nothing"), chosen.preset is None)
        named = [Picked(each, words.text(f"preset.{each}"), each == chosen.preset) for each in variant.presets]
        yield Picker(places.PRESET, words.text("rulebook.choose.preset"), (none, *named))
    follows = settle(variant.id, chosen.preset).options
    for option in _options(variant):
        label = words.text(f"option.{option.id}")
        is_told = chosen.preset is not None and option.id in variant.presets[chosen.preset].options
        usual = words.text(
            "rulebook.choose.as-told" if is_told else "rulebook.choose.usual",
            value=value_word(option.id, follows[option.id], words),
        )
        own = chosen.options.get(option.id)
        if option.step is not None:
            yield Picker(option.id, label, (), "" if own is None else str(own), usual)
            continue
        lines = [Picked("", usual, own is None)]
        lines += [
            Picked(coded(value), value_word(option.id, value, words), own is not None and coded(own) == coded(value))
            for value, _ in values_of(variant, option)
            if coded(value) != coded(follows[option.id]) or own is not None
        ]
        yield Picker(option.id, label, tuple(lines))
