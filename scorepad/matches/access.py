"""Access to matches: keys, devices and roles, the owner's decisions, and the errors for what is not allowed.

The data file holds a digest of each key, so that a copy of it opens nothing. Who can write must be able to show the key
to view, wherever it was made and however often it is renewed: it stands in the file encrypted with the key to write,
and nobody can read it who has only the file, or only the key to view.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, NewType

from scorepad.errors import ScorepadError
from scorepad.matches.events import Event, Number
from scorepad.matches.names import LONGEST, tidy_note
from scorepad.storage.rows import ANYBODY, AT_HOME, DeviceRecord, KeyRecord, MatchRecord, Reading, Writing, known_as

if TYPE_CHECKING:
    from scorepad.matches.transaction import Context, Transaction

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

    @property
    def rank(self) -> int:
        """How much it allows, from 0."""
        return tuple(Access).index(self)


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a match: to write, and to view. Secrets; the file holds their digests."""

    write: str = field(repr=False)
    view: str = field(repr=False)


NO_KEYS = Keys("", "")


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
    """What a device may do with a match, whose id may be any text; none where there is no such match."""
    if rows.match(match) is None:
        return Access.NONE
    return Access.OWN if is_keeper(device) else Access(rows.access(match, known_as(device)) or Access.NONE)


def holder_of(device: DeviceId) -> str:
    """The holder of the lists of matches that a device may see."""
    return ANYBODY if is_keeper(device) else known_as(device)


def admit(rows: Reading, match: str, device: DeviceId, *, to_write: bool = False) -> tuple[MatchRecord, Access]:
    """The match and what the device may do with it.

    Raises MatchNotFound where it may do nothing, whether there is such a match or not, and NotAllowed where it may
    view but wants to write.
    """
    access, record = access_of(rows, match, device), rows.match(match)
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


def make_keys(rows: Writing, match: str, now: datetime, carried: Keys, *renewed: Access) -> Keys:
    """Make keys of a match anew, in place of those before, which are shown this once; the keys known then.

    Of the others those that are `carried` stay known. The key to view is encrypted anew, where both are.
    """
    write = new_key() if Access.WRITE in renewed else carried.write
    view = new_key() if Access.VIEW in renewed else carried.view
    if Access.WRITE in renewed:
        rows.put(KeyRecord(match, Access.WRITE, digest_of(write), now))
    record = rows.key_of(match, Access.VIEW)
    if Access.VIEW in renewed:
        record = KeyRecord(match, Access.VIEW, digest_of(view), now)
    if record is not None:
        rows.put(replace(record, veiled=encrypt_view_key(view, write) if view and write else None))
    return Keys(write, view)


def new_keys(rows: Writing, match: str, now: datetime) -> Keys:
    """Make both keys of a match."""
    return make_keys(rows, match, now, NO_KEYS, Access.WRITE, Access.VIEW)


def known_keys(rows: Reading, match: str, carried: Keys) -> Keys:
    """The keys that open a match, for a device that has them, or can decrypt the one to view; empty otherwise."""
    write, view = rows.key_of(match, Access.WRITE), rows.key_of(match, Access.VIEW)
    known = ""
    if view is not None:
        decrypted = decrypt_view_key(view.veiled or "", view.digest, carried.write) or ""
        known = carried.view if matches_key(carried.view, view) else decrypted
    return Keys(carried.write if matches_key(carried.write, write) else "", known)


def _pad(write: str, digest: str) -> int:
    """Another one for each pair of keys: one key to view tells nothing of the next."""
    mac = hmac.digest(write.encode(), f"key to view {digest}".encode(), "sha256")
    return int.from_bytes(mac, "big") % (1 << _BITS)


def _number(key: str) -> int:
    return int(key.translate(_DIGITS), 32)


def _spelt(number: int) -> str:
    return "".join(LETTERS[number >> 5 * place & 31] for place in reversed(range(LENGTH)))


# ---------------------------------------------------------------------------------------------------- devices

