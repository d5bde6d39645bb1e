"""The base of the services: storage, clock and caches, and transactions that are cached once
committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from pydantic import ValidationError

from scorepad.caches import LruCache
from scorepad.matches.access import Access, DeviceId, MatchId, RequestId, admit
from scorepad.matches.events import Event, RulesOf
from scorepad.matches.projection import MatchState, project
from scorepad.matches.transaction import (
    NO_REQUEST,
    SentOtherwise,
    Submission,
    Transaction,
    find_first_result,
)
from scorepad.rules.definitions import Ruleset
from scorepad.rules.variants import thaw
from scorepad.storage import Storage
from scorepad.storage.connection import BrokenFile
from scorepad.storage.rows import LastEntry, MatchRecord, ReadTransaction

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


def rules_reader(rows: ReadTransaction, cached: LruCache[Ruleset]) -> RulesOf:
    """A function that returns the rules with a digest: from the cache, or else from the data file
    in this transaction.

    It raises BrokenFile for rules that make no sense, and NewerError for rules that a later version
    of the program wrote.
    """

    def read_rules(digest: str) -> Ruleset:
        rules = cached.get(digest)
        if rules is None:
            rules = _load_rules(rows, digest)
            cached.put(digest, rules)
        return rules

    return read_rules


def _load_rules(rows: ReadTransaction, digest: str) -> Ruleset:
    """The rules with this digest, as they are stored in the data file.

    Raises BrokenFile if they are not there, or make no sense.
    """
    stored = rows.ruleset(digest)
    try:
        return thaw(stored)
    except ValidationError:
        raise BrokenFile(rows.path, detail="garbled rules", reason="garbled") from None


class CachedMatch(NamedTuple):
    """A projected match. A log only grows, so the state holds as long as the last entry is this."""

    last_entry: LastEntry
    state: MatchState
    """The state without what is not in the log: the open hand, and the access of a device."""


class ServiceContext:
    """Storage, clock and caches shared by the services. Thread-safe."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self.storage = storage
        self.clock = clock
        self.matches: LruCache[CachedMatch] = LruCache(
            CACHED_BYTES, lambda cached: cached.state.size
        )
        self.rules: LruCache[Ruleset] = LruCache()
        self.rules_of = partial(rules_reader, cached=self.rules)
        self.drafts: LruCache[Mapping[str, str]] = LruCache(
            CACHED_LETTERS, lambda draft: sum(map(len, draft.values())) + 1
        )
        """Drafts by match, hand and version, for pages that still show an old one."""

    def load_match(
        self, rows: ReadTransaction, match: MatchId, device: DeviceId, *, to_write: bool = False
    ) -> MatchState:
        """The match for a device, in this transaction. Raises MatchNotFound, NotAllowed.

        What the log says is cached until the log grows. The rest is read anew each time: it changes
        without an entry in the log, or is another one for each device.
        """
        admission = admit(rows, match, device, to_write=to_write)
        last_entry = rows.last_entry(match)
        cached = self.matches.get(match)
        if cached is not None and cached.last_entry == last_entry:
            state = cached.state
        else:
            state = self.read(rows, admission.record)
            self.matches.put(match, CachedMatch(last_entry, state))

        rematch = None
        if state.is_rematched:  # most matches have none, and need not be asked
            rematch = rows.rematch(match)
        return replace(
            state,
            access=admission.access,
            own_side=admission.side,
            open_hand=rows.open_hand(match),
            rematch=MatchId(rematch) if rematch else None,
        )

    def read(self, rows: ReadTransaction, record: MatchRecord) -> MatchState:
        """The match, from its log. Raises NewerError, and BrokenFile for an entry that is none."""
        try:
            return project(record, rows.entries(record.id), self.rules_of(rows))
        except ValidationError:
            # Without its content: this is logged.
            raise BrokenFile(
                self.storage.path, detail="a garbled entry", reason="garbled"
            ) from None

    @contextmanager
    def transaction(
        self, match: MatchId, device: DeviceId, request: RequestId = NO_REQUEST, *content: object
    ) -> Iterator[Transaction]:
        """A write transaction on a match, which is committed when the `with` block ends without an
        error. Raises MatchNotFound, NotAllowed.

        `content` is what the request says, in any number of values: two requests with one id and
        the same content are the same submission.
        """
        submission = Submission.of(request, device, *content)
        new_last_entry = None
        with self.storage.writing() as rows:
            tx = Transaction(
                rows=rows,
                match=self.load_match(rows, match, device, to_write=True),
                now=self.clock(),
                submission=submission,
                rules_of=self.rules_of(rows),
                drafts=self.drafts,
            )
            yield tx
            if tx.has_appended:
                new_last_entry = rows.last_entry(match)
        # Cached only here, after the commit: an entry that is rolled back must not be shown.
        if new_last_entry is not None:
            self.matches.put(match, CachedMatch(new_last_entry, _without_device(tx.match)))


def _without_device(state: MatchState) -> MatchState:
    """The state of a match as it is cached: without what differs by device, or is not in the log."""
    return replace(state, access=Access.NONE, own_side=None, open_hand=None, rematch=None)


class Service:
    """The base of the services."""

    def __init__(self, context: ServiceContext) -> None:
        self.context = context
        self.reading = context.storage.reading

    @contextmanager
    def submission(
        self,
        kind: type[Event],
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        /,
        **content: object,
    ) -> Iterator[Transaction]:
        """A write transaction for a submitted form, which stores an event of this `kind` once.

        A form may be sent twice, if its first answer did not arrive. So every block begins with

            with self.submission(Remark, request, match, device, text=text) as tx:
                if tx.was_sent_before:
                    return tx.first_result

        `content` is what the form says. If a request is repeated with other content, its
        `first_result` is Stale: the page shows what is stored, since the first content counts.
        Raises MatchNotFound, NotAllowed and RequestRefused.
        """
        with self.context.transaction(match, device, request, content) as tx:
            try:
                tx.stored_result = find_first_result(tx.rows, tx.submission, kind, tx.match)
            except SentOtherwise:
                tx.stored_result = tx.stale_result()
            yield tx
