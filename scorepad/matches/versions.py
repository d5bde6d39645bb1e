"""Versions of what a device sees of a match, from which pages and the API make ETags."""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Self

from scorepad.matches.access import Access, DeviceId, MatchId, MatchNotFound, access_of
from scorepad.matches.projection import MatchState
from scorepad.storage.rows import ReadTransaction


class Version(NamedTuple):
    """The version of a match for one device.

    `sequence` is that of the last entry in the log, `version` that of the open hand's draft (0 for
    none). If all three are the same, so is every page of the match.
    """

    sequence: int
    version: int
    access: Access

    @classmethod
    def of(cls, state: MatchState) -> Self:
        """The version of a projected match."""
        draft_version = state.open_hand.version if state.open_hand else 0
        return cls(state.sequence, draft_version, state.access)

    @property
    def tag(self) -> str:
        """The version as an ETag, which covers whether a draft exists, but not its changes."""
        return f"{self.sequence}.{self.access}.{int(self.version > 0)}"


def read_version(rows: ReadTransaction, match: MatchId, device: DeviceId) -> Version:
    """The version of a match, without reading its log. Raises MatchNotFound."""
    access = access_of(rows, match, device)
    if access is Access.NONE:
        raise MatchNotFound(match)
    progress = rows.progress(match)
    return Version(progress.entries, progress.draft_version, access)


def short_digest(value: object) -> str:
    """A short digest of any value."""
    return hashlib.blake2b(repr(value).encode(), digest_size=6).hexdigest()
