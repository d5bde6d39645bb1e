"""What is done on the page of the phones."""

from __future__ import annotations

from flask import redirect, url_for
from werkzeug.wrappers import Response

from scorepad.matches.access import Access, DeviceMark, MatchId
from scorepad.matches.devices import NO_KEYS, Outcome
from scorepad.matches.errors import RequestRefused
from scorepad.web.device import carried_keys, keep_keys
from scorepad.web.forms import PadForm
from scorepad.web.frame import FieldError, device_id, notice, page_words, render, the_pad
from scorepad.web.live.watching import tag_answer
from scorepad.web.phones.forms import REMOVE, RENEW, CodeForm, PhoneForm, SeatForm
from scorepad.web.phones.making import phones_page


def show(match: str) -> Response:
    """The codes and the phones of a match."""
    return _show(MatchId(match))


def state(match: str) -> Response:
    """How far the match has come and who may come to it, for this device."""
    return tag_answer(the_pad().tag_of_devices(MatchId(match), device_id()), page_words())


def change_code(match: str) -> Response:
    """Make a code anew, or withdraw it."""
    name, form = MatchId(match), CodeForm()
    if not form.validate():
        return _refused(name, form)
    try:
        return _renew(name, form) if form.do.data == RENEW else _withdraw(name, form)
    except RequestRefused:
        return _sent_before(name)


def _renew(match: MatchId, form: CodeForm) -> Response:
    """A new code. Sent again it makes none, and the browser keeps those that the first answer gave it."""
    access, answer = Access(form.access.data), _back(match)
    keys = the_pad().devices.renew(match, device_id(), access, carried_keys(), form.request_name)
    if keys != NO_KEYS:
        notice(page_words().text(f"phones.renewed.{access}"))
        keep_keys(answer, match, keys)
    return answer


def _withdraw(match: MatchId, form: CodeForm) -> Response:
    access = Access(form.access.data)
    if the_pad().devices.withdraw(match, device_id(), access, form.request_name) is Outcome.DONE:
        notice(page_words().text(f"phones.withdrawn.{access}"))
    return _back(match)


def change_phone(match: str) -> Response:
    """Hand the match on to a phone, or send it out."""
    name, form, doors = MatchId(match), PhoneForm(), the_pad().devices
    if not form.validate():
        return _refused(name, form)
    change, done = (doors.remove, "removed") if form.do.data == REMOVE else (doors.hand_on, "handed-on")
    try:
        outcome = change(name, device_id(), DeviceMark(form.mark.data), form.request_name)
    except RequestRefused:
        return _sent_before(name)
    if outcome is not Outcome.AGAIN:
        notice(page_words().text(f"phones.{done if outcome is Outcome.DONE else 'gone'}"))
    return _back(name)


def sit(match: str) -> Response:
    """Say which side this phone counts for."""
    name, form = MatchId(match), SeatForm()
    if not form.validate():
        return _refused(name, form)
    sides, position = the_pad().state(name, device_id()).sides, form.position
    if position is not None and position >= len(sides):
        return _show(name, (FieldError(None, page_words().text("web.trouble.400.told")),), 400)
    the_pad().devices.sit(name, device_id(), position)
    speech = page_words()
    told = speech.text("phones.stands") if position is None else speech.text("phones.sits", side=sides[position].name)
    notice(told)
    return _back(name)


def _refused(match: MatchId, form: PadForm) -> Response:
    """The page again: a button that is none of ours, or a page too old to be sent."""
    stale = any(field.errors for field in (form.csrf_token, form.request_id))
    key = "web.error.expired" if stale else "web.trouble.400.told"
    return _show(match, (FieldError(None, page_words().text(key)),), 400)


def _sent_before(match: MatchId) -> Response:
    """The page as it is now: from the one that was sent something else had been sent before."""
    return _show(match, (FieldError(None, page_words().text("phones.sent-before")),), 409)


def _show(match: MatchId, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    device, carried, devices = device_id(), carried_keys(), the_pad().devices
    tag = the_pad().tag_of_devices(match, device)
    state, held = the_pad().state(match, device), devices.holds(match, device, carried)
    page = phones_page(tag, state, held, devices.phones(match, device), page_words(), errors)
    answer = render(page, status)
    answer.headers["Cache-Control"] = "private, no-store"
    if held.keys != carried:
        keep_keys(answer, match, held.keys)
    return answer


def _back(match: MatchId) -> Response:
    return redirect(url_for("phones.page", match=match), code=303)
