"""Counting a hand, checking it while it is typed, and counting a past one again, or from the other side."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from flask import Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorepad.matches.errors import MatchOver, OwnHand, RequestRefused
from scorepad.matches.results import NoteWanted, Refused, Saved, Stale
from scorepad.schemas import Unusable
from scorepad.web.base import notice, render, the_pad
from scorepad.web.count import calls
from scorepad.web.count.calls import Call, new_call, to_match
from scorepad.web.count.keeping import count, keep
from scorepad.web.count.names import LONGEST_NOTE
from scorepad.web.count.occasions import Occasion
from scorepad.web.count.pages import FIRST, YES
from scorepad.web.count.said import Count
from scorepad.web.headers import LOOKS_AGAIN

JOINED = "Scorepad-Joined"
"""The header of an answer that holds fields which only another page had sent."""


def page(match: str) -> AnyResponse:
    """The open hand, as it was left; what is sent is kept, and counted if asked to."""
    call = new_call(match)
    try:
        return _show(call) if request.method == "GET" else _take(call)
    except MatchOver:
        return to_match(call) if request.method == "GET" or not call.draft else calls.too_late(call, call.draft)


def check(match: str) -> AnyResponse:
    """Keep what is typed, and answer the form as it stands then: totals, and what is wrong, beside the fields."""
    call = new_call(match)
    if not call.form.validate():
        call.writable()  # who may not write any more is told that
        abort(400)
    step = call.step()
    draft = step.draft if step else call.draft
    if call.is_gone(call.form.hand_number):
        return Response(status=calls.OVERTAKEN)
    if call.form.seen_entry > 0:
        return _fragment(call, call.past_occasion(call.form.hand_number, contests=call.form.is_contest), draft)
    try:
        kept = keep(call, draft)
    except MatchOver:
        return Response(status=calls.OVERTAKEN)
    if isinstance(kept, Stale):
        return Response(status=calls.OVERTAKEN)
    answer = _fragment(call, call.occasion_of(kept.open_hand), kept.draft)
    if kept.joined:
        answer.headers[JOINED] = "1"
    return answer


def correct(match: str, number: int) -> AnyResponse:
    """A past hand as it was counted last, to be counted again."""
    call = new_call(match)
    if request.method == "POST" and call.is_gone(number):
        return calls.too_late(call, call.draft)
    return _past(call, call.past_occasion(number))


def contest(match: str, number: int) -> AnyResponse:
    """A past hand counted by the other side, from nothing or from the first count; only where one checks the other."""
    call = new_call(match)
    if request.method == "POST" and call.is_gone(number):
        return calls.too_late(call, call.draft)
    occasion = call.past_occasion(number, contests=True)
    if not occasion.state.checking:
        return _unchecked(call, occasion)
    try:
        if request.method == "GET" and not the_pad().checking.can_check(call.match, call.device)[number - 1]:
            return _own(call)
        return _past(call, occasion)
    except OwnHand:
        return _own(call)


def _past(call: Call, occasion: Occasion) -> AnyResponse:
    """The page of a past hand, or what becomes of what was sent of it."""
    if request.method == "GET":
        draft = occasion.draft if FIRST in request.args else occasion.start
        return render(calls.live_page(call, occasion, draft))
    if not call.form.validate():
        return calls.expired(call, occasion, call.draft)
    if not call.wants_save:
        step = call.step()
        return render(calls.live_page(call, occasion, step.draft if step else call.draft))
    try:
        return _count_again(call, occasion)
    except RequestRefused:
        return calls.sent_before(call, occasion, call.draft)


def _unchecked(call: Call, occasion: Occasion) -> AnyResponse:
    """Nobody checks here; what was typed while somebody did is shown again."""
    if request.method == "GET" or not call.draft:
        abort(404)
    call.form.reject(call.words.text("count.contest.off"))
    return calls.expired(call, occasion, call.draft)


def _own(call: Call) -> AnyResponse:
    """Who counted a hand does not check it."""
    notice(call.words.text("count.contest.own"))
    return to_match(call)


def _fragment(call: Call, occasion: Occasion, draft: Mapping[str, str]) -> Response:
    """The form alone, for the page's own script."""
    shown = calls.live_page(call, occasion, draft)
    return Response(render_template("count/fragment.html", page=shown, words=call.words))


def _show(call: Call) -> Response:
    occasion, refused = call.open_occasion(), calls.ERRORS in request.args
    if refused and LOOKS_AGAIN not in request.headers:
        return render(calls.refused_page(call, occasion, occasion.draft))
    call.form.refused.data = YES if refused else ""
    return render(calls.live_page(call, occasion, occasion.draft))


def _take(call: Call) -> AnyResponse:
    """What was sent of the open hand."""
    draft = call.draft
    if not call.form.validate():
        return calls.expired(call, call.open_occasion(), draft)
    if call.wants_save:
        try:
            return _count(call, draft)
        except RequestRefused:
            return calls.sent_before(call, call.open_occasion(), draft)
    step = call.step()
    kept = keep(call, step.draft if step else draft)
    if isinstance(kept, Stale):
        return calls.overtaken(call, kept, call.form.hand_number, draft)
    place = step.place if step else "live"
    return redirect(url_for("count.page", match=call.match, _anchor=place), code=303)


def _count(call: Call, draft: Mapping[str, str]) -> AnyResponse:
    """Count the open hand, or say why not; what was typed is kept either way."""
    read = call.read(draft, call.state())
    answer = None if read.troubles else count(call, read, draft)
    if isinstance(answer, Saved):
        return to_match(call)
    kept = keep(call, draft)
    if isinstance(kept, Stale):
        return calls.overtaken(call, kept, call.form.hand_number, draft)
    if isinstance(answer, Stale) or kept.joined:
        # Another page's figures stand beside these now: they are to be seen first.
        notice(call.words.text("count.joined"))
        return redirect(url_for("count.page", match=call.match), code=303)
    return calls.to_errors(call)


def _count_again(call: Call, occasion: Occasion) -> AnyResponse:
    """Count the past hand again, or say why not: with the page itself, for nothing of a correction is kept."""
    draft = call.draft
    read = call.read(draft, occasion.state)
    answer: Saved | Refused | NoteWanted | Stale | None = None
    if not read.troubles and len(call.form.reason) <= LONGEST_NOTE:
        with suppress(Unusable):
            answer = _sent_to_pad(call, occasion, read)
    if isinstance(answer, Stale):
        return calls.overtaken(call, answer, occasion.number, draft)
    if isinstance(answer, Saved):
        return to_match(call)
    wanted = isinstance(answer, NoteWanted)
    return render(calls.refused_page(call, occasion, draft, note_wanted=wanted), calls.WRONG)


def _sent_to_pad(call: Call, occasion: Occasion, read: Count) -> Saved | Refused | NoteWanted | Stale:
    """The pad's answer to a correction or a contest."""
    act = the_pad().checking.contest if occasion.contests else the_pad().correct
    form = call.form
    return act(
        form.request_name, call.match, call.device, occasion.number, form.seen_entry, read.hand, form.reason, read.said,
        call.draft,
    )  # fmt: skip
