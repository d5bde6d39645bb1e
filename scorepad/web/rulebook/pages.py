"""The pages of the rulebook as values: its first page, a game in full, the words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from flask import url_for

from scorepad.contract.variants import CLASSIC
from scorepad.i18n import Words
from scorepad.rules.rulings.catalogue import catalogue
from scorepad.rules.statements import statements_of
from scorepad.rules.variants import Variant, get_variant, sources, variant_ids
from scorepad.web.frame import Page
from scorepad.web.matches.tables import SITS, coded
from scorepad.web.rulebook import places
from scorepad.web.rulebook.choices import Choice, Codification, Picker, choices_told, codifications_told, pickers
from scorepad.web.rulebook.choosing import Chosen
from scorepad.web.rulebook.games import length_told, players_told
from scorepad.web.rulebook.items import Item, Penalty, lines_told, penalties_told, problems_told
from scorepad.web.rulebook.telling import Section, sections_told


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in the list."""

    url: str
    name: str
    players: str
    length: str
    special: str
    blank: str
    """Where its blank pads are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstPage(Page):
    """The rulebook's first page: the search, the games, and what else there is."""

    template: ClassVar[str] = "rulebook/first.html"
    games: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to start the game: what the button says, and where it leads."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Link:
    """A place on the page, or another page."""

    name: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage(Page):
    """A game in full, as its data has it or as a table chose it."""

    template: ClassVar[str] = "rulebook/game.html"
    id: str
    special: str
    about: str
    also: str
    ways: tuple[Way, ...]
    chosen: str
    """What was chosen, in words; empty where nothing was."""
    plain_url: str
    """The page with nothing chosen."""
    compare_url: str
    papers: tuple[Link, ...]
    """What can be printed of it."""
    contents: tuple[Link, ...]
    is_open: bool
    """Whether nothing is folded, as for paper from a browser that cannot unfold it."""
    open_url: str
    """The same page the other way."""
    pickers: tuple[Picker, ...]
    sections: tuple[Section, ...]
    penalties: tuple[Penalty, ...]
    lines: tuple[Item, ...]
    problems: tuple[Item, ...]
    choices: tuple[Choice, ...]
    codifications: tuple[Codification, ...]
    sources: tuple[Link, ...]
    """The sources named on the page: how they are called there, and their titles."""


def first_page(words: Words) -> FirstPage:
    """The rulebook's first page."""
    return FirstPage(
        title=words.text("rulebook.title"),
        games=tuple(_listed(get_variant(name), words) for name in variant_ids()),
    )


def _listed(variant: Variant, words: Words) -> Listed:
    return Listed(
        url=places.game_url(variant.id),
        name=words.text(f"variant.{variant.id}.name"),
        players=players_told(variant, words),
        length=length_told(variant, words),
        special=words.text(f"variant.{variant.id}.special"),
        blank=places.blank_url(variant.id),
    )


def game_page(chosen: Chosen, words: Words, *, is_open: bool = False) -> GamePage:
    """The page of a game; `is_open`: with nothing folded."""
    variant, played = chosen.variant, chosen.played
    sections = tuple(sections_told(chosen, words))
    # None stands in no address.
    other = None if variant.id == CLASSIC and not chosen.preset else CLASSIC
    also = f"rulebook.also.{variant.id}"
    return GamePage(
        title=words.text(f"variant.{variant.id}.name"),
        errors=chosen.errors,
        id=variant.id,
        special=words.text(f"variant.{variant.id}.special"),
        about=words.text("web.game.about", players=players_told(played, words), length=length_told(played, words)),
        also=words.text("rulebook.also", names=words.text(also)) if words.has(also) else "",
        ways=tuple(_ways(chosen, words)),
        chosen=chosen.told(words),
        plain_url=places.game_url(variant.id),
        compare_url=url_for("rulebook.compare", uno=_code(chosen), altro=other),
        papers=tuple(
            Link(words.text(key), url) for key, url in places.paper_urls(variant.id, chosen.preset, chosen.options)
        ),
        contents=tuple(_contents(sections, words)),
        is_open=is_open,
        open_url=chosen.url() if is_open else places.open_url(variant.id, chosen.preset, chosen.options),
        pickers=tuple(pickers(chosen, words)),
        sections=sections,
        penalties=tuple(penalties_told(chosen.rules, words)),
        lines=tuple(lines_told(chosen, words)),
        problems=tuple(problems_told(chosen, words)),
        choices=tuple(choices_told(chosen, words)),
        codifications=tuple(codifications_told(chosen, words)),
        sources=tuple(_sources(chosen, words)),
    )


def _code(chosen: Chosen) -> str:
    return f"{chosen.variant.id}/{chosen.preset}" if chosen.preset else chosen.variant.id


PARTS = ("lines", "problems", "choices", "codifications", "sources")
"""What follows the chapters."""


def _contents(sections: tuple[Section, ...], words: Words) -> Iterator[Link]:
    for section in sections:
        yield Link(section.title, f"#{section.anchor}")
    for part in PARTS:
        yield Link(words.text(f"rulebook.{part}"), f"#{places.section(part)}")


def _ways(chosen: Chosen, words: Words) -> Iterator[Way]:
    """One way to start with what is chosen; where an option decides who sits, one for each number of players."""
    variant, asked = chosen.variant, places.asked(chosen.preset, chosen.options)
    for option in variant.options.values():
        for value in option.values:
            if SITS in value.sets:
                url = url_for("matches.new", variante=variant.id, **asked | {option.id: coded(value.value)})
                players = words.text("players", count=sum(value.sets[SITS]))
                yield Way(words.text("web.game.play-in", players=players), url)
    if not any(SITS in value.sets for option in variant.options.values() for value in option.values):
        yield Way(words.text("web.game.play"), url_for("matches.new", variante=variant.id, **asked))


def _sources(chosen: Chosen, words: Words) -> Iterator[Link]:
    """The texts that the page cites, in the order of the data."""
    variant = chosen.played
    cited = [value.cited for value in variant.settings.values()]
    cited += [penalty.cited for penalty in catalogue(chosen.rules)]
    cited += [value.cited for option in variant.options.values() for value in option.values]
    cited += [each.cited for each in statements_of(variant)]
    named = {place.source for each in cited for place in each.citations}
    for source in sources().values():
        if source.id in named:
            short = f"web.source.{source.id}"
            yield Link(words.text(short) if words.has(short) else str(source.id), source.title)
