"""The doors of a match: the keys that open it, the devices that came in, and whose match it is."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from scorepad.matches.access import admit, admit_owner
from scorepad.matches.codes import fits, known_view, new_keys, renew_viewing, renew_writing
from scorepad.matches.desk import Desk, Sent, found_again
from scorepad.matches.errors import NoSuchKey, NotOwner
from scorepad.matches.keys import digest_of, is_key, new_key
from scorepad.matches.kinds import EntryKind
from scorepad.matches.who import Access, DeviceId, DeviceMark, Keys, MatchId, RequestId
from scorepad.storage.digests import known_as
from scorepad.storage.reading import Reading
from scorepad.storage.records import GrantRecord, KeyRecord
from scorepad.storage.writing import Writing

if TYPE_CHECKING:
    from scorepad.matches.office import Office

OPENS = (Access.WRITE, Access.VIEW)
"""What there are keys for."""
NO_KEYS = Keys("", "")
HOME_LINK_LASTS = timedelta(minutes=15)
"""How long a home link that the command line made can be used."""
MOST_LOOKERS = 64
"""Devices of a match that only look. Where one more comes in, the one that came first among them goes."""

_Answer = TypeVar("_Answer")


class DoorChange(StrEnum):
    """What its owner decides about who comes into a match, as the log names it."""

    RENEW = "renew"
    WITHDRAW = "withdraw"
    HAND_ON = "hand-on"
    REMOVE = "remove"
    START_OVER = "start-over"


class Outcome(StrEnum):
    """What became of what the owner decided: it is done, it had been done by the same submission, or nobody is there.

    Only what is done now changes anything.
    """

    DONE = "done"
    AGAIN = "again"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class _Wish:
    """What the owner asks for: of which key, or with which device."""

    what: DoorChange
    access: Access | None = None
    mark: DeviceMark | None = None


@dataclass(frozen=True, slots=True)
class Entered:
    """A device that came in: by which match's key, and the keys that it may show from now on."""

    match: MatchId
    keys: Keys


@dataclass(frozen=True, slots=True)
class Held:
    """The keys that a device may show, and for what there are keys at all."""

    keys: Keys
    made: frozenset[Access]


@dataclass(frozen=True, slots=True)
class Phone:
    """A device of a match: its number in the order of coming, what it may do, since when it is in, and its side."""

    number: int
    mark: DeviceMark
    access: Access
    since: datetime
    side: int | None
    is_mine: bool
    """Whether it is the one that asks."""


