"""The hands of a match: typed, counted, corrected, checked by the other side, undone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
from scorepad.matches.names import has_visible_text, tidy_text
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
from scorepad.rules.score_lines import SideLines, SideScore
from scorepad.storage.rows import OpenHand, hash_device_id

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
    """Which hand it is: its `MatchState.current_hand_id`, which is another one in every hand."""
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
        """Tell whether the players count the hand (round) although the rules refuse it."""
        return has_visible_text(self.agreed)

    def without_draft(self) -> SentHand:
        """Return a copy without the texts of the form, to find out whether a hand is sent twice.

        The texts may differ the second time, because another device typed into the same form
        meanwhile. The hand (round) and its remark are the same.
        """
        return replace(self, draft=None)


def find_open_hand(match: MatchState) -> OpenHand:
    """Return the hand (round) that is being played, with what is typed into its form so far.

    If nothing was typed yet, the form is empty and has the version 0. Raises MatchOver if the match
    is finished, so that no hand is being played.
    """
    if match.open_hand is not None:
        return match.open_hand
    if match.status.finished:
        raise MatchOver(match.id)
    return OpenHand(
        match=match.id,
        id=match.current_hand_id,
        version=0,
        draft={},
        device="",  # no device has typed anything
        kept_at=match.changed,
    )


class Hands(Service):
    """The hands of the matches of a data file; every method raises MatchNotFound and NotAllowed."""

    def state(self, match: MatchId, device: DeviceId, *, to_write: bool = False) -> MatchState:
        """Return the match as it is now; `to_write` requires the right to change it."""
        with self.reading() as rows:
            return self.context.load_match(rows, match, device, to_write=to_write)

    def open(self, match: MatchId, device: DeviceId) -> OpenHand:
        """Return the hand (round) that is being played, with what is typed into its form so far.

        The device must have the right to change the match. Raises MatchOver.
        """
        return find_open_hand(self.state(match, device, to_write=True))

    def judge_typed(
        self,
        match: MatchId,
        device: DeviceId,
        hand: Hand,
        number: int | None = None,
        *,
        by_agreement: bool = False,
    ) -> Judgement:
        """Check and score a hand (a round) while it is still being typed. Nothing is stored.

        `number` is that of a past hand which is being corrected. With None, or if that hand was
        undone meanwhile, the hand is judged as the one being played now. With `by_agreement` it is
        scored although it breaks rules.

        Raises Unusable for a hand to which the rules cannot be applied at all.
        """
        # Only who may count a hand has a form to type it into.
        state = self.state(match, device, to_write=True)
        if number is not None and state.has_hand(number):
            return state.judge(number, hand, by_agreement=by_agreement)

        # A corrected hand has its penalties already. This one gets those noted while it is played.
        hand_with_penalties = state.with_noted_penalties(hand)
        return state.judge(state.next_number, hand_with_penalties, by_agreement=by_agreement)

    def store_draft(
        self, match: MatchId, device: DeviceId, shown: ShownDraft, draft: Draft
    ) -> OpenHand | Stale:
        """Store what is typed so far into the form of the hand (round) that is being played.

        Several devices may type into the form. `draft` are the texts of one of them, and `shown` is
        the version of the form that its page had loaded. The result is

        - the hand with a new version of its form, or
        - Stale, if another device has stored other texts since, so that they are not overwritten.
          Its `base` are the texts that the page had loaded; None if they are no longer known.

        Raises MatchOver if the match is finished.
        """
        with self.context.transaction(match, device) as tx:
            if not _may_replace_draft(tx.match, shown, draft):
                # From these texts the page sees which fields each of the two devices changed.
                loaded_fields = self._find_shown_fields(match, shown)
                return tx.make_stale_result(loaded_fields)
            _store_changed_draft(tx, draft)
            return find_open_hand(tx.match)

    def _find_shown_fields(self, match: MatchId, shown: ShownDraft) -> Draft | None:
        """Return the texts of the form of a hand (a round) as a page had loaded them.

        None if they are no longer in the cache, which holds only those stored lately.
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
        """Score the hand (round) being played and add it to the match, with its penalties.

        `sent` is the hand as the device sends it, `shown` what the page of the device had loaded.

        - Refused if the rules do not allow the hand: then only the texts of its form are stored.
        - Stale if another device has typed something else, noted a penalty or counted the hand
          since the page was loaded.

        Raises MatchOver, and Unusable for a hand to which the rules cannot be applied at all.
        Nothing is stored then.
        """
        with self.submission(
            NewHand,
            request,
            match,
            device,
            hand_id=shown.hand_id,
            sent=sent.without_draft(),
        ) as (tx, first_result):
            if first_result is not None:  # the same form once more: its hand must not count twice
                return first_result
            if not _may_replace_draft(tx.match, shown, sent.draft):
                return tx.make_stale_result()
            if not _has_shown_noted_penalties(tx.match, shown):
                return tx.make_stale_result()
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
        """Correct a past hand (round): store a new count of it in place of the earlier one.

        `number` is the number of the hand, from 1, and `sent` is the hand as it should be.
        `seen_entry` is the log entry with the count that the device had seen. The result is

        - Saved, or
        - Stale, if the hand has another count now, or
        - ReasonWanted, if the other side had confirmed the hand and `sent` gives no reason, or
        - Refused, if the rules do not allow the hand.

        Raises Unusable for a hand to which the rules cannot be applied at all.
        """
        with self.submission(
            Correction,
            request,
            match,
            device,
            number=number,
            seen_entry=seen_entry,
            sent=sent.without_draft(),
        ) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            hand = tx.match.find_hand_as_seen(number, seen_entry)
            if hand is None:
                return tx.make_stale_result()
            return _correct_hand(tx, hand, sent)

    def undo(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        seen_sequence: int,
        reason: str = "",
    ) -> Saved | ReasonWanted | Stale:
        """Take back the last action on a match, such as counting a hand (a round).

        `seen_sequence` is the number of the latest log entry that the device had seen. What was
        typed for a counted hand goes back into its form, unless somebody has begun to type the next
        hand. The result is

        - Saved, or
        - Stale, if there is a later entry, or nothing can be undone, or
        - ReasonWanted, if the other side had agreed to what is undone and no reason is given.
        """
        with self.submission(
            Undo, request, match, device, seen_sequence=seen_sequence, reason=reason
        ) as (tx, first_result):
            if first_result is not None:  # the same form once more: only one action is undone
                return first_result
            last_action = tx.match.undoable
            if last_action is None:
                return tx.make_stale_result()
            if seen_sequence != tx.match.sequence:
                return tx.make_stale_result()
            was_agreed_to = last_action.event.guarded
            if was_agreed_to and not has_visible_text(reason):
                return ReasonWanted()
            return _undo_action(tx, last_action, reason)

    def redo(
        self, request: RequestId, match: MatchId, device: DeviceId, seen_sequence: int
    ) -> Saved | Stale:
        """Bring back the action that was undone last, such as the count of a hand (a round).

        `seen_sequence` is the number of the latest log entry that the device had seen. Stale if
        there is a later one, or if nothing can be brought back. That is so if somebody has done
        anything else since the undo, or has changed the texts that it put back into the form of the
        hand.
        """
        with self.submission(Redo, request, match, device, seen_sequence=seen_sequence) as (
            tx,
            first_result,
        ):
            if first_result is not None:  # the same form once more
                return first_result
            undone_action = tx.match.redoable
            if undone_action is None:
                return tx.make_stale_result()
            if seen_sequence != tx.match.sequence:
                return tx.make_stale_result()
            last_undo = tx.match.redo_stack[-1]
            return _redo_action(tx, last_undo, undone_action)


