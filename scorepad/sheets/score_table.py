"""A counted hand as a table: a row for each line of the score, with its label and each side's part.

Pages, sheets, the log and the spreadsheet show a score by these rows and labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import item_word
from scorepad.matches.events import Counted, HandState
from scorepad.rules.definitions import Standing
from scorepad.rules.hand import Hand
from scorepad.rules.score_lines import Line, item_order


class ScoreRow(NamedTuple):
    """The label of a line, and the line of each side; None if a side has none."""

    item: str
    code: str | None
    label: str
    lines: tuple[Line | None, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The citations of the rules applied, without duplicates."""
        cited: list[str] = []
        for line in self.lines:
            if line is not None:
                cited += line.sources
        return tuple(dict.fromkeys(cited))

    @property
    def is_inferred(self) -> bool:
        """Whether a rule applied is inferred from the sources: none of them states it."""
        standings = [line.standing for line in self.lines if line]
        return Standing.READ in standings

    @property
    def inference(self) -> tuple[str, ...]:
        """The reasons why rules are inferred, as keys of the catalogue without `read.`."""
        reasons: list[str] = []
        for line in self.lines:
            if line is not None:
                reasons += line.read
        return tuple(dict.fromkeys(reasons))


class ScoreTable(NamedTuple):
    """The lines of one count of a hand, side by side; `names` and `totals` are those of the sides."""

    names: tuple[str, ...]
    rows: tuple[ScoreRow, ...]
    totals: tuple[int, ...]

    @property
    def inferences(self) -> dict[tuple[str, ...], list[str]]:
        """The inferences of its rows, each with the labels of the rows that rest on it."""
        labels: dict[tuple[str, ...], list[str]] = {}
        for row in self.rows:
            if row.inference:
                labels.setdefault(row.inference, []).append(row.label)
        return labels


def build_score_table(
    counted: Counted, names: Sequence[str], variant: str, words: Words, *, by_reason: bool
) -> ScoreTable:
    """A count in rows, in the order of the items; `by_reason`: one row for each reason, which it
    names.
    """
    lines_of_sides = [keyed_lines(side.lines, by_reason=by_reason) for side in counted.sides]
    keys: dict[LineKey, None] = {}
    for lines_of_side in lines_of_sides:
        keys |= dict.fromkeys(lines_of_side)

    is_concealed = went_out_concealed(counted.hand)
    rows = []
    for key in sorted(keys, key=_order_of_line):
        label = line_label(key, words, concealed=is_concealed, variant=variant)
        lines = tuple(lines_of_side.get(key) for lines_of_side in lines_of_sides)
        rows.append(ScoreRow(key.item, key.code, label, lines))
    totals = tuple(side.points for side in counted.sides)
    return ScoreTable(tuple(names), tuple(rows), totals)


def _order_of_line(key: LineKey) -> float:
    return item_order(key.item)


# ---------------------------------------------------------------- lines of two counts


class LineKey(NamedTuple):
    """What tells the lines of a side apart; `repetition` counts the equal ones before a line."""

    item: str
    code: str | None
    reason: str | None
    repetition: int = 0


class LineChange(NamedTuple):
    """A line that differs between two counts; None where a count has no such line."""

    key: LineKey
    before: Line | None
    after: Line | None


def keyed_lines(lines: Iterable[Line], *, by_reason: bool) -> dict[LineKey, Line]:
    """The lines of a side by key; without `by_reason`, keys have no reasons."""
    repetitions = Counter[LineKey]()
    keyed = {}
    for line in lines:
        key = LineKey(line.item, line.code, line.reason if by_reason else None)
        keyed[key._replace(repetition=repetitions[key])] = line
        repetitions[key] += 1
    return keyed


def line_changes(
    before: Iterable[Line], after: Iterable[Line], *, by_reason: bool
) -> list[LineChange]:
    """The lines of a side whose count or points differ: those of the first count, then new ones."""
    old = keyed_lines(before, by_reason=by_reason)
    new = keyed_lines(after, by_reason=by_reason)
    changes = []
    for key in dict.fromkeys((*old, *new)):
        change = LineChange(key, old.get(key), new.get(key))
        if _count_and_points(change.before) != _count_and_points(change.after):
            changes.append(change)
    return changes


def _count_and_points(line: Line | None) -> tuple[int | None, int] | None:
    return (line.count, line.points) if line else None


# ---------------------------------------------------------------- labels


def line_label(key: LineKey, words: Words, *, concealed: bool, variant: str) -> str:
    """The label of a line; `concealed`: the side that went out did so concealed."""
    if key.code:
        return words.t(f"{key.item}.{key.code}")
    if key.item == "out" and concealed:
        return words.t("item.out-concealed")
    label = item_word(variant, key.item, words)
    if key.reason:
        return words.t("web.line.agreed", item=label, reason=key.reason)
    return label


def line_in_text(line: Line, variant: str, words: Words) -> str:
    """A line with its count and reason: `Canaste naturali (2) 1000`."""
    details = []
    if line.count is not None:
        details.append(str(line.count))
    if line.code:
        key = f"{line.item}.{line.code}"
        details.append(words.t(key) if words.has(key) else line.code)
    if line.reason:
        details.append(line.reason)
    item = item_word(variant, line.item, words)
    if not details:
        return f"{item} {line.points}"
    return f"{item} ({', '.join(details)}) {line.points}"


# ---------------------------------------------------------------- what a hand says beside its lines


def went_out_concealed(hand: Hand) -> bool:
    """Whether a side went out concealed in a hand."""
    return hand.out is not None and hand.out.concealed


def special_hands(hand: Hand, names: Sequence[str]) -> list[tuple[str, str]]:
    """The sides that showed a special hand, each with that hand's name in the rules."""
    shown = []
    for name, side in zip(names, hand.sides, strict=True):
        if side.special:
            shown.append((name, side.special))
    return shown


def single_and_pair(hand: HandState, names: Sequence[str], words: Words) -> tuple[str, str]:
    """The single player and the pair, if pairs change in every hand; empty if everyone played
    alone.
    """
    if hand.single is None:
        return "", ""
    pair = [name for side, name in enumerate(names) if side != hand.single]
    return names[hand.single], words.listing(pair)
