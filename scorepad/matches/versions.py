"""Versions of what a device sees of a match, from which pages and the API make ETags."""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Self

from scorepad.matches.access import Access, DeviceId, MatchId, MatchNotFound, find_access
from scorepad.matches.projection import MatchState
from scorepad.storage.rows import ReadTransaction


class Version(NamedTuple):
    """The version of a match for one device.

    If all three values are the same, so is every page of the match.
    """

    last_entry: int
    """The number of the last entry in the log of the match."""
    draft_version: int
    """The version of what is typed of the hand being played; 0 if nothing is typed."""
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
        """An ETag for the page of the match: `12.write.1`.

        It changes when something is typed of a hand (a round) for the first time: from 0 to 1. What
        is typed later is not shown on the page.
        """
        is_anything_typed = self.draft_version > 0
        return f"{self.last_entry}.{self.access}.{int(is_anything_typed)}"


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
