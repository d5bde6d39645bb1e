"""The answers to a form whose hand was changed on another phone while it was being filled in."""

from __future__ import annotations

from typing import NamedTuple

from flask import Response
from werkzeug.wrappers import Response as AnyResponse

from scorepad.matches.hands import Draft
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import Stale
from scorepad.storage.rows import OpenHand
from scorepad.web.base import get_pad, language, load_match, notice, render_page, t, to_match
from scorepad.web.draft_comparison import count_the_same, find_differences, merge_drafts
from scorepad.web.filled_draft import add_penalties
from scorepad.web.forms import CONFLICT
from scorepad.web.hand_entry.conflict_causes import ConflictCause
from scorepad.web.hand_entry.conflict_texts import ConflictTexts
from scorepad.web.hand_entry.form_responses import (
    build_page_without_report,
    collect_form_variables,
    make_draft_reader,
)
from scorepad.web.hand_entry.forms import HandForm
from scorepad.web.hand_entry.hand_page import MatchHand, describe_open_hand, describe_past_hand


class Conflict(NamedTuple):
    """A hand that was changed on another phone while its form was being filled in on this one."""

    cause: ConflictCause
    number: int
    """The number of the hand about which the page says what happened."""
    hand: MatchHand
    """The hand with which the texts of this phone are compared, as it is stored now."""
    draft: Draft
    """The texts of this phone."""


def answer_stale_form(form: HandForm, stale: Stale) -> AnyResponse:
    """Answer a form whose hand was changed on another phone after the page was loaded.

    A hand is a round of the game. The answer is a page that shows both versions, between which the
    players choose. `stale` has the match as it is now.
    """
    number_of_counted_hands = len(stale.state.hands)
    if 1 <= form.hand_number <= number_of_counted_hands:
        return _answer_form_of_counted_hand(form, stale.state)

    open_hand = form.load_open_hand()
    was_hand_before_undone = form.hand_number > open_hand.number
    if was_hand_before_undone:
        conflict = Conflict(ConflictCause.BACK, open_hand.number, open_hand, form.draft)
    else:  # the same hand is still being played
        draft = _merge_in_favour_of_form(form, open_hand, stale)
        conflict = Conflict(ConflictCause.TYPED, open_hand.number, open_hand, draft)
    return _show_conflict(form, conflict)


def _answer_form_of_counted_hand(form: HandForm, state: MatchState) -> AnyResponse:
    """Answer a form whose hand was counted on another phone after the page was loaded.

    If both phones typed the same, nothing is to be chosen, and the answer is a redirect to the
    match. Otherwise it is a page that shows both versions of the hand (round).
    """
    past_hand = state.hands[form.hand_number - 1]  # the first hand has number 1
    hand_as_counted = describe_past_hand(state, past_hand, contests=form.contests)
    typed_here = _copy_draft_with_shown_penalties(form, state)
    if count_the_same(typed_here, hand_as_counted.draft, make_draft_reader(state.rules)):
        # It says: "Hand {number} had been saved already from another phone or page, with the …"
        notice(t("hand.stale.same", number=state.number_for_players(form.hand_number)))
        return to_match(form.match)

    cause = ConflictCause.CORRECTED if past_hand.is_corrected else ConflictCause.COUNTED
    conflict = Conflict(cause, hand_as_counted.number, hand_as_counted, typed_here)
    return _show_conflict(form, conflict)


def answer_late_form(form: HandForm) -> Response:
    """Answer a form that comes too late: its hand (round) was undone, or its match is over.

    The answer is a page that shows what was typed, so that it is not lost.
    """
    state = load_match(form.match)
    if state.status.finished:  # no hand is being played any more
        cause = ConflictCause.OVER
        hand = describe_open_hand(state, _make_blank_hand(form, state))
    else:
        cause = ConflictCause.UNDONE
        hand = form.load_open_hand()
    conflict = Conflict(cause, form.hand_number, hand, form.draft)
    return _show_conflict(form, conflict)


def _make_blank_hand(form: HandForm, state: MatchState) -> OpenHand:
    """Make a hand (round) without any text, in place of the hand being played.

    A finished match has none, but the page that shows what was typed needs one.
    """
    return OpenHand(
        match=state.id,
        id=form.hand.data,
        version=0,
        draft={},
        device="",
        kept_at=state.changed,
    )


def _merge_in_favour_of_form(form: HandForm, open_hand: MatchHand, stale: Stale) -> Draft:
    """Merge the submitted texts with those that another phone has stored since the page was loaded.

    Where both phones changed the same field, the submitted text wins. If it is not known any more
    what was stored when the page was loaded (`stale.base` is None), nothing is merged, and the
    result is the submitted texts alone.
    """
    merged = merge_drafts(
        mine=form.draft,
        theirs=open_hand.draft,
        base=stale.base,
        reader=make_draft_reader(stale.state.rules),
        mine_wins=True,
    )
    if merged is None:
        return form.draft
    return merged


def _copy_draft_with_shown_penalties(form: HandForm, state: MatchState) -> Draft:
    """Copy the submitted texts, and add the penalties that the page showed apart from the form.

    Those penalties were recorded while the hand (round) was being played. In the count of the hand
    they are in its fields, so that the two can be compared only after this.
    """
    shown_penalties = []
    for penalty in state.penalties:
        if penalty.entry in form.shown_penalties:
            shown_penalties.append(penalty)
    return add_penalties(form.draft, shown_penalties, language())


def _show_conflict(form: HandForm, conflict: Conflict) -> Response:
    """Show the page with the stored texts of a hand (round) beside those of this phone.

    It has a form to send the texts of this phone again, whose hidden fields are set here.
    """
    _prepare_to_send_again(form, conflict.hand)
    hand = conflict.hand
    title = t(f"hand.stale.{conflict.cause}", number=hand.state.number_for_players(conflict.number))
    differences = find_differences(
        stored=hand.draft,
        mine=conflict.draft,
        reader=make_draft_reader(hand.state.rules),
        # The stored texts are those of an earlier hand: what it has in other fields is no difference.
        only_mine=conflict.cause is ConflictCause.BACK,
    )
    page = build_page_without_report(hand, conflict.draft)
    holder = get_pad().devices.find_holder_name(form.match, hand.last_device)
    return render_page(
        "hand_entry/conflict.html",
        title=title,
        status=CONFLICT,
        has_form=True,
        texts=ConflictTexts(conflict.cause, differences, page, page.words, holder),
        is_about_texts=conflict.cause is ConflictCause.TYPED,
        draft=conflict.draft,
        **collect_form_variables(form, page),
    )


def _prepare_to_send_again(form: HandForm, hand: MatchHand) -> None:
    """Set the hidden fields of a form so that it can be sent again, for this hand as it is now.

    It gets the id of a new request, and no longer has the note that the hand (round) could not be
    saved.
    """
    form.renew()
    form.refused.data = ""
    form.fill_hidden_fields(hand)