HOME_LINK_LASTS = timedelta(minutes=15)
"""How long a home link that the command line made can be used."""
MOST_LOOKERS = 64
"""Devices of a match that may only view. One more takes the place of the oldest of them."""


class AccessAction(StrEnum):
    """What its owner decides about the access to a match."""

    RENEW = "renew"
    WITHDRAW = "withdraw"
    HAND_ON = "hand-on"
    REMOVE = "remove"
    START_OVER = "start-over"


class AccessChange(Event, kind="access", can_be_undone=False):
    """A decision about access: of which key, or about which device, by its number. It changes nothing of the match."""

    what: AccessAction
    access: Access | None = None
    phone: Number | None = None


class Outcome(StrEnum):
    """What became of a decision of the owner: done, done before by the same request, or the device is gone."""

    DONE = "done"
    AGAIN = "again"
    GONE = "gone"


class Entered(NamedTuple):
    """A device that came in: the match of its key, and the keys that it may show from now on."""

    match: MatchId
    keys: Keys


class Held(NamedTuple):
    """The keys that a device may show, and for what access there are keys at all."""

    keys: Keys
    made: frozenset[Access]


class Phone(NamedTuple):
    """A device of a match: its number in the order of coming, who holds it, what it may do, since when, and its side.

    `is_mine`: it is the device that asks.
    """

    number: int
    name: str
    mark: DeviceMark
    access: Access
    since: datetime
    side: int | None
    is_mine: bool