class Doors:
    """Keys and devices of the matches of a data file.

    Every verb that names a match raises MatchNotFound where the device may not see it, and those that decide who else
    comes in NotOwner (or NotAllowed, for one that may only look) where the match is another's. StorageError passes.

    What the owner decides stands in the match's log, under the name of its submission: sent again it changes nothing,
    whosever the match is by then. Raises RequestRefused for a name that was used for something else.
    """

    def __init__(self, office: Office) -> None:
        self._office = office

    def let_write(self, match: MatchId, device: DeviceId) -> None:
        """Let only a device pass that may write. Raises MatchNotFound, NotAllowed."""
        with self._office.storage.reading() as rows:
            admit(rows, match, device, to_write=True)

    # ------------------------------------------------------------------------------------------------ keys

    def enter(self, key: str, device: DeviceId, nonce: str = "") -> Entered:
        """Let a device in by a key. What it may do already it keeps. Raises NoSuchKey.

        A match that is nobody's becomes that of the first device that comes in to write. With a `nonce`, no cookie of
        the device with another nonce is valid from now on.
        """
        if nonce or self.gives_access(key, device):
            with self._office.storage.writing() as rows:
                found = _key_record(rows, key.strip().lower())
                if nonce:
                    rows.put_nonce(known_as(device), digest_of(nonce))
                _let_in(rows, found.match, known_as(device), Access(found.access), self._office.clock())
        with self._office.storage.reading() as rows:
            return _entered(rows, key.strip().lower())

    def gives_access(self, key: str, device: DeviceId) -> bool:
        """Whether the key lets the device do more than it may do now. Raises NoSuchKey."""
        with self._office.storage.reading() as rows:
            found = _key_record(rows, key.strip().lower())
            return _gain(rows.grants(found.match), known_as(device), Access(found.access)) is not None

    def is_current(self, device: DeviceId, nonces: tuple[str, ...]) -> bool:
        """Whether one of these nonces, of a cookie of the device, is its current one; empty for a cookie without."""
        with self._office.storage.reading() as rows:
            return rows.nonce(known_as(device)) in {nonce and digest_of(nonce) for nonce in nonces}

    def holds(self, match: MatchId, device: DeviceId, carried: Keys) -> Held:
        """Which of the keys that a device carries still open the match; whoever holds the one to write has both."""
        with self._office.storage.reading() as rows:
            _, access = admit(rows, match, device)
            made = {Access(each.access): each for name in OPENS if (each := rows.key_of(match, name)) is not None}
            write = carried.write if access.can_write and fits(carried.write, made.get(Access.WRITE)) else ""
            return Held(Keys(write, known_view(rows, match, Keys(write, carried.view))), frozenset(made))

    def renew(
        self, match: MatchId, device: DeviceId, access: Access, carried: Keys, request: RequestId | None = None
    ) -> Keys:
        """Another key to write, or to view, in place of the one before: the keys that the device holds then.

        Whoever has just this access, the owner aside, is out until it comes by the new key. NO_KEYS where this had been
        sent before: a key is told once.
        """

        def act(desk: Desk) -> Keys:
            rows = desk.rows
            _send_out(rows, match, access)
            view = known_view(rows, match, carried)
            if access is Access.WRITE:
                return renew_writing(rows, match, view, desk.now)
            write = carried.write if fits(carried.write, rows.key_of(match, Access.WRITE)) else ""
            return renew_viewing(rows, match, write, desk.now)

        return self._once(match, device, request, _Wish(DoorChange.RENEW, access), act) or NO_KEYS

    def withdraw(self, match: MatchId, device: DeviceId, access: Access, request: RequestId | None = None) -> Outcome:
        """No key opens the match so far any more, and whoever has just this access, the owner aside, is out."""

        def act(desk: Desk) -> Outcome:
            _send_out(desk.rows, match, access)
            desk.rows.drop_key(match, access)
            return Outcome.DONE

        return self._once(match, device, request, _Wish(DoorChange.WITHDRAW, access), act) or Outcome.AGAIN

    def start_over(self, match: MatchId, device: DeviceId, request: RequestId | None = None) -> Keys:
        """New keys for a match whose devices are lost: none of them may do anything any more, and it is nobody's.

        NO_KEYS where this had been sent before.
        """

        def act(desk: Desk) -> Keys:
            for grant in desk.rows.grants(match):
                desk.rows.revoke(match, grant.device)
            return new_keys(desk.rows, match, desk.now)

        return self._once(match, device, request, _Wish(DoorChange.START_OVER), act) or NO_KEYS

    def _once(
        self,
        match: MatchId,
        device: DeviceId,
        request: RequestId | None,
        wish: _Wish,
        act: Callable[[Desk], _Answer],
    ) -> _Answer | None:
        """Do what only the owner may, and note it without any key; None where it had been done under this name.

        Whoever was the owner when it was sent first may not be any more.
        """
        name = RequestId(secrets.token_urlsafe(16)) if request is None else request
        sent = Sent.of(name, device, wish.what, wish.access, wish.mark)
        with self._office.storage.writing() as rows:
            desk = self._office.desk(rows, match, device, sent.content)
            if found_again(rows, self._office.shelf, sent, EntryKind.DOOR, match) is not None:
                return None
            admit_owner(rows, match, device)
            phone = None if wish.mark is None else rows.numbers(match).get(wish.mark)
            answer = act(desk)
            if answer is not Outcome.GONE:
                desk.append(EntryKind.DOOR, name, {"what": wish.what, "access": wish.access, "phone": phone})
            return answer

    # ------------------------------------------------------------------------------------------------ home links

    def make_home_link(self) -> str:
        """Make the token of a link that gives one browser every match, once, within HOME_LINK_LASTS."""
        token, now = new_key(), self._office.clock()
        with self._office.storage.writing() as rows:
            rows.drop_home_links("", now)
            rows.put_home_link(digest_of(token), now + HOME_LINK_LASTS)
        return token

    def is_home_link(self, token: str) -> bool:
        """Whether the token is one that can be used now."""
        with self._office.storage.reading() as rows:
            return _is_open(rows, token, self._office.clock())

    def use_home_link(self, token: str) -> bool:
        """Use up a token. Returns False if it cannot be used (any more)."""
        now = self._office.clock()
        with self._office.storage.writing() as rows:
            is_open = _is_open(rows, token, now)
            rows.drop_home_links(digest_of(token), now)
            return is_open

    # ------------------------------------------------------------------------------------------------ devices

    def devices(self, match: MatchId, device: DeviceId) -> tuple[Phone, ...]:
        """The devices that may do something with the match, in the order of their coming."""
        with self._office.storage.reading() as rows:
            admit(rows, match, device)
            mine = known_as(device)
            return tuple(_phone(grant, mine) for grant in rows.grants(match))

    def hand_on(self, match: MatchId, device: DeviceId, mark: DeviceMark, request: RequestId | None = None) -> Outcome:
        """Give the match to another of its devices; whose it was may go on writing. GONE where that one is out."""

        def act(desk: Desk) -> Outcome:
            rows = desk.rows
            if _grant_of(rows, match, mark) is None:
                return Outcome.GONE
            for grant in rows.grants(match):
                if grant.access == Access.OWN:
                    rows.grant(match, grant.device, Access.WRITE, desk.now)
            rows.grant(match, mark, Access.OWN, desk.now)
            return Outcome.DONE

        return self._once(match, device, request, _Wish(DoorChange.HAND_ON, mark=mark), act) or Outcome.AGAIN

    def remove(self, match: MatchId, device: DeviceId, mark: DeviceMark, request: RequestId | None = None) -> Outcome:
        """Send a device out; a key that it has still opens to it. GONE where it is out already.

        Raises NotOwner for that of the owner.
        """

        def act(desk: Desk) -> Outcome:
            target = _grant_of(desk.rows, match, mark)
            if target is None:
                return Outcome.GONE
            if target.access == Access.OWN:
                raise NotOwner(match)
            desk.rows.revoke(match, mark)
            return Outcome.DONE

        return self._once(match, device, request, _Wish(DoorChange.REMOVE, mark=mark), act) or Outcome.AGAIN

    def sit(self, match: MatchId, device: DeviceId, side: int | None) -> None:
        """Say which side this device counts for, by its position; None for none. Raises ValueError for no such side."""
        with self._office.storage.writing() as rows:
            desk = self._office.desk(rows, match, device)
            if side is not None and side not in range(len(desk.log.rules.settings.sides)):
                raise ValueError(side)
            # A browser with the home privilege writes without ever having come in.
            _let_in(rows, match, desk.device, Access.WRITE, desk.now)
            rows.put_seat(match, desk.device, side)


