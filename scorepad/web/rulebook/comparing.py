"""Two games, or two codifications of one, side by side: only what differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from scorepad.i18n import Words
from scorepad.i18n.chapters import CHAPTERS, PENALTIES
from scorepad.rules.variants import Variant, get_variant, variant_ids
from scorepad.web.frame import FieldError, Page
from scorepad.web.rulebook.choices import Picked
from scorepad.web.rulebook.choosing import Chosen
from scorepad.web.rulebook.differing import Cell, Row, beside_rows, nothing, rule_rows, side_of
from scorepad.web.rulebook.items import penalties_told

_LONGEST = 40


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
    """A game, or one of its codifications: a preset, or a value of the option that tells its versions."""
    game, _, codified = code.strip().partition("/")
    if game not in variant_ids():
        return None
    variant = get_variant(game)
    if not codified or codified in variant.presets:
        return Chosen(variant, codified or None, {}, ())
    return Chosen(variant, None, {_VERSIONS: codified}, ()) if codified in _versions(variant) else None


_VERSIONS = "code"
"""The option whose values are each a game of its own."""


def _versions(variant: Variant) -> tuple[str, ...]:
    """The versions of a game, other than the usual one."""
    option = variant.options.get(_VERSIONS)
    return tuple(str(each.value) for each in option.values if each.value != option.default) if option else ()


def _name(chosen: Chosen, words: Words) -> str:
    name = words.text(f"variant.{chosen.variant.id}.name")
    codified = [words.text(f"preset.{chosen.preset}")] if chosen.preset else []
    codified += [words.text(f"rulebook.version.{value}") for value in chosen.options.values()]
    return words.text("rulebook.codified", game=name, preset=codified[0]) if codified else name


def _all(chosen: str, words: Words) -> Iterator[Picked]:
    for game in variant_ids():
        variant = get_variant(game)
        for codified in ("", *variant.presets, *_versions(variant)):
            code = f"{game}/{codified}" if codified else game
            each = _read(code)
            assert each is not None
            yield Picked(code, _name(each, words), code == chosen.strip())


def _chapters(one: Chosen, other: Chosen, words: Words) -> Iterator[Chapter]:
    both = (side_of(one), side_of(other))
    for name, keys in CHAPTERS.items():
        title = words.text(f"rulebook.section.{name}")
        rows = [*beside_rows(name, title, both, words), *rule_rows(keys, both, words)]
        if name == PENALTIES:
            rows += _penalties(one, other, words)
        if rows:
            yield Chapter(title, tuple(rows))


def _penalties(one: Chosen, other: Chosen, words: Words) -> Iterator[Row]:
    """What they make of mistakes: the points and what follows, whoever says so."""
    told = [{each.anchor: each for each in penalties_told(chosen.rules, words)} for chosen in (one, other)]
    for anchor in dict.fromkeys((*told[0], *told[1])):
        found = [each.get(anchor) for each in told]
        cells = [
            Cell(f"{penalty.points} {penalty.remedy}".strip(), penalty.why, chosen.url(anchor))
            if penalty
            else nothing(words)
            for penalty, chosen in zip(found, (one, other), strict=True)
        ]
        if cells[0].text != cells[1].text:
            yield Row(next(penalty.name for penalty in found if penalty), (cells[0], cells[1]))
