"""The match sheet on A4, as PDF: a page with the result and a row for each hand, optionally the
lines of each hand.

Figures are points, or units if the game counts in units; values by side are in the order of the
sides.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.i18n.findings import fact, message
from scorepad.i18n.settings import value_word
from scorepad.matches.events import Counted, HandState, LogEntry, RulingKept
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import ruling_text
from scorepad.rules.variants import sources
from scorepad.schemas.hands import SIDE_KEYS
from scorepad.sheets.chart import LARGE, PAPER, Chart, chart_svg, running_chart
from scorepad.sheets.pdf import pdf_for_lacking, render
from scorepad.sheets.result import (
    Lacking,
    Names,
    is_concealed,
    isolated,
    keyed,
    line_label,
    single_and_pair,
    special_hands,
    table_of,
    won_words,
)

CHART_FROM = 2
"""The least number of hands for a chart."""
HANDS_BESIDE_CHART = 10
"""In large print, the most hands with room for the chart below them on the first page."""
MARK = "§"
"""Marks a line based on a reading of the sources; the fonts of the sheets include it."""

Cell = tuple[int | None, int]
"""A side's part of a line: the count (None if only points were given), and the points."""


class Footnote(NamedTuple):
    """A note on a hand below the table: text, detail, and the sentences it is based on, each with
    its source.
    """

    number: int
    text: str
    detail: str = ""
    reasons: tuple[tuple[str, str], ...] = ()


class Change(NamedTuple):
    """A change to a side's line by a correction: the line before and after (None if there was
    none).
    """

    side: str
    what: str
    before: Cell | None
    after: Cell | None


class Recount(NamedTuple):
    """A recount of a hand: time, note, and the changes made, or proposed until agreed to."""

    number: int
    at: datetime
    note: str
    changes: list[Change]


def match_sheet(
    state: MatchState, words: Words, *, details: bool = False, large: bool = False
) -> bytes:
    """The match sheet as PDF; `details`: the lines of every hand on further pages; `large`: in 18
    pt. Raises NoPdf.
    """
    return pdf_for_lacking(
        lambda lacking: match_sheet_html(state, words, lacking, details=details, large=large)
    )


def match_sheet_html(
    state: MatchState,
    words: Words,
    lacking: Lacking = frozenset(),
    *,
    details: bool = False,
    large: bool = False,
) -> str:
    """The match sheet as HTML, for a machine without glyphs for the `lacking` characters."""
    sheet = MatchSheet(state, words, lacking)
    return render(
        "match.html",
        words,
        sheet=sheet,
        match=state,
        names=sheet.names,
        chart=Markup(chart_svg(sheet.chart, LARGE if large else PAPER) if sheet.chart else ""),  # noqa: S704 - escaped
        is_lacking=bool(lacking),
        details=details,
        large=large,
        hands_beside_chart=HANDS_BESIDE_CHART,
        value_word=value_word,
        isolated=isolated,
        special_hands=special_hands,
        single_and_pair=single_and_pair,
        won_words=won_words,
    )


