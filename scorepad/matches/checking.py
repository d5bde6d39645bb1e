"""One side counts and the other checks: a hand is confirmed, or contested until one of two countings is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

from scorepad.matches.answers import NoteWanted, Refused, Saved, Stale
from scorepad.matches.desk import Desk, Sent, saved
from scorepad.matches.errors import OwnHand
from scorepad.matches.hands import Correction, count_again, stands_as_seen
from scorepad.matches.kinds import EntryKind
from scorepad.matches.log import Version
from scorepad.matches.notes import says_something
from scorepad.matches.office import Office
from scorepad.matches.values import Said
from scorepad.matches.who import DeviceId, DeviceMark, MatchId, RequestId
from scorepad.storage.digests import known_as
from scorepad.storage.reading import Reading

Hand = Mapping[str, Any]
_NOTHING = Said()


class Checking:
    """What the other side says of a hand. Every verb raises MatchNotFound, NotAllowed and RequestRefused as the pad's.

    Whoever counted a hand does not check it: that raises OwnHand, for the same device and for one of the same side.
    """

    def __init__(self, office: Office) -> None:
        self._office = office

    def switch(self, request: RequestId, match: MatchId, device: DeviceId, *, on: bool) -> Saved | Stale:
        """From now on hands are to be checked by the other side, or no longer; those counted before stay."""

        def act(desk: Desk) -> Saved:
            if bool(desk.log.checking_since) == on:
                return Saved(match)
            return saved(desk.append(EntryKind.CHECKING, request, {"on": on}), desk.log.rules)

        return self._office.submit(EntryKind.CHECKING, Sent.of(request, device, on), match, act)

    def can_check(self, match: MatchId, device: DeviceId) -> tuple[bool, ...]:
        """Of each hand whether this device may check it: it was counted by another, and not for the same side."""
        with self._office.storage.reading() as rows:
            seen = self._office.look(rows, match, device)
            if not seen.access.can_write:
                return (False,) * len(seen.log.hands)
            asking = _asking(rows, match, device)
            return tuple(_is_by_others(versions[-1], *asking) for versions in seen.log.hands)

    def may_choose(self, match: MatchId, device: DeviceId, number: int) -> tuple[bool, bool]:
        """Of the two countings of a contested hand, which this device may agree to: none that its side counted."""
        with self._office.storage.reading() as rows:
            seen = self._office.look(rows, match, device)
            contest = seen.log.marks[number - 1].contest
            if contest is None or not seen.access.can_write:
                return False, False
            asking = _asking(rows, match, device)
            return _is_by_others(seen.log.hands[number - 1][-1], *asking), _is_by_others(contest, *asking)

    def confirm(
        self, request: RequestId, match: MatchId, device: DeviceId, number: int, seen_entry: int
    ) -> Saved | Stale:
        """Agree to a hand as the device had seen it: `seen_entry` is the entry of the version that it showed.

        Stale where it is counted otherwise by now, or contested: never is anything confirmed that was not shown.
        """

        def act(desk: Desk) -> Saved | Stale:
            if not stands_as_seen(desk, number, seen_entry) or desk.log.marks[number - 1].contest:
                return desk.seen.stale
            if not desk.log.checking_since:
                return desk.seen.stale
            _must_be_others(desk, number)
            if desk.log.marks[number - 1].confirmed:
                return Saved(match, number)
            payload = {"number": number, "entry": seen_entry, "by": desk.side}
            return saved(desk.append(EntryKind.CONFIRM, request, payload), desk.log.rules)

        return self._office.submit(EntryKind.CONFIRM, Sent.of(request, device, number, seen_entry), match, act)

    def contest(  # noqa: PLR0913, PLR0917 - who asks, which hand, and what it should be
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        seen_entry: int,
        hand: Hand,
        note: str = "",
        said: Said = _NOTHING,
        draft: Mapping[str, str] | None = None,
    ) -> Saved | Refused | NoteWanted | Stale:
        """Another counting of a hand, beside the one that stands, until one of the two is chosen.

        `draft` are its fields as typed. Raises contract.Unusable.
        """
        wanted = Correction(number, seen_entry, hand, note, said, draft or {})

        def act(desk: Desk) -> Saved | Refused | NoteWanted | Stale:
            if not stands_as_seen(desk, number, seen_entry):
                return desk.seen.stale
            _must_be_others(desk, number)
            if desk.log.marks[number - 1].confirmed and not says_something(note):
                return NoteWanted()
            return count_again(desk, request, EntryKind.CONTEST, wanted)

        sent = Sent.of(request, device, number, seen_entry, hand, note, *astuple(said))
        return self._office.submit(EntryKind.CONTEST, sent, match, act)

    def choose(
        self, request: RequestId, match: MatchId, device: DeviceId, number: int, shown: tuple[int, int], chosen: int
    ) -> Saved | Stale:
        """Of two countings, the one that both agree on: `shown` are the entries of the two that the device showed.

        Nobody chooses what the own side counted: that raises OwnHand. It is the other side that agrees to it.
        """

        def act(desk: Desk) -> Saved | Stale:
            if not stands_as_seen(desk, number, shown[0]) or chosen not in shown:
                return desk.seen.stale
            contest = desk.log.marks[number - 1].contest
            if contest is None or contest.entry.sequence != shown[1]:
                return desk.seen.stale
            taken = contest if chosen == shown[1] else desk.log.hands[number - 1][-1]
            if not _is_by_others(taken, desk.device, desk.side):
                raise OwnHand(match, number)
            payload = {"number": number, "entry": chosen, "by": desk.side}
            return saved(desk.append(EntryKind.CHOICE, request, payload), desk.log.rules)

        sent = Sent.of(request, device, number, list(shown), chosen)
        return self._office.submit(EntryKind.CHOICE, sent, match, act)


def _asking(rows: Reading, match: MatchId, device: DeviceId) -> tuple[DeviceMark, int | None]:
    """A device as the file knows it, and the side that it counts for."""
    mark = DeviceMark(known_as(device))
    return mark, rows.seat(match, mark)


def _must_be_others(desk: Desk, number: int) -> None:
    if not _is_by_others(desk.log.hands[number - 1][-1], desk.device, desk.side):
        raise OwnHand(desk.log.match.id, number)


def _is_by_others(version: Version, device: DeviceMark, side: int | None) -> bool:
    """Whether a counting came from another device, and not for the same side."""
    return version.entry.device != device and (side is None or version.counted.by != side)
