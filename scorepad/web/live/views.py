"""How far a match has come, and the match in large figures."""

from __future__ import annotations

from werkzeug.wrappers import Response

from scorepad.matches.access import MatchId
from scorepad.web.frame import device_id, page_words, render, the_pad
from scorepad.web.live.board import board_page
from scorepad.web.live.watching import tag_answer, tag_of
from scorepad.web.matches.links import reachable

TYPED = "Scorepad-Typed"
"""The header with the version of the hand being typed: it is no news but to those who type it too."""


def state(match: str) -> Response:
    """How far the match has come for this device, made without reading its log."""
    pulse = the_pad().version(MatchId(match), device_id())
    answer = tag_answer(tag_of(MatchId(match), pulse), page_words())
    answer.headers[TYPED] = str(pulse.version)
    return answer


def board(match: str) -> Response:
    """The match in large figures."""
    return render(board_page(reachable(the_pad().state(MatchId(match), device_id())), page_words()))
