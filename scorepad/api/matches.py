"""Matches over HTTP: those a key opens, one as it stands, a new one."""

from __future__ import annotations

import secrets

from flask import Response, make_response, url_for

from scorepad.api.asking import answer, body, device_of, holder, the_pad
from scorepad.api.shapes import BegunAnswer, KeysTold, MatchesAnswer, Shape
from scorepad.api.telling import match_line, match_whole
from scorepad.api.troubles import in_language, speech, told
from scorepad.matches.answers import NewMatchRefused
from scorepad.matches.heavy import heavy_work
from scorepad.matches.values import MatchState, NewMatch
from scorepad.matches.who import KEEPER, RequestId
from scorepad.schemas.matches import read_new_match
from scorepad.schemas.matches_forms import NewMatchForm
from scorepad.schemas.reading import settled


def listing() -> Response:
    """The matches that the key opens."""
    held = holder()
    return shaped(MatchesAnswer.model_construct(matches=[match_line(the_pad().state(held.match, held.device))]))


def one(match: str) -> Response:
    """A match as it stands, with its hands."""
    held = holder(match)
    return shaped(match_whole(the_pad().state(held.match, held.device)))


def export(match: str) -> Response:
    """A match whole, as `scorepad import` takes it."""
    held = holder(match)
    with heavy_work():
        made = make_response(the_pad().exports.match(held.match, held.device).encoded())
    made.headers["Content-Type"] = "application/json"
    return in_language(made)


def begin() -> Response:
    """Begin a match: it belongs to whoever brings its key to write."""
    new = _new(read_new_match(body()))
    # Begun by the server itself, and then come into by the key: as nobody's match it becomes the first comer's.
    saved = the_pad().start(request_id(), KEEPER, new)
    if isinstance(saved, NewMatchRefused):
        return _refused(saved)
    assert saved.keys is not None, "a match just begun has its keys"
    device = device_of(saved.keys.write)
    the_pad().doors.enter(saved.keys.write, device)
    keys = KeysTold(write=saved.keys.write, view=saved.keys.view)
    state: MatchState = the_pad().state(saved.match, device)
    made = shaped(BegunAnswer.model_construct(match=match_whole(state), keys=keys), 201)
    made.headers["Location"] = url_for("api.match", match=saved.match)
    made.headers["Cache-Control"] = "no-store"
    return made


def _new(form: NewMatchForm) -> NewMatch:
    settled(form.variant, form.preset, form.options)  # Unusable where there are no such rules
    side, player = form.dealer
    return NewMatch(
        variant=form.variant,
        preset=form.preset,
        options=form.options,
        names=tuple(form.names),
        players=tuple(map(tuple, form.players)),
        dealer=(side, player),
        place=form.place,
        carried=tuple(form.carried),
        played=form.played,
    )


def _refused(refused: NewMatchRefused) -> Response:
    """The first thing that is wrong with the names, by its key."""
    problem, words = refused.problems[0], speech()
    figures = {} if problem.limit is None else {"limit": problem.limit}
    text = words.text(f"web.names.{problem.code}", **figures)
    key = "/".join(map(str, problem.where))
    return told(words.text("api.error.names", key=key, text=text), "unusable", 400)


def request_id() -> RequestId:
    """A fresh name for what a request asks for: that it counts once is seen to by what it says it saw."""
    return RequestId(secrets.token_urlsafe(16))


def shaped(shape: Shape, status: int = 200) -> Response:
    """An answer of a shape, with what was said and nothing else."""
    return answer(shape.model_dump(mode="json", exclude_unset=True), status)
