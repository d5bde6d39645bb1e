"""Access to matches: who may see, change and own them, and the errors for denied access."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import NamedTuple, NewType

from scorepad.errors import ScorepadError
from scorepad.storage.rows import (
    ADMIN_PREFIX,
    ANYBODY,
    PROGRAM,
    MatchRecord,
    ReadTransaction,
    hash_device_id,
)

MatchId = NewType("MatchId", str)
"""A match id: ten random letters and digits, safe in a URL."""

DeviceId = NewType("DeviceId", str)
"""The random id of a browser or command line."""

RequestId = NewType("RequestId", str)
"""The random id of one form submission: sent twice, it is executed once."""

ADMIN = DeviceId("@keeper")
"""The command line, which can read the data file and owns every match. No browser has this id."""


class Access(StrEnum):
    """What a device may do with a match."""

    NONE = "none"
    VIEW = "view"
    WRITE = "write"
    OWN = "own"

    @property
    def can_write(self) -> bool:
        """Whether it may enter and correct hands."""
        return self in (Access.WRITE, Access.OWN)


# ------------------------------------------------------------------------------------------- errors


class MatchError(ScorepadError):
    """An error about the match `id`, which is not in the message: the message is logged."""

    def __init__(self, match: str) -> None:
        super().__init__()
        self.id = match


class MatchNotFound(MatchError):
    """The match does not exist or the device may not see it, without saying which. `id` is the
    requested id.
    """


class NotAllowed(MatchError):
    """The device may only view the match `id`."""


class NotOwner(NotAllowed):
    """The device may write in the match `id`, but only its owner may change access."""


# -------------------------------------------------------------------------------------------- roles


def as_admin(device: DeviceId) -> DeviceId:
    """A browser with admin access: it may see every match, and is recorded under its own id."""
    return DeviceId(f"{ADMIN_PREFIX}{device}")


def program_of(key: str) -> DeviceId:
    """The device of all programs that send a key; it cannot be derived without the key."""
    digest = hashlib.sha256(f"device of {key.strip().lower()}".encode()).hexdigest()
    return DeviceId(f"{PROGRAM}{digest}")


def is_admin(device: DeviceId) -> bool:
    """Whether the device owns every match."""
    return device == ADMIN or device.startswith(ADMIN_PREFIX)


class Admission(NamedTuple):
    """A match, and what a device may do with it."""

    record: MatchRecord
    access: Access
    side: int | None
    """The position of the side that the device counts for, if any."""


def _look_up(rows: ReadTransaction, match: str, device: DeviceId) -> Admission | None:
    """A match and the access of a device to it, even if it has none; None if there is no such match."""
    record = rows.match(match)
    if record is None:
        return None
    role, side = rows.role(match, hash_device_id(device))
    access = Access.OWN if is_admin(device) else Access(role)
    return Admission(record, access, side)


def access_of(rows: ReadTransaction, match: str, device: DeviceId) -> Access:
    """What a device may do with a match, whose id may be any text; none if there is no such match."""
    found = _look_up(rows, match, device)
    if found is None:
        return Access.NONE
    return found.access


def holder_of(device: DeviceId) -> str:
    """The holder of the lists of matches that a device may see."""
    return ANYBODY if is_admin(device) else hash_device_id(device)


def admit(
    rows: ReadTransaction, match: str, device: DeviceId, *, to_write: bool = False
) -> Admission:
    """The match for a device that may see it.

    Raises MatchNotFound if it has no access or there is no such match, and NotAllowed if `to_write`
    and it may only view.
    """
    found = _look_up(rows, match, device)
    if found is None or found.access is Access.NONE:
        raise MatchNotFound(match)
    if to_write and not found.access.can_write:
        raise NotAllowed(match)
    return found


def admit_owner(rows: ReadTransaction, match: str, device: DeviceId) -> None:
    """Admit only the owner of a match. Raises MatchNotFound, NotAllowed, and NotOwner for other
    writers.
    """
    admission = admit(rows, match, device, to_write=True)
    if admission.access is not Access.OWN:
        raise NotOwner(match)
