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
    """An entry of a kind that this program does not know. Attributes: `match`, `sequence`, `kind`."""

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
        """The free texts by name, empty if not given: `{"place": "Rimini"}`."""
        return {text.name: getattr(self, text.name) for text in MATCH_TEXTS}

    @property
    def venue(self) -> str:
        """The free texts that were given in one line, for lists and sheets: `Rimini`."""
        return ", ".join(text for text in self.texts.values() if text)

    def seated(self, seat: Seat) -> str:
        """The name of the player in a seat, the position of a side and of a player in it.

        A side of one player is named after that player. Empty if no name was given, or if there is
        no such seat.
        """
        side, index = seat
        if not 0 <= side < len(self.players):
            return ""
        players = self.players[side]
        if len(players) == 1:
            return self.names[side]
        if not 0 <= index < len(players):
            return ""
        return players[index]

    def seats(self) -> Iterator[Seat]:
        """All seats, side by side: `(0, 0)`, `(0, 1)`, `(1, 0)`, `(1, 1)` for two against two."""
        for side, players in enumerate(self.players):
            for index in range(len(players)):
                yield side, index

    def sitting(self) -> tuple[str, ...]:
        """The names of the players at the table in the order of the seats, without blank ones."""
        names = []
        for seat in self.seats():
            name = self.seated(seat)
            if name.strip():
                names.append(name)
        return tuple(names)


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
    before: tuple[int, ...] = ()
    """The current match scores before it; empty until it is scored."""
    after: tuple[int, ...] = ()

    @property
    def is_corrected(self) -> bool:
        """Whether it was counted more than once."""
        return len(self.versions) > 1

    @property
    def first_count(self) -> LogEntry[Counted]:
        return self.versions[0]

    @property
    def count_in_force(self) -> LogEntry[Counted]:
        """The entry of the log with the count that applies: the latest one."""
        return self.versions[-1]

    @property
    def counted(self) -> Counted:
        """The hand as counted in the count that applies."""
        return self.count_in_force.event

    def without_score(self) -> HandState:
        """A copy of the hand without the mark that it has been scored, so that it is scored again.

        A scored hand keeps in `before` the totals of the sides before it: `(120, 85)`. `MatchState`
        scores every hand whose `before` is not what these totals are now, as it never is if empty.
        """
        never_scored = ()
        return self._replace(before=never_scored)


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
    next_hand_since: int = 0
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
    """The penalties noted for its hands, in order; those of counted hands are in their counts too."""

    def add_hand(self, entry: LogEntry[Counted]) -> None:
        """Append a hand that was counted for the first time to the hands of the match.

        It has no score yet: `MatchState` scores the hands after all events were applied.
        """
        counted = entry.event
        turn = find_roles_in_hand(self.rules.settings, self.begins.dealer, counted.number - 1)
        hand = HandState(counted.number, versions=(entry,), turn=turn, remark=counted.remark)
        self.hands.append(hand)

    def hand_on_pad(self, number: int) -> HandState:
        """The counted hand of this number on the pad; the first hand has the number 1."""
        return self.hands[number - 1]

    def change_hand(self, number: int, **changes: Any) -> None:
        """Change attributes of the hand of this number in the match: `change_hand(3, remark="late")`.

        Its score is dropped, so that the hand is scored again afterwards.
        """
        changed = self.hand_on_pad(number)._replace(**changes)
        self.hands[number - 1] = changed.without_score()

    def put_in_force(self, count: LogEntry[Counted], *, remark: str) -> None:
        """Let this count of a hand apply in place of the one before, which stays in its history.

        Also set the remark on the hand, and mark the hand as not yet confirmed by the other side.
        """
        number = count.event.number
        versions = self.hand_on_pad(number).versions
        self.change_hand(number, versions=(*versions, count), confirmed=None, remark=remark)

    def confirm_hand(self, number: int, at: datetime) -> None:
        """Record that both sides agreed at this time to the count of a hand that is in force.

        If one side had stored another count against it (`contest`), that one is dropped.
        """
        self.change_hand(number, confirmed=at, contest=None)

    def begin_next_hand(self, entry: LogEntry[Any]) -> None:
        """Record that the next hand of the match begins with this entry of the log.

        The number of the entry becomes part of the id of that hand (`MatchState.coming_id`).
        """
        self.next_hand_since = entry.sequence

    def drop_scores(self) -> None:
        """Drop the scores of all hands, so that they are scored again with all that depends on it."""
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
        """Its position in the log of the match, from 1."""
        return self.record.sequence

    @property
    def at(self) -> datetime:
        return self.record.at

    @property
    def device(self) -> str:
        """The device that did it, as stored in the data file."""
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
        """Make a new subclass a frozen dataclass, and register it: after
        `class Remark(Event, kind="remark")`, `EVENTS["remark"]` is that class.

        `kind` is the name under which the log stores the events of the class. A class without a
        kind is only the base of others, and is never stored.

        - `can_be_undone`: the players can take it back.
        - `guarded`: taking it back requires a reason, because the other side had agreed to it.
        - `is_short`: it is saved even if the log of the match is full.
        """
        dataclass(frozen=True)(cls)  # this changes the class itself
        cls.can_be_undone = can_be_undone
        cls.guarded = guarded
        cls.is_short = is_short
        if kind:
            cls.kind = kind
            cls.adapter = TypeAdapter(cls)
            EVENTS[kind] = cls

    @property
    def hand_number(self) -> int | None:
        """The number on the pad of the hand that it is about; None for the whole match."""
        return None

    def payload(self) -> dict[str, Any]:
        """The JSON object that is stored in the log for this event, without default values."""
        payload: dict[str, Any] = self.adapter.dump_python(
            self,
            mode="json",
            exclude_defaults=True,
            by_alias=True,
            context=JsonContext(SIDE_KEYS),
        )
        return payload

    def apply(self, match: LoggedMatch, entry: LogEntry[Any]) -> None:
        """Change the match in the way of this event: a `Rename` sets its names, for example.

        `entry` is the entry of the log that has the event. Each class of events has an `apply` of
        its own; this one, of events that change nothing in the match, does nothing.
        """


