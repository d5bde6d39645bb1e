"""Matches as CSV for a spreadsheet: a row for each side of each hand."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from scorepad.i18n import Language, Words
from scorepad.i18n.settings_in_words import item_word
from scorepad.matches.events import MATCH_TEXTS, HandState
from scorepad.matches.names import composed
from scorepad.matches.projection import MatchState
from scorepad.rules.definitions import Ruleset
from scorepad.rules.score_lines import ITEMS, Line
from scorepad.sheets.score_table import line_in_text

if TYPE_CHECKING:
    from scorepad.matches import Pad
    from scorepad.matches.access import DeviceId, MatchId

Cell = str | int | None

_DELIMITERS = {Language.ITALIAN: ";", Language.ENGLISH: ","}
_WITH_BYTE_ORDER_MARK = {Language.ITALIAN}
_FIRST_HEADS = (
    "match", "started", *(text.name for text in MATCH_TEXTS), "variant", "preset", "practice", "hand", "counted",
    "side", "players", "before", "minimum", "out",
)  # fmt: skip
_LAST_HEADS = ("points", "total", "lines", "remark", "agreed")
_FORMULAS = ("=", "+", "-", "@")
"""The characters that begin a formula, after Unicode normalisation: `＝` counts as `=`."""


def every_row_csv(
    pad: Pad, device: DeviceId, words: Words, unread: list[MatchId]
) -> Iterator[bytes]:
    """All matches of a device but practice matches as CSV; `unread` gets those that cannot be read."""
    own_items = items_of_own_variants(pad.states(device, [], own_variants_only=True))
    return rows_csv(pad.states(device, unread), words, own_items)


def items_of_own_variants(matches: Iterable[MatchState]) -> dict[str, Ruleset]:
    """The canastas that only custom variants have, each with rules that name it."""
    rules_of: dict[str, Ruleset] = {}
    for state in matches:
        own_items = [item for item in state.rules.items if item not in ITEMS]
        for item in own_items:
            rules_of[item] = state.rules
    return rules_of


def rows_csv(
    matches: Iterable[MatchState], words: Words, own_items: Mapping[str, Ruleset]
) -> Iterator[bytes]:
    """The matches as CSV, with line ends as in RFC 4180: the heads, then the rows of each match.

    `own_items` are the canastas of their custom variants, which come last.
    """
    if words.language in _WITH_BYTE_ORDER_MARK:
        yield codecs.BOM_UTF8
    yield _csv_lines([_heads(words, own_items)], words)
    items = (*ITEMS, *own_items)
    for state in matches:
        match_words = words.with_rules(state.rules)
        for hand in state.hands:
            sides = range(len(state.sides))
            rows = [_side_row(state, hand, side, items, match_words) for side in sides]
            yield _csv_lines(rows, words)


def _heads(words: Words, own_items: Mapping[str, Ruleset]) -> list[Cell]:
    heads: list[Cell] = [words.t(f"files.csv.{head}") for head in _FIRST_HEADS]
    heads += [words.t(f"item.{item}") for item in ITEMS]
    for item, rules in own_items.items():
        heads.append(item_word(rules.variant, item, words.with_rules(rules)))
    heads += [words.t(f"files.csv.{head}") for head in _LAST_HEADS]
    return heads


def _side_row(
    state: MatchState, hand: HandState, position: int, items: Sequence[str], words: Words
) -> list[Cell]:
    """A side's row of a hand: the match, the side, its points of each item, and its lines."""
    side = state.sides[position]
    score = hand.sides[position]
    rules = state.rules
    points_of_items = [_item_points(item, score.lines) for item in items]
    lines = [line_in_text(line, rules.variant, words) for line in score.lines]
    return [
        state.id,
        _local_time(state.started),
        *state.labels.texts.values(),
        words.t(f"variant.{rules.variant}.name"),
        words.t(f"preset.{rules.preset}") if rules.preset else "",
        words.t("files.csv.yes") if state.practice else "",
        state.called(hand.number),
        _local_time(hand.versions[-1].at),
        side.name,
        ", ".join(name for name in side.players if name),
        score.before,
        score.opening_minimum,
        _how_it_went_out(hand, position, words),
        *points_of_items,
        score.hand,
        score.total,
        "; ".join(lines),
        hand.remark,
        hand.counted.agreed,
    ]


def _how_it_went_out(hand: HandState, position: int, words: Words) -> str:
    out = hand.counted.hand.out
    if out is None or out.side != position:
        return ""
    if out.concealed:
        return words.t("files.csv.concealed")
    return words.t("files.csv.yes")


def _item_points(item: str, lines: Iterable[Line]) -> int | None:
    """The points of all lines of an item; None if there is none."""
    points = [line.points for line in lines if line.item == item]
    return sum(points) if points else None


def _local_time(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def _csv_lines(rows: Iterable[Iterable[Cell]], words: Words) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=_DELIMITERS[words.language], lineterminator="\r\n")
    for row in rows:
        writer.writerow([_safe_cell(cell) for cell in row])
    return text.getvalue().encode("utf-8", "replace")


def _safe_cell(cell: Cell) -> Cell:
    return _safe_text(cell) if isinstance(cell, str) else cell


def _safe_text(text: str) -> str:
    """A text in one line that a spreadsheet does not take for a formula."""
    line = ""
    for letter in text:
        line += letter if letter.isprintable() else " "
    plain = composed(line, "NFKC").lstrip(" '\"")
    return f"'{line}" if plain.startswith(_FORMULAS) else line
