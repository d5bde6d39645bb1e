"""The same again: names, rules and devices, and the next dealer."""

from __future__ import annotations

from werkzeug.wrappers import Response

from scorepad.matches.access import MatchId
from scorepad.matches.errors import RequestRefused
from scorepad.matches.results import Stale
from scorepad.web import limits
from scorepad.web.course.calls import to_match
from scorepad.web.device import keep_keys
from scorepad.web.errors import trouble
from scorepad.web.forms import PadForm
from scorepad.web.frame import device_id, notice, page_words, the_pad


def answer(match: str) -> Response:
    """On to the rematch, new or begun already, with the keys that open it to others."""
    form = PadForm()
    if not form.validate():
        return trouble("expired", 400)
    limits.begin()
    try:
        told = the_pad().actions.rematch(form.request_name, MatchId(match), device_id())
    except RequestRefused:
        return trouble("sent-before", 400)
    if isinstance(told, Stale):
        notice(page_words().text("course.rematch.stale"))
        return to_match(match)
    begun = to_match(told.match)
    if told.keys is not None:
        keep_keys(begun, told.match, told.keys)
    return begun
