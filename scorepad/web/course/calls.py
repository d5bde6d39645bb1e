"""What the rooms of this house share: the match for whoever may write in it, and the way back to it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import redirect, url_for
from werkzeug.wrappers import Response

from scorepad.matches.access import MatchId
from scorepad.matches.projection import MatchState
from scorepad.web.frame import Page, device_id, notice, page_words, the_pad

WRONG = 422
"""The status of a page that shows a form again because of what is in it."""
OVERTAKEN = 409


@dataclass(frozen=True, slots=True, kw_only=True)
class CoursePage(Page):
    """A page of a match that leads back to it."""

    back: str


def for_writing(match: str) -> MatchState:
    """The match as it stands, for one who may write in it: nobody else comes this far. Raises MatchNotFound."""
    return the_pad().state(MatchId(match), device_id())


def match_url(state: MatchState) -> str:
    """Where the match is."""
    return url_for("matches.page", match=state.id)


def to_match(match: str, anchor: str | None = None) -> Response:
    """On to the match."""
    return redirect(url_for("matches.page", match=match, _anchor=anchor), code=303)


def is_over(match: str) -> Response:
    """On to the match, since it is over."""
    notice(page_words().text("course.over"))
    return to_match(match)