class CheckingService(Service):
    """One side counts and the other checks: a hand is confirmed, or contested until one of two
    counts is chosen.

    The side that counted a hand may not check it: OwnHand is raised for any device of that side.
    """

    def switch(
        self, request: RequestId, match: MatchId, device: DeviceId, *, on: bool
    ) -> Saved | Stale:
        """Turn the checking of hands (rounds) on or off for a match.

        While it is on, a hand that one side has counted waits until the other side confirms it. The
        counts stay as they are.
        """
        with self.submission(Checking, request, match, device, on=on) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            if tx.match.checking == on:  # nothing to store
                return Saved(match)
            return tx.append(Checking(on))

    def can_check(self, match: MatchId, device: DeviceId) -> tuple[bool, ...]:
        """Tell for each hand (round) of a match whether a device may check how it was counted.

        `(True, False)`: the first of two hands, but not the second. Nobody checks a hand of their
        own. Another device must have counted it, for another side.
        """
        with self.reading() as rows:
            state = self.context.load_match(rows, match, device)
        return tuple(_may_check(state, device, hand.count_in_force) for hand in state.hands)

    def may_choose(self, match: MatchId, device: DeviceId, number: int) -> ChoosableCounts:
        """Tell which counts of a hand (a round) a device may choose, after a dispute about it.

        In a dispute a hand has two counts: one that applies, and one by the side that objects to it
        (`contest`). A device may not choose the count of its own side, since the other side has to
        agree to that. `number` is the number of the hand, from 1.
        """
        with self.reading() as rows:
            state = self.context.load_match(rows, match, device)
        hand = state.get_counted_hand(number)
        if hand.contest is None:  # there is only one count, and nothing to choose
            return ChoosableCounts(in_force=False, contest=False)
        return ChoosableCounts(
            in_force=_may_check(state, device, hand.count_in_force),
            contest=_may_check(state, device, hand.contest),
        )

    def confirm(
        self, request: RequestId, match: MatchId, device: DeviceId, number: int, seen_entry: int
    ) -> Saved | Stale:
        """Confirm how the other side has counted a hand (a round).

        `number` is the number of the hand, from 1. `seen_entry` is the log entry with the count
        that the device showed. Stale if the hand has another count now, if it is in dispute, or if
        no checking is wanted in this match. Raises OwnHand for the side that counted the hand.
        """
        with self.submission(
            Confirm, request, match, device, number=number, seen_entry=seen_entry
        ) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            if not tx.match.checking:
                return tx.make_stale_result()
            hand = tx.match.find_hand_as_seen(number, seen_entry)
            if hand is None:  # it has another count now
                return tx.make_stale_result()
            if hand.contest is not None:  # in dispute: the other side has counted it differently
                return tx.make_stale_result()

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
        """Contest how the other side has counted a hand (a round), with a count of one's own.

        `sent` is that count. It is stored beside the present one, until one of the two is chosen.
        `number` is the number of the hand, from 1. `seen_entry` is the log entry with the count
        that the device had seen.

        - Stale if the hand has another count now.
        - ReasonWanted if the hand was confirmed and `sent` gives no reason.
        - Refused if the rules do not allow the hand.

        Raises OwnHand for the side that counted the hand, and Unusable for a hand to which the
        rules cannot be applied at all.
        """
        with self.submission(
            Contest,
            request,
            match,
            device,
            number=number,
            seen_entry=seen_entry,
            sent=sent.without_draft(),
        ) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            hand = tx.match.find_hand_as_seen(number, seen_entry)
            if hand is None:
                return tx.make_stale_result()
            _require_count_of_others(tx, hand.count_in_force)
            if hand.confirmed and not has_visible_text(sent.reason):
                return ReasonWanted()
            return _store_count_if_allowed(tx, Contest, number, sent)

    def choose(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        shown: ShownCounts,
        chosen: int,
    ) -> Saved | Stale:
        """Settle a dispute about a hand (a round): store which of its two counts shall apply.

        `number` is the number of the hand, from 1. A count is given by the number of its log entry:
        `shown` are the two counts that the page showed, and `chosen` is one of them. Stale if the
        hand has other counts now. Raises OwnHand if a side chooses its own count, because the other
        side has to agree to it.
        """
        with self.submission(
            ChosenCount, request, match, device, number=number, shown=shown, chosen=chosen
        ) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            hand = tx.match.find_hand_as_seen(number, shown.in_force)
            if hand is None:
                return tx.make_stale_result()
            contest = hand.contest
            if contest is None or contest.sequence != shown.contest:
                return tx.make_stale_result()
            for count in (hand.count_in_force, contest):
                if count.sequence == chosen:
                    _require_count_of_others(tx, count)
                    return tx.append(ChosenCount(number, chosen, tx.match.own_side))
            return tx.make_stale_result()  # neither of the two was chosen


