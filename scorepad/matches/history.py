"""History: the audit log of a match, players and their statistics, and search by name."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean
from typing import Any, NamedTuple

from scorepad.errors import NewerError
from scorepad.matches import events
from scorepad.matches.access import ADMIN, DeviceId, MatchId, MatchNotFound, admit, holder_of
from scorepad.matches.events import (
    ChosenCount,
    Confirm,
    Correction,
    Counted,
    EndHow,
    Event,
    LogEntry,
    Named,
    NewHand,
    RulesOf,
    Undo,
)
from scorepad.matches.names import known, plain, spoken
from scorepad.matches.projection import MatchState, Part
from scorepad.matches.service import Service
from scorepad.rules.definitions import Ruleset
from scorepad.storage.connection import BrokenFile
from scorepad.storage.rows import DeviceRecord, MatchList, ReadTransaction, SummaryRecord, known_as

_BATCH = 500
"""Matches read in one transaction: about 10 ms."""
_COUNTED = (MatchList.IN_PROGRESS, MatchList.FINISHED)


class Records(Service):
    """Queries on past matches. Every method covers only the matches that the device may see.

    Lists omit practice matches.
    """

    def audit(self, match: MatchId, device: DeviceId) -> tuple[AuditEntry, ...]:
        """All entries of a match's log, in order. Raises MatchNotFound."""
        with self.reading() as rows:
            state = self.context.load_match(rows, match, device)
            actor_of = actors(state.log, rows.devices(match), known_as(device))
            return audit_entries(state, self.context.rules_of(rows), actor_of)

    def since(self, match: MatchId, device: DeviceId, seen: int) -> tuple[str, ...]:
        """The kinds of the entries after this sequence; for an undo, the kind undone. Raises
        MatchNotFound.
        """
        with self.reading() as rows:
            log = self.context.load_match(rows, match, device).log
        kinds = []
        for entry in log[max(0, seen) :]:
            event = entry.event
            kinds.append(event.undone if isinstance(event, events.UndoRedo) else event.kind)
        return tuple(kinds)

    def series(self, state: MatchState) -> Series:
        """The series of rematches that a match belongs to."""
        with self.reading() as rows:
            return series_of(rows, state)

    def players(self, device: DeviceId) -> tuple[NamedPlayer, ...]:
        """The players' names in the matches, present and former, most frequent first."""
        written: dict[str, str] = {}
        counts: Counter[str] = Counter()
        for match in self._summaries(device, *_COUNTED):
            names_here = {known(name): name for name in match.all_players}
            for name, as_written in names_here.items():
                written.setdefault(name, as_written)
            counts.update(names_here.keys())
        ordered = sorted(counts, key=lambda name: (-counts[name], name))
        return tuple(NamedPlayer(written[name], counts[name]) for name in ordered)

    def player(self, device: DeviceId, name: str) -> Player | None:
        """The matches of the player with this name; None if there are none."""
        wanted = spoken(name)
        found = self._summaries(device, *_COUNTED)
        own = [match for match in found if wanted in map(known, match.all_players)]
        if not own:
            return None
        last_written = name
        matches: list[PlayedMatch] = []
        for summary in own:
            state = self.uncached_state(summary.id, device)
            if state is None:
                continue
            parts = [part for part in state.parts() if known(part.name) == wanted]
            if not parts:
                continue
            if not matches:
                last_written = parts[0].name
            matches.append(_match_of_player(state, parts))

        by_unit = _grouped(matches, lambda match: match.unit)
        by_variant = _grouped(matches, lambda match: match.summary.variant)
        return Player(
            name=last_written,
            matches=tuple(matches),
            units=tuple(_statistics(group, "") for group in by_unit),
            variants=tuple(_statistics(group, group[0].summary.variant) for group in by_variant),
        )

    def search(
        self, device: DeviceId, wanted: str, *, finished: bool = True
    ) -> tuple[SummaryRecord, ...]:
        """The finished matches (or those in progress) whose sides, players or place contain every
        word of `wanted`.

        Ignores accents and case, and includes former players. Most recently changed first.
        """
        words = plain(wanted).split()
        kind = MatchList.FINISHED if finished else MatchList.IN_PROGRESS

        def is_wanted(names: bytes) -> bool:
            text = " ".join(map(plain, _flat_names(json.loads(names))))
            return all(word in text for word in words)

        return tuple(self._summaries(device, kind, is_wanted=is_wanted))

    def _summaries(
        self, device: DeviceId, *kinds: MatchList, is_wanted: Callable[[bytes], bool] | None = None
    ) -> Iterator[SummaryRecord]:
        """The summaries of the matches in these lists, most recently changed first.

        They are read in batches, so that writers need not wait for all of them.
        """
        listed: list[tuple[int, str]] = []
        with self.reading() as rows:
            for kind in kinds:
                listed += rows.listed(holder_of(device), kind)
        listed.sort(reverse=True)
        for first in range(0, len(listed), _BATCH):
            matches = [match for _, match in listed[first : first + _BATCH]]
            with self.reading() as rows:
                if is_wanted:
                    names = rows.names(matches)
                    matches = [each for each in matches if is_wanted(names.get(each, b"[]"))]
                found = [rows.summary(match) for match in matches]
            for summary in found:
                if summary:  # not deleted meanwhile
                    yield summary

    def uncached_state(self, match: str, device: DeviceId) -> MatchState | None:
        """A match; None if its log cannot be read, or it was deleted meanwhile.

        Not cached: reading all matches would evict those being played.
        """
        try:
            with self.reading() as rows:
                record, *_ = admit(rows, match, device)
                return self.context.read(rows, record)
        except (BrokenFile, NewerError, MatchNotFound, LookupError):
            return None


