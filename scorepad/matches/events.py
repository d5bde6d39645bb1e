"""The events of a match: the contents of its log entries, their JSON encoding, and their effect on
the match.

Log and export file use the same encoding. An event is never changed once written; keys with default
values are omitted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Generic, Literal, NamedTuple, dataclass_transform

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter
from typing_extensions import TypeVar

from scorepad.errors import NewerError
from scorepad.matches.access import Access
from scorepad.referee.ruling import Answer
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand, PenaltyEntry
from scorepad.rules.json_types import JsonContext
from scorepad.rules.judging import Finding, Judgement, Seat, Turn, find_roles_in_hand, score_sides
from scorepad.rules.score_lines import Line, SideLines, SideScore
from scorepad.rules.settings import Settings
from scorepad.schemas.fields import Fields, Position
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.storage.rows import Entry, MatchRecord

RulesOf = Callable[[str], Ruleset]
"""Returns the rules with a digest."""
Name = Annotated[str, StringConstraints(max_length=200)]
LONGEST_NAME = 60
"""Most characters of a name that is typed now; the log may have longer ones."""
Names = tuple[Name, ...]
Players = tuple[Names, ...]
Number = Annotated[int, Field(ge=1)]


class EndHow(StrEnum):
    """How a match ends other than by its rules."""

    LAST_HAND = "last-hand"
    """A last hand was agreed."""
    HANDS = "hands"
    """A number of hands was agreed."""
    TIME = "time"
    GIVEN_UP = "given-up"
    BROKEN_OFF = "broken-off"
    BY_RULES = "by-rules"
    """By its rules after all: cancels an earlier agreement."""


class UnknownEntry(NewerError):
    """An entry of an unknown kind. Attributes: `match`, `sequence`, `kind`."""

    def __init__(self, match: str, sequence: int, kind: str) -> None:
        """`match` is the id of the match, `sequence` the number of the entry in its log."""
        super().__init__(f"entry {sequence}: {kind}")  # without the match: this is logged
        self.match = match
        self.sequence = sequence
        self.kind = kind


class MatchText(NamedTuple):
    """A free text of a match that is typed beside the names, such as the place.

    Add a text here, with the attributes of its name in `Labels` and `Named`, which passes it on to
    `Labels`: the forms, the history and the sheets loop over this table. docs/changing.md has all
    the steps.
    """

    name: str
    """Its attribute in `Labels`, its field on the pages, and its key in JSON."""
    label: str
    """The catalogue key of its label."""
    given: str
    """The catalogue key of the line of the history that says it was given or changed."""
    removed: str
    """The catalogue key of the line that says it was removed."""
    longest: int = LONGEST_NAME
    """The most characters that it may have."""


MATCH_TEXTS = (
    MatchText(
        name="place",
        label="web.place",
        given="history.place",
        removed="history.place.gone",
    ),
)
"""The free texts of a match, in the order in which they are asked and shown."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What the players call a match: the names of its sides, the names of the players of each side,
    and free texts such as the place. They may change at any time.
    """

    names: tuple[str, ...]
    players: tuple[tuple[str, ...], ...] = ()
    place: str = ""

    @property
    def texts(self) -> dict[str, str]:
        """Return the free texts about the match by name: `{"place": "Rimini"}`.

        A text that was not given is empty.
        """
        # Each text is the attribute with its name: `place`.
        return {text.name: getattr(self, text.name) for text in MATCH_TEXTS}

    @property
    def venue(self) -> str:
        """Return the free texts about the match in one line, for lists and sheets: `Rimini`."""
        return ", ".join(text for text in self.texts.values() if text)

    def name_in_seat(self, seat: Seat) -> str:
        """Return the name of the player in a seat: `(0, 1)` is the second player of the first side.

        If a side has only one player, the side and the player have one name. Empty if no name was
        given, or if there is no such seat.
        """
        side, index = seat
        is_known_side = 0 <= side < len(self.players)
        if not is_known_side:
            return ""

        players = self.players[side]
        if len(players) == 1:
            return self.names[side]

        is_known_player = 0 <= index < len(players)
        if not is_known_player:
            return ""
        return players[index]

    def list_seats(self) -> Iterator[Seat]:
        """List the seats at the table: `(0, 0)`, `(0, 1)`, `(1, 0)`, `(1, 1)` for two pairs."""
        for side, players in enumerate(self.players):
            for index in range(len(players)):
                yield side, index


# --------------------------------------------------------------------------- the match of a log


class HandState(NamedTuple):
    """A counted hand in the match. `versions` are oldest first; the last one counts.

    `warnings` are those of the current version; `doubts` are rule problems caused by the correction
    of an earlier hand (an opening that no longer reaches the minimum).
    """

    number: int
    versions: tuple[LogEntry[Counted], ...]
    turn: Turn
    sides: tuple[SideScore, ...] = ()
    """The lines of each side as acknowledged, and the current match score after them."""
    warnings: tuple[Finding, ...] = ()
    doubts: tuple[Finding, ...] = ()
    single: int | None = None
    """The side that played alone against the others together, if pairs change in every hand."""
    confirmed: datetime | None = None
    """When the other side agreed, if one side counts and the other checks."""
    contest: LogEntry[Counted] | None = None
    """The other side's count, until one of the two is chosen."""
    waits: bool = False
    """Whether it is still to be checked."""
    remark: str = ""
    """A text on the hand."""
    is_scored: bool = False
    """Whether its score was worked out: `sides`, `after`, and what else depends on the points
    before it.
    """
    before: tuple[int, ...] = ()
    """The current match scores before it, once it is scored."""
    after: tuple[int, ...] = ()

    @property
    def is_corrected(self) -> bool:
        """Tell whether the hand was counted more than once."""
        return len(self.versions) > 1

    @property
    def first_count(self) -> LogEntry[Counted]:
        return self.versions[0]

    @property
    def count_in_force(self) -> LogEntry[Counted]:
        """Return the entry of the log with the count that applies: the latest one."""
        return self.versions[-1]

    @property
    def counted(self) -> Counted:
        """Return the hand as counted in the count that applies."""
        return self.count_in_force.event

    def is_scored_after(self, points: tuple[int, ...]) -> bool:
        """Tell whether the hand (a round) has its score, for sides with these points before it."""
        return self.is_scored and self.before == points

    def without_score(self) -> HandState:
        """Return a copy of the hand (a round) that has to be scored again."""
        return self._replace(is_scored=False)


