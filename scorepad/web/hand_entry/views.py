"""Entering a hand, checking it while it is typed, correcting a past one, and contesting it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

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
from scorepad.web.base import (
    device_id,
    get_pad,
    load_match,
    notice,
    rules_on_arrival,
    t,
    to_match,
)
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
from scorepad.web.hand_entry.hand_page import FROM_FIRST_COUNT, MatchHand, describe_open_hand
from scorepad.web.headers import REFETCH_HEADER
from scorepad.web.typed_hand import TypedHand

blueprint = Blueprint("hand_entry", __name__)
blueprint.add_app_template_filter(short_name)
BOTH = ["GET", "POST"]
SHOW_ERRORS = "errori"
"""URL parameter of the hand: show the errors of the stored fields."""
SHOWS_OLD_TEXTS = "Scorepad-Joined"
"""Header of the answer to a hand being typed: other phones typed something that the page lacks."""


# -------------------------------------------------------------------------------------- the open hand


@blueprint.route("/partite/<match>/smazzata", methods=BOTH, endpoint="page")
@checks_itself
def enter_hand(match: str) -> AnyResponse:
    """Show the page on which the hand (round of the game) that is being played is entered.

    A POST request stores what is typed in its form, and counts the hand if the button for that was
    pressed.
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
    """Show the page of the hand that is being played, with the texts stored so far in its fields.

    After a hand (round) could not be counted, the browser is redirected here with the parameter
    `?errori=1`. Then the page also shows all errors that prevent counting it.
    """
    hand = form.load_open_hand()
    shows_errors = SHOW_ERRORS in request.args
    # The script of an open page fetches what other phones typed. It wants the wrong fields marked,
    # but no summary of the errors.
    is_fetched_by_script = REFETCH_HEADER in request.headers
    if shows_errors and not is_fetched_by_script:
        return render_refused_hand(form, hand, hand.draft)
    if shows_errors:
        form.mark_refused()
    return render_hand_page(form, hand, hand.draft)


def _save_open_hand(form: HandForm) -> AnyResponse:
    """Answer the submitted form of the hand (round) that is being played.

    Its texts are stored, or if the button that saves the hand was pressed, the hand is counted.
    Raises MatchOver if the match is finished.
    """
    if not form.validate():
        form.status = 400
        return render_hand_page(form, form.load_open_hand(), form.draft)
    if form.is_to_be_saved:
        return _count_or_store_open_hand(form)
    return _store_open_hand(form)


# ---------------------------------------------------------------- counting the open hand


def _count_or_store_open_hand(form: HandForm) -> AnyResponse:
    """Count the submitted hand: add it to the match with its score.

    Redirects to the page of the match. If the hand (round) cannot be counted, what was typed is
    stored, and the browser is redirected to the page of the hand, which shows why. Raises
    MatchOver.
    """
    try:
        result = _try_to_count(form)
    except RequestRefused:
        return _refuse_form_sent_before(form, form.load_open_hand())
    if isinstance(result, Saved):
        return to_match(form.match)
    return _store_uncounted_hand(form, was_stale=isinstance(result, Stale))


def _try_to_count(form: HandForm) -> Saved | Stale | None:
    """Count the submitted hand (round), if it has no errors.

    Returns Saved if it was counted, None if it has errors, and Stale if another phone has typed
    something else. Raises RequestRefused and MatchOver.
    """
    typed = form.read_to_save(rules_on_arrival())
    if typed is None:  # something is missing or unreadable
        return None
    try:
        result = _count_unless_others_typed(form, typed)
    except Unusable:  # a value does not fit the rest of the hand
        return None
    if isinstance(result, Refused):  # the hand breaks rules
        return None
    return result


def _refuse_form_sent_before(form: HandForm, hand: MatchHand) -> Response:
    """Show a hand (round) with the error that its form was sent before with other texts.

    A form that is sent twice with the same texts takes effect once, so that one is no error.
    """
    # It says: "Something else was sent from this page before, and stays as it is …"
    form.reject(t("serve.sent-before"), 400)
    return render_hand_page(form, hand, form.draft)


def _store_uncounted_hand(form: HandForm, *, was_stale: bool) -> AnyResponse:
    """Store the texts of a hand (round) that could not be counted, and redirect to its page.

    - only this phone typed something → the page shows the errors
    - another phone typed something too (`was_stale` says that this was noticed before) → the page
      shows the texts of both phones without errors, so that the players look at them first
    - both phones changed the same field → nothing is stored, and the players choose between the two

    Raises MatchOver.
    """
    stored = _store_typed_fields(form)
    if isinstance(stored, Stale):  # both phones changed the same field
        return answer_stale_form(form, stored)

    # Storing has merged the submitted texts with those of other phones, if there were any.
    has_texts_of_others = stored.draft != form.draft
    if was_stale or has_texts_of_others:
        # It says: "Meanwhile another phone typed in this hand: check that it is right …"
        notice(t("hand.joined"))
        return _redirect_to_open_hand(form)
    show_errors = {SHOW_ERRORS: 1}  # the page is opened with `?errori=1`
    return _redirect_to_open_hand(form, **show_errors)


