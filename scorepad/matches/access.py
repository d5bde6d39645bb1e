"""Access to matches: keys, devices and roles, the owner's decisions, and the errors for denied access.

The data file holds only a digest of each key, so a copy of the file gives no access. A device that can write must be
able to show the view key, even if another device renewed it: the view key is stored encrypted with the write key,
so neither the file alone nor the view key alone is enough to decrypt it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, NewType

from scorepad.errors import ScorepadError
from scorepad.matches.events import Event, Number
from scorepad.matches.names import LONGEST, tidy_text
from scorepad.rules.variants import Ruleset, use_words
from scorepad.storage.rows import (
    ANYBODY,
    AT_HOME,
    DeviceRecord,
    KeyRecord,
    MatchRecord,
    ReadTransaction,
    WriteTransaction,
    known_as,
)

if TYPE_CHECKING:
    from scorepad.matches.projection import MatchState
    from scorepad.matches.transaction import Context, Transaction

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


# ---------------------------------------------------------------------------------------------------- errors


class MatchError(ScorepadError):
    """An error about the match `id`, which is not in the message: the message is logged."""

    def __init__(self, match: str) -> None:
        super().__init__()
        self.id = match


class MatchNotFound(MatchError):
    """The match does not exist or the device may not see it, without saying which. `id` is the requested id."""


class NotAllowed(MatchError):
    """The device may only view the match `id`."""


class NotOwner(NotAllowed):
    """The device may write in the match `id`, but only its owner may change access."""


class NoSuchKey(ScorepadError):
    """An unknown or withdrawn key. It is not in the message: the message may be logged."""


class MatchOver(MatchError):
    """The match `id` is finished: no further hand can be counted. Corrections and undo are still possible."""


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


# ---------------------------------------------------------------------------------------------------- roles


def at_home(device: DeviceId) -> DeviceId:
    """A browser with the home privilege: it may see every match, and is recorded under its own id."""
    return DeviceId(f"{AT_HOME}{device}")


def is_keeper(device: DeviceId) -> bool:
    """Whether the device owns every match."""
    return device == KEEPER or device.startswith(AT_HOME)


def _look_up(rows: ReadTransaction, match: str, device: DeviceId) -> tuple[MatchRecord | None, Access, int | None]:
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

    Raises MatchNotFound if it has no access or there is no such match, and NotAllowed if `to_write` and it may only
    view.
    """
    record, access, side = _look_up(rows, match, device)
    if record is None or access is Access.NONE:
        raise MatchNotFound(match)
    if to_write and not access.can_write:
        raise NotAllowed(match)
    return record, access, side


def admit_owner(rows: ReadTransaction, match: str, device: DeviceId) -> None:
    """Admit only the owner of a match. Raises MatchNotFound, NotAllowed, and NotOwner for other writers."""
    _, access, _ = admit(rows, match, device, to_write=True)
    if access is not Access.OWN:
        raise NotOwner(match)


# ---------------------------------------------------------------------------------------------------- keys


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
    """Renew keys of a match, and return the keys that the caller then knows; new keys are shown only once.

    Keys that are not renewed are taken from `carried`. If both are known, the view key is encrypted again.
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
    """The valid keys of a match that the device carries or, for the view key, can decrypt; empty otherwise."""
    write, view = rows.key_of(match, Access.WRITE), rows.key_of(match, Access.VIEW)
    is_write = write is not None and digest_of(carried.write) == write.digest
    known = ""
    if view is not None:
        is_view = digest_of(carried.view) == view.digest
        known = carried.view if is_view else decrypt_view_key(view.veiled or "", view.digest, carried.write) or ""
    return Keys(carried.write if is_write else "", known)


def _pad(write: str, digest: str) -> int:
    """A pad unique to each pair of keys, so that one view key reveals nothing about the next."""
    mac = hmac.digest(write.encode(), f"key to view {digest}".encode(), "sha256")
    return int.from_bytes(mac, "big") % (1 << _BITS)


def _number_of(key: str) -> int:
    return int(key.translate(_DIGITS), 32)


def _key_from(number: int) -> str:
    return "".join(LETTERS[number >> 5 * place & 31] for place in reversed(range(LENGTH)))


# ---------------------------------------------------------------------------------------------------- devices

HOME_LINK_LASTS = timedelta(minutes=15)
"""How long a home link made by the command line is valid."""
MOST_VIEWERS = 64
"""Most view-only devices of a match. One more replaces the oldest of them."""


class AccessAction(StrEnum):
    """The owner's decisions about access to a match."""

    RENEW = "renew"
    WITHDRAW = "withdraw"
    HAND_ON = "hand-on"
    REMOVE = "remove"
    START_OVER = "start-over"


