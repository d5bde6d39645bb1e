"""Who may do what with a match. Every page and command comes through here."""

from __future__ import annotations

from scorepad.matches.errors import MatchNotFound, NotAllowed, NotOwner
from scorepad.matches.who import Access, DeviceId, is_keeper
from scorepad.storage.digests import known_as
from scorepad.storage.reading import Reading
from scorepad.storage.records import ANYBODY, MatchRecord


def access_of(rows: Reading, match: str, device: DeviceId) -> Access:
    """What a device may do with a match; none where there is no such match."""
    if is_keeper(device):
        return Access.NONE if find(rows, match) is None else Access.OWN
    granted = rows.access(match, known_as(device)) if _is_plain(match) else None
    return Access(granted or Access.NONE)


def holder_of(device: DeviceId) -> str:
    """Whose lists tell the matches that a device may see."""
    return ANYBODY if is_keeper(device) else known_as(device)


def find(rows: Reading, match: str) -> MatchRecord | None:
    """The match of this id, which may be anything that somebody wrote into an address."""
    return rows.match(match) if _is_plain(match) else None


def admit(rows: Reading, match: str, device: DeviceId, *, to_write: bool = False) -> tuple[MatchRecord, Access]:
    """The match and what the device may do with it.

    Raises MatchNotFound where it may do nothing, whether there is such a match or not, and NotAllowed where it may
    look but wants to write.
    """
    access = access_of(rows, match, device)
    record = find(rows, match)
    if record is None or access is Access.NONE:
        raise MatchNotFound(match)
    if to_write and not access.can_write:
        raise NotAllowed(match)
    return record, access


def admit_owner(rows: Reading, match: str, device: DeviceId) -> None:
    """Let only the owner of a match pass. Raises MatchNotFound, NotAllowed, and NotOwner for one who may write."""
    _, access = admit(rows, match, device, to_write=True)
    if access is not Access.OWN:
        raise NotOwner(match)


def _is_plain(name: str) -> bool:
    return name.isascii() and name.isprintable()