class _TextsToStore(NamedTuple):
    """The texts of a hand, by key of the field, and the version of the stored texts on which they
    build: if a later version is stored, another phone has typed something.
    """

    draft: Draft
    version: int


def _count_unless_others_typed(form: HandForm, typed: TypedHand) -> Saved | Refused | Stale:
    """Count the hand (round) being played, unless another phone has typed something else in it.

    Returns Saved if it was counted, Refused if it breaks rules, and Stale if another phone has
    typed something else. Raises RequestRefused, Unusable and MatchOver.
    """
    result = _count_hand(form, typed, _TextsToStore(form.draft, form.shown_version))
    if not isinstance(result, Stale):
        return result

    # Another phone has stored texts. They may mean the same as those here, as do `3x50` and `150`.
    merged = _merge_with_stored(form, result)
    reader = make_draft_reader(result.state.rules)
    if merged is None or not count_the_same(merged.draft, form.draft, reader):
        return result  # the players have not seen what the other phone stored
    return _count_hand(form, typed, merged)


def _count_hand(form: HandForm, typed: TypedHand, texts: _TextsToStore) -> Saved | Refused | Stale:
    """Count the hand (round) that is being played, and store the texts of its fields with it.

    The result is Stale, and the hand is not counted, if a later version of its texts is stored.
    """
    shown = ShownDraft(form.hand.data, texts.version, tuple(form.shown_penalties))
    sent = typed.sent_hand(texts.draft)
    return get_pad().count(form.request_name, form.match, device_id(), shown, sent)


# ---------------------------------------------------------------- storing what is typed so far


def _store_open_hand(form: HandForm) -> AnyResponse:
    """Store what is typed so far in the hand (round) being played, and redirect to its page.

    If the pressed button is one that takes a penalty back, that is done too. Raises MatchOver.
    """
    stored = _store_typed_fields(form)
    if isinstance(stored, Stale):  # another phone changed the same field, or the hand is over
        return answer_stale_form(form, stored)
    if form.penalty_to_take_back is not None:
        _take_penalty_back(form, form.penalty_to_take_back)
        return _redirect_to_open_hand(form)
    return _redirect_to_open_hand(form, _anchor=_choose_place_on_page(form))


def _choose_place_on_page(form: HandForm) -> str:
    """Choose the id of the place to which the page scrolls after its texts were stored.

    It is the score of the hand, or the field that the pressed button has changed.
    """
    if form.opening_button is None:
        return "live"  # the score
    return hand_fields.html_id(hand_fields.field_key(form.opening_button.side, "opening"))


def _redirect_to_open_hand(form: HandForm, **parameters: Any) -> AnyResponse:
    """Redirect to the page of the hand being played; `parameters` are added to its address."""
    return redirect(url_for("hand_entry.page", match=form.match, **parameters), code=303)


def _store_typed_fields(form: HandForm) -> OpenHand | Stale:
    """Store the submitted texts of the hand (round) that is being played.

    They are merged with texts that another phone has stored since the page was loaded, and the
    result has all of them. The result is Stale, and nothing is stored, if both phones changed the
    same field, or if a third change was stored during the merge. Raises MatchOver.
    """
    result = _store_texts(form, _TextsToStore(form.draft, form.shown_version))
    if not isinstance(result, Stale):
        return result
    merged = _merge_with_stored(form, result)
    if merged is None:
        return result
    return _store_texts(form, merged)


def _store_texts(form: HandForm, texts: _TextsToStore) -> OpenHand | Stale:
    """Store these texts of the hand (round) that is being played. Raises MatchOver.

    The result is Stale, and nothing is stored, if a later version of its texts is stored.
    """
    shown = ShownDraft(form.hand.data, texts.version)
    return get_pad().store_draft(form.match, device_id(), shown, texts.draft)


