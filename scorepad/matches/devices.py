"""The devices of matches: how they enter by a key or an admin link, and what the owner of a match
decides about them.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from scorepad.matches.access import (
    Access,
    DeviceId,
    MatchId,
    MatchNotFound,
    NotOwner,
    RequestId,
    admit,
    admit_owner,
)
from scorepad.matches.events import LONGEST_NAME, AccessAction, AccessChange
from scorepad.matches.keys import (
    NO_KEYS,
    Keys,
    NoSuchKey,
    digest_of,
    is_key,
    known_keys,
    new_key,
    store_new_keys,
    store_new_view_key,
)
from scorepad.matches.names import tidy_text
from scorepad.matches.projection import MatchState
from scorepad.matches.service import Service
from scorepad.matches.transaction import Transaction, find_first_result
from scorepad.rules.definitions import Ruleset
from scorepad.storage.rows import (
    DeviceRecord,
    KeyRecord,
    ReadTransaction,
    WriteTransaction,
    is_program,
    known_as,
)

ADMIN_LINK_LIFETIME = timedelta(minutes=15)
"""How long an admin link made by the command line is valid."""
MOST_VIEWERS = 64
"""Most view-only devices of a match. One more replaces the oldest of them."""


class Outcome(StrEnum):
    """The result of an owner's decision: done, done before by the same request, or the device is
    gone.
    """

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


class Devices(Service):
    """The keys and devices of the matches of a data file.

    Methods that take a match raise MatchNotFound if the device may not see it. Those that change
    access raise NotOwner if another device owns the match (NotAllowed for a device that may only
    view).

    Decisions are stored in the match's log under their request id: a repeated request changes
    nothing, even after a change of owner. RequestRefused is raised for an id that was used for
    something else.
    """

    def let_write(self, match: MatchId, device: DeviceId) -> Ruleset:
        """Admit only a device that may write; returns the rules of the match.

        Raises MatchNotFound, NotAllowed.
        """
        with self.reading() as rows:
            record = admit(rows, match, device, to_write=True).record
            rules_of = self.context.rules_of(rows)
            return rules_of(record.ruleset)

    # ----------------------------------------------------------------------------------------- keys

    def enter(self, key: str, device: DeviceId) -> Entered:
        """Grant a device the access of a key; access that it has already is kept. Raises NoSuchKey.

        The first device that enters with a write key owns a match without an owner, unless it is a
        program's.
        """
        if self.gives_access(key, device):
            now = self.context.clock()
            with self.context.storage.writing() as rows:
                record = _key_record(rows, key)
                _let_in(rows, record.match, known_as(device), Access(record.access), now)
        with self.reading() as rows:
            record = _key_record(rows, key)
            entered_key = key.strip().lower()
            # Whether it is the key to write or to view is found out by its digest.
            carried = Keys(write=entered_key, view=entered_key)
            return Entered(MatchId(record.match), known_keys(rows, record.match, carried))

    def gives_access(self, key: str, device: DeviceId) -> bool:
        """Whether the key gives the device more access than it has. Raises NoSuchKey."""
        with self.reading() as rows:
            record = _key_record(rows, key)
            granted = rows.grants(record.match)
            return _gained_access(granted, known_as(device), Access(record.access)) is not None

    def may_enter(self, key: str, match: str, device: DeviceId) -> bool:
        """Whether this is a valid key of the match, and the device never was in it."""
        with self.reading() as rows:
            record = rows.key(digest_of(key))
            if record is None or record.match != match:
                return False
            return _device_with_mark(rows.devices(match), known_as(device)) is None

    def state(
        self, key: str, device: DeviceId, match: str | None = None, *, to_write: bool = False
    ) -> MatchState:
        """The match of a key, for a device that enters by it.

        `match` is the match that is asked for, if any. Raises NoSuchKey, and MatchNotFound if that
        is not the match of the key. `to_write`: raise NotAllowed for a key to view.
        """
        with self.reading() as rows:
            record = _key_record(rows, key)
            if match is not None and match != record.match:
                raise MatchNotFound(match)
            granted = rows.grants(record.match)
            has_entered = _gained_access(granted, known_as(device), Access(record.access)) is None
            if has_entered:
                match_id = MatchId(record.match)
                return self.context.load_match(rows, match_id, device, to_write=to_write)
        self.enter(key, device)
        return self.state(key, device, match, to_write=to_write)

    def is_current(self, device: DeviceId, nonce: str) -> bool:
        """Whether this is the nonce of the device's valid cookie; empty: its cookie was never
        renewed.
        """
        with self.reading() as rows:
            return rows.nonce(known_as(device)) == _nonce_digest(nonce)

    def replace_nonce(self, device: DeviceId, before: str, nonce: str) -> bool:
        """Make this the nonce of the device's valid cookie, if the one `before` is still valid.

        Returns whether the nonce is valid afterwards: also if a request that was sent twice has
        stored it already.
        """
        mark = known_as(device)
        with self.context.storage.writing() as rows:
            if rows.nonce(mark) == _nonce_digest(before):
                rows.put_nonce(mark, digest_of(nonce))
            return rows.nonce(mark) == digest_of(nonce)

    def holds(self, match: MatchId, device: DeviceId, carried: Keys) -> Held:
        """The keys that a device may show, of those that it carries; the key to view follows from
        the key to write.
        """
        with self.reading() as rows:
            if not admit(rows, match, device).access.can_write:
                carried = replace(carried, write="")
            made = set()
            for kind in (Access.WRITE, Access.VIEW):
                if rows.key_of(match, kind) is not None:
                    made.add(kind)
            return Held(known_keys(rows, match, carried), frozenset(made))

    def renew(
        self,
        match: MatchId,
        device: DeviceId,
        access: Access,
        carried: Keys,
        request: RequestId | None = None,
    ) -> Keys:
        """Replace the key to write, or to view; returns the keys that the device then holds.

        A new key to write replaces the key to view as well, unless that was withdrawn. Devices that
        entered by a key replaced, except the owner's, are removed until they enter with the new
        one. Returns NO_KEYS for a repeated request: a key is shown once.
        """
        with self._decision(match, device, request, AccessAction.RENEW, access) as (tx, _):
            if tx is None:
                return NO_KEYS
            _remove_all(tx.rows, match, Access.VIEW)
            if access is Access.VIEW:
                return store_new_view_key(tx.rows, match, tx.now, carried)
            _remove_all(tx.rows, match, Access.WRITE)
            has_view = tx.rows.key_of(match, Access.VIEW) is not None
            return store_new_keys(tx.rows, match, tx.now, with_view=has_view)

    def withdraw(
        self, match: MatchId, device: DeviceId, access: Access, request: RequestId | None = None
    ) -> Outcome:
        """Withdraw the key for this access, and remove all devices with exactly this access except
        the owner's.
        """
        with self._decision(match, device, request, AccessAction.WITHDRAW, access) as (tx, outcome):
            if tx is not None:
                _remove_all(tx.rows, match, access)
                tx.rows.drop_key(match, access)
        return outcome

    def start_over(
        self, match: MatchId, device: DeviceId, request: RequestId | None = None
    ) -> Keys:
        """Make new keys for a match whose devices are lost; remove all its devices and its owner.

        Returns NO_KEYS for a repeated request.
        """
        with self._decision(match, device, request, AccessAction.START_OVER) as (tx, _):
            if tx is None:
                return NO_KEYS
            for access in (Access.VIEW, Access.WRITE, Access.OWN):
                _remove_all(tx.rows, match, access)
            return store_new_keys(tx.rows, match, tx.now)

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
        """A transaction for an owner's decision about access, and its outcome. The decision is
        stored in the log at the end of the transaction.

        The transaction is None if there is nothing to decide: for a repeated request (AGAIN), whose
        device may no longer be the owner, and if the device with this `mark`, which the decision is
        about, has no access any more (GONE).
        """
        name = request
        if name is None:
            name = RequestId(secrets.token_urlsafe(16))
        with self.context.transaction(match, device, name, action, access, mark) as tx:
            if find_first_result(tx.rows, tx.submission, AccessChange, tx.match) is not None:
                yield None, Outcome.AGAIN
                return
            admit_owner(tx.rows, match, device)
            number = None
            if mark is not None:
                granted = _device_with_mark(tx.rows.grants(match), mark)
                if granted is None:
                    yield None, Outcome.GONE
                    return
                number = granted.number
            yield tx, Outcome.DONE
            tx.append(AccessChange(action, access, number))

    # ---------------------------------------------------------------------------------- admin links

    def make_admin_link(self) -> str:
        """Make a token that gives one browser admin access, once, within ADMIN_LINK_LIFETIME."""
        token = new_key()
        now = self.context.clock()
        with self.context.storage.writing() as rows:
            rows.drop_admin_links("", now)
            rows.put_admin_link(digest_of(token), now + ADMIN_LINK_LIFETIME)
        return token

    def is_admin_link(self, token: str) -> bool:
        with self.reading() as rows:
            return _can_use(rows, token, self.context.clock())

    def use_admin_link(self, token: str) -> bool:
        """Use up a token. Returns False if it is not valid (any more)."""
        if not self.is_admin_link(token):
            return False
        now = self.context.clock()
        with self.context.storage.writing() as rows:
            can_use = _can_use(rows, token, now)
            rows.drop_admin_links(digest_of(token), now)
            return can_use

    # -------------------------------------------------------------------------------------- devices

    def phones(self, match: MatchId, device: DeviceId) -> tuple[DeviceRecord, ...]:
        """The devices that have access to the match, in order of entry."""
        with self.reading() as rows:
            admit(rows, match, device)
            return rows.grants(match)

    def mine(self, match: MatchId, device: DeviceId) -> DeviceRecord | None:
        """The record of this device, if it ever entered the match."""
        return _device_with_mark(self.phones(match, device), known_as(device))

    def holder(self, match: MatchId, mark: str) -> str:
        """The name of the holder of a device of the match; empty if unknown."""
        with self.reading() as rows:
            record = _device_with_mark(rows.devices(match), mark)
        if record is None:
            return ""
        return record.name

    def names(self, match: MatchId, device: DeviceId) -> dict[int, str]:
        """The known holders of all devices that ever entered the match, by device number."""
        with self.reading() as rows:
            admit(rows, match, device)
            return {each.number: each.name for each in rows.devices(match) if each.name}

    def hand_on(
        self, match: MatchId, device: DeviceId, mark: str, request: RequestId | None = None
    ) -> Outcome:
        """Make another device the owner; the former owner may still write. GONE if that device was
        removed.

        Raises NotOwner for the device of a program, which could not decide about access.
        """
        with self._decision(match, device, request, AccessAction.HAND_ON, mark=mark) as (
            tx,
            outcome,
        ):
            if tx is not None:
                if is_program(mark):
                    raise NotOwner(match)
                for grant in tx.rows.grants(match):
                    if grant.access == Access.OWN:
                        tx.rows.grant(match, grant.device, Access.WRITE, tx.now)
                tx.rows.grant(match, mark, Access.OWN, tx.now)
        return outcome

    def remove(
        self, match: MatchId, device: DeviceId, mark: str, request: RequestId | None = None
    ) -> Outcome:
        """Remove a device; its key remains valid. GONE if it was removed already.

        Raises NotOwner for the owner's device.
        """
        with self._decision(match, device, request, AccessAction.REMOVE, mark=mark) as (
            tx,
            outcome,
        ):
            if tx is not None:
                access, _ = tx.rows.role(match, mark)
                if access == Access.OWN:
                    raise NotOwner(match)
                tx.rows.revoke(match, mark)
        return outcome

    def leave(self, match: MatchId, device: DeviceId) -> None:
        """Remove this device, which a key lets in again. Raises NotOwner for the owner's device.

        Like entering, it is not stored in the log.
        """
        with self.context.storage.writing() as rows:
            if admit(rows, match, device).access is Access.OWN:
                raise NotOwner(match)
            rows.revoke(match, known_as(device))

    def sit(self, match: MatchId, device: DeviceId, side: int | None, name: str = "") -> None:
        """Set the side that this device counts for, by its position (None: no side), and its
        holder's name.

        Raises ValueError for an unknown side.
        """
        with self.context.transaction(match, device) as tx:
            positions = range(len(tx.match.rules.settings.sides))
            if side is not None and side not in positions:
                raise ValueError(side)
            # A browser with admin access can write without having entered the match.
            _let_in(tx.rows, match, tx.submission.device, Access.WRITE, tx.now)
            tx.rows.put_seat(match, tx.submission.device, side, tidy_text(name)[:LONGEST_NAME])


def _nonce_digest(nonce: str) -> str:
    return digest_of(nonce) if nonce else ""


def _key_record(rows: ReadTransaction, key: str) -> KeyRecord:
    """The stored record of a key as typed. Raises NoSuchKey."""
    key = key.strip().lower()
    if not is_key(key):
        raise NoSuchKey
    record = rows.key(digest_of(key))
    if record is None:
        raise NoSuchKey
    return record


def _can_use(rows: ReadTransaction, token: str, now: datetime) -> bool:
    """Whether the token of an admin link is valid: it was made, not used yet, and did not expire."""
    expiry = rows.admin_link_expiry(digest_of(token))
    if expiry is None:
        return False
    # One that expires later than that was made before the clock was set back.
    return now < expiry <= now + ADMIN_LINK_LIFETIME


def _device_with_mark(devices: Iterable[DeviceRecord], mark: str) -> DeviceRecord | None:
    """The device with this stored form of its id."""
    for each in devices:
        if each.device == mark:
            return each
    return None


def _gained_access(granted: tuple[DeviceRecord, ...], device: str, access: Access) -> Access | None:
    """The access that a device gains by this one; None if it has as much already.

    A device that may write becomes the owner of a match without one; a program's never does.
    """
    record = _device_with_mark(granted, device)
    access_before = Access.NONE if record is None else Access(record.access)
    has_owner = any(grant.access == Access.OWN for grant in granted)
    offered = access
    if access.can_write and not has_owner and not is_program(device):
        offered = Access.OWN
    from_least_to_most = tuple(Access)
    if from_least_to_most.index(offered) <= from_least_to_most.index(access_before):
        return None
    return offered


def _let_in(rows: WriteTransaction, match: str, device: str, access: Access, now: datetime) -> None:
    """Grant a device this access, unless it has more already.

    The oldest view-only devices are removed to make room, so that a shared link cannot fill the
    file.
    """
    granted = rows.grants(match)
    gained = _gained_access(granted, device, access)
    if gained is None:
        return
    if gained is Access.VIEW:
        viewers = [grant for grant in granted if grant.access == Access.VIEW]
        oldest_first = sorted(viewers, key=lambda viewer: (viewer.granted, viewer.number))
        too_many = max(0, len(viewers) + 1 - MOST_VIEWERS)
        for viewer in oldest_first[:too_many]:
            rows.forget(match, viewer.device)
    rows.grant(match, device, gained, now)


def _remove_all(rows: WriteTransaction, match: str, access: Access) -> None:
    """Remove the devices that have exactly this access to the match."""
    for grant in rows.grants(match):
        if grant.access == access:
            rows.revoke(match, grant.device)
