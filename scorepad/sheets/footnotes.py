"""The footnotes of a match sheet: penalties, rulings, agreements, recounts and remarks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import pairwise
from operator import attrgetter
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
        """Penalties, rulings and all other footnotes on hands, one line each, in the order of the
        hands.
        """
        footnotes = [
            *self.penalties,
            *self.rulings,
            *self.agreements,
            *self.doubts,
            *self.remarks,
            *self._reasons_of_corrections(),
        ]
        return sorted(footnotes, key=attrgetter("number"))

    @property
    def rulings(self) -> list[Footnote]:
        """The stored rulings of the referee, in order."""
        return [self._ruling(kept.event) for kept in self._match.rulings]

    @property
    def agreements(self) -> list[Footnote]:
        """The hands that the table counted although the rules refuse them."""
        footnotes = []
        for hand in self._match.hands:
            if not hand.counted.agreed:
                continue
            broken_rules = []
            for finding in hand.counted.broken:
                text = describe_finding_without_remedy(finding, self._names.sides, self._words)
                broken_rules.append(SourcedReason(text, self._source(finding.sources)))
            reason = isolate_direction(hand.counted.agreed)
            text = self._words.t("sheets.agreed-because", reason=reason)
            footnotes.append(Footnote(self._number(hand), text, reasons=tuple(broken_rules)))
        return footnotes

    @property
    def doubts(self) -> list[Footnote]:
        """The rules broken by hands since an earlier hand was corrected."""
        footnotes = []
        for hand in self._match.hands:
            for doubt in hand.doubts:
                text = describe_finding(doubt, self._names.sides, self._words)
                footnotes.append(Footnote(self._number(hand), text, self._source(doubt.sources)))
        return footnotes

    @property
    def remarks(self) -> list[Footnote]:
        hands = [hand for hand in self._match.hands if hand.remark]
        return [Footnote(self._number(hand), isolate_direction(hand.remark)) for hand in hands]

    @property
    def agreed_sums(self) -> list[str]:
        """Sentences that tell for which hands and sides only the sum of the points is known.

        Such a sum was agreed at the table, and nobody checked it: `Hands 2 and 5, Noi: …`.
        """
        sentences = []
        for names, numbers in self._hands_by_sides_with_sum().items():
            sentence = self._words.plural(
                "sheets.sum-of",
                len(numbers),
                numbers=self._words.listing([self._words.figure(number) for number in numbers]),
                sides=self._words.listing(names),
            )
            sentences.append(sentence)
        return sentences

    def _hands_by_sides_with_sum(self) -> dict[tuple[str, ...], list[int]]:
        """The numbers of the hands of which only sums are known, by the names of their sides.

        `{("Noi", "Loro"): [2, 5], ("Noi",): [3]}`: of hand 3 the cards of Loro are known.
        """
        numbers_by_sides: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for hand in self._match.hands:
            names = self._sides_with_sum(hand)
            if names:
                numbers_by_sides[names].append(self._number(hand))
        return numbers_by_sides

    def _sides_with_sum(self, hand: HandState) -> tuple[str, ...]:
        """The names of the sides of which only the sum of a hand is known."""
        names = []
        for name, score in zip(self._names.sides, hand.sides, strict=True):
            if any(line.item == _AGREED_SUM for line in score.lines):
                names.append(name)
        return tuple(names)

    # ---------------------------------------------------------------- penalties

    @property
    def penalties(self) -> list[Footnote]:
        """Every penalty, bonus of the table and agreed correction of points, each with its reason."""
        footnotes: list[Footnote] = []
        for hand in self._match.hands:
            for name, side in zip(self._names.sides, hand.counted.hand.sides, strict=True):
                footnotes += self._penalties_of_side(hand, name, side)
                footnotes += self._bonuses_of_side(hand, name, side)
                footnotes += self._adjustments_of_side(hand, name, side)
        return footnotes

    def _penalties_of_side(self, hand: HandState, name: str, side: SideEntry) -> Iterator[Footnote]:
        """A footnote on each penalty of a side in a hand: what it was for, its points and its source."""
        for penalty in side.penalties:
            rule = self._match.rules.penalties[penalty.code]
            offence = self._words.t(f"penalty.{rule.code}")
            cost = rule.costs(penalty.points)
            points = None if cost is None else -cost
            yield Footnote(
                number=self._number(hand),
                text=self._side_and_points(name, offence, points),
                detail=isolate_direction(penalty.reason),
                reasons=self._source_of_penalty(rule),
            )

    def _source_of_penalty(self, rule: PenaltyKind) -> tuple[SourcedReason, ...]:
        """The source of a penalty, without a sentence of its own; empty if the table agreed on it."""
        source = self._source(map(str, rule.cited.citations))
        if not source:
            return ()
        return (SourcedReason(text="", source=source),)

    def _bonuses_of_side(self, hand: HandState, name: str, side: SideEntry) -> Iterator[Footnote]:
        """A footnote on each bonus that the table gives, with the points of all its times."""
        for code, times in Counter(side.bonuses).items():
            points = self._match.rules.bonuses[code].points * times
            text = self._side_and_points(name, self._words.t(f"bonus.{code}"), points)
            yield Footnote(self._number(hand), text)

    def _adjustments_of_side(
        self, hand: HandState, name: str, side: SideEntry
    ) -> Iterator[Footnote]:
        what = self._words.t("item.adjustment")
        for adjustment in side.adjustments:
            text = self._side_and_points(name, what, adjustment.points)
            yield Footnote(self._number(hand), text, isolate_direction(adjustment.reason))

    def _side_and_points(self, side: str, what: str, points: int | None) -> str:
        """What a side got and for how many points, if it is points: `Noi: Penalty −100`."""
        if points is None:
            return f"{side}: {what}"
        return f"{side}: {what} {self._words.signed(points)}"

    # ---------------------------------------------------------------- rulings

    def _ruling(self, kept: RulingKept) -> Footnote:
        """The footnote on a stored ruling of the referee: question and answer, and the reasons."""
        ruling = ruling_text(kept, self._match.rules.variant, self._words)
        reasons = []
        for reason in ruling.reasons:
            source = self._source(reason.sources)
            reasons.append(SourcedReason(isolate_direction(reason.text), source))
        return Footnote(
            number=self._number(kept),
            text=ruling.head,
            detail="; ".join(self._details_of_ruling(kept, ruling)),
            reasons=tuple(reasons),
        )

    def _details_of_ruling(self, kept: RulingKept, ruling: RulingText) -> list[str]:
        """Whom a ruling is about, the facts of the case, and what it costs; each if it was given.

        `["Chi: Noi", "Carte: K K 2", "Noi: penalità −100"]`
        """
        about = None if kept.side is None else self._names.sides[kept.side]
        details = []
        if about is not None:
            details.append(f"{self._words.t('referee.who')}: {about}")
        for label, text in ruling.case:
            details.append(f"{label}: {isolate_direction(text)}")
        if about is not None and kept.points is not None:
            points = self._words.signed(-kept.points)
            details.append(self._words.t("referee.kept.penalty", side=about, points=points))
        return details

    # ---------------------------------------------------------------- recounts

    @property
    def corrections(self) -> list[Recount]:
        """All recounts of hands that took effect: each version of a hand against the one before."""
        recounts = []
        for hand in self._match.hands:
            for before, after in pairwise(hand.versions):
                recounts.append(self._recount(hand, before, after))
        return recounts

    @property
    def contests(self) -> list[Recount]:
        """The hands that a side has counted otherwise, as long as the other has not agreed.

        Each is the count in force against the one that the side proposes.
        """
        recounts = []
        for hand in self._match.hands:
            if hand.contest is not None:
                recounts.append(self._recount(hand, hand.versions[-1], hand.contest))
        return recounts

    def _reasons_of_corrections(self) -> list[Footnote]:
        """A footnote on each correction for which a reason was given."""
        corrected = self._words.t("web.hand.corrected").capitalize()
        footnotes = []
        for recount in self.corrections:
            if recount.reason:
                detail = self._words.t("sheets.reason", reason=recount.reason)
                footnotes.append(Footnote(recount.number, corrected, detail))
        return footnotes

    def _recount(
        self, hand: HandState, before: LogEntry[Counted], after: LogEntry[Counted]
    ) -> Recount:
        """What differs between two counts of a hand, line by line, and in the total of each side."""
        old_count = before.event
        new_count = after.event
        changes: list[Change] = []
        for side, name in enumerate(self._names.sides):
            changes += self._changed_lines(side, old_count, new_count)
            changes += self._change_of_total(name, old_count.sides[side], new_count.sides[side])
        return Recount(
            number=self._number(hand),
            at=after.at.astimezone(),
            reason=isolate_direction(new_count.reason),
            changes=changes,
        )

    def _changed_lines(self, side: int, old_count: Counted, new_count: Counted) -> list[Change]:
        """The lines of a side that differ between two counts of a hand."""
        old_lines = old_count.sides[side].lines
        new_lines = new_count.sides[side].lines
        changes = []
        for change in find_line_changes(old_lines, new_lines, by_reason=False):
            is_removed = change.after is None
            count_with_line = old_count if is_removed else new_count
            changes.append(
                Change(
                    side=self._names.sides[side],
                    what=self._label_of_line(change.key, count_with_line.hand),
                    before=_cell_of_line(change.before),
                    after=_cell_of_line(change.after),
                )
            )
        return changes

    def _label_of_line(self, key: LineKey, hand: Hand) -> str:
        """The label of a line in the score of a hand, such as "Canaste naturali".

        The hand decides whether the line for going out (playing one's last card) is that for going
        out concealed. A sum that the table agreed on is marked as unverified.
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

    def _change_of_total(self, name: str, old: SideLines, new: SideLines) -> list[Change]:
        """The change of a side's points in the hand, as a list of one; empty if they are the same."""
        if old.points == new.points:
            return []
        what = self._words.t("sheets.hand-total")
        return [Change(name, what, Cell(None, old.points), Cell(None, new.points))]

    # ---------------------------------------------------------------- numbers and sources

    def _number(self, of: HandState | RulingKept) -> int:
        """The number of a hand in the match, earlier hands on paper included."""
        return self._match.called(of.number)

    def _source(self, citations: Iterable[str]) -> str:
        """The first of these citations in words; empty if there is none.

        `W:Calata` is the section «Calata» of the source with the key W. A citation of another form
        stays as it is.
        """
        first_citation = next(iter(citations), "")
        key_of_source, _, section = first_citation.partition(":")
        for key, source in sources().items():
            if str(key) == key_of_source:
                return self._words.t("sheets.source", title=source.title, section=section)
        return first_citation


def _cell_of_line(line: Line | None) -> Cell | None:
    return Cell(line.count, line.points) if line else None
