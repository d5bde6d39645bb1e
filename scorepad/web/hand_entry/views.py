"""Entering a hand, checking it while it is typed, correcting a past one, and contesting it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorepad.i18n.settings_in_words import group_values_in_words
from scorepad.matches.hands import Draft, OwnHand, ShownDraft
from scorepad.matches.names import short_name
from scorepad.matches.transaction import (
    MatchOver,
    ReasonWanted,
    Refused,
    RequestRefused,
    Saved,
    Stale,
)
from scorepad.schemas import Unusable
from scorepad.storage.rows import OpenHand
from scorepad.web import hand_fields
from scorepad.web.base import device_id, get_pad, load_match, notice, t, to_match
from scorepad.web.draft_comparison import count_the_same, merge_drafts
from scorepad.web.forms import CONFLICT, INVALID, add_error, checks_itself
from scorepad.web.hand_entry.conflicts import answer_late_form, answer_stale_form
from scorepad.web.hand_entry.form_responses import (
    make_draft_reader,
    render_form_alone,
    render_hand_page,
    render_refused_hand,
)
from scorepad.web.hand_entry.forms import YES, HandForm
from scorepad.web.hand_entry.hand_page import MatchHand, describe_open_hand
from scorepad.web.headers import REFETCH_HEADER
from scorepad.web.rule_words import out_needs
from scorepad.web.typed_hand import TypedHand

blueprint = Blueprint("hand_entry", __name__)
blueprint.add_app_template_filter(short_name)
blueprint.add_app_template_filter(group_values_in_words)
blueprint.add_app_template_global(out_needs)
BOTH = ["GET", "POST"]
SHOW_ERRORS = "errori"
"""URL parameter of the hand: show the errors of the stored fields."""
FROM_FIRST_COUNT = "dal-primo"
"""URL parameter of a contest: start from the first count."""
SHOWS_OLD_TEXTS = "Scorepad-Joined"
"""Header of the answer to a hand being typed: other phones typed something that the page lacks."""


# -------------------------------------------------------------------------------------- the open hand


@blueprint.route("/partite/<match>/smazzata", methods=BOTH, endpoint="page")
@checks_itself
def enter_hand(match: str) -> AnyResponse:
    """The page on which the hand that is being played is entered. A POST request stores what is typed
    in its form, and scores the hand if the button for that was pressed.
    """
    form = HandForm(match)
    try:
        if request.method == "POST":
            return _save_open_hand(form)
        return _show_open_hand(form)
    except MatchOver:  # the match is finished: no hand is being played
        if request.method == "GET" or not form.draft:
            return to_match(match)
        return answer_late_form(form)  # shows what was typed, which would be lost


def _show_open_hand(form: HandForm) -> Response:
    """The page of the hand that is being played, with the texts stored so far in its fields.

    The browser is redirected here after a hand could not be scored: then a parameter of the address
    asks to show the errors too.
    """
    hand = form.load_open_hand()
    is_with_errors = SHOW_ERRORS in request.args
    if not is_with_errors:
        return render_hand_page(form, hand, hand.draft)

    is_fetched_by_script = REFETCH_HEADER in request.headers
    if is_fetched_by_script:
        # The script of an open page fetches what other phones typed, without a summary of errors.
        form.mark_refused()
        return render_hand_page(form, hand, hand.draft)
    return render_refused_hand(form, hand, hand.draft)


def _save_open_hand(form: HandForm) -> AnyResponse:
    """Answer the submitted form of the hand being played: store its fields, and score the hand if the
    button that saves it was pressed. Raises MatchOver if the match is finished.
    """
    if not form.validate():
        form.status = 400
        return render_hand_page(form, form.load_open_hand(), form.draft)
    if form.is_to_be_saved:
        return _count_or_store_open_hand(form)
    return _store_open_hand(form)


# ---------------------------------------------------------------- counting the open hand


def _count_or_store_open_hand(form: HandForm) -> AnyResponse:
    """Add the submitted hand to the match with its score, and redirect to the page of the match.

    If that is not possible, what was typed is stored, and the browser is redirected to the page of
    the hand, which shows why.
    """
    typed = form.read_to_save(load_match(form.match).rules)
    if typed is None:  # something is missing or unreadable
        return _store_uncounted_hand(form)
    try:
        result = _try_to_count(form, typed)
    except Unusable:  # a value does not fit the rest of the hand
        return _store_uncounted_hand(form)
    except RequestRefused:
        return _reject_sent_before(form, form.load_open_hand())

    if isinstance(result, Saved):
        return to_match(form.match)
    if isinstance(result, Stale):
        return _store_uncounted_hand(form, was_stale=True)
    return _store_uncounted_hand(form)  # the hand breaks rules


def _reject_sent_before(form: HandForm, hand: MatchHand) -> Response:
    """The page of a hand with the error that the same form was sent before with other texts."""
    form.reject(t("serve.sent-before"), 400)
    return render_hand_page(form, hand, form.draft)


def _store_uncounted_hand(form: HandForm, *, was_stale: bool = False) -> AnyResponse:
    """Store what is typed of a hand that could not be scored, and redirect to the page of the hand,
    which shows the errors. Raises MatchOver.

    But if another phone has typed something (`was_stale`: that was noticed before), the page shows
    the texts of both phones without errors, so that the players look at them first.
    """
    stored = _store_typed_fields(form)
    if isinstance(stored, Stale):  # both phones changed the same field
        return answer_stale_form(form, stored)

    has_texts_of_others = stored.draft != form.draft  # storing has merged them with these
    if was_stale or has_texts_of_others:
        notice(t("hand.joined"))
        return _redirect_to_open_hand(form)
    return _redirect_to_open_hand(form, **{SHOW_ERRORS: 1})


def _try_to_count(form: HandForm, typed: TypedHand) -> Saved | Refused | Stale:
    """Score the hand being played, unless another phone has stored something else in its fields since
    the page of this form was loaded: then return Stale.

    Raises RequestRefused, Unusable and MatchOver.
    """
    first_result = _count_draft(form, typed, form.draft, seen_version=form.seen_version)
    if not isinstance(first_result, Stale):
        return first_result

    # Another phone stored its texts. If they say the same as these, the hand is scored with both.
    merged = _merge_with_stored(form, first_result)
    if merged is None:  # both phones changed the same field
        return first_result
    reader = make_draft_reader(first_result.state.rules)
    says_the_same = count_the_same(merged.draft, form.draft, reader)  # as do `3x50` and `150`
    if not says_the_same:  # the players have not seen what the other phone stored
        return first_result
    return _count_draft(form, typed, merged.draft, seen_version=merged.version)


def _count_draft(
    form: HandForm, typed: TypedHand, draft: Draft, *, seen_version: int
) -> Saved | Refused | Stale:
    """Score the hand being played, and store with it the texts of its fields (`draft`).

    The result is Stale if other texts were stored after `seen_version`, which is the version of the
    texts that this phone has seen.
    """
    shown = ShownDraft(form.hand.data, seen_version, tuple(form.shown_penalties))
    sent = typed.sent_hand(draft)
    return get_pad().count(form.request_name, form.match, device_id(), shown, sent)


# ---------------------------------------------------------------- storing what is typed so far


def _store_open_hand(form: HandForm) -> AnyResponse:
    """Store what is typed so far of the hand being played, do what the pressed button asks for, and
    redirect to the page of the hand. Raises MatchOver.
    """
    stored = _store_typed_fields(form)
    if isinstance(stored, Stale):  # another phone changed the same field, or the hand is over
        return answer_stale_form(form, stored)
    if form.penalty_to_take_back is not None:
        return _take_penalty_back(form, form.penalty_to_take_back)
    if form.opening_button is not None:
        # The button changed the field of the opening (what a side laid first): go to this field.
        opening_key = hand_fields.field_key(form.opening_button.side, "opening")
        return _redirect_to_open_hand(form, _anchor=hand_fields.html_id(opening_key))
    return _redirect_to_open_hand(form, _anchor="live")


def _redirect_to_open_hand(form: HandForm, **parameters: Any) -> AnyResponse:
    """Redirect to the page of the hand that is being played; `parameters` are for its address."""
    return redirect(url_for("hand_entry.page", match=form.match, **parameters), code=303)


def _store_typed_fields(form: HandForm) -> OpenHand | Stale:
    """Store the submitted texts of the hand being played, merged with those that another phone has
    stored since the page was loaded. The result has the merged texts.

    Stale, and nothing is stored, if both phones changed the same field, or if a further change was
    stored while these were merged. Raises MatchOver.
    """
    first_result = _store_draft(form, form.draft, seen_version=form.seen_version)
    if not isinstance(first_result, Stale):
        return first_result
    merged = _merge_with_stored(form, first_result)
    if merged is None:
        return first_result
    return _store_draft(form, merged.draft, seen_version=merged.version)


def _store_draft(form: HandForm, draft: Draft, *, seen_version: int) -> OpenHand | Stale:
    """Store these texts (`draft`) of the hand being played. Raises MatchOver.

    The result is Stale if other texts were stored after `seen_version`, which is the version of the
    texts that this phone has seen.
    """
    shown = ShownDraft(form.hand.data, seen_version)
    return get_pad().store_draft(form.match, device_id(), shown, draft)


class _MergedDraft(NamedTuple):
    """The submitted fields merged with the stored ones, and the version of these stored fields."""

    draft: Draft
    version: int


def _merge_with_stored(form: HandForm, stale: Stale) -> _MergedDraft | None:
    """Merge the submitted texts with those that another phone has stored since the page of this form
    was loaded; `stale` has these.

    None if both phones changed the same field, if nothing is stored, or if the stored texts belong
    to another hand.
    """
    stored = stale.current
    if stored is None or stored.id != form.hand.data:
        return None
    draft = merge_drafts(
        mine=form.draft,
        theirs=stored.draft,
        base=stale.base,
        reader=make_draft_reader(stale.state.rules),
    )
    if draft is None:
        return None
    return _MergedDraft(draft, stored.version)


def _take_penalty_back(form: HandForm, entry: int) -> AnyResponse:
    """Take back a penalty that was recorded during play, by the number of its entry in the log, and
    redirect to the page of the hand.
    """
    result = get_pad().actions.take_back_penalty(form.request_name, form.match, device_id(), entry)
    is_taken_back = isinstance(result, Saved)
    if is_taken_back:  # otherwise somebody else took it back meanwhile, and the page shows that
        event = load_match(form.match).entry_at(entry).event
        notice(t(f"actions.is-undone.{event.kind}"))
    return _redirect_to_open_hand(form)


# ------------------------------------------------------------------------------ checking while typing


@blueprint.post("/partite/<match>/smazzata/controllo", endpoint="check")
@checks_itself
def check_typed(match: str) -> AnyResponse:
    """Check a hand while it is being typed: return the HTML of its form with errors beside the fields.
    What is typed of the hand being played is also stored.

    The response is a conflict, without a form, if the page must be loaded again.
    """
    form = HandForm(match)
    if not form.validate():
        abort(400)
    if form.shows_past_hand:
        checked = _past_hand_to_check(form)
    else:
        checked = _store_hand_to_check(form)
    if checked is None:
        return Response(status=CONFLICT)

    # Found out before rendering, which writes into the form what its page shows from now on.
    shows_old_texts = _has_news_of_others(form, checked)
    answer = Response(render_form_alone(form, checked.hand, checked.draft))
    if shows_old_texts:
        answer.headers[SHOWS_OLD_TEXTS] = YES
    return answer


class _CheckedHand(NamedTuple):
    """A hand that is being typed, and the texts of its fields."""

    hand: MatchHand
    draft: Draft


def _past_hand_to_check(form: HandForm) -> _CheckedHand | None:
    """The hand, scored before, that the submitted form corrects or contests, with the texts of the
    form; None if the hand was undone since the page was loaded.
    """
    if form.is_past_hand_undone(form.hand_number):
        return None
    hand = form.load_past_hand(form.hand_number, contests=form.contests)
    return _CheckedHand(hand, form.draft)


def _store_hand_to_check(form: HandForm) -> _CheckedHand | None:
    """Store what is typed of the hand being played, and return it with the texts of all phones.

    None if it cannot be stored, because another phone changed the same field, or the match is over.
    """
    try:
        stored = _store_typed_fields(form)
    except MatchOver:
        return None
    if isinstance(stored, Stale):
        return None
    hand = describe_open_hand(load_match(form.match), stored)
    return _CheckedHand(hand, stored.draft)


def _has_news_of_others(form: HandForm, checked: _CheckedHand) -> bool:
    """Whether other phones have typed texts, or recorded penalties, of this hand that the page from
    which the form was sent does not show yet.
    """
    has_new_texts = checked.draft != form.draft
    has_new_penalties = checked.hand.noted_entries != form.noted.data
    return has_new_texts or has_new_penalties


# --------------------------------------------------------------------------------------- a past hand


@blueprint.route(
    "/partite/<match>/smazzate/<int:number>/correggi", methods=BOTH, endpoint="correct"
)
@checks_itself
def correct_hand(match: str, number: int) -> AnyResponse:
    """The page on which a hand that was scored before is corrected. A GET request shows the form with
    what was last entered, a POST request saves the correction.
    """
    form = HandForm(match)
    if request.method == "GET":
        hand = form.load_past_hand(number)
        return render_hand_page(form, hand, hand.draft)
    # Asked before loading the hand, which aborts with 404 if the match has no such hand.
    if form.is_past_hand_undone(number):
        return answer_late_form(form)
    hand = form.load_past_hand(number)
    return _save_past_hand(form, hand, store=_store_correction)


@blueprint.route(
    "/partite/<match>/smazzate/<int:number>/contesta", methods=BOTH, endpoint="contest"
)
@checks_itself
def contest_hand(match: str, number: int) -> AnyResponse:
    """The page on which a side contests a hand that the other side entered: it enters the hand too,
    and both versions are kept. A POST request saves the second one.
    """
    form = HandForm(match)
    if request.method == "POST":
        return _save_contest(form, number)
    return _show_contest(form, number)


def _show_contest(form: HandForm, number: int) -> AnyResponse:
    """The page with the form in which a side enters for itself a hand that the other side entered
    before; `number` is 1 for the first hand of the match.

    The fields are blank, unless a parameter of the address asks for the texts of the other side.
    """
    hand = form.load_past_hand(number, contests=True)
    is_checking_on = hand.state.checking  # whether in this match sides check each other's hands
    if not is_checking_on:
        abort(404)
    if not _may_contest(form, number):
        return _redirect_from_own_hand(form)

    draft: Draft = {}
    if FROM_FIRST_COUNT in request.args:
        draft = hand.draft
    return render_hand_page(form, hand, draft)


def _may_contest(form: HandForm, number: int) -> bool:
    """Whether this phone may contest a hand, by its number: not if it, or another phone of the same
    side, entered the hand.
    """
    may_check_each_hand = get_pad().checking.can_check(form.match, device_id())
    return may_check_each_hand[number - 1]  # the first hand has number 1


def _save_contest(form: HandForm, number: int) -> AnyResponse:
    """Save a contest: how a side counts a hand that the other side has counted otherwise.

    `number` is 1 for the first hand of the match. The form is answered without saving it if the hand
    was undone meanwhile, if this match is played without such checks, or if the side counted the hand
    itself.
    """
    if form.is_past_hand_undone(number):
        return answer_late_form(form)
    hand = form.load_past_hand(number, contests=True)
    is_checking_on = hand.state.checking  # whether in this match sides check each other's hands
    if not is_checking_on:
        return _show_rejected_contest(form, hand)
    try:
        return _save_past_hand(form, hand, store=_store_contest)
    except OwnHand:
        return _redirect_from_own_hand(form)


def _show_rejected_contest(form: HandForm, hand: MatchHand) -> Response:
    """Show the submitted form of a contest again, with the error that in this match sides do not check
    each other's hands any more.

    A blank form gets a 404 page, as does a request for this page: there is nothing to lose.
    """
    if not form.draft:
        abort(404)
    form.reject(t("hand.contest.off"), 400)
    return render_hand_page(form, hand, form.draft)


def _redirect_from_own_hand(form: HandForm) -> AnyResponse:
    """Redirect to the page of the match, with the notice that a side cannot contest a hand that it
    entered itself.
    """
    notice(t("hand.contest.own"))
    return to_match(form.match)


StorePastHand = Callable[[HandForm, MatchHand, TypedHand], Saved | Refused | ReasonWanted | Stale]
"""Stores a count of a past hand. Raises Unusable and RequestRefused."""


def _save_past_hand(form: HandForm, hand: MatchHand, *, store: StorePastHand) -> AnyResponse:
    """Answer the submitted form of a hand that was scored before: save it if the button for that was
    pressed, or show the form again.

    `store` is the function that stores it: as a correction, or as the other side's version.
    """
    if not form.validate():
        form.status = 400
        return render_hand_page(form, hand, form.draft)
    if not form.is_to_be_saved:  # the button only asks for the sums
        return render_hand_page(form, hand, form.draft)
    typed = form.read_to_save(hand.state.rules)
    if typed is None:  # something is missing or unreadable
        return _refuse_past_hand(form, hand)
    try:
        result = store(form, hand, typed)
    except Unusable:  # a value does not fit the rest of the hand
        return _refuse_past_hand(form, hand)
    except RequestRefused:
        return _reject_sent_before(form, hand)
    return _answer_past_hand(form, hand, result)


def _answer_past_hand(
    form: HandForm, hand: MatchHand, result: Saved | Refused | ReasonWanted | Stale
) -> AnyResponse:
    """The response after an attempt to store a change of a hand that was scored before: a redirect
    if it was saved, else a page that says what prevents that.
    """
    if isinstance(result, Saved):
        return to_match(form.match)
    if isinstance(result, Stale):  # the match changed after the page was loaded
        return answer_stale_form(form, result)
    if isinstance(result, ReasonWanted):  # the other side had agreed to what is changed
        add_error(form.reason, t("hand.error.reason-wanted"))
        return _refuse_past_hand(form, hand)
    return _refuse_past_hand(form, hand)  # the hand breaks rules


def _store_correction(
    form: HandForm, hand: MatchHand, typed: TypedHand
) -> Saved | Refused | ReasonWanted | Stale:
    """Store the submitted correction of a hand that was scored before.

    Raises Unusable and RequestRefused.
    """
    return get_pad().correct(
        request=form.request_name,
        match=form.match,
        device=device_id(),
        number=hand.number,
        seen_entry=form.seen_entry,
        sent=typed.sent_hand(form.draft, form.reason.data or ""),
    )


def _store_contest(
    form: HandForm, hand: MatchHand, typed: TypedHand
) -> Saved | Refused | ReasonWanted | Stale:
    """Store how the other side has entered a hand that was scored before, beside the first version.

    Raises OwnHand if the same side entered the first version.
    """
    return get_pad().checking.contest(
        request=form.request_name,
        match=form.match,
        device=device_id(),
        number=hand.number,
        seen_entry=form.seen_entry,
        sent=typed.sent_hand(form.draft, form.reason.data or ""),
    )


def _refuse_past_hand(form: HandForm, hand: MatchHand) -> Response:
    """Show the submitted form of a hand that was scored before again, with all errors that prevent
    saving it. Sets the HTTP status of the form.
    """
    form.status = INVALID
    return render_refused_hand(form, hand, form.draft)
