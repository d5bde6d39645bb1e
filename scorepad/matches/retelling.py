"""Reads the log of a match once more from its beginning, and tells of every entry what it changed then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from scorepad.matches.audit import (
    Agreed,
    Chosen,
    Confirmed,
    CountedHand,
    Deed,
    Doer,
    DoorChanged,
    Happening,
    Penalised,
    Remarked,
    Rematched,
    Renamed,
    Ruled,
    RulesTaken,
    Started,
    Switched,
    TakenBack,
    TookPlace,
)
from scorepad.matches.doors import DoorChange
from scorepad.matches.kept_rulings import kept_from
from scorepad.matches.kinds import EntryKind
from scorepad.matches.log import Log, RulesOf, Version
from scorepad.matches.payloads import (
    Counted,
    Labels,
    beginning_from,
    counted_from,
    ending_from,
    labels_from,
    replacement_from,
    undone_from,
)
from scorepad.matches.who import Access
from scorepad.rules.variants import Ruleset
from scorepad.storage.records import Entry

DoerOf = Callable[[Entry], Doer]
"""Who did what an entry says."""

_Stood = TypeVar("_Stood")


class _Stack(Generic[_Stood]):
    """What stands, above what stood before it; each with the entry that it came by. `gone` are those undone so far."""

    def __init__(self, gone: set[int]) -> None:
        self._values: list[tuple[int, _Stood]] = []
        self._gone = gone

    def put(self, entry: Entry, value: _Stood) -> None:
        self._values.append((entry.sequence, value))

    def top(self) -> _Stood | None:
        while self._values and self._values[-1][0] in self._gone:
            self._values.pop()
        return self._values[-1][1] if self._values else None


def retell(log: Log, rules_of: RulesOf, doer_of: DoerOf) -> tuple[Happening, ...]:
    """The entries of a log in their order, each with what it changed."""
    undone = {undone_from(entry.payload).entry: entry.sequence for entry in log.entries if entry.kind == EntryKind.UNDO}
    teller = _Teller(log, rules_of)
    return tuple(_happening(teller, entry, doer_of(entry), undone.get(entry.sequence)) for entry in log.entries)


def _happening(teller: _Teller, entry: Entry, by: Doer, undone: int | None) -> Happening:
    names = teller.names
    deed = _TELLERS[entry.kind](teller, entry)
    return Happening(entry.sequence, entry.kind, entry.at, by, names or teller.names, deed, undone)


@dataclass(slots=True)
class _Teller:
    """What stands on the way through the log."""

    log: Log
    rules_of: RulesOf
    gone: set[int] = field(default_factory=set)
    known: dict[int, Counted] = field(init=False)
    labels: _Stack[Labels] = field(init=False)
    rules: _Stack[Ruleset] = field(init=False)
    hands: defaultdict[int, _Stack[Version]] = field(init=False)
    remarks: defaultdict[int, _Stack[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.known = {each.entry.sequence: each.counted for versions in self.log.hands for each in versions}
        self.labels, self.rules = _Stack(self.gone), _Stack(self.gone)
        self.hands = defaultdict(lambda: _Stack(self.gone))
        self.remarks = defaultdict(lambda: _Stack(self.gone))

    @property
    def names(self) -> tuple[str, ...]:
        """What the sides are called."""
        labels = self.labels.top()
        return labels.names if labels else ()

    def counted(self, entry: Entry) -> Counted:
        """The hand that an entry holds."""
        return self.known.get(entry.sequence) or counted_from(entry.payload)

    # Each tells of an entry what it changed, and lets it stand.

    def start(self, entry: Entry) -> Deed:
        labels, begins = labels_from(entry.payload), beginning_from(entry.payload)
        rules = self.rules_of(self.log.match.ruleset)
        self.labels.put(entry, labels)
        self.rules.put(entry, rules)
        return Started(rules, labels, begins.carried, begins.played, begins.practice, begins.is_rematch)

    def take_rules(self, entry: Entry) -> Deed:
        before, after = self.rules.top(), self.rules_of(entry.payload["ruleset"])
        self.rules.put(entry, after)
        return RulesTaken(before or after, after)

    def count(self, entry: Entry) -> Deed:
        counted = self.counted(entry)
        before, is_contest = self.hands[counted.number].top(), entry.kind == EntryKind.CONTEST
        if not is_contest:
            self.hands[counted.number].put(entry, Version(entry, counted))
            self.remarks[counted.number].put(entry, counted.said.remark)
        return CountedHand(counted, before.counted if before else None, is_contest)

    def confirm(self, entry: Entry) -> Deed:
        return Confirmed(entry.payload["number"])

    def choose(self, entry: Entry) -> Deed:
        number, chosen = entry.payload["number"], self.log.entries[entry.payload["entry"] - 1]
        stood, taken = self.hands[number].top(), Version(chosen, self.counted(chosen))
        self.hands[number].put(entry, taken)
        if taken.counted.said.remark:
            self.remarks[number].put(entry, taken.counted.said.remark)
        before = stood or taken
        return Chosen(taken.counted, before.counted, is_other=before.entry.sequence != chosen.sequence)

    def switch(self, entry: Entry) -> Deed:
        return Switched(entry.payload["on"])

    def remark(self, entry: Entry) -> Deed:
        number, text = entry.payload["number"], entry.payload["text"]
        before = self.remarks[number].top() or ""
        self.remarks[number].put(entry, text)
        return Remarked(number, before, text)

    def penalise(self, entry: Entry) -> Deed:
        told, rules = entry.payload, self.rules.top()
        known = rules.penalties.get(told["code"]) if rules else None
        points = known.costs(told["points"]) if known else told["points"]
        lost = None if points is None else -points
        return Penalised(told["number"], told["side"], told["code"], lost, told["reason"])

    def keep_ruling(self, entry: Entry) -> Deed:
        rules = self.rules.top()
        return Ruled(kept_from(entry.sequence, entry.at, entry.payload), rules.variant if rules else "")

    def rename(self, entry: Entry) -> Deed:
        before, after = self.labels.top(), labels_from(entry.payload)
        self.labels.put(entry, after)
        return Renamed(before or after, after)

    def replace(self, entry: Entry) -> Deed:
        self.labels.put(entry, labels_from(entry.payload))
        return TookPlace(replacement_from(entry.payload))

    def end(self, entry: Entry) -> Deed:
        return Agreed(ending_from(entry.payload))

    def rematch(self, _: Entry) -> Deed:
        return Rematched()

    def change_door(self, entry: Entry) -> Deed:
        access = entry.payload["access"]
        return DoorChanged(
            DoorChange(entry.payload["what"]), None if access is None else Access(access), entry.payload["phone"]
        )

    def undo(self, entry: Entry) -> Deed:
        undone = undone_from(entry.payload)
        self.gone.add(undone.entry)
        return TakenBack(undone.entry, undone.kind, undone.number, undone.note)


_TELLERS: dict[str, Callable[[_Teller, Entry], Deed]] = {
    EntryKind.START: _Teller.start,
    EntryKind.RULES: _Teller.take_rules,
    EntryKind.HAND: _Teller.count,
    EntryKind.CORRECTION: _Teller.count,
    EntryKind.CONFIRM: _Teller.confirm,
    EntryKind.CONTEST: _Teller.count,
    EntryKind.CHOICE: _Teller.choose,
    EntryKind.CHECKING: _Teller.switch,
    EntryKind.REMARK: _Teller.remark,
    EntryKind.PENALTY: _Teller.penalise,
    EntryKind.RULING: _Teller.keep_ruling,
    EntryKind.RENAME: _Teller.rename,
    EntryKind.REPLACE: _Teller.replace,
    EntryKind.END: _Teller.end,
    EntryKind.REMATCH: _Teller.rematch,
    EntryKind.DOOR: _Teller.change_door,
    EntryKind.UNDO: _Teller.undo,
}
"""What each kind of entry tells."""
