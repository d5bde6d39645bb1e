"""Rulings kept with a match: keeping one, taking one back, and the page of all."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, url_for
from werkzeug.wrappers import Response

from scorepad.matches.access import MatchOver, RequestRefused
from scorepad.matches.actions import Asking, Noted, penalty_points
from scorepad.matches.events import LogEntry, RulingKept
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import alternatives_of, ruling_of, ruling_text
from scorepad.matches.transaction import Saved
from scorepad.referee.case import rule
from scorepad.schemas import Unusable
from scorepad.schemas.rulings import read_question_of_match
from scorepad.web.base import (
    device_id,
    get_pad,
    language,
    load_match,
    match_is_over,
    notice,
    page_words,
    render_page,
    t,
    to_match,
)
from scorepad.web.forms import CONFLICT, INVALID, PadForm, add_error, checks_itself, form_errors
from scorepad.web.hand_fields import add_penalty, unread
from scorepad.web.presenters import places, watch
from scorepad.web.referee.answers import Why, others_shown
from scorepad.web.referee.questions import BY_NAME, PENALTY, Case, Situation, question_of
from scorepad.web.referee.views import (
    MISTAKE,
    KeepForm,
    case_of,
    context_of,
    mistake_case,
    next_page,
    show_answer,
    show_mistake,
)

blueprint = Blueprint("rulings", __name__, url_prefix="/partite/<match>/arbitro")


@blueprint.post("/<question>/tieni")
@checks_itself
def keep(match: str, question: str) -> Response:
    """Keep a ruling with the match, with its penalty if there is one."""
    form, context = KeepForm(), context_of(match)
    if question not in BY_NAME:
        abort(404)
    case = _case(question, context, form)
    if not form.validate():
        return _show_again(case, context, form, INVALID)
    try:
        return _keep(case, context, form)
    except MatchOver:
        return match_is_over(match)
    except RequestRefused:
        form.reject(t("serve.sent-before"))
        return _show_again(case, context, form, CONFLICT)
    except Unusable:
        return _show_again(case, context, form, INVALID)


def _keep(case: Case, context: Situation, form: KeepForm) -> Response:
    """Store the ruling. Raises Unusable, MatchOver and RequestRefused."""
    state = context.match
    assert state is not None
    side, codes = case.situation.side, None
    if case.question is PENALTY:
        raw: dict[str, Any] = {"kind": PENALTY.kind, "code": case.situation.typed[MISTAKE]}
    else:
        fact, _, decision = next_page(case, is_forced=form.is_forced)
        if fact is not None:
            return _show_again(case, context, form, INVALID)
        raw = question_of(case)
        codes = None if form.is_forced else decision.codes
    points = penalty_points(rule(context.rules, read_question_of_match(raw, context.rules).asked))
    write = None
    if points:
        code, asked_side = str(raw["code"]), form.side
        error = "" if form.is_chosen(state) else t("referee.keep.whose.missing")
        if asked_side is not None and not error:
            text = unread(state.open_hand.draft if state.open_hand else {}, asked_side, code, language())
            error = t("course.penalty.unread", text=text) if text else ""
            write = add_penalty(Noted(asked_side, code), language())
        if error:
            add_error(form.whose, error)
            return _show_again(case, context, form, INVALID)
        side = asked_side
    asked = Asking(raw, form.rules.data or "", form.hand.data or "", side, codes)
    result = get_pad().actions.keep_ruling(form.request_name, state.id, device_id(), asked, write)
    if isinstance(result, Saved):
        if not result.again:
            done = t("referee.keep.done", number=state.coming)
            if points and side is not None:
                signed = page_words().signed(-points)
                done = t("referee.keep.done.penalty", side=state.sides[side].name, points=signed)
            notice(done)
        return to_match(state.id)
    if result.state.standing.finished:
        return match_is_over(state.id)
    form.reject(t("referee.keep.stale", number=result.state.coming))
    form.hand.data, form.rules.data = get_pad().open(state.id, device_id()).id, result.state.rules.digest
    now = context_of(state.id)
    return _show_again(_case(case.question.name, now, form), now, form, CONFLICT)


def _case(question: str, context: Situation, form: KeepForm) -> Case:
    if BY_NAME[question] is PENALTY:
        return mistake_case(form.args.get(MISTAKE, ""), context)
    return case_of(BY_NAME[question], context, form.args)


def _show_again(case: Case, context: Situation, form: KeepForm, status: int) -> Response:
    """The ruling again, with the messages of the form."""
    if case.question is PENALTY:
        return show_mistake(context, case.situation.typed[MISTAKE], form, status)
    return show_answer(case, context, form, status, is_forced=form.is_forced)


# ---------------------------------------------------------------- the kept rulings


@blueprint.get("/decisioni")
def kept(match: str) -> Response:
    """All rulings kept with a match, the last one first."""
    return _show_kept(match)


@blueprint.post("/decisioni/<int:entry>/togli")
@checks_itself
def take_back(match: str, entry: int) -> Response:
    """Take a kept ruling back."""
    form, state = PadForm(), load_match(match)
    found = next((each for each in state.rulings if each.sequence == entry), None)
    if not form.validate():
        return _show_kept(match, form)
    response = redirect(url_for("rulings.kept", match=match), code=303)
    try:
        result = get_pad().actions.take_back_ruling(form.request_name, state.id, device_id(), entry)
    except RequestRefused:
        notice(t("serve.sent-before"))
        return response
    if isinstance(result, Saved) and found is not None:
        is_counted = found.event.points is not None and found.event.number <= len(state.hands)
        key = "referee.taken-back.counted" if is_counted else "referee.taken-back"
        notice(t(key, number=state.called(found.event.number)))
    return response


def _show_kept(match: str, refused: PadForm | None = None) -> Response:
    state = load_match(match)
    return render_page(
        "referee/kept.html",
        title=t("referee.kept.title"),
        status=INVALID if refused else 200,
        errors=form_errors(refused) if refused else (),
        watch=watch(state, url_for("rulings.kept", match=match)),
        match=state,
        form=PadForm(formdata=None),
        rows=[_row(each, state) for each in reversed(state.rulings)],
    )


def _row(entry: LogEntry[RulingKept], state: MatchState) -> dict[str, Any]:
    """A kept ruling with its case, its reasons and what other rules answer."""
    words, kept = page_words(), entry.event
    text = ruling_text(kept, state.rules.variant, words)
    side = [] if kept.side is None else [(t("referee.who"), (state.sides[kept.side].name,))]
    kind, here, others = kept.question["kind"], ruling_of(kept.answer), alternatives_of(kept.answer, state.rules)
    return {
        "kept": entry,
        "head": text.head,
        "why": [Why("", reason.text, places(reason.sources, words)) for reason in text.reasons],
        "facts": [*side, *((label, (text,)) for label, text in text.case)],
        "others": list(others_shown(state.rules, kind, here, others, words)),
    }
