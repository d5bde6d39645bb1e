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
from scorepad.web.headers import REFETCH_HEADER
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
        return _too_late_page(form)  # shows what was typed, which would be lost


def _show_open_hand(form: HandForm) -> Response:
    """The page of the hand that is being played, with the texts stored so far in its fields.

    The browser is redirected here after a hand could not be scored: then a parameter of the address
    asks to show the errors too.
    """
    hand = form.load_open_hand()
    is_with_errors = SHOW_ERRORS in request.args
    is_fetched_by_script = REFETCH_HEADER in request.headers
    if is_with_errors and not is_fetched_by_script:
        return _render_refused_hand(form, hand, hand.draft)

    # The script of an open page fetches only what other phones typed, without a summary of errors.
    form.refused.data = YES if is_with_errors else ""
    return _render_hand_page(form, hand, hand.draft)


def _save_open_hand(form: HandForm) -> AnyResponse:
    """Answer the submitted form of the hand being played: store its fields, and score the hand if the
    button that saves it was pressed. Raises MatchOver if the match is finished.
    """
    if not form.validate():
        form.status = 400
        return _render_hand_page(form, form.load_open_hand(), form.draft)
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
    except RequestRefused:  # the same form was sent before with other texts
        form.reject(t("serve.sent-before"), 400)
        return _render_hand_page(form, form.load_open_hand(), form.draft)

    if isinstance(result, Saved):
        return to_match(form.match)
    if isinstance(result, Stale):  # another phone changed the hand after this page was loaded
        return _store_uncounted_hand(form, was_stale=True)
    return _store_uncounted_hand(form)  # the hand breaks rules


def _store_uncounted_hand(form: HandForm, *, was_stale: bool = False) -> AnyResponse:
    """Store what is typed of a hand that could not be scored, and redirect to the page of the hand.

    The page shows the errors. But if another phone has changed the hand (`was_stale`), it shows the
    texts of both phones without errors, so that the players look at them first. Raises MatchOver.
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
    """Score the hand being played, unless another phone has stored other texts in its fields since
    the page of this form was loaded: then return Stale.

    If those texts mean the same as these (`3x50` and `150`), the hand is scored all the same.
    Raises RequestRefused, Unusable and MatchOver.
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
        return _answer_conflict(form, stored)
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
    stored since the page was loaded.

    Stale, and nothing is stored, if both phones changed the same field, or if a further change was
    stored while these were merged. Raises MatchOver.
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
    """Merge the submitted texts with those that another phone has stored since the page of this form
    was loaded; `stale` has these.

    None if both phones changed the same field, if nothing is stored, or if the stored texts belong
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
    """Take back a penalty that was recorded during play, by the number of its entry in the log, and
    redirect to the page of the hand.
    """
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
    """Check a hand while it is being typed: return the HTML of its form with errors beside the fields,
    and store what is typed, unless it corrects a hand scored before.

    The response is a conflict, without a form, if the page must be loaded again.
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

    # What other phones typed, and the page of this phone does not show yet. This must be found out
    # before rendering, which changes the hidden field `noted`.
    has_new_fields = checked.draft != form.draft
    has_new_penalties = _entries_of_penalties(checked.hand) != form.noted.data
    answer = Response(_render_form_alone(form, checked))
    if has_new_fields or has_new_penalties:
        answer.headers["Scorepad-Joined"] = YES
    return answer


class _CheckedHand(NamedTuple):
    """A hand that is being typed, and the texts of its fields."""

    hand: MatchHand
    draft: Draft


def _past_hand_to_check(form: HandForm) -> _CheckedHand | None:
    """The hand, scored before, that the submitted form corrects, with the texts of the form; None if
    the hand was undone since the page was loaded.
    """
    number = form.number_of("number")
    if form.is_past_hand_undone(number):
        return None
    hand = form.load_past_hand(number, contests=bool(form.contest.data))
    return _CheckedHand(hand, form.draft)


