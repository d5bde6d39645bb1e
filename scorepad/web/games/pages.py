"""The pages of the games as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from flask import url_for

from scorepad.i18n import Words
from scorepad.i18n.settings import value_word
from scorepad.rules.loader import Option
from scorepad.rules.variants import Variant, default_of, get_variant, variant_ids
from scorepad.web.citing import source_title
from scorepad.web.frame import Page
from scorepad.web.games.telling import (
    Comparison,
    Figure,
    changes,
    compared,
    figures,
    length_told,
    players_told,
    told,
)
from scorepad.web.matches.tables import SITS, coded


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in the list."""

    url: str
    name: str
    players: str
    length: str
    special: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesPage(Page):
    """All games."""

    template: ClassVar[str] = "games/list.html"
    games: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to start the game: what the button says, and where it leads."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an option, whether it is the usual one, and where it is said."""

    name: str
    is_usual: bool
    source: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a table may choose."""

    name: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage(Page):
    """A game: what is special, what it changes, what may be chosen, and every figure with its source."""

    template: ClassVar[str] = "games/page.html"
    special: str
    about: str
    ways: tuple[Way, ...]
    comparison: Comparison | None
    """None for the classic game itself."""
    codifications: tuple[Figure, ...]
    choices: tuple[Choice, ...]
    figures: tuple[Figure, ...]


def games_page(words: Words) -> GamesPage:
    """The list of the games."""
    return GamesPage(
        title=words.text("web.games.title"),
        games=tuple(_listed(get_variant(name), words) for name in variant_ids()),
    )


def _listed(variant: Variant, words: Words) -> Listed:
    return Listed(
        url=url_for("games.page", game=variant.id),
        name=words.text(f"variant.{variant.id}.name"),
        players=players_told(variant, words),
        length=length_told(variant, words),
        special=words.text(f"variant.{variant.id}.special"),
    )


def game_page(variant: Variant, words: Words) -> GamePage:
    """The page of a game."""
    return GamePage(
        title=words.text(f"variant.{variant.id}.name"),
        special=words.text(f"variant.{variant.id}.special"),
        about=words.text("web.game.about", players=players_told(variant, words), length=length_told(variant, words)),
        ways=tuple(_ways(variant, words)),
        comparison=compared(variant, words),
        codifications=tuple(
            Figure(words.text(f"preset.{preset.id}"), changes(preset, words), source_title(preset.source))
            for preset in variant.presets.values()
        ),
        choices=tuple(_choice(variant, option, words) for option in variant.options.values()),
        figures=tuple(figures(variant, words)),
    )


def _ways(variant: Variant, words: Words) -> Iterator[Way]:
    """One way to start; where an option decides who sits at the table, one for each number of players."""
    for option in variant.options.values():
        for value in option.values:
            if SITS in value.sets:
                asked: dict[str, Any] = {option.id: coded(value.value)}
                url = url_for("matches.new", variante=variant.id, **asked)
                players = words.text("players", count=sum(value.sets[SITS]))
                yield Way(words.text("web.game.play-in", players=players), url)
    if not any(SITS in value.sets for option in variant.options.values() for value in option.values):
        yield Way(words.text("web.game.play"), url_for("matches.new", variante=variant.id))


def _choice(variant: Variant, option: Option, words: Words) -> Choice:
    usual = default_of(variant, option)
    if option.step is not None and option.cited is not None:
        kind = "amount" if option.step > 1 else "any"
        amount = words.text(f"option.target.{kind}", step=option.step)
        why = told(variant.settings[str(option.sets)].cited, words)
        values: tuple[Value, ...] = (
            Value(words.figure(int(usual)), is_usual=True, source=why),
            Value(amount, is_usual=False, source=told(option.cited, words)),
        )
    else:
        values = tuple(
            Value(value_word(option.id, each.value, words), coded(each.value) == coded(usual), told(each.cited, words))
            for each in variant.values_of(option)
        )
    return Choice(words.text(f"option.{option.id}"), values)
