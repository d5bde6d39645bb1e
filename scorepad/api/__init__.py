"""The JSON contract over HTTP, under `/api/v1`. No cookies: what opens a match is its key, sent with every request.

Its modules are read when something is first asked: who starts the pad need not wait for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from scorepad.api import troubles

if TYPE_CHECKING:
    from flask import Response

PREFIX = "/api/v1"
PAD = "scorepad.matches"
"""Where the application keeps its pad, among Flask's extensions."""
blueprint = Blueprint("api", __name__, url_prefix=PREFIX)
troubles.register(blueprint)


@blueprint.post("/score")
def score() -> Response:
    """Score a hand."""
    from scorepad.api import views

    return views.score()


@blueprint.post("/rulings")
def rulings() -> Response:
    """Ask the referee."""
    from scorepad.api import views

    return views.rulings()


@blueprint.get("/variants")
def variants() -> Response:
    """The variants, in a line each."""
    from scorepad.api import views

    return views.variants()


@blueprint.get("/variants/<variant>")
def variant(variant: str) -> Response:
    """One variant whole."""
    from scorepad.api import views

    return views.variant(variant)


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """What can be asked, as an OpenAPI document."""
    from scorepad.api import views

    return views.openapi()


@blueprint.get("/matches")
def opened() -> Response:
    """The matches that the key opens."""
    from scorepad.api import matches

    return matches.listing()


@blueprint.post("/matches")
def begin() -> Response:
    """Begin a match."""
    from scorepad.api import matches

    return matches.begin()


@blueprint.get("/matches/<match>")
def match(match: str) -> Response:
    """A match as it stands, with its hands."""
    from scorepad.api import matches

    return matches.one(match)


@blueprint.get("/matches/<match>/export")
def export(match: str) -> Response:
    """A match whole, as `scorepad import` takes it."""
    from scorepad.api import matches

    return matches.export(match)


@blueprint.post("/matches/<match>/hands")
def count(match: str) -> Response:
    """Count the coming hand."""
    from scorepad.api import hands

    return hands.count(match)


@blueprint.put("/matches/<match>/hands/<int:number>")
def correct(match: str, number: int) -> Response:
    """Put a counted hand right."""
    from scorepad.api import hands

    return hands.correct(match, number)


@blueprint.post("/matches/<match>/undo")
def undo(match: str) -> Response:
    """Undo the last thing done."""
    from scorepad.api import hands

    return hands.undo(match)