def log_entry(record: Entry) -> LogEntry:
    """Decode a row of the log: return it together with the event that its JSON (payload) stands for.

    Raises UnknownEntry for a kind of event that this program does not know, and ValueError for an
    invalid payload.
    """
    adapter = event_type(record).adapter
    context = stored_context(record.payload)
    event = adapter.validate_python(record.payload, context=context)
    return LogEntry(record, event)


def stored_context(payload: object) -> JsonContext:
    """What pydantic has to know to decode the JSON of an event of the log (its payload).

    There the sides of a hand have names by their positions: `a` and `b`, and `c` if there are three
    sides. `is_stored` says that the hand was counted once: the limits for what is sent now do not
    apply to it.
    """
    side_keys = SIDE_KEYS[: _number_of_sides(payload)]
    return JsonContext(side_keys, is_stored=True)


def _number_of_sides(payload: object) -> int:
    """The number of sides in the counted hand of a payload, 0 if it has none.

    It is read off the match scores before the hand, one for each side, which every counted hand
    stores: `{"before": [120, 85], "hand": …}` → 2. An invalid payload is refused by the decoder.
    """
    if not isinstance(payload, Mapping):
        return 0
    scores_before = payload.get("before")
    if not isinstance(scores_before, list):
        return 0
    return len(scores_before)


def event_type(record: Entry) -> type[Event]:
    """The class of the event in a row of the log. Raises UnknownEntry if this program has no such
    class, because a newer one wrote the row.
    """
    if record.kind not in EVENTS:
        raise UnknownEntry(record.match, record.sequence, record.kind)
    return EVENTS[record.kind]


class HandEvent(Event):
    """The base of the events about a hand, by its `number` on the pad."""

    number: Number

    @property
    def hand_number(self) -> int:
        """The number of the hand on the pad."""
        return self.number


# ---------------------------------------------------------------------------------------- the match


