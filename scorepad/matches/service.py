"""The base of the services: storage, clock and caches, and transactions that are cached once
committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

from pydantic import ValidationError

from scorepad.caches import LruCache
from scorepad.matches.access import DeviceId, MatchId, RequestId, admit
from scorepad.matches.events import Event, RulesOf
from scorepad.matches.projection import MatchState, project
from scorepad.matches.transaction import (
    NO_REQUEST,
    Saved,
    SentOtherwise,
    Stale,
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
    """Return the current time."""
    return datetime.now(UTC)


CACHED_BYTES = 2**23
"""Most bytes of the logs of cached matches, which take some ten times as much in memory: hundreds
of matches.
"""
CACHED_LETTERS = 2**22
"""Most characters of cached drafts: some thousand versions of hands."""


def make_rules_reader(rows: ReadTransaction, cached: LruCache[Ruleset]) -> RulesOf:
    """Make a function that returns rules by their digest, which is their key in the data file.

    It takes them from the cache, or reads them in this transaction and caches them. It raises
    BrokenFile for rules that make no sense, and NewerError for rules that a later version of the
    program wrote.
    """

    def read_rules(digest: str) -> Ruleset:
        """Return the rules with this digest."""
        rules = cached.get(digest)
        if rules is None:
            rules = _load_rules(rows, digest)
            cached.put(digest, rules)
        return rules

    return read_rules


def _load_rules(rows: ReadTransaction, digest: str) -> Ruleset:
    """Read the rules with this digest from the data file, and decode them.

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
    """The state as that entry left it. What is not in the log is read anew each time: the open hand
    and the rematch, and what the device that asks may do.
    """


class ServiceContext:
    """Storage, clock and caches shared by the services. Thread-safe."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self.storage = storage
        self.clock = clock
        self.matches: LruCache[CachedMatch] = LruCache(CACHED_BYTES, _weigh_match)
        self.rules: LruCache[Ruleset] = LruCache()
        # Forms of hands by match, hand and version, for pages that still show an old version.
        self.drafts: LruCache[Mapping[str, str]] = LruCache(CACHED_LETTERS, _weigh_draft)

    def rules_of(self, rows: ReadTransaction) -> RulesOf:
        """Make a function that returns the rules with a digest, read in this transaction."""
        return make_rules_reader(rows, self.rules)

    def load_match(
        self, rows: ReadTransaction, match: MatchId, device: DeviceId, *, to_write: bool = False
    ) -> MatchState:
        """Load a match for a device, in this transaction.

        Raises MatchNotFound if the device may not see it. With `to_write`, raises NotAllowed if it
        may only view it.
        """
        admission = admit(rows, match, device, to_write=to_write)
        state = self._read_match_or_use_cache(rows, admission.record)

        # The rest is read each time: it changes without an entry in the log, or differs by device.
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

    def _read_match_or_use_cache(self, rows: ReadTransaction, record: MatchRecord) -> MatchState:
        """Return the state of a match that follows from its log, from the cache if that is current.

        A log only grows. So the cached state is current if the log has still the same last entry.
        """
        last_entry = rows.last_entry(record.id)
        cached = self.matches.get(record.id)
        if cached is not None and cached.last_entry == last_entry:
            return cached.state
        state = self.read_match(rows, record)
        self.matches.put(record.id, CachedMatch(last_entry, state))
        return state

    def read_match(self, rows: ReadTransaction, record: MatchRecord) -> MatchState:
        """Read the log of a match, and work out the state to which it leads.

        Raises BrokenFile for an entry that cannot be decoded, and NewerError for one that a later
        version of the program wrote.
        """
        try:
            return project(record, rows.entries(record.id), self.rules_of(rows))
        except ValidationError:
            # `from None`: pydantic's error has the content of the entry, and would be logged.
            raise BrokenFile(
                self.storage.path, detail="a garbled entry", reason="garbled"
            ) from None

    @contextmanager
    def transaction(
        self, match: MatchId, device: DeviceId, sent: Submission | None = None
    ) -> Iterator[Transaction]:
        """Open a write transaction on a match. It is committed when the `with` block ends.

        An error in the block rolls it back. `sent` is the form for which entries are added to the
        log; None if none are added. Raises MatchNotFound, NotAllowed.
        """
        if sent is None:
            sent = Submission.from_content(NO_REQUEST, device)
        with self.storage.writing() as rows:
            tx = Transaction(
                rows=rows,
                match=self.load_match(rows, match, device, to_write=True),
                now=self.clock(),
                submission=sent,
                rules_of=self.rules_of(rows),
                drafts=self.drafts,
            )
            yield tx

        # Only now, after the commit, which may fail: what is cached is shown to others.
        if tx.has_appended:
            self.matches.put(match, CachedMatch(tx.match.last_entry, tx.match))


def _weigh_match(cached: CachedMatch) -> int:
    """Return the weight of a match in the cache: the bytes of its log."""
    return cached.state.size


def _weigh_draft(draft: Mapping[str, str]) -> int:
    """Return the weight of a form in the cache: the characters of its fields.

    One more is added, so that an empty form does not weigh nothing.
    """
    return sum(len(text) for text in draft.values()) + 1


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
    ) -> Iterator[tuple[Transaction, Saved | Stale | None]]:
        """Open a write transaction for a form that appends an event of this kind to the log, once.

        A form may be sent twice, if its first answer did not arrive. So the result of the first
        time comes along, and every block begins like this:

            with self.submission(Remark, request, match, device, text=text) as (tx, first_result):
                if first_result is not None:
                    return first_result

        `content` is what the form says. Raises MatchNotFound, NotAllowed and RequestRefused.
        """
        sent = Submission.from_content(request, device, content)
        with self.context.transaction(match, device, sent) as tx:
            first_result: Saved | Stale | None
            try:
                first_result = find_first_result(tx.rows, sent, kind, tx.match)
            except SentOtherwise:  # the page shows what was stored the first time
                first_result = tx.make_stale_result()
            yield tx, first_result
