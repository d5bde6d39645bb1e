"""How far a match has come, and the match in large figures."""

from __future__ import annotations

from flask import jsonify, request
from werkzeug.wrappers import Response

from scorepad.pad.who import MatchId
from scorepad.web.frame import device_id, page_words, render, the_pad
from scorepad.web.live.board import board_page
from scorepad.web.live.watching import clock

CLOCK = "Scorepad-Clock"
"""The header that says what time it was when nothing was new."""


def state(match: str) -> Response:
    """How far the match has come for this device, made without reading its log."""
    pulse = the_pad().pulse(MatchId(match), device_id())
    answer = jsonify(tag=pulse.tag)
    answer.set_etag(pulse.tag)
    answer.headers[CLOCK] = clock(page_words())
    return answer.make_conditional(request)


def board(match: str) -> Response:
    """The match in large figures."""
    return render(board_page(the_pad().state(MatchId(match), device_id()), page_words()))
