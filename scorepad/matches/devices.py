"""The keys and devices of matches: who may come in, and whose match it is."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, TypeVar

from scorepad.matches.access import (
    Access,
    DeviceId,
    DeviceMark,
    Keys,
    MatchId,
    NoSuchKey,
    NotOwner,
    RequestId,
    admit,
    admit_owner,
    digest_of,
    is_key,
    known_view_key,
    matches_key,
    new_key,
    new_keys,
    renew_view_key,
    renew_write_key,
)
from scorepad.matches.events import AccessAction, AccessChange
from scorepad.matches.names import LONGEST, tidy_note
from scorepad.matches.transaction import Service, Submission, Transaction
from scorepad.storage.rows import GrantRecord, KeyRecord, Reading, Writing, known_as

NO_KEYS = Keys("", "")
HOME_LINK_LASTS = timedelta(minutes=15)
"""How long a home link that the command line made can be used."""
MOST_LOOKERS = 64
"""Devices of a match that may only view. One more takes the place of the oldest of them."""

_Result = TypeVar("_Result")


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


class Devices(Service):
    """The keys and devices of the matches of a data file.

    Methods that name a match raise MatchNotFound where the device may not see it, and those that decide about access
    NotOwner (or NotAllowed, for a device that may only view) where another owns the match.

    Decisions are stored in the match's log under their request id: a repeated request changes nothing, whoever owns
    the match by then. RequestRefused is raised for an id that was used for something else.
    """

    def let_write(self, match: MatchId, device: DeviceId) -> None:
        """Admit only a device that may write. Raises MatchNotFound, NotAllowed."""
        with self.context.storage.reading() as rows:
            admit(rows, match, device, to_write=True)

    # ------------------------------------------------------------------------------------------------ keys

    def enter(self, key: str, device: DeviceId, nonce: str = "") -> Entered:
        """Let a device in by a key; it keeps what it may do already. Raises NoSuchKey.

        A match without an owner becomes that of the first device that comes in to write. With a `nonce`, no cookie of
        the device with another nonce is valid from now on.
        """
        key = key.strip().lower()
        if not nonce and not self.gives_access(key, device):
            with self.context.storage.reading() as rows:
                return _entered(rows, key)
        with self.context.storage.writing() as rows:
            found = _key_record(rows, key)
            if nonce:
                rows.put_nonce(known_as(device), digest_of(nonce))
            _let_in(rows, found.match, known_as(device), Access(found.access), self.context.clock())
            return _entered(rows, key)

    def gives_access(self, key: str, device: DeviceId) -> bool:
        """Whether the key lets the device do more than it may do now. Raises NoSuchKey."""
        with self.context.storage.reading() as rows:
            found = _key_record(rows, key.strip().lower())
            return _gain(rows.grants(found.match), known_as(device), Access(found.access)) is not None

    def is_current(self, device: DeviceId, nonces: tuple[str, ...]) -> bool:
        """Whether one of these nonces, of a cookie of the device, is its current one; empty for a cookie without."""
        with self.context.storage.reading() as rows:
            return rows.nonce(known_as(device)) in {nonce and digest_of(nonce) for nonce in nonces}

    def holds(self, match: MatchId, device: DeviceId, carried: Keys) -> Held:
        """Which of the keys that a device carries still open the match; whoever holds the one to write has both."""
        with self.context.storage.reading() as rows:
            _, access = admit(rows, match, device)
            records = (rows.key_of(match, name) for name in (Access.WRITE, Access.VIEW))
            made = {Access(each.access): each for each in records if each is not None}
            write = carried.write if access.can_write and matches_key(carried.write, made.get(Access.WRITE)) else ""
            return Held(Keys(write, known_view_key(rows, match, Keys(write, carried.view))), frozenset(made))

    def renew(
        self, match: MatchId, device: DeviceId, access: Access, carried: Keys, request: RequestId | None = None
    ) -> Keys:
        """Replace the key to write, or to view; the keys that the device holds then.

        Devices with just this access, but the owner's, are removed until they come by the new key. NO_KEYS for a
        repeated request: a key is shown once.
        """

        def act(tx: Transaction) -> Keys:
            _remove_all(tx.rows, match, access)
            view = known_view_key(tx.rows, match, carried)
            if access is Access.WRITE:
                return renew_write_key(tx.rows, match, view, tx.now)
            write = carried.write if matches_key(carried.write, tx.rows.key_of(match, Access.WRITE)) else ""
            return renew_view_key(tx.rows, match, write, tx.now)

        return self._decide(match, device, request, AccessAction.RENEW, act, access=access) or NO_KEYS

    def withdraw(self, match: MatchId, device: DeviceId, access: Access, request: RequestId | None = None) -> Outcome:
        """Withdraw the key for this access, and remove all devices with just this access but the owner's."""

        def act(tx: Transaction) -> Outcome:
            _remove_all(tx.rows, match, access)
            tx.rows.drop_key(match, access)
            return Outcome.DONE

        return self._decide(match, device, request, AccessAction.WITHDRAW, act, access=access) or Outcome.AGAIN

    def start_over(self, match: MatchId, device: DeviceId, request: RequestId | None = None) -> Keys:
        """Make new keys for a match whose devices are lost: all of them are removed, and it has no owner.

        NO_KEYS where this had been sent before.
        """

        def act(tx: Transaction) -> Keys:
            for grant in tx.rows.grants(match):
                tx.rows.revoke(match, grant.device)
            return new_keys(tx.rows, match, tx.now)

        return self._decide(match, device, request, AccessAction.START_OVER, act) or NO_KEYS

    def _decide(  # noqa: PLR0913, PLR0917 - who decides what, about which key or device
        self,
        match: MatchId,
        device: DeviceId,
        request: RequestId | None,
        action: AccessAction,
        act: Callable[[Transaction], _Result],
        access: Access | None = None,
        mark: DeviceMark | None = None,
    ) -> _Result | None:
        """Store a decision of the owner once; None where the request had been stored before.

        Then the device may have been the owner, and not be it any more.
        """
        name = RequestId(secrets.token_urlsafe(16)) if request is None else request
        sent = Submission.of(name, device, action, access, mark)
        with self.context.transaction(match, device, sent) as tx:
            if self.context.first_result(tx.rows, sent, AccessChange, match) is not None:
                return None
            admit_owner(tx.rows, match, device)
            number = None if mark is None else tx.rows.numbers(match).get(mark)
            result = act(tx)
            if result is not Outcome.GONE:
                tx.append(AccessChange(action, access, number))
            return result

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
        with self.context.storage.reading() as rows:
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
        with self.context.storage.reading() as rows:
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
        with self.context.storage.reading() as rows:
            return rows.seat(match, known_as(device))

    def holder(self, match: MatchId, mark: str) -> str:
        """The name of who holds a device of the match; empty if unknown."""
        with self.context.storage.reading() as rows:
            return rows.holders(match).get(mark, "")

    def names(self, match: MatchId, device: DeviceId) -> dict[int, str]:
        """Who holds each device that ever came to the match, by its number, where it is known."""
        with self.context.storage.reading() as rows:
            admit(rows, match, device)
            numbers = rows.numbers(match)
            return {numbers[mark]: name for mark, name in rows.holders(match).items()}

    def hand_on(self, match: MatchId, device: DeviceId, mark: DeviceMark, request: RequestId | None = None) -> Outcome:
        """Make another device the owner; the former one may still write. GONE where that device was removed."""

        def act(tx: Transaction) -> Outcome:
            grants = tx.rows.grants(match)
            if not any(grant.device == mark for grant in grants):
                return Outcome.GONE
            for grant in grants:
                if grant.access == Access.OWN:
                    tx.rows.grant(match, grant.device, Access.WRITE, tx.now)
            tx.rows.grant(match, mark, Access.OWN, tx.now)
            return Outcome.DONE

        return self._decide(match, device, request, AccessAction.HAND_ON, act, mark=mark) or Outcome.AGAIN

    def remove(self, match: MatchId, device: DeviceId, mark: DeviceMark, request: RequestId | None = None) -> Outcome:
        """Remove a device; its key still opens the match. GONE where it was removed already.

        Raises NotOwner for that of the owner.
        """

        def act(tx: Transaction) -> Outcome:
            access = tx.rows.access(match, mark)
            if access is None:
                return Outcome.GONE
            if access == Access.OWN:
                raise NotOwner(match)
            tx.rows.revoke(match, mark)
            return Outcome.DONE

        return self._decide(match, device, request, AccessAction.REMOVE, act, mark=mark) or Outcome.AGAIN

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


