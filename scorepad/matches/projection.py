"""The state of a match projected from its log, with the values that pages and sheets read."""

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
    score_sides,
)
from scorepad.rules.settings import Settings
from scorepad.rules.table import Pointer
from scorepad.schemas.fields import Unusable
from scorepad.schemas.hand_requests import SIDE_KEYS, check_usable
from scorepad.storage.rows import Entry, LastEntry, MatchRecord, OpenHand, SummaryRecord

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
    """Return how many bytes these entries of a log count, to be compared with the largest size."""
    return sum(ENTRY_SIZE + entry.size for entry in entries)


@dataclass(frozen=True, slots=True)
class NewMatch:
    """What a match starts with: the choice of rules, the names, and totals from paper."""

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


class PlayerInSeat(NamedTuple):
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
    size: int = 0
    """How many bytes its log counts, to be compared with the largest size."""
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
        """Return the latest row of the log that is about the match itself.

        Rows about who may see or change the match are skipped.
        """
        for entry in reversed(self.log):
            is_about_access = entry.record.kind == AccessChange.kind
            if not is_about_access:
                return entry.record
        raise AssertionError("a log begins with an entry about the match")

    @property
    def changed(self) -> datetime:
        """Return when the match itself was last changed."""
        return self.last.at

    @property
    def venue(self) -> str:
        """Return the place and other free texts in one line; empty if none was given."""
        return self.labels.venue

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(side.name for side in self.sides)

    @property
    def sequence(self) -> int:
        """Return the number of the last entry of the log. Two states with one number are equal."""
        return self.log[-1].record.sequence

    @property
    def last_entry(self) -> LastEntry:
        """Return what identifies the last entry of the log, whatever it is about."""
        record = self.log[-1].record
        return LastEntry(record.sequence, record.row, record.request)

    @property
    def current_hand_id(self) -> str:
        """Return the id of the hand (round) that is being played now: `k3f9x2mbqa-12`.

        A page sends the id along. By it the pad notices that the page still shows an earlier hand.

        The id consists of the id of the match, and of the number of the log entry with which the
        hand began.
        """
        if self.open_hand is not None:  # something was typed into its form, and stored with its id
            return self.open_hand.id
        return f"{self.id}-{self.next_hand_begun_by}"

    def get_entry(self, sequence: int) -> LogEntry[Any]:
        """Return the entry of the log with this number; the first entry has the number 1."""
        return self.log[sequence - 1]

    @property
    def undoable(self) -> LogEntry | None:
        """Return the action that an undo would take back: the latest one; None if there is none."""
        if not self.undo_stack:
            return None
        return self.undo_stack[-1]

    @property
    def redoable(self) -> LogEntry | None:
        """Return the action that a redo would bring back: the one that was undone last.

        None if nothing was undone, or if the redo would delete what somebody has typed since.
        """
        if not self.redo_stack:
            return None
        last_undo = self.redo_stack[-1]
        undone_action = self.get_entry(last_undo.event.entry)
        is_count_of_hand = isinstance(undone_action.event, NewHand)
        if is_count_of_hand and self._has_form_changed_since(last_undo, undone_action.event):
            return None
        return undone_action

    def _has_form_changed_since(self, undo: LogEntry, undone: NewHand) -> bool:
        """Tell whether somebody has typed into the form of a hand (a round) since an undo.

        `undo` took back that the hand was counted (`undone`), and filled its form with what had been
        typed before. A redo would empty the form again, and the changes would be lost.
        """
        is_form_of_that_hand = self.has_open_hand_begun_since(undo.sequence)
        if not is_form_of_that_hand:
            return False
        return self.has_typed_other_than(undone.draft)

    def has_open_hand_begun_since(self, sequence: int) -> bool:
        """Tell whether the open hand began with the log entry of this number, or with a later one.

        The open hand is the round that is being played, once something was typed into its form.
        False if nothing was typed yet.
        """
        if self.open_hand is None:
            return False
        return _find_entry_that_began(self.open_hand) >= sequence

    def has_typed_other_than(self, restored: Mapping[str, str]) -> bool:
        """Tell whether somebody has typed into the form of the hand (round) that is being played.

        `restored` are the texts that an undo has put back into the form. If it has just these, or
        only blank fields, nobody has typed anything.
        """
        if self.open_hand is None:
            return False
        texts = _drop_blank_fields(self.open_hand.draft)
        if not texts:
            return False
        return texts != _drop_blank_fields(restored)

    @property
    def checking(self) -> bool:
        """Tell whether one side counts and the other checks."""
        return self.checking_since is not None

    @property
    def carried(self) -> tuple[int, ...]:
        """Return the points with which the sides began, taken over from paper; empty if none."""
        return self.begins.carried

    @property
    def played(self) -> int:
        """Return how many hands (rounds) were played on paper before the match was entered here."""
        return self.begins.played

    @property
    def practice(self) -> bool:
        return self.begins.practice

    def has_hand(self, number: int) -> bool:
        """Tell whether this hand (round) is counted; the number of the first one is 1."""
        return 1 <= number <= len(self.hands)

    @property
    def next_number(self) -> int:
        """Return the number of the hand (round) being played now, not counting those on paper."""
        return len(self.hands) + 1

    @property
    def next_hand_number(self) -> int:
        """Return the number by which the players call the hand (round) that is being played now.

        Hands that were played on paper before count too.
        """
        return self.number_for_players(self.next_number)

    def number_for_players(self, number: int) -> int:
        """Return the number by which the players call a hand (a round).

        They count the hands that they played on paper before: after 3 of them, 1 → 4.
        """
        return self.played + number

    def find_player_in_seat(self, seat: Seat, number: int) -> str:
        """Return the name of the player who sat in a seat in this hand (round); empty if unnamed.

        The seat `(0, 1)` is that of the second player of the first side. If Ada has left it to Ugo
        with hand 4: hand 3 → `Ada`, hand 4 → `Ugo`.
        """
        for replacement in self.replacements:  # in the order of the hands
            was_made_later = replacement.number > number
            if replacement.seat == seat and was_made_later:
                return replacement.was  # the player who sat there until then
        side, index = seat
        return self.sides[side].players[index]  # nobody has left the seat since

    def list_players_by_seat(self) -> Iterator[PlayerInSeat]:
        """List the players of a match by seat, each with the hands (rounds) that they played in it.

        A seat has several players if one was replaced by another. Players without a name, or who
        left before they had played, are left out.
        """
        for seat in self.labels.list_seats():
            yield from self._list_players_in_seat(seat)

    def _list_players_in_seat(self, seat: Seat) -> Iterator[PlayerInSeat]:
        """List the players of one seat, each with the hands (rounds) that they played in it.

        If Ada has left her seat to Ugo with hand 4, of 5 hands: Ada with 1, 2, 3 and Ugo with 4, 5.
        Players without a name, or without a hand before they left, are left out.
        """
        side, _ = seat
        first_hand = 1  # of the player who is looked at
        for replacement in self.replacements:  # in the order in which they happened
            if replacement.seat != seat:
                continue
            who_left = replacement.was
            last_hand = replacement.number - 1  # the player who came instead begins with `number`
            hands = self._list_hands_in_seat(seat, first_hand, last_hand)
            if who_left.strip() and hands:
                yield PlayerInSeat(who_left, side, hands, stays=False)
            first_hand = replacement.number

        who_stays = self.labels.name_in_seat(seat)
        if who_stays.strip():
            hands = self._list_hands_in_seat(seat, first_hand, len(self.hands))
            yield PlayerInSeat(who_stays, side, hands, stays=True)

    def _list_hands_in_seat(self, seat: Seat, first: int, last: int) -> tuple[int, ...]:
        """List the hands (rounds) with the numbers from `first` to `last` that were played from a seat.

        From 2 to 4: `(2, 3, 4)`. If more players sit at the table than can play at once, some rest in
        each hand: `(2, 4)` if this seat rested in hand 3.
        """
        hands = self.hands[first - 1 : last]  # the hand with the number 1 has the index 0
        return tuple(hand.number for hand in hands if seat not in hand.turn.resting)

    def find_hand_as_seen(self, number: int, seen_entry: int) -> HandState | None:
        """Return a hand (a round) if its count is still the one that a device has seen.

        `seen_entry` is the number of the log entry with the count that the device has seen. None if
        the hand was corrected since, so that another entry counts it, or if it was undone.
        """
        if not self.has_hand(number):
            return None
        hand = self.get_counted_hand(number)
        if hand.count_in_force.sequence != seen_entry:
            return None
        return hand

    def scores_before(self, number: int) -> tuple[int, ...]:
        """Return the points of the sides in the match before this hand (round): `(120, 85)`."""
        return self.scores[number - 1]

    def judge(self, number: int, hand: Hand, *, by_agreement: bool = False) -> Judgement:
        """Check a hand (a round) by the rules of the match, and score it if the rules allow it.

        `number` is the number of the hand, from 1: the points before it and some rules depend on
        it. With `by_agreement` the hand is scored although it breaks rules, as far as that is
        possible.

        Raises Unusable for a hand to which the rules cannot be applied at all.
        """
        side_names = SIDE_KEYS[: len(hand.sides)]  # how an error calls the sides: a, b, c
        check_usable(hand, self.rules, side_names)  # raises Unusable
        numbered_hand = _with_number_in_match(hand, self.rules, self.number_for_players(number))
        scores_before = self.scores_before(number)
        return judge(self.rules, numbered_hand, scores_before, by_agreement=by_agreement)

    def summary(self) -> SummaryRecord:
        """Return what lists of matches show of this one: names, points, winner, dates and so on.

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
            ending=self._find_early_ending(),
            venue=self.venue,
            all_players=self._list_all_players(),
        )

    def _find_early_ending(self) -> str:
        """Return how the players ended the match before its rules did, such as `given-up`.

        Empty for a match that goes on, or that ended by its rules.
        """
        if self.ending is None or not self.ended_early:
            return ""
        return self.ending.how.value

    def _list_all_players(self) -> tuple[str, ...]:
        """List the names of all present and former players, each name once."""
        return _drop_repetitions(player.name for player in self.list_players_by_seat())

    @property
    def noted_penalties(self) -> tuple[events.HandPenalty, ...]:
        """Return the penalties noted for the hand (round) that is being played."""
        number = self.next_number
        return tuple(penalty for penalty in self.penalties if penalty.number == number)

    def with_noted_penalties(self, hand: Hand) -> Hand:
        """Return a hand (a round) with the penalties that were noted while it was played.

        The players note a penalty when it happens. It is charged now, when they count the hand.

        Raises Unusable if a side with such a penalty has entered only the sum of its points. The
        sum includes all penalties already.
        """
        if not self.noted_penalties:
            return hand
        sides = list(hand.sides)
        for penalty in self.noted_penalties:
            side = sides[penalty.side]
            if side.sum is not None:
                raise self._make_error_about_sum(penalty.side)
            penalties = (*side.penalties, penalty.as_entry)
            sides[penalty.side] = replace(side, penalties=penalties)
        return replace(hand, sides=tuple(sides))

    def _make_error_about_sum(self, side: int) -> Unusable:
        """Make the error for a side that entered only the sum of its points, but has a penalty.

        "A penalty is noted for Noi, and none is counted with a sum agreed: …"
        """
        path = f"sides/{SIDE_KEYS[side]}/sum"  # which part of the JSON of the hand is wrong
        return Unusable("unusable.sum-noted", path, side=self.sides[side].name)

    # ----------------------------------------------------------------------------------- projecting

    def with_entry(self, record: Entry, event: Event, rules_of: RulesOf) -> Self:
        """Return a new state of the match, to which one more entry of its log was applied.

        `record` is the entry as stored, `event` its content. This state is left unchanged, because
        other threads may be reading it.
        """
        entry = LogEntry(record, event)
        if isinstance(event, events.UndoRedo):
            # An event cannot be taken back, since nobody knows what was there before it. So the
            # whole log is applied anew, without the entry that is undone.
            return self._rebuild_from_log([*self.log, entry], rules_of)

        new_state = self._copy_to_change()
        new_state.rules_of = rules_of
        new_state.log.append(entry)
        new_state.size += log_size([record])
        new_state.apply_entry(entry)
        new_state.update_results()
        return new_state

    def _rebuild_from_log(self, log: list[LogEntry], rules_of: RulesOf) -> Self:
        """Build a new state of the match by applying all entries of this log, one by one.

        What is not in the log is taken over from this state: the access of the device that asks,
        what is being typed, and which match is the rematch.
        """
        first_rules = rules_of(self.record.ruleset)  # the log may change them
        state = type(self)(self.record, first_rules, rules_of)
        state.apply_log(log)
        return replace(
            state,
            access=self.access,
            own_side=self.own_side,
            open_hand=self.open_hand,
            rematch=self.rematch,
        )

    def _copy_to_change(self) -> Self:
        """Return a copy of this state that can be changed without changing this one.

        The lists are copied, since entries are appended to them. What is in the lists never
        changes, and both states share it.
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
        """Build up this state from a whole log, and work out the scores.

        Each entry of the log changes the state, except entries that a later one undoes.
        """
        self.log = list(log)
        self.size = log_size(entry.record for entry in self.log)
        undone = events.find_undone_entries(self.log)
        for entry in self.log:
            self.apply_entry(entry, is_undone=entry.sequence in undone)
        self.update_results()

    def apply_entry(self, entry: LogEntry, *, is_undone: bool = False) -> None:
        """Apply an entry of the log to this state, and record what can be undone and redone now.

        With `is_undone` a later entry undoes this one, so that it changes nothing in the match.
        Raises ValueError if a redo does not match the last undo.
        """
        if not is_undone:
            entry.event.apply(self, entry)
            if entry.event.can_be_undone:
                self.undo_stack.append(entry)
        # An undone entry too ends the chance to redo what was undone before it.
        self._update_redo_stack(entry)

    def _update_redo_stack(self, entry: LogEntry) -> None:
        """Update the list of undos that can be redone, after one more entry of the log.

        - an undo → is added to the list
        - a redo → takes the last undo off; ValueError if it is about another one
        - any other action on the match → empties the list
        - a change of who may use the match → nothing
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
        """Work out the scores, whether the match is over, and who deals next.

        Call it after entries of the log were applied.
        """
        # In this order, since each step needs what the one before has set.
        self._score_hands()
        self._update_status()
        self._update_sides()
        first_dealer = self.begins.dealer
        hands_before = len(self.hands)
        self.next_turn = find_roles_in_hand(self.rules.settings, first_dealer, hands_before)

    def _update_sides(self) -> None:
        """Set what the page of the match shows of each side, such as its name and its points."""
        current_totals = self.scores[-1]
        sides = []
        for position, total in enumerate(current_totals):
            sides.append(self._build_side_state(position, total))
        self.sides = tuple(sides)

    def _score_hands(self) -> None:
        """Score the hands (rounds) that need it, and list the points of the sides in `scores`.

        The list has the points before the first hand, and after each: `[(0, 0), (120, 85)]`. Each
        hand depends on the points before it. So if one is corrected, the later ones are scored
        again.
        """
        scores = self.begins.carried  # from paper
        if not scores:
            scores = (0,) * len(self.rules.settings.sides)
        self.scores = [scores]
        for index, hand in enumerate(self.hands):
            if not hand.is_scored_after(scores):
                self.hands[index] = self._score_hand(hand, scores)
            scores = self.hands[index].after
            self.scores.append(scores)

    def _update_status(self) -> None:
        """Set whether the match is over, and who has won it.

        A match ends by its rules, or else at the end on which the players agreed.
        """
        by_rules = self._find_status_by_rules()
        self.status = by_rules
        self.ended_early = False

        agreed_end = self._find_agreed_end_if_reached()
        if agreed_end is not None and not by_rules.finished:
            winner = agreed_end.find_winner(self.scores[-1])
            self.status = MatchStatus(by_rules.target, finished=True, winner=winner)
            self.ended_early = True

    def _find_agreed_end_if_reached(self) -> events.Ending | None:
        """Return the end on which the players agreed, such as after hand 10, if it is reached.

        A hand is a round of the game. None if they agreed on no end, or if too few hands are
        counted so far.
        """
        if self.ending is None:
            return None
        if not self.ending.is_over_after(len(self.hands)):
            return None
        return self.ending

    def _find_status_by_rules(self) -> MatchStatus:
        """Find out whether the match is over by its rules, and who has won it then.

        That may depend on the points of the sides, the number of hands (rounds), and the time.
        """
        current_totals = self.scores[-1]
        number_of_hands = self.number_for_players(len(self.hands))  # with those played on paper
        return find_match_status(
            current_totals, self.rules.settings, number_of_hands, time_is_up=self._is_time_up()
        )

    def _is_time_up(self) -> bool:
        """Tell whether the match has a time limit, and a hand (a round) was counted after it.

        The hand that is being played when the time is up is still played to its end. So the match
        is not over before a hand is counted.
        """
        if self.rules.ends.minutes is None:
            return False
        limit = timedelta(minutes=self.rules.ends.minutes)
        for hand in self.hands:
            time_until_counted = hand.first_count.at - self.started
            if time_until_counted >= limit:
                return True
        return False

    def _build_side_state(self, position: int, total: int) -> SideState:
        """Return what the page of the match shows of a side: its name, players and points.

        Also how many points its first cards of the next hand (round) must be worth, and from which
        total on that applies; None for both if the match is over.
        """
        opening_minimum = None
        minimum_from = None
        if not self.status.finished:
            opening_minimum = self.rules.settings.opening_minimum(total, self.next_hand_number)
            minimum_from = _find_start_of_minimum(self.rules.settings, total)
        return SideState(
            name=self.labels.names[position],
            players=self.labels.players[position],
            total=total,
            minimum=opening_minimum,
            minimum_from=minimum_from,
            to_target=self._count_points_to_target(total),
        )

    def _count_points_to_target(self, total: int) -> int | None:
        """Return how many points a side lacks to reach the target of the match.

        - target 2,000 and a side with 1,480 points → 520
        - target 2,000 and a side with 2,100 points → 0
        - a match that is not played to a target → None
        """
        if self.status.target is None:
            return None
        return max(0, self.status.target - total)

    def _score_hand(self, hand: HandState, before: tuple[int, ...]) -> HandState:
        """Return a copy of a hand (a round) with its score, for these points of the sides before it.

        With it comes what else follows from the points before: which rules the hand breaks.
        """
        counted = hand.counted
        settings = self.rules.settings
        scores_of_sides, _ = score_sides(settings, counted.sides, before, counted.deal)
        review = _review_findings(self.rules, counted, before)
        return hand._replace(
            is_scored=True,
            before=before,
            after=tuple(score.total for score in scores_of_sides),
            sides=scores_of_sides,
            warnings=review.remaining_warnings,
            doubts=review.added,
            single=_find_side_playing_alone(settings, counted),
            waits=self._is_waiting_for_check(hand),
        )

    def _is_waiting_for_check(self, hand: HandState) -> bool:
        """Tell whether the other side has still to confirm a hand (a round).

        In some matches one side counts a hand and the other side checks the count. Hands counted
        before this checking was switched on need not be confirmed.
        """
        if self.checking_since is None:  # it is off
            return False
        if hand.confirmed is not None:
            return False
        return hand.first_count.sequence > self.checking_since


def _drop_blank_fields(draft: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a form in which something is typed."""
    return {name: text for name, text in draft.items() if text.strip()}