def _merge_with_stored(form: HandForm, stale: Stale) -> _TextsToStore | None:
    """Merge the submitted texts with those that another phone has stored since the page was loaded.

    `stale` has the stored ones. This phone typed `a.left`, the other `b.left` → a draft with both.
    None if both phones changed the same field, or if nothing is stored of this hand (round) any
    more.
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
    return _TextsToStore(draft, stored.version)


def _take_penalty_back(form: HandForm, entry: int) -> None:
    """Take back a penalty that was recorded while the hand (round) was being played.

    `entry` is the number of the log entry that recorded it.
    """
    result = get_pad().actions.take_back_penalty(form.request_name, form.match, device_id(), entry)
    is_taken_back = isinstance(result, Saved)
    if is_taken_back:  # otherwise somebody else took it back meanwhile, and the page shows that
        event = load_match(form.match).get_entry(entry).event
        notice(t(f"actions.is-undone.{event.kind}"))  # "Penalty undone."


# ------------------------------------------------------------------------------ checking while typing


@blueprint.post("/partite/<match>/smazzata/controllo", endpoint="check")
@checks_itself
def check_typed(match: str) -> AnyResponse:
    """Check a hand (round) while it is being typed, for the script of its page.

    Returns the HTML of the form with errors beside the fields, which replaces the form on the page.
    What is typed in the hand being played is stored as well. The answer is 409 (conflict) without a
    form if the page has to be loaded again.
    """
    form = HandForm(match)
    if not form.validate():
        abort(400)
    if form.shows_past_hand:
        hand = form.load_past_hand_unless_undone(form.hand_number, contests=form.contests)
    else:
        hand = _store_and_load_open_hand(form)
    if hand is None:
        return Response(status=CONFLICT)

    draft = form.draft if hand.past else hand.draft  # with what other phones typed
    has_news = _has_news_of_others(form, hand, draft)
    answer = Response(render_form_alone(form, hand, draft))
    if has_news:
        answer.headers[SHOWS_OLD_TEXTS] = YES
    return answer


def _store_and_load_open_hand(form: HandForm) -> MatchHand | None:
    """Store what is typed in the hand (round) being played, and load it with the texts of all phones.

    None if nothing could be stored: another phone changed the same field, or the match is over.
    """
    try:
        stored = _store_typed_fields(form)
    except MatchOver:
        return None
    if isinstance(stored, Stale):
        return None
    return describe_open_hand(load_match(form.match), stored)


def _has_news_of_others(form: HandForm, hand: MatchHand, draft: Draft) -> bool:
    """Tell whether a hand (round), with these texts, has something that the page of the form lacks.

    Other phones may have typed texts, or recorded penalties, after the page was loaded.
    """
    has_new_texts = draft != form.draft
    has_new_penalties = hand.noted_entries != form.noted.data
    return has_new_texts or has_new_penalties


# --------------------------------------------------------------------------------------- a past hand


@blueprint.route(
    "/partite/<match>/smazzate/<int:number>/correggi", methods=BOTH, endpoint="correct"
)
@checks_itself
def correct_hand(match: str, number: int) -> AnyResponse:
    """Show the page on which a hand (round) is corrected that was counted before, or save that.

    `number` is 1 for the first hand of the match.
    """
    form = HandForm(match)
    if request.method == "GET":
        past_hand = form.load_past_hand(number)
        return render_hand_page(form, past_hand, past_hand.draft)
    hand = form.load_past_hand_unless_undone(number)
    if hand is None:
        return answer_late_form(form)
    return _save_past_hand(form, hand, store=_store_correction)


@blueprint.route(
    "/partite/<match>/smazzate/<int:number>/contesta", methods=BOTH, endpoint="contest"
)
@checks_itself
def contest_hand(match: str, number: int) -> AnyResponse:
    """Show the page on which a side contests a hand that the other side counted, or save that.

    To contest a hand (round) is to count it a second time. Both counts are kept until the players
    choose one. `number` is 1 for the first hand of the match.
    """
    form = HandForm(match)
    if request.method == "POST":
        return _save_contest(form, number)
    return _show_contest(form, number)


def _show_contest(form: HandForm, number: int) -> AnyResponse:
    """Show the form in which a side counts for itself a hand that the other side counted before.

    A hand is a round of the game. The fields are blank, or have the texts of the first count if a
    parameter of the address asks for them. `number` is 1 for the first hand of the match.
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
    """Tell whether this phone may count a hand (round) a second time.

    It may not if it, or another phone of the same side, counted the hand. `number` is 1 for the
    first hand of the match.
    """
    may_check_each_hand = get_pad().checking.can_check(form.match, device_id())
    return may_check_each_hand[number - 1]  # the first hand has number 1