def _entered(rows: Reading, key: str) -> Entered:
    """The match that a key opens, and the keys that its holder may know. Raises NoSuchKey."""
    found = _key_record(rows, key)
    if found.access == Access.VIEW:
        return Entered(MatchId(found.match), Keys("", key))
    return Entered(MatchId(found.match), Keys(key, known_view_key(rows, found.match, Keys(key, ""))))


def _key_record(rows: Reading, key: str) -> KeyRecord:
    """What the file holds of a key. Raises NoSuchKey."""
    found = rows.key(digest_of(key)) if is_key(key) else None
    if found is None:
        raise NoSuchKey
    return found


def _can_use(rows: Reading, token: str, now: datetime) -> bool:
    until = rows.home_link_until(digest_of(token))
    return until is not None and now < until <= now + HOME_LINK_LASTS  # later than that: the clock was set back


def _gain(granted: tuple[GrantRecord, ...], device: str, access: Access) -> Access | None:
    """The access that a device gains by this one; None where it has as much already."""
    has = next((Access(grant.access) for grant in granted if grant.device == device), Access.NONE)
    is_anybodys = any(grant.access == Access.OWN for grant in granted)
    wanted = access if is_anybodys or not access.can_write else Access.OWN
    return wanted if wanted.rank > has.rank else None


def _let_in(rows: Writing, match: str, device: str, access: Access, now: datetime) -> None:
    """Grant a device this access, unless it has more already."""
    granted = rows.grants(match)
    wanted = _gain(granted, device, access)
    if wanted is not None:
        if wanted is Access.VIEW:
            _make_room(rows, match, granted)
        rows.grant(match, device, wanted, now)


def _make_room(rows: Writing, match: str, granted: tuple[GrantRecord, ...]) -> None:
    """Remove the oldest devices that only view, to make room for one more: a shared link cannot fill the file."""
    viewers = [grant for grant in granted if grant.access == Access.VIEW]
    viewers.sort(key=lambda grant: (grant.granted, grant.number))
    for grant in viewers[: max(0, len(viewers) + 1 - MOST_LOOKERS)]:
        rows.forget(match, grant.device)


def _remove_all(rows: Writing, match: str, access: Access) -> None:
    """Remove all devices with just this access."""
    for grant in rows.grants(match):
        if grant.access == access:
            rows.revoke(match, grant.device)
