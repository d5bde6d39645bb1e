"""The match sheet on A4, as PDF: a page with the result and a row for each hand, and on request the lines of each hand.

The template words what it can; here stands what has to be put together first. Figures are points, or units where the
game counts in those; what belongs to each side comes in the order of the sides.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from scorepad.sheets.hand_rows import Row, is_concealed, keyed, line_label, single_and_pair, special_hands, table_of
from scorepad.sheets.names import Lacking, Names, isolated
from scorepad.sheets.pdf import Fact, pdf_for_lacking, render

CHART_FROM = 2
"""The hands from which on a chart shows more than the table."""
MARK = "§"
"""Marks a line that is a reading of the sources; the fonts of the sheets have it."""


class Hand(NamedTuple):
    """A counted hand on the sheet, in words.

    `deal` says who dealt, who sat out and who played with whom; `ended` how it ended and how far it is checked. `marks`
    are those of its rows.
    """

    number: int
    deal: tuple[str, ...]
    ended: tuple[str, ...]
    openings: tuple[str, ...]
    rows: tuple[Row, ...]
    marks: tuple[str, ...]
    sides: tuple[SideScore, ...]


class PenaltyGiven(NamedTuple):
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


class Note(NamedTuple):
    """Something to be said of a hand below the table, with what it rests on; `penalty` is what a ruling cost."""

    number: int
    text: str
    detail: str = ""
    reasons: tuple[Reason, ...] = ()
    penalty: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a side has of a line: how many (None where only points were given), and the points."""

    count: int | None
    points: int


class Change(NamedTuple):
    """What a correction changed of a side: the line as it was and as it became (None where there was none)."""

    side: str
    what: str
    before: Cell | None
    after: Cell | None


class Recount(NamedTuple):
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
    chart = Markup(chart_svg(sheet.chart, LARGE if large else PAPER) if sheet.chart else "")  # noqa: S704 - escaped
    values = {"sheet": sheet, "chart": chart, "is_lacking": bool(lacking), "details": details, "large": large}
    return render("match.html", words, **values)


