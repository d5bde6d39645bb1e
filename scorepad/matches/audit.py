"""The audit log of a match: each entry with the device that made it and what stood before."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from scorepad.matches.access import KEEPER
from scorepad.matches.events import (
    Choice,
    Confirm,
    Correction,
    Counted,
    Event,
    Hand,
    LogEntry,
    Remark,
    Rename,
    Replacement,
    RulesChange,
    Start,
    Undo,
)
from scorepad.matches.projection import MatchState, RulesOf
from scorepad.rules.variants import Ruleset
from scorepad.storage.records import known_as


@dataclass(frozen=True, slots=True)
class Actor:
    """The device that did something.

    `number` counts the devices of the match: None for the command line (`is_keeper`), and for a browser with the home
    privilege that never came in. `side` is the position of the side that it counts for, where it said so.
    """

    number: int | None
    is_mine: bool
    is_keeper: bool
    side: int | None


ActorOf = Callable[[LogEntry], Actor]


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One entry of the log. `names` are what the sides were called then, `rules` those played by from then on.

    `before` is what stood before: the rules, the names (`Labels`), the count of the hand, the note on it; None where
    there was nothing. `chosen` is the count that was chosen of two, `undone` the sequence of the entry that undid this.
    """

    entry: LogEntry
    by: Actor
    names: tuple[str, ...]
    rules: Ruleset
    before: Any
    chosen: Counted | None
    undone: int | None

    @property
    def event(self) -> Event:
        """What was done."""
        return self.entry.event

    @property
    def sequence(self) -> int:
        """Its position in the log."""
        return self.entry.sequence

    @property
    def kind(self) -> str:
        """The kind of the event."""
        return self.event.kind

    @property
    def at(self) -> datetime:
        """When it was done."""
        return self.entry.record.at


def audit(match: MatchState, rules_of: RulesOf, actor_of: ActorOf) -> tuple[AuditEntry, ...]:
    """The entries of a match in order, each with what it changed."""
    undone = {entry.event.entry: entry.sequence for entry in match.log if isinstance(entry.event, Undo)}
    log, standing = match.log, _Standing()
    found = []
    for entry in log:
        event = entry.event
        labels = standing.top("labels")
        before = standing.top(_subject(event))
        chosen = log[event.entry - 1].event if isinstance(event, Choice) else None
        for subject, value in _values(event, chosen, match.record.ruleset, rules_of):
            standing.put(subject, entry.sequence, value)
        if isinstance(event, Undo):
            standing.gone.add(event.entry)
        names = (labels or standing.top("labels")).names
        counted = chosen if isinstance(chosen, Counted) else None
        found.append(
            AuditEntry(
                entry, actor_of(entry), names, standing.top("rules"), before, counted, undone.get(entry.sequence)
            )
        )
    return tuple(found)


@dataclass(slots=True)
class _Standing:
    """What stands at an entry, by subject, above what stood before it; entries undone so far are in `gone`."""

    gone: set[int] = field(default_factory=set)
    values: dict[Hashable, list[tuple[int, Any]]] = field(default_factory=dict)

    def put(self, subject: Hashable, sequence: int, value: Any) -> None:
        self.values.setdefault(subject, []).append((sequence, value))

    def top(self, subject: Hashable) -> Any:
        stack = self.values.get(subject, [])
        while stack and stack[-1][0] in self.gone:
            stack.pop()
        return stack[-1][1] if stack else None


def _subject(event: Event) -> Hashable:
    """What an event changes."""
    match event:
        case Start() | Rename() | Replacement():
            return "labels"
        case RulesChange():
            return "rules"
        case Counted() | Confirm():
            return "hand", event.hand_number
        case Remark():
            return "remark", event.hand_number
        case _:
            return None


def _values(event: Event, chosen: Event | None, first: str, rules_of: RulesOf) -> Iterator[tuple[Hashable, Any]]:
    """What stands from this event on, by subject; `first` are the rules that the match started with."""
    counted = chosen if isinstance(event, Choice) else event
    match event:
        case Start():
            yield "labels", event.labels
            yield "rules", rules_of(first)
        case Rename() | Replacement():
            yield "labels", event.labels
        case RulesChange():
            yield "rules", rules_of(event.ruleset)
        case Hand() | Correction() | Choice() if isinstance(counted, Counted):
            yield ("hand", event.hand_number), counted
            if counted.remark or not isinstance(event, Choice):
                yield ("remark", event.hand_number), counted.remark
        case Remark():
            yield ("remark", event.hand_number), event.text


def actors(log: list[LogEntry], numbers: Mapping[str, int], sides: Mapping[str, int | None], mine: str) -> ActorOf:
    """The device of each entry. `numbers` and `sides` are those of the devices now, `mine` is the one that asks.

    Entries of hands say which side the device counts for. Of others only its side now is known: that is taken for
    earlier entries too, unless the device ever said otherwise.
    """
    said: dict[str, set[int | None]] = {}
    for entry in log:
        if isinstance(entry.event, Counted | Confirm):
            said.setdefault(entry.record.device, set()).add(entry.event.by)

    def actor(entry: LogEntry) -> Actor:
        device = entry.record.device
        now = sides.get(device)
        always = now if said.get(device, set()) <= {now} else None
        side = entry.event.by if isinstance(entry.event, Counted | Confirm) else always
        return Actor(numbers.get(device), device == mine, device == known_as(KEEPER), side)

    return actor
