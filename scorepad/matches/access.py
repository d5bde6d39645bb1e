"""Access to matches: devices, roles and keys, and the errors for what is not there or not allowed.

The data file holds a digest of each key, so that a copy of it opens nothing. Who can write must be able to show the key
to view, wherever it was made and however often it is renewed: it stands in the file encrypted with the key to write,
and nobody can read it who has only the file, or only the key to view.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import NewType

from scorepad.errors import ScorepadError
from scorepad.storage.rows import ANYBODY, AT_HOME, KeyRecord, MatchRecord, Reading, Writing, known_as

MatchId = NewType("MatchId", str)
"""A match: ten random letters and figures, fit for an address."""

DeviceId = NewType("DeviceId", str)
"""A browser or a command line, by its random name."""

DeviceMark = NewType("DeviceMark", str)
"""A device as the data file knows it: a digest of its name, which opens nothing."""

RequestId = NewType("RequestId", str)
"""The random id of one submission of a form: sent twice, it counts once."""

KEEPER = DeviceId("@keeper")
"""The command line, which has the data file itself: owns every match. No browser is called so."""

SIDE_KEYS = ("a", "b", "c")
"""The keys of the sides in stored hands; names are labels that may change."""

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""The 32 letters of keys and match ids, without those that are mistaken for one another when copied by hand."""
LENGTH = 26
"""Letters of a key: 130 random bits."""
_BITS = 5 * LENGTH


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

    @property
    def rank(self) -> int:
        """How much it allows, from 0."""
        return tuple(Access).index(self)


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a match: to write, and to view. Secrets; the file holds their digests."""

    write: str = field(repr=False)
    view: str = field(repr=False)


# ---------------------------------------------------------------------------------------------------- errors


class MatchError(ScorepadError):
    """About the match `id`, which stays out of the message: that goes to the log."""

    def __init__(self, match: str) -> None:
        super().__init__()
        self.id = match


class MatchNotFound(MatchError):
    """There is no such match, or none for this device, without saying which. `id` is what was asked for."""


class NotAllowed(MatchError):
    """The device may only view the match `id`."""


class NotOwner(NotAllowed):
    """The device may write in the match `id`, but only its owner decides about access."""


class NoSuchKey(ScorepadError):
    """A key that opens nothing: never made, or withdrawn. It stays out of the message: that may go to the log."""


class MatchOver(MatchError):
    """The match `id` is finished: no further hand is played. Corrections and undo are still possible."""


class OwnHand(MatchError):
    """The side that counted a hand of the match `id` does not check it. `number` is that of the hand."""

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
    """A request id that comes again with other content: the first submission stands."""


# ---------------------------------------------------------------------------------------------------- roles


def at_home(device: DeviceId) -> DeviceId:
    """A browser with the home privilege: it has every match, and is recorded under its own name."""
    return DeviceId(f"{AT_HOME}{device}")


def is_keeper(device: DeviceId) -> bool:
    """Whether the device owns every match."""
    return device == KEEPER or device.startswith(AT_HOME)


def access_of(rows: Reading, match: str, device: DeviceId) -> Access:
    """What a device may do with a match; none where there is no such match."""
    if is_keeper(device):
        return Access.NONE if find(rows, match) is None else Access.OWN
    granted = rows.access(match, known_as(device)) if _is_plain(match) else None
    return Access(granted or Access.NONE)


def holder_of(device: DeviceId) -> str:
    """The holder of the lists of matches that a device may see."""
    return ANYBODY if is_keeper(device) else known_as(device)


def find(rows: Reading, match: str) -> MatchRecord | None:
    """The match of this id, which may be any text from an address."""
    return rows.match(match) if _is_plain(match) else None


def admit(rows: Reading, match: str, device: DeviceId, *, to_write: bool = False) -> tuple[MatchRecord, Access]:
    """The match and what the device may do with it.

    Raises MatchNotFound where it may do nothing, whether there is such a match or not, and NotAllowed where it may
    view but wants to write.
    """
    access = access_of(rows, match, device)
    record = find(rows, match)
    if record is None or access is Access.NONE:
        raise MatchNotFound(match)
    if to_write and not access.can_write:
        raise NotAllowed(match)
    return record, access


def admit_owner(rows: Reading, match: str, device: DeviceId) -> None:
    """Admit the owner of a match only. Raises MatchNotFound, NotAllowed, and NotOwner for one who may write."""
    _, access = admit(rows, match, device, to_write=True)
    if access is not Access.OWN:
        raise NotOwner(match)


def _is_plain(name: str) -> bool:
    return name.isascii() and name.isprintable()


# ---------------------------------------------------------------------------------------------------- keys


def new_key() -> str:
    """A random key."""
    return _spelt(secrets.randbits(_BITS))


def is_key(text: str) -> bool:
    """Whether this has the form of a key."""
    return len(text) == LENGTH and all(letter in LETTERS for letter in text)


def digest_of(key: str) -> str:
    """What the file holds of a key: 130 random bits cannot be guessed back from a plain digest."""
    return hashlib.sha256(key.encode()).hexdigest()


def matches_key(key: str, record: KeyRecord | None) -> bool:
    """Whether a key is that of the record."""
    return record is not None and len(key) == LENGTH and digest_of(key) == record.digest


def encrypt_view_key(view: str, write: str) -> str:
    """The key to view, encrypted with the key to write."""
    return _spelt(_number(view) ^ _pad(write, digest_of(view)))


def decrypt_view_key(veiled: str, digest: str, write: str) -> str | None:
    """The key to view with this digest; None where it was encrypted with another key to write."""
    view = _spelt(_number(veiled) ^ _pad(write, digest)) if is_key(veiled) else ""
    return view if digest_of(view) == digest else None


def new_keys(rows: Writing, match: str, now: datetime) -> Keys:
    """Make both keys of a match, in place of those before. They are shown this once: the file keeps their digests."""
    return renew_view_key(rows, match, renew_write_key(rows, match, "", now).write, now)


def renew_write_key(rows: Writing, match: str, view: str, now: datetime) -> Keys:
    """Make another key to write; the one to view stays, encrypted with the new one where it is known."""
    write, record = new_key(), rows.key_of(match, Access.VIEW)
    rows.put(KeyRecord(match, Access.WRITE, digest_of(write), now))
    if record is not None:
        rows.put(replace(record, veiled=encrypt_view_key(view, write) if view else None))
    return Keys(write, view)


def renew_view_key(rows: Writing, match: str, write: str, now: datetime) -> Keys:
    """Make another key to view, encrypted with the key to write where that is known."""
    view = new_key()
    veiled = encrypt_view_key(view, write) if write else None
    rows.put(KeyRecord(match, Access.VIEW, digest_of(view), now, veiled))
    return Keys(write, view)


def known_view_key(rows: Reading, match: str, carried: Keys) -> str:
    """The key to view, for a device that has it or can decrypt it; otherwise empty."""
    record = rows.key_of(match, Access.VIEW)
    if record is None:
        return ""
    if matches_key(carried.view, record):
        return carried.view
    return decrypt_view_key(record.veiled or "", record.digest, carried.write) or ""


def _pad(write: str, digest: str) -> int:
    """Another one for each pair of keys: one key to view tells nothing of the next."""
    mac = hmac.digest(write.encode(), f"key to view {digest}".encode(), "sha256")
    return int.from_bytes(mac, "big") % (1 << _BITS)


def _number(key: str) -> int:
    number = 0
    for letter in key:
        number = number * 32 + LETTERS.index(letter)
    return number


def _spelt(number: int) -> str:
    return "".join(LETTERS[number >> 5 * place & 31] for place in reversed(range(LENGTH)))