class Series(NamedTuple):
    """A series of rematches: the matches that each side has won, and the agreed maximum of matches
    (0: no limit).
    """

    won: tuple[int, ...]
    best_of: int

    @property
    def winner(self) -> int | None:
        """The side that has won more than half of the matches agreed."""
        most = max(self.won)
        return self.won.index(most) if 0 < self.best_of < 2 * most else None

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths that can be agreed for the next match: those not yet decided; any for a new
        series.
        """
        if self.winner is not None:
            return 3, 5
        if self.best_of:
            return ()
        return tuple(length for length in (3, 5) if 2 * max(self.won) < length)


def series_of(rows: ReadTransaction, state: MatchState) -> Series:
    """The series up to this match, which counts once it is finished; deleted matches do not count."""
    winners = [state.status.winner]
    previous = rows.rematch_of(state.id)
    for _ in range(1, state.begins.game):
        if previous is None:
            break
        summary = rows.summary(previous)
        if summary is None:
            break
        winners.append(summary.winner)
        previous = rows.rematch_of(previous)
    won = tuple(winners.count(side) for side in range(len(state.sides)))
    return Series(won, state.begins.best_of)


def _flat_names(names: Any) -> list[str]:
    """All names in lists of lists of names."""
    if not isinstance(names, list):
        return [names]
    flat: list[str] = []
    for each in names:
        flat += _flat_names(each)
    return flat


# ---------------------------------------------------------------------------------------- audit log


class Actor(NamedTuple):
    """The device that did something.

    `number` is its number in the match: None for the command line (`is_command_line`), and for a browser
    with admin access that never entered. `name` is its holder, `side` the position of the
    side that it counts for; both are optional.
    """

    number: int | None
    name: str
    is_mine: bool
    is_command_line: bool
    side: int | None


ActorOf = Callable[[LogEntry], Actor]

Values = dict[Hashable, Any]
"""What is in force in a match, by subject: the rules, the names, the count and the remark of a hand."""


class _Change(NamedTuple):
    """The values that an entry changed, before and after it."""

    before: Values
    after: Values


@dataclass(frozen=True, slots=True)
class AuditEntry(LogEntry):
    """One entry of the log. `names` are the sides' names at that time, `rules` the rules in force
    from then on.

    `before` is the previous value: the rules, the names (`Labels`), the count of the hand, or its
    remark; None if there was none. `chosen` is the count chosen of two, `undone` the sequence of the
    entry that undid this.
    """

    by: Actor
    names: tuple[str, ...]
    rules: Ruleset
    before: Any
    chosen: Counted | None
    undone: int | None

    @property
    def kind(self) -> str:
        return self.event.kind


def audit_entries(
    match: MatchState, rules_of: RulesOf, actor_of: ActorOf
) -> tuple[AuditEntry, ...]:
    """The entries of a match in order, each with what it changed."""
    undone = events.undone_entries(match.log)
    current: Values = {"rules": rules_of(match.record.ruleset)}
    changes: dict[int, _Change] = {}
    found = []
    for entry in match.log:
        event = entry.event
        chosen = _chosen_count(match, event)
        subject, values = _changes(event, chosen, rules_of)
        before = current.get(subject)
        # An undone entry is always the last one in force for its subject.
        if isinstance(event, Undo):
            values = changes[event.entry].before
        elif isinstance(event, events.Redo):
            undo = match.log[event.entry - 1].event
            if isinstance(undo, Undo):
                values = changes[undo.entry].after
        changes[entry.sequence] = _Change({each: current.get(each) for each in values}, values)
        labels = current.get("labels") or values["labels"]
        current |= values
        found.append(
            AuditEntry(
                entry.record,
                event,
                actor_of(entry),
                labels.names,
                current["rules"],
                before,
                chosen,
                undone.get(entry.sequence),
            )
        )
    return tuple(found)


def _chosen_count(match: MatchState, event: Event) -> Counted | None:
    if not isinstance(event, ChosenCount):
        return None
    chosen = match.log[event.entry - 1].event
    return chosen if isinstance(chosen, Counted) else None


def _changes(event: Event, chosen: Counted | None, rules_of: RulesOf) -> tuple[Hashable, Values]:
    """The subject of an event, and the values that it sets, by subject."""
    hand = ("hand", event.hand_number)
    remark = ("remark", event.hand_number)
    match event:
        case Named():
            return "labels", {"labels": event.labels}
        case events.RulesChange():
            return "rules", {"rules": rules_of(event.ruleset)}
        case NewHand() | Correction():
            return hand, {hand: event, remark: event.remark}
        case ChosenCount() if chosen is not None:
            values: Values = {hand: chosen}
            if chosen.remark:
                values[remark] = chosen.remark
            return hand, values
        case events.Remark():
            return remark, {remark: event.text}
        case Counted() | Confirm():
            return hand, {}
        case _:
            return None, {}


def actors(log: Sequence[LogEntry], devices: Iterable[DeviceRecord], mine: str) -> ActorOf:
    """The device of each entry; `mine` is the requesting device.

    Entries of hands name the device's side. For other entries its current side is used, unless the
    device ever counted for a different side.
    """
    known_devices = {each.device: each for each in devices}
    stated: dict[str, set[int | None]] = {}
    for entry in log:
        if isinstance(entry.event, Counted | Confirm):
            stated.setdefault(entry.device, set()).add(entry.event.by)

    def actor(entry: LogEntry) -> Actor:
        device = entry.device
        number = None
        name = ""
        side = None
        record = known_devices.get(device)
        if record is not None:
            number = record.number
            name = record.name
            if stated.get(device, set()) <= {record.side}:
                side = record.side
        if isinstance(entry.event, Counted | Confirm):
            side = entry.event.by
        return Actor(number, name, device == mine, device == known_as(ADMIN), side)

    return actor


# --------------------------------------------------------------------------------------- statistics


class Result(StrEnum):
    """The result of a match for a player."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    BROKEN_OFF = "broken-off"
    GOING_ON = "going-on"
    LEFT = "left"
    """Another player sat there at its end."""