# ----------------------------------------------------------------------- counting and correcting


def _count_open_hand(tx: Transaction, sent: SentHand) -> Saved | Refused:
    """Add the hand (round) being played to the match, and empty its form.

    The penalties that were noted during the hand are added to it. If the rules refuse the hand,
    only the texts of its form are stored. Raises MatchOver, and Unusable for a hand to which the
    rules cannot be applied at all.
    """
    tx.require_going_on()
    texts_of_form = sent.draft
    if (
        texts_of_form is None
    ):  # a program sends no form: those typed at the table belong to the hand
        texts_of_form = tx.draft
    hand_with_penalties = tx.match.with_noted_penalties(sent.hand)
    sent_with_penalties = replace(sent, hand=hand_with_penalties, draft=texts_of_form)
    number = tx.match.next_number
    judgement = tx.match.judge(number, hand_with_penalties, by_agreement=sent.by_agreement)
    if judgement.sides is None:  # the rules refuse it
        _store_changed_draft(tx, texts_of_form)
        return Refused(judgement, tx.match.open_hand)
    saved = _append_count(tx, NewHand, number, sent_with_penalties, judgement)
    tx.drop_draft()
    return saved


def _correct_hand(
    tx: Transaction, hand: HandState, sent: SentHand
) -> Saved | Refused | ReasonWanted | Stale:
    """Store what was sent as the new count of a hand (a round).

    The result is

    - Saved, or
    - ReasonWanted, if the other side had confirmed the hand and no reason was sent, or
    - Stale, if both this and another device have changed the remark on the hand, or
    - Refused, if the rules do not allow the hand.

    Raises Unusable for a hand to which the rules cannot be applied at all.
    """
    needs_reason = hand.confirmed is not None
    if needs_reason and not has_visible_text(sent.reason):
        return ReasonWanted()
    try:
        remark = _merge_remark_of_correction(hand, sent.remark)
    except RemarkConflict:
        return tx.make_stale_result()
    corrected = replace(sent, remark=remark)
    return _store_count_if_allowed(tx, Correction, hand.number, corrected)


