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
    find_known_keys,
    is_key,
    new_key,
    store_derived_view_key,
    store_new_keys,
    store_random_view_key,
)
from scorepad.matches.names import tidy_text
from scorepad.matches.projection import MatchState
from scorepad.matches.service import Service
from scorepad.matches.transaction import Submission, Transaction, find_first_result
from scorepad.storage.rows import (
    DeviceRecord,
    KeyRecord,
    ReadTransaction,
    WriteTransaction,
    hash_device_id,
    is_program,
)

ADMIN_LINK_LIFETIME = timedelta(minutes=15)
"""How long an admin link made by the command line is valid."""
MOST_VIEWERS = 64
"""Most view-only devices of a match. One more replaces the oldest of them."""


class Outcome(StrEnum):
    """The result of an owner's decision about access."""

    DONE = "done"
    AGAIN = "again"
    """The form was sent twice, and the decision is stored already."""
    GONE = "gone"
    """The device that it is about has no access any more."""


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
    """Which key it is about, by the access that the key gives; None if it is about no key."""
    stored_device: str | None = None
    """Which device it is about, its id as `hash_device_id` returns it; None if it is about none."""


class Devices(Service):
    """The keys and devices of the matches of a data file.

    Methods that take a match raise MatchNotFound if the device may not see it. Those that change
    access raise NotOwner if another device owns the match (NotAllowed for a device that may only
    view).

    Decisions are stored in the match's log under their request id: a repeated request changes
    nothing, even after a change of owner. RequestRefused is raised for an id that was used for
    something else.
    """

    def require_write_access(self, match: MatchId, device: DeviceId) -> None:
        """Make sure that a device may write in a match.

        Raises MatchNotFound if the device may not even see the match, NotAllowed if it may only
        view it.
        """
        with self.reading() as rows:
            admit(rows, match, device, to_write=True)

    # ----------------------------------------------------------------------------------------- keys

    def enter(self, key: str, device: DeviceId) -> Entered:
        """Let a device into the match of a key: to view it, or to write in it, as the key says.

        A device that may do more already keeps that. The first device that enters with a write key
        becomes the owner if the match has none; a program never does. Raises NoSuchKey.
        """
        # Most devices enter with a key that they have used before, and nothing has to be written.
        if self.would_gain_access(key, device):
            self._grant_access_of_key(key, device)

        with self.reading() as rows:
            # Looked up again: the key may have been withdrawn between the two transactions.
            record = _find_key(rows, key)
            typed_key = _make_keys_of_one(key, Access(record.access))
            return Entered(MatchId(record.match), find_known_keys(rows, record.match, typed_key))

    def _grant_access_of_key(self, key: str, device: DeviceId) -> None:
        """Store that a device has the access to a match which a key gives. Raises NoSuchKey."""
        now = self.context.clock()
        with self.context.storage.writing() as rows:
            record = _find_key(rows, key)
            access_of_key = Access(record.access)  # `view` or `write`
            _grant_if_more(rows, record.match, hash_device_id(device), access_of_key, now)

    def would_gain_access(self, key: str, device: DeviceId) -> bool:
        """Tell whether a device may do more with a match once it has entered with this key.

        - a write key, and a device that may only view → True
        - a view key, and a device that may write already → False

        Raises NoSuchKey.
        """
        with self.reading() as rows:
            record = _find_key(rows, key)
            return _find_access_gained_by_key(rows, record, device) is not None

    def may_enter(self, key: str, match: str, device: DeviceId) -> bool:
        """Tell whether a device could enter a match for the first time with this key.

        False if the key is not a valid one of this match, and for a device that was in the match
        before, even if it was removed since.
        """
        with self.reading() as rows:
            record = rows.key(digest_of(key))
            if record is None or record.match != match:
                return False
            record_of_device = _find_device(rows.devices(match), hash_device_id(device))
            return record_of_device is None

    def enter_and_load(
        self, key: str, device: DeviceId, match: str | None = None, *, to_write: bool = False
    ) -> MatchState:
        """Load the match of a key for a device, and let the device into the match first if needed.

        `match` is the id in the URL of the request, if there is one. Raises NoSuchKey, and
        MatchNotFound if the key is that of another match. With `to_write`, raises NotAllowed for a
        key that is only to view.
        """
        with self.reading() as rows:
            record = _find_key(rows, key)
            match_of_key = MatchId(record.match)
            if match is not None and match != match_of_key:
                raise MatchNotFound(match)
            has_entered_before = _find_access_gained_by_key(rows, record, device) is None
            if has_entered_before:
                return self.context.load_match(rows, match_of_key, device, to_write=to_write)

        # Entering writes to the data file, so it needs a transaction of its own.
        self.enter(key, device)
        with self.reading() as rows:
            return self.context.load_match(rows, match_of_key, device, to_write=to_write)

    def is_cookie_valid(self, device: DeviceId, nonce: str) -> bool:
        """Tell whether a cookie with this device id and this nonce is valid.

        The nonce is a random text in the cookie. When the cookie is renewed it gets another nonce,
        and only that one is valid. It is empty in a cookie that was never renewed.
        """
        with self.reading() as rows:
            return rows.nonce(hash_device_id(device)) == _hash_nonce(nonce)

    def replace_nonce(self, device: DeviceId, before: str, nonce: str) -> bool:
        """Make `nonce` the one that is valid in the cookie of a device, in place of `before`.

        A nonce is a random text in the cookie; `before` is empty if the cookie was never renewed.
        Returns whether `nonce` is valid now. It is not if another request has replaced `before` by
        something else.
        """
        stored_device = hash_device_id(device)
        new_digest = digest_of(nonce)
        with self.context.storage.writing() as rows:
            current_digest = rows.nonce(stored_device)
            if current_digest == new_digest:  # the same request was sent before
                return True
            is_before_still_valid = current_digest == _hash_nonce(before)
            if is_before_still_valid:
                rows.put_nonce(stored_device, new_digest)
            return is_before_still_valid

    def find_keys_to_show(self, match: MatchId, device: DeviceId, carried: Keys) -> KeysToShow:
        """Return the keys of a match that a device may show, and which keys the match has.

        `carried` are the keys in the cookies of the browser, which may be out of date. The view key
        need not be among them: it follows from the write key.
        """
        with self.reading() as rows:
            admission = admit(rows, match, device)
            keys_to_pass_on = carried
            if not admission.access.can_write:
                keys_to_pass_on = replace(carried, write="")
            return KeysToShow(
                keys=find_known_keys(rows, match, keys_to_pass_on),
                existing=_find_existing_keys(rows, match),
            )

    def renew_key(
        self,
        match: MatchId,
        device: DeviceId,
        access: Access,
        carried: Keys,
        request: RequestId | None = None,
    ) -> Keys:
        """Replace the key of a match by which devices view it, or write in it, by a new one.

        `access` says which: VIEW or WRITE. Returns the keys that the device has then; `carried` are
        those that it had.

        - With the write key the view key is replaced as well, because it is derived from it, unless
          the view key was withdrawn.
        - Devices that entered by a replaced key, except the owner's, are removed until they enter
          with the new one.
        - For a form that was sent twice the result is NO_KEYS: a key is shown once.
        """
        decision = _Decision(AccessAction.RENEW, access)
        with self._owner_transaction(match, device, request, decision) as (tx, was_sent_before):
            if was_sent_before:
                return NO_KEYS
            if access is Access.VIEW:
                keys = _renew_view_key(tx, carried)
            else:
                keys = _renew_both_keys(tx)
            tx.append(AccessChange(AccessAction.RENEW, access))
            return keys

    def withdraw_key(
        self, match: MatchId, device: DeviceId, access: Access, request: RequestId | None = None
    ) -> Outcome:
        """Delete the key of a match by which devices view it, or write in it.

        `access` says which: VIEW or WRITE. The devices that have exactly this access are removed.
        """
        decision = _Decision(AccessAction.WITHDRAW, access)
        with self._owner_transaction(match, device, request, decision) as (tx, was_sent_before):
            if was_sent_before:
                return Outcome.AGAIN
            _remove_devices_with_access(tx.rows, match, access)
            tx.rows.drop_key(match, access)
            tx.append(AccessChange(AccessAction.WITHDRAW, access))
            return Outcome.DONE

    def start_over(
        self, match: MatchId, device: DeviceId, request: RequestId | None = None
    ) -> Keys:
        """Make new keys for a match, and remove all its devices, the owner's too.

        This is for a match whose devices are lost. It may be done by its owner, and by whoever has
        admin access, such as the command line. Returns NO_KEYS if the form was sent twice.
        """
        decision = _Decision(AccessAction.START_OVER)
        with self._owner_transaction(match, device, request, decision) as (tx, was_sent_before):
            if was_sent_before:
                return NO_KEYS
            for access in (Access.VIEW, Access.WRITE, Access.OWN):
                _remove_devices_with_access(tx.rows, match, access)
            keys = store_new_keys(tx.rows, match, tx.now)
            tx.append(AccessChange(AccessAction.START_OVER))
            return keys

    @contextmanager
    def _owner_transaction(
        self, match: MatchId, device: DeviceId, request: RequestId | None, decision: _Decision
    ) -> Iterator[tuple[Transaction, bool]]:
        """Open a write transaction in which the owner of a match decides about access.

        With it comes whether the same form was sent before. Then the decision is stored already,
        and must not take effect again. If it was not, raises NotOwner unless the device is the
        owner. Raises RequestRefused if the `request` was sent before with another `decision`.
        """
        if request is None:
            request = _make_random_request_id()  # a program calls, and does not repeat the call
        sent = Submission.from_content(
            request, device, decision.action, decision.access, decision.stored_device
        )
        with self.context.transaction(match, device, sent) as tx:
            first_result = find_first_result(tx.rows, sent, AccessChange, tx.match)
            was_sent_before = first_result is not None
            # The second time the device may no longer be the owner, because of this very decision.
            if not was_sent_before:
                admit_owner(tx.rows, match, device)
            yield tx, was_sent_before

    # ---------------------------------------------------------------------------------- admin links

    def make_admin_link(self) -> str:
        """Make a token that gives one browser admin access, once, within ADMIN_LINK_LIFETIME.

        The command line shows it as a link. The data file has only its digest.
        """
        token = new_key()
        now = self.context.clock()
        with self.context.storage.writing() as rows:
            rows.drop_expired_admin_links(now)
            rows.put_admin_link(digest_of(token), now + ADMIN_LINK_LIFETIME)
        return token

    def is_admin_link(self, token: str) -> bool:
        """Tell whether a token gives admin access: it is known, not used yet, and not too old."""
        with self.reading() as rows:
            return _is_valid_admin_link(rows, token, self.context.clock())

    def use_admin_link(self, token: str) -> bool:
        """Use up the token of an admin link. Returns False if it is not valid (any more).

        Only one browser can use it, even if two send it at the same moment.
        """
        # A wrong token, as strangers may send, costs no write transaction: nobody else could save.
        if not self.is_admin_link(token):
            return False
        now = self.context.clock()
        with self.context.storage.writing() as rows:
            is_valid = _is_valid_admin_link(rows, token, now)
            rows.drop_admin_link(digest_of(token))
            rows.drop_expired_admin_links(now)
            return is_valid

    # -------------------------------------------------------------------------------------- devices

    def list_devices(self, match: MatchId, device: DeviceId) -> tuple[DeviceRecord, ...]:
        """List the devices that have access to the match, in the order in which they entered.

        `device` is the one that asks. Raises MatchNotFound if it may not see the match.
        """
        with self.reading() as rows:
            admit(rows, match, device)
            return rows.list_devices_with_access(match)

    def find_own_record(self, match: MatchId, device: DeviceId) -> DeviceRecord | None:
        """Find the record of the device that asks, such as its side and the name of its holder.

        None if it did not enter the match, or was removed: who has admin access may see it anyway.
        """
        return _find_device(self.list_devices(match, device), hash_device_id(device))

    def find_holder_name(self, match: MatchId, stored_device: str) -> str:
        """Find the name of the person who holds a device, such as `Anna`; empty if it is not known.

        `stored_device` is the id of the device as `hash_device_id` returns it. The device must have
        entered the match at some time.
        """
        with self.reading() as rows:
            record = _find_device(rows.devices(match), stored_device)
        if record is None:
            return ""
        return record.name

    def list_holder_names(self, match: MatchId, device: DeviceId) -> dict[int, str]:
        """Return the names of the people who hold the devices of a match: `{1: "Anna", 3: "Gino"}`.

        The keys are the numbers of the devices. Devices without a name are left out, removed ones
        are included. `device` is the one that asks.
        """
        with self.reading() as rows:
            admit(rows, match, device)
            return {record.number: record.name for record in rows.devices(match) if record.name}

    def make_owner(
        self,
        match: MatchId,
        device: DeviceId,
        stored_device: str,
        request: RequestId | None = None,
    ) -> Outcome:
        """Make another device the owner of a match; the former owner may still write.

        `stored_device` is the id of the new owner, as `hash_device_id` returns it. Returns GONE if
        it has no access to the match any more. Raises NotOwner if it is a program, which could not
        decide about access.
        """
        decision = _Decision(AccessAction.HAND_ON, stored_device=stored_device)
        with self._owner_transaction(match, device, request, decision) as (tx, was_sent_before):
            if was_sent_before:
                return Outcome.AGAIN
            devices = tx.rows.list_devices_with_access(match)
            new_owner = _find_device(devices, stored_device)
            if new_owner is None:
                return Outcome.GONE
            if is_program(stored_device):
                raise NotOwner(match)
            _hand_on_ownership(tx, devices, new_owner)
            # The log knows devices by their numbers.
            tx.append(AccessChange(AccessAction.HAND_ON, phone=new_owner.number))
            return Outcome.DONE

    def remove_device(
        self,
        match: MatchId,
        device: DeviceId,
        stored_device: str,
        request: RequestId | None = None,
    ) -> Outcome:
        """Remove another device from a match. It can enter again with the key that it used.

        `stored_device` is the id of that device, as `hash_device_id` returns it. Returns GONE if it
        has no access to the match any more. Raises NotOwner for the owner's device.
        """
        decision = _Decision(AccessAction.REMOVE, stored_device=stored_device)
        with self._owner_transaction(match, device, request, decision) as (tx, was_sent_before):
            if was_sent_before:
                return Outcome.AGAIN
            removed = _find_device(tx.rows.list_devices_with_access(match), stored_device)
            if removed is None:
                return Outcome.GONE
            if removed.access == Access.OWN:
                raise NotOwner(match)
            tx.rows.revoke(match, stored_device)
            # The log knows devices by their numbers.
            tx.append(AccessChange(AccessAction.REMOVE, phone=removed.number))
            return Outcome.DONE

    def leave(self, match: MatchId, device: DeviceId) -> None:
        """Remove the device that asks from a match. It can enter again with a key.

        Raises NotOwner for the owner's device: nobody could decide about access then. Unlike other
        changes, entering and leaving are not stored in the log of the match.
        """
        with self.context.storage.writing() as rows:
            admission = admit(rows, match, device)
            if admission.access is Access.OWN:
                raise NotOwner(match)
            rows.revoke(match, hash_device_id(device))

    def set_side_and_holder(
        self, match: MatchId, device: DeviceId, side: int | None, name: str = ""
    ) -> None:
        """Store for which side of the match a device keeps score, and the name of its holder.

        `side` is 0 for the first side, None for no side. Raises ValueError for an unknown side.
        """
        with self.context.transaction(match, device) as tx:
            known_sides = range(len(tx.match.rules.settings.sides))
            if side is not None and side not in known_sides:
                raise ValueError(side)
            stored_device = tx.submission.device
            # A browser with admin access can write without having entered the match. It enters now.
            _grant_if_more(tx.rows, match, stored_device, Access.WRITE, tx.now)
            holder = tidy_text(name)[:LONGEST_NAME]
            tx.rows.put_seat(match, stored_device, side, holder)


