"""A match ended otherwise than by its rules: now, or after a hand to come."""

from __future__ import annotations

from flask import request
from werkzeug.wrappers import Response

from scorepad.matches.errors import MatchOver, RequestRefused
from scorepad.matches.projection import MatchState
from scorepad.matches.results import Saved, Stale
from scorepad.web.course.calls import OVERTAKEN, WRONG, for_writing, is_over, to_match
from scorepad.web.course.end_form import EndForm, end_form
from scorepad.web.course.end_page import end_page
from scorepad.web.frame import device_id, page_words, render, the_pad
from scorepad.web.live.moving import is_looking_again


def answer(match: str) -> Response:
    """The page of the ends, or what becomes of one."""
    state = for_writing(match)
    if request.method == "GET":
        over = state.standing.finished and not is_looking_again()
        return is_over(match) if over else _show(state, _fresh(state))
    form = end_form(state)()
    if not form.validate():
        return _show(state, form, WRONG)
    try:
        told = the_pad().actions.end(form.request_name, state.id, device_id(), form.seen.data, form.ending)
    except MatchOver:
        return is_over(match)
    except RequestRefused:
        form.was_sent(page_words().text("serve.sent-before"))
        return _show(state, form, OVERTAKEN)
    return _answered(told, form)


def _answered(told: Saved | Stale, form: EndForm) -> Response:
    if isinstance(told, Saved):
        return to_match(told.match)
    state = told.state
    if state.standing.finished:
        return is_over(state.id)
    is_as_seen = form.seen.data == len(state.hands)
    form.was_sent(page_words().text("serve.sent-before" if is_as_seen else "course.end.stale"))
    form.see(len(state.hands))
    return _show(state, form, OVERTAKEN)


def _fresh(state: MatchState) -> EndForm:
    form = end_form(state)(formdata=None)
    form.see(len(state.hands))
    return form


def _show(state: MatchState, form: EndForm, status: int = 200) -> Response:
    return render(end_page(state, form, page_words()), status)
