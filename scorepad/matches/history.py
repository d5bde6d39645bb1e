"""History: the audit log of a match, players and their statistics, and search by name."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
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
        """The matches of the player with this name, and the statistics; None if there are none.

        Names are compared as they sound, so that `ada` finds the matches of `Ada`.
        """
        wanted = spoken(name)
        summaries = self._summaries(device, *_COUNTED)
        own = [match for match in summaries if wanted in map(known, match.all_players)]
        if not own:
            return None
        last_written = ""
        matches: list[PlayedMatch] = []
        for summary in own:  # the match that was changed last comes first
            state = self.uncached_state(summary.id, device)
            if state is None:  # it cannot be read, or was deleted meanwhile
                continue
            parts = [part for part in state.parts() if known(part.name) == wanted]
            if parts:
                last_written = last_written or parts[0].name
                matches.append(_match_of_player(state, parts))
        return Player(
            name=last_written or name,
            matches=tuple(matches),
            units=_statistics_by_unit(matches),
            variants=_statistics_by_variant(matches),
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

        `is_wanted` tells by the stored names of a match, as JSON, whether to include it. The
        matches are read in batches, so that writers need not wait for all of them.
        """
        matches = self._listed_matches(device, kinds)
        for first in range(0, len(matches), _BATCH):
            batch = matches[first : first + _BATCH]
            with self.reading() as rows:
                if is_wanted is not None:
                    names = rows.names(batch)
                    # A match that was deleted meanwhile has no names any more.
                    batch = [match for match in batch if match in names and is_wanted(names[match])]
                summaries = [rows.summary(match) for match in batch]
            for summary in summaries:
                if summary is not None:  # not deleted meanwhile
                    yield summary

    def _listed_matches(self, device: DeviceId, kinds: Iterable[MatchList]) -> list[str]:
        """The ids of the matches in these lists of the device, most recently changed first."""
        listed: list[tuple[int, str]] = []
        with self.reading() as rows:
            for kind in kinds:
                listed += rows.listed(holder_of(device), kind)
        # Each match comes with the number of its last row in the log of all matches.
        listed.sort(reverse=True)
        return [match for _last_row, match in listed]

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
    """The series of rematches up to this match: how many of its matches each side has won.

    This match counts once it is finished; until then it has no winner.
    """
    winners = [state.status.winner, *_earlier_winners(rows, state)]
    won = tuple(winners.count(side) for side in range(len(state.sides)))
    return Series(won, state.begins.best_of)


def _earlier_winners(rows: ReadTransaction, state: MatchState) -> Iterator[int | None]:
    """The sides that won the matches of a series before this one, the latest first; None for a
    match without a winner.

    The series is followed back to its first match, or to one that was deleted.
    """
    match: str = state.id
    earlier_matches = state.begins.game - 1
    for _ in range(earlier_matches):
        previous = rows.rematch_of(match)  # the match of which this one is the rematch
        summary = None if previous is None else rows.summary(previous)
        if previous is None or summary is None:
            return
        yield summary.winner
        match = previous


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
    changes: dict[int, _Change] = {}
    in_force: Values = {"rules": rules_of(match.record.ruleset)}
    audited = []
    for entry in match.log:
        change = _change_by(entry, match, changes, in_force, rules_of)
        changes[entry.sequence] = change
        after_entry = {**in_force, **change.after}
        # A rename is told with the names before it; before the first entry there were none.
        labels = in_force.get("labels") or after_entry["labels"]
        audit_entry = AuditEntry(
            record=entry.record,
            event=entry.event,
            by=actor_of(entry),
            names=labels.names,
            rules=after_entry["rules"],
            before=in_force.get(change.subject),
            chosen=_chosen_count(match, entry.event),
            undone=undone.get(entry.sequence),
        )
        audited.append(audit_entry)
        in_force = after_entry
    return tuple(audited)


def _change_by(
    entry: LogEntry,
    match: MatchState,
    earlier: Mapping[int, _Change],
    in_force: Values,
    rules_of: RulesOf,
) -> _Change:
    """What an entry of the log of a match changes.

    `earlier` are the changes by the entries before it, by their sequence, and `in_force` the values
    after those.
    """
    event = entry.event
    after = _values_set_by(event, _chosen_count(match, event), rules_of)
    # What was done later about the same subject was undone before. So after an undo the values from
    # before the entry undone are in force again, and after a redo those that the entry set.
    if isinstance(event, Undo):
        after = earlier[event.entry].before
    elif isinstance(event, events.Redo):
        undo = match.log[event.entry - 1].event
        if isinstance(undo, Undo):
            after = earlier[undo.entry].after
    before = {subject: in_force.get(subject) for subject in after}
    return _Change(_subject_of(event), before, after)


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


def _subject_of(event: Event) -> Hashable:
    """What an event is about: `rules`, `labels` (the names), `("hand", 3)`, or `("remark", 3)` for
    the remark on the third hand; None for anything else.
    """
    if isinstance(event, Named):
        return "labels"
    if isinstance(event, events.RulesChange):
        return "rules"
    if isinstance(event, events.Remark):
        return ("remark", event.number)
    if isinstance(event, Counted | Confirm):
        return ("hand", event.number)
    return None


