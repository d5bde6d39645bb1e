"""Matches for a spreadsheet: CSV, a row for each hand and side, each line of the score in a column of its own.

Italian spreadsheets part columns by semicolons and know UTF-8 by its mark; English ones take commas. Figures are plain:
neither grouped nor with any sign but the ASCII minus, so that a sum adds them up.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import datetime

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
    heads = [f"files.csv.{head}" for head in _HEADS] + [f"item.{item}" for item in ITEMS]
    heads += [f"files.csv.{head}" for head in _LAST_HEADS]
    writer.writerow(_guarded(map(words.text, heads)))
    for state in matches:
        for hand in state.hands:
            writer.writerows(_guarded(_row(state, hand, side, words)) for side in range(len(state.sides)))
    return text.getvalue().encode("utf-8-sig" if words.language in _MARKED else "utf-8", "replace")


def _row(state: MatchState, hand: HandState, position: int, words: Words) -> list[Cell]:
    """A side's row of a hand: the match, the side and its points of each item, empty where it has no such line."""
    side, stood, counted = state.sides[position], hand.sides[position], hand.counted
    out = counted.hand.get("out") or {}
    went = out.get("side") == SIDE_KEYS[position]
    lines = {item: [line.points for line in stood.lines if line.item == item] for item in ITEMS}
    return [
        state.id,
        _moment(state.started),
        state.place,
        words.text(f"variant.{state.rules.variant}.name"),
        words.text(f"preset.{state.rules.preset}") if state.rules.preset else "",
        words.text("files.csv.yes") if state.practice else "",
        state.called(hand.number),
        _moment(hand.versions[-1].at),
        side.name,
        ", ".join(name for name in side.players if name),
        stood.total - stood.hand,
        stood.opening_minimum,
        words.text("files.csv.concealed" if out.get("concealed") else "files.csv.yes") if went else "",
        *(sum(points) if points else None for points in lines.values()),
        stood.hand,
        stood.total,
        "; ".join(_line(line, state.rules.variant, words) for line in stood.lines),
        hand.remark,
        counted.agreed,
    ]


def _moment(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def _line(line: Line, variant: str, words: Words) -> str:
    """A line with how many and why: `Canaste naturali (2) 1000`."""
    penalty = f"penalty.{line.code}" if line.code else ""
    why = words.text(penalty) if penalty and words.has(penalty) else line.code or ""
    about = ", ".join(filter(None, ("" if line.count is None else str(line.count), why, line.reason or "")))
    item = item_word(variant, line.item, words)
    return f"{item} ({about}) {line.points}" if about else f"{item} {line.points}"


def _guarded(row: Iterable[Cell]) -> list[Cell]:
    """A row of which no cell is a formula: what people wrote is text, whatever it begins with."""
    return [_text(cell) if isinstance(cell, str) else cell for cell in row]


def _text(cell: str) -> str:
    line = "".join(letter if letter.isprintable() else " " for letter in cell)
    plain = composed(line, "NFKC").lstrip(" '\"")
    return f"'{line}" if plain.startswith(_FORMULAS) else line
