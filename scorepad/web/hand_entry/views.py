"""Entering a hand, checking it while it is typed, correcting a past one, and contesting it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, NamedTuple

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
from scorepad.rules.hand import Hand
from scorepad.rules.judging import Judgement
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
from scorepad.web.hand_entry.report import Judge, Report, build_report
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
SHOW_ERRORS = "errori"
"""URL parameter of the hand: show the errors of the stored fields."""
FROM_FIRST_COUNT = "dal-primo"
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
    """The page of the open hand with its stored fields.

    After a hand that could not be counted the address asks for the errors too.
    """
    hand = form.load_open_hand()
    is_with_errors = SHOW_ERRORS in request.args
    is_fetched_by_script = LOOKS_AGAIN in request.headers
    if is_with_errors and not is_fetched_by_script:
        return _render_refused_hand(form, hand, hand.draft)

    # The script of an open page fetches only what other phones typed, without a summary of errors.
    form.refused.data = YES if is_with_errors else ""
    return _render_hand_page(form, hand, hand.draft)


def _save_open_hand(form: HandForm) -> AnyResponse:
    """Store the submitted fields, and count the hand if that is asked. Raises MatchOver."""
    if not form.validate():
        form.status = 400
        return _render_hand_page(form, form.load_open_hand(), form.draft)
    if form.is_to_be_saved:
        return _count_or_store_open_hand(form)
    return _store_open_hand(form)


# ---------------------------------------------------------------- counting the open hand


def _count_or_store_open_hand(form: HandForm) -> AnyResponse:
    """Count the submitted hand, and redirect to the match. A hand that cannot be counted is stored,
    and shown with what prevents that.
    """
    typed = form.read_to_save(load_match(form.match).rules)
    if typed is None:
        return _store_uncounted_hand(form)
    try:
        result = _try_to_count(form, typed)
    except Unusable:  # the page shows it beside its field
        return _store_uncounted_hand(form)
    except RequestRefused:
        form.reject(t("serve.sent-before"), 400)
        return _render_hand_page(form, form.load_open_hand(), form.draft)

    if isinstance(result, Saved):
        return to_match(form.match)
    return _store_uncounted_hand(form, was_stale=isinstance(result, Stale))


def _store_uncounted_hand(form: HandForm, *, was_stale: bool = False) -> AnyResponse:
    """Store the fields of a hand that could not be counted, and redirect to its page.

    The page shows what prevents counting. If another phone has changed the hand (`was_stale`), it
    first shows only the changed fields, so that the table can look at them. Raises MatchOver.
    """
    stored = _store_typed_fields(form)
    if isinstance(stored, Stale):
        return _answer_conflict(form, stored)
    has_fields_of_others = stored.draft != form.draft
    if was_stale or has_fields_of_others:
        notice(t("hand.joined"))
        return _redirect_to_open_hand(form)
    return _redirect_to_open_hand(form, **{SHOW_ERRORS: 1})


def _try_to_count(form: HandForm, typed: TypedHand) -> Saved | Refused | Stale:
    """Count the open hand, unless another phone has stored something else meanwhile.

    If that has the same meaning as what is typed here, the hand is counted all the same. Raises
    RequestRefused, Unusable and MatchOver.
    """
    result = _count_draft(form, typed, form.draft, seen_version=form.number_of("version"))
    if not isinstance(result, Stale):
        return result
    merged = _merge_with_stored(form, result)
    if merged is None:
        return result
    is_same_hand = count_the_same(merged.draft, form.draft, _reader_of_drafts(result.state.rules))
    if not is_same_hand:  # nobody has seen these fields on the page that is being saved
        return result
    return _count_draft(form, typed, merged.draft, seen_version=merged.version)


def _count_draft(
    form: HandForm, typed: TypedHand, draft: Draft, *, seen_version: int
) -> Saved | Refused | Stale:
    """Count the open hand with this draft; Stale if the match changed after `seen_version`."""
    shown = ShownDraft(form.hand.data, seen_version, tuple(form.shown_penalties))
    sent = typed.sent_hand(draft)
    return get_pad().count(form.request_name, form.match, device_id(), shown, sent)


# ---------------------------------------------------------------- storing what is typed so far


def _store_open_hand(form: HandForm) -> AnyResponse:
    """Store the fields of the open hand as typed so far, do what the pressed button asks for, and
    redirect to the page of the hand. Raises MatchOver.
    """
    stored = _store_typed_fields(form)
    if isinstance(stored, Stale):
        return _answer_conflict(form, stored)
    if form.penalty_to_take_back is not None:
        return _take_penalty_back(form, form.penalty_to_take_back)
    if form.opening_button is not None:  # the stored fields have the changed opening
        opening_key = hand_fields.field_key(form.opening_button.side, "opening")
        return _redirect_to_open_hand(form, _anchor=hand_fields.html_id(opening_key))
    return _redirect_to_open_hand(form, _anchor="live")


def _redirect_to_open_hand(form: HandForm, **parameters: Any) -> AnyResponse:
    """Redirect to the page of the open hand, with these parameters of its address."""
    return redirect(url_for("hand_entry.page", match=form.match, **parameters), code=303)


def _store_typed_fields(form: HandForm) -> OpenHand | Stale:
    """Store the fields of the open hand as typed, together with those that another phone has stored
    meanwhile.

    Stale if both phones changed the same field, or if yet another change was stored while these
    were merged. Raises MatchOver.
    """
    pad = get_pad()
    shown = ShownDraft(form.hand.data, form.number_of("version"))
    result = pad.store_draft(form.match, device_id(), shown, form.draft)
    if not isinstance(result, Stale):
        return result
    merged = _merge_with_stored(form, result)
    if merged is None:
        return result
    newest = ShownDraft(form.hand.data, merged.version)
    return pad.store_draft(form.match, device_id(), newest, merged.draft)


class _MergedDraft(NamedTuple):
    """The submitted fields merged with the stored ones, and the version of these stored fields."""

    draft: Draft
    version: int


def _merge_with_stored(form: HandForm, stale: Stale) -> _MergedDraft | None:
    """Merge the submitted fields with those that another phone has stored meanwhile.

    None if both phones changed the same field, if nothing is stored, or if the stored fields belong
    to another hand.
    """
    stored = stale.current
    if stored is None or stored.id != form.hand.data:
        return None
    reader = _reader_of_drafts(stale.state.rules)
    draft = merge_drafts(form.draft, stored.draft, base=stale.base, reader=reader)
    if draft is None:
        return None
    return _MergedDraft(draft, stored.version)


def _take_penalty_back(form: HandForm, entry: int) -> AnyResponse:
    """Take back the penalty noted in the log entry of this number, and show the hand without it."""
    result = get_pad().actions.take_back_penalty(form.request_name, form.match, device_id(), entry)
    is_taken_back = isinstance(result, Saved)
    if is_taken_back:  # otherwise somebody else took it back meanwhile, and the page shows that
        entry_of_penalty = load_match(form.match).log[entry - 1]  # the first entry has number 1
        notice(t(f"actions.is-undone.{entry_of_penalty.event.kind}"))
    return _redirect_to_open_hand(form)


# ------------------------------------------------------------------------------ checking while typing


@blueprint.post("/partite/<match>/smazzata/controllo", endpoint="check")
@checks_itself
def check_typed(match: str) -> AnyResponse:
    """Check a hand while it is typed: return its form with sums, and errors beside the fields.

    The typed fields of the open hand are stored. The answer is a conflict, without a form, if the
    hand has changed so that the page must be loaded again.
    """
    form = HandForm(match)
    if not form.validate():
        abort(400)
    if form.shows_past_hand:
        checked = _past_hand_to_check(form)
    else:
        checked = _open_hand_to_check(form)
    if checked is None:
        return Response(status=CONFLICT)

    has_new_fields = checked.draft != form.draft
    has_new_penalties = _entries_of_penalties(checked.hand) != form.noted.data
    answer = Response(_render_form_alone(form, checked))
    if has_new_fields or has_new_penalties:  # some that the page of this phone does not show yet
        answer.headers["Scorepad-Joined"] = YES
    return answer


class _CheckedHand(NamedTuple):
    """A hand that is being typed, and the texts of its fields."""

    hand: MatchHand
    draft: Draft


def _past_hand_to_check(form: HandForm) -> _CheckedHand | None:
    """The past hand whose count is being typed; None if the hand was undone meanwhile."""
    number = form.number_of("number")
    if form.is_past_hand_undone(number):
        return None
    hand = form.load_past_hand(number, contests=bool(form.contest.data))
    return _CheckedHand(hand, form.draft)


def _open_hand_to_check(form: HandForm) -> _CheckedHand | None:
    """Store the typed fields of the open hand, and return it with the fields of all phones.

    None if they cannot be stored, because another phone changed the same field, or the match is
    over.
    """
    try:
        stored = _store_typed_fields(form)
    except MatchOver:
        return None
    if isinstance(stored, Stale):
        return None
    hand = match_open_hand(load_match(form.match), stored)
    return _CheckedHand(hand, stored.draft)


def _render_form_alone(form: HandForm, checked: _CheckedHand) -> str:
    """Render the form of a hand without the page around it."""
    page = _build_page(form, checked.hand, checked.draft, is_final=False)
    _set_hidden_fields(form, checked.hand)
    values = _values_of_template(form, page) | base.template_words(page.words)
    return base.template("hand_entry/form.html").render(values)


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
    if form.is_past_hand_undone(number):
        return _too_late_page(form)
    hand = form.load_past_hand(number)
    return _save_past_hand(form, hand, store=_store_correction)


@blueprint.route(
    "/partite/<match>/smazzate/<int:number>/contesta", methods=BOTH, endpoint="contest"
)
@checks_itself
def contest_hand(match: str, number: int) -> AnyResponse:
    """Show the form in which the other side counts a past hand too, and save its count.

    Only in matches in which one side checks what the other counts.
    """
    form = HandForm(match)
    if request.method == "POST":
        return _save_contest(form, number)
    return _show_contest(form, number)


def _show_contest(form: HandForm, number: int) -> AnyResponse:
    """The form in which the other side counts a past hand too, by the number of the hand.

    Its fields are blank, because that side counts for itself, unless it asks to start from the
    first count.
    """
    hand = form.load_past_hand(number, contests=True)
    if not hand.state.checking:
        abort(404)
    may_check_hands = get_pad().checking.can_check(form.match, device_id())
    may_check_this_hand = may_check_hands[number - 1]  # the first hand has number 1
    if not may_check_this_hand:
        return _redirect_from_own_hand(form)
    if FROM_FIRST_COUNT in request.args:
        return _render_hand_page(form, hand, hand.draft)
    return _render_hand_page(form, hand, {})


def _save_contest(form: HandForm, number: int) -> AnyResponse:
    """Save the count of the other side of a past hand, by the number of the hand."""
    if form.is_past_hand_undone(number):
        return _too_late_page(form)
    hand = form.load_past_hand(number, contests=True)
    if not hand.state.checking:
        return _refuse_contest_without_checking(form, hand)
    try:
        return _save_past_hand(form, hand, store=_store_contest)
    except OwnHand:
        return _redirect_from_own_hand(form)


def _refuse_contest_without_checking(form: HandForm, hand: MatchHand) -> Response:
    """Refuse the other side's count of a hand, because this match no longer lets one side check
    what the other counts. What was typed is shown again.
    """
    if not form.draft:  # nothing was typed that could be shown
        abort(404)
    form.reject(t("hand.contest.off"), 400)
    return _render_hand_page(form, hand, form.draft)


def _redirect_from_own_hand(form: HandForm) -> AnyResponse:
    """Redirect to the match, and say that nobody contests a hand that the same side counted."""
    notice(t("hand.contest.own"))
    return to_match(form.match)


StorePastHand = Callable[[HandForm, MatchHand, TypedHand], Saved | Refused | ReasonWanted | Stale]
"""Stores a count of a past hand. Raises Unusable and RequestRefused."""


def _save_past_hand(form: HandForm, hand: MatchHand, *, store: StorePastHand) -> AnyResponse:
    """Save the submitted count of a past hand, or show it again with what prevents that.

    `store` stores it, as a correction or as the count of the other side.
    """
    if not form.validate():
        form.status = 400
        return _render_hand_page(form, hand, form.draft)
    if not form.is_to_be_saved:  # the button only asks for the sums
        return _render_hand_page(form, hand, form.draft)
    typed = form.read_to_save(hand.state.rules)
    if typed is None:
        return _refuse_past_hand(form, hand)
    try:
        result = store(form, hand, typed)
    except Unusable:  # the page shows it beside its field
        return _refuse_past_hand(form, hand)
    except RequestRefused:
        form.reject(t("serve.sent-before"), 400)
        return _render_hand_page(form, hand, form.draft)
    return _answer_past_hand(form, hand, result)


def _answer_past_hand(
    form: HandForm, hand: MatchHand, result: Saved | Refused | ReasonWanted | Stale
) -> AnyResponse:
    """Answer with what came of storing a count of a past hand."""
    if isinstance(result, Saved):
        return to_match(form.match)
    if isinstance(result, Stale):
        return _answer_conflict(form, result)
    if isinstance(result, ReasonWanted):
        add_error(form.reason, t("hand.error.reason-wanted"))
        return _refuse_past_hand(form, hand)
    return _refuse_past_hand(form, hand)  # the page shows which rules refuse it


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
    """Render the page of a hand, with these errors above its form. Sets the form's hidden fields."""
    _set_hidden_fields(form, page.hand)
    values = _values_of_template(form, page)
    was_stored = not form.summary  # a form with errors of its own is shown again, not stored
    if not was_stored:
        values["kept"] = None
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
    judge = _judge_for(form, hand, by_agreement=typed.by_agreement)
    report = build_report(typed, names, words, judge=judge, is_final=is_final)
    return HandPage(hand, typed, report, words)


