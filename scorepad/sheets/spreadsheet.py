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
    """Write all matches of a device, except practice matches, as CSV for a spreadsheet.

    Returns the ids of stored matches that cannot be read. They are left out.
    """
    # Matches by house rules are read twice. The first row has the heads of all columns, also of
    # those for canastas that only some house rules have: so these must be known first.
    ignored: list[MatchId] = []  # those that cannot be read are reported the second time
    matches_by_house_rules = pad.states(device, ignored, own_variants_only=True)
    own_items = _find_items_of_house_rules(matches_by_house_rules)

    # Matches are read one by one while the file is written. Those that cannot be read are added
    # to the list meanwhile.
    unread: list[MatchId] = []
    all_matches = pad.states(device, unread)
    file.writelines(yield_csv(all_matches, words, own_items))
    return unread


def write_match_csv(file: AnyFile, match: MatchState, words: Words) -> None:
    """Write one match as CSV for a spreadsheet: a row for each side of each hand (round)."""
    own_items = _find_items_of_house_rules([match])
    file.writelines(yield_csv([match], words, own_items))


def _find_items_of_house_rules(matches: Iterable[MatchState]) -> dict[str, Ruleset]:
    """Find what the score counts only by house rules: `{"all-sevens": rules}`.

    An item is one thing that the score counts. The usual ones have a name among our messages; for
    an item that a table invented, its rules have the name.
    """
    rules_with_item: dict[str, Ruleset] = {}
    for match in matches:
        for item in match.rules.items:
            if item not in ITEMS:
                rules_with_item[item] = match.rules
    return rules_with_item


def yield_csv(
    matches: Iterable[MatchState], words: Words, own_items: Mapping[str, Ruleset]
) -> Iterator[bytes]:
    """Yield matches as CSV, piece by piece: the heads of the columns, then the rows of each hand.

    Each thing that the score counts, such as `natural-canasta`, has a column. `own_items` are those
    that only house rules have; their columns come after the usual ones.
    """
    if words.language in _WITH_BYTE_ORDER_MARK:
        yield codecs.BOM_UTF8  # otherwise Excel takes the text for another encoding
    heads = _list_heads(words, own_items)
    yield _format_csv([heads], words)
    items = (*ITEMS, *own_items)
    for match in matches:
        match_words = words.with_rules(match.rules)
        for hand in match.hands:
            rows = _make_rows_of_hand(match, hand, items, match_words)
            yield _format_csv(rows, words)


def _make_rows_of_hand(
    match: MatchState, hand: HandState, items: Iterable[str], words: Words
) -> list[list[Cell]]:
    """Make the rows of a hand (round), one for each side.

    `items` are the things that the score may count, such as `natural-canasta`: each has a column.
    """
    rows = []
    for position in range(len(match.sides)):
        cells = _make_cells_by_head(match, hand, position, words)
        first_cells = [cells[head] for head in _FIRST_HEADS]
        points_of_items = _sum_points_of_items(items, hand.sides[position].lines)
        last_cells = [cells[head] for head in _LAST_HEADS]
        rows.append([*first_cells, *points_of_items, *last_cells])
    return rows


def _list_heads(words: Words, own_items: Mapping[str, Ruleset]) -> list[Cell]:
    """List the heads of the columns: "Match", "Begun", …, "Natural canastas", …, "Agreed because".

    In the middle are the things that the score counts. Those of house rules have their names in
    the file of these rules.
    """
    heads: list[Cell] = [words.t(f"files.csv.{head}") for head in _FIRST_HEADS]
    heads += [words.t(f"item.{item}") for item in ITEMS]
    for item, rules in own_items.items():
        heads.append(name_score_item(rules.variant, item, words.with_rules(rules)))
    heads += [words.t(f"files.csv.{head}") for head in _LAST_HEADS]
    return heads


