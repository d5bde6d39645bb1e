"""What the page shows on which a side checks the count of a hand by the other side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.matches.events import Counted, HandState, LogEntry
from scorepad.matches.projection import MatchState
from scorepad.rules.score_lines import Line
from scorepad.sheets.score_table import ScoreTable, build_score_table
from scorepad.web.matches.hand_texts import HandTexts
from scorepad.web.presenters import moment


class ShownCount(NamedTuple):
    """A count of the hand: its entry in the log, its caption, and its lines as a table."""

    entry: LogEntry[Counted]
    caption: str
    whose: str
    """By which side, or which of two counts it is."""
    reason: str
    """Why it was entered, as a sentence; empty if no reason was given."""
    agreement: list[str]
    """Why it was counted although it breaks rules, and which; empty if it keeps them."""
    table: ScoreTable
    may_be_chosen: bool


class DifferingLine(NamedTuple):
    """A line of the score with other points in each of two counts."""

    name: str
    cells: list[tuple[str, str]]
    """Whose each count is, and what it has, in words."""


class CheckPage:
    """The page on which a hand (round) is checked: one count of it, or two of which to choose."""

    def __init__(
        self,
        state: MatchState,
        hand: HandState,
        words: Words,
        *,
        may_check: bool,
        may_choose: Sequence[bool],
    ) -> None:
        """Prepare the texts of the page.

        `may_check` is whether this device may check the hand, and `may_choose` whether it may choose
        the first of two counts, and the second one.
        """
        self._match = state
        self._words = words
        self.hand = hand
        self.may_check = may_check
        self.is_choice = bool(hand.contest) and state.access.can_write
        self.can_confirm = may_check and not hand.contest and not hand.confirmed
        self.counts = self._list_counts(may_choose)
        self.differences = self._list_differences()

    @property
    def reason_for_no_button(self) -> str:
        """Why the page has no button to check the hand; empty if it has one."""
        if self.is_choice:
            return ""
        if self.hand.confirmed:
            when = moment(self.hand.confirmed, self._words)
            return self._words.t("checking.why-not.confirmed", when=when)
        if not self.may_check:
            return self._words.t("checking.why-not.own")
        return ""

    def _list_counts(self, may_choose: Sequence[bool]) -> list[ShownCount]:
        """List the counts of the hand: the one in force, then the other side's, if any."""
        entries = [self.hand.count_in_force]
        if self.hand.contest is not None:
            entries.append(self.hand.contest)
        texts = HandTexts(self._match, self._words)
        counts = []
        for index, entry in enumerate(entries):
            counts.append(
                ShownCount(
                    entry=entry,
                    caption=texts.write_caption_of_count(self.hand, entry, index),
                    whose=self._say_whose(entry, index),
                    reason=self._write_reason(entry.event),
                    agreement=texts.describe_agreement(entry.event),
                    table=make_score_table(entry.event, self._match, self._words),
                    may_be_chosen=self.is_choice and may_choose[index],
                )
            )
        return counts

    def _write_reason(self, counted: Counted) -> str:
        if not counted.reason:
            return ""
        return self._words.t("web.version.reason", reason=counted.reason)

    def _say_whose(self, entry: LogEntry[Counted], index: int) -> str:
        """Say which side made a count; if that is not known, which count it is."""
        side = entry.event.by
        if side is None:
            return self._words.t(f"checking.whose.{index}")
        return self._words.t("checking.whose", side=self._match.names[side])

    # ---------------------------------------------------------------- differences

    def _list_differences(self) -> list[DifferingLine]:
        """List the lines of the score, and the totals, that differ between the two counts.

        Red threes 200 in one count and 100 in the other → "We: Red threes", with both. Empty if
        there is only one count.
        """
        if len(self.counts) == 1:
            return []
        first, second = (count.table for count in self.counts)
        return self._list_differing_lines(first, second) + self._list_differing_totals(
            first, second
        )

    def _list_differing_lines(self, first: ScoreTable, second: ScoreTable) -> list[DifferingLine]:
        first_lines = _index_lines(first)
        second_lines = _index_lines(second)
        lines_of_both = {**first_lines, **second_lines}  # each label and side once
        differences = []
        for label, side in lines_of_both:
            line = first_lines.get((label, side))
            other_line = second_lines.get((label, side))
            if _get_points_of_line(line) != _get_points_of_line(other_line):
                texts = [self._describe_line(line), self._describe_line(other_line)]
                differences.append(self._make_differing_line(side, label, texts))
        return differences

    def _list_differing_totals(self, first: ScoreTable, second: ScoreTable) -> list[DifferingLine]:
        label = self._words.t("web.hand.total")
        differences = []
        for side, totals in enumerate(zip(first.totals, second.totals, strict=True)):
            total, other_total = totals
            if total != other_total:
                texts = [self._words.signed(total), self._words.signed(other_total)]
                differences.append(self._make_differing_line(side, label, texts))
        return differences

    def _make_differing_line(self, side: int, label: str, texts: list[str]) -> DifferingLine:
        """Make a row of the table: its name is "We: Red threes", and `texts` is one for each count."""
        name = self._words.t("hand.of-side", side=self._match.names[side], label=label)
        cells = [(count.whose, text) for count, text in zip(self.counts, texts, strict=True)]
        return DifferingLine(name, cells)

    def _describe_line(self, line: Line | None) -> str:
        """Write how often a line counts, and its points: "2 × +200"; say if there is no such line."""
        if line is None:
            return self._words.t("checking.nothing")
        points = self._words.signed(line.points)
        is_going_out = line.item == "out"  # only one player can go out, so the number is always 1
        if line.count is None or is_going_out:
            return points
        return f"{self._words.t('web.times', count=line.count)} {points}"


def _index_lines(table: ScoreTable) -> dict[tuple[str, int], Line | None]:
    """Index the lines of a table by their label and the side: `("Red threes", 0)`."""
    lines = {}
    for row in table.rows:
        for side, line in enumerate(row.lines):
            lines[row.label, side] = line
    return lines


def _get_points_of_line(line: Line | None) -> int | None:
    """Return the points of a line; None if this count does not have the line."""
    return line.points if line else None


def make_score_table(counted: Counted, state: MatchState, words: Words) -> ScoreTable:
    """Make a table of the lines of a counted hand (round), with a column for each side."""
    variant = state.rules.variant
    return build_score_table(counted, state.names, variant, words, by_reason=True)