class Devices:
    """The keys and devices of the matches of a data file.

    Methods that name a match raise MatchNotFound where the device may not see it, and those that decide about access
    NotOwner (or NotAllowed, for a device that may only view) where another owns the match.

    Decisions are stored in the match's log under their request id: a repeated request changes nothing, whoever owns
    the match by then. RequestRefused is raised for an id that was used for something else.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.reading = context.storage.reading

    def let_write(self, match: MatchId, device: DeviceId) -> None:
        """Admit only a device that may write. Raises MatchNotFound, NotAllowed."""
        with self.reading() as rows:
            admit(rows, match, device, to_write=True)

    # ------------------------------------------------------------------------------------------------ keys

    def enter(self, key: str, device: DeviceId, nonce: str = "") -> Entered:
        """Let a device in by a key; it keeps what it may do already. Raises NoSuchKey.

        A match without an owner becomes that of the first device that comes in to write. With a `nonce`, no cookie of
        the device with another nonce is valid from now on.
        """
        key = key.strip().lower()
        if nonce or self.gives_access(key, device):
            with self.context.storage.writing() as rows:
                found = _key_record(rows, key)
                if nonce:
                    rows.put_nonce(known_as(device), digest_of(nonce))
                _let_in(rows, found.match, known_as(device), Access(found.access), self.context.clock())
        with self.reading() as rows:
            found = _key_record(rows, key)
            return Entered(MatchId(found.match), known_keys(rows, found.match, Keys(key, key)))

    def gives_access(self, key: str, device: DeviceId) -> bool:
        """Whether the key lets the device do more than it may do now. Raises NoSuchKey."""
        with self.reading() as rows:
            found = _key_record(rows, key.strip().lower())
            return _gain(rows.grants(found.match), known_as(device), Access(found.access)) is not None

    def is_current(self, device: DeviceId, nonces: tuple[str, ...]) -> bool:
        """Whether one of these nonces, of a cookie of the device, is its current one; empty for a cookie without."""
        with self.reading() as rows:
            return rows.nonce(known_as(device)) in {nonce and digest_of(nonce) for nonce in nonces}

    def holds(self, match: MatchId, device: DeviceId, carried: Keys) -> Held:
        """Which of the keys that a device carries still open the match; whoever holds the one to write has both."""
        with self.reading() as rows:
            _, access = admit(rows, match, device)
            keys = known_keys(rows, match, carried if access.can_write else replace(carried, write=""))
            return Held(keys, frozenset(each for each in (Access.WRITE, Access.VIEW) if rows.key_of(match, each)))

    def renew(
        self, match: MatchId, device: DeviceId, access: Access, carried: Keys, request: RequestId | None = None
    ) -> Keys:
        """Replace the key to write, or to view; the keys that the device holds then.

        Devices with just this access, but the owner's, are removed until they come by the new key. NO_KEYS for a
        repeated request: a key is shown once.
        """
        with self._decision(match, device, request, AccessAction.RENEW, access) as (tx, _):
            if tx is None:
                return NO_KEYS
            _remove_all(tx.rows, match, access)
            return make_keys(tx.rows, match, tx.now, known_keys(tx.rows, match, carried), access)

    def withdraw(self, match: MatchId, device: DeviceId, access: Access, request: RequestId | None = None) -> Outcome:
        """Withdraw the key for this access, and remove all devices with just this access but the owner's."""
        with self._decision(match, device, request, AccessAction.WITHDRAW, access) as (tx, outcome):
            if tx:
                _remove_all(tx.rows, match, access)
                tx.rows.drop_key(match, access)
        return outcome

    def start_over(self, match: MatchId, device: DeviceId, request: RequestId | None = None) -> Keys:
        """Make new keys for a match whose devices are lost: all of them are removed, and it has no owner.

        NO_KEYS where this had been sent before.
        """
        with self._decision(match, device, request, AccessAction.START_OVER) as (tx, _):
            if tx is None:
                return NO_KEYS
            for access in (Access.VIEW, Access.WRITE, Access.OWN):
                _remove_all(tx.rows, match, access)
            return new_keys(tx.rows, match, tx.now)

    @contextmanager
    def _decision(
        self,
        match: MatchId,
        device: DeviceId,
        request: RequestId | None,
        action: AccessAction,
        access: Access | None = None,
        mark: DeviceMark | None = None,
    ) -> Iterator[tuple[Transaction | None, Outcome]]:
        """A transaction for a decision of the owner, stored at its end; None where there is nothing to decide.

        That is for a repeated request, whose device may have been the owner and not be it any more, and where the
        device in question is gone.
        """
        name = RequestId(secrets.token_urlsafe(16)) if request is None else request
        with self.context.transaction(match, device, name, action, access, mark) as tx:
            if self.context.first_result(tx.rows, tx.sent, AccessChange, tx.match) is not None:
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
        """Make the token of a link that gives one browser every match, once, within HOME_LINK_LASTS."""
        token, now = new_key(), self.context.clock()
        with self.context.storage.writing() as rows:
            rows.drop_home_links("", now)
            rows.put_home_link(digest_of(token), now + HOME_LINK_LASTS)
        return token

    def is_home_link(self, token: str) -> bool:
        """Whether the token is one that can be used now."""
        with self.reading() as rows:
            return _can_use(rows, token, self.context.clock())

    def use_home_link(self, token: str) -> bool:
        """Use up a token. Returns False if it cannot be used (any more)."""
        now = self.context.clock()
        with self.context.storage.writing() as rows:
            can_use = _can_use(rows, token, now)
            rows.drop_home_links(digest_of(token), now)
            return can_use

    # ------------------------------------------------------------------------------------------------ devices

    def phones(self, match: MatchId, device: DeviceId) -> tuple[Phone, ...]:
        """The devices that may do something with the match, in the order of their coming."""
        with self.reading() as rows:
            admit(rows, match, device)
            return tuple(
                Phone(
                    each.number, each.name, DeviceMark(each.device), Access(each.access), each.granted, each.side,
                    each.device == known_as(device),
                )
                for each in rows.grants(match)
            )  # fmt: skip

    def seat(self, match: MatchId, device: DeviceId) -> int | None:
        """The side that a device counts for, by its position, if any."""
        with self.reading() as rows:
            return rows.seat(match, known_as(device))

    def holder(self, match: MatchId, mark: str) -> str:
        """The name of who holds a device of the match; empty if unknown."""
        with self.reading() as rows:
            return next((each.name for each in rows.devices(match) if each.device == mark), "")

    def names(self, match: MatchId, device: DeviceId) -> dict[int, str]:
        """Who holds each device that ever came to the match, by its number, where it is known."""
        with self.reading() as rows:
            admit(rows, match, device)
            return {each.number: each.name for each in rows.devices(match) if each.name}

    def hand_on(self, match: MatchId, device: DeviceId, mark: DeviceMark, request: RequestId | None = None) -> Outcome:
        """Make another device the owner; the former one may still write. GONE where that device was removed."""
        with self._decision(match, device, request, AccessAction.HAND_ON, mark=mark) as (tx, outcome):
            if tx:
                for grant in tx.rows.grants(match):
                    if grant.access == Access.OWN:
                        tx.rows.grant(match, grant.device, Access.WRITE, tx.now)
                tx.rows.grant(match, mark, Access.OWN, tx.now)
        return outcome

    def remove(self, match: MatchId, device: DeviceId, mark: DeviceMark, request: RequestId | None = None) -> Outcome:
        """Remove a device; its key still opens the match. GONE where it was removed already.

        Raises NotOwner for that of the owner.
        """
        with self._decision(match, device, request, AccessAction.REMOVE, mark=mark) as (tx, outcome):
            if tx:
                if tx.rows.access(match, mark) == Access.OWN:
                    raise NotOwner(match)
                tx.rows.revoke(match, mark)
        return outcome

    def sit(self, match: MatchId, device: DeviceId, side: int | None, name: str = "") -> None:
        """Set the side that this device counts for, by its position (None: no side), and who holds it.

        Raises ValueError for an unknown side.
        """
        with self.context.transaction(match, device) as tx:
            if side is not None and side not in range(len(tx.match.rules.settings.sides)):
                raise ValueError(side)
            # A browser with the home privilege writes without ever having come in.
            _let_in(tx.rows, match, tx.device, Access.WRITE, tx.now)
            tx.rows.put_seat(match, tx.device, side, tidy_note(name)[:LONGEST])


