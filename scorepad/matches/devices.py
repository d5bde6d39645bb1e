"""The devices of matches: how they enter by a key or an admin link, and what the owner of a match
decides about them.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
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


class KeysToShow(NamedTuple):
    """The keys of a match that a device may show on its page of phones."""

    keys: Keys
    """Empty where the device does not have the key, or there is none."""
    existing: frozenset[Access]
    """The kinds of keys that the match has, whether the device has them or not."""


class _Decision(NamedTuple):
    """What the owner of a match decides about access: about one of its keys, or about a device."""

    action: AccessAction
    access: Access | None = None
    """The access that the key gives that it is about; None if it is about no key."""
    stored_device: str | None = None
    """The stored form of the id of the device that it is about; None if it is about no device."""


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

        The first device that enters with a write key owns a match without an owner. The device of a
        program never does.
        """
        if self.would_add_access(key, device):  # otherwise there is nothing to write
            now = self.context.clock()
            with self.context.storage.writing() as rows:
                record = _key_record(rows, key)
                _grant_at_least(rows, record.match, known_as(device), Access(record.access), now)
        with self.reading() as rows:
            # Looked up again: the key may have been withdrawn between the two transactions.
            record = _key_record(rows, key)
            keys = known_keys(rows, record.match, _keys_with(key, Access(record.access)))
            return Entered(MatchId(record.match), keys)

    def would_add_access(self, key: str, device: DeviceId) -> bool:
        """Whether the device would get more access to a match by entering with this key than it
        has already. Raises NoSuchKey.
        """
        with self.reading() as rows:
            record = _key_record(rows, key)
            return _access_added_by(rows, record, device) is not None

    def may_enter(self, key: str, match: str, device: DeviceId) -> bool:
        """Whether this is a valid key of the match, and the device never was in it."""
        with self.reading() as rows:
            record = rows.key(digest_of(key))
            if record is None or record.match != match:
                return False
            record_of_device = _find_device(rows.devices(match), known_as(device))
            return record_of_device is None

    def enter_and_load(
        self, key: str, device: DeviceId, match: str | None = None, *, to_write: bool = False
    ) -> MatchState:
        """The match of a key. A device that does not have the access of the key yet enters the
        match first.

        `match` is the match that is asked for, if any. Raises NoSuchKey, and MatchNotFound if that
        is not the match of the key. `to_write`: raise NotAllowed for a view key.
        """
        with self.reading() as rows:
            record = _key_record(rows, key)
            if match is not None and match != record.match:
                raise MatchNotFound(match)
            match_of_key = MatchId(record.match)
            added_access = _access_added_by(rows, record, device)
            if added_access is None:
                return self.context.load_match(rows, match_of_key, device, to_write=to_write)

        self.enter(key, device)
        with self.reading() as rows:
            return self.context.load_match(rows, match_of_key, device, to_write=to_write)

    def is_current(self, device: DeviceId, nonce: str) -> bool:
        """Whether the cookie of a device with this nonce is valid.

        The nonce is a random text in the cookie. When the cookie is renewed it gets another nonce,
        and only that one is valid. It is empty in a cookie that was never renewed.
        """
        with self.reading() as rows:
            return rows.nonce(known_as(device)) == _nonce_digest(nonce)

    def replace_nonce(self, device: DeviceId, before: str, nonce: str) -> bool:
        """Make this the nonce of the device's valid cookie, if the one `before` is still valid.

        Returns whether the nonce is valid afterwards: also if a request that was sent twice has
        stored it already. `before` is empty for a cookie that was never renewed.
        """
        stored_device = known_as(device)
        new_digest = digest_of(nonce)
        with self.context.storage.writing() as rows:
            current_digest = rows.nonce(stored_device)
            if current_digest == _nonce_digest(before):
                rows.put_nonce(stored_device, new_digest)
                return True
            return current_digest == new_digest

    def keys_to_show(self, match: MatchId, device: DeviceId, carried: Keys) -> KeysToShow:
        """The keys of the match that the device may show, and which keys there are.

        `carried` are those that the browser has in its cookies; they may be out of date. The view
        key is also worked out from the write key. A device that may not write does not show the
        write key, even if it carries it.
        """
        with self.reading() as rows:
            admission = admit(rows, match, device)
            if not admission.access.can_write:
                carried = replace(carried, write="")
            return KeysToShow(known_keys(rows, match, carried), _existing_keys(rows, match))

    def renew(
        self,
        match: MatchId,
        device: DeviceId,
        access: Access,
        carried: Keys,
        request: RequestId | None = None,
    ) -> Keys:
        """Replace the write key or the view key of a match (`access`) by a new one; returns the keys
        that the device then has. `carried` are those that it had.

        - With the write key the view key is replaced as well, because it is derived from it, unless
          the view key was withdrawn.
        - Devices that entered by a replaced key, except the owner's, are removed until they enter
          with the new one.
        - For a repeated request the result is NO_KEYS: a key is shown once.
        """
        decision = _Decision(AccessAction.RENEW, access)
        with self._owner_transaction(match, device, request, decision) as tx:
            if tx.was_sent_before:
                return NO_KEYS
            if access is Access.VIEW:
                keys = _renew_view_key(tx, carried)
            else:
                keys = _renew_both_keys(tx)
            tx.append(AccessChange(AccessAction.RENEW, access))
            return keys

    def withdraw(
        self, match: MatchId, device: DeviceId, access: Access, request: RequestId | None = None
    ) -> Outcome:
        """Delete the write key or the view key of a match (`access`), and remove all devices with
        exactly this access.
        """
        decision = _Decision(AccessAction.WITHDRAW, access)
        with self._owner_transaction(match, device, request, decision) as tx:
            if tx.was_sent_before:
                return Outcome.AGAIN
            _remove_all(tx.rows, match, access)
            tx.rows.drop_key(match, access)
            tx.append(AccessChange(AccessAction.WITHDRAW, access))
            return Outcome.DONE

    def start_over(
        self, match: MatchId, device: DeviceId, request: RequestId | None = None
    ) -> Keys:
        """Make new keys for a match whose devices are lost; remove all its devices and its owner.

        Only its owner may do this, and who has admin access and so owns every match: the command
        line, for example. Returns NO_KEYS for a repeated request.
        """
        decision = _Decision(AccessAction.START_OVER)
        with self._owner_transaction(match, device, request, decision) as tx:
            if tx.was_sent_before:
                return NO_KEYS
            for access in (Access.VIEW, Access.WRITE, Access.OWN):
                _remove_all(tx.rows, match, access)
            keys = store_new_keys(tx.rows, match, tx.now)
            tx.append(AccessChange(AccessAction.START_OVER))
            return keys

    @contextmanager
    def _owner_transaction(
        self, match: MatchId, device: DeviceId, request: RequestId | None, decision: _Decision
    ) -> Iterator[Transaction]:
        """A write transaction in which the owner of a match decides about access.

        A form that was sent twice is not carried out again, so every block begins with this test:

            with self._owner_transaction(match, device, request, decision) as tx:
                if tx.was_sent_before:
                    return Outcome.AGAIN

        The device that sent it may no longer be the owner then. For any other request of a device
        that is not the owner, raises NotOwner.
        """
        if request is None:
            request = _random_request()  # a program calls, and does not repeat the call
        with self.context.transaction(match, device, request, *decision) as tx:
            tx.stored_result = find_first_result(tx.rows, tx.submission, AccessChange, tx.match)
            if not tx.was_sent_before:
                admit_owner(tx.rows, match, device)
            yield tx

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
        return _find_device(self.phones(match, device), known_as(device))

    def holder(self, match: MatchId, stored_device: str) -> str:
        """The name of the holder of a device of the match, by the stored form of its id; empty if
        unknown.
        """
        with self.reading() as rows:
            record = _find_device(rows.devices(match), stored_device)
        if record is None:
            return ""
        return record.name

    def names(self, match: MatchId, device: DeviceId) -> dict[int, str]:
        """The known holders of all devices that ever entered the match, by device number."""
        with self.reading() as rows:
            admit(rows, match, device)
            return {record.number: record.name for record in rows.devices(match) if record.name}

    def hand_on(
        self,
        match: MatchId,
        device: DeviceId,
        stored_device: str,
        request: RequestId | None = None,
    ) -> Outcome:
        """Make another device the owner of a match; the former owner may still write.

        `stored_device` is the stored form of the id of the new owner. GONE if that device has no
        access to the match any more. Raises NotOwner if it is the device of a program, which could
        not decide about access.
        """
        decision = _Decision(AccessAction.HAND_ON, stored_device=stored_device)
        with self._owner_transaction(match, device, request, decision) as tx:
            if tx.was_sent_before:
                return Outcome.AGAIN
            new_owner = _find_device(tx.rows.grants(match), stored_device)
            if new_owner is None:
                return Outcome.GONE
            if is_program(stored_device):
                raise NotOwner(match)
            for grant in tx.rows.grants(match):
                if grant.access == Access.OWN:
                    tx.rows.grant(match, grant.device, Access.WRITE, tx.now)
            tx.rows.grant(match, stored_device, Access.OWN, tx.now)
            tx.append(AccessChange(AccessAction.HAND_ON, phone=new_owner.number))
            return Outcome.DONE

    def remove(
        self,
        match: MatchId,
        device: DeviceId,
        stored_device: str,
        request: RequestId | None = None,
    ) -> Outcome:
        """Remove another device from a match; the key by which it entered remains valid.

        `stored_device` is the stored form of the id of that device. GONE if it has no access to the
        match any more. Raises NotOwner for the owner's device.
        """
        decision = _Decision(AccessAction.REMOVE, stored_device=stored_device)
        with self._owner_transaction(match, device, request, decision) as tx:
            if tx.was_sent_before:
                return Outcome.AGAIN
            removed = _find_device(tx.rows.grants(match), stored_device)
            if removed is None:
                return Outcome.GONE
            if removed.access == Access.OWN:
                raise NotOwner(match)
            tx.rows.revoke(match, stored_device)
            tx.append(AccessChange(AccessAction.REMOVE, phone=removed.number))
            return Outcome.DONE

    def leave(self, match: MatchId, device: DeviceId) -> None:
        """Remove this device from a match; it can enter again with a key. Raises NotOwner for the
        owner's device.

        Neither entering nor leaving is stored in the log of the match.
        """
        with self.context.storage.writing() as rows:
            admission = admit(rows, match, device)
            if admission.access is Access.OWN:
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
            _grant_at_least(tx.rows, match, tx.submission.device, Access.WRITE, tx.now)
            tx.rows.put_seat(match, tx.submission.device, side, tidy_text(name)[:LONGEST_NAME])