class Named(Event):
    """An event that holds all names of the match."""

    names: Names
    players: Players
    place: Name

    @property
    def labels(self) -> Labels:
        """What the players call the match from this event on."""
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
        """Begin the match: set its names, its dealer and its options, and let its first hand be typed.

        `checking`: from now on, the side that did not count a hand has to confirm it.
        """
        super().apply(match, entry)  # sets the names
        match.begins = self  # from which the dealer and the totals at the start are read
        match.house = self.house
        match.begin_next_hand(entry)
        if self.checking:
            match.checking_since = entry.sequence


class RulesChange(Event, kind="rules"):
    """A change of rules before the first hand: their digest."""

    ruleset: str
    house: tuple[str, ...]

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Set the rules of the match, and the options in which they differ from the defaults."""
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

    def ends_after(self, hands: int) -> bool:
        """Whether a match with this agreed end is over when so many hands have been counted."""
        if self.hands is None:
            return True  # it ends at once, with the hands counted so far
        return hands >= self.hands

    def highest(self, totals: tuple[int, ...]) -> tuple[int, ...]:
        """The positions of the sides that lead with these totals: `(120, 300, 300)` → `(1, 2)`.

        A side that gave up does not count, whatever its total.
        """
        gave_up = self.side  # None if no side did
        staying_sides = [side for side in range(len(totals)) if side != gave_up]
        highest_total = max(totals[side] for side in staying_sides)
        return tuple(side for side in staying_sides if totals[side] == highest_total)

    def winner(self, totals: tuple[int, ...]) -> int | None:
        """The position of the side that wins a match with this agreed end and these totals.

        None if nobody wins, because the match was broken off or two sides lead with equal totals.
        """
        if self.how is EndHow.BROKEN_OFF:
            return None
        highest_sides = self.highest(totals)
        if len(highest_sides) > 1:
            return None
        return highest_sides[0]

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Record in the match that the players agreed on this end, or that they agreed on none.

        An end `BY_RULES` means that the match ends by its rules after all.
        """
        cancels_agreement = self.how is EndHow.BY_RULES
        if cancels_agreement:
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
        """Switch checking on for the hands counted from now on, or off for all hands."""
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
        """The hand that the entry was about."""
        return self.number

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Let the next hand begin anew in the match if a counted hand was undone or redone, since the
        match has one hand less or more then.

        Nothing else is to do here: what is undone is left out when the match is built from its log.
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

    `hand` is what the sides laid and held, `before` the match scores at that time, `sides` the lines as
    acknowledged, `findings` its warnings, `draft` the fields as typed. `reason` is that for a
    correction, `remark` a text on the hand, `agreed` why the table agreed to a hand that the rules
    refuse. `by` is the side that the counting device counts for, `played` the number of hands
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
        """The number of the hand in the match, with the hands played on paper before the pad, for
        rules that depend on it.
        """
        return self.number + self.played

    def judgement(self, settings: Settings, before: tuple[int, ...]) -> Judgement:
        """The result of the hand, if the totals of the sides before it were these: its score, the
        problems found in it, and whether the match is over.

        The points are those stored when it was counted, even if the present rules give others.
        """
        sides, status = score_sides(settings, self.sides, before, self.deal)
        return Judgement(self.findings, sides, status)

    @property
    def lines(self) -> tuple[tuple[Line, ...], ...]:
        return tuple(side.lines for side in self.sides)

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The rules that the hand breaks, although the players agreed to count it."""
        return tuple(finding for finding in self.findings if finding.is_error)


class NewHand(Counted, kind="hand"):
    """A hand counted for the first time."""

    def apply(self, match: LoggedMatch, entry: LogEntry[Any]) -> None:
        """Add the hand to the match, and let the next one begin."""
        match.add_hand(entry)
        match.begin_next_hand(entry)


class Correction(Counted, kind="correction"):
    """A hand counted again in place of an earlier count."""

    def apply(self, match: LoggedMatch, entry: LogEntry[Any]) -> None:
        """Let this count of the hand apply in place of the one before.

        The other side has yet to confirm it. If that side had contested the hand with a count of
        its own, that one still stands against it.
        """
        match.put_in_force(entry, remark=self.remark)


class Contest(Counted, kind="contest"):
    """Another count of a hand by the other side, stored beside the current one."""

    def apply(self, match: LoggedMatch, entry: LogEntry[Any]) -> None:
        """Store the count beside the one that applies, until one of the two is chosen."""
        match.change_hand(self.number, contest=entry)


class Confirm(HandEvent, kind="confirm", guarded=True, is_short=True):
    """The other side agrees to the count of a hand in `entry`."""

    count_entry: Annotated[Number, Field(alias="entry")]
    """The entry of the log with that count; stored and exported as `entry`."""
    by: Position | None = None

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Record in the match when the other side agreed to the count of the hand."""
        match.confirm_hand(self.number, at=entry.at)