def _hash_nonce(nonce: str) -> str:
    """Return the digest of the nonce of a cookie, as it is stored.

    A cookie that was never renewed has no nonce, and nothing is stored for it: `""` → `""`.
    """
    if not nonce:
        return ""
    return digest_of(nonce)


def _make_random_request_id() -> RequestId:
    """Make a random request id, for a call that is not repeated."""
    return RequestId(secrets.token_urlsafe(16))


def _find_existing_keys(rows: ReadTransaction, match: str) -> frozenset[Access]:
    """Find out which keys a match has, by the access that they give: `{WRITE, VIEW}`.

    A key that the owner withdrew is missing.
    """
    existing = set()
    if rows.key_of(match, Access.WRITE) is not None:
        existing.add(Access.WRITE)
    if rows.key_of(match, Access.VIEW) is not None:
        existing.add(Access.VIEW)
    return frozenset(existing)


def _hand_on_ownership(
    tx: Transaction, devices: Iterable[DeviceRecord], new_owner: DeviceRecord
) -> None:
    """Let another device own the match. The one that owned it may still write."""
    for record in devices:
        if record.access == Access.OWN:
            tx.rows.grant(tx.match.id, record.device, Access.WRITE, tx.now)
    tx.rows.grant(tx.match.id, new_owner.device, Access.OWN, tx.now)