def _drop_repetitions(names: Iterable[str]) -> tuple[str, ...]:
    """Return each name once, in the order of first appearance: Ada, Ugo, Ada → Ada, Ugo."""
    different: list[str] = []
    for name in names:
        if name not in different:
            different.append(name)
    return tuple(different)


def project(record: MatchRecord, entries: Iterable[Entry], rules_of: RulesOf) -> MatchState:
    """Build the present state of a match from all the entries of its log, the oldest first.

    `rules_of` returns the rules that are stored under a digest. Raises UnknownEntry for an entry of
    a newer version of the program, and ValueError or LookupError for an inconsistent log.
    """
    first_rules = rules_of(record.ruleset)  # the log may change them
    state = MatchState(record, first_rules, rules_of)
    state.apply_log([events.decode_log_entry(entry) for entry in entries])
    return state


def _find_entry_that_began(hand: OpenHand) -> int:
    """Return the number of the log entry with which a hand (a round) began.

    Its id ends with that number: `k3f9x2mbqa-12` → 12.
    """
    _match_id, _, number = hand.id.rpartition("-")
    return int(number)


def _find_side_playing_alone(settings: Settings, counted: Counted) -> int | None:
    """Find the side that played a hand (a round) alone against the others, if one did.

    Only a game for three players has that (`single-taker`): the first player who takes the discard
    pile plays alone. If nobody takes it, it is the player who plays the last card.
    """
    if settings.partnership != "single-taker":
        return None
    hand = counted.hand
    if hand.single is not None:  # who took the pile first
        return hand.single
    if hand.out is not None:  # who played the last card
        return hand.out.side
    return None


