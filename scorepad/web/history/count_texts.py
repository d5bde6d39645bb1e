"""What the log of a match says of the points of a hand: how it was counted, what was corrected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.matches.events import Counted
from scorepad.rules.hand import HOUSE
from scorepad.rules.score_lines import Line, sort_by_item
from scorepad.sheets.score_table import (
    LineChange,
    LineKey,
    find_line_changes,
    index_lines_by_key,
    label_line,
    went_out_concealed,
)

_WITHOUT_CARDS = ("sum", "penalty", "adjustment")
"""Items not derived from the cards."""


class ShownChange(NamedTuple):
    """A score line that a correction changed, in words."""

    side: str
    item: str
    before: str
    """Its points before the correction; empty if the hand had no such line."""
    after: str
    """Its points after the correction; empty if the hand has no such line any more."""


@dataclass(frozen=True)
class CountTexts:
    """Describes counts of a hand (a round of the game), of which one may have replaced another."""

    words: Words
    variant: str

    def describe_points(self, names: Sequence[str], before: Counted | None, after: Counted) -> str:
        """Say how many points each side got in a hand (a round of the game).

        - counted for the first time (`before` is None) → `We +530, They −60`
        - corrected → `We from +430 to +530, They still −60`
        """
        texts = []
        for position, name in enumerate(names):
            points = after.sides[position].points
            if before is None:
                texts.append(self._describe_points_of_side(name, points))
            else:
                points_before = before.sides[position].points
                texts.append(self._describe_change_of_points(name, points_before, points))
        return ", ".join(texts)

    def describe_totals(self, names: Sequence[str], totals: Sequence[int]) -> str:
        """Say which total each side has: `We 1,280, They −15`."""
        texts = []
        for name, total in zip(names, totals, strict=True):
            texts.append(self.words.t("history.points", side=name, points=self.words.figure(total)))
        return ", ".join(texts)

    def describe_totals_after(self, names: Sequence[str], counted: Counted) -> str:
        """Say which total each side has after a hand (a round of play): `We 1,280, They −15`."""
        totals = []
        for total_before, side in zip(counted.before, counted.sides, strict=True):
            totals.append(total_before + side.points)
        return self.describe_totals(names, totals)

    def list_changed_lines(
        self, names: Sequence[str], before: Counted | None, after: Counted
    ) -> list[ShownChange]:
        """List the lines of the score that an entry of the log shows below the points of a hand.

        A hand is a round of the game, and `before` and `after` are two counts of it, with the
        lines of each side. `names` are those of the sides.

        - the hand was corrected → each line that differs: `We`, `Red threes`, `+100`, `+200`
        - it was counted for the first time (`before` is None) → each line that the cards do not
          explain, such as a penalty: `We`, its name, nothing, `−100`
        """
        changes: list[ShownChange] = []
        for position, name in enumerate(names):
            if before is None:
                changes += self._list_lines_not_of_cards(name, position, after)
            else:
                changes += self._list_lines_that_differ(name, position, before, after)
        return changes

    def _list_lines_not_of_cards(
        self, side_name: str, position: int, counted: Counted
    ) -> Iterator[ShownChange]:
        """List the lines of a side's score that do not follow from its cards.

        These are agreed points, penalties and adjustments. The log shows them when a hand is
        counted for the first time, so that nobody wonders about them later. `position` is 0 for
        the first side.
        """
        lines = index_lines_by_key(counted.sides[position].lines, by_reason=True)
        for key in sorted(lines, key=_make_sort_key_of_line):
            if key.item not in _WITHOUT_CARDS:
                continue
            if key.code == HOUSE:
                continue  # a penalty that the players made up: the log shows it with its reason
            points = self._write_points_of_first_count(lines[key])
            yield ShownChange(side_name, self._label(key, counted), before="", after=points)

    def _list_lines_that_differ(
        self, side_name: str, position: int, before: Counted, after: Counted
    ) -> Iterator[ShownChange]:
        """List the lines of a side's score that a correction of a hand changed, added or removed.

        A changed line → `We`, `Natural canastas`, `+300`, `+600`. A line that is gone has no text
        after, and a new one none before. `position` is 0 for the first side.
        """
        changes = find_line_changes(
            before.sides[position].lines,
            after.sides[position].lines,
            by_reason=True,  # several penalties are lines of their own
        )
        for change in sorted(changes, key=_make_sort_key_of_change):
            is_line_gone = change.after is None
            label = self._label(change.key, before if is_line_gone else after)
            yield ShownChange(
                side=side_name,
                item=label,
                before=self._write_points_and_count(change.before),
                after=self._write_points_and_count(change.after),
            )

    def _label(self, key: LineKey, counted: Counted) -> str:
        """Return the label of a line of the score, as on the sheet: "Natural canastas".

        `counted` is the count of the hand (round) that has the line. The bonus for playing the last
        card has another label if the side had laid nothing before its last turn ("concealed").
        """
        return label_line(
            key,
            self.words,
            concealed=went_out_concealed(counted.hand),
            variant=self.variant,
        )

    def _describe_points_of_side(self, name: str, points: int) -> str:
        """Say how many points a side got in a hand (a round of the game): `We +530`."""
        return self.words.t("history.points", side=name, points=self.words.signed(points))

    def _describe_change_of_points(self, name: str, points_before: int, points: int) -> str:
        """Say how a correction changed the points of a side in a hand (a round of the game).

        - 430 and 530 → `We from +430 to +530`
        - 430 and 430 → `We still +430`
        """
        after = self.words.signed(points)  # with a sign: "+530"
        if points_before == points:
            return self.words.t("history.points.same", side=name, points=after)
        before = self.words.signed(points_before)
        return self.words.t("history.points.changed", side=name, before=before, after=after)

    def _write_points_and_count(self, line: Line | None) -> str:
        """Write the points of a line of the score, and how often it counts.

        - two canastas for 600 points → `+600 (2)`
        - a line without a number, such as agreed points → `+600`
        - no line → an empty text
        """
        if line is None:
            return ""
        points = self.words.signed(line.points)
        is_going_out = line.item == "out"  # only one player can go out, so the number is always 1
        if line.count is None or is_going_out:
            return points
        return self.words.t("history.cell", points=points, count=line.count)  # "{points} ({count})"

    def _write_points_of_first_count(self, line: Line) -> str:
        """Write the points of a line of the score when its hand was counted for the first time.

        - a penalty that was given once → `−100`
        - a penalty that was given twice → `−200 (2)`

        A correction shows the number 1 too, to compare it with the number before.
        """
        if line.count == 1:
            return self.words.signed(line.points)
        return self._write_points_and_count(line)

    def is_sum_unchecked(self, counted: Counted) -> bool:
        """Tell whether only the sum of a side's points was typed, which the rules cannot check."""
        for lines in counted.lines:
            if any(line.item == "sum" for line in lines):
                return True
        return False


def _make_sort_key_of_line(key: LineKey) -> tuple[float, str, str, int]:
    """Return a sort key that puts lines of the score in the order in which the sheet shows them.

    Lines of one item, such as several penalties, are sorted by their code and their reason.
    """
    place_of_item = sort_by_item(key.item)
    return (place_of_item, key.code or "", key.reason or "", key.repetition)


def _make_sort_key_of_change(change: LineChange) -> tuple[float, str, str, int]:
    """Return a sort key that puts changed lines in the order in which the sheet shows them."""
    return _make_sort_key_of_line(change.key)