def _renew_view_key(tx: Transaction, carried: Keys) -> Keys:
    """Store a new view key for the match, and remove the devices that entered with the old one.

    Returns the keys that a device knows then; `carried` are those that it knew. With the write key
    it can always compute the view key, and so can every other device with the write key.
    """
    match = tx.match.id
    _remove_devices_with_access(tx.rows, match, Access.VIEW)
    knows_write_key = find_known_keys(tx.rows, match, carried).write != ""
    if knows_write_key:
        view = store_derived_view_key(tx.rows, match, tx.now, carried.write)
        return Keys(carried.write, view)
    return Keys(write="", view=store_random_view_key(tx.rows, match, tx.now))


def _renew_both_keys(tx: Transaction) -> Keys:
    """Store a new write key for the match, and a new view key unless that was withdrawn.

    All devices but the owner's are removed. Returns the new keys.
    """
    rows = tx.rows
    match = tx.match.id
    _remove_devices_with_access(rows, match, Access.VIEW)
    _remove_devices_with_access(rows, match, Access.WRITE)
    has_view_key = rows.key_of(match, Access.VIEW) is not None
    return store_new_keys(rows, match, tx.now, with_view=has_view_key)


def _find_key(rows: ReadTransaction, key: str) -> KeyRecord:
    """Find the stored record of a key: its match, and the access that it gives.

    The key is as a person typed it, perhaps with capitals and spaces around it. Raises NoSuchKey.
    """
    key = key.strip().lower()
    if not is_key(key):
        raise NoSuchKey
    record = rows.key(digest_of(key))
    if record is None:
        raise NoSuchKey
    return record