class ChosenCount(Confirm, kind="choice", guarded=True, is_short=True):
    """Both sides agree to one of two counts of a hand: that in `entry`."""

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Let the chosen one of two counts of the hand apply, and record that both sides agree to it.

        One count is in force; the other side has stored another one against it, `hand.contest`. If
        that one was chosen, it comes into force; otherwise the hand keeps its count.
        """
        hand = match.hand_on_pad(self.number)
        contest = hand.contest
        if contest is not None and contest.sequence == self.count_entry:
            remark = contest.event.remark or hand.remark  # without one, the hand keeps its own
            match.put_in_force(contest, remark=remark)
        match.confirm_hand(self.number, at=entry.at)


class Remark(HandEvent, kind="remark"):
    """A remark on a counted hand; empty removes it."""

    text: str

    def apply(self, match: LoggedMatch, entry: LogEntry) -> None:
        """Set the remark on the hand in the match."""
        match.change_hand(self.number, remark=self.text)


def points_of_penalty(rules: Ruleset, code: str, agreed: int | None) -> int | None:
    """The points that a penalty takes from a side: those that these rules give for it, or else those
    on which the players agreed. None if neither says any.

    `code` is the name of the penalty in the rules.
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
        """The penalty as one of its side in the hand."""
        return PenaltyEntry(self.code, self.points, self.reason)

    def cost(self, rules: Ruleset) -> int:
        """The points that it takes from its side under these rules; 0 if they give none for it."""
        points = points_of_penalty(rules, self.code, agreed=self.points)
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
        """Add the penalty to `match.penalties`, which are charged when their hand is counted."""
        if was_typed_into_form(self):
            return  # it is counted with what is typed there, and would count twice
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
        """The points that the penalty takes from its side under these rules; None if neither they nor
        the players say how many.
        """
        return points_of_penalty(rules, self.code, agreed=self.points)


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
        """Add the ruling to `match.rulings`, and the penalty that it imposes, if any, to
        `match.penalties`, which are charged when their hand is counted.
        """
        match.rulings.append(entry)
        if self.code is None or self.side is None:
            return  # a ruling without a penalty
        if was_typed_into_form(self):
            return  # its penalty is counted with what is typed there, and would count twice
        penalty = HandPenalty(
            entry=entry.sequence,  # by which it is known to be that of this ruling
            number=self.number,
            side=self.side,
            code=self.code,
        )
        match.penalties.append(penalty)


def was_typed_into_form(penalty: NotedPenalty | RulingKept) -> bool:
    """Whether an earlier version of the program noted this penalty.

    That version typed a penalty into the form of its hand as well, and stored with it which `fields`
    it changed. Today a penalty is noted in the log alone.
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


def undone_entries(log: Sequence[LogEntry]) -> dict[int, int]:
    """The entries of a log that are undone and not redone, by their numbers, each with the entry that
    undid it: `{4: 6}` if entry 6 undid entry 4.
    """
    redone_undos = set()  # undos that a later redo reverts
    for entry in log:
        if isinstance(entry.event, Redo):
            redone_undos.add(entry.event.entry)
    undone = {}
    for entry in log:
        if isinstance(entry.event, Undo) and entry.sequence not in redone_undos:
            undone[entry.event.entry] = entry.sequence
    return undone