def _values_set_by(event: Event, chosen: Counted | None, rules_of: RulesOf) -> Values:
    """The values that an event sets, by subject: `{"labels": …}` for new names. Empty for an event
    that sets none of them.

    `chosen` is the count that the event chooses of two counts of a hand, if it does.
    """
    if isinstance(event, Named):
        return {"labels": event.labels}
    if isinstance(event, events.RulesChange):
        return {"rules": rules_of(event.ruleset)}
    if isinstance(event, events.Remark):
        return {("remark", event.number): event.text}
    if isinstance(event, NewHand | Correction):
        return {("hand", event.number): event, ("remark", event.number): event.remark}
    if isinstance(event, ChosenCount) and chosen is not None:
        values: Values = {("hand", event.number): chosen}
        if chosen.remark:  # a count without a remark leaves that of the hand
            values["remark", event.number] = chosen.remark
        return values
    return {}


def actors(
    log: Sequence[LogEntry], devices: Iterable[DeviceRecord], requesting_device: str
) -> ActorOf:
    """A function that returns the device that made an entry of the log, with its side.

    `devices` are those of the match, and `requesting_device` the one that asks, as stored.
    """
    records = {record.device: record for record in devices}
    changed_sides = _devices_that_changed_sides(log, records)

    def actor_of(entry: LogEntry) -> Actor:
        """The device that made this entry."""
        record = records.get(entry.device)
        return Actor(
            number=None if record is None else record.number,
            name="" if record is None else record.name,
            is_mine=entry.device == requesting_device,
            is_command_line=entry.device == known_as(ADMIN),
            side=_side_of_entry(entry, record, changed_sides),
        )

    return actor_of


def _side_of_entry(
    entry: LogEntry, record: DeviceRecord | None, changed_sides: Collection[str]
) -> int | None:
    """The side that a device counted for when it made an entry; None if it is not known.

    Entries of hands say it. Of other entries it is the side that the device counts for now, unless
    it ever changed sides.
    """
    if isinstance(entry.event, Counted | Confirm):
        return entry.event.by
    if record is None or entry.device in changed_sides:
        return None
    return record.side


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
    """A match for one of its players. `hands` are those that the player played, `final` the total
    of the player's side at the end.

    `final` is None if the match was not played to an end, or not by this player.
    """

    summary: SummaryRecord
    unit: str
    result: Result
    hands: tuple[HandPoints, ...]
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
    """A match for one of its players.

    `parts` are the seats that the player had in it, each with its side and the hands played there;
    a player who changed seats has several.
    """
    summary = match.summary()
    result = _result(summary, parts)
    final_total = None
    if result in DECIDED:  # then the player has a seat at the end
        side_at_end = next(part.side for part in parts if part.stays)
        final_total = summary.totals[side_at_end]
    return PlayedMatch(
        summary=summary,
        unit=match.rules.settings.unit,
        result=result,
        hands=_hands_of_player(match, parts),
        final=final_total,
    )


def _hands_of_player(match: MatchState, parts: Sequence[Part]) -> tuple[HandPoints, ...]:
    """The points of the player's side in each hand that the player played, in order."""
    # A set, because a player who is written in two seats of a side plays a hand only once.
    played: set[tuple[int, int]] = set()
    for part in parts:
        for number in part.hands:
            played.add((number, part.side))
    hands = []
    for number, side in sorted(played):
        scores_before = match.scores[number - 1]
        scores_after = match.scores[number]
        points = scores_after[side] - scores_before[side]
        hands.append(HandPoints(match.id, number, points, scores_after[side]))
    return tuple(hands)


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


def _statistics_by_unit(matches: Sequence[PlayedMatch]) -> tuple[Statistics, ...]:
    """The totals over all matches of each unit of counting, that of most matches first."""
    groups = _grouped(matches, lambda match: match.unit)
    return tuple(_statistics(group, "") for group in groups)


def _statistics_by_variant(matches: Sequence[PlayedMatch]) -> tuple[Statistics, ...]:
    """The totals over the matches of each variant, that of most matches first."""
    groups = _grouped(matches, lambda match: match.summary.variant)
    return tuple(_statistics(group, group[0].summary.variant) for group in groups)


def _statistics(matches: Sequence[PlayedMatch], variant: str) -> Statistics:
    """The totals over these matches, at least one, the last changed first and all of one unit;
    `variant` is empty for several variants.
    """
    # Oldest first: of hands with equal points `max` returns the first one, so the oldest is best.
    hands: list[HandPoints] = []
    for match in reversed(matches):
        hands += match.hands
    final_totals = [match.final for match in matches if match.final is not None]
    results = Counter(match.result for match in matches)
    return Statistics(
        unit=matches[0].unit,
        variant=variant,
        matches=len(matches),
        results={result: results[result] for result in Result},
        hands=len(hands),
        by_hand=_average([hand.points for hand in hands]),
        by_match=_average(final_totals),
        best=max(hands, key=lambda hand: hand.points, default=None),
        highest=max(hands, key=lambda hand: hand.total, default=None),
    )


def _average(numbers: Sequence[int]) -> float | None:
    """None if there are no numbers."""
    return fmean(numbers) if numbers else None