def _find_start_of_minimum(settings: Settings, total: int) -> int | None:
    """Find from how many points on a side has the minimum that applies to it now.

    The first cards that a side lays in a hand (a round) must be worth a minimum, which rises with
    the points of the side. If it rises at 0, 1,500 and 3,000 points:

    - a side with 2,000 points → 1500
    - a side below 0, where the lowest minimum applies → None

    None also if the minimum never rises.
    """
    never_rises = len(settings.opening_steps) <= 1
    if never_rises:
        return None
    reached_steps = [start for start, _minimum in settings.opening_steps if start <= total]
    return max(reached_steps, default=None)


# ------------------------------------------------------------------------------------------ judging


def _with_number_in_match(hand: Hand, rules: Ruleset, number: int) -> Hand:
    """Return a copy of a hand (a round) that has its number in the match, as `deal`.

    In most games no rule depends on that number. There the hand is returned as it is.
    """
    depends_on_number = "deal" in rules.entry_fields  # what a hand has to say in this game
    if not depends_on_number:
        return hand
    return replace(hand, deal=number)


class Review(NamedTuple):
    """What the rules find in a counted hand after a correction of an earlier hand."""

    remaining: tuple[Finding, ...]
    """The findings with which it was counted, as far as they still apply."""
    added: tuple[Finding, ...] = ()
    """Findings that the correction brought, such as an opening below the new minimum."""

    @property
    def remaining_warnings(self) -> tuple[Finding, ...]:
        """Return those of the remaining findings with which a hand may count."""
        return tuple(finding for finding in self.remaining if not finding.is_error)


