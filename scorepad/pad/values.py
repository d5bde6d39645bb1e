"""What the pad takes and tells: plain values, no web, no rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple, NewType

from scorepad.rules.entries import Place
from scorepad.rules.judge import Finding, Judgement
from scorepad.rules.match import Standing
from scorepad.rules.score import Line
from scorepad.rules.seats import Seat, Turn
from scorepad.rules.variants import Choice, Ruleset

MatchId = NewType("MatchId", str)
"""A match: ten random letters and figures, fit for an address."""

DeviceId = NewType("DeviceId", str)
"""A browser or a command line, by the random name that it carries."""

DeviceMark = NewType("DeviceMark", str)
"""A device as the data file knows it: a digest of its name, which opens nothing."""

KEEPER = DeviceId("@keeper")
"""Whoever has the data file itself in hand, as on the command line: owns every match. Given to no browser."""

RequestId = NewType("RequestId", str)
"""The random name of one submission of a form: sent twice, it counts once."""

SIDE_KEYS = ("a", "b", "c")
"""What the sides are called inside stored hands; names are labels that may change."""


class Access(StrEnum):
    """What a device may do with a match."""

    NONE = "none"
    VIEW = "view"
    WRITE = "write"
    OWN = "own"

    @property
    def can_write(self) -> bool:
        """Whether it may enter and correct hands."""
        return self in (Access.WRITE, Access.OWN)


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


@dataclass(frozen=True, slots=True)
class Undoable:
    """The last thing done that can be undone: `kind` (`hand`, `correction`, `rename`) and the hand it touched."""

    entry: int
    kind: str
    number: int | None


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


class Summaries(NamedTuple):
    """The matches of a device, those in progress and those finished, the last one changed first.

    `garbled` are those whose row in the list cannot be read; the match itself is read apart and may be whole.
    """

    in_progress: tuple[MatchSummary, ...]
    finished: tuple[MatchSummary, ...]
    garbled: tuple[MatchId, ...] = ()


@dataclass(frozen=True, slots=True)
class NameProblem:
    """Something in the names that cannot be.

    `code`: `name-empty`, `name-too-long`, `name-repeated` or `name-control` (a character that no one sees), and
    `names-number`, `players-number` where there are not as many as the variant seats, `dealer-unknown` where nobody
    sits in the dealer's seat. `where`: `("names", side)`, `("players", side, index)`, `("place",)`, `("dealer",)`,
    `("names",)` or `("players", side)`. `limit`: the characters or names that there may be.
    """

    code: str
    where: Place
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class NewMatchRefused:
    """A match cannot start with these names, or be renamed so: all that is wrong at once. Nothing was stored."""

    problems: tuple[NameProblem, ...]


@dataclass(frozen=True, slots=True)
class Saved:
    """It is on the disk. `again`: the same submission had been counted already, and this is its first result."""

    match: MatchId
    number: int | None = None
    judgement: Judgement | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """The rules refuse the hand; nothing was stored but the draft. `open_hand` is what is kept of it, if anything."""

    judgement: Judgement
    open_hand: OpenHand | None = None


@dataclass(frozen=True, slots=True)
class Stale:
    """Somebody else was quicker: what stands now, beside what was sent."""

    current: OpenHand | None
    state: MatchState


@dataclass(frozen=True, slots=True)
class Kept:
    """A draft as it was kept."""

    open_hand: OpenHand = field()