DECIDED = (Result.WON, Result.LOST, Result.DRAWN)
"""Results of matches played to an end, which count for averages per match."""


class HandPoints(NamedTuple):
    """The points of a player's side in a hand, and its total after it."""

    match: str
    number: int
    points: int
    total: int


class PlayedMatch(NamedTuple):
    """A match for one of its players. `made` are the hands that the player played, `final` the
    total at the end.

    `final` is None if the match was not played to an end, or not by this player.
    """

    summary: SummaryRecord
    unit: str
    result: Result
    made: tuple[HandPoints, ...]
    final: int | None


class Statistics(NamedTuple):
    """Totals over matches of one kind. Averages are per hand played and per match played to its
    end; None if none.
    """

    unit: str
    variant: str
    """Empty for several variants."""
    matches: int
    results: dict[Result, int]
    hands: int
    by_hand: float | None
    by_match: float | None
    best: HandPoints | None
    highest: HandPoints | None
    """The hand after which the total was highest."""


class Player(NamedTuple):
    """A player: the name as last written, and the matches, most recently changed first."""

    name: str
    matches: tuple[PlayedMatch, ...]
    units: tuple[Statistics, ...]
    """Totals over all matches, one for each unit of counting."""
    variants: tuple[Statistics, ...]


class NamedPlayer(NamedTuple):
    """A player's name, and the number of matches with it."""

    name: str
    matches: int


