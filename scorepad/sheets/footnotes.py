"""The footnotes of a match sheet: penalties, rulings, agreements, recounts and remarks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.findings import describe_finding, describe_finding_without_remedy
from scorepad.matches.events import Counted, HandState, LogEntry, RulingKept
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import RulingText, ruling_text
from scorepad.rules.definitions import PenaltyKind
from scorepad.rules.hand import Hand, SideEntry
from scorepad.rules.score_lines import Line, SideLines
from scorepad.rules.variants import sources
from scorepad.sheets.printed_names import PrintedNames, isolate_direction
from scorepad.sheets.score_table import (
    LineKey,
    find_line_changes,
    label_line,
    went_out_concealed,
)

_AGREED_SUM = "sum"
"""The line of a score in place of all others, if only the sum of a side's points is known."""


class SourcedReason(NamedTuple):
    """A sentence that a footnote is based on, and its source."""

    text: str
    source: str


class Footnote(NamedTuple):
    """A footnote on a hand: text, detail, and what it is based on."""

    number: int
    text: str
    detail: str = ""
    reasons: tuple[SourcedReason, ...] = ()


class Cell(NamedTuple):
    """A side's part of a line; `amount` is its count, None if only points were given."""

    amount: int | None
    points: int


class Change(NamedTuple):
    """A change to a side's line by a recount: the line before and after (None if there was none)."""

    side: str
    what: str
    before: Cell | None
    after: Cell | None


class Recount(NamedTuple):
    """A recount of a hand: time, the reason given, and the changes made, or proposed until agreed
    to.
    """

    number: int
    at: datetime
    reason: str
    changes: list[Change]