def _is_valid_admin_link(rows: ReadTransaction, token: str, now: datetime) -> bool:
    """Tell whether the token of an admin link is valid: made here, not used yet, not expired."""
    expiry = rows.admin_link_expiry(digest_of(token))  # None if it is unknown or was used
    if expiry is None:
        return False
    # A new link expires at `latest_expiry`. One that expires later was made before somebody set the
    # clock back, and would otherwise be valid for longer than it should.
    latest_expiry = now + ADMIN_LINK_LIFETIME
    return now < expiry <= latest_expiry


def _find_device(devices: Iterable[DeviceRecord], stored_device: str) -> DeviceRecord | None:
    """Find the device with this id, in the form in which it is stored; None if it is not there."""
    for record in devices:
        if record.device == stored_device:
            return record
    return None


def _make_keys_of_one(key: str, access: Access) -> Keys:
    """Make the `Keys` of a device that knows only one key of a match, as a person typed it.

    `access` is what the key gives, and says which of the two it is:

    - WRITE → `Keys(write=key, view="")`
    - VIEW → `Keys(write="", view=key)`
    """
    typed = key.strip().lower()
    if access is Access.WRITE:
        return Keys(write=typed, view="")
    return Keys(write="", view=typed)


_LEAST_TO_MOST = (Access.NONE, Access.VIEW, Access.WRITE, Access.OWN)
"""The kinds of access in the order of what they allow."""


