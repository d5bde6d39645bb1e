"""What happened in a match, one thing after the other, with what stood before it: the log as people would tell it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from scorepad.matches.doors import DoorChange
from scorepad.matches.kept_rulings import KeptRuling
from scorepad.matches.kinds import EntryKind
from scorepad.matches.payloads import Counted, Labels
from scorepad.matches.values import Ending, Replacement
from scorepad.matches.who import KEEPER, Access
from scorepad.rules.variants import Ruleset
from scorepad.storage.digests import known_as
from scorepad.storage.records import Entry


@dataclass(frozen=True, slots=True)
class Doer:
    """The device that did something.

    `number` is that of its coming to the match: None for the command line (`is_keeper`), and for a browser with the
    home privilege that never came in. `side` is the position of the side that it counts for, where it said so.
    """

    number: int | None
    is_mine: bool
    is_keeper: bool
    side: int | None


@dataclass(frozen=True, slots=True)
class Started:
    """A match began: by these rules, with what it brought from paper."""

    rules: Ruleset
    labels: Labels
    carried: tuple[int, ...]
    played: int
    practice: bool
    is_rematch: bool


@dataclass(frozen=True, slots=True)
class RulesTaken:
    """Other options of the house, before the first hand."""

    before: Ruleset
    after: Ruleset


@dataclass(frozen=True, slots=True)
class CountedHand:
    """A hand was counted: for the first time, once more (`before` stood until then), or by the other side beside it."""

    counted: Counted
    before: Counted | None
    is_contest: bool


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The other side agreed to a hand."""

    number: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """Of two countings of a hand one was chosen; `before` is what stood until then."""

    counted: Counted
    before: Counted
    is_other: bool
    """Whether it is not the one that stood."""


@dataclass(frozen=True, slots=True)
class Switched:
    """From now on one side checks what the other counts, or no longer."""

    on: bool


@dataclass(frozen=True, slots=True)
class Remarked:
    """Something was noted of a hand; empty where the note was taken away."""

    number: int
    before: str
    text: str


@dataclass(frozen=True, slots=True)
class Penalised:
    """A penalty was noted while a hand was played; `points`, below zero, are those of the rules or of the table."""

    number: int
    side: int
    code: str
    points: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling was kept with a hand; `game` is the variant that was played then."""

    kept: KeptRuling
    game: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """Other names for the match, its sides and its players."""

    before: Labels
    after: Labels


@dataclass(frozen=True, slots=True)
class TookPlace:
    """A player took another's place."""

    taken: Replacement


@dataclass(frozen=True, slots=True)
class Agreed:
    """An end was agreed otherwise than by the rules."""

    ending: Ending


@dataclass(frozen=True, slots=True)
class Rematched:
    """The rematch began."""


@dataclass(frozen=True, slots=True)
class DoorChanged:
    """Who comes in was decided: `access` is that of the key, `phone` the number of the device that it was about."""

    what: DoorChange
    access: Access | None
    phone: int | None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What was done last was undone: its sequence, its kind, the hand that it touched, and why, where that was said."""

    entry: int
    kind: str
    number: int | None
    note: str


Deed = (
    Started | RulesTaken | CountedHand | Confirmed | Chosen | Switched | Remarked | Penalised | Ruled | Renamed
    | TookPlace | Agreed | Rematched | DoorChanged | TakenBack
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Happening:
    """One entry of the log. `names` are what the sides were called then; `undone` is the sequence of its undoing."""

    sequence: int
    kind: str
    at: datetime
    by: Doer
    names: tuple[str, ...]
    deed: Deed
    undone: int | None


_SAY_SIDE = (EntryKind.HAND, EntryKind.CORRECTION, EntryKind.CONTEST, EntryKind.CONFIRM, EntryKind.CHOICE)
"""What says itself which side the device counts for."""


def doers(
    entries: tuple[Entry, ...], numbers: Mapping[str, int], seats: Mapping[str, int | None], mine: str
) -> Callable[[Entry], Doer]:
    """Who did what an entry says. `numbers` and `seats` are those of the devices now, `mine` is the one that asks.

    Of what does not say so itself it is known only for which side the device counts now: that holds for before too,
    unless it ever said otherwise.
    """
    said: dict[str, set[int | None]] = {}
    for entry in entries:
        if entry.kind in _SAY_SIDE:
            said.setdefault(entry.device, set()).add(entry.payload.get("by"))

    def doer(entry: Entry) -> Doer:
        device, now = entry.device, seats.get(entry.device)
        always = now if said.get(device, set()) <= {now} else None
        side = entry.payload.get("by") if entry.kind in _SAY_SIDE else always
        return Doer(numbers.get(device), device == mine, device == known_as(KEEPER), side)

    return doer
