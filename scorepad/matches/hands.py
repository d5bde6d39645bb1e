"""The hands of a match: typed, counted, corrected, checked by the other side, undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from scorepad.errors import ScorepadError
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
    Redo,
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


class ShownCounts(NamedTuple):
    """The two counts of a contested hand that the page of a device showed, each by its entry of the
    log.
    """

    in_force: int
    """The count that applies."""
    contest: int
    """That with which the other side contested it."""


class ChoosableCounts(NamedTuple):
    """Which of the two counts of a contested hand a device may choose."""

    in_force: bool
    """Whether it may choose the count that applies."""
    contest: bool
    """Whether it may choose that with which the other side contested it."""


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
        # Only who may count a hand has a form to type it into.
        state = self.state(match, device, to_write=True)
        next_number = len(state.hands) + 1
        if number is not None and 1 <= number < next_number:
            return state.judge(number, hand, by_agreement=by_agreement)
        hand_with_penalties = state.with_noted(hand)
        return state.judge(next_number, hand_with_penalties, by_agreement=by_agreement)

    def store_draft(
        self, match: MatchId, device: DeviceId, shown: ShownDraft, draft: Draft
    ) -> OpenHand | Stale:
        """Store the fields of the open hand as typed so far, and return it with its new version.

        Stale if another device has stored other fields since the page was shown; its `base` are
        the fields that the page showed, None if they are no longer known. Raises MatchOver if no
        hand is left to play.
        """
        with self.context.transaction(match, device) as tx:
            if not _may_replace_draft(tx.match, shown, draft):
                return tx.stale_result(base=self._shown_fields(match, shown))
            _store_changed_draft(tx, draft)
            return open_hand(tx.match)

    def _shown_fields(self, match: MatchId, shown: ShownDraft) -> Draft | None:
        """The stored fields of the open hand that a page showed, from the cache of drafts; None if
        they have been dropped from it.
        """
        if shown.version == 0:  # nothing was stored when the page was shown
            return {}
        return self.context.drafts.get((match, shown.hand_id, shown.version))

    def count(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        shown: ShownDraft,
        sent: SentHand,
    ) -> Saved | Refused | Stale:
        """Count the open hand, with the penalties noted for it. `shown` is what the page of the device
        showed, `sent` the hand that it sends.

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
            if not _may_replace_draft(tx.match, shown, sent.draft):
                return tx.stale_result()
            if not _shows_all_noted(tx.match, shown):
                return tx.stale_result()
            return _count_open_hand(tx, sent)

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
        the hand has another count now. A reason is required if the other side had confirmed the
        hand. Raises Unusable.
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
            hand = tx.match.hand_as_seen(number, seen_entry)
            if hand is None:
                return tx.stale_result()
            return _correct_hand(tx, hand, sent)

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
            if last is None or seen_sequence != tx.match.sequence:
                return tx.stale_result()
            undone = last.event
            if undone.guarded and not says_something(reason):
                return ReasonWanted()
            undo = Undo(last.sequence, undone.kind, undone.hand_number, tidy_text(reason))
            if isinstance(undone, NewHand):
                return _undo_new_hand(tx, undone, undo)
            return tx.append(undo)

    def redo(
        self, request: RequestId, match: MatchId, device: DeviceId, seen_sequence: int
    ) -> Saved | Stale:
        """Redo what was undone last, if `seen_sequence` is still the last of the match.

        Stale after another action, or if the fields of the hand undone were changed.
        """
        with self.submission(Redo, request, match, device, seen_sequence=seen_sequence) as tx:
            if tx.was_sent_before:
                return tx.first_result
            undone = tx.match.redoable
            if undone is None or seen_sequence != tx.match.sequence:
                return tx.stale_result()
            undo = tx.match.redo_stack[-1]  # which the redo reverts
            redo = Redo(undo.sequence, undone.event.kind, undone.event.hand_number)
            if isinstance(undone.event, NewHand):
                return _redo_new_hand(tx, redo)
            return tx.append(redo)


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
        return tuple(_may_check(state, device, hand.count_in_force) for hand in state.hands)

    def may_choose(self, match: MatchId, device: DeviceId, number: int) -> ChoosableCounts:
        """Which of the two counts of a contested hand this device may choose: not that of its own
        side, to which the other side has to agree.

        `number` is that of the hand on the pad. Neither if the hand is not contested.
        """
        with self.reading() as rows:
            state = self.context.load_match(rows, match, device)
        hand = state.hand_on_pad(number)
        if hand.contest is None:
            return ChoosableCounts(in_force=False, contest=False)
        return ChoosableCounts(
            in_force=_may_check(state, device, hand.count_in_force),
            contest=_may_check(state, device, hand.contest),
        )

    def confirm(
        self, request: RequestId, match: MatchId, device: DeviceId, number: int, seen_entry: int
    ) -> Saved | Stale:
        """Agree to the count of a hand, for the side that did not count it.

        `number` is that of the hand on the pad, `seen_entry` the entry of the log with the count
        that the device showed: Stale if the hand has another count now or is contested, or if
        checking was switched off. Raises OwnHand for the side that counted it.
        """
        with self.submission(
            Confirm, request, match, device, number=number, seen_entry=seen_entry
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            hand = tx.match.hand_as_seen(number, seen_entry)
            if hand is None:
                return tx.stale_result()
            if hand.contest is not None or not tx.match.checking:
                return tx.stale_result()
            _require_count_of_others(tx, hand.count_in_force)
            if hand.confirmed:  # another device was faster: there is nothing left to store
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
        that the device had seen: Stale if the hand has another count now. A reason is required if
        the hand was confirmed. Raises Unusable, and OwnHand for the side that counted the hand.
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
            hand = tx.match.hand_as_seen(number, seen_entry)
            if hand is None:
                return tx.stale_result()
            _require_count_of_others(tx, hand.count_in_force)
            if hand.confirmed and not says_something(sent.reason):
                return ReasonWanted()
            return _append_if_allowed(tx, Contest, number, sent)

    def choose(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        shown: ShownCounts,
        chosen: int,
    ) -> Saved | Stale:
        """Choose one of the two counts of a contested hand: both sides agree to it.

        `shown` are the two counts that the page showed, by their entries of the log; `chosen` is
        one of these entries. Stale if the hand has other counts now. Raises OwnHand if a side
        chooses its own count, because the other side must agree to it.
        """
        with self.submission(
            ChosenCount, request, match, device, number=number, shown=shown, chosen=chosen
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            hand = tx.match.hand_as_seen(number, shown.in_force)
            if hand is None:
                return tx.stale_result()
            chosen_count = _find_chosen_count(hand, shown, chosen)
            if chosen_count is None:
                return tx.stale_result()
            _require_count_of_others(tx, chosen_count)
            return tx.append(ChosenCount(number, chosen, tx.match.own_side))


# ----------------------------------------------------------------------- counting and correcting


def _count_open_hand(tx: Transaction, sent: SentHand) -> Saved | Refused:
    """Count the open hand as the next one of the match, with the penalties noted for it.

    Its draft is deleted then; if the rules refuse the hand, the fields that were sent become its
    draft. Raises MatchOver and Unusable.
    """
    tx.require_going_on()
    draft = sent.draft
    if draft is None:  # a program sends no form: what is typed at the table belongs to the hand
        draft = tx.draft
    hand = tx.match.with_noted(sent.hand)
    number = len(tx.match.hands) + 1
    result = _append_if_allowed(tx, NewHand, number, replace(sent, hand=hand, draft=draft))
    if isinstance(result, Saved):
        tx.drop_draft()
        return result
    _store_changed_draft(tx, draft)
    return Refused(result.judgement, tx.match.open_hand)


def _correct_hand(
    tx: Transaction, hand: HandState, sent: SentHand
) -> Saved | Refused | ReasonWanted | Stale:
    """Correct a hand by the one that was sent, if the rules allow that one.

    A reason is required if the other side had confirmed the hand. Stale if another device has
    changed the remark on the hand meanwhile, and this one changes it too. Raises Unusable.
    """
    if hand.confirmed and not says_something(sent.reason):
        return ReasonWanted()
    try:
        remark = _remark_after_correction(hand, sent.remark)
    except RemarkConflict:
        return tx.stale_result()
    return _append_if_allowed(tx, Correction, hand.number, replace(sent, remark=remark))


def _append_if_allowed(
    tx: Transaction, kind: type[Counted], number: int, sent: SentHand
) -> Saved | Refused:
    """Judge a hand, and store it as a count of the hand of this number if the rules allow it.

    `kind` is the event that stores it: a new hand, a correction, or a contest. Raises Unusable.
    """
    judgement = tx.match.judge(number, sent.hand, by_agreement=sent.by_agreement)
    if judgement.sides is None:  # the rules refuse the hand, which has no score then
        return Refused(judgement, tx.match.open_hand)
    counted = kind(
        number=number,
        hand=sent.hand,
        before=tx.match.scores_before(number),
        sides=tuple(SideLines(side.lines, side.opened) for side in judgement.sides),
        findings=judgement.findings,
        draft=dict(sent.draft or {}),
        reason=tidy_text(sent.reason),
        remark=tidy_text(sent.remark),
        agreed=_agreement_needed(sent, judgement),
        by=tx.match.own_side,
        played=tx.match.begins.played,
    )
    return tx.append(counted, judgement=judgement)


def _agreement_needed(sent: SentHand, judgement: Judgement) -> str:
    """Why the table counts a hand that breaks rules; empty if the hand breaks none, whatever was
    typed as the reason.
    """
    breaks_rules = any(finding.is_error for finding in judgement.findings)
    if not breaks_rules:
        return ""
    return tidy_text(sent.agreed)


def _remark_after_correction(hand: HandState, sent_remark: str) -> str:
    """The remark that a hand has after a correction that was sent with a remark.

    The form of the correction began with the remark that was counted with the hand; another device
    may have changed it since. Raises RemarkConflict if both changed it.
    """
    typed_remark = tidy_text(sent_remark)
    remark_of_form = hand.counted.remark
    if typed_remark == remark_of_form:  # the correction does not touch the remark
        return hand.remark
    if typed_remark == hand.remark:  # the other device wrote the same
        return typed_remark
    was_changed_meanwhile = hand.remark != remark_of_form
    if was_changed_meanwhile:
        raise RemarkConflict
    return typed_remark


# ------------------------------------------------------------------------------ undoing and redoing


def _undo_new_hand(tx: Transaction, undone: NewHand, undo: Undo) -> Saved:
    """Undo the last counted hand, and open it again with its fields as they were typed.

    If something is typed into the next hand already, that is kept as the open hand instead.
    """
    keeps_typed = _has_typed_next_hand(tx.match)  # asked before the undo, which opens another hand
    saved = tx.append(undo)
    if keeps_typed:
        return replace(saved, keeps_typed=True)
    tx.drop_draft()
    if undone.draft:
        tx.put_draft(undone.draft)
    return saved


def _redo_new_hand(tx: Transaction, redo: Redo) -> Saved:
    """Count a hand again whose count was undone.

    If the undo had opened the hand again with its fields, these are deleted. If it had not, the
    open hand is the next one, which somebody had begun to type before the undo, and is kept.
    """
    was_opened_by_undo = tx.match.is_opened_since(redo.entry)
    saved = tx.append(redo)
    if was_opened_by_undo:
        tx.drop_draft()
    return saved


def _has_typed_next_hand(match: MatchState) -> bool:
    """Whether somebody typed something into the open hand.

    If an undo opened the hand again, the fields that it put back do not count as typed.
    """
    return match.has_typed_other_than(_restored_fields(match))


def _restored_fields(match: MatchState) -> Draft:
    """The fields that an undo put back into the open hand: those with which the undone hand had been
    counted. Empty if the open hand did not begin with the undo of a hand.
    """
    begun_by = match.entry_at(match.next_hand_since).event
    if not isinstance(begun_by, Undo):
        return {}
    undone = match.entry_at(begun_by.entry).event
    if not isinstance(undone, NewHand):
        return {}
    return undone.draft


# ----------------------------------------------------------------------------------------- the draft


def _may_replace_draft(match: MatchState, shown: ShownDraft, sent_draft: Draft | None) -> bool:
    """Whether the fields sent by a page may replace the draft of the open hand: no other fields were
    stored since the page was shown, which would be lost.
    """
    if shown.hand_id != match.coming_id:  # the hand that the page showed was counted or undone
        return False
    stored = match.open_hand
    if stored is None:
        return shown.version == 0
    if stored.version == shown.version:
        return True
    return stored.draft == sent_draft  # another device has stored the same fields


def _shows_all_noted(match: MatchState, shown: ShownDraft) -> bool:
    """Whether a page showed just the penalties that are noted for the open hand now, so that the
    hand is counted with no others. A program may count a hand with any.
    """
    if shown.noted is None:
        return True
    noted = tuple(penalty.entry for penalty in match.noted_penalties)
    return shown.noted == noted


def _store_changed_draft(tx: Transaction, draft: Draft) -> None:
    """Store these fields as the draft of the open hand, unless they are its draft already.

    Raises MatchOver if they would be the first of a hand after the end of the match.
    """
    if draft == tx.draft:
        return
    if tx.match.open_hand is None:
        tx.require_going_on()
    tx.put_draft(draft)


# ----------------------------------------------------------------------------------------- checking


def _find_chosen_count(
    hand: HandState, shown: ShownCounts, chosen: int
) -> LogEntry[Counted] | None:
    """The one of the two counts of a hand that a device chose: the count in force, or the one by
    which the other side contests it.

    `chosen` and `shown` are entries of the log. None if the device did not show the contest that
    there is now, or chose neither of the two that it showed.
    """
    contest = hand.contest
    if contest is None or contest.sequence != shown.contest:
        return None
    if chosen == shown.contest:
        return contest
    if chosen == shown.in_force:
        return hand.count_in_force
    return None


def _may_check(state: MatchState, device: DeviceId, count: LogEntry[Counted]) -> bool:
    """Whether a device may check a count: it can write, and did not count it for its own side."""
    return state.access.can_write and _is_count_of_others(count, known_as(device), state.own_side)


def _is_count_of_others(count: LogEntry[Counted], device: str, own_side: int | None) -> bool:
    """Whether a hand was counted by another device than this one, and for another side.

    `own_side` is the side that this device counts for, None if for no side in particular: then any
    other device will do.
    """
    is_by_this_device = count.device == device
    is_for_own_side = own_side is not None and count.event.by == own_side
    return not is_by_this_device and not is_for_own_side


def _require_count_of_others(tx: Transaction, count: LogEntry[Counted]) -> None:
    """Raise OwnHand if this count of a hand came from this device, or from its side."""
    if not _is_count_of_others(count, tx.submission.device, tx.match.own_side):
        raise OwnHand(tx.match.id, count.event.number)
