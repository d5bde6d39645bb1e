"""What was read before and cannot have changed: rules by their digest, and logs that have not grown since.

A log only grows, so one whose last entry is the same is the same. Everything here could be thrown away at any moment
and would be read again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorepad.matches.folding import fold
from scorepad.matches.log import Log, RulesOf
from scorepad.matches.recent import Recent
from scorepad.matches.states import open_hand_of, state_of
from scorepad.matches.values import MatchState
from scorepad.matches.who import Access
from scorepad.rules.variants import Ruleset, thaw
from scorepad.storage.reading import LastEntry, Reading
from scorepad.storage.records import MatchRecord, OpenHandRecord

ENTRIES = 2**14
"""Entries of logs that are kept: those of some hundred matches as they are played."""
LETTERS = 2**22
"""Letters of what was typed that are kept: some thousand versions of hands."""


class Shelf:
    """Rules and logs as they were read last."""

    def __init__(self) -> None:
        self._rules: Recent[Ruleset] = Recent()
        self._logs: Recent[tuple[LastEntry, Log]] = Recent(ENTRIES, lambda kept: len(kept[1].entries))
        self._states: Recent[tuple[Log, MatchState]] = Recent(ENTRIES, lambda kept: len(kept[0].entries))
        self._drafts: Recent[Mapping[str, str]] = Recent(LETTERS, lambda draft: sum(map(len, draft.values())) + 1)

    def remember(self, record: OpenHandRecord) -> None:
        """What was typed of a hand, as one of its versions: a page that shows an earlier one may still be open."""
        self._drafts.put((record.match, record.id, record.version), record.draft)

    def draft(self, match: str, hand: str, version: int) -> Mapping[str, str] | None:
        """What was typed of a hand in this version; None where that is known no more."""
        return {} if version == 0 else self._drafts.get((match, hand, version))

    def rules(self, rows: Reading, digest: str) -> Ruleset:
        """The rules of this digest, which never comes to mean anything else."""
        key = digest, rows.generation
        return self._rules.get(key) or self._rules.put(key, thaw(rows.ruleset(digest)))

    def rules_of(self, rows: Reading) -> RulesOf:
        """The rules of a digest, in this look at the file."""
        return lambda digest: self.rules(rows, digest)

    def log(self, rows: Reading, match: MatchRecord) -> Log:
        """The match's log as it stands in the file."""
        last = rows.last_entry(match.id)
        kept = self._logs.get(match.id)
        if kept is None or kept[0] != last:
            log = fold(match, rows.entries(match.id), self.rules_of(rows))
            kept = self._logs.put(match.id, (last, log))
        return kept[1]

    def state(self, log: Log, record: OpenHandRecord | None, access: Access) -> MatchState:
        """The match as it stands for a device with this access."""
        kept = self._states.get(log.match.id)
        if kept is None or kept[0] is not log:
            kept = self._states.put(log.match.id, (log, state_of(log, None, Access.NONE)))
        return replace(kept[1], open_hand=open_hand_of(log, record), access=access)
