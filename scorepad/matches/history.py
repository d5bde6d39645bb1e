"""History: the audit log of a match, players and their statistics, and search by name."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
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
    Labels,
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
from scorepad.matches.projection import MatchState, PlayerInSeat
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
        """Return all entries of the log of a match in order, for the page with its history.

        Raises MatchNotFound.
        """
        with self.reading() as rows:
            state = self.context.load_match(rows, match, device)
            actors = Actors(
                state.log, rows.devices(match), requesting_device=hash_device_id(device)
            )
            return list_audit_entries(state, self.context.rules_of(rows), actors)

    def list_kinds_since(self, match: MatchId, device: DeviceId, seen: int) -> tuple[str, ...]:
        """List what has happened in a match since a device saw it last: `("hand", "remark")`.

        `seen` is the number of the latest log entry that the device has seen. Each later entry is
        listed by its kind. For an undo or a redo that is the kind of what was undone or redone.

        Raises MatchNotFound.
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

    def find_series(self, state: MatchState) -> Series:
        """Return the series of rematches that a match belongs to."""
        with self.reading() as rows:
            return count_wins_in_series(rows, state)

    def list_named_players(self, device: DeviceId) -> tuple[NamedPlayer, ...]:
        """List the names of the players in all matches, each with the number of its matches.

        The most frequent name comes first. Names that differ in capitals only, such as `Ada` and
        `ada`, are one name, as it is written in the match that was changed last.
        """
        spellings: dict[str, str] = {}
        matches: Counter[str] = Counter()
        for summary in self._read_summaries(device, *_COUNTED):  # the last changed first
            for name, spelling in _map_names_to_spellings(summary).items():  # `ada`, `Ada`
                matches[name] += 1
                spellings.setdefault(name, spelling)  # the first one stays
        most_frequent_first = sorted(matches, key=lambda name: (-matches[name], name))
        return tuple(NamedPlayer(spellings[name], matches[name]) for name in most_frequent_first)

    def find_player(self, device: DeviceId, name: str) -> Player | None:
        """Return the matches and the statistics of a player; None if there are no matches.

        Capitals do not matter: `ada` finds the matches of `Ada`.
        """
        summaries = self._find_summaries_of_player(device, name)
        if not summaries:
            return None
        # Fewer than the summaries, or none, if matches cannot be read or were deleted meanwhile.
        matches = self._find_matches_of_player(summaries, device, name)
        last_spelling = name
        if matches:  # the match that was changed last comes first
            last_spelling = matches[0].spelling
        return Player(
            name=last_spelling,
            matches=tuple(matches),
            units=_compute_statistics_by_unit(matches),
            variants=_compute_statistics_by_variant(matches),
        )

    def _find_summaries_of_player(self, device: DeviceId, name: str) -> list[SummaryRecord]:
        """Find the matches with a player of this name, the most recently changed first.

        The result are their summaries: names, points, winner and dates, as lists of matches show
        them.
        """
        wanted_name = make_comparable(name)
        summaries = []
        for summary in self._read_summaries(device, *_COUNTED):
            if wanted_name in _map_names_to_spellings(summary):
                summaries.append(summary)
        return summaries

    def _find_matches_of_player(
        self, summaries: Iterable[SummaryRecord], device: DeviceId, name: str
    ) -> list[PlayedMatch]:
        """Find out what a player did in each of these matches: the result, and the points.

        The summaries say which matches they are. Left out are matches that cannot be read or were
        deleted meanwhile, and matches in which nobody has that name any more.
        """
        matches = []
        for summary in summaries:
            match = self.read_uncached(summary.id, device)
            if match is None:
                continue
            seats = _find_seats_of_player(match, name)
            if seats:
                matches.append(_describe_match_of_player(match, seats))
        return matches

    def search(
        self, device: DeviceId, wanted: str, *, finished: bool = True
    ) -> tuple[SummaryRecord, ...]:
        """Find the matches whose sides, players or place contain every word of `wanted`.

        `nico rimini` finds a match of Nicolò in Rimini: accents and capitals do not matter. Former
        players are found too. Searched are the finished matches, or those in progress with
        `finished=False`. The most recently changed one comes first.
        """
        wanted_words = make_searchable(wanted).split()
        kind = MatchList.FINISHED if finished else MatchList.IN_PROGRESS
        return tuple(self._read_summaries(device, kind, wanted_words=wanted_words))

    def _read_summaries(
        self, device: DeviceId, *kinds: MatchList, wanted_words: Sequence[str] | None = None
    ) -> Iterator[SummaryRecord]:
        """Read the summaries of the matches in these lists, the most recently changed first.

        The lists are `kinds`, such as the finished matches. A summary has what a list shows of a
        match: names, points, winner and dates. With `wanted_words`, only matches are read whose
        names have all these words.

        The matches are read in batches, each in a transaction of its own, so that nobody who saves
        something has to wait for all of them.
        """
        matches = self._list_match_ids(device, kinds)
        for first in range(0, len(matches), _BATCH):
            batch = matches[first : first + _BATCH]
            with self.reading() as rows:
                if wanted_words is not None:
                    batch = _select_matches_by_names(rows, batch, wanted_words)
                summaries = [rows.summary(match) for match in batch]
            for summary in summaries:
                if summary is not None:  # else it was deleted since the lists were read
                    yield summary

    def _list_match_ids(self, device: DeviceId, kinds: Iterable[MatchList]) -> list[str]:
        """List the ids of the matches in these lists of the device, most recently changed first."""
        listed: list[ListedMatch] = []
        with self.reading() as rows:
            for kind in kinds:
                listed += rows.list_matches(choose_list_holder(device), kind)
        # A match with a higher row number in the log of all matches was changed later.
        listed.sort(key=lambda match: (match.last_row, match.id), reverse=True)
        return [match.id for match in listed]

    def read_uncached(self, match: str, device: DeviceId) -> MatchState | None:
        """Read a match without caching it; None if it cannot be read, or was deleted meanwhile.

        Reading all matches, as for statistics, would push those being played out of the cache.
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
        """Return the side that has won a series of matches: more than half of its `best_of`.

        In a best of 3 with `won = (2, 0)`: 0, the first side. None if no side has won yet, and in a
        series without an agreed length (`best_of` 0), which nobody can win.
        """
        if self.best_of == 0:
            return None
        if not self._is_decided_with(self.best_of):
            return None
        return self.won.index(max(self.won))

    def _is_decided_with(self, length: int) -> bool:
        """Tell whether a side has won a series of this length: more than half of its matches."""
        return max(self.won) > length / 2

    @property
    def lengths(self) -> tuple[int, ...]:
        """List the lengths of a series that the players may agree on with the next match.

        - The series was decided, so that the next match begins a new one → all, `(3, 5)`.
        - A length was agreed before → none, `()`.
        - No length was agreed, and a side has won two matches → `(5,)`. In a best of three that
          side would have won already.
        """
        is_won = self.winner is not None
        if is_won:
            return SERIES_LENGTHS
        is_length_agreed = self.best_of > 0
        if is_length_agreed:
            return ()
        return tuple(length for length in SERIES_LENGTHS if not self._is_decided_with(length))


def count_wins_in_series(rows: ReadTransaction, state: MatchState) -> Series:
    """Count how many matches each side has won in a series of rematches, up to this match.

    After a match that the first side won, and a rematch in progress: `won = (1, 0)`.
    """
    winner_of_this_match = state.status.winner  # None while it goes on
    winners = [winner_of_this_match, *_find_earlier_winners(rows, state)]
    won = tuple(winners.count(side) for side in range(len(state.sides)))
    return Series(won, state.begins.best_of)


def _find_earlier_winners(rows: ReadTransaction, state: MatchState) -> Iterator[int | None]:
    """List which side won each earlier match of a series of rematches, the latest match first.

    In a third match, after the first side and then the second side won: 1, 0. None stands for a
    match without a winner. The list ends early at a match that was deleted.
    """
    match: str = state.id
    number_of_earlier_matches = state.begins.game - 1  # `game` is the number of this match
    for _ in range(number_of_earlier_matches):
        previous = rows.rematch_of(match)  # the match of which this one is the rematch
        if previous is None:
            return
        summary = rows.summary(previous)
        if summary is None:  # the match was deleted
            return
        yield summary.winner
        match = previous


def _map_names_to_spellings(summary: SummaryRecord) -> dict[str, str]:
    """Return the names of all players of a match, in two forms: `{"ada": "Ada", "ugo": "Ugo"}`.

    The key is the name as it is compared with others, the value is the name as it was written.
    Former players are included.
    """
    return {make_comparable_cached(name): name for name in summary.all_players}


def _select_matches_by_names(
    rows: ReadTransaction, matches: Sequence[str], wanted_words: Sequence[str]
) -> list[str]:
    """Return the ids of those matches in whose names all of these words occur."""
    names_by_match = rows.load_names_as_json(matches)
    wanted_matches = []
    for match in matches:
        names = names_by_match.get(match)  # None if the match was deleted meanwhile
        if names is not None and _has_all_words(names, wanted_words):
            wanted_matches.append(match)
    return wanted_matches


def _has_all_words(names: bytes, words: Iterable[str]) -> bool:
    """Tell whether each of these words occurs in the names of a match.

    The names are JSON, lists in lists. The words have no capitals and no accents: `nico` occurs in
    `[["Noi", "Loro"], [["Nicolò"], []]]`.
    """
    searchable_names = []
    for name in _flatten_names(json.loads(names)):
        searchable_names.append(make_searchable(name))
    text = " ".join(searchable_names)
    return all(word in text for word in words)


def _flatten_names(names: Any) -> list[str]:
    """Collect the names in lists of lists: `[["Noi"], [["Ada", "Ugo"]]]` → Noi, Ada, Ugo."""
    if not isinstance(names, list):
        return [names]
    flat_names: list[str] = []
    for inner in names:
        flat_names += _flatten_names(inner)
    return flat_names


# ---------------------------------------------------------------------------------------- audit log


class Actor(NamedTuple):
    """The device that did something.

    `number` is its number in the match: None for the command line (`is_command_line`), and for a
    browser with admin access that never entered. `name` is its holder, `side` the position of the
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
        """Take the devices of a match, and find out which of them have changed sides.

        `requesting_device` is the device that asks, as it is stored in the data file.
        """
        self._records = {record.device: record for record in devices}
        self._devices_that_changed_sides = _find_devices_that_changed_sides(log, self._records)
        self._requesting_device = requesting_device

    def find_actor(self, entry: LogEntry) -> Actor:
        """Find out who made an entry of the log: which device, whose it is, and for which side.

        The number and the name are missing for a device that never entered the match.
        """
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
            side=self._find_side_of_device(entry),
        )

    def _find_side_of_device(self, entry: LogEntry) -> int | None:
        """Find the side that a device counted for when it made an entry; None if it is not known.

        Entries about the count of a hand (a round) store the side. Any other entry was made for the
        side that the device has today, unless the device has ever changed sides.
        """
        if isinstance(entry.event, Counted | Confirm):
            return entry.event.by
        record = self._records.get(entry.device)
        if record is None:  # it never entered the match
            return None
        has_changed_sides = entry.device in self._devices_that_changed_sides
        if has_changed_sides:
            return None
        return record.side


