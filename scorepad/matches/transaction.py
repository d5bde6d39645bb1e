"""Transactions on one match: admitted, idempotent, and cached once they are committed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self, TypeVar

from scorepad.matches.access import Access, DeviceId, DeviceMark, MatchId, RequestId, access_of, admit, holder_of
from scorepad.matches.cache import Cache
from scorepad.matches.errors import MatchNotFound, MatchOver, RequestRefused, SentOtherwise
from scorepad.matches.events import Counted, EntryKind, Event, Undo, event_of
from scorepad.matches.judgement import judgement_of
from scorepad.matches.projection import MatchState, OpenHand
from scorepad.matches.results import Saved, Stale
from scorepad.rules.variants import Ruleset
from scorepad.storage import Storage
from scorepad.storage.records import Entry, OpenHandRecord, known_as
from scorepad.storage.rows import Reading, Writing

Clock = Callable[[], datetime]
"""The current time, with its zone. It dates entries and never orders them."""

_REQUEST = re.compile(r"[!-~]{1,200}")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Submission:
    """One submission of a form: its request id, the device that sent it, and a digest of its content."""

    request: RequestId
    device: DeviceId
    content: str

    @classmethod
    def of(cls, request: RequestId, device: DeviceId, *content: object) -> Self:
        """A submission with this content, which is JSON."""
        text = json.dumps(content, sort_keys=True)
        return cls(request, device, hashlib.blake2b(text.encode(), digest_size=16).hexdigest())

    @property
    def mark(self) -> DeviceMark:
        """The device as the file knows it."""
        return DeviceMark(known_as(self.device))


@dataclass(slots=True)
class Transaction:
    """A match inside a write transaction. `match` is how it stands, and follows what is done to it."""

    rows: Writing
    cache: Cache
    match: MatchState
    device: DeviceMark
    now: datetime
    content: str
    """The digest of what was sent, stored with the entries; empty where nothing is appended."""
    record: OpenHandRecord | None
    """The hand being typed."""
    has_appended: bool = False

    @property
    def side(self) -> int | None:
        """The side that the device counts for, if any."""
        return self.rows.seat(self.match.id, self.device)

    @property
    def stale(self) -> Stale:
        """The answer to a device that had not seen the match as it stands."""
        return Stale(self.match.open_hand, self.match)

    @property
    def draft(self) -> Mapping[str, str]:
        """The fields of the hand being typed."""
        return self.record.draft if self.record else {}

    def append(self, event: Event, request: RequestId) -> Saved:
        """Append an event to the log, and update the summary."""
        match = self.match
        wanted = Entry(
            match.id, match.sequence + 1, event.kind, self.now, self.device, request, event.payload(), self.content
        )
        entry = self.rows.append(wanted)
        self.match = match.with_entry(entry, event, self.cache.rules_of(self.rows))
        self.rows.put_summary(self.match.summary())
        self.has_appended = True
        return saved(entry, event, self.match.rules)

    def put_draft(self, draft: Mapping[str, str]) -> OpenHand:
        """Store the coming hand as typed so far, as its next version."""
        version = self.record.version + 1 if self.record else 1
        record = OpenHandRecord(self.match.id, self.match.coming_id, version, draft, self.device, self.now)
        self.rows.put_open_hand(record)
        self.cache.put_draft(record)
        opened = OpenHand(record.id, version, len(self.match.hands) + 1, draft, self.now)
        self.record, self.match = record, replace(self.match, open_hand=opened)
        return opened

    def drop_draft(self) -> None:
        """Remove what is being typed."""
        self.rows.drop_open_hand(self.match.id)
        self.record, self.match = None, replace(self.match, open_hand=None)


class Context:
    """Storage, clock and cache shared by the services. Thread-safe."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self.storage = storage
        self.clock = clock
        self.cache = Cache()

    def state(self, match: MatchId, device: DeviceId, *, to_write: bool = False) -> MatchState:
        """The match for a device. Raises MatchNotFound, NotAllowed."""
        with self.storage.reading() as rows:
            return self.seen(rows, match, device, to_write=to_write)

    def seen(self, rows: Reading, match: MatchId, device: DeviceId, *, to_write: bool = False) -> MatchState:
        """The match for a device, in this transaction. Raises MatchNotFound, NotAllowed."""
        record, access = admit(rows, match, device, to_write=to_write)
        state = self.cache.match(rows, record)
        rematch = rows.rematch(match) if state.is_rematched else None
        return state.seen_by(access, rows.open_hand(match), MatchId(rematch) if rematch else None)

    @contextmanager
    def transaction(self, match: MatchId, device: DeviceId, content: str = "") -> Iterator[Transaction]:
        """A write transaction on a match. Raises MatchNotFound, NotAllowed.

        What it projected is cached once it is committed.
        """
        with self.storage.writing() as rows:
            record, access = admit(rows, match, device, to_write=True)
            state, typed = self.cache.match(rows, record), rows.open_hand(match)
            rematch = rows.rematch(match) if state.is_rematched else None
            seen = state.seen_by(access, typed, MatchId(rematch) if rematch else None)
            made = Transaction(rows, self.cache, seen, DeviceMark(known_as(device)), self.clock(), content, typed)
            yield made
            last = rows.last_entry(match) if made.has_appended else None
        if last is not None:
            self.cache.put(last, made.match.seen_by(Access.NONE, None, None))

    def submit(
        self, kind: EntryKind, sent: Submission, match: MatchId, act: Callable[[Transaction], _Result]
    ) -> _Result | Saved | Stale:
        """Do what was submitted, once: a repeated request returns the first result.

        With other content it is stale: the first submission stands.
        """
        with self.transaction(match, sent.device, sent.content) as transaction:
            try:
                return self.first_result(transaction.rows, sent, kind, match) or act(transaction)
            except SentOtherwise:
                return transaction.stale

    def first_result(self, rows: Reading, sent: Submission, kind: EntryKind, match: MatchId | None) -> Saved | None:
        """The result of a submission that was stored before; None for a new one.

        `match` is None where the submission starts one; then only the device that sent it gets it back. Raises
        RequestRefused for an id that was used for something else, SentOtherwise where it came with other content.
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
        record = rows.match(entry.match)
        assert record is not None, "an entry without its match"
        rules = self.cache.rules_of(rows)(record.ruleset)
        return replace(saved(entry, event_of(entry), rules), again=True)


def saved(entry: Entry, event: Event, rules: Ruleset) -> Saved:
    """The result of storing an entry."""
    number = event.hand_number if isinstance(event, Counted | Undo) else None
    judgement = judgement_of(rules, event) if isinstance(event, Counted) else None
    return Saved(MatchId(entry.match), number, judgement, sequence=entry.sequence)


def require_going_on(match: MatchState) -> None:
    """Raise MatchOver for a match that is finished."""
    if match.standing.finished:
        raise MatchOver(match.id)


# ---------------------------------------------------------------------------------------------------- polling


@dataclass(frozen=True, slots=True)
class Version:
    """How far a match has come for one device: where this is the same, so is every page of the match.

    `sequence` is that of the last entry in its log, `version` that of the hand being typed (0 while nothing is).
    """

    sequence: int
    version: int
    access: Access

    @classmethod
    def of(cls, state: MatchState) -> Self:
        """The version of a match that is about to be shown."""
        return cls(state.sequence, state.open_hand.version if state.open_hand else 0, state.access)

    @property
    def tag(self) -> str:
        """The version as an ETag: whether something is being typed shows, but not each change of it."""
        return f"{self.sequence}.{self.access}.{int(self.version > 0)}"


def version_of(rows: Reading, match: str, device: DeviceId) -> Version:
    """The version of a match, without reading its log. Raises MatchNotFound."""
    access = access_of(rows, match, device)
    if access is Access.NONE:
        raise MatchNotFound(match)
    return Version(*rows.version(match), access)


def tag_of_all(rows: Reading, device: DeviceId) -> str:
    """The version of all lists of matches of a device."""
    return short_digest(rows.lists(holder_of(device)))


def tag_of_devices(rows: Reading, match: str, device: DeviceId) -> str:
    """The version of a match and of its devices. Raises MatchNotFound."""
    devices = [(grant.number, grant.access, grant.side) for grant in rows.grants(match)]
    return f"{version_of(rows, match, device).tag}.{short_digest(devices)}"


def short_digest(value: object) -> str:
    """A short digest of any value."""
    return hashlib.blake2b(repr(value).encode(), digest_size=6).hexdigest()