def _judge_for(form: HandForm, hand: MatchHand, *, by_agreement: bool) -> Judge:
    """The function that judges what is typed for a hand, by the rules and scores of its match.

    `by_agreement`: the table wants to count the hand although it breaks rules.
    """
    number_of_past_hand = None  # the open hand comes after all counted ones
    if hand.past:
        number_of_past_hand = hand.number

    def judge_typed_hand(typed_hand: Hand) -> Judgement:
        return get_pad().judge_typed(
            form.match,
            device_id(),
            typed_hand,
            number=number_of_past_hand,
            by_agreement=by_agreement,
        )

    return judge_typed_hand


def _set_hidden_fields(form: HandForm, hand: MatchHand) -> None:
    """Write into the hidden fields of the form which hand its page shows, and in which state.

    They are sent with the form, so that a change of the hand meanwhile is noticed.
    """
    form.number.data = hand.number
    form.contest.data = YES if hand.contests else ""
    # Of the open hand: its id, the version of the stored fields, and the noted penalties shown.
    form.hand.data = hand.stored_id
    form.version.data = hand.stored_version
    form.noted.data = _entries_of_penalties(hand)
    # Of a past hand: the log entry of the count shown.
    form.seen.data = hand.count_entry


def _entries_of_penalties(hand: MatchHand) -> str:
    """The numbers of the log entries with the penalties that are shown beside the fields of a hand:
    `17 21`. Empty for a past hand, whose penalties are in its fields.
    """
    if hand.past:
        return ""
    return noted_entries(hand.state)