def _find_access_gained_by_key(
    rows: ReadTransaction, key: KeyRecord, device: DeviceId
) -> Access | None:
    """Find the access that a device would get to a match by entering with this key.

    None if the device may do as much already, so that nothing would change.
    """
    devices_of_match = rows.list_devices_with_access(key.match)
    access_of_key = Access(key.access)  # `view` or `write`
    return _find_gained_access(devices_of_match, hash_device_id(device), access_of_key)


def _find_gained_access(
    devices_of_match: Sequence[DeviceRecord], stored_device: str, offered: Access
) -> Access | None:
    """Find the access that a device gets if it is offered this one; None if it has as much already.

    `devices_of_match` are those that have access now.

    - offered VIEW, new to the match → VIEW
    - offered WRITE, and the match has no owner → OWN: it becomes the owner
    - offered VIEW, but may write already → None
    """
    new_access = offered
    if _may_become_owner(devices_of_match, stored_device, offered):
        new_access = Access.OWN
    record = _find_device(devices_of_match, stored_device)
    if record is None:  # new to the match
        return new_access

    current_rank = _LEAST_TO_MOST.index(Access(record.access))
    new_rank = _LEAST_TO_MOST.index(new_access)
    if new_rank > current_rank:
        return new_access
    return None


def _may_become_owner(devices: Iterable[DeviceRecord], stored_device: str, offered: Access) -> bool:
    """Tell whether a device that enters a match with this access becomes the owner of the match.

    The first device that may write does, if no other one owns the match. A program never does: it
    could not decide about access.
    """
    if offered is not Access.WRITE or is_program(stored_device):
        return False
    has_owner = any(record.access == Access.OWN for record in devices)
    return not has_owner


