"""One side counts and the other checks: a hand is confirmed, or contested until one of two counts is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

from scorepad.matches.access import DeviceId, DeviceMark, MatchId, RequestId
from scorepad.matches.errors import OwnHand
from scorepad.matches.events import Checking, Choice, Confirm, Contest, EntryKind
from scorepad.matches.hands import Recount, count_again
from scorepad.matches.names import says_something
from scorepad.matches.projection import HandVersion
from scorepad.matches.results import NoteWanted, Refused, Said, Saved, Stale
from scorepad.matches.transaction import Context, Submission, Transaction
from scorepad.storage.records import known_as
from scorepad.storage.rows import Reading

_NOTHING = Said()


class CheckingService:
    """Checks by the other side. All methods raise MatchNotFound, NotAllowed and RequestRefused as those of Pad.

    The side that counted a hand does not check it: that raises OwnHand, for the same device and any of the same side.
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    def switch(self, request: RequestId, match: MatchId, device: DeviceId, *, on: bool) -> Saved | Stale:
        """From now on hands are to be checked by the other side, or no longer; those counted before stay."""

        def act(tx: Transaction) -> Saved:
            return Saved(match) if tx.match.checking == on else tx.append(Checking(on), request)

        return self._context.submit(EntryKind.CHECKING, Submission.of(request, device, on), match, act)

    def can_check(self, match: MatchId, device: DeviceId) -> tuple[bool, ...]:
        """Of each hand whether this device may check it: another device counted it, and not for the same side."""
        with self._context.storage.reading() as rows:
            state = self._context.seen(rows, match, device)
            if not state.access.can_write:
                return (False,) * len(state.hands)
            mark, side = _checker(rows, match, device)
            return tuple(_is_by_others(hand.versions[-1], mark, side) for hand in state.hands)

    def may_choose(self, match: MatchId, device: DeviceId, number: int) -> tuple[bool, bool]:
        """Of the two counts of a contested hand, which this device may agree to: none that its side counted."""
        with self._context.storage.reading() as rows:
            state = self._context.seen(rows, match, device)
            hand = state.hands[number - 1]
            contest = hand.checked.contest
            if contest is None or not state.access.can_write:
                return False, False
            mark, side = _checker(rows, match, device)
            return _is_by_others(hand.versions[-1], mark, side), _is_by_others(contest, mark, side)

    def confirm(
        self, request: RequestId, match: MatchId, device: DeviceId, number: int, seen_entry: int
    ) -> Saved | Stale:
        """Agree to a hand as the device had seen it: `seen_entry` is the entry of the version that it showed.

        Stale where another version counts by now, or the hand is contested.
        """

        def act(tx: Transaction) -> Saved | Stale:
            if not tx.match.has_hand(number, seen_entry) or not tx.match.checking:
                return tx.stale
            hand = tx.match.hands[number - 1]
            if hand.checked.contest:
                return tx.stale
            _require_others(tx, number, hand.versions[-1])
            if hand.checked.confirmed:
                return Saved(match, number)
            return tx.append(Confirm(number, seen_entry, tx.side), request)

        return self._context.submit(EntryKind.CONFIRM, Submission.of(request, device, number, seen_entry), match, act)

    def contest(  # noqa: PLR0913, PLR0917 - who asks, which hand, and what it should be
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        seen_entry: int,
        hand: Mapping[str, Any],
        note: str = "",
        said: Said = _NOTHING,
        draft: Mapping[str, str] | None = None,
    ) -> Saved | Refused | NoteWanted | Stale:
        """Store another count of a hand, beside the one that stands, until one of the two is chosen.

        `draft` are its fields as typed. Raises Unusable.
        """

        def act(tx: Transaction) -> Saved | Refused | NoteWanted | Stale:
            if not tx.match.has_hand(number, seen_entry):
                return tx.stale
            stands = tx.match.hands[number - 1]
            _require_others(tx, number, stands.versions[-1])
            if stands.checked.confirmed and not says_something(note):
                return NoteWanted()
            return count_again(tx, request, Contest, Recount(number, seen_entry, hand, note, said, draft or {}))

        sent = Submission.of(request, device, number, seen_entry, hand, note, *astuple(said))
        return self._context.submit(EntryKind.CONTEST, sent, match, act)

    def choose(
        self, request: RequestId, match: MatchId, device: DeviceId, number: int, shown: tuple[int, int], chosen: int
    ) -> Saved | Stale:
        """Choose one of two counts: `shown` are the entries of the two that the device showed.

        A side does not choose its own count, which raises OwnHand: the other side agrees to it.
        """

        def act(tx: Transaction) -> Saved | Stale:
            if not tx.match.has_hand(number, shown[0]) or chosen not in shown:
                return tx.stale
            hand = tx.match.hands[number - 1]
            contest = hand.checked.contest
            if contest is None or contest.entry != shown[1]:
                return tx.stale
            _require_others(tx, number, contest if chosen == shown[1] else hand.versions[-1])
            return tx.append(Choice(number, chosen, tx.side), request)

        sent = Submission.of(request, device, number, list(shown), chosen)
        return self._context.submit(EntryKind.CHOICE, sent, match, act)


def _checker(rows: Reading, match: MatchId, device: DeviceId) -> tuple[DeviceMark, int | None]:
    """A device as the file knows it, and the side that it counts for."""
    mark = DeviceMark(known_as(device))
    return mark, rows.seat(match, mark)


def _require_others(tx: Transaction, number: int, version: HandVersion) -> None:
    if not _is_by_others(version, tx.device, tx.side):
        raise OwnHand(tx.match.id, number)


def _is_by_others(version: HandVersion, device: DeviceMark, side: int | None) -> bool:
    """Whether a count came from another device, and not for the same side."""
    return version.device != device and (side is None or version.by != side)