def _find_devices_that_changed_sides(
    log: Iterable[LogEntry], records: Mapping[str, DeviceRecord]
) -> Collection[str]:
    """Find the devices that once counted for another side of the match than they do now.

    They counted or checked a hand (a round) for that side. `records` are the devices of the match
    by their stored id.
    """
    changed = set()
    for entry in log:
        if not isinstance(entry.event, Counted | Confirm):
            continue  # other entries do not store a side
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


class _ValuesInForce:
    """The rules, the names, the counts and the remarks that are in force at some point of a log.

    The log is followed entry by entry from its beginning.
    """

    def __init__(self, match: MatchState, rules_of: RulesOf) -> None:
        """Begin before the first entry of the log of a match, when it has rules but no names yet.

        `rules_of` returns the rules that are stored under a digest.
        """
        self._match = match
        self._rules_of = rules_of
        self._values: Values = {_RULES: rules_of(match.record.ruleset)}
        self._replaced_by: dict[int, Values] = {}
        """The values that each entry so far has replaced, by the number of the entry."""

    @property
    def rules(self) -> Ruleset:
        """Return the rules in force."""
        rules: Ruleset = self._values[_RULES]
        return rules

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the sides in force; empty before the first entry."""
        labels: Labels | None = self._values.get(_NAMES)
        if labels is None:
            return ()
        return labels.names

    def find_value(self, subject: Subject | None) -> Any:
        """Return the value in force for this subject: the names of the match, for example.

        None if there is no value yet, and for the subject None.
        """
        if subject is None:
            return None
        return self._values.get(subject)

    def follow(self, entry: LogEntry) -> None:
        """Go on to the next entry of the log: the values that it sets are in force then."""
        event = entry.event
        if isinstance(event, Undo | Redo):
            # Both take back an entry: an undo that of an action, and a redo that of an undo.
            new_values = self._replaced_by[event.entry]
        else:
            new_values = self._find_values_set_by(event)

        replaced: Values = {}
        for subject in new_values:
            replaced[subject] = self._values.get(subject)
        self._replaced_by[entry.sequence] = replaced
        self._values.update(new_values)

    def _find_values_set_by(self, event: Event) -> Values:
        """Find the values that an action of the players sets, by what they are about.

        New names for the match → `{_NAMES: labels}`. Empty for an action that sets no value, such
        as the end of the match.
        """
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
            return self._find_values_set_by_choice(event)
        return {}

    def _find_values_set_by_choice(self, event: ChosenCount) -> Values:
        """Find the values that are set when the players choose one of two counts of a hand.

        They are the chosen count of the hand (a round), and the remark on it if it has one.
        """
        chosen_count = _find_count_chosen_by(self._match, event)
        if chosen_count is None:
            return {}
        hand = Subject(SubjectKind.HAND, event.number)
        remark = Subject(SubjectKind.REMARK, event.number)
        if not chosen_count.remark:  # the hand keeps the remark that it has
            return {hand: chosen_count}
        return {hand: chosen_count, remark: chosen_count.remark}


def _find_subject_of(event: Event) -> Subject | None:
    """Return what an event of the log is about, if that is something that has a value.

    - a count of the third hand (round) → `Subject(HAND, 3)`
    - new names for the match → `_NAMES`
    - the end of the match → None
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


