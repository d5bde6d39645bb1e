"""Two games, or two codifications of one, compared: rule by rule only what differs.

A codification is a preset, or a value of the option `code`, of which each value is a version of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flask import Response

from scorepad.i18n import Words
from scorepad.i18n.rulebook import CHAPTERS, PENALTIES, rule_name, rule_told
from scorepad.referee.case import faults_of
from scorepad.referee.irregularities import Irregularity, irregularities
from scorepad.rules.citations import SourceId
from scorepad.rules.statements import Statement
from scorepad.rules.variants import Variant, get_variant, variant_ids
from scorepad.schemas.variants import applies
from scorepad.web.base import FieldError, page_words, render_page
from scorepad.web.presenters import anchor, cited_words
from scorepad.web.rule_choices import LONGEST_QUOTE, ChosenRules, in_book
from scorepad.web.rulebook.content import penalty_text, sourced_statements

_VERSIONS = "code"
_LEFT_OUT = ("fault-without-fifteen", "fault-only-fifty")
"""Mistakes of sources that are figures which they leave out."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A rule in one of the two, its sources, and its place in the rulebook; empty where the game has no such rule."""

    text: str
    why: str
    url: str


@dataclass(frozen=True, slots=True)
class Row:
    """A rule that differs."""

    name: str
    cells: tuple[Cell, Cell]


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two: its choices, and the statements beside its rules.

    Where the source that its preset is named after says something else than the others, it is that statement.
    """

    chosen: ChosenRules
    source: SourceId | None
    statements: tuple[Statement, ...]


_Sides = tuple[_Side, _Side]


def show_comparison(one: str, other: str) -> Response:
    """The comparison of two codes, `classica` or `classica/getty`; until two are chosen only the form for them."""
    words = page_words()
    codes = {"uno": one, "altro": other}
    games = {field: _game_of(code) for field, code in codes.items()}
    errors = tuple(
        FieldError(field, words.text("rulebook.compare.unknown", name=code[:LONGEST_QUOTE]))
        for field, code in codes.items()
        if code and games[field] is None
    )
    found = [game for game in games.values() if game is not None]
    compared = tuple((_name(game, words), game.url()) for game in found) if len(found) == len(games) else ()
    title = words.text("rulebook.compare.title")
    if compared:
        title = words.text("rulebook.compare.of", one=compared[0][0], other=compared[1][0])
    chapters = tuple(_chapters((_side(found[0]), _side(found[1])), words)) if compared else ()
    return render_page(
        "rulebook/compare.html",
        title=title,
        errors=errors,
        one=tuple(_lines(one, words)),
        other=tuple(_lines(other, words)),
        compared=compared,
        chapters=chapters,
        count=sum(len(rows) for _, rows in chapters),
    )


def _game_of(code: str) -> ChosenRules | None:
    game, _, codification = code.strip().partition("/")
    if game not in variant_ids():
        return None
    variant = get_variant(game)
    if not codification or codification in variant.presets:
        return ChosenRules(variant, codification or None)
    return ChosenRules(variant, None, {_VERSIONS: codification}) if codification in _versions(variant) else None


def _versions(variant: Variant) -> tuple[str, ...]:
    """The versions of a game, other than the usual one."""
    option = variant.options.get(_VERSIONS)
    return tuple(str(each.value) for each in option.values if each.value != option.default) if option else ()


def _name(chosen: ChosenRules, words: Words) -> str:
    name = words.text(f"variant.{chosen.variant.id}.name")
    codified = [words.text(f"preset.{chosen.preset}")] if chosen.preset else []
    codified += [words.text(f"rulebook.version.{value}") for value in chosen.options.values()]
    return words.text("rulebook.codified", game=name, preset=codified[0]) if codified else name


def _lines(chosen: str, words: Words) -> Iterator[tuple[str, str, bool]]:
    """Every game and codification of the list, as (code, name, whether it is chosen)."""
    for game in variant_ids():
        variant = get_variant(game)
        for code in (game, *(f"{game}/{each}" for each in (*variant.presets, *_versions(variant)))):
            each = _game_of(code)
            assert each is not None
            yield code, _name(each, words), code == chosen.strip()


def _side(chosen: ChosenRules) -> _Side:
    source = chosen.variant.presets[chosen.preset].source if chosen.preset else None
    every = chosen.statements
    own = [each for each in every if each.differs and any(place.source == source for place in each.cited.citations)]
    replaced = {each.instead for each in own}
    common = (each for each in every if not each.differs and each.id not in replaced)
    return _Side(chosen, source, (*common, *own))


# ---------------------------------------------------------------- the rows


def _chapters(sides: _Sides, words: Words) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """The chapters with differences: their ids and the rows."""
    for name, keys in CHAPTERS.items():
        rows = [*_head_rows(name, sides, words), *_rule_rows(keys, sides, words)]
        if name == PENALTIES:
            rows += _penalty_rows(sides, words)
        if rows:
            yield name, tuple(rows)


def _nothing(words: Words) -> Cell:
    return Cell(words.text("rulebook.compare.not-here"), "", "")


def _only(sides: _Sides, position: int, after: str | None) -> list[Statement]:
    """The statements after a rule, or at the head of chapters, that only one of the two has."""
    there = {each.id for each in sides[1 - position].statements}
    return [each for each in sides[position].statements if each.after == after and each.id not in there]


def _head_rows(section: str, sides: _Sides, words: Words) -> Iterator[Row]:
    """The statements at the head of a chapter that only one of the two has."""
    found = [[each for each in _only(sides, position, None) if each.section == section] for position in range(2)]
    if any(found):
        first, second = (
            _cell(side, anchor("section", section), sourced_statements(statements, words), words)
            for side, statements in zip(sides, found, strict=True)
        )
        yield Row(words.text(f"rulebook.section.{section}"), (first, second))


def _rule_rows(keys: tuple[str, ...], sides: _Sides, words: Words) -> Iterator[Row]:
    """The rules that differ; two rules of one name, of which each game has one, in one row."""
    rows: dict[str, Row] = {}
    for key in keys:
        row = _rule_row(key, sides, words)
        if row and row.name in rows:
            pairs = zip(rows[row.name].cells, row.cells, strict=True)
            first, second = (one if one.url else other for one, other in pairs)
            row = Row(row.name, (first, second))
        if row:
            rows[row.name] = row
    yield from rows.values()


def _rule_row(key: str, sides: _Sides, words: Words) -> Row | None:
    if not any(in_book(key, side.chosen.played, words) for side in sides):
        return None
    texts = [rule_told(key, side.chosen.played, words) if applies(key, side.chosen.played) else "" for side in sides]
    beside = [_only(sides, position, key) for position in range(2)]
    missing = [_left_out(key, side, words) if text else [] for side, text in zip(sides, texts, strict=True)]
    if texts[0] == texts[1]:
        if not any((*beside, *missing)):
            return None
        if not any(missing):
            # The common sentence is repeated only against a statement that a source makes instead of it.
            texts = [text if _says_otherwise(beside[1 - position]) else "" for position, text in enumerate(texts)]
    parts = zip(sides, texts, beside, missing, strict=True)
    first, second = (_rule_cell(key, *each, words=words) for each in parts)
    return Row(rule_name(key, words), (first, second))


def _left_out(key: str, side: _Side, words: Words) -> list[str]:
    """What the source of a codification leaves out of a rule."""
    slips = (slip for slip in faults_of(side.chosen.rules, key) if slip.code in _LEFT_OUT)
    own = (slip for slip in slips if any(place.partition(":")[0] == side.source for place in slip.sources))
    return [words.text(f"ruling.{slip.code}") for slip in own]


def _says_otherwise(statements: list[Statement]) -> bool:
    return any(each.differs and each.instead is None for each in statements)


def _rule_cell(
    key: str, side: _Side, text: str, statements: list[Statement], left_out: list[str], *, words: Words
) -> Cell:
    if not applies(key, side.chosen.played):
        return _nothing(words)
    why = cited_words(side.chosen.played.settings[key].cited, words) if text else ""
    place = anchor("rule", key) if in_book(key, side.chosen.played, words) else ""
    sourced = [(text, why), *sourced_statements(statements, words), *((each, "") for each in left_out)]
    return _cell(side, place, sourced, words)


def _cell(side: _Side, place: str, sourced: list[tuple[str, str]], words: Words) -> Cell:
    """Texts with their sources as one cell."""
    text = " ".join(text for text, _ in sourced if text) or words.text("rulebook.compare.no-more")
    why = " ".join(dict.fromkeys(source for _, source in sourced if source))
    return Cell(text, why, side.chosen.url(place) if place else "")


def _penalty_rows(sides: _Sides, words: Words) -> Iterator[Row]:
    """The penalties with other points or consequences, whoever says so."""
    known = [{each.code: each for each in irregularities(side.chosen.rules)} for side in sides]
    for code in dict.fromkeys((*known[0], *known[1])):
        first, second = (_penalty_cell(here.get(code), side, words) for here, side in zip(known, sides, strict=True))
        if first.text != second.text:
            yield Row(words.text(f"penalty.{code}"), (first, second))


def _penalty_cell(penalty: Irregularity | None, side: _Side, words: Words) -> Cell:
    if penalty is None:
        return _nothing(words)
    place = side.chosen.url(anchor("penalty", penalty.code))
    return Cell(penalty_text(penalty, words), cited_words(penalty.cited, words), place)
