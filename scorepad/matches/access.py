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
        """Whether the device may enter and correct hands (rounds), not only view them."""
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
    """Mark the id of a browser as one with admin access, which may see every match.

    `5tq…` → `@admin:5tq…`. In a log the browser stands without the mark.
    """
    return DeviceId(f"{ADMIN_PREFIX}{device}")


def make_program_id(key: str) -> DeviceId:
    """Make the device id for programs that call the API with a key: `api-7bd…`.

    All programs with the same key are one device. Nobody can work out the id without the key.
    """
    digest = hashlib.sha256(f"device of {key.strip().lower()}".encode()).hexdigest()
    return DeviceId(f"{PROGRAM}{digest}")


def is_admin(device: DeviceId) -> bool:
    """Tell whether a device has admin access: the command line, or a browser that was given it.

    It owns every match.
    """
    return device == ADMIN or device.startswith(ADMIN_PREFIX)


class Admission(NamedTuple):
    """A match, and what a device may do with it."""

    record: MatchRecord
    access: Access
    side: int | None
    """The position of the side that the device counts for, if any."""


def _look_up(rows: ReadTransaction, match: str, device: DeviceId) -> Admission | None:
    """Look up a match and what a device may do with it, which may be nothing.

    None if there is no such match.
    """
    record = rows.match(match)
    if record is None:
        return None
    role = rows.find_role(match, hash_device_id(device))
    access = Access(role.access)
    if is_admin(device):
        access = Access.OWN
    return Admission(record, access, role.side)


def find_access(rows: ReadTransaction, match: str, device: DeviceId) -> Access:
    """Find out what a device may do with a match; NONE if there is no such match.

    The id of the match may be any text, for example from a URL.
    """
    found = _look_up(rows, match, device)
    if found is None:
        return Access.NONE
    return found.access


def choose_list_holder(device: DeviceId) -> str:
    """Choose whose lists of matches a device sees.

    - with admin access → ANYBODY, for the matches of all devices
    - any other device → its own id, in the form in which it is stored
    """
    if is_admin(device):
        return ANYBODY
    return hash_device_id(device)


def admit(
    rows: ReadTransaction, match: str, device: DeviceId, *, to_write: bool = False
) -> Admission:
    """Look up a match for a device that may see it, with what the device may do.

    Raises MatchNotFound if the device may not see it, as if there were no such match. With
    `to_write`, raises NotAllowed if it may only view it.
    """
    found = _look_up(rows, match, device)
    if found is None or found.access is Access.NONE:
        raise MatchNotFound(match)
    if to_write and not found.access.can_write:
        raise NotAllowed(match)
    return found


def admit_owner(rows: ReadTransaction, match: str, device: DeviceId) -> None:
    """Make sure that a device is the owner of a match.

    Otherwise raises NotOwner if it may write, NotAllowed if it may only view, and MatchNotFound if
    it may not even see the match.
    """
    admission = admit(rows, match, device, to_write=True)
    if admission.access is not Access.OWN:
        raise NotOwner(match)
