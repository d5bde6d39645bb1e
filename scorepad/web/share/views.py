"""The pages to look at how a match went and to send its result, and the picture itself."""

from __future__ import annotations

from flask import make_response, request, url_for
from werkzeug.wrappers import Response

from scorepad.pad.values import MatchState
from scorepad.pad.who import MatchId
from scorepad.web.frame import device_id, page_words, render, the_pad
from scorepad.web.headers import name_file
from scorepad.web.live.watching import watch
from scorepad.web.share.charting import chart_page
from scorepad.web.share.pages import SharePage
from scorepad.web.sheets import kept_or_made

_ROW = 24
"""Letters that a row of the text holds on the smallest phone."""


def chart(match: str) -> Response:
    """How the totals went, as a chart and its table."""
    return render(chart_page(_state(match), page_words()))


def page(match: str) -> Response:
    """The result to send: the picture, and the text."""
    from scorepad.web.share.result import alt_of, result_of, text_of

    state, words = _state(match), page_words()
    result = result_of(state, words)
    text = text_of(result, words)
    return render(
        SharePage(
            title=words.text("share.page.result" if state.standing.finished else "share.page.score"),
            watch=watch(state, url_for("share.page", match=state.id), words),
            match=state.id,
            # Another address whenever it is another picture: a page that stays open shows it anew.
            picture=url_for("share.picture", match=state.id, v=state.sequence),
            alt=alt_of(result, words),
            text=text,
            rows=sum(1 + len(line) // _ROW for line in text.split("\n")),
        )
    )


def picture(match: str) -> Response:
    """The result as a picture."""
    from scorepad.sheets.picture import picture_png
    from scorepad.web.share.result import file_name, picture_of

    state, words = _state(match), page_words()
    drawn = picture_of(state, words)
    answer = make_response(kept_or_made(drawn, lambda: picture_png(drawn)))
    answer.headers["Content-Type"] = "image/png"
    name_file(answer, file_name(state, words), "png", inline=True)
    answer.add_etag()
    return answer.make_conditional(request)


def _state(match: str) -> MatchState:
    return the_pad().state(MatchId(match), device_id())
