"""The state of a match projected from its log, with the values that pages, sheets and the API read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
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
    find_match_status,
    find_roles_in_hand,
    judge,
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
    """The size in bytes that these entries count towards the largest size of a log."""
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
        """The latest row of the log that changed the match itself, and not who may see or change it."""
        for entry in reversed(self.log):
            is_about_access = entry.record.kind == AccessChange.kind
            if not is_about_access:
                return entry.record
        raise AssertionError("a log begins with an entry about the match")

    @property
    def changed(self) -> datetime:
        """When the match itself was last changed."""
        return self.last.at

    @property
    def venue(self) -> str:
        """The place and other free texts in one line; empty if none was given."""
        return self.labels.venue

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
    def current_hand_id(self) -> str:
        """The id of the hand being played, by which a device notices that another hand is played now.

        It is the id of the match, and the number of the entry in the log with which the hand began:
        `k3f9x2m1qa-12`. Another entry begins the next hand, once this one is counted.
        """
        if self.open_hand is not None:  # something is typed of it: it was stored with its id
            return self.open_hand.id
        return f"{self.id}-{self.next_hand_since}"

    def entry_at(self, sequence: int) -> LogEntry[Any]:
        """The entry of the log with this sequence; the first entry has the sequence 1."""
        return self.log[sequence - 1]

    @property
    def undoable(self) -> LogEntry | None:
        """The action that an undo would take back: the latest one; None if there is none."""
        if not self.undo_stack:
            return None
        return self.undo_stack[-1]

    @property
    def redoable(self) -> LogEntry | None:
        """The action that a redo would bring back: the one undone last; None if there is none."""
        if not self.redo_stack:
            return None
        last_undo = self.redo_stack[-1]
        undone = self.entry_at(last_undo.event.entry)
        if isinstance(undone.event, NewHand) and self._has_changed_since(last_undo, undone.event):
            return None
        return undone

    def _has_changed_since(self, undo: LogEntry, undone: NewHand) -> bool:
        """Whether somebody has changed the form of a hand since the count of that hand was undone.

        The undo has filled the form again with what was typed. If the hand were redone, the form
        would be emptied, and the changes lost.
        """
        is_form_of_that_hand = self.is_opened_since(undo.sequence)
        return is_form_of_that_hand and self.has_typed_other_than(undone.draft)

    def is_opened_since(self, sequence: int) -> bool:
        """Whether something is stored of the hand being played, and that hand was begun by the entry
        of the log with this number or a later one.
        """
        if self.open_hand is None:
            return False
        return _entry_that_began(self.open_hand) >= sequence

    def has_typed_other_than(self, restored: Mapping[str, str]) -> bool:
        """Whether something is typed into the form of the hand being played that is not just what an
        undo has put back into it (`restored`). Blank fields do not matter.
        """
        if self.open_hand is None:
            return False
        typed = _without_blanks(self.open_hand.draft)
        if not typed:
            return False
        return typed != _without_blanks(restored)

    @property
    def checking(self) -> bool:
        """Whether one side counts and the other checks."""
        return self.checking_since is not None

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

    def has_hand(self, number: int) -> bool:
        """Whether a hand of this number is counted; the first hand on the pad has the number 1."""
        return 1 <= number <= len(self.hands)

    @property
    def next_number(self) -> int:
        """The number on the pad of the hand being played, which is counted next."""
        return len(self.hands) + 1

    @property
    def coming(self) -> int:
        """The number of the next hand in the match, with those played before the pad."""
        return self.called(self.next_number)

    def called(self, number: int) -> int:
        """The number of a hand as the players call it, which counts the hands played on paper before:
        after 3 of them, hand 1 of the program is hand 4.
        """
        return self.played + number

    def player_in_seat(self, seat: Seat, number: int) -> str:
        """The name of the player who sat in a seat in the hand of this number; empty if unnamed.

        The seat `(0, 1)` is that of the second player of the first side.
        """
        for replacement in self.replacements:  # in the order of the hands
            was_replaced_later = replacement.number > number
            if replacement.seat == seat and was_replaced_later:
                previous_name = replacement.was
                return previous_name
        side, index = seat
        return self.sides[side].players[index]  # nobody was replaced there since

    def parts(self) -> Iterator[Part]:
        """The named players of each seat, one after the other, with the hands that they played.

        A player who was replaced before playing a hand is left out.
        """
        for seat in self.labels.seats():
            yield from self._parts_in_seat(seat)

    def _parts_in_seat(self, seat: Seat) -> Iterator[Part]:
        """The named players who sat in one seat, one after the other.

        Each of them played from the hand with which they sat down to the hand before that of the
        next player in the seat.
        """
        side, _ = seat
        sat_down = 1  # the number of the hand with which the player sat down
        for replacement in self.replacements:  # in the order in which they happened
            if replacement.seat != seat:
                continue
            who_left = replacement.was
            hands = self._hands_in_seat(seat, sat_down, replacement.number)
            if who_left.strip() and hands:
                yield Part(who_left, side, hands, stays=False)
            sat_down = replacement.number

        who_stays = self.labels.name_in_seat(seat)
        if who_stays.strip():
            hands = self._hands_in_seat(seat, sat_down, self.next_number)
            yield Part(who_stays, side, hands, stays=True)

    def _hands_in_seat(self, seat: Seat, first: int, end: int) -> tuple[int, ...]:
        """The numbers of the hands in which the player in this seat played, from the hand `first` to
        the one before `end`. With many players some seats rest in each hand.
        """
        hands = self.hands[first - 1 : end - 1]  # the hand with the number 1 has the index 0
        return tuple(hand.number for hand in hands if seat not in hand.turn.resting)

    def hand_as_seen(self, number: int, seen_entry: int) -> HandState | None:
        """The hand of this number, if it is still counted as a device has seen it.

        `seen_entry` is the number of the entry in the log with the count that the device has seen.
        None if the hand has another count now, because it was corrected, or if it was undone.
        """
        if not self.has_hand(number):
            return None
        hand = self.hand_on_pad(number)
        if hand.count_in_force.sequence != seen_entry:
            return None
        return hand

    def scores_before(self, number: int) -> tuple[int, ...]:
        """The match scores of the sides before the hand of this number on the pad."""
        return self.scores[number - 1]

    def judge(self, number: int, hand: Hand, *, by_agreement: bool = False) -> Judgement:
        """Check a hand by the rules of the match, and score it if it may count.

        `number` is that of the hand in the match (the first is 1), on which the totals before it
        depend. `by_agreement`: the players count the hand although it breaks rules, as far as that
        is possible. Raises Unusable for a hand to which the rules cannot be applied at all.
        """
        side_keys = SIDE_KEYS[: len(hand.sides)]
        check_usable(hand, self.rules, side_keys)
        numbered_hand = _with_deal(hand, self.rules, self.called(number))
        scores_before = self.scores_before(number)
        return judge(self.rules, numbered_hand, scores_before, by_agreement=by_agreement)

    def summary(self) -> SummaryRecord:
        """What lists of matches show of this one: its names, totals, winner, dates and so on.

        It is stored beside the log, so that a list can be shown without reading the logs.
        """
        return SummaryRecord(
            id=self.id,
            variant=self.rules.variant,
            names=self.labels.names,
            totals=self.scores[-1],  # those after the last hand
            hands=len(self.hands),
            target=self.status.target or 0,
            finished=self.status.finished,
            winner=self.status.winner,
            started=self.started,
            changed=self.changed,
            last_row=self.last.row,
            players=self.labels.players,
            practice=self.practice,
            ending=self._ending_to_list(),
            venue=self.venue,
            all_players=self._all_players(),
        )

    def _ending_to_list(self) -> str:
        """How the match ended, if the players ended it before its rules did: `given-up`. Empty for
        any other match.
        """
        if self.ending is None or not self.ended_early:
            return ""
        return self.ending.how.value

    def _all_players(self) -> tuple[str, ...]:
        """The names of all present and former players, each of them once."""
        if not self.replacements:  # nobody has left
            return _without_repetitions(self.labels.list_players_at_table())
        return _without_repetitions(part.name for part in self.parts())

    @property
    def noted_penalties(self) -> tuple[events.HandPenalty, ...]:
        """The penalties noted for the hand being played, which count with it."""
        number = self.next_number
        return tuple(penalty for penalty in self.penalties if penalty.number == number)

    def with_noted(self, hand: Hand) -> Hand:
        """A copy of the hand being played, with the penalties that were noted while it was played
        added to those of its sides.

        Raises Unusable if a side with such a penalty gives only the sum of its points, which
        includes all penalties.
        """
        sides = list(hand.sides)
        for penalty in self.noted_penalties:
            position = penalty.side
            side = sides[position]
            if side.sum is not None:
                key = f"sides/{SIDE_KEYS[position]}/sum"
                raise Unusable("unusable.sum-noted", key, side=self.sides[position].name)
            sides[position] = replace(side, penalties=(*side.penalties, penalty.as_entry))
        return replace(hand, sides=tuple(sides))

    # ----------------------------------------------------------------------------------- projecting

    def with_entry(self, record: Entry, event: Event, rules_of: RulesOf) -> Self:
        """A new state of the match, with one more entry. This state stays as it is, since it is
        shared between threads.
        """
        entry = LogEntry(record, event)
        if isinstance(event, events.UndoRedo):
            # What an undone entry had changed is not known: the whole log is applied again.
            return self._state_of_log([*self.log, entry], rules_of)
        changed = self._copy_to_change()
        changed.rules_of = rules_of
        changed.log.append(entry)
        changed.apply_entry(entry)
        changed.update_results()
        return changed

    def _state_of_log(self, log: list[LogEntry], rules_of: RulesOf) -> Self:
        """A new state of the match, built from this log entry by entry.

        The fields that do not come from the log are taken over from this state: who asks for it,
        what is being typed, and which match is the rematch.
        """
        state = type(self)(self.record, rules_of(self.record.ruleset), rules_of)
        state.apply_log(log)
        return replace(
            state,
            access=self.access,
            own_side=self.own_side,
            open_hand=self.open_hand,
            rematch=self.rematch,
        )

    def _copy_to_change(self) -> Self:
        """A copy of this state with lists of its own, so that appending to them leaves this state as
        it is. What is in the lists never changes, and is not copied.
        """
        return replace(
            self,
            hands=list(self.hands),
            replacements=list(self.replacements),
            rulings=list(self.rulings),
            penalties=list(self.penalties),
            log=list(self.log),
            scores=list(self.scores),
            undo_stack=list(self.undo_stack),
            redo_stack=list(self.redo_stack),
        )

    def apply_log(self, log: Iterable[LogEntry]) -> None:
        """Build up this state from a whole log: let each entry change it, except those that a later
        entry undoes, and work out the scores.
        """
        self.log = list(log)
        undone = events.find_undone_entries(self.log)
        for entry in self.log:
            self.apply_entry(entry, is_undone=entry.sequence in undone)
        self.update_results()

    def apply_entry(self, entry: LogEntry, *, is_undone: bool = False) -> None:
        """Let an entry of the log change this state, and record what can be undone and redone after
        it.

        An entry that a later one undoes (`is_undone`) changes nothing in the match. Raises
        ValueError if a redo does not match the last undo.
        """
        if not is_undone:
            entry.event.apply(self, entry)
            if entry.event.can_be_undone:
                self.undo_stack.append(entry)
        self._update_redo_stack(entry)

    def _update_redo_stack(self, entry: LogEntry) -> None:
        """Bring the undos that can still be redone up to date with one more entry of the log.

        An undo is added to them, and a redo takes the last one off: it raises ValueError if it is
        about another one. After any other action on the match nothing can be redone.
        """
        event = entry.event
        if isinstance(event, AccessChange):
            return  # who may use the match has nothing to do with what was played
        if isinstance(event, Undo):
            self.redo_stack.append(entry)
            return
        if isinstance(event, Redo):
            if not self.redo_stack:
                raise ValueError("a redo without an undo")
            last_undo = self.redo_stack.pop()
            if last_undo.sequence != event.entry:
                raise ValueError("a redo of another undo than the last")
            return
        self.redo_stack.clear()

    def update_results(self) -> None:
        """Set what follows from the applied entries: the scores, whether the match is over, the
        sides with their totals, and whose turn it is to deal.
        """
        self._score_hands()
        self._update_status()
        sides = []
        for position, total in enumerate(self.scores[-1]):
            sides.append(self._side_state(position, total))
        self.sides = tuple(sides)
        self.next_turn = find_roles_in_hand(
            self.rules.settings, self.begins.dealer, len(self.hands)
        )

    def _score_hands(self) -> None:
        """Set `self.scores`, the totals of the sides before the first hand and after each hand, and
        score the hands that need it.
        """
        scores = self.begins.carried
        if not scores:  # the match began at zero
            scores = (0,) * len(self.rules.settings.sides)
        self.scores = [scores]
        for index, hand in enumerate(self.hands):
            if hand.before != scores:  # it is new, or the totals before it have changed
                self.hands[index] = self._with_score(hand, scores)
            scores = self.hands[index].after
            self.scores.append(scores)

    def _update_status(self) -> None:
        """Set whether the match is over and who has won it: by its rules, or else as the players
        agreed.
        """
        by_rules = self._status_by_rules()
        agreed_end = None
        if not by_rules.finished:  # a match that is over by its rules has its winner by them
            agreed_end = self._agreed_end_reached()
        if agreed_end is None:
            self.status = by_rules
            self.ended_early = False
        else:
            winner = agreed_end.find_winner(self.scores[-1])
            self.status = MatchStatus(by_rules.target, finished=True, winner=winner)
            self.ended_early = True

    def _agreed_end_reached(self) -> events.Ending | None:
        """The end of the match on which the players agreed, such as after the tenth hand; None if they
        agreed on none, or if it is not reached with the hands counted so far.
        """
        if self.ending is None:
            return None
        if not self.ending.is_over_after(len(self.hands)):
            return None
        return self.ending

    def _status_by_rules(self) -> MatchStatus:
        """Whether the match is finished by its rules, and who has won it then.

        That may depend on how many hands were played, on paper before and on the pad, on the totals
        after them, and on the time.
        """
        hands_of_match = self.called(len(self.hands))
        current_totals = self.scores[-1]
        return find_match_status(
            current_totals, self.rules.settings, hands_of_match, time_is_up=self._is_time_up()
        )

    def _is_time_up(self) -> bool:
        """Whether the match has a time limit, and a hand was counted after it.

        The hand that is being played when the time is up is played to its end. So a match that has
        gone on for longer is not over before that hand is counted.
        """
        if self.rules.ends.minutes is None:
            return False
        limit = timedelta(minutes=self.rules.ends.minutes)
        return any(hand.first_count.at - self.started >= limit for hand in self.hands)

    def _side_state(self, position: int, total: int) -> SideState:
        """What the match page shows of the side at this position, which has this total."""
        opening_minimum = None
        minimum_from = None
        if not self.status.finished:
            opening_minimum = self.rules.settings.opening_minimum(total, self.coming)
            minimum_from = _minimum_from(self.rules.settings, total)
        return SideState(
            name=self.labels.names[position],
            players=self.labels.players[position],
            total=total,
            minimum=opening_minimum,
            minimum_from=minimum_from,
            to_target=self._points_to_target(total),
        )

    def _points_to_target(self, total: int) -> int | None:
        """How many points a side with this total lacks to reach the target of the match, 0 if it has
        reached it. None for a match that is not played to a target.
        """
        if self.status.target is None:
            return None
        return max(0, self.status.target - total)

    def _with_score(self, hand: HandState, before: tuple[int, ...]) -> HandState:
        """A copy of the hand with its score, and with all that is worked out together with it.

        `before` are the totals of the sides before the hand. They may have changed since it was
        counted, because an earlier hand was corrected: then what was no problem may be one now.
        """
        scores = hand.counted.score_again(self.rules.settings, before).sides
        assert scores is not None, "a hand that was counted has a score"
        totals_after = tuple(score.total for score in scores)
        review = _review_count(self.rules, hand.counted, before)  # what the rules find in it now
        return hand._replace(
            before=before,
            after=totals_after,
            sides=scores,
            warnings=review.remaining_warnings,
            doubts=review.added,
            single=_single_side(self.rules.settings, hand.counted),
            waits=self._waits_for_check(hand),
        )

    def _waits_for_check(self, hand: HandState) -> bool:
        """Whether a hand that one side has counted has still to be confirmed by the other side.

        Hands counted before this checking was switched on need not be confirmed.
        """
        if self.checking_since is None:  # it is off
            return False
        if hand.confirmed is not None:
            return False
        return hand.first_count.sequence > self.checking_since


def _without_blanks(draft: Mapping[str, str]) -> dict[str, str]:
    """The fields of a draft in which something is typed."""
    return {name: text for name, text in draft.items() if text.strip()}


def _without_repetitions(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, in the order in which they first appear."""
    different: list[str] = []
    for name in names:
        if name not in different:
            different.append(name)
    return tuple(different)


