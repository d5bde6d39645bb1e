"""Entering a hand, checking it while it is typed, correcting a past one, and contesting it."""

from __future__ import annotations

from typing import Any

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
from scorepad.rules.hand import Hand
from scorepad.rules.judging import Judgement
from scorepad.schemas import Unusable
from scorepad.storage.rows import OpenHand
from scorepad.web import base, hand_fields
from scorepad.web.base import (
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
from scorepad.web.draft_merging import count_the_same, field_differences, merge_drafts
from scorepad.web.forms import CONFLICT, INVALID, add_error, checks_itself
from scorepad.web.hand_entry.forms import HandForm
from scorepad.web.hand_entry.hand_page import HandPage, MatchHand, match_hand
from scorepad.web.hand_entry.report import Report, report
from scorepad.web.hand_filling import with_penalties
from scorepad.web.hand_reading import TypedHand, read_draft
from scorepad.web.headers import LOOKS_AGAIN
from scorepad.web.rule_words import out_needs
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


@blueprint.route("/partite/<match>/smazzata", methods=BOTH)
@checks_itself
def page(match: str) -> AnyResponse:
    """The open hand as stored; submitted fields are stored, and counted on request."""
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
    hand = form.open_hand()
    was_refused = ERRORS in request.args
    form.refused.data = YES if was_refused else ""
    is_final = was_refused and LOOKS_AGAIN not in request.headers
    return _render_hand_page(form, hand, hand.draft, final=is_final)


def _save_open_hand(form: HandForm) -> AnyResponse:
    """Store the submitted fields, and count the hand if that is asked. Raises MatchOver."""
    if not form.validate():
        form.status = 400
        return _render_hand_page(form, form.open_hand(), form.draft)
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
        return _render_hand_page(form, form.open_hand(), form.draft)
    if isinstance(result, Saved):
        return to_match(form.match)
    return _store_open_hand(form, is_stale=isinstance(result, Stale))


def _count_open_hand(form: HandForm, typed: TypedHand) -> Saved | Refused | Stale:
    """Count the open hand. If another phone has stored other fields meanwhile, it is counted only
    if these mean the same as those of the form.

    Raises RequestRefused, Unusable and MatchOver.
    """
    result = _count_draft(form, typed, form.draft, form.number_of("version"))
    if not isinstance(result, Stale) or result.current is None:
        return result
    merged = _merged_draft(form, result)
    # Fields that the page did not show are not saved.
    if merged is None or not count_the_same(merged, form.draft, result.state.rules, language()):
        return result
    return _count_draft(form, typed, merged, result.current.version)


def _count_draft(
    form: HandForm, typed: TypedHand, draft: Draft, seen_version: int
) -> Saved | Refused | Stale:
    shown = ShownDraft(form.hand.data, seen_version, tuple(form.shown_penalties))
    sent = typed.sent_hand(draft)
    return get_pad().count(form.request_name, form.match, device_id(), shown, sent)


def _store_open_hand(form: HandForm, *, is_stale: bool = False) -> AnyResponse:
    """Store the fields of the open hand, which was not counted, and show it again.

    `is_stale`: it was to be counted, but another phone had changed it. Raises MatchOver.
    """
    stored, draft = _store_fields(form)
    if isinstance(stored, Stale):
        return _conflict_answer(form, stored)
    entry = form.entry_taken_back
    if entry is not None:
        return _take_penalty_back(form, entry)

    # Fields of another page were merged, or a penalty was noted: they are shown first.
    has_unseen_fields = is_stale or (form.is_to_be_saved and draft != form.draft)
    if has_unseen_fields:
        notice(t("hand.joined"))
        return _to_open_hand(form)
    if form.is_to_be_saved:
        return _to_open_hand(form, **{ERRORS: 1})
    if form.opening_side:
        opening = hand_fields.key(form.opening_side, "opening")
        return _to_open_hand(form, _anchor=hand_fields.html_id(opening))
    return _to_open_hand(form, _anchor="live")


def _to_open_hand(form: HandForm, **parameters: Any) -> AnyResponse:
    """Redirect to the page of the open hand."""
    return redirect(url_for("hand_entry.page", match=form.match, **parameters), code=303)


def _store_fields(form: HandForm) -> tuple[OpenHand | Stale, Draft]:
    """Store the fields of the open hand, merged with those of another page if possible; also
    returns the fields that were stored.

    Raises MatchOver.
    """
    pad = get_pad()
    shown = ShownDraft(form.hand.data, form.number_of("version"))
    result = pad.store_draft(form.match, device_id(), shown, form.draft)
    if not isinstance(result, Stale) or result.current is None:
        return result, form.draft
    merged = _merged_draft(form, result)
    if merged is None:
        return result, form.draft
    newest = shown._replace(version=result.current.version)
    return pad.store_draft(form.match, device_id(), newest, merged), merged


def _merged_draft(form: HandForm, stale: Stale) -> Draft | None:
    """The submitted fields merged with those that another page has stored meanwhile; None if they do
    not merge, or belong to another hand.
    """
    stored = stale.current
    if stored is None or stored.id != form.hand.data:
        return None
    return merge_drafts(stale.base, form.draft, stored.draft, stale.state.rules, language())


def _take_penalty_back(form: HandForm, entry: int) -> AnyResponse:
    """Take a noted penalty back; if somebody did meanwhile, the page shows it without."""
    result = get_pad().actions.take_back_penalty(form.request_name, form.match, device_id(), entry)
    if isinstance(result, Saved):
        kind = load_match(form.match).log[entry - 1].event.kind
        notice(t(f"actions.is-undone.{kind}"))
    return _to_open_hand(form)


@blueprint.post("/partite/<match>/smazzata/controllo", endpoint="check")
@checks_itself
def check_typed(match: str) -> AnyResponse:
    """Store the typed fields, and return the current form: sums, and errors beside the fields."""
    form = HandForm(match)
    number = form.number_of("number")
    draft = form.draft
    if not form.validate():
        abort(400)
    try:
        if form.is_undone(number):
            return Response(status=CONFLICT)
        if form.number_of("seen") > 0:
            hand = form.past_hand(number, contests=bool(form.contest.data))
        else:
            stored, draft = _store_fields(form)
            if isinstance(stored, Stale):
                return Response(status=CONFLICT)
            hand = match_hand(load_match(form.match), stored)
    except MatchOver:
        return Response(status=CONFLICT)

    shown_penalties = form.noted.data
    shown = _page_of_draft(form, hand, draft)
    values = _form_values(form, shown) | base.template_words(shown.words)
    answer = Response(base.template("hand_entry/form.html").render(values))
    if draft != form.draft or shown_penalties != form.noted.data:
        answer.headers["Scorepad-Joined"] = YES  # it has what this page did not show before
    return answer


# --------------------------------------------------------------------------------------- a past hand


@blueprint.route(
    "/partite/<match>/smazzate/<int:number>/correggi", methods=BOTH, endpoint="correct"
)
@checks_itself
def correct_hand(match: str, number: int) -> AnyResponse:
    """A past hand as last counted, to be corrected."""
    form = HandForm(match)
    if request.method == "GET":
        hand = form.past_hand(number)
        return _render_hand_page(form, hand, hand.draft)
    if form.is_undone(number):
        return _too_late_page(form)

    hand = form.past_hand(number)
    if not form.validate():
        form.status = 400
        return _render_hand_page(form, hand, form.draft)
    if not form.is_to_be_saved:
        return _render_hand_page(form, hand, form.draft)
    typed = form.read_to_save(hand.state.rules)
    if typed is None:
        return _refused_page(form, hand)
    try:
        result = get_pad().correct(
            request=form.request_name,
            match=form.match,
            device=device_id(),
            number=number,
            seen_entry=form.number_of("seen"),
            sent=typed.sent_hand(form.draft, form.reason.data or ""),
        )
    except Unusable:  # shown beside its field
        return _refused_page(form, hand)
    except RequestRefused:
        form.reject(t("serve.sent-before"), 400)
        return _render_hand_page(form, hand, form.draft)
    return _answer_of_past_hand(form, hand, result)


@blueprint.route("/partite/<match>/smazzate/<int:number>/contesta", methods=BOTH)
@checks_itself
def contest(match: str, number: int) -> AnyResponse:
    """A past hand counted by the other side, blank or from the first count; only in matches with
    checking.
    """
    form = HandForm(match)
    is_sent = request.method == "POST"
    if is_sent and form.is_undone(number):
        return _too_late_page(form)

    hand = form.past_hand(number, contests=True)
    if not hand.state.checking:
        if not (is_sent and form.draft):
            abort(404)
        form.reject(t("hand.contest.off"), 400)
        return _render_hand_page(form, hand, form.draft)
    try:
        if is_sent:
            return _save_contest(form, hand)
        if get_pad().checking.can_check(form.match, device_id())[number - 1]:
            # A contest starts with a blank count.
            return _render_hand_page(form, hand, hand.draft if FIRST in request.args else {})
    except OwnHand:
        pass
    notice(t("hand.contest.own"))
    return to_match(match)


def _save_contest(form: HandForm, hand: MatchHand) -> AnyResponse:
    """Store the count of the other side. Raises OwnHand."""
    if not form.validate():
        form.status = 400
        return _render_hand_page(form, hand, form.draft)
    if not form.is_to_be_saved:
        return _render_hand_page(form, hand, form.draft)
    typed = form.read_to_save(hand.state.rules)
    if typed is None:
        return _refused_page(form, hand)
    try:
        result = get_pad().checking.contest(
            request=form.request_name,
            match=form.match,
            device=device_id(),
            number=hand.number,
            seen_entry=form.number_of("seen"),
            sent=typed.sent_hand(form.draft, form.reason.data or ""),
        )
    except Unusable:  # shown beside its field
        return _refused_page(form, hand)
    except RequestRefused:
        form.reject(t("serve.sent-before"), 400)
        return _render_hand_page(form, hand, form.draft)
    return _answer_of_past_hand(form, hand, result)


def _answer_of_past_hand(
    form: HandForm, hand: MatchHand, result: Saved | Refused | ReasonWanted | Stale
) -> AnyResponse:
    """The answer to a correction or a contest."""
    if isinstance(result, Saved):
        return to_match(form.match)
    if isinstance(result, Stale):
        return _conflict_answer(form, result)
    if isinstance(result, ReasonWanted):
        add_error(form.reason, t("hand.error.reason-wanted"))
    return _refused_page(form, hand)


def _refused_page(form: HandForm, hand: MatchHand) -> Response:
    """The past hand with everything that prevents saving it."""
    form.status = INVALID
    return _render_hand_page(form, hand, form.draft, final=True)


# -------------------------------------------------------------------------------------------- pages


def _page_of_draft(
    form: HandForm, hand: MatchHand, draft: Draft, *, final: bool = False
) -> HandPage:
    """The page of a draft with its messages. `final`: sent to be saved, so missing input is an
    error.
    """
    rules = hand.state.rules
    words = page_words(rules)
    typed = read_draft(draft, rules, language())
    number_of_past_hand = hand.number if hand.past else None

    # The report judges the hand twice if one side made the errors: without that side too.
    def judge(played: Hand) -> Judgement:
        return get_pad().judge_typed(
            form.match,
            device_id(),
            played,
            number_of_past_hand,
            by_agreement=typed.by_agreement,
        )

    names = tuple(side.name for side in hand.sides)
    messages_and_scores = report(typed, names, judge, words, final=final)
    return HandPage(hand, typed, messages_and_scores, words)


def _form_values(form: HandForm, shown: HandPage) -> dict[str, Any]:
    """The values of the form's template; stores in the form which hand this is and the version
    seen.
    """
    hand = shown.hand
    stored = hand.open_hand
    form.hand.data = stored.id if stored else ""
    form.version.data = stored.version if stored else 0
    form.number.data = hand.number
    form.seen.data = hand.past.versions[-1].sequence if hand.past else 0
    form.contest.data = YES if hand.contests else ""
    form.noted.data = "" if hand.past else noted_entries(hand.state)
    kept = stored.kept_at if stored and stored.version else None
    return {"form": form, "page": shown, "kept": kept, "words": shown.words}


def _render_hand_page(
    form: HandForm, hand: MatchHand, draft: Draft, *, final: bool = False
) -> Response:
    """The page of a hand. `final`: show everything that prevents saving."""
    errors = form.summary
    if errors or final:
        form.renew()  # what is sent from this page is another submission
    if final:
        form.refused.data = YES  # the script goes on to show what prevents saving
    shown = _page_of_draft(form, hand, draft, final=final)
    values = _form_values(form, shown)
    if errors:
        values["kept"] = None  # a form with errors was not stored
    if final:
        errors = (*shown.report.errors, *errors)
    watched = watch(hand.state, hand.url)
    return render_page(
        "hand_entry/page.html",
        title=shown.title,
        errors=errors,
        watch=watched,
        has_form=True,
        **values,
    )


# ---------------------------------------------------------------------------------------- conflicts


def _conflict_answer(form: HandForm, stale: Stale) -> AnyResponse:
    """Both values side by side, or a redirect to the match if an identical hand was saved
    meanwhile.
    """
    state = stale.state
    rules = state.rules
    number = form.number_of("number")
    if not 1 <= number <= len(state.hands):
        hand = form.open_hand()
        if number > hand.number:
            return _conflict_page(form, hand, "back")
        merged = merge_drafts(stale.base, form.draft, hand.draft, rules, language(), mine_wins=True)
        return _conflict_page(form, hand, "typed", merged)
    past = state.hands[number - 1]
    hand = match_hand(state, past=past, contests=bool(form.contest.data))
    shown = [penalty for penalty in state.penalties if penalty.entry in form.shown_penalties]
    draft = with_penalties(form.draft, shown, language())
    if count_the_same(draft, hand.draft, rules, language()):
        notice(t("hand.stale.same", number=state.called(number)))
        return to_match(form.match)
    kind = "counted" if len(past.versions) == 1 else "corrected"
    return _conflict_page(form, hand, kind, draft)


def _too_late_page(form: HandForm) -> Response:
    """The hand was undone, or the match is over: show what was typed, and the possible actions."""
    state = load_match(form.match)
    if not state.status.finished:
        return _conflict_page(form, form.open_hand(), "undone")
    coming = OpenHand(state.id, form.hand.data or "", 0, {}, "", state.changed)
    return _conflict_page(form, match_hand(state, coming), "over")


def _conflict_page(
    form: HandForm, hand: MatchHand, kind: str, draft: Draft | None = None
) -> Response:
    """Stored and typed fields side by side. `kind`: what happened to the hand; `draft`: if not the
    form's.
    """
    state = hand.state
    rules = state.rules
    saved = hand.past.versions[-1] if hand.past else hand.open_hand
    number = form.number_of("number") if kind in ("over", "undone") else hand.number
    if draft is None:
        draft = form.draft
    shown = HandPage(hand, read_draft(draft, rules, language()), Report(), page_words(rules))
    # The stored fields of an earlier hand do not apply to a later one: show only what was typed.
    differences = field_differences(hand.draft, draft, rules, language(), only_mine=kind == "back")
    form.renew()
    form.refused.data = ""
    return render_page(
        "hand_entry/conflict.html",
        title=t(f"hand.stale.{kind}", number=state.called(number)),
        status=CONFLICT,
        has_form=True,
        kind=kind,
        draft=draft,
        differences=differences,
        holder=get_pad().devices.holder(form.match, saved.device if saved else ""),
        **_form_values(form, shown),
    )
