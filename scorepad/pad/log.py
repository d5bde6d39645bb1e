"""The log of a match and what it adds up to: every entry in its order, what was undone left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from itertools import accumulate
from operator import add

from scorepad.pad.errors import UnknownEntry
from scorepad.pad.payloads import Counted, Labels, counted_from, dealer_from, house_from, labels_from, undone_from
from scorepad.pad.values import Undoable
from scorepad.rules.match import Standing, standing
from scorepad.rules.seats import Seat
from scorepad.rules.variants import Ruleset
from scorepad.storage.records import Entry, MatchRecord


class EntryKind(StrEnum):
    """What an entry does. A new kind needs a reader in `_READERS` and nothing else to be understood."""

    START = "start"
    HAND = "hand"
    CORRECTION = "correction"
    RENAME = "rename"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Version:
    """A counting of a hand and the entry that it came with."""

    entry: Entry
    counted: Counted


@dataclass(frozen=True, slots=True)
class Log:
    """A match as its log tells it. `hands` are the hands in order, each with its versions, the last one counting.

    `undoable` are the entries that can still be undone, the last one last. `turned_at` is the sequence of the entry
    that the coming hand waits for: the hand before it, or the undoing of a hand.
    """

    match: MatchRecord
    rules: Ruleset
    entries: tuple[Entry, ...]
    labels: Labels
    dealer: Seat
    hands: tuple[tuple[Version, ...], ...]
    undoable: tuple[Undoable, ...]
    turned_at: int
    scores: tuple[tuple[int, ...], ...]
    """The match scores before each hand, and last those that stand now, in points."""
    house: tuple[str, ...] | None = None
    """The options that the table plays otherwise than was usual; None where the start does not tell."""

    @property
    def sequence(self) -> int:
        """The sequence of the last entry."""
        return self.entries[-1].sequence

    @property
    def changed(self) -> datetime:
        """When the last entry came, by the clock of that moment."""
        return self.entries[-1].at

    @property
    def standing(self) -> Standing:
        """Where the match stands after its last hand."""
        return standing(self.scores[-1], self.rules.settings, len(self.hands))


@dataclass(slots=True)
class _Tally:
    """The fold on its way through the log."""

    labels: Labels = field(default_factory=lambda: Labels((), (), ""))
    dealer: Seat = (0, 0)
    house: tuple[str, ...] | None = None
    hands: list[list[Version]] = field(default_factory=list)
    undoable: list[Undoable] = field(default_factory=list)
    turned_at: int = 0
    known: Mapping[int, Counted] = field(default_factory=dict)
    """Hands read before, by the sequence of their entry."""

    def counted(self, entry: Entry) -> Counted:
        """The hand that an entry holds."""
        return self.known.get(entry.sequence) or counted_from(entry.payload)


def fold(match: MatchRecord, rules: Ruleset, entries: Iterable[Entry]) -> Log:
    """Add up a match. Raises UnknownEntry."""
    return _fold(match, rules, tuple(entries), {})


def with_entry(log: Log, entry: Entry) -> Log:
    """The log with one more entry. Raises UnknownEntry."""
    if entry.kind == EntryKind.HAND:
        return _with_hand(log, entry)
    known = {version.entry.sequence: version.counted for versions in log.hands for version in versions}
    return _fold(log.match, log.rules, (*log.entries, entry), known)


def _with_hand(log: Log, entry: Entry) -> Log:
    """A new hand changes nothing of what stood, and is what comes most often: it is added without folding again."""
    counted = counted_from(entry.payload)
    points = (side.points for side in counted.sides)
    return replace(
        log,
        entries=(*log.entries, entry),
        hands=(*log.hands, (Version(entry, counted),)),
        undoable=(*log.undoable, Undoable(entry.sequence, entry.kind, counted.number)),
        turned_at=entry.sequence,
        scores=(*log.scores, tuple(map(add, log.scores[-1], points))),
    )


def _fold(match: MatchRecord, rules: Ruleset, entries: tuple[Entry, ...], known: Mapping[int, Counted]) -> Log:
    undone = {undone_from(entry.payload).entry for entry in entries if entry.kind == EntryKind.UNDO}
    tally = _Tally(known=known)
    for entry in entries:
        reader = _READERS.get(entry.kind)
        if reader is None:
            raise UnknownEntry(match.id, entry.sequence, entry.kind)
        if entry.sequence not in undone:
            reader(tally, entry)
    return Log(
        match, rules, entries, tally.labels, tally.dealer,
        tuple(map(tuple, tally.hands)), tuple(tally.undoable), tally.turned_at, _scores(tally, rules), tally.house,
    )  # fmt: skip


def _scores(tally: _Tally, rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    hands = ([side.points for side in versions[-1].counted.sides] for versions in tally.hands)
    nothing = (0,) * len(rules.settings.sides)
    return tuple(accumulate(hands, lambda scores, hand: tuple(map(add, scores, hand)), initial=nothing))


def _start(tally: _Tally, entry: Entry) -> None:
    tally.labels = labels_from(entry.payload)
    tally.dealer = dealer_from(entry.payload)
    tally.house = house_from(entry.payload)
    tally.turned_at = entry.sequence


def _hand(tally: _Tally, entry: Entry) -> None:
    counted = tally.counted(entry)
    tally.hands.append([Version(entry, counted)])
    tally.undoable.append(Undoable(entry.sequence, entry.kind, counted.number))
    tally.turned_at = entry.sequence


def _correction(tally: _Tally, entry: Entry) -> None:
    counted = tally.counted(entry)
    tally.hands[counted.number - 1].append(Version(entry, counted))
    tally.undoable.append(Undoable(entry.sequence, entry.kind, counted.number))


def _rename(tally: _Tally, entry: Entry) -> None:
    tally.labels = labels_from(entry.payload)
    tally.undoable.append(Undoable(entry.sequence, entry.kind, None))


def _undo(tally: _Tally, entry: Entry) -> None:
    if undone_from(entry.payload).kind == EntryKind.HAND:
        tally.turned_at = entry.sequence


_READERS: dict[str, Callable[[_Tally, Entry], None]] = {
    EntryKind.START: _start,
    EntryKind.HAND: _hand,
    EntryKind.CORRECTION: _correction,
    EntryKind.RENAME: _rename,
    EntryKind.UNDO: _undo,
}
