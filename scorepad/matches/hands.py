"""The hands of a match: typed, counted, corrected, checked by the other side, undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from scorepad.matches import events
from scorepad.matches.access import DeviceId, MatchError, MatchId, RequestId
from scorepad.matches.events import (
    Checking,
    ChosenCount,
    Confirm,
    Contest,
    Correction,
    Counted,
    HandState,
    LogEntry,
    NewHand,
    Undo,
)
from scorepad.matches.names import says_something, tidy_text
from scorepad.matches.projection import MatchState
from scorepad.matches.service import Service
from scorepad.matches.transaction import (
    MatchOver,
    ReasonWanted,
    Refused,
    Saved,
    Stale,
    Transaction,
)
from scorepad.rules.hand import Hand
from scorepad.rules.judging import Judgement
from scorepad.rules.score_lines import SideLines
from scorepad.storage.rows import OpenHand, known_as

Draft = Mapping[str, str]
"""The fields of a hand as typed."""


class OwnHand(MatchError):
    """The side that counted the hand `number` of the match `id` may not check it."""

    def __init__(self, match: str, number: int) -> None:
        super().__init__(match)
        self.number = number


class HandTexts(NamedTuple):
    """What is written about a counted hand; `agreed` is why the table agreed to what the rules
    refuse.
    """

    remark: str = ""
    agreed: str = ""


NO_TEXTS = HandTexts()


def open_hand(match: MatchState) -> OpenHand:
    """The open hand: its stored draft, or an empty one, version 0. Raises MatchOver."""
    if match.open_hand is not None:
        return match.open_hand
    if match.status.finished:
        raise MatchOver(match.id)
    return OpenHand(match.id, match.coming_id, 0, {}, "", match.changed)


class Hands(Service):
    """The hands of the matches of a data file; every method raises MatchNotFound and NotAllowed."""

    def state(self, match: MatchId, device: DeviceId, *, to_write: bool = False) -> MatchState:
        """The current match; `to_write`: require write access."""
        with self.reading() as rows:
            return self.context.load_match(rows, match, device, to_write=to_write)

    def open(self, match: MatchId, device: DeviceId) -> OpenHand:
        """The open hand; version 0 if no draft is stored. Raises MatchOver."""
        return open_hand(self.state(match, device, to_write=True))

    def preview(
        self,
        match: MatchId,
        device: DeviceId,
        hand: Hand,
        number: int | None = None,
        texts: HandTexts = NO_TEXTS,
    ) -> Judgement:
        """Judge a hand while it is typed; `number` is the hand being corrected. Raises Unusable.

        If the match no longer has that number, the hand is judged as the next one. The penalties
        noted for the next hand count with it. Stores nothing.
        """
        state = self.state(match, device, to_write=True)
        by_agreement = says_something(texts.agreed)
        if number is not None and 1 <= number <= len(state.hands):
            return state.judge(number, hand, by_agreement=by_agreement)
        coming = len(state.hands) + 1
        return state.judge(coming, state.with_noted(hand), by_agreement=by_agreement)

    def keep(
        self, match: MatchId, device: DeviceId, hand_id: str, seen_version: int, draft: Draft
    ) -> OpenHand | Stale:
        """Store the fields of the open hand as typed so far. Raises MatchOver if no hand is left.

        Stale if another device has stored other fields since this version (0: none was stored); its
        `base` are the fields of this version, from which the device began.
        """
        with self.context.transaction(match, device) as tx:
            if _has_seen_newest(tx, hand_id, seen_version, draft):
                _store_draft(tx, draft)
                return open_hand(tx.match)
            base: Draft | None = {}
            if seen_version > 0:
                base = self.context.drafts.get((match, hand_id, seen_version))
            return tx.stale._replace(base=base)

    def count(  # noqa: PLR0913, PLR0917 - which hand, and what it should be
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        hand_id: str,
        seen_version: int,
        hand: Hand,
        draft: Draft | None = None,
        texts: HandTexts = NO_TEXTS,
        seen_noted: Sequence[int] | None = None,
    ) -> Saved | Refused | Stale:
        """Count the open hand, with the penalties noted for it. `draft` are its fields as sent,
        stored if the rules refuse the hand.

        `seen_noted` are the entries of the noted penalties that the device had seen; None to count
        with any. Raises MatchOver and Unusable; nothing is stored then.
        """
        with self.submission(
            NewHand, request, match, device, hand_id=hand_id, hand=hand, texts=texts
        ) as tx:
            if tx.earlier is not None:
                return tx.earlier
            if not _has_seen_newest(tx, hand_id, seen_version, draft):
                return tx.stale
            noted = [penalty.entry for penalty in tx.match.noted_penalties]
            if seen_noted is not None and list(seen_noted) != noted:
                return tx.stale
            tx.require_going_on()
            typed = tx.draft if draft is None else draft
            hand = tx.match.with_noted(hand)
            result = _count(tx, NewHand, len(tx.match.hands) + 1, hand, texts, typed)
            if isinstance(result, Refused):
                return result._replace(open_hand=_store_draft(tx, draft))
            tx.drop_draft()
            return result

    def correct(  # noqa: PLR0913, PLR0917 - which hand, and what it should be
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        seen_entry: int,
        hand: Hand,
        reason: str = "",
        texts: HandTexts = NO_TEXTS,
        draft: Draft | None = None,
    ) -> Saved | Refused | ReasonWanted | Stale:
        """Correct a past hand; `seen_entry` is the entry of the version that the device had seen.

        `draft` are its fields as typed. If the other side had confirmed it, a reason is required.
        Raises Unusable.
        """
        with self.submission(
            Correction,
            request,
            match,
            device,
            number=number,
            seen_entry=seen_entry,
            hand=hand,
            reason=reason,
            texts=texts,
        ) as tx:
            if tx.earlier is not None:
                return tx.earlier
            if not tx.match.has_hand(number, seen_entry):
                return tx.stale
            stands = tx.match.hands[number - 1]
            if stands.confirmed and not says_something(reason):
                return ReasonWanted()
            remark = _remark_of_correction(stands, texts.remark)
            if remark is None:
                return tx.stale
            kept_texts = texts._replace(remark=remark)
            return _count(tx, Correction, number, hand, kept_texts, draft, reason)

    def undo(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        seen_sequence: int,
        reason: str = "",
    ) -> Saved | ReasonWanted | Stale:
        """Undo the last action not yet undone, if `seen_sequence` is still the last of the match.

        A hand becomes the open hand again, as typed, unless the next hand is being typed already:
        that is kept. Undoing what the other side had agreed to requires a reason.
        """
        with self.submission(
            Undo, request, match, device, seen_sequence=seen_sequence, reason=reason
        ) as tx:
            if tx.earlier is not None:
                return tx.earlier
            last = tx.match.undoable
            if seen_sequence != tx.match.sequence or last is None:
                return tx.stale
            if last.event.guarded and not says_something(reason):
                return ReasonWanted()
            is_typed = _is_next_hand_typed(tx.match)
            undo = Undo(last.sequence, last.event.kind, last.event.hand_number, tidy_text(reason))
            saved = tx.append(undo)
            if not isinstance(last.event, NewHand):
                return saved
            if is_typed:
                return replace(saved, keeps_typed=True)
            tx.drop_draft()
            if last.event.draft:
                tx.put_draft(last.event.draft)
            return saved

    def redo(
        self, request: RequestId, match: MatchId, device: DeviceId, seen_sequence: int
    ) -> Saved | Stale:
        """Redo the last undo, if `seen_sequence` is still the last of the match.

        Stale after another action, or if the fields of the hand undone were changed.
        """
        with self.submission(
            events.Redo, request, match, device, seen_sequence=seen_sequence
        ) as tx:
            if tx.earlier is not None:
                return tx.earlier
            again = tx.match.redoable
            if seen_sequence != tx.match.sequence or again is None:
                return tx.stale
            undo = tx.match.redo_stack[-1].sequence
            saved = tx.append(events.Redo(undo, again.event.kind, again.event.hand_number))
            if isinstance(again.event, NewHand) and tx.match.is_opened_since(undo):
                tx.drop_draft()
            return saved


class CheckingService(Service):
    """One side counts and the other checks: a hand is confirmed, or contested until one of two
    counts is chosen.

    The side that counted a hand may not check it: OwnHand is raised for any device of that side.
    """

    def switch(
        self, request: RequestId, match: MatchId, device: DeviceId, *, on: bool
    ) -> Saved | Stale:
        """Switch checking by the other side on or off; hands counted before are not changed."""
        with self.submission(Checking, request, match, device, on=on) as tx:
            if tx.earlier is not None:
                return tx.earlier
            if tx.match.checking == on:
                return Saved(match)
            return tx.append(Checking(on))

    def can_check(self, match: MatchId, device: DeviceId) -> tuple[bool, ...]:
        """For each hand, whether this device may check it: another device counted it, for a
        different side.
        """
        with self.reading() as rows:
            state = self.context.load_match(rows, match, device)
        return tuple(_may_check(state, device, hand.versions[-1]) for hand in state.hands)

    def may_choose(self, match: MatchId, device: DeviceId, number: int) -> tuple[bool, bool]:
        """For the two counts of a contested hand, whether this device may agree to each: not to its
        own side's.
        """
        with self.reading() as rows:
            state = self.context.load_match(rows, match, device)
        hand = state.hands[number - 1]
        if hand.contest is None:
            return False, False
        return (
            _may_check(state, device, hand.versions[-1]),
            _may_check(state, device, hand.contest),
        )

    def confirm(
        self, request: RequestId, match: MatchId, device: DeviceId, number: int, seen_entry: int
    ) -> Saved | Stale:
        """Agree to a hand as the device showed it: `seen_entry` is the entry of that version.

        Stale if another version counts now, or the hand is contested.
        """
        with self.submission(
            Confirm, request, match, device, number=number, seen_entry=seen_entry
        ) as tx:
            if tx.earlier is not None:
                return tx.earlier
            if not (tx.match.has_hand(number, seen_entry) and tx.match.checking):
                return tx.stale
            hand = tx.match.hands[number - 1]
            if hand.contest:
                return tx.stale
            _require_others(tx, number, hand.versions[-1])
            if hand.confirmed:
                return Saved(match, number)
            return tx.append(Confirm(number, seen_entry, tx.match.own_side))

    def contest(  # noqa: PLR0913, PLR0917 - which hand, and what it should be
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        seen_entry: int,
        hand: Hand,
        reason: str = "",
        texts: HandTexts = NO_TEXTS,
        draft: Draft | None = None,
    ) -> Saved | Refused | ReasonWanted | Stale:
        """Store another count of a hand, beside the current one, until one of the two is chosen.

        `draft` are its fields as typed. Raises Unusable.
        """
        with self.submission(
            Contest,
            request,
            match,
            device,
            number=number,
            seen_entry=seen_entry,
            hand=hand,
            reason=reason,
            texts=texts,
        ) as tx:
            if tx.earlier is not None:
                return tx.earlier
            if not tx.match.has_hand(number, seen_entry):
                return tx.stale
            stands = tx.match.hands[number - 1]
            _require_others(tx, number, stands.versions[-1])
            if stands.confirmed and not says_something(reason):
                return ReasonWanted()
            return _count(tx, Contest, number, hand, texts, draft, reason)

    def choose(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        shown: tuple[int, int],
        chosen: int,
    ) -> Saved | Stale:
        """Choose one of two counts; `shown` are the entries of the two that the device showed.

        Raises OwnHand if a side chooses its own count: the other side must agree to it.
        """
        with self.submission(
            ChosenCount, request, match, device, number=number, shown=shown, chosen=chosen
        ) as tx:
            if tx.earlier is not None:
                return tx.earlier
            if not tx.match.has_hand(number, shown[0]) or chosen not in shown:
                return tx.stale
            hand = tx.match.hands[number - 1]
            if hand.contest is None or hand.contest.sequence != shown[1]:
                return tx.stale
            _require_others(tx, number, hand.contest if chosen == shown[1] else hand.versions[-1])
            return tx.append(ChosenCount(number, chosen, tx.match.own_side))


def _count(  # noqa: PLR0913, PLR0917 - which hand, and what it should be
    tx: Transaction,
    event: type[Counted],
    number: int,
    hand: Hand,
    texts: HandTexts,
    draft: Draft | None,
    reason: str = "",
) -> Saved | Refused:
    """Store a count of a hand, if the rules allow it. Raises Unusable."""
    judgement = tx.match.judge(number, hand, by_agreement=says_something(texts.agreed))
    if judgement.sides is None:
        return Refused(judgement, tx.match.open_hand)
    needs_agreement = any(finding.is_error for finding in judgement.findings)
    counted = event(
        number=number,
        hand=hand,
        before=tx.match.scores[number - 1],
        sides=tuple(SideLines(side.lines, side.opened) for side in judgement.sides),
        findings=judgement.findings,
        draft=dict(draft or {}),
        reason=tidy_text(reason),
        remark=tidy_text(texts.remark),
        agreed=tidy_text(texts.agreed) if needs_agreement else "",
        by=tx.match.own_side,
        played=tx.match.begins.played,
    )
    return tx.append(counted, judgement=judgement)


def _remark_of_correction(stands: HandState, sent: str) -> str | None:
    """The remark of a hand after a correction sent with this one; None if both were changed.

    The present remark stays unless the correction changes it.
    """
    remark = tidy_text(sent)
    counted = stands.counted.remark
    if remark in (stands.remark, counted):
        return stands.remark
    if stands.remark == counted:
        return remark
    return None


def _is_next_hand_typed(match: MatchState) -> bool:
    """Whether the open hand has typed fields other than those that an undo restored."""
    opened_by = match.log[match.turned_at - 1].event
    restored: Draft = {}
    if isinstance(opened_by, Undo):
        undone = match.log[opened_by.entry - 1].event
        if isinstance(undone, Counted):
            restored = undone.draft
    return match.has_typed(restored)


def _has_seen_newest(tx: Transaction, hand_id: str, version: int, draft: Draft | None) -> bool:
    """Whether the device had seen the newest stored draft of this hand, or sends the same fields."""
    if hand_id != tx.match.coming_id:
        return False
    stored = tx.match.open_hand
    if stored is None:
        return version == 0
    return stored.version == version or stored.draft == draft


def _store_draft(tx: Transaction, draft: Draft | None) -> OpenHand | None:
    """Store the fields sent, if they differ; returns the stored draft."""
    if draft is None or draft == tx.draft:
        return tx.match.open_hand
    if tx.match.open_hand is None:
        tx.require_going_on()
    return tx.put_draft(draft)


def _may_check(state: MatchState, device: DeviceId, count: LogEntry[Counted]) -> bool:
    """Whether a device may check a count: it can write, and did not count it for its own side."""
    return state.access.can_write and _is_by_others(count, known_as(device), state.own_side)


def _is_by_others(version: LogEntry[Counted], device: str, side: int | None) -> bool:
    """Whether a count came from another device, and not for the same side."""
    return version.device != device and (side is None or version.event.by != side)


def _require_others(tx: Transaction, number: int, version: LogEntry[Counted]) -> None:
    if not _is_by_others(version, tx.submission.device, tx.match.own_side):
        raise OwnHand(tx.match.id, number)