def _entered(rows: Reading, key: str) -> Entered:
    """The match that a key opens, and the keys that its holder may know. Raises NoSuchKey."""
    found = _key_record(rows, key)
    if found.access == Access.VIEW:
        return Entered(MatchId(found.match), Keys("", key))
    return Entered(MatchId(found.match), Keys(key, known_view(rows, found.match, Keys(key, ""))))


def _key_record(rows: Reading, key: str) -> KeyRecord:
    """What the file holds of a key. Raises NoSuchKey."""
    found = rows.key(digest_of(key)) if is_key(key) else None
    if found is None:
        raise NoSuchKey
    return found


def _is_open(rows: Reading, token: str, now: datetime) -> bool:
    until = rows.home_link_until(digest_of(token))
    return until is not None and now < until <= now + HOME_LINK_LASTS  # later than that: the clock was set back


def _gain(granted: tuple[GrantRecord, ...], device: str, access: Access) -> Access | None:
    """What a device may do from now on with this access; None where it may do as much already."""
    has = next((Access(grant.access) for grant in granted if grant.device == device), Access.NONE)
    is_anybodys = any(grant.access == Access.OWN for grant in granted)
    wanted = access if is_anybodys or not access.can_write else Access.OWN
    return wanted if _rank(wanted) > _rank(has) else None


def _let_in(rows: Writing, match: str, device: str, access: Access, now: datetime) -> None:
    """A device may do this from now on, unless it may do more already."""
    granted = rows.grants(match)
    wanted = _gain(granted, device, access)
    if wanted is not None:
        if wanted is Access.VIEW:
            _make_room(rows, match, granted)
        rows.grant(match, device, wanted, now)


def _make_room(rows: Writing, match: str, granted: tuple[GrantRecord, ...]) -> None:
    """Let those who look and came first go, as far as it takes for one more: a link passed on cannot fill the file."""
    lookers = [grant for grant in granted if grant.access == Access.VIEW]
    lookers.sort(key=lambda grant: (grant.granted, grant.number))
    for grant in lookers[: max(0, len(lookers) + 1 - MOST_LOOKERS)]:
        rows.forget(match, grant.device)


def _rank(access: Access) -> int:
    return tuple(Access).index(access)


def _send_out(rows: Writing, match: str, access: Access) -> None:
    """Whoever has just this access is out."""
    for grant in rows.grants(match):
        if grant.access == access:
            rows.revoke(match, grant.device)


def _grant_of(rows: Reading, match: str, mark: str) -> GrantRecord | None:
    return next((grant for grant in rows.grants(match) if grant.device == mark), None)


def _phone(grant: GrantRecord, mine: str) -> Phone:
    return Phone(
        grant.number, DeviceMark(grant.device), Access(grant.access), grant.granted, grant.side, grant.device == mine
    )
