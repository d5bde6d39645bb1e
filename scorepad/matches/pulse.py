"""How far a match has come: what an open page asks every two seconds, and hardly ever is new."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Self

from scorepad.matches.access import access_of, holder_of
from scorepad.matches.errors import MatchNotFound
from scorepad.matches.values import MatchState
from scorepad.matches.who import Access, DeviceId
from scorepad.storage.reading import Reading


@dataclass(frozen=True, slots=True)
class Pulse:
    """How far a match has come for one device: where this is the same, so is every page of the match.

    `sequence` is that of the last entry in its log, `version` that of the hand being typed (0 while nothing is).
    """

    sequence: int
    version: int
    access: Access

    @classmethod
    def of(cls, state: MatchState) -> Self:
        """That of a match as it is about to be shown."""
        return cls(state.sequence, state.open_hand.version if state.open_hand else 0, state.access)

    @property
    def tag(self) -> str:
        """The same in one word, fit for an ETag."""
        # Whether something is being typed shows; what is, does not: not every letter makes everybody look again.
        return f"{self.sequence}.{self.access}.{int(self.version > 0)}"


def pulse_of(rows: Reading, match: str, device: DeviceId) -> Pulse:
    """The pulse of a match, without reading its log. Raises MatchNotFound."""
    access = access_of(rows, match, device)
    if access is Access.NONE:
        raise MatchNotFound(match)
    return Pulse(*rows.pulse(match), access)


def tag_of_all(rows: Reading, device: DeviceId) -> str:
    """How far the matches of a device have come, in one word: where it is the same, so are all its lists of them."""
    return digest(rows.lists(holder_of(device)))


def tag_of_phones(rows: Reading, match: str, device: DeviceId) -> str:
    """How far a match has come and who may come to it, in one word. Raises MatchNotFound."""
    phones = [(grant.number, grant.access, grant.side) for grant in rows.grants(match)]
    return f"{pulse_of(rows, match, device).tag}.{digest(phones)}"


def digest(told: object) -> str:
    """Any value in a short word: another one where the value is another."""
    return hashlib.blake2b(repr(told).encode(), digest_size=6).hexdigest()
