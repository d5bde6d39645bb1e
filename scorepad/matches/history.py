"""History: the audit log of a match, players and their statistics, and search by name."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple

from scorepad.errors import NewerError
from scorepad.matches import events
from scorepad.matches.access import (
    ADMIN,
    DeviceId,
    MatchId,
    MatchNotFound,
    admit,
    choose_list_holder,
)
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
    Redo,
    Remark,
    RulesChange,
    RulesOf,
    Undo,
)
from scorepad.matches.names import make_comparable, make_comparable_cached, make_searchable
from scorepad.matches.projection import MatchState, Part
from scorepad.matches.service import Service
from scorepad.rules.definitions import Ruleset
from scorepad.storage.connection import BrokenFile
from scorepad.storage.rows import (
    DeviceRecord,
    ListedMatch,
    MatchList,
    ReadTransaction,
    SummaryRecord,
    hash_device_id,
)

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
            actors = Actors(
                state.log, rows.devices(match), requesting_device=hash_device_id(device)
            )
            return audit_entries(state, self.context.rules_of(rows), actors)

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
        """The players' names in the matches, present and former, most frequent first.

        Names that are spoken alike, such as `Ada` and `ada`, are one name, in the spelling of the
        match that was changed last.
        """
        spellings: dict[str, str] = {}
        matches: Counter[str] = Counter()
        for summary in self._summaries(device, *_COUNTED):  # the last changed first
            for name, spelling in _spellings_in(summary).items():
                matches[name] += 1
                if name not in spellings:
                    spellings[name] = spelling
        most_frequent_first = sorted(matches, key=lambda name: (-matches[name], name))
        return tuple(NamedPlayer(spellings[name], matches[name]) for name in most_frequent_first)

    def player(self, device: DeviceId, name: str) -> Player | None:
        """The matches of the player with this name, and the statistics; None if there are none.

        Names are compared as they sound, so that `ada` finds the matches of `Ada`.
        """
        summaries = self._summaries_of_player(device, name)
        if not summaries:
            return None
        matches = self._matches_of_player(summaries, device, name)
        last_spelling = name
        if matches:  # the match that was changed last comes first
            last_spelling = matches[0].spelling
        return Player(
            name=last_spelling,
            matches=tuple(matches),
            units=_statistics_by_unit(matches),
            variants=_statistics_by_variant(matches),
        )

    def _summaries_of_player(self, device: DeviceId, name: str) -> list[SummaryRecord]:
        """The summaries of the matches with a player of this name, most recently changed first."""
        wanted_name = make_comparable(name)
        summaries = []
        for summary in self._summaries(device, *_COUNTED):
            if wanted_name in _spellings_in(summary):
                summaries.append(summary)
        return summaries

    def _matches_of_player(
        self, summaries: Iterable[SummaryRecord], device: DeviceId, name: str
    ) -> list[PlayedMatch]:
        """What the player with this name did in the matches with these summaries, in the same order.

        Left out are matches that cannot be read or were deleted meanwhile, and those in which the
        player has no part any more.
        """
        wanted_name = make_comparable(name)
        matches = []
        for summary in summaries:
            state = self.uncached_state(summary.id, device)
            if state is None:
                continue
            parts = [
                part for part in state.list_parts() if make_comparable_cached(part.name) == wanted_name
            ]
            if parts:
                matches.append(_match_of_player(state, parts))
        return matches

    def search(
        self, device: DeviceId, wanted: str, *, finished: bool = True
    ) -> tuple[SummaryRecord, ...]:
        """The finished matches (or those in progress) whose sides, players or place contain every
        word of `wanted`.

        Ignores accents and case, and includes former players. Most recently changed first.
        """
        wanted_words = make_searchable(wanted).split()
        kind = MatchList.FINISHED if finished else MatchList.IN_PROGRESS
        is_wanted = partial(_has_all_words, wanted_words)
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
                    batch = _matches_with_names(rows, batch, is_wanted)
                summaries = [rows.summary(match) for match in batch]
            for summary in summaries:
                if summary is not None:  # not deleted meanwhile
                    yield summary

    def _listed_matches(self, device: DeviceId, kinds: Iterable[MatchList]) -> list[str]:
        """The ids of the matches in these lists of the device, most recently changed first."""
        listed: list[ListedMatch] = []
        with self.reading() as rows:
            for kind in kinds:
                listed += rows.list_matches(choose_list_holder(device), kind)
        # A match with a higher row number in the log of all matches was changed later.
        listed.sort(key=lambda match: (match.last_row, match.id), reverse=True)
        return [match.id for match in listed]

    def uncached_state(self, match: str, device: DeviceId) -> MatchState | None:
        """A match; None if its log cannot be read, or it was deleted meanwhile.

        Not cached: reading all matches would evict those being played.
        """
        try:
            with self.reading() as rows:
                admission = admit(rows, match, device)
                return self.context.read_match(rows, admission.record)
        except (BrokenFile, NewerError, MatchNotFound, LookupError):
            return None


SERIES_LENGTHS = (3, 5)
"""How many matches a series of rematches can have at most: best of three, or best of five."""


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
        if not self._is_decided_with(self.best_of):
            return None
        return self.won.index(max(self.won))

    def _is_decided_with(self, length: int) -> bool:
        """Whether a side has won more than half of the matches of a series of this length."""
        return max(self.won) > length / 2

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths of a series that can be agreed with the next match.

        After a decided series these are all lengths, since the next match begins a new series. In a
        series with an agreed length there are none. In one without a limit they are those with
        which it would not be decided yet: `(5,)` once a side has won two matches.
        """
        if self.winner is not None:
            return SERIES_LENGTHS
        if self.best_of > 0:
            return ()
        return tuple(length for length in SERIES_LENGTHS if not self._is_decided_with(length))


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


