"""What the pad takes and tells of a match: plain values, no web, no rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from scorepad.matches.kept_rulings import KeptRuling
from scorepad.matches.who import Access, DeviceMark, MatchId
from scorepad.rules.judge import Finding
from scorepad.rules.match import Seat, Standing, Turn
from scorepad.rules.score import Line
from scorepad.rules.variants import Choice, Ruleset


class EndHow(StrEnum):
    """How a match ends otherwise than by its rules."""

    LAST_HAND = "last-hand"
    """A last hand was agreed."""
    HANDS = "hands"
    """So many hands were agreed."""
    TIME = "time"
    GIVEN_UP = "given-up"
    BROKEN_OFF = "broken-off"
    BY_RULES = "by-rules"
    """By its rules after all: what was agreed before no longer holds."""


@dataclass(frozen=True, slots=True)
class Ending:
    """An end agreed at the table. `hands`: after so many hands of the match on the pad; None for at once.

    `side` is the position of who gave up.
    """

    how: EndHow
    hands: int | None = None
    side: int | None = None

    def highest(self, totals: tuple[int, ...]) -> tuple[int, ...]:
        """The sides with the highest total, by their positions; whoever gave up is none of them."""
        staying = [side for side in range(len(totals)) if side != self.side]
        best = max(totals[side] for side in staying)
        return tuple(side for side in staying if totals[side] == best)


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
    """The hand being counted: it lives here from its first field, exactly as typed.

    `draft` is what the form holds (field name to text), opaque to the pad; `version` rises with each kept change.
    """

    id: str
    version: int
    number: int
    draft: Mapping[str, str]
    kept_at: datetime


@dataclass(frozen=True, slots=True)
class Said:
    """What goes with a counted hand beside its figures.

    `remark` is a note on the hand; `agreed` why the table agreed to what the rules refuse, empty where it did not.
    """

    remark: str = ""
    agreed: str = ""


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
    """One counting of a hand: the first, or a correction of the one before."""

    entry: int
    """Sequence of the entry in the match's log."""
    at: datetime
    device: DeviceMark
    note: str
    hand: Mapping[str, Any]
    """The hand as in the JSON contract, sides by `SIDE_KEYS`, without variant and scores before."""
    sides: tuple[tuple[Line, ...], ...]
    agreed: str = ""
    """Why the table agreed to what the rules refuse; empty where it did not."""
    broken: tuple[Finding, ...] = ()
    """The rule problems that it agreed to."""
    by: int | None = None
    """The side for which the device counts, where it said so."""
    draft: Mapping[str, str] = field(default_factory=dict)
    """The fields as typed; empty where the hand came otherwise."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Where one side counts and the other checks: how far a hand is.

    `confirmed` is when the other side agreed, `contest` its own counting as long as none is chosen, and `waits` says
    that nobody has checked it yet.
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
    """What somebody noted of it."""

    @property
    def is_corrected(self) -> bool:
        """Whether it was counted more than once."""
        return len(self.versions) > 1


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match as it stands: a fold over its log."""

    id: MatchId
    rules: Ruleset
    sides: tuple[SideState, ...]
    hands: tuple[HandState, ...]
    standing: Standing
    next_turn: Turn
    open_hand: OpenHand | None
    undoable: Undoable | None
    started: datetime
    changed: datetime
    place: str
    dealer: Seat
    sequence: int
    """Of the last entry: two states with the same sequence are the same."""
    house: tuple[str, ...]
    """The options that the table plays otherwise than was usual when it began."""
    access: Access = Access.NONE
    ending: Ending | None = None
    """An end agreed otherwise than by the rules, whether it has come or is to come."""
    ended_early: bool = False
    """Whether it is over by that agreement, and not by its rules."""
    checking: bool = False
    """Whether one side counts and the other checks."""
    carried: tuple[int, ...] = ()
    """The totals that it was taken over with from paper; empty where it was not."""
    played: int = 0
    """The hands played on paper before."""
    practice: bool = False
    rematch: MatchId | None = None
    replacements: tuple[Replacement, ...] = ()
    rulings: tuple[KeptRuling, ...] = ()
    """The rulings kept with it, in the order in which they were."""

    def called(self, number: int) -> int:
        """The number by which the table knows a hand of the pad: those on paper came before."""
        return self.played + number

    def sat(self, seat: Seat, number: int) -> str:
        """The name of who sat there in a hand of the pad: somebody else may since. Empty where none was given."""
        later = (taken.was for taken in self.replacements if taken.seat == seat and taken.number > number)
        return next(later, self.sides[seat[0]].players[seat[1]])

    @property
    def coming(self) -> int:
        """The number of the hand to come among all the match's hands, those on paper included."""
        return self.called(len(self.hands) + 1)


@dataclass(frozen=True, slots=True)
class Replacement:
    """A player who took another's place, from a hand on."""

    seat: Seat
    was: str
    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Undoable:
    """Something done that can be undone: its entry, its kind, and the hand it touched.

    `guarded`: the other side had agreed to it, so that undoing it takes a note.
    """

    entry: int
    kind: str
    number: int | None
    guarded: bool = False


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