class AccessChange(Event, kind="access", can_be_undone=False):
    """A decision about access: the key, or the number of the device. It does not change the match itself."""

    what: AccessAction
    access: Access | None = None
    phone: Number | None = None


class Outcome(StrEnum):
    """The result of an owner's decision: done, done before by the same request, or the device is gone."""

    DONE = "done"
    AGAIN = "again"
    GONE = "gone"


class Entered(NamedTuple):
    """A device that entered by a key: the match, and the keys that the device may show from now on."""

    match: MatchId
    keys: Keys


class Held(NamedTuple):
    """The keys that a device may show, and the kinds of access that have a key."""

    keys: Keys
    made: frozenset[Access]


class Devices:
    """The keys and devices of the matches of a data file.

    Methods that take a match raise MatchNotFound if the device may not see it. Those that change access raise
    NotOwner if another device owns the match (NotAllowed for a device that may only view).

    Decisions are stored in the match's log under their request id: a repeated request changes nothing, even after a
    change of owner. RequestRefused is raised for an id that was used for something else.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.reading = context.storage.reading

    def let_write(self, match: MatchId, device: DeviceId) -> Ruleset:
        """Admit only a device that may write; returns the rules, which word what follows.

        Raises MatchNotFound, NotAllowed.
        """
        with self.reading() as rows:
            record, _, _ = admit(rows, match, device, to_write=True)
            rules = self.context.rules_of(rows)(record.ruleset)
        use_words(rules.words)
        return rules

    # ------------------------------------------------------------------------------------------------ keys

    def enter(self, key: str, device: DeviceId, nonce: str = "") -> Entered:
        """Grant a device the access of a key; access that it has already is kept. Raises NoSuchKey.

        The first device that enters with a write key owns a match without an owner. With a `nonce`, the device's
        cookies with another nonce become invalid.
        """
        if nonce or self.gives_access(key, device):
            with self.context.storage.writing() as rows:
                found = _key_record(rows, key)
                if nonce:
                    rows.put_nonce(known_as(device), digest_of(nonce))
                _let_in(rows, found.match, known_as(device), Access(found.access), self.context.clock())
        with self.reading() as rows:
            found = _key_record(rows, key)
            key = key.strip().lower()
            return Entered(MatchId(found.match), known_keys(rows, found.match, Keys(key, key)))

    def gives_access(self, key: str, device: DeviceId) -> bool:
        """Whether the key gives the device more access than it has. Raises NoSuchKey."""
        with self.reading() as rows:
            found = _key_record(rows, key)
            return _gain(rows.grants(found.match), known_as(device), Access(found.access)) is not None

    def state(self, key: str, device: DeviceId, match: str | None = None, *, to_write: bool = False) -> MatchState:
        """The match of a key, for a device that enters by it. Raises NoSuchKey, and MatchNotFound for another `match`.

        `to_write`: raise NotAllowed for a key to view.
        """
        with self.reading() as rows:
            found = _key_record(rows, key)
            if match not in (None, found.match):
                raise MatchNotFound(match or "")
            if _gain(rows.grants(found.match), known_as(device), Access(found.access)) is None:
                return self.context.seen(rows, MatchId(found.match), device, to_write=to_write)
        self.enter(key, device)
        return self.state(key, device, match, to_write=to_write)

    def is_current(self, device: DeviceId, nonces: tuple[str, ...]) -> bool:
        """Whether one of the nonces from the device's cookies is current; an empty nonce: the cookie has none."""
        with self.reading() as rows:
            return rows.nonce(known_as(device)) in {nonce and digest_of(nonce) for nonce in nonces}

    def holds(self, match: MatchId, device: DeviceId, carried: Keys) -> Held:
        """The keys carried by a device that are still valid; with the write key, it has both."""
        with self.reading() as rows:
            _, access, _ = admit(rows, match, device)
            keys = known_keys(rows, match, carried if access.can_write else replace(carried, write=""))
            return Held(keys, frozenset(each for each in (Access.WRITE, Access.VIEW) if rows.key_of(match, each)))

    def renew(
        self, match: MatchId, device: DeviceId, access: Access, carried: Keys, request: RequestId | None = None
    ) -> Keys:
        """Replace the key to write, or to view; returns the keys that the device then holds.

        Devices with exactly this access, except the owner's, are removed until they enter with the new key. Returns
        NO_KEYS for a repeated request: a key is shown once.
        """
        with self._decision(match, device, request, AccessAction.RENEW, access) as (tx, _):
            if tx is None:
                return NO_KEYS
            _remove_all(tx.rows, match, access)
            return make_keys(tx.rows, match, tx.now, known_keys(tx.rows, match, carried), (access,))

    def withdraw(self, match: MatchId, device: DeviceId, access: Access, request: RequestId | None = None) -> Outcome:
        """Withdraw the key for this access, and remove all devices with exactly this access except the owner's."""
        with self._decision(match, device, request, AccessAction.WITHDRAW, access) as (tx, outcome):
            if tx:
                _remove_all(tx.rows, match, access)
                tx.rows.drop_key(match, access)
        return outcome

    def start_over(self, match: MatchId, device: DeviceId, request: RequestId | None = None) -> Keys:
        """Make new keys for a match whose devices are lost; remove all its devices and its owner.

        Returns NO_KEYS for a repeated request.
        """
        with self._decision(match, device, request, AccessAction.START_OVER) as (tx, _):
            if tx is None:
                return NO_KEYS
            for access in (Access.VIEW, Access.WRITE, Access.OWN):
                _remove_all(tx.rows, match, access)
            return make_keys(tx.rows, match, tx.now)

    @contextmanager
    def _decision(
        self,
        match: MatchId,
        device: DeviceId,
        request: RequestId | None,
        action: AccessAction,
        access: Access | None = None,
        mark: str | None = None,
    ) -> Iterator[tuple[Transaction | None, Outcome]]:
        """A transaction for an owner's decision, stored at its end; None if there is nothing to decide.

        That is the case for a repeated request, whose device may no longer be the owner, and if the device that the
        decision is about is gone.
        """
        name = RequestId(secrets.token_urlsafe(16)) if request is None else request
        with self.context.transaction(match, device, name, action, access, mark) as tx:
            if self.context.first_result(tx.rows, tx.submission, AccessChange, tx.match) is not None:
                yield None, Outcome.AGAIN
                return
            admit_owner(tx.rows, match, device)
            number = next((each.number for each in tx.rows.grants(match) if each.device == mark), None)
            if mark is not None and number is None:
                yield None, Outcome.GONE
                return
            yield tx, Outcome.DONE
            tx.append(AccessChange(action, access, number))

    # ------------------------------------------------------------------------------------------------ home links

    def make_home_link(self) -> str:
        """Make a token that grants one browser access to every match, once, within HOME_LINK_LASTS."""
        token, now = new_key(), self.context.clock()
        with self.context.storage.writing() as rows:
            rows.drop_home_links("", now)
            rows.put_home_link(digest_of(token), now + HOME_LINK_LASTS)
        return token

    def is_home_link(self, token: str) -> bool:
        """Whether the token is valid now."""
        with self.reading() as rows:
            return _can_use(rows, token, self.context.clock())

    def use_home_link(self, token: str) -> bool:
        """Use up a token. Returns False if it is not valid (any more)."""
        now = self.context.clock()
        with self.context.storage.writing() as rows:
            can_use = _can_use(rows, token, now)
            rows.drop_home_links(digest_of(token), now)
            return can_use

    # ------------------------------------------------------------------------------------------------ devices

    def phones(self, match: MatchId, device: DeviceId) -> tuple[DeviceRecord, ...]:
        """The devices that have access to the match, in order of entry."""
        with self.reading() as rows:
            admit(rows, match, device)
            return rows.grants(match)

    def mine(self, match: MatchId, device: DeviceId) -> DeviceRecord | None:
        """The record of this device, if it ever entered the match."""
        mark = known_as(device)
        return next((each for each in self.phones(match, device) if each.device == mark), None)

    def holder(self, match: MatchId, mark: str) -> str:
        """The name of the holder of a device of the match; empty if unknown."""
        with self.reading() as rows:
            return next((each.name for each in rows.devices(match) if each.device == mark), "")

    def names(self, match: MatchId, device: DeviceId) -> dict[int, str]:
        """The known holders of all devices that ever entered the match, by device number."""
        with self.reading() as rows:
            admit(rows, match, device)
            return {each.number: each.name for each in rows.devices(match) if each.name}

    def hand_on(self, match: MatchId, device: DeviceId, mark: str, request: RequestId | None = None) -> Outcome:
        """Make another device the owner; the former owner may still write. GONE if that device was removed."""
        with self._decision(match, device, request, AccessAction.HAND_ON, mark=mark) as (tx, outcome):
            if tx:
                for grant in tx.rows.grants(match):
                    if grant.access == Access.OWN:
                        tx.rows.grant(match, grant.device, Access.WRITE, tx.now)
                tx.rows.grant(match, mark, Access.OWN, tx.now)
        return outcome

    def remove(self, match: MatchId, device: DeviceId, mark: str, request: RequestId | None = None) -> Outcome:
        """Remove a device; its key remains valid. GONE if it was removed already.

        Raises NotOwner for the owner's device.
        """
        with self._decision(match, device, request, AccessAction.REMOVE, mark=mark) as (tx, outcome):
            if tx:
                if tx.rows.role(match, mark)[0] == Access.OWN:
                    raise NotOwner(match)
                tx.rows.revoke(match, mark)
        return outcome

    def leave(self, match: MatchId, device: DeviceId) -> None:
        """Remove this device, which a key lets in again. Raises NotOwner for the owner's device.

        Like entering, it is not stored in the log.
        """
        with self.context.storage.writing() as rows:
            _, access, _ = admit(rows, match, device)
            if access is Access.OWN:
                raise NotOwner(match)
            rows.revoke(match, known_as(device))

    def sit(self, match: MatchId, device: DeviceId, side: int | None, name: str = "") -> None:
        """Set the side that this device counts for, by its position (None: no side), and its holder's name.

        Raises ValueError for an unknown side.
        """
        with self.context.transaction(match, device) as tx:
            if side is not None and side not in range(len(tx.match.rules.settings.sides)):
                raise ValueError(side)
            # A browser with the home privilege can write without having entered the match.
            _let_in(tx.rows, match, tx.submission.device, Access.WRITE, tx.now)
            tx.rows.put_seat(match, tx.submission.device, side, tidy_text(name)[:LONGEST])


