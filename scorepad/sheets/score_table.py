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
    def shows_counts(self) -> bool:
        """Whether it is said how often a line counts: not for going out, which one player does once."""
        return self.item != "out"

    @property
    def sources(self) -> tuple[str, ...]:
        """The passages of rule books that state the rules of these lines, without repetitions."""
        sources: list[str] = []
        for line in self._lines_of_sides:
            sources += line.sources
        return _remove_repetitions(sources)

    @property
    def is_inferred(self) -> bool:
        """Whether a line rests on a rule that no rule book states: it is our own conclusion."""
        return any(line.standing is Standing.INFERRED for line in self._lines_of_sides)

    @property
    def inference(self) -> tuple[str, ...]:
        """Why rules of these lines are our own conclusions, which no rule book states.

        Each reason is the end of a message key: `("as-classic",)` has the message
        `read.as-classic`, "… so the classic rule applies." Empty if rule books state all rules.
        """
        reasons: list[str] = []
        for line in self._lines_of_sides:
            reasons += line.read
        return _remove_repetitions(reasons)

    @property
    def _lines_of_sides(self) -> list[Line]:
        """The lines of those sides that have one in this row."""
        return [line for line in self.lines if line is not None]


def _remove_repetitions(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts in their order, each once: `["b", "a", "b"]` → `("b", "a")`."""
    without_repetitions: list[str] = []
    for text in texts:
        if text not in without_repetitions:
            without_repetitions.append(text)
    return tuple(without_repetitions)


class ScoreTable(NamedTuple):
    """The lines of one count of a hand, side by side; `names` and `totals` are those of the sides."""

    names: tuple[str, ...]
    rows: tuple[ScoreRow, ...]
    totals: tuple[int, ...]

    @property
    def inferences(self) -> dict[tuple[str, ...], list[str]]:
        """The rows that rest on rules which no rule book states, grouped by the reasons for them.

        `{("not-mentioned",): ["Going out"]}`: a reason is the end of a message key, and each row is
        there by its label. Rows with stated rules are left out.
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
    """Lay out the score of a hand (round) as a table, with a column for each side.

    `names` are those of the sides, `variant` is the id of the game. Each row is for one thing that
    is counted, such as "Natural canastas". Points on which the players agreed have a row for each
    reason that they entered, or a single row without `by_reason`.
    """
    lines_of_sides = [index_lines_by_key(side.lines, by_reason=by_reason) for side in counted.sides]
    keys_of_rows = _list_all_keys(lines_of_sides)
    keys_of_rows.sort(key=lambda key: sort_by_item(key.item))  # canastas come first

    is_concealed = went_out_concealed(counted.hand)
    rows = []
    for key in keys_of_rows:
        label = label_line(key, words, concealed=is_concealed, variant=variant)
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


def index_lines_by_key(lines: Iterable[Line], *, by_reason: bool) -> dict[LineKey, Line]:
    """Give each line of a side's score a key by which the same line of another side is found.

    The key says what the line counts, such as `natural-canasta`. A score may have two lines with
    the same key, for two penalties of a kind: the second one gets 1 as its `repetition`. Lines that
    differ only in their reason have different keys with `by_reason`, and the same key without.
    """
    lines_by_key: dict[LineKey, Line] = {}
    for line in lines:
        reason = line.reason if by_reason else None
        key = LineKey(line.item, line.code, reason, repetition=0)
        while key in lines_by_key:
            key = key._replace(repetition=key.repetition + 1)
        lines_by_key[key] = line
    return lines_by_key


def find_line_changes(
    before: Iterable[Line], after: Iterable[Line], *, by_reason: bool
) -> list[LineChange]:
    """Compare two counts of a hand (round), and find the lines of a side that differ.

    A line differs if its count or its points do, or if only one of the two counts has it. Lines of
    the first count come first, in its order; then those that only the second one has.
    """
    lines_before = index_lines_by_key(before, by_reason=by_reason)
    lines_after = index_lines_by_key(after, by_reason=by_reason)
    changes = []
    for key in _list_all_keys([lines_before, lines_after]):
        change = LineChange(key, lines_before.get(key), lines_after.get(key))
        if _is_different(change):
            changes.append(change)
    return changes


def _list_all_keys(groups: Iterable[dict[LineKey, Line]]) -> list[LineKey]:
    """List the keys of several groups of lines, each key once, in the order in which they come."""
    keys: list[LineKey] = []
    for lines in groups:
        for key in lines:
            if key not in keys:
                keys.append(key)
    return keys


def _is_different(change: LineChange) -> bool:
    """Tell whether a line has another count or other points than before, or was added or removed."""
    before = change.before
    after = change.after
    if before is None or after is None:
        return True
    return before.count != after.count or before.points != after.points


# ---------------------------------------------------------------- labels


def label_line(key: LineKey, words: Words, *, concealed: bool, variant: str) -> str:
    """Return the label of a line of the score.

    - usually: "Natural canastas", or a name that the game (`variant`) has for it: "Clean books"
    - a penalty or a bonus of house rules: its own name
    - the bonus for ending the hand (round), if the side laid all its cards at once (`concealed`):
      "Going out concealed"
    - points that the players agreed on, with their reason: "Agreed adjustment: counted twice"
    """
    if key.code:
        return words.t(f"{key.item}.{key.code}")
    if key.item == "out" and concealed:
        return words.t("item.out-concealed")

    label = name_score_item(variant, key.item, words)
    if key.reason:
        return words.t("web.line.agreed", item=label, reason=key.reason)
    return label


def write_line_as_text(line: Line, variant: str, words: Words) -> str:
    """Write a line of the score as text for a spreadsheet: "Natural canastas (2) 1000".

    In brackets stand the number of things counted, the name of a penalty or bonus, and a reason,
    each if the line has it. `variant` is the id of the game.
    """
    details = []
    if line.count is not None:
        details.append(str(line.count))
    if line.code:
        details.append(_name_penalty_or_bonus(line.item, line.code, words))
    if line.reason:
        details.append(line.reason)

    item = name_score_item(variant, line.item, words)
    if not details:
        return f"{item} {line.points}"
    return f"{item} ({', '.join(details)}) {line.points}"


def _name_penalty_or_bonus(item: str, code: str, words: Words) -> str:
    """Return the name of a penalty or bonus by its code; the code itself if it has no name."""
    key = f"{item}.{code}"  # `item` is `penalty` or `bonus`
    return words.t(key) if words.has(key) else code


# ---------------------------------------------------------------- what a hand says beside its lines


def went_out_concealed(hand: Hand) -> bool:
    """Tell whether a side ended the hand (round) by laying all its cards at once.

    This is called "going out concealed", and earns a higher bonus in most games.
    """
    return hand.out is not None and hand.out.concealed


def list_special_hands(hand: Hand, names: Sequence[str]) -> list[tuple[str, str]]:
    """List the sides that had a special hand: a set of cards that wins the round at once.

    `names` are those of the sides. Each comes with the code of its special hand:
    `[("We", "straight")]`.
    """
    special_hands = []
    for name, side in zip(names, hand.sides, strict=True):
        if side.special:  # the code of its special hand, empty for most
            special_hands.append((name, side.special))
    return special_hands


def name_single_and_pair(hand: HandState, names: Sequence[str], words: Words) -> tuple[str, str]:
    """Name the player who played alone in a hand (round), and the two who played together.

    `names` are those of three players. The first played alone → `("Anna", "Bruno and Carla")`. If
    everyone played alone, both texts are empty.
    """
    if hand.single is None:
        return "", ""
    name_of_single = names[hand.single]
    names_of_pair = [name for side, name in enumerate(names) if side != hand.single]
    return name_of_single, words.listing(names_of_pair)