def _values_of_template(form: HandForm, page: HandPage) -> dict[str, Any]:
    """The values that the template of the form asks for; `kept` is when the draft was stored."""
    stored = page.hand.open_hand
    kept = None
    if stored and stored.version > 0:
        kept = stored.kept_at
    return {"form": form, "page": page, "kept": kept, "words": page.words}


# ---------------------------------------------------------------------------------------- conflicts


class ConflictCause(StrEnum):
    """What happened to a hand on another phone while its form was being filled in on this one."""

    TYPED = "typed"
    """Something else was typed in the same field."""
    COUNTED = "counted"
    """The hand was counted."""
    CORRECTED = "corrected"
    """The hand was counted, and its count corrected."""
    UNDONE = "undone"
    """The past hand was undone."""
    OVER = "over"
    """The match ended, and the hand is not counted."""
    BACK = "back"
    """A hand before this one was undone, and has to be counted again first."""


def _answer_conflict(form: HandForm, stale: Stale) -> AnyResponse:
    """Answer a form that was filled in before the match changed: the page that shows the stored
    fields beside those of the form, and lets the table choose.
    """
    number = form.number_of("number")
    number_of_counted_hands = len(stale.state.hands)
    if 1 <= number <= number_of_counted_hands:
        return _answer_conflict_with_count(form, stale.state, number)

    open_hand = form.load_open_hand()
    if number > open_hand.number:  # a hand before that of the form is open again
        return _conflict_page(form, open_hand, form.draft, cause=ConflictCause.BACK)
    draft = _merge_in_favour_of_form(form, open_hand, stale)
    return _conflict_page(form, open_hand, draft, cause=ConflictCause.TYPED)