@dataclass(slots=True)
class LoggedMatch:
    """A match as far as its events set it directly: each event of the log changes it in `apply`.

    Scores, the winner and what else follows from the hands are worked out by `MatchState`, after
    all events were applied.
    """

    record: MatchRecord
    rules: Ruleset
    rules_of: RulesOf = field(repr=False, compare=False)
    labels: Labels = field(default_factory=lambda: Labels((), (), ""))
    begins: Start = field(default_factory=lambda: Start((), (), "", (0, 0), ()))
    house: tuple[str, ...] = ()
    """The options that differed from the defaults when it began."""
    hands: list[HandState] = field(default_factory=list)
    next_hand_begun_by: int = 0
    """The entry of the log since which the next hand can be typed: the count of the previous hand,
    or the undo or redo of one.
    """
    ending: Ending | None = None
    """An end agreed other than by the rules, reached or not."""
    replacements: list[Replacement] = field(default_factory=list)
    checking_since: int | None = None
    """The entry of the log since which one side checks what the other counts; None if off."""
    is_rematched: bool = False
    """Whether a rematch has begun."""
    rulings: list[LogEntry[RulingKept]] = field(default_factory=list)
    """The rulings stored with it, in order."""
    penalties: list[HandPenalty] = field(default_factory=list)
    """The penalties noted for its hands, in order. Counted hands have theirs in their counts too."""

    def add_hand(self, entry: LogEntry[Counted]) -> None:
        """Add a hand (a round of the game) to the match, from the log entry of its first count.

        The hand has no score yet: `MatchState` scores the hands after all events were applied.
        """
        counted = entry.event
        index = counted.number - 1  # the first hand has the number 1
        turn = find_roles_in_hand(self.rules.settings, self.begins.dealer, index)
        hand = HandState(
            number=counted.number,
            versions=(entry,),  # a correction adds another count of the hand
            turn=turn,  # who deals
            remark=counted.remark,
        )
        self.hands.append(hand)

    def get_counted_hand(self, number: int) -> HandState:
        """Return the counted hand (round) of this number; the first hand has the number 1."""
        return self.hands[number - 1]

    def change_hand(self, number: int, **changes: Any) -> None:
        """Change attributes of the hand (round) of this number: `change_hand(3, remark="late")`.

        The hand loses its score, and is scored again afterwards.
        """
        hand = self.get_counted_hand(number)
        changed_hand = hand._replace(**changes)
        self.hands[number - 1] = changed_hand.without_score()

    def replace_count(self, count: LogEntry[Counted], *, remark: str) -> None:
        """Let a new count of a hand (a round) apply. The earlier count stays in its history.

        The hand gets this remark. The other side has to confirm it again, since it has confirmed
        only the earlier count.
        """
        number = count.event.number
        earlier_counts = self.get_counted_hand(number).versions
        all_counts = (*earlier_counts, count)  # the last one applies
        self.change_hand(number, versions=all_counts, confirmed=None, remark=remark)

    def confirm_hand(self, number: int, at: datetime) -> None:
        """Record when both sides agreed to the count of a hand (a round) that applies now.

        If one side had stored another count against it (`contest`), that one is dropped.
        """
        self.change_hand(number, confirmed=at, contest=None)

    def begin_next_hand(self, entry: LogEntry[Any]) -> None:
        """Record that another hand (round) is played from this entry of the log on.

        The number of the entry becomes part of the id of that hand, `MatchState.current_hand_id`.
        """
        self.next_hand_begun_by = entry.sequence

    def drop_scores(self) -> None:
        """Drop the scores of all hands (rounds), so that they are scored again."""
        self.hands = [hand.without_score() for hand in self.hands]


