"""The version of a match that open pages poll, and its totals in large figures for a tablet or a television."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, url_for
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.matches.access import MatchId
from scorepad.matches.projection import MatchState
from scorepad.sheets.result import ended_of, ending_to_come
from scorepad.web.base import device_id, get_pad, load_match, page_words, render_page, t
from scorepad.web.hand_fields import noted_sentence
from scorepad.web.polling import match_tag, tag_response, watch
from scorepad.web.presenters import own_side_first, player, reachable, side_names, versus

blueprint = Blueprint("live", __name__, url_prefix="/partite/<match>")

OPEN_HAND = "Scorepad-Typed"
"""Response header with the version of the open hand, for the pages that type it."""
SHORT, LONG = 6, 14
"""Characters up to which a name is set large, and beyond which it is set small."""
_HALVES = {".": 1, ",": 1, "\N{MINUS SIGN}": 3}
"""Width of a character of a figure, in halves of a digit."""
LEAST_HALVES, MOST_HALVES = 4, 24
"""Widths that the style sheet knows."""


@blueprint.get("/stato")
def state(match: str) -> Response:
    """The current tag of a match, made without reading its log."""
    pulse = get_pad().version(MatchId(match), device_id())
    response = tag_response(match_tag(MatchId(match), pulse))
    response.headers[OPEN_HAND] = str(pulse.version)
    return response


@blueprint.get("/tabellone")
def board(match: str) -> Response:
    """The match in large figures."""
    state, words = reachable(load_match(match)), page_words()
    totals = [words.figure(side.total) for side in state.sides]
    return render_page(
        "phones/board.html",
        title=t("live.board.title", names=versus(side_names(state), words)),
        watch=watch(state, url_for("live.board", match=state.id)),
        match=state,
        order=own_side_first(state),
        sizes=[_size(side.name) for side in state.sides],
        width=max(LEAST_HALVES, min(MOST_HALVES, max(map(_width, totals)))),
        facts=list(filter(None, _facts(state, words))),
    )


def _size(name: str) -> str:
    return "short" if len(name) <= SHORT else "long" if len(name) > LONG else "usual"


def _width(figure: str) -> int:
    return sum(_HALVES.get(character, 2) for character in figure)


def _facts(state: MatchState, words: Words) -> Iterator[str]:
    """Which hand comes, who deals, who leads and what is pending; of a finished match how it ended."""
    if state.standing.finished:
        ended = ended_of(state, words)
        yield from (ended.sentence, ended.how, *_to_check(state, words))
        return
    yield t("live.board.hand", number=state.coming)
    yield t("live.board.deals", player=player(state.next_turn.dealer, state.sides, words))
    yield _leads(state, words)
    yield noted_sentence(state, words)
    yield from _to_check(state, words)
    yield ending_to_come(state, words)
    yield t("live.board.practice") if state.practice else ""


def _to_check(state: MatchState, words: Words) -> Iterator[str]:
    """The hands that wait for a choice, and those that wait for a confirmation."""
    contested = [state.called(hand.number) for hand in state.hands if hand.contest]
    waiting = [state.called(hand.number) for hand in state.hands if hand.waits and not hand.contest]
    for key, numbers in (("live.board.contested", contested), ("live.board.waits", waiting)):
        if numbers:
            yield t(key, numbers=words.listing(map(words.figure, numbers)))


def _leads(state: MatchState, words: Words) -> str:
    """Who leads, and by how much; empty while nobody has any points."""
    first, second, *_ = ranked = sorted(state.sides, key=lambda side: side.total, reverse=True)
    if first.total != second.total:
        key = "live.board.leads" if len(ranked) == 2 else "live.board.leads-over"  # noqa: PLR2004 - two sides
        return t(key, side=first.name, points=first.total - second.total, other=second.name)
    if not any(side.total for side in ranked):
        return ""
    return t("live.board.level", sides=words.listing(side.name for side in state.sides if side.total == first.total))
