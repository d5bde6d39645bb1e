"""History: the audit log of a match, players and their statistics, and search by name."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
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
        """The kinds of the entries after the entry `seen`, such as `hand`; for an undo or redo, the
        kind of the entry undone. Raises MatchNotFound.
        """
        with self.reading() as rows:
            log = self.context.load_match(rows, match, device).log
        kinds = []
        for entry in log[max(0, seen) :]:
            event = entry.event
            if isinstance(event, events.UndoRedo):
                kinds.append(event.undone_kind)
            else:
                kinds.append(event.kind)
        return tuple(kinds)

    def series(self, state: MatchState) -> Series:
        """The series of rematches that a match belongs to."""
        with self.reading() as rows:
            return series_of(rows, state)

    def players(self, device: DeviceId) -> tuple[NamedPlayer, ...]:
        """The players' names in the matches, present and former, most frequent first."""
        last_written: dict[str, str] = {}
        counts: Counter[str] = Counter()
        for match in self._summaries(device, *_COUNTED):  # the last changed first
            written_here = {known(name): name for name in match.all_players}
            counts.update(written_here.keys())
            for name, as_written in written_here.items():
                if name not in last_written:
                    last_written[name] = as_written
        most_frequent_first = sorted(counts, key=lambda name: (-counts[name], name))
        return tuple(NamedPlayer(last_written[name], counts[name]) for name in most_frequent_first)

    def player(self, device: DeviceId, name: str) -> Player | None:
        """The matches of the player with this name; None if there are none."""
        wanted = spoken(name)
        summaries = self._summaries(device, *_COUNTED)
        own = [match for match in summaries if wanted in map(known, match.all_players)]
        if not own:
            return None
        last_written = name
        matches: list[PlayedMatch] = []
        for summary in own:
            state = self.uncached_state(summary.id, device)
            if state is None:  # it cannot be read, or was deleted meanwhile
                continue
            parts = [part for part in state.parts() if known(part.name) == wanted]
            if not parts:
                continue
            if not matches:  # the match that was changed last
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
        listed.sort(reverse=True)  # by the last row of each match
        matches = [match for _, match in listed]
        for first in range(0, len(matches), _BATCH):
            batch = matches[first : first + _BATCH]
            with self.reading() as rows:
                if is_wanted is not None:
                    names = rows.names(batch)
                    batch = [match for match in batch if is_wanted(names.get(match, b"[]"))]
                summaries = [rows.summary(match) for match in batch]
            for summary in summaries:
                if summary is not None:  # not deleted meanwhile
                    yield summary

    def uncached_state(self, match: str, device: DeviceId) -> MatchState | None:
        """A match; None if its log cannot be read, or it was deleted meanwhile.

        Not cached: reading all matches would evict those being played.
        """
        try:
            with self.reading() as rows:
                admission = admit(rows, match, device)
                return self.context.read(rows, admission.record)
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
        """The side that has won more than half of the matches agreed; None if there is none yet, and
        in a series without a limit.
        """
        if self.best_of == 0:
            return None
        most_won = max(self.won)
        if 2 * most_won <= self.best_of:
            return None
        return self.won.index(most_won)

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths of a series, `3` or `5`, that can be agreed with the next match.

        Both after a decided series, since the next match begins a new one; none if a length was
        agreed already. Otherwise those by which no side has won the series yet.
        """
        if self.winner is not None:
            return 3, 5
        if self.best_of > 0:
            return ()
        return tuple(length for length in (3, 5) if 2 * max(self.won) < length)


def series_of(rows: ReadTransaction, state: MatchState) -> Series:
    """The series of rematches up to this match, which counts once it is finished.

    Earlier matches are followed back to the first of the series, or to one that was deleted.
    """
    winners = [state.status.winner]
    match = state.id
    for _ in range(1, state.begins.game):
        previous = rows.rematch_of(match)
        if previous is None:
            break
        summary = rows.summary(previous)
        if summary is None:
            break
        winners.append(summary.winner)
        match = MatchId(previous)
    won = tuple(winners.count(side) for side in range(len(state.sides)))
    return Series(won, state.begins.best_of)


def _flat_names(names: Any) -> list[str]:
    """All names in lists of lists of names: `[["Noi"], [["Ada", "Ugo"]]]` → Noi, Ada, Ugo."""
    if not isinstance(names, list):
        return [names]
    flat_names: list[str] = []
    for inner in names:
        flat_names += _flat_names(inner)
    return flat_names


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
    """What an entry of the log changes."""

    subject: Hashable
    """What it is about: the rules, the names, a hand or its remark; None for anything else."""
    before: Values
    """The values that it changes, as they were before it."""
    after: Values
    """The same values after it."""


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
    """The entries of a match in order, each with the value that it changed.

    `rules_of` returns the rules with a digest, `actor_of` the device that made an entry.
    """
    undone = events.undone_entries(match.log)
    in_force: Values = {"rules": rules_of(match.record.ruleset)}
    changes: dict[int, _Change] = {}
    audited = []
    for entry in match.log:
        change = _change_by(entry, match, in_force, changes, rules_of)
        changes[entry.sequence] = change
        # The names in the words of an entry are those before it; the first entry brings them.
        labels = in_force.get("labels") or change.after["labels"]
        previous = in_force.get(change.subject)
        in_force |= change.after
        audit_entry = AuditEntry(
            record=entry.record,
            event=entry.event,
            by=actor_of(entry),
            names=labels.names,
            rules=in_force["rules"],
            before=previous,
            chosen=_chosen_count(match, entry.event),
            undone=undone.get(entry.sequence),
        )
        audited.append(audit_entry)
    return tuple(audited)


def _change_by(
    entry: LogEntry,
    match: MatchState,
    in_force: Values,
    earlier: Mapping[int, _Change],
    rules_of: RulesOf,
) -> _Change:
    """What an entry changes. `in_force` are the values before it, `earlier` the changes by the
    entries before it, by their sequence.
    """
    event = entry.event
    subject, after = _values_set_by(event, _chosen_count(match, event), rules_of)
    # An entry that is undone is always the last one in force for its subject.
    if isinstance(event, Undo):
        after = earlier[event.entry].before
    elif isinstance(event, events.Redo):
        undo = match.log[event.entry - 1].event
        if isinstance(undo, Undo):
            after = earlier[undo.entry].after
    before = {changed: in_force.get(changed) for changed in after}
    return _Change(subject, before, after)


def _chosen_count(match: MatchState, event: Event) -> Counted | None:
    """The count that an event chooses of the two counts of a contested hand; None for any other
    event.
    """
    if not isinstance(event, ChosenCount):
        return None
    chosen = match.log[event.count_entry - 1].event
    if not isinstance(chosen, Counted):
        return None
    return chosen


def _values_set_by(
    event: Event, chosen: Counted | None, rules_of: RulesOf
) -> tuple[Hashable, Values]:
    """The subject of an event, and the values that it sets: `"labels", {"labels": …}` for new names.

    `chosen` is the count that the event chooses of two. The subject is None for an event that is
    about none of these values.
    """
    hand = ("hand", event.hand_number)
    remark = ("remark", event.hand_number)
    if isinstance(event, Named):
        return "labels", {"labels": event.labels}
    if isinstance(event, events.RulesChange):
        return "rules", {"rules": rules_of(event.ruleset)}
    if isinstance(event, NewHand | Correction):
        return hand, {hand: event, remark: event.remark}
    if isinstance(event, ChosenCount) and chosen is not None:
        values: Values = {hand: chosen}
        if chosen.remark:
            values[remark] = chosen.remark
        return hand, values
    if isinstance(event, events.Remark):
        return remark, {remark: event.text}
    if isinstance(event, Counted | Confirm):
        return hand, {}
    return None, {}


def actors(log: Sequence[LogEntry], devices: Iterable[DeviceRecord], mine: str) -> ActorOf:
    """A function that returns the device that made an entry; `mine` is the requesting device.

    Entries of hands say for which side the device counted. For other entries its current side is
    used, unless the device ever counted for a different side.
    """
    records = {record.device: record for record in devices}
    changed_sides = _devices_that_changed_sides(log, records)

    def actor_of(entry: LogEntry) -> Actor:
        record = records.get(entry.device)
        side = None
        if isinstance(entry.event, Counted | Confirm):
            side = entry.event.by
        elif record is not None and entry.device not in changed_sides:
            side = record.side
        return Actor(
            number=record.number if record is not None else None,
            name=record.name if record is not None else "",
            is_mine=entry.device == mine,
            is_command_line=entry.device == known_as(ADMIN),
            side=side,
        )

    return actor_of


def _devices_that_changed_sides(
    log: Sequence[LogEntry], records: Mapping[str, DeviceRecord]
) -> set[str]:
    """The devices that counted or checked a hand for another side than their current one."""
    changed = set()
    for entry in log:
        if isinstance(entry.event, Counted | Confirm):
            record = records.get(entry.device)
            if record is not None and entry.event.by != record.side:
                changed.add(entry.device)
    return changed


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
    """A match for one of its players, who sat in the seats of these parts."""
    summary = match.summary()
    result = _result(summary, parts)
    sides_of_hands: set[tuple[int, int]] = set()
    for part in parts:
        for number in part.hands:
            sides_of_hands.add((number, part.side))
    made = []
    for number, side in sorted(sides_of_hands):
        total_before = match.scores[number - 1][side]
        total = match.scores[number][side]
        made.append(HandPoints(summary.id, number, total - total_before, total))

    final = None
    if result in DECIDED:
        last_sides = [part.side for part in parts if part.stays]
        final = summary.totals[last_sides[0]]
    return PlayedMatch(summary, match.rules.settings.unit, result, tuple(made), final)


def _result(summary: SummaryRecord, parts: Sequence[Part]) -> Result:
    """The result of a match for a player with these parts in it.

    Only the seats that the player had at the end count. A player with seats on both sides neither
    wins nor loses.
    """
    sides_at_end = {part.side for part in parts if part.stays}
    if not sides_at_end:
        return Result.LEFT
    if not summary.finished:
        return Result.GOING_ON
    if summary.ending == EndHow.BROKEN_OFF:
        return Result.BROKEN_OFF
    if summary.winner is None or len(sides_at_end) > 1:
        return Result.DRAWN
    if summary.winner in sides_at_end:
        return Result.WON
    return Result.LOST


def _grouped(
    matches: Sequence[PlayedMatch], kind: Callable[[PlayedMatch], str]
) -> list[list[PlayedMatch]]:
    """The matches grouped by what `kind` says of each, the largest group first."""
    groups: defaultdict[str, list[PlayedMatch]] = defaultdict(list)
    for match in matches:
        groups[kind(match)].append(match)
    return sorted(groups.values(), key=len, reverse=True)


def _statistics(matches: Sequence[PlayedMatch], variant: str) -> Statistics:
    """The totals over these matches, which are of one unit; `variant` is empty for several variants.

    Of hands with equal points, the oldest one is the best.
    """
    # Oldest first, because `max` returns the first of equal hands.
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
        by_hand=fmean(hand.points for hand in made) if made else None,
        by_match=fmean(finals) if finals else None,
        best=max(made, key=lambda hand: hand.points, default=None),
        highest=max(made, key=lambda hand: hand.total, default=None),
    )