def _save_contest(form: HandForm, number: int) -> AnyResponse:
    """Save a contest: how a side counts a hand (round) that the other side has counted before.

    Nothing is saved, and the answer says why, if the hand was undone meanwhile, if the sides of
    this match do not check each other's hands any more, or if this side counted the hand itself.
    `number` is 1 for the first hand of the match.
    """
    hand = form.load_past_hand_unless_undone(number, contests=True)
    if hand is None:
        return answer_late_form(form)
    is_checking_on = hand.state.checking  # whether in this match sides check each other's hands
    if not is_checking_on:
        return _show_rejected_contest(form, hand)
    try:
        return _save_past_hand(form, hand, store=_store_contest)
    except OwnHand:
        return _redirect_from_own_hand(form)


def _show_rejected_contest(form: HandForm, hand: MatchHand) -> Response:
    """Show the submitted form again, because the sides do not check each other's hands any more.

    A form without any text gets a 404 page, since nothing would be lost.
    """
    if not form.draft:
        abort(404)
    # It says: "Nobody checks any more: your count was not saved. What you typed is still here."
    form.reject(t("hand.contest.off"), 400)
    return render_hand_page(form, hand, form.draft)


def _redirect_from_own_hand(form: HandForm) -> AnyResponse:
    """Redirect to the match, with the notice that a side cannot contest its own count of a hand."""
    notice(t("hand.contest.own"))  # "You counted this hand yourselves: the other side checks it."
    return to_match(form.match)


StorePastHand = Callable[[HandForm, MatchHand, TypedHand], Saved | Refused | ReasonWanted | Stale]
"""Stores a count of a past hand. Raises Unusable and RequestRefused."""


def _save_past_hand(form: HandForm, hand: MatchHand, *, store: StorePastHand) -> AnyResponse:
    """Answer the submitted form of a past hand (round): save it, or show the form again.

    `store` is the function that saves it: as a correction, or as the other side's own count.
    """
    if not form.validate():
        form.status = 400
        return render_hand_page(form, hand, form.draft)
    if not form.is_to_be_saved:  # the pressed button only asks what the typed numbers add up to
        return render_hand_page(form, hand, form.draft)

    typed = form.read_to_save(hand.state.rules)
    if typed is None:  # something is missing or unreadable
        return _show_errors_of_past_hand(form, hand)
    try:
        result = store(form, hand, typed)
    except Unusable:  # a value does not fit the rest of the hand
        return _show_errors_of_past_hand(form, hand)
    except RequestRefused:
        return _refuse_form_sent_before(form, hand)
    return _answer_past_hand(form, hand, result)


def _answer_past_hand(
    form: HandForm, hand: MatchHand, result: Saved | Refused | ReasonWanted | Stale
) -> AnyResponse:
    """Answer an attempt to save a change of a hand (round) that was counted before, by its result.

    - Saved → a redirect to the page of the match
    - Stale, as the match changed after the page was loaded → a page that shows both versions
    - ReasonWanted, as the other side had confirmed the hand → the form again, with an error at the
      field for the reason
    - Refused, as the hand breaks rules → the form again, with all errors
    """
    if isinstance(result, Saved):
        return to_match(form.match)
    if isinstance(result, Stale):  # the match changed after the page was loaded
        return answer_stale_form(form, result)
    if isinstance(result, ReasonWanted):  # the other side had agreed to what is changed
        # It says: "This hand is already confirmed: write why it changes."
        add_error(form.reason, t("hand.error.reason-wanted"))
        return _show_errors_of_past_hand(form, hand)
    return _show_errors_of_past_hand(form, hand)  # the hand breaks rules


def _store_correction(
    form: HandForm, hand: MatchHand, typed: TypedHand
) -> Saved | Refused | ReasonWanted | Stale:
    """Save the submitted correction of a hand (round) that was counted before.

    Raises Unusable and RequestRefused.
    """
    return get_pad().correct(
        request=form.request_name,
        match=form.match,
        device=device_id(),
        number=hand.number,
        seen_entry=form.shown_count,
        sent=typed.sent_hand(form.draft, form.reason.data),
    )


def _store_contest(
    form: HandForm, hand: MatchHand, typed: TypedHand
) -> Saved | Refused | ReasonWanted | Stale:
    """Save the other side's own count of a hand (round), beside the first count.

    Raises OwnHand if this side counted the hand itself, and Unusable and RequestRefused.
    """
    return get_pad().checking.contest(
        request=form.request_name,
        match=form.match,
        device=device_id(),
        number=hand.number,
        seen_entry=form.shown_count,
        sent=typed.sent_hand(form.draft, form.reason.data),
    )


def _show_errors_of_past_hand(form: HandForm, hand: MatchHand) -> Response:
    """Show the form of a past hand (round) again, with all errors that prevent saving it.

    The HTTP status is 422.
    """
    form.status = INVALID
    return render_refused_hand(form, hand, form.draft)
