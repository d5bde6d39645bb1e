"""The presenter of scores: the lines of a counted hand as rows, with their labels, what each side
has there, their sources, and the readings that they rest on.

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
            cited += line.sources if line else ()
        return tuple(dict.fromkeys(cited))

    @property
    def is_reading(self) -> bool:
        """Whether a rule applied is an inference from the sources."""
        standings = [line.standing for line in self.lines if line]
        return Standing.READ in standings

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the arguments of a reading (`read.…` in the catalogue)."""
        names: list[str] = []
        for line in self.lines:
            names += line.read if line else ()
        return tuple(dict.fromkeys(names))


class ScoreTable(NamedTuple):
    """The lines of one count of a hand, side by side; `names` and `totals` are those of the sides."""

    names: tuple[str, ...]
    rows: tuple[ScoreRow, ...]
    totals: tuple[int, ...]

    @property
    def readings(self) -> dict[tuple[str, ...], list[str]]:
        """The arguments of its readings, each with the labels of the rows based on it."""
        labels: dict[tuple[str, ...], list[str]] = {}
        for row in self.rows:
            if row.arguments:
                labels.setdefault(row.arguments, []).append(row.label)
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
        keys.update(dict.fromkeys(lines_of_side))
    is_concealed = went_out_concealed(counted.hand)
    rows = []
    for key in sorted(keys, key=lambda key: item_order(key.item)):
        label = line_label(key, words, concealed=is_concealed, variant=variant)
        lines = tuple(lines.get(key) for lines in lines_of_sides)
        rows.append(ScoreRow(key.item, key.code, label, lines))
    totals = tuple(side.points for side in counted.sides)
    return ScoreTable(tuple(names), tuple(rows), totals)


# ---------------------------------------------------------------- lines of two counts


class LineKey(NamedTuple):
    """What makes two lines the same one: item, code and reason, and how many equal ones come before."""

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
    equal_lines = Counter[LineKey]()
    keyed = {}
    for line in lines:
        first = LineKey(line.item, line.code, line.reason if by_reason else None)
        keyed[first._replace(repetition=equal_lines[first])] = line
        equal_lines[first] += 1
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
