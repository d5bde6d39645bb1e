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
    """Which hand it is, by `MatchState.current_hand_id`: that of a hand counted since has another id."""
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
        return has_visible_text(self.agreed)

    def without_draft(self) -> SentHand:
        """A copy without the texts of the form, by which it is noticed that a hand is sent twice.

        The form may have changed in between, because another device typed into it as well, while
        the hand and its remark are the same.
        """
        return replace(self, draft=None)


def open_hand(match: MatchState) -> OpenHand:
    """The hand that is being played at the table, with what is typed into its form so far.

    If nothing is stored of it yet, its form is empty and has the version 0. Raises MatchOver if the
    match is finished, so that no hand is being played.
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
        """The match as it is now. With `to_write`, the device must have the right to change it."""
        with self.reading() as rows:
            return self.context.load_match(rows, match, device, to_write=to_write)

    def open(self, match: MatchId, device: DeviceId) -> OpenHand:
        """The hand being played, with what is typed into its form so far.

        The device must have the right to change the match. Raises MatchOver.
        """
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
        """Check and score a hand while it is still being typed, without storing anything.

        `number` is that of a past hand being corrected, None for the hand being played; a number
        that the match does not have (any more) is taken as the hand being played. `by_agreement`:
        the players want to count the hand although it breaks rules. Raises Unusable.
        """
        # Only who may count a hand has a form to type it into.
        state = self.state(match, device, to_write=True)
        if number is not None and state.has_hand(number):
            return state.judge(number, hand, by_agreement=by_agreement)
        hand_with_penalties = state.with_noted_penalties(
            hand
        )  # those noted while it is being played
        return state.judge(state.next_number, hand_with_penalties, by_agreement=by_agreement)

    def store_draft(
        self, match: MatchId, device: DeviceId, shown: ShownDraft, draft: Draft
    ) -> OpenHand | Stale:
        """Store what is typed so far into the form of the hand being played, its `draft`.

        `shown` is the version of the form that the page of the device had loaded. The result is

        - the hand with the new version of its form, or
        - Stale, if another device has stored other texts since: then nothing is stored. Its `base`
          are the texts that the page had loaded, None if they are no longer known.

        Raises MatchOver if the match is finished.
        """
        with self.context.transaction(match, device) as tx:
            if not _may_replace_draft(tx.match, shown, draft):
                # From these texts the page sees which fields each of the two devices changed.
                loaded_fields = self._shown_fields(match, shown)
                return tx.stale_result(base=loaded_fields)
            _store_changed_draft(tx, draft)
            return open_hand(tx.match)

    def _shown_fields(self, match: MatchId, shown: ShownDraft) -> Draft | None:
        """The texts of the form of a hand as a page had loaded them; None if they are no longer in
        the cache, which holds only those stored lately.
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
        """Score the hand being played and add it to the match, with the penalties noted during it.

        `sent` is the hand as the device sends it, `shown` what the page of the device had loaded.
        The result is

        - Saved, or
        - Refused, if the rules do not allow the hand: then only what was typed is stored, or
        - Stale, if another device has typed something else, noted a penalty or counted the hand
          since the page was loaded.

        Raises MatchOver and Unusable; nothing is stored then.
        """
        with self.submission(
            NewHand,
            request,
            match,
            device,
            hand_id=shown.hand_id,
            sent=sent.without_draft(),
        ) as tx:
            if tx.was_sent_before:  # the same form once more: its hand must not count twice
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
        """Count a past hand again, and store that in place of its earlier count.

        `number` is that of the hand in the match (the first is 1), `sent` the hand as it should be.
        `seen_entry` is the number of the entry in the log with the count that the device had seen.
        The result is

        - Saved, or
        - Stale, if the hand has another count now, or
        - ReasonWanted, if the other side had confirmed the hand and `sent` gives no reason, or
        - Refused, if the rules do not allow the hand.

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
        """Take back the last action on a match, such as counting a hand, and store that it is undone.

        `seen_sequence` is the number of the latest entry in the log that the device had seen. A
        counted hand goes back into its form as it was typed, unless somebody has begun to type the
        next hand. The result is

        - Saved, or
        - Stale, if there is a later entry, or nothing can be undone, or
        - ReasonWanted, if the other side had agreed to what is undone and no reason is given.
        """
        with self.submission(
            Undo, request, match, device, seen_sequence=seen_sequence, reason=reason
        ) as tx:
            if tx.was_sent_before:  # the same form once more: only one action is undone
                return tx.first_result
            last_action = tx.match.undoable
            if last_action is None or seen_sequence != tx.match.sequence:
                return tx.stale_result()
            was_agreed_to = last_action.event.guarded
            if was_agreed_to and not has_visible_text(reason):
                return ReasonWanted()
            return _undo_action(tx, last_action, reason)

    def redo(
        self, request: RequestId, match: MatchId, device: DeviceId, seen_sequence: int
    ) -> Saved | Stale:
        """Do again what was undone last, and store that.

        `seen_sequence` is the number of the latest entry in the log that the device had seen. The
        result is Stale if there is a later one, or if nothing can be redone. That is so if somebody
        has done anything else since the undo, or has changed what it put back into the form of the
        hand.
        """
        with self.submission(Redo, request, match, device, seen_sequence=seen_sequence) as tx:
            if tx.was_sent_before:
                return tx.first_result
            undone_action = tx.match.redoable
            if undone_action is None or seen_sequence != tx.match.sequence:
                return tx.stale_result()
            return _redo_action(tx, undone_action)


class CheckingService(Service):
    """One side counts and the other checks: a hand is confirmed, or contested until one of two
    counts is chosen.

    The side that counted a hand may not check it: OwnHand is raised for any device of that side.
    """

    def switch(
        self, request: RequestId, match: MatchId, device: DeviceId, *, on: bool
    ) -> Saved | Stale:
        """Turn the checking of hands on or off for this match, and store that.

        While it is on, a hand that one side has counted waits until the other side confirms it. The
        counts of the hands stay as they are.
        """
        with self.submission(Checking, request, match, device, on=on) as tx:
            if tx.was_sent_before:  # the same form once more
                return tx.first_result
            if tx.match.checking == on:  # it is so already: there is nothing to store
                return Saved(match)
            return tx.append(Checking(on))

    def can_check(self, match: MatchId, device: DeviceId) -> tuple[bool, ...]:
        """For each hand of the match, whether this device may check it: `(True, False)` if it may
        check the first of two hands.

        Nobody checks a hand of their own: another device must have counted it, for another side.
        """
        with self.reading() as rows:
            state = self.context.load_match(rows, match, device)
        return tuple(_may_check(state, device, hand.count_in_force) for hand in state.hands)

    def may_choose(self, match: MatchId, device: DeviceId, number: int) -> ChoosableCounts:
        """Which counts of a hand this device may choose, if two sides have counted it differently.

        It may not choose the count of its own side: the other side has to agree to that. `number`
        is that of the hand in the match (the first is 1). If the hand has only one count, there is
        nothing to choose.
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
        """Store that the side which did not count a hand agrees to its count.

        `number` is that of the hand in the match (the first is 1). `seen_entry` is the number of
        the entry in the log with the count that the device showed. Stale if the hand cannot be
        confirmed as shown (any more). Raises OwnHand for the side that counted the hand.
        """
        with self.submission(
            Confirm, request, match, device, number=number, seen_entry=seen_entry
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            hand = tx.match.hand_as_seen(number, seen_entry)
            if hand is None:  # it has another count now
                return tx.stale_result()
            is_contested = hand.contest is not None  # the other side has counted it differently
            if is_contested or not tx.match.checking:
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

        With it the side that did not count the hand objects to its count: `sent` is how this side
        counts. `number` is that of the hand in the match (the first is 1), `seen_entry` the number
        of the entry in the log with the count that the device had seen. The result is

        - Saved, or
        - Stale, if the hand has another count now, or
        - ReasonWanted, if the hand was confirmed and `sent` gives no reason, or
        - Refused, if the rules do not allow the hand.

        Raises Unusable, and OwnHand for the side that counted the hand.
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
            if hand.confirmed and not has_visible_text(sent.reason):
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
        """Store which of the two counts of a hand both sides agree to, after they had counted it
        differently.

        A count is known by the number of its entry in the log: `shown` are those of the two counts
        that the page showed, and `chosen` is one of them. Stale if the hand has other counts now.
        Raises OwnHand if a side chooses its own count, because the other side must agree to it.
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
    """Add the hand being played to the match, with the penalties noted during it, and empty its form.

    If the rules refuse the hand, it is not added, and what was typed is stored in its form instead.
    Raises MatchOver and Unusable.
    """
    tx.require_going_on()
    draft = sent.draft
    if draft is None:  # a program sends no form: what is typed at the table belongs to the hand
        draft = tx.draft
    hand_with_penalties = tx.match.with_noted_penalties(sent.hand)
    completed = replace(sent, hand=hand_with_penalties, draft=draft)
    result = _append_if_allowed(tx, NewHand, tx.match.next_number, completed)
    if isinstance(result, Refused):
        _store_changed_draft(tx, draft)
        return Refused(result.judgement, tx.match.open_hand)
    tx.drop_draft()
    return result


def _correct_hand(
    tx: Transaction, hand: HandState, sent: SentHand
) -> Saved | Refused | ReasonWanted | Stale:
    """Store what was sent as the new count of a hand, if the rules allow it.

    ReasonWanted if the other side had confirmed the hand and no reason was sent. Stale if another
    device has changed the remark on the hand meanwhile, and this one changes it too. Raises
    Unusable.
    """
    if hand.confirmed and not has_visible_text(sent.reason):
        return ReasonWanted()
    try:
        remark = _remark_after_correction(hand, sent.remark)
    except RemarkConflict:
        return tx.stale_result()
    return _append_if_allowed(tx, Correction, hand.number, replace(sent, remark=remark))


def _append_if_allowed(
    tx: Transaction, kind: type[Counted], number: int, sent: SentHand
) -> Saved | Refused:
    """Check a hand by the rules, and store it in the match with its score if they allow it.

    `number` is that of the hand in the match (the first is 1). `kind` says what is stored: a new
    hand, a correction of an earlier count, or a contest, the count of the side that does not agree
    with it. Refused, without storing anything, if the rules forbid the hand. Raises Unusable.
    """
    judgement = tx.match.judge(number, sent.hand, by_agreement=sent.by_agreement)
    if judgement.sides is None:  # no side gets a score for a hand that the rules forbid
        return Refused(judgement, tx.match.open_hand)
    counted = kind(
        number=number,
        hand=sent.hand,
        before=tx.match.scores_before(number),
        sides=_stored_scores(judgement.sides),
        findings=judgement.findings,
        draft=dict(sent.draft or {}),
        reason=tidy_text(sent.reason),
        remark=tidy_text(sent.remark),
        agreed=_agreement_to_store(sent, judgement),
        by=tx.match.own_side,  # the side that counted
        played=tx.match.begins.played,  # the hands played on paper before
    )
    return tx.append(counted, judgement=judgement)


def _stored_scores(scores: Iterable[SideScore]) -> tuple[SideLines, ...]:
    """The scores of the sides in a hand as the log has them: the lines, without the totals."""
    return tuple(SideLines(score.lines, score.opened) for score in scores)


def _agreement_to_store(sent: SentHand, judgement: Judgement) -> str:
    """The reason why the players count a hand although it breaks rules, as it is stored with it.

    Empty if the hand breaks no rule: then a reason that was typed means nothing.
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


def _undo_action(tx: Transaction, action: LogEntry, reason: str) -> Saved:
    """Store that the action of this entry of the log is undone; `reason` says why, or is empty.

    What was typed for a counted hand goes back into its form as well.
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
    """Store that the last counted hand is undone, and put back into its form what was typed there.

    If something is typed into the form of the next hand already, that is kept there instead.
    """
    keeps_typed = _has_typed_next_hand(tx.match)  # asked before the undo, which opens another hand
    saved = tx.append(undo)
    if keeps_typed:
        return replace(saved, keeps_typed=True)
    tx.drop_draft()
    if undone.draft:
        tx.put_draft(undone.draft)
    return saved


def _redo_action(tx: Transaction, undone_action: LogEntry) -> Saved:
    """Store that an action counts after all that the last undo took back.

    What that undo had put back into the form of a hand is deleted there.
    """
    last_undo = tx.match.redo_stack[-1]
    redo = Redo(
        entry=last_undo.sequence,
        undone_kind=undone_action.event.kind,
        number=undone_action.event.hand_number,
    )
    if isinstance(undone_action.event, NewHand):
        return _redo_new_hand(tx, redo)
    return tx.append(redo)


def _redo_new_hand(tx: Transaction, redo: Redo) -> Saved:
    """Store that a hand whose count was undone counts after all, and empty its form.

    If somebody had begun to type the next hand before the undo, the form has the texts of that hand
    and not those that the undo would have put back: then it is left as it is.
    """
    # Asked before the redo, after which another hand is open. The undo began the hand that is in
    # the form, if it has put the texts back.
    was_filled_by_undo = tx.match.has_open_hand_begun_since(redo.entry)
    saved = tx.append(redo)
    if was_filled_by_undo:
        tx.drop_draft()
    return saved


def _has_typed_next_hand(match: MatchState) -> bool:
    """Whether somebody has typed something into the form of the hand being played.

    What an undo put back into the form does not count as typed.
    """
    return match.has_typed_other_than(_restored_fields(match))


def _restored_fields(match: MatchState) -> Draft:
    """What an undo put back into the form of the hand being played: the texts with which that hand
    had been counted before.

    Empty if that hand did not begin with the undo of its count.
    """
    begun_by = match.entry_at(match.next_hand_begun_by).event
    if not isinstance(begun_by, Undo):
        return {}
    undone = match.entry_at(begun_by.entry).event
    if not isinstance(undone, NewHand):
        return {}
    return undone.draft


# ----------------------------------------------------------------------------------------- the draft


def _may_replace_draft(match: MatchState, shown: ShownDraft, sent_draft: Draft | None) -> bool:
    """Whether the texts sent by a page may replace those stored for the form of the hand (its draft)
    without losing any that another device has stored since the page was loaded.

    `shown` is the hand, and the version of its form, that the page had loaded.
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


def _shows_all_noted(match: MatchState, shown: ShownDraft) -> bool:
    """Whether a page showed exactly the penalties that are noted for the hand being played now.

    Otherwise the hand would be counted with penalties that its user has not seen.
    """
    if shown.noted is None:  # a program shows no page, and counts the hand with any penalties
        return True
    noted_now = tuple(penalty.entry for penalty in match.noted_penalties)
    return shown.noted == noted_now


def _store_changed_draft(tx: Transaction, draft: Draft) -> None:
    """Store the texts typed into the form of the hand being played, unless they are stored already.

    Raises MatchOver if the match is finished and has no such hand.
    """
    if draft == tx.draft:
        return
    if tx.match.open_hand is None:  # these would be the first texts of a further hand
        tx.require_going_on()
    tx.put_draft(draft)


# ----------------------------------------------------------------------------------------- checking


def _find_chosen_count(
    hand: HandState, shown: ShownCounts, chosen: int
) -> LogEntry[Counted] | None:
    """The count that a device chose, of a hand that two sides have counted differently.

    Counts are known by the numbers of their entries in the log: `chosen` is that of one count,
    `shown` are those of the two counts that the device showed. None if the hand does not have the
    second of these counts any more, or if `chosen` is neither of the two.
    """
    contest = hand.contest  # the count that was stored against the one in force
    if contest is None or contest.sequence != shown.contest:
        return None
    if chosen == contest.sequence:
        return contest
    if chosen == hand.count_in_force.sequence:
        return hand.count_in_force
    return None


def _may_check(state: MatchState, device: DeviceId, count: LogEntry[Counted]) -> bool:
    """Whether a device may check how a hand was counted: it can change the match, and the hand was
    counted by another device, for another side.
    """
    if not state.access.can_write:
        return False
    return _is_count_of_others(count, hash_device_id(device), state.own_side)


def _is_count_of_others(count: LogEntry[Counted], device: str, own_side: int | None) -> bool:
    """Whether a hand was counted by another device than this one, and for another side.

    `own_side` is the position of the side that this device counts for. None if it counts for no
    side in particular: then any other device will do.
    """
    if count.device == device:
        return False
    if own_side is None:
        return True
    return count.event.by != own_side


def _require_count_of_others(tx: Transaction, count: LogEntry[Counted]) -> None:
    """Raise OwnHand if a hand was counted by this device, or by another one of the same side, since
    nobody may check what their own side has counted.
    """
    if not _is_count_of_others(count, tx.submission.device, tx.match.own_side):
        raise OwnHand(tx.match.id, count.event.number)
