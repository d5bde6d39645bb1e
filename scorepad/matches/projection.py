"""The state of a match projected from its log, with the values that pages, sheets and the API read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Self

from scorepad.matches import events
from scorepad.matches.access import Access, MatchId
from scorepad.matches.events import (
    AccessChange,
    Counted,
    Event,
    HandState,
    Labels,
    LogEntry,
    LoggedMatch,
    NewHand,
    Redo,
    RulesOf,
    Undo,
)
from scorepad.rules.definitions import ChoiceValue, Ends, Ruleset
from scorepad.rules.hand import Hand
from scorepad.rules.judging import (
    Finding,
    Judgement,
    MatchStatus,
    Seat,
    Turn,
    judge,
    match_status,
    turn_of,
)
from scorepad.rules.settings import Settings
from scorepad.rules.table import Pointer
from scorepad.schemas.fields import Unusable
from scorepad.schemas.hand_requests import SIDE_KEYS, check_usable
from scorepad.storage.rows import Entry, MatchRecord, OpenHand, SummaryRecord

LARGEST_LOG = 2**20
"""Bytes of a log beyond which no hand, ruling or name is saved into the match: 250 hands with every
card and a long remark, 500 of which only the points are entered. Its page then takes a second when
it is read for the first time.
"""
SPARE_LOG = 2**16
"""Bytes beyond that for what ends a match or takes something back: some sixty such entries."""
ENTRY_SIZE = 1_000
"""Bytes that an entry counts besides its payload: however little it says, a page has a line for it.
"""


def log_size(entries: Iterable[Entry]) -> int:
    """The bytes that the entries of a log count."""
    return sum(ENTRY_SIZE + entry.size for entry in entries)


@dataclass(frozen=True, slots=True)
class NewMatch:
    """What a match starts with: the choice of rules, the names, and totals taken over from paper."""

    variant: str
    preset: str | None
    options: Mapping[str, ChoiceValue]
    labels: Labels
    """The names and free texts as typed; seats without a name may be left out."""
    dealer: Seat = (0, 0)
    """The first dealer: the position of the side, and of the player in it."""
    carried: tuple[int, ...] = ()
    """The totals of a match taken over from paper, in points. Empty for a match that starts at
    zero.
    """
    played: int = 0
    """The number of hands played on paper."""
    practice: bool = False
    """A practice match, not counted in statistics."""
    ends: Ends | None = None
    """What ends the match besides its target; None: as in the variant."""


class SideState(NamedTuple):
    """A side on the match page. Points; `minimum` is the opening minimum of the next hand."""

    name: str
    players: tuple[str, ...]
    total: int
    minimum: int | None
    minimum_from: int | None
    """The match score from which that minimum applies; None below zero or if it never changes."""
    to_target: int | None


class Part(NamedTuple):
    """A player in a seat: the name as written, the side's position, and the numbers of the hands
    played there.

    `stays`: this player is the last one in the seat.
    """

    name: str
    side: int
    hands: tuple[int, ...]
    stays: bool


@dataclass(slots=True)
class MatchState(LoggedMatch):
    """The state of a match: its log, what its events set, and what follows from that.

    It changes only during projection. The cached state is shared by all threads: `with_entry`
    returns a copy.
    """

    id: MatchId = field(init=False)
    """Its id in URLs."""
    log: list[LogEntry] = field(default_factory=list, repr=False)
    scores: list[tuple[int, ...]] = field(default_factory=list)
    """The match scores before each hand, then the current ones, in points."""
    undo_stack: list[LogEntry] = field(default_factory=list)
    """The entries that can be undone, the latest last."""
    redo_stack: list[LogEntry[Any]] = field(default_factory=list)
    """The undos since the last other action, the latest last."""
    status: MatchStatus = field(default=MatchStatus(None, finished=False, winner=None))
    """The target, whether the match is finished, and its winner."""
    ended_early: bool = False
    """Whether it ended by agreement, not by its rules."""
    sides: tuple[SideState, ...] = ()
    next_turn: Turn = field(default=Turn((0, 0), (0, 0), (0, 0), ()))
    open_hand: OpenHand | None = None
    """The hand being typed."""
    access: Access = Access.NONE
    """The access of the requesting device."""
    own_side: int | None = None
    """The side that the requesting device counts for, by its position, if any."""
    rematch: MatchId | None = None

    def __post_init__(self) -> None:
        self.id = MatchId(self.record.id)

    # -------------------------------------------------------------------------------------- reading

    @property
    def started(self) -> datetime:
        return self.record.started

    @property
    def last(self) -> Entry:
        """The last entry about the match itself, without decisions about access."""
        for entry in reversed(self.log):
            if entry.record.kind != AccessChange.kind:
                return entry.record
        raise AssertionError("a log begins with an entry about the match")

    @property
    def changed(self) -> datetime:
        """When the match itself was last changed."""
        return self.last.at

    @property
    def where(self) -> str:
        """The place and other free texts in one line; empty if none was given."""
        return self.labels.where

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(side.name for side in self.sides)

    @property
    def sequence(self) -> int:
        """The sequence of the last entry: two states with the same sequence are the same."""
        return self.log[-1].record.sequence

    @property
    def size(self) -> int:
        return log_size(entry.record for entry in self.log)

    @property
    def coming_id(self) -> str:
        """The id of the next hand, the same on every device until it is counted or undone."""
        if self.open_hand is not None:
            return self.open_hand.id
        return f"{self.id}-{self.turned_at}"

    @property
    def undoable(self) -> LogEntry | None:
        return self.undo_stack[-1] if self.undo_stack else None

    @property
    def redoable(self) -> LogEntry | None:
        """The entry that would be redone next; None for a hand whose fields were changed since it
        was undone.
        """
        if not self.redo_stack:
            return None
        undo = self.redo_stack[-1]
        entry: LogEntry = self.log[undo.event.entry - 1]
        if isinstance(entry.event, NewHand) and self.is_opened_since(undo.sequence):
            is_changed = self.has_typed(entry.event.draft)
            if is_changed:
                return None
        return entry

    def is_opened_since(self, sequence: int) -> bool:
        """Whether the open hand was begun by this entry of the log, or later."""
        if self.open_hand is None:
            return False
        opened_by = int(self.open_hand.id.rpartition("-")[2])
        return opened_by >= sequence

    def has_typed(self, restored: Mapping[str, str]) -> bool:
        """Whether the open hand has typed fields other than these, which an undo restored."""
        if self.open_hand is None:
            return False
        typed = _without_blanks(self.open_hand.draft)
        return bool(typed) and typed != _without_blanks(restored)

    @property
    def checking(self) -> bool:
        """Whether one side counts and the other checks."""
        return bool(self.checking_since)

    @property
    def carried(self) -> tuple[int, ...]:
        """The totals with which the match began; empty if it began at zero."""
        return self.begins.carried

    @property
    def played(self) -> int:
        """The number of hands played before those on the pad."""
        return self.begins.played

    @property
    def practice(self) -> bool:
        return self.begins.practice

    @property
    def coming(self) -> int:
        """The number of the next hand in the match, with those played before the pad."""
        return self.called(len(self.hands) + 1)

    def called(self, number: int) -> int:
        """The number in the match of a hand on the pad, after those played before the pad."""
        return self.played + number

    def sat(self, seat: Seat, number: int) -> str:
        """The name of the player in a seat in a hand of the pad, who may have been replaced since.
        Empty if unnamed.
        """
        for replacement in self.replacements:
            if replacement.seat == seat and replacement.number > number:
                return replacement.was
        side, index = seat
        return self.sides[side].players[index]

    def parts(self) -> Iterator[Part]:
        """The players of each seat, without those who never played there, unless they are the last
        ones in it.
        """
        for seat in self.labels.seats():
            first = 1
            for replacement in self.replacements:
                if replacement.seat != seat:
                    continue
                hands = self._hands_in_seat(seat, first, replacement.number)
                if replacement.was.strip() and hands:
                    yield Part(replacement.was, seat[0], hands, stays=False)
                first = replacement.number
            name = self.labels.seated(seat)
            if name.strip():
                hands = self._hands_in_seat(seat, first, len(self.hands) + 1)
                yield Part(name, seat[0], hands, stays=True)

    def _hands_in_seat(self, seat: Seat, first: int, end: int) -> tuple[int, ...]:
        """The numbers of the hands from `first` to before `end` in which this seat did not rest."""
        hands = self.hands[first - 1 : end - 1]
        return tuple(hand.number for hand in hands if seat not in hand.turn.resting)

    def has_hand(self, number: int, entry: int) -> bool:
        """Whether there is such a hand, and its current version is that of this entry."""
        if not 1 <= number <= len(self.hands):
            return False
        return self.hands[number - 1].versions[-1].sequence == entry

    def judge(self, number: int, hand: Hand, *, by_agreement: bool = False) -> Judgement:
        """Judge a hand as the hand of this number. Raises Unusable.

        `by_agreement`: the table counts it although the rules refuse it, as far as allowed.
        """
        check_usable(hand, self.rules, SIDE_KEYS[: len(hand.sides)])
        dealt = _with_deal(hand, self.rules, self.called(number))
        return judge(self.rules, dealt, self.scores[number - 1], by_agreement=by_agreement)

    def summary(self) -> SummaryRecord:
        """The summary row of the match, for lists."""
        # Avoids a pass over all hands on each save unless a player was replaced.
        names = (part.name for part in self.parts()) if self.replacements else self.labels.sitting()
        return SummaryRecord(
            id=self.id,
            variant=self.rules.variant,
            names=self.labels.names,
            totals=self.scores[-1],
            hands=len(self.hands),
            target=self.status.target or 0,
            finished=self.status.finished,
            winner=self.status.winner,
            started=self.started,
            changed=self.changed,
            last_row=self.last.row,
            players=self.labels.players,
            practice=self.practice,
            ending=self.ending.how.value if self.ending and self.ended_early else "",
            place=self.where,
            all_players=tuple(dict.fromkeys(names)),
        )

    @property
    def noted_penalties(self) -> tuple[events.HandPenalty, ...]:
        """The penalties noted for the hand being played, which count with it."""
        number = len(self.hands) + 1
        return tuple(penalty for penalty in self.penalties if penalty.number == number)

    def with_noted(self, hand: Hand) -> Hand:
        """The hand being played with the penalties noted for it.

        Raises Unusable for a side counted by a sum, which already includes everything.
        """
        sides = list(hand.sides)
        for penalty in self.noted_penalties:
            side = sides[penalty.side]
            if side.sum is not None:
                key = SIDE_KEYS[penalty.side]
                name = self.sides[penalty.side].name
                raise Unusable("unusable.sum-noted", f"sides/{key}/sum", side=name)
            penalties = (*side.penalties, penalty.as_entry)
            sides[penalty.side] = replace(side, penalties=penalties)
        return replace(hand, sides=tuple(sides))

    # ----------------------------------------------------------------------------------- projecting

    def with_entry(self, record: Entry, event: Event, rules_of: RulesOf) -> Self:
        """The match with one more entry. This match stays as it is."""
        entry = LogEntry(record, event)
        if isinstance(event, events.UndoRedo):
            # What an undone entry had changed is not known: the whole log is applied again.
            return self._replayed([*self.log, entry], rules_of)
        changed = self._copy_with_own_lists()
        changed.rules_of = rules_of
        changed.log.append(entry)
        changed.apply(entry)
        return changed.settle()

    def _replayed(self, log: list[LogEntry], rules_of: RulesOf) -> Self:
        """The match of another log, with what is not in a log as it is here."""
        projected = type(self)(self.record, rules_of(self.record.ruleset), rules_of)
        projected.replay(log)
        return replace(
            projected,
            access=self.access,
            own_side=self.own_side,
            open_hand=self.open_hand,
            rematch=self.rematch,
        )

    def _copy_with_own_lists(self) -> Self:
        """A copy whose lists can be changed: matches are shared between threads."""
        changed = copy(self)
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, list):
                setattr(changed, each.name, list(value))
        return changed

    def replay(self, log: Iterable[LogEntry]) -> Self:
        """Apply the entries of a whole log, except those undone later."""
        self.log = list(log)
        undone = events.undone_entries(self.log)
        for entry in self.log:
            self.apply(entry, is_undone=entry.sequence in undone)
        return self.settle()

    def apply(self, entry: LogEntry, *, is_undone: bool = False) -> None:
        """Apply an entry, unless it is undone, and update the undo and redo stacks.

        Raises ValueError if a redo does not match the last undo.
        """
        if not is_undone:
            entry.event.apply(self, entry)
            if entry.event.can_be_undone:
                self.undo_stack.append(entry)
        match entry.event:
            case Undo():
                self.redo_stack.append(entry)
            case Redo(entry=undo):
                if not self.redo_stack or self.redo_stack.pop().sequence != undo:
                    raise ValueError("redo")
            case AccessChange():
                pass
            case _:
                self.redo_stack.clear()

    def settle(self) -> Self:
        """Calculate what follows from the applied entries: scores, status, and turn."""
        self._score_hands()
        self._settle_status()
        sides = zip(self.labels.names, self.labels.players, self.scores[-1], strict=True)
        self.sides = tuple(self._side_state(*side) for side in sides)
        self.next_turn = turn_of(self.rules.settings, self.begins.dealer, len(self.hands))
        return self

    def _score_hands(self) -> None:
        before = self.begins.carried or (0,) * len(self.rules.settings.sides)
        self.scores = [before]
        for index, hand in enumerate(self.hands):
            if hand.before != before:
                self.hands[index] = self._scored(hand, before)
            before = self.hands[index].after
            self.scores.append(before)

    def _settle_status(self) -> None:
        """Set whether and how the match ended: by its rules, or else as the table agreed."""
        totals = self.scores[-1]
        self.status = match_status(
            totals,
            self.rules.settings,
            self.played + len(self.hands),
            time_is_up=self._is_time_up(),
        )
        self.ended_early = False
        ending = self.ending
        if ending is None or self.status.finished:
            return
        if ending.hands is None or len(self.hands) >= ending.hands:
            self.ended_early = True
            winner = ending.winner(totals)
            self.status = MatchStatus(self.status.target, finished=True, winner=winner)

    def _is_time_up(self) -> bool:
        # The hand in play when time is up still counts: the match ends with the first hand saved
        # after that.
        if self.rules.ends.minutes is None:
            return False
        limit = timedelta(minutes=self.rules.ends.minutes)
        return any(hand.versions[0].at - self.started >= limit for hand in self.hands)

    def _side_state(self, name: str, players: tuple[str, ...], total: int) -> SideState:
        settings = self.rules.settings
        minimum = None
        minimum_from = None
        if not self.status.finished:
            minimum = settings.opening_minimum(total, self.coming)
            minimum_from = _minimum_from(settings, total)
        to_target = None
        if self.status.target is not None:
            to_target = max(0, self.status.target - total)
        return SideState(
            name=name,
            players=players,
            total=total,
            minimum=minimum,
            minimum_from=minimum_from,
            to_target=to_target,
        )

    def _scored(self, hand: HandState, before: tuple[int, ...]) -> HandState:
        """A hand scored from these match scores."""
        sides = hand.counted.judgement(self.rules.settings, before).sides or ()
        warnings, doubts = _review(self.rules, hand.counted, before)
        is_checked = 0 < self.checking_since < hand.versions[0].sequence
        return hand._replace(
            before=before,
            after=tuple(side.total for side in sides),
            sides=sides,
            warnings=tuple(finding for finding in warnings if not finding.is_error),
            doubts=doubts,
            single=_single(self.rules.settings, hand.counted),
            waits=is_checked and hand.confirmed is None,
        )


def _without_blanks(draft: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in draft.items() if text.strip()}


def project(record: MatchRecord, entries: Iterable[Entry], rules_of: RulesOf) -> MatchState:
    """The match of a log. Raises UnknownEntry, and ValueError or LookupError for an inconsistent
    log.
    """
    state = MatchState(record, rules_of(record.ruleset), rules_of)
    return state.replay(map(events.log_entry, entries))


def _single(settings: Settings, counted: Counted) -> int | None:
    """The side that took the pile first; if none did, the side that went out. None if all played
    for themselves.
    """
    if settings.partnership != "single-taker":
        return None
    hand = counted.hand
    if hand.single is None and hand.out is not None:
        return hand.out.side
    return hand.single


def _minimum_from(settings: Settings, total: int) -> int | None:
    """The match score from which the current opening minimum applies."""
    reached = [start for start, _ in settings.opening_steps if 0 <= start <= total]
    return reached[-1] if reached and len(settings.opening_steps) > 1 else None


# ------------------------------------------------------------------------------------------ judging


def _with_deal(hand: Hand, rules: Ruleset, deal: int) -> Hand:
    """The hand with its number in the match, if the rules depend on it."""
    return replace(hand, deal=deal) if "deal" in rules.entry_fields else hand


def _review(
    rules: Ruleset, counted: Counted, before: tuple[int, ...]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """A counted hand after other scores: the findings that it still has, and those that are new."""
    if before == counted.before or counted.agreed:
        return counted.findings, ()
    # Both are judged by the present checks, so that new checks do not show up as effects of the
    # correction. Numbers depend on the scores: findings are compared by code and pointer.
    hand = _with_deal(counted.hand, rules, counted.deal)
    then = _by_code_and_pointer(judge(rules, hand, counted.before).findings)
    now = _by_code_and_pointer(judge(rules, hand, before).findings)
    stored = _by_code_and_pointer(counted.findings)
    still = [finding for key, finding in stored.items() if key in now or key not in then]
    new = [finding for key, finding in now.items() if not (key in then or key in stored)]
    return tuple(still), tuple(new)


def _by_code_and_pointer(findings: Iterable[Finding]) -> dict[tuple[str, Pointer], Finding]:
    return {(finding.code, finding.where): finding for finding in findings}
