"""Matches for a spreadsheet: CSV, a row for each hand and side, each line of the score in a column of its own.

Italian spreadsheets part columns by semicolons and know UTF-8 by its mark; English ones take commas. Figures are plain:
neither grouped nor with any sign but the ASCII minus, so that a sum adds them up.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from scorepad.i18n import Language, Words
from scorepad.i18n.settings import item_word
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.names import composed
from scorepad.matches.projection import HandState, MatchState
from scorepad.rules.score import ITEMS, Line

Cell = str | int | None

_DELIMITERS = {Language.ITALIAN: ";", Language.ENGLISH: ","}
_MARKED = {Language.ITALIAN}
_HEADS = (
    "match", "started", "place", "variant", "preset", "practice", "hand", "counted", "side", "players", "before",
    "minimum", "out",
)  # fmt: skip
_LAST_HEADS = ("points", "total", "lines", "remark", "agreed")
_FORMULAS = ("=", "+", "-", "@")
"""What begins a formula, once its letters are written in the usual way: `＝` is one of them."""


def rows_csv(matches: Iterable[MatchState], words: Words) -> bytes:
    """The matches as CSV, lines ended as RFC 4180 has them."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=_DELIMITERS[words.language], lineterminator="\r\n")
    writer.writerow(_guarded(_heads(words)))
    for state in matches:
        writer.writerows(_guarded(row) for row in _rows(state, words))
    return text.getvalue().encode("utf-8-sig" if words.language in _MARKED else "utf-8", "replace")


def _heads(words: Words) -> Iterator[str]:
    yield from (words.text(f"files.csv.{head}") for head in _HEADS)
    yield from (words.text(f"item.{item}") for item in ITEMS)
    yield from (words.text(f"files.csv.{head}") for head in _LAST_HEADS)


def _rows(state: MatchState, words: Words) -> Iterator[list[Cell]]:
    for hand in state.hands:
        for position in range(len(state.sides)):
            yield [
                *_of_match(state, words),
                *_of_side(state, hand, position, words),
                *_of_lines(hand.sides[position].lines),
                hand.sides[position].hand,
                hand.sides[position].total,
                _told(state, hand.sides[position].lines, words),
                hand.remark,
                hand.counted.agreed,
            ]


def _of_match(state: MatchState, words: Words) -> Iterator[Cell]:
    yield state.id
    yield f"{state.started.astimezone():%Y-%m-%d %H:%M}"
    yield state.place
    yield words.text(f"variant.{state.rules.variant}.name")
    yield words.text(f"preset.{state.rules.preset}") if state.rules.preset else ""
    yield words.text("files.csv.yes") if state.practice else ""


def _of_side(state: MatchState, hand: HandState, position: int, words: Words) -> Iterator[Cell]:
    side, stood = state.sides[position], hand.sides[position]
    yield state.called(hand.number)
    yield f"{hand.versions[-1].at.astimezone():%Y-%m-%d %H:%M}"
    yield side.name
    yield ", ".join(name for name in side.players if name)
    yield stood.total - stood.hand
    yield stood.opening_minimum
    out = hand.counted.hand.get("out") or {}
    went = out.get("side") == SIDE_KEYS[position]
    yield words.text("files.csv.concealed" if out.get("concealed") else "files.csv.yes") if went else ""


def _of_lines(lines: tuple[Line, ...]) -> Iterator[Cell]:
    """The points of each item, empty where the side has no such line."""
    for item in ITEMS:
        found = [line.points for line in lines if line.item == item]
        yield sum(found) if found else None


def _told(state: MatchState, lines: tuple[Line, ...], words: Words) -> str:
    """The lines one after the other, with how many and why: `Canaste naturali (2) 1000; Carte calate (21) 270`."""
    return "; ".join(_line(line, state.rules.variant, words) for line in lines)


def _line(line: Line, variant: str, words: Words) -> str:
    item = item_word(variant, line.item, words)
    about = [str(line.count) if line.count is not None else "", _penalty(line, words), line.reason or ""]
    said = ", ".join(filter(None, about))
    return f"{item} ({said}) {line.points}" if said else f"{item} {line.points}"


def _penalty(line: Line, words: Words) -> str:
    if line.code is None:
        return ""
    key = f"penalty.{line.code}"
    return words.text(key) if words.has(key) else line.code


def _guarded(row: Iterable[Cell]) -> list[Cell]:
    """A row of which no cell is a formula: what people wrote is text, whatever it begins with."""
    return [_text(cell) if isinstance(cell, str) else cell for cell in row]


def _text(cell: str) -> str:
    line = "".join(letter if letter.isprintable() else " " for letter in cell)
    plain = composed(line, "NFKC").lstrip(" '\"")
    return f"'{line}" if plain.startswith(_FORMULAS) else line