# ------------------------------------------------------------------------------ entries and events

EVENTS: dict[str, type[Event]] = {}
"""The class of each kind of entry; each class registers itself with its `kind`."""

_EventT = TypeVar("_EventT", bound="Event", covariant=True, default="Event")  # noqa: PLC0105


@dataclass(frozen=True, slots=True)
class LogEntry(Generic[_EventT]):
    """An event with its row in the log."""

    record: Entry
    event: _EventT

    @property
    def sequence(self) -> int:
        """Return the position of the entry in the log of the match, from 1."""
        return self.record.sequence

    @property
    def at(self) -> datetime:
        return self.record.at

    @property
    def device(self) -> str:
        """Return the device that did it, as stored in the data file."""
        return self.record.device


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Event:
    """The base of all events, which are frozen dataclasses. `apply` changes the match that is being
    projected.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", defer_build=True)
    __dataclass_fields__: ClassVar[dict[str, Any]]
    kind: ClassVar[str]
    adapter: ClassVar[TypeAdapter[Any]]
    """Decodes and encodes the events of this class."""
    can_be_undone: ClassVar[bool] = True
    """Whether the players can take it back."""
    guarded: ClassVar[bool] = False
    """Whether undoing it requires a reason, because the other side had agreed to it."""
    is_short: ClassVar[bool] = False
    """Whether it is still saved into a match whose log is full: it ends the match, or takes
    something back.
    """

    def __init_subclass__(
        cls,
        *,
        kind: str = "",
        can_be_undone: bool = True,
        guarded: bool = False,
        is_short: bool = False,
    ) -> None:
        """Register a new kind of event, and turn its class into a frozen dataclass.

        Python calls this for every subclass. After `class Remark(Event, kind="remark")` the class
        is found as `EVENTS["remark"]`, and the log of a match stores its events as `remark`. A
        class without a `kind` is only the base of others, and is never stored.

        - `can_be_undone`: the players can take it back.
        - `guarded`: taking it back requires a reason, because the other side had agreed to it.
        - `is_short`: it is saved even if the log of the match is full.
        """
        dataclass(frozen=True)(cls)  # this changes the class itself
        cls.can_be_undone = can_be_undone
        cls.guarded = guarded
        cls.is_short = is_short
        is_stored = kind != ""
        if is_stored:
            cls.kind = kind
            cls.adapter = TypeAdapter(cls)  # converts its events to JSON and back
            EVENTS[kind] = cls

    @property
    def hand_number(self) -> int | None:
        """Return the number of the hand (round) that the event is about; None for the match."""
        return None

    def payload(self) -> dict[str, Any]:
        """Return the JSON object that the log stores for this event: `{"number": 3, "text": ""}`.

        Values that are the default are left out.
        """
        payload: dict[str, Any] = self.adapter.dump_python(
            self,
            mode="json",
            exclude_defaults=True,
            by_alias=True,
            context=JsonContext(SIDE_KEYS),
        )
        return payload

    def apply(self, match: LoggedMatch, entry: LogEntry[Any]) -> None:
        """Apply this event to the match: a `Rename` sets its names, for example.

        `entry` is the entry of the log that has the event. Each class of events has an `apply` of
        its own. This one is for events that change nothing in the match, and does nothing.
        """


def decode_log_entry(record: Entry) -> LogEntry:
    """Decode a row of the log of a match: return it together with its event.

    A row says what kind of event it has, such as `remark`, and has its values as JSON (`payload`).

    Raises UnknownEntry for a kind that this program does not know, and ValueError for an invalid
    payload.
    """
    adapter = find_event_class(record).adapter
    context = build_decoding_context(record.payload)
    event = adapter.validate_python(record.payload, context=context)
    return LogEntry(record, event)


def build_decoding_context(payload: object) -> JsonContext:
    """Build what the decoder of events needs to know beside the JSON of an event (`payload`).

    - the names of the sides in the JSON: `a` and `b`, and `c` if there are three
    - that the event is stored already, so that limits for new input do not apply to it
    """
    number_of_sides = _count_sides_in_payload(payload)
    return JsonContext(names=SIDE_KEYS[:number_of_sides], is_stored=True)


def _count_sides_in_payload(payload: object) -> int:
    """Count the sides in the JSON of an event: `{"before": [120, 85], …}` → 2.

    `before` are the points of the sides before a hand (a round). Only a counted hand has them, and
    only its decoder asks for the sides: 0 for other events, and for malformed JSON, which the
    decoder refuses later.
    """
    if not isinstance(payload, Mapping):
        return 0
    scores_before = payload.get("before")
    if not isinstance(scores_before, list):
        return 0
    return len(scores_before)


def find_event_class(record: Entry) -> type[Event]:
    """Find the class for a row of the log by its kind: `remark` → `Remark`.

    Raises UnknownEntry if there is no such class, because a newer version of the program wrote the
    row.
    """
    if record.kind not in EVENTS:
        raise UnknownEntry(record.match, record.sequence, record.kind)
    return EVENTS[record.kind]


class HandEvent(Event):
    """The base of the events about a hand, by its `number` on the pad."""

    number: Number

    @property
    def hand_number(self) -> int:
        """Return the number of the hand (round) that the event is about."""
        return self.number


# ---------------------------------------------------------------------------------------- the match


class Named(Event):
    """An event that holds all names of the match."""

    names: Names
    players: Players
    place: Name

    @property
    def labels(self) -> Labels:
        """Return what the players call the match from this event on."""
        return Labels(names=self.names, players=self.players, place=self.place)

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Set the names of the match, its sides and its players."""
        match.labels = self.labels


