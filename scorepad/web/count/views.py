"""Counting a hand, checking it while it is typed, and counting a past one again."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorepad.contract import Unusable
from scorepad.pad.errors import MatchOver
from scorepad.pad.values import OpenHand, Refused, Saved, Stale
from scorepad.web.count import calls
from scorepad.web.count.calls import Call, new_call, to_match
from scorepad.web.count.occasions import Occasion
from scorepad.web.count.reading import Count
from scorepad.web.frame import render, the_pad


def page(match: str) -> AnyResponse:
    """The open hand, as it was left; what is sent is kept, and counted if asked to."""
    call = new_call(match)
    try:
        return _show(call) if request.method == "GET" else _take(call)
    except MatchOver:
        return to_match(call)


def check(match: str) -> AnyResponse:
    """Keep what is typed, and answer the form as it stands then: totals, and what is wrong, beside the fields."""
    call = new_call(match)
    if not call.form.validate():
        abort(400)
    step = call.step()
    draft = step.draft if step else call.draft
    if call.form.seen_entry > 0:
        occasion = call.past_occasion(call.form.hand_number)
    else:
        kept = _keep(call, draft)
        if isinstance(kept, Stale):
            return Response(status=calls.OVERTAKEN)
        occasion = call.occasion_of(kept)
    shown = calls.live_page(call, occasion, draft)
    return Response(render_template("count/fragment.html", page=shown, words=call.words))


def correct(match: str, number: int) -> AnyResponse:
    """A past hand as it was counted last, to be counted again."""
    call = new_call(match)
    occasion = call.past_occasion(number)
    if request.method == "GET":
        return render(calls.live_page(call, occasion, occasion.draft))
    if not call.form.validate():
        return calls.expired(call, occasion, call.draft)
    if not call.wants_save:
        step = call.step()
        return render(calls.live_page(call, occasion, step.draft if step else call.draft))
    return _correct(call, occasion)


def _show(call: Call) -> Response:
    occasion = call.open_occasion()
    return render(calls.live_page(call, occasion, occasion.draft))


def _take(call: Call) -> AnyResponse:
    """What was sent of the open hand."""
    draft = call.draft
    if not call.form.validate():
        return calls.expired(call, call.open_occasion(), draft)
    if call.wants_save:
        return _count(call, draft)
    step = call.step()
    kept = _keep(call, step.draft if step else draft)
    if isinstance(kept, Stale):
        return calls.overtaken(call, kept, call.form.hand_number, draft)
    place = step.place if step else "live"
    return redirect(url_for("count.page", match=call.match, _anchor=place), code=303)


def _keep(call: Call, draft: Mapping[str, str]) -> OpenHand | Stale:
    form = call.form
    answer = the_pad().keep(call.match, call.device, form.hand.data, form.seen_version, draft)
    return answer if isinstance(answer, Stale) else answer.open_hand


def _count(call: Call, draft: Mapping[str, str]) -> AnyResponse:
    """Count the open hand, or say why not; what was typed is kept either way."""
    count = call.read(draft, call.state())
    judgement = None
    if not count.troubles:
        answer = _counted(call, count, draft)
        if isinstance(answer, Saved):
            return to_match(call)
        if isinstance(answer, Stale):
            return calls.overtaken(call, answer, call.form.hand_number, draft)
        judgement = answer.judgement if answer else None
        if answer and answer.open_hand:
            return calls.refused(call, call.occasion_of(answer.open_hand), draft, judgement)
    kept = _keep(call, draft)
    if isinstance(kept, Stale):
        return calls.overtaken(call, kept, call.form.hand_number, draft)
    return calls.refused(call, call.occasion_of(kept), draft, judgement)


def _counted(call: Call, count: Count, draft: Mapping[str, str]) -> Saved | Refused | Stale | None:
    """The pad's answer; None for a hand that cannot be used as it is."""
    form = call.form
    try:
        return the_pad().count(
            form.request_name, call.match, call.device, form.hand.data, form.seen_version, count.hand, draft
        )
    except Unusable:
        return None


def _correct(call: Call, occasion: Occasion) -> AnyResponse:
    """Count the past hand again, or say why not."""
    draft, form = call.draft, call.form
    count = call.read(draft, occasion.state)
    if count.troubles:
        return calls.refused(call, occasion, draft)
    try:
        answer = the_pad().correct(
            form.request_name, call.match, call.device, occasion.number, form.seen_entry, count.hand, form.reason
        )
    except Unusable:
        return calls.refused(call, occasion, draft)
    if isinstance(answer, Stale):
        return calls.overtaken(call, answer, occasion.number, draft)
    return to_match(call) if isinstance(answer, Saved) else calls.refused(call, occasion, draft, answer.judgement)