def _nonce_digest(nonce: str) -> str:
    """The digest of the nonce of a cookie as it is stored; empty if the cookie has no nonce."""
    if not nonce:
        return ""
    return digest_of(nonce)


def _random_request() -> RequestId:
    """A request id that no other request has."""
    return RequestId(secrets.token_urlsafe(16))


def _existing_keys(rows: ReadTransaction, match: str) -> frozenset[Access]:
    """The kinds of keys that a match has, by the access that they give."""
    existing = set()
    for access in (Access.WRITE, Access.VIEW):
        if rows.key_of(match, access) is not None:
            existing.add(access)
    return frozenset(existing)


def _renew_view_key(tx: Transaction, carried: Keys) -> Keys:
    """Store a new view key for the match, and remove the devices that may only view.

    Returns the keys that a device which carries these keys then has.
    """
    _remove_all(tx.rows, tx.match.id, Access.VIEW)
    return store_new_view_key(tx.rows, tx.match.id, tx.now, carried)


def _renew_both_keys(tx: Transaction) -> Keys:
    """Store a new write key for the match, and a new view key unless that was withdrawn. Remove all
    devices but that of the owner. Returns the new keys.
    """
    rows = tx.rows
    match = tx.match.id
    _remove_all(rows, match, Access.VIEW)
    _remove_all(rows, match, Access.WRITE)
    has_view_key = rows.key_of(match, Access.VIEW) is not None
    return store_new_keys(rows, match, tx.now, with_view=has_view_key)


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


