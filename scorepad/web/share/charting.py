"""The chart of a match's totals for its pages, and the same in figures."""

from __future__ import annotations

from collections.abc import Iterator

from flask import url_for
from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.pad.running import running_chart
from scorepad.pad.values import MatchState
from scorepad.sheets.chart import chart_svg, line_sample
from scorepad.web.frame import setup
from scorepad.web.labels import versus
from scorepad.web.live.watching import watch
from scorepad.web.share.pages import Cell, ChartPage, Head, Row


def chart_of(state: MatchState, words: Words) -> Markup:
    """The chart as it stands on a page that has `share.css`, drawn anew only when something was added to the log.

    Empty before the first hand.
    """
    if not state.hands:
        return Markup()
    shown, key = setup().shown, ("chart", state.id, state.sequence, words.language)
    return shown.get(key) or shown.put(key, _drawn(state, words))


def _drawn(state: MatchState, words: Words) -> Markup:
    # What people wrote was escaped where it was drawn.
    return Markup(f'<div class="chart">{chart_svg(running_chart(state, words.language))}</div>')  # noqa: S704


def chart_page(state: MatchState, words: Words) -> ChartPage:
    """The page with the chart and its table."""
    return ChartPage(
        title=words.text("share.chart.title"),
        watch=watch(state, url_for("share.chart", match=state.id), words),
        match=state.id,
        names=versus([side.name for side in state.sides], words),
        chart=chart_of(state, words),
        heads=tuple(
            Head(side.name, Markup(line_sample(position)))  # noqa: S704 - nothing in it is anybody's
            for position, side in enumerate(state.sides)
        ),
        rows=tuple(_rows(state, words)),
    )


def _rows(state: MatchState, words: Words) -> Iterator[Row]:
    if state.carried:
        yield Row(words.text("share.table.carried"), tuple(Cell("", words.figure(total)) for total in state.carried))
    for hand in state.hands:
        cells = tuple(Cell(words.signed(side.hand), words.figure(side.total)) for side in hand.sides)
        yield Row(words.figure(state.played + hand.number), cells)
