"""Transactions on one match and their results: authorised, idempotent, and cached once committed."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from datetime import UTC, datetime
from functools import partial, wraps
from threading import BoundedSemaphore, Lock
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, Self, TypeVar

from pydantic import ValidationError

from scorepad.errors import ScorepadError
from scorepad.matches import access
from scorepad.matches.access import (
    Access,
    AccessChange,
    DeviceId,
    MatchError,
    MatchId,
    MatchOver,
    RequestId,
    RequestRefused,
    SentOtherwise,
)
from scorepad.matches.events import Counted, Event, log_entry
from scorepad.matches.keys import Keys
from scorepad.matches.projection import (
    LARGEST_LOG,
    SPARE_LOG,
    MatchState,
    RulesOf,
    log_size,
    project,
)
from scorepad.rules.judge import Judgement
from scorepad.rules.variants import Ruleset, thaw
from scorepad.storage import Storage
from scorepad.storage.connection import BrokenFile
from scorepad.storage.rows import (
    Entry,
    LastEntry,
    MatchRecord,
    OpenHand,
    ReadTransaction,
    WriteTransaction,
    known_as,
)

Clock = Callable[[], datetime]
"""Returns the current time, with its zone. It dates entries; order is by sequence."""


def utc_now() -> datetime:
    """The current time."""
    return datetime.now(UTC)


CACHED_BYTES = 2**23
"""Most bytes of the logs of cached matches, which take some ten times as much in memory: hundreds
of matches.
"""
CACHED_LETTERS = 2**22
"""Most characters of cached drafts: some thousand versions of hands."""

_Value = TypeVar("_Value")
LARGEST_DRAFT = 2**16
"""Most characters of the fields of an open hand, with their names."""
NO_REQUEST = RequestId("")
"""The request id of a transaction that appends nothing."""
_REQUEST = re.compile(r"[!-~]{1,200}")


# ------------------------------------------------------------------------------------------ results


@dataclass(frozen=True, slots=True)
class Saved:
    """The action is stored. `again`: the request had been stored before, and this is its first
    result.
    """

    match: MatchId
    number: int | None = None
    """The number of the hand concerned."""
    judgement: Judgement | None = None
    again: bool = False
    keeps_typed: bool = False
    """Whether the open hand keeps its typed fields, so that an undone hand is not restored into it.
    """
    keys: Keys | None = None
    """The keys of a match just started, shown only once."""
    sequence: int = field(default=0, compare=False)
    """The last entry of the match after it; 0 if nothing had to be stored."""


class Refused(NamedTuple):
    """The rules refuse the hand; only the draft was stored. `open_hand` is the stored draft, if
    any.
    """

    judgement: Judgement
    open_hand: OpenHand | None = None


@dataclass(frozen=True, slots=True)
class ReasonWanted:
    """A reason is required to change or undo what the other side agreed to. Nothing was stored."""


class Stale(NamedTuple):
    """The match had changed; holds the current state. Nothing was stored."""

    current: OpenHand | None
    state: MatchState
    seen: Mapping[str, str] | None = None
    """The fields of the open hand as the device had seen them; None if no longer cached."""


# ----------------------------------------------------------------------------------------- refusals


class LogFull(MatchError):
    """The log of the match `id` is as long as it may be. It can still be ended, and its last
    actions undone.
    """


class DraftTooLong(MatchError):
    """More is typed into the open hand of the match `id` than a hand can have."""


# ------------------------------------------------------------------------------------- transactions


class Submission(NamedTuple):
    """One submission of a form: its request id, the device that sent it, as stored, and a digest of
    its content.
    """

    request: RequestId
    device: str
    content: str

    @classmethod
    def of(cls, request: RequestId, device: DeviceId, *content: object) -> Self:
        """A submission with this content: JSON, dataclasses, and functions, which count as present."""
        text = json.dumps(content, sort_keys=True, default=_as_json)
        return cls(
            request, known_as(device), hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        )

    def entry(self, match: str, sequence: int, event: Event, now: datetime) -> Entry:
        """The entry of the log that stores it."""
        return Entry(
            match,
            sequence,
            event.kind,
            now,
            self.device,
            self.request,
            event.payload(),
            self.content,
        )


def _as_json(value: Any) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else callable(value)


@dataclass(slots=True)
class Transaction:
    """A match inside a write transaction. `match` is its current state, updated with each entry
    appended.
    """

    context: Context
    rows: WriteTransaction
    match: MatchState
    now: datetime
    submission: Submission
    """The submission under which entries are stored."""
    has_appended: bool = False

    @property
    def stale(self) -> Stale:
        """The result for a device that had not seen the current match."""
        return Stale(self.match.open_hand, self.match)

    @property
    def draft(self) -> Mapping[str, str]:
        """The fields of the open hand."""
        return self.match.open_hand.draft if self.match.open_hand else {}

    def require_going_on(self) -> None:
        """Raise MatchOver if the match is finished."""
        if self.match.status.finished:
            raise MatchOver(self.match.id)

    def append(
        self, event: Event, *, request: RequestId | None = None, judgement: Judgement | None = None
    ) -> Saved:
        """Append an event to the log under `request`, by default the submission's, and update the
        summary.

        `judgement` is passed for a counted hand. Raises LogFull and NoRoomToSave; nothing is stored
        then.
        """
        if not isinstance(event, AccessChange):  # keys can be withdrawn whatever happens
            self.rows.require_room_to_save()
        sent = self.submission._replace(request=request or self.submission.request)
        entry = self.rows.append(
            sent.entry(self.match.id, self.match.sequence + 1, event, self.now)
        )
        most = LARGEST_LOG + SPARE_LOG if event.is_short else LARGEST_LOG
        if self.match.size + log_size([entry]) > most:
            raise LogFull(self.match.id)
        self.match = self.match.with_entry(entry, event, self.context.rules_of(self.rows))
        self.rows.put(self.match.summary())
        self.has_appended = True
        return Saved(self.match.id, event.hand_number, judgement, sequence=entry.sequence)

    def put_draft(self, draft: Mapping[str, str]) -> OpenHand:
        """Store the open hand as typed so far, as its next version. Raises DraftTooLong and
        NoRoomToSave.
        """
        if sum(len(name) + len(text) for name, text in draft.items()) > LARGEST_DRAFT:
            raise DraftTooLong(self.match.id)
        self.rows.require_room_to_save()
        before = self.match.open_hand
        version = before.version + 1 if before else 1
        record = OpenHand(
            self.match.id, self.match.coming_id, version, draft, self.submission.device, self.now
        )
        self.rows.put(record)
        self.context.drafts.put((record.match, record.id, version), draft)
        self.match = replace(self.match, open_hand=record)
        return record

    def drop_draft(self) -> None:
        """Delete the draft of the open hand, if there is one."""
        if self.match.open_hand is not None:
            self.rows.drop_open_hand(self.match.id)
            self.match = replace(self.match, open_hand=None)


def rules_reader(rows: ReadTransaction, cached: LruCache[Ruleset]) -> RulesOf:
    """A function that returns the rules with a digest, from the cache or this transaction.

    It raises BrokenFile for rules that make no sense, and NewerError.
    """

    def find(digest: str) -> Ruleset:
        found = cached.get(digest)
        if found is not None:
            return found
        try:
            rules = thaw(rows.ruleset(digest))
        except ValidationError:
            raise BrokenFile(rows.path, "garbled rules", "garbled") from None
        return cached.put(digest, rules)

    return find


class LruCache(Generic[_Value]):
    """A thread-safe LRU cache.

    `most` is the greatest total weight, `weigh` returns the weight of a value (default 1).
    """

    def __init__(self, most: int = 256, weigh: Callable[[_Value], int] = lambda _: 1) -> None:
        self._most, self._weigh, self._weight = most, weigh, 0
        self._values: OrderedDict[Hashable, _Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> _Value | None:
        """The value of this key, if cached."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def items(self) -> list[tuple[Hashable, _Value]]:
        """All cached items, least recently used first."""
        with self._lock:
            return list(self._values.items())

    def clear(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._values.clear()
            self._weight = 0

    def put(self, key: Hashable, value: _Value) -> _Value:
        """Store a value and evict the least recently used ones; the new value is kept, however
        large.
        """
        with self._lock:
            if key in self._values:
                self._weight -= self._weigh(self._values.pop(key))
            self._values[key] = value
            self._weight += self._weigh(value)
            while self._weight > self._most and len(self._values) > 1:
                self._weight -= self._weigh(self._values.popitem(last=False)[1])
        return value


class Context:
    """Storage, clock and caches shared by the services. Thread-safe."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self.storage = storage
        self.clock = clock
        # A log only grows, so the same last entry means the same state.
        self.matches: LruCache[tuple[LastEntry, MatchState]] = LruCache(
            CACHED_BYTES, lambda kept: kept[1].size
        )
        self.rules: LruCache[Ruleset] = LruCache()
        self.rules_of = partial(rules_reader, cached=self.rules)
        self.drafts: LruCache[Mapping[str, str]] = LruCache(
            CACHED_LETTERS, lambda draft: sum(map(len, draft.values())) + 1
        )
        """Drafts by match, hand and version, for pages that still show an old one."""

    def seen(
        self, rows: ReadTransaction, match: MatchId, device: DeviceId, *, to_write: bool = False
    ) -> MatchState:
        """The match for a device, in this transaction. Raises MatchNotFound, NotAllowed."""
        record, granted, side = access.admit(rows, match, device, to_write=to_write)
        last, typed, kept = rows.last_entry(match), rows.open_hand(match), self.matches.get(match)
        if kept is None or kept[0] != last:
            kept = self.matches.put(match, (last, self.read(rows, record)))
        state = kept[1]
        rematch = rows.rematch(match) if state.is_rematched else None
        rematched = MatchId(rematch) if rematch else None
        return replace(state, access=granted, own_side=side, open_hand=typed, rematch=rematched)

    def read(self, rows: ReadTransaction, record: MatchRecord) -> MatchState:
        """The match, from its log. Raises NewerError, and BrokenFile for an entry that is none."""
        try:
            return project(record, rows.entries(record.id), self.rules_of(rows))
        except ValidationError:
            # Without its content: this is logged.
            raise BrokenFile(self.storage.path, "a garbled entry", "garbled") from None

    @contextmanager
    def transaction(
        self, match: MatchId, device: DeviceId, request: RequestId = NO_REQUEST, *content: object
    ) -> Iterator[Transaction]:
        """A write transaction on a match, for a submission with this content. Raises MatchNotFound,
        NotAllowed.

        The projected match is cached after the commit.
        """
        sent = Submission.of(request, device, *content)
        with self.storage.writing() as rows:
            state = self.seen(rows, match, device, to_write=True)
            tx = Transaction(self, rows, state, self.clock(), sent)
            yield tx
            last = rows.last_entry(match) if tx.has_appended else None
        if last is not None:
            bare = replace(
                tx.match, access=Access.NONE, own_side=None, open_hand=None, rematch=None
            )
            self.matches.put(match, (last, bare))

    def first_result(
        self,
        rows: ReadTransaction,
        sent: Submission,
        kind: type[Event],
        match: MatchState | None = None,
    ) -> Saved | None:
        """The result of a submission stored before; None for a new one.

        `match` is None if the submission starts one; then only the device that sent it gets the
        result. Raises RequestRefused for an id that is malformed or was used for something else,
        SentOtherwise if the content differs.
        """
        if not _REQUEST.fullmatch(sent.request):
            raise RequestRefused(sent.request)
        entry = rows.requested(sent.request)
        if entry is None:
            return None
        of_this_match = entry.match == match.id if match else entry.device == sent.device
        if entry.kind != kind.kind or not of_this_match:
            raise RequestRefused(sent.request)
        if entry.sent != sent.content:
            raise SentOtherwise(sent.request)
        event = log_entry(entry).event
        judgement = (
            event.judgement(match.rules.settings, event.before)
            if match and isinstance(event, Counted)
            else None
        )
        return Saved(
            MatchId(entry.match), event.hand_number, judgement, again=True, sequence=entry.sequence
        )


class Service:
    """The base of the services."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.reading = context.storage.reading


_Service = TypeVar("_Service", bound=Service)
_P = ParamSpec("_P")
_Result = TypeVar("_Result")
_Act = Callable[Concatenate[_Service, Transaction, _P], _Result]
_Submit = Callable[Concatenate[_Service, RequestId, MatchId, DeviceId, _P], _Result | Saved | Stale]


def submitted(
    kind: type[Event], *unsent: str
) -> Callable[[_Act[_Service, _P, _Result]], _Submit[_Service, _P, _Result]]:
    """Turn a method on a transaction into an idempotent one that takes a request id, a match and a
    device.

    A repeated request returns the first result, or Stale if its content differs. The content is the
    arguments except those named in `unsent`. Raises MatchNotFound, NotAllowed and RequestRefused.
    """

    def decorate(act: _Act[_Service, _P, _Result]) -> _Submit[_Service, _P, _Result]:
        names = list(inspect.signature(act).parameters)[2:]

        @wraps(act)
        def submit(
            self: _Service,
            request: RequestId,
            match: MatchId,
            device: DeviceId,
            /,
            *args: _P.args,
            **kwargs: _P.kwargs,
        ) -> _Result | Saved | Stale:
            given = dict(zip(names, args, strict=False)) | kwargs
            content = {name: value for name, value in given.items() if name not in unsent}
            with self.context.transaction(match, device, request, content) as tx:
                try:
                    first = self.context.first_result(tx.rows, tx.submission, kind, tx.match)
                except SentOtherwise:
                    return tx.stale
                return first or act(self, tx, *args, **kwargs)

        return submit

    return decorate


# ------------------------------------------------------------------------------------------ polling


class Version(NamedTuple):
    """The version of a match for one device: if it is the same, so is every page of the match.

    `sequence` is that of the last entry in the log, `version` that of the open hand's draft (0 for
    none).
    """

    sequence: int
    version: int
    access: Access

    @classmethod
    def of(cls, state: MatchState) -> Self:
        """The version of a projected match."""
        return cls(state.sequence, state.open_hand.version if state.open_hand else 0, state.access)

    @property
    def tag(self) -> str:
        """The version as an ETag, which covers whether a draft exists, but not its changes."""
        return f"{self.sequence}.{self.access}.{int(self.version > 0)}"


def short_digest(value: object) -> str:
    """A short digest of any value."""
    return hashlib.blake2b(repr(value).encode(), digest_size=6).hexdigest()


# --------------------------------------------------------------------------------------- heavy work

AT_ONCE, WAITING = 1, 3
"""How many jobs run at a time and how many may wait: together fewer than the server's threads."""
PATIENCE = 10.0
"""Most seconds that a job waits."""
RETRY_AFTER = 5
"""Seconds after which a refused client may retry."""

_running, _places = BoundedSemaphore(AT_ONCE), BoundedSemaphore(AT_ONCE + WAITING)


class Overloaded(ScorepadError):
    """Too many heavy jobs are waiting, or the wait timed out."""


@contextmanager
def heavy_work() -> Iterator[None]:
    """Run heavy work inside: one job at a time in the process, so that short requests are not
    slowed down.

    Raises Overloaded.
    """
    if not _places.acquire(blocking=False):
        raise Overloaded
    try:
        if not _running.acquire(timeout=PATIENCE):
            raise Overloaded
        try:
            yield
        finally:
            _running.release()
    finally:
        _places.release()