def _key_record(rows: ReadTransaction, key: str) -> KeyRecord:
    """The stored record of a key as typed. Raises NoSuchKey."""
    key = key.strip().lower()
    found = rows.key(digest_of(key)) if is_key(key) else None
    if found is None:
        raise NoSuchKey
    return found


def _can_use(rows: ReadTransaction, token: str, now: datetime) -> bool:
    until = rows.home_link_until(digest_of(token))
    return until is not None and now < until <= now + HOME_LINK_LASTS  # later than that: the clock was set back


def _gain(granted: tuple[DeviceRecord, ...], device: str, access: Access) -> Access | None:
    """The access that a device gains by this one; None if it has as much already."""
    has = next((Access(grant.access) for grant in granted if grant.device == device), Access.NONE)
    is_anybodys = any(grant.access == Access.OWN for grant in granted)
    wanted = access if is_anybodys or not access.can_write else Access.OWN
    ranks = tuple(Access)
    return wanted if ranks.index(wanted) > ranks.index(has) else None


def _let_in(rows: WriteTransaction, match: str, device: str, access: Access, now: datetime) -> None:
    """Grant a device this access, unless it has more already.

    The oldest view-only devices are removed to make room, so that a shared link cannot fill the file.
    """
    granted = rows.grants(match)
    wanted = _gain(granted, device, access)
    if wanted is None:
        return
    if wanted is Access.VIEW:
        viewers = [(grant.granted, grant.number, grant.device) for grant in granted if grant.access == Access.VIEW]
        for *_, oldest in sorted(viewers)[: max(0, len(viewers) + 1 - MOST_VIEWERS)]:
            rows.forget(match, oldest)
    rows.grant(match, device, wanted, now)


def _remove_all(rows: WriteTransaction, match: str, access: Access) -> None:
    """Remove all devices with exactly this access."""
    for grant in rows.grants(match):
        if grant.access == access:
            rows.revoke(match, grant.device)
