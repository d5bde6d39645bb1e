"""Where else there is something about a match: what most need first, the rest behind one fold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flask import current_app, url_for
from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.matches.access import Access
from scorepad.matches.projection import MatchState
from scorepad.web.frame import device_id, setup, the_pad
from scorepad.web.matches.page import Link


def reachable(state: MatchState) -> MatchState:
    """The match without its rematch, where that was deleted since or this device may not go there."""
    if state.rematch and the_pad().access(state.rematch, device_id()) is Access.NONE:
        return replace(state, rematch=None)
    return state


def links_shown(state: MatchState, words: Words) -> Markup:
    """All of them as they stand on the page."""
    finished, counted, penalties = state.standing.finished, bool(state.hands), bool(state.rules.penalties)
    key = ("links", state.id, words.language, state.access, finished, counted, penalties)
    rows = setup().rows
    return rows.get(key) or rows.put(key, _show(state, words))


def _show(state: MatchState, words: Words) -> Markup:
    template = current_app.jinja_env.get_template("matches/links.html")
    shown = template.render(first=first_links(state, words), more=more_links(state, words), words=words)
    return Markup(shown)  # noqa: S704 - nothing but what the template escaped itself


def first_links(state: MatchState, words: Words) -> Iterator[Link]:
    """What stands open under the card."""
    going_on = not state.standing.finished
    if going_on and state.access.can_write and state.rules.penalties:
        yield _link("course.penalty", "checking.link.penalty", state, words)
    if going_on:
        yield _link("referee.start_in_match", "referee.link", state, words)
        yield _link("phones.page", "checking.link.phones", state, words)
    if not going_on:
        yield _link("share.page", "checking.link.share", state, words)
    yield _link("sheets.match_sheet", "web.sheet", state, words)


def more_links(state: MatchState, words: Words) -> Iterator[Link]:
    """What stands behind the fold: looking first, then changing."""
    if state.hands:
        yield _link("share.chart", "checking.link.chart", state, words)
    yield _link("live.board", "checking.link.board", state, words)
    if not state.standing.finished:
        yield _link("share.page", "checking.link.share-so-far", state, words)
    else:
        yield _link("phones.page", "checking.link.phones", state, words)
        yield Link(url_for("matches.new"), words.text("web.new.title"))
    yield _link("history.audit", "checking.link.audit", state, words)
    yield _link("files.save", "files.link", state, words)
    if state.access.can_write:
        yield from _changes(state, words)


def _changes(state: MatchState, words: Words) -> Iterator[Link]:
    yield _link("matches.names", "web.names.title", state, words)
    if not state.standing.finished:
        yield _link("course.replace", "checking.link.replace", state, words)
        yield _link("course.rules", "checking.link.rules", state, words)
        yield _link("checking.switch", "checking.link.switch", state, words)
        yield _link("course.end", "checking.link.end", state, words)
    if state.access is Access.OWN:
        yield _link("course.delete", "checking.link.delete", state, words)


def _link(endpoint: str, text: str, state: MatchState, words: Words) -> Link:
    return Link(url_for(endpoint, match=state.id), words.text(text))