def _find_count_chosen_by(match: MatchState, event: Event) -> Counted | None:
    """Return the count that the players chose with this event; None for any other event.

    Sometimes two sides count a hand (a round) differently. Then they choose one of the two counts.
    The event has the number of the log entry with that count.
    """
    if not isinstance(event, ChosenCount):
        return None
    chosen = match.get_entry(event.count_entry).event
    if not isinstance(chosen, Counted):
        return None
    return chosen


@dataclass(frozen=True, slots=True)
class AuditEntry(LogEntry):
    """One entry of the log. `names` are the sides' names at that time, `rules` the rules in force
    from then on.

    `before` is the previous value: the rules, the names (`Labels`), the count of the hand, or its
    remark; None if there was none. `chosen` is the count chosen of two, `undone` the sequence of
    the entry that undid this.
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


def list_audit_entries(
    match: MatchState, rules_of: RulesOf, actors: Actors
) -> tuple[AuditEntry, ...]:
    """List the entries of the log of a match in order, with what the history page says about each.

    That is who made the entry, the value before it (for a rename: the earlier names), and the names
    and rules at that time. `rules_of` returns the rules that are stored under a digest.
    """
    undone = events.find_undone_entries(match.log)  # {4: 6}: entry 6 undid entry 4
    in_force = _ValuesInForce(match, rules_of)
    audited = []
    for entry in match.log:
        value_before = in_force.find_value(_find_subject_of(entry.event))
        names_before = in_force.names  # a change of names is told with the names before it
        in_force.follow(entry)
        audit_entry = AuditEntry(
            record=entry.record,
            event=entry.event,
            by=actors.find_actor(entry),
            names=names_before or in_force.names,  # before the start of a match there are none
            rules=in_force.rules,
            before=value_before,
            chosen=_find_count_chosen_by(match, entry.event),
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


def _find_seats_of_player(match: MatchState, name: str) -> list[PlayerInSeat]:
    """Find the seats that a player had in a match: usually one; several if the player changed seats.

    Capitals do not matter in the name. Empty if nobody of that name has played.
    """
    wanted_name = make_comparable(name)
    seats = []
    for player in match.list_players_by_seat():
        if make_comparable_cached(player.name) == wanted_name:
            seats.append(player)
    return seats


def _describe_match_of_player(match: MatchState, seats: Sequence[PlayerInSeat]) -> PlayedMatch:
    """Describe a match for one of its players: the result, and the points of each hand.

    `seats` are the seats that the player had in the match, each with its side and the hands
    (rounds) played there. A player who changed seats has several.
    """
    summary = match.summary()
    result = _find_result_of_player(summary, seats)
    final_total = None
    if result in DECIDED:
        final_total = _find_final_total_of_player(summary, seats)
    return PlayedMatch(
        summary=summary,
        spelling=seats[0].name,  # the name as it is written in this match
        unit=match.rules.settings.unit,
        result=result,
        hands=_list_hands_of_player(match, seats),
        final=final_total,
    )


def _find_final_total_of_player(
    summary: SummaryRecord, seats: Sequence[PlayerInSeat]
) -> int | None:
    """Return the points with which a player ended a match: those of the player's side.

    `seats` are the seats that the player had in the match. None for a player who left it.
    """
    for seat in seats:
        if seat.stays:  # if there are several, the first one counts
            return summary.totals[seat.side]
    return None


def _list_hands_of_player(
    match: MatchState, seats: Sequence[PlayerInSeat]
) -> tuple[HandPoints, ...]:
    """List the points of a player's side in each hand (round) that the player played.

    `seats` are the seats of the player, each with its side and the hands played there.
    """
    # A set, because a player who is written in two seats of a side plays a hand only once.
    played: set[tuple[int, int]] = set()
    for seat in seats:
        for number in seat.hands:
            played.add((number, seat.side))

    hands = []
    for number, side in sorted(played):
        total_before = match.scores[number - 1][side]  # `scores` begins with those at the start
        total_after = match.scores[number][side]
        points = total_after - total_before
        hands.append(HandPoints(match.id, number, points, total_after))
    return tuple(hands)


def _find_result_of_player(summary: SummaryRecord, seats: Sequence[PlayerInSeat]) -> Result:
    """Find out what the result of a match was for one player: won, lost, drawn and so on.

    `seats` are the seats that the player had in the match. Only those at the end count.
    """
    sides_at_end = {seat.side for seat in seats if seat.stays}
    if not sides_at_end:
        return Result.LEFT
    if not summary.finished:
        return Result.GOING_ON
    if summary.ending == EndHow.BROKEN_OFF:
        return Result.BROKEN_OFF
    if summary.winner is None:
        return Result.DRAWN
    if len(sides_at_end) > 1:  # with seats on both sides, the player neither wins nor loses
        return Result.DRAWN
    if summary.winner in sides_at_end:
        return Result.WON
    return Result.LOST


def _sort_largest_first(groups: Iterable[list[PlayedMatch]]) -> list[list[PlayedMatch]]:
    """Sort groups of matches by their number of matches, the largest group first."""
    return sorted(groups, key=len, reverse=True)


def _compute_statistics_by_unit(matches: Sequence[PlayedMatch]) -> tuple[Statistics, ...]:
    """Work out the statistics of a player for each unit of counting, the most used first.

    Most games count points, and one counts units. Averages over both would mean nothing.
    """
    matches_by_unit: defaultdict[str, list[PlayedMatch]] = defaultdict(list)
    for match in matches:
        matches_by_unit[match.unit].append(match)

    statistics = []
    for matches_of_unit in _sort_largest_first(matches_by_unit.values()):
        statistics.append(_compute_statistics(matches_of_unit, variant=""))  # of any variant
    return tuple(statistics)


def _compute_statistics_by_variant(matches: Sequence[PlayedMatch]) -> tuple[Statistics, ...]:
    """Work out the statistics of a player for each variant of the game.

    The variant of most matches comes first.
    """
    matches_by_variant: defaultdict[str, list[PlayedMatch]] = defaultdict(list)
    for match in matches:
        matches_by_variant[match.summary.variant].append(match)

    statistics = []
    for matches_of_variant in _sort_largest_first(matches_by_variant.values()):
        variant = matches_of_variant[0].summary.variant
        statistics.append(_compute_statistics(matches_of_variant, variant))
    return tuple(statistics)


def _compute_statistics(matches: Sequence[PlayedMatch], variant: str) -> Statistics:
    """Work out the statistics of a player over these matches, of which the latest comes first.

    There is at least one match, and all are counted in the same unit. `variant` is the variant of
    the game that was played; empty if there are several.
    """
    hands = _collect_hands_oldest_first(matches)
    final_totals = [match.final for match in matches if match.final is not None]
    results = Counter(match.result for match in matches)
    return Statistics(
        unit=matches[0].unit,
        variant=variant,
        matches=len(matches),
        results={result: results[result] for result in Result},  # 0 for one that never occurred
        hands=len(hands),
        by_hand=_compute_average([hand.points for hand in hands]),
        by_match=_compute_average(final_totals),
        # Of hands with equal points `max` returns the first one, which is the oldest.
        best=max(hands, key=lambda hand: hand.points, default=None),
        highest=max(hands, key=lambda hand: hand.total, default=None),
    )


def _collect_hands_oldest_first(matches: Sequence[PlayedMatch]) -> list[HandPoints]:
    """Collect all hands (rounds) that a player played in these matches, the oldest hand first.

    The matches come with the latest one first.
    """
    hands: list[HandPoints] = []
    for match in reversed(matches):
        hands += match.hands
    return hands


def _compute_average(numbers: Sequence[int]) -> float | None:
    """Return the average of these numbers, `[100, 250]` → 175.0; None if there are none."""
    if not numbers:
        return None
    from statistics import fmean  # only pages about players need averages

    return fmean(numbers)