class Footnotes:
    """The footnotes on the hands of a match, in the order of the hands."""

    def __init__(self, match: MatchState, names: PrintedNames, words: Words) -> None:
        self._match = match
        self._names = names
        self._words = words

    @property
    def brief(self) -> list[Footnote]:
        """All footnotes that need one line each, in the order of the hands (rounds)."""
        footnotes = [
            *self.penalties,
            *self.rulings,
            *self.agreements,
            *self.doubts,
            *self.remarks,
            *self._list_reasons_of_corrections(),
        ]
        return sorted(footnotes, key=lambda footnote: footnote.number)

    @property
    def rulings(self) -> list[Footnote]:
        """The answers of the referee (who decides on questions of rules) that players stored."""
        return [self._make_footnote_on_ruling(kept.event) for kept in self._match.rulings]

    @property
    def agreements(self) -> list[Footnote]:
        """The hands (rounds) that the players agreed to count although they break a rule.

        Each has the reason that the players gave, and the rules that it breaks.
        """
        footnotes = []
        for hand in self._match.hands:
            reason = hand.counted.agreed
            if not reason:
                continue  # an ordinary hand, which breaks no rule
            text = self._words.t("sheets.agreed-because", reason=isolate_direction(reason))
            number = self._number_in_match(hand)
            broken_rules = self._cite_broken_rules(hand)
            footnotes.append(Footnote(number, text, reasons=tuple(broken_rules)))
        return footnotes

    def _cite_broken_rules(self, hand: HandState) -> list[SourcedReason]:
        """List the rules that a hand (round) breaks, as sentences, each with its rule book."""
        broken_rules = []
        for finding in hand.counted.broken:
            text = describe_finding_without_remedy(finding, self._names.sides, self._words)
            source = self._describe_first_source(finding.sources)
            broken_rules.append(SourcedReason(text, source))
        return broken_rules

    @property
    def doubts(self) -> list[Footnote]:
        """What is wrong with hands (rounds) since an earlier hand was corrected.

        The correction changes the totals after it. How many points a side's first cards must be
        worth depends on its total, so that a later hand may now break that rule.
        """
        footnotes = []
        for hand in self._match.hands:
            number = self._number_in_match(hand)
            for doubt in hand.doubts:
                text = describe_finding(doubt, self._names.sides, self._words)
                source = self._describe_first_source(doubt.sources)
                footnotes.append(Footnote(number, text, source))
        return footnotes

    @property
    def remarks(self) -> list[Footnote]:
        """The remarks that players wrote on hands (rounds)."""
        footnotes = []
        for hand in self._match.hands:
            if hand.remark:
                remark = isolate_direction(hand.remark)
                footnotes.append(Footnote(self._number_in_match(hand), remark))
        return footnotes

    @property
    def agreed_sums(self) -> list[str]:
        """Sentences that say for which hands (rounds) only the sum of the points was entered.

        "Hands 2 and 5, We and They: only the sum that the table agreed was counted." The app could
        not check such a sum.
        """
        sentences = []
        for names, numbers in self._group_hands_by_sides_with_sum().items():
            sentence = self._words.plural(
                "sheets.sum-of",
                len(numbers),
                numbers=self._words.listing([self._words.figure(number) for number in numbers]),
                sides=self._words.listing(names),
            )
            sentences.append(sentence)
        return sentences

    def _group_hands_by_sides_with_sum(self) -> dict[tuple[str, ...], list[int]]:
        """Group the hands (rounds) with sums by the sides for which only the sum was entered.

        `{("We", "They"): [2, 5], ("We",): [3]}`: in hand 3, They entered their cards.
        """
        numbers_by_sides: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for hand in self._match.hands:
            names = self._list_sides_with_sum(hand)
            if names:
                numbers_by_sides[names].append(self._number_in_match(hand))
        return numbers_by_sides

    def _list_sides_with_sum(self, hand: HandState) -> tuple[str, ...]:
        """List the names of the sides for which only the sum of the points was entered."""
        names = []
        for name, score in zip(self._names.sides, hand.sides, strict=True):
            if any(line.item == _AGREED_SUM for line in score.lines):
                names.append(name)
        return tuple(names)

    # ---------------------------------------------------------------- penalties

    @property
    def penalties(self) -> list[Footnote]:
        """The penalties, the bonuses of house rules and the points that the players agreed on."""
        footnotes: list[Footnote] = []
        for hand in self._match.hands:
            for name, side in zip(self._names.sides, hand.counted.hand.sides, strict=True):
                footnotes += self._list_penalties(hand, name, side)
                footnotes += self._list_bonuses(hand, name, side)
                footnotes += self._list_adjustments(hand, name, side)
        return footnotes

    def _list_penalties(self, hand: HandState, name: str, side: SideEntry) -> list[Footnote]:
        """List the penalties of a side in a hand (round). `name` is the name of the side.

        Each says which offence it was, how many points it cost, the remark of the players, and
        the rule book: "We: Red three not exposed −500".
        """
        footnotes = []
        for penalty in side.penalties:
            rule = self._match.rules.penalties[penalty.code]
            offence = self._words.t(f"penalty.{rule.code}")
            cost = rule.costs(penalty.points)
            if cost is None:  # neither the rules nor the players say how many points
                text = f"{name}: {offence}"
            else:
                text = self._say_what_side_got(name, offence, -cost)
            footnote = Footnote(
                number=self._number_in_match(hand),
                text=text,
                detail=isolate_direction(penalty.reason),
                reasons=self._cite_penalty(rule),
            )
            footnotes.append(footnote)
        return footnotes

    def _cite_penalty(self, rule: PenaltyKind) -> tuple[SourcedReason, ...]:
        """Name the rule book in which a penalty is found.

        A footnote can have several reasons, each with its book. A penalty has this one at most; it
        has none if house rules made it up.
        """
        citations = [str(citation) for citation in rule.cited.citations]
        if not citations:
            return ()
        source = self._describe_first_source(citations)
        # The text of the reason is empty: the footnote says already what the offence was.
        return (SourcedReason(text="", source=source),)

    def _list_bonuses(self, hand: HandState, name: str, side: SideEntry) -> list[Footnote]:
        """List the bonuses of house rules that a side got in a hand: "We: Perfect hand +200".

        `name` is the name of the side. A bonus that it got twice is listed once, with all points.
        """
        footnotes = []
        for code, times in Counter(side.bonuses).items():
            points = self._match.rules.bonuses[code].points * times
            text = self._say_what_side_got(name, self._words.t(f"bonus.{code}"), points)
            footnotes.append(Footnote(self._number_in_match(hand), text))
        return footnotes

    def _list_adjustments(self, hand: HandState, name: str, side: SideEntry) -> list[Footnote]:
        """List the points that the players agreed to add or deduct: "We: Agreed adjustment +50".

        `name` is the name of the side. The reason that they gave is the detail.
        """
        footnotes = []
        for adjustment in side.adjustments:
            what = self._words.t("item.adjustment")  # "Agreed adjustment"
            text = self._say_what_side_got(name, what, adjustment.points)
            reason = isolate_direction(adjustment.reason)
            footnotes.append(Footnote(self._number_in_match(hand), text, reason))
        return footnotes

    def _say_what_side_got(self, side: str, what: str, points: int) -> str:
        """Say for what a side got points, or lost them: "We: Perfect hand +100"."""
        return f"{side}: {what} {self._words.signed(points)}"

    # ---------------------------------------------------------------- rulings

    def _make_footnote_on_ruling(self, kept: RulingKept) -> Footnote:
        """Make the footnote on an answer of the referee that players stored.

        It has the question and the answer, what the question was about, and the reasons, each with
        its rule book.
        """
        ruling = ruling_text(kept, self._match.rules.variant, self._words)
        reasons = []
        for reason in ruling.reasons:
            source = self._describe_first_source(reason.sources)
            reasons.append(SourcedReason(isolate_direction(reason.text), source))
        return Footnote(
            number=self._number_in_match(kept),
            text=ruling.head,
            detail="; ".join(self._list_details_of_ruling(kept, ruling)),
            reasons=tuple(reasons),
        )

    def _list_details_of_ruling(self, kept: RulingKept, ruling: RulingText) -> list[str]:
        """List which side a ruling of the referee is about, the facts, and what it costs.

        `["Who: We", "Cards: K K 2", "Penalty: We, −100"]`. Each is there only if it was given.
        """
        side_name = None if kept.side is None else self._names.sides[kept.side]
        details = []
        if side_name is not None:
            details.append(f"{self._words.t('referee.who')}: {side_name}")
        for label, text in ruling.case:
            details.append(f"{label}: {isolate_direction(text)}")
        if side_name is not None and kept.points is not None:
            points = self._words.signed(-kept.points)
            details.append(self._words.t("referee.kept.penalty", side=side_name, points=points))
        return details

    # ---------------------------------------------------------------- recounts

    @property
    def corrections(self) -> list[Recount]:
        """What was changed each time that the score of a hand (round) was corrected.

        A hand that was counted three times has two corrections: the second count against the first
        one, and the third against the second.
        """
        recounts = []
        for hand in self._match.hands:
            for before, after in pairwise(hand.versions):
                recounts.append(self._compare_counts(hand, before, after))
        return recounts

    @property
    def contests(self) -> list[Recount]:
        """The hands (rounds) whose score one side contests, because it has counted otherwise.

        Each shows what differs between the score in force and the one that this side proposes. Once
        the other side agrees, it is a correction.
        """
        recounts = []
        for hand in self._match.hands:
            if hand.contest is not None:
                score_in_force = hand.versions[-1]
                recounts.append(self._compare_counts(hand, score_in_force, hand.contest))
        return recounts

    def _list_reasons_of_corrections(self) -> list[Footnote]:
        """List the corrections for which players gave a reason.

        The text of each footnote is "Corrected", and the reason is its detail.
        """
        corrected = self._words.t("web.hand.corrected").capitalize()  # "Corrected"
        footnotes = []
        for recount in self.corrections:
            if recount.reason:
                detail = self._words.t("sheets.reason", reason=recount.reason)
                footnotes.append(Footnote(recount.number, corrected, detail))
        return footnotes

    def _compare_counts(
        self, hand: HandState, before: LogEntry[Counted], after: LogEntry[Counted]
    ) -> Recount:
        """Compare two counts of a hand (round), for a note that says what was changed.

        `before` and `after` are the entries of the match's log in which the score was entered, and
        entered again. The changes are listed side by side: first the lines of a side's score, then
        its total.
        """
        old_count = before.event
        new_count = after.event
        changes: list[Change] = []
        for side, name in enumerate(self._names.sides):
            old_score = old_count.sides[side]
            new_score = new_count.sides[side]
            changes += self._list_changed_lines(side, old_count, new_count)
            changes += self._find_change_of_total(name, old_score, new_score)
        return Recount(
            number=self._number_in_match(hand),
            at=after.at.astimezone(),
            reason=isolate_direction(new_count.reason),
            changes=changes,
        )

    def _list_changed_lines(
        self, side: int, old_count: Counted, new_count: Counted
    ) -> list[Change]:
        """List the lines of a side's score that differ between two counts of a hand (round).

        `side` is the position of the side. "Natural canastas" were 1 with 500 points, and are 2
        with 1,000 points → `Change("We", "Natural canastas", Cell(1, 500), Cell(2, 1000))`.
        """
        old_lines = old_count.sides[side].lines
        new_lines = new_count.sides[side].lines
        changes = []
        for line in find_line_changes(old_lines, new_lines, by_reason=False):
            # The label depends on how the hand ended, which may differ between the two counts: a
            # line that was removed is only in the old one.
            was_removed = line.after is None
            count_with_line = old_count if was_removed else new_count
            change = Change(
                side=self._names.sides[side],
                what=self._label_changed_line(line.key, count_with_line.hand),
                before=_make_cell(line.before),
                after=_make_cell(line.after),
            )
            changes.append(change)
        return changes

    def _label_changed_line(self, key: LineKey, hand: Hand) -> str:
        """Return the label of a line of a hand's score, such as "Natural canastas".

        A sum that the players agreed on, which the app could not check, is marked "(not verified)".
        """
        label = label_line(
            key,
            self._words,
            concealed=went_out_concealed(hand),
            variant=self._match.rules.variant,
        )
        if key.item == _AGREED_SUM:
            return f"{label} ({self._words.t('sheets.unverified')})"
        return label

    def _find_change_of_total(self, name: str, old: SideLines, new: SideLines) -> list[Change]:
        """Find the change of a side's points in a hand, from the old count to the new one.

        The list has one change, or none if the points are the same. `name` is that of the side.
        """
        if old.points == new.points:
            return []
        what = self._words.t("sheets.hand-total")  # "Total of the hand"
        before = Cell(amount=None, points=old.points)
        after = Cell(amount=None, points=new.points)
        return [Change(name, what, before, after)]

    # ---------------------------------------------------------------- numbers and sources

    def _number_in_match(self, entry: HandState | RulingKept) -> int:
        """Return the number that players give to a hand (a round), or to the hand of a ruling.

        They count the hands that they played on paper before: after 3 of them, our first hand is
        number 4.
        """
        return self._match.number_for_players(entry.number)

    def _describe_first_source(self, citations: Sequence[str]) -> str:
        """Name the first of the rule books that are cited, with the section that is meant.

        - `["W:Preparazione"]`, the key of a book and a section → "Wikipedia (it), «Canasta»,
          Preparazione"
        - `["our table"]`, which is the key of no book → "our table"
        - no citation → empty
        """
        if not citations:
            return ""
        first_citation = citations[0]
        key_of_book, _, section = first_citation.partition(":")
        for key, book in sources().items():
            if str(key) == key_of_book:
                return self._words.t("sheets.source", title=book.title, section=section)
        return first_citation


def _make_cell(line: Line | None) -> Cell | None:
    """Make a cell with the count and the points of a line; None if there is no line."""
    return Cell(line.count, line.points) if line else None