def project(record: MatchRecord, entries: Iterable[Entry], rules_of: RulesOf) -> MatchState:
    """Build the present state of a match from all the entries of its log, the oldest first.

    `rules_of` returns the rules with a digest. Raises UnknownEntry for an entry of a newer program,
    and ValueError or LookupError for an inconsistent log.
    """
    first_rules = rules_of(record.ruleset)  # the log may change them
    state = MatchState(record, first_rules, rules_of)
    state.apply_log(map(events.decode_log_entry, entries))
    return state


def _entry_that_began(hand: OpenHand) -> int:
    """The number of the entry in the log with which a hand began, by the end of its id:
    `k3f9x2m1qa-12` → 12.
    """
    _match_id, _, number = hand.id.rpartition("-")
    return int(number)


def _single_side(settings: Settings, counted: Counted) -> int | None:
    """The position of the side that played alone against the other two in a hand; None if none did."""
    if settings.partnership != "single-taker":  # a variant in which no side ever plays alone
        return None
    hand = counted.hand
    if hand.single is not None:  # the side that was the first to take the discard pile
        return hand.single
    if hand.out is not None:  # nobody took the pile: the side that went out
        return hand.out.side
    return None


def _minimum_from(settings: Settings, total: int) -> int | None:
    """The total at which the opening minimum of a side began to apply: 1500 for a total of 2000, if
    the minimum rises at 0, 1500 and 3000 points.

    The opening minimum is how many points the first cards that a side lays in a hand must have.
    None for a total below the first step, and if there is only one step, so that the minimum never
    changes.
    """
    if len(settings.opening_steps) <= 1:
        return None
    reached_steps = [start for start, _ in settings.opening_steps if start <= total]
    return max(reached_steps, default=None)


