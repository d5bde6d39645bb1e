"""Checking what the other side counted: confirm, contest, choose; and the switch."""

from __future__ import annotations

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response

from scorepad.matches.access import MatchId
from scorepad.matches.errors import OwnHand, RequestRefused
from scorepad.matches.projection import HandState, MatchState
from scorepad.matches.results import Saved, Stale
from scorepad.web.checking.pages import CheckForm, SwitchForm, hand_page, switch_page
from scorepad.web.forms import form_errors
from scorepad.web.frame import FieldError, device_id, notice, page_words, render, the_pad

CHANGED = 409


def hand(match: str, number: int) -> Response:
    """The hand as it stands, or what was said of it."""
    state = the_pad().state(MatchId(match), device_id())
    if not 1 <= number <= len(state.hands):
        abort(404)
    if request.method == "GET":
        return _show(state, number)
    form = CheckForm()
    if not form.validate():
        return _show(state, number, form_errors(form), 400)
    try:
        answer = _confirm(form, state, number) if form.shown[1] == 0 else _choose(form, state, number)
    except OwnHand:
        return _show(state, number, _told("checking.why-not.own"), CHANGED)
    except RequestRefused:
        return _show(state, number, _told("serve.sent-before"), CHANGED)
    if isinstance(answer, Stale):
        return _stale(answer.state, number)
    if not answer.again:
        notice(page_words().text("checking.done", number=state.called(number)))
    return redirect(url_for("matches.page", match=match), code=303)


def switch(match: str) -> Response:
    """Turn checking on or off."""
    name, words = MatchId(match), page_words()
    state = the_pad().state(name, device_id())
    if request.method == "GET":
        return render(switch_page(state, words))
    form, on = SwitchForm(), request.form.get("on")
    if on not in ("0", "1"):
        abort(400)
    if not form.validate():
        return render(switch_page(state, words, form_errors(form)), 400)
    try:
        answer = the_pad().checking.switch(form.request_name, name, device_id(), on=on == "1")
    except RequestRefused:
        return render(switch_page(state, words, _told("serve.sent-before")), CHANGED)
    if isinstance(answer, Stale):
        return render(switch_page(answer.state, words, _told("checking.stale")), CHANGED)
    if not answer.again:
        notice(words.text("checking.switch.is-on" if on == "1" else "checking.switch.is-off"))
    return redirect(url_for("matches.page", match=match), code=303)


def _confirm(form: CheckForm, state: MatchState, number: int) -> Saved | Stale:
    return the_pad().checking.confirm(form.request_name, state.id, device_id(), number, form.shown[0])


def _choose(form: CheckForm, state: MatchState, number: int) -> Saved | Stale:
    chosen = request.form.get("choose", "")
    if chosen not in map(str, form.shown):
        abort(400)
    return the_pad().checking.choose(form.request_name, state.id, device_id(), number, form.shown, int(chosen))


def _stale(state: MatchState, number: int) -> Response:
    """The hand is another by now, or gone: show it as it is, and that nothing was confirmed."""
    if number > len(state.hands):
        notice(page_words().text("checking.stale"))
        return redirect(url_for("matches.page", match=state.id), code=303)
    return _show(state, number, _told("checking.stale"), CHANGED)


def _told(key: str) -> tuple[FieldError, ...]:
    return (FieldError(None, page_words().text(key)),)


def _show(state: MatchState, number: int, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    can = the_pad().checking.can_check(state.id, device_id())
    shown: HandState = state.hands[number - 1]
    can_check = number <= len(can) and can[number - 1] and shown.checked.confirmed is None
    choosable = the_pad().checking.may_choose(state.id, device_id(), number)
    return render(hand_page(state, shown, can_check, choosable, page_words(), errors), status)
