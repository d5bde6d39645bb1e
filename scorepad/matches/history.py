"""Looking back: the audit log of a match, its players, and matches found by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, TypeAlias, TypeVar

from scorepad.errors import NewerError
from scorepad.matches.access import KEEPER, DeviceId, MatchId, admit, holder_of
from scorepad.matches.cache import Recent
from scorepad.matches.errors import MatchNotFound
from scorepad.matches.events import (
    Choice,
    Confirm,
    Correction,
    Counted,
    EntryKind,
    Event,
    Hand,
    Labels,
    LogEntry,
    Remark,
    Rename,
    Replacement,
    RulesChange,
    Start,
    Undo,
)
from scorepad.matches.names import known, plain, spoken
from scorepad.matches.projection import MatchState, RulesOf, project
from scorepad.matches.statistics import Outline, Player, Players, outline_of, player_of, players_of
from scorepad.matches.transaction import Context, Service
from scorepad.rules.variants import Ruleset
from scorepad.storage.errors import BrokenFile
from scorepad.storage.rows import Kind, LastEntry, Reading, SummaryRecord, known_as

MOST_KEPT = 8192
"""Outlines of matches that are cached."""
_BATCH = 500
"""Matches that are read in one transaction: about a hundredth of a second."""
_COUNTED = (Kind.IN_PROGRESS, Kind.FINISHED)

_Found = TypeVar("_Found")
Look: TypeAlias = Callable[[Reading, Sequence[MatchId]], Iterable[_Found]]


class Records(Service):
    """Reads what was played. Every method sees only the matches that the device may see.

    Practice matches are in none of the lists.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        # Apart from the cache of matches: reading all of them would drop those that are being played.
        self._outlines: Recent[tuple[LastEntry, Outline]] = Recent(MOST_KEPT)

    def audit(self, match: MatchId, device: DeviceId) -> tuple[AuditEntry, ...]:
        """Everything that was done in a match, in order. Raises MatchNotFound."""
        with self.context.storage.reading() as rows:
            state = self.context.seen(rows, match, device)
            sides = {grant.device: grant.side for grant in rows.grants(match)}
            actor_of = actors(state.log, rows.numbers(match), sides, known_as(device))
            return audit(state, self.context.rules_of(rows), actor_of)

    def since(self, match: MatchId, device: DeviceId, seen: int) -> tuple[EntryKind, ...]:
        """What was done to a match after the entry of this sequence; for an undo, to what. Raises MatchNotFound."""
        log = self.context.state(match, device).log
        events = [entry.event for entry in log[max(0, seen) :]]
        return tuple(EntryKind(event.undone) if isinstance(event, Undo) else event.kind for event in events)

    def players(self, device: DeviceId) -> Players:
        """The names found in the matches, as they are written now and where somebody played under them before."""
        look = partial(_by_match, labels_of)
        found = [self._played(match, labels, device) for match, labels in self._each(device, look, *_COUNTED)]
        told = [names for names in found if names is not None]
        return players_of(told, len(found) - len(told))

    def player(self, device: DeviceId, name: str) -> Player | None:
        """What somebody of this name has played; None where nobody of that name did."""
        look = partial(_by_match, partial(is_named, spoken(name)))
        own = [match for match, is_own in self._each(device, look, *_COUNTED) if is_own]
        found = [self._outline(match, device) for match in own]
        told = [outline for outline in found if outline is not None]
        return player_of([each for each in told if not each.summary.practice], name, len(found) - len(told))

    def search(self, device: DeviceId, wanted: str, *, finished: bool = True) -> tuple[SummaryRecord, ...]:
        """The finished matches in whose names, of sides, players and place, every word of this is found; or the others.

        Neither accents nor capitals matter. The last one changed first.
        """
        words, kind = plain(wanted).split(), Kind.FINISHED if finished else Kind.IN_PROGRESS
        found = self._each(device, partial(meant, words), kind)
        return tuple(match for match, is_sure in found if is_sure or self._is_meant(match, words, device))

    def place(self, match: MatchId, device: DeviceId) -> str:
        """Where a match is played; empty where nobody said, or it cannot be read."""
        with suppress(BrokenFile, MatchNotFound), self.context.storage.reading() as rows:
            admit(rows, match, device)
            labels = labels_of(rows, match)
            if labels is not None:
                return labels.place
        told = self._outline(match, device)
        return told.place if told else ""

    # ------------------------------------------------------------------------------------------------ in brief

    def _each(self, device: DeviceId, look: Look[_Found], *kinds: Kind) -> Iterator[_Found]:
        """What is seen of the matches in these lists, the last one changed first.

        A few matches at a time, so that nobody who saves a hand waits for all of them.
        """
        with self.context.storage.reading() as rows:
            listed = sorted((each for kind in kinds for each in rows.listed(holder_of(device), kind)), reverse=True)
        for first in range(0, len(listed), _BATCH):
            names = [MatchId(match) for _, match in listed[first : first + _BATCH]]
            with self.context.storage.reading() as rows:
                seen = list(look(rows, names))
            yield from seen

    def _played(self, match: MatchId, labels: Labels | None, device: DeviceId) -> tuple[str, ...] | None:
        """Who played in a match, seat by seat: those who sit there, where nobody else ever did, else from its log."""
        if labels is not None:
            return sitting(labels)
        told = self._outline(match, device)
        return None if told is None else tuple(part.name for part in told.parts if not told.summary.practice)

    def _is_meant(self, match: SummaryRecord, words: list[str], device: DeviceId) -> bool:
        """Whether every word is found in the names of a match, with those that only its log has."""
        told = self._outline(MatchId(match.id), device)
        named = [] if told is None else [told.place, *(part.name for part in told.parts)]
        return has([*match.every_name(), *named], words)

    def _outline(self, match: MatchId, device: DeviceId) -> Outline | None:
        """A match in brief; None where its log is garbled, or it went meanwhile."""
        try:
            with self.context.storage.reading() as rows:
                return self._read(rows, match, device)
        except (BrokenFile, NewerError, MatchNotFound):
            return None

    def _read(self, rows: Reading, match: MatchId, device: DeviceId) -> Outline | None:
        record, _ = admit(rows, match, device)
        last, kept = rows.last_entry(match), self._outlines.get(match)
        if kept is None or kept[0] != last:
            entries = rows.entries(match)
            if not entries:
                return None
            state = project(record, entries, self.context.rules_of(rows))
            kept = self._outlines.put(match, (last, outline_of(state)))
        return kept[1]