# ------------------------------------------------------------------------------------------ judging


def _with_deal(hand: Hand, rules: Ruleset, deal: int) -> Hand:
    """A copy of the hand that says its number in the match (`deal`); the hand itself where the rules
    do not depend on that number.
    """
    if "deal" not in rules.entry_fields:
        return hand
    return replace(hand, deal=deal)


class Review(NamedTuple):
    """What the rules find in a counted hand after a correction of an earlier hand."""

    remaining: tuple[Finding, ...]
    """The findings with which it was counted, as far as they still apply."""
    added: tuple[Finding, ...] = ()
    """Findings that the correction brought, such as an opening below the new minimum."""

    @property
    def remaining_warnings(self) -> tuple[Finding, ...]:
        """Those of the remaining findings with which a hand may count."""
        return tuple(finding for finding in self.remaining if not finding.is_error)


def _review_count(rules: Ruleset, counted: Counted, before: tuple[int, ...]) -> Review:
    """What the rules find in a hand that was counted earlier, if the totals before it are now these.

    The totals are others than then if an earlier hand was corrected. A side with 1480 points may
    lay 60 points first; if it turns out to have had 1500 points, that was too little, and this is
    one of the problems `added`.
    """
    has_same_totals = before == counted.before
    if has_same_totals:
        return Review(counted.findings)
    if counted.agreed:
        # The table counted it whatever the rules say, so that no doubts are raised afterwards.
        return Review(counted.findings)

    # The effect of the correction is what differs between the totals of then and of now. The stored
    # findings alone do not tell it: a check that is new in the program would look like an effect.
    hand = _with_deal(counted.hand, rules, counted.deal)
    findings_then = judge(rules, hand, counted.before).findings
    findings_now = judge(rules, hand, before).findings
    solved = _findings_without(findings_then, findings_now)
    new = _findings_without(findings_now, findings_then)
    return Review(
        remaining=_findings_without(counted.findings, solved),
        added=_findings_without(new, counted.findings),
    )


class _Subject(NamedTuple):
    """What a finding is about. Its figures, which depend on the totals, are left out."""

    code: str
    """The rule that the hand breaks."""
    where: Pointer
    """The part of the hand that breaks it."""


def _by_subject(findings: Iterable[Finding]) -> dict[_Subject, Finding]:
    """Findings in a hand by what they are about. Two about the same are one problem: the latter
    takes the place of the former.
    """
    by_subject = {}
    for finding in findings:
        by_subject[_Subject(finding.code, finding.where)] = finding
    return by_subject


def _findings_without(
    findings: Iterable[Finding], others: Iterable[Finding]
) -> tuple[Finding, ...]:
    """Those of the findings in a hand that are about nothing that the others are about."""
    other_subjects = _by_subject(others)
    remaining = []
    for subject, finding in _by_subject(findings).items():
        if subject not in other_subjects:
            remaining.append(finding)
    return tuple(remaining)