def _spellings_in(summary: SummaryRecord) -> dict[str, str]:
    """The names of all players of a match, present and former, each as it is compared with others,
    and as it is written: `{"ada": "Ada", "ugo": "Ugo"}`.
    """
    return {make_comparable_cached(name): name for name in summary.all_players}


def _matches_with_names(
    rows: ReadTransaction, matches: Sequence[str], is_wanted: Callable[[bytes], bool]
) -> list[str]:
    """Those of these matches whose names, as they are stored in JSON, are wanted.

    A match that was deleted meanwhile has no names any more, and is left out.
    """
    names = rows.names_as_json(matches)
    return [match for match in matches if match in names and is_wanted(names[match])]


def _has_all_words(words: Iterable[str], names: bytes) -> bool:
    """Whether each of these words is in the names of a match, a JSON text with lists of lists.

    The words have no capitals and accents: `nico` is in `[["Noi", "Loro"], [["Nicolò"], []]]`.
    """
    text = " ".join(map(make_searchable, _flat_names(json.loads(names))))
    return all(word in text for word in words)


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


class Actors:
    """Tells which device made an entry of a log, and for which side."""

    def __init__(
        self, log: Sequence[LogEntry], devices: Iterable[DeviceRecord], requesting_device: str
    ) -> None:
        """`devices` are those of the match, and `requesting_device` is the one that asks, as it is
        stored in the data file.
        """
        self._records = {record.device: record for record in devices}
        self._devices_that_changed_sides = _devices_that_changed_sides(log, self._records)
        self._requesting_device = requesting_device

    def actor_of(self, entry: LogEntry) -> Actor:
        """The device that made this entry."""
        number = None
        name = ""
        record = self._records.get(entry.device)
        if record is not None:
            number = record.number
            name = record.name
        return Actor(
            number=number,
            name=name,
            is_mine=entry.device == self._requesting_device,
            is_command_line=entry.device == hash_device_id(ADMIN),
            side=self._side_of(entry),
        )

    def _side_of(self, entry: LogEntry) -> int | None:
        """The side that a device counted for when it made an entry; None if it is not known.

        Entries of hands say it. For other entries it is the side that the device counts for now,
        unless the device ever counted for another one.
        """
        if isinstance(entry.event, Counted | Confirm):
            return entry.event.by
        record = self._records.get(entry.device)
        if record is None or entry.device in self._devices_that_changed_sides:
            return None
        return record.side


