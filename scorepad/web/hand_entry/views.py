"""Entering a hand, checking it while it is typed, correcting a past one, and contesting it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Any

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorepad.i18n.settings_in_words import group_values_in_words
from scorepad.matches.hands import Draft, OwnHand, ShownDraft
from scorepad.matches.names import short_name
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import (
    MatchOver,
    ReasonWanted,
    Refused,
    RequestRefused,
    Saved,
    Stale,
)
from scorepad.rules.definitions import Ruleset
from scorepad.schemas import Unusable
from scorepad.storage.rows import OpenHand
from scorepad.web import base, hand_fields
from scorepad.web.base import (
    Errors,
    device_id,
    get_pad,
    language,
    load_match,
    notice,
    page_words,
    render_page,
    t,
    to_match,
)
from scorepad.web.draft_comparison import (
    DraftReader,
    count_the_same,
    find_differences,
    merge_drafts,
)
from scorepad.web.filled_draft import add_penalties
from scorepad.web.forms import CONFLICT, INVALID, add_error, checks_itself
from scorepad.web.hand_entry.forms import HandForm
from scorepad.web.hand_entry.hand_page import HandPage, MatchHand, match_open_hand, match_past_hand
from scorepad.web.hand_entry.report import Report, build_report
from scorepad.web.headers import LOOKS_AGAIN
from scorepad.web.rule_words import out_needs
from scorepad.web.typed_hand import TypedHand, read_draft
from scorepad.web.watching import noted_entries, watch

blueprint = Blueprint("hand_entry", __name__)
blueprint.add_app_template_filter(short_name)
blueprint.add_app_template_filter(group_values_in_words)
blueprint.add_app_template_filter(hand_fields.needs_concealed)
blueprint.add_app_template_global(out_needs)
BOTH = ["GET", "POST"]
YES = "1"
ERRORS = "errori"
"""URL parameter of the hand: show the errors of the stored fields."""
FIRST = "dal-primo"
"""URL parameter of a contest: start from the first count."""


# -------------------------------------------------------------------------------------- the open hand


@blueprint.route("/partite/<match>/smazzata", methods=BOTH, endpoint="page")
@checks_itself
def enter_hand(match: str) -> AnyResponse:
    """Show the form of the hand being played; store what is typed in it, and count it on request."""
    form = HandForm(match)
    try:
        if request.method == "POST":
            return _save_open_hand(form)
        return _show_open_hand(form)
    except MatchOver:
        if request.method == "GET" or not form.draft:
            return to_match(match)
        return _too_late_page(form)


def _show_open_hand(form: HandForm) -> Response:
    """The page of the open hand as stored, with its errors if it was just refused."""
    hand = form.load_open_hand()
    if ERRORS not in request.args:
        form.refused.data = ""
        return _render_hand_page(form, hand, hand.draft)
    form.refused.data = YES
    if LOOKS_AGAIN in request.headers:  # the script looks for news of a page that shows the errors
        return _render_hand_page(form, hand, hand.draft)
    return _render_refused_hand(form, hand, hand.draft)


def _save_open_hand(form: HandForm) -> AnyResponse:
    """Store the submitted fields, and count the hand if that is asked. Raises MatchOver."""
    if not form.validate():
        form.status = 400
        return _render_hand_page(form, form.load_open_hand(), form.draft)
    if not form.is_to_be_saved:
        return _store_open_hand(form)

    typed = form.read_to_save(load_match(form.match).rules)
    if typed is None:
        return _store_open_hand(form)
    try:
        result = _count_open_hand(form, typed)
    except Unusable:  # shown beside its field
        return _store_open_hand(form)
    except RequestRefused:
        form.reject(t("serve.sent-before"), 400)
        return _render_hand_page(form, form.load_open_hand(), form.draft)
    if isinstance(result, Saved):
        return to_match(form.match)
    return _store_open_hand(form, was_stale=isinstance(result, Stale))


def _count_open_hand(form: HandForm, typed: TypedHand) -> Saved | Refused | Stale:
    """Count the open hand. If another phone has stored other fields meanwhile, it is counted only
    if these mean the same as those of the form.

    Raises RequestRefused, Unusable and MatchOver.
    """
    result = _count_draft(form, typed, form.draft, form.number_of("version"))
    if not isinstance(result, Stale) or result.current is None:
        return result
    merged = _merge_with_stored(form, result)
    if merged is None:
        return result
    # Fields that the page did not show are not saved.
    if not count_the_same(merged, form.draft, _reader_of_drafts(result.state.rules)):
        return result
    return _count_draft(form, typed, merged, result.current.version)


def _count_draft(
    form: HandForm, typed: TypedHand, draft: Draft, seen_version: int
) -> Saved | Refused | Stale:
    """Count the open hand with this draft; Stale if the match changed after `seen_version`."""
    shown = ShownDraft(form.hand.data, seen_version, tuple(form.shown_penalties))
    sent = typed.sent_hand(draft)
    return get_pad().count(form.request_name, form.match, device_id(), shown, sent)


def _store_open_hand(form: HandForm, *, was_stale: bool = False) -> AnyResponse:
    """Store the fields of the open hand without counting it, and redirect to its page.

    `was_stale`: it was to be counted, but another phone had changed it. Raises MatchOver.
    """
    stored = _store_typed_fields(form)
    if isinstance(stored, Stale):
        return _answer_conflict(form, stored)
    if form.entry_taken_back is not None:
        return _take_penalty_back(form, form.entry_taken_back)

    has_fields_of_others = form.is_to_be_saved and stored.draft != form.draft
    if was_stale or has_fields_of_others:
        # Fields of another page were merged, or a penalty was noted: these are shown first.
        notice(t("hand.joined"))
        return _redirect_to_open_hand(form)
    if form.is_to_be_saved:
        return _redirect_to_open_hand(form, **{ERRORS: 1})
    if form.opening_side:
        opening_key = hand_fields.field_key(form.opening_side, "opening")
        return _redirect_to_open_hand(form, _anchor=hand_fields.html_id(opening_key))
    return _redirect_to_open_hand(form, _anchor="live")


def _redirect_to_open_hand(form: HandForm, **parameters: Any) -> AnyResponse:
    """Redirect to the page of the open hand, with these parameters of its address."""
    return redirect(url_for("hand_entry.page", match=form.match, **parameters), code=303)


def _store_typed_fields(form: HandForm) -> OpenHand | Stale:
    """Store the fields of the open hand as typed, merged with those that another page has stored
    meanwhile.

    Stale if they cannot be merged, because both changed the same field. Raises MatchOver.
    """
    pad = get_pad()
    shown = ShownDraft(form.hand.data, form.number_of("version"))
    result = pad.store_draft(form.match, device_id(), shown, form.draft)
    if not isinstance(result, Stale) or result.current is None:
        return result
    merged = _merge_with_stored(form, result)
    if merged is None:
        return result
    newest = shown._replace(version=result.current.version)
    return pad.store_draft(form.match, device_id(), newest, merged)


def _merge_with_stored(form: HandForm, stale: Stale) -> Draft | None:
    """The submitted fields merged with those that another page has stored meanwhile; None if they do
    not merge, or belong to another hand.
    """
    stored = stale.current
    if stored is None or stored.id != form.hand.data:
        return None
    reader = _reader_of_drafts(stale.state.rules)
    return merge_drafts(form.draft, stored.draft, base=stale.base, reader=reader)


def _take_penalty_back(form: HandForm, entry: int) -> AnyResponse:
    """Take back the penalty noted in this entry of the log, and show the hand without it.

    If somebody took it back meanwhile, there is nothing to do.
    """
    result = get_pad().actions.take_back_penalty(form.request_name, form.match, device_id(), entry)
    if isinstance(result, Saved):
        kind = load_match(form.match).log[entry - 1].event.kind
        notice(t(f"actions.is-undone.{kind}"))
    return _redirect_to_open_hand(form)


@blueprint.post("/partite/<match>/smazzata/controllo", endpoint="check")
@checks_itself
def check_typed(match: str) -> AnyResponse:
    """Store the typed fields, and return the current form: sums, and errors beside the fields."""
    form = HandForm(match)
    if not form.validate():
        abort(400)
    number = form.number_of("number")
    is_past_hand = form.number_of("seen") > 0
    try:
        if form.is_undone(number):
            return Response(status=CONFLICT)
        if is_past_hand:
            hand = form.load_past_hand(number, contests=bool(form.contest.data))
            draft = form.draft
        else:
            stored = _store_typed_fields(form)
            if isinstance(stored, Stale):
                return Response(status=CONFLICT)
            hand = match_open_hand(load_match(form.match), stored)
            draft = stored.draft
    except MatchOver:
        return Response(status=CONFLICT)

    penalties_shown_before = form.noted.data
    page = _build_page(form, hand, draft, is_final=False)
    _set_hidden_fields(form, hand)
    values = _values_of_template(form, page) | base.template_words(page.words)
    answer = Response(base.template("hand_entry/form.html").render(values))
    if draft != form.draft or penalties_shown_before != form.noted.data:
        answer.headers["Scorepad-Joined"] = YES  # it has what this page did not show before
    return answer


# --------------------------------------------------------------------------------------- a past hand


@blueprint.route(
    "/partite/<match>/smazzate/<int:number>/correggi", methods=BOTH, endpoint="correct"
)
@checks_itself
def correct_hand(match: str, number: int) -> AnyResponse:
    """Show the form of a past hand as last counted, and save its correction."""
    form = HandForm(match)
    if request.method == "GET":
        hand = form.load_past_hand(number)
        return _render_hand_page(form, hand, hand.draft)
    if form.is_undone(number):
        return _too_late_page(form)
    hand = form.load_past_hand(number)
    return _save_past_hand(form, hand, _store_correction)


@blueprint.route(
    "/partite/<match>/smazzate/<int:number>/contesta", methods=BOTH, endpoint="contest"
)
@checks_itself
def contest_hand(match: str, number: int) -> AnyResponse:
    """Show the form in which the other side counts a past hand too, and save its count.

    Only in matches in which one side checks what the other counts.
    """
    form = HandForm(match)
    is_sent = request.method == "POST"
    if is_sent and form.is_undone(number):
        return _too_late_page(form)
    hand = form.load_past_hand(number, contests=True)
    if not hand.state.checking:
        if not is_sent or not form.draft:
            abort(404)
        form.reject(t("hand.contest.off"), 400)  # show again what was typed
        return _render_hand_page(form, hand, form.draft)

    if is_sent:
        try:
            return _save_past_hand(form, hand, _store_contest)
        except OwnHand:
            return _redirect_from_own_hand(form)
    may_check = get_pad().checking.can_check(form.match, device_id())[number - 1]
    if not may_check:
        return _redirect_from_own_hand(form)
    is_from_first_count = FIRST in request.args
    return _render_hand_page(form, hand, hand.draft if is_from_first_count else {})


def _redirect_from_own_hand(form: HandForm) -> AnyResponse:
    """Redirect to the match, and say that nobody contests a hand that the same side counted."""
    notice(t("hand.contest.own"))
    return to_match(form.match)


StorePastHand = Callable[[HandForm, MatchHand, TypedHand], Saved | Refused | ReasonWanted | Stale]
"""Stores a count of a past hand. Raises Unusable and RequestRefused."""


def _save_past_hand(form: HandForm, hand: MatchHand, store: StorePastHand) -> AnyResponse:
    """Save the submitted count of a past hand, or show it again with what prevents that.

    `store` stores it, as a correction or as the count of the other side.
    """
    if not form.validate():
        form.status = 400
        return _render_hand_page(form, hand, form.draft)
    if not form.is_to_be_saved:
        return _render_hand_page(form, hand, form.draft)
    typed = form.read_to_save(hand.state.rules)
    if typed is None:
        return _refuse_past_hand(form, hand)
    try:
        result = store(form, hand, typed)
    except Unusable:  # shown beside its field
        return _refuse_past_hand(form, hand)
    except RequestRefused:
        form.reject(t("serve.sent-before"), 400)
        return _render_hand_page(form, hand, form.draft)

    if isinstance(result, Saved):
        return to_match(form.match)
    if isinstance(result, Stale):
        return _answer_conflict(form, result)
    if isinstance(result, ReasonWanted):
        add_error(form.reason, t("hand.error.reason-wanted"))
    return _refuse_past_hand(form, hand)


def _store_correction(
    form: HandForm, hand: MatchHand, typed: TypedHand
) -> Saved | Refused | ReasonWanted | Stale:
    """Store a correction of a past hand. Raises Unusable and RequestRefused."""
    return get_pad().correct(
        request=form.request_name,
        match=form.match,
        device=device_id(),
        number=hand.number,
        seen_entry=form.number_of("seen"),
        sent=typed.sent_hand(form.draft, form.reason.data or ""),
    )


def _store_contest(
    form: HandForm, hand: MatchHand, typed: TypedHand
) -> Saved | Refused | ReasonWanted | Stale:
    """Store the count of the other side of a past hand. Raises OwnHand for the same side."""
    return get_pad().checking.contest(
        request=form.request_name,
        match=form.match,
        device=device_id(),
        number=hand.number,
        seen_entry=form.number_of("seen"),
        sent=typed.sent_hand(form.draft, form.reason.data or ""),
    )


def _refuse_past_hand(form: HandForm, hand: MatchHand) -> Response:
    """The page of a past hand that was not saved, with everything that prevents it."""
    form.status = INVALID
    return _render_refused_hand(form, hand, form.draft)


# -------------------------------------------------------------------------------------------- pages


def _render_hand_page(form: HandForm, hand: MatchHand, draft: Draft) -> Response:
    """The page of a hand with these texts in its fields, and the errors of the form if it has any."""
    errors = form.summary
    if errors:
        form.renew()  # what is sent from this page is another submission
    page = _build_page(form, hand, draft, is_final=False)
    return _render_page_with_form(form, page, errors)


def _render_refused_hand(form: HandForm, hand: MatchHand, draft: Draft) -> Response:
    """The page of a hand that was to be saved, with everything that prevents it."""
    form.renew()  # what is sent from this page is another submission
    form.refused.data = YES  # the script goes on to show what prevents saving
    page = _build_page(form, hand, draft, is_final=True)
    return _render_page_with_form(form, page, (*page.report.errors, *form.summary))


def _render_page_with_form(form: HandForm, page: HandPage, errors: Errors) -> Response:
    """Render the page of a hand, with these errors above its form."""
    _set_hidden_fields(form, page.hand)
    values = _values_of_template(form, page)
    if form.summary:
        values["kept"] = None  # a form with errors was not stored
    return render_page(
        "hand_entry/page.html",
        title=page.title,
        errors=errors,
        watch=watch(page.hand.state, page.hand.url),
        has_form=True,
        **values,
    )


def _build_page(form: HandForm, hand: MatchHand, draft: Draft, *, is_final: bool) -> HandPage:
    """What the page of a hand shows of a draft: its fields, messages and scores.

    `is_final`: the hand was to be saved, so missing input is an error.
    """
    rules = hand.state.rules
    words = page_words(rules)
    typed = read_draft(draft, rules, language())
    names = tuple(side.name for side in hand.sides)
    judge = partial(
        get_pad().judge_typed,
        form.match,
        device_id(),
        number=hand.number if hand.past else None,
        by_agreement=typed.by_agreement,
    )
    report = build_report(typed, names, words, judge=judge, is_final=is_final)
    return HandPage(hand, typed, report, words)


def _set_hidden_fields(form: HandForm, hand: MatchHand) -> None:
    """Store in the hidden fields of the form which hand it shows, and which version of it."""
    form.number.data = hand.number
    form.contest.data = YES if hand.contests else ""
    form.hand.data = ""
    form.version.data = 0
    if hand.open_hand:
        form.hand.data = hand.open_hand.id
        form.version.data = hand.open_hand.version
    if hand.past:
        form.seen.data = hand.past.versions[-1].sequence
        form.noted.data = ""
    else:
        form.seen.data = 0
        form.noted.data = noted_entries(hand.state)


def _values_of_template(form: HandForm, page: HandPage) -> dict[str, Any]:
    """The values that the template of the form asks for; `kept` is when the draft was stored."""
    stored = page.hand.open_hand
    kept = None
    if stored and stored.version > 0:
        kept = stored.kept_at
    return {"form": form, "page": page, "kept": kept, "words": page.words}


# ---------------------------------------------------------------------------------------- conflicts


class HandChange(StrEnum):
    """What happened to a hand while its form was being filled in on this device."""

    TYPED = "typed"
    """Another phone typed something else in the same field."""
    COUNTED = "counted"
    CORRECTED = "corrected"
    UNDONE = "undone"
    OVER = "over"
    """The match is over, and the hand is not counted."""
    BACK = "back"
    """An earlier hand was undone, and is the open hand again."""


def _answer_conflict(form: HandForm, stale: Stale) -> AnyResponse:
    """Answer a form that was filled in before the match changed: show the stored fields beside those
    of the form, and let the table choose.
    """
    number = form.number_of("number")
    if 1 <= number <= len(stale.state.hands):
        return _answer_conflict_with_count(form, stale.state, number)
    hand = form.load_open_hand()
    if number > hand.number:
        return _conflict_page(form, hand, form.draft, change=HandChange.BACK)
    merged = merge_drafts(
        form.draft,
        hand.draft,
        base=stale.base,
        reader=_reader_of_drafts(stale.state.rules),
        mine_wins=True,
    )
    draft = form.draft if merged is None else merged
    return _conflict_page(form, hand, draft, change=HandChange.TYPED)


def _answer_conflict_with_count(form: HandForm, state: MatchState, number: int) -> AnyResponse:
    """Answer a form for a hand that was counted or corrected meanwhile, by its number.

    If it was counted with the same values, there is nothing to choose: redirect to the match.
    """
    past = state.hands[number - 1]
    hand = match_past_hand(state, past, contests=bool(form.contest.data))
    # The penalties that the page showed beside the fields count in the hand too.
    shown_penalties = [
        penalty for penalty in state.penalties if penalty.entry in form.shown_penalties
    ]
    draft = add_penalties(form.draft, shown_penalties, language())
    if count_the_same(draft, hand.draft, _reader_of_drafts(state.rules)):
        notice(t("hand.stale.same", number=state.called(number)))
        return to_match(form.match)
    was_corrected = len(past.versions) > 1
    change = HandChange.CORRECTED if was_corrected else HandChange.COUNTED
    return _conflict_page(form, hand, draft, change=change)


def _too_late_page(form: HandForm) -> Response:
    """The page for a hand that was undone, or of a match that is over: what was typed, and what can
    be done with it.
    """
    state = load_match(form.match)
    if not state.status.finished:
        return _conflict_page(form, form.load_open_hand(), form.draft, change=HandChange.UNDONE)
    nothing_stored = OpenHand(state.id, form.hand.data or "", 0, {}, "", state.changed)
    hand = match_open_hand(state, nothing_stored)
    return _conflict_page(form, hand, form.draft, change=HandChange.OVER)


def _conflict_page(
    form: HandForm, hand: MatchHand, draft: Draft, *, change: HandChange
) -> Response:
    """The page with the stored fields of a hand beside those of a draft typed on this device."""
    state = hand.state
    number = hand.number
    if change in (HandChange.UNDONE, HandChange.OVER):
        number = form.number_of("number")  # the hand of the form is not there any more
    differences = find_differences(
        hand.draft,
        draft,
        _reader_of_drafts(state.rules),
        # The stored fields of an earlier hand do not apply to a later one.
        only_mine=change is HandChange.BACK,
    )
    typed = read_draft(draft, state.rules, language())
    page = HandPage(hand, typed, Report(), page_words(state.rules))
    stored = hand.past.versions[-1] if hand.past else hand.open_hand
    form.renew()
    form.refused.data = ""
    _set_hidden_fields(form, hand)
    return render_page(
        "hand_entry/conflict.html",
        title=t(f"hand.stale.{change}", number=state.called(number)),
        status=CONFLICT,
        has_form=True,
        kind=change,
        draft=draft,
        differences=differences,
        holder=get_pad().devices.holder(form.match, stored.device if stored else ""),
        **_values_of_template(form, page),
    )


def _reader_of_drafts(rules: Ruleset) -> DraftReader:
    """Reads drafts by these rules, in the language of the page."""
    return DraftReader(rules, language())