class Start(Named, kind="start", can_be_undone=False):
    """The start of a match.

    `dealer` is the first dealer on the pad, `house` the options that differ from the defaults.
    `carried` are the totals and `played` the hands of a match taken over from paper. `checking`:
    one side checks what the other counts. `game` is its number in a series of rematches, `best_of`
    the length of that series (0: no limit).
    """

    dealer: Seat
    house: tuple[str, ...]
    carried: tuple[int, ...] = ()
    played: Annotated[int, Field(ge=0)] = 0
    practice: bool = False
    rematch: bool = False
    checking: bool = False
    game: Number = 1
    best_of: Literal[0, 3, 5] = 0

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Begin the match: set its names, first dealer and house rules, and begin the first hand.

        A hand is a round of the game. House rules are options that the table chose otherwise than
        usual.
        """
        super().apply(match, entry)  # sets the names
        match.begins = self  # from which the dealer and the totals at the start are read
        match.house = self.house  # the options that the table chose otherwise than usual
        match.begin_next_hand(entry)
        if self.checking:  # the side that did not count a hand has to confirm it
            match.checking_since = entry.sequence


class RulesChange(Event, kind="rules"):
    """A change of rules before the first hand: their digest."""

    ruleset: str
    house: tuple[str, ...]

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Set the rules of the match, and the list of its house rules."""
        match.rules = match.rules_of(self.ruleset)
        match.house = self.house


class Rename(Named, kind="rename"):
    """New names for the match, its sides and its players."""