def _store_count_if_allowed(
    tx: Transaction, kind: type[Counted], number: int, sent: SentHand
) -> Saved | Refused:
    """Store another count of a hand (a round) if the rules allow it; otherwise nothing is stored.

    `number` is the number of the hand, from 1. `kind` is `Correction`, for a count in place of an
    earlier one, or `Contest`, for one by the side that objects to the other side's. Raises Unusable
    for a hand to which the rules cannot be applied at all.
    """
    judgement = tx.match.judge(number, sent.hand, by_agreement=sent.by_agreement)
    if judgement.sides is None:  # the rules refuse it
        return Refused(judgement, tx.match.open_hand)
    return _append_count(tx, kind, number, sent, judgement)


def _append_count(
    tx: Transaction,
    kind: type[Counted],
    number: int,
    sent: SentHand,
    judgement: Judgement,
) -> Saved:
    """Append a hand (a round) to the log as it was counted, with the scores in the judgement.

    `kind` says what it is: a count for the first time, a correction, or one against another count.
    """
    assert judgement.sides is not None, "only a hand with a score is stored"
    counted = kind(
        number=number,
        hand=sent.hand,
        before=tx.match.scores_before(number),
        sides=_reduce_to_stored_scores(judgement.sides),
        findings=judgement.findings,  # warnings, and broken rules that the players accepted
        draft=dict(sent.draft or {}),  # to fill the form again, if the hand is undone
        reason=tidy_text(sent.reason),
        remark=tidy_text(sent.remark),
        agreed=_find_agreement_to_store(sent, judgement),
        by=tx.match.own_side,  # the side that counted
        played=tx.match.begins.played,  # the hands played on paper before
    )
    return tx.append(counted, judgement=judgement)


