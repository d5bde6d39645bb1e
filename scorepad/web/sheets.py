"""Sheets on paper, as PDF."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from flask import Blueprint, Response, current_app, make_response

from scorepad.matches.access import MatchId
from scorepad.matches.heavy import heavy_work
from scorepad.web.errors import trouble
from scorepad.web.frame import device_id, page_words, setup, the_pad
from scorepad.web.headers import name_file

blueprint = Blueprint("sheets", __name__)


@blueprint.get("/partite/<match>/foglio.pdf")
def match_sheet(match: str) -> Response:
    """The match sheet; where this machine can make no PDF, a sentence that says how to print all the same."""
    from scorepad.sheets.match_sheet import match_sheet as match_sheet_of

    state = the_pad().state(MatchId(match), device_id())

    def make() -> bytes:
        with heavy_work():
            return match_sheet_of(state, page_words())

    return pdf_answer(make, f"scorepad-{state.id}")


def kept_or_made(key: Hashable, make: Callable[[], bytes]) -> bytes:
    """A paper: the one made before for this key, otherwise made when its turn comes. Raises as `heavy_work` does."""
    papers = setup().papers
    kept = papers.get(key)
    if kept is not None:
        return kept
    with heavy_work():
        return papers.get(key) or papers.put(key, make())  # another request may have made it meanwhile


def pdf_answer(make: Callable[[], bytes], name: str) -> Response:
    """A PDF under this name; where this machine can make none, a sentence that says how to print all the same."""
    from scorepad.sheets.pdf import NoPdf

    try:
        pdf = make()
    except NoPdf:
        return trouble("no-pdf", 503)
    except OSError:  # no room for what the library writes on the way
        current_app.logger.exception("no sheet")
        return trouble("no-pdf", 503)
    answer = make_response(pdf)
    answer.headers["Content-Type"] = "application/pdf"
    name_file(answer, name, "pdf", inline=True)
    return answer
