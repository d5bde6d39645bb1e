"""The match that its log adds up to, and the values that pages, sheets and programs read of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import add
from typing import Any, NamedTuple, Self

from scorepad.matches.access import SIDE_KEYS, Access, DeviceMark, MatchId
from scorepad.matches.events import (
    Counted,
    EndHow,
    Ending,
    EntryKind,
    Labels,
    LogEntry,
    Replacement,
    RulingKept,
    Start,
    Undo,
)
from scorepad.matches.judgement import review
from scorepad.matches.rulings import KeptRuling
from scorepad.rules.judge import Finding
from scorepad.rules.match import Seat, Standing, Turn, standing, turn_of
from scorepad.rules.score import Line
from scorepad.rules.settings import Partnership, Settings
from scorepad.rules.variants import Choice, Ruleset
from scorepad.storage.records import Entry, MatchRecord, OpenHandRecord, SummaryRecord

RulesOf = Callable[[str], Ruleset]
"""The rules of a digest."""


@dataclass(frozen=True, slots=True)
class NewMatch:
    """What a match starts with. `names` of the sides, `players` by side (empty strings where nobody was named)."""

    variant: str
    preset: str | None
    options: Mapping[str, Choice]
    names: tuple[str, ...]
    players: tuple[tuple[str, ...], ...]
    dealer: Seat = (0, 0)
    place: str = ""
    carried: tuple[int, ...] = ()
    """The totals of the sides, of a match taken over from paper; points. Empty where it starts at nothing."""
    played: int = 0
    """The hands that were played on paper."""
    practice: bool = False
    """To see how it goes: never counted."""


@dataclass(frozen=True, slots=True)
class OpenHand:
    """The hand being typed, stored from its first field.

    `draft` is what the form holds (field name to text); `version` rises with each change that is stored.
    """

    id: str
    version: int
    number: int
    draft: Mapping[str, str]
    kept_at: datetime


@dataclass(frozen=True, slots=True)
class SideState:
    """A side as the match page shows it. Points; `minimum` is the opening minimum of the coming hand."""

    name: str
    players: tuple[str, ...]
    total: int
    minimum: int | None
    minimum_from: int | None
    """The match score from which that minimum holds; None below zero or where it never changes."""
    to_target: int | None


@dataclass(frozen=True, slots=True)
class SideHand:
    """A side's part of a counted hand: its lines as acknowledged, and the match score before and after."""

    lines: tuple[Line, ...]
    hand: int
    before: int
    total: int
    opened: bool | None
    minimum: int | None