def _reduce_to_stored_scores(scores: Iterable[SideScore]) -> tuple[SideLines, ...]:
    """Reduce the scores of the sides in a hand (a round) to what the log stores.

    These are the lines of the score. The totals of the match follow from them, and from the hands
    before.
    """
    return tuple(SideLines(score.lines, score.opened) for score in scores)


def _find_agreement_to_store(sent: SentHand, judgement: Judgement) -> str:
    """Return why the players count a hand (a round) although it breaks rules, to store it.

    If the hand breaks no rule, a reason that was typed means nothing: empty.
    """
    breaks_rules = any(finding.is_error for finding in judgement.findings)
    if not breaks_rules:
        return ""
    return tidy_text(sent.agreed)


def _merge_remark_of_correction(hand: HandState, sent_remark: str) -> str:
    """Find the remark that a hand (a round) has after a correction, sent with this remark.

    The form of a correction shows the remark of the count that it corrects. Another device may have
    changed the remark on the hand since:

    - the correction leaves its remark as shown → the remark of the other device stays
    - only the correction changes it, or both write one text → the sent remark
    - both change it to different texts → RemarkConflict is raised
    """
    typed_remark = tidy_text(sent_remark)
    shown_remark = hand.counted.remark
    current_remark = hand.remark
    if typed_remark == shown_remark:
        return current_remark
    was_changed_by_others = current_remark != shown_remark
    if was_changed_by_others and typed_remark != current_remark:
        raise RemarkConflict
    return typed_remark


# ------------------------------------------------------------------------------ undoing and redoing


def _undo_action(tx: Transaction, action: LogEntry, reason: str) -> Saved:
    """Store that the action of this log entry is undone; `reason` says why, or is empty.

    If the action is the count of a hand (a round), its texts go back into its form.
    """
    undo = Undo(
        entry=action.sequence,
        undone_kind=action.event.kind,
        number=action.event.hand_number,
        reason=tidy_text(reason),
    )
    if isinstance(action.event, NewHand):
        return _undo_new_hand(tx, action.event, undo)
    return tx.append(undo)


def _undo_new_hand(tx: Transaction, undone: NewHand, undo: Undo) -> Saved:
    """Store that the last counted hand (round) is undone, and fill the form with its texts again.

    There is one form. If somebody has typed the next hand into it already, their texts stay there,
    and `keeps_typed` in the result says so.
    """
    # Asked before the undo: after it the form is that of the hand which is undone.
    has_typed_next_hand = _has_typed_into_current_form(tx.match)
    saved = tx.append(undo)
    if has_typed_next_hand:
        return replace(saved, keeps_typed=True)

    tx.drop_draft()
    if undone.draft:  # empty if a program has sent the hand
        tx.put_draft(undone.draft)
    return saved


def _redo_action(tx: Transaction, last_undo: LogEntry, undone_action: LogEntry) -> Saved:
    """Store that an action is brought back, which the last undo has taken back.

    When the count of a hand (a round) was undone, its texts went back into its form. They are
    deleted now. But the form may have texts of the next hand instead, which stay.
    """
    redo = Redo(
        entry=last_undo.sequence,
        undone_kind=undone_action.event.kind,
        number=undone_action.event.hand_number,
    )
    brings_back_count = isinstance(undone_action.event, NewHand)
    was_form_filled_by_undo = tx.match.has_open_hand_begun_since(last_undo.sequence)
    saved = tx.append(redo)
    if brings_back_count and was_form_filled_by_undo:
        tx.drop_draft()  # these texts are those of the hand that is counted again
    return saved