def _make_cells_by_head(
    state: MatchState, hand: HandState, position: int, words: Words
) -> dict[str, Cell]:
    """Make the cells of the row of one side in a hand (round), by the names of the columns.

    `position` is that of the side. The columns for the single things that the score counts are not
    among them.
    """
    side = state.sides[position]
    score = hand.sides[position]
    count_in_force = hand.versions[-1]  # the first entry, or the last correction
    variant = state.rules.variant
    preset = state.rules.preset
    lines = [write_line_as_text(line, variant, words) for line in score.lines]
    return {
        "match": state.id,
        "started": _format_local_time(state.started),
        **state.labels.texts,  # such as the place
        "variant": words.t(f"variant.{variant}.name"),
        "preset": words.t(f"preset.{preset}") if preset else "",
        "practice": words.t("files.csv.yes") if state.practice else "",
        "hand": state.number_for_players(hand.number),
        "counted": _format_local_time(count_in_force.at),
        "side": side.name,
        "players": ", ".join([name for name in side.players if name]),
        "before": score.before,
        "minimum": score.opening_minimum,
        "out": _say_how_side_went_out(hand, position, words),
        "points": score.hand,
        "total": score.total,
        "lines": "; ".join(lines),
        "remark": hand.remark,
        "agreed": count_in_force.event.agreed,
    }


def _say_how_side_went_out(hand: HandState, position: int, words: Words) -> str:
    """Say whether a side ended a hand (round) by playing its last card, and in which way.

    - "yes"
    - "concealed", if it laid all its cards at once
    - another side did, or nobody: empty
    """
    out = hand.counted.hand.out
    if out is None or out.side != position:
        return ""
    if out.concealed:
        return words.t("files.csv.concealed")
    return words.t("files.csv.yes")


def _sum_points_of_items(items: Iterable[str], lines: Sequence[Line]) -> list[int | None]:
    """Sum up a side's points for each thing that the score may count.

    `items` are `natural-canasta`, `mixed-canasta`, …: `[1000, None, …]`, where None stands for
    things that the side has no line for.
    """
    points_of_items: list[int | None] = []
    for item in items:
        points = [line.points for line in lines if line.item == item]
        points_of_items.append(sum(points) if points else None)
    return points_of_items


def _format_local_time(at: datetime) -> str:
    """Format a moment in the time zone of this machine: "2026-11-21 21:05"."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def _format_csv(rows: Iterable[Iterable[Cell]], words: Words) -> bytes:
    """Format rows as lines of CSV, with the line ends of RFC 4180.

    The delimiter depends on the language: an Italian spreadsheet expects `;`, since the comma
    stands in its numbers.
    """
    text = io.StringIO()
    writer = csv.writer(text, delimiter=_DELIMITERS[words.language], lineterminator="\r\n")
    for row in rows:
        writer.writerow([_make_cell_safe(cell) for cell in row])
    return text.getvalue().encode("utf-8", "replace")


def _make_cell_safe(cell: Cell) -> Cell:
    """Return a cell that a spreadsheet does not take for a formula; numbers stay as they are."""
    return _make_text_safe(cell) if isinstance(cell, str) else cell


def _make_text_safe(text: str) -> str:
    """Return a text in one line that a spreadsheet does not take for a formula.

    Anybody at the table may type a name, also one that attacks the person who opens the file:
    `=HYPERLINK(…)` → `'=HYPERLINK(…)`. A spreadsheet shows a cell that begins with an apostrophe as
    plain text.
    """
    line = ""
    for character in text:
        if character.isprintable():
            line += character
        else:
            line += " "  # a line break, for example
    if _looks_like_formula(line):
        return f"'{line}"
    return line


def _looks_like_formula(line: str) -> bool:
    """Tell whether a spreadsheet may take a line for a formula.

    - `=1+1`, `+1`, `-1`, `@SUM(A1)` → True
    - ` "=1+1` → True: a spreadsheet may drop blanks and quotation marks at the beginning
    - `＝1+1` → True: some spreadsheets take similar characters for the sign. The Unicode
      normalisation NFKC makes them the usual ones.
    - `Marta` → False
    """
    with_usual_signs = normalise(line, "NFKC")
    beginning = with_usual_signs.lstrip(" '\"")
    return beginning.startswith(_FORMULAS)