def _find_device(devices: Iterable[DeviceRecord], stored_device: str) -> DeviceRecord | None:
    """The device with this stored form of its id; None if it is not among these devices."""
    for record in devices:
        if record.device == stored_device:
            return record
    return None


def _keys_with(key: str, access: Access) -> Keys:
    """The keys of a device that knows only this one, as typed: a write key or a view key."""
    typed = key.strip().lower()
    if access is Access.WRITE:
        return Keys(write=typed, view="")
    return Keys(write="", view=typed)


_LEAST_TO_MOST = (Access.NONE, Access.VIEW, Access.WRITE, Access.OWN)
"""The kinds of access in the order of what they allow."""


def _access_added_by(rows: ReadTransaction, key: KeyRecord, device: DeviceId) -> Access | None:
    """The access that a device would get by entering with a key; None if entering would change
    nothing, because it has as much access already.
    """
    devices = rows.grants(key.match)
    return _gained_access(devices, known_as(device), Access(key.access))


def _gained_access(devices: Sequence[DeviceRecord], device: str, offered: Access) -> Access | None:
    """The access that a device gets if it is offered this one; None if it has as much already.

    `devices` are those with access to the match.
    """
    new_access = offered
    if _becomes_owner(devices, device, offered):
        new_access = Access.OWN
    record = _find_device(devices, device)
    if record is None:
        return new_access
    current_rank = _LEAST_TO_MOST.index(Access(record.access))
    if _LEAST_TO_MOST.index(new_access) > current_rank:
        return new_access
    return None


def _becomes_owner(devices: Iterable[DeviceRecord], device: str, offered: Access) -> bool:
    """Whether a device that is offered this access becomes the owner of the match.

    The first device that may write does, if no device owns the match. The device of a program never
    does: it could not decide about access.
    """
    has_owner = any(record.access == Access.OWN for record in devices)
    return offered is Access.WRITE and not has_owner and not is_program(device)


def _grant_at_least(
    rows: WriteTransaction, match: str, device: str, access: Access, now: datetime
) -> None:
    """Grant a device this access to a match, unless it has as much already.

    It may become the owner by it, and one more device that may view replaces another one if there
    are too many.
    """
    gained = _gained_access(rows.grants(match), device, access)
    if gained is None:
        return
    if gained is Access.VIEW:
        _make_room_for_viewer(rows, match)
    rows.grant(match, device, gained, now)


def _make_room_for_viewer(rows: WriteTransaction, match: str) -> None:
    """Remove the devices that were first let in to view, until there is room for one more.

    So a link that many people share cannot fill the file.
    """
    viewers = [grant for grant in rows.grants(match) if grant.access == Access.VIEW]
    viewers.sort(key=lambda viewer: (viewer.granted, viewer.number))
    while len(viewers) >= MOST_VIEWERS:
        oldest = viewers.pop(0)
        rows.forget(match, oldest.device)


def _remove_all(rows: WriteTransaction, match: str, access: Access) -> None:
    """Remove the devices that have exactly this access to the match."""
    for grant in rows.grants(match):
        if grant.access == access:
            rows.revoke(match, grant.device)
