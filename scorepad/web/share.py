"""The pages to look at how a match went and to send its result: the chart, the picture and the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, make_response, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.matches.access import MatchId
from scorepad.matches.projection import MatchState
from scorepad.sheets.chart import chart_svg, line_sample, running_chart
from scorepad.sheets.result import alt_of, text_of
from scorepad.web.frame import Page, device_id, page_words, render, setup, the_pad
from scorepad.web.headers import name_file
from scorepad.web.labels import versus
from scorepad.web.live.watching import watch
from scorepad.web.sheets import kept_or_made

blueprint = Blueprint("share", __name__, url_prefix="/partite/<match>")

_ROW = 24
"""Letters that a row of the text holds on the smallest phone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPage(Page):
    """How the totals of a match went. `chart` is empty before the first hand, `samples` are pieces of its lines."""

    template: ClassVar[str] = "share/chart.html"
    match: MatchState
    names: str
    """Who plays."""
    chart: Markup
    samples: tuple[Markup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharePage(Page):
    """The result to send: `text` as it is, `picture` where the picture is and `alt` what it shows."""

    template: ClassVar[str] = "share/page.html"
    match: str
    picture: str
    alt: str
    text: str
    rows: int
    """Rows that the text takes."""


@blueprint.get("/andamento")
def chart(match: str) -> Response:
    """How the totals went, as a chart and its table."""
    state, words = _state(match), page_words()
    return render(
        ChartPage(
            title=words.text("share.chart.title"),
            watch=watch(state, url_for("share.chart", match=state.id), words),
            match=state,
            names=versus([side.name for side in state.sides], words),
            chart=chart_of(state, words),
            samples=tuple(Markup(line_sample(side)) for side in range(len(state.sides))),  # noqa: S704 - our own
        )
    )


@blueprint.get("/condividi")
def page(match: str) -> Response:
    """The result to send: the picture, and the text."""
    state, words = _state(match), page_words()
    text = text_of(state, words)
    return render(
        SharePage(
            title=words.text("share.page.result" if state.standing.finished else "share.page.score"),
            watch=watch(state, url_for("share.page", match=state.id), words),
            match=state.id,
            # Another address whenever it is another picture: a page that stays open shows it anew.
            picture=url_for("share.picture", match=state.id, v=state.sequence),
            alt=alt_of(state, words),
            text=text,
            rows=sum(1 + len(line) // _ROW for line in text.split("\n")),
        )
    )


@blueprint.get("/risultato.png")
def picture(match: str) -> Response:
    """The result as a picture."""
    from scorepad.sheets.picture import picture_of, picture_png

    state, words = _state(match), page_words()
    drawn = picture_of(state, words)
    answer = make_response(kept_or_made(drawn, lambda: picture_png(state, words)))
    answer.headers["Content-Type"] = "image/png"
    name_file(answer, file_name(state, words), "png", inline=True)
    answer.add_etag()
    return answer.make_conditional(request)


def chart_of(state: MatchState, words: Words) -> Markup:
    """The chart as it stands on a page that has `share.css`, drawn anew only when something was added to the log.

    Empty before the first hand.
    """
    if not state.hands:
        return Markup()
    shown, key = setup().shown, ("chart", state.id, state.sequence, words.language)
    drawn = shown.get(key)
    if drawn is None:
        svg = Markup(chart_svg(running_chart(state, words.language)))  # noqa: S704 - it escapes what people wrote
        drawn = shown.put(key, Markup('<div class="chart">{}</div>').format(svg))
    return drawn


def file_name(state: MatchState, words: Words) -> str:
    """The name of the picture's file, without its ending."""
    names = versus([side.name for side in state.sides], words)
    return words.text("share.picture.file", names=names, day=words.day(state.started.astimezone()))


def _state(match: str) -> MatchState:
    return the_pad().state(MatchId(match), device_id())
