"""Access to matches: keys, devices and roles, the owner's decisions, and the errors for denied
access.

The data file holds only a digest of each key, so a copy of the file gives no access. A device that
can write must be able to show the view key, even if another device renewed it: the view key is
stored encrypted with the write key, so neither the file alone nor the view key alone is enough to
decrypt it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, NewType

from scorepad.errors import ScorepadError
from scorepad.matches.events import Event, Number
from scorepad.storage.rows import (
    ANYBODY,
    AT_HOME,
    PROGRAM,
    KeyRecord,
    MatchRecord,
    ReadTransaction,
    WriteTransaction,
    known_as,
)

if TYPE_CHECKING:
    pass

MatchId = NewType("MatchId", str)
"""A match id: ten random letters and digits, safe in a URL."""

DeviceId = NewType("DeviceId", str)
"""The random id of a browser or command line."""

RequestId = NewType("RequestId", str)
"""The random id of one form submission: sent twice, it is executed once."""

KEEPER = DeviceId("@keeper")
"""The command line, which can read the data file and owns every match. No browser has this id."""

SIDE_KEYS = ("a", "b", "c")
"""The keys of the sides in stored hands; names are labels that may change."""

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""The 32 characters of keys and match ids, without those easily confused when copied by hand."""
LENGTH = 26
"""Characters of a key: 130 random bits."""
_BITS = 5 * LENGTH
_DIGITS = str.maketrans(LETTERS, "0123456789abcdefghijklmnopqrstuv")


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


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a match: to write, and to view. Secret; the file holds their digests."""

    write: str = field(repr=False)
    view: str = field(repr=False)


NO_KEYS = Keys("", "")


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


class NoSuchKey(ScorepadError):
    """An unknown or withdrawn key. It is not in the message: the message may be logged."""


class MatchOver(MatchError):
    """The match `id` is finished: no further hand can be counted. Corrections and undo are still
    possible.
    """


class OwnHand(MatchError):
    """The side that counted the hand `number` of the match `id` may not check it."""

    def __init__(self, match: str, number: int) -> None:
        super().__init__(match)
        self.number = number


class HandsCounted(MatchError):
    """The rules of the match `id` are fixed since its first hand was counted."""


class RequestRefused(ScorepadError):
    """A request id that is malformed, or was used for something else."""

    def __init__(self, request: str) -> None:
        super().__init__(request)
        self.request = request


class SentOtherwise(RequestRefused):
    """A request id repeated with other content: the first submission is kept."""


# -------------------------------------------------------------------------------------------- roles


def at_home(device: DeviceId) -> DeviceId:
    """A browser with the home privilege: it may see every match, and is recorded under its own id."""
    return DeviceId(f"{AT_HOME}{device}")


def program_of(key: str) -> DeviceId:
    """The device of all programs that send a key; it cannot be derived without the key."""
    digest = hashlib.sha256(f"device of {key.strip().lower()}".encode()).hexdigest()
    return DeviceId(f"{PROGRAM}{digest}")


def is_keeper(device: DeviceId) -> bool:
    """Whether the device owns every match."""
    return device == KEEPER or device.startswith(AT_HOME)


def _look_up(
    rows: ReadTransaction, match: str, device: DeviceId
) -> tuple[MatchRecord | None, Access, int | None]:
    owns, record = is_keeper(device), rows.match(match)
    if record is None:
        return None, Access.NONE, None
    access, side = rows.role(match, known_as(device))
    return record, Access.OWN if owns else Access(access), side


def access_of(rows: ReadTransaction, match: str, device: DeviceId) -> Access:
    """What a device may do with a match, whose id may be any text; none if there is no such match."""
    return _look_up(rows, match, device)[1]


def holder_of(device: DeviceId) -> str:
    """The holder of the lists of matches that a device may see."""
    return ANYBODY if is_keeper(device) else known_as(device)


def admit(
    rows: ReadTransaction, match: str, device: DeviceId, *, to_write: bool = False
) -> tuple[MatchRecord, Access, int | None]:
    """The match, the device's access to it, and the side that it counts for, if any.

    Raises MatchNotFound if it has no access or there is no such match, and NotAllowed if `to_write`
    and it may only view.
    """
    record, access, side = _look_up(rows, match, device)
    if record is None or access is Access.NONE:
        raise MatchNotFound(match)
    if to_write and not access.can_write:
        raise NotAllowed(match)
    return record, access, side


def admit_owner(rows: ReadTransaction, match: str, device: DeviceId) -> None:
    """Admit only the owner of a match. Raises MatchNotFound, NotAllowed, and NotOwner for other
    writers.
    """
    _, access, _ = admit(rows, match, device, to_write=True)
    if access is not Access.OWN:
        raise NotOwner(match)


# --------------------------------------------------------------------------------------------- keys


def new_key() -> str:
    """A random key."""
    return _key_from(secrets.randbits(_BITS))


def is_key(text: str) -> bool:
    """Whether a text has the form of a key."""
    return len(text) == LENGTH and all(letter in LETTERS for letter in text)


def digest_of(key: str) -> str:
    """The stored digest of a key. An unsalted hash is enough for 130 random bits."""
    return hashlib.sha256(key.encode()).hexdigest()


def encrypt_view_key(view: str, write: str) -> str:
    """The key to view, encrypted with the key to write."""
    return _key_from(_number_of(view) ^ _pad(write, digest_of(view)))


def decrypt_view_key(veiled: str, digest: str, write: str) -> str | None:
    """The key to view with this digest; None if it was encrypted with another key to write."""
    view = _key_from(_number_of(veiled) ^ _pad(write, digest)) if is_key(veiled) else ""
    return view if digest_of(view) == digest else None


def make_keys(
    rows: WriteTransaction,
    match: str,
    now: datetime,
    carried: Keys = NO_KEYS,
    renewed: Collection[Access] = (Access.WRITE, Access.VIEW),
) -> Keys:
    """Renew keys of a match, and return the keys that the caller then knows; new keys are shown
    only once.

    Keys that are not renewed are taken from `carried`. If both are known, the view key is encrypted
    again.
    """
    write, view, record = carried.write, carried.view, rows.key_of(match, Access.VIEW)
    if Access.WRITE in renewed:
        write = new_key()
        rows.put(KeyRecord(match, Access.WRITE, digest_of(write), now))
    if Access.VIEW in renewed:
        view = new_key()
        record = KeyRecord(match, Access.VIEW, digest_of(view), now)
    if record is not None:
        rows.put(replace(record, veiled=encrypt_view_key(view, write) if view and write else None))
    return Keys(write, view)


def known_keys(rows: ReadTransaction, match: str, carried: Keys) -> Keys:
    """The valid keys of a match that the device carries or, for the view key, can decrypt; empty
    otherwise.
    """
    write, view = rows.key_of(match, Access.WRITE), rows.key_of(match, Access.VIEW)
    is_write = write is not None and digest_of(carried.write) == write.digest
    known = ""
    if view is not None:
        is_view = digest_of(carried.view) == view.digest
        known = (
            carried.view
            if is_view
            else decrypt_view_key(view.veiled or "", view.digest, carried.write) or ""
        )
    return Keys(carried.write if is_write else "", known)


def _pad(write: str, digest: str) -> int:
    """A pad unique to each pair of keys, so that one view key reveals nothing about the next."""
    mac = hmac.digest(write.encode(), f"key to view {digest}".encode(), "sha256")
    return int.from_bytes(mac, "big") % (1 << _BITS)


def _number_of(key: str) -> int:
    return int(key.translate(_DIGITS), 32)


def _key_from(number: int) -> str:
    return "".join(LETTERS[number >> 5 * place & 31] for place in reversed(range(LENGTH)))


# ------------------------------------------------------------------------------------------ devices


class AccessAction(StrEnum):
    """The owner's decisions about access to a match."""

    RENEW = "renew"
    WITHDRAW = "withdraw"
    HAND_ON = "hand-on"
    REMOVE = "remove"
    START_OVER = "start-over"


class AccessChange(Event, kind="access", can_be_undone=False, is_short=True):
    """A decision about access: the key, or the number of the device. It does not change the match
    itself.
    """

    what: AccessAction
    access: Access | None = None
    phone: Number | None = None


class Outcome(StrEnum):
    """The result of an owner's decision: done, done before by the same request, or the device is
    gone.
    """

    DONE = "done"
    AGAIN = "again"
    GONE = "gone"