def _key_record(rows: Reading, key: str) -> KeyRecord:
    """What the file holds of a key. Raises NoSuchKey."""
    found = rows.key(digest_of(key)) if is_key(key) else None
    if found is None:
        raise NoSuchKey
    return found


def _can_use(rows: Reading, token: str, now: datetime) -> bool:
    until = rows.home_link_until(digest_of(token))
    return until is not None and now < until <= now + HOME_LINK_LASTS  # later than that: the clock was set back


def _gain(granted: tuple[DeviceRecord, ...], device: str, access: Access) -> Access | None:
    """The access that a device gains by this one; None where it has as much already."""
    has = next((Access(grant.access) for grant in granted if grant.device == device), Access.NONE)
    is_anybodys = any(grant.access == Access.OWN for grant in granted)
    wanted = access if is_anybodys or not access.can_write else Access.OWN
    return wanted if wanted.rank > has.rank else None


def _let_in(rows: Writing, match: str, device: str, access: Access, now: datetime) -> None:
    """Grant a device this access, unless it has more already.

    Of devices that only view the oldest make room for one more: a shared link cannot fill the file.
    """
    granted = rows.grants(match)
    wanted = _gain(granted, device, access)
    if wanted is None:
        return
    if wanted is Access.VIEW:
        viewers = [(grant.granted, grant.number, grant.device) for grant in granted if grant.access == Access.VIEW]
        for *_, oldest in sorted(viewers)[: max(0, len(viewers) + 1 - MOST_LOOKERS)]:
            rows.forget(match, oldest)
    rows.grant(match, device, wanted, now)


def _remove_all(rows: Writing, match: str, access: Access) -> None:
    """Remove all devices with just this access."""
    for grant in rows.grants(match):
        if grant.access == access:
            rows.revoke(match, grant.device)