def _open_hand_to_check(form: HandForm) -> _CheckedHand | None:
    """Store what is typed of the hand being played, and return it with the texts of all phones.

    None if it cannot be stored, because another phone changed the same field, or the match is over.
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
    """Render the HTML of the form of a hand, without the page around it. Sets the form's hidden
    fields to this hand.
    """
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
    """The page on which a hand that was scored before is corrected. A GET request shows the form with
    what was last entered, a POST request saves the correction.
    """
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
    return _render_hand_page(form, hand, draft)


def _may_contest(form: HandForm, number: int) -> bool:
    """Whether this phone may contest a hand, by its number: not if it, or another phone of the same
    side, entered the hand.
    """
    may_check_each_hand = get_pad().checking.can_check(form.match, device_id())
    return may_check_each_hand[number - 1]  # the first hand has number 1


def _save_contest(form: HandForm, number: int) -> AnyResponse:
    """Save how a side has entered for itself a hand that the other side entered before; `number` is
    1 for the first hand of the match.
    """
    if form.is_past_hand_undone(number):
        return _too_late_page(form)
    hand = form.load_past_hand(number, contests=True)
    is_checking_on = hand.state.checking  # whether in this match sides check each other's hands
    if not is_checking_on:
        return _show_rejected_contest(form, hand)
    try:
        return _save_past_hand(form, hand, store=_store_contest)
    except OwnHand:
        return _redirect_from_own_hand(form)


def _show_rejected_contest(form: HandForm, hand: MatchHand) -> Response:
    """Show the submitted form again, with the error that this match no longer lets one side enter a
    hand again to check what the other entered. Aborts with 404 if the form is blank.
    """
    if not form.draft:  # nothing is lost if the page is not shown again
        abort(404)
    form.reject(t("hand.contest.off"), 400)
    return _render_hand_page(form, hand, form.draft)


def _redirect_from_own_hand(form: HandForm) -> AnyResponse:
    """Redirect to the page of the match, with the notice that a side cannot contest a hand that it
    entered itself.
    """
    notice(t("hand.contest.own"))
    return to_match(form.match)


StorePastHand = Callable[[HandForm, MatchHand, TypedHand], Saved | Refused | ReasonWanted | Stale]
"""Stores a count of a past hand. Raises Unusable and RequestRefused."""


def _save_past_hand(form: HandForm, hand: MatchHand, *, store: StorePastHand) -> AnyResponse:
    """Save what was submitted for a hand that was scored before, or show the form again with what
    prevents that.

    `store` is the function that stores it: as a correction, or as the other side's version.
    """
    if not form.validate():
        form.status = 400
        return _render_hand_page(form, hand, form.draft)
    if not form.is_to_be_saved:  # the button only asks for the sums
        return _render_hand_page(form, hand, form.draft)
    typed = form.read_to_save(hand.state.rules)
    if typed is None:  # something is missing or unreadable
        return _refuse_past_hand(form, hand)
    try:
        result = store(form, hand, typed)
    except Unusable:  # a value does not fit the rest of the hand
        return _refuse_past_hand(form, hand)
    except RequestRefused:  # the same form was sent before with other texts
        form.reject(t("serve.sent-before"), 400)
        return _render_hand_page(form, hand, form.draft)
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
        return _answer_conflict(form, result)
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
        seen_entry=form.number_of("seen"),
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
        seen_entry=form.number_of("seen"),
        sent=typed.sent_hand(form.draft, form.reason.data or ""),
    )


def _refuse_past_hand(form: HandForm, hand: MatchHand) -> Response:
    """Show the submitted form of a hand that was scored before again, with all errors that prevent
    saving it. Sets the HTTP status of the form.
    """
    form.status = INVALID
    return _render_refused_hand(form, hand, form.draft)


# -------------------------------------------------------------------------------------------- pages


def _render_hand_page(form: HandForm, hand: MatchHand, draft: Draft) -> Response:
    """The page of a hand with these texts (`draft`) in the fields of its form, and with the errors of
    the form if it has any.
    """
    errors = form.summary
    if errors:
        form.renew()  # what is sent from this page is another submission
    page = _build_page(form, hand, draft, is_final=False)
    return _render_page_with_form(form, page, errors)


def _render_refused_hand(form: HandForm, hand: MatchHand, draft: Draft) -> Response:
    """The page of a hand that could not be saved: its form with these texts (`draft`), and all errors
    that prevent saving it. Changes the hidden fields of the form.
    """
    form.renew()  # what is sent from this page is another submission
    form.refused.data = YES  # the script goes on to show what prevents saving
    page = _build_page(form, hand, draft, is_final=True)
    return _render_page_with_form(form, page, (*page.report.errors, *form.summary))


def _render_page_with_form(form: HandForm, page: HandPage, errors: Errors) -> Response:
    """Render the page of a hand with these errors above its form. Sets the hidden fields of the form
    to the hand shown.
    """
    _set_hidden_fields(form, page.hand)
    values = _values_of_template(form, page)
    has_errors_of_form = bool(form.summary)
    if has_errors_of_form:
        values["kept"] = None  # the texts shown were not stored, so the page says no time
    return render_page(
        "hand_entry/page.html",
        title=page.title,
        errors=errors,
        watch=watch(page.hand.state, page.hand.url),  # lets the page notice changes by other phones
        has_form=True,
        **values,
    )


def _build_page(form: HandForm, hand: MatchHand, draft: Draft, *, is_final: bool) -> HandPage:
    """Read the texts typed into the form (`draft`), apply the rules to them, and return what the page
    of the hand shows: its fields, messages and scores.

    `is_final`: the hand was to be saved, so missing input is an error.
    """
    rules = hand.state.rules
    typed = read_draft(draft, rules, language())

    names_of_sides = tuple(side.name for side in hand.sides)
    words = page_words(rules)
    judge = _judge_for(form, hand, by_agreement=typed.by_agreement)
    report = build_report(typed, names_of_sides, words, judge=judge, is_final=is_final)
    return HandPage(hand, typed, report, words)


def _judge_for(form: HandForm, hand: MatchHand, *, by_agreement: bool) -> Judge:
    """The function that says which rules a typed hand breaks, and what the sides score in it. It knows
    the match, and the place of the hand among the hands of the match.

    `by_agreement`: the players want to score the hand although it breaks rules.
    """
    number_of_past_hand = None  # for the hand that is being played, which comes last
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
    """The variables for the template of the form. `kept` is the time when the texts of the form were
    last stored, None if they never were.
    """
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
    """Answer a form whose hand was changed on another phone after the page was loaded (`stale`): with
    the page that shows both versions and lets the players choose.
    """
    number = form.number_of("number")
    number_of_counted_hands = len(stale.state.hands)
    if 1 <= number <= number_of_counted_hands:  # the hand was scored or corrected meanwhile
        return _answer_conflict_with_count(form, stale.state, number)

    open_hand = form.load_open_hand()
    if number > open_hand.number:  # an earlier hand was undone, and is being played again
        return _conflict_page(form, open_hand, form.draft, cause=ConflictCause.BACK)
    # The hand is still being played: another phone stored something else in the same field.
    draft = _merge_in_favour_of_form(form, open_hand, stale)
    return _conflict_page(form, open_hand, draft, cause=ConflictCause.TYPED)


def _merge_in_favour_of_form(form: HandForm, open_hand: MatchHand, stale: Stale) -> Draft:
    """The submitted texts, and those of fields that only another phone has changed since the page was
    loaded (`stale`). Where both phones changed a field, the submitted text is taken.

    Only the submitted texts, if it is not known any more what was stored when the page was loaded.
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
    """Answer a form whose hand, by its number, was scored or corrected on another phone after the page
    was loaded: with the page that shows both versions.

    If both have the same values, there is nothing to choose: redirect to the page of the match.
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
    """The submitted texts, in which the fields for penalties include those that were recorded during
    play and that the page showed apart from the form.
    """
    shown_penalties = []
    for penalty in state.penalties:
        if penalty.entry in form.shown_penalties:
            shown_penalties.append(penalty)
    return add_penalties(form.draft, shown_penalties, language())


def _too_late_page(form: HandForm) -> Response:
    """The page that answers a form whose hand was undone meanwhile, or whose match is over: it shows
    what was typed, so that this is not lost.
    """
    state = load_match(form.match)
    if state.status.finished:  # no hand is being played any more
        hand = match_open_hand(state, _hand_without_fields(form, state))
        return _conflict_page(form, hand, form.draft, cause=ConflictCause.OVER)
    return _conflict_page(form, form.load_open_hand(), form.draft, cause=ConflictCause.UNDONE)


def _hand_without_fields(form: HandForm, state: MatchState) -> OpenHand:
    """A blank hand, to be shown for a finished match, in which no hand is being played any more."""
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
    """The page that shows the stored texts of a hand beside those typed on this phone (`draft`), with
    a form to send the latter again. Changes the hidden fields of the form for that.
    """
    differences = find_differences(
        hand.draft,
        draft,
        _reader_of_drafts(hand.state.rules),
        # The stored fields of an earlier hand do not apply to a later one.
        only_mine=cause is ConflictCause.BACK,
    )
    title = _conflict_title(form, hand, cause)  # before the form gets the number of this hand
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
    """The heading of the page for a hand that another phone changed meanwhile: what happened, and the
    number of the hand.
    """
    number = hand.number
    if cause in (ConflictCause.UNDONE, ConflictCause.OVER):
        number = form.number_of("number")  # that of the form; the match does not have it any more
    return t(f"hand.stale.{cause}", number=hand.state.called(number))


def _prepare_to_send_again(form: HandForm, hand: MatchHand) -> None:
    """Set the hidden fields of the form so that it can be sent again: with a new request id, and for
    this hand in its present state.
    """
    form.renew()
    form.refused.data = ""
    _set_hidden_fields(form, hand)


def _page_without_report(hand: MatchHand, draft: Draft) -> HandPage:
    """What a page shows of the texts typed into the form (`draft`) if the rules are not applied to
    them: the fields, without messages and scores.
    """
    rules = hand.state.rules
    typed = read_draft(draft, rules, language())
    return HandPage(hand, typed, Report(), page_words(rules))


def _reader_of_drafts(rules: Ruleset) -> DraftReader:
    """Reads drafts by these rules, in the language of the page."""
    return DraftReader(rules, language())