@dataclass(frozen=True, slots=True)
class HandVersion:
    """One count of a hand: the first, or a correction of the one before. `entry` is its sequence in the log."""

    entry: int
    at: datetime
    device: DeviceMark
    counted: Counted

    @property
    def note(self) -> str:
        """Why it was corrected."""
        return self.counted.note

    @property
    def hand(self) -> Mapping[str, Any]:
        """The hand as in the JSON contract, sides by `SIDE_KEYS`, without variant and scores before."""
        return self.counted.hand

    @property
    def sides(self) -> tuple[tuple[Line, ...], ...]:
        """The lines of each side."""
        return tuple(side.lines for side in self.counted.sides)

    @property
    def agreed(self) -> str:
        """Why the table agreed to what the rules refuse; empty where it did not."""
        return self.counted.agreed

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The rule problems that the table agreed to."""
        return tuple(finding for finding in self.counted.findings if finding.is_error)

    @property
    def by(self) -> int | None:
        """The side that the device counts for, if any."""
        return self.counted.by

    @property
    def draft(self) -> Mapping[str, str]:
        """The fields as typed; empty where the hand came otherwise."""
        return self.counted.draft


@dataclass(frozen=True, slots=True)
class Checked:
    """How far a hand is, where one side counts and the other checks.

    `confirmed` is when the other side agreed, `contest` its own count as long as none is chosen, and `waits` whether
    nobody has checked it yet.
    """

    confirmed: datetime | None = None
    contest: HandVersion | None = None
    waits: bool = False


@dataclass(frozen=True, slots=True)
class HandState:
    """A counted hand in the match. `versions` oldest first, the last one counts.

    `warnings` are those of the hand as it stands now; `doubts` are rule problems that it only has since an earlier
    hand was corrected (an opening that no longer reaches the minimum).
    """

    number: int
    sides: tuple[SideHand, ...]
    turn: Turn
    versions: tuple[HandVersion, ...]
    warnings: tuple[Finding, ...]
    doubts: tuple[Finding, ...]
    single: int | None = None
    """Who played alone against the others together, where pairs are made anew in every hand."""
    checked: Checked = field(default_factory=Checked)
    remark: str = ""
    """A note on the hand."""

    @property
    def is_corrected(self) -> bool:
        """Whether it was counted more than once."""
        return len(self.versions) > 1


@dataclass(frozen=True, slots=True)
class Undoable:
    """An entry that can be undone: its sequence, its kind, and the hand that it is about.

    `guarded`: the other side had agreed to it, so that undoing it takes a note.
    """

    entry: int
    kind: str
    number: int | None
    guarded: bool = False


@dataclass(slots=True)
class MatchState:
    """A match as it stands: its log and what that adds up to.

    It changes only while it is projected. The one in the cache is shared by all threads: `with_entry` and `seen_by`
    make another.
    """

    record: MatchRecord
    rules: Ruleset
    rules_of: RulesOf = field(repr=False, compare=False)
    log: list[LogEntry] = field(default_factory=list, repr=False)
    labels: Labels = field(default_factory=lambda: Labels((), (), ""))
    begins: Start = field(default_factory=lambda: Start((), (), "", (0, 0), ()))
    house: tuple[str, ...] = ()
    """The options that the table plays otherwise than was usual when it began."""
    hands: list[HandState] = field(default_factory=list)
    scores: list[tuple[int, ...]] = field(default_factory=list)
    """The match scores before each hand, and last those that stand now, in points."""
    undo_stack: list[Undoable] = field(default_factory=list)
    """The entries that can be undone, the last one last."""
    turned_at: int = 0
    """The sequence of the entry that the coming hand follows: the hand before it, or the undoing of one."""
    ending: Ending | None = None
    """An end agreed otherwise than by the rules, whether it has come or is to come."""
    replacements: list[Replacement] = field(default_factory=list)
    checking_since: int = 0
    """The entry since which one side checks what the other counts; 0 where nobody does."""
    is_rematched: bool = False
    """Whether a rematch of it has begun."""
    rulings: list[KeptRuling] = field(default_factory=list)
    """The rulings kept with it, in order."""
    by_rules: Standing = field(default=Standing(None, finished=False, winner=None), compare=False)
    """Where the match stands after its last hand, whatever the table agreed."""
    standing: Standing = field(default=Standing(None, finished=False, winner=None))
    """Where the match stands."""
    sides: tuple[SideState, ...] = ()
    next_turn: Turn = field(default=Turn((0, 0), (0, 0), (0, 0), ()))
    open_hand: OpenHand | None = None
    access: Access = Access.NONE
    """What the device that asks may do."""
    rematch: MatchId | None = None
    _changed: tuple[int, int] = field(default=(0, 0), repr=False, compare=False)
    """The first and the last hand whose scores are to be worked out."""

    # ------------------------------------------------------------------------------------------------ reading

    @property
    def id(self) -> MatchId:
        """Its name in addresses."""
        return MatchId(self.record.id)

    @property
    def started(self) -> datetime:
        """When it began."""
        return self.record.started

    @property
    def last(self) -> Entry:
        """The last entry about the match itself: decisions about access are left out."""
        return next(entry.record for entry in reversed(self.log) if entry.record.kind != EntryKind.DOOR)

    @property
    def changed(self) -> datetime:
        """When something was last done to the match itself."""
        return self.last.at

    @property
    def place(self) -> str:
        """Where it is played; empty where nobody said."""
        return self.labels.place

    @property
    def dealer(self) -> Seat:
        """Who dealt the first hand on the pad."""
        return self.begins.dealer

    @property
    def sequence(self) -> int:
        """The sequence of the last entry: two states with the same sequence are the same."""
        return self.log[-1].sequence

    @property
    def coming_id(self) -> str:
        """The name of the coming hand, the same on every device until it is counted or undone."""
        return self.open_hand.id if self.open_hand else f"{self.id}-{self.turned_at}"

    @property
    def undoable(self) -> Undoable | None:
        """What would be undone next."""
        return self.undo_stack[-1] if self.undo_stack else None

    @property
    def ended_early(self) -> bool:
        """Whether it is over by an agreement, and not by its rules."""
        return self.standing.finished and not self.by_rules.finished

    @property
    def checking(self) -> bool:
        """Whether one side counts and the other checks."""
        return bool(self.checking_since)

    @property
    def carried(self) -> tuple[int, ...]:
        """The totals that it was taken over with from paper; empty where it was not."""
        return self.begins.carried

    @property
    def played(self) -> int:
        """The hands played on paper before."""
        return self.begins.played

    @property
    def practice(self) -> bool:
        """Whether it is only to see how it goes, and never counted."""
        return self.begins.practice

    @property
    def coming(self) -> int:
        """The number of the hand to come among all the match's hands, those on paper included."""
        return self.called(len(self.hands) + 1)

    def called(self, number: int) -> int:
        """The number by which the table knows a hand of the pad: those on paper came before."""
        return self.played + number

    def sat(self, seat: Seat, number: int) -> str:
        """The name of who sat there in a hand of the pad: somebody else may since. Empty where none was given."""
        later = (taken.was for taken in self.replacements if taken.seat == seat and taken.number > number)
        return next(later, self.sides[seat[0]].players[seat[1]])

    def has_hand(self, number: int, entry: int) -> bool:
        """Whether there is such a hand, and the version that counts is that of this entry."""
        return 1 <= number <= len(self.hands) and self.hands[number - 1].versions[-1].entry == entry

    def summary(self) -> SummaryRecord:
        """The row in which lists find the match."""
        return SummaryRecord(
            match=self.id,
            variant=self.rules.variant,
            names=self.labels.names,
            totals=self.scores[-1],
            hands=len(self.hands),
            target=self.standing.target or 0,
            finished=self.standing.finished,
            winner=self.standing.winner,
            started=self.started,
            changed=self.changed,
            place=self.last.place,
            players=self.labels.players,
            practice=self.practice,
            ending=self.ending.how.value if self.ending and self.ended_early else "",
        )

    # ------------------------------------------------------------------------------------------------ projecting

    def with_entry(self, record: Entry, event: Any, rules_of: RulesOf) -> Self:
        """The match with one more entry."""
        entry = LogEntry(record, event)
        if isinstance(event, Undo):
            made = type(self)(self.record, rules_of(self.record.ruleset), rules_of).replay([*self.log, entry])
            opened = self.open_hand and replace(self.open_hand, number=len(made.hands) + 1)
            return replace(made, access=self.access, open_hand=opened, rematch=self.rematch)
        made = replace(
            self,
            rules_of=rules_of,
            log=[*self.log, entry],
            hands=[*self.hands],
            scores=[*self.scores],
            undo_stack=[*self.undo_stack],
            replacements=[*self.replacements],
            rulings=[*self.rulings],
            _changed=(len(self.hands), len(self.hands)),
        )
        event.apply(made, entry)
        return made.settled()

    def replay(self, log: Iterable[LogEntry]) -> Self:
        """Apply the entries of a whole log; those undone later are left out."""
        self.log = list(log)
        undone = {entry.event.entry for entry in self.log if isinstance(entry.event, Undo)}
        for entry in self.log:
            if entry.sequence not in undone:
                entry.event.apply(self, entry)
        return self.settled()

    def seen_by(self, access: Access, record: OpenHandRecord | None, rematch: MatchId | None) -> Self:
        """The match for a device, with the hand being typed."""
        opened = None
        if record is not None:
            opened = OpenHand(record.id, record.version, len(self.hands) + 1, record.draft, record.kept_at)
        return replace(self, access=access, open_hand=opened, rematch=rematch)

    def add_undoable(self, entry: LogEntry) -> None:
        """Note that an entry can be undone."""
        event = entry.event
        self.undo_stack.append(Undoable(entry.sequence, event.kind, event.hand_number, event.guarded))

    def add_hand(self, counted: Counted, entry: LogEntry) -> None:
        """Add a hand; its scores are worked out at the end."""
        version = self.version_of(counted, entry)
        self.hands.append(HandState(counted.number, (), self.next_turn, (version,), (), (), remark=counted.remark))
        self._touch(len(self.hands) - 1)

    def put_hand(self, hand: HandState) -> None:
        """Put a hand in the place of what it was."""
        self.hands[hand.number - 1] = hand
        self._touch(hand.number - 1)

    def add_ruling(self, ruling: RulingKept, entry: LogEntry) -> None:
        """Keep a ruling with the match."""
        self.rulings.append(KeptRuling.of(entry.sequence, entry.record.at, ruling))

    @staticmethod
    def version_of(counted: Counted, entry: LogEntry) -> HandVersion:
        """The count that an entry holds."""
        return HandVersion(entry.sequence, entry.record.at, DeviceMark(entry.record.device), counted)

    def recount(self) -> None:
        """Work out every hand again at the end."""
        self._changed = 0, len(self.hands) - 1

    def _touch(self, index: int) -> None:
        first, last = self._changed
        self._changed = min(first, index), max(last, index)

    def settled(self) -> Self:
        """Work out what follows from the entries applied: the scores of the hands changed, and where it stands."""
        self._count_scores()
        settings, deals = self.rules.settings, self.played + len(self.hands)
        totals, ending = self.scores[-1], self.ending
        self.by_rules = self.standing = standing(totals, settings, deals)
        if not self.by_rules.finished and ending and (ending.hands is None or len(self.hands) >= ending.hands):
            self.standing = Standing(self.by_rules.target, finished=True, winner=ending.winner(totals))
        self.sides = tuple(
            self._side(name, players, total)
            for name, players, total in zip(self.labels.names, self.labels.players, totals, strict=True)
        )
        self.next_turn = turn_of(settings, self.dealer, len(self.hands))
        return self

    def _count_scores(self) -> None:
        """Scores from the first hand changed to the last, and further as far as totals are others."""
        first, last = self._changed
        for index in range(first, len(self.hands)):
            hand, before = self.hands[index], self.scores[index]
            counted = hand.versions[-1].counted
            after = tuple(map(add, before, (side.points for side in counted.sides)))
            self.hands[index] = self._counted_hand(hand, before, after)
            if index + 1 == len(self.scores):
                self.scores.append(after)
            elif index >= last and self.scores[index + 1] == after:
                break
            self.scores[index + 1] = after
        self._changed = len(self.hands), len(self.hands)

    def _counted_hand(self, hand: HandState, before: tuple[int, ...], after: tuple[int, ...]) -> HandState:
        settings, counted = self.rules.settings, hand.versions[-1].counted
        warnings, doubts = review(self.rules, counted, before)
        is_watched = 0 < self.checking_since < hand.versions[0].entry
        return HandState(
            number=hand.number,
            sides=tuple(
                SideHand(
                    side.lines, side.points, start, end, side.opened, settings.opening_minimum(start, counted.deal)
                )
                for side, start, end in zip(counted.sides, before, after, strict=True)
            ),
            turn=turn_of(settings, self.dealer, hand.number - 1),
            versions=hand.versions,
            warnings=tuple(finding for finding in warnings if not finding.is_error),
            doubts=doubts,
            single=_single(settings, counted),
            checked=replace(hand.checked, waits=is_watched and hand.checked.confirmed is None),
            remark=hand.remark,
        )

    def _side(self, name: str, players: tuple[str, ...], total: int) -> SideState:
        settings, finished, target = self.rules.settings, self.standing.finished, self.standing.target
        return SideState(
            name=name,
            players=players,
            total=total,
            minimum=None if finished else settings.opening_minimum(total, self.coming),
            minimum_from=None if finished else _minimum_from(settings, total),
            to_target=None if target is None else max(0, target - total),
        )