def _review_findings(rules: Ruleset, counted: Counted, before: tuple[int, ...]) -> Review:
    """Find which rules a counted hand (a round) breaks with these points of the sides before it.

    The points change when an earlier hand is corrected, and some rules depend on them: a side with
    1,500 points or more may need 90 points for its first cards, and with fewer only 50.
    """
    if before == counted.before:
        return Review(counted.findings)
    players_agreed_to_count_it = counted.agreed != ""
    if players_agreed_to_count_it:
        return Review(counted.findings)

    # What the correction changes is the difference between two judgements by the present program.
    # The stored findings cannot be compared: an earlier version may have made fewer checks.
    hand = _with_number_in_match(counted.hand, rules, counted.deal)
    findings_then = judge(rules, hand, counted.before).findings
    findings_now = judge(rules, hand, before).findings

    no_longer_found = _exclude_findings(findings_then, findings_now)
    newly_found = _exclude_findings(findings_now, findings_then)
    return Review(
        remaining=_exclude_findings(counted.findings, no_longer_found),
        added=_exclude_findings(newly_found, counted.findings),
    )


class _Subject(NamedTuple):
    """What a finding is about. Its figures, which depend on the totals, are left out."""

    code: str
    """The rule that the hand breaks."""
    where: Pointer
    """The part of the hand that breaks it."""


def _group_by_subject(findings: Iterable[Finding]) -> dict[_Subject, Finding]:
    """Return findings (broken rules) by what they are about: the rule, and the part of the hand.

    Of two findings about the same the last one is kept.
    """
    by_subject = {}
    for finding in findings:
        subject = _Subject(finding.code, finding.where)
        by_subject[subject] = finding
    return by_subject


def _exclude_findings(
    findings: Iterable[Finding], others: Iterable[Finding]
) -> tuple[Finding, ...]:
    """Return the findings (broken rules) that are not among the others.

    Figures do not matter: "needs 50 points" and "needs 90 points" are the same finding, if both are
    about the same rule and the same part of the hand.
    """
    other_subjects = _group_by_subject(others)
    remaining = []
    for subject, finding in _group_by_subject(findings).items():
        if subject not in other_subjects:
            remaining.append(finding)
    return tuple(remaining)