def _match_of_player(match: MatchState, parts: Sequence[Part]) -> PlayedMatch:
    summary = match.summary()
    result = _result(summary, parts)
    hands_of_sides: set[tuple[int, int]] = set()
    for part in parts:
        hands_of_sides.update((number, part.side) for number in part.hands)
    made = []
    for number, side in sorted(hands_of_sides):
        before = match.scores[number - 1][side]
        total = match.scores[number][side]
        made.append(HandPoints(summary.id, number, total - before, total))

    final = None
    if result in DECIDED:
        last_sides = [part.side for part in parts if part.stays]
        final = summary.totals[last_sides[0]]
    return PlayedMatch(summary, match.rules.settings.unit, result, tuple(made), final)


def _result(summary: SummaryRecord, parts: Sequence[Part]) -> Result:
    """Won or lost for the player seated at the end; neither if seated on both sides."""
    sides = {part.side for part in parts if part.stays}
    if not sides:
        return Result.LEFT
    if not summary.finished:
        return Result.GOING_ON
    if summary.ending == EndHow.BROKEN_OFF:
        return Result.BROKEN_OFF
    if summary.winner is None or len(sides) > 1:
        return Result.DRAWN
    return Result.WON if summary.winner in sides else Result.LOST


def _grouped(
    matches: Sequence[PlayedMatch], kind: Callable[[PlayedMatch], str]
) -> list[list[PlayedMatch]]:
    """The matches grouped by kind, the largest group first."""
    kept: dict[str, list[PlayedMatch]] = {}
    for match in matches:
        kept.setdefault(kind(match), []).append(match)
    return sorted(kept.values(), key=len, reverse=True)


def _statistics(matches: Sequence[PlayedMatch], variant: str) -> Statistics:
    # Oldest first: `max` returns the first of equal hands.
    made: list[HandPoints] = []
    for match in reversed(matches):
        made += match.made
    finals = [match.final for match in matches if match.final is not None]
    return Statistics(
        unit=matches[0].unit,
        variant=variant,
        matches=len(matches),
        results={result: sum(match.result is result for match in matches) for result in Result},
        hands=len(made),
        by_hand=fmean(each.points for each in made) if made else None,
        by_match=fmean(finals) if finals else None,
        best=max(made, key=lambda each: each.points, default=None),
        highest=max(made, key=lambda each: each.total, default=None),
    )