def _merge_in_favour_of_form(form: HandForm, open_hand: MatchHand, stale: Stale) -> Draft:
    """The submitted fields, and those that only another phone has changed.

    Where both phones changed a field, the submitted text is taken. If it is not known what was
    stored when the page was shown, only the submitted fields are.
    """
    merged = merge_drafts(
        form.draft,
        open_hand.draft,
        base=stale.base,
        reader=_reader_of_drafts(stale.state.rules),
        mine_wins=True,
    )
    if merged is None:
        return form.draft
    return merged


def _answer_conflict_with_count(form: HandForm, state: MatchState, number: int) -> AnyResponse:
    """Answer a form for a hand, by its number, that was counted or corrected meanwhile.

    If it was counted with the same values, there is nothing to choose: redirect to the match.
    """
    past = state.hands[number - 1]  # the first hand has number 1
    hand = match_past_hand(state, past, contests=bool(form.contest.data))
    draft = _draft_with_shown_penalties(form, state)
    if count_the_same(draft, hand.draft, _reader_of_drafts(state.rules)):
        notice(t("hand.stale.same", number=state.called(number)))
        return to_match(form.match)
    if past.is_corrected:
        return _conflict_page(form, hand, draft, cause=ConflictCause.CORRECTED)
    return _conflict_page(form, hand, draft, cause=ConflictCause.COUNTED)