def _devices_that_changed_sides(
    log: Iterable[LogEntry], records: Mapping[str, DeviceRecord]
) -> Collection[str]:
    """The devices that counted or checked a hand for another side than their current one.

    `records` are the devices of the match by their stored id.
    """
    changed = set()
    for entry in log:
        if isinstance(entry.event, Counted | Confirm):
            record = records.get(entry.device)
            if record is not None and entry.event.by != record.side:
                changed.add(entry.device)
    return changed


class SubjectKind(StrEnum):
    """What an entry of the log can be about."""

    RULES = "rules"
    NAMES = "names"
    HAND = "hand"
    """The count of a hand."""
    REMARK = "remark"
    """The remark on a hand."""


class Subject(NamedTuple):
    """What an entry of the log is about: the rules, the names, a hand or its remark."""

    kind: SubjectKind
    hand: int | None = None
    """The number of the hand; None for the rules and the names."""


_RULES = Subject(SubjectKind.RULES)
_NAMES = Subject(SubjectKind.NAMES)

Values = dict[Subject, Any]
"""Values of a match by what they are about: a `Ruleset`, `Labels`, a `Counted` or the text of a
remark. None if there is none yet.
"""


class _Change(NamedTuple):
    """The values that an entry of the log changes."""

    before: Values
    """These values as they were before the entry."""
    after: Values
    """The same values after it."""


class _ValuesInForce:
    """The rules, the names, the counts and the remarks that are in force at some point of a log.

    The log is followed entry by entry from its beginning.
    """

    def __init__(self, match: MatchState, rules_of: RulesOf) -> None:
        """`rules_of` returns the rules with a digest."""
        self._match = match
        self._rules_of = rules_of
        self._values: Values = {_RULES: rules_of(match.record.ruleset)}
        self._changes: dict[int, _Change] = {}
        """The changes by the entries so far, by the sequence of the entry."""

    def value_of(self, subject: Subject | None) -> Any:
        """The value in force for this subject; None if there is none, and for the subject None."""
        if subject is None:
            return None
        return self._values.get(subject)

    def follow(self, entry: LogEntry) -> None:
        """Take account of the next entry of the log."""
        new_values = self._values_set_by(entry.event)
        values_before = {subject: self._values.get(subject) for subject in new_values}
        self._changes[entry.sequence] = _Change(values_before, new_values)
        self._values.update(new_values)

    def _values_set_by(self, event: Event) -> Values:
        """The values that the next event of the log sets: `{Subject(NAMES): …}` for new names. Empty
        for an event that sets none.

        After an undo the values from before the entry undone are in force again, and after a redo
        those that this entry had set. Nothing later has changed them: what is undone is always the
        last action that is still in force.
        """
        if isinstance(event, Undo):
            return self._changes[event.entry].before
        if isinstance(event, Redo):
            undo = self._match.entry_at(event.entry).event
            return self._changes[undo.entry].after
        return self._values_of_action(event)

    def _values_of_action(self, event: Event) -> Values:
        """The values that an event sets which is no undo or redo. Empty if it sets none."""
        if isinstance(event, Named):
            return {_NAMES: event.labels}
        if isinstance(event, RulesChange):
            return {_RULES: self._rules_of(event.ruleset)}
        if isinstance(event, Remark):
            return {Subject(SubjectKind.REMARK, event.number): event.text}
        if isinstance(event, NewHand | Correction):
            return {
                Subject(SubjectKind.HAND, event.number): event,
                Subject(SubjectKind.REMARK, event.number): event.remark,
            }
        if isinstance(event, ChosenCount):
            return self._values_set_by_choice(event)
        return {}

    def _values_set_by_choice(self, event: ChosenCount) -> Values:
        """The values that an event sets that chooses one of two counts of a hand: that count, and the
        remark on the hand if the count has one.
        """
        chosen = _chosen_count(self._match, event)
        if chosen is None:
            return {}
        values: Values = {Subject(SubjectKind.HAND, event.number): chosen}
        if chosen.remark:
            values[Subject(SubjectKind.REMARK, event.number)] = chosen.remark
        return values