class Replacement(Named, kind="replace"):
    """A player who replaces another from a hand on; holds all names from then on."""

    seat: Seat
    was: str
    name: str
    number: Number

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Set the names of the match, now with the new player, and record who was replaced."""
        super().apply(match, entry)  # sets the names
        match.replacements.append(self)


class Ending(Event, kind="end", is_short=True):
    """An end agreed at the table. `hands`: the number of hands on the pad after which it ends;
    None: at once.

    `side` is the position of the side that gave up.
    """

    how: EndHow
    hands: int | None = None
    side: Position | None = None

    def is_over_after(self, hands: int) -> bool:
        """Tell whether a match with this agreed end is over after so many hands (rounds).

        If the players agreed on 6 hands: 5 → False, 6 → True. If they agreed to end at once: True.
        """
        if self.hands is None:  # at once
            return True
        return hands >= self.hands

    def find_leading_sides(self, totals: tuple[int, ...]) -> tuple[int, ...]:
        """Find the sides that lead with these points: `(120, 300, 300)` → `(1, 2)`.

        A side that gave up never leads, however many points it has.
        """
        gave_up = self.side  # None if no side did
        staying_sides = [side for side in range(len(totals)) if side != gave_up]
        highest_total = max(totals[side] for side in staying_sides)
        return tuple(side for side in staying_sides if totals[side] == highest_total)

    def find_winner(self, totals: tuple[int, ...]) -> int | None:
        """Find the side that wins a match which ends by agreement with these points.

        - `(120, 300)` → 1, the second side
        - `(300, 300)` → None, nobody wins
        - a match that was broken off → None
        """
        if self.how is EndHow.BROKEN_OFF:
            return None
        leading_sides = self.find_leading_sides(totals)
        if len(leading_sides) > 1:
            return None
        return leading_sides[0]

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Record in the match on which end the players agreed: after the sixth hand, for example.

        With `BY_RULES` they agreed that the match ends by its rules after all. Then there is no
        agreed end any more.
        """
        if self.how is EndHow.BY_RULES:
            match.ending = None
        else:
            match.ending = self


class Rematch(Event, kind="rematch", can_be_undone=False, is_short=True):
    """The start of a rematch."""

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Record that there is a rematch."""
        match.is_rematched = True


class Checking(Event, kind="checking", can_be_undone=False):
    """One side checks what the other counts: switched on or off."""

    on: bool

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Record from which entry of the log on counted hands have to be checked; None if none have.

        Switching it off also concerns the hands that wait to be checked at that moment.
        """
        if self.on:
            match.checking_since = entry.sequence
        else:
            match.checking_since = None
        match.drop_scores()  # whether a hand waits to be checked is worked out with its score


