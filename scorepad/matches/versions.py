"""Versions of what a device sees of a match, from which pages and the API make ETags."""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Self

from scorepad.matches.access import Access, DeviceId, MatchId, MatchNotFound, find_access
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
    def from_state(cls, state: MatchState) -> Self:
        """Return the version of a match whose state is known: of what a device sees of it."""
        draft_version = 0
        if state.open_hand is not None:
            draft_version = state.open_hand.version
        return cls(state.sequence, draft_version, state.access)

    @property
    def tag(self) -> str:
        """The version as an ETag, such as `12.write.1`; the 1 says that an open hand is typed.

        Another text typed into it does not change the ETag.
        """
        has_draft = self.version > 0
        return f"{self.sequence}.{self.access}.{int(has_draft)}"


def read_version(rows: ReadTransaction, match: MatchId, device: DeviceId) -> Version:
    """Read the version of what a device sees of a match, by which a page knows if it is current.

    It is read without the log of the match, since pages ask often. Raises MatchNotFound.
    """
    access = find_access(rows, match, device)
    if access is Access.NONE:
        raise MatchNotFound(match)
    progress = rows.progress(match)
    return Version(progress.entries, progress.draft_version, access)


def make_short_digest(value: object) -> str:
    """Make a short digest of any value, for an ETag: twelve hexadecimal digits."""
    return hashlib.blake2b(repr(value).encode(), digest_size=6).hexdigest()