def _subject_of(event: Event) -> Subject | None:
    """What an event is about: `Subject(HAND, 3)` for a count of the third hand, for example. None if
    it is about nothing that has a value, such as the end of the match.
    """
    if isinstance(event, Named):
        return _NAMES
    if isinstance(event, RulesChange):
        return _RULES
    if isinstance(event, Remark):
        return Subject(SubjectKind.REMARK, event.number)
    if isinstance(event, Counted | Confirm):
        return Subject(SubjectKind.HAND, event.number)
    return None


def _chosen_count(match: MatchState, event: Event) -> Counted | None:
    """The count that an event chooses, of the two counts of a hand that two sides have counted
    differently; None for any other event.
    """
    if not isinstance(event, ChosenCount):
        return None
    chosen = match.entry_at(event.count_entry).event
    if not isinstance(chosen, Counted):
        return None
    return chosen


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


def audit_entries(match: MatchState, rules_of: RulesOf, actors: Actors) -> tuple[AuditEntry, ...]:
    """The entries of the log of a match in order, each with the value that it changed, and with the
    device that made it.

    `rules_of` returns the rules with a digest.
    """
    undone = events.find_undone_entries(match.log)
    in_force = _ValuesInForce(match, rules_of)
    audited = []
    for entry in match.log:
        value_before = in_force.value_of(_subject_of(entry.event))
        labels = in_force.value_of(_NAMES)  # a rename is told with the names before it
        in_force.follow(entry)
        if labels is None:  # only the start of the match comes before any names
            labels = in_force.value_of(_NAMES)
        audit_entry = AuditEntry(
            record=entry.record,
            event=entry.event,
            by=actors.actor_of(entry),
            names=labels.names,
            rules=in_force.value_of(_RULES),
            before=value_before,
            chosen=_chosen_count(match, entry.event),
            undone=undone.get(entry.sequence),
        )
        audited.append(audit_entry)
    return tuple(audited)


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

    `spelling` is the name of the player as it is written in the match. `final` is None if the match
    was not played to an end, or not by this player.
    """

    summary: SummaryRecord
    spelling: str
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
    """The average of points of a hand."""
    by_match: float | None
    """The average of the final totals of matches."""
    best: HandPoints | None
    """The hand with the most points."""
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
        spelling=parts[0].name,
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
    """The totals over these matches of a player, of which the last changed one comes first.

    There is at least one match, and all are counted in the same unit. `variant` is the variant of
    the matches; empty if they are of several.
    """
    hands = _hands_oldest_first(matches)
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
        # Of hands with equal points `max` returns the first one, which is the oldest.
        best=max(hands, key=lambda hand: hand.points, default=None),
        highest=max(hands, key=lambda hand: hand.total, default=None),
    )


def _hands_oldest_first(matches: Sequence[PlayedMatch]) -> list[HandPoints]:
    """All hands that a player played in these matches, of which the last changed one comes first."""
    hands: list[HandPoints] = []
    for match in reversed(matches):
        hands += match.hands
    return hands


def _average(numbers: Sequence[int]) -> float | None:
    """The average of these numbers; None if there are none."""
    if not numbers:
        return None
    return fmean(numbers)