def _has_typed_into_current_form(match: MatchState) -> bool:
    """Tell whether somebody has typed into the form of the hand (round) that is being played.

    Texts that an undo put back into the form do not count as typed.
    """
    restored_texts = _find_restored_fields(match)
    return match.has_typed_other_than(restored_texts)


def _find_restored_fields(match: MatchState) -> Draft:
    """Return the texts that an undo put back into the form of the hand (round) being played.

    When the count of a hand is undone, that hand is played again. Its form gets the texts with
    which it had been counted. Empty if the present hand did not begin like that.
    """
    entry_that_began_hand = match.get_entry(match.next_hand_begun_by)
    undo = entry_that_began_hand.event
    if not isinstance(undo, Undo):
        return {}
    undone = match.get_entry(undo.entry).event
    if not isinstance(undone, NewHand):
        return {}
    return undone.draft


# ---------------------------------------------------------------------------------------- the draft


def _may_replace_draft(match: MatchState, shown: ShownDraft, sent_draft: Draft | None) -> bool:
    """Tell whether texts that a page sends may replace those stored for the form of a hand.

    The form is that of the hand (round) being played. False if another device has stored texts
    since the page was loaded, which would be lost. `shown` is the hand, and the version of its
    form, that the page had loaded.
    """
    is_same_hand = shown.hand_id == match.current_hand_id
    if not is_same_hand:  # the hand that the page showed was counted or undone
        return False
    stored = match.open_hand
    if stored is None:
        return shown.version == 0  # nothing was stored then either
    if stored.version == shown.version:
        return True
    return stored.draft == sent_draft  # another device has stored just the same texts


def _has_shown_noted_penalties(match: MatchState, shown: ShownDraft) -> bool:
    """Tell whether a page showed exactly the penalties noted for the hand being played.

    Otherwise its user would count the hand (round) with penalties that they have not seen. A
    penalty is given by the number of its log entry.
    """
    if shown.noted is None:  # a program shows no page, and counts the hand with any penalties
        return True
    noted_now = tuple(penalty.entry for penalty in match.noted_penalties)
    return shown.noted == noted_now


def _store_changed_draft(tx: Transaction, draft: Draft) -> None:
    """Store the texts typed into the form of the hand (round) being played, if they are new.

    Raises MatchOver if the match is finished, so that no hand is being played.
    """
    if draft == tx.draft:
        return
    if tx.match.open_hand is None:  # these would be the first texts of a further hand
        tx.require_going_on()
    tx.put_draft(draft)


# ----------------------------------------------------------------------------------------- checking


def _may_check(state: MatchState, device: DeviceId, count: LogEntry[Counted]) -> bool:
    """Tell whether a device may check how a hand (a round) was counted.

    It must have the right to change the match, and others must have counted the hand.
    """
    if not state.access.can_write:
        return False
    return _is_count_of_others(count, hash_device_id(device), state.own_side)


def _is_count_of_others(count: LogEntry[Counted], device: str, own_side: int | None) -> bool:
    """Tell whether somebody else has counted a hand (a round), so that this device may check it.

    It must have been another device, and one that counts for another side. `own_side` is the side
    of this device; None if it counts for no side in particular: then any other device will do.
    """
    if count.device == device:
        return False
    if own_side is None:
        return True
    return count.event.by != own_side


def _require_count_of_others(tx: Transaction, count: LogEntry[Counted]) -> None:
    """Raise OwnHand if this device or this side has counted a hand (a round) itself.

    Nobody may check what their own side has counted.
    """
    if not _is_count_of_others(count, tx.submission.device, tx.match.own_side):
        raise OwnHand(tx.match.id, count.event.number)