class UndoRedo(Event):
    """An undo or redo: `undone_kind` and `number` are the kind and the hand of the entry undone."""

    entry: Number
    undone_kind: Annotated[str, Field(alias="kind")]
    number: Number | None = None

    @property
    def hand_number(self) -> int | None:
        """Return the number of the hand (round) that the undone action is about."""
        return self.number

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Let another hand (round) be played now, if this undoes or redoes the count of a hand.

        Nothing else is changed here. When a match is built from its log, an entry that is undone
        was never applied, and one that is redone was.
        """
        if self.undone_kind == NewHand.kind:
            match.begin_next_hand(entry)


class Undo(UndoRedo, kind="undo", can_be_undone=False, is_short=True):
    """Undoes the entry of this sequence; `reason` may be empty. The projection omits entries
    undone.
    """

    reason: str = ""


class Redo(UndoRedo, kind="redo", can_be_undone=False, is_short=True):
    """Reverts the `Undo` of this sequence."""


# -------------------------------------------------------------------------------------------- hands


class Counted(HandEvent):
    """A hand as counted.

    `hand` is what the sides laid and held, `before` the match scores at that time, `sides` the
    lines as acknowledged, `findings` its warnings, `draft` the fields as typed. `reason` is that
    for a correction, `remark` a text on the hand, `agreed` why the table agreed to a hand that the
    rules refuse. `by` is the side that the counting device counts for, `played` the number of hands
    played on paper before.
    """

    hand: Hand
    before: tuple[int, ...]
    sides: tuple[SideLines, ...]
    findings: tuple[Finding, ...]
    draft: dict[str, str]
    reason: str = ""
    remark: str = ""
    agreed: str = ""
    by: Position | None = None
    played: Annotated[int, Field(ge=0)] = 0

    @property
    def deal(self) -> int:
        """Return the number of the hand (round) in the match, as rules that depend on it use it.

        Hands that were played on paper before count too: after 3 of them, hand 1 here is hand 4.
        """
        return self.number + self.played

    def score_again(self, settings: Settings, before: tuple[int, ...]) -> Judgement:
        """Return the score of the hand (a round), for sides that had these points before it.

        The points of the hand itself are those stored when it was counted, even if today's rules
        would give others. Only what follows from the points before is worked out: the totals, and
        whether the match is over.
        """
        side_scores, status = score_sides(settings, self.sides, before, self.deal)
        return Judgement(self.findings, side_scores, status)

    @property
    def lines(self) -> tuple[tuple[Line, ...], ...]:
        return tuple(side.lines for side in self.sides)

    @property
    def broken(self) -> tuple[Finding, ...]:
        """Return the rules that the hand breaks, although the players agreed to count it."""
        return tuple(finding for finding in self.findings if finding.is_error)


class NewHand(Counted, kind="hand"):
    """A hand counted for the first time."""

    def apply(self, match: LoggedMatch, entry: LogEntry[Any]) -> None:
        """Add the hand (round) to the match, and let the next one begin."""
        match.add_hand(entry)
        match.begin_next_hand(entry)


class Correction(Counted, kind="correction"):
    """A hand counted again in place of an earlier count."""

    def apply(self, match: LoggedMatch, entry: LogEntry[Any]) -> None:
        """Let this count of a hand (a round) apply in place of the one before.

        The other side has to confirm the hand again.
        """
        match.replace_count(entry, remark=self.remark)


class Contest(Counted, kind="contest"):
    """Another count of a hand by the other side, stored beside the current one."""

    def apply(self, match: LoggedMatch, entry: LogEntry[Any]) -> None:
        """Store this count of a hand (a round) beside the one that applies, until one is chosen."""
        match.change_hand(self.number, contest=entry)


class Confirm(HandEvent, kind="confirm", guarded=True, is_short=True):
    """The other side agrees to the count of a hand in `entry`."""

    count_entry: Annotated[Number, Field(alias="entry")]
    """The entry of the log with that count; stored and exported as `entry`."""
    by: Position | None = None

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Record when the other side agreed to the count of the hand."""
        match.confirm_hand(self.number, at=entry.at)


class ChosenCount(Confirm, kind="choice", guarded=True, is_short=True):
    """Both sides agree to one of two counts of a hand: that in `entry`."""

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Let the chosen one of two counts of a hand (a round) apply, and record that both agree.

        Two sides had counted the hand differently. One count applies so far, and the hand keeps it
        if that one was chosen. The other is stored against it as `hand.contest`.
        """
        hand = match.get_counted_hand(self.number)
        contest = hand.contest
        if contest is not None and contest.sequence == self.count_entry:  # the other was chosen
            remark = contest.event.remark or hand.remark  # without one, the hand keeps its own
            match.replace_count(contest, remark=remark)
        match.confirm_hand(self.number, at=entry.at)


class Remark(HandEvent, kind="remark"):
    """A remark on a counted hand; empty removes it."""

    text: str

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Set the remark on the hand in the match."""
        match.change_hand(self.number, remark=self.text)


def find_points_of_penalty(rules: Ruleset, code: str, agreed: int | None) -> int | None:
    """Find how many points a penalty takes from a side; None if nobody says.

    `code` is the name of the penalty, such as `draw-out-of-turn`.

    - The rules give points for it → these points.
    - The rules give none, or do not know it → the points on which the players agreed, if any.
    """
    penalty = rules.penalties.get(code)
    if penalty is None or penalty.points is None:
        return agreed
    return penalty.points


class HandPenalty(NamedTuple):
    """A penalty noted for a hand: the entry of the log that noted it, the number of the hand on the
    pad, the position of the side.

    `points` and `reason` are set for a custom penalty of the table.
    """

    entry: int
    number: int
    side: int
    code: str
    points: int | None = None
    reason: str = ""

    @property
    def as_entry(self) -> PenaltyEntry:
        """Return the penalty in the form in which a hand has the penalties of its sides."""
        return PenaltyEntry(self.code, self.points, self.reason)

    def cost(self, rules: Ruleset) -> int:
        """Return the points that the penalty takes from its side; 0 if nobody says how many."""
        points = find_points_of_penalty(rules, self.code, agreed=self.points)
        if points is None:
            return 0
        return points


