"""Reads the entries of a log, each by its kind, into what the match adds up to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from scorepad.matches.errors import UnknownEntry
from scorepad.matches.kept_rulings import kept_from
from scorepad.matches.kinds import EntryKind
from scorepad.matches.log import Log, Marks, RulesOf, Tally, Version, logged, with_hand
from scorepad.matches.payloads import (
    beginning_from,
    ending_from,
    labels_from,
    replacement_from,
    undone_from,
)
from scorepad.matches.values import EndHow
from scorepad.storage.records import Entry, MatchRecord


def fold(match: MatchRecord, entries: Iterable[Entry], rules_of: RulesOf) -> Log:
    """Add up a match. Raises UnknownEntry."""
    return _fold(match, tuple(entries), Tally(rules_of(match.ruleset), rules_of))


def with_entry(log: Log, entry: Entry, rules_of: RulesOf) -> Log:
    """The log with one more entry. Raises UnknownEntry."""
    if entry.kind == EntryKind.HAND:
        return with_hand(log, entry)
    known = {version.entry.sequence: version.counted for versions in log.hands for version in versions}
    tally = Tally(rules_of(log.match.ruleset), rules_of, known=known)
    return _fold(log.match, (*log.entries, entry), tally)


def _fold(match: MatchRecord, entries: tuple[Entry, ...], tally: Tally) -> Log:
    undone = {undone_from(entry.payload).entry for entry in entries if entry.kind == EntryKind.UNDO}
    for entry in entries:
        reader = _READERS.get(entry.kind)
        if reader is None:
            raise UnknownEntry(match.id, entry.sequence, entry.kind)
        if entry.sequence not in undone:
            reader(tally, entry)
    return logged(match, entries, tally)


def _start(tally: Tally, entry: Entry) -> None:
    tally.labels = labels_from(entry.payload)
    tally.begins = beginning_from(entry.payload)
    tally.house = tally.begins.house
    tally.turned_at = entry.sequence
    tally.checking_since = entry.sequence if tally.begins.checking else 0


def _rules(tally: Tally, entry: Entry) -> None:
    tally.rules = tally.rules_of(entry.payload["ruleset"])
    tally.house = tuple(entry.payload["house"])
    tally.can_undo(entry)


def _hand(tally: Tally, entry: Entry) -> None:
    counted = tally.counted(entry)
    tally.hands.append([Version(entry, counted)])
    tally.marks.append(Marks(remark=counted.said.remark))
    tally.can_undo(entry, counted.number)
    tally.turned_at = entry.sequence


def _correction(tally: Tally, entry: Entry) -> None:
    counted = tally.counted(entry)
    tally.hands[counted.number - 1].append(Version(entry, counted))
    # What the other side counted stays beside it until one of the two is chosen.
    contest = tally.marks[counted.number - 1].contest
    tally.mark(counted.number, Marks(remark=counted.said.remark, contest=contest))
    tally.can_undo(entry, counted.number)


def _confirm(tally: Tally, entry: Entry) -> None:
    number = entry.payload["number"]
    tally.mark(number, replace(tally.marks[number - 1], confirmed=entry, contest=None))
    tally.can_undo(entry, number, guarded=True)


def _contest(tally: Tally, entry: Entry) -> None:
    counted = tally.counted(entry)
    tally.mark(counted.number, replace(tally.marks[counted.number - 1], contest=Version(entry, counted)))
    tally.can_undo(entry, counted.number)


def _choice(tally: Tally, entry: Entry) -> None:
    """One of two countings holds from now on, and both sides have agreed to it."""
    number, chosen = entry.payload["number"], entry.payload["entry"]
    marks = tally.marks[number - 1]
    contest = marks.contest
    if contest is not None and contest.entry.sequence == chosen:
        tally.hands[number - 1].append(contest)
        marks = replace(marks, remark=contest.counted.said.remark or marks.remark)
    tally.mark(number, replace(marks, confirmed=entry, contest=None))
    tally.can_undo(entry, number, guarded=True)


def _checking(tally: Tally, entry: Entry) -> None:
    tally.checking_since = entry.sequence if entry.payload["on"] else 0


def _remark(tally: Tally, entry: Entry) -> None:
    number = entry.payload["number"]
    tally.mark(number, replace(tally.marks[number - 1], remark=entry.payload["text"]))
    tally.can_undo(entry, number)


def _penalty(tally: Tally, entry: Entry) -> None:
    """Noted while the hand is played: it stands in what is typed of the hand, and counts when that is counted."""
    tally.can_undo(entry, entry.payload["number"])


def _ruling(tally: Tally, entry: Entry) -> None:
    """A ruling kept; its penalty, where it has one, waits for the count as one that was noted by itself."""
    kept = kept_from(entry.sequence, entry.at, entry.payload)
    tally.rulings.append(kept)
    tally.can_undo(entry, kept.number)


def _rename(tally: Tally, entry: Entry) -> None:
    tally.labels = labels_from(entry.payload)
    tally.can_undo(entry)


def _replace(tally: Tally, entry: Entry) -> None:
    tally.labels = labels_from(entry.payload)
    tally.replacements.append(replacement_from(entry.payload))
    tally.can_undo(entry)


def _end(tally: Tally, entry: Entry) -> None:
    ending = ending_from(entry.payload)
    tally.ending = None if ending.how is EndHow.BY_RULES else ending
    tally.can_undo(entry)


def _rematch(tally: Tally, _: Entry) -> None:
    tally.is_rematched = True


def _door(tally: Tally, entry: Entry) -> None:
    """Who comes in changes nothing of the match: it is noted, and cannot be undone."""


def _undo(tally: Tally, entry: Entry) -> None:
    if undone_from(entry.payload).kind == EntryKind.HAND:
        tally.turned_at = entry.sequence


_READERS: dict[str, Callable[[Tally, Entry], None]] = {
    EntryKind.START: _start,
    EntryKind.RULES: _rules,
    EntryKind.HAND: _hand,
    EntryKind.CORRECTION: _correction,
    EntryKind.CONFIRM: _confirm,
    EntryKind.CONTEST: _contest,
    EntryKind.CHOICE: _choice,
    EntryKind.CHECKING: _checking,
    EntryKind.REMARK: _remark,
    EntryKind.PENALTY: _penalty,
    EntryKind.RULING: _ruling,
    EntryKind.RENAME: _rename,
    EntryKind.REPLACE: _replace,
    EntryKind.END: _end,
    EntryKind.REMATCH: _rematch,
    EntryKind.DOOR: _door,
    EntryKind.UNDO: _undo,
}
"""What each kind of entry does to the match."""