def _draft_with_shown_penalties(form: HandForm, state: MatchState) -> Draft:
    """The submitted fields, with the noted penalties that the page showed beside them added to the
    fields for penalties: they count in the hand too.
    """
    shown_penalties = []
    for penalty in state.penalties:
        if penalty.entry in form.shown_penalties:
            shown_penalties.append(penalty)
    return add_penalties(form.draft, shown_penalties, language())


def _too_late_page(form: HandForm) -> Response:
    """The page for a hand that was undone, or of a match that is over: what was typed, and what can
    be done with it.
    """
    state = load_match(form.match)
    if state.status.finished:
        hand = match_open_hand(state, _hand_without_fields(form, state))
        return _conflict_page(form, hand, form.draft, cause=ConflictCause.OVER)
    return _conflict_page(form, form.load_open_hand(), form.draft, cause=ConflictCause.UNDONE)


def _hand_without_fields(form: HandForm, state: MatchState) -> OpenHand:
    """A hand in which nothing is stored, in place of an open one, which a finished match lacks."""
    return OpenHand(
        match=state.id,
        id=form.hand.data or "",
        version=0,
        draft={},
        device="",
        kept_at=state.changed,
    )


def _conflict_page(
    form: HandForm, hand: MatchHand, draft: Draft, *, cause: ConflictCause
) -> Response:
    """The page with the stored fields of a hand beside those of a draft typed on this device, and
    with the form to send the draft again.
    """
    differences = find_differences(
        hand.draft,
        draft,
        _reader_of_drafts(hand.state.rules),
        # The stored fields of an earlier hand do not apply to a later one.
        only_mine=cause is ConflictCause.BACK,
    )
    title = _conflict_title(form, hand, cause)
    _prepare_to_send_again(form, hand)
    return render_page(
        "hand_entry/conflict.html",
        title=title,
        status=CONFLICT,
        has_form=True,
        kind=cause,
        draft=draft,
        differences=differences,
        holder=get_pad().devices.holder(form.match, hand.last_device),
        **_values_of_template(form, _page_without_report(hand, draft)),
    )


def _conflict_title(form: HandForm, hand: MatchHand, cause: ConflictCause) -> str:
    """The heading of the page of a conflict, with the number of the hand concerned."""
    number = hand.number
    if cause in (ConflictCause.UNDONE, ConflictCause.OVER):
        number = form.number_of("number")  # that of the form; the match does not have it any more
    return t(f"hand.stale.{cause}", number=hand.state.called(number))


def _prepare_to_send_again(form: HandForm, hand: MatchHand) -> None:
    """Change the form so that it can be sent again, for this hand in its present state."""
    form.renew()
    form.refused.data = ""
    _set_hidden_fields(form, hand)


def _page_without_report(hand: MatchHand, draft: Draft) -> HandPage:
    """What a page shows of a draft without judging it: no messages and no scores."""
    rules = hand.state.rules
    typed = read_draft(draft, rules, language())
    return HandPage(hand, typed, Report(), page_words(rules))


def _reader_of_drafts(rules: Ruleset) -> DraftReader:
    """Reads drafts by these rules, in the language of the page."""
    return DraftReader(rules, language())
