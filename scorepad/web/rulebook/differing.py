"""Where two games, or two codifications of one, differ: rule by rule, and in what the sources say beside the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorepad.contract.applying import applies
from scorepad.i18n import Words
from scorepad.i18n.sentences import rule_name, rule_told
from scorepad.rules.citations import SourceId
from scorepad.rules.rulings.faults import slips_of
from scorepad.rules.statements import Statement, statements_of
from scorepad.rules.variants import Variant
from scorepad.web.rulebook import places
from scorepad.web.rulebook.choosing import Chosen
from scorepad.web.rulebook.telling import in_book, why


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
class Side:
    """One of the two that are compared.

    `played` is its variant under its choices, `text` the source that its codification is named after, `said` what is
    said beside its rules: where that text says otherwise, what it says.
    """

    chosen: Chosen
    played: Variant
    text: SourceId | None
    said: tuple[Statement, ...]

    def lacks(self, key: str, words: Words) -> list[str]:
        """What the text of its codification leaves out of a rule."""
        found = (slip for slip in slips_of(self.chosen.rules, key) if slip.code in _LEFT_OUT)
        own = (slip for slip in found if any(place.partition(":")[0] == self.text for place in slip.sources))
        return [words.text(f"ruling.{slip.code}") for slip in own]


def side_of(chosen: Chosen) -> Side:
    """A game or codification, to be compared."""
    played = chosen.played
    text = chosen.variant.presets[chosen.preset].source if chosen.preset else None
    every = tuple(statements_of(played))
    own = [each for each in every if each.differs and any(place.source == text for place in each.cited.citations)]
    replaced = {each.instead for each in own}
    said = (*(each for each in every if not each.differs and each.id not in replaced), *own)
    return Side(chosen, played, text, said)


_LEFT_OUT = ("fault-without-fifteen", "fault-only-fifty")
"""Faults of the sources that are figures which they do not give."""

Sides = tuple[Side, Side]


def nothing(words: Words) -> Cell:
    """That there is nothing of the kind."""
    return Cell(words.text("rulebook.compare.not-here"), "", "")


def rule_rows(keys: tuple[str, ...], both: Sides, words: Words) -> Iterator[Row]:
    """The rules that are not the same in both; of two that bear one name one row is made."""
    rows: dict[str, Row] = {}
    for key in keys:
        row = _row(key, both, words)
        if row:
            rows[row.name] = _joined(rows[row.name], row) if row.name in rows else row
    yield from rows.values()


def _joined(one: Row, other: Row) -> Row:
    """Two rows of which each tells what the other has nothing of."""
    first, second = (each if each.url else instead for each, instead in zip(one.cells, other.cells, strict=True))
    return Row(one.name, (first, second))


def _row(key: str, both: Sides, words: Words) -> Row | None:
    if not any(in_book(key, each.played, words) for each in both):
        return None
    told = [rule_told(key, each.played, words) if applies(key, each.played) else "" for each in both]
    beside = [_only(both, place, key) for place in range(2)]
    lacking = [each.lacks(key, words) if text else [] for each, text in zip(both, told, strict=True)]
    if told[0] == told[1]:
        if not any((*beside, *lacking)):
            return None
        told = told if any(lacking) else [_same(told[0], each) for each in reversed(beside)]
    parts = zip(both, told, beside, lacking, strict=True)
    first, second = (_cell(key, *each, words=words) for each in parts)
    return Row(rule_name(key, words), (first, second))


def _same(told: str, there: list[Statement]) -> str:
    """A rule that is the same in both, to be told only against what a text says instead of it."""
    return told if any(each.differs and each.instead is None for each in there) else ""


def _cell(key: str, side: Side, told: str, beside: list[Statement], lacking: list[str], *, words: Words) -> Cell:
    played = side.played
    if not applies(key, played):
        return nothing(words)
    texts = [told, *(words.text(f"rulebook.statement.{each.id}") for each in beside), *lacking]
    whys = [why(played.settings[key].cited, words) if told else "", *(why(each.cited, words) for each in beside)]
    url = side.chosen.url(places.rule(key)) if in_book(key, played, words) else ""
    text = " ".join(filter(None, texts)) or words.text("rulebook.compare.no-more")
    return Cell(text, " ".join(dict.fromkeys(filter(None, whys))), url)


def beside_rows(section: str, title: str, both: Sides, words: Words) -> Iterator[Row]:
    """What stands at the head of a chapter in one of the two only."""
    found = [[each for each in _only(both, place, None) if each.section == section] for place in range(2)]
    if any(found):
        first, second = (_head(section, side, said, words) for side, said in zip(both, found, strict=True))
        yield Row(title, (first, second))


def _head(section: str, side: Side, said: list[Statement], words: Words) -> Cell:
    texts = [words.text(f"rulebook.statement.{each.id}") for each in said]
    whys = dict.fromkeys(why(each.cited, words) for each in said)
    text = " ".join(texts) or words.text("rulebook.compare.no-more")
    return Cell(text, " ".join(whys), side.chosen.url(places.section(section)))


def _only(both: Sides, place: int, key: str | None) -> list[Statement]:
    """What stands beside a rule, or at the head of chapters, in this one of the two and not in the other."""
    there = {each.id for each in both[1 - place].said}
    return [each for each in both[place].said if each.after == key and each.id not in there]