class MatchSheet:
    """The values shown by the template of the match sheet.

    Attributes: `names`, `title`, `place`, `day`; `rows`, by hand, the rows of its table, each with
    its mark; `readings`, the arguments of the lines that are readings, in the order of their marks.
    """

    def __init__(self, state: MatchState, words: Words, lacking: Lacking = frozenset()) -> None:
        self.match, self.words, self.text = state, words, words.text
        self.names = Names(state, words, lacking)
        self.title = " – ".join(self.names.sides)
        self.place = isolated(state.place)
        self.day = words.day(state.started.astimezone().date())
        self.readings: list[tuple[str, ...]] = []
        self.rows = [
            [
                (row, self._mark(row.arguments))
                for row in table_of(
                    hand.counted, self.names.sides, state.rules.variant, words, by_reason=False
                ).rows
            ]
            for hand in state.hands
        ]

    def reading(self, arguments: tuple[str, ...]) -> str:
        """The mark, and why its lines are a reading of the sources."""
        why = " ".join(self.text(f"read.{name}") for name in arguments)
        return f"{self._mark(arguments)} {self.text('sheets.reading', why=why)}"

    def _number(self, of: Any) -> int:
        """The number of a hand in the match, hands on paper included."""
        return self.match.called(of.number)

    @property
    def signers(self) -> list[str]:
        """All named players; a side without named players signs as a side."""
        sides = zip(self.names.sides, self.names.players, strict=True)
        return [each for name, players in sides for each in players or (name,)]

    def _mark(self, arguments: tuple[str, ...]) -> str:
        """The mark of a reading, which refers to its argument below the table; empty for any other
        line.
        """
        if not arguments:
            return ""
        if arguments not in self.readings:
            self.readings.append(arguments)
        return f"{MARK}{self.readings.index(arguments) + 1}"

    # ---------------------------------------------------------------- below the table

    @property
    def chart(self) -> Chart | None:
        """The running totals; None before the second hand."""
        if len(self.match.hands) < CHART_FROM:
            return None
        return running_chart(self.match, self.words.language, self.names.drawn)

    @property
    def brief(self) -> list[Footnote]:
        """Penalties, rulings and all other notes on hands, one line each, in the order of the
        hands.
        """
        corrected = self.text("web.hand.corrected").capitalize()
        corrections = [
            Footnote(each.number, corrected, self.text("sheets.note", note=each.note))
            for each in self.corrections
            if each.note
        ]
        notes = [
            *self.penalties,
            *self.rulings,
            *self.agreements,
            *self.doubts,
            *self.remarks,
            *corrections,
        ]
        return sorted(notes, key=lambda note: note.number)

    @property
    def penalties(self) -> list[Footnote]:
        """Every penalty, bonus of the table and agreed correction of points, each with its reason."""
        found = []
        for hand in self.match.hands:
            number, sides = self._number(hand), hand.counted.hand["sides"]
            for name, key in zip(self.names.sides, SIDE_KEYS, strict=False):
                side = sides.get(key, {})
                for each in side.get("penalties", ()):
                    given: dict[str, Any] = {"code": each} if isinstance(each, str) else each
                    rule = self.match.rules.penalties[given["code"]]
                    points, cited = rule.costs(given.get("points")), map(str, rule.cited.citations)
                    what, lost = (
                        self.text(f"penalty.{rule.code}"),
                        None if points is None else -points,
                    )
                    found.append(
                        self._penalty(number, name, what, lost, given.get("reason"), cited)
                    )
                for code in dict.fromkeys(side.get("bonuses", ())):
                    points = self.match.rules.bonuses[code].points * side["bonuses"].count(code)
                    found.append(
                        self._penalty(number, name, self.text(f"bonus.{code}"), points, None)
                    )
                for each in side.get("adjustments", ()):
                    what = self.text("item.adjustment")
                    found.append(self._penalty(number, name, what, each["points"], each["reason"]))
        return found

    def _penalty(
        self,
        number: int,
        side: str,
        what: str,
        points: int | None,
        reason: str | None,
        cited: Iterable[str] = (),
    ) -> Footnote:
        figure = "" if points is None else f" {self.words.signed(points)}"
        source = self._source(cited)
        return Footnote(
            number,
            f"{side}: {what}{figure}",
            isolated(reason or ""),
            (("", source),) if source else (),
        )

    @property
    def rulings(self) -> list[Footnote]:
        """The stored rulings of the referee, in order."""
        return [self._ruling(kept.event) for kept in self.match.rulings]

    def _ruling(self, kept: RulingKept) -> Footnote:
        ruling = ruling_text(kept, self.match.rules.variant, self.words)
        side = None if kept.side is None else self.names.sides[kept.side]
        facts = [] if side is None else [f"{self.text('referee.who')}: {side}"]
        facts += [f"{label}: {isolated(text)}" for label, text in ruling.case]
        reasons = tuple(
            (isolated(reason.text), self._source(reason.sources)) for reason in ruling.reasons
        )
        if kept.points is not None and side is not None:
            facts.append(
                self.text("referee.kept.penalty", side=side, points=self.words.signed(-kept.points))
            )
        return Footnote(self._number(kept), ruling.head, "; ".join(facts), reasons)

    @property
    def agreements(self) -> list[Footnote]:
        """The hands that the table counted although the rules refuse them."""
        found = []
        for hand in self.match.hands:
            if hand.counted.agreed:
                broken = tuple(
                    (fact(each, self.names.sides, self.words), self._source(each.sources))
                    for each in hand.counted.broken
                )
                because = self.text("sheets.agreed-because", reason=isolated(hand.counted.agreed))
                found.append(Footnote(self._number(hand), because, reasons=broken))
        return found

    @property
    def sums(self) -> list[str]:
        """The hands with only an agreed sum, for one side or all."""
        found: dict[tuple[str, ...], list[str]] = {}
        for hand in self.match.hands:
            with_lines = zip(self.names.sides, hand.sides, strict=True)
            sides = tuple(
                name for name, side in with_lines if any(line.item == "sum" for line in side.lines)
            )
            if sides:
                found.setdefault(sides, []).append(self.words.figure(self._number(hand)))
        listing = self.words.listing
        return [
            self.words.plural(
                "sheets.sum-of", len(numbers), numbers=listing(numbers), sides=listing(sides)
            )
            for sides, numbers in found.items()
        ]

    @property
    def doubts(self) -> list[Footnote]:
        """The rules broken by hands since an earlier hand was corrected."""
        return [
            Footnote(
                self._number(hand),
                message(doubt, self.names.sides, self.words),
                self._source(doubt.sources),
            )
            for hand in self.match.hands
            for doubt in hand.doubts
        ]

    @property
    def remarks(self) -> list[Footnote]:
        """The notes on hands."""
        return [
            Footnote(self._number(hand), isolated(hand.remark))
            for hand in self.match.hands
            if hand.remark
        ]

    @property
    def corrections(self) -> list[Recount]:
        """All recounts of hands that took effect."""
        return [
            self._recount(hand, before, after)
            for hand in self.match.hands
            for before, after in zip(hand.versions, hand.versions[1:], strict=False)
        ]

    @property
    def contests(self) -> list[Recount]:
        """The hands with two counts between which no choice was made yet."""
        return [
            self._recount(hand, hand.versions[-1], hand.contest)
            for hand in self.match.hands
            if hand.contest is not None
        ]

    def _recount(
        self, hand: HandState, before: LogEntry[Counted], after: LogEntry[Counted]
    ) -> Recount:
        changes, variant = list[Change](), self.match.rules.variant
        for name, was, now in zip(
            self.names.sides, before.event.lines, after.event.lines, strict=True
        ):
            old, new = (
                {
                    key: (line.count, line.points)
                    for key, line in keyed(lines, by_reason=False).items()
                }
                for lines in (was, now)
            )
            for key in dict.fromkeys((*old, *new)):
                if old.get(key) == new.get(key):
                    continue
                concealed = is_concealed((after if key in new else before).event.hand)
                what = line_label(
                    key[0], key[1], None, self.words, concealed=concealed, variant=variant
                )
                if key[0] == "sum":
                    what += f" ({self.text('sheets.unverified')})"
                changes.append(Change(name, what, old.get(key), new.get(key)))
            sums = [sum(line.points for line in lines) for lines in (was, now)]
            if sums[0] != sums[1]:
                changes.append(
                    Change(name, self.text("sheets.hand-total"), (None, sums[0]), (None, sums[1]))
                )
        return Recount(
            self._number(hand), after.at.astimezone(), isolated(after.event.reason), changes
        )

    def _source(self, places: Iterable[str]) -> str:
        """The first of these places, as the title of its source and its section; empty if there is
        none.
        """
        place = next(iter(places), "")
        name, _, section = place.partition(":")
        titles = {str(key): source.title for key, source in sources().items()}
        return (
            self.text("sheets.source", title=titles[name], section=section)
            if name in titles
            else place
        )
