"""Two games, or two codifications of one, side by side: only what differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from scorepad.contract.applying import applies
from scorepad.i18n import Words
from scorepad.i18n.chapters import CHAPTERS, PENALTIES
from scorepad.i18n.sentences import rule_name, sentence
from scorepad.i18n.settings import setting_words
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.web.frame import FieldError, Page
from scorepad.web.rulebook import places
from scorepad.web.rulebook.choices import Picked
from scorepad.web.rulebook.choosing import Chosen
from scorepad.web.rulebook.items import penalties_told
from scorepad.web.rulebook.telling import in_book, why

_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Cell:
    """How a rule is in one of the two, why, and where it stands there; without a place it has nothing of the kind."""

    text: str
    why: str
    url: str


@dataclass(frozen=True, slots=True)
class Row:
    """A rule in which the two differ."""

    name: str
    cells: tuple[Cell, Cell]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The differences of a chapter."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the two: its name and its page."""

    name: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparePage(Page):
    """The comparison, or only the form for it."""

    template: ClassVar[str] = "rulebook/compare.html"
    one: tuple[Picked, ...]
    other: tuple[Picked, ...]
    compared: tuple[Compared, ...]
    said: str
    chapters: tuple[Chapter, ...]


def compare_page(asked: tuple[str, str], words: Words) -> ComparePage:
    """The two that an address names; as long as it does not name two, the form to choose them."""
    found = [_read(code) for code in asked]
    errors = tuple(
        FieldError(field, words.text("rulebook.compare.unknown", name=code[:_LONGEST]))
        for field, code, read in zip(("uno", "altro"), asked, found, strict=True)
        if code and read is None
    )
    one, other = found
    chapters = tuple(_chapters(one, other, words)) if one and other else ()
    count = sum(len(chapter.rows) for chapter in chapters)
    same = words.text("rulebook.compare.same")
    said = words.plural("rulebook.compare.count", count) if count else same if one and other else ""
    names = [_name(each, words) for each in found if each]
    title = words.text("rulebook.compare.of", one=names[0], other=names[1]) if one and other else ""
    return ComparePage(
        title=title or words.text("rulebook.compare.title"),
        errors=errors,
        one=tuple(_all(asked[0], words)),
        other=tuple(_all(asked[1], words)),
        compared=tuple(Compared(_name(each, words), each.url()) for each in (one, other) if each) if title else (),
        said=said,
        chapters=chapters,
    )


def _read(code: str) -> Chosen | None:
    game, _, preset = code.strip().partition("/")
    if game not in variant_ids() or (preset and preset not in get_variant(game).presets):
        return None
    return Chosen(get_variant(game), preset or None, {}, ())


def _name(chosen: Chosen, words: Words) -> str:
    name = words.text(f"variant.{chosen.variant.id}.name")
    preset = words.text(f"preset.{chosen.preset}") if chosen.preset else ""
    return words.text("rulebook.codified", game=name, preset=preset) if preset else name


def _all(chosen: str, words: Words) -> Iterator[Picked]:
    for game in variant_ids():
        for preset in (None, *get_variant(game).presets):
            each = Chosen(get_variant(game), preset, {}, ())
            code = f"{game}/{preset}" if preset else game
            yield Picked(code, _name(each, words), code == chosen.strip())


def _chapters(one: Chosen, other: Chosen, words: Words) -> Iterator[Chapter]:
    for name, keys in CHAPTERS.items():
        rows = [*_rows(keys, one, other, words), *(_penalties(one, other, words) if name == PENALTIES else ())]
        if rows:
            yield Chapter(words.text(f"rulebook.section.{name}"), tuple(rows))


def _rows(keys: tuple[str, ...], one: Chosen, other: Chosen, words: Words) -> Iterator[Row]:
    both = (one, other)
    for key in keys:
        if not any(in_book(key, each.played, words) for each in both):
            continue
        values = [setting_words(key, each.played, words) if applies(key, each.played) else "" for each in both]
        if values[0] != values[1]:
            first, second = (_cell(key, each, words) for each in both)
            yield Row(rule_name(key, words), (first, second))


def _cell(key: str, chosen: Chosen, words: Words) -> Cell:
    played = chosen.played
    if not applies(key, played):
        return Cell(words.text("rulebook.compare.not-here"), "", "")
    url = chosen.url(places.rule(key)) if in_book(key, played, words) else ""
    return Cell(sentence(key, played, words), why(played.settings[key].cited, words), url)


def _penalties(one: Chosen, other: Chosen, words: Words) -> Iterator[Row]:
    told = [{each.anchor: each for each in penalties_told(chosen.rules, words)} for chosen in (one, other)]
    for anchor in dict.fromkeys((*told[0], *told[1])):
        found = [each.get(anchor) for each in told]
        if found[0] == found[1]:
            continue
        cells = [
            Cell(penalty.points, penalty.why, chosen.url(anchor))
            if penalty
            else Cell(words.text("rulebook.compare.not-here"), "", "")
            for penalty, chosen in zip(found, (one, other), strict=True)
        ]
        name = next(penalty.name for penalty in found if penalty)
        yield Row(name, (cells[0], cells[1]))
