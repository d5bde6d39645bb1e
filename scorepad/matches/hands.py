"""The hands of a match: typed, counted, corrected, checked by the other side, undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from scorepad.errors import ScorepadError
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


class RemarkConflict(ScorepadError):
    """A correction changes the remark on a hand that another device has changed meanwhile."""


class ShownDraft(NamedTuple):
    """The draft of the open hand that the page of a device showed, by which the pad notices that
    another device has changed it since.
    """

    hand_id: str
    """Which hand it is, by `MatchState.coming_id`: that of a hand counted since has another id."""
    version: int
    """The version of the draft; 0 if none was stored."""
    noted: tuple[int, ...] | None = None
    """The entries of the penalties noted for the hand; None to count it with any."""


@dataclass(frozen=True, kw_only=True)
class SentHand:
    """A hand that a device sends to be counted, with what was typed beside it."""

    hand: Hand
    """What each side laid and held."""
    draft: Draft | None = None
    """The fields of the form as typed; None for a program, which has no form."""
    remark: str = ""
    """A remark on the hand, for the table."""
    agreed: str = ""
    """Why the table counts a hand that the rules refuse; empty to count only what they allow."""
    reason: str = ""
    """Why a past hand is corrected or contested."""

    @property
    def by_agreement(self) -> bool:
        """Whether the table counts the hand although the rules refuse it."""
        return says_something(self.agreed)

    def without_draft(self) -> SentHand:
        """The hand and its texts: what is compared if a form is sent twice.

        The same hand may be sent again with another draft, merged with that of another device.
        """
        return replace(self, draft=None)


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

    def judge_typed(
        self,
        match: MatchId,
        device: DeviceId,
        hand: Hand,
        number: int | None = None,
        *,
        by_agreement: bool = False,
    ) -> Judgement:
        """Judge a hand while it is typed, without storing anything. Raises Unusable.

        `number` is that of a past hand being corrected, None for the next hand. If the match no
        longer has a hand of that number, the hand is judged as the next one. The penalties noted
        for the next hand count with it. `by_agreement`: the table counts it although the rules
        refuse it.
        """
        state = self.state(match, device, to_write=True)
        if number is not None and 1 <= number <= len(state.hands):
            return state.judge(number, hand, by_agreement=by_agreement)
        next_number = len(state.hands) + 1
        return state.judge(next_number, state.with_noted(hand), by_agreement=by_agreement)

    def store_draft(
        self, match: MatchId, device: DeviceId, shown: ShownDraft, draft: Draft
    ) -> OpenHand | Stale:
        """Store the fields of the open hand as typed so far, and return it with its new version.

        Stale if another device has stored other fields since the page was shown; its `base` are
        the fields that the page showed, None if they are no longer cached. Raises MatchOver if no
        hand is left to play.
        """
        with self.context.transaction(match, device) as tx:
            if _has_seen_newest(tx, shown, draft):
                _put_changed_draft(tx, draft)
                return open_hand(tx.match)
            base: Draft | None = {}
            if shown.version > 0:  # the page began with stored fields
                base = self.context.drafts.get((match, shown.hand_id, shown.version))
            return tx.stale_result(base)

    def count(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        shown: ShownDraft,
        sent: SentHand,
    ) -> Saved | Refused | Stale:
        """Count the open hand, with the penalties noted for it.

        Refused if the rules do not allow the hand; its draft is stored then. Stale if another
        device has stored another draft, noted a penalty or counted the hand since the page was
        shown. Raises MatchOver and Unusable; nothing is stored then.
        """
        with self.submission(
            NewHand,
            request,
            match,
            device,
            hand_id=shown.hand_id,
            sent=sent.without_draft(),
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            if not _has_seen_newest(tx, shown, sent.draft):
                return tx.stale_result()
            noted = tuple(penalty.entry for penalty in tx.match.noted_penalties)
            if shown.noted is not None and shown.noted != noted:
                return tx.stale_result()
            tx.require_going_on()

            number = len(tx.match.hands) + 1
            hand = tx.match.with_noted(sent.hand)
            draft = tx.draft if sent.draft is None else sent.draft
            result = _append_count(tx, NewHand, number, replace(sent, hand=hand, draft=draft))
            if isinstance(result, Refused):
                stored = _put_changed_draft(tx, sent.draft)
                return Refused(result.judgement, stored)
            tx.drop_draft()
            return result

    def correct(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        seen_entry: int,
        sent: SentHand,
    ) -> Saved | Refused | ReasonWanted | Stale:
        """Correct a past hand, by its number on the pad.

        `seen_entry` is the entry of the log with the count that the device had seen: Stale if
        another count is in force. A reason is required if the other side had confirmed the hand.
        Raises Unusable.
        """
        with self.submission(
            Correction,
            request,
            match,
            device,
            number=number,
            seen_entry=seen_entry,
            sent=sent.without_draft(),
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            if not tx.match.has_hand(number, seen_entry):
                return tx.stale_result()
            hand = tx.match.hands[number - 1]
            if hand.confirmed and not says_something(sent.reason):
                return ReasonWanted()
            try:
                remark = _remark_after_correction(hand, sent.remark)
            except RemarkConflict:
                return tx.stale_result()
            return _append_count(tx, Correction, number, replace(sent, remark=remark))

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
            if tx.was_sent_before:
                return tx.first_result
            last = tx.match.undoable
            if seen_sequence != tx.match.sequence or last is None:
                return tx.stale_result()
            undone = last.event
            if undone.guarded and not says_something(reason):
                return ReasonWanted()

            is_next_hand_typed = _is_next_hand_typed(tx.match)
            undo = Undo(last.sequence, undone.kind, undone.hand_number, tidy_text(reason))
            saved = tx.append(undo)
            if not isinstance(undone, NewHand):
                return saved
            if is_next_hand_typed:
                return replace(saved, keeps_typed=True)
            tx.drop_draft()
            if undone.draft:
                tx.put_draft(undone.draft)
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
            if tx.was_sent_before:
                return tx.first_result
            undone = tx.match.redoable
            if seen_sequence != tx.match.sequence or undone is None:
                return tx.stale_result()
            undo = tx.match.redo_stack[-1]
            redo = events.Redo(undo.sequence, undone.event.kind, undone.event.hand_number)
            saved = tx.append(redo)
            # The hand that was open with its fields since the undo is counted again.
            if isinstance(undone.event, NewHand) and tx.match.is_opened_since(undo.sequence):
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
            if tx.was_sent_before:
                return tx.first_result
            if tx.match.checking == on:
                return Saved(match)
            return tx.append(Checking(on))

    def can_check(self, match: MatchId, device: DeviceId) -> tuple[bool, ...]:
        """For each hand of the match, whether this device may check it: whether another device
        counted it, and not for the side of this one.
        """
        with self.reading() as rows:
            state = self.context.load_match(rows, match, device)
        return tuple(_may_check(state, device, hand.versions[-1]) for hand in state.hands)

    def may_choose(self, match: MatchId, device: DeviceId, number: int) -> tuple[bool, bool]:
        """Whether this device may agree to each of the two counts of a contested hand: to the one in
        force, and to the one that contests it. It may not agree to that of its own side.

        Neither if the hand, by its number on the pad, is not contested.
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
        """Agree to the count of a hand, for the side that did not count it.

        `number` is that of the hand on the pad, `seen_entry` the entry of the log with the count
        that the device showed: Stale if another count is in force, or the hand is contested. Raises
        OwnHand for the side that counted it.
        """
        with self.submission(
            Confirm, request, match, device, number=number, seen_entry=seen_entry
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            if not tx.match.checking or not tx.match.has_hand(number, seen_entry):
                return tx.stale_result()
            hand = tx.match.hands[number - 1]
            if hand.contest is not None:
                return tx.stale_result()
            _require_others(tx, number, hand.versions[-1])
            if hand.confirmed:
                return Saved(match, number)
            return tx.append(Confirm(number, seen_entry, tx.match.own_side))

    def contest(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        seen_entry: int,
        sent: SentHand,
    ) -> Saved | Refused | ReasonWanted | Stale:
        """Store another count of a past hand beside the current one, until one of the two is chosen.

        `number` is that of the hand on the pad, `seen_entry` the entry of the log with the count
        that the device had seen: Stale if another count is in force. A reason is required if the
        hand was confirmed. Raises OwnHand and Unusable.
        """
        with self.submission(
            Contest,
            request,
            match,
            device,
            number=number,
            seen_entry=seen_entry,
            sent=sent.without_draft(),
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            if not tx.match.has_hand(number, seen_entry):
                return tx.stale_result()
            hand = tx.match.hands[number - 1]
            _require_others(tx, number, hand.versions[-1])
            if hand.confirmed and not says_something(sent.reason):
                return ReasonWanted()
            return _append_count(tx, Contest, number, sent)

    def choose(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        shown: tuple[int, int],
        chosen: int,
    ) -> Saved | Stale:
        """Choose one of the two counts of a contested hand: both sides agree to it.

        `shown` are the entries of the log with the two counts that the device showed, the one in
        force first; `chosen` is one of these. Stale if the hand has other counts now. Raises
        OwnHand if a side chooses its own count: the other side must agree to it.
        """
        with self.submission(
            ChosenCount, request, match, device, number=number, shown=shown, chosen=chosen
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            shown_in_force, shown_contest = shown
            if not tx.match.has_hand(number, shown_in_force) or chosen not in shown:
                return tx.stale_result()
            hand = tx.match.hands[number - 1]
            if hand.contest is None or hand.contest.sequence != shown_contest:
                return tx.stale_result()
            chosen_count = hand.versions[-1]
            if chosen == shown_contest:
                chosen_count = hand.contest
            _require_others(tx, number, chosen_count)
            return tx.append(ChosenCount(number, chosen, tx.match.own_side))


def _append_count(
    tx: Transaction, kind: type[Counted], number: int, sent: SentHand
) -> Saved | Refused:
    """Store a count of the hand of this number as an event of this kind, if the rules allow it.
    Raises Unusable.
    """
    judgement = tx.match.judge(number, sent.hand, by_agreement=sent.by_agreement)
    if judgement.sides is None:  # the hand has no score: the rules refuse it
        return Refused(judgement, tx.match.open_hand)
    # An agreement that the hand did not need is not stored.
    breaks_rules = any(finding.is_error for finding in judgement.findings)
    agreed = tidy_text(sent.agreed) if breaks_rules else ""
    counted = kind(
        number=number,
        hand=sent.hand,
        before=tx.match.scores[number - 1],
        sides=tuple(SideLines(side.lines, side.opened) for side in judgement.sides),
        findings=judgement.findings,
        draft=dict(sent.draft or {}),
        reason=tidy_text(sent.reason),
        remark=tidy_text(sent.remark),
        agreed=agreed,
        by=tx.match.own_side,
        played=tx.match.begins.played,
    )
    return tx.append(counted, judgement=judgement)


def _remark_after_correction(hand: HandState, sent_remark: str) -> str:
    """The remark that a hand has after a correction that was sent with a remark.

    The form of the correction began with the remark that was counted with the hand; another one may
    have been written since. Raises RemarkConflict if both were changed.
    """
    remark = tidy_text(sent_remark)
    counted_remark = hand.counted.remark
    if remark in (counted_remark, hand.remark):
        return hand.remark  # the correction changes nothing
    if hand.remark == counted_remark:
        return remark
    raise RemarkConflict


def _is_next_hand_typed(match: MatchState) -> bool:
    """Whether something was typed into the open hand, other than the fields that the undo of a hand
    put back into it.
    """
    opened_by = match.log[match.turned_at - 1].event
    restored: Draft = {}
    if isinstance(opened_by, Undo):
        undone = match.log[opened_by.entry - 1].event
        if isinstance(undone, Counted):
            restored = undone.draft
    return match.has_typed(restored)


def _has_seen_newest(tx: Transaction, shown: ShownDraft, sent_draft: Draft | None) -> bool:
    """Whether the page showed the newest stored draft of the open hand, or sends the same fields."""
    if shown.hand_id != tx.match.coming_id:
        return False
    stored = tx.match.open_hand
    if stored is None:
        return shown.version == 0
    return stored.version == shown.version or stored.draft == sent_draft


def _put_changed_draft(tx: Transaction, draft: Draft | None) -> OpenHand | None:
    """Store the fields that were sent as the draft of the open hand, unless they are stored already.

    None are sent by a program. Returns the open hand, None if it has no draft. Raises MatchOver for
    the first draft of a hand after the end of the match.
    """
    if draft is None or draft == tx.draft:
        return tx.match.open_hand
    if tx.match.open_hand is None:
        tx.require_going_on()
    return tx.put_draft(draft)


def _may_check(state: MatchState, device: DeviceId, count: LogEntry[Counted]) -> bool:
    """Whether a device may check a count: it can write, and did not count it for its own side."""
    return state.access.can_write and _is_by_others(count, known_as(device), state.own_side)


def _is_by_others(version: LogEntry[Counted], device: str, side: int | None) -> bool:
    """Whether a count came from another device than this one, and not for the side that this one
    counts for, if any.
    """
    if version.device == device:
        return False
    return side is None or version.event.by != side


def _require_others(tx: Transaction, number: int, version: LogEntry[Counted]) -> None:
    """Raise OwnHand if this count of a hand came from this device, or from its side."""
    if not _is_by_others(version, tx.submission.device, tx.match.own_side):
        raise OwnHand(tx.match.id, number)
