"""The match sheet on A4, as PDF: a page with the result and a row for each hand, and on request the lines of each hand.

The template words what it can; here stands what has to be put together first. Figures are points, or units where the
game counts in those; what belongs to each side comes in the order of the sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.i18n.findings import fact, message
from scorepad.i18n.settings import value_word
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.events import Counted, EndHow, Ending, LogEntry, RulingKept
from scorepad.matches.projection import HandState, MatchState
from scorepad.matches.rulings import ruling_text
from scorepad.rules.judge import SideScore
from scorepad.rules.score import Line
from scorepad.rules.settings import Partnership
from scorepad.rules.variants import sources
from scorepad.sheets.chart import LARGE, PAPER, Chart, chart_svg, running_chart
from scorepad.sheets.hand_rows import (
    Key,
    Row,
    is_concealed,
    keyed,
    line_label,
    single_and_pair,
    special_hands,
    table_of,
)
from scorepad.sheets.names import Lacking, Names, isolated
from scorepad.sheets.pdf import Fact, pdf_for_lacking, render

CHART_FROM = 2
"""The hands from which on a chart shows more than the table."""
MARK = "§"
"""Marks a line that is a reading of the sources; the fonts of the sheets have it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a side has of a line: how many (None where only points were given), and the points."""

    count: int | None
    points: int


@dataclass(frozen=True, slots=True)
class Hand:
    """A counted hand. `dealt` tells who dealt, `ended` how it ended and how far it is checked; `marks` of its rows."""

    number: int
    dealt: tuple[str, ...]
    ended: tuple[str, ...]
    openings: tuple[str, ...]
    rows: tuple[Row, ...]
    marks: tuple[str, ...]
    sides: tuple[SideScore, ...]


@dataclass(frozen=True, slots=True)
class PenaltyGiven:
    """A penalty of a hand, or points agreed; `points` is None where nobody said how many."""

    number: int
    side: str
    what: str
    points: int | None
    reason: str
    source: str = ""


class Reason(NamedTuple):
    """A sentence, and where the rule stands; empty where no source speaks."""

    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Something to be said of a hand below the table, with what it rests on."""

    number: int
    text: str
    detail: str = ""
    reasons: tuple[Reason, ...] = ()
    penalty: str = ""
    """What a ruling cost."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a correction changed of a side: the line as it was and as it became (None where there was none)."""

    side: str
    what: str
    before: Cell | None
    after: Cell | None


@dataclass(frozen=True, slots=True)
class Recount:
    """A hand counted again: when, with which note, and what that changed; or would, until it is agreed to."""

    number: int
    at: datetime
    note: str
    changes: tuple[Change, ...]


def match_sheet(state: MatchState, words: Words, *, details: bool = False, large: bool = False) -> bytes:
    """The match sheet as PDF; `details`: the lines of every hand on further pages; `large`: in 18 pt. Raises NoPdf."""
    return pdf_for_lacking(lambda lacking: match_sheet_html(state, words, lacking, details=details, large=large))


def match_sheet_html(
    state: MatchState, words: Words, lacking: Lacking = frozenset(), *, details: bool = False, large: bool = False
) -> str:
    """The match sheet as HTML, for a machine that has no glyph for the `lacking` characters."""
    sheet = MatchSheet(state, words, lacking)
    chart = chart_svg(sheet.chart, LARGE if large else PAPER) if sheet.chart else ""
    return render(
        "match.html",
        words,
        sheet=sheet,
        chart=Markup(chart),  # noqa: S704 - it escapes its texts
        is_lacking=bool(lacking),
        details=details,
        large=large,
    )


