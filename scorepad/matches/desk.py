"""A match on the desk: its log and its open hand inside one transaction, for the verbs that change it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from scorepad.matches.access import admit
from scorepad.matches.answers import Saved, Stale
from scorepad.matches.errors import RequestRefused, SentOtherwise
from scorepad.matches.folding import with_entry
from scorepad.matches.judging import judgement_of
from scorepad.matches.kinds import EntryKind
from scorepad.matches.log import Log
from scorepad.matches.payloads import counted_from, undone_from
from scorepad.matches.shelf import Shelf
from scorepad.matches.states import open_hand_of, summary_record
from scorepad.matches.values import MatchState, OpenHand
from scorepad.matches.who import Access, DeviceId, DeviceMark, MatchId, RequestId
from scorepad.rules.variants import Ruleset
from scorepad.storage.digests import known_as
from scorepad.storage.reading import Reading
from scorepad.storage.records import Entry, MatchRecord, OpenHandRecord
from scorepad.storage.writing import Writing

Clock = Callable[[], datetime]
"""What time it is: an aware moment. It dates entries and never orders them."""

_REQUEST = re.compile(r"[!-~]{1,200}")


@dataclass(frozen=True, slots=True)
class Sent:
    """One submission of a form: its random name, the device that it came from, and a digest of what it asks for."""

    request: RequestId
    device: DeviceId
    content: str

    @classmethod
    def of(cls, request: RequestId, device: DeviceId, *content: object) -> Self:
        """A submission that asks for this, which is JSON."""
        text = json.dumps(content, sort_keys=True)
        return cls(request, device, hashlib.blake2b(text.encode(), digest_size=16).hexdigest())

    @property
    def mark(self) -> DeviceMark:
        """The device as the file knows it."""
        return DeviceMark(known_as(self.device))


@dataclass(frozen=True, slots=True)
class View:
    """A match as one device may see it."""

    log: Log
    record: OpenHandRecord | None
    access: Access
    shelf: Shelf
    rematch: MatchId | None = None

    @property
    def open_hand(self) -> OpenHand | None:
        """The hand being typed, if anything of it has been kept."""
        return open_hand_of(self.log, self.record)

    @property
    def state(self) -> MatchState:
        """The match as it stands."""
        state = self.shelf.state(self.log, self.record, self.access)
        return replace(state, rematch=self.rematch) if self.rematch else state

    @property
    def stale(self) -> Stale:
        """What to tell somebody who had not seen this yet."""
        return Stale(self.open_hand, self.state)

    @property
    def coming_id(self) -> str:
        """The name of the hand that comes next, the same on every device until it is counted or undone."""
        return self.record.id if self.record else f"{self.log.match.id}-{self.log.turned_at}"


def view(rows: Reading, shelf: Shelf, match: str, device: DeviceId, *, to_write: bool = False) -> View:
    """A match for a device. Raises MatchNotFound, NotAllowed."""
    record, access = admit(rows, match, device, to_write=to_write)
    log = shelf.log(rows, record)
    begun = rows.rematch(record.id) if log.is_rematched else None
    return View(log, rows.open_hand(record.id), access, shelf, MatchId(begun) if begun else None)


@dataclass(slots=True)
class Desk:
    """A match inside a transaction: `seen` is how it stands, and follows what is done to it."""

    rows: Writing
    seen: View
    device: DeviceMark
    now: datetime
    content: str
    """A digest of what was sent, kept with what is done because of it; empty where nothing is appended."""

    @property
    def log(self) -> Log:
        """The match's log as it stands."""
        return self.seen.log

    @property
    def side(self) -> int | None:
        """The side that the device counts for, where it said so."""
        return self.rows.seat(self.log.match.id, self.device)

    def append(self, kind: EntryKind, request: RequestId, payload: Mapping[str, Any]) -> Entry:
        """One more entry in the log, and the summary that follows from it."""
        log = self.log
        wanted = Entry(log.match.id, log.sequence + 1, kind, self.now, self.device, request, payload, self.content)
        entry = self.rows.append(wanted)
        self.seen = replace(self.seen, log=with_entry(log, entry, self.seen.shelf.rules_of(self.rows)))
        self.rows.put_summary(summary_record(self.log))
        return entry

    def type_in(self, draft: Mapping[str, str]) -> OpenHand:
        """The coming hand as typed so far, kept as its next version."""
        match, version = self.log.match.id, self.seen.record.version if self.seen.record else 0
        record = OpenHandRecord(match, self.seen.coming_id, version + 1, draft, self.device, self.now)
        self.rows.put_open_hand(record)
        self.seen.shelf.remember(record)
        self.seen = replace(self.seen, record=record)
        return OpenHand(record.id, record.version, len(self.log.hands) + 1, record.draft, record.kept_at)

    def clear(self) -> None:
        """Nothing is being typed any more."""
        self.rows.drop_open_hand(self.log.match.id)
        self.seen = replace(self.seen, record=None)


def found_again(rows: Reading, shelf: Shelf, sent: Sent, kind: EntryKind, match: MatchId | None) -> Saved | None:
    """The first result of a submission that had been counted already; None for a new one.

    `match` is None where the submission starts one; then only the device that sent it gets it back. Raises
    RequestRefused for a name that stands for something else, SentOtherwise where it came with other content.
    """
    if not _REQUEST.fullmatch(sent.request):
        raise RequestRefused(sent.request)
    entry = rows.requested(sent.request)
    if entry is None:
        return None
    of_this_match = entry.device == sent.mark if match is None else entry.match == match
    if entry.kind != kind or not of_this_match:
        raise RequestRefused(sent.request)
    if entry.sent != sent.content:
        raise SentOtherwise(sent.request)
    return saved(entry, _rules(rows, shelf, entry), again=True)


def saved(entry: Entry, rules: Ruleset, *, again: bool = False) -> Saved:
    """What an entry answers to whoever sent it."""
    number, judgement = None, None
    if entry.kind in (EntryKind.HAND, EntryKind.CORRECTION, EntryKind.CONTEST):
        counted = counted_from(entry.payload)
        number, judgement = counted.number, judgement_of(rules, counted)
    elif entry.kind == EntryKind.UNDO:
        number = undone_from(entry.payload).number
    return Saved(MatchId(entry.match), number, judgement, again)


def _rules(rows: Reading, shelf: Shelf, entry: Entry) -> Ruleset:
    record: MatchRecord | None = rows.match(entry.match)
    assert record is not None, "an entry without its match"
    return shelf.rules(rows, record.ruleset)
