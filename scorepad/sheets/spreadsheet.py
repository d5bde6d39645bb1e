"""Matches as CSV for a spreadsheet: a row for each side of each hand."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from scorepad.i18n import Language, Words
from scorepad.i18n.settings_in_words import name_score_item
from scorepad.matches.events import MATCH_TEXTS, HandState
from scorepad.matches.names import normalise
from scorepad.matches.projection import MatchState
from scorepad.rules.definitions import Ruleset
from scorepad.rules.score_lines import ITEMS, Line
from scorepad.sheets.score_table import write_line_as_text

if TYPE_CHECKING:
    from scorepad.matches import Pad
    from scorepad.matches.access import DeviceId, MatchId
    from scorepad.matches.transfer import AnyFile

Cell = str | int | None

_DELIMITERS = {Language.ITALIAN: ";", Language.ENGLISH: ","}
_WITH_BYTE_ORDER_MARK = {Language.ITALIAN}
_FIRST_HEADS = (
    "match", "started", *(text.name for text in MATCH_TEXTS), "variant", "preset", "practice", "hand", "counted",
    "side", "players", "before", "minimum", "out",
)  # fmt: skip
_LAST_HEADS = ("points", "total", "lines", "remark", "agreed")
_FORMULAS = ("=", "+", "-", "@")
"""The characters that begin a formula."""


def write_all_matches_csv(file: AnyFile, pad: Pad, device: DeviceId, words: Words) -> list[MatchId]:
    """Write all matches of a device but practice matches as CSV.

    Returns the ids of those that cannot be read, which are left out.
    """
    # The matches are read twice, because the heads above all rows name the canastas of all matches.
    unread_at_first: list[MatchId] = []
    own_matches = pad.states(device, unread_at_first, own_variants_only=True)
    own_items = _items_of_own_variants(own_matches)
    unread: list[MatchId] = []  # gets its entries while the matches are read
    file.writelines(csv_pieces(pad.states(device, unread), words, own_items))
    return unread


def write_match_csv(file: AnyFile, match: MatchState, words: Words) -> None:
    """Write one match as CSV."""
    own_items = _items_of_own_variants([match])
    file.writelines(csv_pieces([match], words, own_items))


def _items_of_own_variants(matches: Iterable[MatchState]) -> dict[str, Ruleset]:
    """The items of the score that only custom variants have, each with rules that name it.

    They are canastas (melds of seven cards or more) that a table invented.
    """
    rules_with_item: dict[str, Ruleset] = {}
    for match in matches:
        for item in match.rules.items:
            if item not in ITEMS:
                rules_with_item[item] = match.rules
    return rules_with_item


def csv_pieces(
    matches: Iterable[MatchState], words: Words, own_items: Mapping[str, Ruleset]
) -> Iterator[bytes]:
    """The matches as CSV: first the heads of the columns, then the rows of each hand.

    `own_items` are the items of the score that only custom variants have; their columns come last.
    """
    if words.language in _WITH_BYTE_ORDER_MARK:
        yield codecs.BOM_UTF8
    yield _csv_lines([_heads(words, own_items)], words)
    items = (*ITEMS, *own_items)
    for match in matches:
        match_words = words.with_rules(match.rules)
        for hand in match.hands:
            rows = _rows_of_hand(match, hand, items, match_words)
            yield _csv_lines(rows, words)


def _rows_of_hand(
    match: MatchState, hand: HandState, items: Iterable[str], words: Words
) -> list[list[Cell]]:
    """The rows of a hand, one for each side; `items` are those of the score with a column."""
    rows = []
    for position in range(len(match.sides)):
        cells = _cells_by_head(match, hand, position, words)
        points_of_items = _points_of_items(items, hand.sides[position].lines)
        rows.append(_row_in_order(cells, points_of_items))
    return rows


def _heads(words: Words, own_items: Mapping[str, Ruleset]) -> list[Cell]:
    """The heads of the columns: the items of the score stand between two groups of others."""
    heads: list[Cell] = [words.t(f"files.csv.{head}") for head in _FIRST_HEADS]
    heads += [words.t(f"item.{item}") for item in ITEMS]
    for item, rules in own_items.items():
        heads.append(name_score_item(rules.variant, item, words.with_rules(rules)))
    heads += [words.t(f"files.csv.{head}") for head in _LAST_HEADS]
    return heads


def _row_in_order(cells: Mapping[str, Cell], points_of_items: Sequence[int | None]) -> list[Cell]:
    """The cells of a row in the order of the heads; the points of the items stand between."""
    first_cells = [cells[head] for head in _FIRST_HEADS]
    last_cells = [cells[head] for head in _LAST_HEADS]
    return [*first_cells, *points_of_items, *last_cells]


def _cells_by_head(
    state: MatchState, hand: HandState, position: int, words: Words
) -> dict[str, Cell]:
    """A side's row of a hand by the names of the columns, without the points of single items."""
    side = state.sides[position]
    score = hand.sides[position]
    count_in_force = hand.versions[-1]
    variant = state.rules.variant
    preset = state.rules.preset
    lines = [write_line_as_text(line, variant, words) for line in score.lines]
    return {
        "match": state.id,
        "started": _local_time(state.started),
        **state.labels.texts,  # such as the place
        "variant": words.t(f"variant.{variant}.name"),
        "preset": words.t(f"preset.{preset}") if preset else "",
        "practice": words.t("files.csv.yes") if state.practice else "",
        "hand": state.called(hand.number),
        "counted": _local_time(count_in_force.at),
        "side": side.name,
        "players": ", ".join([name for name in side.players if name]),
        "before": score.before,
        "minimum": score.opening_minimum,
        "out": _how_it_went_out(hand, position, words),
        "points": score.hand,
        "total": score.total,
        "lines": "; ".join(lines),
        "remark": hand.remark,
        "agreed": count_in_force.event.agreed,
    }