class MatchSheet:
    """What stands on the match sheet, for its template."""

    def __init__(self, state: MatchState, words: Words, lacking: Lacking = frozenset()) -> None:
        self.match, self.words, self.text = state, words, words.text
        self.names = Names(state, words, lacking)
        self.unit = state.rules.settings.unit
        self.title = " – ".join(self.names.sides)
        self.place = isolated(state.place)
        self.day = words.day(state.started.astimezone().date())
        self.readings: list[tuple[str, ...]] = []
        """The arguments of the readings among the lines, in the order of their marks."""
        self.hands = tuple(self._hand(hand) for hand in state.hands)

    # ------------------------------------------------------------------------------------------------ the head

    @property
    def goal(self) -> Fact:
        """How far the match goes: the target or, where a number of hands decides, that number."""
        settings = self.match.rules.settings
        if settings.match_deals is not None:
            return Fact(self.text("sheets.deals-head"), self.text("sheets.all-deals", count=settings.match_deals))
        target = self.text("value.target.unlimited") if settings.target is None else self.counted(settings.target)
        return Fact(self.text("setting.target"), target)

    @property
    def options(self) -> tuple[Fact, ...]:
        """What the table plays otherwise than its codification, or than the variant where it chose none."""
        options = self.match.rules.options
        return tuple(
            Fact(self.text(f"option.{name}"), value_word(name, options[name], self.words)) for name in self.match.house
        )

    @property
    def dealer(self) -> str:
        """Who dealt first."""
        return self.names.seat_in(self.match.dealer, 1)

    @property
    def replacements(self) -> tuple[str, ...]:
        """Who took whose place, and when; each by the name that stands there now, or stood when the next came."""
        return tuple(self._replacements())

    def _replacements(self) -> Iterator[str]:
        for position, taken in enumerate(self.match.replacements):
            later = (other.was for other in self.match.replacements[position + 1 :] if other.seat == taken.seat)
            name = isolated(next(later, "")) or self.names.seat(taken.seat)
            key = "sheets.replaced" if taken.was else "sheets.seated"
            yield self.text(key, number=self.number(taken), name=name, was=isolated(taken.was))

    @property
    def signers(self) -> tuple[str, ...]:
        """Every player who has a name; a side whose players have none signs as a side."""
        sides = zip(self.names.sides, self.names.players, strict=True)
        return tuple(each for name, players in sides for each in players or (name,))

    def number(self, of: Any) -> int:
        """The number of a hand among all those of the match: those played on paper before count as well."""
        return self.match.called(of.number)

    def counted(self, points: int) -> str:
        """So many points, or units."""
        return self.text(f"sheets.{self.unit}", points=points)

    # ------------------------------------------------------------------------------------------------ the hands

    def _hand(self, hand: HandState) -> Hand:
        table = table_of(hand.counted, self.names.sides, self.match.rules.variant, self.words, by_reason=False)
        return Hand(
            number=self.number(hand),
            dealt=tuple(self._dealt(hand)),
            ended=(*self._ended(hand), *self._standing(hand)),
            openings=tuple(map(self._opening, hand.sides)),
            rows=table.rows,
            marks=tuple(map(self._mark, table.rows)),
            sides=hand.sides,
        )

    def _dealt(self, hand: HandState) -> Iterator[str]:
        """Who dealt, who sat out, and who played with whom."""
        yield self.text("sheets.deals", name=self.names.seat_in(hand.turn.dealer, hand.number))
        for seat in hand.turn.resting:
            yield self.text("sheets.rests", name=self.names.seat_in(seat, hand.number))
        yield from self._partners(hand)

    def _ended(self, hand: HandState) -> Iterator[str]:
        """Who went out, and who showed a special hand; of a hand given as sums nobody said."""
        counted, names = hand.counted.hand, self.names.sides
        out = counted.get("out")
        if out:
            yield self.text("sheets.out", name=names[SIDE_KEYS.index(out["side"])])
        elif not all("sum" in side for side in counted["sides"].values()):
            yield self.text("sheets.nobody-out")
        for side, special in special_hands(counted, names):
            yield self.text("sheets.special", side=side, name=self.text(f"value.special.{special}"))

    def _partners(self, hand: HandState) -> Iterator[str]:
        """Who played alone and who together, where pairs are made anew in every hand."""
        if self.match.rules.settings.partnership is Partnership.FIXED:
            return
        if hand.single is None:
            yield self.text("sheets.each-alone")
            return
        single, pair = single_and_pair(hand, self.names.sides, self.words)
        yield self.text("sheets.single", name=single)
        yield self.text("sheets.pair", names=pair)

    def _standing(self, hand: HandState) -> Iterator[str]:
        """What became of the hand: corrected, counted by agreement against the rules, checked by the other side."""
        if hand.is_corrected:
            yield self.text("web.hand.corrected")
        if hand.counted.agreed:
            yield self.text("checking.mark.agreed")
        if hand.contest is not None:
            yield self.text("sheets.contested")
        elif hand.confirmed is not None:
            yield self._confirmed(hand.confirmed.astimezone())
        elif hand.waits:
            yield self.text("checking.mark.waits")

    def _confirmed(self, at: datetime) -> str:
        """When a hand was confirmed; the day of the match stands in the head of the sheet."""
        clock = self.words.clock(at)
        if at.date() == self.match.started.astimezone().date():
            return self.text("sheets.confirmed", clock=clock)
        return self.text("sheets.confirmed-later", day=self.words.day(at), clock=clock)

    def _opening(self, side: SideScore) -> str:
        """The opening minimum that a side had, and whether it never opened; empty where there was none."""
        if side.opening_minimum is None:
            return ""
        if side.opened is False:
            return self.text("sheets.not-opened", minimum=side.opening_minimum)
        return self.words.figure(side.opening_minimum)

    def _mark(self, row: Row) -> str:
        """The mark of a reading, by which its argument is found below the table; empty for any other line."""
        if not row.arguments:
            return ""
        if row.arguments not in self.readings:
            self.readings.append(row.arguments)
        return self.mark(self.readings.index(row.arguments) + 1)

    def mark(self, number: int) -> str:
        """The mark of this reading among those of the sheet."""
        return f"{MARK}{number}"

    def reading(self, arguments: tuple[str, ...]) -> str:
        """Why lines are a reading of the sources."""
        return self.text("sheets.reading", why=" ".join(self.text(f"read.{name}") for name in arguments))

    # ------------------------------------------------------------------------------------------------ below the table

    @property
    def chart(self) -> Chart | None:
        """The running totals; None before the second hand."""
        if len(self.match.hands) < CHART_FROM:
            return None
        return running_chart(self.match, self.words.language, self.names.drawn)

    @property
    def chart_names(self) -> tuple[str, ...]:
        """Who is meant where the chart goes by numbers."""
        called = zip(self.names.sides, self.names.drawn, strict=True)
        return tuple(self.text("sheets.chart-name", number=drawn, name=name) for name, drawn in called if name != drawn)

    @property
    def penalties(self) -> tuple[PenaltyGiven, ...]:
        """Every penalty and every agreed correction of points, each with what was said of it."""
        return tuple(self._penalties())

    def _penalties(self) -> Iterator[PenaltyGiven]:
        for hand in self.match.hands:
            number = self.number(hand)
            for name, key in zip(self.names.sides, SIDE_KEYS, strict=False):
                side = hand.counted.hand["sides"].get(key, {})
                for given in side.get("penalties", ()):
                    yield self._penalty(number, name, {"code": given} if isinstance(given, str) else given)
                for agreed in side.get("adjustments", ()):
                    what, reason = self.text("item.adjustment"), isolated(agreed["reason"])
                    yield PenaltyGiven(number, name, what, agreed["points"], reason)

    def _penalty(self, number: int, side: str, given: Mapping[str, Any]) -> PenaltyGiven:
        rule = self.match.rules.penalties[given["code"]]
        points = rule.costs(given.get("points"))
        return PenaltyGiven(
            number=number,
            side=side,
            what=self.text(f"penalty.{rule.code}"),
            points=None if points is None else -points,
            reason=isolated(given.get("reason") or ""),
            source=self._source(tuple(map(str, rule.cited.citations))),
        )

    @property
    def brief(self) -> tuple[Note, ...]:
        """Penalties, rulings and whatever else was said of a hand, each in a line, in the order of the hands."""
        penalties = (
            Note(each.number, f"{each.side}: {each.what}{self._points(each)}", each.reason) for each in self.penalties
        )
        corrected = self.text("web.hand.corrected").capitalize()
        corrections = (
            Note(each.number, corrected, self.text("sheets.note", note=each.note))
            for each in self.corrections
            if each.note
        )
        notes = (*penalties, *self.rulings, *self.agreements, *self.doubts, *self.remarks, *corrections)
        return tuple(sorted(notes, key=lambda note: note.number))

    def _points(self, given: PenaltyGiven) -> str:
        return "" if given.points is None else f" {self.words.signed(given.points)}"

    @property
    def rulings(self) -> tuple[Note, ...]:
        """The rulings of the referee that the table kept, in their order."""
        return tuple(self._ruling(kept.event) for kept in self.match.rulings)

    def _ruling(self, kept: RulingKept) -> Note:
        told, side = ruling_text(kept, self.match.rules.variant, self.words), kept.side
        case = () if side is None else ((self.text("referee.who"), self.names.sides[side]),)
        reasons = [Reason(isolated(reason.text), self._source(reason.sources)) for reason in told.reasons]
        penalty = ""
        if kept.points is not None and side is not None:
            points = self.words.signed(-kept.points)
            penalty = self.text("referee.kept.penalty", side=self.names.sides[side], points=points)
            reasons.append(Reason(penalty))
        return Note(
            self.number(kept),
            told.head,
            "; ".join(f"{label}: {isolated(text)}" for label, text in (*case, *told.case)),
            tuple(reasons),
            penalty,
        )

    @property
    def agreements(self) -> tuple[Note, ...]:
        """The hands that the table counted although the rules refuse them."""
        return tuple(
            Note(
                self.number(hand),
                self.text("sheets.agreed-because", reason=isolated(counted.agreed)),
                reasons=tuple(
                    Reason(fact(finding, self.names.sides, self.words), self._source(finding.sources))
                    for finding in counted.broken
                ),
            )
            for hand, counted in ((hand, hand.counted) for hand in self.match.hands)
            if counted.agreed
        )

    @property
    def sums(self) -> tuple[str, ...]:
        """The hands of which only the sum that the table agreed is known, of a side or of all."""
        found: dict[tuple[str, ...], list[str]] = {}
        for hand in self.match.hands:
            with_lines = zip(self.names.sides, hand.sides, strict=True)
            sides = tuple(name for name, side in with_lines if any(line.item == "sum" for line in side.lines))
            if sides:
                found.setdefault(sides, []).append(self.words.figure(self.number(hand)))
        listing = self.words.listing
        return tuple(
            self.words.plural("sheets.sum-of", len(numbers), numbers=listing(numbers), sides=listing(sides))
            for sides, numbers in found.items()
        )

    @property
    def doubts(self) -> tuple[Note, ...]:
        """The rules that hands only break since an earlier one was corrected."""
        return tuple(
            Note(self.number(hand), message(doubt, self.names.sides, self.words), self._source(doubt.sources))
            for hand in self.match.hands
            for doubt in hand.doubts
        )

    @property
    def remarks(self) -> tuple[Note, ...]:
        """What somebody noted of a hand."""
        return tuple(Note(self.number(hand), isolated(hand.remark)) for hand in self.match.hands if hand.remark)

    @property
    def corrections(self) -> tuple[Recount, ...]:
        """Every time that a hand was counted again, and that counting held."""
        return tuple(
            self._recount(hand, before, after)
            for hand in self.match.hands
            for before, after in zip(hand.versions, hand.versions[1:], strict=False)
        )

    @property
    def contests(self) -> tuple[Recount, ...]:
        """The hands that the other side counted otherwise, as long as nobody has chosen between the two countings."""
        return tuple(
            self._recount(hand, hand.versions[-1], hand.contest)
            for hand in self.match.hands
            if hand.contest is not None
        )

    def _recount(self, hand: HandState, before: LogEntry[Counted], after: LogEntry[Counted]) -> Recount:
        changes = tuple(self._changes(before.event, after.event))
        return Recount(self.number(hand), after.at.astimezone(), isolated(after.event.note), changes)

    def _changes(self, before: Counted, after: Counted) -> Iterator[Change]:
        for name, was, now in zip(self.names.sides, before.lines, after.lines, strict=True):
            old, new = keyed(was, by_reason=False), keyed(now, by_reason=False)
            for key in dict.fromkeys((*old, *new)):
                cells = _cell(old.get(key)), _cell(new.get(key))
                if cells[0] != cells[1]:
                    yield Change(name, self._label(key, after if key in new else before), *cells)
            sums = [Cell(None, sum(line.points for line in lines)) for lines in (was, now)]
            if sums[0] != sums[1]:
                yield Change(name, self.text("sheets.hand-total"), *sums)

    def _label(self, key: Key, counted: Counted) -> str:
        """What a line is for, in one piece of text."""
        item, code, *_ = key
        concealed, variant = is_concealed(counted.hand), self.match.rules.variant
        label = line_label(item, code, None, self.words, concealed=concealed, variant=variant)
        return f"{label} ({self.text('sheets.unverified')})" if item == "sum" else label

    def _source(self, places: tuple[str, ...]) -> str:
        """The first of these places as people read it: the title of its source and its section; empty for none."""
        if not places:
            return ""
        name, _, section = places[0].partition(":")
        titles = {str(key): source.title for key, source in sources().items()}
        return self.text("sheets.source", title=titles[name], section=section) if name in titles else places[0]

    # ------------------------------------------------------------------------------------------------ the result

    @property
    def result(self) -> str:
        """How the match ended, or that it goes on and until when."""
        return " ".join(self._sentences())

    def _sentences(self) -> Iterator[str]:
        state, hands = self.match, self.match.called(len(self.match.hands))
        if not state.standing.finished:
            yield f"{self.words.plural('share.going-on', hands)}."
            yield from self._to_come()
            return
        winner = state.standing.winner
        if state.ended_early and state.ending:
            yield from self._agreed(state.ending, hands)
        elif winner is None:
            yield self.words.plural("sheets.even", hands)
        if winner is not None:
            points = self.counted(state.sides[winner].total)
            yield self.text("sheets.won", name=self.names.sides[winner], points=points)

    def _agreed(self, ending: Ending, hands: int) -> Iterator[str]:
        """How a match ended that did not end by its rules; who is level where nobody won it."""
        sides, is_broken_off = self.names.sides, ending.how is EndHow.BROKEN_OFF
        key = "sheets.ended.broken-off" if is_broken_off else f"checking.ended.{ending.how}"
        yield self.words.plural(key, hands, side="" if ending.side is None else sides[ending.side])
        if self.match.standing.winner is not None or is_broken_off:
            return
        totals = tuple(side.total for side in self.match.sides)
        highest = ending.highest(totals)
        names = self.words.listing(sides[side] for side in highest)
        yield self.text("sheets.level", names=names, points=self.counted(totals[highest[0]]))

    def _to_come(self) -> Iterator[str]:
        """An end that the table agreed and that is still to come."""
        ending = self.match.ending
        if ending is None or ending.hands is None:
            return
        if ending.hands == len(self.match.hands) + 1:
            yield self.text("sheets.last-hand")
        else:
            yield self.text("sheets.up-to-hand", number=self.match.called(ending.hands))


def _cell(line: Line | None) -> Cell | None:
    return None if line is None else Cell(line.count, line.points)