def _grant_if_more(
    rows: WriteTransaction, match: str, stored_device: str, access: Access, now: datetime
) -> None:
    """Grant a device this access to a match, unless it has as much already.

    A device that may write becomes the owner if there is none. If there are too many devices that
    view, a new one takes the place of the oldest.
    """
    gained = _find_gained_access(rows.list_devices_with_access(match), stored_device, access)
    if gained is None:
        return
    if gained is Access.VIEW:
        _make_room_for_viewer(rows, match)
    rows.grant(match, stored_device, gained, now)


def _make_room_for_viewer(rows: WriteTransaction, match: str) -> None:
    """Remove devices that may only view a match, the oldest first, until one more is not too many.

    Without this limit, a link that many people share would fill the data file.
    """
    viewers = []
    for record in rows.list_devices_with_access(match):
        if record.access == Access.VIEW:
            viewers.append(record)
    viewers.sort(key=lambda viewer: (viewer.granted, viewer.number))  # when it entered
    while len(viewers) >= MOST_VIEWERS:
        oldest = viewers.pop(0)
        rows.forget(match, oldest.device)


def _remove_devices_with_access(rows: WriteTransaction, match: str, access: Access) -> None:
    """Remove the devices that have exactly this access to the match."""
    for record in rows.list_devices_with_access(match):
        if record.access == access:
            rows.revoke(match, record.device)