class NotedPenalty(HandEvent, kind="penalty"):
    """A penalty in the hand being played; it counts when the hand is counted.

    `points` and `reason` are set for a custom penalty of the table. `fields` is only in the logs of
    earlier versions, which wrote a penalty into the typed fields of the open hand: their texts
    before and after. Such a penalty counts as it is typed, not once more.
    """

    side: Position
    code: str
    points: int | None
    reason: str
    fields: Fields = field(default_factory=dict)

    def apply(self, match: LoggedMatch, entry: LogEntry[Any]) -> None:
        """Note the penalty in the match. It is charged when its hand (round) is counted.

        A penalty of an earlier version of the program is left out: it was also typed into the form
        of the hand, is counted there, and would count twice.
        """
        if was_noted_by_earlier_version(self):
            return
        penalty = HandPenalty(
            entry=entry.sequence,  # by which it can be taken back later
            number=self.number,
            side=self.side,
            code=self.code,
            points=self.points,
            reason=self.reason,
        )
        match.penalties.append(penalty)

    def cost(self, rules: Ruleset) -> int | None:
        """Return the points that the penalty takes from its side; None if nobody says how many.

        The points are those in the rules, or else those on which the players agreed.
        """
        return find_points_of_penalty(rules, self.code, agreed=self.points)


class RulingKept(HandEvent, kind="ruling"):
    """A ruling stored with a hand: the question as in the contract, the answer, and the penalty
    stored with it.

    `question` includes its kind, but not the rules, which are those of the match. `side` is the
    position of the side it is about, `code` the code of the penalty and `points` its points; both
    None for no penalty. `fields` is as in `NotedPenalty`.
    """

    side: Position | None
    question: dict[str, Any]
    answer: Answer
    code: str | None = None
    points: int | None = None
    fields: Fields = field(default_factory=dict)

    def apply(self, match: LoggedMatch, entry: LogEntry[Any]) -> None:
        """Store the ruling in the match, and note the penalty that it imposes, if any.

        A ruling is the answer of the referee to a question about a hand (a round). Its penalty is
        charged when that hand is counted.
        """
        match.rulings.append(entry)
        if self.code is None or self.side is None:
            return  # a ruling without a penalty
        if was_noted_by_earlier_version(self):
            return  # the penalty is in the form of the hand as well, and would be charged twice
        penalty = HandPenalty(
            entry=entry.sequence,  # by which it is known to be that of this ruling
            number=self.number,
            side=self.side,
            code=self.code,
        )
        match.penalties.append(penalty)


def was_noted_by_earlier_version(penalty: NotedPenalty | RulingKept) -> bool:
    """Tell whether a penalty was noted by an earlier version of the program.

    Only that version stored `fields`: the texts of the form of a hand (a round) that it changed to
    count the penalty there.
    """
    return bool(penalty.fields)


# ------------------------------------------------------------------------------------------- access


class AccessAction(StrEnum):
    """The owner's decisions about access to a match."""

    RENEW = "renew"
    WITHDRAW = "withdraw"
    HAND_ON = "hand-on"
    REMOVE = "remove"
    START_OVER = "start-over"


class AccessChange(Event, kind="access", can_be_undone=False, is_short=True):
    """A decision about access: the key, or the number of the device. It does not change the match
    itself.
    """

    what: AccessAction
    access: Access | None = None
    phone: Number | None = None


def find_undone_entries(log: Sequence[LogEntry]) -> dict[int, int]:
    """Find the entries of a log that are undone, each with the entry that undid it.

    - entry 6 undoes entry 4 → `{4: 6}`
    - entry 6 undoes entry 4, then entry 7 redoes it → `{}`
    """
    reverted_undos = set()
    for entry in log:
        if isinstance(entry.event, Redo):
            reverted_undos.add(entry.event.entry)

    undone = {}
    for entry in log:
        if isinstance(entry.event, Undo) and entry.sequence not in reverted_undos:
            undone[entry.event.entry] = entry.sequence
    return undone