def project(record: MatchRecord, entries: Iterable[Entry], rules_of: RulesOf) -> MatchState:
    """The match of a log. Raises UnknownEntry, and ValueError or LookupError for a log that makes no sense."""
    state = MatchState(record, rules_of(record.ruleset), rules_of)
    return state.replay(map(LogEntry.of, entries))


def _single(settings: Settings, counted: Counted) -> int | None:
    """Who took the pile first; where nobody did, who went out. None where everybody played for themselves."""
    if settings.partnership is not Partnership.SINGLE_TAKER:
        return None
    single = counted.hand.get("single") or (counted.hand.get("out") or {}).get("side")
    return SIDE_KEYS.index(single) if single in SIDE_KEYS else None


def _minimum_from(settings: Settings, total: int) -> int | None:
    """The match score from which the opening minimum in force holds."""
    reached = [start for start, _ in settings.opening_steps if 0 <= start <= total]
    return reached[-1] if reached and len(settings.opening_steps) > 1 else None


# ---------------------------------------------------------------------------------------------------- lists


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match as the home page lists it."""

    id: MatchId
    variant: str
    names: tuple[str, ...]
    totals: tuple[int, ...]
    hands: int
    standing: Standing
    started: datetime
    changed: datetime
    players: tuple[tuple[str, ...], ...] = ()
    ending: EndHow | None = None
    """How it ended where that was not by its rules."""
    place: int = 0
    """Its order among the matches of the file, whatever the clock said: the higher, the later it changed."""

    @classmethod
    def of(cls, record: SummaryRecord) -> Self:
        """The match of a row."""
        return cls(
            id=MatchId(record.match),
            variant=record.variant,
            names=record.names,
            totals=record.totals,
            hands=record.hands,
            standing=Standing(record.target or None, record.finished, record.winner),
            started=record.started,
            changed=record.changed,
            players=record.players,
            ending=EndHow(record.ending) if record.ending else None,
            place=record.place,
        )

    def every_name(self) -> list[str]:
        """The names of its sides and players."""
        return [*self.names, *(player for players in self.players for player in players)]


class Summaries(NamedTuple):
    """Matches of a device, those in progress and those finished, the last one changed first: all, or the first few.

    `garbled` are those among them whose row cannot be read; the match itself is read apart and may be whole.
    `practice` are the practice matches that the device came into itself: they are in none of the others.
    """

    in_progress: tuple[MatchSummary, ...]
    finished: tuple[MatchSummary, ...]
    garbled: tuple[MatchId, ...] = ()
    practice: tuple[MatchSummary, ...] = ()
    all_in_progress: int = 0
    """How many are in progress, whether they are among these or not; `all_finished` likewise."""
    all_finished: int = 0
