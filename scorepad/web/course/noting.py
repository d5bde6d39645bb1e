"""A penalty noted while the hand is being played: it waits in the open hand until the count."""

from __future__ import annotations

from collections.abc import Mapping

from flask import request
from werkzeug.wrappers import Response

from scorepad.pad.answers import Saved, Stale
from scorepad.pad.course import Noted
from scorepad.pad.errors import MatchOver, RequestRefused
from scorepad.pad.values import MatchState
from scorepad.web.course.calls import OVERTAKEN, WRONG, for_writing, is_over, to_match
from scorepad.web.course.penalties import has_penalties, unread, with_penalty
from scorepad.web.course.penalty_form import PenaltyForm, penalty_form
from scorepad.web.course.penalty_page import penalty_page
from scorepad.web.frame import device_id, language, notice, page_words, render, the_pad
from scorepad.web.live.moving import is_looking_again


def answer(match: str) -> Response:
    """The page of a penalty, or what becomes of one."""
    state = for_writing(match)
    form = penalty_form(state.rules)()
    if request.method == "GET" and state.standing.finished and not is_looking_again():
        return is_over(match)
    if request.method == "GET" or not has_penalties(state.rules):
        return _show(state, _fresh(state), 200 if request.method == "GET" else WRONG)
    if not form.validate() or _is_unread(state, form):
        return _show(state, form, WRONG)
    try:
        return _answered(state, form, _note(state, form))
    except MatchOver:
        return is_over(match)
    except RequestRefused:
        form.was_sent(page_words().text("serve.sent-before"))
        return _show(state, form, OVERTAKEN)


def _note(state: MatchState, form: PenaltyForm) -> Saved | Stale:
    noted, tongue = form.noted, language()

    def write(draft: Mapping[str, str]) -> Mapping[str, str]:
        return with_penalty(draft, noted, tongue)

    return the_pad().course.note_penalty(form.request_name, state.id, device_id(), form.hand.data or "", noted, write)


def _answered(state: MatchState, form: PenaltyForm, told: Saved | Stale) -> Response:
    if isinstance(told, Saved):
        if not told.again:
            notice(_done(state, form.noted))
        return to_match(state.id)
    now, speech = told.state, page_words()
    if now.standing.finished:
        return is_over(now.id)
    coming = _coming(now)
    is_the_same_hand = coming == form.hand.data
    key = "serve.sent-before" if is_the_same_hand else "course.penalty.stale"
    form.was_sent(speech.text(key) if is_the_same_hand else speech.text(key, number=now.coming))
    form.hand.data = coming
    return _show(now, form, OVERTAKEN)


def _done(state: MatchState, noted: Noted) -> str:
    words = page_words()
    points = noted.points if noted.points is not None else state.rules.penalties[noted.code].points or 0
    return words.text("course.penalty.done", side=state.sides[noted.side].name, points=words.signed(-points))


def _is_unread(state: MatchState, form: PenaltyForm) -> bool:
    """Whether something stands in the open hand to which no penalty can be added; then it is said beside the field."""
    draft = state.open_hand.draft if state.open_hand else {}
    text = "" if form.is_house else unread(draft, int(form.side.data), form.code.data, language())
    if text:
        form.code.errors = (*form.code.errors, page_words().text("course.penalty.unread", text=text))
    return bool(text)


def _fresh(state: MatchState) -> PenaltyForm:
    form = penalty_form(state.rules)(formdata=None)
    # The referee leads here with the penalty that it cannot take itself.
    asked = request.args.get("caso", "")
    form.code.data = asked if asked in state.rules.penalties else None
    form.hand.data = "" if state.standing.finished else _coming(state)
    return form


def _coming(state: MatchState) -> str:
    """The name of the hand that is being played."""
    return the_pad().open(state.id, device_id()).id


def _show(state: MatchState, form: PenaltyForm, status: int = 200) -> Response:
    return render(penalty_page(state, form, page_words()), status)