def _how_it_went_out(hand: HandState, position: int, words: Words) -> str:
    """Whether a side went out (played its last card), and whether concealed; empty if it did not."""
    out = hand.counted.hand.out
    if out is None or out.side != position:
        return ""
    if out.concealed:
        return words.t("files.csv.concealed")
    return words.t("files.csv.yes")


def _points_of_items(items: Iterable[str], lines: Sequence[Line]) -> list[int | None]:
    """The points of each item of the score; None if the side has no line of it."""
    points_of_items: list[int | None] = []
    for item in items:
        points = [line.points for line in lines if line.item == item]
        points_of_items.append(sum(points) if points else None)
    return points_of_items


def _local_time(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def _csv_lines(rows: Iterable[Iterable[Cell]], words: Words) -> bytes:
    """Rows as lines of CSV, which end as RFC 4180 says; the language decides the delimiter."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=_DELIMITERS[words.language], lineterminator="\r\n")
    for row in rows:
        writer.writerow([_safe_cell(cell) for cell in row])
    return text.getvalue().encode("utf-8", "replace")


def _safe_cell(cell: Cell) -> Cell:
    return _safe_text(cell) if isinstance(cell, str) else cell


def _safe_text(text: str) -> str:
    """A text in one line, with an apostrophe before it if a spreadsheet may take it for a formula.

    Anybody at the table may type names such as `=HYPERLINK(…)`: → `'=HYPERLINK(…)`.
    """
    line = ""
    for letter in text:
        line += letter if letter.isprintable() else " "
    if _looks_like_formula(line):
        return f"'{line}"
    return line


def _looks_like_formula(line: str) -> bool:
    """Whether a line begins like a formula, perhaps after blanks and quotation marks.

    A spreadsheet may drop these. It may also take similar characters for the sign: `＝` for `=`,
    which is what the Unicode normalisation NFKC makes of it.
    """
    beginning = normalise(line, "NFKC").lstrip(" '\"")
    return beginning.startswith(_FORMULAS)