def _by_match(
    look: Callable[[Reading, MatchId], _Found], rows: Reading, matches: Sequence[MatchId]
) -> Iterator[tuple[MatchId, _Found]]:
    """Each match and what is seen of it."""
    for match in matches:
        yield match, look(rows, match)


def meant(words: list[str], rows: Reading, matches: Sequence[MatchId]) -> Iterator[tuple[SummaryRecord, bool]]:
    """Those matches in whose names each of these `plain` words is found, and whether that is sure.

    Where it is not, only the log tells whether the names still hold. A match whose row is garbled is left out.
    """
    try:
        texts = rows.naming_texts(matches)
    except BrokenFile:  # nobody knows
        texts = {}
    for match in matches:
        found = _meant(words, rows, match) if _may_be(words, texts.get(match, ())) else None
        if found is not None:
            yield found


def _may_be(words: list[str], texts: Sequence[bytes]) -> bool:
    """Whether a log may tell of all these words, by what its entries name, whatever was undone since."""
    try:
        named = [name for text in texts for name in _every_name(json.loads(text))]
        return not named or has(named, words)
    except (ValueError, LookupError, TypeError):  # garbled: nobody knows
        return True


def _meant(words: list[str], rows: Reading, match: MatchId) -> tuple[SummaryRecord, bool] | None:
    try:
        summary = rows.summary(match)
    except BrokenFile:
        return None
    named = summary.every_name()
    if has(named, words):
        return summary, True
    labels = labels_of(rows, match)
    if labels is None:
        return summary, False
    return (summary, True) if has([*named, labels.place], words) else None


def is_named(wanted: str, rows: Reading, match: MatchId) -> bool:
    """Whether anybody of this `spoken` name was ever written into a match, or nobody knows, since it is garbled."""
    try:
        entries = rows.naming(match)
    except BrokenFile:
        return True
    return not entries or any(known(name) == wanted for entry in entries for name in _every_name(entry.payload))


