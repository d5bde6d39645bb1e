"""A counted hand as a table: a row for each line of the score, with its label and each side's part.

Pages, sheets, the log and the spreadsheet show a score by these rows and labels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import name_score_item
from scorepad.matches.events import Counted, HandState
from scorepad.rules.definitions import Standing
from scorepad.rules.hand import Hand
from scorepad.rules.score_lines import Line, sort_by_item


class ScoreRow(NamedTuple):
    """The label of a line, and the line of each side; None if a side has none."""

    item: str
    code: str | None
    label: str
    lines: tuple[Line | None, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The passages of rule books on which these lines rest, each of them once."""
        sources: list[str] = []
        for line in self._lines_of_sides:
            sources += line.sources
        return _each_once(sources)

    @property
    def is_inferred(self) -> bool:
        """Whether a line rests on a rule that no rule book states: it is read between the lines."""
        return any(line.standing is Standing.INFERRED for line in self._lines_of_sides)

    @property
    def inference(self) -> tuple[str, ...]:
        """The reasons why these lines rest on rules that no rule book states, each of them once.

        A reason is a name, such as `not-mentioned`. The message `read.not-mentioned` puts it in
        words.
        """
        reasons: list[str] = []
        for line in self._lines_of_sides:
            reasons_of_line = line.read
            reasons += reasons_of_line
        return _each_once(reasons)

    @property
    def _lines_of_sides(self) -> list[Line]:
        return [line for line in self.lines if line is not None]


