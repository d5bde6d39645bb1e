"""A match to look at and to send: the chart of its totals, the result as picture and text, and the match sheet."""

from __future__ import annotations

from flask import Blueprint, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import heavy_work
from scorepad.sheets.chart import line_sample, picture_of, picture_png
from scorepad.sheets.match_sheet import match_sheet
from scorepad.sheets.result import alt_of, text_of
from scorepad.web.base import cached_paper, load_match, page_words, paper_response, render_page, t
from scorepad.web.polling import watch
from scorepad.web.presenters import chart_of, side_names, versus

blueprint = Blueprint("share", __name__, url_prefix="/partite/<match>")
_ROW = 24
"""Characters in a row of the text on the smallest phone."""


@blueprint.get("/andamento")
def chart(match: str) -> Response:
    """The totals as a chart and a table."""
    state, words = load_match(match), page_words()
    return render_page(
        "phones/chart.html",
        title=t("share.chart.title"),
        watch=watch(state, url_for("share.chart", match=state.id)),
        match=state,
        names=versus(side_names(state), words),
        chart=chart_of(state, words),
        samples=[Markup(line_sample(side)) for side in range(len(state.sides))],  # noqa: S704 - our own
    )


@blueprint.get("/condividi")
def page(match: str) -> Response:
    """The result to send, as picture and text."""
    state, words = load_match(match), page_words()
    text = text_of(state, words)
    return render_page(
        "phones/share.html",
        title=t("share.page.result" if state.standing.finished else "share.page.score"),
        watch=watch(state, url_for("share.page", match=state.id)),
        match=state,
        alt=alt_of(state, words),
        text=text,
        rows=sum(1 + len(line) // _ROW for line in text.split("\n")),
    )


@blueprint.get("/risultato.png")
def picture(match: str) -> Response:
    """The result as a picture."""
    state, words = load_match(match), page_words()

    def make() -> bytes:
        return cached_paper(picture_of(state, words), lambda: picture_png(state, words))

    response = paper_response(make, file_name(state, words), "image/png", "png")
    response.add_etag()
    return response.make_conditional(request)


@blueprint.get("/foglio.pdf")
def sheet(match: str) -> Response:
    """The match sheet; `?dettaglio` adds the lines of every hand, `?grande` prints it in 18 points."""
    state = load_match(match)
    details, large = "dettaglio" in request.args, "grande" in request.args

    def make() -> bytes:
        with heavy_work():
            return match_sheet(state, page_words(), details=details, large=large)

    return paper_response(make, f"scorepad-{state.id}")


def file_name(state: MatchState, words: Words) -> str:
    """The file name of the picture, without its extension."""
    day = words.day(state.started.astimezone())
    return words.text("share.picture.file", names=versus(side_names(state), words), day=day)