class MatchSheet:
    """What stands on the match sheet, for its template.

    Attributes: `match`, `names`, `unit` (points or units), `title`, `place`, `day`, `hands`; `readings`, the arguments
    of the readings among the lines, in the order of their marks.
    """

    def __init__(self, state: MatchState, words: Words, lacking: Lacking = frozenset()) -> None:
        self.match, self.words, self.text = state, words, words.text
        self.names = Names(state, words, lacking)
        self.unit = state.rules.settings.unit
        self.title = " – ".join(self.names.sides)
        self.place = isolated(state.place)
        self.day = words.day(state.started.astimezone().date())
        self.readings: list[tuple[str, ...]] = []
        self.hands = tuple(self._hand(hand) for hand in state.hands)

    def number(self, of: Any) -> int:
        """The number of a hand among all those of the match: those played on paper before count as well."""
        return self.match.called(of.number)

    def counted(self, points: int) -> str:
        """So many points, or units."""
        return self.text(f"sheets.{self.unit}", points=points)

    def mark(self, number: int) -> str:
        """The mark of this reading among those of the sheet."""
        return f"{MARK}{number}"

    def reading(self, arguments: tuple[str, ...]) -> str:
        """Why lines are a reading of the sources."""
        return self.text("sheets.reading", why=" ".join(self.text(f"read.{name}") for name in arguments))

    # ------------------------------------------------------------------------------------------------ the head

    @property
    def goal(self) -> Fact:
        """How far the match goes: the target or, where a number of hands decides, that number."""
        settings = self.match.rules.settings
        if settings.match_deals is not None:
            return Fact(self.text("sheets.number-of-hands"), self.text("sheets.all-deals", count=settings.match_deals))
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
        return self.names.seat(self.match.begins.dealer, 1)

    @property
    def replacements(self) -> tuple[str, ...]:
        """Who took whose place, and when; each by the name that stands there now, or stood when the next came."""
        taken, found = self.match.replacements, []
        for position, each in enumerate(taken):
            later = (other.was for other in taken[position + 1 :] if other.seat == each.seat)
            name = isolated(next(later, "")) or self.names.seat(each.seat)
            key = "sheets.replaced" if each.was else "sheets.seated"
            found.append(self.text(key, number=self.number(each), name=name, was=isolated(each.was)))
        return tuple(found)

    @property
    def signers(self) -> tuple[str, ...]:
        """Every player who has a name; a side whose players have none signs as a side."""
        sides = zip(self.names.sides, self.names.players, strict=True)
        return tuple(each for name, players in sides for each in players or (name,))

    @property
    def result(self) -> str:
        """How the match ended, or that it goes on and until when."""
        return " ".join(self._sentences())

    def _sentences(self) -> Iterator[str]:
        state, hands = self.match, self.match.called(len(self.match.hands))
        ending, winner = state.ending, state.standing.winner
        if not state.standing.finished:
            yield f"{self.words.plural('share.going-on', hands)}."
            if ending is not None and ending.hands is not None:
                is_last = ending.hands == len(state.hands) + 1
                yield self.text(
                    "sheets.last-hand" if is_last else "sheets.up-to-hand", number=state.called(ending.hands)
                )
        elif state.ended_early and ending:
            yield from self._agreed(ending, hands)
        elif winner is None:
            yield self.words.plural("sheets.even", hands)
        if state.standing.finished and winner is not None:
            points = self.counted(state.sides[winner].total)
            yield self.text("sheets.won", name=self.names.sides[winner], points=points)

    def _agreed(self, ending: Ending, hands: int) -> Iterator[str]:
        """How a match ended that did not end by its rules; who is level where nobody won it."""
        sides, is_broken_off = self.names.sides, ending.how is EndHow.BROKEN_OFF
        key = "sheets.ended.broken-off" if is_broken_off else f"checking.ended.{ending.how}"
        yield self.words.plural(key, hands, side="" if ending.side is None else sides[ending.side])
        if self.match.standing.winner is None and not is_broken_off:
            totals = tuple(side.total for side in self.match.sides)
            highest = ending.highest(totals)
            names = self.words.listing(sides[side] for side in highest)
            yield self.text("sheets.level", names=names, points=self.counted(totals[highest[0]]))

    # ------------------------------------------------------------------------------------------------ the hands

    def _hand(self, hand: HandState) -> Hand:
        counted, variant = hand.counted, self.match.rules.variant
        rows = table_of(counted, self.names.sides, variant, self.words, by_reason=False).rows
        return Hand(
            number=self.number(hand),
            deal=tuple(self._deal(hand)),
            ended=(*self._ended(counted.hand), *self._standing(hand)),
            openings=tuple(map(self._opening, hand.sides)),
            rows=rows,
            marks=tuple(map(self._mark, rows)),
            sides=hand.sides,
        )

    def _deal(self, hand: HandState) -> Iterator[str]:
        """Who dealt, who sat out, and who played with whom where pairs are made anew in every hand."""
        yield self.text("sheets.dealer", name=self.names.seat(hand.turn.dealer, hand.number))
        for seat in hand.turn.resting:
            yield self.text("sheets.rests", name=self.names.seat(seat, hand.number))
        if self.match.rules.settings.partnership is Partnership.FIXED:
            return
        if hand.single is None:
            yield self.text("sheets.each-alone")
            return
        single, pair = single_and_pair(hand, self.names.sides, self.words)
        yield self.text("sheets.single", name=single)
        yield self.text("sheets.pair", names=pair)

    def _ended(self, hand: Any) -> Iterator[str]:
        """Who went out, and who showed a special hand; of a hand given as sums nobody said."""
        out, names = hand.get("out"), self.names.sides
        if out:
            yield self.text("sheets.out", name=names[SIDE_KEYS.index(out["side"])])
        elif not all("sum" in side for side in hand["sides"].values()):
            yield self.text("sheets.nobody-out")
        for side, special in special_hands(hand, names):
            yield self.text("sheets.special", side=side, name=self.text(f"value.special.{special}"))

    def _standing(self, hand: HandState) -> Iterator[str]:
        """What became of the hand: corrected, counted by agreement against the rules, checked by the other side."""
        if hand.is_corrected:
            yield self.text("web.hand.corrected")
        if hand.counted.agreed:
            yield self.text("checking.mark.agreed")
        if hand.contest is not None:
            yield self.text("sheets.contested")
        elif hand.confirmed is not None:
            # The day of the match stands in the head of the sheet.
            at = hand.confirmed.astimezone()
            is_that_day = at.date() == self.match.started.astimezone().date()
            key = "sheets.confirmed" if is_that_day else "sheets.confirmed-later"
            yield self.text(key, day=self.words.day(at), clock=self.words.clock(at))
        elif hand.waits:
            yield self.text("checking.mark.waits")

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
    def brief(self) -> tuple[Note, ...]:
        """Penalties, rulings and whatever else was said of a hand, each in a line, in the order of the hands."""
        penalties = []
        for each in self.penalties:
            points = "" if each.points is None else f" {self.words.signed(each.points)}"
            penalties.append(Note(each.number, f"{each.side}: {each.what}{points}", each.reason))
        corrected = self.text("web.hand.corrected").capitalize()
        corrections = (
            Note(each.number, corrected, self.text("sheets.note", note=each.note))
            for each in self.corrections
            if each.note
        )
        notes = (*penalties, *self.rulings, *self.agreements, *self.doubts, *self.remarks, *corrections)
        return tuple(sorted(notes, key=lambda note: note.number))

    @property
    def penalties(self) -> tuple[PenaltyGiven, ...]:
        """Every penalty and every agreed correction of points, each with what was said of it."""
        return tuple(
            given
            for hand in self.match.hands
            for name, key in zip(self.names.sides, SIDE_KEYS, strict=False)
            for given in self._penalties(self.number(hand), name, hand.counted.hand["sides"].get(key, {}))
        )

    def _penalties(self, number: int, name: str, side: Any) -> Iterator[PenaltyGiven]:
        for each in side.get("penalties", ()):
            given: dict[str, Any] = {"code": each} if isinstance(each, str) else each
            rule = self.match.rules.penalties[given["code"]]
            points, source = rule.costs(given.get("points")), self._source(tuple(map(str, rule.cited.citations)))
            yield PenaltyGiven(
                number,
                name,
                self.text(f"penalty.{rule.code}"),
                None if points is None else -points,
                isolated(given.get("reason") or ""),
                source,
            )
        for each in side.get("adjustments", ()):
            yield PenaltyGiven(number, name, self.text("item.adjustment"), each["points"], isolated(each["reason"]))

    @property
    def rulings(self) -> tuple[Note, ...]:
        """The rulings of the referee that the table kept, in their order."""
        return tuple(self._ruling(kept.event) for kept in self.match.rulings)

    def _ruling(self, kept: RulingKept) -> Note:
        ruling, side = ruling_text(kept, self.match.rules.variant, self.words), kept.side
        case = () if side is None else ((self.text("referee.who"), self.names.sides[side]),)
        reasons = [Reason(isolated(reason.text), self._source(reason.sources)) for reason in ruling.reasons]
        penalty = ""
        if kept.points is not None and side is not None:
            points = self.words.signed(-kept.points)
            penalty = self.text("referee.kept.penalty", side=self.names.sides[side], points=points)
            reasons.append(Reason(penalty))
        facts = "; ".join(f"{label}: {isolated(text)}" for label, text in (*case, *ruling.case))
        return Note(self.number(kept), ruling.head, facts, tuple(reasons), penalty)

    @property
    def agreements(self) -> tuple[Note, ...]:
        """The hands that the table counted although the rules refuse them."""
        found = []
        for hand in self.match.hands:
            counted = hand.counted
            if counted.agreed:
                broken = (
                    Reason(fact(each, self.names.sides, self.words), self._source(each.sources))
                    for each in counted.broken
                )
                because = self.text("sheets.agreed-because", reason=isolated(counted.agreed))
                found.append(Note(self.number(hand), because, reasons=tuple(broken)))
        return tuple(found)

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
        return Recount(self.number(hand), after.at.astimezone(), isolated(after.event.why), changes)

    def _changes(self, before: Counted, after: Counted) -> Iterator[Change]:
        variant = self.match.rules.variant
        for name, was, now in zip(self.names.sides, before.lines, after.lines, strict=True):
            old, new = keyed(was, by_reason=False), keyed(now, by_reason=False)
            for key in dict.fromkeys((*old, *new)):
                cells = _cell(old.get(key)), _cell(new.get(key))
                if cells[0] == cells[1]:
                    continue
                concealed = is_concealed((after if key in new else before).hand)
                label = line_label(*key[:2], None, self.words, concealed=concealed, variant=variant)
                what = f"{label} ({self.text('sheets.unverified')})" if key[0] == "sum" else label
                yield Change(name, what, *cells)
            sums = [Cell(None, sum(line.points for line in lines)) for lines in (was, now)]
            if sums[0] != sums[1]:
                yield Change(name, self.text("sheets.hand-total"), *sums)

    def _source(self, places: tuple[str, ...]) -> str:
        """The first of these places as people read it: the title of its source and its section; empty for none."""
        if not places:
            return ""
        name, _, section = places[0].partition(":")
        titles = {str(key): source.title for key, source in sources().items()}
        return self.text("sheets.source", title=titles[name], section=section) if name in titles else places[0]


def _cell(line: Line | None) -> Cell | None:
    return None if line is None else Cell(line.count, line.points)