def _each_once(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts in their order, without repetitions: `["b", "a", "b"]` → `("b", "a")`."""
    seen: list[str] = []
    for text in texts:
        if text not in seen:
            seen.append(text)
    return tuple(seen)


class ScoreTable(NamedTuple):
    """The lines of one count of a hand, side by side; `names` and `totals` are those of the sides."""

    names: tuple[str, ...]
    rows: tuple[ScoreRow, ...]
    totals: tuple[int, ...]

    @property
    def inferences(self) -> dict[tuple[str, ...], list[str]]:
        """The labels of the rows that rest on rules which no rule book states, by the reasons why.

        The reasons are names: `{("not-mentioned",): ["Chiusura"]}`. Rows without any are left out.
        """
        labels_by_reasons: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for row in self.rows:
            reasons = row.inference
            if reasons:
                labels_by_reasons[reasons].append(row.label)
        return labels_by_reasons


def build_score_table(
    counted: Counted, names: Sequence[str], variant: str, words: Words, *, by_reason: bool
) -> ScoreTable:
    """Lay out the score of a hand as a table: a row for each thing counted, a column for each side.

    `names` are those of the sides, `variant` is the version of the game. `by_reason`: points that
    were agreed for different reasons stand in rows of their own, whose labels have the reasons.
    """
    lines_of_sides = [lines_by_key(side.lines, by_reason=by_reason) for side in counted.sides]
    keys_of_rows = _keys_in_order(lines_of_sides)
    keys_of_rows.sort(key=lambda key: sort_by_item(key.item))

    is_concealed = went_out_concealed(counted.hand)
    rows = []
    for key in keys_of_rows:
        label = line_label(key, words, concealed=is_concealed, variant=variant)
        # A side that has no such line has None in the row.
        line_of_each_side = tuple(lines.get(key) for lines in lines_of_sides)
        rows.append(ScoreRow(key.item, key.code, label, line_of_each_side))
    return ScoreTable(
        names=tuple(names),
        rows=tuple(rows),
        totals=tuple(side.points for side in counted.sides),
    )


# ---------------------------------------------------------------- lines of two counts


class LineKey(NamedTuple):
    """What tells the lines of a side apart, and pairs them with those of another side or count.

    `code` is that of a penalty or bonus, `reason` that of what the table agreed. `repetition` is the
    number of equal lines before this one: two equal penalties are 0 and 1.
    """

    item: str
    code: str | None
    reason: str | None
    repetition: int = 0


class LineChange(NamedTuple):
    """A line that differs between two counts; None where a count has no such line."""

    key: LineKey
    before: Line | None
    after: Line | None


def lines_by_key(lines: Iterable[Line], *, by_reason: bool) -> dict[LineKey, Line]:
    """The lines of a side's score by keys, so that the same line of another count can be looked up.

    Equal lines are told apart by a number: two equal penalties have the repetitions 0 and 1. Without
    `by_reason`, lines that differ only in their reason count as equal.
    """
    keyed: dict[LineKey, Line] = {}
    for line in lines:
        reason = line.reason if by_reason else None
        key = LineKey(line.item, line.code, reason, repetition=0)
        while key in keyed:
            key = key._replace(repetition=key.repetition + 1)
        keyed[key] = line
    return keyed


def find_line_changes(
    before: Iterable[Line], after: Iterable[Line], *, by_reason: bool
) -> list[LineChange]:
    """The lines of a side whose count or points differ between two counts of a hand.

    Those of the first count come first, in its order; then those that only the second has.
    """
    lines_before = lines_by_key(before, by_reason=by_reason)
    lines_after = lines_by_key(after, by_reason=by_reason)
    changes = []
    for key in _keys_in_order([lines_before, lines_after]):
        change = LineChange(key, lines_before.get(key), lines_after.get(key))
        if _differs(change):
            changes.append(change)
    return changes


def _keys_in_order(groups: Iterable[dict[LineKey, Line]]) -> list[LineKey]:
    """The keys of several groups of lines, each once, in the order in which they come first."""
    keys: dict[LineKey, None] = {}  # a dictionary keeps the order
    for lines in groups:
        for key in lines:
            keys[key] = None
    return list(keys)


def _differs(change: LineChange) -> bool:
    """Whether a line has another count or other points than before, or is only in one of both."""
    before = change.before
    after = change.after
    if before is None or after is None:
        return True
    return before.count != after.count or before.points != after.points


# ---------------------------------------------------------------- labels


def line_label(key: LineKey, words: Words, *, concealed: bool, variant: str) -> str:
    """The label of a line of the score in words, such as "Cards in hand".

    `concealed`: a side ended the hand by laying all its cards at once. `variant`: the version of the
    game, which may have a name of its own for what the line counts.
    """
    if key.code:  # a penalty or bonus: each has a name of its own
        return words.t(f"{key.item}.{key.code}")
    if key.item == "out" and concealed:
        return words.t("item.out-concealed")

    label = name_score_item(variant, key.item, words)
    if key.reason:  # the table agreed on points, and said why
        return words.t("web.line.agreed", item=label, reason=key.reason)
    return label


def line_in_text(line: Line, variant: str, words: Words) -> str:
    """A line of the score as text: what it counts, its details and its points.

    The details are how often it counts, the name of a penalty or bonus, and a reason:
    `Canaste naturali (2) 1000`.
    """
    details = []
    if line.count is not None:
        details.append(str(line.count))
    if line.code:
        details.append(_name_of_code(line.item, line.code, words))
    if line.reason:
        details.append(line.reason)
    item = name_score_item(variant, line.item, words)
    if not details:
        return f"{item} {line.points}"
    return f"{item} ({', '.join(details)}) {line.points}"


def _name_of_code(item: str, code: str, words: Words) -> str:
    """The name of a penalty or bonus; its code if the words have no name for it."""
    key = f"{item}.{code}"
    return words.t(key) if words.has(key) else code


# ---------------------------------------------------------------- what a hand says beside its lines


def went_out_concealed(hand: Hand) -> bool:
    """Whether a side ended the hand by laying all its cards at once, none of them earlier."""
    return hand.out is not None and hand.out.concealed


def special_hands(hand: Hand, names: Sequence[str]) -> list[tuple[str, str]]:
    """The names of the sides that showed a special hand, which wins without laying cards as usual.

    Each name comes with the code of that hand in the rules: `[("Noi", "straight")]`.
    """
    shown = []
    for name, side in zip(names, hand.sides, strict=True):
        if side.special:
            shown.append((name, side.special))
    return shown


def single_and_pair(hand: HandState, names: Sequence[str], words: Words) -> tuple[str, str]:
    """The name of the player who played alone, and the names of the two who played against that
    one: `"Anna"`, `"Bruno e Carla"`. Both texts are empty if everyone played alone.
    """
    if hand.single is None:
        return "", ""
    pair = [name for side, name in enumerate(names) if side != hand.single]
    return names[hand.single], words.listing(pair)
