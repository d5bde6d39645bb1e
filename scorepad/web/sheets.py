"""Sheets on paper, as PDF."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, current_app, make_response

from scorepad.pad.who import MatchId
from scorepad.web.errors import trouble
from scorepad.web.frame import device_id, page_words, the_pad

blueprint = Blueprint("sheets", __name__)


@blueprint.get("/partite/<match>/foglio.pdf")
def match_sheet(match: str) -> Response:
    """The match sheet; where this machine can make no PDF, a sentence that says how to print all the same."""
    from scorepad.sheets.match_sheet import match_sheet as match_sheet_of

    state = the_pad().state(MatchId(match), device_id())
    return pdf_answer(lambda: match_sheet_of(state, page_words()), f"scorepad-{state.id}")


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
    answer.headers["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return answer