def labels_of(rows: Reading, match: MatchId) -> Labels | None:
    """The names of a match that never had others; None where only its log tells, or that is garbled."""
    try:
        entries = rows.naming(match)
    except BrokenFile:
        return None
    return _labels(entries[0].payload) if len(entries) == 1 else None


def sitting(labels: Labels) -> tuple[str, ...]:
    """The players at the table, seat by seat, as far as they are named."""
    seats = ((side, index) for side, players in enumerate(labels.players) for index in range(len(players)))
    return tuple(name for name in map(labels.seated, seats) if name.strip())


def _labels(payload: Mapping[str, Any]) -> Labels:
    """The names in the payload of a start, a rename or a replacement: decoding all of it would take longer."""
    return Labels(tuple(payload["names"]), tuple(map(tuple, payload["players"])), payload["place"])


def _every_name(payload: Mapping[str, Any]) -> Iterator[str]:
    """All that such a payload names: sides, players, the place, who left."""
    labels = _labels(payload)
    yield from (*labels.names, *chain.from_iterable(labels.players), labels.place, payload.get("was", ""))


def has(names: Iterable[str], words: list[str]) -> bool:
    """Whether each of these `plain` words is found in one of the names."""
    text = " ".join(map(plain, names))
    return all(word in text for word in words)


# ---------------------------------------------------------------------------------------------------- audit log


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


ActorOf = Callable[[LogEntry[Event]], Actor]


@dataclass(frozen=True, slots=True)
class AuditEntry(LogEntry[Event]):
    """One entry of the log. `names` are what the sides were called then, `rules` those played by from then on.

    `before` is what stood before: the rules, the names (`Labels`), the count of the hand, the note on it; None where
    there was nothing. `chosen` is the count that was chosen of two, `undone` the sequence of the entry that undid this.
    """

    by: Actor
    names: tuple[str, ...]
    rules: Ruleset
    before: Any
    chosen: Counted | None
    undone: int | None

    @property
    def kind(self) -> str:
        """The kind of the event."""
        return self.event.kind


def audit(match: MatchState, rules_of: RulesOf, actor_of: ActorOf) -> tuple[AuditEntry, ...]:
    """The entries of a match in order, each with what it changed."""
    undone = {entry.event.entry: entry.sequence for entry in match.log if isinstance(entry.event, Undo)}
    gone: set[int] = set()
    stacks: dict[Hashable, list[tuple[int, Any]]] = {}

    def current(subject: Hashable) -> Any:
        stack = stacks.get(subject, [])
        while stack and stack[-1][0] in gone:
            stack.pop()
        return stack[-1][1] if stack else None

    found = []
    for entry in match.log:
        event, labels = entry.event, current("labels")
        before = current(_subject(event))
        chosen = match.log[event.entry - 1].event if isinstance(event, Choice) else None
        counted = chosen if isinstance(chosen, Counted) else None
        for subject, value in _values(event, counted, match.record.ruleset, rules_of):
            stacks.setdefault(subject, []).append((entry.sequence, value))
        if isinstance(event, Undo):
            gone.add(event.entry)
        names, rules = (labels or current("labels")).names, current("rules")
        undone_by = undone.get(entry.sequence)
        found.append(AuditEntry(entry.record, event, actor_of(entry), names, rules, before, counted, undone_by))
    return tuple(found)


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


def _values(event: Event, chosen: Counted | None, first: str, rules_of: RulesOf) -> Iterator[tuple[Hashable, Any]]:
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


def actors(
    log: list[LogEntry[Event]], numbers: Mapping[str, int], sides: Mapping[str, int | None], mine: str
) -> ActorOf:
    """The device of each entry. `numbers` and `sides` are those of the devices now, `mine` is the one that asks.

    Entries of hands say which side the device counts for. Of others only its side now is known: that is taken for
    earlier entries too, unless the device ever said otherwise.
    """
    said: dict[str, set[int | None]] = {}
    for entry in log:
        if isinstance(entry.event, Counted | Confirm):
            said.setdefault(entry.record.device, set()).add(entry.event.by)

    def actor(entry: LogEntry[Event]) -> Actor:
        device = entry.record.device
        now = sides.get(device)
        always = now if said.get(device, set()) <= {now} else None
        side = entry.event.by if isinstance(entry.event, Counted | Confirm) else always
        return Actor(numbers.get(device), device == mine, device == known_as(KEEPER), side)

    return actor
